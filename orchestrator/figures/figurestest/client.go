// Package figurestest makes fictional clients: a purchase register, the portal's data on the same purchases, and the
// returns, with a known number of differences of every class. It does not know how records are matched.
package figurestest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"munshi/orchestrator/figures"
)

// Design describes the client to make.
type Design struct {
	Seed      uint64
	Invoices  int            // approximate number, on each side
	Portal    figures.Source // GSTR2A or GSTR2B
	FirstYear int            // 2023 for the financial year 2023-24
}

// Business is a fictional taxpayer with one financial year of purchases.
type Business struct {
	GSTIN         string
	Year          string // "2023-24"
	Books, Portal []figures.Record
	// The class that was planted in each record of Books and Portal.
	BookClasses, PortalClasses []figures.Class
	Returns                    []figures.Return // GSTR-3B, one for each month
	// Planted is the amount by which each class raises table 4(A)(5) of GSTR-3B above the portal, over the year.
	Planted map[figures.Class]figures.Tax
}

const base36 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// GSTIN returns a GSTIN with its check digit for a State code and a PAN.
func GSTIN(state, pan string) string {
	number := state + pan + "1Z"
	sum := 0
	for i := range number {
		value := strings.IndexByte(base36, number[i]) * (1 + i%2)
		sum += value/36 + value%36
	}
	return number + string(base36[(36-sum%36)%36])
}

type supplier struct {
	gstin, name, prefix string
	inter               bool
	next                int
	fee                 int64 // the amount of each bill of a supplier with a monthly fee; else 0
}

type maker struct {
	random    *rand.Rand
	plan      Design
	client    *Business
	suppliers []*supplier
	isd       *supplier
}

// New returns a client. The same design gives the same client.
func New(plan Design) Business {
	c := Business{GSTIN: GSTIN("27", "AAKCF4821M"), Planted: map[figures.Class]figures.Tax{}}
	c.Year = figures.YearOf(fmt.Sprintf("%d-04", plan.FirstYear))
	m := &maker{random: rand.New(rand.NewPCG(plan.Seed, 26)), plan: plan, client: &c}
	for i := range max(5, plan.Invoices/40) {
		m.suppliers = append(m.suppliers, m.supplier(i))
	}
	m.isd = m.supplier(99_999)
	var deck []figures.Class
	for class, share := range m.shares() {
		if share == 0 {
			continue
		}
		for range max(3, share*plan.Invoices/1000) {
			deck = append(deck, figures.Classes()[class])
		}
	}
	m.random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for _, class := range deck {
		m.plant(class)
	}
	m.shuffle()
	m.returns()
	return c
}

// shares returns the share of each class per thousand, in the order of figures.Classes.
func (m *maker) shares() []int {
	//            matched, other month, across year, parts, head, table, amount, books, portal, twice, open, gone, blocked, replaced
	shares := []int{700, 60, 20, 0, 15, 0, 50, 50, 40, 10, 0, 0, 20, 15}
	if m.plan.Portal == figures.GSTR2A {
		shares[10], shares[11] = 12, 8
	}
	return shares
}

func (m *maker) supplier(i int) *supplier {
	letters := func(n int) string {
		b := make([]byte, n)
		for j := range b {
			b[j] = byte('A' + m.random.IntN(26))
		}
		return string(b)
	}
	pan := letters(3) + "C" + letters(1) + fmt.Sprintf("%04d", m.random.IntN(10000)) + letters(1)
	inter := i%3 == 0
	state := "27"
	if inter {
		state = []string{"24", "29", "07", "33"}[m.random.IntN(4)]
	}
	fee := int64(0)
	if i%10 == 0 {
		fee = 50_000_00
	}
	styles := []string{"", "INV/", "GST-", letters(2) + "/23-24/", "T", "S/" + letters(1) + "-"}
	return &supplier{gstin: GSTIN(state, pan), name: fmt.Sprintf("Fictional Supplier %d Pvt Ltd", i+1),
		prefix: styles[m.random.IntN(len(styles))], inter: inter, next: 1 + m.random.IntN(400), fee: fee}
}

// period returns the month that comes the given number of months after April of the year.
func (m *maker) period(after int) string {
	return time.Date(m.plan.FirstYear, time.April, 1, 0, 0, 0, 0, time.UTC).AddDate(0, after, 0).Format("2006-01")
}

// record returns a purchase of a month, as the supplier reports it.
func (m *maker) record(month int) figures.Record {
	s := m.suppliers[m.random.IntN(len(m.suppliers))]
	s.next += 1 + m.random.IntN(3)
	r := figures.Record{
		Source: m.plan.Portal,
		Kind:   figures.Invoice,
		GSTIN:  s.gstin,
		Name:   s.name,
		Number: fmt.Sprintf("%s%04d", s.prefix, s.next),
	}
	r.Period = m.period(month)
	r.Date = r.Period + fmt.Sprintf("-%02d", 1+m.random.IntN(28))
	r.Taxable = int64(1_000_00 + m.random.IntN(2_00_000_00))
	if s.fee != 0 {
		r.Taxable = s.fee
	}
	rate := []int64{5, 12, 18, 18, 18, 28}[m.random.IntN(6)]
	tax := (r.Taxable*rate + 50) / 100
	switch roll := m.random.IntN(100); {
	case roll < 2:
		r.Kind, r.GSTIN, r.Name = figures.Import, "", ""
		r.Number = fmt.Sprint(3_000_000 + m.random.IntN(6_000_000))
		r.Tax[figures.IGST] = tax
		return r
	case roll < 3:
		m.isd.next++
		r.Kind, r.GSTIN, r.Name, r.Number = figures.ISD, m.isd.gstin, m.isd.name, fmt.Sprintf("ISD/%d", m.isd.next)
	case roll < 8:
		r.Kind, r.Number = figures.CreditNote, "CN"+r.Number
		r.Taxable, tax = -r.Taxable/10, -(tax / 10)
	case roll < 10:
		r.Kind, r.Number = figures.DebitNote, "DN"+r.Number
	case roll < 11:
		r.Reverse = true
	}
	if s.inter {
		r.Tax[figures.IGST] = tax
	} else {
		r.Tax[figures.CGST], r.Tax[figures.SGST] = tax/2, tax/2
	}
	return r
}

// typed returns a document as a bookkeeper enters it: the number spelled differently, sometimes another day, amounts
// rounded.
func (m *maker) typed(r figures.Record) figures.Record {
	r.Source = figures.Purchases
	if r.Kind == figures.ISD {
		r.Kind = figures.Invoice // books rarely have this kind
	}
	if r.GSTIN != "" && m.random.IntN(100) == 0 { // mistyped
		at := 2 + m.random.IntN(3)
		r.GSTIN = r.GSTIN[:at] + string(byte('A'+m.random.IntN(26))) + r.GSTIN[at+1:]
	}
	switch m.random.IntN(12) {
	case 0:
		r.Number = strings.ToLower(r.Number) + " "
	case 1:
		r.Number = strings.NewReplacer("/", "-", "-", "/").Replace(r.Number)
	case 2:
		r.Number = strings.NewReplacer("/0", "/", "-0", "-", "T0", "T").Replace(r.Number)
	case 3:
		r.Number = strings.TrimLeft(r.Number[strings.LastIndexAny(r.Number, "/-TN")+1:], "0") // only the last part
	case 4:
		if day := r.Date[8:]; day < "27" {
			r.Date = r.Date[:8] + fmt.Sprintf("%02d", 1+m.random.IntN(28))
		}
	case 5:
		for head := range r.Tax {
			if r.Tax[head] != 0 {
				r.Tax[head] += int64(m.random.IntN(99) - 49) // rounded by the software
			}
		}
	}
	return r
}

func (m *maker) book(r figures.Record, class figures.Class) {
	m.client.Books = append(m.client.Books, r)
	m.client.BookClasses = append(m.client.BookClasses, class)
}

func (m *maker) portal(r figures.Record, class figures.Class) {
	m.client.Portal = append(m.client.Portal, r)
	m.client.PortalClasses = append(m.client.PortalClasses, class)
}

func (m *maker) plant(class figures.Class) {
	month := m.random.IntN(12)
	switch class {
	case figures.OtherMonth:
		month = m.random.IntN(10)
	case figures.AcrossYear:
		month = 11
	case figures.Replaced, figures.BookedTwice:
		month = m.random.IntN(11)
	}
	r := m.record(month)
	switch class {
	case figures.WrongHead:
		for r.Kind == figures.Import {
			r = m.record(month)
		}
	case figures.AmountDiffers, figures.BookedTwice, figures.SupplierGone, figures.SupplierOpen, figures.NotAvailable,
		figures.Replaced:
		for r.Kind != figures.Invoice {
			r = m.record(month)
		}
	}
	booked := m.typed(r)
	switch class {
	case figures.Matched:
		m.both(booked, r, class)
	case figures.OtherMonth:
		r.Period = m.period(month + 1 + m.random.IntN(2))
		m.both(booked, r, class)
	case figures.AcrossYear:
		r.Period = m.period(month + 1 + m.random.IntN(3))
		m.both(booked, r, class)
	case figures.WrongHead:
		sum := r.Tax.Sum() / 2 * 2
		r.Tax, booked.Tax = figures.Tax{sum}, figures.Tax{0, sum / 2, sum / 2}
		if m.random.IntN(2) == 0 {
			r.Tax, booked.Tax = booked.Tax, r.Tax
		}
		m.both(booked, r, class)
	case figures.AmountDiffers:
		for head := range r.Tax {
			r.Tax[head] = r.Tax[head] * int64(40+m.random.IntN(50)) / 100
		}
		m.both(booked, r, class)
	case figures.OnlyBooks:
		m.book(booked, class)
	case figures.OnlyPortal:
		m.portal(r, class)
	case figures.BookedTwice:
		m.both(booked, r, figures.Matched)
		again := m.typed(r)
		again.Period = m.period(month + 1)
		m.book(again, class)
	case figures.SupplierOpen:
		r.Status = figures.NotFiled
		m.both(booked, r, class)
	case figures.SupplierGone:
		r.Status = figures.Cancelled
		m.both(booked, r, class)
	case figures.NotAvailable:
		r.Ineligible = "POS and supplier state are same but recipient state is different"
		m.both(booked, r, class)
	case figures.Replaced:
		first := r
		first.Tax[figures.IGST], first.Tax[figures.CGST], first.Tax[figures.SGST] = r.Tax[0]*2, r.Tax[1]*2, r.Tax[2]*2
		first.Number += "A"
		m.portal(first, class)
		r.Period, r.Amends, r.AmendsDate = m.period(month+1), first.Number, first.Date
		m.both(booked, r, figures.OtherMonth)
	}
}

func (m *maker) both(booked, reported figures.Record, class figures.Class) {
	m.book(booked, class)
	m.portal(reported, class)
}

func (m *maker) shuffle() {
	c := m.client
	m.random.Shuffle(len(c.Books), func(i, j int) {
		c.Books[i], c.Books[j] = c.Books[j], c.Books[i]
		c.BookClasses[i], c.BookClasses[j] = c.BookClasses[j], c.BookClasses[i]
	})
	m.random.Shuffle(len(c.Portal), func(i, j int) {
		c.Portal[i], c.Portal[j] = c.Portal[j], c.Portal[i]
		c.PortalClasses[i], c.PortalClasses[j] = c.PortalClasses[j], c.PortalClasses[i]
	})
	for i := range c.Books {
		c.Books[i].Row = i + 2
	}
	for i := range c.Portal {
		c.Portal[i].File, c.Portal[i].Row = 1, i+1
	}
}

// tableOf returns the line of GSTR-3B to which a record's credit belongs.
func tableOf(r figures.Record) string {
	switch {
	case r.Kind == figures.Import:
		return "4A1"
	case r.Reverse:
		return "4A3"
	}
	return "4A5"
}

// The mistakes planted in the returns.
const (
	beyondBooks = 12_345_67 // paise of IGST claimed in June without a document
	importMonth = 5         // September, in which the credit on imports is claimed as all other credit
)

// returns makes the GSTR-3B returns from the books, with two deliberate mistakes, and adds up the effect of each
// class on table 4(A)(5).
func (m *maker) returns() {
	c := m.client
	isd := map[string]bool{m.isd.gstin: true}
	table := func(r figures.Record) string {
		if isd[r.GSTIN] {
			return "4A4"
		}
		return tableOf(r)
	}
	for month := range 12 {
		period := m.period(month)
		sums := map[string]figures.Tax{}
		for _, r := range c.Books {
			if r.Period == period {
				sums[table(r)] = sums[table(r)].Plus(r.Tax)
			}
		}
		switch month {
		case 2:
			sums["4A5"] = sums["4A5"].Plus(figures.Tax{beyondBooks})
			c.Planted[figures.BeyondBooks] = figures.Tax{beyondBooks}
		case importMonth:
			c.Planted[figures.OtherTable] = sums["4A1"]
			sums["4A5"], sums["4A1"] = sums["4A5"].Plus(sums["4A1"]), figures.Tax{}
		}
		filed := figures.Return{Form: "GSTR-3B", GSTIN: c.GSTIN, Period: period}
		for _, code := range []string{"4A1", "4A3", "4A4", "4A5"} {
			filed.Tables = append(filed.Tables, figures.ReturnLine{Code: code, Tax: sums[code]})
		}
		c.Returns = append(c.Returns, filed)
	}
	end := m.period(11)
	for i, r := range c.Books {
		if table(r) == "4A5" {
			c.Planted[c.BookClasses[i]] = c.Planted[c.BookClasses[i]].Plus(r.Tax)
		}
	}
	for i, r := range c.Portal {
		counts := r.Ineligible == "" && r.Status == "" && c.PortalClasses[i] != figures.Replaced
		if table(r) == "4A5" && counts && r.Period <= end {
			c.Planted[c.PortalClasses[i]] = c.Planted[c.PortalClasses[i]].Minus(r.Tax)
		}
	}
}
