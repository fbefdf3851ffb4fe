package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	BoardDay  = db.BoardRow
	SavedView = db.SavedViewsRow
)

// BoardQuery selects rows of the board. Today and Until are ISO dates.
type BoardQuery struct {
	MatterFilter
	OnlyHearings, OnlyTasks bool
	Today, Until            string
	Skip, Most              int
}

// Board returns one page of the dates in a firm's open matters up to a day, and of their open tasks: overdue ones first,
// then those whose date is still to be confirmed, then the rest by date, and tasks without a date last. Each row also
// carries the total of each of these groups. A task has no paper: its ConversationID and DocumentID are uuid.Nil.
func (s *Store) Board(ctx context.Context, workspace uuid.UUID, b BoardQuery) (days []BoardDay, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		days, err = q.Board(ctx, db.BoardParams{Today: b.Today, Until: b.Until, OnlyHearings: b.OnlyHearings,
			OnlyTasks: b.OnlyTasks, ClientID: b.Client, AssigneeID: b.Assignee, Unassigned: b.Unassigned, Stage: b.Stage, Officer: b.Officer,
			Region: b.Region, LeastPaise: b.LeastPaise, Skip: int32(b.Skip), Most: int32(b.Most)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the board: %w", err)
	}
	return days, nil
}

// Choices are the values by which lists of a firm's open matters can be filtered.
type Choices struct {
	Clients  []db.OpenClientsRow
	Officers []string
	Regions  []string // codes of States
}

// Choices returns the values by which lists of a firm's open matters can be filtered.
func (s *Store) Choices(ctx context.Context, workspace uuid.UUID) (c Choices, err error) {
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		if c.Clients, err = q.OpenClients(ctx); err != nil {
			return err
		}
		if c.Officers, err = q.OpenOfficers(ctx); err != nil {
			return err
		}
		c.Regions, err = q.OpenRegions(ctx)
		return err
	})
	if err != nil {
		return Choices{}, fmt.Errorf("read what lists can be narrowed to: %w", err)
	}
	return c, nil
}

// SavedViews returns the views that a member saved, oldest first.
func (s *Store) SavedViews(ctx context.Context, workspace, member uuid.UUID) (views []SavedView, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		views, err = q.SavedViews(ctx, db.SavedViewsParams{WorkspaceID: workspace, MemberID: member})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the saved views: %w", err)
	}
	return views, nil
}

// MostViews is how many views a member may save.
const MostViews = 30

// SaveView saves a member's view of the page "board" or "matters". ErrTooMany: they already have MostViews.
func (s *Store) SaveView(ctx context.Context, workspace, member uuid.UUID, page, name, filters string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.CountViews(ctx, db.CountViewsParams{WorkspaceID: workspace, MemberID: member})
		if err != nil {
			return err
		}
		if n >= MostViews {
			return ErrTooMany
		}
		return q.SaveView(ctx, db.SaveViewParams{ID: newID(), WorkspaceID: workspace, MemberID: member, Page: page,
			Name: OneLine(name), Filters: clean(filters)})
	})
	if err != nil {
		return fmt.Errorf("keep a view: %w", err)
	}
	return nil
}

// RemoveView removes a member's view. ErrNotFound: the member has no such view.
func (s *Store) RemoveView(ctx context.Context, workspace, member, view uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.RemoveView(ctx, db.RemoveViewParams{ID: view, MemberID: member})
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("remove a view: %w", err)
	}
	return nil
}
