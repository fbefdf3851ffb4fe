package printed

import (
	"slices"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// readDates reads the dates of other papers that a paper names: the show cause notice before it, the order behind a
// recovery or an appeal, and an earlier attachment.
func (p *Paper) readDates() {
	switch {
	case p.isKind("notice"):
		p.Known["notice.own_day"] = p.Known["paper.date"]
	case p.isKind("order"):
		p.Known["notice.own_day"] = p.Known["notice.day"]
	}
	if len(p.Known["notice.own_day"]) == 0 {
		delete(p.Known, "notice.own_day")
	}
	if v := p.Known.One("default.months"); v != nil && v.Count < 4 && len(p.Known["default.quarter"]) == 0 {
		p.Known.Put("default.quarter", Value{Kind: Truth, Yes: true, At: v.At})
	}
	if v := p.Known.One("column.differs"); v != nil && (len(p.Known["demand.excess"]) == 0 || p.Known["demand.excess"][0].Paise == 0) {
		p.Known.Put("column.only", Value{Kind: Truth, Yes: true, At: v.At})
	}
	p.readOrderBehind()
	p.readFirstAttachment()
	if v := p.Known.One("order.day"); v != nil && p.isKind("garnishee", "recovery intimation", "auction notice", "property attachment") {
		day := p.lastDay()
		p.Known.day("recovery.day", day, p.at("issue_date"))
	}
	if v := p.Known.One("application.day"); v != nil {
		p.Known.Put("refund.sixty", Value{Kind: Day, Day: v.Day.AddDays(60), At: v.At})
	}
}

// lastDay returns the date of the paper, or today if that date could not be read. The events that a paper reports
// happened by that date.
func (p *Paper) lastDay() law.Day {
	if !p.issued.IsZero() {
		return p.issued
	}
	return p.Today
}

// readOrderBehind reads, in an order on an appeal or a paper of recovery, the date of the order under section 73 or 74
// on which it rests.
func (p *Paper) readOrderBehind() {
	if v := p.Known.One("order.day"); v != nil {
		p.Known.Put("original.day", *v)
		return
	}
	if !p.isKind("appellate order", "appeal letter") {
		return
	}
	const near = 90
	for at := 0; ; {
		start, end, ok := p.find("directed against * order|against the order|against order|against the order-in-original|order appealed "+
			"against|impugned order|order-in-original no|order in original no|drc-07 no|drc-07 dated|drc-07", at, len(p.low))
		if !ok {
			return
		}
		at = end
		days := gst.Dates(p.low[end:min(len(p.low), end+near)])
		if len(days) == 0 || p.issued.IsZero() || !days[0].Day.Before(p.issued) ||
			hasAny(p.low[end:end+days[0].Start], "notice", "filed", "heard", "communicat", "received", "uploaded", "hearing") {
			continue
		}
		p.Known.Put("original.day", Value{Kind: Day, Day: days[0].Day, At: []Quote{p.around(start, end+days[0].End)}})
		return
	}
}

// readFirstAttachment reads the date of an earlier attachment of the same property.
func (p *Paper) readFirstAttachment() {
	if !p.isKind("attachment") {
		return
	}
	p.each("had been attached|was attached|were attached|earlier attached|first attached|previously attached|already been attached|"+
		"earlier attachment|previous attachment|first attachment|earlier order of|attached earlier|attachment dated|पूर्व में कुर्क", 0, len(p.low),
		func(from, to int) {
			if days := p.daysIn(from, to); len(days) == 1 && days[0].Before(p.lastDay()) && len(p.Known["attachment.first"]) == 0 {
				p.Known.Put("attachment.first", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
			}
		})
}

// readBarred records that a paper was issued after the last date for each of its years. For an order this is the last
// date for the order; for a paper that precedes a notice, the last date for a notice under section 73.
func (p *Paper) readBarred() {
	section := p.Known.One("paper.section")
	day := p.lastDay()
	if len(p.Years) == 0 || day.IsZero() {
		return
	}
	name, fact := "order.barred", ""
	switch {
	case p.isKind("order") && section != nil:
		fact = "year.order" + lower(section.Text) + "_longer"
	case p.isKind("intimation", "audit report", "scrutiny", "letter") && (section == nil || section.Text == "73"):
		name, fact = "notice.barred", "year.notice73_longer"
	default:
		return
	}
	for _, y := range p.Years {
		last := y.Known.One(fact)
		if last == nil || !day.After(last.Day) {
			return
		}
	}
	v := Value{Kind: Truth, Yes: true, At: p.at("periods")}
	p.Known.Put(name, v)
	for _, s := range slices.Concat(p.Years, p.Charges) {
		s.Known.Put(name, v)
	}
}
