// Package cmd is the command line, with one file for each command: it parses arguments, calls the packages below, and
// prints.
package cmd

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/document"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
)

// Main runs the program with the arguments of the process, and returns the exit code.
func Main(version string) int {
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		return document.Child() // checked first: this process limits itself, and is started a hundred times an hour
	}
	if len(os.Args) > 1 && os.Args[1] == read.ChildCommand {
		return read.Child()
	}
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := Command(version)
	if err := root.ExecuteContext(ctx); err != nil {
		language, _ := languageOf(root)
		fmt.Fprintln(os.Stderr, "munshi: "+problem.In(err, language))
		return 1
	}
	return 0
}

// Command returns the root command.
func Command(version string) *cobra.Command {
	root := &cobra.Command{
		Use:           "munshi",
		Short:         "An AI legal assistant for Indian GST",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version,
	}
	root.PersistentFlags().
		String("config", "", "configuration file (default config/munshi.yaml; see its comments for the environment)")
	root.PersistentFlags().String("server.address", "", "where the app listens, as host:port")
	root.PersistentFlags().String("log.level", "", "debug, info, warn or error")
	root.PersistentFlags().String("language", "", "en or hi (default: the language of the locale)")
	root.AddCommand(
		&cobra.Command{
			Use:   "run",
			Short: "Start the whole product on this machine",
			Args:  cobra.NoArgs,
			RunE:  run,
		},
		&cobra.Command{
			Use:   "serve",
			Short: "Serve the API and the web app",
			Args:  cobra.NoArgs,
			RunE:  configured(serve),
		},
		&cobra.Command{Use: "worker", Short: "Process turns", Args: cobra.NoArgs, RunE: configured(work)},
		&cobra.Command{
			Use:   "migrate",
			Short: "Migrate the database to the newest schema",
			Args:  cobra.NoArgs,
			RunE:  configured(migrate),
		},
		&cobra.Command{
			Use:   "ready",
			Short: "Ask the process that runs here whether it is ready",
			Args:  cobra.NoArgs,
			RunE:  configured(askReady),
		},
		&cobra.Command{Use: "openapi", Short: "Print the API contract", Args: cobra.NoArgs, RunE: openapi},
		historiesCommand(),
		docxCommand(),
		reconcileCommand(),
		lawCommand(),
		promptsCommand(),
		evalsCommand(),
		operatorCommand(),
		keysCommand(),
		auditCommand(),
		doctorCommand(),
		backupCommand(),
		restoreCommand(),
	)
	root.AddCommand(readingCommands()...)
	return root
}

// configured runs a command with an app that is not connected to any server.
func configured(do func(context.Context, *app.App) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		a, err := load(cmd)
		if err != nil {
			return err
		}
		return do(cmd.Context(), a)
	}
}

// load reads the configuration for a command.
func load(cmd *cobra.Command) (*app.App, error) {
	file, err := cmd.Flags().GetString("config")
	if err != nil {
		return nil, err
	}
	cfg, err := config.Load(file, cmd.Flags())
	if err != nil {
		return nil, err
	}
	if cfg, err = app.WithBuiltInFolders(cfg); err != nil {
		return nil, err
	}
	return app.New(cfg, logger(cfg), cmd.Root().Version), nil
}

// loadWithStore is load, and also opens the product's database, which the caller must close.
func loadWithStore(cmd *cobra.Command) (*app.App, *store.Store, error) {
	a, err := load(cmd)
	if err != nil {
		return nil, nil, err
	}
	s, err := app.OpenStore(cmd.Context(), a.Config)
	return a, s, err
}

func logger(cfg config.Config) *slog.Logger { return loggerTo(os.Stderr, cfg) }

func loggerTo(w io.Writer, cfg config.Config) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(strings.ToUpper(cfg.Log.Level))) // the configuration has been checked
	options := &slog.HandlerOptions{Level: level}
	if cfg.Log.Format == "json" {
		return slog.New(telemetry.Logs(slog.NewJSONHandler(w, options)))
	}
	// Text is for people, so its times are those of India; JSON is for programs.
	options.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && a.Key == slog.TimeKey {
			return slog.String(slog.TimeKey, a.Value.Time().In(clock.India).Format("2006-01-02 15:04:05.000 MST"))
		}
		return a
	}
	return slog.New(telemetry.Logs(slog.NewTextHandler(w, options)))
}

// collectLess makes the garbage collector run less often, since this program's heap is small and its garbage
// short-lived. The environment variable takes precedence.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(512 << 20)
	}
}
