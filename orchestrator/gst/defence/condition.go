package defence

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
)

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
		s = s.wider()
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
		others := bound(k, b.bound, v.Kind)
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

// list sets a fact to the list of what of returns for each finding.
func list(k known, name string, found []finding, of func(finding) string) {
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
func perYear(k known, found []finding) {
	for name := range first(found) {
		if len(found) < 2 || !strings.HasPrefix(name, "year.") || KindOf(name) != Day {
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
func bound(k known, text string, kind Kind) []Value {
	if KindOf(text) != 0 {
		return k[text]
	}
	if v, ok := ParseValue(kind, text); ok {
		return []Value{v}
	}
	return nil
}

// fill replaces {names} in a text by the facts; unknown ones become a blank. Dates are in the format of the language,
// "en" or "hi"; for a draft (""), in the format of offices.
func fill(k known, text, language string) string {
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

// rowsOf returns the rows of a charge that lie wholly on a condition's side of its day, where the charge as a whole lies
// on both.
func (c *Condition) rowsOf(s scope) []datedRow {
	if c.Fact != "charge.span" {
		return nil
	}
	var rows []datedRow
	for _, r := range s.rows {
		within := true
		for _, day := range []law.Day{r.first, r.last} {
			within = within && c.test(s.known, Value{Kind: Day, Day: day}) == yes
		}
		if within {
			rows = append(rows, r)
		}
	}
	if len(rows) == len(s.rows) {
		return nil
	}
	return rows
}

// partOf returns the tax of the rows to which the conditions on a charge's period limit a rule, nil if they do not.
func (r *Rule) partOf(s scope) *Amount {
	for i := range r.Where {
		if rows := r.Where[i].rowsOf(s); len(rows) > 0 {
			var sum Amount
			for _, row := range rows {
				sum += row.tax
			}
			return &sum
		}
	}
	return nil
}
