package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store/db"
)

// Names for the generated row types.
type (
	Conversation        = db.Conversation
	ConversationLine    = db.ConversationsRow
	Message             = db.Message
	Document            = db.Document
	DocumentLine        = db.DocumentsRow
	RequiredDocumentRow = db.RequiredDocumentsRow
	Turn                = db.Turn
	Step                = db.TurnStep
)

// CreateConversation creates an empty conversation with a plugin.
func (s *Store) CreateConversation(ctx context.Context, workspace uuid.UUID, plugin string) (Conversation, error) {
	var c Conversation
	err := s.within(ctx, workspace, func(q *db.Queries) (err error) {
		c, err = q.CreateConversation(ctx,
			db.CreateConversationParams{ID: newID(), WorkspaceID: workspace, Plugin: plugin})
		return err
	})
	if err != nil {
		return Conversation{}, fmt.Errorf("create a conversation: %w", err)
	}
	return c, nil
}

// ConversationQuery selects conversations.
type ConversationQuery struct {
	Plugin     string // "" selects those with any plugin
	Search     string // in the title and in the person's messages
	Skip, Most int
}

// Conversations lists the workspace's conversations, latest first, and reports whether there are more.
func (s *Store) Conversations(ctx context.Context, workspace uuid.UUID,
	c ConversationQuery) (rows []ConversationLine, more bool, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) (err error) {
		rows, err = q.Conversations(ctx,
			db.ConversationsParams{Plugin: c.Plugin, Search: containing(c.Search), Most: int32(c.Most) + 1,
				Skip: int32(c.Skip)})
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("list conversations: %w", err)
	}
	if more = len(rows) > c.Most; more {
		rows = rows[:c.Most]
	}
	return rows, more, nil
}

// containing returns a LIKE pattern for texts that contain the words, or "" if there are none.
func containing(search string) string {
	words := strings.Join(strings.Fields(clean(search)), " ")
	if words == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(words) + "%"
}

// Rename sets a person's own title for a conversation; nothing else changes a title set in this way. ErrNotFound: the
// conversation does not belong to this workspace.
func (s *Store) Rename(ctx context.Context, workspace, conversation uuid.UUID, title string) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.RenameConversation(ctx,
			db.RenameConversationParams{ID: conversation, Title: short(title, maxTitle)})
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("rename the conversation: %w", err)
	}
	return nil
}

const maxTitle = 120 // runes

// Detail is everything that a conversation's screen shows, read in one transaction.
type Detail struct {
	Conversation Conversation
	Messages     []MessageLine
	Documents    []DocumentLine
	Required     []RequiredDocumentRow
	FollowUp     *FollowUp // nil if it never waited for documents
	Facts        []byte    // JSON of the notice's facts, nil when there are none
	Live         *Live     // nil before the first turn
}

// MessageLine is a message with the details of its turn.
type MessageLine struct {
	Message
	Exchange uuid.UUID // the first turn of this exchange; asking the question again adds turns to it
	Inputs   []byte    // JSON of the values given with its turn
}

// Live is the current state of a conversation's latest turn.
type Live struct {
	Turn  Turn
	Steps []Step
	Queue int // notices waiting to be read before this one
}

// Detail reads a conversation. ErrNotFound: it does not belong to this workspace.
func (s *Store) Detail(ctx context.Context, workspace, conversation uuid.UUID) (Detail, error) {
	var d Detail
	err := s.reading(ctx, workspace, func(q *db.Queries) (err error) {
		if d.Conversation, err = q.Conversation(ctx, conversation); err != nil {
			return err
		}
		messages, err := q.Messages(ctx, db.MessagesParams{ConversationID: conversation, Until: now()})
		if err != nil {
			return err
		}
		for _, m := range messages {
			d.Messages = append(d.Messages, MessageLine{m.Message, m.Exchange, m.Inputs})
		}
		if d.Documents, err = q.Documents(ctx, conversation); err != nil {
			return err
		}
		if d.Required, err = q.RequiredDocuments(ctx, conversation); err != nil {
			return err
		}
		if d.FollowUp, err = optional(q.FollowUp(ctx, conversation)); err != nil {
			return err
		}
		if d.Facts, err = noticeFacts(ctx, q, conversation, now()); err != nil {
			return err
		}
		d.Live, _, err = live(ctx, q, db.LiveParams{ConversationID: conversation})
		return err
	})
	if err != nil {
		return Detail{}, fmt.Errorf("read the conversation: %w", err)
	}
	return d, nil
}

// now returns a time that is later than every turn so far, even if the clocks of this machine and the database differ.
func now() time.Time { return time.Now().Add(24 * time.Hour) }

// noticeFacts returns the facts of the conversation's notice as they were at a time, or nil if nothing had been read
// by then.
func noticeFacts(ctx context.Context, q *db.Queries, conversation uuid.UUID, until time.Time) ([]byte, error) {
	notice, err := optional(q.NoticeOf(ctx, db.NoticeOfParams{ConversationID: conversation, Until: until}))
	if err != nil || notice == nil {
		return nil, err
	}
	facts, err := optional(q.Facts(ctx, notice.ID))
	if err != nil || facts == nil {
		return nil, err
	}
	return *facts, nil
}

// event is a piece of text as the database returns it.
type event struct {
	Seq  int64
	Text string
}

// live reads the latest turn of a conversation (nil if there is none) and the text written in its epoch.
func live(ctx context.Context, q *db.Queries, p db.LiveParams) (*Live, []event, error) {
	row, err := optional(q.Live(ctx, p))
	if err != nil || row == nil {
		return nil, nil, err
	}
	l := &Live{Turn: row.Turn, Queue: int(row.Queue)}
	if err := json.Unmarshal(row.Steps, &l.Steps); err != nil {
		return nil, nil, fmt.Errorf("decode the steps: %w", err)
	}
	var events []event
	if err := json.Unmarshal(row.Events, &events); err != nil {
		return nil, nil, fmt.Errorf("decode the events: %w", err)
	}
	return l, events, nil
}

// Follow reads what a listener to a conversation has not seen yet: the latest turn, and the text written in its
// current epoch after the event at. Fresh means that the listener's position belongs to another epoch, so Text is
// complete and replaces what the listener has. At is the id of the last event in Text.
func (s *Store) Follow(ctx context.Context, workspace, conversation uuid.UUID, at EventID) (f Following, err error) {
	var events []event
	err = s.look(ctx, workspace, func(q *db.Queries) (err error) {
		f.Live, events, err = live(ctx, q,
			db.LiveParams{ConversationID: conversation, Texts: true, Epoch: at.Epoch, Seq: at.Seq})
		return err
	})
	if err == nil && f.Live == nil { // no turn yet, or no such conversation
		_, err = s.Plugin(ctx, workspace, conversation)
	}
	if err != nil {
		return Following{}, fmt.Errorf("follow the conversation: %w", err)
	}
	if f.Live == nil {
		return f, nil
	}
	f.At = EventID{Epoch: f.Live.Turn.Epoch}
	known := at.Epoch == f.At.Epoch
	if known && at.Seq > 0 {
		if len(events) == 0 ||
			events[0].Seq != at.Seq { // this id was never issued, so the client cannot continue from it
			return s.Follow(ctx, workspace, conversation, EventID{Epoch: -1})
		}
		f.At, events = at, events[1:]
	}
	f.Fresh = !known
	for _, e := range events {
		f.Text += e.Text
		f.At.Seq = e.Seq
	}
	return f, nil
}

// Following is the result of Follow.
type Following struct {
	Live  *Live // nil before the first turn
	Text  string
	At    EventID
	Fresh bool
}

// EventID names one event of a conversation's stream.
type EventID struct{ Epoch, Seq int64 }

const epochSize = 1_000_000

// Int returns the id as one number: epoch * 1,000,000 + seq.
func (e EventID) Int() int64 { return e.Epoch*epochSize + e.Seq }

// EventIDOf is the inverse of Int.
func EventIDOf(n int64) EventID { return EventID{Epoch: n / epochSize, Seq: n % epochSize} }

// optional turns "no rows" into nil.
func optional[T any](v T, err error) (*T, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &v, nil
}
