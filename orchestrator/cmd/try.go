package cmd

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/app"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// folderPrompt returns the prompt that a command names, from the configured folder.
func folderPrompt(cmd *cobra.Command, name string) (*app.App, *prompt.Bundle, string, error) {
	a, err := load(cmd)
	if err != nil {
		return nil, nil, "", err
	}
	plugin, file, _ := strings.Cut(name, "/")
	file = strings.TrimSuffix(file, ".md")
	folders, err := prompt.ReadDir(a.Config.Prompts.Dir)
	if err != nil {
		return nil, nil, "", problem.New("folder_unreadable", problem.Params{"folder": a.Config.Prompts.Dir}, err)
	}
	for _, f := range folders {
		if f.Plugin != plugin {
			continue
		}
		b, err := f.Check(a.Registry())
		if err != nil {
			return nil, nil, "", problem.New("plugin_has_mistakes", problem.Params{"mistakes": err.Error()}, err)
		}
		if b.Prompt(file) == nil {
			return nil, nil, "", problem.New(
				"no_such_prompt",
				problem.Params{"prompt": file, "plugin": plugin, "prompts": strings.Join(b.Prompts(), ", ")},
				nil,
			)
		}
		return a, b, file, nil
	}
	return nil, nil, "", problem.New("no_such_plugin", problem.Params{"plugin": plugin}, nil)
}

func renderPrompt(cmd *cobra.Command, args []string) error {
	_, b, name, err := folderPrompt(cmd, args[0])
	if err != nil {
		return err
	}
	messages, err := b.Render(name, plugins.ShortFacts(b.Prompt(name).Samples()))
	if err != nil {
		return err
	}
	if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
		return printJSON(cmd.OutOrStdout(), messages)
	}
	for _, m := range messages {
		fmt.Fprintf(cmd.OutOrStdout(), "=== %s ===\n%s\n\n", m.Role, m.Text)
	}
	return nil
}

// tryPrompt prints a model's answers to the folder's prompt and to the one in use.
func tryPrompt(cmd *cobra.Command, args []string) error {
	a, mine, name, err := folderPrompt(cmd, args[0])
	if err != nil {
		return err
	}
	step, turn := stepOf(mine, name)
	if step.Prompt == "" {
		return problem.New("prompt_takes_notes", problem.Params{"prompt": args[0]}, nil)
	}
	material, err := promptContext(cmd, a, turn)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	ask := func(b *prompt.Bundle, title string) error {
		fmt.Fprintf(out, "# %s (%s)\n\n", title, plugins.Short(b.SHA()))
		alone, err := asking(a, b, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		step, _ := stepOf(b, name)
		_, err = alone.Ask(
			cmd.Context(),
			step,
			material,
			func(text string) error { _, err := io.WriteString(out, text); return err },
		)
		fmt.Fprint(out, "\n\n")
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), a.WhoAnswers())
	if err := ask(mine, "With the folder's version"); err != nil {
		return err
	}
	serving, why := servingBundle(cmd.Context(), a, mine.Manifest().ID)
	switch {
	case why != "":
		fmt.Fprintln(out, "# The version that serves\n\n"+why)
		return nil
	case serving.SHA() == mine.SHA():
		fmt.Fprintln(out, "# The version that serves\n\nIt is the same.")
		return nil
	case serving.Prompt(name) == nil:
		fmt.Fprintf(out, "# The version that serves\n\nIt has no prompt %s.\n", name)
		return nil
	}
	if err := ask(serving, "With the version that serves"); err != nil {
		return err
	}
	before, after := store.Bundle{
		SHA:   serving.SHA(),
		Files: serving.Files(),
	}, store.Bundle{
		SHA:   mine.SHA(),
		Files: mine.Files(),
	}
	fmt.Fprintf(out, "# What differs\n\n```diff\n%s```\n", unified(before, after))
	return nil
}

// asking returns what is needed to ask a model with the prompts of a bundle, without any server.
func asking(a *app.App, b *prompt.Bundle, progress io.Writer) (workflows.Standalone, error) {
	engine, err := a.Chain.Open()
	if err != nil {
		return workflows.Standalone{}, err
	}
	return workflows.Standalone{
		Activities: workflows.Activities{Model: activities.ModelClient{Engine: engine, Chain: a.Chain, Log: a.Log}},
		Render: func(name string, values map[string]any) (workflows.Question, error) {
			return plugins.Render(b, name, values)
		},
		Progress: func(note string) { fmt.Fprintln(progress, note) },
	}, nil
}

// stepOf returns the step that uses a prompt, and its kind of turn.
func stepOf(b *prompt.Bundle, name string) (workflows.Step, string) {
	turns := b.Manifest().Turns
	for _, kind := range slices.Sorted(maps.Keys(turns)) {
		for _, s := range turns[kind].Steps {
			if s.Settings["prompt"] == name {
				return workflows.Step{Prompt: name, PartPrompt: s.Settings["part_prompt"]}, kind
			}
		}
	}
	return workflows.Step{}, ""
}

// promptContext returns the context for a turn of this kind, made from the command's file and message.
func promptContext(cmd *cobra.Command, a *app.App, turn string) (workflows.PromptContext, error) {
	file, _ := cmd.Flags().GetString("file")
	message, _ := cmd.Flags().GetString("message")
	m := workflows.PromptContext{Message: message, Today: time.Now().In(clock.India)}
	if file == "" && turn != "chat" {
		return m, problem.New("file_flag_needed", nil, nil)
	}
	if message == "" && turn == "chat" {
		return m, problem.New("message_flag_needed", nil, nil)
	}
	if file == "" {
		return m, nil
	}
	pages, err := readFile(cmd, a, file)
	if err != nil {
		return m, err
	}
	if turn == "document" {
		m.Document, m.DocumentType = activities.Pages(
			pages,
		), strings.TrimSuffix(
			filepath.Base(file),
			filepath.Ext(file),
		)
		return m, nil
	}
	m.Notice = activities.Pages(pages)
	facts, _, err := notices.FactExtractor{Tables: a.Law()}.Facts(m.Notice)
	if err != nil {
		return m, err
	}
	m.Facts, err = activities.Told(a.Law(), a.Defences().Rules(), string(facts), m.Notice, m.Today, nil)
	return m, err
}

// servingBundle returns the bundle in use for a plugin, or a sentence that says why there is none.
func servingBundle(ctx context.Context, a *app.App, plugin string) (*prompt.Bundle, string) {
	s, err := app.OpenStore(ctx, a.Config)
	if err != nil {
		return nil, problem.SentenceOf(err)
	}
	defer s.Close()
	c := plugins.NewCatalogue(
		plugins.Options{Store: s, Log: a.Log, Folder: a.Config.Prompts.Dir, Registry: plugins.Registry()},
	)
	b, err := c.ServingBundle(ctx, plugin)
	if err != nil {
		return nil, problem.SentenceOf(err)
	}
	return b, ""
}
