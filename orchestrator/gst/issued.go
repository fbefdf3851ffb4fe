package gst

import (
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/pattern"
)

var (
	// The label must end right before the date.
	dateLabel = pattern.New(`(?:\bdate of (?:the )?(?:issue|notice|order|intimation)|\b(?:issue|order|notice) date|\bdated?|\bdt|दिनांक|दिनाँक|तारीख)[ /]*(?:dated?)?[ .:=,'-]*(?:the )?$`)
	// What may stand before the label on its line: nothing, the notice's own
	// number, a place.
	ownNumber = pattern.New(`^$|\b(?:no|number|din|rfn|reference|ref|place|id)\b|संख्या|पत्रांक|क्रमांक|स्थान|^[a-z0-9()/._ -]{4,}/[a-z0-9()/._ -]+$|^\(?[a-z0-9]{1,3}[.)]$|^new delhi,? ?(?:the)?$`)
	otherDate = pattern.New(`hearing|by which|due|last date|acknowledg|application|\barn\b|earlier|scn ref|notice ref|demand order|demand id|notification|circular|intimation ref|digitally|signed by|signature not|statement|invoice|\bvide\b|your (?:letter|reply)|drc ?-? ?01a|visit|return|effective|from |registration date|date of (?:registration|liability|birth|filing|supply|inspection|detention)`)
)

// readIssueDate takes the date printed with the notice's own number at its
// head, else the one beside the place at its foot. The date of a digital
// signature is another date.
func (r *reading) readIssueDate() {
	d := r.doc
	top := r.letterheadEnd()
	for _, bottom := range [...]bool{false, true} {
		for _, date := range d.datesIn(span{0, r.extent()}) {
			i := d.lineAt(date.start)
			l := d.lines[i]
			if !bottom && (date.start >= top || i > 40) {
				break
			}
			start := l.start
			if i > 0 && date.start-l.start < 4 && d.lines[i-1].page == l.page && d.lines[i-1].end-d.lines[i-1].start < 40 {
				start = d.lines[i-1].start // the label stands above
			}
			before := d.lowIn(start, date.start)
			label := dateLabel.FindStringIndex(before)
			if label == nil || otherDate.MatchString(withoutNumbers(d.lowIn(start, min(date.end+20, l.end)))) || subjectLine.MatchString(d.low[l.start:l.end]) {
				continue
			}
			lead := before[:label[0]]
			if bottom && label[0] > 0 && !placeLabel.MatchString(lead) || !bottom && !ownNumber.MatchString(strings.TrimSpace(lead)) {
				continue
			}
			if !r.plausibleIssue(date) {
				continue
			}
			r.issued = date.day
			r.facts.IssueDate = ptr(date.day.ISO())
			r.cite("issue_date", span{start, date.end})
			return
		}
	}
}

var (
	subjectBegins = pattern.New(`^(?:sub|subject|विषय)\b ?[.:/-]|^(?:please refer|with reference to|vide\b|whereas\b)`)
	// A date that is labelled as the paper's own but cannot be read: another one
	// further down is not it.
	unreadIssued = pattern.New(`(?:^|[^a-z])(?:date(?: of (?:issue|notice|order|intimation))?|dated|dt)(?: ?[.:=]+ ?| )([0-9a-z]{1,3}(?: ?[./-] ?| )[0-9a-z]{1,9}(?: ?[./-] ?|[ ,]+)[0-9a-z]{2,4})(?:[^0-9a-z]|$)`)
)

var firstItem = pattern.New(`^\(?1[.)]`)

// plausibleIssue tells whether a recognised date of issue fits the month that the
// portal's number or the DIN carries; a DIN may be made some days apart.
func (r *reading) plausibleIssue(date dated) bool {
	if !r.doc.isRecognised(date.start) {
		return true
	}
	if r.hasPortalReference() {
		return (*r.facts.Reference)[4:8] == date.day.Format("0106")
	}
	if din := r.facts.DIN; din != nil && len(*din) == 20 && strings.HasPrefix(*din, "20") {
		made := law.ParseDay((*din)[:4] + "-" + (*din)[4:6] + "-01")
		return made.IsZero() || !date.day.Before(made.AddMonths(-1)) && date.day.Before(made.AddMonths(2))
	}
	return true
}

// letterheadEnd gives where the paper's own number and date can no longer
// stand: at the subject, or behind a date of its own that cannot be read.
func (r *reading) letterheadEnd() int {
	d := r.doc
	end := d.head().end
	for i, l := range d.lines {
		if l.start >= end || i > 40 {
			break
		}
		low := d.low[l.start:l.end]
		if i > 3 && (subjectBegins.MatchString(low) || subjectLine.MatchString(low) || len(low) > 60 && firstItem.MatchString(low)) {
			return l.start
		}
		m := unreadIssued.FindStringSubmatchIndex(low)
		if m == nil || !strings.ContainsAny(low[m[2]:m[3]], "0123456789") || otherDate.MatchString(withoutNumbers(low)) || !ownNumber.MatchString(strings.TrimSpace(low[:m[0]])) && m[0] > 0 {
			continue
		}
		if len(d.datesIn(span{l.start + m[2], l.start + m[2] + 1})) == 0 {
			return l.start + m[2]
		}
	}
	return end
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

var placeLabel = pattern.New(`place|स्थान`)
