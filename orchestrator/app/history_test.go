package app_test

import (
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	historypb "go.temporal.io/api/history/v1"
	tlog "go.temporal.io/sdk/log"
	"google.golang.org/protobuf/encoding/protojson"

	"munshi/orchestrator/cmd"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/problem"
	"munshi/workflows"
)

var record = flag.String("record", "", "write the histories of these tests' workflows into this folder of workflows/testdata/histories, named after the day of the release")

// keepHistory stores a workflow's history for the replay test, if that is requested.
func (p *product) keepHistory(t *testing.T, name, workflow string) {
	t.Helper()
	if *record == "" {
		return
	}
	history := p.history(t, workflow)
	raw, err := protojson.MarshalOptions{Multiline: true, Indent: " "}.Marshal(history)
	must(t, err)
	dir := filepath.Join(localtest.Root(t), "workflows", "testdata", "histories", *record)
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, name+".json"), raw, 0o644))
}

// history returns the decrypted history of a workflow's latest run.
func (p *product) history(t *testing.T, workflow string) *historypb.History {
	t.Helper()
	history, err := workflows.HistoryOf(t.Context(), p.app.Temporal, workflow, "")
	must(t, err)
	must(t, p.app.Codec.Open(t.Context(), history))
	return history
}

// The histories that an operator records before an upgrade include every kind of workflow, and this version can
// continue them.
func TestHistoriesAreRecorded(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", ""))
	v.followUp(c, "waiting")
	await(t, "the histories are recorded", func() bool { // the list of workflows is updated with a delay
		found := map[string]bool{}
		must(t, workflows.Histories(t.Context(), p.app.Temporal, p.app.Config.Temporal.Namespace, 1, func(name string, h *historypb.History) error {
			found[name] = true
			must(t, p.app.Codec.Open(t.Context(), h))
			return workflows.Replay(tlog.NewStructuredLogger(slog.New(slog.DiscardHandler)), h)
		}))
		return found["analysis-completed-1"] && found["followup-running-1"] && !found["analysis-completed-2"]
	})
}

// For each recorded history the command reports whether this version can continue it, and fails if it cannot.
func TestHistoriesAreChecked(t *testing.T) {
	dir := t.TempDir()
	recorded := filepath.Join(localtest.Root(t), "workflows", "testdata", "histories", "2026-11-20", "chat.json")
	raw, err := os.ReadFile(recorded)
	must(t, err)
	check := func() (string, error) {
		var out strings.Builder
		c := cmd.Command("test")
		c.SetOut(&out)
		c.SetArgs([]string{"histories", "--check", dir})
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	if _, err := check(); err == nil || !strings.Contains(problem.SentenceOf(err), "There are no histories") {
		t.Errorf("of an empty folder it says %v", err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "chat.json"), raw, 0o600))
	if out, err := check(); err != nil || out != "chat.json: goes on\n" {
		t.Errorf("%q %v", out, err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "other.json"), []byte(strings.ReplaceAll(string(raw), `"Ask"`, `"Extract"`)), 0o600))
	if out, err := check(); err == nil || !strings.Contains(out, "other.json: cannot go on") {
		t.Errorf("%q %v", out, err)
	}
}
