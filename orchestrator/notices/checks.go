package notices

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/workflows"
)

// Check says of an answer what it cites, whether that can be verified, and where the facts say otherwise. Where the
// program computed no facts, each date and amount is looked up in the document itself.
func (x FactExtractor) Check(answer string, against workflows.CheckContext) []workflows.Finding {
	context := citeContext(against.Facts, against.Today)
	for _, a := range against.Authorities {
		context.Authorities = append(context.Authorities, a.Citation)
	}
	findings := []workflows.Finding{}
	for _, m := range x.Tables.Index.Check(answer, context) {
		findings = append(
			findings,
			workflows.Finding{Code: string(m.Kind), Verdict: string(m.Verdict), Message: m.Message,
				Quote: answer[m.Start:m.End], Start: m.Start, End: m.End, Act: m.Act, Provision: m.Provision, Heading: m.Heading},
		)
	}
	if against.Facts == "" && len(against.Pages) > 0 {
		findings = append(findings, figures(answer, activities.GSTPages(against.Pages), findings)...)
		slices.SortStableFunc(findings, func(a, b workflows.Finding) int { return cmp.Compare(a.Start, b.Start) })
	}
	return findings
}

// figures looks up the dates and amounts of an answer that are no part of what it cites.
func figures(answer string, pages []gst.Page, cited []workflows.Finding) []workflows.Finding {
	var found []workflows.Finding
	for _, l := range gst.Locate(answer, pages) {
		if slices.ContainsFunc(cited, func(f workflows.Finding) bool { return l.Start < f.End && l.End > f.Start }) {
			continue
		}
		f := workflows.Finding{
			Code:    "figure",
			Verdict: "in_document",
			Quote:   answer[l.Start:l.End],
			Start:   l.Start,
			End:     l.End,
			Page:    l.Page,
			Words:   l.Quote,
		}
		switch {
		case l.Page == 0:
			f.Verdict, f.Message = "not_in_document", "The program did not find this in the document's pages. It may have been worked out, or be wrong: look it up before you rely on it."
		case l.Named > 0:
			f.Verdict, f.Message = "other_page", fmt.Sprintf("It stands on page %d, not on page %d.", l.Page, l.Named)
		}
		found = append(found, f)
	}
	return found
}

// citeContext is what of the facts, as JSON, an answer or the notice itself is checked against.
func citeContext(facts string, today time.Time) cite.Context {
	c := cite.Context{Today: today.Format(time.DateOnly)}
	var f gst.Facts
	if facts == "" || json.Unmarshal([]byte(facts), &f) != nil {
		return c
	}
	n := &cite.Notice{
		Issued: plainly(f.IssueDate),
		Reply:  plainly(f.ReplyDue.Date),
		Form:   plainly(f.Form),
		Totals: totalsOf(f.Demand),
	}
	if f.Hearing != nil {
		n.Hearing = f.Hearing.Date
	}
	if last := len(f.Periods) - 1; last >= 0 {
		n.From, n.To, n.Years = f.Periods[0].From, f.Periods[last].To, "FY "+f.Periods[0].FY
		if last > 0 {
			n.Years += " to " + f.Periods[last].FY
		}
	}
	for _, p := range f.Paragraphs {
		n.Text += p.Text + "\n"
	}
	c.Notice = n
	return c
}

// totalsOf gives what may rightly be called the total of a demand: as printed, the sum, and the sums without interest
// or penalty; the first is the one to name. Nothing is given where the notice prints no total.
func totalsOf(d *gst.Demand) []float64 {
	if d == nil || d.Total == nil {
		return nil
	}
	var tax, interest, penalty, rest float64
	for _, r := range d.Rows {
		tax += r.Tax
		interest += r.Interest
		penalty += r.Penalty
		rest += r.Fee + r.Other
	}
	return []float64{
		*d.Total,
		tax + interest + penalty + rest,
		tax + interest + penalty,
		tax + interest,
		tax + penalty,
		tax,
	}
}

// plainly returns what a text that may be missing says.
func plainly(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
