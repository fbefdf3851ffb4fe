package recovery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"munshi/orchestrator/billing"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// FollowUps wakes waiting follow-ups from time to time: the signal to close one may have been lost, or Temporal may
// have lost the workflow.
func (r Reconciler) FollowUps(ctx context.Context, now time.Time) error {
	unchecked, err := r.Store.UncheckedFollowUps(ctx, now.Add(-WakeFollowUps), now.Add(-wakeClosed))
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range unchecked {
		if err := r.Work.WakeFollowUp(ctx, followUpInput(f)); err != nil {
			errs = append(errs, err)
			continue // it is due again in a minute
		}
		errs = append(errs, r.Store.WokeFollowUp(ctx, f.Conversation))
	}
	return errors.Join(errs...)
}

func followUpInput(f store.OpenFollowUp) workflows.FollowUpInput {
	return workflows.FollowUpInput{
		Workspace:    f.Workspace.String(),
		Conversation: f.Conversation.String(),
		Plugin:       f.Plugin,
	}
}

// Erasures starts requested erasures without a workflow, as after a crash between the request and the start.
func (r Reconciler) Erasures(ctx context.Context, now time.Time) error {
	open, err := r.Store.OpenErasures(ctx, now.Add(-Grace))
	if err != nil {
		return err
	}
	for _, workspace := range open {
		if err := r.Work.StartErasure(ctx, workspace.String()); err != nil {
			return fmt.Errorf("go on with an erasure: %w", err)
		}
	}
	return nil
}

// EvaluationRuns starts runs without a workflow, and ends those that should end.
func (r Reconciler) EvaluationRuns(ctx context.Context, now time.Time) error {
	open, err := r.Store.OpenEvalRuns(ctx, now.Add(-evaluationGrace))
	if err != nil {
		return err
	}
	var errs []error
	for _, run := range open {
		state, err := r.Work.StateOf(ctx, workflows.EvaluationWorkflowID(run.ID.String()))
		switch {
		case err != nil:
			errs = append(errs, err)
		case state == workflows.Stuck: // a run to be cancelled is cancelled in the next round, which also cleans up
			r.Log.Info("starting an evaluation anew that an earlier version began", "run", run.ID)
			errs = append(errs, r.Work.StartEvaluation(ctx, run.ID.String()))
		case run.CancelRequested && state == workflows.Running:
			_, err := r.Work.CancelEvaluation(ctx, run.ID.String())
			errs = append(errs, err)
		case run.CancelRequested:
			err := r.Store.EndEvalRun(ctx, run.ID, store.EvalEnding{State: "cancelled", Totals: []byte("{}")})
			if !errors.Is(err, store.ErrNotFound) {
				errs = append(errs, err)
			}
		case state != workflows.Running: // never started, lost, or ended from outside; existing results are kept
			r.Log.Info("starting an evaluation that nothing works on", "run", run.ID, "workflow", state)
			errs = append(errs, r.Work.StartEvaluation(ctx, run.ID.String()))
		}
	}
	return errors.Join(errs...)
}

// OldEvaluations deletes evaluation runs past their retention.
func (r Reconciler) OldEvaluations(ctx context.Context, now time.Time) error {
	if r.Keep.Evaluations <= 0 {
		return nil
	}
	return r.Store.EraseEvalRuns(ctx, now.Add(-r.Keep.Evaluations))
}

// Payments restarts lost workflows: those of orders that nobody watches, and of periods that were not ended or
// announced.
func (r Reconciler) Payments(ctx context.Context, now time.Time) error {
	open, err := r.Store.UncheckedOrders(
		ctx,
		now.Add(-watchOrders),
		now.Add(-billing.AskAgain),
		billing.OldestRecords(now),
	)
	errs := []error{err}
	for _, o := range open {
		in := workflows.OrderInput{Order: o.OrderID, Created: o.CreatedAt, After: r.ReconcileAfter}
		if o.Paid {
			in.After = time.Nanosecond // at once; the order will not be open again
		}
		errs = append(errs, r.Work.WatchOrder(ctx, in))
	}
	late := now.Add(-lateBy)
	over, err := r.Store.OverduePeriods(ctx, late, late.Add(workflows.RemindBeforeEnd))
	errs = append(errs, err)
	for _, workspace := range over {
		errs = append(errs, r.Work.WatchSubscription(ctx, workflows.SubscriptionInput{Workspace: workspace.String()}))
	}
	return errors.Join(errs...)
}
