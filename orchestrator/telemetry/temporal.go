package telemetry

import (
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.temporal.io/sdk/client"
)

// The tags of Temporal's SDK that become labels, since they have few values; other tags are dropped.
var temporalLabels = []string{"task_queue", "poller_type", "worker_type", "workflow_type", "activity_type", "operation",
	"status_code", "failure_reason"}

var taskTimes = []float64{.005, .025, .1, .5, 1, 5, 30, 120}

// Temporal returns the SDK's metrics handler: how long tasks waited, how many pollers and slots there are, which
// requests failed. The names are those of Temporal's dashboards.
func (t *Telemetry) Temporal() client.MetricsHandler {
	return &temporalMetrics{shared: &temporalVecs{registry: t.registry, vecs: map[string]any{}}}
}

type temporalVecs struct {
	registry *prometheus.Registry
	mu       sync.Mutex
	vecs     map[string]any
}

type temporalMetrics struct {
	shared *temporalVecs
	values [8]string
}

// vec returns the metric with a name, creating it on first use, since the SDK publishes no list.
func vec[V prometheus.Collector](s *temporalVecs, name string, make func() V) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.vecs[name].(V); ok {
		return v
	}
	v := make()
	s.vecs[name] = v
	s.registry.MustRegister(v)
	return v
}

// WithTags implements client.MetricsHandler.
func (m *temporalMetrics) WithTags(tags map[string]string) client.MetricsHandler {
	next := *m
	for i, label := range temporalLabels {
		if v, ok := tags[label]; ok {
			next.values[i] = v
		}
	}
	return &next
}

// skip reports whether a metric is about single attempts of a request. These are half of all series of the SDK, and
// other metrics count each request as a whole.
func skip(name string) bool { return strings.Contains(name, "_attempt") }

// Counter implements client.MetricsHandler.
func (m *temporalMetrics) Counter(name string) client.MetricsCounter {
	if skip(name) {
		return client.MetricsNopHandler.Counter(name)
	}
	name = strings.TrimSuffix(name, "_total")
	c := vec(m.shared, name+"_total", func() *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name + "_total", Help: "Of Temporal's SDK."},
			temporalLabels)
	}).WithLabelValues(m.values[:]...)
	return counterFunc(func(n int64) { c.Add(float64(n)) })
}

// Gauge implements client.MetricsHandler.
func (m *temporalMetrics) Gauge(name string) client.MetricsGauge {
	g := vec(m.shared, name, func() *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: "Of Temporal's SDK."}, temporalLabels)
	}).WithLabelValues(m.values[:]...)
	return gaugeFunc(g.Set)
}

// Timer implements client.MetricsHandler.
func (m *temporalMetrics) Timer(name string) client.MetricsTimer {
	if skip(name) {
		return client.MetricsNopHandler.Timer(name)
	}
	h := vec(m.shared, name+"_seconds", func() *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name + "_seconds", Help: "Of Temporal's SDK.",
			Buckets: taskTimes}, temporalLabels)
	}).WithLabelValues(m.values[:]...)
	return timerFunc(func(d time.Duration) { h.Observe(d.Seconds()) })
}

type (
	counterFunc func(int64)
	gaugeFunc   func(float64)
	timerFunc   func(time.Duration)
)

// Inc implements client.MetricsCounter.
func (f counterFunc) Inc(n int64) { f(n) }

// Update implements client.MetricsGauge.
func (f gaugeFunc) Update(v float64) { f(v) }

// Record implements client.MetricsTimer.
func (f timerFunc) Record(d time.Duration) { f(d) }
