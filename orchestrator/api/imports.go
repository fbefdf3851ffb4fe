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

// Imports takes over the registers that a firm kept before.
type Imports interface {
	// Begin reads a register and recognises its columns. Nothing is taken over yet.
	Begin(ctx context.Context, workspace uuid.UUID, path, name string) (uuid.UUID, error)
	// Choose keeps which columns hold what, by their places from 0. ErrNotFound: there is no such register, or its
	// import has begun.
	Choose(ctx context.Context, workspace, id uuid.UUID, columns map[string]int) error
	// Shown says what each row comes to. ErrNotFound.
	Shown(ctx context.Context, workspace, id uuid.UUID, w ImportWindow) (RegisterImport, error)
	// Confirm takes rows over, but for those whose numbers are left out. It stops after some seconds; called again, it
	// goes on.
	Confirm(ctx context.Context, workspace, id uuid.UUID, leave []int, w ImportWindow) (RegisterImport, error)
}

// ImportWindow says which rows of a register are shown.
type ImportWindow struct {
	What string `query:"what" enum:"new_client,new_matter,attached,client,known,refused,unclear,left_out" doc:"Only those that come to this"`
	Skip int    `query:"skip" minimum:"0" maximum:"1000000"`
	Most int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

// RegisterImport is a register that is being imported, with what each row comes to.
type RegisterImport struct {
	ID      string           `json:"id" format:"uuid"`
	Name    string           `json:"name" doc:"Of the file"`
	Sheet   string           `json:"sheet" doc:"Of a workbook: the one that was read"`
	Others  []string         `json:"others" doc:"Sheets with rows that were not read"`
	Columns []RegisterColumn `json:"columns"`
	Values  []string         `json:"values" doc:"What a column can hold, such as gstin, in the order in which to show them"`
	Counts  map[string]int   `json:"counts" doc:"How many rows come to what"`
	Rows    []RegisterLine   `json:"rows"`
	Total   int              `json:"total" doc:"How many rows there are of those asked for"`
	Begun   bool             `json:"begun" doc:"Some rows have been taken over"`
	Taken   int              `json:"taken" doc:"How many rows have been dealt with"`
	Done    bool             `json:"done"`
}

// RegisterColumn is a column of a register.
type RegisterColumn struct {
	Place   int      `json:"place" doc:"From 0"`
	Heading string   `json:"heading"`
	Samples []string `json:"samples" doc:"The first cells that have something"`
	Value   string   `json:"value" doc:"What it holds; empty: it is not taken"`
}

// RegisterLine is a row of a register and what it comes to.
type RegisterLine struct {
	Row       int        `json:"row" doc:"Its number in the file"`
	What      string     `json:"what" enum:"new_client,new_matter,attached,client,known,refused,unclear,left_out"`
	Client    string     `json:"client"`
	GSTIN     string     `json:"gstin"`
	Form      string     `json:"form"`
	Reference string     `json:"reference"`
	Issued    string     `json:"issued" doc:"ISO date, or empty"`
	Due       string     `json:"due" doc:"ISO date, or empty"`
	Why       []Sentence `json:"why"`
	Matter    *string    `json:"matter" format:"uuid" doc:"That it belongs to; null for one that is not there yet"`
}

func (s *server) importRoutes(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "import-register", Method: http.MethodPost, Path: "/api/register/imports",
		Summary:       "Hand in a register that the firm kept before, to see what each row would come to",
		DefaultStatus: http.StatusCreated, SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: s.beforeBody(s.mayIntake),
		RequestBody: &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object", Required: []string{"file"}, Properties: map[string]*huma.Schema{
					"file": {Type: "string", Format: "binary", Description: "Excel (.xlsx, .xlsm) or CSV"}}}}}},
	}, s.importRegister)
	get(api, "get-register-import", "/api/register/imports/{id}", "What each row of a register comes to",
		s.registerImport)
	post(api, "choose-register-columns", "/api/register/imports/{id}/columns", "Say which columns of a register hold what",
		http.StatusOK, s.chooseRegisterColumns)
	post(api, "confirm-register-import", "/api/register/imports/{id}/confirm",
		"Take a register over; called again until it is done", http.StatusOK, s.confirmRegisterImport)
}

type importInput struct{ RawBody multipart.Form }

// tableEndings are the extensions of files that are read as a register. The last are refused with a sentence that helps.
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
		Columns map[string]int `json:"columns" doc:"The place of the column for each value, from 0; what is left out is in none"`
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
		Leave []int `json:"leave,omitempty" maxItems:"5000" doc:"The numbers of rows that are not to be taken over"`
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
