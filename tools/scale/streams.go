package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"munshi/tools/drills"
)

// stepTime is how long each rate of pieces is kept up.
const stepTime = 10 * time.Second

// sessionCookie is the name of the session cookie over plain http.
const sessionCookie = "munshi"

// live is the reading side of all streams.
type live struct {
	open  atomic.Int64
	lost  atomic.Int64
	again atomic.Int64 // requests that a busy server refused
	first sync.Once    // the first loss is printed
	mu    sync.Mutex
	delay []time.Duration // from storing a piece until it is read
}

func (l *live) lose(why error) {
	l.lost.Add(1)
	l.first.Do(func() { note("the first stream that broke off: %v", why) })
}

func (l *live) take() []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.delay
	l.delay = nil
	return taken
}

// streams opens many event streams over three of serve, each for a running turn, and stores pieces of text as
// workers do, at increasing rates. No worker runs, so that only these pieces are stored.
func streams(ctx context.Context, m *machine) error {
	if m.streams > m.workspaces {
		return fmt.Errorf("%d streams need as many workspaces", m.streams)
	}
	if err := m.seedCrowd(ctx); err != nil {
		return err
	}
	if err := m.have(ctx, 3, 0, 2*connectionsOfEach); err != nil {
		return err
	}
	defer m.stopParts()
	if _, err := m.db.Exec(ctx, `insert into turns (id, workspace_id, conversation_id, kind, state, run_id, epoch, started_at)
		select seed_id(9, n), seed_id(1, n), seed_id(2, n), 'chat', 'running', 'scale', 2, now() from generate_series(1, $1) n`,
		m.streams); err != nil {
		return fmt.Errorf("begin turns: %w", err)
	}
	defer func() {
		_, _ = m.db.Exec(context.WithoutCancel(ctx), `update turns set state = 'answered', finished_at = now() where run_id = 'scale'`)
	}()
	memory := m.memory("serve")
	following, end := context.WithCancel(ctx)
	var readers sync.WaitGroup
	defer readers.Wait()
	defer end()
	l := &live{}
	began := time.Now()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1}}
	defer client.CloseIdleConnections()
	addresses := m.serves()
	opening := make(chan struct{}, 50) // at the same time
	for n := 1; n <= m.streams; n++ {
		readers.Go(func() { l.follow(following, client, addresses[n%len(addresses)], n, opening) })
	}
	if err := drills.Await(ctx, 5*time.Minute, "the streams to open", func(context.Context) error {
		if open := l.open.Load(); open < int64(m.streams) && l.lost.Load() == 0 {
			return fmt.Errorf("%d are open", open)
		}
		return nil
	}); err != nil {
		return err
	}
	if lost := l.lost.Load(); lost > 0 {
		return fmt.Errorf("%d of %d streams could not be opened", lost, m.streams)
	}
	m.report.add(fmt.Sprintf("%d streams over three of serve, opened 50 at a time", m.streams), "%s, after %d times 503; memory %.0f KB for each",
		time.Since(began).Round(100*time.Millisecond), l.again.Load(), (m.memory("serve")-memory)/float64(m.streams))
	if err := m.streamsAtRest(ctx); err != nil {
		return err
	}
	pool, err := pgxpool.New(ctx, m.ours.DatabaseURL()+"&pool_max_conns=8")
	if err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	defer pool.Close()
	written := make([]int, m.streams+1)
	for _, rate := range m.rates {
		if err := m.piecesAt(ctx, pool, l, rate, written); err != nil {
			return err
		}
	}
	if lost := l.lost.Load(); lost > 0 {
		m.report.missed = append(m.report.missed, fmt.Sprintf("%d streams broke off", lost))
	}
	return m.unfollowed(ctx, pool)
}

// follow reads one stream until ctx ends.
func (l *live) follow(ctx context.Context, client *http.Client, address string, n int, opening chan struct{}) {
	opening <- struct{}{}
	opened := sync.OnceFunc(func() { <-opening })
	defer opened()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/api/conversations/%s/events", address, seedID(2, n)),
		nil)
	if err != nil {
		l.lose(err)
		return
	}
	req.AddCookie(&http.Cookie{Name: sessionCookie, Value: strconv.Itoa(n)})
	resp, err := client.Do(req)
	for range 20 { // a browser also reconnects when the server says that it is busy
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable {
			break
		}
		resp.Body.Close()
		l.again.Add(1)
		time.Sleep(time.Second)
		resp, err = client.Do(req)
	}
	if err != nil {
		l.lose(err)
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(resp.Body)
		l.lose(fmt.Errorf("%s: %s", resp.Status, said))
		return
	}
	lines := bufio.NewReaderSize(resp.Body, 1024)
	first := true
	for {
		line, err := lines.ReadString('\n')
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			l.lose(err)
			return
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		if first {
			opened()
			l.open.Add(1)
			first = false
			continue
		}
		var e struct{ Text string }
		if json.Unmarshal([]byte(data), &e) != nil {
			continue
		}
		// several pieces may come in one event
		for piece := range strings.FieldsSeq(e.Text) {
			if stored, err := strconv.ParseInt(piece, 10, 64); err == nil {
				l.mu.Lock()
				l.delay = append(l.delay, time.Since(time.Unix(0, stored)))
				l.mu.Unlock()
			}
		}
	}
}

func seedID(kind, n int) string { return fmt.Sprintf("%08x-0000-7000-8000-%012x", kind, n) }

// streamsAtRest measures the cost of streams in which nothing happens.
func (m *machine) streamsAtRest(ctx context.Context) error {
	before, err := m.cpu()
	if err != nil {
		return err
	}
	commits, err := m.commits(ctx)
	if err != nil {
		return err
	}
	const long = 20 * time.Second
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(long):
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	now, err := m.commits(ctx)
	if err != nil {
		return err
	}
	m.report.add(fmt.Sprintf("%d streams in which nothing happens: CPU of a core", m.streams),
		"munshi serve (three) %.0f %%, PostgreSQL %.0f %%; %.0f transactions a second",
		100*(after["munshi serve"]-before["munshi serve"]).Seconds()/long.Seconds(),
		100*(after["PostgreSQL"]-before["PostgreSQL"]).Seconds()/long.Seconds(), float64(now-commits)/long.Seconds())
	return nil
}

func (m *machine) commits(ctx context.Context) (n int64, err error) {
	err = m.db.QueryRow(ctx, "select xact_commit from pg_stat_database where datname = current_database()").Scan(&n)
	return n, err
}

// memory returns the memory of all processes of a kind, as their shares of the resident memory, in
// KB.
func (m *machine) memory(command string) (kb float64) {
	for _, p := range m.parts {
		if p.command != command {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "smaps_rollup"))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
				n, _ := strconv.ParseFloat(f[1], 64)
				kb += n
			}
		}
	}
	return kb
}

// addPiece stores a piece as AddEvent of the store does, and notifies the readers.
const addPiece = `with added as (
    insert into run_events (conversation_id, epoch, seq, turn_id, workspace_id, text) values ($1, 2, $2, $3, $4, $5)
    returning conversation_id, epoch, seq
) select pg_notify('munshi_turns', conversation_id::text || ' ' || (epoch * 1000000 + seq)) from added`

// piecesAt stores pieces at a rate, in all streams in turn, and measures the delay until they are read.
func (m *machine) piecesAt(ctx context.Context, pool *pgxpool.Pool, l *live, rate int, written []int) error {
	l.take()
	before, err := m.cpu()
	if err != nil {
		return err
	}
	jobs := make(chan int, 10*rate)
	var sent atomic.Int64
	var mu sync.Mutex
	var wrong error
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for n := range jobs {
				mu.Lock()
				written[n]++
				seq := written[n]
				mu.Unlock()
				_, err := pool.Exec(ctx, addPiece, seedID(2, n), seq, seedID(9, n), seedID(1, n), fmt.Sprintf("%d ", time.Now().UnixNano()))
				if err != nil {
					mu.Lock()
					wrong = errors.Join(wrong, err)
					mu.Unlock()
					return
				}
				sent.Add(1)
			}
		})
	}
	began, given := time.Now(), 0
	for time.Since(began) < stepTime && ctx.Err() == nil {
		for due := int(time.Since(began).Seconds() * float64(rate)); given < due; given++ {
			select {
			case jobs <- 1 + (given*7919)%m.streams: // far apart, and each stream in turn
			default: // PostgreSQL accepts no more
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	close(jobs)
	writers.Wait()
	took := time.Since(began)
	if wrong != nil {
		return fmt.Errorf("store a piece: %w", wrong)
	}
	var delay []time.Duration
	err = drills.Await(ctx, 30*time.Second, "the pieces to be read", func(context.Context) error {
		delay = append(delay, l.take()...)
		if int64(len(delay)) < sent.Load() {
			return fmt.Errorf("%d of %d were", len(delay), sent.Load())
		}
		return nil
	})
	if err != nil {
		return err
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	n := int(sent.Load())
	m.report.add(fmt.Sprintf("%d pieces of text a second over %d streams", rate, m.streams),
		"%.0f a second were stored, all were read: half within %s, 95 %% within %s, the last %s late; CPU of each: munshi serve "+
			"(three) %s, PostgreSQL %s", float64(n)/took.Seconds(), ms(quantile(delay, .5)), ms(quantile(delay, .95)),
		ms(quantile(delay, 1)), ms((after["munshi serve"]-before["munshi serve"])/time.Duration(max(n, 1))),
		ms((after["PostgreSQL"]-before["PostgreSQL"])/time.Duration(max(n, 1))))
	return nil
}

// unfollowed measures notifications of conversations that nobody follows, which every process receives
// nevertheless.
func (m *machine) unfollowed(ctx context.Context, pool *pgxpool.Pool) error {
	before, err := m.cpu()
	if err != nil {
		return err
	}
	began, sent := time.Now(), 0
	for time.Since(began) < stepTime {
		if _, err := pool.Exec(ctx, "select pg_notify('munshi_turns', $1 || ' ' || n) from generate_series(1, 100) n",
			seedID(8, 1)); err != nil {
			return fmt.Errorf("notify: %w", err)
		}
		sent += 100
		time.Sleep(20 * time.Millisecond)
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	m.report.add("a notification that nobody in these processes waits for: CPU",
		"%.1f µs in each of three of serve (which also kept their streams), %.1f µs in PostgreSQL, at %.0f a second",
		float64((after["munshi serve"]-before["munshi serve"]).Microseconds())/float64(sent)/3,
		float64((after["PostgreSQL"]-before["PostgreSQL"]).Microseconds())/float64(sent),
		float64(sent)/time.Since(began).Seconds())
	return nil
}
