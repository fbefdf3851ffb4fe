package activities

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/uuid"

	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

func (t TurnStore) Document(ctx context.Context, ref workflows.Ref) (workflows.Document, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return workflows.Document{}, err
	}
	turn, err := t.Store.Turn(ctx, r.Workspace, r.Turn)
	if err != nil {
		return workflows.Document{}, FencedTurn(ctx, t.Store, r, err)
	}
	if turn.DocumentID == nil {
		return workflows.Document{}, nil
	}
	doc, err := t.Store.Document(ctx, r.Workspace, *turn.DocumentID)
	if err != nil {
		return workflows.Document{}, FencedTurn(ctx, t.Store, r, err)
	}
	reading, err := t.Store.Reading(ctx, r.Workspace, doc.ID)
	if err != nil {
		return workflows.Document{}, err
	}
	return workflows.Document{
		ID:        doc.ID.String(),
		Pages:     int(doc.Pages),
		Missing:   reading.Missing,
		WithWords: reading.WithWords,
	}, nil
}

func (t TurnStore) Copy(ctx context.Context, ref workflows.Ref, document string, w io.Writer) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return fmt.Errorf("read the document's id: %w", err)
	}
	doc, err := t.Store.Document(ctx, r.Workspace, id)
	if err != nil {
		return FencedTurn(ctx, t.Store, r, err)
	}
	return t.Store.WriteDocument(ctx, r.Workspace, doc, w)
}

func (t TurnStore) SavePage(
	ctx context.Context,
	ref workflows.Ref,
	document string,
	p turns.Page,
	step string,
	at workflows.Progress,
) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return fmt.Errorf("read the document's id: %w", err)
	}
	page := turns.Page{
		Number:     p.Number,
		Text:       p.Text,
		Method:     p.Method,
		Confidence: p.Confidence,
		Languages:  p.Languages,
		Width:      p.Width,
		Height:     p.Height,
		Words:      p.Words,
	}
	return FencedTurn(ctx, t.Store, r, t.Store.SavePage(ctx, r, id, page, step, stepState(at)))
}

func (t TurnStore) SaveFacts(
	ctx context.Context,
	ref workflows.Ref,
	document string,
	facts json.RawMessage,
	title, step string,
) (bool, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return false, err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return false, fmt.Errorf("read the document's id: %w", err)
	}
	watched, err := t.Store.SaveFacts(ctx, r, id, facts, title, step)
	return watched, FencedTurn(ctx, t.Store, r, err)
}

func (t TurnStore) SaveProposed(
	ctx context.Context,
	ref workflows.Ref,
	document string,
	proposed json.RawMessage,
	step string,
) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(document)
	if err != nil {
		return fmt.Errorf("read the document's id: %w", err)
	}
	return FencedTurn(ctx, t.Store, r, t.Store.SaveProposed(ctx, r, id, proposed, step))
}

func (t TurnStore) ReplaceRequired(ctx context.Context, ref workflows.Ref, list []workflows.Required) (bool, error) {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return false, err
	}
	required := make([]store.Required, len(list))
	for i, item := range list {
		required[i] = store.Required{Type: item.Type, Reason: item.Reason}
	}
	waits, err := t.Store.ReplaceRequired(ctx, r, required)
	return waits, FencedTurn(ctx, t.Store, r, err)
}

func (t TurnStore) SaveDraft(ctx context.Context, ref workflows.Ref, n workflows.NewDraft) error {
	r, err := StoreRef(ctx, t.Store, ref)
	if err != nil {
		return err
	}
	part := store.DraftPart{ID: WholeDraft, Text: n.Text, By: store.ByModel}
	return FencedTurn(
		ctx,
		t.Store,
		r,
		t.Store.SaveDraft(
			ctx,
			r,
			store.NewDraft{Conversation: &r.Conversation, Kind: n.Kind, Title: n.Title, Parts: []store.DraftPart{part}},
		),
	)
}

// WholeDraft is the id of the only part of a draft that is written in one piece.
const WholeDraft = "text"
