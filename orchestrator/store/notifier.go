package store

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Notifier wakes those who follow conversations. One connection of this process listens for all of them.
type Notifier struct {
	url      string
	log      *slog.Logger
	mu       sync.Mutex
	watchers map[uuid.UUID]map[*watcher]struct{}
}

// watcher is one who follows a conversation.
type watcher struct {
	ch   chan struct{}
	last time.Time   // when it was woken
	soon *time.Timer // wakes it when something small has changed since; nil: nothing has
}

// NewNotifier prepares to listen on the database at url, directly: a transaction pooler does not pass notifications on.
func NewNotifier(url string, log *slog.Logger) *Notifier {
	return &Notifier{url: url, log: log, watchers: map[uuid.UUID]map[*watcher]struct{}{}}
}

// Run listens until ctx ends, connecting again whenever the connection is lost.
func (n *Notifier) Run(ctx context.Context) {
	for ctx.Err() == nil {
		err := n.listen(ctx)
		if ctx.Err() != nil {
			return
		}
		n.log.Warn("the listening connection to the database was lost; connecting again", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

func (n *Notifier) listen(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, n.url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "listen munshi_turns"); err != nil {
		return err
	}
	n.wakeAll() // what happened while nobody listened
	for {
		heard, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		conversation, small := strings.CutSuffix(heard.Payload, smallChange)
		if id, err := uuid.Parse(conversation); err == nil {
			n.wake(id, small)
		}
	}
}

// Watchers tells how many watches there are.
func (n *Notifier) Watchers() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	watchers := 0
	for _, all := range n.watchers {
		watchers += len(all)
	}
	return watchers
}

// Conversation gives a channel that receives after something changed in the conversation; several changes may come as one.
// The returned function ends the watch.
func (n *Notifier) Conversation(id uuid.UUID) (<-chan struct{}, func()) {
	one := &watcher{ch: make(chan struct{}, 1), last: time.Now()} // who begins to watch has just looked, or is about to
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.watchers[id] == nil {
		n.watchers[id] = map[*watcher]struct{}{}
	}
	n.watchers[id][one] = struct{}{}
	return one.ch, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		one.calm()
		delete(n.watchers[id], one)
		if len(n.watchers[id]) == 0 {
			delete(n.watchers, id)
		}
	}
}

const (
	// smallChange ends the notification of a change that can wait a moment after the one before, since a look at the
	// conversation costs more than the change: where a step stands.
	smallChange = " step"
	// smallWait is that moment, too short to be seen.
	smallWait = 40 * time.Millisecond
)

func (n *Notifier) wake(id uuid.UUID, small bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for one := range n.watchers[id] {
		switch wait := smallWait - time.Since(one.last); {
		case !small || wait <= 0:
			one.wake()
		case one.soon == nil:
			one.soon = time.AfterFunc(wait, func() {
				n.mu.Lock()
				defer n.mu.Unlock()
				one.wake()
			})
		}
	}
}

func (n *Notifier) wakeAll() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, all := range n.watchers {
		for one := range all {
			one.wake()
		}
	}
}

func (one *watcher) wake() {
	one.calm()
	one.last = time.Now()
	select {
	case one.ch <- struct{}{}:
	default: // it is awake already
	}
}

func (one *watcher) calm() {
	if one.soon != nil {
		one.soon.Stop()
		one.soon = nil
	}
}
