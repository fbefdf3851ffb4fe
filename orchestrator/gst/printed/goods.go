package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"

	"munshi/orchestrator/gst"
)

// readGoods reads, in a paper on detained goods, the value of the consignment and whether the goods bear no tax.
func (p *Paper) readGoods() {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "detention notice" && k.Text != "detention order" {
		return
	}
	value, withTax, at := p.goodsValue()
	if value == 0 {
		return
	}
	p.Known.Put("goods.value", Value{Kind: Money, Paise: value, At: at})
	most := value
	if !withTax {
		most = value * 7 / 5 // no rate of tax is above 40 per cent
	}
	p.Known.Put("goods.value_most", Value{Kind: Money, Paise: most, At: at})
	start, end, ok := p.find("exempted goods|exempt goods|exempt from tax|exempt from gst|exempted from tax|nil rate "+
		"of tax|nil rate|nil rated|nil-rated|wholly exempt|not taxable|करमुक्त|कर मुक्त", 0, len(p.low))
	if !ok {
		return
	}
	p.Known.Put("goods.exempt", Value{Kind: Truth, Yes: true, At: []Quote{p.around(start, end)}})
	// Section 129(1): two per cent of the value of exempted goods, or ₹25,000 if that is less, if the owner comes
	// forward; else five per cent. If the paper does not say that the owner came forward, the higher rate is assumed,
	// in the officer's favour.
	percent := int64(5)
	if _, _, ok := p.find("owner * come forward|owner * came forward|owner * has come|129(1)(a)|स्वामी * उपस्थित", 0,
		len(p.low)); ok {
		percent = 2
	}
	if penalty := p.penaltyAsked(); penalty > 0 {
		if over := penalty - min(value*percent/100, 25_000_00); over > 0 {
			p.Known.Put("goods.exempt_excess", Value{Kind: Money, Paise: over, At: at})
		}
	}
}

// PenaltyInWords returns the penalty that a notice or order of detention asks for, as one amount without a head. It is
// nil for other papers.
func (p *Paper) PenaltyInWords() []Head {
	if !p.isKind("detention notice", "detention order") {
		return nil
	}
	if asked := p.penaltyAsked(); asked > 0 {
		return []Head{{"", Amount(asked)}}
	}
	return nil
}

// penaltyAsked returns the penalty in the table of the demand. If the table has none, it returns the only amount that
// follows the word "penalty".
func (p *Paper) penaltyAsked() int64 {
	if sum := Sum(p.DemandOf(TakesPenalty)); sum != nil {
		return int64(*sum)
	}
	var found []int64
	for at := 0; ; {
		_, end, ok := p.find("penalty|शास्ति", at, len(p.low))
		if !ok {
			break
		}
		at = end
		sums := slices.DeleteFunc(gst.Sums(p.low[end:min(len(p.low), end+60)]), func(s gst.Sum) bool { return !s.Marked })
		if len(sums) > 0 && !slices.Contains(found, sums[0].Paise) {
			found = append(found, sums[0].Paise)
		}
	}
	if len(found) != 1 {
		return 0
	}
	return found[0]
}

// goodsValue returns the largest amount that is said to be the value of the goods, and whether it includes tax.
func (p *Paper) goodsValue() (value int64, withTax bool, at []Quote) {
	const near = 110
	for from := 0; ; {
		start, end, ok := p.find("value|invoice amount|worth|मूल्य", from, len(p.low))
		if !ok {
			return value, withTax, at
		}
		from = end
		_, last := p.sentence(start)
		words := p.low[end:min(last, end+near)]
		for _, s := range gst.Sums(words) {
			if !s.Marked || s.Paise < 100_00 || strings.Contains(words[:s.Start], "penalty") ||
				strings.Contains(words[:s.Start], "tax ") && !strings.Contains(words[:s.Start], "clud") {
				break
			}
			if s.Paise > value {
				value, withTax, at = s.Paise, hasAny(p.low[start:end+s.End], "including tax", "inclusive of tax",
					"including gst", "inclusive of gst", "with tax", "कर सहित"), []Quote{p.around(start, end+s.End)}
			}
			break
		}
	}
}

// seats matches the number of seats of a vehicle, such as "17 seater" or "seating capacity of 17 persons".
var seats = lazyregexp.New(`\b(\d{1,2})[ -]?(?:seater|seats\b|seated\b)|\bseating capacity (?:of |is |being |as |for )*(\d{1,2})\b`)

// readSeats reads the number of seats of the vehicles in a charge. If they differ, it takes the lowest.
func (p *Paper) readSeats(s Scope) {
	for _, m := range seats.FindAllStringSubmatchIndex(p.low[s.from:s.to], -1) {
		at := m[2:4]
		if at[0] < 0 {
			at = m[4:6]
		}
		n := number(p.low[s.from+at[0] : s.from+at[1]])
		if v := s.Known.One("charge.seats"); v == nil || n < v.Count {
			s.Known.Put("charge.seats", Value{Kind: Count, Count: n, At: []Quote{p.around(s.from+m[0], s.from+m[1])}})
		}
	}
}
