package api

import (
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Imports imports the registers that firms kept before they used Munshi.
type Imports interface {
	// Begin reads a register and recognises its columns. Nothing is imported yet.
	Begin(ctx context.Context, workspace uuid.UUID, path, name string) (uuid.UUID, error)
	// Choose saves which column, counted from 0, holds each value. ErrNotFound: there is no such register, or some of
	// its rows have been imported.
	Choose(ctx context.Context, workspace, id uuid.UUID, columns map[string]int) error
	// Shown returns a register with the outcome of each row. ErrNotFound: there is no such register.
	Shown(ctx context.Context, workspace, id uuid.UUID, w ImportWindow) (RegisterImport, error)
	// Confirm imports all rows except those whose numbers are in leave. It stops after some seconds, and continues when it
	// is called again.
	Confirm(ctx context.Context, workspace, id uuid.UUID, leave []int, w ImportWindow) (RegisterImport, error)
}

// ImportWindow selects the rows of a register to show.
type ImportWindow struct {
	What string `query:"what" enum:"new_client,new_matter,attached,client,known,refused,unclear,left_out" doc:"Only rows with this outcome"`
	Skip int    `query:"skip" minimum:"0" maximum:"1000000"`
	Most int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

// RegisterImport is a register that is being imported, with the outcome of each row.
type RegisterImport struct {
	ID      string           `json:"id" format:"uuid"`
	Name    string           `json:"name" doc:"The name of the file"`
	Sheet   string           `json:"sheet" doc:"The sheet that was read, if the file is a workbook"`
	Others  []string         `json:"others" doc:"Other sheets with rows, which were not read"`
	Columns []RegisterColumn `json:"columns"`
	Values  []string         `json:"values" doc:"The values that a column can hold, such as gstin, in the order in which to show them"`
	Counts  map[string]int   `json:"counts" doc:"The number of rows for each outcome"`
	Rows    []RegisterLine   `json:"rows"`
	Total   int              `json:"total" doc:"The number of rows with the outcome that was asked for, on all pages"`
	Begun   bool             `json:"begun" doc:"Whether any rows have been dealt with"`
	Taken   int              `json:"taken" doc:"The number of rows that have been dealt with"`
	Done    bool             `json:"done"`
}

// RegisterColumn is a column of a register.
type RegisterColumn struct {
	Place   int      `json:"place" doc:"The number of the column, counted from 0"`
	Heading string   `json:"heading"`
	Samples []string `json:"samples" doc:"The first cells that are not empty"`
	Value   string   `json:"value" doc:"What the column holds, such as gstin; empty if it is not imported"`
}

// RegisterLine is a row of a register with its outcome.
type RegisterLine struct {
	Row       int        `json:"row" doc:"The number of the row in the file"`
	What      string     `json:"what" enum:"new_client,new_matter,attached,client,known,refused,unclear,left_out" doc:"The outcome of the row"`
	Client    string     `json:"client"`
	GSTIN     string     `json:"gstin"`
	Form      string     `json:"form"`
	Reference string     `json:"reference"`
	Issued    string     `json:"issued" doc:"ISO date, or empty"`
	Due       string     `json:"due" doc:"ISO date, or empty"`
	Why       []Sentence `json:"why" doc:"The reasons for the outcome, and what could not be read"`
	Matter    *string    `json:"matter" format:"uuid" doc:"The matter to which the row belongs; null if there is none yet"`
}

func (s *server) importRoutes(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "import-register", Method: http.MethodPost, Path: "/api/register/imports",
		Summary:       "Upload the register that a firm kept before, to preview its import",
		DefaultStatus: http.StatusCreated, SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: s.beforeBody(s.mayIntake),
		RequestBody: &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object", Required: []string{"file"}, Properties: map[string]*huma.Schema{
					"file": {Type: "string", Format: "binary", Description: "Excel (.xlsx, .xlsm) or CSV"}}}}}},
	}, s.importRegister)
	get(api, "get-register-import", "/api/register/imports/{id}",
		"Get a register that is being imported, with the outcome of each row", s.registerImport)
	post(api, "choose-register-columns", "/api/register/imports/{id}/columns", "Choose what the columns of a register hold",
		http.StatusOK, s.chooseRegisterColumns)
	post(api, "confirm-register-import", "/api/register/imports/{id}/confirm",
		"Import the rows of a register; to be called again until done is true", http.StatusOK, s.confirmRegisterImport)
}

type importInput struct{ RawBody multipart.Form }

// tableEndings are the file extensions that are accepted here. Old Excel formats (.xls, .xlsb) are among them because
// the reader refuses them later with advice on what to do.
var tableEndings = []string{".xlsx", ".xlsm", ".csv", ".txt", ".tsv", ".xls", ".xlsb"}

func (s *server) importRegister(ctx context.Context, in *importInput) (*body[RegisterImport], error) {
	a, _ := store.ActingIn(ctx)
	files := in.RawBody.File["file"]
	switch {
	case len(files) == 0:
		return nil, refuse("no_file", nil)
	case files[0].Size == 0:
		return nil, refuse("empty.upload", nil)
	case files[0].Size > s.Config.Upload.MaxBytes:
		return nil, s.tooLarge()
	case !slices.Contains(tableEndings, strings.ToLower(filepath.Ext(files[0].Filename))):
		return nil, refuse("table_type", problem.Params{"file": fileName(files[0].Filename)})
	}
	file, err := files[0].Open()
	if err != nil {
		return nil, s.toProblem(fmt.Errorf("open the upload: %w", err))
	}
	defer file.Close()
	path, remove, err := onDisk(file)
	if err != nil {
		return nil, s.toProblem(err)
	}
	defer remove()
	id, err := s.Imports.Begin(ctx, a.Workspace, path, fileName(files[0].Filename))
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.registerImport(ctx, &registerImportInput{ID: id, ImportWindow: ImportWindow{Most: 50}})
}

type registerImportInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
	ImportWindow
}

func (s *server) registerImport(ctx context.Context, in *registerImportInput) (*body[RegisterImport], error) {
	a, _ := store.ActingIn(ctx)
	out, err := s.Imports.Shown(ctx, a.Workspace, in.ID, in.ImportWindow)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[RegisterImport]{out}, nil
}

type chooseRegisterInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Columns map[string]int `json:"columns" doc:"For each value the number of its column, counted from 0; values without a column are left out"`
	}
}

func (s *server) chooseRegisterColumns(ctx context.Context, in *chooseRegisterInput) (*body[RegisterImport], error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Imports.Choose(ctx, a.Workspace, in.ID, in.Body.Columns); err != nil {
		return nil, s.toProblem(err)
	}
	return s.registerImport(ctx, &registerImportInput{ID: in.ID, ImportWindow: ImportWindow{Most: 50}})
}

type confirmImportInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Leave []int `json:"leave,omitempty" maxItems:"5000" doc:"The numbers of rows that are not to be imported"`
	}
}

func (s *server) confirmRegisterImport(ctx context.Context, in *confirmImportInput) (*body[RegisterImport], error) {
	a, _ := store.ActingIn(ctx)
	out, err := s.Imports.Confirm(ctx, a.Workspace, in.ID, in.Body.Leave, ImportWindow{Most: 50})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[RegisterImport]{out}, nil
}
