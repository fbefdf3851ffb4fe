package word_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	goldhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"munshi/orchestrator/document/word"
)

// corpus returns the texts of testdata, and some that are too long to be stored.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.md")
	if err != nil || len(files) < 60 {
		t.Fatalf("%d texts: %v", len(files), err)
	}
	texts := map[string]string{
		"long-line":       strings.Repeat("word ", 20000),
		"long-word":       strings.Repeat("x", 50000) + " end",
		"many-paragraphs": numbered(800, "Paragraph number %d of the submissions.\n\n"),
		"many-lists":      numbered(2100, "3. clause\n\nbetween %d\n\n"),
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(filepath.Base(file), ".md")] = string(content)
	}
	texts["megabyte"] = strings.Repeat(texts["service-agreement"]+"\n\n"+texts["reply-cause-title"]+"\n\n"+texts["hindi-reply"]+"\n\n", 1<<20/16000)
	for len(texts["megabyte"]) < 1<<20 {
		texts["megabyte"] += texts["legal-notice"] + "\n\n"
	}
	return texts
}

func numbered(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i+1)
	}
	return b.String()
}

func written(t testing.TB, d word.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := word.Write(t.Context(), &b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCorpus(t *testing.T) {
	for name, text := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, d := range []word.Document{{Title: "GST Notice Reply", Text: text}, {Text: text, CauseTitle: true}} {
				if d.CauseTitle && len(text) > 100_000 {
					continue // tests nothing new, and takes a second
				}
				f := opened(t, written(t, d))
				if lost := missing(tokens(rendered(t, text)), tokens(f.text())); lost != "" {
					t.Errorf("lost: %s", lost)
				}
			}
		})
	}
}

func FuzzWrite(f *testing.F) {
	for name, text := range corpus(f) {
		if len(text) < 4000 {
			f.Add(text, len(name), 40)
		}
	}
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		d := word.Document{Title: text, Text: text, Marks: []word.Mark{{Start: start, End: end, Note: text}, {Start: start / 2, End: end}}}
		got := opened(t, written(t, d)).text()
		if lost := missing(letters(rendered(t, text)), letters(got)); lost != "" {
			t.Errorf("lost: %s", lost)
		}
		if name := word.FileName(text); len(name) > 240 || !utf8.ValidString(name) {
			t.Errorf("file name %q", name)
		}
	})
}

// rendered returns the words of a Markdown text as in goldmark's own HTML, including HTML as it was typed, and the
// descriptions of pictures.
func rendered(t testing.TB, text string) string {
	t.Helper()
	var page bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(typedHTML{}, 1)), goldhtml.WithUnsafe()))
	if err := md.Convert([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	words := pictures.ReplaceAllString(page.String(), "$1")
	words = within.ReplaceAllString(words, "")
	return html.UnescapeString(tags.ReplaceAllString(words, " "))
}

var (
	pictures = regexp.MustCompile(`<img src="[^"]*" alt="([^"]*)"[^>]*>`)
	within   = regexp.MustCompile(`</?(?:em|strong|del|code|a)(?: [^>]*)?>`)
	tags     = regexp.MustCompile(`<[^>]*>`)
	breaks   = regexp.MustCompile(`(?im)^\s*<br\s*/?>\s*$`)
)

// typedHTML shows HTML in Markdown as text, except for line breaks.
type typedHTML struct{}

func (typedHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	write := func(w util.BufWriter, typed []byte) {
		_, _ = w.WriteString(html.EscapeString(breaks.ReplaceAllString(string(typed), "\n")))
	}
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			write(w, n.(*ast.RawHTML).Segments.Value(source))
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if block := n.(*ast.HTMLBlock); entering {
			write(w, block.Lines().Value(source))
			if block.HasClosure() {
				write(w, block.ClosureLine.Value(source))
			}
			_, _ = w.WriteString(" <p>")
		}
		return ast.WalkContinue, nil
	})
}

// tokens returns the words of a text: everything between spaces and punctuation.
func tokens(text string) []string {
	return strings.FieldsFunc(inXML(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// letters returns each letter and digit of a text.
func letters(text string) []string {
	var found []string
	for _, r := range inXML(text) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			found = append(found, string(r))
		}
	}
	return found
}

// inXML removes what cannot occur in XML.
func inXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && !unicode.IsSpace(r) || r >= 0xFFFD && r <= 0xFFFF { // goldmark writes U+FFFD for NUL
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "�"))
}

// missing returns the first words that do not occur, in order, among others.
func missing(wanted, got []string) string {
	at := 0
	for i, word := range wanted {
		next := slices.Index(got[at:], word)
		if next < 0 {
			return fmt.Sprintf("%q (after %q)", wanted[i:min(i+8, len(wanted))], wanted[max(i-5, 0):i])
		}
		at += next + 1
	}
	return ""
}

func TestTitleAndBody(t *testing.T) {
	f := opened(t, written(t, word.Document{Title: " GST  Notice\nReply ", Text: "# One\n\n## Two\n\nBody"}))
	body := f.document.child("body").children
	for i, want := range [][2]string{{"Title", "GST Notice Reply"}, {"Heading1", "One"}, {"Heading2", "Two"}, {"", "Body"}} {
		if style := body[i].child("pPr").child("pStyle").attributes["val"]; style != want[0] || body[i].words() != want[1] {
			t.Errorf("paragraph %d: %q in style %q", i, body[i].words(), style)
		}
	}
	styles := map[string]*element{}
	for _, s := range f.roots["word/styles.xml"].all("style") {
		styles[s.attributes["styleId"]] = s
	}
	title := styles["Title"]
	if p := title.child("pPr"); p.child("jc").attributes["val"] != "center" || p.child("spacing").attributes["after"] != "400" || p.child("outlineLvl").attributes["val"] != "0" {
		t.Error("the title is not centred, with 400 after it, on level 1")
	}
	for style, size := range map[string]string{"Title": "32", "Heading1": "28", "Heading2": "26"} {
		if r := styles[style].child("rPr"); r.child("b").name == "" || r.child("sz").attributes["val"] != size {
			t.Errorf("%s is not bold in size %s", style, size)
		}
	}
	if s := styles["ListBullet"].child("pPr").child("spacing"); s.attributes["after"] != "60" {
		t.Errorf("%s after a bullet", s.attributes["after"])
	}
	core := f.roots["docProps/core.xml"]
	if core.child("title").text != "GST Notice Reply" || core.child("creator").text != "Munshi" || len(core.all("created")) > 0 {
		t.Errorf("properties %s", f.parts["docProps/core.xml"])
	}
	if footer := f.roots["word/footer1.xml"]; footer.words() != "Page 1 of 1" || len(footer.all("instrText")) != 2 {
		t.Errorf("footer %q", footer.words())
	}
}

func TestTitleIsWrittenOnce(t *testing.T) {
	f := opened(t, written(t, word.Document{Title: "Legal Notice", Text: "# LEGAL *notice*\n\n# Legal Notice\n"}))
	if got := f.text(); got != "LEGAL notice\nLegal Notice\n" {
		t.Errorf("text %q", got)
	}
	if style := f.paragraph(t, "LEGAL").child("pPr").child("pStyle").attributes["val"]; style != "Title" {
		t.Errorf("the heading that says the title is in style %q", style)
	}
}

func TestFirstHeadingIsTheTitle(t *testing.T) {
	for text, want := range map[string]string{"# Reply in *form* DRC-06\n\nBody": "Reply in form DRC-06", "## Facts": "", "Body\n\n# Late": "", "": ""} {
		f := opened(t, written(t, word.Document{Text: text}))
		styled := ""
		if body := f.document.child("body").children; body[0].child("pPr").child("pStyle").attributes["val"] == "Title" {
			styled = body[0].words()
		}
		if core := f.roots["docProps/core.xml"].child("title").text; styled != want || core != want {
			t.Errorf("%q: title %q, of the file %q", text, styled, core)
		}
	}
}

func TestCauseTitle(t *testing.T) {
	text := "**BEFORE THE AUTHORITY**\nBengaluru\n\nIn the matter of A\n\n---\n\n# REPLY\n\nBody\n\n---\n\n# End"
	f := opened(t, written(t, word.Document{Title: "A file", Text: text, CauseTitle: true}))
	if got := f.text(); got != "BEFORE THE AUTHORITY\nBengaluru\nIn the matter of A\nREPLY\nBody\n\nEnd\n" {
		t.Errorf("text %q", got)
	}
	if p := f.paragraph(t, "REPLY").child("pPr"); p.child("pStyle").attributes["val"] != "Title" || p.child("spacing").attributes["before"] != "400" {
		t.Error("what stands below the cause title is not the title")
	}
	if style := f.paragraph(t, "BEFORE").child("pPr").child("pStyle").attributes["val"]; style != "CauseTitle" {
		t.Errorf("the cause title is in style %q", style)
	}
	for _, d := range []word.Document{{Text: text}, {Text: "No line\n\nacross", CauseTitle: true}, {Text: "To,\n\n---\n\nNo title", CauseTitle: true},
		{Text: "# A title\n\nBody\n\n---\n\n# Another", CauseTitle: true}, {Text: "---\n\n# Nothing above", CauseTitle: true}} {
		if f := opened(t, written(t, d)); strings.Contains(string(f.parts["word/document.xml"]), "CauseTitle") {
			t.Errorf("%q has a cause title", d.Text)
		}
	}
}

// TestLists checks what precedes each item: its list and level, and the number with which that list
// starts.
func TestLists(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"restarts", "1. a\n2. b\n\nx\n\n1. c", "decimal 0 from 1: a\n+ b\ndecimal 0 from 1: c\n"},
		{"goes on", "1. a\n\nx\n\n2. b", "decimal 0 from 1: a\ndecimal 0 from 2: b\n"},
		{"as typed", "5. a\n7. b\n8. c", "decimal 0 from 5: a\ndecimal 0 from 7: b\n+ c\n"},
		{"all the same", "3. a\n3. b\n3. c", "decimal 0 from 3: a\n+ b\n+ c\n"},
		{"nested", "1. a\n   1. b\n   2. c\n2. d\n   - e\n     1. f", "decimal 0 from 1: a\ndecimal 1 from 1: b\n+ c\n+ d\nbullet 1: e\ndecimal 2 from 1: f\n"},
		{"at the end", "x\n- a\n- b", "bullet 0: a\nbullet 0: b\n"},
		{"tasks", "- [ ] a\n- [x] b\n- c", "☐ 0: a\n☑ 0: b\nbullet 0: c\n"},
		{"numbered tasks", "1. [x] a", "decimal 0 from 1: ☑ a\n"},
		{"empty item", "1.\n2. a", "decimal 0 from 1: \n+ a\n"},
		{"too far for Word", "40000. a\n40001. b", "40000.\ta\n40001.\tb\n"},
		{"typed clauses", "1.1 a\n\n(a) b\n\n1986\\. c", ""},
		{"in a quotation", "> 2) a", "decimal 0 from 2: a\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := opened(t, written(t, word.Document{Text: c.text}))
			starts, shapes := map[string]string{}, map[string]string{}
			for _, n := range f.numbering.all("num") {
				shape := n.child("abstractNumId").attributes["val"]
				for _, a := range f.numbering.all("abstractNum") {
					if a.attributes["abstractNumId"] == shape {
						level := a.all("lvl")[0]
						shapes[n.attributes["numId"]] = level.child("numFmt").attributes["val"]
						if sign := level.child("lvlText").attributes["val"]; sign == "☐" || sign == "☑" {
							shapes[n.attributes["numId"]] = sign
						}
					}
				}
				if start := n.all("startOverride"); len(start) > 0 {
					starts[n.attributes["numId"]] = " from " + start[0].attributes["val"]
				}
			}
			var got strings.Builder
			counting := map[string]bool{}
			for _, p := range f.document.all("p") {
				properties := p.child("pPr").child("numPr")
				id := properties.child("numId").attributes["val"]
				switch {
				case id != "" && counting[id]:
					fmt.Fprintf(&got, "+ %s\n", p.words())
				case id != "":
					counting[id] = shapes[id] == "decimal"
					fmt.Fprintf(&got, "%s %s%s: %s\n", shapes[id], properties.child("ilvl").attributes["val"], starts[id], p.words())
				case p.child("pPr").child("pStyle").attributes["val"] == "ListNumber":
					fmt.Fprintf(&got, "%s\n", p.words())
				}
			}
			if got.String() != c.want {
				t.Errorf("got\n%swant\n%s", got.String(), c.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"blank", "Dated […], [...] and [Name]", "Dated […], [...] and [Name]\n"},
		{"lines to write on", "(____) and (____)\n\n____________", "(____) and (____)\n____________\n"},
		{"filled blanks are no addresses", "[Place]: Mumbai\n\n[Date]: 12.05.2026", "[Place]: Mumbai\n[Date]: 12.05.2026\n"},
		{"address lines", "To,\nThe Officer\nWard 4", "To,\nThe Officer\nWard 4\n"},
		{"wrapped prose", strings.Repeat("wrapped ", 10) + "\n" + strings.Repeat("wrapped ", 10) + "\nend", strings.Repeat("wrapped ", 20) + "end\n"},
		{"link", `[text](https://a.in/?x=1&amp;y=2 "title")`, "text (https://a.in/?x=1&y=2 “title”)\n"},
		{"link that says its address", "[https://a.in](https://a.in) [m@a.in](mailto:m@a.in) <https://b.in>", "https://a.in m@a.in https://b.in\n"},
		{"picture", "![words](p.png) ![d](data:x)", "words (p.png) d\n"},
		{"HTML", "a <b>c</b> <!-- d --> e<br>f", "a <b>c</b> <!-- d --> e\nf\n"},
		{"block of HTML", "<div>\nx\n</div>", "<div>\nx\n</div>\n"},
		{"entities", "&amp; \\* &copy; &nosuch; \\\\ `&amp; \\*`", "& * © &nosuch; \\ &amp; \\*\n"},
		{"control characters", "a\x01b\x0bc\ufffed", "ab cd\n"},
		{"not UTF-8", "a\xffb", "a�b\n"},
		{"code keeps its spaces", "```\n  a\n\tb\n```", "  a\n\tb\n"},
		{"a stroke in code in a cell", "|a|\n|-|\n|`x\\|y` \\| z|\n\n`x\\|y`", "a\nx|y | z\n\nx\\|y\n"},
		{"cells without a column", "|a|b|\n|-|-|\n|1|2|3|4|", "a\nb\n1\n2 | 3|4\n\n"},
		{"no header", "| | |\n|-|-|\n|1|2|", "1\n2\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := opened(t, written(t, word.Document{Text: c.text})).text(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTable(t *testing.T) {
	f := opened(t, written(t, word.Document{Text: "|L|C|R|N|\n|:-|:-:|-:|-|\n|1|2|3|4|\n\n|second|\n|-|"}))
	tables := f.document.all("tbl")
	if len(tables) != 2 {
		t.Fatalf("%d tables", len(tables))
	}
	rows := tables[0].all("tr")
	if len(rows[0].all("tblHeader")) != 1 || len(rows[1].all("tblHeader")) != 0 {
		t.Error("not the first row, and it alone, is the header")
	}
	for i, want := range []string{"", "center", "right", ""} {
		if got := rows[1].all("tc")[i].child("p").child("pPr").child("jc").attributes["val"]; got != want {
			t.Errorf("column %d is aligned %q", i, got)
		}
	}
}

func TestScripts(t *testing.T) {
	f := opened(t, written(t, word.Document{Text: "GST **पहचान संख्या**, 29AAA தமிழ்"}))
	var got []string
	for _, r := range f.document.all("r") {
		p := r.child("rPr")
		got = append(got, strings.TrimSpace(p.child("lang").attributes["bidi"]+p.child("cs").name+" "+p.child("bCs").name+" "+r.words()))
	}
	want := []string{"GST", "hi-INcs bCs पहचान संख्या", "hi-INcs  ,", "29AAA", "ta-INcs  தமிழ்"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestMarks(t *testing.T) {
	mark := func(text, words, note string) word.Mark {
		at := strings.Index(text, words)
		return word.Mark{Start: at, End: at + len(words), Note: note}
	}
	for _, c := range []struct {
		name, text string
		words      []string
		want       string // shaded words are in braces
	}{
		{"in a sentence", "See section 999 of the Act.", []string{"section 999"}, "See {section 999 [section 999?]} of the Act."},
		{"across emphasis", "See **section** *999*.", []string{"**section** *999*"}, "See {section}{ }{999}{ [**section** *999*?]}."},
		{"at the end of a paragraph", "See **Arise**\n\nNext", []string{"**Arise**"}, "See {Arise}{ [**Arise**?]}|Next"},
		{"in a cell", "|a|\n|-|\n|s. 1 x|", []string{"s. 1"}, "a|{s. 1 [s. 1?]} x|"},
		{"in code", "`s. 1`", []string{"s. 1"}, "{s. 1}{ [s. 1?]}"},
		{"one in another", "section 16(2)(aa)", []string{"section 16(2)(aa)", "16(2)"}, "{section 16(2) [16(2)?](aa) [section 16(2)(aa)?]}"},
		{"within an address", "[text](https://a.in/x)", []string{"/x"}, "text (https://a.in/x){ [/x?]}"},
		{"Hindi", "धारा 999 का", []string{"धारा 999"}, "{धारा }{999 [}{धारा }{999?]} का"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := word.Document{Text: c.text}
			for _, words := range c.words {
				d.Marks = append(d.Marks, mark(c.text, words, words+"?"))
			}
			var got []string
			for _, p := range opened(t, written(t, d)).document.all("p") {
				var b strings.Builder
				for _, r := range p.all("r") {
					if r.child("rPr").child("rStyle").attributes["val"] == "Unverified" {
						b.WriteString("{" + r.words() + "}")
					} else {
						b.WriteString(r.words())
					}
				}
				got = append(got, b.String())
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("got %q", got)
			}
		})
	}
	t.Run("without a note", func(t *testing.T) {
		f := opened(t, written(t, word.Document{Text: "Arise India", Marks: []word.Mark{{Start: 0, End: 5}}}))
		if got := f.text(); got != "Arise [not verified] India\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("where there is no text", func(t *testing.T) {
		text := "क [a](b)"
		for _, m := range []word.Mark{{Start: -1, End: 2}, {Start: 3, End: 3}, {Start: 5, End: 900}, {Start: 1, End: 2}, {Start: 0, End: len(text)}} {
			opened(t, written(t, word.Document{Text: text, Marks: []word.Mark{m, m}}))
		}
	})
}

func TestFileName(t *testing.T) {
	for title, want := range map[string]string{
		"GST Notice Reply":             "gst-notice-reply.docx",
		"  Rent \t\n Agreement\u00a0 ": "rent-agreement.docx",
		"Reply: DRC-01/06 & \"x\"":     "reply-drc-01-06-&-x.docx",
		"":                             "document.docx",
		"...":                          "document.docx",
		"../../etc/passwd":             "etc-passwd.docx",
		"CON":                          "document-con.docx",
		"nul.txt":                      "document-nul.txt.docx",
		"console":                      "console.docx",
		"कारण बताओ नोटिस":         "कारण-बताओ-नोटिस.docx",
		"a\r\nSet-Cookie: x=1":    "a-set-cookie-x=1.docx",
		"\u202etxt.exe\u200b\x00": "txt.exe.docx",
		"a\xffb":                  "ab.docx",
		"100% of ₹5":              "100-of-₹5.docx",
		"Reply V(GST)15-33/JC/25": "reply-v(gst)15-33-jc-25.docx",
		strings.Repeat("ख", 300):  strings.Repeat("ख", 66) + ".docx",
	} {
		if got := word.FileName(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
	naughty := []string{"<script>alert(1)</script>", "a;b", `a"b\c`, "C:\\aux\\com1", "lpt9.", "~", "-rf *", "|x", "$(touch x)", "`x`", "%2e%2e%2f", "a\x7fb", "\ufeffx", "🇮🇳", "com¹", "A. ", "---"}
	for _, title := range naughty {
		name := word.FileName(title)
		if strings.ContainsAny(name, "<>:\"/\\|?*;%$`~'\x7f") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") || strings.ContainsFunc(name, unicode.IsControl) || filepath.Base(name) != name {
			t.Errorf("%q: %q", title, name)
		}
		if _, back, err := mime.ParseMediaType(mime.FormatMediaType("attachment", map[string]string{"filename": name})); err != nil || back["filename"] != name {
			t.Errorf("%q in a header: %v, %v", name, back, err)
		}
	}
}

func TestSameBytes(t *testing.T) {
	d := word.Document{Title: "Reply", Text: corpus(t)["reply-cause-title"], CauseTitle: true}
	if !bytes.Equal(written(t, d), written(t, d)) {
		t.Error("two files of one document differ")
	}
}

func TestTooLong(t *testing.T) {
	var b bytes.Buffer
	if err := word.Write(t.Context(), &b, word.Document{Text: strings.Repeat("word ", 2<<20)}); !errors.Is(err, word.ErrTooLong) || b.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, b.Len())
	}
}

// TestNobodyWaits ends the context before, and in the midst of, a document.
func TestNobodyWaits(t *testing.T) {
	for _, most := range []int{0, 20_000} {
		ctx, cancel := context.WithCancel(t.Context())
		out := &until{most: most, then: cancel}
		if most == 0 {
			cancel()
		}
		err := word.Write(ctx, out, word.Document{Text: numbered(100_000, "Paragraph %d.\n\n")})
		if !errors.Is(err, context.Canceled) || out.written > 200_000 {
			t.Errorf("after %d bytes: error %v, %d bytes written", most, err, out.written)
		}
		cancel()
	}
}

// until calls a function once more than so many bytes were written.
type until struct {
	written, most int
	then          func()
}

func (u *until) Write(p []byte) (int, error) {
	if u.written += len(p); u.written > u.most {
		u.then()
	}
	return len(p), nil
}

func TestNowhereToWrite(t *testing.T) {
	if err := word.Write(t.Context(), full{}, word.Document{Text: "x"}); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

var errFull = errors.New("no room")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// BenchmarkFiftyPages writes a draft of 52 pages, as LibreOffice lays them out.
func BenchmarkFiftyPages(b *testing.B) {
	texts := corpus(b)
	draft := strings.Repeat(texts["reply-cause-title"]+"\n\n"+texts["service-agreement"]+"\n\n", 14)
	b.ReportAllocs()
	for b.Loop() {
		if err := word.Write(b.Context(), &bytes.Buffer{}, word.Document{Title: "Draft", Text: draft}); err != nil {
			b.Fatal(err)
		}
	}
}
