package law_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst/cite"
	tables "munshi/orchestrator/gst/law"
	"munshi/orchestrator/law"
)

// What the product says about a provision in its own words it also finds when an answer cites it: its own answers are
// not marked as naming an Act that nobody knows.
func TestDigestIsIndexed(t *testing.T) {
	entries, err := law.New(law.Options{}).Entries()
	if err != nil {
		t.Fatal(err)
	}
	acts := map[string]law.Act{}
	for _, a := range law.Acts() {
		acts[a.ID] = a
	}
	index := tables.Built().Index
	for _, e := range entries {
		act := acts[e.Act]
		text := strings.ToUpper(act.Unit[:1]) + act.Unit[1:] + " " + e.Number + " of the " + act.Short
		for _, m := range index.Check(text, cite.Context{Today: "2026-11-20"}) {
			switch m.Verdict {
			case cite.NotCovered, cite.Unknown:
				t.Errorf("%s: %s", text, m.Message)
			}
		}
	}
}
