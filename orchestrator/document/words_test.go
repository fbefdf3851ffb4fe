package document_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// unpack returns the words of a page, after checking that they are words of its text, in its order and on the
// page.
func unpack(t testing.TB, page document.Page) []document.Word {
	t.Helper()
	words, err := page.Words.Unpack()
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for _, w := range words {
		text = append(text, page.Text[w.Start:w.End])
		if b := w.Box; b.X0 >= b.X1 || b.Y0 >= b.Y1 || b.X0 < -5 || b.Y0 < -5 || b.X1 > page.Width+5 || b.Y1 > page.Height+5 {
			t.Errorf("page %d: %q stands at %v of %g × %g", page.Number, page.Text[w.Start:w.End], b, page.Width, page.Height)
		}
	}
	if got, want := strings.Join(text, ""), squeeze(page.Text); got != want {
		t.Errorf("page %d: the words are\n%s\nand the text\n%s", page.Number, got, want)
	}
	return words
}

func near(a, b document.Box, by float64) bool {
	return math.Abs(a.X0-b.X0) < by && math.Abs(a.Y0-b.Y0) < by && math.Abs(a.X1-b.X1) < by && math.Abs(a.Y1-b.Y1) < by
}

func TestWordsOfALayer(t *testing.T) {
	content := show(100, 700, "Demand of tax") + show(400, 700, "8,80,37,796/-1,96,29,183/-")
	for i, page := range mustRead(t, writePDF(t, nil,
		sheet{content, ""}, sheet{content, "/Rotate 90"}, sheet{content, "/Rotate 180"}, sheet{content, "/CropBox[50 100 595 842]"})) {
		words := unpack(t, page)
		// Helvetica's "tax" in 10 points begins 54.5 points after "Demand" and is 13.3 wide.
		tax := document.Box{X0: 153.9, Y0: 842 - 710, X1: 167.3, Y1: 842 - 697}
		want := []document.Box{
			tax,
			{X0: 842 - tax.Y1, Y0: tax.X0, X1: 842 - tax.Y0, Y1: tax.X1},
			{X0: 595 - tax.X1, Y0: 842 - tax.Y1, X1: 595 - tax.X0, Y1: 842 - tax.Y0},
			{X0: tax.X0 - 50, Y0: tax.Y0, X1: tax.X1 - 50, Y1: tax.Y1},
		}[i]
		if got, _ := document.Find(page.Text, words, "tax"); len(got) != 1 || !near(got[0], want, 3) {
			t.Errorf("page %d: tax stands at %v, want %v", i+1, got, want)
		}
		if len(words) != 5 || words[0].Confidence != 1 { // the adjacent cells are two
			t.Errorf("page %d has the words %v", i+1, words)
		}
	}
}

func TestWordsOfAScan(t *testing.T) {
	t.Parallel()
	tilted := "0.99863 0.05234 -0.05234 0.99863 0 0 cm " // rotated by 3°
	pages := mustRead(t, writePDF(t, nil, sheet{fullPage, ""}, sheet{fullPage, "/Rotate 90"}, sheet{fullPage, "/Rotate 180"},
		sheet{fullPage, "/Rotate 270"}, sheet{"q " + tilted + fullPage + "Q", ""}))
	const quote = "Show Cause Notice for Cancellation"
	places := make([]document.Box, len(pages))
	for i, page := range pages {
		boxes, _ := document.Find(page.Text, unpack(t, page), quote)
		if len(boxes) == 0 {
			t.Fatalf("page %d: %q is not found in\n%s", page.Number, quote, page.Text)
		}
		places[i] = boxes[0]
		for _, b := range boxes { // on a page that lies on its side each word is marked separately
			places[i] = document.Box{X0: min(places[i].X0, b.X0), Y0: min(places[i].Y0, b.Y0), X1: max(places[i].X1, b.X1), Y1: max(places[i].Y1, b.Y1)}
		}
	}
	up := places[0]
	sin, cos := math.Sincos(3 * math.Pi / 180)
	middle := func(b document.Box) (x, y float64) { return (b.X0 + b.X1) / 2, (b.Y0 + b.Y1) / 2 }
	x, y := middle(up)
	for i, want := range [][2]float64{{x, y}, {842 - y, x}, {595 - x, 842 - y}, {y, 595 - x},
		{x*cos - (842-y)*sin, 842 - (x*sin + (842-y)*cos)}} {
		if gotX, gotY := middle(places[i]); math.Hypot(gotX-want[0], gotY-want[1]) > 6 {
			t.Errorf("page %d: %q stands about %.0f, %.0f, want %.0f, %.0f", i+1, quote, gotX, gotY, want[0], want[1])
		}
	}
}

func TestPack(t *testing.T) {
	words := []document.Word{
		{Start: 0, End: 6, Box: document.Box{X0: 72.04, Y0: 90, X1: 100, Y1: 102.5}, Confidence: 0.87},
		{Start: 8, End: 9, Box: document.Box{X0: 12, Y0: 80, X1: 20, Y1: 92}, Confidence: 1},
		{Start: 300, End: 340, Box: document.Box{X0: math.NaN(), Y0: math.Inf(-1), X1: math.Inf(1), Y1: -3}, Confidence: -1},
	}
	want := slices.Clone(words)
	want[0].Box.X0 = 72
	want[2].Box, want[2].Confidence = document.Box{X0: 0, Y0: 0, X1: 1e6, Y1: -3}, 0
	got, err := document.Pack(words).Unpack()
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v became %v, want %v; error %v", words, got, want, err)
	}
	if packed := document.Pack(nil); len(packed) != 0 {
		t.Errorf("no words are packed as %v", packed)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte(document.Pack([]document.Word{{Start: 1, End: 2, Box: document.Box{X1: 3, Y1: 4}, Confidence: 1}})))
	f.Add([]byte{1, 0xff})
	f.Fuzz(func(t *testing.T, packed []byte) {
		words, err := document.Words(packed).Unpack()
		if err != nil && words != nil {
			t.Errorf("%v gives words and the error %v", packed, err)
		}
		document.Find("a text of some words", words, "some")
	})
}

func TestFind(t *testing.T) {
	const text = "Rule 21A GSTIN: 29AAACB1234C1ZB   Ref. ZD29O524OO4411A\n" +
		"It has been noticed that the input tax credit was availed in con-\n" +
		"travention of section 16(2)(c). The tax of Rs. 1,25,000/- is due.\n" +
		"कारण बताओ नोटिस   Total 25,000 Rule 21(a)"
	var words []document.Word
	row, column := 0, 0
	for at := 0; at < len(text); {
		end := at + strings.IndexAny(text[at:]+" ", " \n")
		if end > at {
			x, y := float64(column*6), float64(row*12)
			words = append(words, document.Word{Start: at, End: end, Box: document.Box{X0: x, Y0: y, X1: x + float64(end-at)*6, Y1: y + 10}})
		}
		column += end + 1 - at
		if end < len(text) && text[end] == '\n' {
			row, column = row+1, 0
		}
		at = end + 1
	}
	covered := func(boxes []document.Box) string {
		var found []string
		for _, w := range words {
			for _, b := range boxes {
				if w.Box.X0 >= b.X0 && w.Box.X1 <= b.X1 && w.Box.Y0 >= b.Y0 && w.Box.Y1 <= b.Y1 {
					found = append(found, text[w.Start:w.End])
				}
			}
		}
		return strings.Join(found, " ")
	}
	for _, test := range []struct {
		name, quote, want string
		boxes             int
	}{
		{"a provision, to the letter", "21(a)", "21(a)", 1},
		{"a word", "29AAACB1234C1ZB", "29AAACB1234C1ZB", 1},
		{"over two lines, hyphenated", "availed in contravention of section 16 (2) (c)", "availed in con- travention of section 16(2)(c).", 2},
		{"in other capitals, with other marks", "“INPUT  tax\ncredit”", "input tax credit", 1},
		{"mended after recognition", "ZD290524004411A", "ZD29O524OO4411A", 1},
		{"a whole word rather than the end of one", "25,000", "25,000", 1},
		{"the end of a word if there is nothing else", "travention", "travention", 1},
		{"Hindi", "बताओ नोटिस", "बताओ नोटिस", 1},
		{"with an ellipsis", "It has been … the tax … is due", "It has been The tax is due.", 3},
		{"cells that are apart", "29AAACB1234C1ZB Ref. ZD29O524OO4411A", "29AAACB1234C1ZB Ref. ZD29O524OO4411A", 2},
		{"the first of two", "tax", "tax", 1},
		{"most of it, in another order", "The tax of Rs. 1,25,000/- is overdue. It has been noticed that the tax credit was availed",
			"It has been noticed that the tax credit was availed The tax of Rs. 1,25,000/- is", 3},
		{"words of another document", "the goods were seized", "", 0},
		{"nothing", " … ", "", 0},
	} {
		boxes, share := document.Find(text, words, test.quote)
		if got := covered(boxes); got != test.want || len(boxes) != test.boxes {
			t.Errorf("%s: %q marks %q in %d boxes, want %q in %d", test.name, test.quote, got, len(boxes), test.want, test.boxes)
		}
		if (share > 0) != (test.boxes > 0) || (share == 1) != (test.want != "" && !strings.HasPrefix(test.name, "most")) {
			t.Errorf("%s: of %q, %g is found", test.name, test.quote, share)
		}
	}
}

// TestEvidenceIsFound finds each fact of the labelled notices at its place on the page.
func TestEvidenceIsFound(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(samples(t), "notices")
	for n := range 10 {
		t.Run(fmt.Sprintf("D%02d", n+1), func(t *testing.T) {
			t.Parallel()
			pages := mustRead(t, filepath.Join(folder, fmt.Sprintf("D%02d.pdf", n+1)))
			read := make([]gst.Page, len(pages))
			for i, p := range pages {
				read[i] = gst.Page{Text: p.Text, Recognised: p.Method == document.MethodRecognition}
			}
			facts := gst.Read(law.Built(), read)
			if len(facts.Evidence) < 5 {
				t.Errorf("only %d facts have evidence", len(facts.Evidence))
			}
			for fact, e := range facts.Evidence {
				page := pages[e.Page-1]
				if boxes, _ := document.Find(page.Text, unpack(t, page), e.Quote); len(boxes) == 0 {
					t.Errorf("%s: %q is not found on page %d:\n%s", fact, e.Quote, e.Page, page.Text)
				}
			}
		})
	}
}
