package api

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Interview holds the questions about a notice that only the person can answer.
type Interview struct {
	Questions []InterviewQuestion `json:"questions" doc:"Most important first, ten at most"`
}

// InterviewQuestion is one question with its answer.
type InterviewQuestion struct {
	Key       string      `json:"key"`
	Kind      string      `json:"kind" enum:"day,money,year,choice,words,papers" doc:"What is wanted: an ISO day, whole rupees, a financial year, yes or no with words, words, or some of the options"`
	Text      Sentence    `json:"text"`
	Why       Sentence    `json:"why" doc:"What the answer decides"`
	Provision string      `json:"provision"`
	Places    []string    `json:"places" doc:"What each place in the draft needs, in the draft's own words; empty for facts in general"`
	Options   []string    `json:"options"`
	Quote     *PointQuote `json:"quote" doc:"Where the notice prints what it is about, or null"`
	Holds     string      `json:"holds" enum:",yes,no"`
	Words     []string    `json:"words" doc:"One for each place; empty if nothing was answered"`
	Unknown   bool        `json:"unknown" doc:"They answered that they do not know"`
	By        string      `json:"by" enum:",owner,client" doc:"Who answered: someone working on the notice, or the client through a link"`
	Who       string      `json:"who" doc:"The recipient of the link; empty if no client answered"`
	At        *time.Time  `json:"at" doc:"When, or null"`
	Revision  int         `json:"revision" doc:"Of the paragraph that is asked about, to be given with the answer; 0 for another question"`
}

// TransformSchema says which fields may be null.
func (InterviewQuestion) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "quote", "at")
}

func (s *server) interview(ctx context.Context, in *idInput) (*body[Interview], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out, err := s.Replies.Interview(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Interview]{out}, nil
}

// InterviewAnswer is the answer to a question, the name under which it was given, and the revision of the paragraph
// that the person had read.
type InterviewAnswer struct {
	store.Answered
	Key, Session string
	Revision     int
}

// answerBody is an answer in a request.
type answerBody struct {
	Key      string   `json:"key" maxLength:"200"`
	Holds    string   `json:"holds,omitempty" enum:",yes,no"`
	Words    []string `json:"words,omitempty" maxItems:"40"`
	Unknown  bool     `json:"unknown,omitempty"`
	Revision int      `json:"revision,omitempty" doc:"The paragraph's revision when it was read"`
}

// said returns the cleaned answer, or an error if it is too long.
func (b answerBody) said() (InterviewAnswer, error) {
	a := store.Answered{Holds: b.Holds, Unknown: b.Unknown}
	length := 0
	for _, words := range b.Words {
		words = strings.TrimSpace(plainText(words))
		a.Words, length = append(a.Words, words), length+len(words)
	}
	if length > maxPointFacts {
		return InterviewAnswer{}, refuse("facts_too_long", nil)
	}
	return InterviewAnswer{Key: b.Key, Revision: b.Revision, Answered: a}, nil
}

type answerInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body answerBody
}

func (s *server) answerQuestion(ctx context.Context, in *answerInput) (*body[Interview], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	said, err := in.Body.said()
	if err != nil {
		return nil, err
	}
	said.Session = session(ctx)
	watched, err := s.Replies.Answer(ctx, workspace, in.ID, said)
	switch {
	case errors.Is(err, store.ErrChanged):
		return nil, refuse("point_changed", nil)
	case err != nil:
		return nil, s.toProblem(err)
	}
	s.watch(ctx, workspace, in.ID, watched)
	return s.interview(ctx, &idInput{ID: in.ID})
}

type taxpayerInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Signatory      string `json:"signatory" maxLength:"200"`
		Designation    string `json:"designation" maxLength:"200"`
		Place          string `json:"place" maxLength:"200"`
		Representative string `json:"representative" maxLength:"200"`
		Enrolment      string `json:"enrolment" maxLength:"200"`
	}
}

// keepTaxpayer stores who signs for the taxpayer of the conversation's notice and who represents them, for all replies
// for the same GSTIN.
func (s *server) keepTaxpayer(ctx context.Context, in *taxpayerInput) (*body[Reply], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	r, _, err := s.Replies.View(ctx, workspace, in.ID)
	switch {
	case err != nil:
		return nil, s.toProblem(err)
	case r.Taxpayer == nil:
		return nil, refuse("no_gstin", nil)
	}
	b := in.Body
	err = s.Store.PutTaxpayer(ctx, store.Taxpayer{
		WorkspaceID: workspace, Gstin: r.Taxpayer.GSTIN, Signatory: b.Signatory, Designation: b.Designation,
		Place: b.Place, Representative: b.Representative, Enrolment: b.Enrolment,
	})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.reply(ctx, &idInput{ID: in.ID})
}
