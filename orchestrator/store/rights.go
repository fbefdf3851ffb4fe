package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// Mask returns whether an account's names and numbers are masked before text goes to a model provider; nil if its
// owner has not chosen. ErrNotFound: the workspace belongs to no account.
func (s *Store) Mask(ctx context.Context, workspace uuid.UUID) (mask *bool, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		mask, err = q.Mask(ctx, workspace)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look whether names are masked: %w", err)
	}
	return mask, nil
}

// SetMask stores whether an account's names and numbers are masked.
func (s *Store) SetMask(ctx context.Context, workspace uuid.UUID, mask bool) error {
	if err := s.system(ctx, func(q *db.Queries) error {
		return q.SetMask(ctx, db.SetMaskParams{ID: workspace, Mask: mask})
	}); err != nil {
		return fmt.Errorf("note whether names are masked: %w", err)
	}
	return nil
}

// AuditEntry is an entry of the audit log as the person concerned sees it.
type AuditEntry = db.AuditOfRow

// AuditOf returns the audit log's entries about someone, latest first.
func (s *Store) AuditOf(ctx context.Context, workspace uuid.UUID, most int) (entries []AuditEntry, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		entries, err = q.AuditOf(ctx, db.AuditOfParams{WorkspaceID: &workspace, Most: int32(most)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	return entries, nil
}

// AuditQuery selects entries of the audit log; an empty Event or Address matches any.
type AuditQuery struct {
	Since, Until   time.Time
	Event, Address string
	Most           int
}

// AuditLine is an entry of the audit log, with the address of the person concerned where it is known.
type AuditLine = db.AuditRow

// Audit returns entries of the audit log, latest first.
func (s *Store) Audit(ctx context.Context, by AuditQuery) (lines []AuditLine, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		lines, err = q.Audit(ctx, db.AuditParams{Since: by.Since, Until: by.Until, Event: by.Event, Address: by.Address,
			Most: int32(by.Most)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the audit log: %w", err)
	}
	return lines, nil
}

// exportedAtOnce is how many rows are read at a time; a row can have some megabytes.
const exportedAtOnce = 50

// derived are the tables that hold no data of their own: the chunks of files, which are exported as files, and a
// search index.
var derived = []string{"blob_chunks", "draft_words"}

// Exported reads every row stored about someone as JSON. For each table it calls file, and then the returned row
// function for each row. Their account is included, without its password. No transaction stays open while a row is
// handled.
func (s *Store) Exported(ctx context.Context, workspace uuid.UUID,
	file func(table string) (row func(json.RawMessage) error, err error)) error {
	var tables []string
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		tables, err = q.MovingTables(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("list what is kept of people: %w", err)
	}
	var kept []string
	err = s.look(ctx, workspace, func(q *db.Queries) (err error) {
		kept, err = q.KeptTables(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("list what the law has us keep: %w", err)
	}
	tables = slices.DeleteFunc(slices.Concat(tables, []string{"subscriptions", "uses", "spending"}, kept),
		func(t string) bool {
			return slices.Contains(derived, t)
		})
	for _, table := range tables {
		row, err := file(table)
		if err != nil {
			return err
		}
		var after json.RawMessage
		for {
			var lines []json.RawMessage
			err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
				lines, err = q.ExportRows(ctx, db.ExportRowsParams{Wanted: table, After: after, Most: exportedAtOnce})
				return err
			})
			if err != nil {
				return fmt.Errorf("read the rows of %s: %w", table, err)
			}
			for _, line := range lines {
				if err := row(line); err != nil {
					return err
				}
			}
			if len(lines) < exportedAtOnce {
				break
			}
			after = lines[len(lines)-1]
		}
	}
	return nil
}

// DocumentsAfter returns the next documents of a workspace in the order of their ids.
func (s *Store) DocumentsAfter(ctx context.Context, workspace, after uuid.UUID) (documents []Document, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		documents, err = q.ExportedDocuments(ctx, db.ExportedDocumentsParams{After: after, Most: exportedAtOnce})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the documents: %w", err)
	}
	return documents, nil
}

// ForgetThrottles deletes the counts of all keys that contain mark.
func (s *Store) ForgetThrottles(ctx context.Context, mark string) error {
	if err := s.system(ctx, func(q *db.Queries) error { return q.DropThrottles(ctx, mark) }); err != nil {
		return fmt.Errorf("forget how often things were done: %w", err)
	}
	return nil
}

// Erasure is the progress of an erasure. Payments are kept, pseudonymised, until the day KeptUntil.
type Erasure = db.ErasureRow

// PaymentsOf returns how many payments of a workspace the law requires us to keep, and when the last one was made.
func (s *Store) PaymentsOf(ctx context.Context, workspace uuid.UUID) (n int, latest time.Time, err error) {
	var row db.PaymentsOfRow
	err = s.look(ctx, workspace, func(q *db.Queries) (err error) {
		row, err = q.PaymentsOf(ctx, workspace)
		return err
	})
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("look for payments: %w", err)
	}
	return int(row.N), row.Latest, nil
}

// BeginErasure ends someone's access to the data that will be erased: it deletes their sessions and account, and
// nothing new can start in the workspace. A workflow does the rest; with the id in e one can ask whether it has
// finished. Payments are kept until the day keptUntil. A repeated call returns the running erasure. *OwnsFirms: they
// own firms, which must be handed over or closed first.
func (s *Store) BeginErasure(ctx context.Context, workspace uuid.UUID, payments int,
	keptUntil string) (e Erasure, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		locked, err := q.LockForErasure(ctx, workspace)
		if err != nil {
			return err
		}
		if len(locked) == 0 {
			return ErrNotFound
		}
		owned, err := q.FirmsOwned(ctx, workspace)
		if err != nil {
			return err
		}
		if len(owned) > 0 {
			return &OwnsFirms{owned}
		}
		p, err := optional(q.Person(ctx, workspace))
		if err != nil {
			return err
		}
		address := ""
		if p != nil {
			address = p.Address
		}
		if err := errors.Join(q.LeaveFirms(ctx, workspace), q.MarkErasing(ctx, workspace),
			q.EndSubscription(ctx, workspace), q.DropSessions(ctx, workspace), q.DropPerson(ctx, workspace),
			q.DropLettersOf(ctx, db.DropLettersOfParams{ID: workspace, Address: address}),
			q.DropThrottles(ctx, workspace.String())); err != nil {
			return err
		}
		row, err := q.BeginErasure(ctx,
			db.BeginErasureParams{ID: uuid.New(), WorkspaceID: &workspace, Payments: int32(payments),
				KeptUntil: keptUntil})
		if err != nil {
			return err
		}
		e = Erasure(row)
		return note(ctx, q, &workspace, "erasure_begun", nil)
	})
	if err == nil {
		err = s.within(ctx, workspace, func(q *db.Queries) error { return q.DropCalendar(ctx) })
	}
	if err != nil {
		return Erasure{}, fmt.Errorf("begin to erase: %w", err)
	}
	return e, nil
}

// Erasure returns the progress of an erasure. ErrNotFound: there is none with this id.
func (s *Store) Erasure(ctx context.Context, id uuid.UUID) (e Erasure, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		e, err = q.Erasure(ctx, id)
		return err
	})
	if err != nil {
		return Erasure{}, fmt.Errorf("look up the erasure: %w", err)
	}
	return e, nil
}

// OpenErasures returns the workspaces whose erasure began before a time and has not finished.
func (s *Store) OpenErasures(ctx context.Context, before time.Time) (open []uuid.UUID, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		open, err = q.OpenErasures(ctx, before)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the open erasures: %w", err)
	}
	return open, nil
}

// WorkspacesOf returns a person's workspace and those of the visitors whose content moved to it.
func (s *Store) WorkspacesOf(ctx context.Context, workspace uuid.UUID) (all []uuid.UUID, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		all, err = q.WorkspacesOf(ctx, workspace)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the workspaces: %w", err)
	}
	return all, nil
}

// ErasedTurn is a turn whose workflows must be deleted, with its known runs.
type ErasedTurn struct {
	ID   uuid.UUID
	Runs []string
}

// TurnsToErase returns the next turns of a workspace in the order of their ids; an empty list means that there are no
// more.
func (s *Store) TurnsToErase(ctx context.Context, workspace, after uuid.UUID) ([]ErasedTurn, error) {
	var turns []ErasedTurn
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.ErasedTurns(ctx, after)
		for _, r := range rows {
			t := ErasedTurn{ID: r.ID, Runs: r.PastRuns}
			if r.RunID != nil {
				t.Runs = append(t.Runs, *r.RunID)
			}
			turns = append(turns, t)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the turns to erase: %w", err)
	}
	return turns, nil
}

// ConversationsToErase returns the next conversations of a workspace, including deleted ones, in the order of their
// ids; an empty list means that there are no more.
func (s *Store) ConversationsToErase(ctx context.Context, workspace, after uuid.UUID) (ids []uuid.UUID, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		ids, err = q.ErasedConversations(ctx, after)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the conversations to erase: %w", err)
	}
	return ids, nil
}

// OrdersToErase returns the orders of a workspace that are settled.
func (s *Store) OrdersToErase(ctx context.Context, workspace uuid.UUID) (orders []string, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		orders, err = q.EndedOrders(ctx, workspace)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the orders: %w", err)
	}
	return orders, nil
}

// erasedAtOnce is how many rows one transaction deletes; of file chunks it deletes a sixteenth of that.
const erasedAtOnce = 500

// EraseRows deletes some rows of a workspace, and reports whether there are more.
func (s *Store) EraseRows(ctx context.Context, workspace uuid.UUID) (more bool, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.EraseRows(ctx, erasedAtOnce)
		more = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("erase rows: %w", err)
	}
	return more, nil
}

// EndErasure deletes the workspace with what is left in it, and those of the visitors whose content moved to it.
// Payments stay, with an id that refers to nothing; the audit log keeps what was done but not by whom; the cost of
// models stays without an owner. Repeated calls change nothing.
func (s *Store) EndErasure(ctx context.Context, workspace uuid.UUID) error {
	err := s.system(ctx, func(q *db.Queries) error {
		if err := errors.Join(q.SpendAsNobody(ctx, workspace), q.ForgetInAudit(ctx, &workspace)); err != nil {
			return err
		}
		n, err := q.DropWorkspace(ctx, workspace)
		if err != nil || n == 0 {
			return err
		}
		if err := note(ctx, q, nil, "erased", nil); err != nil {
			return err
		}
		return q.EndErasure(ctx, &workspace)
	})
	if err != nil {
		return fmt.Errorf("end the erasure: %w", err)
	}
	return nil
}

// Retention says how long data is kept that nobody asked to erase; 0 means for ever.
type Retention struct {
	Visitors time.Duration // the data of visitors, counted from their last visit
	Audit    time.Duration
}

// Retire starts erasing the data of visitors who have not returned, and deletes audit log entries, once they are past
// their retention.
func (s *Store) Retire(ctx context.Context, now time.Time, r Retention) error {
	var unused []uuid.UUID
	if r.Visitors > 0 {
		err := s.systemLook(ctx, func(q *db.Queries) (err error) {
			unused, err = q.UnusedVisitors(ctx, now.Add(-r.Visitors))
			return err
		})
		if err != nil {
			return fmt.Errorf("list the visitors who are gone: %w", err)
		}
	}
	for _, visitor := range unused {
		if _, err := s.BeginErasure(ctx, visitor, 0, ""); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	if r.Audit <= 0 {
		return nil
	}
	before := now.Add(-r.Audit)
	if err := s.system(ctx, func(q *db.Queries) error {
		return errors.Join(q.PruneAudit(ctx, before), q.PruneErasures(ctx, before))
	}); err != nil {
		return fmt.Errorf("prune the audit log: %w", err)
	}
	return nil
}
