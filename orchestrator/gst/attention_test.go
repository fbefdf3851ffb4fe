package gst_test

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

func reasons(f gst.Facts) string {
	var codes []string
	for _, a := range f.Attention {
		codes = append(codes, a.Code)
	}
	return strings.Join(codes, " ")
}

const twoDates = `FORM GST ASMT-10
[See rule 99(1)]
Reference No: ZD2905240044111    Date: 13/05/2024
To: GSTIN 29AAACB1234C1ZB, Malnad Coffee Traders
Office of the Assistant Commissioner of State Tax
Notice for intimating discrepancies in the return after scrutiny
Tax period: F.Y. 2020-21
You are directed to submit your reply to this notice on or before 12/06/2024.
Personal hearing: 05/06/2024 at 11:30 at the office of the undersigned.
Last date to submit the reply: 20/06/2024
`

// If a paper has two reply dates, the facts have none, and both are offered as candidates; reminders use the earliest
// day until a person has chosen, and then the chosen one.
func TestTwoDatesNeedAPerson(t *testing.T) {
	pages := []gst.Page{{Text: twoDates}}
	f := gst.Read(tables, pages)
	if f.ReplyDue.Date != nil || len(f.Candidates["reply_due"]) != 2 || !strings.Contains(reasons(f), gst.TwoDates) {
		t.Fatalf("due %v, candidates %+v, attention %q", f.ReplyDue, f.Candidates, reasons(f))
	}
	if f.Hearing == nil || f.Watch == nil || *f.Watch != (gst.Watch{Date: "2024-06-05", What: "hearing"}) {
		t.Errorf("watched is %+v with the hearing %+v", f.Watch, f.Hearing)
	}
	f = gst.Read(tables, pages, correction("reply_due", `"2024-06-20"`))
	if f.Watch == nil || *f.Watch != (gst.Watch{Date: "2024-06-20", What: "reply", Settled: true}) {
		t.Errorf("settled, watched is %+v", f.Watch)
	}
	if f.Candidates["reply_due"] != nil || strings.Contains(reasons(f), gst.TwoDates) || f.Evidence["reply_due"].Page != 1 {
		t.Errorf("settled, there are still candidates %v, attention %q, evidence %+v", f.Candidates, reasons(f), f.Evidence["reply_due"])
	}
	f = gst.Read(tables, pages, correction("reply_due", "null"))
	if f.Watch == nil || f.Watch.What != "hearing" || !f.Watch.Settled || strings.Contains(reasons(f), "date") {
		t.Errorf("without a reply date, watched is %+v, attention %q", f.Watch, reasons(f))
	}
}

// A person is asked whether the paper is a notice until they have answered.
func TestNoNoticeIsConfirmed(t *testing.T) {
	pages := []gst.Page{{Text: "Dear Sir, thank you for the mangoes."}}
	if f := gst.Read(tables, pages, correction("is_notice", `"no"`)); len(f.Attention) > 0 {
		t.Errorf("confirmed, attention is %q", reasons(f))
	}
}

// A long row of a table continues on the next line: the amount in its first part is not the total.
func TestBrokenTotalIsNotTaken(t *testing.T) {
	text := `Form GST DRC-01
[See rule 142(1)(a)]
Summary of Show Cause Notice
Reference No. : ZD320626204517S  Date : 12-11-2026
To
32YLNFR3308A1ZF (GSTIN/Temporary ID)
PERIYAR AUTO LINKS LLP (Name)
Last date for filing reply in DRC-06  14-12-2026
Amount of tax and other dues (Rs. in actuals)
Sr.  Tax  Turnov  From  To  Act  Tax  Interest  Penalty
Fee  Total
No.  rate  er
(%)
1  0  0  JUL 2022  MAR  IGST  118240.50  79221.14  11824.05
0.00  209285.69
2023
2  0  0  JUL 2022  MAR  CGST  45310.25  30357.87  10000.00
0.00  85668.12
2023
3  0  0  JUL 2022  MAR  SGST  45310.25  30357.87  10000.00
0.00  85668.12
2023
4  0  0  JUL 2022  MAR  CESS  73650.00  49345.50  10000.00
0.00  132995.50
2023
Total  282511.00  189282.38  41824.05
0.00  513617.43
`
	f := gst.Read(tables, []gst.Page{{Text: text}})
	if f.Demand != nil && f.Demand.Total != nil && *f.Demand.Total != 513617.43 {
		t.Errorf("the total is %v", *f.Demand.Total)
	}
	if (f.Demand == nil || f.Demand.Total == nil) && !strings.Contains(reasons(f), gst.AmountUnread) {
		t.Errorf("attention %q", reasons(f))
	}
}

// Whatever could not be read is listed: the date, the amount, the form; nothing is listed for a paper that was
// read completely.
func TestWhatNeedsAttention(t *testing.T) {
	tests := []struct {
		name, text, has, hasNot string
	}{
		{"no date", strings.NewReplacer("ASMT-10", "DRC-01", "99(1)", "142(1)", "intimating discrepancies in the return after scrutiny", "summary of show cause notice under section 73", "on or before 12/06/2024", "at the earliest", "Last date to submit the reply: 20/06/2024", "", "Personal hearing: 05/06/2024 at 11:30 at the office of the undersigned.", "").Replace(twoDates), gst.NoDate, gst.TwoDates},
		{"one date", strings.Replace(twoDates, "Last date to submit the reply: 20/06/2024", "", 1), "", gst.NoDate},
		{"a demand that was not read", strings.NewReplacer("ASMT-10", "DRC-01", "99(1)", "142(1)", "intimating discrepancies in the return after scrutiny", "summary of show cause notice under section 73").Replace(twoDates), gst.AmountUnread, gst.FormUnknown},
		{"no form", strings.NewReplacer("FORM GST ASMT-10", "", "[See rule 99(1)]", "", "intimating discrepancies in the return after scrutiny", "show cause").Replace(twoDates), gst.FormUnknown, ""},
		{"no form but a day", strings.NewReplacer("FORM GST ASMT-10", "", "[See rule 99(1)]", "", "intimating discrepancies in the return after scrutiny", "show cause", "Last date to submit the reply: 20/06/2024", "").Replace(twoDates), "", gst.FormUnknown},
		{"no notice", "Dear Sir, thank you for the mangoes.", gst.NotANotice, gst.NoDate},
		{"a hearing that is to be fixed later", strings.Replace(twoDates, "Personal hearing: 05/06/2024 at 11:30 at the office of the undersigned.", "Personal hearing: will be intimated", 1), "", gst.UnsureHearing},
		{"no hearing unless it is asked for", strings.Replace(twoDates, "Personal hearing: 05/06/2024 at 11:30 at the office of the undersigned.", "Personal hearing: NA (may be opted for in the reply)", 1), "", gst.UnsureHearing},
	}
	for _, tt := range tests {
		f := gst.Read(tables, []gst.Page{{Text: tt.text}})
		if got := reasons(f); !strings.Contains(got, tt.has) || tt.hasNot != "" && strings.Contains(got, tt.hasNot) {
			t.Errorf("%s: attention %q, want %q and not %q", tt.name, got, tt.has, tt.hasNot)
		}
		if f.Form == nil && f.ReplyDue.Basis != nil && strings.Contains(*f.ReplyDue.Basis, "the law fixes none") {
			t.Errorf("%s: it says %q", tt.name, *f.ReplyDue.Basis)
		}
	}
}

// A person's answer to "Is this a notice?" is kept, whether yes or no.
func TestIsItANotice(t *testing.T) {
	said := gst.Read(tables, []gst.Page{{Text: twoDates}}, correction("is_notice", `"no"`))
	if len(said.Attention) > 0 || said.Watch != nil || said.Form != nil || said.IsNotice.Answer != "no" {
		t.Errorf("a paper that a person calls no notice has %+v, watch %v, form %v", said.Attention, said.Watch, said.Form)
	}
	said = gst.Read(tables, []gst.Page{{Text: "Dear Sir, thank you for the mangoes."}}, correction("is_notice", `"yes"`))
	if !slices.Contains(strings.Fields(reasons(said)), gst.NoDate) || said.IsNotice.Answer != "yes" {
		t.Errorf("a paper that a person calls a notice needs %q", reasons(said))
	}
}

// A financial year alone is no title.
func TestTitle(t *testing.T) {
	form, name := "DRC-01", "Malnad Coffee Traders"
	year := []gst.Period{{FY: "2020-21"}}
	for want, f := range map[string]gst.Facts{
		"":                                {Periods: year},
		"DRC-01 · 2020-21":                {Form: &form, Periods: year},
		"Malnad Coffee Traders · 2020-21": {LegalName: &name, Periods: year},
	} {
		if got := f.Title(); got != want {
			t.Errorf("the title is %q, want %q", got, want)
		}
	}
}
