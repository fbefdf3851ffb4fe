package gst

import (
	"maps"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
)

// Reconciled is what a taxpayer's files show about one allegation: the portal's returns and statements compared with
// each other and with the books. The paper prints none of this, so it is never stored with what was read. Amounts are
// in paise under IGST, CGST, SGST and cess.
type Reconciled struct {
	Issue     string // of the allegation, as the tables of law name it
	Para      string // the first paragraph that names both returns; "" if none does
	Statement string // what the return is compared with, such as "GSTR-2B"

	Difference [4]int64
	Explained  [4]int64 // the part that is elsewhere in the returns
	Remains    [4]int64
	Interest   [4]int64 // on what remains, by section 50 and rule 88B

	// What explains it:
	Timing     [4]int64 // in a return of another month or year
	WrongHead  [4]int64 `yaml:"wrong_head"`  // under another head; the heads cancel each other
	OtherTable [4]int64 `yaml:"other_table"` // in another table of the same return
	Amended    [4]int64 // in a document that was amended later

	Reversed [4]int64 // credit reversed in Table 4(B), which is not set off
	Ledger   bool     // the electronic credit ledger is among the files, and interest is by its balances
	Unused   [4]int64 // according to that ledger, the part of the rest that was never used

	Late *ReconciledLate // instead of a comparison, what the ledgers show about returns that were filed late

	Files []ReconciledFile // from which it follows
}

// ReconciledLate is what the electronic cash ledger shows if interest is asked for on late returns; the interest that
// is due according to it is in Reconciled.
type ReconciledLate struct {
	Asked  *int64   // interest in paise, as demanded in the paper; nil if it names no amount for late returns alone
	Cash   [4]int64 // paid from the cash ledger after the due dates
	OnCash [4]int64 `yaml:"on_cash"` // interest on all of it
	Lay    [4]int64 // the part of Cash that was in the ledger from the due date to its debit and bears no interest
	OnLay  [4]int64 `yaml:"on_lay"` // interest on that
	// Earlier says that there was also cash in the ledger that was debited before the rule exempted
	// it.
	Earlier bool
}

// ReconciledFile is a file from which a comparison follows.
type ReconciledFile struct {
	Name string
	Kind string // as it was recognised, "GSTR-2B JSON"
	Rows int
}

// HeadNames are the heads of tax in the order of the amounts of Reconciled.
var HeadNames = [4]string{"IGST", "CGST", "SGST", "CESS"}

// base returns the kind of a file without its format, "GSTR-2B".
func (f ReconciledFile) base() string {
	base := f.Kind
	for _, as := range [...]string{" JSON", " PDF", " table"} {
		base = strings.TrimSuffix(base, as)
	}
	return base
}

// HandedIn reports whether files make up a requested paper: according to the tables of law, or because the paper
// is nothing but one kind of file and its months.
func HandedIn(t *law.Tables, paper string, files []ReconciledFile) bool {
	for _, issue := range t.Issues {
		for _, d := range issue.Documents {
			if d.Type == paper && len(d.Files) > 0 {
				return !slices.ContainsFunc(d.Files, func(kinds string) bool {
					return !slices.ContainsFunc(files, func(f ReconciledFile) bool {
						return slices.Contains(strings.Split(kinds, "|"), f.base())
					})
				})
			}
		}
	}
	asked := paperWords(paper)
	maps.DeleteFunc(asked, func(w string, _ bool) bool {
		return ofPeriod[w] || strings.Trim(w, "0123456789") == "" && len(w) > 1
	})
	return len(asked) > 0 && slices.ContainsFunc(files, func(f ReconciledFile) bool {
		return maps.Equal(asked, paperWords(f.base()))
	})
}

// ofPeriod are words in a paper's name that only say for which months it is.
var ofPeriod = map[string]bool{"month": true, "monthly": true, "wise": true, "year": true, "financial": true,
	"fy": true, "f": true, "y": true, "period": true, "statement": true, "return": true, "form": true, "filed": true,
	"april": true, "may": true, "june": true, "july": true, "august": true, "september": true, "october": true,
	"november": true, "december": true, "january": true, "february": true, "march": true}
