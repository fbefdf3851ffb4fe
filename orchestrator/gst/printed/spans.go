package printed

import (
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// DatedRow is a row of a charge's table with its period and its tax.
type DatedRow struct {
	First, Last law.Day
	Tax         Amount
	At          Quote
}

// datedRows returns the rows of a charge's own table that name a period or a date. Their taxes must add up to the tax
// of the charge.
func (p *Paper) datedRows(s Scope) []DatedRow {
	charged := Sum(s.Amounts)
	if charged == nil || s.to-s.from == len(p.low) {
		return nil
	}
	var rows []DatedRow
	var sum Amount
	for _, l := range p.linesIn(s.from, s.to) {
		if !l.wide || len(l.cells) < 2 || l.isTotal() {
			continue
		}
		r := DatedRow{Tax: Amount(l.cells[len(l.cells)-1]), At: p.quoteLine(l)}
		words := p.low[l.from:l.to]
		for _, d := range gst.Dates(words) {
			r.name(d.Day, d.Day)
		}
		for _, m := range monthsIn(words) {
			r.name(m.first, m.first.AddMonths(1).AddDays(-1))
		}
		if r.First.IsZero() {
			return nil
		}
		rows, sum = append(rows, r), sum+r.Tax
	}
	if len(rows) < 2 || sum != *charged {
		return nil
	}
	return rows
}

// name extends the period of a row to include the dates from first to last.
func (r *DatedRow) name(first, last law.Day) {
	if r.First.IsZero() || first.Before(r.First) {
		r.First = first
	}
	if r.Last.IsZero() || last.After(r.Last) {
		r.Last = last
	}
}
