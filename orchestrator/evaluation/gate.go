package evaluation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"munshi/evals"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// The gate: changed prompts of a plugin with a blessed run are held back (plugins.Catalogue.take), run with all cases
// of the plugin (Service.TryHeldBack), and put to use if they score no worse (gate). Until then the previous prompts
// stay in use.

// gate decides, after a run of held-back prompts, whether they may be used; it publishes them, or returns why not.
func (x Runner) gate(
	ctx context.Context,
	run store.EvalRun,
	e workflows.RunEnding,
	results []evals.Result,
) ([]string, error) {
	if e.State != "done" {
		return []string{strings.TrimSpace("The trial did not come to its end. " + e.Reason)}, nil
	}
	blessed, err := x.Store.Blessed(ctx)
	if err != nil {
		return nil, err
	}
	held := []string{}
	for plugin, sha := range run.Bundles {
		var baseline []evals.Result
		if b, ok := blessed[plugin]; ok {
			if baseline, err = ResultsOf(ctx, x.Store, b.RunID); err != nil {
				return nil, err
			}
		}
		reasons := evals.Gate(ofPlugin(baseline, plugin), ofPlugin(results, plugin), x.Margin)
		if len(reasons) > 0 {
			x.Log.WarnContext(
				ctx,
				"changed prompts do not serve",
				"plugin",
				plugin,
				"sha",
				plugins.Short(sha),
				"reasons",
				len(reasons),
			)
			held = append(held, reasons...)
			continue
		}
		if err := x.Store.Publish(ctx, store.Publication{Plugin: plugin, SHA: sha, Gate: true}); err != nil &&
			!errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		x.Log.InfoContext(
			ctx,
			"changed prompts have passed their cases and serve",
			"plugin",
			plugin,
			"sha",
			plugins.Short(sha),
		)
	}
	return held, nil
}

// ofPlugin returns the results of one plugin's cases.
func ofPlugin(results []evals.Result, plugin string) []evals.Result {
	return slices.DeleteFunc(
		slices.Clone(results),
		func(r evals.Result) bool { return !strings.HasPrefix(r.Case, plugin+"/") },
	)
}

// TryHeldBack starts the runs for which the gate is waiting.
func (s Service) TryHeldBack(ctx context.Context) error {
	status, err := s.Store.PromptStatus(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range status {
		if p.Folder.Event != store.PromptHeld || p.Serving == nil || p.Serving.SHA == p.Folder.SHA {
			continue
		}
		_, err := s.Store.GateRun(ctx, p.Plugin, p.Folder.SHA)
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrNotFound) {
			errs = append(errs, err)
			continue
		}
		_, err = s.Start(
			ctx,
			Wanted{By: store.ByGate, Plugin: p.Plugin, Bundles: map[string]string{p.Plugin: p.Folder.SHA}},
		)
		switch {
		case errors.Is(err, errNoCases): // no cases are left to test them with
			err = s.Store.Publish(ctx, store.Publication{Plugin: p.Plugin, SHA: p.Folder.SHA, Gate: true})
		case err != nil:
			err = fmt.Errorf("try the changed prompts of %s: %w", p.Plugin, err)
		default:
			s.Log.InfoContext(
				ctx,
				"changed prompts are tried before they serve",
				"plugin",
				p.Plugin,
				"sha",
				plugins.Short(p.Folder.SHA),
			)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
