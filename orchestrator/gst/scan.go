package gst

import "munshi/orchestrator/gst/law"

// Dated is a date in a text, with its place.
type Dated struct {
	Start, End int
	Day        law.Day
}

// Dates finds every date in a text of small letters. The day comes first, always; a date that does not exist is none.
func Dates(low string) []Dated {
	var all []Dated
	for _, d := range scanDates(low) {
		all = append(all, Dated{d.start, d.end, d.day})
	}
	return all
}

// Sum is an amount of money in a text, in paise. Marked tells one that has Rs., ₹, /-, lakh or groups of digits, which
// is certainly money.
type Sum struct {
	Start, End int
	Paise      int64
	Marked     bool
}

// Sums finds every number in a text of small letters that can be an amount of money.
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

// TaxHead returns the head of tax that a word in small letters names, IGST, CGST, SGST, UTGST or CESS; "" for none.
func TaxHead(word string) string { return taxHead(word) }
