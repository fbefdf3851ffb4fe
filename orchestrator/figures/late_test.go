package figures_test

import (
	"slices"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// moved returns a movement of the cash ledger under CGST and SGST, in rupees; a debit pays the return of its
// month.
func moved(day, period string, cgst, sgst int64) figures.Movement {
	m := figures.Movement{Date: day, Period: period, Description: "Amount deposited", Tax: figures.Tax{0, cgst * 100, sgst * 100}}
	if period != "" {
		m.Description = "Other than reverse charge"
	}
	return m
}

// Interest on a late return is on the part paid in cash, less what was in the cash ledger from the
// due date.
func TestLateReturns(t *testing.T) {
	demand := func(interest float64) gst.Facts {
		issued := "2025-01-10"
		return gst.Facts{Issues: []string{"interest_s50"}, IssueDate: &issued,
			Demand: &gst.Demand{Rows: []gst.DemandRow{{Head: "CGST", Interest: interest}}}}
	}
	nil3B := figures.Return{Form: "GSTR-3B", Period: "2024-09", Tables: []figures.ReturnLine{{Code: "3.1a"}}}
	for name, c := range map[string]struct {
		cash, credit     []figures.Movement
		returns          []figures.Return
		opening          figures.Tax
		from, to         string
		onCash, interest figures.Tax // rupees
		lay, earlier     int64
		onCredit, other  int64
		missing          []string
		unproved         bool
	}{
		"paid late wholly by credit": {
			cash:   []figures.Movement{moved("2024-08-01", "", 10, 10), moved("2025-01-05", "", 10, 10)},
			credit: []figures.Movement{moved("2024-09-29", "2024-08", -36500, -36500)},
			from:   "2024-08", to: "2024-08", onCredit: 324, other: 1000 - 324, // 73,000 × 18% × 9/365
		},
		"half in cash, deposited on the day": {
			cash:   []figures.Movement{moved("2024-09-30", "", 36500, 36500), moved("2024-09-30", "2024-08", -36500, -36500)},
			credit: []figures.Movement{moved("2024-09-30", "2024-08", -73000, 0)},
			from:   "2024-08", to: "2024-08", onCash: figures.Tax{0, 180, 180}, interest: figures.Tax{0, 180, 180}, onCredit: 360, other: 280,
		},
		"deposited by the due date and left there": {
			cash: []figures.Movement{moved("2024-09-20", "", 36500, 36500), moved("2024-09-30", "2024-08", -36500, -36500)},
			from: "2024-08", to: "2024-08", onCash: figures.Tax{0, 180, 180}, lay: 73000, onCredit: -1, other: 640,
		},
		"deposited a day late": {
			cash: []figures.Movement{moved("2024-08-01", "", 1, 1), moved("2024-09-21", "", 36499, 36499), moved("2024-09-30", "2024-08", -36500, -36500)},
			from: "2024-08", to: "2024-08", onCash: figures.Tax{0, 180, 180}, interest: figures.Tax{0, 180, 180}, lay: 2, onCredit: -1, other: 640,
		},
		"one head lay there, the other did not": {
			cash: []figures.Movement{moved("2024-09-18", "", 36500, 0), moved("2024-09-30", "", 0, 36500), moved("2024-09-30", "2024-08", -36500, -36500)},
			from: "2024-08", to: "2024-08", onCash: figures.Tax{0, 180, 180}, interest: figures.Tax{0, 0, 180}, lay: 36500, onCredit: -1, other: 640,
		},
		// August uses what was there, September finds a deposit made after its due date.
		"what an earlier return took in between did not stay": {
			cash: []figures.Movement{moved("2024-09-20", "", 36500, 0), moved("2024-10-25", "2024-08", -36500, 0), moved("2024-10-30", "", 36500, 0),
				moved("2024-10-30", "2024-09", -36500, 0)},
			from: "2024-08", to: "2024-09", onCash: figures.Tax{0, 630 + 180}, interest: figures.Tax{0, 180}, lay: 36500, onCredit: -1, other: 190,
		},
		"before the proviso": {
			cash: []figures.Movement{moved("2024-05-20", "", 36500, 0), moved("2024-05-30", "2024-04", -36500, 0)},
			from: "2024-04", to: "2024-04", onCash: figures.Tax{0, 180}, interest: figures.Tax{0, 180}, earlier: 36500, onCredit: -1, other: 820,
		},
		"the ledger begins after the due date": {
			cash: []figures.Movement{moved("2024-09-30", "2024-08", -36500, 0)}, opening: figures.Tax{0, 36500_00},
			from: "2024-08", to: "2024-08", onCash: figures.Tax{0, 180}, interest: figures.Tax{0, 180}, onCredit: -1, other: 820,
		},
		"in time, with a month of nothing": {
			cash:    []figures.Movement{moved("2024-09-20", "2024-08", -36500, 0)},
			returns: []figures.Return{nil3B},
			from:    "2024-08", to: "2024-09", onCredit: -1, other: 1000,
		},
		"a month that the ledgers do not have": {
			cash:   []figures.Movement{moved("2024-09-20", "2024-08", -36500, 0)},
			credit: []figures.Movement{moved("2024-10-30", "2024-09", -1, 0)}, // after the end of the cash ledger
			from:   "2024-08", to: "2024-09", onCredit: 0, other: 1000, missing: []string{"2024-09"}, unproved: true,
		},
		"paid after the notice": {
			cash: []figures.Movement{moved("2025-01-10", "2024-11", -36500, 0)},
			from: "2024-11", to: "2024-11", onCash: figures.Tax{0, 378}, interest: figures.Tax{0, 378}, onCredit: -1, other: 622, unproved: true,
		},
		"paid after the notice wholly by credit": {
			cash:   []figures.Movement{moved("2024-11-01", "", 1, 1), moved("2025-01-31", "", 1, 1)},
			credit: []figures.Movement{moved("2025-01-10", "2024-11", -36500, 0)},
			from:   "2024-11", to: "2024-11", onCredit: 378, other: 622, unproved: true,
		},
		"a month of lower rates": {
			cash: []figures.Movement{moved("2020-05-25", "2020-04", -36500, 0)},
			from: "2020-04", to: "2020-04", onCash: figures.Tax{0, 90}, interest: figures.Tax{0, 90}, onCredit: -1, other: 910, unproved: true,
		},
		"a month of lower rates, in time": {
			cash: []figures.Movement{moved("2020-05-20", "2020-04", -36500, 0)},
			from: "2020-04", to: "2020-04", onCredit: -1, other: 1000,
		},
		"paid late by credit in a month of lower rates": {
			cash:   []figures.Movement{moved("2021-04-01", "", 1, 1), moved("2021-07-31", "", 1, 1)},
			credit: []figures.Movement{moved("2021-06-25", "2021-05", -36500, 0)},
			from:   "2021-05", to: "2021-05", onCredit: 90, other: 910, unproved: true,
		},
		"the month after those of lower rates": {
			cash: []figures.Movement{moved("2021-07-25", "2021-06", -36500, 0)},
			from: "2021-06", to: "2021-06", onCash: figures.Tax{0, 90}, interest: figures.Tax{0, 90}, onCredit: -1, other: 910,
		},
		"quarterly returns": { // April and May are none that are missing
			cash: []figures.Movement{moved("2023-07-25", "2023-06", -36500, 0), moved("2023-10-20", "2023-09", -36500, 0)},
			from: "2023-04", to: "2023-06", onCash: figures.Tax{0, 90}, interest: figures.Tax{0, 90}, onCredit: -1, other: 910, unproved: true,
		},
		"no return": {
			cash: []figures.Movement{{Date: "2024-10-01", Period: "2024-08", Description: "DRC-03 voluntary payment", Tax: figures.Tax{0, -500_00}}},
			from: "2024-08", to: "2024-08", onCredit: -1, other: 1000, missing: []string{"2024-08"}, unproved: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			files := []figures.File{{Returns: c.returns, Ledgers: []figures.Ledger{{Kind: "cash", TaxAlone: true, Opening: c.opening, Movements: c.cash}}}}
			if c.credit != nil {
				files = append(files, figures.File{Ledgers: []figures.Ledger{{Kind: "credit", Movements: c.credit}}})
			}
			l := figures.Compare(c.from, c.to, files, figures.Rules{}).Against(law.Built(), demand(1000), law.ParseDay("2026-11-20")).Late
			rupees := func(tax figures.Tax) figures.Tax {
				for i := range tax {
					tax[i] *= 100
				}
				return tax
			}
			if l.OnCash != rupees(c.onCash) || l.Interest != rupees(c.interest) || l.Lay.Sum() != c.lay*100 || l.Earlier.Sum() != c.earlier*100 {
				t.Errorf("interest on cash is %v, due %v; %v lay there, %v before the proviso", l.OnCash, l.Interest, l.Lay, l.Earlier)
			}
			if (l.OnCredit == nil) != (c.onCredit < 0) || l.OnCredit != nil && *l.OnCredit != c.onCredit*100 || l.Other() != c.other*100 {
				t.Errorf("interest on credit is %v, other %d", l.OnCredit, l.Other())
			}
			if !slices.Equal(l.Missing, c.missing) || l.Proved() == c.unproved {
				t.Errorf("missing are %v; proved: %v", l.Missing, l.Proved())
			}
		})
	}
	if l := figures.Compare("2024-08", "2024-08", nil, figures.Rules{}).Against(law.Built(), demand(1000), law.ParseDay("2026-11-20")).Late; l != nil {
		t.Errorf("without the cash ledger it is %+v", l)
	}
}

// A ledger that is in two files counts once, in whatever order the files come.
func TestLateReturnsOfOverlappingLedgers(t *testing.T) {
	with := func(m figures.Movement, cgst int64) figures.Movement {
		m.Balance = &figures.Tax{0, cgst * 100}
		return m
	}
	first := figures.Ledger{Kind: "cash", TaxAlone: true, Movements: []figures.Movement{with(moved("2024-09-18", "", 100, 0), 100), with(moved("2024-09-30", "2024-08", -100, 0), 0)}}
	second := figures.Ledger{Kind: "cash", TaxAlone: true, Movements: first.Movements[1:]}
	l := figures.Compare("2024-08", "2024-08", []figures.File{{Ledgers: []figures.Ledger{second}}, {Ledgers: []figures.Ledger{first}}}, figures.Rules{}).
		Against(law.Built(), gst.Facts{Issues: []string{"interest_s50"}}, law.ParseDay("2026-11-20")).Late
	if len(l.Returns) != 1 || l.Lay != (figures.Tax{0, 100_00}) || l.Notice != nil {
		t.Errorf("it is %+v", l)
	}
}

// Whoever files quarterly has other due dates, so that nothing is proved by those of monthly returns.
func TestLateReturnsOfQuarterlyFilers(t *testing.T) {
	file := figures.File{Ledgers: []figures.Ledger{{Kind: "cash", TaxAlone: true, Movements: []figures.Movement{moved("2024-07-25", "2024-06", -36500, 0)}}}}
	for text, quarterly := range map[string]bool{
		"Interest on late returns.":                                      false,
		"Interest on late returns. Filing frequency: Quarterly":          true,
		"The taxpayer is under QRMP. Interest on late returns.":          true,
		"The taxpayer has not opted for QRMP. Interest on late returns.": false,
		"करदाता तिमाही रिटर्न भरता है। विलम्ब से भुगतान पर ब्याज देय है।": true,
	} {
		f := gst.Facts{Issues: []string{"interest_s50"}, Paragraphs: []gst.Paragraph{{Text: text, Kind: "charge"}}}
		l := figures.Compare("2024-06", "2024-06", []figures.File{file}, figures.Rules{}).Against(law.Built(), f, law.ParseDay("2026-11-20")).Late
		if l.Quarterly != quarterly || l.Proved() == quarterly {
			t.Errorf("%q: quarterly is %v, proved %v", text, l.Quarterly, l.Proved())
		}
	}
}

// The interest on late returns is that of the charges that ask for it, and of no charge whose words only hold "late".
func TestInterestAskedForLateReturns(t *testing.T) {
	issued := "2025-05-20"
	cash := figures.File{Ledgers: []figures.Ledger{{Kind: "cash", TaxAlone: true, Movements: []figures.Movement{
		moved("2024-09-21", "", 36500, 0), moved("2024-09-30", "2024-08", -36500, 0)}}}}
	for text, asks := range map[string]bool{
		"Interest under section 50 on delayed filing of GSTR-3B returns.":         true,
		"Interest on belated payment: the GSTR-3B of August 2024 was filed late.": true,
		"Interest is payable on returns filed after the due date.":                true,
		"विलम्ब से भुगतान किये गये कर पर धारा 50(1) के अन्तर्गत ब्याज देय है, जो जमा नहीं किया गया।": true,
		"Interest is calculated at 18% on the tax short paid.":                                            false,
		"Interest on related party supplies under section 50.":                                            false,
		"Input tax credit in GSTR-3B exceeds GSTR-2B; the returns were filed late. Interest follows too.": false,
	} {
		f := gst.Facts{Issues: []string{"interest_s50"}, IssueDate: &issued, Paragraphs: []gst.Paragraph{{Number: "4", Kind: "charge",
			Text: text, Amounts: []gst.ChargeAmount{{DemandRow: gst.DemandRow{Head: "CGST", Interest: 1000}}}}}}
		c := figures.Compare("2024-08", "2024-08", []figures.File{cash}, figures.Rules{})
		if l := c.Against(law.Built(), f, law.ParseDay("2026-11-20")).Late; (l.Notice != nil) != asks {
			t.Errorf("%q: %v is asked for", text, l.Notice)
		}
		said := c.Facts(law.Built(), f, nil, law.ParseDay("2026-11-20"))
		if len(said) != 1 || (said[0].Para == "4") != asks {
			t.Errorf("%q: the facts are %+v", text, said)
		}
		if other := said[0].Late.Other; (other != nil) != asks || asks && *other != 1_000_00-180_00 {
			t.Errorf("%q: %v is of other days", text, other)
		}
		if returns := said[0].Late.Returns; len(returns) != 1 || returns[0].Days != 10 || returns[0].Interest != [4]int64{0, 180_00} {
			t.Errorf("%q: the returns are %+v", text, returns)
		}
	}
}
