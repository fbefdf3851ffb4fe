package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// each calls of with the offsets of every sentence between from and to that has one of the words.
func (p *Paper) each(words string, from, to int, of func(from, to int)) {
	for at := from; ; {
		start, end, ok := p.find(words, at, to)
		if !ok {
			return
		}
		first, last := p.sentence(start)
		of(max(first, from), min(max(last, end), to))
		at = max(end, min(last, to))
	}
}

// orders lists words by which a sentence tells someone to pay, or doubts that something was paid.
var orders = [...]string{"to be paid", "may pay", "shall pay", "should", "if you", "required to", "directed to",
	"requested to", "advised", "unpaid", "not paid", "part payment", "partly", "part of", "balance", "remaining",
	"short", "claim", "verif", "not been", "yet to be"}

// daysIn returns the dates between two offsets that are not after the paper's own.
func (p *Paper) daysIn(from, to int) []law.Day {
	var days []law.Day
	for _, d := range gst.Dates(p.low[from:to]) {
		if last := p.lastDay(); !last.IsZero() && !d.Day.After(last) {
			days = append(days, d.Day)
		}
	}
	return days
}

// readPaidBefore reads, in a charge, the date on which all of it was paid with interest.
func (p *Paper) readPaidBefore(s Scope) {
	if s.to-s.from == len(p.low) {
		return // the only scope is the whole paper, so it is unclear which charge was paid
	}
	p.each("drc-03|drc 03|paid|deposited|discharged", s.from, s.to, func(from, to int) {
		words := p.low[from:to]
		if !hasAny(words, "with interest", "with full interest", "with applicable interest", "with the interest",
			"along with interest", "together with interest", "alongwith interest", "and interest") ||
			!hasAny(words, "these sums", "the same", "entire", "whole", "full amount", "the said", "this amount",
				"the amount", "in full") ||
			!hasAny(words, "paid", "deposited", "discharged") || hasAny(words, orders[:]...) {
			return
		}
		if days := p.daysIn(from, to); len(days) == 1 {
			s.Known.add("charge.paid_day", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
		}
	})
}

// readProceedings reads what the paper says about other proceedings: proceedings of the other administration on the
// same matter, a finding that fraud is not made out, a later payment of all the tax, and a late appeal.
func (p *Paper) readProceedings() {
	other := ""
	switch side := p.Known.One("paper.side"); {
	case side == nil:
	case side.Text == "central":
		other = "state tax officer|of state tax|state gst|sgst officer|commercial tax officer|commercial taxes|state " +
			"tax department|sgst department"
	default:
		other = "of central tax|central gst|cgst range|cgst division|cgst commissionerate|dggi|superintendent of gst"
	}
	if other != "" {
		p.each(other, 0, len(p.low), func(from, to int) {
			words := p.low[from:to]
			if !hasAny(words, "drc-01 ", "show cause notice", "scn ") ||
				!hasAny(words, "the same", "very same", "identical") ||
				hasAny(words, "drc-01a", "not the same", "different", "dropped", "withdrawn", "transferred",
					"not related") {
				return
			}
			if days := p.daysIn(from, to); len(days) == 1 {
				p.Known.add("parallel.day", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
			}
		})
	}
	for _, other := range p.Known["parallel.day"] { // its date is not one of this paper
		if len(p.Known["paper.date"]) > 1 {
			p.Known["paper.date"] = slices.DeleteFunc(slices.Clone(p.Known["paper.date"]), func(v Value) bool {
				return v.Day == other.Day && v.Day != p.issued
			})
		}
	}
	p.each("drc-03|drc 03", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		if !hasAny(words, "tax") || !hasAny(words, "interest") || !hasAny(words, "paid", "deposited", "discharged") ||
			hasAny(words, orders[:]...) {
			return
		}
		if days := p.daysIn(from, to); len(days) > 0 {
			p.Known.add("payment.day", Value{Kind: Day, Day: slices.MinFunc(days, func(a, b law.Day) int {
				return a.Compare(b.Time)
			}), At: []Quote{p.quote(from, to)}})
		}
	})
	p.each("75(2)", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		if hasAny(words, "not established", "not made out", "not sustainable", "not proved", "not proven",
			"not sustained") && hasAny(words, "appeal", "tribunal", "court") &&
			hasAny(words, "section 73", "73(1)", "u/s 73") &&
			!hasAny(strings.ReplaceAll(words, "as if", ""), " if ", "should the") {
			p.Known.Put("redetermination.ordered", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
	p.each("whole of the tax|whole tax|entire tax|full tax|entire amount of tax|full amount of tax|tax in full", 0,
		len(p.low), func(from, to int) {
			words := p.low[from:to]
			days := p.daysIn(from, to)
			if len(days) > 1 { // the head of the paper may be in the same sentence
				_, end, _ := p.find("whole of the tax|whole tax|entire tax|full tax|entire amount of tax|full amount of tax|tax in full",
					from, to)
				days = p.daysIn(end, to)
			}
			if len(days) == 1 && hasAny(words, "paid", "deposited", "discharged") && !hasAny(words, orders[:]...) {
				p.Known.add("tax.paid_whole", Value{Kind: Day, Day: days[0], At: []Quote{p.quote(from, to)}})
			}
		})
	p.readLateAppeal()
}

// readLateAppeal reads, in an order on an appeal, the dates on which the order appealed against was communicated and
// the appeal was filed.
func (p *Paper) readLateAppeal() {
	if !p.isKind("appellate order", "appeal letter") {
		return
	}
	const near = 50
	day := func(name, words string, months int, quoted ...string) {
		p.each(words, 0, len(p.low), func(from, to int) {
			low := p.low[from:to]
			days := p.daysIn(from, to)
			if len(days) > 1 { // the one that follows the words
				_, end, _ := p.find(words, from, to)
				days = p.daysIn(end, min(to, end+near))
			}
			if len(days) == 1 && hasAny(low, quoted...) {
				p.Known.add(name, Value{Kind: Day, Day: days[0].AddMonths(months), At: []Quote{p.quote(from, to)}})
			}
		})
	}
	const communicated = "communicated|received by the appellant|served on the appellant|date of communication|uploaded in the portal|" +
		"uploaded on the portal|uploaded on the common portal"
	day("appeal.in_three", communicated, 3, "order")
	day("appeal.condonable", communicated, 4, "order")
	day("appeal.filed", "appeal in apl-01 was filed|appeal in form * was filed|appeal * was filed on|appeal was presented|appeal was filed|appeal was preferred|appeal has been filed|appeal is "+
		"filed|filed the appeal|filed this appeal|appeal filed on", 0, "appeal")
	p.truth("appeal.no_power", "no power to condone|no power to entertain|cannot condone|cannot be condoned|not empowered to condone|no "+
		"jurisdiction to condone|power to condone does not|no authority to enlarge|no authority to condone|no "+
		"authority to extend|no power to extend|no power to enlarge|cannot extend|cannot enlarge|no discretion to")
}

// side decides whether an officer of the centre or of a State wrote the paper, if both are named. It is the
// administration named at the beginning.
func (p *Paper) side(central, state int) (isCentral, isState bool) {
	const head = 150
	isCentral, isState = central < head, state < head
	if isCentral == isState || strings.Contains(p.low[:min(len(p.low), head)], "cross-empower") {
		return true, true
	}
	return isCentral, isState
}

// creditBeforeCash returns the offsets at which a part of the text last names the amounts paid by credit and those paid
// in cash. both is false unless it names both.
func (p *Paper) creditBeforeCash(from, to int) (credit, cash int, both bool) {
	credit = p.last("by credit|paid by itc|through credit|through itc|from itc|from credit|off from "+
		"itc|itc utilised|credit utilised|credit ledger|credit cash|of which of which|by itc|itc cash|paid from paid "+
		"from", from, to)
	cash = p.last("in cash|cash ledger|by cash|through cash|from cash|paid cash|credit cash|itc cash", from, to)
	return credit, cash, credit >= 0 && cash >= 0
}

// last returns the offset at which one of the words last occurs between two offsets, or -1 if none does.
func (p *Paper) last(words string, from, to int) int {
	at := -1
	for {
		start, end, ok := p.find(words, from, to)
		if !ok {
			return at
		}
		at, from = start, end
	}
}

// printsBoth reports whether a paper shows the amount for one of two equal heads, and also prints their
// total.
func (p *Paper) printsBoth(sum int64) bool {
	one, both := false, false
	for _, s := range gst.Sums(p.low) {
		one = one || s.Marked && s.Paise == sum
		both = both || s.Marked && s.Paise == 2*sum
	}
	return sum > 0 && one && both && hasAny(p.low, "identical", "sgst same", "cgst shown", "like amount")
}

// readGrossInterest reads rows of returns filed late that charge interest on all of the tax, and adds up the interest
// on the part paid by credit. In each row the tax must be the sum of credit and cash. The rows must add up to the
// demanded interest or, if none is demanded, to an amount that the paper prints.
func (p *Paper) readGrossInterest() {
	if _, _, ok := p.find("in cash|cash ledger|by cash|through cash|from cash|paid cash", 0, len(p.low)); !ok {
		return
	}
	var all, onCredit int64
	var at []Quote
	const headReach = 300
	from, first := 0, 0
	for line := range strings.Lines(p.all) {
		var sums []int64
		low := lower(line)
		if hasAny(low[:min(len(low), 20)], "total", "योग", "कुल") {
			from += len(line)
			continue
		}
		for _, s := range gst.Sums(low) {
			if s.Marked {
				sums = append(sums, s.Paise)
			}
		}
		if len(sums) > 3 && sums[0] == sums[1]+sums[2] && sums[1] > 0 && sums[2] > 0 {
			for _, interest := range sums[3:] {
				all += interest
				onCredit += interest * (sums[1] / 100) / (sums[0] / 100)
			}
			if len(at) == 0 {
				first = from
			}
			at = append(at, p.quote(from, from+len(line)))
		}
		from += len(line)
	}
	// Which of the two columns is credit cannot be read, so the paper must name credit first.
	credit, cash, named := p.creditBeforeCash(max(0, first-headReach), first)
	if !named { // the columns may be explained elsewhere
		var ok bool
		credit, _, named = p.find("by credit|paid by itc|through credit|through itc|from itc|from credit|off from "+
			"itc|itc utilised|credit utilised|credit ledger|of which of which|by itc", 0, len(p.low))
		cash, _, ok = p.find("in cash|cash ledger|by cash|through cash|from cash|paid cash", 0, len(p.low))
		named = named && ok
	}
	demanded := Sum(p.DemandOf(TakesInterest))
	// the table may show only one of two equal heads
	if demanded != nil && all > 0 && int64(*demanded) == 2*all || demanded == nil && p.printsBoth(all) {
		all, onCredit = 2*all, 2*onCredit
	}
	if !named || credit > cash || all == 0 || demanded != nil && int64(*demanded) != all ||
		demanded == nil && !slices.ContainsFunc(gst.Sums(p.low), func(s gst.Sum) bool {
			return s.Marked && s.Paise == all
		}) {
		return
	}
	p.Known.Put("interest.on_credit", Value{Kind: Money, Paise: (onCredit + 50) / 100 * 100, At: at})
}
