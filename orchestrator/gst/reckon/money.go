package reckon

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

const rounding = "Each amount is rounded to the nearest rupee, fifty paise upwards (CGST Act s.170)."

// Money gives the worked tables: interest, penalty by stage, and what an appeal
// wants deposited. A table that the notice gives no ground for is left out; a
// row for which something is missing says what.
func Money(t *law.Tables, f gst.Facts, given Given, today law.Day) []Sheet {
	p := newPaper(t, f, given, today)
	sheets := []Sheet{}
	for _, sheet := range []*Sheet{p.interestSheet(), p.penaltySheet(), p.detentionSheet(), p.depositSheet("first_appeal"), p.depositSheet("tribunal")} {
		if sheet == nil || len(sheet.Rows) == 0 {
			continue
		}
		sheet.Rounding = rounding
		sheet.Uncertain = append([]string{}, sheet.Uncertain...)
		for i := range sheet.Rows {
			sheet.Rows[i].Missing = append([]string{}, sheet.Rows[i].Missing...)
		}
		sheets = append(sheets, *sheet)
	}
	return sheets
}

// interestSheet works out interest on each part whose days the person gave;
// without them it shows what a day costs and what the notice claims.
func (p *paper) interestSheet() *Sheet {
	if p.tax() == 0 && len(p.given.Portions) == 0 {
		return nil
	}
	s := &Sheet{Code: "interest", Title: "Interest under section 50",
		Uncertain: []string{"A year is taken as 365 days, leap years too, as the portal does; the Act does not say."}}
	if len(p.given.Portions) > 0 {
		sum, all := int64(0), true
		for _, part := range p.given.Portions {
			for _, row := range p.interestRows(part) {
				s.Rows = append(s.Rows, row)
				if all = all && row.Paise != nil; all {
					sum += *row.Paise
				}
			}
		}
		if all {
			s.Paise = &sum
		}
	} else {
		s.Rows = p.interestUnknown()
	}
	if claimed := p.interest(); claimed > 0 {
		row := Row{Label: "Interest as claimed in the notice", Base: ptr(p.tax()), Paise: ptr(claimed), Certainty: law.Sourced}
		if rate := p.law.Rate("short_paid", p.onDay()); rate != nil && rate.Percent > 0 && p.tax() > 0 {
			// amount = tax × percent × days / year, solved for the days.
			days := mulDiv(claimed, int64(rate.YearDays)*10000, p.tax(), rate.Percent.Hundredths())
			row.Note = fmt.Sprintf("At %s a year on all of the tax this is interest for %d days. Not added to the sum.", rate.Percent, days)
		}
		s.Rows = append(s.Rows, row)
	}
	s.Uncertain = append(s.Uncertain, p.totalsDoubt()...)
	return s
}

// interestRows works out interest on one part, a row for each rate that held.
func (p *paper) interestRows(part gst.Portion) []Row {
	from, to := law.ParseDay(part.From), law.ParseDay(part.To)
	open := to.IsZero()
	if open {
		to = p.today
	}
	row := Row{Label: part.Label, Head: part.Head, Base: ptr(part.Paise)}
	if row.Label == "" {
		row.Label = "Tax under " + part.Head
	}
	rate := p.law.Rate(part.Kind, to)
	if rate == nil || part.Paise <= 0 || part.Paise > gst.MostPaise {
		row.Missing, row.Certainty = []string{"a rate of interest for this kind of tax"}, law.ToConfirm
		return []Row{row}
	}
	row.describe(rate)
	if from.IsZero() {
		row.Missing = []string{startOf(part.Kind)}
		return []Row{row}
	}
	if to.IsZero() || to.Before(from) {
		row.Missing = []string{"the day of payment"}
		return []Row{row}
	}
	if open {
		row.Note = "Counted to today, since it is not paid. " + row.Note
	}
	var rows []Row
	for first := from.AddDays(1); !first.After(to) || len(rows) == 0; {
		rate := p.law.Rate(part.Kind, first)
		if rate == nil {
			row.Missing = []string{"a rate of interest for " + first.Printed()}
			return []Row{row}
		}
		// The rate holds until the day before another one begins.
		last := to
		for _, other := range p.law.Interest {
			if begins := law.ParseDay(other.From); other.Kind == part.Kind && begins.After(first) && !begins.After(last) {
				last = begins.AddDays(-1)
			}
		}
		next := row
		next.Rate, next.Provision, next.Certainty = rate.Percent.String()+" a year", cgst(rate.Provision), rate.Certainty
		days := first.AddDays(-1).DaysUntil(last)
		next.From, next.To, next.Days = ptr(first.ISO()), ptr(last.ISO()), ptr(days)
		if days == 0 {
			next.From = ptr(last.ISO())
		}
		next.Paise = ptr(rounded(mulDiv(part.Paise, rate.Percent.Hundredths()*int64(days), 10000, int64(rate.YearDays))))
		rows = append(rows, next)
		first = last.AddDays(1)
	}
	return rows
}

// describe says how interest runs.
func (r *Row) describe(rate *law.Rate) {
	r.Rate, r.Provision, r.Certainty = rate.Percent.String()+" a year", cgst(rate.Provision), rate.Certainty
	r.Note = "Interest runs " + rate.Runs + "."
	if rate.Note != "" {
		r.Note += " " + strings.ToUpper(rate.Note[:1]) + rate.Note[1:] + "."
	}
}

func startOf(kind string) string {
	if kind == "credit" {
		return "the day on which the credit was utilised, and whether it was"
	}
	return "the due date of the return"
}

// interestUnknown shows, for a claim whose days nobody gave, what is missing and
// what one day costs.
func (p *paper) interestUnknown() []Row {
	kind := p.kindOfTax()
	rate := p.law.Rate(kind, p.today)
	if rate == nil {
		return nil
	}
	var rows []Row
	for _, c := range p.claim {
		if paiseOf(c.Tax) == 0 {
			continue
		}
		row := Row{Label: "Interest on " + c.Head, Head: c.Head, Base: ptr(paiseOf(c.Tax)), Missing: []string{startOf(kind), "the day of payment"}}
		row.describe(rate)
		rows = append(rows, row)
	}
	day := Row{Label: "What one day costs", Base: ptr(p.tax()), Days: ptr(1)}
	day.describe(rate)
	day.Paise = ptr(rounded(mulDiv(p.tax(), rate.Percent.Hundredths(), 10000, int64(rate.YearDays))))
	day.Note = "On all of the tax claimed."
	if kind == "credit" {
		day.Note = "On all of the credit in dispute, as far as it was utilised."
	}
	return append(rows, day)
}

// kindOfTax tells whether interest would be on credit wrongly used or on tax
// not paid.
func (p *paper) kindOfTax() string {
	onCredit, onTax := slices.Contains(p.facts.Sections, "50(3)"), slices.Contains(p.facts.Sections, "50(1)")
	if onCredit != onTax {
		if onCredit {
			return "credit"
		}
		return "short_paid"
	}
	credit := 0
	for _, issue := range p.facts.Issues {
		switch {
		case strings.HasPrefix(issue, "itc_"), issue == "common_credit_r42_43", issue == "fake_invoice_nongenuine":
			credit++
		case issue == "gstr1_vs_3b", issue == "rcm", issue == "classification_rate", issue == "valuation_discount":
			return "short_paid"
		}
	}
	if credit > 0 {
		return "credit"
	}
	return "short_paid"
}

// penaltySheet shows the penalty at each stage of the proceedings.
func (p *paper) penaltySheet() *Sheet {
	if p.tax() == 0 || p.form != nil && strings.HasPrefix(p.form.Form, "MOV-") {
		return nil
	}
	s := &Sheet{Code: "penalty", Title: "Penalty, by what is done and when", Uncertain: append(p.sectionDoubts(), p.totalsDoubt()...)}
	which := "other"
	if p.fraud() || p.section == "" && p.fraudAlleged() {
		which = "fraud"
	}
	for _, rule := range p.law.Penalties {
		if p.proceedsFor(rule) && (rule.Case == "" || rule.Case == which) && rule.HoldsOn(p.onDay()) {
			s.Rows = append(s.Rows, p.penaltyRows(rule)...)
		}
	}
	if len(s.Rows) == 0 {
		return nil
	}
	if claimed := p.penalty(); claimed > 0 {
		s.Rows = append(s.Rows, Row{Label: "Penalty as claimed in the notice", Base: ptr(p.tax()), Paise: ptr(claimed), Certainty: law.Sourced})
	}
	s.Uncertain = append(s.Uncertain, "The rows are alternatives. No penalty under another section comes on top of one under section 73, 74 or 74A for the same act (s.75(13)).")
	return s
}

// proceedsFor tells whether the notice stands under the rule's section.
func (p *paper) proceedsFor(rule law.Penalty) bool {
	switch rule.Section {
	case "73", "74", "74A":
		return rule.Section == p.section
	case "129":
		return false // the table of detention
	}
	for _, cited := range p.facts.Sections {
		if strings.HasPrefix(cited, rule.Section) || cited == "122" && strings.HasPrefix(rule.Section, "122") {
			return true
		}
	}
	return false
}

// penaltyRows gives a stage's row, or where the Act has a least penalty one for
// each head, since it holds for each Act by itself.
func (p *paper) penaltyRows(rule law.Penalty) []Row {
	row := Row{Label: rule.Label, Rate: rule.Percent.String(), Provision: cgst(rule.Provision), Certainty: rule.Certainty, Note: strings.Join(doubts(rule.Rule), " ")}
	if rule.Most > 0 && rule.Percent == 0 {
		row.Rate, row.Paise = "up to "+gst.Rupees(rule.Most*100), nil
		row.Missing = []string{"how much the officer imposes"}
		return []Row{row}
	}
	if rule.Least == 0 {
		row.Base, row.Paise = ptr(p.tax()), ptr(PercentOf(rule.Percent, p.tax()))
		return []Row{row}
	}
	row.Rate += ", at least " + gst.Rupees(rule.Least*100)
	var rows []Row
	for _, c := range p.claim {
		base := paiseOf(c.Tax)
		if base == 0 {
			continue
		}
		next := row
		next.Head, next.Base = c.Head, ptr(base)
		amount := PercentOf(rule.Percent, base)
		if least := rule.Least * 100; amount < least {
			amount = least
			if c.Head == "IGST" {
				next.Note = strings.TrimSpace(next.Note + " Under IGST Act s.20, fourth proviso, the least may be twice that: confirm.")
			}
		}
		next.Paise = ptr(amount)
		rows = append(rows, next)
	}
	return rows
}

// detentionSheet shows what releases detained goods (s.129).
func (p *paper) detentionSheet() *Sheet {
	if !p.is("MOV-07") {
		return nil
	}
	s := &Sheet{Code: "detention", Title: "Penalty for the release of the goods"}
	for _, rule := range p.law.Penalties {
		if rule.Section != "129" || !rule.HoldsOn(p.onDay()) {
			continue
		}
		row := Row{Label: rule.Label, Rate: rule.Percent.String() + " of the tax", Provision: cgst(rule.Provision), Certainty: rule.Certainty, Note: strings.Join(doubts(rule.Rule), " ")}
		amount := PercentOf(rule.Percent, p.tax())
		switch {
		case p.tax() == 0:
			row.Missing = []string{"the tax on the goods"}
		case rule.ValuePercent > 0:
			row.Base, row.Missing = ptr(p.tax()), []string{"the value of the goods"}
			row.Note = fmt.Sprintf("At least %s, which is %s of the tax. %s", gst.Rupees(amount), rule.Percent, row.Note)
		default:
			row.Base, row.Paise = ptr(p.tax()), ptr(amount)
		}
		if rule.ValuePercent > 0 {
			row.Rate += ", or " + rule.ValuePercent.String() + " of the value if that is more"
			if p.tax() == 0 {
				row.Missing = append(row.Missing, "the value of the goods")
			}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// depositSheet shows what an appeal filed today wants deposited: on an order, or
// if an order demands what the notice does.
func (p *paper) depositSheet(code string) *Sheet {
	if !p.isOrder() && !p.isDemandNotice() {
		return nil
	}
	title := map[string]string{"first_appeal": "Pre-deposit for the first appeal", "tribunal": "Pre-deposit for the appeal to the Tribunal"}[code]
	if !p.isOrder() {
		title += ", if the order demands what the notice does"
	}
	s := &Sheet{Code: code, Title: title, Uncertain: p.totalsDoubt()}
	of := "tax"
	if p.tax() == 0 {
		of = "penalty"
	}
	rule := p.law.Deposit(code, of, p.orderSection(), p.today)
	if rule == nil {
		return nil
	}
	sum := int64(0)
	for _, c := range p.claim {
		base := paiseOf(c.Tax)
		if of == "penalty" {
			base = paiseOf(c.Penalty)
		}
		if base == 0 {
			continue
		}
		row := Row{Label: fmt.Sprintf("%s of the disputed %s", rule.Percent, of), Head: c.Head, Base: ptr(base), Rate: rule.Percent.String(),
			Provision: cgst(rule.Provision), Certainty: rule.Certainty, Note: strings.Join(doubts(rule.Rule), " ")}
		amount := PercentOf(rule.Percent, base)
		if most, capped := rule.Caps[c.Head]; capped {
			row.Rate += ", at most " + gst.Rupees(most*100)
			if amount > most*100 {
				amount = most * 100
				row.Note = strings.TrimSpace("The cap of " + gst.Rupees(most*100) + " holds. " + row.Note)
			}
		} else if of == "tax" {
			row.Certainty = law.ToConfirm
			row.Note = strings.TrimSpace(row.Note + " The tables name no cap for this head.")
		}
		row.Paise = ptr(amount)
		sum += amount
		s.Rows = append(s.Rows, row)
	}
	s.Paise = &sum
	s.Uncertain = append(s.Uncertain, "The rate and caps in force today are taken, as for an appeal filed today ("+rule.Source+").",
		"All of the "+of+" is taken as disputed. What is admitted is to be paid in full, with its interest, fine, fee and penalty.")
	return s
}

// orderSection is the section by which a deposit may be limited.
func (p *paper) orderSection() string {
	if p.section == "" && slices.ContainsFunc(p.facts.Sections, func(s string) bool { return strings.HasPrefix(s, "129") }) {
		return "129"
	}
	return p.section
}

// PercentOf takes a rate of a sum, in whole rupees (CGST Act s.170). Both sums are in paise.
func PercentOf(rate law.Percent, paise int64) int64 {
	return rounded(mulDiv(paise, rate.Hundredths(), 10000, 1))
}

// rounded gives whole rupees, fifty paise upwards.
func rounded(paise int64) int64 { return (paise + 50) / 100 * 100 }

// mulDiv gives a × b / (c × d) to the nearest whole number, however large a × b
// is. All are 0 or more, c and d more than 0.
func mulDiv(a, b, c, d int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	divisor := uint64(c) * uint64(d)
	lo, carry := bits.Add64(lo, divisor/2, 0)
	hi += carry
	if hi >= divisor {
		return 0 // no such sum is money: tables and amounts are bounded
	}
	n, _ := bits.Div64(hi, lo, divisor)
	return int64(n)
}
