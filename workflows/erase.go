package workflows

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// EraseInput names whose data is to be erased.
type EraseInput struct{ Workspace string }

// Eraser deletes what the product has of someone. Each of its methods may be called again after it was broken off.
type Eraser interface {
	// Work gives, one after another, the ids of the workflows that worked for them, with the runs of each that are
	// known, and the workspaces that they may be found by.
	Work(ctx context.Context, workspace string, each func(workflow string, runs []string) error) (workspaces []string, err error)
	// Rows deletes some rows, and tells whether there are more.
	Rows(ctx context.Context, workspace string) (more bool, err error)
	// End deletes the rest, and notes that all is gone.
	End(ctx context.Context, workspace string) error
}

// Erasure deletes all that is kept of someone who was shut out before: the workflows first, since the store knows their
// ids, then the rows, then whose they were. It goes on for as long as it takes.
func Erasure(ctx workflow.Context, in EraseInput) error {
	ctx = erasing(ctx)
	for _, step := range []any{a.EraseWork, a.EraseRows, a.EraseRest} {
		if err := workflow.ExecuteActivity(ctx, step, in).Get(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

// EraseWorkflowID is the id of the workflow that erases what is kept of someone.
func EraseWorkflowID(workspace string) string { return "erase-" + workspace }

// errStillThere means that Temporal has yet to delete a workflow that it was told to.
var errStillThere = errors.New("Temporal has not deleted every workflow yet")

// EraseWork ends and deletes the workflows that worked for someone, whatever they are doing, with their histories; it
// fails until none can be found any more.
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

// EraseRows deletes what is stored of someone, some rows at a time.
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

// EraseRest deletes whose it was, and notes that all is gone.
func (a *Activities) EraseRest(ctx context.Context, in EraseInput) error {
	return a.refuse(ctx, "erase", a.Erase.End(ctx, in.Workspace))
}

// Runs finds and deletes runs of workflows, with their histories.
type Runs interface {
	// Delete ends and deletes a run, the latest where run is "", and tells whether it was gone before.
	Delete(ctx context.Context, id, run string) (gone bool, err error)
	// Of returns the runs that work, or worked, for a workspace.
	Of(ctx context.Context, workspace string, each func(id, run string) error) error
}

// erasing is for the steps of an erasure, which repeat until they are done.
func erasing(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: eraseTime,
		HeartbeatTimeout:    heartbeatTime,
		RetryPolicy:         &temporal.RetryPolicy{InitialInterval: time.Second, BackoffCoefficient: 2, MaximumInterval: eraseAgain},
	})
}
