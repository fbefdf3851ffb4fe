package workflows_test

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	historypb "go.temporal.io/api/history/v1"
	tlog "go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"google.golang.org/protobuf/encoding/protojson"

	"munshi/workflows"
)

func histories(t *testing.T) map[string]*historypb.History {
	t.Helper()
	files, err := filepath.Glob("testdata/histories/*/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("there are %d recorded histories (%v); record them with: make record", len(files), err)
	}
	all := map[string]*historypb.History{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var h historypb.History
		if err := protojson.Unmarshal(raw, &h); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "testdata/histories/"), ".json")] = &h
	}
	return all
}

var quiet = tlog.NewStructuredLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))

// Turns and follow-ups that were begun by an earlier version go on under this one.
func TestReplay(t *testing.T) {
	for name, history := range histories(t) {
		t.Run(name, func(t *testing.T) {
			if err := workflows.Replay(quiet, history); err != nil {
				t.Error(err)
			}
		})
	}
}

// The replay sees a step that moved: without this the test above could not fail.
func TestReplaySeesAReordering(t *testing.T) {
	var a *workflows.Activities
	reordered := func(ctx workflow.Context, in workflows.TurnInput) error {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: 1})
		return workflow.ExecuteActivity(ctx, a.Ask, workflows.AskInput{}).Get(ctx, nil)
	}
	r := worker.NewWorkflowReplayer()
	r.RegisterWorkflowWithOptions(reordered, workflow.RegisterOptions{Name: "Turn"})
	if err := r.ReplayWorkflowHistory(quiet, histories(t)["2026-11-20/analysis"]); err == nil {
		t.Error("a workflow with another order of steps replays as if nothing had changed")
	}
}
