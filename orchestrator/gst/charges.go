package gst

import (
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
	"munshi/orchestrator/message"
)

// charge is an allegation with the amounts that it claims.
type charge struct {
	allegation
	claim  *claim
	prose  *claim // the claim according to its sentences
	unsure bool   // it names amounts that contradict each other
	bare   int64  // the sum of its amounts that are under no head
	said   int    // where its own text ends; the span of the last charge in a list includes what follows it
}

// readCharges reads what each allegation claims: from a table in it with heads, else from its sentences.
func (r *reading) readCharges() {
	for _, a := range r.allegations {
		r.charges = append(r.charges, r.chargeOf(a))
	}
	for i := range r.charges {
		if n := len(r.charges); i == n-1 || r.charges[i+1].start > r.charges[i].end {
			r.charges[i].said = r.charges[i].start + len(r.ownWords(r.charges[i].span))
		}
	}
	r.dropSummary()
}

// chargeOf reads what one allegation claims.
func (r *reading) chargeOf(a allegation) charge {
	ch := charge{allegation: a, said: a.end}
	by := kindOfCharge(a.low)
	named := r.mentions(a.span, by)
	prose, sure := sumUp(named)
	for _, m := range named {
		if m.head == "" && !m.paid {
			ch.bare += m.paise
		}
	}
	ch.prose = prose
	ch.claim, ch.unsure = prose, !sure || prose.isHalf() ||
		prose.headed() && prose.printed != 0 && !within(prose.printed, prose.sum())
	var grids []*claim
	for _, c := range r.claims {
		if c.start >= a.start && c.start < a.end && c.headed() &&
			!closeToAll.MatchString(r.doc.lowIn(max(a.start, r.leadIn(c)), c.start)) {
			grids = append(grids, c)
		}
	}
	if row := r.rowClaim(a.span, by); row.headed() && !ch.prose.headed() {
		cgst, sgst := row.cells["CGST"], row.cells["SGST"]
		// The amounts in its words are those of its columns.
		ch.prose, ch.claim, ch.unsure = row, row, row.isHalf() || cgst != nil && sgst != nil && *cgst != *sgst
		return ch
	}
	if len(grids) > 0 {
		c := grids[len(grids)-1]
		for _, g := range grids {
			if prose.headed() && sameTax(g, prose) || g.result && !c.result {
				c = g
			}
		}
		if !prose.headed() || !sure || !c.flat || sameTax(c, prose) {
			ch.claim, ch.unsure = c.as(by), r.doc.isRecognised(c.start) && !c.proven
		}
	}
	return ch
}

// rowClaim reads the claim from the rows of a table at the beginning of a part of the text, if the columns are heads.
func (r *reading) rowClaim(s span, by kind) *claim {
	row := newClaim()
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > s.start })
	if i == len(r.claims) || r.claims[i].start > s.start || r.doc.isRecognised(s.start) && !r.claims[i].proven {
		return row
	}
	for _, line := range r.claims[i].rows {
		if line.Role != table.Detail || line.Start >= s.end || line.End <= s.start {
			continue
		}
		for k, cell := range line.Cells {
			if head := r.claims[i].columns; k < len(head) && head[k].head != "" && cell.Amount.Paise != 0 {
				of := by
				if head[k].strong() && head[k].kind != noKind && head[k].kind < mostKinds {
					of = head[k].kind
				}
				row.cell(head[k].head)[of] += cell.Amount.Scaled(max(r.claims[i].unit, 1))
				row.span = span{line.Start, line.End}
			}
		}
	}
	return row
}

// dropSummary removes the charge that only sums up the others, head by head: it is the demand, not an allegation.
func (r *reading) dropSummary() {
	for i, ch := range r.charges {
		others, n := newClaim(), 0
		for k, o := range r.charges {
			if k == i || o.unsure || !o.claim.headed() {
				continue
			}
			n++
			others = others.plusTax(o.claim)
		}
		if n > 0 && ch.claim != ch.prose && ch.prose.headed() {
			if sameTax(ch.claim, others.plusTax(ch.prose)) { // the table after the last charge sums up all, with what its sentences say
				r.charges[i].claim, r.charges[i].unsure = ch.prose, false
				return
			}
		}
		if n < 2 || ch.unsure || !sameTax(ch.claim, others) {
			continue
		}
		if own := r.ownWords(ch.span); ch.claim != ch.prose && !(len(own) < 160 && tabulated.MatchString(own)) &&
			(ch.prose.headed() && !sameTax(ch.prose, others) ||
				!ch.prose.headed() && containsAny(r.ownWords(ch.span), faults...)) {
			r.charges[i].claim = ch.prose // the table of all charges follows the last one
			return
		}
		r.charges = slices.Delete(r.charges, i, i+1)
		r.allegations = slices.DeleteFunc(r.allegations, func(a allegation) bool { return a.span == ch.span })
		for p := range r.facts.Paragraphs {
			if f := &r.facts.Paragraphs[p]; f.Number == ch.number && f.Kind == "charge" &&
				f.Page == r.doc.page(ch.start) {
				f.Kind = "operative"
			}
		}
		return
	}
}

// plusTax returns a claim of the tax of both claims.
func (c *claim) plusTax(o *claim) *claim {
	sum := newClaim()
	for _, one := range []*claim{c, o} {
		for _, head := range one.heads {
			sum.cell(head)[tax] += one.cells[head][tax]
		}
	}
	return sum
}

// tabulated matches words that only introduce a table: "The tax not paid is tabulated, year by year, below:".
var tabulated = lazyregexp.New(`\b(?:tabulat|summari|as under|as below|below|as follows)[a-z]*[^.;]{0,40}:? *$`)

// as returns the claim with its tax moved to another kind, unless the text itself names a kind.
func (c *claim) as(k kind) *claim {
	if k == tax || c.kinds > 0 || c.unkind {
		return c
	}
	other := newClaim()
	other.span, other.printed, other.grid, other.proven = c.span, c.printed, c.grid, c.proven
	for _, head := range c.heads {
		other.cell(head)[k] = c.cells[head][tax]
	}
	return other
}

// kindOfCharge returns the kind of amount that a charge is about: tax, interest, a fee or a penalty.
func kindOfCharge(low string) kind {
	switch opening := low[:min(len(low), 60)]; {
	case ofInterest.MatchString(opening), strings.Contains(opening, "delayed payment"),
		strings.Contains(opening, "ब्याज"):
		return interest
	case strings.Contains(opening, "late fee"):
		return fee
	case strings.Contains(opening, "penalty"), strings.Contains(opening, "शास्ति"):
		return penalty
	}
	return tax
}

// ofInterest matches the beginning of a charge of interest. Interest on a loan, or a subvention of it, does not
// count.
var ofInterest = lazyregexp.New(`^[^a-z]*(?:[a-z0-9]{1,5}[.)] ?)?interest\b|\binterest (?:on (?:late|delayed|belated|net|the|gross|such|short|cash|wrong|excess|tax)|at|payable|is|was|of (?:rs|₹)|under|u/s|for|amount|not|short|liab|due|thereon)`)

// charged returns the charges that name amounts under heads.
func (r *reading) charged() []charge {
	var all []charge
	for _, ch := range r.charges {
		if ch.claim.headed() {
			all = append(all, ch)
		}
	}
	return all
}

// chargeAt returns the index of the charge that contains an offset, -1 for none.
func (r *reading) chargeAt(at int) int {
	i := sort.Search(len(r.charges), func(i int) bool { return r.charges[i].end > at })
	if i == len(r.charges) || r.charges[i].start > at {
		return -1
	}
	return i
}

// summary reports whether a claim in a charge is the sum of all charges.
func (ch charge) summary(c *claim) bool {
	lead := ch.low[:max(0, min(len(ch.low), c.start-ch.start))]
	lead = lead[max(0, len(lead)-200):]
	return closeToAll.MatchString(lead) || strings.Contains(lead, "summar")
}

// chargesTax reports whether any table claims tax under heads.
func (r *reading) chargesTax() bool {
	return slices.ContainsFunc(r.claims, func(c *claim) bool { return c.headed() && !c.flat && c.of(tax) > 0 })
}

// chargedSum returns the sum of the charges' claims; nil if one of them is uncertain or none names a head.
func (r *reading) chargedSum() *claim {
	if r.together != nil {
		return r.together
	}
	sum := newClaim()
	printed := true
	for _, ch := range r.charges {
		if ch.unsure {
			return nil
		}
		if !ch.claim.headed() {
			continue
		}
		if sum.end == 0 {
			sum.span = ch.claim.span
		}
		for _, head := range ch.claim.heads {
			cells := sum.cell(head)
			for k, paise := range ch.claim.cells[head] {
				cells[k] += paise
			}
		}
		printed = printed && ch.claim.printed != 0
	}
	if sum.end == 0 || sum.of(total) != 0 {
		return nil
	}
	r.together = sum
	return sum
}

// chargesTogether returns the claim of all charges together, for a notice in which no table or sentence sums them up.
func (r *reading) chargesTogether() *claim {
	if r.form != nil && r.form.Kind == "order" {
		return nil
	}
	c := r.chargedSum()
	if c == nil || c.isHalf() {
		return nil
	}
	c.weigh(3, "the charges together")
	return c
}

// amountsOf sets the amounts of the paragraphs that are charges.
func (r *reading) amountsOf() {
	for _, ch := range r.charges {
		if ch.number == "" || ch.unsure || !ch.claim.headed() || ch.claim.unkind {
			continue
		}
		i := slices.IndexFunc(r.facts.Paragraphs, func(p Paragraph) bool {
			return p.Number == ch.number && p.Kind == "charge" && p.Page == r.doc.page(ch.start) && p.Amounts == nil
		})
		if i < 0 {
			continue
		}
		fy := r.onlyYear(ch.span)
		for _, head := range headNames {
			c := ch.claim.cells[head]
			if c == nil || *c == ([mostKinds]int64{}) {
				continue
			}
			r.facts.Paragraphs[i].Amounts = append(r.facts.Paragraphs[i].Amounts,
				ChargeAmount{FY: fy, DemandRow: rowOf(head, c)})
		}
	}
}

// onlyYear returns the financial year that a part of the text names, "" if it names none or several.
func (r *reading) onlyYear(s span) string {
	year := ""
	for at := s.start; at < s.end; at++ {
		if !isDigit(r.doc.low[at]) || at > 0 && isAlnum(r.doc.low[at-1]) {
			continue
		}
		from, _, end, ok := parseFY(r.doc.low, at)
		if !ok {
			continue
		}
		if fy := fyName(from.Year()); year == "" {
			year = fy
		} else if year != fy {
			return ""
		}
		at = end
	}
	return year
}

// holdAgainstCharges compares the tax in the demand with the tax named in the charges.
func (r *reading) holdAgainstCharges(page int) {
	if r.demanded == nil || r.sure("demand") || r.demanded.unkind || r.form != nil && r.form.Form == "APL-04" {
		return
	}
	charged := r.chargedSum()
	if charged == nil || charged == r.demanded {
		return
	}
	left := r.demanded.of(tax) - charged.of(tax)
	for _, ch := range r.charges {
		left -= ch.bare
	}
	if left <= int64(100*(len(r.demanded.heads)+len(r.charged()))) {
		return
	}
	r.facts.Unexplained = ptr(toRupees(left))
	r.flag("unexplained", "", page, message.Params{"amount": message.Paise(left)})
}
