package figures

import (
	"slices"
	"strings"
)

// spelled is a document number in forms that can be compared.
type spelled struct {
	whole string // letters and digits in capitals, without leading zeros: "INV/2023-24/0012" is "INV2023.24.12"
	bare  string // the same without labels such as "Bill No." and without the financial year
	raw   string // letters and digits unchanged, for numbers whose separators were left out
	tail  string // the last number in it that is not a financial year; whole if there is none
}

// run is a part of a number: letters, or digits without leading zeros.
type run struct {
	text   string
	digits bool
}

// labels are words that people write before a document number and that are not part of it.
var labels = []string{"BILL", "INVOICE", "INV", "BOE", "NUMBER", "NUM", "NO", "DT"}

// spell returns the forms of a document number. "inv no. 2023-24/0012 " and "2023/24-12" differ only in whole and
// raw; both have the tail "12".
func spell(number string) spelled {
	runs, raw := runsOf(number)
	named := runs
	for len(named) > 1 && slices.Contains(labels, named[0].text) {
		named = named[1:]
	}
	s := spelled{whole: joined(runs), raw: raw}
	bare := withoutYear(named)
	s.bare, s.tail = joined(bare), s.whole
	for _, r := range slices.Backward(bare) {
		if r.digits {
			s.tail = r.text
			break
		}
	}
	return s
}

// runsOf splits a number into runs. An O in a word that otherwise has only digits is a mistyped zero.
func runsOf(number string) (runs []run, raw string) {
	isWord := func(c rune) bool { return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 0x100 }
	var all strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToUpper(number), func(c rune) bool { return !isWord(c) }) {
		if zeros := strings.ReplaceAll(word, "O", "0"); zeros != word && strings.Trim(zeros, "0123456789") == "" &&
			strings.ContainsAny(word, "0123456789") {
			word = zeros
		}
		word = zerosWithin(word)
		all.WriteString(word)
		for at := 0; at < len(word); {
			end, digits := at, word[at] >= '0' && word[at] <= '9'
			for end < len(word) && (word[end] >= '0' && word[end] <= '9') == digits {
				end++
			}
			text := word[at:end]
			if digits {
				if text = strings.TrimLeft(text, "0"); text == "" {
					text = "0"
				}
			}
			runs, at = append(runs, run{text, digits}), end
		}
	}
	return runs, all.String()
}

// zerosWithin replaces an O between digits by the zero that is meant: "RCH24OO75" is "RCH240075".
func zerosWithin(word string) string {
	if !strings.Contains(word, "O") {
		return word
	}
	all := []byte(word)
	for at := 0; at < len(all); at++ {
		if all[at] != 'O' || at == 0 || all[at-1] < '0' || all[at-1] > '9' {
			continue
		}
		end := at
		for end < len(all) && all[end] == 'O' {
			end++
		}
		if end < len(all) && all[end] >= '0' && all[end] <= '9' {
			for ; at < end; at++ {
				all[at] = '0'
			}
		}
	}
	return string(all)
}

// joined concatenates runs, with a point between numbers: 1/12 is not 11/2.
func joined(runs []run) string {
	var b strings.Builder
	for i, r := range runs {
		if i > 0 && r.digits && runs[i-1].digits {
			b.WriteByte('.')
		}
		b.WriteString(r.text)
	}
	return b.String()
}

// withoutYear drops adjacent numbers that form a financial year, unless nothing else is left.
func withoutYear(runs []run) []run {
	var left []run
	for i := 0; i < len(runs); i++ {
		if i+1 < len(runs) && runs[i].digits && runs[i+1].digits && isYear(runs[i].text, runs[i+1].text) {
			i++
			continue
		}
		left = append(left, runs[i])
	}
	if !slices.ContainsFunc(left, func(r run) bool { return r.digits }) {
		return runs
	}
	return left
}

// isYear reports whether two adjacent numbers are a financial year: "2023", "24" or "23", "24".
func isYear(first, second string) bool {
	if len(second) == 4 && strings.HasPrefix(second, "20") {
		second = second[2:]
	}
	if len(first) == 4 && strings.HasPrefix(first, "20") {
		first = first[2:]
	}
	if len(first) != 2 || len(second) != 2 {
		return false
	}
	from, to := int(first[0]-'0')*10+int(first[1]-'0'), int(second[0]-'0')*10+int(second[1]-'0')
	return from >= 17 && to == from+1
}

// slipped reports whether two numbers differ by one typing mistake: a character added, left out or replaced, or two
// exchanged.
func slipped(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 || len(b)-len(a) > 1 {
		return false
	}
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	switch {
	case len(a) < len(b):
		return a[at:] == b[at+1:]
	case at == len(a):
		return true
	case a[at+1:] == b[at+1:]:
		return true
	}
	return at+1 < len(a) && a[at] == b[at+1] && a[at+1] == b[at] && a[at+2:] == b[at+2:]
}
