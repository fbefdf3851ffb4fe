//go:build soak

package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"munshi/config"
	"munshi/orchestrator/app"
)

// 200 broken saves under load: no turn fails, the last good version stays in use, and each mistake is
// reported.
func TestSoakBrokenSaves(t *testing.T) {
	slowest := brokenSavesUnderLoad(t, 200)
	if slowest > 2*time.Second {
		t.Errorf("a mistake was told after %v", slowest)
	}
}

// Good saves and rollbacks take effect within two seconds for the next turn of two processes, each of which
// watches the folder.
func TestSoakSavesInTwoProcesses(t *testing.T) {
	dir := promptFolder(t)
	p := start(t, func(c *config.Config) { c.Prompts.Dir = dir })
	other := p.beside(nil)
	other.run("watcher", other.app.WatchPrompts)
	slowest := map[string]time.Duration{}
	holds := func(what, want string, began time.Time) {
		t.Helper()
		for _, a := range []*app.App{p.app, other.app} {
			await(t, what, func() bool {
				plan, err := a.Catalogue.Plan(t.Context(), "notice", "chat", "")
				return err == nil && plan.Bundle == want
			})
		}
		slowest[what] = max(slowest[what], time.Since(began))
	}
	first := shaOf(t, dir)
	for n := range 50 {
		was, err := os.ReadFile(filepath.Join(dir, "_shared", "tone.md"))
		must(t, err)
		began := time.Now()
		must(t, os.WriteFile(filepath.Join(dir, "_shared", "tone.md"), fmt.Appendf(was, "- Rule %d.\n", n), 0o600))
		want := shaOf(t, dir)
		holds("a save", want, began)
		if n%5 == 4 {
			began = time.Now()
			if out, err := p.munshi(t, "prompts", "rollback", "notice", first); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			holds("a rollback", first, began)
		}
	}
	for what, took := range slowest {
		if took > 2*time.Second {
			t.Errorf("%s held after %v", what, took)
		}
		fmt.Printf("%-10s held for the next turn of both processes within %.2f s\n", what, took.Seconds())
	}
}

// A newer worker answers the turn that an old worker left.
func TestSoakNewerWorker(t *testing.T) { leaveToNewer(t, true) }
