package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// readAnswers reads, in an order, the dates that concern the reply to the notice: the last date for it, the date on
// which it came, and the date of the hearing.
func (p *Paper) readAnswers() {
	kind := p.Known.One("paper.kind")
	if kind == nil || p.issued.IsZero() ||
		!strings.Contains(kind.Text, "order") && kind.Text != "registration refusal" && kind.Text != "registration query" {
		return
	}
	const near = 50
	if day, q := p.dayBehind("your reply dated|reply dated|reply filed on|reply was filed on|reply was received on|replied on|"+
		"reply received on|reply submitted on|clarification dated|clarification filed on|reg-04 dated|reg-04 filed on|reg-04 on|"+
		"reg-18 dated|reg-18 on|rfd-09 dated|rfd-09 on|drc-06 on|drc-06 dated|response dated|answered on|उत्तर दिनांक", near,
		"notice", "order", "hearing"); !day.IsZero() && day.Before(p.issued) {
		p.Known.Put("reply.day", Value{Kind: Day, Day: day, At: []Quote{q}})
		p.Known.Put("reply.until", Value{Kind: Count, Count: day.DaysUntil(p.issued), At: []Quote{q}})
		p.Known.Put("reply.until_work", Value{Kind: Count, Count: workdays(day, p.issued), At: []Quote{q}})
	}
	if !strings.Contains(kind.Text, "order") {
		return
	}
	p.later("hearing.later", "hearing was fixed on|hearing was fixed for|hearing fixed on|hearing fixed for|hearing on|hearing is "+
		"fixed on|hearing is fixed for|hearing scheduled on|hearing scheduled for|hearing was scheduled for|"+
		"adjourned to|adjourned till|सुनवाई दिनांक", "hearing")
	p.later("reply.allowed", "to reply by|reply by|reply was due by|reply was due on|reply on or before|reply up to|reply upto|reply "+
		"till|time to reply up to|time to reply till|time for reply|time for the reply|due date to reply|last date of reply|last date "+
		"for reply|extension * reply|reply * extended", "reply")
}

// later sets the fact called name to a date that follows the given words and is after the paper's own date. The
// sentence must be about a hearing or a reply, not about the time for the order, a payment or an appeal.
func (p *Paper) later(name, words, about string) {
	const near, most = 50, 6
	for at := 0; ; {
		start, end, ok := p.find(words, at, len(p.low))
		if !ok {
			return
		}
		at = end
		from, to := p.sentence(start)
		days := gst.Dates(p.low[end:min(len(p.low), end+near)])
		if len(days) == 0 || !days[0].Day.After(p.issued) || days[0].Day.After(p.issued.AddMonths(most)) ||
			!strings.Contains(p.low[from:max(to, end)], about) ||
			hasAny(p.low[from:max(to, end+days[0].End)], "appeal", "payment", "pay ", "limitation", "168a", "notification", "73(10)",
				"74(10)", "passing", "extended up to 31") {
			continue
		}
		p.Known.Put(name, Value{Kind: Day, Day: days[0].Day, At: []Quote{p.around(start, end+days[0].End)}})
		return
	}
}

// readRevision computes, for a notice of revision, from when and until when the power to revise can be used: from six
// months to three years after the order (section 108(2)).
func (p *Paper) readRevision() {
	if !p.isKind("revision notice") || p.issued.IsZero() {
		return
	}
	const near = 60
	if day, q := p.dayBehind("order no|order dated|order in original|order-in-original|order of|order passed on|passed on|drc-07|"+
		"rfd-06|order bearing|आदेश", near, "notice"); !day.IsZero() && day.Before(p.issued) {
		at := []Quote{q}
		p.Known.Put("order.day", Value{Kind: Day, Day: day, At: at})
		p.Known.Put("revision.begins", Value{Kind: Day, Day: day.AddMonths(6), At: at})
		p.Known.Put("revision.ends", Value{Kind: Day, Day: day.AddMonths(36), At: at})
	}
}

// readAuction reads, in a notice of auction, the date of the auction (the first one named), and counts the days from
// the notice to it.
func (p *Paper) readAuction() {
	if !p.isKind("auction notice") || p.issued.IsZero() {
		return
	}
	const near = 70
	var first law.Day
	var at Quote
	for from := 0; ; {
		start, end, ok := p.find("auction|bid|bids|नीलामी|बोली", from, len(p.low))
		if !ok {
			break
		}
		from = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if d.Day.After(p.issued) && (first.IsZero() || d.Day.Before(first)) {
				first, at = d.Day, p.around(start, end+d.End)
			}
		}
	}
	if !first.IsZero() {
		p.Known.Put("auction.day", Value{Kind: Day, Day: first, At: []Quote{at}})
		p.Known.Put("auction.days", Value{Kind: Count, Count: p.issued.DaysUntil(first), At: []Quote{at}})
	}
}

// readAdmitted reads the amounts that, as an order itself says, were not in the notice.
func (p *Paper) readAdmitted() {
	if !p.isKind("order", "unregistered order") || len(p.Known["order.excess"]) > 0 {
		return
	}
	tax := Sum(p.DemandOf(TakesTax))
	var found []gst.Sum
	var at []Quote
	p.each("not in the notice|not in the show cause notice|not in the scn|not a part of the notice|not part of the notice|not "+
		"proposed in the notice|not proposed in the scn|not covered by the notice|beyond the notice|not mentioned in the notice|not "+
		"raised in the notice|नोटिस में नहीं", 0, len(p.low), func(from, to int) {
		if len(at) > 0 && from < len(p.low) && p.quote(from, to) == at[len(at)-1] {
			return
		}
		for _, s := range gst.Sums(p.low[from:to]) {
			if s.Marked && s.Paise >= 1000_00 && (tax == nil || Amount(s.Paise) < *tax) {
				found = append(found, s)
				at = append(at, p.quote(from, to))
			}
		}
	})
	if len(found) == 1 {
		p.Known.Put("order.excess", Value{Kind: Money, Paise: found[0].Paise, At: at})
	}
}

// readOwner reads, in a paper on detained goods, that the owner came forward. It also works out by how much the penalty
// exceeds twice the tax on the goods.
func (p *Paper) readOwner() {
	if !p.isKind("detention notice", "detention order") || p.issued.IsZero() || p.issued.ISO() < "2022-01-01" ||
		len(p.Known["goods.exempt"]) > 0 {
		return
	}
	if start, end, ok := p.find("nobody came forward|no one came forward|none came forward|no person came forward|owner did not come|owner has not "+
		"come|owner * not come forward|did not claim ownership|ownership was not claimed", 0, len(p.low)); ok && p.isKind("detention order") {
		p.Known.Put("owner.came", Value{Kind: Truth, At: []Quote{p.around(start, end)}})
		return
	}
	start, end, ok := p.find("owner * come forward|owner * came forward|owner * has come|owner * comes forward|owner of the goods * "+
		"appeared|came forward * owner|comes forward * owner|claimed ownership|claiming ownership|claims ownership|claim of "+
		"ownership|ownership * accepted|ownership * admitted|consignor * came forward|consignee * came forward|consignor * has come forward|consignee * has come forward|consignor * come forward|consignee * come forward|consignor * "+
		"appeared|consignee * appeared|स्वामित्व स्वीकार|स्वामी * उपस्थित|स्वामी * सामने|माल का स्वामी", 0, len(p.low))
	if !ok || hasAny(p.low[max(0, start-30):min(len(p.low), end+30)], "not come", "did not", "nobody", "no one", "if the", "in case") {
		return
	}
	at := []Quote{p.around(start, end)}
	p.Known.Put("owner.came", Value{Kind: Truth, Yes: true, At: at})
	if len(p.Known["penalty.over_twice"]) > 0 {
		return
	}
	penalty, tax := p.penaltyAsked(), p.taxOnGoods()
	if over := penalty - 2*tax; penalty > 0 && tax > 0 && over > 100 {
		p.Known.Put("penalty.over_twice", Value{Kind: Money, Paise: over, At: slices.Clone(at)})
	}
}

// taxOnGoods returns the tax that a paper computes on detained goods: the printed amount that equals the printed rate
// of the printed value.
func (p *Paper) taxOnGoods() int64 {
	if tax := Sum(p.DemandOf(TakesTax)); tax != nil {
		return int64(*tax)
	}
	value := p.Known.One("goods.value")
	if value == nil {
		return 0
	}
	for _, s := range gst.Sums(p.low) {
		for _, rate := range []int64{5, 12, 18, 28, 40, 3} {
			if s.Marked && s.Paise > 0 && s.Paise*100 == value.Paise*rate && hasAny(p.low, strconv.FormatInt(rate, 10)+"%",
				strconv.FormatInt(rate, 10)+" %", strconv.FormatInt(rate, 10)+" per cent") {
				return s.Paise
			}
		}
	}
	return 0
}
