package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Portals reads the tables of notices that the portal shows of a firm's clients.
type Portals interface {
	// Look reads a table, notes that somebody has looked, and keeps the notices that the firm does not have yet.
	// ErrNotFound: there is no such client.
	Look(ctx context.Context, workspace, client uuid.UUID, t PortalTable) (PortalSeen, error)
}

// PortalTable is the portal's table as somebody brought it: its text, a page that was saved, or a PDF on disk, of
// photographs too.
type PortalTable struct {
	Text, HTML, PDF string
	GSTIN           string // whose it is; empty where the client has one alone, or the page says it
}

// PortalSeen is what stands in the portal's table.
type PortalSeen struct {
	Rows    []PortalRow `json:"rows"`
	New     int         `json:"new" doc:"How many the firm did not know"`
	Missing int         `json:"missing" doc:"How many are without a document, those among them"`
	Client  Client      `json:"client" doc:"As it is now"`
}

// PortalRow is a notice of the portal's table.
type PortalRow struct {
	Reference string  `json:"reference"`
	Form      string  `json:"form" doc:"Or what the portal calls it"`
	About     string  `json:"about" doc:"The portal's description"`
	Issued    string  `json:"issued" doc:"ISO date, or empty"`
	Due       string  `json:"due" doc:"ISO date, or empty"`
	State     string  `json:"state" enum:"here,new,missing,aside" doc:"here: its document is there; aside: somebody has said that it is not needed"`
	Matter    *string `json:"matter" format:"uuid"`
}

// PortalLook is when somebody last looked at a client's portal.
type PortalLook struct {
	LookedAt *time.Time `json:"looked_at" doc:"When somebody last looked at the portal; null: nobody has"`
	Look     string     `json:"look" enum:"fresh,due,late" doc:"due: a week ago or more; late: two weeks ago or more"`
}

// How many days after a look the next one is due, and late.
const (
	dueLook  = 7
	lateLook = 14
)

// portalLook says how long ago somebody looked; where nobody has, since the client was added. Who has no registration
// has no portal.
func portalLook(at *time.Time, added time.Time, registered bool) PortalLook {
	p := PortalLook{LookedAt: at, Look: "fresh"}
	if at == nil {
		at = &added
	}
	switch days := time.Since(*at).Hours() / 24; {
	case !registered:
	case days >= lateLook:
		p.Look = "late"
	case days >= dueLook || p.LookedAt == nil:
		p.Look = "due"
	}
	return p
}

// ListedNotice is a notice that the firm knows of from its old register or from the portal, whose document it does not
// have.
type ListedNotice struct {
	ID          string  `json:"id" format:"uuid"`
	Matter      string  `json:"matter" format:"uuid"`
	Source      string  `json:"source" enum:"register,portal"`
	Reference   *string `json:"reference"`
	Form        *string `json:"form"`
	Kind        string  `json:"kind" doc:"What it is in the list's own words, where that is no form"`
	About       string  `json:"about" doc:"What else the list says of it"`
	GSTIN       *string `json:"gstin"`
	Issued      *string `json:"issued" doc:"ISO date"`
	Due         *string `json:"due" doc:"ISO date"`
	Hearing     *string `json:"hearing" doc:"ISO date"`
	Officer     *string `json:"officer"`
	DemandPaise *int64  `json:"demand_paise"`
	Answered    bool    `json:"answered"`
	Aside       bool    `json:"aside" doc:"Somebody has said that its document is not needed"`
}

func listedNotices(rows []store.ListedNotice) []ListedNotice {
	out := []ListedNotice{}
	for _, l := range rows {
		out = append(out, ListedNotice{ID: l.ID.String(), Matter: l.MatterID.String(), Source: l.Source,
			Reference: l.Reference, Form: l.Form, Kind: l.Kind, About: l.About, GSTIN: l.Gstin, Issued: l.Issued, Due: l.Due,
			Hearing: l.Hearing, Officer: l.Officer, DemandPaise: l.DemandPaise, Answered: l.Replied || l.AnsweredOn != nil,
			Aside: l.AsideAt != nil})
	}
	return out
}

func (s *server) listedRoutes(api huma.API) {
	huma.Register(api, huma.Operation{
		OperationID: "look-at-portal", Method: http.MethodPost, Path: "/api/clients/{id}/portal",
		Summary:       "Hand in the portal's table of notices, to see which of them the firm does not have",
		DefaultStatus: http.StatusOK, SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: s.beforeBody(s.mayIntake),
		RequestBody: &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object", Properties: map[string]*huma.Schema{
					"text":  {Type: "string", Description: "The table as it was copied"},
					"gstin": {Type: "string", Description: "Whose it is; left out where the client has one registration"},
					"file": {Type: "string", Format: "binary",
						Description: "Or the page as it was saved (HTML), a PDF of it, or photographs of the screen"}}}}}},
	}, s.lookAtPortal)
	post(api, "change-listed", "/api/listed/{id}", "Say that the document of a listed notice is not needed, or that it was answered",
		http.StatusOK, s.changeListed)
}

type portalInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	RawBody multipart.Form
}

// mostPage is how large a page of the portal may be.
const mostPage = 8 << 20

func (s *server) lookAtPortal(ctx context.Context, in *portalInput) (*body[PortalSeen], error) {
	a, _ := store.ActingIn(ctx)
	field := func(name string) string { return plainText(strings.Join(in.RawBody.Value[name], "\n")) }
	t := PortalTable{Text: field("text"), GSTIN: field("gstin")}
	if len(t.Text) > mostPage {
		return nil, s.tooLarge()
	}
	if files := in.RawBody.File["file"]; len(files) > 0 && strings.TrimSpace(t.Text) == "" {
		head, err := beginning(files[0])
		if err != nil {
			return nil, s.toProblem(err)
		}
		if s.IsPhotograph(head) || isPDF(head) {
			d, done, err := s.received(ctx, in.RawBody)
			if err != nil {
				return nil, s.toProblem(err)
			}
			defer done()
			path, remove, err := s.pdfOf(d)
			if err != nil {
				return nil, s.toProblem(err)
			}
			defer remove()
			t.PDF = path
		} else if t.HTML, err = s.pageOf(files[0], head); err != nil {
			return nil, s.toProblem(err)
		}
	}
	seen, err := s.Portals.Look(ctx, a.Workspace, in.ID, t)
	if err != nil {
		return nil, s.toProblem(err)
	}
	now, err := s.client(ctx, &idInput{ID: in.ID})
	if err != nil {
		return nil, err
	}
	seen.Client = now.Body
	return &body[PortalSeen]{seen}, nil
}

// pdfOf returns a path under which another process can open a PDF that was received.
func (s *server) pdfOf(d store.NewDocument) (path string, remove func(), err error) {
	file, ok := d.Content.(multipart.File)
	if !ok {
		return "", nil, fmt.Errorf("read the PDF of a page: it is a %T", d.Content)
	}
	return onDisk(file)
}

// pageOf returns the text of a page that was saved.
func (s *server) pageOf(header *multipart.FileHeader, head []byte) (string, error) {
	if header.Size > mostPage {
		return "", s.tooLarge()
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "", refuse("portal_type", nil)
	}
	file, err := header.Open()
	if err != nil {
		return "", fmt.Errorf("open the upload: %w", err)
	}
	defer file.Close()
	page, err := io.ReadAll(file)
	if err != nil {
		return "", fmt.Errorf("read the upload: %w", err)
	}
	return strings.ToValidUTF8(string(page), ""), nil
}

type changeListedInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Aside    *bool `json:"aside,omitempty" doc:"Its document is not needed"`
		Answered *bool `json:"answered,omitempty"`
	}
}

func (s *server) changeListed(ctx context.Context, in *changeListedInput) (*body[Client], error) {
	a, _ := store.ActingIn(ctx)
	client, err := s.Store.SetListed(ctx, a.Workspace, in.ID, in.Body.Aside, in.Body.Answered)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.client(ctx, &idInput{ID: client})
}
