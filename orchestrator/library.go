package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// library gives the activities and the API the prompts that serve. The database says which those are, and is asked each
// time: a query of well under a millisecond, so that a save or a rollback holds for the next turn of every process. What a
// process has compiled it keeps by sha.
type library struct {
	store    *store.Store
	log      *slog.Logger
	folder   string          // the plugin folders
	law      *law.Tables     // nil: what follows from a notice's facts is not told to prompts
	registry prompt.Registry // with the model's limits; what is read from the database is judged without them

	mu      sync.Mutex
	bundles map[string]*prompt.Bundle
	seen    map[string]string // the sha of what lies in each plugin's folder
}

var (
	_ workflows.Library = (*library)(nil)
	_ api.Catalogue     = (*library)(nil)
)

func newLibrary(s *store.Store, log *slog.Logger, folder string, r prompt.Registry) *library {
	return &library{store: s, log: log, folder: folder, registry: r, bundles: map[string]*prompt.Bundle{}, seen: map[string]string{}}
}

// look reads the plugin folders once.
func (l *library) look(ctx context.Context) error {
	folders, err := prompt.Read(os.DirFS(l.folder))
	if err != nil {
		return fmt.Errorf("load the prompts: %w", err)
	}
	return l.saw(ctx, folders)
}

// watch goes on looking until ctx ends.
func (l *library) watch(ctx context.Context, poll time.Duration) error {
	prompt.Watch(ctx, l.folder, poll, l.log, func(ctx context.Context, folders []prompt.Folder) error {
		err := l.saw(ctx, folders)
		if err != nil && ctx.Err() == nil {
			l.log.ErrorContext(ctx, "a change to the prompts could not be stored; trying again", "error", err)
		}
		return err
	})
	return nil
}

// saw takes what lies in the plugin folders: a valid one serves, a broken one changes nothing but what is said of it.
func (l *library) saw(ctx context.Context, folders []prompt.Folder) error {
	var failed error
	maps.DeleteFunc(l.seen, func(plugin, _ string) bool {
		return !slices.ContainsFunc(folders, func(f prompt.Folder) bool { return f.Plugin == plugin })
	})
	for _, f := range folders {
		if l.seen[f.Plugin] == f.SHA {
			continue
		}
		if err := l.take(ctx, f); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		l.seen[f.Plugin] = f.SHA
	}
	return failed
}

func (l *library) take(ctx context.Context, f prompt.Folder) error {
	report := store.FolderReport{Place: l.place(), Plugin: f.Plugin, SHA: f.SHA}
	b, err := f.Check(l.registry)
	var problems prompt.Problems
	switch {
	case errors.As(err, &problems):
		report.Problems = problems
	case err != nil:
		return err
	default:
		report.Files = b.Files()
		l.keep(b)
		// A gate that holds new prompts back until they were tried sets report.Held here.
	}
	report.Commit, report.Author = committed(ctx, l.folder, f.Files())
	event, err := l.store.Report(ctx, report)
	if err != nil {
		return err
	}
	for _, p := range problems {
		l.log.ErrorContext(ctx, "a prompt file has a mistake; what served before goes on", "problem", p.String())
	}
	switch {
	case event == store.PromptServed:
		l.log.InfoContext(ctx, "new prompts serve", "plugin", f.Plugin, "sha", short(f.SHA))
	case event == "" && b != nil:
		l.log.WarnContext(ctx, "this folder holds an older copy of the prompts; what serves goes on", "plugin", f.Plugin, "folder", short(f.SHA))
	}
	return nil
}

// place names the prompts folder among those of all processes.
func (l *library) place() string {
	host, _ := os.Hostname() // a host without a name is one more without a past
	return host + ":" + l.folder
}

func (l *library) keep(b *prompt.Bundle) {
	l.mu.Lock()
	defer l.mu.Unlock()
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

// Previews gives what each prompt of the plugin that serves would ask with its sample values.
func (l *library) Previews(ctx context.Context, plugin string) ([]api.PromptPreview, error) {
	shas, err := l.store.Serving(ctx)
	if err != nil {
		return nil, err
	}
	if shas[plugin] == "" {
		return nil, fmt.Errorf("preview the prompts of %q: %w", plugin, store.ErrNotFound)
	}
	b, err := l.bundle(ctx, shas[plugin])
	if err != nil {
		return nil, err
	}
	var previews []api.PromptPreview
	for _, name := range b.Prompts() {
		p := api.PromptPreview{Prompt: name, Purpose: b.Prompt(name).Purpose}
		messages, err := b.Render(name, b.Prompt(name).Samples())
		if err != nil {
			return nil, fmt.Errorf("preview %s/%s: %w", plugin, name, err)
		}
		for _, m := range messages {
			p.Messages = append(p.Messages, api.QuestionMessage(m))
		}
		previews = append(previews, p)
	}
	return previews, nil
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
	m, err := desk{l.store}.material(ctx, ref)
	m.Facts = reckoned(l.law, m.Facts, m.Today)
	return m, err
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
