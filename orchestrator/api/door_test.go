package api_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// A page of another site whose host name resolves to this server learns nothing, and changes
// nothing.
func TestOnlyKnownHostsAreAnswered(t *testing.T) {
	reached := 0
	door := api.Door{Hosts: []string{"munshi.example", "2001:db8::7"}, BodyTime: time.Minute, Log: slog.New(slog.DiscardHandler)}
	server := httptest.NewServer(door.Before(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ })))
	defer server.Close()
	for host, want := range map[string]int{
		"munshi.example": 200, "munshi.example:8080": 200, "MUNSHI.example.": 200, "localhost:8080": 200, "127.0.0.1": 200, "127.8.9.1:80": 200, "[::1]:8080": 200,
		"[2001:db8::7]:80": 200, "rebound.example:8080": 421, "munshi.example.evil.test": 421, "localhost.evil.test": 421, "192.0.2.7": 421, "": 421, "127.0.0.1.nip.io": 421,
	} {
		before := reached
		if got, p := raw(t, server, "POST /api/sign-out HTTP/1.1\r\nHost: "+host+"\r\nContent-Length: 0\r\n\r\n"); got != want || (reached > before) != (want == 200) ||
			want == 421 && !strings.Contains(p, `"code":"wrong_host"`) {
			t.Errorf("%q gives %d %s, reached %v", host, got, p, reached > before)
		}
	}
}

// On every route a body that arrives too slowly is cut off, and the response does not wait for the
// rest of it.
func TestBodiesThatDripAreCut(t *testing.T) {
	c := routes(t)
	handler, err := api.New(api.Options{Store: c.store, Accounts: fakeAccounts{}, Work: c.work, Catalogue: fakeCatalogue{}, Payments: deafPayments{},
		Config: api.PublicConfig{Upload: api.UploadLimits{MaxBytes: 1 << 20}}, Door: api.Door{BodyTime: 200 * time.Millisecond}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	form := "Content-Type: multipart/form-data; boundary=x\r\n"
	for _, test := range []struct{ path, header string }{
		{"/api/payments/webhook", "Content-Type: application/json\r\n"},
		{"/api/codec/decode", "Content-Type: application/json\r\nCookie: munshi-operator=mine\r\n"},
		{"/api/conversations/" + matter.String() + "/documents", form + "Cookie: munshi=mine\r\n"},
		{"/api/conversations/" + matter.String() + "/documents", form},
		{"/api/conversations/" + matter.String() + "/messages", "Content-Type: application/json\r\nCookie: munshi=mine\r\n"},
		{"/api/nothing", ""},
		{"/nothing", ""},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 5000\r\n\r\n", test.path, test.header)
		go func() { // until the other side has closed the connection
			for _, err := io.WriteString(conn, "-"); err == nil; _, err = io.WriteString(conn, "-") {
				time.Sleep(20 * time.Millisecond)
			}
		}()
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // otherwise it might wait for ever
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s %s: the connection is still open: %v", test.path, test.header, err)
		}
		conn.Close()
	}
}

// A body that keeps arriving gets enough time, however long its response then takes.
func TestBodiesThatComeAreNotCut(t *testing.T) {
	t.Parallel() // it takes some seconds
	door := api.Door{BodyTime: 2 * time.Second, Log: slog.New(slog.DiscardHandler)}
	server := httptest.NewServer(door.Before(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		time.Sleep(2200 * time.Millisecond)
		fmt.Fprint(w, n, err, r.Context().Err())
	})))
	defer server.Close()
	pipe, end := io.Pipe()
	go func() {
		for range 6 {
			_, _ = end.Write(make([]byte, 8<<10))
			time.Sleep(500 * time.Millisecond) // far below the limit, even on a busy machine
		}
		end.Close()
	}()
	answer, err := http.Post(server.URL, "text/plain", pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); string(said) != fmt.Sprint(int64(48<<10), nil, nil) {
		t.Errorf("the handler says %s", said)
	}
}

// A body is not cut off because a busy server reads it late.
func TestBodiesThatAreReadLateAreNotCut(t *testing.T) {
	t.Parallel() // it takes some seconds
	door := api.Door{BodyTime: 500 * time.Millisecond, Log: slog.New(slog.DiscardHandler)}
	server := httptest.NewServer(door.Before(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(700 * time.Millisecond)
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, n, err)
	})))
	defer server.Close()
	answer, err := http.Post(server.URL, "text/plain", bytes.NewReader(make([]byte, 1<<20)))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); string(said) != fmt.Sprint(int64(1<<20), nil) {
		t.Errorf("the handler says %s", said)
	}
}

// A form that arrives too slowly is refused with a message that says so.
func TestFormsThatDripAreToldSo(t *testing.T) {
	handler, _ := abused(t, nil)
	server := httptest.NewServer(handler)
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /api/conversations/%s/documents HTTP/1.1\r\nHost: localhost\r\nCookie: munshi=mine\r\n"+
		"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 5000\r\n\r\n--x\r\n", matter)
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if said, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(said), `"code":"slow_request"`) {
		t.Errorf("a form that drips is answered with %d %s", answer.StatusCode, said)
	}
}

// However much of a body has arrived, it is cut off when nothing more comes: an upload over a dead connection keeps
// nobody waiting.
func TestBodiesThatStopAreCut(t *testing.T) {
	door := api.Door{BodyTime: 300 * time.Millisecond, Log: slog.New(slog.DiscardHandler)}
	cut := make(chan error, 1)
	server := httptest.NewServer(door.Before(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		cut <- err
	})))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000\r\n\r\n")
	if _, err := conn.Write(make([]byte, 4_000_000)); err != nil { // enough for a quarter of an hour at the slowest pace
		t.Fatal(err)
	}
	select {
	case err := <-cut:
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("the body ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the body is still waited for")
	}
}

// A refusal arrives before the body was sent, and a client that goes on sending can read it: the connection is not
// closed.
func TestRefusalsAreReadableWhileTheBodyIsSent(t *testing.T) {
	handler, counts := abused(t, nil)
	counts.sub.UsageCount = 5
	server := httptest.NewServer(handler)
	defer server.Close()
	for _, expects := range []string{"", "Expect: 100-continue\r\n"} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		const size = 24 << 20 // more than the buffers of a connection hold
		fmt.Fprintf(conn, "POST /api/conversations/%s/documents HTTP/1.1\r\nHost: localhost\r\nCookie: munshi=mine\r\n"+
			"Content-Type: multipart/form-data; boundary=x\r\n%sContent-Length: %d\r\n\r\n", matter, expects, size)
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second)) // otherwise it might wait for ever
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusPaymentRequired || !strings.Contains(string(said), `"code":"no_use_left"`) || !answer.Close {
			t.Errorf("%q: the answer is %d %s, %v", expects, answer.StatusCode, said, err)
		}
		if expects != "" {
			continue // a client that waits for permission sends nothing after a refusal
		}
		if n, err := io.CopyN(conn, zeros{}, size); err != nil {
			t.Errorf("the connection was closed after %d bytes: %v", n, err)
		}
	}
}

// zeros reads as endless zero bytes.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Of two hundred simultaneous uploads of one person only a few are processed at a time; nobody else waits for them,
// or for a dead connection.
func TestUploadsWaitForThoseOfTheSamePersonAlone(t *testing.T) {
	c := routes(t)
	bodies := make(chan *heldBody, 20)
	send := func(token string) {
		body := &heldBody{reading: bodies, goOn: make(chan struct{})}
		// The address of any route that reads the body.
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/payments/webhook", body)
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		r.AddCookie(&http.Cookie{Name: "munshi", Value: token})
		c.handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	begun := time.Now()
	for range 10 {
		go send("mine")
	}
	held := []*heldBody{}
	for range 4 {
		held = append(held, <-bodies)
	}
	go send("theirs")
	held = append(held, <-bodies) // or the test would wait for ever
	select {
	case body := <-bodies:
		held = append(held, body)
		// Otherwise the machine is so busy that the first ones may have given up their place.
		if time.Since(begun) < time.Second {
			t.Error("a fifth upload of the same person is taken")
		}
	case <-time.After(50 * time.Millisecond):
	}
	// The accepted uploads send nothing: they no longer hold up the others.
	for len(held) < 11 {
		held = append(held, <-bodies) // or the test would wait for ever
	}
	for _, body := range held {
		close(body.goOn)
	}
}

// heldBody is a body that ends with an error once it is released.
type heldBody struct {
	reading chan<- *heldBody
	goOn    chan struct{}
	once    sync.Once
}

func (b *heldBody) Read([]byte) (int, error) {
	b.once.Do(func() {
		b.reading <- b
		<-b.goOn
	})
	return 0, io.ErrUnexpectedEOF
}

// An answer to someone who asked too often says when to try again.
func TestTooManyRequestsSayWhenToRetry(t *testing.T) {
	for fault, want := range map[*problem.Error]string{
		problem.New("fair_use", problem.Params{"wait": "2 minutes", "after": 90*time.Second + time.Millisecond}, nil): "91",
		problem.New("too_many_tries", nil, nil):                                        "60",
		problem.New("spend_cap_all", problem.Params{"after": 3 * time.Hour}, nil):      "10800",
		problem.New("draft_changed", nil, nil):                                         "",
		problem.New("spend_cap", problem.Params{"after": 500 * time.Millisecond}, nil): "1",
	} {
		c := routes(t)
		c.store.failing = fault
		if got := c.answer("mine", "/api/conversations/"+matter.String()+"/messages", map[string]string{"text": "Hello"}).Header().Get("Retry-After"); got != want {
			t.Errorf("%s says Retry-After %q, want %q", fault.Code, got, want)
		}
	}
}

// Only operators get through to Temporal's Web UI.
func TestWebUIIsForOperators(t *testing.T) {
	ui := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "workflows") })
	gate := api.OperatorsOnly(operatorStore{}, fakeAccounts{}, false, ui)
	for cookie, want := range map[string]int{"": 403, "munshi-operator=theirs": 200, "munshi-operator=old": 403, "munshi=mine": 403, "munshi=boss": 200, "munshi=away": 503,
		"munshi-operator=old; munshi=boss": 200, "__Host-munshi-operator=theirs": 403} {
		r := httptest.NewRequest(http.MethodPost, "/api/v1/namespaces/default/workflows/x/terminate", nil)
		r.Header.Set("Cookie", cookie)
		w := httptest.NewRecorder()
		gate.ServeHTTP(w, r)
		if w.Code != want || (w.Body.String() == "workflows") != (want == 200) {
			t.Errorf("%q gives %d %s", cookie, w.Code, w.Body)
		}
	}
}

type operatorStore struct{ api.Store }

func (operatorStore) OperatorSession(_ context.Context, token string) (string, error) {
	if token != "theirs" {
		return "", store.ErrNotFound
	}
	return "a link", nil
}

func (operatorStore) Session(_ context.Context, token string, _ time.Duration) (store.Session, error) {
	switch token {
	case "mine":
		return store.Session{Workspace: me, SignedIn: true}, nil
	case "boss":
		return store.Session{Workspace: uuid.New(), SignedIn: true, Operator: true}, nil
	case "away":
		return store.Session{}, context.DeadlineExceeded
	}
	return store.Session{}, store.ErrNotFound
}

// deafPayments receives no webhook: a body that arrives too slowly must not get that far.
type deafPayments struct{ api.Payments }

// raw sends a request exactly as given, and returns the status and the rest of the response.
func raw(t *testing.T, server *httptest.Server, request string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}
