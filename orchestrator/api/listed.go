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

// Portals reads the tables of notices that the GST portal shows for a firm's clients.
type Portals interface {
	// Look reads a table, records that the portal was checked, and adds the notices that the firm does not know yet.
	// ErrNotFound: there is no such client.
	Look(ctx context.Context, workspace, client uuid.UUID, t PortalTable) (PortalSeen, error)
}

// PortalTable is the portal's table as a member handed it in: as text, as a saved page (HTML), or as the path of a PDF,
// which may have been made from photographs.
type PortalTable struct {
	Text, HTML, PDF string
	GSTIN           string // the client's registration; may be empty if the client has only one, or the page names it
}

// PortalSeen is the content of the portal's table, compared with what the firm has.
type PortalSeen struct {
	Rows    []PortalRow `json:"rows"`
	New     int         `json:"new" doc:"The number of notices that the firm did not know"`
	Missing int         `json:"missing" doc:"The number of notices whose document the firm does not have, including the new ones"`
	Client  Client      `json:"client" doc:"The client after this check"`
}

// PortalRow is a notice in the portal's table.
type PortalRow struct {
	Reference string  `json:"reference"`
	Form      string  `json:"form" doc:"The form or, if it is not known, what the portal calls the notice"`
	About     string  `json:"about" doc:"The portal's description"`
	Issued    string  `json:"issued" doc:"ISO date, or empty"`
	Due       string  `json:"due" doc:"ISO date, or empty"`
	State     string  `json:"state" enum:"here,new,missing,aside" doc:"here: the firm has its document; new: the firm did not know the notice; missing: the firm knew it but does not have its document; aside: a member has marked its document as not needed"`
	Matter    *string `json:"matter" format:"uuid"`
}

// PortalLook says when a client's portal was last checked.
type PortalLook struct {
	LookedAt *time.Time `json:"looked_at" doc:"When the portal was last checked; null if it never was"`
	Look     string     `json:"look" enum:"fresh,due,late" doc:"due: last checked at least a week ago, or never; late: at least two weeks ago or, if never, the client was added that long ago"`
}

// The number of days after a check when the next one is due, and when it is late.
const (
	dueLook  = 7
	lateLook = 14
)

// portalLook returns whether a client's portal must be checked again. If it was never checked, the days count from when
// the client was added. A client without a registration has nothing to check.
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

// ListedNotice is a notice that the firm knows from its old register or from the portal, but whose document it does not
// have.
type ListedNotice struct {
	ID          string  `json:"id" format:"uuid"`
	Matter      string  `json:"matter" format:"uuid"`
	Source      string  `json:"source" enum:"register,portal"`
	Reference   *string `json:"reference"`
	Form        *string `json:"form"`
	Kind        string  `json:"kind" doc:"What the list calls it, if that is not a known form"`
	About       string  `json:"about" doc:"What else the list says about it"`
	GSTIN       *string `json:"gstin"`
	Issued      *string `json:"issued" doc:"ISO date"`
	Due         *string `json:"due" doc:"ISO date"`
	Hearing     *string `json:"hearing" doc:"ISO date"`
	Officer     *string `json:"officer"`
	DemandPaise *int64  `json:"demand_paise"`
	Answered    bool    `json:"answered"`
	Aside       bool    `json:"aside" doc:"Whether a member has marked its document as not needed"`
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
		Summary:       "Upload the portal's table of notices, to see which of them the firm does not have",
		DefaultStatus: http.StatusOK, SkipValidateBody: true, BodyReadTimeout: transferTime,
		Middlewares: s.beforeBody(s.mayIntake),
		RequestBody: &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object", Properties: map[string]*huma.Schema{
					"text":  {Type: "string", Description: "The table, copied from the portal as text"},
					"gstin": {Type: "string", Description: "The registration to which the table belongs; may be left out if the client has only one, or the page names it"},
					"file": {Type: "string", Format: "binary",
						Description: "Instead of the text: the saved page (HTML), a PDF of it, or photographs of the screen"}}}}}},
	}, s.lookAtPortal)
	post(api, "change-listed", "/api/listed/{id}", "Mark a listed notice as not needing its document, or as answered",
		http.StatusOK, s.changeListed)
}

type portalInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	RawBody multipart.Form
}

// mostPage is the maximum size in bytes of a page of the portal.
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

// pdfOf returns the path of a received PDF, so that another process can open it.
func (s *server) pdfOf(d store.NewDocument) (path string, remove func(), err error) {
	file, ok := d.Content.(multipart.File)
	if !ok {
		return "", nil, fmt.Errorf("read the PDF of a page: it is a %T", d.Content)
	}
	return onDisk(file)
}

// pageOf returns the HTML of a saved page.
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
		Aside    *bool `json:"aside,omitempty" doc:"Whether its document is marked as not needed"`
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
