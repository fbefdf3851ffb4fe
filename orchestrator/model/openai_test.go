package model_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munshi/orchestrator/model"
	"munshi/orchestrator/model/modeltest"
)

const (
	question = "What is the last date to reply to notice ZD2905?"
	key      = "sk-test-0123456789abcdef"
)

// serve starts the stand-in and returns a configuration that points to it.
func serve(t *testing.T, h http.Handler) model.Config {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.CloseClientConnections)
	t.Cleanup(server.Close)
	return model.Config{BaseURL: server.URL + "/v1", Key: key, Model: "stand-in"}
}

func engine(t *testing.T, cfg model.Config) model.Engine {
	t.Helper()
	e, err := model.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func ask(ctx context.Context, e model.Engine, onText func(string) error) (model.Reply, error) {
	return e.Generate(ctx, model.Request{
		Prompt: "notice/chat",
		Messages: []model.Message{
			{Role: model.System, Text: "You are a lawyer."},
			{Role: model.User, Text: "Good day."},
			{Role: model.Assistant, Text: "How can I help?"},
			{Role: model.User, Text: question},
		},
	}, onText)
}

func text(s string) *string { return &s }

func TestAnswerIsStreamedAndCounted(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-another-program")
	t.Setenv("OPENAI_ORGANIZATION", "org-of-another-program")
	fake := &modeltest.Server{Key: key, Models: []string{"stand-in"}}
	e := engine(t, serve(t, fake))
	said := "The reply is due on 06.01.2025. \u0909\u0924\u094d\u0924\u0930 \u20b99,68,058"
	fake.Next(modeltest.Behaviour{Text: &said})

	var pieces []string
	reply, err := ask(t.Context(), e, func(s string) error { pieces = append(pieces, s); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if reply.Text != said || strings.Join(pieces, "") != said || len(pieces) < 5 {
		t.Errorf("text %q in %d pieces, want %q piece by piece", reply.Text, len(pieces), said)
	}
	if reply.Model != "stand-in" || reply.StopReason != "stop" || reply.InputTokens != 20 || reply.OutputTokens != len(pieces) || reply.Estimated {
		t.Errorf("reply %+v", reply)
	}
	sent := fake.Requests()[0]
	if len(sent.Messages) != 4 || sent.Messages[0].Role != "system" || sent.Messages[2].Role != "assistant" || sent.Messages[3].Content != question {
		t.Errorf("messages %+v", sent.Messages)
	}
	if got := sent.Header.Get("OpenAI-Organization"); got != "" {
		t.Errorf("sent organization %q from the environment", got)
	}
}

func TestReplies(t *testing.T) {
	for name, c := range map[string]struct {
		behaviour modeltest.Behaviour
		text      string
		stop      string
		estimated bool
	}{
		"cut by the limit": {modeltest.Behaviour{Text: text(strings.Repeat("word ", 60))}, strings.Repeat("word ", 50), "length", false},
		"no usage":         {modeltest.Behaviour{Text: text("Yes."), NoUsage: true}, "Yes.", "stop", true},
		"a zero byte":      {modeltest.Behaviour{Text: text("A\x00B")}, "AB", "stop", false},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(c.behaviour)
			cfg := serve(t, fake)
			cfg.MaxTokens = 50
			var streamed strings.Builder
			reply, err := ask(t.Context(), engine(t, cfg), func(s string) error { streamed.WriteString(s); return nil })
			if err != nil {
				t.Fatal(err)
			}
			if reply.Text != c.text || streamed.String() != c.text {
				t.Errorf("text %q, streamed %q, want %q", reply.Text, streamed.String(), c.text)
			}
			if reply.StopReason != c.stop || reply.Estimated != c.estimated {
				t.Errorf("reply %+v", reply)
			}
			if c.estimated && (reply.InputTokens == 0 || reply.OutputTokens == 0) {
				t.Errorf("no estimate: %+v", reply)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	const provider = `{"error":{"message":"`
	body := func(message, code string) string {
		return provider + message + ` (you wrote: ` + question + `; key ` + key + `)","type":"invalid_request_error","param":null,"code":"` + code + `"}}`
	}
	html := http.Header{"Content-Type": {"text/html"}}
	for name, c := range map[string]struct {
		behaviour modeltest.Behaviour
		class     model.Class
		retryable bool
		wait      time.Duration
		sentence  string
	}{
		"429 in seconds":           {modeltest.RateLimited("7"), model.RateLimited, true, 7 * time.Second, "limiting"},
		"429 by date":              {modeltest.Behaviour{Status: 429, Header: http.Header{"Retry-After": {"Fri, 20 Nov 2026 10:00:30 GMT"}, "Date": {"Fri, 20 Nov 2026 10:00:00 GMT"}}}, model.RateLimited, true, 30 * time.Second, "limiting"},
		"429 in milliseconds":      {modeltest.Behaviour{Status: 429, Header: http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}}}, model.RateLimited, true, 1500 * time.Millisecond, "limiting"},
		"429 for a very long time": {modeltest.RateLimited("99999999999999999999"), model.RateLimited, true, 24 * time.Hour, "limiting"},
		"429 in the past":          {modeltest.RateLimited("Fri, 20 Nov 2020 10:00:30 GMT"), model.RateLimited, true, 0, "limiting"},
		"429 in nonsense":          {modeltest.RateLimited("soon"), model.RateLimited, true, 0, "limiting"},
		"429 of a spent quota":     {modeltest.Behaviour{Status: 429, Body: body("You exceeded your current quota", "insufficient_quota")}, model.NoCredit, false, 0, "no credit"},
		"408":                      {modeltest.Behaviour{Status: 408}, model.Busy, true, 0, "just now"},
		"409":                      {modeltest.Behaviour{Status: 409}, model.Busy, true, 0, "just now"},
		"500":                      {modeltest.Behaviour{Status: 500}, model.Server, true, 0, "reported an error"},
		"500 that blames the key":  {modeltest.Behaviour{Status: 500, Body: body("Incorrect API key provided", "invalid_api_key")}, model.Server, true, 0, "reported an error"},
		"502 in HTML":              {modeltest.Behaviour{Status: 502, Body: "<html>Bad Gateway</html>", Header: html}, model.Server, true, 0, "reported an error"},
		"503 with Retry-After":     {modeltest.Behaviour{Status: 503, Header: http.Header{"Retry-After": {"3"}}}, model.Server, true, 3 * time.Second, "reported an error"},
		"529":                      {modeltest.Behaviour{Status: 529}, model.Server, true, 0, "reported an error"},
		"400":                      {modeltest.Behaviour{Status: 400, Body: body("Unrecognized request argument", "")}, model.Refused, false, 0, "refused the request."},
		"400 for the temperature":  {modeltest.Behaviour{Status: 400, Body: `{"error":{"message":"Unsupported value","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`}, model.Refused, false, 0, "Set model.temperature to"},
		"400 for the filter":       {modeltest.Behaviour{Status: 400, Body: body("The response was filtered", "content_filter")}, model.ContentRefused, false, 0, "filter"},
		"400 too long":             {modeltest.Behaviour{Status: 400, Body: body("This model's maximum context length is 8192 tokens", "context_length_exceeded")}, model.TooLong, false, 0, "model.context_tokens"},
		"400 too long, vLLM":       {modeltest.Behaviour{Status: 400, Body: `{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","param":null,"code":400}`}, model.TooLong, false, 0, "model.context_tokens"},
		"413":                      {modeltest.Behaviour{Status: 413, Body: "<html></html>", Header: html}, model.TooLong, false, 0, "longer"},
		"401":                      {modeltest.Behaviour{Status: 401, Body: body("Incorrect API key provided", "invalid_api_key")}, model.BadKey, false, 0, "refused the key"},
		"402":                      {modeltest.Behaviour{Status: 402, Body: body("Insufficient balance", "")}, model.NoCredit, false, 0, "no credit"},
		"403":                      {modeltest.Behaviour{Status: 403, Body: body("Country not supported", "unsupported_country")}, model.BadKey, false, 0, "refused the key"},
		"403 for the model":        {modeltest.Behaviour{Status: 403, Body: body("Project has no access to model", "model_not_found")}, model.UnknownModel, false, 0, "model.name"},
		"404 for the model":        {modeltest.Behaviour{Status: 404, Body: body("The model does not exist", "model_not_found")}, model.UnknownModel, false, 0, "model.name"},
		"404, Ollama":              {modeltest.Behaviour{Status: 404, Body: `{"error":{"message":"model \"x\" not found, try pulling it first","type":"not_found_error","param":null,"code":null}}`}, model.UnknownModel, false, 0, "model.name"},
		"404 for the address":      {modeltest.Behaviour{Status: 404, Body: `{"detail":"Not Found"}`}, model.Unreadable, false, 0, "model.base_url"},
		"404 of OpenAI":            {modeltest.Behaviour{Status: 404, Body: `{"error":{"message":"Invalid URL (POST /chat/completions)","type":"invalid_request_error","param":null,"code":null}}`}, model.Unreadable, false, 0, "/v1"},
		"no word":                  {modeltest.Behaviour{Text: text("\n  ")}, model.Empty, false, 0, "gave an empty answer"},
		"no word, at length":       {modeltest.Behaviour{Text: text(""), Finish: "length"}, model.Empty, false, 0, "gave an empty answer"},
		"a redirect":               {modeltest.Behaviour{Status: 307, Header: http.Header{"Location": {"/v2/chat/completions"}}}, model.Unreadable, false, 0, "model.base_url"},
		"a web page":               {modeltest.Behaviour{Status: 200, Body: "<html>Welcome</html>", Header: html}, model.Unreadable, false, 0, "model.base_url"},
		"an empty 200":             {modeltest.Behaviour{Status: 200, Body: " "}, model.Unreadable, false, 0, "model.base_url"},
		"cut at once":              {modeltest.Behaviour{End: modeltest.Cut}, model.Network, true, 0, "could not be reached"},
		"cut in the middle":        {modeltest.Behaviour{End: modeltest.Cut, After: 3}, model.Cut, true, 0, "stopped before"},
		"no stop reason":           {modeltest.Behaviour{End: modeltest.Trail, After: 3}, model.Cut, true, 0, "stopped before"},
		"a fault in the stream":    {modeltest.Behaviour{End: modeltest.Fault, After: 3}, model.Server, true, 0, "reported an error"},
		"a filter in the stream":   {modeltest.Behaviour{Finish: "content_filter"}, model.ContentRefused, false, 0, "filter"},
		"an event that is broken": {modeltest.Behaviour{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}},
			Body: "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"}, model.Cut, true, 0, "stopped before"},
		"an event too long to read": {modeltest.Behaviour{Text: text(strings.Repeat("x", 70_000))}, model.Unreadable, false, 0, "model.base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(c.behaviour)
			_, err := ask(t.Context(), engine(t, serve(t, fake)), nil)
			var failed *model.Error
			if !errors.As(err, &failed) {
				t.Fatalf("error %v, want a *model.Error", err)
			}
			if failed.Class != c.class || failed.Retryable() != c.retryable || failed.RetryAfter != c.wait {
				t.Errorf("class %s, retryable %t, after %s; want %s, %t, %s", failed.Class, failed.Retryable(), failed.RetryAfter, c.class, c.retryable, c.wait)
			}
			if c.behaviour.Status != 0 && (failed.Status != c.behaviour.Status || failed.RequestID != "req_000001") {
				t.Errorf("status %d, request id %q", failed.Status, failed.RequestID)
			}
			if !strings.Contains(failed.Advice("").Sentence(), c.sentence) {
				t.Errorf("sentence %q, want %q in it", failed.Advice("").Sentence(), c.sentence)
			}
			// What Temporal would store: the text, and every error that Unwrap returns.
			for e := err; e != nil; e = errors.Unwrap(e) {
				for _, secret := range []string{key, question, "sk-", "you wrote"} {
					if strings.Contains(e.Error()+failed.Advice("").Sentence(), secret) {
						t.Errorf("error %q tells %q", e, secret)
					}
				}
			}
			if n := len(fake.Requests()); n != 1 {
				t.Errorf("asked %d times, want once", n)
			}
		})
	}
}

func TestNoServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	cfg := model.Config{BaseURL: "http://" + address + "/v1", Model: "stand-in"}
	for name, call := range map[string]func() error{
		"Generate":   func() error { _, err := ask(t.Context(), engine(t, cfg), nil); return err },
		"CheckModel": func() error { return model.CheckModel(t.Context(), cfg) },
	} {
		var failed *model.Error
		if err := call(); !errors.As(err, &failed) || failed.Class != model.Network || !failed.Retryable() ||
			!strings.Contains(failed.Advice("").Sentence(), address) || !strings.Contains(failed.Error(), "connection refused") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestSilence(t *testing.T) {
	for name, c := range map[string]struct {
		after       int
		first, idle time.Duration
	}{
		"before the first token": {0, 30 * time.Millisecond, time.Minute},
		"in mid-stream":          {2, time.Minute, 30 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: c.after})
			cfg := serve(t, fake)
			cfg.FirstTokenTimeout, cfg.IdleTimeout = c.first, c.idle
			_, err := ask(t.Context(), engine(t, cfg), nil)
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Class != model.Timeout || !failed.Retryable() {
				t.Errorf("error %v, want a timeout", err)
			}
		})
	}
}

// A slow reader must not be mistaken for a silent model.
func TestSlowReaderIsNotSilence(t *testing.T) {
	fake := &modeltest.Server{Answer: func(modeltest.Request) string { return "one two" }}
	cfg := serve(t, fake)
	cfg.IdleTimeout = time.Second // enough even on a busy machine
	slow := sync.OnceFunc(func() { time.Sleep(1200 * time.Millisecond) })
	_, err := ask(t.Context(), engine(t, cfg), func(string) error { slow(); return nil })
	if err != nil {
		t.Error(err)
	}
}

func TestStop(t *testing.T) {
	for name, after := range map[string]int{"before the first token": 0, "in mid-stream": 2} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: after})
			gone := make(chan struct{})
			reached := make(chan struct{})
			cfg := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				close(reached)
				fake.ServeHTTP(w, r)
				if r.Context().Err() != nil {
					close(gone)
				}
			}))
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var written strings.Builder
			go func() {
				<-reached
				if after == 0 {
					stop()
				}
			}()
			_, err := ask(ctx, engine(t, cfg), func(s string) error {
				if written.WriteString(s); strings.Count(written.String(), " ") == after {
					stop()
				}
				return nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want context.Canceled", err)
			}
			var failed *model.Error
			if errors.As(err, &failed) {
				t.Errorf("a stop is no failure of the model: %v", failed)
			}
			<-gone // the provider's call ended with ours
		})
	}
}

func TestErrorFromOnTextEndsTheCall(t *testing.T) {
	fake := &modeltest.Server{}
	full := errors.New("the store is full")
	calls := 0
	_, err := ask(t.Context(), engine(t, serve(t, fake)), func(string) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
}

func TestWhatIsSent(t *testing.T) {
	half, zero := 0.5, 0.0
	for name, c := range map[string]struct {
		model   string
		config  *float64
		request model.Request
		want    string // words of the answer's body
		not     string
	}{
		"no temperature":         {"stand-in", nil, model.Request{}, `"max_tokens":2000`, "temperature"},
		"configured temperature": {"stand-in", &half, model.Request{}, `"temperature":0.5`, "max_completion_tokens"},
		"temperature zero":       {"stand-in", &half, model.Request{Temperature: &zero}, `"temperature":0`, "max_completion_tokens"},
		"limit of the request":   {"stand-in", nil, model.Request{MaxTokens: 77}, `"max_tokens":77`, "max_completion_tokens"},
		"model of the request":   {"stand-in", nil, model.Request{Model: "other"}, `"model":"other"`, "stand-in"},
		"a newer model":          {"o4-mini", nil, model.Request{}, `"max_completion_tokens":2000`, "temperature"},
		"usage asked for":        {"stand-in", nil, model.Request{}, `"include_usage":true`, "organization"},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			cfg := serve(t, fake)
			cfg.Model, cfg.Temperature = c.model, c.config
			c.request.Messages = []model.Message{{Role: model.User, Text: "Good day."}}
			if _, err := engine(t, cfg).Generate(t.Context(), c.request, nil); err != nil {
				t.Fatal(err)
			}
			body := string(fake.Requests()[0].Body)
			if !strings.Contains(body, c.want) || strings.Contains(body, c.not) {
				t.Errorf("body %s: want %s and no %s", body, c.want, c.not)
			}
		})
	}
}

func TestKey(t *testing.T) {
	fake := &modeltest.Server{}
	cfg := serve(t, fake)
	cfg.Key = " " + key + "\n" // as it is read from a file
	if _, err := ask(t.Context(), engine(t, cfg), nil); err != nil {
		t.Fatal(err)
	}
	cfg.Key = ""
	if _, err := ask(t.Context(), engine(t, cfg), nil); err != nil {
		t.Fatal(err)
	}
	sent := fake.Requests()
	if got := sent[0].Header.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("authorization %q", got)
	}
	if got, ok := sent[1].Header["Authorization"]; ok {
		t.Errorf("authorization %q, want none", got)
	}
}

func TestConnectionIsUsedAgain(t *testing.T) {
	fake := &modeltest.Server{}
	server := httptest.NewUnstartedServer(fake)
	var connections atomic.Int32
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	e := engine(t, model.Config{BaseURL: server.URL + "/v1", Model: "stand-in"})
	for range 5 {
		if _, err := ask(t.Context(), e, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections for five requests, want 1", n)
	}
}

func TestCheckModel(t *testing.T) {
	for name, c := range map[string]struct {
		fake  *modeltest.Server
		model string
		class model.Class // empty: it must pass
	}{
		"offered":           {&modeltest.Server{Models: []string{"a", "b"}}, "b", ""},
		"offered by Ollama": {&modeltest.Server{Models: []string{"llama3:latest"}}, "llama3", ""},
		"withdrawn":         {&modeltest.Server{Models: []string{"a", "b"}}, "gpt-4-turbo-preview", model.UnknownModel},
		"wrong key":         {&modeltest.Server{Key: "another"}, "a", model.BadKey},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := serve(t, c.fake)
			cfg.Model = c.model
			err := model.CheckModel(t.Context(), cfg)
			if c.class == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Class != c.class {
				t.Fatalf("error %v, want %s", err, c.class)
			}
			if c.class == model.UnknownModel && !strings.Contains(failed.Advice("").Sentence(), " does not offer the model gpt-4-turbo-preview.") {
				t.Errorf("sentence %q", failed.Advice("").Sentence())
			}
		})
	}
	for name, c := range map[string]struct {
		status int
		body   string
		class  model.Class
	}{
		"keeps no list": {404, "Not Found", ""},
		"a web page":    {200, "<html></html>", model.Unreadable},
		"another JSON":  {200, `{"status":"ok"}`, model.Unreadable},
		"a fault":       {503, "", model.Server},
	} {
		t.Run(name, func(t *testing.T) {
			err := model.CheckModel(t.Context(), serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				w.Write([]byte(c.body))
			})))
			var failed *model.Error
			errors.As(err, &failed)
			if c.class == "" && err != nil || c.class != "" && (failed == nil || failed.Class != c.class) {
				t.Errorf("error %v, want %q", err, c.class)
			}
		})
	}
	if err := model.CheckModel(t.Context(), model.Config{}); err != nil {
		t.Errorf("offline: %v", err)
	}
}

func TestStandInWithoutStreaming(t *testing.T) {
	server := httptest.NewServer(&modeltest.Server{})
	defer server.Close()
	resp, err := http.Post(server.URL+"/v1/chat/completions", "application/json",
		strings.NewReader(`{"model":"stand-in","messages":[{"role":"user","content":"Good day."}]}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var b strings.Builder
	if _, err := io.Copy(&b, resp.Body); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"object":"chat.completion"`, `"role":"assistant"`, `"finish_reason":"stop"`, `"prompt_tokens":2`, "stand-in for a language model"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
}
