package main

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

	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// folderPrompt gives the prompt that a command names, from the configured folder.
func folderPrompt(cmd *cobra.Command, name string) (*app, *prompt.Bundle, string, error) {
	cfg, log, err := load(cmd)
	if err != nil {
		return nil, nil, "", err
	}
	a := &app{cfg: cfg, log: log, law: openLaw(cfg.Law, log)}
	plugin, file, _ := strings.Cut(name, "/")
	file = strings.TrimSuffix(file, ".md")
	folders, err := prompt.ReadDir(cfg.Prompts.Dir)
	if err != nil {
		return nil, nil, "", sentence(fmt.Sprintf("The folder %s cannot be read.", cfg.Prompts.Dir), err)
	}
	for _, f := range folders {
		if f.Plugin != plugin {
			continue
		}
		b, err := f.Check(a.registry())
		if err != nil {
			return nil, nil, "", sentence("This plugin has mistakes:\n"+err.Error(), err)
		}
		if b.Prompt(file) == nil {
			return nil, nil, "", sentence(fmt.Sprintf("There is no prompt %q in %s; there are %s.", file, plugin, strings.Join(b.Prompts(), ", ")), nil)
		}
		return a, b, file, nil
	}
	return nil, nil, "", sentence(fmt.Sprintf("There is no plugin %q. Write a plugin and a prompt, as in notice/analyse.", plugin), nil)
}

func renderPrompt(cmd *cobra.Command, args []string) error {
	_, b, name, err := folderPrompt(cmd, args[0])
	if err != nil {
		return err
	}
	messages, err := b.Render(name, shortFacts(b.Prompt(name).Samples()))
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

// tryPrompt has the model answer with the folder's prompt and with the one that serves.
func tryPrompt(cmd *cobra.Command, args []string) error {
	a, mine, name, err := folderPrompt(cmd, args[0])
	if err != nil {
		return err
	}
	step, turn := stepOf(mine, name)
	if step.Prompt == "" {
		return sentence(fmt.Sprintf("%s takes notes for another prompt and cannot be tried alone: try that one with a long file.", args[0]), nil)
	}
	material, err := a.material(cmd, turn)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	ask := func(b *prompt.Bundle, title string) error {
		fmt.Fprintf(out, "# %s (%s)\n\n", title, short(b.SHA()))
		alone, err := a.asking(b, cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		step, _ := stepOf(b, name)
		_, err = alone.Ask(cmd.Context(), step, material, func(text string) error { _, err := io.WriteString(out, text); return err })
		fmt.Fprint(out, "\n\n")
		return err
	}
	fmt.Fprintln(cmd.ErrOrStderr(), a.whoAnswers())
	if err := ask(mine, "With the folder's version"); err != nil {
		return err
	}
	serving, why := a.servingBundle(cmd.Context(), mine.Manifest().ID)
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
	before, after := store.Bundle{SHA: serving.SHA(), Files: serving.Files()}, store.Bundle{SHA: mine.SHA(), Files: mine.Files()}
	fmt.Fprintf(out, "# What differs\n\n```diff\n%s```\n", unified(before, after))
	return nil
}

// asking has the model write with the prompts of a bundle, without any server.
func (a *app) asking(b *prompt.Bundle, progress io.Writer) (workflows.Alone, error) {
	engine, err := a.models().Open()
	if err != nil {
		return workflows.Alone{}, err
	}
	return workflows.Alone{
		Activities: workflows.Activities{Model: asker{engine: engine, chain: a.models()}},
		Render: func(name string, values map[string]any) (workflows.Question, error) {
			return render(b, name, values)
		},
		Progress: func(note string) { fmt.Fprintln(progress, note) },
	}, nil
}

// stepOf gives the step that asks with the prompt, and its kind of turn.
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

// material is what a turn of the kind would speak about, from the command's file and message.
func (a *app) material(cmd *cobra.Command, turn string) (workflows.Material, error) {
	file, _ := cmd.Flags().GetString("file")
	message, _ := cmd.Flags().GetString("message")
	m := workflows.Material{Message: message, Today: time.Now().In(india)}
	if file == "" && turn != "chat" {
		return m, sentence("Name the PDF to ask about with --file.", nil)
	}
	if message == "" && turn == "chat" {
		return m, sentence("Ask something with --message.", nil)
	}
	if file == "" {
		return m, nil
	}
	pages, err := a.readFile(cmd, file)
	if err != nil {
		return m, err
	}
	if turn == "document" {
		m.Document, m.DocumentType = workPages(pages), strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		return m, nil
	}
	m.Notice = workPages(pages)
	facts, _, err := clerk{a.law}.Facts(m.Notice)
	m.Facts = reckoned(a.law, string(facts), m.Today)
	return m, err
}

// servingBundle gives what serves a plugin, or a sentence that says why it cannot.
func (a *app) servingBundle(ctx context.Context, plugin string) (*prompt.Bundle, string) {
	s, err := openStore(ctx, a.cfg)
	if err != nil {
		return nil, sentenceOf(err)
	}
	defer s.Close()
	l := newLibrary(s, a.log, a.cfg.Prompts.Dir, registry())
	b, err := l.serving(ctx, plugin, l.shas)
	if err != nil {
		return nil, sentenceOf(err)
	}
	return b, ""
}
