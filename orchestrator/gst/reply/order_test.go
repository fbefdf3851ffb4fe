package reply_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
)

// What is filed against the labelled orders is never a reply: it has its grounds, time and prayer, and few blanks.
func TestOrdersOfLabelledPapers(t *testing.T) {
	papers := labelled(t)
	orders := 0
	for _, name := range slices.Sorted(maps.Keys(papers)) {
		g := before(papers[name])
		form := reply.FormOf(tables, g.Facts, g.Reckoning)
		if form.Kind != "appeal" {
			continue
		}
		orders++
		after, asked := interviewed(papers[name], g)
		if asked > reply.MostQuestions {
			t.Errorf("%s: %d questions", name, asked)
		}
		for i, given := range []reply.Given{g, after} {
			whole := reply.Whole(reply.Parts(tables, given))
			most := []int{20, 8}[i]
			if n := strings.Count(whole, "[…"); n > most {
				t.Errorf("%s: %d blanks, want %d at most:\n%s", name, n, most, whole)
			}
			for _, want := range []string{"# MEMORANDUM OF APPEAL", "FORM GST APL-01", "Statement of facts", "Grounds", "**Pre-deposit.**", "prays", "Annexure 1"} {
				if !strings.Contains(whole, want) {
					t.Errorf("%s: %q is missing:\n%s", name, want, whole)
				}
			}
			for _, not := range []string{"Noticee", "this reply", "DRC-06 ("} {
				if strings.Contains(whole, not) {
					t.Errorf("%s: %q stands in the appeal", name, not)
				}
			}
		}
	}
	if orders == 0 {
		t.Error("no order was read among the labelled papers")
	}
}

// filed writes what is filed on a certain day against an order of 10 June 2026 that was served on
// the 12th.
func filed(f gst.Facts, today string, answers map[string]reply.Response, decides ...defence.Point) string {
	f.IssueDate, f.ServedOn, f.FraudAlleged = p("2026-06-10"), p("2026-06-12"), p(false)
	if f.ReplyDue.Source == "" {
		f.ReplyDue.Source = "unknown"
	}
	day := law.ParseDay(today)
	return reply.Whole(reply.Parts(tables, reply.Given{Facts: f, Today: day, Answers: answers, Decides: decides,
		Reckoning: reckon.Reckon(tables, f, reckon.GivenWith(f), day)}))
}

func taxed(form string, tax, penalty float64) gst.Facts {
	return gst.Facts{Form: &form, Sections: []string{"73(9)"}, Periods: []gst.Period{{FY: "2022-23", From: "2022-04-01", To: "2023-03-31"}},
		Demand: &gst.Demand{Rows: []gst.DemandRow{{Head: "CGST", Tax: tax, Penalty: penalty}, {Head: "SGST", Tax: tax, Penalty: penalty}}}}
}

// Pre-deposits, fee and time, each with its provision.
func TestFiledAgainstAnOrder(t *testing.T) {
	cancelled := gst.Facts{Form: p("REG-19")}
	for _, test := range []struct {
		name, today string
		facts       gst.Facts
		want, not   []string
	}{
		{"in time", "2026-09-12", taxed("DRC-07", 500_000, 50_000),
			[]string{"# MEMORANDUM OF APPEAL", "(section 107(1), rule 108(1))", "| CGST | 5,00,000 | 10%", "asks for ₹1,00,000", "The last day is 12.09.2026 (section 107(1)). This is filed within time.", "(section 107(7))"},
			[]string{"condone"}},
		{"late by a day", "2026-09-13", taxed("DRC-07", 500_000, 0),
			[]string{"late by 1 day.", "condone the delay under section 107(4), which allows it until 12.10.2026", "(b) condone the delay", "Documents on the cause of the delay"}, []string{"within time."}},
		{"too late", "2026-10-13", taxed("DRC-07", 500_000, 0),
			[]string{"Delay can be condoned until 12.10.2026 only (section 107(4))", "advice on a writ petition"}, []string{"(b) condone", "The Appellant was prevented"}},
		{"the cap of twenty crore holds for each head", "2026-07-01", taxed("DRC-07", 2_50_00_00_000, 0), []string{"asks for ₹40,00,00,000"}, nil},
		{"a penalty alone", "2026-07-01", taxed("DRC-07", 0, 100_000), []string{"asks for ₹20,000"}, nil},
		{"to the Tribunal", "2026-07-01", taxed("APL-04", 500_000, 0),
			[]string{"MEMORANDUM OF APPEAL TO THE APPELLATE TRIBUNAL", "FORM GST APL-05", "section 112(8)", "in addition to what was paid for the first appeal", "Rule 110(5) asks for ₹10,000 on tax of ₹10,00,000", "(section 112(9))"}, nil},
		{"the least fee", "2026-07-01", taxed("APL-04", 30_000, 0), []string{"Rule 110(5) asks for ₹5,000 on"}, nil},
		{"a cancellation", "2026-07-01", cancelled,
			[]string{"APPLICATION FOR REVOCATION OF CANCELLATION OF REGISTRATION", "FORM GST REG-21", "cancelled the registration of the Applicant", "The last day is 10.09.2026 (section 30(1), rule 23(1)).", "REG-22 under rule 23(2)"},
			[]string{"Pre-deposit", "Appellant", "These grounds"}},
		{"a cancellation, late", "2026-09-20", cancelled, []string{"condone the delay under rule 23(1), which allows it until 09.03.2027", "Additional or Joint Commissioner"}, nil},
		{"a summary assessment", "2026-07-01", taxed("ASMT-16", 500_000, 0),
			[]string{"FORM GST ASMT-17", "(section 64(2), rule 100(4))", "Before the Additional Commissioner or Joint Commissioner", "The last day is 12.07.2026 (section 64(2), rule 100(4)).", "ASMT-18"}, []string{"Pre-deposit"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := filed(test.facts, test.today, nil)
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing:\n%s", want, text)
				}
			}
			for _, not := range append(test.not, "Noticee", "This reply") {
				if strings.Contains(text, not) {
					t.Errorf("%q stands there:\n%s", not, text)
				}
			}
		})
	}
}

// Answers about an order are in the right part of the paper.
func TestAnswersStandInTheAppeal(t *testing.T) {
	words := func(all ...string) reply.Response { return reply.Response{Words: all} }
	text := filed(taxed("DRC-07", 500_000, 0), "2026-09-20", map[string]reply.Response{
		"authority": words("Joint Commissioner (Appeals), Pune"), "deposit": words("DC2709260012345 of 14.09.2026"),
		"delay": words("The accountant was in hospital from 01.09.2026 to 15.09.2026"), "before_order": words("ZD1 of 01.01.2026", "01.02.2026", "10.03.2026"),
	})
	for _, want := range []string{"**Joint Commissioner (Appeals), Pune**", "It was paid by DC2709260012345 of 14.09.2026.", "sufficient cause from filing in time: The accountant was in hospital",
		"the notice ZD1 of 01.01.2026; the reply 01.02.2026; the hearing 10.03.2026."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

// The sheet for the portal has what is known of the order, its amounts by head in digits, and the texts of the paper
// without Markdown.
func TestSheetForThePortal(t *testing.T) {
	f := taxed("DRC-07", 500_000, 50_000)
	f.IssueDate, f.ServedOn, f.FraudAlleged, f.ReplyDue.Source = p("2026-06-10"), p("2026-06-12"), p(false), "unknown"
	day := law.ParseDay("2026-07-01")
	g := reply.Given{Facts: f, Today: day, Reckoning: reckon.Reckon(tables, f, reckon.GivenWith(f), day)}
	sheet := map[string]string{}
	for _, field := range reply.Sheet(tables, g, reply.Parts(tables, g)) {
		sheet[field.Name] = field.Value
		if strings.ContainsAny(field.Value, "*`") || strings.Contains(field.Value, "| ---") {
			t.Errorf("%s has Markdown in it: %s", field.Name, field.Value)
		}
	}
	for name, want := range map[string]string{"Date of the order": "10/06/2026", "Date of communication": "12/06/2026", "Tax, CGST": "500000", "Penalty, SGST": "50000", "Pre-deposit, CGST": "50000", "Period": "2022-23"} {
		if sheet[name] != want {
			t.Errorf("%s is %q, want %q", name, sheet[name], want)
		}
	}
	for _, name := range []string{"Statement of facts", "Grounds", "Prayer"} {
		if sheet[name] == "" {
			t.Errorf("%s is missing: %v", name, slices.Sorted(maps.Keys(sheet)))
		}
	}
	if n := len(reply.Sheet(tables, reply.Given{Facts: gst.Facts{Form: p("ADT-01"), ReplyDue: gst.ReplyDue{Source: "unknown"}}}, nil)); n > 0 {
		t.Errorf("a paper that is not drafted has %d fields", n)
	}
}

// Part B of an intimation has the reasons that the form offers, each with what was said about it, in the paper and on
// the sheet.
func TestReasonsOfPartB(t *testing.T) {
	f := gst.Facts{Form: p("DRC-01C"), IssueDate: p("2026-06-10"), ReplyDue: gst.ReplyDue{Source: "unknown"}}
	reasons := tables.Form("DRC-01C").Reasons
	words := make([]string, len(reasons))
	words[2] = "CGST nil, IGST ₹45,000, bill of entry of April 2026"
	for _, answered := range []bool{false, true} {
		g := given(f, reply.Said{Stance: reply.Explain})
		if answered {
			g.Answers = map[string]reply.Response{"reasons": {Words: words}}
		}
		parts := reply.Parts(tables, g)
		i := slices.IndexFunc(parts, func(part reply.Part) bool { return part.ID == "reasons" })
		want := 1 // behind the head of the paper, and the table of what decides the matter once a reason is given
		if answered {
			want = 2
		}
		if i != want || !strings.HasPrefix(parts[i].Title, "A. ") {
			t.Fatalf("the reasons come at %d of %+v", i, parts)
		}
		if got := strings.Contains(parts[i].Text, "| "+reasons[2]+" | CGST nil, IGST ₹45,000, bill of entry of April 2026 |"); got != answered {
			t.Errorf("answered %v:\n%s", answered, parts[i].Text)
		}
		if got := strings.Contains(parts[i].Text, "[…"); got == answered {
			t.Errorf("answered %v, a place is open %v", answered, got)
		}
		on := slices.ContainsFunc(reply.Sheet(tables, g, parts), func(field reply.PortalField) bool { return field.Name == reasons[2] && field.Value == words[2] })
		if on != answered {
			t.Errorf("answered %v, on the sheet %v", answered, on)
		}
	}
	asked := slices.ContainsFunc(reply.Questions(tables, given(f, reply.Said{}), nil), func(q reply.Enquiry) bool { return q.Key == "reasons" && slices.Equal(q.Places, reasons) })
	if !asked {
		t.Error("the reasons are not asked")
	}
}
