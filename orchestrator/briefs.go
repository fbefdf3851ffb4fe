package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/store"
)

// briefs gives the API what follows from a notice's facts, and brings what a person says of them into the facts.
type briefs struct {
	store  *store.Store
	tables *law.Tables
	today  func() law.Day // in India
}

var _ api.Briefs = briefs{}

func indianToday() law.Day { return law.DayOf(time.Now().In(india)) }

func readFacts(raw []byte) (gst.Facts, error) {
	var f gst.Facts
	if err := json.Unmarshal(raw, &f); err != nil {
		return f, fmt.Errorf("decode the facts: %w", err)
	}
	return f, nil
}

func (b briefs) reckon(raw []byte) (gst.Facts, reckon.Reckoning, error) {
	f, err := readFacts(raw)
	if err != nil {
		return f, reckon.Reckoning{}, err
	}
	return f, reckon.Reckon(b.tables, f, givenWith(f), b.today()), nil
}

func (b briefs) Reckon(raw []byte) (json.RawMessage, error) {
	_, r, err := b.reckon(raw)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// notMine are the days that bind the officer, or none: they stand in the brief and in no calendar.
var notMine = map[string]bool{reckon.OrderDue: true, reckon.Recovery: true}

func (b briefs) Days(raw []byte) ([]api.CalendarDay, error) {
	f, r, err := b.reckon(raw)
	if err != nil {
		return nil, err
	}
	var days []api.CalendarDay
	for _, d := range r.Deadlines {
		if d.Date == nil || notMine[d.Code] {
			continue
		}
		note := []string{d.Basis}
		if d.Provision != "" {
			note = append(note, d.Provision)
		}
		day := api.CalendarDay{Code: d.Code, What: d.What, Date: *d.Date, Note: strings.Join(append(note, d.Uncertain...), "\n")}
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
	return days, nil
}

func (b briefs) Papers(raw []byte, asked []api.Paper) ([]api.Paper, error) {
	f, err := readFacts(raw)
	if err != nil {
		return nil, err
	}
	states := map[string]api.Paper{}
	var wanted []gst.RequiredDocument
	for _, p := range asked {
		states[p.Type] = p
		wanted = append(wanted, gst.RequiredDocument{Type: p.Type, Reason: p.Reason})
	}
	papers := []api.Paper{}
	for _, r := range gst.Requests(wanted, f) {
		p, ok := states[r.Type]
		if !ok {
			p.State = "needed"
		}
		p.Type, p.Reason, p.Issue, p.Asked = r.Type, r.Reason, r.Issue, ok
		papers = append(papers, p)
	}
	return papers, nil
}

func (b briefs) Letters(raw []byte, needed []api.Paper) ([]api.Letter, error) {
	f, err := readFacts(raw)
	if err != nil {
		return nil, err
	}
	papers := make([]gst.RequiredDocument, len(needed))
	for i, p := range needed {
		papers[i] = gst.RequiredDocument{Type: p.Type, Reason: p.Reason}
	}
	letters := make([]api.Letter, len(b.tables.Letters))
	for i, l := range b.tables.Letters {
		letters[i] = api.Letter{Language: l.Language, Name: l.Name, Text: gst.Letter(b.tables, l.Language, f, papers)}
	}
	return letters, nil
}

// refusedCorrection is a correction that cannot be taken, as the API shows it.
type refusedCorrection struct{ gst.Refusal }

func (refusedCorrection) RefusalCode() string { return "invalid_correction" }

func (r refusedCorrection) Sentence() string { return string(r.Refusal) }

func (b briefs) Correct(ctx context.Context, workspace, conversation uuid.UUID, c store.NewCorrection) (doubt string, watched bool, err error) {
	n, err := b.store.Notice(ctx, workspace, conversation)
	if err != nil {
		return "", false, err
	}
	f, err := readFacts(n.Facts)
	if err != nil {
		return "", false, err
	}
	value := c.Value
	if c.Confirmed {
		value = json.RawMessage("null")
	}
	c.Value, doubt, err = f.Settle(b.tables, c.Field, value)
	var refused gst.Refusal
	if errors.As(err, &refused) {
		err = refusedCorrection{refused}
	}
	if err != nil {
		return "", false, err
	}
	watched, err = b.store.Correct(ctx, workspace, conversation, c, b.reread)
	return doubt, watched, err
}

func (b briefs) UndoCorrection(ctx context.Context, workspace, conversation uuid.UUID, field string) (watched bool, err error) {
	return b.store.UndoCorrection(ctx, workspace, conversation, field, b.reread)
}

// reread reads the notice again, with what the person said.
func (b briefs) reread(pages []store.Page, said []store.Correction) (facts []byte, title string, err error) {
	read := make([]gst.Page, len(pages))
	for i, p := range pages {
		read[i] = gst.Page{Text: p.Text, Recognised: p.Method == string(document.MethodRecognition)}
	}
	corrections := make([]gst.Correction, len(said))
	for i, c := range said {
		corrections[i] = gst.Correction{Field: c.Field, Value: c.Value, Confirmed: c.Confirmed}
	}
	f := gst.Read(b.tables, read, corrections...)
	facts, err = json.Marshal(f)
	return facts, titleOf(f), err
}
