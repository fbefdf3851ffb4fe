package defence

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readDates tells the dates of a paper apart: of the show cause notice itself, of the order behind a recovery or an
// appeal, and of an attachment before this one.
func (p *paper) readDates() {
	switch {
	case p.isKind("notice"):
		p.known["notice.own_day"] = p.known["paper.date"]
	case p.isKind("order"):
		p.known["notice.own_day"] = p.known["notice.day"]
	}
	if len(p.known["notice.own_day"]) == 0 {
		delete(p.known, "notice.own_day")
	}
	if v := p.known.one("default.months"); v != nil && v.Count < 4 && len(p.known["default.quarter"]) == 0 {
		p.known.put("default.quarter", Value{Kind: Truth, Yes: true, At: v.At})
	}
	if v := p.known.one("column.differs"); v != nil && (len(p.known["demand.excess"]) == 0 || p.known["demand.excess"][0].Paise == 0) {
		p.known.put("column.only", Value{Kind: Truth, Yes: true, At: v.At})
	}
	p.readOrderBehind()
	p.readFirstAttachment()
	if v := p.known.one("order.day"); v != nil && p.isKind("garnishee", "recovery intimation", "auction notice", "property attachment") {
		day := p.lastDay()
		p.known.day("recovery.day", day, p.at("issue_date"))
	}
	if v := p.known.one("application.day"); v != nil {
		p.known.put("refund.sixty", Value{Kind: Day, Day: v.Day.AddDays(60), At: v.At})
	}
}

// lastDay is the date of the paper, or today where that is not read: what it speaks of was before.
func (p *paper) lastDay() law.Day {
	if !p.issued.IsZero() {
		return p.issued
	}
	return p.today
}

// readOrderBehind reads the date of the order under section 73 or 74 that an order on an appeal decides about, or that a
// recovery carries out.
func (p *paper) readOrderBehind() {
	if v := p.known.one("order.day"); v != nil {
		p.known.put("original.day", *v)
		return
	}
	if !p.isKind("appellate order", "appeal letter") {
		return
	}
	const near = 90
	for at := 0; ; {
		start, end, ok := p.find("directed against * order|against the order|against order|against the order-in-original|order appealed "+
			"against|impugned order|order-in-original no|order in original no|drc-07 no|drc-07 dated|drc-07", at, len(p.low))
		if !ok {
			return
		}
		at = end
		days := gst.Dates(p.low[end:min(len(p.low), end+near)])
		if len(days) == 0 || p.issued.IsZero() || !days[0].Day.Before(p.issued) ||
			hasAny(p.low[end:end+days[0].Start], "notice", "filed", "heard", "communicat", "received", "uploaded", "hearing") {
			continue
		}
		p.known.put("original.day", Value{Kind: Day, Day: days[0].Day, At: []Quote{p.around(start, end+days[0].End)}})
		return
	}
}

// readFirstAttachment reads the day of an attachment of the same property before this one.
func (p *paper) readFirstAttachment() {
	if !p.isKind("attachment") {
		return
	}
	p.each("had been attached|was attached|were attached|earlier attached|first attached|previously attached|already been attached|"+
		"earlier attachment|previous attachment|first attachment|earlier order of|attached earlier|attachment dated|पूर्व में कुर्क", 0, len(p.low),
		func(from, to int) {
			if days := p.daysIn(from, to); len(days) == 1 && days[0].Before(p.lastDay()) && len(p.known["attachment.first"]) == 0 {
				p.known.put("attachment.first", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
			}
		})
}

// readBarred notes that a paper comes after the last day for each of its years: an order after that for the order, a paper
// before a notice after that for a notice under section 73.
func (p *paper) readBarred() {
	section := p.known.one("paper.section")
	day := p.lastDay()
	if len(p.years) == 0 || day.IsZero() {
		return
	}
	name, fact := "order.barred", ""
	switch {
	case p.isKind("order") && section != nil:
		fact = "year.order" + lower(section.Text) + "_longer"
	case p.isKind("intimation", "audit report", "scrutiny", "letter") && (section == nil || section.Text == "73"):
		name, fact = "notice.barred", "year.notice73_longer"
	default:
		return
	}
	for _, y := range p.years {
		last := y.known.one(fact)
		if last == nil || !day.After(last.Day) {
			return
		}
	}
	v := Value{Kind: Truth, Yes: true, At: p.at("periods")}
	p.known.put(name, v)
	for _, s := range slices.Concat(p.years, p.charges) {
		s.known.put(name, v)
	}
}

// readSummons counts the days that a summons leaves until the attendance.
func (p *paper) readSummons() {
	if !p.isKind("summons") || p.issued.IsZero() {
		return
	}
	const near = 160
	for at := 0; ; {
		start, end, ok := p.find("appear before|to appear|attend|उपस्थित", at, len(p.low))
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if d.Day.After(p.issued) {
				p.known.put("summons.days", Value{Kind: Count, Count: p.issued.DaysUntil(d.Day), At: []Quote{p.around(start, end+d.End)}})
				return
			}
		}
	}
}

// summonsTitle is the line by which a summons calls itself one.
var summonsTitle = lazyregexp.New(`(?im)^[ .*_:-]*(?:form gst )?(?:summons|समन)[ .*_:-]*(?:$|\(|under|to )`)

// isSummons tells a summons under section 70.
func (p *paper) isSummons() bool {
	const head = 1500
	return summonsTitle.MatchString(p.all[:runeStart(p.all, min(len(p.all), head))]) && hasAny(p.low, "section 70", "धारा 70")
}

// billTitle is the line by which a paper calls itself a bill: it names forms, but answers to none.
var billTitle = lazyregexp.New(`(?im)^[^\n]{0,30}\b(?:tax invoice|bill of fees|fee bill|proforma invoice|pro forma invoice|quotation|estimate of fees|` +
	`engagement letter|receipt voucher|fee note|debit note|credit note)\b`)

// isBill reports whether a paper is a bill or an offer that somebody sends for his services.
func (p *paper) isBill() bool {
	const head = 260
	top := p.all[:runeStart(p.all, min(len(p.all), head))]
	return billTitle.MatchString(top) && !paperTitle.MatchString(top)
}

// paperTitle is a line by which an office entitles a paper.
var paperTitle = lazyregexp.New(`(?im)^[ .*_:-]*(?:form|show cause|notice|order|intimation|summary|summons|नोटिस|आदेश|कारण|सूचना)`)

// readReturnFiled reads, in an assessment to the best of judgment, a return that was filed before the order, and how much
// the order assesses for its month.
func (p *paper) readReturnFiled() {
	if !p.isKind("best judgment order") || p.issued.IsZero() {
		return
	}
	p.each("stands filed|has been filed|was filed|is filed|filed on|furnished on|दाखिल", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		verb, _, _ := p.find("stands filed|has been filed|was filed|is filed|filed on|furnished on|दाखिल", from, to)
		months, days := monthsIn(words), p.daysIn(verb, to)
		if !hasAny(words, "3b", "return") || len(months) != 1 || len(days) != 1 || !days[0].Before(p.issued) ||
			!days[0].After(months[0].first) || len(p.known["return.filed"]) > 0 ||
			hasAny(words, "not filed", "not been filed", "not furnished", "invalid") {
			return
		}
		at := []Quote{p.quote(from, to)}
		p.known.put("return.filed", Value{Kind: Day, Day: days[0], At: at})
		p.known.put("return.month", Value{Kind: Word, Text: words[months[0].start:months[0].end], At: at})
		if paise, q := p.assessedFor(months[0].first); paise > 0 {
			p.known.put("return.assessed", Value{Kind: Money, Paise: paise, At: append(at, q)})
		}
	})
}

// assessedFor returns what a row of the working assesses for a month: its last sum, if the others add up to it.
func (p *paper) assessedFor(first law.Day) (int64, Quote) {
	from := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		if months := monthsIn(low); len(months) == 1 && months[0].first == first && months[0].start < 4 {
			var sums []int64
			for _, s := range gst.Sums(low[months[0].end:]) {
				sums = append(sums, s.Paise)
			}
			if n := len(sums); n > 2 && sumOf64(sums[:n-1]) == sums[n-1] {
				return sums[n-1], p.quote(from, from+len(line))
			}
		}
		from += len(line)
	}
	return 0, Quote{}
}

// readLateReturns works out, from rows of returns filed late, the interest on what was paid by credit and the late fee
// above its maximum. A row counts only if its own figures prove which column is which: the tax is the credit and the cash,
// and the interest is that of eighteen per cent for the days, the fee fifty rupees for each.
func (p *paper) readLateReturns() {
	const fifty = 50_00
	var onCredit, over, fees int64
	var interest, fee []Quote
	most := p.mostFee()
	from := 0
	for line := range strings.Lines(p.all) {
		low, at := lower(line), from
		from += len(line)
		days := gst.Dates(low)
		if len(days) < 2 || !days[1].Day.After(days[0].Day) {
			continue
		}
		n := int64(days[0].Day.DaysUntil(days[1].Day))
		var sums []int64
		for _, s := range gst.Sums(low[days[1].End:]) {
			sums = append(sums, s.Paise)
		}
		for len(sums) > 0 && sums[0] == n*100 {
			sums = sums[1:] // the days themselves
		}
		if len(sums) < 4 || sums[0] != sums[1]+sums[2] || sums[1] == 0 || !closeTo(sums[3], sums[0]*18*n/36500) {
			continue
		}
		q := p.quote(at, at+len(line))
		onCredit += sums[1] * 18 * n / 36500
		interest = append(interest, q)
		if len(sums) > 4 && sums[4] == n*fifty {
			fees += sums[4]
			if most > 0 && sums[4] > most {
				over += sums[4] - most
			}
			fee = append(fee, q)
		}
	}
	if onCredit > 0 && len(p.known["interest.on_credit"]) == 0 {
		p.known.put("interest.on_credit", Value{Kind: Money, Paise: (onCredit + 50) / 100 * 100, At: interest})
	}
	if over > 0 {
		p.known.put("fee.over_cap", Value{Kind: Money, Paise: over, At: append(fee, p.turnoverQuote()...)})
	}
}

// closeTo reports whether a sum is another but for rounding.
func closeTo(a, b int64) bool {
	const rupee = 200
	d := a - b
	return d <= rupee && d >= -rupee
}

// earlierTurnover is the turnover of the year before as a paper names it.
var earlierTurnover = lazyregexp.New(`turnover (?:in|of|for) the (?:previous|preceding) (?:financial )?year[^.]{0,40}?:? ?(?:rs\.?|₹|inr)`)

func (p *paper) turnoverQuote() []Quote {
	if m := earlierTurnover.FindStringIndex(p.low); m != nil {
		return []Quote{p.around(m[0], m[1])}
	}
	return nil
}

// mostFee is the highest late fee for a return in FORM GSTR-3B from June 2021 by the turnover of the year before
// (N.19/2021-Central Tax), 0 where that is not printed or is more than five crore.
func (p *paper) mostFee() int64 {
	m := earlierTurnover.FindStringIndex(p.low)
	if m == nil {
		return 0
	}
	const near = 40
	sums := gst.Sums(p.low[m[1]-4 : min(len(p.low), m[1]+near)])
	switch {
	case len(sums) == 0:
		return 0
	case sums[0].Paise <= 1_50_00_000_00:
		return 2_000_00
	case sums[0].Paise <= 5_00_00_000_00:
		return 5_000_00
	}
	return 0
}

// readAddedInAppeal reads by how much an order on an appeal raises the tax, from a row that adds up.
func (p *paper) readAddedInAppeal() {
	if !p.isKind("appellate order") {
		return
	}
	from := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		if hasAny(low, "added in appeal", "tax added", "enhanced in appeal", "enhancement") {
			var sums []int64
			for _, s := range gst.Sums(low) {
				sums = append(sums, s.Paise)
			}
			if n := len(sums); n > 1 && sumOf64(sums[:n-1]) == sums[n-1] {
				p.known.put("appeal.added", Value{Kind: Money, Paise: sums[n-1], At: []Quote{p.quote(from, from+len(line))}})
				return
			}
		}
		from += len(line)
	}
}

// readEqualMonths reads, in a charge that holds FORM GSTR-1 against GSTR-3B, a row of several months in which both are
// equal: what one month was short the other paid.
func (p *paper) readEqualMonths(s scope) {
	if !hasAny(p.low[s.from:s.to], "3b") || !hasAny(p.low[s.from:s.to], "gstr-1", "gstr 1", "gstr1") {
		return
	}
	from := s.from
	for line := range strings.Lines(p.all[s.from:s.to]) {
		low := strings.TrimSpace(lower(line))
		var sums []int64
		for _, sum := range gst.Sums(low) {
			sums = append(sums, sum.Paise)
		}
		half := len(sums) / 2
		if (strings.HasPrefix(low, "total") || strings.Contains(low[:min(len(low), 16)], "months")) && half > 0 && len(sums) == 2*half &&
			sums[0] > 0 && slices.Equal(sums[:half], sums[half:]) {
			s.known.put("charge.months_equal", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, from+len(line))}})
			return
		}
		from += len(line)
	}
}

// workers is a number of workers, "410 workers".
var workers = lazyregexp.New(`\b(\d{2,5}) (?:workers|workmen|factory workers|employees)\b`)

// readWorkers reads, in a charge about a factory, how many workers it has.
func (p *paper) readWorkers(s scope) {
	words := p.low[s.from:s.to]
	if m := workers.FindStringSubmatchIndex(words); m != nil && hasAny(words, "factory") {
		s.known.put("charge.workers", Value{Kind: Count, Count: number(words[m[2]:m[3]]), At: []Quote{p.around(s.from+m[0], s.from+m[1])}})
	}
}

// annualDay reads, in a charge about late credit, the day on which the annual return was filed.
func (p *paper) annualDay(s scope) {
	p.each("annual return|gstr-9|gstr 9|वार्षिक विवरणी", s.from, s.to, func(from, to int) {
		start, _, ok := p.find("annual return|gstr-9|gstr 9|वार्षिक विवरणी", from, to)
		if !ok || !hasAny(p.low[start:to], "filed", "furnished", "दाखिल") || hasAny(p.low[start:to], "not filed", "not furnished") {
			return
		}
		if days := gst.Dates(p.low[start:to]); len(days) == 1 {
			s.known.add("charge.annual_day", Value{Kind: Day, Day: days[0].Day, At: []Quote{p.quote(from, to)}})
		}
	})
}

// headsByPoint reads the tax of a charge from a table that has a row for each of its heads, "A CGST 24,600 15,456". The
// rows of all charges together must be the whole demand.
func (p *paper) headsByPoint(number string) []Head {
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
	tax := sumOf(p.demandOf(TakesTax))
	if tax == nil || sum != *tax || len(found) < 2 {
		return nil
	}
	return found[strings.Trim(lower(number), ".():")]
}

// listedColumns reads the tax of a charge from a table of the charges whose columns repeat the heads for tax and
// interest, "Matter Tax CGST Tax SGST Interest CGST Interest SGST Total". Each row must add up to its total, and the taxes
// to the demand.
func (p *paper) listedColumns(number string) []Head {
	tax := sumOf(p.demandOf(TakesTax))
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

// readFormula reads, in a paper on an inverted duty refund, a working by the formula of rule 89(5) as it was before 5 July
// 2022, which takes off all of the tax payable, and works out what the formula since then gives more: it takes off that tax
// only in the proportion of inputs to all credit. The working proves itself: its refund follows from its other rows.
func (p *paper) readFormula() {
	if !p.isKind("refund notice", "refund order") {
		return
	}
	var turnover, adjusted, inputs, services, payable, most int64
	var at []Quote
	from := 0
	for line := range strings.Lines(p.all) {
		low, start := lower(line), from
		from += len(line)
		words := strings.Fields(low)
		if len(words) < 3 {
			continue
		}
		sums := amountsIn(words[len(words)-1:])
		if sums == nil || sums[0] == 0 {
			continue
		}
		var value *int64
		switch {
		case strings.Contains(low, "adjusted total turnover"):
			value = &adjusted
		case strings.Contains(low, "turnover") && strings.Contains(low, "inverted"):
			value = &turnover
		case strings.Contains(low, "input service") && turnover > 0: // the working begins with the turnover
			value = &services
		case strings.Contains(low, "net itc") || strings.Contains(low, "net input tax credit"):
			value = &inputs
		case strings.Contains(low, "tax payable"):
			value = &payable
		case strings.Contains(low, "maximum refund"):
			value = &most
		}
		if value != nil && *value == 0 {
			*value = int64(sums[0])
			at = append(at, p.quote(start, start+len(line)))
		}
	}
	if turnover == 0 || adjusted == 0 || inputs == 0 || services == 0 || payable == 0 || most == 0 {
		return
	}
	gross := int64(float64(turnover) * float64(inputs) / float64(adjusted))
	if !closeTo(gross-payable, most) {
		return
	}
	right := gross - int64(float64(payable)*float64(inputs)/float64(inputs+services))
	p.known.put("refund.formula_gain", Value{Kind: Money, Paise: (right - most + 50) / 100 * 100, At: at})
}
