package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readColumns finds a printed total that is not the sum of its column. All other columns of the table must add up: this
// shows that the table was read correctly and that the paper itself is wrong.
func (p *Paper) readColumns() {
	var rows []line
	for _, l := range p.lines {
		switch {
		case len(l.cells) > 1 && l.isTotal():
			if made, printed, ok := misadded(rows, l.cells); ok {
				q := []Quote{p.quoteLine(l)}
				p.Known.Put("column.sum", Value{Kind: Money, Paise: made, At: q})
				p.Known.Put("column.printed", Value{Kind: Money, Paise: printed, At: q})
				p.Known.Put("column.differs", Value{Kind: Money, Paise: max(made-printed, printed-made), At: q})
				return
			}
			rows = nil
		case len(l.cells) < 2 || !l.wide:
			rows = nil
		default:
			rows = append(rows, l)
		}
	}
}

// misadded returns the correct sum and the printed total of the column that does not add up. ok is false unless there
// is exactly one such column.
func misadded(rows []line, totals []int64) (made, printed int64, ok bool) {
	if len(rows) < 2 {
		return 0, 0, false
	}
	wrong := 0
	for i, total := range totals {
		var sum int64
		for _, r := range rows {
			if len(r.cells) < len(totals) || len(r.cells) != len(rows[0].cells) {
				return 0, 0, false
			}
			sum += r.cells[len(r.cells)-len(totals)+i]
		}
		if sum != total {
			wrong++
			made, printed = sum, total
		}
	}
	// If they differ by half, a digit was misread, or the total is not the sum of the column.
	return made, printed, wrong == 1 && printed > made/2 && made > printed/2
}

// readRows finds the row of the demand whose total is not the sum of its columns. There must be only one such row, and
// at least one other row must add up.
func (p *Paper) readRows() {
	var wrong line
	right, amiss := 0, 0
	var made int64
	for _, l := range p.lines {
		n := len(l.cells)
		if n < 3 || !l.wide || len(l.label) == 0 || gst.TaxHead(l.label[0]) == "" {
			continue
		}
		sum := int64(0)
		for _, c := range l.cells[:n-1] {
			sum += c
		}
		switch last := l.cells[n-1]; {
		case sum == last:
			right++
		case sum > last/2 && last > sum/2:
			amiss++
			wrong, made = l, sum
		}
	}
	if right == 0 || amiss != 1 {
		return
	}
	printed := wrong.cells[len(wrong.cells)-1]
	at := []Quote{p.quoteLine(wrong)}
	p.Known.Put("row.sum", Value{Kind: Money, Paise: made, At: at})
	p.Known.Put("row.printed", Value{Kind: Money, Paise: printed, At: at})
	p.Known.Put("row.differs", Value{Kind: Money, Paise: max(made-printed, printed-made), At: at})
}

// readDoubled finds a row that an annexure lists twice: the same document with the same amounts.
func (p *Paper) readDoubled() {
	const reach = 60
	type key struct {
		id    string
		cells string
	}
	seen := map[key]int{}
	var tax int64
	var at []Quote
	for i, l := range p.lines {
		id := l.id()
		if id == "" || !l.wide || len(l.cells) > 8 {
			continue
		}
		k := key{id, cellsOf(l)}
		before, twice := seen[k]
		seen[k] = i
		if !twice || i-before > reach || !p.sameTable(before, i) {
			continue
		}
		tax += taxIn(l.cells)
		at = append(at, p.quoteLine(p.lines[before]), p.quoteLine(l))
	}
	if tax > 0 {
		p.Known.Put("row.twice", Value{Kind: Money, Paise: tax, At: at})
	}
}

// sameTable reports whether two rows are of the same table. No total may stand between them, and no more than three
// lines without amounts, unless these are fewer than half of the lines.
func (p *Paper) sameTable(from, to int) bool {
	other := 0
	for _, l := range p.lines[from+1 : to] {
		if l.isTotal() {
			return false
		}
		if len(l.cells) == 0 {
			other++
		}
	}
	return other <= 3 || other < (to-from)/2
}

func cellsOf(l line) string {
	var all []string
	for _, c := range l.cells {
		if c > 0 {
			all = append(all, strconv.FormatInt(c, 10))
		}
	}
	return strings.Join(all, " ")
}

// taxIn returns the tax in a row of amounts: the sum of those after the value of the supply, which is the largest
// amount. If the last of them is the sum of the others, it is not counted twice.
func taxIn(cells []int64) int64 {
	n := len(cells)
	if n < 2 {
		return sumOf64(cells)
	}
	behind := cells[1:]
	most := 0
	for i, c := range cells { // the value is the largest, and is followed by its tax
		if c > cells[most] && i < n-1 {
			most = i
		}
	}
	if most < n-1 {
		behind = cells[most+1:]
	}
	if m := len(behind); m > 2 && sumOf64(behind[:m-1]) == behind[m-1] {
		return behind[m-1]
	}
	return sumOf64(behind)
}

func sumOf64(all []int64) int64 {
	var sum int64
	for _, n := range all {
		sum += n
	}
	return sum
}

// percent matches a rate in per cent, such as "18%" or "18 per cent", and captures its number.
var percent = lazyregexp.New(`\b(\d{1,2}(?:\.\d{1,2})?) ?(?:%|per ?cent\b|percent\b|प्रतिशत)`)

// ratesIn returns the rates of tax in a part of the text, in hundredths of a per cent; rates of interest and penalty
// do not count.
func ratesIn(words string) []int64 {
	const before, behind = 34, 16
	var all []int64
	for _, m := range percent.FindAllStringSubmatchIndex(words, -1) {
		near, after := words[max(0, m[0]-before):m[0]], words[m[1]:min(len(words), m[1]+behind)]
		if hasAny(near, "interest", "penalty", "ब्याज", "शास्ति", "intt") || hasAny(after, "p.a", "per annum", "of tax", "of the tax",
			"interest", "penalty") {
			continue
		}
		f, err := strconv.ParseFloat(words[m[2]:m[3]], 64)
		if rate := int64(f*100 + 0.5); err == nil && rate > 0 && !slices.Contains(all, rate) {
			all = append(all, rate)
		}
	}
	return all
}

// readTaxAtRate computes the tax at the rate and on the value that a charge states. If the charge demands more, the
// computed tax becomes a fact of the charge.
func (p *Paper) readTaxAtRate(s Scope) {
	const reach, most = 900, 2
	tax := Sum(s.Amounts)
	if tax == nil || *tax < 1000_00 {
		return
	}
	to := min(s.to, s.from+reach)
	for _, l := range p.linesIn(s.from, to) { // before its table
		if len(l.cells) > 2 && l.wide && l.from > s.from {
			to = l.from
			break
		}
	}
	words := p.low[s.from:to]
	rates := ratesIn(words)
	if len(rates) == 2 && (rates[0] == 2*rates[1] || rates[1] == 2*rates[0]) {
		rates = []int64{max(rates[0], rates[1])}
	}
	if len(rates) != 1 || hasAny(words, "inclusive", "cum-tax", "cum tax", "including tax", "including gst", "abate", "one third",
		"1/3", "differential rate", "differential tax", "difference in rate", "instead of", "as against", "whereas", "cess", "credit", "itc") {
		return
	}
	value := valueAt(words, int64(*tax))
	right := (value*rates[0] + 5000) / 10000
	over := int64(*tax) - right
	// The rate may be that of one head; both together are then twice as much.
	if value == 0 || over <= right/100+100 || int64(*tax) >= most*right-right/100 {
		return
	}
	at := []Quote{p.quote(s.from, to)}
	s.Known.Put("rate.value", Value{Kind: Money, Paise: value, At: at})
	s.Known.Put("rate.percent", Value{Kind: Word, Text: strconv.FormatFloat(float64(rates[0])/100, 'f', -1, 64), At: at})
	s.Known.Put("rate.right", Value{Kind: Money, Paise: right, At: at})
	s.Known.Put("rate.over", Value{Kind: Money, Paise: over, At: at})
}

// valueAt returns the value of the supplies whose tax a charge states, if its text names only one rate. It is the only
// amount larger than the tax, or the amount just before the rate.
func valueAt(words string, tax int64) int64 {
	const near = 60
	var all []gst.Sum
	for _, sum := range gst.Sums(words) {
		if sum.Marked && sum.Paise > tax && !slices.ContainsFunc(all, func(s gst.Sum) bool { return s.Paise == sum.Paise }) {
			all = append(all, sum)
		}
	}
	if len(all) == 1 {
		return all[0].Paise
	}
	rate := percent.FindStringIndex(words)
	for i := len(all) - 1; i >= 0; i-- {
		if s := all[i]; s.End <= rate[0] {
			if rate[0]-s.End > near || !hasAny(words[max(0, s.Start-near):rate[0]], "differ", "thereon", "taxable", "suppress", "short") {
				return 0
			}
			return s.Paise
		}
	}
	return 0
}

// ofInterest lists the words for interest, as find takes them.
const ofInterest = "interest|ब्याज"

// span matches a number of days or months, such as "45 days", and captures the number and the unit.
var span = lazyregexp.New(`\b(\d{1,4}) ?(days|months|दिन|माह)\b`)

// mostInterest is the rate of interest, in per cent a year, against which a demand is checked.
const mostInterest = 18

// readInterest checks the interest that a paper demands against 18 per cent a year for the period that it names. It
// checks sentences with a tax, a number of days and an interest, then rows of tables, then the whole demand.
func (p *Paper) readInterest() {
	p.each(ofInterest, 0, len(p.low), p.interestInWords)
	if len(p.Known["interest.beyond"]) == 0 {
		p.interestInRows()
	}
	p.readInterestOfAll()
}

// interestOn returns the interest on an amount for a number of days, at 18 per cent a year, in whole rupees.
func interestOn(paise int64, days int) int64 {
	return (paise*mostInterest*int64(days)/36500 + 50) / 100 * 100
}

func (p *Paper) interestInWords(from, to int) {
	if len(p.Known["interest.beyond"]) > 0 {
		return
	}
	words := p.low[from:to]
	var sums []int64
	for _, s := range gst.Sums(words) {
		if s.Marked && s.Paise >= 100_00 && !slices.Contains(sums, s.Paise) {
			sums = append(sums, s.Paise)
		}
	}
	if len(sums) != 2 {
		return
	}
	days := daysBetween(words)
	if days == 0 {
		if m := span.FindStringSubmatch(words); m != nil {
			if days, _ = strconv.Atoi(m[1]); m[2] == "months" || m[2] == "माह" {
				days *= 31
			}
		}
	}
	p.putInterest(sums[0], sums[1], days, []Quote{p.quote(from, to)})
}

// putInterest records the correct interest on an amount for a number of days if the paper asks for more, and reports
// whether it did.
func (p *Paper) putInterest(tax, asked int64, days int, at []Quote) bool {
	const lowest, share, times = 50_00, 50, 4
	right := interestOn(tax, days)
	if days < 2 || asked-right < lowest || asked < right+right/share || asked > times*right {
		return false
	}
	p.Known.Put("interest.tax", Value{Kind: Money, Paise: tax, At: at})
	p.Known.Put("interest.days", Value{Kind: Count, Count: days, At: at})
	p.Known.Put("interest.right", Value{Kind: Money, Paise: right, At: at})
	p.Known.Put("interest.asked", Value{Kind: Money, Paise: asked, At: at})
	p.Known.Put("interest.beyond", Value{Kind: Money, Paise: asked - right, At: at})
	return true
}

// daysBetween returns the number of days between the two dates in a text, or 0 if it does not have exactly two.
func daysBetween(words string) int {
	dates := gst.Dates(words)
	if len(dates) != 2 {
		return 0
	}
	days := dates[0].Day.DaysUntil(dates[1].Day)
	return max(days, -days)
}

// interestInRows checks rows with a due date, a date of payment, a tax and the interest on it. A wrong row counts if
// other rows are right, or if the number of days that it prints does not match its dates.
func (p *Paper) interestInRows() {
	if !hasAny(p.low, "interest", "ब्याज") {
		return
	}
	right := 0
	var wrong []line
	var found [][3]int64 // tax, interest, days
	for _, l := range p.lines {
		n := len(l.cells)
		if n < 2 || n > 6 {
			continue
		}
		days := daysBetween(p.low[l.from:l.to])
		if days == 0 {
			continue
		}
		asked := l.cells[n-1]
		i := slices.IndexFunc(l.cells[:n-1], func(c int64) bool { return c > asked })
		if i < 0 || asked == 0 {
			continue
		}
		tax := l.cells[i]
		if most := interestOn(tax, days+1); asked <= most+most/50+100 {
			right++
			continue
		}
		wrong, found = append(wrong, l), append(found, [3]int64{tax, asked, int64(days)})
	}
	if len(wrong) == 1 && right > 0 {
		p.putInterest(found[0][0], found[0][1], int(found[0][2]), []Quote{p.quoteLine(wrong[0])})
	}
}

// readInterestOfAll computes the most that the interest on the whole demand can be: 18 per cent a year, from the due
// date of the first month until the date of the paper.
func (p *Paper) readInterestOfAll() {
	tax, asked := Sum(p.DemandOf(TakesTax)), Sum(p.DemandOf(TakesInterest))
	if tax == nil || asked == nil || p.issued.IsZero() || len(p.Facts.Periods) == 0 {
		return
	}
	first := law.ParseDay(p.Facts.Periods[0].From)
	if first.IsZero() {
		return
	}
	for _, m := range monthsIn(p.low) { // months before the period would be charged from an earlier day
		if m.first.Before(first) && first.DaysUntil(m.first) > -366 {
			first = m.first
		}
	}
	due := first.AddMonths(1).AddDays(19)
	days := due.DaysUntil(p.issued)
	most := interestOn(int64(*tax), days)
	if days < 30 || int64(*asked) <= most+most/50 || int64(*asked) > 3*most {
		return
	}
	at := append(p.at("demand"), p.at("periods")...)
	p.Known.Put("interest.due", Value{Kind: Day, Day: due, At: at})
	p.Known.Put("interest.most", Value{Kind: Money, Paise: most, At: at})
	p.Known.Put("interest.over_most", Value{Kind: Money, Paise: int64(*asked) - most, At: at})
}

// readPenaltyLimits computes by how much penalties exceed their limits: the tax under section 74, and twenty-five
// thousand rupees under each Act under section 125.
func (p *Paper) readPenaltyLimits() {
	const general = 50_000_00
	if over := amountOr(Sum(p.DemandOf(TakesPenalty))) - amountOr(Sum(p.DemandOf(TakesTax))); over > 100 &&
		Sum(p.DemandOf(TakesTax)) != nil {
		p.Known.Put("penalty.over_tax", Value{Kind: Money, Paise: int64(over), At: p.at("demand")})
	}
	p.each("section 125|u/s 125|s.125|धारा 125|general penalty|122(3)", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		if hasAny(words, "122(1)", "section 73", "section 74", "73(9)", "74(9)", "up to", "upto", "not exceed", "may extend", "extend to") ||
			!hasAny(words, "penalty", "शास्ति") {
			return
		}
		sums := slices.DeleteFunc(gst.Sums(words), func(s gst.Sum) bool { return !s.Marked })
		if len(sums) == 1 && sums[0].Paise > general && len(p.Known["general.over"]) == 0 {
			at := []Quote{p.quote(from, to)}
			p.Known.Put("general.penalty", Value{Kind: Money, Paise: sums[0].Paise, At: at})
			p.Known.Put("general.over", Value{Kind: Money, Paise: sums[0].Paise - general, At: at})
		}
	})
}

// readInWords finds a sum whose words and figures differ, as in "Rs. 5,48,120 (Rupees five lakh …)".
func (p *Paper) readInWords() {
	const between = 14
	for at := 0; ; {
		start, end, ok := p.find("rupees|रुपये|रूपये|रुपए", at, len(p.low))
		if !ok {
			return
		}
		at = end
		from := max(0, start-between-26)
		sums := gst.Sums(p.low[from:start])
		if len(sums) == 0 {
			continue
		}
		figure := sums[len(sums)-1]
		if !figure.Marked || start-from-figure.End > between || strings.Trim(p.low[from+figure.End:start], " (/-.,)=:") != "" {
			continue
		}
		words := gst.SumInWords(p.low[start:])
		if p.sumsUp(words, from, start) || hasAny(p.low[start:min(len(p.low), start+160)], "in all", "in total", "altogether") ||
			words < 1000_00 || words == figure.Paise || words/100 == figure.Paise/100 || words > 10*figure.Paise || figure.Paise > 10*words {
			continue
		}
		q := []Quote{p.quote(from+figure.Start, min(len(p.low), start+120))}
		p.Known.Put("words.figure", Value{Kind: Money, Paise: figure.Paise, At: q})
		p.Known.Put("words.sum", Value{Kind: Money, Paise: words, At: q})
		p.Known.Put("words.less", Value{Kind: Money, Paise: max(0, figure.Paise-words), At: q})
		return
	}
}

// sumsUp reports whether the amounts before a sum in words add up to it, as in "Rs. 500 and Rs. 500 (Rupees one
// thousand)".
func (p *Paper) sumsUp(words int64, from, start int) bool {
	const reach = 260
	var sum int64
	all := gst.Sums(p.low[max(0, from-reach):start])
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Marked {
			sum += all[i].Paise
		}
		if sum == words {
			return true
		}
	}
	return false
}

// readChargesSum compares the sum of the charges with the tax in the table of the demand, if each charge has an amount.
func (p *Paper) readChargesSum() {
	if len(p.Charges) < 2 || !p.isKind("notice", "intimation", "order", "audit report") {
		return
	}
	tax, table := p.taxOfTable()
	if tax == 0 {
		return
	}
	var sum Amount
	var at []Quote
	for _, s := range p.Charges {
		one := Sum(s.Amounts)
		if one == nil || *one >= tax {
			return
		}
		sum += *one
		if len(at) < 4 {
			at = append(at, p.quote(s.from, s.to))
		}
	}
	if over := tax - sum; over > 100 && over < tax/4 {
		at = append(at, table...)
		p.Known.Put("charges.sum", Value{Kind: Money, Paise: int64(sum), At: at})
		p.Known.Put("charges.demand", Value{Kind: Money, Paise: int64(tax), At: at})
		p.Known.Put("charges.over", Value{Kind: Money, Paise: int64(over), At: at})
	}
}

// taxOfTable returns the tax in the printed rows of heads that add up to their totals. The facts may differ from the
// printed table, because they may have been corrected by the charges.
func (p *Paper) taxOfTable() (Amount, []Quote) {
	heads := map[string]int64{}
	var at []Quote
	for _, l := range p.lines {
		n := len(l.cells)
		if n < 3 || !l.wide || len(l.label) == 0 || gst.TaxHead(l.label[0]) == "" || sumOf64(l.cells[:n-1]) != l.cells[n-1] {
			continue
		}
		head := gst.TaxHead(l.label[0])
		if before, ok := heads[head]; ok && before != l.cells[0] {
			return 0, nil // two tables
		}
		heads[head] = l.cells[0]
		at = append(at, p.quoteLine(l))
	}
	var sum int64
	for _, tax := range heads {
		sum += tax
	}
	return Amount(sum), at
}
