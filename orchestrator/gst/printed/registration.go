package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/lazyregexp"
)

// readReasons records that a notice for cancellation gives as reasons only the words of the portal's list, and no fact.
func (p *Paper) readReasons() {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "cancellation notice" && k.Text != "suspension" {
		return
	}
	_, from, ok := p.find("following reasons|following reason|reasons mentioned below|निम्नलिखित कारण|निम्न कारण", 0,
		len(p.low))
	if !ok {
		return
	}
	to, _, ok := p.find("you are hereby|you are directed|you are required|you are called|आपको|kindly refer", from,
		len(p.low))
	if !ok || len(strings.Fields(p.low[from:to])) < 1 {
		return
	}
	words := p.low[from:to]
	sums := slices.ContainsFunc(gst.Sums(words), func(s gst.Sum) bool { return s.Marked })
	if sums || len(gst.Dates(words)) > 0 || len(monthsIn(words)) > 0 || gstinIn.MatchString(words) ||
		aFact.MatchString(words) || len(strings.Fields(words)) > 70 {
		return
	}
	p.Known.Put("reasons.bare", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
}

var (
	gstinIn = lazyregexp.New(`\b\d\d[a-z]{5}\d{4}[a-z]`)
	// aFact matches words that show that the officer stated a fact, and not only a reason from the portal's list.
	aFact = lazyregexp.New(`observation|remark|visit|verif|inspect|report|m/s|return|bank account|invoice no|टिप्पणी|विवरणी|निरीक्षण|जाँच`)
)

// readAddressee records that the paper is addressed to a deceased person, if the name says so.
func (p *Paper) readAddressee() {
	if p.Facts.LegalName == nil {
		return
	}
	name := strings.ToLower(strings.TrimSpace(*p.Facts.LegalName))
	if lateName.MatchString(name) {
		p.Known.Put("addressee.deceased", Value{Kind: Truth, Yes: true, At: p.at("legal_name")})
	}
}

var lateName = lazyregexp.New(`^(late|lt\.?|\(late\)|स्व\.?|स्वर्गीय)[\s.]`)

// readPlan reads the date on which a resolution plan was approved.
func (p *Paper) readPlan() {
	p.each("resolution plan|समाधान योजना", 0, len(p.low), func(from, to int) {
		if days := p.daysIn(from, to); len(days) > 0 &&
			hasAny(p.low[from:to], "approved", "approval", "sanctioned", "स्वीकृत", "अनुमोदित") {
			p.Known.add("plan.day", Value{Kind: Day, Day: days[len(days)-1], At: []Quote{p.quote(from, to)}})
		}
	})
}

// readAssessed reads the turnover alleged in a notice to an unregistered person.
func (p *Paper) readAssessed() {
	if k := p.Known.One("paper.kind"); k == nil || k.Text != "best judgment notice" {
		return
	}
	const near = 90
	for at := 0; ; {
		start, end, ok := p.find("turnover|worth|sales of|supplies of|receipts of|sold|टर्नओवर|बिक्री", at, len(p.low))
		if !ok {
			return
		}
		at = end
		for _, s := range gst.Sums(p.low[end:min(len(p.low), end+near)]) {
			if s.Marked && !hasAny(p.low[end:end+s.Start], "limit", "threshold", "exceed", "tax") {
				p.Known.add("assessed.turnover",
					Value{Kind: Money, Paise: s.Paise, At: []Quote{p.around(start, end+s.End)}})
			}
			break
		}
	}
}

// readBeyondNotice reads, in an order, how much tax the notice before it proposed. It computes by how much the order
// exceeds that tax.
func (p *Paper) readBeyondNotice() {
	k := p.Known.One("paper.kind")
	tax := Sum(p.DemandOf(TakesTax))
	if k == nil || k.Text != "order" || tax == nil {
		return
	}
	var proposed []Value
	p.each("propos", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		if !hasAny(words, "notice", "scn", "drc-01") {
			return
		}
		var sums []gst.Sum
		for _, s := range gst.Sums(words) {
			if s.Marked && s.Paise >= 100_00 && !hasAny(words[max(0, s.Start-30):s.Start], "interest", "penalty") {
				sums = append(sums, s)
			}
		}
		if len(sums) == 1 && hasAny(words[:sums[0].Start], "tax") {
			proposed = append(proposed, Value{Kind: Money, Paise: sums[0].Paise, At: []Quote{p.quote(from, to)}})
		}
	})
	if len(proposed) == 0 {
		proposed = p.issuedFor()
	}
	if len(proposed) != 1 {
		return
	}
	if over := int64(*tax) - proposed[0].Paise; over > 0 {
		p.Known.Put("notice.tax", proposed[0])
		p.Known.Put("order.excess", Value{Kind: Money, Paise: over,
			At: append(slices.Clone(proposed[0].At), p.at("demand")...)})
	}
}

// issuedFor returns how much tax a notice was issued for, head by head, as in "the notice was issued for CGST 2,05,000
// and SGST 2,05,000 of tax".
func (p *Paper) issuedFor() (found []Value) {
	p.each("was issued|were issued|had been issued", 0, len(p.low), func(from, to int) {
		const before = 90 // "ref." may end the sentence
		from = max(0, from-before)
		words := p.low[from:to]
		at := strings.LastIndex(words, " for ")
		if at < 0 || !hasAny(words, "notice", "scn", "drc-01") || !hasAny(words[at:], "tax") || hasAny(words, "interest", "penalty") {
			return
		}
		if sum := Sum(p.headsIn(words[at:])); sum != nil {
			found = append(found, Value{Kind: Money, Paise: int64(*sum), At: []Quote{p.quote(from, to)}})
		}
	})
	return found
}

// readPenaltyBeyond reads, in an order, the penalty that the notice proposed. It computes by how much the order's
// penalty exceeds it.
func (p *Paper) readPenaltyBeyond() {
	imposed := Sum(p.DemandOf(TakesPenalty))
	if !p.isKind("order") || imposed == nil {
		return
	}
	var found []Value
	p.each("propos", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		at := strings.Index(words, "penalty")
		if at < 0 || !hasAny(words, "notice", "scn", "drc-01") {
			return
		}
		var sums []gst.Sum
		for _, s := range gst.Sums(words) {
			if s.Marked && s.Paise >= 100_00 {
				sums = append(sums, s)
			}
		}
		if len(sums) == 1 && !hasAny(words, "tax of", "interest of") {
			found = append(found, Value{Kind: Money, Paise: sums[0].Paise, At: []Quote{p.quote(from, to)}})
		}
	})
	if len(found) != 1 {
		return
	}
	if over := int64(*imposed) - found[0].Paise; over > 100 {
		p.Known.Put("notice.penalty", found[0])
		p.Known.Put("order.penalty_over", Value{Kind: Money, Paise: over, At: append(slices.Clone(found[0].At), p.at("demand")...)})
	}
}

// clause matches a clause of section 29(2) or rule 21, such as "29(2)(c)", which is a ground for a cancellation, and
// captures its letter.
var clause = lazyregexp.New(`\b(29 ?\(2\) ?\(([a-e])\)|21 ?\(([a-i])\))`)

// clausesIn returns the clauses of section 29(2) that a text names. A clause of rule 21 is returned as the clause of
// section 29(2) that it belongs to.
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

// readGrounds records that an order cancels a registration under another clause than its notice named.
func (p *Paper) readGrounds() {
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
	p.Known.Put("ground.differs", Value{Kind: Truth, Yes: true,
		At: []Quote{p.around(first, first+8), p.around(at, at+8)}})
}

// readEffect reads the date from which a paper cancels a registration or proposes to cancel it.
func (p *Paper) readEffect() {
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
			p.Known.add("effect.day", Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(start, end+d.End)}})
			break
		}
	}
}

// monthsOfTable counts the months for which a table says that no return was filed. The months may be in one line with
// "Not filed" below them, or each in a line of its own with "Not filed".
func (p *Paper) monthsOfTable() (n int, at []Quote) {
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

// shortMonth matches a month with its year as tables print it, such as "Nov-25" or "Jan 2026".
var shortMonth = lazyregexp.New(`\b(jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*[ '’-]*(20)?\d\d\b`)

func countMonths(low string) int { return len(shortMonth.FindAllString(low, -1)) }

// The words by which papers name each kind of ground for a cancellation.
var (
	onReturns  = lazyregexp.New(`\breturns? (?:has |have )?not (?:been )?(?:filed|furnished)|\b(?:non-?filing|non-?furnishing) of returns?|29\(2\)\([bc]\)`)
	onPremises = lazyregexp.New(`\bnot (?:been )?(?:found )?(?:functioning|existing|conducting|operating)|\bnon-?exist|\bnot found at\b|\bdoes not (?:conduct|carry on)`)
	onDeceit   = lazyregexp.New(`\bfraud|\bwil?lful|\bsuppression|29\(2\)\(e\)`)
)

// readGroundsInWords records that an order cancels on a kind of ground that the notice did not have: returns, the place
// of business, or fraud. It takes the notice's grounds from what the order says about the notice.
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

// readRegistrationDay reads, from a paper that cancels a registration, the date from which the person was registered.
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
