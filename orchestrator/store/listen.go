package store

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Watch wakes those who follow conversations. One connection of this process listens for all of them.
type Watch struct {
	url      string
	log      *slog.Logger
	mu       sync.Mutex
	watchers map[uuid.UUID]map[chan struct{}]struct{}
}

// NewWatch prepares to listen on the database at url, directly: a transaction pooler does not pass notifications on.
func NewWatch(url string, log *slog.Logger) *Watch {
	return &Watch{url: url, log: log, watchers: map[uuid.UUID]map[chan struct{}]struct{}{}}
}

// Run listens until ctx ends, connecting again whenever the connection is lost.
func (w *Watch) Run(ctx context.Context) {
	for ctx.Err() == nil {
		err := w.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		w.log.Warn("the listening connection to the database was lost; connecting again", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func (w *Watch) listen(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, w.url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen munshi_turns"); err != nil {
		return err
	}
	w.wakeAll() // what happened while nobody listened
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if id, err := uuid.Parse(n.Payload); err == nil {
			w.wake(id)
		}
	}
}

// Watchers tells how many watches there are.
func (w *Watch) Watchers() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, chs := range w.watchers {
		n += len(chs)
	}
	return n
}

// Conversation gives a channel that receives after something changed in the conversation, and once at first; several
// changes may come as one. The returned function ends the watch.
func (w *Watch) Conversation(id uuid.UUID) (<-chan struct{}, func()) {
	ch := make(chan struct{}, 1)
	ch <- struct{}{}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watchers[id] == nil {
		w.watchers[id] = map[chan struct{}]struct{}{}
	}
	w.watchers[id][ch] = struct{}{}
	return ch, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.watchers[id], ch)
		if len(w.watchers[id]) == 0 {
			delete(w.watchers, id)
		}
	}
}

func (w *Watch) wake(id uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.watchers[id] {
		poke(ch)
	}
}

func (w *Watch) wakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, chs := range w.watchers {
		for ch := range chs {
			poke(ch)
		}
	}
}

func poke(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // it is awake already
	}
}
