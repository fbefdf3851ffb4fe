package law

import (
	"fmt"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// Part is the position of a sub-section, clause, proviso or explanation in the text of its section or rule. Parts are
// in the order of the text, and one that begins within another ends within it. The text between the starts of two
// successive parts belongs to the first, so that the parts cover the text completely.
type Part struct {
	Number string `json:"number"` // "16(2)(aa)", "16(2) proviso 1", "16(2)(b) Explanation (i)"
	Kind   string `json:"kind"`   // "section", "rule", "part", "proviso", "explanation" or "illustration"
	Start  int    `json:"start"`  // byte offset in the text
	End    int    `json:"end"`
}

var (
	partLabel   = lazyregexp.New(`^\[?\s?\(([0-9]{1,3}[A-Z]{0,2}|[a-z]{1,4}|[A-Z]{1,3})\)`)
	provisoWord = lazyregexp.New(`^\[?\s?Provided\b`)
	explainWord = lazyregexp.New(`^\[?\s?(?:Explanation|EXPLANATION)\b`)
	illustrates = lazyregexp.New(`^\[?\s?(?:Illustration|ILLUSTRATION|Example)s?\b`)
	ofWhole     = lazyregexp.New(`(?i)\bpurposes? of (?:this|these) (?:section|rule|act|chapter)`)
	ofSub       = lazyregexp.New(`(?i)\bpurposes? of (?:this )?sub-? ?(?:section|rule)`)
)

// labelKind is the way in which the parts of a level are numbered.
type labelKind byte

const (
	digits  labelKind = 'n'
	letters labelKind = 'a'
	roman   labelKind = 'i'
	capital labelKind = 'A'
	Roman   labelKind = 'I'
	aside   labelKind = 'x' // provisos and explanations, numbered by their order
)

type level struct {
	kind  labelKind
	label string
	part  int // index of its Part
}

// kindsOf returns the ways in which a label can be read.
func kindsOf(label string) []labelKind {
	switch c := label[0]; {
	case c >= '0' && c <= '9':
		return []labelKind{digits}
	case c >= 'a' && c <= 'z':
		if n, _ := romanValue(label); n > 0 {
			return []labelKind{roman, letters}
		}
		return []labelKind{letters}
	default:
		if n, _ := romanValue(strings.ToLower(label)); n > 0 {
			return []labelKind{Roman, capital}
		}
		return []labelKind{capital}
	}
}

// rank returns the position of a label in its kind of numbering, and the extra letters of one that was inserted later
// (2A, aa).
func rank(kind labelKind, label string) (int, string) {
	switch kind {
	case digits:
		n := strings.TrimRight(label, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
		value, _ := strconv.Atoi(n) // cannot fail: the pattern of labels makes it a number
		return value, label[len(n):]
	case roman, Roman:
		return romanValue(strings.ToLower(label))
	default:
		l := strings.ToLower(label)
		return int(l[0]-'a') + 1, l[1:]
	}
}

// romanValue returns the value of a roman number such as iii or iiia, with its extra letter; 0 if it is not one.
func romanValue(s string) (int, string) {
	for end := len(s); end > 0 && end >= len(s)-1; end-- {
		for n := 1; n < 40; n++ {
			if toRoman(n) == s[:end] {
				return n, s[end:]
			}
		}
	}
	return 0, ""
}

func toRoman(n int) string {
	var b strings.Builder
	for _, r := range []struct {
		value int
		is    string
	}{{40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for n >= r.value {
			b.WriteString(r.is)
			n -= r.value
		}
	}
	return b.String()
}

// follows reports whether a label comes directly after another of its kind, or later in the same numbering.
func follows(kind labelKind, before, label string) (next, later bool) {
	a, x := rank(kind, before)
	b, y := rank(kind, label)
	switch {
	case a == 0 || b == 0:
		return false, false
	case b == a+1 && y == "", b == a && y > x && len(y) <= len(x)+1:
		return true, true
	}
	return false, b > a && b <= a+12
}

func first(kind labelKind, label string) bool {
	n, x := rank(kind, label)
	return n == 1 && (x == "" || kind == digits)
}

// partsOf finds the parts in the text of a section or rule, in which each paragraph is a line.
func partsOf(number, unit, text string) []Part {
	p := partFinder{
		text:   text,
		parts:  []Part{{Number: number, Kind: unit}},
		stack:  []level{{kind: aside}},
		asides: map[string]int{},
	}
	offset := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		p.lines = append(p.lines, paragraph{offset, strings.TrimRight(line, "\n")})
		offset += len(line)
	}
	for i := range p.lines {
		p.place(i)
	}
	p.closeTo(0, len(text))
	p.parts[0].End = len(text)
	return p.parts
}

type paragraph struct {
	at   int
	text string
}

type partFinder struct {
	text   string
	lines  []paragraph
	parts  []Part
	stack  []level
	asides map[string]int // number of provisos and the like of each part
}

// closeTo ends the parts that are deeper than depth.
func (p *partFinder) closeTo(depth, at int) {
	for len(p.stack) > depth+1 {
		top := p.stack[len(p.stack)-1]
		p.parts[top.part].End = p.trimmed(p.parts[top.part].Start, at)
		p.stack = p.stack[:len(p.stack)-1]
	}
}

func (p *partFinder) trimmed(start, end int) int {
	for end > start && (p.text[end-1] == '\n' || p.text[end-1] == ' ') {
		end--
	}
	return end
}

func (p *partFinder) push(kind labelKind, label, called string, at int, what string) {
	parent := p.parts[p.stack[len(p.stack)-1].part].Number
	p.parts = append(p.parts, Part{Number: parent + called, Kind: what, Start: at})
	p.stack = append(p.stack, level{kind, label, len(p.parts) - 1})
}

func (p *partFinder) place(i int) {
	line := p.lines[i]
	switch {
	case provisoWord.MatchString(line.text):
		p.aside(i, "proviso", p.depthBefore(i))
	case illustrates.MatchString(line.text):
		p.aside(i, "illustration", p.depthBefore(i))
	case explainWord.MatchString(line.text):
		depth := p.depthBefore(i)
		head := line.text[:min(len(line.text), 160)]
		switch {
		case ofWhole.MatchString(head):
			depth = 0
		case ofSub.MatchString(head):
			depth = min(1, len(p.stack)-1)
		}
		p.aside(i, "explanation", depth)
	default:
		rest, at := line.text, line.at
		for range 3 { // "(1) (a) …"
			m := partLabel.FindStringSubmatch(rest)
			if m == nil {
				return
			}
			p.label(m[1], at)
			skip := len(m[0])
			for skip < len(rest) && rest[skip] == ' ' {
				skip++
			}
			rest, at = rest[skip:], at+skip
		}
	}
}

func (p *partFinder) aside(i int, what string, depth int) {
	p.closeTo(depth, p.lines[i].at)
	parent := p.parts[p.stack[len(p.stack)-1].part].Number
	p.asides[parent+what]++
	called := fmt.Sprintf(" %s %d", what, p.asides[parent+what])
	if what != "proviso" {
		called = " " + strings.ToUpper(what[:1]) + what[1:]
		if n := p.asides[parent+what]; n > 1 {
			called += fmt.Sprintf(" %d", n)
		}
	}
	p.push(aside, "", called, p.lines[i].at, what)
}

// label adds a part: on the level of the part that it follows, else as the first of a deeper level.
func (p *partFinder) label(label string, at int) {
	depth, kind, fits := p.fit(label, p.stack)
	if fits {
		p.closeTo(depth-1, at)
	}
	p.push(kind, label, "("+label+")", at, "part")
}

// fit returns the depth at which a label continues a numbering. If it continues none, kind is that of the deeper
// level that it begins.
func (p *partFinder) fit(label string, stack []level) (depth int, kind labelKind, fits bool) {
	kinds := kindsOf(label)
	for _, exact := range []bool{true, false} {
		for depth := len(stack) - 1; depth > 0; depth-- {
			for _, kind := range kinds {
				if stack[depth].kind != kind {
					continue
				}
				if next, later := follows(kind, stack[depth].label, label); next || later && !exact {
					return depth, kind, true
				}
			}
		}
		if exact {
			for _, kind := range kinds {
				if first(kind, label) {
					return 0, kind, false
				}
			}
		}
	}
	return 0, kinds[0], false
}

// depthBefore returns the depth of the part to which a proviso or an explanation belongs: the clause before it if the
// list of clauses continues after it, else the sub-section.
func (p *partFinder) depthBefore(i int) int {
	var own []level // levels that begin within the proviso
	for _, line := range p.lines[i+1:] {
		m := partLabel.FindStringSubmatch(line.text)
		if m == nil {
			continue
		}
		if len(own) > 0 {
			if depth, kind, fits := p.fit(m[1], append([]level{{}}, own...)); fits {
				own = append(own[:depth-1], level{kind: kind, label: m[1]})
				continue
			}
		}
		depth, kind, fits := p.fit(m[1], p.stack)
		if fits {
			for depth > 0 && p.stack[depth].kind == aside {
				depth--
			}
			return depth
		}
		own = append(own, level{kind: kind, label: m[1]})
	}
	return min(1, len(p.stack)-1, p.outermost())
}

// outermost returns 1 if the section has sub-sections, else 0.
func (p *partFinder) outermost() int {
	if len(p.stack) > 1 && p.stack[1].kind == digits {
		return 1
	}
	return 0
}
