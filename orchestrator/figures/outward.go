package figures

import (
	"cmp"
	"maps"
	"slices"
)

// pairing is a comparison of two sources of the same supplies, document by document. The allegation is that the first
// has more.
type pairing struct {
	what          string
	first, second Source
	alone         [2]Class // the classes of documents that are only in the first, and only in the second
}

// pairings are the comparisons of outward supplies.
var pairings = []pairing{
	{SalesDeclared, Sales, GSTR1, [2]Class{NotDeclared, OnlyDeclared}},
	{SalesInvoiced, Sales, EInvoices, [2]Class{NoEInvoice, OnlyEInvoice}},
	{InvoicesDeclared, EInvoices, GSTR1, [2]Class{NotDeclared, OnlyDeclared}},
	{MovedDeclared, EWayBills, GSTR1, [2]Class{NotDeclared, OnlyDeclared}},
}

// Papers returns the two sources whose documents a comparison compares; "" if it compares sums.
func Papers(what string) (first, second Source) {
	if what == CreditClaimed {
		return Purchases, GSTR2B
	}
	for _, p := range pairings {
		if p.what == what {
			return p.first, p.second
		}
	}
	return "", ""
}

// Beside is what a comparison leaves out because the other source need not have it: supplies in GSTR-1 without an
// e-way bill, or bills to consumers, which need no e-invoice.
type Beside struct {
	Documents int `json:"documents"`
	Tax       Tax `json:"tax"`
}

// match compares the documents of a pairing. If GSTR-1 has only sums of supplies to unregistered persons, all these
// supplies are SummedUp. Supplies on which the customer pays the tax count without that tax.
func (p pairing) match(by map[Source][]Record, rules Rules) Matching {
	var second, sums []Record
	for _, r := range ownTax(by[p.second]) {
		if r.Kind == Consumers {
			sums = append(sums, r)
		} else {
			second = append(second, r)
		}
	}
	m := Match(ownTax(by[p.first]), second, rules)
	m.What = p.what
	entries := m.Entries[:0]
	aside := func(r Record) {
		m.Beside.Documents++
		m.Beside.Tax = m.Beside.Tax.Plus(r.Tax)
	}
	for _, e := range m.Entries {
		switch {
		case e.Class == OnlyBooks || e.Class == BookedTwice && m.Books[e.Book].GSTIN == "":
			if e.Class = p.alone[0]; m.Books[e.Book].GSTIN == "" {
				if p.second == EInvoices {
					aside(m.Books[e.Book])
					continue
				}
				e.Class = SummedUp
			}
		case e.Class == OnlyPortal:
			if p.what == MovedDeclared || p.what == InvoicesDeclared && m.Portal[e.Portal].GSTIN == "" {
				aside(m.Portal[e.Portal])
				continue
			}
			e.Class = p.alone[1]
		}
		entries = append(entries, e)
	}
	for _, r := range sums {
		if p.what != SalesDeclared {
			aside(r)
			continue
		}
		entries = append(entries, Entry{Class: SummedUp, Book: -1, Portal: len(m.Portal)})
		m.Portal = append(m.Portal, r)
	}
	m.Entries = entries
	slices.SortFunc(m.Entries, m.order)
	return m
}

// ownTax returns the records without the tax that the customer pays under reverse charge.
func ownTax(records []Record) []Record {
	all := slices.Clone(records)
	for i := range all {
		if all[i].Reverse {
			all[i].Tax = Tax{}
		}
	}
	return all
}

// supplies divides the difference between two sources among the classes of their documents.
func supplies(p pairing, m Matching, from, to string) Variance {
	c := Variance{What: p.what, Against: p.second, From: from, To: to, Books: true, Beside: m.Beside, Nets: []Net{}}
	s := newSheet(Months(from, to))
	for _, l := range m.Postings() {
		period := l.Record.Period
		if !l.Booked {
			s.portal[allOther][period] = s.portal[allOther][period].Plus(l.Credit)
			s.share(allOther, period, l.Entry.Class, Tax{}.Minus(l.Credit))
			continue
		}
		s.first[allOther][period] = s.first[allOther][period].Plus(l.Credit)
		s.share(allOther, period, l.Entry.Class, l.Credit)
		if class := l.Entry.Class; l.Other != nil && (class == OtherMonth || class == AcrossYear) &&
			(s.shares[allOther][period] != nil || s.shares[allOther][l.Other.Period] != nil) {
			s.net(class, period, l.Other.Period, l.Credit)
		}
	}
	c.Months, c.Nets = s.listed(), s.named()
	return c
}

// listed returns the months compared in table 4(A)(5), which also holds comparisons that have only one table.
func (s *sheet) listed() []Month {
	all := make([]Month, 0, len(s.periods))
	for _, period := range s.periods {
		all = append(all, Month{Period: period, First: s.first[allOther][period], Second: s.portal[allOther][period],
			Shares: inOrder(s.shares[allOther][period])})
	}
	return all
}

// Withholding compares the supplies that customers or operators reported when they deducted or collected tax at
// source with the turnover in GSTR-3B, or in GSTR-1 for a month without GSTR-3B. Both are monthly sums, and tax is
// deducted only when the price is paid, so only the amount of the difference can be stated. Amounts are the value of
// supplies, under the first head.
func Withholding(what string, reported, sales []Record, returns []Return, from, to string) Variance {
	c := Variance{What: what, From: from, To: to, Against: "GSTR-3B", Nets: []Net{}}
	s := newSheet(Months(from, to))
	turnover := map[string]int64{}
	for i := range sales {
		turnover[sales[i].Period] += sales[i].Taxable
	}
	filed := map[string]bool{}
	for _, r := range returns {
		if r.Form == "GSTR-3B" && !filed[r.Period] {
			filed[r.Period] = true
			turnover[r.Period] = r.value("3.1a") + r.value("3.1b")
		}
	}
	if len(filed) == 0 {
		c.Against = GSTR1
	}
	for i := range reported {
		s.first[allOther][reported[i].Period] = s.first[allOther][reported[i].Period].Plus(Tax{reported[i].Taxable})
	}
	for _, period := range s.periods {
		value, known := turnover[period]
		if !known {
			c.Missing = append(c.Missing, period)
			delete(s.first[allOther], period)
			continue
		}
		s.portal[allOther][period] = Tax{value}
		s.share(allOther, period, NotInFiles, s.first[allOther][period].Minus(Tax{value}))
	}
	c.Months = s.listed()
	return c
}

// yearly is a line of the annual return compared with the monthly returns of its year.
type yearly struct {
	what          string
	first, second Source
	annual        func(Return) Tax // of GSTR-9
	monthly       func(Return) Tax // of one GSTR-3B
	other         func(Return) Tax // the part of the line that belongs to no line of GSTR-3B, from GSTR-9; nil if there is none
}

// byYear are the comparisons with GSTR-9: tax and turnover of tables 4, 5 and 9 with table 3.1, credit of tables 6
// and 7 with table 4.
var byYear = []yearly{
	{what: AnnualTax, second: "GSTR-3B", annual: func(r Return) Tax {
		return r.lines("table4.sup_adv", adjusted("table4", taxedLines))
	}, monthly: taxOf},
	{what: AnnualPayable, second: "GSTR-3B", annual: func(r Return) Tax {
		return r.Table("table9.payable")
	}, monthly: taxOf},
	{what: AnnualTurnover, second: "GSTR-3B", annual: func(r Return) Tax {
		return Tax{r.turnover()}
	}, monthly: func(r Return) Tax {
		return Tax{r.value("3.1a") + r.value("3.1b") + r.value("3.1c") + r.value("3.1e")}
	}},
	{what: AnnualCredit, first: "GSTR-3B", second: "GSTR-9", annual: func(r Return) Tax {
		return r.lines("table6.total_itc_availed",
			plus("table6", "supp_non_rchrg", "supp_rchrg_unreg", "supp_rchrg_reg", "iog", "ios", "isd", "itc_clmd",
				"tran1", "tran2", "other"))
	}, monthly: claimedIn, other: func(r Return) Tax { return r.Table("table6.tran1").Plus(r.Table("table6.tran2")) }},
	{what: AnnualNetCredit, first: "GSTR-3B", second: "GSTR-9", annual: func(r Return) Tax {
		return r.Table("table7.net_itc_aval")
	},
		monthly: func(r Return) Tax { return claimedIn(r).Minus(r.Table("4B1")).Minus(r.Table("4B2")) },
		other:   func(r Return) Tax { return r.Table("table6.tran1").Plus(r.Table("table6.tran2")) }},
}

// The lines of table 4 of GSTR-9 before its amendments.
var taxedLines = []string{"b2c", "b2b", "exp", "sez", "deemed", "at", "rchrg"}

func taxOf(r Return) Tax { return r.Table("3.1a").Plus(r.Table("3.1b")).Plus(r.Table("3.1d")) }

func claimedIn(r Return) (sum Tax) {
	for _, code := range []string{"4A1", "4A2", "4A3", "4A4", "4A5"} {
		sum = sum.Plus(r.Table(code))
	}
	return sum
}

// signed is a line of a return with the sign with which it is added.
type signed struct {
	code string
	sign int64
}

func plus(table string, names ...string) []signed {
	all := make([]signed, len(names))
	for i, n := range names {
		all[i] = signed{table + "." + n, 1}
	}
	return all
}

// adjusted returns lines of table 4 or 5 together with its credit notes, debit notes and amendments.
func adjusted(table string, names []string) []signed {
	return append(plus(table, names...), signed{table + ".cr_nt", -1}, signed{table + ".dr_nt", 1},
		signed{table + ".amd_pos", 1}, signed{table + ".amd_neg", -1})
}

func (r Return) has(code string) bool {
	return slices.ContainsFunc(r.Tables, func(l ReturnLine) bool { return l.Code == code })
}

// lines returns a total of a return or, if the file does not contain it, the sum of its lines.
func (r Return) lines(total string, of []signed) (sum Tax) {
	if r.has(total) {
		return r.Table(total)
	}
	for _, l := range of {
		for head, paise := range r.Table(l.code) {
			sum[head] += l.sign * paise
		}
	}
	return sum
}

// value returns the value of the supplies of a table.
func (r Return) value(code string) (sum int64) {
	for _, t := range r.Tables {
		if t.Code == code {
			sum += t.Taxable
		}
	}
	return sum
}

// turnover returns line 5N of GSTR-9, or computes it: tables 4 and 5 without inward supplies under reverse charge.
func (r Return) turnover() (sum int64) {
	if r.has("table5.total_tover") {
		return r.value("table5.total_tover")
	}
	for _, l := range append(adjusted("table4", taxedLines[:6]),
		adjusted("table5", []string{"zero_rtd", "sez", "rchrg", "exmt", "nil", "non_gst"})...) {
		sum += l.sign * r.value(l.code)
	}
	return sum
}

// audited are the comparisons that GSTR-9C makes itself, by their lines there: the accounts against the annual
// return or, for credit, the other way round.
var audited = []struct{ what, first, second string }{
	{AuditedTurnover, "5P", "5Q"}, {AuditedTax, "9P", "9Q"}, {AuditedCredit, "12E", "12D"},
}

// compareAudited returns a comparison of two lines of GSTR-9C, one line a year. It reports false if no GSTR-9C of
// these years was provided or both lines are zero.
func compareAudited(what, first, second string, returns []Return, from, to string) (Variance, bool) {
	c := Variance{What: what, From: from, To: to, Against: "GSTR-9C", Nets: []Net{}}
	seen := map[string]bool{}
	for _, r := range returns {
		if r.Form != "GSTR-9C" || YearOf(r.Period) < YearOf(from) || YearOf(r.Period) > YearOf(to) || seen[r.Period] {
			continue
		}
		seen[r.Period] = true
		a, b := r.Table(first), r.Table(second)
		if a.IsZero() && b.IsZero() {
			continue
		}
		by := map[Class]Tax{NotInFiles: a.Minus(b)}
		if crossed(a.Minus(b)) {
			by = map[Class]Tax{WrongHead: a.Minus(b)}
		}
		c.Months = append(c.Months, Month{Period: YearOf(r.Period), First: a, Second: b, Shares: inOrder(by)})
	}
	return c, len(c.Months) > 0
}

// compare compares GSTR-9 with the twelve GSTR-3B of each year for which all were provided. Each year is one line,
// since neither return shows the month of a difference. It reports false if no year can be compared or GSTR-9 lacks
// the table.
func (y yearly) compare(returns []Return, from, to string) (Variance, bool) {
	c := Variance{What: y.what, From: from, To: to, Against: y.second, Nets: []Net{}}
	monthly, annual := map[string]Return{}, map[string]Return{}
	for _, r := range returns {
		switch r.Form {
		case "GSTR-3B":
			if _, known := monthly[r.Period]; !known {
				monthly[r.Period] = r
			}
		case "GSTR-9":
			annual[YearOf(r.Period)] = r
		}
	}
	years := map[string]bool{}
	for _, period := range Months(from, to) {
		years[YearOf(period)] = true
	}
	for _, year := range slices.Sorted(maps.Keys(years)) {
		nine, ok := annual[year]
		if !ok || y.annual(nine).IsZero() {
			continue
		}
		var sum Tax
		var missing []string
		for _, period := range Months(year[:4]+"-04", nextYear(year)+"-03") {
			r, filed := monthly[period]
			if !filed {
				missing = append(missing, period)
			}
			sum = sum.Plus(y.monthly(r))
		}
		if len(missing) == 12 {
			continue
		}
		if len(missing) > 0 {
			c.Missing = append(c.Missing, missing...)
			continue
		}
		first, second := y.annual(nine), sum
		if y.first == "GSTR-3B" {
			first, second = second, first
		}
		by := map[Class]Tax{}
		rest := first.Minus(second)
		if y.other != nil {
			by[OtherTable] = Tax{}.Minus(y.other(nine))
			rest = rest.Minus(by[OtherTable])
		}
		if crossed(rest) {
			by[WrongHead] = rest
		} else {
			by[NotInFiles] = rest
		}
		c.Months = append(c.Months, Month{Period: year, First: first, Second: second, Shares: inOrder(by)})
	}
	return c, len(c.Months)+len(c.Missing) > 0
}

func nextYear(year string) string { return year[:2] + cmp.Or(year[5:], "00") }
