package reply_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/reply"
)

// papers are those of the evaluation set of defences.
func papers(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("../../../evals/notice/defences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			ID    string
			Input struct{ Text string }
		}
	}
	if err := yaml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, c := range file.Cases {
		texts[c.ID] = c.Input.Text
	}
	return texts
}

// The decisive point comes first, with its amount and page, and is pleaded where it belongs.
func TestWhatDecidesStandsFirst(t *testing.T) {
	all := papers(t)
	for _, test := range []struct {
		paper string
		first []string // words that must be on the first page
		then  []string // words that must be in the rest
	}{
		{"points-73-notice-2017-18-late", []string{"₹2,20,000", "page 1"}, []string{"is barred by limitation for F.Y. 2017-18"}},
	} {
		_, parts := drafted([]gst.Page{{Text: all[test.paper]}})
		if len(parts) < 3 || parts[0].ID != "cause" || parts[1].ID != "decisive" {
			t.Fatalf("%s: the parts are %+v", test.paper, parts)
		}
		for _, want := range test.first {
			if !strings.Contains(parts[1].Text, want) {
				t.Errorf("%s: no %q in\n%s", test.paper, want, parts[1].Text)
			}
		}
		for _, want := range test.then {
			if !strings.Contains(reply.Whole(parts[2:]), want) {
				t.Errorf("%s: no %q in\n%s", test.paper, want, reply.Whole(parts[2:]))
			}
		}
	}
}

// Every plea cites only what the tables contain. A provision that is not in force for the paper's period may be
// pleaded for that very reason, or because of the year of the invoices; a circular that was withdrawn may not.
func TestPleasCiteWhatThereIs(t *testing.T) {
	pleaded := 0
	for id, text := range papers(t) {
		f, parts := drafted([]gst.Page{{Text: text}})
		for _, part := range parts {
			if part.ID == "cause" {
				continue
			}
			for _, block := range strings.Split(withoutQuotes(part.Text), "\n\n") {
				for _, m := range tables.Index.Check(block, contextOf(f)) {
					if slices.Contains([]cite.Verdict{cite.Unknown, cite.NotVerified}, m.Verdict) || m.Verdict == cite.NotInForce && m.Kind != cite.Provision {
						t.Errorf("%s, %s: %q is %s: %s", id, part.ID, block[m.Start:m.End], m.Verdict, m.Message)
					}
				}
			}
			pleaded++
		}
	}
	if pleaded < 100 {
		t.Errorf("%d parts were looked at", pleaded)
	}
}
