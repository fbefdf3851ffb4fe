package gst

import (
	"regexp"
	"strings"
)

var (
	// The label must end right before the date.
	dateLabel = regexp.MustCompile(`(?:\bdate of (?:the )?(?:issue|notice|order|intimation)|\b(?:issue|order|notice) date|\bdated?|\bdt|दिनांक|दिनाँक|तारीख)[ /]*(?:dated?)?[ .:=,'-]*(?:the )?$`)
	// What may stand before the label on its line: nothing, the notice's own
	// number, a place.
	ownNumber = regexp.MustCompile(`^$|\b(?:no|number|din|rfn|reference|ref|place|id)\b|संख्या|पत्रांक|क्रमांक|स्थान|^[a-z0-9()/._ -]{4,}/[a-z0-9()/._ -]+$|^\(?[a-z0-9]{1,3}[.)]$|^new delhi,? ?(?:the)?$`)
	otherDate = regexp.MustCompile(`hearing|by which|due|last date|acknowledg|application|\barn\b|earlier|scn ref|intimation ref|digitally|signed by|signature not|statement|invoice|\bvide\b|your (?:letter|reply)|drc ?-? ?01a|visit|return|effective|from |registration date|date of (?:registration|liability|birth|filing|supply|inspection|detention)`)
)

// readIssueDate takes the date printed with the notice's own number at its
// head, else the one beside the place at its foot. The date of a digital
// signature is another date.
func (r *reading) readIssueDate() {
	d := r.doc
	for _, bottom := range [...]bool{false, true} {
		for _, date := range d.datesIn(span{0, r.extent()}) {
			i := d.lineAt(date.start)
			l := d.lines[i]
			if !bottom && (date.start >= d.head().end || i > 40) {
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
			r.issued = date.day
			r.facts.IssueDate = ptr(date.day.ISO())
			r.cite("issue_date", span{start, date.end})
			return
		}
	}
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

var placeLabel = regexp.MustCompile(`place|स्थान`)
