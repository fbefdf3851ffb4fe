package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
)

// taxOf returns the tax that a charge claims by head, from the facts.
func taxOf(para gst.Paragraph) []Head {
	var heads []Head
	for _, a := range para.Amounts {
		if a.Tax == 0 {
			continue
		}
		i := slices.IndexFunc(heads, func(h Head) bool { return h.Head == a.Head })
		if i < 0 {
			heads = append(heads, Head{Head: a.Head})
			i = len(heads) - 1
		}
		heads[i].Amount += paiseOf(a.Tax)
	}
	return heads
}

// amountsOf returns the tax of a charge by head. It looks first at tables that list the charges, then at the facts, and
// then at the charge's own words and tables. A charge that is the whole paper has the tax of the demand.
func (p *Paper) amountsOf(c block) []Head {
	number := c.number
	if words := strings.Fields(number); len(words) > 1 { // "Matter II"
		number = words[len(words)-1]
	}
	for _, table := range []func(string) []Head{p.headsInList, p.headsByPoint, p.listedColumns} {
		if heads := evenly(table(number)); heads != nil {
			return heads
		}
	}
	switch {
	case c.amounts != nil && !p.isWhole(c) && evenly(p.credible(c.amounts)) != nil:
		return c.amounts
	case c.amounts != nil:
		c.to = p.beforeTable(c)
	}
	if c.from == 0 && c.to == len(p.low) {
		if len(p.Facts.Issues) > 1 || p.count("and whereas", 0, len(p.low)) > 1 {
			return nil
		}
		// what an order on an appeal adds was not part of the charge
		if added, tax := p.Known.One("appeal.added"), Sum(p.DemandOf(TakesTax)); added != nil && tax != nil && int64(*tax) > added.Paise {
			return []Head{{"", *tax - Amount(added.Paise)}}
		}
		return p.DemandOf(TakesTax)
	}
	if heads := p.headsInRow(c); heads != nil {
		return evenly(heads)
	}
	if heads := p.headsInWords(c); heads != nil {
		return evenly(heads)
	}
	if before := p.beforeTable(c); before < c.to { // the table of the demand may follow the last charge
		c.to = before
		if heads := p.headsInWords(c); heads != nil {
			return evenly(heads)
		}
	}
	if heads := p.sumInWords(c); heads != nil {
		return heads
	}
	if p.IsOneCharge() {
		return p.DemandOf(TakesTax)
	}
	return nil
}

// IsOneCharge reports whether all paragraphs of a paper concern the same matter, such as the receipt of goods and the
// status of their suppliers. Then at most one of them names a tax, and that tax is the whole demand.
func (p *Paper) IsOneCharge() bool {
	whole := 0
	charges := p.Facts.Charges()
	for _, c := range charges {
		switch heads := taxOf(c); {
		case heads == nil:
		case slices.Equal(heads, p.DemandOf(TakesTax)):
			whole++
		default:
			return false
		}
	}
	return whole == 1 && len(charges) > 1 &&
		slices.Equal(slices.DeleteFunc(slices.Clone(p.Facts.Issues), func(issue string) bool {
			return issue == "section_74_fraud" || issue == "interest_s50"
		}), []string{"fake_invoice_nongenuine"})
}

// headsInList reads the row of a charge in a table that lists the charges by number, "2 Excess ITC 97,120 97,120
// 15,500", below the names of the heads. The rows must add up to the printed total.
func (p *Paper) headsInList(number string) []Head {
	var names []string
	rows := map[string][]Amount{}
	var added []Amount
	columns := 0 // the number of heads, and one more if there is a total
	for line := range strings.Lines(p.all) {
		line = lower(line)
		if found := headNames(line); len(found) > 1 && len(gst.Sums(line)) == 0 {
			names, rows, added, columns = found, map[string][]Amount{}, make([]Amount, len(found)), len(found)
			if strings.Contains(line, " total") {
				columns++
			}
			continue
		}
		words := strings.Fields(line)
		if names == nil || len(words) <= columns {
			continue
		}
		sums := amountsIn(words[len(words)-columns:])
		if slices.ContainsFunc(words[:len(words)-columns], func(w string) bool { return documentNumber(w) != "" }) {
			names = nil // a list of documents, whose first is not the first charge
			continue
		}
		if columns > len(names) && sums != nil {
			if sumAll(sums[:len(names)]) != sums[len(names)] {
				sums = nil
			} else {
				sums = sums[:len(names)]
			}
		}
		switch {
		case sums == nil:
		case words[0] == "total" || words[0] == "grand" || len(rows) > 1 && slices.Equal(sums, added):
			if slices.Equal(sums, added) && len(rows) > 1 {
				if own := rowsNumbered(rows, number); own != nil {
					return headsOf(names, own)
				}
			}
			names = nil
		default:
			key := strings.TrimRight(words[0], ".)")
			rows[key] = addTo(rows[key], sums) // a charge may have a row for each year
			added = addTo(added, sums)
		}
	}
	return nil
}

// amountsIn parses words that are amounts without a currency sign. It returns nil if one of them is not.
func amountsIn(words []string) []Amount {
	var all []Amount
	for _, word := range words {
		word = strings.TrimRight(word, "!°*'|") // remains of the grid after recognition
		sums := gst.Sums(word)
		if word == "0" || word == "0.00" || word == "-" || word == "nil" {
			all = append(all, 0)
			continue
		}
		if len(sums) != 1 || sums[0].Start != 0 || sums[0].End != len(word) {
			return nil
		}
		all = append(all, Amount(sums[0].Paise))
	}
	return all
}

func headsOf(names []string, sums []Amount) []Head {
	var heads []Head
	for i, name := range names {
		if sums[i] > 0 {
			heads = append(heads, Head{name, sums[i]})
		}
	}
	return heads
}

// isWhole reports whether the tax read for a charge is the whole demand although there are other charges. Then it was
// read from the table of the demand after the charge, and is not the tax of the charge.
func (p *Paper) isWhole(c block) bool {
	if len(p.Facts.Charges()) < 2 {
		return false
	}
	return slices.Equal(c.amounts, p.DemandOf(TakesTax))
}

// beforeTable returns the offset at which a table of heads of tax begins in a charge. It returns the end of the charge
// if there is no such table.
func (p *Paper) beforeTable(c block) int {
	at := c.from
	for line := range strings.Lines(p.all[c.from:c.to]) {
		if words := strings.Fields(lower(line)); at > c.from && len(words) > 1 &&
			(gst.TaxHead(words[0]) != "" || len(headNames(lower(line))) > 1 && len(gst.Sums(line)) == 0 ||
				slices.Contains([]string{"act", "head", "heads"}, words[0])) {
			return at
		}
		at += len(line)
	}
	return c.to
}

// evenly returns the heads unchanged, or nil if central and State tax differ: for the same supply they are always
// equal, so one of them was misread.
func evenly(heads []Head) []Head {
	var central, state Amount
	for _, h := range heads {
		switch h.Head {
		case "CGST":
			central = h.Amount
		case "SGST", "UTGST":
			state = h.Amount
		}
	}
	if difference := central - state; difference > 100 || difference < -100 {
		return nil
	}
	return heads
}

// sumInWords reads the amount of a charge from its sentences: from "Credit of Rs. 1,33,000 …" if the charge names no
// other amount, or from "… tax at 12% = Rs. 56,000" after other amounts.
func (p *Paper) sumInWords(c block) []Head {
	words := p.low[c.from:min(c.to, c.from+600)]
	if end := strings.Index(words, "demand "); end > 0 {
		words = words[:end]
	}
	var found []gst.Sum
	for _, s := range gst.Sums(words) {
		if s.Marked && s.Paise > 0 {
			if rest := words[s.End:]; len(rest) > 1 && (rest[0] == ',' || rest[0] == '.') && rest[1] >= '0' &&
				rest[1] <= '9' {
				return nil // the number continues
			}
			found = append(found, s)
		}
	}
	tax := Sum(p.DemandOf(TakesTax))
	if tax == nil && p.Facts.Demand != nil || len(found) == 0 {
		return nil
	}
	last := found[len(found)-1]
	before := words[max(0, last.Start-40):last.Start]
	isTax := hasAny(before[max(0, len(before)-25):], "tax at", "tax thereon", "tax of", "tax =", "tax is",
		"tax comes to", "tax works out") || strings.HasSuffix(strings.TrimRight(before, " =:-"), "%") && !hasAny(before, "interest", "penalty")
	isCredit := len(found) == 1 && hasAny(before, "credit of", "itc of", "credit amounting", "itc amounting",
		"credit worth") || len(found) == 1 && hasAny(words, "credit", "itc") && hasAny(words, "disallow", "inadmiss", "ineligible", "denied",
		"not admissible", "blocked", "not available", "is barred", "to be reversed")
	if tax != nil && Amount(last.Paise) > *tax || !isTax && !isCredit {
		return nil
	}
	return []Head{{"", Amount(last.Paise)}}
}

// headsInWords reads the amounts of a charge by head from its sentences, such as "CGST Rs. 96,385 and SGST Rs. 96,385".
// A head with two different amounts is uncertain; then it returns nil.
func (p *Paper) headsInWords(c block) []Head {
	words := p.low[c.from:c.to]
	if heads := p.headsIn(words); heads != nil {
		return heads
	}
	at := -1
	for _, w := range comesTo {
		if i := strings.LastIndex(words, w); i > at {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return p.headsIn(words[at:])
}

func (p *Paper) headsIn(words string) []Head {
	var heads []Head
	counts := map[string]int{}
	for _, s := range gst.Sums(words) {
		before := strings.Fields(words[max(0, s.Start-40):s.Start])
		if s.Paise == 0 || !s.Marked && !isNamed(before, words[s.Start:s.End]) {
			continue
		}
		head := ""
		for i := len(before) - 1; i >= max(0, len(before)-3); i-- {
			if head = gst.TaxHead(before[i]); head != "" {
				break
			}
			if strings.ContainsAny(before[i], "0123456789.;") && before[i] != "rs." && before[i] != "रु." {
				break
			}
		}
		if head == "" {
			continue
		}
		i := slices.IndexFunc(heads, func(h Head) bool { return h.Head == head })
		switch {
		case i < 0:
			heads = append(heads, Head{head, Amount(s.Paise)})
			counts[head] = 1
		case heads[i].Amount != Amount(s.Paise) && p.yearsIn(words) > counts[head]: // "… in 2022-23 and … in 2023-24"
			heads[i].Amount += Amount(s.Paise)
			counts[head]++
		case heads[i].Amount != Amount(s.Paise):
			return nil
		}
	}
	return p.credible(heads)
}

// isNamed reports whether a number without a rupee sign follows a head directly and is written as an amount, "IGST
// 42,300.00".
func isNamed(before []string, number string) bool {
	return len(before) > 0 && gst.TaxHead(before[len(before)-1]) != "" && strings.ContainsAny(number, ",.")
}

// headsInRow reads the amounts of a charge by head from a row such as "Difference 2,18,460 1,46,915 1,46,915 5,12,290"
// below the names of the heads.
func (p *Paper) headsInRow(c block) []Head {
	var names []string
	lines := strings.Split(p.all[c.from:c.to], "\n")
	for _, wanted := range differences {
		names = nil
		for _, line := range lines {
			low := lower(line)
			found := headNames(low)
			if len(found) > 1 && len(gst.Sums(low)) == 0 {
				names = found
				continue
			}
			if !strings.HasPrefix(strings.TrimLeft(low, "*# "), wanted) || len(names) == 0 {
				continue
			}
			var sums []Amount
			for _, s := range gst.Sums(low) {
				sums = append(sums, Amount(s.Paise))
			}
			if n := len(names); len(sums) == n+1 && sumAll(sums[:n]) == sums[n] || len(sums) == n {
				return p.credible(headsOf(names, sums[:n]))
			}
		}
	}
	return nil
}

func headNames(low string) []string {
	var names []string
	for _, w := range strings.Fields(low) {
		if h := gst.TaxHead(w); h != "" && !slices.Contains(names, h) {
			names = append(names, h)
		}
	}
	return names
}

// credible returns the heads unchanged, or nil if the amount under one of them exceeds the whole demand under that
// head.
func (p *Paper) credible(heads []Head) []Head {
	if p.Facts.Demand == nil {
		return heads
	}
	for _, h := range heads {
		i := slices.IndexFunc(p.Facts.Demand.Rows, func(r gst.DemandRow) bool { return r.Head == h.Head })
		if i < 0 || h.Amount > paiseOf(p.Facts.Demand.Rows[i].Tax) {
			return nil
		}
	}
	return heads
}
