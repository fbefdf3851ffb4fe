package store

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Notifier wakes clients that follow conversations. One database connection listens for all clients of this process.
type Notifier struct {
	url      string
	log      *slog.Logger
	mu       sync.Mutex
	watchers map[uuid.UUID]map[*watcher]struct{}
}

// watcher is one client that follows a conversation.
type watcher struct {
	ch     chan struct{}
	pieces chan Piece // pieces of text, for clients of ReadAlong; nil for others
	has    EventID    // the last piece that it received there

	last time.Time   // when it was last woken
	soon *time.Timer // timer of a delayed wake after a minor change; nil if none is pending
}

// NewNotifier returns a Notifier for the database at url, which must be a direct connection: a transaction pooler does
// not pass on notifications.
func NewNotifier(url string, log *slog.Logger) *Notifier {
	return &Notifier{url: url, log: log, watchers: map[uuid.UUID]map[*watcher]struct{}{}}
}

// Run listens until ctx ends, reconnecting whenever the connection is lost.
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
	n.wakeAll() // changes made while nobody was listening
	for {
		heard, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		conversation, change, _ := strings.Cut(heard.Payload, " ")
		if id, err := uuid.Parse(conversation); err == nil {
			event, _ := strconv.ParseInt(change, 10, 64) // 0 for other changes
			n.wake(id, change == smallChange, event)
		}
	}
}

// Watchers returns the number of watching clients.
func (n *Notifier) Watchers() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	watchers := 0
	for _, all := range n.watchers {
		watchers += len(all)
	}
	return watchers
}

// Conversation returns a channel that receives a value after a change in a conversation; several changes may be
// combined into one. The returned function ends the watch.
func (n *Notifier) Conversation(id uuid.UUID) (<-chan struct{}, func()) {
	one := &watcher{}
	end := n.watch(id, one)
	return one.ch, end
}

// Piece is a piece of the text that is being written.
type Piece struct {
	At   EventID
	Text string
}

// ReadAlong is like Conversation, for clients that show the text while it is written. Pieces stored by this process
// arrive in order, without a database query, on the channel pieces; changed reports everything else.
func (n *Notifier) ReadAlong(id uuid.UUID) (changed <-chan struct{}, pieces <-chan Piece, end func()) {
	one := &watcher{pieces: make(chan Piece, 16)}
	end = n.watch(id, one)
	return one.ch, one.pieces, end
}

// Stored passes a stored piece to the readers in this process.
func (n *Notifier) Stored(conversation uuid.UUID, p Piece) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for one := range n.watchers[conversation] {
		select {
		case one.pieces <- p:
			one.has = p.At
		default: // a reader that is not ready for it will be woken by the notification
		}
	}
}

func (n *Notifier) watch(id uuid.UUID, one *watcher) (end func()) {
	one.ch, one.last = make(chan struct{}, 1), time.Now() // a new watcher has just read the state, or is about to
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.watchers[id] == nil {
		n.watchers[id] = map[*watcher]struct{}{}
	}
	n.watchers[id][one] = struct{}{}
	return func() {
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
	// smallChange follows the conversation id in the notification of a minor change, such as a step's progress.
	// Watchers are woken a moment later for it, since reading the conversation costs more than the change is worth.
	// For a piece of text, the id of its event takes this place.
	smallChange = "step"
	// smallWait is that delay, too short to be noticed.
	smallWait = 40 * time.Millisecond
)

func (n *Notifier) wake(id uuid.UUID, small bool, event int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for one := range n.watchers[id] {
		switch wait := smallWait - time.Since(one.last); {
		case event > 0 && event <= one.has.Int(): // it has received the piece directly
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
	default: // a wake is already pending
	}
}

func (one *watcher) calm() {
	if one.soon != nil {
		one.soon.Stop()
		one.soon = nil
	}
}
