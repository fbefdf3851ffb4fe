package gst

import (
	"slices"
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst/lazyregexp"
)

// surroundings has the words around a value, in lower case.
type surroundings struct {
	line   int
	own    string // before it in its cell
	left   string // the cell before it, if the value begins its cell
	above  string // the cell above it, if the value begins its cell
	before string // before it in its sentence
	after  string // after it in its sentence
	alone  bool   // it fills its cell
}

// named reports whether the cell to the left is the label of a date or of a hearing. Then the cell above is the label
// of something else.
func (s surroundings) named() bool {
	return dayWord.MatchString(s.left) || hearingWord.MatchString(s.left)
}

// leadTo returns the words that lead to a date, without the weekday, the time of day and the article right before it,
// such as "on Monday, the " or "by 5 p.m. of the ".
func leadTo(before string) string {
	for {
		m := beforeDay.FindStringIndex(before)
		if m == nil {
			return before
		}
		before = before[:m[0]] + " "
	}
}

var beforeDay = lazyregexp.New(`(?:[ ,(]+(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the|date|dated)[ ,:(]*|[ ,][0-9]{1,2}(?:[:.][0-9]{2})? ?(?:a\.?m\b\.?|p\.?m\b\.?|hrs\b\.?|hours\b|noon\b|o'clock\b)[ ,]*(?:on|of)?[ ,]*)$`)

// around returns the surroundings of a value.
func (d *document) around(v span) surroundings {
	i := d.lineAt(v.start)
	s := surroundings{line: i}
	if i >= len(d.lines) {
		return s
	}
	l := d.lines[i]
	c := l.cellOf(v.start)
	cell := l.cells[c]
	from := max(cell.start, v.start-110)
	for _, other := range d.datesIn(span{from, v.start}) {
		if other.end < v.start {
			from = other.end
		}
	}
	s.own = d.lowIn(from, v.start)
	if from == cell.start {
		s.left = d.cellBeside(i, c)
		if strings.Trim(s.own, " :.=-") == "" {
			s.above = d.cellAbove(i, l.at[c])
		}
	}
	s.alone = strings.Trim(d.lowIn(cell.start, v.start)+d.lowIn(v.end, cell.end), " :.,=()|/-") == ""
	sentence := d.sentence(v.start)
	s.before = d.lowIn(max(sentence.start, v.start-320), v.start)
	s.after = d.lowIn(v.end, min(sentence.end, v.end+200))
	return s
}

// cellOf returns the index of the cell that contains an offset of the line.
func (l line) cellOf(at int) int {
	c := 0
	for c+1 < len(l.cells) && l.cells[c+1].start <= at {
		c++
	}
	return c
}

// cellBeside returns the words of the cell to the left of another, with those on other lines that continue it, and a
// space at the end. Both a label and its value may be broken where a column is narrow.
func (d *document) cellBeside(i, c int) string {
	const most = 3 // number of lines over which a label or a value may extend
	l := d.lines[i]
	if len(l.cells) == 1 {
		// The value continues below the line with its label.
		for j := i - 1; j >= max(0, i-most) && !d.lines[j+1].first && d.lines[j].page == l.page; j-- {
			above := d.lines[j]
			last := len(above.cells) - 1
			switch {
			case !near(above.at[last].start, l.at[0].start):
				return ""
			case last > 0:
				return d.cellBeside(j, last)
			}
		}
		return ""
	}
	if c == 0 {
		return ""
	}
	if speck := l.cells[c-1]; c > 1 && d.recognised[l.page-1] && speck.end-speck.start <= 3 {
		c-- // what recognition made of a ruled line
	}
	label := d.lowIn(l.cells[c-1].start, l.cells[c-1].end) + " "
	if l.at[c-1].end-l.at[c-1].start > 40 {
		return label // labels are not that wide
	}
	for j := i + 1; j <= min(len(d.lines)-1, i+most) && !d.lines[j].first && d.lines[j].page == l.page; j++ {
		below := d.lines[j]
		k := slices.IndexFunc(below.at, func(at span) bool {
			return l.at[c-1].start-2 < at.start && at.start < l.at[c-1].end && at.end <= l.at[c].start
		})
		beside := false
		for n, at := range below.at {
			speck := d.recognised[l.page-1] && at.end-at.start < 3 && isLower(d.text[below.start])
			beside = beside || n != k && !speck && !l.goesOn(d, below.cells[n])
		}
		if k < 0 || beside {
			break // a separate row
		}
		label += d.lowIn(below.cells[k].start, below.cells[k].end) + " "
	}
	return label
}

// goesOn reports whether the cell below continues this one: this one ends in a comma or a dash, or the one below
// begins with a small letter.
func (l line) goesOn(d *document, below span) bool {
	return isLower(d.text[below.start]) || strings.IndexByte(",-&", d.text[l.end-1]) >= 0
}

// near reports whether two cells begin in about the same column of the page.
func near(a, b int) bool { return a-b < 2 && b-a < 2 }

// beside returns the part of a line that is near an offset.
func (l line) beside(at int) span {
	const far = 200
	return span{max(l.start, at-far), min(l.end, at+far)}
}

// cellAbove returns the cell above the columns, on one of the two previous lines.
func (d *document) cellAbove(i int, columns span) string {
	for j := i - 1; j >= max(0, i-2); j-- {
		l := d.lines[j]
		if l.page != d.lines[i].page {
			break
		}
		for c, at := range l.at {
			if at.start < columns.end && columns.start < at.end && at.end-at.start < 60 {
				return d.lowIn(l.cells[c].start, l.cells[c].end)
			}
		}
	}
	return ""
}

// wrappedInto returns the cell in the same column of the next line that continues a value which is too long for its
// column.
func (d *document) wrappedInto(i, c int) (span, bool) {
	if i+1 >= len(d.lines) || d.lines[i+1].page != d.lines[i].page || d.lines[i+1].first {
		return span{}, false
	}
	at, next := d.lines[i].at[c], d.lines[i+1]
	for k, below := range next.at {
		if below.start < at.end && at.start < below.end && below.start >= at.start-4 {
			return next.cells[k], true
		}
	}
	return span{}, false
}

var (
	bodyOpens = lazyregexp.New(`^(?:sub|subject|विषय)\b ?[.:/-]|^(?:please refer|with reference|whereas|sir\b|madam|dear |महोदय|this (?:is|has)\b|it (?:is|has|was|appears)\b)`)
	closing   = lazyregexp.New(`^(?:yours|sd/|signature|digitally|\(?seal|place|भवदीय|स्थान)|signature`)
)

// isProse reports whether a line is running text: long, and most of its words in small letters.
func (d *document) isProse(l line) bool {
	if l.wide || l.end-l.start < 60 {
		return false
	}
	l.end = min(l.end, l.start+300)
	words, small, hindi := 0, 0, 0
	for word := range strings.FieldsSeq(d.text[l.start:l.end]) {
		switch {
		case isLower(word[0]):
			small++
		case word[0] >= 0x80:
			hindi++
		case !isUpper(word[0]):
			continue // figures
		}
		words++
	}
	return words >= 7 && (small*10 >= words*5 ||
		hindi*10 >= words*6 && utf8.RuneCountInString(d.text[l.start:l.end]) > 60)
}

// body returns the index of the first line of the paper's running text; above it are letterhead, numbers and address.
func (r *reading) body() int {
	if r.bodyLine > 0 {
		return r.bodyLine
	}
	d := r.doc
	r.bodyLine = min(len(d.lines), 45)
	for i, l := range d.lines {
		if i >= r.bodyLine {
			break
		}
		low := d.low[l.start:l.end]
		if i > 2 && bodyOpens.MatchString(low) ||
			d.isProse(l) && (i > 4 || i+1 < len(d.lines) && d.isProse(d.lines[i+1])) {
			r.bodyLine = max(i, 1)
		}
	}
	return r.bodyLine
}

// heads reports whether a line is in the part above the running text: of the file, or of a form that follows a letter.
func (r *reading) heads(i int) bool {
	d := r.doc
	if i < r.body() {
		return true
	}
	if l := d.lines[i]; l.start < r.leadTop.start || l.start >= r.leadTop.end {
		return false
	}
	for j := i; j >= 0 && d.lines[j].start >= r.leadTop.start; j-- {
		if d.isProse(d.lines[j]) {
			return false
		}
	}
	return true
}

// inSignature reports whether a line is near the signature, below the running text.
func (r *reading) inSignature(i int) bool {
	d := r.doc
	if i <= r.body() || d.isProse(d.lines[i]) {
		return false
	}
	for j := max(r.body()+1, i-5); j <= min(len(d.lines)-1, i+5); j++ {
		if r.signs(j) {
			return true
		}
	}
	return false
}

// signs reports whether a line closes a paper, with a formula or a rank. The result is cached, because it is needed
// often.
func (r *reading) signs(i int) bool {
	const longest = 90
	if r.signing == nil {
		r.signing = make([]int8, len(r.doc.lines))
	}
	if r.signing[i] == 0 {
		l := r.doc.lines[i]
		r.signing[i] = -1
		if low := r.doc.low[l.start:l.end]; len(low) < longest &&
			(closing.MatchString(low) || hasRank(low) && !notASignature.MatchString(low)) {
			r.signing[i] = 1
		}
	}
	return r.signing[i] > 0
}

// hasRank reports whether a text contains a rank.
func hasRank(low string) bool { return containsAny(low, rankAnchors...) && rank.MatchString(low) }

// answerWord matches words for a reply or for giving one, such as "response" or "show cause".
var answerWord = lazyregexp.New(`repl(?:y|ies)\b|respon(?:d|se)\b|explain|explanation|show cause|show-cause|\bcause\b|submissions?\b|objections?\b|written statement|clarif|represent|defence|your say|your version|your stand|contentions?\b|rejoinder|\banswer|comments|उत्तर|जवाब|स्पष्टीकरण|प्रत्युत्तर|कारण बता|कारण पृच्छा|आपत्ति|अभ्यावेदन|पक्ष प्रस्तुत|\bjawab|\buttar\b|spashtikaran`)
