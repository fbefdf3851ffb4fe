package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// MatterList is one page of a firm's matters.
type MatterList struct {
	Matters []MatterLine `json:"matters" doc:"Those with a date to confirm first, then by their next date"`
	Total   int          `json:"total" doc:"How many match"`
}

// MatterLine is a matter as a list shows it.
type MatterLine struct {
	ID          string    `json:"id" format:"uuid"`
	Client      Named     `json:"client"`
	Title       string    `json:"title" doc:"The title that a person gave; empty if it is named after its papers"`
	Stage       string    `json:"stage" enum:"scrutiny,intimation,notice,order,appeal,tribunal"`
	State       string    `json:"state" enum:"new,settled,waiting,drafting,review,approved,filed,heard,closed"`
	GSTIN       *string   `json:"gstin"`
	FirstYear   *string   `json:"first_year"`
	LastYear    *string   `json:"last_year"`
	Issues      []string  `json:"issues" doc:"As the tables of law name them"`
	Forms       []string  `json:"forms" doc:"Of its papers, in the order of their dates"`
	Officer     *string   `json:"officer"`
	DemandPaise *int64    `json:"demand_paise" doc:"From the latest paper that demands anything"`
	NextOn      *string   `json:"next_on" doc:"ISO date of the nearest day"`
	NextWhat    *string   `json:"next_what" doc:"reply or hearing"`
	NextPaper   *string   `json:"next_paper" format:"uuid" doc:"The conversation of the paper with that date"`
	OpenDate    bool      `json:"open_date" doc:"A paper has a date that nobody has confirmed"`
	Count       int       `json:"count" doc:"Of its papers"`
	Comments    int       `json:"comments" doc:"Number of open comments, including those about its drafts and documents"`
	Tasks       int       `json:"tasks" doc:"Number of open tasks"`
	Assignee    *Named    `json:"assignee"`
	Reviewer    *Named    `json:"reviewer"`
	Closed      bool      `json:"closed"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// TransformSchema says which fields may be null.
func (MatterLine) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "assignee", "reviewer")
}

// Named is the id and name of something.
type Named struct {
	ID   string `json:"id" format:"uuid"`
	Name string `json:"name"`
}

// Matter is a matter with everything on its page.
type Matter struct {
	MatterLine
	Note        string            `json:"note"`
	Papers      []MatterPaper     `json:"papers" doc:"In the order of their dates"`
	Listed      []ListedNotice    `json:"listed" doc:"Those without a document"`
	Days        []MatterDay       `json:"days" doc:"Upcoming, nearest first"`
	Drafts      []MatterDraft     `json:"drafts" doc:"The latest first"`
	Authorities []MatterAuthority `json:"authorities"`
	HandedIn    []MatterDocument  `json:"handed_in" doc:"The latest first"`
	Log         []FirmEntry       `json:"log" doc:"The latest first"`
	Staff       []Named           `json:"staff" doc:"To whom it can be assigned"`
}

// MatterPaper is a notice or order of a matter.
type MatterPaper struct {
	ID          string      `json:"id" format:"uuid" doc:"Of its conversation"`
	Title       string      `json:"title"`
	Form        *string     `json:"form"`
	Reference   *string     `json:"reference"`
	Stage       string      `json:"stage" enum:"scrutiny,intimation,notice,order,appeal,tribunal"`
	Issued      *string     `json:"issued" doc:"ISO date"`
	DemandPaise *int64      `json:"demand_paise"`
	ReplyBy     *string     `json:"reply_by" doc:"ISO date"`
	WatchBy     *string     `json:"watch_by" doc:"ISO date"`
	HearingOn   *string     `json:"hearing_on" doc:"ISO date"`
	OpenDate    bool        `json:"open_date" doc:"Nobody has confirmed its date"`
	Attention   []Attention `json:"attention"`
	AnsweredAt  *time.Time  `json:"answered_at"`
	Passed      bool        `json:"passed" doc:"It counts as answered because a later stage has begun"`
	CreatedAt   time.Time   `json:"created_at"`
	Filed       *FiledNote  `json:"filed" doc:"What was filed in answer to it"`
}

// TransformSchema says which fields may be null.
func (MatterPaper) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "filed")
}

// MatterDay is a future date in a matter.
type MatterDay struct {
	Paper string `json:"paper" format:"uuid" doc:"The conversation of the paper with this date"`
	What  string `json:"what" doc:"In the language of answers"`
	Date  string `json:"date" doc:"ISO date"`
	Time  string `json:"time" doc:"15:04 in India; empty for the whole day"`
	Note  string `json:"note" doc:"Where it comes from, and what is uncertain"`
}

// MatterDraft is a draft of a matter.
type MatterDraft struct {
	ID        string    `json:"id" format:"uuid"`
	Title     string    `json:"title"`
	Kind      string    `json:"kind"`
	Paper     *string   `json:"paper" format:"uuid" doc:"The conversation in which it was written"`
	State     string    `json:"state" enum:",review,returned,approved,undone" doc:"Of its review; empty: it was never sent for review"`
	UpdatedAt time.Time `json:"updated_at"`
}

// MatterAuthority is an authority supplied in a matter.
type MatterAuthority struct {
	Citation    string `json:"citation"`
	Proposition string `json:"proposition"`
	Paper       string `json:"paper" format:"uuid"`
}

// MatterDocument is a document that was handed in for a paper of a matter.
type MatterDocument struct {
	ID        string    `json:"id" format:"uuid"`
	Name      string    `json:"name"`
	Type      string    `json:"type"`
	Paper     string    `json:"paper" format:"uuid"`
	CreatedAt time.Time `json:"created_at"`
}

// PaperFiling says where a paper is filed or may belong.
type PaperFiling struct {
	Matter     *MatterLine       `json:"matter" doc:"The matter it belongs to, or null"`
	Settled    bool              `json:"settled" doc:"False: a person has to choose where it belongs"`
	Client     *Named            `json:"client" doc:"Whose it seems to be, if not confirmed"`
	Name       string            `json:"name" doc:"The taxpayer's, as read; empty if it was not read"`
	Candidates []FilingCandidate `json:"candidates" doc:"Matters it may belong to, likeliest first"`
	Duplicate  *FilingDuplicate  `json:"duplicate" doc:"A paper of which it seems to be a copy"`
}

// TransformSchema says which fields may be null.
func (PaperFiling) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "matter", "client", "duplicate")
}

// FilingCandidate is a matter to which a paper may belong, and why.
type FilingCandidate struct {
	Matter MatterLine `json:"matter"`
	Why    []Sentence `json:"why"`
	Sure   bool       `json:"sure" doc:"One mentions the other's number"`
}

// FilingDuplicate is an earlier paper that this one seems to duplicate.
type FilingDuplicate struct {
	Paper string   `json:"paper" format:"uuid" doc:"Its conversation"`
	Title string   `json:"title"`
	Why   Sentence `json:"why"`
}

func (s *server) matterRoutes(api huma.API) {
	get(api, "list-matters", "/api/matters", "The firm's matters", s.matters)
	get(api, "get-matter", "/api/matters/{id}", "A matter with its papers, days, drafts and what was done", s.matter)
	post(api, "change-matter", "/api/matters/{id}", "Name, assign or note a matter, or change its state", http.StatusOK,
		s.changeMatter)
	get(api, "get-filing", "/api/conversations/{id}/filing", "Where a paper belongs, or may belong", s.filing)
	post(api, "file-paper", "/api/conversations/{id}/filing", "Put a paper into a matter, or into one of its own",
		http.StatusOK, s.filePaper)
	post(api, "see-paper", "/api/conversations/{id}/filing/seen", "Note that a paper was looked at where it lies",
		http.StatusNoContent, s.seePaper)
}

// MatterFilter filters lists of matters and of their dates.
type MatterFilter struct {
	Client   string `query:"client" maxLength:"36" doc:"Only those of a client"`
	Assignee string `query:"assignee" maxLength:"36" doc:"Only those assigned to a member; nobody: only those assigned to nobody"`
	Stage    string `query:"stage" enum:"scrutiny,intimation,notice,order,appeal,tribunal"`
	Officer  string `query:"officer" maxLength:"500" doc:"Only those before an officer"`
	Region   string `query:"region" pattern:"^([0-9]{2})?$" doc:"Only those of a State, by its code"`
	Least    int64  `query:"least" minimum:"0" maximum:"90000000000000" doc:"Only those with a demand of at least this many rupees"`
}

// nobodyAnswers is the filter value for matters without an assignee.
const nobodyAnswers = "nobody"

// read returns the filter for the store.
func (in MatterFilter) read() (store.MatterFilter, error) {
	f := store.MatterFilter{Stage: in.Stage, Officer: plainText(in.Officer), Region: in.Region,
		LeastPaise: in.Least * 100, Unassigned: in.Assignee == nobodyAnswers}
	for id, into := range map[string]**uuid.UUID{in.Client: &f.Client, in.Assignee: &f.Assignee} {
		if id == "" || id == nobodyAnswers {
			continue
		}
		parsed, err := uuid.Parse(id)
		if err != nil {
			return f, notFound()
		}
		*into = &parsed
	}
	return f, nil
}

type mattersInput struct {
	MatterFilter
	State  string `query:"state" enum:"new,settled,waiting,drafting,review,approved,filed,heard,closed"`
	Search string `query:"search" maxLength:"200" doc:"In the client's name, the GSTIN, the title, the officer and the forms"`
	Closed bool   `query:"closed" doc:"Closed ones too"`
	Skip   int    `query:"skip" minimum:"0" maximum:"1000000"`
	Most   int    `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) matters(ctx context.Context, in *mattersInput) (*body[MatterList], error) {
	a, _ := store.ActingIn(ctx)
	filter, err := in.read()
	if err != nil {
		return nil, err
	}
	q := store.MatterQuery{MatterFilter: filter, State: in.State, Search: plainText(in.Search), Closed: in.Closed ||
		in.State == "closed", Skip: in.Skip, Most: in.Most}
	lines, total, err := s.Store.Matters(ctx, a.Workspace, q)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := MatterList{Matters: []MatterLine{}, Total: total}
	for _, m := range lines {
		list.Matters = append(list.Matters, matterLine(m))
	}
	return &body[MatterList]{list}, nil
}

func matterLine(m store.MatterLine) MatterLine {
	return MatterLine{ID: m.ID.String(), Client: Named{m.ClientID.String(), m.Client}, Title: m.Title, Stage: m.Stage,
		State: m.State, GSTIN: m.Gstin, FirstYear: m.FirstYear, LastYear: m.LastYear, Issues: m.Issues, Forms: m.Forms,
		Officer: m.Officer, DemandPaise: m.DemandPaise, NextOn: m.NextOn, NextWhat: m.NextWhat,
		NextPaper: text(m.NextPaper), OpenDate: m.OpenDate, Count: int(m.Papers),
		Comments: int(m.Comments), Tasks: int(m.Tasks),
		Assignee: named(m.AssigneeID, m.Assignee), Reviewer: named(m.ReviewerID, m.Reviewer), Closed: m.ClosedAt != nil,
		UpdatedAt: m.UpdatedAt}
}

func named(id *uuid.UUID, name *string) *Named {
	if id == nil {
		return nil
	}
	return &Named{ID: id.String(), Name: orEmpty(name)}
}

func (s *server) matter(ctx context.Context, in *idInput) (*body[Matter], error) {
	a, _ := store.ActingIn(ctx)
	p, err := s.Store.MatterPage(ctx, a.Workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	m := Matter{Note: p.Note, Papers: []MatterPaper{}, Listed: listedNotices(p.Listed), Days: []MatterDay{}, Drafts: []MatterDraft{},
		Authorities: []MatterAuthority{}, HandedIn: []MatterDocument{}, Log: []FirmEntry{}, Staff: []Named{}}
	names := map[uuid.UUID]string{}
	for _, member := range p.Members {
		names[member.ID] = member.Name
		if member.LeftAt == nil && role.Role(member.Role).Seat() {
			m.Staff = append(m.Staff, Named{member.ID.String(), member.Name})
		}
	}
	nameIn := func(id *uuid.UUID) *string {
		if id == nil {
			return nil
		}
		name := names[*id]
		return &name
	}
	m.MatterLine = matterLine(store.MatterLine{ID: p.ID, Title: p.Title, Track: p.Track, Stage: p.Stage, State: p.State,
		Papers: p.MatterRow.Papers, Gstin: p.Gstin, FirstYear: p.FirstYear, LastYear: p.LastYear, Issues: p.Issues,
		Forms: p.Forms, Officer: p.Officer, DemandPaise: p.DemandPaise, NextOn: p.NextOn, NextWhat: p.NextWhat,
		NextPaper: p.NextPaper, OpenDate: p.OpenDate, AssigneeID: p.AssigneeID, ReviewerID: p.ReviewerID,
		ClosedAt: p.ClosedAt, UpdatedAt: p.UpdatedAt, ClientID: p.ClientID, Client: p.Client,
		Assignee: nameIn(p.AssigneeID), Reviewer: nameIn(p.ReviewerID), Comments: p.Comments, Tasks: p.Tasks})
	today := time.Now().In(clock.India).Format(time.DateOnly)
	for _, n := range p.Papers {
		one := MatterPaper{ID: n.ID.String(), Title: n.Title, Form: n.Form, Reference: n.Reference, Stage: n.Stage,
			Issued: n.Issued, DemandPaise: n.DemandPaise, ReplyBy: n.ReplyBy, WatchBy: n.WatchBy,
			HearingOn: n.HearingOn, OpenDate: n.OpenDate, Attention: []Attention{}, AnsweredAt: n.AnsweredAt,
			Passed: n.Passed, CreatedAt: n.CreatedAt}
		if n.Arn != nil {
			one.Filed = &FiledNote{ARN: *n.Arn, Day: orEmpty(n.FiledOn), Acknowledgement: text(n.Acknowledgement)}
		}
		if n.AnsweredAt == nil {
			_ = json.Unmarshal(n.Attention, &one.Attention) // valid, since we wrote it
			days, err := s.Briefs.Days(n.Facts, answersIn(ctx))
			if err != nil {
				return nil, s.toProblem(err)
			}
			for _, d := range days {
				if d.Date >= today {
					m.Days = append(m.Days,
						MatterDay{Paper: one.ID, What: d.What, Date: d.Date, Time: d.Time, Note: d.Note})
				}
			}
		}
		m.Papers = append(m.Papers, one)
	}
	slices.SortStableFunc(m.Days, func(a, b MatterDay) int { return cmp.Compare(a.Date+a.Time, b.Date+b.Time) })
	for _, d := range p.Drafts {
		m.Drafts = append(m.Drafts, MatterDraft{ID: d.ID.String(), Title: d.Title, Kind: d.Kind,
			Paper: text(d.ConversationID), State: d.Review, UpdatedAt: d.UpdatedAt})
	}
	for _, at := range p.Authorities {
		m.Authorities = append(m.Authorities,
			MatterAuthority{Citation: at.Citation, Proposition: at.Proposition, Paper: at.ConversationID.String()})
	}
	for _, d := range p.HandedIn {
		m.HandedIn = append(m.HandedIn,
			MatterDocument{ID: d.ID.String(), Name: d.Name, Type: d.Type, Paper: d.ConversationID.String(),
				CreatedAt: d.CreatedAt})
	}
	for _, e := range p.Log {
		one := FirmEntry{ID: e.ID.String(), At: e.At, Who: e.Who, Event: e.Event, About: text(e.About),
			Detail: map[string]any{}}
		_ = json.Unmarshal(e.Detail, &one.Detail) // valid, since we wrote it
		m.Log = append(m.Log, one)
	}
	return &body[Matter]{m}, nil
}

type changeMatterInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Title    *string `json:"title,omitempty" maxLength:"300" doc:"Empty: it is named after its papers"`
		Note     *string `json:"note,omitempty" maxLength:"20000"`
		State    *string `json:"state,omitempty" enum:"new,settled,waiting,drafting,review,approved,filed,heard,closed"`
		Assignee *string `json:"assignee,omitempty" maxLength:"36" doc:"A member; empty for nobody"`
		Reviewer *string `json:"reviewer,omitempty" maxLength:"36" doc:"A member; empty for nobody"`
	}
}

func (s *server) changeMatter(ctx context.Context, in *changeMatterInput) (*body[Matter], error) {
	a, _ := store.ActingIn(ctx)
	b := in.Body
	err := s.Store.SetMatter(ctx, a.Workspace, in.ID, func(was store.MatterState) (store.MatterChange, error) {
		is := store.MatterChange{Title: was.Title, Note: was.Note, State: was.State, Assignee: was.AssigneeID,
			Reviewer: was.ReviewerID}
		if b.Title != nil {
			is.Title = store.OneLine(*b.Title)
		}
		if b.Note != nil {
			is.Note = strings.TrimSpace(plainText(*b.Note))
		}
		if b.State != nil {
			is.State = *b.State
		}
		// Only those who may approve can approve, close or reopen a matter.
		approves := is.State != was.State && (is.State == "approved" || is.State == "closed" || was.State == "closed")
		if approves && !a.Role.May(role.Approve) {
			return is, refuse("not_allowed", nil)
		}
		for typed, into := range map[*string]**uuid.UUID{b.Assignee: &is.Assignee, b.Reviewer: &is.Reviewer} {
			if typed == nil {
				continue
			}
			*into = nil
			if *typed != "" {
				id, err := uuid.Parse(*typed)
				if err != nil {
					return is, notFound()
				}
				*into = &id
			}
		}
		return is, nil
	})
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.matter(ctx, &idInput{ID: in.ID})
}

func (s *server) filing(ctx context.Context, in *idInput) (*body[PaperFiling], error) {
	a, _ := store.ActingIn(ctx)
	p, err := s.Store.FiledPaper(ctx, a.Workspace, in.ID)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[PaperFiling]{paperFiling(p)}, nil
}

func paperFiling(p store.FiledPaper) PaperFiling {
	out := PaperFiling{Settled: p.Paper.SettledAt != nil, Name: p.Name, Candidates: []FilingCandidate{},
		Client: named(p.Paper.ClientID, p.ClientName)}
	if p.Matter != nil {
		line := matterLine(*p.Matter)
		out.Matter = &line
	}
	if out.Settled {
		return out
	}
	for _, c := range p.Candidates {
		one := FilingCandidate{Matter: matterLine(c.MatterLine), Why: []Sentence{}, Sure: c.Sure}
		for _, why := range c.Why {
			one.Why = append(one.Why, Sentence(why))
		}
		out.Candidates = append(out.Candidates, one)
	}
	if d := p.Duplicate; d != nil {
		out.Duplicate = &FilingDuplicate{Paper: d.Conversation.String(), Title: d.Title, Why: Sentence(d.Why)}
	}
	return out
}

type filePaperInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Matter *uuid.UUID `json:"matter,omitempty" format:"uuid" doc:"The matter to move it into; left out for a new one"`
		Client *uuid.UUID `json:"client,omitempty" format:"uuid" doc:"Of this client, if it is a new one"`
		Name   string     `json:"name,omitempty" maxLength:"1000" doc:"Of a new client, if it is a new one"`
		GSTIN  string     `json:"gstin,omitempty" maxLength:"40" doc:"Of a new client"`
	}
}

func (s *server) filePaper(ctx context.Context, in *filePaperInput) (*body[PaperFiling], error) {
	a, _ := store.ActingIn(ctx)
	into := store.Settling{Matter: in.Body.Matter, Client: in.Body.Client}
	if into.Matter == nil && into.Client == nil {
		name, err := nameOf(in.Body.Name)
		if err != nil {
			return nil, err
		}
		into.New = &store.NewClient{Name: name, NameKey: s.Filing.NameKey(name)}
		if in.Body.GSTIN != "" {
			gstin, pan, err := s.Filing.CheckGSTIN(plainText(in.Body.GSTIN))
			if err != nil {
				return nil, s.toProblem(err)
			}
			into.New.GSTIN = &gstin
			if pan != "" {
				into.New.PAN = &pan
			}
		}
	}
	if _, err := s.Store.SettlePaper(ctx, a.Workspace, in.ID, into); err != nil {
		return nil, s.toProblem(err)
	}
	return s.filing(ctx, &idInput{ID: in.ID})
}

func (s *server) seePaper(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.See(ctx, a.Workspace, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}
