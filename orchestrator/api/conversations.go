package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// maxMessage is the longest message of a person, in bytes; longer texts must be sent as documents.
const maxMessage = 64 << 10

// ConversationList is one page of a person's conversations.
type ConversationList struct {
	Conversations []Conversation `json:"conversations" doc:"Latest first; empty ones are left out"`
	More          bool           `json:"more" doc:"There are more after these"`
}

type listInput struct {
	Plugin string `query:"plugin" doc:"Only conversations with this plugin"`
	Search string `query:"search" maxLength:"200" doc:"In the title and in what the person said"`
	Skip   int    `query:"skip" minimum:"0" maximum:"1000000"`
	Most   int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) conversations(ctx context.Context, in *listInput) (*body[ConversationList], error) {
	list := ConversationList{Conversations: []Conversation{}}
	workspace, err := who(ctx)
	if err != nil {
		return &body[ConversationList]{list}, nil // someone without a session has none yet
	}
	rows, more, err := s.Store.Conversations(ctx, workspace,
		store.ConversationQuery{Plugin: plainText(in.Plugin), Search: plainText(in.Search), Skip: in.Skip,
			Most: in.Most})
	if err != nil {
		return nil, s.toProblem(err)
	}
	list.More = more
	for _, r := range rows {
		list.Conversations = append(list.Conversations,
			Conversation{ID: r.ID.String(), Plugin: r.Plugin, Title: r.Title, CreatedAt: r.CreatedAt,
				UpdatedAt: r.UpdatedAt, TurnState: r.TurnState})
	}
	return &body[ConversationList]{list}, nil
}

type createInput struct {
	Body struct {
		Plugin string `json:"plugin" example:"notice"`
	}
}

type createOutput struct {
	SetCookie string `header:"Set-Cookie" doc:"The session, for a visitor"`
	Body      Conversation
}

func (s *server) createConversation(ctx context.Context, in *createInput) (*createOutput, error) {
	if _, err := s.plugin(ctx, in.Body.Plugin); err != nil {
		return nil, s.toProblem(err)
	}
	workspace, cookie, err := s.welcome(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	c, err := s.Store.CreateConversation(ctx, workspace, in.Body.Plugin)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &createOutput{SetCookie: cookie, Body: conversation(c, "none")}, nil
}

// plainText removes what a database cannot store: bytes that are not valid text.
func plainText(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

type idInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (s *server) conversation(ctx context.Context, in *idInput) (*body[ConversationDetail], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	d, err := s.Store.Detail(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[ConversationDetail]{detail(d)}, nil
}

type messageInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Key  string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
	Body struct {
		Text   string            `json:"text" required:"false" doc:"The person's words; left out for a form"`
		Inputs map[string]string `json:"inputs,omitempty" doc:"Values of the plugin's inputs, by their ids"`
		// A question that is asked again keeps its place: the new turn belongs to the same exchange, and the earlier
		// answer remains readable.
		Replaces *uuid.UUID `json:"replaces,omitempty" format:"uuid" doc:"A turn of the last exchange, whose question is asked again"`
	}
}

func (s *server) postMessage(ctx context.Context, in *messageInput) (*body[Turn], error) {
	text := strings.TrimSpace(plainText(in.Body.Text))
	switch {
	case text == "" && (len(in.Body.Inputs) == 0 || in.Body.Replaces != nil):
		return nil, blankMessage()
	case len(text) > maxMessage:
		return nil, tooLong()
	}
	return s.accept(ctx, in.ID, in.Key, handIn{text: text, inputs: in.Body.Inputs, replaces: in.Body.Replaces})
}

type renameInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Title string `json:"title" maxLength:"1000" doc:"At most 120 letters are kept"`
	}
}

func (s *server) renameConversation(ctx context.Context, in *renameInput) (*none, error) {
	title := store.OneLine(in.Body.Title)
	if title == "" {
		return nil, refuse("blank_title", nil)
	}
	return s.ofMine(ctx, in.ID, func(ctx context.Context, workspace, id uuid.UUID) error {
		return s.Store.Rename(ctx, workspace, id, title)
	})
}

func blankMessage() *Problem {
	return refuse("blank_message", nil)
}

func tooLong() *Problem {
	return refuse("message_too_long", nil)
}

// handIn is what a person sends: text, a form, a document, or a form with a document; or a turn that they start with a
// button.
type handIn struct {
	kind     string // the requested kind of turn; "" if it follows from what is sent
	text     string
	inputs   map[string]string // by input id
	document *store.NewDocument
	read     bool                // it is about the notice that was read earlier in the conversation
	figures  []store.NewDocument // files to be compared with the notice
	replaces *uuid.UUID          // a turn whose question is asked again
	language string              // of the answer; "" for the request's language
}

// accept stores a turn and starts its workflow. A stored turn will be done: if the workflow cannot be started now, the
// reconciler starts it later.
func (s *server) accept(ctx context.Context, conversation uuid.UUID, key string, in handIn) (*body[Turn], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.acceptFor(ctx, workspace, conversation, key, in)
}

// acceptFor is accept for a given workspace.
func (s *server) acceptFor(ctx context.Context, workspace, conversation uuid.UUID, key string,
	in handIn) (*body[Turn], error) {
	var name string
	var serve []PluginInfo
	both, bothCtx := errgroup.WithContext(ctx)
	both.Go(func() (err error) { name, err = s.Store.Plugin(bothCtx, workspace, conversation); return err })
	both.Go(func() (err error) { serve, err = s.Catalogue.Plugins(bothCtx); return err })
	if err := both.Wait(); err != nil {
		return nil, s.toProblem(err)
	}
	plugin, err := pluginIn(serve, name)
	if err != nil {
		return nil, s.toProblem(err)
	}
	n := store.NewTurn{Workspace: workspace, Conversation: conversation, Key: plainText(key), Document: in.document,
		Read: in.read, Figures: in.figures, Replaces: in.replaces, Language: cmp.Or(in.language, answersIn(ctx)),
		Free: s.freeUses(ctx)}
	if n.Kind, n.Text, n.Inputs, err = plugin.take(in); err != nil {
		return nil, s.toProblem(err)
	}
	if in.kind == figuresTurn {
		n.Free = nil
	}
	if in.document == nil && in.figures == nil { // turns accepted before this one and not yet started
		if err := s.mayAsk(ctx, workspace); err != nil {
			return nil, s.toProblem(err)
		}
		if err := s.spareTurn(ctx, workspace, "turn"); err != nil {
			return nil, s.toProblem(err)
		}
	}
	turn, again, err := s.Store.Accept(ctx, n)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if !again {
		if err := s.Work.StartTurn(ctx, TurnInput(turn, name)); err != nil {
			s.Log.WarnContext(ctx, "the turn's workflow could not be started now; the reconciler will", "turn", turn.ID,
				"error", err)
		}
		return &body[Turn]{*turnOf(&store.Live{Turn: turn})}, nil
	}
	return s.turn(ctx, workspace, turn)
}

// TurnInput returns the input of a turn's workflow.
func TurnInput(t store.Turn, plugin string) workflows.TurnInput {
	return workflows.TurnInput{
		Workspace:    t.WorkspaceID.String(),
		Conversation: t.ConversationID.String(),
		Turn:         t.ID.String(),
		Plugin:       plugin,
		Kind:         t.Kind,
		Pinned:       t.Pinned,
	}
}

// turn answers with the turn in its current state or, if that cannot be read, as it was stored.
func (s *server) turn(ctx context.Context, workspace uuid.UUID, t store.Turn) (*body[Turn], error) {
	f, err := s.Store.Follow(ctx, workspace, t.ConversationID, store.EventID{})
	if err != nil { // it was stored, so the person must not be told that sending failed
		s.Log.Warn("the turn could not be looked at again", "turn", t.ID, "error", err)
	}
	if f.Live == nil || f.Live.Turn.ID != t.ID {
		f.Live = &store.Live{Turn: t}
	}
	return &body[Turn]{*turnOf(f.Live)}, nil
}

// owned returns a turn and its plugin, if it belongs to the caller.
func (s *server) owned(ctx context.Context, id uuid.UUID) (store.Turn, string, error) {
	workspace, err := who(ctx)
	if err != nil {
		return store.Turn{}, "", err
	}
	t, err := s.Store.Turn(ctx, workspace, id)
	if err != nil {
		return store.Turn{}, "", err
	}
	plugin, err := s.Store.Plugin(ctx, workspace, t.ConversationID)
	return t, plugin, err
}

func (s *server) stopTurn(ctx context.Context, in *idInput) (*body[Turn], error) {
	t, _, err := s.owned(ctx, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	// Stored first, so that the reconciler and the workflow's first step see it even if the request to Temporal fails.
	err = s.Store.RequestStop(ctx, t.WorkspaceID, t.ID)
	if err == nil {
		var state workflows.WorkflowState
		if state, err = s.Work.StopTurn(ctx, t.ID.String()); err != nil {
			s.Log.WarnContext(ctx, "the stop did not reach Temporal; the reconciler will bring it", "turn", t.ID,
				"error", err)
			err = nil
		} else if state == workflows.Missing {
			err = s.Store.EndFromOutside(ctx, t.WorkspaceID, t.ID, store.Ending{State: "stopped"}, nil)
		}
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) { // not found: it has ended meanwhile
		return nil, s.toProblem(err)
	}
	if t, err = s.Store.Turn(ctx, t.WorkspaceID, t.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return s.turn(ctx, t.WorkspaceID, t)
}

func (s *server) retryTurn(ctx context.Context, in *idInput) (*body[Turn], error) {
	t, plugin, err := s.owned(ctx, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.mayAsk(ctx, t.WorkspaceID); err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.spareTurn(ctx, t.WorkspaceID, "turn"); err != nil {
		return nil, s.toProblem(err)
	}
	if t, err = s.Store.Requeue(ctx, t.WorkspaceID, t.ID, s.freeUses(ctx)); err != nil {
		return nil, s.toProblem(err)
	}
	if t.State == "answered" || t.State == "stopped" {
		return nil, refuse("not_failed", nil)
	}
	if t.State != "queued" {
		return s.turn(ctx, t.WorkspaceID, t)
	}
	if err := s.Work.RetryTurn(ctx, TurnInput(t, plugin)); err != nil {
		s.Log.WarnContext(ctx, "the turn could not be retried now; the reconciler will", "turn", t.ID, "error", err)
	}
	return s.turn(ctx, t.WorkspaceID, t)
}

// takeOffline lets the offline engine answer a turn whose model provider does not respond. A turn that has ended stays
// unchanged.
func (s *server) takeOffline(ctx context.Context, in *idInput) (*body[Turn], error) {
	t, _, err := s.owned(ctx, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if t.State == "queued" || t.State == "running" {
		if _, err := s.Work.TakeOffline(ctx, t.ID.String()); err != nil {
			return nil, s.toProblem(problem.New("unavailable", nil, err))
		}
	}
	return s.turn(ctx, t.WorkspaceID, t)
}

// closeFollowUp ends the wait for the required documents. This is stored first, and then signalled to the workflow; if
// that cannot be reached now, the reconciler signals it later.
func (s *server) closeFollowUp(ctx context.Context, in *idInput) (*body[ConversationDetail], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	plugin, err := s.Store.Plugin(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	switch err := s.Store.CloseFollowUp(ctx, workspace, in.ID); {
	case errors.Is(err, store.ErrNotFound): // the wait has already ended
	case err != nil:
		return nil, s.toProblem(err)
	default:
		follow := workflows.FollowUpInput{Workspace: workspace.String(), Conversation: in.ID.String(), Plugin: plugin}
		if err := s.Work.WakeFollowUp(ctx, follow); err != nil {
			s.Log.Warn("the follow-up could not be told now that it is closed; the reconciler will", "conversation",
				in.ID, "error", err)
		}
	}
	return s.conversation(ctx, in)
}

func conversation(c store.Conversation, state string) Conversation {
	return Conversation{
		ID:        c.ID.String(),
		Plugin:    c.Plugin,
		Title:     c.Title,
		CreatedAt: c.CreatedAt,
		UpdatedAt: c.UpdatedAt,
		TurnState: state,
	}
}

func detail(d store.Detail) ConversationDetail {
	out := ConversationDetail{Conversation: conversation(d.Conversation, "none"), Messages: []Message{},
		Documents: []Document{}, RequiredDocuments: []RequiredDocument{}, Turn: turnOf(d.Live)}
	if d.Live != nil {
		out.TurnState = d.Live.Turn.State
	}
	if d.Facts != nil {
		raw := json.RawMessage(d.Facts)
		out.Facts = &raw
	}
	if f := d.FollowUp; f != nil && f.State != "idle" { // idle: it only reminds of dates
		out.FollowUp = &FollowUp{State: f.State, OpenedAt: f.OpenedAt, EndedAt: f.EndedAt}
		if f.CloseRequested && f.State == "waiting" {
			out.FollowUp.State = "closed" // its workflow ends it in a moment
		}
	}
	for _, m := range d.Messages {
		out.Messages = append(out.Messages, messageOf(m))
	}
	for _, doc := range d.Documents {
		out.Documents = append(out.Documents,
			Document{ID: doc.ID.String(), Name: doc.Name, Type: doc.Type, Bytes: doc.Bytes, Pages: int(doc.Pages),
				PagesRead: int(doc.PagesRead), Recognised: int(doc.Recognised), Damaged: doc.Damaged,
				CreatedAt: doc.CreatedAt})
	}
	for _, r := range d.Required {
		out.RequiredDocuments = append(out.RequiredDocuments,
			RequiredDocument{Type: r.Type, Name: r.Name, Reason: r.Reason, State: r.State,
				DocumentID: text(r.DocumentID)})
	}
	return out
}

func messageOf(l store.MessageLine) Message {
	m := l.Message
	out := Message{ID: m.ID.String(), TurnID: m.TurnID.String(), Exchange: l.Exchange.String(), Role: m.Role,
		Text: m.Text, State: m.State, DocumentID: text(m.DocumentID), Checks: []Check{}, CreatedAt: m.CreatedAt}
	if m.Role == "user" {
		_ = json.Unmarshal(l.Inputs, &out.Inputs) // valid, since we wrote it; so are the checks below
	}
	if len(m.Provenance) > 0 {
		var p Provenance
		if json.Unmarshal(m.Provenance, &p) == nil {
			out.Provenance = &p
		}
	}
	if len(m.Checks) > 0 {
		_ = json.Unmarshal(m.Checks, &out.Checks) // we wrote it; if it is unreadable, the message is still shown
		countUTF16(m.Text, out.Checks)
	}
	return out
}

// countUTF16 converts the positions of checks from bytes, as stored, to UTF-16 code units, as browsers count. The
// checks must be sorted by position.
func countUTF16(text string, checks []Check) {
	at, units := 0, 0
	unitsAt := func(offset int) int {
		if offset < at {
			at, units = 0, 0
		}
		for at < offset && at < len(text) {
			r, size := utf8.DecodeRuneInString(text[at:])
			at += size
			units += utf16.RuneLen(r)
		}
		return units
	}
	for i := range checks {
		checks[i].Start = unitsAt(checks[i].Start)
		checks[i].End = unitsAt(checks[i].End)
	}
}

func turnOf(l *store.Live) *Turn {
	if l == nil {
		return nil
	}
	t := &Turn{
		ID:         l.Turn.ID.String(),
		Kind:       l.Turn.Kind,
		State:      l.Turn.State,
		Steps:      []Step{},
		Queue:      l.Queue,
		CreatedAt:  l.Turn.CreatedAt,
		FinishedAt: l.Turn.FinishedAt,
	}
	for _, st := range l.Steps {
		note := noteOf(st.Note)
		t.Steps = append(t.Steps, Step{ID: st.ID, Kind: st.Kind, Title: st.Title, State: st.State, Note: note.English,
			Said: Saying(note), Done: int(st.Done), Total: int(st.Total)})
	}
	if l.Turn.ErrorCode != "" {
		t.Error = &TurnError{
			Code:     l.Turn.ErrorCode,
			Sentence: l.Turn.ErrorSentence,
			Said:     Saying(problem.OfTurn(l.Turn.ErrorCode)),
		}
	}
	return t
}

func text(id *uuid.UUID) *string {
	if id == nil {
		return nil
	}
	s := id.String()
	return &s
}

// noteOf decodes a step's progress note; notes from earlier versions of Munshi are plain text.
func noteOf(kept string) message.Message {
	var note message.Message
	if kept != "" && json.Unmarshal([]byte(kept), &note) != nil {
		return message.Text(kept, "")
	}
	return note
}
