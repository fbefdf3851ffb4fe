package read_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/document"
	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/problem"
)

// pages reads the text of a PDF as the product does.
func pages(t *testing.T) read.Pages {
	t.Helper()
	r, err := document.New(document.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, path string) ([]string, bool, error) {
		all := map[int]string{}
		ok := true
		info, err := r.Read(ctx, path, nil, func(p document.Page) error {
			all[p.Number], ok = p.Text, ok && p.Method == document.MethodLayer
			return nil
		})
		texts := make([]string, info.Pages)
		for n, text := range all {
			texts[n-1] = text
		}
		if len(os.Getenv("SHOW")) > 0 {
			t.Log(strings.Join(texts, "\n"))
		}
		return texts, ok, err
	}
}

var of3B = figures.Return{Form: "GSTR-3B", GSTIN: figurestest.GSTIN("27", "AAKCF4821M"), Period: "2023-04", Filed: "2023-05-20",
	Tables: []figures.ReturnLine{
		{Code: "3.1a", Taxable: 12_34_567_89, Tax: figures.Tax{1_00_000_01, 61_111_11, 61_111_11, 0}},
		{Code: "3.1b", Taxable: 5_000_00, Tax: figures.Tax{900_00}}, {Code: "3.1c", Taxable: 77_00}, {Code: "3.1d", Taxable: 100_00, Tax: figures.Tax{0, 2_50, 2_50}},
		{Code: "3.1e"}, {Code: "4A1", Tax: figures.Tax{9_000_00}}, {Code: "4A2"}, {Code: "4A3", Tax: figures.Tax{0, 2_50, 2_50}}, {Code: "4A4"},
		{Code: "4A5", Tax: figures.Tax{10_000_00, 20_000_50, 20_000_50, 7_00}}, {Code: "4B1", Tax: figures.Tax{0, 100_00, 100_00}}, {Code: "4B2"},
		{Code: "4C", Tax: figures.Tax{19_000_00, 19_903_00, 19_903_00, 7_00}},
	}}

// A GSTR-3B and a GSTR-9 printed by the portal give the same result as their JSON files.
func TestPrintedReturns(t *testing.T) {
	r := reader(t, read.Options{Pages: pages(t)})
	got, err := r.Read(context.Background(), file(t, "3b.pdf", func(w io.Writer) error {
		return figurestest.Print3B(w, of3B, "2023-24", "April")
	}), nil)
	if err != nil {
		t.Fatalf("%v: %v", err, errors.Unwrap(err))
	}
	if got.Format != "GSTR-3B PDF" || len(got.Returns) != 1 || !slices.Equal(got.Returns[0].Tables, of3B.Tables) ||
		got.Returns[0].Period != "2023-04" || got.GSTIN != of3B.GSTIN || got.Returns[0].Filed != "2023-05-20" {
		t.Errorf("it was read as %+v", got)
	}
	rows := figurestest.Annual{"4H": {90_00, 1, 2, 3, 4}, "4M": {10_00, 10, 20, 30, 40}, "4N": {100_00, 11, 22, 33, 44}, "5N": {150_00, 1, 1, 1, 1},
		"6I": {0, 5_00, 6_00, 7_00, 0}, "6K": {0, 0, 1_00, 2_00, 0}, "6N": {0, 0, 1_00, 2_00, 0}, "6O": {0, 5_00, 7_00, 9_00, 0}, "7J": {0, 4_00, 5_00, 6_00, 0}}
	if got, err = r.Read(context.Background(), file(t, "9.pdf", func(w io.Writer) error {
		return figurestest.Print9(w, of3B.GSTIN, "2023-24", rows, figures.Tax{11_00, 22_00, 33_00, 44_00})
	}), nil); err != nil {
		t.Fatalf("%v: %v", err, errors.Unwrap(err))
	}
	want := []figures.ReturnLine{
		{Code: "table4.sup_adv", Taxable: 100_00, Tax: figures.Tax{11, 22, 33, 44}}, {Code: "table5.total_tover", Taxable: 150_00, Tax: figures.Tax{1, 1, 1, 1}},
		{Code: "table6.tran1", Tax: figures.Tax{0, 1_00, 2_00}}, {Code: "table6.tran2"}, {Code: "table6.total_itc_availed", Tax: figures.Tax{5_00, 7_00, 9_00}},
		{Code: "table7.net_itc_aval", Tax: figures.Tax{4_00, 5_00, 6_00}}, {Code: "table9.payable", Tax: figures.Tax{11_00, 22_00, 33_00, 44_00}},
	}
	if len(got.Returns) != 1 || got.Returns[0].Period != "2024-03" || !slices.Equal(got.Returns[0].Tables, want) {
		t.Errorf("it was read as %+v", got)
	}
}

// A print whose sums do not agree, or that is not a return, is refused.
func TestPrintsAreHeldAgainstTheirSums(t *testing.T) {
	r := reader(t, read.Options{Pages: pages(t)})
	var whole bytes.Buffer
	if err := figurestest.Print3B(&whole, of3B, "2023-24", "April"); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"another sum": strings.Replace(whole.String(), "20,000.50", "20,000.51", 1),
		"a cell less": strings.Replace(whole.String(), "(1,00,000.01)", "( )", 1),
		"of a letter": strings.ReplaceAll(whole.String(), "GSTR-3B", "letter"),
	} {
		_, err := r.Read(context.Background(), file(t, "3b.pdf", text(content)), nil)
		var p *problem.Error
		if !errors.As(err, &p) || p.Code != "figures_pdf" || !strings.Contains(p.Sentence(), "3b.pdf") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
