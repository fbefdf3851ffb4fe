package defence

import (
	"encoding/json"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
)

// promptPoint is a point in the form for prompts and the offline engine.
type promptPoint struct {
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

// Limits on the points in a prompt: those after the first few decide nothing, and every word costs money in each
// turn.
const (
	mostPoints = 6
	mostQuotes = 2 // of a point
)

// WithPoints adds the points that apply or may apply to facts in JSON, under "points", the strongest first. Prompts
// begin with these facts. Facts that cannot be decoded are returned unchanged, and so are all facts if there are no
// rules. compared is the result of the comparison of the taxpayer's files.
func WithPoints(rules []Rule, tables *law.Tables, facts string, compared []gst.Reconciled, pages []gst.Page,
	today law.Day) string {
	var known gst.Facts
	var fields map[string]json.RawMessage
	if len(rules) == 0 || tables == nil || json.Unmarshal([]byte(facts), &fields) != nil ||
		json.Unmarshal([]byte(facts), &known) != nil || fields == nil {
		return facts
	}
	known.Reconciled = compared
	list := []promptPoint{}
	for _, p := range Evaluate(rules, tables, known, pages, today) {
		if p.Verdict == DoesNotApply || len(list) == mostPoints {
			break // these come last
		}
		t := promptPoint{Provision: p.Provision, Title: p.Title, Verdict: p.Verdict, Strength: p.Strength,
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
	points, err := json.Marshal(list)
	if err != nil {
		return facts
	}
	fields["points"] = points
	with, err := json.Marshal(fields)
	if err != nil {
		return facts
	}
	return string(with)
}
