package telemetry

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

// How long numbers from the store are cached, and how long to wait for them.
const (
	keepBacklog = 5 * time.Second
	backlogTime = 2 * time.Second
	scrapeTime  = 10 * time.Second
)

var (
	quick = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	slow  = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900}
)

// metrics are the numbers that this process counts.
type metrics struct {
	turns       *prometheus.CounterVec
	failures    *prometheus.CounterVec
	turnTime    *prometheus.HistogramVec
	stepTime    *prometheus.HistogramVec
	modelCalls  *prometheus.CounterVec
	modelTokens *prometheus.CounterVec
	modelPaise  *prometheus.CounterVec
	modelTime   *prometheus.HistogramVec
	firstToken  *prometheus.HistogramVec
	requests    *prometheus.CounterVec
	requestTime *prometheus.HistogramVec
}

func newMetrics(r *prometheus.Registry) metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		r.MustRegister(c)
		return c
	}
	timing := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
		r.MustRegister(h)
		return h
	}
	return metrics{
		turns: counter("munshi_turns_total", "Turns that this process brought to their end.", "plugin", "kind",
			"state"),
		failures: counter("munshi_turn_failures_total", "Turns that this process brought to a failure, by its code.",
			"code"),
		turnTime: timing("munshi_turn_seconds", "From the start of a turn's workflow to its end.", slow, "plugin",
			"kind"),
		stepTime: timing("munshi_step_seconds", "One attempt at a step; of a long document or text, at one batch "+
			"or part.", slow, "kind", "activity", "outcome"),
		modelCalls: counter("munshi_model_calls_total", "Calls to the model, by outcome: ok, stopped, or the class "+
			"of the error.", "provider", "model", "outcome"),
		modelTokens: counter("munshi_model_tokens_total", "Tokens sent to (input) and written by (output) the model.",
			"provider", "model", "direction"),
		modelPaise: counter("munshi_model_spend_paise_total", "What calls to the model cost, by the configured prices.",
			"provider", "model"),
		modelTime: timing("munshi_model_seconds", "A whole call to the model.", slow, "provider", "model",
			"outcome"),
		firstToken: timing("munshi_model_first_token_seconds", "From asking the model to its first text.", slow,
			"provider", "model"),
		requests: counter("munshi_http_requests_total", "Requests answered, by route and class of status.", "method",
			"route", "status"),
		requestTime: timing("munshi_http_request_seconds", "How long requests took; streams of events are left out.",
			quick, "method", "route"),
	}
}

// TurnEnded counts a turn that has ended.
func (t *Telemetry) TurnEnded(plugin, kind, state string) {
	t.turns.WithLabelValues(plugin, kind, state).Inc()
}

// TurnFailed counts a turn that has failed, which TurnEnded counts too.
func (t *Telemetry) TurnFailed(code string) { t.failures.WithLabelValues(code).Inc() }

// TurnTook records how long a turn's workflow ran.
func (t *Telemetry) TurnTook(plugin, kind string, took time.Duration) {
	t.turnTime.WithLabelValues(plugin, kind).Observe(took.Seconds())
}

// StepTook records how long one attempt at a step ran, and its outcome.
func (t *Telemetry) StepTook(kind, activity, outcome string, took time.Duration) {
	t.stepTime.WithLabelValues(kind, activity, outcome).Observe(took.Seconds())
}

// Streams exposes the number of open event streams.
func (t *Telemetry) Streams(open func() int) {
	gauge := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "munshi_streams_open",
		Help: "Browsers that follow a conversation at this process."}, func() float64 { return float64(open()) })
	t.registry.Unregister(gauge) // from an API that was stopped in this process
	t.registry.MustRegister(gauge)
}

// Pool exposes the usage of the database connection pool.
func (t *Telemetry) Pool(stat func() *pgxpool.Stat) {
	gauge := func(name, help string, value func(*pgxpool.Stat) float64) {
		t.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			return value(stat())
		}))
	}
	counter := func(name, help string, value func(*pgxpool.Stat) float64) {
		t.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
			func() float64 {
				return value(stat())
			}))
	}
	gauge("munshi_pool_connections_max", "The most database connections of this process.",
		func(s *pgxpool.Stat) float64 {
			return float64(s.MaxConns())
		})
	gauge("munshi_pool_connections_used", "Database connections at work.", func(s *pgxpool.Stat) float64 {
		return float64(s.AcquiredConns())
	})
	gauge("munshi_pool_connections_idle", "Open database connections that wait.", func(s *pgxpool.Stat) float64 {
		return float64(s.IdleConns())
	})
	counter("munshi_pool_waits_total", "How often a connection had to be waited for.", func(s *pgxpool.Stat) float64 {
		return float64(s.EmptyAcquireCount())
	})
	counter("munshi_pool_wait_seconds_total", "How long connections were waited for.", func(s *pgxpool.Stat) float64 {
		return s.EmptyAcquireWaitTime().Seconds()
	})
}

// Unfinished is the unfinished work of the whole product, with the state of its database and the
// cost of its models.
type Unfinished struct {
	Open         map[string]int // turns, by state
	Oldest       time.Duration  // how long the oldest turn that no worker has taken has waited
	Reading      int            // documents being read or waiting for it
	Overdue      int            // follow-ups that should have been woken
	SpentToday   int64          // on models, in paise
	SpendingCap  int64          // of a day, in paise; 0: none
	Replicas     int            // of the database
	ReplicaBytes int64          // by how much the last replica is behind; negative if unknown
}

// Backlog exposes the unfinished work in the store. Every process exposes the same numbers, so take their maximum, not
// their sum.
func (t *Telemetry) Backlog(ask func(context.Context) (Unfinished, error)) {
	t.registry.MustRegister(&backlog{ask: ask})
}

type backlog struct {
	ask func(context.Context) (Unfinished, error)

	mu   sync.Mutex
	at   time.Time
	last Unfinished
	err  error
}

var (
	openTurns = prometheus.NewDesc("munshi_turns_open", "Turns of the whole product that have not ended.",
		[]string{"state"}, nil)
	oldestTurn = prometheus.NewDesc("munshi_oldest_queued_turn_seconds", "How long the oldest turn of the whole product "+
		"has waited that no worker has taken; 0 if none waits.", nil, nil)
	readingQueue = prometheus.NewDesc("munshi_reading_queue", "Documents of the whole product that are read or wait "+
		"for it.", nil, nil)
	overdue = prometheus.NewDesc("munshi_followups_overdue", "Waiting follow-ups of the whole product that should have "+
		"been woken.", nil, nil)
	spentToday = prometheus.NewDesc("munshi_spent_today_paise", "What models have cost the whole product since "+
		"midnight in India, by the configured prices.", nil, nil)
	spendingCap = prometheus.NewDesc("munshi_spending_cap_paise", "What they may cost it in a day; absent if there is "+
		"no cap.", nil, nil)
	replicas = prometheus.NewDesc("munshi_database_replicas", "Replicas that follow the database.", nil, nil)
	behind   = prometheus.NewDesc("munshi_database_replica_bytes_behind", "By how much the last of them is behind; "+
		"absent if the database's user may not see it.", nil, nil)
)

// Describe implements prometheus.Collector.
func (b *backlog) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{openTurns, oldestTurn, readingQueue, overdue, spentToday, spendingCap, replicas,
		behind} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. It exposes nothing while the store does not answer.
func (b *backlog) Collect(ch chan<- prometheus.Metric) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.at) > keepBacklog {
		ctx, cancel := context.WithTimeout(context.Background(), backlogTime)
		defer cancel()
		b.last, b.err = b.ask(ctx)
		b.at = time.Now()
	}
	if b.err != nil {
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for state, n := range b.last.Open {
		gauge(openTurns, float64(n), state)
	}
	gauge(oldestTurn, b.last.Oldest.Seconds())
	gauge(readingQueue, float64(b.last.Reading))
	gauge(overdue, float64(b.last.Overdue))
	gauge(spentToday, float64(b.last.SpentToday))
	if b.last.SpendingCap > 0 {
		gauge(spendingCap, float64(b.last.SpendingCap))
	}
	gauge(replicas, float64(b.last.Replicas))
	if b.last.ReplicaBytes >= 0 {
		gauge(behind, float64(b.last.ReplicaBytes))
	}
}

// Machine exposes what only this process sees. free returns how many bytes are left for what a folder holds, by what
// that is, such as "uploads"; backup returns when the newest backup was made, zero if that is unknown.
func (t *Telemetry) Machine(free func() map[string]uint64, backup func() time.Time) {
	t.registry.MustRegister(machine{free, backup})
}

type machine struct {
	free   func() map[string]uint64
	backup func() time.Time
}

var (
	diskFree = prometheus.NewDesc("munshi_disk_free_bytes", "What is left on the disk for what this process, or a server "+
		"that it started, writes.", []string{"holds"}, nil)
	backupTime = prometheus.NewDesc("munshi_backup_timestamp_seconds", "When the newest backup in backups.folder was "+
		"made; absent if there is none, or no such folder here.", nil, nil)
)

// Describe implements prometheus.Collector.
func (m machine) Describe(ch chan<- *prometheus.Desc) { ch <- diskFree; ch <- backupTime }

// Collect implements prometheus.Collector.
func (m machine) Collect(ch chan<- prometheus.Metric) {
	for holds, bytes := range m.free() {
		ch <- prometheus.MustNewConstMetric(diskFree, prometheus.GaugeValue, float64(bytes), holds)
	}
	if made := m.backup(); !made.IsZero() {
		ch <- prometheus.MustNewConstMetric(backupTime, prometheus.GaugeValue, float64(made.Unix()))
	}
}
