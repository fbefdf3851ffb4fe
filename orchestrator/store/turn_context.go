package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

// TurnContext is what the prompts of a turn's steps may use.
type TurnContext struct {
	Kind         string
	Began        time.Time         // when the turn started, or was last restarted by a retry
	Message      string            // what the person wrote in this turn
	Inputs       map[string]string // the latest value of each of the plugin's inputs, by input id
	Notice       []turns.Page      // the conversation's notice
	Document     []turns.Page      // the document sent with this turn, if it is not the notice
	DocumentID   *uuid.UUID
	DocumentType string
	Language     string // of the answer, as a language code
	Facts        []byte // JSON of the notice's facts, empty if there are none
	History      []Message
	// the latest notes on the earlier part of the history, as stored in the answer's provenance; null if there are
	// none
	Earlier     json.RawMessage
	Required    []RequiredDocumentRow
	Authorities []Authority
	Kept        []string                   // the steps of this turn that have stored results
	Law         map[string]json.RawMessage // results of law searches, by "step sha"
	Mask        *bool                      // whether the person wants text masked; nil if they have not chosen
}

// readMask lets the next statement read the person's choice about masking, which the role munshi_app cannot read.
func readMask(workspace uuid.UUID) statement {
	return statement{"select set_config('app.mask', coalesce((select mask from workspaces where id = $1)::text, ''), true)", []any{workspace}}
}

// TurnContext returns what the turn's prompts may use.
func (s *Store) TurnContext(ctx context.Context, ref Ref) (TurnContext, error) {
	var m TurnContext
	var row db.MaterialsOfRow
	as, err := asWorkspace(ctx, ref.Workspace)
	if err != nil {
		return TurnContext{}, fmt.Errorf("gather what the turn speaks about: %w", err)
	}
	err = s.alone(ctx, []statement{asSystem(), readMask(ref.Workspace), asApp(), as}, func(q *db.Queries) (err error) {
		row, err = q.MaterialsOf(ctx, ref.Turn)
		return err
	})
	if err == nil {
		m, err = promptContextOf(row)
	}
	if err == nil && m.DocumentType != "" {
		m.Document, err = s.Pages(ctx, ref.Workspace, *m.DocumentID) // these pages do not change
	}
	if err == nil && row.Notice != "" {
		var notice uuid.UUID
		if notice, err = uuid.Parse(row.Notice); err == nil {
			m.Notice, err = s.Pages(ctx, ref.Workspace, notice)
		}
	}
	if err != nil {
		return TurnContext{}, fmt.Errorf("gather what the turn speaks about: %w", err)
	}
	return m, nil
}

func promptContextOf(row db.MaterialsOfRow) (TurnContext, error) {
	m := TurnContext{Kind: row.Turn.Kind, DocumentID: row.Turn.DocumentID, Began: began(row.Turn),
		DocumentType: row.DocumentType, Language: row.Turn.Language, Facts: []byte(row.Facts), Earlier: row.Earlier,
		Inputs: map[string]string{}, Kept: row.Kept}
	if row.Mask != "" {
		masked := row.Mask == "true"
		m.Mask = &masked
	}
	var messages []Message
	var given []json.RawMessage
	if err := errors.Join(json.Unmarshal(row.Messages, &messages), json.Unmarshal(row.Inputs, &given),
		json.Unmarshal(row.Required, &m.Required), json.Unmarshal(row.Authorities, &m.Authorities),
		json.Unmarshal(row.Law, &m.Law)); err != nil {
		return TurnContext{}, fmt.Errorf("decode what the turn speaks about: %w", err)
	}
	for _, msg := range messages {
		switch {
		case msg.TurnID == row.Turn.ID && msg.Role == "user":
			m.Message = msg.Text
		case msg.TurnID != row.Turn.ID && msg.State != "failed":
			m.History = append(m.History, msg)
		}
	}
	for _, raw := range given { // later values replace earlier ones
		if err := json.Unmarshal(raw, &m.Inputs); err != nil {
			return TurnContext{}, fmt.Errorf("decode the inputs: %w", err)
		}
	}
	return m, nil
}
