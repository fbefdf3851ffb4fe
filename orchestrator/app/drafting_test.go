package app_test

import (
	"net/http"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"

	"munshi/orchestrator/api"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

var documentTypes = []string{"Legal Notice", "Agreement", "Affidavit", "Legal Reply", "Petition"}

func (v *person) writtenDrafts(conversation string) []api.WrittenDraft {
	v.t.Helper()
	var list api.WrittenDraftList
	v.get("/api/conversations/"+conversation+"/drafts", &list)
	return list.Drafts
}

// A document longer than the model's limit is continued to its end and saved to the drafts automatically, once, however
// often steps are repeated; the person's own words are then left alone.
func TestDrafting(t *testing.T) {
	fake := &modeltest.Server{}
	piece := func(text, finish string) modeltest.Behaviour { return modeltest.Behaviour{Text: &text, Finish: finish} }
	fake.Next(
		piece("# SERVICE AGREEMENT\n\n1. The fee is ₹15,000 a month.\n\n2. Either Party may termi", "length"),
		piece("2. Either Party may terminate it by notice.\n\n3. The courts at Pu", "length"),
		piece("3. The courts at Pune have jurisdiction.\n\nWitnesses: […]", ""),
	)
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converseWith("drafting")
	v.refused(c, "", map[string]string{"type": "Agreement", "details": " \n"}, "missing_input", "Requirements and Details")
	v.refused(c, "", map[string]string{"type": "Will", "details": "x"}, "unknown_choice", "Document type: choose one of Legal Notice, Agreement,")
	var turn api.Turn
	v.fill(c, "", map[string]string{"type": "Agreement", "details": "Book-keeping by a freelance\naccountant"}, 202, &turn)
	answer := v.answer(c, turn)
	const want = "# SERVICE AGREEMENT\n\n1. The fee is ₹15,000 a month.\n\n2. Either Party may terminate it by notice.\n\n3. The courts at Pune have jurisdiction.\n\nWitnesses: […]"
	if answer.Text != want {
		t.Errorf("the draft reads %q", answer.Text)
	}
	asked := fake.Requests()
	if len(asked) != 3 || strings.Contains(said(asked[0]), "reached the limit") || !strings.Contains(said(asked[1]), "₹15,000 a month.") || strings.Contains(said(asked[1]), "may termi ") ||
		!strings.Contains(said(asked[2]), "terminate it by notice") {
		t.Errorf("the model was asked %d times: %q", len(asked), said(asked[len(asked)-1]))
	}
	for _, check := range answer.Checks {
		if check.Code == "cut_off" {
			t.Error("a whole document is said to be cut off")
		}
	}
	for _, s := range v.detail(c).Turn.Steps {
		if s.State != "done" {
			t.Errorf("step %s is %s at the end", s.ID, s.State)
		}
	}
	written := v.writtenDrafts(c)
	if len(written) != 1 || written[0].Kind != "Agreement" || written[0].Title != "Agreement – Book-keeping by a freelance accountant" || written[0].TurnID != turn.ID {
		t.Fatalf("these drafts were written: %+v", written)
	}
	draft := func() (d api.Draft) { v.get("/api/drafts/"+written[0].ID, &d); return d }
	d := draft()
	if len(d.Parts) != 1 || d.Parts[0].Text != want || d.Parts[0].By != "model" || d.Version != 1 || d.ConversationID == nil || *d.ConversationID != c {
		t.Errorf("the draft is %+v", d)
	}
	other := p.visitor()
	other.converse()
	other.call("GET", "/api/conversations/"+c+"/drafts", "", nil, 404, nil)

	before, _ := p.tasks(turn.ID)
	workflow := workflows.TurnWorkflowID(turn.ID)
	p.reset(turn.ID, before[0])
	p.settledWorkflow(workflow, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	if again := v.writtenDrafts(c); len(again) != 1 || draft().Version != 1 || len(fake.Requests()) != 3 {
		t.Errorf("after a reset these are there: %+v, asked %d times", again, len(fake.Requests()))
	}
	v.post("/api/drafts/"+d.ID, map[string]any{"part": d.Parts[0].ID, "text": "Mine.", "revision": d.Parts[0].Revision}, http.StatusOK, nil)
	p.reset(turn.ID, before[0])
	p.settledWorkflow(workflow, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	if d = draft(); d.Parts[0].Text != "Mine." || len(v.drafts()) != 1 {
		t.Errorf("after a reset the person's words are %q, of %d drafts", d.Parts[0].Text, len(v.drafts()))
	}
	v.fill(c, "", map[string]string{"type": "Agreement", "details": "Another one"}, 202, &turn)
	v.answer(c, turn)
	if got := v.writtenDrafts(c); len(got) != 2 || got[0].TurnID != turn.ID {
		t.Errorf("a second one makes %+v", got)
	}
	p.keepHistory(t, "drafting", workflows.TurnWorkflowID(turn.ID))
}

func (v *person) drafts() []api.DraftLine {
	v.t.Helper()
	var list api.DraftList
	v.get("/api/drafts", &list)
	return list.Drafts
}

// Without a model each document is an empty form, which says so, contains the person's instructions, and has no
// invented text.
func TestDraftingWithoutModel(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	for _, kind := range documentTypes {
		c := v.converseWith("drafting")
		var turn api.Turn
		v.fill(c, "", map[string]string{"type": kind, "details": "Recover ₹4,50,000 from *Sharma* Traders\nby March"}, 202, &turn)
		text := v.answer(c, turn).Text
		for _, want := range []string{"No language model wrote this", `> Recover ₹4,50,000 from \*Sharma\* Traders`, "> by March", "[… ", "\n# "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%.300s", kind, want, text)
			}
		}
		if got := v.writtenDrafts(c); len(got) != 1 || got[0].Kind != kind {
			t.Errorf("%s is kept as %+v", kind, got)
		}
	}
}
