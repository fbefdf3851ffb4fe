package defence

import (
	"slices"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// readDates tells apart the dates in a paper: of the show cause notice itself, of the order behind a recovery or an
// appeal, and of an attachment before this one.
func (p *paper) readDates() {
	switch {
	case p.isKind("notice"):
		p.known["notice.own_day"] = p.known["paper.date"]
	case p.isKind("order"):
		p.known["notice.own_day"] = p.known["notice.day"]
	}
	if len(p.known["notice.own_day"]) == 0 {
		delete(p.known, "notice.own_day")
	}
	if v := p.known.one("default.months"); v != nil && v.Count < 4 && len(p.known["default.quarter"]) == 0 {
		p.known.put("default.quarter", Value{Kind: Truth, Yes: true, At: v.At})
	}
	if v := p.known.one("column.differs"); v != nil && (len(p.known["demand.excess"]) == 0 || p.known["demand.excess"][0].Paise == 0) {
		p.known.put("column.only", Value{Kind: Truth, Yes: true, At: v.At})
	}
	p.readOrderBehind()
	p.readFirstAttachment()
	if v := p.known.one("order.day"); v != nil && p.isKind("garnishee", "recovery intimation", "auction notice", "property attachment") {
		day := p.lastDay()
		p.known.day("recovery.day", day, p.at("issue_date"))
	}
	if v := p.known.one("application.day"); v != nil {
		p.known.put("refund.sixty", Value{Kind: Day, Day: v.Day.AddDays(60), At: v.At})
	}
}

// lastDay is the date of the paper, or today if that could not be read: what the paper mentions happened before it.
func (p *paper) lastDay() law.Day {
	if !p.issued.IsZero() {
		return p.issued
	}
	return p.today
}

// readOrderBehind reads the date of the order under section 73 or 74 that an order on an appeal decides about, or that
// a recovery carries out.
func (p *paper) readOrderBehind() {
	if v := p.known.one("order.day"); v != nil {
		p.known.put("original.day", *v)
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
		p.known.put("original.day", Value{Kind: Day, Day: days[0].Day, At: []Quote{p.around(start, end+days[0].End)}})
		return
	}
}

// readFirstAttachment reads the day of an attachment of the same property before this one.
func (p *paper) readFirstAttachment() {
	if !p.isKind("attachment") {
		return
	}
	p.each("had been attached|was attached|were attached|earlier attached|first attached|previously attached|already been attached|"+
		"earlier attachment|previous attachment|first attachment|earlier order of|attached earlier|attachment dated|पूर्व में कुर्क", 0, len(p.low),
		func(from, to int) {
			if days := p.daysIn(from, to); len(days) == 1 && days[0].Before(p.lastDay()) && len(p.known["attachment.first"]) == 0 {
				p.known.put("attachment.first", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
			}
		})
}

// readBarred notes that a paper was issued after the last day for each of its years: an order after the last day for
// the order; a paper that precedes a notice, after the last day for a notice under section 73.
func (p *paper) readBarred() {
	section := p.known.one("paper.section")
	day := p.lastDay()
	if len(p.years) == 0 || day.IsZero() {
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
	for _, y := range p.years {
		last := y.known.one(fact)
		if last == nil || !day.After(last.Day) {
			return
		}
	}
	v := Value{Kind: Truth, Yes: true, At: p.at("periods")}
	p.known.put(name, v)
	for _, s := range slices.Concat(p.years, p.charges) {
		s.known.put(name, v)
	}
}
