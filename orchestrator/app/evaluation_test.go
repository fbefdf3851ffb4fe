package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"munshi/config"
	"munshi/evals"
	"munshi/orchestrator/api"
	"munshi/orchestrator/evaluation"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/recovery"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// ended waits until a run has ended, and returns it with its results.
func (p *product) ended(id uuid.UUID) (store.EvalRun, []evals.Result) {
	p.t.Helper()
	var run store.EvalRun
	await(p.t, "the evaluation ends", func() bool {
		var err error
		run, err = p.app.Store.EvalRun(p.t.Context(), id)
		must(p.t, err)
		return run.Ended()
	})
	results, err := evaluation.ResultsOf(p.t.Context(), p.app.Store, id)
	must(p.t, err)
	return run, results
}

// evaluate runs cases, and returns the results.
func (p *product) evaluate(w evaluation.Wanted) (store.EvalRun, []evals.Result) {
	p.t.Helper()
	return p.evaluateIn(p.app.Config.Evals.Dir, w)
}

// evaluateIn is evaluate for the cases of another folder.
func (p *product) evaluateIn(dir string, w evaluation.Wanted) (store.EvalRun, []evals.Result) {
	p.t.Helper()
	if w.By == "" {
		w.By = store.ByOperator
	}
	e := p.app.Evaluations()
	e.Dir = dir
	run, err := e.Start(p.t.Context(), w)
	must(p.t, err)
	return p.ended(run.ID)
}

func passed(results []evals.Result) []string {
	var names []string
	for _, r := range results {
		if r.Passed() {
			names = append(names, r.Case)
		}
	}
	return names
}

// Each case is a turn like any person's; it is charged to nobody and leaves no data behind. A repeated run asks the
// model nothing.
func TestEvaluation(t *testing.T) {
	var with, most atomic.Int32
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		defer with.Add(-1)
		if now := with.Add(1); now > most.Load() {
			most.Store(now)
		}
		time.Sleep(80 * time.Millisecond) // long enough to overlap with another
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "Until when may input tax credit") {
				return "Under **section 16(4)** of the CGST Act."
			}
		}
		return modeltest.Answer(r)
	}}
	model := withModel(t, fake)
	p := start(t, model)
	run, results := p.evaluate(evaluation.Wanted{AtOnce: 1})
	if most.Load() != 1 {
		t.Errorf("%d questions were with the model at the same time", most.Load())
	}
	if run.State != "done" || run.Tests != 5 || len(results) != 5 {
		t.Fatalf("the run is %s %s with %d of %d tests", run.State, run.Reason, len(results), run.Tests)
	}
	for _, r := range results {
		if r.State != evals.Answered || r.Answer.Text == "" || r.Answer.InputTokens == 0 || r.Cached {
			t.Errorf("%s: %s %s, %d tokens, cached %v, answer %q", r.Case, r.State, r.Error, r.Answer.InputTokens, r.Cached, r.Answer.Text)
		}
	}
	if got, want := fmt.Sprint(passed(results)), "[lawyer/time-limit-credit lawyer/follow-on notice/drc01-facts notice/drc01-question]"; got != want {
		for _, r := range results {
			t.Logf("%s: %+v", r.Case, r.Verdicts)
		}
		t.Errorf("passed %s, want %s", got, want)
	}
	if i := slices.IndexFunc(results, func(r evals.Result) bool { return r.Case == "notice/drc01-facts" }); len(results[i].Answer.Findings) == 0 || !results[i].Verdicts[0].Passed || len(results[i].Answer.Required) == 0 {
		t.Errorf("the notice was graded %+v on %d findings, %d documents", results[i].Verdicts, len(results[i].Answer.Findings), len(results[i].Answer.Required))
	}
	asked := fake.Requests()
	if !slices.ContainsFunc(asked, func(r modeltest.Request) bool {
		return slices.ContainsFunc(r.Messages, func(m modeltest.Message) bool {
			return m.Content == "Eighteen per cent a year." && m.Role == "assistant"
		})
	}) {
		t.Error("what was said before a case was not told")
	}
	await(t, "nothing is left of what was asked", func() bool {
		left, _, err := p.app.Store.Conversations(t.Context(), store.Nobody, store.ConversationQuery{Most: 10})
		must(t, err)
		return len(left) == 0
	})
	if waiting, err := p.app.Store.UncheckedFollowUps(t.Context(), time.Now().Add(time.Hour), time.Now().Add(time.Hour)); err != nil || len(waiting) != 0 {
		t.Errorf("%d follow-ups wait, %v", len(waiting), err)
	}

	id := workflows.EvaluationWorkflowID(run.ID.String())
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	p.keepHistory(t, "evaluation", id)
	again, cached := p.evaluate(evaluation.Wanted{})
	if n := len(fake.Requests()); n != len(asked) {
		t.Errorf("the same run again asked %d times more", n-len(asked))
	}
	if c := evals.Compare(results, cached); again.State != "done" || len(cached) != 5 || !cached[0].Cached || c.Unchanged != 5 {
		t.Errorf("the same run again is %s with %d results, and differs: %+v", again.State, len(cached), c)
	}
	if _, err := p.app.Evaluations().Start(t.Context(), evaluation.Wanted{By: store.ByOperator, Plugin: "nothing"}); err == nil || !strings.Contains(problem.SentenceOf(err), "no such cases") {
		t.Errorf("a run of no cases gives %v", err)
	}
	if err := p.app.Store.AddEvalResults(t.Context(), run.ID, store.EvalResult{Number: 1, Key: "k", Body: []byte("{}")}); err == nil {
		t.Error("a run that has ended takes another result")
	}
}

// A reply is graded on its draft, and an answer to an order on its memorandum of appeal.
func TestRepliesAreGradedOnTheirDrafts(t *testing.T) {
	p := start(t, nil)
	_, results := p.evaluateIn(filepath.Join(localtest.Root(t), "evals"), evaluation.Wanted{Chosen: []string{"notice/reply-drc01-s73", "notice/no-reply-to-an-order"}})
	for _, r := range results {
		if !r.Passed() {
			t.Errorf("%s: %+v", r.Case, r.Verdicts)
		}
	}
	if draft, appeal := results[0].Answer, results[1].Answer; !strings.Contains(draft.Text, "# REPLY TO SHOW CAUSE NOTICE") || len(draft.Findings) == 0 || !strings.Contains(appeal.Text, "# MEMORANDUM OF APPEAL") {
		t.Errorf("graded were %q with %d findings, and %q", draft.Text, len(draft.Findings), appeal.Text)
	}
}

// If a changed word breaks a case, exactly that case is reported; a harmless change reports nothing.
func TestEvaluationOfChangedPrompts(t *testing.T) {
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		whole := system(r)
		for _, m := range r.Messages {
			whole += m.Content
		}
		switch {
		case strings.Contains(whole, "input tax credit of FY 2020-21") && strings.Contains(whole, "The answer itself comes first"):
			return "Section 16(4) of the CGST Act sets the last day."
		case strings.Contains(whole, "From which turnover"):
			return "From 40 lakh for goods."
		}
		return "It depends."
	}}
	model, dir := withModel(t, fake), t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join(localtest.Root(t), "prompts"))))
	p := start(t, model)
	_, before := p.evaluate(evaluation.Wanted{Plugin: "lawyer"})
	if len(passed(before)) != 3 {
		t.Fatalf("passed %v, want all three", passed(before))
	}
	changed := func(from, to string) evals.Comparison {
		t.Helper()
		edit(t, filepath.Join(dir, "lawyer", "chat.md"), from, to)
		bundles, err := p.app.Evaluations().KeepPrompts(t.Context(), dir, p.app.Registry())
		must(t, err)
		_, after := p.evaluate(evaluation.Wanted{Plugin: "lawyer", Bundles: bundles})
		return evals.Compare(before, after)
	}
	if c := changed("As short as the question allows", "As brief as the question allows"); len(c.Broken)+len(c.Fixed)+len(c.Reworded) != 0 || c.Unchanged != 3 {
		t.Errorf("a change that breaks nothing shows %+v", c)
	}
	c := changed("The answer itself comes first", "The answer itself comes last")
	if len(c.Broken) != 1 || c.Broken[0].Case != "lawyer/time-limit-credit" || len(c.Fixed) != 0 || c.Unchanged != 2 {
		t.Fatalf("the change that breaks one case shows %+v", c)
	}
	if b := c.Broken[0]; !strings.Contains(b.Diff, "-Section 16(4)") || !slices.Equal(b.Graders, []string{"contains"}) {
		t.Errorf("the broken case shows %+v", b)
	}
	serving, err := p.app.Store.Serving(t.Context())
	must(t, err)
	if folder, err := os.ReadFile(filepath.Join(dir, "lawyer", "chat.md")); err != nil || strings.Contains(string(folder), "comes first") {
		t.Fatal("the prompts were not changed", err)
	}
	if b, err := p.app.Store.Bundle(t.Context(), serving["lawyer"]); err != nil || !strings.Contains(string(b.Files["lawyer/chat.md"]), "comes first") {
		t.Error("what was only tried serves", err)
	}
}

// A cancelled run keeps its results, and stops its running cases.
func TestEvaluationCancelled(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{End: modeltest.Hang})
	model := withModel(t, fake)
	p := start(t, model)
	e := p.app.Evaluations()
	run, err := e.Start(t.Context(), evaluation.Wanted{By: store.ByOperator, Plugin: "lawyer", AtOnce: 1})
	must(t, err)
	await(t, "the model is asked", func() bool { return len(fake.Requests()) == 1 })
	must(t, e.Cancel(t.Context(), run.ID))
	run, results := p.ended(run.ID)
	if run.State != "cancelled" || len(results) != 0 {
		t.Errorf("the run is %s with %d results", run.State, len(results))
	}
	id := workflows.EvaluationWorkflowID(run.ID.String())
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_CANCELED)
	p.keepHistory(t, "evaluation-cancelled", id)
	wantNotFound := e.Cancel(t.Context(), run.ID)
	if wantNotFound == nil {
		t.Error("a run that has ended is cancelled again")
	}
	_, results = p.evaluate(evaluation.Wanted{Plugin: "lawyer"})
	if len(results) != 3 {
		t.Errorf("after it, a run has %d results", len(results))
	}
}

// Operators run, view, bless and compare runs in the browser. Other people see the accuracy on the built-in
// examples, measured at most once an hour for them.
func TestEvaluationsInTheAPI(t *testing.T) {
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		for _, m := range r.Messages {
			if strings.Contains(m.Content, "From which turnover") {
				return "From 40 lakh."
			}
		}
		return "It depends."
	}}
	model := withModel(t, fake)
	p := start(t, model)
	operator, visitor := p.visitor(), p.visitor()
	p.grant(operator)

	var trained api.Training
	visitor.get("/api/training", &trained)
	if trained.State != "none" || trained.Shown != "no cases" {
		t.Errorf("before the first training it is %+v", trained)
	}
	measure := func(v *person) api.Training {
		t.Helper()
		var now api.Training
		v.post("/api/training", map[string]string{}, 202, &now)
		await(t, "the training ends", func() bool { v.get("/api/training", &now); return now.State != "running" })
		return now
	}
	trained = measure(visitor)
	if trained.Model != "stand-in of openai" || trained.Offline {
		t.Errorf("the training was answered by %q, offline %v", trained.Model, trained.Offline)
	}
	if trained.State != "done" || trained.Shown != "50.00%" || trained.Accuracy != 50 || trained.Metrics != (api.TrainingMetrics{TotalTests: 2, PassedTests: 1, FailedTests: 1}) || trained.Run != "" {
		t.Errorf("the training gives %+v", trained)
	}
	if c := trained.Contains; c == nil || c.Of != 2 || c.Passed < trained.Metrics.PassedTests {
		t.Errorf("of the answers that contain the expected text the training says %+v", c)
	}
	var kept api.Training
	p.visitor().post("/api/training", map[string]string{}, 202, &kept)
	if !kept.Cached || kept.State != "done" {
		t.Errorf("within the hour another visitor is given %+v", kept)
	}
	if again := measure(operator); again.Run == "" || !again.FinishedAt.After(*trained.FinishedAt) {
		t.Errorf("an operator is given %+v", again)
	}

	visitor.call("GET", "/api/evals/runs", "", nil, 404, nil)
	var counted api.EvalCaseList
	operator.get("/api/evals/cases", &counted)
	if len(counted.Cases) != 5 || counted.Cases[0].Plugin != "lawyer" || len(counted.Problems) != 0 {
		t.Errorf("the cases are %+v", counted)
	}
	ended := func(w api.WantedEval) api.EvalDetail {
		t.Helper()
		var d api.EvalDetail
		operator.post("/api/evals/runs", w, 200, &d)
		await(t, "the run ends", func() bool { operator.get("/api/evals/runs/"+d.ID.String(), &d); return d.FinishedAt != nil })
		return d
	}
	first := ended(api.WantedEval{Plugin: "lawyer", Repeats: 2})
	if first.State != "done" || first.Tests != 6 || len(first.Results) != 6 || first.Totals.Accuracy != "66.67%" || len(first.Cases) != 3 || first.Model != "stand-in of openai" {
		t.Errorf("the run is %+v", first.EvalRun)
	}
	operator.post("/api/evals/runs/"+first.ID.String()+"/bless", map[string]string{}, 200, &first)
	second := ended(api.WantedEval{Plugin: "lawyer", Prompts: "folder"})
	var c api.EvalComparison
	operator.get("/api/evals/runs/"+second.ID.String()+"/comparison", &c)
	if len(c.Broken)+len(c.Fixed) != 0 || c.Unchanged != 3 || c.Before.Of != 6 || c.After.Of != 3 {
		t.Errorf("against the blessed run: %+v", c)
	}
	operator.get("/api/evals/runs/"+second.ID.String()+"/comparison?with="+first.ID.String(), &c)
	var list api.EvalRunList
	operator.get("/api/evals/runs", &list)
	if len(list.Runs) != 4 || list.Runs[0].ID != second.ID || !slices.Equal(list.Runs[1].BlessedFor, []string{"lawyer"}) {
		t.Errorf("the runs are %+v", list.Runs)
	}
	operator.call("POST", "/api/evals/runs", "application/json", strings.NewReader(`{"plugin":"none"}`), 422, nil)
	operator.call("POST", "/api/evals/runs", "application/json", strings.NewReader(`{"cases":["lawyer/none"]}`), 422, nil)
	if one := ended(api.WantedEval{Cases: []string{"lawyer/follow-on"}, Repeats: 2}); one.Tests != 2 || !slices.Equal(one.Chosen, []string{"lawyer/follow-on"}) {
		t.Errorf("the run of one case is %+v", one.EvalRun)
	} else {
		operator.call("POST", "/api/evals/runs/"+one.ID.String()+"/bless", "application/json", strings.NewReader("{}"), 422, nil)
	}
	var history api.EvalHistory
	operator.get("/api/evals/history", &history)
	golden := slices.IndexFunc(history.Series, func(s api.EvalSeries) bool { return s.Plugin == "lawyer" && s.Set == "golden" })
	if golden < 0 || len(history.Series[golden].Points) != 2 {
		t.Fatalf("the history is %+v", history)
	}
	if p := history.Series[golden].Points; p[0].Run != first.ID || !p[0].Blessed || p[1].Blessed || p[0].Of != 2*p[1].Of || p[1].PromptsChanged || p[1].ModelChanged || p[1].Model != "stand-in of openai" {
		t.Errorf("the golden set of the lawyer went %+v", p)
	}
	operator.call("GET", "/api/evals/runs/"+uuid.NewString(), "", nil, 404, nil)
	operator.post("/api/evals/runs/"+second.ID.String()+"/cancel", map[string]string{}, 200, &second) // it has ended

	// A year later all runs except the blessed one are deleted, and its answers are still used.
	old := recovery.Reconciler{Store: p.app.Store, Keep: recovery.Retention{Evaluations: 365 * 24 * time.Hour}}
	must(t, old.OldEvaluations(t.Context(), time.Now().AddDate(0, 0, 360)))
	if operator.get("/api/evals/runs", &list); len(list.Runs) != 5 {
		t.Errorf("%d runs are kept for a year, want all 5", len(list.Runs))
	}
	must(t, old.OldEvaluations(t.Context(), time.Now().AddDate(0, 0, 370)))
	if operator.get("/api/evals/runs", &list); len(list.Runs) != 1 || list.Runs[0].ID != first.ID {
		t.Errorf("after a year there are %+v", list.Runs)
	}
	if anew := ended(api.WantedEval{Set: "builtin"}); anew.State != "done" || anew.Totals.Cached != 2 {
		t.Errorf("after a year the examples give %+v", anew.EvalRun)
	}
}

// A change that fails the gate's cases is not published, and operators see why; a corrected one is published, and so
// is one that a person insists on.
func TestPublishingGate(t *testing.T) {
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		if strings.Contains(system(r), "Write everything loudly") {
			return "It is GUARANTEED."
		}
		return "Under section 16(4), from 40 lakh on."
	}}
	model, dir := withModel(t, fake), t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join(localtest.Root(t), "prompts"))))
	p := startAlone(t, func(c *config.Config) { model(c); c.Prompts.Dir, c.Prompts.Gate = dir, "on" })
	run, _ := p.evaluate(evaluation.Wanted{Plugin: "lawyer"})
	_, err := p.app.Evaluations().Bless(t.Context(), run, "test")
	must(t, err)
	serves := func() string {
		shas, err := p.app.Store.Serving(t.Context())
		must(t, err)
		return shas["lawyer"]
	}
	before := serves()
	status := func() store.PromptStatus {
		all, err := p.app.Store.PromptStatus(t.Context())
		must(t, err)
		return all[slices.IndexFunc(all, func(s store.PromptStatus) bool { return s.Plugin == "lawyer" })]
	}
	trial := func(sha string) store.GateRun {
		run, err := p.app.Store.GateRun(t.Context(), "lawyer", sha)
		if err != nil {
			return store.GateRun{}
		}
		return run
	}
	file := filepath.Join(dir, "lawyer", "chat.md")
	edit(t, file, "## What to write", "## What to write\n\n- Write everything loudly.")
	await(t, "the change is held back", func() bool { return status().Folder.Event == store.PromptHeld })
	bad := status().Folder.SHA
	await(t, "it was tried", func() bool { return trial(bad).State == "done" })
	if held := trial(bad).Held; serves() != before || len(held) == 0 || !strings.Contains(strings.Join(held, "\n"), "lawyer/follow-on must hold") {
		t.Fatalf("the bad change serves: %v; it is held for %v", serves() != before, held)
	}
	operator := p.visitor()
	p.grant(operator)
	var list api.PromptList
	operator.get("/api/prompts", &list)
	if at := slices.IndexFunc(list.Plugins, func(p api.PromptPlugin) bool { return p.Plugin == "lawyer" }); list.Plugins[at].Held == nil || len(list.Plugins[at].Held.Reasons) == 0 {
		t.Errorf("operators see %+v", list.Plugins[at])
	}
	if out, err := p.munshi(t, "prompts", "status"); err != nil || !strings.Contains(out, "lawyer/follow-on must hold") {
		t.Errorf("the status is %v:\n%s", err, out)
	}

	edit(t, file, "- Write everything loudly.", "- Write everything calmly.")
	await(t, "the mended change serves", func() bool { return serves() != before })
	mended := serves()
	if mended == bad || trial(mended).State == "" {
		t.Error("what serves was not tried")
	}

	edit(t, file, "- Write everything calmly.", "- Write everything loudly, please.")
	await(t, "the change is held back", func() bool {
		return status().Folder.Event == store.PromptHeld && status().Folder.SHA != mended && status().Folder.SHA != bad
	})
	if out, err := p.munshi(t, "prompts", "publish", "lawyer"); err == nil {
		t.Errorf("without a reason it is published: %s", out)
	}
	if out, err := p.munshi(t, "prompts", "publish", "lawyer", "--override", "--reason", "a client waits"); err != nil || serves() != status().Folder.SHA {
		t.Errorf("the override says %v: %s", err, out)
	}
	if out, err := p.munshi(t, "prompts", "log", "lawyer"); err != nil || !strings.Contains(out, "a client waits") || !strings.Contains(out, "passed and serves") {
		t.Errorf("the log says %v:\n%s", err, out)
	}
}

// A model judges what code cannot judge, if one is configured; such a verdict is marked, and the model is not asked
// again about the same answer.
func TestJudgedByAModel(t *testing.T) {
	judgments := 0
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		if !strings.Contains(system(r), "by one criterion") {
			return "Pay within thirty days."
		}
		judgments++
		return "```json\n{\"reason\": \"It names the days.\", \"score\": 4}\n```"
	}}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "lawyer"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "lawyer", "cases.yaml"), []byte(`cases:
  - {id: kind, turn: chat, input: {text: "By when?"}, category: c, on: 2026-11-22, expect: [{rubric: {ask: "Does it name the days?", pass: 4}}]}
  - {id: strict, turn: chat, input: {text: "And how?"}, category: c, on: 2026-11-22, expect: [{rubric: {ask: "Does it say how?", pass: 5}, hard: true}]}
`), 0o600))
	model := withModel(t, fake)
	p := start(t, model)
	for range 2 {
		_, results := p.evaluateIn(dir, evaluation.Wanted{AtOnce: 1})
		if v := results[0].Verdicts[0]; !v.Passed || !v.Model || v.Skipped || v.Score != 4 || v.Says != "It names the days." {
			t.Errorf("the judgment is %+v", v)
		}
		if results[1].Passed() || !results[1].HardFailed() {
			t.Errorf("the stricter judgment is %+v", results[1].Verdicts)
		}
	}
	if judgments != 2 {
		t.Errorf("a model judged %d times, want once for each case", judgments)
	}
	if _, results := start(t, nil).evaluateIn(dir, evaluation.Wanted{}); results[0].Graded() || results[0].Verdicts[0].Says != evals.NoJudge {
		t.Errorf("without a model it is judged %+v", results[0].Verdicts)
	}
}

// A run that an earlier version started, with another way of running cases, is started again.
func TestEvaluationOfAnEarlierVersion(t *testing.T) {
	p := start(t, nil)
	e := p.app.Evaluations()
	e.Work = nil // nothing starts it
	run, err := e.Start(t.Context(), evaluation.Wanted{By: store.ByOperator, Plugin: "lawyer"})
	must(t, err)
	id := workflows.EvaluationWorkflowID(run.ID.String())
	earlier, err := p.app.Temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: id, TaskQueue: workflows.TurnQueue}, "Evaluation", workflows.EvaluationInput{Run: run.ID.String()})
	must(t, err)
	must(t, p.app.Reconciler().EvaluationRuns(t.Context(), time.Now().Add(time.Hour)))
	if run, results := p.ended(run.ID); run.State != "done" || len(results) != 3 {
		t.Errorf("the run is %s with %d results", run.State, len(results))
	}
	d, err := p.app.Temporal.DescribeWorkflowExecution(t.Context(), id, earlier.GetRunID())
	must(t, err)
	if got := d.GetWorkflowExecutionInfo().GetStatus(); got != enums.WORKFLOW_EXECUTION_STATUS_TERMINATED {
		t.Errorf("the earlier workflow is %s", got)
	}
}

// However a run ends, none of its turns continues.
func TestFinishedEvaluationStopsItsTurns(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{End: modeltest.Hang})
	model := withModel(t, fake)
	p := start(t, model)
	run, err := p.app.Evaluations().Start(t.Context(), evaluation.Wanted{By: store.ByOperator, Plugin: "lawyer", AtOnce: 1})
	must(t, err)
	var open []uuid.UUID
	await(t, "one is with the model, and the next waits for it", func() bool {
		open = nil
		for i := range run.Tests {
			turns, err := p.app.Store.OpenEvalTurns(t.Context(), evaluation.ConversationOf(run.ID, i+1))
			must(t, err)
			open = append(open, turns...)
		}
		for _, turn := range open {
			kept, err := p.app.Store.Turn(t.Context(), store.Nobody, turn)
			must(t, err)
			if kept.State != "running" {
				return false
			}
		}
		return len(open) == 2 && len(fake.Requests()) == 1
	})
	x, err := p.app.Runner(nil)
	must(t, err)
	must(t, x.Finish(t.Context(), workflows.RunEnding{Run: run.ID.String(), State: "failed", Reason: "A case cannot be read."}))
	for _, turn := range open {
		await(t, "the turn is not worked on any more", func() bool {
			return p.status(workflows.TurnWorkflowID(turn.String())) != enums.WORKFLOW_EXECUTION_STATUS_RUNNING
		})
	}
	if run, _ := p.ended(run.ID); run.State != "failed" {
		t.Errorf("the run is %s", run.State)
	}
}
