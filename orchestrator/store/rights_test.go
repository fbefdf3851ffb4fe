package store_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

// everything returns all rows stored about someone, by table.
func (f fixture) everything(t *testing.T, workspace uuid.UUID) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	must(t, f.Exported(t.Context(), workspace, func(table string) (func(json.RawMessage) error, error) {
		return func(row json.RawMessage) error {
			all[table] = append(all[table], string(row))
			return nil
		}, nil
	}))
	return all
}

func TestExportedIsAllOfOnesOwn(t *testing.T) {
	f := newFixture(t)
	other, err := f.NewVisitor(t.Context(), "another")
	must(t, err)
	for i := range 120 { // more rows than are read at a time
		turn, err := f.try(t, f.converse(t, f.workspace), f.workspace, 1000)
		must(t, err)
		if i == 0 {
			_, err = f.try(t, f.converse(t, other), other, 1)
			must(t, err)
			_ = turn
		}
	}
	all := f.everything(t, f.workspace)
	for table, want := range map[string]int{"conversations": 121, "turns": 120, "messages": 120, "uses": 120, "subscriptions": 1} {
		if len(all[table]) != want {
			t.Errorf("%s: %d rows, want %d", table, len(all[table]), want)
		}
		seen := map[string]bool{}
		for _, row := range all[table] {
			if seen[row] || strings.Contains(row, other.String()) {
				t.Fatalf("%s: a row comes twice, or is another's: %s", table, row)
			}
			seen[row] = true
		}
	}
	if n := len(f.everything(t, other)["messages"]); n != 1 {
		t.Errorf("the other has %d messages, want 1", n)
	}
}

// As soon as somebody asks for erasure, they have no access any more, and nothing can start that the erasure would
// miss.
func TestErasure(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	turn, err := f.try(t, f.conversation, f.workspace, 2)
	must(t, err)
	must(t, f.SignIn(t.Context(), person, store.Arrival{Token: "here", Before: "token of " + t.Name(), Life: life}))
	must(t, f.Spend(t.Context(), person, 7))
	stranger, err := f.NewVisitor(t.Context(), "stranger")
	must(t, err)
	f.converse(t, stranger)

	if open, err := f.OpenTurns(t.Context(), time.Now().Add(time.Hour), true); err != nil || len(open) != 1 {
		t.Fatalf("%d turns are open before the erasure (%v)", len(open), err)
	}
	e, err := f.BeginErasure(t.Context(), person, 0, "")
	must(t, err)
	again, err := f.BeginErasure(t.Context(), person, 0, "")
	must(t, err)
	if e.ID != again.ID || e.DoneAt != nil {
		t.Errorf("asked for twice there are two erasures: %+v, %+v", e, again)
	}
	for _, token := range []string{"here", "session of asha@example.com"} {
		_, err = f.Session(t.Context(), token, time.Hour)
		wantErr(t, err, store.ErrNotFound)
	}
	_, _, err = f.Credentials(t.Context(), "asha@example.com")
	wantErr(t, err, store.ErrNotFound)
	for _, w := range []uuid.UUID{person, f.workspace} {
		_, err = f.CreateConversation(t.Context(), w, "notice")
		wantErr(t, err, store.ErrNotFound)
	}
	wantErr(t, f.SignIn(t.Context(), person, store.Arrival{Token: "late", Life: life}), store.ErrNotFound)

	if open, err := f.OpenTurns(t.Context(), time.Now().Add(time.Hour), true); err != nil || len(open) != 0 {
		t.Errorf("the reconciler would start %+v again (%v)", open, err)
	}
	all, err := f.WorkspacesOf(t.Context(), person)
	must(t, err)
	if len(all) != 2 {
		t.Fatalf("%d workspaces, want the account's and the visitor's", len(all))
	}
	turns, err := f.TurnsToErase(t.Context(), person, uuid.Nil)
	must(t, err)
	if len(turns) != 1 || turns[0].ID != turn.ID {
		t.Errorf("the turns to erase are %v", turns)
	}
	open, err := f.OpenErasures(t.Context(), time.Now().Add(time.Minute))
	must(t, err)
	if len(open) != 1 || open[0] != person {
		t.Errorf("the open erasures are %v", open)
	}
	for _, w := range all {
		for more := true; more; {
			more, err = f.EraseRows(t.Context(), w)
			must(t, err)
		}
	}
	must(t, f.EndErasure(t.Context(), person))
	must(t, f.EndErasure(t.Context(), person)) // as a retry would
	if e, err = f.Erasure(t.Context(), e.ID); err != nil || e.DoneAt == nil {
		t.Errorf("the erasure is %+v, %v", e, err)
	}
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	for _, id := range []uuid.UUID{person, f.workspace} {
		if where := dumped(t, conn, id.String()); len(where) > 0 {
			t.Errorf("%v is still in %v", id, where)
		}
	}
	_, spent, err := f.Spent(t.Context(), uuid.Nil)
	must(t, err)
	if spent.Today != 7 {
		t.Errorf("%d paise count for the installation, want what the erased person had cost", spent.Today)
	}
	if n := len(f.everything(t, stranger)["conversations"]); n != 1 {
		t.Errorf("somebody else has %d conversations, want theirs", n)
	}
	lines, err := f.Audit(t.Context(), store.AuditQuery{Since: time.Now().Add(-time.Hour), Until: time.Now().Add(time.Hour), Most: 100})
	must(t, err)
	if len(lines) < 3 || lines[0].Event != "erased" {
		t.Errorf("the audit log is %+v", lines)
	}
	f.signUp(t, "asha@example.com", "") // the address is free again
}

// dumped returns the tables in which any row contains the text.
func dumped(t *testing.T, conn *pgx.Conn, text string) (where []string) {
	t.Helper()
	rows, err := conn.Query(t.Context(), "select quote_ident(tablename) from pg_tables where schemaname = 'public'")
	must(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	for _, table := range tables {
		var n int
		must(t, conn.QueryRow(t.Context(), "select count(*) from "+table+" r where position($1 in r::text) > 0", text).Scan(&n))
		if n > 0 {
			where = append(where, table)
		}
	}
	return where
}

// The data of visitors is deleted after they have been away for long; accounts stay, even those that visitors
// became.
func TestRetire(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	behind, err := f.NewVisitor(t.Context(), "behind")
	must(t, err)
	must(t, f.SignIn(t.Context(), person, store.Arrival{Token: "here", Before: "behind", Life: life}))
	must(t, f.Retire(t.Context(), time.Now(), store.Retention{Visitors: time.Hour, Audit: time.Hour}))
	open, err := f.OpenErasures(t.Context(), time.Now().Add(time.Minute))
	must(t, err)
	if len(open) != 0 {
		t.Fatalf("%v are erased, who were seen just now", open)
	}
	must(t, f.Retire(t.Context(), time.Now().Add(2*time.Hour), store.Retention{Visitors: time.Hour, Audit: time.Hour}))
	open, err = f.OpenErasures(t.Context(), time.Now().Add(time.Minute))
	must(t, err)
	if !slices.Contains(open, f.workspace) || slices.Contains(open, person) || slices.Contains(open, behind) {
		t.Errorf("%v are erased, want %v, and neither %v nor %v", open, f.workspace, person, behind)
	}
	lines, err := f.AuditOf(t.Context(), person, 10)
	must(t, err)
	if len(lines) != 0 {
		t.Errorf("the audit log keeps %+v", lines)
	}
}

// The search for visitors who have not returned runs every half minute, so it must not read whole tables.
func TestRetireReadsNoTableWhole(t *testing.T) {
	f := newFixture(t)
	f.exec(t, `insert into workspaces (id, kind, created_at) select gen_random_uuid(), 'visitor', now() - n * interval '1 minute' from generate_series(1, 5000) n`)
	f.exec(t, "analyze workspaces")
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		must(t, f.Retire(t.Context(), time.Now(), store.Retention{Visitors: 180 * 24 * time.Hour, Audit: time.Hour}))
		var used int // PostgreSQL updates these statistics some seconds later
		must(t, conn.QueryRow(t.Context(), "select idx_scan from pg_stat_user_indexes where indexrelname = 'workspaces_visitors'").Scan(&used))
		if used > 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the index was not used")
		}
	}
}

// A visitor who chose to have names masked keeps this choice in their account.
func TestMaskGoesWithTheVisitor(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	mask, err := f.Mask(t.Context(), person)
	must(t, err)
	if mask != nil {
		t.Fatalf("a new account has said %v", *mask)
	}
	must(t, f.SetMask(t.Context(), f.workspace, true))
	must(t, f.SignIn(t.Context(), person, store.Arrival{Token: "here", Before: "token of " + t.Name(), Life: life}))
	if mask, err = f.Mask(t.Context(), person); err != nil || mask == nil || !*mask {
		t.Errorf("the account has %v, %v", mask, err)
	}
}
