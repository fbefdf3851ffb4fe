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
		if got := HandedIn(law.Built(), paper, files); got != want {
			t.Errorf("%q is handed in: %v", paper, got)
		}
	}
	with := append(files, ReconciledFile{Kind: "purchase register"})
	if !HandedIn(law.Built(), "Reconciliation of GSTR-2A or GSTR-2B with the purchase register and GSTR-3B", with) {
		t.Error("with the register the reconciliation is not there")
	}
}
