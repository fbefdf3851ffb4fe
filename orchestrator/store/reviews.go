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

// How the review of a draft stands.
const (
	InReview = "review" // its preparer waits
	Returned = "returned"
	Approved = "approved"
	Undone   = "undone" // it was approved, and has changed since
)

// DraftReview is how the review of a draft stands, with the names of who sent and who decided.
type DraftReview = db.DraftReviewRow

var (
	// ErrInReview means that a draft is being reviewed, by somebody else than whoever acts.
	ErrInReview = errors.New("the draft is being reviewed")
	// ErrNotInReview means that a draft is not being reviewed, so that there is nothing to decide.
	ErrNotInReview = errors.New("the draft is not being reviewed")
	// ErrNotReviewer means that whoever acts does not review the draft.
	ErrNotReviewer = errors.New("whoever acts does not review the draft")
)

// Locked reports whether whoever acts may not change the draft: it is being reviewed, and not by them.
func (d *Draft) Locked() bool {
	return d.Review != nil && d.Review.DraftReview.State == InReview && !d.Reviewer
}

// Approved reports whether the draft as it stands is approved.
func (d *Draft) Approved() bool { return d.Review != nil && d.Review.DraftReview.State == Approved }

// reviewed reads how the review of the draft stands, and whether whoever acts is its reviewer: somebody who may
// approve, or the reviewer of its matter; never who sent it.
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

// matter returns the matter of the draft; nil where it is in none.
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

// guard refuses a change by whoever may not make one now, and undoes the approval of what changes.
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

// sealed reports whether a version was sent or approved, so that nothing is written over it.
func (d *Draft) sealed(version int32) bool {
	if d.Review == nil {
		return false
	}
	r := d.Review.DraftReview
	return r.Version == version || r.ApprovedVersion != nil && *r.ApprovedVersion == version
}

// seal makes sure that the draft as it stands is a version of its own.
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

// noted adds to the firm's log what was done with the draft; in a person's own workspace there is none.
func (d *Draft) noted(ctx context.Context, q *db.Queries, event string) error {
	if _, acts := ActingIn(ctx); !acts {
		return nil
	}
	return d.moved(ctx, q, event, "")
}

// moved notes in the firm's log what was done with the draft. If it is the reply to a notice, its matter goes to a
// state, from one of others.
func (d *Draft) moved(ctx context.Context, q *db.Queries, event, to string, from ...string) error {
	return d.movedFor(ctx, q, event, "", to, from...)
}

// movedFor does the same with the reason that was given; "" is none.
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

// moveMatter takes a matter to a state, from one of others, as what was done in it says.
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

// SendDraft sends a draft for review: from then on only its reviewer changes it. ErrNotFound: there is none;
// ErrInReview: it was sent.
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

// TakeBackDraft ends the review of a draft for whoever sent it. ErrNotFound; ErrNotInReview; ErrNotReviewer: another
// sent it.
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

// ReturnDraft ends the review of a draft for a reason: its preparer goes on with it. ErrNotFound; ErrNotInReview;
// ErrNotReviewer.
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

// ApproveDraft approves a draft as it was when it was last changed at a time. ErrNotFound; ErrChanged: it has changed
// since; ErrForbidden: whoever acts may not approve.
func (s *Store) ApproveDraft(ctx context.Context, workspace, draft uuid.UUID, read time.Time) (Draft, error) {
	return s.review(ctx, workspace, draft, "approve the draft", func(q *db.Queries, a Acting, d *Draft) error {
		switch {
		case !d.UpdatedAt.Equal(read):
			return ErrChanged
		case d.Approved():
			return nil
		}
		d.Reviewer = true // who may approve may have it as a version
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

// review changes how the review of a draft stands, for a member of a firm, and returns the draft as it is then.
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
