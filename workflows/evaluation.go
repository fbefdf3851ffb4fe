package workflows

import (
	"context"
	"errors"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// EvaluationInput identifies a run of cases.
type EvaluationInput struct{ Run string }

// RunEnding says how a run of cases ends.
type RunEnding struct {
	Run    string
	State  string // done, failed or cancelled
	Reason string // why it failed, as a sentence
}

// Runner runs cases and stores the results.
type Runner interface {
	// Begin starts or continues a run, and adds results that are known from earlier runs.
	Begin(ctx context.Context, run string) error
	// Try runs the cases without a result, a few at a time, each like an ordinary turn, and stores the answers with
	// the graders' verdicts. If a case's turn has already started, it waits for that.
	Try(ctx context.Context, run string) error
	// Finish ends a run; repeating it changes nothing.
	Finish(ctx context.Context, e RunEnding) error
}

// EvaluationRun runs the cases of a run until each has a result. A case with a result is never repeated, whatever
// fails. A cancelled run keeps its results.
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

// BeginTests starts or continues a run of cases.
func (a *Activities) BeginTests(ctx context.Context, in EvaluationInput) error {
	defer alive(ctx)()
	return a.refuse(ctx, "begin", a.Runner.Begin(ctx, in.Run))
}

// tryStep is the step that runs the cases of an evaluation. It runs for days, and its attempts do not count as
// attempts at a question.
const tryStep = "try"

// errWorkerGoes is the reason for which a worker stops running the cases of a run.
var errWorkerGoes = errors.New("the worker shuts down, and another goes on")

// TryAllTests runs the cases of a run that have no result. It only waits for their turns, which any worker can run, so
// a worker that shuts down does not wait for it.
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
