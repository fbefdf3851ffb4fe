// Package telemetry lets operators observe the product: metrics for Prometheus, traces over OTLP, and logs with the
// ids of the trace and the turn. It imports no other package of ours and stores nothing; package app reports events to
// it. It never records what a person wrote: labels come from small closed sets; spans and logs have only ids, codes
// and counts.
package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	"go.temporal.io/sdk/contrib/opentelemetry"
	"go.temporal.io/sdk/interceptor"
)

// Options say what to observe and where traces are sent.
type Options struct {
	Version  string
	Endpoint string  // the OTLP/HTTP collector, such as http://127.0.0.1:4318; "" turns traces off
	Ratio    float64 // share of the traces started here that is sent: 0 to 1
	Log      *slog.Logger
}

// Telemetry is one process's metrics and traces.
type Telemetry struct {
	metrics
	registry *prometheus.Registry
	tracer   trace.Tracer
	traces   *sdktrace.TracerProvider // nil when traces are off
}

// New prepares metrics and, if there is an endpoint, traces. It makes no connection yet.
func New(ctx context.Context, o Options) (*Telemetry, error) {
	t := &Telemetry{registry: prometheus.NewRegistry(), tracer: noop.NewTracerProvider().Tracer("munshi")}
	t.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	t.metrics = newMetrics(t.registry)
	if o.Endpoint == "" {
		return t, nil
	}
	address, err := tracesAt(o.Endpoint)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(address))
	if err != nil {
		return nil, fmt.Errorf("prepare to send traces: %w", err)
	}
	instance, _ := os.Hostname() // if it fails, the name is empty
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "munshi"),
		attribute.String("service.version", o.Version), attribute.String("service.instance.id", instance)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("describe this process to the collector of traces: %w", err)
	}
	// The library offers no other way to learn about batches that were refused.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		o.Log.Warn("traces could not be sent", "error", err)
	}))
	t.traces = sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about),
		// The ratio applies whatever a client says about its own trace. It is decided by the trace's id, so all our
		// processes decide alike.
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(o.Ratio),
			sdktrace.WithRemoteParentSampled(sdktrace.TraceIDRatioBased(o.Ratio)))))
	t.tracer = t.traces.Tracer("munshi")
	return t, nil
}

// tracesAt returns a collector's address for traces, as the OTLP standard derives it.
func tracesAt(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", fmt.Errorf("read the address of the collector of traces: %w", err)
	}
	if !strings.HasSuffix(u.Path, "/v1/traces") {
		u = u.JoinPath("v1", "traces")
	}
	return u.String(), nil
}

// Flush sends the spans that have ended and were not sent yet.
func (t *Telemetry) Flush(ctx context.Context) error {
	if t.traces == nil {
		return nil
	}
	return t.traces.ForceFlush(ctx)
}

// Close sends the remaining spans and stops sending.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.traces == nil {
		return nil
	}
	return errors.Join(t.traces.ForceFlush(ctx), t.traces.Shutdown(ctx))
}

// Interceptors returns interceptors that carry traces through Temporal, from the start of a workflow to its
// activities. There are none if traces are off.
func (t *Telemetry) Interceptors() ([]interceptor.ClientInterceptor, error) {
	if t.traces == nil {
		return nil, nil
	}
	tracing, err := opentelemetry.NewTracingInterceptor(opentelemetry.TracerOptions{
		Tracer: t.tracer, TextMapPropagator: traceContext, DisableBaggage: true, // baggage is untrusted text
		AllowInvalidParentSpans: true, DisableQueryTracing: true,
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the traces of workflows: %w", err)
	}
	return []interceptor.ClientInterceptor{tracing}, nil
}

var traceContext = propagation.TraceContext{}

// TraceOf returns the id of the trace to which what happens in ctx belongs; "" if it is sent nowhere.
func TraceOf(ctx context.Context) string {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsSampled() {
		return ""
	}
	return span.TraceID().String()
}

// Handler serves operators: /metrics for Prometheus; /live, which answers while the process runs; and /ready with the
// result of ready as JSON, with status 503 unless yes is true.
func (t *Telemetry) Handler(ready func(context.Context) (answer any, yes bool)) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(t.registry,
		promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, Timeout: scrapeTime}))
	mux.HandleFunc("GET /live", func(rw http.ResponseWriter, _ *http.Request) { fmt.Fprintln(rw, "ok") })
	mux.HandleFunc("GET /ready", func(rw http.ResponseWriter, r *http.Request) {
		answer, yes := ready(r.Context())
		rw.Header().Set("Content-Type", "application/json")
		if !yes {
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
		_ = json.NewEncoder(rw).Encode(answer) // fails if the client has disconnected
	})
	return mux
}
