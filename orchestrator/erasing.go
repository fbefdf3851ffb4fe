package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store"
	"munshi/workflows"
)

// eraser gives the activities what is stored of someone whose data is to be erased.
type eraser struct{ store *store.Store }

var _ workflows.Eraser = eraser{}

func (e eraser) Work(ctx context.Context, workspace string, each func(string, []string) error) ([]string, error) {
	all, err := e.workspaces(ctx, workspace)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, w := range all {
		names = append(names, w.String())
		orders, err := e.store.OrdersToErase(ctx, w)
		if err != nil {
			return nil, err
		}
		for _, order := range orders {
			if err := each(workflows.OrderWorkflowID(order), nil); err != nil {
				return nil, err
			}
		}
		if err := each(workflows.SubscriptionWorkflowID(w.String()), nil); err != nil {
			return nil, err
		}
		for after := uuid.Nil; ; {
			turns, err := e.store.TurnsToErase(ctx, w, after)
			if err != nil {
				return nil, err
			}
			if len(turns) == 0 {
				break
			}
			for _, t := range turns {
				if err := each(workflows.TurnWorkflowID(t.ID.String()), t.Runs); err != nil {
					return nil, err
				}
				after = t.ID
			}
		}
		for after := uuid.Nil; ; {
			conversations, err := e.store.ConversationsToErase(ctx, w, after)
			if err != nil {
				return nil, err
			}
			if len(conversations) == 0 {
				break
			}
			for _, c := range conversations {
				if err := each(workflows.FollowUpWorkflowID(c.String()), nil); err != nil {
					return nil, err
				}
				after = c
			}
		}
	}
	return names, nil
}

func (e eraser) workspaces(ctx context.Context, workspace string) ([]uuid.UUID, error) {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return nil, badID(err)
	}
	return e.store.WorkspacesOf(ctx, id)
}

func (e eraser) Rows(ctx context.Context, workspace string) (bool, error) {
	all, err := e.workspaces(ctx, workspace)
	if err != nil {
		return false, err
	}
	for _, w := range all {
		if more, err := e.store.EraseRows(ctx, w); err != nil || more {
			return more, err
		}
	}
	return false, nil
}

func (e eraser) End(ctx context.Context, workspace string) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return badID(err)
	}
	return e.store.EndErasure(ctx, id)
}

// erasures starts what was asked for and has no workflow, as after a crash between the two.
func (s sweeper) erasures(ctx context.Context, now time.Time) error {
	open, err := s.store.OpenErasures(ctx, now.Add(-sweepGrace))
	if err != nil {
		return err
	}
	for _, workspace := range open {
		if err := s.work.Erase(ctx, workspace.String()); err != nil {
			return fmt.Errorf("go on with an erasure: %w", err)
		}
	}
	return nil
}

// recordsKept gives the day until which the records of a payment are to be kept: 72 months from the due date of the annual return of
// its year (CGST Act, s. 36), which is 31 December after the year's end (s. 44 with rule 80).
func recordsKept(paid time.Time) string {
	paid = paid.In(india)
	year := paid.Year() // in which the financial year ends
	if paid.Month() >= time.April {
		year++
	}
	return time.Date(year+6, time.December, 31, 0, 0, 0, 0, india).Format(time.DateOnly)
}

// oldestRecords gives the moment from which on records of payments are still to be kept, as recordsKept counts: those of a financial year
// are, until the end of the sixth year after the one in which it ends.
func oldestRecords(now time.Time) time.Time {
	return time.Date(now.In(india).Year()-7, time.April, 1, 0, 0, 0, 0, india)
}
