package api

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Briefs computes what follows from a notice's facts, and stores a person's corrections.
type Briefs interface {
	// Reckon returns the deadlines, limitation and money of a notice as JSON, as of today.
	Reckon(facts []byte) (json.RawMessage, error)
	// Points returns the defences that apply to a notice, the strongest first.
	Points(ctx context.Context, workspace, conversation, document uuid.UUID, facts []byte) ([]Point, error)
	// Provisions returns what a notice cites, each with what the law index knows about it.
	Provisions(facts []byte) ([]Provision, error)
	// Days returns the dates of a notice that belong in a calendar.
	Days(facts []byte, language string) ([]CalendarDay, error)
	// Papers merges the papers that were requested or handed in with those that the notice's issues require, without
	// duplicates. A paper that files of figures make up counts as received.
	Papers(ctx context.Context, workspace, conversation uuid.UUID, facts []byte, asked []Paper) ([]Paper, error)
	// Letters returns messages that ask the client for papers, one in each language.
	Letters(facts []byte, needed []Paper) ([]Letter, error)
	// Invitation returns a message, in a language, that asks the client to answer questions at an address by an ISO
	// date, and to send the needed papers.
	Invitation(facts []byte, needed []Paper, language, address, until string) (string, error)
	// Correct stores a correction; doubt is a warning about it, if there is reason for one. A refused correction gives
	// an error of type Refusal.
	Correct(ctx context.Context, workspace, conversation uuid.UUID,
		c store.NewCorrection) (doubt Sentence, watched bool, err error)
	UndoCorrection(ctx context.Context, workspace, conversation uuid.UUID, field string) (watched bool, err error)
}

// Brief is what the program knows about a notice, and what a person said about it.
type Brief struct {
	DocumentID  string          `json:"document_id" format:"uuid"`
	Facts       json.RawMessage `json:"facts" doc:"What was read, including corrections"`
	Reckoning   json.RawMessage `json:"reckoning" doc:"Deadlines, limitation and money, as they are today"`
	Points      []Point         `json:"points" doc:"What decides the notice, the strongest first: defences that apply, may apply, or do not"`
	Provisions  []Provision     `json:"provisions" doc:"What the notice cites"`
	Corrections []Correction    `json:"corrections" doc:"Everything that was said about the facts, latest first, including what was undone"`
	Papers      []Paper         `json:"papers" doc:"What was requested, and what the notice's issues require, each once"`
	Letters     []Letter        `json:"letters" doc:"Messages to the client that ask for the papers that are still needed; empty when none are"`
	AnsweredAt  *time.Time      `json:"answered_at" doc:"When the person marked it as answered, or null"`
	Doubt       Sentence        `json:"doubt,omitzero" doc:"A sentence about the correction just made; left out if there is none"`
}

// Point is the result of a rule of defence for this notice.
type Point struct {
	ID          string       `json:"id"`
	Provision   string       `json:"provision"`
	Verdict     string       `json:"verdict" enum:"applies,may_apply,does_not_apply"`
	Strength    string       `json:"strength" enum:"ends,reduces,procedural"`
	Amount      *float64     `json:"amount" doc:"The amount it takes off the demand, in rupees; null if the notice does not print it"`
	Remains     *float64     `json:"remains" doc:"Of the demand, in rupees"`
	Because     []PointQuote `json:"because"`
	For         []PointPart  `json:"for" doc:"The years or charges it is about"`
	Plead       string       `json:"plead" doc:"The paragraph for the reply, in English"`
	Provisional bool         `json:"provisional" doc:"True if the rule is not taken from the official text, so a professional has to confirm it"`
	English     PointWords   `json:"en"`
	Hindi       PointWords   `json:"hi"`
}

// PointWords holds the texts of a point in one language.
type PointWords struct {
	Title       string `json:"title"`
	Explanation string `json:"explanation"`
	Ask         string `json:"ask" doc:"The question to ask if the rule may apply; otherwise empty"`
	Why         string `json:"why" doc:"The reason if it does not apply; otherwise empty"`
}

// PointQuote is a passage of the notice, with its page, or a file that was handed in.
type PointQuote struct {
	Page  int    `json:"page" doc:"0 for a file"`
	Quote string `json:"quote" doc:"The passage, or the kind of the file"`
	File  string `json:"file,omitempty" doc:"Its name; left out for a passage of the notice"`
	Rows  int    `json:"rows,omitempty" doc:"Of the file"`
}

// PointPart is a year or charge to which a point applies.
type PointPart struct {
	FY     string   `json:"fy" doc:"Empty for a charge"`
	Para   string   `json:"para" doc:"Empty for a year"`
	Amount *float64 `json:"amount"`
}

// Paper is a document that helps to answer a notice.
type Paper struct {
	Type       string  `json:"type"`
	Name       string  `json:"name" doc:"The name under which it is uploaded, as for a required document"`
	Reason     string  `json:"reason" doc:"Empty when none is known"`
	Issue      string  `json:"issue" doc:"The issue in the facts for which it is needed; empty for none"`
	State      string  `json:"state" enum:"needed,uploaded,reviewed"`
	DocumentID *string `json:"document_id" format:"uuid"`
	Asked      bool    `json:"asked" doc:"True when the assistant asked for it"`
}

// Letter is a message to the client, in one language.
type Letter struct {
	Language string `json:"language" doc:"As en"`
	Name     string `json:"name" doc:"Of the language, in itself"`
	Text     string `json:"text"`
}

// Correction is a person's correction of a field of the facts.
type Correction struct {
	Field     string          `json:"field"`
	Value     json.RawMessage `json:"value" doc:"The correct value; null for none, and for a confirmation"`
	Confirmed bool            `json:"confirmed" doc:"The value was read correctly"`
	Here      bool            `json:"here" doc:"True if it was sent from this browser"`
	MadeAt    time.Time       `json:"made_at"`
	Undone    bool            `json:"undone"`
}

// TransformSchema sets the schemas of the raw JSON values.
func (Brief) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	for _, name := range []string{"facts", "reckoning"} {
		s.Properties[name] = &huma.Schema{
			Type:                 "object",
			AdditionalProperties: true,
			Description:          s.Properties[name].Description,
		}
	}
	return s
}

// TransformSchema sets the schema of the raw JSON value.
func (Correction) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["value"] = &huma.Schema{Description: s.Properties["value"].Description}
	return s
}

func (s *server) brief(ctx context.Context, in *idInput) (*body[Brief], error) {
	return s.briefWith(ctx, in.ID, Sentence{})
}

func (s *server) briefWith(ctx context.Context, conversation uuid.UUID, doubt Sentence) (*body[Brief], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	n, err := s.Store.Notice(ctx, workspace, conversation)
	if err != nil {
		return nil, s.toProblem(err)
	}
	b := Brief{
		DocumentID:  n.Document.ID.String(),
		Facts:       n.Facts,
		Corrections: []Correction{},
		Letters:     []Letter{},
		AnsweredAt:  n.Answered,
		Doubt:       doubt,
	}
	if b.Reckoning, err = s.Briefs.Reckon(n.Facts); err != nil {
		return nil, s.toProblem(err)
	}
	if b.Points, err = s.Briefs.Points(ctx, workspace, conversation, n.Document.ID, n.Facts); err != nil {
		return nil, s.toProblem(err)
	}
	if b.Provisions, err = s.Briefs.Provisions(n.Facts); err != nil {
		return nil, s.toProblem(err)
	}
	for _, c := range n.History {
		b.Corrections = append(b.Corrections, Correction{Field: c.Field, Value: c.Value, Confirmed: c.Confirmed,
			Here: c.Session == session(ctx), MadeAt: c.MadeAt, Undone: c.UndoneAt != nil})
	}
	if b.Papers, err = s.papersOf(ctx, workspace, conversation, n); err != nil {
		return nil, s.toProblem(err)
	}
	needed := slices.DeleteFunc(slices.Clone(b.Papers), func(p Paper) bool { return p.State != "needed" })
	if len(needed) > 0 {
		if b.Letters, err = s.Briefs.Letters(n.Facts, needed); err != nil {
			return nil, s.toProblem(err)
		}
	}
	return &body[Brief]{b}, nil
}

// papersOf returns the papers that are needed to answer a notice, without duplicates and each with its status: those
// that were requested, and those that its issues require.
func (s *server) papersOf(ctx context.Context, workspace, conversation uuid.UUID, n store.Notice) ([]Paper, error) {
	var known []Paper
	for _, r := range n.Required {
		known = append(known, Paper{Type: r.Type, Name: r.Name, Reason: r.Reason, State: r.State,
			DocumentID: text(r.DocumentID)})
	}
	papers, err := s.Briefs.Papers(ctx, workspace, conversation, n.Facts, known)
	if err != nil {
		return nil, err
	}
	for i := range papers {
		p := &papers[i]
		if h, ok := n.HandedIn[strings.ToLower(p.Type)]; ok && !p.Asked {
			p.State, p.DocumentID = h.State, text(&h.ID)
		}
	}
	return papers, nil
}

type correctionInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Field     string `json:"field" maxLength:"40"`
		Value     any    `json:"value,omitempty" doc:"The correct value; null if the notice has none. Left out of a confirmation"`
		Confirmed bool   `json:"confirmed,omitempty" doc:"The value was read correctly"`
	}
}

func (s *server) correct(ctx context.Context, in *correctionInput) (*body[Brief], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	value, err := json.Marshal(in.Body.Value)
	if err != nil || len(value) > 16<<10 {
		return nil, refuse("invalid_correction.too_long", nil)
	}
	doubt, watched, err := s.Briefs.Correct(ctx, workspace, in.ID,
		store.NewCorrection{Field: in.Body.Field, Value: value, Confirmed: in.Body.Confirmed, Session: session(ctx)})
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.watch(ctx, workspace, in.ID, watched)
	s.refile(ctx, workspace, in.ID)
	return s.briefWith(ctx, in.ID, doubt)
}

type undoInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Field string `json:"field" maxLength:"40"`
	}
}

func (s *server) undoCorrection(ctx context.Context, in *undoInput) (*body[Brief], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	watched, err := s.Briefs.UndoCorrection(ctx, workspace, in.ID, in.Body.Field)
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.watch(ctx, workspace, in.ID, watched)
	s.refile(ctx, workspace, in.ID)
	return s.briefWith(ctx, in.ID, Sentence{})
}

// refile files the paper of a firm's conversation again, with the client and matter that its present content fits.
func (s *server) refile(ctx context.Context, workspace, conversation uuid.UUID) {
	if _, acts := store.ActingIn(ctx); !acts {
		return
	}
	if err := s.Filing.Again(ctx, workspace, conversation); err != nil {
		s.Log.WarnContext(ctx, "a corrected paper could not be filed anew; the next correction files it",
			"conversation", conversation, "error", err)
	}
}

// watch wakes the workflow that reminds of a notice's dates, if watched; the workflow finds out for itself what to do.
// If it cannot be reached now, the reconciler wakes it later.
func (s *server) watch(ctx context.Context, workspace, conversation uuid.UUID, watched bool) {
	if !watched {
		return
	}
	follow := workflows.FollowUpInput{
		Workspace:    workspace.String(),
		Conversation: conversation.String(),
		Plugin:       noticePlugin,
	}
	if err := s.Work.WakeFollowUp(ctx, follow); err != nil {
		s.Log.WarnContext(ctx, "the follow-up could not be told of its reply date now; the reconciler will",
			"conversation", conversation, "error", err)
	}
}
