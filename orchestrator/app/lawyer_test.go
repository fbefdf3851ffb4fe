package app_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

// sayIn asks a question with a practice area; it asks an earlier question again if replaces is set.
func (v *person) sayIn(conversation, text, area, replaces string) api.Turn {
	v.t.Helper()
	body := map[string]any{"text": text, "inputs": map[string]string{"area": area}}
	if replaces != "" {
		body["replaces"] = replaces
	}
	var turn api.Turn
	v.post("/api/conversations/"+conversation+"/messages", body, 202, &turn)
	return turn
}

// problemOf returns the problem with which a request is refused.
func (v *person) problemOf(path string, body any, status int) (p api.Problem) {
	v.t.Helper()
	v.post(path, body, status, &p)
	return p
}

// echo answers with the last line of the prompt.
func echo(r modeltest.Request) string {
	lines := strings.Split(strings.TrimSpace(r.Messages[len(r.Messages)-1].Content), "\n")
	return "About: " + lines[max(len(lines)-2, 0)]
}

// Questions are asked in each practice area, asked again and edited; what was replaced is stored, but no longer sent to
// the model.
func TestLawyer(t *testing.T) {
	fake := &modeltest.Server{Answer: echo}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converseWith("lawyer")
	messages := "/api/conversations/" + c + "/messages"

	for _, blank := range []map[string]any{{"text": " \n\t "}, {"text": "", "inputs": map[string]string{"area": "tax"}}} {
		if refused := v.problemOf(messages, blank, 422); refused.Code != "blank_message" || refused.Detail != "Write a question first." {
			t.Errorf("%v is refused with %+v", blank, refused)
		}
	}
	if refused := v.problemOf(messages, map[string]any{"text": "x", "inputs": map[string]string{"area": "criminal"}}, 422); refused.Detail != "Practice area: choose one of Corporate Law, Property Law, Tax Law, Employment Law." {
		t.Errorf("an unknown area is refused with %+v", refused)
	}
	for _, area := range []string{"corporate", "property", "tax", "employment", ""} {
		turn := v.sayIn(c, "What is due in "+area+"?", area, "")
		v.answer(c, turn)
		asked := fake.Requests()
		told := asked[len(asked)-1].Messages[0].Content
		if want := "As an AI legal expert in " + area + ", please provide advice on:\n\n[material: message]"; strings.Contains(told, want) != (area != "") {
			t.Errorf("in %q the model is told\n%s", area, told)
		}
	}
	d := v.detail(c)
	if d.Title != "What is due in corporate?" || d.Messages[2].Inputs["area"] != "property" || d.Messages[8].Inputs["area"] != "" {
		t.Errorf("the conversation is %q, its areas %v and %v", d.Title, d.Messages[2].Inputs, d.Messages[8].Inputs)
	}

	// Asked again with the same words, then with others; an older question can no longer be asked again.
	last := d.Messages[8].TurnID
	again := v.sayIn(c, "What is due in ?", "", last)
	v.answer(c, again)
	edited := v.sayIn(c, "What is due at once?", "tax", again.ID)
	v.answer(c, edited)
	d = v.detail(c)
	if n := len(d.Messages); n != 14 || d.Messages[8].Exchange != last || d.Messages[10].Exchange != last || d.Messages[12].Exchange != last || d.Messages[6].Exchange == last {
		t.Fatalf("%d messages: %+v", n, d.Messages)
	}
	if refused := v.problemOf(messages, map[string]any{"text": "x", "replaces": d.Messages[6].TurnID}, 409); refused.Code != "not_last" {
		t.Errorf("an older question is refused with %+v", refused)
	}
	if refused := v.problemOf(messages, map[string]any{"text": " ", "replaces": edited.ID}, 422); refused.Code != "blank_message" {
		t.Errorf("nothing instead of a question is refused with %+v", refused)
	}
	if refused := v.problemOf(messages, map[string]any{"text": "x", "replaces": c}, 404); refused.Code != "not_found" {
		t.Errorf("a turn that is none is refused with %+v", refused)
	}
	v.answer(c, v.say(c, "And then?"))
	asked := fake.Requests()
	told := said(asked[len(asked)-1])
	if strings.Contains(told, "due in ?") || strings.Count(told, "due at once?") != 2 || strings.Count(told, "due in employment?") != 2 {
		t.Errorf("after a question was asked anew the model is told\n%s", told)
	}
	told = said(asked[len(asked)-2])
	if strings.Contains(told, "due in ?") {
		t.Errorf("with a question that is asked anew the model is told what it replaces\n%s", told)
	}

	// A failed attempt does not replace the earlier answer.
	broken := modeltest.Behaviour{Status: 400}
	fake.Next(broken)
	failed := v.sayIn(c, "And then, please?", "", v.detail(c).Turn.ID)
	v.settled(c, failed.ID, "failed")
	v.answer(c, v.say(c, "And after that?"))
	asked = fake.Requests()
	if told = said(asked[len(asked)-1]); strings.Contains(told, "And then, please?") || strings.Count(told, "And then?") != 2 {
		t.Errorf("after an attempt that failed the model is told\n%s", told)
	}
}

// A message is refused while an answer is being written.
func TestOneReplyAtATime(t *testing.T) {
	held := make(chan struct{})
	fake := &modeltest.Server{Before: func(ctx context.Context, _ modeltest.Request, token int) {
		if token == 1 {
			select {
			case <-held:
			case <-ctx.Done():
			}
		}
	}}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converseWith("lawyer")
	turn := v.sayIn(c, "May I build?", "property", "")
	for _, body := range []map[string]any{{"text": "And a wall?"}, {"text": "May I build?", "replaces": turn.ID}} {
		refused := v.problemOf("/api/conversations/"+c+"/messages", body, 409)
		if refused.Code != "turn_in_progress" || refused.Detail != "An answer is still being written. Wait for it, or stop it first." {
			t.Errorf("%v is refused with %+v", body, refused)
		}
	}
	close(held)
	v.answer(c, turn)
}

// Conversations are found by their titles and messages, page by page; they are renamed, deleted and restored.
func TestConversationsAreFound(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	var ids []string
	for i := range 5 {
		c := v.converseWith("lawyer")
		v.answer(c, v.sayIn(c, fmt.Sprintf("Question %d of law", i), "", ""))
		ids = append(ids, c)
	}
	v.answer(ids[1], v.sayIn(ids[1], "What of 100% export units?", "", ""))
	v.converseWith("lawyer") // it has no messages
	list := func(query string) (found []string, more bool) {
		var l api.ConversationList
		v.get("/api/conversations?plugin=lawyer&"+query, &l)
		for _, c := range l.Conversations {
			found = append(found, c.Title)
		}
		return found, l.More
	}
	expect := func(query string, more bool, want ...string) {
		t.Helper()
		if got, m := list(query); strings.Join(got, "|") != strings.Join(want, "|") || m != more {
			t.Errorf("%s: %v, more %v; want %v", query, got, m, want)
		}
	}
	expect("", false, "Question 1 of law", "Question 4 of law", "Question 3 of law", "Question 2 of law", "Question 0 of law")
	expect("most=2", true, "Question 1 of law", "Question 4 of law")
	expect("most=2&skip=4", false, "Question 0 of law")
	expect("search="+url.QueryEscape("100% EXPORT"), false, "Question 1 of law")
	expect("search="+url.QueryEscape("100_ export"), false)
	expect("search="+url.QueryEscape("question  3"), false, "Question 3 of law")

	v.post("/api/conversations/"+ids[2]+"/title", map[string]string{"title": "  My\n house "}, 204, nil)
	expect("search=my+house", false, "My house")
	if refused := v.problemOf("/api/conversations/"+ids[2]+"/title", map[string]string{"title": " "}, 422); refused.Detail != "Enter a title first." {
		t.Errorf("no title is refused with %+v", refused)
	}
	p.visitor().problemOf("/api/conversations/"+ids[2]+"/title", map[string]string{"title": "Mine"}, 404)
	d := v.detail(ids[2])
	v.answer(ids[2], v.sayIn(ids[2], "Question 2 of law, in other words", "", d.Turn.ID))
	if got := v.detail(ids[2]).Title; got != "My house" {
		t.Errorf("the person's title became %q", got)
	}
	d = v.detail(ids[3])
	v.answer(ids[3], v.sayIn(ids[3], "Question three", "", d.Turn.ID))
	if got := v.detail(ids[3]).Title; got != "Question three" {
		t.Errorf("after the first question was edited the title is %q", got)
	}

	v.call("DELETE", "/api/conversations/"+ids[2], "", nil, 204, nil)
	expect("search=my+house", false)
	v.post("/api/conversations/"+ids[2]+"/restore", nil, 204, nil)
	expect("search=my+house", false, "My house")
}

// A conversation that is longer than the model's context continues with notes on its earlier part, which are paid for
// once and shown to the person.
func TestLongConversation(t *testing.T) {
	const noted = "- Asha Traders, Pune. Asked about leases."
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		if strings.Contains(said(r), "has grown longer than a model can take") {
			return noted
		}
		return "Yes. " + strings.Repeat("The lease is to be stamped and registered. ", 60)
	}}
	notes := func() (n int64) {
		for _, r := range fake.Requests() {
			if strings.Contains(said(r), "has grown longer than a model can take") {
				n++
			}
		}
		return n
	}
	var most atomic.Int64 // if the model is asked for more notes than this, it refuses everything
	most.Store(math.MaxInt64)
	model := withModel(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if notes() > most.Load() {
			http.Error(w, "{}", http.StatusBadRequest)
			return
		}
		fake.ServeHTTP(w, r)
	}))
	p := start(t, func(c *config.Config) { model(c); c.Model.ContextTokens = 8_000 })
	v := p.visitor()
	c := v.converseWith("lawyer")
	var answer api.Message
	turns := 0
	for answer.Provenance == nil || answer.Provenance.Earlier == nil {
		if turns++; turns > 12 {
			t.Fatal("the conversation does not grow too long")
		}
		answer = v.answer(c, v.say(c, fmt.Sprintf("Question %d, of Asha Traders?", turns)))
	}
	p.keepHistory(t, "notes", workflows.TurnWorkflowID(answer.TurnID))
	made, kept := notes(), answer.Provenance.Earlier
	d := v.detail(c)
	at := -1
	for i, m := range d.Messages {
		if m.TurnID == kept.Through {
			at = i
		}
	}
	if kept.Text != noted || made == 0 || kept.Messages != at+1 || at < 1 || at > len(d.Messages)-3 {
		t.Errorf("%d notes, %+v, the last message that they stand for is number %d of %d", made, kept, at, len(d.Messages))
	}
	requests := fake.Requests()
	told := said(requests[len(requests)-1])
	if !strings.Contains(told, "Notes stand for the earlier messages") || !strings.Contains(told, noted) || strings.Contains(told, "Question 1,") || !strings.Contains(told, fmt.Sprintf("Question %d,", turns)) {
		t.Errorf("the model is told\n%s", told)
	}
	taken := ""
	for _, r := range requests {
		if strings.Contains(said(r), "has grown longer than a model can take") {
			taken += said(r)
		}
	}
	if !strings.Contains(taken, "Person: Question 1, of Asha Traders? Assistant: Yes. The lease") {
		t.Errorf("the notes were taken on\n%s", taken)
	}

	// The next question uses the same notes.
	next := v.answer(c, v.say(c, "And what now?"))
	if notes() != made || next.Provenance.Earlier == nil || *next.Provenance.Earlier != *kept {
		t.Errorf("the next question took %d more notes, and has %+v", notes()-made, next.Provenance.Earlier)
	}

	// A question that fails after notes were taken does not take them again when it is retried.
	most.Store(made)
	var turn api.Turn
	for range 12 {
		turn = v.say(c, "And if the State is Goa, what is then to be paid, by whom, and when?")
		if d = v.settled(c, turn.ID); d.Turn.State == "failed" {
			break
		}
	}
	before := notes()
	if d.Turn.State != "failed" || before <= made {
		t.Fatalf("the turn is %s, after %d notes", d.Turn.State, before)
	}
	asked := len(fake.Requests())
	most.Store(math.MaxInt64)
	v.post("/api/turns/"+turn.ID+"/retry", nil, 202, &turn)
	answer = v.answer(c, turn)
	if notes() != before || len(fake.Requests()) != asked+1 || answer.Provenance.Earlier.Messages <= kept.Messages {
		t.Errorf("the retry asked %d times, %d of them for notes: %+v", len(fake.Requests())-asked, notes()-before, answer.Provenance.Earlier)
	}
}
