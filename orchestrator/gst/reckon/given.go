package reckon

import (
	"encoding/json"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// GivenWith returns what the person added to the notice, from its facts.
func GivenWith(f gst.Facts) Given {
	given := Given{Portions: f.Portions}
	if f.ServedOn != nil {
		given.Served = *f.ServedOn
	}
	return given
}

// WithLines adds to facts, given as JSON, what follows from them on a day in India, as plain sentences under
// "reckoning". It is for prompts, because models should not calculate. Facts that cannot be decoded are returned
// unchanged, and so are all facts if tables is nil.
func WithLines(tables *law.Tables, facts string, today time.Time) string {
	var known gst.Facts
	var fields map[string]json.RawMessage
	if tables == nil || json.Unmarshal([]byte(facts), &fields) != nil || json.Unmarshal([]byte(facts), &known) != nil ||
		fields == nil {
		return facts
	}
	lines, err := json.Marshal(Reckon(tables, known, GivenWith(known), law.DayOf(today)).Lines())
	if err != nil {
		return facts
	}
	fields["reckoning"] = lines
	delete(fields, "proposed") // has no effect until a person accepts it
	with, err := json.Marshal(fields)
	if err != nil {
		return facts
	}
	return string(with)
}
