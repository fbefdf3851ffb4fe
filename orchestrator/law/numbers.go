package law

import (
	"fmt"
	"strconv"
	"strings"
)

// Standing gives a provision as on an ISO day, or the smallest part around it; false where the law held here has none.
func (l *Law) Standing(c Cited, on string) (Found, bool) {
	entries, err := l.digest()
	if err != nil {
		return Found{}, false
	}
	e := entryOn(entries, c, on)
	if e == nil {
		return Found{}, false
	}
	return l.found(e, entries, on), true
}

// NumberOf reads a number in digits or English words, "45" and "forty-five", as it is compared.
func NumberOf(said string) (string, bool) {
	value, next, _, ok := numberAt(numberTokens(said, true), 0)
	if !ok || next < len(numberTokens(said, true)) {
		return "", false
	}
	return plainValue(value), true
}

// Doubts tells whether a number is one that a provision does not have: the digest has others of its class for the provision as on an
// ISO day, for a part of it or for what is around it, and no version of the section, in the digest or in the text held, has
// it. Then what the digest has is given, "30 days (days to pay without penalty)".
func (l *Law) Doubts(c Cited, on, value, unit string, class func(unit string) bool) (bool, string) {
	entries, err := l.digest()
	if err != nil {
		return false, ""
	}
	var has []string
	for _, e := range entries {
		if e.Act != c.Act || rootOf(e.Number) != rootOf(c.Number) {
			continue
		}
		if _, says := readQuantities(e.English, true)[value]; says {
			return false, ""
		}
		if _, says := readQuantities(l.text(e.Act, e.Number, e.From), true)[value]; says {
			return false, ""
		}
		near := strings.EqualFold(e.Number, c.Number) || within(e.Number, c.Number) || within(c.Number, e.Number)
		for _, n := range e.Numbers {
			v := fmt.Sprint(n.Value)
			if f, err := strconv.ParseFloat(v, 64); err == nil {
				v = plainValue(f)
			}
			if v == value && n.Unit == unit {
				return false, ""
			}
			if said := fmt.Sprintf("%s %s (%s)", v, n.Unit, n.What); near && class(n.Unit) && e.holds(on) && len(has) < 3 {
				has = append(has, said)
			}
		}
	}
	return len(has) > 0, strings.Join(has, ", ")
}
