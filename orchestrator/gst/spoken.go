package gst

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// informal matches an amount as people write it in sentences: "₹7L", "Rs 90k", "₹ 700 thousand", "Re. 1", "500
// rupees", "99 paise", "$700". Its groups are the currency sign, the digits, the scale and the unit.
var informal = lazyregexp.New(`^(?:(₹|rs\.?|re\.?|rupees?|inr|usd|\$|रुपये|रु\.?) ?)?` +
	`([0-9]+(?:,[0-9]{2,3})*(?:\.[0-9]{1,4})?)` +
	`(?: ?((?:k|thousand|l|m|mn|million|b|bn|billion)\b|हजार))?` +
	`(?: ?(rupees?\b|रुपये|रुपए|रूपये|paise\b|पैसे))?`)

// notInForms lists the currency signs that parseAmount does not know.
var notInForms = []string{"re", "re.", "rupee", "rupees", "usd", "$"}

var informalScale = map[string]float64{
	"": 1, "k": 1e3, "thousand": 1e3, "हजार": 1e3, "l": 1e5, "m": 1e6, "mn": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9,
	"billion": 1e9,
}

// informalAmount parses an amount at the offset of a lower-case text that parseAmount does not know, or of which it
// knows only the digits. within is by how much the exact amount may differ.
func informalAmount(low string, at int) (a amount, within int64, ok bool) {
	m := informal.FindStringSubmatchIndex(low[at:])
	if m == nil {
		return a, 0, false
	}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return low[at+m[2*i] : at+m[2*i+1]]
	}
	mark, digits, scale, unit := group(1), group(2), group(3), group(4)
	switch {
	case unit != "", slices.Contains(notInForms, mark):
	case scale != "" && mark != "": // "7 m" alone is a length
	default:
		return a, 0, false
	}
	number, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	times := informalScale[scale] * 100
	if unit == "paise" || unit == "पैसे" {
		times = 1
	}
	if err != nil || number*times > 1e15 {
		return a, 0, false
	}
	end := max(m[5], m[7], m[9])
	a = amount{span: span{at, at + end}, paise: int64(number*times + 0.5), marked: true}
	if _, decimals, _ := strings.Cut(digits, "."); scale != "" && decimals != "" {
		for range decimals {
			times /= 10
		}
		within = int64(times / 2)
	}
	return a, within, true
}

// spokenAmount parses an amount in words at the offset of a text in lower case: "rupees ninety thousand only", "seven
// lakh rupees", "सात लाख रुपये". The words must include rupees or lakhs; otherwise they only count something.
func spokenAmount(low string, at int) (amount, bool) {
	const longest = 40 // words
	var rupees, group, paise int64
	named, currency, large, inPaise := 0, false, false, false
	end := at
	for i, next := 0, at; i < longest && next < len(low); i++ {
		w, after := spokenWord(low, next)
		if w == "" {
			break
		}
		n, isNumeral := numeral(w)
		m, isMultiple := multiples[w]
		stop := false
		switch {
		case isNumeral && inPaise:
			paise, end = paise+n, after
		case isNumeral:
			group, end, named = group+n, after, named+1
		case isMultiple && named == 0, isMultiple && inPaise:
			stop = true
		case m == 100:
			group, end = max(group, 1)*100, after
		case isMultiple:
			rupees, group, end, large = rupees+max(group, 1)*m, 0, after, large || m >= 1e5
		case w == "rupees" || w == "rupee" || w == "रुपये" || w == "रुपए" || w == "रूपये":
			currency = true
			if stop = named > 0; stop {
				end = after
			}
		case w == "and" && named > 0:
		case (w == "paise" || w == "पैसे") && currency && !inPaise && named > 0:
			inPaise = true
		case (w == "only" || w == "मात्र") && named > 0:
			end, stop = after, true
		default:
			stop = true
		}
		if stop || rupees > 1e13 {
			break
		}
		next = after
		for next < len(low) && (low[next] == ' ' || low[next] == '-' || low[next] == ',') && next-after < 2 {
			next++
		}
	}
	rupees += group
	if named == 0 || !currency && !large || rupees == 0 && paise == 0 || rupees > 1e13 {
		return amount{}, false
	}
	return amount{span: span{at, end}, paise: rupees*100 + paise, marked: true}, true
}

// spokenWord returns the word at the offset and the offset at which it ends. It returns "" if no word begins there.
func spokenWord(low string, at int) (string, int) {
	end := at
	for end < len(low) && (isLetter(low[end]) || low[end] >= 0x80) {
		end++
	}
	return low[at:end], end
}

// beginsSpoken reports whether an amount in words may begin at the offset.
func beginsSpoken(low string, at int) bool {
	if at > 0 && (isAlnum(low[at-1]) || low[at-1] >= 0x80 || low[at-1] == '-') {
		return false
	}
	w, _ := spokenWord(low, at)
	if _, ok := numeral(w); ok {
		return true
	}
	return w == "rupees" || w == "rupee" || w == "रुपये" || w == "रुपए" || w == "रूपये"
}
