package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

// Names for the generated row types.
type (
	Correction   = db.Correction
	NoticeLine   = db.NoticesRow
	NoticeCounts = db.NoticeCountsRow
	OpenNotice   = db.OpenNoticesRow
	Reminder     = db.RemindersRow
	Calendar     = db.Calendar
	HandedIn     = db.HandedInRow
)

// Reread is a function that computes the facts of a notice from its pages and the corrections in force, and the
// conversation's title from the facts. before holds the facts as first read, including candidates for open fields.
type Reread func(before []byte, pages []turns.Page, corrections []Correction) (facts []byte, title string, err error)

// NewCorrection is a person's correction of one field of a notice's facts.
type NewCorrection struct {
	Field     string
	Value     json.RawMessage
	Confirmed bool   // confirms the value as read
	Session   string // the session that made it
}

// Correct stores a correction and recomputes the facts; the facts as read stay stored too. watched reports whether the
// notice has dates to remind of. ErrNotFound: the conversation has no notice with known facts.
func (s *Store) Correct(ctx context.Context, workspace, conversation uuid.UUID, n NewCorrection,
	reread Reread) (watched bool, err error) {
	value, err := linesJSON(n.Value)
	if err != nil {
		return false, fmt.Errorf("clean a correction: %w", err)
	}
	return s.recompute(ctx, workspace, conversation, reread, func(q *db.Queries, document uuid.UUID) error {
		return q.AddCorrection(ctx, db.AddCorrectionParams{ID: newID(), WorkspaceID: workspace, DocumentID: document,
			Field: n.Field, Value: value, Confirmed: n.Confirmed, Session: n.Session})
	})
}

// UndoCorrection withdraws the latest correction of a field, so that the one before it, or the value as read, applies
// again. ErrNotFound: the field has no correction.
func (s *Store) UndoCorrection(ctx context.Context, workspace, conversation uuid.UUID, field string,
	reread Reread) (watched bool, err error) {
	return s.recompute(ctx, workspace, conversation, reread, func(q *db.Queries, document uuid.UUID) error {
		n, err := q.UndoCorrection(ctx, db.UndoCorrectionParams{DocumentID: document, Field: field})
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
}

func (s *Store) recompute(ctx context.Context, workspace, conversation uuid.UUID, reread Reread,
	change func(*db.Queries, uuid.UUID) error) (watched bool, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.Conversation(ctx, conversation)
		if err != nil {
			return err
		}
		if c.NoticeID == nil {
			return ErrNotFound
		}
		before, err := q.LockFacts(ctx, *c.NoticeID) // one correction at a time
		if err != nil {
			return err
		}
		if err := change(q, *c.NoticeID); err != nil {
			return err
		}
		corrections, err := q.Corrections(ctx, *c.NoticeID)
		if err != nil {
			return err
		}
		read, err := pages(ctx, q, *c.NoticeID)
		if err != nil {
			return err
		}
		facts, title, err := reread(before, read, corrections)
		if err != nil {
			return err
		}
		var corrected json.RawMessage // stays nil if the facts as read apply
		if len(corrections) > 0 {
			corrected = cleanJSON(facts)
		}
		if err := q.PutCorrected(ctx, db.PutCorrectedParams{DocumentID: *c.NoticeID,
			Corrected: corrected}); err != nil {
			return err
		}
		if title != "" {
			if err := q.TitleConversation(ctx,
				db.TitleConversationParams{ID: conversation, Title: short(title, maxTitle)}); err != nil {
				return err
			}
		}
		if watched, err = q.WatchReply(ctx, conversation); err != nil {
			return err
		}
		if err := linkLog(ctx, q, "link_answered"); err != nil {
			return err
		}
		return q.Notify(ctx, conversation)
	})
	if err != nil {
		return false, fmt.Errorf("correct the facts: %w", err)
	}
	return watched, nil
}

// Notice is what is known about a conversation's notice.
type Notice struct {
	Title    string
	Document Document
	Facts    []byte       // JSON, with corrections applied
	History  []Correction // all corrections, latest first
	Required []RequiredDocumentRow
	HandedIn map[string]HandedIn // by document type as the person chose it, in lower case
	Answered *time.Time          // when the person marked it as answered
}

// Notice reads what is known about a conversation's notice. ErrNotFound: it has no notice with known facts.
func (s *Store) Notice(ctx context.Context, workspace, conversation uuid.UUID) (Notice, error) {
	var n Notice
	err := s.reading(ctx, workspace, func(q *db.Queries) error {
		c, err := q.Conversation(ctx, conversation)
		if err != nil {
			return err
		}
		if c.NoticeID == nil {
			return ErrNotFound
		}
		n.Title, n.Answered = c.Title, c.AnsweredAt
		if n.Document, err = q.Document(ctx, *c.NoticeID); err != nil {
			return err
		}
		if n.Facts, err = q.Facts(ctx, *c.NoticeID); err != nil {
			return err
		}
		if n.History, err = q.CorrectionHistory(ctx, *c.NoticeID); err != nil {
			return err
		}
		if n.Required, err = q.RequiredDocuments(ctx, conversation); err != nil {
			return err
		}
		handed, err := q.HandedIn(ctx, conversation)
		n.HandedIn = map[string]HandedIn{}
		for _, h := range handed {
			n.HandedIn[h.Type] = h
		}
		return err
	})
	if err != nil {
		return Notice{}, fmt.Errorf("read the notice: %w", err)
	}
	return n, nil
}

// NoticeQuery selects notices.
type NoticeQuery struct {
	View        string // "" for all, or due, overdue, waiting, done
	Sort        string // "" for most urgent first, or client, demand, newest
	Search      string // in the client's name, the GSTIN, the reference, the title and the names of its files
	Today, Soon string // ISO dates; a date between them counts as due soon
	Skip, Most  int
}

// Notices lists the workspace's notices, unanswered ones first, and counts them by view.
func (s *Store) Notices(ctx context.Context, workspace uuid.UUID,
	n NoticeQuery) (lines []NoticeLine, counts NoticeCounts, err error) {
	search := containing(n.Search)
	err = s.surveying(ctx, workspace, func(q *db.Queries) error {
		// Without a search, answered notices are counted without reading their facts: in a firm most notices are
		// answered.
		counted := db.NoticeCountsParams{Today: n.Today, Soon: n.Soon, Search: search, OnlyOpen: search == ""}
		if counts, err = q.NoticeCounts(ctx, counted); err != nil {
			return err
		}
		if counted.OnlyOpen {
			if counts.Done, err = q.DoneNotices(ctx); err != nil {
				return err
			}
			counts.AllNotices += counts.Done
		}
		// Unanswered ones come first, so if they fill the page, no others are needed.
		full := n.View == "all" && n.Skip+n.Most <= int(counts.AllNotices-counts.Done)
		lines, err = q.Notices(ctx, db.NoticesParams{View: n.View, Today: n.Today, Soon: n.Soon, Search: search,
			Sort: n.Sort, Most: int32(n.Most), Skip: int32(n.Skip), OnlyOpen: full})
		return err
	})
	if err != nil {
		return nil, NoticeCounts{}, fmt.Errorf("list the notices: %w", err)
	}
	return lines, counts, nil
}

// NoticeNames returns what identifies a conversation's notice to a person, as far as it was read: client, form and
// reference.
func (s *Store) NoticeNames(ctx context.Context, workspace, conversation uuid.UUID) ([]string, error) {
	var names []string
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		row, err := optional(q.NoticeNames(ctx, conversation))
		if row != nil {
			for _, name := range []*string{row.Client, row.Form, row.Reference} {
				if name != nil && *name != "" {
					names = append(names, *name)
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for the names of a notice: %w", err)
	}
	return names, nil
}

// OpenNotices returns the workspace's unanswered notices, with their facts.
func (s *Store) OpenNotices(ctx context.Context, workspace uuid.UUID) ([]OpenNotice, error) {
	var list []OpenNotice
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		list, err = q.OpenNotices(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the open notices: %w", err)
	}
	return list, nil
}

// MarkAnswered records whether the person has answered a notice. watched reports whether it still has dates to remind
// of.
func (s *Store) MarkAnswered(ctx context.Context, workspace, conversation uuid.UUID,
	answered bool) (watched bool, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		watched, err = markAnswered(ctx, q, conversation, answered)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("mark the notice: %w", err)
	}
	return watched, nil
}

func markAnswered(ctx context.Context, q *db.Queries, conversation uuid.UUID, answered bool) (watched bool, err error) {
	n, err := q.MarkAnswered(ctx, db.MarkAnsweredParams{ID: conversation, Answered: answered})
	switch {
	case err != nil:
		return false, err
	case n == 0:
		return false, ErrNotFound
	}
	return q.WatchReply(ctx, conversation)
}

// Delete hides a conversation. Restore can bring it back until Erase deletes it for good. ErrNotFound: it does not
// belong to this workspace.
func (s *Store) Delete(ctx context.Context, workspace, conversation uuid.UUID) error {
	return s.deleted(ctx, workspace, conversation, "delete the conversation", (*db.Queries).DeleteConversation)
}

// Restore brings back a deleted conversation.
func (s *Store) Restore(ctx context.Context, workspace, conversation uuid.UUID) error {
	return s.deleted(ctx, workspace, conversation, "bring the conversation back", (*db.Queries).RestoreConversation)
}

func (s *Store) deleted(ctx context.Context, workspace, conversation uuid.UUID, what string,
	change func(*db.Queries, context.Context, uuid.UUID) (int64, error)) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := change(q, ctx, conversation)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		_, err = q.WatchReply(ctx, conversation)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// Erase permanently deletes some of the conversations, drafts and authorities that were deleted before a time, with
// their files, in all workspaces.
func (s *Store) Erase(ctx context.Context, before time.Time) error {
	var gone []db.DeletedConversationsRow
	var drafts []db.DeletedDraftsRow
	var removed []db.RemovedAuthoritiesRow
	err := s.system(ctx, func(q *db.Queries) (err error) {
		if gone, err = q.DeletedConversations(ctx, before); err != nil {
			return err
		}
		if drafts, err = q.DeletedDrafts(ctx, before); err != nil {
			return err
		}
		removed, err = q.RemovedAuthorities(ctx, before)
		return err
	})
	var errs []error
	for _, d := range drafts {
		errs = append(errs, s.within(ctx, d.WorkspaceID, func(q *db.Queries) error {
			return q.EraseDraft(ctx, db.EraseDraftParams{ID: d.ID, Before: before})
		}))
	}
	for _, c := range gone {
		errs = append(errs, s.within(ctx, c.WorkspaceID, func(q *db.Queries) error {
			return q.EraseConversation(ctx, db.EraseConversationParams{ID: c.ID, Before: before})
		}))
	}
	for _, a := range removed {
		errs = append(errs, s.within(ctx, a.WorkspaceID, func(q *db.Queries) error {
			return q.EraseAuthority(ctx, db.EraseAuthorityParams{ID: a.ID, Before: before})
		}))
	}
	if err = errors.Join(append(errs, err)...); err != nil {
		return fmt.Errorf("erase what was deleted: %w", err)
	}
	return nil
}

// Remind stores a reminder of a date, for a number of days before it; repeated calls have no effect.
func (s *Store) Remind(ctx context.Context, workspace, conversation uuid.UUID, replyBy string, days int) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.Conversation(ctx, conversation); err != nil {
			return err
		}
		return q.AddReminder(ctx, db.AddReminderParams{ID: newID(), WorkspaceID: workspace,
			ConversationID: conversation, ReplyBy: replyBy, Days: int32(days)})
	})
	if err != nil {
		return fmt.Errorf("keep the reminder: %w", err)
	}
	return nil
}

// ReminderDue is a reminder to be mailed about a notice, in the language of the latest request there. The kind of date
// is reply, perhaps (it may be the reply date), hearing, or none (no date is known).
type ReminderDue = db.UnmailedReminderRow

// MailReminder calls send to mail a reminder, unless it was mailed already or the person has dismissed it or answered
// the notice. If the process dies just after sending, it is sent again.
func (s *Store) MailReminder(ctx context.Context, workspace, conversation uuid.UUID, replyBy string, days int,
	send func(ReminderDue) error) error {
	var due *ReminderDue
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		due, err = optional(q.UnmailedReminder(ctx,
			db.UnmailedReminderParams{ConversationID: conversation, ReplyBy: replyBy, Days: int32(days)}))
		return err
	})
	if err != nil {
		return fmt.Errorf("look which reminder to mail: %w", err)
	}
	if due == nil {
		return nil
	}
	if err := send(*due); err != nil {
		return err
	}
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		return q.ReminderMailed(ctx, db.ReminderMailedParams{ConversationID: conversation, ReplyBy: replyBy,
			Days: int32(days)})
	})
	if err != nil {
		return fmt.Errorf("note that the reminder was mailed: %w", err)
	}
	return nil
}

// Reminders returns the reminders that the person has not dismissed, nearest date first. today is an ISO date.
func (s *Store) Reminders(ctx context.Context, workspace uuid.UUID, today string) ([]Reminder, error) {
	var list []Reminder
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		list, err = q.Reminders(ctx, today)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the reminders: %w", err)
	}
	return list, nil
}

// Unsettled counts the open notices whose reply date nobody has confirmed.
func (s *Store) Unsettled(ctx context.Context, workspace uuid.UUID) (int, error) {
	var count int32
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		count, err = q.Unsettled(ctx)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("count what is not settled: %w", err)
	}
	return int(count), nil
}

// SeeReminder dismisses a reminder, and earlier ones of the same notice; repeating it changes nothing. ErrNotFound:
// there is none in this workspace.
func (s *Store) SeeReminder(ctx context.Context, workspace, id uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.ReminderExists(ctx, id); err != nil {
			return err
		}
		return q.SeeReminder(ctx, id)
	})
	if err != nil {
		return fmt.Errorf("put the reminder aside: %w", err)
	}
	return nil
}

// Calendar returns the secret in the address of the workspace's calendar. ErrNotFound: it has none.
func (s *Store) Calendar(ctx context.Context, workspace uuid.UUID) (Calendar, error) {
	var c Calendar
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		c, err = q.Calendar(ctx, workspace)
		return err
	})
	if err != nil {
		return Calendar{}, fmt.Errorf("read the calendar's address: %w", err)
	}
	return c, nil
}

// RenewCalendar sets a new secret for the workspace's calendar; the old address stops working.
func (s *Store) RenewCalendar(ctx context.Context, workspace uuid.UUID, token string) (Calendar, error) {
	var c Calendar
	err := s.within(ctx, workspace, func(q *db.Queries) (err error) {
		c, err = q.PutCalendar(ctx, db.PutCalendarParams{WorkspaceID: workspace, Token: token})
		return err
	})
	if err != nil {
		return Calendar{}, fmt.Errorf("renew the calendar's address: %w", err)
	}
	return c, nil
}

// CalendarOwner is the workspace whose calendar a secret opens.
type CalendarOwner = db.CalendarOfRow

// CalendarOf returns the workspace whose calendar a secret opens, and whether it is a firm's. ErrNotFound: there is
// none.
func (s *Store) CalendarOf(ctx context.Context, token string) (of CalendarOwner, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		of, err = q.CalendarOf(ctx, token)
		return err
	})
	if err != nil {
		return CalendarOwner{}, fmt.Errorf("look up the calendar: %w", err)
	}
	return of, nil
}
