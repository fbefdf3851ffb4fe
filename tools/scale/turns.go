package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// question is asked in every turn; the stand-in for a model answers it briefly, at once.
const question = "Can I ask for more time to reply to the notice?"

// connectionsOfEach is how many database connections each process has while there are up to seven: PostgreSQL is
// started with 100.
const connectionsOfEach = 10

// visitor is a browser with its session.
type visitor struct {
	address string
	client  *http.Client
	cookie  *http.Cookie
}

func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
}

func (v *visitor) do(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&body).Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, v.address+path, &body)
	if err != nil {
		return err
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if v.cookie != nil {
		req.AddCookie(v.cookie)
	}
	resp, err := v.client.Do(req)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	for _, c := range resp.Cookies() {
		v.cookie = c
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s %s answers %s: %s", method, path, resp.Status, raw)
	}
	return json.Unmarshal(raw, out)
}

// notAnswered is the error for a turn that ended in another state.
type notAnswered struct{ turn, how string }

func (n *notAnswered) Error() string { return "turn " + n.turn + " is " + n.how }

// ask begins a conversation, asks a question in it, and follows the event stream until it is answered.
func (v *visitor) ask(ctx context.Context) error {
	var conversation, turn struct{ ID string }
	if err := v.do(ctx, http.MethodPost, "/api/conversations", map[string]string{"plugin": "lawyer"},
		&conversation); err != nil {
		return err
	}
	if err := v.do(ctx, http.MethodPost, "/api/conversations/"+conversation.ID+"/messages",
		map[string]string{"text": question}, &turn); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		v.address+"/api/conversations/"+conversation.ID+"/events", nil)
	if err != nil {
		return err
	}
	req.AddCookie(v.cookie)
	resp, err := v.client.Do(req)
	if err != nil {
		return fmt.Errorf("follow turn %s: %w", turn.ID, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the stream of turn %s answers %s", turn.ID, resp.Status)
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct {
			Turn *struct {
				ID, State string
				Error     *struct{ Sentence string }
			}
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			return fmt.Errorf("read the stream of turn %s: %w", turn.ID, err)
		}
		if e.Turn == nil || e.Turn.ID != turn.ID {
			continue
		}
		switch e.Turn.State {
		case "answered":
			return nil
		case "failed", "stopped":
			return &notAnswered{turn.ID, fmt.Sprintf("%s: %+v", e.Turn.State, e.Turn.Error)}
		}
	}
	return errors.Join(fmt.Errorf("the stream ended before turn %s", turn.ID), lines.Err())
}

// askFor lets a number of people ask, each again as soon as they are answered, and returns how long each turn took
// that ended within the time. It distributes them over all of serve.
func (m *machine) askFor(ctx context.Context, people int, long time.Duration) ([]time.Duration, error) {
	addresses, client := m.serves(), newClient()
	defer client.CloseIdleConnections()
	var mu sync.Mutex
	var took []time.Duration
	var wrong error
	var all sync.WaitGroup
	end := time.Now().Add(long)
	for i := range people {
		v := &visitor{address: addresses[i%len(addresses)], client: client}
		all.Go(func() {
			for time.Now().Before(end) && ctx.Err() == nil {
				one, cancel := context.WithTimeout(ctx, 2*time.Minute)
				at := time.Now()
				err := v.ask(one)
				cancel()
				mu.Lock()
				if wrong = errors.Join(wrong, err); err == nil && time.Now().Before(end) {
					took = append(took, time.Since(at))
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	all.Wait()
	var failed *notAnswered
	if errors.As(wrong, &failed) {
		m.tell(ctx, failed.turn)
	}
	return took, errors.Join(wrong, ctx.Err())
}

// sample is what was measured with a number of workers.
type sample struct {
	perSecond float64
	took      []time.Duration
	cpu       map[string]time.Duration // of each part, all turns together
	turns     int
	of        time.Duration // the whole measurement
	waits     map[string]int
}

// throughput measures turns per second and the CPU time of a turn with different numbers of workers on the same
// cores. The numbers alternate, so that the noise of the machine affects all of them.
func throughput(ctx context.Context, m *machine) error {
	defer m.stopParts()
	found := map[int]*sample{}
	rates := map[int][]float64{}
	for round := range m.rounds {
		for _, n := range m.workers {
			if err := m.have(ctx, 1, n, connectionsOfEach); err != nil {
				return err
			}
			// Warms up connections, caches and query plans.
			if _, err := m.askFor(ctx, m.atOnce, 3*time.Second); err != nil {
				return err
			}
			s := found[n]
			if s == nil {
				s = &sample{cpu: map[string]time.Duration{}, waits: map[string]int{}}
				found[n] = s
			}
			if err := m.measure(ctx, s); err != nil {
				return err
			}
			rates[n] = append(rates[n], s.perSecond)
			note("round %d, %d workers: %.1f turns a second, load %s", round+1, n, s.perSecond, load())
		}
	}
	for _, n := range m.workers {
		s := found[n]
		said, all := each(nil, s.cpu, s.turns)
		share := (all * time.Duration(s.turns)).Seconds() / s.of.Seconds()
		m.report.add(fmt.Sprintf("%d workers, %d turns at once", n, m.atOnce),
			"%s turns a second in %d rounds; a turn takes %.2f s, 95 %% of them at most %.2f s; CPU of a turn %s: %s; "+
				"we got %.1f cores", spread(rates[n]), m.rounds, quantile(s.took, .5).Seconds(),
			quantile(s.took, .95).Seconds(), ms(all), said, share)
	}
	few, many := found[slices.Min(m.workers)], found[slices.Max(m.workers)]
	ratio := median(rates[slices.Max(m.workers)]) / median(rates[slices.Min(m.workers)])
	m.report.add(fmt.Sprintf("%d workers beside %d, by the clock", slices.Max(m.workers), slices.Min(m.workers)),
		"%.0f %% of the turns a second; %s", 100*ratio, m.report.must(ratio >= .75, "≥ 75 %"))
	_, cpuFew := each(nil, few.cpu, few.turns)
	_, cpuMany := each(nil, many.cpu, many.turns)
	m.report.add("the same by turns for a second of CPU, which other jobs of the machine change less", "%.0f %%",
		100*cpuFew.Seconds()/cpuMany.Seconds())
	m.bottlenecks(few)
	return nil
}

// bottlenecks names what a turn waits for.
func (m *machine) bottlenecks(s *sample) {
	type one struct {
		name string
		cpu  time.Duration
	}
	var all []one
	for name, used := range s.cpu {
		if name != partNames[len(partNames)-1] {
			all = append(all, one{name, used / time.Duration(max(s.turns, 1))})
		}
	}
	slices.SortFunc(all, func(a, b one) int { return int(b.cpu - a.cpu) })
	var words []string
	for _, o := range all {
		words = append(words, fmt.Sprintf("%s at %.0f", o.name, 1/o.cpu.Seconds()))
	}
	m.report.add("turns a second at which each part would fill one core, the first to do so first", "%s",
		strings.Join(words, ", "))
	waits := slices.SortedFunc(maps.Keys(s.waits), func(a, b string) int { return s.waits[b] - s.waits[a] })
	total := 0
	for _, n := range s.waits {
		total += n
	}
	words = nil
	for _, w := range waits[:min(4, len(waits))] {
		words = append(words, fmt.Sprintf("%s %.0f %%", w, 100*float64(s.waits[w])/float64(total)))
	}
	m.report.add("what PostgreSQL's busy connections were at, with one worker", "%s", strings.Join(words, ", "))
}

// measure measures one round.
func (m *machine) measure(ctx context.Context, s *sample) error {
	before, err := m.cpu()
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	watched := make(chan error, 1)
	go func() { watched <- m.watchWaits(watching, s.waits) }()
	took, err := m.askFor(ctx, m.atOnce, m.roundTime)
	stop()
	if err := errors.Join(err, <-watched); err != nil {
		return err
	}
	after, err := m.cpu()
	if err != nil {
		return err
	}
	for name := range after {
		s.cpu[name] += after[name] - before[name]
	}
	s.perSecond = float64(len(took)) / m.roundTime.Seconds()
	// the turns that were running at the end have used some of the CPU time too
	s.took, s.turns, s.of = append(s.took, took...), s.turns+len(took)+m.atOnce/2, s.of+m.roundTime
	return nil
}

// watchWaits counts what the busy connections of our PostgreSQL are waiting for.
func (m *machine) watchWaits(ctx context.Context, counts map[string]int) error {
	for ctx.Err() == nil {
		rows, err := m.db.Query(context.WithoutCancel(ctx), `select coalesce(wait_event_type || ' ' || wait_event, 'CPU'), count(*)
			from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() group by 1`)
		if err != nil {
			return fmt.Errorf("see what PostgreSQL waits for: %w", err)
		}
		for rows.Next() {
			var what string
			var n int
			if err := rows.Scan(&what, &n); err != nil {
				return err
			}
			counts[what] += n
		}
		if rows.Err() != nil {
			return rows.Err()
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
	return nil
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func spread(values []float64) string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", median(values), slices.Min(values), slices.Max(values))
}
