package gst_test

import (
	"fmt"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

// Each requested paper is listed once, so that every count is the same.
func TestRequests(t *testing.T) {
	facts := gst.Facts{RequiredDocuments: []gst.RequiredDocument{
		{Type: "Tax invoices for the disputed credit", Reason: "the credit stands on the invoice", Issue: "itc"},
		{Type: "Bank proof of payment to the suppliers", Reason: "shows that the price was paid", Issue: "itc"},
		{Type: "Copies of e-way bills and invoices", Reason: "show the movement", Issue: "eway"},
		{Type: "Annual return GSTR-9", Reason: "compares", Issue: "itc"},
	}}
	got := gst.Requests([]gst.RequiredDocument{
		{Type: "Tax invoices"},
		{Type: "Annual Return (GSTR-9)", Reason: "asked by the model"},
		{Type: "E-way bills", Reason: "of the carrier"},
		{Type: "Bills", Reason: "a single word holds no more than itself"},
		{Type: "tax invoices", Reason: "of another year"},
		{Type: "Rent agreement", Reason: "proves the place"},
	}, facts)
	var lines []string
	for _, d := range got {
		lines = append(lines, fmt.Sprintf("%s|%s|%s", d.Type, d.Reason, d.Issue))
	}
	want := []string{
		"Tax invoices|the credit stands on the invoice|itc",
		"Annual Return (GSTR-9)|asked by the model|itc",
		"E-way bills|of the carrier|eway",
		"Bills|a single word holds no more than itself|",
		"tax invoices|of another year|",
		"Rent agreement|proves the place|",
		"Bank proof of payment to the suppliers|shows that the price was paid|itc",
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("the requests are\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestLetter(t *testing.T) {
	name, form, due := "Malnad Coffee", "DRC-01", "2024-06-12"
	facts := gst.Facts{LegalName: &name, Form: &form, ReplyDue: gst.ReplyDue{Date: &due}}
	papers := []gst.RequiredDocument{{Type: "Tax invoices", Reason: "the credit stands on them"}, {Type: "GSTR-9"}, {Type: "The annual return GSTR-9", Reason: "its table 8 compares the credit claimed with the credit available"}}
	for language, want := range map[string][]string{
		"en": {"Dear Malnad Coffee,", "FORM DRC-01", "by 12 June 2024", "1. Tax invoices\n   Why: the credit stands on them\n2. GSTR-9"},
		"hi": {"आदरणीय Malnad Coffee,", "12 जून 2024 तक", "1. Tax invoices\n   क्यों: the credit stands on them\n2. GSTR-9\n", "3. वार्षिक रिटर्न GSTR-9 (The annual return GSTR-9)\n   क्यों: इसकी टेबल 8"},
	} {
		got := gst.Letter(tables, language, facts, papers)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("the letter in %s lacks %q:\n%s", language, part, got)
			}
		}
		if bare := gst.Letter(tables, language, gst.Facts{}, papers); strings.ContainsAny(bare, "{}") {
			t.Errorf("a letter about an unknown notice has gaps:\n%s", bare)
		}
	}
	if got := gst.Letter(tables, "xx", facts, papers); got != "" {
		t.Errorf("a letter in no language: %q", got)
	}
}

// The invitation has the address and its last day, and the papers if any are needed.
func TestInvitation(t *testing.T) {
	papers := []gst.RequiredDocument{{Type: "Electronic credit ledger"}}
	for language, day := range map[string]string{"en": "3 December 2026", "hi": "3 दिसंबर 2026"} {
		got := gst.Invitation(tables, language, gst.Facts{}, papers, "https://munshi.example/app/asked#secret", "2026-12-03")
		for _, want := range []string{"https://munshi.example/app/asked#secret", day, "Electronic credit ledger"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s does not say %q:\n%s", language, want, got)
			}
		}
		if alone := gst.Invitation(tables, language, gst.Facts{}, nil, "address", "2026-12-03"); strings.ContainsAny(alone, "{}") || strings.Contains(alone, "1.") {
			t.Errorf("without papers it says:\n%s", alone)
		}
	}
}
