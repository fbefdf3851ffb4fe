// Package plugins manages the plugins of the prompts folder: which prompts are in use, which versions there were, who
// changed what, and what plugin files may refer to. It reads files through package prompt and stores versions in the
// store; it calls no model.
package plugins

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

	"munshi/orchestrator/activities"
	"munshi/orchestrator/api"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Catalogue gives the workflows and the API the prompts in use. Each turn asks the database which those are, which
// takes well under a millisecond, so that a change or rollback applies to the next turn of every process. Compiled
// bundles are kept in memory by hash.
type Catalogue struct {
	Options

	mu      sync.Mutex
	bundles map[string]*prompt.Bundle
	seen    map[string]string // hash of the content of each plugin's folder
	serves  map[string]string // hash of the bundle in use for each plugin, as last read from the database
	asked   time.Time         // when it was read
}

// Options are a catalogue's settings and dependencies.
type Options struct {
	Store  *store.Store
	Log    *slog.Logger
	Folder string // the folder of plugins
	Gated  bool   // changed prompts are tested before they are used
	// what files may refer to, and the limits of the model; bundles from the database are checked without these limits
	Registry prompt.Registry
}

// servingFor is how long a running turn may rely on what was last read about the bundles in use.
const servingFor = 250 * time.Millisecond

var (
	_ workflows.Catalogue = (*Catalogue)(nil)
	_ api.Catalogue       = (*Catalogue)(nil)
)

// NewCatalogue returns a catalogue that has not read any folder yet.
func NewCatalogue(o Options) *Catalogue {
	return &Catalogue{Options: o, bundles: map[string]*prompt.Bundle{}, seen: map[string]string{}}
}

// Look reads the plugin folders once.
func (c *Catalogue) Look(ctx context.Context) error {
	folders, err := prompt.ReadDir(c.Folder)
	if err != nil {
		return fmt.Errorf("load the prompts: %w", err)
	}
	return c.saw(ctx, folders)
}

// Watch reads the plugin folders whenever they change, until ctx ends.
func (c *Catalogue) Watch(ctx context.Context, poll time.Duration) error {
	prompt.Watch(ctx, c.Folder, poll, c.Log, func(ctx context.Context, folders []prompt.Folder) error {
		err := c.saw(ctx, folders)
		if err != nil && ctx.Err() == nil {
			c.Log.ErrorContext(ctx, "a change to the prompts could not be stored; trying again", "error", err)
		}
		return err
	})
	return nil
}

// saw handles the content of the plugin folders: a valid plugin is put to use; for a broken one, only its mistakes are
// reported.
func (c *Catalogue) saw(ctx context.Context, folders []prompt.Folder) error {
	var failed error
	maps.DeleteFunc(c.seen, func(plugin, _ string) bool {
		return !slices.ContainsFunc(folders, func(f prompt.Folder) bool { return f.Plugin == plugin })
	})
	present := []string{}
	for _, f := range folders {
		present = append(present, f.Plugin)
		if c.seen[f.Plugin] == f.SHA {
			continue
		}
		if err := c.take(ctx, f); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		c.seen[f.Plugin] = f.SHA
	}
	return errors.Join(failed, c.Store.ForgetUnserved(ctx, c.place(), present))
}

func (c *Catalogue) take(ctx context.Context, f prompt.Folder) error {
	report := store.FolderReport{Place: c.place(), Plugin: f.Plugin, SHA: f.SHA}
	b, err := f.Check(c.Registry)
	var problems prompt.Problems
	switch {
	case errors.As(err, &problems):
		report.Problems = problems
	case err != nil:
		return err
	default:
		report.Files = b.Files()
		c.keep(b)
		if report.Held, err = c.holds(ctx, f.Plugin); err != nil {
			return err
		}
	}
	report.Commit, report.Author = committed(ctx, c.Folder, f.Files())
	event, err := c.Store.Report(ctx, report)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.asked = time.Time{}
	c.mu.Unlock()
	for _, p := range problems {
		c.Log.ErrorContext(ctx, "a prompt file has a mistake; what served before goes on", "problem", p.String())
	}
	switch {
	case event == store.PromptServed:
		c.Log.InfoContext(ctx, "new prompts serve", "plugin", f.Plugin, "sha", Short(f.SHA))
	case event == store.PromptHeld:
		c.Log.WarnContext(
			ctx,
			"changed prompts are held back until they were tried; what served before goes on",
			"plugin",
			f.Plugin,
			"sha",
			Short(f.SHA),
		)
	case event == "" && b != nil:
		c.Log.WarnContext(
			ctx,
			"this folder holds an older copy of the prompts; what serves goes on",
			"plugin",
			f.Plugin,
			"folder",
			Short(f.SHA),
		)
	}
	return nil
}

// place identifies the prompts folder of this process among those of all processes.
func (c *Catalogue) place() string {
	host, _ := os.Hostname() // without a host name, only the folder identifies it
	return host + ":" + c.Folder
}

func (c *Catalogue) keep(b *prompt.Bundle) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bundles[b.SHA()] = b
}

// Bundle returns a compiled bundle by its hash, read from the database if this process has not compiled it yet.
func (c *Catalogue) Bundle(ctx context.Context, sha string) (*prompt.Bundle, error) {
	c.mu.Lock()
	b := c.bundles[sha]
	c.mu.Unlock()
	if b != nil {
		return b, nil
	}
	kept, err := c.Store.Bundle(ctx, sha)
	if err != nil {
		return nil, err
	}
	unlimited := c.Registry
	unlimited.Room, unlimited.Tokens = nil, nil
	if b, err = prompt.Open(kept.Files, unlimited); err != nil { // these files were valid when they were stored
		return nil, &workflows.Failure{
			Code:      workflows.NeedsNewer,
			Sentence:  workflows.NewerSentence,
			Retryable: true,
			Cause:     err,
		}
	}
	c.keep(b)
	return b, nil
}

// Serving reads from the database which bundle each plugin uses.
func (c *Catalogue) Serving(ctx context.Context) (map[string]string, error) {
	begun := time.Now()
	serves, err := c.Store.Serving(ctx)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serves, c.asked = serves, begun
	return serves, nil
}

// recent is Serving, with answers cached for servingFor.
func (c *Catalogue) recent(ctx context.Context) (map[string]string, error) {
	c.mu.Lock()
	serves, fresh := c.serves, time.Since(c.asked) < servingFor
	c.mu.Unlock()
	if fresh {
		return serves, nil
	}
	return c.Serving(ctx)
}

// ServingBundle returns the bundle in use for a plugin.
func (c *Catalogue) ServingBundle(ctx context.Context, plugin string) (*prompt.Bundle, error) {
	return c.serving(ctx, plugin, c.Serving)
}

// serving returns the bundle that a plugin uses; ask returns the hash of each plugin's bundle.
func (c *Catalogue) serving(
	ctx context.Context,
	plugin string,
	ask func(context.Context) (map[string]string, error),
) (*prompt.Bundle, error) {
	shas, err := ask(ctx)
	if err != nil {
		return nil, err
	}
	if shas[plugin] == "" {
		return nil, activities.Fail("unknown_plugin.turn", nil, fmt.Errorf("plugin %q", plugin))
	}
	return c.Bundle(ctx, shas[plugin])
}

// Plugins lists the plugins in use, in the order of their manifests.
func (c *Catalogue) Plugins(ctx context.Context) ([]api.PluginInfo, error) {
	shas, err := c.Serving(ctx)
	if err != nil {
		return nil, err
	}
	var bundles []*prompt.Bundle
	for plugin, sha := range shas {
		b, err := c.Bundle(ctx, sha)
		if err != nil {
			c.Log.ErrorContext(ctx, "a plugin cannot be shown", "plugin", plugin, "error", err)
			continue
		}
		bundles = append(bundles, b)
	}
	return infos(bundles), nil
}

// Plan returns the steps of a turn from the manifest in use, or from that of the pinned bundle.
func (c *Catalogue) Plan(ctx context.Context, plugin, kind, pinned string) (workflows.Plan, error) {
	var b *prompt.Bundle
	var err error
	if pinned != "" {
		b, err = c.Bundle(ctx, pinned)
	} else {
		b, err = c.serving(ctx, plugin, c.recent)
	}
	if err != nil {
		return workflows.Plan{}, err
	}
	turn, ok := b.Manifest().Turns[kind]
	if !ok {
		return workflows.Plan{}, activities.Fail("unknown_turn", nil, fmt.Errorf("turn %q of %s", kind, plugin))
	}
	plan := workflows.Plan{Bundle: b.SHA(), Apology: turn.Apology}
	for _, s := range turn.Steps {
		plan.Steps = append(plan.Steps, workflows.Step{ID: s.ID, Kind: s.Kind, Title: s.Title,
			Prompt: s.Settings["prompt"], PartPrompt: s.Settings["part_prompt"],
			HistoryPrompt: s.Settings["history_prompt"], Absent: s.Settings["absent"], Draft: s.Settings["draft"],
			Continue: s.Settings["continue"], Document: s.Settings["document"], Revise: s.Settings["revise"],
			Tolerance: s.Settings["tolerance"]})
	}
	return plan, nil
}

// Render fills in the prompt in use. If that no longer fits the plan of the turn, or the turn is pinned to a bundle,
// it uses the prompt of the turn's own bundle.
func (c *Catalogue) Render(
	ctx context.Context,
	from workflows.Prompts,
	name string,
	values map[string]any,
) (workflows.Question, error) {
	var err error
	if !from.Pinned {
		var now *prompt.Bundle
		if now, err = c.serving(ctx, from.Plugin, c.recent); err == nil {
			var q workflows.Question
			if q, err = Render(now, name, values); err == nil {
				return q, nil
			}
		}
	}
	own, oerr := c.Bundle(ctx, from.Bundle)
	if oerr != nil {
		return workflows.Question{}, errors.Join(oerr, err)
	}
	q, err := Render(own, name, values)
	if err != nil {
		return workflows.Question{}, activities.Fail("broken_prompt", nil, err)
	}
	return q, nil
}

// holds reports whether changed prompts of a plugin must be tested before they are used.
func (c *Catalogue) holds(ctx context.Context, plugin string) (bool, error) {
	if !c.Gated {
		return false, nil
	}
	serves, err := c.Serving(ctx)
	if err != nil || serves[plugin] == "" {
		return false, err // no previous version that could stay in use
	}
	blessed, err := c.Store.Blessed(ctx)
	if err != nil {
		return false, err
	}
	_, ok := blessed[plugin]
	return ok, nil
}
