package app_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/enums/v1"
	tlog "go.temporal.io/sdk/log"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/cmd"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// munshi runs a command with the product's database and prompts, and returns its output.
func (p *product) munshi(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Setenv("DATABASE_URL", p.app.Config.Database.URL)
	t.Setenv("MUNSHI_HOME", p.app.Config.Home)
	t.Setenv("MUNSHI_PROMPTS_DIR", p.app.Config.Prompts.Dir)
	t.Setenv("MUNSHI_MODEL_KEY", "")
	var out bytes.Buffer
	c := cmd.Command("test")
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err := c.ExecuteContext(t.Context())
	return out.String(), err
}

var discard = slog.New(slog.DiscardHandler)

// system returns the system message of a request to the model.
func system(r modeltest.Request) string {
	for _, m := range r.Messages {
		if m.Role == "system" {
			return m.Content
		}
	}
	return ""
}

// A member of legal ops changes the tone while a turn runs, breaks the prompt, mends it, sees who changed what, and
// rolls back; a second process, which does not watch the folder, follows.
func TestLiveChangesOfPrompts(t *testing.T) {
	fake := &modeltest.Server{}
	model, dir := withModel(t, fake), promptFolder(t)
	p := startAlone(t, func(c *config.Config) { model(c); c.Prompts.Dir = dir })
	other, err := store.Open(t.Context(), p.app.Config.Database.URL, 2)
	must(t, err)
	defer other.Close()
	elsewhere := newCatalogue(other, p.app.Log, t.TempDir(), plugins.Registry())
	v := p.visitor()
	c := v.converse()
	ask := func() modeltest.Request {
		t.Helper()
		v.answer(c, v.say(c, "By when must I reply?"))
		asked := fake.Requests()
		return asked[len(asked)-1]
	}
	ask()
	first := servingNotice(t, p.app.Store)

	tone := filepath.Join(dir, "_shared", "tone.md")
	edit(t, tone, "Plain English", "Plain and warm English")
	awaitServing(t, p.app.Store, dir)
	if got := system(ask()); !strings.Contains(got, "Plain and warm English") {
		t.Errorf("the next turn was asked with %.200q", got)
	}
	if plan, err := elsewhere.Plan(t.Context(), "notice", "chat", ""); err != nil || plan.Bundle != shaOf(t, dir) {
		t.Errorf("another process plans with %.10s, %v", plan.Bundle, err)
	}
	second := servingNotice(t, p.app.Store)

	edit(t, tone, "Plain and warm English", "Plain {{ .todya }} English")
	await(t, "the mistake is told", func() bool { return folderOf(t, p.app.Store).Event == store.PromptBroken })
	if got := system(ask()); !strings.Contains(got, "Plain and warm English") {
		t.Errorf("with a broken folder the model was asked with %.200q", got)
	}
	operator := p.visitor()
	p.grant(operator)
	var list api.PromptList
	operator.get("/api/prompts", &list)
	if got := list.Plugins[slices.IndexFunc(list.Plugins, func(p api.PromptPlugin) bool { return p.Plugin == "notice" })]; got.Serving == nil || got.Serving.SHA != second || len(got.Problems) == 0 ||
		got.Problems[0].File != "_shared/tone.md" || got.Problems[0].Line != 3 || !strings.Contains(got.Problems[0].Message, `Did you mean "today"?`) {
		t.Errorf("operators see %+v", got)
	}
	v.call("GET", "/api/prompts", "", nil, 404, nil) // other people cannot see them
	if out, err := p.munshi(t, "prompts", "status"); err != nil || !strings.Contains(out, "has mistakes; the last good version serves") || !strings.Contains(out, "_shared/tone.md:3:") {
		t.Errorf("the status is %v:\n%s", err, out)
	}
	if out, err := p.munshi(t, "prompts", "lint"); err == nil || !strings.Contains(out, "tone.md:3:") {
		t.Errorf("lint says %v:\n%s", err, out)
	}

	if out, err := p.munshi(t, "prompts", "rollback", "notice"); err != nil || !strings.Contains(out, plugins.Short(first)) {
		t.Fatalf("the rollback says %v:\n%s", err, out)
	}
	if got := system(ask()); strings.Contains(got, "warm") {
		t.Errorf("after the rollback the model was asked with %.200q", got)
	}
	if shaOf(t, dir) != first {
		t.Error("the rollback did not write the files back")
	}
	await(t, "the folder is seen to be mended", func() bool { return folderOf(t, p.app.Store).SHA == first })
	if plan, err := elsewhere.Plan(t.Context(), "notice", "chat", ""); err != nil || plan.Bundle != first {
		t.Errorf("after the rollback another process plans with %.10s, %v", plan.Bundle, err)
	}
	out, err := p.munshi(t, "prompts", "log", "notice")
	must(t, err)
	var events []string
	for line := range strings.Lines(out) {
		for _, what := range []string{"saved", "broken save", "rolled back"} {
			if strings.Contains(line, what) {
				events = append(events, what)
			}
		}
	}
	if got := strings.Join(events, ", "); got != "rolled back, broken save, saved, saved" {
		t.Errorf("the log tells %s:\n%s", got, out)
	}
	if out, err := p.munshi(t, "prompts", "diff", plugins.Short(first), plugins.Short(second)); err != nil || !strings.Contains(out, "+- Plain and warm English") {
		t.Errorf("the difference is %v:\n%s", err, out)
	}
	if out, err := p.munshi(t, "prompts", "show", plugins.Short(second), "tone"); err != nil || !strings.Contains(out, "Plain and warm English") {
		t.Errorf("show says %v:\n%s", err, out)
	}
	if servingNotice(t, p.app.Store) != first {
		t.Error("what serves changed without a save")
	}
}

// Each answer shows which version wrote it, and an operator can see exactly what the model was asked, in any
// person's turn. The audit log records that the operator looked, but not the text.
func TestWhatWasAsked(t *testing.T) {
	fake := &modeltest.Server{}
	model := withModel(t, fake)
	var log journal
	p := start(t, model)
	p.logsTo(&log)
	v := p.visitor()
	c := v.converse()
	turn := v.say(c, "What is section 73?")
	answer := v.answer(c, turn)
	if by := answer.Provenance; by.Bundle != servingNotice(t, p.app.Store) || by.Provider != "openai" || by.CostPaise == nil || *by.CostPaise == 0 {
		t.Errorf("the answer is by %+v", by)
	}
	v.call("GET", "/api/turns/"+turn.ID+"/questions", "", nil, 404, nil)
	p.grant(v)
	var list api.QuestionList
	v.get("/api/turns/"+turn.ID+"/questions", &list)
	sent := fake.Requests()[0].Messages
	if len(list.Questions) != 1 || len(list.Questions[0].Messages) != len(sent) || !reflect.DeepEqual(list.Questions[0].Provenance, *answer.Provenance) {
		t.Fatalf("kept are %+v", list.Questions)
	}
	for i, m := range list.Questions[0].Messages {
		if m.Role != sent[i].Role || m.Text != sent[i].Content {
			t.Errorf("message %d was sent as %q and is kept as %q", i, sent[i].Content, m.Text)
		}
	}
	looked := func() []string {
		return regexp.MustCompile(`an operator reads what the model was asked","turn":"`+turn.ID+`","session":"([0-9a-f]{12})"`).FindAllString(log.String(), -1)
	}
	if seen := looked(); len(seen) != 1 || strings.Contains(log.String(), "section 73") {
		t.Errorf("the log says\n%s", log.String())
	}
	elsewhere := p.visitor() // an operator without a workspace
	p.grant(elsewhere)
	var same api.QuestionList
	elsewhere.get("/api/turns/"+turn.ID+"/questions", &same)
	if !reflect.DeepEqual(same, list) {
		t.Errorf("another operator sees %+v", same)
	}
	if seen := looked(); len(seen) != 2 || seen[0] == seen[1] {
		t.Errorf("the log says %v", seen)
	}
	elsewhere.call("GET", "/api/turns/"+uuid.NewString()+"/questions", "", nil, 404, nil)
	elsewhere.call("GET", "/api/turns/none/questions", "", nil, 404, nil)
	elsewhere.call("GET", "/api/conversations/"+c, "", nil, 404, nil) // only its owner can open the conversation
	stranger := p.visitor()
	stranger.converse()
	stranger.call("GET", "/api/turns/"+turn.ID+"/questions", "", nil, 404, nil)
}

// What is saved can be previewed. A reset before the first step uses the current manifest, and a reset at a prompt
// step the current prompt; a running turn keeps the manifest with which it began, whatever is saved meanwhile.
func TestSavedPrompts(t *testing.T) {
	model, dir := withModel(t, &modeltest.Server{}), promptFolder(t)
	p := startAlone(t, func(c *config.Config) { model(c); c.Prompts.Dir = dir })
	t.Run("preview", func(t *testing.T) { previewOfOwnValues(t, p.with(t), dir) })
	for name, c := range map[string]struct {
		reset func(p *product, turn string) int64
		title string
		steps int
	}{
		"before the first step": {func(p *product, turn string) int64 { ids, _ := p.tasks(turn); return ids[0] }, "Leafing through the notice", 6},
		"at the prompt step":    {func(p *product, turn string) int64 { _, at := p.tasks(turn); return at }, "Reading the notice", 7},
	} {
		t.Run(name, func(t *testing.T) {
			asked, goOn := make(chan struct{}), make(chan struct{})
			fake := &modeltest.Server{Answer: func(r modeltest.Request) string { asked <- struct{}{}; <-goOn; return modeltest.Answer(r) }}
			fake.Next(modeltest.Behaviour{Status: 400})
			p := p.with(t)
			withModel(t, fake)
			must(t, os.RemoveAll(filepath.Join(dir, "notice")))
			must(t, os.CopyFS(filepath.Join(dir, "notice"), os.DirFS(filepath.Join(promptFolder(t), "notice"))))
			awaitServing(t, p.app.Store, dir)
			v := p.visitor()
			conversation := v.converse()
			turn := v.hand(conversation, "testdata/notice.pdf", "")
			v.settled(conversation, turn.ID, "failed")
			p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_FAILED)
			manifest := filepath.Join(dir, "notice", "plugin.yaml")
			edit(t, manifest, "title: Reading the notice", "title: Leafing through the notice")
			edit(t, manifest, "      - {id: check, kind: check, title: Checking citations and figures, revise: revise}\n", "")
			edit(t, manifest, "    turns.analysis.steps.check: \"हवाले और आँकड़े जाँचे जा रहे हैं\"\n", "")
			edit(t, filepath.Join(dir, "notice", "analyse.md"), "Analyse in detail the notice", "Analyse with care the notice")
			awaitServing(t, p.app.Store, dir)

			p.reset(turn.ID, c.reset(p, turn.ID))
			<-asked
			edit(t, manifest, "title: Analysing the notice", "title: Pondering the notice") // while the model writes
			awaitServing(t, p.app.Store, dir)
			goOn <- struct{}{}
			d := v.settled(conversation, turn.ID, "answered")
			if got := fake.Requests(); !strings.Contains(system(got[len(got)-1]), "Analyse with care the notice") {
				t.Error("the model was not asked with the words that serve now")
			}
			if steps := d.Turn.Steps; len(steps) != c.steps || steps[0].Title != c.title || steps[4].Title != "Analysing the notice" {
				t.Errorf("the steps are %+v", steps)
			}
			p.settledWorkflow(workflows.TurnWorkflowID(turn.ID), enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
			must(t, workflows.Replay(tlog.NewStructuredLogger(discard), p.history(t, workflows.TurnWorkflowID(turn.ID))))
		})
	}
}

// Broken saves, however many, do not change the prompts in use, and no turn fails.
func TestBrokenSavesUnderLoad(t *testing.T) { brokenSavesUnderLoad(t, 12) }

// breakages are mistakes that people make in the files of the notice plugin.
var breakages = []func(n int) (file, text string){
	func(n int) (string, string) {
		return "chat.md", fmt.Sprintf("---\npurpose: [%d\n---\n{{ .message }}\n", n)
	},
	func(n int) (string, string) { return "chat.md", fmt.Sprintf("{{ .mesage%d }}", n) },
	func(n int) (string, string) { return "plugin.yaml", fmt.Sprintf("id: notice\ntitel: %d\n", n) },
	func(n int) (string, string) {
		return "analyse.md", fmt.Sprintf("---\npurpose: x%d\nvariables: {}\n---\n{{ env \"HOME\" }}\n", n)
	},
	func(n int) (string, string) { return "part.md", strings.Repeat("{{ range .parts }}", n+1) },
	func(n int) (string, string) { return "document.md", "" },
}

func brokenSavesUnderLoad(t *testing.T, saves int) (slowest time.Duration) {
	t.Helper()
	dir := promptFolder(t)
	p := startAlone(t, func(c *config.Config) { c.Prompts.Dir = dir })
	good := servingNotice(t, p.app.Store)
	done, turns := make(chan struct{}), make(chan int, 1)
	v := p.visitor()
	go func() {
		n := 0
		defer func() { turns <- n }()
		for {
			select {
			case <-done:
				return
			default:
			}
			c := v.converse()
			turn := v.say(c, "What is a show cause notice?")
			if d := v.settled(c, turn.ID); d.Turn.State != "answered" {
				t.Errorf("a turn is %s %+v", d.Turn.State, d.Turn.Error)
				return
			}
			n++
		}
	}()
	for n := range saves {
		name, text := breakages[n%len(breakages)](n)
		file := filepath.Join(dir, "notice", name)
		was, err := os.ReadFile(file)
		must(t, err)
		before := folderOf(t, p.app.Store).SHA
		began := time.Now()
		must(t, os.WriteFile(file, []byte(text), 0o600))
		want := shaOf(t, dir)
		if before == want {
			t.Fatal("nothing was changed")
		}
		await(t, "the mistake is told", func() bool { f := folderOf(t, p.app.Store); return f.SHA == want && f.Event == store.PromptBroken })
		slowest = max(slowest, time.Since(began))
		if servingNotice(t, p.app.Store) != good {
			t.Fatalf("after %d broken saves another version serves", n+1)
		}
		must(t, os.WriteFile(file, was, 0o600))
	}
	awaitServing(t, p.app.Store, dir)
	close(done)
	n := <-turns
	if n == 0 {
		t.Error("no turn ran meanwhile")
	}
	if testing.Verbose() {
		fmt.Printf("%d broken saves, each told within %.2f s; %d turns meanwhile, none failed\n", saves, slowest.Seconds(), n)
	}
	return slowest
}

// Before a save is published, its author can see the exact messages, and compare it with the
// version in use.
func TestTryAPrompt(t *testing.T) {
	dir := promptFolder(t)
	p := &product{t: t, app: &app.App{}}
	p.app.Config.Home, p.app.Config.Prompts.Dir, p.app.Config.Database.URL = localtest.Root(t), dir, localtest.Postgres(t)
	must(t, store.Migrate(t.Context(), p.app.Config.Database.URL))
	s, err := store.Open(t.Context(), p.app.Config.Database.URL, 2)
	must(t, err)
	t.Cleanup(s.Close)
	must(t, newCatalogue(s, discard, dir, plugins.Registry()).Look(t.Context()))

	out, err := p.munshi(t, "prompts", "try", "notice/chat", "--message", "By when must I reply?", "--file", "testdata/notice.pdf")
	if err != nil || !strings.Contains(out, "It is the same.") {
		t.Errorf("with nothing changed: %v\n%s", err, out)
	}
	edit(t, filepath.Join(dir, "notice", "chat.md"), "A taxpayer,", "A trader,") // and no process watches the folder
	out, err = p.munshi(t, "prompts", "try", "notice/chat", "--message", "By when must I reply?", "--file", "testdata/notice.pdf")
	for _, want := range []string{"# With the folder's version", "# With the version that serves", "2025", "+A trader,"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("there is no %q: %v\n%s", want, err, out)
		}
	}
	out, err = p.munshi(t, "prompts", "render", "notice/chat", "--sample")
	if err != nil || !strings.Contains(out, "A trader,") || !strings.Contains(out, "Can I ask for more time to reply?\n</message-") {
		t.Errorf("the messages are %v\n%s", err, out)
	}
	for _, args := range [][]string{{"render", "notice/talk"}, {"render", "analyse"}, {"try", "notice/part"}, {"try", "notice/analyse"}, {"show", "0123456789"},
		{"rollback", "nothing"}, {"rollback", "notice"}, {"withdraw", "notice"}, {"lint", filepath.Join(dir, "_shared")}, {"schema", "nothing"}} {
		if out, err := p.munshi(t, append([]string{"prompts"}, args...)...); err == nil || !strings.HasSuffix(problem.SentenceOf(err), ".") {
			t.Errorf("%v gives %v, %s", args, err, out)
		}
	}
}

// A rollback leaves files alone that cannot be written, and shared texts that other plugins use.
func TestRollbackOfFiles(t *testing.T) {
	dir := promptFolder(t)
	must(t, os.CopyFS(filepath.Join(dir, "second"), os.DirFS(filepath.Join(dir, "notice"))))
	edit(t, filepath.Join(dir, "second", "plugin.yaml"), "id: notice", "id: second")
	s := newStore(t)
	history := plugins.History{Store: s, Dir: dir}
	roll := func(version string) {
		t.Helper()
		_, err := history.Rollback(t.Context(), "notice", version)
		must(t, err)
	}
	look := func() string {
		t.Helper()
		must(t, newCatalogue(s, discard, dir, plugins.Registry()).Look(t.Context()))
		return servingNotice(t, s)
	}
	first := look()
	must(t, os.WriteFile(filepath.Join(dir, "notice", "more.md"), []byte("---\npurpose: x\nvariables: {}\n---\nMore.\n"), 0o600))
	edit(t, filepath.Join(dir, "notice", "plugin.yaml"), "prompt: chat,", "prompt: more,")
	must(t, os.Remove(filepath.Join(dir, "notice", "chat.md")))
	second := look()
	if second == first {
		t.Fatal("the change was not published")
	}
	roll(first)
	if shaOf(t, dir) != first || look() != first {
		t.Error("the files were not written back")
	}
	edit(t, filepath.Join(dir, "_shared", "tone.md"), "Plain English", "Plain words")
	third := look()
	roll("")
	if shaOf(t, dir) != third || look() != first {
		t.Error("a shared text of another plugin was changed, or the rollback undone")
	}

	// Nor does it write to a file outside that a link leads to.
	outside := filepath.Join(t.TempDir(), "chat.md")
	must(t, os.WriteFile(outside, []byte("not ours"), 0o600))
	chat := filepath.Join(dir, "notice", "chat.md")
	must(t, os.Remove(chat))
	must(t, os.Symlink(outside, chat))
	roll(third)
	if text, err := os.ReadFile(outside); err != nil || string(text) != "not ours" {
		t.Errorf("a rollback wrote outside: %q, %v", text, err)
	}
}
