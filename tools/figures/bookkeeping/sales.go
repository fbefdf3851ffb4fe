package bookkeeping

import (
	"fmt"
	"time"
)

// sale is a supply by the business, as each paper has it. A class is "" if the paper does not have the document.
type sale struct {
	customer, name string
	number         string
	date           time.Time
	declared       time.Time // the month of the GSTR-1 that has it
	lines          []line
	note           bool // a credit note
	export         bool
	consumer       bool // without a GSTIN

	register, ewayBill, eInvoice string // the class when compared with GSTR-1
	inGSTR1                      string
	cancelledEway, cancelledIRN  bool
	other                        []line // the lines in the register, the e-way bill or the e-invoice, if they differ
}

// sell makes a year of sales.
func (m *maker) sell() {
	var customers []*supplier
	for i := range max(6, m.b.Sales/40) {
		customers = append(customers, m.newSupplier(i))
	}
	serial := 0
	for range m.b.Sales {
		c := customers[m.IntN(len(customers))]
		month := m.IntN(12)
		serial++
		s := sale{
			customer: c.gstin,
			name:     c.name,
			number:   fmt.Sprintf("MB/%02d-%02d/%04d", m.b.Year%100, (m.b.Year+1)%100, serial),
			date:     m.day(month),
			lines:    m.lines(c),
		}
		s.declared, s.inGSTR1 = monthOf(s.date), "matched"
		s.register, s.eInvoice = "matched", "matched"
		if taxable, _ := total(s.lines); taxable >= 50_000_00 {
			s.ewayBill = "matched"
		}
		switch roll := m.IntN(100); {
		case roll < 6: // in the next month's return
			if month < 11 {
				s.declared = s.declared.AddDate(0, 1, 0)
				s.register, s.eInvoice = "other_month", "other_month"
				if s.ewayBill != "" {
					s.ewayBill = "other_month"
				}
			}
		case roll < 9: // missing in GSTR-1
			s.inGSTR1, s.register, s.eInvoice = "", "only_books", "only_books"
			if s.ewayBill != "" {
				s.ewayBill = "only_books"
			}
		case roll < 12: // declared with another amount
			s.other = scaled(s.lines, 11, 10)
			s.register, s.eInvoice = "amount_differs", "amount_differs"
			if s.ewayBill != "" {
				s.ewayBill = "amount_differs"
			}
		case roll < 15: // declared, but in no other paper
			s.register, s.eInvoice, s.ewayBill = "", "", ""
		case roll < 20:
			s.note = true
			s.lines = negative(scaled(s.lines, 1, 10))
			s.ewayBill, s.eInvoice = "", ""
			s.number = "CR" + s.number
		case roll < 24:
			s.consumer, s.customer = true, ""
			s.eInvoice, s.register, s.ewayBill = "", "-", "" // GSTR-1 has only totals of these
		case roll < 27 && s.ewayBill != "":
			s.cancelledEway, s.ewayBill = true, ""
		case roll < 29:
			s.cancelledIRN, s.eInvoice = true, ""
		}
		if c.inter && s.customer != "" && m.IntN(30) == 0 {
			s.export, s.customer = true, ""
			s.eInvoice = ""
		}
		m.b.sales = append(m.b.sales, s)
		m.markSale(s)
	}
}

func (m *maker) markSale(s sale) {
	_, elsewhere := total(s.lines)
	if s.other != nil {
		_, elsewhere = total(s.other)
	}
	mark := func(side, class string, tax int64) {
		if class != "" && class != "-" {
			m.b.Marks = append(m.b.Marks, Mark{side, s.number, tax, class})
		}
	}
	mark("register", s.register, elsewhere.sum())
	mark("e-way bills", s.ewayBill, elsewhere.sum())
	mark("e-invoices", s.eInvoice, elsewhere.sum())
}
