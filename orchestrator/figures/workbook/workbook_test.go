package workbook_test

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/figures/workbook"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// annexure makes a client's books, returns and notice into one annexure.
func annexure(invoices int, books bool) workbook.Annexure {
	c := figurestest.New(figurestest.Design{Seed: 3, Invoices: invoices, Portal: figures.GSTR2B, FirstYear: 2023})
	entered := c.Books
	if !books {
		entered = nil
	}
	m := figures.Match(entered, c.Portal, figures.Rules{})
	credit := figures.Credit(c.Returns, m, "2023-04", "2024-03")
	first, second, _ := credit.Sums()
	alleged := first.Minus(second)
	facts := gst.Facts{GSTIN: &c.GSTIN, Issues: []string{"itc_2a2b_vs_3b"}, Demand: &gst.Demand{Rows: []gst.DemandRow{
		{Head: "IGST", Tax: float64(alleged[0])/100 + 1000}, {Head: "CGST", Tax: float64(alleged[1]) / 100}, {Head: "SGST", Tax: float64(alleged[2]) / 100}}}}
	return workbook.Annexure{
		Facts: facts, Files: []figures.File{{Name: "=cmd|' /C calc'!A0", Format: "purchase register", Rows: len(c.Books)}},
		Reconciliation: figures.Reconciliation{Matching: m, Answers: []figures.Dispute{
			{Variance: credit, Outcome: figures.Answer(law.Built(), facts, credit, nil, law.ParseDay("2026-11-20"))}}},
	}
}

func write(t *testing.T, a workbook.Annexure) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := workbook.Write(&out, a); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Each formula comes to the amount that is stored beside it, and the checks of the months come to nothing.
func TestFormulas(t *testing.T) {
	for _, books := range []bool{true, false} {
		content := write(t, annexure(150, books))
		book, err := excelize.OpenReader(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		computed := 0
		for _, sheet := range []string{"Allegation (credit)", "Months (credit)"} {
			rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for i, row := range rows {
				for j, stored := range row {
					name, _ := excelize.CoordinatesToCellName(j+1, i+1)
					formula, err := book.GetCellFormula(sheet, name)
					if err != nil || formula == "" {
						continue
					}
					got, err := book.CalcCellValue(sheet, name, excelize.Options{RawCellValue: true})
					if err != nil {
						t.Fatalf("%s %s: %v", sheet, name, err)
					}
					is, err1 := strconv.ParseFloat(got, 64)
					want, err2 := strconv.ParseFloat(stored, 64)
					if err1 != nil || err2 != nil || math.Abs(is-want) > 0.001 {
						t.Fatalf("%s %s: =%s is %s, stored is %s", sheet, name, formula, got, stored)
					}
					computed++
				}
			}
		}
		if computed < 150 {
			t.Errorf("only %d formulas were computed", computed)
		}
	}
}

func TestTheSameBytes(t *testing.T) {
	a := annexure(60, true)
	if !bytes.Equal(write(t, a), write(t, a)) {
		t.Error("the same annexure gave other bytes")
	}
}

// No text of a file becomes a formula.
func TestNoTextIsComputed(t *testing.T) {
	a := annexure(30, true)
	a.Reconciliation.Matching.Books[0].Name = `=HYPERLINK("http://example.com")`
	a.Reconciliation.Matching.Books[0].Number = "-2+3"
	a.Reconciliation.Matching.Books[1].Name = "\t@SUM(A1)"
	a.Reconciliation.Matching.Books[1].Number = "+1"
	book, err := excelize.OpenReader(bytes.NewReader(write(t, a)))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, sheet := range book.GetSheetList() {
		rows, err := book.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for j, cell := range row {
				name, _ := excelize.CoordinatesToCellName(j+1, i+1)
				formula, _ := book.GetCellFormula(sheet, name)
				if formula == "" && cell != "" && strings.ContainsAny(strings.TrimSpace(cell)[:1], "=+@|") {
					t.Errorf("%s %s is %q", sheet, name, cell)
				}
				for _, hostile := range []string{"example.com", "-2+3", "SUM(A1)", "calc"} {
					if strings.Contains(cell, hostile) && strings.HasPrefix(cell, "'") {
						seen++
					}
					if strings.Contains(formula, hostile) {
						t.Errorf("%s %s computes %s", sheet, name, formula)
					}
				}
			}
		}
	}
	if seen < 4 {
		t.Errorf("%d of the hostile texts were found", seen)
	}
}
