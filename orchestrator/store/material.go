package store

import (
	"context"
	"encoding/json"
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
}

// Material gathers what the turn's prompts speak about.
func (s *Store) Material(ctx context.Context, ref Ref) (Material, error) {
	var m Material
	err := s.reading(ctx, ref.Workspace, func(q *db.Queries) error {
		turn, err := q.Turn(ctx, ref.Turn)
		if err != nil {
			return err
		}
		m.Kind, m.DocumentID, m.Began = turn.Kind, turn.DocumentID, began(turn)
		var notice *db.Document
		if turn.DocumentID != nil {
			d, err := q.Document(ctx, *turn.DocumentID)
			if err != nil {
				return err
			}
			if d.Type == "" {
				notice = &d // the turn brought the notice it is about
			} else {
				m.DocumentType = d.Type
				if m.Document, err = pages(ctx, q, d.ID); err != nil {
					return err
				}
			}
		}
		if notice == nil {
			if notice, err = optional(q.NoticeOf(ctx, db.NoticeOfParams{ConversationID: ref.Conversation, Until: turn.CreatedAt})); err != nil {
				return err
			}
		}
		if notice != nil {
			if m.Notice, err = pages(ctx, q, notice.ID); err != nil {
				return err
			}
			facts, err := optional(q.Facts(ctx, notice.ID))
			if err != nil {
				return err
			}
			if facts != nil {
				m.Facts = *facts
			}
		}
		// A turn that is done again later knows no more of the conversation than it did.
		messages, err := q.Messages(ctx, db.MessagesParams{ConversationID: ref.Conversation, Until: turn.CreatedAt})
		if err != nil {
			return err
		}
		for _, msg := range messages {
			switch {
			case msg.TurnID == ref.Turn && msg.Role == "user":
				m.Message = msg.Text
			case msg.TurnID != ref.Turn && msg.State != "failed":
				m.History = append(m.History, msg)
			}
		}
		given, err := q.InputsOf(ctx, db.InputsOfParams{ConversationID: ref.Conversation, Until: turn.CreatedAt, TurnID: ref.Turn})
		if err != nil {
			return err
		}
		m.Inputs = map[string]string{}
		for _, raw := range given { // a later form leaves nothing of an earlier one's fields, since it brings all of its own
			if err := json.Unmarshal(raw, &m.Inputs); err != nil {
				return fmt.Errorf("decode the inputs: %w", err)
			}
		}
		if m.Required, err = q.RequiredDocuments(ctx, ref.Conversation); err != nil {
			return err
		}
		m.Authorities, err = q.Authorities(ctx, ref.Conversation)
		return err
	})
	if err != nil {
		return Material{}, fmt.Errorf("gather what the turn speaks about: %w", err)
	}
	return m, nil
}
