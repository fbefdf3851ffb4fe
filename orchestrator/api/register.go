package api

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// Register writes a firm's register of notices as a spreadsheet.
type Register interface {
	// Write writes the rows in a language, "en" or "hi".
	Write(w io.Writer, rows []store.RegisterRow, language string) error
}

func (s *server) registerRoutes(api huma.API) {
	const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	huma.Register(api, huma.Operation{OperationID: "get-register", Method: http.MethodGet, Path: "/api/register",
		Summary: "The register of notices and orders as a spreadsheet",
		Responses: map[string]*huma.Response{"200": {Description: "An Office file",
			Content: map[string]*huma.MediaType{xlsx: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}}},
		func(ctx context.Context, in *registerInput) (*huma.StreamResponse, error) {
			a, _ := store.ActingIn(ctx)
			filter, err := in.read()
			if err != nil {
				return nil, err
			}
			rows, err := s.Store.Register(ctx, a.Workspace, filter, in.Closed)
			if err != nil {
				return nil, s.toProblem(err)
			}
			language := cmp.Or(in.Language, answersIn(ctx))
			var b bytes.Buffer
			if err := s.Register.Write(&b, rows, language); err != nil {
				return nil, s.toProblem(err)
			}
			name := message.New("register.file", nil).In(language) + ".xlsx"
			return &huma.StreamResponse{Body: func(hc huma.Context) {
				hc.SetHeader("Content-Type", xlsx)
				hc.SetHeader("Content-Disposition",
					mime.FormatMediaType("attachment", map[string]string{"filename": name}))
				hc.SetHeader("Cache-Control", "private, no-store")
				hc.SetStatus(http.StatusOK)
				defer writeWithin(hc, transferTime)()
				_, _ = hc.BodyWriter().Write(b.Bytes()) // fails if the client has disconnected
			}}, nil
		})
}

type registerInput struct {
	MatterFilter
	Closed   bool   `query:"closed" doc:"Those of closed matters too"`
	Language string `query:"language" enum:"en,hi" doc:"Left out for the browser's"`
}
