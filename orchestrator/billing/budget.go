package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Budget counts what models cost, and refuses calls once today's limit is reached.
type Budget struct {
	// 0 means no limit; the visitors' limit is for all visitors together
	PersonDayPaise, VisitorsDayPaise, InstallationDayPaise int64
	Store                                                  *store.Store
}

var _ activities.Budget = Budget{}

// Afford returns an error if the person, or all together, have reached the daily limit.
func (b Budget) Afford(ctx context.Context, workspace string) error {
	id, err := uuid.Parse(workspace)
	if err != nil || b.PersonDayPaise == 0 && b.VisitorsDayPaise == 0 && b.InstallationDayPaise == 0 {
		return nil // the command line, or no limit is set
	}
	mine, all, err := b.Store.Spent(ctx, id)
	switch {
	case err != nil:
		return err
	case id != store.Nobody && b.PersonDayPaise > 0 && mine.Today >= b.PersonDayPaise:
		seats, err := b.Store.SeatsTaken(ctx, id) // a firm's limit is multiplied by its members
		if err != nil {
			return err
		}
		if mine.Today >= b.PersonDayPaise*int64(max(1, seats)) {
			return problem.New("spend_cap", tomorrow(), nil)
		}
	}
	if b.InstallationDayPaise > 0 && all.Today >= b.InstallationDayPaise {
		return problem.New("spend_cap_all", tomorrow(), nil)
	}
	if b.VisitorsDayPaise == 0 {
		return nil
	}
	visitors, err := b.Store.SpentByVisitors(ctx, id)
	if err == nil && visitors >= b.VisitorsDayPaise {
		err = problem.New("spend_cap_visitors", tomorrow(), nil)
	}
	return err
}

// tomorrow returns how long it takes until the next day's allowance begins.
func tomorrow() problem.Params {
	now := time.Now()
	return problem.Params{"after": clock.Midnight(now).Sub(now)}
}

// Spend records the cost of a call.
func (b Budget) Spend(ctx context.Context, workspace string, paise *int64) error {
	id, err := uuid.Parse(workspace)
	if err != nil || paise == nil {
		return nil
	}
	// also if the person has stopped the turn, since the provider still charges for it
	return b.Store.Spend(context.WithoutCancel(ctx), id, *paise)
}
