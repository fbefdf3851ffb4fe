package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// target is a server for chat turns.
type target interface {
	// prepare prepares n turns, which is not measured, and returns the function that runs each of them.
	prepare(ctx context.Context, n int) (func(context.Context, int) (sample, error), error)
}

// named is one of several servers that are compared.
type named struct {
	target
	name string // "" for the main one
}

// question is the question in all turns; the imitated model answers it briefly.
const question = "Can I ask for more time to reply to the notice?"

// turnTime is how long one turn may take before it counts as lost.
const turnTime = time.Minute

// turnLoad is a number of parallel turns at a latency of the model, in rounds that alternate with bare calls.
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
			if latency > 0 { // fewer rounds where each takes long
				l.rounds, l.perRound = (l.rounds+4)/5, l.perRound/2+l.perRound%2
			}
			loads = append(loads, l)
		}
	}
	return loads
}

// turns compares chat turns with the bare model calls in them. p is the product of the first target; nil if that is
// another installation.
func turns(ctx context.Context, s settings, loads []turnLoad, r *report, m *standIn, p *product,
	targets ...named) error {
	for _, t := range targets {
		if err := warmUp(ctx, s, t); err != nil {
			return err
		}
	}
	asked, made := m.asked.Load(), 0
	for _, l := range loads {
		m.wait(l.latency)
		for i, t := range targets { // alternately, so that noise affects all of them
			progress("%s%d at once, model at %s", t.name, l.atOnce, l.latency)
			measured := p
			if i > 0 {
				measured = nil
			}
			did, err := l.run(ctx, m, t, measured)
			if err != nil {
				return err
			}
			made += len(did.turns) + len(did.faults)
			did.rows(r, l, t.name)
			if len(did.faults) > 0 {
				return fmt.Errorf("%s%d turns went wrong at %d at once; the first: %w", t.name, len(did.faults),
					l.atOnce, did.faults[0])
			}
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

// outcome is the result of a load.
type outcome struct {
	turns, bare samples
	took        time.Duration // all rounds of turns together
	faults      []error
	work        databaseWork
	cpu         map[string]time.Duration // CPU time of each part in the rounds of turns
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
		bare, _, faults := many(ctx, l.perRound, l.atOnce, func(ctx context.Context, _ int) (sample, error) {
			return m.bare(ctx)
		})
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

func (o outcome) rows(r *report, l turnLoad, of string) {
	name := func(figure string) string { return of + figure }
	what := name(fmt.Sprintf("chat turn, %d at once, model at %s", l.atOnce, l.latency))
	whole, first := row{what: what + ": whole answer, p50 / p95"}, row{what: what + ": first token, p50 / p95"}
	fill := func(row *row, of func(samples, float64) time.Duration) time.Duration {
		over := of(o.turns, .5) - of(o.bare, .5)
		row.ours = ms(of(o.turns, .5)) + " / " + ms(of(o.turns, .95)) + " ms"
		row.other = "bare call " + ms(of(o.bare, .5)) + " / " + ms(of(o.bare, .95)) + " ms"
		row.beside = "+" + ms(over) + " / +" + ms(of(o.turns, .95)-of(o.bare, .95)) + " ms"
		return over
	}
	over, firstOver := fill(&whole, samples.whole), fill(&first, samples.first)
	if l.atOnce == 1 && l.latency == 0 {
		r.milliseconds(name(overWhole), over)
		r.milliseconds(name(overFirst), firstOver)
	}
	r.add(whole, first)
	rate := float64(len(o.turns)) / o.took.Seconds()
	second := row{
		what:  what + ": turns a second",
		ours:  fmt.Sprintf("%.1f", rate),
		other: fmt.Sprintf("%d errors", len(o.faults)),
	}
	if l.atOnce == 32 && l.latency == 0 {
		r.figures = append(r.figures, figure{name(perSecond), rate, "", true})
		r.milliseconds(name(wholeAtOnce), o.turns.whole(.95))
	} else if l.atOnce == 32 {
		r.milliseconds(name(overSlow), over)
	}
	if l.atOnce > 1 {
		r.add(second)
	}
	n := float64(len(o.turns))
	if l.atOnce == 32 && l.latency == 0 && len(o.cpu) > 0 {
		r.foot = append(r.foot, "At 32 at once a turn takes of the CPU: "+o.spent()+
			"; the rest of a core's time is the load's own.")
		var all time.Duration
		for _, name := range order {
			if used := o.cpu[name]; used > 0 {
				all += used
				r.milliseconds("CPU of a turn, "+name+", 32 at once", used/time.Duration(max(len(o.turns), 1)))
			}
		}
		r.milliseconds(cpuOfTurn, all/time.Duration(max(len(o.turns), 1)))
	}
	if l.atOnce == 1 && l.latency == 0 && o.work.commits > 0 {
		r.figure("transactions of a turn in PostgreSQL", float64(o.work.commits)/n, "")
		r.figure("waits of a turn for PostgreSQL's disk", float64(o.work.flushes)/n, "")
		r.foot = append(r.foot, fmt.Sprintf("A turn alone makes %.1f transactions in PostgreSQL, which waits %.1f "+
			"times for its disk.",
			float64(o.work.commits)/n, float64(o.work.flushes)/n))
	}
}

// spent says how much CPU time a turn took in each part.
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
