package plugins

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"munshi/orchestrator/api"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
)

// Previews returns what the prompts of a plugin would send with their sample values: those in use, and those in the
// folder if they differ.
func (c *Catalogue) Previews(ctx context.Context, plugin string) (api.PromptPreviews, error) {
	shas, err := c.Serving(ctx)
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
		b, err := c.Bundle(ctx, shas[plugin])
		if err != nil {
			return previews, err
		}
		if err := add(b, true); err != nil {
			return previews, err
		}
	}
	f, there := c.folderOf(plugin)
	if !there {
		if !serves {
			return previews, fmt.Errorf("preview the prompts of %q: %w", plugin, store.ErrNotFound)
		}
		previews.Folder = "away"
		return previews, nil
	}
	switch b, err := f.Check(c.Registry); {
	case f.SHA == shas[plugin]:
		previews.Folder = "same"
	case err != nil: // the mistakes are shown elsewhere
		previews.Folder = "mistakes"
	default:
		previews.Folder = "other"
		if err := add(b, false); err != nil {
			return previews, err
		}
	}
	return previews, nil
}

// Preview returns what a prompt of a version would send with the values that a person typed.
func (c *Catalogue) Preview(
	ctx context.Context,
	plugin, sha, name string,
	typed map[string]string,
) ([]api.QuestionMessage, error) {
	b, err := c.Bundle(ctx, sha)
	if errors.Is(err, store.ErrNotFound) { // in the folder, but not published
		if f, there := c.folderOf(plugin); there && f.SHA == sha {
			b, err = f.Check(c.Registry)
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

// folderOf returns the content of a plugin's folder, if it exists here.
func (c *Catalogue) folderOf(plugin string) (prompt.Folder, bool) {
	folders, err := prompt.ReadDir(c.Folder)
	if err != nil { // the watcher reports it
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
		out.Variables = append(
			out.Variables,
			api.PromptVariable{Name: name, Type: string(v.Type), Untrusted: v.Untrusted, Required: v.Required,
				Choices: append([]string{}, v.Choices...), Sample: v.SampleText()},
		)
	}
	var err error
	out.Messages, err = previewed(b, name, p.Samples())
	return out, err
}

func previewed(b *prompt.Bundle, name string, values map[string]any) ([]api.QuestionMessage, error) {
	rendered, err := b.Render(name, ShortFacts(values))
	if err != nil {
		return nil, err
	}
	messages := make([]api.QuestionMessage, len(rendered))
	for i, m := range rendered {
		messages[i] = api.QuestionMessage(m)
	}
	return messages, nil
}
