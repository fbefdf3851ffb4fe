package figures_test

import (
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

func comparison() figures.Variance {
	month := func(period string, shares ...figures.Share) figures.Month {
		m := figures.Month{Period: period, Shares: shares}
		for _, s := range shares {
			m.First = m.First.Plus(s.Tax)
		}
		return m
	}
	return figures.Variance{What: figures.CreditClaimed, From: "2023-04", To: "2023-06", Months: []figures.Month{
		month("2023-04", figures.Share{Class: figures.OnlyBooks, Tax: figures.Tax{70_000_00}}),
		month("2023-05", figures.Share{Class: figures.AcrossYear, Tax: figures.Tax{0, 500_00, 500_00}}),
		month("2023-06", figures.Share{Class: figures.OnlyPortal, Tax: figures.Tax{-20_000_00}}),
	}}
}

func TestAnswer(t *testing.T) {
	facts := gst.Facts{Issues: []string{"itc_2a2b_vs_3b"}, Demand: &gst.Demand{Rows: []gst.DemandRow{
		{Head: "IGST", Tax: 60_000}, {Head: "CGST", Tax: 500}, {Head: "UTGST", Tax: 500}}}}
	a := figures.Answer(law.Built(), facts, comparison(), nil, law.ParseDay("2024-05-19"))
	if a.Notice == nil || *a.Notice != (figures.Tax{60_000_00, 500_00, 500_00}) {
		t.Fatalf("the notice claims %v", a.Notice)
	}
	var sum figures.Tax
	for _, s := range a.Shares {
		sum = sum.Plus(s.Tax)
	}
	if sum != *a.Notice {
		t.Errorf("the classes come to %v of the notice's %v", sum, *a.Notice)
	}
	if a.Explained != (figures.Tax{0, 500_00, 500_00}) || a.Remains != (figures.Tax{50_000_00}) {
		t.Errorf("explained %v, remains %v", a.Explained, a.Remains)
	}
	// 18 % of ₹50,000 for the 365 days after 20 May 2023.
	if len(a.Pay) != 1 || a.Pay[0] != (figures.Dues{Head: "IGST", Tax: 50_000_00, Interest: 9_000_00}) {
		t.Errorf("to pay is %+v", a.Pay)
	}
}

// If a notice also has another dispute, it does not say what it claims for this one, unless a charge does.
func TestClaimed(t *testing.T) {
	facts := gst.Facts{Issues: []string{"itc_2a2b_vs_3b", "rcm"}, Demand: &gst.Demand{Rows: []gst.DemandRow{{Head: "IGST", Tax: 9}}}}
	if got := figures.Claimed(facts, figures.CreditClaimed); got != nil {
		t.Errorf("claimed is %v of a demand for two things", got)
	}
	facts.Paragraphs = []gst.Paragraph{
		{Kind: "charge", Text: "Credit in GSTR-3B exceeds GSTR - 2A", Amounts: []gst.ChargeAmount{{DemandRow: gst.DemandRow{Head: "CGST", Tax: 7.25}}}},
		{Kind: "charge", Text: "Tax under reverse charge", Amounts: []gst.ChargeAmount{{DemandRow: gst.DemandRow{Head: "CGST", Tax: 5}}}},
	}
	if got := figures.Claimed(facts, figures.CreditClaimed); got == nil || *got != (figures.Tax{0, 7_25}) {
		t.Errorf("claimed is %v", got)
	}
}

// Rule 88B: credit counts as used from the day on which the balance falls below it, and only as far as it falls.
func TestInterestByTheLedger(t *testing.T) {
	ledger := figures.Ledger{Kind: "credit", Movements: []figures.Movement{
		{Date: "2023-05-18", Period: "2023-04", Tax: figures.Tax{80_000_00}},
		{Date: "2023-05-18", Period: "2023-04", Tax: figures.Tax{-10_000_00}}, // 70,000 left: not used
		{Date: "2023-07-19", Period: "2023-06", Tax: figures.Tax{-40_000_00}}, // 30,000 left: 20,000 of the 50,000 used
		{Date: "2023-08-19", Period: "2023-07", Tax: figures.Tax{10_000_00}},
		{Date: "2023-09-19", Period: "2023-08", Tax: figures.Tax{-15_000_00}}, // 25,000 left: 5,000 more
	}}
	a := figures.Answer(law.Built(), gst.Facts{}, comparison(), &ledger, law.ParseDay("2024-05-19"))
	if !a.Ledger || len(a.Portions) != 2 {
		t.Fatalf("the portions are %+v", a.Portions)
	}
	for i, want := range []struct {
		from  string
		paise int64
	}{{"2023-07-19", 20_000_00}, {"2023-09-19", 5_000_00}} {
		if p := a.Portions[i]; p.From != want.from || p.Paise != want.paise || p.Kind != "credit" {
			t.Errorf("portion %d is %+v", i, p)
		}
	}
	if a.Unused != (figures.Tax{25_000_00}) {
		t.Errorf("unused is %v", a.Unused)
	}
}
