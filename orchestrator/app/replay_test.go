package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

// reset does what the Temporal Web UI's Reset and `temporal workflow reset --event-id` do with their defaults: signals
// that came later are applied again.
func (p *product) reset(turn string, event int64) {
	p.t.Helper()
	id := workflows.TurnWorkflowID(turn)
	d, err := p.app.Temporal.DescribeWorkflowExecution(p.t.Context(), id, "")
	must(p.t, err)
	_, err = p.app.Temporal.ResetWorkflowExecution(p.t.Context(), &workflowservice.ResetWorkflowExecutionRequest{
		Namespace: p.app.Config.Temporal.Namespace, WorkflowExecution: &commonpb.WorkflowExecution{WorkflowId: id, RunId: d.GetWorkflowExecutionInfo().GetExecution().GetRunId()},
		Reason: "by an operator", RequestId: uuid.NewString(), WorkflowTaskFinishEventId: event,
	})
	must(p.t, err)
}

// tasks returns the ids of the completed workflow tasks of the turn's latest run: what the Web UI offers to reset to.
func (p *product) tasks(turn string) (ids []int64, beforeFailure int64) {
	p.t.Helper()
	iter := p.app.Temporal.GetWorkflowHistory(p.t.Context(), workflows.TurnWorkflowID(turn), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	scheduled := map[int64]int64{}
	for iter.HasNext() {
		e, err := iter.Next()
		must(p.t, err)
		switch e.GetEventType() {
		case enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED:
			ids = append(ids, e.GetEventId())
		case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
			scheduled[e.GetEventId()] = e.GetActivityTaskScheduledEventAttributes().GetWorkflowTaskCompletedEventId()
		case enums.EVENT_TYPE_ACTIVITY_TASK_FAILED:
			beforeFailure = scheduled[e.GetActivityTaskFailedEventAttributes().GetScheduledEventId()]
		}
	}
	return ids, beforeFailure
}

// An analysis fails for a reason that someone then corrects; whoever repeats it, and from whichever point, no
// finished step is repeated, and the answer replaces the apology, once.
func TestReplayOfAFailure(t *testing.T) {
	retry := func(p *product, v *person, turn api.Turn) { v.post("/api/turns/"+turn.ID+"/retry", nil, 202, nil) }
	resetTo := func(point func(p *product, turn string) int64) func(*product, *person, api.Turn) {
		return func(p *product, _ *person, turn api.Turn) { p.reset(turn.ID, point(p, turn.ID)) }
	}
	beforeFailure := func(p *product, turn string) int64 { _, at := p.tasks(turn); return at }
	firstTask := func(p *product, turn string) int64 { ids, _ := p.tasks(turn); return ids[0] }

	for name, again := range map[string]func(*product, *person, api.Turn){
		"retry in the app":                     retry,
		"reset to the task before the failure": resetTo(beforeFailure),
		"reset to its very beginning":          resetTo(firstTask),
		"the app and an operator at once": func(p *product, v *person, turn api.Turn) {
			at := beforeFailure(p, turn.ID)
			retry(p, v, turn)
			p.reset(turn.ID, at)
		},
		"retry after a reset to the last, failed task": func(p *product, v *person, turn api.Turn) {
			ids, _ := p.tasks(turn.ID)
			p.reset(turn.ID, ids[len(ids)-1]) // the failure is in the stored result, so it fails again
			p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_FAILED)
			retry(p, v, turn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(modeltest.Behaviour{Status: 400})
			p := start(t, withModel(t, fake))
			v := p.visitor()
			c := v.converse()
			turn := v.hand(c, "testdata/notice.pdf", "")
			failed := v.settled(c, turn.ID)
			if last := failed.Messages[len(failed.Messages)-1]; failed.Turn.State != "failed" || last.Text != apology {
				t.Fatalf("after a 400 the turn is %s, and says %q", failed.Turn.State, last.Text)
			}
			p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_FAILED)
			pages := p.pagesReadAt(t, failed.Documents[0].ID)

			again(p, v, turn)
			d := v.settled(c, turn.ID, "answered")
			if len(d.Messages) != 2 || d.Messages[1].State != "complete" || strings.Contains(d.Messages[1].Text, apology) {
				t.Errorf("the conversation now has %d messages, the last %s: %.60q", len(d.Messages), d.Messages[1].State, d.Messages[1].Text)
			}
			if got := len(fake.Requests()); got != 2 {
				t.Errorf("the model was asked %d times, want the refusal and the answer", got)
			}
			if p.pagesReadAt(t, d.Documents[0].ID) != pages {
				t.Error("pages were read again")
			}
			p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)

			// It is repeated from its beginning after it was answered: no model is asked, and no message
			// appears twice.
			p.reset(turn.ID, firstTask(p, turn.ID))
			p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
			if after := v.detail(c); len(after.Messages) != 2 || after.Messages[1].Text != d.Messages[1].Text || len(fake.Requests()) != 2 {
				t.Errorf("a reset of an answered turn left %d messages after %d requests", len(after.Messages), len(fake.Requests()))
			}
		})
	}
}

// A prompt names a model that does not exist. The workflow reports this where an operator looks; once the prompt is
// corrected, the retry uses the corrected one.
func TestPromptWithAWrongModel(t *testing.T) {
	prompts := promptFolder(t)
	file := filepath.Join(prompts, "notice", "analyse.md")
	good, err := os.ReadFile(file)
	must(t, err)
	bad := strings.Replace(string(good), "\nmodel:\n", "\nmodel:\n  name: gpt-99\n", 1)
	must(t, os.WriteFile(file, []byte(bad), 0o600))

	fake := &modeltest.Server{Models: []string{"stand-in"}}
	model := withModel(t, fake)
	p := startAlone(t, func(c *config.Config) { model(c); c.Prompts.Dir = prompts })
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	d := v.settled(c, turn.ID)
	if d.Turn.State != "failed" || d.Turn.Error.Code != "model_unknown_model" || strings.Contains(d.Turn.Error.Sentence, "gpt-99") {
		t.Fatalf("the turn is %s %+v", d.Turn.State, d.Turn.Error)
	}
	id := workflows.TurnWorkflowID(turn.ID)
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_FAILED)
	if err := p.app.Temporal.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "The prompt notice/analyse names the model gpt-99") {
		t.Errorf("the Temporal Web UI shows %v", err)
	}

	must(t, os.WriteFile(file, good, 0o600))
	awaitServing(t, p.app.Store, prompts)
	v.post("/api/turns/"+turn.ID+"/retry", nil, 202, nil)
	if answer := v.answer(c, turn); answer.Provenance.Model != "stand-in" || len(v.detail(c).Messages) != 2 {
		t.Errorf("the answer is by %s", answer.Provenance.Model)
	}
}

// A turn that an operator cancelled is stopped, and the operator's reset brings its answer.
func TestResetAfterCancel(t *testing.T) {
	gate := make(chan struct{})
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string { <-gate; return modeltest.Answer(r) }}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "A question")
	await(t, "the model is asked", func() bool { return len(fake.Requests()) > 0 })
	id := workflows.TurnWorkflowID(turn.ID)
	must(t, p.app.Temporal.CancelWorkflow(t.Context(), id, ""))
	if d := v.settled(c, turn.ID); d.Turn.State != "stopped" {
		t.Fatalf("a cancelled turn is %s", d.Turn.State)
	}
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_CANCELED)
	close(gate)
	ids, _ := p.tasks(turn.ID)
	p.reset(turn.ID, ids[0])
	d := v.settled(c, turn.ID, "answered")
	if len(d.Messages) != 2 || d.Messages[1].State != "complete" {
		t.Errorf("after the reset: %+v", d.Messages)
	}
}

// A terminated turn ends as failed, and a retry brings its answer.
func TestRetryAfterTermination(t *testing.T) {
	gate := make(chan struct{})
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string { <-gate; return modeltest.Answer(r) }}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	await(t, "the model is asked", func() bool { return len(fake.Requests()) > 0 })
	must(t, p.app.Temporal.TerminateWorkflow(t.Context(), workflows.TurnWorkflowID(turn.ID), "", "by an operator"))
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(time.Hour), true))
	d := v.settled(c, turn.ID)
	if d.Turn.State != "failed" || d.Turn.Error.Code != "workflow_closed" {
		t.Fatalf("a terminated turn is %s %+v", d.Turn.State, d.Turn.Error)
	}
	close(gate)
	v.post("/api/turns/"+turn.ID+"/retry", nil, 202, nil)
	v.answer(c, turn)
	if d = v.detail(c); len(d.Messages) != 2 || d.Messages[1].State != "complete" {
		t.Errorf("after the retry: %+v", d.Messages)
	}
}
