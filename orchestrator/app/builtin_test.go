package app_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
)

// In an empty folder the program uses its built-in prompts, cases and texts; a folder in the working directory, or
// a configured one, takes precedence.
func TestFromAnyFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	home := t.TempDir()
	cfg := func() (c config.Config) {
		c.Home = home
		c.Prompts.Dir, c.Evals.Dir, c.Links.Texts = filepath.Join(home, "prompts"), filepath.Join(home, "evals"), filepath.Join(home, "config/site")
		return c
	}
	got, err := app.WithBuiltInFolders(cfg())
	if err != nil {
		t.Fatal(err)
	}
	bundles, err := prompt.Load(os.DirFS(got.Prompts.Dir), plugins.Registry())
	if err != nil || len(bundles) < 4 {
		t.Errorf("%d plugins: %v", len(bundles), err)
	}
	for _, file := range []string{filepath.Join(got.Prompts.Dir, "_shared", "persona.md"), filepath.Join(got.Evals.Dir, "lawyer", "builtin.yaml"), filepath.Join(got.Links.Texts, "en", "privacy.md")} {
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
	if papers, err := fs.Glob(os.DirFS(got.Evals.Dir), "documents/*.pdf"); err != nil || len(papers) == 0 {
		t.Errorf("%d documents of cases: %v", len(papers), err)
	}
	again, err := app.WithBuiltInFolders(cfg())
	if err != nil || again.Prompts.Dir != got.Prompts.Dir {
		t.Errorf("the second time: %q, %v", again.Prompts.Dir, err)
	}

	if err := os.Mkdir(filepath.Join(home, "prompts"), 0o700); err != nil {
		t.Fatal(err)
	}
	beside := cfg()
	beside.Evals.Dir = filepath.Join(home, "named")
	if got, err = app.WithBuiltInFolders(beside); err != nil || got.Prompts.Dir != beside.Prompts.Dir || got.Evals.Dir != beside.Evals.Dir {
		t.Errorf("folders of their own: %q and %q, %v", got.Prompts.Dir, got.Evals.Dir, err)
	}
}
