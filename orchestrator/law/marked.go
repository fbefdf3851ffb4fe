package law

import (
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst/lazyregexp"
)

// marked is official text as a tree. Official texts mark the words that an amendment changed by brackets with a
// footnote number: ^4[section 41] (India Code), 4[section 41] (CBIC's later compilations), [section 41]4 (its earlier
// ones), and 4[***] or ^4*** where words were omitted. A later amendment can be within the words of an earlier one.
type marked struct {
	pieces []piece
}

// piece is either words, or a change with the text inside it.
type piece struct {
	words  string
	change *change
	inside marked
}

// change is what one amendment did to a text.
type change struct {
	Note   string // footnote number as printed
	Kind   changeKind
	From   string // ISO day from which the change applies, "" if not stated
	By     string // instruments, as named in the footnote
	Old    string // the earlier words, "" unless HasOld
	HasOld bool
	OldBy  string // the witness with the earlier words, if it is not the text's own
	Since  string // ISO day on which the earlier words were inserted, "" if the footnote does not say
	First  string // the words that the earlier words had replaced, "" if none
	Future bool   // yet to be notified
	Text   string // of the footnote
}

type changeKind string

const (
	inserted    changeKind = "inserted"
	substituted changeKind = "substituted"
	omitted     changeKind = "omitted"
	unclear     changeKind = "unclear" // a mark without a footnote that says what it means
)

// markStyle says where a source puts the footnote numbers.
type markStyle int

const (
	markBefore markStyle = iota // ^4[…] and 4[…]
	markAfter                   // […]4
)

var (
	// ^4[ or 4[ or 4 [. Whether the number belongs to the text, as in "rule 4 [", is decided by the words before it.
	openBefore = lazyregexp.New(`^(?:\^(\d{1,3})|(\d{1,3})) ?\[ ?`)
	starsOnly  = lazyregexp.New(`^\^?(\d{1,3}) ?\*(?: ?\*)+`)
	noteOnly   = lazyregexp.New(`^\^(\d{1,3}|\*)`)
	closeAfter = lazyregexp.New(`^\](\d{1,3})`)
)

// readMarked reads the text of a source with its marks. changes are those of its footnotes, by number.
func readMarked(text string, style markStyle, changes map[string]*change) marked {
	if style == markAfter {
		text = marksFirst(text)
	}
	r := markReader{text: text, changes: changes}
	return r.read(false)
}

type markReader struct {
	text    string
	at      int
	changes map[string]*change
}

// read reads to the end, or to the closing bracket.
func (r *markReader) read(inside bool) marked {
	var m marked
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			m.pieces = append(m.pieces, piece{words: words.String()})
			words.Reset()
		}
	}
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		first := r.at == 0 || !isWordByte(r.text[r.at-1])
		open := openBefore.FindStringSubmatch(rest)
		stars := starsOnly.FindStringSubmatch(rest)
		switch {
		case open != nil && (open[1] != "" || first && (r.changes[open[2]] != nil || !strings.Contains(open[0], " "))):
			flush()
			r.at += len(open[0])
			within := r.read(true)
			c := r.change(open[1] + open[2])
			if within.onlyStars() {
				within = marked{}
				c.gone()
			}
			m.pieces = append(m.pieces, piece{change: c, inside: within})
		case stars != nil && (rest[0] == '^' || first):
			flush()
			r.at += len(stars[0])
			c := r.change(stars[1])
			c.gone()
			m.pieces = append(m.pieces, piece{change: c})
		case rest[0] == '^':
			r.at += max(1, len(noteOnly.FindString(rest)))
		case rest[0] == '[':
			flush()
			r.at++
			within := r.read(true)
			if within.onlyStars() {
				continue
			}
			m.pieces = append(append(append(m.pieces, piece{words: "["}), within.pieces...), piece{words: "]"})
		case rest[0] == ']':
			r.at++
			if inside {
				flush()
				return m
			}
		default:
			_, size := utf8.DecodeRuneInString(rest)
			words.WriteString(rest[:size])
			r.at += size
		}
	}
	flush()
	return m
}

func (r *markReader) change(note string) *change {
	if c := r.changes[note]; c != nil {
		return c
	}
	return &change{Note: note, Kind: unclear}
}

// gone marks a change with only stars left as an omission, if no footnote says what it did.
func (c *change) gone() {
	if c.Kind == unclear {
		c.Kind = omitted
	}
}

// onlyStars reports whether no words are left.
func (m marked) onlyStars() bool {
	for _, p := range m.pieces {
		if p.change != nil || strings.Trim(p.words, "* \n.") != "" {
			return false
		}
	}
	return true
}

// marksFirst moves the numbers of [words]4 before the brackets: 4[words].
func marksFirst(text string) string {
	var opened []int
	number := map[int]string{} // for the bracket that opens at an offset
	drop := map[int]int{}      // by offset, the length of a number that was moved
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[':
			opened = append(opened, i)
		case ']':
			if len(opened) == 0 {
				continue
			}
			start := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			if m := closeAfter.FindStringSubmatch(text[i:]); m != nil {
				number[start] = m[1]
				drop[i+1] = len(m[1])
			}
		}
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if n, ok := number[i]; ok {
			b.WriteString("^" + n)
		}
		if n := drop[i]; n > 0 {
			i += n - 1
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func isWordByte(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '/'
}

// changes returns all changes of a text, outer ones first.
func (m marked) changes() []*change {
	var all []*change
	for _, p := range m.pieces {
		if p.change != nil {
			all = append(append(all, p.change), p.inside.changes()...)
		}
	}
	return all
}

// Mark is the position of words in a version that an amendment inserted, or the place where it omitted words (Start
// equals End).
type Mark struct {
	Start int    `json:"start"` // byte offset in the text
	End   int    `json:"end"`
	Kind  string `json:"kind"` // "inserted", "substituted", "omitted" or "unclear"
	From  string `json:"from,omitempty"`
	By    string `json:"by,omitempty"`
}

// asOn returns the text as on a day. It is uncertain if a later change does not say what it replaced, or if a change
// has no day; why lists these changes. lent reports whether it contains words of another witness.
func (m marked) asOn(day string) (text string, marks []Mark, why []*change, lent bool) {
	var b strings.Builder
	m.write(&b, day, &marks, &why, &lent)
	return b.String(), marks, why, lent
}

func (m marked) write(b *strings.Builder, day string, marks *[]Mark, why *[]*change, lent *bool) {
	for _, p := range m.pieces {
		c := p.change
		switch {
		case c == nil:
			glue(b, p.words)
		case c.holds(day):
			start := b.Len()
			at := len(*marks)
			*marks = append(*marks, Mark{Start: start, Kind: string(c.Kind), From: c.From, By: c.By})
			p.inside.write(b, day, marks, why, lent)
			(*marks)[at].End = b.Len()
		default:
			if c.Kind == inserted || day < c.Since {
				glue(b, c.First)
				continue
			}
			if !c.HasOld {
				*why = append(*why, c)
				continue
			}
			glue(b, c.Old)
			*lent = *lent || c.OldBy != ""
		}
		if c != nil && c.From == "" && !c.Future {
			*why = append(*why, c)
		}
	}
}

// glue appends words, adding a space where a mark of amendment replaced it.
func glue(b *strings.Builder, words string) {
	if words == "" {
		return
	}
	if b.Len() > 0 {
		last := b.String()[b.Len()-1]
		first := words[0]
		letter := last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z'
		if (letter || last == ',' || last == ';') && (isWordByte(first) && first != '/' || first == '(' && !letter) {
			b.WriteByte(' ')
		}
	}
	b.WriteString(words)
}

// holds reports whether a change is in the text on a day. A change without a day counts as made.
func (c *change) holds(day string) bool {
	if c.Future {
		return false
	}
	return c.From == "" || c.From <= day
}

// days returns the days on which a text changed.
func (m marked) days() []string {
	var days []string
	for _, c := range m.changes() {
		if c.From != "" && !c.Future {
			days = append(days, c.From)
			if c.Since != "" {
				days = append(days, c.Since)
			}
		}
	}
	return days
}
