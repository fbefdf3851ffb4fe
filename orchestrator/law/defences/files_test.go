package defences

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

const onCredit = `FORM GST ASMT-10
[See rule 99(1)]
Reference No.: ZD270125004411A          Date: 10/01/2025
GSTIN: 27AAKCF4821M1Z9
Name: Fictional Traders
Tax Period: April 2023 to March 2024          F.Y.: 2023-24
Notice for intimating discrepancies in the return after scrutiny
1. The input tax credit claimed in table 4(A)(5) of GSTR-3B exceeds the credit available in GSTR-2B. The excess
credit of tax is IGST Rs. 1,00,000, CGST Rs. 10,000 and SGST Rs. 10,000, in all Rs. 1,20,000.
You are hereby directed to explain the reasons for the aforesaid discrepancies by 09/02/2025.
Designation: State Tax Officer`

func pointsWith(t *testing.T, page string, compared ...gst.Reconciled) map[string]defence.Point {
	t.Helper()
	tables := law.Built()
	pages := []gst.Page{{Text: page}}
	f := gst.Read(tables, pages)
	f.Reconciled = compared
	by := map[string]defence.Point{}
	for _, p := range defence.Evaluate(Built(), tables, f, pages, law.ParseDay("2026-11-27")) {
		by[p.ID] = p
	}
	return by
}

// A question that the files answer is not asked: the rule applies with the amount that they prove and names the file,
// or does not apply. A rule is not raised on a paper without the allegation.
func TestFilesAnswerTheRules(t *testing.T) {
	files := []gst.ReconciledFile{{Name: "2b-04.json", Kind: "GSTR-2B JSON", Rows: 40}, {Name: "2b-05.json", Kind: "GSTR-2B JSON", Rows: 2}}
	compared := gst.Reconciled{Issue: "itc_2a2b_vs_3b", Para: "1", Statement: "GSTR-2B", Files: files,
		Difference: [4]int64{100_000_00, 10_000_00, 10_000_00}, Explained: [4]int64{70_000_00, 10_000_00, 10_000_00},
		Timing: [4]int64{60_000_00, 10_000_00, 10_000_00}, OtherTable: [4]int64{10_000_00}, Remains: [4]int64{30_000_00}}

	before := pointsWith(t, onCredit)
	if p := before["credit-timing"]; p.Verdict != defence.MayApply || p.Ask == "" {
		t.Fatalf("without files timing is %q and asks %q", p.Verdict, p.Ask)
	}
	if _, raised := before["credit-in-another-table"]; raised {
		t.Error("without files another table is raised")
	}

	after := pointsWith(t, onCredit, compared)
	timing := after["credit-timing"]
	if timing.Verdict != defence.Applies || timing.Ask != "" || timing.Amount == nil || *timing.Amount != 80_000_00 || *timing.Remains != 40_000_00 {
		t.Errorf("with files timing is %q of %v, and asks %q", timing.Verdict, timing.Amount, timing.Ask)
	}
	if !slices.Contains(timing.Because, printed.Quote{Quote: "GSTR-2B JSON", File: "2b-04.json + 1", Rows: 42}) {
		t.Errorf("it rests on %+v", timing.Because)
	}
	if want := "₹80,000 (IGST ₹60,000, CGST ₹10,000, SGST ₹10,000)"; !strings.Contains(timing.Plead, want) || strings.Contains(timing.Plead, "[…") {
		t.Errorf("it pleads %q", timing.Plead)
	}
	if len(timing.For) != 1 || len(timing.For[0].Heads) != 3 {
		t.Errorf("it is for %+v", timing.For)
	}
	if p := after["credit-in-another-table"]; p.Verdict != defence.Applies || *p.Amount != 10_000_00 {
		t.Errorf("another table is %q of %v", p.Verdict, p.Amount)
	}
	if p := after["credit-already-reversed"]; p.Verdict != defence.DoesNotApply || !strings.Contains(p.Why, "4(B)") {
		t.Errorf("what was reversed is %q: %s", p.Verdict, p.Why)
	}

	// Without timing in the files the rule on timing does not apply; if the files explain more than the
	// charge, only the amount of the charge is taken away.
	compared.Timing = [4]int64{}
	if p := pointsWith(t, onCredit, compared)["credit-timing"]; p.Verdict != defence.DoesNotApply || !strings.Contains(p.Why, "files") {
		t.Errorf("without timing in the files it is %q: %s", p.Verdict, p.Why)
	}
	compared.Timing, compared.Reversed = [4]int64{500_000_00, 1_00, 1_00}, [4]int64{7_000_00}
	more := pointsWith(t, onCredit, compared)
	if p := more["credit-timing"]; p.Amount == nil || *p.Amount != 120_000_00 {
		t.Errorf("of a charge of ₹1,20,000 it takes %v", p.Amount)
	}
	if p := more["credit-already-reversed"]; p.Verdict != defence.MayApply || !strings.Contains(p.Ask, "₹7,000") || strings.Contains(p.Plead, "[…") {
		t.Errorf("what was reversed is %q, asks %q and pleads %q", p.Verdict, p.Ask, p.Plead)
	}

	compared.Issue, compared.Para = "gstr1_vs_3b", ""
	if p := pointsWith(t, onCredit, compared)["credit-timing"]; p.Verdict != defence.MayApply {
		t.Errorf("by a comparison that the paper does not allege timing is %q", p.Verdict)
	}
}

// The certificates of Circular 183 are for the amount that the files leave unexplained, and not needed
// if there is none.
func TestFilesNarrowTheCertificates(t *testing.T) {
	page := strings.NewReplacer("2023", "2018", "March 2024", "March 2019", "2023-24", "2018-19", "2B", "2A").Replace(onCredit)
	compared := gst.Reconciled{Issue: "itc_2a2b_vs_3b", Para: "1", Statement: "GSTR-2A", Remains: [4]int64{30_000_00}}
	p := pointsWith(t, page, compared)["credit-difference-circular-183"]
	if p.Verdict != defence.MayApply || p.Amount == nil || *p.Amount != 30_000_00 || !strings.Contains(p.Ask, "₹30,000") {
		t.Errorf("it is %q of %v and asks %q", p.Verdict, p.Amount, p.Ask)
	}
	compared.Remains = [4]int64{}
	if p = pointsWith(t, page, compared)["credit-difference-circular-183"]; p.Verdict != defence.DoesNotApply {
		t.Errorf("with nothing left it is %q", p.Verdict)
	}
}

// With the credit ledger, interest is only on credit that was used; without it, the rule asks for
// the ledger.
func TestTheLedgerAnswersForInterest(t *testing.T) {
	page := strings.Replace(onCredit, "You are hereby", "Interest under section 50(3) is payable on credit availed and utilised.\nYou are hereby", 1)
	compared := gst.Reconciled{Issue: "itc_2a2b_vs_3b", Para: "1", Statement: "GSTR-2B", Remains: [4]int64{30_000_00}, Unused: [4]int64{20_000_00}}
	const rule = "interest-on-credit-not-utilised"
	if p := pointsWith(t, page, compared)[rule]; p.Verdict != defence.MayApply {
		t.Errorf("without the ledger it is %q", p.Verdict)
	}
	compared.Ledger = true
	if p := pointsWith(t, page, compared)[rule]; p.Verdict != defence.Applies || !strings.Contains(p.Plead, "₹20,000") || strings.Contains(p.Plead, "[…") {
		t.Errorf("with the ledger it is %q: %s", p.Verdict, p.Plead)
	}
	compared.Unused = [4]int64{}
	if p := pointsWith(t, page, compared)[rule]; p.Verdict != defence.DoesNotApply {
		t.Errorf("where all was used it is %q", p.Verdict)
	}
}

const withInterest = `FORM GST DRC-01
[See rule 142(1)(a)]
Summary of Show Cause Notice
Reference No. : ZD290525004412B    Date : 20/05/2025
GSTIN : 29XKMFM7714C1ZX
Name : Fictional Traders
Tax Period : APR 2023 - MAR 2024    F.Y. : 2023-24
Section under which show cause notice is issued 73
1. The input tax credit claimed in table 4(A)(5) of GSTR-3B exceeds the credit available in GSTR-2B by Rs. 30,000. Interest
under section 50(3) is payable on credit availed and utilised.
Act    Tax    Interest    Penalty    Total
IGST    30,000    9,000    0    39,000
Total    30,000    9,000    0    39,000`

// What the interest of the demand is too much by the ledger can be said where it is interest on what was compared, and
// not where another charge has a part of it.
func TestInterestOverIsOfTheOnlyCharge(t *testing.T) {
	compared := gst.Reconciled{Issue: "itc_2a2b_vs_3b", Para: "1", Statement: "GSTR-2B", Remains: [4]int64{30_000_00}, Unused: [4]int64{20_000_00},
		Interest: [4]int64{2_000_00}, Ledger: true}
	const rule = "interest-on-credit-not-utilised"
	if p := pointsWith(t, withInterest, compared)[rule]; p.Verdict != defence.Applies || p.Amount == nil || *p.Amount != 7_000_00 {
		t.Errorf("of one charge it is %q and takes %v", p.Verdict, p.Amount)
	}
	two := strings.Replace(withInterest, "Act    Tax", "2. Input tax credit of Rs. 12,000 on motor vehicles is blocked under section 17(5) and was availed and utilised.\nAct    Tax", 1)
	if p := pointsWith(t, two, compared)[rule]; p.Verdict != defence.Applies || p.Amount != nil {
		t.Errorf("of two charges it is %q and takes %v", p.Verdict, p.Amount)
	}
}

const onLate = `FORM GST DRC-01
[See rule 142(1)(a)]
Summary of Show Cause Notice
Reference No. : ZD290525004411A    Date : 20/05/2025
GSTIN : 29XKMFM7714C1ZX
Name : Fictional Traders
Tax Period : APR 2024 - MAR 2025    F.Y. : 2024-25
Section under which show cause notice is issued 73
1. Interest under section 50 on delayed filing of GSTR-3B returns.
Act    Tax    Interest    Penalty    Total
CGST    0    10,000    0    10,000
SGST    0    10,000    0    10,000
Total    0    20,000    0    20,000`

// The cash ledger answers the questions of the rules on late returns, each with its own part; without it,
// they ask.
func TestTheCashLedgerAnswersForLateReturns(t *testing.T) {
	const cashOnly, inLedger = "interest-on-cash-only", "interest-on-cash-in-ledger"
	for _, id := range []string{cashOnly, inLedger} {
		if p := pointsWith(t, onLate)[id]; p.Verdict != defence.MayApply || p.Ask == "" {
			t.Errorf("without the ledger %s is %q and asks %q", id, p.Verdict, p.Ask)
		}
	}
	asked := int64(20_000_00)
	late := gst.ReconciledLate{Asked: &asked, Cash: [4]int64{0, 400_000_00, 400_000_00}, OnCash: [4]int64{0, 6_000_00, 6_000_00},
		Lay: [4]int64{0, 100_000_00, 0}, OnLay: [4]int64{0, 1_500_00, 0}}
	compared := gst.Reconciled{Issue: "interest_s50", Para: "1", Interest: [4]int64{0, 4_500_00, 6_000_00}, Late: &late,
		Files: []gst.ReconciledFile{{Name: "cash.csv", Kind: "electronic cash ledger", Rows: 40}}}
	points := pointsWith(t, onLate, compared)
	if p := points[cashOnly]; p.Verdict != defence.Applies || p.Amount == nil || *p.Amount != 8_000_00 || !strings.Contains(p.Plead, "₹12,000") || strings.Contains(p.Plead, "[…") {
		t.Errorf("on the cash part it is %q of %v: %s", p.Verdict, p.Amount, p.Plead)
	}
	if p := points[inLedger]; p.Verdict != defence.Applies || p.Amount == nil || *p.Amount != 1_500_00 || !strings.Contains(p.Plead, "₹1,00,000") || strings.Contains(p.Plead, "[…") {
		t.Errorf("on cash in the ledger it is %q of %v: %s", p.Verdict, p.Amount, p.Plead)
	}
	if !slices.Contains(points[cashOnly].Because, printed.Quote{Quote: "electronic cash ledger", File: "cash.csv", Rows: 40}) {
		t.Errorf("it rests on %+v", points[cashOnly].Because)
	}

	// What a charge asks for as tax is no limit to its interest.
	taxed := strings.Replace(onLate, "Interest under section 50 on delayed filing of GSTR-3B returns.",
		"Tax of Rs. 1,000 (CGST Rs. 500 and SGST Rs. 500) was paid in returns filed late. Interest under section 50 is payable.", 1)
	if p := pointsWith(t, taxed, compared)[inLedger]; p.Amount == nil || *p.Amount != 1_500_00 {
		t.Errorf("with tax of ₹1,000 in the charge it takes %v", p.Amount)
	}

	// No more than the paper asks for, and nothing that lay there: neither applies. What lay there before the proviso is asked for.
	asked, late.Lay, late.OnLay = 9_000_00, [4]int64{}, [4]int64{}
	points = pointsWith(t, onLate, compared)
	for _, id := range []string{cashOnly, inLedger} {
		if p := points[id]; p.Verdict != defence.DoesNotApply || !strings.Contains(p.Why, "uploaded") {
			t.Errorf("%s is %q: %s", id, p.Verdict, p.Why)
		}
	}
	late.Earlier = true
	if p := pointsWith(t, onLate, compared)[inLedger]; p.Verdict != defence.MayApply {
		t.Errorf("with cash that lay there before the proviso it is %q", p.Verdict)
	}
}
