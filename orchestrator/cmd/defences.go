package cmd

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/notices"
)

// defencesCommand tells what decides a notice: each rule of law that its printed facts prove, may prove, or disprove.
func defencesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "defences FILE.pdf",
		Short: "Print the points that decide a notice, the strongest first",
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := load(cmd)
			if err != nil {
				return err
			}
			today, err := dayGiven(cmd)
			if err != nil {
				return err
			}
			read, err := readFile(cmd, a, args[0])
			if err != nil {
				return err
			}
			pages := activities.Pages(read)
			facts := notices.FactExtractor{Tables: a.Law()}.Read(pages)
			points := defence.Evaluate(a.Defences().Rules(), a.Law(), facts, activities.GSTPages(pages), today)
			if asJSON {
				return printJSON(cmd.OutOrStdout(), points)
			}
			return describePoints(cmd.OutOrStdout(), points)
		},
	}
	takesToday(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// describePoints writes points for a person.
func describePoints(out io.Writer, points []defence.Point) error {
	if len(points) == 0 {
		_, err := fmt.Fprintln(out, "No rule is raised by what this paper prints.")
		return err
	}
	words := map[string]string{defence.Applies: "applies", defence.MayApply: "may apply", defence.DoesNotApply: "does not apply"}
	var b strings.Builder
	for _, p := range points {
		fmt.Fprintf(&b, "%s: %s (%s)\n", strings.ToUpper(words[p.Verdict]), p.Title, p.Provision)
		switch {
		case p.Verdict == defence.DoesNotApply:
			fmt.Fprintf(&b, "    %s\n", p.Why)
		case p.Amount != nil && p.Remains != nil:
			fmt.Fprintf(&b, "    takes away %s, %s remains\n", *p.Amount, *p.Remains)
		case p.Amount != nil:
			fmt.Fprintf(&b, "    takes away %s\n", *p.Amount)
		}
		if p.Ask != "" {
			fmt.Fprintf(&b, "    Ask: %s\n", p.Ask)
		}
		for _, q := range p.Because {
			fmt.Fprintf(&b, "    page %d: “%s”\n", q.Page, q.Quote)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
