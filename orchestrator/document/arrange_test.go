package document_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/document"
)

// run is a level run of 10-point text whose letters are 5 points wide.
func run(x, y float64, text string) document.Line {
	return inBlock(0, x, y, text)
}

func inBlock(block int, x, y float64, text string) document.Line {
	return document.NewLine(x, y, x+5*float64(len([]rune(text))), y+10, 1, 0, 10, block, text)
}

func TestArrange(t *testing.T) {
	column := func(block int, x float64, word string) []document.Line {
		var lines []document.Line
		for i := range 5 {
			lines = append(lines, inBlock(block, x, float64(i*12), strings.Repeat(word+" ", 6)))
		}
		return lines
	}
	for _, test := range []struct {
		name  string
		lines []document.Line
		want  string
	}{
		{"nothing", nil, ""},
		{"from top to bottom", []document.Line{run(0, 24, "third"), run(0, 0, "first"), run(0, 12, "second")}, "first\nsecond\nthird"},
		{"a row of cells, in its columns", []document.Line{
			run(0, 0, "Sr."), run(200, 0, "Tax"), run(50, 0, "Act"),
			run(0, 12, "1"), run(50, 12, "CGST"), run(200, 12, "1,74,620"),
			run(200, 24, "more"),
		}, "Sr.       Act                           Tax\n1         CGST                          1,74,620\n                                        more"},
		{"cells that nearly touch", []document.Line{run(0, 0, "1,92,400"), run(46, 0, "1,38,528")}, "1,92,400  1,38,528"},
		{"words that were set apart", []document.Line{run(0, 0, "the"), run(18, 0, "tax")}, "the tax"},
		{"a raised letter", []document.Line{run(0, 0, "10"), document.NewLine(10, -2, 16, 5, 1, 0, 6, 0, "th"), run(20, 0, "April")}, "10th April"},
		{"paragraphs", []document.Line{run(0, 0, "one"), run(0, 12, "one"), run(0, 40, "two")}, "one\none\n\ntwo"},
		{"twice for boldness", []document.Line{run(0, 0, "Notice"), run(0.4, 0, "Notice"), run(100, 0, "Notice")}, "Notice              Notice"},
		{"a stamp up the margin", []document.Line{
			document.NewLine(300, 0, 310, 100, 0, -1, 10, 0, "stamp"), run(0, 0, "first"), run(0, 12, "second"),
		}, "first\nsecond\n\nstamp"},
		{"a page that lies on its side", []document.Line{
			document.NewLine(100, 0, 110, 50, 0, 1, 10, 0, "first"), document.NewLine(88, 0, 98, 50, 0, 1, 10, 0, "second"),
		}, "first\nsecond"},
		{"columns of prose", append(append(column(1, 0, "left"), column(2, 300, "right")...), run(0, 100, "below")),
			strings.Repeat("left left left left left left\n", 5) + "\n" + strings.Repeat("right right right right right right\n", 5) + "\nbelow"},
	} {
		if got := document.Arrange(test.lines); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestArrangeBoundsItsLines(t *testing.T) {
	lines := []document.Line{run(0, 0, "a"), document.NewLine(1e7, 0, 1e7+1, 10, 1, 0, 10, 0, "b")}
	if got := document.Arrange(lines); len(got) > 300 {
		t.Errorf("two letters take %d bytes", len(got))
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"  a  tax ":                       "a tax",
		"Period      Year":                "Period  Year",
		"a\x00b\x07c\u009dd\ufeff\u202ee": "abcde",
		"e\u00admail":                     "e-mail",
		"a\u200eb\U000e0041c":             "abc",
		"श्रीीमान क्षेेत्रााधिकार": "श्रीमान क्षेत्राधिकार",
		"क्\u200dष ﬁne":  "क्\u200dष ﬁne", // joiners and ligatures are spelling
		"1,000/-2,000/-": "1,000/-  2,000/-",
		"boot room":      "boot room",
	} {
		if got := document.Clean(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
