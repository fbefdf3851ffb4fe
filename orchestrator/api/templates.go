package api

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Templates gives access to the templates from which a draft may start.
type Templates interface {
	// Templates lists them by title.
	Templates(ctx context.Context) ([]Template, error)
	// Begin returns a draft made from a template and filled in with the facts of a conversation's notice (nil for
	// none). ErrNotFound: there is no such template, or no notice with known facts.
	Begin(ctx context.Context, workspace uuid.UUID, id string, conversation *uuid.UUID) (store.NewDraft, error)
}

// Template is a document from which a draft may start.
type Template struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Category string   `json:"category"`
	About    string   `json:"about" doc:"What it is for, in a sentence"`
	Form     string   `json:"form" doc:"The form prescribed by law, such as FORM GST DRC-06; empty for none"`
	Section  string   `json:"section" doc:"The provision it is based on; empty for none"`
	Answers  []string `json:"answers" doc:"The forms of the notices that it answers"`
	Content  string   `json:"content" doc:"Markdown, with […] for each blank"`

	Translations map[string]map[string]string `json:"translations,omitempty" doc:"Its title, category and purpose in other languages, by language and by the English text"`
}

// TemplateList is all templates.
type TemplateList struct {
	Templates []Template `json:"templates" doc:"By title"`
}

func (s *server) templates(ctx context.Context, _ *struct{}) (*body[TemplateList], error) {
	list, err := s.Templates.Templates(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[TemplateList]{TemplateList{list}}, nil
}

type beginInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the draft that was already made"`
	Body struct {
		Template     string     `json:"template" minLength:"1" maxLength:"80" doc:"The id of the template"`
		Conversation *uuid.UUID `json:"conversation,omitempty" format:"uuid" doc:"The conversation whose notice it is filled in from; left out to leave the blanks empty"`
	}
}

type beginOutput struct {
	SetCookie string `header:"Set-Cookie"`
	Body      Draft
}

// beginDraft starts a draft from a template.
func (s *server) beginDraft(ctx context.Context, in *beginInput) (*beginOutput, error) {
	workspace, cookie, err := s.welcome(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	n, err := s.Templates.Begin(ctx, workspace, in.Body.Template, in.Body.Conversation)
	if errors.Is(err, store.ErrNotFound) {
		return nil, refuse("no_template", nil)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	n.Key = in.Key
	d, err := s.Store.AddDraft(ctx, workspace, n)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out, err := s.shown(ctx, workspace, d)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &beginOutput{SetCookie: cookie, Body: out}, nil
}
