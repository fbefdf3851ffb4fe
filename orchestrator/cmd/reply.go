package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/problem"
)

// replyCommand returns the command that drafts the reply to a notice, or to facts printed by `munshi facts`, without a
// model.
func replyCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reply FILE.pdf|FACTS.json",
		Short: "Write the draft reply to a notice, paragraph by paragraph, as Markdown",
		RunE:  replyFile,
	}
	takesGiven(c)
	c.Flags().
		StringArray("stance", nil, "how an allegation is answered: PARAGRAPH=admit|deny|explain[,FACTS]; PARAGRAPH is "+
			"its number, or * for all; may be repeated")
	return c
}

func replyFile(cmd *cobra.Command, args []string) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	day, given, err := givenBy(cmd)
	if err != nil {
		return err
	}
	facts, pages, err := factsIn(cmd, a, args[0])
	if err != nil {
		return err
	}
	if given.Served == "" && facts.ServedOn != nil {
		given.Served = *facts.ServedOn
	}
	g := reply.Given{Facts: printed.Amounted(a.Law(), facts, pages),
		Reckoning: reckon.Reckon(a.Law(), facts, given, day), Today: day,
		Decides: defence.Evaluate(a.Defences().Rules(), a.Law(), facts, pages, day),
		Earlier: printed.Earlier(a.Law(), facts, pages), Application: reply.ApplicationIn(pages)}
	if g.Said, err = saidBy(cmd, reply.Points(a.Law(), facts)); err != nil {
		return err
	}
	for _, d := range facts.RequiredDocuments {
		g.Papers = append(g.Papers, reply.RequiredPaper{Type: d.Type, State: "needed"})
	}
	parts := reply.Parts(a.Law(), g)
	if len(parts) == 0 {
		_, err := fmt.Fprintln(cmd.OutOrStdout(), reply.FormOf(a.Law(), facts, g.Reckoning).Sentence)
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), reply.Whole(parts))
	return err
}

// saidBy reads the stances given on the command line.
func saidBy(cmd *cobra.Command, points []reply.Point) (map[string]reply.Said, error) {
	said := map[string]reply.Said{}
	stances, _ := cmd.Flags().GetStringArray("stance")
	for _, text := range stances {
		key, answer, _ := strings.Cut(text, "=")
		stance, facts, _ := strings.Cut(answer, ",")
		switch reply.Stance(stance) {
		case reply.Admit, reply.Deny, reply.Explain:
		default:
			return nil, problem.New("bad_stance", problem.Params{"stance": text}, nil)
		}
		found := false
		for _, p := range points {
			if key == "*" || p.Key == key {
				said[p.Key] = reply.Said{Stance: reply.Stance(stance), Facts: strings.TrimSpace(facts)}
				found = true
			}
		}
		if !found {
			keys := make([]string, len(points))
			for i, p := range points {
				keys[i] = p.Key
			}
			return nil, problem.New(
				"no_such_paragraph",
				problem.Params{"paragraph": key, "paragraphs": strings.Join(keys, "; ")},
				nil,
			)
		}
	}
	return said, nil
}
