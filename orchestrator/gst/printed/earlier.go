package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// readOrderTimes counts, for any kind of order, the days since the date of the notice before it and since the service
// of that notice. If there are several dates, it takes the one most favourable to the officer: the first date of a
// notice, the last date of service.
func (p *Paper) readOrderTimes() {
	kind := p.Known.One("paper.kind")
	if kind == nil || !strings.Contains(kind.Text, "order") || p.issued.IsZero() {
		return
	}
	p.noHearing()
	if kind.Text != "order" && kind.Text != "appellate order" {
		p.readNoticeDay()
	}
	if days := p.Known["notice.day"]; len(days) > 0 {
		first := slices.MinFunc(days, func(a, b Value) int { return a.Day.Compare(b.Day.Time) })
		p.Known.Put("order.days", Value{Kind: Count, Count: first.Day.DaysUntil(p.issued), At: first.At})
		if s := p.Known.One("paper.section"); s != nil && (s.Text == "73" || s.Text == "74") && len(days) == 1 {
			p.Known.Put("pay.by_notice", Value{Kind: Day, Day: first.Day.AddDays(30), At: first.At})
		}
		p.Known.Put("order.workdays", Value{Kind: Count, Count: workdays(first.Day, p.issued), At: first.At})
	}
	if kind.Text == "detention order" {
		p.readServed()
		p.readDetainedBefore()
	}
}

// workdays counts the days after from, up to and including to, that may be working days: all but Sundays. Holidays and
// free Saturdays would only reduce the number, so if it is below a limit, the true number is too.
func workdays(from, to law.Day) int {
	n := 0
	for day := from.AddDays(1); !day.After(to) && n < 100; day = day.AddDays(1) {
		if day.Weekday() != 0 {
			n++
		}
	}
	return n
}

// readNoticeDay reads the date of the notice that an order names, as in "Notice Reference No. … (GSTR-3A) Date:
// 02/07/2026".
func (p *Paper) readNoticeDay() {
	for at := 0; ; {
		start, end, ok := p.find("show cause notice|scn|notice reference|reference notice|notice no|notice in "+
			"form|notice issued|notice dated|notice u/s|notice under|"+
			"gstr-3a|reg-17|rfd-08|mov-07", at, len(p.low))
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+110)]) {
			between := p.low[end : end+d.Start]
			if d.Day.After(p.issued) || !hasAny(between, "dated", "issued", "dt", "date", "of ", "served on") ||
				hasAny(between, "reply", "hearing", "order", "intimation", "letter", "reminder", "period", "return",
					"mov-06", "detention") {
				break
			}
			p.Known.add("notice.day", Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(start, end+d.End)}})
			break
		}
	}
}

// readServed reads the date on which the notice before an order was served.
func (p *Paper) readServed() {
	for at := 0; ; {
		start, end, ok := p.find("served on|served upon|service of the notice|service of notice", at, len(p.low))
		if !ok {
			break
		}
		at = end
		near := p.low[max(0, start-80):end]
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+40)]) {
			if d.Day.After(p.issued) || !hasAny(near, "notice", "mov-07", "scn") {
				break
			}
			p.Known.add("service.day", Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(max(0, start-80), end+d.End)}})
			break
		}
	}
	if days := p.Known["service.day"]; len(days) > 0 {
		last := slices.MaxFunc(days, func(a, b Value) int { return a.Day.Compare(b.Day.Time) })
		p.Known.Put("order.days_served", Value{Kind: Count, Count: last.Day.DaysUntil(p.issued), At: last.At})
	}
	// A notice is not served before its date, so an order within seven days of that date is within seven days of
	// service.
	if v := p.Known.One("order.days"); v != nil && len(p.Known["service.day"]) == 0 && v.Count >= 0 && v.Count <= 7 {
		p.Known.Put("order.days_served", *v)
	}
}

// readDetainedBefore reads, in an order, the date on which the goods were detained. It counts the days from then to the
// notice.
func (p *Paper) readDetainedBefore() {
	days := p.Known["notice.day"]
	if len(days) == 0 {
		return
	}
	notice := slices.MinFunc(days, func(a, b Value) int { return a.Day.Compare(b.Day.Time) })
	var last Value
	for at := 0; ; {
		start, end, ok := p.find("detained|detention|mov-06|intercepted|seized", at, len(p.low))
		if !ok {
			break
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+60)]) {
			if d.Day.After(notice.Day) ||
				hasAny(p.low[end:end+d.Start], "notice", "mov-07", "reply", "expired", "invoice") {
				break
			}
			if last.Kind == 0 || d.Day.After(last.Day) {
				last = Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(start, end+d.End)}}
			}
			break
		}
	}
	if last.Kind == 0 {
		return
	}
	p.Known.Put("detention.day", last)
	p.Known.Put("detention.days", Value{Kind: Count, Count: last.Day.DaysUntil(notice.Day),
		At: append(slices.Clone(last.At), notice.At...)})
}

// noHearing records that the paper itself says that nobody was heard. It ignores statements that a person did not come,
// or did not ask to be heard.
func (p *Paper) noHearing() {
	for at := 0; ; {
		start, end, ok := p.find("fixed no date for hearing|no date for hearing|no date of hearing|no hearing was|no "+
			"personal hearing was|without any hearing|without hearing|"+
			"no hearing is considered|no hearing is necessary|no hearing is required|no personal hearing is considered|no personal hearing is necessary|"+
			"hearing is not considered necessary|no necessity of hearing|no necessity of personal hearing|no necessity for hearing|no need of hearing|no need for "+
			"hearing|no need for personal hearing|request for hearing is rejected|request for personal hearing is "+
			"rejected|no opportunity of hearing|no opportunity of personal hearing|hearing was not given|hearing was not "+
			"granted|hearing is not necessary|hearing not necessary|"+
			"no purpose would be served by hearing|no useful purpose would be served by|no useful purpose will be "+
			"served by|no purpose will be served by hearing|no useful purpose shall be served by|hearing is not "+
			"required|hearing was not required|hearing is not called for|personal hearing : not given|personal hearing: not given|"+
			"hearing : not granted|nor fix a hearing|not been found practicable to fix|not found practicable to fix|not practicable to fix|"+
			"need not be heard|without personal hearing|decided without reply and without hearing|बिना सुनवाई|सुनवाई "+
			"का अवसर नहीं दिया", at, len(p.low))
		if !ok {
			return
		}
		at = end
		if !hasAny(p.low[end:min(len(p.low), end+40)], "attend", "avail", "appear", "sought", "request", "asked",
			"opted", "desired") {
			p.Known.Put("hearing.none", Value{Kind: Truth, Yes: true, At: []Quote{p.around(start, end)}})
			return
		}
	}
}

// listedMonths counts the months in the longest list of months in a text, such as "April, May and June 2026", and
// returns the list's offsets. n is 0 if the list continues in words.
func listedMonths(low string) (n, start, end int) {
	type named struct{ month, start, end int }
	var all []named
	for i := range len(low) {
		if i > 0 && alnum(low[i-1]) {
			continue
		}
		for m, names := range monthNames {
			at := slices.IndexFunc(names, func(name string) bool {
				return strings.HasPrefix(low[i:], name) && (i+len(name) == len(low) || !alnum(low[i+len(name)]))
			})
			if at >= 0 {
				all = append(all, named{m, i, i + len(names[at])})
				break
			}
		}
	}
	for i := 0; i < len(all); {
		j, seen := i, map[int]bool{all[i].month: true}
		for ; j+1 < len(all) && separates(low[all[j].end:all[j+1].start]); j++ {
			seen[all[j+1].month] = true
		}
		if hasAny(low[all[j].end:min(len(low), all[j].end+40)], "onward", "etc", "till date", "and earlier", "to ") {
			return 0, 0, 0
		}
		if len(seen) > n {
			n, start, end = len(seen), all[i].start, all[j].end
		}
		i = j + 1
	}
	return n, start, end
}

// monthsInARow counts months that are listed with a year each, as in "April 2026, May 2026 and June 2026", and returns
// the offsets of the list.
func monthsInARow(low string) (n, start, end int) {
	months := monthsIn(low)
	for i := 0; i < len(months); {
		j := i
		for ; j+1 < len(months) && separates(low[months[j].end:max(months[j].end, months[j+1].start)]) &&
			months[j+1].first == months[j].first.AddMonths(1); j++ {
		}
		if j-i+1 > n {
			n, start, end = j-i+1, months[i].start, months[j].end
		}
		i = j + 1
	}
	return n, start, end
}

// separates reports whether the text between two months can be a separator in a list, such as ", " or " and ".
func separates(s string) bool {
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,-'/&0123456789", r) }) {
		if !slices.Contains([]string{"and", "एवं", "तथा", "व", "और"}, w) {
			return false
		}
	}
	return true
}

// readComposition reads the turnover named in a notice about composition, and the limit of section 10(1) that applied.
// Since 1 April 2019 (N.14/2019-CT) the limit is ₹1.5 crore, and ₹75 lakh in eight States.
func (p *Paper) readComposition() {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "composition notice" {
		return
	}
	for at := 0; ; {
		start, end, ok := p.find("turnover", at, len(p.low))
		if !ok {
			break
		}
		at = end
		for _, s := range gst.Sums(p.low[end:min(len(p.low), end+100)]) {
			if hasAny(p.low[end:end+s.Start], "limit", "threshold", "exceed", "above", "ceiling", "more than") {
				break
			}
			if s.Marked {
				p.Known.add("composition.turnover",
					Value{Kind: Money, Paise: s.Paise, At: []Quote{p.around(start, end+s.End)}})
				break
			}
		}
	}
	state := p.Known.One("paper.state")
	// An earlier notice may be about a year with the old limit.
	if state == nil || p.issued.IsZero() || p.issued.ISO() < "2020-04-01" {
		return
	}
	limit := int64(1_50_00_000_00)
	if slices.Contains([]string{"05", "11", "12", "13", "14", "15", "16", "17"}, state.Text) {
		limit = 75_00_000_00
	}
	p.Known.Put("composition.limit", Value{Kind: Money, Paise: limit})
}
