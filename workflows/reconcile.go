package workflows

import (
	"context"
	"fmt"

	"go.temporal.io/sdk/workflow"

	"munshi/orchestrator/turns"
)

// Figures compares the files of figures for a notice.
type Figures interface {
	// Reconcile reads the files of the turn's conversation and compares them, if that has not been done yet. Documents
	// may differ by this many rupees under each head. It returns a summary in plain words.
	Reconcile(ctx context.Context, ref Ref, rupees string, progress func(Note, int,
		int) error) (summary string, err error)
}

// reconcile reads and compares the files of figures. The result is the turn's answer, and stays even if later steps
// fail.
func reconcile(ctx workflow.Context, t *turn, s Step) error {
	return workflow.ExecuteActivity(reading(ctx, t.in), a.ReconcileFigures, StepInput{t.in, s}).Get(ctx, &t.answer)
}

// ReconcileFigures reads and compares the files of figures, and stores the result as the turn's answer.
func (a *Activities) ReconcileFigures(ctx context.Context, in StepInput) (turns.ResultKey, error) {
	defer alive(ctx)()
	key := turns.ResultKey{Step: in.Step.ID}
	return key, a.refuse(ctx, in.Step.ID, func() error {
		ref := in.ref(ctx)
		summary, err := a.Figures.Reconcile(ctx, ref, in.Step.Tolerance, func(n Note, done, total int) error {
			return a.Turns.SetStep(ctx, ref, in.Step.ID, Progress{State: "running", Note: &n, Done: done, Total: total})
		})
		if err != nil {
			return err
		}
		if key.InputSHA, err = sha(summary); err != nil {
			return fmt.Errorf("name what the files come to: %w", err)
		}
		if err := a.Turns.SaveResult(ctx, ref, key, Answer{Text: summary, StopReason: "stop"}); err != nil {
			return err
		}
		return a.wake(ctx, in.TurnInput) // a requested paper may have arrived
	}())
}
