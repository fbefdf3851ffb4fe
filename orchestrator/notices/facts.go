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
