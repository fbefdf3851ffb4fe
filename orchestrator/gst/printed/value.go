package printed

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Kind is the type of a fact.
type Kind int

// The types of facts.
const (
	Word Kind = iota + 1
	Day
	Year  // a financial year, "2020-21"
	Money // in paise; in rupees in rules
	Count
	Truth
)

// Value is one value of a fact, with the printed words that it comes from. Which field holds it depends on Kind.
type Value struct {
	Kind  Kind
	Day   law.Day
	Paise int64
	Count int
	Text  string
	Of    string // the year to which it belongs, if there are several
	Yes   bool
	Heads []Head // of money, if it is known under which heads of tax
	At    []Quote
}

// Notation returns a value in the notation of rules.
func (v Value) Notation() string {
	switch v.Kind {
	case Truth:
		if v.Yes {
			return "yes"
		}
		return "no"
	case Day:
		return v.Day.ISO()
	case Count:
		return strconv.Itoa(v.Count)
	}
	return v.Text
}

// Compare returns a negative number if the value is less than another of its kind, zero if they are equal, and a
// positive number if it is more.
func (v Value) Compare(o Value) int {
	switch v.Kind {
	case Day:
		return v.Day.Compare(o.Day.Time)
	case Money:
		return int(max(-1, min(1, v.Paise-o.Paise)))
	case Count:
		return v.Count - o.Count
	}
	return strings.Compare(v.Text, o.Text)
}

// ParseValue parses a value in the notation of rules. It returns false if the text is not of that kind.
func ParseValue(kind Kind, text string) (Value, bool) {
	v := Value{Kind: kind, Text: text}
	var err error
	switch kind {
	case Day:
		v.Day = law.ParseDay(text)
		return v, !v.Day.IsZero()
	case Year:
		return v, len(text) == len("2020-21") && text[4] == '-'
	case Money:
		v.Paise, err = strconv.ParseInt(text, 10, 64)
		v.Paise *= 100
	case Count:
		v.Count, err = strconv.Atoi(text)
	case Truth:
		v.Yes = text == "yes"
		return v, v.Yes || text == "no"
	}
	return v, err == nil
}

// Known are the facts of a paper, year or charge, by name.
type Known map[string][]Value

// Put sets a fact to one value.
func (k Known) Put(name string, v Value) { k[name] = []Value{v} }

func (k Known) add(name string, v Value) {
	if !slices.ContainsFunc(k[name], func(o Value) bool { return o.Notation() == v.Notation() && o.Paise == v.Paise }) {
		k[name] = append(k[name], v)
	}
}

// One returns the value of a fact that has exactly one value, else nil.
func (k Known) One(name string) *Value {
	if len(k[name]) != 1 {
		return nil
	}
	return &k[name][0]
}

// Clone returns a copy, to which facts can be added without changing the original.
func (k Known) Clone() Known {
	c := make(Known, len(k)+4)
	for name, values := range k {
		c[name] = values
	}
	return c
}

// Quote is where a fact is printed, or the file that it follows from.
type Quote struct {
	Page  int    `json:"page"`  // 0 for a file
	Quote string `json:"quote"` // of a file its kind, "GSTR-2B JSON"
	File  string `json:"file,omitempty"`
	Rows  int    `json:"rows,omitempty"` // of the file
}

// For is one year or charge that a point is about.
type For struct {
	FY     string  `json:"fy,omitempty"`
	Para   string  `json:"para,omitempty"`
	Amount *Amount `json:"amount"`
	Heads  []Head  `json:"heads"`
}

// Part returns the paragraph, or the year if there is no paragraph.
func (f For) Part() string { return cmp.Or(f.Para, f.FY) }

// Head is an amount under one head of tax.
type Head struct {
	Head   string `json:"head"`
	Amount Amount `json:"amount"`
}

// Sum returns the sum of the amounts, or nil if it is zero.
func Sum(heads []Head) *Amount {
	var sum Amount
	for _, h := range heads {
		sum += h.Amount
	}
	if sum == 0 {
		return nil
	}
	return &sum
}

// byHead lists the heads of an amount for a pleading, as in " (CGST ₹5,000, SGST ₹5,000)". It returns "" outside
// pleadings, and if there are fewer than two heads.
func byHead(heads []Head, language string) string {
	if language != "" || len(heads) < 2 {
		return ""
	}
	all := make([]string, len(heads))
	for i, h := range heads {
		all[i] = h.Head + " " + h.Amount.String()
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// Shown returns a fact as text in a language, or for a draft if the language is "": its values separated by commas, or
// a blank to be filled in if it is not known.
func (k Known) Shown(name, language string) string {
	if len(k[name]) == 0 {
		return "[…]"
	}
	var all []string
	for _, v := range k[name] {
		switch {
		case v.Kind == Day:
			day := v.Day.Printed()
			if language != "" {
				day = message.Date(v.Day.ISO()).In(language)
			}
			if v.Of != "" {
				day += " (" + v.Of + ")"
			}
			all = append(all, day)
		case v.Kind == Money:
			all = append(all, Amount(v.Paise).String()+byHead(v.Heads, language))
		default:
			all = append(all, v.Notation())
		}
	}
	return strings.Join(all, ", ")
}
