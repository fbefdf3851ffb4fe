package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
)

// shared has the products that the tests of this process share, by configuration.
var shared = pool{all: map[string]*sharedProduct{}}

type pool struct {
	mu   sync.Mutex
	all  map[string]*sharedProduct
	uses int
	made int
}

type sharedProduct struct {
	app     *app.App
	address string
	log     *sharedLog
	stop    context.CancelFunc
	done    []chan error
	used    int // when it was last used, counted in uses of the pool
}

// product returns the product with a configuration. Each has its own database and Temporal namespace, so that no
// worker gets the turns of another.
func (s *pool) product(t *testing.T, cfg config.Config) *product {
	t.Helper()
	key := fmt.Sprintf("%+v", cfg)
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.all[key]
	if one == nil {
		s.makeRoom(t)
		one = &sharedProduct{log: &sharedLog{}}
		s.made++
		cfg.Database.Connections = 5
		cfg.Database.URL, cfg.Temporal.Namespace = localtest.KeptPostgres(t), fmt.Sprintf("shared-%d", s.made)
		addNamespace(t, cfg.Temporal)
		starts.Add(1)
		var err error
		log := slog.New(telemetry.Logs(slog.NewJSONHandler(one.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
		one.app, err = app.Open(context.Background(), cfg, log, "test")
		must(t, err)
		ctx, stop := context.WithCancel(context.Background())
		one.stop = stop
		ready := make(chan string, 1)
		one.run(ctx, one.app.RunWorker)
		one.run(ctx, one.app.WatchPrompts)
		one.run(ctx, func(ctx context.Context) error {
			return one.app.Serve(ctx, func(address string) { ready <- address })
		})
		one.address = <-ready
		s.all[key] = one
	} else {
		one.empty(t)
	}
	s.uses++
	one.used = s.uses
	return &product{t: t, app: one.app, address: one.address, log: one.log}
}

// mostShared is how many products are kept at a time: each has workers that poll, and connections.
const mostShared = 13

// makeRoom ends the product that was not used for the longest time, if the maximum number is reached.
func (s *pool) makeRoom(t *testing.T) {
	t.Helper()
	if len(s.all) < mostShared {
		return
	}
	oldest := ""
	for key, p := range s.all {
		if oldest == "" || p.used < s.all[oldest].used {
			oldest = key
		}
	}
	must(t, s.all[oldest].end())
	delete(s.all, oldest)
}

// keeps are the tables that a shared product keeps between tests: its schema, and the prompts in use.
const keeps = `'goose_db_version', 'bundles', 'serving', 'prompt_history', 'prompt_places', 'workspaces'`

// deadlock is PostgreSQL's code for a statement that it cancelled because of a deadlock.
const deadlock = "40P01"

// empty deletes the rows of earlier tests from the database, so that each test starts with a new installation.
func (p *sharedProduct) empty(t *testing.T) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var tables string
	must(t, conn.QueryRow(t.Context(), "select string_agg(quote_ident(tablename), ', ') from pg_tables where schemaname = 'public' and tablename not in ("+keeps+")").Scan(&tables))
	for { // the product still writes, and locks tables in another order
		_, err = conn.Exec(t.Context(), "truncate "+tables)
		if failed := (*pgconn.PgError)(nil); !errors.As(err, &failed) || failed.Code != deadlock {
			break
		}
	}
	must(t, err)
	_, err = conn.Exec(t.Context(), "delete from workspaces where id <> $1", store.Nobody)
	must(t, err)
}

func (p *sharedProduct) run(ctx context.Context, part func(context.Context) error) {
	done := make(chan error, 1)
	go func() { done <- part(ctx) }()
	p.done = append(p.done, done)
}

// stop ends all products.
func (s *pool) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, p := range s.all {
		p.stop()
	}
	for _, p := range s.all {
		errs = append(errs, p.end())
	}
	return errors.Join(errs...)
}

// end ends a product and waits for its parts.
func (p *sharedProduct) end() error {
	p.stop()
	var errs []error
	for _, done := range p.done {
		errs = append(errs, <-done)
	}
	p.app.Close()
	return errors.Join(errs...)
}

// addNamespace creates the namespace of a product, and waits until the server knows it.
func addNamespace(t *testing.T, cfg config.Temporal) {
	t.Helper()
	c, err := client.NewNamespaceClient(client.Options{HostPort: cfg.Address, Logger: quietSDK{}})
	must(t, err)
	defer c.Close()
	must(t, c.Register(t.Context(), &workflowservice.RegisterNamespaceRequest{Namespace: cfg.Namespace,
		WorkflowExecutionRetentionPeriod: durationpb.New(24 * time.Hour)}))
	await(t, "Temporal knows the namespace", func() bool {
		_, err := c.Describe(t.Context(), cfg.Namespace)
		return err == nil
	})
}

type quietSDK struct{}

func (quietSDK) Debug(string, ...any) {}
func (quietSDK) Info(string, ...any)  {}
func (quietSDK) Warn(string, ...any)  {}
func (quietSDK) Error(string, ...any) {}

// sharedLog passes the log of a shared product, as JSON at the level debug, to the tests that want to read it.
type sharedLog struct {
	mu      sync.Mutex
	readers []io.Writer
}

func (l *sharedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range l.readers {
		if _, err := r.Write(b); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// logsTo writes what the product logs to w until the test ends.
func (p *product) logsTo(w io.Writer) {
	l := p.log
	l.mu.Lock()
	defer l.mu.Unlock()
	l.readers = append(l.readers, w)
	p.t.Cleanup(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.readers = slices.DeleteFunc(l.readers, func(r io.Writer) bool { return r == w })
	})
}

// standIn replaces the models of all tests, and the collector of traces, so that their products can have the same
// configuration. One test at a time decides what it answers.
var standIn = &modelSwitch{}

type modelSwitch struct {
	once    sync.Once
	server  *httptest.Server
	mu      sync.RWMutex
	answers http.Handler // nil: no test answers
	traces  http.Handler // takes the products' traces; nil: no test does
}

func (m *modelSwitch) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.RLock()
	answers, traces := m.answers, m.traces
	m.mu.RUnlock()
	switch {
	case r.URL.Path == "/v1/traces":
		if traces != nil {
			traces.ServeHTTP(w, r)
		}
	case answers != nil:
		answers.ServeHTTP(w, r)
	default:
		(&modeltest.Server{}).ServeHTTP(w, r)
	}
}

func (m *modelSwitch) answer(answers http.Handler) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answers = answers
}

// collect sends the products' traces to a handler.
func (m *modelSwitch) collect(traces http.Handler) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.traces = traces
}

// withModel points a configuration at a stand-in for a model, which answers until the test ends.
func withModel(t *testing.T, fake http.Handler) func(*config.Config) {
	t.Helper()
	standIn.once.Do(func() { standIn.server = httptest.NewServer(standIn) })
	standIn.answer(fake)
	t.Cleanup(func() { standIn.answer(nil) })
	return func(c *config.Config) {
		c.Model.BaseURL, c.Model.Key, c.Model.Name = standIn.server.URL+"/v1", "test-key", "stand-in"
		c.Model.ContextTokens, c.Model.PriceInput, c.Model.PriceOutput = 128_000, 20_000, 80_000
		c.Payment.Provider, c.Trace.Endpoint = "sandbox", standIn.server.URL
	}
}
