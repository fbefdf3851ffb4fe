// Package figures answers an allegation that is arithmetic. It takes what the portal and the books say as records,
// returns and ledgers, matches them by invoice, month and head of tax, and says which part of a difference is timing,
// which is under another head or table, and which remains. It is pure functions over the standard library and the
// facts of package gst: no clock, no file, no network. The same input gives the same bytes. Money is integer paise.
//
// Package read makes records from files; package workbook writes what is found as a spreadsheet with live formulas.
package figures

import (
	"fmt"
	"strconv"
	"time"
)

// Tax is an amount in paise under each head, in the order of Heads. Credit notes are negative.
type Tax [4]int64

// The places of the heads in a Tax. SGST stands for UTGST too, as in the returns.
const (
	IGST = iota
	CGST
	SGST
	Cess
)

// Heads are the names of the heads of tax.
var heads = [4]string{"IGST", "CGST", "SGST", "CESS"}

// HeadName returns the name of a head.
func HeadName(head int) string { return heads[head] }

// Plus adds, head by head.
func (t Tax) Plus(u Tax) Tax {
	for i := range t {
		t[i] += u[i]
	}
	return t
}

// Minus subtracts, head by head.
func (t Tax) Minus(u Tax) Tax {
	for i := range t {
		t[i] -= u[i]
	}
	return t
}

// Sum adds up the heads.
func (t Tax) Sum() int64 { return t[IGST] + t[CGST] + t[SGST] + t[Cess] }

// IsZero reports whether no head has an amount.
func (t Tax) IsZero() bool { return t == Tax{} }

// Source is what a record stands in.
type Source string

// The sources of records.
const (
	Purchases Source = "purchases" // the purchase register of the books
	Sales     Source = "sales"     // the sales register of the books
	GSTR1     Source = "GSTR-1"    // with GSTR-1A, which amends it
	GSTR2A    Source = "GSTR-2A"
	GSTR2B    Source = "GSTR-2B"
	GSTR7     Source = "GSTR-7" // tax deducted at source, as the deductor reported it
	GSTR8     Source = "GSTR-8" // tax collected at source, as the operator reported it
	EWayBills Source = "e-way bills"
	EInvoices Source = "e-invoices"
)

// Kind is what sort of document a record is.
type Kind string

// The kinds of records.
const (
	Invoice       Kind = "invoice"
	DebitNote     Kind = "debit_note"
	CreditNote    Kind = "credit_note" // amounts are negative
	Import        Kind = "import"      // a bill of entry
	ISD           Kind = "isd"         // credit that an input service distributor passes on
	ISDCreditNote Kind = "isd_credit_note"
	Consumers     Kind = "consumers" // a line of GSTR-1 that sums up supplies to the unregistered, exports or advances
	Withheld      Kind = "withheld"  // what one deductor or operator reported for one month
)

// Status is what the file says of the supplier.
type Status string

// What a file can say of a supplier.
const (
	NotFiled  Status = "not_filed" // the supplier's return for the period was not filed
	Cancelled Status = "cancelled" // the supplier's registration was cancelled on or before the date of the document
)

// Record is one document as one file states it.
type Record struct {
	Source Source `json:"source"`
	Kind   Kind   `json:"kind"`
	GSTIN  string `json:"gstin,omitempty"` // of the other side; "" for bills of entry and consumers
	Name   string `json:"name,omitempty"`
	Number string `json:"number"`
	Date   string `json:"date"` // ISO 8601; "" where the file has none
	// Voucher is the number of the entry in the books, which tells documents with the same number apart.
	Voucher string `json:"voucher,omitempty"`
	Period  string `json:"period"` // "2023-04": the month of the return, or in which it was booked
	Filed   string `json:"filed,omitempty"`

	Status     Status `json:"status,omitempty"`
	Ineligible string `json:"ineligible,omitempty"` // why no credit is available, as the file marks it; "" where it does not
	Reverse    bool   `json:"reverse,omitempty"`    // the recipient pays the tax

	// Number and date of the document that this one amends; "" where it amends none.
	Amends     string `json:"amends,omitempty"`
	AmendsDate string `json:"amends_date,omitempty"`

	Taxable int64 `json:"taxable"` // paise
	Tax     Tax   `json:"tax"`

	File int `json:"file"` // which of the files handed in, from 0
	Row  int `json:"row"`  // the line in it, from 1; for JSON the number of the document
}

// Return is what one return states, table by table.
type Return struct {
	Form   string       `json:"form"` // "GSTR-3B", "GSTR-9"
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

// RegisterColumns returns the tax of a table, all lines of it together.
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
	Balance     *Tax   `json:"balance,omitempty"` // after it, as printed; nil where the file has none
}

// File is what was read from one file, and what was left out.
type File struct {
	Name    string            `json:"name"`
	Format  string            `json:"format"` // such as "GSTR-2B JSON" or "purchase register"
	GSTIN   string            `json:"gstin,omitempty"`
	Rows    int               `json:"rows"`              // of documents, entries and tables
	Columns map[string]string `json:"columns,omitempty"` // the headings taken, by what they hold, such as "gstin"
	Table   *RegisterColumns  `json:"table,omitempty"`   // the columns of a register, of which a person may choose others
	LeftOut []LeftOut         `json:"left_out,omitempty"`
	Doubts  []LeftOut         `json:"doubts,omitempty"` // rows that were taken, with what is wrong in them
	Notes   []string          `json:"notes,omitempty"`  // codes, such as "macros"

	Records []Record `json:"-"`
	Returns []Return `json:"-"`
	Ledgers []Ledger `json:"-"`
}

// RegisterColumns is the columns of a register, and which was taken for what.
type RegisterColumns struct {
	Shape    string           `json:"shape"` // names its headings: files with the same have the same columns
	Headings []Heading        `json:"headings"`
	Taken    map[string][]int `json:"taken"`            // by what they hold, the places of the columns, from 0; several are added up
	Chosen   bool             `json:"chosen,omitempty"` // a person chose them
}

// Heading is that of one column, with the first value below it.
type Heading struct {
	Name   string `json:"name"`
	Sample string `json:"sample,omitempty"`
}

// LeftOut is a row that was not taken, and why, as a code.
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

// DueDate returns the 20th of the month after a month: the due date of a monthly GSTR-3B, extensions left aside.
func DueDate(period string) string {
	month, err := time.Parse("2006-01", period)
	if err != nil {
		return ""
	}
	return month.AddDate(0, 1, 19).Format(time.DateOnly)
}
