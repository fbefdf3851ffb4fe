package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"munshi/orchestrator/local/localtest"
	"munshi/workflows"
)

var record = flag.String("record", "", "write the histories of these tests' workflows into this folder of workflows/testdata/histories, named after the day of the release")

// keepHistory records a workflow's history for the replay test, when asked to.
func (p *product) keepHistory(t *testing.T, name, workflow string) {
	t.Helper()
	if *record == "" {
		return
	}
	history, err := workflows.HistoryOf(t.Context(), p.app.temporal, workflow, "")
	must(t, err)
	raw, err := protojson.MarshalOptions{Multiline: true, Indent: " "}.Marshal(history)
	must(t, err)
	dir := filepath.Join(localtest.Root(t), "workflows", "testdata", "histories", *record)
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, name+".json"), raw, 0o644))
}
