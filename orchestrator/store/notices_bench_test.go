package store_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

// BenchmarkNotices lists and counts the notices of someone who has very many, the first page, the last, and a search.
func BenchmarkNotices(b *testing.B) {
	f := newFixture(b)
	facts, err := os.ReadFile("../gst/testdata/notices/scn-multi-year-s73.json")
	must(b, err)
	const notices = 2000
	conn, err := pgx.Connect(b.Context(), f.url)
	must(b, err)
	defer conn.Close(b.Context())
	for _, seed := range []string{
		`create temp table n as select i, gen_random_uuid() c, gen_random_uuid() d, gen_random_uuid() t from generate_series(1, {notices}) i`,
		`insert into conversations (id, workspace_id, plugin, title) select c, '{workspace}', 'notice', 'Notice ' || i from n`,
		`insert into documents (id, workspace_id, conversation_id, name, bytes, sha256, pages) select d, '{workspace}', c, 'notice.pdf', 5, '', 1 from n`,
		`insert into turns (id, workspace_id, conversation_id, kind, state, document_id) select t, '{workspace}', c, 'analysis', 'answered', d from n`,
		`insert into turns (id, workspace_id, conversation_id, kind, state) select gen_random_uuid(), '{workspace}', c, 'chat', 'answered' from n, generate_series(1, 5)`,
		`insert into facts (document_id, workspace_id, facts) select d, '{workspace}', $1::jsonb || jsonb_build_object('legal_name', 'Client ' || i, 'reply_due', jsonb_build_object('date', (date '2026-01-01' + i % 700)::text)) from n`,
		`insert into required_documents (id, workspace_id, conversation_id, position, type, reason) select gen_random_uuid(), '{workspace}', c, p, 'Paper ' || p, '' from n, generate_series(1, 8) p`,
		`update conversations set notice_id = n.d from n where id = n.c`,
		`analyze`,
	} {
		var args []any
		if strings.Contains(seed, "$1") {
			args = append(args, string(facts))
		}
		_, err := conn.Exec(b.Context(), strings.NewReplacer("{notices}", strconv.Itoa(notices), "{workspace}", f.workspace.String()).Replace(seed), args...)
		must(b, err)
	}
	for name, q := range map[string]store.NoticeQuery{"first page": {}, "last page": {Skip: notices - 50}, "search": {Search: "client 17"}, "due": {View: "due"}} {
		b.Run(name, func(b *testing.B) {
			q.Today, q.Soon, q.Most = "2026-11-22", "2026-11-29", 50
			for b.Loop() {
				lines, counts, err := f.Notices(b.Context(), f.workspace, q)
				must(b, err)
				if len(lines) == 0 || counts.AllNotices == 0 {
					b.Fatalf("%d lines, %+v", len(lines), counts)
				}
			}
		})
	}
	b.Run("calendar feed", func(b *testing.B) {
		for b.Loop() {
			open, err := f.OpenNotices(b.Context(), f.workspace)
			must(b, err)
			if len(open) != notices {
				b.Fatalf("%d open", len(open))
			}
		}
	})
}
