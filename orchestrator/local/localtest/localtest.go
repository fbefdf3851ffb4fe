// Package localtest provides a real PostgreSQL and a real Temporal server for tests. Each test process has at most one
// of each, which is started on first use and ends with the process. Nothing is kept.
package localtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/local"
)

// One server for all tests of a process makes them cheap. Only package variables can be shared by all tests of a
// process.
var (
	postgres = sync.OnceValues(func() (*local.Stack, error) {
		return start(func(root string, o *local.Options) {
			o.Postgres = &local.Postgres{Programs: local.PostgresPrograms(root), Fast: true}
		})
	})
	temporal = sync.OnceValues(func() (*local.Stack, error) {
		return start(func(root string, o *local.Options) {
			o.Temporal = &local.Temporal{Program: local.TemporalProgram(root)}
		})
	})
	databases atomic.Int64
)

// Postgres returns the connection string, as a superuser, of a new and empty database, which is dropped when the test
// ends. Roles are shared by all databases of the test process.
func Postgres(t testing.TB) string {
	t.Helper()
	stack, err := postgres()
	if err != nil {
		t.Fatal(err)
	}
	name := "test_" + strconv.FormatInt(databases.Add(1), 10)
	execute(t, stack.DatabaseURL(), "create database "+name)
	t.Cleanup(func() { execute(t, stack.DatabaseURL(), "drop database "+name+" with (force)") })
	return named(t, stack.DatabaseURL(), name)
}

// KeptPostgres is like Postgres, for a database that several tests share: it is kept until the process ends.
func KeptPostgres(t testing.TB) string {
	t.Helper()
	stack, err := postgres()
	if err != nil {
		t.Fatal(err)
	}
	name := "test_" + strconv.FormatInt(databases.Add(1), 10)
	execute(t, stack.DatabaseURL(), "create database "+name)
	return named(t, stack.DatabaseURL(), name)
}

// named returns the connection string of another database on the same server.
func named(t testing.TB, server, name string) string {
	t.Helper()
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	address.Path = name
	return address.String()
}

// Temporal returns host:port of a Temporal server with the namespace "default". Tests share it, so each must use its
// own task queues and workflow ids.
func Temporal(t testing.TB) string {
	t.Helper()
	stack, err := temporal()
	if err != nil {
		t.Fatal(err)
	}
	return stack.TemporalAddress()
}

// Root returns the folder of the checkout: the nearest one above the working directory that has a go.mod.
func Root(t testing.TB) string {
	t.Helper()
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// Folder returns a new and empty state folder for a server that the test itself starts and stops; it is removed when
// the test ends.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := folder()
	if err != nil {
		t.Fatal(err)
	}
	// Locked as if a server were running, so that other test processes do not remove it.
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	state := filepath.Join(dir, "state")
	if err == nil {
		err = os.Mkdir(state, 0o711)
	}
	if err == nil {
		err = os.Chmod(state, 0o711) // independent of our umask
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = os.RemoveAll(dir) // if this fails, a later test process removes it
		lock.Close()
	})
	return state
}

func findRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", fmt.Errorf("find the checkout's go.mod: %w", err)
		}
		dir = filepath.Dir(dir)
	}
}

func execute(t testing.TB, address, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatalf("connect to the test server: %v", err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func start(choose func(root string, o *local.Options)) (*local.Stack, error) {
	root, err := findRoot()
	if err != nil {
		return nil, err
	}
	state, err := folder()
	if err != nil {
		return nil, err
	}
	options := local.Options{StateDir: state, Logger: slog.New(slog.DiscardHandler)}
	choose(root, &options)
	stack, err := local.Start(context.Background(), options)
	if errors.Is(err, local.ErrNotInstalled) {
		err = fmt.Errorf("%w (tests need `make setup build` once)", err)
	}
	return stack, err
}

// folder creates a folder for a server's state.
func folder() (string, error) {
	all := filepath.Join(os.TempDir(), "munshi-test-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(all, 0o711); err != nil {
		return "", err
	}
	sweep(all)
	state, err := os.MkdirTemp(all, "")
	if err != nil {
		return "", err
	}
	return state, os.Chmod(state, 0o711) // so that PostgreSQL's own user can reach it
}

// sweep removes what earlier test processes left, since a process cannot clean up after its own end.
func sweep(all string) {
	entries, err := os.ReadDir(all)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || time.Since(info.ModTime()) < time.Minute {
			continue // it may be about to be created
		}
		dir := filepath.Join(all, entry.Name())
		lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0)
		if err == nil {
			err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
			lock.Close()
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue // in use
		}
		if outside, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres")); err == nil {
			_ = os.RemoveAll(outside)
		}
		_ = os.RemoveAll(dir)
	}
}
