package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
	"munshi/orchestrator/turns"
)

// notice stores a notice with these facts in the firm and files it, as a new matter of a new client.
func (f firm) notice(t *testing.T, name, gstin string) (conversation, document uuid.UUID) {
	t.Helper()
	conversation = f.converse(t, f.id)
	turn, _, err := f.Accept(t.Context(), store.NewTurn{Workspace: f.id, Conversation: conversation, Text: "Here.", Kind: "analysis",
		Document: &store.NewDocument{Name: name + ".pdf", Pages: 1, Content: strings.NewReader("%PDF-1.4 " + name)}})
	must(t, err)
	document = *turn.DocumentID
	ref := store.Ref{Workspace: f.id, Conversation: conversation, Turn: turn.ID, Run: "run"}
	_, err = f.Begin(t.Context(), ref, []store.PlannedStep{{ID: "facts", Kind: "facts", Title: "Reading"}})
	must(t, err)
	must(t, f.SavePage(t.Context(), ref, document, turns.Page{Number: 1, Text: "A notice to " + name}, "facts", store.StepState{State: "running"}))
	facts := fmt.Sprintf(`{"form":"DRC-01","legal_name":%q,"gstin":%q,"periods":[{"fy":"2020-21"}],"reply_due":{"date":"2030-01-01","source":"printed"},"attention":[]}`, name, gstin)
	must(t, f.saveFacts(t.Context(), ref, document, []byte(facts), name, "facts"))
	f.files(t, conversation, name, gstin)
	must(t, f.End(t.Context(), ref, store.Ending{State: "answered", Text: "About " + name}))
	return conversation, document
}

// files files a conversation's paper in a new matter.
func (f firm) files(t *testing.T, conversation uuid.UUID, name, gstin string) {
	t.Helper()
	err := f.File(t.Context(), f.id, conversation, func([]byte, []turns.Page) (store.PaperFacts, error) {
		return store.PaperFacts{Name: name, NameKey: name, GSTIN: &gstin, GSTINValid: true, IsNotice: true, Track: "demand", Stage: "notice", Years: []string{"2020-21"}, Issues: []string{},
			Own: []string{"NUMBER" + name}}, nil
	}, func(p store.PaperFacts, known store.OnFile) store.Decision {
		d := store.Decision{Client: store.ClientChoice{New: &store.NewClient{Name: p.Name, NameKey: p.NameKey, GSTIN: p.GSTIN}, Sure: true}, Sure: true}
		if known.ByGSTIN != nil {
			d.Client = store.ClientChoice{ID: known.ByGSTIN, Sure: true}
		}
		return d
	})
	must(t, err)
}

// A guest limited to a client, or to one matter, reaches its rows and no others, in every table of a workspace.
func TestReach(t *testing.T) {
	f := newFirm(t)
	mine, document := f.notice(t, "Mine", "27ZAPCS4821K1Z6")
	theirs, _ := f.notice(t, "Theirs", "29AAPFU0939F1ZR")
	owner := f.as(t, role.Owner)
	filed, err := f.FiledPaper(owner, f.id, mine)
	must(t, err)
	client := f.standing(t, role.Viewer)
	client.Role, client.Client = role.Client, filed.Matter.ClientID
	guest := f.standing(t, role.Viewer)
	guest.Matter = filed.Matter.ID
	nobody := guest
	nobody.Matter = uuid.New()

	tables, err := f.tables(t)
	must(t, err)
	if len(tables) < 30 {
		t.Fatalf("a workspace has %d tables", len(tables))
	}
	everywhere := []string{"firms"} // the name of the firm
	for _, table := range tables {
		if n := f.count(t, nobody, table); n != 0 && !slices.Contains(everywhere, table) {
			t.Errorf("who is limited to a matter that is not there sees %d rows of %s", n, table)
		}
	}
	for name, a := range map[string]store.Acting{"a client": client, "a guest": guest} {
		ctx := a.As(t.Context())
		if d, err := f.Detail(ctx, f.id, mine); err != nil || len(d.Documents) != 1 {
			t.Errorf("%s sees %d documents of theirs (%v)", name, len(d.Documents), err)
		}
		if pages, err := f.Pages(ctx, f.id, document); err != nil || len(pages) != 1 {
			t.Errorf("%s sees %d pages of theirs (%v)", name, len(pages), err)
		}
		_, err := f.Detail(ctx, f.id, theirs)
		wantErr(t, err, store.ErrNotFound)
		list, total, err := f.Matters(ctx, f.id, store.MatterQuery{Most: 10})
		must(t, err)
		if total != 1 || list[0].ID != filed.Matter.ID {
			t.Errorf("%s sees %d matters", name, total)
		}
		if lines, counts, err := f.Notices(ctx, f.id, store.NoticeQuery{Most: 10, Today: "2026-01-01", Soon: "2026-01-08"}); err != nil || len(lines) != 1 || counts.AllNotices != 1 {
			t.Errorf("%s sees %d notices (%v)", name, len(lines), err)
		}
	}
	// A viewer may not write.
	wantErr(t, f.SayAnswer(guest.As(t.Context()), f.id, mine, "x", &store.Answered{Words: []string{"y"}}), store.ErrNotFound)
	must(t, f.SayAnswer(client.As(t.Context()), f.id, mine, "x", &store.Answered{Words: []string{"y"}, By: "client"}))
	wantErr(t, f.SayAnswer(client.As(t.Context()), f.id, theirs, "x", &store.Answered{Words: []string{"y"}}), store.ErrNotFound)
}

func (f firm) tables(t *testing.T) (tables []string, err error) {
	t.Helper()
	conn := f.connect(t)
	err = conn.QueryRow(t.Context(), "select moving_tables()").Scan(&tables)
	return tables, err
}

func (f firm) connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// count counts the rows of a table that the acting member can see.
func (f firm) count(t *testing.T, a store.Acting, table string) (n int) {
	t.Helper()
	conn := f.connect(t)
	tx, err := conn.Begin(t.Context())
	must(t, err)
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	for setting, value := range map[string]string{"role": "munshi_app", "app.workspace_id": a.Workspace.String(), "app.matter_id": a.Matter.String(), "app.writes": "no", "app.reads_log": "no"} {
		_, err = tx.Exec(t.Context(), "select set_config($1, $2, true)", setting, value)
		must(t, err)
	}
	must(t, tx.QueryRow(t.Context(), "select count(*) from "+pgx.Identifier{table}.Sanitize()).Scan(&n))
	return n
}

// A matter's row is updated whenever its papers change.
func TestMatterFollowsItsPapers(t *testing.T) {
	f := newFirm(t)
	owner := f.as(t, role.Owner)
	c, _ := f.notice(t, "Mine", "27ZAPCS4821K1Z6")
	at := func() store.MatterLine {
		list, _, err := f.Matters(owner, f.id, store.MatterQuery{Most: 10, Closed: true})
		must(t, err)
		if len(list) == 0 {
			return store.MatterLine{}
		}
		return list[0]
	}
	if m := at(); m.NextOn == nil || *m.NextOn != "2030-01-01" || m.Papers != 1 {
		t.Fatalf("the matter is %+v", m)
	}
	_, err := f.MarkAnswered(owner, f.id, c, true)
	must(t, err)
	if m := at(); m.NextOn != nil {
		t.Errorf("answered, its next day is %v", *m.NextOn)
	}
	_, err = f.MarkAnswered(owner, f.id, c, false)
	must(t, err)
	must(t, f.Delete(owner, f.id, c))
	if m := at(); m.Papers != 0 {
		t.Errorf("without its paper the matter has %d", m.Papers)
	}
	must(t, f.Restore(owner, f.id, c))
	if m := at(); m.NextOn == nil || m.Papers != 1 {
		t.Errorf("restored, the matter is %+v", m)
	}
}

// A client created from a paper without a name is called by its GSTIN until another paper has the name; no paper
// changes a name that a person gave.
func TestClientIsNamed(t *testing.T) {
	f := newFirm(t)
	const gstin = "27ZAPCS4821K1Z6"
	for _, name := range []string{gstin, "Kaveri Textiles", "Someone Else"} {
		f.notice(t, name, gstin)
	}
	clients, total, err := f.Clients(f.as(t, role.Owner), f.id, store.ClientQuery{Most: 10})
	must(t, err)
	if total != 1 || clients[0].Name != "Kaveri Textiles" {
		t.Errorf("%d clients, the first %q", total, clients[0].Name)
	}
}
