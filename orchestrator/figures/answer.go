package figures

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// Outcome is one arithmetical allegation of a notice next to what the files say about it.
type Outcome struct {
	What string `json:"what"` // such as CreditClaimed
	From string `json:"from"`
	To   string `json:"to"`
	// Notice is the tax that the notice claims under this allegation; nil if it names no tax for this
	// allegation alone.
	Notice *Tax `json:"notice"`
	Files  Tax  `json:"files"` // the difference according to the files
	// Shares add up to Notice or, if that is nil, to Files.
	Shares    []Share `json:"shares"`
	Explained Tax     `json:"explained"` // the part of Files that is found elsewhere in the supplier's returns or in other returns
	Remains   Tax     `json:"remains"`   // Files less Explained

	// What would be paid with DRC-03 if the rest were admitted, and the periods for which interest runs.
	Pay      []Dues        `json:"pay"`
	Portions []gst.Portion `json:"portions"`
	Interest *reckon.Sheet `json:"interest,omitempty"`
	// Ledger says that the days of use come from the electronic credit ledger. Without it, interest runs from the due
	// dates of the returns, as if all credit had been used at once, which gives the highest possible amount.
	Ledger bool `json:"ledger"`
	// The part of Remains that is credit which, according to the ledger, was never used; it bears no interest.
	Unused Tax `json:"unused,omitzero"`
}

// Differs reports whether only sums are compared, so that the files show the amount of the difference but not its
// reasons.
func (o Outcome) Differs() bool {
	return !Payable(o.What) &&
		!slices.ContainsFunc(o.Shares, func(s Share) bool { return s.Class != NotInFiles && s.Class != NoticeDiffers })
}

// Dues is one line of a DRC-03.
type Dues struct {
	Head     string `json:"head"`
	Tax      int64  `json:"tax"`
	Interest int64  `json:"interest"`
}

// Total returns tax plus interest.
func (p Dues) Total() int64 { return p.Tax + p.Interest }

// PeriodOf returns the first and last month that a notice covers, "" if it names none.
func PeriodOf(f gst.Facts) (from, to string) {
	for _, p := range f.Periods {
		if len(p.From) >= 7 && (from == "" || p.From[:7] < from) {
			from = p.From[:7]
		}
		if len(p.To) >= 7 && p.To[:7] > to {
			to = p.To[:7]
		}
	}
	return from, to
}

// issueOf maps a comparison to the issue of a notice that it answers, as the tables of law name it.
var issueOf = map[string]string{CreditClaimed: "itc_2a2b_vs_3b", TaxDeclared: "gstr1_vs_3b"}

// Claimed returns the tax that a notice claims for the subject of a comparison: from the charges that name both
// returns, else from its demand if nothing else is in dispute.
func Claimed(f gst.Facts, what string) *Tax {
	var sum Tax
	found := false
	if OfValue(what) {
		return nil // the notice claims tax, not a value of supplies
	}
	for _, charge := range f.Charges() {
		if !Names(charge.Text, what) {
			continue
		}
		for _, a := range charge.Amounts {
			if head := gst.HeadIndex(a.Head); head >= 0 && a.Tax != 0 {
				sum[head] += paise(a.Tax)
				found = true
			}
		}
	}
	if found {
		return &sum
	}
	if f.Demand == nil || issueOf[what] == "" || len(f.Issues) > 1 ||
		len(f.Issues) == 1 && f.Issues[0] != issueOf[what] {
		return nil
	}
	for _, row := range f.Demand.Rows {
		if head := gst.HeadIndex(row.Head); head >= 0 && row.Tax != 0 {
			sum[head] += paise(row.Tax)
			found = true
		}
	}
	if !found {
		return nil
	}
	return &sum
}

// IssueOf returns the issue that a comparison answers, as the tables of law name it.
func IssueOf(what string) string { return issueOf[what] }

// Names reports whether a paragraph names the two returns that are compared. Of the comparisons with GSTR-9, only
// those of tax and of credit can be recognised: the wording of a paragraph does not distinguish the others from them.
func Names(text, what string) bool {
	text = strings.NewReplacer(" ", "", "-", "", "\n", "").Replace(strings.ToLower(text))
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(words string) bool { return strings.Contains(text, words) })
	}
	annual, audit := has("gstr9", "annualreturn"), has("gstr9c", "reconciliationstatement")
	credit := has("itc", "inputtaxcredit", "creditclaimed", "creditavailed")
	switch what {
	case CreditClaimed:
		return has("3b") && has("2a", "2b")
	case TaxDeclared:
		return has("3b") && has("gstr1") && !has("ewaybill", "einvoice")
	case MovedDeclared:
		return has("ewaybill") && has("gstr1")
	case InvoicesDeclared:
		return has("einvoice") && has("gstr1")
	case SalesDeclared:
		return has("salesregister", "salesledger", "booksofaccount") && has("gstr1")
	case SalesInvoiced:
		return has("salesregister", "salesledger", "booksofaccount") && has("einvoice")
	case TDSTurnover:
		return has("gstr7")
	case TCSTurnover:
		return has("gstr8")
	case AnnualCredit:
		return annual && has("3b") && credit && !has("2a", "2b")
	case AnnualTax:
		return annual && has("3b") && !credit
	case AuditedTax:
		return audit && !credit && !has("3b", "turnover")
	}
	return false
}

func paise(rupees float64) int64 { return int64(math.Round(rupees * 100)) }

// Answer compares the difference found in the files with what the notice says, and computes what would be paid if the
// rest were admitted, with interest up to today. The credit ledger may be nil.
func Answer(t *law.Tables, f gst.Facts, c Variance, ledger *Ledger, today law.Day) Outcome {
	first, second, shares := c.Sums()
	a := Outcome{
		What:   c.What,
		From:   c.From,
		To:     c.To,
		Files:  first.Minus(second),
		Notice: Claimed(f, c.What),
		Shares: shares,
	}
	for _, s := range shares {
		if s.Class.Explains() {
			a.Explained = a.Explained.Plus(s.Tax)
		}
	}
	a.Remains = a.Files.Minus(a.Explained)
	if a.Notice != nil {
		if differs := a.Notice.Minus(a.Files); !differs.IsZero() {
			a.Shares = append(a.Shares, Share{NoticeDiffers, differs})
		}
	}
	a.Pay = []Dues{}
	if !Payable(c.What) {
		return a
	}
	open := openMonths(c, a.Remains)
	if a.Ledger = ledger != nil && c.What == CreditClaimed; a.Ledger {
		a.Portions, a.Unused = utilised(open, *ledger)
	} else {
		for _, o := range open {
			a.Portions = append(a.Portions, o.portion(kindOf(c.What), DueDate(o.period)))
		}
	}
	interest := map[string]int64{}
	if len(a.Portions) > 0 {
		for _, sheet := range reckon.Money(t, gst.Facts{}, reckon.Given{Portions: a.Portions}, today) {
			if sheet.Code != "interest" {
				continue
			}
			a.Interest = &sheet
			for _, row := range sheet.Rows {
				if row.Paise != nil {
					interest[row.Head] += *row.Paise
				}
			}
		}
	}
	for head, paise := range a.Remains {
		if paise > 0 {
			a.Pay = append(a.Pay, Dues{Head: gst.HeadNames[head], Tax: paise, Interest: interest[gst.HeadNames[head]]})
		}
	}
	return a
}

func kindOf(what string) string {
	if what == CreditClaimed {
		return "credit"
	}
	return "short_paid"
}

// openMonth is the unexplained amount of one month under one head.
type openMonth struct {
	period string
	head   int
	paise  int64
}

func (o openMonth) portion(kind, from string) gst.Portion {
	return gst.Portion{Label: "GSTR-3B, " + o.period, Head: gst.HeadNames[o.head], Paise: o.paise, Kind: kind, From: from}
}

// openMonths distributes the unexplained amount over the months that have an excess, the earliest first, for which
// interest runs longest.
func openMonths(c Variance, remains Tax) []openMonth {
	var open []openMonth
	for _, m := range c.Months {
		var of Tax
		for _, s := range m.Shares {
			if !s.Class.Explains() {
				of = of.Plus(s.Tax)
			}
		}
		for head, paise := range of {
			if take := min(paise, remains[head]); take > 0 {
				remains[head] -= take
				open = append(open, openMonth{m.Period, head, take})
			}
		}
	}
	return open
}

// utilised finds from the credit ledger when wrongly taken credit was used. Under rule 88B(3) it counts as used when,
// and to the extent that, the balance falls below it. The balances of IGST, CGST and SGST are taken together, as
// Circular 192/04/2023 does for IGST; cess is taken alone. Balances are those at the end of a day. Credit counts from
// the day on which the ledger shows the return, else from the due date of the return.
func utilised(open []openMonth, ledger Ledger) (portions []gst.Portion, unused Tax) {
	taken := map[string]string{} // by period: the day on which credit was added to the ledger
	balance := ledger.Opening
	var days []string
	ends := map[string]Tax{}
	movements := slices.Clone(ledger.Movements)
	slices.SortStableFunc(movements, func(a, b Movement) int { return cmp.Compare(a.Date, b.Date) })
	for _, m := range movements {
		balance = balance.Plus(m.Tax)
		if m.Balance != nil {
			balance = *m.Balance
		}
		if len(days) == 0 || days[len(days)-1] != m.Date {
			days = append(days, m.Date)
		}
		ends[m.Date] = balance
		if m.Tax.Sum() > 0 && taken[m.Period] == "" {
			taken[m.Period] = m.Date
		}
	}
	for _, cess := range []bool{false, true} {
		var queue []openMonth
		for _, o := range open {
			if (o.head == Cess) == cess {
				queue = append(queue, o)
			}
		}
		var used int64
		for _, day := range days {
			left := ends[day][Cess]
			if !cess {
				left = ends[day].Sum() - left
			}
			wrong := used
			for _, o := range queue {
				if cmp.Or(taken[o.period], DueDate(o.period)) <= day {
					wrong += o.paise
				}
			}
			for need := wrong - used - max(0, left); need > 0 && len(queue) > 0; {
				o := queue[0]
				o.paise = min(o.paise, need)
				portions = append(portions, o.portion("credit", day))
				need, used = need-o.paise, used+o.paise
				if queue[0].paise -= o.paise; queue[0].paise == 0 {
					queue = queue[1:]
				}
			}
		}
		for _, o := range queue {
			unused[o.head] += o.paise
		}
	}
	return portions, unused
}
