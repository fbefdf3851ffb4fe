package figures_test

import (
	"fmt"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

const buyer = "29AAAAA0000A1Z5"

func supply(source figures.Source, gstin, number, period string, igst int64) figures.Record {
	return figures.Record{Source: source, Kind: figures.Invoice, GSTIN: gstin, Number: number, Date: period + "-10", Period: period, Taxable: igst * 5, Tax: figures.Tax{igst}}
}

// sums are the consumers' supplies in GSTR-1.
func sums(period string, igst int64) figures.Record {
	r := supply(figures.GSTR1, "", "b2cs "+period, period, igst)
	r.Kind = figures.Consumers
	return r
}

func classesOf(v figures.Variance) map[figures.Class]int64 {
	found := map[figures.Class]int64{}
	_, _, shares := v.Sums()
	for _, s := range shares {
		found[s.Class] = s.Tax.Sum()
	}
	return found
}

func varianceOf(t *testing.T, c figures.Compared, what string) figures.Variance {
	t.Helper()
	for _, v := range c.Variances {
		if v.What == what {
			holdTies(t, v)
			return v
		}
	}
	t.Fatalf("%s is not compared", what)
	return figures.Variance{}
}

// Each source of sales against GSTR-1, and the register against the e-invoices: each rupee is in one class, and
// documents that the other source need not have are left out by name.
func TestSupplies(t *testing.T) {
	reverse := supply(figures.GSTR1, buyer, "R-1", "2024-04", 900_00)
	reverse.Reverse = true
	booked := supply(figures.Sales, buyer, "R-1", "2024-04", 0)
	booked.Taxable = reverse.Taxable
	files := []figures.File{{Records: []figures.Record{
		supply(figures.Sales, buyer, "A-101", "2024-04", 100_00), supply(figures.Sales, buyer, "A-102", "2024-04", 200_00),
		supply(figures.Sales, buyer, "A-103", "2024-04", 300_00), supply(figures.Sales, buyer, "A-104", "2024-05", 400_00),
		supply(figures.Sales, "", "C-201", "2024-04", 40_00), booked,
	}}, {Records: []figures.Record{
		supply(figures.GSTR1, buyer, "A-101", "2024-04", 100_00), supply(figures.GSTR1, buyer, "A-102", "2024-05", 200_00),
		supply(figures.GSTR1, buyer, "A-104", "2024-05", 450_00), supply(figures.GSTR1, buyer, "A-105", "2024-05", 70_00),
		sums("2024-04", 30_00), reverse,
	}}, {Records: []figures.Record{
		supply(figures.EInvoices, buyer, "A-101", "2024-04", 100_00), supply(figures.EInvoices, buyer, "A-103", "2024-04", 300_00),
	}}, {Records: []figures.Record{
		supply(figures.EWayBills, buyer, "A-102", "2024-04", 200_00), supply(figures.EWayBills, buyer, "A-103", "2024-04", 300_00),
		supply(figures.EWayBills, "", "C-201", "2024-04", 40_00),
	}}}
	c := figures.Compare("2024-04", "2024-05", files, figures.Rules{})
	for _, of := range []struct {
		what   string
		want   map[figures.Class]int64
		beside int
	}{
		{figures.SalesDeclared, map[figures.Class]int64{figures.AmountDiffers: -50_00, figures.NotDeclared: 300_00, figures.OnlyDeclared: -70_00, figures.SummedUp: 10_00}, 0},
		{figures.SalesInvoiced, map[figures.Class]int64{figures.NoEInvoice: 600_00}, 1},
		{figures.InvoicesDeclared, map[figures.Class]int64{figures.NotDeclared: 300_00, figures.OnlyDeclared: -720_00}, 1},
		{figures.MovedDeclared, map[figures.Class]int64{figures.NotDeclared: 300_00, figures.SummedUp: 40_00}, 5},
	} {
		v := varianceOf(t, c, of.what)
		if found := classesOf(v); fmt.Sprint(found) != fmt.Sprint(of.want) {
			t.Errorf("%s: %v, want %v", of.what, found, of.want)
		}
		if v.Beside.Documents != of.beside {
			t.Errorf("%s: %d documents are left out, want %d", of.what, v.Beside.Documents, of.beside)
		}
		if d := figures.Answer(law.Built(), gst.Facts{}, v, nil, law.ParseDay("2026-11-20")); len(d.Pay) > 0 {
			t.Errorf("%s: %v would be paid, which its files do not show", of.what, d.Pay)
		}
	}
	// A-102 is in the GSTR-1 of May.
	if v := varianceOf(t, c, figures.SalesDeclared); len(v.Nets) != 1 || v.Nets[0].To != "2024-05" || v.Months[0].Difference() != (figures.Tax{510_00}) {
		t.Errorf("April differs by %v, netted are %v", v.Months[0].Difference(), v.Nets)
	}
	// A class that a person chose counts, and the documents left out stay known.
	for i, m := range c.Matchings {
		for n, e := range m.Entries {
			if m.What == figures.MovedDeclared && e.Class == figures.NotDeclared {
				c.Matchings[i].Entries[n].Class = figures.OtherMonth
			}
		}
	}
	v := varianceOf(t, c.Reclassed(c.Matchings), figures.MovedDeclared)
	if found := classesOf(v); found[figures.OtherMonth] != 300_00 || found[figures.NotDeclared] != 0 || v.Beside.Documents != 5 {
		t.Errorf("with another class the shares are %v, and %d left out", found, v.Beside.Documents)
	}
}

// The annual return against the twelve returns of its year, table by table; a year with a missing return is not
// compared.
func TestAnnualReturn(t *testing.T) {
	line := func(code string, taxable int64, tax ...int64) figures.ReturnLine {
		l := figures.ReturnLine{Code: code, Taxable: taxable}
		copy(l.Tax[:], tax)
		return l
	}
	var returns []figures.Return
	for month := range 12 {
		period := fmt.Sprintf("2023-%02d", 4+month)
		if month > 8 {
			period = fmt.Sprintf("2024-%02d", month-8)
		}
		returns = append(returns, figures.Return{Form: "GSTR-3B", Period: period, Tables: []figures.ReturnLine{
			line("3.1a", 1_000_00, 0, 90_00, 90_00), line("3.1c", 50_00), line("3.1d", 100_00, 18_00), line("4A3", 0, 18_00), line("4A5", 0, 0, 60_00, 60_00),
			line("4B2", 0, 0, 5_00, 5_00)}})
	}
	nine := figures.Return{Form: "GSTR-9", Period: "2024-03", Tables: []figures.ReturnLine{
		// 4N is not in the file, and is computed: ₹20 of IGST more than the returns.
		line("table4.b2b", 12_100_00, 0, 1_090_00, 1_090_00), line("table4.cr_nt", 100_00, 0, 10_00, 10_00), line("table4.rchrg", 1_200_00, 236_00),
		line("table5.exmt", 600_00), line("table9.payable", 0, 216_00, 1_080_00, 1_080_00),
		line("table6.total_itc_availed", 0, 216_00, 800_00, 720_00), line("table6.tran1", 0, 0, 80_00, 0),
		line("table7.net_itc_aval", 0, 216_00, 740_00, 660_00),
	}}
	c := figures.Compare("2023-04", "2024-03", []figures.File{{Returns: append(returns, nine)}}, figures.Rules{})
	for _, of := range []struct {
		what string
		want map[figures.Class]int64
	}{
		{figures.AnnualTax, map[figures.Class]int64{figures.NotInFiles: 20_00}},
		{figures.AnnualPayable, map[figures.Class]int64{}},
		{figures.AnnualTurnover, map[figures.Class]int64{}},
		{figures.AnnualCredit, map[figures.Class]int64{figures.OtherTable: -80_00}},
		{figures.AnnualNetCredit, map[figures.Class]int64{figures.OtherTable: -80_00}},
	} {
		v := varianceOf(t, c, of.what)
		if found := classesOf(v); fmt.Sprint(found) != fmt.Sprint(of.want) {
			t.Errorf("%s: %v, want %v", of.what, found, of.want)
		}
		if len(v.Months) != 1 || v.Months[0].Period != "2023-24" {
			t.Errorf("%s: the lines are %v", of.what, v.Months)
		}
	}
	short := figures.Compare("2023-04", "2024-03", []figures.File{{Returns: append(returns[1:], nine)}}, figures.Rules{})
	if v := varianceOf(t, short, figures.AnnualTax); len(v.Months) != 0 || len(v.Missing) != 1 || v.Missing[0] != "2023-04" {
		t.Errorf("without April the lines are %v, and missing is %v", v.Months, v.Missing)
	}
}

// The supplies reported when tax was deducted are compared with the turnover of GSTR-3B, or of GSTR-1 for a month
// without one; a month with neither is not compared, and no reason is given for a difference.
func TestWithholding(t *testing.T) {
	deducted := func(period string, value int64) figures.Record {
		return figures.Record{Source: figures.GSTR7, Kind: figures.Withheld, GSTIN: buyer, Number: period, Period: period, Taxable: value, Tax: figures.Tax{value / 50}}
	}
	c := figures.Compare("2024-04", "2024-06", []figures.File{
		{Records: []figures.Record{deducted("2024-04", 1_000_00), deducted("2024-05", 700_00), deducted("2024-06", 100_00), supply(figures.GSTR1, buyer, "1", "2024-05", 100_00)}},
		{Returns: []figures.Return{{Form: "GSTR-3B", Period: "2024-04", Tables: []figures.ReturnLine{{Code: "3.1a", Taxable: 600_00}, {Code: "3.1b", Taxable: 100_00},
			{Code: "3.1c", Taxable: 900_00}}}}},
	}, figures.Rules{})
	v := varianceOf(t, c, figures.TDSTurnover)
	if found := classesOf(v); len(found) != 1 || found[figures.NotInFiles] != 500_00 {
		t.Errorf("the shares are %v", found)
	}
	if len(v.Missing) != 1 || v.Missing[0] != "2024-06" || v.Months[2].First != (figures.Tax{}) {
		t.Errorf("missing is %v", v.Missing)
	}
	if a := figures.Answer(law.Built(), gst.Facts{}, v, nil, law.ParseDay("2026-11-20")); !a.Differs() || a.Notice != nil {
		t.Errorf("the answer is %+v", a)
	}
}

func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"Credit in GSTR-3B exceeds GSTR - 2A":                                  figures.CreditClaimed,
		"Tax in GSTR-1 is more than in GSTR-3B":                                figures.TaxDeclared,
		"The e-way bills show more supplies than GSTR-1":                       figures.MovedDeclared,
		"The e-invoices are more than GSTR-1":                                  figures.InvoicesDeclared,
		"The ITC in GSTR-9 is less than that claimed in GSTR-3B":               figures.AnnualCredit,
		"Outward tax in the annual return is more than that paid with GSTR-3B": figures.AnnualTax,
		"Payments in GSTR-7 exceed the turnover":                               figures.TDSTurnover,
	} {
		for _, what := range []string{figures.CreditClaimed, figures.TaxDeclared, figures.MovedDeclared, figures.InvoicesDeclared, figures.SalesDeclared,
			figures.SalesInvoiced, figures.AnnualCredit, figures.AnnualTax, figures.AnnualPayable, figures.TDSTurnover, figures.TCSTurnover} {
			if got := figures.Names(text, what); got != (what == want) {
				t.Errorf("%q names %s: %v", text, what, got)
			}
		}
	}
}

// Documents in the books that were rejected or left pending in the Invoice Management System cannot be in GSTR-2B;
// one that was accepted there and is still not in GSTR-2B has the class "only in the books".
func TestDecisionsExplainWhatIsMissing(t *testing.T) {
	record := func(source figures.Source, number string, status figures.Status) figures.Record {
		return figures.Record{Source: source, Kind: figures.Invoice, GSTIN: "29AABCF1234K1Z5", Number: number, Date: "2024-11-05", Period: "2024-11",
			Taxable: 1000_00, Tax: figures.Tax{180_00}, Status: status}
	}
	var files []figures.File
	for _, of := range []struct {
		source   figures.Source
		statuses map[string]figures.Status
	}{{figures.Purchases, map[string]figures.Status{"A/1": "", "A/2": "", "A/3": "", "A/4": ""}}, {figures.GSTR2B, map[string]figures.Status{"A/1": ""}},
		{figures.IMS, map[string]figures.Status{"A/1": "", "A/2": figures.Rejected, "A/3": figures.Pending, "A/4": ""}}} {
		var f figures.File
		for _, number := range []string{"A/1", "A/2", "A/3", "A/4"} {
			if status, ok := of.statuses[number]; ok {
				f.Records = append(f.Records, record(of.source, number, status))
			}
		}
		files = append(files, f)
	}
	c := figures.Compare("2024-11", "2024-11", files, figures.Rules{})
	found := map[string]figures.Class{}
	for _, e := range figures.Of(c.Matchings, figures.CreditClaimed).Entries {
		found[c.Matchings[0].Record(e).Number] = e.Class
	}
	for number, want := range map[string]figures.Class{"A/1": figures.Matched, "A/2": figures.NotAccepted, "A/3": figures.NotAccepted, "A/4": figures.OnlyBooks} {
		if found[number] != want {
			t.Errorf("%s is %s", number, found[number])
		}
	}
	if _, _, shares := c.Variances[0].Sums(); len(shares) != 2 || shares[1].Class != figures.NotAccepted || shares[1].Tax != (figures.Tax{360_00}) {
		t.Errorf("the classes are %+v", shares)
	}
}
