package gst

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	nameLabel  = lazyregexp.New(`^(?:(?:passed |issued )(?:against|to|in respect of) ?[:-]+|(?:legal[ '.]?|full |registered )?name(?: of (?:the )?(?:business|registered person|tax ?payer|tax payer|firm|noticee|dealer|assessee|applicant|person|company|registrant|party|concern))?\b|name and address of (?:the )?(?:tax ?payer|noticee|registered person|dealer)\b|name ?\(legal\)|name ?& ?address\b|(?:the )?(?:tax ?payer|registered person|noticee|registrant|applicant|assessee|dealer|person|claimant|appellant|addressee|party|business entity)(?:'s name)?(?: ?\([^)]{1,30}\))? ?(?:[:=]|$)|नाम(?: ?/ ?name)? ?[:/=-]|करदाता(?: का नाम)? ?[:=])[ :.=-]*`)
	tradeLabel = lazyregexp.New(`(?:\btrade ?-?(?:name|style)(?:,? if any)?|\b(?:business|firm|concern)(?: name)? ?[:=]|व्यापार का नाम|फर्म(?: का नाम)?|\bprop(?:rietor)?(?:ietrix)?\.? (?:of )?m/ ?s\.?|\bproprietor of|carrying on business as|trading as|doing business as|\bd/b/a) ?(?:/ ?trade ?name)? ?[:.=-]* ?`)
	ownerLabel = lazyregexp.New(`^\(?(?:प्रो(?:प|पराइटर)?\.?|स्वामी) ?:? ?|\bprop(?:rietor|rietrix)?\b\.? ?:? ?(?:shri |smt\.? |sh\.? )?|\bthrough its (?:proprietor|owner) `)
	// ownerInBrackets matches the owner after the name of a firm, as in "BUILDING STORES (Prop. Ram Nath)", and
	// captures the owner's name.
	ownerInBrackets = lazyregexp.New(`\((?:prop(?:rietor|rietrix)?\.?|प्रो(?:प|पराइटर|परा\.)?\.?|स्वामी|स्वामिनी) ?[:-]* ?((?:shri |smt\.? |sh\.? |श्री |श्रीमती )?[^()0-9]{4,50})\)`)
	// nameEnd matches words at which a name ends although its line continues, such as "Address" or "GSTIN".
	nameEnd   = lazyregexp.New(`\(? ?trade ?-?name|\baddress\b|\bgst ?in\b|\bgstin|\bdate\b|\(name\)|\(legal\)|\bprop(?:rietor|rietrix)?\b|\bhaving\b|\bholding (?:gst|regis|a )|\bbearing (?:gst|regis|no|uin)|\(hereinafter|\blocated\b|\bsituated\b|\bregistered\b|,? ?\bpan\b|\bcarrying on\b|\btrading as\b|\bdoing business\b|\b[sdwc]/ ?o\b|\bson of\b|\bdaughter of\b|\bwife of\b|\bpartners?\b ?:| / | \| | - |\bd/b/a\b| firm$|\bfor (?:the )?(?:period|years?|financial|f\.?y|months?|tax)\b|[0-9]{2}[a-z]{5}[0-9]{4}`)
	honorific = lazyregexp.New(`^(?:(?:shri|sri|smt)\.?/ ?m/ ?s\.?|m/ ?s\.?|messrs\.?|shri\.?|sri\.?|smt\.?|mrs?\.?|ms\.?|tvl\.?|सर्वश्री|thiru\.?|tmt\.?|kum\.?|dr\.?|m\.s\.|श्रीमती|श्री|मेसर्स|मैसर्स)[ .,]+`)
	// "Sri Venkata Granites" is a firm, "Sri Venkata Rao" a man: sacred matches the title of both, firmWord the word
	// that makes the first a firm.
	sacred    = lazyregexp.New(`^(?:shri|sri|श्री)`)
	firmWord  = lazyregexp.New(`\b(?:traders?|trading|enterprises?|industries|industry|granites?|stores?|mills?|agenc(?:y|ies)|exports?|imports?|works|company|co\.|corporation|pvt|private|limited|ltd|llp|textiles?|sons|brothers|bros|foods?|steels?|metals?|traders|motors?|electricals?|electronics|chemicals?|plastics?|polymers?|packers|packaging|logistics|transports?|carriers|constructions?|builders|developers|infra\w*|associates|services|solutions|technologies|systems|hospital|hotels?|restaurant|jewell?ers|medicals?|pharma\w*|engineering|engineers|fabrics|garments|spices|oils?|tiles|ceramics|cements?|bhandar|udyog|kirana|marbles?|timbers?|agro|farms?|dairy|sweets|provisions?)\b|व्यापार|ट्रेडर्स|एजेन्सी|उद्योग`)
	addressee = lazyregexp.New(`^(?:to|सेवा में ?/? ?(?:to|10|t0)?|प्रति)[ ,.:;-]*$|^[^ ]{1,4} to ?,$`)
	notAName  = lazyregexp.New(`gst ?in|unique id|registration number|^the (?:proprietor|director|partner|manager|managing|principal|authori[sz]ed)|^(?:proprietor|director|partner|manager)s?,?$|^address|^sub|^ref|^\d|^(?:plot|shop|flat|h\.? ?no|door|house|survey|gat|unit) |^date|^din|^pan\b|^e-?mail|^financial year|^f\.?y\b|^tax period|^section|^mob|^phone|^name\b|^जी\.?एस\.?टी|^पता|^मोहल्ला|^ग्राम|^दिनांक|^विषय|^वित्तीय वर्ष`)
	// notWords matches words that do not occur in names, because they belong to sentences or to other labels.
	notWords  = lazyregexp.New(`^(?:the )?(?:appellant|respondent|noticee|taxpayer)$|\b(?:is|are|was|were|has|have|been|you|your|this|that|which|under|payable|section|rules?|act|notice|tax period|financial year|hereby|whereas|amount|conveyance|reference)\b`)
	proseName = lazyregexp.New(`\b(?:m/ ?s\.?|messrs\.?|tvl\.?) ?`)
	office    = lazyregexp.New(`commissioner|superintendent|tax officer|\bofficer\b|commissionerate|department|government|inspector|gsto|division|आयुक्त`)
)

// taxOnly matches a name made up of words for taxes, which is that of an office, such as "CGST & Central Excise".
var taxOnly = lazyregexp.New(`^(?:(?:[csiu]?t?gst|central|state|commercial|goods|services|excise|customs|tax|taxes|audit|and|&)[ ,]*)+$`)

// inCharge matches the label of the person in charge of a vehicle, who is not the addressee.
var inCharge = lazyregexp.New(`(?:person[ -]in[ -]charge|driver|transporter)[^:]{0,30}:? ?$|(?:वाहन|माल) प्रभारी ?:? ?|चालक ?:? ?$`)

// related matches words before the name of another company, such as "subsidiary of" or "supplier M/s": that company is
// not the noticee.
var related = lazyregexp.New(`\b(?:subsidiary|holding company|parent|sister concern|associate|group company|principal|branch|unit|supplier|vendor|buyer|customer|recipient)(?: company)?,? (?:of )?(?:m/ ?s\.? ?)?$`)

// readParties finds the noticee's names, judging each name by all its occurrences together.
func (r *reading) readParties() {
	all := r.names()
	byName := map[string][]int{}
	for i, c := range all {
		byName[plainName(c.value)] = append(byName[plainName(c.value)], i)
	}
	for i := range all {
		c := &all[i]
		noted := r.noteName(all, byName[plainName(c.value)], i)
		r.record(NameQuestion, c.value, noted)
		r.weighLearned(c, NameQuestion, "own", r.judge(NameQuestion, noted).Chances["own"], noted)
		if g := r.gstinAt; g.start >= c.end && g.start-c.end < 14 && strings.Contains(r.doc.low[c.end:g.start], "gst") {
			c.weigh(2, "its GSTIN stands behind it")
		}
		if related.MatchString(r.doc.lowIn(max(0, c.start-40), c.start)) {
			c.weigh(-3, "a company related to the noticee")
		}
		if l := r.doc.lines[r.doc.lineAt(c.start)]; inCharge.MatchString(r.doc.lowIn(max(l.start, c.start-60),
			c.start)) {
			c.weigh(-6, "in charge of the vehicle")
		}
	}
	sorted := r.consider("legal_name", all)
	if won, ok := likeliest(sorted, leastName); ok {
		r.facts.LegalName = ptr(r.nameAt(won.span))
		r.cite("legal_name", won.span)
	} else if won, ok := r.byPAN(sorted); ok {
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

// byPAN returns the only name in the address that agrees with the PAN in a valid GSTIN, if no other name in the
// address does.
func (r *reading) byPAN(sorted []candidate) (won candidate, ok bool) {
	const least, above = -3.5, 6 // lines between the name and the GSTIN
	g := r.facts.GSTIN
	if g == nil || r.facts.GSTINValid == nil || !*r.facts.GSTINValid {
		return candidate{}, false
	}
	d := r.doc
	at := d.lineAt(r.gstinAt.start)
	for _, c := range sorted {
		i := d.lineAt(c.start)
		words := strings.Fields(lowerASCII(r.nameAt(c.span)))
		if c.score < least || d.lines[i].page != d.lines[at].page || !r.heads(i) || i > at+3 || at > i+above ||
			len(words) < 2 {
			continue
		}
		initial := lowerASCII((*g)[6:7])[0]
		fits := firstLetter(words[0]) == initial ||
			strings.IndexByte("PH", (*g)[5]) >= 0 && firstLetter(words[len(words)-1]) == initial
		if !fits || notName(lowerASCII(r.nameAt(c.span))) {
			continue
		}
		if ok && plainName(c.value) != plainName(won.value) {
			return candidate{}, false
		}
		if !ok {
			won, ok = c, true
		}
	}
	return won, ok
}

// leastName is the chance from which a name is accepted as the noticee's.
const leastName = 0.3

// plainName returns a name in lower case, without full stops and commas, so that spellings of it can be compared.
func plainName(name string) string {
	return strings.Join(strings.Fields(strings.NewReplacer(".", " ", ",", " ").Replace(strings.ToLower(name))), " ")
}

// names returns everything that looks like a name: cells, text after their labels, and capitalised words in
// sentences.
func (r *reading) names() []candidate {
	const most = 400
	d := r.doc
	var all []candidate
	seen := map[span]bool{}
	add := func(s span, how string) {
		if s.end <= s.start || len(all) >= most {
			return
		}
		c, ok := r.nameIn(s)
		if !ok || seen[c.span] {
			return
		}
		seen[c.span] = true
		c.how = how
		all = append(all, c)
	}
	for i, l := range d.lines {
		if l.start >= r.extent() {
			break
		}
		prose := d.isProse(l)
		for c, cell := range l.cells {
			if m := itemLead.FindStringIndex(d.low[cell.start:cell.end]); m != nil {
				cell.start += m[1]
			}
			// The sign after the label in the cell to the left.
			cell.start = min(skipAny(d.low, cell.start, " :.=-"), cell.end-1)
			for at := 0; ; {
				label := labelOf(d.low[cell.start+at : cell.end])
				if label == 0 || prose {
					break
				}
				at += label
				add(span{cell.start + at, cell.end}, "behind a label")
			}
			if label := labelOf(d.low[cell.start:cell.end]); label > 0 {
				if cell.start+label >= cell.end && c+1 == len(l.cells) && i+1 < len(d.lines) &&
					d.lines[i+1].page == l.page {
					add(d.lines[i+1].cells[0], "below a label")
				}
			}
			if m := nameInCapitals.FindStringIndex(d.text[cell.start:cell.end]); m != nil && !prose {
				add(span{cell.start + m[1] - 1, cell.end}, "behind a label")
			}
			if m := toLine.FindStringIndex(d.low[cell.start:cell.end]); m != nil && m[1] < cell.end-cell.start {
				add(span{cell.start + m[1], cell.end}, "behind the word To")
			}
			if m := toRole.FindStringIndex(d.low[cell.start:cell.end]); m != nil {
				add(span{cell.start + m[1], cell.end}, "behind an office")
			}
			if m := ownerLabel.FindStringIndex(d.low[cell.start:cell.end]); m != nil && m[0] < 2 {
				add(span{cell.start + m[1], cell.end}, "named as the owner")
			}
			if m := ownerInBrackets.FindStringSubmatchIndex(d.low[cell.start:cell.end]); m != nil && !prose {
				add(span{cell.start + m[2], cell.start + m[3]}, "named as the owner")
			}
			if i < 70 && !prose && (isUpper(d.text[cell.start]) || d.text[cell.start] >= 0x80 ||
				strings.HasPrefix(d.low[cell.start:], "m/s")) {
				add(cell, "begins a cell")
			}
			if g := r.gstinAt; g.end > 0 && cell.start <= g.start && g.end <= cell.end {
				for _, at := range pairSign.FindAllStringIndex(d.low[g.end:cell.end], 2) {
					add(span{g.end + at[1], cell.end}, "in one cell with the GSTIN")
				}
			}
			if at := strings.Index(d.low[cell.start:cell.end], "(name)"); at > 2 {
				add(span{cell.start, cell.start + at}, "before its label")
			}
		}
	}
	for _, m := range proseName.FindAllStringIndex(d.low[:min(r.extent(), d.begin+12_000)], 60) {
		add(d.withinCell(span{m[1], min(m[1]+120, len(d.text))}), "behind M/s")
	}
	for _, m := range matterOf.FindAllStringIndex(d.low[:r.extent()], 3) {
		add(span{m[1], min(m[1]+120, len(d.text))}, "in whose matter it is")
	}
	for _, m := range capitals.FindAllStringIndex(d.text[d.begin:min(r.extent(), d.begin+12_000)], 120) {
		s := span{d.begin + m[0], d.begin + m[1]}
		if l := d.lines[d.lineAt(s.start)]; !d.isProse(l) {
			s.end = min(s.end, l.end)
		}
		add(s, "capitals in a sentence")
	}
	return all
}

// nameInCapitals matches a label that the name follows in capitals without a colon, as text recognition and typewriters
// leave it: "Name SHAKUNTALA KASHYAP".
var nameInCapitals = lazyregexp.New(`^(?:[1-9][.)] ?)?(?:Legal [Nn]ame|Trade [Nn]ame / Name|Name)(?: of (?:the )?(?:[a-z]+ ?){1,3})? [A-Z]`)

// labelOf returns the offset of the value after a short label with a colon, or 0 if there is none.
func labelOf(low string) int {
	const longest = 60
	at := strings.IndexAny(low, ":=")
	if at < 2 || at > longest || strings.Count(low[:at], " ") > 8 {
		return 0
	}
	return skipAny(low, at, " :.=-")
}

// capitals matches a run of capitalised words, such as a name within a sentence.
var capitals = lazyregexp.New(`(?:[A-Z][A-Za-z.&'-]+|&)(?: (?:[A-Z][A-Za-z.&'-]*|and|of|&|\([A-Z][A-Za-z]*\))){1,8}`)

// nameIn extracts a name from a span, and reports whether it looks like one.
func (r *reading) nameIn(s span) (candidate, bool) {
	whole := s
	s = r.trimName(s)
	d := r.doc
	g := r.facts.GSTIN
	government := g != nil && len(*g) == gstinLength && (*g)[5] == 'G'
	if s.end <= s.start || (office.MatchString(d.low[s.start:s.end]) || taxOnly.MatchString(d.low[s.start:s.end])) &&
		!government || hasDigits(d.text[s.start:s.end]) || kindOfCompany.MatchString(d.low[s.start:s.end]) {
		return candidate{}, false
	}
	if government && whole.end > s.end && d.lineAt(whole.end-1) == d.lineAt(s.start) {
		s.end = whole.end // "DIVISIONAL FOREST OFFICER, KARANJIA DIVISION"
	}
	s = r.overTwoLines(s)
	return candidate{span: s, value: strings.ToUpper(strings.Join(strings.Fields(r.nameAt(s)), " "))}, true
}

// kindOfCompany matches words such as "Pvt. Ltd." that end a company's name. They may be far from the rest of the name
// on its line.
var kindOfCompany = lazyregexp.New(`^(?:(?:pvt|private|ltd|limited|llp|company|co)[. ]*)+$`)

func hasDigits(s string) bool {
	return strings.ContainsAny(s, "0123456789") && !firmWord.MatchString(lowerASCII(s))
}

// overTwoLines extends a name that clearly continues on the next line: after "and", or up to its "Limited".
func (r *reading) overTwoLines(s span) span {
	d := r.doc
	i := d.lineAt(s.start)
	if i+1 >= len(d.lines) || d.lines[i+1].page != d.lines[i].page {
		return s
	}
	if value, ok := d.valueBelow(i, s); ok {
		if joined := r.trimName(value); joined.end > joined.start &&
			!office.MatchString(d.low[joined.start:joined.end]) {
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

// valueBelow returns the continuation of a name on the next line: the cell below it, if the name's label has nothing
// more below it, or the capitals before the first comma of an address in small letters.
func (d *document) valueBelow(i int, s span) (span, bool) {
	l, next := d.lines[i], d.lines[i+1]
	c := l.cellOf(s.start)
	text := d.text[s.start:s.end]
	if next.first && !d.recognised[l.page-1] || bodyCorp.MatchString(lowerASCII(text)) ||
		strings.ToUpper(text) != text || !isLatin(text) || l.cells[c].end != s.end {
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
	case m == "" || notAName.MatchString(d.low[cell.start:cell.end]) ||
		nameLabel.MatchString(d.low[cell.start:cell.end]) || tradeLabel.MatchString(d.low[cell.start:cell.end]):
		return span{}, false
	case len(l.cells) > 1 && (len(next.cells) == 1 || bodyCorp.MatchString(lowerASCII(m))) &&
		strings.Trim(rest, " .,)") == "":
		return cell, true
	case strings.HasPrefix(rest, "(") && len(next.cells) == 1,
		strings.HasPrefix(rest, ",") && strings.ToUpper(rest) != rest:
		return span{cell.start, cell.start + len(m)}, true
	}
	return span{}, false
}

// capitalWords matches the words in capitals at the beginning of a line.
var capitalWords = lazyregexp.New(`^(?:(?:[A-Z][A-Z.&'-]+|&)(?: |\b|$))+`)

// isBelow reports whether a name is directly below another and continues it.
func (r *reading) isBelow(part, whole span) bool {
	d := r.doc
	i := d.lineAt(whole.start)
	if d.lineAt(part.start) != i+1 {
		return false
	}
	below, ok := d.valueBelow(i, span{whole.start, d.lines[i].cells[d.lines[i].cellOf(whole.start)].end})
	return ok && below.start <= part.start && part.start < below.end
}

// joinsNames matches "and" or "&" at the end of the first part of a name.
var joinsNames = lazyregexp.New(`(?:\band|&) $`)

var (
	openName    = lazyregexp.New(`(?:\band|&|\bof|-|,)$`)
	companyTail = lazyregexp.New(`^[a-z .&'-]{0,50}\b(?:limited|ltd|llp|pvt\.? ltd|inc|corporation)\b\.?|^[a-z .&'-]{0,60}\b(?:limited|ltd|llp)\b\.?`)
	bodyCorp    = lazyregexp.New(`\b(?:limited|ltd|llp|corporation|society|trust|board|authority|university|bank)\b`)
)

// noteName returns the observations that show whether a name is the noticee's. They are about all places where the name
// occurs: how it is labelled there, and whether it agrees with the PAN in the GSTIN. The fourth letter of a PAN is the
// kind of person (C company, F firm, P individual), and the fifth is the initial of the name.
func (r *reading) noteName(all []candidate, places []int, self int) []string {
	d := r.doc
	o := &observation{}
	trade, legal := false, false
	for _, i := range places {
		c := all[i]
		o.note(c.how)
		line := d.lineAt(c.start)
		l := d.lines[line]
		around := d.observe(c.span)
		for _, what := range around.all {
			if strings.HasPrefix(what, "last ") || strings.HasPrefix(what, "near ") ||
				strings.HasPrefix(what, "left ") || strings.HasPrefix(what, "next ") ||
				strings.HasPrefix(what, "pair ") || strings.HasPrefix(what, "above ") || what == "alone" {
				o.note(what)
			}
		}
		switch {
		case r.heads(line):
			o.note("above the running text")
		case r.inSignature(line):
			o.note("beside the signature")
		default:
			o.note("in the body")
		}
		o.noteIf(line < 3, "in the first lines")
		for k := 1; k <= 3 && line-k >= 0 && d.lines[line-k].page == l.page; k++ {
			for _, cell := range d.lines[line-k].cells {
				if addressee.MatchString(d.low[cell.start:cell.end]) {
					o.note("lines below To: " + strconv.Itoa(k))
				}
			}
		}
		if r.gstinAt.end > 0 {
			switch at := d.lineAt(r.gstinAt.start); {
			case at == line && c.start < r.gstinAt.start:
				o.note("before the GSTIN on its line")
			case at == line:
				o.note("behind the GSTIN on its line")
			case line < at && at-line <= 5 && l.page == d.lines[at].page:
				o.note("lines above the GSTIN: " + strconv.Itoa(at-line))
			case line == at+1:
				o.note("below the GSTIN")
			}
		}
		number := d.lowIn(c.end, c.end+90)
		o.noteIf(r.facts.GSTIN != nil && strings.Contains(number, lowerASCII(*r.facts.GSTIN)), "followed by the GSTIN")
		o.noteIf(containsAny(d.lowIn(c.end, c.end+350), "hereinafter", "the noticee", "the taxpayer") && d.isProse(l),
			"named as the noticee")
		o.noteIf(subjectLine.MatchString(d.low[l.start:l.end]), "in the subject")
		if label := d.lowIn(max(l.start, c.start-40), c.start); tradeLabel.MatchString(label) &&
			!bothNames.MatchString(label) {
			trade = true
		} else if legalLabel.MatchString(label) {
			legal = true
		}
		before := d.lowIn(c.start-60, c.start)
		o.noteIf(otherParty.MatchString(before) && !ownerOfGoods.MatchString(before), "another party")
		o.noteIf(honorific.MatchString(strings.TrimLeft(d.lowIn(c.start-12, c.start), " ")+" "), "behind an honorific")
		o.noteIf(slices.ContainsFunc(all, func(whole candidate) bool {
			return whole.end == c.end && whole.start < c.start &&
				(joinsNames.MatchString(d.low[whole.start:c.start]) || r.isBelow(c.span, whole.span))
		}), "only the end of a name")
	}
	o.noteIf(legal, "labelled as the legal name")
	o.noteIf(trade && !legal, "labelled as a trade name")
	r.noteNameItself(o, all[self])
	o.note("places " + strconv.Itoa(min(len(places), 4)))
	return o.all
}

// noteNameItself adds observations on the words of a name.
func (r *reading) noteNameItself(o *observation, c candidate) {
	low := lowerASCII(r.nameAt(c.span))
	text := r.nameAt(c.span)
	words := strings.Fields(low)
	o.noteIf(len(words) == 1, "one word")
	o.noteIf(len(words) > 5, "many words")
	o.noteIf(strings.ToUpper(text) == text && isLatin(text), "in capitals")
	o.noteIf(!isLatin(text), "not in Latin letters")
	o.noteIf(notName(low), "a word that no name has")
	o.noteIf(hasRank(low), "a rank in it")
	o.noteIf(placeOfOffice.MatchString(low), "a place of an office in it")
	common := 0
	for _, w := range words {
		if strings.Contains(r.doc.text[:min(len(r.doc.text), 20_000)], " "+w+" ") {
			common++                   // occurs elsewhere in small letters
			o.note("in it " + stem(w)) // nothing can be learned from other words: they are names
		}
	}
	o.note("common words " + strconv.Itoa(min(common, 3)))
	firm := firmWord.MatchString(low) || bodyCorp.MatchString(low)
	o.noteIf(firm, "a firm")
	o.noteIf(bodyCorp.MatchString(low), "a company")
	g := r.facts.GSTIN
	if g == nil || len(*g) != gstinLength {
		return
	}
	switch kind := (*g)[5]; kind {
	case 'C':
		o.note("the PAN is a company's: " + strconv.FormatBool(bodyCorp.MatchString(low)))
	case 'F':
		o.note("the PAN is a firm's: " + strconv.FormatBool(firm))
	case 'P', 'H':
		o.note("the PAN is a person's: " + strconv.FormatBool(!firm))
	}
	initial := func(w string) bool { return w != "" && firstLetter(w) == lowerASCII((*g)[6:7])[0] }
	o.noteIf(len(words) > 0 && (initial(words[0]) || initial(words[len(words)-1])), "the PAN has its letter")
}

// firstLetter returns the initial of a word. For a Devanagari word this is the Latin letter with which it is
// transliterated, or 0 if there is none.
func firstLetter(word string) byte {
	if word[0] < 0x80 {
		return word[0]
	}
	first, _ := utf8.DecodeRuneInString(word)
	for latin, letters := range devanagariInitials {
		if strings.ContainsRune(letters, first) {
			return byte(latin)
		}
	}
	return 0
}

// devanagariInitials gives, for each Latin letter, the Devanagari letters that are transliterated with it at the
// beginning of a name.
var devanagariInitials = map[rune]string{'k': "कख", 'g': "गघ", 'c': "चछ", 'j': "जझ", 't': "टठतथ", 'd': "डढदध",
	'n': "नण", 'p': "पफ", 'b': "बभ", 'm': "म", 'y': "य", 'r': "र", 'l': "ल", 'v': "व", 's': "शषस", 'h': "ह", 'a': "अआ",
	'i': "इई", 'u': "उऊ", 'e': "एऐ", 'o': "ओऔ"}

// legalLabel matches the label before the addressee's name.
var legalLabel = lazyregexp.New(`(?:^|[^ऀ-ॿ])नाम[ :.=-]*$|(?:\blegal[ '.]?name|(?:^|\. ?|\) ?)name)(?: of (?:the )?(?:business|registered person|tax ?payer|firm|noticee|dealer|assessee|person|appellant|applicant|claimant|party|concern))?[ :.=-]*$`)

// bothNames matches a label for the legal name and the trade name together.
var bothNames = lazyregexp.New(`name ?[/&,] ?trade`)

// notName reports whether a text has words that do not occur in names.
func notName(low string) bool { return notWords.MatchString(low) || titleWord.MatchString(low) }

// nameAt returns the name in a span, with J and I restored where text recognition read a bracket or an exclamation
// mark.
func (r *reading) nameAt(s span) string {
	name := r.doc.inColumn(s)
	if r.doc.isRecognised(s.start) && !strings.Contains(name, "[") {
		name = strings.NewReplacer("]", "J", "!", "I").Replace(name)
	}
	return name
}

// inColumn returns the words of a span that may continue in the cell below. Cells beside it, in other columns, are left
// out.
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

// pairSign matches a sign between a number and a name, such as the slash in "27AAACB1234C1ZB / Bharat Mills".
var pairSign = lazyregexp.New(`[/,|-] ?`)

// toLine matches "To" at the beginning of the line that says to whom a paper is addressed. The text after it is on the
// same line.
var toLine = lazyregexp.New(`^(?:to|प्रति|प्रेषित|प्रेषिती|सेवा में(?: ?/ ?(?:to|10|t0))?)(?: ?[,.:;-]+ ?| +|$)`)

// toRole matches the role of the addressee before the firm's name, such as "The Proprietor" or "Owner of the goods".
var toRole = lazyregexp.New(`^(?:the )?(?:owner|person in charge|transporter|driver)(?: of (?:the )?(?:goods|conveyance|vehicle))? ?[:,-]? |^(?:the )?(?:proprietor|proprietrix|partners?|directors?|managing (?:director|partner)|manager|authori[sz]ed signatory|principal officer|secretary|karta|trustees?|president)s?(?: of)?(?:,? |,?$)`)

// withinCell cuts a span off at the end of its cell, or of its line unless that is running text.
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

// trimName reduces a span to the name in it, without a title before it and without an address, a second label or
// punctuation after it. Of a name in two scripts it keeps the Latin one.
func (r *reading) trimName(s span) span {
	d := r.doc
	if s.end <= s.start {
		return span{}
	}
	s.start = skipAny(d.low[:s.end], s.start, " .,:;'\"-")
	if m := itemLead.FindStringIndex(d.low[s.start:s.end]); m != nil {
		s.start += m[1]
	}
	if m := partyLead.FindStringIndex(d.low[s.start:s.end]); m != nil && s.start+m[1] < s.end &&
		isUpper(d.text[s.start+m[1]]) {
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
		if m == "" || sacred.MatchString(m) && !strings.Contains(m, "/") &&
			(firmWord.MatchString(upToComma(d.low[s.start:s.end])) || r.isBody()) {
			break
		}
		s.start += len(m)
	}
	if open := strings.IndexByte(d.text[s.start:s.end], '('); open > 0 && !isLatin(d.text[s.start:s.start+open]) {
		s.start += open + 1
		if end := strings.IndexByte(d.text[s.start:s.end], ')'); end >= 0 {
			s.end = s.start + end
		}
	} else if slash := strings.LastIndex(d.text[s.start:s.end], " / "); slash > 0 &&
		!isLatin(d.text[s.start:s.start+slash]) {
		s.start += slash + 3
	}
	if space := strings.IndexByte(d.text[s.start:s.end], ' '); space > 0 && space < 6 &&
		isDigits(d.text[s.start:s.start+space]) && d.isRecognised(s.start) {
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
	if open := strings.IndexByte(low, '('); open > 2 && !withinName.MatchString(low[open:]) &&
		!upperBracket.MatchString(d.text[s.start+open:s.end]) {
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

// speck matches what text recognition makes of a ruled line before a name in capitals, such as "5" in "5 BHADRADRI
// PAPER MILLS" or "है" in "है KONGU WEAVES".
var speck = lazyregexp.New(`^(?:[0-9a-z]{1,2}|[ऀ-ॿ]{1,3}|[-=_.,:;'"*]{1,3}) `)

func upToComma(low string) string {
	name, _, _ := strings.Cut(low, ",")
	return name
}

// partyLead matches the person's role before the name in the same cell, as in "Taxpayer NANDKUMAR LABORATORIES".
var partyLead = lazyregexp.New(`^(?:the )?(?:tax ?payer|noticee|assessee|dealer|registered person|registrant|addressee|(?:goods )?owner(?: of (?:the )?(?:goods|conveyance))?)(?: name)? ?[:,-]? `)

// itemLead matches the number before the first of several names, such as "(1)".
var itemLead = lazyregexp.New(`^(?:\([0-9a-z]\)|[0-9][.)]) ?`)

// upperBracket matches a word in brackets within a name in capitals, such as "(INDIA)" in "KONKAN TRADERS (INDIA)".
var upperBracket = lazyregexp.New(`^\([A-Z]{1,12}\)`)

// isBody reports whether the noticee is a company, a firm or another body, from the PAN in the GSTIN.
func (r *reading) isBody() bool {
	g := r.facts.GSTIN
	return g != nil && len(*g) == gstinLength && strings.IndexByte("CFTABLJG", (*g)[5]) >= 0
}

// withinName matches brackets that belong to a company's name, as in "(India) Limited" and "(P) Ltd".
var withinName = lazyregexp.New(`^\([a-z .]{1,20}\) ?(?:pvt|private|ltd|limited|llp|co\b|company|corp)`)

func isNameLetter(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x900 }
