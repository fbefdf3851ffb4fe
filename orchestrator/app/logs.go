package app

import (
	"context"
	"log/slog"
)

// SDKLogger returns the logger for the Temporal SDK. It drops warnings, which are about things that the SDK repairs by
// itself, and errors of activities, which we have already logged with their cause.
func SDKLogger(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(FaultsOnly{log.Handler()})
}

// FaultsOnly is a log handler that passes on only errors.
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
