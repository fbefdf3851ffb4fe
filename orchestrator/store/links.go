package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// InterviewLink is the kind of link that shows the questions about one notice.
const InterviewLink = "interview"

// Link is an address for somebody without an account, for one purpose.
type Link = db.Link

// NewLink is a link to be created. The token is the secret in its address; only its hash is stored.
type NewLink struct {
	Kind         string
	Conversation uuid.UUID
	Token        string
	Recipient    string
	Language     string
	Expires      time.Time
}

// MakeLink creates a link to a conversation. ErrNotFound: there is no such conversation.
func (s *Store) MakeLink(ctx context.Context, workspace uuid.UUID, n NewLink) (link Link, err error) {
	hash := sha256.Sum256([]byte(n.Token))
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		if _, err := q.LockConversation(ctx, n.Conversation); err != nil {
			return err
		}
		link, err = q.PutLink(ctx, db.PutLinkParams{ID: newID(), WorkspaceID: workspace, Kind: n.Kind,
			ConversationID: &n.Conversation, TokenHash: hash[:], Recipient: OneLine(n.Recipient), Language: n.Language,
			ExpiresAt: n.Expires})
		if err != nil {
			return err
		}
		return logged(ctx, q, "link_made", &n.Conversation, map[string]any{"name": link.Recipient})
	})
	if err != nil {
		return Link{}, fmt.Errorf("make a link: %w", err)
	}
	return link, nil
}

// LinkOf returns the link with this token and whether it belongs to a firm, and records that it was opened.
// ErrNotFound: there is no such link, or it is no longer valid.
func (s *Store) LinkOf(ctx context.Context, token string) (link Link, firm bool, err error) {
	hash := sha256.Sum256([]byte(token))
	err = s.systemLook(ctx, func(q *db.Queries) error {
		row, err := q.LinkOf(ctx, hash[:])
		link, firm = row.Link, row.Firm
		return err
	})
	if err == nil {
		err = s.within(ctx, link.WorkspaceID, func(q *db.Queries) error { return q.UseLink(ctx, link.ID) })
	}
	if err != nil {
		return Link{}, false, fmt.Errorf("look up a link: %w", err)
	}
	return link, firm, nil
}

// Links returns the links to a conversation, latest first.
func (s *Store) Links(ctx context.Context, workspace, conversation uuid.UUID) (links []Link, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		links, err = q.Links(ctx, &conversation)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the links to a conversation: %w", err)
	}
	return links, nil
}

type linkKey struct{}

// ByLink returns a context in which changes are also recorded in the log of the link's firm, in the same transaction,
// under the name of the link's recipient.
func ByLink(ctx context.Context, link Link) context.Context {
	return context.WithValue(ctx, linkKey{}, &link)
}

// Noted returns a context without the link of ByLink, for a change that is already in the log.
func Noted(ctx context.Context) context.Context {
	return context.WithValue(ctx, linkKey{}, (*Link)(nil))
}

// linkLog records an event in the firm's log if ctx carries a link.
func linkLog(ctx context.Context, q *db.Queries, event string) error {
	link, _ := ctx.Value(linkKey{}).(*Link)
	if link == nil {
		return nil
	}
	e := entry{who: link.Recipient, event: event, about: link.ConversationID}
	if e.about != nil {
		c, err := q.Conversation(ctx, *e.about)
		if err != nil {
			return err
		}
		e.matter = c.MatterID
	}
	return addToLog(ctx, q, link.WorkspaceID, e)
}

// RevokeLink makes a link invalid. ErrNotFound: there is no such link.
func (s *Store) RevokeLink(ctx context.Context, workspace, id uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		revoked, err := optional(q.RevokeLink(ctx, id))
		switch {
		case err != nil:
			return err
		case revoked == nil:
			return ErrNotFound
		}
		return logged(ctx, q, "link_revoked", revoked.ConversationID, map[string]any{"name": revoked.Recipient})
	})
	if err != nil {
		return fmt.Errorf("revoke a link: %w", err)
	}
	return nil
}
