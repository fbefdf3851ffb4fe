package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// acknowledgementDocument is the type of the PDF that acknowledges what was filed: neither a notice nor a requested
// paper.
const acknowledgementDocument = "Acknowledgement"

// NoteFiled notes that the answer to the notice of a conversation was filed on a day (ISO), under the ARN that the
// portal gave. The notice is answered then, and its matter filed. watched reports whether its days still need
// reminders. ErrNotFound: it is no notice of a firm.
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

// AttachAcknowledgement stores the PDF that acknowledges what was filed, replacing an earlier one. ErrNotFound: nothing
// was noted as filed.
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

// DropFiled takes back what was noted as filed, with its acknowledgement: the notice is to be answered again. watched
// as of NoteFiled. ErrNotFound: nothing was noted.
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

// filed does something with what was filed for a notice that is in a matter.
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
