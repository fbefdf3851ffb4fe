package gst

import (
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	designationLabel  = lazyregexp.New(`^(?:designation|पदनाम)(?: ?/ ?designation)? ?[:.=-]* ?`)
	jurisdictionLabel = lazyregexp.New(`^(?:jurisdiction|office address|क्षेत्राधिकार)(?: ?/ ?jurisdiction)? ?[:.=-]* ?`)
	officerLabel      = lazyregexp.New(`^(?:name of (?:the )?(?:proper )?officer|name|नाम)(?: ?/ ?name)? ?[:.=-]+ ?`)
	rank              = lazyregexp.New(`\b(?:(?:assistant|asstt?\.?|asst\.?|deputy|dy\.?|joint|jt\.?|additional|addl\.?|principal|chief|special|appellate) )*commissioner\b|\bsuperintendent\b|\b(?:assistant |deputy |asst\.? )?(?:state|commercial|sales|gst|income|excise and taxation|excise & taxation|ct & gst|ct and gst) ?(?:tax(?:es)?)?(?: (?:&|and) excise)? officer\b|\bgsto\b|\binspector\b|\btaxation (?:officer|commissioner)\b|\b(?:intelligence|audit|adjudicating|revenue|sector|proper|assessing|enforcement) (?:officer|authority)\b|\b(?:additional|joint|deputy|assistant) director\b|\bappellate authority\b|\bsto\b|\bcto\b|(?:(?:असिस्टेंट|असिस्टेण्ट|डिप्टी|ज्वाइंट|ज्वाइण्ट|ज्वॉइंट|एडिशनल|एडीशनल) )?कमिश्नर|(?:सहायक|उप|संयुक्त|अपर|अतिरिक्त) ?आयुक्त|उपायुक्त|आयुक्त|(?:राज्य[ -]कर|वाणिज्यि?क?[ -]कर|कर) अधिकारी|अधीक्षक|निरीक्षक`)
	notASignature     = lazyregexp.New(`^(?:office|for |o/o|to\b|copy|the |before|c/o|encl|from|sub|ref|कार्यालय|प्रति)|commissionerate|kindly|please|hereby|should|shall|\bby the\b|\bto the\b|\bof the (?:assistant|deputy|joint|additional)|\bappeal\b|for (?:information|necessary action)|;$|\b(?:is|are|was|were|has|have|had) [a-z]+`)
	personName        = lazyregexp.New(`^[\[(]? ?(?:[A-Z][a-z]{1,3}\. ?)?[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){1,4} ?[\])]?,?$|^[\[(][^()]{4,60}[\])]$`)
	// placeOfOffice matches the words for an office in the part of a line that names the officer's place, such as
	// "circle" or "ward".
	placeOfOffice = lazyregexp.New(`\b(?:circle|ward|division|range|charge|zone|sector|unit|commissionerate|ghatak|group|district|bhavan|bhawan|audit|office|camp)\b|वृत्त|खण्ड|मण्डल|वार्ड`)
	taxOfOffice   = lazyregexp.New(`^(?:of )?(?:state|central|commercial) tax(?:es)?$|^(?:c|s|i)?gst$|^goods and services tax$|^राज्य कर$|^group-?[0-9]+$`)
	placeBracket  = lazyregexp.New(`\([^() ]*(?:[a-z]+-[a-z0-9-]*[0-9]|[0-9]-)[^() ]*\)`)
	unitOfOffice  = lazyregexp.New(`^(?:range|group) ?-? ?(?:[0-9]{1,3}|[ivx]{1,5})(?:-?[a-z])?$`)
)

// readOfficer finds the officer who signed among the lines with a rank.
func (r *reading) readOfficer() {
	const most = 80
	d := r.doc
	var all []candidate
	annexed := false
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		annexed = annexed || strings.HasPrefix(low, "annex") && i > 5
		c, ok := r.designationAt(i)
		if !ok || len(all) >= most {
			continue
		}
		noted := r.noteOfficer(c, i, annexed)
		r.record(OfficerQuestion, d.text[c.start:c.end], noted)
		r.weighLearned(&c, OfficerQuestion, "own", r.judge(OfficerQuestion, noted).Chances["own"], noted)
		if where := rank.FindString(d.low[c.start:c.end]); i > r.body() && where != "" && r.headedBy(where) {
			c.weigh(1, "the letterhead names the same rank")
		}
		c.score += 0.001 * float64(min(i, 500)) // of equal candidates the last wins
		all = append(all, c)
	}
	won, ok := best(r.consider("officer", all), logit(leastOfficer), 0)
	if !ok {
		return
	}
	if won.how == "labelled" {
		r.setLabelled(won)
	} else {
		r.setSigned(won)
	}
	r.dividePlace()
}

// headedBy reports whether the letterhead is that of an officer with the rank, as in "Office of the Assistant
// Commissioner".
func (r *reading) headedBy(rank string) bool {
	const top = 8
	d := r.doc
	for _, l := range d.lines[:min(len(d.lines), top, r.body())] {
		low := d.low[l.start:l.end]
		if strings.Contains(low, rank) && (strings.Contains(low, "office of") || strings.Contains(low, "कार्यालय")) {
			return true
		}
	}
	return false
}

// leastOfficer is the chance from which a rank is accepted as that of the officer who signed.
const leastOfficer = 0.3

// designationAt returns the value after a designation's label on a line or, without a label, the part of the line with
// a rank.
func (r *reading) designationAt(i int) (candidate, bool) {
	const longest = 130
	d := r.doc
	l := d.lines[i]
	low := d.low[l.start:l.end]
	if value, ok := d.value(i, designationLabel); ok && hasLetters(d.text[value.start:value.end]) {
		return candidate{span: value, quote: l.span, value: d.text[value.start:value.end], how: "labelled"}, true
	}
	if len(low) > longest || !containsAny(low, rankAnchors...) {
		return candidate{}, false
	}
	at := rank.FindStringIndex(low)
	if at == nil || notASignature.MatchString(low) || d.isProse(l) {
		return candidate{}, false
	}
	piece := r.rankPiece(l, at)
	return candidate{span: piece, quote: l.span, value: d.text[piece.start:piece.end]}, true
}

// dividePlace separates the officer's place from the designation, as in "State Tax Officer, Ward 6".
func (r *reading) dividePlace() {
	o := &r.facts.Officer
	if o.Designation == nil {
		return
	}
	whole := *o.Designation
	designation, place := whole, ""
	if m := placeBracket.FindStringIndex(lowerASCII(whole)); m != nil && m[0] > 0 {
		designation, place = whole[:m[0]], whole[m[0]:]
	} else if first, rest, ok := strings.Cut(whole, ","); ok && rank.MatchString(lowerASCII(first)) {
		second, _, _ := strings.Cut(rest, ",")
		low := strings.TrimSpace(lowerASCII(second))
		switch {
		case taxOfOffice.MatchString(low), unitOfOffice.MatchString(low) && o.Jurisdiction != nil:
			third := strings.TrimPrefix(rest, second)
			designation, place = first+","+second, third
		case placeOfOffice.MatchString(low) || strings.Contains(rest, ",") || o.Jurisdiction == nil:
			designation, place = first, rest
		}
	}
	designation, place = strings.Trim(designation, " .,:;|"), strings.Trim(place, " .,:;|")
	if strings.HasPrefix(place, "(") { // all of it is bracketed, or the end was cut off
		place = strings.Trim(place, " .,:;|()")
	}
	if designation == "" || place == "" {
		o.Designation = ptr(strings.Trim(whole, " ,|"))
		return
	}
	o.Designation = &designation
	if o.Jurisdiction != nil && !strings.Contains(place, *o.Jurisdiction) {
		place += ", " + *o.Jurisdiction
	}
	o.Jurisdiction = &place
}

// setLabelled sets the officer from the labelled designation, and name and place from the lines around it.
func (r *reading) setLabelled(won candidate) {
	d := r.doc
	i := d.lineAt(won.quote.start)
	l := d.lines[i]
	r.setOfficer(&r.facts.Officer.Designation, "officer", won.span)
	for j := max(0, i-3); j < min(len(d.lines), i+4); j++ {
		if d.lines[j].page != l.page {
			continue
		}
		if name, ok := d.value(j, officerLabel); ok && r.facts.Officer.Name == nil && j < i {
			r.setOfficer(&r.facts.Officer.Name, "officer_name", name)
		}
		if place, ok := d.value(j, jurisdictionLabel); ok && r.facts.Officer.Jurisdiction == nil {
			r.setOfficer(&r.facts.Officer.Jurisdiction, "officer_jurisdiction", place)
		}
	}
	if next := i + 1; r.facts.Officer.Jurisdiction == nil && next < len(d.lines) && d.lines[next].page == l.page &&
		d.lines[next].end-d.lines[next].start < 100 {
		r.setOfficer(&r.facts.Officer.Jurisdiction, "officer_jurisdiction", d.lines[next].span)
	}
}

// value returns what is beside the label that begins a cell of the line, or below it if nothing is beside it.
func (d *document) value(i int, label *lazyregexp.Regexp) (span, bool) {
	l := d.lines[i]
	for c, cell := range l.cells {
		m := label.FindString(d.low[cell.start:cell.end])
		if m == "" {
			continue
		}
		switch value := (span{cell.start + len(m), cell.end}); {
		case value.end > value.start:
			if i+1 < len(d.lines) && label == designationLabel && value.end == l.end {
				// "State Tax | Inspector": a rank may continue below.
				next := d.lines[i+1]
				low := d.low[next.start:next.end]
				if next.page == l.page && !next.first && len(low) < 40 && len(next.cells) == 1 &&
					!strings.Contains(low, ":") && (!rank.MatchString(d.low[value.start:value.end]) || low[0] == '(' ||
					openRank.MatchString(d.low[value.start:value.end])) {
					value.end = next.end
				}
			}
			return value, true
		case c+1 < len(l.cells):
			return d.cellBehind(l, c), true
		case i+1 < len(d.lines) && d.lines[i+1].page == l.page && len(l.cells) == 1:
			return d.lines[i+1].cells[0], true
		}
	}
	return span{}, false
}

// cellBehind returns the cell after a label. In recognised text it skips cells that are only a speck, if another one
// follows.
func (d *document) cellBehind(l line, c int) span {
	const speck, most = 4, 3
	if d.recognised[l.page-1] {
		for _, cell := range l.cells[c+1 : min(len(l.cells), c+1+most)] {
			if cell.end-cell.start > speck {
				return cell
			}
		}
	}
	return l.cells[c+1]
}

// openRank matches the end of a line that a rank continues after, such as "of" in "Assistant Commissioner of".
var openRank = lazyregexp.New(`(?:\bof|\band|&|,)$`)

func (r *reading) setOfficer(field **string, name string, s span) {
	from := r.doc.text
	if name == "officer" && !rank.MatchString(lowerASCII(from[s.start:s.end])) {
		from = r.doc.mended // the words of ranks can be corrected, names cannot
	}
	text := strings.Trim(from[s.start:s.end], " .,:;'\"*")
	if text == "" || strings.EqualFold(text, "signature") {
		return
	}
	*field = &text
	r.cite(name, s)
}

// rankAnchors lists words of which every rank has at least one. They are checked first because the pattern is slow.
var rankAnchors = []string{"commissioner", "superintendent", "officer", "authority", "inspector", "director", "sto",
	"cto", "आयुक्त", "पायुक्त", "कमिश्नर", "अधिकारी", "अधीक्षक", "निरीक्षक"}

// noteOfficer returns the observations that show whether a rank is that of the officer who signed.
func (r *reading) noteOfficer(c candidate, i int, annexed bool) []string {
	d := r.doc
	l := d.lines[i]
	low := d.low[l.start:l.end]
	line := func(j int) string {
		if j < 0 || j >= len(d.lines) || d.lines[j].page != l.page && j != i-1 {
			return ""
		}
		return strings.TrimSpace(d.text[d.lines[j].cells[0].start:d.lines[j].cells[0].end])
	}
	isName := func(text string) bool {
		return personName.MatchString(text) && !rank.MatchString(lowerASCII(text)) &&
			!firmWord.MatchString(lowerASCII(text))
	}
	o := d.observe(c.span)
	o.noteIf(c.how == "labelled", "labelled as the designation")
	above, below := line(i-1), line(i+1)
	o.noteIf(strings.HasPrefix(above, "(") && strings.HasSuffix(above, ")") || strings.HasPrefix(above, "["),
		"a name in brackets above it")
	o.noteIf(isName(above), "a name above it")
	o.noteIf(isName(line(i-2)), "a name two lines above it")
	for j, text := range []string{above, line(i - 2), below} {
		for _, w := range stems(lowerASCII(text)) {
			o.note([]string{"line above ", "second line above ", "line below "}[j] + w)
		}
	}
	o.noteIf(strings.HasPrefix(below, "(") && personName.MatchString(below) ||
		strings.HasPrefix(line(i+2), "(") && personName.MatchString(line(i+2)), "a name in brackets below it")
	o.noteIf(c.start > l.start+4, "behind other words on its line")
	o.noteIf(strings.HasSuffix(low, ",") && len(low) > 50, "goes on as an address")
	o.noteIf(i < r.body(), "above the running text")
	o.noteIf(i < 5 && l.page == d.page(d.begin), "in the first lines")
	o.noteIf(i+8 >= len(d.lines) || r.lastProse() < i, "below the running text")
	o.noteIf(l.start < r.leadTop.start, "of the letter around the paper that is to be answered")
	o.noteIf(annexed, "in an annexure")
	o.noteIf(c.end-c.start > 60, "long")
	for j := i + 1; j <= i+12 && j < len(d.lines); j++ {
		if addressee.MatchString(d.low[d.lines[j].start:d.lines[j].end]) {
			o.note("the address stands below it")
		}
	}
	return o.all
}

// lastProse returns the index of the last line of running text.
func (r *reading) lastProse() int {
	if r.proseEnd == 0 {
		d := r.doc
		r.proseEnd = 1
		for i := len(d.lines) - 1; i > 0; i-- {
			if d.isProse(d.lines[i]) {
				r.proseEnd = i
				break
			}
		}
	}
	return r.proseEnd
}

// rankPiece returns the part of the line, between bars and after a name, in which the designation begins.
func (r *reading) rankPiece(l line, at []int) span {
	d := r.doc
	s := l.span
	for _, cell := range l.cells {
		if cell.start <= l.start+at[0] && l.start+at[0] < cell.end {
			s = cell
		}
	}
	if !isLatin(d.text[s.start:s.end]) { // of two languages side by side, take English
		for _, cell := range l.cells {
			if m := rank.FindStringIndex(d.low[cell.start:cell.end]); m != nil && isLatin(d.text[cell.start:cell.end]) {
				return cell
			}
		}
	}
	low := d.low[s.start:s.end]
	rankAt := l.start + at[0] - s.start
	if label := strings.LastIndex(low[:max(0, rankAt)], "designation"); label >= 0 {
		s.start = skipAny(d.low[:s.end], s.start+label+len("designation"), " :.=-/")
	} else if cut := strings.LastIndex(low[:max(0, rankAt)], " - "); cut >= 0 {
		if end := strings.Index(low[rankAt:], " - "); end >= 0 { // "NAME - RANK - PLACE"
			s.end = s.start + rankAt + end
		}
		s.start += cut + len(" - ")
	} else if cut := strings.LastIndexAny(low[:max(0, rankAt)], ",|"); cut >= 0 {
		s.start = skipAny(d.low[:s.end], s.start+cut+1, " ")
	} else if rankAt >= 0 && isLatin(low) { // "Name / rank / place"
		if cut := strings.LastIndex(low[:rankAt], " / "); cut >= 0 {
			if end := strings.Index(low[rankAt:], " / "); end >= 0 {
				s.end = s.start + rankAt + end
			}
			s.start += cut + len(" / ")
		}
	}
	return s
}

// setSigned sets the designation, name and place from the line with the rank and the lines next to it.
func (r *reading) setSigned(won candidate) {
	d := r.doc
	i := d.lineAt(won.start)
	l := d.lines[i]
	designation := d.latinPart(won.span)
	if i+1 < len(d.lines) && d.lines[i+1].page == l.page && designation.end == l.end {
		if m := rankNumber.FindString(d.low[d.lines[i+1].start:d.lines[i+1].end]); m != "" {
			designation.end = d.lines[i+1].start + len(m)
		}
	}
	r.setOfficer(&r.facts.Officer.Designation, "officer", designation)
	setName := func(s span) {
		name := d.latinPart(s)
		for name.start < name.end && strings.IndexByte("([ ", d.text[name.start]) >= 0 {
			name.start++
		}
		for name.end > name.start && strings.IndexByte(")] ,|", d.text[name.end-1]) >= 0 {
			name.end--
		}
		if lead := honorific.FindString(d.low[name.start:name.end]); lead != "" {
			name.start += len(lead)
		}
		r.setOfficer(&r.facts.Officer.Name, "officer_name", name)
	}
	isName := func(s string) bool {
		return personName.MatchString(s) || strings.HasPrefix(s, "(") || strings.HasPrefix(s, "[")
	}
	var below *line
	if i+1 < len(d.lines) && d.lines[i+1].page == l.page {
		below = &d.lines[i+1]
	}
	switch {
	case won.start > l.start+4:
		first, _, _ := strings.Cut(d.text[l.start:won.start], ",")
		first, _, _ = strings.Cut(first, "|")
		first, _, _ = strings.Cut(first, " / ")
		first, _, _ = strings.Cut(first, " - ")
		at := l.start
		if m := officerLabel.FindString(lowerASCII(first)); m != "" {
			at += len(m)
		}
		setName(span{at, l.start + len(first)})
	case i > 0 && isName(d.text[d.lines[i-1].start:d.lines[i-1].end]):
		setName(d.lines[i-1].span)
	default:
		for j := i + 1; j <= min(len(d.lines)-1, i+2); j++ {
			if text := d.text[d.lines[j].start:d.lines[j].end]; strings.HasPrefix(text, "(") &&
				personName.MatchString(text) {
				setName(d.lines[j].span)
			}
		}
	}
	if below != nil && below.end-below.start < 100 && !addressee.MatchString(d.low[below.start:below.end]) &&
		!strings.HasPrefix(d.low[below.start:], "copy") && !strings.HasPrefix(d.low[below.start:], "(") &&
		len(d.datesIn(below.span)) == 0 && !answerWord.MatchString(d.low[below.start:below.end]) {
		r.setOfficer(&r.facts.Officer.Jurisdiction, "officer_jurisdiction", d.latinPart(below.span))
	}
}

// rankNumber matches the end of a rank that stands on the next line, such as "(Audit)-4.3".
var rankNumber = lazyregexp.New(`^\([a-z. &]{2,24}\) ?- ?[0-9]{1,2}(?:\.[0-9]{1,2})?`)

// latinPart returns the English half of "सहायक आयुक्त / Assistant Commissioner".
func (d *document) latinPart(s span) span {
	text := d.text[s.start:s.end]
	if slash := strings.LastIndex(text, " / "); slash > 0 && !isLatin(text[:slash]) && isLatin(text[slash+3:]) {
		return span{s.start + slash + 3, s.end}
	}
	return s
}

func hasLetters(s string) bool { return strings.IndexFunc(s, isNameLetter) >= 0 }
