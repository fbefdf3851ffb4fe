package reply_test

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/reply"
)

// What the cash ledger shows of late returns is after the paragraph that asks for the interest: return by return, under
// the heads that were paid in cash, and against what is asked for. Its amounts have a source, and no question is put.
func TestLateReturnsInTheReply(t *testing.T) {
	form := "DRC-01"
	asked, onCredit, other := int64(2_000_00), int64(630_00), int64(1_010_00)
	f := gst.Facts{Form: &form, Issues: []string{"interest_s50"}, Demand: &gst.Demand{Rows: []gst.DemandRow{{Head: "CGST", Interest: 1000}, {Head: "SGST", Interest: 1000}}}, Paragraphs: []gst.Paragraph{
		{Number: "1", Kind: "charge", Text: "Late fee under section 47 is payable."},
		{Number: "2", Kind: "charge", Text: "Interest under section 50 on delayed filing of GSTR-3B returns."},
	}, Reconciled: []gst.Reconciled{{Issue: "interest_s50", Para: "2", Interest: [4]int64{0, 180_00, 90_00}, Late: &gst.ReconciledLate{Asked: &asked,
		Cash: [4]int64{0, 36_500_00, 36_500_00}, OnCash: [4]int64{0, 180_00, 180_00}, Lay: [4]int64{0, 0, 18_250_00}, OnLay: [4]int64{0, 0, 90_00}, OnCredit: &onCredit, Other: &other,
		Returns: []gst.ReconciledReturn{{Period: "2024-08", Due: "2024-09-20", Paid: "2024-09-30", Days: 10, Cash: [4]int64{0, 36_500_00, 36_500_00},
			Lay: [4]int64{0, 0, 18_250_00}, Interest: [4]int64{0, 180_00, 90_00}}}}}}}
	find := func(parts []reply.Part, id string) int {
		t.Helper()
		return slices.IndexFunc(parts, func(p reply.Part) bool { return p.ID == id })
	}
	g := given(f, reply.Said{Stance: reply.Deny})
	parts := reply.Parts(tables, g)
	para, at := find(parts, "para:2"), find(parts, "figures:late")
	if at < 0 || at != para+1 || !parts[at].Fixed {
		t.Fatalf("the interest is part %d, its paragraph part %d", at, para)
	}
	if !strings.Contains(parts[para].Text, "worked out the interest from its electronic ledgers") || strings.Contains(parts[para].Text, "the facts in answer") {
		t.Errorf("the paragraph is %s", parts[para].Text)
	}
	for _, words := range []string{"| Return | Due on | Paid on | Days | Cash: CGST | Cash: SGST | Lay in the ledger | Interest |",
		"| August 2024 | 20.09.2024 | 30.09.2024 | 10 | ₹36,500 | ₹36,500 | ₹18,250 | ₹270 |", "| Total |  |  |  | ₹36,500 | ₹36,500 | ₹18,250 | ₹270 |",
		"| Interest asked for | ₹2,000 |", "| Due by the ledgers | ₹270 |", "| On cash that lay in the ledger | ₹90 |", "| On tax that credit paid | ₹630 |",
		"| Other days or amounts | ₹1,010 |", "Nothing is admitted"} {
		if !strings.Contains(parts[at].Text, words) {
			t.Errorf("it lacks %q: %s", words, parts[at].Text)
		}
	}
	for _, q := range reply.Questions(tables, g, nil) {
		if q.Key == reply.AskPara+"2" {
			t.Error("what the ledger answers is asked")
		}
	}
	for _, found := range reply.SourcesOf(tables, g, nil).In(parts[at].Text) {
		if words := parts[at].Text[found.Start:found.End]; found.Kind != reply.InFiles && words != "₹2,000" { // that is the notice's
			t.Errorf("%s is %q", words, found.Kind)
		}
	}

	if parts = reply.Parts(tables, given(f, reply.Said{Stance: reply.Admit})); !strings.Contains(parts[find(parts, "figures:late")].Text, "Interest of CGST ₹180 and SGST ₹90, ₹270 in all is admitted") {
		t.Errorf("admitted it is %s", parts[find(parts, "figures:late")].Text)
	}
	f.Reconciled[0].Late.Returns, f.Reconciled[0].Late.OnCredit = nil, nil
	other = 1_640_00
	f.Reconciled[0].Interest = [4]int64{}
	parts = reply.Parts(tables, given(f, reply.Said{Stance: reply.Deny}))
	if text := parts[find(parts, "figures:late")].Text; strings.Contains(text, "Paid on") || !strings.Contains(text, "| On tax that credit paid, and other days or amounts | ₹1,640 |") {
		t.Errorf("without a late return it is %s", text)
	}
	f.Reconciled = nil
	if at := find(reply.Parts(tables, given(f, reply.Said{Stance: reply.Deny})), "figures:late"); at >= 0 {
		t.Error("without the ledger there is a computation")
	}
}
