package printed

import (
	"fmt"
	"slices"

	"munshi/orchestrator/gst"
)

// readFiles adds the results of the taxpayer's files to the facts of the charge that they answer, and to those of
// the paper if it has one such charge.
func (p *Paper) readFiles() {
	var of []gst.Reconciled
	for i := range p.Facts.Reconciled {
		c := &p.Facts.Reconciled[i]
		at := slices.IndexFunc(p.Charges, func(s Scope) bool { return c.Para != "" && s.Part.Para == c.Para })
		if at < 0 {
			at = slices.IndexFunc(p.Charges, func(s Scope) bool {
				return slices.ContainsFunc(s.Known["charge.issue"], func(v Value) bool { return v.Text == c.Issue })
			})
		}
		if at < 0 {
			continue // the paper does not allege it
		}
		if c.Late != nil {
			putLate(p.Charges[at].Known, *c)
			continue
		}
		p.putFiles(p.Charges[at].Known, *c)
		of = append(of, *c)
	}
	if len(of) == 1 {
		p.putFiles(p.Known, of[0])
	}
}

func (p *Paper) putFiles(k Known, c gst.Reconciled) {
	at := filesAt(c.Files)
	money := func(name string, tax [4]int64) { k.Put(name, byHeads(tax, at)) }
	money("files.difference", c.Difference)
	money("files.explained", c.Explained)
	money("files.remains", c.Remains)
	money("files.interest", c.Interest)
	money("files.timing", c.Timing)
	money("files.other_table", c.OtherTable)
	money("files.amended", c.Amended)
	money("files.reversed", c.Reversed)
	money("files.unused", c.Unused)
	var under [4]int64 // the heads with an excess; a shortfall in others cancels it
	for head, paise := range c.WrongHead {
		under[head] = max(0, paise)
	}
	money("files.wrong_head", under)
	k.Put("files.statement", Value{Kind: Word, Text: c.Statement, At: at})
	k.Put("files.ledger", Value{Kind: Truth, Yes: c.Ledger, At: at})
	// The interest in the demand concerns this comparison only if the paper has no other charge.
	if asked := Sum(p.DemandOf(TakesInterest)); asked != nil && c.Ledger && p.OnCreditAlone() &&
		(len(p.Charges) == 1 || p.IsOneCharge()) {
		k.Put("files.interest_over", Value{Kind: Money, At: at,
			Paise: max(0, int64(*asked)-c.Interest[0]-c.Interest[1]-c.Interest[2]-c.Interest[3])})
	}
}

// putLate adds the facts that the electronic cash ledger proves about returns filed late.
func putLate(k Known, c gst.Reconciled) {
	at, late := filesAt(c.Files), c.Late
	onCash := byHeads(late.OnCash, at)
	k.Put("files.cash", byHeads(late.Cash, at))
	k.Put("files.cash_interest", onCash)
	if late.Asked != nil {
		k.Put("files.cash_over", Value{Kind: Money, Paise: max(0, *late.Asked-onCash.Paise), At: at})
	}
	if lay := byHeads(late.Lay, at); lay.Paise > 0 || !late.Earlier {
		k.Put("files.lay", lay)
		k.Put("files.lay_interest", byHeads(late.OnLay, at))
	}
	k.Put("files.late_interest", byHeads(c.Interest, at))
}

// byHeads returns amounts by head as the value of a fact, which is their sum.
func byHeads(tax [4]int64, at []Quote) Value {
	v := Value{Kind: Money, At: at}
	for head, paise := range tax {
		v.Paise += paise
		if paise != 0 {
			v.Heads = append(v.Heads, Head{gst.HeadNames[head], Amount(paise)})
		}
	}
	return v
}

// filesAt returns quotations that name the files from which a fact follows, one for all files of the same kind.
func filesAt(files []gst.ReconciledFile) []Quote {
	type kind struct{ files, rows int }
	var quotes []Quote
	of := map[string]int{}
	counts := []kind{}
	for _, f := range files {
		i, seen := of[f.Kind]
		if !seen {
			i = len(quotes)
			of[f.Kind] = i
			quotes, counts = append(quotes, Quote{File: f.Name}), append(counts, kind{})
		}
		counts[i].files, counts[i].rows = counts[i].files+1, counts[i].rows+f.Rows
	}
	for kind, i := range of {
		quotes[i].Quote = kind
		quotes[i].Rows = counts[i].rows
		if counts[i].files > 1 {
			quotes[i].File += fmt.Sprintf(" + %d", counts[i].files-1)
		}
	}
	return quotes
}
