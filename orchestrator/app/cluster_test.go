//go:build linux

package app_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/sdk/client"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/local"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/store"
)

// cluster is the product in separate processes, as it is deployed: PostgreSQL, Temporal, APIs and workers. Each can
// be killed.
type cluster struct {
	t        *testing.T
	postgres *keptServer
	temporal *keptServer
	client   client.Client // of Temporal
	model    *countingModel
	serves   []*process
	workers  []*process
}

// startCluster starts the servers and the processes with some additional settings, and prepares the database so that
// tests can stop turns at a place (see hold).
func startCluster(t *testing.T, serves, workers int, settings ...string) *cluster {
	t.Helper()
	root := localtest.Root(t)
	c := &cluster{t: t, model: newCountingModel(t)}
	c.postgres = keep(t, "postgres", local.Options{Postgres: &local.Postgres{Programs: local.PostgresPrograms(root), Port: freePort(t)}})
	c.temporal = keep(t, "temporal-dev", local.Options{Temporal: &local.Temporal{Program: local.TemporalProgram(root), Port: freePort(t), WebUIPort: freePort(t)}})
	var both sync.WaitGroup
	both.Go(c.postgres.start)
	both.Go(c.temporal.start)
	both.Wait()
	if t.Failed() {
		t.FailNow()
	}
	quiet := slog.New(slog.DiscardHandler)
	codec, err := app.OpenCodec(config.Config{Temporal: config.Temporal{Keys: testKeys}}, quiet)
	must(t, err)
	temporal, err := app.NewTemporal(config.Temporal{Address: c.temporal.stack.TemporalAddress(), Namespace: "default"}, codec, nil, quiet)
	must(t, err)
	t.Cleanup(temporal.Close)
	c.client = temporal
	must(t, store.Migrate(t.Context(), c.postgres.stack.DatabaseURL()))
	c.execute(holdHere)

	env := append(os.Environ(), asProduct+"=1", "MUNSHI_HOME="+root, "MUNSHI_ACCOUNT_FREE_USES=1000000", "MUNSHI_ACCOUNT_FAIR_USE_PER_HOUR=0",
		"MUNSHI_ABUSE_VISITORS=0", "MUNSHI_ABUSE_SIGN_UPS=0", "MUNSHI_ABUSE_FREE_TURNS=0", "MUNSHI_ABUSE_UPLOAD_MB=0", "MUNSHI_SERVER_WEB_ROOT="+filepath.Join(root, "orchestrator", "testdata", "web"),
		"DATABASE_URL="+c.postgres.stack.DatabaseURL(), "MUNSHI_DATABASE_CONNECTIONS=15", "TEMPORAL_ADDRESS="+c.temporal.stack.TemporalAddress(), "MUNSHI_TEMPORAL_KEYS="+testKeys,
		"MUNSHI_MODEL_BASE_URL="+c.model.address, "MUNSHI_MODEL_KEY=test-key", "MUNSHI_MODEL_NAME=stand-in", "MUNSHI_MODEL_CONTEXT_TOKENS=128000",
		"MUNSHI_READING_DOCUMENTS_AT_ONCE=8", "MUNSHI_SERVER_SHUTDOWN_TIME=2s")
	env = append(env, settings...)
	for i := range serves {
		address := "127.0.0.1:" + strconv.Itoa(freePort(t))
		c.serves = append(c.serves, newProcess(t, fmt.Sprintf("serve %d", i+1), address, slices.Concat(env, []string{"MUNSHI_SERVER_ADDRESS=" + address}), "serve"))
	}
	for i := range workers {
		c.workers = append(c.workers, newProcess(t, fmt.Sprintf("worker %d", i+1), "", env, "worker"))
	}
	for _, p := range c.processes() {
		p.start()
	}
	c.awaitAPIs()
	return c
}

func (c *cluster) processes() []*process {
	return append(append([]*process{}, c.serves...), c.workers...)
}

// addresses returns the addresses of the API.
func (c *cluster) addresses() []string {
	var all []string
	for _, p := range c.serves {
		all = append(all, "http://"+p.address)
	}
	return all
}

// awaitAPIs waits until each API answers.
func (c *cluster) awaitAPIs() {
	c.t.Helper()
	for _, address := range c.addresses() {
		await(c.t, address+" answers", func() bool {
			resp, err := http.Get(address + "/api/health")
			if err != nil {
				return false
			}
			defer resp.Body.Close()
			return resp.StatusCode == http.StatusOK
		})
	}
}

// query returns the first column of the rows; it repeats the query while the database is down.
func (c *cluster) query(ctx context.Context, sql string, args ...any) ([]string, error) {
	for {
		rows, err := c.ask(ctx, sql, args...)
		var refused interface{ SQLState() string }
		if err == nil || ctx.Err() != nil || errors.As(err, &refused) && strings.HasPrefix(refused.SQLState(), "42") {
			return rows, err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// ask ignores row-level security, which only tests do.
func (c *cluster) ask(ctx context.Context, sql string, args ...any) ([]string, error) {
	conn, err := pgx.Connect(ctx, c.postgres.stack.DatabaseURL())
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (c *cluster) execute(sql string) {
	c.t.Helper()
	conn, err := pgx.Connect(c.t.Context(), c.postgres.stack.DatabaseURL())
	must(c.t, err)
	defer conn.Close(c.t.Context())
	_, err = conn.Exec(c.t.Context(), sql)
	must(c.t, err)
}

// keptServer is PostgreSQL or Temporal, which the product's own supervisor restarts after it was
// killed.
type keptServer struct {
	t       *testing.T
	name    string
	options local.Options
	stack   *local.Stack
}

func keep(t *testing.T, name string, o local.Options) *keptServer {
	o.StateDir, o.Logger = localtest.Folder(t), slog.New(slog.DiscardHandler)
	s := &keptServer{t: t, name: name, options: o}
	t.Cleanup(s.stop)
	return s
}

func (s *keptServer) start() {
	stack, err := local.Start(context.Background(), s.options)
	if err != nil {
		s.t.Errorf("%s: %v", s.name, err)
		return
	}
	s.stack = stack
}

func (s *keptServer) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if s.stack == nil {
		return
	}
	if err := s.stack.Stop(ctx); err != nil {
		s.t.Errorf("stop %s: %v", s.name, err)
	}
}

// kill ends the server with SIGKILL; its supervisor restarts it.
func (s *keptServer) kill() { s.signal(syscall.SIGKILL) }

func (s *keptServer) signal(signal syscall.Signal) {
	raw, err := os.ReadFile(filepath.Join(s.options.StateDir, s.name+".pid"))
	must(s.t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	must(s.t, err)
	if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		s.t.Errorf("signal %s: %v", s.name, err)
	}
}

// process is a process of the product's binary. It is restarted if it ends by itself, as a supervisor would do.
type process struct {
	t       *testing.T
	name    string
	address string
	args    []string
	env     []string
	log     *os.File

	mu     sync.Mutex
	cmd    *exec.Cmd
	wanted bool
	gone   chan struct{} // closed when it is neither running nor to be started again
	ends   int           // how often it ended by itself
}

func newProcess(t *testing.T, name, address string, env []string, args ...string) *process {
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	must(t, err)
	p := &process{t: t, name: name, address: address, args: args, env: env, log: log}
	t.Cleanup(func() {
		p.kill()
		if raw, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%s, which ended %d times by itself, last said:\n%s", name, p.ends, raw[max(0, len(raw)-4000):])
		}
		log.Close()
	})
	return p
}

func (p *process) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted {
		return
	}
	p.wanted, p.gone = true, make(chan struct{})
	gone := p.gone
	go func() {
		defer close(gone)
		// Linux ends a child when the thread that started it ends: this goroutine stays locked to its thread for
		// ever.
		runtime.LockOSThread()
		for p.run() {
			time.Sleep(200 * time.Millisecond)
		}
	}()
}

// run runs the process once, and reports whether it should run again.
func (p *process) run() (again bool) {
	p.mu.Lock()
	if !p.wanted {
		p.mu.Unlock()
		return false
	}
	exe, err := os.Executable()
	if err == nil {
		p.cmd = exec.Command(exe, p.args...)
		p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = p.env, p.log, p.log
		p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		err = p.cmd.Start()
	}
	cmd := p.cmd
	p.mu.Unlock()
	if err != nil {
		p.t.Errorf("start %s: %v", p.name, err)
		return false
	}
	_ = cmd.Wait() // its exit status does not matter
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted {
		p.ends++
	}
	return p.wanted
}

// kill ends the process with SIGKILL; it stays down until start.
func (p *process) kill() {
	p.mu.Lock()
	gone := p.gone
	if p.wanted && p.cmd != nil && p.cmd.Process != nil {
		_ = p.cmd.Process.Kill() // it may have ended just now
	}
	p.wanted = false
	p.mu.Unlock()
	if gone != nil {
		<-gone
	}
}

// freePort returns a port below the range from which the system assigns client ports, so that nobody takes it
// while its owner is down.
func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 20000 + rand.IntN(10000)
		if l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("no free port")
	return 0
}

// holdHere makes the database wait whenever a step of a turn is stored, as long as a test holds the lock for that
// place: in this way a test stops a turn at a step, and kills the process that works on it. The product knows
// nothing about it.
const holdHere = `
create function hold_here() returns trigger language plpgsql set search_path = public as $$
declare
    place text;
    conversation uuid;
begin
    case tg_table_name
    when 'turns' then
        conversation := new.conversation_id;
        place := case tg_op when 'INSERT' then 'accept' else 'end' end;
    when 'turn_steps' then
        select conversation_id into conversation from turns where id = new.turn_id;
        place := case tg_op when 'INSERT' then 'begin' else new.id end;
    when 'pages' then
        select conversation_id into conversation from documents where id = new.document_id;
        place := 'page';
    when 'follow_ups' then
        conversation := new.conversation_id;
        place := new.state;
    end case;
    perform pg_advisory_xact_lock_shared(hashtextextended(conversation || ' ' || place, 0));
    return new;
end $$;
create trigger hold before insert on turns for each row execute function hold_here();
create trigger hold_end before update on turns for each row
    when (old.state = 'running' and new.state in ('answered', 'failed', 'stopped')) execute function hold_here();
create trigger hold before insert on turn_steps for each row execute function hold_here();
create trigger hold_done before update on turn_steps for each row when (new.state = 'done') execute function hold_here();
create trigger hold_ended before update on follow_ups for each row when (new.state <> 'waiting') execute function hold_here();
create trigger hold before insert on pages for each row when (new.number = 2) execute function hold_here();
`

// holds are places at which turns wait.
type holds struct {
	c    *cluster
	conn *pgx.Conn
}

func (c *cluster) holds() *holds {
	c.t.Helper()
	conn, err := pgx.Connect(c.t.Context(), c.postgres.stack.DatabaseURL())
	must(c.t, err)
	h := &holds{c, conn}
	c.t.Cleanup(h.release)
	return h
}

// hold makes the conversation's next turn wait at a place: accept, begin, page (the second), end, or the name of a
// step, where its result is stored; or makes its follow-up wait where it stores its end, such as complete.
func (h *holds) hold(conversation, place string) {
	h.c.t.Helper()
	_, err := h.conn.Exec(h.c.t.Context(), "select pg_advisory_lock(hashtextextended($1, 0))", conversation+" "+place)
	must(h.c.t, err)
}

// await waits until the turn has reached the place.
func (h *holds) await(conversation, place string) {
	h.c.t.Helper()
	await(h.c.t, "a turn comes to "+place, func() bool {
		var waits bool
		must(h.c.t, h.conn.QueryRow(h.c.t.Context(), `select exists (select from pg_locks where locktype = 'advisory' and not granted
			and (classid::bigint << 32 | objid::bigint) = hashtextextended($1, 0))`, conversation+" "+place).Scan(&waits))
		return waits
	})
}

// release lets everything continue.
func (h *holds) release() { _ = h.conn.Close(context.Background()) } // it may be lost already, with its database

// kept returns what the store has about a conversation, without the ids and times that differ between runs.
func (c *cluster) kept(conversation string) string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	var all strings.Builder
	for _, sql := range []string{
		`select format('turn %s: %s, stop %s, error %s', kind, state, stop_requested, error_code) from turns where conversation_id = $1 order by created_at`,
		`select format('step %s %s: %s %s/%s %s', s.id, s.kind, s.state, s.done, s.total, s.note) from turn_steps s join turns t on t.id = s.turn_id
		 where t.conversation_id = $1 order by t.created_at, s.position`,
		`select format('result of %s %s: %s', r.step, r.part, case jsonb_typeof(r.output) when 'object' then r.output - 'milliseconds' - 'prompt_sha' else r.output end)
		 from step_results r join turns t on t.id = r.turn_id where t.conversation_id = $1 order by t.created_at, r.step, r.part`,
		`select format('%s, %s, with document %s: %s | %s | %s', m.role, m.state, m.document_id is not null, m.text, m.checks, m.provenance - 'milliseconds' - 'prompt_sha')
		 from messages m join turns t on t.id = m.turn_id where m.conversation_id = $1 order by t.created_at, m.role desc`,
		`select format('document %s, %s: %s bytes, %s chunks, %s pages', d.name, d.type, d.bytes, (select count(*) from blob_chunks b where b.blob_id = d.id), d.pages)
		 from documents d where d.conversation_id = $1 order by d.created_at`,
		`select format('page %s of %s, by %s: %s', p.number, d.name, p.method, p.text) from pages p join documents d on d.id = p.document_id
		 where d.conversation_id = $1 order by d.created_at, p.number`,
		`select format('facts of %s: %s', d.name, f.facts) from facts f join documents d on d.id = f.document_id where d.conversation_id = $1 order by d.created_at`,
		`select format('requires %s (%s), handed in %s', type, reason, document_id is not null) from required_documents where conversation_id = $1 order by position`,
		`select format('titled %s', title) from conversations where id = $1`,
		`select format('use %s', u.state) from uses u join turns t on t.id = u.turn_id where t.conversation_id = $1 order by t.created_at`,
	} {
		rows, err := c.query(ctx, sql, conversation)
		must(c.t, err)
		for _, row := range rows {
			all.WriteString(anyMark.ReplaceAllString(row, "MARK") + "\n")
		}
	}
	return all.String()
}

// difference returns the lines that occur in only one of two texts.
func difference(want, got string) string {
	var out strings.Builder
	count := map[string]int{}
	for line := range strings.Lines(want) {
		count[line]++
	}
	for line := range strings.Lines(got) {
		count[line]--
	}
	for line, n := range count {
		if n != 0 {
			fmt.Fprintf(&out, "%+d %s", -n, line)
		}
	}
	return out.String()
}
