package figures

import "slices"

// Class says how a record compares with the other side, or what explains a difference. Each record, and each rupee of
// a difference, belongs to exactly one class.
type Class string

// The classes.
const (
	Matched       Class = "matched"        // on both sides, in the same month, with the same amounts
	OtherMonth    Class = "other_month"    // on both sides, in different months of one financial year
	AcrossYear    Class = "across_year"    // on both sides, in months of different financial years
	InParts       Class = "in_parts"       // on both sides, on one of them as several documents with the same total
	WrongHead     Class = "wrong_head"     // on both sides, the same amount under different heads
	OtherTable    Class = "other_table"    // claimed in another table of GSTR-3B
	AmountDiffers Class = "amount_differs" // on both sides, with different amounts
	OnlyBooks     Class = "only_books"     // only in the books
	OnlyPortal    Class = "only_portal"    // only in GSTR-2A or 2B
	BookedTwice   Class = "booked_twice"   // a repetition in the books
	SupplierOpen  Class = "supplier_open"  // the supplier has not filed
	SupplierGone  Class = "supplier_gone"  // the supplier's registration had been cancelled by then
	NotAccepted   Class = "not_accepted"   // only in the books: rejected or left pending in the Invoice Management System
	NotAvailable  Class = "not_available"  // marked as blocked or not available
	Replaced      Class = "replaced"       // amended by a later record, which counts instead
	NotDeclared   Class = "not_declared"   // not in GSTR-1
	OnlyDeclared  Class = "only_declared"  // only in GSTR-1
	NoEInvoice    Class = "no_einvoice"    // without an e-invoice
	OnlyEInvoice  Class = "only_einvoice"  // an e-invoice that is not in the register
	SummedUp      Class = "summed_up"      // supplies to unregistered persons, which GSTR-1 contains only as sums
	BeyondBooks   Class = "beyond_books"   // the return differs from the books
	NotInFiles    Class = "not_in_files"   // no books were provided that could explain it
	NoticeDiffers Class = "notice_differs" // the notice's figure differs from the files
)

// Classes returns all classes in the order in which they are shown.
func Classes() []Class {
	return []Class{Matched, OtherMonth, AcrossYear, InParts, WrongHead, OtherTable, AmountDiffers, OnlyBooks,
		OnlyPortal, BookedTwice, SupplierOpen, SupplierGone, NotAccepted, NotAvailable, Replaced, NotDeclared,
		OnlyDeclared, NoEInvoice, OnlyEInvoice, SummedUp, BeyondBooks, NotInFiles, NoticeDiffers}
}

// Explains reports whether a class shows that the credit is in the supplier's returns, though elsewhere.
func (c Class) Explains() bool {
	switch c {
	case Matched, OtherMonth, AcrossYear, InParts, WrongHead, OtherTable, Replaced:
		return true
	}
	return false
}

// Given reports whether a person may assign the class to a document of a comparison. The classes left out concern
// more than one document or change the amount that a document counts with.
func (c Class) Given(what string) bool {
	switch c {
	case Matched, OtherMonth, AcrossYear, InParts, WrongHead, AmountDiffers, BookedTwice:
		return true
	case OnlyBooks, OnlyPortal, SupplierOpen, SupplierGone, NotAccepted, NotAvailable:
		return what == CreditClaimed
	}
	return slices.ContainsFunc(pairings, func(p pairing) bool {
		return p.what == what && (p.alone[0] == c || p.alone[1] == c)
	})
}
