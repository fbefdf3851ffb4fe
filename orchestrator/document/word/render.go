package word

import (
	"bufio"
	"bytes"
	"context"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// Lengths on the page, in twentieths of a point.
const (
	textWidth  = 11906 - 2*1440 // A4 without margins
	step       = 425            // indentation of a list or a quotation: 7.5 mm
	mostIndent = 12 * step      // the deepest indentation
)

const mainNamespaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`

// page is where the body is written to. An error of the writer is kept until the end.
type page struct{ *bufio.Writer }

func (p page) put(xml string) { _, _ = p.WriteString(xml) }

// render writes the body of the document to out, and returns its title and the definition of the lists that it uses.
func render(ctx context.Context, out page, d Document) (title string, numbering []byte, err error) {
	source := closedUp(d.Text)
	w := &writer{source: source, marks: newMarks(d.Text, d.Marks), page: out, gone: ctx.Err}
	w.runs.out = out
	if w.err = w.gone(); w.err != nil {
		return "", nil, w.err
	}
	out.put(xmlHeader + `<w:document ` + mainNamespaces + `><w:body>`)
	title = w.document(markdown().Parse(text.NewReader(source)), d)
	if left := w.marks.due(len(source)); len(left) > 0 {
		w.paragraph(paragraph{}, func() { w.notes(left) })
	}
	out.put(`<w:sectPr>`)
	if d.Draft {
		out.put(`<w:headerReference w:type="default" r:id="rId6"/>`)
	}
	out.put(`<w:footerReference w:type="default" r:id="rId5"/><w:pgSz w:w="11906" w:h="16838"/>` +
		`<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`)
	return title, w.lists.numbering(), w.err
}

// writer walks the syntax tree of a text and writes it as WordprocessingML.
type writer struct {
	source []byte
	marks  *marks
	page   page
	runs   runs
	lists  lists
	inCell bool         // of a table
	pages  bool         // a thematic break starts a new page
	gone   func() error // the context's Err, set when nobody waits for the document any more
	err    error        // the error that gone returned
}

// place says where a block is: in which list, quotation or cell.
type place struct {
	left   int    // indentation
	quote  bool   // in a quotation
	depth  int    // the number of lists that it is in
	quoted int    // the part of the indentation that comes from quotations
	centre bool   // in the cause title
	item   *label // the label of a list item, before its first paragraph
	loose  bool   // in a list with space between its items
}

// paragraph is the properties of a paragraph.
type paragraph struct {
	style         string
	item          *label
	rule          bool // a line below
	before, after int  // space above and below, where it differs from the style
	left, hanging int
	align         string
}

func (w *writer) paragraph(p paragraph, fill func()) {
	w.page.put("<w:p>")
	var b strings.Builder
	if p.style != "" {
		b.WriteString(`<w:pStyle w:val="` + p.style + `"/>`)
	}
	if p.item != nil && p.item.list > 0 {
		b.WriteString(`<w:numPr><w:ilvl w:val="` + strconv.Itoa(p.item.level) + `"/><w:numId w:val="` +
			strconv.Itoa(p.item.list) + `"/></w:numPr>`)
	}
	if p.rule {
		b.WriteString(`<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="auto"/></w:pBdr>`)
	}
	if p.before+p.after > 0 {
		b.WriteString(`<w:spacing w:before="` + strconv.Itoa(p.before) + `" w:after="` + strconv.Itoa(p.after) + `"/>`)
	}
	if p.left > 0 {
		b.WriteString(`<w:ind w:left="` + strconv.Itoa(p.left) + `"`)
		if p.hanging > 0 {
			b.WriteString(` w:hanging="` + strconv.Itoa(p.hanging) + `"`)
		}
		b.WriteString("/>")
	}
	if p.align != "" {
		b.WriteString(`<w:jc w:val="` + p.align + `"/>`)
	}
	if b.Len() > 0 {
		w.page.put("<w:pPr>" + b.String() + "</w:pPr>")
	}
	w.runs.format, w.runs.script = format{}, ""
	if p.item != nil && p.item.text != "" {
		w.runs.write(p.item.text+"\t", format{})
	}
	fill()
	w.runs.flush()
	w.page.put("</w:p>")
}

// document writes the cause title, the title and the rest, in this order, and returns the words of the title.
func (w *writer) document(root ast.Node, d Document) string {
	w.pages = d.Pages
	first := root.FirstChild()
	title, head := oneLine(d.Title), paragraph{style: "Title"}
	if end := endOfCauseTitle(first); d.CauseTitle && end != nil {
		for ; first != end; first = first.NextSibling() {
			w.block(first, place{centre: true})
		}
		first, title = end.NextSibling(), ""
		head.before, head.after = 400, 400
	}
	if heading, is := first.(*ast.Heading); is &&
		(title == "" && heading.Level == 1 || sameWords(w.words(heading), title)) {
		title = w.words(heading)
		w.paragraph(head, func() { w.inlines(heading, format{}, false); w.closeMarks(heading) })
		first = first.NextSibling()
	} else if title != "" {
		w.paragraph(head, func() { w.runs.write(title, format{}) })
	}
	for ; first != nil; first = first.NextSibling() {
		w.block(first, place{})
	}
	return title
}

// endOfCauseTitle returns the thematic break between a cause title, which begins at first, and the title; nil if
// there is no cause title.
func endOfCauseTitle(first ast.Node) ast.Node {
	end := first
	for end != nil && end.Kind() == ast.KindParagraph {
		end = end.NextSibling()
	}
	if end == nil || end == first || end.Kind() != ast.KindThematicBreak {
		return nil
	}
	if title, is := end.NextSibling().(*ast.Heading); !is || title.Level != 1 {
		return nil
	}
	return end
}

func sameWords(a, b string) bool { return strings.EqualFold(oneLine(a), oneLine(b)) }

// words returns the plain text of a block.
func (w *writer) words(n ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, is := n.(*ast.Text); is && entering {
			b.WriteString(plain(t.Segment.Value(w.source)))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func (w *writer) blocks(parent ast.Node, at place) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n, at)
	}
}

func (w *writer) block(n ast.Node, at place) {
	if w.err == nil {
		w.err = w.gone()
	}
	if w.err != nil {
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		p := at.properties("Heading" + strconv.Itoa(min(n.Level, 4)))
		w.paragraph(p, func() { w.inlines(n, format{}, false); w.closeMarks(n) })
	case *ast.Paragraph, *ast.TextBlock:
		style := ""
		if image := n.FirstChild(); image != nil && image.Kind() == ast.KindImage && image.NextSibling() == nil {
			style = "Caption"
		}
		typed := at.centre || brokenByHand(n, w.source)
		w.paragraph(at.properties(style), func() { w.inlines(n, format{}, typed); w.closeMarks(n) })
	case *ast.Blockquote:
		w.label(at)
		at.quote, at.quoted = true, at.quoted+step
		at.left = min(at.left+step, mostIndent)
		w.blocks(n, at)
	case *ast.List:
		w.label(at)
		w.list(n, at)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.label(at)
		w.code(n, at)
	case *ast.HTMLBlock:
		w.paragraph(at.properties(""), func() { w.html(n) })
	case *ast.ThematicBreak:
		w.rule(n, at)
	case *east.Table:
		w.label(at)
		w.table(n, at)
	default:
		w.blocks(n, at)
	}
}

// properties returns the properties of a paragraph at a place, with the label of its list item unless an earlier
// paragraph took it.
func (at place) properties(style string) paragraph {
	p := paragraph{style: style, left: at.left}
	switch {
	case at.centre && style == "":
		p.style = "CauseTitle"
	case at.centre:
		p.align = "center"
	}
	if style == "" && at.quote {
		p.style = "Quote"
	}
	if at.item != nil && !at.item.taken {
		at.item.taken = true
		p.item, p.hanging, p.align = at.item, step, ""
		if style == "" || style == "Caption" {
			p.style = at.item.style
			if at.loose && at.item.style == "ListNumber" {
				p.before, p.after = 120, 120
			}
		}
		if at.quoted == 0 && at.item.list > 0 && at.left == (at.item.level+1)*step {
			p.left, p.hanging = 0, 0 // the list itself defines these
		}
	} else if style == "" && at.depth > 0 && !at.quote {
		p.style = "ListContinue"
	}
	return p
}

// label writes an item's label in a paragraph of its own, if what follows cannot carry it.
func (w *writer) label(at place) {
	if at.item != nil && !at.item.taken {
		w.paragraph(at.properties(""), func() {})
	}
}

// narrow is a line length so short that a line which ends before it was broken on purpose: nobody wraps prose there.
const narrow = 60

// brokenByHand reports whether the line breaks of a paragraph are intended, as in an address or a signature. In prose
// that was wrapped, the next word would not have fitted on the line.
func brokenByHand(n ast.Node, source []byte) bool {
	var lines []string
	room := narrow
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		lines = append(lines, strings.TrimSpace(string(line.Value(source))))
		room = max(room, utf8.RuneCountInString(lines[i]))
	}
	for i := 1; i < len(lines); i++ {
		word, _, _ := strings.Cut(lines[i], " ")
		if utf8.RuneCountInString(lines[i-1])+1+utf8.RuneCountInString(word) <= room {
			return true
		}
	}
	return false
}

func (w *writer) code(n ast.Node, at place) {
	p := at.properties("Code")
	p.align = ""
	lines := n.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		w.paragraph(p, func() {
			for range line.Padding {
				w.runs.write(" ", format{})
			}
			w.text(line.Start, line.Stop-trailing(w.source[line.Start:line.Stop]), format{}, true)
			w.notes(w.marks.due(line.Stop))
		})
	}
}

// trailing returns the number of bytes of a line's end.
func trailing(line []byte) int { return len(line) - len(bytes.TrimRight(line, "\r\n")) }

// html writes a block of HTML as it was typed.
func (w *writer) html(n *ast.HTMLBlock) {
	var segments []text.Segment
	for i := range n.Lines().Len() {
		segments = append(segments, n.Lines().At(i))
	}
	if n.HasClosure() {
		segments = append(segments, n.ClosureLine)
	}
	for i, line := range segments {
		if i > 0 {
			w.runs.element("<w:br/>")
		}
		if typed := bytes.TrimSpace(w.source[line.Start:line.Stop]); !lineBreak.Match(typed) {
			w.text(line.Start, line.Stop-trailing(w.source[line.Start:line.Stop]), format{}, true)
		}
	}
	if len(segments) > 0 {
		w.notes(w.marks.due(segments[len(segments)-1].Stop))
	}
}

// rule writes a line across the page. A long row of underscores is a line to sign on and stays as typed.
func (w *writer) rule(n ast.Node, at place) {
	if start := n.Pos(); start >= 0 && start < len(w.source) && w.source[start] == '_' {
		line := w.source[start:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		if line = bytes.TrimSpace(line); len(line) > 5 {
			w.paragraph(at.properties(""), func() { w.text(start, start+len(line), format{}, true) })
			return
		}
	}
	w.label(at)
	if w.pages {
		w.page.put(`<w:p><w:r><w:br w:type="page"/></w:r></w:p>`)
		return
	}
	p := at.properties("")
	p.rule = true
	w.paragraph(p, func() {})
}

// inlines writes the text below a node. If typed is set, its line breaks are kept.
func (w *writer) inlines(parent ast.Node, f format, typed bool) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n, f, typed)
	}
}

var lineBreak = regexp.MustCompile(`(?i)^<br\s*/?>$`)

func (w *writer) inline(n ast.Node, f format, typed bool) {
	switch n := n.(type) {
	case *ast.Text:
		w.text(n.Segment.Start, n.Segment.Stop, f, n.IsRaw())
		switch {
		case n.HardLineBreak(), n.SoftLineBreak() && typed:
			w.runs.element("<w:br/>")
		case n.SoftLineBreak():
			w.runs.write(" ", f)
		}
	case *ast.String:
		w.runs.write(string(n.Value), f)
	case *ast.CodeSpan:
		f.code = true
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, is := c.(*ast.Text); is {
				w.codeWords(t.Segment.Start, t.Segment.Stop, f)
			}
		}
	case *ast.Emphasis:
		if n.Level == 2 {
			f.bold = true
		} else {
			f.italic = true
		}
		w.inlines(n, f, typed)
	case *east.Strikethrough:
		f.strike = true
		w.inlines(n, f, typed)
	case *ast.Link:
		w.inlines(n, f, typed)
		w.address(n, n.Destination, n.Title, f)
	case *ast.Image:
		w.inlines(n, f, typed)
		w.address(n, n.Destination, n.Title, f)
	case *ast.AutoLink:
		w.runs.write(string(n.Label(w.source)), f)
	case *ast.RawHTML:
		if n.Segments.Len() == 1 {
			if tag := n.Segments.At(0); lineBreak.Match(tag.Value(w.source)) {
				w.runs.element("<w:br/>")
				return
			}
		}
		for i := range n.Segments.Len() {
			part := n.Segments.At(i)
			w.text(part.Start, part.Stop, f, true)
		}
	case *east.TaskCheckBox:
		w.runs.write(box(n)+" ", f)
	default:
		w.inlines(n, f, typed)
	}
}

func box(n *east.TaskCheckBox) string {
	if n.IsChecked {
		return checkedBox
	}
	return openBox
}

// address writes the target of a link or a picture, which cannot be clicked on paper, unless the words of the link
// show it already.
func (w *writer) address(n ast.Node, destination, title []byte, f format) {
	to := plain(destination)
	words := strings.TrimSpace(w.words(n))
	if strings.HasPrefix(to, "data:") || words == to || words == strings.TrimPrefix(to, "mailto:") ||
		words == strings.TrimPrefix(to, "tel:") {
		to = ""
	}
	if len(title) > 0 {
		to = strings.TrimSpace(to + " “" + plain(title) + "”")
	}
	if to != "" {
		w.runs.write(" ("+to+")", f)
	}
}

// codeWords writes inline code. In a table cell a vertical bar within it is escaped with a backslash, which is
// dropped.
func (w *writer) codeWords(start, stop int, f format) {
	for w.inCell {
		escape := bytes.Index(w.source[start:stop], []byte(`\|`))
		if escape < 0 {
			break
		}
		w.text(start, start+escape, f, true)
		start += escape + 1
	}
	w.text(start, stop, f, true)
}

// text writes a segment of the source; marked parts are shaded and followed by their notes.
func (w *writer) text(start, stop int, f format, raw bool) {
	w.notes(w.marks.due(start))
	for start < stop {
		marked, until := w.marks.at(start, stop)
		f.marked = marked
		if piece := w.source[start:until]; raw {
			w.runs.write(string(piece), f)
		} else {
			w.runs.write(plain(piece), f)
		}
		start = until
		if marked {
			w.notes(w.marks.due(start))
		}
	}
}

func (w *writer) notes(notes []string) {
	for _, note := range notes {
		w.runs.write(" ["+note+"]", format{marked: true})
	}
}

// closeMarks writes the notes of marks that end with a block, after its last word.
func (w *writer) closeMarks(n ast.Node) {
	if lines := n.Lines(); lines != nil && lines.Len() > 0 {
		w.notes(w.marks.due(lines.At(lines.Len() - 1).Stop))
	}
}
