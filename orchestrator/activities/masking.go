package activities

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"munshi/orchestrator/mask"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Masking knows whose names and numbers are masked before a text goes to a provider.
type Masking struct {
	Store *store.Store
	Mode  string // off, on, always; "" where nothing leaves the machine
}

// wanted tells whether it is to be done for a workspace.
func (m Masking) wanted(ctx context.Context, workspace string) (bool, error) {
	if m.Mode == "" || m.Mode == "always" {
		return m.Mode == "always", nil
	}
	id, err := uuid.Parse(workspace)
	if err != nil {
		return false, BadID(err)
	}
	if id, err = m.Store.Owner(ctx, id); err != nil {
		return false, Fenced(ctx, m.Store, id, err)
	}
	said, err := m.Store.Mask(ctx, id)
	if err != nil {
		return false, Fenced(ctx, m.Store, id, err)
	}
	if said == nil {
		return m.Mode == "on", nil
	}
	return *said, nil
}

// private gives the names and numbers that the material of a turn is known to hold, in an order that stays the same
// while it does: those of the facts, read or corrected, and the numbers of its pages.
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
	private := []string{} // not nil: something is to be masked
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

// masked gives the messages of a question as a provider may see them, and the mask that they were given; nil: none.
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
