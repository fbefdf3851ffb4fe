package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

// Two processes never sweep at the same time.
func TestSweepAlone(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	inner := true
	alone, err := f.SweepAlone(ctx, func(ctx context.Context) (err error) {
		inner, err = f.SweepAlone(ctx, func(context.Context) error { t.Error("two sweep at once"); return nil })
		return err
	})
	if must(t, err); !alone || inner {
		t.Errorf("the first is alone: %v, the second: %v", alone, inner)
	}
	if alone, err = f.SweepAlone(ctx, func(context.Context) error { return nil }); err != nil || !alone {
		t.Errorf("afterwards: %v %v", alone, err)
	}
}

// A round that takes longer than PostgreSQL waits for a silent transaction keeps its lock to the end.
func TestLongSweepStaysAlone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	address, err := url.Parse(f.url)
	must(t, err)
	query := address.Query()
	query.Set("idle_in_transaction_session_timeout", "3000")
	address.RawQuery = query.Encode()
	s, err := store.Open(t.Context(), address.String(), 2)
	must(t, err)
	defer s.Close()
	alone, err := s.SweepAlone(t.Context(), func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
		other, err := f.SweepAlone(ctx, func(context.Context) error { return nil })
		if other {
			t.Error("another swept meanwhile")
		}
		return err
	})
	if err != nil || !alone {
		t.Errorf("alone: %v, %v", alone, err)
	}
}

// A process that has lost the lock stops, since another one may hold it by then.
func TestLostLock(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	ended := false
	alone, err := f.Alone(t.Context(), "a job", func(ctx context.Context) error {
		var cut int
		must(t, conn.QueryRow(ctx, `select count(pg_terminate_backend(pid)) from pg_locks
			where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`).Scan(&cut))
		if cut != 1 {
			t.Errorf("%d hold the lock", cut)
		}
		select {
		case <-ctx.Done():
			ended = true
		case <-time.After(time.Minute):
		}
		return nil
	})
	if !alone || !ended || err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("alone: %v, ended: %v, %v", alone, ended, err)
	}
}

// However many requests come at the same moment, no more are let through than the limit allows.
func TestThrottleAtTheSameMoment(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for round := range 20 {
		var allowed atomic.Int32
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				wait, err := f.Throttle(t.Context(), fmt.Sprintf("round %d", round), store.Rate{Every: time.Hour, Burst: 1})
				if err != nil {
					t.Error(err)
				}
				if wait <= 0 {
					allowed.Add(1)
				}
			})
		}
		if all.Wait(); allowed.Load() != 1 {
			t.Errorf("%d of 8 were let through at the same moment", allowed.Load())
		}
	}
}

// TestBacklog checks how long the oldest turn has waited, which follow-ups are overdue, and that
// ended ones are not counted.
func TestBacklog(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	day := time.Now().Add(-24 * time.Hour)
	if b, err := f.Backlog(ctx, day); err != nil || b.Oldest != 0 || b.Overdue != 0 || b.Replicas != 0 || b.ReplicaBytes != 0 {
		t.Errorf("at first %+v, %v", b, err)
	}
	f.ask(t, "x")
	conn, err := pgx.Connect(ctx, f.url)
	must(t, err)
	defer conn.Close(context.WithoutCancel(ctx))
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := conn.Exec(ctx, sql, args...)
		must(t, err)
	}
	exec("update turns set created_at = now() - interval '90 seconds'")
	exec("insert into spending (workspace_id, day, paise, calls) values ($1, (now() at time zone 'Asia/Kolkata')::date, 70, 1)", f.workspace)
	waits, over := f.converse(t, f.workspace), f.converse(t, f.workspace)
	exec("insert into follow_ups (conversation_id, workspace_id, checked_at, woken_at) values ($1, $2, now() - interval '25 hours', now() - interval '2 days')", waits, f.workspace)
	exec("insert into follow_ups (conversation_id, workspace_id, state, watch_until, woken_at) values ($1, $2, 'idle', now() - interval '1 hour', now() - interval '2 days')", over, f.workspace)
	b, err := f.Backlog(ctx, day)
	if must(t, err); b.Oldest.Round(10*time.Second) != 90*time.Second || b.Overdue != 1 || b.SpentToday != 70 || b.Turns["queued"] != 1 {
		t.Errorf("then %+v", b)
	}
	due, err := f.UncheckedFollowUps(ctx, day, day)
	if must(t, err); len(due) != 1 || due[0].Conversation != waits {
		t.Fatalf("%v are to be woken", due)
	}
	if b, err = f.Backlog(ctx, day); err != nil || b.Overdue != 1 {
		t.Errorf("while it could not be woken: %+v, %v", b, err)
	}
	must(t, f.WokeFollowUp(ctx, waits))
	if b, err = f.Backlog(ctx, day); err != nil || b.Overdue != 0 {
		t.Errorf("after it was woken: %+v, %v", b, err)
	}
	var watched int
	must(t, conn.QueryRow(ctx, "select count(*) from follow_ups where watch_until is not null").Scan(&watched))
	if watched != 0 {
		t.Error("a date that is over is still watched")
	}
}
