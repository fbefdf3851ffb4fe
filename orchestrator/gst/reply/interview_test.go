package reply_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/reply"
)

// An answered question that decides stays in the interview, however many questions there are, so that the
// answer can be withdrawn.
func TestInterviewKeepsWhatWasAnswered(t *testing.T) {
	g := before([]gst.Page{{Text: papers(t)["points-73-notice-2017-18-late"]}})
	var points []defence.Point
	for i := range 15 {
		points = append(points, defence.Point{ID: fmt.Sprint("rule-", i), Verdict: defence.MayApply, Ask: "Is it so?", Plead: "It is so."})
	}
	keys := func() (keys []string) {
		for _, q := range reply.Questions(tables, g, points) {
			keys = append(keys, q.Key)
		}
		return keys
	}
	last := reply.AskDefence + "rule-14"
	if got := keys(); len(got) != reply.MostQuestions || slices.Contains(got, last) {
		t.Fatalf("before it is answered: %q", got)
	}
	g.Answers = map[string]reply.Response{last: {Holds: "yes"}}
	if got := keys(); len(got) != reply.MostQuestions || !slices.Contains(got, last) {
		t.Errorf("once it is answered: %q", got)
	}
}

// The words of an answer are in the letter in full, and words for a plea only if the person said that
// it is so.
func TestInterviewFillsTheDraft(t *testing.T) {
	g := before([]gst.Page{{Text: papers(t)["points-73-notice-2017-18-late"]}})
	long := strings.Repeat("A letter of 3 May asked for papers. ", 80) + "That was the last."
	g.Answers = map[string]reply.Response{"earlier": {Holds: "yes", Words: []string{long}}}
	if !strings.Contains(reply.Whole(reply.Parts(tables, g)), "That was the last") {
		t.Error("a long answer is cut")
	}
	g.Decides = []defence.Point{{ID: "rule", Title: "A rule", Verdict: defence.MayApply, Strength: defence.Ends, Ask: "Is it so?", Plead: "It was paid on […date]."}}
	for holds, filled := range map[string]bool{"yes": true, "": false, "no": false} {
		g.Answers[reply.AskDefence+"rule"] = reply.Response{Holds: holds, Words: []string{"the third of May"}}
		if strings.Contains(reply.Whole(reply.Parts(tables, g)), "the third of May") != filled {
			t.Errorf("said %q, the plea is filled: %t", holds, !filled)
		}
	}
}

// Two places that need the same kind of thing say which is which, in plain words of the plea.
func TestPlacesSayWhichIsMeant(t *testing.T) {
	g := before([]gst.Page{{Text: papers(t)["points-73-notice-2017-18-late"]}})
	points := []defence.Point{{ID: "rule", Title: "A rule", Verdict: defence.MayApply, Ask: "When was it?",
		Plead: "It was cancelled by a later order of […day], with effect from […day], for ₹5,49,500 […sum]."}}
	for _, q := range reply.Questions(tables, g, points) {
		if want := []string{"a later order of … day", "with effect from … day", "… sum"}; q.Key == reply.AskDefence+"rule" &&
			!slices.Equal(q.Places, want) {
			t.Errorf("%q, want %q", q.Places, want)
		}
	}
}
