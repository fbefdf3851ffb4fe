package app

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"time"

	"munshi/config"
	"munshi/orchestrator/local"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Stack holds the servers that BringUp started.
type Stack struct {
	*local.Stack
	webUIKey string // "" with an external Temporal
}

// BringUp starts the servers that are not configured, and returns the configuration with their addresses.
func BringUp(
	ctx context.Context,
	cfg config.Config,
	log *slog.Logger,
	ready func(part, address string, took time.Duration),
) (config.Config, *Stack, error) {
	options := local.Options{StateDir: cfg.Local.StateDir, Logger: log, Ready: ready}
	if cfg.Database.URL == "" {
		options.Postgres = &local.Postgres{Programs: postgresPrograms(cfg), Port: cfg.Local.PostgresPort}
	}
	if cfg.Temporal.Address == "" {
		options.Temporal = &local.Temporal{
			Program:   cfg.Local.TemporalBin,
			Port:      cfg.Local.TemporalPort,
			WebUIPort: cfg.Local.WebUIPort,
			Namespace: cfg.Temporal.Namespace,
			CodecURL:  codecURL(cfg.Server),
			WebUIKey:  rand.Text(),
		}
	}
	started, err := local.Start(ctx, options)
	if err != nil {
		return cfg, nil, err
	}
	stack := &Stack{Stack: started}
	if options.Postgres != nil {
		cfg.Database.URL = stack.DatabaseURL()
	}
	if options.Temporal != nil {
		cfg.Temporal.Address, cfg.Temporal.WebUIURL, cfg.Temporal.Own = stack.TemporalAddress(), stack.WebUIURL(), true
		stack.webUIKey = options.Temporal.WebUIKey
	}
	return cfg, stack, nil
}

func postgresPrograms(cfg config.Config) string {
	if cfg.Local.PostgresBin != "" {
		return cfg.Local.PostgresBin
	}
	return local.PostgresPrograms(cfg.Home)
}

// OpenStore opens the configured database, or that of a `munshi run` in the same checkout.
func OpenStore(ctx context.Context, cfg config.Config) (*store.Store, error) {
	url, own := cfg.Database.URL, cfg.Database.URL == ""
	notRunning := func(err error) error {
		return problem.New("not_running", nil, err)
	}
	if own {
		var err error
		if url, err = local.DatabaseURL(cfg.Local.StateDir, cfg.Local.PostgresPort); errors.Is(
			err,
			local.ErrNotStarted,
		) {
			return nil, notRunning(err)
		} else if err != nil {
			return nil, err
		}
	}
	s, err := store.Open(ctx, url, 2)
	if own && store.Away(err) {
		return nil, notRunning(err)
	}
	return s, err
}
