package defence

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

func evaluated(t *testing.T, rules []Rule, today string, pages ...string) []Point {
	t.Helper()
	tables := law.Built()
	var read []gst.Page
	for _, p := range pages {
		read = append(read, gst.Page{Text: p})
	}
	return Evaluate(rules, tables, gst.Read(tables, read), read, law.ParseDay(today))
}

const lateNotice = `FORM GST DRC-01
[See rule 142(1)(a)]
Summary of Show Cause Notice
Reference No. : ZD290125004411A    Date : 05/02/2025
GSTIN : 29XKMFM7714C1ZX
Name : MALNAD TRADERS
Tax Period : APR 2020 - MAR 2021    F.Y. : 2020-21
Section under which show cause notice is issued 73
Date by which reply has to be submitted 07/03/2025
1. Input tax credit on invoices of F.Y. 2019-20 was claimed in the return for September 2020, which was filed on 14/02/2021, after
the time limit in section 16(4). Credit involved: CGST Rs. 96,385 and SGST Rs. 96,385.
The taxpayer deposited Rs. 25,000 by DRC-03 dated 20-01-2025 under protest; it is not adjusted.
Act    Tax    Interest    Penalty    Total
CGST    96,385    0    10,000    1,06,385
SGST    96,385    0    10,000    1,06,385
Total    1,92,770    0    20,000    2,12,770`

func rules() []Rule {
	return []Rule{
		{
			ID: "late", Scope: PerYear, Provision: "CGST Act s.73(2)", Takes: printed.TakesAll, Strength: Ends,
			Raised: []Condition{{Fact: "paper.section", Is: []string{"73"}}},
			Where:  []Condition{{Fact: "paper.date", After: "year.notice73_longer"}},
		},
		{
			ID: "credit", Scope: PerCharge, Provision: "CGST Act s.16(5)", Takes: TakesCharge, Strength: Reduces,
			Raised: []Condition{{Words: "16(4)"}},
			Where: []Condition{
				{Fact: "charge.invoice_year", From: "2017-18", To: "2020-21", Ask: Words{English: "year?"}},
				{Fact: "charge.return_day", To: "2021-11-30", Ask: Words{English: "day?"}, Else: Words{English: "filed {charge.return_day}"}},
			},
		},
		{
			ID: "paid", Scope: PerPaper, Provision: "CGST Act s.73(5)", Takes: "fact payment.amount", Strength: Reduces,
			Raised: []Condition{{Fact: "payment.amount", From: "1"}}, Where: []Condition{{Fact: "payment.amount", From: "1"}},
		},
		{
			ID: "fraud", Scope: PerPaper, Provision: "CGST Act s.75(2)", AtMost: MayApply, Takes: TakesNothing, Strength: Ends,
			Raised: []Condition{{Fact: "paper.section", Is: []string{"74"}}}, Ask: Words{English: "what was hidden?"},
		},
	}
}

func TestWhatDecidesComesFirstWithWhatItTakesAway(t *testing.T) {
	points := evaluated(t, rules(), "2025-03-01", lateNotice)
	var ids []string
	for _, p := range points {
		ids = append(ids, p.ID)
		if p.Verdict != Applies {
			t.Errorf("%s: %s (%s%s)", p.ID, p.Verdict, p.Ask, p.Why)
		}
		for _, q := range p.Because {
			if !strings.Contains(strings.Join(strings.Fields(lateNotice), " "), q.Quote) {
				t.Errorf("%s quotes what is not printed: %q", p.ID, q.Quote)
			}
		}
	}
	if want := []string{"late", "credit", "paid"}; !slices.Equal(ids, want) {
		t.Fatalf("the points are %v, not %v", ids, want)
	}
	for i, want := range []struct{ amount, remains string }{{"₹2,12,770", "₹0"}, {"₹1,92,770", "₹20,000"}, {"₹25,000", "₹1,87,770"}} {
		if p := points[i]; p.Amount == nil || p.Remains == nil || p.Amount.String() != want.amount || p.Remains.String() != want.remains {
			t.Errorf("%s takes %v and leaves %v, it should be %v", p.ID, p.Amount, p.Remains, want)
		}
	}
}

func TestTheReturnsDayDecidesNotTheNotices(t *testing.T) {
	for _, c := range []struct{ filed, verdict, says string }{
		{"which was filed on 14/02/2021", Applies, ""},
		{"which was filed on 20/12/2021", DoesNotApply, "filed 20 December 2021"},
		{"which came late", MayApply, "day?"},
	} {
		points := evaluated(t, rules()[1:2], "2025-03-01", strings.Replace(lateNotice, "which was filed on 14/02/2021", c.filed, 1))
		if len(points) != 1 || points[0].Verdict != c.verdict || points[0].Ask+points[0].Why != c.says {
			t.Errorf("%s: %+v", c.filed, points)
		}
	}
}

// A rule about wrong sums asks nobody about a table that adds up.
func TestATableIsAddedUp(t *testing.T) {
	rule := Rule{ID: "excess", Scope: PerPaper, Provision: "CGST Act s.161", Takes: "fact demand.excess", Strength: Reduces,
		Raised: []Condition{{Fact: "paper.section", Is: []string{"73"}}},
		Where:  []Condition{{Fact: "demand.excess", From: "1", Ask: Words{English: "add it up"}, Else: Words{English: "it adds up"}}}}
	for total, want := range map[string]string{"2,12,770": DoesNotApply, "2,13,770": Applies} {
		points := evaluated(t, []Rule{rule}, "2025-03-01", strings.Replace(lateNotice, "2,12,770", total, 1))
		if len(points) != 1 || points[0].Verdict != want {
			t.Errorf("a total of %s: %+v", total, points)
		}
	}
}

func TestAPaperThatIsNoNoticeHasNoPoints(t *testing.T) {
	if points := evaluated(t, rules(), "2025-03-01", "TAX INVOICE\nTotal Rs. 5,01,264.00\nWe paid Rs. 25,000 by DRC-03."); len(points) != 0 {
		t.Errorf("%+v", points)
	}
}

func TestWhoIsToldToPayHasNotPaid(t *testing.T) {
	for _, words := range []string{
		"You may pay Rs. 25,000 by DRC-03.", "The amount of Rs. 25,000 is to be paid through FORM GST DRC-03.",
		"Rs. 25,000 deposited by DRC-03 has been adjusted above.",
	} {
		notice := strings.Replace(lateNotice, "The taxpayer deposited Rs. 25,000 by DRC-03 dated 20-01-2025 under protest; it is not adjusted.", words, 1)
		if points := evaluated(t, rules()[2:3], "2025-03-01", notice); len(points) != 0 {
			t.Errorf("%q: %+v", words, points)
		}
	}
}

// Charges of a single word, or at the very end of the text, are still charges.
func TestShortChargesAreRead(t *testing.T) {
	for _, text := range []string{
		strings.Replace(lateNotice, "1. Input", "1. Credit denied.\n2. Tax short paid.\n3. Input", 1),
		lateNotice + "\n2. Interest.", "", "FORM GST DRC-01", strings.Repeat("1. ", 50) + lateNotice,
	} {
		evaluated(t, rules(), "2025-03-01", text)
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add(lateNotice)
	f.Add("FORM GST MOV-07 section 129(3) detained on 01.02.2026\n(i) e-way bill expired")
	tables := law.Built()
	f.Fuzz(func(t *testing.T, words string) {
		pages := []gst.Page{{Text: "FORM GST DRC-01 section 73(1)\n" + words}}
		for _, p := range Evaluate(rules(), tables, gst.Read(tables, pages), pages, law.ParseDay("2026-11-22")) {
			if p.Verdict == Applies && len(p.Because) == 0 {
				t.Errorf("%s applies with nothing printed for it", p.ID)
			}
		}
	})
}

func BenchmarkEvaluate(b *testing.B) {
	tables := law.Built()
	pages := []gst.Page{{Text: lateNotice}}
	facts := gst.Read(tables, pages)
	for b.Loop() {
		Evaluate(rules(), tables, facts, pages, law.ParseDay("2025-03-01"))
	}
}

// The texts of a rule state its ground as true; so a point that does not apply has the reason instead of
// them.
func TestAPointThatDoesNotApplyClaimsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		reason    Words
		why, inHi string
	}{
		"with a reason of its own": {Words{"It is in time.", "यह समय पर है।"}, "It is in time.", "यह समय पर है।"},
		"with none":                {Words{}, disproved.English, disproved.Hindi},
	} {
		t.Run(name, func(t *testing.T) {
			rule := Rule{
				ID: "late", Scope: PerYear, Provision: "CGST Act s.73(2)", Takes: printed.TakesAll, Strength: Ends,
				Title: Words{"The notice came too late", "नोटिस देर से आया"}, Heading: "Bar of limitation",
				Explain: Words{"The notice came after {year.notice73}.", "नोटिस {year.notice73} के बाद आया।"}, Plead: "Barred.",
				Raised: []Condition{{Fact: "paper.section", Is: []string{"73"}}},
				Where:  []Condition{{Fact: "paper.date", After: "year.notice73_longer", Else: c.reason}},
			}
			points := evaluated(t, []Rule{rule}, "2025-03-01", strings.Replace(lateNotice, "05/02/2025", "05/11/2022", 1))
			if len(points) != 1 || points[0].Verdict != DoesNotApply {
				t.Fatalf("%+v", points)
			}
			p := points[0]
			if p.Why != c.why || p.Explain != c.why || p.Hindi.Why != c.inHi || p.Hindi.Explain != c.inHi {
				t.Errorf("the reason is %q, %q, %+v", p.Why, p.Explain, p.Hindi)
			}
			if p.Title != "Does not apply: The notice came too late" || p.Hindi.Title != "लागू नहीं: नोटिस देर से आया" {
				t.Errorf("the title is %q, %q", p.Title, p.Hindi.Title)
			}
			if p.Plead+p.Heading != "" {
				t.Errorf("it pleads %q, %q", p.Heading, p.Plead)
			}
		})
	}
}

// A letter with the title of a show cause notice is one, even if the table of its demand could not be
// read.

func TestALetterWithoutAFormHasItsDefences(t *testing.T) {
	const letter = `OFFICE OF THE SUPERINTENDENT OF GST AND CENTRAL EXCISE
HOSUR II RANGE, HOSUR DIVISION
O.C. No. 417/2026 (H-II Range)    10/08/2026
To
M/s. Sipcot Gear Forge Limited, Hosur.
GSTIN : 33XNHCS6620B1ZE
Sub: GST - delayed filing of GSTR-3B - short payment of interest for 2023-24 - payment called for - reg.
Interest under section 50(1) on returns filed late was not paid. A sum of Rs.36,690/- is payable.
Reply to reach the Range office by 31/08/2026.
Yours faithfully,
Superintendent`
	rule := Rule{ID: "late", Scope: PerPaper, AtMost: MayApply, Takes: TakesNothing, Raised: []Condition{{Words: "filed late"}, {Fact: "paper.kind", Is: []string{"letter"}}}}
	if points := evaluated(t, []Rule{rule}, "2026-08-15", letter); len(points) != 1 {
		t.Errorf("%d points, want the one that its words raise", len(points))
	}
}

func TestAChargePaidBeforeTheNotice(t *testing.T) {
	const notice = `FORM GST DRC-01
[See rule 142(1)]
Show Cause Notice under section 74A(1)
Reference No.: ZD180127019902R Date: 11/01/2027
GSTIN: 18XCKPB2093D1Z9
Tax period: April 2024 to March 2025
Charge I — Coal sold but not accounted in 3B. Central tax Rs. 1,22,000 and State tax Rs. 1,22,000 are involved. %
Charge II — Credit not found in GSTR-2B. Integrated tax credit of Rs. 88,000 was taken. Section 16(2)(aa) is contravened.
Fraud is not alleged.
`
	rule := Rule{ID: "paid", Scope: PerCharge, Takes: TakesCharge, Raised: []Condition{{Fact: "charge.paid_day", From: "2017-07-01"}},
		Where: []Condition{{Fact: "charge.paid_day", Before: "paper.date"}}}
	for words, want := range map[string]printed.Amount{
		"You have deposited these sums with full interest by DRC-03 of 18/12/2026.": 2_44_000_00,
		"You should pay the same with interest by DRC-03 by 18/12/2026.":            0,
		"A part of the tax was paid with interest by DRC-03 of 18/12/2026.":         0,
	} {
		t.Run(words, func(t *testing.T) {
			points := evaluated(t, []Rule{rule}, "2027-01-15", strings.Replace(notice, "%", words, 1))
			var got printed.Amount
			if len(points) > 0 && points[0].Verdict == Applies && points[0].Amount != nil {
				got = *points[0].Amount
			}
			if got != want {
				t.Errorf("it takes away %v, it should take %v", got, want)
			}
		})
	}
}
