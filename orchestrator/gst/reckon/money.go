package reckon

import (
	"math/bits"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Money returns the tables of computed amounts: interest, penalty by stage, and the deposit before an appeal. A table
// that does not apply to the notice is left out. A row with missing inputs says which are missing.
func Money(t *law.Tables, f gst.Facts, given Given, today law.Day) []Sheet {
	p := newPaper(t, f, given, today)
	sheets := []Sheet{}
	for _, sheet := range []*Sheet{p.interestSheet(), p.penaltySheet(), p.detentionSheet(),
		p.depositSheet("first_appeal"), p.depositSheet("tribunal")} {
		if sheet == nil || len(sheet.Rows) == 0 {
			continue
		}
		sheet.Rounding = message.New("money.rounding", nil)
		sheet.Uncertain = append([]message.Message{}, sheet.Uncertain...)
		for i := range sheet.Rows {
			sheet.Rows[i].Missing = append([]message.Message{}, sheet.Rows[i].Missing...)
		}
		sheets = append(sheets, *sheet)
	}
	return sheets
}

// interestSheet computes interest on each portion whose dates the person gave. Without portions it shows the interest
// for one day, and what the notice claims.
func (p *paper) interestSheet() *Sheet {
	if p.tax() == 0 && len(p.given.Portions) == 0 {
		return nil
	}
	s := &Sheet{Code: "interest", Title: message.New("money.title.interest", nil),
		Uncertain: []message.Message{message.New("money.year_365", nil)}}
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
		row := Row{Label: message.New("money.claimed.interest", nil), Base: ptr(p.tax()), Paise: ptr(claimed),
			Certainty: law.Sourced}
		if rate := p.law.Rate("short_paid", p.onDay()); rate != nil && rate.Percent > 0 && p.tax() > 0 {
			// amount = tax × percent × days / year, solved for the days.
			days := MulDiv(claimed, int64(rate.YearDays)*10000, p.tax(), rate.Percent.Hundredths())
			row.Note = message.New("money.claimed.interest_days",
				message.Params{"rate": rate.Percent.String(), "count": int(days)})
		}
		s.Rows = append(s.Rows, row)
	}
	s.Uncertain = append(s.Uncertain, p.totalsDoubt()...)
	return s
}

// interestRows computes interest on one portion, with a row for each rate that applied.
func (p *paper) interestRows(part gst.Portion) []Row {
	from, to := law.ParseDay(part.From), law.ParseDay(part.To)
	open := to.IsZero()
	if open {
		to = p.today
	}
	row := Row{Label: message.Text(part.Label, ""), Head: part.Head, Base: ptr(part.Paise)}
	if row.Label.IsZero() {
		row.Label = message.New("money.label.tax_under", message.Params{"head": part.Head})
	}
	rate := p.law.Rate(part.Kind, to)
	if rate == nil || part.Paise <= 0 || part.Paise > gst.MostPaise {
		row.Missing, row.Certainty = missing("rate"), law.ToConfirm
		return []Row{row}
	}
	row.describe(rate)
	if from.IsZero() {
		row.Missing = missing(startOf(part.Kind))
		return []Row{row}
	}
	if to.IsZero() || to.Before(from) {
		row.Missing = missing("paid")
		return []Row{row}
	}
	if open {
		row.Note = message.Sentences(message.New("money.note.to_today", nil), row.Note)
	}
	var rows []Row
	for first := from.AddDays(1); !first.After(to) || len(rows) == 0; {
		rate := p.law.Rate(part.Kind, first)
		if rate == nil {
			row.Missing = []message.Message{message.New("money.missing.rate_on",
				message.Params{"date": message.Date(first.ISO())})}
			return []Row{row}
		}
		// The rate applies until the day before the next one begins.
		last := to
		for _, other := range p.law.Interest {
			if begins := law.ParseDay(other.From); other.Kind == part.Kind && begins.After(first) &&
				!begins.After(last) {
				last = begins.AddDays(-1)
			}
		}
		next := row
		next.Rate, next.Provision, next.Certainty = aYear(rate), cgst(rate.Provision), rate.Certainty
		days := first.AddDays(-1).DaysUntil(last)
		next.From, next.To, next.Days = ptr(first.ISO()), ptr(last.ISO()), ptr(days)
		if days == 0 {
			next.From = ptr(last.ISO())
		}
		next.Paise = ptr(Interest(part.Paise, rate, days))
		rows = append(rows, next)
		first = last.AddDays(1)
	}
	return rows
}

// describe sets the rate of the row, and the note on how interest runs.
func (r *Row) describe(rate *law.Rate) {
	r.Rate, r.Provision, r.Certainty = aYear(rate), cgst(rate.Provision), rate.Certainty
	runs := message.New("money.note.runs", message.Params{"runs": rate.Text("runs", rate.Runs)})
	r.Note = message.Sentences(runs, rate.Sentence("note", rate.Note))
}

func aYear(rate *law.Rate) message.Message {
	return message.New("money.rate.year", message.Params{"rate": rate.Percent.String()})
}

// missing returns the names of inputs that nobody gave.
func missing(what ...string) []message.Message {
	all := make([]message.Message, len(what))
	for i, code := range what {
		all[i] = message.New("money.missing."+code, nil)
	}
	return all
}

// startOf returns the name of the input from which interest would be counted.
func startOf(kind string) string {
	if kind == "credit" {
		return "utilised"
	}
	return "due"
}

// interestUnknown returns rows for a claim without dates: they say what is missing, and give the interest for one day.
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
		row := Row{Label: message.New("money.label.interest_on", message.Params{"head": c.Head}), Head: c.Head,
			Base: ptr(paiseOf(c.Tax)), Missing: missing(startOf(kind), "paid")}
		row.describe(rate)
		rows = append(rows, row)
	}
	day := Row{Label: message.New("money.label.one_day", nil), Base: ptr(p.tax()), Days: ptr(1)}
	day.describe(rate)
	day.Paise = ptr(Interest(p.tax(), rate, 1))
	day.Note = message.New("money.note.all_tax", nil)
	if kind == "credit" {
		day.Note = message.New("money.note.all_credit", nil)
	}
	return append(rows, day)
}

// kindOfTax returns what interest would be on: credit wrongly used, or unpaid tax.
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

// penaltySheet returns the table of the penalty at each stage of the proceedings.
func (p *paper) penaltySheet() *Sheet {
	if p.tax() == 0 || p.form != nil && strings.HasPrefix(p.form.Form, "MOV-") {
		return nil
	}
	s := &Sheet{Code: "penalty", Title: message.New("money.title.penalty", nil),
		Uncertain: append(p.sectionDoubts(), p.totalsDoubt()...)}
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
		s.Rows = append(s.Rows, Row{Label: message.New("money.claimed.penalty", nil), Base: ptr(p.tax()),
			Paise: ptr(claimed), Certainty: law.Sourced})
	}
	s.Uncertain = append(s.Uncertain, message.New("money.alternatives", nil))
	return s
}

// proceedsFor reports whether the notice proceeds under the section of the rule.
func (p *paper) proceedsFor(rule law.Penalty) bool {
	switch rule.Section {
	case "73", "74", "74A":
		return rule.Section == p.section
	case "129":
		return false // that is in the table of detention
	}
	for _, cited := range p.facts.Sections {
		if strings.HasPrefix(cited, rule.Section) || cited == "122" && strings.HasPrefix(rule.Section, "122") {
			return true
		}
	}
	return false
}

// penaltyRows returns the row for a stage. If the Act has a minimum penalty there is a row for each head, since it
// applies to each Act separately.
func (p *paper) penaltyRows(rule law.Penalty) []Row {
	row := Row{Label: rule.Text("label", rule.Label), Rate: message.Text(rule.Percent.String(), ""),
		Provision: cgst(rule.Provision), Certainty: rule.Certainty, Note: message.Sentences(rule.Doubts()...)}
	if rule.Most > 0 && rule.Percent == 0 {
		row.Rate, row.Paise = message.New("money.rate.up_to",
			message.Params{"amount": message.Paise(rule.Most * 100)}), nil
		row.Missing = missing("imposed")
		return []Row{row}
	}
	if rule.Least == 0 {
		row.Base, row.Paise = ptr(p.tax()), ptr(PercentOf(rule.Percent, p.tax()))
		return []Row{row}
	}
	row.Rate = message.New("money.rate.at_least",
		message.Params{"rate": rule.Percent.String(), "amount": message.Paise(rule.Least * 100)})
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
				next.Note = message.Sentences(next.Note, message.New("money.note.igst", nil))
			}
		}
		next.Paise = ptr(amount)
		rows = append(rows, next)
	}
	return rows
}

// detentionSheet returns the table of the amounts on payment of which detained goods are released (section 129).
func (p *paper) detentionSheet() *Sheet {
	if !p.is("MOV-07") {
		return nil
	}
	s := &Sheet{Code: "detention", Title: message.New("money.title.detention", nil)}
	for _, rule := range p.law.Penalties {
		if rule.Section != "129" || !rule.HoldsOn(p.onDay()) {
			continue
		}
		rates := message.Params{"rate": rule.Percent.String(), "value": rule.ValuePercent.String()}
		row := Row{Label: rule.Text("label", rule.Label), Rate: message.New("money.rate.of_tax", rates),
			Provision: cgst(rule.Provision), Certainty: rule.Certainty, Note: message.Sentences(rule.Doubts()...)}
		amount := PercentOf(rule.Percent, p.tax())
		switch {
		case p.tax() == 0:
			row.Missing = missing("goods_tax")
		case rule.ValuePercent > 0:
			row.Base, row.Missing = ptr(p.tax()), missing("goods_value")
			row.Note = message.Sentences(message.New("money.note.at_least",
				message.Params{"amount": message.Paise(amount), "rate": rule.Percent.String()}), row.Note)
		default:
			row.Base, row.Paise = ptr(p.tax()), ptr(amount)
		}
		if rule.ValuePercent > 0 {
			row.Rate = message.New("money.rate.of_tax_or_value", rates)
			if p.tax() == 0 {
				row.Missing = append(row.Missing, missing("goods_value")...)
			}
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}

// depositSheet returns the table of the deposit for an appeal filed today: against the order, or for a notice against
// an order that would demand what the notice does.
func (p *paper) depositSheet(code string) *Sheet {
	if !p.isOrder() && !p.isDemandNotice() {
		return nil
	}
	title := code
	if !p.isOrder() {
		title += "_if"
	}
	s := &Sheet{Code: code, Title: message.New("money.title."+title, nil), Uncertain: p.totalsDoubt()}
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
		row := Row{Label: message.New("money.disputed."+of, message.Params{"rate": rule.Percent.String()}),
			Head: c.Head, Base: ptr(base), Rate: message.Text(rule.Percent.String(), ""),
			Provision: cgst(rule.Provision), Certainty: rule.Certainty, Note: message.Sentences(rule.Doubts()...)}
		amount := PercentOf(rule.Percent, base)
		if most, capped := rule.Caps[c.Head]; capped {
			row.Rate = message.New("money.rate.at_most",
				message.Params{"rate": rule.Percent.String(), "amount": message.Paise(most * 100)})
			if amount > most*100 {
				amount = most * 100
				row.Note = message.Sentences(message.New("money.note.cap",
					message.Params{"amount": message.Paise(most * 100)}), row.Note)
			}
		} else if of == "tax" {
			row.Certainty = law.ToConfirm
			row.Note = message.Sentences(row.Note, message.New("money.note.no_cap", nil))
		}
		row.Paise = ptr(amount)
		sum += amount
		s.Rows = append(s.Rows, row)
	}
	s.Paise = &sum
	s.Uncertain = append(s.Uncertain, message.New("money.rates_today",
		message.Params{"source": message.Citation(rule.Source)}), message.New("money.all_disputed."+of, nil))
	return s
}

// orderSection returns the section of the order, to which a rule on deposits may be limited.
func (p *paper) orderSection() string {
	if p.section == "" && slices.ContainsFunc(p.facts.Sections, func(s string) bool {
		return strings.HasPrefix(s, "129")
	}) {
		return "129"
	}
	return p.section
}

// PercentOf returns a percentage of an amount, rounded to whole rupees (CGST Act s.170). Both amounts are in paise.
func PercentOf(rate law.Percent, paise int64) int64 {
	return rounded(MulDiv(paise, rate.Hundredths(), 10000, 1))
}

// Interest returns the interest on an amount for a number of days, in whole rupees.
func Interest(paise int64, rate *law.Rate, days int) int64 {
	return rounded(MulDiv(paise, rate.Percent.Hundredths()*int64(days), 10000, int64(rate.YearDays)))
}

// rounded rounds paise to whole rupees, fifty paise upwards.
func rounded(paise int64) int64 { return (paise + 50) / 100 * 100 }

// MulDiv returns a × b / (c × d), rounded to the nearest integer, without overflow of a × b. a and b must not be
// negative, c and d must be positive.
func MulDiv(a, b, c, d int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	divisor := uint64(c) * uint64(d)
	lo, carry := bits.Add64(lo, divisor/2, 0)
	hi += carry
	if hi >= divisor {
		return 0 // not a realistic amount: tables and amounts are limited
	}
	n, _ := bits.Div64(hi, lo, divisor)
	return int64(n)
}
