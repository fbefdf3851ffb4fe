package defence

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readCharges makes a scope of each charge: of each paragraph with a charge in the facts, else of each bullet, else of
// the whole paper.
func (p *paper) readCharges() {
	p.found = p.blocks()
	for _, c := range p.found {
		k := p.known.clone()
		words := p.low[c.from:c.to]
		at := []Quote{p.quote(c.from, c.to)}
		for _, issue := range gst.IssuesIn(p.law, p.all[c.from:c.to]) {
			k.add("charge.issue", Value{Kind: Word, Text: issue, At: at})
		}
		if len(k["charge.issue"]) == 0 && p.comparesStatement(c) {
			k.add("charge.issue", Value{Kind: Word, Text: "itc_2a2b_vs_3b", At: at})
		}
		for _, s := range p.facts.Sections {
			if start, end, ok := p.text.find(lower(s), c.from, c.to); ok {
				k.add("charge.cites", Value{Kind: Word, Text: s, At: []Quote{p.around(start, end)}})
			}
		}
		s := scope{known: k, part: For{Para: c.number}, text: &p.text, from: c.from, to: c.to}
		p.periodOf(k, words, c.from)
		spanOf(k)
		p.readInvoiceDays(s)
		p.creditOf(s)
		p.readPaidBefore(s)
		p.refundItem(s)
		p.refundExtended(s)
		p.turnoverBefore(s)
		p.annualFee(s)
		p.readEqualMonths(s)
		p.readWorkers(s)
		p.readSeats(s)
		if applied, years := k.one("application.day"), k["charge.two_years"]; applied != nil && len(years) > 0 &&
			!slices.ContainsFunc(years, func(v Value) bool { return !applied.Day.Before(v.Day) }) {
			k.put("charge.claimed_in_time",
				Value{Kind: Truth, Yes: true, At: append(slices.Clone(applied.At), years[0].At...)})
		}
		s.amounts = p.amountsOf(c)
		s.rows = p.datedRows(s)
		if sum := sumOf(s.amounts); sum != nil {
			k.put("charge.amount", Value{Kind: Money, Paise: int64(*sum), At: at})
		}
		p.readSaved(s)
		p.readTaxAtRate(s)
		p.readOutside(s)
		p.readHeadsTogether(s)
		p.charges = append(p.charges, s)
	}
	if len(p.facts.Periods) < 2 && len(p.charges) < 2 {
		p.known.put("paper.single", Value{Kind: Truth, Yes: true})
	}
	p.readCredit()
	p.readNewGround()
	p.fraudElsewhere()
	p.readTwiceCharged()
	p.readChargesSum()
}

// readSaved adds up, in a charge that denies credit of several returns as late, what was taken in those that were furnished by
// 30 November 2021 (section 16(5)): each amount stands before the day of its return. All of them must make up the charge.
func (p *paper) readSaved(s scope) {
	const near = 16
	last, _ := law.NewDay(2021, 11, 30)
	charged := sumOf(s.amounts)
	if charged == nil || len(s.known["charge.return_day"]) < 2 {
		return
	}
	var saved, all int64
	at, days := s.from, 0
	for _, d := range gst.Dates(p.low[s.from:s.to]) {
		if !hasAny(p.low[s.from+max(0, d.Start-near):s.from+d.Start], "filed", "furnished") {
			continue
		}
		var sum int64
		for _, n := range gst.Sums(p.low[at : s.from+d.Start]) {
			if n.Marked {
				sum += n.Paise
			}
		}
		at, days, all = s.from+d.End, days+1, all+sum
		if !d.Day.After(last) {
			saved += sum
		}
	}
	if days > 1 && all == int64(*charged) && saved > 0 && saved < all {
		s.known.put("charge.saved_16_5", Value{Kind: Money, Paise: saved, At: []Quote{p.quote(s.from, at)}})
	}
}

// comparesStatement reports whether a charge about suppliers' credit is in a paper that compares GSTR-3B with GSTR-2A
// or 2B. The table of the comparison may come before the charge.
func (p *paper) comparesStatement(c block) bool {
	_, _, statement := p.find("gstr-2a|gstr 2a|gstr2a|gstr-2b|gstr 2b|gstr2b|2ए|2बी|-2ए|-2बी", 0, len(p.low))
	_, _, ret := p.find("gstr-3b|gstr 3b|gstr3b|3बी|-3बी", 0, len(p.low))
	_, _, supplier := p.find("supplier|suppliers|vendor|vendors|seller|विक्रेता|आपूर्तिकर्ता", c.from, c.to)
	_, _, credit := p.find("credit|itc|आई.टी.सी|आईटीसी|क्रेडिट", c.from, c.to)
	return statement && ret && supplier && credit
}

// fraudElsewhere marks each charge of a paper under section 74 for which only other charges allege fraud or
// suppression. Words outside any charge with its own amount apply to all charges.
func (p *paper) fraudElsewhere() {
	const words = "fraud|wilful|willful|suppress|knowingly|bogus|fake|fictitious|with intent|छिपा|धोखा|फर्जी|फ़र्जी"
	if s := p.known.one("paper.section"); s == nil || s.Text != "74" {
		return
	}
	var said []Quote
	var silent []scope
	in := 0
	for _, s := range p.charges {
		if len(s.amounts) == 0 {
			continue
		}
		if start, end, ok := p.text.find(words, s.from, s.to); ok {
			said = append(said, p.around(start, end))
			in += p.count(words, s.from, s.to)
		} else {
			silent = append(silent, s)
		}
	}
	if len(said) == 0 || p.count(words, 0, len(p.low)) > in {
		return
	}
	for _, s := range silent {
		s.known.put("charge.fraud_elsewhere", Value{Kind: Truth, Yes: true, At: said})
	}
}

// count returns how often one of the words occurs between two offsets.
func (p *paper) count(words string, from, to int) int {
	n := 0
	for {
		_, end, ok := p.find(words, from, to)
		if !ok {
			return n
		}
		n, from = n+1, end
	}
}

// readCredit sets the fact whether credit taken is in dispute, from the charges.
func (p *paper) readCredit() {
	var at []Quote
	for _, s := range p.charges {
		for _, v := range s.known["charge.issue"] {
			if isCredit(v.Text) {
				at = append(at, v.At...)
			}
		}
	}
	start, end, ok := p.find("transitional credit|tran-1|tran-2", 0, len(p.low))
	if ok && at == nil && p.isKind("notice", "order", "appellate order") {
		at = []Quote{p.around(start, end)}
	}
	if at == nil && !slices.ContainsFunc(p.facts.Issues, isCredit) {
		return
	}
	p.known.put("paper.credit", Value{Kind: Truth, Yes: true, At: at})
}

// onCreditAlone reports whether all charges of the paper are about credit.
func (p *paper) onCreditAlone() bool {
	for _, c := range p.charges {
		if len(c.known["charge.issue"]) == 0 || slices.ContainsFunc(c.known["charge.issue"], func(v Value) bool {
			return !isCredit(v.Text)
		}) {
			return false
		}
	}
	return len(p.charges) > 0
}

// isCredit reports whether an issue is about credit that was taken.
func isCredit(issue string) bool {
	return strings.HasPrefix(issue, "itc_") || issue == "fake_invoice_nongenuine" || issue == "common_credit_r42_43"
}

// Amounted returns the facts of a paper with the tax of its charges by head, also if it is only stated in the words
// of a charge or in a table that lists the charges.
func Amounted(t *law.Tables, f gst.Facts, pages []gst.Page) gst.Facts {
	p := read(t, f, pages, law.Day{})
	if p.isOneCharge() {
		return f
	}
	f.Paragraphs = slices.Clone(f.Paragraphs)
	for _, s := range p.charges {
		i := slices.IndexFunc(f.Paragraphs, func(c gst.Paragraph) bool {
			return c.Number == s.part.Para && c.Page == p.page(s.from) && (c.Kind == "charge" || c.Kind == "")
		})
		if i < 0 || s.part.Para == "" || len(s.amounts) == 0 || s.amounts[0].Head == "" ||
			slices.Equal(taxOf(f.Paragraphs[i]), s.amounts) {
			continue
		}
		f.Paragraphs[i].Amounts = nil
		for _, h := range s.amounts {
			f.Paragraphs[i].Amounts = append(f.Paragraphs[i].Amounts,
				gst.ChargeAmount{DemandRow: gst.DemandRow{Head: h.Head, Tax: float64(h.Amount) / 100}})
		}
	}
	return f
}

// around returns the sentence that contains a stretch of the text.
func (p *paper) around(start, end int) Quote {
	from, to := p.sentence(start)
	return p.quote(from, max(to, end))
}

// block is the position of a charge.
type block struct {
	number   string
	from, to int
	charge   bool
	amounts  []Head // as in the facts
}

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

// blocks returns the charges in the text.
func (p *paper) blocks() []block {
	var all []block
	at := 0
	refund := p.isKind("refund notice", "refund order", "deficiency memo")
	for _, para := range p.facts.Paragraphs {
		start := lower(strings.Join(strings.Fields(para.Text), " "))
		if len(start) > 40 {
			start = start[:40]
		}
		from := 0
		if n := para.Page - 1; n >= 0 && n < len(p.starts) {
			from = max(p.starts[n], at)
		}
		i := strings.Index(p.low[min(from, len(p.low)):], start)
		// The dash may be printed differently.
		if _, title, ok := strings.Cut(start, " - "); i < 0 && ok && len(title) > 12 {
			i = strings.Index(p.low[min(from, len(p.low)):], title)
		}
		// So may quotation marks.
		if at := strings.IndexAny(start, `'"`); i < 0 && at > 10 {
			i = strings.Index(p.low[min(from, len(p.low)):], start[:at])
		}
		if i < 0 || start == "" {
			continue
		}
		b := block{number: para.Number, from: min(from, len(p.low)) + i, charge: para.Kind == "charge" ||
			para.Kind == "", amounts: taxOf(para)}
		if said := lower(para.Text); p.isKind("scrutiny", "audit report") && para.Kind == "narrative" &&
			hasAny(said, "tax", "itc", "credit", "interest", "late fee", "rate") { // a discrepancy
			b.charge = slices.ContainsFunc(gst.Sums(said), func(s gst.Sum) bool { return s.Marked })
		}
		if refund && para.Kind == "narrative" { // a ground for denying it
			said := lower(para.Text)
			b.charge = slices.ContainsFunc(gst.Sums(said), func(s gst.Sum) bool { return s.Marked }) ||
				hasAny(said, "54(1)", "two years", "time barred", "time-barred", "barred by", "limitation", "दो वर्ष")
		}
		at = b.from + 1
		all = append(all, b)
	}
	p.toldInOrder(all)
	if refund { // the form lists its reasons in a table, and explains each of them below
		if remarks := p.marked(); len(remarks) > len(all) {
			all = remarks
		}
	}
	if len(all) == 0 {
		all = p.numberedLines()
	}
	if len(all) == 0 {
		all = p.marked()
	}
	if len(all) == 0 {
		for _, bullet := range []string{"\n• ", "\n● ", "\n▪ "} {
			for i := 0; ; {
				n := strings.Index(p.all[i:], bullet)
				if n < 0 {
					break
				}
				i += n + 1
				all = append(all, block{from: i, charge: true})
			}
		}
		slices.SortFunc(all, func(a, b block) int { return a.from - b.from })
	}
	if len(all) == 0 {
		return []block{{to: len(p.low)}}
	}
	for i := range all {
		end := len(p.low)
		if i+1 < len(all) {
			end = all[i+1].from
		}
		all[i].to = p.beforeHeading(all[i].from, min(end, all[i].from+4000))
		if start, _, ok := p.find(closing, all[i].from+20, all[i].to); ok {
			all[i].to = start
		}
		if m := partOfOrder.FindStringIndex(p.all[all[i].from:all[i].to]); m != nil {
			all[i].to = all[i].from + m[0]
		}
		all[i].to = p.beforeAnnexure(all[i].from, all[i].to)
	}
	if all = slices.DeleteFunc(all, func(b block) bool { return !b.charge }); len(all) == 0 {
		return []block{{to: len(p.low)}}
	}
	return all
}

// partOfOrder is the heading of the next part of an order, behind what was alleged.
var partOfOrder = lazyregexp.New(`(?m)^(?:DEFENCE|REPLY|SUBMISSIONS?|PERSONAL HEARING|RECORD OF|DISCUSSIONS?|FINDINGS)\b[A-Z ,&]*$`)

// heading is a line that names the next charge, "MATTER THE SECOND: credit in excess of GSTR-2B", "C. Other proceedings".
var heading = lazyregexp.New(`^(?:(?:matter|issue|charge|point|part|discrepancy|allegation|objection|ground)\b[^.]*` +
	`|[A-Z][.)] [^.;:]{3,60})$`)

// beforeHeading returns where a charge ends if the heading of the next one follows it.
func (p *paper) beforeHeading(from, to int) int {
	body := strings.TrimRight(p.all[from:to], "\n ")
	line := strings.LastIndexByte(body, '\n')
	if line < 0 || len(body)-line > 120 {
		return to
	}
	last := strings.TrimSpace(body[line:])
	if heading.MatchString(last) || heading.MatchString(lower(last)) {
		return from + line
	}
	return to
}

// beforeAnnexure returns where a charge ends if the heading of an annexure follows it.
func (p *paper) beforeAnnexure(from, to int) int {
	const heading = 90
	for _, l := range p.linesIn(from+1, to) {
		if l.to-l.from <= heading && len(l.cells) == 0 && annexed.MatchString(p.low[l.from:l.to]) {
			return l.from
		}
	}
	return to
}

// toldInOrder takes the paragraphs of facts in an order as its charges if their amounts add up to all of its tax. The
// findings then only repeat them in a word, without amounts.
func (p *paper) toldInOrder(all []block) {
	tax := sumOf(p.demandOf(TakesTax))
	if !p.isKind("order") || tax == nil {
		return
	}
	var sum Amount
	told := map[int]bool{}
	heads := map[int][]Head{}
	for i, b := range all {
		to := min(len(p.low), b.from+4000)
		if i+1 < len(all) {
			to = all[i+1].from
		}
		if b.charge && b.amounts != nil {
			return
		}
		found := p.headsIn(p.low[b.from:to])
		if len(found) == 0 || b.charge || hasAny(p.low[b.from:min(to, b.from+60)], "i confirm", "i impose", "i order") {
			continue
		}
		if s := *sumOf(found); s < *tax {
			sum += s
			told[i], heads[i] = true, found
		}
	}
	if sum != *tax || len(told) < 2 {
		return
	}
	for i := range all {
		all[i].charge, all[i].amounts = told[i], heads[i]
	}
}

// numberedLines returns the numbered rows of a table of grounds, "1 The claim …", "2 Credit on …".
func (p *paper) numberedLines() []block {
	_, from, ok := p.find("following reasons|following reason|following grounds|following discrepan|following "+
		"defect|reasons of inadmissib|reason", 0, len(p.low))
	if !ok {
		return nil
	}
	var all []block
	for n := 1; ; n++ {
		i := -1
		for _, mark := range []string{" ", ". ", ") "} {
			if at := strings.Index(p.all[from:], "\n"+strconv.Itoa(n)+mark); at >= 0 && (i < 0 || at < i) {
				i = at
			}
		}
		if i < 0 {
			break
		}
		from += i + 1
		all = append(all, block{number: strconv.Itoa(n), from: from, charge: true})
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// isKind reports whether the paper is of one of these kinds.
func (p *paper) isKind(kinds ...string) bool {
	k := p.known.one("paper.kind")
	return k != nil && slices.Contains(kinds, k.Text)
}

// closing are words that begin the text after the last charge.
const closing = "you are hereby |you are directed|you are required to show|you are called upon|now, therefore|now " +
	"therefore|summary of tax|the tax, interest and|signature|for the above discrepancies|अतः आपको|प्रस्तावित " +
	"देय|interest has been worked out|interest has been calculated|the amount found payable|the demand stands " +
	"thus|the demand works out|the demand is summarised|show cause |quantification"

// amountsOf returns the tax of a charge by head: that of the demand if it is the only charge, else the amounts in its
// words.
func (p *paper) amountsOf(c block) []Head {
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
		if len(p.facts.Issues) > 1 || p.count("and whereas", 0, len(p.low)) > 1 {
			return nil
		}
		// what an order on an appeal adds was no part of the charge
		if added, tax := p.known.one("appeal.added"), sumOf(p.demandOf(TakesTax)); added != nil && tax != nil && int64(*tax) > added.Paise {
			return []Head{{"", *tax - Amount(added.Paise)}}
		}
		return p.demandOf(TakesTax)
	}
	if heads := p.headsInRow(c); heads != nil {
		return evenly(heads)
	}
	if heads := p.headsInWords(c); heads != nil {
		return evenly(heads)
	}
	if before := p.beforeTable(c); before < c.to { // the table of the demand may stand behind the last charge
		c.to = before
		if heads := p.headsInWords(c); heads != nil {
			return evenly(heads)
		}
	}
	if heads := p.sumInWords(c); heads != nil {
		return heads
	}
	if p.isOneCharge() {
		return p.demandOf(TakesTax)
	}
	return nil
}

// isOneCharge reports whether all paragraphs of a paper concern the same matter (the receipt of goods and the status
// of their suppliers, say): at most one of them names a tax, and that is the whole demand.
func (p *paper) isOneCharge() bool {
	whole := 0
	charges := p.facts.Charges()
	for _, c := range charges {
		switch heads := taxOf(c); {
		case heads == nil:
		case slices.Equal(heads, p.demandOf(TakesTax)):
			whole++
		default:
			return false
		}
	}
	return whole == 1 && len(charges) > 1 &&
		slices.Equal(slices.DeleteFunc(slices.Clone(p.facts.Issues), func(issue string) bool {
			return issue == "section_74_fraud" || issue == "interest_s50"
		}), []string{"fake_invoice_nongenuine"})
}

// headsInList reads the row of a charge in a table that lists the charges by number, "2 Excess ITC 97,120 97,120
// 15,500", below the names of the heads. The rows must add up to the printed total.
func (p *paper) headsInList(number string) []Head {
	var names []string
	rows := map[string][]Amount{}
	var added []Amount
	columns := 0 // of the heads, and of their total where there is one
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

// rowsNumbered adds up the rows of a charge, "2", and of its parts, "2(a)" and "2(b)".
func rowsNumbered(rows map[string][]Amount, number string) []Amount {
	if own := rows[number]; own != nil || number == "" {
		return own
	}
	number = strings.Trim(lower(number), ".():")
	var sum []Amount
	for key, sums := range rows {
		if key == number || strings.HasPrefix(key, number+"(") {
			sum = addTo(sum, sums)
		}
	}
	return sum
}

// addTo adds amounts to others, place by place.
func addTo(sum, more []Amount) []Amount {
	if sum == nil {
		return slices.Clone(more)
	}
	for i := range more {
		sum[i] += more[i]
	}
	return sum
}

// amountsIn parses words that are all plain amounts, nil if one is not.
func amountsIn(words []string) []Amount {
	var all []Amount
	for _, word := range words {
		word = strings.TrimRight(word, "!°*'|") // what recognition made of the grid
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

// isWhole reports whether the tax read for one of several charges is the whole demand; then it was read from the
// table after the charge.
func (p *paper) isWhole(c block) bool {
	if len(p.facts.Charges()) < 2 {
		return false
	}
	return slices.Equal(c.amounts, p.demandOf(TakesTax))
}

// beforeTable returns where a table of heads of tax begins in a charge, else the end of the charge.
func (p *paper) beforeTable(c block) int {
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

// sumInWords reads "Credit of Rs. 1,33,000 …" in a charge that names no other amount, and "… tax at 12% = Rs. 56,000"
// after other amounts.
func (p *paper) sumInWords(c block) []Head {
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
	tax := sumOf(p.demandOf(TakesTax))
	if tax == nil && p.facts.Demand != nil || len(found) == 0 {
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

// headsInWords reads "CGST Rs. 96,385 and SGST Rs. 96,385". If a head has two different amounts, the result is
// uncertain and is not used.
func (p *paper) headsInWords(c block) []Head {
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

// comesTo are words after which a charge states its amount.
var comesTo = [...]string{"works out", "worked out", "comes to", "short paid", "short-paid", "difference", "excess of",
	"excess credit", "to be reversed", "is payable", "short payment", "अंतर", "अन्तर"}

func (p *paper) headsIn(words string) []Head {
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

// yearsIn counts the financial years of the paper that the words name.
func (p *paper) yearsIn(words string) int {
	n := 0
	for _, period := range p.facts.Periods {
		if hasAny(words, spellings(period.FY)...) {
			n++
		}
	}
	return n
}

// differences are labels of the rows in a charge's table that state its amount.
var differences = [...]string{"difference", "short paid", "amount quantified", "excess availed", "excess claimed",
	"sub-total", "reversal due", "grand total", "total"}

// headsInRow reads the row "Difference 2,18,460 1,46,915 1,46,915 5,12,290" below the names of the heads.
func (p *paper) headsInRow(c block) []Head {
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

// credible returns the heads unchanged, or nil if one exceeds the whole demand under that head.
func (p *paper) credible(heads []Head) []Head {
	if p.facts.Demand == nil {
		return heads
	}
	for _, h := range heads {
		i := slices.IndexFunc(p.facts.Demand.Rows, func(r gst.DemandRow) bool { return r.Head == h.Head })
		if i < 0 || h.Amount > paiseOf(p.facts.Demand.Rows[i].Tax) {
			return nil
		}
	}
	return heads
}

// periodOf sets the period of a charge from the months that it names, else from the paper.
func (p *paper) periodOf(k known, words string, offset int) {
	if len(p.facts.Periods) > 0 {
		at := p.at("periods")
		first, last := p.facts.Periods[0], p.facts.Periods[len(p.facts.Periods)-1]
		k.day("charge.from", law.ParseDay(first.From), at)
		k.day("charge.to", law.ParseDay(last.To), at)
	}
	months := monthsIn(words)
	p.narrower(k, months, words, offset)
	if len(months) == 1 {
		k.day("charge.month", months[0].first, []Quote{p.around(offset+months[0].start, offset+months[0].end)})
	}
	for _, m := range months {
		k.add("charge.two_years", Value{Kind: Day, Day: m.first.AddMonths(24),
			At: []Quote{p.around(offset+m.start, offset+m.end)}})
	}
}

// narrower sets the period of a charge to the months of its supplies that it names within that of the paper, "April 2021
// to December 2021", "received in October 2018", and the only day that it names.
func (p *paper) narrower(k known, months []month, words string, offset int) {
	if days := gst.Dates(words); len(days) == 1 {
		k.day("charge.day", days[0].Day, []Quote{p.around(offset+days[0].Start, offset+days[0].End)})
	}
	from, to := k.one("charge.from"), k.one("charge.to")
	if len(months) == 0 || from == nil || to == nil || !suppliedIn(months, words) {
		return
	}
	first, last := months[0].first, months[len(months)-1].first.AddMonths(1).AddDays(-1)
	if first.Before(from.Day) || last.After(to.Day) || last.Before(first) {
		return
	}
	at := []Quote{p.around(offset+months[0].start, offset+months[len(months)-1].end)}
	k.day("charge.from", first, at)
	k.day("charge.to", last, at)
}

// suppliedIn reports whether months are one span or list, in which supplies were made or received.
func suppliedIn(months []month, words string) bool {
	const before = 36
	near := words[max(0, months[0].start-before):months[0].start]
	if len(months) == 1 {
		directly := strings.TrimRight(near, " ")
		behind := strings.HasSuffix(directly, " in") || strings.HasSuffix(directly, " during") || strings.HasSuffix(directly, " for")
		return (behind && hasAny(near, "bought", "purchas", "received", "supplied", "sold", "cleared", "hired", "rent", "paid for", "availed", "services",
			"persons", "dealers", "suppliers") || hasAny(near, "for the month", "in the month", "month of", "माह")) && !hasAny(near, "return", "3b", "gstr", "filed", "audit", "visit", "inspection")
	}
	for i, m := range months[1:] {
		between := strings.Trim(words[months[i].end:max(months[i].end, m.start)], " ")
		if slices.Contains([]string{"to", "-", "–", "till", "upto", "up to", "से", "through"}, between) && len(months) == 2 ||
			between == "and" && len(months) == 2 && strings.HasSuffix(strings.TrimRight(near, " "), "between") {
			continue
		}
		if len(months) < 3 || !separates(between) {
			return false
		}
	}
	return months[0].first.Before(months[len(months)-1].first)
}

// month is a month with its year in a text.
type month struct {
	start, end int
	first      law.Day
}

var monthNames = [12][]string{
	{"january", "jan", "जनवरी"}, {"february", "feb", "फरवरी", "फ़रवरी"}, {"march", "mar", "मार्च"},
	{"april", "apr", "अप्रैल"}, {"may", "मई"}, {"june", "jun", "जून"}, {"july", "jul", "जुलाई"},
	{"august", "aug", "अगस्त"}, {"september", "sept", "sep", "सितम्बर", "सितंबर"},
	{"october", "oct", "अक्टूबर", "अक्तूबर"},
	{"november", "nov", "नवम्बर", "नवंबर"},
	{"december", "dec", "दिसम्बर", "दिसंबर"},
}

// monthsIn returns the months with years, "April 2024", "Apr-2024", "नवम्बर 2021", that are not part of a date.
func monthsIn(low string) []month {
	var all []month
	for i := 0; i+4 <= len(low); i++ {
		if low[i] != '2' || low[i+1] != '0' || i+4 < len(low) && alnum(low[i+4]) || i > 0 && alnum(low[i-1]) {
			continue
		}
		year, err := strconv.Atoi(low[i : i+4])
		if err != nil {
			continue
		}
		before := strings.TrimRight(low[max(0, i-30):i], " -,'")
		for n, names := range monthNames {
			for _, name := range names {
				rest, ok := strings.CutSuffix(before, name)
				if !ok || rest != "" && alnum(rest[len(rest)-1]) {
					continue
				}
				rest = strings.TrimRight(rest, " -,")
				if rest != "" && (rest[len(rest)-1] >= '0' && rest[len(rest)-1] <= '9' || hasOrdinal(rest)) {
					break // "14 December 2022" is a day
				}
				first, _ := law.NewDay(year, n+1, 1)
				all = append(all, month{max(0, i-len(name)-1), i + 4, first})
				break
			}
		}
	}
	return all
}

func hasOrdinal(s string) bool {
	for _, o := range []string{"th", "st", "nd", "rd", "day of"} {
		if rest, ok := strings.CutSuffix(s, o); ok &&
			(o == "day of" || rest != "" && rest[len(rest)-1] >= '0' && rest[len(rest)-1] <= '9') {
			return true
		}
	}
	return false
}

// creditOf reads, in a charge about credit, the year of the invoices and the day on which the return was filed.
func (p *paper) creditOf(s scope) {
	if _, _, ok := p.text.find("16(4)|time limit|last date|time-limit|समय सीमा", s.from, s.to); !ok {
		return
	}
	k := s.known
	p.invoiceYear(s)
	p.returnDay(s)
	p.annualDay(s)
	p.returnMonth(s)
	if len(k["charge.return_day"]) == 0 && len(p.facts.Paragraphs) < 8 {
		whole := s
		whole.from, whole.to = 0, len(p.low) // an order states it in its reasons
		p.returnDay(whole)
	}
	for _, v := range k["charge.invoice_year"] {
		if d := creditLast(v.Text); !d.IsZero() {
			k.add("charge.credit_last", Value{Kind: Day, Day: d})
		}
	}
}

// invoiceYear reads the financial year of the invoices whose credit is denied.
func (p *paper) invoiceYear(s scope) {
	words := p.low[s.from:s.to]
	for i := 0; i+7 <= len(words); i++ {
		if words[i] != '2' || !strings.HasPrefix(words[i:], "20") || i > 0 && alnum(words[i-1]) || words[i+4] != '-' {
			continue
		}
		fy := words[i : i+7]
		if i+9 <= len(words) && strings.HasPrefix(words[i+5:], "20") && words[i+7] >= '0' && words[i+7] <= '9' {
			fy = words[i:i+5] + words[i+7:i+9]
		}
		year, err := strconv.Atoi(fy[:4])
		if err != nil || fy[5:] != strconv.Itoa((year+1)%100) {
			continue
		}
		near, after := words[max(0, i-70):i], words[i:min(len(words), i+60)]
		if hasAny(near, "invoice", "pertaining to", "relating to", "debit note", "bills of", "credit of",
			"supplies of", "itc for", "credit for", "itc of") || hasAny(after, "invoice", "के बीजक", "के चालान", "से संबंधित") {
			s.known.add("charge.invoice_year", Value{Kind: Year, Text: fy, At: []Quote{p.around(s.from+i, s.from+i+7)}})
		}
	}
	if len(s.known["charge.invoice_year"]) > 0 {
		return
	}
	for _, m := range monthsIn(words) {
		if near := words[max(0, m.start-60):m.start]; hasAny(near, "invoices of", "invoices for", "invoices dated",
			"invoices issued in", "pertaining to") &&
			!hasAny(near[max(0, len(near)-12):], "3b") {
			s.known.add("charge.invoice_year",
				Value{Kind: Year, Text: m.first.FinancialYear(), At: []Quote{p.around(s.from+m.start, s.from+m.end)}})
		}
	}
	if first, last := s.known.one("charge.invoices_first"), s.known.one("charge.invoices_last"); len(s.known["charge.invoice_year"]) == 0 &&
		first != nil && last != nil && first.Day.FinancialYear() == last.Day.FinancialYear() {
		s.known.put("charge.invoice_year", Value{Kind: Year, Text: first.Day.FinancialYear(), At: first.At})
	}
	if len(s.known["charge.invoice_year"]) > 0 || len(p.facts.Periods) != 1 {
		return
	}
	if start, end, ok := p.text.find("preceding year|previous year|preceding financial year|previous financial "+
		"year|earlier year", s.from, s.to); ok {
		year, err := strconv.Atoi(p.facts.Periods[0].FY[:4])
		if err == nil {
			d, _ := law.NewDay(year-1, 6, 1)
			s.known.add("charge.invoice_year",
				Value{Kind: Year, Text: d.FinancialYear(), At: []Quote{p.around(s.from+start-s.from, end)}})
		}
	}
}

// returnDay reads the day on which the return with the credit was filed.
func (p *paper) returnDay(s scope) {
	words := p.low[s.from:s.to]
	for _, d := range gst.Dates(words) {
		near := words[max(0, d.Start-110):d.Start]
		at := strings.LastIndex(near, "filed")
		for _, w := range []string{"furnished", "filing", "दाखिल", "uploaded"} {
			at = max(at, strings.LastIndex(near, w))
		}
		// "… filed its GSTR-3B returns of February 2020 and March 2020 on 15.11.2020"
		if at >= 0 && len(near)-at > 34 && strings.HasSuffix(near, " on ") && hasAny(near[at:], "3b return", "return") &&
			!strings.ContainsAny(near[at:], ";।") && len(gst.Dates(near[at:])) == 0 && !hasAny(near[at:], "annual", "gstr-9", "reply", ". ") {
			s.known.add("charge.return_day",
				Value{Kind: Day, Day: d.Day, At: []Quote{p.around(s.from+d.Start, s.from+d.End)}})
			continue
		}
		if at < 0 || len(near)-at > 34 {
			continue
		}
		near = near[:at]
		if i := max(strings.LastIndex(near, "return"), strings.LastIndex(near, "3b"),
			strings.LastIndex(near, "विवरणी")); i < 0 ||
			hasAny(near[max(0, i-12):], "drc-06", "asmt-11", "reply", "gstr-9", "annual") {
			continue
		}
		s.known.add("charge.return_day",
			Value{Kind: Day, Day: d.Day, At: []Quote{p.around(s.from+d.Start, s.from+d.End)}})
	}
}

// returnMonth reads of which month the return with the credit is, and counts its due day, the twentieth of the next.
func (p *paper) returnMonth(s scope) {
	const before = 44
	words := p.low[s.from:s.to]
	for _, m := range monthsIn(words) {
		near := words[max(0, m.start-before):m.start]
		if after := words[m.end:min(len(words), m.end+34)]; hasAny(after, "की विवरणी", "के gstr-3b", "के gstr 3b", "की gstr-3b") {
			s.known.add("charge.return_due", Value{Kind: Day, Day: m.first.AddMonths(1).AddDays(19),
				At: []Quote{p.around(s.from+m.start, s.from+m.end)}})
			continue
		}
		at := max(strings.LastIndex(near, "return"), strings.LastIndex(near, "3b"), strings.LastIndex(near, "विवरणी"))
		if at < 0 || hasAny(near[at:], "filed", "upto", "up to", "due date", "invoice", "after", "till", "by the", "last date", "september following",
			"not later", "furnished") || hasAny(near, "due date of", "due date for", "last date", "upto the", "up to the", "not later than", "beyond the due") {
			continue
		}
		s.known.add("charge.return_due", Value{Kind: Day, Day: m.first.AddMonths(1).AddDays(19),
			At: []Quote{p.around(s.from+m.start, s.from+m.end)}})
	}
}

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// refundItem reads how much of a refund one reason denies: the only amount in it that is certainly money.
func (p *paper) refundItem(s scope) {
	if k := p.known.one("paper.kind"); k == nil || k.Text != "refund notice" || s.to-s.from == len(p.low) {
		return
	}
	if paise, q := p.itemInList(s.part.Para); paise > 0 {
		s.known.put("refund.item", Value{Kind: Money, Paise: paise, At: []Quote{q}})
		return
	}
	var found []gst.Sum
	for _, sum := range gst.Sums(p.low[s.from:s.to]) {
		if sum.Marked && sum.Paise >= 100_00 {
			found = append(found, sum)
		}
	}
	switch {
	case len(found) == 1:
		s.known.put("refund.item", Value{Kind: Money, Paise: found[0].Paise, At: []Quote{p.quote(s.from, s.to)}})
	default:
		if sum := p.inColumn(s.from, s.to); sum > 0 && p.columnAddsUp() {
			s.known.put("refund.item", Value{Kind: Money, Paise: sum, At: []Quote{p.quote(s.from, s.to)}})
		}
	}
}

// itemInList returns the amount of a reason from the form's table of reasons, "ii Mistake in refund calculation 84,000".
func (p *paper) itemInList(number string) (int64, Quote) {
	at := strings.Index(p.low, "amount inadmissible")
	if number == "" || at < 0 {
		return 0, Quote{}
	}
	for line := range strings.Lines(p.all[at:]) {
		words := strings.Fields(lower(line))
		if len(words) > 2 && strings.Trim(words[0], "().") == strings.Trim(lower(number), "().") {
			if sums := amountsIn(words[len(words)-1:]); sums != nil && sums[0] > 0 {
				return int64(sums[0]), p.quote(at, at+len(line))
			}
			return 0, Quote{}
		}
		at += len(line)
	}
	return 0, Quote{}
}

// inColumn returns the only amount at the end of a line in a stretch, as in a column of amounts; 0 if there are none
// or several.
func (p *paper) inColumn(from, to int) int64 {
	var found int64
	for line := range strings.Lines(p.all[from:to]) {
		words := strings.Fields(lower(line))
		if len(words) > 1 && words[0] == "total" {
			break
		}
		if len(words) < 2 && found != 0 || len(words) == 0 || !strings.Contains(words[len(words)-1], ",") {
			continue
		}
		if sums := amountsIn(words[len(words)-1:]); sums != nil {
			if found != 0 {
				return 0
			}
			found = int64(sums[0])
		}
	}
	return found
}

// columnAddsUp reports whether the amounts of the reasons for rejecting a refund add up to a printed total.
func (p *paper) columnAddsUp() bool {
	var sum int64
	blocks := p.blocks()
	for _, b := range blocks {
		item := p.inColumn(b.from, b.to)
		if item == 0 {
			return false
		}
		sum += item
	}
	for line := range strings.Lines(p.all) {
		if words := strings.Fields(lower(line)); len(words) > 1 && words[0] == "total" {
			if sums := amountsIn(words[len(words)-1:]); sums != nil && int64(sums[0]) == sum {
				return len(blocks) > 1
			}
		}
	}
	return false
}

// exclusion is what N.13/2022-Central Tax leaves out of the time for a refund.
var exclusion = struct{ from, to law.Day }{law.ParseDay("2020-03-01"), law.ParseDay("2022-02-28")}

// refundExtended reads, in a charge about a refund out of time, the day on which the two years are said to have ended,
// and counts when they end with the days left out that N.13/2022-Central Tax does not count.
func (p *paper) refundExtended(s scope) {
	if !p.isKind("refund notice", "refund order", "deficiency memo") {
		return
	}
	const near = 40
	if p.refundFromRelevantDate(s) {
		return
	}
	for at := s.from; ; {
		start, end, ok := p.text.find("expired on|ended on|expires on|lapsed on|was up to|up to|last date was|last date "+
			"being|till|on or before|latest by", at, s.to)
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(s.to, end+near)]) {
			if d.Day.Before(exclusion.from) {
				break
			}
			begins := d.Day.AddMonths(-24)
			if begins.Before(exclusion.from) {
				begins = exclusion.from
			}
			if begins.After(exclusion.to) {
				return
			}
			left := begins.DaysUntil(exclusion.to) + 1
			s.known.put("charge.two_years_longer", Value{Kind: Day, Day: d.Day.AddDays(left),
				At: []Quote{p.around(start, end+d.End)}})
			return
		}
	}
}

// refundFromRelevantDate reads, in a charge about a refund out of time, the relevant date that it names, and counts the two
// years from it with the days that N.13/2022-Central Tax leaves out.
func (p *paper) refundFromRelevantDate(s scope) bool {
	const near, before = 60, 160
	start, _, ok := p.text.find("two years|2 years|54(1)|दो वर्ष", s.from, s.to)
	if !ok {
		return false
	}
	at, end, ok := p.text.find("relevant date|due date of the last return|due date of the return|due date of return|due date of "+
		"filing the return|due date of filing of return|due date of gstr|due date for the return|realisation|payment was received|payment received|received on|date of "+
		"export|let export|left india|shipped on|सुसंगत तिथि", max(s.from, start-before), s.to)
	if !ok {
		return false
	}
	days := gst.Dates(p.low[end:min(s.to, end+near)])
	if len(days) != 1 && (len(days) == 0 || days[0].Start > 30) {
		return false
	}
	relevant := days[0].Day
	last := relevant.AddMonths(24)
	if !last.After(exclusion.from) || relevant.After(exclusion.to) {
		return false
	}
	begins := relevant
	if begins.Before(exclusion.from) {
		begins = exclusion.from
	}
	s.known.put("charge.two_years_longer", Value{Kind: Day, Day: last.AddDays(begins.DaysUntil(exclusion.to) + 1),
		At: []Quote{p.around(at, end+days[0].End)}})
	return true
}

// turnoverBefore reads, in a charge, the turnover of a year before the period.
func (p *paper) turnoverBefore(s scope) {
	const near = 70
	for at := s.from; ; {
		start, end, ok := p.text.find("turnover|टर्नओवर|कुल कारोबार", at, s.to)
		if !ok {
			return
		}
		at = end
		from, to := p.sentence(start)
		words := p.low[max(from, s.from):min(to, s.to)]
		sums := slices.DeleteFunc(gst.Sums(p.low[end:min(s.to, end+near)]), func(s gst.Sum) bool { return !s.Marked })
		if len(sums) == 0 || hasAny(p.low[end:end+sums[0].Start], "limit", "threshold", "exceed") ||
			!hasAny(words, "preceding", "previous year", "prior year", "पूर्ववर्ती", "पिछले वर्ष") && !p.namesEarlierYear(words) {
			continue
		}
		s.known.add("charge.turnover", Value{Kind: Money, Paise: sums[0].Paise, At: []Quote{p.around(start, end)}})
	}
}

// namesEarlierYear reports whether words name the financial year before those of the paper, and none of these.
func (p *paper) namesEarlierYear(words string) bool {
	if len(p.facts.Periods) == 0 {
		return false
	}
	first := law.ParseDay(p.facts.Periods[0].From)
	if first.IsZero() {
		return false
	}
	return hasAny(words, spellings(first.AddMonths(-12).FinancialYear())...)
}

// annualFee reads, in a charge of late fee for an annual return from 2022-23, the turnover, and counts the most that
// N.7/2023-Central Tax leaves: 0.02 per cent of it under each Act, up to a turnover of twenty crore.
func (p *paper) annualFee(s scope) {
	const near, most = 60, 20_00_00_000_00
	if v := s.known.one("charge.from"); v == nil || v.Day.ISO() < "2022-04-01" {
		return
	}
	if _, _, ok := p.text.find("gstr-9|gstr 9|gstr9|annual return|वार्षिक विवरणी", s.from, s.to); !ok {
		return
	}
	start, end, ok := p.text.find("turnover|टर्नओवर", s.from, s.to)
	if !ok {
		return
	}
	sums := gst.Sums(p.low[end:min(s.to, end+near)])
	if len(sums) == 0 || !sums[0].Marked || sums[0].Paise > most || sums[0].Paise < 1_00_000_00 ||
		hasAny(p.low[end:end+sums[0].Start], "up to", "limit", "exceed", "above") {
		return
	}
	at := []Quote{p.around(start, end+sums[0].End)}
	fee := sums[0].Paise / 2500                                             // 0.04 per cent
	if m := feeDays.FindStringSubmatchIndex(p.low[s.from:s.to]); m != nil { // and fifty or a hundred rupees a day until then
		day := int64(100_00)
		if sums[0].Paise <= 5_00_00_000_00 {
			day = 50_00
		}
		if days := int64(number(p.low[s.from+m[2] : s.from+m[3]])); days > 0 {
			fee = min(fee, day*days)
			at = append(at, p.around(s.from+m[0], s.from+m[1]))
		}
	}
	s.known.put("charge.fee_turnover", Value{Kind: Money, Paise: sums[0].Paise, At: at})
	s.known.put("charge.fee_most", Value{Kind: Money, Paise: fee, At: at})
	v := p.known.one("demand.fee")
	if a, m := p.known.one("fee.a_day"), feeDays.FindStringSubmatch(p.low[s.from:s.to]); v == nil && a != nil && m != nil {
		asked := a.Paise * int64(number(m[1]))
		if asked > 0 && slices.ContainsFunc(gst.Sums(p.low[s.from:s.to]), func(s gst.Sum) bool { return s.Marked && s.Paise == asked }) {
			v = &Value{Kind: Money, Paise: asked, At: a.At}
		}
	}
	if v != nil {
		s.known.put("charge.fee_over", Value{Kind: Money, Paise: max(0, v.Paise-fee), At: append(at, v.At...)})
	}
}
