package workflows

import (
	"context"
	"errors"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// EvaluationInput names the run whose cases are to be tried.
type EvaluationInput struct{ Run string }

// RunEnding is how a run of cases ends.
type RunEnding struct {
	Run    string
	State  string // done, failed or cancelled
	Reason string // why it failed, in a sentence
}

// Runner tries cases and keeps what came of them.
type Runner interface {
	// Begin begins a run, or goes on with it, and keeps as results what is known from earlier runs.
	Begin(ctx context.Context, run string) error
	// Try has the cases that have no result worked on, a few at a time, each as any person's turn is, and keeps the
	// answers with what the graders say of them. A case whose turn has begun is waited for.
	Try(ctx context.Context, run string) error
	// Finish ends a run; to end it again changes nothing.
	Finish(ctx context.Context, e RunEnding) error
}

// EvaluationRun tries the cases of a run until each has its result. What has one is never tried again, whatever dies
// meanwhile. A run that is cancelled keeps the results that it has.
func EvaluationRun(ctx workflow.Context, in EvaluationInput) error {
	err := workflow.ExecuteActivity(preparing(ctx), a.BeginTests, in).Get(ctx, nil)
	if err == nil {
		err = workflow.ExecuteActivity(trying(ctx), a.TryAllTests, in).Get(ctx, nil)
	}
	e := RunEnding{Run: in.Run, State: "done"}
	var failure *temporal.ApplicationError
	switch {
	case err == nil:
	case errors.Is(ctx.Err(), workflow.ErrCanceled):
		e.State = "cancelled"
	default:
		e.State, e.Reason = "failed", internalSentence
		if errors.As(err, &failure) {
			e.Reason = failure.Message()
		}
	}
	settled, _ := workflow.NewDisconnectedContext(ctx)
	if ferr := workflow.ExecuteActivity(preparing(settled), a.FinishTests, e).Get(settled, nil); ferr != nil {
		return ferr
	}
	return err
}

// BeginTests begins a run of cases, or goes on with it.
func (a *Activities) BeginTests(ctx context.Context, in EvaluationInput) error {
	defer alive(ctx)()
	return a.refuse(ctx, "begin", a.Runner.Begin(ctx, in.Run))
}

// tryStep names the step of an evaluation that goes on for days, whose attempts are not those at one question.
const tryStep = "try"

// errWorkerGoes is why the cases of a run are not tried further here.
var errWorkerGoes = errors.New("the worker shuts down, and another goes on")

// TryAllTests tries the cases of a run that have no result, each once. It only waits for their turns, which any worker
// works on: one that shuts down need not wait for it.
func (a *Activities) TryAllTests(ctx context.Context, in EvaluationInput) error {
	defer alive(ctx)()
	here, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	go func() {
		select {
		case <-activity.GetWorkerStopChannel(ctx):
			leave(errWorkerGoes)
		case <-here.Done():
		}
	}()
	return a.refuse(ctx, tryStep, a.Runner.Try(here, in.Run))
}

// FinishTests ends a run of cases.
func (a *Activities) FinishTests(ctx context.Context, e RunEnding) error {
	defer alive(ctx)()
	return a.refuse(ctx, "finish", a.Runner.Finish(ctx, e))
}
