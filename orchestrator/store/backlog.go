package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"munshi/orchestrator/store/db"
)

// Backlog is the unfinished work of all workspaces, and what it has cost today.
type Backlog struct {
	Turns        map[string]int // by state, queued and running
	Oldest       time.Duration  // how long the queued turn that was accepted first has waited; 0 if none waits
	Reading      int            // documents being read or waiting to be read
	Overdue      int            // waiting follow-ups that were last woken before a time
	SpentToday   int64          // on models, in paise
	Replicas     int            // of the database
	ReplicaBytes int64          // by how much the last of them is behind; -1 if we may not see that
}

// Backlog counts unfinished work; follow-ups that were last woken before wokenBefore are overdue.
func (s *Store) Backlog(ctx context.Context, wokenBefore time.Time) (Backlog, error) {
	b := Backlog{Turns: map[string]int{"queued": 0, "running": 0}}
	err := s.system(ctx, func(q *db.Queries) error {
		rows, err := q.OpenByState(ctx)
		if err != nil {
			return err
		}
		for _, r := range rows {
			b.Turns[r.State] = int(r.Turns)
		}
		oldest, err := q.OldestQueued(ctx)
		if err != nil {
			return err
		}
		b.Oldest = time.Duration(oldest * float64(time.Second))
		reading, err := q.ReadingQueue(ctx)
		if err != nil {
			return err
		}
		b.Reading = int(reading)
		overdue, err := q.OverdueFollowUps(ctx, wokenBefore)
		if err != nil {
			return err
		}
		b.Overdue = int(overdue)
		b.SpentToday, err = q.SpentByAll(ctx, 1)
		return err
	})
	if err != nil {
		return Backlog{}, fmt.Errorf("count the open turns: %w", err)
	}
	b.Replicas, b.ReplicaBytes, err = s.replicas(ctx)
	if err != nil {
		return Backlog{}, fmt.Errorf("look at the replicas: %w", err)
	}
	return b, nil
}

// replicas runs as the user of the connection, who may have been granted pg_monitor; our own roles do not have it.
// Base backups are not counted as replicas.
func (s *Store) replicas(ctx context.Context) (count int, behind int64, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local role none"); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `select count(*), case when count(*) = 0 then 0
				else coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)), -1) end::bigint
			from pg_stat_replication where application_name <> 'pg_basebackup'`).Scan(&count, &behind)
	})
	return count, behind, err
}

// Stat returns the usage of the connection pool.
func (s *Store) Stat() *pgxpool.Stat { return s.pool.Stat() }
