package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// readDetention reads the penalty from a notice detaining goods; the tax on the goods and their value are not demanded.
// Every total, column or sentence that calls an amount a penalty is a vote for it, and the amount with the most votes
// is the demand.
func (r *reading) readDetention() {
	d := r.doc
	votes := map[int64]int{}
	at := map[int64]span{}
	vote := func(paise int64, s span, n int) {
		if paise > 0 {
			if votes[paise] += n; at[paise].end == 0 {
				at[paise] = s
			}
		}
	}
	for _, m := range totalPenalty.FindAllStringIndex(d.low[:r.extent()], 8) {
		if a, ok := parseAmount(d.low, m[1]); ok && a.marked {
			vote(a.paise, span{m[0], a.end}, 4)
		}
	}
	if len(votes) == 0 && taxToo.MatchString(d.low[:r.extent()]) {
		r.consider("demand", r.sums(r.claims))
		if i := slices.IndexFunc(r.claims, func(c *claim) bool { return c.headed() && c.of(penalty) > 0 }); i >= 0 {
			r.settleDemand(r.claims[i])
		}
		r.offerDemand()
		return
	}
	var named []mention
	for _, m := range r.mentions(span{d.begin, r.extent()}, tax) {
		before := d.lowIn(min(max(d.sentence(m.start).start, m.start-160), max(0, m.start-60)), m.start)
		goesOn := len(named) > 0 && m.start-named[len(named)-1].end < 24
		if m.paid || m.kind != penalty && !penaltyWord.MatchString(before) && !goesOn {
			continue
		}
		named = append(named, m)
		if m.kind == penalty && m.head == "" {
			vote(m.paise, m.span, 2)
		}
	}
	split := newClaim() // by heads
	for _, m := range named {
		if m.head != "" && m.kind != interest && m.kind != fee {
			if cells := split.cell(m.head); cells[penalty] == 0 || m.kind == penalty {
				cells[penalty] = m.paise
			}
		}
	}
	grids := r.claims
	for _, c := range grids {
		if !c.headed() {
			continue
		}
		sum := c.of(penalty)
		vote(sum, c.span, 2)
		if c.printed != sum && c.kinds == 1 && c.of(tax) == 0 {
			vote(c.printed, c.span, 1)
		}
	}
	vote(split.of(penalty), at[split.of(penalty)], 2)
	for _, m := range named {
		if m.head == "" && within(m.paise, split.of(penalty)) {
			vote(m.paise, m.span, 2)
		}
	}
	if words, paise := r.sumInWords(); paise > 0 {
		vote(paise, words, 3)
	}
	best, tied := int64(0), false
	for paise, n := range votes {
		switch {
		case n > votes[best]:
			best, tied = paise, false
		case n == votes[best]:
			tied = true
		}
	}
	r.consider("demand", r.sums(r.claims))
	if best == 0 || tied {
		r.offerDemand()
		return
	}
	c := newClaim()
	c.span, c.printed, c.proven = at[best], best, true
	if c.end == 0 && len(named) > 0 {
		c.span = named[0].span
	}
	for _, of := range append([]*claim{split}, grids...) {
		if !within(of.of(penalty), best) || !of.headed() {
			continue
		}
		if rated := r.ratedHead(); rated != "" && rated != of.heads[0] && len(of.heads) == 1 && of.grid && !of.proven &&
			d.isRecognised(of.start) {
			continue // the other amounts on its line are lost
		}
		for _, head := range of.heads {
			if p := of.cells[head][penalty]; head != "" && p != 0 {
				c.cell(head)[penalty] = p
			}
		}
		break
	}
	if head := r.onlyHead(named, best); len(c.heads) == 0 && head != "" {
		c.cell(head)[penalty] = best
	}
	r.settleDemand(c)
	r.offerDemand()
}

// onlyHead returns the single head of tax that is named directly with an amount, as in "Rs. 3,45,600/- (IGST)", or by
// all columns of tax.
func (r *reading) onlyHead(named []mention, paise int64) string {
	for _, m := range named {
		if m.head != "" && within(m.paise, paise) {
			return m.head
		}
	}
	head := ""
	for _, m := range named {
		if within(m.paise, paise) && m.head == "" {
			if at := linkedHead.FindStringSubmatch(r.doc.lowIn(m.end, m.end+40)); at != nil {
				return taxHead(at[1])
			}
		}
	}
	if head := r.ratedHead(); head != "" {
		return head
	}
	for _, c := range r.claims {
		for word := range strings.FieldsSeq(c.low + " " + r.doc.lowIn(c.start, c.end)) {
			if h := taxHead(strings.Trim(word, ".,:;()")); h != "" && head != "" && h != head {
				return ""
			} else if h != "" {
				head = h
			}
		}
	}
	return head
}

// ratedHead returns the only head of tax for which the paper names a rate on the goods.
func (r *reading) ratedHead() string {
	head := ""
	for _, m := range headWithRate.FindAllStringSubmatch(r.doc.low[:r.extent()], 20) {
		if h := taxHead(m[1]); h != "" && head != "" && h != head {
			return ""
		} else if h != "" {
			head = h
		}
	}
	return head
}

// headWithRate matches a head of tax with its rate on the goods, such as "(IGST 18%)" or "IGST @ 18 per cent", and
// captures the head.
var headWithRate = lazyregexp.New(`\b([iscu]t?gst)\b ?(?:@|at|:)? ?(?:the rate of )?[0-9]{1,2}(?:\.[0-9]+)? ?(?:%|per ?cent)`)

var totalPenalty = lazyregexp.New(`\btotal (?:amount of )?penalty(?: (?:payable|proposed|leviable|imposable))?(?: (?:is|of|comes to|works out to))? ?[:=-]* ?`)
