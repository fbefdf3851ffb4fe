// Package recovery repairs what a crash left inconsistent, and does all periodic work.
package recovery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
	"munshi/workflows"
)

// The reconciler looks this often, and leaves alone what is younger than the grace: its request may still be at work on
// it. At turns that run it looks less often: they are many, and hardly ever is one of them lost.
const (
	every        = 5 * time.Second
	runningEvery = 6 // every sixth time
	Grace        = 4 * time.Second
	atOnce       = 8

	evaluationGrace = 500 * time.Millisecond // a command that reaches no Temporal leaves its run to the reconciler

	WakeFollowUps = 24 * time.Hour // each that waits is woken this often
	wakeClosed    = time.Minute    // and one that was closed and has not ended

	// after this the work of an open order should have begun; it is looked after again as often
	watchOrders = time.Minute
	lateBy      = time.Minute // so much later than it should have been, a period's end is taken for forgotten
)

// Reconciler repairs what a crash left inconsistent: turns that were accepted and never started, stops that did not
// reach Temporal, retries that were requested and not made, and workflows that ended without ending their turn.
type Reconciler struct {
	Store          *store.Store
	Changes        *store.Notifier
	Work           workflows.Client
	Telemetry      *telemetry.Telemetry
	ReconcileAfter time.Duration // it was made, an order is reconciled
	Keep           Retention
	Evaluations    evaluation.Service
	Authorities    AuthorityReader
	Log            *slog.Logger
}

// Retention says how long data is kept that nobody asked to erase; 0 means for ever.
type Retention struct{ Visitors, Deleted, Audit, Events, Evaluations time.Duration }

// Run reconciles until ctx ends.
func (r Reconciler) Run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	wanted, unwatch := r.Changes.Conversation(store.Nobody)
	defer unwatch()
	for n := 0; ; n++ {
		_, err := r.Store.SweepAlone(ctx, func() error { return r.Once(ctx, time.Now(), n%runningEvery == 0) })
		if err != nil && ctx.Err() == nil {
			r.Log.Warn("the reconciler could not finish a round; it goes on in a moment", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wanted: // an evaluation, or prompts that are to be tried; whoever wanted it may start it by themselves
			select {
			case <-ctx.Done():
			case <-time.After(evaluationGrace):
			}
		}
	}
}

// Once reconciles once; running says whether to check running turns too.
func (r Reconciler) Once(ctx context.Context, now time.Time, running bool) error {
	if err := r.Work.Ping(ctx); err != nil {
		return fmt.Errorf("reach Temporal: %w", err) // else each turn would wait for it in vain
	}
	open, err := r.Store.OpenTurns(ctx, now.Add(-Grace), running)
	if err != nil {
		return err
	}
	errs := make([]error, len(open)) // one that cannot be mended does not stand before the others
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, t := range open {
		group.Go(func() error {
			errs[i] = r.reconcile(ctx, t)
			return nil
		})
	}
	_ = group.Wait()
	errs = append(
		errs,
		r.FollowUps(ctx, now),
		r.Erasures(ctx, now),
		r.EvaluationRuns(ctx, now),
		r.Evaluations.TryHeldBack(ctx),
		r.Authorities.Read(ctx),
	)
	if running {
		errs = append(errs, r.Payments(ctx, now))
		errs = append(
			errs,
			r.Store.Prune(ctx, now.Add(-r.Keep.Events)),
			r.Store.Erase(ctx, now.Add(-r.Keep.Deleted)),
			r.Store.Retire(
				ctx,
				now,
				store.Retention{Visitors: r.Keep.Visitors, Audit: r.Keep.Audit},
			),
			r.OldEvaluations(ctx, now),
		)
	}
	return errors.Join(errs...)
}

func (r Reconciler) reconcile(ctx context.Context, t store.OpenTurn) error {
	in := workflows.TurnInput{
		Workspace:    t.Workspace.String(),
		Conversation: t.Conversation.String(),
		Turn:         t.Turn.String(),
		Plugin:       t.Plugin,
		Kind:         t.Kind,
		Pinned:       t.Pinned,
	}
	state, err := r.Work.StateOf(ctx, workflows.TurnWorkflowID(in.Turn))
	if err != nil {
		return err
	}
	switch {
	case state == workflows.Running && t.Stop:
		_, err = r.Work.StopTurn(ctx, in.Turn)
	case state == workflows.Running:
	case t.Stop:
		err = r.end(ctx, t, store.Ending{State: "stopped"})
	case state == workflows.Missing: // never started, or Temporal has lost it: what it had done is found in the store
		r.Log.Info("starting a turn that has no workflow", "turn", t.Turn, "state", t.State)
		err = r.Work.StartTurn(ctx, in)
	case t.State == "queued":
		r.Log.Info("retrying a turn whose retry was not made", "turn", t.Turn)
		err = r.Work.RetryTurn(ctx, in)
	default:
		r.Log.Warn("a turn's workflow ended without ending the turn", "turn", t.Turn, "workflow", state)
		err = r.end(ctx, t, store.Ending{State: "failed", ErrorCode: "workflow_closed",
			Sentence: "The work on this was ended by an operator. Nothing was lost; you can try again.",
			Text:     workflows.DefaultApology})
	}
	return err
}

// end ends a turn unless it has ended meanwhile.
func (r Reconciler) end(ctx context.Context, t store.OpenTurn, e store.Ending) error {
	err := r.Store.EndFromOutside(ctx, t.Workspace, t.Turn, e, &t)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		r.Telemetry.TurnEnded(t.Plugin, t.Kind, e.State)
	}
	return err
}
