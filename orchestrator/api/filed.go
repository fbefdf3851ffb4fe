package api

import (
	"context"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/store"
)

// FiledNote says what was filed in answer to a notice.
type FiledNote struct {
	ARN             string  `json:"arn" doc:"The number that the portal gave"`
	Day             string  `json:"day" doc:"ISO date"`
	Acknowledgement *string `json:"acknowledgement" format:"uuid" doc:"The acknowledgement document"`
}

func (s *server) filedRoutes(api huma.API) {
	post(api, "note-filed", "/api/conversations/{id}/filed", "Note that the answer to a notice was filed",
		http.StatusNoContent, s.noteFiled)
	remove(api, "undo-filed", "/api/conversations/{id}/filed", "Take back what was noted as filed", s.undoFiled)
	huma.Register(api, huma.Operation{
		OperationID: "attach-acknowledgement", Method: http.MethodPost, Path: "/api/conversations/{id}/filed/document",
		Summary:       "Store the acknowledgement of a filing, replacing an earlier one",
		DefaultStatus: http.StatusNoContent, SkipValidateBody: true, BodyReadTimeout: transferTime,
		RequestBody: fileBody(nil), Middlewares: s.beforeBody(s.mayAttach),
	}, s.attachAcknowledgement)
}

type filedInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		ARN string `json:"arn" maxLength:"100"`
		Day string `json:"day" format:"date" doc:"ISO date"`
	}
}

// numbered matches the number of a filing: an ARN has 15 letters and digits; other forums use other formats.
var numbered = regexp.MustCompile(`^[A-Z0-9][A-Z0-9/-]{3,39}$`)

func (s *server) noteFiled(ctx context.Context, in *filedInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	arn := strings.ToUpper(strings.Join(strings.Fields(plainText(in.Body.ARN)), ""))
	switch {
	case !numbered.MatchString(arn):
		return nil, refuse("bad_arn", nil)
	case in.Body.Day > time.Now().In(clock.India).Format(time.DateOnly):
		return nil, refuse("filed_ahead", nil)
	}
	watched, err := s.Store.NoteFiled(ctx, a.Workspace, in.ID, arn, in.Body.Day)
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.watch(ctx, a.Workspace, in.ID, watched)
	return nil, nil
}

func (s *server) undoFiled(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	watched, err := s.Store.DropFiled(ctx, a.Workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.watch(ctx, a.Workspace, in.ID, watched)
	return nil, nil
}

type acknowledgementInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	RawBody multipart.Form
}

func (s *server) attachAcknowledgement(ctx context.Context, in *acknowledgementInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	document, done, err := s.received(ctx, in.RawBody)
	if err != nil {
		return nil, s.toProblem(err)
	}
	defer done()
	if err := s.Store.AttachAcknowledgement(ctx, a.Workspace, in.ID, document); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}
