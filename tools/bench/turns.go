package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// target is a server that people chat with.
type target interface {
	// prepare makes ready for n turns, unmeasured, and gives what does each of them.
	prepare(ctx context.Context, n int) (func(context.Context, int) (sample, error), error)
}

// question is what everyone asks; the stand-in's answer to it is short.
const question = "Can I ask for more time to reply to the notice?"

// turnTime is how long one turn may take before it counts as lost.
const turnTime = time.Minute

// A load is so many turns at once with the model at a latency, in rounds that alternate with bare calls.
type turnLoad struct {
	atOnce, rounds, perRound int
	latency                  time.Duration
}

func turnLoads(s settings) []turnLoad {
	var loads []turnLoad
	for _, latency := range s.latencies {
		for _, atOnce := range s.atOnce {
			l := turnLoad{atOnce, 3, s.of(20 * atOnce), latency}
			if atOnce == 1 {
				l.rounds, l.perRound = s.of(200), 1
			}
			if latency > 0 { // what waits is not to be waited for as often
				l.rounds, l.perRound = (l.rounds+4)/5, l.perRound/2+l.perRound%2
			}
			loads = append(loads, l)
		}
	}
	return loads
}

// turns measures chat turns beside the bare calls to the model that they make.
func turns(ctx context.Context, s settings, loads []turnLoad, r *report, m *standIn, t target, p *product) error {
	if err := warmUp(ctx, s, t); err != nil {
		return err
	}
	asked, made := m.asked.Load(), 0
	for _, l := range loads {
		progress("%d at once, model at %s", l.atOnce, l.latency)
		m.wait(l.latency)
		did, err := l.run(ctx, m, t, p)
		if err != nil {
			return err
		}
		made += len(did.turns) + len(did.faults)
		did.rows(r, l)
		if len(did.faults) > 0 {
			return fmt.Errorf("%d turns went wrong at %d at once; the first: %w", len(did.faults), l.atOnce, did.faults[0])
		}
	}
	m.wait(0)
	if calls := m.asked.Load() - asked; calls != int64(made) {
		r.foot = append(r.foot, fmt.Sprintf("The model was asked %d times for %d turns.", calls, made))
	} else {
		r.foot = append(r.foot, fmt.Sprintf("The model was asked once for each of the %d turns.", made))
	}
	return nil
}

func warmUp(ctx context.Context, s settings, t target) error {
	progress("warming up")
	do, err := t.prepare(ctx, s.of(100))
	if err != nil {
		return err
	}
	_, _, faults := many(ctx, s.of(100), 8, do)
	if len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// outcome is what a load gave.
type outcome struct {
	turns, bare samples
	took        time.Duration // the rounds of turns together
	faults      []error
	work        databaseWork
	cpu         map[string]time.Duration // what each part used in the rounds of turns
}

func (l turnLoad) run(ctx context.Context, m *standIn, t target, p *product) (outcome, error) {
	do, err := t.prepare(ctx, l.rounds*l.perRound)
	if err != nil {
		return outcome{}, err
	}
	o := outcome{cpu: map[string]time.Duration{}}
	before, err := p.databaseWork(ctx)
	if err != nil {
		return outcome{}, err
	}
	for round := range l.rounds {
		bare, _, faults := many(ctx, l.perRound, l.atOnce, func(ctx context.Context, _ int) (sample, error) { return m.bare(ctx) })
		if len(faults) > 0 {
			return outcome{}, faults[0]
		}
		idle, err := p.cpu()
		if err != nil {
			return o, err
		}
		turns, took, faults := many(ctx, l.perRound, l.atOnce, func(ctx context.Context, i int) (sample, error) {
			ctx, cancel := context.WithTimeout(ctx, turnTime)
			defer cancel()
			return do(ctx, round*l.perRound+i)
		})
		o.bare, o.turns, o.took = append(o.bare, bare...), append(o.turns, turns...), o.took+took
		o.faults = append(o.faults, faults...)
		busy, err := p.cpu()
		if err != nil {
			return o, err
		}
		for name := range busy {
			o.cpu[name] += busy[name] - idle[name]
		}
		if ctx.Err() != nil {
			return o, ctx.Err()
		}
	}
	after, err := p.databaseWork(ctx)
	o.work = after.since(before)
	return o, err
}

func (o outcome) rows(r *report, l turnLoad) {
	what := fmt.Sprintf("chat turn, %d at once, model at %s", l.atOnce, l.latency)
	whole, first := row{what: what + ": whole answer, p50 / p95"}, row{what: what + ": first token, p50 / p95"}
	fill := func(row *row, of func(samples, float64) time.Duration) time.Duration {
		over := of(o.turns, .5) - of(o.bare, .5)
		row.ours = ms(of(o.turns, .5)) + " / " + ms(of(o.turns, .95)) + " ms"
		row.other = "bare call " + ms(of(o.bare, .5)) + " / " + ms(of(o.bare, .95)) + " ms"
		row.beside = "+" + ms(over) + " / +" + ms(of(o.turns, .95)-of(o.bare, .95)) + " ms"
		return over
	}
	over, overFirst := fill(&whole, samples.whole), fill(&first, samples.first)
	if l.atOnce == 1 && l.latency == 0 {
		whole.must = held("p50 over ≤ 30 ms", over <= 30*time.Millisecond)
		first.must = held("p50 over ≤ 40 ms", overFirst <= 40*time.Millisecond)
	}
	r.add(whole, first)
	rate := float64(len(o.turns)) / o.took.Seconds()
	second := row{what: what + ": turns a second", ours: fmt.Sprintf("%.1f", rate), other: fmt.Sprintf("%d errors", len(o.faults))}
	if l.atOnce == 32 && l.latency == 0 {
		second.must = held("≥ 50 a second, no error", rate >= 50 && len(o.faults) == 0)
	}
	if l.atOnce > 1 {
		r.add(second)
	}
	n := float64(len(o.turns))
	if l.atOnce == 32 && l.latency == 0 && len(o.cpu) > 0 {
		r.foot = append(r.foot, "At 32 at once a turn takes of the CPU: "+o.spent()+"; the rest of a core's time is the load's own.")
	}
	if l.atOnce == 1 && l.latency == 0 && o.work.commits > 0 {
		r.foot = append(r.foot, fmt.Sprintf("A turn alone makes %.1f transactions in PostgreSQL, which waits %.1f times for its disk.",
			float64(o.work.commits)/n, float64(o.work.flushes)/n))
	}
}

// spent says what a turn took of the CPU in each part.
func (o outcome) spent() string {
	var said []string
	for _, name := range order {
		if o.cpu[name] == 0 {
			continue
		}
		said = append(said, fmt.Sprintf("%s %s ms", name, ms(o.cpu[name]/time.Duration(max(len(o.turns), 1)))))
	}
	return strings.Join(said, ", ")
}
