// Package figures answers allegations that are arithmetic. It takes what the portal and the books contain as records,
// returns and ledgers, matches them by invoice, month and head of tax, and says which part of a difference is timing,
// which is under another head or table, and which remains unexplained. It consists of pure functions on the facts of
// package gst: no clock, no file, no network. The same input always gives the same output. Money is integer paise.
//
// Package read reads records from files; package workbook writes the result as a spreadsheet with live formulas.
package figures

import (
	"fmt"
	"strconv"
	"time"
)

// Tax is an amount in paise under each head: IGST, CGST, SGST, cess. Credit notes are negative.
type Tax [4]int64

// The indexes of the heads in a Tax, named by gst.HeadNames. SGST includes UTGST, as in the returns.
const (
	IGST = iota
	CGST
	SGST
	Cess
)

// Plus adds head by head.
func (t Tax) Plus(u Tax) Tax {
	for i := range t {
		t[i] += u[i]
	}
	return t
}

// Minus subtracts head by head.
func (t Tax) Minus(u Tax) Tax {
	for i := range t {
		t[i] -= u[i]
	}
	return t
}

// Sum returns the sum of the heads.
func (t Tax) Sum() int64 { return t[IGST] + t[CGST] + t[SGST] + t[Cess] }

// IsZero reports whether no head has an amount.
func (t Tax) IsZero() bool { return t == Tax{} }

// Source is the return or register that a record comes from.
type Source string

// The sources of records.
const (
	Purchases Source = "purchases" // the purchase register of the books
	Sales     Source = "sales"     // the sales register of the books
	GSTR1     Source = "GSTR-1"    // including GSTR-1A, which amends it
	GSTR2A    Source = "GSTR-2A"
	GSTR2B    Source = "GSTR-2B"
	GSTR7     Source = "GSTR-7" // tax deducted at source, as reported by the deductor
	GSTR8     Source = "GSTR-8" // tax collected at source, as reported by the e-commerce operator
	EWayBills Source = "e-way bills"
	EInvoices Source = "e-invoices"
	IMS       Source = "IMS" // what the taxpayer decided in the Invoice Management System, from October 2024
)

// Kind is the kind of document that a record is.
type Kind string

// The kinds of records.
const (
	Invoice       Kind = "invoice"
	DebitNote     Kind = "debit_note"
	CreditNote    Kind = "credit_note" // amounts are negative
	Import        Kind = "import"      // a bill of entry
	ISD           Kind = "isd"         // credit passed on by an input service distributor
	ISDCreditNote Kind = "isd_credit_note"
	Consumers     Kind = "consumers" // a line of GSTR-1 that sums up supplies to unregistered persons, exports or advances
	Withheld      Kind = "withheld"  // what one deductor or operator reported for one month
)

// Status is what the file says about the supplier.
type Status string

// The statuses of a supplier.
const (
	NotFiled  Status = "not_filed" // the supplier's return for the period was not filed
	Cancelled Status = "cancelled" // the supplier's registration was cancelled on or before the date of the document
	Rejected  Status = "rejected"  // rejected in the Invoice Management System
	Pending   Status = "pending"   // left pending there
)

// Record is one document as stated in one file.
type Record struct {
	Source Source `json:"source"`
	Kind   Kind   `json:"kind"`
	GSTIN  string `json:"gstin,omitempty"` // of the other party; "" for bills of entry and consumers
	Name   string `json:"name,omitempty"`
	Number string `json:"number"`
	Date   string `json:"date"` // ISO 8601; "" if the file has none
	// Voucher is the number of the entry in the books, which distinguishes documents with the same number.
	Voucher string `json:"voucher,omitempty"`
	Period  string `json:"period"` // "2023-04": the month of the return, or of the entry in the books
	Filed   string `json:"filed,omitempty"`

	Status     Status `json:"status,omitempty"`
	Ineligible string `json:"ineligible,omitempty"` // why no credit is available, as the file marks it; "" if credit is available
	Reverse    bool   `json:"reverse,omitempty"`    // the recipient pays the tax

	// The number and date of the document that this one amends; "" if it amends none.
	Amends     string `json:"amends,omitempty"`
	AmendsDate string `json:"amends_date,omitempty"`

	Taxable int64 `json:"taxable"` // paise
	Tax     Tax   `json:"tax"`

	// Alike is how often the lines that were added up here repeat themselves, amount by amount: a bill with equal
	// items, or one that was booked that many times. 0 if they do not.
	Alike int `json:"alike,omitempty"`

	File int `json:"file"` // the index of the file among those provided, from 0
	Row  int `json:"row"`  // the line in the file, from 1; in JSON the number of the document
}

// Return is the content of one return, table by table.
type Return struct {
	Form   string       `json:"form"` // "GSTR-3B", "GSTR-9", "GSTR-9C"
	GSTIN  string       `json:"gstin"`
	Period string       `json:"period"` // "2023-04"; for an annual return the last month of the year
	Filed  string       `json:"filed,omitempty"`
	Tables []ReturnLine `json:"tables"`
}

// ReturnLine is one line of a return: "4A5" of GSTR-3B is "all other ITC".
type ReturnLine struct {
	Code    string `json:"code"`
	Taxable int64  `json:"taxable,omitempty"`
	Tax     Tax    `json:"tax"`
}

// Table returns the tax of a table, the sum of its lines.
func (r Return) Table(code string) Tax {
	var sum Tax
	for _, t := range r.Tables {
		if t.Code == code {
			sum = sum.Plus(t.Tax)
		}
	}
	return sum
}

// Ledger is an electronic ledger of the portal.
type Ledger struct {
	Kind      string     `json:"kind"` // "credit", "cash" or "liability"
	GSTIN     string     `json:"gstin"`
	TaxAlone  bool       `json:"tax_alone,omitempty"` // the amounts are tax only, without interest, penalty and fee
	Opening   Tax        `json:"opening"`
	Movements []Movement `json:"movements"`
}

// Movement is one entry of a ledger; debits are negative.
type Movement struct {
	Date        string `json:"date"`
	Reference   string `json:"reference,omitempty"`
	Description string `json:"description,omitempty"`
	Period      string `json:"period,omitempty"`
	Tax         Tax    `json:"tax"`
	Balance     *Tax   `json:"balance,omitempty"` // after the movement, as printed; nil if the file has none
}

// File is what was read from one file, and what was left out.
type File struct {
	Name    string            `json:"name"`
	Format  string            `json:"format"` // such as "GSTR-2B JSON" or "purchase register"
	GSTIN   string            `json:"gstin,omitempty"`
	Rows    int               `json:"rows"`              // number of documents, entries and tables
	From    string            `json:"from,omitempty"`    // its first month, "2023-04"; "" if it has no dates
	To      string            `json:"to,omitempty"`      // its last month
	Columns map[string]string `json:"columns,omitempty"` // the headings used, by what the columns contain, such as "gstin"
	Table   *RegisterColumns  `json:"table,omitempty"`   // the columns of a register, which a person may reassign
	LeftOut []LeftOut         `json:"left_out,omitempty"`
	Doubts  []LeftOut         `json:"doubts,omitempty"` // rows that were read although something is wrong in them
	Notes   []string          `json:"notes,omitempty"`  // codes, such as "macros"

	Records []Record `json:"-"`
	Returns []Return `json:"-"`
	Ledgers []Ledger `json:"-"`
}

// Months returns the first and last month of what a file has; "" if that has no dates. An annual return is of its
// twelve months.
func (f *File) Months() (first, last string) {
	see := func(period string) {
		if len(period) < 7 {
			return
		}
		period = period[:7]
		if first == "" || period < first {
			first = period
		}
		last = max(last, period)
	}
	for i := range f.Records {
		see(f.Records[i].Period)
	}
	for _, r := range f.Returns {
		see(r.Period)
		if year := YearOf(r.Period); r.Form != "GSTR-3B" && year != "" {
			see(year[:4] + "-04")
		}
	}
	for _, l := range f.Ledgers {
		for _, m := range l.Movements {
			see(m.Date)
		}
	}
	return first, last
}

// RegisterColumns are the columns of a register and what each was read as.
type RegisterColumns struct {
	Shape    string           `json:"shape"` // identifies the headings: files with the same headings have the same shape
	Headings []Heading        `json:"headings"`
	Taken    map[string][]int `json:"taken"`            // by content, the indexes of the columns, from 0; several are added up
	Chosen   bool             `json:"chosen,omitempty"` // a person chose them
}

// Heading is the heading of one column, with the first value below it.
type Heading struct {
	Name   string `json:"name"`
	Sample string `json:"sample,omitempty"`
}

// LeftOut is a row that was not read, and the reason as a code.
type LeftOut struct {
	Sheet string `json:"sheet,omitempty"`
	Row   int    `json:"row"`
	Why   string `json:"why"` // "total", "no_number", "no_date", "no_amount", "bad_gstin", "cancelled", "inward", "not_a_supply"
}

// YearOf returns the financial year of a month or day: "2023-24" for "2023-04".
func YearOf(period string) string {
	if len(period) < 7 {
		return ""
	}
	year, err := strconv.Atoi(period[:4])
	if err != nil {
		return ""
	}
	if period[5:7] < "04" {
		year--
	}
	return fmt.Sprintf("%d-%02d", year, (year+1)%100)
}

// DueDate returns the due date of a monthly GSTR-3B, the 20th of the following month, without extensions.
func DueDate(period string) string {
	month, err := time.Parse("2006-01", period)
	if err != nil {
		return ""
	}
	return month.AddDate(0, 1, 19).Format(time.DateOnly)
}
