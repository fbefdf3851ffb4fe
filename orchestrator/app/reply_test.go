package app_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

func (v *person) reply(conversation string) (r api.Reply) {
	v.t.Helper()
	v.get("/api/conversations/"+conversation+"/reply", &r)
	return r
}

func (v *person) draftReply(conversation string) api.Message {
	v.t.Helper()
	var turn api.Turn
	v.post("/api/conversations/"+conversation+"/reply", struct{}{}, 202, &turn)
	return v.answer(conversation, turn)
}

func partOf(t *testing.T, d *api.Draft, id string) api.DraftPart {
	t.Helper()
	if d == nil {
		t.Fatal("nothing is drafted")
	}
	i := slices.IndexFunc(d.Parts, func(p api.DraftPart) bool { return p.ID == id })
	if i < 0 {
		t.Fatalf("the draft has no part %s", id)
	}
	return d.Parts[i]
}

// download gets a file, and the name under which it is sent.
func (v *person) download(path string) (content []byte, disposition string) {
	v.t.Helper()
	res, err := v.http.Get(v.address + path)
	must(v.t, err)
	defer res.Body.Close()
	content, err = io.ReadAll(res.Body)
	must(v.t, err)
	if res.StatusCode != 200 {
		v.t.Fatalf("GET %s gives %d: %s", path, res.StatusCode, content)
	}
	return content, res.Header.Get("Content-Disposition")
}

// wordText returns the words of a Word file.
func wordText(t *testing.T, file []byte) string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	must(t, err)
	f, err := archive.Open("word/document.xml")
	must(t, err)
	raw, err := io.ReadAll(f)
	must(t, err)
	return regexp.MustCompile(`<[^>]+>`).ReplaceAllString(string(raw), "")
}

// clerkModel is a model that proposes stances and writes parts, and records which parts it was asked
// for.
type clerkModel struct {
	mu    sync.Mutex
	asked []string
}

var (
	onlyThis = regexp.MustCompile(`only this one: (.*)\.`)
)

func (m *clerkModel) answer(r modeltest.Request) string {
	var all strings.Builder
	for _, msg := range r.Messages {
		all.WriteString(msg.Content + "\n")
	}
	text := all.String()
	switch part := onlyThis.FindStringSubmatch(text); {
	case strings.Contains(text, "propose how the reply answers it"):
		return "Here it is:\n[{\"key\": \"1\", \"stance\": \"admit\", \"facts\": \"It was claimed twice.\"}, {\"key\": \"2\", \"stance\": \"DENY\", \"facts\": \"\", \"authorities\": [\"Invented v. Nobody\"]}, {\"key\": \"99\", \"stance\": \"deny\"}]\n"
	case part != nil:
		m.mu.Lock()
		m.asked = append(m.asked, part[1])
		m.mu.Unlock()
		switch {
		case strings.Contains(text, "reached the limit of length"):
			return "and that is the end of a long part."
		case part[1] == "Reply to paragraph 2":
			return strings.Repeat("word ", 1600)
		}
		return "The Noticee submits, of " + part[1] + ", what the model wrote. The Noticee admits the lapse. See section 999 of the CGST Act."
	case strings.Contains(text, "supplied a document"):
		return "## What this document is\n\nA reconciliation.\n\n## What changes in the reply\n\nParagraph 2 can say that it agrees.\n\nRequired Document(s):\nNone."
	}
	return "## What this notice is\n\nA notice.\n\nRequired Document(s):\n- Reconciliation: to compare\n"
}

func (m *clerkModel) since() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	asked := m.asked
	m.asked = nil
	slices.Sort(asked)
	return asked
}

// A reply is drafted part by part; the person's decisions prevail, their text is kept, and only parts whose inputs
// changed are written again.
func TestReply(t *testing.T) {
	clerk := &clerkModel{}
	p := start(t, withModel(t, &modeltest.Server{Answer: clerk.answer}))
	v := p.visitor()
	c := v.converse()
	v.call("POST", "/api/conversations/"+c+"/reply", "application/json", strings.NewReader("{}"), 409, nil)
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))

	r := v.reply(c)
	if r.Form.Kind != "reply" || r.Form.Name != "FORM GST DRC-06" || r.Draft != nil || len(r.Points) < 2 || r.Points[0].Key != "1" || !r.Points[0].Allegation {
		t.Fatalf("the reply begins as %+v", r)
	}
	before := v.draftReply(c)
	p.keepHistory(t, "reply", workflows.TurnWorkflowID(before.TurnID))
	if !strings.Contains(before.Text, "FORM GST DRC-06") || !strings.Contains(before.Text, "Not decided by you yet") {
		t.Errorf("the conversation says %q", before.Text)
	}
	first := clerk.since()
	r = v.reply(c)
	if r.Points[0].Proposed != "admit" || r.Points[0].Stance != "" || r.Points[1].Proposed != "deny" || !r.Points[0].FactsProposed {
		t.Errorf("the proposals are %+v", r.Points[:2])
	}
	one, two := partOf(t, r.Draft, "para:1"), partOf(t, r.Draft, "para:2")
	if one.By != "model" || !slices.ContainsFunc(one.Checks, func(c api.Check) bool { return c.Code == "admission" }) ||
		!slices.ContainsFunc(one.Checks, func(c api.Check) bool { return c.Verdict == "unknown" }) {
		t.Errorf("the first paragraph is %+v", one)
	}
	if !strings.HasSuffix(two.Text, "and that is the end of a long part.") || !slices.Contains(first, "Reply to paragraph 2") {
		t.Errorf("a part that was cut off ends with %q", two.Text[max(0, len(two.Text)-60):])
	}
	if cause := partOf(t, r.Draft, "cause"); cause.By != "program" || !strings.Contains(cause.Text, "27ZAPCS4821K1Z6") {
		t.Errorf("the cause title is %+v", cause)
	}

	// The person decides, and writes.
	var d api.Draft
	edit := func(part, text string, revision, want int) {
		t.Helper()
		v.post("/api/drafts/"+r.Draft.ID, map[string]any{"part": part, "text": text, "revision": revision}, want, &d)
	}
	edit("prayer", "My own prayer.", partOf(t, r.Draft, "prayer").Revision, 200)
	edit("prayer", "From another tab.", 0, 409)
	v.post("/api/conversations/"+c+"/reply/points", map[string]any{"key": "1", "stance": "admit", "facts": "It was reversed on 01.02.2024."}, 200, &r)
	if r.Points[0].Stance != "admit" || r.Points[0].FactsProposed {
		t.Errorf("the person's word is kept as %+v", r.Points[0])
	}
	v.post("/api/conversations/"+c+"/reply/points", map[string]any{"key": "77", "stance": "deny"}, 404, nil)
	v.draftReply(c)
	if asked := clerk.since(); slices.Contains(asked, "Reply to paragraph 2") || !slices.Contains(asked, "Reply to paragraph 1") {
		t.Errorf("after a word on paragraph 1 the model was asked for %q", asked)
	}
	r = v.reply(c)
	if one = partOf(t, r.Draft, "para:1"); slices.ContainsFunc(one.Checks, func(c api.Check) bool { return c.Code == "admission" }) {
		t.Errorf("an admission that was made is marked: %+v", one.Checks)
	}
	if got := partOf(t, r.Draft, "prayer"); got.Text != "My own prayer." || got.By != "person" {
		t.Errorf("the person's words became %+v", got)
	}

	// A document changes only the parts that depend on it.
	review := v.answer(c, v.hand(c, "testdata/notice.pdf", "Bank statement"))
	p.keepHistory(t, "document-with-draft", workflows.TurnWorkflowID(review.TurnID))
	if !strings.Contains(review.Text, "What this document is") {
		t.Errorf("the review is %q", review.Text)
	}
	asked := slices.Compact(clerk.since())
	if !slices.Contains(asked, "Reply to paragraph 2") || slices.Contains(asked, "Reply to paragraph 1") {
		t.Errorf("after a document that touches paragraph 2 the model was asked for %q", asked)
	}

	// In the Word file, what could not be verified is marked.
	file, kind := v.download("/api/drafts/" + r.Draft.ID + "/word")
	if !regexp.MustCompile(`gst-notice-reply-[a-z-]+.*-drc-01-\w+.*\.docx`).MatchString(kind) || !bytes.HasPrefix(file, []byte("PK")) {
		t.Errorf("the Word file is sent as %q", kind)
	}
	if paper := wordText(t, file); !strings.Contains(paper, "My own prayer.") || !strings.Contains(paper, "not found in the Act") {
		t.Errorf("on paper it reads %q", paper)
	}
	if cause, _, found := strings.Cut(wordText(t, file), "REPLY TO SHOW CAUSE NOTICE"); !found || !strings.HasPrefix(cause, "\nBefore the ") || !strings.Contains(cause, "27ZAPCS4821K1Z6") {
		t.Errorf("above the title, on paper, stands %q", cause)
	}
	file, _ = v.download("/api/conversations/" + c + "/messages/" + review.ID + "/word")
	if paper := wordText(t, file); !strings.Contains(paper, "A reconciliation.") {
		t.Errorf("the review reads %q on paper", paper)
	}

	// Versions, and how to restore them.
	var versions api.DraftVersionList
	v.get("/api/drafts/"+r.Draft.ID+"/versions", &versions)
	if n := len(versions.Versions); n < 4 || versions.Versions[0].By != "munshi" || versions.Versions[n-1].Version != 1 {
		t.Errorf("the versions are %+v", versions)
	}
	var text api.DraftText
	v.get(fmt.Sprintf("/api/drafts/%s/versions/1", r.Draft.ID), &text)
	if strings.Contains(text.Text, "My own prayer.") || !strings.Contains(text.Text, "what the model wrote") || !strings.Contains(text.Changes, "\n+My own prayer.") {
		t.Errorf("the first version reads %q", text.Text)
	}
	known := partOf(t, v.reply(c).Draft, "prayer").Revision
	v.post(fmt.Sprintf("/api/drafts/%s/versions/1/restore", r.Draft.ID), struct{}{}, 200, &d)
	if got := partOf(t, &d, "prayer"); got.By != "person" || got.Revision != known+1 {
		t.Errorf("what the person went back to is %+v", got)
	}
	edit("prayer", "From a tab that knows the words of before.", known, 409)
	if got := partOf(t, &d, "prayer"); strings.Contains(got.Text, "My own") {
		t.Errorf("restored, the prayer is %+v", got)
	}

	// The list of drafts, deletion, and other people.
	var list api.DraftList
	v.get("/api/drafts?search=noticee+submi", &list)
	if len(list.Drafts) != 1 || list.Drafts[0].Kind != "reply" || list.Next != 0 {
		t.Errorf("the search finds %+v", list)
	}
	v.get("/api/drafts?search=zebra", &list)
	if len(list.Drafts) != 0 {
		t.Errorf("the search for what is not there finds %+v", list)
	}
	stranger := p.visitor()
	stranger.converse()
	for _, path := range []string{"/api/conversations/" + c + "/reply", "/api/drafts/" + r.Draft.ID, "/api/drafts/" + r.Draft.ID + "/versions/1"} {
		stranger.call("GET", path, "", nil, 404, nil)
	}
	stranger.post("/api/drafts/"+r.Draft.ID, map[string]any{"title": "Mine"}, 404, nil)
	v.call("DELETE", "/api/drafts/"+r.Draft.ID, "", nil, 204, nil)
	if v.reply(c).Draft != nil {
		t.Error("a deleted draft is there")
	}
	v.post("/api/drafts/"+r.Draft.ID+"/undelete", struct{}{}, 204, nil)
	if v.reply(c).Draft == nil {
		t.Error("the draft did not come back")
	}

	if day := v.replyDay(c); r.ReplyBy == nil || *r.ReplyBy != day {
		t.Errorf("the last day to reply is %v, want %s", r.ReplyBy, day)
	}
	v.post("/api/conversations/"+c+"/answered", map[string]any{"answered": true}, http.StatusNoContent, nil)
	if day := v.reply(c).ReplyBy; day != nil {
		t.Errorf("the reply went out, and is to be made by %s", *day)
	}
}

// A reply of which one part fails keeps the others; a retry asks only for that part. A stopped one keeps the finished
// parts.
func TestReplyGoesOn(t *testing.T) {
	clerk := &clerkModel{}
	fake := &modeltest.Server{Answer: clerk.answer}
	var refusing, holding atomic.Bool
	held := make(chan struct{}, 1)
	p := start(t, withModel(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		second := bytes.Contains(body, []byte("only this one: Reply to paragraph 2."))
		switch {
		case second && refusing.Load():
			http.Error(w, `{"error": {"message": "no such model", "type": "invalid_request_error"}}`, http.StatusBadRequest)
			return
		case second && holding.Load():
			select {
			case held <- struct{}{}:
			default:
			}
			<-r.Context().Done()
			return
		}
		fake.ServeHTTP(w, r)
	})))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))

	refusing.Store(true)
	var turn api.Turn
	v.post("/api/conversations/"+c+"/reply", struct{}{}, 202, &turn)
	d := v.settled(c, turn.ID)
	if d.Turn.State != "failed" || !strings.Contains(d.Messages[len(d.Messages)-1].Text, "while drafting the reply") {
		t.Fatalf("the turn is %s, and says %q", d.Turn.State, d.Messages[len(d.Messages)-1].Text)
	}
	clerk.since()
	refusing.Store(false)
	v.post("/api/turns/"+turn.ID+"/retry", struct{}{}, 202, nil)
	v.answer(c, turn)
	again := clerk.since()
	if !slices.Contains(again, "Reply to paragraph 2") || slices.Contains(again, "Reply to paragraph 1") && slices.Contains(again, "D. Grounds") && slices.Contains(again, "A. Brief facts") {
		t.Errorf("the retry asked for %q", again)
	}
	r := v.reply(c)
	if two := partOf(t, r.Draft, "para:2"); two.By != "model" || r.Draft.Version != 1 {
		t.Errorf("after the retry the part is by %s, in version %d", two.By, r.Draft.Version)
	}

	v.post("/api/conversations/"+c+"/reply/points", map[string]any{"key": "2", "stance": "deny"}, 200, nil)
	v.post("/api/conversations/"+c+"/reply/points", map[string]any{"key": "1", "stance": "explain"}, 200, nil)
	holding.Store(true)
	v.post("/api/conversations/"+c+"/reply", struct{}{}, 202, &turn)
	<-held
	// The other parts are written while this one is held.
	await(t, "the other parts are written", func() bool { return slices.Contains(clerk.since(), "Reply to paragraph 1") })
	v.post("/api/turns/"+turn.ID+"/stop", struct{}{}, 202, nil)
	if d = v.settled(c, turn.ID); d.Turn.State != "stopped" {
		t.Errorf("stopped, the turn is %s", d.Turn.State)
	}
	if r = v.reply(c); r.Draft == nil || partOf(t, r.Draft, "para:2").By != "model" {
		t.Error("stopped, the draft has lost a part")
	}

	// If a document's review is already written, a stop ends only the steps after it.
	for len(held) > 0 {
		<-held
	}
	turn = v.hand(c, "testdata/notice.pdf", "Bank statement")
	<-held
	v.post("/api/turns/"+turn.ID+"/stop", struct{}{}, 202, nil)
	if review := v.answer(c, turn); !strings.Contains(review.Text, "A reconciliation.") {
		t.Errorf("after a stop the review is %q", review.Text)
	}
}

// An admission that was only proposed does not appear in the draft, and is marked if a model writes it
// anyway.
func TestNothingIsAdmitted(t *testing.T) {
	clerk := &clerkModel{}
	p := start(t, withModel(t, &modeltest.Server{Answer: clerk.answer}))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	v.draftReply(c)
	marked := func(part string) bool {
		t.Helper()
		checks := partOf(t, v.reply(c).Draft, part).Checks
		return slices.ContainsFunc(checks, func(c api.Check) bool { return c.Code == "admission" })
	}
	if !marked("para:1") || !marked("grounds") {
		t.Error("an admission that nobody made is not marked")
	}
	if got := v.reply(c).Points[1]; got.Proposed != "deny" || len(got.Authorities) > 0 {
		t.Errorf("an authority that nobody supplied is relied on: %+v", got)
	}
	if r := v.reply(c); r.Points[0].Proposed != "admit" || r.Points[0].Facts != "It was claimed twice." || !r.Points[0].FactsProposed {
		t.Errorf("the proposal is shown as %+v", r.Points[0])
	}
	v.post("/api/conversations/"+c+"/reply/points", map[string]any{"key": "1", "stance": "admit"}, 200, nil)
	if marked("grounds") {
		t.Error("an admission that was made may not be spoken of in the grounds")
	}
	v.call("POST", "/api/conversations/"+c+"/reply/points", "application/json", strings.NewReader(`{"key": "1", "documents": ["`+strings.Repeat("x", 700)+`"]}`), 422, nil)
}

// refusing sits in front of a stand-in for a model: it refuses chosen requests with a status and a body, and
// counts them.
type refusing struct {
	http.Handler
	refuse func(asked string) (status int, body string) // 0: the stand-in answers
	times  atomic.Int32
}

func (s *refusing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if status, said := s.refuse(string(body)); status != 0 {
		s.times.Add(1)
		http.Error(w, said, status)
		return
	}
	s.Handler.ServeHTTP(w, r)
}

// at points a configuration at it.
func (s *refusing) at(t *testing.T) func(*config.Config) {
	return withModel(t, s)
}

const secondPart = "only this one: Reply to paragraph 2."

// The review of a document is kept even if the model fails when the drafted reply is updated: each part is tried twice.
func TestRedraftGivesUp(t *testing.T) {
	var busy atomic.Bool
	stand := &refusing{Handler: &modeltest.Server{Answer: (&clerkModel{}).answer}, refuse: func(asked string) (int, string) {
		if busy.Load() && strings.Contains(asked, secondPart) {
			return http.StatusServiceUnavailable, `{"error": {"message": "overloaded", "type": "server_error"}}`
		}
		return 0, ""
	}}
	p := start(t, stand.at(t))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	v.draftReply(c)
	before := partOf(t, v.reply(c).Draft, "para:2")
	busy.Store(true)
	if review := v.answer(c, v.hand(c, "testdata/notice.pdf", "Bank statement")); !strings.Contains(review.Text, "A reconciliation.") {
		t.Errorf("the review is %q", review.Text)
	}
	if asked := stand.times.Load(); asked != 2 {
		t.Errorf("the part was asked for %d times", asked)
	}
	if after := partOf(t, v.reply(c).Draft, "para:2"); after.Text != before.Text {
		t.Error("the part's words are gone")
	}
}

// If the reviews of a part's documents are longer than the model takes, the part is written from the passages that fit;
// if even that is too much, the program's own words are used. The person is told, and the other parts are written.
func TestPartOfAReplyIsTooLong(t *testing.T) {
	const context = 14_000
	clerk := &clerkModel{}
	var tooMuch atomic.Bool
	var longest, cut atomic.Int32
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		var all strings.Builder
		for _, m := range r.Messages {
			all.WriteString(m.Content + "\n")
		}
		longest.Store(max(longest.Load(), int32(model.EstimateTokens(all.String()))))
		if strings.Contains(all.String(), "supplied a document") {
			filler := strings.Repeat(strings.Repeat("elsewhere", 12)+" and\n\n", 300)
			return clerk.answer(r) + "\n\n## What it shows\n\n" + filler + "Inward freight under reverse charge was paid on 12.03.2021, says page 9.\n\n" + filler
		}
		if strings.Contains(all.String(), secondPart) && strings.Contains(all.String(), "[…]\n\n") && strings.Contains(all.String(), "12.03.2021, says page 9") {
			cut.Add(1)
		}
		return clerk.answer(r)
	}}
	stand := &refusing{Handler: fake, refuse: func(asked string) (int, string) {
		if tooMuch.Load() && strings.Contains(asked, secondPart) {
			return http.StatusBadRequest, `{"error": {"message": "This model's maximum context length is 8192 tokens", "type": "invalid_request_error", "code": "context_length_exceeded"}}`
		}
		return 0, ""
	}}
	at := stand.at(t)
	p := start(t, func(c *config.Config) { at(c); c.Model.ContextTokens = context })
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	noted := func() (api.DraftPart, string) {
		t.Helper()
		part := partOf(t, v.reply(c).Draft, "para:2")
		for _, check := range part.Checks {
			if check.Verdict == "" && check.Message != "" {
				return part, check.Code
			}
		}
		return part, ""
	}

	v.answer(c, v.hand(c, "testdata/notice.pdf", "Bank statement"))
	longest.Store(0)
	v.draftReply(c)
	if part, note := noted(); part.By != "model" || note != workflows.Shortened || cut.Load() == 0 {
		t.Errorf("with a long review the part is by %s, noted as %q, after %d questions with its passages", part.By, note, cut.Load())
	}
	if n := longest.Load(); n > context {
		t.Errorf("a question has %d tokens", n)
	}

	clerk.since()
	tooMuch.Store(true)
	for _, key := range []string{"1", "2"} {
		v.post("/api/conversations/"+c+"/reply/points", map[string]any{"key": key, "stance": "deny"}, 200, nil)
	}
	said := v.draftReply(c)
	if part, note := noted(); part.By != "program" || note != workflows.TooLong || !strings.Contains(part.Text, "denied") {
		t.Errorf("too long for its provider, the part is by %s, noted as %q: %q", part.By, note, part.Text)
	}
	if one := partOf(t, v.reply(c).Draft, "para:1"); one.By != "model" || !slices.Contains(clerk.since(), "Reply to paragraph 1") {
		t.Error("the other parts did not go on")
	}
	if !strings.Contains(said.Text, "1 part needs more than the model can take") {
		t.Errorf("the conversation says %q", said.Text)
	}

	tooMuch.Store(false)
	v.draftReply(c)
	if part, note := noted(); part.By != "model" || note != workflows.Shortened {
		t.Errorf("once the model takes it, the part is by %s, noted as %q", part.By, note)
	}
}

// A text that the program itself writes again, because a fact was corrected, is a new version of the draft,
// although no model is asked.
func TestProgramsWordsAreAVersion(t *testing.T) {
	clerk := &clerkModel{}
	p := start(t, withModel(t, &modeltest.Server{Answer: func(r modeltest.Request) string {
		return strings.ReplaceAll(clerk.answer(r), "Paragraph 2 can say that it agrees.", "Nothing.")
	}}))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	v.draftReply(c)
	// The same story: once the person has changed it, the model is not asked for it.
	story := partOf(t, v.reply(c).Draft, "facts")
	v.post("/api/drafts/"+v.reply(c).Draft.ID, map[string]any{"part": "facts", "text": "My own story.", "revision": story.Revision}, 200, nil)
	version := func() int { t.Helper(); return v.reply(c).Draft.Version }
	v.answer(c, v.hand(c, "testdata/notice.pdf", "A plan of the shop")) // which is in the index of annexures from now on
	before := version()
	v.answer(c, v.hand(c, "testdata/notice.pdf", "A plan of the shop"))
	if now := version(); now != before {
		t.Fatalf("a paper that changes nothing makes version %d of %d", now, before)
	}
	clerk.since()
	v.correct(c, map[string]any{"field": "hearing", "value": map[string]any{"date": "2031-06-02", "time": "11:35", "venue": nil}}, http.StatusOK)
	v.answer(c, v.hand(c, "testdata/notice.pdf", "A plan of the shop"))
	if asked := clerk.since(); len(asked) > 0 {
		t.Fatalf("the model was asked for %q", asked)
	}
	if hearing := partOf(t, v.reply(c).Draft, "hearing"); !strings.Contains(hearing.Text, "at 11:35") {
		t.Fatalf("of the hearing it says %q", hearing.Text)
	}
	if now := version(); now != before+1 {
		t.Errorf("the draft with the corrected hearing is at version %d, and was at %d", now, before)
	}
}

// What one tab writes about a paragraph is not overwritten by another tab that has not read it; a save that is sent
// twice is stored once.
func TestSayingIsGuarded(t *testing.T) {
	p := start(t, withModel(t, &modeltest.Server{Answer: (&clerkModel{}).answer}))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	v.draftReply(c) // which proposes, and changes nothing of the person's
	say := func(revision, want int, said map[string]any) api.ReplyPoint {
		t.Helper()
		said["key"], said["revision"] = "1", revision
		v.post("/api/conversations/"+c+"/reply/points", said, want, nil)
		return v.reply(c).Points[0]
	}
	if got := say(0, 200, map[string]any{"facts": "From the first tab."}); got.Revision != 1 {
		t.Errorf("the first save makes revision %d", got.Revision)
	}
	if got := say(0, 409, map[string]any{"facts": "From the second tab."}); got.Facts != "From the first tab." {
		t.Errorf("a tab that had not seen it made of it %q", got.Facts)
	}
	if got := say(0, 409, map[string]any{"stance": "admit"}); got.Stance != "" {
		t.Errorf("a stance of a tab that had not seen the facts is %q", got.Stance)
	}
	got := say(0, 200, map[string]any{"facts": "From the first tab."}) // its response was lost
	if got = say(got.Revision, 200, map[string]any{"facts": "From the second tab.", "stance": "deny"}); got.Facts != "From the second tab." || got.Stance != "deny" {
		t.Errorf("after both were seen, what is said is %+v", got)
	}
	v.draftReply(c)
	if again := v.reply(c).Points[0]; again.Revision != got.Revision {
		t.Errorf("a proposal makes revision %d of %d", again.Revision, got.Revision)
	}
}
