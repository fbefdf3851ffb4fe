package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store/db"
)

// Load is the open work of one member of a firm.
type Load struct {
	Member *Member // nil for what is assigned to nobody
	db.WorkloadRow
	ToReview int // matters that wait for this member's review
}

// Workload returns the open work of each member of a firm by name, preceded by what is assigned to nobody. Days are
// ISO dates; due dates up to week and up to month are counted.
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

// Exposure is how much is demanded in a firm's open matters.
type Exposure struct {
	Years   []db.ExposureByYearRow
	Clients []db.ExposureByClientRow // largest demand first; each row has the number of all clients
	Of      []db.ExposureOfRow       // the same clients by year
}

// Exposure returns the demands by financial year, and one page of the demands by client.
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
