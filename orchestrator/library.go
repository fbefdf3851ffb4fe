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

// library gives the activities and the API the prompts that serve. The database says which those are, and is asked by
// each turn: a query of well under a millisecond, so that a save or a rollback holds for the next turn of every process.
// What a process has compiled it keeps by sha.
type library struct {
	store    *store.Store
	log      *slog.Logger
	folder   string      // the plugin folders
	law      *law.Tables // nil: what follows from a notice's facts is not told to prompts
	masking  masking
	gated    bool            // changed prompts are tried before they serve
	registry prompt.Registry // what files may name, with the model's limits; what is read from the database is judged without them

	mu      sync.Mutex
	bundles map[string]*prompt.Bundle
	seen    map[string]string // the sha of what lies in each plugin's folder
	serves  map[string]string // the sha that serves each plugin, as the database said
	asked   time.Time         // when it said so
}

// servingFor is how long a turn that has begun takes for granted what served a moment ago.
const servingFor = 250 * time.Millisecond

var (
	_ workflows.Library = (*library)(nil)
	_ api.Catalogue     = (*library)(nil)
)

func newLibrary(s *store.Store, log *slog.Logger, folder string, r prompt.Registry) *library {
	return &library{store: s, log: log, folder: folder, registry: r, bundles: map[string]*prompt.Bundle{}, seen: map[string]string{}}
}

// look reads the plugin folders once.
func (l *library) look(ctx context.Context) error {
	folders, err := prompt.ReadDir(l.folder)
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
	present := []string{}
	for _, f := range folders {
		present = append(present, f.Plugin)
		if l.seen[f.Plugin] == f.SHA {
			continue
		}
		if err := l.take(ctx, f); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		l.seen[f.Plugin] = f.SHA
	}
	return errors.Join(failed, l.store.ForgetUnserved(ctx, l.place(), present))
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
		if report.Held, err = l.holds(ctx, f.Plugin); err != nil {
			return err
		}
	}
	report.Commit, report.Author = committed(ctx, l.folder, f.Files())
	event, err := l.store.Report(ctx, report)
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.asked = time.Time{}
	l.mu.Unlock()
	for _, p := range problems {
		l.log.ErrorContext(ctx, "a prompt file has a mistake; what served before goes on", "problem", p.String())
	}
	switch {
	case event == store.PromptServed:
		l.log.InfoContext(ctx, "new prompts serve", "plugin", f.Plugin, "sha", short(f.SHA))
	case event == store.PromptHeld:
		l.log.WarnContext(ctx, "changed prompts are held back until they were tried; what served before goes on", "plugin", f.Plugin, "sha", short(f.SHA))
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
	unlimited := l.registry
	unlimited.Room, unlimited.Tokens = nil, nil
	if b, err = prompt.Open(kept.Files, unlimited); err != nil { // a process that could read them kept them
		return nil, &workflows.Failure{Code: workflows.NeedsNewer, Sentence: workflows.NewerSentence, Retryable: true, Cause: err}
	}
	l.keep(b)
	return b, nil
}

// shas asks which sha serves each plugin.
func (l *library) shas(ctx context.Context) (map[string]string, error) {
	begun := time.Now()
	serves, err := l.store.Serving(ctx)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serves, l.asked = serves, begun
	return serves, nil
}

// recent gives what shas gave within servingFor, else asks.
func (l *library) recent(ctx context.Context) (map[string]string, error) {
	l.mu.Lock()
	serves, fresh := l.serves, time.Since(l.asked) < servingFor
	l.mu.Unlock()
	if fresh {
		return serves, nil
	}
	return l.shas(ctx)
}

// serving gives the bundle that serves a plugin, as ask says.
func (l *library) serving(ctx context.Context, plugin string, ask func(context.Context) (map[string]string, error)) (*prompt.Bundle, error) {
	shas, err := ask(ctx)
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
	shas, err := l.shas(ctx)
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

// Previews gives what the prompts of a plugin would ask with their sample values: those that serve, and those that lie in
// the folder where they are others.
func (l *library) Previews(ctx context.Context, plugin string) (api.PromptPreviews, error) {
	shas, err := l.shas(ctx)
	if err != nil {
		return api.PromptPreviews{}, err
	}
	previews := api.PromptPreviews{Versions: []api.PromptPreviewVersion{}}
	add := func(b *prompt.Bundle, serves bool) error {
		version := api.PromptPreviewVersion{SHA: b.SHA(), Serves: serves}
		for _, name := range b.Prompts() {
			p, err := preview(b, name)
			if err != nil {
				return fmt.Errorf("preview %s/%s: %w", plugin, name, err)
			}
			version.Prompts = append(version.Prompts, p)
		}
		previews.Versions = append(previews.Versions, version)
		return nil
	}
	serves := shas[plugin] != ""
	if serves {
		b, err := l.bundle(ctx, shas[plugin])
		if err != nil {
			return previews, err
		}
		if err := add(b, true); err != nil {
			return previews, err
		}
	}
	f, there := l.folderOf(plugin)
	if !there {
		if !serves {
			return previews, fmt.Errorf("preview the prompts of %q: %w", plugin, store.ErrNotFound)
		}
		previews.Folder = "away"
		return previews, nil
	}
	switch b, err := f.Check(l.registry); {
	case f.SHA == shas[plugin]:
		previews.Folder = "same"
	case err != nil: // what is wrong is told elsewhere
		previews.Folder = "mistakes"
	default:
		previews.Folder = "other"
		if err := add(b, false); err != nil {
			return previews, err
		}
	}
	return previews, nil
}

// Preview gives what a prompt of a version would ask with values that a person typed.
func (l *library) Preview(ctx context.Context, plugin, sha, name string, typed map[string]string) ([]api.QuestionMessage, error) {
	b, err := l.bundle(ctx, sha)
	if errors.Is(err, store.ErrNotFound) { // in the folder and not published
		if f, there := l.folderOf(plugin); there && f.SHA == sha {
			b, err = f.Check(l.registry)
		}
	}
	if err != nil {
		return nil, err
	}
	if b.Manifest().ID != plugin || b.Prompt(name) == nil {
		return nil, fmt.Errorf("preview %s/%s: %w", plugin, name, store.ErrNotFound)
	}
	values, err := b.Prompt(name).Typed(typed)
	if err != nil {
		return nil, err
	}
	return previewed(b, name, values)
}

// folderOf gives a plugin's folder as it lies here, where it does.
func (l *library) folderOf(plugin string) (prompt.Folder, bool) {
	folders, err := prompt.ReadDir(l.folder)
	if err != nil { // the watcher tells
		return prompt.Folder{}, false
	}
	at := slices.IndexFunc(folders, func(f prompt.Folder) bool { return f.Plugin == plugin })
	if at < 0 {
		return prompt.Folder{}, false
	}
	return folders[at], true
}

func preview(b *prompt.Bundle, name string) (api.PromptPreview, error) {
	p := b.Prompt(name)
	out := api.PromptPreview{Prompt: name, Purpose: p.Purpose, Variables: []api.PromptVariable{}}
	for _, name := range slices.Sorted(maps.Keys(p.Variables)) {
		v := p.Variables[name]
		out.Variables = append(out.Variables, api.PromptVariable{Name: name, Type: string(v.Type), Untrusted: v.Untrusted, Required: v.Required,
			Choices: append([]string{}, v.Choices...), Sample: v.SampleText()})
	}
	var err error
	out.Messages, err = previewed(b, name, p.Samples())
	return out, err
}

func previewed(b *prompt.Bundle, name string, values map[string]any) ([]api.QuestionMessage, error) {
	rendered, err := b.Render(name, shortFacts(values))
	if err != nil {
		return nil, err
	}
	messages := make([]api.QuestionMessage, len(rendered))
	for i, m := range rendered {
		messages[i] = api.QuestionMessage(m)
	}
	return messages, nil
}

// Plan gives the steps of a turn as the manifest that serves now lists them, or that of the bundle that is pinned.
func (l *library) Plan(ctx context.Context, plugin, kind, pinned string) (workflows.Plan, error) {
	var b *prompt.Bundle
	var err error
	if pinned != "" {
		b, err = l.bundle(ctx, pinned)
	} else {
		b, err = l.serving(ctx, plugin, l.recent)
	}
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
			Prompt: s.Settings["prompt"], PartPrompt: s.Settings["part_prompt"], HistoryPrompt: s.Settings["history_prompt"],
			Absent: s.Settings["absent"], Draft: s.Settings["draft"],
			Continue: s.Settings["continue"], Document: s.Settings["document"], Revise: s.Settings["revise"]})
	}
	return plan, nil
}

// Material gathers what a turn's prompts speak about.
func (l *library) Material(ctx context.Context, ref workflows.Ref) (workflows.Material, error) {
	m, err := desk{l.store}.material(ctx, ref)
	if err != nil {
		return m, err
	}
	if wanted, err := l.masking.wanted(ctx, ref.Workspace); err != nil {
		return m, err
	} else if wanted {
		m.Private = private(m)
	}
	m.Facts = reckoned(l.law, m.Facts, m.Today)
	return m, nil
}

// Render fills the prompt that serves now; where that one no longer fits what the turn was planned with, or the turn is pinned,
// the bundle's own.
func (l *library) Render(ctx context.Context, from workflows.Prompts, name string, values map[string]any) (workflows.Question, error) {
	var err error
	if !from.Pinned {
		var now *prompt.Bundle
		if now, err = l.serving(ctx, from.Plugin, l.recent); err == nil {
			var q workflows.Question
			if q, err = render(now, name, values); err == nil {
				return q, nil
			}
		}
	}
	own, oerr := l.bundle(ctx, from.Bundle)
	if oerr != nil {
		return workflows.Question{}, errors.Join(oerr, err)
	}
	q, err := render(own, name, values)
	if err != nil {
		return workflows.Question{}, &workflows.Failure{Code: "broken_prompt", Sentence: "A prompt of this feature could not be filled in.", Cause: err}
	}
	return q, nil
}
