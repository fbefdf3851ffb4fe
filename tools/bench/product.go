package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/local"
)

// product is Munshi as `make run` starts it, with API and worker in one process, or as it is deployed, with separate
// processes; with its PostgreSQL and Temporal.
type product struct {
	address string
	stack   *local.Stack
	db      *pgx.Conn // as the owner, who can see all rows
	state   string
	names   []string    // of the parts: run, or serve and worker
	parts   []*exec.Cmd // in the same order
}

// bringUp starts the product in a new folder, with the model at modelURL; apart gives API and worker separate
// processes.
func bringUp(ctx context.Context, root, modelURL string, apart bool) (_ *product, err error) {
	p := &product{names: []string{"run"}}
	if apart {
		p.names = []string{"serve", "worker"}
	}
	defer func() {
		if err != nil {
			err = errors.Join(p.explain(err), p.stop(context.WithoutCancel(ctx)))
		}
	}()
	// On the same disk as `make run`: a temporary folder may be in memory, which would make commits cheap.
	cache := filepath.Join(root, ".cache")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	dir, err := os.MkdirTemp(cache, "bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	p.state = dir
	if err := os.Chmod(p.state, 0o711); err != nil { // PostgreSQL may run as its own user
		return nil, err
	}
	progress("starting PostgreSQL and Temporal")
	p.stack, err = local.Start(ctx, local.Options{StateDir: p.state, Logger: slog.New(slog.DiscardHandler),
		Postgres: &local.Postgres{Programs: local.PostgresPrograms(root)},
		Temporal: &local.Temporal{Program: local.TemporalProgram(root)}})
	if err != nil {
		return nil, err
	}
	if p.db, err = pgx.Connect(ctx, p.stack.DatabaseURL()); err != nil {
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	address := listener.Addr().String()
	listener.Close()
	p.address = "http://" + address
	for i, part := range p.names {
		progress("starting munshi %s", part)
		if err := p.start(root, part, address, modelURL); err != nil {
			return nil, err
		}
		if i == 0 { // it migrates the database; a worker started at the same time would only wait
			if err := p.awaitHealth(ctx); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

func (p *product) start(root, part, address, modelURL string) error {
	log, err := os.Create(filepath.Join(p.state, "log", part+".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(filepath.Join(root, "bin", "munshi"), part)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+p.stack.DatabaseURL(), "TEMPORAL_ADDRESS="+p.stack.TemporalAddress(),
		"MUNSHI_TEMPORAL_KEYS=bench:dGhlIGJlbmNoIGhhcyBubyBzZWNyZXRzIGF0IGFsbCE=",
		"MUNSHI_SERVER_ADDRESS="+address, "MUNSHI_MODEL_BASE_URL="+modelURL, "MUNSHI_MODEL_KEY=bench",
		"MUNSHI_MODEL_NAME=stand-in", "MUNSHI_LOG_LEVEL=warn", "MUNSHI_ACCOUNT_FREE_USES=1000000000",
		"MUNSHI_ACCOUNT_FAIR_USE_PER_HOUR=0",
		// all requests come from one address
		"MUNSHI_ABUSE_VISITORS=0", "MUNSHI_ABUSE_SIGN_UPS=0", "MUNSHI_ABUSE_FREE_TURNS=0", "MUNSHI_ABUSE_UPLOAD_MB=0",
		"MUNSHI_SPENDING_PERSON_DAY_PAISE=0", "MUNSHI_SPENDING_VISITORS_DAY_PAISE=0",
		"MUNSHI_SPENDING_INSTALLATION_DAY_PAISE=0", "MUNSHI_HOME="+root,
		"MUNSHI_LOCAL_STATE_DIR="+filepath.Join(p.state, "run"), "MUNSHI_SERVER_OPERATOR_ADDRESS=")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start bin/munshi %s (is it built? run `make munshi`): %w", part, err)
	}
	p.parts = append(p.parts, cmd)
	return nil
}

func (p *product) awaitHealth(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		if ok, err := healthy(ctx, p.address); ok {
			return nil
		} else if ctx.Err() != nil {
			return fmt.Errorf("munshi serve does not answer: %w", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func healthy(ctx context.Context, address string) (bool, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/api/health", nil)
	if err != nil {
		return false, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	var health struct{ Status string }
	err = json.NewDecoder(resp.Body).Decode(&health)
	return health.Status == "ok", err
}

// stop stops all parts and removes the folder.
func (p *product) stop(ctx context.Context) error {
	var errs []error
	for _, cmd := range p.parts {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
		timer := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
	}
	if p.db != nil {
		_ = p.db.Close(ctx)
	}
	if p.stack != nil {
		errs = append(errs, p.stack.Stop(ctx))
	}
	if p.state != "" {
		// The data may be elsewhere, if PostgreSQL's own user cannot reach the folder.
		if data, err := filepath.EvalSymlinks(filepath.Join(p.state, "postgres")); err == nil {
			errs = append(errs, os.RemoveAll(data))
		}
		errs = append(errs, os.RemoveAll(p.state))
	}
	return errors.Join(errs...)
}

// explain adds the last output of the parts to an error.
func (p *product) explain(err error) error {
	if p.state == "" {
		return err
	}
	for _, part := range p.names {
		if said := lastLines(filepath.Join(p.state, "log", part+".log"), 5); said != "" {
			err = fmt.Errorf("%w\nmunshi %s said:\n%s", err, part, said)
		}
	}
	return err
}

func lastLines(file string, n int) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	var lines []string
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
		if errors.Is(err, io.EOF) || err != nil {
			return strings.Join(lines[max(0, len(lines)-n):], "\n")
		}
	}
}

// databaseWork is what PostgreSQL has done since its start.
type databaseWork struct{ commits, flushes int64 }

func (w databaseWork) since(before databaseWork) databaseWork {
	return databaseWork{w.commits - before.commits, w.flushes - before.flushes}
}

func (p *product) databaseWork(ctx context.Context) (w databaseWork, err error) {
	if p == nil { // another installation
		return w, nil
	}
	err = p.db.QueryRow(ctx,
		`select (select xact_commit from pg_stat_database where datname = current_database()), (select wal_sync from pg_stat_wal)`).Scan(&w.commits, &w.flushes)
	if err != nil {
		return w, fmt.Errorf("read the database's statistics: %w", err)
	}
	return w, nil
}
