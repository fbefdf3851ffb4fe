package gst

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
)

// A field is read in one way: everything in the text that has the shape of its value is a candidate; what stands around
// a candidate speaks for it or against it, each with a weight; the best one wins if enough speaks for it and no other
// comes near. What was weighed is kept, so that it can be explained and, where nothing won, be put to a person.

// Candidate is a value that stands in the text and may be what a field asks for.
type Candidate struct {
	Value string   `json:"value"` // as the field would hold it
	Page  int      `json:"page"`
	Quote string   `json:"quote"` // the value in its surroundings
	Score float64  `json:"score"`
	Why   []string `json:"why"` // what was weighed, with its weight
}

// candidate is one that is being weighed.
type candidate struct {
	span         // of the value
	quote   span // of the value in its surroundings
	value   string
	score   float64
	why     []string
	repairs bool   // look-alikes in it were set right
	rfn     bool   // a number of the portal
	how     string // a name was found
}

// weigh counts what speaks for a candidate, or against it.
func (c *candidate) weigh(weight float64, why string) {
	if weight != 0 {
		c.score += weight
		c.why = append(c.why, fmt.Sprintf("%+g %s", weight, why))
	}
}

const mostCandidates = 10 // that are kept of a field

// consider keeps the candidates of a field, best first, and gives them back so.
func (r *reading) consider(field string, all []candidate) []candidate {
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	kept := r.considered[field]
	for _, c := range all {
		if len(kept) >= mostCandidates {
			break
		}
		if c.quote.end <= c.quote.start {
			c.quote = c.span
		}
		page := 0
		quote := ""
		if c.quote.end > c.quote.start {
			page, quote = r.doc.page(c.start), r.doc.quote(c.quote)
		}
		kept = append(kept, Candidate{Value: c.value, Page: page, Quote: quote, Score: c.score, Why: c.why})
	}
	slices.SortStableFunc(kept, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	r.considered[field] = kept
	return all
}

// best returns the winner among candidates that are sorted: it has at least the score, and leads every candidate of
// another value by at least the margin.
func best(sorted []candidate, least, margin float64) (candidate, bool) {
	if len(sorted) == 0 || sorted[0].score < least {
		return candidate{}, false
	}
	for _, other := range sorted[1:] {
		if other.value != sorted[0].value && sorted[0].score-other.score < margin {
			return candidate{}, false
		}
	}
	return sorted[0], true
}

// likeliest returns the winner among candidates that were weighed by what was learned: one that is likely by itself, or
// one that is less likely where every other value is far less likely still.
func likeliest(sorted []candidate, least float64) (candidate, bool) {
	const even, lead = 1.5, 1.5 // how much less is enough, and by how much the others stay behind
	if won, ok := best(sorted, logit(least), 0); ok {
		return won, true
	}
	return best(sorted, logit(least)-even, lead)
}

const leastOffered = -7.0 // the weight from which a candidate of a question that was learned is offered

// offer leaves the candidates of a field that stayed open to a person, one of each value that is not absurd.
func (r *reading) offer(field string) {
	least := leastOffered
	switch field {
	case "demand":
		least = -40 // a person sees at once which sum it is
	case "hearing":
		least = leastHeard
	}
	var open []Candidate
	for _, c := range r.considered[field] {
		if field == "reply_due" && r.facts.Hearing != nil && c.Value == r.facts.Hearing.Date {
			continue // it is settled what that day is for
		}
		if c.Score > least && !slices.ContainsFunc(open, func(o Candidate) bool { return o.Value == c.Value }) {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return
	}
	if r.facts.Candidates == nil {
		r.facts.Candidates = map[string][]Candidate{}
	}
	r.facts.Candidates[field] = open[:min(len(open), mostOffered)]
}

const mostOffered = 5 // candidates of a field

// Explanation is what was weighed for each field, best first, beside the facts that came of it.
type Explanation struct {
	Facts      Facts
	Considered map[string][]Candidate // by the name of the field
}

// Explain reads as Read does, and tells what was weighed.
func Explain(t *law.Tables, pages []Page, corrections ...Correction) Explanation {
	r := read(t, pages, corrections)
	return Explanation{Facts: r.facts, Considered: r.considered}
}

// String writes the explanation for a person, field by field.
func (e Explanation) String() string {
	var b strings.Builder
	fields := make([]string, 0, len(e.Considered))
	for field := range e.Considered {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	for _, field := range fields {
		fmt.Fprintf(&b, "%s\n", field)
		for _, c := range e.Considered[field] {
			fmt.Fprintf(&b, "  %5.1f  %s  (page %d: %q)\n", c.Score, c.Value, c.Page, c.Quote)
			for _, why := range c.Why {
				fmt.Fprintf(&b, "         %s\n", why)
			}
		}
	}
	return b.String()
}
