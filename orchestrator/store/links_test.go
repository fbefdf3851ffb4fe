package store_test

import (
	"testing"
	"time"

	"munshi/orchestrator/store"
)

// A link leads to one conversation until it expires, is revoked, or the conversation is deleted; of its secret only the hash is kept,
// and it is nobody else's to see or to revoke.
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

	found, err := f.LinkOf(ctx, "first")
	must(t, err)
	if found.ID != first.ID || found.WorkspaceID != f.workspace || *found.ConversationID != f.conversation || found.Kind != store.InterviewLink {
		t.Errorf("the secret leads to %+v", found)
	}
	for _, token := range []string{"over", "third", ""} {
		_, err := f.LinkOf(ctx, token)
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
	_, err = f.LinkOf(ctx, "first")
	wantErr(t, err, store.ErrNotFound)
	list, err := f.Links(ctx, f.workspace, f.conversation)
	must(t, err)
	if len(list) != 3 || list[1].ID != second.ID || list[2].RevokedAt == nil || list[2].UsedAt == nil || list[1].UsedAt != nil {
		t.Errorf("the links are %+v", list)
	}

	must(t, f.Delete(ctx, f.workspace, f.conversation))
	_, err = f.LinkOf(ctx, "second")
	wantErr(t, err, store.ErrNotFound)
	must(t, f.Restore(ctx, f.workspace, f.conversation))
	_, err = f.LinkOf(ctx, "second")
	must(t, err)
}
