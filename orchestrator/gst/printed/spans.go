package defence

import (
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// datedRow is a row of a charge's table with its period and its tax.
type datedRow struct {
	first, last law.Day
	tax         Amount
	at          Quote
}

// datedRows returns the rows of a charge's own table that name a period or a day, if their taxes add up to the charge.
func (p *paper) datedRows(s scope) []datedRow {
	charged := sumOf(s.amounts)
	if charged == nil || s.to-s.from == len(p.low) {
		return nil
	}
	var rows []datedRow
	var sum Amount
	for _, l := range p.linesIn(s.from, s.to) {
		if !l.wide || len(l.cells) < 2 || l.isTotal() {
			continue
		}
		r := datedRow{tax: Amount(l.cells[len(l.cells)-1]), at: p.quoteLine(l)}
		words := p.low[l.from:l.to]
		for _, d := range gst.Dates(words) {
			r.name(d.Day, d.Day)
		}
		for _, m := range monthsIn(words) {
			r.name(m.first, m.first.AddMonths(1).AddDays(-1))
		}
		if r.first.IsZero() {
			return nil
		}
		rows, sum = append(rows, r), sum+r.tax
	}
	if len(rows) < 2 || sum != *charged {
		return nil
	}
	return rows
}

// name adds days that a row names to its period.
func (r *datedRow) name(first, last law.Day) {
	if r.first.IsZero() || first.Before(r.first) {
		r.first = first
	}
	if r.last.IsZero() || last.After(r.last) {
		r.last = last
	}
}
