package reckon

import (
	"cmp"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Deadlines returns the days by which something must be done, the next one first: the reply and the hearing, the time
// to pay with no penalty or a lower one, and for an order the appeal and the time up to which a delay can be
// condoned. They are counted from the date of service if it was given and the law counts from it. A last day on which
// offices are closed is flagged, not moved.
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

// finish sets the fields that every deadline has: the days left, and the holiday.
func (p *paper) finish(d *Deadline) {
	d.Uncertain = append([]message.Message{}, d.Uncertain...)
	d.Certainty = cmp.Or(d.Certainty, law.Sourced)
	if d.Date == nil {
		return
	}
	last := law.ParseDay(*d.Date)
	if last.IsZero() {
		d.Date, d.Source, d.Basis = nil, "unknown", message.New("deadlines.basis.unreadable", nil)
		return
	}
	if !p.today.IsZero() {
		d.DaysLeft = ptr(p.today.DaysUntil(last))
	}
	why, closed := p.law.Calendar.Closed(last, p.state)
	switch {
	case !closed || d.Code == OrderDue:
	case d.Code == Hearing:
		d.Holiday = &Holiday{Name: why, Open: p.law.Calendar.NextOpen(last, p.state).ISO(),
			Note: message.New("deadlines.holiday.hearing", nil)}
	default:
		d.Holiday = &Holiday{Name: why, Open: p.law.Calendar.NextOpen(last, p.state).ISO(),
			Note: message.New("deadlines.holiday.due", nil)}
	}
}

// reply returns the last date to reply: the printed one, else the one counted with the days that are printed or fixed
// for the form, from service if that date is known.
func (p *paper) reply() []Deadline {
	due := p.facts.ReplyDue
	d := Deadline{Code: Reply, What: message.New("deadlines.reply", nil), Source: due.Source,
		Page: p.facts.Evidence["reply_due"].Page}
	if p.form != nil {
		if p.form.Answer != "" {
			d.What = p.form.Text("answer", p.form.Answer)
		}
		d.IfMissed = p.form.Text("if_missed", p.form.IfMissed)
	}
	if due.Source != "computed" && due.Date != nil {
		d.Date, d.Basis = due.Date, saidOf(due, "deadlines.basis.printed_notice")
		return []Deadline{d}
	}
	if due.Time == nil {
		d.Date, d.Source, d.Basis = due.Date, cmp.Or(due.Source, "unknown"), saidOf(due, "deadlines.basis.unknown")
		if p.form != nil && p.form.Time != nil && due.Date == nil {
			d.Uncertain = append(d.Uncertain,
				message.New("doubts.form_time", message.Params{"form": p.form.Form, "time": p.form.Time.Text()}))
		}
		return []Deadline{d}
	}
	p.count(&d, *due.Time)
	if d.Date == nil && due.Basis != nil {
		d.Basis = saidOf(due, "")
	}
	if _, printed := p.facts.Evidence["reply_due"]; printed {
		if d.Basis.Code == basisIssue || d.Basis.Code == basisService {
			d.Basis = message.New(d.Basis.Code+"_printed", d.Basis.Params)
		}
	} else if p.form != nil {
		d.Provision, d.Certainty = cgst(p.form.Law), p.form.Certainty
		d.Uncertain = append(d.Uncertain, p.form.Doubts()...)
	}
	return []Deadline{d}
}

// The codes that say how a date was counted.
const (
	basisIssue   = "deadlines.basis.issue"
	basisService = "deadlines.basis.service"
)

// saidOf returns the basis of a reply date, or the message with the code otherwise if the facts have none.
func saidOf(due gst.ReplyDue, otherwise string) message.Message {
	switch {
	case !due.Said.IsZero():
		return due.Said
	case due.Basis != nil: // facts stored before sentences had codes
		return message.Text(*due.Basis, "")
	}
	return message.New(otherwise, nil)
}

// count sets a deadline from a time that runs from service or issue.
func (p *paper) count(d *Deadline, a law.Allowed) {
	d.FollowsService = a.RunsFrom != "issue"
	from, counted := p.issued, basisIssue
	if d.FollowsService {
		var known bool
		if from, known = p.communicated(); known {
			counted = basisService
		} else if !from.IsZero() {
			d.Uncertain = append(d.Uncertain, message.New("doubts.served_unknown", nil))
		}
	}
	if from.IsZero() {
		d.Source, d.Basis = "unknown", message.New("deadlines.basis.from_unknown", message.Params{"time": a.Text()})
		return
	}
	last, within := p.law.After(a, from, p.state)
	d.Date, d.Source = ptr(last.ISO()), "computed"
	d.Basis = message.New(counted, message.Params{"time": a.Text(), "date": message.Date(from.ISO())})
	if len(within) > 0 {
		d.Uncertain = append(d.Uncertain,
			message.New("doubts.holidays_counted", message.Params{"days": message.ListOf("; ", within)}))
	}
	if a.Unit == "working days" && !p.law.Calendar.CountWithoutHolidays {
		d.Uncertain = append(d.Uncertain, message.New("doubts.state_holidays", nil))
	}
}

func (p *paper) hearing() []Deadline {
	h := p.facts.Hearing
	if h == nil {
		return nil
	}
	d := Deadline{Code: Hearing, What: message.New("deadlines.hearing", nil), Date: ptr(h.Date), Source: "printed",
		Basis: message.New("deadlines.basis.printed", nil), Provision: p.hearingLaw(),
		Page: p.facts.Evidence["hearing"].Page}
	if h.Time != nil {
		d.What = message.New("deadlines.hearing_at", message.Params{"time": *h.Time})
	}
	return []Deadline{d}
}

// hearingLaw returns the provision that grants a hearing on this paper, or "" if none does. Section 75(4) is for the
// determination of tax; registration, refunds and goods in transit have provisions of their own.
func (p *paper) hearingLaw() string {
	form := ""
	if p.facts.Form != nil {
		form = *p.facts.Form
	}
	switch form {
	case "REG-17", "REG-31":
		return "CGST Act s.29(2)"
	case "REG-23":
		return "CGST Act s.30(2)"
	case "RFD-08":
		return "CGST Rules r.92(3)"
	case "MOV-07":
		return "CGST Act s.129(4)"
	case "MOV-10":
		return "CGST Act s.130(4)"
	}
	if p.isDemandNotice() {
		return "CGST Act s.75(4)"
	}
	return ""
}

// payAndClose returns the period after a notice in which payment closes the matter. It runs from issue, whenever the
// notice was served.
func (p *paper) payAndClose() []Deadline {
	if !p.isDemandNotice() {
		return nil
	}
	rule := p.stage("after_notice")
	if rule == nil {
		return nil
	}
	d := Deadline{Code: PayAndClose, Provision: cgst(rule.Provision), Certainty: rule.Certainty,
		Uncertain: rule.Doubts(), IfMissed: message.New("deadlines.missed.penalty", nil)}
	p.pay(&d, rule)
	d.Uncertain = append(d.Uncertain, p.sectionDoubts()...)
	p.count(&d, law.Allowed{Count: rule.Days, Unit: "days", RunsFrom: "issue"})
	return []Deadline{d}
}

// pay sets what has to be paid at a stage.
func (p *paper) pay(d *Deadline, rule *law.Penalty) {
	code, params := "deadlines.close", message.Params{}
	if rule.Percent > 0 {
		code, params = "deadlines.close_penalty", message.Params{"rate": rule.Percent.String()}
	}
	d.What = message.New(code, params)
	if p.tax() == 0 {
		return
	}
	penalty := PercentOf(rule.Percent, p.tax())
	d.Paise = ptr(p.tax() + p.interest() + penalty)
	sum := func(of string, paise int64) message.Message {
		return message.New("deadlines.sum."+of, message.Params{"amount": message.Paise(paise)})
	}
	parts := []message.Message{sum("tax", p.tax())}
	if p.interest() > 0 {
		parts = append(parts, sum("interest", p.interest()))
		d.Uncertain = append(d.Uncertain, message.New("doubts.interest_runs", nil))
	} else {
		d.Uncertain = append(d.Uncertain, message.New("doubts.interest_unknown", nil))
	}
	if penalty > 0 {
		parts = append(parts, sum("penalty", penalty))
	}
	params["sums"] = message.ListOf(", ", parts)
	d.What = message.New(code+"_sums", params)
	d.Uncertain = append(d.Uncertain, p.totalsDoubt()...)
}

func (p *paper) sectionDoubts() []message.Message {
	if p.sectionDoubt.IsZero() {
		return nil
	}
	return []message.Message{p.sectionDoubt}
}

// orderDue returns the last days for the officer's order on a notice.
func (p *paper) orderDue() []Deadline {
	if !p.isDemandNotice() {
		return nil
	}
	var all []Deadline
	for _, l := range p.limits() {
		if l.OrderBy == nil {
			continue
		}
		all = append(all, Deadline{Code: OrderDue, What: message.New("deadlines.order_due", message.Params{"fy": l.FY}),
			Date: l.OrderBy, Source: "computed", Basis: l.Basis, Provision: l.Provision, Certainty: l.Certainty,
			Uncertain: l.Uncertain, IfMissed: message.New("deadlines.missed.deemed", nil)})
	}
	return all
}

// onOrder returns the remedies against an order.
func (p *paper) onOrder() []Deadline {
	var all []Deadline
	appeal := "first_appeal"
	if p.is("APL-04") {
		appeal = "tribunal"
	}
	if p.form != nil && p.form.Time != nil && !strings.HasPrefix(p.form.Answer, "Appeal") {
		d := Deadline{Code: Comply, What: p.form.Text("answer", p.form.Answer), Provision: cgst(p.form.Law),
			Certainty: p.form.Certainty, Uncertain: p.form.Doubts(),
			IfMissed: p.form.Text("if_missed", p.form.IfMissed)}
		allowed := *p.form.Time
		if p.facts.ReplyDue.Time != nil {
			allowed = *p.facts.ReplyDue.Time // the time that the order prints
		}
		p.count(&d, allowed)
		if p.facts.ReplyDue.Source != "computed" && p.facts.ReplyDue.Date != nil {
			d.Date, d.Source, d.Basis = p.facts.ReplyDue.Date, p.facts.ReplyDue.Source, message.New("deadlines.basis.printed_order", nil)
		}
		all = append(all, d)
	}
	all = append(all, p.appeal(appeal)...)
	if rule := p.stage("after_order"); rule != nil && p.fraud() {
		d := Deadline{Code: PayReduced, Provision: cgst(rule.Provision), Certainty: rule.Certainty,
			Uncertain: rule.Doubts(), IfMissed: message.New("deadlines.missed.whole_penalty", nil)}
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
		d := Deadline{Code: c.deadline, What: rule.Text("what", rule.What), Provision: cgst(rule.Provision),
			Certainty: rule.Certainty, Uncertain: rule.Doubts()}
		p.count(&d, law.Allowed{Count: rule.Months, Unit: "months", RunsFrom: rule.RunsFrom})
		all = append(all, d)
	}
	return all
}

// onDay returns the day whose law determines the remedies against an order: that of the order, or today if it is not
// known.
func (p *paper) onDay() law.Day {
	if p.issued.IsZero() {
		return p.today
	}
	return p.issued
}

// appeal returns the last day to appeal, and the last day up to which a delay can be condoned.
func (p *paper) appeal(code string) []Deadline {
	rule := p.law.Time(code, p.onDay())
	if rule == nil {
		return nil
	}
	d := Deadline{Code: Appeal, What: rule.Text("what", rule.What), Provision: cgst(rule.Provision),
		Certainty: rule.Certainty, Uncertain: rule.Doubts(), IfMissed: message.New("deadlines.missed.final", nil)}
	p.count(&d, law.Allowed{Count: rule.Months, Unit: "months", RunsFrom: rule.RunsFrom})
	from, _ := p.communicated()
	for _, w := range p.law.Windows {
		if d.Date != nil && w.Code == code && from.Before(law.ParseDay(w.CommunicatedBefore)) && *d.Date < w.LastDay {
			d.Date, d.Certainty = ptr(w.LastDay), w.Certainty
			d.Basis = message.New("deadlines.basis.window", message.Params{
				"before": message.Date(w.CommunicatedBefore), "last": message.Date(w.LastDay),
				"source": message.Citation(w.Source)})
			d.Uncertain = append(d.Uncertain, w.Doubts()...)
		}
	}
	all := []Deadline{d}
	if d.Date == nil || rule.CondonableMonths == 0 {
		return all
	}
	last := law.ParseDay(*d.Date).AddMonths(rule.CondonableMonths)
	late := Deadline{Code: AppealCondonable, What: message.New("deadlines.condone", message.Params{"appeal": d.What}),
		Date: ptr(last.ISO()), Source: "computed", Basis: message.New("deadlines.basis.more", message.Params{
			"time": law.Allowed{Count: rule.CondonableMonths, Unit: "months"}.Text(), "date": message.Date(*d.Date)}),
		Provision: cgst(rule.CondonableProvision), Certainty: d.Certainty, FollowsService: true,
		IfMissed:  message.New("deadlines.missed.no_more", nil),
		Uncertain: append([]message.Message{message.New("doubts.condonation", nil)}, d.Uncertain...)}
	return append(all, late)
}

// stage returns the rule on the penalty at a stage of the paper's proceedings, or nil if there is none.
func (p *paper) stage(stage string) *law.Penalty {
	which := "other"
	if p.fraud() {
		which = "fraud"
	}
	for i, rule := range p.law.Penalties {
		if rule.Section == p.section && rule.Stage == stage && (rule.Case == "" || rule.Case == which) &&
			rule.HoldsOn(p.onDay()) {
			return &p.law.Penalties[i]
		}
	}
	return nil
}

// cgst adds the name of the Act or the Rules to a provision.
func cgst(provision string) string {
	switch {
	case strings.HasPrefix(provision, "s."):
		return "CGST Act " + provision
	case strings.HasPrefix(provision, "r."):
		return "CGST Rules " + provision
	}
	return provision
}
