package word

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const openBox, checkedBox = "☐", "☑"

// label is what precedes a list item: a level of one of Word's lists or, if Word cannot count that way, plain text.
type label struct {
	list, level int
	text        string
	style       string
	taken       bool
}

// The ids of a file's lists. Bullets need no counting, so all bulleted lists share one.
const (
	bullets = 1 + iota
	openTasks
	doneTasks
	firstNumbered
)

// Word's limits. It treats a file that exceeds them as damaged.
const (
	lastLevel   = 8
	mostNumber  = 32767
	mostCounted = 2000
)

// lists are the numbered lists of a document, each of which counts for itself.
type lists struct{ numbered []counted }

type counted struct {
	abstract, level, start int
}

// The kinds of lists, in the order of their ids.
const (
	bulletShape = iota
	openShape
	doneShape
	dotShape   // 1.
	parenShape // 1)
)

// number returns the label of a new numbered list that starts at start.
func (l *lists) number(delimiter byte, level, start int) label {
	if start > mostNumber || len(l.numbered) == mostCounted {
		return label{text: strconv.Itoa(start) + string(delimiter)}
	}
	shape := dotShape
	if delimiter == ')' {
		shape = parenShape
	}
	l.numbered = append(l.numbered, counted{shape, level, start})
	return label{list: firstNumbered + len(l.numbered) - 1, level: level}
}

// list writes a list. Numbers stay as typed: a reply to paragraphs 5, 7 and 9 of a notice is not numbered 5, 6 and 7.
// If all items have the same number, as some people write Markdown, they are counted up from it.
func (w *writer) list(n *ast.List, at place) {
	level := min(at.depth, lastLevel)
	at.depth++
	at.left = min(at.left+step, mostIndent)
	at.loose = !n.IsTight
	var current label
	next := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if n.IsOrdered() {
			typed := w.typedNumber(item, next)
			if typed == n.Start {
				typed = next
			}
			if item == n.FirstChild() || typed != next || current.list == 0 {
				current = w.lists.number(n.Marker, level, typed)
			}
			current.style = "ListNumber"
			next = typed + 1
		} else {
			current = label{list: w.bulletOf(item), level: level, style: "ListBullet"}
		}
		own := current
		at.item = &own
		w.blocks(item, at)
		w.label(at)
	}
}

// typedNumber returns the number typed before an item, or the given number if there is none.
func (w *writer) typedNumber(item ast.Node, otherwise int) int {
	start := max(item.Pos(), 0)
	end := start
	for end < len(w.source) && w.source[end] >= '0' && w.source[end] <= '9' {
		end++
	}
	if number, err := strconv.Atoi(string(w.source[start:end])); err == nil {
		return number
	}
	return otherwise
}

// bulletOf returns the list for an item without a number. The check box of a task replaces the bullet.
func (w *writer) bulletOf(item ast.Node) int {
	words := item.FirstChild()
	if words == nil || words.FirstChild() == nil {
		return bullets
	}
	task, is := words.FirstChild().(*east.TaskCheckBox)
	if !is {
		return bullets
	}
	words.RemoveChild(words, task)
	if task.IsChecked {
		return doneTasks
	}
	return openTasks
}

// numbering returns the part of the file that defines how each list counts.
func (l *lists) numbering() []byte {
	var b bytes.Buffer
	b.WriteString(xmlHeader + `<w:numbering ` + mainNamespaces + `>`)
	shapes := []struct {
		format string
		text   func(level int) string
	}{
		bulletShape: {"bullet", func(level int) string { return []string{"•", "–", "▪"}[level%3] }},
		openShape:   {"bullet", func(int) string { return openBox }},
		doneShape:   {"bullet", func(int) string { return checkedBox }},
		dotShape:    {"decimal", func(level int) string { return "%" + strconv.Itoa(level+1) + "." }},
		parenShape:  {"decimal", func(level int) string { return "%" + strconv.Itoa(level+1) + ")" }},
	}
	for id, shape := range shapes {
		b.WriteString(`<w:abstractNum w:abstractNumId="` + strconv.Itoa(id) +
			`"><w:multiLevelType w:val="hybridMultilevel"/>`)
		for level := 0; level <= lastLevel; level++ {
			b.WriteString(`<w:lvl w:ilvl="` + strconv.Itoa(level) + `"><w:start w:val="1"/><w:numFmt w:val="` +
				shape.format +
				`"/><w:lvlText w:val="` + shape.text(level) + `"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="` +
				strconv.Itoa((level+1)*step) + `" w:hanging="` + strconv.Itoa(step) + `"/></w:pPr></w:lvl>`)
		}
		b.WriteString(`</w:abstractNum>`)
	}
	number := func(id, shape int, override string) {
		b.WriteString(`<w:num w:numId="` + strconv.Itoa(id) + `"><w:abstractNumId w:val="` + strconv.Itoa(shape) +
			`"/>` + override + `</w:num>`)
	}
	number(bullets, bulletShape, "")
	number(openTasks, openShape, "")
	number(doneTasks, doneShape, "")
	for i, c := range l.numbered {
		number(firstNumbered+i, c.abstract,
			`<w:lvlOverride w:ilvl="`+strconv.Itoa(c.level)+`"><w:startOverride w:val="`+strconv.Itoa(c.start)+
				`"/></w:lvlOverride>`)
	}
	b.WriteString(`</w:numbering>`)
	return b.Bytes()
}
