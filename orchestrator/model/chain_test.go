package model_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"munshi/orchestrator/model"
	"munshi/orchestrator/model/modeltest"
)

// pair is a chain of two providers, each with its own stand-in, and a third that only prompts name.
func pair(t *testing.T, log *bytes.Buffer) (first, second, third *modeltest.Server, chain model.Chain) {
	t.Helper()
	say := func(who string) func(modeltest.Request) string { return func(modeltest.Request) string { return who } }
	first, second, third = &modeltest.Server{Answer: say("first")}, &modeltest.Server{Answer: say("second")}, &modeltest.Server{Answer: say("third")}
	chain = model.Chain{Order: []string{"anthropic", "mistral"}, Providers: map[string]model.Config{
		"anthropic": serveAs(t, "anthropic", first), "mistral": serveAs(t, "mistral", second), "ollama": serveAs(t, "ollama", third),
		"google": {Provider: "google", Settings: "model.providers.google"}, // not configured
	}}
	if log != nil {
		chain.Log = slog.New(slog.NewTextHandler(log, nil))
	}
	return first, second, third, chain
}

func open(t *testing.T, c model.Chain) model.Engine {
	t.Helper()
	e, err := c.Open()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestChain(t *testing.T) {
	refused := modeltest.Behaviour{Status: 401}
	broken := modeltest.Behaviour{Status: 500}
	none := []string{}
	for name, c := range map[string]struct {
		request       model.Request
		first, second []modeltest.Behaviour
		text          string      // the expected answer
		class         model.Class // or the expected failure
		provider      string      // the provider that failed
	}{
		"the first answers":                   {text: "first"},
		"a refused key":                       {first: []modeltest.Behaviour{refused}, text: "second"},
		"an unknown model":                    {first: []modeltest.Behaviour{{Status: 404}}, text: "second"},
		"a refused request":                   {first: []modeltest.Behaviour{{Status: 400}}, text: "second"},
		"a fault":                             {first: []modeltest.Behaviour{broken}, class: model.Server, provider: "anthropic"},
		"a fault, a second time":              {request: model.Request{Attempt: 2}, first: []modeltest.Behaviour{broken}, class: model.Server, provider: "anthropic"},
		"the third attempt":                   {request: model.Request{Attempt: 3}, text: "second"},
		"the third attempt fails, too":        {request: model.Request{Attempt: 3}, second: []modeltest.Behaviour{broken}, class: model.Server, provider: "mistral"},
		"the third attempt is refused":        {request: model.Request{Attempt: 3}, second: []modeltest.Behaviour{refused}, text: "first"},
		"the fifth attempt":                   {request: model.Request{Attempt: 5}, text: "first"},
		"a short wait":                        {first: []modeltest.Behaviour{modeltest.RateLimited("60")}, class: model.RateLimited, provider: "anthropic"},
		"a long wait":                         {first: []modeltest.Behaviour{modeltest.RateLimited("61")}, text: "second"},
		"a long wait, and the second refuses": {first: []modeltest.Behaviour{modeltest.RateLimited("61")}, second: []modeltest.Behaviour{refused}, class: model.RateLimited, provider: "anthropic"},
		"a content refusal":                   {first: []modeltest.Behaviour{{Finish: "content_filter", Text: text("")}}, class: model.ContentRefused, provider: "anthropic"},
		"a content refusal in mid-text":       {first: []modeltest.Behaviour{{Finish: "content_filter"}}, class: model.ContentRefused, provider: "anthropic"},
		"cut after some text":                 {first: []modeltest.Behaviour{{End: modeltest.Cut, After: 1}}, class: model.Cut, provider: "anthropic"},
		"both refuse":                         {first: []modeltest.Behaviour{refused}, second: []modeltest.Behaviour{{Status: 402}}, class: model.BadKey, provider: "anthropic"},
		"refused, then a fault":               {first: []modeltest.Behaviour{refused}, second: []modeltest.Behaviour{broken}, class: model.Server, provider: "mistral"},
		"a prompt's provider":                 {request: model.Request{Provider: "ollama"}, text: "third"},
		"a prompt's own order":                {request: model.Request{Provider: "mistral", Fallback: []string{"anthropic"}}, text: "second"},
		"a prompt's fallback":                 {request: model.Request{Fallback: []string{"ollama"}}, first: []modeltest.Behaviour{refused}, text: "third"},
		"a prompt without a fallback":         {request: model.Request{Fallback: none}, first: []modeltest.Behaviour{refused}, class: model.BadKey, provider: "anthropic"},
		"a prompt without one, third attempt": {request: model.Request{Fallback: none, Attempt: 3}, text: "first"},
		"a prompt's provider is not set up":   {request: model.Request{Provider: "google"}, text: "first"},
		"not set up, and no fallback":         {request: model.Request{Provider: "google", Fallback: none}, class: model.NotConfigured, provider: "google"},
		"the offline engine at the end":       {request: model.Request{Fallback: []string{"offline"}}, first: []modeltest.Behaviour{refused}, text: "**No language model is configured"},
		"a prompt for the offline engine":     {request: model.Request{Provider: "offline"}, text: "**No language model is configured"},
		"a model of the prompt's":             {request: model.Request{Model: "special"}, text: "first"},
		"a model of the prompt's is for one":  {request: model.Request{Model: "special"}, first: []modeltest.Behaviour{{Status: 404}}, text: "second"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			first, second, _, chain := pair(t, &log)
			first.Next(c.first...)
			second.Next(c.second...)
			c.request.Prompt, c.request.Messages = "notice/chat", []model.Message{{Role: model.User, Text: question}}
			var streamed strings.Builder
			reply, err := open(t, chain).Generate(t.Context(), c.request, func(s string) error { streamed.WriteString(s); return nil })
			if c.class == "" {
				if err != nil || !strings.HasPrefix(reply.Text, c.text) || reply.Text != streamed.String() {
					t.Errorf("%q, streamed %q, error %v; want %q", reply.Text, streamed.String(), err, c.text)
				}
				if c.request.Model != "" && c.text == "second" && second.Requests()[0].Model != "stand-in" {
					t.Errorf("the second was asked for %q", second.Requests()[0].Model)
				}
				return
			}
			var failed *model.Error
			if !errors.As(err, &failed) || failed.Class != c.class || failed.Provider != c.provider {
				t.Errorf("error %v, want %s of %s", err, c.class, c.provider)
			}
			if n := len(first.Requests()) + len(second.Requests()); n > 2 {
				t.Errorf("asked %d times", n)
			}
			if strings.Contains(log.String(), question) || strings.Contains(log.String(), key) {
				t.Errorf("log %s", &log)
			}
		})
	}
}

// The log tells the operator that the first provider fails, although answers arrive.
func TestChainTellsWhyItWentOn(t *testing.T) {
	var log bytes.Buffer
	first, _, _, chain := pair(t, &log)
	first.Next(modeltest.Behaviour{Status: 401})
	if reply, err := ask(t.Context(), open(t, chain), nil); err != nil || reply.Provider != "mistral" || reply.Model != "stand-in" {
		t.Fatalf("reply %+v, error %v", reply, err)
	}
	if !strings.Contains(log.String(), "provider=anthropic") || !strings.Contains(log.String(), "Check model.providers.anthropic.key") {
		t.Errorf("log %s", &log)
	}
}

// A provider whose model accepts less text is skipped if the text is too long.
func TestChainPassesOverAShortContext(t *testing.T) {
	first, second, third, chain := pair(t, nil)
	first.Next(modeltest.Behaviour{Status: 401})
	small := chain.Providers["mistral"]
	small.ContextTokens, small.MaxTokens = 120, 40
	chain.Providers["mistral"] = small
	chain.Order = append(chain.Order, "ollama")
	reply, err := open(t, chain).Generate(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: strings.Repeat("word ", 100)}}}, nil)
	if err != nil || reply.Text != "third" || len(second.Requests()) != 0 || len(third.Requests()) != 1 {
		t.Errorf("reply %+v, error %v", reply, err)
	}
}

func TestChainSettings(t *testing.T) {
	_, _, third, chain := pair(t, nil)
	third.Models = []string{"other"}
	if chain.Offline() || chain.First().Provider != "anthropic" || chain.First().Host() == "" {
		t.Errorf("first %+v", chain.First())
	}
	if a, o := chain.Room(model.Request{}), chain.Room(model.Request{Provider: "ollama", MaxTokens: 1000}); a != 32_768-2000-64 || o != 32_768-1000-64 {
		t.Errorf("room %d and %d", a, o)
	}
	wrong := chain.Check(t.Context())
	var failed *model.Error
	if len(wrong) != 1 || !errors.As(wrong["ollama"], &failed) || failed.Class != model.UnknownModel {
		t.Errorf("check: %v", wrong)
	}
	for want, change := range map[string]func(*model.Chain){
		`there is no model provider "gogle"`: func(c *model.Chain) { c.Order = append(c.Order, "gogle") },
		`there is no model provider "opnai"`: func(c *model.Chain) { c.Providers["opnai"] = model.Config{} },
		"model.providers.google.key":         func(c *model.Chain) { c.Order = append(c.Order, "google") },
		"model.providers.mistral.name":       func(c *model.Chain) { p := c.Providers["mistral"]; p.Model = ""; c.Providers["mistral"] = p },
	} {
		_, _, _, chain := pair(t, nil)
		change(&chain)
		if _, err := chain.Open(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for _, offline := range []model.Chain{{}, {Order: []string{"offline"}}, {Order: []string{"openai"}, Providers: map[string]model.Config{"openai": {Provider: "openai", Model: "m"}}}} {
		e, err := offline.Open()
		if err != nil {
			t.Fatal(err)
		}
		reply, err := e.Generate(t.Context(), model.Request{Provider: "anthropic", Attempt: 3}, nil)
		if err != nil || reply.Model != "offline" || !offline.Offline() || offline.Room(model.Request{}) != 0 || len(offline.Check(t.Context())) != 0 {
			t.Errorf("%+v: reply %+v, error %v", offline, reply, err)
		}
	}
}
