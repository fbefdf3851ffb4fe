package store_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

// A person can go back to what they wrote: their saves form one version for a limited time, counted from the first,
// and a save that deletes most of the text is a version of its own.
func TestVersionsOfAPerson(t *testing.T) {
	f := newFixture(t)
	d, err := f.AddDraft(t.Context(), f.workspace, store.NewDraft{Kind: "letter", Title: "A letter", Parts: []store.DraftPart{{ID: "text", Text: "Begun."}}})
	must(t, err)
	save := func(text string) {
		t.Helper()
		d, err = f.EditDraft(t.Context(), f.workspace, d.ID, store.Edit{Part: "text", Text: &text, Revision: d.Parts[0].Revision})
		must(t, err)
	}
	pass := func(minutes string) {
		t.Helper()
		db, err := pgx.Connect(t.Context(), f.url)
		must(t, err)
		defer db.Close(t.Context())
		_, err = db.Exec(t.Context(), "update draft_versions set made_at = made_at - $1::interval", minutes+" minutes")
		must(t, err)
	}
	long := strings.Repeat("Of the goods, the papers and the days. ", 20)
	for range 4 { // without a pause of ten minutes
		long += "And more. "
		save(long)
		pass("6")
	}
	if d.Version != 3 {
		t.Errorf("after 24 minutes of writing the draft is at version %d", d.Version)
	}
	save(long + "The end.")
	before := d.Version
	save("")
	if d.Version != before+1 {
		t.Errorf("the words that were taken away are in no version: the draft is at %d, and was at %d", d.Version, before)
	}
	d, err = f.RestoreDraft(t.Context(), f.workspace, d.ID, int(before))
	must(t, err)
	if d.Parts[0].Text != long+"The end." || d.Version != before+2 {
		t.Errorf("version %d brings back %d bytes as version %d", before, len(d.Parts[0].Text), d.Version)
	}

	// A title that is saved together with unchanged text is stored.
	title := "The letter"
	_, err = f.EditDraft(t.Context(), f.workspace, d.ID, store.Edit{Title: &title, Part: "text", Text: &d.Parts[0].Text, Revision: d.Parts[0].Revision})
	must(t, err)
	if d, err = f.Draft(t.Context(), f.workspace, d.ID); err != nil || d.Title != title {
		t.Errorf("the title is %q, %v", d.Title, err)
	}
	if _, err := f.RestoreDraft(t.Context(), f.workspace, uuid.New(), 1); err == nil {
		t.Error("a draft that is not there was restored")
	}
}
