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

	// The amounts that explain the difference:
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

// ReconciledLate is what the electronic cash ledger shows if interest is asked for on returns filed late. The interest
// that is due according to it is in Reconciled.
type ReconciledLate struct {
	Asked  *int64   // interest in paise, as demanded in the paper; nil if it names no amount for late returns alone
	Cash   [4]int64 // paid from the cash ledger after the due dates
	OnCash [4]int64 `yaml:"on_cash"` // interest on all of it
	Lay    [4]int64 // the part of Cash that was in the ledger from the due date to its debit and bears no interest
	OnLay  [4]int64 `yaml:"on_lay"` // interest on that
	// OnCredit is the interest on the tax that was paid from credit, which is not due. It is nil without the electronic
	// credit ledger.
	OnCredit *int64 `yaml:"on_credit"`
	// Other is what remains of Asked: it comes from other dates or amounts or, without the credit ledger, from the part
	// that was paid from credit. It is nil if Asked is.
	Other *int64
	// Earlier says that the ledger also had cash that was debited before the rule exempted such cash from interest.
	Earlier bool
	Returns []ReconciledReturn
}

// ReconciledReturn is a debit in the electronic cash ledger for a return after its due date.
type ReconciledReturn struct {
	Period   string // "2024-08"
	Due      string // an ISO day, as is Paid
	Paid     string
	Days     int
	Cash     [4]int64
	Lay      [4]int64 // of Cash, what bears no interest
	Interest [4]int64 // on the rest
}

// ReconciledFile is a file from which a comparison follows, with the months that it covers.
type ReconciledFile struct {
	Name string
	Kind string // as it was recognised, "GSTR-2B JSON"
	Rows int
	From string // its first month, "2023-04"; "" if not known
	To   string // its last month
}

// HeadNames lists the heads of tax in the order of the amounts of Reconciled.
var HeadNames = [4]string{"IGST", "CGST", "SGST", "CESS"}

// HeadIndex returns the index of a head in HeadNames, where UTGST is with SGST, or -1 if it is not a head.
func HeadIndex(name string) int {
	if name == "UTGST" {
		name = "SGST"
	}
	return slices.Index(HeadNames[:], name)
}

// base returns the kind of a file without its format, such as "GSTR-2B" for "GSTR-2B JSON".
func (f ReconciledFile) base() string {
	base := f.Kind
	for _, as := range [...]string{" JSON", " PDF", " table"} {
		base = strings.TrimSuffix(base, as)
	}
	return base
}

// HandedIn reports whether files make up a paper that was asked for. The tables of law may say so, or the paper's name
// may consist of one kind of file and its months. If the name has months, the files must have each of them; else they
// must be of the periods of the notice. A file whose months are not known counts.
func HandedIn(t *law.Tables, paper string, periods []Period, files []ReconciledFile) bool {
	files = slices.DeleteFunc(slices.Clone(files), func(f ReconciledFile) bool { return !f.within(periods) })
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
	files = slices.DeleteFunc(files, func(f ReconciledFile) bool { return !maps.Equal(asked, paperWords(f.base())) })
	return len(asked) > 0 && len(files) > 0 && cover(files, monthsNamed(paper))
}

// within reports whether a file covers a month of one of the periods, or its months are not known.
func (f ReconciledFile) within(periods []Period) bool {
	return f.From == "" || len(periods) == 0 || slices.ContainsFunc(periods, func(p Period) bool {
		return p.From[:min(len(p.From), 7)] <= f.To && f.From <= p.To[:min(len(p.To), 7)]
	})
}

// cover reports whether the files have each month of the periods.
func cover(files []ReconciledFile, periods []Period) bool {
	for _, p := range periods {
		last := law.ParseDay(p.To)
		for first := law.ParseDay(p.From); !first.After(last); first = first.AddMonths(1) {
			month := first.ISO()[:7]
			if !slices.ContainsFunc(files, func(f ReconciledFile) bool {
				return f.From == "" || f.From <= month && month <= f.To
			}) {
				return false
			}
		}
	}
	return true
}

// monthsNamed returns the periods in the name of a paper, such as "GSTR-2B for April 2023 to March 2024".
func monthsNamed(paper string) []Period {
	d := newDocument([]Page{{Text: paper}})
	for at := range d.low {
		if at > 0 && isAlnum(d.low[at-1]) {
			continue
		}
		if periods, _ := d.periodsAt(at, len(d.low)); len(periods) > 0 {
			return periods
		}
	}
	return nil
}

// ofPeriod has the words in the name of a paper that only say of which months it is.
var ofPeriod = map[string]bool{"month": true, "monthly": true, "wise": true, "year": true, "financial": true,
	"fy": true, "f": true, "y": true, "period": true, "statement": true, "return": true, "form": true, "filed": true,
	"april": true, "may": true, "june": true, "july": true, "august": true, "september": true, "october": true,
	"november": true, "december": true, "january": true, "february": true, "march": true}
