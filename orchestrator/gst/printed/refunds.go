package printed

import (
	"strings"

	"munshi/orchestrator/gst/law"

	"munshi/orchestrator/gst/reckon"
)

// readFormula finds a calculation of an inverted duty refund by the formula of rule 89(5) before 5 July 2022, and
// computes how much more the present formula gives. The old formula deducts all of the tax payable; the present one
// deducts it only in the proportion of ITC on inputs to all ITC. The rows count only if the printed refund follows from
// them.
func (p *Paper) readFormula() {
	if !p.isKind("refund notice", "refund order") {
		return
	}
	var turnover, adjusted, inputs, services, payable, most int64
	var at []Quote
	from := 0
	for line := range strings.Lines(p.all) {
		low, start := lower(line), from
		from += len(line)
		words := strings.Fields(low)
		if len(words) < 3 {
			continue
		}
		sums := amountsIn(words[len(words)-1:])
		if sums == nil || sums[0] == 0 {
			continue
		}
		var value *int64
		switch {
		case strings.Contains(low, "adjusted total turnover"):
			value = &adjusted
		case strings.Contains(low, "turnover") && strings.Contains(low, "inverted"):
			value = &turnover
		case strings.Contains(low, "input service") && turnover > 0: // the working begins with the turnover
			value = &services
		case strings.Contains(low, "net itc") || strings.Contains(low, "net input tax credit"):
			value = &inputs
		case strings.Contains(low, "tax payable"):
			value = &payable
		case strings.Contains(low, "maximum refund"):
			value = &most
		}
		if value != nil && *value == 0 {
			*value = int64(sums[0])
			at = append(at, p.quote(start, start+len(line)))
		}
	}
	if turnover == 0 || adjusted == 0 || inputs == 0 || services == 0 || payable == 0 || most == 0 {
		return
	}
	gross := reckon.MulDiv(turnover, inputs, adjusted, 1)
	if !closeTo(gross-payable, most) {
		return
	}
	right := gross - reckon.MulDiv(payable, inputs, inputs+services, 1)
	p.Known.Put("refund.formula_gain", Value{Kind: Money, Paise: (right - most + 50) / 100 * 100, At: at})
}

// refundGrounds lists the grounds on which refunds are refused, each with the words that papers use for it.
var refundGrounds = [...]struct{ ground, words string }{
	{"intermediary", "intermediary|मध्यवर्ती"}, {"unjust enrichment", "unjust enrichment|incidence of tax"},
	{"limitation", "limitation|time barred|time-barred|two years|54(1)"}, {"realisation of the payment", "not realised|realisation|brc|firc"},
	{"credit of input services", "input services"}, {"ineligible credit", "ineligible|blocked credit|17(5)"},
	{"classification", "classification|hsn"},
}

// readNewGround finds a ground of a refund order that was not in its notice. The order itself must say on which grounds
// the notice was issued.
func (p *Paper) readNewGround() {
	if !p.isKind("refund order") {
		return
	}
	from, to := -1, 0
	p.each("on the ground of|on the grounds of|on the ground that|on the following ground", 0, len(p.low), func(a, b int) {
		if from < 0 && hasAny(p.low[a:b], "notice", "rfd-08") && hasAny(p.low[a:b], "issued") {
			from, to = a, b
		}
	})
	if from < 0 {
		return
	}
	for _, g := range refundGrounds {
		if _, _, named := p.find(g.words, from, to); named {
			continue
		}
		for _, c := range p.Charges {
			start, end, ok := p.find(g.words, c.from, c.to)
			if ok && len(p.Charges) > 1 && len(p.Known["order.new_ground"]) == 0 {
				p.Known.Put("order.new_ground", Value{Kind: Word, Text: g.ground, At: []Quote{p.around(start, end), p.quote(from, to)}})
			}
		}
	}
}

// readRightTax reads, from a paper on a refund of tax paid under the wrong head, when the right tax was paid. The two
// years run from that date.
func (p *Paper) readRightTax() {
	if !p.isKind("refund order", "refund notice", "deficiency memo") || !strings.Contains(p.low, "section 77") {
		return
	}
	p.each("igst of|integrated tax of|igst was|integrated tax was|cgst and sgst of", 0, len(p.low), func(from, to int) {
		low := p.low[from:to]
		days := p.daysIn(from, to)
		if len(days) != 1 || !hasAny(low, "was paid", "were paid", "stood paid", "has been paid") || hasAny(low, "not paid", "late") {
			return
		}
		right := days[0]
		if since := law.ParseDay("2021-09-24"); right.Before(since) { // the proviso to rule 89(1A)
			right = since
		}
		p.Known.day("refund.right_last", right.AddMonths(24), []Quote{p.quote(from, to)})
	})
}
