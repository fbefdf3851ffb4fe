package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store/db"
)

// OperatorLinkLife is how long an operator link is valid.
const OperatorLinkLife = 24 * time.Hour

// An operator's session ends after operatorIdle without use; use is recorded at most once per operatorTouch.
const (
	operatorIdle  = 12 * time.Hour
	operatorTouch = 5 * time.Minute
)

// AddOperatorLink stores the hash of a key. Whoever has the key can become an operator once, within OperatorLinkLife.
func (s *Store) AddOperatorLink(ctx context.Context, key string) error {
	sha := sha256.Sum256([]byte(key))
	err := s.system(ctx, func(q *db.Queries) error {
		return q.AddOperatorLink(ctx, db.AddOperatorLinkParams{KeySha: sha[:],
			ExpiresAt: time.Now().Add(OperatorLinkLife)})
	})
	if err != nil {
		return fmt.Errorf("keep the operators' link: %w", err)
	}
	return nil
}

// UseOperatorLink uses up the link of a key and opens an operator's session for a token, of which only the hash is
// stored. ErrNotFound: there is no such link, or it was used or has expired.
func (s *Store) UseOperatorLink(ctx context.Context, key, token string) error {
	link, session := sha256.Sum256([]byte(key)), sha256.Sum256([]byte(token))
	err := s.system(ctx, func(q *db.Queries) error {
		n, err := q.UseOperatorLink(ctx, link[:])
		if err == nil && n == 0 {
			err = pgx.ErrNoRows
		}
		if err != nil {
			return err
		}
		return q.AddOperatorSession(ctx, session[:])
	})
	if err != nil {
		return fmt.Errorf("use the operators' link: %w", err)
	}
	return nil
}

// OperatorSession checks that a token belongs to an operator's session, and extends the session; name identifies it in
// logs. ErrNotFound: there is no such session, or it has expired.
func (s *Store) OperatorSession(ctx context.Context, token string) (name string, err error) {
	sha := sha256.Sum256([]byte(token))
	var seen time.Time
	err = s.systemLook(ctx, func(q *db.Queries) (err error) {
		seen, err = q.OperatorSession(ctx,
			db.OperatorSessionParams{TokenSha: sha[:], Since: time.Now().Add(-operatorIdle)})
		return err
	})
	if err == nil && time.Since(seen) >= operatorTouch {
		err = s.system(ctx, func(q *db.Queries) error { return q.TouchOperatorSession(ctx, sha[:]) })
	}
	if err != nil {
		return "", fmt.Errorf("look up the operator's session: %w", err)
	}
	return hex.EncodeToString(sha[:6]), nil
}

// EndOperatorSession ends a token's session, if there is one.
func (s *Store) EndOperatorSession(ctx context.Context, token string) error {
	sha := sha256.Sum256([]byte(token))
	err := s.system(ctx, func(q *db.Queries) error { return q.EndOperatorSession(ctx, sha[:]) })
	if err != nil {
		return fmt.Errorf("end the operator's session: %w", err)
	}
	return nil
}

// Recent is a turn as operators see it: without its text and its owner.
type Recent = db.RecentRunsRow

// RecentRuns returns the latest turns of all workspaces, latest first.
func (s *Store) RecentRuns(ctx context.Context, most int) ([]Recent, error) {
	var runs []Recent
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		runs, err = q.RecentRuns(ctx, int32(most))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read which turns ran: %w", err)
	}
	return runs, nil
}

// Question is what a model was asked in a step or a part of it, and its answer, exactly as saved.
type Question struct {
	Step, Part       string
	Question, Answer json.RawMessage
	At               time.Time
}

// Questions returns what models were asked in a turn of any workspace, in the order of the answers. They contain a
// person's words, and are kept as long as the conversation. An operator gets them for one turn only on request, and
// the audit log that the person can see records it with the operator's name. ErrNotFound: no such turn.
func (s *Store) Questions(ctx context.Context, turn uuid.UUID, operator string) ([]Question, error) {
	var questions []Question
	var owner uuid.UUID
	naming := statement{"select set_config('app.shown_turn', $1, true)", []any{turn.String()}}
	err := s.tx(ctx, []statement{{sql: "begin isolation level repeatable read, read only"}, asSystem(), naming},
		func(q *db.Queries) error {
			var err error
			if owner, err = q.TurnOwner(ctx, turn); err != nil {
				return err
			}
			rows, err := q.Questions(ctx, turn)
			for _, r := range rows {
				questions = append(questions,
					Question{Step: r.Step, Part: r.Part, Question: r.Question, Answer: r.Output, At: r.CreatedAt})
			}
			return err
		})
	if err == nil {
		err = s.Note(ctx, &owner, "questions_seen", map[string]any{"turn": turn, "operator": operator})
	}
	if err != nil {
		return nil, fmt.Errorf("read what was asked: %w", err)
	}
	return questions, nil
}
