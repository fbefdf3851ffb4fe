package store_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

// A taxpayer's details belong to the workspace, move from the visitor to the account unless the account has its own,
// are part of the export, and are erased.
func TestTaxpayers(t *testing.T) {
	f := newFixture(t)
	const gstin, second = "29AAACB1234C1ZB", "27AAACB1234C1ZF"
	must(t, f.PutTaxpayer(t.Context(), store.Taxpayer{WorkspaceID: f.workspace, Gstin: gstin, Signatory: "Asha Rao", Place: "Hubli"}))
	must(t, f.PutTaxpayer(t.Context(), store.Taxpayer{WorkspaceID: f.workspace, Gstin: gstin, Signatory: "Asha Rao", Place: "Hubballi"}))
	must(t, f.PutTaxpayer(t.Context(), store.Taxpayer{WorkspaceID: f.workspace, Gstin: second, Signatory: "Ravi Rao"}))
	kept := func(workspace uuid.UUID, gstin string) store.Taxpayer {
		t.Helper()
		one, err := f.Taxpayer(t.Context(), workspace, gstin)
		must(t, err)
		return one
	}
	if one := kept(f.workspace, gstin); one.Signatory != "Asha Rao" || one.Place != "Hubballi" {
		t.Errorf("kept is %+v", one)
	}
	stranger, err := f.NewVisitor(t.Context(), "stranger")
	must(t, err)
	if one := kept(stranger, gstin); one.Signatory != "" {
		t.Errorf("a stranger sees %+v", one)
	}
	if rows := f.everything(t, f.workspace)["taxpayers"]; len(rows) != 2 {
		t.Errorf("the export has %v", rows)
	}

	person := f.signUp(t, "asha@example.com", "")
	must(t, f.PutTaxpayer(t.Context(), store.Taxpayer{WorkspaceID: person, Gstin: gstin, Signatory: "As the account has it"}))
	must(t, f.SignIn(t.Context(), person, store.Arrival{Token: "here", Before: "token of " + t.Name(), Life: life}))
	if one, two := kept(person, gstin), kept(person, second); one.Signatory != "As the account has it" || two.Signatory != "Ravi Rao" {
		t.Errorf("the account has %+v and %+v", one, two)
	}
	_, err = f.BeginErasure(t.Context(), person, 0, "")
	must(t, err)
	all, err := f.WorkspacesOf(t.Context(), person)
	must(t, err)
	for _, w := range all {
		for more := true; more; {
			more, err = f.EraseRows(t.Context(), w)
			must(t, err)
		}
		if one := kept(w, gstin); one.Signatory != "" {
			t.Errorf("after the erasure there is %+v", one)
		}
	}
	wantErr(t, f.PutTaxpayer(t.Context(), store.Taxpayer{WorkspaceID: person, Gstin: gstin}), store.ErrNotFound)
}

// An answer is stored with its author and time, is replaced by the next one, can be withdrawn, and belongs to this
// workspace only.
func TestAnswers(t *testing.T) {
	f := newFixture(t)
	wantErr(t, f.SayAnswer(t.Context(), f.workspace, f.conversation, "earlier", &store.Answered{Unknown: true, By: store.ByOwner}), store.ErrNotFound)
	conversation := f.notice(t, `{"form": "DRC-01"}`)
	n, err := f.Notice(t.Context(), f.workspace, conversation)
	must(t, err)
	document := n.Document.ID
	must(t, f.SayAnswer(t.Context(), f.workspace, conversation, "earlier", &store.Answered{Unknown: true, By: store.ByOwner}))
	must(t, f.SayAnswer(t.Context(), f.workspace, conversation, "earlier", &store.Answered{Words: []string{"A letter of 3 May"}, By: store.ByOwner}))
	said, err := f.Answers(t.Context(), f.workspace, document)
	must(t, err)
	a := said["earlier"]
	if len(said) != 1 || a.Unknown || !slices.Equal(a.Words, []string{"A letter of 3 May"}) || a.By != store.ByOwner || a.At.IsZero() {
		t.Errorf("answered is %+v", said)
	}
	stranger, err := f.NewVisitor(t.Context(), "stranger")
	must(t, err)
	if said, err = f.Answers(t.Context(), stranger, document); err != nil || len(said) > 0 {
		t.Errorf("a stranger sees %v, %v", said, err)
	}
	wantErr(t, f.SayAnswer(t.Context(), stranger, conversation, "earlier", nil), store.ErrNotFound)
	if rows := f.everything(t, f.workspace)["answers"]; len(rows) != 1 {
		t.Errorf("the export has %v", rows)
	}
	must(t, f.SayAnswer(t.Context(), f.workspace, conversation, "earlier", nil))
	if said, err = f.Answers(t.Context(), f.workspace, document); err != nil || len(said) > 0 {
		t.Errorf("taken back there is %v, %v", said, err)
	}
}
