package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// Figures knows the files of figures of a notice, and what they come to.
type Figures interface {
	// Figures gives the files and what they come to. ErrNotFound: the conversation is not the workspace's.
	Figures(ctx context.Context, workspace, conversation uuid.UUID) (FiguresShown, error)
	Entries(ctx context.Context, workspace, conversation uuid.UUID, by store.FigureQuery) (FigureEntries, error)
	// Class gives a document the class that a person chose.
	Class(ctx context.Context, workspace, conversation uuid.UUID, record, class string) error
	// Workbook writes the annexure. ErrNotFound: nothing was compared.
	Workbook(ctx context.Context, workspace, conversation uuid.UUID, w io.Writer) error
}

// FiguresShown is what was handed in to be held against a notice, and what it comes to. Amounts by head are paise of IGST, CGST,
// SGST and cess, in this order.
type FiguresShown struct {
	Files       []FigureFile       `json:"files"`
	Allegations []FigureAllegation `json:"allegations" doc:"What can be compared by these files"`
	Classes     []FigureClass      `json:"classes" doc:"How many documents each class has"`
	Repeated    int                `json:"repeated" doc:"Documents that stood in two files and count once"`
	ComputedAt  *time.Time         `json:"computed_at" doc:"Null where nothing was compared yet"`
}

// FigureFile is a file that was handed in.
type FigureFile struct {
	ID      string            `json:"id" format:"uuid"`
	Name    string            `json:"name"`
	Type    string            `json:"type" doc:"The required document that it is, or empty"`
	Bytes   int64             `json:"bytes"`
	State   string            `json:"state" enum:"waiting,read,refused"`
	Problem *FileProblem      `json:"problem" doc:"Why it was refused; null where it was not"`
	Format  string            `json:"format" doc:"Such as GSTR-2B JSON or purchase register"`
	GSTIN   string            `json:"gstin" doc:"Whose it is, where the file says so"`
	Rows    int               `json:"rows"`
	From    string            `json:"from" doc:"The first month in it, as 2023-04; empty for none"`
	To      string            `json:"to"`
	Taxable int64             `json:"taxable" doc:"In paise, of its documents"`
	Tax     int64             `json:"tax" doc:"In paise, of its documents"`
	LeftOut []FigureLeftOut   `json:"left_out" doc:"Rows that were not taken, 200 at most"`
	Notes   []string          `json:"notes" doc:"Codes of what is to be known of it, such as macros"`
	Columns map[string]string `json:"columns" doc:"Which column of a register was taken for what"`
}

// FileProblem says why a file was refused.
type FileProblem struct {
	Code string   `json:"code"`
	Said Sentence `json:"said"`
}

// FigureLeftOut is a row that was not taken.
type FigureLeftOut struct {
	Sheet string `json:"sheet"`
	Row   int    `json:"row"`
	Why   string `json:"why" doc:"A code, such as total or no_date"`
}

// FigureClass is how many documents of each side a class has.
type FigureClass struct {
	Class  string `json:"class"`
	Books  int    `json:"books"`
	Portal int    `json:"portal"`
	Given  bool   `json:"given" doc:"Whether a person may give it"`
}

// FigureAllegation is what a notice alleges by arithmetic, beside the files.
type FigureAllegation struct {
	What       string        `json:"what" enum:"credit_claimed,tax_declared"`
	Against    string        `json:"against" doc:"What it is held against, such as GSTR-2B"`
	From       string        `json:"from" doc:"The first month, as 2023-04"`
	To         string        `json:"to"`
	Paragraphs []string      `json:"paragraphs" doc:"Of the notice that allege it, as numbered there"`
	Notice     []int64       `json:"notice" doc:"The notice's figure by head; null where it does not say it for this alone"`
	First      []int64       `json:"first" doc:"The credit claimed, or the tax in GSTR-1"`
	Second     []int64       `json:"second" doc:"The credit on the portal, or the tax paid with GSTR-3B"`
	Files      []int64       `json:"files" doc:"The difference per files"`
	Explained  []int64       `json:"explained"`
	Remains    []int64       `json:"remains"`
	Shares     []FigureShare `json:"shares" doc:"They add up to the notice's figure, or where it is not known to the files'"`
	Months     []FigureMonth `json:"months"`
	Missing    []string      `json:"missing" doc:"Months without a GSTR-3B"`
	Books      bool          `json:"books" doc:"Whether a purchase register was given"`
	Reversed   []int64       `json:"reversed" doc:"Credit reversed in table 4(B), which is not set off"`
	Pay        []FigureDues  `json:"pay" doc:"The DRC-03 of what remains, were it admitted"`
	PayBy      *string       `json:"pay_by" doc:"The last day for it; null where none is known"`
	InterestTo string        `json:"interest_to" doc:"The day up to which interest is counted"`
	Ledger     bool          `json:"ledger" doc:"Whether the credit ledger says from when interest runs"`
	Unused     []int64       `json:"unused" doc:"Credit that was never used and bears no interest"`
}

// FigureShare is what a class accounts for.
type FigureShare struct {
	Class    string  `json:"class"`
	Explains bool    `json:"explains"`
	Tax      []int64 `json:"tax"`
}

// FigureMonth is a month of a comparison, all heads together, in paise.
type FigureMonth struct {
	Period    string `json:"period"`
	First     int64  `json:"first"`
	Second    int64  `json:"second"`
	Explained int64  `json:"explained"`
	Remains   int64  `json:"remains"`
}

// FigureDues is a line of a DRC-03, in paise.
type FigureDues struct {
	Head     string `json:"head"`
	Tax      int64  `json:"tax"`
	Interest int64  `json:"interest"`
}

// FigureEntries is a page of documents.
type FigureEntries struct {
	Total   int           `json:"total"`
	Entries []FigureEntry `json:"entries"`
}

// FigureEntry is a document, in the books, on the portal or both.
type FigureEntry struct {
	Record string      `json:"record" doc:"Names it"`
	Class  string      `json:"class"`
	Own    bool        `json:"own" doc:"Whether a person gave the class"`
	Given  bool        `json:"given" doc:"Whether a person may give it another"`
	Books  *FigureSide `json:"books" doc:"Null where it is not in the books"`
	Portal *FigureSide `json:"portal" doc:"Null where it is not on the portal"`
}

// FigureSide is a document as one side has it.
type FigureSide struct {
	GSTIN   string  `json:"gstin"`
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Number  string  `json:"number"`
	Date    string  `json:"date" doc:"ISO; empty where the file has none"`
	Period  string  `json:"period"`
	Taxable int64   `json:"taxable" doc:"In paise"`
	Tax     []int64 `json:"tax"`
	Row     int     `json:"row" doc:"Of its file"`
}

// mostFigureFiles is how many files one notice may have: three years by month, of three returns.
const mostFigureFiles = 120

// figuresTurn is the kind of turn that compares files of figures.
const figuresTurn = store.FiguresTurn

func (s *server) figuresRoutes(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "post-figures", Method: http.MethodPost, Path: "/api/conversations/{id}/figures",
		Summary: "Hand in files of the portal and the books, to be held against the notice", DefaultStatus: http.StatusAccepted, SkipValidateBody: true,
		BodyReadTimeout: transferTime, Middlewares: s.beforeBody(s.mayHandInFigures),
		RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: "object", Required: []string{"file"}, Properties: map[string]*huma.Schema{
				"file": {Type: "string", Format: "binary", Description: "JSON, Excel (.xlsx, .xlsm), CSV, or a ZIP of JSON; may be given several times"},
				"type": {Type: "string", Description: "The required document that they are, or left out"}}}}}},
	}, s.postFigures)
	get(api, "get-figures", "/api/conversations/{id}/figures", "The files that are held against a notice, and what they come to", s.figures)
	get(api, "get-figure-entries", "/api/conversations/{id}/figures/entries", "The documents of the comparison, page by page", s.figureEntries)
	post(api, "class-figure", "/api/conversations/{id}/figures/class", "Give a document another class", http.StatusOK, s.classFigure)
	post(api, "remove-figures", "/api/conversations/{id}/figures/{file}/remove", "Remove a file, and compare the others anew", http.StatusAccepted,
		s.removeFigures)
	const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	huma.Register(api, huma.Operation{OperationID: "get-figures-workbook", Method: http.MethodGet, Path: "/api/conversations/{id}/figures/workbook",
		Summary: "The comparison as a workbook with live formulas", Responses: map[string]*huma.Response{"200": {Description: "An Excel file",
			Content: map[string]*huma.MediaType{xlsx: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}}},
		func(ctx context.Context, in *idInput) (*huma.StreamResponse, error) {
			workspace, err := who(ctx)
			if err != nil {
				return nil, s.toProblem(err)
			}
			var b bytes.Buffer
			if err := s.Figures.Workbook(ctx, workspace, in.ID, &b); err != nil {
				return nil, s.toProblem(err)
			}
			name, err := s.fileOfNotice(ctx, workspace, in.ID, "Annexure of figures", ".xlsx")
			if err != nil {
				return nil, s.toProblem(err)
			}
			return &huma.StreamResponse{Body: func(hc huma.Context) {
				hc.SetHeader("Content-Type", xlsx)
				hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
				hc.SetHeader("Cache-Control", "private, no-store")
				hc.SetStatus(http.StatusOK)
				defer writeWithin(hc, transferTime)()
				_, _ = hc.BodyWriter().Write(b.Bytes()) // the client may have gone
			}}, nil
		})
}

type figuresInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Key     string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key again gives the turn that was made before"`
	RawBody multipart.Form
}

// dataEndings are those of the files that are read as figures.
var dataEndings = []string{".json", ".xlsx", ".xlsm", ".csv", ".zip", ".txt", ".xls", ".xlsb"} // the last two are refused with a sentence that helps

func (s *server) postFigures(ctx context.Context, in *figuresInput) (*body[Turn], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	given := in.RawBody.File["file"]
	kind := strings.TrimSpace(plainText(strings.Join(in.RawBody.Value["type"], " ")))
	switch {
	case len(given) == 0:
		return nil, refuse("no_file", nil)
	case len(kind) > 300:
		return nil, refuse("invalid_request.document_type", nil)
	}
	before, err := s.Store.FigureFiles(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if len(before)+len(given) > mostFigureFiles {
		return nil, refuse("figures_many", problem.Params{"most": mostFigureFiles})
	}
	hand := handIn{kind: figuresTurn}
	for _, head := range given {
		switch {
		case head.Size == 0:
			return nil, refuse("empty.upload", nil)
		case head.Size > s.Config.Upload.MaxBytes:
			return nil, s.tooLarge()
		case !slices.Contains(dataEndings, strings.ToLower(filepath.Ext(head.Filename))):
			return nil, refuse("figures_type", problem.Params{"file": fileName(head.Filename)})
		}
		file, err := head.Open()
		if err != nil {
			return nil, s.toProblem(fmt.Errorf("open the upload: %w", err))
		}
		defer file.Close()
		hand.figures = append(hand.figures, store.NewDocument{Name: fileName(head.Filename), Type: kind, Content: file})
	}
	return s.accept(ctx, in.ID, in.Key, hand)
}

// mayHandInFigures refuses files that would be refused once they had come. They cost no use: no model reads them.
func (s *server) mayHandInFigures(ctx context.Context, r *http.Request, conversation uuid.UUID) error {
	workspace, free, err := s.mayBegin(ctx, r, conversation)
	if err != nil || free {
		return err
	}
	if _, err := s.Store.Notice(ctx, workspace, conversation); errors.Is(err, store.ErrNotFound) {
		return refuse("no_notice", nil)
	} else if err != nil {
		return err
	}
	if err := s.mayAsk(ctx, workspace); err != nil {
		return err
	}
	return s.spareTurn(ctx, workspace, "upload", s.uploaded(r))
}

func (s *server) figures(ctx context.Context, in *idInput) (*body[FiguresShown], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	shown, err := s.Figures.Figures(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[FiguresShown]{shown}, nil
}

type figureEntriesInput struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Class  string    `query:"class" maxLength:"40" doc:"Left out: all; open: those that do not agree on both sides"`
	Sort   string    `query:"sort" enum:",amount,supplier,date" doc:"Left out: by month and supplier"`
	Search string    `query:"q" maxLength:"200" doc:"In the supplier's name and GSTIN, and the document's number"`
	Skip   int       `query:"skip" minimum:"0" maximum:"10000000"`
	Most   int       `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) figureEntries(ctx context.Context, in *figureEntriesInput) (*body[FigureEntries], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.Store.Plugin(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	list, err := s.Figures.Entries(ctx, workspace, in.ID, store.FigureQuery{Class: in.Class, Sort: in.Sort, Search: in.Search, Skip: in.Skip, Most: in.Most})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[FigureEntries]{list}, nil
}

type classInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Record string `json:"record" maxLength:"60"`
		Class  string `json:"class" maxLength:"40"`
	}
}

func (s *server) classFigure(ctx context.Context, in *classInput) (*body[FiguresShown], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Figures.Class(ctx, workspace, in.ID, in.Body.Record, in.Body.Class); err != nil {
		return nil, s.toProblem(err)
	}
	return s.figures(ctx, &idInput{ID: in.ID})
}

type figureFileInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	File uuid.UUID `path:"file" format:"uuid"`
	Key  string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key again gives the turn that was made before"`
}

func (s *server) removeFigures(ctx context.Context, in *figureFileInput) (*body[Turn], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Store.DropFigureFile(ctx, workspace, in.ID, in.File); err != nil {
		return nil, s.toProblem(err)
	}
	return s.accept(ctx, in.ID, in.Key, handIn{kind: figuresTurn})
}

// TransformSchema lets what may be missing be null.
func (FiguresShown) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "computed_at")
}

// TransformSchema lets the problem be null.
func (FigureFile) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "problem")
}

// TransformSchema lets what may be missing be null.
func (FigureAllegation) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "notice", "pay_by")
}

// TransformSchema lets a side be null.
func (FigureEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "books", "portal")
}
