package figures

import (
	"cmp"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/reckon"
)

// lateIssue is the issue of a notice that asks for interest on late returns, as the tables of law name it.
const lateIssue = "interest_s50"

// Late is what the electronic ledgers show about returns that were paid late: how much of their tax was paid in
// cash, and the interest on that by section 50(1) and rule 88B(1).
type Late struct {
	Returns []LateReturn `json:"returns"`
	// Missing are the months for which the ledgers show no payment, and no return shows that none was due.
	Missing []string `json:"missing"`
	// Notice is the interest that the notice demands on late returns; nil if it names no amount for these
	// alone.
	Notice *int64 `json:"notice"`

	Cash     Tax `json:"cash"`     // paid from the cash ledger after the due dates
	OnCash   Tax `json:"on_cash"`  // interest on all of it
	Lay      Tax `json:"lay"`      // the part of Cash that was in the ledger from the due date to the debit
	Interest Tax `json:"interest"` // on Cash less Lay
	// What the interest on tax paid by credit would be; nil without the credit ledger.
	OnCredit *int64 `json:"on_credit"`

	// Earlier was in the ledger too, but was debited before the proviso on it came into force. It is not deducted.
	Earlier     Tax  `json:"earlier,omitzero"`
	AfterNotice bool `json:"after_notice,omitempty"` // a return was paid on the day of the notice or later
	Relaxed     bool `json:"relaxed,omitempty"`      // a late return is of a month with lower rates or other due dates
	Quarterly   bool `json:"quarterly,omitempty"`    // returns are filed quarterly, so that they are due later
	Together    bool `json:"together,omitempty"`     // the cash ledger does not part tax from interest and fee
}

// LateReturn is one debit of the cash ledger for a return after its due date.
type LateReturn struct {
	Period string `json:"period"`
	Due    string `json:"due"`
	Paid   string `json:"paid"`
	Days   int    `json:"days"`
	Cash   Tax    `json:"cash"`
	Lay    Tax    `json:"lay"` // the part of Cash that bears no interest

	OnCash   Tax       `json:"on_cash"`  // interest on Cash
	Interest Tax       `json:"interest"` // on Cash less Lay
	Rate     *law.Rate `json:"-"`        // on the day of the debit
}

// Proved reports whether a reply can rely on the sums: the ledgers show every month, and the rule is that of rule
// 88B(1) for all of them, with the due dates and the rate that are used here.
func (l *Late) Proved() bool {
	return l != nil && len(l.Missing) == 0 && !l.AfterNotice && !l.Together && !l.Relaxed && !l.Quarterly
}

// OnLay returns the interest on the amounts that were in the ledger.
func (l *Late) OnLay() Tax { return l.OnCash.Minus(l.Interest) }

// Other returns the part of the notice's interest that is neither due according to the ledgers, nor on cash that
// was in them, nor on credit. It comes from other days or other amounts or, without the credit ledger, from the
// part that was paid by credit.
func (l *Late) Other() int64 {
	other := *l.Notice - l.OnCash.Sum()
	if l.OnCredit != nil {
		other -= *l.OnCredit
	}
	return other
}

// lateReturns computes the interest on late returns from the cash ledger; nil without that ledger, without months, or
// if the notice demands no such interest. A return is due on the 20th after its month.
func lateReturns(c Compared, t *law.Tables, f gst.Facts) *Late {
	if c.Cash == nil || c.From == "" || !slices.Contains(f.Issues, lateIssue) {
		return nil
	}
	l := &Late{Returns: []LateReturn{}, Missing: []string{}, Notice: lateClaimed(t, f), Together: !c.Cash.TaxAlone,
		Quarterly: filesQuarterly(c, f)}
	paidLate := func(m Movement) {
		rate := t.Rate("late_return", law.ParseDay(m.Date))
		l.Relaxed = l.Relaxed || rate != nil && rate.Relaxes(m.Period)
		l.AfterNotice = l.AfterNotice || f.IssueDate != nil && *f.IssueDate <= m.Date
	}
	seen := map[string]bool{}
	within := func(period string) bool { return c.From <= period && period <= c.To }
	cash := c.Cash.inOrder()
	for i, m := range cash.Movements {
		if !m.paysReturn() || !within(m.Period) {
			continue
		}
		seen[m.Period] = true
		due := DueDate(m.Period)
		if m.Date <= due {
			continue
		}
		r := LateReturn{Period: m.Period, Due: due, Paid: m.Date,
			Days: law.ParseDay(due).DaysUntil(law.ParseDay(m.Date)), Cash: Tax{}.Minus(m.Tax),
			Rate: t.Rate("late_return", law.ParseDay(m.Date))}
		lay := cash.lay(i, due)
		if r.Rate != nil && r.Rate.LyingFrom != "" && r.Rate.LyingFrom <= m.Date {
			r.Lay = lay
		} else {
			l.Earlier = l.Earlier.Plus(lay)
		}
		r.OnCash, r.Interest = interestOn(t, r.portions(r.Cash)), interestOn(t, r.portions(r.Cash.Minus(r.Lay)))
		l.Returns, l.Cash, l.Lay = append(l.Returns, r), l.Cash.Plus(r.Cash), l.Lay.Plus(r.Lay)
		l.OnCash, l.Interest = l.OnCash.Plus(r.OnCash), l.Interest.Plus(r.Interest)
		paidLate(m)
	}
	if c.Ledger != nil {
		var byCredit []gst.Portion
		for _, m := range c.Ledger.inOrder().Movements {
			if !m.paysReturn() || !within(m.Period) {
				continue
			}
			if cash.covers(m.Date) {
				seen[m.Period] = true
			}
			if due := DueDate(m.Period); due < m.Date {
				paidLate(m)
				byCredit = append(byCredit, LateReturn{Period: m.Period, Due: due, Paid: m.Date}.portions(Tax{}.Minus(m.Tax))...)
			}
		}
		sum := interestOn(t, byCredit).Sum()
		l.OnCredit = &sum
	}
	for _, r := range c.Returns {
		if r.Form == "GSTR-3B" && len(r.Tables) > 0 && taxOf(r).IsZero() {
			seen[r.Period] = true
		}
	}
	for _, month := range Months(c.From, c.To) {
		if !seen[month] && !(l.Quarterly && !endsQuarter(month)) {
			l.Missing = append(l.Missing, month)
		}
	}
	return l
}

// filesQuarterly reports whether the taxpayer files quarterly (QRMP): the notice says so, or the ledgers and GSTR-3B are
// of several months, each the last of a quarter.
func filesQuarterly(c Compared, f gst.Facts) bool {
	for _, p := range f.Paragraphs {
		if gst.FilesQuarterly(strings.ToLower(p.Text)) != nil {
			return true
		}
	}
	months := map[string]bool{}
	for _, l := range []*Ledger{c.Cash, c.Ledger} {
		if l == nil {
			continue
		}
		for _, m := range l.Movements {
			if m.paysReturn() {
				months[m.Period] = true
			}
		}
	}
	for _, r := range c.Returns {
		if r.Form == "GSTR-3B" {
			months[r.Period] = true
		}
	}
	for month := range months {
		if !endsQuarter(month) {
			return false
		}
	}
	return len(months) > 1
}

// endsQuarter reports whether a month is the last of a quarter.
func endsQuarter(month string) bool {
	return slices.Contains([]string{"-03", "-06", "-09", "-12"}, month[min(len(month), 4):])
}

// portions returns what interest runs on, head by head.
func (r LateReturn) portions(of Tax) []gst.Portion {
	var all []gst.Portion
	for head, paise := range of {
		if paise > 0 {
			all = append(all, gst.Portion{Label: "GSTR-3B, " + r.Period, Head: gst.HeadNames[head], Paise: paise, Kind: "late_return",
				From: r.Due, To: r.Paid})
		}
	}
	return all
}

// interestOn returns the interest on portions under each head.
func interestOn(t *law.Tables, portions []gst.Portion) (sum Tax) {
	if len(portions) == 0 {
		return sum
	}
	for _, sheet := range reckon.Money(t, gst.Facts{}, reckon.Given{Portions: portions}, law.Day{}) {
		for _, row := range sheet.Rows {
			if head := gst.HeadIndex(row.Head); sheet.Code == "interest" && row.Paise != nil {
				sum[head] += *row.Paise
			}
		}
	}
	return sum
}

// paysReturn reports whether a movement is a debit for the tax of a GSTR-3B. The portal describes it as "Other than
// reverse charge" or "Reverse charge"; payments by DRC-03, refunds and transfers do not count.
func (m Movement) paysReturn() bool {
	said := strings.ToLower(m.Description)
	return m.Period != "" && m.Tax.Sum() < 0 && !strings.Contains(said, "drc") &&
		(strings.Contains(said, "reverse charge") || strings.Contains(strings.ReplaceAll(said, "-", ""), "3b"))
}

// inOrder returns the ledger with its movements by day, each of them once, and the balance after
// each.
func (l *Ledger) inOrder() Ledger {
	type line struct {
		Movement
		left Tax
	}
	in := Ledger{Kind: l.Kind, Opening: l.Opening}
	seen := map[line]bool{}
	for _, m := range l.Movements {
		if m.Balance != nil {
			of := line{m, *m.Balance}
			of.Balance = nil
			if seen[of] {
				continue // it is in two files
			}
			seen[of] = true
		}
		in.Movements = append(in.Movements, m)
	}
	slices.SortStableFunc(in.Movements, func(a, b Movement) int { return cmp.Compare(a.Date, b.Date) })
	left := in.Opening
	for i := range in.Movements {
		m := &in.Movements[i]
		left = left.Plus(m.Tax)
		if m.Balance != nil {
			left = *m.Balance
		}
		m.Balance = &Tax{left[IGST], left[CGST], left[SGST], left[Cess]}
	}
	return in
}

// covers reports whether a day is between the first and the last movement.
func (l Ledger) covers(day string) bool {
	n := len(l.Movements)
	return n > 0 && l.Movements[0].Date <= day && day <= l.Movements[n-1].Date
}

// lay returns how much of a debit was in the ledger, in order, on its due date and at all times until the debit. What
// was deposited later does not count, nor does anything if the ledger begins after the due date.
func (l Ledger) lay(debit int, due string) Tax {
	lay := Tax{}.Minus(l.Movements[debit].Tax)
	known := false
	for _, m := range l.Movements[:debit] {
		if m.Date <= due {
			known = true
		}
	}
	if !known {
		return Tax{}
	}
	for i, m := range l.Movements[:debit] {
		if l.Movements[i+1].Date <= due {
			continue // another movement by the due date follows
		}
		for head := range lay {
			lay[head] = max(0, min(lay[head], m.Balance[head]))
		}
	}
	return lay
}

// lateClaimed returns the interest that a notice asks for on late returns: from the charges about them, else from its
// demand if it asks for nothing else.
func lateClaimed(t *law.Tables, f gst.Facts) *int64 {
	var sum int64
	for _, charge := range f.Charges() {
		if AsksLate(t, charge.Text) {
			for _, a := range charge.Amounts {
				sum += paise(a.Interest)
			}
		}
	}
	if sum == 0 && f.Demand != nil {
		for _, row := range f.Demand.Rows {
			if row.Tax != 0 {
				return nil
			}
			sum += paise(row.Interest)
		}
	}
	if sum == 0 {
		return nil
	}
	return &sum
}

// AsksLate reports whether the text of a charge asks for interest on returns that were filed late.
func AsksLate(t *law.Tables, charge string) bool {
	return slices.Contains(gst.IssuesIn(t, charge), lateIssue) && late.MatchString(strings.ToLower(charge))
}

var late = lazyregexp.New(`\b(?:late|belated(?:ly)?|delay(?:ed)?)\b|(?:after|beyond) the due date|विलंब|विलम्ब|देर`)
