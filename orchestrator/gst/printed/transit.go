package printed

import (
	"slices"
	"strconv"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// distance matches a distance in kilometres, such as "420 km", and captures the number.
var distance = lazyregexp.New(`\b(\d{1,2},\d{3}|\d{2,4}) ?(?:km|kms|k\.m|kilomet|कि)`)

// readTransit computes, in a paper on detained goods, until when an e-way bill was valid for its distance (rule
// 138(10)). It allows one day for each two hundred kilometres since 2021, and for each hundred before, and the last day
// ends at midnight.
func (p *Paper) readTransit() {
	if !p.isKind("detention notice", "detention order", "inspection order", "confiscation notice") {
		return
	}
	p.readMostForOwner()
	if hasAny(p.low, "over dimensional", "odc", "over-dimensional", "multimodal") {
		return
	}
	generated, q := p.generated()
	if generated.IsZero() {
		return
	}
	var ways []int
	var at Quote
	for _, m := range distance.FindAllStringSubmatchIndex(p.low, -1) {
		n := number(slicesDigits(p.low[m[2]:m[3]]))
		if !slices.Contains(ways, n) {
			ways, at = append(ways, n), p.around(m[0], m[1])
		}
	}
	if len(ways) != 1 {
		return
	}
	per := 200
	if generated.ISO() < "2021-01-01" {
		per = 100
	}
	days := (ways[0] + per - 1) / per
	quotes := []Quote{q, at}
	p.Known.Put("eway.km", Value{Kind: Word, Text: strconv.Itoa(ways[0]), At: quotes})
	p.Known.Put("eway.days", Value{Kind: Count, Count: days, At: quotes})
	p.Known.day("eway.generated", generated, []Quote{q})
	p.Known.day("eway.ends", generated.AddDays(days), quotes)
	if stopped, at := p.stopped(); !stopped.IsZero() {
		p.Known.day("eway.stopped", stopped, []Quote{at})
	}
}

// slicesDigits returns the digits of a number without its commas.
func slicesDigits(s string) string {
	digits := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != ',' {
			digits = append(digits, s[i])
		}
	}
	return string(digits)
}

// generated returns the date on which an e-way bill is said to have been generated, if there is only one such date.
func (p *Paper) generated() (day law.Day, q Quote) {
	const near = 70
	for at := 0; ; {
		start, end, ok := p.find("generated|e-way bill dated|eway bill dated|e-way bill date|date of generation|ewb date|ewb dated|जनरेट|जारी ई-वे",
			at, len(p.low))
		if !ok {
			return day, q
		}
		at = end
		days := gst.Dates(p.low[end:min(len(p.low), end+near)])
		if len(days) == 0 || hasAny(p.low[end:end+days[0].Start], "valid", "expir", "intercept", "detain") ||
			hasAny(p.low[max(0, start-30):start], "after ", "fresh", "subsequent", "second", "new ") {
			continue
		}
		if !day.IsZero() && day != days[0].Day {
			return law.Day{}, q
		}
		day, q = days[0].Day, p.around(start, end+days[0].End)
	}
}

// stopped returns the last date on which the paper says that the vehicle was stopped.
func (p *Paper) stopped() (last law.Day, q Quote) {
	const near = 70
	for at := 0; ; {
		start, end, ok := p.find("intercepted|stopped|was checked|detained on|detained at|रोका|जाँच", at, len(p.low))
		if !ok {
			return last, q
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if d.Day.After(last) && (p.issued.IsZero() || !d.Day.After(p.issued)) {
				last, q = d.Day, p.around(start, end+d.End)
			}
			break
		}
	}
}

// readMostForOwner computes the penalty under section 129(1)(a), which is twice the tax, if the paper states the tax on
// the goods and demands half their value.
func (p *Paper) readMostForOwner() {
	tax, asked := p.taxOnGoods(), p.penaltyAsked()
	if tax == 0 || asked <= 2*tax || len(p.Known["goods.exempt"]) > 0 || p.issued.IsZero() || p.issued.ISO() < "2022-01-01" {
		return
	}
	at := p.Known["goods.value"]
	if len(at) == 0 {
		return
	}
	p.Known.Put("goods.twice_tax", Value{Kind: Money, Paise: 2 * tax, At: at[0].At})
	p.Known.Put("goods.over_twice", Value{Kind: Money, Paise: asked - 2*tax, At: at[0].At})
}
