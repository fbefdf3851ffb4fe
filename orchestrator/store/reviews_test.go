package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// edits replaces the text of a draft's only part.
func (f firm) edits(ctx context.Context, t *testing.T, draft uuid.UUID, text string) error {
	t.Helper()
	d, err := f.Draft(ctx, f.id, draft)
	must(t, err)
	_, err = f.EditDraft(ctx, f.id, draft, store.Edit{Part: "p", Text: &text, Revision: d.Parts[0].Revision})
	return err
}

// Only the reviewer can change a draft in review; the text that was sent stays stored for comparison; an approval
// is valid until something changes; and each step is in the firm's log.
func TestReviewOfDrafts(t *testing.T) {
	f := newFirm(t)
	preparer, partner, viewer := f.as(t, role.Preparer), f.as(t, role.Partner), f.as(t, role.Viewer)
	d, err := f.AddDraft(preparer, f.id, store.NewDraft{Kind: "letter", Title: "A letter", Parts: []store.DraftPart{{ID: "p", Text: "We deny it.", By: store.ByProgram}}})
	must(t, err)
	must(t, f.edits(preparer, t, d.ID, "We deny it all."))
	_, err = f.SendDraft(viewer, f.id, d.ID)
	wantErr(t, err, store.ErrNotFound) // there is nothing that they could change
	_, err = f.ReturnDraft(partner, f.id, d.ID, "No.")
	wantErr(t, err, store.ErrNotInReview)

	d, err = f.SendDraft(preparer, f.id, d.ID)
	must(t, err)
	if !d.Locked() || d.Review.DraftReview.Version != 2 {
		t.Errorf("sent, it is locked: %v, of version %d", d.Locked(), d.Review.DraftReview.Version)
	}
	wantErr(t, f.edits(preparer, t, d.ID, "Or some of it."), store.ErrInReview)
	wantErr(t, f.DeleteDraft(preparer, f.id, d.ID), store.ErrInReview)
	_, err = f.RestoreDraft(preparer, f.id, d.ID, 1)
	wantErr(t, err, store.ErrInReview)
	_, err = f.ApproveDraft(preparer, f.id, d.ID, d.UpdatedAt)
	wantErr(t, err, store.ErrForbidden)

	// The reviewer's changes form a version of their own, however soon after the last one they are
	// saved.
	must(t, f.edits(partner, t, d.ID, "We deny it all, with reasons."))
	sent, parts, err := f.Version(partner, f.id, d.ID, 2)
	must(t, err)
	if sent.Version != 2 || parts[0].Text != "We deny it all." {
		t.Errorf("the version that was sent says %q", parts[0].Text)
	}
	versions, err := f.Versions(partner, f.id, d.ID)
	must(t, err)
	if len(versions) != 3 || versions[0].Who != "Member partner" || versions[1].Who != "Member preparer" || versions[2].Who != "" {
		t.Errorf("the versions are %+v", versions)
	}
	_, err = f.ApproveDraft(partner, f.id, d.ID, d.UpdatedAt)
	wantErr(t, err, store.ErrChanged)
	d, err = f.Draft(partner, f.id, d.ID)
	must(t, err)
	d, err = f.ApproveDraft(partner, f.id, d.ID, d.UpdatedAt)
	must(t, err)
	if !d.Approved() || *d.Review.DraftReview.ApprovedVersion != 3 || d.Review.Decider != "Member partner" || d.Review.DraftReview.SentBy != f.standing(t, role.Preparer).Member {
		t.Errorf("approved, its review is %+v", d.Review)
	}

	// Any later change withdraws the approval, and the approved version stays as it was.
	must(t, f.edits(preparer, t, d.ID, "We deny it all, with more reasons."))
	d, err = f.Draft(preparer, f.id, d.ID)
	must(t, err)
	if d.Approved() || d.Review.DraftReview.State != store.Undone || d.Version != 4 {
		t.Errorf("changed, its review is %+v of version %d", d.Review, d.Version)
	}

	// The sender can take it back and the reviewer can return it; neither can do what the other
	// may.
	_, err = f.SendDraft(preparer, f.id, d.ID)
	must(t, err)
	_, err = f.TakeBackDraft(partner, f.id, d.ID)
	wantErr(t, err, store.ErrNotReviewer)
	_, err = f.ReturnDraft(preparer, f.id, d.ID, "No.")
	wantErr(t, err, store.ErrNotReviewer)
	d, err = f.ReturnDraft(partner, f.id, d.ID, "Paragraph 4 has no answer.")
	must(t, err)
	if d.Review.DraftReview.Reason != "Paragraph 4 has no answer." {
		t.Errorf("returned, its review is %+v", d.Review)
	}
	must(t, f.edits(preparer, t, d.ID, "Once more."))
	d, err = f.SendDraft(preparer, f.id, d.ID)
	must(t, err)
	if d.Review.DraftReview.Reason != "" {
		t.Errorf("sent again, it still has the reason %q", d.Review.DraftReview.Reason)
	}
	d, err = f.TakeBackDraft(preparer, f.id, d.ID)
	must(t, err)
	if d.Review != nil {
		t.Errorf("taken back, its review is %+v", d.Review)
	}

	entries, _, err := f.FirmLog(partner, f.id, nil, 100)
	must(t, err)
	var events []string
	for _, e := range entries {
		if e.About != nil && *e.About == d.ID {
			events = append(events, e.Event)
			if returned := e.Event == "draft_returned"; returned != strings.Contains(string(e.Detail), "Paragraph 4") {
				t.Errorf("of %s the log has %s", e.Event, e.Detail)
			}
		}
	}
	want := []string{"draft_taken_back", "draft_sent", "draft_changed", "draft_returned", "draft_sent", "draft_changed", "draft_approval_undone", "draft_approved",
		"draft_changed", "draft_sent", "draft_changed"}
	if len(events) != len(want) {
		t.Fatalf("the log has %q, want %q", events, want)
	}
	for i := range want {
		if events[i] != want[i] {
			t.Errorf("the log has %q, want %q", events, want)
			break
		}
	}
}
