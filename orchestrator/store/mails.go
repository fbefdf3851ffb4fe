package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	DigestDue     = db.DueDigestsRow
	ReviewNews    = db.ReviewNewsRow
	MailedMember  = db.MailedMembersRow
	WaitingReview = db.WaitingReviewsRow
	DraftForMail  = db.DraftForMailRow
)

// MailChoices says which mails a member of a firm wants.
type MailChoices struct {
	DigestHour         *int // in Indian time; nil: no digest
	Reviews, Reminders bool
	Language           string
}

// MemberMail identifies a mail, which is sent at most once a day.
type MemberMail struct {
	Workspace, Member uuid.UUID
	Kind              string    // digest, review, returned, approved, reminder
	About             uuid.UUID // id of the draft or conversation; for a digest, of the workspace
}

// mostMailTries is how often sending a mail is tried in a day.
const mostMailTries = 3

// MailChoices returns which mails a member wants, or the defaults if they never chose.
func (s *Store) MailChoices(ctx context.Context, workspace, member uuid.UUID) (MailChoices, error) {
	c := MailChoices{Reviews: true, Reminders: true, Language: "en"}
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		row, err := optional(q.MailChoices(ctx, member))
		if err != nil || row == nil {
			return err
		}
		c.Reviews, c.Reminders, c.Language = row.Reviews, row.Reminders, row.Language
		if row.DigestHour != nil {
			hour := int(*row.DigestHour)
			c.DigestHour = &hour
		}
		return nil
	})
	if err != nil {
		return MailChoices{}, fmt.Errorf("read what a member is mailed: %w", err)
	}
	return c, nil
}

// SetMailChoices saves which mails the acting member wants. ErrForbidden: no member is acting.
func (s *Store) SetMailChoices(ctx context.Context, workspace uuid.UUID, c MailChoices) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		a, acts := ActingIn(ctx)
		if !acts {
			return ErrForbidden
		}
		row := db.SetMailChoicesParams{MemberID: a.Member, WorkspaceID: workspace, Reviews: c.Reviews,
			Reminders: c.Reminders, Language: c.Language}
		if c.DigestHour != nil {
			hour := int32(*c.DigestHour)
			row.DigestHour = &hour
		}
		if err := q.SetMailChoices(ctx, row); err != nil {
			return err
		}
		return logged(ctx, q, "mails_chosen", nil, nil)
	})
	if err != nil {
		return fmt.Errorf("keep what a member is mailed: %w", err)
	}
	return nil
}

// DueDigests returns the members of all firms whose digest is due today and has not been sent.
func (s *Store) DueDigests(ctx context.Context, now time.Time) (list []DigestDue, err error) {
	now = now.In(clock.India)
	err = s.systemLook(ctx, func(q *db.Queries) error {
		list, err = q.DueDigests(ctx, db.DueDigestsParams{Hour: int32(now.Hour()), Day: now.Format(time.DateOnly),
			MostTries: mostMailTries})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up whose digest is due: %w", err)
	}
	return list, nil
}

// ReviewNews returns the drafts of all firms that were sent for review, returned or approved since the given time.
func (s *Store) ReviewNews(ctx context.Context, since time.Time) (list []ReviewNews, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		list, err = q.ReviewNews(ctx, since)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up what was reviewed: %w", err)
	}
	return list, nil
}

// MailedMembers returns the owner, partners and preparers of a firm, with the mails that they want. Email is empty if
// the address is not confirmed.
func (s *Store) MailedMembers(ctx context.Context, workspace uuid.UUID) (list []MailedMember, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		list, err = q.MailedMembers(ctx, workspace)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up the addresses of members: %w", err)
	}
	return list, nil
}

// RemindedMembers returns the assignee and the reviewer of a conversation's matter, if it has them.
func (s *Store) RemindedMembers(ctx context.Context, workspace, conversation uuid.UUID) (list []uuid.UUID, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.RemindedMembers(ctx, conversation)
		for _, id := range rows {
			if id != nil {
				list = append(list, *id)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up who is reminded of a matter: %w", err)
	}
	return list, nil
}

// DraftForMail returns a draft's title, and the reviewer of its matter if there is one. ErrNotFound: the draft was
// deleted.
func (s *Store) DraftForMail(ctx context.Context, workspace, draft uuid.UUID) (d DraftForMail, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		d, err = q.DraftForMail(ctx, draft)
		return err
	})
	if err != nil {
		return DraftForMail{}, fmt.Errorf("look up the draft of a mail: %w", err)
	}
	return d, nil
}

// WaitingReviews returns the drafts that wait for a member's review. If approves is true, the member may approve, so
// drafts without a fixed reviewer are included.
func (s *Store) WaitingReviews(ctx context.Context, workspace, member uuid.UUID,
	approves bool) (list []WaitingReview, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		list, err = q.WaitingReviews(ctx, db.WaitingReviewsParams{MemberID: member, Approves: approves})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list what waits for review: %w", err)
	}
	return list, nil
}

// MailOnce calls send unless the mail was already sent that day, and reports whether it was sent now. It is marked as
// sent before the call, so that it is never sent twice; if the process dies in between, it stays unsent. If send fails,
// a later call tries again, up to mostMailTries in all.
func (s *Store) MailOnce(ctx context.Context, m MemberMail, now time.Time, send func() error) (sent bool, err error) {
	day := now.In(clock.India).Format(time.DateOnly)
	var claimed int64
	err = s.system(ctx, func(q *db.Queries) error {
		claimed, err = q.ClaimMail(ctx, db.ClaimMailParams{MemberID: m.Member, WorkspaceID: m.Workspace, Kind: m.Kind,
			About: m.About, Day: day, MostTries: mostMailTries})
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claim a mail: %w", err)
	}
	if claimed == 0 {
		return false, nil
	}
	if err := send(); err != nil {
		failed := s.system(context.WithoutCancel(ctx), func(q *db.Queries) error {
			return q.FailMail(ctx, db.FailMailParams{MemberID: m.Member, Kind: m.Kind, About: m.About, Day: day})
		})
		if failed != nil {
			return false, fmt.Errorf("note that a mail was refused: %w", failed)
		}
		return false, err
	}
	return true, nil
}

// mailsKept is how long the record of sent mails is kept.
const mailsKept = 7 * 24 * time.Hour

// ForgetMails deletes the record of mails that were sent longer than mailsKept ago.
func (s *Store) ForgetMails(ctx context.Context, now time.Time) error {
	err := s.system(ctx, func(q *db.Queries) error {
		return q.ForgetMails(ctx, now.Add(-mailsKept).In(clock.India).Format(time.DateOnly))
	})
	if err != nil {
		return fmt.Errorf("forget which mails were sent: %w", err)
	}
	return nil
}
