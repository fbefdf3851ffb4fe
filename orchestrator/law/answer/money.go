package answer

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/reckon"
	statute "munshi/orchestrator/law"
)

var (
	ofDeposit = lazyregexp.New(`(?i)pre-?\s?deposit|\bdeposit\b|पूर्व जमा|जमा (?:कर|राशि|होगा)|राशि पहले जमा|jama`)
	// paidForAppeal matches other words for what an appeal costs.
	paidForAppeal = lazyregexp.New(`(?i)\b(?:pay|paid|deposit|cost)\b[^.?]*\b(?:to|for|before|with)\b[^.?]*\bappeal|\bappeal\b[^.?]*\b(?:kitna|kitne|kitni)\b[^.?]*(?:paisa|paise|bhar|jama|dena|rakam)` +
		`|अपील[^।?]*कितन[ािीे][^।?]*(?:भर|जमा|दे|पैस|रकम|राशि)`)
	ofAppeal   = lazyregexp.New(`(?i)\bappeals?\b|अपील|apeel`)
	ofTribunal = lazyregexp.New(`(?i)\btribunal\b|\bgstat\b|appellate authority'?s? order|ट्रिब्यूनल|न्यायाधिकरण|अधिकरण`)
	// otherAppeal matches other courts and authorities, such as "High Court", whose appeals have other time limits.
	otherAppeal = lazyregexp.New(`(?i)\b(?:high court|supreme court|advance rulings?|aar|aaar)\b|उच्च न्यायालय|हाई ?कोर्ट|सुप्रीम कोर्ट|उच्चतम|अग्रिम`)
	onlyPenalty = lazyregexp.New(`(?i)\bonly (?:a )?penalty|केवल (?:पेनल्टी|जुर्माना)|\bno tax\s*(?:[.,;?!]|$|(?:is|was|has|demand\w*|in|at|due|but|and|component|liability|payable)\b)`)
	withOthers  = lazyregexp.New(`(?i)\b(?:includ\w+|inclusive of|with|plus|along with)\s+(?:\w+\s+){0,2}(?:interest|penalty)|ब्याज (?:और|सहित|समेत)|(?:ब्याज|जुर्माने) (?:सहित|समेत)`)
)

// disputed returns the amounts of a question that are the tax (or the penalty, as of says) of an order. sure is false
// if that had to be assumed.
func (c *computing) disputed(of string) (list []money, sure bool) {
	var unsaid []money
	admitted := int64(0)
	for _, m := range c.amounts {
		switch {
		case c.admitted(m):
			admitted += m.paise
		case m.kind == of || m.kind == "" && m.head != "":
			list = append(list, m)
		case m.kind == "" || m.kind == "total":
			unsaid = append(unsaid, m)
		}
	}
	// An admitted amount is part of the only sum named, unless that sum is called the disputed one.
	if one := append(slices.Clone(list), unsaid...); admitted > 0 && len(one) == 1 && one[0].paise > admitted &&
		!disputedBefore.MatchString(c.text[max(0, one[0].at-40):one[0].at]) {
		one[0].paise -= admitted
		return one, len(list) > 0
	}
	switch {
	case len(list) > 0:
		return list, true
	case len(unsaid) == 1:
		return unsaid, !withOthers.MatchString(c.text)
	}
	return nil, len(unsaid) == 0
}

var (
	disputedBefore = lazyregexp.New(`(?i)\b(?:disput\w*|contest\w*|vivadit)\b|विवाद`)
	admits         = lazyregexp.New(`(?i)\b(?:admit\w*|accept\w*|agree\w*|undisputed|not (?:disput\w*|contest\w*)|maan(?:te|ta|ti|na|liya)?|swikar|manzoor)\b|(?:^|\s)मान(?:ते|ता|ती|ा |ी |कर| ली)|स्वीकार|मंज़?ूर`)
	admitsNot      = lazyregexp.New(`(?i)\b(?:not|don'?t|never|nahi\w*)\b|नहीं`)
	clauseEnds     = lazyregexp.New(`(?i)[.;:।?]|,\s|\b(?:and|but|aur|lekin)\b|और|लेकिन`)
)

// admitted reports whether an amount is said to be admitted: by the words just before it or, in Hindi, just after it.
func (c *computing) admitted(m money) bool {
	before, behind := c.text[max(0, m.at-25):m.at], c.text[m.end:min(len(c.text), m.end+60)]
	if ends := clauseEnds.FindAllStringIndex(before, -1); len(ends) > 0 {
		before = before[ends[len(ends)-1][1]:]
	}
	if end := clauseEnds.FindStringIndex(behind); end != nil {
		behind = behind[:end[0]]
	}
	says := func(words string) bool { return admits.MatchString(words) && !admitsNot.MatchString(words) }
	return says(before) || says(behind)
}

// appealCode returns which appeal is meant, with its section.
func (c *computing) appealCode() (code, provision string) {
	if ofTribunal.MatchString(c.text) {
		return "tribunal", "112"
	}
	return "first_appeal", "107"
}

// asksDeposit reports whether the question asks how much must be paid before an appeal.
func (c *computing) asksDeposit() bool {
	return ofDeposit.MatchString(c.text) || paidForAppeal.MatchString(c.text)
}

// deposit adds the amount to pay before an appeal (CGST Act s. 107(6), 112(8)).
func (c *computing) deposit() {
	if !c.asksDeposit() && !(len(c.amounts) > 0 && ofAppeal.MatchString(c.text) && asksAmount.MatchString(c.text)) {
		return
	}
	if !ofAppeal.MatchString(c.text) && !c.about("cgst:107(6)", "cgst:112(8)") && !ofTribunal.MatchString(c.text) {
		return
	}
	code, section := c.appealCode()
	if code == "tribunal" && firstToo.MatchString(c.text) {
		c.depositFor("first_appeal", "107")
	}
	c.depositFor(code, section)
}

// firstToo matches a question on the Tribunal that also asks about the first appeal.
var firstToo = lazyregexp.New(`(?i)\bfirst appeal\b|\bappellate authority\b[^.?]*\btribunal\b|पहली अपील|pehli apeel`)

func (c *computing) depositFor(code, section string) {
	number := map[string]string{"107": "cgst:107(6)", "112": "cgst:112(8)"}[section]
	of := "tax"
	if onlyPenalty.MatchString(c.text) {
		of = "penalty"
	}
	rule := c.tables.Deposit(code, of, "", c.today)
	if rule == nil {
		return
	}
	base := map[string]string{"rule": "deposit", "case": code, "of": of, "rate": rule.Percent.String(),
		"from": c.date(law.ParseDay(rule.From))}
	if len(rule.Caps) > 0 {
		base["cap"] = fmt.Sprintf("%s (CGST), %s (SGST), %s (IGST)", gst.Rupees(rule.Caps["CGST"]*100),
			gst.Rupees(rule.Caps["SGST"]*100), gst.Rupees(rule.Caps["IGST"]*100))
	}
	sum, all, heads := int64(0), int64(0), []string{}
	amounts, sure := c.disputed(of)
	for _, m := range amounts {
		amount := reckon.PercentOf(rule.Percent, m.paise)
		if m.head == "" && len(rule.Caps) > 0 && amount > slices.Min(slices.Collect(maps.Values(rule.Caps)))*100 {
			sure = false // the cap depends on the head of tax
		}
		if most := rule.Caps[m.head] * 100; most > 0 {
			amount = min(amount, most)
		}
		if sum, all = sum+amount, all+m.paise; m.head != "" {
			heads = append(heads, m.head+" "+gst.Rupees(amount))
		}
	}
	if all == 0 || !sure {
		c.say(base, number)
		if asksAmount.MatchString(c.text) || len(c.amounts) > 0 {
			c.ask("disputed_tax")
		}
		return
	}
	base["base"], base["amount"] = gst.Rupees(all), gst.Rupees(sum)
	if len(heads) > 1 {
		base["head"] = strings.Join(heads, ", ")
	}
	if sum < reckon.PercentOf(rule.Percent, all) {
		base["note"] = "capped"
	}
	c.say(base, number)
}

var (
	ofInterest = lazyregexp.New(`(?i)\binterest\b|\bbyaj\b|ब्याज`)
	ofRefund   = lazyregexp.New(`(?i)\brefund\b|रिफंड|रिफ़ंड|वापसी`)
	fromCash   = lazyregexp.New(`(?i)\bcash\b|नकद`)
	// wrongly matches a question whether credit was taken wrongly, or used.
	wrongly = lazyregexp.New(`(?i)wrong\w*|ineligible|\b(?:un)?utili[sz]ed\b|\bun-?used\b|\b(?:not|never|n't) (?:been )?used?\b|\b(?:use|istemal) (?:hi )?nahi|ग़?लत|(?:इस्तेमाल|उपयोग) (?:ही )?(?:नहीं|किया)`)
)

// neverUsed matches "never utilised" and the like: credit that stayed in the ledger.
var neverUsed = lazyregexp.New(`(?i)\b(?:un-?(?:utili[sz]ed|used)|(?:not|never|n't|without) (?:been |being )?(?:us(?:ed?|ing)|utili[sz]\w*)|(?:use|istemal) (?:hi )?nahi|(?:never|not) (?:fell|fallen|dropped|went|gone|go|below)[^.?]*)\b|(?:इस्तेमाल|उपयोग) (?:ही )?नहीं`)

// ofWaiver matches a question about waiving interest, not computing it.
var ofWaiver = lazyregexp.New(`(?i)\b(?:waive\w*|amnesty|128A|maaf\w*)\b|माफ`)

// interest adds the rate of interest on tax or credit and, if amount and days are named, the interest (CGST Act
// s. 50).
func (c *computing) interest() {
	from, to := c.late()
	taken := law.Day{} // a due date that was assumed
	if ofCredit.MatchString(c.text) && wrongly.MatchString(c.text) {
		from, to = c.used()
	}
	if from.IsZero() {
		from, to = c.lateReturn()
		taken = from
	}
	if !ofInterest.MatchString(c.text) || ofRefund.MatchString(c.text) || ofWaiver.MatchString(c.text) ||
		from.IsZero() && !c.about("cgst:50", "cgst_rules:88B") {
		return
	}
	kind, provision := "short_paid", "cgst:50(1)"
	switch {
	case wrongly.MatchString(c.text) && ofCredit.MatchString(c.text):
		kind, provision = "credit", "cgst:50(3)"
	case fromCash.MatchString(c.text) && strings.Contains(c.low, "3b"),
		strings.Contains(c.low, "cash ledger"),
		strings.Contains(c.text, "नकद खाते"):
		kind = "late_return"
	}
	rate := c.tables.Rate(kind, c.today)
	if rate == nil {
		return
	}
	result := map[string]string{"rule": "interest", "case": kind, "rate": rate.Percent.String()}
	if kind == "credit" && from.IsZero() && neverUsed.MatchString(c.text) {
		result["case"] = "unused"
		c.say(result, provision, "cgst_rules:88B")
		return
	}
	amounts := c.amounts
	if kind == "late_return" && len(amounts) > 1 { // the part paid in cash
		amounts = slices.DeleteFunc(slices.Clone(amounts), func(m money) bool {
			rest := c.text[m.end:min(len(c.text), m.end+30)]
			return !strings.Contains(strings.ToLower(rest), "cash")
		})
	}
	days := c.number(daysLate)
	if !from.IsZero() {
		days = from.DaysUntil(to)
	}
	if len(amounts) == 1 {
		result["base"] = gst.Rupees(amounts[0].paise)
	}
	switch {
	case len(amounts) == 1 && days > 0:
		sheet := reckon.Money(c.tables, gst.Facts{},
			reckon.Given{Portions: []gst.Portion{portion(kind, amounts[0].paise, from, days, c.today)}}, c.today)
		if len(sheet) > 0 && sheet[0].Paise != nil {
			result["amount"], result["count"] = gst.Rupees(*sheet[0].Paise), strconv.Itoa(days)
			if !taken.IsZero() {
				result["of"] = c.date(taken)
			}
			if !from.IsZero() {
				result["from"], result["to"] = c.date(from.AddDays(1)), c.date(to)
			}
		}
	case len(amounts) == 1 && kind == "credit":
		c.ask("credit_days")
	case len(amounts) == 1:
		c.ask("interest_days")
	case asksAmount.MatchString(c.text) && len(amounts) == 0 && days > 0:
		c.ask("interest_tax")
	}
	c.say(result, provision, "cgst_rules:88B")
}

var (
	dueBefore  = lazyregexp.New(`(?i)\bdue(?:\s+date)?(?:\s+(?:was|is|on|by|of|for|date))*\s*:?\s*$|(?:नियत|देय) (?:तारीख़?|तिथि)(?:\s+(?:थी|है))?\s*:?\s*$`)
	dueBehind  = lazyregexp.New(`(?i)^\s*(?:was\s+|is\s+)?(?:the\s+)?due\b|^\s*(?:को|की|ko|ki|thi)?\s*(?:देय|नियत|due)`)
	paidBefore = lazyregexp.New(`(?i)\b(?:paid|payment|filed|deposited|discharged|reversed|bhara|jama)(?:\s+(?:in cash|it|only|was|is|on|by|date|of|made|kiya|hua))*\s*:?\s*$|(?:भरा|जमा|चुकाया|भुगतान)(?:\s+(?:किया|हुआ))?\s*:?\s*$`)
	paidBehind = lazyregexp.New(`(?i)^\s*(?:को|ko)\s*(?:टैक्स |tax |नकद )?(?:भर|जमा|चुका|भुगतान|bhar|jama|pay|paid|deposit)`)
	// daysLate matches the days of a delay, as opposed to those that a notice allows.
	daysLate = lazyregexp.New(`(?i)\b(\d{1,4})\s*(?:days?|din)(?:['’]?\s*(?:late|of delay|delay|after|overdue|beyond|past|interest|ki der|ki deri|der|deri|baad|ka byaj|ka interest))|(\d{1,4})\s*दिन\s*(?:की |का |के )?(?:देर|विलंब|बाद|ब्याज|लेट)|\b(?:late|delay\w*|interest|byaj|unpaid)\s+(?:by|of|for)\s+(\d{1,4})\s*days?`)
)

// late returns the due date and the day of payment if the question says which is which, or names exactly these two
// days; else zero days.
func (c *computing) late() (due, paid law.Day) {
	var dues, payments, others []law.Day
	for _, w := range c.times {
		before, behind := c.text[:w.at], c.text[w.end:]
		switch {
		case w.kind != "day":
		case dueBefore.MatchString(before), dueBehind.MatchString(behind):
			dues = append(dues, w.from)
		case paidBefore.MatchString(before), paidBehind.MatchString(behind):
			payments = append(payments, w.from)
		case !c.ofPaper(w):
			others = append(others, w.from)
		}
	}
	switch {
	case len(dues) == 1 && len(payments) == 1:
		due, paid = dues[0], payments[0]
	case len(dues) == 1 && len(payments) == 0 && len(others) == 1:
		due, paid = dues[0], others[0]
	case len(dues) == 0 && len(payments) == 1 && len(others) == 1:
		due, paid = others[0], payments[0]
	case len(dues) == 0 && len(payments) == 0 && len(others) == 2:
		due, paid = others[0], others[1]
		if paid.Before(due) {
			due, paid = paid, due
		}
	}
	if !due.Before(paid) {
		return law.Day{}, law.Day{}
	}
	return due, paid
}

// The day of the next month on which monthly returns are due (CGST Rules r. 61(1)), and since when: in earlier years
// notifications often moved it.
const (
	monthlyReturnDue  = 20
	monthlyReturnFrom = "2022-07-01"
)

// lateReturn returns the due date of the monthly return for the month that a question names, and the only day that it
// names, on which the return was filed; else zero days.
func (c *computing) lateReturn() (due, filed law.Day) {
	var months, days []law.Day
	for _, w := range c.times {
		switch w.kind {
		case "month":
			months = append(months, w.from)
		case "day":
			days = append(days, w.from)
		}
	}
	if !strings.Contains(c.low, "3b") || len(months) != 1 || len(days) != 1 || months[0].ISO() < monthlyReturnFrom {
		return law.Day{}, law.Day{}
	}
	if due = months[0].AddMonths(1).AddDays(monthlyReturnDue - 1); !due.Before(days[0]) {
		return law.Day{}, law.Day{}
	}
	return due, days[0]
}

var (
	usedBefore     = lazyregexp.New(`(?i)\b(?:use[ds]?|using|utili[sz]\w+|istemal)(?:\s+(?:it|the|this|credit|on|in|from|was|kiya))*\s*:?\s*$|इस्तेमाल(?:\s+(?:किया|हुआ))?\s*$`)
	usedBehind     = lazyregexp.New(`(?i)^\s*(?:को|ko|mein|में)\s*(?:use|utili|istemal|इस्तेमाल)`)
	reversedBefore = lazyregexp.New(`(?i)\b(?:revers\w+|pa(?:id|y|ying)|returned|lautaya|wapas)(?:\s+(?:it|the|this|credit|back|on|in|was|kiya))*\s*:?\s*$`)
	reversedBehind = lazyregexp.New(`(?i)^\s*(?:को|ko)\s*(?:revers|wapas|lauta|वापस|लौटा|रिवर्स|भर)`)
)

// used returns the days on which wrong credit was used and reversed (CGST Rules r. 88B(3)); zero days unless the
// question names both.
func (c *computing) used() (from, to law.Day) {
	for _, w := range c.times {
		before, behind := c.text[:w.at], c.text[w.end:]
		switch {
		case w.kind != "day":
		case usedBefore.MatchString(before), usedBehind.MatchString(behind):
			from = w.from
		case reversedBefore.MatchString(before), reversedBehind.MatchString(behind):
			to = w.from
		}
	}
	if !from.Before(to) {
		return law.Day{}, law.Day{}
	}
	return from, to
}

func portion(kind string, paise int64, from law.Day, days int, today law.Day) gst.Portion {
	if from.IsZero() {
		from = today.AddDays(-days)
	}
	return gst.Portion{Kind: kind, Head: "IGST", Paise: paise, From: from.ISO(), To: from.AddDays(days).ISO()}
}

var (
	beforeNotice = lazyregexp.New(`(?i)\bbefore (?:the |a |any |an )?(?:notice|scn|show)|notice se pehle|नोटिस से पहले`)
	afterNotice  = lazyregexp.New(`(?i)\b(?:within|in)\s+(?:\d+\s+)?(?:days|time)?[^.?,;]*\b(?:of|from|after)[^.?,;]*\b(?:notice|scn)|notice ke [^.?,;]*(?:andar|bheetar|mein|me)\b|नोटिस के [^।?,;]*(?:अंदर|भीतर|में)`)
	afterOrder   = lazyregexp.New(`(?i)\b(?:within|in)\s+(?:\d+\s+)?(?:days|time)?[^.?,;]*\b(?:of|from|after)[^.?,;]*\border|order ke [^.?,;]*(?:andar|bheetar|mein|me)\b|आदेश के [^।?,;]*(?:अंदर|भीतर|में)`)
)

// stageAsked returns the stage for which the question asks about a penalty, "" if it names none.
func (c *computing) stageAsked() string {
	switch {
	case beforeNotice.MatchString(c.text):
		return "before_notice"
	case afterNotice.MatchString(c.text):
		return "after_notice"
	case afterOrder.MatchString(c.text):
		return "after_order"
	}
	return ""
}

// penalty adds the penalty under sections 73, 74 and 74A at each stage, the stage asked about first.
func (c *computing) penalty() {
	sections := c.demandSections()
	if len(sections) == 0 || !ofPenalty.MatchString(c.text) || c.about("cgst:128A") ||
		paidForAppeal.MatchString(c.text) {
		return
	}
	stage, rules := c.stageAsked(), slices.Clone(c.tables.Penalties)
	slices.SortStableFunc(rules, func(a, b law.Penalty) int {
		first := func(p law.Penalty) int {
			if p.Stage == stage {
				return 0
			}
			return 1
		}
		return first(a) - first(b)
	})
	for _, section := range sections {
		order := ofOrder.MatchString(c.text) && !ofNotice.MatchString(c.text)
		for _, rule := range rules {
			if rule.Section != section || !rule.HoldsOn(c.today) ||
				order != (rule.Stage == "after_order") && order && rule.Stage != "order" {
				continue
			}
			if noFraud.MatchString(c.text) && rule.Case == "fraud" ||
				!noFraud.MatchString(c.text) && ofFraud.MatchString(c.text) && rule.Case == "other" {
				continue
			}
			result := map[string]string{"rule": "penalty", "section": section, "case": rule.Stage, "by": rule.Case,
				"rate": rule.Percent.String()}
			if rule.Least > 0 {
				result["cap"] = gst.Rupees(rule.Least * 100)
			}
			if rule.Days > 0 {
				result["count"] = strconv.Itoa(rule.Days)
				day := c.paperDay() // a notice counts from its date, an order from its communication
				if order {
					day = c.served()
				}
				if day != nil && (rule.Stage == "after_order") == order {
					result["of"] = c.date(day.from)
					c.until(result, "last", day.from.AddDays(rule.Days))
				}
			}
			if len(c.amounts) == 1 && rule.Percent > 0 {
				result["base"], result["amount"] = gst.Rupees(c.amounts[0].paise), gst.Rupees(max(reckon.PercentOf(rule.Percent, c.amounts[0].paise), rule.Least*100))
			}
			number, _, _ := strings.Cut(strings.TrimPrefix(rule.Provision, "s."), ",")
			result["provision"] = c.name("cgst", number)
			c.say(result)
			if rule.Stage == "after_notice" || rule.Stage == "after_order" {
				act := statute.Cited{Act: "cgst", Number: number}
				if !slices.Contains(c.cited, act) {
					c.cited = append(c.cited, act)
				}
			}
		}
	}
}

var ofTaxAmount = lazyregexp.New(`(?i)\b(?:tax|gst)\b|टैक्स|कर\s`)

var ownerAway = lazyregexp.New(`(?i)\bowner\s+(?:is\s+|does\s+|has\s+|did\s+|will\s+)?not\b|\bowner\s+(?:is\s+)?(?:missing|absent|unknown)|\bmaa?lik\s+(?:saamne\s+|samne\s+)?nahi|मालिक\s+(?:सामने\s+)?नहीं`)

// ofValue matches words that make an amount the value of goods.
var ofValue = lazyregexp.New(`(?i)\b(?:value|worth|goods|cost\w*|maal|keemat|kimat)\b|मूल्य|कीमत|माल`)

// stopped matches words for stopping goods on the way or releasing them, such as "detained".
var stopped = lazyregexp.New(`(?i)detain|detention|seiz|release|pakd|pakad|rok (?:li|di|ke|rakh)|chhud|पकड़|रोक|छुड़`)

// detention adds the amount that releases goods detained in transit (CGST Act s. 129(1)).
func (c *computing) detention() {
	if !c.about("cgst:129") || !stopped.MatchString(c.text) {
		return
	}
	tax, value := int64(0), int64(0)
	last := 0
	named := slices.IndexFunc(c.amounts, func(m money) bool { return m.kind == "tax" })
	for i, m := range c.amounts {
		if named >= 0 { // then only an amount called the value counts as value
			if before := c.text[last:m.at]; i == named {
				tax = m.paise
			} else if ofValue.MatchString(before) {
				value = m.paise
			}
			last = m.end
			continue
		}
		if ofTaxAmount.MatchString(c.text[last:m.at]) &&
			!strings.Contains(strings.ToLower(c.text[last:m.at]), "taxable") ||
			tax == 0 && value > 0 {
			tax = m.paise
		} else {
			value = m.paise
		}
		last = m.end
	}
	rules := slices.Clone(c.tables.Penalties)
	if ownerAway.MatchString(c.text) { // the case asked about comes first
		slices.Reverse(rules)
	}
	for _, rule := range rules {
		if rule.Section != "129" || !rule.HoldsOn(c.today) {
			continue
		}
		result := map[string]string{"rule": "detention", "case": rule.Case, "rate": rule.Percent.String()}
		number := "cgst:129(1)(a)"
		amount := reckon.PercentOf(rule.Percent, tax)
		if rule.ValuePercent > 0 {
			number = "cgst:129(1)(b)"
			result["cap"] = rule.ValuePercent.String()
			amount = max(amount, reckon.PercentOf(rule.ValuePercent, value))
		}
		if tax > 0 && (rule.ValuePercent == 0 || value > 0) {
			result["base"], result["amount"] = gst.Rupees(tax), gst.Rupees(amount)
		}
		c.say(result, number)
	}
	if tax == 0 {
		c.ask("tax_on_goods")
	}
}

// refundInterest adds the day from which a delayed refund bears interest (CGST Act s. 56).
func (c *computing) refundInterest() {
	if !ofInterest.MatchString(c.text) || !ofRefund.MatchString(c.text) ||
		!c.about("cgst:56") && !(c.day() != nil && ofApplication.MatchString(c.text)) {
		return
	}
	kind := "refund"
	if byOrder.MatchString(c.text) {
		kind = "refund_by_order"
	}
	rate, higher := c.tables.Rate(kind, c.today), c.tables.Rate("refund_by_order", c.today)
	if rate == nil {
		return
	}
	const free = 60 // days from receipt of the application (s. 56)
	result := map[string]string{"rule": "refund_interest", "case": kind, "rate": rate.Percent.String(),
		"count": strconv.Itoa(free)}
	if kind == "refund" && higher != nil {
		result["cap"] = higher.Percent.String()
		c.ask("refund_order")
	}
	var days []law.Day
	for _, w := range c.times {
		if w.kind == "day" {
			days = append(days, w.from)
		}
	}
	if applied := c.after(ofApplication, 40); applied != nil && applied.kind == "day" {
		days = slices.DeleteFunc(days, func(d law.Day) bool { return d.Before(applied.from) })
	}
	if len(days) > 0 {
		first, last := slices.MinFunc(days, compareDays), slices.MaxFunc(days, compareDays)
		from := first.AddDays(free) // the last day without interest
		result["of"], result["from"] = c.date(first), c.date(from.AddDays(1))
		if len(days) == 2 && last.After(from) {
			result["to"], result["last"] = c.date(last), strconv.Itoa(from.DaysUntil(last))
			if len(c.amounts) == 1 {
				part := gst.Portion{
					Kind:  kind,
					Head:  "IGST",
					Paise: c.amounts[0].paise,
					From:  from.ISO(),
					To:    last.ISO(),
				}
				sheet := reckon.Money(c.tables, gst.Facts{}, reckon.Given{Portions: []gst.Portion{part}}, c.today)
				if len(sheet) > 0 && sheet[0].Paise != nil {
					result["base"], result["amount"] = gst.Rupees(part.Paise), gst.Rupees(*sheet[0].Paise)
				}
			}
		}
	}
	c.say(result, "cgst:56", "cgst:54(7)")
}

var ofApplication = lazyregexp.New(`(?i)\bappli(?:ed|cation)\b|\barn\b|\brfd-?01\b|आवेदन|aavedan|avedan`)

// byOrder matches a question in which the refund results from an order in appeal or of a court.
var byOrder = lazyregexp.New(`(?i)\bappell?a\w*|\bappeals?\b|\btribunal\b|\bgstat\b|\bcourt\b|अपील|न्यायालय|अधिकरण|apeel`)

func compareDays(a, b law.Day) int { return a.Compare(b.Time) }
