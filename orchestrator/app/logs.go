package app

import (
	"context"
	"log/slog"
)

// SDKLogger is for the Temporal SDK, whose warnings are about what it repairs by itself, and whose errors repeat those
// of activities that we have logged with their cause.
func SDKLogger(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(FaultsOnly{log.Handler()})
}

// FaultsOnly is a handler that lets faults through, and no more.
type FaultsOnly struct{ slog.Handler }

func (h FaultsOnly) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelError || r.Message == "Activity error." {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h FaultsOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return FaultsOnly{h.Handler.WithAttrs(attrs)}
}

func (h FaultsOnly) WithGroup(name string) slog.Handler { return FaultsOnly{h.Handler.WithGroup(name)} }
