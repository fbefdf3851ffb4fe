package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// leastIssued is the chance from which a day is accepted as that of the paper.
const leastIssued = 0.55

// readIssueDate finds the date of the paper itself among the dates of the first pages.
func (r *reading) readIssueDate() {
	const most = 400
	d := r.doc
	dates := d.datesIn(span{d.begin, r.extent()})
	dates = dates[:min(len(dates), most)]
	told := r.lastEvent(dates)
	var all []candidate
	for _, date := range dates {
		if date.day.Before(told) {
			continue // before a day on which, according to the paper, something was done
		}
		noted := r.noteIssue(date, dates)
		r.record(IssueQuestion, date.day.ISO(), noted)
		l := d.lines[d.lineAt(date.start)]
		c := candidate{span: date.span, quote: span{max(l.start, date.start-len(d.around(date.span).own)), date.end},
			value: date.day.ISO()}
		r.weighLearned(&c, IssueQuestion, "own", r.judge(IssueQuestion, noted).Chances["own"], noted)
		if r.isOrder() && noticeBefore.MatchString(d.around(date.span).left) {
			c.weigh(-6, "the day of the notice before the order")
		}
		if slices.Contains(noted, closingDay) {
			c.weigh(5, "what the paper says of itself")
		}
		if low := d.low[l.start:l.end]; d.isMail() && mailDay.MatchString(low) {
			c.weigh(4, "the day of a mail")
		}
		all = append(all, c)
	}
	all = append(all, r.withoutStrokes()...)
	won, ok := best(r.consider("issue_date", all), logit(leastIssued), 0.5)
	if !ok {
		r.offer("issue_date")
		return
	}
	r.issued = law.ParseDay(won.value)
	r.facts.IssueDate = &won.value
	r.cite("issue_date", won.quote)
}

// noticeBefore matches the label of the notice that preceded an order.
var noticeBefore = lazyregexp.New(`\b(?:scn|show[ -]cause notice|notice)\b.{0,30}\b(?:no|number|ref\w*|date[d]?)\b`)

var (
	mailDay    = lazyregexp.New(`^(?:date|sent)\b ?:?`)
	mailHeader = lazyregexp.New(`^(from|to|cc|subject|date|sent)(?: ?:|\b.*@)`)
)

// isMail reports whether the paper begins with the headers of an e-mail.
func (d *document) isMail() bool {
	const top, least = 14, 3
	seen := map[string]bool{}
	for _, l := range d.lines[:min(len(d.lines), top)] {
		if m := mailHeader.FindStringSubmatch(d.low[l.start:l.end]); m != nil {
			seen[m[1]] = true
		}
	}
	return len(seen) >= least
}

// closingDay is the observation that the paper's closing words name a day.
const closingDay = "the closing words name the day"

// noteIssue returns the observations that show whether a date is that of the paper: the words around it, its
// position, the number beside it, the month in the paper's numbers, and its relation to the other dates.
func (r *reading) noteIssue(date dated, dates []dated) []string {
	d := r.doc
	o := d.observe(date.span)
	i := d.lineAt(date.start)
	l := d.lines[i]
	near := l.beside(date.start)
	in := func(s span) bool { return s.start <= date.start && date.start < s.end }
	switch {
	case (i >= r.body() || 2*i > len(d.lines)) && r.closesPaper(date):
		o.note(closingDay)
	case i < r.body() && date.start < d.head().end:
		o.note("above the running text")
	case r.inSignature(i):
		o.note("beside the signature")
	default:
		o.note("in the body")
	}
	switch {
	case r.leadTop.end == 0:
	case in(r.leadTop):
		o.note("at the head of the paper that is to be answered")
	case date.start < r.leadTop.start && r.form != nil:
		o.note("in the letter around the paper that is to be answered")
	}
	before := d.around(date.span).own
	o.noteIf(dateLabel.MatchString(before) && !otherDate.MatchString(withoutNumbers(before)),
		"labelled as the paper's date")
	o.noteIf(r.inColumnOfDates(i, date), "in a column of dates")
	o.noteIf(r.inReferences(i), "in a list of references")
	o.noteIf(r.unreadLabel(i), "the paper's own date stands elsewhere and cannot be read")
	rest := d.lowIn(near.start, date.start) + d.lowIn(date.end, near.end)
	o.noteIf(portalWord.MatchString(rest) && !d.isProse(l), "on the line of a number")
	o.noteIf(portalWord.MatchString(rest) && d.isProse(l), "beside a number in a sentence")
	if number := r.facts.Reference; number != nil {
		o.noteIf(d.contains(near, lowerASCII(*number)), "beside the paper's number")
	}
	same, earlier, later := 0, 0, 0
	for _, other := range dates {
		switch {
		case other.start == date.start:
		case other.day.Equal(date.day.Time):
			same++
		case other.day.Before(date.day):
			earlier++
		default:
			later++
		}
	}
	o.noteIf(same > 0, "printed again")
	o.noteIf(earlier == 0 && later > 0, "the first of all days")
	o.noteIf(later == 0 && earlier > 0, "the last of all days")
	o.noteIf(later > 0 && later < 3, "few days after it")
	o.noteIf(i < 12, "among the first lines")
	r.noteMonth(o, date)
	return o.all
}

// noteMonth compares a date with the month in the portal number or the DIN.
func (r *reading) noteMonth(o *observation, date dated) {
	if r.hasPortalReference() {
		if (*r.facts.Reference)[4:8] == date.day.Format("0106") {
			o.note("of the month in the portal's number")
		} else {
			o.note("not of the month in the portal's number")
			o.noteIf(r.doc.isRecognised(date.start), "recognised, and not of the month in the portal's number")
		}
	}
	if din := r.facts.DIN; din != nil && len(*din) == 20 && strings.HasPrefix(*din, "20") {
		if made := law.ParseDay((*din)[:4] + "-" + (*din)[4:6] + "-01"); !made.IsZero() {
			near := !date.day.Before(made.AddMonths(-1)) && date.day.Before(made.AddMonths(2))
			o.noteIf(near, "near the month in the DIN")
			o.noteIf(!near, "far from the month in the DIN")
		}
	}
}

// lastEvent returns the last day on which, according to the text, something was done.
func (r *reading) lastEvent(dates []dated) (last day) {
	for _, date := range dates {
		before := r.doc.around(date.span).before
		if !r.doc.isRecognised(date.start) && pastEvent.MatchString(before) && date.day.After(last) {
			last = date.day
		}
	}
	return last
}

// pastEvent matches words that end in what was done on the day that follows. What was fixed for a day may be still to
// come.
var pastEvent = lazyregexp.New(`\b(?:was|were|been) (?:[a-z]+ly )?(?:issued|uploaded|presented|filed|heard|held|visited|intercepted|inspected|detained|seized|paid|received|recorded|conducted|begun|completed|served|submitted|furnished|passed|cancelled)(?: [a-z0-9-]+){0,3} on (?:the )?$`)

// withoutStrokes returns, for a person to choose from, dates whose slashes recognition lost, "Date: 23022076", if the
// month is that of the portal number. The year is then taken from that number.
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
				c.weigh(-1, "labelled as the date, without its strokes, of the month in the portal's number")
				all = append(all, c)
			}
		}
	}
	return all
}

var bareDate = lazyregexp.New(`\b(?:date|dated|dt)\b[ .:=]*([0-9]{8})\b`)

var (
	// dateLabel matches words that label the date directly after them as that of the paper.
	dateLabel = lazyregexp.New(`(?:\bdate (?:and time )?of (?:the )?(?:issue|issuance|notice|order|intimation|communication|memo|letter|this [a-z]+)|\b(?:issue|order|notice|letter|intimation|scn|document) date|\b(?:issued|generated|passed|drawn|despatched|dispatched|given)(?: under (?:my|our) hand(?: and seal)?)?(?: on)?|\bdated?|\bdt|\bon this|\bthis|दिनांक|दिनाँक|दि\.|तारीख|तिथि|dinank|tarikh)(?:,? (?:of|the|on|this|at|issue|[a-z]{3,15},?))?[ /]*(?:dated?)?[ .:=,'|-]*(?:the |this )*$`)
	// otherDate matches words of dates that belong to something else.
	otherDate = lazyregexp.New(`hearing|\bprint|by which|\bdue\b|last (?:date|day)|acknowledg|appl(?:ication|ied)|\barn\b|earlier|scn ref|notice ref|demand order|demand id|notification|circular|signature not|statement|invoice|\bvide\b|your|drc ?-? ?01a (?:no|ref|dated)|visit|\breturns?\b|effective|\bfrom\b|\bfiled\b|\bfiling\b|registration date|date of (?:registration|liability|birth|supply|inspection|detention|payment|deposit|arrest|receipt|search)|report|authori[sz]ation|inspect|\bsupply|period|\bto date|valid|expir|\brepl(?:y|ies)\b|respon[ds]|submi|compliance|\bpaid|payment|deposit|debit|challan|bank|contract|e-?mail|joined|सुनवाई|उत्तर|जवाब|अंतिम|अन्तिम|आवेदन|निरीक्षण`)
	// ownNumber matches what may be before the label: nothing, the paper's own number, a place.
	ownNumber  = lazyregexp.New(`^$|\b(?:no|number|din|rfn|reference|ref|place|id|gstin|f\.?y)\b|संख्या|पत्रांक|क्रमांक|क्र\.|स्थान|[a-z0-9()&._-]+/[a-z0-9()/&._ -]+$|z[a-z]?[0-9]{8,}|^\(?[a-z0-9]{1,3}[.)]$|^(?:new )?[a-z]{3,18},?$`)
	portalWord = lazyregexp.New(`\bz[a-z][0-9]{10,13}[a-z0-9]?\b|\b20[12][0-9]{5}[a-z]{2}[0-9a-z]{10}\b|[a-z0-9()&._-]+/[a-z0-9()/&._-]+`)
)

// dayWord matches words in labels of dates.
var dayWord = lazyregexp.New(`\b(?:date|dated|dt|by|due|day|before)\b|दिनांक|तिथि|तारीख`)

// closesPaper reports whether the sentence that ends with a date says of the paper, named or not, that it was made on
// that day: "Given under my hand at Pune this 4th day of May, 2026."
func (r *reading) closesPaper(date dated) bool {
	d := r.doc
	s := d.sentence(date.start)
	before := strings.TrimSpace(d.lowIn(max(s.start, date.start-140), date.start))
	before = namesItself.ReplaceAllString(before, "$1")
	after := strings.TrimLeft(d.lowIn(date.end, min(s.end, date.end+40)), " .,)")
	return madeSo.MatchString(before) && !otherDate.MatchString(before) && !answerWord.MatchString(before) &&
		(after == "" || strings.HasPrefix(after, "at ") || strings.HasPrefix(after, "under ") || !isProse(after))
}

// isProse reports whether words continue like a sentence.
func isProse(low string) bool { return strings.Count(low, " ") > 3 && !strings.HasPrefix(low, "(") }

// namesItself matches the paper itself as the subject of its closing words.
var namesItself = lazyregexp.New(`^(\(?[0-9a-z]{1,3}[.)] ?)?this (?:order|notice|summons|report|letter|intimation) `)

// madeSo matches the beginning of the closing words of a paper.
var madeSo = lazyregexp.New(`^(?:\(?[0-9a-z]{1,3}[.)] ?)?(?:(?:is )?(?:given|issued|pronounced|passed|signed|sealed|announced|delivered|dictated|executed)|(?:bears|carries) (?:my|the) (?:hand|seal|signature))\b(?: (?:and|&) [a-z]+)?(?: (?:in|under|at|by|with|from|on|this|to-?day|the|my|our|hand|hands|and|seal|of|open|court|office|authority|[a-z]{3,15},?)){0,14}[ ,:]*(?:(?:of )?the|this|dated|of)?$`)

// inColumnOfDates reports whether dates are directly above or below a date, as in a list of invoices.
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

// unreadDated matches a date that is labelled as the paper's own.
var unreadDated = lazyregexp.New(`(?:^|[^a-z])(?:date(?: of (?:issue|notice|order|intimation))?|dated|dt)(?: ?[.:=]+ ?| )([0-9a-z]{1,3}(?: ?[./-] ?| )[0-9a-z]{1,9}(?: ?[./-] ?|[ ,]+)[0-9a-z]{2,4})(?:[^0-9a-z]|$)`)

// unreadLabel reports whether the paper's own date is above the line but cannot be read; then a date further down is
// not that of the paper.
func (r *reading) unreadLabel(line int) bool {
	if r.unreadAt == 0 {
		r.unreadAt = len(r.doc.lines) + 1
		d := r.doc
		for i, l := range d.lines[:min(len(d.lines), r.body())] {
			low := d.low[l.start:l.end]
			m := unreadDated.FindStringSubmatchIndex(low)
			if m == nil || !strings.ContainsAny(low[m[2]:m[3]], "0123456789") ||
				otherDate.MatchString(withoutNumbers(low)) ||
				!ownNumber.MatchString(strings.TrimSpace(low[:m[0]])) && m[0] > 0 {
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

// withoutNumbers removes an office's numbers, "CT/2026/DRC-01A/0917", whose parts are not words of the line.
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
