package app_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	v1 "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/proto"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/app"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/store"
	"munshi/orchestrator/telemetry"
	"munshi/workflows"
)

// collector is a collector of traces.
type collector struct {
	mu    sync.Mutex
	raw   bytes.Buffer
	spans []*tracev1.Span
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = unpacked
	}
	raw, err := io.ReadAll(body)
	var in v1.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(raw, &in) != nil {
		http.Error(w, "not understood", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(raw)
	for _, rs := range in.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			c.spans = append(c.spans, ss.Spans...)
		}
	}
}

// trace returns the spans of a trace.
func (c *collector) trace(id string) []*tracev1.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var of []*tracev1.Span
	for _, s := range c.spans {
		if hex.EncodeToString(s.TraceId) == id {
			of = append(of, s)
		}
	}
	return of
}

// scrape returns the metrics as Prometheus gets them.
func (p *product) scrape() string {
	p.t.Helper()
	rec := httptest.NewRecorder()
	p.app.Telemetry.Handler(p.app.Health.Ready).ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	if rec.Code != 200 {
		p.t.Fatalf("the metrics answer %d: %s", rec.Code, rec.Body)
	}
	return rec.Body.String()
}

// metric returns the value of one series, 0 where there is none yet.
func (p *product) metric(series string) (value float64) {
	p.t.Helper()
	for line := range strings.Lines(p.scrape()) {
		if number, found := strings.CutPrefix(strings.TrimSpace(line), series+" "); found {
			var err error
			value, err = strconv.ParseFloat(number, 64)
			must(p.t, err)
		}
	}
	return value
}

// journal is a log at debug level that several goroutines write and a test reads.
type journal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

// One trace leads from the browser's request through the workflow and its activities to the model; logs name it; and
// telemetry never contains a person's text, whether the turn succeeds or fails.
func TestWatchedTurn(t *testing.T) {
	const secret = "Zanzibari"
	traces := &collector{}
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return "The answer is about " + secret + " spices." }}
	model := withModel(t, fake)
	var lines journal
	p := startLogging(t, slog.New(telemetry.Logs(slog.NewJSONHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))), model)
	standIn.collect(traces)
	t.Cleanup(func() { standIn.collect(nil) })
	v := p.visitor()
	c := v.converse()
	v.answer(c, v.hand(c, "testdata/notice.pdf", secret+" ledger"))

	trace, parent := strings.ReplaceAll(uuid.NewString(), "-", ""), "00f067aa0ba902b7"
	v.http.Transport = traced("00-" + trace + "-" + parent + "-01")
	turn := v.say(c, "May I sell "+secret+" cloves?")
	v.http.Transport = nil
	v.answer(c, turn)
	fake.Next(modeltest.Behaviour{Status: 400, Body: `{"error": {"message": "Do not say ` + secret + `."}}`})
	failed := v.say(c, "And "+secret+" pepper?")
	if d := v.settled(c, failed.ID); d.Turn.State != "failed" {
		t.Fatalf("the refused turn is %s", d.Turn.State)
	}
	v.get("/api/conversations?plugin="+secret, nil)
	v.call("GET", "/api/documents/"+secret, "", nil, 404, nil)
	p.stop() // the remaining spans are sent

	names := map[string][]byte{}
	at := map[string]*tracev1.Span{}
	for _, s := range traces.trace(trace) {
		names[s.Name], at[string(s.SpanId)] = s.SpanId, s
	}
	asked := at[string(names["ask stand-in"])]
	if asked == nil {
		t.Fatalf("the trace has no call to the model: %v", slices.Collect(maps.Keys(names)))
	}
	var way []string
	for s := asked; s != nil; s = at[string(s.ParentSpanId)] {
		way = append(way, s.Name)
		if at[string(s.ParentSpanId)] == nil && hex.EncodeToString(s.ParentSpanId) != parent {
			t.Errorf("the trace begins at %x, not at the browser", s.ParentSpanId)
		}
	}
	want := []string{"ask stand-in", "RunActivity:Ask", "StartActivity:Ask", "RunWorkflow:Turn", "StartWorkflow:Turn", "POST /api/conversations/:id/messages"}
	if !slices.Equal(way, want) {
		t.Errorf("the way to the model is\n%q, want\n%q", way, want)
	}
	attributes := map[string]int64{}
	for _, kv := range asked.Attributes {
		attributes[kv.Key] = kv.Value.GetIntValue()
	}
	if attributes["gen_ai.usage.input_tokens"] == 0 || attributes["gen_ai.usage.output_tokens"] == 0 {
		t.Errorf("the call to the model says %v", asked.Attributes)
	}
	for _, r := range fake.Requests() {
		if r.Header.Get("Traceparent") != "" {
			t.Error("the provider was told of the trace")
		}
	}

	log := lines.String()
	find := func(what string, of ...string) {
		t.Helper()
		for line := range strings.Lines(log) {
			if !slices.ContainsFunc(of, func(part string) bool { return !strings.Contains(line, part) }) {
				return
			}
		}
		t.Errorf("no line of the log tells of %s: %q", what, of)
	}
	find("the request, with its trace", `"msg":"a request was answered"`, `"route":"/api/conversations/:id/messages"`, `"trace_id":"`+trace+`"`, `"conversation":"`+c+`"`)
	find("the failure, with its turn", `"msg":"an activity failed"`, `"turn":"`+failed.ID+`"`, `"run":"`, `"step":"`, `"trace_id":"`)

	metrics := p.scrape()
	for _, line := range []string{
		`munshi_turns_total{kind="chat",plugin="notice",state="answered"} 1`,
		`munshi_turns_total{kind="chat",plugin="notice",state="failed"} 1`,
		`munshi_turn_seconds_count{kind="chat",plugin="notice"} 2`,
		`munshi_step_seconds_count{activity="Extract",kind="extract",outcome="ok"} 1`,
		`munshi_step_seconds_count{activity="Ask",kind="prompt",outcome="failed"} 1`,
		`munshi_model_calls_total{model="stand-in",outcome="ok",provider="openai"} 2`,
		`munshi_model_calls_total{model="stand-in",outcome="refused",provider="openai"} 1`,
		`munshi_model_first_token_seconds_count{model="stand-in",provider="openai"} 2`,
		`munshi_http_requests_total{method="POST",route="/api/conversations/:id/messages",status="2xx"} 2`,
		`munshi_http_requests_total{method="GET",route="/api/documents/:id",status="4xx"} 1`,
	} {
		if !strings.Contains(metrics, "\n"+line+"\n") {
			t.Errorf("the metrics do not have %s", line)
		}
	}
	for _, name := range []string{"munshi_model_tokens_total", "munshi_pool_connections_max", "go_goroutines", "process_open_fds", "temporal_request_total", "temporal_num_pollers"} {
		if !strings.Contains(metrics, "\n"+name) {
			t.Errorf("the metrics do not have %s", name)
		}
	}
	if ids := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-`).FindString(metrics); ids != "" {
		t.Errorf("the metrics hold an id: %s…", ids)
	}
	for name, text := range map[string]string{"log": log, "metrics": metrics, "traces": traces.raw.String()} {
		if len(text) < 1000 {
			t.Errorf("there are only %d bytes of %s", len(text), name)
		}
		for _, word := range []string{secret, "SAHYADRI", "27ZAPCS4821K1Z6", "cloves"} {
			if i := strings.Index(strings.ToLower(text), strings.ToLower(word)); i >= 0 {
				t.Errorf("the %s holds a person's words: …%q…", name, text[max(0, i-200):min(len(text), i+50)])
			}
		}
	}
}

// traced sends every request as part of a trace.
type traced string

func (t traced) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Traceparent", string(t))
	return http.DefaultTransport.RoundTrip(r)
}

func TestReadyNamesWhatIsMissing(t *testing.T) {
	p := start(t, nil)
	v := p.visitor()
	var health api.Health
	v.get("/api/ready", &health)
	if want := map[string]string{"postgres": "ok", "temporal": "ok", "prompts": "ok", "disk": "ok"}; health.Status != "ok" || !maps.Equal(health.Parts, want) {
		t.Errorf("a product that is well says %+v", health)
	}
	p.operators(t, 200)

	away := &app.App{Telemetry: p.app.Telemetry}
	away.Health.Store, away.Health.Work = p.app.Store, p.app.Work
	away.Health.ModelSays("The model provider refused the key. Check model.key.")
	missing := func(part string, status int) {
		t.Helper()
		answer := (&product{t: t, app: away}).operators(t, status)
		if says := answer.Parts[part]; says == "" || says == "ok" || answer.Status != "degraded" {
			t.Errorf("with %s missing: %+v", part, answer)
		}
		for name, says := range answer.Parts {
			if name != part && says != "ok" {
				t.Errorf("with only %s missing, %s is said to be: %q", part, name, says)
			}
		}
	}
	missing("model", 200) // it is reported, but turns wait for a provider that is down
	away.Health.ModelSays("ok")

	lazy, err := client.NewLazyClient(client.Options{HostPort: "127.0.0.1:1"})
	must(t, err)
	defer lazy.Close()
	away.Health.Work = workflows.Client{Temporal: lazy}
	missing("temporal", 503)
	away.Health.Work = p.app.Work

	empty := localtest.Postgres(t)
	must(t, store.Migrate(t.Context(), empty))
	bare, err := store.Open(t.Context(), empty, 2)
	must(t, err)
	away.Health.Store = bare
	missing("prompts", 503)
	bare.Close()
	missing("postgres", 503)
	if metrics := (&product{t: t, app: p.app}).scrape(); !strings.Contains(metrics, `munshi_turns_open{state="queued"} 0`) || !strings.Contains(metrics, "munshi_reading_queue 0") || !strings.Contains(metrics, "munshi_oldest_queued_turn_seconds 0") {
		t.Error("the backlog is not among the metrics")
	}
}

// operators asks for readiness as an operator does.
func (p *product) operators(t *testing.T, want int) api.Health {
	t.Helper()
	rec := httptest.NewRecorder()
	p.app.Telemetry.Handler(p.app.Health.Ready).ServeHTTP(rec, httptest.NewRequest("GET", "/ready", nil))
	var answer api.Health
	if rec.Code != want || json.Unmarshal(rec.Body.Bytes(), &answer) != nil {
		t.Fatalf("an operator is told %d %s, want %d", rec.Code, rec.Body, want)
	}
	return answer
}

// The operators' address may be in use, or left empty: the product still works.
func TestOperatorsAddress(t *testing.T) {
	taken := httptest.NewServer(http.NotFoundHandler())
	defer taken.Close()
	var lines journal
	for address, want := range map[string]string{strings.TrimPrefix(taken.URL, "http://"): "level=WARN", "": ""} {
		var cfg config.Config
		cfg.Server.OperatorAddress = address
		must(t, app.New(cfg, slog.New(slog.NewTextHandler(&lines, nil)), "test").ServeOperators(t.Context()))
		if !strings.Contains(lines.String(), want) {
			t.Errorf("with the address %q the log says %q", address, lines.String())
		}
	}
}
