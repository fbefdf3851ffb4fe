package model_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"munshi/orchestrator/model"
	"munshi/orchestrator/model/modeltest"
)

// wires are the providers, with the stand-in's path for each, the header with its key, and its answer to a wrong
// key.
var wires = map[string]struct{ path, title, header, prefix string }{
	"openai":     {"/v1", "The model provider", "Authorization", "Bearer "},
	"compatible": {"/v1", "The compatible provider", "Authorization", "Bearer "},
	"google":     {"/v1beta/openai", "Google", "Authorization", "Bearer "},
	"mistral":    {"/mistral/v1", "Mistral", "Authorization", "Bearer "},
	"anthropic":  {"/anthropic/v1", "Anthropic", "X-Api-Key", ""},
	"ollama":     {"", "Ollama", "Authorization", "Bearer "},
}

// serveAs starts the stand-in and returns a configuration that points to its API for one provider.
func serveAs(t *testing.T, provider string, h http.Handler) model.Config {
	t.Helper()
	cfg := serve(t, h)
	cfg.BaseURL = strings.TrimSuffix(cfg.BaseURL, "/v1") + wires[provider].path
	cfg.Provider, cfg.Settings = provider, "model.providers."+provider
	return cfg
}

func each(t *testing.T, test func(t *testing.T, provider string)) {
	for provider := range wires {
		t.Run(provider, func(t *testing.T) { test(t, provider) })
	}
}

func TestEveryProviderAnswers(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_HOST", "MISTRAL_API_KEY", "GOOGLE_API_KEY"} {
		t.Setenv(name, "of-another-program")
	}
	each(t, func(t *testing.T, provider string) {
		fake := &modeltest.Server{Key: key, Models: []string{"stand-in"}}
		said := "The reply is due on 06.01.2025. \u0909\u0924\u094d\u0924\u0930 \u20b99,68,058"
		fake.Next(modeltest.Behaviour{Text: &said})
		cfg := serveAs(t, provider, fake)
		cfg.PriceInput, cfg.PriceOutput = 30_000, 1_500_000
		var pieces []string
		reply, err := engine(t, cfg).Generate(t.Context(), model.Request{Messages: []model.Message{
			{Role: model.System, Text: "You are a lawyer."}, {Role: model.System, Text: "Be brief."},
			{Role: model.User, Text: "Good day."}, {Role: model.Assistant, Text: "How can I help?"}, {Role: model.User, Text: question},
		}}, func(s string) error { pieces = append(pieces, s); return nil })
		if err != nil {
			t.Fatal(err)
		}
		if reply.Text != said || strings.Join(pieces, "") != said || len(pieces) < 5 {
			t.Errorf("text %q in %d pieces, want %q piece by piece", reply.Text, len(pieces), said)
		}
		if reply.Provider != provider || reply.Model != "stand-in" || reply.StopReason != "stop" || reply.InputTokens != 22 || reply.OutputTokens != 8 || reply.Estimated {
			t.Errorf("reply %+v", reply)
		}
		if reply.Paise == nil || *reply.Paise != 13 { // (22·30,000 + 8·1,500,000) / 1,000,000 = 12.66
			t.Errorf("cost %v, want 13 paise", reply.Paise)
		}
		sent := fake.Requests()[0]
		var roles []string
		for _, m := range sent.Messages {
			roles = append(roles, m.Role)
		}
		if strings.Join(roles, " ") != "system user assistant user" || sent.Messages[0].Content != "You are a lawyer.\n\nBe brief." || sent.Messages[3].Content != question {
			t.Errorf("messages %+v", sent.Messages)
		}
		for _, header := range []string{"Authorization", "X-Api-Key"} {
			want := ""
			if header == wires[provider].header {
				want = wires[provider].prefix + key
			}
			if got := sent.Header.Get(header); got != want {
				t.Errorf("header %s: %q, want %q", header, got, want)
			}
		}
		if strings.Contains(string(sent.Body), "temperature") {
			t.Errorf("a temperature that nobody set: %s", sent.Body)
		}
	})
}

// If a person stops an answer, the text so far is kept, and the provider charges for it.
func TestWhatIsStoppedHasCost(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		fake := &modeltest.Server{Key: key, Models: []string{"stand-in"}}
		cfg := serveAs(t, provider, fake)
		cfg.PriceInput, cfg.PriceOutput = 30_000, 1_500_000
		enough := errors.New("enough")
		reply, err := engine(t, cfg).Generate(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: question}}},
			func(string) error { return enough })
		if !errors.Is(err, enough) || reply.Text != "" || reply.Paise == nil || *reply.Paise <= 0 {
			t.Errorf("stopped, it gives %+v, %v", reply, err)
		}
		fake.Next(modeltest.Behaviour{Status: 429})
		if reply, err := engine(t, cfg).Generate(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: question}}}, nil); err == nil || reply.Paise != nil {
			t.Errorf("refused, it gives %+v, %v", reply, err)
		}
	})
}

// One engine serves many turns at once, and keeps them apart.
func TestEveryProviderAtOnce(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		fake := &modeltest.Server{Answer: func(r modeltest.Request) string { return "You said " + r.Messages[0].Content + " to " + r.Model }}
		e := engine(t, serveAs(t, provider, fake))
		var asked sync.WaitGroup
		for i := range 16 {
			asked.Go(func() {
				name, said := fmt.Sprint("m", i), fmt.Sprint("words", i)
				reply, err := e.Generate(t.Context(), model.Request{Model: name, Messages: []model.Message{{Role: model.User, Text: said}}}, nil)
				if err != nil || reply.Text != "You said "+said+" to "+name || reply.Model != name {
					t.Errorf("reply %+v, error %v", reply, err)
				}
			})
		}
		asked.Wait()
	})
}

func TestWhatEveryProviderIsSent(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		fake := &modeltest.Server{}
		cfg := serveAs(t, provider, fake)
		half, zero := 0.5, 0.0
		cfg.Temperature, cfg.ContextTokens = &half, 9000
		e := engine(t, cfg)
		for _, r := range []model.Request{{}, {Temperature: &zero, MaxTokens: 77, Model: "other"}} {
			r.Messages = []model.Message{{Role: model.User, Text: "Good day."}}
			if _, err := e.Generate(t.Context(), r, nil); err != nil {
				t.Fatal(err)
			}
		}
		first, second := fake.Requests()[0], fake.Requests()[1]
		if *first.Temperature != 0.5 || *second.Temperature != 0 || first.MaxTokens != 2000 || second.MaxTokens != 77 || first.Model != "stand-in" || second.Model != "other" {
			t.Errorf("sent %s and %s", first.Body, second.Body)
		}
		if got := strings.Contains(string(first.Body), `"num_ctx":9000`); got != (provider == "ollama") {
			t.Errorf("num_ctx sent: %t", got)
		}
	})
}

func TestEveryProvidersReplies(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		for name, c := range map[string]struct {
			behaviour modeltest.Behaviour
			text      string
			stop      string
		}{
			"cut by the limit": {modeltest.Behaviour{Text: text(strings.Repeat("word ", 60))}, strings.Repeat("word ", 50), "length"},
		} {
			t.Run(name, func(t *testing.T) {
				fake := &modeltest.Server{}
				fake.Next(c.behaviour)
				cfg := serveAs(t, provider, fake)
				cfg.MaxTokens = 50
				var streamed strings.Builder
				reply, err := ask(t.Context(), engine(t, cfg), func(s string) error { streamed.WriteString(s); return nil })
				if err != nil {
					t.Fatal(err)
				}
				if reply.Text != c.text || streamed.String() != c.text || reply.StopReason != c.stop || reply.Estimated || reply.Paise != nil {
					t.Errorf("reply %+v, streamed %q, want %q", reply, streamed.String(), c.text)
				}
			})
		}
	})
}

func TestEveryProvidersFailures(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		at := wires[provider].title
		setting := "model.providers." + provider
		retryAfter := http.Header{"Retry-After": {"7"}}
		misleading := `{"error":{"message":"Incorrect API key provided: ` + key + `","type":"invalid_request_error","code":"invalid_api_key"}}`
		for name, c := range map[string]struct {
			fake      *modeltest.Server
			behaviour modeltest.Behaviour
			class     model.Class
			retryable bool
			wait      time.Duration
			sentence  string
		}{
			"429 with Retry-After":   {nil, modeltest.RateLimited("7"), model.RateLimited, true, 7 * time.Second, at + " is limiting"},
			"408":                    {nil, modeltest.Behaviour{Status: 408}, model.Busy, true, 0, at + " could not take"},
			"409":                    {nil, modeltest.Behaviour{Status: 409}, model.Busy, true, 0, at + " could not take"},
			"500 that blames a key":  {nil, modeltest.Behaviour{Status: 500, Body: misleading}, model.Server, true, 0, at + " reported an error"},
			"503":                    {nil, modeltest.Behaviour{Status: 503, Header: retryAfter}, model.Server, true, 7 * time.Second, at + " reported an error"},
			"529":                    {nil, modeltest.Behaviour{Status: 529}, model.Server, true, 0, at + " reported an error"},
			"502 in HTML":            {nil, modeltest.Behaviour{Status: 502, Body: "<html>Bad Gateway</html>"}, model.Server, true, 0, at + " reported an error"},
			"wrong key":              {&modeltest.Server{Key: "another"}, modeltest.Behaviour{}, model.BadKey, false, 0, at + " refused the key. Check " + setting + ".key."},
			"403":                    {nil, modeltest.Behaviour{Status: 403}, model.BadKey, false, 0, setting + ".key"},
			"unknown model":          {&modeltest.Server{Models: []string{"other"}}, modeltest.Behaviour{}, model.UnknownModel, false, 0, "Change " + setting + ".name."},
			"too long":               {&modeltest.Server{ContextTokens: 5}, modeltest.Behaviour{}, model.TooLong, false, 0, "Set " + setting + ".context_tokens"},
			"413":                    {nil, modeltest.Behaviour{Status: 413}, model.TooLong, false, 0, "longer"},
			"402":                    {nil, modeltest.Behaviour{Status: 402}, model.NoCredit, false, 0, at + " has no credit"},
			"400":                    {nil, modeltest.Behaviour{Status: 400}, model.Refused, false, 0, at + " refused the request."},
			"content refused":        {nil, modeltest.Behaviour{Finish: "content_filter"}, model.ContentRefused, false, 0, at + " refused to write"},
			"cut at once":            {nil, modeltest.Behaviour{End: modeltest.Cut}, model.Network, true, 0, setting + ".base_url"},
			"cut in the middle":      {nil, modeltest.Behaviour{End: modeltest.Cut, After: 3}, model.Cut, true, 0, "stopped before"},
			"no stop reason":         {nil, modeltest.Behaviour{End: modeltest.Trail, After: 3}, model.Cut, true, 0, "stopped before"},
			"a fault at once":        {nil, modeltest.Behaviour{End: modeltest.Fault}, model.Server, true, 0, at + " reported an error"},
			"a fault in the middle":  {nil, modeltest.Behaviour{End: modeltest.Fault, After: 3}, model.Server, true, 0, at + " reported an error"},
			"no word":                {nil, modeltest.Behaviour{Text: text(" \n")}, model.Empty, false, 0, "gave an empty answer"},
			"a redirect":             {nil, modeltest.Behaviour{Status: 307, Header: http.Header{"Location": {"/elsewhere"}}, Body: " "}, model.Unreadable, false, 0, setting + ".base_url"},
			"a web page":             {nil, modeltest.Behaviour{Status: 200, Body: "<html>Welcome</html>"}, model.Unreadable, false, 0, setting + ".base_url"},
			"an empty 200":           {nil, modeltest.Behaviour{Status: 200, Body: " "}, model.Unreadable, false, 0, setting + ".base_url"},
			"404 without a model":    {nil, modeltest.Behaviour{Status: 404, Body: "404 page not found"}, model.Unreadable, false, 0, setting + ".base_url"},
			"a line beyond measure":  {nil, modeltest.Behaviour{Status: 200, Body: strings.Repeat("x", 2<<20)}, model.Unreadable, false, 0, setting + ".base_url"},
			"a stream of other JSON": {nil, modeltest.Behaviour{Status: 200, Body: `{"status":"ok"}` + "\n"}, model.Unreadable, false, 0, setting + ".base_url"},
		} {
			t.Run(name, func(t *testing.T) {
				fake := c.fake
				if fake == nil {
					fake = &modeltest.Server{}
				}
				fake.Next(c.behaviour)
				_, err := ask(t.Context(), engine(t, serveAs(t, provider, fake)), nil)
				var failed *model.Error
				if !errors.As(err, &failed) {
					t.Fatalf("error %v, want a *model.Error", err)
				}
				if failed.Class != c.class || failed.Retryable() != c.retryable || failed.Provider != provider {
					t.Errorf("%v: class %s of %s, retryable %t; want %s, %t", err, failed.Class, failed.Provider, failed.Retryable(), c.class, c.retryable)
				}
				if failed.RetryAfter != c.wait {
					t.Errorf("retry after %s, want %s", failed.RetryAfter, c.wait)
				}
				if !strings.Contains(failed.Advice("").Sentence(), c.sentence) {
					t.Errorf("sentence %q, want %q in it", failed.Advice("").Sentence(), c.sentence)
				}
				for e := err; e != nil; e = errors.Unwrap(e) {
					for _, secret := range []string{key, question, "sk-", "prompt is too long", "Overloaded"} {
						if strings.Contains(e.Error()+failed.Advice("").Sentence(), secret) {
							t.Errorf("error %q tells %q", e, secret)
						}
					}
				}
				if n := len(fake.Requests()); n > 1 {
					t.Errorf("asked %d times, want once", n)
				}
			})
		}
	})
}

// Errors that only one provider reports, in its own words.
func TestWordsOfProviders(t *testing.T) {
	for name, c := range map[string]struct {
		provider string
		status   int
		body     string
		class    model.Class
		wait     time.Duration
		request  string
		param    string
	}{
		"Google's delay": {"google", 429, `[{"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}]`,
			model.RateLimited, 34500 * time.Millisecond, "", ""},
		"Google's key":          {"google", 400, `[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]`, model.BadKey, 0, "", ""},
		"Google's permission":   {"google", 403, `[{"error":{"code":403,"message":"Denied.","status":"PERMISSION_DENIED"}}]`, model.BadKey, 0, "", ""},
		"Anthropic's account":   {"anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}`, model.NoCredit, 0, "", ""},
		"Anthropic's limit":     {"anthropic", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"Limit reached.","details":{"error_code":"enforced_spend_limit_reached"}}}`, model.NoCredit, 0, "", ""},
		"Anthropic's context":   {"anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"input length and ` + "`max_tokens`" + ` exceed context limit: 199000 + 4000 > 200000"}}`, model.TooLong, 0, "", ""},
		"Anthropic's filter":    {"anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Output blocked by content filtering policy"}}`, model.ContentRefused, 0, "", ""},
		"Anthropic's heat":      {"anthropic", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"` + "`temperature`" + ` is deprecated for this model."}}`, model.Refused, 0, "", "temperature"},
		"Anthropic's path":      {"anthropic", 404, `{"type":"error","error":{"type":"not_found_error","message":"Not found"}}`, model.Unreadable, 0, "", ""},
		"Mistral's field":       {"mistral", 422, `{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","stream_options","include_usage"],"msg":"Extra inputs are not permitted"}]},"type":"invalid_request_error","param":null,"code":null}`, model.Refused, 0, "", "stream_options"},
		"Mistral's model":       {"mistral", 400, `{"object":"error","message":"Invalid model: x","type":"invalid_model","param":null,"code":"1500"}`, model.UnknownModel, 0, "", ""},
		"Ollama's full queue":   {"ollama", 503, `{"error":"server busy, please try again. maximum pending requests exceeded"}`, model.Server, 0, "", ""},
		"Ollama's missing pull": {"ollama", 404, `{"error":"model 'llama9' not found"}`, model.UnknownModel, 0, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			fake := &modeltest.Server{}
			fake.Next(modeltest.Behaviour{Status: c.status, Body: c.body})
			_, err := ask(t.Context(), engine(t, serveAs(t, c.provider, fake)), nil)
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Class != c.class || failed.RetryAfter != c.wait || failed.Param != c.param || failed.Status != c.status {
				t.Errorf("error %v, want %s after %s because of %q", err, c.class, c.wait, c.param)
			}
		})
	}
}

func TestRequestIDs(t *testing.T) {
	for provider, want := range map[string]string{"openai": "req_000001", "mistral": "req_000001", "anthropic": "req_000001", "google": "", "ollama": ""} {
		fake := &modeltest.Server{}
		fake.Next(modeltest.Behaviour{Status: 500})
		_, err := ask(t.Context(), engine(t, serveAs(t, provider, fake)), nil)
		var failed *model.Error
		if !errors.As(err, &failed) || failed.RequestID != want {
			t.Errorf("%s: error %v, want the request %q", provider, err, want)
		}
	}
}

func TestEveryProvidersSilence(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		for name, c := range map[string]struct {
			after       int
			first, idle time.Duration
		}{
			"before the first token": {0, 30 * time.Millisecond, time.Minute},
			"in mid-stream":          {2, time.Minute, 30 * time.Millisecond},
		} {
			fake := &modeltest.Server{}
			fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: c.after})
			cfg := serveAs(t, provider, fake)
			cfg.FirstTokenTimeout, cfg.IdleTimeout = c.first, c.idle
			_, err := ask(t.Context(), engine(t, cfg), nil)
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Class != model.Timeout || !failed.Retryable() {
				t.Errorf("%s: error %v, want a timeout", name, err)
			}
		}
	})
}

// The provider's call ends with ours; otherwise this test would not end.
func TestEveryProviderIsStopped(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		for name, after := range map[string]int{"before the first token": 0, "in mid-stream": 2} {
			t.Run(name, func(t *testing.T) {
				fake := &modeltest.Server{}
				fake.Next(modeltest.Behaviour{End: modeltest.Hang, After: after})
				reached, gone := make(chan struct{}), make(chan struct{})
				cfg := serveAs(t, provider, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					close(reached)
					fake.ServeHTTP(w, r)
					close(gone)
				}))
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				if after == 0 {
					go func() { <-reached; stop() }()
				}
				pieces := 0
				_, err := ask(ctx, engine(t, cfg), func(string) error {
					if pieces++; pieces == after {
						stop()
					}
					return nil
				})
				var failed *model.Error
				if !errors.Is(err, context.Canceled) || errors.As(err, &failed) {
					t.Errorf("error %v, want context.Canceled and no failure of the model", err)
				}
				<-gone
			})
		}
	})
}

// langchaingo's reader of Anthropic's stream would wait for ever if nobody received its second
// error.
func TestFaultLeavesNothingBehind(t *testing.T) {
	fake := &modeltest.Server{}
	e := engine(t, serveAs(t, "anthropic", fake))
	for range 5 {
		fake.Next(modeltest.Behaviour{End: modeltest.Fault, After: 3})
		if _, err := ask(t.Context(), e, nil); err == nil {
			t.Fatal("no error")
		}
	}
	stacks := make([]byte, 1<<20)
	for deadline := time.Now().Add(10 * time.Second); ; runtime.Gosched() {
		left := strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "parseStreamingMessageResponse")
		if left == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d readers are left", left)
		}
	}
}

// An event that this version does not know must not reach the log with its text.
func TestUnknownEventIsSkipped(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: `event: message_start
data: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":3,"output_tokens":1}}}

event: thought
data: {"type":"thought","text":"secret"}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Yes."}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

`})
	logged := captureLog(t)
	reply, err := ask(t.Context(), engine(t, serveAs(t, "anthropic", fake)), nil)
	if err != nil || reply.Text != "Yes." || reply.InputTokens != 3 || reply.OutputTokens != 2 {
		t.Errorf("reply %+v, error %v", reply, err)
	}
	if got := logged(); got != "" {
		t.Errorf("logged %q", got)
	}
}

// The reasoning that a model sends before its answer is not part of the answer, but it is not
// silence either.
func TestOllamaThinks(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{Status: 200, Body: `{"model":"m","message":{"role":"assistant","content":"","thinking":"Hm."},"done":false}
{"model":"m","message":{"role":"assistant","content":"Yes."},"done":false}
{"model":"m","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"eval_count":4}
`})
	reply, err := ask(t.Context(), engine(t, serveAs(t, "ollama", fake)), nil)
	// It does not count the tokens of a cached prompt.
	if err != nil || reply.Text != "Yes." || !reply.Estimated || reply.InputTokens == 0 {
		t.Errorf("reply %+v, error %v", reply, err)
	}
}

func TestEveryProvidersList(t *testing.T) {
	each(t, func(t *testing.T, provider string) {
		for name, c := range map[string]struct {
			fake  *modeltest.Server
			class model.Class // empty: it must pass
			said  string
		}{
			"offered":   {&modeltest.Server{Models: []string{"a", "stand-in"}}, "", ""},
			"withdrawn": {&modeltest.Server{Models: []string{"a", "b"}}, model.UnknownModel, "Change model.providers." + provider + ".name."},
			"wrong key": {&modeltest.Server{Key: "another"}, model.BadKey, "Check model.providers." + provider + ".key."},
		} {
			err := model.CheckModel(t.Context(), serveAs(t, provider, c.fake))
			var failed *model.Error
			errors.As(err, &failed)
			if c.class == "" && err != nil || c.class != "" && (failed == nil || failed.Class != c.class || !strings.Contains(failed.Advice("").Sentence(), c.said)) {
				t.Errorf("%s: error %v, want %s that says %q", name, err, c.class, c.said)
			}
		}
		noList := httptest.NewServer(http.NotFoundHandler())
		defer noList.Close()
		if err := model.CheckModel(t.Context(), model.Config{Provider: provider, BaseURL: noList.URL, Model: "m"}); err != nil {
			t.Errorf("a server that keeps no list: %v", err)
		}
	})
}
