package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readParticulars reads the facts that rules need and gst.Facts does not have, each with the words that print it.
func (p *Paper) readParticulars() {
	p.readPayments()
	p.readRate()
	p.readInterest()
	p.readPenaltyLimits()
	p.readDoubled()
	p.readInWords()
	p.readRows()
	p.readEarlier()
	p.readDetention()
	p.readOrderTimes()
	p.readProceedings()
	p.readGrossInterest()
	p.readComposition()
	p.readRefund()
	p.readRefundKind()
	p.readAudit()
	p.readDefault()
	p.readReclaimed()
	p.readRecovery()
	p.readGoods()
	p.readReasons()
	p.readAddressee()
	p.readPlan()
	p.readAssessed()
	p.readBeyondNotice()
	p.readPenaltyBeyond()
	p.readStages()
	p.readOwner()
	p.readAnswers()
	p.readRevision()
	p.readAuction()
	p.readAdmitted()
	p.readAmended()
	p.readAppealMade()
	p.readGrounds()
	p.readEffect()
	p.readHearings()
	p.readInLedger()
	p.readInterestIncome()
	p.readSummons()
	p.readReturnFiled()
	p.readLateReturns()
	p.readAddedInAppeal()
	p.readFormula()
	p.readDates()
	p.readTransit()
	p.readSuppliers()
	p.readFees()
	p.readSanctioned()
	p.readDifference()
	p.readReturnDue()
	p.readStatements()
	p.readBare()
	p.readRectified()
	p.readQuarterly()
	p.readAppealDays()
	p.readGroundsInWords()
	p.readRegistrationDay()
	p.readForRead()
	p.readRightTax()
}

// tellsOfBalance reports whether the paper says that its demand is the balance after payments.
func (p *Paper) tellsOfBalance() bool {
	_, _, ok := p.find("balance tax payable|balance payable|balance amount|net payable|net of payment|net "+
		"demand|after giving credit", 0, len(p.low))
	return ok
}

// readRate records that interest is charged at 24 per cent.
func (p *Paper) readRate() {
	for at := 0; ; {
		start, end, ok := p.find("24%|24 %|24 per cent|24 percent|24% p.a|twenty-four per cent|twenty four per cent", at, len(p.low))
		if !ok {
			return
		}
		at = end
		first, last := p.sentence(start)
		if hasAny(p.low[first:last], argued[:]...) {
			continue
		}
		if from := max(0, start-140); hasAny(p.low[from:start], "interest") &&
			!hasAny(p.low[start:min(len(p.low), end+60)], "if not paid") {
			p.Known.Put("interest.percent", Value{Kind: Count, Count: 24, At: []Quote{p.around(start, end)}})
			if sum := Sum(p.DemandOf(TakesInterest)); sum != nil && !hasAny(p.low, "18%", "18 %", "18 per cent") { // 18 per cent is three quarters of 24
				p.Known.Put("interest.over", Value{Kind: Money, Paise: int64(*sum) / 4, At: p.at("demand")})
			}
			return
		}
	}
}

// readEarlier reads what preceded the paper according to its text: the notice, an intimation, the reply and the
// hearing.
func (p *Paper) readEarlier() {
	kind := p.Known.One("paper.kind")
	if kind == nil {
		return
	}
	if start, end, ok := p.find("drc-01a|drc 01a|142(1a)|pre-show cause|pre-notice|pre-consultation", 0,
		len(p.low)); ok && kind.Text != "intimation" {
		p.Known.Put("drc01a.mentioned", Value{Kind: Truth, Yes: true, At: []Quote{p.around(start, end)}})
	}
	order := strings.Contains(kind.Text, "order")
	for at := 0; kind.Text == "order" || kind.Text == "notice"; {
		_, end, ok := p.find("show cause notice|scn|drc-01 |notice no|कारण बताओ सूचना|कारण बताओ नोटिस", at, len(p.low))
		if !ok {
			break
		}
		at = end
		stop := min(len(p.low), end+110)
		for _, d := range gst.Dates(p.low[end:stop]) {
			between := p.low[end : end+d.Start]
			if p.issued.IsZero() || !d.Day.Before(p.issued) ||
				!hasAny(between, "dated", "issued on", "dt", "date", "of ", "दिनांक") ||
				hasAny(between, "reply", "hearing", "उत्तर", "सुनवाई", "drc-06", "drc-01a", "order", "intimation",
					"letter", "asmt", "reminder", "adt-", "audit", "notice", "summons",
					"document", "report", "annexure", "far no") {
				break
			}
			q := []Quote{p.around(end+d.Start, end+d.End)}
			if order {
				p.Known.add("notice.day", Value{Kind: Day, Day: d.Day, At: q})
				p.Known.add("order.by", Value{Kind: Day, Day: d.Day.AddMonths(12), At: q})
				p.Known.add("order.by_longer", Value{Kind: Day, Day: d.Day.AddMonths(18), At: q})
			} else {
				// The notice may be older than its summary.
				p.Known.add("paper.date", Value{Kind: Day, Day: d.Day, At: q})
			}
			break
		}
	}
	if order {
		p.truth("hearing.held", heardWords)
		p.readHearingGiven()
		p.truth("hearing.offered",
			"personal hearing|opportunity of hearing|opportunity of being heard|व्यक्तिगत सुनवाई")
		p.truth("reply.filed", "drc-06 on|filed form gst drc-06|replied on|reply dated|reply filed|filed "+
			"reply|submitted reply|in its reply|in his reply")
		return
	}
	p.truth("hearing.offered", "personal hearing|hearing|appear before|heard in person|be heard|heard on|सुनवाई|उपस्थित हो")
}

// readHearingGiven sets hearing.given if a sentence says that a hearing was given, fixed or offered, and a date follows
// these words. Whether anyone came does not matter.
func (p *Paper) readHearingGiven() {
	p.each("hearing|सुनवाई", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		start, _, ok := p.find("granted|given|fixed|offered|afforded|scheduled|दिया गया|नियत", from, to)
		if ok && to < len(p.low) && hasAny(p.low[max(0, to-6):to], "shri", "smt", "sri", "mr.", "ms.", ".") {
			_, to = p.sentence(min(to+1, len(p.low)-1)) // the full stop after an initial does not end a sentence
		}
		if ok && len(gst.Dates(p.low[start:to])) > 0 &&
			!hasAny(words, "not granted", "not given", "not fixed", "not afforded", "no opportunity", "no hearing", "no date",
				"refused", "rejected", "नहीं") {
			p.Known.Put("hearing.given", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
}

// Earlier returns what preceded a paper, in the paper's own words: sentences or lines with a date before its own. For
// an order they are about the notice, the reply and the hearing; for a notice, about scrutiny, audit, letters, summons
// and statements. They are in that order, without repetitions.
func Earlier(t *law.Tables, f gst.Facts, pages []gst.Page) []Quote {
	p := Read(t, f, pages, law.Day{})
	kind := p.Known.One("paper.kind")
	if kind == nil {
		return nil
	}
	before := beforeNotice[:]
	if strings.Contains(kind.Text, "order") {
		before = beforeOrder[:]
	}
	var all []Quote
	var taken [][2]int
	for _, words := range before {
		for at := 0; len(all) < mostEarlier; {
			start, end, ok := p.find(words, at, len(p.low))
			if !ok {
				break
			}
			at = end
			from, to := p.sentence(start)
			lineFrom := strings.LastIndexByte(p.all[:start], '\n') + 1
			lineTo := min(len(p.all), end+strings.IndexByte(p.all[end:]+"\n", '\n'))
			// The cells of a form are not sentences.
			if to-from > mostOfSentence || start-from > farInSentence && p.hasEarlierDay(lineFrom, lineTo) {
				from, to = lineFrom, lineTo
			}
			if to-from > mostOfSentence || !p.hasEarlierDay(from, to) {
				continue
			}
			if !slices.ContainsFunc(taken, func(t [2]int) bool { return from < t[1] && t[0] < to }) {
				all, taken = append(all, p.quote(from, to)), append(taken, [2]int{from, to})
			}
			break
		}
	}
	return all
}

// hasEarlierDay reports whether the text between two offsets names a date before the paper's own.
func (p *Paper) hasEarlierDay(from, to int) bool {
	return slices.ContainsFunc(gst.Dates(p.low[from:to]), func(d gst.Dated) bool {
		return p.issued.IsZero() || d.Day.Before(p.issued)
	})
}

var (
	beforeOrder = [...]string{"show cause notice|scn |notice dated|notice no|notice issued|drc-01 ",
		"drc-06|replied on|reply dated|reply filed|filed reply|submitted reply|not replied|no reply", heardWords}
	beforeNotice = [...]string{"asmt-10|asmt 10|scrutiny", "asmt-11|asmt 11", "drc-01a|drc 01a|142(1a)",
		"adt-0|audit enquiry|audit memo|spot memo|audit of|audit para", "search|inspection|visited", "summons",
		"statement of|statement was|statements of", "arn|acknowledgement|application reference",
		"letter dated|letter of|vide letter", "reply dated|reply of|replied|your reply",
		"intercepted|was stopped", "mov-06|mov 06"}
)

const (
	mostEarlier    = 6
	mostOfSentence = 240
	farInSentence  = 60
	// heardWords are words that show that a person was heard.
	heardWords = "heard thiru|heard shri|heard sri|heard smt|heard ms.|heard mr.|heard on|was heard|were heard|heard through|personal hearing was held|hearing held|appeared for " +
		"personal hearing|appeared on|hearing was attended|attended the personal hearing|सुनवाई की गई"
)

func (p *Paper) truth(name, words string) {
	if start, end, ok := p.find(words, 0, len(p.low)); ok {
		p.Known.Put(name, Value{Kind: Truth, Yes: true, At: []Quote{p.around(start, end)}})
	}
}

// readDetention reads the date from which goods are detained, and counts the days from then to the notice. If several
// dates are named, it takes the last one, which is the most favourable to the officer.
func (p *Paper) readDetention() {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "detention notice" || p.issued.IsZero() {
		return
	}
	p.Known.Put("notice.day", Value{Kind: Day, Day: p.issued, At: p.at("issue_date")})
	var last law.Day
	var at Quote
	for _, d := range gst.Dates(p.low) {
		near := p.low[max(0, d.Start-150):min(len(p.low), d.End+60)]
		hindi := p.low[d.End:min(len(p.low), d.End+200)] // a Hindi letter takes three bytes
		if d.Day.After(p.issued) || !hasAny(near, "intercepted", "detained", "detention", "mov-06", "seized", "जाँच",
			"निरुद्ध", "रोका") && !hasAny(hindi, "रोका गया", "निरुद्ध किया") ||
			hasAny(near[:min(len(near), 150)], "expired") && !hasAny(near, "mov-06") {
			continue
		}
		if d.Start > 0 && hasAny(p.low[max(0, d.Start-25):d.Start], "date ", "date:", "dated:", "दिनांक :") &&
			d.Day == p.issued {
			continue
		}
		if last.IsZero() || d.Day.After(last) {
			last, at = d.Day, p.around(d.Start, d.End)
		}
	}
	if day, q := p.detentionOrder(); !day.IsZero() {
		last, at = day, q
	}
	if last.IsZero() {
		return
	}
	p.Known.Put("detention.day", Value{Kind: Day, Day: last, At: []Quote{at}})
	p.Known.Put("detention.days", Value{Kind: Count, Count: last.DaysUntil(p.issued), At: []Quote{at}})
}

// detentionOrder returns the date of the order of detention in FORM GST MOV-06, if the paper names exactly one. The
// seven days run from that date, and not from the day on which somebody appeared.
func (p *Paper) detentionOrder() (day law.Day, q Quote) {
	const near = 34
	for at := 0; ; {
		start, end, ok := p.find("mov-06|mov 06|mov06|एमओवी-06", at, len(p.low))
		if !ok {
			return day, q
		}
		at = end
		days := gst.Dates(p.low[end:min(len(p.low), end+near)])
		if len(days) == 0 || days[0].Day.After(p.issued) || hasAny(p.low[end:end+days[0].Start], "mov", "एमओवी", "appear", "notice") {
			continue
		}
		if !day.IsZero() && day != days[0].Day {
			return law.Day{}, q
		}
		day, q = days[0].Day, p.around(start, end+days[0].End)
	}
}

// readRefund reads when a refund was applied for, and for which period.
func (p *Paper) readRefund() {
	if !p.isKind("refund notice", "deficiency memo", "refund order") {
		return
	}
	var last law.Day
	var at Quote
	see := func(d law.Day, q Quote) {
		if (p.issued.IsZero() || !d.After(p.issued)) && d.After(last) {
			last, at = d, q
		}
	}
	for from := 0; ; {
		start, end, ok := p.find("arn|acknowledgement|application reference", from, len(p.low))
		if !ok {
			break
		}
		from = end
		if days := gst.Dates(p.low[end:min(len(p.low), end+70)]); len(days) > 0 &&
			!hasAny(p.low[end:end+days[0].Start], "drc-03", "notice", "memo", "relevant date", "rfd-02", "rfd 02") {
			see(days[0].Day, p.quote(start, end+days[0].End))
		}
	}
	if last.IsZero() {
		p.readAsked(see)
	}
	if last.IsZero() {
		return
	}
	// Of several applications a paper answers the last.
	p.Known.Put("application.day", Value{Kind: Day, Day: last, At: []Quote{at}})
	if !p.issued.IsZero() {
		p.Known.Put("application.days", Value{Kind: Count, Count: last.DaysUntil(p.issued), At: []Quote{at}})
	}
}

// readAsked calls see for each date on which, in the paper's words, a refund was applied for: "On 20.05.2022 you asked
// for refund", "your application dated 15.02.2023".
func (p *Paper) readAsked(see func(law.Day, Quote)) {
	const before, behind = 40, 60
	for at := 0; ; {
		start, end, ok := p.find("you asked for|you applied for|you have applied|you claimed refund|you have claimed|you filed|"+
			"applied for refund|refund application|application for refund|application dated|application filed|application of|"+
			"application submitted|your application|your claim|claim filed|claim dated|claim was filed|refund claim|date of "+
			"application|date of filing|रिफंड आवेदन|आवेदन दिनांक|आवेदन", at, len(p.low))
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+behind)]) {
			if !hasAny(p.low[end:end+d.Start], "period", "relevant", "invoice", "export", "notice", "memo", "order", "expired",
				"due", "notification", "for the month") {
				see(d.Day, p.quote(start, end+d.End))
			}
			break
		}
		from := max(0, start-before)
		if days := gst.Dates(p.low[from:start]); len(days) > 0 {
			d := days[len(days)-1]
			if strings.TrimSpace(p.low[from+d.End:start]) == "" || strings.TrimSpace(p.low[from+d.End:start]) == "," {
				see(d.Day, p.quote(from+d.Start, end))
			}
		}
	}
}

// readReclaimed adds up the row of Table 4(D)(1), the reclaimed credit.
func (p *Paper) readReclaimed() {
	at := 0
	for line := range strings.Lines(p.all) {
		low := lower(line)
		_, rest, ok := strings.Cut(low, "4(d)(1)")
		if ok && len(gst.Sums(rest)) > 0 {
			var sum, last Amount
			for _, s := range gst.Sums(rest) {
				if s.Marked {
					last = Amount(s.Paise)
					sum += last
				}
			}
			// The total may come after the heads. Two equal heads without a total count only if their sum is printed
			// elsewhere.
			if sum == 2*last && !p.prints(sum) {
				sum = last
			}
			if sum > 0 {
				p.Known.Put("reclaimed.amount",
					Value{Kind: Money, Paise: int64(sum), At: []Quote{p.quote(at, at+len(line))}})
			}
			return
		}
		at += len(line)
	}
}

// prints reports whether the paper prints an amount with a currency sign.
func (p *Paper) prints(a Amount) bool {
	return slices.ContainsFunc(gst.Sums(p.low), func(s gst.Sum) bool { return s.Marked && Amount(s.Paise) == a })
}

// readAudit reads the date on which an audit is to begin, and counts the weekdays until then. Holidays would only
// reduce the number, so if it is below a limit, the true number is too.
func (p *Paper) readAudit() {
	k := p.Known.One("paper.kind")
	if k == nil || k.Text != "audit notice" || p.issued.IsZero() {
		return
	}
	day, q := p.auditDay()
	if day.IsZero() {
		return
	}
	p.Known.Put("audit.day", Value{Kind: Day, Day: day, At: []Quote{q}})
	from, at := p.issued, []Quote{q}
	if received, stamp := p.receivedOn(); received.After(from) { // the person is informed on the day it arrives
		from, at = received, append(at, stamp...)
	}
	days := 0
	for d := from.AddDays(1); d.Before(day) && days < 100; d = d.AddDays(1) {
		if w := d.Weekday(); w != 0 && w != 6 {
			days++
		}
	}
	p.Known.Put("audit.workdays", Value{Kind: Count, Count: days, At: at})
}

// receivedOn returns the date on which the paper was received. It takes the date from the facts, or from a receipt
// stamp if the facts have none.
func (p *Paper) receivedOn() (law.Day, []Quote) {
	if p.Facts.ServedOn != nil {
		return law.ParseDay(*p.Facts.ServedOn), p.at("served_on")
	}
	const near = 30
	for at := 0; ; {
		start, end, ok := p.find("received|recd|rec'd|प्राप्त", at, len(p.low))
		if !ok {
			return law.Day{}, nil
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if !d.Day.Before(p.issued) {
				return d.Day, []Quote{p.quote(start, end+d.End)}
			}
		}
	}
}

// auditDay returns the date on which an audit is to be conducted: the first date after words such as "audit to be
// conducted".
func (p *Paper) auditDay() (law.Day, Quote) {
	for at := 0; ; {
		start, end, ok := p.find("commencing|commence|conduct the * audit|conduct * audit|audit * conducted|audit * "+
			"on|audit * from|visit * premises|shown to the audit", at, len(p.low))
		if !ok {
			return law.Day{}, Quote{}
		}
		at = end
		_, last := p.sentence(start)
		for _, d := range gst.Dates(p.low[end:min(last, end+90)]) {
			if d.Day.After(p.issued) {
				return d.Day, p.around(start, end+d.End)
			}
		}
	}
}

// readQuarter records, for a notice to a quarterly filer, that only one quarter's return is missing. The paper must
// name the last return on record, and this must be the return for the quarter before.
func (p *Paper) readQuarter() {
	if _, _, ok := p.find("qrmp|quarterly|quarter|तिमाही", 0, len(p.low)); !ok {
		return
	}
	start, _, ok := p.find("last return|last gstr-3b|latest return|last filed return", 0, len(p.low))
	if !ok {
		return
	}
	from, to := p.sentence(start)
	last := p.quarterIn(from, to)
	if last.IsZero() {
		return
	}
	for at := 0; ; {
		missing, end, ok := p.find("not filed|not furnished|not been filed|not been furnished", at, start)
		if !ok {
			return
		}
		at = end
		if open := p.quarterIn(max(0, missing-90), missing); open == last.AddMonths(3) {
			p.Known.Put("default.quarter", Value{Kind: Truth, Yes: true, At: []Quote{p.around(missing, end), p.quote(from, to)}})
			return
		}
	}
}

// quarterIn returns the first day of the last month of the quarter that the text between two offsets names.
func (p *Paper) quarterIn(from, to int) law.Day {
	m := quarterEnd.FindStringSubmatchIndex(p.low[from:to])
	if m == nil {
		return law.Day{}
	}
	months := monthsIn(p.low[from+m[2] : from+m[3]])
	if len(months) != 1 {
		return law.Day{}
	}
	return months[0].first
}

// quarterEnd matches a quarter written as months, such as "April-June 2026", and captures its last month and year.
var quarterEnd = lazyregexp.New(`(?:april|january|july|october|apr|jan|jul|oct)\.? ?(?:-|to|–) ?((?:june|march|september|december|jun|mar|sep|sept|dec)\.? ?,? ?20\d\d)`)

// readDefault counts the months for which returns are said to be missing, as in "October 2025 to March 2026".
func (p *Paper) readDefault() {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "cancellation notice" && k.Text != "suspension" &&
		k.Text != "cancellation order" {
		return
	}
	p.readQuarter()
	if n, at := p.monthsOfTable(); n > 0 {
		p.Known.Put("default.months", Value{Kind: Count, Count: n, At: at})
		return
	}
	start, _, ok := p.find("not furnished|not been furnished|non-filing|not filed|not been filed|failure to furnish|failed to "+
		"furnish|failed to file|did not file|did not furnish|not submitted|pending returns|returns pending|returns are "+
		"pending|विवरणी", 0, len(p.low))
	if !ok {
		return
	}
	from, to := max(0, start-150), min(len(p.low), start+250)
	if n, start, end := listedMonths(p.low[from:to]); n > 2 {
		p.Known.Put("default.months", Value{Kind: Count, Count: n, At: []Quote{p.quote(from+start, from+end)}})
		return
	}
	months := monthsIn(p.low[from:to])
	if n, start, end := monthsInARow(p.low[from:to]); n > 2 {
		p.Known.Put("default.months", Value{Kind: Count, Count: n, At: []Quote{p.quote(from+start, from+end)}})
		return
	}
	if len(months) != 2 || !hasAny(p.low[from+months[0].end:from+months[1].start], " to ", "से", "-", "till") {
		return
	}
	a, b := months[0].first, months[1].first
	n := (b.Year()-a.Year())*12 + int(b.Month()) - int(a.Month()) + 1
	if n > 0 && n < 100 {
		p.Known.Put("default.months", Value{Kind: Count, Count: n,
			At: []Quote{p.quote(from+months[0].start, from+months[1].end)}})
	}
}

// readRecovery reads the order on which a recovery rests, and computes the periods that run from it. These are three
// months before recovery begins (section 78), three months for rectification (section 161), and one year for a
// provisional attachment (section 83(2)).
func (p *Paper) readRecovery() {
	kind := p.Known.One("paper.kind")
	if kind == nil {
		return
	}
	if strings.Contains(kind.Text, "order") && !p.issued.IsZero() {
		p.Known.Put("rectification.last", Value{Kind: Day, Day: p.issued.AddMonths(3), At: p.at("issue_date")})
	}
	if kind.Text == "attachment" && !p.issued.IsZero() {
		p.Known.Put("attachment.ends", Value{Kind: Day, Day: p.issued.AddMonths(12), At: p.at("issue_date")})
	}
	if !p.isKind("garnishee", "recovery intimation", "auction notice", "property attachment") {
		return
	}
	for at := 0; ; {
		_, end, ok := p.find("order no|order dated|demand order|order in original|order-in-original|drc-07|order "+
			"bearing|आदेश|डीआरसी-07", at, len(p.low))
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+110)]) {
			if !d.Day.Before(p.lastDay()) {
				break
			}
			q := []Quote{p.around(end+d.Start, end+d.End)}
			p.Known.add("order.day", Value{Kind: Day, Day: d.Day, At: q})
			p.Known.add("recovery.from", Value{Kind: Day, Day: d.Day.AddMonths(3), At: q})
			break
		}
	}
}

// readEqualMonths finds a row for several months in which FORM GSTR-1 and GSTR-3B are equal, in a charge that compares
// them. Such a row shows that what was short in one month was paid in another.
func (p *Paper) readEqualMonths(s Scope) {
	if !hasAny(p.low[s.from:s.to], "3b") || !hasAny(p.low[s.from:s.to], "gstr-1", "gstr 1", "gstr1") {
		return
	}
	from := s.from
	for line := range strings.Lines(p.all[s.from:s.to]) {
		low := strings.TrimSpace(lower(line))
		sums := paiseIn(low)
		half := len(sums) / 2
		if (strings.HasPrefix(low, "total") || strings.Contains(low[:min(len(low), 16)], "months")) && half > 0 && len(sums) == 2*half &&
			sums[0] > 0 && slices.Equal(sums[:half], sums[half:]) {
			s.Known.Put("charge.months_equal", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, from+len(line))}})
			return
		}
		from += len(line)
	}
}

// workers matches the number of people who work in a factory, such as "410 workers".
var workers = lazyregexp.New(`\b(\d{2,5}) (?:workers|workmen|factory workers|employees)\b`)

// readWorkers reads how many workers a factory has, in a charge about it.
func (p *Paper) readWorkers(s Scope) {
	words := p.low[s.from:s.to]
	if m := workers.FindStringSubmatchIndex(words); m != nil && hasAny(words, "factory") {
		s.Known.Put("charge.workers", Value{Kind: Count, Count: number(words[m[2]:m[3]]), At: []Quote{p.around(s.from+m[0], s.from+m[1])}})
	}
}

// annualDay reads, in a charge about late credit, the date on which the annual return was filed.
func (p *Paper) annualDay(s Scope) {
	p.each("annual return|gstr-9|gstr 9|वार्षिक विवरणी", s.from, s.to, func(from, to int) {
		start, _, ok := p.find("annual return|gstr-9|gstr 9|वार्षिक विवरणी", from, to)
		if !ok || !hasAny(p.low[start:to], "filed", "furnished", "दाखिल") || hasAny(p.low[start:to], "not filed", "not furnished") {
			return
		}
		if days := gst.Dates(p.low[start:to]); len(days) == 1 {
			s.Known.add("charge.annual_day", Value{Kind: Day, Day: days[0].Day, At: []Quote{p.quote(from, to)}})
		}
	})
}
