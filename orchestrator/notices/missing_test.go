package notices

import (
	"testing"

	"munshi/orchestrator/gst/reply"
	"munshi/orchestrator/store"
)

// Blanks in a draft are listed without the backslashes of Markdown.
func TestMissingInPlainWords(t *testing.T) {
	w := worked{form: reply.Form{Kind: "reply"}}
	w.Draft = &store.Draft{Parts: []store.DraftPart{{
		Text: `[To be confirmed: the points marked \* need a fact] and [… name of M/s A\_B]`,
	}}}
	listed := map[string]bool{}
	for _, m := range w.missing() {
		listed[m.What.English] = true
	}
	for _, want := range []string{"the points marked * need a fact", "name of M/s A_B"} {
		if !listed[want] {
			t.Errorf("%q is not listed: %v", want, listed)
		}
	}
}
