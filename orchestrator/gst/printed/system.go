package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readDifference reads the table of FORM GST DRC-01B or DRC-01C, which the portal makes: two rows by head and their
// difference. It subtracts the rows again, and reads what else the form prints that explains the difference. In DRC-01B
// these are zero-rated supplies of Table 3.1(b), in DRC-01C imports and reverse charge of Table 4(A).
func (p *Paper) readDifference() {
	if !p.isKind("liability difference", "credit difference") {
		return
	}
	more, less := []string{"gstr-1", "gstr1", "gstr 1", "declared"}, []string{"3b", "paid"}
	if p.isKind("credit difference") {
		more, less = []string{"3b", "availed in return"}, []string{"2b", "available"}
	}
	var a, b, d line
	for _, l := range p.lines {
		label := strings.Join(l.label, " ")
		switch {
		case len(l.cells) < 3 || !l.wide || len(label) > 120:
		case len(d.cells) == 0 && hasAny(label, "difference", "excess") && len(a.cells) > 0 && len(b.cells) > 0:
			d = l
		case len(a.cells) == 0 && hasAny(label, more...):
			a = l
		case len(b.cells) == 0 && hasAny(label, less...):
			b = l
		}
	}
	if len(a.cells) < 3 || len(b.cells) != len(a.cells) || len(d.cells) != len(a.cells) {
		return
	}
	heads := len(d.cells)
	if sumOf64(d.cells[:heads-1]) == d.cells[heads-1] && sumOf64(a.cells[:heads-1]) == a.cells[heads-1] {
		heads-- // the last column is the total
	}
	at := []Quote{p.quoteLine(a), p.quoteLine(b), p.quoteLine(d)}
	left := make([]int64, heads)
	var right, printed int64
	for i := range heads {
		left[i] = max(0, a.cells[i]-b.cells[i])
		right += left[i]
		printed += d.cells[i]
	}
	p.Known.Put("difference.right", Value{Kind: Money, Paise: right, At: at})
	if printed > right {
		p.Known.Put("difference.over", Value{Kind: Money, Paise: printed - right, At: at})
	}
	explain := func(fact string, cells []int64, q Quote) {
		var sum int64
		for i := range min(heads, len(cells)) {
			part := min(left[i], cells[i])
			left[i] -= part
			sum += part
		}
		if v := p.Known.One(fact); v != nil {
			sum += v.Paise
		}
		if sum > 0 {
			p.Known.Put(fact, Value{Kind: Money, Paise: sum, At: []Quote{q, at[2]}})
		}
	}
	if p.isKind("liability difference") {
		cells, q := p.zeroRated()
		explain("difference.zero_rated", cells, q)
		return
	}
	for _, l := range p.lines {
		switch label := strings.Join(l.label, " "); {
		case len(l.cells) < 3 || len(l.cells) > heads+2:
		case hasAny(label, "import of goods", "import of services"):
			explain("difference.imports", l.cells, p.quoteLine(l))
		case hasAny(label, "reverse charge"):
			explain("difference.reverse", l.cells, p.quoteLine(l))
		}
	}
	if rest := sumOf64(left); rest > 0 && rest < right {
		p.Known.Put("difference.left", Value{Kind: Money, Paise: rest, At: at})
	}
}

// zeroRated returns the integrated tax on zero-rated supplies as the form prints it, in a row of Table 3.1 (value, then
// tax) or in words.
func (p *Paper) zeroRated() ([]int64, Quote) {
	for _, l := range p.lines {
		if hasAny(strings.Join(l.label, " "), "zero rated", "zero-rated") && len(l.cells) > 2 && l.wide {
			return l.cells[1:2], p.quoteLine(l)
		}
	}
	start, end, ok := p.find("3.1(b)|3.1 (b)|zero rated supplies|zero-rated supplies", 0, len(p.low))
	if !ok {
		return nil, Quote{}
	}
	const reach = 170
	words := p.low[end:min(len(p.low), end+reach)]
	if stop := strings.IndexByte(words, ';'); stop >= 0 {
		words = words[:stop]
	}
	for _, h := range p.headsIn(words) {
		if h.Head == "IGST" {
			return []int64{int64(h.Amount)}, p.quote(start, end+len(words))
		}
	}
	return nil, Quote{}
}

// readReturnDue reads, from a paper about a return in default, the day on which that return was due. It also reads
// whether the paper says that this return was filed; returns of other periods do not count.
func (p *Paper) readReturnDue() {
	if !p.isKind("return default", "best judgment order") {
		return
	}
	const reach = 80
	var own []month
	if start, end, ok := p.find("tax period|return period|for the period|for the month|कर अवधि", 0, len(p.low)); ok {
		own = monthsIn(p.low[end:min(len(p.low), end+reach)])
		_, _, three := p.find("gstr-3b|gstr 3b|gstr3b", 0, len(p.low))
		_, _, quarterly := p.find("quarterly|qrmp|तिमाही", 0, len(p.low))
		if len(own) == 1 && three && p.isKind("return default") {
			day := 20
			if quarterly {
				day = 22 // in some States 24
			}
			next := own[0].first.AddMonths(1)
			if due, ok := law.NewDay(next.Year(), int(next.Month()), day); ok {
				p.Known.Put("return.due", Value{Kind: Day, Day: due, At: []Quote{p.around(start, end+own[0].end)}})
			}
		}
	}
	p.each("was filed|were filed|returns filed on|return filed on|was furnished on|since been filed|filed vide|filed late on", 0, len(p.low),
		func(from, to int) {
			named := monthsIn(p.low[from:to])
			other := len(named) > 0 && len(own) > 0 && !slices.ContainsFunc(named, func(m month) bool {
				return !m.first.Before(own[0].first) && !m.first.After(own[len(own)-1].first)
			})
			if !other {
				p.Known.Put("default.filed", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
			}
		})
}

// seats is the number of seats of a vehicle: "17 seater", "seating capacity of 17 persons".
var seats = lazyregexp.New(`\b(\d{1,2})[ -]?(?:seater|seats\b|seated\b)|\bseating capacity (?:of |is |being |as |for )*(\d{1,2})\b`)

// readSeats reads the number of seats of the vehicles in a charge. If they differ, it takes the lowest.
func (p *Paper) readSeats(s Scope) {
	for _, m := range seats.FindAllStringSubmatchIndex(p.low[s.from:s.to], -1) {
		at := m[2:4]
		if at[0] < 0 {
			at = m[4:6]
		}
		n := number(p.low[s.from+at[0] : s.from+at[1]])
		if v := s.Known.One("charge.seats"); v == nil || n < v.Count {
			s.Known.Put("charge.seats", Value{Kind: Count, Count: n, At: []Quote{p.around(s.from+m[0], s.from+m[1])}})
		}
	}
}

// readStatements reads whether a paper relies on the statement of another person than the taxpayer.
func (p *Paper) readStatements() {
	const near = 120
	p.each("statement of shri|deposed|deposition|statement dated|stated on oath|statement of sh|statement of mr|statement of smt|statement of the|"+
		"statements of|statement was recorded|statements were recorded|statement recorded|in his statement|in her statement|his statement|"+
		"her statement|cross-exam|cross exam|जिरह|के बयान|बयान दर्ज", 0, len(p.low), func(from, to int) {
		words := p.low[max(0, from-near):to]
		if !hasAny(words, "director", "proprietor", "partner", "karta", "authorised signatory", "authorized signatory", "authorised representative",
			"of the noticee", "your ", "accountant of", "manager of the noticee", "statement of account", "statement of facts", "bank statement",
			"statement of outward", "statement of invoices", "auto-generated", "auto-populated") ||
			hasAny(words, "director of the supplier", "proprietor of the supplier", "supplier's", "transporter", "of m/s", "cross-exam", "cross exam") {
			p.Known.Put("statement.other", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
}

// because are words that give a reason.
var because = [...]string{" as ", " because", " since ", " for the reason", "inasmuch", " in view of", " whereas", "क्योंकि", " चूँकि", " चूंकि",
	" hence ", " therefore", " being ", " due to "}

// readBare reads whether an order rejects a reply in a sentence that gives no reason.
func (p *Paper) readBare() {
	p.each("not satisfactory|not found satisfactory|unsatisfactory|not acceptable|not accepted|not tenable|devoid of merit|no merit|without merit|"+
		"not convincing|संतोषजनक नहीं|स्वीकार नहीं", 0, len(p.low), func(from, to int) {
		if !hasAny(p.low[from:to], because[:]...) {
			p.Known.Put("order.bare", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
}

// readRectified reads, from a rectified order, the date of the original order. It computes the last day for a
// rectification, six months from that date (section 161).
func (p *Paper) readRectified() {
	const reach, months, top = 90, 6, 2500
	if !p.isKind("rectified order") {
		return
	}
	for at := 0; len(p.Known["rectification.six"]) == 0; {
		start, end, ok := p.find("original order|order dated|order referred to|order under rectification|मूल आदेश", at, min(len(p.low), top))
		if !ok {
			return
		}
		at = end
		for _, d := range gst.Dates(p.low[start:min(len(p.low), start+reach)]) {
			if len(p.Known["rectification.six"]) == 0 && d.Day.Before(p.lastDay()) {
				q := []Quote{p.quote(start, start+d.End)}
				p.Known.Put("original.day", Value{Kind: Day, Day: d.Day, At: q})
				p.Known.Put("rectification.six", Value{Kind: Day, Day: d.Day.AddMonths(months), At: q})
			}
		}
	}
}

// refundGrounds are grounds on which a refund is refused, by the words of papers.
var refundGrounds = [...]struct{ ground, words string }{
	{"intermediary", "intermediary|मध्यवर्ती"}, {"unjust enrichment", "unjust enrichment|incidence of tax"},
	{"limitation", "limitation|time barred|time-barred|two years|54(1)"}, {"realisation of the payment", "not realised|realisation|brc|firc"},
	{"credit of input services", "input services"}, {"ineligible credit", "ineligible|blocked credit|17(5)"},
	{"classification", "classification|hsn"},
}

// readNewGround finds a ground of a refund order that its notice did not have. The order itself must say on which
// grounds the notice was issued.
func (p *Paper) readNewGround() {
	if !p.isKind("refund order") {
		return
	}
	from, to := -1, 0
	p.each("on the ground of|on the grounds of|on the ground that|on the following ground", 0, len(p.low), func(a, b int) {
		if from < 0 && hasAny(p.low[a:b], "notice", "rfd-08") && hasAny(p.low[a:b], "issued") {
			from, to = a, b
		}
	})
	if from < 0 {
		return
	}
	for _, g := range refundGrounds {
		if _, _, named := p.find(g.words, from, to); named {
			continue
		}
		for _, c := range p.Charges {
			start, end, ok := p.find(g.words, c.from, c.to)
			if ok && len(p.Charges) > 1 && len(p.Known["order.new_ground"]) == 0 {
				p.Known.Put("order.new_ground", Value{Kind: Word, Text: g.ground, At: []Quote{p.around(start, end), p.quote(from, to)}})
			}
		}
	}
}
