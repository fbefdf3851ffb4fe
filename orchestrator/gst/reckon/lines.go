package reckon

import (
	"fmt"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
)

// Lines returns the reckoning as a few short, plain sentences, for a model or a reader who needs the results without
// the computation: deadlines, limitation, and the total of each kind of money. Each doubt is mentioned once.
func (r Reckoning) Lines() []string {
	lines := []string{fmt.Sprintf("Reckoned on %s with the tables of law as of %s.", r.Today, r.Law.AsOf)}
	told := map[string]bool{}
	add := func(text, certainty string, doubts []message.Message) {
		if certainty != law.Sourced && certainty != "" {
			text += " To be confirmed against the Act."
		}
		for _, doubt := range doubts {
			if !told[doubt.English] {
				text += " " + doubt.English
			}
			told[doubt.English] = true
		}
		lines = append(lines, text)
	}
	for _, l := range r.Limitation {
		add(l.line(), l.Certainty, l.Uncertain)
	}
	for _, d := range r.Deadlines {
		add(d.line(), d.Certainty, d.Uncertain)
	}
	for _, s := range r.Money {
		for _, line := range s.lines() {
			add(line, "", nil)
		}
	}
	return lines
}

func (d Deadline) line() string {
	text := d.What.English + ": "
	if d.Date == nil {
		return text + "not known (" + d.Basis.English + ")."
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
	var why []string
	if d.Code != OrderDue {
		why = append(why, d.Basis.English)
	}
	if d.Provision != "" {
		why = append(why, d.Provision)
	}
	text += " (" + strings.Join(why, "; ") + ")."
	if d.Holiday != nil {
		text += " It falls on a day on which offices are closed, " + d.Holiday.Name.English + "."
	}
	return text
}

var verdicts = map[string]string{
	InTime:            "in time",
	InTimeByExtension: "in time only by an extension",
	Late:              "after the last day, as it appears",
	NotKnown:          "not known",
}

func (l Limitation) line() string {
	text := fmt.Sprintf("Limitation of the %s for %s under section %s: %s", l.What, l.FY, l.Section,
		verdicts[l.Verdict])
	if l.LastDay != nil {
		text += "; the last day was " + *l.LastDay
	}
	if l.Extended != nil {
		text += ", extended to " + *l.Extended + " by " + l.By
	}
	return text + " (" + l.Provision + ")."
}

// lines returns one sentence for each provision in the table, with all heads together.
func (s Sheet) lines() []string {
	var lines []string
	for i := 0; i < len(s.Rows); {
		row, sum, known := s.Rows[i], int64(0), true
		for ; i < len(s.Rows) && s.Rows[i].Label.English == row.Label.English ||
			i < len(s.Rows) && len(row.Missing) > 0 && len(s.Rows[i].Missing) > 0; i++ {
			if s.Rows[i].Paise == nil {
				known = false
				continue
			}
			sum += *s.Rows[i].Paise
		}
		switch text := s.Title.English + ", " + row.Label.English; {
		case row.Provision == "": // as claimed in the notice, which is in the facts
		case known:
			rate, _, _ := strings.Cut(row.Rate.English, ", at most") // the caps differ by head
			lines = append(lines, fmt.Sprintf("%s: %s (%s; %s).", text, gst.Rupees(sum), rate, row.Provision))
		case len(row.Missing) > 0:
			lines = append(lines, fmt.Sprintf("%s: not known without %s.", s.Title,
				message.New("sentences", message.Params{"all": message.ListOf(" and ", row.Missing)})))
		}
	}
	return lines
}

func days(n int) string {
	if n == 1 {
		return "1 day"
	}
	return fmt.Sprintf("%d days", n)
}
