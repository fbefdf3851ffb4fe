package read_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/document"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/problem"
)

// TestMain lets the test's own executable be the child that reads.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		os.Exit(document.Child())
	}
	if len(os.Args) > 1 && os.Args[1] == read.ChildCommand {
		os.Exit(read.Child())
	}
	os.Exit(m.Run())
}

func reader(t *testing.T, o read.Options) *read.Reader {
	t.Helper()
	r, err := read.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// file writes a file for a test.
func file(t *testing.T, name string, write func(io.Writer) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	var content bytes.Buffer
	if err := write(&content); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// essence is the content of a record, regardless of where it was read.
func essence(all []figures.Record, leave func(*figures.Record)) map[figures.Record]int {
	count := map[figures.Record]int{}
	for _, r := range all {
		r.Row, r.File, r.Filed, r.Voucher, r.Alike = 0, 0, "", "", 0
		r.Number = strings.TrimSpace(r.Number)
		leave(&r)
		count[r]++
	}
	return count
}

// same compares records that were written with those that were read again.
func same(t *testing.T, got, want []figures.Record, leave func(*figures.Record)) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d records were read of %d", len(got), len(want))
	}
	g, w := essence(got, leave), essence(want, leave)
	if maps.Equal(g, w) {
		return
	}
	shown := 0
	for r, n := range w {
		if g[r] != n && shown < 3 {
			t.Errorf("read %d times instead of %d: %+v", g[r], n, r)
			shown++
		}
	}
	for r, n := range g {
		if w[r] != n && shown < 6 {
			t.Errorf("was read, but not written: %+v", r)
			shown++
		}
	}
}

func client(invoices int, portal figures.Source) figurestest.Business {
	return figurestest.New(figurestest.Design{Seed: 7, Invoices: invoices, Portal: portal, FirstYear: 2023})
}

func inMonth(all []figures.Record, period string) []figures.Record {
	return slices.DeleteFunc(slices.Clone(all), func(r figures.Record) bool { return r.Period != period })
}

func TestPortalJSON(t *testing.T) {
	ctx := context.Background()
	r := reader(t, read.Options{})
	for source, write := range map[figures.Source]func(io.Writer, string, string, []figures.Record) error{
		figures.GSTR2B: figurestest.GSTR2B, figures.GSTR2A: figurestest.GSTR2A,
	} {
		c := client(600, source)
		path := file(t, "return.json", func(w io.Writer) error { return write(w, c.GSTIN, "2023-07", c.Portal) })
		got, err := r.Read(ctx, path, nil)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if got.GSTIN != c.GSTIN || got.Format != string(source)+" JSON" {
			t.Errorf("it was read as %s of %s", got.Format, got.GSTIN)
		}
		same(t, got.Records, inMonth(c.Portal, "2023-07"), func(r *figures.Record) {
			if source == figures.GSTR2A {
				r.Name, r.Ineligible = "", "" // 2A has neither
			}
		})
	}
	c := client(200, figures.GSTR2B)
	got, err := r.Read(ctx, file(t, "3b.json", func(w io.Writer) error { return figurestest.GSTR3B(w, c.Returns[2]) }), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Returns) != 1 || got.Returns[0].Period != "2023-06" || got.Returns[0].Table("4A5") != c.Returns[2].Table("4A5") {
		t.Errorf("the return is %+v", got.Returns)
	}
}

// Each program's register is read with the same result, from Excel and from text.
func TestRegisters(t *testing.T) {
	c := client(300, figures.GSTR2B)
	r := reader(t, read.Options{})
	for _, program := range []figurestest.Register{figurestest.Tally, figurestest.Busy, figurestest.Zoho, figurestest.Plain} {
		rows := figurestest.Rows(program, "Fictional Traders", c.Books)
		for name, write := range map[string]func(io.Writer) error{
			"books.xlsx": func(w io.Writer) error { return figurestest.Excel(w, "Sheet", rows) },
			"books.csv":  func(w io.Writer) error { return figurestest.CSV(w, rows) },
		} {
			t.Run(string(program)+" "+name, func(t *testing.T) {
				got, err := r.Read(context.Background(), file(t, name, write), nil)
				if err != nil {
					t.Fatalf("%v: %v", err, errors.Unwrap(err))
				}
				if got.Format != "purchase register" {
					t.Errorf("it was read as a %s", got.Format)
				}
				same(t, got.Records, c.Books, func(r *figures.Record) {
					if r.Kind == figures.DebitNote {
						r.Kind = figures.Invoice // registers have the same word for both
					}
					if program == figurestest.Tally {
						r.Tax[figures.Cess] = 0
					}
				})
				for _, left := range got.LeftOut {
					if left.Why != "total" {
						t.Errorf("row %d was left out: %s", left.Row, left.Why)
					}
				}
			})
		}
	}
}

// workbook2B writes a GSTR-2B as the portal's workbook, and returns its records. Its month is in another sheet, and its
// headings are in two rows.
func workbook2B(w io.Writer) ([]figures.Record, error) {
	supplier := figurestest.GSTIN("29", "AABCF1234K")
	heads := []any{"GSTIN of supplier", "Trade/Legal name", "Invoice Details", "", "", "", "Place of supply", "Supply Attract Reverse Charge",
		"Taxable Value (₹)", "Tax Amount", "", "", "", "GSTR-1/IFF/GSTR-5 Period", "GSTR-1/IFF/GSTR-5 Filing Date", "ITC Availability", "Reason",
		"Applicable % of Tax Rate"}
	below := []any{"", "", "Invoice number", "Invoice type", "Invoice Date", "Invoice Value(₹)", "", "", "", "Integrated Tax(₹)", "Central Tax(₹)",
		"State/UT Tax(₹)", "Cess(₹)", "", "", "", "", ""}
	noteHeads, noteBelow := slices.Clone(heads), slices.Clone(below)
	noteBelow[2], noteBelow[3], noteBelow[4], noteBelow[5] = "Note number", "Note type", "Note date", "Note Value (₹)"
	of := figures.Record{Source: figures.GSTR2B, Kind: figures.Invoice, GSTIN: supplier, Name: "Fictional Supplier", Period: "2024-01"}
	first, second, note := of, of, of
	first.Number, first.Date, first.Taxable, first.Tax = "A/1", "2024-01-05", 1000_00, figures.Tax{180_00}
	second.Number, second.Date, second.Taxable, second.Tax = "A/2", "2024-01-10", 100_00, figures.Tax{18_29}
	second.Reverse, second.Ineligible = true, "POS and supplier state are same"
	note.Kind, note.Number, note.Date, note.Taxable, note.Tax = figures.CreditNote, "C/1", "2024-01-06", -10_00, figures.Tax{-1_80}
	return []figures.Record{first, second, note}, workbook(w, func(b *excelize.File) {
		for _, sheet := range []string{"Read me", "B2B", "B2B-CDNR"} {
			if _, err := b.NewSheet(sheet); err != nil {
				panic(err)
			}
		}
		_ = b.DeleteSheet("Sheet1")
		put(b, "Read me", 1, []any{"Goods and Services Tax - GSTR-2B"}, []any{"Financial Year", "", "2023-24"}, []any{"Tax Period", "", "January"},
			[]any{"GSTIN", "", figurestest.GSTIN("27", "AAKCF4821M")}, []any{"Legal Name", "", "Fictional Traders"})
		put(b, "B2B", 1, []any{"Taxable inward supplies received from registered persons"}, heads, below,
			[]any{supplier, "Fictional Supplier", "A/1", "Regular", "05/01/2024", 1180.0, "Maharashtra", "No", 1000.0, 180.0, 0.0, 0.0, 0.0, "Jan'24", "11/02/2024",
				"Yes", "", ""},
			[]any{supplier, "Fictional Supplier", "A/2", "Regular", 45301.0, 118.0, "Maharashtra", "Yes", 100.0, 18.29, 0.0, 0.0, 0.0, "Jan'24", "11/02/2024",
				"No", "POS and supplier state are same", ""})
		put(b, "B2B-CDNR", 1, []any{"Credit notes"}, noteHeads, noteBelow,
			[]any{supplier, "Fictional Supplier", "C/1", "Credit Note", "06/01/2024", 11.8, "Maharashtra", "No", 10.0, 1.8, 0.0, 0.0, 0.0, "Jan'24", "11/02/2024", "Yes", "", ""})
	})
}

func TestGSTR2BWorkbook(t *testing.T) {
	var want []figures.Record
	path := file(t, "2b.xlsx", func(w io.Writer) (err error) {
		want, err = workbook2B(w)
		return err
	})
	got, err := reader(t, read.Options{}).Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got.Records, want, func(*figures.Record) {})
	if got.GSTIN != figurestest.GSTIN("27", "AAKCF4821M") {
		t.Errorf("it is of %s", got.GSTIN)
	}
}

func TestLedger(t *testing.T) {
	path := file(t, "ledger.csv", text(`Electronic Credit Ledger,,,,,,,,,,,,,,
Sr No,Date,Reference No.,Tax Period,Description,Transaction Type,Amount Debited/Credited (Rs.),,,,,Balance Available (Rs.),,,,
,,,,,,Integrated Tax,Central Tax,State Tax,Cess,Total,Integrated Tax,Central Tax,State Tax,Cess,Total
1,-,-,-,Opening Balance,-,-,-,-,-,-,100.00,0,0,0,100.00
2,20/05/2023,AA2705,Apr-23,ITC accrued through - Inputs,Credit,"1,000.00",0,0,0,"1,000.00","1,100.00",0,0,0,"1,100.00"
3,20/05/2023,DC2705,Apr-23,Other than reverse charge,Debit,300.00,0,0,0,300.00,800.00,0,0,0,800.00
`))
	got, err := reader(t, read.Options{}).Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Ledgers) != 1 {
		t.Fatalf("the file was read as %s", got.Format)
	}
	l := got.Ledgers[0]
	if l.Opening != (figures.Tax{100_00}) || len(l.Movements) != 2 || l.Movements[0].Tax != (figures.Tax{1000_00}) || l.Movements[1].Tax != (figures.Tax{-300_00}) ||
		*l.Movements[1].Balance != (figures.Tax{800_00}) || l.Movements[0].Period != "2023-04" {
		t.Errorf("the ledger is %+v", l)
	}
}

// Only the columns of tax in the cash ledger count: interest and late fee are paid from balances of
// their own.
func TestCashLedger(t *testing.T) {
	path := file(t, "cash.csv", text(`Electronic Cash Ledger,,,,,,,,,,,,,,
Sr No,Date,Reference No.,Tax Period,Description,Transaction Type,Amount Debited/Credited (Rs.),,,,,,Balance (Rs.),,,,,
,,,,,,Central Tax,,,State Tax,,,Central Tax,,,State Tax,,
,,,,,,Tax,Interest,Total,Tax,Interest,Total,Tax,Interest,Total,Tax,Interest,Total
1,-,-,-,Opening Balance,-,-,-,-,-,-,-,50.00,0,50.00,0,0,0
2,15/05/2024,CPIN1,-,Amount deposited,Credit,"1,000.00",10.00,"1,010.00",400.00,0,400.00,"1,050.00",10.00,"1,060.00",400.00,0,400.00
3,25/05/2024,DC1,Apr-24,Other than reverse charge,Debit,300.00,10.00,310.00,400.00,0,400.00,750.00,0,750.00,0,0,0
`))
	got, err := reader(t, read.Options{}).Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Ledgers) != 1 || got.Ledgers[0].Kind != "cash" {
		t.Fatalf("the file was read as %s", got.Format)
	}
	l := got.Ledgers[0]
	if !l.TaxAlone || l.Opening != (figures.Tax{0, 50_00}) || len(l.Movements) != 2 ||
		l.Movements[0].Tax != (figures.Tax{0, 1000_00, 400_00}) || l.Movements[1].Tax != (figures.Tax{0, -300_00, -400_00}) ||
		*l.Movements[1].Balance != (figures.Tax{0, 750_00}) || l.Movements[1].Period != "2024-04" {
		t.Errorf("the ledger is %+v", l)
	}
}

// If something is wrong with a file, the error explains it.
func TestRefusals(t *testing.T) {
	compound := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)
	zipped := func(names ...string) func(io.Writer) error {
		return func(w io.Writer) error {
			z := zip.NewWriter(w)
			for _, name := range names {
				if _, err := z.Create(name); err != nil {
					return err
				}
			}
			return z.Close()
		}
	}
	heads := "GSTIN,Invoice No,Invoice Date,Taxable Value,IGST,CGST,SGST\n"
	for name, c := range map[string]struct {
		code  string
		write func(io.Writer) error
	}{
		"of before 2007":  {"figures_old_excel", text(compound)},
		"binary":          {"figures_old_excel", zipped("xl/workbook.bin")},
		"a page":          {"figures_old_excel", text("<html><table><tr><td>GSTIN</td></tr></table></html>")},
		"with a password": {"figures_password", text(compound + "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")},
		"a PDF":           {"figures_pdf", text("%PDF-1.7\n")},
		"nothing":         {"figures_empty", text("")},
		"blanks":          {"figures_empty", text(" \n\n")},
		"headings alone":  {"figures_empty", text(heads)},
		"other words":     {"figures_unknown", text("a,b\nc,d\n")},
		"other JSON":      {"figures_unknown", text(`{"a":1}`)},
		"cut JSON":        {"figures_damaged", text(`{"data":{"gstin":"27`)},
		"spoiled GSTIN":   {"figures_spoiled", text(heads + "2.7E+14,A1,05-04-2023,100,18,0,0\n")},
		"spoiled number":  {"figures_spoiled", text(heads + figurestest.GSTIN("27", "AABCF1234K") + ",1.23E+11,05-04-2023,100,18,0,0\n")},
		"an empty book":   {"figures_unknown", func(w io.Writer) error { return figurestest.Excel(w, "Sheet", nil) }},
		"a cut workbook":  {"figures_damaged", text("PK\x03\x04 and so on")},
		"OpenDocument":    {"figures_old_excel", zipped("mimetype", "META-INF/manifest.xml", "content.xml")},
		"workbooks in it": {"figures_packed", zipped("2B April.xlsx", "2B May.xlsx")},
		"formulas alone": {"figures_formulas", func(w io.Writer) error {
			return workbook(w, func(b *excelize.File) {
				put(b, "Sheet1", 1, []any{"GSTIN", "Invoice No", "Invoice Date", "Taxable Value", "IGST", "CGST", "SGST"},
					[]any{figurestest.GSTIN("27", "AABCF1234K"), "A1", "05-04-2023"})
				for _, cell := range []string{"D2", "E2"} {
					if err := b.SetCellFormula("Sheet1", cell, "100*18"); err != nil {
						t.Fatal(err)
					}
				}
			})
		}},
		"a row at the end": {"figures_unknown", func(w io.Writer) error {
			return workbook(w, func(b *excelize.File) { put(b, "Sheet1", 1_048_576, []any{"the", "last", "row"}) })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := reader(t, read.Options{}).Read(context.Background(), file(t, "a file.xlsx", c.write), nil)
			var p *problem.Error
			if !errors.As(err, &p) || p.Code != c.code {
				t.Fatalf("the error is %v", err)
			}
			if s := p.Sentence(); !strings.Contains(s, "a file.xlsx") || strings.Contains(s, "{") {
				t.Errorf("the sentence is %q", s)
			}
		})
	}
}

// A file made to waste memory or time ends its own reader, and nothing else.
func TestLimits(t *testing.T) {
	bomb := file(t, "bomb.xlsx", func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, name := range []string{"xl/workbook.xml", "xl/worksheets/sheet1.xml"} {
			f, err := z.Create(name)
			if err != nil {
				return err
			}
			for range 64 {
				if _, err := f.Write(make([]byte, 1<<20)); err != nil {
					return err
				}
			}
		}
		return z.Close()
	})
	for name, o := range map[string]read.Options{"unpacked": {MaxUnzip: 16 << 20}, "memory": {Memory: 150 << 20}} {
		var p *problem.Error
		if _, err := reader(t, o).Read(context.Background(), bomb, nil); !errors.As(err, &p) || p.Code != "figures_too_much" && p.Code != "figures_damaged" {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	long := file(t, "long.csv", func(w io.Writer) error {
		return figurestest.CSV(w, figurestest.Rows(figurestest.Busy, "", client(200, figures.GSTR2B).Books))
	})
	var p *problem.Error
	if _, err := reader(t, read.Options{MaxRows: 100}).Read(context.Background(), long, nil); !errors.As(err, &p) || p.Code != "figures_too_much" {
		t.Errorf("too many rows: the error is %v", err)
	}
	if _, err := reader(t, read.Options{MaxBytes: 100}).Read(context.Background(), long, nil); !errors.As(err, &p) || p.Code != "figures_too_much" {
		t.Errorf("too large: the error is %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := reader(t, read.Options{}).Read(ctx, long, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: the error is %v", err)
	}
}

// A workbook with macros is read; they are not run.
func TestMacrosDoNothing(t *testing.T) {
	var book bytes.Buffer
	if err := figurestest.Excel(&book, "Sheet", figurestest.Rows(figurestest.Plain, "", client(50, figures.GSTR2B).Books)); err != nil {
		t.Fatal(err)
	}
	from, err := zip.NewReader(bytes.NewReader(book.Bytes()), int64(book.Len()))
	if err != nil {
		t.Fatal(err)
	}
	path := file(t, "books.xlsm", func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, f := range from.File {
			if err := z.Copy(f); err != nil {
				return err
			}
		}
		f, err := z.Create("xl/vbaProject.bin")
		if err != nil {
			return err
		}
		if _, err := f.Write([]byte("Auto_Open")); err != nil {
			return err
		}
		return z.Close()
	})
	got, err := reader(t, read.Options{}).Read(context.Background(), path, nil)
	if first, last := got.Months(); first == "" || got.From != first || got.To != last {
		t.Errorf("it is of %q to %q, its records of %q to %q", got.From, got.To, first, last)
	}
	if err != nil || len(got.Records) < 50 || !slices.Contains(got.Notes, "macros") {
		t.Errorf("read were %d records with the notes %v: %v", len(got.Records), got.Notes, err)
	}
}

func TestCheck(t *testing.T) {
	f := figures.File{Name: "2b.json", GSTIN: "27A", Records: []figures.Record{{Period: "2021-05"}, {Period: "2021-06"}}}
	for _, c := range []struct{ gstin, from, to, code string }{
		{"", "", "", ""}, {"27A", "2021-04", "2022-03", ""}, {"27A", "2020-04", "2021-03", ""}, // the next year is of use
		{"27B", "2021-04", "2022-03", "figures_other_gstin"}, {"27A", "2023-04", "2024-03", "figures_other_period"},
	} {
		err := read.Check(f, c.gstin, c.from, c.to)
		var p *problem.Error
		if c.code == "" && err != nil || c.code != "" && (!errors.As(err, &p) || p.Code != c.code) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// Before August 2020 credit is compared with GSTR-2A.
func TestCheckBefore2B(t *testing.T) {
	for source, code := range map[figures.Source]string{figures.GSTR2B: "figures_before_2b", figures.GSTR2A: ""} {
		f := figures.File{Name: "return.json", Records: []figures.Record{{Source: source, Period: "2020-07"}, {Source: source, Period: "2020-08"}}}
		err := read.Check(f, "", "2020-04", "2021-03")
		var p *problem.Error
		if code == "" && err != nil || code != "" && (!errors.As(err, &p) || p.Code != code) {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// Lists that are read but not compared with anything yet: rows that are not a supply, or were cancelled, are left out
// with the reason.
func TestLists(t *testing.T) {
	customer := figurestest.GSTIN("29", "AABCF1234K")
	for name, c := range map[string]struct {
		csv, format string
		want        figures.Record
		left        []string
	}{
		"e-way bills": {
			csv: `EWB No,EWB Date,Supply Type,Doc.No,Doc.Date,Doc.Type,Other Party GSTIN,Status,Assessable Value,CGST Value,SGST Value,IGST Value,CESS Value
1,05/01/2024,Outward-Supply,S/1,05/01/2024,Tax Invoice,` + customer + `,Active,1000,0,0,180,0
2,05/01/2024,Outward-Supply,S/2,05/01/2024,Tax Invoice,` + customer + `,Cancelled,1000,0,0,180,0
3,05/01/2024,Inward-Supply,S/3,05/01/2024,Tax Invoice,` + customer + `,Active,1000,0,0,180,0
4,05/01/2024,Outward-Job Work,S/4,05/01/2024,Delivery Challan,` + customer + `,Active,1000,0,0,180,0
`,
			format: "e-way bills",
			want: figures.Record{Source: figures.EWayBills, Kind: figures.Invoice, GSTIN: customer, Number: "S/1", Date: "2024-01-05", Period: "2024-01",
				Taxable: 1000_00, Tax: figures.Tax{180_00}},
			left: []string{"cancelled", "inward", "not_a_supply"},
		},
		"e-invoices": {
			csv: `GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice Date,Taxable Value,Integrated Tax,Central Tax,State/UT Tax,Cess Amount,IRN,IRN date,E-invoice status
` + customer + `,Fictional Customer,S/1,05-Jan-2024,1000,180,0,0,0,abc,05-Jan-2024,Valid
` + customer + `,Fictional Customer,S/2,05-Jan-2024,1000,180,0,0,0,abd,05-Jan-2024,Cancelled
`,
			format: "e-invoices",
			want: figures.Record{Source: figures.EInvoices, Kind: figures.Invoice, GSTIN: customer, Name: "Fictional Customer", Number: "S/1", Date: "2024-01-05",
				Period: "2024-01", Taxable: 1000_00, Tax: figures.Tax{180_00}},
			left: []string{"cancelled"},
		},
		"TDS credit": {
			csv: `GSTIN of Deductor,Deductor Name,Tax Period,Taxable Value,Integrated Tax,Central Tax,State/UT Tax
` + customer + `,Fictional Department,Jan-24,1000,20,0,0
` + customer + `,Fictional Department,,1000,20,0,0
`,
			format: "TDS credit (GSTR-7)",
			want: figures.Record{Source: figures.GSTR7, Kind: figures.Withheld, GSTIN: customer, Name: "Fictional Department", Number: "2024-01",
				Period: "2024-01", Taxable: 1000_00, Tax: figures.Tax{20_00}},
			left: []string{"no_date"},
		},
		"TCS credit": {
			csv: `GSTIN of Collector,Collector Name,Tax Period,Net Taxable Value,Integrated Tax,Central Tax,State/UT Tax
` + customer + `,Fictional Shop,Jan-24,1000,10,0,0
`,
			format: "TCS credit (GSTR-8)",
			want: figures.Record{Source: figures.GSTR8, Kind: figures.Withheld, GSTIN: customer, Name: "Fictional Shop", Number: "2024-01", Period: "2024-01",
				Taxable: 1000_00, Tax: figures.Tax{10_00}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := reader(t, read.Options{}).Read(context.Background(), file(t, "list.csv", text(c.csv)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Format != c.format {
				t.Errorf("it was read as %s", got.Format)
			}
			same(t, got.Records, []figures.Record{c.want}, func(*figures.Record) {})
			var left []string
			for _, l := range got.LeftOut {
				left = append(left, l.Why)
			}
			if !slices.Equal(left, c.left) {
				t.Errorf("left out were %v, not %v", left, c.left)
			}
		})
	}
}

// A person's choice of columns applies to each table with the same headings, whatever was recognised, and to no
// others.
func TestChosenColumns(t *testing.T) {
	const register = "Bill No,Bill Date,Our Ref,Party GSTIN,Taxable Value,IGST,Tax entered\n" +
		"1,05-04-2023,X-91,27AAKCF4821M1Z9,1000,180,170\n2,06-04-2023,X-92,27AAKCF4821M1Z9,2000,360,350\n"
	path := file(t, "purchases.csv", text(register))
	plain, err := reader(t, read.Options{}).Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	table := plain.Table
	if table == nil || table.Chosen || len(table.Headings) != 7 || table.Headings[2] != (figures.Heading{Name: "Our Ref", Sample: "X-91"}) ||
		!slices.Equal(table.Taken["number"], []int{0}) || !slices.Equal(table.Taken["igst"], []int{5}) {
		t.Fatalf("the columns are %+v", table)
	}
	choosing := reader(t, read.Options{}).Choosing(read.Choices{table.Shape: {"number": 2, "igst": 6, "name": -1}})
	chosen, err := choosing.Read(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := chosen.Records[0]; r.Number != "X-91" || r.Tax != (figures.Tax{170_00}) || !chosen.Table.Chosen || chosen.Table.Shape != table.Shape {
		t.Errorf("with other columns the first document is %+v", r)
	}
	other, err := choosing.Read(context.Background(), file(t, "purchases.csv", text(strings.Replace(register, "Our Ref", "Remark", 1))), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := other.Records[0]; r.Number != "1" || other.Table.Chosen {
		t.Errorf("with other headings the first document is %+v", r)
	}
}

// workbook writes an Excel workbook.
func workbook(w io.Writer, fill func(*excelize.File)) error {
	b := excelize.NewFile()
	defer b.Close()
	fill(b)
	return b.Write(w)
}

// put writes rows into a sheet, starting at a row.
func put(b *excelize.File, sheet string, from int, rows ...[]any) {
	for i, row := range rows {
		at, err := excelize.CoordinatesToCellName(1, from+i)
		if err == nil {
			err = b.SetSheetRow(sheet, at, &row)
		}
		if err != nil {
			panic(err)
		}
	}
}

// Registers as people keep them: each has two purchases and one return, in a different layout.
func TestUntidyRegisters(t *testing.T) {
	first, second := figurestest.GSTIN("27", "AABCF1234K"), figurestest.GSTIN("29", "AAKCF4821M")
	want := []figures.Record{
		{Source: figures.Purchases, Kind: figures.Invoice, GSTIN: first, Name: "Fictional Steel", Number: "A/1", Date: "2023-04-05", Period: "2023-04",
			Taxable: 1_23_456_50, Tax: figures.Tax{0, 11_111_09, 11_111_09}},
		{Source: figures.Purchases, Kind: figures.Invoice, GSTIN: second, Name: "Fictional Paper", Number: "B/2", Date: "2023-04-06", Period: "2023-04",
			Taxable: 1000_00, Tax: figures.Tax{180_00}},
		{Source: figures.Purchases, Kind: figures.Invoice, GSTIN: second, Name: "Fictional Paper", Number: "R/3", Date: "2023-04-07", Period: "2023-04",
			Taxable: -100_00, Tax: figures.Tax{-18_00}},
	}
	heads := []any{"Party", "GSTIN", "Invoice No", "Invoice Date", "Taxable Value", "IGST", "CGST", "SGST"}
	sheet := func(fill func(*excelize.File)) func(io.Writer) error {
		return func(w io.Writer) error { return workbook(w, fill) }
	}
	for name, write := range map[string]func(io.Writer) error{
		"headings in row 7, totals below, amounts in brackets": sheet(func(b *excelize.File) {
			put(b, "Sheet1", 1, []any{"Fictional Traders"}, []any{"Purchase register"}, []any{"1-Apr-23 to 30-Apr-23"})
			put(b, "Sheet1", 7, heads, []any{"Fictional Steel", first, "A/1", "05-Apr-23", "1,23,456.50", "", "11,111.09", "11,111.09"},
				[]any{"Fictional Paper", second, "B/2", "06-Apr-23", "1,000.00", "180.00", "-", "-"},
				[]any{"Fictional Paper", second, "R/3", "07-Apr-23", "(100.00)", "(18.00)", "-", "-"}, []any{},
				[]any{"Grand Total", "", "", "", "1,24,356.50", "162.00", "11,111.09", "11,111.09"})
		}),
		"merged headings in two rows, three kinds of dates": sheet(func(b *excelize.File) {
			put(b, "Sheet1", 1, []any{"Party", "", "Invoice", "", "Amounts", "", "", ""},
				[]any{"Name", "GSTIN", "No.", "Date", "Taxable Value", "IGST", "CGST", "SGST"},
				[]any{"Fictional Steel", first, "A/1", "5 April 2023", 123456.5, "", 11111.09, 11111.09},
				[]any{"Fictional Paper", second, "B/2", "06.04.2023", 1000, 180, "", ""},
				[]any{"Fictional Paper", second, "R/3", 45023, -100, -18, "", ""})
			for _, span := range [][2]string{{"A1", "B1"}, {"C1", "D1"}, {"E1", "H1"}} {
				if err := b.MergeCell("Sheet1", span[0], span[1]); err != nil {
					t.Fatal(err)
				}
			}
		}),
		"in Hindi": text("पार्टी का नाम,जीएसटीआईएन,बिल नंबर,बिल दिनांक,कर योग्य मूल्य,आईजीएसटी,सीजीएसटी,एसजीएसटी\n" +
			"Fictional Steel," + first + ",A/1,05/04/2023,\"1,23,456.50\",,11111.09,11111.09\n" +
			"Fictional Paper," + second + ",B/2,06/04/2023,1000,180,,\nFictional Paper," + second + ",R/3,07/04/2023,-100,-18,,\nकुल,,,,124356.50,162,11111.09,11111.09\n"),
		"debits and credits": text("Party\tGSTIN\tInvoice No\tInvoice Date\tTaxable Value\tIGST\tCGST\tSGST\n" +
			"Fictional Steel\t" + first + "\tA/1\t05-04-2023\t1,23,456.50 Dr\t\t11,111.09 Dr\t11,111.09 Dr\n" +
			"Fictional Paper\t" + second + "\tB/2\t06-04-2023\t1,000.00 Dr\t180.00 Dr\t\t\nFictional Paper\t" + second + "\tR/3\t07-04-2023\t100.00 Cr\t18.00 Cr\t\t\n"),
		"days that were taken for months": sheet(func(b *excelize.File) {
			put(b, "Sheet1", 1, heads, []any{"Fictional Steel", first, "A/1", 45050, 123456.5, "", 11111.09, 11111.09}, // 4 May 2023
				[]any{"Fictional Paper", second, "B/2", 45081, 1000, 180, "", ""}, []any{"Fictional Paper", second, "R/3", 45111, -100, -18, "", ""},
				[]any{"Fictional Paper", second, "C/4", "13/04/2023", "", 0, "", ""}, []any{"Fictional Paper", second, "C/5", "25/04/2023", "", 0, "", ""})
		}),
		"a hidden sheet, many columns": sheet(func(b *excelize.File) {
			if _, err := b.NewSheet("Last year"); err != nil {
				t.Fatal(err)
			}
			put(b, "Last year", 1, heads, []any{"Fictional Old", first, "Z/9", "05-04-2022", 1, 1, "", ""})
			if err := b.SetSheetVisible("Last year", false); err != nil {
				t.Fatal(err)
			}
			wide := slices.Concat(heads, make([]any, 16_000))
			wide[16_000] = "far away"
			put(b, "Sheet1", 1, wide, []any{"Fictional Steel", first, "A/1", "2023-04-05", 123456.5, "", 11111.09, 11111.09},
				[]any{"Fictional Paper", second, "B/2", "2023-04-06", 1000, 180, "", ""}, []any{"Fictional Paper", second, "R/3", "2023-04-07", -100, -18, "", ""})
		}),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := reader(t, read.Options{}).Read(context.Background(), file(t, "register", write), nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got.Records, want, func(*figures.Record) {})
			for _, left := range got.LeftOut {
				if left.Why != "total" && left.Why != "no_amount" {
					t.Errorf("row %d was left out: %s", left.Row, left.Why)
				}
			}
			if strings.Contains(name, "days") != slices.Contains(got.Notes, "days_turned") {
				t.Errorf("the notes are %v", got.Notes)
			}
			if strings.Contains(name, "hidden") && !slices.Contains(got.Notes, "hidden_sheet") {
				t.Errorf("the notes are %v", got.Notes)
			}
		})
	}
}

// Decisions of the Invoice Management System, as JSON and as a list.
func TestInvoiceManagementSystem(t *testing.T) {
	supplier := figurestest.GSTIN("29", "AABCF1234K")
	of := func(number string, kind figures.Kind, status figures.Status, tax figures.Tax) figures.Record {
		sign := int64(1)
		if kind == figures.CreditNote {
			sign = -1
		}
		return figures.Record{Source: figures.IMS, Kind: kind, GSTIN: supplier, Number: number, Date: "2024-11-05", Period: "2024-11", Status: status,
			Taxable: sign * 1000_00, Tax: tax}
	}
	want := []figures.Record{of("A/1", figures.Invoice, "", figures.Tax{180_00}), of("A/2", figures.Invoice, figures.Rejected, figures.Tax{180_00}),
		of("A/3", figures.Invoice, figures.Pending, figures.Tax{180_00}), of("C/4", figures.CreditNote, figures.Rejected, figures.Tax{-180_00})}
	one := func(number, action string) string {
		return `{"stin":"` + supplier + `","inum":"` + number + `","inv_typ":"R","action":"` + action +
			`","rtnprd":"112024","idt":"05-11-2024","val":1180,"txval":1000,"iamt":180,"camt":0,"samt":0,"cess":0}`
	}
	for name, content := range map[string]string{
		"ims.json": `{"data":{"b2b":[` + one("A/1", "A") + "," + one("A/2", "R") + "," + one("A/3", "P") + `],"b2bcn":[` +
			strings.NewReplacer(`"inum"`, `"nt_num"`, `"idt"`, `"nt_dt"`).Replace(one("C/4", "R")) + `]}}`,
		"ims.csv": "GSTIN of supplier,Trade name,Document number,Document type,Document date,Taxable value,Integrated tax,Central tax,State/UT tax,Cess,Action taken\n" +
			supplier + ",,A/1,Invoice,05/11/2024,1000,180,0,0,0,Accepted\n" + supplier + ",,A/2,Invoice,05/11/2024,1000,180,0,0,0,Rejected\n" +
			supplier + ",,A/3,Invoice,05/11/2024,1000,180,0,0,0,Pending\n" + supplier + ",,C/4,Credit note,05/11/2024,1000,180,0,0,0,Rejected\n",
	} {
		got, err := reader(t, read.Options{}).Read(context.Background(), file(t, name, text(content)), nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.HasPrefix(got.Format, "IMS") {
			t.Errorf("%s was read as %s", name, got.Format)
		}
		same(t, got.Records, want, func(*figures.Record) {})
	}
}

// GSTR-9C is compared with itself, and GSTR-1A is distinguished from GSTR-1 by its name.
func TestGSTR9CAnd1A(t *testing.T) {
	gstin := figurestest.GSTIN("27", "AAKCF4821M")
	got, err := reader(t, read.Options{}).Read(context.Background(), file(t, "9c.json", text(`{"gstin":"`+gstin+`","fp":"032024","gstr9cdata":{"audited_data":{
		"table5":{"turnovr":1,"annul_turn_adj":1500.50,"annul_turn_decl":1400,"unrec_turnovr":100.5},
		"table9":{"tot_amt_payable":{"igst":90,"cgst":10,"sgst":10,"cess":0},"tot_amt_paid":{"igst":80,"cgst":10,"sgst":10,"cess":0}},
		"table12":{"itc_avail_audited":70,"itc_claim":75,"unrec_itc":5}}}}`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	compared := figures.Compare("2023-04", "2024-03", []figures.File{got}, figures.Rules{})
	found := map[string][2]figures.Tax{}
	for _, v := range compared.Variances {
		first, second, shares := v.Sums()
		found[v.What] = [2]figures.Tax{first, second}
		if len(shares) != 1 || shares[0].Tax != first.Minus(second) {
			t.Errorf("%s: the classes are %+v", v.What, shares)
		}
	}
	if want := map[string][2]figures.Tax{figures.AuditedTurnover: {{1500_50}, {1400_00}}, figures.AuditedTax: {{90_00, 10_00, 10_00}, {80_00, 10_00, 10_00}},
		figures.AuditedCredit: {{75_00}, {70_00}}}; !maps.Equal(found, want) {
		t.Errorf("the comparisons are %v", found)
	}
	supply := func(number, amends string) string {
		return `{"gstin":"` + gstin + `","fp":"082024","b2ba":[{"ctin":"` + figurestest.GSTIN("29", "AABCF1234K") + `","inv":[{"inum":"` + number + `",` + amends +
			`"idt":"05-08-2024","itms":[{"itm_det":{"txval":1000,"iamt":180}}]}]}]}`
	}
	one, err := reader(t, read.Options{}).Read(context.Background(), file(t, "returns_R1A_x_offline.json", text(supply("S/1", `"oinum":"S/1","oidt":"05-08-2024",`))), nil)
	if err != nil || one.Format != "GSTR-1A JSON" || len(one.Records) != 1 || one.Records[0].Source != figures.GSTR1 || one.Records[0].Amends != "S/1" {
		t.Errorf("a GSTR-1A was read as %+v: %v", one, err)
	}
}
