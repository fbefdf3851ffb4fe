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

// Draft is a document that was written for a person.
type Draft struct {
	DraftLine
	Parts  []DraftPart  `json:"parts" doc:"In their order"`
	Review *DraftReview `json:"review" doc:"In a firm; null if it was never sent for review"`
	Locked bool         `json:"locked" doc:"It is in review, and the caller may not change it"`
	Acts   []string     `json:"acts" enum:"send,take_back,return,approve" doc:"What the caller may do about its review"`
}

// TransformSchema says which fields may be null.
func (Draft) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "review")
}

// DraftLine is a draft as a list shows it.
type DraftLine struct {
	ID             string    `json:"id" format:"uuid"`
	Kind           string    `json:"kind" doc:"reply, or the type of document"`
	Title          string    `json:"title"`
	Beginning      string    `json:"beginning" doc:"The beginning of it; empty in a single draft"`
	ConversationID *string   `json:"conversation_id" format:"uuid" doc:"Where it was written, or null"`
	Version        int       `json:"version" doc:"The latest that was kept"`
	CreatedAt      time.Time `json:"created_at"`
	UpdatedAt      time.Time `json:"updated_at"`
	State          string    `json:"state" enum:",review,returned,approved,undone" doc:"Of its review in a firm; empty: it was never sent for review"`
}

// DraftPart is one part of a draft.
type DraftPart struct {
	ID       string  `json:"id"`
	Title    string  `json:"title" doc:"The heading above it; empty for none"`
	Point    string  `json:"point" doc:"The key of the allegation it answers; empty for none"`
	Text     string  `json:"text" doc:"Markdown"`
	By       string  `json:"by" enum:"program,model,person" doc:"Who wrote the text; a person's text is not changed by anyone else"`
	Revision int     `json:"revision" doc:"Must be sent with a change of its text"`
	Checks   []Check `json:"checks" doc:"What was found in its words; places as in a message"`
}

// DraftList is a page of a person's drafts.
type DraftList struct {
	Drafts []DraftLine `json:"drafts" doc:"Latest first"`
	Next   int         `json:"next" doc:"What to skip for the next page; 0 when this is the last"`
}

// DraftVersion is an earlier version of a draft that can be restored.
type DraftVersion struct {
	Version int       `json:"version"`
	Title   string    `json:"title"`
	By      string    `json:"by" enum:"munshi,person"`
	Who     string    `json:"who" doc:"The member of a firm who made it; else empty"`
	MadeAt  time.Time `json:"made_at"`
}

// DraftVersionList lists the versions of a draft.
type DraftVersionList struct {
	Versions []DraftVersion `json:"versions" doc:"Latest first"`
}

// DraftText is the text of a version of a draft.
type DraftText struct {
	DraftVersion
	Text    string `json:"text" doc:"Markdown"`
	Changes string `json:"changes" doc:"Changes since then, as a unified diff; empty for none"`
}

// draftsAtOnce is how many drafts one page of the list has.
const draftsAtOnce = 50

// shown returns a draft as the API shows it.
func (s *server) shown(ctx context.Context, workspace uuid.UUID, d store.Draft) (Draft, error) {
	found, err := s.Replies.Check(ctx, workspace, d)
	if err != nil {
		return Draft{}, err
	}
	out := Draft{DraftLine: DraftLine{ID: d.ID.String(), Kind: d.Kind, Title: d.Title,
		ConversationID: text(d.ConversationID), Version: int(d.Version), CreatedAt: d.CreatedAt,
		UpdatedAt: d.UpdatedAt}, Parts: []DraftPart{}}
	for _, p := range d.Parts {
		checks := append([]Check{}, found[p.ID]...)
		countUTF16(p.Text, checks)
		out.Parts = append(out.Parts, DraftPart{ID: p.ID, Title: p.Title, Point: p.Point, Text: p.Text, By: p.By,
			Revision: p.Revision, Checks: checks})
	}
	out.reviewed(ctx, d)
	return out, nil
}

func (s *server) showDraft(ctx context.Context, workspace uuid.UUID, d store.Draft) (*body[Draft], error) {
	out, err := s.shown(ctx, workspace, d)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Draft]{out}, nil
}

type draftsInput struct {
	Search string `query:"search" maxLength:"200" doc:"Words they contain"`
	Skip   int    `query:"skip" minimum:"0" maximum:"1000000"`
}

func (s *server) drafts(ctx context.Context, in *draftsInput) (*body[DraftList], error) {
	list := DraftList{Drafts: []DraftLine{}}
	workspace, err := who(ctx)
	if err != nil {
		return &body[DraftList]{list}, nil // someone without a session has none yet
	}
	rows, err := s.Store.Drafts(ctx, workspace, strings.TrimSpace(plainText(in.Search)), in.Skip, draftsAtOnce+1)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if len(rows) > draftsAtOnce {
		rows, list.Next = rows[:draftsAtOnce], in.Skip+draftsAtOnce
	}
	for _, r := range rows {
		list.Drafts = append(list.Drafts,
			DraftLine{ID: r.ID.String(), Kind: r.Kind, Title: r.Title, Beginning: r.Beginning,
				ConversationID: text(r.ConversationID), Version: int(r.Version), CreatedAt: r.CreatedAt,
				UpdatedAt: r.UpdatedAt, State: r.Review})
	}
	return &body[DraftList]{list}, nil
}

func (s *server) draft(ctx context.Context, in *idInput) (*body[Draft], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	d, err := s.Store.Draft(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.showDraft(ctx, workspace, d)
}

type editInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Title    *string `json:"title,omitempty" doc:"Left out to keep it as it is"`
		Part     string  `json:"part,omitempty" maxLength:"120" doc:"The part whose text changes"`
		Text     *string `json:"text,omitempty" doc:"Its text; left out to keep it as it is"`
		Revision int     `json:"revision,omitempty" doc:"The part's revision when it was read"`
	}
}

func (s *server) editDraft(ctx context.Context, in *editInput) (*body[Draft], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	e := store.Edit{Part: in.Body.Part, Revision: in.Body.Revision}
	if t := in.Body.Title; t != nil {
		title := store.OneLine(*t)
		if title == "" {
			return nil, refuse("no_title", nil)
		}
		e.Title = &title
	}
	if t := in.Body.Text; t != nil {
		words := plainText(*t)
		e.Text = &words
	}
	d, err := s.Store.EditDraft(ctx, workspace, in.ID, e)
	switch {
	case errors.Is(err, store.ErrChanged):
		return nil, refuse("draft_changed", nil)
	case errors.Is(err, store.ErrTooLong):
		return nil, refuse("draft_too_long", nil)
	case err != nil:
		return nil, s.toProblem(err)
	}
	return s.showDraft(ctx, workspace, d)
}

func (s *server) draftVersions(ctx context.Context, in *idInput) (*body[DraftVersionList], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	rows, err := s.Store.Versions(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := DraftVersionList{Versions: []DraftVersion{}}
	for _, r := range rows {
		list.Versions = append(list.Versions,
			DraftVersion{Version: int(r.Version), Title: r.Title, By: r.MadeBy, Who: r.Who, MadeAt: r.MadeAt})
	}
	return &body[DraftVersionList]{list}, nil
}

type versionInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Version int       `path:"version" minimum:"1"`
}

func (s *server) draftVersion(ctx context.Context, in *versionInput) (*body[DraftText], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	v, parts, err := s.Store.Version(ctx, workspace, in.ID, in.Version)
	if err != nil {
		return nil, s.toProblem(err)
	}
	now, err := s.Store.Draft(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	text := store.DraftText(parts)
	return &body[DraftText]{DraftText{DraftVersion: DraftVersion{Version: int(v.Version), Title: v.Title, By: v.MadeBy,
		MadeAt: v.MadeAt}, Text: text, Changes: store.Difference(text+"\n", store.DraftText(now.Parts)+"\n")}}, nil
}

func (s *server) restoreVersion(ctx context.Context, in *versionInput) (*body[Draft], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	d, err := s.Store.RestoreDraft(ctx, workspace, in.ID, in.Version)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.showDraft(ctx, workspace, d)
}

func (s *server) deleteDraft(ctx context.Context, in *idInput) (*none, error) {
	workspace, err := who(ctx)
	if err == nil {
		err = s.Store.DeleteDraft(ctx, workspace, in.ID)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

func (s *server) undeleteDraft(ctx context.Context, in *idInput) (*none, error) {
	workspace, err := who(ctx)
	if err == nil {
		err = s.Store.UndeleteDraft(ctx, workspace, in.ID)
	}
	switch {
	case errors.Is(err, store.ErrChanged):
		return nil, refuse("another_reply", nil)
	case err != nil:
		return nil, s.toProblem(err)
	}
	return nil, nil
}

// WrittenDraft is a draft written by a turn.
type WrittenDraft struct {
	ID     string `json:"id" format:"uuid"`
	TurnID string `json:"turn_id" format:"uuid"`
	Kind   string `json:"kind" doc:"The type of document"`
	Title  string `json:"title"`
}

// WrittenDraftList lists the drafts that a conversation's turns wrote.
type WrittenDraftList struct {
	Drafts []WrittenDraft `json:"drafts" doc:"Latest first"`
}

func (s *server) writtenDrafts(ctx context.Context, in *idInput) (*body[WrittenDraftList], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.Store.Plugin(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	rows, err := s.Store.WrittenDrafts(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := WrittenDraftList{Drafts: []WrittenDraft{}}
	for _, r := range rows {
		list.Drafts = append(list.Drafts,
			WrittenDraft{ID: r.ID.String(), TurnID: r.TurnID.String(), Kind: r.Kind, Title: r.Title})
	}
	return &body[WrittenDraftList]{list}, nil
}
