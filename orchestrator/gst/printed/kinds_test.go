package printed

import (
	"testing"

	"munshi/orchestrator/gst/law"
)

// A form without a kind of paper has no defences.
func TestEveryFormHasAKind(t *testing.T) {
	for _, form := range law.Built().Forms {
		if kindsOfPaper[form.Form] == "" && form.Kind != "filing" {
			t.Errorf("%s (%s) has no kind of paper", form.Form, form.What)
		}
	}
}
