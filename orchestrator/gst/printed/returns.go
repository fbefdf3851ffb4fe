package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// filesQuarterly reports whether a paper says that its addressee files returns quarterly, and at which offsets.
func (p *Paper) filesQuarterly() (at []int, yes bool) {
	at = gst.FilesQuarterly(p.low)
	return at, at != nil
}

// readReturnDue reads, from a paper about a return in default, the due date of that return. It also reads whether the
// paper says that this return was filed; returns for other periods do not count.
func (p *Paper) readReturnDue() {
	if !p.isKind("return default", "best judgment order") {
		return
	}
	const reach = 80
	var own []month
	if start, end, ok := p.find("tax period|return period|for the period|for the month|कर अवधि", 0, len(p.low)); ok {
		own = monthsIn(p.low[end:min(len(p.low), end+reach)])
		_, _, three := p.find("gstr-3b|gstr 3b|gstr3b", 0, len(p.low))
		if len(own) == 1 && three && p.isKind("return default") {
			day, next := 20, own[0].first.AddMonths(1)
			if _, yes := p.filesQuarterly(); yes { // after the quarter; in some States on the 24th
				day, next = 22, own[0].first.AddMonths(1+(3-int(own[0].first.Month())%3)%3)
			}
			if due, ok := law.NewDay(next.Year(), int(next.Month()), day); ok {
				p.Known.Put("return.due", Value{Kind: Day, Day: due, At: []Quote{p.around(start, end+own[0].end)}})
			}
		}
	}
	p.each("was filed|were filed|returns filed on|return filed on|was furnished on|since been filed|filed vide|filed late on", 0, len(p.low),
		func(from, to int) {
			named := monthsIn(p.low[from:to])
			other := len(named) > 0 && len(own) > 0 && !slices.ContainsFunc(named, func(m month) bool {
				return !m.first.Before(own[0].first) && !m.first.After(own[len(own)-1].first)
			})
			if !other {
				p.Known.Put("default.filed", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
			}
		})
}

// readReturnFiled reads, from a best judgment order, a return that was filed before the order. It also reads how much
// the order assesses for the month of that return.
func (p *Paper) readReturnFiled() {
	if !p.isKind("best judgment order") || p.issued.IsZero() {
		return
	}
	p.each("stands filed|has been filed|was filed|is filed|filed on|furnished on|दाखिल", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		verb, _, _ := p.find("stands filed|has been filed|was filed|is filed|filed on|furnished on|दाखिल", from, to)
		months, days := monthsIn(words), p.daysIn(verb, to)
		if !hasAny(words, "3b", "return") || len(months) != 1 || len(days) != 1 || !days[0].Before(p.issued) ||
			!days[0].After(months[0].first) || len(p.Known["return.filed"]) > 0 ||
			hasAny(words, "not filed", "not been filed", "not furnished", "invalid") {
			return
		}
		at := []Quote{p.quote(from, to)}
		p.Known.Put("return.filed", Value{Kind: Day, Day: days[0], At: at})
		p.Known.Put("return.month", Value{Kind: Word, Text: words[months[0].start:months[0].end], At: at})
		if paise, q := p.assessedFor(months[0].first); paise > 0 {
			p.Known.Put("return.assessed", Value{Kind: Money, Paise: paise, At: append(at, q)})
		}
	})
}

// assessedFor returns how much the table of an order assesses for a month. It is the last amount in the month's row,
// and the other amounts must add up to it.
func (p *Paper) assessedFor(first law.Day) (int64, Quote) {
	from := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		if months := monthsIn(low); len(months) == 1 && months[0].first == first && months[0].start < 4 {
			sums := paiseIn(low[months[0].end:])
			if n := len(sums); n > 2 && sumOf64(sums[:n-1]) == sums[n-1] {
				return sums[n-1], p.quote(from, from+len(line))
			}
		}
		from += len(line)
	}
	return 0, Quote{}
}

var otherReturn = lazyregexp.New(`\b(?:gstr-? ?[1459]|cmp-? ?08|itc-? ?04)\b`)

// readQuarterly records that a notice asks a quarterly filer for the return of a single month. It counts only a month
// that does not end a quarter.
func (p *Paper) readQuarterly() {
	if !p.isKind("return default") || len(p.Facts.Periods) != 1 || otherReturn.MatchString(p.low) || !strings.Contains(p.low, "3b") {
		return
	}
	const months = 3
	asked := p.Facts.Periods[0]
	first, last := law.ParseDay(asked.From), law.ParseDay(asked.To)
	if last.IsZero() || int(last.Month())%months == 0 || first.Month() != last.Month() || first.Year() != last.Year() {
		return
	}
	if m, yes := p.filesQuarterly(); yes {
		p.Known.Put("return.quarterly", Value{Kind: Truth, Yes: true, At: []Quote{p.around(m[0], m[1])}})
		if len(p.Known["default.last"]) == 0 {
			p.Known.day("default.last", last, p.at("periods"))
		}
	}
}
