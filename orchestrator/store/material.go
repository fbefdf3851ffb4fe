package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// Material is what a prompt step may speak about.
type Material struct {
	Kind         string
	Began        time.Time         // when the turn was begun, or begun again by a retry
	Message      string            // the person's words of this turn
	Inputs       map[string]string // what was given last for each of the plugin's inputs, by their ids
	Notice       []Page            // the conversation's notice
	Document     []Page            // the document handed in with this turn, when it is not the notice
	DocumentID   *uuid.UUID
	DocumentType string
	Facts        []byte // JSON of the notice's facts, nil when there are none
	History      []Message
	Required     []RequiredDocumentRow
	Authorities  []Authority
	Kept         bool // a step of the turn has kept what it made
}

// Material gathers what the turn's prompts speak about.
func (s *Store) Material(ctx context.Context, ref Ref) (Material, error) {
	var m Material
	err := s.reading(ctx, ref.Workspace, func(q *db.Queries) error {
		row, err := q.Matter(ctx, ref.Turn)
		if err != nil {
			return err
		}
		m = Material{Kind: row.Turn.Kind, DocumentID: row.Turn.DocumentID, Began: began(row.Turn), DocumentType: row.DocumentType,
			Facts: []byte(row.Facts), Inputs: map[string]string{}, Kept: row.Kept}
		var messages []Message
		var given []json.RawMessage
		if err := errors.Join(json.Unmarshal(row.Messages, &messages), json.Unmarshal(row.Inputs, &given),
			json.Unmarshal(row.Required, &m.Required), json.Unmarshal(row.Authorities, &m.Authorities)); err != nil {
			return fmt.Errorf("decode what the turn speaks about: %w", err)
		}
		for _, msg := range messages {
			switch {
			case msg.TurnID == ref.Turn && msg.Role == "user":
				m.Message = msg.Text
			case msg.TurnID != ref.Turn && msg.State != "failed":
				m.History = append(m.History, msg)
			}
		}
		for _, raw := range given { // a later form leaves nothing of an earlier one's fields, since it brings all of its own
			if err := json.Unmarshal(raw, &m.Inputs); err != nil {
				return fmt.Errorf("decode the inputs: %w", err)
			}
		}
		if m.DocumentType != "" {
			if m.Document, err = pages(ctx, q, *m.DocumentID); err != nil {
				return err
			}
		}
		if row.Notice == "" {
			return nil
		}
		notice, err := uuid.Parse(row.Notice)
		if err == nil {
			m.Notice, err = pages(ctx, q, notice)
		}
		return err
	})
	if err != nil {
		return Material{}, fmt.Errorf("gather what the turn speaks about: %w", err)
	}
	return m, nil
}
