package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// A link leads to one conversation until it expires, is revoked, or the conversation is deleted; only the hash of its
// secret is stored, and no other workspace can see or revoke it.
func TestLinks(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	link := func(token string, life time.Duration) store.Link {
		t.Helper()
		l, err := f.MakeLink(ctx, f.workspace, store.NewLink{Kind: store.InterviewLink, Conversation: f.conversation, Token: token, Recipient: "Asha Rao",
			Language: "hi", Expires: time.Now().Add(life)})
		must(t, err)
		return l
	}
	first, second := link("first", time.Hour), link("second", time.Hour)
	link("over", -time.Hour)

	found, firm, err := f.LinkOf(ctx, "first")
	must(t, err)
	if firm || found.ID != first.ID || found.WorkspaceID != f.workspace || *found.ConversationID != f.conversation || found.Kind != store.InterviewLink {
		t.Errorf("the secret leads to %+v", found)
	}
	for _, token := range []string{"over", "third", ""} {
		_, _, err := f.LinkOf(ctx, token)
		wantErr(t, err, store.ErrNotFound)
	}

	stranger, err := f.NewVisitor(ctx, "stranger")
	must(t, err)
	wantErr(t, f.RevokeLink(ctx, stranger, first.ID), store.ErrNotFound)
	_, err = f.MakeLink(ctx, stranger, store.NewLink{Kind: store.InterviewLink, Conversation: f.conversation, Token: "theft", Language: "en", Expires: time.Now().Add(time.Hour)})
	wantErr(t, err, store.ErrNotFound)
	if seen, err := f.Links(ctx, stranger, f.conversation); err != nil || len(seen) != 0 {
		t.Errorf("a stranger sees %+v (%v)", seen, err)
	}

	must(t, f.RevokeLink(ctx, f.workspace, first.ID))
	must(t, f.RevokeLink(ctx, f.workspace, first.ID))
	_, _, err = f.LinkOf(ctx, "first")
	wantErr(t, err, store.ErrNotFound)
	list, err := f.Links(ctx, f.workspace, f.conversation)
	must(t, err)
	if len(list) != 3 || list[1].ID != second.ID || list[2].RevokedAt == nil || list[2].UsedAt == nil || list[1].UsedAt != nil {
		t.Errorf("the links are %+v", list)
	}

	must(t, f.Delete(ctx, f.workspace, f.conversation))
	_, _, err = f.LinkOf(ctx, "second")
	wantErr(t, err, store.ErrNotFound)
	must(t, f.Restore(ctx, f.workspace, f.conversation))
	_, _, err = f.LinkOf(ctx, "second")
	must(t, err)
}

// A link made in a firm belongs to the firm: members who may write can make and revoke it, members who may only read
// can see it, and clients and other firms cannot see it. Whoever opens it, it leads into the firm.
func TestLinksOfAFirm(t *testing.T) {
	f := newFirm(t)
	stranger := f.person(t, "stranger")
	elsewhere, err := f.FoundFirm(t.Context(), stranger, "Shah & Co", "Meera Shah")
	must(t, err)
	standing, err := f.Standing(t.Context(), elsewhere, stranger)
	must(t, err)
	other := standing.As(t.Context())
	c, _ := f.notice(t, "Mine", "27ZAPCS4821K1Z6")
	list, _, err := f.Matters(f.as(t, role.Owner), f.id, store.MatterQuery{Most: 10})
	must(t, err)
	owner, preparer, viewer := f.as(t, role.Owner), f.as(t, role.Preparer), f.as(t, role.Viewer)
	// The notice's own client.
	client := store.Acting{Workspace: f.id, Role: role.Client, Client: list[0].ClientID}.As(t.Context())
	link := func(ctx context.Context, firm uuid.UUID, token string) (store.Link, error) {
		return f.MakeLink(ctx, firm, store.NewLink{Kind: store.InterviewLink, Conversation: c, Token: token, Recipient: "Asha Rao", Language: "en",
			Expires: time.Now().Add(time.Hour)})
	}
	made, err := link(preparer, f.id, "made")
	must(t, err)
	if made.WorkspaceID != f.id {
		t.Errorf("the link is %s's, want the firm's", made.WorkspaceID)
	}
	_, err = link(viewer, f.id, "by a viewer")
	wantErr(t, err, store.ErrNotFound) // members who may not write cannot lock a row
	_, err = link(client, f.id, "by a client")
	wantErr(t, err, store.ErrForbidden)
	_, err = link(other, elsewhere, "by another firm")
	wantErr(t, err, store.ErrNotFound)
	_, err = link(other, f.id, "by another firm's owner")
	wantErr(t, err, store.ErrNotFound)

	for name, ctx := range map[string]context.Context{"the owner": owner, "a preparer": preparer, "a viewer": viewer} {
		if seen, err := f.Links(ctx, f.id, c); err != nil || len(seen) != 1 || seen[0].ID != made.ID {
			t.Errorf("%s sees %+v (%v)", name, seen, err)
		}
	}
	if seen, err := f.Links(client, f.id, c); err != nil || len(seen) != 0 {
		t.Errorf("a client sees %+v (%v)", seen, err)
	}
	if seen, err := f.Links(other, elsewhere, c); err != nil || len(seen) != 0 {
		t.Errorf("another firm sees %+v (%v)", seen, err)
	}
	for _, ctx := range []context.Context{viewer, client} {
		wantErr(t, f.RevokeLink(ctx, f.id, made.ID), store.ErrNotFound)
	}
	wantErr(t, f.RevokeLink(other, elsewhere, made.ID), store.ErrNotFound)

	found, firm, err := f.LinkOf(t.Context(), "made")
	must(t, err)
	if !firm || found.WorkspaceID != f.id || *found.ConversationID != c {
		t.Errorf("the link leads to %+v (of a firm: %t)", found, firm)
	}
	must(t, f.RevokeLink(owner, f.id, made.ID))
	_, _, err = f.LinkOf(t.Context(), "made")
	wantErr(t, err, store.ErrNotFound)
	log, _, err := f.FirmLog(owner, f.id, nil, 2)
	must(t, err)
	if len(log) != 2 || log[0].Event != "link_revoked" || log[1].Event != "link_made" {
		t.Errorf("the log reads %+v", log)
	}
}
