package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
)

// run starts PostgreSQL and Temporal unless they are configured, and then the API and a worker in this process.
func run(cmd *cobra.Command, _ []string) error {
	started := time.Now()
	p, err := printerFor(cmd)
	if err != nil {
		return err
	}
	a, err := load(cmd)
	if err != nil {
		return err
	}
	ctx, log := cmd.Context(), a.Log
	cfg, stack, err := app.BringUp(ctx, a.Config.OnOneMachine(), log, p.announce)
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if err := stack.Stop(end); err != nil {
			log.Error("a part did not stop cleanly", "error", err)
		}
		p.line(0, "run.stopped", nil)
	}()
	begun := time.Now()
	if a, err = app.Open(ctx, cfg, log, a.Version); err != nil {
		return err
	}
	defer a.Close()
	p.announce(p.text("run.prepared", nil), "", time.Since(begun))
	key := api.NewOperatorKey()
	if err := a.Store.AddOperatorLink(ctx, key); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return a.ServeOperators(ctx) })
	group.Go(func() error { return a.ServeWebUI(ctx, stack) })
	group.Go(func() error { return a.RunWorker(ctx) })
	group.Go(func() error { return a.WatchPrompts(ctx) })
	group.Go(func() error {
		return a.Serve(ctx, func(address string) {
			p.announce(p.text("run.serving", nil), address, time.Since(started))
			fmt.Fprintf(
				p.out,
				"\n%s\n\n  %-17s %s\n  %-17s %s\n  %-17s %s\n\n",
				p.text("run.ready", message.Params{"who": a.WhoAnswers()}),
				p.text("run.app", nil), address,
				p.text("run.operators", nil), link(cfg, address, key),
				p.text("run.temporal", nil), cfg.Temporal.WebUIURL,
			)
			if _, err := a.Statute().Library(); errors.Is(err, statute.ErrNoLibrary) {
				p.line(0, "run.without_text", nil)
				fmt.Fprintln(p.out)
			}
			p.line(0, "run.stop", nil)
		})
	})
	group.Go(func() error {
		select {
		case <-ctx.Done():
			return nil
		case <-stack.Done():
			return stack.Err()
		}
	})
	return group.Wait()
}

// announce prints that a part of the product is ready.
func (p printer) announce(part, address string, took time.Duration) {
	fmt.Fprintf(p.out, "  %-36s %6.1f s  %s\n", part, took.Seconds(), address)
}

func serve(ctx context.Context, a *app.App) error {
	return alone(ctx, a, func(ctx context.Context, a *app.App) error {
		return a.Serve(ctx, func(address string) { a.Log.Info("serving", "address", address) })
	})
}

func work(ctx context.Context, a *app.App) error {
	return alone(ctx, a, func(ctx context.Context, a *app.App) error {
		a.Log.Info("working on turns", "model", a.ModelName())
		return a.RunWorker(ctx)
	})
}

// alone runs one part of the product with servers that are already running.
func alone(ctx context.Context, a *app.App, part func(context.Context, *app.App) error) error {
	if cfg := a.Config; cfg.Database.URL == "" || cfg.Temporal.Address == "" {
		return problem.New("servers_needed", nil, nil)
	}
	a, err := app.Open(ctx, a.Config, a.Log, a.Version)
	if err != nil {
		return err
	}
	defer a.Close()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return a.ServeOperators(ctx) })
	group.Go(func() error { return a.WatchPrompts(ctx) })
	group.Go(func() error { return part(ctx, a) })
	return group.Wait()
}

func migrate(ctx context.Context, a *app.App) error {
	if a.Config.Database.URL == "" {
		return problem.New("database_needed", nil, nil)
	}
	if err := app.Migrate(ctx, a.Config, a.Log); err != nil {
		return err
	}
	a.Log.Info("the database has the newest schema")
	return nil
}
