package store

import (
	"context"
	"fmt"
	"time"

	"munshi/orchestrator/store/db"
)

// awakeEvery is how often a transaction that only holds a lock runs a statement: PostgreSQL ends transactions in
// which nothing runs for too long (see silence).
const awakeEvery = 2 * time.Second

// SweepAlone calls fn unless another process is sweeping at this moment, and reports whether it called it. See Alone.
func (s *Store) SweepAlone(ctx context.Context, fn func(context.Context) error) (alone bool, err error) {
	alone, err = s.locked(ctx, func(q *db.Queries) (bool, error) { return q.SweepAlone(ctx) }, fn)
	if err != nil {
		return alone, fmt.Errorf("sweep: %w", err)
	}
	return alone, nil
}

// Alone calls fn unless another process is running the same job, and reports whether it called it. The lock belongs to
// a transaction, so it is released even if the process dies, or is cut off; however long fn takes, it is kept. If it is
// lost, fn's context ends, since another process may begin the job then.
func (s *Store) Alone(ctx context.Context, job string, fn func(context.Context) error) (alone bool, err error) {
	alone, err = s.locked(ctx, func(q *db.Queries) (bool, error) { return q.JobAlone(ctx, job) }, fn)
	if err != nil {
		return alone, fmt.Errorf("do a job alone: %w", err)
	}
	return alone, nil
}

func (s *Store) locked(ctx context.Context, lock func(*db.Queries) (bool, error),
	fn func(context.Context) error) (alone bool, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		if alone, err = lock(q); err != nil || !alone {
			return err
		}
		return awake(ctx, q, fn)
	})
	return alone, err
}

// awake calls fn, which must not use q, and meanwhile keeps the transaction of q open.
func awake(ctx context.Context, q *db.Queries, fn func(context.Context) error) error {
	ctx, lose := context.WithCancelCause(ctx)
	defer lose(nil)
	done := make(chan error, 1)
	go func() { done <- fn(ctx) }()
	tick := time.NewTicker(awakeEvery)
	defer tick.Stop()
	var lost error
	for {
		select {
		case err := <-done:
			if lost != nil {
				return lost
			}
			return err
		case <-tick.C:
			if lost != nil {
				continue // fn is ending
			}
			if _, err := q.StayAwake(ctx); err != nil {
				lost = fmt.Errorf("keep the lock: %w", err)
				lose(lost)
			}
		}
	}
}
