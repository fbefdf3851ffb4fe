package model

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Pass counts a call to a provider, of whatever process, and returns how long to wait before asking again; 0 means that
// the call was counted and may be made.
type Pass func(ctx context.Context) (wait time.Duration, err error)

// passAgain is how soon to ask again after an error.
const passAgain = time.Second

// Limited returns an engine that makes a call only when pass allows it. Waiting requests of different owners in this
// process take turns, so that an owner with many requests does not hold up one with a single request. A request that
// has waited for longer than patience fails as RateLimited.
func Limited(cfg Config, engine Engine, pass Pass, patience time.Duration) Engine {
	return &limited{Engine: engine, cfg: cfg.withDefaults(), pass: pass, patience: patience}
}

type limited struct {
	Engine
	cfg      Config
	pass     Pass
	patience time.Duration

	mu      sync.Mutex
	lines   []*line // of the owners whose requests wait, in the order in which they are next
	letting bool    // a goroutine is letting requests in
}

// line is the waiting requests of one owner, the first one first.
type line struct {
	owner string
	wait  []chan struct{} // each is closed when its request may go on
}

// Generate implements Engine.
func (l *limited) Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
	if err := l.enter(ctx, req.Owner); err != nil {
		return Reply{}, err
	}
	return l.Engine.Generate(ctx, req, onText)
}

func (l *limited) enter(ctx context.Context, owner string) error {
	in := make(chan struct{})
	l.mu.Lock()
	at := slices.IndexFunc(l.lines, func(o *line) bool { return o.owner == owner })
	if at < 0 {
		l.lines = append(l.lines, &line{owner: owner})
		at = len(l.lines) - 1
	}
	l.lines[at].wait = append(l.lines[at].wait, in)
	if !l.letting {
		l.letting = true
		go l.let(context.WithoutCancel(ctx))
	}
	l.mu.Unlock()

	late := time.NewTimer(l.patience)
	defer late.Stop()
	select {
	case <-in:
		return nil
	case <-late.C:
		l.leave(in)
		return &Error{Class: RateLimited, Provider: l.cfg.Provider, Model: l.cfg.Model, waited: true,
			settings: l.cfg.Settings, title: l.cfg.title(), host: l.cfg.Host()}
	case <-ctx.Done():
		l.leave(in)
		return fmt.Errorf("wait until the model provider takes another call: %w", ctx.Err())
	}
}

// leave removes a request from its line.
func (l *limited) leave(in chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, o := range l.lines {
		if at := slices.Index(o.wait, in); at >= 0 {
			if o.wait = slices.Delete(o.wait, at, at+1); len(o.wait) == 0 {
				l.lines = slices.Delete(l.lines, i, i+1)
			}
			return
		}
	}
}

// let lets requests in until none waits. A call is counted before it is decided which request makes
// it.
func (l *limited) let(ctx context.Context) {
	for l.waits() {
		wait, err := l.pass(ctx)
		if err != nil {
			wait = passAgain // waiting requests notice when their time is over
		}
		if wait > 0 {
			time.Sleep(wait)
			continue
		}
		l.next()
	}
}

// waits reports whether a request waits; if none does, the next request starts the goroutine again.
func (l *limited) waits() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.letting = len(l.lines) > 0
	return l.letting
}

// next lets the first request of the next owner in.
func (l *limited) next() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 0 {
		return // it has left meanwhile
	}
	first := l.lines[0]
	l.lines = l.lines[1:]
	close(first.wait[0])
	if first.wait = first.wait[1:]; len(first.wait) > 0 {
		l.lines = append(l.lines, first)
	}
}
