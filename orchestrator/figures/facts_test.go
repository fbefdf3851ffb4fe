package figures_test

import (
	"slices"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// The results of the files become facts of the paragraph that names both returns, by class and head, with the files
// that the comparison read.
func TestFactsOfFiles(t *testing.T) {
	v := comparison()
	v.Against = figures.GSTR2B
	v.Months[2].Shares = append(v.Months[2].Shares, figures.Share{Class: figures.WrongHead, Tax: figures.Tax{600, -300, -300}})
	facts := gst.Facts{Issues: []string{"itc_2a2b_vs_3b", "rcm"}, Paragraphs: []gst.Paragraph{
		{Number: "1", Kind: "charge", Text: "Tax under reverse charge"},
		{Number: "2", Kind: "charge", Text: "Credit in GSTR-3B exceeds GSTR-2B"},
	}}
	files := []gst.ReconciledFile{{Name: "2b.json", Kind: "GSTR-2B JSON", Rows: 3}, {Name: "sales.csv", Kind: "sales register", Rows: 9}}
	all := figures.Compared{Variances: []figures.Variance{v, {What: figures.SalesDeclared}}}.Facts(law.Built(), facts, files, law.ParseDay("2024-05-19"))
	if len(all) != 1 {
		t.Fatalf("%d comparisons answer an issue, want one: %+v", len(all), all)
	}
	c := all[0]
	if c.Issue != "itc_2a2b_vs_3b" || c.Para != "2" || c.Statement != "GSTR-2B" {
		t.Errorf("it is about %q, paragraph %q, against %q", c.Issue, c.Para, c.Statement)
	}
	if c.Timing != (figures.Tax{0, 500_00, 500_00}) || c.WrongHead != (figures.Tax{600, -300, -300}) {
		t.Errorf("timing is %v, wrong head %v", c.Timing, c.WrongHead)
	}
	var explained figures.Tax
	for _, class := range [][4]int64{c.Timing, c.WrongHead, c.OtherTable, c.Amended} {
		explained = explained.Plus(class)
	}
	if explained != c.Explained || c.Remains[0] == 0 || c.Interest[0] == 0 {
		t.Errorf("the classes come to %v of %v; %v remains with interest of %v", explained, c.Explained, c.Remains, c.Interest)
	}
	if !slices.Equal(c.Files, files[:1]) {
		t.Errorf("the files are %+v", c.Files)
	}
}
