// Package app puts the product together: it builds the parts from the configuration, starts them and stops them. Only
// app and the commands above it read the configuration.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/client"

	"munshi/config"
	"munshi/orchestrator/document"
	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/answer"
	"munshi/orchestrator/law/defences"
	"munshi/orchestrator/message"
	"munshi/orchestrator/model"
	"munshi/orchestrator/payload"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
	"munshi/workflows"
)

// App holds the parts that the API, the worker and the commands use. New creates those that need no server; Open adds
// the others.
type App struct {
	Config  config.Config
	Log     *slog.Logger
	Version string
	Chain   model.Chain // the configured models, in the order in which they are asked

	Store     *store.Store
	Changes   *store.Notifier
	Temporal  client.Client
	Work      workflows.Client
	Codec     *payload.Codec
	Catalogue *plugins.Catalogue
	Reader    *document.Reader
	Telemetry *telemetry.Telemetry
	Health    Health

	law           func() *law.Tables
	statute       func() *statute.Law
	defences      *defences.Set
	prepared      func() error // waits until Temporal is ready
	stopListening func()
}

// New returns an app that has not connected to any server.
func New(cfg config.Config, log *slog.Logger, version string) *App {
	a := &App{
		Config:  cfg,
		Log:     log,
		Version: version,
		law:     sync.OnceValue(func() *law.Tables { return openLaw(cfg.Law, log) }),
		statute: sync.OnceValue(func() *statute.Law { return openStatute(cfg, log) }),
		Chain:   modelChain(cfg.Model, log),
	}
	a.defences = openDefences(cfg.Law, a.law, log)
	a.Chain.Program = answerFromLaw(answer.New(a.statute, a.law, openQuestions(a.Config.Law, a.Log)))
	a.Chain.Hindi = hindiOfPapers(a.law)
	return a
}

// Open returns an app with its prompts loaded, connected to the database (which it migrates first) and to Temporal.
func Open(ctx context.Context, cfg config.Config, log *slog.Logger, version string) (_ *App, err error) {
	a := New(cfg, log, version)
	defer func() {
		if err != nil {
			a.Close()
		}
	}()
	if a.Codec, err = OpenCodec(cfg, log); err != nil {
		return nil, err
	}
	if a.Telemetry, err = telemetry.New(ctx,
		telemetry.Options{Version: version, Endpoint: cfg.Trace.Endpoint, Ratio: cfg.Trace.Ratio,
			Log: log}); err != nil {
		return nil, err
	}
	if err := Migrate(ctx, cfg, log); err != nil {
		return nil, err
	}
	if a.Store, err = store.Open(ctx, cfg.Database.URL, cfg.Database.Connections); err != nil {
		return nil, err
	}
	a.Telemetry.Pool(a.Store.Stat)
	a.Telemetry.Backlog(unfinished(a.Store, cfg))
	a.Telemetry.Machine(func() map[string]uint64 { return diskFree(folders(cfg)) }, newestBackup(cfg))
	a.listen(ctx)
	a.Store.Stored = a.Changes.Stored
	if a.Temporal, err = NewTemporal(cfg.Temporal, a.Codec, a.Telemetry, log); err != nil {
		return nil, err
	}
	a.Work = workflows.Client{Temporal: a.Temporal, Namespace: cfg.Temporal.Namespace}
	if err := a.prepareTemporal(ctx); err != nil {
		return nil, err
	}
	a.Store.LatestRun = func(ctx context.Context, turn uuid.UUID) (string, error) {
		return a.Work.LatestRun(ctx, turn.String())
	}
	a.Health = Health{Store: a.Store, Work: a.Work, Version: version, Folders: slices.Collect(maps.Values(folders(cfg)))}
	if a.Reader, err = NewReader(cfg.Reading, log); err != nil {
		return nil, err
	}
	a.Catalogue = plugins.NewCatalogue(
		plugins.Options{
			Store:    a.Store,
			Log:      log,
			Folder:   cfg.Prompts.Dir,
			Gated:    cfg.Prompts.Gate == "on",
			Registry: a.Registry(),
		},
	)
	if err := a.Catalogue.Look(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// Close stops what Open started.
func (a *App) Close() {
	if a.stopListening != nil {
		a.stopListening()
	}
	if a.Temporal != nil {
		a.Temporal.Close()
	}
	if a.Store != nil {
		a.Store.Close()
	}
	if a.Telemetry != nil {
		ctx, cancel := context.WithTimeout(context.Background(), flushTime)
		defer cancel()
		if err := a.Telemetry.Close(ctx); err != nil {
			a.Log.Warn("the last traces could not be sent", "error", err)
		}
	}
}

// flushTime is how long a stopping process waits until the trace collector has everything.
const flushTime = 3 * time.Second

// Registry returns what prompt files may refer to, and the limits of the configured models.
func (a *App) Registry() prompt.Registry {
	r := plugins.Registry()
	r.Tokens = model.EstimateTokens
	r.Room = func(s prompt.Settings) int {
		return a.Chain.Room(
			model.Request{Provider: s.Provider, Fallback: s.Fallback, Model: s.Name, MaxTokens: s.MaxTokens},
		)
	}
	return r
}

// Law returns the tables of law, which are read on first use.
func (a *App) Law() *law.Tables { return a.law() }

// Statute returns the Acts and Rules: the digest and the imported text, read on first use.
func (a *App) Statute() *statute.Law { return a.statute() }

// Defences returns the rules about defences, read on first use.
func (a *App) Defences() *defences.Set { return a.defences }

// ModelName returns the name of the first model.
func (a *App) ModelName() string { return modelSummary(a.Chain).Name }

// WhoAnswers returns a sentence that says which model answers.
func (a *App) WhoAnswers() message.Message {
	if m := modelSummary(a.Chain); !m.Offline {
		return message.New("command.answered_by", message.Params{"model": m.Name, "host": m.Host})
	}
	return message.New("command.answered_offline", nil)
}

// Evaluations returns the service that runs cases. Without a connection to Temporal, the worker of another process
// picks up its runs.
func (a *App) Evaluations() evaluation.Service {
	s := evaluation.Service{Store: a.Store, Dir: a.Config.Evals.Dir, Law: a.Law().Index, Log: a.Log}
	if a.Temporal != nil {
		s.Work = a.Work
	}
	return s
}

// Judge returns the judge that grades answers with a model; nil if no model is configured, or there are no prompts for
// it.
func (a *App) Judge(m workflows.Model) (*evaluation.Judge, error) {
	if a.Chain.Offline() {
		return nil, nil
	}
	return evaluation.OpenJudge(a.Config.Prompts.Dir, m, a.Log)
}

// listen starts the delivery of change notifications; Close stops it.
func (a *App) listen(ctx context.Context) {
	a.Changes = store.NewNotifier(a.Config.Database.URL, a.Log)
	ctx, stop := context.WithCancel(ctx)
	var listening sync.WaitGroup
	listening.Go(func() { a.Changes.Run(ctx) })
	a.stopListening = func() { stop(); listening.Wait() }
}

// prepareTemporal makes Temporal ready, in the background if it does not answer now; a.prepared waits for that.
func (a *App) prepareTemporal(ctx context.Context) error {
	done, result := make(chan struct{}), error(nil)
	go func() {
		defer close(done)
		result = prepare(ctx, a.Temporal, a.Config.Temporal, a.Log)
	}()
	a.prepared = func() error { <-done; return result }
	select {
	case <-done:
		return result
	case <-time.After(prepareTime):
		return nil
	}
}

// Migrate brings the database schema up to date. It waits for the database, since everything may be starting at once.
func Migrate(ctx context.Context, cfg config.Config, log *slog.Logger) error {
	for deadline := time.Now().Add(cfg.Server.StartTime); ; {
		err := store.Migrate(ctx, cfg.Database.URL)
		if err == nil || !store.Away(err) || time.Now().After(deadline) || ctx.Err() != nil {
			return err
		}
		log.Warn("the database does not answer yet; trying again", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// mostPrinted is how many pages a return printed as PDF may have; a GSTR-9 has about ten.
const mostPrinted = 40

// Pages reads the text of a PDF page by page. It reports false if a page has none, as a scan. It is a read.Pages.
func (a *App) Pages(ctx context.Context, path string) (pages []string, ok bool, err error) {
	info, err := a.Reader.Probe(ctx, path)
	if err == nil && info.Pages > mostPrinted {
		return nil, false, nil
	}
	if err == nil {
		pages, ok = make([]string, info.Pages), true
		_, err = a.Reader.Read(ctx, path, nil, func(p document.Page) error {
			pages[p.Number-1] = p.Text
			ok = ok && (p.Method == document.MethodLayer || p.Method == document.MethodBlank)
			return nil
		})
	}
	var refusal *document.Refusal
	if errors.As(err, &refusal) {
		return nil, false, refusal.Problem()
	}
	return pages, ok, err
}

// NewReader returns a reader of documents. It reads in child processes of this program: see document.ChildCommand.
func NewReader(r config.Reading, log *slog.Logger) (*document.Reader, error) {
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	reader, err := document.New(
		document.Options{
			Args:      []string{document.ChildCommand},
			Scale:     r.Scale,
			Languages: r.Languages,
			Workers:   workers,
			MaxBytes:  r.MaxBytes,
			MaxPages:  r.MaxPages,
			Memory:    r.MemoryBytes,
			PageTime:  r.PageTime,
			Log:       log,
		},
	)
	if err != nil {
		return nil, fmt.Errorf("prepare the reader of documents: %w", err)
	}
	return reader, nil
}
