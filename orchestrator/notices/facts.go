// Package notices is what the product knows of a notice beyond its words: facts and what follows from them (the brief),
// what is wrong with a text about it (checks), the reply with its draft, templates that are filled in from it, dates
// that a text lists, and Word files. It computes with package gst and keeps in the store; it asks no model.
package notices

import (
	"encoding/json"
	"fmt"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// FactExtractor reads facts from pages, and checks texts against them and the law.
type FactExtractor struct {
	Tables  *law.Tables
	Statute func() *statute.Law // with which quotations of the law are compared; nil: they are not
}

var _ workflows.Law = FactExtractor{}

// Facts implements workflows.Law.
func (x FactExtractor) Facts(pages []turns.Page) (json.RawMessage, string, error) {
	facts := x.Read(pages)
	raw, err := json.Marshal(facts)
	if err != nil {
		return nil, "", fmt.Errorf("encode the facts: %w", err)
	}
	return raw, facts.Title(), nil
}

// Read returns the facts of a notice.
func (x FactExtractor) Read(pages []turns.Page) gst.Facts {
	return gst.Read(x.Tables, activities.GSTPages(pages))
}

// Explain returns what was weighed for each field of a notice.
func (x FactExtractor) Explain(pages []turns.Page) gst.Explanation {
	return gst.Explain(x.Tables, activities.GSTPages(pages))
}

// How much of the law a prompt is told.
const (
	mostPassages = 6
	mostOfLaw    = 12_000 // bytes, some 3,000 tokens
)

// Passages implements workflows.Law: what the question cites comes first, or the notice where there is one, then what the search finds,
// as on the last day of the notice's period, else as on the day of the turn.
func (x FactExtractor) Passages(about workflows.PromptContext) ([]turns.LawPassage, error) {
	found := []turns.LawPassage{}
	if x.Statute == nil {
		return found, nil
	}
	context := citeContext(about.Facts, about.Today)
	need := statute.Need{Words: about.Message, On: context.Today, Most: mostPassages, Bytes: mostOfLaw}
	if n := context.Notice; n != nil && n.To != "" && n.To < need.On {
		need.On = n.To
	}
	if context.Notice == nil {
		known := answer.New(x.Statute, func() *law.Tables { return x.Tables })
		if ofGST, err := known.IsOfGST(about.Message, about.Inputs["area"], law.DayOf(about.Today)); err != nil || !ofGST {
			return found, err
		}
	}
	for _, m := range x.Tables.Index.Check(about.Message, context) {
		if c, ok := citedBy(m); ok && c.Act != "" {
			need.Cited = append(need.Cited, c)
		}
	}
	passages, err := x.Statute().Gather(need)
	if err != nil {
		return nil, fmt.Errorf("gather the law for a prompt: %w", err)
	}
	for _, p := range passages {
		found = append(found, turns.LawPassage{Name: p.Name, Heading: p.Heading, Says: p.Digest, Words: p.Words, From: p.From, Until: p.Until, Status: p.Status})
	}
	return found, nil
}
