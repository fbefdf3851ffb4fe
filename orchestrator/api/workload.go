package api

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/store"
)

// Workload is the open work of each member of a firm.
type Workload struct {
	People []Load `json:"people" doc:"By name; matters assigned to nobody come first"`
}

// Load is the open work of one member.
type Load struct {
	Member      *Named `json:"member" doc:"Null: nobody"`
	Matters     int    `json:"matters"`
	Overdue     int    `json:"overdue" doc:"Dates that have passed"`
	Undated     int    `json:"undated" doc:"Dates to confirm"`
	Week        int    `json:"week" doc:"Dates in the next 7 days"`
	Month       int    `json:"month" doc:"Dates in the next 30 days, including those in the next 7"`
	Hearings    int    `json:"hearings" doc:"In the next 30 days"`
	ToReview    int    `json:"to_review" doc:"Matters that wait for their review"`
	DemandPaise int64  `json:"demand_paise"`
}

// TransformSchema says which fields may be null.
func (Load) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "member")
}

// Exposure is how much is demanded in a firm's open matters.
type Exposure struct {
	Years   []YearExposure   `json:"years" doc:"In their order"`
	Clients []ClientExposure `json:"clients" doc:"Largest demand first"`
	Total   int              `json:"total" doc:"How many clients have open matters"`
}

// YearExposure is how much is demanded for one or more financial years.
type YearExposure struct {
	FirstYear   *string `json:"first_year" doc:"Null: not known"`
	LastYear    *string `json:"last_year"`
	Matters     int     `json:"matters"`
	DemandPaise int64   `json:"demand_paise"`
}

// ClientExposure is how much is demanded of a client.
type ClientExposure struct {
	Client      Named          `json:"client"`
	Matters     int            `json:"matters"`
	DemandPaise int64          `json:"demand_paise"`
	Years       []YearExposure `json:"years" doc:"In their order"`
}

func (s *server) workloadRoutes(api huma.API) {
	get(api, "get-workload", "/api/workload", "What each member answers for", s.workload)
	get(api, "get-exposure", "/api/exposure", "What is demanded in open matters, by client and year", s.exposure)
}

func (s *server) workload(ctx context.Context, _ *none) (*body[Workload], error) {
	a, _ := store.ActingIn(ctx)
	now := time.Now().In(clock.India)
	day := func(days int) string { return now.AddDate(0, 0, days).Format(time.DateOnly) }
	loads, err := s.Store.Workload(ctx, a.Workspace, day(0), day(7), day(boardDays))
	if err != nil {
		return nil, s.toProblem(err)
	}
	out := Workload{People: []Load{}}
	for _, l := range loads {
		one := Load{Matters: int(l.Matters), Overdue: int(l.Overdue), Undated: int(l.Undated), Week: int(l.Week),
			Month: int(l.Month), Hearings: int(l.Hearings), ToReview: l.ToReview, DemandPaise: l.DemandPaise}
		if l.Member != nil {
			one.Member = &Named{l.Member.ID.String(), l.Member.Name}
		}
		out.People = append(out.People, one)
	}
	return &body[Workload]{out}, nil
}

type exposureInput struct {
	Skip int `query:"skip" minimum:"0" maximum:"1000000"`
	Most int `query:"most" minimum:"1" maximum:"200" default:"50"`
}

func (s *server) exposure(ctx context.Context, in *exposureInput) (*body[Exposure], error) {
	a, _ := store.ActingIn(ctx)
	e, err := s.Store.Exposure(ctx, a.Workspace, in.Skip, in.Most)
	if err != nil {
		return nil, s.toProblem(err)
	}
	year := func(first, last string, matters int32, paise int64) YearExposure {
		y := YearExposure{Matters: int(matters), DemandPaise: paise}
		if first != "" {
			y.FirstYear, y.LastYear = &first, &last
		}
		return y
	}
	of := map[uuid.UUID][]YearExposure{}
	for _, o := range e.Of {
		of[o.ClientID] = append(of[o.ClientID], year(o.FirstYear, o.LastYear, o.Matters, o.DemandPaise))
	}
	out := Exposure{Years: []YearExposure{}, Clients: []ClientExposure{}}
	for _, y := range e.Years {
		out.Years = append(out.Years, year(y.FirstYear, y.LastYear, y.Matters, y.DemandPaise))
	}
	for _, c := range e.Clients {
		out.Total = int(c.Total)
		out.Clients = append(out.Clients, ClientExposure{Client: Named{c.ClientID.String(), c.Name},
			Matters: int(c.Matters), DemandPaise: c.DemandPaise, Years: of[c.ClientID]})
	}
	return &body[Exposure]{out}, nil
}
