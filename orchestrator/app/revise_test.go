package app_test

import (
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"munshi/config"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

// strict turns on the rewriting of answers that contradict the facts, and waits only a second for a silent model.
func strict(model func(*config.Config)) func(*config.Config) {
	return func(c *config.Config) {
		model(c)
		c.Check.Revise, c.Model.IdleTimeout = true, time.Second
	}
}

// If the configuration allows it, an answer that contradicts the facts is rewritten once: the model gets its mistakes
// and its first answer. If the second answer is no better, the first stays. A reset does not ask again.
func TestRevision(t *testing.T) {
	const wrong, right = "The reply is due by 1 January 2031. The total demand is ₹77.", "The reply is due by 6 January 2025. Section 73 applies."
	for _, test := range []struct {
		name      string
		second    string // the answer when it is asked once more
		allowed   bool
		want      string
		asked     int
		revisions int
	}{
		{"not allowed", right, false, wrong, 1, 0},
		{"allowed", right, true, right, 2, 2},
		{"no better", wrong + " Indeed.", true, wrong, 2, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			again := func(r modeltest.Request) bool { return strings.Contains(string(r.Body), "contradicts them") }
			fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
				if again(r) {
					return test.second
				}
				return wrong
			}}
			set := withModel(t, fake)
			if test.allowed {
				set = strict(set)
			}
			p := start(t, set)
			v := p.visitor()
			c := v.converse()
			turn := v.hand(c, "testdata/notice.pdf", "")
			message := v.answer(c, turn)
			requests := fake.Requests()
			if message.Text != test.want || len(requests) != test.asked {
				t.Fatalf("the answer after %d questions is %q", len(requests), message.Text)
			}
			contradicted := 0
			for _, check := range message.Checks {
				if check.Verdict == "contradicts" {
					contradicted++
				}
			}
			if (contradicted == 0) != (test.want == right) {
				t.Errorf("the checks are %+v", message.Checks)
			}
			if message.Provenance.Revision != test.revisions || (message.Provenance.First == wrong) != (test.revisions == 2) {
				t.Errorf("the provenance is %+v", message.Provenance)
			}
			if test.asked == 2 {
				said := string(requests[1].Body)
				for _, part := range []string{"The total demand is ₹77.", "1 January 2031", "06.01.2025"} {
					if !again(requests[1]) || !strings.Contains(said, part) && !strings.Contains(said, strings.ReplaceAll(part, "06.01.2025", "6 January 2025")) {
						t.Errorf("%q is not in the second question", part)
					}
				}
			}
			if test.revisions == 2 {
				ids, _ := p.tasks(turn.ID)
				p.reset(turn.ID, ids[0])
				p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
				if again := v.answer(c, turn); again.Text != right || len(fake.Requests()) != 2 {
					t.Errorf("after a reset, %d questions were asked, and the answer is %q", len(fake.Requests()), again.Text)
				}
			}
		})
	}
}

// If the person stops the turn while an answer is being rewritten, the turn ends with the whole first answer.
func TestRevisionIsStopped(t *testing.T) {
	const wrong = "The reply is due by 1 January 2031. The total demand is ₹77."
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return wrong }}
	fake.Next(modeltest.Behaviour{}, modeltest.Behaviour{End: modeltest.Hang, After: 3})
	set := withModel(t, fake)
	p := start(t, strict(set))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	await(t, "the answer is written once more", func() bool { return len(fake.Requests()) == 2 })
	v.post("/api/turns/"+turn.ID+"/stop", nil, 202, nil)
	d := v.settled(c, turn.ID)
	if last := d.Messages[len(d.Messages)-1]; d.Turn.State != "stopped" || last.Text != wrong {
		t.Errorf("the turn is %s, and says %q", d.Turn.State, last.Text)
	}
}

// An answer is kept even if the model fails when asked to rewrite it: the rewriting is tried twice, with a
// shorter limit than the answer itself.
func TestRevisionGivesUp(t *testing.T) {
	const wrong = "The reply is due by 1 January 2031. The total demand is ₹77."
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return wrong }}
	fake.Next(modeltest.Behaviour{}, modeltest.Behaviour{Status: 503}, modeltest.Behaviour{Status: 503}, modeltest.Behaviour{Status: 503})
	set := withModel(t, fake)
	p := start(t, strict(set))
	v := p.visitor()
	c := v.converse()
	if message := v.answer(c, v.hand(c, "testdata/notice.pdf", "")); message.Text != wrong || message.Provenance.Revision != 0 {
		t.Errorf("the answer is %q", message.Text)
	}
	if asked := len(fake.Requests()); asked != 3 {
		t.Errorf("the model was asked %d times, want the answer and two tries to better it", asked)
	}
}
