package word

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Limits that keep the parsing time proportional to the length of a text, whatever it contains. Where goldmark would
// be slow, the text stays as typed.
const (
	mostDepth    = 32    // nested lists and quotations, and nested brackets
	mostParens   = 32    // nested brackets in an address
	mostStars    = 1000  // emphasis marks in a paragraph, each of which goldmark compares with all before it
	mostBlank    = 8     // consecutive lines without a word
	mostAddition = 10000 // cells that a table may have beyond one for each byte
)

// markdown returns a parser for the Markdown that our prompts ask for. Definitions of link references stay as typed:
// "[Place]: Mumbai" is a blank that was filled in, not an address.
func markdown() parser.Parser {
	ofLinks := parser.NewLinkParser()
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(shallow{parser.NewListParser()}, 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(shallow{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000)),
		parser.WithParagraphTransformers(util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(links{ofLinks, ofLinks.(parser.CloseBlocker)}, 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(blank{}, 450),
			util.Prioritized(stars{parser.NewEmphasisParser()}, 500),
			util.Prioritized(stars{extension.NewStrikethroughParser()}, 500)),
	)
}

// closedUp joins long runs of lines without a word into one long line, because goldmark keeps track of each such line
// for each list that it may belong to. The offsets of all words stay the same.
func closedUp(typed string) []byte {
	source := []byte(typed)
	blank, end := 0, -1 // consecutive lines without a word, and where the last of them ends
	for i, c := range source {
		switch c {
		case '\n':
			if blank++; blank > mostBlank {
				source[end] = ' '
			}
			end = i
		case ' ', '\t', '\r':
		default:
			blank = 0
		}
	}
	return source
}

// shallow limits the nesting of lists and quotations to mostDepth, because goldmark compares each line with all that
// it may continue. Deeper ones stay as typed, on the last level.
type shallow struct{ parser.BlockParser }

func (s shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if kind := n.Kind(); kind == ast.KindList || kind == ast.KindBlockquote {
			depth++
		}
	}
	if depth >= mostDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, reader, pc)
}

// tables leaves a table as typed if it would get far more cells than it has words, since goldmark fills up each row.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(n *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, bytes, columns := n.Lines(), 0, 0
	for i := range lines.Len() {
		line := lines.At(i)
		bytes += line.Len()
		columns = max(columns, columnsOf(line.Value(reader.Source())))
	}
	if columns*lines.Len() <= bytes+mostAddition {
		t.ParagraphTransformer.Transform(n, reader, pc)
	}
}

// columnsOf returns how many columns a line defines if it is the delimiter row of a table, else 0.
func columnsOf(line []byte) int {
	if len(bytes.Trim(line, "|:- \t\r\n")) > 0 || bytes.IndexByte(line, '-') < 0 {
		return 0
	}
	return bytes.Count(line, []byte("|")) + 1
}

// blank keeps a line to write on, of four or more underscores, which Markdown might take for emphasis.
type blank struct{}

func (blank) Trigger() []byte { return []byte{'_'} }

func (blank) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := 0
	for n < len(line) && line[n] == '_' {
		n++
	}
	if n < 4 {
		return nil
	}
	block.Advance(n)
	return ast.NewTextSegment(segment.WithStop(segment.Start + n))
}

// links prevents three slow searches of goldmark: for the end of an address through the rest of the line, for a label
// in all lines of a paragraph, and through many nested brackets.
type links struct {
	parser.InlineParser
	parser.CloseBlocker
}

// opened counts what was opened in a block: brackets, brackets left as typed, and emphasis marks.
type opened struct{ kept, left, stars int }

var openedKey = parser.NewContextKey()

func openedIn(pc parser.Context) *opened {
	return pc.ComputeIfAbsent(openedKey, func() any { return &opened{} }).(*opened)
}

// stars leaves emphasis marks as typed if a block has too many.
type stars struct{ parser.InlineParser }

func (s stars) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	open := openedIn(pc)
	if open.stars == mostStars {
		return nil
	}
	n := s.InlineParser.Parse(parent, block, pc)
	if n != nil {
		open.stars++
	}
	return n
}

func (l links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	open := openedIn(pc)
	switch {
	case line[0] == '!' && !bytes.HasPrefix(line, []byte("![")):
		return nil
	case line[0] == '!' && open.kept >= mostDepth:
		return nil // its bracket comes next
	case line[0] == '[' && open.kept >= mostDepth:
		open.left++
		return nil
	case line[0] != ']':
		open.kept++
	case open.left > 0:
		open.left--
		return nil
	case bytes.HasPrefix(line, []byte("](")) && !address(bytes.TrimLeft(line[2:], " \t")):
		return nil
	case open.kept > 0:
		open.kept--
	}
	return l.InlineParser.Parse(parent, asTyped{block}, pc)
}

func (l links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	pc.Set(openedKey, nil)
	l.CloseBlocker.CloseBlock(parent, block, pc)
}

// asTyped returns a segment of the source without searching for its lines.
type asTyped struct{ text.Reader }

func (r asTyped) Value(s text.Segment) []byte { return s.Value(r.Source()) }

// address reports whether a line may begin with a link address.
func address(line []byte) bool {
	if bytes.HasPrefix(line, []byte("<")) {
		end := bytes.IndexAny(line[1:], "<>")
		return end >= 0 && (line[1+end] == '>' || line[end] == '\\')
	}
	parens := 0
	for _, c := range line {
		switch {
		case c <= ' ':
			return true
		case c == '(':
			if parens++; parens > mostParens {
				return false
			}
		case c == ')':
			if parens--; parens < 0 {
				return true
			}
		}
	}
	return true
}
