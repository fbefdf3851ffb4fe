package cmd

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/message"
	"munshi/orchestrator/notices"
)

// defencesCommand returns the command that prints the points of a notice: each rule that its printed facts prove, may
// prove, or disprove.
func defencesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "defences FILE.pdf",
		Short: "Print the points that decide a notice, the strongest first",
		RunE: func(cmd *cobra.Command, args []string) error {
			printer, err := printerFor(cmd)
			if err != nil {
				return err
			}
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
			describePoints(printer, points)
			return nil
		},
	}
	takesToday(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// describePoints prints points.
func describePoints(p printer, points []defence.Point) {
	if len(points) == 0 {
		p.line(0, "defences.none", nil)
	}
	for _, pt := range points {
		title, ask, why := pt.Title, pt.Ask, pt.Why
		if p.language == "hi" {
			title, ask, why = cmp.Or(pt.Hindi.Title, title), cmp.Or(pt.Hindi.Ask, ask), cmp.Or(pt.Hindi.Why, why)
		}
		p.line(0, "defences."+pt.Verdict, message.Params{"title": title, "provision": message.Citation(pt.Provision)})
		switch {
		case pt.Verdict == defence.DoesNotApply:
			fmt.Fprintf(p.out, "    %s\n", why)
		case pt.Amount != nil && pt.Remains != nil:
			p.line(4, "defences.leaves", message.Params{"amount": *pt.Amount, "remains": *pt.Remains})
		case pt.Amount != nil:
			p.line(4, "defences.takes", message.Params{"amount": *pt.Amount})
		}
		if ask != "" {
			p.line(4, "defences.ask", message.Params{"question": ask})
		}
		for _, q := range pt.Because {
			if q.File != "" {
				p.line(4, "defences.file", message.Params{"file": q.File, "kind": q.Quote, "count": q.Rows})
				continue
			}
			p.line(4, "defences.quote", message.Params{"page": q.Page, "quote": q.Quote})
		}
	}
}
