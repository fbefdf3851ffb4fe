package cmd

import (
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/app"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/problem"
)

// reckonCommand returns the command that computes deadlines and money from a notice, or from facts printed by `munshi
// facts`.
func reckonCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "reckon FILE.pdf|FACTS.json",
		Short: "Print the deadlines, the limitation and the computed amounts of a notice, as JSON",
		RunE:  reckonFile,
	}
	takesGiven(c)
	return c
}

func reckonFile(cmd *cobra.Command, args []string) error {
	a, err := load(cmd)
	if err != nil {
		return err
	}
	today, given, err := givenBy(cmd)
	if err != nil {
		return err
	}
	known, _, err := factsIn(cmd, a, args[0])
	if err != nil {
		return err
	}
	return printJSON(cmd.OutOrStdout(), reckon.Reckon(a.Law(), known, given, today))
}

// factsIn returns the facts of a notice from its PDF, with its pages, or from a file printed by `munshi facts`,
// without pages.
func factsIn(cmd *cobra.Command, a *app.App, file string) (gst.Facts, []gst.Page, error) {
	if !strings.HasSuffix(strings.ToLower(file), ".json") {
		read, err := readFile(cmd, a, file)
		if err != nil {
			return gst.Facts{}, nil, err
		}
		pages := activities.Pages(read)
		return notices.FactExtractor{Tables: a.Law()}.Read(pages), activities.GSTPages(pages), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return gst.Facts{}, nil, problem.New("file_cannot_be_read", problem.Params{"file": file}, err)
	}
	facts, err := gst.ParseFacts(data)
	if err != nil {
		return gst.Facts{}, nil, problem.New("no_facts_in_file", problem.Params{"file": file}, err)
	}
	return facts, nil, nil
}

// takesToday adds the flag for dayGiven to a command.
func takesToday(c *cobra.Command) {
	c.Flags().String("today", "", "the day to reckon on, as 2026-11-22 (default: today in India)")
}

// dayGiven returns the day for which deadlines and law are computed.
func dayGiven(cmd *cobra.Command) (law.Day, error) {
	today := time.Now()
	if day, _ := cmd.Flags().GetString("today"); day != "" {
		var err error
		if today, err = time.ParseInLocation(time.DateOnly, day, clock.India); err != nil {
			return law.Day{}, problem.New("bad_today", problem.Params{"day": day}, err)
		}
	}
	return law.DayOf(today.In(clock.India)), nil
}

// takesGiven adds the flags for givenBy to a command.
func takesGiven(c *cobra.Command) {
	takesToday(c)
	c.Flags().String("served", "", "the day on which the notice reached the person")
	c.Flags().StringArray("part", nil, "tax with its days, for interest: KIND,HEAD,RUPEES,FROM[,TO[,LABEL]]; "+
		"KIND is late_return, short_paid or credit; may be repeated")
}

// givenBy returns what was given on the command line for the computation, and its day.
func givenBy(cmd *cobra.Command) (today law.Day, given reckon.Given, err error) {
	if today, err = dayGiven(cmd); err != nil {
		return today, given, err
	}
	given.Served, _ = cmd.Flags().GetString("served")
	parts, _ := cmd.Flags().GetStringArray("part")
	for _, text := range parts {
		fields := append(strings.SplitN(text, ",", 6), "", "", "", "", "", "")
		rupees, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return today, given, problem.New("bad_part", problem.Params{"part": text}, err)
		}
		given.Portions = append(
			given.Portions,
			gst.Portion{
				Kind:  fields[0],
				Head:  fields[1],
				Paise: int64(rupees*100 + 0.5),
				From:  fields[3],
				To:    fields[4],
				Label: fields[5],
			},
		)
	}
	if err := given.Check(); err != nil {
		return today, given, problem.New("bad_given", problem.Params{"reason": err.Error()}, err)
	}
	return today, given, nil
}
