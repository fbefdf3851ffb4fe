package printed

import (
	"strings"

	"munshi/orchestrator/gst"
)

// readHeadsTogether adds up, in a charge that compares credit with a statement head by head, the credit taken and the
// credit in the statement. It does so only if one head has too much credit and another too little, because then the
// heads can be set off against each other.
func (p *Paper) readHeadsTogether(s Scope) {
	if _, _, ok := p.find("2a|2b|2ए|2बी", 0, len(p.low)); !ok {
		return
	}
	var claimed, statement, excess int64
	var at []Quote
	heads, short := map[string]bool{}, false
	add := func(head string, c, st int64, q Quote) {
		if heads[head] {
			return
		}
		heads[head] = true
		claimed, statement = claimed+c, statement+st
		excess += max(0, c-st)
		short = short || st > c
		at = append(at, q)
	}
	var three line
	for _, l := range p.linesIn(s.from, s.to) {
		if len(l.label) == 0 || !l.wide {
			continue
		}
		label := p.low[l.from : l.from+min(l.to-l.from, 60)]
		switch head := gst.TaxHead(l.label[0]); {
		case head != "" && len(l.cells) == 3 && (l.cells[0]-l.cells[1] == l.cells[2] || l.cells[0] < l.cells[1]):
			add(head, l.cells[0], l.cells[1], p.quoteLine(l)) // taken, stated, difference
		case hasAny(label, "3b") && len(l.cells) > 1:
			three = l
		case hasAny(label, "2a", "2b") && len(l.cells) == len(three.cells) && len(l.cells) > 1:
			for i, head := range []string{"a", "b", "c"}[:min(3, len(l.cells))] {
				add(head, three.cells[i], l.cells[i], p.quoteLine(l))
			}
		}
	}
	if len(heads) < 2 {
		heads, claimed, statement, excess, at, short = map[string]bool{}, 0, 0, 0, nil, false
		p.headsAgainst(s, add)
	}
	if len(heads) < 2 || excess == 0 || !short {
		return
	}
	s.Known.Put("heads.claimed", Value{Kind: Money, Paise: claimed, At: at})
	s.Known.Put("heads.statement", Value{Kind: Money, Paise: statement, At: at})
	s.Known.Put("heads.excess", Value{Kind: Money, Paise: excess, At: at})
}

// headsAgainst calls add for each head in sentences such as "IGST claimed Rs. 4,00,000 against GSTR-2B Rs. 3,00,000;
// CGST and SGST claimed Rs. 2,50,000 each against Rs. 3,00,000 each".
func (p *Paper) headsAgainst(s Scope, add func(head string, claimed, statement int64, q Quote)) {
	const reach = 90
	words := p.low[s.from:s.to]
	sums := gst.Sums(words)
	for i := 0; i+1 < len(sums); i++ {
		a, b := sums[i], sums[i+1]
		if !a.Marked || !b.Marked || b.Start-a.End > reach || !hasAny(words[a.End:b.Start], "against", "as per gstr-2", "in gstr-2", "whereas", "only") {
			continue
		}
		before := words[max(0, a.Start-40):a.Start]
		q := p.quote(s.from+max(0, a.Start-40), s.from+b.End)
		for _, head := range headNames(before) {
			add(head, a.Paise, b.Paise, q)
		}
		i++
	}
}

// headsByPoint reads the tax in a charge from a table with a row for each head of each charge, "A CGST 24,600 15,456".
// All rows together must add up to the demand.
func (p *Paper) headsByPoint(number string) []Head {
	if number == "" {
		return nil
	}
	found := map[string][]Head{}
	var sum Amount
	for line := range strings.Lines(p.all) {
		words := strings.Fields(lower(line))
		if len(words) < 3 || len(words[0]) > 5 {
			continue
		}
		head := gst.TaxHead(words[1])
		sums := amountsIn(words[2:3])
		if head == "" || sums == nil || sums[0] == 0 || len(gst.Sums(words[0])) > 0 && !strings.HasSuffix(words[0], ".") && len(words[0]) > 2 {
			continue
		}
		key := strings.Trim(words[0], ".():")
		found[key] = append(found[key], Head{head, sums[0]})
		sum += sums[0]
	}
	tax := Sum(p.DemandOf(TakesTax))
	if tax == nil || sum != *tax || len(found) < 2 {
		return nil
	}
	return found[strings.Trim(lower(number), ".():")]
}

// listedColumns reads the tax in a charge from a table of all charges that has a column for each head of tax and of
// interest, "Matter Tax CGST Tax SGST Interest CGST Interest SGST Total". Each row must add up to its total, and the
// taxes to the demand.
func (p *Paper) listedColumns(number string) []Head {
	tax := Sum(p.DemandOf(TakesTax))
	if number == "" || tax == nil {
		return nil
	}
	var names []string
	columns := 0
	found := map[string][]Head{}
	var sum Amount
	for line := range strings.Lines(p.all) {
		low := lower(line)
		words := strings.Fields(low)
		if heads := headNames(low); len(heads) > 1 && len(gst.Sums(low)) == 0 && strings.Contains(low, "tax") && strings.Contains(low, "interest") {
			n := 0
			for _, w := range words {
				if gst.TaxHead(w) != "" {
					n++
				}
			}
			if n == 2*len(heads) && strings.Contains(low, "total") && strings.Index(low, "tax") < strings.Index(low, "interest") {
				names, columns = heads, n+1
			}
			continue
		}
		if names == nil || len(words) <= columns {
			continue
		}
		sums := amountsIn(words[len(words)-columns:])
		if sums == nil || sumAll(sums[:columns-1]) != sums[columns-1] || words[0] == "total" || words[0] == "grand" {
			continue
		}
		key := strings.Trim(words[len(words)-columns-1], ".():")
		found[key] = headsOf(names, sums[:len(names)])
		sum += sumAll(sums[:len(names)])
	}
	if sum != *tax || len(found) < 2 {
		return nil
	}
	return found[strings.Trim(lower(number), ".():")]
}
