package gst

import "munshi/orchestrator/gst/law"

// Dated is a date in a text, with its position.
type Dated struct {
	Start, End int
	Day        law.Day
}

// Dates returns every date in a text in lower case. A date such as 05/12/2025 is read with the day first. A date that
// does not exist is ignored.
func Dates(low string) []Dated {
	var all []Dated
	for _, d := range scanDates(low) {
		all = append(all, Dated{d.start, d.end, d.day})
	}
	return all
}

// Sum is an amount of money in a text, in paise. Marked means that it has Rs., ₹, /-, lakh or grouping commas, and so
// is certainly money.
type Sum struct {
	Start, End int
	Paise      int64
	Marked     bool
}

// Sums returns every number in a lower-case text that can be an amount of money.
func Sums(low string) []Sum {
	var all []Sum
	for at := 0; at < len(low); at++ {
		if at > 0 && (isAlnum(low[at-1]) || low[at-1] == '.' && at > 1 && isDigit(low[at-2]) || low[at-1] == ',') {
			continue
		}
		c := low[at]
		if !isDigit(c) && c != 'r' && c != 'i' && c < 0x80 {
			continue
		}
		if a, ok := parseAmount(low, at); ok {
			all = append(all, Sum{a.start, a.end, a.paise, a.marked})
			at = a.end - 1
		}
	}
	return all
}

// SumInWords returns, in paise, the sum in words with which a lower-case text begins, or -1 if it does not begin with
// one.
func SumInWords(low string) int64 { return amountInWords(low) }

// TaxHead returns the head of tax that a lower-case word names (IGST, CGST, SGST, UTGST or CESS), or "" if it names
// none.
func TaxHead(word string) string { return taxHead(word) }
