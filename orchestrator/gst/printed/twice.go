package printed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readTwiceCharged finds charges that demand the same tax twice: they name the same invoices, the same supplier with
// the same amount, or the same turnover with the same tax.
func (p *Paper) readTwiceCharged() {
	if len(p.Charges) < 2 || !p.isKind("notice", "intimation", "scrutiny", "audit report", "order", "letter", "corrigendum") || !p.countsEach() {
		return
	}
	documents, suppliers := make([][]string, len(p.Charges)), make([][]string, len(p.Charges))
	for i, s := range p.Charges {
		documents[i] = p.documentsIn(s)
		suppliers[i] = p.suppliersIn(s)
	}
	for i, s := range p.Charges {
		for j, before := range p.Charges[:i] {
			amount, again := Sum(before.Amounts), Sum(s.Amounts)
			alike := amount != nil && again != nil && *amount == *again && *again >= 1000_00
			at := []Quote{p.quote(before.from, before.to), p.quote(s.from, s.to)}
			switch shared := share(documents[i], documents[j]); {
			case shared && (alike || again == nil || amount == nil):
			case shared: // a part of the one is the other
				if *again > *amount {
					again = amount
				}
			case !alike && amount != nil && again != nil && (share(suppliers[i], suppliers[j]) && p.sameCredit(s, before) || p.sameReturn(s, before)):
				if *again > *amount {
					again = amount
				}
			case share(suppliers[i], suppliers[j]) && p.sameSum(s, before):
				if again != nil && amount != nil && *again > *amount {
					again = amount
				}
			case alike && (share(suppliers[i], suppliers[j]) || p.sameTurnover(s, before) || p.sameCredit(s, before)):
			default:
				continue
			}
			s.Known.Put("charge.twice", Value{Kind: Word, Text: cmp.Or(before.Part.Para, strconv.Itoa(j+1)), At: at})
			if again != nil {
				s.Known.Put("charge.twice_amount", Value{Kind: Money, Paise: int64(*again), At: at})
			}
			break
		}
	}
}

// countsEach reports whether the demand is the sum of all charges, as far as their amounts are known. In an order,
// findings repeat the charges of the notice and add nothing.
func (p *Paper) countsEach() bool {
	if p.isKind("scrutiny", "audit report", "letter") { // which have no table of a demand
		return true
	}
	tax := Sum(p.DemandOf(TakesTax))
	var sum Amount
	for _, s := range p.Charges {
		sum += amountOr(Sum(s.Amounts))
	}
	if p.isKind("order") {
		return tax != nil && sum <= *tax+100
	}
	return tax == nil || sum <= *tax+*tax/10
}

func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
}

// documentsIn returns the numbers of the invoices that a charge names.
func (p *Paper) documentsIn(s Scope) []string {
	var all []string
	words := p.low[s.from:s.to]
	for _, l := range p.rowsOf(s) {
		if id := l.id(); id != "" && l.wide {
			all = append(all, id)
		}
	}
	const before, behind = 26, 12
	at := 0
	for _, w := range strings.Fields(words) {
		i := at + strings.Index(words[at:], w)
		at = i + len(w)
		id := documentNumber(w)
		if id == "" {
			continue
		}
		near, after := words[max(0, i-before):i], words[at:min(len(words), at+behind)]
		if hasAny(near, "invoice", "bill no", "inv.", "inv no", "bills", " and ", "debit note", "बीजक") &&
			!hasAny(near, "notification", "circular", "e-way", "challan", "notice", "order", "letter", "arn", "memo", "reference") ||
			hasAny(after, " dated", " dt") && hasAny(words, "invoice", "bill no") && !hasAny(near, "notification", "circular", "challan",
				"notice", "order", "letter", "arn", "memo", "drc", "reference") {
			all = append(all, id)
		}
	}
	return all
}

// anyGSTIN matches a GSTIN in lower case.
var anyGSTIN = lazyregexp.New(`\b\d\d[a-z]{5}\d{4}[a-z][0-9a-z]z[0-9a-z]\b`)

// ofFirm matches "m/s" and its Hindi forms, which precede the name of a firm.
var ofFirm = lazyregexp.New(`m/s|मेसर्स|मैसर्स|मे०|मै०`)

// suppliersIn returns the other taxpayers that a charge names, by their GSTINs or by name, as in "m/s malnad steel
// traders".
func (p *Paper) suppliersIn(s Scope) []string {
	words := p.low[s.from:s.to]
	var all []string
	for _, m := range anyGSTIN.FindAllStringIndex(words, -1) {
		id := words[m[0]:m[1]]
		if p.Facts.GSTIN == nil || id != strings.ToLower(*p.Facts.GSTIN) {
			all = append(all, id)
		}
	}
	for at := 0; ; {
		m := ofFirm.FindStringIndex(words[at:])
		if m == nil {
			return all
		}
		at += m[1]
		if name := strings.Fields(strings.TrimLeft(words[at:runeStart(words, min(len(words), at+120))], ". ")); len(name) > 2 {
			all = append(all, strings.TrimRight(strings.Join(name[:2], " "), ".,;:()"))
		}
	}
}

// sameTurnover reports whether two charges state the same turnover, each compared with another paper.
func (p *Paper) sameTurnover(a, b Scope) bool {
	for _, s := range gst.Sums(p.low[a.from:a.to]) {
		if s.Marked && s.Paise >= 10_000_00 && slices.ContainsFunc(gst.Sums(p.low[b.from:b.to]), func(o gst.Sum) bool {
			return o.Marked && o.Paise == s.Paise
		}) && Amount(s.Paise) > amountOr(Sum(a.Amounts)) {
			return true
		}
	}
	return false
}

// sameSum reports whether two charges of tax state the same value of supplies, whatever the tax on it.
func (p *Paper) sameSum(a, b Scope) bool {
	const other = "interest|penalty|late fee|ब्याज|शास्ति"
	for _, s := range []Scope{a, b} {
		if _, _, ok := p.find(other, s.from, s.to); ok {
			return false
		}
	}
	return slices.ContainsFunc(gst.Sums(p.low[a.from:a.to]), func(s gst.Sum) bool {
		return s.Marked && s.Paise >= 10_000_00 && slices.ContainsFunc(gst.Sums(p.low[b.from:b.to]), func(o gst.Sum) bool {
			return o.Marked && o.Paise == s.Paise
		})
	})
}

// comparators lists the papers with which the turnover in a return is compared, each by its names.
var comparators = [...]string{"gstr-1|gstr 1|gstr1", "e-way|eway|e way", "26as|gstr-7|gstr 7|tds|gstr-8", "profit and loss|profit & loss|balance " +
	"sheet|books of account|audited", "gstr-9|gstr 9|annual return", "bank statement|bank account"}

// sameReturn reports whether two charges compare the turnover in FORM GSTR-3B with two different papers. The sales
// missing from the return are then the same in both charges.
func (p *Paper) sameReturn(a, b Scope) bool {
	const ret, turnover, credit = "gstr-3b|gstr 3b|gstr3b", "turnover|outward|sales|supplies|receipts", "credit|itc|interest on|late fee"
	var against [2]string
	for i, s := range []Scope{a, b} {
		for _, words := range []string{ret, turnover} {
			if _, _, ok := p.find(words, s.from, s.to); !ok {
				return false
			}
		}
		if _, _, ok := p.find(credit, s.from, s.to); ok {
			return false
		}
		for _, c := range comparators {
			if _, _, ok := p.find(c, s.from, s.to); ok {
				if against[i] != "" {
					return false
				}
				against[i] = c
			}
		}
	}
	return against[0] != "" && against[1] != "" && against[0] != against[1]
}

// sameCredit reports whether two charges deny the same amount of credit.
func (p *Paper) sameCredit(a, b Scope) bool {
	const credit = "credit|itc|क्रेडिट|आईटीसी"
	_, _, one := p.find(credit, a.from, a.to)
	_, _, other := p.find(credit, b.from, b.to)
	return one && other
}

// readOutside finds documents in a charge that belong to none of the paper's years, while others in the same table do.
// It also finds charges whose months or year are outside them.
func (p *Paper) readOutside(s Scope) {
	if len(p.Facts.Periods) == 0 || !p.isKind("notice", "intimation", "scrutiny", "audit report", "order", "letter") {
		return
	}
	first, last := law.ParseDay(p.Facts.Periods[0].From), law.ParseDay(p.Facts.Periods[len(p.Facts.Periods)-1].To)
	if first.IsZero() || last.IsZero() {
		return
	}
	within := func(d law.Day) bool { return !d.Before(first) && !d.After(last) }
	const late = "16(4)|16 (4)|earlier year|previous year|preceding year|prior year|subsequent year|following year|belated|time limit|" +
		"last date|year-end|credit note|opening"
	if _, _, ok := p.find(late, s.from, s.to); ok {
		return
	}
	inside := 0
	var out []line
	for _, l := range p.rowsOf(s) {
		if m, ok := l.month(); ok && l.wide && !l.isTotal() {
			if within(m) {
				inside++
			} else {
				out = append(out, l)
			}
			continue
		}
		if !l.wide || l.isTotal() || l.id() == "" {
			continue
		}
		switch days := gst.Dates(p.low[l.from:l.to]); {
		case len(days) != 1:
		case within(days[0].Day):
			inside++
		default:
			out = append(out, l)
		}
	}
	if len(out) > 0 && len(out) <= inside {
		var tax int64
		var at []Quote
		for _, l := range out {
			tax += taxIn(l.cells)
			at = append(at, p.quoteLine(l))
		}
		s.Known.Put("outside.tax", Value{Kind: Money, Paise: tax, At: at})
		s.Known.Put("outside.days", Value{Kind: Word, Text: p.daysOf(out), At: at})
		return
	}
	if !p.readOutsideYear(s) && !p.readOutsideSpan(s, first, last) {
		p.readOutsideMonth(s, within)
	}
}

// doneIn matches the financial year in which something was done, as in "hire of a crane in FY 2019-20".
var doneIn = lazyregexp.New(`\b(?:in|during) (?:the )?(?:f\. ?y\. ?|fy |financial year |year )?(20\d\d)-(?:20)?(\d\d)\b`)

// readOutsideYear finds a charge on supplies of a year that the paper is not about, and reports whether it did.
func (p *Paper) readOutsideYear(s Scope) bool {
	words := p.low[s.from:s.to]
	m := doneIn.FindStringSubmatchIndex(words)
	if m == nil || len(doneIn.FindAllStringIndex(words, -1)) > 1 || hasAny(words[max(0, m[0]-44):m[0]], "return", "gstr", "3b", "audit", "notice",
		"declared", "filed", "paid", "availed", "reversed", "shown", "reported", "turnover") {
		return false
	}
	first := law.ParseDay(words[m[2]:m[3]] + "-04-01")
	if first.IsZero() || first.FinancialYear() != words[m[2]:m[3]]+"-"+words[m[4]:m[5]] ||
		slices.ContainsFunc(p.Facts.Periods, func(o gst.Period) bool {
			return o.FY == first.FinancialYear() || hasAny(words, spellings(o.FY)...)
		}) {
		return false
	}
	at := []Quote{p.around(s.from+m[0], s.from+m[1])}
	s.Known.Put("outside.days", Value{Kind: Word, Text: "F.Y. " + first.FinancialYear(), At: at})
	if sum := Sum(s.Amounts); sum != nil {
		s.Known.Put("outside.tax", Value{Kind: Money, Paise: int64(*sum), At: at})
	}
	s.Known.day("charge.from", first, at)
	s.Known.day("charge.to", first.AddMonths(12).AddDays(-1), at)
	spanOf(s.Known)
	return true
}

// readOutsideSpan finds a charge on supplies of several months that are all outside the paper's period, as in "rent for
// April 2024 to March 2025", and reports whether it did.
func (p *Paper) readOutsideSpan(s Scope, first, last law.Day) bool {
	words := p.low[s.from:s.to]
	months := monthsIn(words)
	if len(months) < 2 || !suppliedIn(months, words) {
		return false
	}
	from, to := months[0].first, months[len(months)-1].first.AddMonths(1).AddDays(-1)
	if !from.After(last) && !to.Before(first) {
		return false
	}
	at := []Quote{p.around(s.from+months[0].start, s.from+months[len(months)-1].end)}
	s.Known.Put("outside.days", Value{Kind: Word, Text: from.Format("January 2006") + " to " + to.Format("January 2006"), At: at})
	if sum := Sum(s.Amounts); sum != nil {
		s.Known.Put("outside.tax", Value{Kind: Money, Paise: int64(*sum), At: at})
	}
	s.Known.day("charge.from", from, at)
	s.Known.day("charge.to", to, at)
	spanOf(s.Known)
	return true
}

func (p *Paper) daysOf(lines []line) string {
	var all []string
	for _, l := range lines {
		if m, ok := l.month(); ok {
			all = append(all, m.Format("January 2006"))
			continue
		}
		if days := gst.Dates(p.low[l.from:l.to]); len(days) > 0 && !slices.Contains(all, days[0].Day.Printed()) {
			all = append(all, days[0].Day.Printed())
		}
	}
	return strings.Join(all, ", ")
}

// readOutsideMonth finds a charge on supplies of months that are all outside the paper's years.
func (p *Paper) readOutsideMonth(s Scope, within func(law.Day) bool) {
	const before = 44
	words := p.low[s.from:s.to]
	months := monthsIn(words)
	var at []Quote
	for _, m := range months {
		if within(m.first) {
			return
		}
		near, word := words[max(0, m.start-before):m.start], -1
		for _, w := range []string{"invoice", "supplies", "supply", "services", "received", "cleared", "during", "sales", "sold", "purchase",
			"for the month", "pertain", "turnover", "in the month", "bill"} {
			word = max(word, strings.LastIndex(near, w))
		}
		if word < 0 || hasAny(near, "return", "gstr", "3b") || hasAny(near[word:], "filed", "paid", "audit", "notice", "letter", "cancel", "due",
			" by ", "upto", "up to", "interest", "until", "till", "since", "from ") {
			return
		}
		at = append(at, p.around(s.from+m.start, s.from+m.end))
	}
	if len(at) == 0 || slices.ContainsFunc(p.Facts.Periods, func(o gst.Period) bool { return hasAny(words, spellings(o.FY)...) }) {
		return
	}
	s.Known.Put("outside.days", Value{Kind: Word, Text: months[0].first.Format("January 2006"), At: at})
	s.Known.day("charge.from", months[0].first, at)
	s.Known.day("charge.to", months[len(months)-1].first.AddMonths(1).AddDays(-1), at)
	spanOf(s.Known)
	if sum := Sum(s.Amounts); sum != nil {
		s.Known.Put("outside.tax", Value{Kind: Money, Paise: int64(*sum), At: at})
	}
}
