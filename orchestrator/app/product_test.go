package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/cmd"
	"munshi/orchestrator/document"
	figureread "munshi/orchestrator/figures/read"
	"munshi/orchestrator/local/localtest"
)

// asProduct in the environment makes the test binary run as the product.
const asProduct = "TEST_AS_PRODUCT"

// testKeys are the keys of all tests, since their workers meet each other's workflows.
const (
	newKey   = "new:bXVuc2hpIG11bnNoaSBtdW5zaGkgbXVuc2hpIG11bnM="
	oldKey   = "old:YW4gb2xkZXIgbXVuc2hpLCBhbiBvbGRlciBtdW5zaGk="
	testKeys = newKey + "," + oldKey
)

// The test binary runs as the reader of documents, as the product's binary does, and as the product's processes for
// tests that need them.
func TestMain(m *testing.M) {
	if os.Getenv(asProduct) != "" {
		os.Exit(cmd.Main("test"))
	}
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		os.Exit(document.Child())
	}
	if len(os.Args) > 1 && os.Args[1] == figureread.ChildCommand {
		os.Exit(figureread.Child())
	}
	code := m.Run()
	if err := shared.stop(); err != nil {
		fmt.Fprintln(os.Stderr, "the shared products did not end well:", err)
		code = max(code, 1)
	}
	if testing.Verbose() {
		fmt.Printf("%d products were started\n", starts.Load())
	}
	os.Exit(code)
}

// starts counts the products that were started: each takes seconds, so tests with the same configuration share one.
var starts atomic.Int32

// product is the whole product in one process: API and worker with a real PostgreSQL and a real Temporal.
type product struct {
	t       *testing.T
	app     *app.App
	address string
	parts   []part
	log     *sharedLog // nil: a separate log for the test
}

// part is the API or the worker while it runs.
type part struct {
	name string
	stop context.CancelFunc
	done chan error
}

// end stops a part and waits for it. Repeated calls change nothing.
func (p part) end(t *testing.T) {
	p.stop()
	if err := <-p.done; err != nil {
		t.Errorf("the %s ended with %v", p.name, err)
	}
}

// configured returns the configuration of a test's product; change may alter it.
func configured(t *testing.T, change func(*config.Config)) config.Config {
	t.Helper()
	cfg, err := config.Load(filepath.Join(localtest.Root(t), "config", "munshi.yaml"), nil)
	must(t, err)
	cfg.Home = localtest.Root(t)
	cfg.Server.Address = "127.0.0.1:0"
	cfg.Server.WebRoot = filepath.Join("testdata", "web")
	cfg.Server.ShutdownTime = 3 * time.Second
	cfg.Prompts.Dir = filepath.Join(cfg.Home, "prompts")
	cfg.Links.Texts = filepath.Join(cfg.Home, "config", "site")
	cfg.Evals.Dir = filepath.Join(cfg.Home, "evals", "testdata", "cases")
	cfg.Temporal.Address, cfg.Temporal.Keys = localtest.Temporal(t), testKeys
	cfg.Temporal.WebUIURL = "http://temporal.example/"
	cfg.Model.Key, cfg.Model.BaseURL = "", ""
	cfg.Account.FreeUses, cfg.Account.FairUsePerHour = 1_000_000, 0
	cfg.Abuse.Visitors, cfg.Abuse.SignUps, cfg.Abuse.FreeTurns, cfg.Abuse.UploadMB = 0, 0, 0, 0 // all tests come from loopback
	cfg.Spending = config.Spending{}
	if change != nil {
		change(&cfg)
	}
	return cfg
}

// start returns a product with a configuration, which change may alter. Tests with the same configuration share one
// product, each as different people; they must not stop it.
func start(t *testing.T, change func(*config.Config)) *product {
	t.Helper()
	return shared.product(t, configured(t, change))
}

// startAlone starts a product that no other test uses, and that the test may stop; change may alter its
// configuration.
func startAlone(t *testing.T, change func(*config.Config)) *product {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	if testing.Verbose() {
		log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	return startLogging(t, log, change)
}

// startLogging is startAlone with a separate log for the test.
func startLogging(t *testing.T, log *slog.Logger, change func(*config.Config)) *product {
	t.Helper()
	cfg := configured(t, change)
	cfg.Database.URL = localtest.Postgres(t)
	starts.Add(1)
	a, err := app.Open(t.Context(), cfg, log, "test")
	must(t, err)
	p := &product{t: t, app: a}
	p.run("worker", a.RunWorker)
	p.serve()
	p.run("watcher", a.WatchPrompts)
	return p
}

// with returns the product for a part of the test that started it.
func (p *product) with(t *testing.T) *product {
	part := *p
	part.t = t
	return &part
}

// serve runs the API.
func (p *product) serve() {
	ready := make(chan string, 1)
	p.run("API", func(ctx context.Context) error {
		return p.app.Serve(ctx, func(address string) { ready <- address })
	})
	p.address = <-ready
}

// beside opens the product once more on the same servers; change, if any, alters its configuration. Neither API nor
// worker is started yet.
func (p *product) beside(change func(*config.Config)) *product {
	p.t.Helper()
	cfg := p.app.Config
	if change != nil {
		change(&cfg)
	}
	a, err := app.Open(p.t.Context(), cfg, p.app.Log, "test")
	must(p.t, err)
	return &product{t: p.t, app: a}
}

// run keeps a part running until the test stops the product, or ends.
func (p *product) run(name string, do func(context.Context) error) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- do(ctx); close(done) }()
	if len(p.parts) == 0 {
		p.t.Cleanup(p.stop)
	}
	p.parts = append(p.parts, part{name, stop, done})
}

// stop ends the running parts, the latest first, and then the product. Repeated calls change nothing.
func (p *product) stop() {
	if p.log != nil {
		p.t.Fatal("other tests share this product: it must go on running")
	}
	if len(p.parts) == 0 {
		return
	}
	for _, part := range slices.Backward(p.parts) {
		part.end(p.t)
	}
	p.parts = nil
	p.app.Close()
}

// person is a browser with its cookies.
type person struct {
	t       *testing.T
	address string
	http    *http.Client
	speaks  string // the Accept-Language header of their browser; "" for none
	link    string // the secret of a link that they received; "" for none
}

func (p *product) visitor() *person {
	jar, err := cookiejar.New(nil)
	must(p.t, err)
	return &person{t: p.t, address: p.address, http: &http.Client{Jar: jar}}
}

// call makes a request; a status other than want fails the test. Out may be nil. If the server had no time for the
// request ("please try again in a moment"), call repeats it for up to a minute, as a person would.
func (v *person) call(method, path, contentType string, body io.Reader, want int, out any) {
	v.t.Helper()
	var content []byte
	if body != nil {
		var err error
		content, err = io.ReadAll(body)
		must(v.t, err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(300 * time.Millisecond) {
		status, raw := v.once(method, path, contentType, content)
		if status == http.StatusServiceUnavailable && want != status && bytes.Contains(raw, []byte(`"code":"unavailable"`)) &&
			time.Now().Before(end) {
			continue
		}
		if status != want {
			v.t.Fatalf("%s %s gives %d, want %d: %s", method, path, status, want, raw)
		}
		if out != nil {
			must(v.t, json.Unmarshal(raw, out))
		}
		return
	}
}

// once sends a request, and returns the status and the body of the response, which is checked against
// the contract.
func (v *person) once(method, path, contentType string, content []byte) (int, []byte) {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.address+path, bytes.NewReader(content))
	must(v.t, err)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if v.speaks != "" {
		req.Header.Set("Accept-Language", v.speaks)
	}
	if v.link != "" {
		req.Header.Set("Munshi-Link", v.link)
	}
	resp, err := v.http.Do(req)
	must(v.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(v.t, err)
	checkContract(v.t, req, resp, raw)
	return resp.StatusCode, raw
}

func (v *person) get(path string, out any) { v.t.Helper(); v.call("GET", path, "", nil, 200, out) }

func (v *person) post(path string, in any, want int, out any) {
	v.t.Helper()
	raw, err := json.Marshal(in)
	must(v.t, err)
	v.call("POST", path, "application/json", bytes.NewReader(raw), want, out)
}

func (v *person) converse() string {
	v.t.Helper()
	var c api.Conversation
	v.post("/api/conversations", map[string]string{"plugin": "notice"}, 201, &c)
	return c.ID
}

func (v *person) say(conversation, text string) api.Turn {
	v.t.Helper()
	var turn api.Turn
	v.post("/api/conversations/"+conversation+"/messages", map[string]string{"text": text}, 202, &turn)
	return turn
}

func (v *person) upload(conversation, name, contentType, kind string, content []byte, want int, out any) {
	v.t.Helper()
	form, body := uploadForm(v.t, name, contentType, kind, content)
	v.call("POST", "/api/conversations/"+conversation+"/documents", form, body, want, out)
}

// uploadForm returns the content type and body of an upload of one file, or of several of the same name.
func uploadForm(t *testing.T, name, contentType, kind string, contents ...[]byte) (string, io.Reader) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if kind != "" {
		must(t, form.WriteField("type", kind))
	}
	for _, content := range contents {
		part, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {fmt.Sprintf(`form-data; name="file"; filename=%q`, name)}, "Content-Type": {contentType}})
		must(t, err)
		_, err = part.Write(content)
		must(t, err)
	}
	must(t, form.Close())
	return form.FormDataContentType(), &body
}

func (v *person) hand(conversation, file, kind string) api.Turn {
	v.t.Helper()
	content, err := os.ReadFile(file)
	must(v.t, err)
	var turn api.Turn
	v.upload(conversation, filepath.Base(file), "application/pdf", kind, content, 202, &turn)
	return turn
}

func (v *person) detail(conversation string) api.ConversationDetail {
	v.t.Helper()
	var d api.ConversationDetail
	v.get("/api/conversations/"+conversation, &d)
	return d
}

// settled waits until the turn is in one of the states, and returns the conversation.
func (v *person) settled(conversation, turn string, states ...string) api.ConversationDetail {
	v.t.Helper()
	if len(states) == 0 {
		states = []string{"answered", "failed", "stopped"}
	}
	s := v.follow(conversation, "")
	defer s.close()
	for e := range s.events {
		now := e.turn()
		if now == nil || now.ID != turn {
			continue
		}
		for _, state := range states {
			if now.State == state {
				return v.detail(conversation)
			}
		}
	}
	v.t.Fatalf("the stream ended before the turn was %v", states)
	return api.ConversationDetail{}
}

// answer waits for the answer of the turn.
func (v *person) answer(conversation string, turn api.Turn) api.Message {
	v.t.Helper()
	d := v.settled(conversation, turn.ID)
	last := d.Messages[len(d.Messages)-1]
	if d.Turn.State != "answered" || last.Role != "assistant" || last.TurnID != turn.ID {
		v.t.Fatalf("the turn is %s, error %+v, last message %+v", d.Turn.State, d.Turn.Error, last)
	}
	return last
}

// stream is an open event stream.
type stream struct {
	events chan event
	close  func()
}

type event struct {
	id, name string
	data     []byte
}

// turn returns the turn that an event reports, or nil if it reports none.
func (e event) turn() *api.Turn {
	var t api.TurnEvent
	var s api.SnapshotEvent
	switch e.name {
	case "turn":
		if json.Unmarshal(e.data, &t) == nil {
			return &t.Turn
		}
	case "snapshot":
		if json.Unmarshal(e.data, &s) == nil {
			return s.Turn
		}
	}
	return nil
}

// follow opens the conversation's stream; it ends with the test, or after patience.
func (v *person) follow(conversation, lastEventID string) *stream {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	req, err := http.NewRequestWithContext(ctx, "GET", v.address+"/api/conversations/"+conversation+"/events", nil)
	must(v.t, err)
	if lastEventID != "" {
		req.Header.Set("Last-Event-ID", lastEventID)
	}
	resp, err := v.http.Do(req) //nolint:bodyclose // closing the stream closes it
	must(v.t, err)
	if resp.StatusCode != 200 {
		v.t.Fatalf("the stream answers %d", resp.StatusCode)
	}
	s := &stream{events: make(chan event, 4096), close: func() { cancel(); resp.Body.Close() }}
	v.t.Cleanup(s.close)
	go func() {
		defer close(s.events)
		for e := range eventsIn(resp.Body) {
			s.events <- e
		}
	}()
	return s
}

// eventsIn returns the events of a stream until it ends.
func eventsIn(body io.Reader) iter.Seq[event] {
	return func(yield func(event) bool) {
		var e event
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 8<<20)
		for lines.Scan() {
			key, value, _ := strings.Cut(lines.Text(), ": ")
			switch key {
			case "id":
				e.id = value
			case "event":
				e.name = value
			case "data":
				e.data = []byte(value)
			case "":
				if !yield(e) {
					return
				}
				e = event{}
			}
		}
	}
}

// patience is how long tests wait for something to happen; a busy machine must not fail them.
const patience = 3 * time.Minute

// await waits until the condition is true.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %s, still not: %s", patience, what)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
