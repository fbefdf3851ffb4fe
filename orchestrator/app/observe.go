package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"munshi/orchestrator/model"
	"munshi/orchestrator/telemetry"
	"munshi/workflows"
)

// observedEngine is the engine of one provider, whose calls it counts and traces.
type observedEngine struct {
	model.Engine
	provider  string
	name      string // of the configured model
	telemetry *telemetry.Telemetry
}

// Generate implements model.Engine.
func (e observedEngine) Generate(
	ctx context.Context,
	req model.Request,
	onText func(string) error,
) (model.Reply, error) {
	name := req.Model
	if name == "" {
		name = e.name
	}
	ctx, call := e.telemetry.AskModel(ctx, e.provider, name)
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
		outcome = "error" // mostly because the text could not be stored
	}
	call.Done(outcome, status, reply.InputTokens, reply.OutputTokens, reply.Paise)
	return reply, err
}

// turnInterceptor counts the turns and steps of a worker, and adds their ids to its logs.
type turnInterceptor struct {
	interceptor.WorkerInterceptorBase
	telemetry *telemetry.Telemetry
}

// InterceptActivity implements interceptor.WorkerInterceptor.
func (t *turnInterceptor) InterceptActivity(
	_ context.Context,
	next interceptor.ActivityInboundInterceptor,
) interceptor.ActivityInboundInterceptor {
	return &activityInterceptor{interceptor.ActivityInboundInterceptorBase{Next: next}, t.telemetry}
}

// InterceptWorkflow implements interceptor.WorkerInterceptor.
func (t *turnInterceptor) InterceptWorkflow(
	_ workflow.Context,
	next interceptor.WorkflowInboundInterceptor,
) interceptor.WorkflowInboundInterceptor {
	return &workflowInterceptor{interceptor.WorkflowInboundInterceptorBase{Next: next}, t.telemetry}
}

type activityInterceptor struct {
	interceptor.ActivityInboundInterceptorBase
	telemetry *telemetry.Telemetry
}

// about returns the turn and the step of an activity; the beginning and end of a turn have no step.
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
func (a *activityInterceptor) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	begun := time.Now()
	info := activity.GetInfo(ctx)
	turn, step := about(in.Args)
	attrs := []slog.Attr{slog.String("run", info.WorkflowExecution.RunID), slog.Int("attempt", int(info.Attempt))}
	if turn.Turn != "" {
		attrs = append(attrs, slog.String("turn", turn.Turn), slog.String("step", step.ID))
	}
	ctx = telemetry.With(ctx, attrs...)
	out, err := a.Next.ExecuteActivity(ctx, in)
	if step.Kind == "" {
		step.Kind = strings.ToLower(info.ActivityType.Name) // beginning or end of the turn
	}
	a.telemetry.StepTook(step.Kind, info.ActivityType.Name, outcome(err), time.Since(begun))
	if err == nil && len(in.Args) == 1 {
		if end, ok := in.Args[0].(workflows.EndInput); ok {
			a.telemetry.TurnEnded(turn.Plugin, turn.Kind, end.State)
			if end.State == "failed" {
				a.telemetry.TurnFailed(end.Code)
			}
		}
		if asked, ok := out.(workflows.Asked); ok && asked.Ended {
			a.telemetry.TurnEnded(turn.Plugin, turn.Kind, "answered")
		}
	}
	return out, err
}

// outcome returns the result of an attempt as one word.
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

type workflowInterceptor struct {
	interceptor.WorkflowInboundInterceptorBase
	telemetry *telemetry.Telemetry
}

// ExecuteWorkflow implements interceptor.WorkflowInboundInterceptor.
func (w *workflowInterceptor) ExecuteWorkflow(ctx workflow.Context, in *interceptor.ExecuteWorkflowInput) (any, error) {
	out, err := w.Next.ExecuteWorkflow(ctx, in)
	if turn, _ := about(in.Args); turn.Turn != "" && !workflow.IsReplaying(ctx) {
		w.telemetry.TurnTook(turn.Plugin, turn.Kind, workflow.Now(ctx).Sub(workflow.GetInfo(ctx).WorkflowStartTime))
	}
	return out, err
}
