package store_test

import (
	"log/slog"
	"testing"

	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// Readers in the same process receive stored text directly; other processes are notified and read it from
// the database.
func TestReadAlong(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	here, elsewhere := store.NewNotifier(f.url, slog.New(slog.DiscardHandler)), store.NewNotifier(f.url, slog.New(slog.DiscardHandler))
	f.Stored = here.Stored
	changed, pieces, end := here.ReadAlong(f.conversation)
	defer end()
	told, none, endToo := elsewhere.ReadAlong(f.conversation)
	defer endToo()
	go here.Run(ctx)
	go elsewhere.Run(ctx)
	<-changed // each has begun to listen
	<-told

	ref := f.ref(f.ask(t, "x"), "run")
	epoch, err := f.OpenEpoch(ctx, ref, "answer")
	must(t, err)
	at := store.EventID{Epoch: epoch, Seq: 1}
	must(t, f.Append(ctx, ref, at, "On "))
	if p := <-pieces; p != (store.Piece{At: at, Text: "On "}) {
		t.Errorf("what comes by itself is %+v", p)
	}
	for {
		<-told
		seen, err := f.Follow(ctx, f.workspace, f.conversation, store.EventID{Epoch: -1})
		must(t, err)
		if seen.Text == "On " && seen.At == at {
			break
		}
	}

	// The last piece is stored together with the answer; readers then fetch it.
	must(t, f.SaveAnswer(ctx, ref, turns.ResultKey{Step: "answer", InputSHA: "sha"}, "On MARK.", "A question", store.EventID{Epoch: epoch, Seq: 2}, "MARK."))
	<-changed
	seen, err := f.Follow(ctx, f.workspace, f.conversation, at)
	must(t, err)
	if seen.Text != "MARK." || seen.Fresh {
		t.Errorf("after the first piece comes %+v", seen)
	}
	if len(none)+len(pieces) > 0 {
		t.Errorf("more came by itself: %d and %d pieces", len(none), len(pieces))
	}
}

// When a newer attempt has replaced an older one, the older one still stores its answer, which was paid for,
// and learns that the newer one continues.
func TestAnswerOfAnEarlierAttempt(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	ref, key := f.ref(f.ask(t, "x"), "run"), turns.ResultKey{Step: "answer", InputSHA: "sha"}
	first, err := f.OpenEpoch(ctx, ref, "answer")
	must(t, err)
	_, err = f.OpenEpoch(ctx, ref, "answer")
	must(t, err)
	wantErr(t, f.SaveAnswer(ctx, ref, key, "On MARK.", "A question", store.EventID{Epoch: first, Seq: 1}, "On MARK."), store.ErrRewritten)
	_, err = f.Result(ctx, ref, key)
	must(t, err)
	seen, err := f.Follow(ctx, f.workspace, f.conversation, store.EventID{Epoch: -1})
	must(t, err)
	if seen.Text != "" {
		t.Errorf("the newer attempt has the older one's text %q", seen.Text)
	}
}
