package workflows

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// EraseInput identifies the person whose data is erased.
type EraseInput struct{ Workspace string }

// Eraser deletes what the product stores about someone. All methods may be called again after an interruption.
type Eraser interface {
	// Work calls each with the workflows that worked for them and their known runs, and returns the workspaces with
	// which more can be found.
	Work(ctx context.Context, workspace string, each func(workflow string,
		runs []string) error) (workspaces []string, err error)
	// Rows deletes some rows, and reports whether there are more.
	Rows(ctx context.Context, workspace string) (more bool, err error)
	// End deletes the rest, and records that everything is gone.
	End(ctx context.Context, workspace string) error
}

// Erasure deletes all data of someone who has already lost access: first the workflows, since only the store knows
// their ids, then the rows, then the workspace. It retries for as long as necessary.
func Erasure(ctx workflow.Context, in EraseInput) error {
	ctx = erasing(ctx)
	for _, step := range []any{a.EraseWork, a.EraseRows, a.EraseRest} {
		if err := workflow.ExecuteActivity(ctx, step, in).Get(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// EraseWorkflowID returns the id of the workflow that erases someone's data.
func EraseWorkflowID(workspace string) string { return "erase-" + workspace }

// errStillThere means that Temporal has not yet deleted a workflow that it was asked to delete.
var errStillThere = errors.New("Temporal has not deleted every workflow yet")

// EraseWork ends and deletes the workflows that worked for someone, with their histories. It fails until none can be
// found any more.
func (a *Activities) EraseWork(ctx context.Context, in EraseInput) error {
	defer alive(ctx)()
	return a.refuse(ctx, "erase", func() error {
		left := 0
		remove := func(id, run string) error {
			gone, err := a.Runs.Delete(ctx, id, run)
			if !gone {
				left++
			}
			return err
		}
		workspaces, err := a.Erase.Work(ctx, in.Workspace, func(id string, runs []string) error {
			for _, run := range append(runs, "") {
				if err := remove(id, run); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for _, w := range workspaces {
			err := a.Runs.Of(ctx, w, func(id, run string) error {
				left++
				return remove(id, run)
			})
			if err != nil {
				return err
			}
		}
		if left > 0 {
			return errStillThere
		}
		return nil
	}())
}

// EraseRows deletes stored rows of someone, some at a time.
func (a *Activities) EraseRows(ctx context.Context, in EraseInput) error {
	defer alive(ctx)()
	return a.refuse(ctx, "erase", func() error {
		for more := true; more; {
			var err error
			if more, err = a.Erase.Rows(ctx, in.Workspace); err != nil {
				return err
			}
		}
		return nil
	}())
}

// EraseRest deletes the workspace, and records that everything is gone.
func (a *Activities) EraseRest(ctx context.Context, in EraseInput) error {
	return a.refuse(ctx, "erase", a.Erase.End(ctx, in.Workspace))
}

// Runs finds and deletes runs of workflows, with their histories.
type Runs interface {
	// Delete ends and deletes a run (the latest if run is ""), and reports whether it was already gone.
	Delete(ctx context.Context, id, run string) (gone bool, err error)
	// Of calls each with the runs that work or worked for a workspace.
	Of(ctx context.Context, workspace string, each func(id, run string) error) error
}

// erasing returns the options for the steps of an erasure, which are retried until they succeed.
func erasing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: eraseTime,
		HeartbeatTimeout:    heartbeatTime,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    time.Second,
			BackoffCoefficient: 2,
			MaximumInterval:    eraseAgain,
		},
	})
}
