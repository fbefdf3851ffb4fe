package printed

import (
	"testing"

	"munshi/orchestrator/gst/law"
)

// Every form has a kind of paper, since a form without one would have no defences.
func TestEveryFormHasAKind(t *testing.T) {
	for _, form := range law.Built().Forms {
		if kindsOfPaper[form.Form] == "" && form.Kind != "filing" {
			t.Errorf("%s (%s) has no kind of paper", form.Form, form.What)
		}
	}
}
