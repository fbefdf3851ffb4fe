package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// Authority is a judgment or other authority that a person supplied for a conversation.
type Authority = db.Authority

// ErrTooMany means that there are as many of something as there may be.
var ErrTooMany = errors.New("there are too many already")

// maxAuthorities is how many authorities one conversation may have; all of them go into its prompts.
const maxAuthorities = 50

// Authorities lists what was supplied for the conversation, oldest first. ErrNotFound: it is not this workspace's.
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

// AddAuthority keeps one more; its id and its time are given here. ErrNotFound: the conversation is not this workspace's.
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
		a, err = q.AddAuthority(ctx, db.AddAuthorityParams{ID: newID(), WorkspaceID: a.WorkspaceID, ConversationID: a.ConversationID,
			Citation: a.Citation, Court: a.Court, Decided: a.Decided, Proposition: a.Proposition})
		return err
	})
	if err != nil {
		return Authority{}, fmt.Errorf("add an authority: %w", err)
	}
	return a, nil
}

// authorityDocument is the type of an authority's PDF: it is neither a notice nor a paper that was asked for.
const authorityDocument = "Authority"

// AttachToAuthority keeps the PDF of an authority, in the place of one that it had. ErrNotFound: there is no such authority
// in this workspace.
func (s *Store) AttachToAuthority(ctx context.Context, workspace, conversation, authority uuid.UUID, d NewDocument) (Authority, error) {
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

// RemoveAuthority takes one away; RestoreAuthority brings it back until Erase has erased it. ErrNotFound: there is none such
// in this workspace.
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

// RestoreAuthority brings back an authority that was taken away; to bring back one that is there changes nothing.
// ErrTooMany: others took its place. ErrNotFound: there is none such in this workspace.
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

// began is when the turn was begun, or begun again by a retry.
func began(t Turn) time.Time {
	if t.StartedAt != nil {
		return *t.StartedAt
	}
	return t.CreatedAt
}
