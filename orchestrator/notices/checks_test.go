package notices_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

const heldAgainst = `FORM GST DRC-01
Reference No: ZD290524004411A dated 20.05.2024. Reply by 20.06.2024.
Integrated tax Rs 4,00,000, central tax Rs 50,000, state tax Rs 50,000. The supplier failed to pay the tax collected.`

func factsOf(t *testing.T, demand *gst.Demand) string {
	t.Helper()
	due := "2024-06-20"
	raw, err := json.Marshal(gst.Facts{Demand: demand, ReplyDue: gst.ReplyDue{Date: &due}, Deadlines: []gst.Deadline{{What: "appeal", Date: due}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func checked(t *testing.T, answer string, against workflows.CheckContext) (marks []string, scope string) {
	t.Helper()
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	against.Today = time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)
	scope = "none"
	for _, f := range (notices.FactExtractor{Tables: tables}).Check(answer, against) {
		switch {
		case f.Code == "scope":
			scope = f.Heading
		case f.Code == "figure" || f.Code == "fact":
			marks = append(marks, fmt.Sprintf("%s %s", f.Quote, f.Verdict))
		}
	}
	return marks, scope
}

func TestEveryDateAndAmountThatNobodyKnowsIsMarked(t *testing.T) {
	whole := 500_000.0
	read := &gst.Demand{Total: &whole, Rows: []gst.DemandRow{{Head: "IGST", Tax: 400_000}, {Head: "CGST", Tax: 50_000}, {Head: "SGST", Tax: 50_000}}}
	for _, c := range []struct {
		name, answer string
		demand       *gst.Demand
		words        string
		want, scope  string
	}{
		{name: "a total where none was read", answer: "The total demand is ₹1.", want: "₹1 not_in_notice"},
		{name: "an invented table", answer: "| Head | Tax |\n|---|---|\n| IGST | 765432 |\n| CGST | 50000 |", want: "765432 not_in_notice", scope: "heads"},
		{name: "what the notice says", answer: "Reply by 20 June 2024 to the notice of 20.05.2024: ₹4,00,000 and ₹50,000."},
		{name: "what follows from it", answer: "In all ₹5,00,000, as of 1 June 2024.", demand: read},
		{name: "what the person said", answer: "You paid ₹12,345 on 3 May 2024.", words: "I paid 12345 on 3/5/2024"},
		{name: "a date of its own", answer: "It was served on 4 May 2024.", want: "4 May 2024 not_in_notice"},
		{name: "heads mixed up", answer: "- IGST: ₹50,000\n- CGST: ₹4,00,000", demand: read, want: "₹50,000 contradicts, ₹4,00,000 contradicts"},
		{name: "heads mixed up in a row", answer: "| Head | Tax |\n|---|---|\n| IGST | 4,00,000 |\n| CGST | 4,00,000 |", demand: read, want: "4,00,000 contradicts"},
		{name: "heads as they are", answer: "IGST ₹4,00,000 and CGST and SGST of ₹50,000 each, ₹4,00,000 as IGST.", demand: read},
		{name: "heads in a row of words", answer: "The difference is IGST Rs. 4,00,000, CGST Rs. 50,000 and SGST Rs. 50,000.", demand: read},
		{name: "heads that nobody read", answer: "Tax of ₹50,000 as CGST.", scope: "heads"},
		{name: "the notice's words", answer: "It says “The supplier failed to pay the tax”."},
		{name: "words of its own", answer: "It says “the supplier is said to have failed”.", scope: "quotations"},
	} {
		marks, scope := checked(t, c.answer, workflows.CheckContext{
			Facts: factsOf(t, c.demand), Pages: []turns.Page{{Text: heldAgainst}}, Words: []string{c.words},
		})
		if got := strings.Join(marks, ", "); got != c.want {
			t.Errorf("%s: marked %q, want %q", c.name, got, c.want)
		}
		if scope != c.scope {
			t.Errorf("%s: not looked at %q, want %q", c.name, scope, c.scope)
		}
	}
}

func TestWhatIsHeldAgainstNothingIsSaid(t *testing.T) {
	_, scope := checked(t, "Under section 16(4), by 30 November 2024, ₹20,000 as CGST and “not a word of it is verified”.", workflows.CheckContext{})
	if want := "dates,amounts,heads,quotations"; scope != want {
		t.Errorf("not looked at: %q, want %q", scope, want)
	}
	if _, scope := checked(t, "Under section 16(4) it lapses.", workflows.CheckContext{}); scope != "" {
		t.Errorf("of an answer with citations alone, %q was not looked at", scope)
	}
}

func TestAModelsOwnTickIsMarked(t *testing.T) {
	tables, err := law.Load(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Section 16(4) ✓ verified applies.":                                    "✓ verified",
		"**✅ Verified by Munshi** (checked against the Act).":                  "✅ Verified by Munshi** (checked against the Act)",
		"धारा 16 ✔ सत्यापित":                                                   "✔ सत्यापित",
		"The officer verified the returns; the books were checked (by him).":   "",
		"- ✓ Purchase register\n| ✓ | filed ✗ |":                               "",
		"Section 73 of the CGST Act ✓ applies, and rule 36 (✅ verified) too":   "✓, (✅ verified)",
		"A ledger (verified by a chartered accountant), ₹4,00,000 (confirmed)": "",
		"Verified ✓ by Munshi: all citations verified.":                        "Verified ✓ by Munshi, all citations verified",
		"All the citations in this answer have been independently checked.":    "All the citations in this answer have been independently checked",
		"सभी उद्धरण सत्यापित हैं":                                              "सभी उद्धरण सत्यापित",
		"All references were verified by the auditor with the books.":          "",
		"Section 16(4) [verified] and rule 36 (checked against the Rules)":     "[verified], (checked against the Rules)",
	} {
		var got []string
		for _, f := range (notices.FactExtractor{Tables: tables}).Cited(text, workflows.CheckContext{}) {
			if f.Code == "claim" && f.Verdict == "not_verified" {
				got = append(got, text[f.Start:f.End])
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
