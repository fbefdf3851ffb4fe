package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/store/db"
)

// NewTurn is what a person sends: text, documents or both.
type NewTurn struct {
	Workspace, Conversation uuid.UUID
	Key                     string            // Idempotency-Key; "" means none
	Text                    string            // the user's message as it is shown
	Inputs                  map[string]string // the values of the plugin's inputs, by their ids
	Document                *NewDocument      // nil for a message without a document
	Read                    bool              // it is about the notice that was read earlier in the conversation
	Figures                 []NewDocument     // files to be compared with the notice
	Kind                    string            // kind of turn, from the plugin's manifest
	// a turn of the last exchange, whose question is asked again; nil for a new question
	Replaces *uuid.UUID
	Pinned   string // the bundle of prompts to use; "" for the one in use
	Language string // language of the answer, such as "hi"; "" for English
	// number of free uses without a subscription; nil if the turn is not charged, such as for a required document
	Free *int
}

// Taken reports whether a turn with this key was accepted before.
func (s *Store) Taken(ctx context.Context, workspace, conversation uuid.UUID, key string) (taken bool, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		before, err := optional(q.TurnByKey(ctx, db.TurnByKeyParams{ConversationID: conversation, IdempotencyKey: key}))
		taken = before != nil
		return err
	})
	if err != nil {
		return false, fmt.Errorf("look for the turn of a key: %w", err)
	}
	return taken, nil
}

// Accept stores the message, its document if any, and a queued turn, in one transaction. The same Key returns the turn
// of the first call, and again is true. ErrNotFound: no such conversation; ErrTurnOpen: its last turn has not ended;
// ErrOtherContent: the Key was used with different content; ErrNotLast: the turn to be replaced is not the last
// question; ErrAskedBefore: the document already has a turn of this kind; ErrNoUseLeft: the free uses are used up.
func (s *Store) Accept(ctx context.Context, n NewTurn) (turn Turn, again bool, err error) {
	if turn, err = s.acceptWords(ctx, n); errors.Is(err, ErrNotFound) || violates(err, "turns_one_open") ||
		violates(err, "turns_idempotent") {
		err = s.within(ctx, n.Workspace, func(q *db.Queries) error {
			turn, again, err = accept(ctx, q, n)
			return err
		})
	}
	switch {
	case violates(err, "turns_one_open"):
		return Turn{}, false, ErrTurnOpen
	case err != nil:
		return Turn{}, false, fmt.Errorf("accept the turn: %w", err)
	}
	return turn, again, nil
}

// acceptWords is the fast path of Accept for messages of text only. ErrNotFound or ErrTurnOpen may also mean that the
// message was sent twice; Accept then takes the slow path.
func (s *Store) acceptWords(ctx context.Context, n NewTurn) (Turn, error) {
	if n.Document != nil || n.Read || len(n.Figures) > 0 || n.Replaces != nil {
		return Turn{}, ErrNotFound
	}
	inputs, err := inputsOf(n.Inputs)
	if err != nil {
		return Turn{}, err
	}
	var key *string
	if n.Key != "" {
		key = &n.Key
	}
	turn := Turn{ID: newID(), WorkspaceID: n.Workspace, ConversationID: n.Conversation, Kind: n.Kind, State: "queued",
		Inputs: inputs, IdempotencyKey: key, Pinned: n.Pinned, Language: cmp.Or(n.Language, "en"), PastRuns: []string{}}
	words := db.AcceptWordsParams{ID: turn.ID, WorkspaceID: n.Workspace, ConversationID: n.Conversation, Kind: n.Kind,
		Inputs: inputs, IdempotencyKey: key, Pinned: n.Pinned, Language: turn.Language, MessageID: newID(),
		Text: clean(n.Text), Title: short(n.Text, maxTitle)}
	if n.Free != nil {
		words.Charged, words.Free = true, int32(*n.Free)
	}
	err = s.look(ctx, n.Workspace, func(q *db.Queries) error {
		row, err := q.AcceptWords(ctx, words)
		turn.CreatedAt = row.CreatedAt
		return err
	})
	return turn, err
}

// accept stores what a person sent, and a queued turn for it.
func accept(ctx context.Context, q *db.Queries, n NewTurn) (turn Turn, again bool, err error) {
	inputs, err := inputsOf(n.Inputs)
	if err != nil {
		return Turn{}, false, err
	}
	conversation, err := q.LockConversation(ctx, n.Conversation)
	if err != nil {
		return Turn{}, false, err
	}
	var key *string
	if n.Key != "" {
		key = &n.Key
		before, err := optional(q.TurnByKey(ctx,
			db.TurnByKeyParams{ConversationID: n.Conversation, IdempotencyKey: n.Key}))
		if err != nil {
			return Turn{}, false, err
		}
		if before != nil {
			said, err := q.UserText(ctx, before.ID)
			if err == nil && (before.Kind != n.Kind || (before.Replaces == nil) != (n.Replaces == nil) ||
				n.Document == nil && said != clean(n.Text) || !sameInputs(before.Inputs, inputs)) {
				err = ErrOtherContent
			}
			return *before, true, err
		}
	}
	exchange, retitle, err := exchangeOf(ctx, q, n)
	if err != nil {
		return Turn{}, false, err
	}
	document, charged, err := documentOf(ctx, q, n, conversation)
	if err != nil {
		return Turn{}, false, err
	}
	if err := addFigures(ctx, q, n.Workspace, n.Conversation, n.Figures); err != nil {
		return Turn{}, false, err
	}
	turn, err = q.CreateTurn(ctx, db.CreateTurnParams{ID: newID(), WorkspaceID: n.Workspace,
		ConversationID: n.Conversation, Kind: n.Kind, DocumentID: document, Inputs: inputs, IdempotencyKey: key,
		Replaces: exchange, Pinned: n.Pinned, Language: cmp.Or(n.Language, "en")})
	if err != nil {
		return Turn{}, false, err
	}
	if charged {
		if err := reserve(ctx, q, n.Workspace, turn.ID, *n.Free); err != nil {
			return Turn{}, false, err
		}
	}
	shown := document
	if n.Document == nil {
		shown = nil // the document is already shown earlier in the conversation
	}
	err = q.AddMessage(ctx, db.AddMessageParams{ID: newID(), WorkspaceID: n.Workspace, ConversationID: n.Conversation,
		TurnID: turn.ID, Role: "user", Text: clean(n.Text), State: "complete", DocumentID: shown,
		CreatedAt: turn.CreatedAt})
	if err != nil {
		return Turn{}, false, err
	}
	if n.Document != nil && n.Document.Type != "" {
		err := q.HandInRequiredDocument(ctx,
			db.HandInRequiredDocumentParams{DocumentID: document, ConversationID: n.Conversation,
				Type: OneLine(n.Document.Type)})
		if err != nil {
			return Turn{}, false, err
		}
	}
	if conversation.Title == "" || retitle {
		title := clean(n.Text)
		if n.Document != nil && OneLine(n.Document.Name) != "" {
			title = OneLine(n.Document.Name)
		}
		if err := q.TitleConversation(ctx,
			db.TitleConversationParams{ID: n.Conversation, Title: short(title, maxTitle)}); err != nil {
			return Turn{}, false, err
		}
	}
	if err := q.TouchConversation(ctx, n.Conversation); err != nil {
		return Turn{}, false, err
	}
	if err := linkLog(ctx, q, "link_handed_in"); err != nil {
		return Turn{}, false, err
	}
	return turn, false, q.Notify(ctx, n.Conversation)
}

// documentOf returns the document of a turn, storing it if it is new, and whether the turn is charged.
func documentOf(ctx context.Context, q *db.Queries, n NewTurn,
	c Conversation) (document *uuid.UUID, charged bool, err error) {
	charged = n.Free != nil
	if n.Read {
		if c.NoticeID == nil {
			return nil, false, ErrNotFound
		}
		asked, err := q.AskedOf(ctx, db.AskedOfParams{DocumentID: c.NoticeID, Kind: n.Kind})
		if err == nil && asked {
			err = ErrAskedBefore
		}
		return c.NoticeID, charged, err
	}
	if n.Document == nil {
		return nil, charged, nil
	}
	if charged && n.Document.Type != "" {
		asked, err := q.AskedFor(ctx, db.AskedForParams{ConversationID: n.Conversation, Type: OneLine(n.Document.Type)})
		if err != nil {
			return nil, false, err
		}
		charged = !asked
	}
	// checked before the document's bytes are stored; the unique index enforces it as well
	last, err := optional(q.LatestTurn(ctx, n.Conversation))
	if err != nil {
		return nil, false, err
	}
	if last != nil && (last.State == "queued" || last.State == "running") {
		return nil, false, ErrTurnOpen
	}
	id, err := addDocument(ctx, q, n.Workspace, n.Conversation, *n.Document)
	return &id, charged, err
}

// exchangeOf returns the first turn of the exchange whose question is asked again (nil for a new question), and
// whether that exchange is the first of the conversation.
func exchangeOf(ctx context.Context, q *db.Queries, n NewTurn) (exchange *uuid.UUID, first bool, err error) {
	if n.Replaces == nil {
		return nil, false, nil
	}
	replaced, err := q.Turn(ctx, *n.Replaces)
	if err != nil {
		return nil, false, err
	}
	last, err := q.LatestTurn(ctx, n.Conversation)
	if err != nil {
		return nil, false, err
	}
	id := begins(last)
	switch {
	case begins(replaced) != id || last.Kind != n.Kind:
		return nil, false, ErrNotLast
	case last.State == "queued" || last.State == "running":
		return nil, false, ErrTurnOpen
	}
	begun, err := q.FirstTurn(ctx, n.Conversation)
	return &id, begun == id, err
}

// begins returns the id of the first turn of a turn's exchange.
func begins(t Turn) uuid.UUID {
	if t.Replaces != nil {
		return *t.Replaces
	}
	return t.ID
}

// inputsOf returns the values of inputs as stored: JSON of cleaned texts.
func inputsOf(given map[string]string) ([]byte, error) {
	texts := make(map[string]string, len(given))
	for id, text := range given {
		texts[id] = clean(text)
	}
	raw, err := json.Marshal(texts)
	if err != nil {
		return nil, fmt.Errorf("encode the inputs: %w", err)
	}
	return raw, nil
}

func sameInputs(kept, given []byte) bool {
	var a, b map[string]string
	return json.Unmarshal(kept, &a) == nil && json.Unmarshal(given, &b) == nil && maps.Equal(a, b)
}

// Turn returns a turn. ErrNotFound: it does not belong to this workspace.
func (s *Store) Turn(ctx context.Context, workspace, id uuid.UUID) (Turn, error) {
	var t Turn
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		t, err = q.Turn(ctx, id)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("read the turn: %w", err)
	}
	return t, nil
}

// Plugin returns the plugin of a conversation.
func (s *Store) Plugin(ctx context.Context, workspace, conversation uuid.UUID) (plugin string, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		plugin, err = q.PluginOf(ctx, conversation)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the conversation's plugin: %w", err)
	}
	return plugin, nil
}

// OpenTurn is a turn that has not ended, with what the reconciler needs.
type OpenTurn struct {
	Workspace, Conversation, Turn uuid.UUID
	Plugin, Kind, State           string
	Run                           string // "" before a run has taken it
	Stop                          bool   // the person wants to stop it
	Pinned                        string // the bundle of prompts it uses; "" for the one in use
}

// OpenTurns returns turns of all workspaces that were accepted before a time and have not ended, those waiting to be
// started first. If running is false, it leaves out running turns without a stop request.
func (s *Store) OpenTurns(ctx context.Context, before time.Time, running bool) ([]OpenTurn, error) {
	var open []OpenTurn
	err := s.system(ctx, func(q *db.Queries) error {
		rows, err := q.OpenTurns(ctx, db.OpenTurnsParams{Before: before, Running: running})
		if err != nil {
			return err
		}
		for _, r := range rows {
			open = append(open, OpenTurn{Workspace: r.WorkspaceID, Conversation: r.ConversationID, Turn: r.ID,
				Plugin: r.Plugin, Kind: r.Kind, State: r.State, Run: r.RunID, Stop: r.StopRequested, Pinned: r.Pinned})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the open turns: %w", err)
	}
	return open, nil
}

// RequestStop records that the person wants the turn to stop; it then stops even if its workflow has not started.
// ErrNotFound: it does not belong to this workspace, or has ended.
func (s *Store) RequestStop(ctx context.Context, workspace, turn uuid.UUID) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		n, err := q.RequestStop(ctx, turn)
		if err == nil && n == 0 {
			return ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("note the stop: %w", err)
	}
	return nil
}

// Requeue puts a turn that failed, or was stopped before anything was written, back into the queue, removes its
// apology, and returns it; any other turn it returns unchanged. free is the number of free uses, nil for any number. A
// failed turn can always be retried, and does not count again; a stopped turn counts again, and its use may have been
// spent meanwhile. ErrNotFound: it does not belong to this workspace; ErrTurnOpen: a later turn is open; ErrNoUseLeft:
// the free uses are used up.
func (s *Store) Requeue(ctx context.Context, workspace, id uuid.UUID, free *int) (Turn, error) {
	var turn Turn
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		t, err := q.LockTurn(ctx, id)
		if err != nil {
			return err
		}
		if turn = t; t.State != "failed" && t.State != "stopped" {
			return nil
		}
		last, err := q.LatestTurn(ctx, t.ConversationID)
		if err != nil {
			return err
		}
		if last.ID != id {
			return ErrTurnOpen
		}
		if t.State == "stopped" {
			if written, err := q.WrittenOf(ctx, id); err != nil || written {
				return err
			}
			if err := mayAgain(ctx, q, id, free); err != nil {
				return err
			}
		}
		if turn, err = q.RequeueTurn(ctx, id); err != nil {
			return err
		}
		if err := reopen(ctx, q, id); err != nil {
			return err
		}
		return q.Notify(ctx, t.ConversationID)
	})
	if violates(err, "turns_one_open") {
		err = ErrTurnOpen
	}
	if err != nil {
		return Turn{}, fmt.Errorf("queue the turn again: %w", err)
	}
	return turn, nil
}

// mayAgain returns ErrNoUseLeft if the turn's use was returned and has been spent on another turn since.
func mayAgain(ctx context.Context, q *db.Queries, turn uuid.UUID, free *int) error {
	if free == nil {
		return nil
	}
	// nil: not charged, or charged to an earlier visitor
	may, err := optional(q.MayUseAgain(ctx, db.MayUseAgainParams{TurnID: turn, Free: int32(*free)}))
	if err == nil && may != nil && !*may {
		err = ErrNoUseLeft
	}
	return err
}

// reopen removes the message of a failed or stopped turn, and resets its failed steps.
func reopen(ctx context.Context, q *db.Queries, turn uuid.UUID) error {
	if err := q.DropUnanswered(ctx, turn); err != nil {
		return err
	}
	return q.ReopenSteps(ctx, turn)
}

// Prune deletes the streamed pieces of turns that ended before a time (their messages have the text), and expired
// sessions and links.
func (s *Store) Prune(ctx context.Context, before time.Time) error {
	s.owners.Clear()
	err := s.system(ctx, func(q *db.Queries) error {
		if _, err := q.PruneEvents(ctx, &before); err != nil {
			return err
		}
		return errors.Join(q.PruneSessions(ctx), q.PruneKnownBrowsers(ctx), q.PruneOperatorLinks(ctx),
			q.PruneOperatorSessions(ctx, time.Now().Add(-operatorIdle)), q.PruneLetters(ctx), q.PruneThrottles(ctx))
	})
	if err != nil {
		return fmt.Errorf("prune what is not needed any more: %w", err)
	}
	return nil
}

// LastLanguage returns the language code of the answer that the person requested last, "" if there is none.
func (s *Store) LastLanguage(ctx context.Context, workspace uuid.UUID) (string, error) {
	var language *string
	err := s.look(ctx, workspace, func(q *db.Queries) (err error) {
		language, err = optional(q.LastLanguage(ctx))
		return err
	})
	if err != nil {
		return "", fmt.Errorf("look up the language of a person: %w", err)
	}
	if language == nil {
		return "", nil
	}
	return *language, nil
}
