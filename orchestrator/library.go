package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"munshi/orchestrator/api"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// library gives the activities and the API the prompts that serve. The database says which those are; what a process has
// compiled it keeps by sha.
type library struct {
	store *store.Store
	log   *slog.Logger

	mu      sync.Mutex
	bundles map[string]*prompt.Bundle
}

var (
	_ workflows.Library = (*library)(nil)
	_ api.Catalogue     = (*library)(nil)
)

// serve reads the plugin folders and makes the valid ones serve. A broken folder changes nothing: what served before
// goes on, and the log says what is wrong where.
func (l *library) serve(ctx context.Context, dir string) error {
	bundles, err := prompt.Load(os.DirFS(dir), registry())
	var problems prompt.Problems
	switch {
	case errors.As(err, &problems):
		for _, p := range problems {
			l.log.ErrorContext(ctx, "a prompt file has a mistake; what served before goes on", "problem", p.String())
		}
	case err != nil:
		return fmt.Errorf("load the prompts: %w", err)
	}
	for _, b := range bundles {
		if err := l.store.Serve(ctx, store.Bundle{SHA: b.SHA(), Plugin: b.Manifest().ID, Files: b.Files()}); err != nil {
			return err
		}
		l.keep(b)
	}
	return nil
}

func (l *library) keep(b *prompt.Bundle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bundles == nil {
		l.bundles = map[string]*prompt.Bundle{}
	}
	l.bundles[b.SHA()] = b
}

// bundle gives a compiled bundle by its sha, from the database where this process has not compiled it.
func (l *library) bundle(ctx context.Context, sha string) (*prompt.Bundle, error) {
	l.mu.Lock()
	b := l.bundles[sha]
	l.mu.Unlock()
	if b != nil {
		return b, nil
	}
	kept, err := l.store.Bundle(ctx, sha)
	if err != nil {
		return nil, err
	}
	if b, err = prompt.Open(kept.Files, registry()); err != nil {
		return nil, &workflows.Failure{Code: "broken_prompt", Sentence: "The prompts that this turn began with cannot be read by this version.", Cause: err}
	}
	l.keep(b)
	return b, nil
}

// serving gives the bundle that serves a plugin now.
func (l *library) serving(ctx context.Context, plugin string) (*prompt.Bundle, error) {
	shas, err := l.store.Serving(ctx)
	if err != nil {
		return nil, err
	}
	if shas[plugin] == "" {
		return nil, &workflows.Failure{Code: "unknown_plugin", Sentence: "No prompts serve for this feature. Check the prompts folder.", Cause: fmt.Errorf("plugin %q", plugin)}
	}
	return l.bundle(ctx, shas[plugin])
}

// Plugins lists what serves, in the order of the manifests.
func (l *library) Plugins(ctx context.Context) ([]api.PluginInfo, error) {
	shas, err := l.store.Serving(ctx)
	if err != nil {
		return nil, err
	}
	var bundles []*prompt.Bundle
	for plugin, sha := range shas {
		b, err := l.bundle(ctx, sha)
		if err != nil {
			l.log.ErrorContext(ctx, "a plugin cannot be shown", "plugin", plugin, "error", err)
			continue
		}
		bundles = append(bundles, b)
	}
	return pluginInfos(bundles), nil
}

// Plan gives the steps of a turn as the manifest that serves now lists them.
func (l *library) Plan(ctx context.Context, plugin, kind string) (workflows.Plan, error) {
	b, err := l.serving(ctx, plugin)
	if err != nil {
		return workflows.Plan{}, err
	}
	turn, ok := b.Manifest().Turns[kind]
	if !ok {
		return workflows.Plan{}, &workflows.Failure{Code: "unknown_turn", Sentence: "This feature does not take that.", Cause: fmt.Errorf("turn %q of %s", kind, plugin)}
	}
	plan := workflows.Plan{Bundle: b.SHA(), Apology: turn.Apology}
	for _, s := range turn.Steps {
		plan.Steps = append(plan.Steps, workflows.Step{ID: s.ID, Kind: s.Kind, Title: s.Title,
			Prompt: s.Settings["prompt"], PartPrompt: s.Settings["part_prompt"], Absent: s.Settings["absent"]})
	}
	return plan, nil
}

// Material gathers what a turn's prompts speak about.
func (l *library) Material(ctx context.Context, ref workflows.Ref) (workflows.Material, error) {
	return desk{l.store}.material(ctx, ref)
}

// Render fills the prompt that serves now; where that one no longer fits what the turn was planned with, the bundle's own.
func (l *library) Render(ctx context.Context, bundle, plugin, name string, values map[string]any) (workflows.Question, error) {
	now, err := l.serving(ctx, plugin)
	if err == nil {
		var q workflows.Question
		if q, err = render(now, name, values); err == nil {
			return q, nil
		}
	}
	own, oerr := l.bundle(ctx, bundle)
	if oerr != nil {
		return workflows.Question{}, errors.Join(err, oerr)
	}
	q, err := render(own, name, values)
	if err != nil {
		return workflows.Question{}, &workflows.Failure{Code: "broken_prompt", Sentence: "A prompt of this feature could not be filled in.", Cause: err}
	}
	return q, nil
}
