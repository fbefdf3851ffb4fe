package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store/db"
)

// OperatorLinkLife is how long a link for operators can be used.
const OperatorLinkLife = 24 * time.Hour

// An operator's session ends when it was not used for this long; its use is noted at most this often.
const (
	operatorIdle  = 12 * time.Hour
	operatorTouch = 5 * time.Minute
)

// AddOperatorLink has whoever holds the key become an operator, once and soon. Only the key's hash is kept.
func (s *Store) AddOperatorLink(ctx context.Context, key string) error {
	sha := sha256.Sum256([]byte(key))
	err := s.system(ctx, func(q *db.Queries) error {
		return q.AddOperatorLink(ctx, db.AddOperatorLinkParams{KeySha: sha[:], ExpiresAt: time.Now().Add(OperatorLinkLife)})
	})
	if err != nil {
		return fmt.Errorf("keep the operators' link: %w", err)
	}
	return nil
}

// UseOperatorLink uses up the link of the key and opens an operator's session for the token, of which only the hash is kept.
// ErrNotFound: there is no such link, or it was used, or is too old.
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

// OperatorSession looks whether the token's session is an operator's, and keeps it alive. ErrNotFound: it is none, or was left
// unused for too long.
func (s *Store) OperatorSession(ctx context.Context, token string) error {
	sha := sha256.Sum256([]byte(token))
	var seen time.Time
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		seen, err = q.OperatorSession(ctx, db.OperatorSessionParams{TokenSha: sha[:], Since: time.Now().Add(-operatorIdle)})
		return err
	})
	if err == nil && time.Since(seen) >= operatorTouch {
		err = s.system(ctx, func(q *db.Queries) error { return q.TouchOperatorSession(ctx, sha[:]) })
	}
	if err != nil {
		return fmt.Errorf("look up the operator's session: %w", err)
	}
	return nil
}

// EndOperatorSession ends the token's session; to end none is no error.
func (s *Store) EndOperatorSession(ctx context.Context, token string) error {
	sha := sha256.Sum256([]byte(token))
	err := s.system(ctx, func(q *db.Queries) error { return q.EndOperatorSession(ctx, sha[:]) })
	if err != nil {
		return fmt.Errorf("end the operator's session: %w", err)
	}
	return nil
}

// Recent is a turn as operators see it: nothing of its words, nor whose it is.
type Recent = db.RecentRunsRow

// RecentRuns gives the latest turns of all workspaces, latest first.
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
