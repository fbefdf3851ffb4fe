package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"munshi/orchestrator/store"
)

const (
	pingEvery = 15 * time.Second // keeps proxies from closing a silent stream
	// how often to check whether the client is still signed in, since another process may have ended its session
	lookEvery = 5 * time.Second
	eventTime = 30 * time.Second // a client that accepts nothing for this long is disconnected
)

type eventsInput struct {
	ID          uuid.UUID `path:"id" format:"uuid"`
	LastEventID string    `header:"Last-Event-ID" doc:"Where the client left off"`
}

// eventsRoute registers the stream of a conversation's live events. Huma's own SSE cannot answer 404, so this route
// writes the stream itself.
func (s *server) eventsRoute(api huma.API) {
	schema := func(v any) *huma.Schema {
		return api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(v), true, "")
	}
	huma.Register(api, huma.Operation{
		OperationID: "follow-conversation", Method: http.MethodGet, Path: "/api/conversations/{id}/events",
		Summary: "Live events of a conversation (Server-Sent Events)",
		Description: "Events: `snapshot` (SnapshotEvent) replaces what the client knows of the latest turn; `text` " +
			"(TextEvent) appends; `turn` (TurnEvent) tells where the turn stands, and on a final state the " +
			"conversation is to be read again; `ping` keeps the line open. `snapshot` and `text` carry an id; a " +
			"client that sends it as Last-Event-ID continues there.",
		Responses: map[string]*huma.Response{"200": {Description: "The stream", Content: map[string]*huma.MediaType{
			"text/event-stream": {Schema: &huma.Schema{OneOf: []*huma.Schema{schema(SnapshotEvent{}),
				schema(TextEvent{}), schema(TurnEvent{})}}}}}},
	}, func(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
		workspace, err := who(ctx)
		if err != nil {
			return nil, s.toProblem(err)
		}
		n, err := strconv.ParseInt(in.LastEventID, 10, 64)
		at, known := store.EventIDOf(n), err == nil && n > 0
		return &huma.StreamResponse{Body: func(hc huma.Context) { s.stream(hc, workspace, in.ID, at, known) }}, nil
	})
}

// stream sends news whenever the conversation changes, until the client disconnects.
func (s *server) stream(hc huma.Context, workspace, conversation uuid.UUID, at store.EventID, known bool) {
	ctx, end := context.WithCancel(hc.Context())
	defer end()
	if of := sessionOf(ctx); of != nil {
		defer s.ended.follow(of.ID, end)()
	}
	// subscribed before the first read, so that no change is missed
	woken, pieces, done := s.Changes.ReadAlong(conversation)
	defer done()
	if !known {
		at = store.EventID{Epoch: -1} // no turn has this epoch, so the first read sends everything
	}
	f, err := s.Store.Follow(ctx, workspace, conversation, at)
	if err != nil {
		p := s.toProblem(err)
		s.logCause(ctx, p)
		hc.SetHeader("Content-Type", p.ContentType(""))
		hc.SetStatus(p.Status)
		_ = json.NewEncoder(hc.BodyWriter()).Encode(p) // fails if the client has disconnected
		return
	}
	hc.SetHeader("Content-Type", "text/event-stream; charset=utf-8")
	hc.SetHeader("Cache-Control", "no-store")
	hc.SetHeader("X-Accel-Buffering", "no")
	hc.SetStatus(http.StatusOK)
	out := &eventWriter{hc: hc}
	ping, look := time.NewTicker(pingEvery), time.NewTicker(lookEvery)
	defer ping.Stop()
	defer look.Stop()
	signedIn := time.Now()
	var told string // the turn as it was last sent
	for {
		turn := turnOf(f.Live)
		now := fingerprint(turn)
		switch {
		case f.Fresh || f.Live == nil && told == "":
			out.send("snapshot", f.At.Int(), SnapshotEvent{Turn: turn, Text: f.Text})
			at, told = f.At, now
		default:
			if f.Text != "" {
				out.send("text", f.At.Int(), TextEvent{TurnID: turn.ID, Text: f.Text})
				at = f.At
			}
			if now != told && turn != nil {
				out.send("turn", 0, TurnEvent{Turn: *turn})
				told = now
			}
		}
		if out.err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-s.Closing:
			return // the client will reconnect to another process
		case <-ping.C:
			out.send("ping", 0, struct{}{}) // read anyway, in case a notification was lost
		case <-look.C:
		case <-woken:
		case p := <-pieces: // stored a moment ago by this process
			before := store.Following{Live: f.Live, At: at}
			switch next := (store.EventID{Epoch: at.Epoch, Seq: at.Seq + 1}); {
			case p.At.Int() <= at.Int(): // a periodic read has already sent it
				f = before
				continue
			case p.At == next && f.Live != nil:
				f = before
				f.At, f.Text = p.At, p.Text
				continue
			}
		}
		if time.Since(signedIn) > lookEvery/2 {
			if gone, err := s.gone(ctx); err == nil && gone {
				return // the text is no longer meant for the user of this browser
			}
			signedIn = time.Now()
		}
		if f, err = s.Store.Follow(ctx, workspace, conversation, at); err != nil {
			if ctx.Err() == nil {
				s.Log.WarnContext(ctx, "a stream lost the store; the client comes back", "conversation", conversation,
					"error", err)
			}
			return
		}
	}
}

// gone reports whether the client has been signed out, or is no longer a member of the firm.
func (s *server) gone(ctx context.Context) (bool, error) {
	session, err := s.Store.Session(ctx, browser(ctx).Token, s.Accounts.Idle())
	if err != nil || placeOf(ctx) == (place{}) {
		return errors.Is(err, store.ErrNotFound), nil
	}
	_, stands, err := s.standing(ctx, &session, placeOf(ctx))
	return !stands, err
}

// endedStreams holds the open streams of this process by session, to close them when their session ends.
type endedStreams struct {
	mu   sync.Mutex
	open map[uuid.UUID]map[*context.CancelFunc]bool
}

// follow calls end when the session ends, unless done is called before.
func (e *endedStreams) follow(session uuid.UUID, end context.CancelFunc) (done func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.open == nil {
		e.open = map[uuid.UUID]map[*context.CancelFunc]bool{}
	}
	if e.open[session] == nil {
		e.open[session] = map[*context.CancelFunc]bool{}
	}
	e.open[session][&end] = true
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if delete(e.open[session], &end); len(e.open[session]) == 0 {
			delete(e.open, session)
		}
	}
}

// end closes the streams of a session.
func (e *endedStreams) end(session uuid.UUID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for end := range e.open[session] {
		(*end)()
	}
}

func fingerprint(t *Turn) string {
	raw, _ := json.Marshal(t) // cannot fail: plain strings, numbers and times
	return string(raw)
}

// writeWithin limits how long the client may take to receive what is written before the returned function is called.
func writeWithin(hc huma.Context, d time.Duration) func() {
	w, ok := hc.BodyWriter().(http.ResponseWriter)
	if !ok {
		return func() {}
	}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(d))             // not every writer supports it
	return func() { _ = control.SetWriteDeadline(time.Time{}) } // the connection may serve another request
}

type eventWriter struct {
	hc  huma.Context
	err error
}

// send writes one event; with id 0, the client keeps its Last-Event-ID.
func (w *eventWriter) send(event string, id int64, data any) {
	raw, err := json.Marshal(data)
	if err != nil {
		w.err = err
		return
	}
	head := ""
	if id > 0 {
		head = "id: " + strconv.FormatInt(id, 10) + "\n"
	}
	defer writeWithin(w.hc, eventTime)()
	if _, w.err = fmt.Fprintf(w.hc.BodyWriter(), "%sevent: %s\ndata: %s\n\n", head, event, raw); w.err != nil {
		return
	}
	if f, ok := w.hc.BodyWriter().(http.Flusher); ok {
		f.Flush()
	}
}
