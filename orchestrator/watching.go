package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"munshi/config"
	"munshi/orchestrator/model"
	"munshi/orchestrator/watch"
	"munshi/workflows"
)

// partsTime is how long a part may take to answer before it counts as missing.
const partsTime = 2 * time.Second

// flushTime is how long a process that goes waits for the collector of traces.
const flushTime = 3 * time.Second

// standing is what this process knows of its own parts.
type standing struct {
	worker atomic.Pointer[string] // where its pollers stand; nil: it is no worker
	model  atomic.Pointer[string] // what the check of the model's settings said; nil: not asked
}

const fine = "ok"

func note(at *atomic.Pointer[string], says string) { at.Store(&says) }

// parts tells of each part that the product stands on whether it answers, in a plain sentence where it does not.
func (a *app) parts(ctx context.Context) map[string]string {
	ctx, cancel := context.WithTimeout(ctx, partsTime)
	defer cancel()
	parts := map[string]string{"postgres": fine, "temporal": fine}
	var temporalErr error
	var asked sync.WaitGroup
	asked.Go(func() { temporalErr = a.work.Ping(ctx) })
	if shas, err := a.store.Serving(ctx); err != nil {
		parts["postgres"] = "The database does not answer."
	} else if parts["prompts"] = fine; len(shas) == 0 {
		parts["prompts"] = "No prompts serve. Check prompts.dir and the log."
	}
	if asked.Wait(); temporalErr != nil {
		parts["temporal"] = "Temporal does not answer; what is sent now is worked on when it is back."
	}
	return parts
}

// ready is parts for operators: with those of a worker.
func (a *app) ready(ctx context.Context) (any, bool) {
	parts := a.parts(ctx)
	for name, at := range map[string]*atomic.Pointer[string]{"worker": &a.standing.worker, "model": &a.standing.model} {
		if says := at.Load(); says != nil {
			parts[name] = *says
		}
	}
	answer := struct {
		Status  string            `json:"status"`
		Parts   map[string]string `json:"parts"`
		Version string            `json:"version"`
	}{fine, parts, version}
	ready := true
	for name, says := range parts {
		if says != fine {
			answer.Status = "degraded"
			ready = ready && name == "model" // a provider that is away makes no worker sick: turns wait for it
		}
	}
	return answer, ready
}

// serveOperators answers operators until ctx ends. Without its address the product does its work all the same.
func (a *app) serveOperators(ctx context.Context) error {
	address := a.cfg.Server.OperatorAddress
	if address == "" {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		a.log.Warn("no metrics and no readiness are served, since the address is taken or not allowed: set server.operator_address", "address", address, "error", err)
		return nil
	}
	a.log.Info("serving operators", "address", "http://"+listener.Addr().String())
	server := &http.Server{Handler: a.watch.Handler(a.ready), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug)}
	defer context.AfterFunc(ctx, func() { server.Close() })() // an operator asks again
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		a.log.Warn("metrics and readiness are served no more", "error", err)
	}
	return nil
}

// askReady asks the part of the product that runs on this machine, as a container's health check does.
func askReady(ctx context.Context, cfg config.Config, _ *slog.Logger) error {
	host, port, err := net.SplitHostPort(cfg.Server.OperatorAddress)
	if err != nil {
		return sentence("This command needs server.operator_address.", err)
	}
	if at := net.ParseIP(host); host == "" || at != nil && at.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 2*partsTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/ready", nil)
	if err != nil {
		return fmt.Errorf("ask for readiness: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return sentence("Nothing answers at "+req.URL.Host+". Is munshi serve, worker or run at work here?", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return fmt.Errorf("read how ready it is: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return sentence("Not ready: "+strings.TrimSpace(string(answer)), nil)
	}
	fmt.Println(strings.TrimSpace(string(answer)))
	return nil
}

// openWatch makes ready what operators see. What needs the store is added when that is open.
func openWatch(ctx context.Context, a *app) (err error) {
	a.watch, err = watch.New(ctx, watch.Options{Version: version, Endpoint: a.cfg.Trace.Endpoint, Ratio: a.cfg.Trace.Ratio, Log: a.log})
	return err
}

// watchStore has the store's numbers shown.
func (a *app) watchStore() {
	a.watch.Pool(a.store.Stat)
	a.watch.Backlog(func(ctx context.Context) (map[string]int, int, error) {
		b, err := a.store.Backlog(ctx)
		return b.Turns, b.Reading, err
	})
}

// closeWatch sends the spans that are left.
func (a *app) closeWatch() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := a.watch.Close(ctx); err != nil {
		a.log.Warn("the last traces could not be sent", "error", err)
	}
}

// checkModelAgain is how often a model whose settings were refused is asked whether it takes them now.
const checkModelAgain = time.Minute

// checkModels says early, and as long as it is so, that a configured model will not answer. It counts as missing when no
// provider of the chain has its own.
func (a *app) checkModels(ctx context.Context, chain model.Chain) {
	for {
		wrong := chain.Check(ctx)
		if ctx.Err() != nil {
			return
		}
		says := fine
		for _, name := range chain.Order {
			if wrong[name] == nil {
				says = fine
				break
			}
			if says == fine {
				says = sentenceOf(wrong[name])
			}
		}
		note(&a.standing.model, says)
		for name, err := range wrong {
			a.log.Error("the configured model will not answer as it is", "provider", name, "model", chain.Providers[name].Model, "error", sentenceOf(err))
		}
		if len(wrong) == 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(checkModelAgain):
		}
	}
}

// watchedEngine is one provider's engine whose calls are counted and traced.
type watchedEngine struct {
	model.Engine
	name  string // of its configured model
	watch *watch.Watch
}

// Generate implements model.Engine.
func (e watchedEngine) Generate(ctx context.Context, req model.Request, onText func(string) error) (model.Reply, error) {
	name := req.Model
	if name == "" {
		name = e.name
	}
	ctx, call := e.watch.AskModel(ctx, name)
	reply, err := e.Engine.Generate(ctx, req, func(text string) error {
		call.Text()
		if onText == nil {
			return nil
		}
		return onText(text)
	})
	outcome, status := fine, 0
	var failed *model.Error
	switch {
	case errors.As(err, &failed):
		outcome, status = string(failed.Class), failed.Status
	case errors.Is(err, context.Canceled):
		outcome = "stopped"
	case err != nil:
		outcome = "error" // the text could not be stored, most of the time
	}
	call.Done(outcome, status, reply.InputTokens, reply.OutputTokens)
	return reply, err
}

// turnWatch counts turns and steps as a worker does them, and has what they log name them.
type turnWatch struct {
	interceptor.WorkerInterceptorBase
	watch *watch.Watch
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (t *turnWatch) InterceptActivity(_ context.Context, next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &activityWatch{interceptor.ActivityInboundInterceptorBase{Next: next}, t.watch}
}

// InterceptWorkflow implements interceptor.WorkerInterceptor.
func (t *turnWatch) InterceptWorkflow(_ workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	return &workflowWatch{interceptor.WorkflowInboundInterceptorBase{Next: next}, t.watch}
}

type activityWatch struct {
	interceptor.ActivityInboundInterceptorBase
	watch *watch.Watch
}

// about tells which turn an activity works on, and which step of it: none for its beginning and its end.
func about(args []any) (workflows.TurnInput, workflows.Step) {
	if len(args) == 0 {
		return workflows.TurnInput{}, workflows.Step{}
	}
	switch in := args[0].(type) {
	case workflows.TurnInput:
		return in, workflows.Step{}
	case workflows.StepInput:
		return in.TurnInput, in.Step
	case workflows.AnswerInput:
		return in.TurnInput, in.Step
	case workflows.AskInput:
		return in.TurnInput, in.Step
	case workflows.EndInput:
		return in.TurnInput, workflows.Step{}
	}
	return workflows.TurnInput{}, workflows.Step{}
}

// ExecuteActivity implements interceptor.ActivityInboundInterceptor.
func (a *activityWatch) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	begun := time.Now()
	info := activity.GetInfo(ctx)
	turn, step := about(in.Args)
	attrs := []slog.Attr{slog.String("run", info.WorkflowExecution.RunID), slog.Int("attempt", int(info.Attempt))}
	if turn.Turn != "" {
		attrs = append(attrs, slog.String("turn", turn.Turn), slog.String("step", step.ID))
	}
	ctx = watch.With(ctx, attrs...)
	out, err := a.Next.ExecuteActivity(ctx, in)
	if step.Kind == "" {
		step.Kind = strings.ToLower(info.ActivityType.Name) // the beginning or the end
	}
	a.watch.StepTook(step.Kind, info.ActivityType.Name, outcome(err), time.Since(begun))
	if err == nil && len(in.Args) == 1 {
		if end, ok := in.Args[0].(workflows.EndInput); ok {
			a.watch.TurnEnded(turn.Plugin, turn.Kind, end.State)
		}
		if asked, ok := out.(workflows.Asked); ok && asked.Ended {
			a.watch.TurnEnded(turn.Plugin, turn.Kind, "answered")
		}
	}
	return out, err
}

// outcome tells what became of an attempt, in a word.
func outcome(err error) string {
	var failed *temporal.ApplicationError
	switch {
	case err == nil:
		return fine
	case temporal.IsCanceledError(err):
		return "stopped"
	case errors.As(err, &failed) && failed.NonRetryable():
		return "failed"
	}
	return "again"
}

type workflowWatch struct {
	interceptor.WorkflowInboundInterceptorBase
	watch *watch.Watch
}

// ExecuteWorkflow implements interceptor.WorkflowInboundInterceptor.
func (w *workflowWatch) ExecuteWorkflow(ctx workflow.Context, in *interceptor.ExecuteWorkflowInput) (any, error) {
	out, err := w.Next.ExecuteWorkflow(ctx, in)
	if turn, _ := about(in.Args); turn.Turn != "" && !workflow.IsReplaying(ctx) {
		w.watch.TurnTook(turn.Plugin, turn.Kind, workflow.Now(ctx).Sub(workflow.GetInfo(ctx).WorkflowStartTime))
	}
	return out, err
}
