package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// templates gives the API the documents that a person may begin from, filled in with what is known of a notice.
type templates struct {
	library *library
	tables  *law.Tables
}

var _ api.Templates = templates{}

// serving gives the templates that serve, by title; none where none do.
func (t templates) serving(ctx context.Context) ([]prompt.Template, error) {
	shas, err := t.library.shas(ctx)
	if err != nil || shas[prompt.TemplateFolder] == "" {
		return nil, err
	}
	b, err := t.library.bundle(ctx, shas[prompt.TemplateFolder])
	if err != nil {
		return nil, err
	}
	return b.Templates(), nil
}

// Templates lists what serves, each with its blanks open.
func (t templates) Templates(ctx context.Context) ([]api.Template, error) {
	serving, err := t.serving(ctx)
	if err != nil {
		return nil, err
	}
	list := []api.Template{}
	for _, one := range serving {
		list = append(list, api.Template{ID: one.ID, Title: one.Title, Category: one.Category, About: one.About, Form: one.Form, Section: one.Section,
			Answers: append([]string{}, one.Answers...), Content: one.Fill(nil)})
	}
	return list, nil
}

// Begin gives a draft that begins from a template, with what is known of the notice of the conversation, nil for none.
func (t templates) Begin(ctx context.Context, workspace uuid.UUID, id string, conversation *uuid.UUID) (store.NewDraft, error) {
	serving, err := t.serving(ctx)
	if err != nil {
		return store.NewDraft{}, err
	}
	i := slices.IndexFunc(serving, func(one prompt.Template) bool { return one.ID == id })
	if i < 0 {
		return store.NewDraft{}, fmt.Errorf("begin from the template %q: %w", id, store.ErrNotFound)
	}
	template := serving[i]
	d := store.NewDraft{Conversation: conversation, Kind: template.Category, Title: template.Title, Template: id}
	var known map[string]string
	if conversation != nil {
		n, err := t.library.store.Notice(ctx, workspace, *conversation)
		if err != nil {
			return d, err
		}
		facts, err := readFacts(n.Facts)
		if err != nil {
			return d, err
		}
		today := law.DayOf(time.Now().In(india))
		known = reply.Fill(t.tables, reply.Given{Facts: facts, Reckoning: reckon.Reckon(t.tables, facts, givenWith(facts), today), Today: today})
		if of := titleOf(facts); of != "" {
			d.Title += " · " + of
		}
	}
	d.Parts = []store.DraftPart{{ID: wholeDraft, Text: template.Fill(known), By: store.ByProgram}}
	return d, nil
}
