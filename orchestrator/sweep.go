package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"munshi/config"
	"munshi/orchestrator/store"
	"munshi/orchestrator/watch"
	"munshi/workflows"
)

// The sweep looks this often, and leaves alone what is younger than the grace: its request may still be at work on it.
// At turns that run it looks less often: they are many, and hardly ever is one of them lost.
const (
	sweepEvery   = 5 * time.Second
	sweepRunning = 6 // every sixth time
	sweepGrace   = 4 * time.Second
	sweepAtOnce  = 8

	evaluationGrace = 500 * time.Millisecond // a command that reaches no Temporal leaves its run to the sweep

	wakeFollowUps = 24 * time.Hour // each that waits is woken this often
	wakeClosed    = time.Minute    // and one that was closed and has not ended

	watchOrders = time.Minute    // after this the work of an open order should have begun; it is looked after again as often
	askAgain    = 24 * time.Hour // so often the provider is asked about a payment whose days run
	lateBy      = time.Minute    // so much later than it should have been, a period's end is taken for forgotten
)

// sweeper brings together what a crash pulled apart: turns that were accepted and never started, stops that did not reach
// Temporal, retries that were asked for and not made, and workflows that ended without ending their turn.
type sweeper struct {
	store *store.Store
	hear  *store.Watch
	work  *temporalWork
	watch *watch.Watch
	after time.Duration // it was made, an order is reconciled
	log   *slog.Logger
	keep  config.Retention
	gate  gateKeeper
}

func (s sweeper) run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	wanted, unwatch := s.hear.Conversation(store.Nobody)
	defer unwatch()
	for n := 0; ; n++ {
		_, err := s.store.SweepAlone(ctx, func() error { return s.once(ctx, time.Now(), n%sweepRunning == 0) })
		if err != nil && ctx.Err() == nil {
			s.log.Warn("the sweep could not finish; it goes on in a moment", "error", err)
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

// once sweeps; running tells whether to look also at turns that run.
func (s sweeper) once(ctx context.Context, now time.Time, running bool) error {
	if err := s.work.Ping(ctx); err != nil {
		return fmt.Errorf("reach Temporal: %w", err) // else each turn would wait for it in vain
	}
	open, err := s.store.OpenTurns(ctx, now.Add(-sweepGrace), running)
	if err != nil {
		return err
	}
	errs := make([]error, len(open)) // one that cannot be mended does not stand before the others
	var group errgroup.Group
	group.SetLimit(sweepAtOnce)
	for i, t := range open {
		group.Go(func() error {
			errs[i] = s.reconcile(ctx, t)
			return nil
		})
	}
	_ = group.Wait()
	errs = append(errs, s.followUps(ctx, now), s.erasures(ctx, now), s.evaluationRuns(ctx, now), s.gate.try(ctx))
	if running {
		errs = append(errs, s.payments(ctx, now))
		errs = append(errs, s.store.Prune(ctx, now.Add(-s.keep.Events)), s.store.Erase(ctx, now.Add(-s.keep.Deleted)),
			s.store.Retire(ctx, now, store.Retention{Visitors: s.keep.Visitors, Audit: s.keep.Audit}), s.oldEvaluations(ctx, now))
	}
	return errors.Join(errs...)
}

func (s sweeper) reconcile(ctx context.Context, t store.OpenTurn) error {
	in := workflows.TurnInput{Workspace: t.Workspace.String(), Conversation: t.Conversation.String(), Turn: t.Turn.String(), Plugin: t.Plugin, Kind: t.Kind, Pinned: t.Pinned}
	standing, err := s.work.standing(ctx, workflows.TurnWorkflowID(in.Turn))
	if err != nil {
		return err
	}
	switch {
	case standing == workflows.Running && t.Stop:
		_, err = s.work.Stop(ctx, in.Turn)
	case standing == workflows.Running:
	case t.Stop:
		err = s.end(ctx, t, store.Ending{State: "stopped"})
	case standing == workflows.Missing: // never started, or Temporal has lost it: what it had done is found in the store
		s.log.Info("starting a turn that has no workflow", "turn", t.Turn, "state", t.State)
		err = s.work.Start(ctx, in)
	case t.State == "queued":
		s.log.Info("retrying a turn whose retry was not made", "turn", t.Turn)
		err = s.work.Retry(ctx, in)
	default:
		s.log.Warn("a turn's workflow ended without ending the turn", "turn", t.Turn, "workflow", standing)
		err = s.end(ctx, t, store.Ending{State: "failed", ErrorCode: "workflow_closed",
			Sentence: "The work on this was ended by an operator. Nothing was lost; you can try again.",
			Text:     workflows.DefaultApology})
	}
	return err
}

// end ends a turn unless it has ended meanwhile.
func (s sweeper) end(ctx context.Context, t store.OpenTurn, e store.Ending) error {
	err := s.store.EndFromOutside(ctx, t.Workspace, t.Turn, e, &t)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		s.watch.TurnEnded(t.Plugin, t.Kind, e.State)
	}
	return err
}
