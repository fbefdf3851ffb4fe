package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// spanOf sets the period of a charge as one fact with two values, its first and its last date. If the law changed
// within the period, a rule that compares this fact with a date is then uncertain.
func spanOf(k Known) {
	from, to := k.One("charge.from"), k.One("charge.to")
	if from == nil || to == nil {
		return
	}
	k["charge.span"] = []Value{*from, *to}
}

// begins is the date on which GST began.
var begins = law.ParseDay("2017-07-01")

// readSuppliers reads, if a paper says that a supplier's registration was cancelled, the date from which it was
// cancelled. It also reads the date of the order of cancellation.
func (p *Paper) readSuppliers() {
	if p.isKind("cancellation notice", "cancellation order", "suspension", "revocation notice") {
		return
	}
	const near = 60
	p.each("cancelled|cancellation|canceled|निरस्त|रद्द", 0, len(p.low), func(from, to int) {
		words := p.low[from:to]
		if !hasAny(words, "supplier", "vendor", "seller", "dealer", "m/s", "firm", "whose registration", "आपूर्तिकर्ता", "विक्रेता") ||
			hasAny(words, "your registration", "taxpayer's registration", "noticee's registration") {
			return
		}
		at := []Quote{p.quote(from, to)}
		_, effect, ok := p.find("with effect from|w.e.f|effective from|effective date|cancelled from|cancelled since|retrospectively from|"+
			"cancellation from|से निरस्त|से रद्द", from, to)
		if _, _, always := p.find("ab initio|ab-initio|since inception|from inception|from the date of registration", from, to); always &&
			p.Known["supplier.from"] == nil {
			p.Known.day("supplier.from", begins, at)
		}
		for _, d := range gst.Dates(words) {
			day := from + d.Start
			switch {
			case ok && day >= effect && day < effect+near && !hasAny(p.low[effect:day], "order", "vide", "dated"):
				if p.Known["supplier.from"] == nil {
					p.Known.day("supplier.from", d.Day, at)
				}
			case p.Known["supplier.order"] == nil && hasAny(p.low[max(from, day-40):day], "cancelled on", "order dated", "order of",
				"order passed on", "vide order", "cancelled vide", "cancelled by", "cancellation order", "suo moto on", "canceled on", "dated"):
				p.Known.day("supplier.order", d.Day, at)
			}
		}
	})
}

// readInvoiceDays reads, in a charge, the first and the last date of the invoices that it names.
func (p *Paper) readInvoiceDays(s Scope) {
	const before = 60
	words := p.low[s.from:s.to]
	var days []law.Day
	var at []Quote
	for _, l := range p.rowsOf(s) {
		if found := gst.Dates(p.low[l.from:l.to]); l.wide && l.id() != "" && len(found) == 1 {
			days = append(days, found[0].Day)
			at = append(at, p.quoteLine(l))
		}
	}
	run := -1 // a list of days behind the word
	for _, d := range gst.Dates(words) {
		near := words[max(0, d.Start-before):d.Start]
		word := -1
		for _, w := range []string{"invoice", "inv ", "bills", "bill no", "supplied on", "supplies of", "purchases of", "बीजक"} {
			word = max(word, strings.LastIndex(near, w))
		}
		named := word >= 0
		if named {
			near = near[word:]
		}
		if between := words[max(0, d.Start-24):d.Start]; run >= 0 && d.Start-run < 24 && hasAny(between, " and ", ",", " to ", "&") {
			named, near = true, between
		}
		if !named || hasAny(near, "cancel", "return", "filed", "notice", "order", "letter", "gstr", "effect", "w.e.f", "paid", "e-way") {
			run = -1
			continue
		}
		run = d.End
		days = append(days, d.Day)
		at = append(at, p.around(s.from+d.Start, s.from+d.End))
	}
	if len(days) == 0 {
		return
	}
	at = at[:min(len(at), 3)]
	compare := func(a, b law.Day) int { return a.Compare(b.Time) }
	s.Known.day("charge.invoices_first", slices.MinFunc(days, compare), at)
	s.Known.day("charge.invoices_last", slices.MaxFunc(days, compare), at)
}
