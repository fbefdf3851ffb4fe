package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// A visitor's session lives this long after it was last used, and is renewed at most once an hour.
const (
	sessionLife  = 180 * 24 * time.Hour
	sessionTouch = time.Hour
)

// NewVisitor makes a workspace for someone unknown and opens a session for the token, of which only the hash is kept.
func (s *Store) NewVisitor(ctx context.Context, token string) (uuid.UUID, error) {
	id, sha := newID(), sha256.Sum256([]byte(token))
	err := s.system(ctx, func(q *db.Queries) error {
		if err := q.CreateWorkspace(ctx, db.CreateWorkspaceParams{ID: id, Kind: "visitor"}); err != nil {
			return err
		}
		return q.CreateSession(ctx, db.CreateSessionParams{TokenSha: sha[:], WorkspaceID: id, ExpiresAt: time.Now().Add(sessionLife)})
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("create a visitor: %w", err)
	}
	return id, nil
}

// Session gives the workspace that the token's session belongs to, and renews it. ErrNotFound: unknown or expired.
func (s *Store) Session(ctx context.Context, token string) (uuid.UUID, error) {
	sha := sha256.Sum256([]byte(token))
	var row db.SessionRow
	err := s.systemLook(ctx, func(q *db.Queries) (err error) {
		row, err = q.Session(ctx, sha[:])
		return err
	})
	if err == nil && time.Since(row.SeenAt) >= sessionTouch {
		err = s.system(ctx, func(q *db.Queries) error {
			return q.TouchSession(ctx, db.TouchSessionParams{TokenSha: sha[:], ExpiresAt: time.Now().Add(sessionLife)})
		})
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("look up the session: %w", err)
	}
	return row.WorkspaceID, nil
}
