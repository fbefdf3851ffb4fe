package printed

import (
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/lazyregexp"
)

// readAddedInAppeal reads how much tax an order on an appeal adds, from a row of a table whose amounts add up.
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

// because lists words that introduce a reason.
var because = [...]string{" as ", " because", " since ", " for the reason", "inasmuch", " in view of", " whereas", "क्योंकि", " चूँकि", " चूंकि",
	" hence ", " therefore", " being ", " due to "}

// readBare records that an order rejects a reply in a sentence that gives no reason.
func (p *Paper) readBare() {
	p.each("not satisfactory|not found satisfactory|unsatisfactory|not acceptable|not accepted|not tenable|devoid of merit|no merit|without merit|"+
		"not convincing|संतोषजनक नहीं|स्वीकार नहीं", 0, len(p.low), func(from, to int) {
		if !hasAny(p.low[from:to], because[:]...) {
			p.Known.Put("order.bare", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
}

// readRectified reads, from a rectified order, the date of the original order. It computes the last date for a
// rectification, six months from that date (section 161).
func (p *Paper) readRectified() {
	const reach, months, top = 90, 6, 2500
	if !p.isKind("rectified order") {
		return
	}
	for at := 0; len(p.Known["rectification.six"]) == 0; {
		start, end, ok := p.find("original order|order dated|order referred to|order under rectification|मूल आदेश", at, min(len(p.low), top))
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[start:min(len(p.low), start+reach)]) {
			if len(p.Known["rectification.six"]) == 0 && d.Day.Before(p.lastDay()) {
				q := []Quote{p.quote(start, start+d.End)}
				p.Known.Put("original.day", Value{Kind: Day, Day: d.Day, At: q})
				p.Known.Put("rectification.six", Value{Kind: Day, Day: d.Day.AddMonths(months), At: q})
			}
		}
	}
}

var (
	appealNumber = lazyregexp.New(`\bappeal (?:no|number|ref)[^\n]{0,60}?\b(?:filed|presented|preferred) on\b`)
	sentToOwner  = lazyregexp.New(`\border\b[^\n.]{0,60}\b(?:made available|sent by e-?mail|e-?mailed|served|handed over)\b`)
	// borneOut matches words by which the paper confirms a date that the appellant gives, such as "records bear this
	// out". countedBefore matches words that say that the delay was counted from the date of the order.
	borneOut      = lazyregexp.New(`\b(?:records?|ward|portal|register)\b[^.]{0,40}\b(?:bears? (?:this|it)? ?out|bears? out|shows?|confirms?)\b|not (?:in dispute|disputed)`)
	countedBefore = lazyregexp.New(`\b(?:counted|reckoned|computed|calculated|counting|taken) from the date of (?:the )?(?:impugned )?order\b`)
)

// readAppealDays reads the dates in the list of particulars of an order on an appeal. It also reads whether the order
// counts the delay from the date of the order appealed against.
func (p *Paper) readAppealDays() {
	if !p.isKind("appellate order") {
		return
	}
	const near = 40
	if m := appealNumber.FindStringIndex(p.low); m != nil && len(p.Known["appeal.filed"]) == 0 {
		if days := p.daysIn(m[1], min(len(p.low), m[1]+near)); len(days) == 1 {
			p.Known.day("appeal.filed", days[0], []Quote{p.around(m[0], m[1])})
		}
	}
	if m := sentToOwner.FindStringIndex(p.low); m != nil && len(p.Known["appeal.condonable"]) == 0 {
		from, to := p.sentence(m[0])
		days := p.daysIn(m[0], to)
		if len(days) == 1 && borneOut.MatchString(p.low[from:to]) {
			at := []Quote{p.quote(from, to)}
			p.Known.day("appeal.in_three", days[0].AddMonths(3), at)
			p.Known.day("appeal.condonable", days[0].AddMonths(4), at)
		}
	}
	if m := countedBefore.FindStringIndex(p.low); m != nil {
		p.Known.Put("appeal.overlooked", Value{Kind: Truth, Yes: true, At: []Quote{p.around(m[0], m[1])}})
	}
}
