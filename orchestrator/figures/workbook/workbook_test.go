package workbook_test

import (
	"bytes"
	"math"
	"slices"
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

// annexure turns a client's books, returns and notice into an annexure.
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
		Reconciliation: figures.Reconciliation{Matchings: []figures.Matching{m}, Answers: []figures.Dispute{
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

// every returns an annexure with every kind of comparison.
func every(t *testing.T, language string) workbook.Annexure {
	t.Helper()
	sale := func(source figures.Source, gstin, number, period string, tax figures.Tax) figures.Record {
		return figures.Record{Source: source, Kind: figures.Invoice, GSTIN: gstin, Number: number, Date: period + "-10", Period: period, Taxable: 5 * tax.Sum(), Tax: tax}
	}
	const buyer = "29AAAAA0000A1Z5"
	c := figurestest.New(figurestest.Design{Seed: 4, Invoices: 60, Portal: figures.GSTR2B, FirstYear: 2023})
	records := append(c.Books, c.Portal...)
	for i := range 30 {
		number, period, tax := "A-"+strconv.Itoa(500+i), c.Returns[i%12].Period, figures.Tax{0, int64(100_07 * i), int64(100_07 * i)}
		if i%7 > 0 {
			records = append(records, sale(figures.Sales, buyer, number, period, tax))
		}
		if i%5 > 0 {
			records = append(records, sale(figures.GSTR1, buyer, number, period, tax))
		}
		if i%3 > 0 {
			records = append(records, sale(figures.EInvoices, buyer, number, period, tax), sale(figures.EWayBills, buyer, number, c.Returns[(i+i%2)%12].Period, tax))
		}
	}
	records = append(records, figures.Record{Source: figures.GSTR7, Kind: figures.Withheld, Number: "2023-04", Period: "2023-04", Taxable: 900_00, Tax: figures.Tax{18_00}},
		figures.Record{Source: figures.GSTR8, Kind: figures.Withheld, Number: "2023-05", Period: "2023-05", Taxable: 900_00, Tax: figures.Tax{9_00}})
	nine := figures.Return{Form: "GSTR-9", Period: "2024-03"}
	for _, code := range []string{"table4.sup_adv", "table5.total_tover", "table6.total_itc_availed", "table7.net_itc_aval", "table9.payable"} {
		nine.Tables = append(nine.Tables, figures.ReturnLine{Code: code, Taxable: 700_00, Tax: figures.Tax{500_00, 20_00, 20_00}})
	}
	files := []figures.File{{Name: "all", Records: records, Returns: append(c.Returns, nine)}}
	facts := gst.Facts{GSTIN: &c.GSTIN}
	result := figures.Compare("2023-04", "2024-03", files, figures.Rules{}).Against(law.Built(), facts, law.ParseDay("2026-11-20"))
	if len(result.Answers) != 13 {
		t.Fatalf("%d things are compared", len(result.Answers))
	}
	return workbook.Annexure{Facts: facts, Files: files, Reconciliation: result, Language: language}
}

// late returns an annexure for a notice that demands interest on late returns.
func late() workbook.Annexure {
	paid := func(day, period, said string, cgst, sgst int64) figures.Movement {
		return figures.Movement{Date: day, Period: period, Description: said, Tax: figures.Tax{0, cgst, sgst}}
	}
	facts := gst.Facts{Issues: []string{"interest_s50"}, Demand: &gst.Demand{Rows: []gst.DemandRow{{Head: "CGST", Interest: 1000}}}}
	files := []figures.File{{Name: "ledgers", Ledgers: []figures.Ledger{
		{Kind: "cash", TaxAlone: true, Movements: []figures.Movement{paid("2024-09-20", "", "Amount deposited", 36500_00, 0),
			paid("2024-09-30", "", "Amount deposited", 0, 777_77), paid("2024-09-30", "2024-08", "Other than reverse charge", -36500_00, -777_77),
			paid("2024-10-31", "", "Amount deposited", 99_999_99, 0), paid("2024-10-31", "2024-09", "Other than reverse charge", -99_999_99, 0)}},
		{Kind: "credit", Movements: []figures.Movement{paid("2024-09-30", "2024-08", "Other than reverse charge", -5_000_00, 0)}}}}}
	result := figures.Compare("2024-08", "2024-09", files, figures.Rules{}).Against(law.Built(), facts, law.ParseDay("2026-11-20"))
	return workbook.Annexure{Facts: facts, Files: files, Reconciliation: result}
}

// Each formula evaluates to the stored amount, and the checks of the months evaluate to zero.
func TestFormulas(t *testing.T) {
	for name, of := range map[string]struct {
		annexure workbook.Annexure
		least    int
	}{"credit": {annexure(150, true), 150}, "credit without books": {annexure(150, false), 150}, "every comparison": {every(t, ""), 1000},
		"late returns": {late(), 15}} {
		book, err := excelize.OpenReader(bytes.NewReader(write(t, of.annexure)))
		if err != nil {
			t.Fatal(err)
		}
		computed := 0
		for _, sheet := range book.GetSheetList() {
			if !strings.HasPrefix(sheet, "Allegation") && !strings.HasPrefix(sheet, "Months") && sheet != "Late returns" {
				continue
			}
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
		if computed < of.least {
			t.Errorf("%s: only %d formulas were computed", name, computed)
		}
	}
}

// In the Hindi workbook the words are Hindi, and its formulas and amounts stay the same.
func TestHindi(t *testing.T) {
	english, hindi := every(t, "en"), every(t, "hi")
	amounts := func(a workbook.Annexure) (all []string, sheets []string, devanagari int) {
		book, err := excelize.OpenReader(bytes.NewReader(write(t, a)))
		if err != nil {
			t.Fatal(err)
		}
		for _, sheet := range book.GetSheetList() {
			rows, err := book.GetRows(sheet, excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				for _, cell := range row {
					if _, err := strconv.ParseFloat(cell, 64); err == nil {
						all = append(all, cell)
					}
					if strings.ContainsFunc(cell, func(r rune) bool { return r >= 0x900 && r < 0x980 }) {
						devanagari++
					}
				}
			}
		}
		return all, book.GetSheetList(), devanagari
	}
	en, sheets, none := amounts(english)
	hi, names, some := amounts(hindi)
	if !slices.Equal(en, hi) || len(sheets) != len(names) {
		t.Errorf("%d amounts in %d sheets are %d in %d", len(en), len(sheets), len(hi), len(names))
	}
	if none != 0 || some < 500 || names[0] != "सूची" || names[1] != "आरोप (क्रेडिट)" {
		t.Errorf("%d cells are in Hindi, and %d in the English one; the sheets are %v", some, none, names)
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
	a.Reconciliation.Matchings[0].Books[0].Name = `=HYPERLINK("http://example.com")`
	a.Reconciliation.Matchings[0].Books[0].Number = "-2+3"
	a.Reconciliation.Matchings[0].Books[1].Name = "\t@SUM(A1)"
	a.Reconciliation.Matchings[0].Books[1].Number = "+1"
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
