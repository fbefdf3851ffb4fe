package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/store"
)

// SearchResult is one page of the documents and drafts that contain the words of a search.
type SearchResult struct {
	Found []FoundText `json:"found" doc:"The latest first"`
	Words []string    `json:"words" doc:"The words searched for; each may be the beginning of a word"`
	Total int         `json:"total" doc:"How many were found; at most the latest 1,000 documents and 1,000 drafts are searched"`
}

// FoundText is a document or draft that contains the words of a search.
type FoundText struct {
	Kind      string    `json:"kind" enum:"document,draft"`
	ID        string    `json:"id" format:"uuid"`
	Title     string    `json:"title" doc:"Of a draft; of a document the file's name"`
	Notice    bool      `json:"notice" doc:"It is the notice itself, not a document uploaded for it"`
	Paper     *string   `json:"paper" format:"uuid" doc:"The conversation that it belongs to"`
	Form      *string   `json:"form"`
	Reference *string   `json:"reference"`
	Matter    *string   `json:"matter" format:"uuid"`
	Client    *Named    `json:"client"`
	Page      int       `json:"page" doc:"The page of a document with most of the words; 0 if no page was read"`
	Excerpt   string    `json:"excerpt" doc:"Around the first of the words"`
	At        time.Time `json:"at" doc:"When a document was uploaded, or a draft last changed"`
}

// TransformSchema says which fields may be null.
func (FoundText) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "client")
}

func (s *server) searchRoutes(api huma.API) {
	get(api, "search", "/api/search", "The documents and drafts in which all words of a search stand", s.search)
}

type searchInput struct {
	Text string `query:"text" maxLength:"200" doc:"Words or beginnings of words; all must occur"`
	Kind string `query:"kind" enum:"document,draft" doc:"Left out for both"`
	Skip int    `query:"skip" minimum:"0" maximum:"2000"`
	Most int    `query:"most" minimum:"1" maximum:"50" default:"20"`
}

func (s *server) search(ctx context.Context, in *searchInput) (*body[SearchResult], error) {
	a, _ := store.ActingIn(ctx)
	found, total, words, err := s.Store.Search(ctx, a.Workspace,
		store.SearchQuery{Text: plainText(in.Text), Kind: in.Kind, Skip: in.Skip, Most: in.Most})
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := SearchResult{Found: []FoundText{}, Words: append([]string{}, words...), Total: total}
	for _, f := range found {
		out.Found = append(out.Found, FoundText{Kind: f.Kind, ID: f.ID.String(), Title: f.Title, Notice: f.Notice,
			Paper: text(f.ConversationID), Form: f.Form, Reference: f.Reference, Matter: text(f.MatterID),
			Client: named(f.ClientID, f.Client), Page: f.Page, Excerpt: f.Excerpt, At: f.At})
	}
	return &body[SearchResult]{out}, nil
}
