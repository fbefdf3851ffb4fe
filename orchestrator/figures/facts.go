package figures

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// readBy are the kinds of files that a comparison reads, as their formats begin.
var readBy = map[string][]string{
	CreditClaimed: {"GSTR-3B", "GSTR-2A", "GSTR-2B", "purchase register", "IMS", "electronic credit ledger"},
	TaxDeclared:   {"GSTR-3B", "GSTR-1", "GSTR-1A"},
	lateIssue:     {"electronic cash ledger", "electronic credit ledger", "GSTR-3B"},
}

// Facts returns what the comparisons say about the allegations of a notice, as facts for the rules on defences. The
// files are those that were compared.
func (c Compared) Facts(t *law.Tables, f gst.Facts, files []gst.ReconciledFile, today law.Day) []gst.Reconciled {
	var all []gst.Reconciled
	for _, d := range c.Answers(t, f, today) {
		o := d.Outcome
		if IssueOf(o.What) == "" {
			continue
		}
		said := gst.Reconciled{Issue: IssueOf(o.What), Statement: string(d.Variance.Against), Difference: o.Files,
			Explained: o.Explained, Reversed: d.Variance.Reversed, Ledger: o.Ledger, Unused: o.Unused}
		if o.What == TaxDeclared {
			said.Statement = "GSTR-1"
		}
		for _, charge := range f.Charges() {
			if said.Para == "" && Names(charge.Text, o.What) {
				said.Para = charge.Number
			}
		}
		for _, due := range o.Pay {
			said.Remains[gst.HeadIndex(due.Head)], said.Interest[gst.HeadIndex(due.Head)] = due.Tax, due.Interest
		}
		_, _, shares := d.Variance.Sums()
		for _, s := range shares {
			switch s.Class {
			case OtherMonth, AcrossYear:
				said.Timing = Tax(said.Timing).Plus(s.Tax)
			case WrongHead:
				said.WrongHead = s.Tax
			case OtherTable:
				said.OtherTable = s.Tax
			case Replaced:
				said.Amended = s.Tax
			}
		}
		said.Files = readFor(o.What, files)
		all = append(all, said)
	}
	if l := lateReturns(c, t, f); l.Proved() {
		said := gst.Reconciled{Issue: lateIssue, Interest: l.Interest, Files: readFor(lateIssue, files),
			Late: &gst.ReconciledLate{Asked: l.Notice, Cash: l.Cash, OnCash: l.OnCash, Lay: l.Lay, OnLay: l.OnLay(),
				OnCredit: l.OnCredit, Earlier: !l.Earlier.IsZero()}}
		if l.Notice != nil {
			other := l.Other()
			said.Late.Other = &other
		}
		for _, r := range l.Returns {
			said.Late.Returns = append(said.Late.Returns, gst.ReconciledReturn{Period: r.Period, Due: r.Due, Paid: r.Paid,
				Days: r.Days, Cash: r.Cash, Lay: r.Lay, Interest: r.Interest})
		}
		for _, charge := range f.Charges() {
			if said.Para == "" && AsksLate(t, charge.Text) {
				said.Para = charge.Number
			}
		}
		all = append(all, said)
	}
	return all
}

// readFor returns the files that a comparison reads.
func readFor(what string, files []gst.ReconciledFile) (all []gst.ReconciledFile) {
	for _, file := range files {
		if slices.ContainsFunc(readBy[what], func(kind string) bool {
			return file.Kind == kind || strings.HasPrefix(file.Kind, kind+" ")
		}) {
			all = append(all, file)
		}
	}
	return all
}

// AsFacts names files as facts do.
func AsFacts(files []File) []gst.ReconciledFile {
	all := make([]gst.ReconciledFile, len(files))
	for i, f := range files {
		all[i] = gst.ReconciledFile{Name: f.Name, Kind: f.Format, Rows: f.Rows, From: f.From, To: f.To}
	}
	return all
}
