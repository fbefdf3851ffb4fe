package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// acknowledgementDocument is the type of the PDF with which the portal acknowledges a filing: neither a notice nor a
// requested paper.
const acknowledgementDocument = "Acknowledgement"

// NoteFiled records that the reply to a conversation's notice was filed on a day (ISO), with the ARN from the portal.
// The notice then counts as answered, and its matter as filed. watched reports whether a follow-up is waiting to
// remind of its dates. ErrNotFound: the conversation has no notice of a firm.
func (s *Store) NoteFiled(ctx context.Context, workspace, conversation uuid.UUID,
	arn, day string) (watched bool, err error) {
	err = s.filed(ctx, workspace, conversation, "note what was filed", func(q *db.Queries, c Conversation) error {
		a, _ := ActingIn(ctx)
		if err := q.PutFiledNote(ctx, db.PutFiledNoteParams{ConversationID: conversation, WorkspaceID: workspace,
			Arn: clean(arn), FiledOn: day, NotedBy: &a.Member}); err != nil {
			return err
		}
		if err := filedLog(ctx, q, c, "filed", map[string]any{"name": arn, "day": day}); err != nil {
			return err
		}
		if watched, err = markAnswered(ctx, q, conversation, true); err != nil {
			return err
		}
		return moveMatter(ctx, q, *c.MatterID, "filed", "new", "settled", "waiting", "drafting", "review", "approved")
	})
	return watched, err
}

// AttachAcknowledgement stores the PDF of the portal's acknowledgement, replacing an earlier one. ErrNotFound: no
// filing was recorded.
func (s *Store) AttachAcknowledgement(ctx context.Context, workspace, conversation uuid.UUID, d NewDocument) error {
	return s.filed(ctx, workspace, conversation, "keep the acknowledgement", func(q *db.Queries, c Conversation) error {
		before, err := q.FiledNote(ctx, conversation)
		if err != nil {
			return err
		}
		d.Type = acknowledgementDocument
		id, err := addDocument(ctx, q, workspace, conversation, d)
		if err != nil {
			return err
		}
		if err := q.AttachAcknowledgement(ctx,
			db.AttachAcknowledgementParams{ConversationID: conversation, DocumentID: id}); err != nil {
			return err
		}
		if before.DocumentID != nil {
			if err := q.DropDocument(ctx, *before.DocumentID); err != nil {
				return err
			}
		}
		return filedLog(ctx, q, c, "acknowledgement_added", map[string]any{"name": d.Name})
	})
}

// DropFiled removes the record of a filing and its acknowledgement, so that the notice is open again. watched is as
// for NoteFiled. ErrNotFound: no filing was recorded.
func (s *Store) DropFiled(ctx context.Context, workspace, conversation uuid.UUID) (watched bool, err error) {
	err = s.filed(ctx, workspace, conversation, "take back what was filed", func(q *db.Queries, c Conversation) error {
		note, err := q.FiledNote(ctx, conversation)
		if err != nil {
			return err
		}
		if err := q.DropFiledNote(ctx, conversation); err != nil {
			return err
		}
		if note.DocumentID != nil {
			if err := q.DropDocument(ctx, *note.DocumentID); err != nil {
				return err
			}
		}
		if err := filedLog(ctx, q, c, "filed_undone",
			map[string]any{"name": note.Arn, "day": note.FiledOn}); err != nil {
			return err
		}
		if watched, err = markAnswered(ctx, q, conversation, false); err != nil {
			return err
		}
		return moveMatter(ctx, q, *c.MatterID, "drafting", "filed")
	})
	return watched, err
}

// filed runs fn in a transaction for a conversation whose notice is in a matter; otherwise it returns ErrNotFound.
func (s *Store) filed(ctx context.Context, workspace, conversation uuid.UUID, what string,
	fn func(*db.Queries, Conversation) error) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		c, err := q.LockConversation(ctx, conversation)
		switch {
		case err != nil:
			return err
		case c.MatterID == nil:
			return ErrNotFound
		}
		return fn(q, c)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func filedLog(ctx context.Context, q *db.Queries, c Conversation, event string, detail map[string]any) error {
	a, _ := ActingIn(ctx)
	return addToLog(ctx, q, c.WorkspaceID,
		entry{member: a.Member, event: event, about: &c.ID, matter: c.MatterID, detail: detail})
}
