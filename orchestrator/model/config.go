package model

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Config says which model to ask, and how.
type Config struct {
	Provider string // one of Providers; empty: "openai"
	Settings string // where these settings are, for error messages; empty: "model"
	BaseURL  string // empty: the provider's usual address
	Key      string // empty: none is sent
	Model    string
	// number of tokens that fit into the model, including its answer; 0: the usual size for this provider, or 32,768
	// at another address
	ContextTokens int
	MaxTokens     int      // maximum length of an answer if the request sets none; 0: 2,000
	Temperature   *float64 // used if the request sets none; nil: the provider's default

	PriceInput, PriceOutput int64 // in paise per million tokens; both 0: unknown

	CallsPerMinute int // how many calls of all processes together the provider takes; 0: any number

	FirstTokenTimeout time.Duration // wait until the model starts to write; 0: two minutes
	IdleTimeout       time.Duration // longest pause after that; 0: one minute
}

// New returns the engine for a configuration. OpenAI with neither a key nor a base URL means the offline engine. An
// error names the setting to change.
func New(cfg Config) (Engine, error) {
	if cfg.Offline() {
		return Offline{}, nil
	}
	return newRemote(cfg)
}

// Offline reports whether this configuration stands for the offline engine.
func (c Config) Offline() bool {
	switch c.Provider {
	case "offline":
		return true
	case "", "openai":
		return !c.set()
	}
	return false
}

// set reports whether a key or an address is configured.
func (c Config) set() bool {
	return strings.TrimSpace(c.Key) != "" || strings.TrimSpace(c.BaseURL) != ""
}

// InputTokens returns how many tokens (as counted by EstimateTokens) the messages of a request may have if its answer
// may have maxTokens (0: the configured limit). A longer text must be sent in parts. 0 means no limit.
func (c Config) InputTokens(maxTokens int) int {
	if c.Offline() {
		return 0
	}
	c = c.withDefaults()
	if maxTokens == 0 {
		maxTokens = c.MaxTokens
	}
	const framing = 64 // what a provider adds around the messages
	return max(1, c.ContextTokens-maxTokens-framing)
}

// CheckModel asks the provider whether it offers the configured model. The error is an *Error whose sentence names
// what to change: the model, the key or the address. A provider without a list of models passes, and so does the
// offline engine.
func CheckModel(ctx context.Context, cfg Config) error {
	if cfg.Offline() {
		return nil
	}
	engine, err := newRemote(cfg)
	if err != nil {
		return err
	}
	return engine.checkModel(ctx)
}

// Paid reports whether answers cost money: those of the offline engine and of a server on this machine do not.
func (c Config) Paid() bool { return c.Provider != "offline" && !loopbackHost(c.Host()) }

// Host returns the provider's host, to show to people.
func (c Config) Host() string {
	base, err := url.Parse(c.withDefaults().BaseURL)
	if err != nil {
		return ""
	}
	return base.Host
}

// cost returns the cost of tokens in paise, or nil if the prices are unknown.
func (c Config) cost(input, output int) *int64 {
	if c.PriceInput == 0 && c.PriceOutput == 0 {
		return nil
	}
	const million = 1_000_000
	paise := (int64(input)*c.PriceInput + int64(output)*c.PriceOutput + million - 1) / million
	return &paise
}

// title returns the provider's name for a sentence. At an address other than OpenAI's, the provider is unknown.
func (c Config) title() string {
	if c.Provider == "openai" && c.BaseURL != openAI {
		return "The model provider"
	}
	return providers()[c.Provider].title
}

func (c Config) withDefaults() Config {
	c.Provider = strings.TrimSpace(c.Provider)
	c.Key = strings.TrimSpace(c.Key)
	c.Model = strings.TrimSpace(c.Model)
	c.BaseURL = strings.TrimRight(strings.TrimSpace(c.BaseURL), "/")
	if c.Provider == "" {
		c.Provider = "openai"
	}
	if c.Settings == "" {
		c.Settings = "model"
	}
	p := providers()[c.Provider]
	if c.BaseURL == "" {
		c.BaseURL = p.base
	}
	if c.ContextTokens == 0 {
		c.ContextTokens = 32_768 // an assumption; the operator can configure more or less
		if c.BaseURL == p.base {
			c.ContextTokens = p.context
		}
	}
	if c.MaxTokens == 0 {
		c.MaxTokens = 2000
	}
	if c.FirstTokenTimeout == 0 {
		c.FirstTokenTimeout = 2 * time.Minute
	}
	if c.IdleTimeout == 0 {
		c.IdleTimeout = time.Minute
	}
	return c
}

// validate checks a configuration whose defaults are filled in. Error messages never contain the key.
func (c Config) validate() error {
	p, known := providers()[c.Provider]
	example := p.base
	if example == "" {
		example = "http://127.0.0.1:8000/v1"
	}
	base, err := url.Parse(c.BaseURL)
	bad := func(format string, args ...any) error { return fmt.Errorf(c.Settings+"."+format, args...) }
	switch {
	case !known:
		return fmt.Errorf("model.provider is %q: use one of %s", c.Provider, strings.Join(Providers(), ", "))
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return bad("base_url is not an address such as %s", example)
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return bad("base_url must be a plain address such as %s; a key belongs in %s.key", example, c.Settings)
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return bad("key holds a character that no key has: copy it again")
	case c.Key == "" && c.BaseURL == p.base && !p.local:
		return bad("key is empty: %s needs one", p.title)
	case c.Model == "":
		return bad("name is empty: name a model that %s offers", base.Host)
	case c.MaxTokens < 0 || c.ContextTokens <= c.MaxTokens:
		return bad("context_tokens (%d) must be more than max_tokens (%d)", c.ContextTokens, c.MaxTokens)
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > p.hottest):
		return bad("temperature is %g: use 0 to %g, or \"unset\"", *c.Temperature, p.hottest)
	case c.PriceInput < 0 || c.PriceOutput < 0:
		return bad("price_input and price_output cannot be negative")
	case c.FirstTokenTimeout < 0 || c.IdleTimeout < 0:
		return fmt.Errorf("model timeouts cannot be negative")
	}
	return nil
}
