package gst

import (
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst/pattern"
)

// surroundings are the words that stand around a value, in lower case.
type surroundings struct {
	line   int
	own    string // before it in its cell
	left   string // the cell before it, where it opens its own
	above  string // the cell above it, where it opens its own
	before string // in its sentence
	after  string // likewise
	alone  bool   // it is all of its cell
}

// label is what names the value: what stands before it in its cell, or else the cell to its left.
func (s surroundings) label() string {
	if strings.Trim(s.own, " :.=-") != "" {
		return s.own
	}
	return s.left + s.own
}

// named tells whether the cell to the left names a day: then what stands above it is the label of another.
func (s surroundings) named() bool {
	return dayWord.MatchString(s.left) || hearingWord.MatchString(s.left)
}

// around gives the surroundings of a value.
func (d *document) around(v span) surroundings {
	i := d.lineAt(v.start)
	s := surroundings{line: i}
	if i >= len(d.lines) {
		return s
	}
	l := d.lines[i]
	c := 0
	for c+1 < len(l.cells) && l.cells[c+1].start <= v.start {
		c++
	}
	cell := l.cells[c]
	from := max(cell.start, v.start-110)
	for _, other := range d.datesIn(span{from, v.start}) {
		if other.end < v.start {
			from = other.end
		}
	}
	s.own = d.lowIn(from, v.start)
	if from == cell.start {
		if c > 0 {
			s.left = d.lowIn(l.cells[c-1].start, l.cells[c-1].end) + " "
		}
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

// beside gives the part of a line that is near an offset.
func (l line) beside(at int) span {
	const far = 200
	return span{max(l.start, at-far), min(l.end, at+far)}
}

// cellAbove gives the cell that stands above the columns on one of the two lines before.
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

var (
	bodyOpens = pattern.New(`^(?:sub|subject|विषय)\b ?[.:/-]|^(?:please refer|with reference|whereas|sir\b|madam|dear |महोदय|this (?:is|has)\b|it (?:is|has|was|appears)\b)`)
	closing   = pattern.New(`^(?:yours|sd/|signature|digitally|\(?seal|place|भवदीय|स्थान)|signature`)
)

// isProse tells whether a line is one of running text: long, and most of its words in small letters.
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
	return words >= 7 && (small*10 >= words*5 || hindi*10 >= words*6 && utf8.RuneCountInString(d.text[l.start:l.end]) > 60)
}

// body gives the first line of the paper's running text: above it stand letterhead, numbers and address.
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
		if i > 2 && bodyOpens.MatchString(low) || d.isProse(l) && (i > 4 || i+1 < len(d.lines) && d.isProse(d.lines[i+1])) {
			r.bodyLine = max(i, 1)
		}
	}
	return r.bodyLine
}

// heads tells whether a line stands above running text: that of the file, or that of the form which comes behind its letter.
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

// inSignature tells whether a line stands beside those of who signed, below the running text.
func (r *reading) inSignature(i int) bool {
	d := r.doc
	if i <= r.body() || d.isProse(d.lines[i]) {
		return false
	}
	for j := max(r.body()+1, i-5); j <= min(len(d.lines)-1, i+5); j++ {
		l := d.lines[j]
		if low := d.low[l.start:l.end]; len(low) < 90 && (closing.MatchString(low) || rank.MatchString(low) && !notASignature.MatchString(low)) {
			return true
		}
	}
	return false
}
