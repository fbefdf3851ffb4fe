package notices

import (
	"testing"

	"munshi/orchestrator/store"
)

// Facts that were proposed together with an admission argue for it, and are used only once the
// person admits.
func TestProposedAdmission(t *testing.T) {
	if said := standsFor(store.Point{Proposed: saidOf("admit", "It was claimed twice.")}); said.Facts != "" {
		t.Errorf("what was proposed with an admission goes into the reply: %q", said.Facts)
	}
	if said := standsFor(store.Point{Said: store.Said{Stance: saidOf("admit", "").Stance}, Proposed: saidOf("admit", "It was claimed twice.")}); said.Facts != "It was claimed twice." {
		t.Errorf("once it is admitted, the facts are %q", said.Facts)
	}
}

func saidOf(stance, facts string) store.Said { return store.Said{Stance: &stance, Facts: &facts} }
