package reply

import (
	"slices"
	"strconv"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// lateFor returns what the electronic cash ledger shows about late returns, if the point is the allegation that it
// answers. That is the one in the paragraph that asks for this interest, else the first about interest. For other
// points it returns nil.
func (w *writer) lateFor(point string) *gst.Reconciled {
	i := slices.IndexFunc(w.facts.Reconciled, func(c gst.Reconciled) bool { return c.Late != nil })
	if i < 0 {
		return nil
	}
	c := &w.facts.Reconciled[i]
	at := slices.IndexFunc(w.points, func(p Point) bool { return p.Allegation && c.Para != "" && p.Number == c.Para })
	if at < 0 {
		at = slices.IndexFunc(w.points, func(p Point) bool { return p.Allegation && slices.Contains(p.Issues, c.Issue) })
	}
	if at < 0 || w.points[at].Key != point {
		return nil
	}
	return c
}

// late returns the part on the interest on late returns according to the electronic cash ledger: return by return, and
// compared with what is asked for.
func (w *writer) late(c *gst.Reconciled, point string) string {
	p := &numbered{}
	p.plain("**Interest on returns furnished late, by the electronic cash ledger**")
	if len(c.Late.Returns) == 0 {
		p.plain("By the electronic ledgers, no tax of these returns was paid in cash after the 20th of the next month.")
	} else {
		p.plain(lateReturns(c))
		p.plain("Interest is on tax paid in cash, less what lay in the ledger from the due date to its debit, for the days " +
			"after the due date to the day of the debit (section 50(1), rule 88B(1)). " +
			confirm("that no other due date was notified for these returns"))
	}
	due := sumOf(c.Interest)
	var rows [][]string
	row := func(label string, paise int64) { rows = append(rows, []string{label, gst.Rupees(paise)}) }
	if c.Late.Asked != nil {
		row("Interest asked for", *c.Late.Asked)
	}
	row("Due by the ledgers", due)
	if lay := sumOf(c.Late.OnLay); lay != 0 {
		row("On cash that lay in the ledger", lay)
	}
	other := "Other days or amounts"
	if c.Late.OnCredit != nil {
		row("On tax that credit paid", *c.Late.OnCredit)
	} else {
		other = "On tax that credit paid, and other days or amounts"
	}
	if c.Late.Other != nil {
		row(other, *c.Late.Other)
	}
	p.plain(table([]string{"Interest", "Amount"}, rows))
	if w.given.Said[point].Stance == Admit && due > 0 {
		p.plain("Interest of " + byHead(c.Interest) + " is admitted, and is paid through FORM GST DRC-03.")
	} else {
		p.plain("Nothing is admitted by this computation.")
	}
	return p.String()
}

// lateReturns returns the table of the returns, with the heads under which any of them was paid.
func lateReturns(c *gst.Reconciled) string {
	heads, last := []string{"Return", "Due on", "Paid on", "Days"}, []string{"Total", "", "", ""}
	for head, paise := range c.Late.Cash {
		if paise != 0 {
			heads, last = append(heads, "Cash: "+headName(head)), append(last, gst.Rupees(paise))
		}
	}
	var rows [][]string
	for _, r := range c.Late.Returns {
		cells := []string{law.ParseDay(r.Period + "-01").Format("January 2006"), officeDate(r.Due), officeDate(r.Paid), strconv.Itoa(r.Days)}
		for head, paise := range r.Cash {
			if c.Late.Cash[head] != 0 {
				cells = append(cells, gst.Rupees(paise))
			}
		}
		rows = append(rows, append(cells, gst.Rupees(sumOf(r.Lay)), gst.Rupees(sumOf(r.Interest))))
	}
	heads = append(heads, "Lay in the ledger", "Interest")
	rows = append(rows, append(last, gst.Rupees(sumOf(c.Late.Lay)), gst.Rupees(sumOf(c.Interest))))
	return table(heads, rows)
}

func sumOf(tax [4]int64) (all int64) {
	for _, paise := range tax {
		all += paise
	}
	return all
}
