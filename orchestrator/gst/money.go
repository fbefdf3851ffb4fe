package gst

import (
	"strconv"
	"strings"
)

// amount is a sum of money in the text, in paise.
type amount struct {
	span
	paise  int64
	marked bool // with Rs., ₹, /- or grouping, so certainly money
}

// parseAmount parses a sum that begins at s[at:], in lower case: "rs. 12,45,000/-", "₹1.5 crore", "1245000.00". It
// rejects percentages, dates, and numbers that continue as something else.
func parseAmount(s string, at int) (amount, bool) {
	a := amount{span: span{start: at}}
	for _, mark := range [...]string{"rs.", "rs", "₹", "inr", "रु.", "रू.", "रु०", "रू०", "रुपये"} {
		if strings.HasPrefix(s[at:], mark) {
			at = skipSpaces(s, at+len(mark))
			a.marked = true
			break
		}
	}
	digits := make([]byte, 0, 20)
	end, groups, group := at, 0, 0
	for end < len(s) && len(digits) < 16 {
		c := s[end]
		if isDigit(c) {
			digits = append(digits, c)
			group++
		} else if c == ',' && end > at && end+2 < len(s) && isDigit(s[end+1]) && isDigit(s[end+2]) {
			groups++
			group = 0
		} else if end > at && spacedGroup(s[end:], groups > 0 && group == 2) {
			groups++
			group = 0
			end++
		} else {
			break
		}
		end++
	}
	if len(digits) == 0 || groups > 0 && group != 3 {
		return a, false // "8,64,2OO" is not 864
	}
	if end+2 < len(s) && s[end] == ',' && isAlnum(s[end+1]) && isAlnum(s[end+2]) {
		return a, false
	}
	a.marked = a.marked || groups > 0
	paise := int64(0)
	if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		end++
		start := end
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		fraction := (s[start:end] + "00")[:2]
		n, _ := strconv.Atoi(fraction)
		paise = int64(n)
		if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
			return a, false // 12.05.2025
		}
	}
	whole, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || whole > 1e14 {
		return a, false
	}
	a.paise = whole*100 + paise
	if strings.HasPrefix(s[end:], "/-") {
		a.marked = true
		end += 2
	} else if scale, after := parseScale(s, end); scale > 0 {
		// Lakhs are parsed again from the digits, because 12.4567 lakh has four decimals.
		f, err := strconv.ParseFloat(strings.ReplaceAll(s[at:end], ",", ""), 64)
		if err != nil || f > 1e9 {
			return a, false
		}
		a.paise = int64(f*float64(scale)*100 + 0.5)
		a.marked = true
		end = after
	}
	if end < len(s) && (isAlnum(s[end]) || s[end] == '%' ||
		(s[end] == '/' || s[end] == '-') && end+1 < len(s) && isAlnum(s[end+1])) {
		return a, false
	}
	if strings.HasPrefix(s[end:], " %") || strings.HasPrefix(s[end:], " per cent") {
		return a, false
	}
	a.end = end
	return a, true
}

// spacedGroup reports whether a text begins with the last three digits of an amount that a scan separated with a
// space, "31, 000". Digits other than 000 need an incomplete group before them: "3,10, 500".
func spacedGroup(s string, open bool) bool {
	if !strings.HasPrefix(s, ", ") || len(s) < 5 || len(s) > 5 && (isAlnum(s[5]) || s[5] == '/' && !strings.HasPrefix(s[5:], "/-")) {
		return false
	}
	return s[2:5] == "000" || open && isDigits(s[2:5])
}

// parseScale parses "lakh" or "crore" after a number.
func parseScale(s string, at int) (scale int64, end int) {
	at = skipSpaces(s, at)
	for _, word := range [...]struct {
		text  string
		scale int64
	}{
		{"lakhs", 1e5}, {"lakh", 1e5}, {"lacs", 1e5}, {"lac", 1e5}, {"crores", 1e7}, {"crore", 1e7}, {"cr.", 1e7},
		{"cr", 1e7},
		{"लाख", 1e5}, {"करोड़", 1e7},
	} {
		if end := at + len(word.text); strings.HasPrefix(s[at:], word.text) && (end >= len(s) || !isAlnum(s[end])) {
			return word.scale, end
		}
	}
	return 0, at
}

// taxHead returns the head of tax that a lower-case word names, such as "igst", "cgst/", "sgst/utgst" or "kgst".
func taxHead(word string) string {
	if len(word) == 4 && strings.ContainsAny(word, "(0123456789$") {
		return misreadHead(word)
	}
	word = strings.Trim(word, ".,:;()[]*'\"!/-_|‘’“”")
	if head, ok := heads[word]; ok {
		return head
	}
	if first, _, ok := strings.Cut(word, "/"); ok {
		return heads[first]
	}
	if state, ok := strings.CutSuffix(word, "utgst"); ok && len(state) == len("sgst/") && heads[state[:4]] == "SGST" {
		return "SGST" // recognition read the slash of "SGST/UTGST" as a letter
	}
	if head, ok := headInHindi(word); ok {
		return head
	}
	if len(word) == 5 && word[0] == word[1] { // recognition doubled a letter, "CcGST": no State uses such a name
		word = word[1:]
		if head, ok := heads[word]; ok {
			return head
		}
	}
	if strings.HasSuffix(word, "gst") && len(word) >= 4 && len(word) <= 6 &&
		strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
		return "SGST" // each State names its tax after itself
	}
	if len(word) == 4 && strings.HasSuffix(word, "st") {
		return misreadHead(word)
	}
	return ""
}

// headInHindi parses a head spelled with the Hindi names of its letters, such as "सी.जी.एस.टी."; each State uses its
// own spelling.
func headInHindi(word string) (string, bool) {
	if word == "" || word[0] < 0x80 {
		return "", false
	}
	first, ok := strings.CutSuffix(strings.ReplaceAll(word, ".", ""), "जीएसटी")
	switch {
	case !ok || first == "":
		return "", false
	case first == "आई":
		return "IGST", true
	case first == "सी":
		return "CGST", true
	case first == "यूटी":
		return "UTGST", true
	}
	return "SGST", true
}

// misreadHead parses a head that text recognition misread in the small print of a table, such as "(651" for CGST.
func misreadHead(word string) string {
	for _, shape := range [...]struct {
		head    string
		letters [4]string
	}{
		{"IGST", [4]string{"i1l", "g6c", "s5$", "t17"}},
		{"CGST", [4]string{"c(", "g6c", "s5$", "t17"}},
		{"SGST", [4]string{"s5$", "g6c", "s5$", "t17"}},
		{"CESS", [4]string{"c(", "e6", "s5$", "s5$"}},
	} {
		fits := true
		for i, letters := range shape.letters {
			fits = fits && strings.IndexByte(letters, word[i]) >= 0
		}
		if fits && !isDigits(word) {
			return shape.head
		}
	}
	return ""
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

var heads = map[string]string{
	"igst": "IGST", "cgst": "CGST", "sgst": "SGST", "utgst": "UTGST", "cess": "CESS", "integrated": "IGST",
	"central": "CGST", "state": "SGST", "uttarakhandgst": "SGST", "gst": "", "i-gst": "IGST", "c-gst": "CGST",
	"s-gst": "SGST", "i.g.s.t": "IGST", "c.g.s.t": "CGST", "s.g.s.t": "SGST", "केन्द्रीय": "CGST", "केंद्रीय": "CGST",
	"राज्य": "SGST", "एकीकृत": "IGST",
	"समेकित": "IGST", "उपकर": "CESS",
	"सेस": "CESS",
}
