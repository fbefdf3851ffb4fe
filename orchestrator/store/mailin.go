package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	MailSender      = db.MailSendersRow
	QuarantinedMail = db.QuarantineRow
	WaitingMail     = db.WaitingMailsRow
)

// MailIn holds a firm's settings for receiving papers by e-mail, and the mails in quarantine.
type MailIn struct {
	Token      string // the secret part of its address; empty if it has none yet
	Senders    []MailSender
	Quarantine []QuarantinedMail
}

// NewMail is a mail that was fetched for a firm, to be stored.
type NewMail struct {
	Workspace       uuid.UUID
	SHA256          []byte
	Sender, Subject string
	Files           int
	Problem         string // why it goes into quarantine; empty if it is accepted when the firm lists its sender
	Raw             []byte // nil if it is too large to be stored
}

// MostSenders is the number of senders that a firm may list, and mostQuarantined the number of mails that its quarantine
// holds.
const (
	MostSenders     = 200
	mostQuarantined = 200
)

// MailIn returns the secret address of a firm, the senders it lists, and its quarantine.
func (s *Store) MailIn(ctx context.Context, workspace uuid.UUID) (m MailIn, err error) {
	err = s.reading(ctx, workspace, func(q *db.Queries) error {
		token, err := optional(q.MailAddress(ctx, workspace))
		if err != nil {
			return err
		}
		if token != nil {
			m.Token = *token
		}
		if m.Senders, err = q.MailSenders(ctx, workspace); err != nil {
			return err
		}
		m.Quarantine, err = q.Quarantine(ctx)
		return err
	})
	if err != nil {
		return MailIn{}, fmt.Errorf("read how papers come by mail: %w", err)
	}
	return m, nil
}

// SetMailAddress gives a firm a new secret address. Mails to the previous address are no longer accepted.
func (s *Store) SetMailAddress(ctx context.Context, workspace uuid.UUID, token string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if err := q.SetMailAddress(ctx, db.SetMailAddressParams{WorkspaceID: workspace, Token: token}); err != nil {
			return err
		}
		return logged(ctx, q, "mail_address_renewed", nil, nil)
	})
	if err != nil {
		return fmt.Errorf("give a firm an address: %w", err)
	}
	return nil
}

// AddMailSender adds a sender whose mails are accepted. ErrTooMany: the firm already lists MostSenders.
func (s *Store) AddMailSender(ctx context.Context, workspace uuid.UUID, address string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		return addMailSender(ctx, q, workspace, strings.ToLower(OneLine(address)))
	})
	if err != nil {
		return fmt.Errorf("list a sender: %w", err)
	}
	return nil
}

func addMailSender(ctx context.Context, q *db.Queries, workspace uuid.UUID, address string) error {
	listed, err := q.MailSenders(ctx, workspace)
	if err != nil {
		return err
	}
	if len(listed) >= MostSenders {
		return ErrTooMany
	}
	n, err := q.AddMailSender(ctx, db.AddMailSenderParams{ID: newID(), WorkspaceID: workspace, Address: address})
	if err != nil || n == 0 {
		return err
	}
	return logged(ctx, q, "mail_sender_added", nil, map[string]any{"name": address})
}

// RemoveMailSender removes a sender from the list. ErrNotFound: it is not listed.
func (s *Store) RemoveMailSender(ctx context.Context, workspace, sender uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		address, err := q.RemoveMailSender(ctx, sender)
		if err != nil {
			return err
		}
		return logged(ctx, q, "mail_sender_removed", nil, map[string]any{"name": address})
	})
	if err != nil {
		return fmt.Errorf("take a sender off the list: %w", err)
	}
	return nil
}

// FirmOfAddress returns the firm whose address has the given secret part. ErrNotFound: there is none.
func (s *Store) FirmOfAddress(ctx context.Context, token string) (workspace uuid.UUID, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		workspace, err = q.FirmOfAddress(ctx, token)
		return err
	})
	if err != nil {
		return uuid.Nil, fmt.Errorf("look up whose address it is: %w", err)
	}
	return workspace, nil
}

// KeepMail stores a fetched mail, either to be processed or in quarantine. The same mail is stored only once. If the
// quarantine is full, a mail that belongs there is not stored.
func (s *Store) KeepMail(ctx context.Context, n NewMail) error {
	err := s.within(ctx, n.Workspace, func(q *db.Queries) error {
		sender := strings.ToLower(clean(n.Sender))
		row := db.KeepMailParams{ID: newID(), WorkspaceID: n.Workspace, Sha256: n.SHA256, Sender: short(sender, 320),
			Subject: short(n.Subject, 300), Files: int32(n.Files), State: "quarantine", Problem: n.Problem,
			Raw: n.Raw}
		listed, err := optional(q.MailSender(ctx, db.MailSenderParams{WorkspaceID: n.Workspace, Address: sender}))
		switch {
		case err != nil:
			return err
		case listed == nil:
			row.Problem = "mail_sender_unknown"
		case n.Problem == "":
			batch := newID()
			if err := q.AddBatch(ctx, db.AddBatchParams{ID: batch, WorkspaceID: n.Workspace}); err != nil {
				return err
			}
			row.State, row.BatchID = "waiting", &batch
		}
		if row.State == "quarantine" {
			count, err := q.CountQuarantine(ctx, n.Workspace)
			if err != nil || count >= mostQuarantined {
				return err
			}
		}
		kept, err := q.KeepMail(ctx, row)
		if err != nil || kept > 0 || row.BatchID == nil {
			return err
		}
		return errKept
	})
	if err != nil && !errors.Is(err, errKept) {
		return fmt.Errorf("keep a mail: %w", err)
	}
	return nil
}

// WaitingMails returns mails of all firms whose files have not been processed and whose next try is
// due.
func (s *Store) WaitingMails(ctx context.Context, now time.Time) (list []WaitingMail, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		list, err = q.WaitingMails(ctx, now)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the mails to take: %w", err)
	}
	return list, nil
}

// mostTakes is how many times we try to process a mail. After the second try we wait two minutes, and twice as long
// after each further one, so we give up after about eight hours.
const mostTakes = 10

// MailToTake returns a mail that waits to be processed, and the batch for its files. The try is counted before it
// begins, so that a mail that crashes the process is given up too: after mostTakes tries it goes into quarantine.
// ErrNotFound: the mail does not wait, or no longer waits.
func (s *Store) MailToTake(ctx context.Context, workspace, id uuid.UUID,
	now time.Time) (raw []byte, batch uuid.UUID, err error) {
	held := false
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		m, err := q.LockMail(ctx, id)
		switch {
		case err != nil:
			return err
		case m.State != "waiting" || m.BatchID == nil:
			return ErrNotFound
		}
		if held = m.Tries >= mostTakes; held {
			if err := q.HoldMail(ctx, db.HoldMailParams{ID: id, Problem: "mail_failed"}); err != nil {
				return err
			}
			return addToLog(ctx, q, workspace, entry{who: m.Sender, event: "mail_failed", about: &m.ID,
				detail: map[string]any{"name": m.Subject}})
		}
		after := now
		if m.Tries > 0 {
			after = now.Add(time.Minute << m.Tries)
		}
		raw, batch = m.Raw, *m.BatchID
		return q.TryMail(ctx, db.TryMailParams{ID: id, TryAfter: &after})
	})
	if err == nil && held {
		err = ErrNotFound
	}
	if err != nil {
		return nil, uuid.Nil, fmt.Errorf("read a mail: %w", err)
	}
	return raw, batch, nil
}

// MailTaken records that all files of a mail were processed.
func (s *Store) MailTaken(ctx context.Context, workspace, id uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		m, err := q.LockMail(ctx, id)
		if err != nil || m.State != "waiting" {
			return err
		}
		if err := q.EndMail(ctx, db.EndMailParams{ID: id, State: "taken"}); err != nil {
			return err
		}
		return addToLog(ctx, q, workspace, entry{who: m.Sender, event: "mail_taken", about: &m.ID,
			detail: map[string]any{"name": m.Subject}})
	})
	if err != nil {
		return fmt.Errorf("note that a mail was taken: %w", err)
	}
	return nil
}

// SettleMail takes a mail out of quarantine, to process its files or to discard it. ErrNotFound: it is not in quarantine,
// or it cannot be accepted because it has no files or was too large to be stored.
func (s *Store) SettleMail(ctx context.Context, workspace, id uuid.UUID, accept bool) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		m, err := q.LockMail(ctx, id)
		switch {
		case err != nil:
			return err
		case m.State != "quarantine" || accept && (m.Raw == nil || m.Files == 0):
			return ErrNotFound
		}
		event := "mail_accepted"
		if accept {
			batch := db.AddBatchParams{ID: newID(), WorkspaceID: workspace}
			if a, acts := ActingIn(ctx); acts {
				batch.MemberID = &a.Member
			}
			if err := q.AddBatch(ctx, batch); err != nil {
				return err
			}
			err = q.AcceptMail(ctx, db.AcceptMailParams{ID: id, BatchID: &batch.ID})
		} else {
			event = "mail_discarded"
			err = q.EndMail(ctx, db.EndMailParams{ID: id, State: "discarded"})
		}
		if err != nil {
			return err
		}
		return logged(ctx, q, event, &m.ID, map[string]any{"name": m.Sender})
	})
	if err != nil {
		return fmt.Errorf("settle a mail: %w", err)
	}
	return nil
}

// DropMails deletes mails that have been in quarantine since before the given time.
func (s *Store) DropMails(ctx context.Context, before time.Time) error {
	err := s.system(ctx, func(q *db.Queries) error { return q.DropMails(ctx, before) })
	if err != nil {
		return fmt.Errorf("remove old mails: %w", err)
	}
	return nil
}

// MailPlace returns how far a mailbox was read: its UIDVALIDITY and the last UID, both 0 at first.
func (s *Store) MailPlace(ctx context.Context, mailbox string) (validity, uid int64, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		row, err := optional(q.MailPlace(ctx, mailbox))
		if row != nil {
			validity, uid = row.Validity, row.Uid
		}
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("look how far a mailbox was read: %w", err)
	}
	return validity, uid, nil
}

// SetMailPlace records how far a mailbox was read.
func (s *Store) SetMailPlace(ctx context.Context, mailbox string, validity, uid int64) error {
	err := s.system(ctx, func(q *db.Queries) error {
		return q.SetMailPlace(ctx, db.SetMailPlaceParams{Mailbox: mailbox, Validity: validity, Uid: uid})
	})
	if err != nil {
		return fmt.Errorf("note how far a mailbox was read: %w", err)
	}
	return nil
}

// errKept rolls back the transaction for a mail that is already stored.
var errKept = errors.New("the mail was kept before")
