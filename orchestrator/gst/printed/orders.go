package printed

import (
	"strings"

	"munshi/orchestrator/gst/law"
)

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

// assessedFor returns how much the order's table assesses for a month. This is the last amount of the month's row, and
// the other amounts must add up to it.
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

// readAddedInAppeal reads how much tax an order in appeal adds, from a row that adds up.
func (p *Paper) readAddedInAppeal() {
	if !p.isKind("appellate order") {
		return
	}
	from := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		if hasAny(low, "added in appeal", "tax added", "enhanced in appeal", "enhancement") {
			sums := paiseIn(low)
			if n := len(sums); n > 1 && sumOf64(sums[:n-1]) == sums[n-1] {
				p.Known.Put("appeal.added", Value{Kind: Money, Paise: sums[n-1], At: []Quote{p.quote(from, from+len(line))}})
				return
			}
		}
		from += len(line)
	}
}
