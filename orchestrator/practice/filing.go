package practice

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// Filing finds the client and the matter of each paper that is read in a firm.
type Filing struct{ Store *store.Store }

var (
	_ workflows.Filing = Filing{}
	_ api.Filing       = Filing{}
)

// File implements workflows.Filing. It does nothing in a person's own workspace.
func (f Filing) File(ctx context.Context, workspace, conversation string) error {
	owner, id, err := activities.Owned(ctx, f.Store, workspace, conversation)
	if err != nil {
		return err
	}
	return activities.Fenced(ctx, f.Store, owner, f.Again(ctx, owner, id))
}

// Again implements api.Filing.
func (f Filing) Again(ctx context.Context, workspace, conversation uuid.UUID) error {
	err := f.Store.File(ctx, workspace, conversation, func(facts []byte, pages []turns.Page) (store.PaperFacts, error) {
		known, err := gst.ParseFacts(facts)
		if err != nil {
			return store.PaperFacts{}, fmt.Errorf("read the facts of a paper: %w", err)
		}
		return paperOf(known, pages), nil
	}, decide)
	if errors.Is(err, store.ErrNotFound) {
		return nil // not a firm's, or deleted meanwhile
	}
	return err
}

// NameKey implements api.Filing.
func (Filing) NameKey(name string) string { return nameKey(name) }

// CheckGSTIN implements api.Filing.
func (f Filing) CheckGSTIN(typed string) (gstin, pan string, err error) {
	gstin = strings.ToUpper(strings.Join(strings.Fields(typed), ""))
	if !gst.ValidGSTIN(gstin) {
		return "", "", problem.New("bad_gstin", nil, nil)
	}
	return gstin, panOf(gstin), nil
}
