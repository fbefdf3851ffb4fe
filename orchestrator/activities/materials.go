package activities

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Authorities converts the authorities that a person supplied.
func Authorities(rows []store.Authority) []turns.Authority {
	list := make([]turns.Authority, len(rows))
	for i, a := range rows {
		list[i] = turns.Authority{
			ID:          a.ID.String(),
			HasPDF:      a.DocumentID != nil,
			Citation:    a.Citation,
			Court:       a.Court,
			Decided:     a.Decided,
			Proposition: a.Proposition,
		}
	}
	return list
}

// languageNames are the names of the languages other than English, as prompts use them.
var languageNames = map[string]string{"hi": "Hindi"}

// LanguageName returns the name of a language as prompts use it, or "" for English.
func LanguageName(language string) string { return languageNames[language] }

// Materials gathers the material for the prompts of a turn from the store.
type Materials struct {
	Store   *store.Store
	Law     *law.Tables           // nil: prompts get nothing that is computed from a notice's facts
	Rules   func() []defence.Rule // the rules about defences; nil: prompts get no points
	Masking Masking
}

var _ workflows.Materials = Materials{}

// Gather implements workflows.Materials.
func (m Materials) Gather(ctx context.Context, ref workflows.Ref) (workflows.PromptContext, error) {
	all, masked, err := m.stored(ctx, ref)
	if err != nil {
		return all, err
	}
	if m.Masking.wanted(masked) {
		all.Private = private(all)
	}
	all.Facts = reckon.WithLines(m.Law, all.Facts, all.Today)
	if m.Rules == nil || m.Law == nil {
		return all, nil
	}
	compared, err := m.compared(ctx, ref, all)
	if err != nil {
		return all, err
	}
	all.Facts = defence.WithPoints(m.Rules(), m.Law, all.Facts, compared, GSTPages(all.Notice), law.DayOf(all.Today))
	return all, nil
}

// compared returns the results of the files that were handed in for a notice.
func (m Materials) compared(ctx context.Context, ref workflows.Ref, all workflows.PromptContext) ([]gst.Reconciled, error) {
	if all.Facts == "" {
		return nil, nil
	}
	r, err := StoreRef(ctx, m.Store, ref)
	if err != nil {
		return nil, err
	}
	f, err := gst.ParseFacts([]byte(all.Facts))
	if err != nil {
		return nil, err
	}
	f, err = WithFigures(ctx, m.Store, m.Law, r.Workspace, r.Conversation, f, law.DayOf(all.Today))
	return f.Reconciled, err
}

// Read implements workflows.Materials.
func (m Materials) Read(ctx context.Context, ref workflows.Ref, of []turns.Authority) ([]turns.Authority, error) {
	if !slices.ContainsFunc(of, func(a turns.Authority) bool { return a.HasPDF }) {
		return of, nil
	}
	r, err := StoreRef(ctx, m.Store, ref)
	if err != nil {
		return nil, err
	}
	pages, err := m.Store.AuthorityPages(ctx, r.Workspace)
	if err != nil {
		return nil, err
	}
	return WithPages(of, pages), nil
}

// WithPages returns authorities with their pages, which are given by authority id.
func WithPages(of []turns.Authority, pages map[string][]turns.Page) []turns.Authority {
	of = slices.Clone(of)
	for i := range of {
		of[i].Pages = pages[of[i].ID]
	}
	return of
}

// stored returns what the store has for a turn, and whether the person wants text masked.
func (m Materials) stored(ctx context.Context, ref workflows.Ref) (_ workflows.PromptContext, masked *bool, _ error) {
	r, err := StoreRef(ctx, m.Store, ref)
	if err != nil {
		return workflows.PromptContext{}, nil, err
	}
	kept, err := m.Store.TurnContext(ctx, r)
	if err != nil {
		return workflows.PromptContext{}, nil, FencedTurn(ctx, m.Store, r, err)
	}
	out := workflows.PromptContext{
		Kind:         kept.Kind,
		Notice:       kept.Notice,
		Document:     kept.Document,
		DocumentType: kept.DocumentType,
		Message:      kept.Message,
		Inputs:       kept.Inputs,
		Facts:        string(kept.Facts),
		Today:        kept.Began.In(clock.India),
		Authorities:  Authorities(kept.Authorities),
		Kept:         kept.Kept,
		Found:        kept.Law,
		Language:     LanguageName(kept.Language),
	}
	for i, a := range kept.Authorities {
		out.Authorities[i].Elsewhere = a.ConversationID != r.Conversation
	}
	if kept.DocumentID != nil {
		out.DocumentID = kept.DocumentID.String()
	}
	for _, msg := range kept.History {
		out.History = append(
			out.History,
			turns.Utterance{Role: msg.Role, Text: msg.Text, Turn: msg.TurnID.String()},
		)
	}
	if err := json.Unmarshal(kept.Earlier, &out.Earlier); err != nil {
		return workflows.PromptContext{}, nil, fmt.Errorf("decode the notes on the conversation: %w", err)
	}
	if out.Earlier != nil { // the model has the summary in their place
		through := slices.IndexFunc(
			out.History,
			func(u turns.Utterance) bool { return u.Turn == out.Earlier.Through },
		)
		for through >= 0 && through < len(out.History) && out.History[through].Turn == out.Earlier.Through {
			through++
		}
		out.History = out.History[max(through, 0):]
	}
	for _, req := range kept.Required {
		out.Required = append(out.Required, workflows.Required{Type: req.Type, Reason: req.Reason, State: req.State})
	}
	return out, kept.Mask, nil
}

// GSTPages converts pages for package gst.
func GSTPages(pages []turns.Page) []gst.Page {
	out := make([]gst.Page, len(pages))
	for i, p := range pages {
		out[i] = gst.Page{Text: p.Text, Recognised: p.Recognised()}
	}
	return out
}
