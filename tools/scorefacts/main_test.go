package main

import (
	"os"
	"path/filepath"
	"testing"

	"munshi/evals/reading"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst/law"
	"munshi/tools/labelled"
)

// TestMain lets the test binary act as the child that reads PDFs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		os.Exit(document.Child())
	}
	os.Exit(m.Run())
}

// The lowest allowed F1 of each field over the labelled notices next to the repository, so that reading never gets
// worse. Raise a limit when a field is read better.
func TestLabelledNotices(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(filepath.Dir(root), "shared", "samples")
	if _, err := os.Stat(samples); err != nil {
		t.Skip("the samples are not beside the repository")
	}
	all, err := labelled.NewPages(filepath.Join(root, ".cache", "scorefacts"))
	if err != nil {
		t.Fatal(err)
	}
	tables := law.Built()
	for corpus, floors := range map[string]map[string]float64{
		"notices": {"": 0.99, "form": 1, "reference": 1, "din": 1, "issue_date": 1, "gstin": 0.94, "legal_name": 1, "officer": 1,
			"sections": 1, "rules": 1, "periods": 1, "fraud_alleged": 1, "issues": 1, "demand": 1, "demand_total": 1, "reply_due": 1, "hearing": 1,
			"flags": 0.93, "paragraphs": 1},
		"notices-a": {"": 0.99, "form": 1, "reference": 1, "din": 1, "issue_date": 1, "gstin": 1, "legal_name": 1, "officer": 1,
			"sections": 0.99, "rules": 0.97, "periods": 1, "fraud_alleged": 1, "issues": 0.94, "demand": 1, "demand_total": 1, "reply_due": 1, "hearing": 1,
			"flags": 1, "paragraphs": 1},
		"notices-b": {"": 0.96, "form": 1, "din": 1, "issue_date": 1, "gstin": 1, "reference": 1, "legal_name": 0.95, "officer": 0.97, "sections": 0.98,
			"fraud_alleged": 1, "issues": 0.93, "reply_due": 1, "demand": 0.95, "demand_total": 1, "hearing": 1, "flags": 0.94},
	} {
		t.Run(filepath.Base(corpus), func(t *testing.T) {
			dir := filepath.Join(samples, corpus)
			if _, err := os.Stat(dir); err != nil {
				t.Skip("the corpus is not beside the repository")
			}
			papers, err := reading.Papers(dir)
			if err != nil {
				t.Fatal(err)
			}
			total := reading.NewTally()
			for _, p := range papers {
				pages, err := all.Of(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				facts, err := factsOf(tables, pages)
				if err != nil {
					t.Fatal(err)
				}
				total.Add(p, facts)
			}
			for field, floor := range floors {
				if _, _, f := total.F1(field); f < floor {
					t.Errorf("F1 of %q is %.3f, and was at least %.3f", field, f, floor)
				}
			}
			if wrong := total.Wrong("reply_due"); wrong > 0 {
				t.Errorf("%d reply dates are wrong", wrong)
			}
			if wrong := total.Wrong("demand") + total.Wrong("demand_total"); wrong > 0 {
				t.Errorf("%d amounts are wrong", wrong)
			}
			if offered, left := total.DemandsOffered(); offered*10 < left*9 {
				t.Errorf("of %d demands left out %d stand among the candidates", left, offered)
			}
			if t.Failed() {
				t.Log("\n" + total.Report(""))
			}
		})
	}
}
