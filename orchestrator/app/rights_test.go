package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"

	"munshi/orchestrator/account"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/billing"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/recovery"
	"munshi/workflows"
)

func (v *person) signsIn(email string) {
	v.t.Helper()
	v.post("/api/sign-in", credentials(email, password), 200, nil)
}

// connect opens the product's database as a superuser, who sees everything.
func (p *product) connect() *pgx.Conn {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.app.Config.Database.URL)
	must(p.t, err)
	p.t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// ownerOf returns the workspace to which a conversation belongs.
func (p *product) ownerOf(conversation string) (workspace string) {
	p.t.Helper()
	must(p.t, p.connect().QueryRow(p.t.Context(), "select workspace_id::text from conversations where id = $1", conversation).Scan(&workspace))
	return workspace
}

// dump returns every row of every table of the database as text, with bytes as characters.
func dump(t *testing.T, conn *pgx.Conn) map[string]string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `select c.table_name, string_agg(case c.data_type when 'bytea' then format('encode(%1$I, ''escape'')', c.column_name)
			else format('%1$I::text', c.column_name) end, ', ')
		from information_schema.columns c join pg_tables t on t.tablename = c.table_name and t.schemaname = 'public'
		where c.table_schema = 'public' group by 1`)
	must(t, err)
	columns := map[string]string{}
	var table, list string
	_, err = pgx.ForEachRow(rows, []any{&table, &list}, func() error { columns[table] = list; return nil })
	must(t, err)
	if len(columns) < 30 {
		t.Fatalf("there are only %d tables", len(columns))
	}
	dump := map[string]string{}
	for table, list := range columns {
		var all *string
		must(t, conn.QueryRow(t.Context(), fmt.Sprintf("select string_agg(concat_ws(' ', %s), E'\\n') from %s", list, pgx.Identifier{table}.Sanitize())).Scan(&all))
		if all != nil {
			dump[table] = *all
		}
	}
	return dump
}

// tablesWith returns the tables whose dump contains one of the words, in upper or lower case.
func (p *product) tablesWith(words ...string) (tables []string) {
	p.t.Helper()
	for table, text := range dump(p.t, p.connect()) {
		for _, w := range words {
			if strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
				tables = append(tables, table+": "+w)
			}
		}
	}
	slices.Sort(tables)
	return tables
}

// paid stores a paid order for the workspace.
func (p *product) paid(workspace string) (order string) {
	p.t.Helper()
	order = "order_" + workspace
	_, err := p.connect().Exec(p.t.Context(), `insert into payments (order_id, workspace_id, provider, amount_paise, currency, state, payment_id, paid_at)
		values ($1, $2, 'sandbox', 100, 'INR', 'paid', 'pay_' || $1, now())`, order, workspace)
	must(p.t, err)
	return order
}

// histories returns every workflow history that Temporal has, as bytes, by workflow id and run.
func (p *product) histories() map[string]string {
	p.t.Helper()
	all := map[string]string{}
	for token := []byte(nil); ; {
		page, err := p.app.Temporal.ListWorkflow(p.t.Context(), &workflowservice.ListWorkflowExecutionsRequest{Namespace: p.app.Config.Temporal.Namespace, NextPageToken: token})
		must(p.t, err)
		for _, e := range page.GetExecutions() {
			h, err := workflows.HistoryOf(p.t.Context(), p.app.Temporal, e.GetExecution().GetWorkflowId(), e.GetExecution().GetRunId())
			if err != nil { // deleted since it was listed
				continue
			}
			raw, err := proto.Marshal(h) // payloads appear in it unchanged
			must(p.t, err)
			// If it belongs to another test's product, with other keys, only what is not encrypted.
			if p.app.Codec.Open(p.t.Context(), h) == nil {
				open, err := proto.Marshal(h)
				must(p.t, err)
				raw = append(raw, open...)
			}
			listed, err := proto.Marshal(e)
			must(p.t, err)
			all[e.GetExecution().GetWorkflowId()+" "+e.GetExecution().GetRunId()] = string(raw) + string(listed)
		}
		if token = page.GetNextPageToken(); len(token) == 0 {
			return all
		}
	}
}

// A phrase from a person's notice, their message, their draft and a model's answer is in the store while the account
// exists, and never in a history or log; after the erasure it is nowhere, and nothing is left that identifies the
// person.
func TestEraseIsEverywhere(t *testing.T) {
	canary := "Quetzal" + strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	email := strings.ToLower(canary) + "@example.com"
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		if !strings.Contains(said(r), canary) { // it is what somebody else asks
			return "The answer is about nothing."
		}
		return "The answer is about " + canary + ".\n\nRequired Document(s):\n- Invoices: for " + canary
	}}
	model := withModel(t, fake)
	var lines journal
	p := start(t, model)
	p.logsTo(&lines)
	v := p.visitor()
	c := v.converse()
	work := func(v *person, c string) {
		var turn api.Turn
		v.upload(c, canary+".pdf", "application/pdf", "", paper(canary), 202, &turn)
		v.answer(c, turn)
		v.answer(c, v.say(c, "What of "+canary+"?"))
		v.post("/api/conversations/"+c+"/title", map[string]string{"title": "About " + canary}, 204, nil)
	}
	work(v, c)
	v.post("/api/conversations/"+c+"/authorities", map[string]string{"citation": canary + " v. Union of India"}, 201, nil)
	v.post("/api/conversations/"+c+"/corrections", map[string]any{"field": "trade_name", "value": canary}, 200, nil)
	var templates api.TemplateList
	v.get("/api/templates", &templates)
	var draft api.Draft
	v.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID}, 201, &draft)
	v.post("/api/drafts/"+draft.ID, map[string]string{"title": canary}, 200, nil)
	fake.Next(modeltest.Behaviour{Status: 400, Body: `{"error": {"message": "Do not say ` + canary + `."}}`})
	failed := v.say(c, "And "+canary+"?")
	if d := v.settled(c, failed.ID); d.Turn.State != "failed" {
		t.Fatalf("the refused turn is %s", d.Turn.State)
	}
	v.signUp(email)
	other := p.visitor() // the same person at another browser, before signing in there
	oc := other.converse()
	work(other, oc)
	mine, adopted := p.ownerOf(c), p.ownerOf(oc)
	other.signsIn(email)
	deleted := v.converse()
	work(v, deleted)
	v.call("DELETE", "/api/conversations/"+deleted, "", nil, 204, nil)
	open := v.converse()
	fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: 2})
	running := v.say(open, "Write about "+canary+" for ever.")
	v.settled(open, running.ID, "running")
	stranger := p.visitor()
	sc := stranger.converse()
	stranger.answer(sc, stranger.hand(sc, "testdata/notice.pdf", ""))

	p.paid(mine)

	there := strings.Join(p.tablesWith(canary), " ")
	for _, table := range []string{"messages", "pages", "blob_chunks", "drafts", "draft_words", "authorities", "corrections", "step_results", "facts", "people", "documents", "required_documents"} {
		if !strings.Contains(there, table+":") {
			t.Errorf("the phrase is not in %s before it is erased, so that this test would prove nothing: %s", table, there)
		}
	}
	before := p.histories()
	turns := 0
	for id, h := range before {
		if strings.Contains(h, mine) || strings.Contains(h, adopted) {
			turns++
		}
		if strings.Contains(strings.ToLower(h), strings.ToLower(canary)) {
			t.Errorf("the history of %s holds a person's words", id)
		}
	}
	if turns < 8 {
		t.Errorf("only %d histories are about the person", turns)
	}

	v.post("/api/erase", map[string]string{"password": "wrong horse"}, 401, nil)
	v.post("/api/erase", map[string]string{"word": "erase"}, 401, nil) // the word that only visitors type
	var e api.Erasure
	v.post("/api/erase", map[string]string{"password": password}, 202, &e)
	// The law requires that the payment is kept.
	if e.Done || e.Payments != 1 || e.KeptUntil != billing.RecordsKept(time.Now()) {
		t.Errorf("the erasure is %+v", e)
	}
	for name, them := range map[string]*person{"here": v, "elsewhere": other} {
		var me api.Me
		them.get("/api/me", &me)
		if me.SignedIn || me.Used != 0 {
			t.Errorf("%s they are %+v", name, me)
		}
		them.call("GET", "/api/conversations/"+c, "", nil, 404, nil)
	}
	must(t, p.app.Temporal.GetWorkflow(t.Context(), workflows.EraseWorkflowID(mine), "").Get(t.Context(), nil))
	v.get("/api/erasures/"+e.ID, &e)
	if !e.Done || e.DoneAt == nil {
		t.Errorf("the erasure is %+v", e)
	}

	if where := p.tablesWith(canary, mine, adopted, c, oc, running.ID); !slices.Equal(where, []string{"payments: " + mine}) {
		t.Errorf("after the erasure there is still %v, want the payment, with an id that leads nowhere", where)
	}
	for id, h := range p.histories() {
		about := strings.Contains(h, mine) || strings.Contains(h, adopted)
		if strings.Contains(strings.ToLower(h), strings.ToLower(canary)) || about && !strings.HasPrefix(id, "erase-") {
			t.Errorf("after the erasure there is still the history of %s", id)
		}
	}
	for _, turn := range []string{failed.ID, running.ID} {
		if state, err := p.app.Work.StateOf(t.Context(), workflows.TurnWorkflowID(turn)); err != nil || state != workflows.Missing {
			t.Errorf("the workflow of %s is %s (%v)", turn, state, err)
		}
	}
	if d := stranger.detail(sc); len(d.Messages) != 2 {
		t.Errorf("somebody else has %d messages, want theirs", len(d.Messages))
	}
	v.post("/api/sign-in", map[string]string{"email": email, "password": password}, 401, nil)
	if log := lines.String(); len(log) < 1000 || strings.Contains(strings.ToLower(log), strings.ToLower(canary)) {
		t.Errorf("the log of %d bytes holds a person's words", len(log))
	}
}

// A visitor confirms with the word; what a crash left unfinished, the reconciler continues; a worker that starts
// again finishes.
func TestEraseIsTakenUpAgain(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	workspace := p.ownerOf(c)
	v.post("/api/erase", map[string]string{"word": "yes"}, 422, nil)
	id := uuid.MustParse(workspace)
	e, err := p.app.Store.BeginErasure(t.Context(), id, 0, "") // and then the API died
	must(t, err)
	// A worker that died after each of its steps left it half done.
	worker := activities.Eraser{Store: p.app.Store}
	_, err = worker.Work(t.Context(), workspace, func(workflow string, runs []string) error {
		_, err := p.app.Work.Delete(t.Context(), workflow, "")
		return err
	})
	must(t, err)
	if _, err := worker.Rows(t.Context(), workspace); err != nil {
		t.Fatal(err)
	}
	must(t, p.app.Reconciler().Erasures(t.Context(), e.BegunAt.Add(2*recovery.Grace)))
	must(t, p.app.Temporal.GetWorkflow(t.Context(), workflows.EraseWorkflowID(workspace), "").Get(t.Context(), nil))
	if where := p.tablesWith(workspace, c); len(where) > 0 {
		t.Errorf("there is still %v", where)
	}
	must(t, worker.End(t.Context(), workspace))
	must(t, p.app.Work.StartErasure(t.Context(), workspace)) // of a workspace that is erased already
	must(t, p.app.Temporal.GetWorkflow(t.Context(), workflows.EraseWorkflowID(workspace), "").Get(t.Context(), nil))
	v.call("POST", "/api/erase", "application/json", strings.NewReader(`{"word":"erase"}`), 404, nil)
}

// The export has everything of this person, and nothing of anybody else.
func TestExport(t *testing.T) {
	p := start(t, nil)
	stranger := p.visitor()
	stranger.call("GET", "/api/export", "", nil, 404, nil)
	sc := stranger.converse()
	stranger.upload(sc, "theirs.pdf", "application/pdf", "", paper("Stranger"), 202, nil)
	v := p.visitor()
	c := v.converse()
	content, err := os.ReadFile("testdata/notice.pdf")
	must(t, err)
	var turn api.Turn
	v.upload(c, "../../Notice: “2024”.pdf", "application/pdf", "", content, 202, &turn)
	v.answer(c, turn)
	v.answer(c, v.say(c, "What of the Zanzibari cloves?"))
	var templates api.TemplateList
	v.get("/api/templates", &templates)
	var draft api.Draft
	v.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID}, 201, &draft)
	v.post("/api/drafts/"+draft.ID, map[string]string{"title": "An agreement on spices"}, 200, nil)
	v.signUp("asha@example.com")

	p.paid(p.ownerOf(c))

	resp, err := v.http.Get(v.address + "/api/export")
	must(t, err)
	raw, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	must(t, err)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/zip" || !strings.Contains(resp.Header.Get("Content-Disposition"), ".zip") {
		t.Fatalf("the export answers %d %v", resp.StatusCode, resp.Header)
	}
	v.call("GET", "/api/export", "", nil, 429, nil)
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	must(t, err)
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		must(t, err)
		text, err := io.ReadAll(r) // it checks the checksum
		must(t, err)
		files[f.Name] = string(text)
		if strings.Contains(f.Name, "..") || strings.ContainsAny(f.Name, `\:"`) || strings.Count(f.Name, "/") > 1 {
			t.Errorf("a file is called %q", f.Name)
		}
		if strings.HasSuffix(f.Name, ".json") && !json.Valid(text) {
			t.Errorf("%s is no JSON: %.200s", f.Name, text)
		}
		if bytes.Contains(text, []byte("Stranger")) {
			t.Errorf("%s has what is another's", f.Name)
		}
	}
	has := func(prefix string, words ...string) {
		t.Helper()
		for name, text := range files {
			if strings.HasPrefix(name, prefix) && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
				return
			}
		}
		t.Errorf("no file %s… has %q", prefix, words)
	}
	has("README.txt", "rows/", "documents/")
	has("documents/", string(content))
	has("conversations/", "Zanzibari cloves", "## Munshi", " IST\n")
	has("drafts/")
	has("account.json", "asha@example.com", account.Consent, "Go-http-client")
	has("rows/payments.json", `"amount_paise": 100`)
	has("activity.json", "signed_up", "exported")
	for _, table := range []string{"conversations", "messages", "documents", "pages", "facts", "turns", "drafts", "draft_versions", "step_results"} {
		var rows []map[string]any
		if err := json.Unmarshal([]byte(files["rows/"+table+".json"]), &rows); err != nil || len(rows) == 0 {
			t.Errorf("rows/%s.json has %d rows (%v)", table, len(rows), err)
		}
	}
	for name, text := range files {
		if strings.Contains(text, "argon2id") {
			t.Errorf("%s has the password's hash", name)
		}
	}
}

// No route reveals or changes anything with ids of another person, whoever calls it; and nothing of that person's
// has changed afterwards.
func TestNobodyElses(t *testing.T) {
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return askForTwo }}
	modelled := withModel(t, fake)
	p := start(t, modelled)
	owner := p.visitor()
	c := owner.converse()
	answer := owner.answer(c, owner.hand(c, "testdata/notice.pdf", ""))
	var authority api.Authority
	owner.post("/api/conversations/"+c+"/authorities", map[string]string{"citation": "A v. B"}, 201, &authority)
	var templates api.TemplateList
	owner.get("/api/templates", &templates)
	var draft api.Draft
	owner.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID}, 201, &draft)
	link := owner.makeLink(c)
	owner.signUp("owner@example.com")
	order := owner.orderPremium()
	var devices api.DeviceList
	owner.get("/api/devices", &devices)
	document := owner.detail(c).Documents[0].ID
	workspace := uuid.MustParse(p.ownerOf(c))
	reminder := uuid.New()
	_, err := p.connect().Exec(t.Context(), "insert into reminders (id, workspace_id, conversation_id, reply_by, days) values ($1, $2, $3, '2030-01-01', 3)", reminder, workspace, c)
	must(t, err)

	ids := map[string]string{ // by the beginning of the path, and by the name of the parameter
		"/api/conversations/{id}": c, "/api/turns/{id}": answer.TurnID, "/api/documents/{id}": document, "/api/drafts/{id}": draft.ID,
		"/api/reminders/{id}": reminder.String(), "/api/links/{id}": link.ID.String(), "/api/devices/{id}": devices.Devices[0].ID, "/api/erasures/{id}": uuid.NewString(),
		"{authority}": authority.ID, "{file}": document, "{order}": order, "/api/firm/": uuid.NewString(), "/api/clients/": uuid.NewString(), "/api/matters/": uuid.NewString(), "/api/batches/": uuid.NewString(),
		// of firms; TestEveryRouteAndRole tries the ids within a firm
		"/api/register/imports/": uuid.NewString(), "/api/listed/": uuid.NewString(), "/api/views/": uuid.NewString(), "/api/tasks/": uuid.NewString(), "/api/comments/": uuid.NewString(),
		"{gstin}": "27ZAPCS4821K1Z6", "{message}": answer.ID, "{version}": "1", "{number}": "1",
	}
	argued := map[string]string{ // operations without a person's id in the path
		"compare-prompts": "plugins are nobody's; only operators see them", "preview-prompts": "as compare-prompts", "preview-prompt": "as compare-prompts",
		"get-eval-run": "cases are files of ours, and asked for nobody; only operators see them", "cancel-eval-run": "as get-eval-run", "bless-eval-run": "as get-eval-run",
		"compare-eval-runs": "as get-eval-run", "list-prompt-versions": "as compare-prompts", "get-calendar-feed": "its address is the secret that opens it; nobody else has it",
		"get-provision": "the law is everybody's", "get-erasure": "its id is random, and told to whoever asked for the erasure; it tells nothing of them",
	}
	kept := func() (rows []string) {
		must(t, p.app.Store.Exported(t.Context(), workspace, func(table string) (func(json.RawMessage) error, error) {
			return func(row json.RawMessage) error { rows = append(rows, table+string(row)); return nil }, nil
		}))
		return rows
	}
	p.settledFollowUps(workspace.String())
	before := kept()
	visitor, account, client := p.visitor(), p.visitor(), p.visitor()
	client.link = secretOf(link) // opens an interview, and nothing that is asked for here
	visitor.converse()
	account.converse()
	account.signUp("intruder@example.com")
	tried := 0
	for _, a := range everyRoute(t, ids) {
		if !a.named || argued[a.operation] != "" {
			continue
		}
		for who, them := range map[string]*person{"a stranger": p.visitor(), "a visitor": visitor, "an account": account, "a client": client} {
			status, said := them.try(a)
			tried++
			personal := strings.HasPrefix(a.path, "/api/devices/") || strings.HasPrefix(a.path, "/api/payments/")
			// It requires an account before it looks at any id.
			anonymous := who != "an account" && personal && status == http.StatusUnauthorized
			if status != http.StatusNotFound && status != http.StatusForbidden && !anonymous {
				t.Errorf("%s %s, asked by %s, answers %d: %.300s", a.method, a.path, who, status, said)
			}
		}
	}
	if tried < 4*40 {
		t.Errorf("only %d requests were tried", tried)
	}
	// Ids in request bodies.
	own := account.converse()
	account.post("/api/conversations/"+own+"/messages", map[string]string{"text": "Mine?", "replaces": answer.TurnID}, 404, nil)
	account.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID, "conversation": c}, 404, nil)
	if after := kept(); !slices.Equal(before, after) {
		t.Errorf("what the owner has changed from\n%.2000q to\n%.2000q", before, after)
	}
}

// With masking on, no name, GSTIN or PAN of a notice reaches the provider, the answer has the real ones, and operators
// see what went out.
func TestMasking(t *testing.T) {
	fake := &modeltest.Server{Answer: func(modeltest.Request) string {
		return "To **[Party-1]** (GSTIN [gstin-1], PAN-1): the notice to [PARTY-1] is about 2020-21."
	}}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	var said api.Privacy
	v.get("/api/privacy", &said)
	if said.Mask {
		t.Error("masking is on before anybody wanted it")
	}
	v.post("/api/privacy", map[string]bool{"mask": true}, 200, &said)
	c := v.converse()
	content, err := os.ReadFile("testdata/notice.pdf")
	must(t, err)
	var turn api.Turn
	v.upload(c, "notice.pdf", "application/pdf", "", content, 202, &turn)
	answer := v.answer(c, turn)
	const want = "To **SAHYADRI AGROVET PRIVATE LIMITED** (GSTIN 27ZAPCS4821K1Z6, ZAPCS4821K): the notice to SAHYADRI AGROVET PRIVATE LIMITED is about 2020-21."
	if answer.Text != want {
		t.Errorf("the answer reads\n%q, want\n%q", answer.Text, want)
	}
	v.answer(c, v.say(c, "Is Sahyadri Agrovet, 27zapcs4821k1z6, right, and Nitin Bhalchandra Patki too?"))
	asked := fake.Requests()
	if len(asked) < 2 {
		t.Fatalf("the provider was asked %d times", len(asked))
	}
	for i, r := range asked {
		raw, err := json.Marshal(r)
		must(t, err)
		for _, word := range []string{"sahyadri", "27zapcs4821k1z6", "zapcs4821k", "patki"} {
			if strings.Contains(strings.ToLower(string(raw)), word) {
				t.Errorf("request %d tells %s: %s", i+1, word, raw)
			}
		}
		if !strings.Contains(string(raw), "[PARTY-1]") || !strings.Contains(string(raw), "[GSTIN-1]") {
			t.Errorf("request %d has no placeholders: %s", i+1, raw)
		}
	}
	p.grant(v)
	var questions api.QuestionList
	v.get("/api/turns/"+turn.ID+"/questions", &questions)
	shown, err := json.Marshal(questions.Questions[0].Messages)
	must(t, err)
	if strings.Contains(string(shown), "27ZAPCS4821K1Z6") || !strings.Contains(string(shown), "[PARTY-1]") {
		t.Errorf("operators see %s", shown)
	}
	v.get("/api/privacy", &said)
	if len(said.Activity) == 0 || said.Activity[0].Event != "questions_seen" {
		t.Errorf("the person is told %+v of who looked", said.Activity)
	}
	out, err := p.munshi(t, "audit", "--event", "questions_seen", "--json")
	must(t, err)
	if !strings.Contains(out, turn.ID) || strings.Contains(out, "exported") {
		t.Errorf("the audit log reads %s", out)
	}
	v.post("/api/privacy", map[string]bool{"mask": false}, 200, &said)
	v.answer(c, v.say(c, "And now?"))
	last := fake.Requests()
	if raw, err := json.Marshal(last[len(last)-1]); err != nil || !strings.Contains(string(raw), "27ZAPCS4821K1Z6") {
		t.Errorf("switched off, the provider is told %s (%v)", raw, err)
	}
}
