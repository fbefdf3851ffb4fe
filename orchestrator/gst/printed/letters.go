package printed

import (
	"slices"
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/lazyregexp"
)

// isCorrigendum reports whether a paper changes a notice or order that preceded it.
func (p *Paper) isCorrigendum() bool {
	const head = 1200
	return corrigendum.MatchString(p.all[:runeStart(p.all, min(len(p.all), head))])
}

// letterKind returns the kind of a letter that follows no form: "appeal letter" for one about an appeal, "hearing
// letter" for one that only fixes a hearing or gives more time, and "letter" for any other.
func (p *Paper) letterKind() string {
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
	if p.fixesHearing() {
		return "hearing letter"
	}
	return "letter"
}

// fixesHearing reports whether a letter on a show cause notice only fixes the date of a hearing or gives more time. The
// letter must say so near its beginning.
func (p *Paper) fixesHearing() bool {
	const head, subject = 1200, 160
	_, _, notice := p.find("scn|show cause notice|drc-01|कारण बताओ", 0, min(len(p.low), head))
	start, end, ok := p.find("sub.|sub:|sub |subject|विषय", 0, min(len(p.low), head))
	if !notice || !ok {
		return false
	}
	_, _, hearing := p.find("hearing|adjournment|extension of time|सुनवाई", start, min(len(p.low), end+subject))
	return hearing
}

// corrigendum matches the line with which a paper says that it is a corrigendum.
var corrigendum = lazyregexp.New(`(?im)^(corrigendum|addendum|शुद्धि ?पत्र)`)

// runeStart moves an offset back so that it does not divide a character.
func runeStart(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// readAmended reads, in a corrigendum, the date of the notice that it changes and the tax before and after the change.
// It also reads whether the corrigendum adds a charge.
func (p *Paper) readAmended() {
	if !p.isKind("corrigendum") {
		return
	}
	p.readNoticeDay()
	p.truth("corrigendum.puts_74", "read * section 74|substituted * section 74|replaced * section 74|section 74 * for section 73|धारा 73 * धारा 74 पढ़ा")
	p.readInserted()
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
		p.Known.Put("notice.tax", Value{Kind: Money, Paise: totals[0], At: q})
		p.Known.Put("corrigendum.more", Value{Kind: Money, Paise: totals[1] - totals[0], At: q})
		return
	}
}

// readInserted reads the tax in a paragraph that a corrigendum inserts. It also reads the tax on those documents in its
// annexure that, as the corrigendum itself says, were already in the notice.
func (p *Paper) readInserted() {
	const reach = 500
	start, end, ok := p.find("shall be inserted|is inserted|are inserted|be added|is added", 0, len(p.low))
	if !ok {
		return
	}
	if _, tax, ok := p.find("tax of|tax amounting to|tax is", end, min(len(p.low), end+reach)); ok {
		if sums := gst.Sums(p.low[tax:min(len(p.low), tax+30)]); len(sums) > 0 && sums[0].Marked {
			p.Known.Put("corrigendum.more", Value{Kind: Money, Paise: sums[0].Paise, At: []Quote{p.around(tax, tax+sums[0].End)}})
		}
	}
	var tax int64
	var at []Quote
	for _, l := range p.lines {
		id := ""
		if i := slices.IndexFunc(l.label, func(w string) bool { return documentNumber(w) != "" }); i >= 0 {
			id = strings.Trim(l.label[i], ".,:;()[]")
		}
		if l.from < end || id == "" || !l.wide || l.isTotal() {
			continue
		}
		if from, to, ok := p.find(id, 0, start); ok {
			tax += taxIn(l.cells)
			at = append(at, p.around(from, to), p.quoteLine(l))
		}
	}
	if tax > 0 {
		p.Known.Put("corrigendum.again", Value{Kind: Money, Paise: tax, At: at})
	}
}

// readAppealMade reads what a paper says about an appeal: what was paid with it, how much tax is in dispute, and so
// whether the payment is a tenth of that tax (section 107(6)).
func (p *Paper) readAppealMade() {
	if !p.isKind("garnishee", "attachment", "recovery intimation", "auction notice", "property attachment", "appeal letter",
		"appellate order") {
		return
	}
	if !p.isKind("appeal letter", "appellate order") {
		if tax := Sum(p.DemandOf(TakesTax)); tax != nil {
			p.Known.Put("deposit.appeal", Value{Kind: Money, Paise: int64(*tax) / 10, At: p.at("demand")})
		}
	}
	if p.isKind("appeal letter", "appellate order") {
		p.readDisputed()
	}
	words := "appeal|appellant|pre-deposit|pre deposit|predeposit|107(6)|अपील"
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
				!hasAny(after, "has been paid", "was paid", "is paid", "been deposited", "was deposited", "paid as", "जमा कर", "जमा की") ||
				hasAny(before, "balance", "short", "to be") {
				continue
			}
			p.Known.add("deposit.paid", Value{Kind: Money, Paise: s.Paise, At: []Quote{p.quote(from, to)}})
			if days := p.daysIn(from, to); len(days) > 0 && len(p.Known["appeal.filed"]) == 0 {
				day := days[0]
				// if there are several dates, the date of the appeal follows the word "appeal"
				if start, _, ok := p.find("appeal|अपील", from, to); ok {
					if behind := p.daysIn(start, to); len(behind) > 0 {
						day = behind[0]
					}
				}
				p.Known.Put("appeal.filed", Value{Kind: Day, Day: day, At: []Quote{p.quote(from, to)}})
			}
		}
	})
}

// readDisputed reads the tax in dispute from a letter on an appeal, as in "tax of Rs. 11,50,000 (…), interest of …".
func (p *Paper) readDisputed() {
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
		p.Known.Put("demand.tax", Value{Kind: Money, Paise: sums[0].Paise, At: q})
		p.Known.Put("deposit.appeal", Value{Kind: Money, Paise: sums[0].Paise / 10, At: q})
		return
	}
}

// readHearings counts the dates of hearing that a single letter fixed. Section 75(5) allows three adjournments, and a
// letter that fixes three dates does not grant them.
func (p *Paper) readHearings() {
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
				p.Known.Put("hearing.days_in_letter",
					Value{Kind: Count, Count: len(days), At: []Quote{p.quote(from, to)}})
			}
		})
}

// readInLedger reads rows of returns filed late that also print when the cash came into the electronic cash ledger. It
// adds up the interest in the rows whose cash was there by the due date (proviso to rule 88B(1)).
func (p *Paper) readInLedger() {
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
		p.Known.Put("interest.in_ledger", Value{Kind: Money, Paise: (all + 50) / 100 * 100, At: at})
	}
}

// readInterestIncome reads the parts of the turnover that a notice about composition adds up, and computes the turnover
// without the interest among them (section 10, Explanation 1).
func (p *Paper) readInterestIncome() {
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
			p.Known.Put("composition.interest", Value{Kind: Money, Paise: interest, At: at})
			p.Known.Put("composition.without", Value{Kind: Money, Paise: all - interest, At: append(slices.Clone(at), q)})
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

// isTotal reports whether a row is the sum of the rows above it.
func isTotal(row string) bool {
	for _, w := range []string{"total", "grand total", "aggregate turnover", "gross turnover", "sum", "योग", "कुल"} {
		if strings.HasPrefix(row, w) {
			return true
		}
	}
	return false
}

// readSummons counts the days between the date of a summons and the date of attendance.
func (p *Paper) readSummons() {
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
				p.Known.Put("summons.days", Value{Kind: Count, Count: p.issued.DaysUntil(d.Day), At: []Quote{p.around(start, end+d.End)}})
				return
			}
		}
	}
}

// summonsTitle matches the title line of a summons.
var summonsTitle = lazyregexp.New(`(?im)^[ .*_:-]*(?:form gst )?(?:summons|समन)[ .*_:-]*(?:$|\(|under|to )`)

// isSummons reports whether the paper is a summons under section 70.
func (p *Paper) isSummons() bool {
	const head = 1500
	return summonsTitle.MatchString(p.all[:runeStart(p.all, min(len(p.all), head))]) && hasAny(p.low, "section 70", "धारा 70")
}

// billTitle matches the title of a bill or quotation, such as "TAX INVOICE". Such a paper may mention forms, but is in
// none of them.
var billTitle = lazyregexp.New(`(?im)^[^\n]{0,30}\b(?:tax invoice|bill of fees|fee bill|proforma invoice|pro forma invoice|quotation|estimate of fees|` +
	`engagement letter|receipt voucher|fee note|debit note|credit note)\b`)

// isBill reports whether a paper is somebody's bill or quotation for services.
func (p *Paper) isBill() bool {
	const head = 260
	top := p.all[:runeStart(p.all, min(len(p.all), head))]
	return billTitle.MatchString(top) && !paperTitle.MatchString(top)
}

// paperTitle matches the title of a paper that an office issued, such as "SHOW CAUSE NOTICE".
var paperTitle = lazyregexp.New(`(?im)^[ .*_:-]*(?:form|show cause|notice|order|intimation|summary|summons|नोटिस|आदेश|कारण|सूचना)`)
