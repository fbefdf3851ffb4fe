package telemetry

import (
	"context"
	"log/slog"
	"slices"

	"go.opentelemetry.io/otel/trace"
)

// Logs returns a handler that adds to each log line what its context carries: the ids of the trace, and the attributes
// of With.
func Logs(next slog.Handler) slog.Handler { return logs{next} }

type logs struct{ slog.Handler }

type attrsKey struct{}

// With returns a context that adds attributes to log lines, in addition to those it already has.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	before, _ := ctx.Value(attrsKey{}).([]slog.Attr)
	return context.WithValue(ctx, attrsKey{}, slices.Concat(before, attrs))
}

// Handle implements slog.Handler. Attributes that the line already has are not added.
func (h logs) Handle(ctx context.Context, r slog.Record) error {
	attrs, _ := ctx.Value(attrsKey{}).([]slog.Attr)
	span := trace.SpanContextFromContext(ctx)
	if len(attrs) == 0 && !span.IsValid() {
		return h.Handler.Handle(ctx, r)
	}
	said := map[string]bool{}
	r.Attrs(func(a slog.Attr) bool { said[a.Key] = true; return true })
	r = r.Clone()
	for _, a := range attrs {
		if !said[a.Key] {
			r.AddAttrs(a)
		}
	}
	if span.IsValid() {
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()), slog.String("span_id", span.SpanID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h logs) WithAttrs(attrs []slog.Attr) slog.Handler { return logs{h.Handler.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (h logs) WithGroup(name string) slog.Handler { return logs{h.Handler.WithGroup(name)} }
