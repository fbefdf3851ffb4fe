package app_test

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/store"
)

// apart starts the product as it is deployed: an API without a worker, and workers when begin is called; for Temporal
// and the database, each is a process of its own.
func apart(t *testing.T, change func(*config.Config)) (served *product, begin func(workers int) []*product) {
	t.Helper()
	served = startAlone(t, change)
	for _, part := range served.parts {
		if part.name == "worker" {
			part.end(t)
		}
	}
	return served, func(workers int) (all []*product) {
		for range workers {
			w := served.beside(nil)
			w.run("worker", w.app.RunWorker)
			all = append(all, w)
		}
		return all
	}
}

// timed is a model that records when it was asked.
type timed struct {
	mu sync.Mutex
	at []time.Time
}

func (m *timed) model() *modeltest.Server {
	return &modeltest.Server{Answer: func(modeltest.Request) string {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.at = append(m.at, time.Now())
		return "An answer."
	}}
}

// A provider's limit of calls per minute applies to all workers together.
func TestProviderLimitHoldsOverAllWorkers(t *testing.T) {
	const aMinute, turns = 240, 24 // four a second
	var asked timed
	withAll := withModel(t, asked.model())
	p, begin := apart(t, func(c *config.Config) {
		withAll(c)
		c.Model.CallsPerMinute = aMinute
	})
	workers := begin(2)
	v := p.visitor()
	var said []api.Turn
	var in []string
	for range turns {
		c := v.converseWith("lawyer")
		in, said = append(in, c), append(said, v.say(c, "When is a notice under section 73 too late?"))
	}
	for i, turn := range said {
		v.answer(in[i], turn)
	}
	slices.SortFunc(asked.at, time.Time.Compare)
	if len(asked.at) < turns {
		t.Fatalf("%d calls were made for %d turns", len(asked.at), turns)
	}
	each, whole := time.Minute/aMinute, asked.at[len(asked.at)-1].Sub(asked.at[0])
	// The first call may have taken long to arrive.
	if least := time.Duration(len(asked.at)-1) * each; whole < least*3/4 {
		t.Errorf("%d calls were made in %v, which should take %v", len(asked.at), whole, least)
	}
	var by []float64
	for _, w := range workers {
		by = append(by, w.metric(`munshi_model_calls_total{model="stand-in",outcome="ok",provider="openai"}`))
	}
	if by[0] == 0 || by[1] == 0 {
		t.Errorf("the workers made %v calls", by)
	}
	t.Logf("%d calls by two workers (%v) in %v; one alone may make %d in that time", len(asked.at), by, whole.Round(time.Millisecond), int(whole/each)+1)
}

// manyRows is the size from which a table is read by an index; PostgreSQL is right to read smaller ones
// completely.
const manyRows = 1000

// No statement that runs every few seconds or minutes reads a whole table, and no metric for Prometheus does.
func TestNothingPeriodicReadsATableWhole(t *testing.T) {
	ctx, database := t.Context(), localtest.Postgres(t)
	must(t, store.Migrate(ctx, database))
	conn, err := pgx.Connect(ctx, database)
	must(t, err)
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range []string{"set scale.workspaces = 10000", "set scale.follow_ups = 4000", read(t, "tools", "scale", "seed.sql"), "call seed_crowd()",
		"update follow_ups set checked_at = now()", "vacuum (analyze)"} {
		_, err := conn.Exec(ctx, sql)
		must(t, err)
	}
	scans := func() map[string]int64 {
		t.Helper()
		rows, err := conn.Query(ctx, "select relname, seq_scan from pg_stat_user_tables where n_live_tup >= $1", manyRows)
		must(t, err)
		var name string
		var n int64
		all := map[string]int64{}
		_, err = pgx.ForEachRow(rows, []any{&name, &n}, func() error { all[name] = n; return nil })
		must(t, err)
		return all
	}
	_, err = conn.Exec(ctx, "select pg_stat_force_next_flush()")
	must(t, err)
	before := scans()
	if len(before) < 8 {
		t.Fatalf("only %v are large", slices.Sorted(maps.Keys(before)))
	}
	a, err := app.Open(ctx, configured(t, func(c *config.Config) { c.Database.URL = database }), discard, "test")
	must(t, err)
	must(t, a.Reconciler().Once(ctx, time.Now(), true))
	must(t, a.Mails().Send(ctx, time.Now()))
	must(t, a.MailIntake().Poll(ctx, time.Now()))
	must(t, a.Catalogue.Look(ctx))
	handler := a.Telemetry.Handler(a.Health.Ready)
	for _, path := range []string{"/metrics", "/ready"} {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", path, nil))
	}
	a.Close() // the statistics of its connections are written now
	await(t, "the statistics to be written", func() bool {
		var open int
		must(t, conn.QueryRow(ctx, "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'").Scan(&open))
		return open == 0
	})
	for table, n := range scans() {
		if more := n - before[table]; more > 0 {
			t.Errorf("%s was read whole %d times", table, more)
		}
	}
}

// The metrics for operators: what waits, what failed and why, what was spent, how much space is left, how old the
// backup is.
func TestWatchedNumbers(t *testing.T) {
	backups := t.TempDir()
	made := time.Now().Add(-5 * time.Hour).Truncate(time.Second)
	aged(t, filepath.Join(backups, "munshi.backup"), 0, backupOf(t, time.Since(made)))
	fake := &modeltest.Server{}
	withAll := withModel(t, fake)
	p := startAlone(t, func(c *config.Config) {
		withAll(c)
		c.Backups.Folder = backups
		c.Spending.InstallationDayPaise = 500_000
		c.Trace.Link = "https://jaeger.example/trace/{trace_id}?from=munshi"
	})
	v := p.visitor()
	trace := "0af7651916cd43dd8448eb211c80319c"
	c := v.converseWith("lawyer")
	v.http.Transport = traced("00-" + trace + "-00f067aa0ba902b7-01")
	turn := v.say(c, "When is a notice under section 73 too late?")
	v.http.Transport = nil
	v.answer(c, turn)
	fake.Next(modeltest.Behaviour{Status: 400})
	failed := v.say(c, "And one under section 74?")
	v.settled(c, failed.ID, "failed")

	var code string
	var spent int
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	must(t, conn.QueryRow(t.Context(), "select error_code, (select sum(paise) from spending) from turns where state = 'failed'").Scan(&code, &spent))
	old := uuid.New()
	_, err = conn.Exec(t.Context(), `insert into conversations (id, workspace_id, plugin) select $1, workspace_id, 'notice' from conversations limit 1`, old)
	must(t, err)
	_, err = conn.Exec(t.Context(), `insert into follow_ups (conversation_id, workspace_id, state, woken_at) select id, workspace_id, 'waiting', now() - interval '26 hours' from conversations where id = $1`, old)
	must(t, err)
	for series, want := range map[string]float64{
		`munshi_turn_failures_total{code="` + code + `"}`:                                1,
		`munshi_model_spend_paise_total{model="stand-in",provider="openai"}`:             float64(spent),
		"munshi_spent_today_paise":                                                       float64(spent),
		"munshi_spending_cap_paise":                                                      500_000,
		"munshi_database_replicas":                                                       0,
		"munshi_database_replica_bytes_behind":                                           0,
		"munshi_backup_timestamp_seconds":                                                float64(made.Unix()),
		`munshi_model_calls_total{model="stand-in",outcome="refused",provider="openai"}`: 1,
	} {
		await(t, fmt.Sprintf("%s to be %g", series, want), func() bool { return p.metric(series) == want })
	}
	if free := p.metric(`munshi_disk_free_bytes{holds="uploads"}`); free <= 0 {
		t.Errorf("%g bytes are free", free)
	}

	printed, err := p.munshi(t, "operator", "link")
	must(t, err)
	v.post("/api/operator", map[string]string{"key": keyOf(t, printed)}, 204, nil)
	var list api.RunList
	v.get("/api/runs", &list)
	led := ""
	for _, r := range list.Runs {
		if r.Turn == turn.ID {
			led = r.TraceURL
		}
	}
	if want := "https://jaeger.example/trace/" + trace + "?from=munshi"; led != want {
		t.Errorf("a run leads to %q, want %q", led, want)
	}
}
