package gst

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
)

// Every field is read in the same way. Everything in the text with the format of its value is a candidate, and the
// words around it count for or against it, each with a weight. The best candidate wins if its score is high enough
// and no other comes close. The weights are kept, to explain the result and, if nothing won, to offer the candidates
// to a person.

// Candidate is a value in the text that may be the value of a field.
type Candidate struct {
	Value string   `json:"value"` // in the format of the field
	Page  int      `json:"page"`
	Quote string   `json:"quote"` // the value with the words around it
	Score float64  `json:"score"`
	Why   []string `json:"why"` // the reasons with their weights
}

// candidate is a Candidate that is being scored.
type candidate struct {
	span         // of the value
	quote   span // look-alike letters in it were corrected
	value   string
	score   float64
	why     []string
	repairs bool   // look-alike letters in it were corrected
	rfn     bool   // a number given by the portal
	how     string // how a name was found
}

// weigh adds a weight for or against a candidate, with its reason. A weight of 0 is not recorded.
func (c *candidate) weigh(weight float64, why string) {
	if weight != 0 {
		c.score += weight
		c.why = append(c.why, fmt.Sprintf("%+g %s", weight, why))
	}
}

const mostCandidates = 10 // that are kept for a field

// consider adds the candidates of a field to those kept for the explanation, and returns them sorted, the best first.
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

// best returns the winner among sorted candidates: its score must be at least least, and it must lead every candidate
// with a different value by at least margin.
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

// likeliest returns the winner among sorted candidates with learned weights: a candidate that is likely enough, or a
// less likely one if every other value is far less likely.
func likeliest(sorted []candidate, least float64) (candidate, bool) {
	const even, lead = 1.5, 1.5 // how much less is enough, and how far behind the others must be
	if won, ok := best(sorted, logit(least), 0); ok {
		return won, true
	}
	return best(sorted, logit(least)-even, lead)
}

const leastOffered = -7.0 // the least score for offering a candidate with learned weights

// offer puts the candidates of a field that stayed open into the facts, for a person to choose from: one for each
// plausible value.
func (r *reading) offer(field string) {
	least := leastOffered
	switch field {
	case "demand":
		least = -40 // a person sees at once which sum is right
	case "hearing":
		least = leastHeard
	}
	var open []Candidate
	for _, c := range r.considered[field] {
		if field == "reply_due" && r.facts.Hearing != nil && c.Value == r.facts.Hearing.Date {
			continue // the purpose of that day is known
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

// Explanation is the facts with the candidates of each field, the best first, and their weights.
type Explanation struct {
	Facts      Facts
	Considered map[string][]Candidate // by the name of the field
}

// Explain reads the pages like Read and also returns how the candidates were weighed.
func Explain(t *law.Tables, pages []Page, corrections ...Correction) Explanation {
	r := read(t, pages, corrections)
	return Explanation{Facts: r.facts, Considered: r.considered}
}

// String returns the explanation as text, field by field.
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
