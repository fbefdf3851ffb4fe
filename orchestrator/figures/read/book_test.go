package read_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/problem"
)

// packed writes a workbook from its parts.
func packed(parts ...[2]string) func(io.Writer) error {
	return func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, part := range parts {
			f, err := z.Create(part[0])
			if err != nil {
				return err
			}
			if _, err := io.WriteString(f, part[1]); err != nil {
				return err
			}
		}
		return z.Close()
	}
}

// Parts as other programs write them: with prefixes, in other folders, with comments and CDATA, and with rows and
// cells that do not give their position.
func TestSheetsOfOtherPrograms(t *testing.T) {
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	path := file(t, "other.xlsx", packed(
		[2]string{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="` + office + `/officeDocument" Target="/book/workbook.xml"/></Relationships>`},
		[2]string{"book/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + office + `/worksheet" Target="s/one.xml"/></Relationships>`},
		[2]string{"book/workbook.xml", `<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + office +
			`"><x:sheets><x:sheet name="One" sheetId="1" r:id="r1"/></x:sheets></x:workbook>`},
		[2]string{"xl/sharedStrings.xml", `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>plain</t></si>` +
			`<si><r><t>two </t></r><r><t xml:space="preserve">fonts&#33;</t></r></si><si/></sst>`},
		[2]string{"book/s/one.xml", `<?xml version="1.0"?><!-- a > b --><x:worksheet xmlns:x="m"><x:sheetData>` +
			`<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t='s'><x:v>1</x:v></x:c><x:c t="s"><x:v>2</x:v></x:c><x:c><x:v>4</x:v></x:c></x:row>` +
			`<x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t><![CDATA[a<b]]></x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`},
	))
	got, err := reader(t, read.Options{}).Cells(t.Context(), path, "other.xlsx", 10)
	if err != nil {
		t.Fatalf("%v: %v", err, errors.Unwrap(err))
	}
	want := []read.Row{{Number: 1, Cells: []string{"plain", "two fonts!", "", "4"}}, {Number: 3, Cells: []string{"", "a<b"}}}
	if !slices.EqualFunc(got.Rows, want, func(a, b read.Row) bool { return a.Number == b.Number && slices.Equal(a.Cells, b.Cells) }) {
		t.Errorf("the rows are %v", got.Rows)
	}
}

// altered writes a register as a workbook with a changed sheet.
func altered(change func(sheet string) string) func(io.Writer) error {
	return func(w io.Writer) error {
		var book bytes.Buffer
		rows := figurestest.Rows(figurestest.Plain, "", client(50, "GSTR-2B").Books)
		if err := figurestest.Excel(&book, "Sheet", rows); err != nil {
			return err
		}
		from, err := zip.NewReader(bytes.NewReader(book.Bytes()), int64(book.Len()))
		if err != nil {
			return err
		}
		var parts [][2]string
		for _, part := range from.File {
			r, err := part.Open()
			if err != nil {
				return err
			}
			content, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			if part.Name == "xl/worksheets/sheet1.xml" {
				is := change(string(content))
				if is == string(content) {
					return fmt.Errorf("%s was not changed", part.Name)
				}
				content = []byte(is)
			}
			parts = append(parts, [2]string{part.Name, string(content)})
		}
		return packed(parts...)(w)
	}
}

// A sheet with a fault in the middle is refused, since the rows after it would be missing silently.
func TestFaultInASheet(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"a character that XML has not": func(s string) string { return strings.Replace(s, `<row r="30"`, "\x01"+`<row r="30"`, 1) },
		"in a text":                    func(s string) string { return strings.Replace(s, "INV", "I&#11;V", 1) },
		"it breaks off":                func(s string) string { return s[:len(s)/2] },
		"it breaks off behind a row":   func(s string) string { return s[:strings.Index(s, `<row r="30"`)] + "<row" },
	} {
		var p *problem.Error
		path := file(t, "books.xlsx", altered(change))
		if got, err := reader(t, read.Options{}).Read(context.Background(), path, nil); !errors.As(err, &p) || p.Code != "figures_damaged" {
			t.Errorf("%s: %d records, %v", name, len(got.Records), err)
		}
	}
}

// Where some formulas have no result, the rest is read with a note.
func TestFormulasWithoutResults(t *testing.T) {
	path := file(t, "books.xlsx", altered(func(s string) string {
		return strings.Replace(s, "</row></sheetData>", `<c r="AA60"><f>SUM(A1:A9)</f></c></row></sheetData>`, 1)
	}))
	got, err := reader(t, read.Options{}).Read(context.Background(), path, nil)
	if err != nil || len(got.Records) < 50 || !slices.Contains(got.Notes, "formulas") {
		t.Errorf("%d records with the notes %v: %v", len(got.Records), got.Notes, err)
	}
}
