package api_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
)

// countingStore counts as the database does, but without any time passing.
type countingStore struct {
	*fakeStore
	mu       sync.Mutex
	owed     map[string]time.Duration
	visitors int
	sub      store.Subscription
	live     *store.Live
	taken    bool
	full     bool // the disk is full
}

func (c *countingStore) Spare(_ context.Context, key string, cost, window time.Duration) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owed[key]+cost > window {
		return c.owed[key] + cost - window, nil
	}
	c.owed[key] += cost
	return 0, nil
}

func (c *countingStore) Throttle(ctx context.Context, key string, r store.Rate) (time.Duration, error) {
	return c.Spare(ctx, key, r.Every, r.Every*time.Duration(r.Burst))
}

func (c *countingStore) Owed(_ context.Context, key string) (time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owed[key], nil
}

func (c *countingStore) Owe(_ context.Context, key string, cost, most time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owed[key] = min(c.owed[key]+cost, most)
	return nil
}

func (c *countingStore) NewVisitor(context.Context, string) (uuid.UUID, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.visitors++
	return me, nil
}

func (c *countingStore) CreateConversation(context.Context, uuid.UUID, string) (store.Conversation, error) {
	return store.Conversation{ID: matter}, nil
}

func (c *countingStore) Subscription(context.Context, uuid.UUID) (store.Subscription, error) {
	return c.sub, nil
}

func (c *countingStore) Detail(context.Context, uuid.UUID, uuid.UUID) (store.Detail, error) {
	return store.Detail{}, nil
}

func (c *countingStore) Authorities(context.Context, uuid.UUID, uuid.UUID) ([]store.Authority, error) {
	return []store.Authority{{ID: matter}}, nil
}

func (c *countingStore) Taken(context.Context, uuid.UUID, uuid.UUID, string) (bool, error) {
	return c.taken, nil
}

func (c *countingStore) Follow(context.Context, uuid.UUID, uuid.UUID, store.EventID) (store.Following, error) {
	return store.Following{Live: c.live}, nil
}

// abused are routes with limits, and the requests that count for them.
func abused(t *testing.T, afford error) (http.Handler, *countingStore) {
	t.Helper()
	counts := &countingStore{fakeStore: &fakeStore{}, owed: map[string]time.Duration{}}
	handler, err := api.New(api.Options{
		Store: counts, Accounts: fakeAccounts{}, Work: &fakeWork{}, Catalogue: fakeCatalogue{}, FreeUses: new(5),
		Config:   api.PublicConfig{Upload: api.UploadLimits{MaxBytes: 25 << 20}},
		Door:     api.Door{BodyTime: 300 * time.Millisecond, Log: slog.New(slog.DiscardHandler)},
		Abuse:    api.Abuse{Visitors: 20, SignUps: 5, FreeTurns: 20, UploadMB: 200, Neighbours: 4, WorkBits: 8},
		Afford:   func(context.Context, string) error { return afford },
		DiskFull: func() bool { return counts.full }, Proxies: []string{"127.0.0.1"}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return handler, counts
}

// visit sends a request as a new browser does, from an address behind the trusted proxy.
func visit(handler http.Handler, address, stamp string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/api/conversations", strings.NewReader(`{"plugin":"lawyer"}`))
	r.RemoteAddr = "127.0.0.1:4711"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", address)
	r.Header.Set("Munshi-Work", stamp)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// work does the proof of work that a response asks for.
func work(t *testing.T, w *httptest.ResponseRecorder) (stamp string, hard int) {
	t.Helper()
	var p api.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Code != "work_needed" || p.Work == nil {
		t.Fatalf("%d %s asks for no work", w.Code, w.Body)
	}
	for n := 0; ; n++ {
		stamp = p.Work.Challenge + fmt.Sprint(n)
		if proves(stamp, p.Work.Bits) {
			return stamp, p.Work.Bits
		}
	}
}

// proves reports whether the hash of a stamp begins with this many zero bits.
func proves(stamp string, zeros int) bool {
	sum := sha256.Sum256([]byte(stamp))
	return bits.LeadingZeros32(uint32(sum[0])<<24|uint32(sum[1])<<16|uint32(sum[2])<<8|uint32(sum[3])) >= zeros
}

// Of sixty simultaneous visitors from one address twenty are accepted, and then one for each proof
// of work. A proof is valid once, for the request and the address for which it was asked, and
// proofs get harder.
func TestVisitorsOfOneAddressAreLimited(t *testing.T) {
	handler, counts := abused(t, nil)
	var all sync.WaitGroup
	for range 60 {
		all.Go(func() { visit(handler, "203.0.113.7", "") })
	}
	all.Wait()
	if counts.visitors != 20 {
		t.Fatalf("%d visitors were let in", counts.visitors)
	}
	refused := visit(handler, "203.0.113.7", "")
	if refused.Code != http.StatusTooManyRequests || refused.Header().Get("Retry-After") == "" {
		t.Errorf("the next gets %d without Retry-After", refused.Code)
	}
	stamp, first := work(t, refused)
	if w := visit(handler, "203.0.113.8", stamp); w.Code != http.StatusCreated {
		t.Errorf("a neighbour is refused: %d", w.Code)
	}
	wrong := stamp + "0"
	for proves(wrong, first) { // by chance
		wrong += "0"
	}
	if w := visit(handler, "203.0.113.7", wrong); w.Code != http.StatusTooManyRequests {
		t.Errorf("no proof gives %d", w.Code)
	}
	if w := visit(handler, "203.0.113.7", stamp); w.Code != http.StatusCreated {
		t.Errorf("the proof gives %d %s", w.Code, w.Body)
	}
	if w := visit(handler, "203.0.113.7", stamp); w.Code != http.StatusTooManyRequests {
		t.Errorf("the same proof once more gives %d", w.Code)
	}
	for range 45 {
		stamp, _ := work(t, visit(handler, "203.0.113.7", ""))
		if w := visit(handler, "203.0.113.7", stamp); w.Code != http.StatusCreated {
			t.Fatalf("the proof gives %d %s", w.Code, w.Body)
		}
	}
	if _, later := work(t, visit(handler, "203.0.113.7", "")); later != first+2 {
		t.Errorf("two hours' allowances later the work has %d bits, at first %d", later, first)
	}
}

// A network has an allowance four times that of an address; for IPv6, an address counts as its /64.
func TestNeighboursAreLimitedTogether(t *testing.T) {
	for name, address := range map[string]string{"a /24": "198.51.100.%d", "a /64": "2001:db8:1:2::%x"} {
		handler, counts := abused(t, nil)
		for i := range 100 {
			visit(handler, fmt.Sprintf(address, i+1), "")
		}
		if counts.visitors != 80 {
			t.Errorf("%s: %d visitors were let in", name, counts.visitors)
		}
		visit(handler, "192.0.2.1", "")
		if counts.visitors != 81 {
			t.Errorf("%s: another network is refused", name)
		}
	}
}

// An address that a client writes into a header is ignored, unless a trusted proxy passed it on.
func TestOnlyTrustedProxiesNameTheAddress(t *testing.T) {
	handler, counts := abused(t, nil)
	for i := range 40 {
		r := httptest.NewRequest(http.MethodPost, "http://localhost/api/conversations", strings.NewReader(`{"plugin":"lawyer"}`))
		r.RemoteAddr = "203.0.113.50:4711"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.18.%d.1", i))
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	if counts.visitors != 20 {
		t.Errorf("%d visitors were let in", counts.visitors)
	}
}

// untouched is a request body that must not be read.
type untouched struct{ read int }

func (u *untouched) Read(p []byte) (int, error) {
	u.read += len(p)
	return 0, errors.New("the connection is gone")
}

// An upload that is refused is refused before its body is read.
func TestUploadsAreRefusedBeforeTheirBody(t *testing.T) {
	running := &store.Live{Turn: store.Turn{State: "running"}}
	for _, test := range []struct {
		name   string
		size   int64
		is     func(*countingStore)
		afford error
		status int
		code   string
	}{
		{"no use is left", 5 << 20, func(c *countingStore) { c.sub.UsageCount = 5 }, nil, 402, "no_use_left"},
		{"a turn runs", 5 << 20, func(c *countingStore) { c.live = running }, nil, 409, "turn_in_progress"},
		{"the day is spent", 5 << 20, func(*countingStore) {}, problem.New("spend_cap_visitors", nil, nil), 429, "spend_cap_visitors"},
		{"too many turns", 5 << 20, func(c *countingStore) { c.owed["turns|192.0.2.9"] = time.Hour }, nil, 429, "work_needed"},
		{"200 MB an hour", 5 << 20, func(c *countingStore) { c.owed["uploads|192.0.2.9"] = 59 * time.Minute }, nil, 429, "work_needed"},
		{"the disk is full", 5 << 20, func(c *countingStore) { c.full = true }, nil, 507, "disk_full"}, // number 8
		{"too large", 40 << 20, func(*countingStore) {}, nil, 413, "too_large"},
	} {
		handler, counts := abused(t, test.afford)
		test.is(counts)
		body := &untouched{}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/api/conversations/"+matter.String()+"/documents", body)
		r.ContentLength, r.RemoteAddr = test.size, "192.0.2.9:1"
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		r.AddCookie(&http.Cookie{Name: "munshi", Value: "mine"})
		w := httptest.NewRecorder()
		w.Body = &bytes.Buffer{}
		handler.ServeHTTP(w, r)
		var p api.Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != test.status || p.Code != test.code || body.read > 64<<10 {
			t.Errorf("%s: %d %s, %d bytes asked for", test.name, w.Code, w.Body, body.read)
		}
	}
}

// So is the PDF of an authority that is not there, and that of one that is there is read.
func TestPDFsOfNoAuthorityAreRefusedBeforeTheirBody(t *testing.T) {
	for _, authority := range []uuid.UUID{uuid.New(), matter} {
		handler, _ := abused(t, nil)
		body := &untouched{}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/api/conversations/"+matter.String()+"/authorities/"+authority.String()+"/document", body)
		r.ContentLength = 1 << 20
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		r.AddCookie(&http.Cookie{Name: "munshi", Value: "mine"})
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if there := authority == matter; (w.Code == http.StatusNotFound) == there || there && body.read == 0 {
			t.Errorf("it is answered %d %s, %d bytes asked for", w.Code, w.Body, body.read)
		}
	}
}

// While the disk is full, no file and no turn is accepted by any route.
func TestFullDiskTakesNothingIn(t *testing.T) {
	handler, counts := abused(t, nil)
	counts.full = true
	counts.turn = store.Turn{ID: uuid.New(), WorkspaceID: me, ConversationID: matter, State: "failed"}
	conversation := "/api/conversations/" + matter.String()
	for path, content := range map[string]string{
		conversation + "/documents":                                     "",
		conversation + "/figures":                                       "",
		conversation + "/authorities/" + uuid.NewString() + "/document": "",
		conversation + "/messages":                                      `{"text":"What is section 73?"}`,
		"/api/turns/" + counts.turn.ID.String() + "/retry":              "{}",
		"/api/drafts":                 `{"template":"legal-notice"}`,
		"/api/sign-up":                `{"email":"asha@example.com","password":"a long one that nobody has"}`,
		"/api/firms":                  `{"name":"Asha & Co"}`,
		"/api/payments":               "{}",
		conversation + "/authorities": `{"citation":"2024 (1) TMI 1"}`,
		conversation + "/links":       "{}",
		"/api/training":               "{}",
	} {
		r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, strings.NewReader(content))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		if content != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		r.Header.Set("Idempotency-Key", uuid.NewString())
		r.AddCookie(&http.Cookie{Name: "munshi", Value: "mine"})
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var p api.Problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 507 || p.Code != "disk_full" {
			t.Errorf("%s is answered with %d %s", path, w.Code, w.Body)
		}
	}
}

// While the disk is full, changes to existing content are still accepted, so that nobody loses what
// they typed while there is room for it.
func TestFullDiskStillTakesChanges(t *testing.T) {
	handler, counts := abused(t, nil)
	counts.full = true
	r := httptest.NewRequest(http.MethodPost, "http://localhost/api/drafts/no-id", strings.NewReader(`{}`))
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&http.Cookie{Name: "munshi", Value: "mine"})
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Code != http.StatusNotFound {
		t.Errorf("a draft is edited with %d %s", w.Code, w.Body)
	}
}

// Every page says when the disk is full, so that nobody waits without knowing why.
func TestFullDiskIsTold(t *testing.T) {
	handler, counts := abused(t, nil)
	for _, full := range []bool{true, false} {
		counts.full = full
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/api/plugins", nil))
		var list api.PluginList
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil || list.DiskFull != full {
			t.Errorf("full %v is told as %s (%v)", full, w.Body, err)
		}
	}
}
