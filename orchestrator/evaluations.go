package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"

	"munshi/evals"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// evaluations starts runs of cases, for commands, the API and the publishing gate.
type evaluations struct {
	store *store.Store
	work  *temporalWork // nil: the sweep of a worker starts them
	dir   string        // the cases
	law   *cite.Index
	log   *slog.Logger
}

func (a *app) evaluations() evaluations {
	return evaluations{a.store, a.work, a.cfg.Evals.Dir, a.law.Index, a.log}
}

// wantedRun says which cases are to be tried, and with what.
type wantedRun struct {
	By      string
	Plugin  string            // "" for all
	Set     string            // "" for all
	Chosen  []string          // plugin/id of the cases of these; none for all
	Bundles map[string]string // the sha of prompts by plugin; for others, and where it is nil, those that serve
	Repeats int
	AtOnce  int
}

// cases reads the files. The error is for people to read, and names each mistake with its place.
func (e evaluations) cases() ([]evals.Case, error) {
	cases, err := evals.Read(os.DirFS(e.dir), e.law)
	if errors.Is(err, os.ErrNotExist) && cases == nil {
		return nil, sentence(fmt.Sprintf("There is no folder %s with cases. Set evals.dir to where they are.", e.dir), err)
	}
	if err != nil {
		return cases, sentence("The cases have mistakes:\n"+err.Error(), err)
	}
	return cases, nil
}

// errNoCases means that nothing could be tried.
var errNoCases = errors.New("there are no such cases")

// start keeps a run and has it worked on.
func (e evaluations) start(ctx context.Context, w wantedRun) (store.EvalRun, error) {
	all, err := e.cases()
	if err != nil {
		return store.EvalRun{}, err
	}
	cases := evals.Choose(all, w.Plugin, w.Set, w.Chosen...)
	for _, name := range w.Chosen {
		if !slices.ContainsFunc(cases, func(c evals.Case) bool { return c.Name() == name }) {
			return store.EvalRun{}, sentence(fmt.Sprintf("There is no such case: %s. `munshi evals cases` lists those that there are.", name), errNoCases)
		}
	}
	if len(cases) == 0 {
		return store.EvalRun{}, sentence("There are no such cases. `munshi evals cases` lists those that there are.", errNoCases)
	}
	serving, err := e.store.Serving(ctx)
	if err != nil {
		return store.EvalRun{}, err
	}
	n := store.NewEvalRun{By: w.By, Set: w.Set, Chosen: w.Chosen, Bundles: map[string]string{}, Repeats: max(w.Repeats, 1), AtOnce: w.AtOnce}
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
			return store.EvalRun{}, sentence(fmt.Sprintf("No prompts of %s serve, for which there are cases.", c.Plugin), nil)
		}
		d := documents[c.Input.Document]
		if d == nil && c.Input.Document != "" {
			data, err := evals.Document(os.DirFS(e.dir), c)
			if err != nil {
				return store.EvalRun{}, err
			}
			sum := sha256.Sum256(data)
			d = &store.EvalDocument{SHA: hex.EncodeToString(sum[:]), Name: c.Input.Document, Data: data}
			documents[c.Input.Document] = d
		}
		kept := store.EvalCase{SHA: c.SHA(), Plugin: c.Plugin, ID: c.ID, Source: c.Source, Asked: c.Asked(""), Document: d}
		if d != nil {
			kept.SHA, kept.Asked = kept.SHA+"-"+d.SHA, c.Asked(d.SHA)
		}
		n.Cases = append(n.Cases, kept)
	}
	id, err := e.store.AddEvalRun(ctx, n)
	if err != nil {
		return store.EvalRun{}, err
	}
	if e.work != nil {
		if err := e.work.Evaluate(ctx, id); err != nil {
			e.log.WarnContext(ctx, "the evaluation could not be started now; the sweep will", "run", id, "error", err)
		}
	}
	return e.store.EvalRun(ctx, id)
}

// cancel has a run end with the results that it has. ErrNotFound: it has ended.
func (e evaluations) cancel(ctx context.Context, id uuid.UUID) error {
	err := e.store.CancelEvalRun(ctx, id)
	if err != nil || e.work == nil {
		return err
	}
	if _, err := e.work.CancelEvaluation(ctx, id); err != nil {
		e.log.WarnContext(ctx, "the end of an evaluation did not reach Temporal; the sweep will bring it", "run", id, "error", err)
	}
	return nil
}

// evaluationRuns starts the runs that nothing works on, and ends those that are to end.
func (s sweeper) evaluationRuns(ctx context.Context, now time.Time) error {
	open, err := s.store.OpenEvalRuns(ctx, now.Add(-evaluationGrace))
	if err != nil {
		return err
	}
	var errs []error
	for _, r := range open {
		standing, err := s.work.standing(ctx, workflows.EvaluationWorkflowID(r.ID.String()))
		switch {
		case err != nil:
			errs = append(errs, err)
		case standing == workflows.Stuck: // one that is to be cancelled is so in the next sweep, which cleans up after it
			s.log.Info("starting an evaluation anew that an earlier version began", "run", r.ID)
			errs = append(errs, s.work.Evaluate(ctx, r.ID))
		case r.CancelRequested && standing == workflows.Running:
			_, err := s.work.CancelEvaluation(ctx, r.ID)
			errs = append(errs, err)
		case r.CancelRequested:
			err := s.store.EndEvalRun(ctx, r.ID, store.EvalEnding{State: "cancelled", Totals: []byte("{}")})
			if !errors.Is(err, store.ErrNotFound) {
				errs = append(errs, err)
			}
		case standing != workflows.Running: // never begun, lost, or ended from outside: what has its result keeps it
			s.log.Info("starting an evaluation that nothing works on", "run", r.ID, "workflow", standing)
			errs = append(errs, s.work.Evaluate(ctx, r.ID))
		}
	}
	return errors.Join(errs...)
}

// oldEvaluations erases the runs that are kept long enough.
func (s sweeper) oldEvaluations(ctx context.Context, now time.Time) error {
	if s.keep.Evaluations <= 0 {
		return nil
	}
	return s.store.EraseEvalRuns(ctx, now.Add(-s.keep.Evaluations))
}

// keptFrom keeps the prompts that lie in a folder, without letting them serve, and gives their shas by plugin. The error is for
// people to read.
func (e evaluations) keptFrom(ctx context.Context, dir string, r prompt.Registry) (map[string]string, error) {
	folders, err := prompt.ReadDir(dir)
	if err != nil {
		return nil, sentence(fmt.Sprintf("The folder %s cannot be read.", dir), err)
	}
	shas := map[string]string{}
	for _, f := range folders {
		b, err := f.Check(r)
		if err != nil {
			return nil, sentence("The prompts have mistakes:\n"+err.Error(), err)
		}
		if err := e.store.KeepBundle(ctx, store.Bundle{SHA: b.SHA(), Plugin: f.Plugin, Files: b.Files()}); err != nil {
			return nil, err
		}
		shas[f.Plugin] = b.SHA()
	}
	return shas, nil
}
