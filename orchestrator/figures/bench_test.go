package figures_test

import (
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

// 200,000 invoices of the books against 200,000 of the portal: at most 10 s on two cores.
func BenchmarkMatch(b *testing.B) {
	c := figurestest.New(figurestest.Design{Seed: 1, Invoices: 200_000, Portal: figures.GSTR2B, FirstYear: 2023})
	for b.Loop() {
		figures.Match(c.Books, c.Portal, figures.Rules{})
	}
}
