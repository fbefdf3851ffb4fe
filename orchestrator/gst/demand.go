package gst

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// The demand is read as follows. Each table, each paragraph with amounts under heads, and all charges together make a
// claim. Arithmetic and the words around a claim count for or against it. The best claim is the demand if its score
// is high enough and no claim with another sum comes close.

// claim is the amount due according to a table, a paragraph or all charges together, in paise.
type claim struct {
	span
	cells   map[string]*[mostKinds]int64
	heads   []string
	printed int64 // the printed total, 0 if there is none
	proven  bool  // its rows and columns add up
	unkind  bool  // it has only totals, not tax and interest separately
	kinds   int   // number of kinds that it names, such as interest and penalty
	grid    bool  // it comes from a table
	result  bool  // its table computes a difference
	whole   bool  // its last column has totals, and its last row confirms every column
	unit    int64 // the unit of the table's amounts, in rupees
	cut     bool  // rows of its table were lost in recognition
	flat    bool  // a table of returns, with workings beside the amounts
	// rivals are the totals of several columns for each head, if it is unclear which of them is claimed.
	rivals  []int64
	open    []kind
	score   int
	why     []string
	rows    []table.Row // of the table
	columns []label     // the meaning of its columns; those that claim nothing have no head
	low     string      // its headings and labels
	body    int         // offset of the table's first row
	most    int64       // the largest amount in the table
	added   int64       // a penalty that is not a printed sum, because it is only said to equal the tax
}

func newClaim() *claim { return &claim{cells: map[string]*[mostKinds]int64{}} }

func (c *claim) cell(head string) *[mostKinds]int64 {
	cells, ok := c.cells[head]
	if !ok {
		cells = &[mostKinds]int64{}
		c.cells[head] = cells
		c.heads = append(c.heads, head)
	}
	return cells
}

// sum adds up everything claimed.
func (c *claim) sum() int64 {
	sum := int64(0)
	for _, cells := range c.cells {
		if c.unkind {
			sum += cells[total]
			continue
		}
		sum += cells[tax] + cells[interest] + cells[penalty] + cells[fee] + cells[other]
	}
	return sum
}

// largest returns the largest amount in the table.
func (c *claim) largest() int64 {
	if c.most == 0 {
		for _, row := range c.rows {
			for _, cell := range row.Cells {
				c.most = max(c.most, cell.Amount.Paise)
			}
		}
	}
	return c.most
}

// of adds up one kind.
func (c *claim) of(k kind) int64 {
	sum := int64(0)
	for _, cells := range c.cells {
		sum += cells[k]
	}
	return sum
}

// amount returns the printed total, else the sum.
func (c *claim) amount() int64 { return cmp.Or(c.printed, c.sum()) }

// headed reports whether the claim names heads.
func (c *claim) headed() bool { return len(c.heads) > 1 || len(c.heads) == 1 && c.heads[0] != "" }

// isHalf reports whether the claim has CGST without SGST or UTGST, or the reverse, although the two are always
// charged together.
func (c *claim) isHalf() bool {
	if c.proven {
		return false
	}
	has := func(head string) bool { return c.cells[head] != nil && *c.cells[head] != [mostKinds]int64{} }
	return has("CGST") != (has("SGST") || has("UTGST"))
}

func (c *claim) weigh(points int, why string) {
	c.score += points
	c.why = append(c.why, fmt.Sprintf("%+d %s", points, why))
}

func rowOf(head string, c *[mostKinds]int64) DemandRow {
	return DemandRow{Head: head, Tax: toRupees(c[tax]), Interest: toRupees(c[interest]), Penalty: toRupees(c[penalty]),
		Fee: toRupees(c[fee]), Other: toRupees(c[other])}
}

func toRupees(paise int64) float64 { return float64(paise) / 100 }

// within reports whether two sums are equal apart from rounding to whole rupees.
func within(a, b int64) bool { return math.Abs(float64(a-b)) <= 300 }

// readDemand reads the amounts claimed. A refund in question is not a demand, and some forms claim nothing.
func (r *reading) readDemand() {
	form := ""
	if r.form != nil {
		form = r.form.Form
		switch {
		case strings.HasPrefix(form, "RFD-"), strings.HasPrefix(form, "REG-"), form == "GSTR-3A", form == "ADT-01",
			form == "ADT-03", form == "CMP-05", form == "PCT-03":
			return
		}
	}
	if strings.HasPrefix(form, "MOV-") {
		r.readDetention()
		return
	}
	if r.isAppealLetter() {
		return
	}
	r.readCharges()
	r.amountsOf()
	var claims []*claim
	for _, c := range r.claims {
		if (c.headed() || c.kinds > 1) && len(c.rivals) == 0 {
			claims = append(claims, c)
		}
	}
	prose := r.claimsInProse()
	claims = append(claims, parts(prose)...)
	if c := r.chargesTogether(); c != nil && !r.amountsBeside(prose, c) {
		claims = append(claims, c)
	}
	r.weigh(claims, form)
	slices.SortStableFunc(claims, func(a, b *claim) int { return cmp.Compare(b.score, a.score) })
	r.consider("demand", r.sums(claims))
	if len(claims) == 0 || claims[0].score < enough {
		r.settleDemand(r.columnsStated())
		r.offerDemand()
		return
	}
	best := claims[0]
	if best.of(tax) == 0 && !best.unkind {
		if taxed := taxBeside(claims, best); taxed != nil && !r.join(best, taxed) && taxed.sum() > best.sum() {
			r.offerDemand()
			return // penalty or interest, whose tax is elsewhere
		}
	}
	for _, c := range claims[1:] {
		if c.score == best.score && !within(c.amount(), best.amount()) && !within(c.of(tax), best.of(tax)) {
			r.offerDemand()
			return // two claims are equally good
		}
	}
	if charged := r.chargedSum(); charged != nil && best.kinds == 0 && best != charged && sameSums(best, charged) {
		best.cells, best.heads = charged.cells, charged.heads // the charges separate tax from interest and fee
	}
	best = provenInstead(claims, best)
	if best.countsAgain() {
		r.offerDemand()
		return
	}
	if r.isRemnant(best) {
		r.offerDemand()
		return
	}
	r.penaltyAsTax(best)
	r.settleDemand(best)
	r.offerDemand()
	r.settleByDemand()
}

// columnsStated returns a claim for an amount that a sentence calls the total to be paid, if a table without heads
// has that amount as the sum of its columns for interest, penalty and fee, or of these and the tax. The heads are
// known only if the text says that each head has a half. It returns nil if there is no such sentence, or more than
// one.
func (r *reading) columnsStated() (found *claim) {
	d := r.doc
	for _, m := range r.statedTotals() {
		if m.head != "" || !toPay.MatchString(d.lowIn(max(0, m.start-60), m.start)) {
			continue
		}
		for _, c := range r.claims {
			cells := c.cells[""]
			if cells == nil || len(c.cells) != 1 || c.cut || c.kinds == 0 {
				continue
			}
			due := [mostKinds]int64{interest: cells[interest], penalty: cells[penalty], fee: cells[fee]}
			sum := due[interest] + due[penalty] + due[fee]
			if within(sum+cells[tax], m.paise) && cells[tax] > 0 {
				due[tax], sum = cells[tax], sum+cells[tax]
			}
			if sum == 0 || !within(sum, m.paise) {
				continue
			}
			if found != nil && found.printed != m.paise {
				return nil
			}
			found = newClaim()
			found.span, found.printed, found.proven = m.span, m.paise, true
			if halves.MatchString(d.low[:r.extent()]) {
				for _, head := range [...]string{"CGST", "SGST"} {
					for k, paise := range due {
						found.cell(head)[k] = paise / 2
					}
				}
			}
		}
	}
	return found
}

var (
	toPay  = lazyregexp.New(`\b(?:to be paid|payable|to pay|due|demand(?:ed)?|recoverable|to be recovered)\b`)
	halves = lazyregexp.New(`\bhalf\b[^.;]{0,60}\bcgst\b[^.;]{0,40}\bhalf\b[^.;]{0,20}\bsgst\b|\b(?:equally|in equal (?:halves|parts|shares))\b[^.;]{0,40}\bcgst\b[^.;]{0,20}\bsgst\b|\b50 ?% (?:is )?cgst\b[^.;]{0,20}\b50 ?% (?:is )?sgst\b`)
)

// isRemnant reports whether a claim on a recognised page is likely what is left of an amount, "31" of "31 OOO": it is
// in a sentence, and every other sum of money on the paper is many times as large.
func (r *reading) isRemnant(c *claim) bool {
	const (
		small = 1000_00
		times = 20
	)
	d := r.doc
	if c.grid || c.proven || c.amount() >= small || !d.isRecognised(c.start) {
		return false
	}
	others := false
	for at := 0; at < len(d.low); at++ {
		if !beginsAmount(d.low, at) {
			continue
		}
		a, ok := parseAmount(d.low, at)
		if !ok || !a.marked || a.start >= c.start && a.start < c.end {
			continue
		}
		if a.paise < times*c.amount() {
			return false
		}
		others = true
		at = a.end - 1
	}
	return others
}

// provenInstead returns, for a claim whose parts do not add up to its printed total, another claim with that total
// whose parts do.
func provenInstead(claims []*claim, best *claim) *claim {
	sum := best.sum()
	if lost := best.cells[""]; lost != nil {
		for _, paise := range lost[:total] {
			sum -= paise
		}
	}
	if best.printed == 0 || within(best.printed, sum) {
		return best
	}
	for _, c := range claims {
		if c.headed() && !c.unkind && c.score > 0 && within(c.amount(), best.printed) && within(c.sum(), best.printed) {
			return c
		}
	}
	return best
}

// countsAgain reports whether the rows add up to a multiple of the printed total; then something was counted twice.
func (c *claim) countsAgain() bool {
	sum := c.sum()
	for n := int64(2); c.printed > 0 && n < 5; n++ {
		if within(sum, n*c.printed) {
			return true
		}
	}
	return false
}

// taxBeside returns the table that claims only tax, under the heads of a claim without tax.
func taxBeside(claims []*claim, rest *claim) *claim {
	for _, c := range claims {
		within := !slices.ContainsFunc(rest.heads, func(head string) bool {
			return c.cells[head] == nil || c.cells[head][tax] == 0
		})
		if c.grid && c.proven && !c.flat && c.of(tax) >= rest.sum() && c.sum() == c.of(tax) && within {
			return c
		}
	}
	return nil
}

// join adds the tax of another claim to a claim of penalty or interest, if the sum of both is printed, or if the paper
// asks for the tax by its amount too.
func (r *reading) join(rest, taxed *claim) bool {
	both := rest.sum() + taxed.sum()
	for _, s := range r.mentions(span{0, r.extent()}, tax) {
		joint := within(s.paise, both)
		if s.paid || s.head != "" || !joint && !(s.kind == tax && within(s.paise, taxed.sum()) &&
			imposed.MatchString(r.doc.lowIn(s.end, s.end+240))) {
			continue
		}
		for _, head := range taxed.heads {
			rest.cell(head)[tax] = taxed.cells[head][tax]
		}
		if rest.printed = 0; joint {
			rest.printed = s.paise
		}
		return true
	}
	return false
}

// offerDemand uses the only sum in words if no table or sentence gave a total; without one it leaves the sums to a
// person.
func (r *reading) offerDemand() {
	if r.facts.Demand != nil && r.facts.Demand.Total != nil {
		return
	}
	if at, paise := r.sumInWords(); paise > 0 && r.facts.Demand == nil {
		c := newClaim()
		c.span, c.printed = at, paise
		r.settleDemand(c)
		return
	}
	r.offer("demand")
}

// amountsBeside reports whether a paragraph outside the charges claims something that the charges do not include.
func (r *reading) amountsBeside(prose []*claim, charged *claim) bool {
	return slices.ContainsFunc(prose, func(c *claim) bool {
		return r.chargeAt(c.start) < 0 && !sameTax(c, charged) && !within(c.amount(), charged.amount())
	})
}

// parts returns the claims of paragraphs with the sum of all added, if they are parts of one demand: several
// paragraphs, none of which is the sum of the others. Then no single part is the demand.
func parts(prose []*claim) []*claim {
	var own []*claim // paragraphs with a total of their own
	for _, c := range prose {
		if c.printed != 0 && !slices.ContainsFunc(own, func(o *claim) bool { return within(o.amount(), c.amount()) }) {
			own = append(own, c)
		}
	}
	if len(own) < 2 {
		return prose
	}
	all := int64(0)
	for _, c := range own {
		all += c.amount()
	}
	for _, c := range own {
		if within(2*c.amount(), all) || !slices.ContainsFunc(own, func(o *claim) bool {
			return o != c && !c.includes(o)
		}) {
			c.weigh(3, "sums up the others")
			return prose
		}
	}
	for _, c := range own {
		c.weigh(-10, "one part of several")
	}
	return prose
}

// includes reports whether a claim has everything that another has under its heads, and additional
// amounts under other heads.
func (c *claim) includes(o *claim) bool {
	for _, head := range o.heads {
		if c.cells[head] == nil || *c.cells[head] != *o.cells[head] {
			return false
		}
	}
	return len(c.heads) > len(o.heads)
}

// penaltyAsTax adds a penalty of the amount of the tax to a claim of tax alone: one that the paper asks for by that
// amount, or "a like sum as penalty" if twice the tax is printed too.
func (r *reading) penaltyAsTax(c *claim) {
	if c.unkind || c.of(tax) == 0 || c.sum() != c.of(tax) || c.isHalf() {
		return
	}
	if r.asksPenalty(c.of(tax)) {
		for _, cells := range c.cells {
			cells[penalty] = cells[tax]
		}
		c.printed = 0
		return
	}
	m := likePenalty.FindStringIndex(r.doc.low[:r.extent()])
	if m == nil {
		return
	}
	for _, s := range r.mentions(span{0, r.extent()}, tax) {
		if !s.paid && s.head == "" && within(s.paise, 2*c.of(tax)) {
			for _, cells := range c.cells {
				cells[penalty] = cells[tax]
			}
			c.printed = s.paise
			return
		}
	}
	if c.printed != 0 && !within(c.printed, c.of(tax)) {
		return
	}
	n := r.equalPenalties()
	for _, cells := range c.cells {
		cells[penalty] = n * cells[tax]
	}
	if c.added = c.of(penalty); c.added > 0 {
		c.printed = 0
	}
}

// asksPenalty reports whether the paper asks why a penalty of an amount should not be imposed.
func (r *reading) asksPenalty(paise int64) bool {
	return slices.ContainsFunc(r.mentions(span{0, r.extent()}, tax), func(m mention) bool {
		return m.kind == penalty && m.head == "" && !m.paid && !m.total && within(m.paise, paise) &&
			imposed.MatchString(r.doc.lowIn(m.end, m.end+240))
	})
}

// imposed matches what follows an amount that a notice proposes, with its heads in parentheses or without them.
var imposed = lazyregexp.New(`^ ?(?:\([^)]{0,120}\))?[^;]{0,100}\b(?:should|shall|may) not be (?:imposed|levied|recovered|demanded)`)

// equalPenalties counts the penalties, each equal to the tax, for which a notice asks why they should not be imposed:
// none, one, or one under each of two sections.
func (r *reading) equalPenalties() int64 {
	low := r.doc.low[:r.extent()]
	if r.facts.Kind == "order" || r.form != nil && r.form.Kind == "order" {
		return 0 // its words may be what the notice proposes
	}
	for _, m := range equalPenalty.FindAllStringIndex(low, 20) {
		if ofPart.MatchString(r.doc.lowIn(m[1], m[1]+60)) ||
			!asksWhy.MatchString(r.doc.lowIn(max(0, m[0]-500), m[0])) && !asksWhy.MatchString(r.doc.lowIn(m[1], m[1]+80)) {
			continue
		}
		if furtherPenalty.MatchString(r.doc.lowIn(m[1], m[1]+200)) {
			return 2
		}
		return 1
	}
	return 0
}

var (
	equalPenalty   = lazyregexp.New(`\b(?:an? )?equal penalty\b|\bpenalty[^;.]{0,40}\b(?:equal|equivalent) to (?:the |such |said |that |the said )*(?:amount of )?tax\b`)
	ofPart         = lazyregexp.New(`^ (?:in|of|on|for|under|at|against|relating to|pertaining to|involved in) (?:the )?(?:said )?(?:para|charge|issue|item|point|first|second|third|defect|matter|s\.? ?no|sr|serial|f\.?y|20[0-9]{2})`)
	asksWhy        = lazyregexp.New(`\bshow cause\b|\bwhy\b|क्यों`)
	furtherPenalty = lazyregexp.New(`\b(?:further|another|additional) penalty (?:of|in) (?:the|a|an) (?:like|equal|same) (?:amount|sum)\b`)
)

var likePenalty = lazyregexp.New(`\bpenalty[^;]{0,60}\b(?:equal|equivalent|same|like|100 ?%)|\b(?:equal|equivalent|same|like)\b[^;]{0,60}\bpenalty|(?:बराबर|समान|समतुल्य)[^।]{0,40}(?:शास्ति|अर्थदण्ड)|(?:शास्ति|अर्थदण्ड)[^।]{0,40}(?:बराबर|समान|समतुल्य)`)

// settleDemand writes a claim into the facts.
func (r *reading) settleDemand(best *claim) {
	if best == nil {
		return
	}
	r.doubtTax(best)
	if best.unkind {
		r.splitKinds(best)
	}
	if best.proven && best.added == 0 && !best.hasCell(best.amount()) {
		best.printed = cmp.Or(r.misprinted(best.amount()), best.printed)
	}
	demand := Demand{Rows: []DemandRow{}, Currency: "INR"}
	for _, head := range headNames {
		c := best.cells[head]
		if c == nil || best.unkind || best.isHalf() || *c == ([mostKinds]int64{}) {
			continue
		}
		demand.Rows = append(demand.Rows, rowOf(head, c))
	}
	if amount := best.amount(); amount != 0 && (best.printed != 0 || !best.isHalf()) {
		demand.Total = ptr(toRupees(amount))
	}
	if demand.Total != nil && r.doubtsTotal(best, demand.Rows) {
		demand.Total = nil
		if lost := best.cells[""]; lost != nil && *lost != ([mostKinds]int64{}) {
			demand.Rows = demand.Rows[:0] // a part has no head, so the rows are not the whole demand
		}
	}
	if demand.Total == nil && len(demand.Rows) == 0 {
		return
	}
	demand.LeftOpen = r.leftOpen(best)
	r.facts.Demand = &demand
	r.demandAt = best.span
	r.demanded = best
	r.cite("demand", best.span)
}

// doubtTax turns a paragraph's sums by heads into totals, if no words near them call them tax and the paper also
// names interest, a fee or a penalty that may be included.
func (r *reading) doubtTax(c *claim) {
	d := r.doc
	if c.grid || c.unkind || c == r.together || c.sum() != c.of(tax) || c.end <= c.start {
		return
	}
	from := min(d.sentence(c.start).start, r.leadIn(c))
	near := d.lowIn(from, max(d.sentence(c.end).end, c.end))
	if calledTax.MatchString(near) || !slices.ContainsFunc(r.mentions(span{0, r.extent()}, tax), func(m mention) bool {
		return !m.paid && (m.kind == interest || m.kind == fee || m.kind == penalty) && m.paise < c.amount()
	}) {
		return
	}
	for _, cells := range c.cells {
		*cells = [mostKinds]int64{total: cells[tax]}
	}
	c.unkind = true
}

var calledTax = lazyregexp.New(`\b(?:tax|taxes|credit|itc|liabilit(?:y|ies)|evad|evasion|short|turnover)\b|कर\b|क्रेडिट`)

// misprinted returns the total that the text states, if it differs from the sum in one or two digits.
// The printed total is kept, and shown as not matching.
func (r *reading) misprinted(sum int64) int64 {
	digits := func(paise int64) string { return strconv.FormatInt(paise/100, 10) }
	stated := int64(0)
	for _, s := range r.statedTotals() {
		if s.head != "" || s.kind != tax && s.kind != total || len(digits(s.paise)) != len(digits(sum)) {
			continue
		}
		differ := 0
		for i, c := range []byte(digits(s.paise)) {
			if c != digits(sum)[i] {
				differ++
			}
		}
		switch {
		case differ == 0:
			return 0
		case differ < 3:
			stated = s.paise
		}
	}
	return stated
}

// doubtsTotal reports whether a total should be left to a person. That is so if the sum is printed nowhere and a
// column may be lost in a scan, nothing confirms it and no head has a part of it, or the text calls another sum the
// total.
func (r *reading) doubtsTotal(c *claim, rows []DemandRow) bool {
	d := r.doc
	amount := c.amount() - c.added
	inCell := func(t *claim) bool { return t.hasCell(amount) }
	if c.whole || slices.ContainsFunc(r.claims, inCell) || d.namesAmount(0, amount) {
		return false
	}
	for _, m := range inRupees.FindAllStringIndex(d.low, mostStated) {
		if within(d.inWords(m[0]), amount) {
			return false
		}
	}
	if c.grid && d.isRecognised(c.start) || d.unread || len(rows) == 0 && !c.proven {
		return true
	}
	return slices.ContainsFunc(r.statedTotals(), func(s mention) bool {
		return s.total && s.head == "" && s.kind != interest && s.kind != penalty && s.paise > c.largest() &&
			!within(s.paise, c.of(tax))
	})
}

// hasCell reports whether a cell of the claim's table has the amount, in paise.
func (c *claim) hasCell(paise int64) bool {
	return slices.ContainsFunc(c.rows, func(row table.Row) bool {
		return slices.ContainsFunc(row.Cells, func(cell table.Cell) bool {
			return within(cell.Amount.Scaled(max(c.unit, 1)), paise)
		})
	})
}

// leftOpen returns what is claimed in addition without an amount: in a cell of the table, or in a sentence such as
// "with interest at the applicable rate".
func (r *reading) leftOpen(c *claim) []string {
	var open []string
	for _, k := range [...]struct {
		kind kind
		name string
	}{{tax, "tax"}, {interest, "interest"}, {penalty, "penalty"}, {fee, "fee"}} {
		if slices.Contains(c.open, k.kind) {
			open = append(open, k.name)
		}
	}
	if c.of(interest) == 0 && !c.unkind && !slices.Contains(open, "interest") &&
		interestOpen.MatchString(r.doc.low[:r.extent()]) {
		open = append(open, "interest")
	}
	return open
}

var interestOpen = lazyregexp.New(`\b(?:with|and|plus|besides)(?: applicable| the| due)? interest\b|\binterest[^.;]{0,60}(?:as applicable|applicable rate|shall be (?:charged|payable|recovered)|should not be|is (?:also )?payable|till (?:the )?date of|per annum)|ब्याज`)

var (
	demandWords = lazyregexp.New(`\bdemand|\bdues\b|\bpayable\b|\bpropos|\brecover|\bquantif|\bascertain|\bdetermin|\bconfirm|\bsummar|\bliabilit|\blevi|\bdue\b|\bunpaid\b|\boutstanding\b|\barrears?\b|देय|मांग|माँग|प्रस्तावित|वसूल|माग`)
	otherWords  = lazyregexp.New(`\bsuppliers?\b|\binvoice|\bas per\b|\bturnover|\bclaimed\b|\brefund|\bledger|\balready paid|\bdeposited|\bworking|\bcomparison|\bmonth-?wise|\bavailed\b`)
	ofNotice    = lazyregexp.New(`\b(?:notice|scn|drc-01)\b[^;]{0,60}\b(?:proposed|alleged|demanded|sought|called for|had raised|was for)\b|\b(?:proposed|alleged) in the (?:show cause )?(?:notice|scn)\b|(?:नोटिस|सूचना) (?:में|द्वारा)[^।]{0,60}(?:प्रस्तावित|मांग|माँग)`)
	closeToAll  = lazyregexp.New(`\b(?:total|all|both|aggregate|consolidated|overall|grand|final|in sum|altogether)\b|कुल`)
)

// weigh scores each claim by its form, its position, and what confirms it.
func (r *reading) weigh(claims []*claim, form string) {
	d := r.doc
	annexed := r.annexure()
	stated := r.statedTotals()
	charged := r.chargedSum()
	alsoPenalty := likePenalty.MatchString(d.low[:r.extent()])
	isStated := func(c *claim) bool {
		return slices.ContainsFunc(stated, func(s mention) bool {
			return (s.start < c.start || s.start >= c.end) && within(s.paise, c.amount()) && c.amount() > 0
		})
	}
	for _, c := range claims {
		lead := d.lowIn(r.leadIn(c), c.start)
		if c.grid && !c.unkind && c.headed() {
			c.weigh(1, "a table by heads")
		}
		switch {
		case c.kinds > 1:
			c.weigh(4, "tax, interest and penalty")
		case c.kinds == 1:
			c.weigh(3, "tax with interest, penalty or fee")
		}
		if len(c.open) > 0 {
			c.weigh(2, "a sum left open")
		}
		if c.proven {
			c.weigh(1, "adds up")
		}
		if c.cut {
			c.weigh(-8, "recognised, and figures go on below it")
		}
		if demandWords.MatchString(lead) || c.grid && demandWords.MatchString(c.low) {
			c.weigh(2, "said to be due")
		}
		if closeToAll.MatchString(lead) {
			c.weigh(1, "said to be of all")
		}
		if c.grid && otherWords.MatchString(lead) && !demandWords.MatchString(lead) {
			c.weigh(-1, "said to be workings")
		}
		if c.grid && c.flat {
			c.weigh(-2, "beside workings")
		}
		if c.start >= annexed {
			c.weigh(-3, "in an annexure")
		}
		if form == "DRC-01B" || form == "DRC-01C" {
			if c.result {
				c.weigh(4, "the difference that the form is about")
			}
		}
		if isStated(c) {
			c.weigh(4, "its total is stated elsewhere")
		}
		if charged != nil && c != charged && c.grid && sameTax(c, charged) &&
			(len(r.charged()) > 1 || r.chargeAt(c.start) < 0) {
			c.weigh(3, "the charges add up to it")
		}
		if !c.grid && c != charged && charged != nil && len(r.charged()) > 1 && !within(c.amount(), charged.amount()) &&
			!sameTax(c, charged) {
			c.weigh(-8, "not what the charges come to")
		}
		if alsoPenalty && slices.ContainsFunc(stated, func(s mention) bool {
			return c.of(tax) > 0 && c.sum() == c.of(tax) && within(s.paise, 2*c.of(tax))
		}) {
			c.weigh(6, "with a like sum as penalty its total is stated")
		}
		if n := r.chargeAt(c.start); c != charged && r.inOneOfSeveral(c.start) && !r.charges[n].summary(c) {
			c.weigh(-3, "inside one charge of several")
		}
		if c.grid && !c.headed() {
			c.weigh(-2, "no heads")
		}
		if n, sums := alike(r.claims, c, annexed); n > 2 && sums {
			c.weigh(3, "sums up the other tables")
		} else if n > 2 {
			c.weigh(-4, "one of several tables alike")
		}
		if c.grid && !c.proven && !c.result && d.isRecognised(c.start) {
			c.weigh(-5, "recognised, and nothing adds up")
		}
		if c.grid && c.kinds > 0 && c.headed() && c.proven && portalTable.MatchString(d.lowIn(c.start, c.end)) {
			c.weigh(6, "the portal's table of the demand")
		}
		if charged != nil && c != charged && len(r.charged()) > 1 && r.chargeAt(c.start) < 0 &&
			within(c.amount(), charged.amount()) {
			c.weigh(5, "the charges come to its total")
		}
		if c.of(tax) == 0 && !c.unkind && c.sum() > 0 && r.chargesTax() {
			c.weigh(-3, "no tax in it")
		}
		if !c.grid && slices.ContainsFunc(claims, func(o *claim) bool {
			return o.grid && o.kinds > 0 && o.amount() > c.amount() && within(o.sum(), o.amount()) && isStated(o)
		}) {
			c.weigh(-6, "a table of more comes to a total that is stated")
		}
		if !c.grid && ofNotice.MatchString(d.lowIn(d.sentence(c.start).start, c.start)) &&
			slices.ContainsFunc(claims, func(o *claim) bool { return o.grid && o.proven && o.kinds > 0 }) {
			c.weigh(-12, "what the notice proposed, beside a table of what is due")
		}
		if !c.grid && r.isOrder() && slices.ContainsFunc(claims, func(o *claim) bool {
			return o.grid && o.proven && o.kinds > 0 && o.headed() && !o.flat && (o.start > c.start || r.form != nil) &&
				o.start < annexed && !within(o.amount(), c.amount())
		}) {
			c.weigh(-8, "in the words of an order, beside its table of what is due")
		}
		if c.kinds == 0 && slices.ContainsFunc(claims, func(o *claim) bool {
			return o != c && o.grid && o.proven && o.kinds > 0 && !o.flat && sameTax(c, o) && o.amount() > c.amount() &&
				within(o.of(tax), c.amount())
		}) {
			c.weigh(-6, "the tax alone of a table with interest or penalty")
		}
	}
}

// portalTable matches the headings of the table of the demand in FORM DRC-01, DRC-07 and DRC-08, which has a column for
// the place of supply (rule 142).
var portalTable = lazyregexp.New(`\bpos\b|\bplace of supply\b`)

// alike counts the tables with the same heads and no kinds, and reports whether one of them is the sum of the others.
// If the claim is in the body, tables of an annexure do not count.
func alike(claims []*claim, c *claim, annexed int) (n int, sums bool) {
	if !c.grid || !c.headed() || c.kinds > 0 {
		return 0, false
	}
	all := int64(0)
	for _, o := range claims {
		if c.start < annexed && o.start >= annexed {
			break
		}
		if o.kinds == 0 && len(o.heads) == len(c.heads) && o.headed() {
			n++
			all += o.amount()
		}
	}
	return n, within(all, 2*c.amount())
}

// sameSums reports whether two claims have the same sum under each head.
func sameSums(a, b *claim) bool {
	sum := func(c *claim, head string) (all int64) {
		if cells := c.cells[head]; cells != nil {
			for _, paise := range cells {
				all += paise
			}
		}
		return all
	}
	for _, head := range headNames {
		if !within(sum(a, head), sum(b, head)) {
			return false
		}
	}
	return true
}

// sameTax reports whether two claims have the same tax under each head.
func sameTax(a, b *claim) bool {
	same := 0
	for _, head := range headNames {
		x, y := a.cells[head], b.cells[head]
		var p, q int64
		if x != nil {
			p = x[tax]
		}
		if y != nil {
			q = y[tax]
		}
		if !within(p, q) {
			return false
		}
		if p != 0 {
			same++
		}
	}
	return same > 0
}

// leadIn returns where the words that introduce a claim begin: its own paragraph, or the lines above a table, but
// after any earlier table.
func (r *reading) leadIn(c *claim) int {
	d := r.doc
	from := max(0, c.start-260)
	if i := sort.Search(len(r.claims), func(i int) bool {
		return r.claims[i].end > c.start-1
	}); i > 0 && r.claims[i-1].end <= c.start {
		from = max(from, r.claims[i-1].end)
	}
	l := d.lineAt(c.start)
	for i := l; i > 0 && d.lines[i].start > from; i-- {
		if i < l && (d.lines[i].first && !isContinued(d, i)) && l-i > 1 {
			from = max(from, d.lines[i].start)
			break
		}
	}
	return from
}

func isContinued(d *document, i int) bool { return i > 0 && isLower(d.text[d.lines[i].start]) }

// annexure returns the offset at which the annexures begin, or the length of the text.
func (r *reading) annexure() int {
	d := r.doc
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if i > 5 && l.end-l.start < 140 &&
			(strings.HasPrefix(low, "annexure") || strings.HasPrefix(low, "annex ") ||
				strings.HasPrefix(low, "enclosure -") || strings.HasPrefix(low, "अनुलग्नक")) {
			return l.start
		}
	}
	return len(d.text)
}

// splitKinds splits a summary that has only totals into tax, interest and fee, using the single charges if they add
// up to it.
func (r *reading) splitKinds(summary *claim) {
	split := newClaim()
	for _, head := range summary.heads {
		split.cell(head)
	}
	for _, ch := range r.charged() {
		for _, head := range ch.claim.heads {
			cells := split.cell(head)
			for k, paise := range ch.claim.cells[head] {
				cells[k] += paise
			}
		}
	}
	for _, head := range summary.heads {
		c := split.cells[head]
		if !within(c[tax]+c[interest]+c[penalty]+c[fee]+c[other], summary.cells[head][total]) {
			return
		}
	}
	for _, head := range summary.heads {
		*summary.cells[head] = *split.cells[head]
	}
	summary.unkind = false
}

var (
	taxToo      = lazyregexp.New(`(?:^| )कर (?:एवं|तथा|व|और) (?:शास्ति|अर्थदण्ड|अर्थदंड)|\b(?:proposed|said|why the|the) tax(?:,| and| &) (?:applicable )?penalty\b`)
	penaltyWord = lazyregexp.New(`\bpenalty\b|शास्ति|अर्थदण्ड`)
	linkedHead  = lazyregexp.New(`^[/ -]*\(?(?:as |under |towards )?([a-z]{4,5})\b`)
)

// annexureTax compares the tax in the annexures' own demand tables with the body. It differs only if neither a single
// table nor all together have the figure of the body. Tables that compare returns or list turnover do not count.
func (r *reading) annexureTax() (sum float64, at int, differs bool) {
	start := r.annexure()
	if r.demandAt.start >= start || r.demanded == nil {
		return 0, 0, false
	}
	body := r.demanded.of(tax)
	all, heads := int64(0), 0
	for _, c := range r.claims {
		if c.start < start || c.unkind || !c.headed() {
			continue
		}
		one := c.of(tax)
		if within(one, body) || r.stateAgain(c) {
			return 0, 0, false
		}
		if slices.ContainsFunc(r.charged(), func(ch charge) bool { return ch.start < start && sameTax(ch.claim, c) }) {
			continue // it lists what one charge is about
		}
		if c.result || !sameHeads(c, r.demanded) || r.doc.isRecognised(c.start) && !c.proven {
			continue
		}
		heads++
		if at == 0 {
			at = c.start
		}
		all += one
	}
	if at == 0 {
		all, at = r.annexedInProse(start)
	}
	return toRupees(all), at, all > 0 && body > 0 && !within(all, body)
}

// stateAgain reports whether a claim has the demand's tax under each head that it names.
func (r *reading) stateAgain(c *claim) bool { return sameTax(c, r.demanded) }

// sameHeads reports whether two claims have tax under the same heads.
func sameHeads(a, b *claim) bool {
	for _, head := range headNames {
		x, y := a.cells[head], b.cells[head]
		if (x != nil && x[tax] != 0) != (y != nil && y[tax] != 0) {
			return false
		}
	}
	return true
}

// annexedInProse adds up the tax that charges in the annexures name in sentences, if it is under the same heads as in
// the body. It returns nothing if the annexures also have the body's figure for each head.
func (r *reading) annexedInProse(start int) (sum int64, at int) {
	d := r.doc
	annexed := newClaim()
	for _, ch := range r.charged() {
		if ch.start < start {
			continue
		}
		if ch.unsure || d.isRecognised(ch.start) {
			return 0, 0
		}
		for _, head := range ch.claim.heads {
			annexed.cell(head)[tax] += ch.claim.cells[head][tax]
		}
		if at == 0 {
			at = ch.start
		}
	}
	if at == 0 || !sameHeads(annexed, r.demanded) {
		return 0, 0
	}
	repeated := true
	for _, head := range r.demanded.heads {
		repeated = repeated && d.namesAmount(start, r.demanded.cells[head][tax])
	}
	if repeated {
		return 0, 0
	}
	return annexed.of(tax), at
}

// namesAmount reports whether the text names the amount anywhere from the offset on.
func (d *document) namesAmount(from int, paise int64) bool {
	for at := from; at < len(d.low); at++ {
		if !beginsAmount(d.low, at) {
			continue
		}
		if a, ok := parseAmount(d.low, at); ok && within(a.paise, paise) {
			return true
		}
	}
	return false
}
