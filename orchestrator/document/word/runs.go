package word

import (
	"bytes"
	"html"
	"regexp"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// format is the look of a run of text.
type format struct{ bold, italic, strike, code, marked bool }

// scripts are the languages of the Indian scripts that Unicode has in blocks of 128 characters from U+0900, in that
// order.
var scripts = [...]string{"hi-IN", "bn-IN", "pa-IN", "gu-IN", "or-IN", "ta-IN", "te-IN", "kn-IN", "ml-IN"}

const firstScript, scriptSize = 0x0900, 0x80

// runs writes text into a paragraph, with one run for each stretch of the same format and script.
type runs struct {
	out     page
	pending []byte // escaped text not yet written, in format and script
	format  format
	script  string // the language of a complex script, else ""
}

func (r *runs) write(s string, f format) {
	if f != r.format {
		r.flush()
		r.format = f
	}
	for _, c := range s {
		switch {
		case c == '\t':
			r.element("<w:tab/>")
			continue
		case c == '\n', c == '\r', c == '\v', c == '\f':
			c = ' '
		case !inXML(c):
			continue
		case c >= firstScript && c < firstScript+scriptSize*rune(len(scripts)):
			r.speak(scripts[(c-firstScript)/scriptSize])
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			r.speak("")
		} // spaces and punctuation stay with the text before them
		r.pending = appendEscaped(r.pending, c)
	}
}

func (r *runs) speak(script string) {
	if script != r.script {
		r.flush()
		r.script = script
	}
}

// element writes something that is not text: a tab or a line break.
func (r *runs) element(xml string) {
	r.flush()
	r.open()
	r.out.put(xml)
	r.out.put("</w:r>")
}

func (r *runs) flush() {
	if len(r.pending) == 0 {
		return
	}
	r.open()
	r.out.put(`<w:t xml:space="preserve">`)
	r.out.put(string(r.pending))
	r.out.put("</w:t></w:r>")
	r.pending = r.pending[:0]
}

// open starts a run. The order of the properties is prescribed by the schema.
func (r *runs) open() {
	r.out.put("<w:r>")
	if r.format == (format{}) && r.script == "" {
		return
	}
	r.out.put("<w:rPr>")
	switch {
	case r.format.marked:
		r.out.put(`<w:rStyle w:val="Unverified"/>`)
	case r.format.code:
		r.out.put(`<w:rStyle w:val="CodeChar"/>`)
	}
	if r.format.marked && r.format.code {
		r.out.put(`<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/>`)
	}
	if r.format.bold {
		r.out.put("<w:b/><w:bCs/>")
	}
	if r.format.italic {
		r.out.put("<w:i/><w:iCs/>")
	}
	if r.format.strike {
		r.out.put("<w:strike/>")
	}
	if r.script != "" {
		r.out.put(`<w:cs/><w:lang w:bidi="` + r.script + `"/>`)
	}
	r.out.put("</w:rPr>")
}

// inXML reports whether XML 1.0 allows a character. Other characters cannot be written even as entities.
func inXML(c rune) bool {
	return c == '\t' || c == '\n' || c == '\r' || c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000
}

func appendEscaped(b []byte, c rune) []byte {
	switch c {
	case '&':
		return append(b, "&amp;"...)
	case '<':
		return append(b, "&lt;"...)
	case '>':
		return append(b, "&gt;"...)
	}
	return utf8.AppendRune(b, c)
}

func escaped(s string) string {
	var b []byte
	for _, c := range s {
		if inXML(c) {
			b = appendEscaped(b, c)
		}
	}
	return string(b)
}

var escapes = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]" +
	`|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);`)

// plain returns Markdown text with its backslash escapes and entities resolved.
func plain(source []byte) string {
	if bytes.IndexByte(source, '\\') < 0 && bytes.IndexByte(source, '&') < 0 {
		return string(source)
	}
	return string(escapes.ReplaceAllFunc(source, func(escape []byte) []byte {
		if escape[0] == '\\' {
			return escape[1:]
		}
		if name := escape[1 : len(escape)-1]; name[0] != '#' {
			if _, known := util.LookUpHTML5EntityByName(string(name)); !known {
				return escape
			}
		}
		return []byte(html.UnescapeString(string(escape)))
	}))
}

// marks are a document's marks, prepared for lookup by offset.
type marks struct {
	shaded []Mark // sorted and without overlaps
	notes  []Mark // sorted by their ends; those already written are removed
}

func newMarks(text string, given []Mark) *marks {
	m := &marks{}
	for _, mark := range given {
		if mark.Start < 0 || mark.Start >= mark.End || mark.End > len(text) {
			continue
		}
		for !utf8.RuneStart(text[mark.Start]) && mark.Start > 0 {
			mark.Start--
		}
		for mark.End < len(text) && !utf8.RuneStart(text[mark.End]) {
			mark.End++
		}
		mark.Note = oneLine(mark.Note)
		if strings.TrimFunc(mark.Note, func(r rune) bool { return !unicode.IsGraphic(r) }) == "" {
			mark.Note = "not verified"
		}
		m.notes = append(m.notes, mark)
	}
	sort.SliceStable(m.notes, func(i, j int) bool { return m.notes[i].Start < m.notes[j].Start })
	for _, mark := range m.notes {
		if last := len(m.shaded) - 1; last >= 0 && mark.Start < m.shaded[last].End {
			m.shaded[last].End = max(m.shaded[last].End, mark.End)
			continue
		}
		m.shaded = append(m.shaded, mark)
	}
	sort.SliceStable(m.notes, func(i, j int) bool { return m.notes[i].End < m.notes[j].End })
	return m
}

// at reports whether the text at an offset is marked, and up to which offset (at most stop) that is so. The place of
// a note also ends the stretch.
func (m *marks) at(place, stop int) (marked bool, until int) {
	if len(m.notes) > 0 && m.notes[0].End > place {
		stop = min(stop, m.notes[0].End)
	}
	next := sort.Search(len(m.shaded), func(i int) bool { return m.shaded[i].End > place })
	switch {
	case next == len(m.shaded):
		return false, stop
	case m.shaded[next].Start > place:
		return false, min(stop, m.shaded[next].Start)
	}
	return true, min(stop, m.shaded[next].End)
}

// due returns the notes of the marks that end at or before an offset, each once.
func (m *marks) due(place int) []string {
	var due []string
	for len(m.notes) > 0 && m.notes[0].End <= place {
		if n := len(due); n == 0 || due[n-1] != m.notes[0].Note {
			due = append(due, m.notes[0].Note)
		}
		m.notes = m.notes[1:]
	}
	return due
}
