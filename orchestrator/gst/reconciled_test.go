package gst

import (
	"testing"

	"munshi/orchestrator/gst/law"
)

// A requested paper counts as received if files make it up, and not because its name has a word in common with a
// file.
func TestHandedIn(t *testing.T) {
	files := []ReconciledFile{{Kind: "GSTR-2B JSON"}, {Kind: "GSTR-3B PDF"}, {Kind: "electronic credit ledger"}}
	for paper, want := range map[string]bool{
		"Reconciliation of GSTR-2A or GSTR-2B with the purchase register and GSTR-3B": false, // not a register
		"Proof of credit already reversed":                                            true,
		"Running balance of the credit ledger":                                        true,
		"GSTR-2B for April 2023 to March 2024":                                        true,
		"Monthly GSTR-3B returns of F.Y. 2023-24":                                     true,
		"GSTR-2A for 2023-24":                                                         false,
		"Filing status of the suppliers' GSTR-1 and GSTR-3B":                          false,
		"Electronic credit ledger":                                                    true,
		"Bank statements":                                                             false,
		"":                                                                            false,
	} {
		if got := HandedIn(law.Built(), paper, nil, files); got != want {
			t.Errorf("%q is handed in: %v", paper, got)
		}
	}
	with := append(files, ReconciledFile{Kind: "purchase register"})
	if !HandedIn(law.Built(), "Reconciliation of GSTR-2A or GSTR-2B with the purchase register and GSTR-3B", nil, with) {
		t.Error("with the register the reconciliation is not there")
	}
}

// A file of other months is not the paper that is asked for.
func TestHandedInOfTheMonthsAskedFor(t *testing.T) {
	year := []Period{{FY: "2023-24", From: "2023-04-01", To: "2024-03-31"}}
	file := func(from, to string) ReconciledFile { return ReconciledFile{Kind: "GSTR-2B JSON", From: from, To: to} }
	for name, c := range map[string]struct {
		paper   string
		periods []Period
		files   []ReconciledFile
		want    bool
	}{
		"the year in two files":        {"GSTR-2B for April 2023 to March 2024", year, []ReconciledFile{file("2023-04", "2023-09"), file("2023-10", "2024-03")}, true},
		"a month of it is missing":     {"GSTR-2B for April 2023 to March 2024", year, []ReconciledFile{file("2023-04", "2023-08"), file("2023-10", "2024-03")}, false},
		"one month of the year":        {"GSTR-2B of F.Y. 2023-24", year, []ReconciledFile{file("2023-06", "2023-06")}, false},
		"one month is asked for":       {"GSTR-2B for June 2023", year, []ReconciledFile{file("2023-06", "2023-06")}, true},
		"another month is there":       {"GSTR-2B for June 2023", year, []ReconciledFile{file("2023-07", "2023-07")}, false},
		"no months are named":          {"GSTR-2B", year, []ReconciledFile{file("2023-06", "2023-06")}, true},
		"of another year":              {"GSTR-2B", year, []ReconciledFile{file("2022-04", "2023-03")}, false},
		"of another year, by its kind": {"Running balance of the credit ledger", year, []ReconciledFile{{Kind: "electronic credit ledger", From: "2021-04", To: "2022-03"}}, false},
		"of the year, by its kind":     {"Running balance of the credit ledger", year, []ReconciledFile{{Kind: "electronic credit ledger", From: "2023-05", To: "2024-02"}}, true},
		"its months are not known":     {"GSTR-2B for April 2023 to March 2024", year, []ReconciledFile{file("", "")}, true},
		"the notice names no period":   {"GSTR-2B", nil, []ReconciledFile{file("2022-04", "2023-03")}, true},
	} {
		if got := HandedIn(law.Built(), c.paper, c.periods, c.files); got != c.want {
			t.Errorf("%s: handed in is %v", name, got)
		}
	}
}
