package gst

import (
	"slices"

	"munshi/orchestrator/gst/lazyregexp"
)

// sumInWords returns the sum that a paper with a demand writes in words: the only one, or the one that the others add
// up to.
func (r *reading) sumInWords() (at span, paise int64) {
	d := r.doc
	if !r.facts.claims() && (r.form == nil || r.form.Kind != "order") {
		return span{}, 0
	}
	all, sum := map[int64]span{}, int64(0)
	for _, m := range inRupees.FindAllStringIndex(d.low[:r.extent()], mostStated) {
		written := d.inWords(m[0])
		before := d.lowIn(max(d.sentence(m[0]).start, m[0]-200), m[0])
		if written < 1000_00 || notDemanded.MatchString(before) ||
			!closeToAll.MatchString(before) && !asTotal.MatchString(d.lowIn(m[0], m[0]+200)) {
			continue
		}
		if _, known := all[written]; !known {
			all[written] = span{m[0], m[1]}
			sum += written
			if written > paise {
				paise, at = written, all[written]
			}
		}
	}
	if len(all) > 1 && !within(sum, 2*paise) {
		return span{}, 0
	}
	return at, paise
}

// asTotal matches words after a sum in words that make it the total.
var asTotal = lazyregexp.New(`^[a-z -]{10,150}\b(?:in all|in total|altogether)\b`)

// notDemanded matches words near sums that are not demanded.
var notDemanded = lazyregexp.New(`\bpaid\b|\bpayments? (?:of|made)|deposit|turnover|\bvalue|refund|\bbond|security|guarantee|balance|revers|received|जमा`)

// statedTotals returns the amounts that sentences call a total, or for which they ask why they should not be
// recovered.
func (r *reading) statedTotals() []mention {
	d := r.doc
	var all []mention
	for _, m := range r.mentions(span{0, r.extent()}, tax) {
		if m.paid {
			continue
		}
		if m.total || m.head == "" && asked.MatchString(d.lowIn(m.end, m.end+160)) || d.inWords(m.end) == m.paise {
			all = append(all, m)
		}
	}
	return all
}

var asked = lazyregexp.New(`^[^.;]{0,140}(?:should not be (?:demanded|recovered|determined|confirmed|paid)|shall not be|with (?:applicable )?interest|in all\b|taken together|क्यों न)`)

// claimsInProse returns the claims of single paragraphs that give amounts under heads, and of successive paragraphs
// that together state one demand, each giving one item or one head of it.
func (r *reading) claimsInProse() []*claim {
	var claims []*claim
	var run []span
	close := func() {
		if len(run) > 1 {
			if c := r.claimOfRun(span{run[0].start, run[len(run)-1].end}, len(run)); c != nil {
				for _, part := range claims {
					if part.start >= c.start && part.end <= c.end && !within(part.amount(), c.amount()) {
						part.weigh(-6, "one part of several items")
					}
				}
				claims = append(claims, c)
			}
		}
		run = nil
	}
	gap := 0
	for _, b := range r.proseBlocks() {
		if b.end-b.start > 3000 || r.inOneOfSeveral(b.start) {
			close()
			continue
		}
		all := r.mentions(b, tax)
		if !slices.ContainsFunc(all, func(m mention) bool {
			return !m.paid && (m.head != "" || m.total || m.kind != tax)
		}) {
			if gap++; gap > 1 {
				close()
			}
			continue
		}
		gap = 0
		run = append(run, b)
		if c := r.claimOfBlock(b, all); c != nil {
			claims = append(claims, c)
		}
	}
	close()
	return claims
}

// inOneOfSeveral reports whether an offset is in the text of one of several charges.
func (r *reading) inOneOfSeveral(at int) bool {
	n := r.chargeAt(at)
	return n >= 0 && len(r.charged()) > 1 && at < r.charges[n].said
}

// claimOfBlock reads the claim of one paragraph.
func (r *reading) claimOfBlock(b span, all []mention) *claim {
	d := r.doc
	c, sure := sumUp(all)
	if !sure || !c.headed() {
		return nil
	}
	if shouldNot.MatchString(d.low[b.start:b.end]) {
		c.addHeadless(all)
	}
	c.sumAmong(all)
	if c.proven = c.printed != 0 && within(c.printed, c.sum()) && len(c.heads) > 1; c.isHalf() {
		return nil
	}
	switch {
	case c.printed != 0 && within(c.printed, c.sum()):
		c.weigh(4, "its own total")
	case c.printed > c.sum():
		c.weigh(-4, "part of what it names was not read")
		c.printed = 0
	default:
		c.printed = 0
	}
	if low := d.low[b.start:b.end]; demandWords.MatchString(low) {
		c.weigh(2, "a paragraph of what is due")
		if asked.MatchString(d.lowIn(c.end, c.end+160)) || shouldNot.MatchString(low) {
			c.weigh(2, "what is asked for")
		}
	} else if asked.MatchString(d.lowIn(c.end, c.end+160)) {
		c.weigh(2, "what is asked for")
	}
	c.kinds = 0
	return c
}

// sumAmong sets the printed total: the amount in the sentences that equals the sum of those under heads, or a larger
// one of which they are part.
func (c *claim) sumAmong(all []mention) {
	sum, largest := c.sum(), int64(0)
	for _, m := range all {
		if m.head != "" || m.paid || m.kind != tax && !m.total {
			continue
		}
		if within(m.paise, sum) {
			c.printed = m.paise
			return
		}
		if m.total {
			largest = max(largest, m.paise)
		}
	}
	if largest > sum {
		c.printed = largest
	}
}

// addHeadless adds the interest, penalty or fee for which a paragraph names no head to the only head that has tax, or
// one half each to Central and State tax of the same amount.
func (c *claim) addHeadless(all []mention) {
	var heads []string
	for _, head := range HeadNames {
		if slices.Contains(c.heads, head) && c.cell(head)[tax] > 0 {
			heads = append(heads, head)
		}
	}
	alike := len(heads) == 2 && heads[0] == "CGST" && heads[1] == "SGST" && c.cell("CGST")[tax] == c.cell("SGST")[tax]
	if len(heads) != 1 && !alike {
		return
	}
	for _, k := range []kind{interest, penalty, fee} {
		paise := int64(0)
		for _, m := range all {
			if m.kind != k || m.paid || m.total {
				continue
			}
			if m.head != "" || paise != 0 && paise != m.paise {
				paise = 0
				break
			}
			paise = m.paise
		}
		for _, head := range heads {
			c.cell(head)[k] += paise / int64(len(heads))
		}
	}
}

// claimOfRun reads several paragraphs as one claim: each names other heads or kinds, or a total of all.
func (r *reading) claimOfRun(s span, n int) *claim {
	d := r.doc
	all := r.mentions(s, tax)
	c, sure := sumUp(all)
	if !sure || !c.headed() {
		return nil
	}
	c.sumAmong(all)
	if c.proven = c.printed != 0 && within(c.printed, c.sum()); c.isHalf() {
		return nil
	}
	if c.proven {
		c.weigh(6, "their own total")
	} else if c.printed > c.sum() {
		return nil // part of it was not read
	} else {
		c.printed = 0
	}
	low := d.lowIn(max(0, s.start-200), s.end)
	if demandWords.MatchString(low) {
		c.weigh(2, "paragraphs of what is due")
	}
	if shouldNot.MatchString(low) || asked.MatchString(d.lowIn(s.end, s.end+160)) {
		c.weigh(2, "what is asked for")
	}
	c.kinds = 0
	for k := interest; k < total; k++ {
		if c.of(k) > 0 {
			c.weigh(2, "more than tax")
			break
		}
	}
	return c
}

// proseBlocks splits the text outside tables into paragraphs and items.
func (r *reading) proseBlocks() []span {
	d := r.doc
	var blocks []span
	open := false
	for i, l := range d.lines {
		if l.start >= r.extent() {
			break
		}
		if r.inTable(l.start) {
			open = false
			continue
		}
		if !open || l.first && !isContinued(d, i) || startsItem(d.text[l.start:l.end]) {
			blocks = append(blocks, l.span)
			open = true
			continue
		}
		blocks[len(blocks)-1].end = l.end
	}
	return blocks
}

var shouldNot = lazyregexp.New(`should not be (?:demanded|recovered|determined|confirmed)|shall not be (?:demanded|recovered)`)
