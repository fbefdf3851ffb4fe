package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

type documentInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Key     string    `header:"Idempotency-Key" maxLength:"200" doc:"The same key returns the turn that was already made"`
	RawBody multipart.Form
}

// transferTime is how long the upload of a document may take: enough for 25 MiB over a slow connection.
const transferTime = 10 * time.Minute

// uploadRoute accepts documents.
func (s *server) uploadRoute(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "post-document", Method: http.MethodPost, Path: "/api/conversations/{id}/documents",
		Summary: "Upload a PDF, or photographs of its pages", DefaultStatus: http.StatusAccepted,
		SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: s.beforeBody(s.mayHandIn),
		RequestBody: fileBody(map[string]*huma.Schema{
			"type": {Type: "string", Description: "The required document that it is; left out for what the plugin's " +
				"form asks for"},
			"inputs": {Type: "string",
				Description: "What was given for the plugin's other inputs, by their ids, as a " +
					"JSON object of texts"},
		}),
	}, s.postDocument)
}

// fileBody describes a form with a file and other fields.
func fileBody(with map[string]*huma.Schema) *huma.RequestBody {
	fields := map[string]*huma.Schema{"file": {Type: "string", Format: "binary",
		Description: "A PDF; or a photograph (JPEG, PNG, WebP, HEIC), which becomes one. Given several times, " +
			"photographs are its pages in their order"}}
	maps.Copy(fields, with)
	return &huma.RequestBody{Required: true,
		Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
			Type: "object", Required: []string{"file"}, Properties: fields}}}}
}

func isUpload(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && kind == "multipart/form-data"
}

func notPDF() *Problem {
	return refuse("not_pdf.upload", nil)
}

func (s *server) tooLarge() *Problem {
	return refuse("too_large.upload", problem.Params{"limit": s.Config.Upload.MaxBytes >> 20})
}

func (s *server) postDocument(ctx context.Context, in *documentInput) (*body[Turn], error) {
	doc, done, err := s.received(ctx, in.RawBody)
	if err != nil {
		return nil, s.toProblem(err)
	}
	defer done()
	kind := store.OneLine(strings.Join(in.RawBody.Value["type"], " "))
	if len(kind) > 300 {
		return nil, refuse("invalid_request.document_type", nil)
	}
	var inputs map[string]string
	if raw := strings.Join(in.RawBody.Value["inputs"], ""); raw != "" && json.Unmarshal([]byte(raw), &inputs) != nil {
		return nil, refuse("invalid_request.inputs", nil)
	}
	doc.Type = kind
	return s.accept(ctx, in.ID, in.Key, handIn{inputs: inputs, document: &doc})
}

// received returns the document in a form as a PDF, checked and ready to be stored. The caller calls done once it has
// been stored.
func (s *server) received(ctx context.Context, form multipart.Form) (d store.NewDocument, done func(), err error) {
	files := form.File["file"]
	photographs, pdfs := 0, 0
	for _, header := range files {
		head, err := beginning(header)
		switch {
		case err != nil:
			return d, nil, err
		case s.IsPhotograph(head):
			photographs++
		case isPDF(head):
			pdfs++
		}
	}
	switch {
	case len(files) == 0:
		return d, nil, refuse("no_file", nil)
	case photographs > 0 && pdfs == 0:
		return s.photographed(ctx, files)
	case len(files) > 1:
		return d, nil, refuse("no_file.mixed", nil)
	}
	head := files[0]
	file, err := head.Open()
	if err != nil {
		return d, nil, fmt.Errorf("open the upload: %w", err)
	}
	pages, damaged, err := s.examine(ctx, head, file)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return d, nil, err
	}
	return store.NewDocument{Name: fileName(head.Filename), Pages: pages, Damaged: damaged, Content: file}, func() {
		file.Close()
	}, nil
}

// beginning returns the first bytes of an upload. They identify its type, since the names of photographs may have no
// extension.
func beginning(header *multipart.FileHeader) ([]byte, error) {
	file, err := header.Open()
	if err != nil {
		return nil, fmt.Errorf("open the upload: %w", err)
	}
	defer file.Close()
	// PDF readers look for the marker in the first 1024 bytes, since some mail programs put other bytes before it.
	head := make([]byte, 1024)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read the upload: %w", err)
	}
	return head[:n], nil
}

func isPDF(head []byte) bool { return bytes.Contains(head, []byte("%PDF-")) }

// photographed makes one PDF from photographs, in their order, with the name of the first.
func (s *server) photographed(ctx context.Context,
	files []*multipart.FileHeader) (d store.NewDocument, done func(), err error) {
	var size int64
	for _, head := range files {
		size += head.Size
	}
	if size > s.Config.Upload.MaxBytes {
		return d, nil, s.tooLarge()
	}
	var paths []string
	defer func() {
		for _, path := range paths {
			os.Remove(path)
		}
	}()
	for _, head := range files {
		file, err := head.Open()
		if err != nil {
			return d, nil, fmt.Errorf("open the upload: %w", err)
		}
		path, _, err := onDisk(file)
		file.Close()
		if err != nil {
			return d, nil, err
		}
		paths = append(paths, path)
	}
	pdf, err := os.CreateTemp("", "munshi-upload-*.pdf")
	if err != nil {
		return d, nil, fmt.Errorf("make a temporary file for photographs: %w", err)
	}
	done = func() {
		pdf.Close()
		os.Remove(pdf.Name())
	}
	if err = s.Photographs.Photographs(ctx, paths, pdf); err == nil {
		_, err = pdf.Seek(0, io.SeekStart)
	}
	if err != nil {
		done()
		return d, nil, err
	}
	name := fileName(files[0].Filename)
	name = strings.TrimSuffix(name, filepath.Ext(name)) + ".pdf"
	return store.NewDocument{Name: name, Pages: len(files), Content: pdf}, done, nil
}

// examine checks an upload by its name, declared type and first bytes, and then lets a child process open it.
func (s *server) examine(ctx context.Context, header *multipart.FileHeader,
	file multipart.File) (pages int, damaged bool, err error) {
	if header.Size == 0 {
		return 0, false, refuse("empty.upload", nil)
	}
	declared, _, _ := mime.ParseMediaType(header.Header.Get("Content-Type"))
	if !strings.EqualFold(filepath.Ext(header.Filename), ".pdf") || declared != "application/pdf" {
		return 0, false, notPDF()
	}
	if header.Size > s.Config.Upload.MaxBytes {
		return 0, false, s.tooLarge()
	}
	head, err := beginning(header)
	if err != nil {
		return 0, false, err
	}
	if !isPDF(head) {
		return 0, false, notPDF()
	}
	path, remove, err := onDisk(file)
	if err != nil {
		return 0, false, err
	}
	defer remove()
	return s.PDFInspector.Inspect(ctx, path)
}

// onDisk returns a path at which another process can open the upload.
func onDisk(file multipart.File) (path string, remove func(), err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", nil, fmt.Errorf("rewind the upload: %w", err)
	}
	f, err := os.CreateTemp("", "munshi-upload-*")
	if err != nil {
		return "", nil, fmt.Errorf("make a temporary file for the upload: %w", err)
	}
	remove = func() { os.Remove(f.Name()) }
	_, err = io.Copy(f, file)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		remove()
		return "", nil, fmt.Errorf("write the upload to disk: %w", err)
	}
	return f.Name(), remove, nil
}

// fromForm reverses the escaping of quotation marks and line ends in file names, which the HTML standard prescribes
// for multipart/form-data.
var fromForm = strings.NewReplacer("%22", `"`, "%0D", "", "%0A", "")

// fileName returns the name of an upload as it is shown.
func fileName(name string) string { return cmp.Or(store.FileName(fromForm.Replace(name)), "file") }

// documentRoute registers the route that serves a document's bytes to its owner.
func (s *server) documentRoute(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "get-document", Method: http.MethodGet, Path: "/api/documents/{id}",
		Summary: "A document's PDF, to its owner",
		Responses: map[string]*huma.Response{"200": {Description: "The PDF", Content: map[string]*huma.MediaType{
			"application/pdf": {Schema: &huma.Schema{Type: "string", Format: "binary"}}}}},
	}, func(ctx context.Context, in *idInput) (*huma.StreamResponse, error) {
		workspace, err := who(ctx)
		if err != nil {
			return nil, s.toProblem(err)
		}
		d, err := s.Store.Document(ctx, workspace, in.ID)
		if err != nil {
			return nil, s.toProblem(err)
		}
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.sendDocument(hc, workspace, d) }}, nil
	})
}

func (s *server) sendDocument(hc huma.Context, workspace uuid.UUID, d store.Document) {
	kind, how := "application/pdf", "inline"
	// files of figures are opened in other programs
	if d.Pages == 0 && slices.Contains(dataEndings, strings.ToLower(filepath.Ext(d.Name))) {
		kind, how = "application/octet-stream", "attachment"
	}
	hc.SetHeader("Content-Type", kind)
	hc.SetHeader("Content-Length", fmt.Sprint(d.Bytes))
	hc.SetHeader("Content-Disposition", mime.FormatMediaType(how, map[string]string{"filename": d.Name}))
	hc.SetHeader("Cache-Control", "private, no-store") // not for the next user of this browser
	// Only the browser's own viewer may show it; a sandbox would keep Chrome from showing it at all.
	hc.SetHeader("Content-Security-Policy", "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; "+
		"frame-ancestors 'self'")
	hc.SetStatus(http.StatusOK)
	defer writeWithin(hc, transferTime)()
	if err := s.Store.WriteDocument(hc.Context(), workspace, d, hc.BodyWriter()); err != nil {
		s.Log.WarnContext(hc.Context(), "a document could not be sent whole", "document", d.ID, "error", err)
	}
}

// pages returns the sizes of a document's pages, so that the browser can reserve space before it draws them.
func (s *server) pages(ctx context.Context, in *idInput) (*body[PageList], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.Store.Document(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	sizes, err := s.Store.PageSizes(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := PageList{Pages: make([]PageSize, len(sizes))}
	for i, p := range sizes {
		list.Pages[i] = PageSize{Number: p.Number, Method: p.Method, Width: p.Width, Height: p.Height}
	}
	return &body[PageList]{list}, nil
}

type pageInput struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Number int       `path:"number" minimum:"1" maximum:"1000000"`
}

func (s *server) page(ctx context.Context, in *pageInput) (*body[PageText], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	p, err := s.Store.PageWithWords(ctx, workspace, in.ID, in.Number)
	if err != nil {
		return nil, s.toProblem(err)
	}
	words, err := s.PlacedWords(p.Text, p.Words)
	if err != nil {
		return nil, s.toProblem(fmt.Errorf("unpack the words of page %d: %w", in.Number, err))
	}
	return &body[PageText]{PageText{PageSize: PageSize{p.Number, p.Method, p.Width, p.Height}, Text: p.Text,
		Words: words}}, nil
}

type findInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Quote string `json:"quote" minLength:"1" maxLength:"5000" doc:"The words as in the document; line breaks are ignored, and … stands for omitted words"`
		Page  int    `json:"page,omitempty" minimum:"1" maximum:"1000000" doc:"Where to look first; left out if not known"`
	}
}

// findQuote finds a quote on the given page or, if it is not there, on the page that has most of it. It is a POST so
// that the words appear in no access log.
func (s *server) findQuote(ctx context.Context, in *findInput) (*body[FoundQuote], error) {
	workspace, err := who(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if _, err := s.Store.Document(ctx, workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	if in.Body.Page > 0 {
		found, err := s.findOn(ctx, workspace, in, in.Body.Page)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, s.toProblem(err)
		}
		if found.Page != nil {
			return &body[FoundQuote]{found}, nil
		}
	}
	pages, err := s.Store.Pages(ctx, workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	best, most := 0, 0.0
	for _, p := range pages {
		_, share, err := s.Find(p.Text, nil, in.Body.Quote)
		if err != nil {
			return nil, s.toProblem(fmt.Errorf("find a quote on page %d: %w", p.Number, err))
		}
		if share > most {
			best, most = p.Number, share
		}
		if share == 1 {
			break
		}
	}
	found := FoundQuote{Boxes: []Box{}}
	if best > 0 {
		if found, err = s.findOn(ctx, workspace, in, best); err != nil {
			return nil, s.toProblem(err)
		}
	}
	return &body[FoundQuote]{found}, nil
}

// findOn looks for the quote on one page; if it is not there, the result has page 0.
func (s *server) findOn(ctx context.Context, workspace uuid.UUID, in *findInput, number int) (FoundQuote, error) {
	none := FoundQuote{Boxes: []Box{}}
	p, err := s.Store.PageWithWords(ctx, workspace, in.ID, number)
	if err != nil {
		return none, err
	}
	boxes, share, err := s.Find(p.Text, p.Words, in.Body.Quote)
	if err != nil {
		return none, fmt.Errorf("find a quote on page %d: %w", number, err)
	}
	if share == 0 {
		return none, nil
	}
	return FoundQuote{Page: &number, Boxes: append(none.Boxes, boxes...)}, nil
}
