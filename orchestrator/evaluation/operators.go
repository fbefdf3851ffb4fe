package evaluation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"munshi/evals"
	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// Operators gives the API access to evaluations.
type Operators struct {
	Service  Service
	Prompts  string // the prompts folder
	Registry prompt.Registry
}

var _ api.Evaluations = Operators{}

// notTried converts an error for people into the API's refusal.
func notTried(err error) error {
	var plain *problem.Error
	if errors.As(err, &plain) {
		return problem.New("not_tried", problem.Params{"reason": plain.Sentence()}, err)
	}
	return err
}

func (o Operators) Cases(context.Context) (list []api.EvalCase, problems []string, err error) {
	cases, err := o.Service.Cases()
	for _, c := range cases {
		list = append(
			list,
			api.EvalCase{
				Name:       c.Name(),
				Plugin:     c.Plugin,
				Set:        c.Set,
				Category:   c.Category,
				Difficulty: c.Difficulty,
				Language:   c.Language,
			},
		)
	}
	if err != nil {
		problems = strings.Split(problem.SentenceOf(err), "\n")
	}
	return list, problems, nil
}

func (o Operators) Start(ctx context.Context, by string, w api.WantedEval) (uuid.UUID, error) {
	wanted := Wanted{By: by, Plugin: w.Plugin, Set: w.Set, Chosen: w.Cases, Repeats: w.Repeats, AtOnce: w.AtOnce}
	if w.Prompts == "folder" {
		var err error
		if wanted.Bundles, err = o.Service.KeepPrompts(ctx, o.Prompts, o.Registry); err != nil {
			return uuid.Nil, notTried(err)
		}
	}
	run, err := o.Service.Start(ctx, wanted)
	return run.ID, notTried(err)
}

func (o Operators) Cancel(ctx context.Context, id uuid.UUID) error { return o.Service.Cancel(ctx, id) }

func (o Operators) Bless(ctx context.Context, id uuid.UUID, by string) error {
	run, err := o.Service.Store.EvalRun(ctx, id)
	if err != nil {
		return err
	}
	_, err = o.Service.Bless(ctx, run, by)
	return notTried(err)
}

func (o Operators) Runs(ctx context.Context, by string, most int) ([]api.EvalRun, error) {
	runs, err := o.Service.Store.EvalRuns(ctx, by, most)
	if err != nil {
		return nil, err
	}
	blessed, err := o.Service.Store.Blessed(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]api.EvalRun, len(runs))
	for i, run := range runs {
		var totals evals.Totals
		if run.Totals != nil {
			if err := json.Unmarshal(run.Totals, &totals); err != nil {
				return nil, fmt.Errorf("decode the totals of the evaluation %s: %w", run.ID, err)
			}
		}
		list[i] = shownRun(run, totals, blessed)
	}
	return list, nil
}

// evalsRemembered is how many past runs of each kind the history covers.
const evalsRemembered = 300

func (o Operators) History(ctx context.Context) ([]api.EvalSeries, error) {
	runs, err := o.Service.Store.EvalHistory(ctx, evalsRemembered)
	if err != nil {
		return nil, err
	}
	blessed, err := o.Service.Store.Blessed(ctx)
	if err != nil {
		return nil, err
	}
	var series []api.EvalSeries
	settings := map[int]json.RawMessage{} // of the last point in each series
	for _, run := range slices.Backward(runs) {
		var totals evals.Totals
		if err := json.Unmarshal(run.Totals, &totals); err != nil {
			return nil, fmt.Errorf("decode the totals of the evaluation %s: %w", run.ID, err)
		}
		for _, s := range totals.Sets {
			p := api.EvalPoint{
				EvalScore: shownScore(
					evals.Score{Name: s.Plugin, Passed: s.Passed, Of: s.Of, Interval: evals.Wilson(s.Passed, s.Of)},
				),
				Run:     run.ID,
				At:      run.CreatedAt,
				By:      run.By,
				Prompts: run.Bundles[s.Plugin],
				Model:   WhoAnswered(run.Settings),
				Blessed: blessed[s.Plugin].RunID == run.ID,
			}
			at := slices.IndexFunc(
				series,
				func(x api.EvalSeries) bool { return x.Plugin == s.Plugin && x.Set == s.Set },
			)
			if at < 0 {
				at, series = len(series), append(series, api.EvalSeries{Plugin: s.Plugin, Set: s.Set})
			} else {
				before := series[at].Points[len(series[at].Points)-1]
				p.PromptsChanged, p.ModelChanged = before.Prompts != p.Prompts, !bytes.Equal(settings[at], run.Settings)
			}
			series[at].Points, settings[at] = append(series[at].Points, p), run.Settings
		}
	}
	sets := []string{evals.Golden, evals.Defences, evals.Attack, evals.Builtin}
	slices.SortFunc(series, func(a, b api.EvalSeries) int {
		return cmp.Or(cmp.Compare(a.Plugin, b.Plugin), slices.Index(sets, a.Set)-slices.Index(sets, b.Set))
	})
	return series, nil
}

func shownRun(run store.EvalRun, t evals.Totals, blessed map[string]store.EvalBaseline) api.EvalRun {
	out := api.EvalRun{
		ID:         run.ID,
		By:         run.By,
		State:      run.State,
		Reason:     run.Reason,
		Set:        run.Sets,
		Chosen:     append([]string{}, run.Chosen...),
		Bundles:    run.Bundles,
		Model:      WhoAnswered(run.Settings),
		Offline:    WhoAnswered(run.Settings) == offlineEngine,
		Repeats:    int(run.Repeats),
		Tests:      run.Tests,
		Done:       run.Done,
		Held:       append([]string{}, run.Held...),
		BlessedFor: []string{},
		CreatedAt:  run.CreatedAt,
		FinishedAt: run.FinishedAt,
		Totals: api.EvalTotals{
			EvalScore: shownScore(
				evals.Score{Name: "all", Passed: t.Passed, Of: t.Tests, Interval: evals.Wilson(t.Passed, t.Tests)},
			),
			Failed:       t.Failed,
			Ungraded:     t.Ungraded,
			HardFailed:   t.HardFailed,
			Cached:       t.Cached,
			InputTokens:  t.InputTokens,
			OutputTokens: t.OutputTokens,
			CostPaise:    t.CostPaise,
			Milliseconds: t.Milliseconds,
		},
	}
	for plugin, b := range blessed {
		if b.RunID == run.ID {
			out.BlessedFor = append(out.BlessedFor, plugin)
		}
	}
	slices.Sort(out.BlessedFor)
	return out
}

func (o Operators) Run(ctx context.Context, id uuid.UUID) (api.EvalDetail, error) {
	run, err := o.Service.Store.EvalRun(ctx, id)
	if err != nil {
		return api.EvalDetail{}, err
	}
	results, err := ResultsOf(ctx, o.Service.Store, id)
	if err != nil {
		return api.EvalDetail{}, err
	}
	blessed, err := o.Service.Store.Blessed(ctx)
	if err != nil {
		return api.EvalDetail{}, err
	}
	d := api.EvalDetail{
		EvalRun: shownRun(run, evals.Count(results), blessed),
		Results: make([]api.EvalResult, len(results)),
		Categories: shownScores(
			evals.ByCategory(results),
		),
		Graders: shownScores(evals.ByGrader(results)),
		Cases:   shownScores(evals.ByCase(results)),
	}
	for i, r := range results {
		out := api.EvalResult{
			Case:         r.Case,
			Category:     r.Category,
			Set:          r.Set,
			Difficulty:   r.Difficulty,
			Language:     r.Language,
			Repeat:       r.Repeat,
			Outcome:      "failed",
			Error:        r.Error,
			Verdicts:     []api.EvalVerdict{},
			Output:       r.Answer.Text,
			Milliseconds: r.Answer.Milliseconds,
			InputTokens:  r.Answer.InputTokens,
			OutputTokens: r.Answer.OutputTokens,
			Cached:       r.Cached,
		}
		switch {
		case !r.Graded():
			out.Outcome = "ungraded"
		case r.Passed():
			out.Outcome = "passed"
		}
		for _, v := range r.Verdicts {
			out.Verdicts = append(
				out.Verdicts,
				api.EvalVerdict{
					Grader:  v.Grader,
					Hard:    v.Hard,
					Passed:  v.Passed,
					Skipped: v.Skipped,
					Model:   v.Model,
					Score:   v.Score,
					Says:    v.Says,
				},
			)
		}
		d.Results[i] = out
	}
	return d, nil
}

func (o Operators) Compare(ctx context.Context, before, after uuid.UUID) (api.EvalComparison, error) {
	run, err := o.Service.Store.EvalRun(ctx, after)
	if err != nil {
		return api.EvalComparison{}, err
	}
	is, err := ResultsOf(ctx, o.Service.Store, after)
	if err != nil {
		return api.EvalComparison{}, err
	}
	var was []evals.Result
	if before == uuid.Nil {
		was, err = o.Service.Blessed(ctx, run.Bundles)
	} else if _, err = o.Service.Store.EvalRun(ctx, before); err == nil {
		was, err = ResultsOf(ctx, o.Service.Store, before)
	}
	if err != nil {
		return api.EvalComparison{}, err
	}
	c := evals.Compare(was, is)
	total := func(t evals.Totals) api.EvalScore {
		return shownScore(
			evals.Score{Name: "all", Passed: t.Passed, Of: t.Tests, Interval: evals.Wilson(t.Passed, t.Tests)},
		)
	}
	return api.EvalComparison{
		Fixed:     shownChanges(c.Fixed),
		Broken:    shownChanges(c.Broken),
		Reworded:  shownChanges(c.Reworded),
		Unchanged: c.Unchanged,
		Added:     c.Added,
		Gone:      c.Gone,
		Before: total(
			c.Before,
		),
		After:      total(c.After),
		Categories: shownShifts(c.Categories),
		Graders:    shownShifts(c.Graders),
	}, nil
}

func shownScore(s evals.Score) api.EvalScore {
	return api.EvalScore{
		Name:     s.Name,
		Passed:   s.Passed,
		Of:       s.Of,
		Accuracy: s.Accuracy(),
		Low:      s.Interval.Low,
		High:     s.Interval.High,
	}
}

func shownScores(list []evals.Score) []api.EvalScore {
	out := make([]api.EvalScore, len(list))
	for i, s := range list {
		out[i] = shownScore(s)
	}
	return out
}

func shownChanges(list []evals.Change) []api.EvalChange {
	out := make([]api.EvalChange, len(list))
	for i, c := range list {
		out[i] = api.EvalChange{
			Case:     c.Case,
			Category: c.Category,
			Before:   shownScore(c.Before),
			After:    shownScore(c.After),
			Hard:     c.Hard,
			Graders:  c.Graders,
			Says:     c.Says,
			Diff:     c.Diff,
		}
	}
	return out
}

func shownShifts(list []evals.Shift) []api.EvalShift {
	out := make([]api.EvalShift, len(list))
	for i, s := range list {
		out[i] = api.EvalShift{Name: s.Name, Before: shownScore(s.Before), After: shownScore(s.After)}
	}
	return out
}
