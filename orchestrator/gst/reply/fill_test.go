package reply_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/reply"
)

// What is filled in is of the notice and inert, and has a name that templates may use; what is not known is not there.
func TestFill(t *testing.T) {
	named := map[string]bool{}
	for name, f := range notices() {
		for what, text := range reply.Fill(tables, given(f, reply.Said{})) {
			named[what] = named[what] || text != ""
			if _, known := reply.Blanks()[what]; !known {
				t.Errorf("%s: templates cannot name %q", name, what)
			}
			for _, bad := range []string{"](", "<", "http://", "https://", "{{"} {
				if strings.Contains(text, bad) {
					t.Errorf("%s: %s has %q: %q", name, what, bad, text)
				}
			}
		}
	}
	for what := range reply.Blanks() {
		if !named[what] && what != "served_on" { // that a person gives
			t.Errorf("no notice gives %s", what)
		}
	}
	for what, text := range reply.Fill(tables, given(gst.Facts{}, reply.Said{})) {
		if text != "" && what != "today" {
			t.Errorf("of nothing %s is known: %q", what, text)
		}
	}
}
