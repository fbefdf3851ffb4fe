package main

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"time"
)

// seed fills the store with old conversations.
//
//go:embed seed.sql
var seed string

// The size of the aged store: this many conversations, each with this many turns of two messages.
const (
	seededWorkspaces    = 5_000
	seededConversations = 100_000
	seededTurns         = 5
)

// age measures waiting times of a person in an empty store, and in one with a million messages.
func age(ctx context.Context, s settings, r *report, m munshi, p *product) error {
	who := &person{munshi: m}
	for range 20 { // gives them a list to show in both measurements
		if _, err := who.converse(ctx, lawyer); err != nil {
			return err
		}
	}
	progress("a turn, a conversation and a list in a young store")
	young, err := aged(ctx, s, who)
	if err != nil {
		return err
	}
	progress("seeding %d conversations", seededConversations)
	began := time.Now()
	if _, err := p.db.Exec(ctx, seed); err != nil {
		return fmt.Errorf("seed the store: %w", err)
	}
	for name, n := range map[string]int{"workspaces": seededWorkspaces, "conversations": seededConversations,
		"turns": seededTurns} {
		if _, err := p.db.Exec(ctx, "select set_config('seed."+name+"', $1, false)", fmt.Sprint(n)); err != nil {
			return fmt.Errorf("seed the store: %w", err)
		}
	}
	if _, err := p.db.Exec(ctx, "call seed_store()"); err != nil {
		return fmt.Errorf("seed the store: %w", err)
	}
	for _, then := range []string{"vacuum (analyze)", "checkpoint"} {
		if _, err := p.db.Exec(ctx, then); err != nil {
			return fmt.Errorf("%s: %w", then, err)
		}
	}
	progress("the same in the old one, which took %s to seed", seconds(time.Since(began)))
	old, err := aged(ctx, s, who)
	if err != nil {
		return err
	}
	for i, what := range []string{"a chat turn", "opening a conversation", "listing conversations"} {
		y, o := young[i].whole(.5), old[i].whole(.5)
		line := row{
			what:   what + " with 1,000,000 messages and 100,000 conversations stored, p50",
			ours:   ms(o) + " ms",
			other:  "empty store " + ms(y) + " ms",
			beside: times(o, y),
		}
		if i == 0 {
			line.must = held("≤ 1.3 ×", o.Seconds() <= 1.3*y.Seconds())
		}
		r.add(line)
	}
	return nil
}

// aged measures turns, opening and listing, one after the other, while the machine does nothing else.
func aged(ctx context.Context, s settings, who *person) (took [3]samples, err error) {
	conversation := ""
	reads := func(path func() string) func(context.Context, int) (sample, error) {
		return func(ctx context.Context, _ int) (sample, error) {
			began := time.Now()
			var any struct{}
			err := who.do(ctx, http.MethodGet, path(), nil, &any)
			return sample{whole: time.Since(began)}, err
		}
	}
	doing := []func(context.Context, int) (sample, error){
		func(ctx context.Context, _ int) (_ sample, err error) {
			if conversation, err = who.converse(ctx, lawyer); err != nil {
				return sample{}, err
			}
			return who.ask(ctx, conversation)
		},
		reads(func() string { return "/api/conversations/" + conversation }),
		reads(func() string { return "/api/conversations" }),
	}
	for i, do := range doing {
		_, _, faults := many(ctx, s.of(30), 1, do) // warms up connections and query plans
		if len(faults) > 0 {
			return took, faults[0]
		}
		took[i], _, faults = many(ctx, s.of(150), 1, do)
		if len(faults) > 0 {
			return took, faults[0]
		}
	}
	return took, nil
}
