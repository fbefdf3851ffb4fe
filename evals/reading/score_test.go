package reading_test

import (
	"os"
	"path/filepath"
	"testing"

	"munshi/evals/reading"
)

func TestScores(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"P1.pdf": "", "P1.json": `{"form": "DRC-01", "issue_date": "2026-01-05", "demand": {"total": 5000}}`,
		"P2.pdf": "", "P2.json": `{"form": null, "issue_date": "2026-02-06"}`,
		"NOTES.json": `[{"file": "P2.pdf", "form_alternates": ["SCN"]}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	papers, err := reading.Papers(dir)
	if err != nil || len(papers) != 2 {
		t.Fatalf("papers = %v, %v", papers, err)
	}
	score := reading.NewTally()
	score.Add(papers[0], map[string]any{
		"form": "DRC-01", "issue_date": "2026-01-06",
		"candidates": map[string]any{"demand": []any{map[string]any{"value": "5000.00"}}},
	})
	score.Add(papers[1], map[string]any{"form": "SCN", "issue_date": "2026-02-06"})
	s := score.Scores()
	if s.All.Right != 3 || s.All.Wrong != 1 || s.All.Missing != 2 {
		t.Errorf("all = %+v", s.All)
	}
	if s.DemandsLeft != 1 || s.DemandsOffered != 1 {
		t.Errorf("demands left %d, offered %d", s.DemandsLeft, s.DemandsOffered)
	}
	if len(s.Classes) != 2 || s.Classes[0].Name != "DRC" || s.Classes[0].All.Wrong != 1 || s.Classes[1].Name != "letter" || s.Classes[1].All.F1() != 1 {
		t.Errorf("classes = %+v", s.Classes)
	}
}
