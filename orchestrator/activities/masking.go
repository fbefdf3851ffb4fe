package activities

import (
	"encoding/json"
	"slices"

	"munshi/orchestrator/mask"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Masking says for whom names and numbers are masked before text goes to a provider: "off", "on" or "always"; "" if no
// text leaves the machine.
type Masking string

// wanted reports whether to mask for a person who has made this choice (nil for none).
func (m Masking) wanted(said *bool) bool {
	if m == "" || m == "always" || said == nil {
		return m == "always" || m == "on"
	}
	return *said
}

// private returns the names and numbers that the material of a turn contains: those in the facts, as read or
// corrected, and the numbers on its pages. The order does not change unless the material changes.
func private(m workflows.PromptContext) []string {
	type party struct {
		Legal   *string `json:"legal_name"`
		Trade   *string `json:"trade_name"`
		GSTIN   *string `json:"gstin"`
		Officer struct {
			Name *string `json:"name"`
		} `json:"officer"`
	}
	var known struct {
		party
		Corrected map[string]json.RawMessage `json:"corrected"`
	}
	private := []string{} // not nil, which would turn masking off
	_ = json.Unmarshal([]byte(m.Facts), &known)
	for _, name := range []*string{known.Legal, known.Trade, known.GSTIN, known.Officer.Name} {
		if name != nil {
			private = append(private, *name)
		}
	}
	for _, field := range []string{"legal_name", "trade_name", "gstin"} {
		var read string
		if json.Unmarshal(known.Corrected[field], &read) == nil && read != "" {
			private = append(private, read)
		}
	}
	for _, pages := range [][]turns.Page{m.Notice, m.Document} {
		for _, p := range pages {
			private = append(private, mask.Numbers(p.Text)...)
		}
	}
	return private
}

// masked returns the messages of a question as a provider gets them, and the mask that was applied; nil if none was.
func masked(q workflows.Question) ([]turns.Utterance, *mask.Mask) {
	if q.Private == nil {
		return q.Messages, nil
	}
	texts := make([]string, len(q.Messages))
	for i, m := range q.Messages {
		texts[i] = m.Text
	}
	m := mask.New(q.Private, texts...)
	hidden := slices.Clone(q.Messages)
	for i := range hidden {
		hidden[i].Text = m.Hide(hidden[i].Text)
	}
	return hidden, m
}
