package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// promptFolder is a copy of the notice plugin's prompts, to be changed.
func promptFolder(t *testing.T) string {
	t.Helper()
	dir, _ := ownPrompts(t)
	return dir
}

// shaOf returns the hash of the files in the notice plugin's folder.
func shaOf(t *testing.T, dir string) string {
	t.Helper()
	folders, err := prompt.ReadDir(dir)
	must(t, err)
	for _, f := range folders {
		if f.Plugin == "notice" {
			return f.SHA
		}
	}
	t.Fatalf("there is no notice in %s", dir)
	return ""
}

// awaitServing waits until the prompts in dir are the ones in use for the notice plugin.
func awaitServing(t *testing.T, s *store.Store, dir string) {
	t.Helper()
	want := shaOf(t, dir)
	await(t, "the saved prompts serve", func() bool { return servingNotice(t, s) == want })
}

func servingNotice(t *testing.T, s *store.Store) string {
	t.Helper()
	shas, err := s.Serving(t.Context())
	must(t, err)
	return shas["notice"]
}

// folderOf returns the status of the notice plugin's folder.
func folderOf(t *testing.T, s *store.Store) store.PromptEvent {
	t.Helper()
	status, err := s.PromptStatus(t.Context())
	must(t, err)
	for _, p := range status {
		if p.Plugin == "notice" {
			return p.Folder
		}
	}
	return store.PromptEvent{}
}

func edit(t *testing.T, file, from, to string) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	changed := strings.Replace(string(text), from, to, 1)
	if changed == string(text) {
		t.Fatalf("%s does not hold %q", file, from)
	}
	must(t, os.WriteFile(file, []byte(changed), 0o600))
}

// newStore is an empty, migrated database.
func newStore(t *testing.T) *store.Store {
	t.Helper()
	url := localtest.Postgres(t)
	must(t, store.Migrate(t.Context(), url))
	s, err := store.Open(t.Context(), url, 4)
	must(t, err)
	t.Cleanup(s.Close)
	return s
}

func newCatalogue(s *store.Store, log *slog.Logger, dir string, r prompt.Registry) *plugins.Catalogue {
	return plugins.NewCatalogue(plugins.Options{Store: s, Log: log, Folder: dir, Registry: r})
}

// watched is one process that watches a folder until the test ends or the returned function is
// called.
func watched(t *testing.T, s *store.Store, dir string, poll time.Duration) (end func()) {
	t.Helper()
	l := newCatalogue(s, discard, dir, plugins.Registry())
	must(t, l.Look(t.Context()))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- l.Watch(ctx, poll) }()
	end = func() { stop(); <-done }
	t.Cleanup(func() { stop() })
	return end
}

// Every way in which editors, git and mounts change files is noticed: reported by the system, or found by a
// periodic check.
func TestSaveIsPublish(t *testing.T) {
	save := map[string]func(t *testing.T, dir string){
		"written in place": func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "notice", "chat.md"), "A taxpayer,", "A tax payer,")
		},
		"written beside and renamed": func(t *testing.T, dir string) {
			file := filepath.Join(dir, "notice", "chat.md")
			text, err := os.ReadFile(file)
			must(t, err)
			must(t, os.WriteFile(file+"~", append(text, "\nBe brief.\n"...), 0o600))
			must(t, os.Rename(file+"~", file))
		},
		"a shared text": func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "_shared", "tone.md"), "Plain English", "Plain words")
		},
		"a folder put in the place of another": func(t *testing.T, dir string) {
			other := filepath.Join(t.TempDir(), "notice")
			must(t, os.CopyFS(other, os.DirFS(filepath.Join(dir, "notice"))))
			edit(t, filepath.Join(other, "plugin.yaml"), "order: 2", "order: 3")
			must(t, os.Rename(filepath.Join(dir, "notice"), filepath.Join(t.TempDir(), "gone")))
			must(t, os.Rename(other, filepath.Join(dir, "notice")))
		},
		"another branch": func(t *testing.T, dir string) {
			git := func(args ...string) {
				cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=Asha Rao", "-c", "user.email=asha@example.org"}, args...)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v: %s", args, err, out)
				}
			}
			git("init", "-q", "-b", "main")
			git("add", "-A")
			git("commit", "-qm", "as it is")
			git("checkout", "-qb", "other")
			edit(t, filepath.Join(dir, "notice", "plugin.yaml"), "prompt: chat,", "prompt: talk,")
			git("mv", "notice/chat.md", "notice/talk.md")
			for i := range 30 {
				must(t, os.WriteFile(filepath.Join(dir, "_shared", fmt.Sprintf("more%d.md", i)), []byte("More.\n"), 0o600))
			}
			edit(t, filepath.Join(dir, "_shared", "tone.md"), "Plain English", "Plain words")
			git("add", "-A")
			git("commit", "-qm", "another tone")
			git("checkout", "-q", "main")
			git("checkout", "-q", "other")
		},
	}
	for name, change := range save {
		for by, poll := range map[string]time.Duration{"told": time.Hour, "found": 20 * time.Millisecond} {
			t.Run(name+"/"+by, func(t *testing.T) {
				t.Parallel()
				s, dir := newStore(t), promptFolder(t)
				link := dir
				if by == "found" { // the system does not report changes behind a link above the folder
					link = filepath.Join(t.TempDir(), "prompts")
					must(t, os.Symlink(dir, link))
				}
				watched(t, s, link, poll)
				before := shaOf(t, dir)
				change(t, dir)
				if shaOf(t, dir) == before {
					t.Fatal("nothing was changed")
				}
				awaitServing(t, s, dir)
			})
		}
	}
}

// A Kubernetes ConfigMap is a read-only folder of links into ..data, itself a link that is replaced at each
// change.
func TestMountedConfigMapIsFollowed(t *testing.T) {
	s, mount := newStore(t), t.TempDir()
	version := func(n int) string {
		dir := filepath.Join(mount, fmt.Sprintf("..2026_%d", n))
		must(t, os.CopyFS(dir, os.DirFS(filepath.Join(localtest.Root(t), "prompts"))))
		edit(t, filepath.Join(dir, "notice", "plugin.yaml"), "order: 2", fmt.Sprintf("order: %d", 10+n))
		must(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				err = os.Chmod(path, 0o444)
			}
			return err
		}))
		return filepath.Base(dir)
	}
	must(t, os.Symlink(version(0), filepath.Join(mount, "..data")))
	for _, name := range []string{"notice", "_shared"} {
		must(t, os.Symlink(filepath.Join("..data", name), filepath.Join(mount, name)))
	}
	watched(t, s, mount, time.Hour)
	for n := 1; n < 4; n++ {
		next := version(n)
		must(t, os.Symlink(next, filepath.Join(mount, "..data_tmp")))
		must(t, os.Rename(filepath.Join(mount, "..data_tmp"), filepath.Join(mount, "..data")))
		must(t, os.RemoveAll(filepath.Join(mount, fmt.Sprintf("..2026_%d", n-1))))
		awaitServing(t, s, mount)
	}
}

// A broken save does not change the prompts in use, and every process can report the mistakes.
func TestBrokenSave(t *testing.T) {
	s, dir := newStore(t), promptFolder(t)
	good := shaOf(t, dir)
	watched(t, s, dir, 20*time.Millisecond)
	file := filepath.Join(dir, "notice", "chat.md")
	edit(t, file, "{{ .message }}", "{{ .mesage }}")
	await(t, "the mistake is told", func() bool { // and not that of a file which is half written
		f := folderOf(t, s)
		return f.Event == store.PromptBroken && strings.Contains(string(f.Problems), `Did you mean \"message\"?`)
	})
	if got := string(folderOf(t, s).Problems); !strings.Contains(got, `notice/chat.md`) {
		t.Errorf("the problems are %s", got)
	}
	if servingNotice(t, s) != good {
		t.Error("a broken save changed what serves")
	}
	edit(t, file, "{{ .mesage }}", "{{ .message }}")
	await(t, "the mistake is mended", func() bool { return folderOf(t, s).Event == store.PromptSame })
	if servingNotice(t, s) != good {
		t.Error("mending it made another version serve")
	}
}

// A prompt step uses the current texts if they fit the manifest with which its turn began, and otherwise those of
// its own bundle.
func TestWordsThatFit(t *testing.T) {
	s, dir := newStore(t), promptFolder(t)
	l := newCatalogue(s, discard, dir, plugins.Registry())
	must(t, l.Look(t.Context()))
	began := shaOf(t, dir)
	ask := func() workflows.Question {
		t.Helper()
		q, err := l.Render(t.Context(), workflows.Prompts{Plugin: "notice", Bundle: began}, "chat", map[string]any{"message": "Why?", "today": "2026-11-20"})
		must(t, err)
		return q
	}
	edit(t, filepath.Join(dir, "notice", "chat.md"), "A taxpayer,", "A trader,")
	must(t, l.Look(t.Context()))
	if q := ask(); q.Bundle != shaOf(t, dir) {
		t.Errorf("what serves now is not used: %.10s", q.Bundle)
	}
	for what, change := range map[string]func(){
		"it asks for more than the turn has": func() {
			edit(t, filepath.Join(dir, "notice", "chat.md"), "type: text\n    untrusted: true\n    required: false\n    sample: |\n      {\"form\"", "type: text\n    untrusted: true\n    sample: |\n      {\"form\"")
		},
		"it is gone": func() {
			must(t, os.Rename(filepath.Join(dir, "notice", "chat.md"), filepath.Join(dir, "notice", "talk.md")))
			edit(t, filepath.Join(dir, "notice", "plugin.yaml"), "prompt: chat,", "prompt: talk,")
		},
	} {
		change()
		must(t, l.Look(t.Context()))
		if servingNotice(t, s) != shaOf(t, dir) {
			t.Fatalf("%s: it does not serve", what)
		}
		if q := ask(); q.Bundle != began {
			t.Errorf("%s: the turn was asked with %.10s", what, q.Bundle)
		}
		must(t, os.RemoveAll(dir))
		must(t, os.CopyFS(dir, os.DirFS(filepath.Join(localtest.Root(t), "prompts"))))
		must(t, l.Look(t.Context()))
	}
}

// A folder that was added by mistake is forgotten when it is removed, even while the process was not running;
// prompts in use stay.
func TestFoldersThatAreGone(t *testing.T) {
	s, dir := newStore(t), promptFolder(t)
	look := func() (names []string) {
		t.Helper()
		must(t, newCatalogue(s, discard, dir, plugins.Registry()).Look(t.Context()))
		status, err := s.PromptStatus(t.Context())
		must(t, err)
		for _, p := range status {
			names = append(names, p.Plugin)
		}
		return names
	}
	must(t, os.Mkdir(filepath.Join(dir, "My Plugin"), 0o755))
	if got := look(); !slices.Equal(got, []string{"My Plugin", "notice"}) {
		t.Errorf("there are %q", got)
	}
	must(t, os.Rename(filepath.Join(dir, "My Plugin"), filepath.Join(dir, "mine")))
	if got := look(); !slices.Equal(got, []string{"mine", "notice"}) {
		t.Errorf("after another name there are %q", got)
	}
	must(t, os.RemoveAll(filepath.Join(dir, "mine")))
	must(t, os.Rename(filepath.Join(dir, "notice"), filepath.Join(dir, "away")))
	if got := look(); !slices.Equal(got, []string{"away", "notice"}) {
		t.Errorf("what serves is forgotten: %q", got)
	}
	must(t, os.Mkdir(filepath.Join(dir, "mine"), 0o755))
	if got := look(); !slices.Equal(got, []string{"away", "mine", "notice"}) {
		t.Errorf("what comes back is not told of: %q", got)
	}
	// Another copy of the product still has it.
	other := promptFolder(t)
	must(t, os.Mkdir(filepath.Join(other, "mine"), 0o755))
	must(t, newCatalogue(s, discard, other, plugins.Registry()).Look(t.Context()))
	must(t, os.Remove(filepath.Join(dir, "mine")))
	if got := look(); !slices.Contains(got, "mine") {
		t.Errorf("what lies elsewhere is forgotten: %q", got)
	}
}

// A plugin that is broken at the first start is not used; the others are.
func TestBrokenFirstStart(t *testing.T) {
	s, dir := newStore(t), promptFolder(t)
	must(t, os.CopyFS(filepath.Join(dir, "second"), os.DirFS(filepath.Join(dir, "notice"))))
	var said bytes.Buffer
	l := newCatalogue(s, slog.New(slog.NewTextHandler(&said, nil)), dir, plugins.Registry())
	must(t, l.Look(t.Context()))
	must(t, l.Look(t.Context()))
	if got := strings.Count(said.String(), `second/plugin.yaml:3:5: id must be the name of the folder`); got != 1 {
		t.Errorf("the log tells %d times:\n%s", got, said.String())
	}
	status, err := s.PromptStatus(t.Context())
	must(t, err)
	if len(status) != 2 || status[0].Serving == nil || status[1].Serving != nil || status[1].Folder.Event != store.PromptBroken {
		t.Errorf("the status is %+v", status)
	}
	serving, err := l.Plugins(t.Context())
	must(t, err)
	if len(serving) != 1 {
		t.Errorf("%d plugins serve", len(serving))
	}
	must(t, s.Withdraw(t.Context(), "second", ""))
	if status, err = s.PromptStatus(t.Context()); err != nil || len(status) != 1 {
		t.Errorf("after its withdrawal the status is %+v, %v", status, err)
	}
}

// BenchmarkServing compares the cost of asking the database in each turn with the whole first step
// of a turn.
func BenchmarkServing(b *testing.B) {
	url := localtest.Postgres(b)
	if err := store.Migrate(b.Context(), url); err != nil {
		b.Fatal(err)
	}
	s, err := store.Open(b.Context(), url, 2)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	l := newCatalogue(s, discard, filepath.Join(localtest.Root(b), "prompts"), plugins.Registry())
	if err := l.Look(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := l.Plan(b.Context(), "notice", "chat", ""); err != nil {
			b.Fatal(err)
		}
	}
}

// Only a change counts: a folder that stays the same undoes neither a rollback nor the save of another process.
func TestWhatServes(t *testing.T) {
	s, n := newStore(t), 0
	for name, steps := range map[string]string{
		// place:content>prompts in use; content in capitals is broken; <sha>! is a rollback, - a
		// withdrawal
		"a save":                                         "p:a>a p:b>b p:c>c",
		"going back by saving":                           "p:a>a p:b>b p:a>a",
		"a broken save":                                  "p:a>a p:X>a p:b>b",
		"a broken save, undone":                          "p:a>a p:X>a p:a>a p:b>b p:a>a",
		"a broken first save":                            "p:X> p:Y> p:a>a",
		"a process joins with the same":                  "p:a>a q:a>a p:b>b q:b>b",
		"a process joins with an older copy":             "p:a>a p:b>b q:a>b q:a>b",
		"a process joins with an older, broken copy":     "p:a>a p:X>a p:b>b q:X>b p:a>a",
		"a process joins with a newer copy":              "p:a>a q:b>b p:a>b",
		"a mount that lags":                              "p:a>a q:a>a p:b>b p:c>c q:b>c q:c>c",
		"a rollback outlives restarts":                   "p:a>a p:b>b a!>a p:b>a q:b>a q:a>a",
		"a rollback ends with the next save":             "p:a>a p:b>b a!>a p:b>a p:c>c",
		"a rollback that is written to the folder":       "p:a>a p:b>b a!>a p:a>a p:b>b",
		"a mount that lags does not undo a rollback":     "p:a>a q:a>a p:b>b a!>a q:b>a",
		"a change while the process was away":            "p:a>a p:b>b p:a>a",
		"a withdrawn plugin comes back with its folder":  "p:a>a -> p:a>a p:b>b",
		"a withdrawn plugin comes back with a new place": "p:a>a -> q:a>a",
	} {
		t.Run(name, func(t *testing.T) {
			n++
			plugin := fmt.Sprintf("demo%d", n)
			for i, step := range strings.Fields(steps) {
				do, want, _ := strings.Cut(step, ">")
				switch place, content, isSave := strings.Cut(do, ":"); {
				case do == "-":
					must(t, s.Withdraw(t.Context(), plugin, ""))
				case !isSave:
					must(t, s.Rollback(t.Context(), plugin, plugin+strings.TrimSuffix(do, "!"), ""))
				default:
					r := store.FolderReport{Place: place, Plugin: plugin, SHA: plugin + content}
					if content == strings.ToLower(content) {
						r.Files = map[string][]byte{plugin + "/plugin.yaml": []byte(content)}
					}
					_, err := s.Report(t.Context(), r)
					must(t, err)
				}
				shas, err := s.Serving(t.Context())
				must(t, err)
				if strings.TrimPrefix(shas[plugin], plugin) != want {
					t.Fatalf("after step %d, %s, %q serves", i+1, step, shas[plugin])
				}
			}
		})
	}
	if err := s.Rollback(t.Context(), "demo", "nothing", ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a rollback to nothing gives %v", err)
	}
}
