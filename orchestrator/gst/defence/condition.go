package defence

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

// Condition is one requirement of a rule. Exactly one of Words, Without, Unless and Fact is set.
type Condition struct {
	Without string   `yaml:"without"` // none of these words is in the text
	Words   string   `yaml:"words"`   // one of these words, separated by "|", is in the charge (or in the paper, for a rule about the paper)
	Unless  string   `yaml:"unless"`  // if one of these words is in the text, the condition is uncertain
	With    string   `yaml:"with"`    // the sentence with the words, or with unless, must also have one of these
	But     string   `yaml:"but"`     // and none of these
	In      string   `yaml:"in"`      // InPaper: the words are searched for in the whole paper, even for a rule about a charge
	Fact    string   `yaml:"fact"`    // the name of a fact
	Is      []string `yaml:"is"`      // the fact is one of these
	Not     []string `yaml:"not"`     // the fact is none of these
	Has     []string `yaml:"has"`     // for a list: it contains one of these, or a part of one
	From    string   `yaml:"from"`    // the fact is not earlier or less than this value or fact
	To      string   `yaml:"to"`      // the fact is not later or more than this
	After   string   `yaml:"after"`   // the fact is later or more than this
	Before  string   `yaml:"before"`  // the fact is earlier or less than this
	Absent  bool     `yaml:"absent"`  // the fact is not printed anywhere
	Ask     Words    `yaml:"ask"`     // what to ask if the fact is not known
	Else    Words    `yaml:"else"`    // why the rule does not apply if the condition is false
}

// InPaper makes a condition search the whole paper, and not only its charge.
const InPaper = "paper"

type truth int

const (
	unknown truth = iota
	yes
	no
)

// holds reports whether the condition is met, and returns the words that prove it.
func (c *Condition) holds(s printed.Scope) (truth, []printed.Quote) {
	if c.In == InPaper {
		s = s.Wider()
	}
	switch {
	case c.Words != "":
		if at, ok := s.Says(c.Words, c.With, c.But); ok {
			return yes, []printed.Quote{at}
		}
		return no, nil
	case c.Without != "":
		if at, ok := s.Find(c.Without); ok {
			return no, []printed.Quote{at}
		}
		return yes, nil
	case c.Unless != "":
		find := s.Find
		if c.With != "" {
			find = func(words string) (printed.Quote, bool) { return s.Says(words, c.With, c.But) }
		}
		if at, ok := find(c.Unless); ok {
			return unknown, []printed.Quote{at}
		}
		return yes, nil
	}
	values := s.Known[c.Fact]
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
	result := c.test(s.Known, values[0])
	quotes := slices.Clone(values[0].At)
	for _, v := range values[1:] {
		if c.test(s.Known, v) != result {
			if rows := c.rowsOf(s); len(rows) > 0 {
				for _, r := range rows {
					quotes = append(quotes, r.At)
				}
				return yes, quotes // only for those rows
			}
			return unknown, append(quotes, v.At...)
		}
		quotes = append(quotes, v.At...)
	}
	return result, quotes
}

func (c *Condition) test(k printed.Known, v printed.Value) truth {
	if len(c.Is) > 0 && !slices.Contains(c.Is, v.Notation()) {
		return no
	}
	if len(c.Not) > 0 && slices.Contains(c.Not, v.Notation()) {
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
			if !b.ok(v.Compare(o)) {
				return no
			}
		}
	}
	return yes
}

// list sets a fact to all the different values that of returns for the findings.
func list(k printed.Known, name string, found []finding, of func(finding) string) {
	var all []string
	for _, f := range found {
		if w := of(f); w != "" && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	if len(all) > 0 {
		k.Put(name, printed.Value{Kind: printed.Word, Text: strings.Join(all, ", ")})
	}
}

// perYear adds the year to dates that differ from year to year, as in "30.11.2024 (2020-21)".
func perYear(k printed.Known, found []finding) {
	for name := range first(found) {
		if len(found) < 2 || !strings.HasPrefix(name, "year.") || printed.KindOf(name) != printed.Day {
			continue
		}
		var all []printed.Value
		differ := false
		for _, f := range found {
			v := f.known.One(name)
			if v == nil {
				all = nil
				break
			}
			differ = differ || v.Day != first(found).One(name).Day
			all = append(all, printed.Value{Kind: printed.Day, Day: v.Day, Of: f.part.FY, At: v.At})
		}
		if differ && all != nil {
			k[name] = all
		}
	}
}

func first(found []finding) printed.Known { return found[0].known }

// bound returns the values to which a condition compares a fact. text is the name of another fact, or a value.
func bound(k printed.Known, text string, kind printed.Kind) []printed.Value {
	if printed.KindOf(text) != 0 {
		return k[text]
	}
	if v, ok := printed.ParseValue(kind, text); ok {
		return []printed.Value{v}
	}
	return nil
}

// fill replaces {names} in a text by the facts; unknown ones become a blank. Dates are in the format of the language,
// "en" or "hi", and for a draft ("") in the format of offices.
func fill(k printed.Known, text, language string) string {
	var b strings.Builder
	for {
		from := strings.IndexByte(text, '{')
		to := strings.IndexByte(text, '}')
		if from < 0 || to < from {
			b.WriteString(text)
			return strings.TrimSpace(b.String())
		}
		b.WriteString(text[:from])
		b.WriteString(k.Shown(text[from+1:to], language))
		text = text[to+1:]
	}
}

// rowsOf returns the rows of a charge that are wholly on the condition's side of its date, if the charge has rows on
// both sides.
func (c *Condition) rowsOf(s printed.Scope) []printed.DatedRow {
	if c.Fact != "charge.span" {
		return nil
	}
	var rows []printed.DatedRow
	for _, r := range s.Rows {
		within := true
		for _, day := range []law.Day{r.First, r.Last} {
			within = within && c.test(s.Known, printed.Value{Kind: printed.Day, Day: day}) == yes
		}
		if within {
			rows = append(rows, r)
		}
	}
	if len(rows) == len(s.Rows) {
		return nil
	}
	return rows
}

// partOf returns the tax of the rows to which the conditions on a charge's period limit a rule. It is nil if they do
// not limit it.
func (r *Rule) partOf(s printed.Scope) *printed.Amount {
	for i := range r.Where {
		if rows := r.Where[i].rowsOf(s); len(rows) > 0 {
			var sum printed.Amount
			for _, row := range rows {
				sum += row.Tax
			}
			return &sum
		}
	}
	return nil
}
