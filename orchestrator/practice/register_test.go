package practice_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/practice"
	"munshi/orchestrator/store"
)

// The register has a row for each paper, with dates as dates and amounts by head; no text from others becomes a
// formula.
func TestRegister(t *testing.T) {
	paise := int64(118000_50)
	rows := []store.RegisterRow{{Client: "=HYPERLINK(\"http://example.com\")", Gstin: new("27ZAPCS4821K1Z6"), Form: new("DRC-01"),
		Reference: new("+ZD2701"), Issued: new("2026-05-12"), CreatedAt: time.Date(2026, 5, 13, 20, 0, 0, 0, time.UTC),
		ReplyBy: new("2026-06-11"), HearingOn: new("2026-06-20"), Stage: "notice", State: "drafting", Assignee: new("@Asha\nRao"),
		FirstYear: new("2020-21"), LastYear: new("2021-22"), DemandPaise: &paise,
		Demand: []byte(`[{"head":"CGST","tax":50000.25,"interest":9000,"penalty":0},{"head":"SGST","tax":50000.25,"interest":9000,"fee":0},{"head":"IGST","tax":0}]`)},
		{Client: "Nothing known", CreatedAt: time.Date(2026, 5, 13, 0, 0, 0, 0, time.UTC), Stage: "order", State: "new", Demand: []byte("[]")}}
	for language, want := range map[string][]string{
		"en": {"Client", "Notice", "Drafting"},
		"hi": {"क्लाइंट", "नोटिस", "ड्राफ़्ट बन रहा है"},
	} {
		var b bytes.Buffer
		if err := (practice.Register{}).Write(&b, rows, language); err != nil {
			t.Fatal(err)
		}
		book, err := excelize.OpenReader(&b)
		if err != nil {
			t.Fatal(err)
		}
		sheet := book.GetSheetList()[0]
		cells, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if len(cells) != 3 || cells[0][0] != want[0] || cells[1][17] != want[1] {
			t.Fatalf("the register reads %q", cells)
		}
		for at, want := range map[string]string{"A2": "'=HYPERLINK(\"http://example.com\")", "D2": "'+ZD2701", "E2": "2020-21 – 2021-22", "F2": "12.05.2026",
			"G2": "14.05.2026", "K2": "50,000.25", "N2": "18,000.00", "P2": "118,000.50", "S2": "'@Asha Rao", "P3": "", "F3": ""} {
			got, err := book.GetCellValue(sheet, at)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%s: %s is %q, want %q", language, at, got, want)
			}
			if formula, _ := book.GetCellFormula(sheet, at); formula != "" {
				t.Errorf("%s is the formula %q", at, formula)
			}
		}
	}
}
