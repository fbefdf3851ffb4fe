package notices

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
	"munshi/orchestrator/store"
)

// sourcing finds where the dates and amounts of a draft come from.
type sourcing struct {
	worked
	questions []reply.Enquiry
	sources   *reply.Sources
}

func sourcingOf(ctx context.Context, r Replies, workspace, conversation uuid.UUID,
	kept store.Reply) (*sourcing, error) {
	w, err := r.work(kept, time.Now())
	if err != nil {
		return nil, err
	}
	before, err := r.decide(ctx, workspace, conversation, &w)
	if err != nil {
		return nil, err
	}
	if err := r.annex(ctx, workspace, conversation, &w); err != nil {
		return nil, err
	}
	pages, err := r.Store.Pages(ctx, workspace, w.Document)
	if err != nil {
		return nil, err
	}
	return &sourcing{worked: w, questions: reply.Questions(r.Tables, w.given, before),
		sources: reply.SourcesOf(r.Tables, w.given, textOf(pages))}, nil
}

// of adds to the checks of a text where its dates and amounts come from, except inside what was checked already. Those
// without a known source are left as they are: whoever wrote them knows.
func (s *sourcing) of(text string, checks []api.Check) []api.Check {
	if s == nil {
		return checks
	}
	cited := slices.Clone(checks)
	for _, f := range s.sources.In(text) {
		if f.Kind == "" || slices.ContainsFunc(cited, func(c api.Check) bool {
			return c.Code != "quotation" && f.Start < c.End && f.End > c.Start
		}) {
			continue
		}
		check := api.Check{Code: "figure", Verdict: f.Kind, Quote: text[f.Start:f.End], Start: f.Start, End: f.End,
			Page: f.Place.Page, Words: f.Place.Quote}
		if how := s.how(f.Origin); !how.IsZero() {
			check.Message, check.Said = how.English, api.Saying(how)
		}
		checks = append(checks, check)
	}
	slices.SortStableFunc(checks, func(a, b api.Check) int { return cmp.Compare(a.Start, b.Start) })
	return checks
}

// how says where a figure comes from that the notice does not print.
func (s *sourcing) how(from reply.Origin) message.Message {
	if from.Key == "" {
		return from.How
	}
	kept, point := s.Answers[from.Key], strings.TrimPrefix(from.Key, reply.AskPara)
	i := slices.IndexFunc(s.questions, func(q reply.Enquiry) bool { return q.Key == from.Key })
	switch {
	case i >= 0 && !kept.At.IsZero():
		params := message.Params{"date": message.Date(kept.At.In(clock.India).Format(time.DateOnly)),
			"question": s.questions[i].Text}
		code := "sources.answered"
		if kept.By == store.ByClient {
			code = "sources.answered_client"
			if kept.Recipient != "" {
				code, params["who"] = "sources.answered_whom", kept.Recipient
			}
		}
		return message.New(code, params)
	case from.Key == servedOn:
		return message.New("sources.served", nil)
	}
	if i := slices.IndexFunc(s.points, func(p reply.Point) bool { return p.Key == point }); i >= 0 &&
		s.points[i].Number != "" {
		return message.New("sources.said", message.Params{"para": strings.Trim(s.points[i].Number, "()")})
	}
	return message.New("sources.said_whole", nil)
}
