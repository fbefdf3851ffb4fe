package api

import (
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// Filing finds the client and matter to which a firm's papers belong.
type Filing interface {
	// Again files the paper of a conversation by its present content, unless a person has already filed it.
	Again(ctx context.Context, workspace, conversation uuid.UUID) error
	// NameKey returns a name in the normal form used to compare names.
	NameKey(name string) string
	// CheckGSTIN returns a GSTIN in the form in which it is stored, and its PAN ("" if it has none). It refuses an
	// invalid GSTIN.
	CheckGSTIN(typed string) (gstin, pan string, err error)
}

// ClientList is one page of a firm's clients.
type ClientList struct {
	Clients []ClientLine `json:"clients" doc:"By name"`
	Total   int          `json:"total" doc:"How many match the search"`
}

// ClientLine is a client as a list shows it.
type ClientLine struct {
	ID          string   `json:"id" format:"uuid"`
	Name        string   `json:"name"`
	PAN         *string  `json:"pan"`
	GSTINs      []string `json:"gstins"`
	Matters     int      `json:"matters"`
	Open        int      `json:"open" doc:"How many of those are not closed"`
	NextOn      *string  `json:"next_on" doc:"ISO date of the nearest day of an open matter"`
	OpenDate    bool     `json:"open_date" doc:"A paper has a date that nobody has confirmed"`
	DemandPaise int64    `json:"demand_paise" doc:"What open matters demand"`
	PortalLook
}

// Client is a client of a firm.
type Client struct {
	ID       string         `json:"id" format:"uuid"`
	Name     string         `json:"name"`
	PAN      *string        `json:"pan"`
	Language string         `json:"language" enum:"en,hi" doc:"The language in which they receive e-mails"`
	People   []ClientPerson `json:"people"`
	Note     string         `json:"note"`
	GSTINs   []ClientGSTIN  `json:"gstins"`
	Matters  []MatterLine   `json:"matters" doc:"Closed ones last"`
	Listed   []ListedNotice `json:"listed" doc:"Notices without a document: those due first at the top, those marked as not needed last"`
	PortalLook
	MadeBy string `json:"made_by" enum:"munshi,person" doc:"munshi: from a notice that was read"`
}

// ClientPerson is a contact person at a client.
type ClientPerson struct {
	Name  string `json:"name" maxLength:"200"`
	What  string `json:"what" maxLength:"200" doc:"Their role there"`
	Email string `json:"email" maxLength:"254"`
	Phone string `json:"phone" maxLength:"40"`
}

// ClientGSTIN is a GST registration of a client, with the person who signs for it.
type ClientGSTIN struct {
	GSTIN          string `json:"gstin"`
	Signatory      string `json:"signatory"`
	Designation    string `json:"designation"`
	Place          string `json:"place"`
	Representative string `json:"representative"`
	Enrolment      string `json:"enrolment"`
}

func (s *server) clientRoutes(api huma.API) {
	get(api, "list-clients", "/api/clients", "The firm's clients, by name", s.clients)
	post(api, "add-client", "/api/clients", "Add a client", http.StatusCreated, s.addClient)
	get(api, "get-client", "/api/clients/{id}", "A client with their registrations and matters", s.client)
	post(api, "change-client", "/api/clients/{id}", "Change what is kept of a client", http.StatusOK, s.changeClient)
	remove(api, "remove-client", "/api/clients/{id}", "Remove a client who has no matter", s.removeClient)
	post(api, "merge-client", "/api/clients/{id}/merge", "Give another client all that this one has", http.StatusOK,
		s.mergeClient)
	post(api, "add-gstin", "/api/clients/{id}/gstins", "Add a registration of a client", http.StatusOK, s.addGSTIN)
	remove(api, "remove-gstin", "/api/clients/{id}/gstins/{gstin}", "Take a registration from a client", s.removeGSTIN)
}

type clientsInput struct {
	Search string `query:"search" maxLength:"200" doc:"In the name, the PAN and the GSTINs"`
	Skip   int    `query:"skip" minimum:"0" maximum:"1000000"`
	Most   int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) clients(ctx context.Context, in *clientsInput) (*body[ClientList], error) {
	a, _ := store.ActingIn(ctx)
	lines, total, err := s.Store.Clients(ctx, a.Workspace,
		store.ClientQuery{Search: plainText(in.Search), Skip: in.Skip, Most: in.Most})
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := ClientList{Clients: []ClientLine{}, Total: total}
	for _, c := range lines {
		list.Clients = append(list.Clients,
			ClientLine{ID: c.ID.String(), Name: c.Name, PAN: c.Pan, GSTINs: c.Gstins, Matters: int(c.Matters),
				Open: int(c.OpenMatters), NextOn: orNull(c.NextOn), OpenDate: c.OpenDate, DemandPaise: c.DemandPaise,
				PortalLook: portalLook(c.PortalLookedAt, c.CreatedAt, len(c.Gstins) > 0)})
	}
	return &body[ClientList]{list}, nil
}

// orNull returns a pointer to a text, or nil if it is empty.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

type clientChange struct {
	Name     string         `json:"name" maxLength:"1000"`
	PAN      string         `json:"pan,omitempty" maxLength:"10"`
	Language string         `json:"language,omitempty" enum:"en,hi" default:"en"`
	People   []ClientPerson `json:"people,omitempty" maxItems:"50"`
	Note     string         `json:"note,omitempty" maxLength:"20000"`
}

var panShape = regexp.MustCompile(`^[A-Z]{5}[0-9]{4}[A-Z]$`)

// asKept returns a client's details as the store needs them.
func (s *server) asKept(c clientChange) (store.ClientChange, error) {
	name, err := nameOf(c.Name)
	if err != nil {
		return store.ClientChange{}, err
	}
	out := store.ClientChange{
		Name:     name,
		NameKey:  s.Filing.NameKey(name),
		Language: c.Language,
		Note:     strings.TrimSpace(plainText(c.Note)),
	}
	if out.Language == "" {
		out.Language = "en"
	}
	if pan := strings.ToUpper(strings.ReplaceAll(c.PAN, " ", "")); pan != "" {
		if !panShape.MatchString(pan) {
			return out, refuse("bad_pan", nil)
		}
		out.PAN = &pan
	}
	people := []ClientPerson{}
	for _, p := range c.People {
		p = ClientPerson{Name: store.OneLine(p.Name), What: store.OneLine(p.What), Email: store.OneLine(p.Email),
			Phone: store.OneLine(p.Phone)}
		if p != (ClientPerson{}) {
			people = append(people, p)
		}
	}
	out.People, err = json.Marshal(people)
	return out, err
}

type addClientInput struct{ Body clientChange }

func (s *server) addClient(ctx context.Context, in *addClientInput) (*body[Client], error) {
	a, _ := store.ActingIn(ctx)
	kept, err := s.asKept(in.Body)
	if err != nil {
		return nil, s.toProblem(err)
	}
	id, err := s.Store.AddClient(ctx, a.Workspace, kept)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.client(ctx, &idInput{ID: id})
}

func (s *server) client(ctx context.Context, in *idInput) (*body[Client], error) {
	a, _ := store.ActingIn(ctx)
	p, err := s.Store.ClientPage(ctx, a.Workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	c := Client{ID: p.ID.String(), Name: p.Name, PAN: p.Pan, Language: p.Language, Note: p.Note, MadeBy: p.MadeBy,
		People: []ClientPerson{}, GSTINs: []ClientGSTIN{}, Matters: []MatterLine{}}
	_ = json.Unmarshal(p.People, &c.People) // valid, since we wrote it
	for _, g := range p.GSTINs {
		t := p.Taxpayers[g]
		c.GSTINs = append(c.GSTINs, ClientGSTIN{GSTIN: g, Signatory: t.Signatory, Designation: t.Designation,
			Place: t.Place, Representative: t.Representative, Enrolment: t.Enrolment})
	}
	c.Listed, c.PortalLook = listedNotices(p.Listed), portalLook(p.PortalLookedAt, p.CreatedAt, len(p.GSTINs) > 0)
	for _, m := range p.Matters {
		c.Matters = append(c.Matters, matterLine(m))
	}
	return &body[Client]{c}, nil
}

type changeClientInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body clientChange
}

func (s *server) changeClient(ctx context.Context, in *changeClientInput) (*body[Client], error) {
	a, _ := store.ActingIn(ctx)
	kept, err := s.asKept(in.Body)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if err := s.Store.SetClient(ctx, a.Workspace, in.ID, kept); err != nil {
		return nil, s.toProblem(err)
	}
	return s.client(ctx, &idInput{ID: in.ID})
}

func (s *server) removeClient(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.DropClient(ctx, a.Workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}

type mergeInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Into uuid.UUID `json:"into" format:"uuid" doc:"The client that everything is moved to"`
	}
}

func (s *server) mergeClient(ctx context.Context, in *mergeInput) (*body[Client], error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.MergeClients(ctx, a.Workspace, in.ID, in.Body.Into); err != nil {
		return nil, s.toProblem(err)
	}
	return s.client(ctx, &idInput{ID: in.Body.Into})
}

type addGSTINInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		GSTIN string `json:"gstin" maxLength:"40"`
	}
}

func (s *server) addGSTIN(ctx context.Context, in *addGSTINInput) (*body[Client], error) {
	a, _ := store.ActingIn(ctx)
	gstin, _, err := s.Filing.CheckGSTIN(plainText(in.Body.GSTIN))
	if err == nil {
		err = s.Store.AddGSTIN(ctx, a.Workspace, in.ID, gstin)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.client(ctx, &idInput{ID: in.ID})
}

type removeGSTINInput struct {
	ID    uuid.UUID `path:"id" format:"uuid"`
	GSTIN string    `path:"gstin" maxLength:"15"`
}

func (s *server) removeGSTIN(ctx context.Context, in *removeGSTINInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.RemoveGSTIN(ctx, a.Workspace, in.ID, plainText(in.GSTIN)); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}
