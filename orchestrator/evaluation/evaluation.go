// Package evaluation measures whether prompts or models have become better: it runs cases through the product, grades
// the answers (some with a model as judge), holds changed prompts back until their cases score no worse (the gate),
// and shows the results to operators.
package evaluation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"os"
	"slices"

	"github.com/google/uuid"

	"munshi/evals"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Service starts runs of cases, for commands, the API and the publishing gate.
type Service struct {
	Store *store.Store
	Work  Work   // nil: the reconciler of a worker starts the runs
	Dir   string // the folder of cases
	Law   *cite.Index
	Log   *slog.Logger
}

// Work starts and stops the workflows of an evaluation and its turns.
type Work interface {
	StartTurn(ctx context.Context, in workflows.TurnInput) error
	StopTurn(ctx context.Context, turn string) (workflows.WorkflowState, error)
	StartEvaluation(ctx context.Context, run string) error
	CancelEvaluation(ctx context.Context, run string) (workflows.WorkflowState, error)
}

// Wanted says which cases to run, and with which prompts.
type Wanted struct {
	By     string
	Plugin string   // "" for all
	Set    string   // "" for all
	Chosen []string // only these cases, as plugin/id; none for all
	// the hash of the prompts by plugin; plugins not listed, and all if nil, run with the prompts in use
	Bundles map[string]string
	Repeats int
	AtOnce  int
}

// Cases reads the case files. The error can be shown to people, and names each mistake with its place.
func (s Service) Cases() ([]evals.Case, error) {
	cases, err := evals.Read(os.DirFS(s.Dir), s.Law)
	if errors.Is(err, os.ErrNotExist) && cases == nil {
		return nil, problem.New("no_cases_folder", problem.Params{"folder": s.Dir}, err)
	}
	if err != nil {
		return cases, problem.New("cases_have_mistakes", problem.Params{"mistakes": err.Error()}, err)
	}
	return cases, nil
}

// errNoCases means that no case was selected.
var errNoCases = errors.New("there are no such cases")

// Start stores a run and starts its workflow.
func (s Service) Start(ctx context.Context, w Wanted) (store.EvalRun, error) {
	all, err := s.Cases()
	if err != nil {
		return store.EvalRun{}, err
	}
	cases := evals.Choose(all, w.Plugin, w.Set, w.Chosen...)
	for _, name := range w.Chosen {
		if !slices.ContainsFunc(cases, func(c evals.Case) bool { return c.Name() == name }) {
			return store.EvalRun{}, problem.New("no_such_case", problem.Params{"case": name}, errNoCases)
		}
	}
	if len(cases) == 0 {
		return store.EvalRun{}, problem.New("no_such_cases", nil, errNoCases)
	}
	serving, err := s.Store.Serving(ctx)
	if err != nil {
		return store.EvalRun{}, err
	}
	n := store.NewEvalRun{
		By:      w.By,
		Set:     w.Set,
		Chosen:  w.Chosen,
		Bundles: map[string]string{},
		Repeats: max(w.Repeats, 1),
		AtOnce:  w.AtOnce,
	}
	if n.AtOnce <= 0 {
		n.AtOnce = workflows.TestsAtOnce
	}
	n.AtOnce = min(n.AtOnce, workflows.MostAtOnce)
	documents := map[string]*store.EvalDocument{}
	for _, c := range cases {
		if n.Bundles[c.Plugin] = w.Bundles[c.Plugin]; n.Bundles[c.Plugin] == "" {
			n.Bundles[c.Plugin] = serving[c.Plugin]
		}
		if n.Bundles[c.Plugin] == "" {
			return store.EvalRun{}, problem.New("no_prompts_for_cases", problem.Params{"plugin": c.Plugin}, nil)
		}
		d := documents[c.Input.Document]
		if d == nil && c.Input.Document != "" {
			data, err := evals.Document(os.DirFS(s.Dir), c)
			if err != nil {
				return store.EvalRun{}, err
			}
			sum := sha256.Sum256(data)
			d = &store.EvalDocument{SHA: hex.EncodeToString(sum[:]), Name: c.Input.Document, Data: data}
			documents[c.Input.Document] = d
		}
		kept := store.EvalCase{
			SHA:      c.SHA(),
			Plugin:   c.Plugin,
			ID:       c.ID,
			Source:   c.Source,
			Asked:    c.Asked(""),
			Document: d,
		}
		if d != nil {
			kept.SHA, kept.Asked = kept.SHA+"-"+d.SHA, c.Asked(d.SHA)
		}
		n.Cases = append(n.Cases, kept)
	}
	id, err := s.Store.AddEvalRun(ctx, n)
	if err != nil {
		return store.EvalRun{}, err
	}
	if s.Work != nil {
		if err := s.Work.StartEvaluation(ctx, id.String()); err != nil {
			s.Log.WarnContext(ctx, "the evaluation could not be started now; the reconciler will", "run", id, "error",
				err)
		}
	}
	return s.Store.EvalRun(ctx, id)
}

// Cancel ends a run, which keeps the results it has. ErrNotFound: it has ended.
func (s Service) Cancel(ctx context.Context, id uuid.UUID) error {
	err := s.Store.CancelEvalRun(ctx, id)
	if err != nil || s.Work == nil {
		return err
	}
	if _, err := s.Work.CancelEvaluation(ctx, id.String()); err != nil {
		s.Log.WarnContext(
			ctx,
			"the end of an evaluation did not reach Temporal; the reconciler will bring it",
			"run",
			id,
			"error",
			err,
		)
	}
	return nil
}

// KeepPrompts stores the prompts in a folder without putting them to use, and returns their hashes by plugin. The
// error can be shown to people.
func (s Service) KeepPrompts(ctx context.Context, dir string, r prompt.Registry) (map[string]string, error) {
	folders, err := prompt.ReadDir(dir)
	if err != nil {
		return nil, problem.New("folder_unreadable", problem.Params{"folder": dir}, err)
	}
	shas := map[string]string{}
	for _, f := range folders {
		b, err := f.Check(r)
		if err != nil {
			return nil, problem.New("prompts_have_mistakes", problem.Params{"mistakes": err.Error()}, err)
		}
		if err := s.Store.KeepBundle(ctx, store.Bundle{SHA: b.SHA(), Plugin: f.Plugin, Files: b.Files()}); err != nil {
			return nil, err
		}
		shas[f.Plugin] = b.SHA()
	}
	return shas, nil
}

// Blessed returns the results of the blessed runs of the plugins.
func (s Service) Blessed(ctx context.Context, bundles map[string]string) ([]evals.Result, error) {
	baselines, err := s.Store.Blessed(ctx)
	if err != nil {
		return nil, err
	}
	var all []evals.Result
	for plugin := range bundles {
		if b, ok := baselines[plugin]; ok {
			results, err := ResultsOf(ctx, s.Store, b.RunID)
			if err != nil {
				return nil, err
			}
			all = append(all, ofPlugin(results, plugin)...)
		}
	}
	return all, nil
}

// Bless makes a run the baseline with which later runs of its plugins are compared.
func (s Service) Bless(ctx context.Context, run store.EvalRun, by string) (plugins []string, err error) {
	if run.State != "done" {
		return nil, problem.New("run_not_done", problem.Params{"state": run.State}, nil)
	}
	if len(run.Chosen) > 0 {
		return nil, problem.New("run_not_whole", nil, nil)
	}
	for plugin := range run.Bundles {
		plugins = append(plugins, plugin)
	}
	slices.Sort(plugins)
	return plugins, s.Store.Bless(ctx, run.ID, by, plugins...)
}
