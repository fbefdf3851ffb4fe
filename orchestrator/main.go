// Command munshi is an AI legal assistant for Indian GST: the whole product on one machine (run), its parts alone
// (serve, worker, migrate), the reading of notices from the command line (extract, facts, analyse), and what those need
// who change prompts (prompts).
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/document"
	"munshi/orchestrator/local"
	"munshi/orchestrator/watch"
)

// readCommand is the hidden command under which this program reads a PDF as a child of itself.
const readCommand = "read-pdf"

func main() {
	if len(os.Args) > 1 && os.Args[1] == readCommand {
		os.Exit(document.Child()) // before anything else: it limits itself, and starts a hundred times an hour
	}
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "munshi: "+sentenceOf(err))
		os.Exit(1)
	}
}

// told is an error with a sentence that a person can act on.
type told struct {
	text  string
	cause error
}

func sentence(text string, cause error) error { return &told{text, cause} }

func (t *told) Error() string    { return t.text }
func (t *told) Unwrap() error    { return t.cause }
func (t *told) Sentence() string { return t.text }

// sentenceOf gives the plainest words there are for an error.
func sentenceOf(err error) string {
	var plain interface{ Sentence() string }
	if errors.As(err, &plain) {
		return plain.Sentence()
	}
	var problem *local.Problem
	if errors.As(err, &problem) {
		return problem.Error()
	}
	return err.Error()
}

func command() *cobra.Command {
	root := &cobra.Command{Use: "munshi", Short: "An AI legal assistant for Indian GST", SilenceUsage: true, SilenceErrors: true, Version: version}
	root.PersistentFlags().String("config", "", "configuration file (default config/munshi.yaml; see its comments for the environment)")
	root.PersistentFlags().String("server.address", "", "where the app listens, as host:port")
	root.PersistentFlags().String("log.level", "", "debug, info, warn or error")
	root.AddCommand(
		&cobra.Command{Use: "run", Short: "Bring up the whole product on this machine", Args: cobra.NoArgs, RunE: configured(run)},
		&cobra.Command{Use: "serve", Short: "Serve the API and the web app", Args: cobra.NoArgs, RunE: configured(serve)},
		&cobra.Command{Use: "worker", Short: "Work on turns", Args: cobra.NoArgs, RunE: configured(work)},
		&cobra.Command{Use: "migrate", Short: "Bring the database to the newest schema", Args: cobra.NoArgs, RunE: configured(migrate)},
		&cobra.Command{Use: "ready", Short: "Ask the part that runs here whether it is ready", Args: cobra.NoArgs, RunE: configured(askReady)},
		&cobra.Command{Use: "openapi", Short: "Print the API's contract", Args: cobra.NoArgs, RunE: openapi},
		historiesCommand(),
		docxCommand(),
		lawCommand(),
		promptsCommand(),
		evalsCommand(),
		operatorCommand(),
		keysCommand(),
		auditCommand(),
	)
	root.AddCommand(readingCommands()...)
	return root
}

// configured loads the configuration for a command.
func configured(do func(context.Context, config.Config, *slog.Logger) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		cfg, log, err := load(cmd)
		if err != nil {
			return err
		}
		return do(cmd.Context(), cfg, log)
	}
}

func load(cmd *cobra.Command) (config.Config, *slog.Logger, error) {
	file, err := cmd.Flags().GetString("config")
	if err != nil {
		return config.Config{}, nil, err
	}
	cfg, err := config.Load(file, cmd.Flags())
	if err != nil {
		return config.Config{}, nil, err
	}
	return cfg, logger(cfg), nil
}

func logger(cfg config.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(strings.ToUpper(cfg.Log.Level))) // checked with the configuration
	options := &slog.HandlerOptions{Level: level}
	if cfg.Log.Format == "json" {
		return slog.New(watch.Logs(slog.NewJSONHandler(os.Stderr, options)))
	}
	return slog.New(watch.Logs(slog.NewTextHandler(os.Stderr, options)))
}

// sdkLogger is for the Temporal SDK, whose warnings tell of what it mends by itself, and whose errors repeat those of
// activities that we have logged with their cause.
func sdkLogger(log *slog.Logger) *slog.Logger {
	if log.Enabled(context.Background(), slog.LevelDebug) {
		return log
	}
	return slog.New(faultsOnly{log.Handler()})
}

type faultsOnly struct{ slog.Handler }

func (h faultsOnly) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelError || r.Message == "Activity error." {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h faultsOnly) WithAttrs(attrs []slog.Attr) slog.Handler {
	return faultsOnly{h.Handler.WithAttrs(attrs)}
}

func (h faultsOnly) WithGroup(name string) slog.Handler { return faultsOnly{h.Handler.WithGroup(name)} }

// run brings up PostgreSQL and Temporal where the configuration names none, then API and worker in this process.
func run(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	started := time.Now()
	cfg, stack, err := bringUp(ctx, cfg, log)
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
	a, err := open(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer a.close()
	announce("Database migrated, prompts loaded", "", time.Since(begun))
	key := api.NewOperatorKey()
	if err := a.store.AddOperatorLink(ctx, key); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return a.serveOperators(ctx) })
	group.Go(func() error { return a.runWorker(ctx) })
	group.Go(func() error { return a.watchPrompts(ctx) })
	group.Go(func() error {
		return a.serveHTTP(ctx, func(address string) {
			announce("API and worker", address, time.Since(started))
			fmt.Printf("\nMunshi is ready. %s\n\n  App:              %s\n  Operators:        %s\n  Temporal Web UI:  %s\n\nPress Ctrl-C to stop.\n",
				a.whoAnswers(), address, link(cfg, address, key), cfg.Temporal.WebUIURL)
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

// bringUp starts the servers that the configuration leaves to us, and gives the configuration with their addresses.
func bringUp(ctx context.Context, cfg config.Config, log *slog.Logger) (config.Config, *local.Stack, error) {
	options := local.Options{StateDir: cfg.Local.StateDir, Logger: log, Ready: announce}
	if cfg.Database.URL == "" {
		programs := cfg.Local.PostgresBin
		if programs == "" {
			programs = local.PostgresPrograms(cfg.Home)
		}
		options.Postgres = &local.Postgres{Programs: programs, Port: cfg.Local.PostgresPort}
	}
	if cfg.Temporal.Address == "" {
		options.Temporal = &local.Temporal{Program: cfg.Local.TemporalBin, Port: cfg.Local.TemporalPort, WebUIPort: cfg.Local.WebUIPort, Namespace: cfg.Temporal.Namespace,
			CodecURL: codecURL(cfg.Server)}
	}
	stack, err := local.Start(ctx, options)
	if err != nil {
		return cfg, nil, err
	}
	if options.Postgres != nil {
		cfg.Database.URL = stack.DatabaseURL()
	}
	if options.Temporal != nil {
		cfg.Temporal.Address, cfg.Temporal.WebUIURL, cfg.Temporal.Own = stack.TemporalAddress(), stack.WebUIURL(), true
	}
	return cfg, stack, nil
}

func announce(part, address string, took time.Duration) {
	fmt.Printf("  %-36s %6.1f s  %s\n", part, took.Seconds(), address)
}

func (a *app) whoAnswers() string {
	if m := a.modelSummary(); !m.Offline {
		return fmt.Sprintf("Answers come from %s at %s.", m.Name, m.Host)
	}
	return "No model key is set: the offline engine answers, and nothing leaves this machine."
}

func serve(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	return alone(ctx, cfg, log, func(ctx context.Context, a *app) error {
		return a.serveHTTP(ctx, func(address string) { log.Info("serving", "address", address) })
	})
}

func work(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	return alone(ctx, cfg, log, func(ctx context.Context, a *app) error {
		log.Info("working on turns", "model", a.modelSummary().Name)
		return a.runWorker(ctx)
	})
}

// collectLess spares the garbage collector: this program's heap is small and its garbage short-lived. What
// the environment says goes first.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(512 << 20)
	}
}

// alone runs one part against servers that are there already.
func alone(ctx context.Context, cfg config.Config, log *slog.Logger, part func(context.Context, *app) error) error {
	if cfg.Database.URL == "" || cfg.Temporal.Address == "" {
		return sentence("This command needs DATABASE_URL and TEMPORAL_ADDRESS; `munshi run` brings its own servers.", nil)
	}
	a, err := open(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer a.close()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return a.serveOperators(ctx) })
	group.Go(func() error { return a.watchPrompts(ctx) })
	group.Go(func() error { return part(ctx, a) })
	return group.Wait()
}

func migrate(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	if cfg.Database.URL == "" {
		return sentence("This command needs DATABASE_URL.", nil)
	}
	if err := migrated(ctx, cfg, log); err != nil {
		return err
	}
	log.Info("the database has the newest schema")
	return nil
}

func openapi(cmd *cobra.Command, _ []string) error {
	contract, err := api.OpenAPI()
	if err != nil {
		return err
	}
	_, err = cmd.OutOrStdout().Write(contract)
	return err
}
