package workflows_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"munshi/workflows"
)

// One token per word keeps the arithmetic of these tests simple.
func wordCount(text string) int { return len(strings.Fields(text)) }

func TestChunksLoseNothingAndFit(t *testing.T) {
	long := strings.Repeat("word ", 500) + "end.\n\n" + strings.Repeat("and more ", 300)
	solid := strings.Repeat("धारा", 900)
	for name, c := range map[string]struct {
		texts  []string
		budget int
		tokens func(string) int
	}{
		"short pages go together": {[]string{"one two", "three", "four five six"}, 50, wordCount},
		"a long page is cut":      {[]string{"head", long, "tail"}, 60, wordCount},
		"no seam to cut at":       {[]string{solid}, 100, func(s string) int { return len(s) / 6 }},
		"nothing":                 {nil, 50, wordCount},
	} {
		t.Run(name, func(t *testing.T) {
			chunks := workflows.Chunks(c.texts, c.budget, c.tokens)
			for i, chunk := range chunks {
				if n := c.tokens(chunk); n > c.budget {
					t.Errorf("chunk %d has %d tokens, budget %d", i, n, c.budget)
				}
			}
			squeeze := func(texts []string) string { return strings.Join(strings.Fields(strings.Join(texts, " ")), "") }
			if diff := cmp.Diff(squeeze(c.texts), squeeze(chunks)); diff != "" {
				t.Error("words were lost or moved:", diff)
			}
		})
	}
}

func TestPassages(t *testing.T) {
	texts := []string{
		"[Page 1]\nFORM GST DRC-01\n\nThe freight ledger shows reverse charge on transport.\n\nNothing of note here at all.",
		"[Page 2]\nPersonal hearing is fixed on 19.06.2024.\n\nInterest under section 50 is payable.",
	}
	got := workflows.Passages(texts, "When is the hearing?", 22, wordCount)
	if !strings.Contains(got, "[Page 1]\nFORM GST DRC-01") || !strings.Contains(got, "[Page 2]\nPersonal hearing is fixed") || !strings.Contains(got, "[…]") {
		t.Errorf("passages for the hearing:\n%s", got)
	}
	if strings.Contains(got, "freight") {
		t.Errorf("what does not touch the question takes the room:\n%s", got)
	}
	if all := workflows.Passages(texts, "anything", 1000, wordCount); strings.Contains(all, "[…]") || !strings.Contains(all, "Interest under section 50") {
		t.Errorf("with room for all, something is left out:\n%s", all)
	}
	if none := workflows.Passages(nil, "x", 10, wordCount); none != "" {
		t.Errorf("passages of nothing: %q", none)
	}
}

func TestRequiredIn(t *testing.T) {
	type list = []workflows.Required
	for name, c := range map[string]struct {
		answer string
		want   list
		found  bool
	}{
		"as the spec has it": {"Text\n\nRequired Document(s):\n- Tax invoices: to prove the credit\n* Bank statement\n\n- not any more: it is after the blank line",
			list{{Type: "Tax invoices", Reason: "to prove the credit"}, {Type: "Bank statement"}}, true},
		"a heading":                 {"## Required Document(s):\n- A: b\n", list{{Type: "A", Reason: "b"}}, true},
		"a heading without a colon": {"### Required Documents\n\n- A: b\n- C", list{{Type: "A", Reason: "b"}, {Type: "C"}}, true},
		"bold, and bold names":      {"**Required Document(s):**\n1. **Purchase register**: for the year\n2) **E-way bills:** of each trip", list{{Type: "Purchase register", Reason: "for the year"}, {Type: "E-way bills", Reason: "of each trip"}}, true},
		"in capitals":               {"REQUIRED DOCUMENTS:\n- A", list{{Type: "A"}}, true},
		"a numbered heading":        {"9. **Required Documents:**\n\n   - A: b", list{{Type: "A", Reason: "b"}}, true},
		"without a colon":           {"Required documents:\n- Ledger – of the supplier\n- Challan — paid", list{{Type: "Ledger – of the supplier"}, {Type: "Challan — paid"}}, true},
		"a link keeps its colon":    {"Required Documents:\n- Form at https://example.in/x: signed\n- See https://example.in", list{{Type: "Form at https://example.in/x", Reason: "signed"}, {Type: "See https://example.in"}}, true},
		"a link with two":           {"Required Documents:\n- See [the form](https://example.in/a:b): signed\n- Form at http://example.in:8080/x: signed", list{{Type: "See [the form](https://example.in/a:b)", Reason: "signed"}, {Type: "Form at http://example.in:8080/x", Reason: "signed"}}, true},
		"nothing secret, hidden":    {"Required Documents:\n- PASS\u200bWORD of the portal\n- पास\u200dवर्ड\n- Debit card number: to pay\n- Passport: of the proprietor", list{{Type: "Passport", Reason: "of the proprietor"}}, true},
		"after a lead-in":           {"To answer paragraph 4 we need the following Required Documents:\n- A: b", list{{Type: "A", Reason: "b"}}, true},
		"sub-headings":              {"## Required Documents\n\n### For the credit\n- A: b\n\n### For the turnover\n- C\n\n## Next steps\n- not this", list{{Type: "A", Reason: "b"}, {Type: "C"}}, true},
		"a bold sub-heading":        {"Required Documents:\n**For the credit**\n- A\n**For the turnover**\n- C\n\n**Next:**\n- not this", list{{Type: "A"}, {Type: "C"}}, true},
		"sub-headings, plain title": {"Required Documents:\n### Credit\n- A\n### Turnover\n- C\n## Next\n- not this", list{{Type: "A"}, {Type: "C"}}, true},
		"equal names":               {"Required Documents:\n- Ledger: of cash\n- Ledger: of credit\n- ledger: Of Cash", list{{Type: "Ledger", Reason: "of cash"}, {Type: "Ledger", Reason: "of credit"}}, true},
		"nothing secret":            {"Required Documents:\n- Your bank password and OTP: to check\n- UPI PIN\n- Address proof with PIN code\n- Bank statement: with its password", list{{Type: "Address proof with PIN code"}, {Type: "Bank statement"}}, true},
		"a time keeps its colon":    {"Required Documents:\n- Log: kept at 10:30", list{{Type: "Log", Reason: "kept at 10:30"}}, true},
		"nested and indented":       {"Required Documents:\n- Invoices: all of them\n  with their e-way bills\n  - Credit notes: if any", list{{Type: "Invoices", Reason: "all of them with their e-way bills"}, {Type: "Credit notes", Reason: "if any"}}, true},
		"check boxes and doubles":   {"Required Documents:\n- [ ] A: b\n- a: B", list{{Type: "A", Reason: "b"}}, true},
		"Windows line ends":         {"Required Documents:\r\n- A: b\r\n\r\nBye", list{{Type: "A", Reason: "b"}}, true},
		"a lead-in sentence":        {"**Required Document(s):**\nPlease send these:\n- A", list{{Type: "A"}}, true},
		"none":                      {"Required Document(s): None", list{}, true},
		"the next heading ends it":  {"Required Documents:\n- A\n## Next\n- not this", list{{Type: "A"}}, true},
		"the last section counts":   {"Required Documents:\n- Old\n\nText\n\nRequired Documents:\n- New", list{{Type: "New"}}, true},
		"no section":                {"Nothing is missing.\n- a bullet", nil, false},
		"a sentence, not a section": {"Required documents must be kept for 72 months.\n- Invoices", nil, false},
		"a sentence in a list":      {"- required documents were not filed", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, found := workflows.RequiredIn(c.answer)
			if found != c.found {
				t.Errorf("found is %v", found)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSecretsIn(t *testing.T) {
	answer := "Keep your password.\n\nRequired Documents:\n- Ledger\n- **Your bank password** and OTP: to check\r\n1. ATM PIN\n"
	var got []string
	for _, place := range workflows.SecretsIn(answer) {
		got = append(got, answer[place[0]:place[1]])
	}
	if want := []string{"**Your bank password** and OTP: to check", "ATM PIN"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := workflows.SecretsIn("- Your password: never tell it"); got != nil {
		t.Errorf("without a list of documents: %v", got)
	}
}

func FuzzRequiredIn(f *testing.F) {
	f.Add("Required Document(s):\n- A: b\n\n")
	f.Add("**Required Documents**\n1. **x**")
	f.Fuzz(func(t *testing.T, answer string) {
		list, found := workflows.RequiredIn(answer)
		if !found && list != nil {
			t.Error("a list without its section")
		}
		for _, r := range list {
			if strings.TrimSpace(r.Type) == "" || strings.Contains(r.Type, "\n") {
				t.Errorf("an entry without a name: %+v", r)
			}
		}
	})
}
