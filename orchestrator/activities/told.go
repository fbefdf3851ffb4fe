package activities

import (
	"encoding/json"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/turns"
)

// Told returns the facts of a notice, given as JSON, with what follows from them on a day in India: under "reckoning"
// the days and amounts as plain sentences, because models should not calculate, and under "points" what the rules about
// defences find. files adds what the taxpayer's files come to; it may be nil. Facts that cannot be decoded are returned
// unchanged, and so are all facts if tables is nil; without rules there are no points.
func Told(tables *law.Tables, rules []defence.Rule, facts string, pages []turns.Page, today time.Time,
	files func(gst.Facts) (gst.Facts, error)) (string, error) {
	var known gst.Facts
	var fields map[string]json.RawMessage
	if tables == nil || json.Unmarshal([]byte(facts), &fields) != nil || json.Unmarshal([]byte(facts), &known) != nil ||
		fields == nil {
		return facts, nil
	}
	delete(fields, "proposed") // has no effect until a person accepts it
	add := func(name string, value any) (err error) {
		fields[name], err = json.Marshal(value)
		return err
	}
	day := law.DayOf(today)
	err := add("reckoning", reckon.Reckon(tables, known, reckon.GivenWith(known), day).Lines())
	if err == nil && len(rules) > 0 {
		if files != nil {
			if known, err = files(known); err != nil {
				return facts, err
			}
		}
		err = add("points", defence.ForPrompt(rules, tables, known, GSTPages(pages), day))
	}
	if err != nil {
		return facts, err
	}
	with, err := json.Marshal(fields)
	return string(with), err
}
