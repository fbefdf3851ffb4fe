package reply_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/gst/reply"
)

// What is filled in comes from the notice, is escaped, and has a name that templates may use; unknown values are
// missing.
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

// The last days for remedies against an order are filled in for an order, and unknown for a notice.
func TestFillsTheDaysOfAnOrder(t *testing.T) {
	for form, want := range map[string][2]string{"DRC-07": {"10.09.2026", "12.09.2026"}, "DRC-01": {"", ""}} {
		f := gst.Facts{Form: &form, IssueDate: p("2026-06-10"), ServedOn: p("2026-06-12"), ReplyDue: gst.ReplyDue{Source: "unknown"}}
		day := law.ParseDay("2026-07-01")
		known := reply.Fill(tables, reply.Given{Facts: f, Reckoning: reckon.Reckon(tables, f, reckon.GivenWith(f), day), Today: day})
		if got := [2]string{known["rectify_by"], known["appeal_by"]}; got != want {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}
