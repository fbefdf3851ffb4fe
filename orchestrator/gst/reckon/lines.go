package reckon

import (
	"fmt"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Lines gives the reckoning as plain sentences, for a model or a reader who
// needs the results without the working: deadlines, limitation, and what each
// known row of money comes to.
func (r Reckoning) Lines() []string {
	lines := []string{fmt.Sprintf("Reckoned on %s with the tables of law as of %s.", r.Today, r.Law.AsOf)}
	for _, d := range r.Deadlines {
		lines = append(lines, d.line())
	}
	for _, l := range r.Limitation {
		lines = append(lines, l.line())
	}
	for _, s := range r.Money {
		lines = append(lines, s.lines()...)
	}
	return lines
}

func (d Deadline) line() string {
	text := d.What + ": "
	if d.Date == nil {
		return text + "not known (" + d.Basis + ")."
	}
	text += *d.Date
	switch {
	case d.DaysLeft == nil:
	case *d.DaysLeft < 0:
		text += ", " + days(-*d.DaysLeft) + " ago"
	case *d.DaysLeft == 0:
		text += ", today"
	default:
		text += ", " + days(*d.DaysLeft) + " left"
	}
	text += " (" + d.Basis
	if d.Provision != "" {
		text += "; " + d.Provision
	}
	text += ")."
	if d.Holiday != nil {
		text += " It falls on a day on which offices are closed, " + d.Holiday.Name + "."
	}
	return withDoubts(text, d.Certainty, d.Uncertain)
}

var verdicts = map[string]string{
	InTime:            "in time",
	InTimeByExtension: "in time only by an extension",
	Late:              "after the last day, as it appears",
	NotKnown:          "not known",
}

func (l Limitation) line() string {
	text := fmt.Sprintf("Limitation of the %s for %s under section %s: %s", l.What, l.FY, l.Section, verdicts[l.Verdict])
	if l.LastDay != nil {
		text += "; the last day was " + *l.LastDay
	}
	if l.Extended != nil {
		text += ", extended to " + *l.Extended + " by " + l.By
	}
	return withDoubts(text+" ("+l.Basis+").", l.Certainty, l.Uncertain)
}

func (s Sheet) lines() []string {
	var lines []string
	for _, row := range s.Rows {
		if row.Paise == nil {
			if len(row.Missing) > 0 {
				lines = append(lines, fmt.Sprintf("%s, %s: not known without %s.", s.Title, row.Label, strings.Join(row.Missing, " and ")))
			}
			continue
		}
		text := s.Title + ", " + row.Label
		if row.Head != "" {
			text += ", " + row.Head
		}
		text += ": " + gst.Rupees(*row.Paise)
		if row.Days != nil {
			text += " for " + days(*row.Days)
		}
		if row.Provision != "" {
			text += " (" + row.Provision + ")"
		}
		lines = append(lines, withDoubts(text+".", row.Certainty, nil))
	}
	if s.Paise != nil {
		lines = append(lines, fmt.Sprintf("%s, in all: %s.", s.Title, gst.Rupees(*s.Paise)))
	}
	return lines
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}

func withDoubts(text, certainty string, doubts []string) string {
	if certainty != law.Sourced && certainty != "" && len(doubts) == 0 {
		text += " To be confirmed against the Act."
	}
	return strings.Join(append([]string{text}, doubts...), " ")
}
