package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// The fakes replace the part of the product that a route uses. A method that a test did not expect is a nil call,
// which fails the test.

type fakeStore struct {
	api.Store
	turn     store.Turn
	failing  error // error of Accept and Requeue
	accepted int
	stopped  bool
	ended    string // the state in which the turn was ended from outside its workflow
}

var me, matter = uuid.MustParse("0193b6a0-0000-7000-8000-000000000001"), uuid.MustParse("0193b6a0-0000-7000-8000-000000000002")

func (f *fakeStore) Session(_ context.Context, token string, _ time.Duration) (store.Session, error) {
	switch token {
	case "mine":
		return store.Session{Workspace: me}, nil
	case "theirs":
		return store.Session{Workspace: matter}, nil // any other id
	}
	return store.Session{}, store.ErrNotFound
}

func (f *fakeStore) OperatorSession(_ context.Context, token string) (string, error) {
	if token != "mine" {
		return "", store.ErrNotFound
	}
	return "a link", nil
}

func (f *fakeStore) Plugin(_ context.Context, workspace, conversation uuid.UUID) (string, error) {
	if workspace != me || conversation != matter {
		return "", fmt.Errorf("look for the conversation: %w", store.ErrNotFound)
	}
	return "lawyer", nil
}

func (f *fakeStore) Subscription(context.Context, uuid.UUID) (store.Subscription, error) {
	return store.Subscription{}, nil
}

func (f *fakeStore) Accept(_ context.Context, n store.NewTurn) (store.Turn, bool, error) {
	f.accepted++
	if f.failing != nil {
		return store.Turn{}, false, f.failing
	}
	f.turn = store.Turn{ID: uuid.New(), WorkspaceID: n.Workspace, ConversationID: n.Conversation, Kind: n.Kind, State: "queued"}
	return f.turn, false, nil
}

func (f *fakeStore) Turn(_ context.Context, workspace, id uuid.UUID) (store.Turn, error) {
	if workspace != me || id != f.turn.ID {
		return store.Turn{}, store.ErrNotFound
	}
	return f.turn, nil
}

func (f *fakeStore) Follow(context.Context, uuid.UUID, uuid.UUID, store.EventID) (store.Following, error) {
	return store.Following{}, nil
}

func (f *fakeStore) RequestStop(context.Context, uuid.UUID, uuid.UUID) error {
	f.stopped = true
	return nil
}

func (f *fakeStore) EndFromOutside(_ context.Context, _, _ uuid.UUID, e store.Ending, _ *store.OpenTurn) error {
	f.ended, f.turn.State = e.State, e.State
	return nil
}

func (f *fakeStore) Requeue(context.Context, uuid.UUID, uuid.UUID, *int) (store.Turn, error) {
	return f.turn, f.failing
}

type fakeAccounts struct{ api.Accounts }

func (fakeAccounts) Idle() time.Duration { return time.Hour }

// fakeWork is Temporal, which may be down, or not know a turn.
type fakeWork struct {
	api.Work
	away    error
	state   workflows.WorkflowState
	started []workflows.TurnInput
	retried int
}

func (w *fakeWork) StartTurn(_ context.Context, in workflows.TurnInput) error {
	w.started = append(w.started, in)
	return w.away
}

func (w *fakeWork) StopTurn(context.Context, string) (workflows.WorkflowState, error) {
	return w.state, w.away
}

func (w *fakeWork) RetryTurn(context.Context, workflows.TurnInput) error {
	w.retried++
	return w.away
}

type fakeCatalogue struct{ api.Catalogue }

func (fakeCatalogue) Plugins(context.Context) ([]api.PluginInfo, error) {
	return []api.PluginInfo{{Plugin: api.Plugin{ID: "lawyer", Turns: []api.PluginTurn{{Kind: "chat", Title: "Ask"}}},
		Message: func(string, string, map[string]string) string { return "" }}}, nil
}

// client calls the routes as a browser does, with or without a session.
type client struct {
	t       *testing.T
	handler http.Handler
	store   *fakeStore
	work    *fakeWork
	log     *bytes.Buffer
}

func routes(t *testing.T) client {
	t.Helper()
	c := client{t, nil, &fakeStore{}, &fakeWork{}, &bytes.Buffer{}}
	var err error
	log := slog.New(slog.NewTextHandler(c.log, nil))
	c.handler, err = api.New(api.Options{Door: api.Door{Hosts: []string{"example.com"}, BodyTime: time.Minute, Log: log}, Store: c.store, Accounts: fakeAccounts{}, Work: c.work, Catalogue: fakeCatalogue{}, FreeUses: new(5),
		Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answer sends a POST request and returns the response.
func (c client) answer(token, path string, in any) *httptest.ResponseRecorder {
	c.t.Helper()
	raw, err := json.Marshal(in)
	if err != nil {
		c.t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(c.t.Context(), http.MethodPost, path, bytes.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.AddCookie(&http.Cookie{Name: "munshi", Value: token})
	}
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w
}

// post returns the status and, if the response is one, the problem.
func (c client) post(token, path string, in any) (int, api.Problem) {
	c.t.Helper()
	w := c.answer(token, path, in)
	var p api.Problem
	if w.Code >= 400 {
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
			c.t.Fatalf("%d %s is no problem: %v", w.Code, w.Body, err)
		}
	}
	return w.Code, p
}

func (c client) say(token string, conversation uuid.UUID, text string) (int, api.Problem) {
	c.t.Helper()
	return c.post(token, "/api/conversations/"+conversation.String()+"/messages", map[string]string{"text": text})
}

// A person who is not known here, or asks for something of another person, learns nothing, and nothing
// is stored.
func TestMessageOfAStranger(t *testing.T) {
	for name, ask := range map[string]struct {
		token        string
		conversation uuid.UUID
	}{"no session": {"", matter}, "a session that has ended": {"old", matter}, "another's conversation": {"mine", uuid.New()}} {
		c := routes(t)
		if status, p := c.say(ask.token, ask.conversation, "Hello"); status != http.StatusNotFound || p.Code != "not_found" || c.store.accepted > 0 {
			t.Errorf("%s: %d %+v, %d stored", name, status, p, c.store.accepted)
		}
	}
}

// An accepted message will be processed: that Temporal is down is logged, and not reported to the
// person.
func TestMessageWhileTemporalIsAway(t *testing.T) {
	c := routes(t)
	c.work.away = errors.New("connection refused")
	if status, p := c.say("mine", matter, "By when must I reply?"); status != http.StatusAccepted {
		t.Fatalf("%d %+v", status, p)
	}
	if c.store.accepted != 1 || len(c.work.started) != 1 || c.work.started[0].Turn != c.store.turn.ID.String() || !strings.Contains(c.log.String(), "connection refused") {
		t.Errorf("%d accepted, started %+v, the log says %s", c.store.accepted, c.work.started, c.log)
	}
}

// Each error of the store has its own response; an unexpected one reveals no details.
func TestMessageThatIsRefused(t *testing.T) {
	for _, test := range []struct {
		fault  error
		status int
		code   string
	}{
		{store.ErrTurnOpen, http.StatusConflict, "turn_in_progress"},
		{store.ErrNoUseLeft, http.StatusPaymentRequired, "no_use_left"},
		{store.ErrOtherContent, http.StatusUnprocessableEntity, "key_reused"},
		{problem.New("spend_cap", nil, nil), http.StatusTooManyRequests, "spend_cap"},
		{problem.New("too_many_tries.payments", nil, nil), http.StatusTooManyRequests, "too_many_tries"},
		{problem.New("draft_too_long.turn", nil, nil), http.StatusRequestEntityTooLarge, "draft_too_long"},
		{problem.New("encrypted", nil, nil), http.StatusUnprocessableEntity, "encrypted"},
		{&pgconn.PgError{Code: "53100"}, http.StatusInsufficientStorage, "disk_full"},
		{errors.New("password authentication failed for user munshi"), http.StatusServiceUnavailable, "unavailable"},
	} {
		c := routes(t)
		c.store.failing = fmt.Errorf("keep the message: %w", test.fault)
		status, p := c.say("mine", matter, "Hello")
		if status != test.status || p.Code != test.code || p.Detail == "" || len(c.work.started) > 0 {
			t.Errorf("%v gives %d %+v, started %d", test.fault, status, p, len(c.work.started))
		}
		if test.code == "unavailable" && (strings.Contains(p.Detail, "password") || !strings.Contains(c.log.String(), "password authentication failed")) {
			t.Errorf("the person is told %q, the log %s", p.Detail, c.log)
		}
	}
}

// A turn without a running workflow is ended by the stop itself; if Temporal cannot say whether one runs, the
// stored stop request takes effect later.
func TestStop(t *testing.T) {
	for _, test := range []struct {
		name  string
		work  fakeWork
		ended string
	}{
		{"it runs", fakeWork{state: workflows.Running}, ""},
		{"it never began", fakeWork{state: workflows.Missing}, "stopped"},
		{"Temporal is away", fakeWork{away: errors.New("away")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := routes(t)
			*c.work = test.work
			c.store.turn = store.Turn{ID: uuid.New(), WorkspaceID: me, ConversationID: matter, State: "running"}
			if status, p := c.post("mine", "/api/turns/"+c.store.turn.ID.String()+"/stop", nil); status != http.StatusAccepted || !c.store.stopped || c.store.ended != test.ended {
				t.Errorf("%d %+v, noted %v, ended %q", status, p, c.store.stopped, c.store.ended)
			}
		})
	}
}

// Only a failed turn is retried, and Temporal is asked to retry it once.
func TestRetry(t *testing.T) {
	for state, want := range map[string]struct{ status, retried int }{"queued": {http.StatusAccepted, 1}, "running": {http.StatusAccepted, 0},
		"answered": {http.StatusConflict, 0}, "stopped": {http.StatusConflict, 0}} {
		c := routes(t)
		c.store.turn = store.Turn{ID: uuid.New(), WorkspaceID: me, ConversationID: matter, State: state}
		status, p := c.post("mine", "/api/turns/"+c.store.turn.ID.String()+"/retry", nil)
		if status != want.status || c.work.retried != want.retried || status == http.StatusConflict && p.Code != "not_failed" {
			t.Errorf("one that is %s: %d %+v, retried %d times", state, status, p, c.work.retried)
		}
	}
}

// sessionStore is one person whose conversation is followed, until they sign out.
type sessionStore struct {
	*fakeStore
	out atomic.Bool
}

func (s *sessionStore) Session(ctx context.Context, token string, idle time.Duration) (store.Session, error) {
	if s.out.Load() {
		return store.Session{}, store.ErrNotFound
	}
	session, err := s.fakeStore.Session(ctx, token, idle)
	session.ID, session.SignedIn = uuid.MustParse("0193b6a0-0000-7000-8000-000000000003"), true
	return session, err
}

func (s *sessionStore) SignOut(context.Context, string, string) (bool, error) {
	s.out.Store(true)
	return false, nil
}

func (s *sessionStore) Document(_ context.Context, _, id uuid.UUID) (store.Document, error) {
	return store.Document{ID: id, Name: "notice.pdf", Bytes: 4}, nil
}

func (s *sessionStore) WriteDocument(_ context.Context, _ uuid.UUID, _ store.Document, w io.Writer) error {
	_, err := io.WriteString(w, "%PDF")
	return err
}

type stillNotifier struct{}

func (stillNotifier) ReadAlong(uuid.UUID) (<-chan struct{}, <-chan store.Piece, func()) {
	return nil, nil, func() {}
}

// Signing out ends open streams, and leaves nothing in the browser for the next person.
func TestSignedOutMeansOut(t *testing.T) {
	sessions := &sessionStore{fakeStore: &fakeStore{}}
	handler, err := api.New(api.Options{Store: sessions, Accounts: fakeAccounts{}, Changes: stillNotifier{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	ask := func(method, path string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(&http.Cookie{Name: "munshi", Value: "mine"})
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	document := ask(http.MethodGet, "/api/documents/"+uuid.NewString())
	defer document.Body.Close()
	if kept := document.Header.Get("Cache-Control"); kept != "private, no-store" {
		t.Errorf("a document may be kept: %q", kept)
	}
	for _, path := range []string{"/api/me", "/api/conversations/" + matter.String(), "/api/nothing"} {
		answer := ask(http.MethodGet, path)
		answer.Body.Close()
		if kept := answer.Header.Get("Cache-Control"); kept != "private, no-store" {
			t.Errorf("%s may be kept: %q", path, kept)
		}
	}
	stream := ask(http.MethodGet, "/api/conversations/"+matter.String()+"/events")
	defer stream.Body.Close()
	if stream.StatusCode != http.StatusOK {
		t.Fatalf("the stream answers %d", stream.StatusCode)
	}
	out := ask(http.MethodPost, "/api/sign-out")
	defer out.Body.Close()
	if out.StatusCode != http.StatusNoContent || out.Header.Get("Clear-Site-Data") != `"cache"` {
		t.Errorf("signing out answers %d, Clear-Site-Data %q", out.StatusCode, out.Header.Get("Clear-Site-Data"))
	}
	if _, err := io.Copy(io.Discard, stream.Body); err != nil { // this would wait for ever if the stream did not end
		t.Errorf("the stream ends with %v", err)
	}
}
