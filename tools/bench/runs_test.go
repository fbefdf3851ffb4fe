package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func oneRun(values map[string]float64) run {
	r := run{When: time.Date(2026, 11, 27, 0, 0, 0, 0, time.UTC), Machine: "two cores"}
	for _, name := range []string{overWhole, perSecond, signIn, "left alone"} {
		if v, ok := values[name]; ok {
			r.Figures = append(r.Figures, figure{name, v, "ms", name == perSecond})
		}
	}
	return r
}

func TestAgainst(t *testing.T) {
	stored := []run{
		oneRun(map[string]float64{overWhole: 10, perSecond: 100, signIn: 100}),
		oneRun(map[string]float64{overWhole: 10.2, perSecond: 104, signIn: 150}),
		oneRun(map[string]float64{overWhole: 9.9, perSecond: 97, signIn: 110}),
	}
	for _, c := range []struct {
		name  string
		now   map[string]float64
		worse []string
	}{
		{"the same", map[string]float64{overWhole: 10, perSecond: 100, signIn: 110}, nil},
		{"within the least noise", map[string]float64{overWhole: 10.9, perSecond: 92}, nil},
		{"slower, and fewer", map[string]float64{overWhole: 11.2, perSecond: 85}, []string{overWhole, perSecond}},
		{"what went up and down before may do so again", map[string]float64{signIn: 155}, nil},
		{"but not more", map[string]float64{signIn: 170}, []string{signIn}},
		{"better is no fault, and what is new is held against nothing", map[string]float64{overWhole: 5, perSecond: 200, "left alone": 1}, nil},
	} {
		if table, worse := against(stored, oneRun(c.now)); !slices.Equal(worse, c.worse) {
			t.Errorf("%s: %q is worse, want %q:\n%s", c.name, worse, c.worse, table)
		}
	}
}

func TestRunsAreKept(t *testing.T) {
	folder := t.TempDir() + "/"
	for file, values := range map[string][]float64{"before.json": {20, 24, 22}, "after.json": {8, 12, 10}} {
		for _, v := range values {
			if err := save(folder+file, oneRun(map[string]float64{overWhole: v, "left alone": v})); err != nil {
				t.Fatal(err)
			}
		}
	}
	document := "# Speed\n\n" + tableBegins + "before.json after.json -->\nold\n" + tableEnds + "\nthe rest\n"
	got, err := written(document, folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| what | before, 27 November 2026: median (worst) of 3 | after, 27 November 2026: median (worst) of 3 | must hold / aim | |",
		"| " + overWhole + " | 22.0 ms (24.0 ms) | 10.0 ms (12.0 ms) | ≤ 11 / 9 | holds |",
		"| left alone | 22.0 ms (24.0 ms) | 10.0 ms (12.0 ms) | | |", "the rest",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the document lacks %q:\n%s", want, got)
		}
	}
	if again, err := written(got, folder); err != nil || again != got {
		t.Errorf("written once more it is another (%v):\n%s", err, again)
	}
}

// The table in docs/benchmarks.md is generated from the runs next to it, never written by hand.
func TestTableIsOfItsRuns(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "benchmarks.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if want, err := written(string(text), filepath.Dir(file)+"/"); err != nil || want != string(text) {
		t.Errorf("%s is not what `go run ./tools/bench --write docs/benchmarks.md` makes of its runs (%v)", file, err)
	}
}
