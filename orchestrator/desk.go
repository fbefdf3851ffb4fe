package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/google/uuid"

	"munshi/orchestrator/document"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// desk gives the activities the store in their own terms.
type desk struct{ store *store.Store }

var (
	_ workflows.Turns  = desk{}
	_ workflows.Papers = desk{}
	_ workflows.Script = desk{}
	_ workflows.Drafts = desk{}
)

// storeRef gives a turn as the store names it. The workflow knows whose the turn was when it began; a visitor may have signed in
// since.
func storeRef(ctx context.Context, s *store.Store, r workflows.Ref) (store.Ref, error) {
	workspace, conversation, err := owned(ctx, s, r.Workspace, r.Conversation)
	if err != nil {
		return store.Ref{}, err
	}
	turn, err := uuid.Parse(r.Turn)
	if err != nil {
		return store.Ref{}, badID(err)
	}
	return store.Ref{Workspace: workspace, Conversation: conversation, Turn: turn, Run: r.Run}, nil
}

// owned gives the conversation, and the workspace whose it is now.
func owned(ctx context.Context, s *store.Store, workspace, conversation string) (owner, id uuid.UUID, err error) {
	if owner, err = uuid.Parse(workspace); err != nil {
		return owner, id, badID(err)
	}
	if id, err = uuid.Parse(conversation); err != nil {
		return owner, id, badID(err)
	}
	owner, err = s.Owner(ctx, owner)
	return owner, id, fenced(ctx, s, owner, err)
}

func badID(err error) error {
	return &workflows.Failure{Code: "bad_input", Sentence: "The workflow was started with an id that is none.", Cause: err}
}

// fenced says in the activities' terms that a write came too late. What is not there may have gone to an account a moment ago:
// then the next attempt finds it there.
func fenced(ctx context.Context, s *store.Store, workspace uuid.UUID, err error) error {
	switch {
	case errors.Is(err, store.ErrSuperseded), errors.Is(err, store.ErrNotFound):
		if s.Moved(ctx, workspace) {
			return errors.New("this has gone to the account that its visitor signed in to")
		}
		// A turn that is not there any more was erased: nobody waits for it either.
		return fmt.Errorf("%w: %w", workflows.ErrSuperseded, err)
	case errors.Is(err, store.ErrTooLong):
		return &workflows.Failure{Code: "draft_too_long", Sentence: "The draft is longer than one may be. Shorten what you wrote in it, or begin a new one.", Cause: err}
	}
	return err
}

func (d desk) Begin(ctx context.Context, ref workflows.Ref, steps []workflows.Step) (workflows.Begun, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return workflows.Begun{}, err
	}
	planned := make([]store.PlannedStep, len(steps))
	for i, s := range steps {
		planned[i] = store.PlannedStep{ID: s.ID, Kind: s.Kind, Title: s.Title}
	}
	begun, err := d.store.Begin(ctx, r, planned)
	return workflows.Begun(begun), fenced(ctx, d.store, r.Workspace, err)
}

func (d desk) SetStep(ctx context.Context, ref workflows.Ref, step string, p workflows.Progress) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	return fenced(ctx, d.store, r.Workspace, d.store.SetStep(ctx, r, step, store.StepState(p)))
}

func (d desk) Result(ctx context.Context, ref workflows.Ref, key workflows.ResultKey, out any) (bool, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return false, err
	}
	raw, err := d.store.Result(ctx, r, store.ResultKey(key))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return false, fmt.Errorf("decode the result of step %q: %w", key.Step, err)
	}
	return true, nil
}

func (d desk) SaveResult(ctx context.Context, ref workflows.Ref, key workflows.ResultKey, result any) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	return fenced(ctx, d.store, r.Workspace, d.store.SaveResult(ctx, r, store.ResultKey(key), result, nil))
}

// keptQuestion is what is kept of a question beside its answer.
type keptQuestion struct {
	Messages    []prompt.Message `json:"messages"`
	Model       string           `json:"model,omitempty"` // as the prompt's file names it
	Temperature *float64         `json:"temperature,omitempty"`
	MaxTokens   int              `json:"max_tokens,omitempty"`
}

func (d desk) SaveAnswer(ctx context.Context, ref workflows.Ref, key workflows.ResultKey, answer workflows.Answer, q workflows.Question) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	kept := keptQuestion{Model: q.Model, Temperature: q.Temperature, MaxTokens: q.MaxTokens}
	asked, _ := masked(q) // what a provider got, to the letter
	for _, m := range asked {
		kept.Messages = append(kept.Messages, prompt.Message{Role: m.Role, Text: m.Text})
	}
	return fenced(ctx, d.store, r.Workspace, d.store.SaveResult(ctx, r, store.ResultKey(key), answer, kept))
}

func (d desk) End(ctx context.Context, ref workflows.Ref, e workflows.Ending) (bool, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return false, err
	}
	end := store.Ending{State: e.State, Text: e.Apology, ErrorCode: e.Code, Sentence: e.Sentence}
	if e.Answer != nil {
		a := *e.Answer
		end.Text, a.Text = a.Text, ""
		if end.Provenance, err = json.Marshal(a); err != nil {
			return false, fmt.Errorf("encode the provenance: %w", err)
		}
	}
	if len(e.Findings) > 0 {
		if end.Checks, err = json.Marshal(e.Findings); err != nil {
			return false, fmt.Errorf("encode the findings: %w", err)
		}
	}
	awaited, err := d.store.End(ctx, r, end)
	return awaited, fenced(ctx, d.store, r.Workspace, err)
}

func (d desk) Answered(ctx context.Context, ref workflows.Ref) (bool, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return false, err
	}
	awaited, err := d.store.Ended(ctx, r, "answered")
	return awaited, fenced(ctx, d.store, r.Workspace, err)
}

func (d desk) Document(ctx context.Context, ref workflows.Ref) (workflows.Document, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return workflows.Document{}, err
	}
	turn, err := d.store.Turn(ctx, r.Workspace, r.Turn)
	if err != nil {
		return workflows.Document{}, fenced(ctx, d.store, r.Workspace, err)
	}
	if turn.DocumentID == nil {
		return workflows.Document{}, nil
	}
	doc, err := d.store.Document(ctx, r.Workspace, *turn.DocumentID)
	if err != nil {
		return workflows.Document{}, fenced(ctx, d.store, r.Workspace, err)
	}
	reading, err := d.store.Reading(ctx, r.Workspace, doc.ID)
	if err != nil {
		return workflows.Document{}, err
	}
	return workflows.Document{ID: doc.ID.String(), Pages: int(doc.Pages), Missing: reading.Missing, Readable: reading.Readable}, nil
}

func (d desk) Copy(ctx context.Context, ref workflows.Ref, document string, w io.Writer) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return fmt.Errorf("read the document's id: %w", err)
	}
	doc, err := d.store.Document(ctx, r.Workspace, id)
	if err != nil {
		return fenced(ctx, d.store, r.Workspace, err)
	}
	return d.store.WriteDocument(ctx, r.Workspace, doc, w)
}

func (d desk) SavePage(ctx context.Context, ref workflows.Ref, document string, p workflows.Page, step string, at workflows.Progress) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return fmt.Errorf("read the document's id: %w", err)
	}
	page := store.Page{Number: p.Number, Text: p.Text, Method: p.Method, Confidence: p.Confidence, Languages: p.Languages, Width: p.Width, Height: p.Height, Words: p.Words}
	return fenced(ctx, d.store, r.Workspace, d.store.SavePage(ctx, r, id, page, step, store.StepState(at)))
}

func (d desk) SaveFacts(ctx context.Context, ref workflows.Ref, document string, facts json.RawMessage, title, step string) (bool, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return false, err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return false, fmt.Errorf("read the document's id: %w", err)
	}
	watched, err := d.store.SaveFacts(ctx, r, id, facts, title, step)
	return watched, fenced(ctx, d.store, r.Workspace, err)
}

func authoritiesOf(rows []store.Authority) []workflows.Authority {
	list := make([]workflows.Authority, len(rows))
	for i, a := range rows {
		list[i] = workflows.Authority{Citation: a.Citation, Court: a.Court, Decided: a.Decided, Proposition: a.Proposition}
	}
	return list
}

func (d desk) ReplaceRequired(ctx context.Context, ref workflows.Ref, list []workflows.Required) (bool, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return false, err
	}
	required := make([]store.Required, len(list))
	for i, item := range list {
		required[i] = store.Required{Type: item.Type, Reason: item.Reason}
	}
	waits, err := d.store.ReplaceRequired(ctx, r, required)
	return waits, fenced(ctx, d.store, r.Workspace, err)
}

func (d desk) Open(ctx context.Context, ref workflows.Ref, step string) (int64, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return 0, err
	}
	epoch, err := d.store.OpenEpoch(ctx, r, step)
	return epoch, fenced(ctx, d.store, r.Workspace, err)
}

func (d desk) Append(ctx context.Context, ref workflows.Ref, epoch, seq int64, text string) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	return fenced(ctx, d.store, r.Workspace, d.store.Append(ctx, r, store.EventID{Epoch: epoch, Seq: seq}, text))
}

func (d desk) SaveDraft(ctx context.Context, ref workflows.Ref, n workflows.NewDraft) error {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return err
	}
	part := store.DraftPart{ID: wholeDraft, Text: n.Text, By: store.ByModel}
	return fenced(ctx, d.store, r.Workspace, d.store.SaveDraft(ctx, r, store.NewDraft{Conversation: &r.Conversation, Kind: n.Kind, Title: n.Title, Parts: []store.DraftPart{part}}))
}

// wholeDraft is the id of the one part of a draft that is written whole.
const wholeDraft = "text"

// languageNames are what prompts are told of the languages of answers; English goes without saying.
var languageNames = map[string]string{"hi": "Hindi"}

// material gathers what a turn's prompts speak about, in the activities' terms.
func (d desk) material(ctx context.Context, ref workflows.Ref) (workflows.Material, error) {
	r, err := storeRef(ctx, d.store, ref)
	if err != nil {
		return workflows.Material{}, err
	}
	m, err := d.store.Material(ctx, r)
	if err != nil {
		return workflows.Material{}, fenced(ctx, d.store, r.Workspace, err)
	}
	out := workflows.Material{Kind: m.Kind, Notice: pagesOf(m.Notice), Document: pagesOf(m.Document), DocumentType: m.DocumentType, Message: m.Message, Inputs: m.Inputs, Facts: string(m.Facts), Today: m.Began.In(india),
		Authorities: authoritiesOf(m.Authorities), Kept: m.Kept, Language: languageNames[m.Language]}
	if m.DocumentID != nil {
		out.DocumentID = m.DocumentID.String()
	}
	for _, msg := range m.History {
		out.History = append(out.History, workflows.Utterance{Role: msg.Role, Text: msg.Text, Turn: msg.TurnID.String()})
	}
	if err := json.Unmarshal(m.Earlier, &out.Earlier); err != nil {
		return workflows.Material{}, fmt.Errorf("decode the notes on the conversation: %w", err)
	}
	if out.Earlier != nil { // what they stand for is not told twice
		through := slices.IndexFunc(out.History, func(u workflows.Utterance) bool { return u.Turn == out.Earlier.Through })
		for through >= 0 && through < len(out.History) && out.History[through].Turn == out.Earlier.Through {
			through++
		}
		out.History = out.History[max(through, 0):]
	}
	for _, req := range m.Required {
		out.Required = append(out.Required, workflows.Required{Type: req.Type, Reason: req.Reason, State: req.State})
	}
	return out, nil
}

func pagesOf(pages []store.Page) []workflows.Page {
	out := make([]workflows.Page, len(pages))
	for i, p := range pages {
		out[i] = workflows.Page{Number: p.Number, Text: p.Text, Recognised: p.Method == string(document.MethodRecognition),
			Unreadable: p.Method == string(document.MethodUnreadable), Method: p.Method,
			Confidence: p.Confidence, Languages: p.Languages, Width: p.Width, Height: p.Height}
	}
	return out
}
