package figures

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// The comparisons.
const (
	CreditClaimed = "credit_claimed" // table 4(A)(5) of GSTR-3B, against GSTR-2A or 2B
	TaxDeclared   = "tax_declared"   // GSTR-1, against table 3.1(a) and (b) of GSTR-3B

	SalesDeclared    = "sales_declared"    // the sales register, against GSTR-1
	SalesInvoiced    = "sales_invoiced"    // the sales register, against e-invoices
	InvoicesDeclared = "invoices_declared" // e-invoices, against GSTR-1
	MovedDeclared    = "moved_declared"    // e-way bills, against GSTR-1

	TDSTurnover = "tds_turnover" // payments reported in GSTR-7, against the turnover declared
	TCSTurnover = "tcs_turnover" // supplies reported in GSTR-8, against the turnover declared

	AnnualTax       = "annual_tax"        // table 4N of GSTR-9, against table 3.1(a), (b) and (d) of GSTR-3B
	AnnualPayable   = "annual_payable"    // table 9 of GSTR-9, against the same
	AnnualTurnover  = "annual_turnover"   // table 5N of GSTR-9, against the value of table 3.1(a), (b), (c) and (e)
	AnnualCredit    = "annual_credit"     // table 4(A) of GSTR-3B, against table 6O of GSTR-9
	AnnualNetCredit = "annual_net_credit" // table 4(A) less 4(B) of GSTR-3B, against table 7J of GSTR-9

	AuditedTurnover = "audited_turnover" // table 5P of GSTR-9C, against 5Q: the turnover of the accounts, and of GSTR-9
	AuditedTax      = "audited_tax"      // table 9P of GSTR-9C, against 9Q
	AuditedCredit   = "audited_credit"   // table 12E of GSTR-9C, against 12D: the credit in GSTR-9, and in the accounts
)

// OfValue reports whether a comparison is about amounts without heads, as the value of supplies: they are kept under
// the first head.
func OfValue(what string) bool {
	switch what {
	case TDSTurnover, TCSTurnover, AnnualTurnover, AuditedTurnover, AuditedCredit:
		return true
	}
	return false
}

// Payable reports whether the unexplained part of a comparison would be paid if it were admitted. For the other
// comparisons no file shows whether the tax was paid: that is in GSTR-3B, which has comparisons of its own.
func Payable(what string) bool { return what == CreditClaimed || what == TaxDeclared }

// Share is the part of a difference that belongs to one class.
type Share struct {
	Class Class `json:"class"`
	Tax   Tax   `json:"tax"`
}

// Month is one month of a comparison, or one year in a comparison with the annual return.
type Month struct {
	Period string  `json:"period"` // "2023-04", or the year "2023-24"
	First  Tax     `json:"first"`  // what may be too high: the credit claimed, or the tax in GSTR-1
	Second Tax     `json:"second"` // what it is compared with: the credit on the portal, or the tax paid with GSTR-3B
	Shares []Share `json:"shares"` // add up to First less Second
}

// Difference returns First less Second.
func (m Month) Difference() Tax { return m.First.Minus(m.Second) }

// Net is an excess of one month that a shortfall of another month cancels.
type Net struct {
	Class Class  `json:"class"`
	From  string `json:"from"` // the month with the excess
	To    string `json:"to"`   // the month whose return has the shortfall
	Tax   Tax    `json:"tax"`
}

// Variance is a return compared with another source, month by month.
type Variance struct {
	What    string   `json:"what"`
	Against Source   `json:"against"`
	From    string   `json:"from"` // the first month, "2023-04"
	To      string   `json:"to"`   // the last one
	Books   bool     `json:"books"`
	Months  []Month  `json:"months"`
	Nets    []Net    `json:"nets"`
	Missing []string `json:"missing,omitempty"` // months without a return: the books are used instead; without books nothing is compared
	// Reversed is credit reversed in table 4(B), which is not set off here.
	Reversed Tax    `json:"reversed,omitzero"`
	Beside   Beside `json:"beside,omitzero"` // documents left out because the other source need not have them
}

// Sums adds up the months.
func (c Variance) Sums() (first, second Tax, shares []Share) {
	by := map[Class]Tax{}
	for _, m := range c.Months {
		first, second = first.Plus(m.First), second.Plus(m.Second)
		for _, s := range m.Shares {
			by[s.Class] = by[s.Class].Plus(s.Tax)
		}
	}
	return first, second, inOrder(by)
}

// inOrder lists shares in the order of Classes, without zero amounts.
func inOrder(by map[Class]Tax) []Share {
	shares := []Share{}
	for _, class := range Classes() {
		if tax := by[class]; !tax.IsZero() {
			shares = append(shares, Share{class, tax})
		}
	}
	return shares
}

// Months returns all months from one to another, at most 120.
func Months(from, to string) []string {
	first, err := time.Parse("2006-01", from)
	var all []string
	for err == nil && first.Format("2006-01") <= to && len(all) < 120 {
		all = append(all, first.Format("2006-01"))
		first = first.AddDate(0, 1, 0)
	}
	return all
}

// The lines of table 4(A) of GSTR-3B.
const (
	imports     = "4A1"
	reverse     = "4A3"
	distributed = "4A4"
	allOther    = "4A5"
)

// tableOf returns the line of table 4(A) to which a record's credit belongs.
func tableOf(r *Record) string {
	switch {
	case r.Kind == Import:
		return imports
	case r.Kind == ISD || r.Kind == ISDCreditNote:
		return distributed
	case r.Reverse:
		return reverse
	}
	return allOther
}

// credit returns the credit that a record gives: none if the file marks it as not available or says that the supplier
// has not filed or is cancelled.
func credit(r *Record) Tax {
	if r.Ineligible != "" || r.Status != "" {
		return Tax{}
	}
	return r.Tax
}

// sheet is the working of one comparison: the amount of each class, by table and month.
type sheet struct {
	periods []string
	shares  map[string]map[string]map[Class]Tax // by table and month
	nets    map[[3]string]Tax
	first   map[string]map[string]Tax // by table and month: from the return
	books   map[string]map[string]Tax
	portal  map[string]map[string]Tax
}

func newSheet(periods []string) *sheet {
	s := &sheet{periods: periods, shares: map[string]map[string]map[Class]Tax{}, nets: map[[3]string]Tax{}}
	s.first, s.books, s.portal = map[string]map[string]Tax{}, map[string]map[string]Tax{}, map[string]map[string]Tax{}
	for _, table := range []string{imports, reverse, distributed, allOther} {
		s.shares[table] = map[string]map[Class]Tax{}
		s.first[table], s.books[table], s.portal[table] = map[string]Tax{}, map[string]Tax{}, map[string]Tax{}
		for _, period := range periods {
			s.shares[table][period] = map[Class]Tax{}
		}
	}
	return s
}

// share adds an amount to a class of a month's difference. Months that are not compared are ignored.
func (s *sheet) share(table, period string, class Class, tax Tax) {
	if by := s.shares[table][period]; by != nil {
		by[class] = by[class].Plus(tax)
	}
}

func (s *sheet) net(class Class, from, to string, tax Tax) {
	k := [3]string{string(class), from, to}
	s.nets[k] = s.nets[k].Plus(tax)
}

// Credit compares table 4(A)(5) of GSTR-3B with the portal from one month to another and divides the difference among
// the classes: by document if the books were provided, else as far as months, tables and heads allow.
func Credit(returns []Return, m Matching, from, to string) Variance {
	c := Variance{What: CreditClaimed, From: from, To: to, Books: len(m.Books) > 0, Against: GSTR2B}
	if len(m.Portal) > 0 {
		c.Against = m.Portal[0].Source
	}
	s := newSheet(Months(from, to))
	filed := map[string]bool{}
	for _, r := range returns {
		if r.Form != "GSTR-3B" || r.Period < from || r.Period > to || filed[r.Period] {
			continue
		}
		filed[r.Period] = true
		for table := range s.first {
			s.first[table][r.Period] = r.Table(table)
		}
		c.Reversed = c.Reversed.Plus(r.Table("4B1")).Plus(r.Table("4B2"))
	}
	for _, period := range s.periods {
		if !filed[period] {
			c.Missing = append(c.Missing, period)
		}
	}
	s.documents(m)
	s.unfiled(filed, c.Books)
	s.returnsBeyond(c.Books)
	c.Months, c.Nets = s.listed(), s.named()
	return c
}

// Posting is one side of an entry and its effect on its month.
type Posting struct {
	Entry  Entry
	Record *Record
	Other  *Record // the other side; nil if there is none
	Table  string  // the line of table 4(A) of GSTR-3B to which the credit belongs
	Booked bool    // Record is from the books
	Credit Tax     // the credit that it gives
}

// Postings returns each side of each entry.
func (m Matching) Postings() []Posting {
	distributors := map[string]bool{}
	for i := range m.Portal {
		if r := &m.Portal[i]; r.Kind == ISD {
			distributors[r.GSTIN] = true
		}
	}
	lines := make([]Posting, 0, len(m.Books)+len(m.Portal))
	for _, e := range m.Entries {
		var book, portal *Record
		table := ""
		if e.Book >= 0 {
			book = &m.Books[e.Book]
			if table = tableOf(book); table == allOther && distributors[book.GSTIN] {
				table = distributed
			}
		}
		if e.Portal >= 0 {
			portal = &m.Portal[e.Portal]
			table = tableOf(portal) // the portal's table is more reliable
		}
		if book != nil {
			lines = append(lines, Posting{Entry: e, Record: book, Other: portal, Table: table, Booked: true,
				Credit: credit(book)})
		}
		if portal != nil {
			line := Posting{Entry: e, Record: portal, Other: book, Table: table}
			if e.Class != Replaced {
				line.Credit = credit(portal)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// documents divides books less portal among the classes, by the entries of a matching.
func (s *sheet) documents(m Matching) {
	for _, l := range m.Postings() {
		period := l.Record.Period
		if !l.Booked {
			s.portal[l.Table][period] = s.portal[l.Table][period].Plus(l.Credit)
			s.share(l.Table, period, l.Entry.Class, Tax{}.Minus(l.Credit))
			continue
		}
		s.books[l.Table][period] = s.books[l.Table][period].Plus(l.Credit)
		s.share(l.Table, period, l.Entry.Class, l.Credit)
		if class := l.Entry.Class; l.Table == allOther && l.Other != nil && l.Other.Period != period &&
			(class == OtherMonth || class == AcrossYear) &&
			(s.shares[allOther][period] != nil || s.shares[allOther][l.Other.Period] != nil) {
			s.net(class, period, l.Other.Period, l.Credit)
		}
	}
}

// unfiled handles months without a return: the books are used instead; without books nothing is compared.
func (s *sheet) unfiled(filed map[string]bool, haveBooks bool) {
	for table := range s.first {
		for _, period := range s.periods {
			switch {
			case filed[period]:
			case haveBooks:
				s.first[table][period] = s.books[table][period]
			default:
				delete(s.first[table], period)
				delete(s.portal[table], period)
			}
		}
	}
}

// returnsBeyond divides the return less the books (without books, less the portal) among the classes: in another
// table, under another head, in another month, or without a reason that the files show.
func (s *sheet) returnsBeyond(haveBooks bool) {
	base, class := s.portal, NotInFiles
	if haveBooks {
		base, class = s.books, BeyondBooks
	}
	rest := map[string]Tax{}
	for _, period := range s.periods {
		left := s.first[allOther][period].Minus(base[allOther][period])
		if !haveBooks {
			// Without books the whole difference is divided below, so the portal's own shares are dropped.
			for class := range s.shares[allOther][period] {
				delete(s.shares[allOther][period], class)
			}
		}
		for _, table := range []string{imports, reverse, distributed} {
			other := s.first[table][period].Minus(base[table][period])
			for head := range left {
				moved := opposite(left[head], other[head])
				left[head] -= moved
				s.share(allOther, period, OtherTable, only(head, moved))
			}
		}
		if crossed(left) {
			s.share(allOther, period, WrongHead, left)
			left = Tax{}
		}
		rest[period] = left
	}
	s.closeLater(rest, class)
}

// opposite returns the part of a that b, having the opposite sign, cancels. It has the sign of a.
func opposite(a, b int64) int64 {
	switch {
	case a > 0 && b < 0:
		return min(a, -b)
	case a < 0 && b > 0:
		return -min(-a, b)
	}
	return 0
}

func only(head int, paise int64) Tax {
	var t Tax
	t[head] = paise
	return t
}

// crossed reports whether a difference is one amount that is under IGST on one side and, half each, under CGST and
// SGST on the other, with a tolerance of ₹2.
func crossed(t Tax) bool {
	return abs(t[IGST]) > 200 && t[Cess] == 0 && abs(t.Sum()) <= 200 && abs(t[CGST]-t[SGST]) <= 200
}

// closeLater nets the excess of one month against the shortfall of another: the nearest later month, else the nearest
// earlier one. The rest gets the given class.
func (s *sheet) closeLater(rest map[string]Tax, class Class) {
	for head := range len(Tax{}) {
		for i, period := range s.periods {
			order := append(slices.Clone(s.periods[i+1:]), reversed(s.periods[:i])...)
			for _, other := range order {
				have, against := rest[period], rest[other]
				if have[head] <= 0 {
					break
				}
				moved := opposite(have[head], against[head])
				if moved == 0 {
					continue
				}
				have[head] -= moved
				against[head] += moved
				rest[period], rest[other] = have, against
				by := OtherMonth
				if YearOf(period) != YearOf(other) {
					by = AcrossYear
				}
				s.share(allOther, period, by, only(head, moved))
				s.share(allOther, other, by, only(head, -moved))
				s.net(by, period, other, only(head, moved))
			}
		}
	}
	for _, period := range s.periods {
		s.share(allOther, period, class, rest[period])
	}
}

func reversed(all []string) []string {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

// named lists the months that cancel each other.
func (s *sheet) named() []Net {
	nets := []Net{}
	for _, k := range slices.SortedFunc(maps.Keys(s.nets), func(a, b [3]string) int {
		return cmp.Or(cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]), cmp.Compare(a[0], b[0]))
	}) {
		if tax := s.nets[k]; !tax.IsZero() {
			nets = append(nets, Net{Class: Class(k[0]), From: k[1], To: k[2], Tax: tax})
		}
	}
	return nets
}

// Declared compares the tax declared in GSTR-1 with the tax paid in tables 3.1(a) and (b) of GSTR-3B. A record that
// amends another counts with the change it makes.
func Declared(returns []Return, sales []Record, from, to string) Variance {
	c := Variance{What: TaxDeclared, From: from, To: to, Against: "GSTR-3B"}
	s := newSheet(Months(from, to))
	filed := map[string]bool{}
	for _, r := range returns {
		if r.Form == "GSTR-3B" && r.Period >= from && r.Period <= to && !filed[r.Period] {
			filed[r.Period] = true
			s.portal[allOther][r.Period] = r.Table("3.1a").Plus(r.Table("3.1b"))
		}
	}
	m := &matcher{portal: sides(sales)}
	amends := m.amended(sales)
	for i := range sales {
		r := &sales[i]
		if r.Reverse {
			continue // the customer pays the tax
		}
		tax := r.Tax
		if j, ok := amends[i]; ok {
			tax = tax.Minus(sales[j].Tax)
		}
		s.first[allOther][r.Period] = s.first[allOther][r.Period].Plus(tax)
	}
	for _, period := range s.periods {
		if !filed[period] {
			c.Missing = append(c.Missing, period)
		}
	}
	s.unfiled(filed, false)
	s.returnsBeyond(false)
	c.Months, c.Nets = s.listed(), s.named()
	return c
}
