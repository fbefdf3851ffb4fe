package reckon

import (
	"encoding/json"
	"time"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// GivenWith returns what the person added to the notice, as its facts keep it.
func GivenWith(f gst.Facts) Given {
	given := Given{Portions: f.Portions}
	if f.ServedOn != nil {
		given.Served = *f.ServedOn
	}
	return given
}

// WithLines adds to facts, as JSON, what follows from them on a day in India, in plain sentences under "reckoning": for prompts,
// which are not to count, and get the sentences of the facts without their codes. Facts that cannot be read stay as they are, and so do all where tables is nil.
func WithLines(tables *law.Tables, facts string, today time.Time) string {
	var known gst.Facts
	var fields map[string]json.RawMessage
	if tables == nil || json.Unmarshal([]byte(facts), &fields) != nil || json.Unmarshal([]byte(facts), &known) != nil || fields == nil {
		return facts
	}
	lines, err := json.Marshal(Reckon(tables, known, GivenWith(known), law.DayOf(today)).Lines())
	if err != nil {
		return facts
	}
	fields["reckoning"] = lines
	withoutCodes(known, fields)
	with, err := json.Marshal(fields)
	if err != nil {
		return facts
	}
	return string(with)
}

// withoutCodes puts facts without the codes of their sentences in the place of those with them: who reads the lines has
// the sentences.
func withoutCodes(known gst.Facts, fields map[string]json.RawMessage) {
	for i := range known.Flags {
		known.Flags[i].Said = message.Message{}
	}
	known.ReplyDue.Said = message.Message{}
	for name, value := range map[string]any{"flags": known.Flags, "reply_due": known.ReplyDue} {
		plain, err := json.Marshal(value)
		if _, ok := fields[name]; ok && err == nil {
			fields[name] = plain
		}
	}
}
