package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// RegisterRow is a notice or order as a row of a firm's register.
type RegisterRow = db.RegisterRow

// Register returns the notices and orders of a firm's matters by date, including those of closed matters if closed is
// true; at most a hundred thousand.
func (s *Store) Register(ctx context.Context, workspace uuid.UUID, m MatterFilter,
	closed bool) (rows []RegisterRow, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		rows, err = q.Register(ctx, db.RegisterParams{Closed: closed, ClientID: m.Client, AssigneeID: m.Assignee,
			Unassigned: m.Unassigned, Stage: m.Stage, Officer: m.Officer, Region: m.Region, LeastPaise: m.LeastPaise})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the register: %w", err)
	}
	return rows, nil
}
