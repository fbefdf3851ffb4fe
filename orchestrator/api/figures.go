package api

import (
	"bytes"
	"cmp"
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

// Figures manages the files of figures for a notice, and their comparison.
type Figures interface {
	// Figures returns the files and the comparison. ErrNotFound: the conversation does not belong to the workspace.
	Figures(ctx context.Context, workspace, conversation uuid.UUID) (FiguresShown, error)
	Entries(ctx context.Context, workspace, conversation uuid.UUID, by store.FigureQuery) (FigureEntries, error)
	// Class sets the class that a person chose for a document.
	Class(ctx context.Context, workspace, conversation uuid.UUID, record, class string) error
	// Columns stores which columns of the client's registers hold which values; an empty choice deletes this.
	// ErrNotFound: no such file was read.
	Columns(ctx context.Context, workspace, conversation, file uuid.UUID, columns map[string]int) error
	// Letters writes a Word file with a letter to each supplier who should confirm their supplies.
	Letters(ctx context.Context, workspace, conversation uuid.UUID, w io.Writer) error
	// Workbook writes the annexure as a workbook in a language. ErrNotFound: nothing was compared.
	Workbook(ctx context.Context, workspace, conversation uuid.UUID, language string, w io.Writer) error
}

// FiguresShown has the files that are compared with a notice, and the result. Amounts by head are in paise of IGST,
// CGST, SGST and cess, in this order.
type FiguresShown struct {
	Files       []FigureFile        `json:"files"`
	Allegations []FigureAllegation  `json:"allegations" doc:"What can be compared with these files"`
	Late        *FigureLate         `json:"late" doc:"Interest on late returns by the cash ledger; null without that ledger, or if the notice asks for none"`
	Papers      []FigurePapers      `json:"papers" doc:"The comparisons by document"`
	Classes     []FigureClass       `json:"classes" doc:"How many documents each class of a comparison has"`
	Names       map[string]Sentence `json:"names" doc:"What each class means"`
	Repeated    int                 `json:"repeated" doc:"Documents that were in two files and are counted once"`
	ComputedAt  *time.Time          `json:"computed_at" doc:"Null where nothing was compared yet"`
}

// FigurePapers names the two sources that are compared document by document.
type FigurePapers struct {
	What   string   `json:"what" doc:"Such as credit_claimed"`
	First  Sentence `json:"first" doc:"Such as the books"`
	Second Sentence `json:"second" doc:"Such as the portal"`
	Given  []string `json:"given" doc:"The classes that a person may give its documents"`
}

// FigureFile is a file of figures.
type FigureFile struct {
	ID      string            `json:"id" format:"uuid"`
	Name    string            `json:"name"`
	Type    string            `json:"type" doc:"The required document it is, or empty"`
	Bytes   int64             `json:"bytes"`
	State   string            `json:"state" enum:"waiting,read,refused"`
	Problem *FileProblem      `json:"problem" doc:"Why it was refused; null if it was not"`
	Format  string            `json:"format" doc:"Such as GSTR-2B JSON or purchase register"`
	GSTIN   string            `json:"gstin" doc:"Whose it is, if the file says so"`
	Rows    int               `json:"rows"`
	From    string            `json:"from" doc:"The first month in it, as 2023-04; empty for none"`
	To      string            `json:"to"`
	Taxable int64             `json:"taxable" doc:"Amount of its documents, in paise"`
	Tax     int64             `json:"tax" doc:"Amount of its documents, in paise"`
	LeftOut []FigureLeftOut   `json:"left_out" doc:"Rows that were not taken, 200 at most"`
	Notes   []string          `json:"notes" doc:"Codes of notes about it, such as macros"`
	Columns map[string]string `json:"columns" doc:"Which column of a register was taken for what"`
	Table   *FigureTable      `json:"table" doc:"The columns of a register, of which others can be chosen; null for other files"`
}

// FigureTable describes the columns of a register.
type FigureTable struct {
	Headings []FigureHeading  `json:"headings"`
	Values   []string         `json:"values" doc:"What columns can be chosen for, such as gstin, in the order in which to show them"`
	Taken    map[string][]int `json:"taken" doc:"The numbers of the columns used for a value, from 0; several are added up"`
	Chosen   bool             `json:"chosen" doc:"Whether a person chose them, for this file or another of the client with the same headings"`
}

// FigureHeading is the heading of a column, with the first value below it.
type FigureHeading struct {
	Name   string `json:"name"`
	Sample string `json:"sample"`
}

// FileProblem says why a file was refused.
type FileProblem struct {
	Code string   `json:"code"`
	Said Sentence `json:"said"`
}

// FigureLeftOut is a row that could not be used.
type FigureLeftOut struct {
	Sheet string `json:"sheet"`
	Row   int    `json:"row"`
	Why   string `json:"why" doc:"A code, such as total or no_date"`
}

// FigureClass counts the documents of a class on each side.
type FigureClass struct {
	What   string `json:"what" doc:"The comparison, such as credit_claimed"`
	Class  string `json:"class"`
	Books  int    `json:"books" doc:"In the first of the two papers"`
	Portal int    `json:"portal" doc:"In the second"`
}

// FigureAllegation is an allegation that can be checked with figures, and what the files show about it.
type FigureAllegation struct {
	What       string        `json:"what" doc:"What is compared, such as credit_claimed"`
	Name       Sentence      `json:"name" doc:"What is compared, in words"`
	FirstName  Sentence      `json:"first_name" doc:"What First is"`
	SecondName Sentence      `json:"second_name" doc:"What Second is"`
	Value      bool          `json:"value" doc:"Amounts are values of supplies, which have no heads of tax; they come first"`
	Differs    bool          `json:"differs" doc:"The files show by how much the totals differ, but not why"`
	Notes      []Sentence    `json:"notes" doc:"Notes on its amounts, such as what is left out"`
	Against    string        `json:"against" doc:"What it is compared with, such as GSTR-2B"`
	From       string        `json:"from" doc:"The first month, as 2023-04"`
	To         string        `json:"to"`
	Paragraphs []string      `json:"paragraphs" doc:"Of the notice that allege it, as numbered there"`
	Notice     []int64       `json:"notice" doc:"The notice's figure by head; null if it does not state it separately for this"`
	First      []int64       `json:"first" doc:"What may be in excess, such as the credit claimed"`
	Second     []int64       `json:"second" doc:"What it is compared with, such as the credit on the portal"`
	Files      []int64       `json:"files" doc:"The difference as per the files"`
	Explained  []int64       `json:"explained"`
	Remains    []int64       `json:"remains"`
	Shares     []FigureShare `json:"shares" doc:"They add up to the notice's figure or, if that is not known, to the files' figure"`
	Months     []FigureMonth `json:"months"`
	Missing    []string      `json:"missing" doc:"Months without a GSTR-3B"`
	Books      bool          `json:"books" doc:"Whether a purchase register was given"`
	Reversed   []int64       `json:"reversed" doc:"Credit reversed in table 4(B); it is not adjusted here"`
	Pay        []FigureDues  `json:"pay" doc:"The DRC-03 for what remains, if it is admitted"`
	PayBy      *string       `json:"pay_by" doc:"The last day for it; null if not known"`
	InterestTo string        `json:"interest_to" doc:"The day up to which interest is counted"`
	Ledger     bool          `json:"ledger" doc:"Whether the credit ledger says from when interest runs"`
	Unused     []int64       `json:"unused" doc:"Credit that was never used and bears no interest"`
}

// FigureLate is the interest on returns that were paid after their due dates. Amounts are paise.
type FigureLate struct {
	From       string             `json:"from" doc:"The first month, as 2023-04"`
	To         string             `json:"to"`
	Paragraphs []string           `json:"paragraphs" doc:"Of the notice that ask for it, as numbered there"`
	Returns    []FigureLateReturn `json:"returns" doc:"Each debit of the cash ledger after a due date"`
	Cash       []int64            `json:"cash" doc:"What they come to, by head"`
	Lay        int64              `json:"lay"`
	Notice     *int64             `json:"notice" doc:"What the notice asks for on late returns; null if it names no sum for these alone"`
	Due        int64              `json:"due" doc:"The interest that is due by the ledgers"`
	OnLay      int64              `json:"on_lay" doc:"On cash that lay in the ledger from the due date"`
	OnCredit   *int64             `json:"on_credit" doc:"On tax that credit paid; null without the credit ledger"`
	Other      *int64             `json:"other" doc:"What of the notice's sum comes from other days or amounts; null if Notice is"`
	Doubts     []Sentence         `json:"doubts" doc:"What a reader should know and cannot see in the amounts"`
}

// FigureLateReturn is one debit of the cash ledger for a return after its due date.
type FigureLateReturn struct {
	Period   string  `json:"period" doc:"As 2023-04"`
	Due      string  `json:"due" format:"date"`
	Paid     string  `json:"paid" format:"date"`
	Days     int     `json:"days"`
	Cash     []int64 `json:"cash" doc:"By head"`
	Lay      int64   `json:"lay" doc:"Of it, what lay in the ledger from the due date and bears no interest"`
	Interest int64   `json:"interest" doc:"On the rest"`
}

// FigureShare is the part of a difference that belongs to one class.
type FigureShare struct {
	Class    string  `json:"class"`
	Explains bool    `json:"explains"`
	Tax      []int64 `json:"tax"`
}

// FigureMonth is a month of a comparison, in paise, with all heads added up.
type FigureMonth struct {
	Period    string `json:"period" doc:"As 2023-04, or the year 2023-24 where the annual return is compared"`
	First     int64  `json:"first"`
	Second    int64  `json:"second"`
	Explained int64  `json:"explained"`
	Remains   int64  `json:"remains"`
}

// FigureDues is a line of a DRC-03 (voluntary payment form), in paise.
type FigureDues struct {
	Head     string `json:"head"`
	Tax      int64  `json:"tax"`
	Interest int64  `json:"interest"`
}

// FigureEntries is one page of compared documents.
type FigureEntries struct {
	Total   int           `json:"total"`
	Entries []FigureEntry `json:"entries"`
}

// FigureEntry is a document, such as an invoice, in the books, on the portal or in both.
type FigureEntry struct {
	Record string      `json:"record" doc:"Names it"`
	Class  string      `json:"class"`
	Own    bool        `json:"own" doc:"Whether a person gave the class"`
	Given  bool        `json:"given" doc:"Whether a person may give it another"`
	Books  *FigureSide `json:"books" doc:"Null where it is not in the books"`
	Portal *FigureSide `json:"portal" doc:"Null where it is not on the portal"`
}

// FigureSide is a document as recorded on one side.
type FigureSide struct {
	GSTIN   string  `json:"gstin"`
	Name    string  `json:"name"`
	Kind    string  `json:"kind"`
	Number  string  `json:"number"`
	Date    string  `json:"date" doc:"ISO date; empty if the file has none"`
	Period  string  `json:"period"`
	Taxable int64   `json:"taxable" doc:"In paise"`
	Tax     []int64 `json:"tax"`
	Row     int     `json:"row" doc:"Of its file"`
}

// mostFigureFiles is how many files one notice may have: three returns for each month of three years, and some more.
const mostFigureFiles = 120

// figuresTurn is the kind of turn that compares files of figures.
const figuresTurn = store.FiguresTurn

func (s *server) figuresRoutes(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "post-figures", Method: http.MethodPost, Path: "/api/conversations/{id}/figures",
		Summary:       "Upload files of the portal and the books, to be compared with the notice",
		DefaultStatus: http.StatusAccepted, SkipValidateBody: true,
		BodyReadTimeout: transferTime, Middlewares: s.beforeBody(s.mayHandInFigures),
		RequestBody: &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object", Required: []string{"file"}, Properties: map[string]*huma.Schema{
					"file": {Type: "string", Format: "binary",
						Description: "JSON, Excel (.xlsx, .xlsm), CSV, or a ZIP of JSON; may be given several times"},
					"type": {Type: "string", Description: "The required document they are; optional"}}}}}},
	}, s.postFigures)
	get(api, "get-figures", "/api/conversations/{id}/figures", "The files that are held against a notice, and what "+
		"they come to", s.figures)
	get(api, "get-figure-entries", "/api/conversations/{id}/figures/entries",
		"The documents of the comparison, page by page", s.figureEntries)
	post(api, "class-figure", "/api/conversations/{id}/figures/class", "Give a document another class", http.StatusOK,
		s.classFigure)
	post(api, "remove-figures", "/api/conversations/{id}/figures/{file}/remove",
		"Remove a file, and compare the others anew", http.StatusAccepted, s.removeFigures)
	post(api, "choose-figure-columns", "/api/conversations/{id}/figures/{file}/columns",
		"Say which columns of a register hold what, for all files of the client with the same headings, and compare anew", http.StatusAccepted, s.chooseColumns)
	const xlsx, docx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	download := func(operation, path, summary, kind string) huma.Operation {
		return huma.Operation{OperationID: operation, Method: http.MethodGet,
			Path: "/api/conversations/{id}/figures/" + path, Summary: summary,
			Responses: map[string]*huma.Response{"200": {Description: "An Office file",
				Content: map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}}}
	}
	huma.Register(api, download("get-figures-workbook", "workbook", "The comparison as a workbook with live formulas",
		xlsx), func(ctx context.Context, in *workbookInput) (*huma.StreamResponse, error) {
		return s.figuresFile(ctx, in.ID, "Annexure of figures", ".xlsx", xlsx,
			func(workspace uuid.UUID, w io.Writer) error {
				return s.Figures.Workbook(ctx, workspace, in.ID, cmp.Or(in.Language, answersIn(ctx)), w)
			})
	})
	huma.Register(api, download("get-supplier-letters", "letters", "A letter to each supplier who is asked to confirm "+
		"supplies, in one Word file", docx),
		func(ctx context.Context, in *idInput) (*huma.StreamResponse, error) {
			return s.figuresFile(ctx, in.ID, "Letters to suppliers", ".docx", docx,
				func(workspace uuid.UUID, w io.Writer) error {
					return s.Figures.Letters(ctx, workspace, in.ID, w)
				})
		})
}

// figuresFile sends a file that is made from the figures of a notice.
func (s *server) figuresFile(ctx context.Context, conversation uuid.UUID, title, extension, kind string,
	write func(workspace uuid.UUID, w io.Writer) error) (*huma.StreamResponse, error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	var b bytes.Buffer
	if err := write(workspace, &b); err != nil {
		return nil, s.toProblem(err)
	}
	name, err := s.fileOfNotice(ctx, workspace, conversation, title, extension)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		hc.SetHeader("Content-Type", kind)
		hc.SetHeader("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
		hc.SetHeader("Cache-Control", "private, no-store")
		hc.SetStatus(http.StatusOK)
		defer writeWithin(hc, transferTime)()
		_, _ = hc.BodyWriter().Write(b.Bytes()) // fails if the client has disconnected
	}}, nil
}

type workbookInput struct {
	ID       uuid.UUID `path:"id" format:"uuid"`
	Language string    `query:"language" enum:"en,hi" doc:"Left out for the browser's"`
}

type figuresInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Key     string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
	RawBody multipart.Form
}

// dataEndings are the extensions of files of figures. The last three are accepted here so that they can be refused with
// a helpful message.
var dataEndings = []string{".json", ".xlsx", ".xlsm", ".csv", ".zip", ".txt", ".pdf", ".xls", ".xlsb", ".ods"}

func (s *server) postFigures(ctx context.Context, in *figuresInput) (*body[Turn], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	given := in.RawBody.File["file"]
	kind := store.OneLine(strings.Join(in.RawBody.Value["type"], " "))
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

// mayHandInFigures refuses files before the upload, if they would be refused afterwards anyway. They are free of
// charge, since no model reads them.
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
	What   string    `query:"what" maxLength:"40" default:"credit_claimed" doc:"The comparison"`
	Class  string    `query:"class" maxLength:"40" doc:"Left out for all; open: those that do not match on both sides"`
	Sort   string    `query:"sort" enum:",amount,supplier,date" doc:"Left out to sort by month and supplier"`
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
	list, err := s.Figures.Entries(ctx, workspace, in.ID,
		store.FigureQuery{What: in.What, Class: in.Class, Sort: in.Sort, Search: in.Search, Skip: in.Skip,
			Most: in.Most})
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
	Key  string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
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

type columnsInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	File uuid.UUID `path:"file" format:"uuid"`
	Key  string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
	Body struct {
		Columns map[string]int `json:"columns" maxProperties:"40" doc:"For each value the number of its column, from 0; -1 for no column. Empty for the recognised columns"`
	}
}

func (s *server) chooseColumns(ctx context.Context, in *columnsInput) (*body[Turn], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Figures.Columns(ctx, workspace, in.ID, in.File, in.Body.Columns); err != nil {
		return nil, s.toProblem(err)
	}
	return s.accept(ctx, in.ID, in.Key, handIn{kind: figuresTurn})
}

// TransformSchema says which fields may be null.
func (FiguresShown) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "computed_at", "late")
}

// TransformSchema says which fields may be null.
func (FigureFile) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "problem", "table")
}

// TransformSchema says which fields may be null.
func (FigureAllegation) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "notice", "pay_by")
}

// TransformSchema says which fields may be null.
func (FigureEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "books", "portal")
}
