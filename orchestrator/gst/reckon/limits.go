package reckon

import (
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Limits returns for each financial year of a show cause notice, or of an order on one, whether it was in time, under
// the Act and by extension. For other papers it returns none.
func Limits(t *law.Tables, f gst.Facts) []Limitation {
	p := newPaper(t, f, Given{}, law.Day{})
	if !p.isDemandNotice() && !p.isDemandOrder() {
		return []Limitation{}
	}
	return p.limits()
}

func (p *paper) limits() []Limitation {
	all := []Limitation{}
	what := "notice"
	if p.isOrder() {
		what = "order"
	}
	for _, period := range p.facts.Periods {
		l := Limitation{FY: period.FY, Section: p.section, What: what, Verdict: NotKnown,
			Uncertain: []message.Message{}, Certainty: law.Sourced}
		if !p.issued.IsZero() {
			l.Dated = ptr(p.issued.ISO())
		}
		limits, ok := p.law.Limits(period.FY, p.section, p.state)
		if !ok {
			code := "limits.no_row"
			if p.section == "74A" && period.FY < "2024-25" || p.section != "74A" && period.FY >= "2024-25" {
				code = "limits.wrong_section"
			}
			l.Basis = message.New(code, message.Params{"section": p.section})
			all = append(all, l)
			continue
		}
		p.judge(&l, limits)
		all = append(all, l)
	}
	return all
}

// judge compares the date of the paper with the last days of a year.
func (p *paper) judge(l *Limitation, limits law.Limits) {
	s, y := limits.Section, limits.Year
	last, longer := limits.Notice, limits.NoticeExtended
	if l.What == "order" {
		last, longer = limits.Order, limits.OrderExtended
	}
	l.Provision = cgst(strings.TrimPrefix(s.Source, "CGST Act "))
	basis := message.Params{"rule": s.Text("words", s.Words), "fy": l.FY, "date": message.Date(limits.ReturnDue.ISO()),
		"source": message.Citation(y.Source)}
	l.Basis = message.New("limits.basis", basis)
	l.Litigated = y.Litigated && (!longer.IsZero() || limits.Note() != "")
	l.Certainty = weaker(s.Certainty, y.Certainty)
	l.Uncertain = append(l.Uncertain, s.Doubts()...)
	l.Uncertain = append(l.Uncertain, y.Doubts()...)
	if note := limits.Remark(); !note.IsZero() {
		l.Uncertain = append(l.Uncertain, note)
	}
	if limits.ByState {
		l.Uncertain = append(l.Uncertain, message.New("limits.by_state", nil))
	}
	if !longer.IsZero() {
		l.Extended, l.By = ptr(longer.ISO()), y.ExtendedBy
		if l.Litigated {
			l.Uncertain = append(l.Uncertain,
				message.New("limits.litigated", message.Params{"by": message.Citation(y.ExtendedBy)}))
		}
	}
	if l.What == "notice" {
		p.orderBy(l, limits)
	}
	if last.IsZero() {
		l.Basis = message.New("limits.basis_no_notice", basis)
		return
	}
	l.LastDay = ptr(last.ISO())
	switch {
	case p.issued.IsZero():
		l.Uncertain = append(l.Uncertain, message.New("limits.dated."+l.What, nil))
	case !p.issued.After(last):
		l.Verdict = InTime
	case !longer.IsZero() && !p.issued.After(longer):
		l.Verdict = InTimeByExtension
	default:
		l.Verdict = Late
		l.Uncertain = append(l.Uncertain, message.New("limits.confirm", nil))
	}
}

// orderBy sets the last day for the order on a notice.
func (p *paper) orderBy(l *Limitation, limits law.Limits) {
	switch {
	case limits.Section.OrderMonthsAfterNotice > 0 && !p.issued.IsZero():
		l.OrderBy = ptr(p.issued.AddMonths(limits.Section.OrderMonthsAfterNotice).ISO())
	case !limits.OrderExtended.IsZero():
		l.OrderBy = ptr(limits.OrderExtended.ISO())
	case !limits.Order.IsZero():
		l.OrderBy = ptr(limits.Order.ISO())
	}
}

// weaker returns the lower of two certainties.
func weaker(a, b string) string {
	for _, least := range [...]string{law.ToConfirm, law.Knowledge} {
		if a == least || b == least {
			return least
		}
	}
	return law.Sourced
}
