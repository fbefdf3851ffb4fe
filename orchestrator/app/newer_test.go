package app_test

import (
	"errors"
	"testing"

	"go.temporal.io/api/enums/v1"

	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/plugins"
	"munshi/workflows"
)

// During an upgrade an old worker gets prompts that it cannot read, and leaves the turn to a newer worker. The
// soak test checks that the turn is then answered, since Temporal waits ten seconds before it hands out a task
// again.
func TestOldWorkerLeavesTurnToNewer(t *testing.T) { leaveToNewer(t, false) }

func leaveToNewer(t *testing.T, thenAnswer bool) {
	t.Helper()
	p := startAlone(t, withModel(t, &modeltest.Server{}))
	p.parts[0].end(t) // the worker
	old := p.beside(nil)
	before := plugins.Registry()
	delete(before.Steps, "check")
	old.app.Catalogue = newCatalogue(old.app.Store, old.app.Log, t.TempDir(), before)
	old.run("old worker", old.app.RunWorker)
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "By when must I reply?")
	await(t, "the old worker has left the turn", func() bool {
		h, err := workflows.HistoryOf(t.Context(), p.app.Temporal, workflows.TurnWorkflowID(turn.ID), "")
		if err != nil {
			return false // not started
		}
		for _, e := range h.Events {
			if e.GetEventType() == enums.EVENT_TYPE_WORKFLOW_TASK_FAILED {
				return true
			}
		}
		return false
	})
	if now := v.detail(c).Turn; now.State != "queued" {
		t.Errorf("the turn is %s meanwhile", now.State)
	}
	old.stop()
	if !thenAnswer {
		return
	}
	newer := p.beside(nil)
	newer.run("newer worker", newer.app.RunWorker)
	v.answer(c, turn)
}

// The same during a turn: a worker that can read the prompts asks the model.
func TestOldWorkerLeavesQuestionToNewer(t *testing.T) {
	s, dir := newStore(t), promptFolder(t)
	must(t, newCatalogue(s, discard, dir, plugins.Registry()).Look(t.Context()))
	before := plugins.Registry()
	delete(before.Steps, "check")
	_, err := newCatalogue(s, discard, dir, before).Render(t.Context(), workflows.Prompts{Plugin: "notice", Bundle: shaOf(t, dir)}, "chat", map[string]any{"message": "Why?", "today": "2026-11-20"})
	var f *workflows.Failure
	if !errors.As(err, &f) || f.Code != workflows.NeedsNewer || !f.Retryable {
		t.Errorf("an old worker says %v", err)
	}
	must(t, s.Withdraw(t.Context(), "notice", "")) // which is no reason to fail either
	_, err = newCatalogue(s, discard, dir, before).Render(t.Context(), workflows.Prompts{Plugin: "notice", Bundle: shaOf(t, dir)}, "chat", map[string]any{"message": "Why?", "today": "2026-11-20"})
	if !errors.As(err, &f) || f.Code != workflows.NeedsNewer || !f.Retryable {
		t.Errorf("an old worker says %v", err)
	}
}
