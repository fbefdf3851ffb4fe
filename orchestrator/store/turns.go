package store

import (
	"bytes"
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

var errNoRows = pgx.ErrNoRows

// NewTurn is what a person hands in: words, or a document.
type NewTurn struct {
	Workspace, Conversation uuid.UUID
	Key                     string       // Idempotency-Key; "" means none
	Text                    string       // the user's message as it is shown
	Document                *NewDocument // nil for words alone
	Kind                    string       // a turn of the plugin's manifest
}

// Accept stores the message, the document if there is one, and a queued turn, all or nothing. The same Key again gives the
// turn that it made before, with again true. ErrNotFound: no such conversation; ErrTurnOpen: its last turn has not ended.
func (s *Store) Accept(ctx context.Context, n NewTurn) (turn Turn, again bool, err error) {
	var key *string
	if n.Key != "" {
		key = &n.Key
	}
	err = s.within(ctx, n.Workspace, func(q *db.Queries) error {
		conversation, err := q.LockConversation(ctx, n.Conversation)
		if err != nil {
			return err
		}
		if key != nil {
			before, err := optional(q.TurnByKey(ctx, n.Key))
			if err != nil {
				return err
			}
			if before != nil {
				turn, again = *before, true
				return nil
			}
		}
		last, err := optional(q.LatestTurn(ctx, n.Conversation))
		if err != nil {
			return err
		}
		if last != nil && (last.State == "queued" || last.State == "running") {
			return ErrTurnOpen
		}
		var document *uuid.UUID
		if n.Document != nil {
			id, err := addDocument(ctx, q, n.Workspace, n.Conversation, *n.Document)
			if err != nil {
				return err
			}
			document = &id
		}
		turn, err = q.CreateTurn(ctx, db.CreateTurnParams{ID: newID(), WorkspaceID: n.Workspace, ConversationID: n.Conversation,
			Kind: n.Kind, DocumentID: document, IdempotencyKey: key})
		if err != nil {
			return err
		}
		err = q.AddMessage(ctx, db.AddMessageParams{ID: newID(), WorkspaceID: n.Workspace, ConversationID: n.Conversation,
			TurnID: turn.ID, Role: "user", Text: clean(n.Text), State: "complete", DocumentID: document, CreatedAt: turn.CreatedAt})
		if err != nil {
			return err
		}
		if document != nil && n.Document.Type != "" {
			err := q.HandInRequiredDocument(ctx, db.HandInRequiredDocumentParams{DocumentID: document, ConversationID: n.Conversation, Type: clean(n.Document.Type)})
			if err != nil {
				return err
			}
		}
		if conversation.Title == "" {
			title := clean(n.Text)
			if n.Document != nil {
				title = clean(n.Document.Name)
			}
			if err := q.TitleConversation(ctx, db.TitleConversationParams{ID: n.Conversation, Title: short(title, 120)}); err != nil {
				return err
			}
		}
		if err := q.TouchConversation(ctx, n.Conversation); err != nil {
			return err
		}
		return q.Notify(ctx, n.Conversation)
	})
	switch {
	case violates(err, "turns_one_open"):
		return Turn{}, false, ErrTurnOpen
	case err != nil:
		return Turn{}, false, fmt.Errorf("accept the turn: %w", err)
	}
	return turn, again, nil
}

// Turn gives a turn. ErrNotFound: not this workspace's.
func (s *Store) Turn(ctx context.Context, workspace, id uuid.UUID) (Turn, error) {
	var t Turn
	err := s.within(ctx, workspace, func(q *db.Queries) (err error) {
		t, err = q.Turn(ctx, id)
		return err
	})
	if err != nil {
		return Turn{}, fmt.Errorf("read the turn: %w", err)
	}
	return t, nil
}

// Plugin tells which plugin a conversation is held with.
func (s *Store) Plugin(ctx context.Context, workspace, conversation uuid.UUID) (plugin string, err error) {
	err = s.within(ctx, workspace, func(q *db.Queries) error {
		plugin, err = q.PluginOf(ctx, conversation)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read the conversation's plugin: %w", err)
	}
	return plugin, nil
}

// OpenTurn is a turn that has not ended, as the sweep sees it.
type OpenTurn struct {
	Workspace, Conversation, Turn uuid.UUID
	Plugin, Kind, State           string
	Stop                          bool // the person wants it to stop
}

// OpenTurns gives the turns of every workspace that were accepted before the time and have not ended, oldest first.
func (s *Store) OpenTurns(ctx context.Context, before time.Time) ([]OpenTurn, error) {
	var open []OpenTurn
	err := s.system(ctx, func(q *db.Queries) error {
		rows, err := q.OpenTurns(ctx, before)
		if err != nil {
			return err
		}
		for _, r := range rows {
			plugin, err := q.PluginOf(ctx, r.ConversationID)
			if err != nil {
				return err
			}
			open = append(open, OpenTurn{r.WorkspaceID, r.ConversationID, r.ID, plugin, r.Kind, r.State, r.StopRequested})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the open turns: %w", err)
	}
	return open, nil
}

// RequestStop notes that the person wants the turn to stop, so that it stops even where its workflow has not begun.
// ErrNotFound: not this workspace's, or it has ended.
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

// Requeue puts a failed turn back in the queue, takes its apology away, and gives it; a turn that is open or ended
// otherwise is given as it is. ErrNotFound: not this workspace's; ErrTurnOpen: the conversation has gone on since.
func (s *Store) Requeue(ctx context.Context, workspace, id uuid.UUID) (Turn, error) {
	var turn Turn
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		t, err := q.LockTurn(ctx, id)
		if err != nil {
			return err
		}
		if turn = t; t.State != "failed" {
			return nil
		}
		last, err := q.LatestTurn(ctx, t.ConversationID)
		if err != nil {
			return err
		}
		if last.ID != id {
			return ErrTurnOpen
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

// reopen takes the marks of a failure off a turn.
func reopen(ctx context.Context, q *db.Queries, turn uuid.UUID) error {
	if err := q.DropApology(ctx, turn); err != nil {
		return err
	}
	return q.ReopenSteps(ctx, turn)
}

// PruneEvents deletes the streamed pieces of turns that ended before the time; their text is in the messages.
func (s *Store) PruneEvents(ctx context.Context, before time.Time) (int64, error) {
	var n int64
	err := s.system(ctx, func(q *db.Queries) (err error) {
		n, err = q.PruneEvents(ctx, &before)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("prune streamed text: %w", err)
	}
	return n, nil
}

// Ref names a turn and the workflow run that works on it.
type Ref struct {
	Workspace, Conversation, Turn uuid.UUID
	Run                           string
}

// asRun runs fn in a transaction that holds the turn for the run. A run that was not seen before takes the turn over
// (a reset made it); a run that was replaced, or has ended the turn, gets ErrSuperseded and fn is not called.
func (s *Store) asRun(ctx context.Context, ref Ref, what string, fn func(*db.Queries, Turn) error) error {
	err := s.within(ctx, ref.Workspace, func(q *db.Queries) error {
		turn, err := q.LockTurn(ctx, ref.Turn)
		if err != nil {
			return err
		}
		if turn.State != "running" || turn.RunID == nil || *turn.RunID != ref.Run {
			if turn, err = take(ctx, q, ref, turn); err != nil {
				return err
			}
		}
		return fn(q, turn)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// take gives the turn to a run that does not have it.
func take(ctx context.Context, q *db.Queries, ref Ref, before Turn) (Turn, error) {
	turn, err := optional(q.ClaimTurn(ctx, db.ClaimTurnParams{ID: ref.Turn, RunID: ref.Run}))
	if violates(err, "turns_one_open") {
		return Turn{}, ErrSuperseded // a later turn of the conversation is at work: this one stays as it ended
	}
	if err != nil {
		return Turn{}, err
	}
	if turn == nil {
		return Turn{}, ErrSuperseded
	}
	if before.RunID != nil {
		if err := reopen(ctx, q, ref.Turn); err != nil {
			return Turn{}, err
		}
	}
	return *turn, q.Notify(ctx, ref.Conversation)
}

// PlannedStep is a step as the manifest lists it.
type PlannedStep struct{ ID, Kind, Title string }

// Begin gives the turn to the run and writes down its steps. Stop tells that the person stopped it before it began.
func (s *Store) Begin(ctx context.Context, ref Ref, steps []PlannedStep) (stop bool, err error) {
	err = s.asRun(ctx, ref, "begin the turn", func(q *db.Queries, t Turn) error {
		stop = t.StopRequested
		if err := q.DropSteps(ctx, ref.Turn); err != nil {
			return err
		}
		for i, st := range steps {
			err := q.AddStep(ctx, db.AddStepParams{TurnID: ref.Turn, Position: int32(i), WorkspaceID: ref.Workspace, ID: st.ID, Kind: st.Kind, Title: st.Title})
			if err != nil {
				return err
			}
		}
		return q.Notify(ctx, ref.Conversation)
	})
	return stop, err
}

// StepState is where a step stands, as a person sees it.
type StepState struct {
	State       string // pending, running, done, failed
	Note        string
	Done, Total int
}

// SetStep notes where a step stands and wakes whoever watches.
func (s *Store) SetStep(ctx context.Context, ref Ref, step string, st StepState) error {
	return s.asRun(ctx, ref, "note the step", func(q *db.Queries, _ Turn) error {
		return setStep(ctx, q, ref, step, st)
	})
}

func setStep(ctx context.Context, q *db.Queries, ref Ref, step string, st StepState) error {
	err := q.SetStep(ctx, db.SetStepParams{TurnID: ref.Turn, ID: step, State: st.State, Note: st.Note, Done: int32(st.Done), Total: int32(st.Total)})
	if err != nil {
		return err
	}
	return q.Notify(ctx, ref.Conversation)
}

// SavePage keeps a page that was read and notes the step's progress; a page that is kept already stays as it is.
func (s *Store) SavePage(ctx context.Context, ref Ref, document uuid.UUID, p Page, step string, st StepState) error {
	return s.asRun(ctx, ref, "keep the page", func(q *db.Queries, _ Turn) error {
		err := q.AddPage(ctx, db.AddPageParams{DocumentID: document, Number: int32(p.Number), WorkspaceID: ref.Workspace, Text: clean(p.Text),
			Method: p.Method, Confidence: p.Confidence, Languages: p.Languages, Width: p.Width, Height: p.Height})
		if err != nil {
			return err
		}
		return setStep(ctx, q, ref, step, st)
	})
}

// SaveFacts keeps what was computed from the notice, names the conversation after it, and ends the step.
func (s *Store) SaveFacts(ctx context.Context, ref Ref, document uuid.UUID, facts []byte, title, step string) error {
	return s.asRun(ctx, ref, "keep the facts", func(q *db.Queries, _ Turn) error {
		if err := q.PutFacts(ctx, db.PutFactsParams{DocumentID: document, WorkspaceID: ref.Workspace, Facts: facts}); err != nil {
			return err
		}
		if title != "" {
			if err := q.TitleConversation(ctx, db.TitleConversationParams{ID: ref.Conversation, Title: short(clean(title), 120)}); err != nil {
				return err
			}
		}
		return setStep(ctx, q, ref, step, StepState{State: "done"})
	})
}

// ResultKey names what a step, or one part of it, made of given inputs.
type ResultKey struct{ Step, Part, InputSHA string }

// Result gives what a step made of these inputs before. ErrNotFound: it has not finished with them.
func (s *Store) Result(ctx context.Context, ref Ref, key ResultKey) (json.RawMessage, error) {
	var out json.RawMessage
	err := s.within(ctx, ref.Workspace, func(q *db.Queries) (err error) {
		out, err = q.Result(ctx, db.ResultParams{TurnID: ref.Turn, Step: key.Step, Part: key.Part, InputSha: key.InputSHA})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for the step's result: %w", err)
	}
	return out, nil
}

// SaveResult keeps what a step made, and ends the step unless this is only a part of it.
func (s *Store) SaveResult(ctx context.Context, ref Ref, key ResultKey, output any) error {
	raw, err := json.Marshal(output)
	if err != nil {
		return fmt.Errorf("encode the step's result: %w", err)
	}
	return s.asRun(ctx, ref, "keep the step's result", func(q *db.Queries, _ Turn) error {
		err := q.PutResult(ctx, db.PutResultParams{TurnID: ref.Turn, Step: key.Step, Part: key.Part, InputSha: key.InputSHA, WorkspaceID: ref.Workspace, Output: cleanJSON(raw)})
		if err != nil || key.Part != "" {
			return err
		}
		return setStep(ctx, q, ref, key.Step, StepState{State: "done"})
	})
}

// OpenEpoch starts the turn's text anew for this attempt of the step: what an earlier attempt wrote is no longer
// current, and its writer is shut out.
func (s *Store) OpenEpoch(ctx context.Context, ref Ref, step string) (epoch int64, err error) {
	err = s.asRun(ctx, ref, "open the text", func(q *db.Queries, _ Turn) error {
		if epoch, err = q.NextEpoch(ctx, ref.Conversation); err != nil {
			return err
		}
		if _, err := q.SetEpoch(ctx, db.SetEpochParams{ID: ref.Turn, RunID: ref.Run, Epoch: epoch}); err != nil {
			return err
		}
		return setStep(ctx, q, ref, step, StepState{State: "running"})
	})
	return epoch, err
}

// Append adds a piece to the text of an epoch; it is seen at once and need not survive a crash of the database, since a
// lost connection opens a new epoch. ErrSuperseded: the epoch is no longer current.
func (s *Store) Append(ctx context.Context, ref Ref, at EventID, text string) error {
	err := s.within(ctx, ref.Workspace, func(q *db.Queries) error {
		if err := q.Relax(ctx); err != nil {
			return err
		}
		n, err := q.AddEvent(ctx, db.AddEventParams{TurnID: ref.Turn, RunID: ref.Run, Epoch: at.Epoch, Seq: at.Seq, Text: clean(text)})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrSuperseded
		}
		return q.Notify(ctx, ref.Conversation)
	})
	if err != nil {
		return fmt.Errorf("add to the text: %w", err)
	}
	return nil
}

// Required is a document that a reply asks for.
type Required struct{ Type, Reason string }

// ReplaceRequired makes the list the conversation's required documents, keeping what was handed in under the same name.
func (s *Store) ReplaceRequired(ctx context.Context, ref Ref, list []Required, step string) error {
	return s.asRun(ctx, ref, "keep the required documents", func(q *db.Queries, _ Turn) error {
		before, err := q.RequiredDocuments(ctx, ref.Conversation)
		if err != nil {
			return err
		}
		handedIn := map[string]*uuid.UUID{}
		for _, r := range before {
			handedIn[strings.ToLower(r.Type)] = r.DocumentID
		}
		if err := q.ClearRequiredDocuments(ctx, ref.Conversation); err != nil {
			return err
		}
		for i, r := range list {
			err := q.AddRequiredDocument(ctx, db.AddRequiredDocumentParams{ConversationID: ref.Conversation, Position: int32(i), WorkspaceID: ref.Workspace,
				Type: clean(r.Type), Reason: clean(r.Reason), DocumentID: handedIn[strings.ToLower(clean(r.Type))]})
			if err != nil {
				return err
			}
		}
		return setStep(ctx, q, ref, step, StepState{State: "done"})
	})
}

// Ending is how a turn ends: answered with its text, stopped with what was written, or failed with an apology.
type Ending struct {
	State      string // answered, stopped, failed
	Text       string // the answer or the apology; for stopped it is taken from what was streamed
	Provenance json.RawMessage
	Checks     json.RawMessage
	ErrorCode  string
	Sentence   string
}

// End settles the turn and the assistant's message in one transaction. To end it again as the same run changes nothing.
func (s *Store) End(ctx context.Context, ref Ref, e Ending) error {
	err := s.asRun(ctx, ref, "end the turn", func(q *db.Queries, t Turn) error { return end(ctx, q, t, e) })
	if errors.Is(err, ErrSuperseded) {
		t, terr := s.Turn(ctx, ref.Workspace, ref.Turn)
		if terr == nil && t.RunID != nil && *t.RunID == ref.Run && t.State == e.State {
			return nil
		}
	}
	return err
}

// EndFromOutside ends a turn whose workflow never began, or was closed without ending it. ErrNotFound: it has ended.
func (s *Store) EndFromOutside(ctx context.Context, workspace, turn uuid.UUID, e Ending) error {
	err := s.within(ctx, workspace, func(q *db.Queries) error {
		t, err := q.LockTurn(ctx, turn)
		if err != nil {
			return err
		}
		if t.State != "queued" && t.State != "running" {
			return ErrNotFound
		}
		return end(ctx, q, t, e)
	})
	if err != nil {
		return fmt.Errorf("end the turn from outside: %w", err)
	}
	return nil
}

func end(ctx context.Context, q *db.Queries, t Turn, e Ending) error {
	text, state := e.Text, "complete"
	switch e.State {
	case "failed":
		state = "failed"
	case "stopped":
		state = "stopped"
		events, err := q.Events(ctx, db.EventsParams{ConversationID: t.ConversationID, Epoch: t.Epoch})
		if err != nil {
			return err
		}
		text = ""
		for _, ev := range events {
			text += ev.Text
		}
	}
	if text != "" || e.State != "stopped" {
		if e.Checks == nil {
			e.Checks = json.RawMessage("[]")
		}
		err := q.PutAnswer(ctx, db.PutAnswerParams{ID: newID(), WorkspaceID: t.WorkspaceID, ConversationID: t.ConversationID, TurnID: t.ID,
			Text: clean(text), State: state, Provenance: e.Provenance, Checks: e.Checks})
		if err != nil {
			return err
		}
	}
	last := "done"
	if e.State != "answered" {
		last = "failed"
	}
	if err := q.EndSteps(ctx, db.EndStepsParams{TurnID: t.ID, State: last}); err != nil {
		return err
	}
	if _, err := q.EndTurn(ctx, db.EndTurnParams{ID: t.ID, State: e.State, ErrorCode: e.ErrorCode, ErrorSentence: e.Sentence}); err != nil {
		return err
	}
	if err := q.TouchConversation(ctx, t.ConversationID); err != nil {
		return err
	}
	return q.Notify(ctx, t.ConversationID)
}

// Material is what a prompt step may speak about.
type Material struct {
	Kind         string
	Message      string // the person's words of this turn
	NoticeID     uuid.UUID
	Notice       []Page // the conversation's notice
	Document     []Page // the document handed in with this turn, when it is not the notice
	DocumentID   *uuid.UUID
	DocumentType string
	Facts        []byte // JSON of the notice's facts, nil when there are none
	History      []Message
	Required     []RequiredDocumentRow
}

// Material gathers what the turn's prompts speak about.
func (s *Store) Material(ctx context.Context, ref Ref) (Material, error) {
	var m Material
	err := s.within(ctx, ref.Workspace, func(q *db.Queries) error {
		turn, err := q.Turn(ctx, ref.Turn)
		if err != nil {
			return err
		}
		m.Kind, m.DocumentID = turn.Kind, turn.DocumentID
		notice, err := optional(q.NoticeOf(ctx, ref.Conversation))
		if err != nil {
			return err
		}
		if notice != nil {
			m.NoticeID = notice.ID
			if m.Notice, err = pages(ctx, q, notice.ID); err != nil {
				return err
			}
		}
		if m.Facts, err = noticeFacts(ctx, q, ref.Conversation); err != nil {
			return err
		}
		if turn.DocumentID != nil && *turn.DocumentID != m.NoticeID {
			d, err := q.Document(ctx, *turn.DocumentID)
			if err != nil {
				return err
			}
			m.DocumentType = d.Type
			if m.Document, err = pages(ctx, q, d.ID); err != nil {
				return err
			}
		}
		messages, err := q.Messages(ctx, ref.Conversation)
		if err != nil {
			return err
		}
		for _, msg := range messages {
			switch {
			case msg.TurnID == ref.Turn && msg.Role == "user":
				m.Message = msg.Text
			case msg.TurnID != ref.Turn && msg.State != "failed":
				m.History = append(m.History, msg)
			}
		}
		m.Required, err = q.RequiredDocuments(ctx, ref.Conversation)
		return err
	})
	if err != nil {
		return Material{}, fmt.Errorf("gather what the turn speaks about: %w", err)
	}
	return m, nil
}

// clean makes text fit for PostgreSQL: valid UTF-8 without NUL.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// cleanJSON takes escaped NULs out of JSON, which jsonb cannot hold.
func cleanJSON(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		if bytes.HasPrefix(raw[i:], []byte(`\u0000`)) {
			i += 5
			continue
		}
		out = append(out, raw[i], raw[i+1]) // an escaped backslash is no beginning of another escape
		i++
	}
	return out
}

// short cuts text to at most n runes, on one line.
func short(text string, n int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}
