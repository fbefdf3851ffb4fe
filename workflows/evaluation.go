package workflows

import (
	"context"
	"errors"
	"slices"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// EvaluationInput names the run whose cases are to be tried.
type EvaluationInput struct{ Run string }

// TestPlan is what of a run is left to be tried.
type TestPlan struct {
	Left   []int // the numbers of the tests
	AtOnce int
}

// TestInput names tests of a run, which are tried one after the other.
type TestInput struct {
	Run     string
	Numbers []int
}

// RunEnding is how a run of cases ends.
type RunEnding struct {
	Run    string
	State  string // done, failed or cancelled
	Reason string // why it failed, in a sentence
}

// Tests tries cases and keeps what came of them.
type Tests interface {
	// Plan begins a run, or goes on with it: what is known from earlier runs is kept as a result, and the rest is given.
	Plan(ctx context.Context, run string) (TestPlan, error)
	// Try has a case worked on as any person's turn is, and keeps the answer with what the graders say of it. A test that has
	// its result is not tried again; one whose turn has begun is waited for.
	Try(ctx context.Context, run string, number int) error
	// Finish ends a run; to end it again changes nothing.
	Finish(ctx context.Context, e RunEnding) error
}

// Evaluation tries the cases of a run, a few at a time, until each has its result. What has one is never tried again, whatever
// dies meanwhile. A run that is cancelled keeps the results that it has.
func Evaluation(ctx workflow.Context, in EvaluationInput) error {
	var plan TestPlan
	err := workflow.ExecuteActivity(preparing(ctx), a.PlanTests, in).Get(ctx, &plan)
	now, later := plan.Left[:min(len(plan.Left), testsInOneRun)], max(len(plan.Left)-testsInOneRun, 0)
	if err == nil {
		atOnce := max(plan.AtOnce, 1)
		// Some go together, since to hand one out takes its time; few, so that all end at about the same time.
		together := slices.Collect(slices.Chunk(now, min(max(len(now)/(atOnce*sharesEach), 1), mostTogether)))
		_, err = aFewAtATime[struct{}](ctx, int64(atOnce), len(together), func(ctx workflow.Context, n int) workflow.Future {
			return workflow.ExecuteActivity(trying(ctx), a.TryTests, TestInput{in.Run, together[n-1]})
		})
	}
	if err == nil && later > 0 {
		return workflow.NewContinueAsNewError(ctx, Evaluation, in)
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

// PlanTests begins a run of cases and gives what is left of it.
func (a *Activities) PlanTests(ctx context.Context, in EvaluationInput) (TestPlan, error) {
	defer alive(ctx)()
	plan, err := a.Tests.Plan(ctx, in.Run)
	return plan, a.refuse(ctx, "plan", err)
}

// TryTests tries cases, each once.
func (a *Activities) TryTests(ctx context.Context, in TestInput) error {
	defer alive(ctx)()
	for _, n := range in.Numbers {
		if err := a.Tests.Try(ctx, in.Run, n); err != nil {
			return a.refuse(ctx, "try", err)
		}
	}
	return nil
}

// FinishTests ends a run of cases.
func (a *Activities) FinishTests(ctx context.Context, e RunEnding) error {
	defer alive(ctx)()
	return a.refuse(ctx, "finish", a.Tests.Finish(ctx, e))
}
