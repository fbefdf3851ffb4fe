package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
	"munshi/orchestrator/turns"
)

// Authority is a judgment or other authority that a person supplied for a conversation.
type Authority = db.Authority

// ErrTooMany means that the limit on the number of items has been reached.
var ErrTooMany = errors.New("there are too many already")

// maxAuthorities is how many authorities one conversation may have; all of them go into its prompts.
const maxAuthorities = 50

// Authorities lists the authorities supplied for the conversation, oldest first. ErrNotFound: the conversation does not
// belong to this workspace.
func (s *Store) Authorities(ctx context.Context, workspace, conversation uuid.UUID) ([]Authority, error) {
	var list []Authority
	err := s.reading(ctx, workspace, func(q *db.Queries) (err error) {
		if _, err = q.Conversation(ctx, conversation); err != nil {
			return err
		}
		list, err = q.Authorities(ctx, conversation)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the authorities: %w", err)
	}
	return list, nil
}

// AddAuthority stores an authority, and sets its id and time. ErrNotFound: the conversation does not belong to this
// workspace.
func (s *Store) AddAuthority(ctx context.Context, a Authority) (Authority, error) {
	err := s.within(ctx, a.WorkspaceID, func(q *db.Queries) error {
		if _, err := q.LockConversation(ctx, a.ConversationID); err != nil {
			return err
		}
		list, err := q.Authorities(ctx, a.ConversationID)
		if err != nil {
			return err
		}
		if len(list) >= maxAuthorities {
			return ErrTooMany
		}
		a, err = q.AddAuthority(ctx, db.AddAuthorityParams{ID: newID(), WorkspaceID: a.WorkspaceID,
			ConversationID: a.ConversationID, Citation: OneLine(a.Citation), Court: OneLine(a.Court), Decided: a.Decided,
			Proposition: a.Proposition})
		return err
	})
	if err != nil {
		return Authority{}, fmt.Errorf("add an authority: %w", err)
	}
	return a, nil
}

// authorityDocument is the type of an authority's PDF: neither a notice nor a requested paper.
const authorityDocument = "Authority"

// AttachToAuthority stores the PDF of an authority, replacing an earlier one. ErrNotFound: there is no such authority
// in this workspace.
func (s *Store) AttachToAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID,
	d NewDocument) (Authority, error) {
	var a Authority
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockConversation(ctx, conversation); err != nil {
			return err
		}
		before, err := q.Authority(ctx, db.AuthorityParams{ID: authority, ConversationID: conversation})
		if err != nil {
			return err
		}
		d.Type = authorityDocument
		id, err := addDocument(ctx, q, workspace, conversation, d)
		if err != nil {
			return err
		}
		if a, err = q.AttachToAuthority(ctx, db.AttachToAuthorityParams{ID: authority, DocumentID: id}); err != nil {
			return err
		}
		if before.DocumentID != nil {
			return q.DropDocument(ctx, *before.DocumentID)
		}
		return nil
	})
	if err != nil {
		return Authority{}, fmt.Errorf("keep the authority's PDF: %w", err)
	}
	return a, nil
}

// UnreadAuthority is the PDF of an authority that has not been read yet.
type UnreadAuthority struct{ Workspace, Document uuid.UUID }

// UnreadAuthorities lists some of the unread PDFs of all workspaces, oldest first.
func (s *Store) UnreadAuthorities(ctx context.Context) ([]UnreadAuthority, error) {
	var list []UnreadAuthority
	err := s.systemLook(ctx, func(q *db.Queries) error {
		rows, err := q.UnreadAuthorities(ctx)
		for _, r := range rows {
			list = append(list, UnreadAuthority{r.WorkspaceID, r.DocumentID})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the authorities that are to be read: %w", err)
	}
	return list, nil
}

// SaveAuthorityPage stores a page of an authority's PDF; a page that is already stored stays unchanged.
func (s *Store) SaveAuthorityPage(ctx context.Context, a UnreadAuthority, p turns.Page) error {
	err := s.within(ctx, a.Workspace, func(q *db.Queries) error {
		return q.AddPage(ctx, db.AddPageParams{DocumentID: a.Document, Number: int32(p.Number),
			WorkspaceID: a.Workspace, Text: clean(p.Text), Method: p.Method, Confidence: p.Confidence,
			Languages: p.Languages, Width: p.Width, Height: p.Height, Words: p.Words})
	})
	if err != nil {
		return fmt.Errorf("keep a page of an authority: %w", err)
	}
	return nil
}

// AuthorityRead records that the PDF was read, or that it cannot be read.
func (s *Store) AuthorityRead(ctx context.Context, a UnreadAuthority) error {
	err := s.within(ctx, a.Workspace, func(q *db.Queries) error { return q.AuthorityRead(ctx, a.Document) })
	if err != nil {
		return fmt.Errorf("note that an authority was read: %w", err)
	}
	return nil
}

// mostAuthorityPages is how many pages of authorities are searched and compared, the newest authorities first.
const mostAuthorityPages = 2000

// AuthorityPages returns the pages read from the PDFs of a workspace's authorities, by authority id.
func (s *Store) AuthorityPages(ctx context.Context, workspace uuid.UUID) (map[string][]turns.Page, error) {
	pages := map[string][]turns.Page{}
	err := s.look(ctx, workspace, func(q *db.Queries) error {
		rows, err := q.AuthorityPages(ctx, mostAuthorityPages)
		for _, r := range rows {
			id := r.ID.String()
			pages[id] = append(pages[id], turns.Page{Number: int(r.Number), Text: r.Text})
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the pages of the authorities: %w", err)
	}
	return pages, nil
}

// RemoveAuthority removes an authority. RestoreAuthority can bring it back until Erase deletes it for good.
// ErrNotFound: this workspace has no such authority.
func (s *Store) RemoveAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.RemoveAuthority(ctx, db.RemoveAuthorityParams{ID: authority, ConversationID: conversation})
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("remove an authority: %w", err)
	}
	return nil
}

// RestoreAuthority brings back a removed authority; if it is not removed, nothing changes. ErrTooMany: there is no
// room for it any more. ErrNotFound: this workspace has no such authority.
func (s *Store) RestoreAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockConversation(ctx, conversation); err != nil {
			return err
		}
		n, err := q.RestoreAuthority(ctx, db.RestoreAuthorityParams{ID: authority, ConversationID: conversation})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		list, err := q.Authorities(ctx, conversation)
		if err == nil && len(list) > maxAuthorities {
			return ErrTooMany
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("bring an authority back: %w", err)
	}
	return nil
}

// began returns when the turn started, or was last restarted by a retry; a queued turn counts from its creation.
func began(t Turn) time.Time {
	if t.StartedAt != nil {
		return *t.StartedAt
	}
	return t.CreatedAt
}
