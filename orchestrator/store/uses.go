package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// ErrNoUseLeft means that the free uses are used up and no subscription is active.
var ErrNoUseLeft = errors.New("no use is left")

// Subscription is someone's subscription: its status is active, inactive or pending; premium means that it is active
// and its period has not ended.
type Subscription = db.SubscriptionRow

// Subscription returns the subscription of a workspace. ErrNotFound: the workspace belongs to no account.
func (s *Store) Subscription(ctx context.Context, workspace uuid.UUID) (sub Subscription, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		sub, err = q.Subscription(ctx, workspace)
		return err
	})
	if err != nil {
		return Subscription{}, fmt.Errorf("read the subscription: %w", err)
	}
	return sub, nil
}

// reserve counts one use for an accepted turn. The end of the turn confirms or releases it (see migration 15).
func reserve(ctx context.Context, q *db.Queries, workspace, turn uuid.UUID, free int) error {
	reserved, err := optional(q.ReserveUse(ctx,
		db.ReserveUseParams{WorkspaceID: workspace, TurnID: turn, Free: int32(free)}))
	if err == nil && reserved == nil {
		err = ErrNoUseLeft
	}
	return err
}

// Spend adds the cost of a model call, in paise.
func (s *Store) Spend(ctx context.Context, workspace uuid.UUID, paise int64) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		return q.Spend(ctx, db.SpendParams{WorkspaceID: workspace, Paise: paise})
	})
	if err != nil {
		return fmt.Errorf("note what was spent: %w", err)
	}
	return nil
}

// SpentByVisitors returns what all visitors without an account have spent today, in paise; 0 if the workspace has an
// account.
func (s *Store) SpentByVisitors(ctx context.Context, workspace uuid.UUID) (paise int64, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		paise, err = q.SpentByVisitors(ctx, db.SpentByVisitorsParams{WorkspaceID: workspace, Days: 1})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("read what visitors spent: %w", err)
	}
	return paise, nil
}

// Spent returns what this workspace, and all workspaces together, have spent today and in the last 30 days, in paise.
func (s *Store) Spent(ctx context.Context, workspace uuid.UUID) (mine, all Spending, err error) {
	read := func(by func(days int32) (int64, error)) (sp Spending, err error) {
		if sp.Today, err = by(1); err == nil {
			sp.Month, err = by(30)
		}
		return sp, err
	}
	err = s.system(ctx, func(q *db.Queries) error {
		mine, err = read(func(days int32) (int64, error) {
			return q.SpentBy(ctx, db.SpentByParams{WorkspaceID: workspace, Days: days})
		})
		if err != nil {
			return err
		}
		all, err = read(func(days int32) (int64, error) { return q.SpentByAll(ctx, days) })
		return err
	})
	if err != nil {
		return Spending{}, Spending{}, fmt.Errorf("read what was spent: %w", err)
	}
	return mine, all, nil
}

// Spending is what models have cost, in paise: today, and in the last 30 days including today. Days are those of
// India.
type Spending struct{ Today, Month int64 }
