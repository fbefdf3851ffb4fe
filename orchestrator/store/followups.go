package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// FollowUp is the wait for a conversation's required documents.
type FollowUp = db.FollowUp

// Reminded is a date about which the person was reminded, and how many days before it.
type Reminded = db.RemindedRow

// Awaiting is the state of a follow-up.
type Awaiting struct {
	FollowUp  FollowUp
	Documents []RequiredDocumentRow
	News      time.Time // when a document was last requested or received
	Facts     []byte    // JSON of the notice's facts, nil when there are none
	Reminded  []Reminded
}

// Awaiting returns the state of the conversation's follow-up. ErrNotFound: there never was one.
func (s *Store) Awaiting(ctx context.Context, workspace, conversation uuid.UUID) (Awaiting, error) {
	var w Awaiting
	err := s.reading(ctx, workspace, func(q *db.Queries) (err error) {
		if w.FollowUp, err = q.FollowUp(ctx, conversation); err != nil {
			return err
		}
		if w.Documents, err = q.RequiredDocuments(ctx, conversation); err != nil {
			return err
		}
		if w.News, err = q.FollowUpNews(ctx, conversation); err != nil {
			return err
		}
		if w.Facts, err = noticeFacts(ctx, q, conversation, now()); err != nil {
			return err
		}
		w.Reminded, err = q.Reminded(ctx, conversation)
		return err
	})
	if err != nil {
		return Awaiting{}, fmt.Errorf("look where the follow-up stands: %w", err)
	}
	return w, nil
}

// CloseFollowUp records that the person no longer waits for documents. ErrNotFound: nothing is awaited.
func (s *Store) CloseFollowUp(ctx context.Context, workspace, conversation uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.CloseFollowUp(ctx, conversation)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("close the follow-up: %w", err)
	}
	return nil
}

// EndFollowUp ends the wait as complete, closed or expired. It returns false if documents are awaited again, or never
// were.
func (s *Store) EndFollowUp(ctx context.Context, workspace, conversation uuid.UUID,
	ending string) (ended bool, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.EndFollowUp(ctx, db.EndFollowUpParams{ConversationID: conversation, Ending: ending})
		if ended = n == 1; err == nil && ended {
			err = q.Notify(ctx, conversation)
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("end the follow-up: %w", err)
	}
	return ended, nil
}

// OpenFollowUp is a waiting follow-up, with what the reconciler needs.
type OpenFollowUp struct {
	Workspace, Conversation uuid.UUID
	Plugin                  string
}

// UncheckedFollowUps returns some waiting follow-ups of all workspaces that have not been woken for some time, longest
// ago first: since before, or since closedBefore if the person has closed them. It returns them again after a minute,
// unless WokeFollowUp has marked them as woken by then.
func (s *Store) UncheckedFollowUps(ctx context.Context, before, closedBefore time.Time) ([]OpenFollowUp, error) {
	var list []OpenFollowUp
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.EndWatches(ctx); err != nil {
			return err
		}
		rows, err := q.UncheckedFollowUps(ctx, db.UncheckedFollowUpsParams{Before: before, ClosedBefore: closedBefore})
		for _, r := range rows {
			list = append(list, OpenFollowUp{r.WorkspaceID, r.ConversationID, r.Plugin})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the follow-ups to wake: %w", err)
	}
	return list, nil
}

// WokeFollowUp notes that the workflow of a waiting follow-up was woken now.
func (s *Store) WokeFollowUp(ctx context.Context, conversation uuid.UUID) error {
	err := s.system(ctx, func(q *db.Queries) error { return q.WokeFollowUp(ctx, conversation) })
	if err != nil {
		return fmt.Errorf("note that a follow-up was woken: %w", err)
	}
	return nil
}
