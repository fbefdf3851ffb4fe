package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// givenWith is what the person added to the notice, as its facts keep it.
func givenWith(f gst.Facts) reckon.Given {
	given := reckon.Given{Portions: f.Portions}
	if f.ServedOn != nil {
		given.Served = *f.ServedOn
	}
	return given
}

// reckoned adds to facts what follows from them on a day, in plain sentences: for prompts, which are not to count. Facts
// that cannot be read stay as they are.
func reckoned(tables *law.Tables, facts string, today time.Time) string {
	var known gst.Facts
	var fields map[string]json.RawMessage
	if tables == nil || json.Unmarshal([]byte(facts), &fields) != nil || json.Unmarshal([]byte(facts), &known) != nil || fields == nil {
		return facts
	}
	r := reckon.Reckon(tables, known, givenWith(known), law.DayOf(today.In(india)))
	lines, err := json.Marshal(r.Lines())
	if err != nil {
		return facts
	}
	fields["reckoning"] = lines
	with, err := json.Marshal(fields)
	if err != nil {
		return facts
	}
	return string(with)
}

// reckonCommand computes deadlines and money from a notice, or from facts that `munshi facts` printed.
func reckonCommand() *cobra.Command {
	c := &cobra.Command{Use: "reckon FILE.pdf|FACTS.json", Short: "Print the deadlines, the limitation and the worked tables of money of a notice, as JSON", RunE: reckonFile}
	c.Flags().String("today", "", "the day to reckon on, as 2026-11-22 (default: today in India)")
	c.Flags().String("served", "", "the day on which the notice reached the person")
	c.Flags().StringArray("part", nil, "tax with its days, for interest: KIND,HEAD,RUPEES,FROM[,TO[,LABEL]]; KIND is late_return, short_paid or credit; may be repeated")
	return c
}

func reckonFile(cmd *cobra.Command, args []string) error {
	cfg, log, err := load(cmd)
	if err != nil {
		return err
	}
	today, given, err := givenBy(cmd)
	if err != nil {
		return err
	}
	a := &app{cfg: cfg, log: log, law: openLaw(cfg.Law, log)}
	var facts json.RawMessage
	if strings.HasSuffix(strings.ToLower(args[0]), ".json") {
		if facts, err = os.ReadFile(args[0]); err != nil {
			return sentence(fmt.Sprintf("The file %s cannot be read.", args[0]), err)
		}
	} else {
		pages, err := a.readFile(cmd, args[0])
		if err != nil {
			return err
		}
		if facts, _, err = (clerk{a.law}).Facts(workPages(pages)); err != nil {
			return err
		}
	}
	known, err := readFacts(facts)
	if err != nil {
		return sentence(fmt.Sprintf("%s holds no facts as `munshi facts` prints them.", args[0]), err)
	}
	return printJSON(cmd.OutOrStdout(), reckon.Reckon(a.law, known, given, law.DayOf(today.In(india))))
}

// givenBy reads what a person gives on the command line.
func givenBy(cmd *cobra.Command) (today time.Time, given reckon.Given, err error) {
	today = time.Now()
	if day, _ := cmd.Flags().GetString("today"); day != "" {
		if today, err = time.ParseInLocation(time.DateOnly, day, india); err != nil {
			return today, given, sentence(fmt.Sprintf("--today %s is no date: write such as 2026-11-22.", day), err)
		}
	}
	given.Served, _ = cmd.Flags().GetString("served")
	parts, _ := cmd.Flags().GetStringArray("part")
	for _, text := range parts {
		fields := append(strings.SplitN(text, ",", 6), "", "", "", "", "", "")
		rupees, err := strconv.ParseFloat(fields[2], 64)
		if err != nil {
			return today, given, sentence(fmt.Sprintf("--part %s has no amount: write KIND,HEAD,RUPEES,FROM[,TO[,LABEL]].", text), err)
		}
		given.Portions = append(given.Portions, gst.Portion{Kind: fields[0], Head: fields[1], Paise: int64(rupees*100 + 0.5), From: fields[3], To: fields[4], Label: fields[5]})
	}
	if err := given.Check(); err != nil {
		return today, given, sentence(err.Error(), err)
	}
	return today, given, nil
}
