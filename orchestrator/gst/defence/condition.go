package defence

import (
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

// Value is one value of a fact, with the printed words it comes from. Its kind says which field is used.
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

// Condition is one requirement of a rule. One of Words, Without, Unless and Fact is set.
type Condition struct {
	Without string   `yaml:"without"` // none of these words is in the text
	Words   string   `yaml:"words"`   // one of these words, separated by "|", is in the charge (or in the paper, for a rule about the paper)
	Unless  string   `yaml:"unless"`  // if one of these words is in the text, the condition is uncertain
	In      string   `yaml:"in"`      // InPaper: the words are searched for in the whole paper, even for a rule about a charge
	Fact    string   `yaml:"fact"`    // the name of a fact
	Is      []string `yaml:"is"`      // the fact is one of these
	Not     []string `yaml:"not"`     // the fact is none of these
	Has     []string `yaml:"has"`     // for a list: it has one of these, or a part of one
	From    string   `yaml:"from"`    // the fact is not earlier or less than this value or fact
	To      string   `yaml:"to"`      // the fact is not later or more than this
	After   string   `yaml:"after"`   // the fact is later or more than this
	Before  string   `yaml:"before"`  // the fact is earlier or less than this
	Absent  bool     `yaml:"absent"`  // the fact is not printed anywhere
	Ask     Words    `yaml:"ask"`     // what to ask if the fact is not known
	Else    Words    `yaml:"else"`    // why the rule does not apply if the condition is false
}

// InPaper makes a condition search outside its charge.
const InPaper = "paper"

type truth int

const (
	unknown truth = iota
	yes
	no
)

// holds reports whether the condition is met, and returns the words that prove it.
func (c *Condition) holds(s scope) (truth, []Quote) {
	if c.In == InPaper {
		s.from, s.to = 0, len(s.text.low)
	}
	switch {
	case c.Words != "":
		if at, ok := s.find(c.Words); ok {
			return yes, []Quote{at}
		}
		return no, nil
	case c.Without != "":
		if at, ok := s.find(c.Without); ok {
			return no, []Quote{at}
		}
		return yes, nil
	case c.Unless != "":
		if at, ok := s.find(c.Unless); ok {
			return unknown, []Quote{at}
		}
		return yes, nil
	}
	values := s.known[c.Fact]
	if c.Absent {
		if len(values) == 0 {
			return yes, nil
		}
		return no, values[0].At
	}
	if len(c.Has) > 0 {
		for _, v := range values {
			if slices.ContainsFunc(c.Has, func(w string) bool {
				return v.Text == w || strings.HasPrefix(v.Text, w+"(")
			}) {
				return yes, v.At
			}
		}
		return no, nil
	}
	if len(values) == 0 {
		return unknown, nil
	}
	result := c.test(s.known, values[0])
	quotes := slices.Clone(values[0].At)
	for _, v := range values[1:] {
		if c.test(s.known, v) != result {
			if rows := c.rowsOf(s); len(rows) > 0 {
				for _, r := range rows {
					quotes = append(quotes, r.at)
				}
				return yes, quotes // for those rows
			}
			return unknown, append(quotes, v.At...)
		}
		quotes = append(quotes, v.At...)
	}
	return result, quotes
}

func (c *Condition) test(k known, v Value) truth {
	if len(c.Is) > 0 && !slices.Contains(c.Is, v.word()) {
		return no
	}
	if len(c.Not) > 0 && slices.Contains(c.Not, v.word()) {
		return no
	}
	for _, b := range []struct {
		bound string
		ok    func(int) bool
	}{
		{c.From, func(n int) bool { return n >= 0 }}, {c.To, func(n int) bool { return n <= 0 }},
		{c.After, func(n int) bool { return n > 0 }}, {c.Before, func(n int) bool { return n < 0 }},
	} {
		if b.bound == "" {
			continue
		}
		others := k.bound(b.bound, v.Kind)
		if len(others) == 0 {
			return unknown
		}
		for _, o := range others {
			if !b.ok(v.compare(o)) {
				return no
			}
		}
	}
	return yes
}

// word returns a value in the notation of rules.
func (v Value) word() string {
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

func (v Value) compare(o Value) int {
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

// ParseValue parses a value in the notation of rules. It reports false if the text is not of that kind.
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

// known are the facts of a paper, year or charge, by name.
type known map[string][]Value

func (k known) put(name string, v Value) { k[name] = []Value{v} }

func (k known) add(name string, v Value) {
	if !slices.ContainsFunc(k[name], func(o Value) bool { return o.word() == v.word() && o.Paise == v.Paise }) {
		k[name] = append(k[name], v)
	}
}

// one returns the value of a fact that has exactly one.
func (k known) one(name string) *Value {
	if len(k[name]) != 1 {
		return nil
	}
	return &k[name][0]
}

func (k known) clone() known {
	c := make(known, len(k)+4)
	for name, values := range k {
		c[name] = values
	}
	return c
}

// list sets a fact to the list of what of returns for each finding.
func (k known) list(name string, found []finding, of func(finding) string) {
	var all []string
	for _, f := range found {
		if w := of(f); w != "" && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	if len(all) > 0 {
		k.put(name, Value{Kind: Word, Text: strings.Join(all, ", ")})
	}
}

// perYear adds the year to days that differ between several years, "30.11.2024 (2020-21)".
func (k known) perYear(found []finding) {
	for name := range first(found) {
		if len(found) < 2 || !strings.HasPrefix(name, "year.") || kindOf(name) != Day {
			continue
		}
		var all []Value
		differ := false
		for _, f := range found {
			v := f.known.one(name)
			if v == nil {
				all = nil
				break
			}
			differ = differ || v.Day != first(found).one(name).Day
			all = append(all, Value{Kind: Day, Day: v.Day, Of: f.part.FY, At: v.At})
		}
		if differ && all != nil {
			k[name] = all
		}
	}
}

func first(found []finding) known { return found[0].known }

// bound returns the values of a bound, which is the name of a fact or a value.
func (k known) bound(text string, kind Kind) []Value {
	if kindOf(text) != 0 {
		return k[text]
	}
	if v, ok := ParseValue(kind, text); ok {
		return []Value{v}
	}
	return nil
}

// fill replaces {names} in a text by the facts; unknown ones become a blank. Dates are in the format of the language,
// "en" or "hi"; for a draft (""), in the format of offices.
func (k known) fill(text, language string) string {
	var b strings.Builder
	for {
		from := strings.IndexByte(text, '{')
		to := strings.IndexByte(text, '}')
		if from < 0 || to < from {
			b.WriteString(text)
			return strings.TrimSpace(b.String())
		}
		b.WriteString(text[:from])
		b.WriteString(k.shown(text[from+1:to], language))
		text = text[to+1:]
	}
}

func (k known) shown(name, language string) string {
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
			all = append(all, v.word())
		}
	}
	return strings.Join(all, ", ")
}

// byHead lists the heads of an amount in a pleading, " (CGST ₹5,000, SGST ₹5,000)"; "" elsewhere, and for less than two.
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
