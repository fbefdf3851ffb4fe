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

// How often the reconciler runs, and the grace: it ignores anything younger, since the request may still be working on
// it. It checks running turns less often, since there are many and hardly any is ever lost.
const (
	every        = 5 * time.Second
	runningEvery = 6 // running turns are checked every sixth time
	Grace        = 4 * time.Second
	atOnce       = 8

	evaluationGrace = 500 * time.Millisecond // a command without access to Temporal leaves its run to the reconciler

	WakeFollowUps = 24 * time.Hour // how often each waiting follow-up is woken
	Overdue       = time.Hour      // after this much delay, waking one counts as overdue
	wakeClosed    = time.Minute    // the same for one that was closed and has not ended

	// the workflow of an open order should have started after this; it is checked again at the same interval
	watchOrders = time.Minute
	lateBy      = time.Minute // after this much delay, the end of a period counts as forgotten
)

// Reconciler repairs what a crash left inconsistent: turns that were accepted but not started, stops that did not
// reach Temporal, retries that were not carried out, and workflows that ended without ending their turn.
type Reconciler struct {
	Store          *store.Store
	Changes        *store.Notifier
	Work           workflows.Client
	Telemetry      *telemetry.Telemetry
	ReconcileAfter time.Duration // when an order is reconciled, counted from its creation
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
		_, err := r.Store.SweepAlone(ctx, func(ctx context.Context) error {
			return r.Once(ctx, time.Now(), n%runningEvery == 0)
		})
		if err != nil && ctx.Err() == nil {
			r.Log.Warn("the reconciler could not finish a round; it goes on in a moment", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-wanted: // there may be a new evaluation or held-back prompts
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
		return fmt.Errorf("reach Temporal: %w", err) // otherwise each turn would wait for it
	}
	open, err := r.Store.OpenTurns(ctx, now.Add(-Grace), running)
	if err != nil {
		return err
	}
	errs := make([]error, len(open)) // one failure must not prevent the repair of the others
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
	case state == workflows.Missing: // never started, or lost by Temporal; its stored results will be used
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

// end ends a turn, unless it has ended meanwhile.
func (r Reconciler) end(ctx context.Context, t store.OpenTurn, e store.Ending) error {
	err := r.Store.EndFromOutside(ctx, t.Workspace, t.Turn, e, &t)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		r.Telemetry.TurnEnded(t.Plugin, t.Kind, e.State)
		if e.State == "failed" {
			r.Telemetry.TurnFailed(e.ErrorCode)
		}
	}
	return err
}
