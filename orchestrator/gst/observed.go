package gst

import (
	"strings"
)

// The observations on a value are the words around it, each with its stem and distance, and its position on the
// paper. What an observation indicates was learned from labelled papers (see learned.go); nothing is decided here.

// observation collects what is observed about one value.
type observation struct {
	seen map[string]bool
	all  []string
}

func (o *observation) note(what string) {
	if o.seen == nil {
		o.seen = map[string]bool{}
	}
	if !o.seen[what] {
		o.seen[what] = true
		o.all = append(o.all, what)
	}
}

// noteIf adds an observation if holds is true.
func (o *observation) noteIf(holds bool, what string) {
	if holds {
		o.note(what)
	}
}

// notes adds an observation for each word, with the position of the words before it.
func (o *observation) notes(where string, words []string) {
	for _, w := range words {
		o.note(where + " " + w)
	}
}

// stem returns the beginning that the forms of a word share, such as "submi" for "submission" and "submitted". All
// figures have one stem; punctuation has none.
func stem(word string) string {
	const letters = 5 // of a Latin word; a Devanagari word has one less
	word = strings.Trim(word, ".,;()[]{}'\"*|=-_/:")
	switch {
	case word == "":
		return ""
	case isDigit(word[0]):
		return "0" + strings.TrimLeft(word, "0123456789,./-:")
	case word[0] < 0x80:
		return strings.ToValidUTF8(word[:min(len(word), letters)], "")
	}
	n := 0
	for i := range word {
		if n++; n == letters {
			return word[:i]
		}
	}
	return word
}

// stems returns the stems of the words in a text in lower case.
func stems(low string) []string {
	var all []string
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool {
		return r == ' ' || r == '/' || r == '(' || r == ')'
	}) {
		if s := stem(w); s != "" {
			all = append(all, s)
		}
	}
	return all
}

func lastWords(words []string, most int) []string { return words[max(0, len(words)-most):] }

// observe returns the observations on the words around a span.
func (d *document) observe(v span) *observation {
	const (
		near, middle, far = 5, 14, 26 // number of words before it
		wide              = 160       // number of bytes after it
	)
	o := &observation{}
	s := d.around(v)
	l := d.lines[s.line]
	prose := d.isProse(l) || s.line > 0 && !l.first && d.isProse(d.lines[s.line-1]) // or the last line of a paragraph
	before, after := leadTo(s.before), s.after
	if !prose {
		c := l.cellOf(v.start)
		before, after = leadTo(s.own), d.lowIn(v.end, min(l.cells[c].end, v.end+wide))
		if c+1 < len(l.cells) {
			after += " " + d.lowIn(l.cells[c+1].start, min(l.cells[c+1].end, l.cells[c+1].start+wide))
		}
	}
	// Words about an earlier day do not apply to this one.
	if dates := d.datesIn(span{v.start - len(before), v.start}); len(dates) > 0 {
		own := d.lowIn(dates[len(dates)-1].end, v.start)
		if own = leadTo(own); len(own) < len(before) {
			o.notes("of another", lastWords(stems(before[:len(before)-len(own)]), middle))
			before = own
		}
	}
	list := stems(before)
	for i := range min(len(list), far) {
		w := list[len(list)-1-i]
		switch {
		case i < near:
			o.noteIf(i == 0, "last "+w)
			o.note("near " + w)
		case i < middle:
			o.note("before " + w)
		default:
			o.note("far " + w)
		}
		if i < 3 && i+1 < len(list) {
			o.note("pair " + list[len(list)-2-i] + " " + w)
		}
	}
	for i, w := range stems(after) {
		switch {
		case i < 4:
			o.noteIf(i == 0, "next "+w)
			o.note("after " + w)
		case i < middle:
			o.note("behind " + w)
		}
	}
	if len(list) < 3 {
		left := stems(s.left)
		o.notes("left", left)
		o.notes("near", left) // this is a label, followed by a colon or a wide gap
		o.noteIf(len(list) == 0 && len(left) == 0, "nothing before")
	}
	if s.alone && (strings.TrimSpace(s.left) == "" || !s.named()) {
		o.notes("above", stems(s.above))
	}
	o.noteIf(s.alone, "alone")
	o.noteIf(prose, "in prose")
	o.noteIf(len(l.cells) > 3, "in a row")
	o.noteIf(strings.Contains(s.own, ":"), "behind a colon")
	return o
}
