package app_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"go.temporal.io/sdk/testsuite"

	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// woken records who is woken.
type woken struct {
	workflows.FollowUps
	times int
}

func (w *woken) Wake(context.Context, workflows.FollowUpInput) error { w.times++; return nil }

// An attempt that is killed after its turn ended, but before it notified the follow-up, leaves that to the next
// attempt, which neither asks the model again nor ends the turn twice. A run that has been replaced notifies nobody.
func TestTheNextAttemptTells(t *testing.T) {
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return askForTwo }}
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	turn := v.answer(c, v.hand(c, "testdata/notice.pdf", "Invoices")).TurnID
	v.followUp(c, "waiting")
	asked := len(fake.Requests())

	engine, err := p.app.Engine()
	must(t, err)
	acts, err := p.app.Activities(engine)
	must(t, err)
	heard := &woken{}
	acts.FollowUps = heard
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var workspace string
	must(t, conn.QueryRow(t.Context(), "select workspace_id::text from turns where id = $1", turn).Scan(&workspace))
	plan, err := p.app.Catalogue.Plan(t.Context(), "notice", "document", "")
	must(t, err)
	in := workflows.AskInput{Bundle: plan.Bundle, Then: []workflows.Step{plan.Steps[3], plan.Steps[4]}, Law: &turns.ResultKey{Step: plan.Steps[1].ID}}
	must(t, conn.QueryRow(t.Context(), "select input_sha from step_results where turn_id = $1 and step = $2", turn, in.Law.Step).Scan(&in.Law.InputSHA))
	in.TurnInput = workflows.TurnInput{Workspace: workspace, Conversation: c, Turn: turn, Plugin: "notice", Kind: "document"}
	in.Step = plan.Steps[2]
	again := func() (workflows.Asked, error) {
		env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
		env.RegisterActivity(acts)
		value, err := env.ExecuteActivity(acts.Ask, in)
		var done workflows.Asked
		if err == nil {
			must(t, value.Get(&done))
		}
		return done, err
	}
	tell := func() {
		env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
		env.RegisterActivity(acts)
		_, err := env.ExecuteActivity(acts.Tell, in.TurnInput)
		must(t, err)
	}
	if tell(); heard.times != 0 {
		t.Error("another run tells")
	}
	if _, err := again(); err == nil || heard.times != 0 {
		t.Errorf("another run tells %d times (%v)", heard.times, err)
	}
	// The run id of the test environment.
	_, err = conn.Exec(t.Context(), "update turns set run_id = 'default-test-run-id' where id = $1", uuid.MustParse(turn))
	must(t, err)
	if done, err := again(); err != nil || !done.Ended || heard.times != 1 {
		t.Errorf("the next attempt gives %+v (%v) and tells %d times", done, err, heard.times)
	}
	if tell(); heard.times != 2 {
		t.Errorf("a run that finds its turn answered has told %d times", heard.times)
	}
	if n := len(fake.Requests()); n != asked {
		t.Errorf("the model was asked %d times more", n-asked)
	}
	if d := v.detail(c); d.Turn.State != "answered" || len(d.Messages) != 4 {
		t.Errorf("the turn is %s, with %d messages", d.Turn.State, len(d.Messages))
	}
}
