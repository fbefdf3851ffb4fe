package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store/db"
)

// States of a draft's review.
const (
	InReview = "review" // sent, and waiting for the reviewer
	Returned = "returned"
	Approved = "approved"
	Undone   = "undone" // it was approved, but has changed since
)

// DraftReview is the state of a draft's review, with the names of who sent it and who decided.
type DraftReview = db.DraftReviewRow

var (
	// ErrInReview means that the draft is being reviewed by someone else.
	ErrInReview = errors.New("the draft is being reviewed")
	// ErrNotInReview means that the draft is not being reviewed, so there is nothing to decide.
	ErrNotInReview = errors.New("the draft is not being reviewed")
	// ErrNotReviewer means that the acting member is not the draft's reviewer.
	ErrNotReviewer = errors.New("whoever acts does not review the draft")
)

// Locked reports whether the acting member may not change the draft: someone else is reviewing it.
func (d *Draft) Locked() bool {
	return d.Review != nil && d.Review.DraftReview.State == InReview && !d.Reviewer
}

// Approved reports whether the draft's current text is approved.
func (d *Draft) Approved() bool { return d.Review != nil && d.Review.DraftReview.State == Approved }

// reviewed reads the state of the draft's review, and whether the acting member is its reviewer: a member who may
// approve, or the reviewer of its matter, but never the sender.
func (d *Draft) reviewed(ctx context.Context, q *db.Queries) (err error) {
	if d.Review, err = optional(q.DraftReview(ctx, d.ID)); err != nil || d.Review == nil {
		return err
	}
	a, acts := ActingIn(ctx)
	switch {
	case !acts || d.Review.DraftReview.SentBy == a.Member:
		d.Reviewer = false
	case a.Role.May(role.Approve):
		d.Reviewer = true
	default:
		m, err := d.matter(ctx, q)
		if err != nil {
			return err
		}
		d.Reviewer = m != nil && m.ReviewerID != nil && *m.ReviewerID == a.Member
	}
	return nil
}

// matter returns the draft's matter, or nil if it is in none.
func (d *Draft) matter(ctx context.Context, q *db.Queries) (*db.Matter, error) {
	if d.ConversationID == nil {
		return nil, nil
	}
	c, err := optional(q.Conversation(ctx, *d.ConversationID))
	if err != nil || c == nil || c.MatterID == nil {
		return nil, err
	}
	m, err := q.MatterState(ctx, *c.MatterID)
	return &m, err
}

// guard returns ErrInReview if the acting member may not change the draft now. If an approved text has changed, it
// withdraws the approval.
func (d *Draft) guard(ctx context.Context, q *db.Queries) error {
	switch {
	case d.Locked():
		return ErrInReview
	case !d.Approved() || d.was.Title == d.Title && d.was.Text == clean(DraftText(d.Parts)):
		return nil
	}
	if err := q.UndoApproval(ctx, d.ID); err != nil {
		return err
	}
	d.Review.DraftReview.State = Undone
	return d.moved(ctx, q, "draft_approval_undone", "drafting", "approved")
}

// sealed reports whether a version was sent or approved, so that it must not be overwritten.
func (d *Draft) sealed(version int32) bool {
	if d.Review == nil {
		return false
	}
	r := d.Review.DraftReview
	return r.Version == version || r.ApprovedVersion != nil && *r.ApprovedVersion == version
}

// seal stores the draft's current text as a version of its own, if it is not one already.
func (d *Draft) seal(ctx context.Context, q *db.Queries) error {
	last, err := optional(q.Version(ctx, db.VersionParams{DraftID: d.ID, Version: d.Version}))
	if err != nil {
		return err
	}
	if last != nil && last.Title == d.Title {
		var parts []DraftPart
		if err := json.Unmarshal(last.Parts, &parts); err != nil {
			return fmt.Errorf("decode the version's parts: %w", err)
		}
		if DraftText(parts) == DraftText(d.Parts) {
			return nil
		}
	}
	return d.keep(ctx, q, "munshi", nil, true)
}

// noted records in the firm's log what was done with the draft. A person's own workspace has no log.
func (d *Draft) noted(ctx context.Context, q *db.Queries, event string) error {
	if _, acts := ActingIn(ctx); !acts {
		return nil
	}
	return d.moved(ctx, q, event, "")
}

// moved records in the firm's log what was done with the draft. If the draft is the reply to a notice, its matter also
// changes to the given state, if it is in one of the states in from.
func (d *Draft) moved(ctx context.Context, q *db.Queries, event, to string, from ...string) error {
	return d.movedFor(ctx, q, event, "", to, from...)
}

// movedFor is moved with a reason for the log, or "" if there is none.
func (d *Draft) movedFor(ctx context.Context, q *db.Queries, event, reason, to string, from ...string) error {
	m, err := d.matter(ctx, q)
	if err != nil {
		return err
	}
	e := entry{event: event, about: &d.ID, detail: map[string]any{"name": d.Title, "version": d.Version}}
	if reason != "" {
		e.detail["reason"] = reason
	}
	if a, acts := ActingIn(ctx); acts {
		e.member = a.Member
	}
	if m != nil {
		e.matter = &m.ID
	}
	if err := addToLog(ctx, q, d.WorkspaceID, e); err != nil {
		return err
	}
	if m == nil || d.Kind != ReplyKind || to == "" {
		return nil
	}
	return moveMatter(ctx, q, m.ID, to, from...)
}

// moveMatter changes the state of a matter to the given one, if it is in one of the states in from.
func moveMatter(ctx context.Context, q *db.Queries, matter uuid.UUID, to string, from ...string) error {
	m, err := q.LockMatter(ctx, matter)
	if err != nil || !slices.Contains(from, m.State) {
		return err
	}
	is := MatterChange{Title: m.Title, Note: m.Note, State: to, Assignee: m.AssigneeID, Reviewer: m.ReviewerID}
	if _, err := q.SetMatter(ctx, db.SetMatterParams{ID: m.ID, Title: m.Title, Note: m.Note, State: to,
		AssigneeID: m.AssigneeID, ReviewerID: m.ReviewerID}); err != nil {
		return err
	}
	return logMatter(ctx, q, m.WorkspaceID, m, is)
}

// SendDraft sends a draft for review; from then on only its reviewer may change it. ErrNotFound: there is no such
// draft; ErrInReview: it is in review already.
func (s *Store) SendDraft(ctx context.Context, workspace, draft uuid.UUID) (Draft, error) {
	return s.review(ctx, workspace, draft, "send the draft for review", func(q *db.Queries, a Acting, d *Draft) error {
		if d.Review != nil && d.Review.DraftReview.State == InReview {
			return ErrInReview
		}
		if err := d.seal(ctx, q); err != nil {
			return err
		}
		err := q.SendDraft(ctx, db.SendDraftParams{DraftID: d.ID, WorkspaceID: workspace, Version: d.Version,
			SentBy: a.Member})
		if err != nil {
			return err
		}
		return d.moved(ctx, q, "draft_sent", "review", "new", "settled", "waiting", "drafting", "approved")
	})
}

// TakeBackDraft lets the sender end the review of a draft. ErrNotFound: there is no such draft; ErrNotInReview;
// ErrNotReviewer: someone else sent it.
func (s *Store) TakeBackDraft(ctx context.Context, workspace, draft uuid.UUID) (Draft, error) {
	return s.review(ctx, workspace, draft, "take the draft back", func(q *db.Queries, a Acting, d *Draft) error {
		switch {
		case d.Review == nil || d.Review.DraftReview.State != InReview:
			return ErrNotInReview
		case d.Review.DraftReview.SentBy != a.Member:
			return ErrNotReviewer
		}
		if err := q.TakeBackDraft(ctx, d.ID); err != nil {
			return err
		}
		return d.moved(ctx, q, "draft_taken_back", "drafting", "review")
	})
}

// ReturnDraft lets the reviewer end the review of a draft and say why, so that it can be worked on again. ErrNotFound:
// there is no such draft; ErrNotInReview; ErrNotReviewer.
func (s *Store) ReturnDraft(ctx context.Context, workspace, draft uuid.UUID, reason string) (Draft, error) {
	reason = clean(reason)
	return s.review(ctx, workspace, draft, "return the draft", func(q *db.Queries, a Acting, d *Draft) error {
		switch {
		case d.Review == nil || d.Review.DraftReview.State != InReview:
			return ErrNotInReview
		case !d.Reviewer:
			return ErrNotReviewer
		}
		if err := q.ReturnDraft(ctx, db.ReturnDraftParams{DraftID: d.ID, DecidedBy: a.Member, Reason: reason}); err != nil {
			return err
		}
		return d.movedFor(ctx, q, "draft_returned", reason, "drafting", "review")
	})
}

// ApproveDraft approves a draft that was last changed at the time read. ErrNotFound: there is no such draft;
// ErrChanged: it has changed since; ErrForbidden: the acting member may not approve.
func (s *Store) ApproveDraft(ctx context.Context, workspace, draft uuid.UUID, read time.Time) (Draft, error) {
	return s.review(ctx, workspace, draft, "approve the draft", func(q *db.Queries, a Acting, d *Draft) error {
		switch {
		case !d.UpdatedAt.Equal(read):
			return ErrChanged
		case d.Approved():
			return nil
		}
		d.Reviewer = true // put and keep must not refuse somebody who may approve
		if err := d.seal(ctx, q); err != nil {
			return err
		}
		err := q.ApproveDraft(ctx, db.ApproveDraftParams{DraftID: d.ID, WorkspaceID: workspace, Version: d.Version,
			Member: a.Member})
		if err != nil {
			return err
		}
		return d.moved(ctx, q, "draft_approved", "approved", "new", "settled", "waiting", "drafting", "review")
	})
}

// review runs fn to change the state of a draft's review as a member of a firm, and returns the draft.
func (s *Store) review(ctx context.Context, workspace, draft uuid.UUID, what string,
	fn func(*db.Queries, Acting, *Draft) error) (Draft, error) {
	return s.change(ctx, workspace, draft, what, func(q *db.Queries, d *Draft) error {
		a, acts := ActingIn(ctx)
		if !acts {
			return ErrForbidden
		}
		if err := fn(q, a, d); err != nil {
			return err
		}
		return d.reviewed(ctx, q)
	})
}
