package reply_test

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/reply"
)

// A comparison follows the paragraph that it answers, with its annexure in the index; only the person can admit
// the rest, which then becomes the extent of the admission.
func TestWorkings(t *testing.T) {
	form := "ASMT-10"
	f := gst.Facts{Form: &form, Issues: []string{"itc_2a2b_vs_3b"}, Paragraphs: []gst.Paragraph{
		{Number: "1", Kind: "charge", Text: "The tax on advances was not paid."},
		{Number: "2", Kind: "charge", Text: "Credit in GSTR-3B exceeds GSTR-2B."},
	}}
	work := func(said reply.Said) []reply.Part {
		g := given(f, said)
		g.Papers = []reply.RequiredPaper{{Type: "Bank statement", State: "uploaded"}}
		g.Workings = []reply.Working{{Point: "2", Name: "Credit claimed in GSTR-3B against GSTR-2B", Span: "April 2023 to March 2024",
			Lines: []reply.WorkingLine{{Label: "Difference per the files", Tax: [4]int64{10_000_00}},
				{Label: "Explained: another month", Tax: [4]int64{5_000_00, 500_00, 500_00}, Class: "another month", Explains: true},
				{Label: "Only in books | a cell", Tax: [4]int64{4_000_00}, Class: "only in books | a cell"}},
			Sentences: []string{"₹6,000 stands in another month."}, Remains: [4]int64{4_000_00}, Interest: [4]int64{720_00}, To: "2026-11-22", PayBy: "2025-02-09", Papers: [2]string{"books", "portal"},
			Documents: [][]string{{"Only in books", "27AAKCF4821M1Z9", "=INV|1", "31.03.2024", "2024-03", "", "₹4,000", ""}}, Total: 3}}
		return reply.Parts(tables, g)
	}
	find := func(parts []reply.Part, id string) (int, string) {
		t.Helper()
		i := slices.IndexFunc(parts, func(p reply.Part) bool { return p.ID == id })
		if i < 0 {
			t.Fatalf("the reply has no part %s", id)
		}
		return i, parts[i].Text
	}

	parts := work(reply.Said{Stance: reply.Deny})
	para, text := find(parts, "para:2")
	at, working := find(parts, "figures:1")
	if at != para+1 || strings.Contains(text, "the facts in answer") || !parts[at].Fixed {
		t.Errorf("the comparison is part %d and the paragraph part %d: %s", at, para, text)
	}
	for _, words := range []string{"- Explained, another month: IGST ₹5,000, CGST ₹500 and SGST ₹500, ₹6,000 in all\n",
		`- Remains, only in books \| a cell: IGST ₹4,000`, "What remains so far is IGST ₹4,000; its interest"} {
		if !strings.Contains(text, words) {
			t.Errorf("the paragraph lacks %q: %s", words, text)
		}
	}
	for _, words := range []string{"|  | IGST | CGST | SGST | Total |", "| Difference per the files | ₹10,000 | ₹0 | ₹0 | ₹10,000 |", `Only in books \| a cell`, "₹6,000 stands in another month.",
		"Nothing is admitted", "of IGST ₹720 up to 22.11.2026", "the last day is 09.02.2025", "Annexure 2"} {
		if !strings.Contains(working, words) {
			t.Errorf("the comparison lacks %q: %s", words, working)
		}
	}
	if _, index := find(parts, "annexures"); !strings.Contains(index, "| Annexure 2 | Credit claimed in GSTR-3B against GSTR-2B, April 2023 to March 2024, with the workbook |") {
		t.Errorf("the index is %s", index)
	}
	if n, annexure := find(parts, "annexure:1"); !strings.Contains(annexure, "the first 1 of 3") || !strings.Contains(annexure, `=INV\|1`) || !strings.HasPrefix(parts[n].Title, "Annexure 2:") {
		t.Errorf("the annexure is %s: %s", parts[n].Title, annexure)
	}

	// Files that are part of the comparison are neither requested nor annexed again, and no question asks
	// about them.
	g := given(f, reply.Said{})
	g.Papers = []reply.RequiredPaper{{Type: "Reconciliation of GSTR-2A or GSTR-2B with the purchase register and GSTR-3B", State: "needed"}}
	asks := func() (para, paper bool) {
		for _, q := range reply.Questions(tables, g, nil) {
			para = para || q.Key == reply.AskPara+"2"
			paper = paper || slices.ContainsFunc(q.Options, func(o string) bool { return strings.HasPrefix(o, "Reconciliation of") })
		}
		return para, paper
	}
	if para, paper := asks(); !para || !paper {
		t.Errorf("without files the paragraph is asked about: %v, the paper: %v", para, paper)
	}
	g.Workings, g.Papers[0].State = []reply.Working{{Point: "2", Name: "Credit claimed"}}, reply.InWorkings
	if para, paper := asks(); para || paper {
		t.Errorf("with files the paragraph is asked about: %v, the paper: %v", para, paper)
	}
	if text := reply.Whole(reply.Parts(tables, g)); strings.Contains(text, "Reconciliation of GSTR-2A") {
		t.Errorf("the reply still names the paper: %s", text)
	}

	parts = work(reply.Said{Stance: reply.Admit})
	if _, text := find(parts, "para:2"); !strings.Contains(text, "no further: tax of IGST ₹4,000") {
		t.Errorf("what is admitted reads %s", text)
	}
	if _, working := find(parts, "figures:1"); !strings.Contains(working, "IGST ₹4,000, is admitted") {
		t.Errorf("the admitted comparison is %s", working)
	}
}
