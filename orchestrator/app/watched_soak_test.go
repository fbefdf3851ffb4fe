//go:build soak

package app_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"munshi/config"
	"munshi/orchestrator/api"
)

// With a provider that takes ten calls a second, a person who asks one question does not wait behind another who has
// asked two hundred and sixty, more than the worker takes at a time.
func TestSoakOneQuestionBesideAFlood(t *testing.T) {
	const flood, aMinute = 260, 600
	var asked timed
	withAll := withModel(t, asked.model())
	p, begin := apart(t, func(c *config.Config) {
		withAll(c)
		c.Model.CallsPerMinute = aMinute
	})
	many, one := p.visitor(), p.visitor()
	many.converseWith("lawyer") // the first request makes it one visitor
	c := one.converseWith("lawyer")
	turns, in := make([]api.Turn, flood), make([]string, flood)
	var posting sync.WaitGroup
	for lane := range 8 {
		posting.Go(func() {
			for i := lane; i < flood; i += 8 {
				in[i] = many.converseWith("lawyer")
				turns[i] = many.say(in[i], "When is a notice under section 73 too late?")
			}
		})
	}
	posting.Wait()
	begin(1)
	await(t, "the flood to be worked on", func() bool { return p.open() < flood })
	before, asks := p.open(), time.Now()
	one.answer(c, one.say(c, "When is a notice under section 74 too late?"))
	waited, after := time.Since(asks), p.open()
	for i, turn := range turns {
		many.answer(in[i], turn)
	}
	t.Logf("of a flood of %d turns %d were left when one question of another person came; it was answered after %v, when %d were left; all after %v",
		flood, before, waited.Round(time.Millisecond), after, time.Since(asks).Round(time.Millisecond))
	if after < before/2 {
		t.Errorf("of the %d turns before it %d were answered before the single one, after %v", before, before-after, waited)
	}
}

// open counts the turns that have not ended.
func (p *product) open() (n int) {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.app.Config.Database.URL)
	must(p.t, err)
	defer conn.Close(context.WithoutCancel(p.t.Context()))
	must(p.t, conn.QueryRow(p.t.Context(), "select count(*) from turns where state in ('queued', 'running')").Scan(&n))
	return n
}
