package figures_test

import (
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

// holdTies checks that the shares of each month add up to its difference.
func holdTies(t *testing.T, c figures.Variance) {
	t.Helper()
	for _, m := range c.Months {
		var sum figures.Tax
		for _, s := range m.Shares {
			sum = sum.Plus(s.Tax)
		}
		if sum != m.Difference() {
			t.Errorf("%s: the classes come to %v, the difference is %v", m.Period, sum, m.Difference())
		}
	}
}

// Over the year each class has exactly the amount that was planted, to the paisa, and no other
// difference is found.
func TestEveryRupeeIsInOneClass(t *testing.T) {
	for seed, portal := range []figures.Source{figures.GSTR2B, figures.GSTR2A} {
		client := figurestest.New(figurestest.Design{Seed: uint64(seed), Invoices: 1500, Portal: portal, FirstYear: 2023})
		c := figures.Credit(client.Returns, figures.Match(client.Books, client.Portal, figures.Rules{}), "2023-04", "2024-03")
		holdTies(t, c)
		first, second, shares := c.Sums()
		var claimed, reported figures.Tax
		for _, r := range client.Returns {
			claimed = claimed.Plus(r.Table("4A5"))
		}
		if first != claimed {
			t.Errorf("claimed is %v, the returns have %v", first, claimed)
		}
		found := map[figures.Class]figures.Tax{}
		for _, s := range shares {
			found[s.Class] = s.Tax
			reported = reported.Plus(s.Tax)
		}
		if first.Minus(second) != reported {
			t.Errorf("the classes come to %v of %v", reported, first.Minus(second))
		}
		for _, class := range figures.Classes() {
			if found[class] != client.Planted[class] {
				t.Errorf("%s %s: found %v, planted %v", portal, class, found[class], client.Planted[class])
			}
		}
		across := false
		for _, n := range c.Nets {
			across = across || n.Class == figures.AcrossYear && n.From == "2024-03" && n.To > "2024-03"
		}
		if !across {
			t.Error("no return of the next year is named for what was booked in March")
		}
	}
}

// Without the books, the returns show what they can by month, table and head, and the rest stays
// unexplained.
func TestReturnsAlone(t *testing.T) {
	filed := func(period string, allOther, imports figures.Tax) figures.Return {
		return figures.Return{Form: "GSTR-3B", Period: period, Tables: []figures.ReturnLine{{Code: "4A5", Tax: allOther}, {Code: "4A1", Tax: imports}}}
	}
	portal := []figures.Record{
		{Source: figures.GSTR2B, Kind: figures.Invoice, Number: "1", Period: "2023-04", Tax: figures.Tax{100_00}},
		{Source: figures.GSTR2B, Kind: figures.Invoice, Number: "2", Period: "2023-05", Tax: figures.Tax{500_00}},
		{Source: figures.GSTR2B, Kind: figures.Import, Number: "3", Period: "2023-06", Tax: figures.Tax{70_00}},
		{Source: figures.GSTR2B, Kind: figures.Invoice, Number: "4", Period: "2023-07", Tax: figures.Tax{60_00}},
	}
	c := figures.Credit([]figures.Return{
		filed("2023-04", figures.Tax{400_00}, figures.Tax{}),          // ₹300 too early
		filed("2023-05", figures.Tax{200_00}, figures.Tax{}),          // in this month they are missing
		filed("2023-06", figures.Tax{70_00}, figures.Tax{}),           // the import, in the wrong table
		filed("2023-07", figures.Tax{0, 30_00, 30_00}, figures.Tax{}), // under other heads
		filed("2023-08", figures.Tax{9_00}, figures.Tax{}),            // without any document
	}, figures.Match(nil, portal, figures.Rules{}), "2023-04", "2023-09")
	holdTies(t, c)
	if len(c.Missing) != 1 || c.Missing[0] != "2023-09" {
		t.Errorf("missing are %v", c.Missing)
	}
	want := []figures.Share{{Class: figures.WrongHead, Tax: figures.Tax{-60_00, 30_00, 30_00}}, {Class: figures.OtherTable, Tax: figures.Tax{70_00}},
		{Class: figures.NotInFiles, Tax: figures.Tax{9_00}}}
	_, _, shares := c.Sums()
	if len(shares) != len(want) {
		t.Fatalf("the shares are %v", shares)
	}
	for i := range want {
		if shares[i] != want[i] {
			t.Errorf("share %d is %v, want %v", i, shares[i], want[i])
		}
	}
	if len(c.Nets) != 1 || c.Nets[0].From != "2023-04" || c.Nets[0].To != "2023-05" || c.Nets[0].Tax != (figures.Tax{300_00}) {
		t.Errorf("netted are %v", c.Nets)
	}
}

// GSTR-1 against 3B: a shortfall of one month that is paid in another is named, and an amendment counts with its
// change.
func TestDeclared(t *testing.T) {
	sold := func(number, period string, igst int64) figures.Record {
		return figures.Record{Source: figures.GSTR1, Kind: figures.Invoice, GSTIN: "29AAAAA0000A1Z5", Number: number, Date: period + "-10", Period: period,
			Tax: figures.Tax{igst}}
	}
	changed := sold("1", "2023-06", 130_00)
	changed.Amends, changed.AmendsDate = "1", "2023-04-10"
	paid := func(period string, igst int64) figures.Return {
		return figures.Return{Form: "GSTR-3B", Period: period, Tables: []figures.ReturnLine{{Code: "3.1a", Tax: figures.Tax{igst}}}}
	}
	c := figures.Declared([]figures.Return{paid("2023-04", 60_00), paid("2023-05", 240_00), paid("2023-06", 10_00)},
		[]figures.Record{sold("1", "2023-04", 100_00), sold("2", "2023-05", 200_00), changed}, "2023-04", "2023-06")
	holdTies(t, c)
	first, _, shares := c.Sums()
	if first != (figures.Tax{330_00}) {
		t.Errorf("GSTR-1 comes to %v", first)
	}
	if len(shares) != 1 || shares[0] != (figures.Share{Class: figures.NotInFiles, Tax: figures.Tax{20_00}}) {
		t.Errorf("the shares are %v", shares)
	}
	if len(c.Nets) != 1 || c.Nets[0].To != "2023-05" {
		t.Errorf("netted are %v", c.Nets)
	}
}
