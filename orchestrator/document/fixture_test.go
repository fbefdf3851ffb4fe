package document_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// sheet is a page of a PDF that a test makes.
type sheet struct {
	content string // PDF operators; /F is Helvetica, /Scan the scan of testdata/scan.pdf
	entries string // additional entries of the page's dictionary
}

// writePDF writes a PDF of these pages and returns its path. Objects 1 to 4 are the catalogue, the
// page tree, the font and the scan; further objects are numbered from 5.
func writePDF(t testing.TB, more []string, sheets ...sheet) string {
	t.Helper()
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>",
		"", // the page tree
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
		scanImage(t),
	}
	objects = append(objects, more...)
	var kids strings.Builder
	for _, s := range sheets {
		objects = append(objects, stream("", s.content))
		resources := "/Resources<</Font<</F 3 0 R>>/XObject<</Scan 4 0 R>>>>"
		if strings.Contains(s.entries, "/Resources") {
			resources = ""
		}
		objects = append(objects, fmt.Sprintf(
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R%s%s>>", len(objects), resources, s.entries))
		fmt.Fprintf(&kids, "%d 0 R ", len(objects))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), len(sheets))
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	var table strings.Builder
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, table.String(), len(objects)+1, start)
	return writeFile(t, out.Bytes())
}

func stream(entries, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", entries, len(content), content)
}

func writeFile(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.pdf")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// scanImage returns the picture of testdata/scan.pdf.
func scanImage(t testing.TB) string {
	t.Helper()
	content := readFile(t, "testdata/scan.pdf")
	from := bytes.Index(content, []byte("\xff\xd8\xff"))
	to := from + bytes.Index(content[from:], []byte("endstream"))
	return stream("/Type/XObject/Subtype/Image/Width 1241/Height 1754/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode",
		string(content[from:to]))
}

// show returns operators that paint text at a place, in points from the lower left corner.
func show(x, y float64, text string) string {
	text = strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(text)
	return fmt.Sprintf("BT /F 10 Tf %g %g Td (%s) Tj ET\n", x, y, text)
}

// fullPage returns operators that paint the scan over the whole page.
const fullPage = "q 595 0 0 842 0 0 cm /Scan Do Q\n"

// prose returns operators that paint a page full of text.
func prose(n int) string {
	var content strings.Builder
	for i := range 40 {
		content.WriteString(show(60, 780-float64(i)*14, fmt.Sprintf("Line %d of page %d says that the tax shall be paid with interest within thirty days.", i+1, n)))
	}
	return content.String()
}

// squeeze removes all white space, to compare texts regardless of their layout.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

// errorRate returns the share of want's characters that must be changed, removed or added to obtain
// it from got; white space counts as one space.
func errorRate(want, got string) float64 {
	a := []rune(strings.Join(strings.Fields(want), " "))
	b := []rune(strings.Join(strings.Fields(got), " "))
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range b {
			cost := diagonal
			if r != s {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return float64(row[len(b)]) / float64(max(1, len(a)))
}
