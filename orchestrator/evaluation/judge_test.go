package evaluation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"munshi/evals"
	"munshi/orchestrator/activities"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model"
	"munshi/orchestrator/model/modeltest"
	"munshi/workflows"
)

// judging is a model that judges after some failures.
type judging struct {
	workflows.Model
	faults []error
	asked  int
}

func (j *judging) Ask(context.Context, workflows.Question, func(string) error) (workflows.Answer, error) {
	if j.asked++; j.asked <= len(j.faults) {
		return workflows.Answer{}, j.faults[j.asked-1]
	}
	return workflows.Answer{Text: `{"reason": "It does.", "score": 5}`}, nil
}

// If the judge is busy, it is asked again after the time that it names; if it stays busy, the rest of the run
// continues without it.
func TestJudgeNeverFailsARun(t *testing.T) {
	prompts, err := judgesIn(os.DirFS(filepath.Join(localtest.Root(t), "prompts")))
	must(t, err)
	busy := func(wait time.Duration) error {
		return &workflows.Failure{Code: "model_busy", Sentence: "The model is busy.", Retryable: true, RetryAfter: wait}
	}
	for _, c := range []struct {
		name   string
		faults []error
		asked  int
		waited time.Duration
		says   string
	}{
		{"it comes round", []error{busy(30 * time.Second), errors.New("the store is away")}, 3, 90 * time.Second, "It does."},
		{"it stays busy", []error{busy(0), busy(0), busy(0), busy(0)}, workflows.JudgeAttempts, 7 * workflows.JudgeAgain, "A model was to judge this, and could not be asked. The model is busy."},
		{"it wants to be left alone for long", []error{busy(time.Hour)}, 1, 0, "A model was to judge this, and could not be asked. The model is busy."},
		{"it refuses", []error{&workflows.Failure{Code: "model_key", Sentence: "The key is wrong."}}, 1, 0, "A model was to judge this, and could not be asked. The key is wrong."},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := &judging{faults: c.faults}
				judge := &Judge{model, prompts, "sha"}
				r := evals.Result{Answer: evals.Answer{Text: "So."}, Verdicts: []evals.Verdict{{Grader: "rubric", Model: true, Skipped: true, Expects: "Does it?"}}}
				asked := evals.Case{Plugin: "lawyer", ID: "c", Input: evals.Input{Text: "Why?"}, Expect: []evals.Expectation{{Grader: "rubric", Rubric: &evals.Rubric{Ask: "Does it?", Pass: 4}}}}
				began := time.Now()
				must(t, judge.fill(t.Context(), asked, &r, slog.New(slog.DiscardHandler)))
				v := r.Verdicts[0]
				if v.Says != c.says || v.Skipped == v.Passed || v.Passed != (v.Says == "It does.") {
					t.Errorf("the verdict is %+v", v)
				}
				if waited := time.Since(began); model.asked != c.asked || waited != c.waited {
					t.Errorf("it was asked %d times in %s, want %d in %s", model.asked, waited, c.asked, c.waited)
				}
			})
		})
	}
}

// Which of two answers is shown first is random, and does not affect the result.
func TestBetterAnswer(t *testing.T) {
	first := 0
	fake := &modeltest.Server{Answer: func(r modeltest.Request) string {
		whole := ""
		for _, m := range r.Messages {
			whole += m.Content
		}
		if strings.Index(whole, "the good answer") < strings.Index(whole, "the poor answer") {
			first++
			return `{"reason": "It is right.", "better": "first"}`
		}
		return `{"reason": "It is right.", "better": "second"}`
	}}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	discard := slog.New(slog.DiscardHandler)
	chain := model.Chain{Order: []string{"openai"}, Log: discard, Providers: map[string]model.Config{"openai": {Provider: "openai", BaseURL: server.URL + "/v1", Key: "test-key",
		Model: "stand-in", ContextTokens: 128_000, MaxTokens: 1000, FirstTokenTimeout: time.Minute, IdleTimeout: time.Minute}}}
	engine, err := chain.Open()
	must(t, err)
	j, err := OpenJudge(filepath.Join(localtest.Root(t), "prompts"), activities.ModelClient{Engine: engine, Chain: chain, Log: discard}, discard)
	must(t, err)
	for i := range 20 {
		c := evals.Case{Plugin: "lawyer", ID: fmt.Sprint("case-", i), Input: evals.Input{Text: "Why?"}}
		which, reason, err := j.Better(t.Context(), c, "the poor answer", "the good answer", 1)
		must(t, err)
		if which != "after" || reason != "It is right." {
			t.Errorf("the better one is %q, for %q", which, reason)
		}
	}
	if first == 0 || first == 20 {
		t.Errorf("the good answer stood first %d times of 20", first)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
