package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"munshi/tools/drills"
)

//go:embed seed.sql
var seed string

// seedCrowd fills the database once.
func (m *machine) seedCrowd(ctx context.Context) error {
	if m.seeded {
		return nil
	}
	at := time.Now()
	if _, err := m.db.Exec(ctx, seed); err != nil {
		return fmt.Errorf("seed the database: %w", err)
	}
	for name, n := range map[string]int{"workspaces": m.workspaces, "follow_ups": m.followUps} {
		if _, err := m.db.Exec(ctx, "select set_config('scale."+name+"', $1, false)", fmt.Sprint(n)); err != nil {
			return fmt.Errorf("seed the database: %w", err)
		}
	}
	for _, then := range []string{"call seed_crowd()", "vacuum (analyze)", "checkpoint"} {
		if _, err := m.db.Exec(ctx, then); err != nil {
			return fmt.Errorf("seed the database (%s): %w", then, err)
		}
	}
	m.seeded = true
	note("%d workspaces and %d follow-ups are in the database after %s", m.workspaces, m.followUps,
		time.Since(at).Round(time.Second))
	return nil
}

// restTime is how long the load at rest is measured: two of the reconciler's long rounds, which come every 30 s.
const restTime = 70 * time.Second

// crowd lets all follow-ups wait in Temporal, measures their cost at rest, and checks whether anything periodic
// scans a whole table.
func crowd(ctx context.Context, m *machine) error {
	empty, err := m.sizes(ctx)
	if err != nil {
		return err
	}
	if err := m.seedCrowd(ctx); err != nil {
		return err
	}
	if err := m.have(ctx, 3, 2, connectionsOfEach); err != nil {
		return err
	}
	defer m.stopParts()
	began := time.Now()
	before, err := m.cpu()
	if err != nil {
		return err
	}
	if err := m.awaitFollowUps(ctx); err != nil {
		return err
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	said, _ := each(before, after, m.followUps)
	m.report.add(fmt.Sprintf("%d follow-ups begun by the reconciler, at most 40 a second", m.followUps),
		"%s; CPU of each: %s", time.Since(began).Round(time.Second), said)
	full, err := m.sizes(ctx)
	if err != nil {
		return err
	}
	m.report.add("disk of a waiting follow-up in Temporal's PostgreSQL", "%.1f KB",
		float64(full[1]-empty[1])/1024/float64(m.followUps))
	m.report.add(fmt.Sprintf("disk of %d workspaces with one answered question each", m.workspaces), "%d MB",
		(full[0]-empty[0])>>20)
	return m.rest(ctx)
}

// awaitFollowUps waits until Temporal lists all of them as running.
func (m *machine) awaitFollowUps(ctx context.Context) error {
	c, err := client.NewLazyClient(client.Options{HostPort: m.temporal.address})
	if err != nil {
		return fmt.Errorf("make a client of Temporal: %w", err)
	}
	defer c.Close()
	said := time.Now()
	return drills.Await(ctx, 20*time.Minute, "the follow-ups to wait in Temporal", func(ctx context.Context) error {
		found, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{Namespace: "default",
			Query: "WorkflowType = 'FollowUp' AND ExecutionStatus = 'Running'"})
		if err != nil {
			return err
		}
		if time.Since(said) > 30*time.Second {
			note("%d of %d follow-ups wait in Temporal", found.Count, m.followUps)
			said = time.Now()
		}
		if found.Count < int64(m.followUps) {
			return fmt.Errorf("%d are there", found.Count)
		}
		return nil
	})
}

// sizes returns the sizes of our database and of Temporal's.
func (m *machine) sizes(ctx context.Context) (sizes [2]int64, err error) {
	theirs, err := pgx.Connect(ctx, m.theirs.DatabaseURL())
	if err != nil {
		return sizes, fmt.Errorf("reach Temporal's database: %w", err)
	}
	defer theirs.Close(ctx)
	for i, db := range []*pgx.Conn{m.db, theirs} {
		if err := db.QueryRow(ctx, "select sum(pg_database_size(datname))::bigint from pg_database").Scan(&sizes[i]); err != nil {
			return sizes, fmt.Errorf("measure the databases: %w", err)
		}
	}
	return sizes, nil
}

// bigTable is the number of rows from which the scan of a table counts: PostgreSQL is right to read smaller ones
// completely.
const bigTable = 1000

// rest measures the CPU time while nobody does anything, and which tables were scanned completely. The queries
// of Prometheus are included.
func (m *machine) rest(ctx context.Context) error {
	if _, err := m.db.Exec(ctx, "analyze"); err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	scans, err := m.scans(ctx)
	if err != nil {
		return err
	}
	before, err := m.cpu()
	if err != nil {
		return err
	}
	for end := time.Now().Add(restTime); time.Now().Before(end); {
		for _, p := range m.parts {
			if err := p.scrape(ctx); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(15 * time.Second):
		}
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	now, err := m.scans(ctx)
	if err != nil {
		return err
	}
	var words []string
	for _, name := range partNames[:len(partNames)-1] {
		words = append(words, fmt.Sprintf("%s %.1f %%", name, 100*(after[name]-before[name]).Seconds()/restTime.Seconds()))
	}
	m.report.add(fmt.Sprintf("at rest with %d workspaces and %d follow-ups, three of serve and two workers: CPU of a core",
		m.workspaces, m.followUps), "%s", strings.Join(words, ", "))
	var whole []string
	seen := 0
	for table, s := range now {
		if s.rows < bigTable {
			continue
		}
		seen++
		if s.scans > scans[table].scans {
			whole = append(whole, fmt.Sprintf("%s (%d rows) %d times", table, s.rows, s.scans-scans[table].scans))
		}
	}
	slices.Sort(whole)
	if len(whole) > 0 {
		note("scanned whole: %s", strings.Join(whole, ", "))
	}
	m.report.add(fmt.Sprintf("tables of at least %d rows that something periodic scanned whole in %s", bigTable, restTime),
		"%d of %d; %s", len(whole), seen, m.report.must(len(whole) == 0, "none"))
	return nil
}

// scan says how often a table was scanned completely.
type scan struct{ scans, rows int64 }

func (m *machine) scans(ctx context.Context) (map[string]scan, error) {
	// processes report their statistics within ten seconds
	if _, err := m.db.Exec(ctx, "select pg_sleep(11), pg_stat_clear_snapshot()"); err != nil {
		return nil, fmt.Errorf("wait for PostgreSQL's statistics: %w", err)
	}
	rows, err := m.db.Query(ctx, `select s.relname, coalesce(s.seq_scan, 0), greatest(c.reltuples, s.n_live_tup)::bigint
		from pg_stat_user_tables s join pg_class c on c.oid = s.relid`)
	if err != nil {
		return nil, fmt.Errorf("read PostgreSQL's statistics: %w", err)
	}
	found := map[string]scan{}
	for rows.Next() {
		var name string
		var s scan
		if err := rows.Scan(&name, &s.scans, &s.rows); err != nil {
			return nil, err
		}
		found[name] = s
	}
	return found, rows.Err()
}

// scrape asks for the metrics, as Prometheus does.
func (p *process) scrape(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.operators+"/metrics", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("read the metrics of %s: %w", p.name, err)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return errors.Join(err, resp.Body.Close())
}
