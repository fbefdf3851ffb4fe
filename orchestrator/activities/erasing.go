package activities

import (
	"context"

	"github.com/google/uuid"

	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Eraser implements the activities that erase a person's stored data.
type Eraser struct{ Store *store.Store }

var _ workflows.Eraser = Eraser{}

func (e Eraser) Work(ctx context.Context, workspace string, each func(string, []string) error) ([]string, error) {
	all, err := e.workspaces(ctx, workspace)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, w := range all {
		names = append(names, w.String())
		orders, err := e.Store.OrdersToErase(ctx, w)
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
			turns, err := e.Store.TurnsToErase(ctx, w, after)
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
			conversations, err := e.Store.ConversationsToErase(ctx, w, after)
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

func (e Eraser) workspaces(ctx context.Context, workspace string) ([]uuid.UUID, error) {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return nil, BadID(err)
	}
	return e.Store.WorkspacesOf(ctx, id)
}

func (e Eraser) Rows(ctx context.Context, workspace string) (bool, error) {
	all, err := e.workspaces(ctx, workspace)
	if err != nil {
		return false, err
	}
	for _, w := range all {
		if more, err := e.Store.EraseRows(ctx, w); err != nil || more {
			return more, err
		}
	}
	return false, nil
}

func (e Eraser) End(ctx context.Context, workspace string) error {
	id, err := uuid.Parse(workspace)
	if err != nil {
		return BadID(err)
	}
	return e.Store.EndErasure(ctx, id)
}
