package workflows_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"munshi/workflows"
)

// trials are the cases of a run, which try runs.
type trials struct {
	try    func(ctx context.Context) error
	ending workflows.RunEnding
}

func (*trials) Begin(context.Context, string) error { return nil }

func (t *trials) Try(ctx context.Context, _ string) error { return t.try(ctx) }

func (t *trials) Finish(_ context.Context, e workflows.RunEnding) error { t.ending = e; return nil }

// During a run of several days more temporary failures occur than a single question may have; a permanent
// failure ends it.
func TestEvaluationOutlivesFaults(t *testing.T) {
	for want, last := range map[string]error{
		"done":   nil,
		"failed": &workflows.Failure{Code: "no_prompts", Sentence: "They are gone."},
	} {
		attempts := 0
		run := &trials{try: func(context.Context) error {
			if attempts++; attempts <= 20 {
				return &workflows.Failure{Code: "model_busy", Sentence: "It is busy.", Retryable: true, RetryAfter: time.Minute}
			}
			return last
		}}
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(quiet)
		env := suite.NewTestWorkflowEnvironment()
		env.SetTestTimeout(time.Minute) // for a busy machine
		env.RegisterActivity(&workflows.Activities{Runner: run, Log: slog.New(slog.DiscardHandler)})
		env.ExecuteWorkflow(workflows.EvaluationRun, workflows.EvaluationInput{Run: "r"})
		if run.ending.State != want || attempts != 21 {
			t.Errorf("after %d attempts the run is %+v, want it %s", attempts, run.ending, want)
		}
	}
}

// A worker that shuts down does not wait for an evaluation: another worker continues it.
func TestEvaluationLeavesAWorkerThatGoes(t *testing.T) {
	stops := make(chan struct{})
	run := &trials{try: func(ctx context.Context) error {
		close(stops)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Second): // it was not cancelled, which fails the test
			return nil
		}
	}}
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet)
	env := suite.NewTestActivityEnvironment()
	env.SetTestTimeout(time.Minute) // for a busy machine
	env.SetWorkerStopChannel(stops)
	acts := &workflows.Activities{Runner: run, Log: slog.New(slog.DiscardHandler)}
	env.RegisterActivity(acts)
	_, err := env.ExecuteActivity(acts.TryAllTests, workflows.EvaluationInput{Run: "r"})
	if failure := (*temporal.ApplicationError)(nil); !errors.As(err, &failure) || failure.NonRetryable() {
		t.Errorf("the attempt ends with %v, want a fault after which another tries", err)
	}
}
