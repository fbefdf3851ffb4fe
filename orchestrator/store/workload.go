package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store/db"
)

// Load is what somebody answers for in open matters.
type Load struct {
	Member *Member // nil: nobody
	db.WorkloadRow
	ToReview int // matters that wait for their review
}

// Workload returns what each member who works in a firm answers for, in the order of their names, and what nobody does
// first. Days are ISO dates: those until week, and until month, are counted.
func (s *Store) Workload(ctx context.Context, workspace uuid.UUID,
	today, week, month string) (loads []Load, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.Workload(ctx, db.WorkloadParams{Today: today, Week: week, Until: month})
		if err != nil {
			return err
		}
		members, err := q.Members(ctx, workspace)
		if err != nil {
			return err
		}
		reviews, err := q.ToReview(ctx)
		if err != nil {
			return err
		}
		of, reviewing := map[uuid.UUID]db.WorkloadRow{}, map[uuid.UUID]int{}
		for _, r := range rows {
			if r.AssigneeID == nil {
				loads = append(loads, Load{WorkloadRow: r})
			} else {
				of[*r.AssigneeID] = r
			}
		}
		for _, r := range reviews {
			reviewing[*r.ReviewerID] = int(r.Matters)
		}
		for _, m := range members {
			if m.LeftAt == nil && role.Role(m.Role).Seat() {
				loads = append(loads, Load{Member: &m, WorkloadRow: of[m.ID], ToReview: reviewing[m.ID]})
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the workload: %w", err)
	}
	return loads, nil
}

// Exposure is what is demanded in a firm's open matters.
type Exposure struct {
	Years   []db.ExposureByYearRow
	Clients []db.ExposureByClientRow // of whom most is demanded first; each has how many there are
	Of      []db.ExposureOfRow       // theirs by year
}

// Exposure returns what is demanded by financial year, and by client for one page of the clients.
func (s *Store) Exposure(ctx context.Context, workspace uuid.UUID, skip, most int) (e Exposure, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		if e.Years, err = q.ExposureByYear(ctx); err != nil {
			return err
		}
		e.Clients, err = q.ExposureByClient(ctx, db.ExposureByClientParams{Skip: int32(skip), Most: int32(most)})
		if err != nil {
			return err
		}
		ids := make([]uuid.UUID, len(e.Clients))
		for i, c := range e.Clients {
			ids[i] = c.ClientID
		}
		e.Of, err = q.ExposureOf(ctx, ids)
		return err
	})
	if err != nil {
		return Exposure{}, fmt.Errorf("read the exposure: %w", err)
	}
	return e, nil
}
