package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// fixture is a migrated database with one visitor who has one conversation.
type fixture struct {
	*store.Store
	url          string
	workspace    uuid.UUID
	conversation uuid.UUID
}

func newFixture(t testing.TB) fixture {
	t.Helper()
	url := localtest.Postgres(t)
	must(t, store.Migrate(t.Context(), url))
	s, err := store.Open(t.Context(), url, 8)
	must(t, err)
	t.Cleanup(s.Close)
	f := fixture{Store: s, url: url}
	f.workspace, err = s.NewVisitor(t.Context(), "token of "+t.Name())
	must(t, err)
	f.conversation = f.converse(t, f.workspace)
	return f
}

func (f fixture) converse(t testing.TB, workspace uuid.UUID) uuid.UUID {
	t.Helper()
	c, err := f.CreateConversation(t.Context(), workspace, "notice")
	must(t, err)
	return c.ID
}

func (f fixture) ask(t *testing.T, text string) store.Turn {
	t.Helper()
	turn, _, err := f.Accept(t.Context(), store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Text: text, Kind: "chat"})
	must(t, err)
	return turn
}

func (f fixture) ref(turn store.Turn, run string) store.Ref {
	return store.Ref{Workspace: f.workspace, Conversation: f.conversation, Turn: turn.ID, Run: run}
}

// Begin, End and ReplaceRequired leave out results that only the tests of follow-ups use.
func (f fixture) Begin(ctx context.Context, ref store.Ref, steps []store.PlannedStep) (bool, error) {
	begun, err := f.Store.Begin(ctx, ref, steps)
	return begun.Stop, err
}

func (f fixture) End(ctx context.Context, ref store.Ref, e store.Ending) error {
	_, err := f.Store.End(ctx, ref, e)
	return err
}

func (f fixture) ReplaceRequired(ctx context.Context, ref store.Ref, list []store.Required) error {
	_, err := f.Store.ReplaceRequired(ctx, ref, list)
	return err
}

func (f fixture) saveFacts(ctx context.Context, ref store.Ref, document uuid.UUID, facts []byte, title, step string) error {
	_, err := f.SaveFacts(ctx, ref, document, facts, title, step)
	return err
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Fatalf("error is %v, want %v", got, want)
	}
}

var steps = []store.PlannedStep{{ID: "answer", Kind: "prompt", Title: "Answering"}, {ID: "check", Kind: "check", Title: "Checking"}}

func TestMigrateTwiceAndAtOnce(t *testing.T) {
	url := localtest.Postgres(t)
	var wg sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		wg.Go(func() { errs[i] = store.Migrate(context.Background(), url) })
	}
	wg.Wait()
	must(t, errors.Join(errs...))
	must(t, store.Migrate(t.Context(), url))
}

func TestSession(t *testing.T) {
	f := newFixture(t)
	got, err := f.Session(t.Context(), "token of "+t.Name(), time.Hour)
	must(t, err)
	if got.Workspace != f.workspace || got.SignedIn {
		t.Errorf("the session leads to %+v, want the visitor %v", got, f.workspace)
	}
	_, err = f.Session(t.Context(), "somebody else's", time.Hour)
	wantErr(t, err, store.ErrNotFound)
}

// With another person's ids, nothing is seen and nothing is changed.
func TestNobodySeesAnothersRows(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "analysis", Text: "Here is my notice",
		Document: &store.NewDocument{Name: "notice.pdf", Pages: 1, Content: strings.NewReader("%PDF-")}})
	must(t, err)
	ref := f.ref(turn, "run")
	_, err = f.Begin(ctx, ref, steps)
	must(t, err)
	must(t, f.SavePage(ctx, ref, *turn.DocumentID, turns.Page{Number: 1, Text: "secret"}, "answer", store.StepState{State: "running"}))
	must(t, f.saveFacts(ctx, ref, *turn.DocumentID, []byte(`{"form":"DRC-01"}`), "DRC-01", "answer"))
	must(t, f.ReplaceRequired(ctx, ref, []store.Required{{Type: "Invoices"}}))
	_, err = f.OpenEpoch(ctx, ref, "answer")
	must(t, err)
	must(t, f.SaveResult(ctx, ref, turns.ResultKey{Step: "answer", InputSHA: "x"}, "text"))

	supplied, err := f.AddAuthority(ctx, store.Authority{WorkspaceID: f.workspace, ConversationID: f.conversation, Citation: "A v. B, 2020 (1) TMI 1"})
	must(t, err)

	stranger, err := f.NewVisitor(ctx, "stranger")
	must(t, err)
	theirs := ref
	theirs.Workspace = stranger
	checks := map[string]error{}
	_, checks["Detail"] = f.Detail(ctx, stranger, f.conversation)
	_, checks["Follow"] = f.Follow(ctx, stranger, f.conversation, store.EventID{})
	_, checks["Turn"] = f.Turn(ctx, stranger, turn.ID)
	_, checks["Plugin"] = f.Plugin(ctx, stranger, f.conversation)
	_, checks["Document"] = f.Document(ctx, stranger, *turn.DocumentID)
	_, checks["TurnContext"] = f.TurnContext(ctx, theirs)
	_, checks["Result"] = f.Result(ctx, theirs, turns.ResultKey{Step: "answer", InputSHA: "x"})
	_, checks["Begin"] = f.Begin(ctx, theirs, steps)
	_, checks["Authorities"] = f.Authorities(ctx, stranger, f.conversation)
	_, checks["AddAuthority"] = f.AddAuthority(ctx, store.Authority{WorkspaceID: stranger, ConversationID: f.conversation, Citation: "C v. D"})
	checks["RemoveAuthority"] = f.RemoveAuthority(ctx, stranger, f.conversation, supplied.ID)
	checks["RestoreAuthority"] = f.RestoreAuthority(ctx, stranger, f.conversation, supplied.ID)
	_, checks["AttachToAuthority"] = f.AttachToAuthority(ctx, stranger, f.conversation, supplied.ID, store.NewDocument{Name: "mine.pdf", Content: strings.NewReader("%PDF-")})
	checks["RequestStop"] = f.RequestStop(ctx, stranger, turn.ID)
	checks["EndFromOutside"] = f.EndFromOutside(ctx, stranger, turn.ID, store.Ending{State: "failed"}, nil)
	_, checks["Requeue"] = f.Requeue(ctx, stranger, turn.ID, new(0))
	_, _, checks["Accept"] = f.Accept(ctx, store.NewTurn{Workspace: stranger, Conversation: f.conversation, Text: "mine now", Kind: "chat"})
	for name, err := range checks {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s as a stranger gives %v, want ErrNotFound", name, err)
		}
	}
	list, _, err := f.Conversations(ctx, stranger, store.ConversationQuery{Most: 10})
	must(t, err)
	if len(list) != 0 {
		t.Errorf("a stranger sees %d conversations", len(list))
	}
	if err := f.WriteDocument(ctx, stranger, store.Document{ID: *turn.DocumentID, Bytes: 5}, &bytes.Buffer{}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a stranger reading the document's bytes gets %v", err)
	}

	// The same in the database: with the application's role and another person's workspace, every personal table is
	// empty, and no row can be written for somebody else.
	conn, err := pgx.Connect(ctx, f.url)
	must(t, err)
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
		where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'workspace_id' and not a.attisdropped`)
	must(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	if len(tables) < 12 {
		t.Fatalf("only %d personal tables: %v", len(tables), tables)
	}
	for _, table := range tables {
		tx, err := conn.Begin(ctx)
		must(t, err)
		_, err = tx.Exec(ctx, "set local role munshi_app")
		must(t, err)
		_, err = tx.Exec(ctx, "select set_config('app.workspace_id', $1, true)", stranger.String())
		must(t, err)
		var n int
		err = tx.QueryRow(ctx, "select count(*) from "+pgx.Identifier{table}.Sanitize()+" where workspace_id <> $1", stranger).Scan(&n)
		if slices.Contains([]string{"sessions", "people", "known_browsers", "audit", "erasures"}, table) {
			if err == nil {
				t.Errorf("the application's role can read %s", table)
			}
		} else if err != nil || n != 0 {
			t.Errorf("table %s shows a stranger %d rows, error %v", table, n, err)
		}
		must(t, tx.Rollback(ctx))
	}
	_, err = conn.Exec(ctx, "set role munshi_app")
	must(t, err)
	_, err = conn.Exec(ctx, "insert into conversations (id, workspace_id, plugin) values (gen_random_uuid(), $1, 'notice')", f.workspace)
	if err == nil {
		t.Error("a row for a workspace that was not named could be written")
	}
}

func TestAcceptOnce(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	n := store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Key: "key", Text: "What is due?", Kind: "chat"}
	const clicks = 8
	ids := make([]uuid.UUID, clicks)
	errs := make([]error, clicks)
	var wg sync.WaitGroup
	for i := range clicks {
		wg.Go(func() {
			turn, _, err := f.Accept(ctx, n)
			ids[i], errs[i] = turn.ID, err
		})
	}
	wg.Wait()
	must(t, errors.Join(errs...))
	for _, id := range ids {
		if id != ids[0] {
			t.Fatalf("the same key made two turns: %v", ids)
		}
	}
	other := n
	other.Text = "What is due, and when?"
	_, _, err := f.Accept(ctx, other)
	wantErr(t, err, store.ErrOtherContent)
	n.Key = "another"
	_, _, err = f.Accept(ctx, n)
	wantErr(t, err, store.ErrTurnOpen)
	d, err := f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if len(d.Messages) != 1 || d.Messages[0].Text != "What is due?" || d.Conversation.Title != "What is due?" {
		t.Errorf("after one question: %d messages, title %q", len(d.Messages), d.Conversation.Title)
	}
}

// A run that a reset replaced, or that has ended its turn, can change nothing any more.
func TestFence(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "What is due?")
	old, later := f.ref(turn, "old"), f.ref(turn, "later")
	_, err := f.Begin(ctx, old, steps)
	must(t, err)
	epoch, err := f.OpenEpoch(ctx, old, "answer")
	must(t, err)
	must(t, f.Append(ctx, old, store.EventID{Epoch: epoch, Seq: 1}, "stale "))
	must(t, f.End(ctx, old, store.Ending{State: "failed", Text: "Sorry", ErrorCode: "x"}))
	wantErr(t, f.SetStep(ctx, old, "answer", store.StepState{State: "running"}), store.ErrSuperseded)

	// A later run takes over the failed turn: the apology is removed, and the steps are open again.
	must(t, f.SetStep(ctx, later, "answer", store.StepState{State: "running"}))
	d, err := f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if len(d.Messages) != 1 || d.Live.Turn.State != "running" || d.Live.Turn.ErrorCode != "" {
		t.Fatalf("after a later run took over: %d messages, %+v", len(d.Messages), d.Live.Turn)
	}
	wantErr(t, f.SetStep(ctx, old, "answer", store.StepState{State: "done"}), store.ErrSuperseded)
	wantErr(t, f.End(ctx, old, store.Ending{State: "answered", Text: "stale"}), store.ErrSuperseded)
	_, err = f.OpenEpoch(ctx, old, "answer")
	wantErr(t, err, store.ErrSuperseded)

	// Within a run, a newer attempt stops an older one from writing.
	first, err := f.OpenEpoch(ctx, later, "answer")
	must(t, err)
	second, err := f.OpenEpoch(ctx, later, "answer")
	must(t, err)
	wantErr(t, f.Append(ctx, later, store.EventID{Epoch: first, Seq: 1}, "stale"), store.ErrRewritten)
	must(t, f.Append(ctx, later, store.EventID{Epoch: second, Seq: 1}, "fresh"))

	// A piece is not stored if the piece before it was lost, and the writer learns that it must write
	// everything again.
	if err := f.Append(ctx, later, store.EventID{Epoch: second, Seq: 3}, "hole"); err == nil || errors.Is(err, store.ErrSuperseded) {
		t.Errorf("after a lost piece the error is %v", err)
	}

	must(t, f.End(ctx, later, store.Ending{State: "answered", Text: "The answer"}))
	// The activity is repeated, because its success was not reported.
	must(t, f.End(ctx, later, store.Ending{State: "answered", Text: "The answer"}))
	wantErr(t, f.End(ctx, f.ref(turn, "third"), store.Ending{State: "answered", Text: "again"}), store.ErrSuperseded)
	d, err = f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if len(d.Messages) != 2 || d.Messages[1].Text != "The answer" {
		t.Errorf("messages at the end: %+v", d.Messages)
	}
}

// The pieces of a step end in any order: neither the piece with the last number nor a piece reported
// twice ends the step.
func TestPiecesEndInAnyOrder(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	ref := f.ref(f.ask(t, "Draft the reply."), "run")
	_, err := f.Begin(ctx, ref, steps)
	must(t, err)
	must(t, f.SetStep(ctx, ref, "answer", store.StepState{State: "running", Total: 3}))
	for _, c := range []struct {
		piece int
		want  store.StepState
	}{
		{3, store.StepState{State: "running", Done: 1, Total: 3}},
		{3, store.StepState{State: "running", Done: 1, Total: 3}},
		{1, store.StepState{State: "running", Done: 2, Total: 3}},
		{2, store.StepState{State: "done", Done: 3, Total: 3}},
	} {
		must(t, f.NoteStep(ctx, ref, "answer", "asked again"))
		must(t, f.EndPiece(ctx, ref, "answer", c.piece, 3))
		d, err := f.Detail(ctx, f.workspace, f.conversation)
		must(t, err)
		s := d.Live.Steps[0]
		if got := (store.StepState{State: s.State, Note: s.Note, Done: int(s.Done), Total: int(s.Total)}); got != c.want {
			t.Errorf("after piece %d: %+v, want %+v", c.piece, got, c.want)
		}
	}
}

func TestFollow(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "What is due?")
	ref := f.ref(turn, "run")
	_, err := f.Begin(ctx, ref, steps)
	must(t, err)
	epoch, err := f.OpenEpoch(ctx, ref, "answer")
	must(t, err)
	for i, text := range []string{"one ", "two ", "three "} {
		must(t, f.Append(ctx, ref, store.EventID{Epoch: epoch, Seq: int64(i + 1)}, text))
	}
	at := func(n store.EventID) store.Following {
		t.Helper()
		got, err := f.Follow(ctx, f.workspace, f.conversation, n)
		must(t, err)
		return got
	}
	for _, c := range []struct {
		name  string
		at    store.EventID
		fresh bool
		text  string
	}{
		{"a newcomer", store.EventID{Epoch: -1}, true, "one two three "},
		{"who left after the first", store.EventID{Epoch: epoch, Seq: 1}, false, "two three "},
		{"who has all", store.EventID{Epoch: epoch, Seq: 3}, false, ""},
		{"of an older epoch", store.EventID{Epoch: epoch - 1, Seq: 7}, true, "one two three "},
		{"of a future that never was", store.EventID{Epoch: epoch + 5, Seq: 1}, true, "one two three "},
		{"of this epoch's future", store.EventID{Epoch: epoch, Seq: 99}, true, "one two three "},
	} {
		if got := at(c.at); got.Fresh != c.fresh || got.Text != c.text || got.At != (store.EventID{Epoch: epoch, Seq: 3}) {
			t.Errorf("%s gets %+v", c.name, got)
		}
	}
	if id := (store.EventID{Epoch: 12, Seq: 34}); id.Int() != 12_000_034 || store.EventIDOf(id.Int()) != id {
		t.Error("an event's id does not survive its own number")
	}
	must(t, f.End(ctx, ref, store.Ending{State: "stopped"}))
	d, err := f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if got := d.Messages[1]; got.Text != "one two three " || got.State != "stopped" {
		t.Errorf("a stopped turn keeps %q as %s", got.Text, got.State)
	}
	events := func() (n int) {
		t.Helper()
		conn, err := pgx.Connect(ctx, f.url)
		must(t, err)
		defer conn.Close(ctx)
		must(t, conn.QueryRow(ctx, "select count(*) from run_events").Scan(&n))
		return n
	}
	must(t, f.Prune(ctx, time.Now().Add(-time.Minute)))
	if n := events(); n != 3 {
		t.Errorf("of 3 pieces %d are left of a turn that has just ended", n)
	}
	must(t, f.Prune(ctx, time.Now().Add(time.Minute)))
	if n := events(); n != 0 {
		t.Errorf("%d pieces are left of a turn that ended long ago", n)
	}
}

func TestDocuments(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	content := bytes.Repeat([]byte("0123456789abcdef"), 3<<16) // 3 MiB: several chunks
	content = append(content, "tail"...)
	turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "analysis", Text: "Here",
		Document: &store.NewDocument{Name: "no\x00tice.pdf", Pages: 3, Content: bytes.NewReader(content)}})
	must(t, err)
	doc, err := f.Document(ctx, f.workspace, *turn.DocumentID)
	must(t, err)
	var out bytes.Buffer
	must(t, f.WriteDocument(ctx, f.workspace, doc, &out))
	if !bytes.Equal(out.Bytes(), content) || doc.Name != "notice.pdf" {
		t.Errorf("got %d bytes of %d back, name %q", out.Len(), len(content), doc.Name)
	}
	ref := f.ref(turn, "run")
	_, err = f.Begin(ctx, ref, steps)
	must(t, err)
	page := turns.Page{Number: 2, Text: "nul\x00 and bad \xff bytes", Method: "layer", Confidence: 1}
	must(t, f.SavePage(ctx, ref, doc.ID, page, "answer", store.StepState{State: "running", Done: 1, Total: 3}))
	page.Text = "another reading"
	must(t, f.SavePage(ctx, ref, doc.ID, page, "answer", store.StepState{State: "running", Done: 1, Total: 3}))
	reading, err := f.Reading(ctx, f.workspace, doc.ID)
	must(t, err)
	missing := reading.Missing
	pages, err := f.Pages(ctx, f.workspace, doc.ID)
	must(t, err)
	if reading.WithWords != 1 || len(missing) != 2 || missing[0] != 1 || missing[1] != 3 || len(pages) != 1 || pages[0].Text != "nul and bad \uFFFD bytes" {
		t.Errorf("missing %v, pages %+v", missing, pages)
	}
}

// A new list of required documents replaces the old one; uploaded documents stay uploaded. Documents with the same
// name and different reasons are different documents.
func TestRequiredDocuments(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "Which papers?")
	ref := f.ref(turn, "run")
	must(t, f.ReplaceRequired(ctx, ref, []store.Required{{Type: "Tax invoices", Reason: "to prove the credit"}, {Type: "Bank statement"}}))
	must(t, f.End(ctx, ref, store.Ending{State: "answered", Text: "These"}))
	second, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "document", Text: "Here",
		Document: &store.NewDocument{Name: "i.pdf", Type: "tax INVOICES", Pages: 1, Content: strings.NewReader("x")}})
	must(t, err)
	states := func() string {
		t.Helper()
		d, err := f.Detail(ctx, f.workspace, f.conversation)
		must(t, err)
		var all []string
		for _, r := range d.Required {
			all = append(all, r.Type+"="+r.State)
		}
		return strings.Join(all, " ")
	}
	if got := states(); got != "Tax invoices=uploaded Bank statement=needed" {
		t.Errorf("after the upload: %s", got)
	}
	ref = f.ref(second, "run 2")
	must(t, f.ReplaceRequired(ctx, ref, []store.Required{{Type: "Ledger"}, {Type: "Tax Invoices"}}))
	must(t, f.End(ctx, ref, store.Ending{State: "answered", Text: "Thanks"}))
	if got := states(); got != "Ledger=needed Tax Invoices=reviewed" {
		t.Errorf("after the review: %s", got)
	}

	// Two documents with the same name stay two, and each keeps its place in a new list.
	ref = f.ref(f.ask(t, "And now?"), "run 3")
	two := []store.Required{{Type: "Tax Invoices", Reason: "of 2019"}, {Type: "Tax Invoices", Reason: "of 2020"}}
	must(t, f.ReplaceRequired(ctx, ref, two))
	if got := states(); got != "Tax Invoices=reviewed Tax Invoices=needed" {
		t.Errorf("two of one name: %s", got)
	}
	must(t, f.ReplaceRequired(ctx, ref, []store.Required{two[1], two[0]}))
	if got := states(); got != "Tax Invoices=needed Tax Invoices=reviewed" {
		t.Errorf("the same two the other way round: %s", got)
	}

	// Each has its own name, under which it is uploaded.
	must(t, f.ReplaceRequired(ctx, ref, append(two, store.Required{Type: "tax invoices", Reason: "of 2021"})))
	must(t, f.End(ctx, ref, store.Ending{State: "answered", Text: "These"}))
	d, err := f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if got := d.Required[2].Name; got != "tax invoices: of 2021" {
		t.Errorf("the last is called %q", got)
	}
	for _, name := range []string{"Tax Invoices: of 2021", "tax invoices"} {
		turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "document", Text: "Here",
			Document: &store.NewDocument{Name: "i.pdf", Type: name, Pages: 1, Content: strings.NewReader(name)}})
		must(t, err)
		must(t, f.End(ctx, f.ref(turn, name), store.Ending{State: "answered", Text: "Thanks"}))
		if got, want := states(), map[string]string{"Tax Invoices: of 2021": "Tax Invoices=reviewed Tax Invoices=needed tax invoices=reviewed",
			"tax invoices": "Tax Invoices=reviewed Tax Invoices=reviewed tax invoices=reviewed"}[name]; got != want {
			t.Errorf("after %s: %s, want %s", name, got, want)
		}
	}
}

// A follow-up opens when papers are requested, is notified by the turns that bring some, and ends once; a new request
// opens it again.
func TestFollowUp(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	state := func() string {
		t.Helper()
		d, err := f.Detail(ctx, f.workspace, f.conversation)
		must(t, err)
		if d.FollowUp == nil {
			return "none"
		}
		return d.FollowUp.State
	}
	ends := func(ending string, want bool) {
		t.Helper()
		ended, err := f.EndFollowUp(ctx, f.workspace, f.conversation, ending)
		must(t, err)
		if ended != want {
			t.Errorf("it ends as %s: %v, want %v", ending, ended, want)
		}
	}
	turn := f.ask(t, "Which papers?")
	ref := f.ref(turn, "run")
	waits, err := f.Store.ReplaceRequired(ctx, ref, nil)
	must(t, err)
	if waits || state() != "none" {
		t.Errorf("no papers are asked for, and it is %s", state())
	}
	waits, err = f.Store.ReplaceRequired(ctx, ref, []store.Required{{Type: "Invoices"}})
	must(t, err)
	if !waits || state() != "waiting" {
		t.Errorf("papers are asked for, and it is %s", state())
	}
	first, err := f.Awaiting(ctx, f.workspace, f.conversation)
	must(t, err)
	if awaited, err := f.Store.End(ctx, ref, store.Ending{State: "answered", Text: "These"}); err != nil || awaited {
		t.Errorf("a turn without a document wakes nobody: %v %v", awaited, err)
	}
	ends("complete", false) // nothing arrived
	ends("closed", false)   // nobody closed it

	second, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "document", Text: "Here",
		Document: &store.NewDocument{Name: "i.pdf", Type: "invoices", Pages: 1, Content: strings.NewReader("x")}})
	must(t, err)
	ref = f.ref(second, "run 2")
	if begun, err := f.Store.Begin(ctx, ref, steps); err != nil || !begun.Awaited {
		t.Errorf("a turn that brings a document is awaited: %v %v", begun, err)
	}
	for range 2 { // and again, because its success was not reported
		if awaited, err := f.Store.End(ctx, ref, store.Ending{State: "answered", Text: "Thanks"}); err != nil || !awaited {
			t.Errorf("and when it ends: %v %v", awaited, err)
		}
	}
	now, err := f.Awaiting(ctx, f.workspace, f.conversation)
	must(t, err)
	if d := now.Documents[0]; d.ID != first.Documents[0].ID || d.State != "reviewed" || *d.DocumentID != *second.DocumentID {
		t.Errorf("the paper is now %+v", d)
	}
	ends("complete", true)
	ends("complete", false)

	ref = f.ref(f.ask(t, "And now?"), "run 3")
	if waits, err = f.Store.ReplaceRequired(ctx, ref, []store.Required{{Type: "Invoices"}}); err != nil || waits || state() != "complete" {
		t.Errorf("a list of what has come opens nothing: %v, %s, %v", waits, state(), err)
	}
	if waits, err = f.Store.ReplaceRequired(ctx, ref, []store.Required{{Type: "Invoices"}, {Type: "Ledger"}}); err != nil || !waits || state() != "waiting" {
		t.Errorf("a list with a new paper opens it again: %v, %s, %v", waits, state(), err)
	}
	must(t, f.CloseFollowUp(ctx, f.workspace, f.conversation))
	closing, err := f.UncheckedFollowUps(ctx, time.Now().Add(-time.Hour), time.Now().Add(-time.Hour))
	if must(t, err); len(closing) != 0 {
		t.Errorf("one that has just been closed is swept: %+v", closing)
	}
	closing, err = f.UncheckedFollowUps(ctx, time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	must(t, err)
	if len(closing) != 1 || closing[0].Conversation != f.conversation || closing[0].Plugin != "notice" {
		t.Errorf("the reconciler finds %+v", closing)
	}
	ends("closed", true)
	wantErr(t, f.CloseFollowUp(ctx, f.workspace, f.conversation), store.ErrNotFound)
	stranger, err := f.NewVisitor(ctx, "another token")
	must(t, err)
	wantErr(t, f.CloseFollowUp(ctx, stranger, f.conversation), store.ErrNotFound)
	_, err = f.Awaiting(ctx, stranger, f.conversation)
	wantErr(t, err, store.ErrNotFound)
}

func TestResults(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	ref := f.ref(f.ask(t, "x"), "run")
	key := turns.ResultKey{Step: "answer", InputSHA: "sha"}
	_, err := f.Result(ctx, ref, key)
	wantErr(t, err, store.ErrNotFound)
	must(t, f.SaveResult(ctx, ref, key, map[string]string{"text": "a\x00b", "code": `a literal \u0000 and \\u0000`}))
	must(t, f.SaveResult(ctx, ref, key, map[string]string{"text": "a later attempt's"}))
	raw, err := f.Result(ctx, ref, key)
	must(t, err)
	var got map[string]string
	must(t, json.Unmarshal(raw, &got))
	if got["text"] != "ab" || got["code"] != `a literal \u0000 and \\u0000` {
		t.Errorf("the kept result is %q", got)
	}
	key.InputSHA = "other inputs"
	_, err = f.Result(ctx, ref, key)
	wantErr(t, err, store.ErrNotFound)
}

// An operator sees what a model was asked in the turn that they name, and in no other; the database
// enforces this too.
func TestQuestionsOfOneTurn(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "x")
	ref := f.ref(turn, "run")
	must(t, f.SaveAnswer(ctx, ref, turns.ResultKey{Step: "answer", InputSHA: "1"}, "An answer", "A question", store.EventID{}, ""))
	must(t, f.SaveResult(ctx, ref, turns.ResultKey{Step: "check", InputSHA: "1"}, "findings"))
	asked, err := f.Questions(ctx, turn.ID, "an operator")
	must(t, err)
	if len(asked) != 1 || asked[0].Step != "answer" || string(asked[0].Question) != `"A question"` || string(asked[0].Answer) != `"An answer"` {
		t.Errorf("asked was %+v", asked)
	}
	_, err = f.Questions(ctx, uuid.New(), "an operator")
	wantErr(t, err, store.ErrNotFound)

	conn, err := pgx.Connect(ctx, f.url)
	must(t, err)
	defer conn.Close(ctx)
	seen := func(named string) (n int) {
		t.Helper()
		tx, err := conn.Begin(ctx)
		must(t, err)
		defer func() { must(t, tx.Rollback(ctx)) }()
		_, err = tx.Exec(ctx, "select set_config('role', 'munshi_system', true), set_config('app.shown_turn', $1, true)", named)
		must(t, err)
		must(t, tx.QueryRow(ctx, "select count(output) from step_results").Scan(&n))
		return n
	}
	for named, want := range map[string]int{turn.ID.String(): 1, uuid.NewString(): 0, "": 0} {
		if got := seen(named); got != want {
			t.Errorf("with %q named, %d results are seen, want %d", named, got, want)
		}
	}
}

// A run that was replaced before it wrote anything, and writes late, changes nothing.
func TestLateRun(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "x")
	asked := 0
	f.LatestRun = func(_ context.Context, id uuid.UUID) (string, error) {
		if asked++; id != turn.ID {
			t.Errorf("asked about %s", id)
		}
		return "third", nil
	}
	_, err := f.Begin(ctx, f.ref(turn, "first"), steps)
	must(t, err)
	_, err = f.Begin(ctx, f.ref(turn, "third"), steps)
	must(t, err)
	_, err = f.Begin(ctx, f.ref(turn, "second"), steps) // never seen before, and late
	wantErr(t, err, store.ErrSuperseded)
	must(t, f.SetStep(ctx, f.ref(turn, "third"), "answer", store.StepState{State: "done"}))
	must(t, f.End(ctx, f.ref(turn, "third"), store.Ending{State: "answered", Text: "The answer"}))
	if asked != 2 {
		t.Errorf("asked %d times which run is the latest: once for each that wants another's turn is enough", asked)
	}
}

// A decision taken before a retry does not undo the retry.
func TestStaleSweep(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "x")
	_, err := f.Begin(ctx, f.ref(turn, "old"), steps)
	must(t, err)
	must(t, f.RequestStop(ctx, f.workspace, turn.ID))
	open, err := f.OpenTurns(ctx, time.Now().Add(time.Hour), true)
	must(t, err)
	must(t, f.End(ctx, f.ref(turn, "old"), store.Ending{State: "stopped"}))
	_, err = f.Requeue(ctx, f.workspace, turn.ID, new(0))
	must(t, err)
	wantErr(t, f.EndFromOutside(ctx, f.workspace, turn.ID, store.Ending{State: "stopped"}, &open[0]), store.ErrNotFound)
	_, err = f.Begin(ctx, f.ref(turn, "new"), steps)
	must(t, err)
	wantErr(t, f.EndFromOutside(ctx, f.workspace, turn.ID, store.Ending{State: "stopped"}, &open[0]), store.ErrNotFound)
	if open, err = f.OpenTurns(ctx, time.Now().Add(time.Hour), true); err != nil || len(open) != 1 {
		t.Fatalf("%d open turns, %v", len(open), err)
	}
	must(t, f.EndFromOutside(ctx, f.workspace, turn.ID, store.Ending{State: "failed", Text: "Sorry", ErrorCode: "x"}, &open[0]))
}

func TestRequeue(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	turn := f.ask(t, "x")
	_, err := f.Begin(ctx, f.ref(turn, "old"), steps)
	must(t, err)
	must(t, f.End(ctx, f.ref(turn, "old"), store.Ending{State: "failed", Text: "Sorry", ErrorCode: "model_refused"}))
	again, err := f.Requeue(ctx, f.workspace, turn.ID, new(0))
	must(t, err)
	if again.State != "queued" || again.ErrorCode != "" {
		t.Errorf("requeued as %+v", again)
	}
	wantErr(t, f.SetStep(ctx, f.ref(turn, "old"), "answer", store.StepState{State: "done"}), store.ErrSuperseded)
	open, err := f.OpenTurns(ctx, time.Now().Add(time.Minute), false)
	must(t, err)
	if len(open) != 1 || open[0].Turn != turn.ID || open[0].Plugin != "notice" {
		t.Errorf("open turns: %+v", open)
	}
	must(t, f.End(ctx, f.ref(turn, "new"), store.Ending{State: "failed", Text: "Sorry"}))
	f.ask(t, "the conversation goes on")
	_, err = f.Requeue(ctx, f.workspace, turn.ID, new(0))
	wantErr(t, err, store.ErrTurnOpen)
}

// Notices are read in the order of their arrival, whoever sent them; each shows how many are before
// it.
func TestReadingQueue(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	reading := []store.PlannedStep{{ID: "extract", Kind: "extract", Title: "Reading"}}
	hand := func(workspace, conversation uuid.UUID, run string) store.Ref {
		turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: workspace, Conversation: conversation, Kind: "analysis", Text: "Here",
			Document: &store.NewDocument{Name: "n.pdf", Pages: 1, Content: strings.NewReader("x")}})
		must(t, err)
		ref := store.Ref{Workspace: workspace, Conversation: conversation, Turn: turn.ID, Run: run}
		_, err = f.Begin(ctx, ref, reading)
		must(t, err)
		return ref
	}
	first := hand(f.workspace, f.conversation, "a")
	other, err := f.NewVisitor(ctx, "other")
	must(t, err)
	second := hand(other, f.converse(t, other), "b")
	before := func(r store.Ref) int {
		d, err := f.Detail(ctx, r.Workspace, r.Conversation)
		must(t, err)
		return d.Live.Queue
	}
	if a, b := before(first), before(second); a != 0 || b != 1 {
		t.Errorf("before the first are %d, before the second %d", a, b)
	}
	must(t, f.SetStep(ctx, first, "extract", store.StepState{State: "done"}))
	if b := before(second); b != 0 {
		t.Errorf("when the first is read, %d are before the second", b)
	}
}

// A managed PostgreSQL provides no superuser: an owner who may create roles is enough.
func TestOwnerWithoutSuperuser(t *testing.T) {
	ctx := t.Context()
	admin, err := pgx.Connect(ctx, localtest.Postgres(t))
	must(t, err)
	defer admin.Close(context.WithoutCancel(ctx))
	// Other tests of this process share the roles, which a superuser created; an administrator grants them to
	// this owner.
	for _, sql := range []string{
		"create role owner_of_munshi login createrole password 'secret'",
		"grant munshi_app, munshi_system, munshi_keeper to owner_of_munshi",
		"grant create on database " + pgx.Identifier{admin.Config().Database}.Sanitize() + " to owner_of_munshi",
		"alter schema public owner to owner_of_munshi",
	} {
		_, err := admin.Exec(ctx, sql)
		must(t, err)
	}
	t.Cleanup(func() {
		ctx := context.WithoutCancel(ctx)
		if conn, err := pgx.ConnectConfig(ctx, admin.Config()); err == nil {
			defer conn.Close(ctx)
			_, err = conn.Exec(ctx, "drop owned by owner_of_munshi cascade; drop role owner_of_munshi")
			if err != nil {
				t.Log(err)
			}
		}
	})
	c := admin.Config()
	url := fmt.Sprintf("postgres://owner_of_munshi:secret@%s:%d/%s?sslmode=disable", c.Host, c.Port, c.Database)
	must(t, store.Migrate(ctx, url))
	s, err := store.Open(ctx, url, 2)
	must(t, err)
	defer s.Close()
	workspace, err := s.NewVisitor(ctx, "a token")
	must(t, err)
	_, err = s.CreateConversation(ctx, workspace, "notice")
	must(t, err)
}

// A second notice that was stopped before it was read does not hide the first.
func TestNoticeOfAConversation(t *testing.T) {
	f := newFixture(t)
	ctx := t.Context()
	hand := func(run string) (store.Turn, store.Ref) {
		turn, _, err := f.Accept(ctx, store.NewTurn{Workspace: f.workspace, Conversation: f.conversation, Kind: "analysis", Text: "Here",
			Document: &store.NewDocument{Name: run + ".pdf", Pages: 1, Content: strings.NewReader("x")}})
		must(t, err)
		return turn, f.ref(turn, run)
	}
	first, a := hand("first")
	must(t, f.saveFacts(ctx, a, *first.DocumentID, []byte(`{"form": "DRC-01"}`), "", "facts"))
	must(t, f.End(ctx, a, store.Ending{State: "failed", Text: "Sorry"}))
	_, b := hand("second")
	must(t, f.End(ctx, b, store.Ending{State: "stopped"}))
	d, err := f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if string(d.Facts) != `{"form": "DRC-01"}` {
		t.Errorf("the facts are %s", d.Facts)
	}
	third, c := hand("third")
	must(t, f.saveFacts(ctx, c, *third.DocumentID, []byte(`{"form": "ASMT-10"}`), "", "facts"))
	must(t, f.End(ctx, c, store.Ending{State: "answered", Text: "Done"}))

	// The first turn is run again from the Temporal Web UI: it uses its own notice, and nothing that came later.
	a.Run = "reset"
	must(t, f.SetStep(ctx, a, "facts", store.StepState{State: "running"}))
	m, err := f.TurnContext(ctx, a)
	must(t, err)
	if string(m.Facts) != `{"form": "DRC-01"}` || len(m.History) != 0 {
		t.Errorf("the first turn, done again, speaks of %s with %d earlier messages", m.Facts, len(m.History))
	}
	must(t, f.End(ctx, a, store.Ending{State: "answered", Text: "The first answer"}))
	d, err = f.Detail(ctx, f.workspace, f.conversation)
	must(t, err)
	if d.Messages[1].Text != "The first answer" || string(d.Facts) != `{"form": "ASMT-10"}` {
		t.Errorf("afterwards the second message is %q and the facts %s", d.Messages[1].Text, d.Facts)
	}
}
