//go:build soak

package figures_test

import (
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

// Ten businesses with 30,000 to 200,000 invoices: each class is found, and its amount equals what was planted, except
// for the amount of the few documents that are not found.
func TestSoakBusinesses(t *testing.T) {
	for n := range 10 {
		portal := figures.GSTR2B
		if n%2 == 1 {
			portal = figures.GSTR2A
		}
		b := figurestest.New(figurestest.Design{Seed: uint64(100 + n), Invoices: 30_000 + n*170_000/9, Portal: portal, FirstYear: 2018 + n%6})
		m := holdMatching(t, b)
		v := figures.Credit(b.Returns, m, b.Returns[0].Period, b.Returns[11].Period)
		holdTies(t, v)
		for class, s := range scores(b, m) {
			if s.planted > 0 {
				t.Logf("%d %s: %d planted, %d found, %d right", n, class, s.planted, s.found, s.right)
			}
		}
	}
}
