package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

var (
	// dateLabel names the date right behind it as that of the paper.
	dateLabel = lazyregexp.New(`(?:\bdate (?:and time )?of (?:the )?(?:issue|issuance|notice|order|intimation|communication|memo|letter|this [a-z]+)|\b(?:issue|order|notice|letter|intimation|scn|document) date|\b(?:issued|generated|passed|drawn|despatched|dispatched|given)(?: under (?:my|our) hand(?: and seal)?)?(?: on)?|\bdated?|\bdt|\bon this|\bthis|दिनांक|दिनाँक|दि\.|तारीख|तिथि|dinank|tarikh)(?:,? (?:of|the|on|this|at|issue|[a-z]{3,15},?))?[ /]*(?:dated?)?[ .:=,'|-]*(?:the |this )*$`)
	// otherDate are words of dates that belong to something else.
	otherDate = lazyregexp.New(`hearing|\bprint|by which|\bdue\b|last (?:date|day)|acknowledg|appl(?:ication|ied)|\barn\b|earlier|scn ref|notice ref|demand order|demand id|notification|circular|signature not|statement|invoice|\bvide\b|your|drc ?-? ?01a (?:no|ref|dated)|visit|\breturns?\b|effective|\bfrom\b|\bfiled\b|\bfiling\b|registration date|date of (?:registration|liability|birth|supply|inspection|detention|payment|deposit|arrest|receipt|search)|report|authori[sz]ation|inspect|\bsupply|period|\bto date|valid|expir|\brepl(?:y|ies)\b|respon[ds]|submi|compliance|\bpaid|payment|deposit|debit|challan|bank|contract|e-?mail|joined|सुनवाई|उत्तर|जवाब|अंतिम|अन्तिम|आवेदन|निरीक्षण`)
	// ownNumber is what may stand before the label: nothing, the paper's own number, a place.
	ownNumber = lazyregexp.New(`^$|\b(?:no|number|din|rfn|reference|ref|place|id|gstin|f\.?y)\b|संख्या|पत्रांक|क्रमांक|क्र\.|स्थान|[a-z0-9()&._-]+/[a-z0-9()/&._ -]+$|z[a-z]?[0-9]{8,}|^\(?[a-z0-9]{1,3}[.)]$|^(?:new )?[a-z]{3,18},?$`)
	placeBare = lazyregexp.New(`^[ |/,-]*[a-zऀ-ॿ()][a-zऀ-ॿ() .-]{2,28}[,:] ?(?:the |dated )?$`)
	// numberBefore is a number of the portal or of an office right before the value.
	numberBefore = lazyregexp.New(`(?:\bz[a-z][0-9]{10,13}[a-z0-9]?|[a-z0-9()&._-]+/[a-z0-9()&._-]*/[a-z0-9()/&._-]+) ?[|,/-]? ?$`)
	portalWord   = lazyregexp.New(`\bz[a-z][0-9]{10,13}[a-z0-9]?\b|\b20[12][0-9]{5}[a-z]{2}[0-9a-z]{10}\b|[a-z0-9()&._-]+/[a-z0-9()/&._-]+`)
)

var (
	// pastEvent ends in what was done on the day that follows. What was fixed for a day may be still to come.
	pastEvent = lazyregexp.New(`\b(?:was|were|been) (?:[a-z]+ly )?(?:issued|uploaded|presented|filed|heard|held|visited|intercepted|inspected|detained|seized|paid|received|recorded|conducted|begun|completed|served|submitted|furnished|passed|cancelled)(?: [a-z0-9-]+){0,3} on (?:the )?$`)
	// doneOn is a label of the day on which something was done: "Detained by MOV-06 on".
	doneOn = lazyregexp.New(`^[a-z]{3,}ed\b[^:]{0,40}\bon ?:?$`)
)

// dayWord is a word of labels of dates.
var dayWord = lazyregexp.New(`\b(?:date|dated|dt|by|due|day|before)\b|दिनांक|तिथि|तारीख`)

// readIssueDate weighs every date of the first pages as that of the paper itself.
func (r *reading) readIssueDate() {
	const most = 400
	d := r.doc
	var all []candidate
	dates := d.datesIn(span{d.begin, r.extent()})
	for _, date := range dates[:min(len(dates), most)] {
		all = append(all, r.weighIssue(date))
	}
	r.preferLead(all)
	r.notBeforeEvents(all)
	// The same day at the head and beside the signature is one finding, and a stronger one.
	for i := range all {
		for j := range all {
			if i != j && all[i].value == all[j].value && all[j].score >= 2 && all[i].score >= 2 {
				all[i].weigh(1, "printed twice as the paper's own")
				break
			}
		}
	}
	all = append(all, r.withoutStrokes()...)
	won, ok := best(r.consider("issue_date", all), 3.4, 0.9)
	if !ok {
		r.offer("issue_date")
		return
	}
	r.issued = law.ParseDay(won.value)
	r.facts.IssueDate = &won.value
	r.cite("issue_date", won.quote)
}

// withoutStrokes gives, for a person to choose, the day of a label whose strokes recognition lost, "Date: 23022076", where the
// portal's number has the same month: its year is then that of the number.
func (r *reading) withoutStrokes() []candidate {
	if !r.hasPortalReference() {
		return nil
	}
	month := (*r.facts.Reference)[4:8]
	d := r.doc
	var all []candidate
	for _, m := range bareDate.FindAllStringSubmatchIndex(d.low[d.begin:r.extent()], 3) {
		at := d.begin + m[2]
		if digits := d.low[at : at+8]; digits[2:4] == month[:2] {
			if day := law.ParseDay("20" + month[2:] + "-" + digits[2:4] + "-" + digits[:2]); !day.IsZero() {
				c := candidate{span: span{at, at + 8}, quote: span{d.begin + m[0], at + 8}, value: day.ISO()}
				c.weigh(1, "labelled as the date, without its strokes, of the month in the portal's number")
				all = append(all, c)
			}
		}
	}
	return all
}

var bareDate = lazyregexp.New(`\b(?:date|dated|dt)\b[ .:=]*([0-9]{8})\b`)

// notBeforeEvents speaks against days before one on which something has been done that the paper tells of.
func (r *reading) notBeforeEvents(all []candidate) {
	d := r.doc
	var last string
	for _, c := range all {
		s := d.around(c.span)
		if d.isRecognised(c.start) || !pastEvent.MatchString(s.before) && !(s.alone && doneOn.MatchString(strings.TrimSpace(s.left))) {
			continue
		}
		last = max(last, c.value)
	}
	for i := range all {
		if all[i].value < last {
			all[i].weigh(-5, "before a day on which something was done that it tells of")
		}
	}
}

// preferLead takes the date of the paper that is to be answered, where it has one, rather than that of the letter around it.
func (r *reading) preferLead(all []candidate) {
	const least = 4
	in := func(c candidate) bool { return r.leadTop.start <= c.start && c.start < r.leadTop.end }
	if !slices.ContainsFunc(all, func(c candidate) bool { return in(c) && c.score >= least }) {
		return
	}
	for i := range all {
		switch {
		case in(all[i]) && all[i].score > 0:
			all[i].weigh(1.5, "in the paper that is to be answered")
		case all[i].start < r.leadTop.start && r.form != nil:
			all[i].weigh(-3, "in the letter around the paper that is to be answered")
		}
	}
}

func (r *reading) weighIssue(date dated) candidate {
	d := r.doc
	s := d.around(date.span)
	l := d.lines[s.line]
	near := l.beside(date.start)
	c := candidate{span: date.span, quote: span{max(l.start, date.start-len(s.own)), date.end}, value: date.day.ISO()}
	label := strings.TrimLeft(s.label(), " ")
	prose := d.isProse(l) && strings.Count(s.before, " ") > 6
	if titleWord.MatchString(s.left) && !dayWord.MatchString(s.left) {
		label = strings.TrimLeft(s.own, " ") // a title stands to the left, which names no date
	}
	m := dateLabel.FindStringIndex(label)
	last := withoutNumbers(label[max(0, len(label)-60):])
	switch {
	case m != nil && otherDate.MatchString(last):
		c.weigh(-4, "labelled as another date")
	case m != nil:
		c.weigh(3, "labelled as the date")
		switch lead := strings.TrimRight(strings.TrimSpace(label[:m[0]]), ",.:;|/-"); {
		case lead == "" || ownNumber.MatchString(lead):
			c.weigh(1.5, "the label stands with the paper's own number or place, or alone")
		case strings.Count(lead, " ") > 3:
			c.weigh(-2, "a sentence stands before the label")
		}
	case otherDate.MatchString(last):
		c.weigh(-4, "labelled as another date")
	case s.alone && dateLabel.MatchString(s.above) && !otherDate.MatchString(s.above):
		c.weigh(4, "the column head above it names the date")
	case s.alone && doneOn.MatchString(strings.TrimSpace(s.left)):
		c.weigh(-4, "labelled as the day on which something was done")
	case s.alone && otherDate.MatchString(s.above):
		c.weigh(-4, "the column head above it names another date")
	case date.start-l.start < 3 && l.end-l.start < 60 && portalWord.MatchString(d.lowIn(date.end, near.end)):
		c.weigh(2, "opens the line of the paper's number")
	case numberBefore.MatchString(s.own) && !prose:
		c.weigh(2.5, "right behind the paper's number")
	case s.alone && portalWord.MatchString(d.lowIn(near.start, date.start)+d.lowIn(date.end, near.end)):
		c.weigh(2.5, "alone in its cell beside the paper's number")
	case s.alone:
		c.weigh(2, "alone in its cell")
	case placeBare.MatchString(s.own) && !prose:
		c.weigh(2, "behind the name of a place")
	}
	if s.own != "" && otherDate.MatchString(s.left) && len(s.left) < 40 {
		c.weigh(-2, "its row is of another paper")
	}
	if m == nil || c.score <= 0 {
	} else if i := s.line; i > 0 && !isUpper(d.text[l.start]) && otherDate.MatchString(tailOf(d.lowIn(d.lines[i-1].start, d.lines[i-1].end))) && !d.lines[i].first && d.isProse(d.lines[i-1]) {
		c.weigh(-4, "the line above speaks of another paper")
	}
	if r.inColumnOfDates(s.line, date) {
		c.weigh(-5, "in a column of dates")
	}
	if r.unreadLabel(s.line) {
		c.weigh(-6, "the paper's own date stands elsewhere and cannot be read")
	}
	closes := (s.line >= r.body() || 2*s.line > len(d.lines)) && r.closesPaper(date)
	switch {
	case closes:
		c.weigh(max(6-c.score, 2), "the closing words name the day")
	case s.line < r.body() && date.start < d.head().end:
		c.weigh(2, "above the running text")
	case r.inSignature(s.line):
		c.weigh(1.5, "beside the signature")
	default:
		c.weigh(-2, "in the body")
	}
	if rest := d.lowIn(near.start, date.start) + d.lowIn(date.end, near.end); portalWord.MatchString(rest) && !otherPaper.MatchString(rest) && !prose {
		c.weigh(1, "on the line of the paper's number")
	}
	if number := r.facts.Reference; number != nil && !closes && d.contains(near, lowerASCII(*number)) {
		c.weigh(1, "beside the number that is the paper's own")
	}
	if prose && !closes {
		c.weigh(-2, "in a sentence")
	}
	if strings.Contains(label, "digitally signed") || strings.Contains(d.lowIn(near.start, date.start), "digitally") || strings.Contains(d.lowIn(date.end, near.end), " ist") {
		c.weigh(-2.5, "the date of a digital signature")
	}
	r.weighMonth(&c, date)
	return c
}

// closesPaper tells whether the sentence that ends with a date says of the paper itself, in words that have no subject, that it
// was made on that day: "Given under my hand at Pune this 4th day of May, 2026."
func (r *reading) closesPaper(date dated) bool {
	d := r.doc
	s := d.sentence(date.start)
	before := strings.TrimSpace(d.lowIn(max(s.start, date.start-140), date.start))
	after := strings.TrimLeft(d.lowIn(date.end, min(s.end, date.end+40)), " .,)")
	return madeSo.MatchString(before) && !otherDate.MatchString(before) && !answerWord.MatchString(before) && (after == "" || strings.HasPrefix(after, "at ") || strings.HasPrefix(after, "under ") || !isProse(after))
}

// isProse tells whether words go on as a sentence does.
func isProse(low string) bool { return strings.Count(low, " ") > 3 && !strings.HasPrefix(low, "(") }

// madeSo begins the closing words of a paper.
var madeSo = lazyregexp.New(`^(?:\(?[0-9a-z]{1,3}[.)] ?)?(?:this (?:order|notice|summons) is )?(?:given|issued|pronounced|passed|signed|sealed|announced|delivered|dictated|executed)\b(?: (?:and|&) [a-z]+)?(?: (?:in|under|at|by|with|from|on|this|to-?day|the|my|our|hand|hands|and|seal|of|open|court|office|authority|[a-z]{3,15},?)){0,14}[ ,:]*(?:the|this|dated)?$`)

// inColumnOfDates tells whether dates stand right above or below a date, as in a list of invoices.
func (r *reading) inColumnOfDates(line int, date dated) bool {
	d := r.doc
	l := d.lines[line]
	if len(l.cells) < 3 {
		return false
	}
	c := 0
	for c+1 < len(l.cells) && l.cells[c+1].start <= date.start {
		c++
	}
	near := 0
	for _, j := range [...]int{line - 2, line - 1, line + 1, line + 2} {
		if j < 0 || j >= len(d.lines) || d.lines[j].page != l.page || len(d.lines[j].cells) < 3 {
			continue
		}
		for k, at := range d.lines[j].at {
			if at.start < l.at[c].end && l.at[c].start < at.end && len(d.datesIn(d.lines[j].cells[k])) == 1 {
				near++
			}
		}
	}
	return near > 1
}

// tailOf gives the last words of a line.
func tailOf(low string) string { return low[max(0, len(low)-50):] }

// weighMonth compares a date with the month that the portal's number or the DIN carries.
func (r *reading) weighMonth(c *candidate, date dated) {
	doubt := -1.0
	if r.doc.isRecognised(date.start) {
		doubt = -3
	}
	if r.hasPortalReference() {
		if (*r.facts.Reference)[4:8] == date.day.Format("0106") {
			c.weigh(1.5, "of the month in the portal's number")
		} else {
			c.weigh(doubt, "not of the month in the portal's number")
		}
		return
	}
	if din := r.facts.DIN; din != nil && len(*din) == 20 && strings.HasPrefix(*din, "20") {
		made := law.ParseDay((*din)[:4] + "-" + (*din)[4:6] + "-01")
		switch {
		case made.IsZero():
		case !date.day.Before(made.AddMonths(-1)) && date.day.Before(made.AddMonths(2)):
			c.weigh(1, "near the month in the DIN")
		default:
			c.weigh(doubt, "far from the month in the DIN")
		}
	}
}

// unreadDated is a date that is labelled as the paper's own.
var unreadDated = lazyregexp.New(`(?:^|[^a-z])(?:date(?: of (?:issue|notice|order|intimation))?|dated|dt)(?: ?[.:=]+ ?| )([0-9a-z]{1,3}(?: ?[./-] ?| )[0-9a-z]{1,9}(?: ?[./-] ?|[ ,]+)[0-9a-z]{2,4})(?:[^0-9a-z]|$)`)

// unreadLabel tells whether above the line stands the paper's own date, spoilt: another one further down is not it.
func (r *reading) unreadLabel(line int) bool {
	if r.unreadAt == 0 {
		r.unreadAt = len(r.doc.lines) + 1
		d := r.doc
		for i, l := range d.lines[:min(len(d.lines), r.body())] {
			low := d.low[l.start:l.end]
			m := unreadDated.FindStringSubmatchIndex(low)
			if m == nil || !strings.ContainsAny(low[m[2]:m[3]], "0123456789") || otherDate.MatchString(withoutNumbers(low)) || !ownNumber.MatchString(strings.TrimSpace(low[:m[0]])) && m[0] > 0 {
				continue
			}
			if len(d.datesIn(span{l.start + m[2], l.start + m[2] + 1})) == 0 {
				r.unreadAt = i + 1
				break
			}
		}
	}
	return line+1 > r.unreadAt
}

// withoutNumbers leaves out an office's numbers, "CT/2026/DRC-01A/0917", whose
// parts are no words of the line.
func withoutNumbers(low string) string {
	if strings.Count(low, "/") < 2 {
		return low
	}
	words := strings.Split(low, " ")
	for i, w := range words {
		if strings.Count(w, "/") >= 2 && strings.ContainsAny(w, "0123456789") {
			words[i] = ""
		}
	}
	return strings.Join(words, " ")
}
