package main

import (
	"context"
	"slices"
	"sync"
	"time"

	"munshi/workflows"
)

// turnstiles let only so many turns of each evaluation be with a model at the same time, however many are under way. A turn
// counts once, whatever it asks side by side. Each worker counts its own: twice as many turns are under way in all. The zero value
// is ready.
type turnstiles struct {
	mu sync.Mutex
	of map[string]*turnstile // by the run
}

type turnstile struct {
	inside map[string]int // how often each turn is with a model
	queue  []*waiting
}

type waiting struct {
	turn string
	in   chan struct{} // closed when it is let in
}

// enter waits until the turn may ask a model, and gives how long the turn waited for that. Who was let in calls leave.
func (s *turnstiles) enter(ctx context.Context, trial *workflows.Trial, turn string) (waited time.Duration, leave func(), err error) {
	if trial == nil {
		return 0, func() {}, nil
	}
	leave = func() { s.leave(trial, turn) }
	s.mu.Lock()
	t := s.of[trial.Run]
	if t == nil {
		t = &turnstile{inside: map[string]int{}}
		if s.of == nil {
			s.of = map[string]*turnstile{}
		}
		s.of[trial.Run] = t
	}
	if t.inside[turn] > 0 || len(t.inside) < trial.AtOnce {
		t.inside[turn]++
		s.mu.Unlock()
		return 0, leave, nil
	}
	w := &waiting{turn, make(chan struct{})}
	along := slices.ContainsFunc(t.queue, func(other *waiting) bool { return other.turn == turn })
	t.queue = append(t.queue, w)
	s.mu.Unlock()

	began := time.Now()
	select {
	case <-w.in:
	case <-ctx.Done():
		s.mu.Lock()
		at := slices.Index(t.queue, w)
		if at >= 0 {
			t.queue = slices.Delete(t.queue, at, at+1)
		}
		s.mu.Unlock()
		if at < 0 {
			leave()
		}
		return 0, nil, ctx.Err()
	}
	if !along { // who waits beside another of its turn costs the turn no time
		waited = time.Since(began)
	}
	return waited, leave, nil
}

func (s *turnstiles) leave(trial *workflows.Trial, turn string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.of[trial.Run]
	if t.inside[turn]--; t.inside[turn] == 0 {
		delete(t.inside, turn)
	}
	for len(t.queue) > 0 && len(t.inside) < trial.AtOnce {
		next := t.queue[0].turn
		t.queue = slices.DeleteFunc(t.queue, func(w *waiting) bool {
			if w.turn == next {
				t.inside[next]++
				close(w.in)
			}
			return w.turn == next
		})
	}
	if len(t.inside) == 0 {
		delete(s.of, trial.Run)
	}
}
