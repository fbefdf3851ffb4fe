package app_test

import (
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/api"
)

// A person's answers fill the draft, are stored with their author and time, and the signatory is known for the
// client's next notice.
func TestInterview(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	at := "/api/conversations/" + c + "/reply/"

	var r api.Reply
	v.post(at+"taxpayer", map[string]any{
		"signatory": "Asha  Rao", "designation": "Partner", "place": "Pune", "representative": "", "enrolment": "",
	}, 200, &r)
	if r.Taxpayer == nil || r.Taxpayer.GSTIN != "27ZAPCS4821K1Z6" || r.Taxpayer.Signatory != "Asha Rao" {
		t.Fatalf("kept is %+v", r.Taxpayer)
	}

	var in api.Interview
	v.get(at+"interview", &in)
	if len(in.Questions) < 4 || len(in.Questions) > 10 || in.Questions[0].Key != "served_on" {
		t.Fatalf("asked is %+v", in.Questions)
	}
	say := func(key string, want int, answer map[string]any) api.InterviewQuestion {
		t.Helper()
		answer["key"] = key
		v.post(at+"interview", answer, want, &in)
		i := slices.IndexFunc(in.Questions, func(q api.InterviewQuestion) bool { return q.Key == key })
		if i < 0 {
			return api.InterviewQuestion{}
		}
		return in.Questions[i]
	}
	say("served_on", 422, map[string]any{"words": []string{"on a Monday"}})
	say("served_on", 422, map[string]any{"words": []string{"2019-01-01"}}) // before the notice
	say("no such question", 404, map[string]any{"words": []string{"x"}})
	if q := say("papers", 200, map[string]any{"words": []string{"a paper that nobody asked for"}}); len(q.Words) > 0 || q.At != nil {
		t.Errorf("a paper that nobody asked for is kept: %+v", q)
	}
	if q := say("served_on", 200, map[string]any{"words": []string{"2024-12-10"}}); !slices.Equal(q.Words, []string{"2024-12-10"}) || q.By != "owner" || q.At == nil {
		t.Errorf("the day of service is %+v", q)
	}
	if q := say("earlier", 200, map[string]any{"holds": "yes", "words": []string{"DRC-01A of 1 November 2024"}}); q.Holds != "yes" || q.At == nil {
		t.Errorf("the earlier papers are %+v", q)
	}
	asked := in.Questions[slices.IndexFunc(in.Questions, func(q api.InterviewQuestion) bool { return strings.HasPrefix(q.Key, "para:") })]
	para := asked.Key
	facts := []string{"The suppliers reported in April."}
	// What was written about the paragraph in another tab is not overwritten until this tab has
	// read it.
	v.post(at+"points", map[string]any{"key": strings.TrimPrefix(para, "para:"), "facts": "From another tab."}, 200, &r)
	say(para, 409, map[string]any{"words": facts, "revision": asked.Revision})
	v.get(at+"interview", &in)
	now := in.Questions[slices.IndexFunc(in.Questions, func(q api.InterviewQuestion) bool { return q.Key == para })]
	if !slices.Equal(now.Words, []string{"From another tab."}) || now.Revision == asked.Revision {
		t.Fatalf("after a refusal the paragraph says %+v", now)
	}
	say(para, 200, map[string]any{"words": facts, "revision": now.Revision})
	for _, unknown := range []bool{true, false} { // the words are there before and after
		if q := say(para, 200, map[string]any{"words": facts, "unknown": unknown}); q.Unknown != unknown || !slices.Equal(q.Words, facts) {
			t.Errorf("the facts of a paragraph are %+v", q)
		}
	}
	v.draftReply(c)
	r = v.reply(c)
	var text strings.Builder
	for _, part := range r.Draft.Parts {
		text.WriteString(part.Text + "\n")
	}
	for _, want := range []string{"I, Asha Rao, Partner of the Noticee", "Place: Pune", "served on 10.12.2024", "DRC-01A of 1 November 2024", "The suppliers reported in April."} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the draft does not say %q", want)
		}
	}

	// Each date and amount leads to its source: the page of the notice, or the answer and its date.
	sources := map[string]api.Check{}
	for _, part := range r.Draft.Parts {
		for _, c := range part.Checks {
			if c.Code == "figure" {
				sources[c.Quote] = c
			}
		}
	}
	if c := sources["10.12.2024"]; c.Verdict != "answered" || !strings.Contains(c.Message, "Question: On which date") {
		t.Errorf("the day of service comes from %+v", c)
	}
	if c := sources["05.12.2024"]; c.Verdict != "in_document" || c.Page != 1 || c.Words != "05/12/2024" {
		t.Errorf("the date of the notice comes from %+v", c)
	}

	earlier := []string{"DRC-01A of 1 November 2024"}
	if q := say("earlier", 200, map[string]any{"words": earlier, "unknown": true}); !q.Unknown || q.Holds != "" || !slices.Equal(q.Words, earlier) {
		t.Errorf("not known is kept as %+v", q)
	}
	if q := say("earlier", 200, map[string]any{}); q.Unknown || q.At != nil {
		t.Errorf("taken back it is %+v", q)
	}

	next := v.converse() // the next notice of the same client
	v.answer(next, v.hand(next, "testdata/notice.pdf", ""))
	if r = v.reply(next); r.Taxpayer == nil || r.Taxpayer.Signatory != "Asha Rao" {
		t.Errorf("for the next notice there is %+v", r.Taxpayer)
	}
	stranger := p.visitor()
	stranger.converse()
	stranger.call("GET", at+"interview", "", nil, 404, nil)
}
