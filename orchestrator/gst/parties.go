package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	nameLabel  = lazyregexp.New(`^(?:(?:passed |issued )(?:against|to|in respect of) ?[:-]+|(?:legal[ '.]?|full |registered )?name(?: of (?:the )?(?:business|registered person|tax ?payer|tax payer|firm|noticee|dealer|assessee|applicant|person|company|registrant|party|concern))?\b|name and address of (?:the )?(?:tax ?payer|noticee|registered person|dealer)\b|name ?\(legal\)|name ?& ?address\b|(?:the )?(?:tax ?payer|registered person|noticee|registrant|applicant|assessee|dealer|person|claimant|appellant|addressee|party|business entity)(?:'s name)?(?: ?\([^)]{1,30}\))? ?(?:[:=]|$)|नाम(?: ?/ ?name)? ?[:/=-]|करदाता(?: का नाम)? ?[:=])[ :.=-]*`)
	tradeLabel = lazyregexp.New(`(?:\btrade ?-?(?:name|style)(?:,? if any)?|\b(?:business|firm|concern)(?: name)? ?[:=]|व्यापार का नाम|फर्म(?: का नाम)?|\bprop(?:rietor)?(?:ietrix)?\.? (?:of )?m/ ?s\.?|\bproprietor of|carrying on business as|trading as|doing business as|\bd/b/a) ?(?:/ ?trade ?name)? ?[:.=-]* ?`)
	ownerLabel = lazyregexp.New(`\bprop(?:rietor|rietrix)?\b\.? ?:? ?(?:shri |smt\.? |sh\.? )?|\bthrough its (?:proprietor|owner) `)
	// Where a name ends although its line goes on.
	nameEnd   = lazyregexp.New(`\(? ?trade ?-?name|\baddress\b|\bgst ?in\b|\bgstin|\bdate\b|\(name\)|\(legal\)|\bprop(?:rietor|rietrix)?\b|\bhaving\b|\bholding (?:gst|regis|a )|\bbearing (?:gst|regis|no|uin)|\(hereinafter|\blocated\b|\bsituated\b|\bregistered\b|,? ?\bpan\b|\bcarrying on\b|\btrading as\b|\bdoing business\b|\b[sdwc]/ ?o\b|\bson of\b|\bdaughter of\b|\bwife of\b|\bpartners?\b ?:| / | \| | - |\bd/b/a\b| firm$|\bfor (?:the )?(?:period|years?|financial|f\.?y|months?|tax)\b|[0-9]{2}[a-z]{5}[0-9]{4}`)
	honorific = lazyregexp.New(`^(?:(?:shri|sri|smt)\.?/ ?m/ ?s\.?|m/ ?s\.?|messrs\.?|shri\.?|sri\.?|smt\.?|mrs?\.?|ms\.?|tvl\.?|सर्वश्री|thiru\.?|tmt\.?|kum\.?|dr\.?|m\.s\.|श्रीमती|श्री|मेसर्स|मैसर्स)[ .,]+`)
	// "Sri Venkata Granites" is a firm's name, "Sri Venkata Rao" a man's.
	sacred    = lazyregexp.New(`^(?:shri|sri|श्री)`)
	firmWord  = lazyregexp.New(`\b(?:traders?|trading|enterprises?|industries|industry|granites?|stores?|mills?|agenc(?:y|ies)|exports?|imports?|works|company|co\.|corporation|pvt|private|limited|ltd|llp|textiles?|sons|brothers|bros|foods?|steels?|metals?|traders|motors?|electricals?|electronics|chemicals?|plastics?|polymers?|packers|packaging|logistics|transports?|carriers|constructions?|builders|developers|infra\w*|associates|services|solutions|technologies|systems|hospital|hotels?|restaurant|jewell?ers|medicals?|pharma\w*|engineering|engineers|fabrics|garments|spices|oils?|tiles|ceramics|cements?|bhandar|udyog|kirana|marbles?|timbers?|agro|farms?|dairy|sweets|provisions?)\b|व्यापार|ट्रेडर्स|एजेन्सी|उद्योग`)
	addressee = lazyregexp.New(`^(?:to|सेवा में ?/? ?(?:to|10|t0)?)[ ,.:;-]*$`)
	notAName  = lazyregexp.New(`gst ?in|unique id|registration number|^the (?:proprietor|director|partner|manager|managing|principal|authori[sz]ed)|^(?:proprietor|director|partner|manager)s?,?$|^address|^sub|^ref|^\d|^(?:plot|shop|flat|h\.? ?no|door|house|survey|gat|unit) |^date|^din|^pan\b|^e-?mail|^financial year|^f\.?y\b|^tax period|^section|^mob|^phone|^name\b|^जी\.?एस\.?टी|^पता|^मोहल्ला|^ग्राम|^दिनांक|^विषय|^वित्तीय वर्ष`)
	// Words of sentences and of other labels, which no name has.
	notWords  = lazyregexp.New(`^(?:appellant|respondent)$|\b(?:is|are|was|were|has|have|been|you|your|this|that|which|under|payable|section|rules?|act|notice|tax period|financial year|hereby|whereas|amount|conveyance|reference)\b`)
	proseName = lazyregexp.New(`\b(?:m/ ?s\.?|messrs\.?|tvl\.?) ?`)
	office    = lazyregexp.New(`commissioner|superintendent|tax officer|\bofficer\b|commissionerate|department|government|inspector|gsto|division|आयुक्त`)
)

// readParties weighs every name as that of the noticee. The fourth letter of the PAN within the GSTIN tells what kind of
// person it is: a company (C), a firm (F), an individual (P), whose firm has a trade name.
func (r *reading) readParties() {
	const least, margin = 3, 0
	all := slices.Concat(r.labelledNames(), r.addressedNames(), r.namesInProse(), r.namesBesideGSTIN(), r.namesInPairs(), r.namesAtHead())
	kind := byte(0)
	if g := r.facts.GSTIN; g != nil && len(*g) == gstinLength {
		kind = (*g)[5]
	}
	for i := range all {
		r.weighName(&all[i], kind)
	}
	for i := range all {
		if slices.ContainsFunc(all, func(whole candidate) bool {
			return whole.end == all[i].end && whole.start < all[i].start && (joinsNames.MatchString(r.doc.low[whole.start:all[i].start]) || r.isBelow(all[i].span, whole.span))
		}) {
			all[i].weigh(-3, "only the end of a name")
		}
	}
	sorted := r.consider("legal_name", all)
	if won, ok := best(sorted, least, margin); ok {
		r.facts.LegalName = ptr(r.nameAt(won.span))
		r.cite("legal_name", won.span)
	} else {
		r.offer("legal_name")
	}
	if s := r.tradeName(); s.end > s.start {
		name := r.nameAt(s)
		r.facts.TradeName = &name
		r.cite("trade_name", s)
	}
}

// named makes a candidate of a name, if there is one in the span.
func (r *reading) named(s span, weight float64, why string) []candidate {
	whole := s
	s = r.trimName(s)
	g := r.facts.GSTIN
	government := g != nil && len(*g) == gstinLength && (*g)[5] == 'G' && weight >= 6
	if s.end <= s.start || office.MatchString(r.doc.low[s.start:s.end]) && !government || hasDigits(r.doc.text[s.start:s.end]) {
		return nil
	}
	if government {
		s.end = max(s.end, whole.end) // "DIVISIONAL FOREST OFFICER, KARANJIA DIVISION"
	}
	s = r.overTwoLines(s)
	c := candidate{span: s, value: strings.ToUpper(strings.Join(strings.Fields(r.nameAt(s)), " "))}
	c.weigh(weight, why)
	return []candidate{c}
}

func hasDigits(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !firmWord.MatchString(lowerASCII(s))
}

// overTwoLines joins what stands on the next line where a name plainly goes on: behind "and", or up to its "Limited".
func (r *reading) overTwoLines(s span) span {
	d := r.doc
	i := d.lineAt(s.start)
	if i+1 >= len(d.lines) || d.lines[i+1].page != d.lines[i].page {
		return s
	}
	if value, ok := d.valueBelow(i, s); ok {
		if joined := r.trimName(value); joined.end > joined.start && !office.MatchString(d.low[joined.start:joined.end]) {
			return span{s.start, joined.end}
		}
	}
	if s.end != d.lines[i].end {
		return s
	}
	next := d.lines[i+1].cells[0]
	low := d.low[next.start:next.end]
	open := openName.MatchString(d.low[s.start:s.end])
	more := companyTail.FindStringIndex(low)
	if isLatin(d.text[s.start:s.end]) != isLatin(d.text[next.start:next.end]) {
		return s
	}
	if !open && (more == nil || companyTail.MatchString(d.low[s.start:s.end]) || hasDigits(low[:more[1]])) {
		return s
	}
	end := next.end
	if more != nil {
		end = next.start + more[1]
	} else if joined := r.trimName(next); joined.end > joined.start {
		end = joined.end
	}
	return span{s.start, end}
}

// valueBelow gives what a name goes on with on the next line: the cell under it, where the label of the name has nothing more
// below it, or the capitals before the first comma of an address in small letters.
func (d *document) valueBelow(i int, s span) (span, bool) {
	l, next := d.lines[i], d.lines[i+1]
	c := l.cellOf(s.start)
	text := d.text[s.start:s.end]
	if next.first && !d.recognised[l.page-1] || bodyCorp.MatchString(lowerASCII(text)) || strings.ToUpper(text) != text || !isLatin(text) || l.cells[c].end != s.end {
		return span{}, false
	}
	k := slices.IndexFunc(next.at, func(at span) bool { return near(at.start, l.at[c].start) })
	if k < 0 {
		return span{}, false
	}
	cell := next.cells[k]
	m := capitalWords.FindString(d.text[cell.start:cell.end])
	rest := d.text[cell.start+len(m) : cell.end]
	switch {
	case m == "" || notAName.MatchString(d.low[cell.start:cell.end]) || nameLabel.MatchString(d.low[cell.start:cell.end]) || tradeLabel.MatchString(d.low[cell.start:cell.end]):
		return span{}, false
	case len(l.cells) > 1 && (len(next.cells) == 1 || bodyCorp.MatchString(lowerASCII(m))) && strings.Trim(rest, " .,)") == "":
		return cell, true
	case strings.HasPrefix(rest, "(") && len(next.cells) == 1, strings.HasPrefix(rest, ",") && strings.ToUpper(rest) != rest:
		return span{cell.start, cell.start + len(m)}, true
	}
	return span{}, false
}

// capitalWords are the words in capitals with which a line begins.
var capitalWords = lazyregexp.New(`^(?:(?:[A-Z][A-Z.&'-]+|&)(?: |\b|$))+`)

// isBelow tells whether a name begins right below another one that goes on with it.
func (r *reading) isBelow(part, whole span) bool {
	d := r.doc
	i := d.lineAt(whole.start)
	if d.lineAt(part.start) != i+1 {
		return false
	}
	below, ok := d.valueBelow(i, span{whole.start, d.lines[i].cells[d.lines[i].cellOf(whole.start)].end})
	return ok && below.start <= part.start && part.start < below.end
}

// joinsNames ends the first part of a name of two.
var joinsNames = lazyregexp.New(`(?:\band|&) $`)

var (
	openName    = lazyregexp.New(`(?:\band|&|\bof|-|,)$`)
	companyTail = lazyregexp.New(`^[a-z .&'-]{0,50}\b(?:limited|ltd|llp|pvt\.? ltd|inc|corporation)\b\.?|^[a-z .&'-]{0,60}\b(?:limited|ltd|llp)\b\.?`)
	bodyCorp    = lazyregexp.New(`\b(?:limited|ltd|llp|corporation|society|trust|board|authority|university|bank)\b`)
)

// weighName weighs a name by what it is.
func (r *reading) weighName(c *candidate, kind byte) {
	d := r.doc
	low := lowerASCII(r.nameAt(c.span))
	if strings.Count(low, " ") > 8 || notName(low) {
		c.weigh(-3, "not like a name")
	}
	firm := firmWord.MatchString(low) || bodyCorp.MatchString(low)
	before := d.lowIn(c.start-12, c.start)
	switch kind {
	case 'C':
		if bodyCorp.MatchString(low) {
			c.weigh(1.5, "a company, as the PAN tells")
		}
	case 'F':
		if firm {
			c.weigh(1, "a firm, as the PAN tells")
		}
	case 'P', 'H':
		if firm || strings.Contains(before, "m/s") {
			c.weigh(-1.5, "a firm, where the PAN is a person's")
		} else {
			c.weigh(0.5, "a person, as the PAN tells")
		}
	}
	if label := d.lowIn(max(d.lines[d.lineAt(c.start)].start, c.start-40), c.start); tradeLabel.MatchString(label) && !bothNames.MatchString(label) {
		c.weigh(-4, "labelled as a trade name")
	}
	if before := d.lowIn(c.start-60, c.start); otherParty.MatchString(before) && !ownerOfGoods.MatchString(before) {
		c.weigh(-4, "another party")
	}
	name := low[:min(len(low), 40)]
	if at := strings.Index(d.low[c.end:], name); at >= 0 {
		c.weigh(0.5, "named again")
	}
}

// bothNames is a label of the legal name and the trade name.
var bothNames = lazyregexp.New(`name ?[/&,] ?trade`)

// notName tells whether a word of the text is one that no name has.
func notName(low string) bool { return notWords.MatchString(low) || titleWord.MatchString(low) }

// nameAt gives the name, with the J and the I that recognition takes for a bracket and a mark.
func (r *reading) nameAt(s span) string {
	name := r.doc.inColumn(s)
	if r.doc.isRecognised(s.start) && !strings.Contains(name, "[") {
		name = strings.NewReplacer("]", "J", "!", "I").Replace(name)
	}
	return name
}

// inColumn gives the words of a span that may go on in the cell below: what stands beside it in other columns is not among them.
func (d *document) inColumn(s span) string {
	i := d.lineAt(s.start)
	l := d.lines[i]
	c := l.cellOf(s.start)
	if s.end <= l.end || i+1 >= len(d.lines) {
		return d.text[s.start:s.end]
	}
	next := d.lines[i+1]
	if s.end > next.end || s.end <= next.start || c+1 == len(l.cells) && next.cellOf(s.end-1) == 0 {
		return d.text[s.start:s.end]
	}
	return d.text[s.start:l.cells[c].end] + " " + d.text[next.cells[next.cellOf(s.end-1)].start:s.end]
}

// labelledNames reads "Name : X" and "X (Name)" in the heading of a form, above the officer's own name.
func (r *reading) labelledNames() (all []candidate) {
	d := r.doc
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if l.start >= d.head().end || i > 60 || strings.HasPrefix(low, "signature") || strings.HasPrefix(low, "designation") {
			break
		}
		if at := strings.Index(low, "(name)"); at > 2 {
			all = append(all, r.named(span{l.start, l.start + at}, 6, "labelled as the name")...)
			continue
		}
		for c, cell := range l.cells {
			if m := itemLead.FindStringIndex(d.low[cell.start:cell.end]); m != nil {
				cell.start += m[1]
			}
			if at := strings.Index(d.low[cell.start:cell.end], "legal name"); at > 0 {
				cell.start += at
			}
			if slash := strings.IndexByte(d.low[cell.start:cell.end], '/'); slash > 0 && (!isLatin(d.text[cell.start:cell.start+slash]) || slash < 8 && d.isRecognised(cell.start)) {
				// "नाम / Name", and whatever recognition made of the first
				if at := skipSpaces(d.low, cell.start+slash+1); at < cell.end && nameLabel.MatchString(d.low[at:cell.end]) {
					cell.start = at
				}
			}
			weight, why := 6.0, "labelled as the name"
			label := nameLabel.FindString(d.low[cell.start:cell.end])
			if loose := d.looseNameLabel(cell, c+1 < len(l.cells)); len(loose) > len(label) {
				label, weight, why = loose, 5, "a label with the word for a name"
			}
			if label == "" || r.besideDesignation(i) {
				continue
			}
			value := span{cell.start + len(label), cell.end}
			switch {
			case value.end > value.start && !strings.ContainsAny(label, ":.=-") && (isLower(d.text[value.start]) || !nameWord.MatchString(label)):
				continue // a sentence that begins with "Name"
			case value.end > value.start:
			case c+1 < len(l.cells):
				value = d.cellBehind(l, c)
			case i+1 < len(d.lines) && d.lines[i+1].page == l.page:
				value = d.lines[i+1].cells[0]
			}
			if strings.HasPrefix(label, "legal") {
				weight, why = 7, "labelled as the legal name"
			}
			all = append(all, r.named(value, weight, why)...)
		}
	}
	return all
}

var (
	// looseName is a label with the word for a name in it, whatever else: "Name of the appellant", "विधिक नाम".
	looseName = lazyregexp.New(`^(?:[^:=]{0,40}[ (/])?(?:name|नाम)(?:[ ):/=-][^:=]{0,36}?)?(?:$| ?[:=] ?[:=-]*)`)
	// otherName is a label of a name that is not the noticee's.
	otherName = lazyregexp.New(`trade|busines|व्यापार|firm|फर्म|प्रतिष्ठान|father|पिता|driver|bank|transport|suppl|vendor|consign|recipient|sign|officer|अधिकारी|designat|office|circle|branch|school|scheme|product|commodit|item|document|form\b|file|user|bidder|auditor|counsel|advocate|witness|place|village|state`)
)

// looseNameLabel gives the label of a name with which a cell begins, where it ends in a colon or its value stands in the next cell.
func (d *document) looseNameLabel(cell span, valueBeside bool) string {
	low := d.low[cell.start:cell.end]
	m := looseName.FindString(low)
	if m == "" || otherName.MatchString(m) || notWords.MatchString(m) && !strings.Contains(m, "appellant") || m == low && !valueBeside {
		return ""
	}
	return m
}

// nameWord is in a label that asks for a name, unlike that of a party.
var nameWord = lazyregexp.New(`name|नाम`)

// namesInPairs reads a cell that holds number and name together, where its label says so: "GSTIN / Name  10Y… / MAGADH LTD".
func (r *reading) namesInPairs() (all []candidate) {
	d := r.doc
	if r.gstinAt.end == 0 {
		return nil
	}
	const most = 5 // places of the number
	number := d.text[r.gstinAt.start:r.gstinAt.end]
	for n, from := 0, 0; n < most; n++ {
		at := strings.Index(d.text[from:], number)
		if at < 0 {
			break
		}
		all = append(all, r.namesBeside(span{from + at, from + at + len(number)})...)
		from += at + len(number)
	}
	return all
}

// namesBeside reads the name that shares its cell with the number, or stands below it.
func (r *reading) namesBeside(number span) (all []candidate) {
	d := r.doc
	l := d.lines[d.lineAt(number.start)]
	before, after := d.lowIn(l.start, number.start), span{number.end, l.end}
	if i := d.lineAt(number.start); after.start >= after.end && i+1 < len(d.lines) && nameWord.MatchString(before) && d.lines[i+1].page == l.page {
		return r.named(d.lines[i+1].cells[0], 4.5, "below the GSTIN, where the label names both")
	}
	if m := pairSign.FindStringIndex(d.low[after.start:after.end]); m != nil && (nameWord.MatchString(before) || strings.HasPrefix(d.low[after.start:after.end], " / ")) {
		all = append(all, r.named(span{after.start + m[1], after.end}, 4.5, "in one cell with the GSTIN")...)
	}
	return all
}

var pairSign = lazyregexp.New(`^ ?[/,|-] ?`)

// namesAtHead reads the capitals with which the sentence begins that names the noticee's number: "BORBHETI TEA LTD., Mission
// Chariali, Tezpur, holder of GSTIN 18…".
func (r *reading) namesAtHead() (all []candidate) {
	d := r.doc
	if r.gstinAt.end == 0 {
		return nil
	}
	i := d.lineAt(r.gstinAt.start)
	for j := i; j >= max(0, i-2); j-- {
		if m := capitalName.FindStringSubmatchIndex(d.text[d.lines[j].start:d.lines[j].end]); m != nil {
			all = append(all, r.named(span{d.lines[j].start + m[2], d.lines[j].start + m[3]}, 3.7, "in capitals at the head of the sentence with the GSTIN")...)
		}
	}
	return all
}

var capitalName = lazyregexp.New(`^(?:[0-9]{1,2}[.)] )?(?:M/s\.? ?)?((?:[A-Z][A-Z.&'-]+|&)(?: (?:[A-Z][A-Z.&'-]*|&|\([A-Z]+\))){1,8})(?:,|\.? (?:represented|through|holding|having|registered|a (?:company|firm|partnership)|\())`)

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

// toLine is the line that says to whom a paper goes, with what stands behind it.
var toLine = lazyregexp.New(`^(?:to|प्रति|प्रेषित|प्रेषिती|सेवा में(?: ?/ ?(?:to|10|t0))?)(?: ?[,.:;-]+ ?| +|$)`)

// numberLabel opens a line with the number of the person to whom a paper goes.
var numberLabel = lazyregexp.New(`^(?:gst ?in|registration (?:no|number)|unique id)\b`)

// toRole is the office in a firm to which a paper goes, before the firm's name.
var toRole = lazyregexp.New(`^(?:the )?(?:owner|person in charge|transporter|driver)(?: of (?:the )?(?:goods|conveyance|vehicle))? ?[:,-]? |^(?:the )?(?:proprietor|proprietrix|partners?|directors?|managing (?:director|partner)|manager|authori[sz]ed signatory|principal officer|secretary|karta|trustees?|president)s?(?: of)?(?:,? |,?$)`)

// addressedNames reads the names under "To" and behind it.
func (r *reading) addressedNames() (all []candidate) {
	d := r.doc
	for i, l := range d.lines {
		if l.start >= r.extent() {
			break
		}
		lead := toLine.FindString(d.low[l.start:l.end])
		if lead == "" || d.isProse(l) && i >= r.body() {
			continue
		}
		rest := span{l.start + len(lead), l.end}
		inCell := len(l.cells) == 2 && rest.start == l.cells[1].start && capitalWords.FindString(d.text[rest.start:rest.end]) == d.text[rest.start:rest.end] &&
			!notAName.MatchString(d.low[rest.start:rest.end]) && firmWord.MatchString(d.low[rest.start:rest.end])
		if d.isRecognised(l.start) && len(l.cells) == 2 && rest.start == l.cells[1].start && rest.end-rest.start < 5 {
			rest.start = rest.end // a speck
		}
		if numberLabel.MatchString(d.low[rest.start:rest.end]) {
			rest.start = rest.end // "To GSTIN: …": the name stands below
		}
		if m := toRole.FindStringIndex(d.low[rest.start:rest.end]); m != nil && m[1] == rest.end-rest.start {
			rest.start = rest.end // "To the Managing Director": the firm stands below
		}
		if inCell || rest.end > rest.start && strings.ContainsAny(lead, ",:;") || rest.end > rest.start && (honorific.MatchString(d.low[rest.start:rest.end]) || parsesAsIdentifier(d.text[rest.start:rest.end])) {
			if m := toRole.FindStringIndex(d.low[rest.start:rest.end]); m != nil {
				rest.start += m[1]
			}
			if number, name, found := strings.Cut(d.text[rest.start:rest.end], ", "); found && parsesAsIdentifier(number) && name != "" {
				rest.start += len(number) + len(", ") // "To: 29…, Tarangini Cloud Limited, Indiranagar"
			}
			for piece := range strings.SplitSeq(d.text[rest.start:rest.end], " / ") {
				if !parsesAsIdentifier(piece) {
					at := rest.start + strings.Index(d.text[rest.start:rest.end], piece)
					all = append(all, r.named(span{at, at + len(piece)}, 5, "behind the word To")...)
					break
				}
			}
			if len(all) > 0 {
				continue
			}
		} else if rest.end > rest.start {
			continue // "To be published"
		}
		weight := 5.0
		for j := i + 1; j < len(d.lines) && j <= i+5 && d.lines[j].page == l.page; j++ {
			cell := d.lines[j].cells[0]
			low, _, _ := strings.Cut(d.low[cell.start:cell.end], ", gstin")
			if m := toRole.FindStringIndex(low); m != nil {
				cell.start += m[1]
				low = low[m[1]:]
			}
			if !honorific.MatchString(low) && (notAName.MatchString(low) || parsesAsIdentifier(d.text[cell.start:cell.end])) {
				continue
			}
			if office.MatchString(low) || len(low) > 130 {
				break
			}
			if owner := ownerLabel.FindStringIndex(low); owner != nil && owner[0] < 2 {
				all = append(all, r.named(span{cell.start + owner[1], cell.end}, 4.5, "named as the owner")...)
				continue
			}
			all = append(all, r.named(cell, weight, "the address begins with it")...)
			weight -= 2
			if weight < 3 {
				break
			}
		}
	}
	return all
}

func parsesAsIdentifier(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	_, _, _, ok := parseGSTIN(word, true)
	return ok
}

// namesInProse reads "M/s X, address ... (hereinafter referred to as 'the noticee')", and the firms that the notice names.
func (r *reading) namesInProse() (all []candidate) {
	d := r.doc
	for n, m := range proseName.FindAllStringIndex(d.low[:min(r.extent(), d.begin+12_000)], 40) {
		weight, why := 3.2-0.1*float64(min(n, 10)), "a firm that is named"
		if d.contains(span{m[0], min(m[0]+400, len(d.text))}, "noticee", "taxpayer", "tax payer", "hereinafter") {
			weight, why = 4.5, "named as the noticee"
		}
		all = append(all, r.named(d.withinCell(span{m[1], min(m[1]+120, len(d.text))}), weight, why)...)
	}
	for _, m := range matterOf.FindAllStringIndex(d.low[:r.extent()], 3) {
		all = append(all, r.named(span{m[1], min(m[1]+120, len(d.text))}, 5, "in whose matter it is")...)
	}
	return all
}

// withinCell cuts a span at the end of the cell in which it begins, or of its line where that is none of running text.
func (d *document) withinCell(s span) span {
	l := d.lines[d.lineAt(s.start)]
	if !d.isProse(l) {
		s.end = min(s.end, l.end)
	}
	for c, cell := range l.cells {
		if c+1 < len(l.cells) && cell.start <= s.start && s.start < cell.end {
			s.end = min(s.end, cell.end)
		}
	}
	return s
}

var matterOf = lazyregexp.New(`\bin the (?:matter|case) of ?[:.-]* ?`)

// nameBefore is a name in a sentence right before the number: "Ujjwal Ropeways Limited (GSTIN".
var nameBefore = lazyregexp.New(`(?:^|[ ,:(])((?:[A-Z][A-Za-z.&'-]+|&)(?: (?:[A-Z][A-Za-z.&'-]*|and|of|&|\([A-Z][A-Za-z]*\))){1,8})[ ,]*(?:\([^()A-Z]{0,40}\))?[ ,;]*(?:[(\[] ?)?(?:GSTIN|GST|having|holding|bearing|registered|जी|\()[^0-9]{0,30}$`)

// namesBesideGSTIN reads the names that stand above the number of the noticee, or before it on its line.
func (r *reading) namesBesideGSTIN() (all []candidate) {
	d := r.doc
	e, ok := r.facts.Evidence["gstin"]
	if !ok || r.gstinAt.end == 0 || e.Page == 0 {
		return nil
	}
	at := d.lineAt(r.gstinAt.start)
	if m := nameBefore.FindStringSubmatchIndex(d.text[d.lines[max(0, at-1)].start:r.gstinAt.start]); m != nil {
		from := d.lines[max(0, at-1)].start
		all = append(all, r.named(span{from + m[2], from + m[3]}, 3.6, "right before the GSTIN")...)
	}
	for i := max(0, at-5); i <= at+1 && i < len(d.lines); i++ {
		l := d.lines[i]
		if l.page != d.lines[at].page || i >= r.body()+2 || i == 0 && at > 3 {
			continue
		}
		cell := l.cells[0]
		low := d.low[cell.start:cell.end]
		if notAName.MatchString(low) && !honorific.MatchString(low) || dateLabel.MatchString(low) || titleWord.MatchString(low) || office.MatchString(low) || formCode.MatchString(low) {
			continue
		}
		if owner := ownerLabel.FindStringIndex(low); owner != nil && owner[0] < 2 {
			all = append(all, r.named(span{cell.start + owner[1], cell.end}, 4.5, "named as the owner")...)
			continue
		}
		upper, words := 0, 0
		name := r.trimName(cell)
		for word := range strings.FieldsSeq(d.text[name.start:name.end]) {
			words++
			if isUpper(word[0]) && (len(word) < 2 || !isLower(word[1])) {
				upper++
			}
		}
		weight := 2.5
		if upper*2 > words {
			weight = 3.5 // in capitals, as names are typed
		}
		all = append(all, r.named(cell, weight-0.1*float64(max(0, i-at+5)), "beside the GSTIN")...)
	}
	return all
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
	s.start = skipAny(d.low[:s.end], s.start, " .,:;'\"-")
	if m := itemLead.FindStringIndex(d.low[s.start:s.end]); m != nil {
		s.start += m[1]
	}
	if m := partyLead.FindStringIndex(d.low[s.start:s.end]); m != nil && s.start+m[1] < s.end && isUpper(d.text[s.start+m[1]]) {
		s.start += m[1]
	}
	if d.isRecognised(s.start) {
		if m := speck.FindString(d.text[s.start:s.end]); m != "" {
			if at := s.start + len(m); at+2 < s.end && isUpper(d.text[at]) && isUpper(d.text[at+1]) {
				s.start = at
			}
		}
	}
	for {
		m := honorific.FindString(d.low[s.start:s.end])
		if m == "" || sacred.MatchString(m) && !strings.Contains(m, "/") && (firmWord.MatchString(upToComma(d.low[s.start:s.end])) || r.isBody()) {
			break
		}
		s.start += len(m)
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
	for s.start < s.end && strings.IndexByte(" .,:;'\"-", d.text[s.start]) >= 0 {
		s.start++
	}
	low := d.low[s.start:s.end]
	if end := nameEnd.FindStringIndex(low); end != nil {
		low = low[:end[0]]
	}
	if comma := strings.IndexAny(low, ",;"); comma >= 0 {
		low = low[:comma]
	}
	if open := strings.IndexByte(low, '('); open > 2 && !withinName.MatchString(low[open:]) && !upperBracket.MatchString(d.text[s.start+open:s.end]) {
		low = low[:open]
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

// speck is what recognition makes of a ruled line before a name in capitals: "5 BHADRADRI PAPER MILLS", "है KONGU WEAVES".
var speck = lazyregexp.New(`^(?:[0-9a-z]{1,2}|[ऀ-ॿ]{1,3}|[-=_.,:;'"*]{1,3}) `)

func upToComma(low string) string {
	name, _, _ := strings.Cut(low, ",")
	return name
}

// partyLead is what a person is in the matter, before the name in the same cell: "Taxpayer NANDKUMAR LABORATORIES".
var partyLead = lazyregexp.New(`^(?:the )?(?:tax ?payer|noticee|assessee|dealer|registered person|registrant|addressee|(?:goods )?owner(?: of (?:the )?(?:goods|conveyance))?)(?: name)? ?[:,-]? `)

// itemLead is the number before the first of several names.
var itemLead = lazyregexp.New(`^(?:\([0-9a-z]\)|[0-9][.)]) ?`)

// upperBracket is a bracket in the capitals of the name around it, "KONKAN TRADERS (INDIA)".
var upperBracket = lazyregexp.New(`^\([A-Z]{1,12}\)`)

// isBody tells whether the noticee is a company or a firm, as the PAN within the GSTIN tells.
func (r *reading) isBody() bool {
	g := r.facts.GSTIN
	return g != nil && len(*g) == gstinLength && strings.IndexByte("CFTABLJG", (*g)[5]) >= 0
}

// withinName is a bracket that belongs to a name: "(India) Limited", "(P) Ltd".
var withinName = lazyregexp.New(`^\([a-z .]{1,20}\) ?(?:pvt|private|ltd|limited|llp|co\b|company|corp)`)

func isNameLetter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x900 }
