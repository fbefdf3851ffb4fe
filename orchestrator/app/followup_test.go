package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/enums/v1"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

const askForTwo = "## Draft reply\n\nWe deny it.\n\nRequired Document(s):\n- Invoices: to prove the credit\n- Bank statement: to prove payment\n"

// followUp waits until the conversation's follow-up has the state, and returns the conversation.
func (v *person) followUp(conversation, state string) api.ConversationDetail {
	v.t.Helper()
	s := v.follow(conversation, "")
	defer s.close()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		d := v.detail(conversation)
		if d.FollowUp != nil && d.FollowUp.State == state {
			return d
		}
		if v.t.Context().Err() != nil {
			v.t.Fatalf("the follow-up is %+v, want %s", d.FollowUp, state)
		}
	}
	return api.ConversationDetail{}
}

// waiting queries the follow-up's workflow, as an operator does, until the state is as wanted.
func (p *product) waiting(conversation string, want func(workflows.FollowUpState) bool) workflows.FollowUpState {
	p.t.Helper()
	var state workflows.FollowUpState
	await(p.t, "the follow-up says what is wanted", func() bool {
		value, err := p.app.Temporal.QueryWorkflow(p.t.Context(), workflows.FollowUpWorkflowID(conversation), "", workflows.StateQuery)
		if err != nil {
			return false
		}
		must(p.t, value.Get(&state))
		return want(state)
	})
	return state
}

func (p *product) status(id string) enums.WorkflowExecutionStatus {
	p.t.Helper()
	d, err := p.app.Temporal.DescribeWorkflowExecution(p.t.Context(), id, "")
	must(p.t, err)
	return d.GetWorkflowExecutionInfo().GetStatus()
}

// A reply that asks for documents starts a workflow that waits for them, marks each as it arrives, and ends with
// the last.
func TestFollowUp(t *testing.T) {
	gate := make(chan struct{}) // the review starts once the test has checked the state before it
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "supplied a document") {
				<-gate
				return "It proves the point."
			}
		}
		return askForTwo
	}}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	d := v.followUp(c, "waiting")
	if len(d.RequiredDocuments) != 2 {
		t.Fatalf("the required documents are %+v", d.RequiredDocuments)
	}
	state := p.waiting(c, func(s workflows.FollowUpState) bool { return s.Needed == 2 })
	if state.Documents[0].ID == "" || state.ReplyBy.IsZero() || state.Closed {
		t.Errorf("it waits as %+v", state)
	}
	p.keepHistory(t, "followup-waiting", workflows.FollowUpWorkflowID(c))

	turn := v.hand(c, "testdata/notice.pdf", "Invoices")
	state = p.waiting(c, func(s workflows.FollowUpState) bool { return s.Uploaded == 1 })
	if state.Needed != 1 || state.Documents[0].Document == "" {
		t.Errorf("after an upload it is %+v", state)
	}
	close(gate)
	v.answer(c, turn)
	p.waiting(c, func(s workflows.FollowUpState) bool { return s.Reviewed == 1 && s.Needed == 1 })
	v.answer(c, v.hand(c, "testdata/notice.pdf", "Bank statement"))
	d = v.followUp(c, "complete")
	if d.FollowUp.EndedAt == nil {
		t.Error("it is complete and has no end")
	}
	p.settledWorkflow(workflows.FollowUpWorkflowID(c), enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	p.keepHistory(t, "followup-complete", workflows.FollowUpWorkflowID(c))
}

// settledWorkflow waits until the workflow has the status.
func (p *product) settledWorkflow(id string, want enums.WorkflowExecutionStatus) {
	p.t.Helper()
	await(p.t, fmt.Sprintf("workflow %s is %s", id, want), func() bool { return p.status(id) == want })
}

// The person ends the wait, even while Temporal is down; a workflow that an operator terminated starts again with the
// next document.
func TestFollowUpClosed(t *testing.T) {
	answer := askForTwo
	p := start(t, withModel(t, &modeltest.Server{Answer: func(modeltest.Request) string { return answer }}))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	v.followUp(c, "waiting")
	id := workflows.FollowUpWorkflowID(c)

	must(t, p.app.Temporal.TerminateWorkflow(t.Context(), id, "", "by an operator"))
	v.answer(c, v.hand(c, "testdata/notice.pdf", "Invoices"))
	p.waiting(c, func(s workflows.FollowUpState) bool { return s.Reviewed == 1 })
	if got := p.status(id); got != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		t.Errorf("after the next document the workflow is %s", got)
	}

	var d api.ConversationDetail
	v.post("/api/conversations/"+c+"/follow-up/close", nil, 200, &d)
	if d.FollowUp == nil || d.FollowUp.State != "closed" {
		t.Errorf("closed, and it is %+v", d.FollowUp)
	}
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	p.keepHistory(t, "followup-closed", id)
	v.post("/api/conversations/"+c+"/follow-up/close", nil, 200, &d)
	if d.FollowUp.State != "closed" || d.FollowUp.EndedAt == nil {
		t.Errorf("closed twice, and it is %+v", d.FollowUp)
	}
	p.visitor().post("/api/conversations/"+c+"/follow-up/close", nil, 404, nil)

	// As if the API had died before it notified Temporal: the reconciler does it.
	answer = strings.ReplaceAll(askForTwo, "Bank statement", "Ledger")
	v.answer(c, v.say(c, "What else?"))
	v.followUp(c, "waiting")
	must(t, p.app.Store.CloseFollowUp(t.Context(), p.workspaceOf(t, v.detail(c).Turn.ID), uuid.MustParse(c)))
	must(t, p.app.Reconciler().Once(t.Context(), time.Now().Add(time.Hour), false))
	if d = v.followUp(c, "closed"); d.FollowUp == nil {
		t.Error("the reconciler did not close it")
	}
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
}
