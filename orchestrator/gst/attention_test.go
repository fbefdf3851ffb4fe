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

// A paper with two reply dates has none in the facts, and both to choose from; the earliest day drives reminders until
// a person has settled it, and then the one that they chose.
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

// What was not read is said: the day, the amount, the form; and nothing is asked of a paper where all is known.
func TestWhatNeedsAttention(t *testing.T) {
	tests := []struct {
		name, text, has, hasNot string
	}{
		{"no date", strings.NewReplacer("ASMT-10", "DRC-01", "99(1)", "142(1)", "intimating discrepancies in the return after scrutiny", "summary of show cause notice under section 73", "on or before 12/06/2024", "at the earliest", "Last date to submit the reply: 20/06/2024", "", "Personal hearing: 05/06/2024 at 11:30 at the office of the undersigned.", "").Replace(twoDates), gst.NoDate, gst.TwoDates},
		{"one date", strings.Replace(twoDates, "Last date to submit the reply: 20/06/2024", "", 1), "", gst.NoDate},
		{"a demand that was not read", strings.NewReplacer("ASMT-10", "DRC-01", "99(1)", "142(1)", "intimating discrepancies in the return after scrutiny", "summary of show cause notice under section 73").Replace(twoDates), gst.AmountUnread, gst.FormUnknown},
		{"no form", strings.NewReplacer("FORM GST ASMT-10", "", "[See rule 99(1)]", "", "intimating discrepancies in the return after scrutiny", "show cause").Replace(twoDates), gst.FormUnknown, ""},
		{"no notice", "Dear Sir, thank you for the mangoes.", "", gst.NoDate},
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

// A person's answer to "Is this a notice?" holds, either way.
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
