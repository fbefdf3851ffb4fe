package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"go.temporal.io/api/enums/v1"
	historypb "go.temporal.io/api/history/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"munshi/orchestrator/local/localtest"
)

var record = flag.Bool("record", false, "write the histories of these tests' turns into workflows/testdata/histories")

// keepHistory records a workflow's history for the replay test, when asked to.
func (p *product) keepHistory(t *testing.T, name, workflow string) {
	t.Helper()
	if !*record {
		return
	}
	var history historypb.History
	iter := p.app.temporal.GetWorkflowHistory(t.Context(), workflow, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for iter.HasNext() {
		e, err := iter.Next()
		must(t, err)
		history.Events = append(history.Events, e)
	}
	raw, err := protojson.MarshalOptions{Multiline: true, Indent: " "}.Marshal(&history)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(localtest.Root(t), "workflows", "testdata", "histories", name+".json"), raw, 0o644))
}
