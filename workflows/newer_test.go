package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"munshi/workflows"
)

const anything = "mock.Anything" // the name that testify uses

// A worker that is too old for a turn's prompts leaves the turn to another, and fails it with a plain message if
// none came in time; it never fails it at once, and a person can always stop it.
func TestTurnThatNeedsANewerWorker(t *testing.T) {
	unread := temporal.NewNonRetryableApplicationError(workflows.NewerSentence, workflows.NeedsNewer, nil)
	plan := workflows.Plan{Apology: "Sorry.", Steps: []workflows.Step{{ID: "read", Kind: "extract"}, {ID: "compare", Kind: "no_such_kind"}}}
	for name, c := range map[string]struct {
		begin          error
		waits, reads   time.Duration // results of the beginning and of the first step
		cancel, leaves bool
		state          string
	}{
		"the manifest cannot be read":           {begin: unread, leaves: true},
		"and nobody newer comes":                {begin: unread, waits: 31 * time.Minute, state: "failed"},
		"a step is not known":                   {leaves: true},
		"and nobody newer comes for it":         {reads: 31 * time.Minute, state: "failed"},
		"a step is not known, after a long day": {waits: 5 * time.Hour, reads: time.Minute, leaves: true},
		"it is stopped":                         {cancel: true, reads: time.Minute, state: "stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			var suite testsuite.WorkflowTestSuite
			suite.SetLogger(quiet)
			env := suite.NewTestWorkflowEnvironment()
			env.SetWorkflowRunTimeout(24 * time.Hour)
			var acts *workflows.Activities
			env.RegisterActivity(acts)
			env.OnActivity(acts.Begin, anything, anything).After(c.waits).Return(plan, c.begin)
			env.OnActivity(acts.Extract, anything, anything).After(c.reads).Return(0, nil)
			var ended workflows.EndInput
			env.OnActivity(acts.End, anything, anything).Return(func(_ context.Context, in workflows.EndInput) error { ended = in; return nil })
			if c.cancel {
				env.RegisterDelayedCallback(env.CancelWorkflow, c.reads/2)
			}
			env.ExecuteWorkflow(workflows.Turn, workflows.TurnInput{Workspace: "w", Conversation: "c", Turn: "t"})
			var left *temporal.PanicError
			if got := errors.As(env.GetWorkflowError(), &left); got != c.leaves {
				t.Errorf("left to another: %v, %v", got, env.GetWorkflowError())
			}
			if ended.State != c.state || c.state == "failed" && (ended.Code != workflows.NeedsNewer || ended.Sentence != workflows.NewerSentence) {
				t.Errorf("it ended as %+v", ended)
			}
		})
	}
}
