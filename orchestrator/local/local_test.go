package local_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"munshi/orchestrator/local"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/problem"
)

// stateVariable makes the test binary a parent that starts both servers in the named folder,
// reports this, and waits to be killed.
const stateVariable = "MUNSHI_LOCAL_TEST_STATE"

// idleVariable makes the test binary a process that only waits.
const idleVariable = "MUNSHI_LOCAL_TEST_IDLE"

func TestMain(m *testing.M) {
	if os.Getenv(idleVariable) != "" {
		time.Sleep(time.Minute)
		return
	}
	if state := os.Getenv(stateVariable); state != "" {
		beParent(state, os.Getenv(stateVariable+"_ROOT"))
		return
	}
	os.Exit(m.Run())
}

func beParent(state, root string) {
	stack, err := local.Start(context.Background(), local.Options{
		StateDir: state,
		Postgres: &local.Postgres{Programs: local.PostgresPrograms(root), Fast: true},
		Temporal: &local.Temporal{Program: local.TemporalProgram(root)},
	})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("up")
	<-stack.Done()
}

// startParent starts a separate process that owns a stack in state, and returns its standard
// output.
func startParent(t *testing.T, state string) (*exec.Cmd, io.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), stateVariable+"="+state, stateVariable+"_ROOT="+localtest.Root(t))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, out
}

// stateDir returns a new folder that PostgreSQL's own user can enter; the folders of t.TempDir are
// only for our user.
func stateDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "munshi-local-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeState(t, dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, ".munshi")
}

func removeState(t *testing.T, dir string) {
	if outside, err := filepath.EvalSymlinks(filepath.Join(dir, ".munshi", "postgres")); err == nil {
		if err := os.RemoveAll(outside); err != nil {
			t.Error(err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}

func onlyPostgres(t *testing.T, state string) local.Options {
	return local.Options{
		StateDir: state,
		Postgres: &local.Postgres{Programs: local.PostgresPrograms(localtest.Root(t)), Fast: true},
		Logger:   slog.New(slog.DiscardHandler),
	}
}

func both(t *testing.T, state string) local.Options {
	options := onlyPostgres(t, state)
	options.Temporal = &local.Temporal{Program: local.TemporalProgram(localtest.Root(t))}
	return options
}

func mustStart(t *testing.T, options local.Options) *local.Stack {
	t.Helper()
	stack, err := local.Start(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustStop(t, stack) })
	return stack
}

func mustStop(t *testing.T, stack *local.Stack) {
	t.Helper()
	if err := stack.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// mustFail starts something that cannot start, and returns the error message.
func mustFail(t *testing.T, options local.Options, kind error) string {
	t.Helper()
	stack, err := local.Start(t.Context(), options)
	if err == nil {
		mustStop(t, stack)
		t.Fatal("it started")
	}
	var known *problem.Error
	if !errors.As(err, &known) || !errors.Is(err, kind) {
		t.Fatalf("got %v, want a problem of the kind %q", err, kind)
	}
	if text := err.Error(); !strings.HasSuffix(text, ".") || strings.Contains(text, "\n") {
		t.Errorf("not one plain sentence: %q", text)
	}
	return err.Error()
}

func execute(t *testing.T, address, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatalf("%s: %v", what, err)
}

func reply(_ workflow.Context, word string) (string, error) { return word + " back", nil }

// converse runs one workflow from start to end.
func converse(t *testing.T, address, id string) {
	t.Helper()
	c, err := client.DialContext(t.Context(), client.Options{HostPort: address, Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	w := worker.New(c, "replies", worker.Options{})
	w.RegisterWorkflow(reply)
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	run, err := c.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: "replies"}, reply, "there and")
	if err != nil {
		t.Fatal(err)
	}
	var answer string
	if err := run.Get(t.Context(), &answer); err != nil || answer != "there and back" {
		t.Fatalf("workflow answered %q, %v", answer, err)
	}
}

type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

func TestStackAnswersAtOnceAndKeepsItsState(t *testing.T) {
	state := stateDir(t)
	options := both(t, state)
	var told []string
	options.Ready = func(part, address string, _ time.Duration) { told = append(told, part+" "+address) }
	stack := mustStart(t, options)

	converse(t, stack.TemporalAddress(), "first")
	execute(t, stack.DatabaseURL(), "create table kept as select 'नोटिस' as word")
	page, err := http.Get(stack.WebUIURL())
	if err != nil {
		t.Fatal(err)
	}
	page.Body.Close()
	if page.StatusCode != http.StatusOK {
		t.Errorf("Web UI: %s", page.Status)
	}
	if len(told) != 2 || !strings.Contains(strings.Join(told, "\n"), "Temporal "+stack.TemporalAddress()) {
		t.Errorf("ready parts: %q", told)
	}
	for _, secret := range []string{"postgres/password", "postgres.pid"} {
		if info, err := os.Stat(filepath.Join(state, secret)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", secret, info.Mode(), err)
		}
	}

	sentence := mustFail(t, both(t, state), local.ErrRunning)
	if !strings.Contains(sentence, strconv.Itoa(os.Getpid())) {
		t.Errorf("the sentence does not name the process: %s", sentence)
	}

	mustStop(t, stack)
	if _, err := net.Dial("tcp", stack.TemporalAddress()); err == nil {
		t.Error("Temporal still answers after Stop")
	}
	again := mustStart(t, both(t, state))
	if again.DatabaseURL() != stack.DatabaseURL() || again.TemporalAddress() != stack.TemporalAddress() || again.WebUIURL() != stack.WebUIURL() {
		t.Error("addresses changed between two starts")
	}
	execute(t, again.DatabaseURL(), "insert into kept values ('उत्तर')")
	converse(t, again.TemporalAddress(), "second")
}

func TestDatabaseSortsAndFoldsHindiAndLatin(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), localtest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var upper, encoding, zone string
	var less bool
	err = conn.QueryRow(t.Context(), "select upper('é'), getdatabaseencoding(), current_setting('timezone'), 'क' < 'ख'").Scan(&upper, &encoding, &zone, &less)
	if err != nil || upper != "É" || encoding != "UTF8" || zone != "UTC" || !less {
		t.Errorf("upper %q, encoding %q, zone %q, order %v: %v", upper, encoding, zone, less, err)
	}
}

// logged collects what the stack logs while it runs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestKilledPartsComeBackWhereTheyWere(t *testing.T) {
	state := stateDir(t)
	options := both(t, state)
	var log logged
	options.Logger = slog.New(slog.NewTextHandler(&log, nil))
	stack := mustStart(t, options)
	execute(t, stack.DatabaseURL(), "create table kept (n int)")
	converse(t, stack.TemporalAddress(), "before")

	// A busy connection, as in normal use: its backend outlives the killed server for a moment.
	busy, err := pgx.Connect(t.Context(), stack.DatabaseURL())
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close(context.Background())
	for range 2 {
		for _, part := range []string{"postgres", "temporal-dev"} {
			pid, err := strconv.Atoi(strings.TrimSpace(read(t, filepath.Join(state, part+".pid"))))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			eventually(t, part+" is started again", func() error {
				if now := strings.TrimSpace(read(t, filepath.Join(state, part+".pid"))); now == strconv.Itoa(pid) {
					return errors.New("still the old process")
				}
				return nil
			})
		}
		eventually(t, "PostgreSQL takes writes again", func() error {
			conn, err := pgx.Connect(t.Context(), stack.DatabaseURL())
			if err != nil {
				return err
			}
			defer conn.Close(context.Background())
			_, err = conn.Exec(t.Context(), "insert into kept values (1)")
			return err
		})
		eventually(t, "Temporal answers again", func() error {
			answer, err := http.Get(stack.WebUIURL() + "/api/v1/namespaces/default/workflows/before")
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				return errors.New(answer.Status)
			}
			return nil
		})
	}
	if err := stack.Err(); err != nil {
		t.Error(err)
	}
	for _, sentence := range []string{"PostgreSQL stopped (signal: killed); starting it again", "Temporal stopped (signal: killed); starting it again"} {
		if !strings.Contains(log.String(), sentence) {
			t.Errorf("not logged: %s", sentence)
		}
	}
}

func TestKilledParentDoesNotBlockTheNextStart(t *testing.T) {
	state := stateDir(t)
	parent, out := startParent(t, state)
	line := make([]byte, 3)
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "up\n" {
		t.Fatalf("parent said %q, %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	stack := mustStart(t, both(t, state))
	converse(t, stack.TemporalAddress(), "after")
	execute(t, stack.DatabaseURL(), "create table works (n int)")
}

func TestInterruptedInitdbIsDoneAgain(t *testing.T) {
	state := stateDir(t)
	parent, _ := startParent(t, state)
	eventually(t, "initdb begins", func() error {
		found, err := filepath.Glob(filepath.Join(state, "postgres", "data*", "pg_wal"))
		if err == nil && len(found) == 0 {
			err = errors.New("no data folder yet")
		}
		return err
	})
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	if _, err := os.Stat(filepath.Join(state, "postgres", "data")); err == nil {
		t.Fatal("initdb was over before the kill: the test shows nothing")
	}
	execute(t, mustStart(t, onlyPostgres(t, state)).DatabaseURL(), "select 1")
	if left, _ := filepath.Glob(filepath.Join(state, "postgres", "data.new*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestOrphans(t *testing.T) {
	tests := map[string]struct {
		arguments func(state string) []string
		ended     bool
	}{
		"ours is ended": {func(state string) []string {
			return []string{"/programs/bin/postgres", "-D", filepath.Join(state, "postgres", "data")}
		}, true},
		"another's server is left": {func(string) []string {
			return []string{"/programs/bin/postgres", "-D", "/elsewhere/postgres/data"}
		}, false},
		"one that only looks at the data is left": {func(state string) []string {
			return []string{"/usr/bin/tail", filepath.Join(state, "postgres", "data")}
		}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := stateDir(t)
			if err := os.MkdirAll(state, 0o711); err != nil {
				t.Fatal(err)
			}
			other := &exec.Cmd{Path: os.Args[0], Args: test.arguments(state), Env: append(os.Environ(), idleVariable+"=1")}
			if err := other.Start(); err != nil {
				t.Fatal(err)
			}
			exited := make(chan struct{})
			go func() {
				_ = other.Wait()
				close(exited)
			}()
			defer other.Process.Kill()
			if err := os.WriteFile(filepath.Join(state, "postgres.pid"), []byte(strconv.Itoa(other.Process.Pid)), 0o600); err != nil {
				t.Fatal(err)
			}
			options := onlyPostgres(t, state)
			options.Postgres.Programs = "/nowhere" // only what happens before the start matters here
			mustFail(t, options, local.ErrNotInstalled)
			select {
			case <-exited:
				if !test.ended {
					t.Error("it was ended")
				}
			case <-time.After(200 * time.Millisecond):
				if test.ended {
					t.Error("it still runs")
				}
			}
		})
	}
}

func TestTakenPorts(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	taken := listener.Addr().(*net.TCPAddr).Port
	for part, choose := range map[string]func(*local.Options){
		"PostgreSQL":        func(o *local.Options) { o.Postgres.Port = taken },
		"Temporal":          func(o *local.Options) { o.Temporal.Port = taken },
		"Temporal's Web UI": func(o *local.Options) { o.Temporal.WebUIPort = taken },
	} {
		t.Run(part, func(t *testing.T) {
			options := both(t, stateDir(t))
			choose(&options)
			sentence := mustFail(t, options, local.ErrPortTaken)
			if !strings.Contains(sentence, part) || !strings.Contains(sentence, strconv.Itoa(taken)) {
				t.Errorf("the sentence does not say which: %s", sentence)
			}
		})
	}
}

func TestMissingPrograms(t *testing.T) {
	for command, choose := range map[string]func(*local.Options){
		"make setup": func(o *local.Options) { o.Postgres.Programs = filepath.Join(o.StateDir, "nothing") },
		"make build": func(o *local.Options) { o.Temporal.Program = filepath.Join(o.StateDir, "nothing") },
	} {
		t.Run(command, func(t *testing.T) {
			options := both(t, stateDir(t))
			choose(&options)
			if sentence := mustFail(t, options, local.ErrNotInstalled); !strings.Contains(sentence, command) {
				t.Errorf("the sentence does not say what to do: %s", sentence)
			}
		})
	}
}

func TestDataThatCannotBeUsedIsLeftAlone(t *testing.T) {
	tests := map[string]struct {
		spoil func(t *testing.T, home string)
		kind  error
	}{
		"another major version": {func(t *testing.T, home string) { write(t, filepath.Join(home, "data", "PG_VERSION"), "16\n") }, local.ErrIncompatible},
		"no version":            {func(t *testing.T, home string) { remove(t, filepath.Join(home, "data", "PG_VERSION")) }, local.ErrDamaged},
		"no password":           {func(t *testing.T, home string) { remove(t, filepath.Join(home, "password")) }, local.ErrDamaged},
		"another password":      {func(t *testing.T, home string) { write(t, filepath.Join(home, "password"), "wrong\n") }, local.ErrDamaged},
	}
	state := stateDir(t)
	stack := mustStart(t, onlyPostgres(t, state))
	execute(t, stack.DatabaseURL(), "create table kept (n int)")
	mustStop(t, stack)
	home := filepath.Join(state, "postgres")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			version, password := read(t, filepath.Join(home, "data", "PG_VERSION")), read(t, filepath.Join(home, "password"))
			test.spoil(t, home)
			mustFail(t, onlyPostgres(t, state), test.kind)
			write(t, filepath.Join(home, "data", "PG_VERSION"), version)
			write(t, filepath.Join(home, "password"), password)
			own(t, home)
			again := mustStart(t, onlyPostgres(t, state))
			execute(t, again.DatabaseURL(), "select * from kept")
			mustStop(t, again)
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// own gives files that the test wrote as root to the owner of the folder.
func own(t *testing.T, home string) {
	t.Helper()
	info, err := os.Stat(home)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	for _, file := range []string{"password", "data/PG_VERSION"} {
		if err := os.Chown(filepath.Join(home, file), int(owner.Uid), int(owner.Gid)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLockFileThatNamesAnotherProcess(t *testing.T) {
	state := stateDir(t)
	mustStop(t, mustStart(t, onlyPostgres(t, state)))
	data := filepath.Join(state, "postgres", "data")
	info, err := os.Stat(data)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	// PostgreSQL considers only processes of its own user.
	other := exec.Command("sleep", "60")
	if os.Geteuid() == 0 {
		other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}}
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Wait()
	defer other.Process.Kill()
	lock := filepath.Join(data, "postmaster.pid")
	write(t, lock, fmt.Sprintf("%d\n%s\n1700000000\n5432\n\n127.0.0.1\n 1 1\nready\n", other.Process.Pid, data))
	if err := os.Chown(lock, int(owner.Uid), int(owner.Gid)); err != nil {
		t.Fatal(err)
	}
	execute(t, mustStart(t, onlyPostgres(t, state)).DatabaseURL(), "select 1")
}

func TestFullDisk(t *testing.T) {
	for part, options := range map[string]func(t *testing.T, state string) local.Options{
		"PostgreSQL": onlyPostgres,
		"Temporal": func(t *testing.T, state string) local.Options {
			options := both(t, state)
			options.Postgres = nil
			return options
		},
	} {
		t.Run(part, func(t *testing.T) {
			state := smallDisk(t, "30m")
			fill(t, filepath.Join(state, "filler"), 100<<10)
			if sentence := mustFail(t, options(t, state), local.ErrDiskFull); !strings.Contains(sentence, state) {
				t.Errorf("the sentence does not say which disk: %s", sentence)
			}
		})
	}
}

// fill writes until only the given space is left on the disk.
func fill(t *testing.T, path string, room int64) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var size int64
	for block := make([]byte, 64<<10); ; {
		n, err := file.Write(block)
		size += int64(n)
		if errors.Is(err, syscall.ENOSPC) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Truncate(size - room); err != nil {
		t.Fatal(err)
	}
}

// smallDisk mounts a separate disk for the state folder, which only root can do.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	state := stateDir(t)
	if err := os.MkdirAll(state, 0o711); err != nil {
		t.Fatal(err)
	}
	if err := mountMemory(state, size); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(state, 0); err != nil {
			t.Error(err)
		}
	})
	return state
}

func TestRootsClosedFolders(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root runs PostgreSQL as another user")
	}
	closed := t.TempDir() // only root can enter it
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { removeState(t, closed) })
	options := onlyPostgres(t, filepath.Join(closed, ".munshi"))
	programs := filepath.Join(closed, "package", "native")
	if err := os.CopyFS(programs, os.DirFS(options.Postgres.Programs)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(closed, "package", "package.json"), `{"version": "0.0.0-test"}`)
	t.Cleanup(func() { os.RemoveAll("/var/lib/munshi/postgresql-0.0.0-test") })
	options.Postgres.Programs = programs

	stack := mustStart(t, options)
	execute(t, stack.DatabaseURL(), "create table kept (n int)")
	mustStop(t, stack)
	again := mustStart(t, options)
	execute(t, again.DatabaseURL(), "select * from kept")
}

func TestCancelledStartLeavesNothingRunning(t *testing.T) {
	state := stateDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	options := both(t, state)
	options.Ready = func(string, string, time.Duration) { cancel() }
	stack, err := local.Start(ctx, options)
	if err == nil { // both were ready at the same moment
		mustStop(t, stack)
	} else if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	execute(t, mustStart(t, onlyPostgres(t, state)).DatabaseURL(), "select 1")
}

func TestDatabasesOfTestsAreApart(t *testing.T) {
	first, second := localtest.Postgres(t), localtest.Postgres(t)
	execute(t, first, "create table mine (n int)")
	execute(t, second, "create table mine (n int)")
	a, err := url.Parse(first)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := url.Parse(second); a.Host != b.Host || a.Path == b.Path {
		t.Errorf("want two databases of one server: %s, %s", a.Redacted(), b.Redacted())
	}
}
