package cmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

// From the command line, a folder of files answers a notice to the paisa.
func TestReconcile(t *testing.T) {
	business := figurestest.New(figurestest.Design{Seed: 5, Invoices: 200, Portal: figures.GSTR2B, FirstYear: 2023})
	paths, err := figurestest.Folder(t.TempDir(), business, figurestest.Tally)
	if err != nil {
		t.Fatal(err)
	}
	annexure := filepath.Join(t.TempDir(), "annexure.xlsx")
	root := Command("test")
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&bytes.Buffer{})
	root.SetArgs(append([]string{"reconcile", "--json", "--today", "2026-11-20", "-o", annexure}, paths...))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	var result struct {
		Files []figures.File
		figures.Reconciliation
	}
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Files) != len(paths)-1 || len(result.Answers) != 1 {
		t.Fatalf("%d files were read and %d allegations answered", len(result.Files), len(result.Answers))
	}
	a := result.Answers[0].Outcome
	if a.Notice == nil || *a.Notice != a.Files {
		t.Errorf("the notice claims %v, the files come to %v", a.Notice, a.Files)
	}
	for _, s := range a.Shares {
		if s.Tax != business.Planted[s.Class] {
			t.Errorf("%s: found %v, planted %v", s.Class, s.Tax, business.Planted[s.Class])
		}
	}
	if book, err := excelize.OpenFile(annexure); err != nil || len(book.GetSheetList()) < 15 {
		t.Errorf("the annexure has not its sheets: %v", err)
	}
	// A file that belongs to another business is refused.
	other := business
	other.GSTIN = figurestest.GSTIN("29", "AAACZ1111Z")
	if paths, err = figurestest.Folder(t.TempDir(), other, figurestest.Tally); err != nil {
		t.Fatal(err)
	}
	mine := append([]string{"reconcile", filepath.Join(filepath.Dir(paths[0]), "notice.json")}, paths[13])
	facts, err := json.Marshal(figurestest.Notice(business))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine[1], facts, 0o600); err != nil {
		t.Fatal(err)
	}
	root.SetArgs(mine)
	if err := root.Execute(); err == nil {
		t.Error("the file of another GSTIN was taken")
	}
}
