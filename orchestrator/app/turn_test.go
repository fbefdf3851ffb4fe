package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/protobuf/proto"

	"munshi/config"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/recovery"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

const (
	uploadText = "I have uploaded a GST Show Cause Notice for analysis..."
	apology    = "I apologize, but I encountered an error while analyzing the notice. Please try again."
)

// The main task without a model: a notice is uploaded, which gives an analysis, the facts and the documents to
// collect; one of them is uploaded; a question is answered.
func TestNoticeWithoutModel(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	answer := v.answer(c, turn)
	for _, want := range []string{"DRC-01", "27ZAPCS4821K1Z6", "9,68,058", "DRC-06", "Required Document(s):"} {
		if !strings.Contains(answer.Text, want) {
			t.Errorf("the analysis does not have %q", want)
		}
	}
	if p := answer.Provenance; p == nil || p.Prompt != "notice/analyse" || p.PromptSHA == "" || p.Model == "" {
		t.Errorf("the provenance is %+v", p)
	}
	d := v.detail(c)
	if d.Messages[0].Text != uploadText || d.Messages[0].Role != "user" || len(d.Messages) != 2 {
		t.Errorf("the conversation begins with %+v", d.Messages[0])
	}
	if !strings.Contains(d.Title, "DRC-01") || d.Facts == nil || len(d.RequiredDocuments) == 0 {
		t.Errorf("title %q, %d required documents, facts %v", d.Title, len(d.RequiredDocuments), d.Facts != nil)
	}
	for _, s := range d.Turn.Steps {
		if s.State != "done" {
			t.Errorf("step %s is %s at the end", s.ID, s.State)
		}
	}
	v.findsFacts(d)
	if doc := d.Documents[0]; doc.Pages != 2 || doc.PagesRead != 2 || doc.Recognised != 0 {
		t.Errorf("the document is %+v", doc)
	}

	wanted := d.RequiredDocuments[0]
	turn = v.hand(c, "testdata/notice.pdf", wanted.Type)
	answer = v.answer(c, turn)
	d = v.detail(c)
	if got := d.RequiredDocuments[0]; got.State != "reviewed" || got.DocumentID == nil {
		t.Errorf("after its review the document is %+v", got)
	}
	if got := d.Messages[2].Text; got != "I have uploaded "+wanted.Type+" for analysis..." {
		t.Errorf("the upload reads %q", got)
	}
	before := len(d.RequiredDocuments)
	answer = v.answer(c, v.say(c, "By when must I reply?"))
	if !strings.Contains(answer.Text, "2025") {
		t.Errorf("the answer about the date is %q", answer.Text)
	}
	if got := len(v.detail(c).RequiredDocuments); got != before {
		t.Errorf("a question changed the list from %d to %d", before, got)
	}
	p.keepHistory(t, "analysis", workflows.TurnWorkflowID(v.detail(c).Messages[1].TurnID))
	p.keepHistory(t, "document", workflows.TurnWorkflowID(turn.ID))
	p.keepHistory(t, "chat", workflows.TurnWorkflowID(answer.TurnID))

	list := api.ConversationList{}
	v.get("/api/conversations?plugin=notice", &list)
	if len(list.Conversations) != 1 || list.Conversations[0].TurnState != "answered" {
		t.Errorf("the list is %+v", list)
	}
}

func TestScan(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/scan.pdf", "")
	notes := map[string]bool{}
	s := v.follow(c, "")
	for e := range s.events {
		now := e.turn()
		if now == nil {
			continue
		}
		for _, st := range now.Steps {
			notes[st.Note] = true
		}
		if now.State == "answered" || now.State == "failed" {
			break
		}
	}
	answer := v.answer(c, turn)
	if !strings.Contains(answer.Text, "REG-17") {
		t.Errorf("the analysis of the scan does not name its form:\n%.400s", answer.Text)
	}
	d := v.detail(c)
	if d.Documents[0].Recognised == 0 {
		t.Error("no page was recognised")
	}
	// The note that page 1 was recognised is shown for an instant, and the note on the next page for long.
	if !notes["Reading page 1 of 1"] {
		t.Errorf("the progress told was %v", notes)
	}
	v.findsFacts(d)
}

// findsFacts looks up each fact of the notice at the place that its evidence names.
func (v *person) findsFacts(d api.ConversationDetail) {
	v.t.Helper()
	document := "/api/documents/" + d.Documents[0].ID
	var list api.PageList
	v.get(document+"/pages", &list)
	if len(list.Pages) != d.Documents[0].Pages {
		v.t.Errorf("%d pages are listed of %d", len(list.Pages), d.Documents[0].Pages)
	}
	var facts struct {
		Evidence map[string]struct {
			Page  int
			Quote string
		}
	}
	must(v.t, json.Unmarshal(*d.Facts, &facts))
	if len(facts.Evidence) < 4 {
		v.t.Errorf("%d facts have evidence", len(facts.Evidence))
	}
	for fact, e := range facts.Evidence {
		var page api.PageText
		v.get(fmt.Sprintf("%s/pages/%d", document, e.Page), &page)
		var anywhere, there api.FoundQuote
		v.post(document+"/find", map[string]any{"quote": e.Quote}, 200, &anywhere)
		v.post(document+"/find", map[string]any{"quote": e.Quote, "page": e.Page}, 200, &there)
		if anywhere.Page == nil || there.Page == nil || *there.Page != e.Page || len(there.Boxes) == 0 {
			v.t.Errorf("%s: %q was read on page %d and is found at %+v", fact, e.Quote, e.Page, there)
			continue
		}
		var marked []string
		for _, w := range page.Words {
			for _, b := range there.Boxes {
				if w.Box.X0 >= b.X0 && w.Box.X1 <= b.X1 && w.Box.Y0 >= b.Y0 && w.Box.Y1 <= b.Y1 {
					marked = append(marked, w.Text)
				}
			}
		}
		if first, _, _ := strings.Cut(e.Quote, " "); !strings.Contains(strings.Join(marked, " "), first) {
			v.t.Errorf("%s: %q marks %q", fact, e.Quote, marked)
		}
	}
	var nowhere api.FoundQuote
	v.post(document+"/find", map[string]any{"quote": "words that nobody wrote"}, 200, &nowhere)
	if nowhere.Page != nil || len(nowhere.Boxes) != 0 {
		v.t.Errorf("words that nobody wrote are found at %+v", nowhere)
	}
	v.call("GET", document+"/pages/99", "", nil, 404, nil)
}

// The streamed text equals the stored text, whoever listens, and from whichever point they resume.
func TestStreamIsWhatIsKept(t *testing.T) {
	fake := &modeltest.Server{TokenDelay: 4 * time.Millisecond}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	first := v.follow(c, "")
	var text, lastID, atSnapshot string
	pieces := 0
	for e := range first.events {
		text, lastID = gather(t, e, text, lastID)
		if e.name == "text" {
			if pieces++; pieces == 3 {
				break // a reload in the middle of the stream
			}
		}
	}
	first.close()
	resumed := v.follow(c, lastID)
	fresh := v.follow(c, "")
	fromPast := v.follow(c, "3")
	for e := range resumed.events {
		if e.name == "snapshot" {
			t.Error("coming back with the last id gave a snapshot")
		}
		text, lastID = gather(t, e, text, lastID)
		if now := e.turn(); now != nil && now.State == "answered" {
			break
		}
	}
	kept := v.answer(c, turn)
	if text != kept.Text {
		t.Errorf("streamed and kept differ:\n%q\n%q", text, kept.Text)
	}
	for name, s := range map[string]*stream{"a newcomer": fresh, "someone with an id of the past": fromPast} {
		text, id := "", ""
		for e := range s.events {
			if e.name == "snapshot" && atSnapshot == "" {
				atSnapshot = "seen"
			}
			text, id = gather(t, e, text, id)
			if now := e.turn(); now != nil && now.State == "answered" {
				break
			}
		}
		if text != kept.Text {
			t.Errorf("%s got another text", name)
		}
	}
	if got := fake.Requests(); len(got) != 1 {
		t.Errorf("the model was asked %d times", len(got))
	}
	if kept.Provenance.OutputTokens == 0 || kept.Provenance.Model != "stand-in" {
		t.Errorf("the provenance is %+v", kept.Provenance)
	}
	if len(v.detail(c).RequiredDocuments) == 0 {
		t.Error("no required documents were taken from the model's answer")
	}
}

func gather(t *testing.T, e event, text, id string) (string, string) {
	t.Helper()
	if e.id != "" {
		id = e.id
	}
	switch e.name {
	case "snapshot":
		var s api.SnapshotEvent
		must(t, json.Unmarshal(e.data, &s))
		return s.Text, id
	case "text":
		var s api.TextEvent
		must(t, json.Unmarshal(e.data, &s))
		return text + s.Text, id
	}
	return text, id
}

func TestStop(t *testing.T) {
	fake := &modeltest.Server{TokenDelay: 30 * time.Millisecond}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "Tell me everything.")
	s := v.follow(c, "")
	seen, id := "", ""
	for e := range s.events {
		if seen, id = gather(t, e, seen, id); seen != "" {
			break
		}
	}
	v.post("/api/turns/"+turn.ID+"/stop", nil, 202, nil)
	d := v.settled(c, turn.ID)
	last := d.Messages[len(d.Messages)-1]
	if d.Turn.State != "stopped" || last.State != "stopped" || !strings.HasPrefix(last.Text, seen) {
		t.Fatalf("after the stop: turn %s, message %s %q, seen %q", d.Turn.State, last.State, last.Text, seen)
	}
	p.keepHistory(t, "stopped", workflows.TurnWorkflowID(turn.ID))
	v.post("/api/turns/"+turn.ID+"/stop", nil, 202, nil)  // a repeated request changes nothing
	v.post("/api/turns/"+turn.ID+"/retry", nil, 409, nil) // another answer is another use
	if d := v.detail(c); len(d.Messages) != 2 || d.Messages[1].Text != last.Text {
		t.Errorf("after the retry of what was answered in part: %+v", d.Messages)
	}
	if answer := v.answer(c, v.say(c, "Then shortly.")); answer.State != "complete" {
		t.Errorf("the next answer is %s", answer.State)
	}
}

// A run whose write was refused although it still owns its open turn tries again: if its workflow ended, nobody
// would work on the turn. A run that has ended its turn stops.
func TestRefusedButStillItsTurn(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "What is section 16(4)?")
	v.answer(c, turn)
	db, run := p.connect(), ""
	r := store.Ref{Workspace: uuid.MustParse(p.ownerOf(c)), Conversation: uuid.MustParse(c), Turn: uuid.MustParse(turn.ID)}
	must(t, db.QueryRow(t.Context(), "select run_id from turns where id = $1", r.Turn).Scan(&run))
	r.Run = run
	refused := func() bool {
		err := activities.FencedTurn(t.Context(), p.app.Store, r, store.ErrSuperseded)
		return errors.Is(err, workflows.ErrSuperseded)
	}
	if !refused() {
		t.Error("a run that has ended its turn goes on")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel() // as when the database does not answer
	if err := activities.FencedTurn(gone, p.app.Store, r, store.ErrSuperseded); err == nil || errors.Is(err, workflows.ErrSuperseded) {
		t.Errorf("a run whose turn cannot be looked up is let go: %v", err)
	}
	for state, want := range map[string]bool{"running": false, "failed": true} {
		_, err := db.Exec(t.Context(), "update turns set state = $2 where id = $1", r.Turn, state)
		must(t, err)
		if refused() != want {
			t.Errorf("a run whose turn is %s is told that it was superseded: %t, want %t", state, !want, want)
		}
	}
	r.Run = uuid.NewString()
	if _, err := db.Exec(t.Context(), "update turns set state = 'running' where id = $1", r.Turn); err != nil || !refused() {
		t.Errorf("another run goes on with the turn of this one (%v)", err)
	}
	_, err := db.Exec(t.Context(), "update turns set state = 'answered' where id = $1", r.Turn)
	must(t, err)
}

// A refused request fails the turn with a reason that the person and the operator can read; a retry continues from
// the failed step.
func TestFailAndRetry(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{Status: 400})
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	d := v.settled(c, turn.ID)
	last := d.Messages[len(d.Messages)-1]
	if d.Turn.State != "failed" || last.State != "failed" || last.Text != apology || d.Turn.Error == nil || d.Turn.Error.Code != "model_refused" {
		t.Fatalf("after a 400: turn %s, error %+v, message %+v", d.Turn.State, d.Turn.Error, last)
	}
	run, err := p.app.Temporal.DescribeWorkflowExecution(t.Context(), workflows.TurnWorkflowID(turn.ID), "")
	must(t, err)
	if got := run.GetWorkflowExecutionInfo().GetStatus(); got != enums.WORKFLOW_EXECUTION_STATUS_FAILED {
		t.Errorf("the workflow is %s", got)
	}
	p.keepHistory(t, "failed", workflows.TurnWorkflowID(turn.ID))
	pages := p.pagesReadAt(t, d.Documents[0].ID)

	v.post("/api/turns/"+turn.ID+"/retry", nil, 202, nil)
	answer := v.answer(c, turn)
	if d = v.detail(c); len(d.Messages) != 2 {
		t.Errorf("%d messages after the retry: the apology is to be replaced", len(d.Messages))
	}
	if !strings.Contains(answer.Text, "Required Document") || len(fake.Requests()) != 2 {
		t.Errorf("%d requests, answer %.80q", len(fake.Requests()), answer.Text)
	}
	if again := p.pagesReadAt(t, d.Documents[0].ID); again != pages {
		t.Error("pages were read again")
	}
	p.keepHistory(t, "retried", workflows.TurnWorkflowID(turn.ID))
}

func (p *product) pagesReadAt(t *testing.T, document string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var at string
	must(t, conn.QueryRow(t.Context(), "select string_agg(read_at::text, ' ' order by number) from pages where document_id = $1", document).Scan(&at))
	return at
}

// A turn fails, and is charged to nobody, if nothing could be read or the model returned nothing; a retry asks
// again.
func TestNothingReadAndNothingAnswered(t *testing.T) {
	fake := &modeltest.Server{}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	spent := func() (used int) {
		var me api.Me
		v.get("/api/me", &me)
		return me.Used
	}
	c := v.converse()
	var turn api.Turn
	v.upload(c, "blank.pdf", "application/pdf", "", blankPDF(), 202, &turn)
	d := v.settled(c, turn.ID)
	if d.Turn.State != "failed" || d.Turn.Error == nil || d.Turn.Error.Code != "nothing_read" || len(fake.Requests()) != 0 {
		t.Errorf("after a PDF without words: turn %s, error %+v, %d requests", d.Turn.State, d.Turn.Error, len(fake.Requests()))
	}

	for _, nothing := range []string{" \n", "**\n---\n\u200b"} {
		fake.Next(modeltest.Behaviour{Text: &nothing})
		c = v.converse()
		turn = v.say(c, "What is a show cause notice?")
		d = v.settled(c, turn.ID)
		if d.Turn.State != "failed" || d.Turn.Error == nil || d.Turn.Error.Code != "model_empty" || d.Turn.Error.Sentence != "Sorry, I could not generate a response." {
			t.Errorf("after the empty answer %q: turn %s, error %+v", nothing, d.Turn.State, d.Turn.Error)
		}
	}
	if used := spent(); used != 0 {
		t.Errorf("%d uses are charged for nothing", used)
	}
	v.post("/api/turns/"+turn.ID+"/retry", nil, 202, nil)
	if answer := v.answer(c, turn); answer.Text != modeltest.Answer(fake.Requests()[2]) || spent() != 1 {
		t.Errorf("after Retry: answer %.80q, %d uses", answer.Text, spent())
	}
}

// blankPDF is a PDF with one empty page.
func blankPDF() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for _, object := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%sendobj\n", len(at), object)
	}
	table := b.Len()
	b.WriteString("xref\n0 4\n0000000000 65535 f \n")
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table)
	return b.Bytes()
}

// After a temporary failure the model is asked again, at the time that the provider names and not sooner, and the
// text written so far disappears from the screen; after a permanent failure it is not asked again.
func TestModelFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fault modeltest.Behaviour
		wait  time.Duration
		stale bool // text was shown before
		final string
	}{
		"rate limit": {fault: modeltest.RateLimited("7"), wait: 7 * time.Second},
		"500":        {fault: modeltest.Behaviour{Status: 500}},
		"502":        {fault: modeltest.Behaviour{Status: 502, Body: "<html>bad gateway</html>"}},
		"cut":        {fault: modeltest.Behaviour{End: modeltest.Cut, After: 5}},
		"silence":    {fault: modeltest.Behaviour{End: modeltest.Hang, After: 5}, stale: true},
		"400":        {fault: modeltest.Behaviour{Status: 400}, final: "model_refused"},
		"401":        {fault: modeltest.Behaviour{Status: 401}, final: "model_bad_key"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(c.fault)
			model := withModel(t, fake)
			p := start(t, strict(model))
			v := p.visitor()
			conversation := v.converse()
			screen := v.follow(conversation, "")
			began := time.Now()
			turn := v.say(conversation, "What is a show cause notice?")
			if c.final != "" {
				if d := v.settled(conversation, turn.ID); d.Turn.State != "failed" || d.Turn.Error.Code != c.final || len(fake.Requests()) != 1 {
					t.Errorf("after %d requests the turn is %s %+v", len(fake.Requests()), d.Turn.State, d.Turn.Error)
				}
				return
			}
			seen, id, stale := "", "", false
			for e := range screen.events {
				before := seen
				seen, id = gather(t, e, seen, id)
				stale = stale || before != "" && seen == ""
				if now := e.turn(); now != nil && now.State == "answered" {
					break
				}
			}
			answer := v.answer(conversation, turn)
			if took := time.Since(began); took < c.wait {
				t.Errorf("asked again after %v, the provider asked for %v", took, c.wait)
			}
			if len(fake.Requests()) != 2 || answer.Text != modeltest.Answer(fake.Requests()[1]) || seen != answer.Text {
				t.Errorf("%d requests; the answer is %.60q, the screen has %.60q", len(fake.Requests()), answer.Text, seen)
			}
			if c.stale && !stale {
				t.Error("what the first attempt wrote was not cleared")
			}
		})
	}
}

// The findings of the check are stored with the answer: a provision that does not exist, and a truncated
// end.
func TestFindings(t *testing.T) {
	fake := &modeltest.Server{}
	text := "Under section 999 of the CGST Act, 2017 the demand lapses"
	fake.Next(modeltest.Behaviour{Text: &text, Finish: "length"})
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	answer := v.answer(c, v.say(c, "Is the demand good?"))
	if len(answer.Checks) != 3 || answer.Checks[0].Verdict != "unknown" || answer.Checks[0].Quote != "section 999" || answer.Checks[0].Act != "CGST Act" ||
		answer.Checks[1].Code != "scope" || answer.Checks[2].Code != "cut_off" {
		t.Errorf("the findings are %+v", answer.Checks)
	}
}

// A text longer than the model's context is read in parts, each paid for once, and then as a whole.
func TestLongNoticeInParts(t *testing.T) {
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "Draft reply") {
				return "## What this notice is\n\nThe whole."
			}
		}
		return "Notes on a part."
	}}
	model := withModel(t, fake)
	p := start(t, func(c *config.Config) {
		model(c)
		c.Model.ContextTokens = 14_500 // the prompt, the facts and the answer take most of it
	})
	v := p.visitor()
	c := v.converse()
	answer := v.answer(c, v.hand(c, "testdata/twice.pdf", ""))
	p.keepHistory(t, "parts", workflows.TurnWorkflowID(answer.TurnID))
	requests := fake.Requests()
	if len(requests) < 3 {
		t.Fatalf("the model was asked %d times, want the parts and the whole", len(requests))
	}
	all := ""
	for _, r := range requests[:len(requests)-1] {
		for _, m := range r.Messages {
			all += m.Content
		}
	}
	for _, words := range []string{"SAHYADRI AGROVET", "Non-payment of tax under reverse charge", "You may make your reply in FORM GST DRC-06"} {
		if !strings.Contains(all, words) {
			t.Errorf("no part had %q", words)
		}
	}
	if answer.Provenance.Prompt != "notice/analyse" || !strings.Contains(answer.Text, "The whole.") {
		t.Errorf("the answer is of %s: %q", answer.Provenance.Prompt, answer.Text)
	}
}

func TestRefusedUploads(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	pdf, err := os.ReadFile("testdata/notice.pdf")
	must(t, err)
	for name, f := range map[string]struct {
		name, kind string
		content    []byte
		status     int
		code       string
	}{
		"another name":       {"notice.txt", "application/pdf", pdf, 415, "not_pdf"},
		"a different type":   {"notice.pdf", "text/plain", pdf, 415, "not_pdf"},
		"other bytes":        {"notice.pdf", "application/pdf", []byte("MZ\x90 this is a program"), 415, "not_pdf"},
		"empty":              {"notice.pdf", "application/pdf", nil, 422, "empty"},
		"nothing but a mark": {"notice.pdf", "application/pdf", []byte("%PDF-1.7\n"), 422, "damaged"},
		"a PDF as a picture": {"notice.jpg", "image/jpeg", pdf, 415, "not_pdf"},
		"a picture cut off":  {"notice.jpg", "image/jpeg", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), 422, "damaged"},
	} {
		var problem api.Problem
		v.upload(c, f.name, f.kind, "", f.content, f.status, &problem)
		if problem.Code != f.code || problem.Detail == "" {
			t.Errorf("%s: %+v", name, problem)
		}
		if f.code == "not_pdf" && !strings.Contains(problem.Detail, "Please upload a PDF, JPEG, PNG, WebP or HEIC file") {
			t.Errorf("%s says %q", name, problem.Detail)
		}
	}
	if d := v.detail(c); len(d.Messages) != 0 || len(d.Documents) != 0 {
		t.Error("a refused upload left something behind")
	}
}

// Photographs are the pages of one document, in the order of their upload, and from then on it is a PDF.
func TestPhotographsAreOneDocument(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	photograph, err := os.ReadFile("../document/testdata/photograph.webp")
	must(t, err)
	var blank bytes.Buffer
	must(t, png.Encode(&blank, image.NewNRGBA(image.Rect(0, 0, 300, 100))))
	var turn api.Turn
	// The name of the file does not matter, as long as it is a picture.
	form, body := uploadForm(t, "IMG_2031.jfif", "application/octet-stream", "", photograph, blank.Bytes())
	v.call("POST", "/api/conversations/"+c+"/documents", form, body, 202, &turn)
	detail := v.settled(c, turn.ID)
	if len(detail.Documents) != 1 || detail.Documents[0].Name != "IMG_2031.pdf" || detail.Documents[0].Pages != 2 {
		t.Fatalf("documents %+v", detail.Documents)
	}
	var pages api.PageList
	v.get("/api/documents/"+detail.Documents[0].ID+"/pages", &pages)
	if len(pages.Pages) != 2 || pages.Pages[0].Method != "recognition" || pages.Pages[0].Height != 842 || pages.Pages[1].Width != 842 {
		t.Errorf("pages %+v", pages)
	}
	var found api.FoundQuote
	v.post("/api/documents/"+detail.Documents[0].ID+"/find", map[string]any{"quote": "Rakesh Bidhuri"}, 200, &found)
	if found.Page == nil || *found.Page != 1 || len(found.Boxes) == 0 {
		t.Errorf("the officer's name is at %+v", found)
	}
}

func TestWhoMayWhat(t *testing.T) {
	p := start(t, nil)
	v, stranger := p.visitor(), p.visitor()
	c := v.converse()
	stranger.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	v.answer(c, turn)
	document := v.detail(c).Documents[0].ID
	for _, path := range []string{"/api/conversations/" + c, "/api/documents/" + document, "/api/documents/" + document + "/pages",
		"/api/documents/" + document + "/pages/1", "/api/conversations/" + c + "/events"} {
		stranger.call("GET", path, "", nil, 404, nil)
		p.visitor().call("GET", path, "", nil, 404, nil) // without any session
	}
	for _, path := range []string{"/api/turns/" + turn.ID + "/stop", "/api/turns/" + turn.ID + "/retry"} {
		stranger.post(path, nil, 404, nil)
	}
	stranger.post("/api/documents/"+document+"/find", map[string]string{"quote": "GSTIN"}, 404, nil)
	stranger.post("/api/conversations/"+c+"/messages", map[string]string{"text": "hello"}, 404, nil)
	v.post("/api/conversations/"+c+"/messages", map[string]string{"text": " \n\t"}, 422, nil)
	v.call("GET", "/api/conversations/not-an-id", "", nil, 404, nil)
	v.post("/api/turns/"+turn.ID+"/retry", nil, 409, nil) // it was answered
	v.call("GET", "/api/conversations?plugin=%00%ff", "", nil, 200, nil)
	v.post("/api/conversations", map[string]string{"plugin": "no such"}, 404, nil)
	v.call("GET", "/api/nowhere", "", nil, 404, nil)
}

// A turn that was accepted and whose workflow was never started is started by the reconciler, and one whose workflow
// was terminated ends as failed and can be retried.
func TestSweep(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.say(c, "Hello?"))
	turn := v.say(c, "And now?")
	v.answer(c, turn)

	// As if the API had died between storing the turn and starting its workflow.
	detail, err := p.app.Store.OpenTurns(t.Context(), time.Now().Add(time.Hour), true)
	must(t, err)
	if len(detail) != 0 {
		t.Fatalf("turns are still open: %+v", detail)
	}
	workspace := p.workspaceOf(t, turn.ID)
	lost, _, err := p.app.Store.Accept(t.Context(), store.NewTurn{Workspace: workspace, Conversation: uuid.MustParse(c), Text: "Is anyone there?", Kind: "chat"})
	must(t, err)
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(time.Hour), true))
	v.answer(c, api.Turn{ID: lost.ID.String()})
}

// As after a power cut in which Temporal lost its latest writes: the store still knows what was accepted, and what
// was done.
func TestWorkflowsThatAreGone(t *testing.T) {
	gate := make(chan struct{})
	asked := make(chan struct{}, 8)
	p := start(t, withModel(t, &modeltest.Server{Answer: func(modeltest.Request) string {
		asked <- struct{}{}
		<-gate
		return askForTwo
	}}))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	<-asked
	pages := p.pagesReadAt(t, v.detail(c).Documents[0].ID)
	p.forget(workflows.TurnWorkflowID(turn.ID))
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(time.Hour), true))
	close(gate)
	v.answer(c, turn)
	if d := v.detail(c); len(d.Messages) != 2 || p.pagesReadAt(t, d.Documents[0].ID) != pages {
		t.Errorf("%d messages, or pages were read again", len(d.Messages))
	}

	v.followUp(c, "waiting")
	id := workflows.FollowUpWorkflowID(c)
	p.forget(id)
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(recovery.WakeFollowUps/2), false))
	if state, err := p.app.Work.StateOf(t.Context(), id); err != nil || state != workflows.Missing {
		t.Errorf("a follow-up that was woken lately is %s %v", state, err)
	}
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(recovery.WakeFollowUps+time.Hour), false))
	p.waiting(c, func(s workflows.FollowUpState) bool { return s.Needed == 2 })
}

// forget makes Temporal lose a workflow.
func (p *product) forget(id string) {
	p.t.Helper()
	_, err := p.app.Temporal.WorkflowService().DeleteWorkflowExecution(p.t.Context(), &workflowservice.DeleteWorkflowExecutionRequest{
		Namespace: p.app.Config.Temporal.Namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: id}})
	must(p.t, err)
	await(p.t, "workflow "+id+" is gone", func() bool {
		state, err := p.app.Work.StateOf(p.t.Context(), id)
		must(p.t, err)
		return state == workflows.Missing
	})
}

func TestTerminatedTurn(t *testing.T) {
	fake := &modeltest.Server{Latency: time.Minute}
	p := start(t, withModel(t, fake))
	const failed = `munshi_turns_total{kind="chat",plugin="notice",state="failed"}`
	before := p.metric(failed)
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "A question")
	v.settled(c, turn.ID, "running")
	must(t, p.app.Temporal.TerminateWorkflow(t.Context(), workflows.TurnWorkflowID(turn.ID), "", "by an operator"))
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(time.Hour), true))
	d := v.settled(c, turn.ID)
	if d.Turn.State != "failed" || d.Turn.Error.Code != "workflow_closed" {
		t.Fatalf("a terminated turn is %s %+v", d.Turn.State, d.Turn.Error)
	}
	if counted := p.metric(failed) - before; counted != 1 {
		t.Errorf("%s grew by %v, want 1", failed, counted)
	}
}

// No payload of a turn is large, and no text of a person is in its history.
func TestHistoryHoldsNoText(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	v.answer(c, turn)
	question := v.say(c, "Does SAHYADRI AGROVET owe freight tax?")
	v.answer(c, question)
	for _, id := range []string{turn.ID, question.ID} {
		for _, e := range p.history(t, workflows.TurnWorkflowID(id)).GetEvents() {
			raw, err := proto.Marshal(e)
			must(t, err)
			if len(raw) > 16<<10 {
				t.Errorf("event %s has %d bytes", e.GetEventType(), len(raw))
			}
			if strings.Contains(string(raw), "SAHYADRI") || strings.Contains(string(raw), "freight") {
				t.Errorf("event %s holds the person's words", e.GetEventType())
			}
		}
	}
}

// workspaceOf ignores row-level security, which only tests do.
func (p *product) workspaceOf(t *testing.T, turn string) uuid.UUID {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var id uuid.UUID
	must(t, conn.QueryRow(t.Context(), "select workspace_id from turns where id = $1", turn).Scan(&id))
	return id
}
