package model

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Chain says which providers are configured and in which order they are asked.
type Chain struct {
	Providers map[string]Config // by name
	Order     []string          // the first to ask, then those to ask when it fails; empty: the offline engine

	// number of attempts at a provider with a temporary fault before the next one is asked; 0: two
	Patience int
	// a provider that asks us to wait longer than this is skipped at once if there is another; 0: a minute
	LongWait time.Duration
	// computes the offline engine's answers to questions of law; nil: there are none
	Program Program
	// translates names in the law tables for the offline engine; nil: they stay in English
	Hindi func(english string) string
	Wrap  func(Config, Engine) Engine // wraps the engine of each provider, to observe it; nil: no wrapping
	Log   *slog.Logger
}

// Offline reports whether only the offline engine answers.
func (c Chain) Offline() bool {
	return len(c.Order) == 0 || c.Providers[c.Order[0]].Offline()
}

// First returns the settings of the first provider.
func (c Chain) First() Config {
	if c.Offline() {
		return Config{Provider: "offline"}
	}
	return c.Providers[c.Order[0]]
}

// Room returns how many tokens the messages of a request may have at the first provider; 0 means no limit.
func (c Chain) Room(req Request) int {
	name := c.names(req)[0]
	if name == "offline" {
		return 0
	}
	if cfg, ok := c.Providers[name]; ok {
		return cfg.InputTokens(req.MaxTokens)
	}
	return c.First().InputTokens(req.MaxTokens)
}

// names returns the providers to which a request is sent, in order.
func (c Chain) names(req Request) []string {
	if c.Offline() {
		return []string{"offline"}
	}
	names := slices.Clone(c.Order)
	if req.Fallback != nil {
		names = append(names[:1], req.Fallback...)
	}
	if req.Provider != "" {
		if req.Fallback != nil {
			names = names[1:]
		}
		names = append([]string{req.Provider}, names...)
	}
	var once []string
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// inUse returns the sorted names of the configured providers: those in the order, and others with a key or an address,
// which prompts may name.
func (c Chain) inUse() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		cfg := c.Providers[name]
		if cfg.Provider != "offline" && (cfg.set() || slices.Contains(c.Order, name)) {
			names = append(names, name)
		}
	}
	return names
}

// Open returns an engine that asks the providers of the chain. An error names the setting to change.
func (c Chain) Open() (Engine, error) {
	if c.Patience == 0 {
		c.Patience = 2
	}
	if c.LongWait == 0 {
		c.LongWait = time.Minute
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	for _, name := range slices.Concat(c.Order, slices.Collect(maps.Keys(c.Providers))) {
		if !slices.Contains(Providers(), name) {
			return nil, fmt.Errorf("there is no model provider %q (model.provider, model.fallback, model.providers): use %s", name, strings.Join(Providers(), ", "))
		}
	}
	if c.Wrap == nil {
		c.Wrap = func(_ Config, e Engine) Engine { return e }
	}
	offline := c.Wrap(Config{Provider: "offline", Model: "offline"}, Offline{Program: c.Program, Hindi: c.Hindi})
	if c.Offline() { // even if a prompt names a provider: nothing may leave the machine
		return offline, nil
	}
	engines := map[string]Engine{"offline": offline}
	for _, name := range c.inUse() {
		engine, err := newRemote(c.Providers[name])
		if err != nil {
			return nil, err
		}
		engines[name] = c.Wrap(c.Providers[name], engine)
	}
	return &chain{c, engines}, nil
}

// Recipient is a provider to which requests may be sent. Name is "" if only the host is known; Local means that it
// runs on this machine.
type Recipient struct {
	Name, Host string
	Local      bool
}

// Recipients returns the providers that may receive the texts of requests, the first one first; none if only the
// offline engine answers.
func (c Chain) Recipients() []Recipient {
	if c.Offline() {
		return nil
	}
	var all []Recipient
	for _, name := range slices.Concat(c.Order, c.inUse()) {
		cfg := c.Providers[name]
		if name == "offline" || !slices.Contains(c.inUse(), name) {
			continue
		}
		cfg = cfg.withDefaults()
		r := Recipient{Host: cfg.Host()}
		if p := providers()[cfg.Provider]; p.base != "" && cfg.BaseURL == p.base {
			r.Name = p.title
		}
		r.Local = loopbackHost(r.Host)
		if !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// loopbackHost reports whether a host, with or without a port, is this machine.
func loopbackHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Check asks every configured provider whether it offers its model, and returns the errors by provider.
func (c Chain) Check(ctx context.Context) map[string]error {
	wrong := map[string]error{}
	if c.Offline() {
		return wrong
	}
	for _, name := range c.inUse() {
		if err := CheckModel(ctx, c.Providers[name]); err != nil {
			wrong[name] = err
		}
	}
	return wrong
}

type chain struct {
	Chain
	engines map[string]Engine
}

// Generate implements Engine. If a provider fails for good, the next one is asked within the same attempt. If it has a
// temporary fault, the error is returned and the caller tries again; after Patience attempts the next provider is
// asked. So the number of the attempt alone decides which provider is asked first. If a content filter refuses a
// request, that counts as the answer: no other provider is asked.
func (c *chain) Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
	names := c.names(req)
	begin := max(0, req.Attempt-1) / c.Patience % len(names)
	var first error
	for i := range names {
		name := names[(begin+i)%len(names)]
		ask := req
		if name != names[0] {
			ask.Model = "" // the prompt's model is one of its first provider
		}
		if i > 0 && !c.fits(name, ask) {
			continue
		}
		written := false
		reply, err := c.generate(ctx, name, ask, func(s string) error {
			written = true
			if onText == nil {
				return nil
			}
			return onText(s)
		})
		var failed *Error
		if err == nil || !errors.As(err, &failed) {
			return reply, err
		}
		if first == nil {
			first = err
		}
		if written || failed.Class == ContentRefused ||
			failed.Retryable() && failed.RetryAfter <= c.LongWait && !failed.waited {
			return reply, err
		}
		if i+1 < len(names) {
			c.Log.Warn("a model provider failed; the next one is asked", "provider", name, "prompt", req.Prompt,
				"error", err, "sentence", failed.Advice("").Sentence())
		}
	}
	return Reply{}, first
}

func (c *chain) generate(ctx context.Context, name string, req Request, onText func(string) error) (Reply, error) {
	engine, ok := c.engines[name]
	if !ok {
		cfg := Config{Provider: name, Settings: "model.providers." + name}.withDefaults()
		return Reply{}, &Error{Class: NotConfigured, Provider: name, settings: cfg.Settings, title: cfg.title()}
	}
	return engine.Generate(ctx, req, onText)
}

// fits reports whether a later provider accepts a text of this length.
func (c *chain) fits(name string, req Request) bool {
	room := c.Providers[name].InputTokens(req.MaxTokens)
	return name == "offline" || c.engines[name] == nil || room == 0 || estimate(req.Messages) <= room
}
