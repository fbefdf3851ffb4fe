package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/worker"
	"golang.org/x/sync/errgroup"

	"munshi/config"
	"munshi/orchestrator/account"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/billing"
	"munshi/orchestrator/document"
	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/local"
	"munshi/orchestrator/model"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/payment"
	"munshi/orchestrator/practice"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/recovery"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// RunWorker runs a worker on the configured task queues until ctx ends, and then lets it finish what it can.
func (a *App) RunWorker(ctx context.Context) error {
	engine, err := a.Engine()
	if err != nil {
		return err
	}
	a.warnOfSpending()
	go a.Health.checkModels(ctx, a.Chain, a.Log)
	a.Health.worker.note("The worker has not begun.")
	if err := a.prepared(); err != nil {
		if ctx.Err() != nil {
			return nil // stopped while Temporal was down
		}
		return err
	}
	acts, err := a.Activities(engine)
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	workers := a.workers(acts, fail)
	for n, w := range workers {
		if err := w.Start(); err != nil {
			for _, started := range workers[:n] {
				started.Stop()
			}
			return fmt.Errorf("start the worker: %w", err)
		}
	}
	a.Health.worker.note(fine)
	var jobs sync.WaitGroup
	jobs.Go(func() { a.jobs().Run(ctx) })
	a.Reconciler().Run(ctx)
	jobs.Wait()
	a.Health.worker.note("The worker is stopping.")
	var stopped sync.WaitGroup
	for _, w := range workers {
		stopped.Go(w.Stop)
	}
	stopped.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("the worker cannot go on: %w", err)
	}
	return nil
}

// workers returns a worker of Temporal's for each configured queue; fail is called when one cannot continue.
func (a *App) workers(acts *workflows.Activities, fail func(error)) (all []worker.Worker) {
	options := worker.Options{
		OnFatalError:                     fail,
		WorkerStopTimeout:                a.Config.Server.ShutdownTime,
		MaxHeartbeatThrottleInterval:     workflows.HeartbeatEvery,
		DefaultHeartbeatThrottleInterval: workflows.HeartbeatEvery,
		Interceptors:                     []interceptor.WorkerInterceptor{&turnInterceptor{telemetry: a.Telemetry}},
	}
	if slices.Contains(a.Config.Worker.Queues, config.QueueTurns) {
		turns := options
		turns.MaxConcurrentActivityExecutionSize = 200 // they mostly wait for a model, not for a CPU
		w := worker.New(a.Temporal, workflows.TurnQueue, turns)
		workflows.Register(w, acts)
		all = append(all, w)
	}
	if slices.Contains(a.Config.Worker.Queues, config.QueueReading) {
		reading := options
		reading.MaxConcurrentActivityExecutionSize = max(1, a.Config.Reading.DocumentsAtOnce)
		reading.DisableWorkflowWorker = true
		w := worker.New(a.Temporal, workflows.ReadingQueue, reading)
		workflows.RegisterReading(w, acts)
		all = append(all, w)
	}
	return all
}

// Serve serves the API and the web app until ctx ends. It calls ready once requests are accepted.
func (a *App) Serve(ctx context.Context, ready func(address string)) error {
	handler, err := a.handler(ctx)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", a.Config.Server.Address)
	if err != nil {
		return problem.New("listen_refused", problem.Params{"address": a.Config.Server.Address}, err)
	}
	// A header may take as long as a body: a busy client that opens two hundred connections at once may need a while
	// until it writes to the last. There is no WriteTimeout, since streams stay open.
	server := &http.Server{Handler: handler, ReadHeaderTimeout: a.Config.Server.BodyTime, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug)}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		if err := server.Serve(listener); err != http.ErrServerClosed {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	group.Go(func() error {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.Config.Server.ShutdownTime)
		defer cancel()
		if err := server.Shutdown(end); err != nil {
			a.Log.Warn("requests were cut off, since they did not end in time", "error", err)
			return server.Close()
		}
		return nil
	})
	ready("http://" + listener.Addr().String())
	return group.Wait()
}

// ServeOperators serves the operators' port until ctx ends. If its address cannot be used, the rest of the product
// still works.
func (a *App) ServeOperators(ctx context.Context) error {
	address := a.Config.Server.OperatorAddress
	if address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		a.Log.Warn(
			"no metrics and no readiness are served, since the address is taken or not allowed: set "+
				"server.operator_address",
			"address",
			address,
			"error",
			err,
		)
		return nil
	}
	a.Log.Info("serving operators", "address", "http://"+listener.Addr().String())
	server := &http.Server{
		Handler:           a.door().Before(a.Telemetry.Handler(a.Health.Ready)),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       time.Minute,
		ErrorLog:          slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug),
	}
	defer context.AfterFunc(ctx, func() { server.Close() })() // operators can repeat their request
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		a.Log.Warn("metrics and readiness are served no more", "error", err)
	}
	return nil
}

// abuse returns the limits for one network address.
func abuse(c config.Abuse) api.Abuse {
	return api.Abuse{
		Visitors: c.Visitors, SignUps: c.SignUps, FreeTurns: c.FreeTurns, UploadMB: c.UploadMB,
		Neighbours: c.Neighbours, WorkBits: c.WorkBits,
	}
}

// warnOfSpending logs which paid models have no spending limit.
func (a *App) warnOfSpending() {
	caps := a.Config.Spending
	for _, name := range a.Chain.Order {
		cfg := a.Chain.Providers[name]
		switch {
		case !cfg.Paid():
		case cfg.PriceInput == 0 && cfg.PriceOutput == 0:
			a.Log.Warn("a model that is paid for has no price, so that no spending cap holds: set its price_input and "+
				"price_output",
				"provider", name, "model", cfg.Model, "settings", cfg.Settings)
		case caps.PersonDayPaise == 0 || caps.VisitorsDayPaise == 0 || caps.InstallationDayPaise == 0:
			a.Log.Warn("a model that is paid for has no spending cap: set spending.person_day_paise, "+
				"visitors_day_paise and "+
				"installation_day_paise", "provider", name, "model", cfg.Model)
		}
	}
}

// door returns the checks before all handlers of this process.
func (a *App) door() api.Door {
	return api.Door{Hosts: a.Config.Server.Names(), BodyTime: a.Config.Server.BodyTime, Log: a.Log}
}

// ServeWebUI serves the Web UI of the Temporal started by us, to operators only, until ctx ends.
func (a *App) ServeWebUI(ctx context.Context, stack *Stack) error {
	if stack.webUIKey == "" {
		return nil
	}
	address := strings.TrimPrefix(stack.WebUIURL(), "http://")
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return problem.New("listen_refused", problem.Params{"address": address}, err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: stack.WebUIBehind()})
			r.Out.Header.Set(local.WebUIKeyHeader, stack.webUIKey)
		},
		ErrorLog: slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug),
	}
	server := &http.Server{
		Handler: a.door().
			Before(api.OperatorsOnly(a.Store, newAccounts(a.Config, a.Store, a.Log), a.Config.Server.Secure(), proxy)),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(a.Log.Handler(), slog.LevelDebug),
	}
	defer context.AfterFunc(ctx, func() { server.Close() })() // the page works again after a restart
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve Temporal's Web UI: %w", err)
	}
	return nil
}

// handler returns the API and the web app. Its streams end when ctx ends.
func (a *App) handler(ctx context.Context) (http.Handler, error) {
	cfg, accounts, payments := a.Config, newAccounts(a.Config, a.Store, a.Log), a.Billing()
	a.Telemetry.Streams(a.Changes.Watchers)
	webUI, err := webUIOrigin(cfg.Temporal)
	if err != nil {
		return nil, err
	}
	use := dataUse(cfg, a.Chain)
	landing, err := landingPage(cfg, use)
	if err != nil {
		return nil, fmt.Errorf("the landing page cannot be put together: %w", err)
	}
	if cfg.Server.PublicURL != "" && cfg.Links.Contact == "" && cfg.Payment.Support == "" {
		a.Log.Warn("the landing page names nobody to write to, as the Digital Personal Data Protection Act asks for: " +
			"set links.contact")
	}
	tables, err := read.New(read.Options{})
	if err != nil {
		return nil, err
	}
	imports := practice.Imports{Store: a.Store, Reader: tables, Log: a.Log}
	handler, err := api.New(api.Options{
		Store: a.Store, Accounts: accounts, FreeUses: cfg.FreeUses(), FirmUses: cfg.FirmUses(), Payments: payments,
		Abuse: abuse(cfg.Abuse),
		Firms: practice.Firms{
			Store:   a.Store,
			Mail:    Mailer(cfg.Mail),
			Seats:   cfg.FreeSeats(),
			URL:     cfg.Server.PublicURL,
			Product: cfg.Links.ProductName,
			Log:     a.Log,
		},
		FairUse: fairUse(cfg.Account.FairUsePerHour),
		Afford:  a.budget().Afford, DiskFull: a.Health.DiskFull, Changes: a.Changes, Parts: a.Health.Parts,
		Observe: a.Telemetry.Requests(a.Log), Work: a.Work, Catalogue: a.Catalogue,
		PDFInspector: activities.PDFInspector{Reader: a.Reader}, Photographs: a.Reader,
		IsPhotograph: document.IsPhotograph, PlacedWords: activities.PlacedWords, Find: activities.FindQuote,
		Words:  notices.Words{},
		Dates:  notices.DatesListed,
		Filing: practice.Filing{Store: a.Store}, Intake: a.Intake(), MailIntake: a.MailIntake(), Register: practice.Register{}, Imports: imports,
		Portals: practice.Portals{Store: a.Store, Text: a.wordsOf},
		Briefs: notices.Briefs{
			Store:  a.Store,
			Tables: a.Law(),
			Rules:  a.Defences().Rules,
		}, Replies: notices.Replies{Store: a.Store, Tables: a.Law(), Rules: a.Defences().Rules, Statute: a.Statute},
		Figures:   notices.Figures{Store: a.Store, Tables: a.Law()},
		Templates: notices.Templates{Catalogue: a.Catalogue, Tables: a.Law()},
		Law:       lawAnswers{a.Statute()},
		Evals: evaluation.Operators{
			Service:  a.Evaluations(),
			Prompts:  cfg.Prompts.Dir,
			Registry: a.Registry(),
		}, RecordsKept: billing.RecordsKept,
		Config: api.PublicConfig{
			ProductName: cfg.Links.ProductName, Model: modelSummary(a.Chain),
			Upload:          api.UploadLimits{MaxBytes: cfg.Reading.MaxBytes, MaxPages: cfg.Reading.MaxPages},
			ConsultationURL: cfg.Links.ConsultationURL, ParentURL: cfg.Links.ParentURL,
			Payment: payments.Offer(), Mail: accounts.Mails(), Consent: account.Consent, Privacy: use,
		},
		Version: a.Version, WebRoot: cfg.Server.WebRoot, Landing: landing, Secure: cfg.Server.Secure(),
		PublicURL: cfg.Server.PublicURL, Proxies: cfg.Server.TrustedProxies, Door: a.door(),
		RunsURL: runsURL(cfg.Temporal), WebUI: webUI, TraceURL: cfg.Trace.URL,
		Payloads: a.Codec.Decode,
		Closing:  ctx.Done(), Log: a.Log,
	})
	if err != nil {
		return nil, fmt.Errorf("build the API: %w", err)
	}
	return handler, nil
}

// wordsOf reads the words of a short PDF, such as one of photographs of a screen, its pages one below the other.
func (a *App) wordsOf(ctx context.Context, path string) (string, error) {
	pages := map[int]string{}
	_, err := a.Reader.Read(ctx, path, nil, func(p document.Page) error {
		pages[p.Number] = p.Text
		return nil
	})
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, n := range slices.Sorted(maps.Keys(pages)) {
		all.WriteString(pages[n] + "\n")
	}
	return all.String(), nil
}

// Intake returns the service that accepts papers in batches.
func (a *App) Intake() practice.Intake {
	return practice.Intake{Store: a.Store, Catalogue: a.Catalogue, Inspector: activities.PDFInspector{Reader: a.Reader},
		Photographs: a.Reader, IsPhotograph: document.IsPhotograph, Work: a.Work, MaxBytes: a.Config.Reading.MaxBytes,
		Log: a.Log}
}

// Billing returns the service that takes payments.
func (a *App) Billing() billing.Service {
	cfg := a.Config.Payment
	if !cfg.Sold() {
		cfg.Provider = ""
	}
	o := billing.Options{
		Store:   a.Store,
		Work:    a.Work,
		Mail:    Mailer(a.Config.Mail),
		Product: a.Config.Links.ProductName,
		URL:     a.Config.Server.PublicURL,
		Log:     a.Log,
		Settings: billing.Settings{
			Provider:         cfg.Provider,
			KeyID:            cfg.KeyID,
			KeySecret:        cfg.KeySecret,
			WebhookSecret:    cfg.WebhookSecret,
			Checkout:         cfg.Checkout,
			AmountPaise:      cfg.AmountPaise,
			SeatPaise:        cmp.Or(a.Config.Firms.SeatPaise, cfg.AmountPaise),
			Currency:         cfg.Currency,
			Price:            cfg.Price,
			Description:      cfg.Description,
			DescriptionHindi: cfg.DescriptionHindi,
			Support:          cmp.Or(cfg.Support, a.Config.Links.Contact),
			PeriodLength:     cfg.Period,
			ReconcileAfter:   cfg.ReconcileAfter,
			Seller:           billing.Seller(cfg.Seller),
		},
	}
	switch cfg.Provider {
	case "razorpay":
		o.Provider = payment.Razorpay{
			KeyID:     cfg.KeyID,
			KeySecret: cfg.KeySecret,
			BaseURL:   cfg.BaseURL,
			Timeout:   cfg.Timeout,
		}
	case "sandbox":
		o.Provider = payment.Sandbox{}
	}
	return billing.Service{Options: o}
}

func (a *App) budget() billing.Budget {
	return billing.Budget{
		PersonDayPaise:       a.Config.Spending.PersonDayPaise,
		VisitorsDayPaise:     a.Config.Spending.VisitorsDayPaise,
		InstallationDayPaise: a.Config.Spending.InstallationDayPaise,
		Store:                a.Store,
	}
}

// Reconciler returns the job that repairs what a crash left inconsistent.
func (a *App) Reconciler() recovery.Reconciler {
	return recovery.Reconciler{
		Store:          a.Store,
		Changes:        a.Changes,
		Work:           a.Work,
		Telemetry:      a.Telemetry,
		ReconcileAfter: a.Config.Payment.ReconcileAfter,
		Keep:           recovery.Retention(a.Config.Retention),
		Evaluations:    a.Evaluations(),
		Authorities: recovery.AuthorityReader{Store: a.Store, Reader: activities.PageReader{Reader: a.Reader},
			Log: a.Log},
		Log: a.Log,
	}
}

// patienceAlone is how long a call waits for its turn at a provider if there is no other one to ask: an attempt at an
// answer may take a quarter of an hour.
const patienceAlone = 8 * time.Minute

// mailEvery is how long to wait between two searches for mails to send.
const mailEvery = 30 * time.Second

// jobs returns the work that is repeated outside the reconciler.
func (a *App) jobs() recovery.Jobs {
	return recovery.Jobs{Store: a.Store, Log: a.Log, List: []recovery.Job{
		{Name: "member mails", Every: mailEvery, Do: a.Mails().Send},
		{Name: "mail intake", Every: max(a.Config.MailIn.Every, time.Second), Do: a.MailIntake().Poll},
	}}
}

// MailIntake returns what takes papers that come by e-mail.
func (a *App) MailIntake() practice.MailIntake {
	m := a.Config.MailIn
	return practice.MailIntake{Store: a.Store, Intake: a.Intake(), Log: a.Log,
		Mailbox: practice.Mailbox{Host: m.Host, Port: m.Port, User: m.User, Password: m.Password, TLS: m.TLS,
			Name: m.Mailbox, Address: m.Address, Trusted: m.Trusted, MaxBytes: m.MaxMB << 20}}
}

// Mails returns the service that sends mails to members of firms.
func (a *App) Mails() practice.MemberMails {
	return practice.MemberMails{Store: a.Store, Mail: Mailer(a.Config.Mail),
		URL: strings.TrimRight(a.Config.Server.PublicURL, "/"), Log: a.Log}
}

// WatchPrompts puts changes in the plugin folders to use until ctx ends.
func (a *App) WatchPrompts(ctx context.Context) error {
	return a.Catalogue.Watch(ctx, a.Config.Prompts.Poll)
}

// Engine returns the engine of the configured models, with calls counted, traced, and as many as their providers take.
// Its error can be shown to people.
func (a *App) Engine() (model.Engine, error) {
	chain := a.Chain
	patience := patienceAlone
	if len(chain.Order) > 1 {
		patience = workflows.LongestWait
	}
	chain.Wrap = func(cfg model.Config, e model.Engine) model.Engine {
		e = observedEngine{e, cfg.Provider, cfg.Model, a.Telemetry}
		if cfg.CallsPerMinute == 0 || a.Store == nil {
			return e
		}
		rate := store.Rate{Every: time.Minute / time.Duration(cfg.CallsPerMinute), Burst: 1}
		return model.Limited(cfg, e, func(ctx context.Context) (time.Duration, error) {
			return a.Store.Throttle(ctx, "model "+cfg.Provider, rate)
		}, patience)
	}
	engine, err := chain.Open()
	if err != nil {
		return nil, problem.New("model_settings_wrong", problem.Params{"reason": err.Error()}, err)
	}
	return engine, nil
}

// Activities returns the activities that the workflows call.
func (a *App) Activities(engine model.Engine) (*workflows.Activities, error) {
	turns, mail := activities.TurnStore{Store: a.Store}, Mailer(a.Config.Mail)
	asks := activities.ModelClient{
		Engine:  engine,
		Chain:   a.Chain,
		Budget:  a.budget(),
		Limiter: &evaluation.ConcurrencyLimiter{},
		Log:     a.Log,
	}
	judge, err := a.Judge(asks)
	if err != nil {
		return nil, err
	}
	runner, err := a.Runner(judge)
	if err != nil {
		return nil, err
	}
	figureReader, err := read.New(read.Options{Pages: a.Pages})
	if err != nil {
		return nil, err
	}
	var masking activities.Masking
	if !a.Chain.Offline() {
		masking = activities.Masking(a.Config.Privacy.Mask)
	}
	return &workflows.Activities{
		Turns: turns, Documents: turns, Stream: turns, Drafts: turns,
		Catalogue: a.Catalogue, Materials: activities.Materials{Store: a.Store, Law: a.Law(), Rules: a.Defences().Rules,
			Masking: masking},
		FollowUps: activities.FollowUps{
			Store: a.Store,
			Work:  a.Work,
			Mail:  mail,
			URL:   strings.TrimRight(a.Config.Server.PublicURL, "/"),
			Log:   a.Log,
		},
		Replies: notices.Replies{
			Store:   a.Store,
			Tables:  a.Law(),
			Rules:   a.Defences().Rules,
			Statute: a.Statute,
		}, Figures: notices.Figures{Store: a.Store, Tables: a.Law(), Reader: figureReader},
		Law: notices.FactExtractor{Tables: a.Law(), Statute: a.Statute}, Payments: a.Billing(),
		Filing: practice.Filing{Store: a.Store}, Erase: activities.Eraser{Store: a.Store}, Runs: a.Work, Runner: runner,
		Model: asks, Reader: activities.PageReader{Reader: a.Reader}, Proposes: !a.Chain.Offline(),
		Revise: a.Config.Check.Revise, Log: a.Log,
		Did: func(kind string, took time.Duration, err error) {
			a.Telemetry.StepTook(kind, "Ask", outcome(err), took)
		}}, nil
}

// Runner returns the runner of evaluation cases; judge may be nil.
func (a *App) Runner(judge *evaluation.Judge) (evaluation.Runner, error) {
	models, err := json.Marshal(evaluation.ModelSettings(a.Chain))
	if err != nil {
		return evaluation.Runner{}, fmt.Errorf("encode the settings of the models: %w", err)
	}
	return evaluation.Runner{
		Store:     a.Store,
		Work:      a.Work,
		Changes:   a.Changes,
		Catalogue: a.Catalogue,
		Reader:    a.Reader,
		Law:       a.Law(),
		Defences:  a.Defences().Rules,
		Models:    models,
		Judge:     judge,
		Margin:    a.Config.Prompts.GateMargin,
		Program:   sync.OnceValues(func() (string, error) { return evaluation.OwnBuild(a.Version) }),
		Log:       a.Log,
	}, nil
}
