package defence

import (
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

// PromptPoint is a point as prompts and the offline engine have it.
type PromptPoint struct {
	Provision string          `json:"provision"`
	Title     string          `json:"title"`
	Verdict   string          `json:"verdict"`
	Strength  string          `json:"strength"`
	Amount    string          `json:"takes_away,omitempty"`
	Remains   string          `json:"remains,omitempty"`
	Years     []printed.For   `json:"for,omitempty"`
	Because   []printed.Quote `json:"because"`
	Ask       string          `json:"ask,omitempty"`
	Explain   string          `json:"explanation"`
	Plead     string          `json:"plead"`
	Hindi     Hindi           `json:"hi"` // for the offline engine; models do not get it
}

// Limits on the points in a prompt: those after the first few decide nothing, and every word costs money in each turn
// of the conversation.
const (
	mostPoints = 6
	mostQuotes = 2 // of a point
)

// ForPrompt returns the points that apply or may apply, the strongest first, with which prompts begin.
func ForPrompt(rules []Rule, tables *law.Tables, f gst.Facts, pages []gst.Page, today law.Day) []PromptPoint {
	list := []PromptPoint{}
	for _, p := range Evaluate(rules, tables, f, pages, today) {
		if p.Verdict == DoesNotApply || len(list) == mostPoints {
			break // these come last
		}
		t := PromptPoint{Provision: p.Provision, Title: p.Title, Verdict: p.Verdict, Strength: p.Strength,
			Because: p.Because[:min(mostQuotes, len(p.Because))], Ask: p.Ask, Explain: p.Explain, Plead: p.Plead,
			Years: p.For, Hindi: p.Hindi}
		if p.Amount != nil {
			t.Amount = p.Amount.String()
		}
		if p.Remains != nil {
			t.Remains = p.Remains.String()
		}
		list = append(list, t)
	}
	return list
}
