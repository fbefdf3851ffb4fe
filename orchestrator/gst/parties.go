package gst

import (
	"strings"

	"munshi/orchestrator/gst/pattern"
)

var (
	nameLabel  = pattern.New(`^(?:legal name(?: of (?:the )?(?:business|registered person|taxpayer|tax payer|firm))?|name of (?:the )?(?:tax ?payer|registered person|noticee|dealer|assessee|firm|applicant|person|business|company)|name and address of (?:the )?(?:tax ?payer|noticee|registered person|dealer)|name ?\(legal\)|name(?: & address)?|नाम(?: ?/ ?name)?)\b ?[:.=-]* ?`)
	tradeLabel = pattern.New(`(?:\btrade ?-?name(?:,? if any)?|व्यापार का नाम|फर्म(?: का नाम)?) ?(?:/ ?trade ?name)? ?[:.=-]* ?`)
	// Where a name ends although its line goes on.
	nameEnd   = pattern.New(`\(? ?trade ?-?name|\baddress\b|\bgst ?in\b|\bgstin|\bdate\b|\(name\)|\(legal\)|\bprop(?:rietor)?\b|\bhaving\b|\bholding\b|\bbearing\b|\(hereinafter|\blocated\b|\bsituated\b|\bregistered\b|,? ?pan\b`)
	honorific = pattern.New(`^(?:m/ ?s\.?|messrs\.?|shri\.?|sri\.?|smt\.?|mrs?\.?|ms\.?|tvl\.?|thiru\.?|tmt\.?|kum\.?|dr\.?|m\.s\.|श्रीमती|श्री|मेसर्स|मैसर्स)[ .,]+`)
	// "Sri Venkata Granites" is a firm's name, "Sri Venkata Rao" a man's.
	sacred    = pattern.New(`^(?:shri|sri|श्री)`)
	firmWord  = pattern.New(`\b(?:traders?|trading|enterprises?|industries|industry|granites?|stores?|mills?|agenc(?:y|ies)|exports?|imports?|works|company|co\.|corporation|pvt|private|limited|ltd|llp|textiles?|sons|brothers|bros|foods?|steels?|metals?|traders|motors?|electricals?|electronics|chemicals?|plastics?|polymers?|packers|packaging|logistics|transports?|carriers|constructions?|builders|developers|infra\w*|associates|services|solutions|technologies|systems|hospital|hotels?|restaurant|jewell?ers|medicals?|pharma\w*|engineering|engineers|fabrics|garments|spices|oils?|tiles|ceramics|cements?|bhandar|udyog|kirana|marbles?|timbers?|agro|farms?|dairy|sweets|provisions?)\b|व्यापार|ट्रेडर्स|एजेन्सी|उद्योग`)
	addressee = pattern.New(`^(?:to|सेवा में ?/? ?(?:to|10|t0)?)[ ,.:;-]*$`)
	notAName  = pattern.New(`gst ?in|unique id|registration number|^the (?:proprietor|director|partner|manager|managing|principal|authori[sz]ed)|^(?:proprietor|director|partner|manager)s?,?$|^address|^sub|^ref|^\d|^(?:plot|shop|flat|h\.? ?no|door|house|survey|gat|unit) |^date|^din|^pan\b|^e-?mail|^financial year|^f\.?y\b|^tax period|^section|^mob|^phone|^name\b|^जी\.?एस\.?टी|^पता|^दिनांक|^विषय|^वित्तीय वर्ष`)
	// Words of sentences and of other labels, which no name has.
	notWords  = pattern.New(`\b(?:is|are|was|were|has|have|been|you|your|this|that|which|under|payable|section|rules?|act|notice|tax period|financial year|hereby|whereas|amount|conveyance|reference)\b`)
	proseName = pattern.New(`\b(?:m/ ?s\.?|messrs\.?|tvl\.?) ?`)
	office    = pattern.New(`commissioner|superintendent|tax officer|\bofficer\b|commissionerate|department|government|inspector|gsto|division|आयुक्त`)
)

// readParties reads the noticee's legal and trade names.
func (r *reading) readParties() {
	for _, find := range [...]func() span{r.labelledName, r.addressedName, r.namedInProse} {
		if s := find(); s.end > s.start {
			name := r.nameAt(s)
			r.facts.LegalName = &name
			r.cite("legal_name", s)
			break
		}
	}
	if s := r.tradeName(); s.end > s.start {
		name := r.nameAt(s)
		r.facts.TradeName = &name
		r.cite("trade_name", s)
	}
}

// nameAt gives the name, with the J that recognition takes for a bracket.
func (r *reading) nameAt(s span) string {
	name := r.doc.text[s.start:s.end]
	if r.doc.isRecognised(s.start) && !strings.Contains(name, "[") {
		name = strings.ReplaceAll(name, "]", "J")
	}
	return name
}

// labelledName reads "Name : X" or "X (Name)" in the heading of a form, above
// the officer's own name.
func (r *reading) labelledName() span {
	d := r.doc
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if l.start >= d.head().end || i > 45 || strings.HasPrefix(low, "signature") || strings.HasPrefix(low, "designation") {
			break
		}
		if at := strings.Index(low, "(name)"); at > 2 {
			return r.trimName(span{l.start, l.start + at})
		}
		for c, cell := range l.cells {
			if at := strings.Index(d.low[cell.start:cell.end], "legal name"); at > 0 {
				cell.start += at
			}
			label := nameLabel.FindString(d.low[cell.start:cell.end])
			if label == "" {
				continue
			}
			value := span{cell.start + len(label), cell.end}
			switch {
			case value.end > value.start && !strings.ContainsAny(label, ":.=-") && isLower(d.text[value.start]):
				continue // a sentence that begins with "Name"
			case value.end > value.start:
			case c+1 < len(l.cells):
				value = l.cells[c+1]
			case i+1 < len(d.lines) && d.lines[i+1].page == l.page:
				value = d.lines[i+1].cells[0]
			}
			if s := r.trimName(value); s.end > s.start && !office.MatchString(d.low[s.start:s.end]) && !r.besideDesignation(i) {
				return s
			}
		}
	}
	return span{}
}

// besideDesignation tells whether the name on this line is the officer's.
func (r *reading) besideDesignation(i int) bool {
	d := r.doc
	for j := i + 1; j < len(d.lines) && j <= i+3; j++ {
		if strings.HasPrefix(d.low[d.lines[j].start:d.lines[j].end], "designation") {
			return true
		}
	}
	return false
}

// addressedName reads the first name under "To".
func (r *reading) addressedName() span {
	d := r.doc
	for i, l := range d.lines {
		low, numbered := strings.CutPrefix(d.low[l.start:l.end], "to ")
		if l.start >= r.extent() || !addressee.MatchString(d.low[l.start:l.end]) && !(numbered && parsesAsIdentifier(low)) {
			continue
		}
		for j := i + 1; j < len(d.lines) && j <= i+5; j++ {
			cell := d.lines[j].cells[0]
			low, _, _ := strings.Cut(d.low[cell.start:cell.end], ", gstin")
			if !honorific.MatchString(low) && (notAName.MatchString(low) || parsesAsIdentifier(d.text[cell.start:cell.end])) {
				continue
			}
			if office.MatchString(low) || len(low) > 110 {
				break
			}
			return r.trimName(cell)
		}
	}
	return span{}
}

func parsesAsIdentifier(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	_, _, _, ok := parseGSTIN(word, true)
	return ok
}

// namedInProse reads "M/s X, address ... (hereinafter referred to as 'the
// noticee')", or else the first firm that the notice names.
func (r *reading) namedInProse() span {
	d := r.doc
	first := span{}
	for _, m := range proseName.FindAllStringIndex(d.low[:min(r.extent(), 12_000)], 40) {
		s := r.trimName(span{m[1], min(m[1]+120, len(d.text))})
		if s.end <= s.start {
			continue
		}
		if first.end == 0 {
			first = s
		}
		if d.contains(span{m[0], min(m[0]+400, len(d.text))}, "noticee", "taxpayer", "tax payer", "hereinafter") {
			return s
		}
	}
	return first
}

func (r *reading) tradeName() span {
	d := r.doc
	top := d.low[:min(d.head().end, 6000)]
	for _, m := range tradeLabel.FindAllStringIndex(top, 3) {
		l := d.lines[d.lineAt(m[0])]
		value := span{m[1], l.end}
		if value.start >= value.end {
			if i := d.lineAt(m[0]) + 1; i < len(d.lines) {
				value = d.lines[i].cells[0]
			}
		}
		for _, cell := range l.cells {
			if cell.start <= value.start && value.start < cell.end {
				value.end = min(value.end, cell.end)
			}
		}
		if s := r.trimName(value); s.end > s.start {
			return s
		}
	}
	return span{}
}

// trimName cuts a name out of its line: no honorific before it, no address,
// second label or punctuation after it. Of a name in two scripts it keeps the
// Latin one.
func (r *reading) trimName(s span) span {
	d := r.doc
	if s.end <= s.start {
		return span{}
	}
	if open := strings.IndexByte(d.text[s.start:s.end], '('); open > 0 && !isLatin(d.text[s.start:s.start+open]) {
		s.start += open + 1
		if end := strings.IndexByte(d.text[s.start:s.end], ')'); end >= 0 {
			s.end = s.start + end
		}
	} else if slash := strings.LastIndex(d.text[s.start:s.end], " / "); slash > 0 && !isLatin(d.text[s.start:s.start+slash]) {
		s.start += slash + 3
	}
	if space := strings.IndexByte(d.text[s.start:s.end], ' '); space > 0 && space < 6 && isDigits(d.text[s.start:s.start+space]) && d.isRecognised(s.start) {
		s.start += space + 1 // "5011" for "Shri"
	}
	for {
		m := honorific.FindString(d.low[s.start:s.end])
		if m == "" || sacred.MatchString(m) && firmWord.MatchString(d.low[s.start:s.end]) {
			break
		}
		s.start += len(m)
	}
	for s.start < s.end && strings.IndexByte(" .,:;'\"-", d.text[s.start]) >= 0 {
		s.start++
	}
	low := d.low[s.start:s.end]
	if end := nameEnd.FindStringIndex(low); end != nil {
		low = low[:end[0]]
	}
	if comma := strings.IndexByte(low, ','); comma >= 0 {
		low = low[:comma]
	}
	low = strings.TrimRight(low, " .:;'\"-(/")
	if strings.Count(low, "(") > strings.Count(low, ")") {
		low, _, _ = strings.Cut(low, "(")
	}
	for strings.HasSuffix(low, ")") && strings.Count(low, ")") > strings.Count(low, "(") {
		low = strings.TrimRight(low[:len(low)-1], " .:;'\"-") // of "(Trade name: X)"
	}
	s.end = s.start + len(strings.TrimRight(low, " .:;'\"-"))
	if notWords.MatchString(d.low[s.start:s.end]) || strings.IndexByte(d.low[s.start:s.end], ':') >= 0 {
		return span{}
	}
	if n := s.end - s.start; n < 3 || n > 110 || strings.IndexFunc(d.text[s.start:s.end], isNameLetter) < 0 {
		return span{}
	}
	return s
}

func isNameLetter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x900 }
