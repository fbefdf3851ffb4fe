package workflows_test

import (
	"context"
	"testing"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"munshi/workflows"
)

// A model is asked for open facts only if there are some, and the turn is answered even if the model fails.
func TestOpenFacts(t *testing.T) {
	plan := workflows.Plan{Steps: []workflows.Step{{ID: "open", Kind: "open_facts", Prompt: "open"}}}
	busy := temporal.NewNonRetryableApplicationError("The model is busy.", "model_busy", nil)
	gone := temporal.NewNonRetryableApplicationError("Another run has this turn.", "superseded", nil)
	for name, c := range map[string]struct {
		open        int
		fails       error
		asked, last bool // asked: the model was asked; last: the step was closed without asking it
		state       string
	}{
		"nothing is open":      {state: "answered"},
		"some fields are open": {open: 2, asked: true, state: "answered"},
		"the model fails":      {open: 2, fails: busy, asked: true, last: true, state: "answered"},
		"another run took it":  {open: 2, fails: gone, asked: true},
	} {
		t.Run(name, func(t *testing.T) {
			var suite testsuite.WorkflowTestSuite
			suite.SetLogger(quiet)
			env := suite.NewTestWorkflowEnvironment()
			var acts *workflows.Activities
			env.RegisterActivity(acts)
			env.OnActivity(acts.Begin, anything, anything).Return(plan, nil)
			var asked, skipped bool
			env.OnActivity(acts.PlanOpenFacts, anything, anything).Return(func(_ context.Context, in workflows.OpenFactsInput) (int, error) {
				if in.Skip {
					skipped = true
					return 0, nil
				}
				return c.open, nil
			})
			env.OnActivity(acts.AskOpenFacts, anything, anything).Return(func(context.Context, workflows.OpenFactsInput) error {
				asked = true
				return c.fails
			})
			var ended workflows.EndInput
			env.OnActivity(acts.End, anything, anything).Return(func(_ context.Context, in workflows.EndInput) error { ended = in; return nil })
			env.ExecuteWorkflow(workflows.Turn, workflows.TurnInput{Workspace: "w", Conversation: "c", Turn: "t"})
			if err := env.GetWorkflowError(); err != nil || asked != c.asked || skipped != c.last || ended.State != c.state {
				t.Errorf("asked %v, closed without %v, ended %+v, error %v", asked, skipped, ended, err)
			}
		})
	}
}
