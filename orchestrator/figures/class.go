package figures

import "slices"

// Class says how a record compares with the other side, or what explains a difference. Each record, and each rupee of a
// difference, is in exactly one class.
type Class string

// The classes.
const (
	Matched       Class = "matched"        // both sides, same month, same amounts
	OtherMonth    Class = "other_month"    // both sides, in different months of one financial year
	AcrossYear    Class = "across_year"    // both sides, in months of different financial years
	InParts       Class = "in_parts"       // both sides, one of them in several documents that come to the same
	WrongHead     Class = "wrong_head"     // both sides, the same sum under other heads
	OtherTable    Class = "other_table"    // claimed in another table of GSTR-3B
	AmountDiffers Class = "amount_differs" // both sides, different amounts
	OnlyBooks     Class = "only_books"     // in the books alone
	OnlyPortal    Class = "only_portal"    // in GSTR-2A or 2B alone
	BookedTwice   Class = "booked_twice"   // in the books once more
	SupplierOpen  Class = "supplier_open"  // the supplier has not filed
	SupplierGone  Class = "supplier_gone"  // the supplier's registration was cancelled by then
	NotAvailable  Class = "not_available"  // marked as blocked or not available
	Replaced      Class = "replaced"       // amended by a later record, which counts instead
	NotDeclared   Class = "not_declared"   // not in GSTR-1
	OnlyDeclared  Class = "only_declared"  // in GSTR-1 alone
	NoEInvoice    Class = "no_einvoice"    // without an e-invoice
	OnlyEInvoice  Class = "only_einvoice"  // an e-invoice that the register does not have
	SummedUp      Class = "summed_up"      // to the unregistered, of which GSTR-1 has only sums
	BeyondBooks   Class = "beyond_books"   // the return differs from the books
	NotInFiles    Class = "not_in_files"   // no books were given that could explain it
	NoticeDiffers Class = "notice_differs" // the notice's figure differs from the files
)

// Classes are all, in the order in which they are shown.
func Classes() []Class {
	return []Class{Matched, OtherMonth, AcrossYear, InParts, WrongHead, OtherTable, AmountDiffers, OnlyBooks,
		OnlyPortal, BookedTwice, SupplierOpen, SupplierGone, NotAvailable, Replaced, NotDeclared, OnlyDeclared,
		NoEInvoice, OnlyEInvoice, SummedUp, BeyondBooks, NotInFiles, NoticeDiffers}
}

// Explains reports whether a class shows that the credit is in the supplier's returns, but elsewhere.
func (c Class) Explains() bool {
	switch c {
	case Matched, OtherMonth, AcrossYear, InParts, WrongHead, OtherTable, Replaced:
		return true
	}
	return false
}

// Given reports whether a person may give a document of a comparison the class. What is left out is not of one
// document, or decides what a document is worth.
func (c Class) Given(what string) bool {
	switch c {
	case Matched, OtherMonth, AcrossYear, InParts, WrongHead, AmountDiffers, BookedTwice:
		return true
	case OnlyBooks, OnlyPortal, SupplierOpen, SupplierGone, NotAvailable:
		return what == CreditClaimed
	}
	return slices.ContainsFunc(pairings, func(p pairing) bool {
		return p.what == what && (p.alone[0] == c || p.alone[1] == c)
	})
}
