package evaluation

import (
	"context"
	"slices"
	"sync"
	"time"

	"munshi/workflows"
)

// ConcurrencyLimiter limits how many turns of each evaluation use a model at the same time. A turn counts once, even
// if it makes parallel calls. Each worker counts separately, so two workers together allow twice as many. The zero
// value is ready.
type ConcurrencyLimiter struct {
	mu sync.Mutex
	of map[string]*runLimit // by run
}

type runLimit struct {
	inside map[string]int // number of calls that each turn is making
	queue  []*waiting
}

type waiting struct {
	turn string
	in   chan struct{} // closed when the turn may go on
}

// Enter waits until the turn may use a model, and returns how long it waited. The caller must call leave afterwards.
func (l *ConcurrencyLimiter) Enter(
	ctx context.Context,
	limit *workflows.EvaluationLimit,
	turn string,
) (waited time.Duration, leave func(), err error) {
	if limit == nil {
		return 0, func() {}, nil
	}
	leave = func() { l.leave(limit, turn) }
	l.mu.Lock()
	t := l.of[limit.Run]
	if t == nil {
		t = &runLimit{inside: map[string]int{}}
		if l.of == nil {
			l.of = map[string]*runLimit{}
		}
		l.of[limit.Run] = t
	}
	if t.inside[turn] > 0 || len(t.inside) < limit.AtOnce {
		t.inside[turn]++
		l.mu.Unlock()
		return 0, leave, nil
	}
	w := &waiting{turn, make(chan struct{})}
	along := slices.ContainsFunc(t.queue, func(other *waiting) bool { return other.turn == turn })
	t.queue = append(t.queue, w)
	l.mu.Unlock()

	began := time.Now()
	select {
	case <-w.in:
	case <-ctx.Done():
		l.mu.Lock()
		at := slices.Index(t.queue, w)
		if at >= 0 {
			t.queue = slices.Delete(t.queue, at, at+1)
		}
		l.mu.Unlock()
		if at < 0 {
			leave()
		}
		return 0, nil, ctx.Err()
	}
	if !along { // another call of this turn is using a model, so waiting costs the turn no time
		waited = time.Since(began)
	}
	return waited, leave, nil
}

func (l *ConcurrencyLimiter) leave(limit *workflows.EvaluationLimit, turn string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.of[limit.Run]
	if t.inside[turn]--; t.inside[turn] == 0 {
		delete(t.inside, turn)
	}
	for len(t.queue) > 0 && len(t.inside) < limit.AtOnce {
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
		delete(l.of, limit.Run)
	}
}
