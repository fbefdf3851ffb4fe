package telemetry

import (
	"context"
	"log/slog"
	"slices"

	"go.opentelemetry.io/otel/trace"
)

// Logs returns a handler that adds to each line what its context says: the ids of the trace, and what With put there.
func Logs(next slog.Handler) slog.Handler { return logs{next} }

type logs struct{ slog.Handler }

type attrsKey struct{}

// With returns a context whose log lines carry the attributes, beside those that it carried before.
func With(ctx context.Context, attrs ...slog.Attr) context.Context {
	before, _ := ctx.Value(attrsKey{}).([]slog.Attr)
	return context.WithValue(ctx, attrsKey{}, slices.Concat(before, attrs))
}

// Handle implements slog.Handler. What a line says itself is not said again.
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
