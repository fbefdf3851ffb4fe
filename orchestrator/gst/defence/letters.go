package defence

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// isCorrigendum tells a paper that changes a notice or order that went before it.
func (p *paper) isCorrigendum() bool {
	const head = 1200
	return corrigendum.MatchString(p.all[:runeStart(p.all, min(len(p.all), head))])
}

// letterKind names a letter that follows no form by what it does: it tells of defects and a hearing in an appeal. It is
// "letter" for every other.
func (p *paper) letterKind() string {
	const head = 1500
	const office = 400
	if _, _, ok := p.find("(appeals)|appellate authority|appeals commissionerate|(appeal)|अपीलीय प्राधिकारी", 0,
		min(len(p.low), office)); ok {
		if _, _, ok := p.find("appeal filed|appeal memo|memo of appeal|memorandum of appeal|appeal no|defect|deficien|"+
			"discrepan|condonation|pre-deposit|अपील", 0, min(len(p.low), head)); ok {
			return "appeal letter"
		}
	}
	_, _, appeals := p.find("(appeals)|appellate authority|अपील", 0, len(p.low))
	if _, _, ok := p.find("appeal arn|defects in appeal|defect in appeal|defects in the appeal|defect in the appeal|the "+
		"above appeal|your appeal|appeal filed by you|apl-01|apl-02|अपील", 0, min(len(p.low), head)); ok && appeals {
		return "appeal letter"
	}
	return "letter"
}

// corrigendum is a line by which a paper calls itself one.
var corrigendum = regexp.MustCompile(`(?im)^(corrigendum|addendum|शुद्धि ?पत्र)`)

// runeStart returns a place at which no letter is cut in two.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// readAmended reads, in a corrigendum, of which day the notice is that it changes, the tax before and after, and whether
// it adds a charge.
func (p *paper) readAmended() {
	if !p.isKind("corrigendum") {
		return
	}
	p.readNoticeDay()
	p.truth("corrigendum.adds", "shall be inserted|is inserted|are inserted|be added|following para|new para|additional "+
		"charge|जोड़ा जा")
	const reach = 420
	for at := 0; ; {
		start, end, ok := p.find("substituted|shall be read as|may be read as|be read as|to be read as|is replaced|"+
			"पढ़ा जा", at, len(p.low))
		if !ok {
			return
		}
		at = end
		from := max(0, start-reach)
		var totals, all []int64
		for _, s := range gst.Sums(p.low[from:start]) {
			if !s.Marked || s.Paise < 100_00 {
				continue
			}
			all = append(all, s.Paise)
			if before := p.low[max(from, from+s.Start-14) : from+s.Start]; hasAny(before, "total") {
				totals = append(totals, s.Paise)
			}
		}
		if len(totals) != 2 {
			totals = all
		}
		if len(totals) != 2 || totals[1] <= totals[0] {
			continue
		}
		q := []Quote{p.quote(from, end)}
		p.known.put("notice.tax", Value{Kind: Money, Paise: totals[0], At: q})
		p.known.put("corrigendum.more", Value{Kind: Money, Paise: totals[1] - totals[0], At: q})
		return
	}
}

// readAppealMade reads what a paper says of an appeal: what was paid with it, what the tax in dispute is and whether
// that is a tenth of it (section 107(6)).
func (p *paper) readAppealMade() {
	if !p.isKind("garnishee", "attachment", "recovery intimation", "appeal letter", "appellate order") {
		return
	}
	if !p.isKind("appeal letter", "appellate order") {
		if tax := sumOf(p.demandOf(TakesTax)); tax != nil {
			p.known.put("deposit.appeal", Value{Kind: Money, Paise: int64(*tax) / 10, At: p.at("demand")})
		}
	}
	if p.isKind("appeal letter") {
		p.readDisputed()
	}
	words := "appeal|pre-deposit|pre deposit|predeposit|107(6)|अपील"
	if p.isKind("appeal letter") {
		words += "|has been paid|was paid|is paid|has been deposited|was deposited"
	}
	p.each(words, 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		if hasAny(words, "dismissed", "rejected on", "not paid", "unpaid", "no payment", "without payment") {
			return
		}
		for _, s := range gst.Sums(words) {
			before, after := words[max(0, s.Start-40):s.Start], words[s.End:min(len(words), s.End+40)]
			if !s.Marked || !hasAny(before, "payment of", "pre-deposit of", "deposit of", "paid", "depositing", "deposited") &&
				!hasAny(after, "has been paid", "was paid", "is paid", "been deposited", "was deposited", "paid as") ||
				hasAny(before, "balance", "short", "to be") {
				continue
			}
			p.known.add("deposit.paid", Value{Kind: Money, Paise: s.Paise, At: []Quote{p.quote(from, to)}})
			if days := p.daysIn(from, to); len(days) > 0 && len(p.known["appeal.filed"]) == 0 {
				p.known.put("appeal.filed", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
			}
		}
	})
}

// readDisputed reads the tax in dispute that a letter on an appeal names, "tax of Rs. 11,50,000 (…), interest of …".
func (p *paper) readDisputed() {
	const near = 12
	for at := 0; ; {
		start, end, ok := p.find("tax of|tax amount of|tax amounting to|disputed tax of|tax is", at, len(p.low))
		if !ok {
			return
		}
		at = end
		sums := gst.Sums(p.low[end:min(len(p.low), end+40)])
		if len(sums) == 0 || !sums[0].Marked || sums[0].Start > near {
			continue
		}
		q := []Quote{p.around(start, end+sums[0].End)}
		p.known.put("demand.tax", Value{Kind: Money, Paise: sums[0].Paise, At: q})
		p.known.put("deposit.appeal", Value{Kind: Money, Paise: sums[0].Paise / 10, At: q})
		return
	}
}

// clause is a ground for a cancellation, of section 29(2) or rule 21.
var clause = regexp.MustCompile(`\b(29 ?\(2\) ?\(([a-e])\)|21 ?\(([a-i])\))`)

// clausesIn returns the clauses of section 29(2) that a stretch names, those of rule 21 under the clause that they
// belong to.
func clausesIn(low string) []string {
	var all []string
	for _, m := range clause.FindAllStringSubmatch(low, -1) {
		c := m[2]
		if r := m[3]; r != "" {
			c = "a"
			if r == "h" || r == "i" {
				c = "bc"
			}
		}
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// readGrounds reads, in an order that cancels a registration, whether the clause that its reasons name is another than
// the one of the notice before it.
func (p *paper) readGrounds() {
	if !p.isKind("cancellation order") {
		return
	}
	_, reasons, ok := p.find("following reason|reason(s)|reasons for cancellation|निम्न कारण|निम्नलिखित कारण", 0, len(p.low))
	if !ok {
		return
	}
	before := p.low[:reasons]
	notice := strings.Index(before, "notice")
	if i := strings.Index(before, "नोटिस"); i >= 0 && (notice < 0 || i < notice) {
		notice = i
	}
	if notice < 0 {
		return
	}
	noticed, ordered := clausesIn(before[notice:]), clausesIn(p.low[reasons:])
	if len(noticed) == 0 || len(ordered) == 0 || slices.ContainsFunc(ordered, func(o string) bool {
		return slices.ContainsFunc(noticed, func(n string) bool { return strings.Contains(n, o) || strings.Contains(o, n) })
	}) {
		return
	}
	at := reasons + clause.FindStringIndex(p.low[reasons:])[0]
	first := notice + clause.FindStringIndex(before[notice:])[0]
	p.known.put("ground.differs", Value{Kind: Truth, Yes: true,
		At: []Quote{p.around(first, first+8), p.around(at, at+8)}})
}

// readEffect reads from which day a paper cancels a registration or proposes to.
func (p *paper) readEffect() {
	if !p.isKind("cancellation notice", "cancellation order", "suspension") {
		return
	}
	const near = 70
	for at := 0; ; {
		start, end, ok := p.find("effective date of cancellation|date of cancellation|cancel * with effect from|cancelled * "+
			"with effect from|cancelled with effect from|cancel * w.e.f|cancelled w.e.f|cancellation * with effect "+
			"from|cancelled * from|रद्दीकरण की प्रभावी तिथि|प्रभावी तिथि|प्रभावी दिनांक", at, len(p.low))
		if !ok {
			return
		}
		at = end
		if from, to := p.sentence(start); hasAny(p.low[from:to], "supplier", "vendor", "suspended") &&
			!hasAny(p.low[from:to], "your registration is") {
			continue
		}
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			p.known.add("effect.day", Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(start, end+d.End)}})
			break
		}
	}
}

// monthsOfTable counts the months that a table names in one line and marks as not filed in the next, and those of lines
// that each name a month and say "Not filed".
func (p *paper) monthsOfTable() (n int, at []Quote) {
	from, run := 0, 0
	columns := 0
	var columnsAt [2]int
	for line := range strings.Lines(p.all) {
		low := lower(line)
		missing := strings.Count(low, "not filed") + strings.Count(low, "not furnished")
		months := countMonths(low)
		switch {
		case missing > 1 && columns > 1 && missing <= columns:
			return missing, []Quote{p.quote(columnsAt[0], columnsAt[1]), p.quote(from, from+len(line))}
		case months == 1 && missing == 1 && len(strings.Fields(low)) < 9:
			run++
			at = append(at, p.quote(from, from+len(line)))
		}
		if months > 1 {
			columns, columnsAt = months, [2]int{from, from + len(line)}
		}
		from += len(line)
	}
	if run > 1 {
		return run, at
	}
	return 0, nil
}

// shortMonth is a month with its year as tables have it, "Nov-25", "Jan 2026".
var shortMonth = regexp.MustCompile(`\b(jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*[ '’-]*(20)?\d\d\b`)

func countMonths(low string) int { return len(shortMonth.FindAllString(low, -1)) }

// readHearings counts the days of hearing that one letter fixed (section 75(5) speaks of three adjournments, which one
// letter does not grant).
func (p *paper) readHearings() {
	p.each("single letter|one letter|same letter|a letter dated|letter dated|by letter|vide letter|hearing notice "+
		"dated|notice of hearing dated|hearing memo dated|intimation dated|e-mail dated|email dated|common notice|एक ही पत्र", 0, len(p.low),
		func(from, to int) {
			words := p.low[from:to]
			if !hasAny(words, "hearing") || !hasAny(words, "fixed", "scheduled", "granted", "given") {
				return
			}
			at := max(strings.Index(words, "fixed"), strings.Index(words, "scheduled"), strings.Index(words, "granted"),
				strings.Index(words, "given"))
			if days := gst.Dates(words[at:]); len(days) > 1 {
				p.known.put("hearing.days_in_letter",
					Value{Kind: Count, Count: len(days), At: []Quote{p.quote(from, to)}})
			}
		})
}

// readInLedger reads rows of returns filed late that also say when the cash came into the ledger, and adds up the
// interest of those where it lay there by the due date (the proviso to rule 88B(1)).
func (p *paper) readInLedger() {
	if _, _, ok := p.find("credited on|credited to cash ledger|deposited on|date of deposit|cash ledger", 0,
		len(p.low)); !ok {
		return
	}
	var all int64
	var at []Quote
	from := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		dates := gst.Dates(low)
		var sums []gst.Sum
		for _, s := range gst.Sums(low) {
			if s.Marked {
				sums = append(sums, s)
			}
		}
		if len(dates) == 3 && len(sums) > 3 && sums[0].Paise == sums[1].Paise+sums[2].Paise && sums[2].Paise > 0 &&
			dates[1].Day.After(dates[0].Day) && !dates[2].Day.After(dates[0].Day) {
			last := sums[len(sums)-1].Paise
			all += last * (sums[2].Paise / 100) / (sums[0].Paise / 100)
			at = append(at, p.quote(from, from+len(line)))
		}
		from += len(line)
	}
	if all > 0 {
		if hasAny(p.low, "sgst identical", "cgst shown", "sgst same") {
			all *= 2
		}
		p.known.put("interest.in_ledger", Value{Kind: Money, Paise: (all + 50) / 100 * 100, At: at})
	}
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

// readInterestIncome reads, in a notice about composition, the parts of the turnover that it adds up, and takes out
// what is interest (section 10, Explanation 1).
func (p *paper) readInterestIncome() {
	if !p.isKind("composition notice") {
		return
	}
	var all, interest int64
	var at []Quote
	from := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		sums := gst.Sums(low)
		if len(sums) != 1 || !sums[0].Marked {
			from += len(line)
			continue
		}
		switch q := p.quote(from, from+len(line)); {
		case isTotal(strings.TrimSpace(low)) && all > 0 && all == sums[0].Paise && interest > 0:
			p.known.put("composition.interest", Value{Kind: Money, Paise: interest, At: at})
			p.known.put("composition.without", Value{Kind: Money, Paise: all - interest, At: append(slices.Clone(at), q)})
			return
		case hasAny(low, "interest on", "bank interest", "interest income", "interest received", "ब्याज"):
			interest += sums[0].Paise
			at = append(at, q)
			all += sums[0].Paise
		case hasAny(low, "limit", "threshold"):
			all, interest, at = 0, 0, nil
		default:
			all += sums[0].Paise
		}
		from += len(line)
	}
}

// isTotal tells a row that adds up those above it.
func isTotal(row string) bool {
	for _, w := range []string{"total", "grand total", "aggregate turnover", "gross turnover", "sum", "योग", "कुल"} {
		if strings.HasPrefix(row, w) {
			return true
		}
	}
	return false
}

// headed is the financial year that a paragraph names at its head, "4. Credit in excess of GSTR-2A, F.Y. 2020-21."
var headed = regexp.MustCompile(`(?:f\. ?y\. ?|fy |financial year )(20\d\d)-(?:20)?(\d\d)\b`)

// addYears adds to the periods of the facts the years that charges name at their heads and the facts do not have: the
// demand of several years must not be taken for that of one.
func (p *paper) addYears() {
	const head = 110
	for _, para := range p.facts.Charges() {
		text := lower(para.Text)
		m := headed.FindStringSubmatch(text[:min(len(text), head)])
		if m == nil {
			continue
		}
		fy := m[1] + "-" + m[2]
		from := law.ParseDay(m[1] + "-04-01")
		if from.IsZero() || from.FinancialYear() != fy ||
			slices.ContainsFunc(p.facts.Periods, func(o gst.Period) bool { return o.FY == fy }) {
			continue
		}
		p.facts.Periods = append(slices.Clone(p.facts.Periods), gst.Period{FY: fy, From: from.ISO(),
			To: from.AddMonths(12).AddDays(-1).ISO()})
	}
	slices.SortStableFunc(p.facts.Periods, func(a, b gst.Period) int { return strings.Compare(a.FY, b.FY) })
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
	fee := sums[0].Paise / 2500 // 0.04 per cent
	s.known.put("charge.fee_turnover", Value{Kind: Money, Paise: sums[0].Paise, At: at})
	s.known.put("charge.fee_most", Value{Kind: Money, Paise: fee, At: at})
	if v := p.known.one("demand.fee"); v != nil {
		s.known.put("charge.fee_over", Value{Kind: Money, Paise: max(0, v.Paise-fee), At: append(at, v.At...)})
	}
}
