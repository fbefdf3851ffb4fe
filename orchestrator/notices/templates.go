package notices

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// Templates lists the templates for drafts, and fills them in with what is known about a notice.
type Templates struct {
	Catalogue *plugins.Catalogue
	Tables    *law.Tables
}

var _ api.Templates = Templates{}

// serving returns the templates in use, sorted by title.
func (t Templates) serving(ctx context.Context) ([]prompt.Template, error) {
	shas, err := t.Catalogue.Serving(ctx)
	if err != nil || shas[prompt.TemplateFolder] == "" {
		return nil, err
	}
	b, err := t.Catalogue.Bundle(ctx, shas[prompt.TemplateFolder])
	if err != nil {
		return nil, err
	}
	return b.Templates(), nil
}

// Templates lists the templates in use, with their blanks open.
func (t Templates) Templates(ctx context.Context) ([]api.Template, error) {
	serving, err := t.serving(ctx)
	if err != nil {
		return nil, err
	}
	list := []api.Template{}
	for _, one := range serving {
		list = append(
			list,
			api.Template{
				ID:       one.ID,
				Title:    one.Title,
				Category: one.Category,
				About:    one.About,
				Form:     one.Form,
				Section:  one.Section,
				Answers:  append([]string{}, one.Answers...),
				Content:  one.Fill(nil),
				Translations: map[string]map[string]string{"hi": {
					one.Title: one.Hindi.Title, one.Category: one.Hindi.Category, one.About: one.Hindi.About,
				}},
			},
		)
	}
	return list, nil
}

// Begin returns a draft made from a template and filled in with what is known about a conversation's notice, if any.
func (t Templates) Begin(
	ctx context.Context,
	workspace uuid.UUID,
	id string,
	conversation *uuid.UUID,
) (store.NewDraft, error) {
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
		n, err := t.Catalogue.Store.Notice(ctx, workspace, *conversation)
		if err != nil {
			return d, err
		}
		facts, err := gst.ParseFacts(n.Facts)
		if err != nil {
			return d, err
		}
		today := law.DayOf(time.Now().In(clock.India))
		known = reply.Fill(
			t.Tables,
			reply.Given{
				Facts:     facts,
				Reckoning: reckon.Reckon(t.Tables, facts, reckon.GivenWith(facts), today),
				Today:     today,
			},
		)
		if of := facts.Title(); of != "" {
			d.Title += " · " + of
		}
	}
	d.Parts = []store.DraftPart{{ID: activities.WholeDraft, Text: template.Fill(known), By: store.ByProgram}}
	return d, nil
}
