package printed

import (
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readAgainst reads what a paper prints against itself, or against the notice or order it rests on.
func (p *Paper) readAgainst() {
	p.readQuarterly()
	p.readAppealDays()
	p.readGroundsInWords()
	p.readRegistrationDay()
	p.readForRead()
	p.readRightTax()
}

var (
	quarterly = lazyregexp.New(`\bqrmp\b|\b(?:return|filing) (?:profile|frequency|preference)[ :-]{1,4}quarterly`)
	// notQuarterly matches what takes that back.
	notQuarterly = lazyregexp.New(`\bnot (?:opted|under|in)\b[^.\n]{0,20}qrmp|qrmp[ :-]{1,4}no\b|opted out`)
	otherReturn  = lazyregexp.New(`\b(?:gstr-? ?[1459]|cmp-? ?08|itc-? ?04)\b`)
)

// readQuarterly reads whether a notice asks a quarterly filer for the return of a single month. It counts only a month
// that does not end a quarter.
func (p *Paper) readQuarterly() {
	if !p.isKind("return default") || len(p.Facts.Periods) != 1 || notQuarterly.MatchString(p.low) ||
		otherReturn.MatchString(p.low) || !strings.Contains(p.low, "3b") {
		return
	}
	const months = 3
	asked := p.Facts.Periods[0]
	first, last := law.ParseDay(asked.From), law.ParseDay(asked.To)
	if last.IsZero() || int(last.Month())%months == 0 || first.Month() != last.Month() || first.Year() != last.Year() {
		return
	}
	if m := quarterly.FindStringIndex(p.low); m != nil {
		p.Known.Put("return.quarterly", Value{Kind: Truth, Yes: true, At: []Quote{p.around(m[0], m[1])}})
		if len(p.Known["default.last"]) == 0 {
			p.Known.day("default.last", last, p.at("periods"))
		}
	}
}

var (
	appealNumber = lazyregexp.New(`\bappeal (?:no|number|ref)[^\n]{0,60}?\b(?:filed|presented|preferred) on\b`)
	sentToOwner  = lazyregexp.New(`\border\b[^\n.]{0,60}\b(?:made available|sent by e-?mail|e-?mailed|served|handed over)\b`)
	// borneOut matches what makes a day that an appellant names the paper's own.
	borneOut      = lazyregexp.New(`\b(?:records?|ward|portal|register)\b[^.]{0,40}\b(?:bears? (?:this|it)? ?out|bears? out|shows?|confirms?)\b|not (?:in dispute|disputed)`)
	countedBefore = lazyregexp.New(`\b(?:counted|reckoned|computed|calculated|counting|taken) from the date of (?:the )?(?:impugned )?order\b`)
)

// readAppealDays reads the days in the list of particulars of an order on an appeal. It also reads whether the order
// counts the delay from the date of the order appealed against.
func (p *Paper) readAppealDays() {
	if !p.isKind("appellate order") {
		return
	}
	const near = 40
	if m := appealNumber.FindStringIndex(p.low); m != nil && len(p.Known["appeal.filed"]) == 0 {
		if days := p.daysIn(m[1], min(len(p.low), m[1]+near)); len(days) == 1 {
			p.Known.day("appeal.filed", days[0], []Quote{p.around(m[0], m[1])})
		}
	}
	if m := sentToOwner.FindStringIndex(p.low); m != nil && len(p.Known["appeal.condonable"]) == 0 {
		from, to := p.sentence(m[0])
		days := p.daysIn(m[0], to)
		if len(days) == 1 && borneOut.MatchString(p.low[from:to]) {
			at := []Quote{p.quote(from, to)}
			p.Known.day("appeal.in_three", days[0].AddMonths(3), at)
			p.Known.day("appeal.condonable", days[0].AddMonths(4), at)
		}
	}
	if m := countedBefore.FindStringIndex(p.low); m != nil {
		p.Known.Put("appeal.overlooked", Value{Kind: Truth, Yes: true, At: []Quote{p.around(m[0], m[1])}})
	}
}

// The kinds of grounds of a cancellation, in words.
var (
	onReturns  = lazyregexp.New(`\breturns? (?:has |have )?not (?:been )?(?:filed|furnished)|\b(?:non-?filing|non-?furnishing) of returns?|29\(2\)\([bc]\)`)
	onPremises = lazyregexp.New(`\bnot (?:been )?(?:found )?(?:functioning|existing|conducting|operating)|\bnon-?exist|\bnot found at\b|\bdoes not (?:conduct|carry on)`)
	onDeceit   = lazyregexp.New(`\bfraud|\bwil?lful|\bsuppression|29\(2\)\(e\)`)
)

// readGroundsInWords reads whether an order cancels on a kind of ground that the notice did not have: returns, the
// place of business, or fraud. It takes the notice's grounds from the order's own account of it.
func (p *Paper) readGroundsInWords() {
	if !p.isKind("cancellation order") || len(p.Known["ground.differs"]) > 0 {
		return
	}
	_, reasons, ok := p.find("for the following reason|reasons for cancellation|following reason", 0, len(p.low))
	notice := strings.Index(p.low, "notice")
	if !ok || notice < 0 || notice > reasons {
		return
	}
	const reach = 250
	alone, _, said := p.find("following ground|ground alone|only ground|on the ground|for the reason", notice, reasons)
	if !said {
		return
	}
	_, end := p.sentence(alone)
	end = min(max(end, alone+reach), reasons)
	ordered := p.low[reasons:min(len(p.low), reasons+reach)]
	if i := strings.Index(ordered, "effective date"); i >= 0 {
		ordered = ordered[:i]
	}
	was, is := kindsOfGround(p.low[alone:end]), kindsOfGround(ordered)
	if len(was) != 1 || len(is) != 1 || was[0] == is[0] {
		return
	}
	p.Known.Put("ground.differs", Value{Kind: Truth, Yes: true,
		At: []Quote{p.quote(alone, min(end, alone+reach)), p.quote(reasons, reasons+len(ordered))}})
}

func kindsOfGround(low string) []string {
	var all []string
	if onReturns.MatchString(low) {
		all = append(all, "returns")
	}
	if onPremises.MatchString(low) {
		all = append(all, "premises")
	}
	if onDeceit.MatchString(low) {
		all = append(all, "fraud")
	}
	return all
}

// readRegistrationDay reads from which day the person was registered, if a paper cancels the registration.
func (p *Paper) readRegistrationDay() {
	if !p.isKind("cancellation order", "cancellation notice") {
		return
	}
	const near = 30
	if start, end, ok := p.find("date of registration|registered on|registration granted on", 0, len(p.low)); ok {
		if days := p.daysIn(end, min(len(p.low), end+near)); len(days) == 1 {
			p.Known.day("registration.day", days[0], []Quote{p.around(start, end+near)})
		}
	}
}

// readForRead reads a corrigendum that shows its changes in two columns, "For" and "Read".
func (p *Paper) readForRead() {
	if !p.isKind("corrigendum") {
		return
	}
	from, within := 0, false
	for line := range strings.Lines(p.all) {
		low := lower(line)
		at := []Quote{p.quote(from, from+len(line))}
		from += len(line)
		switch sums := paiseIn(low); {
		case forAndRead.MatchString(low):
			within = true
		case !within:
		case seventyThreeToFour.MatchString(low):
			p.Known.Put("corrigendum.puts_74", Value{Kind: Truth, Yes: true, At: at})
		case seventyFourToThree.MatchString(low): // "Read" is the column's name there, and no verb
			delete(p.Known, "corrigendum.puts_74")
		case strings.Contains(low, "total") && len(sums) > 1 && sums[len(sums)-1] > sums[len(sums)-2]:
			was, is := sums[len(sums)-2], sums[len(sums)-1]
			p.Known.Put("notice.tax", Value{Kind: Money, Paise: was, At: at})
			p.Known.Put("corrigendum.more", Value{Kind: Money, Paise: is - was, At: at})
		}
	}
	if m := leftOut.FindStringIndex(p.low); within && m != nil {
		p.Known.Put("corrigendum.adds", Value{Kind: Truth, Yes: true, At: []Quote{p.around(m[0], m[1])}})
	}
}

var (
	forAndRead         = lazyregexp.New(`^(?:[a-z. ]{0,40}\s)?for\s+read\s*$`)
	seventyThreeToFour = lazyregexp.New(`section 73(?:\([0-9]+\))?\s.*section 74(?:\([0-9]+\))?\s*$`)
	seventyFourToThree = lazyregexp.New(`section 74(?:\([0-9]+\))?\s.*section 73(?:\([0-9]+\))?\s*$`)
	leftOut            = lazyregexp.New(`\bincrease is (?:for|on account of|due to)\b|\b(?:had|have|has) been (?:left out|omitted)\b|\b(?:was|were) left out\b`)
)

// readRightTax reads, in a refund of tax paid under the wrong head, when the right tax was paid. The two years run from
// that day.
func (p *Paper) readRightTax() {
	if !p.isKind("refund order", "refund notice", "deficiency memo") || !strings.Contains(p.low, "section 77") {
		return
	}
	p.each("igst of|integrated tax of|igst was|integrated tax was|cgst and sgst of", 0, len(p.low), func(from, to int) {
		low := p.low[from:to]
		days := p.daysIn(from, to)
		if len(days) != 1 || !hasAny(low, "was paid", "were paid", "stood paid", "has been paid") || hasAny(low, "not paid", "late") {
			return
		}
		right := days[0]
		if since := law.ParseDay("2021-09-24"); right.Before(since) { // the proviso to rule 89(1A)
			right = since
		}
		p.Known.day("refund.right_last", right.AddMonths(24), []Quote{p.quote(from, to)})
	})
}
