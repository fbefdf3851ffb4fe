package app_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/api"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/payment/paymenttest"
)

// populated is a database with the data of a release: the schema's version, and each table's rows as JSON. The tests
// of package store migrate it.
type populated struct {
	Schema int64            `json:"schema"`
	Tables []populatedTable `json:"tables"`
}

type populatedTable struct {
	Name    string          `json:"name"`
	Columns []string        `json:"columns"`
	Rows    json.RawMessage `json:"rows"`
}

// TestPopulatedDatabase fills a data folder as people do: a visitor's question, and an account with an analysed
// notice, a correction, an authority, a drafted reply, a payment, and a deleted conversation. With -record, it is
// stored for the tests of package store.
func TestPopulatedDatabase(t *testing.T) {
	p := start(t, withModel(t, &modeltest.Server{Answer: (&clerkModel{}).answer}))
	visitor := p.visitor()
	asked := visitor.converse()
	visitor.answer(asked, visitor.say(asked, "What is a show cause notice?"))
	asha := p.member("asha@example.com")
	c := asha.converse()
	asha.answer(c, asha.hand(c, "testdata/notice.pdf", ""))
	asha.post("/api/conversations/"+c+"/corrections", map[string]any{"field": "trade_name", "value": "Asha Traders"}, 200, nil)
	asha.post("/api/conversations/"+c+"/authorities", map[string]string{"citation": "A v. Union of India"}, 201, nil)
	asha.draftReply(c)
	gone := asha.converse()
	asha.answer(gone, asha.say(gone, "To be deleted"))
	asha.call("DELETE", "/api/conversations/"+gone, "", nil, 204, nil)
	order := asha.orderPremium()
	var paid api.SandboxPayment
	asha.post("/api/payments/"+order+"/sandbox", map[string]string{}, 200, &paid)
	asha.verify(paymenttest.Success{Order: order, Payment: paid.PaymentID, Signature: paid.Signature}, 200)
	var drafts struct {
		Drafts []api.DraftLine `json:"drafts"`
	}
	if asha.get("/api/drafts", &drafts); len(drafts.Drafts) == 0 {
		t.Error("no draft was kept")
	}
	if *record == "" {
		return
	}
	kept := p.dumped(t)
	raw, err := json.Marshal(kept)
	must(t, err)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err = z.Write(raw)
	must(t, err)
	must(t, z.Close())
	dir := filepath.Join(localtest.Root(t), "orchestrator", "store", "testdata", "populated")
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, *record+".json.gz"), packed.Bytes(), 0o644))
}

// dumped returns all rows of the product's database, except the tables that only the tests' own prompts and
// streams fill.
func (p *product) dumped(t *testing.T) (all populated) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	must(t, conn.QueryRow(t.Context(), "select max(version_id) from goose_db_version where is_applied").Scan(&all.Schema))
	rows, err := conn.Query(t.Context(), `select c.table_name, array_agg(quote_ident(c.column_name) order by c.ordinal_position)
		from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
		where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
			and c.table_name not in ('goose_db_version', 'run_events') group by 1 order by 1`)
	must(t, err)
	all.Tables, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (one populatedTable, err error) {
		return one, row.Scan(&one.Name, &one.Columns)
	})
	must(t, err)
	for i := range all.Tables {
		one := &all.Tables[i]
		must(t, conn.QueryRow(t.Context(), "select coalesce(json_agg(r), '[]') from "+pgx.Identifier{one.Name}.Sanitize()+" r").Scan(&one.Rows))
	}
	return all
}
