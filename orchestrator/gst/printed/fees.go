package printed

import (
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// feeADay matches a late fee for each day, such as "rs. 200 per day" or "₹100/day", and captures the rupees.
var feeADay = lazyregexp.New(`(?:rs\.?|₹|inr|रु\.?) ?(\d{2,3})(?:\.00)?(?:/-)? ?(?:per day|a day|/ ?day|for each day|for every day|each day|प्रतिदिन|प्रति दिन)`)

// feeDays matches the delay of a return, such as "45 days", and captures the number.
var feeDays = lazyregexp.New(`\b(\d{1,4}) days?\b`)

// readFees reads the late fee per day that a paper demands, and how much of it exceeds the notified rate: for FORM
// GSTR-3B and GSTR-1 fifty rupees a day under both Acts together, twenty for a nil return (N.76/2018, 4/2018). For
// FORM GSTR-9 of a year up to 2021-22, the limit is a quarter per cent of the turnover under each Act (section
// 47(2)).
func (p *Paper) readFees() {
	const most = 50
	p.each("late fee|late-fee|section 47|विलंब शुल्क|विलम्ब शुल्क|लेट फीस", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		m := feeADay.FindStringSubmatchIndex(words)
		if m == nil || len(p.Known["fee.a_day"]) > 0 {
			return
		}
		rate, err := strconv.Atoi(words[m[2]:m[3]])
		if err != nil {
			return
		}
		at := []Quote{p.quote(from, to)}
		p.Known.Put("fee.a_day", Value{Kind: Money, Paise: int64(rate) * 100, At: at})
		annual := hasAny(words, "gstr-9", "gstr 9", "gstr9", "annual")
		d := feeDays.FindStringSubmatch(words)
		between := daysBetween(words) // the days may be counted wrongly
		if annual || d == nil || !hasAny(words, "3b", "gstr-1", "gstr 1", "gstr1") {
			return
		}
		days, _ := strconv.Atoi(d[1]) // its digits were checked above
		right := int64(min(rate, most)*days) * 100
		if between > 0 && between < days-1 {
			right = int64(min(rate, most)*between) * 100
		}
		if right >= int64(rate*days)*100 {
			return
		}
		for _, s := range gst.Sums(words) {
			if s.Marked && s.Paise == int64(rate*days)*100 {
				p.Known.Put("fee.right", Value{Kind: Money, Paise: right, At: at})
				p.Known.Put("fee.over", Value{Kind: Money, Paise: s.Paise - right, At: at})
			}
		}
	})
	p.readAnnualCap()
}

// readAnnualCap computes the maximum late fee under one Act for an annual return up to 2021-22, if the paper prints the
// turnover and demands more.
func (p *Paper) readAnnualCap() {
	if len(p.Facts.Periods) != 1 || p.Facts.Periods[0].FY > "2021-22" {
		return
	}
	const near, mostTurnover = 120, 200_00_00_000_00
	p.each("late fee|late-fee|विलंब शुल्क|विलम्ब शुल्क", 0, len(p.low), func(from, to int) {
		if !hasAny(p.low[from:to], "gstr-9", "gstr 9", "gstr9", "annual return") || len(p.Known["fee.annual_most"]) > 0 {
			return
		}
		start, end, ok := p.find("turnover|टर्नओवर", from, min(len(p.low), to+near))
		if !ok {
			return
		}
		sums := gst.Sums(p.low[end:min(len(p.low), end+near)])
		if len(sums) == 0 || !sums[0].Marked || sums[0].Paise > mostTurnover || sums[0].Paise < 1_00_000_00 {
			return
		}
		at := []Quote{p.quote(from, to), p.around(start, end+sums[0].End)}
		each := sums[0].Paise / 400 // a quarter per cent
		p.Known.Put("fee.annual_most", Value{Kind: Money, Paise: 2 * each, At: at})
		for _, s := range gst.Sums(p.low[from:to]) {
			if s.Marked && s.Paise > each && s.Paise < 100*each && s.Paise != sums[0].Paise {
				p.Known.Put("fee.annual_over", Value{Kind: Money, Paise: 2 * (s.Paise - each), At: at})
				return
			}
		}
	})
}

// readSanctioned reads how much a refund order refunds. It computes interest at six per cent from the end of the sixty
// days that the law allows for the order until the date of the order (section 56).
func (p *Paper) readSanctioned() {
	const sixty, rate = 60, 6
	applied := p.Known.One("application.day")
	if !p.isKind("refund order") || applied == nil || p.issued.IsZero() {
		return
	}
	days := applied.Day.DaysUntil(p.issued) - sixty
	if days < 1 {
		return
	}
	var found []int64
	var at []Quote
	p.each("sanctioned|sanction of|is granted|allowed|स्वीकृत", 0, len(p.low), func(from, to int) {
		start, end, ok := p.find("sanctioned|sanction|granted|allowed|admissible", from, to)
		if !ok {
			return
		}
		words := p.low[from:to]
		var last int64
		for _, s := range gst.Sums(words) {
			if s.Marked && s.Paise >= 1000_00 && (from+s.Start > end || from+s.End < start) {
				last = s.Paise
				if from+s.Start > end {
					break // the amount after the word
				}
			}
		}
		if last > 0 && !hasAny(words, "not sanctioned", "may be sanctioned", "rejected in full") {
			found, at = append(found, last), append(at, p.quote(from, to))
		}
	})
	if len(found) == 0 {
		return
	}
	p.Known.Put("refund.sanctioned", Value{Kind: Money, Paise: found[0], At: at[:1]})
	p.Known.Put("refund.late_days", Value{Kind: Count, Count: days, At: applied.At})
	p.Known.Put("refund.interest", Value{Kind: Money, Paise: (found[0]*rate*int64(days)/36500 + 50) / 100 * 100,
		At: append(at[:1:1], applied.At...)})
}

// refundKinds lists the kinds of refunds with the words that papers use for them, in the order in which they are tried.
// The Explanation to section 54 gives each kind a relevant date of its own.
var refundKinds = [...]struct{ kind, words string }{
	{"cash ledger", "excess balance in electronic cash|excess balance in the electronic cash|balance in cash ledger|excess cash balance"},
	{"inverted", "inverted duty|inverted rate|inverted tax|inverted structure"},
	{"deemed export", "deemed export"},
	{"zone", "special economic zone|sez unit|sez developer|supplies to sez|supply to sez|supplies made to sez"},
	{"export services", "export of service|exports of service|export of it service|services exported|exported services"},
	{"export goods", "export of goods|exports of goods|shipping bill|goods exported|exported goods"},
	{"excess tax", "excess payment of tax|excess tax paid|tax paid in excess|wrongly paid|tax paid by mistake|paid by mistake|paid twice"},
}

// readRefundKind reads the kind of refund that a paper is about. It computes the last date to apply from the relevant
// date of that kind, if the paper prints it.
func (p *Paper) readRefundKind() {
	if !p.isKind("refund notice", "refund order", "deficiency memo") {
		return
	}
	for _, k := range refundKinds {
		if start, end, ok := p.find(k.words, 0, len(p.low)); ok {
			p.word("refund.kind", k.kind, []Quote{p.around(start, end)})
			break
		}
	}
	kind := p.Known.One("refund.kind")
	if kind == nil {
		return
	}
	switch kind.Text {
	case "inverted":
		p.refundByReturn(kind.At)
	case "zone":
		p.refundByReturn(kind.At)
	case "export services":
		p.relevantBehind("payment received on|payment was received on|consideration * received|realised on|realisation|realization|firc|received * on|"+
			"credited on|remittance", kind.At)
	case "export goods":
		p.relevantBehind("vessel * sailed|sailed on|sailing|left india|leaves india|departure|egm dated|egm date|loaded on|flown on|crossed the * frontier",
			kind.At)
	case "excess tax":
		p.relevantBehind("tax was paid on|tax paid on|paid on|date of payment|deposited on", kind.At)
	}
	p.readMemoDays()
}

// refundByReturn computes the last date to apply for a refund as two years from the due date of the return for the last
// month of the paper's period.
func (p *Paper) refundByReturn(at []Quote) {
	if len(p.Facts.Periods) == 0 {
		return
	}
	first := law.ParseDay(p.Facts.Periods[0].From)
	last := law.ParseDay(p.Facts.Periods[len(p.Facts.Periods)-1].To)
	if first.IsZero() || last.IsZero() {
		return
	}
	months := monthsIn(p.low)
	for i := 0; i+1 < len(months); i++ { // "for the period october 2022 to december 2022"
		between := p.low[months[i].end:max(months[i].end, months[i+1].start)]
		if hasAny(between, " to ", "-", "–") && len(between) < 8 {
			first, last = months[i].first, months[i+1].first
			at = append(append([]Quote{}, at...), p.around(months[i].start, months[i+1].end))
			break
		}
	}
	lastMonth, _ := law.NewDay(last.Year(), int(last.Month()), 1)
	p.Known.day("refund.first_relevant", first.AddMonths(1).AddDays(19), at)
	p.putRelevant(lastMonth.AddMonths(1).AddDays(19), at)
}

// relevantBehind takes the date near one of the words as the relevant date.
func (p *Paper) relevantBehind(words string, at []Quote) {
	const near = 60
	for from := 0; ; {
		start, end, ok := p.find(words, from, len(p.low))
		if !ok {
			return
		}
		from = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if hasAny(p.low[end:end+d.Start], "applic", "invoice", "notice", "claim", "filed") || !p.issued.IsZero() && d.Day.After(p.issued) {
				break
			}
			p.putRelevant(d.Day, append(append([]Quote{}, at...), p.around(start, end+d.End)))
			return
		}
	}
}

// putRelevant records a relevant date and the last date of the two years from it. It also computes that date without
// the days that N.13/2022-Central Tax excludes.
func (p *Paper) putRelevant(relevant law.Day, at []Quote) {
	p.Known.day("refund.relevant", relevant, at)
	p.Known.day("refund.last", twoYears(relevant), at)
}

func twoYears(relevant law.Day) law.Day {
	last := relevant.AddMonths(24)
	if !last.After(exclusion.from) || relevant.After(exclusion.to) {
		return last
	}
	begins := relevant
	if begins.Before(exclusion.from) {
		begins = exclusion.from
	}
	return last.AddDays(begins.DaysUntil(exclusion.to) + 1)
}

// readMemoDays counts the days from a first application to its deficiency memo. They are not counted in the two years
// (proviso to rule 90(3)).
func (p *Paper) readMemoDays() {
	if p.isKind("deficiency memo") {
		return
	}
	const near = 80
	start, end, ok := p.find("deficiency memo|rfd-03|rfd 03|कमी ज्ञापन", 0, len(p.low))
	if !ok {
		return
	}
	days := gst.Dates(p.low[end:min(len(p.low), end+near)])
	if len(days) == 0 {
		return
	}
	memo := days[0].Day
	first, q := p.firstApplication(memo)
	if first.IsZero() || memo.ISO() < "2021-05-18" {
		return
	}
	at := []Quote{q, p.around(start, end+days[0].End)}
	left := first.DaysUntil(memo)
	p.Known.day("refund.memo", memo, at)
	p.Known.day("refund.first", first, at)
	p.Known.Put("refund.memo_days", Value{Kind: Count, Count: left, At: at})
	if last := p.Known.One("refund.last"); last != nil {
		p.Known.day("refund.last_memo", last.Day.AddDays(left), append(append([]Quote{}, last.At...), at...))
	}
}

// firstApplication returns the date of the application that came before a deficiency memo.
func (p *Paper) firstApplication(memo law.Day) (law.Day, Quote) {
	const near = 90
	var first law.Day
	var q Quote
	for at := 0; ; {
		start, end, ok := p.find("first application|original application|earlier application|previous application|initial application|first filed|"+
			"originally filed|earlier filed|arn|application", at, len(p.low))
		if !ok {
			return first, q
		}
		at = end
		for _, d := range gst.Dates(p.low[end:min(len(p.low), end+near)]) {
			if d.Day.Before(memo) && (first.IsZero() || d.Day.Before(first)) && d.Day.AddMonths(3).After(memo) {
				first, q = d.Day, p.around(start, end+d.End)
			}
			break
		}
	}
}

// readLateReturns computes, from rows of returns filed late, the interest on what was paid by credit and the late fee
// above its maximum. A row counts only if its own figures prove its columns: the tax is the sum of credit and cash, the
// interest is 18 per cent a year for the days, and the fee is fifty rupees a day.
func (p *Paper) readLateReturns() {
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
		sums := paiseIn(low[days[1].End:])
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
	if onCredit > 0 && len(p.Known["interest.on_credit"]) == 0 {
		p.Known.Put("interest.on_credit", Value{Kind: Money, Paise: (onCredit + 50) / 100 * 100, At: interest})
	}
	if over > 0 {
		p.Known.Put("fee.over_cap", Value{Kind: Money, Paise: over, At: append(fee, p.turnoverQuote()...)})
	}
}

// closeTo reports whether two sums differ by at most two rupees, as they may after rounding.
func closeTo(a, b int64) bool {
	const most = 2_00
	return a-b <= most && b-a <= most
}

// earlierTurnover matches the words before the turnover of the preceding year, such as "turnover in the previous
// financial year: Rs."
var earlierTurnover = lazyregexp.New(`turnover (?:in|of|for) the (?:previous|preceding) (?:financial )?year[^.]{0,40}?:? ?(?:rs\.?|₹|inr)`)

func (p *Paper) turnoverQuote() []Quote {
	if m := earlierTurnover.FindStringIndex(p.low); m != nil {
		return []Quote{p.around(m[0], m[1])}
	}
	return nil
}

// mostFee returns the highest late fee for a return in FORM GSTR-3B from June 2021, by the turnover of the preceding
// year (N.19/2021-Central Tax). It is 0 if that turnover is not printed or is more than five crore.
func (p *Paper) mostFee() int64 {
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
