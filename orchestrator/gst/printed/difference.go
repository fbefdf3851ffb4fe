package printed

import (
	"strings"
)

// readDifference reads the table of FORM GST DRC-01B or DRC-01C, which the portal makes: two rows by head and their
// difference. It checks the subtraction, and reads what else the form prints that explains the difference. In DRC-01B
// these are zero-rated supplies of Table 3.1(b), in DRC-01C imported goods, imported services and reverse charge of
// Table 4(A).
func (p *Paper) readDifference() {
	if !p.isKind("liability difference", "credit difference") {
		return
	}
	more, less := []string{"gstr-1", "gstr1", "gstr 1", "declared"}, []string{"3b", "paid"}
	if p.isKind("credit difference") {
		more, less = []string{"3b", "availed in return"}, []string{"2b", "available"}
	}
	var a, b, d line
	for _, l := range p.lines {
		label := strings.Join(l.label, " ")
		switch {
		case len(l.cells) < 3 || !l.wide || len(label) > 120:
		case len(d.cells) == 0 && hasAny(label, "difference", "excess") && len(a.cells) > 0 && len(b.cells) > 0:
			d = l
		case len(a.cells) == 0 && hasAny(label, more...):
			a = l
		case len(b.cells) == 0 && hasAny(label, less...):
			b = l
		}
	}
	if len(a.cells) < 3 || len(b.cells) != len(a.cells) || len(d.cells) != len(a.cells) {
		return
	}
	heads := len(d.cells)
	if sumOf64(d.cells[:heads-1]) == d.cells[heads-1] && sumOf64(a.cells[:heads-1]) == a.cells[heads-1] {
		heads-- // the last column is the total
	}
	at := []Quote{p.quoteLine(a), p.quoteLine(b), p.quoteLine(d)}
	left := make([]int64, heads)
	var right, printed int64
	for i := range heads {
		left[i] = max(0, a.cells[i]-b.cells[i])
		right += left[i]
		printed += d.cells[i]
	}
	p.Known.Put("difference.right", Value{Kind: Money, Paise: right, At: at})
	if printed > right {
		p.Known.Put("difference.over", Value{Kind: Money, Paise: printed - right, At: at})
	}
	explain := func(fact string, cells []int64, q Quote) {
		var sum int64
		for i := range min(heads, len(cells)) {
			part := min(left[i], cells[i])
			left[i] -= part
			sum += part
		}
		if v := p.Known.One(fact); v != nil {
			sum += v.Paise
		}
		if sum > 0 {
			p.Known.Put(fact, Value{Kind: Money, Paise: sum, At: []Quote{q, at[2]}})
		}
	}
	if p.isKind("liability difference") {
		cells, q := p.zeroRated()
		explain("difference.zero_rated", cells, q)
		return
	}
	for _, l := range p.lines {
		switch label := strings.Join(l.label, " "); {
		case len(l.cells) < 3 || len(l.cells) > heads+2:
		case hasAny(label, "import of goods"):
			explain("difference.goods", l.cells, p.quoteLine(l))
		case hasAny(label, "import of services"):
			explain("difference.services", l.cells, p.quoteLine(l))
		case hasAny(label, "reverse charge"):
			explain("difference.reverse", l.cells, p.quoteLine(l))
		}
	}
	if rest := sumOf64(left); rest > 0 && rest < right {
		p.Known.Put("difference.left", Value{Kind: Money, Paise: rest, At: at})
	}
}

// zeroRated returns the integrated tax on zero-rated supplies as the form prints it, in a row of Table 3.1 (value, then
// tax) or in words.
func (p *Paper) zeroRated() ([]int64, Quote) {
	for _, l := range p.lines {
		if hasAny(strings.Join(l.label, " "), "zero rated", "zero-rated") && len(l.cells) > 2 && l.wide {
			return l.cells[1:2], p.quoteLine(l)
		}
	}
	start, end, ok := p.find("3.1(b)|3.1 (b)|zero rated supplies|zero-rated supplies", 0, len(p.low))
	if !ok {
		return nil, Quote{}
	}
	const reach = 170
	words := p.low[end:min(len(p.low), end+reach)]
	if stop := strings.IndexByte(words, ';'); stop >= 0 {
		words = words[:stop]
	}
	for _, h := range p.headsIn(words) {
		if h.Head == "IGST" {
			return []int64{int64(h.Amount)}, p.quote(start, end+len(words))
		}
	}
	return nil, Quote{}
}
