package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Intake accepts papers that are uploaded in batches.
type Intake interface {
	// Take adds a file to a batch, or each file in a ZIP. It starts reading what can be read, and records why the rest
	// was refused. ErrNotFound: there is no such batch; ErrTooMany: it is full.
	Take(ctx context.Context, workspace, batch uuid.UUID, f IntakeFile) error
	// Problem decodes the stored reason why a file was refused.
	Problem(kept json.RawMessage) (FileProblem, error)
}

// IntakeFile is a file on disk: a PDF, a photograph, or a ZIP of them.
type IntakeFile struct {
	Name, Path string
	Language   string     // language of the answers about it
	Listed     *uuid.UUID // the listed notice whose document it is
}

// Triage is what a firm still has to check.
type Triage struct {
	Batches []Batch       `json:"batches" doc:"Of the last days, the latest first"`
	Files   []TriageFile  `json:"files" doc:"Files that were not accepted or could not be read, and were not removed from the list"`
	Papers  []TriagePaper `json:"papers" doc:"Earliest due first"`
	Total   int           `json:"total" doc:"How many papers there are"`
	Held    int           `json:"held" doc:"How many e-mails are in quarantine"`
}

// Batch is a batch of uploaded files, with its progress.
type Batch struct {
	ID        string    `json:"id" format:"uuid"`
	By        string    `json:"by" doc:"Who uploaded them"`
	Files     int       `json:"files"`
	Reading   int       `json:"reading" doc:"Those being read or waiting to be read"`
	Refused   int       `json:"refused" doc:"Not accepted, or could not be read"`
	Repeated  int       `json:"repeated" doc:"Those that were there before"`
	CreatedAt time.Time `json:"created_at"`
}

// TriageFile is a file that was refused, had been uploaded before, or could not be read.
type TriageFile struct {
	ID      string       `json:"id" format:"uuid"`
	Name    string       `json:"name"`
	Problem *FileProblem `json:"problem" doc:"Why it was not accepted or could not be read"`
	Repeats *FiledAt     `json:"repeats" doc:"Where the same file was uploaded before"`
	Turn    *string      `json:"turn" format:"uuid" doc:"The turn that could not read it and can be retried"`
}

// TransformSchema says which fields may be null.
func (TriageFile) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "problem", "repeats")
}

// FiledAt identifies a paper by its conversation.
type FiledAt struct {
	Paper string `json:"paper" format:"uuid" doc:"Its conversation"`
	Title string `json:"title"`
}

// TriagePaper is a paper that nobody has checked yet.
type TriagePaper struct {
	NoticeLine
	Filing PaperFiling `json:"filing"`
	From   string      `json:"from" doc:"Who uploaded it in a batch; empty if it was uploaded alone"`
}

func (s *server) intakeRoutes(api huma.API) {
	post(api, "open-batch", "/api/batches", "Begin to hand in many papers", http.StatusCreated, s.openBatch)
	huma.Register(api, huma.Operation{
		OperationID: "add-batch-file", Method: http.MethodPost, Path: "/api/batches/{id}/files",
		Summary:       "Upload a paper of a batch: a PDF, photographs of its pages, or a ZIP of papers",
		DefaultStatus: http.StatusNoContent, SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: s.beforeBody(s.mayIntake), RequestBody: fileBody(map[string]*huma.Schema{
			"listed": {Type: "string", Format: "uuid", Description: "The listed notice whose document it is; optional"}}),
	}, s.addBatchFile)
	get(api, "get-triage", "/api/triage", "What came and nobody has looked at", s.triage)
	post(api, "put-aside", "/api/triage/aside", "Put files aside that became no paper", http.StatusNoContent,
		s.putAside)
	post(api, "analyse-paper", "/api/conversations/{id}/analysis",
		"Begin the analysis of a notice that was read before", http.StatusAccepted, s.analysePaper)
}

func (s *server) openBatch(ctx context.Context, _ *none) (*body[Batch], error) {
	a, _ := store.ActingIn(ctx)
	id, err := s.Store.OpenBatch(ctx, a.Workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[Batch]{Batch{ID: id.String(), By: a.Name, CreatedAt: time.Now()}}, nil
}

// mayIntake refuses a file of a batch if too much comes from one address. It is free, since no model reads it.
func (s *server) mayIntake(ctx context.Context, r *http.Request, _ uuid.UUID) error {
	workspace, err := who(ctx)
	if err != nil {
		return err
	}
	free, err := s.freely(ctx, workspace)
	if err != nil || !free {
		return err
	}
	return s.spare(ctx, "upload", s.uploaded(r))
}

// zipTimes is how many times larger than a single paper a ZIP of papers may be.
const zipTimes = 10

// isIntake reports whether a request uploads a file of a batch, which may be a ZIP.
func isIntake(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/batches/") && strings.HasSuffix(r.URL.Path, "/files")
}

type batchFileInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	RawBody multipart.Form
}

func (s *server) addBatchFile(ctx context.Context, in *batchFileInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	files := in.RawBody.File["file"]
	if len(files) == 0 {
		return nil, refuse("no_file", nil)
	}
	f := IntakeFile{Name: fileName(files[0].Filename), Language: answersIn(ctx)}
	if named := in.RawBody.Value["listed"]; len(named) > 0 {
		id, err := uuid.Parse(named[0])
		if err != nil {
			return nil, notFound()
		}
		f.Listed = &id
	}
	if len(files) > 1 { // photographs that form one paper
		d, done, err := s.received(ctx, in.RawBody)
		if err != nil {
			return nil, s.toProblem(err)
		}
		defer done()
		pdf, ok := d.Content.(*os.File)
		if !ok {
			return nil, refuse("no_file.mixed", nil)
		}
		f.Name, f.Path = d.Name, pdf.Name()
	} else {
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
		f.Path = path
	}
	err := s.Intake.Take(ctx, a.Workspace, in.ID, f)
	if errors.Is(err, store.ErrTooMany) {
		err = problem.New("batch_full", problem.Params{"files": store.MostFiles}, err)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type triageInput struct {
	Skip int `query:"skip" minimum:"0" maximum:"1000000"`
	Most int `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) triage(ctx context.Context, in *triageInput) (*body[Triage], error) {
	a, _ := store.ActingIn(ctx)
	t, err := s.Store.Triage(ctx, a.Workspace, in.Skip, in.Most)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := Triage{Batches: []Batch{}, Files: []TriageFile{}, Papers: []TriagePaper{}, Total: t.Total,
		Held: t.Held}
	for _, b := range t.Batches {
		out.Batches = append(out.Batches,
			Batch{ID: b.ID.String(), By: orEmpty(b.Member), Files: int(b.Files), Reading: int(b.Reading),
				Refused: int(b.Refused), Repeated: int(b.Repeated), CreatedAt: b.CreatedAt})
	}
	for _, f := range t.Files {
		one := TriageFile{ID: f.ID.String(), Name: f.Name, Turn: orNull(f.TurnID)}
		switch {
		case f.Problem != nil:
			p, err := s.Intake.Problem(f.Problem)
			if err != nil {
				return nil, s.toProblem(err)
			}
			one.Problem = &p
		case f.Repeats != nil:
			one.Repeats = &FiledAt{f.Repeats.String(), f.RepeatsTitle}
		default:
			said := problem.OfTurn(f.ErrorCode)
			if said.IsZero() {
				said = message.Text(f.ErrorSentence, "")
			}
			one.Problem = &FileProblem{Code: f.ErrorCode, Said: Sentence(said)}
		}
		out.Files = append(out.Files, one)
	}
	today, soon := todayAndSoon()
	for _, p := range t.Papers {
		out.Papers = append(out.Papers,
			TriagePaper{NoticeLine: noticeLine(store.LineOf(p.Notice), today, soon), Filing: paperFiling(p.FiledPaper),
				From: orEmpty(p.Member)})
	}
	return &body[Triage]{out}, nil
}

type asideInput struct {
	Body struct {
		Files []uuid.UUID `json:"files" minItems:"1" maxItems:"500"`
	}
}

func (s *server) putAside(ctx context.Context, in *asideInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	n, err := s.Store.SeeFiles(ctx, a.Workspace, in.Body.Files)
	if err == nil && n == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type analyseInput struct {
	ID  uuid.UUID `path:"id" format:"uuid"`
	Key string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
}

func (s *server) analysePaper(ctx context.Context, in *analyseInput) (*body[Turn], error) {
	return s.accept(ctx, in.ID, in.Key, handIn{kind: formTurn, read: true})
}
