package store_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/store"
)

// A database recorded from each earlier release (`make record`) is migrated to the newest schema, and its content is
// still there.
func TestPopulatedDatabasesAreMigrated(t *testing.T) {
	files, err := filepath.Glob("testdata/populated/*.json.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no data folder was recorded: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json.gz"), func(t *testing.T) {
			ctx, url := t.Context(), localtest.Postgres(t)
			populate(t, url, file)
			if err := store.Migrate(ctx, url); err != nil {
				t.Fatal(err)
			}
			s, err := store.Open(ctx, url, 2)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			asha, _, err := s.Credentials(ctx, "asha@example.com")
			if err != nil {
				t.Fatal(err)
			}
			list, _, err := s.Conversations(ctx, asha, store.ConversationQuery{Most: 10})
			if err != nil || len(list) != 1 {
				t.Fatalf("%d conversations are listed, want the one that was not deleted (%v)", len(list), err)
			}
			matter := list[0].ID
			d, err := s.Detail(ctx, asha, matter)
			if err != nil || len(d.Messages) < 4 || len(d.Documents) != 1 || !bytes.Contains(d.Facts, []byte("Asha Traders")) {
				t.Errorf("the conversation has %d messages, %d documents and the facts %.200s (%v)", len(d.Messages), len(d.Documents), d.Facts, err)
			}
			var file bytes.Buffer
			if len(d.Documents) > 0 {
				doc, err := s.Document(ctx, asha, d.Documents[0].ID)
				if err == nil {
					err = s.WriteDocument(ctx, asha, doc, &file)
				}
				if err != nil || !bytes.HasPrefix(file.Bytes(), []byte("%PDF-")) || int64(file.Len()) != doc.Bytes {
					t.Errorf("its document has %d of %d bytes (%v)", file.Len(), doc.Bytes, err)
				}
			}
			reply, err := s.Reply(ctx, asha, matter)
			if err != nil || reply.Draft == nil || len(reply.Draft.Parts) < 3 || len(reply.Sources) != 1 {
				t.Errorf("its reply is %+v (%v)", reply.Draft, err)
			}
			if paid, err := s.Payments(ctx, asha); err != nil || len(paid) != 1 || paid[0].AmountPaise <= 0 {
				t.Errorf("paid was %+v (%v)", paid, err)
			}
			if period, err := s.Period(ctx, asha); err != nil || period.Status != "active" || period.CurrentPeriodEnd == nil {
				t.Errorf("the paid period is %+v (%v)", period, err)
			}
			if serves, err := s.Serving(ctx); err != nil || serves["notice"] == "" {
				t.Errorf("these prompts serve: %v (%v)", serves, err)
			}
			if _, err := s.CreateConversation(ctx, asha, "lawyer"); err != nil { // and it can be used
				t.Error(err)
			}
		})
	}
}

// populate fills an empty database with the schema and the rows of an earlier release.
func populate(t *testing.T, url, file string) {
	t.Helper()
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Schema int64
		Tables []struct {
			Name    string
			Columns []string
			Rows    json.RawMessage
		}
	}
	if err := json.NewDecoder(z).Decode(&kept); err != nil {
		t.Fatal(err)
	}
	pool, err := sql.Open("pgx", url)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	p, err := goose.NewProvider(goose.DialectPostgres, pool, os.DirFS("migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), kept.Schema); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	execute := func(statement string, args ...any) {
		t.Helper()
		if _, err := tx.Exec(t.Context(), statement, args...); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	execute("set local session_replication_role = replica") // the rows are not in the order that foreign keys require
	for _, table := range kept.Tables {
		name, columns := pgx.Identifier{table.Name}.Sanitize(), strings.Join(table.Columns, ", ")
		execute("delete from " + name)
		execute("insert into "+name+" ("+columns+") overriding system value select "+columns+" from json_populate_recordset(null::"+name+", $1)", table.Rows)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}
