package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/pattern"
	"munshi/orchestrator/gst/reckon"
	statute "munshi/orchestrator/law"
)

var (
	ofDeposit   = pattern.New(`(?i)pre-?\s?deposit|\bdeposit\b|पूर्व जमा|जमा (?:कर|राशि|होगा)|राशि पहले जमा|jama`)
	ofAppeal    = pattern.New(`(?i)\bappeals?\b|अपील|apeel`)
	ofTribunal  = pattern.New(`(?i)\btribunal\b|\bgstat\b|appellate authority'?s? order|ट्रिब्यूनल|न्यायाधिकरण|अधिकरण`)
	onlyPenalty = pattern.New(`(?i)\bonly (?:a )?penalty|no tax\b|केवल (?:पेनल्टी|जुर्माना)`)
)

// appealCode tells which appeal is meant.
func (c *computing) appealCode() (code, provision string) {
	if ofTribunal.MatchString(c.text) {
		return "tribunal", "112"
	}
	return "first_appeal", "107"
}

// deposit gives what an appeal wants paid before (CGST Act s. 107(6), 112(8)).
func (c *computing) deposit() {
	if !ofDeposit.MatchString(c.text) && !(len(c.amounts) > 0 && ofAppeal.MatchString(c.text) && asksAmount.MatchString(c.text)) {
		return
	}
	if !ofAppeal.MatchString(c.text) && !c.about("cgst:107(6)", "cgst:112(8)") && !ofTribunal.MatchString(c.text) {
		return
	}
	code, section := c.appealCode()
	number := map[string]string{"107": "cgst:107(6)", "112": "cgst:112(8)"}[section]
	of := "tax"
	if onlyPenalty.MatchString(c.text) {
		of = "penalty"
	}
	rule := c.tables.Deposit(code, of, "", c.today)
	if rule == nil {
		return
	}
	base := map[string]string{"rule": "deposit", "case": code, "of": of, "rate": rule.Percent.String(), "from": c.date(law.ParseDay(rule.From))}
	if len(rule.Caps) > 0 {
		base["cap"] = fmt.Sprintf("%s (CGST), %s (SGST), %s (IGST)", gst.Rupees(rule.Caps["CGST"]*100), gst.Rupees(rule.Caps["SGST"]*100), gst.Rupees(rule.Caps["IGST"]*100))
	}
	sum, all, heads := int64(0), int64(0), []string{}
	for _, m := range c.amounts {
		amount := reckon.PercentOf(rule.Percent, m.paise)
		if most := rule.Caps[m.head] * 100; most > 0 {
			amount = min(amount, most)
		}
		if sum, all = sum+amount, all+m.paise; m.head != "" {
			heads = append(heads, m.head+" "+gst.Rupees(amount))
		}
	}
	if all == 0 {
		c.say(base, number)
		if asksAmount.MatchString(c.text) {
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
	ofInterest = pattern.New(`(?i)\binterest\b|\bbyaj\b|ब्याज`)
	ofRefund   = pattern.New(`(?i)\brefund\b|रिफंड|रिफ़ंड|वापसी`)
	fromCash   = pattern.New(`(?i)\bcash\b|नकद`)
	wrongly    = pattern.New(`(?i)wrong\w*|ineligible|availed and utili[sz]ed|ग़?लत`)
)

// interest gives the rate of interest on tax or credit, and what it comes to where amount and days are named (CGST Act s. 50).
func (c *computing) interest() {
	if !ofInterest.MatchString(c.text) || ofRefund.MatchString(c.text) || !c.about("cgst:50", "cgst_rules:88B") {
		return
	}
	kind, provision := "short_paid", "cgst:50(1)"
	switch {
	case wrongly.MatchString(c.text) && ofCredit.MatchString(c.text):
		kind, provision = "credit", "cgst:50(3)"
	case fromCash.MatchString(c.text) && strings.Contains(c.low, "3b"), strings.Contains(c.low, "cash ledger"), strings.Contains(c.text, "नकद खाते"):
		kind = "late_return"
	}
	rate := c.tables.Rate(kind, c.today)
	if rate == nil {
		return
	}
	result := map[string]string{"rule": "interest", "case": kind, "rate": rate.Percent.String()}
	amounts := c.amounts
	if kind == "late_return" && len(amounts) > 1 { // what was paid in cash
		amounts = slices.DeleteFunc(slices.Clone(amounts), func(m money) bool {
			rest := c.low[m.end:min(len(c.low), m.end+30)]
			return !strings.Contains(rest, "cash")
		})
	}
	days, from, to := c.number(daysCount), law.Day{}, law.Day{}
	var dates []law.Day
	for _, w := range c.times {
		if w.kind == "day" {
			dates = append(dates, w.from)
		}
	}
	if days == 0 && len(dates) >= 2 {
		from, to = slices.MinFunc(dates, compareDays), slices.MaxFunc(dates, compareDays)
		days = from.DaysUntil(to)
	}
	if len(amounts) == 1 {
		result["base"] = gst.Rupees(amounts[0].paise)
	}
	switch {
	case len(amounts) == 1 && days > 0:
		sheet := reckon.Money(c.tables, gst.Facts{}, reckon.Given{Portions: []gst.Portion{portion(kind, amounts[0].paise, from, days, c.today)}}, c.today)
		if len(sheet) > 0 && sheet[0].Paise != nil {
			result["amount"], result["count"] = gst.Rupees(*sheet[0].Paise), strconv.Itoa(days)
			if !from.IsZero() {
				result["from"], result["to"] = c.date(from.AddDays(1)), c.date(to)
			}
		}
	case len(amounts) == 1:
		c.ask("interest_days")
	case asksAmount.MatchString(c.text) && len(amounts) == 0 && days > 0:
		c.ask("interest_tax")
	}
	c.say(result, provision, "cgst_rules:88B")
}

func compareDays(a, b law.Day) int { return a.Compare(b.Time) }

func portion(kind string, paise int64, from law.Day, days int, today law.Day) gst.Portion {
	if from.IsZero() {
		from = today.AddDays(-days)
	}
	return gst.Portion{Kind: kind, Head: "IGST", Paise: paise, From: from.ISO(), To: from.AddDays(days).ISO()}
}

// penalty gives the penalty of sections 73, 74 and 74A at each stage.
func (c *computing) penalty() {
	sections := c.demandSections()
	if len(sections) == 0 || !ofPenalty.MatchString(c.text) || c.about("cgst:128A") {
		return
	}
	for _, section := range sections {
		order := ofOrder.MatchString(c.text) && !ofNotice.MatchString(c.text)
		for _, rule := range c.tables.Penalties {
			if rule.Section != section || !rule.HoldsOn(c.today) || order != (rule.Stage == "after_order") && order && rule.Stage != "order" {
				continue
			}
			if noFraud.MatchString(c.text) && rule.Case == "fraud" || !noFraud.MatchString(c.text) && ofFraud.MatchString(c.text) && rule.Case == "other" {
				continue
			}
			result := map[string]string{"rule": "penalty", "section": section, "case": rule.Stage, "by": rule.Case, "rate": rule.Percent.String()}
			if rule.Least > 0 {
				result["cap"] = gst.Rupees(rule.Least * 100)
			}
			if rule.Days > 0 {
				result["count"] = strconv.Itoa(rule.Days)
				if day := c.day(); day != nil && (rule.Stage == "after_order") == order {
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

var ofTaxAmount = pattern.New(`(?i)\b(?:tax|gst)\b|टैक्स|कर\s`)

// detention gives what releases goods that are held on the road (CGST Act s. 129(1)).
func (c *computing) detention() {
	if !c.about("cgst:129") || !strings.Contains(c.low, "detain") && !strings.Contains(c.low, "detention") && !strings.Contains(c.low, "seiz") && !strings.Contains(c.low, "release") {
		return
	}
	tax, value := int64(0), int64(0)
	last := 0
	for _, m := range c.amounts {
		if ofTaxAmount.MatchString(c.text[last:m.at]) && !strings.Contains(strings.ToLower(c.text[last:m.at]), "taxable") || tax == 0 && value > 0 {
			tax = m.paise
		} else {
			value = m.paise
		}
		last = m.end
	}
	for _, rule := range c.tables.Penalties {
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

// refundInterest gives from when a refund that came late bears interest (CGST Act s. 56).
func (c *computing) refundInterest() {
	if !ofInterest.MatchString(c.text) || !ofRefund.MatchString(c.text) || !c.about("cgst:56") {
		return
	}
	result := map[string]string{"rule": "refund_interest", "rate": "6%", "count": "60"} // N.13/2017-CT
	if day := c.day(); day != nil {
		from := day.from.AddDays(61)
		result["of"], result["from"] = c.date(day.from), c.date(from)
		if last := c.times[len(c.times)-1]; last.kind == "day" && last.from.After(from) {
			days := from.DaysUntil(last.from)
			result["to"], result["last"] = c.date(last.from), strconv.Itoa(days)
			if len(c.amounts) == 1 {
				result["base"], result["amount"] = gst.Rupees(c.amounts[0].paise), gst.Rupees((c.amounts[0].paise*6*int64(days)/36500+50)/100*100)
			}
		}
	}
	c.say(result, "cgst:56", "cgst:54(7)")
}
