package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"munshi/orchestrator/store/db"
)

// Backlog is the unfinished work of all workspaces.
type Backlog struct {
	Turns   map[string]int // by state, queued and running
	Reading int            // documents being read or waiting to be read
}

// Backlog counts unfinished work.
func (s *Store) Backlog(ctx context.Context) (Backlog, error) {
	b := Backlog{Turns: map[string]int{"queued": 0, "running": 0}}
	err := s.system(ctx, func(q *db.Queries) error {
		rows, err := q.OpenByState(ctx)
		if err != nil {
			return err
		}
		for _, r := range rows {
			b.Turns[r.State] = int(r.Turns)
		}
		reading, err := q.ReadingQueue(ctx)
		b.Reading = int(reading)
		return err
	})
	if err != nil {
		return Backlog{}, fmt.Errorf("count the open turns: %w", err)
	}
	return b, nil
}

// Stat returns the usage of the connection pool.
func (s *Store) Stat() *pgxpool.Stat { return s.pool.Stat() }
