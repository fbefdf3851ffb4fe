package workflows_test

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	historypb "go.temporal.io/api/history/v1"
	tlog "go.temporal.io/sdk/log"
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

// Turns and follow-ups that were started by an earlier version continue with this one.
func TestReplay(t *testing.T) {
	for name, history := range histories(t) {
		t.Run(name, func(t *testing.T) {
			if err := workflows.Replay(quiet, history); err != nil {
				t.Error(err)
			}
		})
	}
}

// The replay notices a step in another order; otherwise the test above could not fail. In this history the model is
// asked before the notice is read; as it was recorded, it passes above.
func TestReplaySeesAReordering(t *testing.T) {
	history := histories(t)["2026-11-20/analysis"]
	var moved []string
	for _, e := range history.Events {
		if task := e.GetActivityTaskScheduledEventAttributes(); task != nil {
			task.ActivityType.Name = map[string]string{"Extract": "Ask", "Ask": "Extract"}[task.ActivityType.Name]
			moved = append(moved, task.ActivityType.Name)
		}
	}
	if !slices.Equal(moved, []string{"Ask", "Extract"}) {
		t.Fatalf("the recorded turn has other steps: %v", moved)
	}
	if err := workflows.Replay(quiet, history); err == nil {
		t.Error("a history with another order of steps replays as if nothing had changed")
	}
}
