package law_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst/cite"
	tables "munshi/orchestrator/gst/law"
	"munshi/orchestrator/law"
)

// Whatever our own texts say about a provision is also found when an answer cites it, so that our own answers are not
// marked as citing an unknown provision.
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
