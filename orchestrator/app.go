package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"golang.org/x/sync/errgroup"

	"munshi/config"
	"munshi/orchestrator/account"
	"munshi/orchestrator/api"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/model"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/orchestrator/vault"
	"munshi/orchestrator/watch"
	"munshi/workflows"
)

// version is set when a release is built.
var version = "dev"

// app is the parts that both the API and the worker stand on.
type app struct {
	cfg      config.Config
	log      *slog.Logger
	store    *store.Store
	changes  *store.Watch
	temporal client.Client
	codec    *vault.Codec
	prepared func() error // waits until Temporal is ready for us
	work     *temporalWork
	library  *library
	law      *law.Tables
	reader   *document.Reader
	watch    *watch.Watch
	standing standing
	deaf     func() // ends listening to changes
}

// open connects to the database (migrating it first) and to Temporal, and loads the prompts.
func open(ctx context.Context, cfg config.Config, log *slog.Logger) (_ *app, err error) {
	a := &app{cfg: cfg, log: log, law: openLaw(cfg.Law, log)}
	defer func() {
		if err != nil {
			a.close()
		}
	}()
	if a.codec, err = openVault(cfg, log); err != nil {
		return nil, err
	}
	if err := openWatch(ctx, a); err != nil {
		return nil, err
	}
	if err := migrated(ctx, cfg, log); err != nil {
		return nil, err
	}
	if a.store, err = store.Open(ctx, cfg.Database.URL, cfg.Database.Connections); err != nil {
		return nil, err
	}
	a.watchStore()
	a.listen(ctx)
	if a.temporal, err = newTemporal(cfg.Temporal, a.codec, a.watch, log); err != nil {
		return nil, err
	}
	if err := a.prepareTemporal(ctx); err != nil {
		return nil, err
	}
	a.work = &temporalWork{client: a.temporal, namespace: cfg.Temporal.Namespace}
	a.store.LatestRun = a.work.latestRun
	if a.reader, err = newReader(cfg, log); err != nil {
		return nil, err
	}
	a.library = newLibrary(a.store, log, cfg.Prompts.Dir, a.registry())
	a.library.law, a.library.masking, a.library.gated = a.law, a.masking(), a.cfg.Prompts.Gate == "on"
	if err := a.library.look(ctx); err != nil {
		return nil, err
	}
	return a, nil
}

// listen has changes heard of until close.
func (a *app) listen(ctx context.Context) {
	a.changes = store.NewWatch(a.cfg.Database.URL, a.log)
	ctx, stop := context.WithCancel(ctx)
	var listening sync.WaitGroup
	listening.Go(func() { a.changes.Run(ctx) })
	a.deaf = func() { stop(); listening.Wait() }
}

// migrated brings the schema up to date. In a deployment that starts all at once, the database may be the last one up.
func migrated(ctx context.Context, cfg config.Config, log *slog.Logger) error {
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

// prepareTemporal makes Temporal ready, in the background if it is away: what needs it waits for prepared.
func (a *app) prepareTemporal(ctx context.Context) error {
	done, result := make(chan struct{}), error(nil)
	go func() {
		defer close(done)
		result = prepare(ctx, a.temporal, a.cfg.Temporal, a.log)
	}()
	a.prepared = func() error { <-done; return result }
	select {
	case <-done:
		return result
	case <-time.After(prepareTime):
		return nil
	}
}

func (a *app) close() {
	if a.deaf != nil {
		a.deaf()
	}
	if a.temporal != nil {
		a.temporal.Close()
	}
	if a.store != nil {
		a.store.Close()
	}
	if a.watch != nil {
		a.closeWatch()
	}
}

// runWorker runs a worker of both queues until ctx ends, then lets it finish what it can.
func (a *app) runWorker(ctx context.Context) error {
	engine, err := a.engine(ctx)
	if err != nil {
		return err
	}
	note(&a.standing.worker, "The worker has not begun.")
	if err := a.prepared(); err != nil {
		if ctx.Err() != nil {
			return nil // told to stop while Temporal was away
		}
		return err
	}
	acts, err := a.activities(engine)
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	watching := []interceptor.WorkerInterceptor{&turnWatch{watch: a.watch}}
	turns := worker.New(a.temporal, workflows.TurnQueue, worker.Options{
		OnFatalError:                       fail,
		WorkerStopTimeout:                  a.cfg.Server.ShutdownTime,
		MaxHeartbeatThrottleInterval:       workflows.HeartbeatEvery,
		DefaultHeartbeatThrottleInterval:   workflows.HeartbeatEvery,
		MaxConcurrentActivityExecutionSize: 200, // they wait for the model, not for a core
		Interceptors:                       watching,
	})
	workflows.Register(turns, acts)
	reading := worker.New(a.temporal, workflows.ReadingQueue, worker.Options{
		OnFatalError:                       fail,
		WorkerStopTimeout:                  a.cfg.Server.ShutdownTime,
		MaxHeartbeatThrottleInterval:       workflows.HeartbeatEvery,
		DefaultHeartbeatThrottleInterval:   workflows.HeartbeatEvery,
		MaxConcurrentActivityExecutionSize: max(1, a.cfg.Reading.DocumentsAtOnce),
		DisableWorkflowWorker:              true,
		Interceptors:                       watching,
	})
	workflows.RegisterReading(reading, acts)
	if err := turns.Start(); err != nil {
		return fmt.Errorf("start the worker: %w", err)
	}
	if err := reading.Start(); err != nil {
		turns.Stop()
		return fmt.Errorf("start the reading worker: %w", err)
	}
	note(&a.standing.worker, fine)
	sweeper{a.store, a.changes, a.work, a.watch, a.cfg.Payment.ReconcileAfter, a.log, a.cfg.Retention, gateKeeper{a.evaluations(), a.log}}.run(ctx)
	note(&a.standing.worker, "The worker is stopping.")
	var stopped sync.WaitGroup
	stopped.Go(turns.Stop)
	stopped.Go(reading.Stop)
	stopped.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the worker cannot go on: %w", err)
	}
	return nil
}

// serveHTTP serves the API and the web app until ctx ends; ready is called once people can come.
func (a *app) serveHTTP(ctx context.Context, ready func(address string)) error {
	a.watch.Streams(a.changes.Watchers)
	accounts, cashier := a.accounts(), a.cashier()
	webUI, err := webUIOrigin(a.cfg.Temporal)
	if err != nil {
		return err
	}
	landing, err := a.landing()
	if err != nil {
		return fmt.Errorf("the landing page cannot be put together: %w", err)
	}
	handler, err := api.New(api.Options{
		Store: a.store, Accounts: accounts, FreeUses: a.cfg.Account.FreeUses, Payments: cashier, FairUse: a.fairUse(), Afford: tally{a.cfg.Spending, a.store}.afford, Watch: a.changes, Parts: a.parts, Observe: a.watch.Requests(a.log), Work: a.work, Catalogue: a.library, Prober: prober{a.reader},
		PlacedWords: pageWords, Find: findQuote, Words: words{}, Dates: datesListed,
		Briefs: briefs{a.store, a.law, indianToday}, Replies: replies{a.store, a.law}, Templates: templates{a.library, a.law}, Evals: operatorsEvals{a.evaluations(), a.cfg.Prompts.Dir, a.registry()}, RecordsKept: recordsKept,
		Config: api.PublicConfig{
			ProductName: a.cfg.Links.ProductName, Model: a.modelSummary(),
			Upload:          api.UploadLimits{MaxBytes: a.cfg.Reading.MaxBytes, MaxPages: a.cfg.Reading.MaxPages},
			ConsultationURL: a.cfg.Links.ConsultationURL, ParentURL: a.cfg.Links.ParentURL,
			Payment: cashier.offer(), Mail: accounts.Mails(), Consent: account.Consent, Privacy: a.dataUse(),
		},
		Version: version, WebRoot: a.cfg.Server.WebRoot, Landing: landing, Secure: a.cfg.Server.Secure(), PublicURL: a.cfg.Server.PublicURL, Proxies: a.cfg.Server.TrustedProxies,
		RunsURL: a.runsURL(), WebUI: webUI, Payloads: a.codec.Decode,
		Closing: ctx.Done(), Log: a.log,
	})
	if err != nil {
		return fmt.Errorf("build the API: %w", err)
	}
	listener, err := net.Listen("tcp", a.cfg.Server.Address)
	if err != nil {
		return sentence(fmt.Sprintf("The address %s is taken or not allowed. Stop what uses it, or set server.address (MUNSHI_SERVER_ADDRESS).", a.cfg.Server.Address), err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)} // no WriteTimeout: streams stay open
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := server.Serve(listener); err != http.ErrServerClosed {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.Server.ShutdownTime)
		defer cancel()
		if err := server.Shutdown(end); err != nil {
			a.log.Warn("requests were cut off, since they did not end in time", "error", err)
			return server.Close()
		}
		return nil
	})
	ready("http://" + listener.Addr().String())
	return group.Wait()
}

// accounts signs people up and in.
func (a *app) accounts() *account.Accounts {
	return account.New(account.Options{Store: a.store, Mail: a.mailer(), Life: store.SessionLife{Idle: a.cfg.Account.SessionIdle, Whole: a.cfg.Account.SessionLongest},
		HashesAtOnce: a.cfg.Account.HashesAtOnce, URL: a.cfg.Server.PublicURL, Product: a.cfg.Links.ProductName, Log: a.log})
}

// mailer sends mail, nil where no server for it is configured.
func (a *app) mailer() account.Mailer {
	m := a.cfg.Mail
	if m.Host == "" {
		return nil
	}
	return account.Post{Host: m.Host, Port: m.Port, User: m.User, Password: m.Password, From: m.From, TLS: m.TLS}
}

// fairUse is how many turns someone may start who has paid for as many as they like.
func (a *app) fairUse() store.Rate {
	n := a.cfg.Account.FairUsePerHour
	if n == 0 {
		return store.Rate{}
	}
	return store.Rate{Every: time.Hour / time.Duration(n), Burst: n}
}

// runsURL is where Temporal's Web UI shows workflows, "" when that is not known.
func (a *app) runsURL() string {
	if a.cfg.Temporal.WebUIURL == "" {
		return ""
	}
	return strings.TrimRight(a.cfg.Temporal.WebUIURL, "/") + "/namespaces/" + url.PathEscape(a.cfg.Temporal.Namespace) + "/workflows/"
}

// engine makes the model's engine, and says early what is wrong with its settings.
func (a *app) engine(ctx context.Context) (model.Engine, error) {
	chain := a.models()
	chain.Wrap = func(cfg model.Config, e model.Engine) model.Engine { return watchedEngine{e, cfg.Model, a.watch} }
	engine, err := chain.Open()
	if err != nil {
		return nil, sentence(err.Error(), err)
	}
	go a.checkModels(ctx, chain)
	return engine, nil
}

// registry is what prompt files may name, with the limits of the configured models.
func (a *app) registry() prompt.Registry {
	r, chain := registry(), a.models()
	r.Tokens = model.EstimateTokens
	r.Room = func(s prompt.Settings) int {
		return chain.Room(model.Request{Provider: s.Provider, Fallback: s.Fallback, Model: s.Name, MaxTokens: s.MaxTokens})
	}
	return r
}

// watchPrompts publishes what is saved in the plugin folders until ctx ends.
func (a *app) watchPrompts(ctx context.Context) error {
	return a.library.watch(ctx, a.cfg.Prompts.Poll)
}

func (a *app) activities(engine model.Engine) (*workflows.Activities, error) {
	d, asks := desk{a.store}, asker{engine, a.models(), tally{a.cfg.Spending, a.store}, &turnstiles{}, a.log}
	judges, err := a.openJudge(asks)
	if err != nil {
		return nil, err
	}
	tests, err := a.examiner(judges)
	if err != nil {
		return nil, err
	}
	return &workflows.Activities{Turns: d, Papers: d, Script: d, FollowUps: followUps{a.store, a.work, a.mailer(), strings.TrimRight(a.cfg.Server.PublicURL, "/"), a.log}, Replies: replies{a.store, a.law}, Drafts: d, Payments: a.cashier(), Library: a.library,
		Erase: eraser{a.store}, Runs: workflows.Executions{Client: a.temporal, Namespace: a.cfg.Temporal.Namespace},
		Tests: tests, Model: asks, Reader: pageReader{a.reader}, Law: clerk{a.law}, Revise: a.cfg.Check.Revise, Log: a.log,
		Did: func(kind string, took time.Duration, err error) { a.watch.StepTook(kind, "Ask", outcome(err), took) }}, nil
}

// india is where the law's days begin and end.
var india = time.FixedZone("IST", 5*60*60+30*60)

func newReader(cfg config.Config, log *slog.Logger) (*document.Reader, error) {
	r := cfg.Reading
	workers := r.Workers
	if workers <= 0 {
		workers = runtime.NumCPU()
	}
	reader, err := document.New(document.Options{Args: []string{readCommand}, Scale: r.Scale, Languages: r.Languages, Workers: workers,
		MaxBytes: r.MaxBytes, MaxPages: r.MaxPages, Memory: r.MemoryBytes, PageTime: r.PageTime, Log: log})
	if err != nil {
		return nil, fmt.Errorf("prepare the reader of documents: %w", err)
	}
	return reader, nil
}
