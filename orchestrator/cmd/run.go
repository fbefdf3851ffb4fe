package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/problem"
)

// run starts PostgreSQL and Temporal unless they are configured, and then the API and a worker in this process.
func run(ctx context.Context, a *app.App) error {
	started := time.Now()
	log := a.Log
	cfg, stack, err := app.BringUp(ctx, a.Config.OnOneMachine(), log, announce)
	if err != nil {
		return err
	}
	defer func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if err := stack.Stop(end); err != nil {
			log.Error("a part did not stop cleanly", "error", err)
		}
		fmt.Println("Stopped.")
	}()
	begun := time.Now()
	if a, err = app.Open(ctx, cfg, log, a.Version); err != nil {
		return err
	}
	defer a.Close()
	announce("Database migrated, prompts loaded", "", time.Since(begun))
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
			announce("API and worker", address, time.Since(started))
			fmt.Printf(
				"\nMunshi is ready. %s\n\n  App:              %s\n  Operators:        %s\n  Temporal Web UI:  "+
					"%s\n\n%sPress Ctrl-C to stop.\n",
				a.WhoAnswers(),
				address,
				link(cfg, address, key),
				cfg.Temporal.WebUIURL,
				aboutTheText(a.Statute()),
			)
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

// aboutTheText returns a hint how to import the official text of the law; "" if it was imported.
func aboutTheText(law *statute.Law) string {
	if _, err := law.Library(); !errors.Is(err, statute.ErrNoLibrary) {
		return ""
	}
	return "The Acts and Rules are shown in our own words. Their official text is added with `bin/munshi law import " +
		"FILE|FOLDER`,\nor with `bin/munshi law fetch`, which downloads it; nothing else waits for it.\n\n"
}

func announce(part, address string, took time.Duration) {
	fmt.Printf("  %-36s %6.1f s  %s\n", part, took.Seconds(), address)
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
