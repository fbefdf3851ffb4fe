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
	turnTime    *prometheus.HistogramVec
	stepTime    *prometheus.HistogramVec
	modelCalls  *prometheus.CounterVec
	modelTokens *prometheus.CounterVec
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
		turnTime: timing("munshi_turn_seconds", "From the start of a turn's workflow to its end.", slow, "plugin",
			"kind"),
		stepTime: timing("munshi_step_seconds", "One attempt at a step; of a long document or text, at one batch "+
			"or part.", slow, "kind", "activity", "outcome"),
		modelCalls: counter("munshi_model_calls_total", "Calls to the model, by outcome: ok, stopped, or the class "+
			"of the error.", "model", "outcome"),
		modelTokens: counter("munshi_model_tokens_total", "Tokens sent to (input) and written by (output) the model.",
			"model", "direction"),
		modelTime: timing("munshi_model_seconds", "A whole call to the model.", slow, "model", "outcome"),
		firstToken: timing("munshi_model_first_token_seconds", "From asking the model to its first text.", slow,
			"model"),
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

// Backlog exposes the unfinished work in the store: open turns by state, and documents being read or waiting for it.
// Every process exposes the same numbers, so take their maximum, not their sum.
func (t *Telemetry) Backlog(ask func(context.Context) (open map[string]int, reading int, err error)) {
	t.registry.MustRegister(&backlog{ask: ask})
}

type backlog struct {
	ask func(context.Context) (map[string]int, int, error)

	mu      sync.Mutex
	at      time.Time
	open    map[string]int
	reading int
	err     error
}

var (
	openTurns = prometheus.NewDesc("munshi_turns_open", "Turns of the whole product that have not ended.",
		[]string{"state"}, nil)
	readingQueue = prometheus.NewDesc("munshi_reading_queue", "Documents of the whole product that are read or wait "+
		"for it.", nil, nil)
)

// Describe implements prometheus.Collector.
func (b *backlog) Describe(ch chan<- *prometheus.Desc) { ch <- openTurns; ch <- readingQueue }

// Collect implements prometheus.Collector. It exposes nothing while the store does not answer.
func (b *backlog) Collect(ch chan<- prometheus.Metric) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.at) > keepBacklog {
		ctx, cancel := context.WithTimeout(context.Background(), backlogTime)
		defer cancel()
		b.open, b.reading, b.err = b.ask(ctx)
		b.at = time.Now()
	}
	if b.err != nil {
		return
	}
	for state, n := range b.open {
		ch <- prometheus.MustNewConstMetric(openTurns, prometheus.GaugeValue, float64(n), state)
	}
	ch <- prometheus.MustNewConstMetric(readingQueue, prometheus.GaugeValue, float64(b.reading))
}
