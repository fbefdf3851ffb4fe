package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

// evaluate stores a run that has ended.
func (f fixture) evaluate(t *testing.T, n store.NewEvalRun) uuid.UUID {
	t.Helper()
	n.Repeats, n.AtOnce, n.Bundles = 1, 1, map[string]string{"lawyer": "sha"}
	id, err := f.AddEvalRun(t.Context(), n)
	must(t, err)
	must(t, f.BeginEvalRun(t.Context(), id, []byte("{}")))
	must(t, f.EndEvalRun(t.Context(), id, store.EvalEnding{State: "done", Totals: []byte("{}")}))
	return id
}

// However often visitors run the examples, the runs of an operator stay in the history.
func TestEvalHistoryIsNotCrowdedOut(t *testing.T) {
	f := newFixture(t)
	golden := f.evaluate(t, store.NewEvalRun{By: store.ByOperator, Set: "golden"})
	f.evaluate(t, store.NewEvalRun{By: store.ByOperator, Set: "golden", Chosen: []string{"lawyer/one"}})
	var latest uuid.UUID
	for range 5 {
		latest = f.evaluate(t, store.NewEvalRun{By: store.ByTraining, Set: "builtin"})
	}
	runs, err := f.EvalHistory(t.Context(), 3)
	must(t, err)
	if len(runs) != 4 || runs[0].ID != latest || runs[3].ID != golden {
		t.Errorf("remembered are %d runs: %+v", len(runs), runs)
	}
}

// A run that begins while old cases are erased keeps its own cases, including those that it shares with
// erased runs.
func TestEvalCasesAreErasedBesideARun(t *testing.T) {
	f := newFixture(t)
	document := &store.EvalDocument{SHA: "document", Name: "notice.pdf", Data: []byte("%PDF")}
	of := func(sha string) []store.EvalCase {
		return []store.EvalCase{{SHA: sha, Plugin: "lawyer", ID: sha, Document: document}}
	}
	f.evaluate(t, store.NewEvalRun{By: store.ByOperator, Cases: of("old")})

	// A case added by another transaction conflicts with the run's case, so the run waits here.
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	between, err := conn.Begin(t.Context())
	must(t, err)
	_, err = between.Exec(t.Context(), "insert into eval_cases (sha, plugin, id, source, asked) values ('new', 'lawyer', 'new', '', '')")
	must(t, err)
	waits := func(n int) bool {
		look, err := pgx.Connect(t.Context(), f.url)
		must(t, err)
		defer look.Close(context.WithoutCancel(t.Context()))
		var waiting int
		must(t, look.QueryRow(t.Context(), "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'").Scan(&waiting))
		return waiting == n
	}
	until := func(what string, holds func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !holds(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("after a minute, still not: %s", what)
			}
		}
	}
	added, erased := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := f.AddEvalRun(t.Context(), store.NewEvalRun{By: store.ByOperator, Repeats: 1, AtOnce: 1, Cases: of("new")})
		added <- err
	}()
	until("the run waits", func() bool { return waits(1) })
	go func() { erased <- f.EraseEvalRuns(t.Context(), time.Now().Add(time.Hour)) }()
	until("the erasing waits too, or is over", func() bool { return waits(2) || len(erased) > 0 })
	must(t, between.Rollback(t.Context()))
	must(t, <-added)
	must(t, <-erased)
	if _, err := f.EvalDocument(t.Context(), "document"); err != nil {
		t.Errorf("the document of the run that began: %v", err)
	}
}
