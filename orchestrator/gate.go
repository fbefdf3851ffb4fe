package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"munshi/evals"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// The publishing gate: changed prompts of a plugin that has a blessed run are held back (library.take), tried with all its cases
// (sweeper.gates), and serve when they are not worse (examiner.gate). Until then the last good ones do.

// gate decides when a trial of prompts has ended whether they serve, and gives why not.
func (x examiner) gate(ctx context.Context, run store.EvalRun, e workflows.RunEnding, results []evals.Result) ([]string, error) {
	if e.State != "done" {
		return []string{strings.TrimSpace("The trial did not come to its end. " + e.Reason)}, nil
	}
	blessed, err := x.store.Blessed(ctx)
	if err != nil {
		return nil, err
	}
	held := []string{}
	for plugin, sha := range run.Bundles {
		var baseline []evals.Result
		if b, ok := blessed[plugin]; ok {
			if baseline, err = resultsOf(ctx, x.store, b.RunID); err != nil {
				return nil, err
			}
		}
		reasons := evals.Gate(ofPlugin(baseline, plugin), ofPlugin(results, plugin), x.margin)
		if len(reasons) > 0 {
			x.log.WarnContext(ctx, "changed prompts do not serve", "plugin", plugin, "sha", short(sha), "reasons", len(reasons))
			held = append(held, reasons...)
			continue
		}
		if err := x.store.Publish(ctx, store.Publication{Plugin: plugin, SHA: sha, Gate: true}); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		x.log.InfoContext(ctx, "changed prompts have passed their cases and serve", "plugin", plugin, "sha", short(sha))
	}
	return held, nil
}

// ofPlugin gives the results of one plugin's cases.
func ofPlugin(results []evals.Result, plugin string) []evals.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r evals.Result) bool { return !strings.HasPrefix(r.Case, plugin+"/") })
}

// gateKeeper tries what the gate has held back.
type gateKeeper struct {
	evaluations
	log *slog.Logger
}

// try starts the trials that are still to be made.
func (g gateKeeper) try(ctx context.Context) error {
	status, err := g.store.PromptStatus(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, s := range status {
		if s.Folder.Event != store.PromptHeld || s.Serving == nil || s.Serving.SHA == s.Folder.SHA {
			continue
		}
		_, err := g.store.GateRun(ctx, s.Plugin, s.Folder.SHA)
		if err == nil {
			continue
		}
		if !errors.Is(err, store.ErrNotFound) {
			errs = append(errs, err)
			continue
		}
		_, err = g.start(ctx, wantedRun{By: store.ByGate, Plugin: s.Plugin, Bundles: map[string]string{s.Plugin: s.Folder.SHA}})
		switch {
		case errors.Is(err, errNoCases): // there is nothing to try them with any more
			err = g.store.Publish(ctx, store.Publication{Plugin: s.Plugin, SHA: s.Folder.SHA, Gate: true})
		case err != nil:
			err = fmt.Errorf("try the changed prompts of %s: %w", s.Plugin, err)
		default:
			g.log.InfoContext(ctx, "changed prompts are tried before they serve", "plugin", s.Plugin, "sha", short(s.Folder.SHA))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// holds tells whether changed prompts of a plugin are to be tried before they serve.
func (l *library) holds(ctx context.Context, plugin string) (bool, error) {
	if !l.gated {
		return false, nil
	}
	serves, err := l.shas(ctx)
	if err != nil || serves[plugin] == "" {
		return false, err // nothing good that could go on
	}
	blessed, err := l.store.Blessed(ctx)
	if err != nil {
		return false, err
	}
	_, ok := blessed[plugin]
	return ok, nil
}
