package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/local"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/store"
	"munshi/tools/drills"
)

// keys encrypt what Temporal stores; they protect nothing secret here.
const keys = "scale:dGhlIGJlbmNoIGhhcyBubyBzZWNyZXRzIGF0IGFsbCE="

// machine has everything that runs: two PostgreSQL servers, one of them for Temporal, Temporal, and processes of
// Munshi.
type machine struct {
	settings
	report *report

	dir      string // removed at the end
	ours     *local.Stack
	theirs   *local.Stack // Temporal's PostgreSQL
	db       *pgx.Conn    // to ours, as its owner, who sees all rows
	temporal *temporalServer
	model    *httptest.Server
	parts    []*process
	seeded   bool
}

// start starts everything except Munshi's own processes.
func (m *machine) start(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(m.root, "bin", "munshi")); err != nil {
		return fmt.Errorf("bin/munshi is not built (make munshi): %w", err)
	}
	if err := m.buildTemporal(ctx); err != nil {
		return err
	}
	cache := filepath.Join(m.root, ".cache", "scale")
	var err error
	if m.dir, err = os.MkdirTemp(cache, "run-"); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	if err := os.Chmod(m.dir, 0o711); err != nil { // PostgreSQL may run as its own user
		return err
	}
	for _, s := range []struct {
		name string
		to   **local.Stack
	}{{"ours", &m.ours}, {"temporal", &m.theirs}} {
		*s.to, err = local.Start(ctx, local.Options{StateDir: filepath.Join(m.dir, s.name),
			Logger:   slog.New(slog.DiscardHandler),
			Postgres: &local.Postgres{Programs: local.PostgresPrograms(m.root)}})
		if err != nil {
			return fmt.Errorf("start PostgreSQL: %w", err)
		}
	}
	if err := store.Migrate(ctx, m.ours.DatabaseURL()); err != nil {
		return err
	}
	if m.db, err = pgx.Connect(ctx, m.ours.DatabaseURL()); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	m.model = httptest.NewServer(&modeltest.Server{})
	if err := m.makeSchema(ctx); err != nil {
		return err
	}
	if m.temporal, err = m.startTemporal(ctx, nil); err != nil {
		return err
	}
	note("two PostgreSQL 17 and Temporal %s are up", temporalVersion)
	return nil
}

func (m *machine) stop(ctx context.Context) error {
	var errs []error
	m.stopParts()
	if m.temporal != nil {
		m.temporal.stop()
	}
	if m.model != nil {
		m.model.Close()
	}
	if m.db != nil {
		_ = m.db.Close(ctx)
	}
	for _, s := range []*local.Stack{m.ours, m.theirs} {
		if s != nil {
			errs = append(errs, s.Stop(ctx))
		}
	}
	if m.dir != "" {
		for _, name := range []string{"ours", "temporal"} {
			// The data may be elsewhere, if PostgreSQL's own user cannot reach the folder.
			if data, err := filepath.EvalSymlinks(filepath.Join(m.dir, name, "postgres")); err == nil {
				errs = append(errs, os.RemoveAll(data))
			}
		}
		errs = append(errs, os.RemoveAll(m.dir))
	}
	return errors.Join(errs...)
}

// process is a process of Munshi.
type process struct {
	name, command string // such as "worker 1" and "worker"
	address       string // its address for people; "" for a worker
	operators     string // its address for operators
	log           string
	cmd           *exec.Cmd
}

// launch starts `munshi serve` or `munshi worker`.
func (m *machine) launch(command string, connections int, more ...string) (*process, error) {
	p := &process{command: command, operators: "127.0.0.1:" + strconv.Itoa(freePort())}
	n := 1
	for _, other := range m.parts {
		if other.command == command {
			n++
		}
	}
	p.name = fmt.Sprintf("%s %d", command, n)
	p.log = filepath.Join(m.dir, strings.ReplaceAll(p.name, " ", "-")+".log")
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.cmd = exec.Command(filepath.Join(m.root, "bin", "munshi"), command)
	p.cmd.Env = append(os.Environ(), "DATABASE_URL="+m.ours.DatabaseURL(), "TEMPORAL_ADDRESS="+m.temporal.address,
		"MUNSHI_TEMPORAL_KEYS="+keys, "MUNSHI_HOME="+m.root, "MUNSHI_LOG_LEVEL=warn",
		"MUNSHI_DATABASE_CONNECTIONS="+strconv.Itoa(connections),
		"MUNSHI_MODEL_BASE_URL="+m.model.URL+"/v1", "MUNSHI_MODEL_KEY=scale", "MUNSHI_MODEL_NAME=stand-in",
		"MUNSHI_SERVER_WEB_ROOT="+filepath.Join(m.root, "orchestrator", "testdata", "web"),
		"MUNSHI_LOCAL_STATE_DIR="+filepath.Join(m.dir, "state"), "MUNSHI_SERVER_OPERATOR_ADDRESS="+p.operators,
		// all requests come from one address, and each turn must be charged
		"MUNSHI_ACCOUNT_FREE_USES=1000000000", "MUNSHI_ACCOUNT_FAIR_USE_PER_HOUR=0",
		"MUNSHI_ABUSE_VISITORS=0", "MUNSHI_ABUSE_SIGN_UPS=0", "MUNSHI_ABUSE_FREE_TURNS=0", "MUNSHI_ABUSE_UPLOAD_MB=0",
		"MUNSHI_SPENDING_PERSON_DAY_PAISE=0", "MUNSHI_SPENDING_VISITORS_DAY_PAISE=0",
		"MUNSHI_SPENDING_INSTALLATION_DAY_PAISE=0")
	if command == "serve" {
		p.address = "127.0.0.1:" + strconv.Itoa(freePort())
		p.cmd.Env = append(p.cmd.Env, "MUNSHI_SERVER_ADDRESS="+p.address)
	}
	p.cmd.Env = append(p.cmd.Env, more...)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start munshi %s: %w", command, err)
	}
	m.parts = append(m.parts, p)
	return p, nil
}

// awaitReady waits until a process reports that it is ready, and until one that serves people answers
// them.
func (p *process) awaitReady(ctx context.Context) error {
	ask := []string{"http://" + p.operators + "/ready"}
	if p.address != "" {
		ask = append(ask, "http://"+p.address+"/api/health")
	}
	return drills.Await(ctx, 2*time.Minute, p.name+" to be ready", func(ctx context.Context) error {
		for _, address := range ask {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err != nil {
				return err
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				return err
			}
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("%s answers %s", address, resp.Status)
			}
		}
		return nil
	})
}

// have runs the wanted numbers of serve and worker, each with this many database connections.
func (m *machine) have(ctx context.Context, serves, workers, connections int) error {
	counts := map[string]int{"serve": serves, "worker": workers}
	var stay []*process
	for _, p := range m.parts {
		if counts[p.command] == 0 {
			p.stop()
			continue
		}
		counts[p.command]--
		stay = append(stay, p)
	}
	m.parts = stay
	var begun []*process
	for _, command := range []string{"serve", "worker"} {
		for range counts[command] {
			p, err := m.launch(command, connections)
			if err != nil {
				return err
			}
			begun = append(begun, p)
		}
	}
	for _, p := range begun {
		if err := p.awaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) serves() (addresses []string) {
	for _, p := range m.parts {
		if p.command == "serve" {
			addresses = append(addresses, "http://"+p.address)
		}
	}
	return addresses
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	timer := time.AfterFunc(30*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	_ = p.cmd.Wait()
}

func (m *machine) stopParts() {
	for _, p := range m.parts {
		p.stop()
	}
	m.parts = nil
}

// explain prints the last lines of all logs.
func (m *machine) explain() {
	logs, err := filepath.Glob(filepath.Join(m.dir, "*.log"))
	if err != nil {
		return
	}
	for _, log := range logs {
		if text, err := os.ReadFile(log); err == nil && len(text) > 0 {
			fmt.Printf("-- %s\n%s\n", filepath.Base(log), text[max(0, len(text)-1500):])
		}
	}
}

// cpu returns the CPU time that each part has used since its start.
func (m *machine) cpu() (map[string]time.Duration, error) {
	pids := map[string][]int{"Temporal": {m.temporal.cmd.Process.Pid}, "the load and the model": {os.Getpid()}}
	for _, p := range m.parts {
		pids["munshi "+p.command] = append(pids["munshi "+p.command], p.cmd.Process.Pid)
	}
	for name, folder := range map[string]string{"PostgreSQL": "ours", "Temporal's PostgreSQL": "temporal"} {
		text, err := os.ReadFile(filepath.Join(m.dir, folder, "postgres.pid"))
		if err != nil {
			return nil, fmt.Errorf("find the process of %s: %w", name, err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, fmt.Errorf("find the process of %s: %w", name, err)
		}
		pids[name] = family(pid)
	}
	used := map[string]time.Duration{}
	for name, all := range pids {
		for _, pid := range all {
			used[name] += spent(pid)
		}
	}
	return used, nil
}

// partNames is the order of the parts in the report.
var partNames = []string{"munshi serve", "munshi worker", "PostgreSQL", "Temporal", "Temporal's PostgreSQL",
	"the load and the model"}

// spent returns the CPU time of a process and of its children that have ended.
func spent(pid int) time.Duration {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0 // it has just ended
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may contain anything
	f, ticks := strings.Fields(rest), 0
	if len(f) < 15 {
		return 0
	}
	for _, field := range f[11:15] { // user, system, and both of children
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // Linux counts in hundredths of a second
}

// family returns a process and its children.
func family(parent int) []int {
	found := []int{parent}
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return found
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if f := strings.Fields(rest); len(f) > 1 && f[1] == strconv.Itoa(parent) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
				found = append(found, pid)
			}
		}
	}
	return found
}

// each returns the CPU time of each part, divided by n.
func each(before, after map[string]time.Duration, n int) (said string, all time.Duration) {
	var words []string
	for _, name := range partNames {
		used := (after[name] - before[name]) / time.Duration(max(n, 1))
		if used <= 0 {
			continue
		}
		words = append(words, name+" "+ms(used))
		if name != partNames[len(partNames)-1] {
			all += used
		}
	}
	return strings.Join(words, ", "), all
}

// freePort returns a port below the range from which the kernel assigns client ports.
func freePort() int {
	for {
		port := 12_000 + rand.IntN(18_000)
		if l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			l.Close()
			return port
		}
	}
}
