package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// boardDays is how many days the board looks ahead.
const boardDays = 30

// Board lists the dates in a firm's open matters in the next 30 days, the overdue ones, and the open tasks.
type Board struct {
	Days      []BoardDay `json:"days" doc:"Overdue ones, then those with a date to confirm, then by date, then tasks without a date"`
	Overdue   int        `json:"overdue"`
	Undated   int        `json:"undated" doc:"How many have a date to confirm"`
	Coming    int        `json:"coming"`
	Dateless  int        `json:"dateless" doc:"How many tasks have no date"`
	Hearings  int        `json:"hearings"`
	Tasks     int        `json:"tasks"`
	Unlooked  []Named    `json:"unlooked" doc:"Clients whose portal nobody has checked for two weeks, longest first; at most twenty, on the first page only"`
	Forgotten int        `json:"forgotten" doc:"Number of them"`
	Until     string     `json:"until" doc:"ISO date of the last day shown"`
}

// BoardDay is a date in a paper that is still open, or a task.
type BoardDay struct {
	Part        string   `json:"part" enum:"overdue,undated,coming,dateless"`
	What        string   `json:"what" enum:"reply,hearing,task"`
	Day         *string  `json:"day" doc:"ISO date; if it still has to be confirmed, the earliest possible date; or null"`
	Time        string   `json:"time" doc:"Time of a hearing, 15:04 in India; empty if not known"`
	Venue       string   `json:"venue" doc:"Place of a hearing; empty if not known"`
	Paper       *string  `json:"paper" format:"uuid" doc:"Its conversation; null for a task, and for a listed notice"`
	Listed      *string  `json:"listed" format:"uuid" doc:"The listed notice, whose document is not there"`
	Task        *string  `json:"task" format:"uuid" doc:"Null for a paper"`
	Text        string   `json:"text" doc:"What the task is; empty for a paper"`
	Form        *string  `json:"form"`
	Reference   *string  `json:"reference"`
	GSTIN       *string  `json:"gstin"`
	Officer     *string  `json:"officer"`
	Matter      string   `json:"matter" format:"uuid"`
	Title       string   `json:"title" doc:"The matter's title, as a person gave it"`
	Forms       []string `json:"forms" doc:"Of the matter's papers"`
	FirstYear   *string  `json:"first_year"`
	LastYear    *string  `json:"last_year"`
	Stage       string   `json:"stage" enum:"scrutiny,intimation,notice,order,appeal,tribunal"`
	State       string   `json:"state" enum:"new,settled,waiting,drafting,review,approved,filed,heard,closed"`
	DemandPaise *int64   `json:"demand_paise" doc:"Of the matter"`
	Client      Named    `json:"client"`
	Assignee    *Named   `json:"assignee" doc:"Of the matter, or of the task"`
}

// TransformSchema says which fields may be null.
func (BoardDay) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "assignee")
}

// ListChoices are the values by which lists of matters can be filtered.
type ListChoices struct {
	Clients  []Named  `json:"clients" doc:"With open matters, by name"`
	Officers []string `json:"officers"`
	Regions  []string `json:"regions" doc:"Codes of States"`
}

// SavedViews are the views that a member saved.
type SavedViews struct {
	Views []SavedView `json:"views" doc:"The oldest first"`
}

// SavedView is a list with the filters that a member chose.
type SavedView struct {
	ID      string `json:"id" format:"uuid"`
	Page    string `json:"page" enum:"board,matters"`
	Name    string `json:"name"`
	Filters string `json:"filters" doc:"As they are in the page's address"`
}

func (s *server) boardRoutes(api huma.API) {
	get(api, "get-board", "/api/board", "What is due in the next 30 days, and what is overdue", s.board)
	get(api, "list-choices", "/api/board/choices", "What lists of matters can be narrowed to", s.choices)
	get(api, "list-views", "/api/views", "The views of lists that the member keeps", s.savedViews)
	post(api, "save-view", "/api/views", "Keep a list as it is narrowed", http.StatusCreated, s.saveView)
	remove(api, "remove-view", "/api/views/{id}", "Remove a kept view", s.removeView)
}

type boardInput struct {
	MatterFilter
	Hearings bool `query:"hearings" doc:"Only hearings: the cause list"`
	Tasks    bool `query:"tasks" doc:"Only tasks"`
	Skip     int  `query:"skip" minimum:"0" maximum:"1000000"`
	Most     int  `query:"most" minimum:"1" maximum:"200" default:"100"`
}

func (s *server) board(ctx context.Context, in *boardInput) (*body[Board], error) {
	a, _ := store.ActingIn(ctx)
	filter, err := in.read()
	if err != nil {
		return nil, err
	}
	now := time.Now().In(clock.India)
	q := store.BoardQuery{MatterFilter: filter, OnlyHearings: in.Hearings, OnlyTasks: in.Tasks, Today: now.Format(time.DateOnly),
		Until: now.AddDate(0, 0, boardDays).Format(time.DateOnly), Skip: in.Skip, Most: in.Most}
	days, err := s.Store.Board(ctx, a.Workspace, q)
	if err != nil {
		return nil, s.toProblem(err)
	}
	b := Board{Days: []BoardDay{}, Unlooked: []Named{}, Until: q.Until}
	if in.Skip == 0 {
		unlooked, err := s.Store.Unlooked(ctx, a.Workspace, lateLook)
		if err != nil {
			return nil, s.toProblem(err)
		}
		for _, c := range unlooked {
			b.Forgotten = int(c.Total)
			b.Unlooked = append(b.Unlooked, Named{c.ID.String(), c.Name})
		}
	}
	for _, d := range days {
		b.Overdue, b.Undated, b.Coming, b.Hearings = int(d.Overdue), int(d.Undated), int(d.Coming), int(d.Hearings)
		b.Dateless, b.Tasks = int(d.Dateless), int(d.Tasks)
		one := BoardDay{Part: [...]string{"overdue", "undated", "coming", "dateless"}[d.Part], What: d.What, Day: d.Day,
			Task: text(d.TaskID), Listed: text(d.ListedID), Form: d.Form, Reference: d.Reference, GSTIN: d.Gstin, Officer: d.Officer,
			Matter: d.MatterID.String(), Title: d.Title, Forms: d.Forms, FirstYear: d.FirstYear, LastYear: d.LastYear,
			Stage: d.Stage, State: d.State, DemandPaise: d.DemandPaise, Client: Named{d.ClientID.String(), d.Client},
			Assignee: named(d.AssigneeID, d.Assignee)}
		switch d.What {
		case "hearing":
			one.Paper, one.Time, one.Venue = text(d.ConversationID), d.At, d.Venue
		case "task":
			one.Text = *d.Task
		default:
			one.Paper = text(d.ConversationID)
		}
		b.Days = append(b.Days, one)
	}
	return &body[Board]{b}, nil
}

func (s *server) choices(ctx context.Context, _ *none) (*body[ListChoices], error) {
	a, _ := store.ActingIn(ctx)
	c, err := s.Store.Choices(ctx, a.Workspace)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := ListChoices{Clients: []Named{}, Officers: c.Officers, Regions: c.Regions}
	for _, one := range c.Clients {
		out.Clients = append(out.Clients, Named{one.ID.String(), one.Name})
	}
	return &body[ListChoices]{out}, nil
}

func (s *server) savedViews(ctx context.Context, _ *none) (*body[SavedViews], error) {
	a, _ := store.ActingIn(ctx)
	views, err := s.Store.SavedViews(ctx, a.Workspace, a.Member)
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := SavedViews{Views: []SavedView{}}
	for _, v := range views {
		out.Views = append(out.Views, SavedView{ID: v.ID.String(), Page: v.Page, Name: v.Name, Filters: v.Filters})
	}
	return &body[SavedViews]{out}, nil
}

type saveViewInput struct {
	Body struct {
		Page    string `json:"page" enum:"board,matters"`
		Name    string `json:"name" maxLength:"1000"`
		Filters string `json:"filters" maxLength:"2000" doc:"As they are in the page's address"`
	}
}

func (s *server) saveView(ctx context.Context, in *saveViewInput) (*body[SavedViews], error) {
	a, _ := store.ActingIn(ctx)
	name, err := nameOf(in.Body.Name)
	if err != nil {
		return nil, err
	}
	err = s.Store.SaveView(ctx, a.Workspace, a.Member, in.Body.Page, name, plainText(in.Body.Filters))
	if errors.Is(err, store.ErrTooMany) {
		err = problem.New("many_views", problem.Params{"most": store.MostViews}, err)
	}
	if err != nil {
		return nil, s.toProblem(err)
	}
	return s.savedViews(ctx, nil)
}

func (s *server) removeView(ctx context.Context, in *idInput) (*none, error) {
	a, _ := store.ActingIn(ctx)
	if err := s.Store.RemoveView(ctx, a.Workspace, a.Member, in.ID); err != nil {
		return nil, s.toProblem(err)
	}
	return nil, nil
}
