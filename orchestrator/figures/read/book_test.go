package read

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// ours reads all rows of a workbook's sheets, by sheet.
func ours(t *testing.T, content []byte) map[string][][]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := openBook(archive, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][][]string{}
	for _, s := range b.sheets {
		var rows [][]string
		if _, err := b.rows(s.part, mostCells, func(number int, cells []string) error {
			for len(rows) < number-1 {
				rows = append(rows, nil)
			}
			rows = append(rows, slices.Clone(cells))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		all[s.name] = rows
	}
	return all
}

// Whatever excelize writes, in a stream or cell by cell, is read as excelize reads it.
func TestSheetsAreReadAsExcelizeReadsThem(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	values := []any{"", "INV/23-24/007", "A & B <Sons> \"Traders\"", " leading and trailing ", "श्री गणेश ट्रेडर्स", "line\nbreak",
		12, 1234.5, -0.07, 1e15, 2.7e14, true, false, "27AAAAA0000A1Z5", "_x0041_", strings.Repeat("long ", 2000)}
	book := excelize.NewFile(excelize.Options{RawCellValue: true})
	for s := range 3 {
		name := fmt.Sprintf("Sheet %d", s)
		if _, err := book.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		var stream *excelize.StreamWriter
		var err error
		if s > 0 {
			if stream, err = book.NewStreamWriter(name); err != nil {
				t.Fatal(err)
			}
		}
		for row := 1; row < 400; row += 1 + random.IntN(3) {
			cells := make([]any, random.IntN(40))
			for i := range cells {
				cells[i] = values[random.IntN(len(values))]
			}
			at, _ := excelize.CoordinatesToCellName(1+random.IntN(30), row)
			if s == 0 {
				err = book.SetSheetRow(name, at, &cells)
			} else {
				err = stream.SetRow(at, cells)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if s > 0 {
			if err := stream.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	content, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	again, err := excelize.OpenReader(bytes.NewReader(content.Bytes()), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	got := ours(t, content.Bytes())
	for _, name := range again.GetSheetList() {
		want, err := again.GetRows(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(got[name]) < len(want) {
			t.Fatalf("%s: %d rows of %d were read", name, len(got[name]), len(want))
		}
		for i, row := range want {
			if !slices.Equal(trimmed(got[name][i]), trimmed(row)) {
				t.Fatalf("%s, row %d: %q instead of %q", name, i+1, got[name][i], row)
			}
		}
	}
}

// trimmed drops empty cells at the end.
func trimmed(row []string) []string {
	for len(row) > 0 && row[len(row)-1] == "" {
		row = row[:len(row)-1]
	}
	return row
}

// Parts as other programs write them: with prefixes, in other folders, with comments, CDATA, and a > in an attribute.
func TestSheetsOfOtherPrograms(t *testing.T) {
	var content bytes.Buffer
	w := zip.NewWriter(&content)
	for _, part := range [][2]string{
		{"_rels/.rels", `<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="/book/main.xml"/></Relationships>`},
		{"book/_rels/main.xml.rels", `<Relationships><Relationship Id="r1" Type="http://x/worksheet" Target="s/one.xml"/>` +
			`<Relationship Id="r2" Type="http://x/sharedStrings" Target="../texts.xml"/></Relationships>`},
		{`book\main.xml`, `<x:workbook xmlns:x="m" xmlns:r="q"><x:workbookPr date1904="1"/><x:sheets><x:sheet name="One" r:id="r1"/></x:sheets></x:workbook>`},
		{"texts.xml", `<sst><si><t>plain</t></si><si><r><t>two </t></r><r><t xml:space="preserve">fonts&#33;</t></r><rPh><t>no</t></rPh></si><si/></sst>`},
		{"book/s/one.xml", `<?xml version="1.0"?><!-- a > b --><x:worksheet note="a>b"><x:sheetData>` +
			`<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t='s'><x:v>1</x:v></x:c><x:c t="s"><x:v>2</x:v></x:c><x:c><x:v>4</x:v></x:c></x:row>` +
			`<x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t><![CDATA[a<b]]></x:t></x:is></x:c>` +
			`<x:c r="C3"><x:f>1+1</x:f></x:c><x:c r="ZZ3"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`},
	} {
		f, err := w.Create(part[0])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(f, part[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := ours(t, content.Bytes())["One"]
	want := [][]string{{"plain", "two fonts!", "", "4"}, nil, {"", "a<b"}}
	if !slices.EqualFunc(got, want, func(a, b []string) bool { return slices.Equal(a, b) }) {
		t.Errorf("the rows are %q", got)
	}
}
