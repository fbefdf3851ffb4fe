package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/uuid"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
	"munshi/orchestrator/store"
)

// routed is a request to an operation of the contract.
type routed struct {
	operation, method, path string
	named                   bool // there is an id in the path
	contentType             string
	body                    []byte
}

// bodies are the request bodies of operations that take JSON; they are valid if the ids belong to the
// caller.
var bodies = map[string]string{
	"add-client": `{"name":"Theirs"}`, "add-gstin": `{"gstin":"29AAPFU0939F1ZR"}`, "change-client": `{"name":"Theirs"}`, "change-matter": `{"title":"Theirs"}`,
	"put-aside": `{"files":["0193b6a0-0000-7000-8000-000000000001"]}`, "file-paper": `{"client":"0193b6a0-0000-7000-8000-000000000001"}`, "merge-client": `{"into":"0193b6a0-0000-7000-8000-000000000001"}`,
	"accept-invitation": `{"token":"nobody's","called":"Ravi"}`, "add-authority": `{"citation":"X v. Y"}`, "answer-question": `{"key":"served","words":["2026-01-01"]}`,
	"become-operator": `{"key":"x"}`, "begin-draft": `{"template":"x"}`, "change-member": `{"role":"viewer","name":"Theirs"}`, "choose-figure-columns": `{"columns":{"gstin":0}}`, "class-figure": `{"record":"x","class":"matched"}`,
	"correct-fact": `{"field":"trade_name","value":"Theirs"}`, "create-conversation": `{"plugin":"notice"}`, "edit-draft": `{"title":"Theirs"}`, "erase": `{"password":"not this"}`,
	"find-quote": `{"quote":"notice"}`, "found-firm": `{"name":"X","called":"Y"}`, "hand-over": `{"member":"0193b6a0-0000-7000-8000-000000000001","password":"not this"}`,
	"invite": `{"role":"viewer"}`, "keep-taxpayer": `{"signatory":"Theirs","designation":"","place":"","representative":"","enrolment":""}`,
	"look-at-invitation": `{"token":"nobody's"}`, "mark-answered": `{"answered":true}`, "post-message": `{"text":"Mine?"}`, "preview-prompt": `{"prompt":"x","sha":"y","values":{}}`,
	"rename-conversation": `{"title":"Theirs"}`, "rename-firm": `{"name":"Theirs"}`, "say-to-point": `{"key":"1","stance":"admit"}`, "set-privacy": `{"mask":true}`,
	"start-payment": `{}`, "undo-correction": `{"field":"trade_name"}`, "verify-payment": `{"order_id":"x","payment_id":"y","signature":"z"}`,
	"add-comment": `{"kind":"matter","about":"0193b6a0-0000-7000-8000-000000000001","text":"Theirs"}`, "settle-comment": `{"settled":true}`, "add-task": `{"text":"Theirs"}`, "change-task": `{"done":true}`,
	"note-filed": `{"arn":"AD270525001234X","day":"2025-05-12"}`, "approve-draft": `{"read":"2026-01-01T00:00:00Z"}`, "return-draft": `{"reason":"Theirs"}`, "add-mail-sender": `{"address":"theirs@example.com"}`, "settle-mail": `{"accept":false}`, "set-mail-choices": `{"digest_hour":7,"reviews":false,"reminders":false,"language":"hi"}`,
	"answer-link": `{"key":"served_on","words":["2026-01-01"]}`, "make-link": `{"recipient":"Theirs","language":"en","days":1}`,
	"choose-register-columns": `{"columns":{"client":0}}`, "confirm-register-import": `{}`, "change-listed": `{"aside":true}`,
	"save-view":      `{"page":"board","name":"Theirs","filters":""}`,
	"start-eval-run": `{}`, "change-password": `{"old":"x","new":"y"}`, "confirm": `{"token":"x"}`, "forgot-password": `{"email":"x"}`,
	"reset-password": `{"token":"x"}`, "sign-in": `{"email":"x","password":"y"}`, "sign-up": `{"email":"x","password":"y"}`, "want-mail": `{"wanted":false}`,
}

// everyRoute returns a request for every operation of the contract, ordered by name. ids has the value for {id} by
// the beginning of the path, and for other parameters by name.
func everyRoute(t *testing.T, ids map[string]string) (list []routed) {
	t.Helper()
	raw, err := api.OpenAPI()
	must(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	must(t, err)
	fixed := map[string]string{"{plugin}": "notice", "{act}": "cgst", "/api/evals/": uuid.NewString(), "{file}.ics": "nobodys.ics"}
	for _, path := range doc.Paths.InMatchingOrder() {
		for method, op := range doc.Paths.Value(path).Operations() {
			a := routed{operation: op.OperationID, method: method, path: path, named: strings.Contains(path, "{")}
			for _, all := range []map[string]string{ids, fixed} {
				for name, id := range all {
					if strings.HasPrefix(name, "/") && strings.HasPrefix(path, name) {
						a.path = strings.Replace(a.path, "{id}", id, 1)
					} else if !strings.HasPrefix(name, "/") {
						a.path = strings.Replace(a.path, name, id, 1)
					}
				}
			}
			if strings.Contains(a.path, "{") {
				t.Errorf("%s %s: there is no id for it here", method, path)
				continue
			}
			if op.RequestBody != nil {
				switch content := op.RequestBody.Value.Content; {
				case content["multipart/form-data"] != nil:
					form, b := uploadForm(t, "mine.pdf", "application/pdf", "", paper("mine"))
					a.contentType = form
					a.body, err = io.ReadAll(b)
					must(t, err)
				case bodies[op.OperationID] != "":
					a.contentType, a.body = "application/json", []byte(bodies[op.OperationID])
				case content["application/json"] != nil:
					t.Errorf("%s: there is no body for it here", op.OperationID)
				}
			}
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b routed) int { return strings.Compare(a.operation, b.operation) })
	return list
}

// try makes a request, and returns the response; for a stream only the status.
func (v *person) try(a routed) (status int, body string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, a.method, v.address+a.path, bytes.NewReader(a.body))
	must(v.t, err)
	if a.contentType != "" {
		req.Header.Set("Content-Type", a.contentType)
	}
	if v.link != "" {
		req.Header.Set("Munshi-Link", v.link)
	}
	resp, err := v.http.Do(req)
	must(v.t, err)
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		return resp.StatusCode, ""
	}
	said, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<16))
	return resp.StatusCode, string(said)
}

// in returns the person at the addresses of a firm.
func (v *person) in(firm string) *person {
	there := *v
	there.address += "/firm/" + firm
	return &there
}

// staff is a firm with an account for each role that a member may have.
type staff struct {
	id, name string
	as       map[role.Role]*person // using the firm's addresses
}

// staffed creates a firm. Its members have e-mail addresses that begin with the name.
func (p *product) staffed(name string) staff {
	p.t.Helper()
	owner := p.visitor()
	owner.signUp(name + "-owner@example.com")
	var firm api.FirmLine
	owner.post("/api/firms", map[string]string{"name": name + " & Co", "called": "Asha of " + name}, 201, &firm)
	f := staff{id: firm.ID, name: name, as: map[role.Role]*person{role.Owner: owner.in(firm.ID)}}
	for _, r := range []role.Role{role.Partner, role.Preparer, role.Viewer} {
		f.as[r] = p.joining(f, name, r)
	}
	return f
}

// joining invites a person to a firm, and accepts the invitation.
func (p *product) joining(f staff, name string, r role.Role) *person {
	p.t.Helper()
	var invited api.Invited
	f.as[role.Owner].post("/api/firm/invitations", map[string]string{"role": string(r)}, 201, &invited)
	them := p.visitor()
	them.signUp(name + "-" + string(r) + "@example.com")
	_, token, _ := strings.Cut(invited.Link, "#")
	them.post("/api/invitations/accept", map[string]string{"token": token, "called": name + "'s " + string(r)}, 200, nil)
	return them.in(f.id)
}

// filled creates one of everything in a firm, and returns the ids by which a route would reach it.
func (p *product) filled(f staff) map[string]string {
	p.t.Helper()
	v := f.as[role.Owner]
	c := v.converse()
	answer := v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	var authority api.Authority
	v.post("/api/conversations/"+c+"/authorities", map[string]string{"citation": "A v. B"}, 201, &authority)
	var templates api.TemplateList
	v.get("/api/templates", &templates)
	var draft api.Draft
	v.post("/api/drafts", map[string]string{"template": templates.Templates[0].ID}, 201, &draft)
	var order api.PaymentOrder
	v.post("/api/payments", map[string]int{"seats": 4}, 201, &order)
	var invited api.Invited
	v.post("/api/firm/invitations", map[string]string{"role": "viewer"}, 201, &invited)
	spare := p.joining(f, "spare-"+f.name, role.Preparer).me().Acting
	reminder := uuid.New()
	_, err := p.connect().Exec(p.t.Context(), "insert into reminders (id, workspace_id, conversation_id, reply_by, days) values ($1, $2, $3, '2030-01-01', 3)", reminder, f.id, c)
	must(p.t, err)
	document := v.detail(c).Documents[0].ID
	at := v.filing(c).Matter
	var batch api.Batch
	v.post("/api/batches", map[string]string{}, 201, &batch)
	content, err := os.ReadFile("testdata/notice.pdf")
	must(p.t, err)
	v.drops(batch.ID, "again.pdf", content, 204)
	var kept api.SavedViews
	v.post("/api/views", map[string]string{"page": "board", "name": "Mine", "filters": "assignee=nobody"}, 201, &kept)
	v.post("/api/comments", map[string]string{"kind": "matter", "about": at.ID, "text": "Look at this."}, 204, nil)
	v.post("/api/matters/"+at.ID+"/tasks", map[string]string{"text": "Call them."}, 204, nil)
	var comments api.CommentList
	v.get("/api/comments?matter="+at.ID, &comments)
	var tasks api.TaskList
	v.get("/api/tasks?matter="+at.ID, &tasks)
	register := v.takesOver(v.imports("old.csv", "Client,Form,Reference No.\nListed Ltd,DRC-01,ZD290125001234F\n", 201).ID)
	var listed api.Matter
	v.get("/api/matters/"+*register.Rows[0].Matter, &listed)
	firm := uuid.MustParse(f.id)
	must(p.t, p.app.Store.AddMailSender(p.t.Context(), firm, "listed@"+f.name+".example"))
	must(p.t, p.app.Store.KeepMail(p.t.Context(), store.NewMail{Workspace: firm, SHA256: []byte(f.name), Sender: "stranger@example.com", Subject: "Papers", Files: 1, Raw: []byte("x")}))
	mailIn, err := p.app.Store.MailIn(p.t.Context(), firm)
	must(p.t, err)
	v.triaged()
	p.settledFollowUps(f.id)
	return map[string]string{
		"/api/firm/mail-in/senders/{id}": mailIn.Senders[0].ID.String(), "/api/firm/mail-in/mails/{id}": mailIn.Quarantine[0].ID.String(),
		"/api/register/imports/{id}": v.imports("old.csv", "Client,Form\nAnother Ltd,DRC-01\n", 201).ID, "/api/listed/{id}": listed.Listed[0].ID,
		"/api/views/{id}":    kept.Views[0].ID,
		"/api/comments/{id}": comments.Comments[0].ID, "/api/tasks/{id}": tasks.Tasks[0].ID,
		"/api/batches/{id}": batch.ID, "/api/clients/{id}": at.Client.ID, "/api/matters/{id}": at.ID, "{gstin}": "27ZAPCS4821K1Z6",
		"/api/conversations/{id}": c, "/api/turns/{id}": answer.TurnID, "/api/documents/{id}": document, "/api/drafts/{id}": draft.ID,
		"/api/reminders/{id}": reminder.String(), "/api/links/{id}": v.makeLink(c).ID.String(), "/api/devices/{id}": uuid.NewString(), "/api/erasures/{id}": uuid.NewString(),
		"/api/firm/invitations/{id}": invited.ID, "/api/firm/members/{id}": spare.Member,
		"{authority}": authority.ID, "{file}": document, "{order}": order.OrderID, "{message}": answer.ID, "{version}": "1", "{number}": "1",
	}
}

// settledFollowUps waits until the follow-ups of a workspace have noticed that all dates of their notices are past.
func (p *product) settledFollowUps(workspace string) {
	p.t.Helper()
	conn := p.connect()
	await(p.t, "the follow-up has seen that the notice's time is over", func() (over bool) {
		must(p.t, conn.QueryRow(p.t.Context(), "select bool_and(watch_until is null) from follow_ups where workspace_id = $1", workspace).Scan(&over))
		return over
	})
}

// rows returns every row of a workspace.
func (p *product) rows(workspace string) (rows []string) {
	p.t.Helper()
	must(p.t, p.app.Store.Exported(p.t.Context(), uuid.MustParse(workspace), func(table string) (func(json.RawMessage) error, error) {
		return func(row json.RawMessage) error {
			// Open payments are checked periodically, which may happen during this test on a slow
			// machine.
			rows = append(rows, table+regexp.MustCompile(`"checked_at": ("[^"]*"|null)`).ReplaceAllString(string(row), ""))
			return nil
		}, nil
	}))
	return rows
}

// withSeats sells seats, so that firms pay, and includes more of them than these tests need.
func withSeats(c *config.Config) {
	c.Payment.Provider, c.Firms.FreeSeats = "sandbox", 10
}

// Every route is called in every role, with ids of the firm and of another firm: what a role may not do is refused,
// and another firm's ids are not found; after that nothing in either firm has changed. What a role may do is not
// refused.
func TestEveryRouteAndRole(t *testing.T) {
	p := start(t, withSeats)
	ours, theirs := p.staffed("ours"), p.staffed("theirs")
	own, others := p.filled(ours), p.filled(theirs)
	outsider := p.visitor()
	outsider.signUp("outsider@example.com")
	client := p.visitor().in(ours.id) // the recipient of an interview link
	client.link = secretOf(ours.as[role.Preparer].makeLink(own["/api/conversations/{id}"]))
	asking := map[string]*person{"a stranger": p.visitor().in(ours.id), "a client": client, "an outsider": outsider.in(ours.id), "the other firm's owner": theirs.inOther(ours.id)}
	before, beforeTheirs := p.rows(ours.id), p.rows(theirs.id)

	code := func(body string) string {
		var problem api.Problem
		_ = json.Unmarshal([]byte(body), &problem)
		return problem.Code
	}
	refusals := []string{"not_signed_in", "not_a_member", "not_allowed"}
	tried := 0
	for _, a := range everyRoute(t, own) {
		needs, inFirm, known := api.Needs(a.operation)
		if !known {
			t.Errorf("%s: the table of what roles may do does not have it", a.operation)
			continue
		}
		if needs == "" && !inFirm {
			continue // belongs to no workspace
		}
		for who, them := range asking {
			want := "not_a_member"
			if who == "a stranger" || who == "a client" {
				want = "not_signed_in"
			}
			if _, said := them.try(a); code(said) != want {
				t.Errorf("%s by %s is answered %.200s, want %s", a.operation, who, said, want)
			}
			tried++
		}
		for r, them := range ours.as {
			if r.May(needs) || needs == "" {
				continue
			}
			if status, said := them.try(a); status != http.StatusForbidden || code(said) != "not_allowed" {
				t.Errorf("%s by a %s is answered %d %.200s", a.operation, r, status, said)
			}
			tried++
		}
	}
	for _, a := range everyRoute(t, others) {
		needs, _, _ := api.Needs(a.operation)
		if !a.named || needs == "" {
			continue
		}
		for r, them := range ours.as {
			if status, said := them.try(a); status != http.StatusNotFound && status != http.StatusForbidden {
				t.Errorf("%s of another firm by a %s is answered %d %.200s", a.operation, r, status, said)
			}
			tried++
		}
		bare := *ours.as[role.Owner]
		bare.address = p.address // the owner's own workspace
		if status, said := bare.try(a); status != http.StatusNotFound {
			t.Errorf("%s of a firm in one's own workspace is answered %d %.200s", a.operation, status, said)
		}
	}
	if tried < 500 {
		t.Errorf("only %d requests were tried", tried)
	}
	for name, rows := range map[string][2][]string{"ours": {before, p.rows(ours.id)}, "theirs": {beforeTheirs, p.rows(theirs.id)}} {
		for i, these := range rows {
			for _, row := range these {
				if !slices.Contains(rows[1-i], row) {
					t.Errorf("%s has changed, by requests that were refused: %s %s", name, []string{"gone is", "new is"}[i], row)
				}
			}
		}
	}

	last := []string{"remove-member", "erase", "hand-over", "leave-firm"}
	list := everyRoute(t, own)
	slices.SortStableFunc(list, func(a, b routed) int { return slices.Index(last, a.operation) - slices.Index(last, b.operation) })
	for _, a := range list {
		needs, inFirm, _ := api.Needs(a.operation)
		for _, r := range []role.Role{role.Viewer, role.Preparer, role.Partner, role.Owner} {
			if !r.May(needs) && (needs != "" || !inFirm) {
				continue
			}
			status, said := ours.as[r].try(a)
			gone := code(said) == "not_a_member" && slices.Contains(last, a.operation) // by the previous request
			if slices.Contains(refusals, code(said)) && !gone || status >= 500 {
				t.Errorf("%s by a %s, who may, is answered %d %.200s", a.operation, r, status, said)
			}
		}
	}
}

// inOther returns a firm's owner at the addresses of another firm.
func (f staff) inOther(firm string) *person {
	them := *f.as[role.Owner]
	them.address = strings.TrimSuffix(them.address, f.id) + firm
	return &them
}
