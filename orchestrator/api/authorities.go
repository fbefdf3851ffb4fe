package api

import (
	"context"
	"errors"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// AuthorityList lists the authorities that a person supplied for a conversation.
type AuthorityList struct {
	Authorities []Authority `json:"authorities" doc:"Oldest first"`
}

func (s *server) authorities(ctx context.Context, in *idInput) (*body[AuthorityList], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	rows, err := s.Store.Authorities(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := AuthorityList{Authorities: []Authority{}}
	for _, a := range rows {
		list.Authorities = append(list.Authorities, authority(a))
	}
	return &body[AuthorityList]{list}, nil
}

type authorityInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Citation    string `json:"citation" doc:"The case and where it is reported" example:"Arise India Ltd. v. Commissioner of Trade and Taxes, 2017 (10) TMI 1020"`
		Court       string `json:"court,omitempty"`
		Date        string `json:"date,omitempty" doc:"ISO date of the decision"`
		Proposition string `json:"proposition,omitempty" doc:"What it is relied on for"`
	}
}

// The longest parts of an authority, in bytes. They go into every prompt of the conversation, whereas only the
// relevant excerpts of its PDF do.
const (
	maxCitation    = 600
	maxCourt       = 200
	maxProposition = 3000
)

func (s *server) addAuthority(ctx context.Context, in *authorityInput) (*body[Authority], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	clean := func(text string) string { return strings.TrimSpace(plainText(text)) }
	a := store.Authority{WorkspaceID: workspace, ConversationID: in.ID,
		Citation: store.OneLine(in.Body.Citation), Court: store.OneLine(in.Body.Court),
		Decided: clean(in.Body.Date), Proposition: clean(in.Body.Proposition)}
	switch {
	case len([]rune(a.Citation)) < 5:
		return nil, refuse("no_citation", nil)
	case len(a.Citation) > maxCitation, len(a.Court) > maxCourt, len(a.Proposition) > maxProposition:
		return nil, refuse("authority_too_long", nil)
	}
	if _, err := time.Parse(time.DateOnly, a.Decided); err != nil && a.Decided != "" {
		return nil, refuse("no_date", nil)
	}
	a, err = s.Store.AddAuthority(ctx, a)
	if errors.Is(err, store.ErrTooMany) {
		return nil, tooManyAuthorities()
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Authority]{authority(a)}, nil
}

type authorityID struct {
	ID        uuid.UUID `path:"id" format:"uuid"`
	Authority uuid.UUID `path:"authority" format:"uuid"`
}

func (s *server) removeAuthority(ctx context.Context, in *authorityID) (*none, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.Store.Plugin(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Store.RemoveAuthority(ctx, workspace, in.ID, in.Authority); err != nil &&
		!errors.Is(err, store.ErrNotFound) {
		return nil, s.toProblem(err)
	}
	return nil, nil // it is gone, even if another request removed it
}

func (s *server) restoreAuthority(ctx context.Context, in *authorityID) (*none, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	err = s.Store.RestoreAuthority(ctx, workspace, in.ID, in.Authority)
	if errors.Is(err, store.ErrTooMany) {
		return nil, tooManyAuthorities()
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type attachInput struct {
	ID        uuid.UUID `path:"id" format:"uuid"`
	Authority uuid.UUID `path:"authority" format:"uuid"`
	RawBody   multipart.Form
}

// attachRoute accepts the PDF of an authority. It is stored and shown at once; a periodic job reads it soon
// afterwards.
func (s *server) attachRoute(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "attach-to-authority", Method: http.MethodPost,
		Path:    "/api/conversations/{id}/authorities/{authority}/document",
		Summary: "Store the PDF of an authority, replacing an earlier one", SkipValidateBody: true,
		BodyReadTimeout: transferTime, RequestBody: fileBody(nil),
		Middlewares: s.beforeBody(s.mayAttach),
	}, s.attachToAuthority)
}

func (s *server) attachToAuthority(ctx context.Context, in *attachInput) (*body[Authority], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	document, done, err := s.received(ctx, in.RawBody)
	if err != nil {
		return nil, s.toProblem(err)
	}
	defer done()
	a, err := s.Store.AttachToAuthority(ctx, workspace, in.ID, in.Authority, document)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Authority]{authority(a)}, nil
}

func tooManyAuthorities() *Problem {
	return refuse("too_many_authorities", nil)
}

func authority(a store.Authority) Authority {
	return Authority{ID: a.ID.String(), Citation: a.Citation, Court: a.Court, Date: a.Decided,
		Proposition: a.Proposition, DocumentID: text(a.DocumentID), Reading: a.DocumentID != nil && a.ReadAt == nil,
		CreatedAt: a.CreatedAt}
}
