package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/app"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/message"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// analyse writes the analysis of a notice in a language without any server. It uses the same facts, prompts and model
// as a turn.
func analyse(ctx context.Context, a *app.App, pages []turns.Page, language string, out, progress io.Writer) error {
	fmt.Fprintln(progress, message.New("command.analysing", message.Params{"who": a.WhoAnswers()}).In(language))
	facts, _, err := notices.FactExtractor{Tables: a.Law()}.Facts(pages)
	if err != nil {
		return err
	}
	bundles, err := prompt.Load(os.DirFS(a.Config.Prompts.Dir), plugins.Registry())
	at := slices.IndexFunc(bundles, func(b *prompt.Bundle) bool { return b.Manifest().ID == "notice" })
	if at < 0 {
		return problem.New("notice_plugin_unreadable", nil, err)
	}
	alone, err := asking(a, bundles[at], progress)
	if err != nil {
		return err
	}
	today := time.Now().In(clock.India)
	told, err := activities.Told(a.Law(), a.Defences().Rules(), string(facts), pages, today, nil)
	if err != nil {
		return err
	}
	step := workflows.Step{Prompt: "analyse", PartPrompt: "part"}
	_, err = alone.Ask(
		ctx,
		step,
		workflows.PromptContext{Notice: pages, Facts: told, Today: today, Language: activities.LanguageName(language)},
		func(text string) error {
			_, err := io.WriteString(out, text)
			return err
		},
	)
	fmt.Fprintln(out)
	return err
}
