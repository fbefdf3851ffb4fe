package printed

import (
	"strings"

	"munshi/orchestrator/gst"
)

// refundItem reads how much of a refund a reason denies: the only amount in the reason that is certainly money.
func (p *Paper) refundItem(s Scope) {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "refund notice" || s.to-s.from == len(p.low) {
		return
	}
	if paise, q := p.itemInList(s.Part.Para); paise > 0 {
		s.Known.Put("refund.item", Value{Kind: Money, Paise: paise, At: []Quote{q}})
		return
	}
	var found []gst.Sum
	for _, sum := range gst.Sums(p.low[s.from:s.to]) {
		if sum.Marked && sum.Paise >= 100_00 {
			found = append(found, sum)
		}
	}
	switch {
	case len(found) == 1:
		s.Known.Put("refund.item", Value{Kind: Money, Paise: found[0].Paise, At: []Quote{p.quote(s.from, s.to)}})
	default:
		if sum := p.inColumn(s.from, s.to); sum > 0 && p.columnAddsUp() {
			s.Known.Put("refund.item", Value{Kind: Money, Paise: sum, At: []Quote{p.quote(s.from, s.to)}})
		}
	}
}

// itemInList returns the amount of a reason from the form's table of reasons, "ii Mistake in refund calculation 84,000".
func (p *Paper) itemInList(number string) (int64, Quote) {
	at := strings.Index(p.low, "amount inadmissible")
	if number == "" || at < 0 {
		return 0, Quote{}
	}
	for line := range strings.Lines(p.all[at:]) {
		words := strings.Fields(lower(line))
		if len(words) > 2 && strings.Trim(words[0], "().") == strings.Trim(lower(number), "().") {
			if sums := amountsIn(words[len(words)-1:]); sums != nil && sums[0] > 0 {
				return int64(sums[0]), p.quote(at, at+len(line))
			}
			return 0, Quote{}
		}
		at += len(line)
	}
	return 0, Quote{}
}

// inColumn returns the only amount that ends a line between two offsets, as in a column of amounts. It is 0 if there
// are none or several.
func (p *Paper) inColumn(from, to int) int64 {
	var found int64
	for line := range strings.Lines(p.all[from:to]) {
		words := strings.Fields(lower(line))
		if len(words) > 1 && words[0] == "total" {
			break
		}
		if len(words) < 2 && found != 0 || len(words) == 0 || !strings.Contains(words[len(words)-1], ",") {
			continue
		}
		if sums := amountsIn(words[len(words)-1:]); sums != nil {
			if found != 0 {
				return 0
			}
			found = int64(sums[0])
		}
	}
	return found
}

// columnAddsUp reports whether the amounts of the reasons for rejecting a refund add up to a printed total.
func (p *Paper) columnAddsUp() bool {
	var sum int64
	blocks := p.blocks()
	for _, b := range blocks {
		item := p.inColumn(b.from, b.to)
		if item == 0 {
			return false
		}
		sum += item
	}
	for line := range strings.Lines(p.all) {
		if words := strings.Fields(lower(line)); len(words) > 1 && words[0] == "total" {
			if sums := amountsIn(words[len(words)-1:]); sums != nil && int64(sums[0]) == sum {
				return len(blocks) > 1
			}
		}
	}
	return false
}

// refundExtended reads, in a charge that a refund was claimed out of time, the date on which the two years are said to
// have ended. It computes when they end without the days that N.13/2022-Central Tax excludes.
func (p *Paper) refundExtended(s Scope) {
	if !p.isKind("refund notice", "refund order", "deficiency memo") {
		return
	}
	const near = 40
	if p.refundFromRelevantDate(s) {
		return
	}
	for at := s.from; ; {
		start, end, ok := p.text.find("expired on|ended on|expires on|lapsed on|was up to|up to|last date was|last date "+
			"being|till|on or before|latest by", at, s.to)
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(s.to, end+near)]) {
			if d.Day.Before(exclusion.from) {
				break
			}
			begins := d.Day.AddMonths(-24)
			if begins.Before(exclusion.from) {
				begins = exclusion.from
			}
			if begins.After(exclusion.to) {
				return
			}
			left := begins.DaysUntil(exclusion.to) + 1
			s.Known.Put("charge.two_years_longer", Value{Kind: Day, Day: d.Day.AddDays(left),
				At: []Quote{p.around(start, end+d.End)}})
			return
		}
	}
}

// refundFromRelevantDate reads the relevant date from a charge that a refund was claimed out of time, and reports
// whether it found one. It counts the two years from that date, without the days that N.13/2022-Central Tax excludes.
func (p *Paper) refundFromRelevantDate(s Scope) bool {
	const near, before = 60, 160
	start, _, ok := p.text.find("two years|2 years|54(1)|दो वर्ष", s.from, s.to)
	if !ok {
		return false
	}
	at, end, ok := p.text.find("relevant date|due date of the last return|due date of the return|due date of return|due date of "+
		"filing the return|due date of filing of return|due date of gstr|due date for the return|realisation|payment was received|payment received|received on|date of "+
		"export|let export|left india|shipped on|सुसंगत तिथि", max(s.from, start-before), s.to)
	if !ok {
		return false
	}
	days := gst.Dates(p.low[end:min(s.to, end+near)])
	if len(days) != 1 && (len(days) == 0 || days[0].Start > 30) {
		return false
	}
	relevant := days[0].Day
	last := relevant.AddMonths(24)
	if !last.After(exclusion.from) || relevant.After(exclusion.to) {
		return false
	}
	begins := relevant
	if begins.Before(exclusion.from) {
		begins = exclusion.from
	}
	s.Known.Put("charge.two_years_longer", Value{Kind: Day, Day: last.AddDays(begins.DaysUntil(exclusion.to) + 1),
		At: []Quote{p.around(at, end+days[0].End)}})
	return true
}
