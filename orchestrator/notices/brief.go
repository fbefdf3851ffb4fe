package notices

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/document"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// Briefs computes what follows from a notice's facts, and applies a person's corrections to them.
type Briefs struct {
	Store  *store.Store
	Tables *law.Tables
	Rules  func() []defence.Rule // the rules about defences; nil: the brief has no points
	Today  func() law.Day        // today in India; nil: by the clock
}

var _ api.Briefs = Briefs{}

// today returns the day from which deadlines are counted.
func (b Briefs) today() law.Day {
	if b.Today != nil {
		return b.Today()
	}
	return law.DayOf(time.Now().In(clock.India))
}

func (b Briefs) reckon(raw []byte) (gst.Facts, reckon.Reckoning, error) {
	f, err := gst.ParseFacts(raw)
	if err != nil {
		return f, reckon.Reckoning{}, err
	}
	return f, reckon.Reckon(b.Tables, f, reckon.GivenWith(f), b.today()), nil
}

func (b Briefs) Reckon(raw []byte) (json.RawMessage, error) {
	_, r, err := b.reckon(raw)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// Points implements api.Briefs.
func (b Briefs) Points(ctx context.Context, workspace, conversation, notice uuid.UUID, raw []byte) ([]api.Point, error) {
	list := []api.Point{}
	if b.Rules == nil {
		return list, nil
	}
	f, err := gst.ParseFacts(raw)
	if err != nil {
		return nil, err
	}
	handed, err := activities.StoredFigures(ctx, b.Store, workspace, conversation)
	if err != nil {
		return nil, err
	}
	f = handed.Within(b.Tables, f, b.today())
	kept, err := b.Store.Pages(ctx, workspace, notice)
	if err != nil {
		return nil, err
	}
	answers, err := b.Store.Answers(ctx, workspace, notice)
	if err != nil {
		return nil, err
	}
	for _, p := range defence.Evaluate(b.Rules(), b.Tables, f, textOf(kept), b.today(),
		reply.AnsweredTo(answersOf(answers))...) {
		list = append(list, pointOf(p))
	}
	return list, nil
}

func pointOf(p defence.Point) api.Point {
	out := api.Point{
		ID: p.ID, Provision: p.Provision, Verdict: p.Verdict, Strength: p.Strength, Amount: rupees(p.Amount),
		Remains: rupees(p.Remains), Because: []api.PointQuote{}, For: []api.PointPart{}, Plead: p.Plead,
		Provisional: p.Certainty != law.Sourced,
		English:     api.PointWords{Title: p.Title, Explanation: p.Explain, Ask: p.Ask, Why: p.Why},
		Hindi: api.PointWords{Title: p.Hindi.Title, Explanation: p.Hindi.Explain, Ask: p.Hindi.Ask,
			Why: p.Hindi.Why},
	}
	for _, q := range p.Because {
		out.Because = append(out.Because, api.PointQuote(q))
	}
	for _, part := range p.For {
		out.For = append(out.For, api.PointPart{FY: part.FY, Para: part.Para, Amount: rupees(part.Amount)})
	}
	return out
}

func rupees(a *printed.Amount) *float64 {
	if a == nil {
		return nil
	}
	r := float64(*a) / 100
	return &r
}

// notMine are the dates that bind the officer or nobody. They are shown in the brief, but are not put into calendars.
var notMine = map[string]bool{reckon.OrderDue: true, reckon.Recovery: true}

func (b Briefs) Days(raw []byte, language string) ([]api.CalendarDay, error) {
	f, r, err := b.reckon(raw)
	if err != nil {
		return nil, err
	}
	var days []api.CalendarDay
	for _, d := range r.Deadlines {
		if d.Date == nil || notMine[d.Code] {
			continue
		}
		note := []string{d.Basis.In(language)}
		if d.Provision != "" {
			note = append(note, message.Citation(d.Provision).In(language))
		}
		for _, doubt := range d.Uncertain {
			note = append(note, doubt.In(language))
		}
		day := api.CalendarDay{
			Code: d.Code,
			What: d.What.In(language),
			Date: *d.Date,
			Note: strings.Join(note, "\n"),
		}
		if h := f.Hearing; d.Code == reckon.Hearing && h != nil {
			if h.Time != nil {
				day.Time = *h.Time
			}
			if h.Venue != nil {
				day.Place = *h.Venue
			}
		}
		days = append(days, day)
	}
	if w := f.Watch; w != nil && !w.Settled && w.What == "reply" {
		days = append(days, api.CalendarDay{
			Code: reckon.Reply,
			What: message.New("calendar.confirm", nil).In(language),
			Date: w.Date,
			Note: message.New("calendar.confirm_note", nil).In(language),
		})
	}
	return days, nil
}

func (b Briefs) Papers(ctx context.Context, workspace, conversation uuid.UUID, raw []byte,
	asked []api.Paper) ([]api.Paper, error) {
	f, err := gst.ParseFacts(raw)
	if err != nil {
		return nil, err
	}
	files, err := activities.ReadFigures(ctx, b.Store, workspace, conversation)
	if err != nil {
		return nil, err
	}
	wanted := make([]gst.RequiredDocument, len(asked))
	for i, p := range asked {
		wanted[i] = gst.RequiredDocument{Type: p.Type, Reason: p.Reason}
	}
	papers := []api.Paper{}
	for i, r := range gst.Requests(wanted, f) {
		p := api.Paper{State: "needed", Name: r.Type}
		if i < len(asked) {
			p = asked[i]
			p.Asked = true
		}
		p.Type, p.Reason, p.Issue = r.Type, r.Reason, r.Issue
		if p.State == "needed" && gst.HandedIn(b.Tables, r.Type, f.Periods, figures.AsFacts(files)) {
			p.State = "reviewed"
		}
		papers = append(papers, p)
	}
	return papers, nil
}

func (b Briefs) Letters(raw []byte, needed []api.Paper) ([]api.Letter, error) {
	f, err := gst.ParseFacts(raw)
	if err != nil {
		return nil, err
	}
	papers := asWanted(needed)
	letters := make([]api.Letter, len(b.Tables.Letters))
	for i, l := range b.Tables.Letters {
		letters[i] = api.Letter{Language: l.Language, Name: l.Name, Text: gst.Letter(b.Tables, l.Language, f, papers)}
	}
	return letters, nil
}

func asWanted(needed []api.Paper) []gst.RequiredDocument {
	papers := make([]gst.RequiredDocument, len(needed))
	for i, p := range needed {
		papers[i] = gst.RequiredDocument{Type: p.Type, Reason: p.Reason}
	}
	return papers
}

// Invitation implements api.Briefs.
func (b Briefs) Invitation(raw []byte, needed []api.Paper, language, address, until string) (string, error) {
	f, err := gst.ParseFacts(raw)
	if err != nil {
		return "", err
	}
	return gst.Invitation(b.Tables, language, f, asWanted(needed), address, until), nil
}

func (b Briefs) Correct(
	ctx context.Context,
	workspace, conversation uuid.UUID,
	c store.NewCorrection,
) (doubt api.Sentence, watched bool, err error) {
	n, err := b.Store.Notice(ctx, workspace, conversation)
	if err != nil {
		return doubt, false, err
	}
	f, err := gst.ParseFacts(n.Facts)
	if err != nil {
		return doubt, false, err
	}
	value := c.Value
	if c.Confirmed {
		value = json.RawMessage("null")
	}
	var about message.Message
	c.Value, about, err = f.Settle(b.Tables, c.Field, value)
	var refused gst.Refusal
	if errors.As(err, &refused) {
		err = problem.New("invalid_correction", problem.Params{"reason": message.Message(refused)}, err)
	}
	if err != nil {
		return doubt, false, err
	}
	watched, err = b.Store.Correct(ctx, workspace, conversation, c, b.reread)
	return api.Sentence(about), watched, err
}

func (b Briefs) UndoCorrection(
	ctx context.Context,
	workspace, conversation uuid.UUID,
	field string,
) (watched bool, err error) {
	return b.Store.UndoCorrection(ctx, workspace, conversation, field, b.reread)
}

// reread reads the notice again with the person's corrections, and checks the proposals again.
func (b Briefs) reread(before []byte, pages []turns.Page,
	said []store.Correction) (facts []byte, title string, err error) {
	was, err := gst.ParseFacts(before)
	if err != nil {
		return nil, "", err
	}
	corrections := make([]gst.Correction, len(said))
	for i, c := range said {
		corrections[i] = gst.Correction{Field: c.Field, Value: c.Value, Confirmed: c.Confirmed}
	}
	f, _ := gst.Propose(b.Tables, textOf(pages), was.Proposals(), corrections...)
	facts, err = json.Marshal(f)
	return facts, f.Title(), err
}

// textOf converts stored pages for package gst.
func textOf(pages []turns.Page) []gst.Page {
	read := make([]gst.Page, len(pages))
	for i, p := range pages {
		read[i] = gst.Page{Text: p.Text, Recognised: p.Method == string(document.MethodRecognition)}
	}
	return read
}

// Provisions returns the provisions that the notice cites, each with what the index knows about it.
func (b Briefs) Provisions(facts []byte) ([]api.Provision, error) {
	f, err := gst.ParseFacts(facts)
	if err != nil {
		return nil, err
	}
	list := []api.Provision{}
	context := citeContext(string(facts), time.Now().In(clock.India))
	seen := map[string]bool{}
	add := func(m cite.Mark, page int, quote string) {
		if key := m.Act + m.Provision; !seen[key] {
			seen[key] = true
			list = append(
				list,
				api.Provision{
					Act:       m.Act,
					Provision: m.Provision,
					Heading:   m.Heading,
					Verdict:   string(m.Verdict),
					Message:   m.Message,
					Said:      api.Saying(m.Said),
					Page:      page,
					Quote:     quote,
				},
			)
		}
	}
	for _, cited := range []struct {
		act, field string
		numbers    []string
	}{{"cgst", "sections", f.Sections}, {"cgst_rules", "rules", f.Rules}} {
		for _, number := range cited.numbers {
			at := f.Evidence[cited.field+"."+number]
			add(b.Tables.Index.Lookup(cited.act, number, context), at.Page, at.Quote)
		}
	}
	for _, p := range f.Paragraphs {
		for _, m := range b.Tables.Index.Check(p.Text, context) {
			if m.Kind == cite.Provision {
				add(m, p.Page, p.Text[m.Start:m.End])
			}
		}
	}
	return list, nil
}
