package printed

import (
	"strings"

	"munshi/orchestrator/gst/reckon"
)

// readFormula finds a calculation of an inverted duty refund by the formula of rule 89(5) before 5 July 2022, and works
// out how much more the present formula gives. The old formula deducts all of the tax payable; the present one deducts
// it only in the proportion of ITC on inputs to all ITC. The rows count only if the printed refund follows from them.
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
