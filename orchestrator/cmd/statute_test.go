package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/document"
	"munshi/orchestrator/figures/read"
	statute "munshi/orchestrator/law"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "read-pdf" {
		os.Exit(document.Child())
	}
	if len(os.Args) > 1 && os.Args[1] == read.ChildCommand {
		os.Exit(read.Child())
	}
	os.Exit(m.Run())
}

// lawCmd runs a command of munshi law with a separate library, and returns its output.
func lawCmd(t *testing.T, library string, args ...string) (string, error) {
	t.Helper()
	t.Setenv("MUNSHI_LAW_LIBRARY", library)
	root := Command("test")
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(append([]string{"law"}, args...))
	err := root.Execute()
	return out.String(), err
}

// pagePDF writes a PDF whose pages have these lines.
func pagePDF(t *testing.T, name string, text string) string {
	t.Helper()
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	var kids strings.Builder
	n := 0
	for page := range strings.SplitSeq(text, "\f") {
		var content strings.Builder
		for i, line := range strings.Split(page, "\n") {
			line = strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`).Replace(line)
			fmt.Fprintf(&content, "BT /F 9 Tf 50 %d Td (%s) Tj ET\n", 800-14*i, line)
		}
		objects = append(objects, fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", content.Len(), content.String()))
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>", len(objects)))
		fmt.Fprintf(&kids, "%d 0 R ", len(objects))
		n++
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), n)
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	var table strings.Builder
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table.String(), len(objects)+1, start)
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A PDF in CBIC's typography is imported by the program's own reader, with the same result as its
// text.
func TestLawCommands(t *testing.T) {
	library := t.TempDir()
	text, err := os.ReadFile("../law/testdata/malgudi/malgudi_2028-01-31.txt")
	if err != nil {
		t.Fatal(err)
	}
	file := pagePDF(t, "malgudi_2028-01-31.pdf", string(text))
	if out, err := lawCmd(t, library, "import", file, "../law/testdata/malgudi/malgudi.jsonl"); err != nil || !strings.Contains(out, "malgudi_gst: 6 sections") {
		t.Fatalf("import: %v\n%s", err, out)
	}
	out, err := lawCmd(t, library, "show", "4", "--act", "malgudi_gst", "--on", "2028-06-01", "--json")
	var page statute.Page
	if err != nil || json.Unmarshal([]byte(out), &page) != nil || page.Text == nil || page.Text.Words != "A lantern on a cart shall pay two annas." {
		t.Errorf("show: %v\n%s", err, out)
	}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"show", "3A", "--act", "malgudi_gst", "--on", "2029-01-01"}, "it applies from 1 April 2029"},
		{[]string{"show", "16 (4)", "--on", "2021-09-30"}, "The imported text does not include this provision."},
		{[]string{"search", "late", "fee"}, "cgst 47"},
		{[]string{"check"}, "0 mistakes of form"},
	} {
		if out, err := lawCmd(t, library, test.args...); err != nil || !strings.Contains(out, test.says) {
			t.Errorf("%v: %v\n%s", test.args, err, out)
		}
	}
	out, err = lawCmd(t, library, "search", "sec 16 (4)", "--json")
	var hits []map[string]any
	if err != nil || json.Unmarshal([]byte(out), &hits) != nil || len(hits) == 0 || hits[0]["act"] != "cgst" || hits[0]["number"] != "16(4)" {
		t.Fatalf("search: %v\n%s", err, out)
	}
	for _, field := range []string{"act", "number", "heading", "digest", "text", "valid_from", "valid_until", "score"} {
		if _, ok := hits[0][field]; !ok {
			t.Errorf("a hit has no %s", field)
		}
	}
	broken := filepath.Join(t.TempDir(), "broken.pdf")
	if err := os.WriteFile(broken, []byte("no PDF"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"import", broken}, "Nothing was imported"},
		{[]string{"import", "missing.jsonl"}, "Nothing was imported"},
		{[]string{"show", "999"}, "999 was found neither in our summary"},
		{[]string{"show", "16", "--on", "soon"}, "is not a date"},
	} {
		if _, err := lawCmd(t, library, test.args...); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v: %v", test.args, err)
		}
	}
}
