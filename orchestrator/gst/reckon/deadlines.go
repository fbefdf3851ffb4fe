package reckon

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Deadlines gives the days by which something is to be done, the next one
// first: the reply and the hearing, the time to pay with no or a lower penalty,
// and for an order the appeal with the time in which delay may be condoned.
// They follow the date of service where one was given and the law counts from
// it. A last day on which offices are closed is flagged, not moved.
func Deadlines(t *law.Tables, f gst.Facts, given Given, today law.Day) []Deadline {
	p := newPaper(t, f, given, today)
	all := []Deadline{}
	if p.isOrder() {
		all = append(all, p.onOrder()...)
	} else {
		all = append(all, p.reply()...)
		all = append(all, p.payAndClose()...)
		all = append(all, p.orderDue()...)
	}
	all = append(all, p.hearing()...)
	for i := range all {
		p.finish(&all[i])
	}
	slices.SortStableFunc(all, func(a, b Deadline) int {
		if (a.Date == nil) != (b.Date == nil) {
			if a.Date == nil {
				return 1
			}
			return -1
		}
		return cmp.Compare(date(a), date(b))
	})
	return all
}

func date(d Deadline) string {
	if d.Date == nil {
		return ""
	}
	return *d.Date
}

// finish adds what every deadline has: the days left, and the holiday.
func (p *paper) finish(d *Deadline) {
	d.Uncertain = append([]string{}, d.Uncertain...)
	d.Certainty = cmp.Or(d.Certainty, law.Sourced)
	if d.Date == nil {
		return
	}
	last := law.ParseDay(*d.Date)
	if last.IsZero() {
		d.Date, d.Source, d.Basis = nil, "unknown", "the date cannot be read"
		return
	}
	if !p.today.IsZero() {
		d.DaysLeft = ptr(p.today.DaysUntil(last))
	}
	why, closed := p.law.Calendar.Closed(last, p.state)
	switch {
	case !closed || d.Code == OrderDue:
	case d.Code == Hearing:
		d.Holiday = &Holiday{Name: why, Open: p.law.Calendar.NextOpen(last, p.state).ISO(), Note: "Offices are closed on that day: ask whether the hearing will be held."}
	default:
		d.Holiday = &Holiday{Name: why, Open: p.law.Calendar.NextOpen(last, p.state).ISO(),
			Note: "What falls due while the office is closed may be done on the next day on which it is open (General Clauses Act s.10). The portal takes filings every day, so do not count on it."}
	}
}

// reply gives the last day to answer: the printed date, else the days printed or
// fixed for the form, from service where that is known.
func (p *paper) reply() []Deadline {
	due := p.facts.ReplyDue
	d := Deadline{Code: Reply, What: "Reply to the notice", Source: due.Source, Page: p.facts.Evidence["reply_due"].Page}
	if p.form != nil {
		d.What, d.IfMissed = cmp.Or(p.form.Answer, d.What), p.form.IfMissed
	}
	if due.Source != "computed" && due.Date != nil {
		d.Date, d.Basis = due.Date, "printed on the notice, which governs"
		if due.Basis != nil {
			d.Basis = *due.Basis
		}
		return []Deadline{d}
	}
	if due.Time == nil {
		d.Date, d.Source, d.Basis = due.Date, cmp.Or(due.Source, "unknown"), "no date to reply is known"
		if due.Basis != nil {
			d.Basis = *due.Basis
		}
		if p.form != nil && p.form.Time != nil && due.Date == nil {
			d.Uncertain = append(d.Uncertain, fmt.Sprintf("For FORM %s the law gives %s where the notice prints nothing else: look at the original for a date.", p.form.Form, spoken(*p.form.Time)))
		}
		return []Deadline{d}
	}
	p.count(&d, *due.Time)
	if d.Date == nil && due.Basis != nil {
		d.Basis = *due.Basis
	}
	if _, printed := p.facts.Evidence["reply_due"]; printed {
		d.Basis = strings.Replace(d.Basis, " counted", ", as printed, counted", 1)
	} else if p.form != nil {
		d.Provision, d.Certainty = cgst(p.form.Law), p.form.Certainty
		d.Uncertain = append(d.Uncertain, doubts(p.form.Rule)...)
	}
	return []Deadline{d}
}

// count sets a deadline from time that runs from service or issue.
func (p *paper) count(d *Deadline, a law.Allowed) {
	d.FollowsService = a.RunsFrom != "issue"
	from, words := p.issued, "the date of issue"
	if d.FollowsService {
		var known bool
		if from, known = p.communicated(); known {
			words = "the date of service that you gave"
		} else if !from.IsZero() {
			d.Uncertain = append(d.Uncertain, "Counted from the date of issue, since the date of service is not known. Enter it, and this date follows.")
		}
	}
	if from.IsZero() {
		d.Source, d.Basis = "unknown", spoken(a)+", but the day from which they run is not known"
		return
	}
	last, within := p.law.After(a, from, p.state)
	d.Date, d.Source = ptr(last.ISO()), "computed"
	d.Basis = fmt.Sprintf("%s counted from %s, %s", spoken(a), words, from.Printed())
	if len(within) > 0 {
		d.Uncertain = append(d.Uncertain, "Counted as a working day: "+strings.Join(within, "; ")+". Where the office was closed, the last day is later.")
	}
	if a.Unit == "working days" && !p.law.Calendar.CountWithoutHolidays {
		d.Uncertain = append(d.Uncertain, "Working days are counted Monday to Friday, without the State's public holidays: the safer, earlier date.")
	}
}

func spoken(a law.Allowed) string {
	unit := a.Unit
	if a.Count == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%d %s", a.Count, unit)
}

func (p *paper) hearing() []Deadline {
	h := p.facts.Hearing
	if h == nil {
		return nil
	}
	d := Deadline{Code: Hearing, What: "Attend the personal hearing", Date: ptr(h.Date), Source: "printed", Basis: "printed on the notice", Provision: "CGST Act s.75(4)", Page: p.facts.Evidence["hearing"].Page}
	if h.Time != nil {
		d.What += " at " + *h.Time
	}
	return []Deadline{d}
}

// payAndClose gives the window after a notice in which payment ends the matter.
// It runs from issue, whenever the notice was served.
func (p *paper) payAndClose() []Deadline {
	if !p.isDemandNotice() {
		return nil
	}
	rule := p.stage("after_notice")
	if rule == nil {
		return nil
	}
	d := Deadline{Code: PayAndClose, Provision: cgst(rule.Provision), Certainty: rule.Certainty, Uncertain: doubts(rule.Rule), IfMissed: "the penalty is decided by order"}
	p.pay(&d, rule)
	d.Uncertain = append(d.Uncertain, p.sectionDoubts()...)
	p.count(&d, law.Allowed{Count: rule.Days, Unit: "days", RunsFrom: "issue"})
	return []Deadline{d}
}

// pay says what is to be paid at a stage.
func (p *paper) pay(d *Deadline, rule *law.Penalty) {
	with := "no penalty"
	if rule.Percent > 0 {
		with = fmt.Sprintf("a penalty of %s of the tax", rule.Percent)
	}
	d.What = fmt.Sprintf("Pay tax and interest with %s, and close the matter", with)
	if p.tax() == 0 {
		return
	}
	penalty := PercentOf(rule.Percent, p.tax())
	d.Paise = ptr(p.tax() + p.interest() + penalty)
	parts := []string{gst.Rupees(p.tax()) + " tax"}
	if p.interest() > 0 {
		parts = append(parts, gst.Rupees(p.interest())+" interest as claimed")
		d.Uncertain = append(d.Uncertain, "Interest goes on to the day of payment: see the table of interest.")
	} else {
		d.Uncertain = append(d.Uncertain, "The notice does not say how much interest: it comes on top, see the table of interest.")
	}
	if penalty > 0 {
		parts = append(parts, gst.Rupees(penalty)+" penalty")
	}
	d.What += ": " + strings.Join(parts, ", ")
	d.Uncertain = append(d.Uncertain, p.totalsDoubt()...)
}

func (p *paper) sectionDoubts() []string {
	if p.sectionDoubt == "" {
		return nil
	}
	return []string{p.sectionDoubt}
}

// orderDue gives the last days for the officer's order on a notice.
func (p *paper) orderDue() []Deadline {
	if !p.isDemandNotice() {
		return nil
	}
	var all []Deadline
	for _, l := range p.limits() {
		if l.OrderBy == nil {
			continue
		}
		all = append(all, Deadline{Code: OrderDue, What: "The officer's order for " + l.FY + ": its last day", Date: l.OrderBy, Source: "computed", Basis: l.Basis,
			Provision: l.Provision, Certainty: l.Certainty, Uncertain: l.Uncertain, IfMissed: "the proceedings are deemed concluded, s.75(10)"})
	}
	return all
}

// onOrder gives what can be done against an order.
func (p *paper) onOrder() []Deadline {
	var all []Deadline
	appeal := "first_appeal"
	if p.is("APL-04") {
		appeal = "tribunal"
	}
	if p.form != nil && p.form.Time != nil && !strings.HasPrefix(p.form.Answer, "Appeal") {
		d := Deadline{Code: Comply, What: p.form.Answer, Provision: cgst(p.form.Law), Certainty: p.form.Certainty, Uncertain: doubts(p.form.Rule), IfMissed: p.form.IfMissed}
		allowed := *p.form.Time
		if p.facts.ReplyDue.Time != nil {
			allowed = *p.facts.ReplyDue.Time // what the order prints
		}
		p.count(&d, allowed)
		if p.facts.ReplyDue.Source != "computed" && p.facts.ReplyDue.Date != nil {
			d.Date, d.Source, d.Basis = p.facts.ReplyDue.Date, p.facts.ReplyDue.Source, "printed on the order, which governs"
		}
		all = append(all, d)
	}
	all = append(all, p.appeal(appeal)...)
	if rule := p.stage("after_order"); rule != nil && p.fraud() {
		d := Deadline{Code: PayReduced, Provision: cgst(rule.Provision), Certainty: rule.Certainty, Uncertain: doubts(rule.Rule), IfMissed: "the whole penalty of the order is due"}
		p.pay(&d, rule)
		d.Uncertain = append(d.Uncertain, p.sectionDoubts()...)
		p.count(&d, law.Allowed{Count: rule.Days, Unit: "days", RunsFrom: "service"})
		all = append(all, d)
	}
	codes := []struct{ time, deadline string }{{"rectify", Rectify}}
	if p.isDemandOrder() || p.tax()+p.interest()+p.penalty() > 0 {
		codes = append(codes, struct{ time, deadline string }{"recovery", Recovery})
	}
	for _, c := range codes {
		rule := p.law.Time(c.time, p.onDay())
		if rule == nil {
			continue
		}
		d := Deadline{Code: c.deadline, What: rule.What, Provision: cgst(rule.Provision), Certainty: rule.Certainty, Uncertain: doubts(rule.Rule)}
		p.count(&d, law.Allowed{Count: rule.Months, Unit: "months", RunsFrom: rule.RunsFrom})
		all = append(all, d)
	}
	return all
}

// onDay is the day whose law governs what can be done against an order: that of
// the order, or today where it is not known.
func (p *paper) onDay() law.Day {
	if p.issued.IsZero() {
		return p.today
	}
	return p.issued
}

// appeal gives the last day to appeal, and the last one to which delay may be
// condoned.
func (p *paper) appeal(code string) []Deadline {
	rule := p.law.Time(code, p.onDay())
	if rule == nil {
		return nil
	}
	d := Deadline{Code: Appeal, What: rule.What, Provision: cgst(rule.Provision), Certainty: rule.Certainty, Uncertain: doubts(rule.Rule), IfMissed: "the order becomes final, unless the delay is condoned"}
	p.count(&d, law.Allowed{Count: rule.Months, Unit: "months", RunsFrom: rule.RunsFrom})
	from, _ := p.communicated()
	for _, w := range p.law.Windows {
		if d.Date != nil && w.Code == code && from.Before(law.ParseDay(w.CommunicatedBefore)) && *d.Date < w.LastDay {
			last := law.ParseDay(w.LastDay)
			d.Date, d.Certainty = ptr(w.LastDay), w.Certainty
			d.Basis = fmt.Sprintf("orders communicated before %s: until %s, by %s", law.ParseDay(w.CommunicatedBefore).Printed(), last.Printed(), w.Source)
			d.Uncertain = append(d.Uncertain, doubts(w.Rule)...)
		}
	}
	all := []Deadline{d}
	if d.Date == nil || rule.CondonableMonths == 0 {
		return all
	}
	last := law.ParseDay(*d.Date).AddMonths(rule.CondonableMonths)
	late := Deadline{Code: AppealCondonable, What: rule.What + ", with an application to condone the delay", Date: ptr(last.ISO()), Source: "computed",
		Basis:     fmt.Sprintf("%s more, after %s", spoken(law.Allowed{Count: rule.CondonableMonths, Unit: "months"}), law.ParseDay(*d.Date).Printed()),
		Provision: cgst(rule.CondonableProvision), Certainty: d.Certainty, FollowsService: true, IfMissed: "there is no power to condone more",
		Uncertain: append([]string{"Delay is condoned only for sufficient cause: do not plan with this day."}, d.Uncertain...)}
	return append(all, late)
}

// stage gives the rule for paying at a stage of the proceedings that the paper
// is in; nil for none.
func (p *paper) stage(stage string) *law.Penalty {
	which := "other"
	if p.fraud() {
		which = "fraud"
	}
	for i, rule := range p.law.Penalties {
		if rule.Section == p.section && rule.Stage == stage && (rule.Case == "" || rule.Case == which) && rule.HoldsOn(p.onDay()) {
			return &p.law.Penalties[i]
		}
	}
	return nil
}

// doubts are those of the rule, with its note.
func doubts(r law.Rule) []string {
	all := r.Doubts()
	if r.Note != "" {
		all = append(all, strings.ToUpper(r.Note[:1])+r.Note[1:]+".")
	}
	return all
}

// cgst names the Act or the Rules before a provision of them.
func cgst(provision string) string {
	switch {
	case strings.HasPrefix(provision, "s."):
		return "CGST Act " + provision
	case strings.HasPrefix(provision, "r."):
		return "CGST Rules " + provision
	}
	return provision
}
