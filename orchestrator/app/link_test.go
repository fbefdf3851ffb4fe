package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/role"
)

// makeLink makes a link to the interview of a notice.
func (v *person) makeLink(conversation string) (link api.Link) {
	v.t.Helper()
	v.post("/api/conversations/"+conversation+"/links", map[string]any{"recipient": "Ravi Rao", "language": "hi", "days": 7}, 201, &link)
	return link
}

func secretOf(link api.Link) string {
	_, secret, _ := strings.Cut(link.Address, "#")
	return secret
}

// A client answers through a link, without an account: their answers fill the draft and are marked as theirs, and the
// papers that they upload are reviewed. They are not asked what the person working on the notice has answered.
func TestInterviewByLink(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	at := "/api/conversations/" + c + "/reply/interview"
	v.post(at, map[string]any{"key": "earlier", "holds": "yes", "words": []string{"DRC-01A of 1 November 2024"}}, 200, nil)
	link := v.makeLink(c)
	if link.Recipient != "Ravi Rao" || link.Language != "hi" || time.Until(link.Expires) > 7*24*time.Hour || !strings.Contains(link.Address, "/app/asked?language=hi#") {
		t.Fatalf("the link is %+v", link)
	}

	client := p.visitor()
	client.link = secretOf(link)
	var shown api.LinkInterview
	client.get("/api/link", &shown)
	key := func(begins string) string {
		i := slices.IndexFunc(shown.Questions, func(q api.LinkQuestion) bool { return strings.HasPrefix(q.Key, begins) })
		if i < 0 {
			return ""
		}
		return shown.Questions[i].Key
	}
	if shown.Language != "hi" || key("served_on") == "" || key("para:") == "" || key("earlier") != "" || len(shown.Papers) == 0 {
		t.Fatalf("the link shows %+v", shown)
	}
	say := func(want int, answer map[string]any) {
		t.Helper()
		client.post("/api/link/answers", answer, want, &shown)
	}
	say(200, map[string]any{"key": "served_on", "words": []string{"2024-12-10"}})
	// A correction of a slip, or the same request again.
	say(200, map[string]any{"key": "served_on", "words": []string{"2024-12-11"}})
	para := key("para:")
	say(200, map[string]any{"key": para, "words": []string{"The suppliers reported in April."}})
	if i := slices.IndexFunc(shown.Questions, func(q api.LinkQuestion) bool { return q.Key == para }); i < 0 || !shown.Questions[i].Answered {
		t.Errorf("what was answered is not told as answered: %+v", shown.Questions)
	}
	// Those who work on the notice have answered it.
	client.post("/api/link/answers", map[string]any{"key": "earlier", "words": []string{"nothing"}}, 404, nil)
	client.post("/api/link/answers", map[string]any{"key": "officer", "words": []string{"me"}}, 404, nil)

	var in api.Interview
	v.get(at, &in)
	for key, words := range map[string]string{"served_on": "2024-12-11", para: "The suppliers reported in April."} {
		i := slices.IndexFunc(in.Questions, func(q api.InterviewQuestion) bool { return q.Key == key })
		if q := in.Questions[i]; !slices.Equal(q.Words, []string{words}) || q.By != "client" || q.Who != "Ravi Rao" || q.At == nil {
			t.Errorf("to %s there is %+v", key, q)
		}
	}
	// From then on only they may change the answer; the client may not overwrite it.
	revision := in.Questions[slices.IndexFunc(in.Questions, func(q api.InterviewQuestion) bool { return q.Key == para })].Revision
	v.post(at, map[string]any{"key": para, "words": []string{"They reported in time."}, "revision": revision}, 200, &in)
	client.post("/api/link/answers", map[string]any{"key": para, "words": []string{"In May."}}, 404, nil)

	// A paper is sent twice, because the connection broke before the response arrived.
	form, body := uploadForm(t, "ledger.pdf", "application/pdf", shown.Papers[0].Type, paper("ledger"))
	raw, err := io.ReadAll(body)
	must(t, err)
	for range 2 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.address+"/api/link/documents", bytes.NewReader(raw))
		must(t, err)
		req.Header.Set("Content-Type", form)
		req.Header.Set("Munshi-Link", client.link)
		req.Header.Set("Idempotency-Key", "once")
		resp, err := client.http.Do(req)
		must(t, err)
		said, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK || json.Unmarshal(said, &shown) != nil {
			t.Fatalf("the paper is answered with %d: %s", resp.StatusCode, said)
		}
	}
	d := v.detail(c)
	if len(d.Documents) != 2 {
		t.Errorf("there are %d documents", len(d.Documents))
	}
	v.settled(c, d.Turn.ID)
	client.get("/api/link", &shown)
	if !shown.Papers[slices.IndexFunc(shown.Papers, func(l api.LinkPaper) bool { return l.Came })].Came {
		t.Errorf("no paper came: %+v", shown.Papers)
	}
}

// Anyone with the link can answer, but cannot read anything: nothing of the notice except the questions, no answers
// by anyone, and nothing at all once the link has expired.
func TestLinkReadsNothing(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	at := "/api/conversations/" + c
	const secret, theirs = "Zanzibari cloves of the owner", "What the client confided"
	v.post(at+"/reply/interview", map[string]any{"key": "earlier", "holds": "yes", "words": []string{secret}}, 200, nil)
	link := v.makeLink(c)
	client := p.visitor()
	client.link = secretOf(link)
	var shown api.LinkInterview
	client.get("/api/link", &shown)
	para := shown.Questions[slices.IndexFunc(shown.Questions, func(q api.LinkQuestion) bool { return strings.HasPrefix(q.Key, "para:") })].Key
	client.post("/api/link/answers", map[string]any{"key": para, "words": []string{theirs}}, 200, &shown)
	raw, err := json.Marshal(shown)
	must(t, err)
	var brief api.Brief
	v.get(at+"/brief", &brief)
	var facts struct {
		GSTIN     string `json:"gstin"`
		LegalName string `json:"legal_name"`
		Reference string `json:"reference"`
	}
	must(t, json.Unmarshal(brief.Facts, &facts))
	for _, word := range []string{secret, theirs, facts.GSTIN, facts.LegalName, facts.Reference, "notice.pdf", c} {
		if word == "" || strings.Contains(string(raw), word) {
			t.Errorf("the link tells %q: %s", word, raw)
		}
	}
	client.call("GET", at, "", nil, 404, nil)
	var none api.ConversationList
	if client.get("/api/conversations", &none); len(none.Conversations) != 0 {
		t.Errorf("the link lists %+v", none)
	}
	form, body := uploadForm(t, "mine.pdf", "application/pdf", "a paper that nobody asked for", paper("mine"))
	client.call("POST", "/api/link/documents", form, body, 422, nil)

	var list api.LinkList
	v.get(at+"/links", &list)
	if len(list.Links) != 1 || list.Links[0].Address != "" || list.Links[0].Used == nil {
		t.Errorf("the links are %+v", list.Links)
	}
	guess := p.visitor()
	for _, token := range []string{"", "x", strings.Repeat("A", len(client.link)), uuid.NewString()} {
		guess.link = token
		guess.call("GET", "/api/link", "", nil, 404, nil)
		form, body := uploadForm(t, "mine.pdf", "application/pdf", shown.Papers[0].Type, paper("mine"))
		guess.call("POST", "/api/link/documents", form, body, 404, nil)
	}
	v.call("POST", "/api/links/"+link.ID.String()+"/revoke", "", nil, 204, nil)
	client.call("GET", "/api/link", "", nil, 404, nil)
	client.post("/api/link/answers", map[string]any{"key": para, "words": []string{"more"}}, 404, nil)
	v.post(at+"/links", map[string]any{"recipient": "", "language": "en", "days": 31}, 422, nil)
}

// A link made by a firm's preparer leads the client to the firm's notice: their answers and papers belong to the
// firm, even if it has no use left, since a requested paper does not count as a use. The link shows the same if it is
// opened under another workspace's address or while signed in, and a viewer can neither make nor revoke a link.
func TestLinkOfAFirm(t *testing.T) {
	p := start(t, func(c *config.Config) {
		withSeats(c)
		c.Account.FreeUses, c.Firms.FreeUses = 0, 1
	})
	f := p.staffed("rao")
	owner, preparer, viewer := f.as[role.Owner], f.as[role.Preparer], f.as[role.Viewer]
	c := preparer.converse()
	preparer.answer(c, preparer.hand(c, "testdata/notice.pdf", ""))
	at := "/api/conversations/" + c
	link := preparer.makeLink(c)
	if !strings.HasPrefix(link.Address, "/app/asked?language=") {
		t.Errorf("the link's address is %s", link.Address)
	}
	viewer.post(at+"/links", map[string]any{"recipient": "", "language": "en", "days": 1}, 403, nil)
	viewer.call("POST", "/api/links/"+link.ID.String()+"/revoke", "", nil, 403, nil)
	var list api.LinkList
	if viewer.get(at+"/links", &list); len(list.Links) != 1 || list.Links[0].Address != "" {
		t.Errorf("a viewer sees the links %+v", list.Links)
	}

	client := p.visitor()
	client.link = secretOf(link)
	var shown api.LinkInterview
	client.get("/api/link", &shown)
	raw, err := json.Marshal(shown)
	must(t, err)
	if len(shown.Questions) == 0 || len(shown.Papers) == 0 || strings.Contains(string(raw), "27ZAPCS4821K1Z6") || strings.Contains(string(raw), f.id) {
		t.Errorf("the link shows %s", raw)
	}
	client.call("GET", at, "", nil, 404, nil)
	client.in(f.id).call("GET", at, "", nil, 401, nil)
	client.in(f.id).call("GET", "/api/triage", "", nil, 401, nil)
	client.post("/api/link/answers", map[string]any{"key": "served_on", "words": []string{"2024-12-10"}}, 200, &shown)
	form, body := uploadForm(t, "ledger.pdf", "application/pdf", shown.Papers[0].Type, paper("ledger"))
	client.call("POST", "/api/link/documents", form, body, 200, &shown)
	preparer.settled(c, preparer.detail(c).Turn.ID)

	var in api.Interview
	owner.get(at+"/reply/interview", &in)
	i := slices.IndexFunc(in.Questions, func(q api.InterviewQuestion) bool { return q.Key == "served_on" })
	if q := in.Questions[i]; q.By != "client" || q.Who != "Ravi Rao" || !slices.Equal(q.Words, []string{"2024-12-10"}) {
		t.Errorf("the firm reads %+v", q)
	}
	if d := owner.detail(c); len(d.Documents) != 2 {
		t.Errorf("the firm has %d documents", len(d.Documents))
	}

	// It does not matter who opens it and where: only the link counts.
	outsider := p.visitor()
	outsider.signUp("outsider@example.com")
	elsewhere := p.staffed("shah").as[role.Owner]
	for who, them := range map[string]person{"an account": *outsider, "a viewer": *viewer, "another firm's owner": *elsewhere, "nobody, in the firm": *client.in(f.id)} {
		them.link = client.link
		var seen api.LinkInterview
		if them.get("/api/link", &seen); len(seen.Questions) != len(shown.Questions) {
			t.Errorf("%s sees %d questions, want %d", who, len(seen.Questions), len(shown.Questions))
		}
		them.post("/api/link/answers", map[string]any{"key": "served_on", "words": []string{"2024-12-11"}}, 200, nil)
	}
	f.as[role.Partner].call("POST", "/api/links/"+link.ID.String()+"/revoke", "", nil, 204, nil) // which a colleague made
	client.call("GET", "/api/link", "", nil, 404, nil)
	var log api.FirmLog
	owner.get("/api/firm/log", &log)
	if e := log.Entries[0]; e.Event != "link_revoked" || e.Who != "rao's partner" {
		t.Errorf("the last entry of the log is %+v", e)
	}
	done := map[string]int{}
	for _, e := range log.Entries {
		if e.Who == "Ravi Rao" {
			done[e.Event]++
		}
	}
	if done["link_answered"] != 5 || done["link_handed_in"] != 1 {
		t.Errorf("the log says that the client did %v, want five answers and one paper", done)
	}
}

// An attack: someone who has a link calls every route with ids of its notice and of another matter, as a visitor and
// under the firm's addresses. They can read nothing and change nothing.
func TestLinkOpensNoOtherRoute(t *testing.T) {
	p := start(t, withSeats)
	f := p.staffed("ours")
	other := p.filled(f)
	v := f.as[role.Owner]
	c := v.converse()
	answer := v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	document := v.detail(c).Documents[0].ID
	about := maps.Clone(other)
	maps.Copy(about, map[string]string{"/api/conversations/{id}": c, "/api/documents/{id}": document, "{file}": document,
		"/api/turns/{id}": answer.TurnID, "{message}": answer.ID})
	link := v.makeLink(c)
	about["/api/links/{id}"] = link.ID.String()
	visitor := p.visitor()
	visitor.link = secretOf(link)
	p.settledFollowUps(f.id)
	before := p.rows(f.id)
	secrets := []string{"27ZAPCS4821K1Z6", "ours & Co", "notice.pdf", "Asha of ours"}
	tried := 0
	for of, ids := range map[string]map[string]string{"the link's notice": about, "another matter": other} {
		for _, a := range everyRoute(t, ids) {
			needs, inFirm, _ := api.Needs(a.operation)
			if needs == "" && !inFirm || strings.HasPrefix(a.path, "/api/link/") || a.path == "/api/link" {
				continue // belongs to no workspace, or is what the link is for
			}
			for at, them := range map[string]*person{"as a visitor": visitor, "in the firm": visitor.in(f.id)} {
				status, said := them.try(a)
				if refused := status >= 400 && status < 500; !refused && (a.named && needs != "" || at == "in the firm") {
					t.Errorf("%s of %s, %s, is answered %d %.200s", a.operation, of, at, status, said)
				}
				for _, secret := range secrets {
					if strings.Contains(said, secret) {
						t.Errorf("%s of %s, %s, tells %q: %.200s", a.operation, of, at, secret, said)
					}
				}
				tried++
			}
		}
	}
	if tried < 400 {
		t.Errorf("only %d requests were tried", tried)
	}
	after := p.rows(f.id)
	for i, these := range [][]string{before, after} {
		for _, row := range these {
			if !slices.Contains([][]string{after, before}[i], row) {
				t.Errorf("the firm has changed: %s %s", []string{"gone is", "new is"}[i], row)
			}
		}
	}

	// The questions of another notice are not shown, whatever parameters the request has.
	visitor.post("/api/link/answers?conversation="+other["/api/conversations/{id}"], map[string]any{"key": "officer", "words": []string{"me"}}, 404, nil)
	var seen, same api.LinkInterview
	visitor.get("/api/link", &seen)
	visitor.get("/api/link?conversation="+other["/api/conversations/{id}"]+"&matter="+other["/api/matters/{id}"], &same)
	if len(seen.Questions) == 0 || len(same.Questions) != len(seen.Questions) {
		t.Errorf("the link shows %d questions, with another's ids %d", len(seen.Questions), len(same.Questions))
	}

	// An expired link shows nothing and accepts nothing.
	_, err := p.connect().Exec(t.Context(), "update links set expires_at = now() - interval '1 second' where id = $1", link.ID)
	must(t, err)
	visitor.call("GET", "/api/link", "", nil, 404, nil)
	visitor.post("/api/link/answers", map[string]any{"key": seen.Questions[0].Key, "words": []string{"late"}}, 404, nil)
	form, body := uploadForm(t, "mine.pdf", "application/pdf", seen.Papers[0].Type, paper("mine"))
	visitor.call("POST", "/api/link/documents", form, body, 404, nil)
}
