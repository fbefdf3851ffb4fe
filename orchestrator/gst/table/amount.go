package table

import (
	"strings"
)

// Amount is the amount of money in a cell. The zero value means no amount.
type Amount struct {
	Paise   int64
	Nil     bool  // a dash or a word for nothing
	Grouped bool  // with a currency sign or grouping, so not a count, year or line number
	fine    int64 // in units of 10^-5 rupees
	digits  int
	decimal bool
}

// Is reports whether there is an amount.
func (a Amount) Is() bool { return a.Nil || a.digits > 0 }

// Digits reports whether the amount is written in digits.
func (a Amount) Digits() bool { return a.digits > 0 }

// Counts reports whether the amount is the plain number n, as in a column of serial numbers.
func (a Amount) Counts(n int) bool {
	p := a.Paise
	if p < 0 {
		p = -p // "(2)"
	}
	return a.digits > 0 && !a.decimal && !a.Grouped && p == int64(n)*100
}

const mostDigits = 13 // of whole rupees: ten lakh crore

// readAmount parses an amount at the beginning of the words, and returns how many of them it takes.
func readAmount(words []Word) (Amount, int) {
	i := 0
	negative, marked := false, false
	text := strings.ToLower(words[0].Text)
	for i < len(words)-1 && i < 2 && isMark(text) {
		if text == "-" || text == "(-)" {
			negative = true
		} else {
			marked = true
		}
		i++
		text = strings.ToLower(words[i].Text)
	}
	if i == 0 && len(words) == 1 && isNil(text) {
		return Amount{Nil: true}, 1
	}
	a, ok, joined := Amount{}, false, text
	for k := i + 1; k <= i+3 && k < len(words) && strings.HasSuffix(joined, ","); k++ { // "8,64, 210", "2, 74, 500"
		joined += words[k].Text
		if a, ok = parse(joined); ok && a.Grouped && !strings.HasSuffix(joined, ",") {
			i = k
			break
		}
		ok = false
	}
	if !ok {
		a, ok = parse(text)
	}
	if !ok {
		if i == 0 && isNil(text) {
			return Amount{Nil: true}, 1
		}
		return Amount{}, 0
	}
	i++
	if i < len(words) {
		if scale := scaleOf(strings.ToLower(words[i].Text)); scale > 0 {
			a.Paise, a.Grouped = a.Scaled(scale), true
			a.fine = a.Paise * 1000
			i++
		} else if words[i].Text == "/-" {
			a.Grouped = true
			i++
		}
	}
	if negative {
		a.Paise, a.fine = -a.Paise, -a.fine
	}
	a.Grouped = a.Grouped || marked
	return a, i
}

// AmountOf reads one word as an amount; the zero value if it is none.
func AmountOf(word string) Amount {
	a, _ := readAmount([]Word{{Text: word}})
	return a
}

func isMark(word string) bool {
	switch word {
	case "rs", "rs.", "₹", "inr", "रु.", "रु", "रू.", "रू", "रु,", "-", "(-)":
		return true
	}
	return false
}

// isNil reports whether a cell says "nothing".
func isNil(word string) bool {
	switch strings.Trim(word, ".") {
	case "-", "--", "---", "nil", "nill", "na", "n.a", "n/a", "शून्य", "निरंक", "—", "–":
		return true
	}
	return false
}

func scaleOf(word string) int64 {
	switch strings.TrimRight(word, ".,;)") {
	case "lakh", "lakhs", "lac", "lacs", "लाख":
		return 1e5
	case "crore", "crores", "cr", "करोड़":
		return 1e7
	}
	return 0
}

// parse parses one word as an amount: digits with grouping, decimals, a sign, brackets for a negative amount,
// currency signs.
func parse(word string) (Amount, bool) {
	word = strings.Trim(word, "'`\"’‘“”*_=:;!।[]|{}«»~°·•©®™")
	if strings.Contains(word, ",") { // a bracket or a stroke of the grid that recognition put beside an amount
		if !strings.Contains(word, ")") {
			word = strings.TrimPrefix(word, "(")
		} else if !strings.Contains(word, "(") {
			word = strings.TrimSuffix(word, ")")
		}
		word = strings.TrimSuffix(word, "/")
	}
	for _, mark := range [...]string{"rs.", "rs", "₹", "inr", "रु."} {
		if rest, ok := strings.CutPrefix(word, mark); ok && rest != "" {
			a, ok := parse(rest)
			a.Grouped = true
			return a, ok
		}
	}
	if rest := strings.TrimLeft(word, "-_~"); len(word)-len(rest) > 1 {
		word = rest // a rule of the table that recognition read as letters
	}
	negative := false
	for {
		if rest, ok := strings.CutPrefix(word, "(-)"); ok {
			word, negative = rest, true
		} else if strings.HasPrefix(word, "(") && strings.HasSuffix(word, ")") && len(word) > 2 {
			word, negative = word[1:len(word)-1], true
		} else if len(word) > 1 && (word[0] == '-' || word[0] == '+') {
			negative, word = negative || word[0] == '-', word[1:]
		} else {
			break
		}
	}
	a := Amount{}
	if rest, ok := strings.CutSuffix(word, "/-"); ok {
		word, a.Grouped = rest, true
	}
	word = strings.TrimRight(word, ".,-")
	if first, last := strings.Index(word, "."), strings.LastIndex(word, "."); first >= 0 &&
		strings.ContainsAny(word[first+1:], ",.") { // recognition read a point instead of a comma
		if last > first && len(word)-last == 3 {
			word = strings.ReplaceAll(word[:last], ".", ",") + word[last:]
		} else {
			word = strings.ReplaceAll(word, ".", ",")
		}
	}
	if len(word) > 3 && '0' <= word[0] && word[0] <= '9' && strings.Contains(word, ",") &&
		strings.ContainsAny(word, "co") {
		word = strings.NewReplacer("c", "0", "o", "0").Replace(word) // "75,6CO"
	}
	word = strings.ReplaceAll(strings.ReplaceAll(word, ",.", "."), ".,", ".")
	if i := len(word) - 3; i > 0 && word[i] == ',' && !strings.Contains(word, ".") &&
		(word[:i] == "0" || i > 2 && !strings.Contains(word[:i], ",") || i > 4 && word[i-4] == ',') {
		word = word[:i] + "." + word[i+1:] // recognition read a comma instead of the point
	}
	groups, group, fraction, decimals := 0, 0, int64(0), 0
	for i := range len(word) {
		switch c := word[i]; {
		case '0' <= c && c <= '9':
			if a.decimal {
				if decimals++; decimals <= 5 {
					fraction = 10*fraction + int64(c-'0')
				}
				continue
			}
			a.digits++
			group++
			if a.digits > mostDigits {
				return Amount{}, false
			}
			a.Paise = 10*a.Paise + int64(c-'0')
		case c == ',' && !a.decimal && a.digits > 0:
			if groups > 0 && group != 2 && group != 3 || group == 0 || group > 3 {
				return Amount{}, false
			}
			groups, group = groups+1, 0
		case c == '.' && !a.decimal && a.digits > 0:
			a.decimal = true
		default:
			return Amount{}, false
		}
	}
	if a.digits == 0 || groups > 0 && group != 3 || a.decimal && (decimals == 0 || decimals > 5) {
		return Amount{}, false
	}
	for n := decimals; n < 5; n++ {
		fraction *= 10
	}
	a.fine = a.Paise*1e5 + fraction
	a.Paise = (a.fine + 500) / 1000
	a.Grouped = a.Grouped || groups > 0
	if groups == 0 && !a.decimal && !a.Grouped && a.digits == 4 &&
		(strings.HasPrefix(word, "20") || strings.HasPrefix(word, "19")) {
		return Amount{}, false // a year
	}
	if a.digits > 1 && word[0] == '0' && !a.decimal {
		return Amount{}, false // a code
	}
	if negative {
		a.Paise, a.fine = -a.Paise, -a.fine
	}
	return a, true
}
