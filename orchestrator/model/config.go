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
	Provider      string // "openai" (the default: OpenAI and anything compatible) or "offline"
	BaseURL       string // empty: OpenAI's own
	Key           string // empty: none is sent
	Model         string
	ContextTokens int      // what the model takes at once, its answer included; 0: 128,000 at OpenAI, else 32,768
	MaxTokens     int      // the longest answer when a request sets no limit; 0: 2,000
	Temperature   *float64 // when a request sets none; nil: left to the provider

	FirstTokenTimeout time.Duration // until the model begins to write; 0: two minutes
	IdleTimeout       time.Duration // the longest silence after that; 0: one minute
}

const openAI = "https://api.openai.com/v1"

// New makes the engine that the configuration names. With neither a key nor a
// base URL it is the offline engine. The error names the setting to mend.
func New(cfg Config) (Engine, error) {
	if cfg.Offline() {
		return Offline{}, nil
	}
	return newOpenAI(cfg)
}

// Offline tells whether this configuration means the offline engine.
func (c Config) Offline() bool {
	return c.Provider == "offline" || strings.TrimSpace(c.Key) == "" && strings.TrimSpace(c.BaseURL) == ""
}

// InputTokens tells how many tokens (as EstimateTokens counts) the messages of
// a request may have when its answer may have maxTokens (0: the configured
// limit). A longer text must be given in parts. 0 means that there is no limit.
func (c Config) InputTokens(maxTokens int) int {
	if c.Offline() {
		return 0
	}
	c = c.withDefaults()
	if maxTokens == 0 {
		maxTokens = c.MaxTokens
	}
	const framing = 64 // what a provider puts around the messages
	return max(1, c.ContextTokens-maxTokens-framing)
}

// CheckModel asks the provider whether it offers the configured model. The
// error is an *Error whose sentence names what to change: the model, the key or
// the address. A provider that keeps no list of models passes, and so does the
// offline engine.
func CheckModel(ctx context.Context, cfg Config) error {
	if cfg.Offline() {
		return nil
	}
	engine, err := newOpenAI(cfg)
	if err != nil {
		return err
	}
	return engine.checkModel(ctx)
}

func (c Config) withDefaults() Config {
	c.Provider = strings.TrimSpace(c.Provider)
	c.Key = strings.TrimSpace(c.Key)
	c.Model = strings.TrimSpace(c.Model)
	c.BaseURL = strings.TrimRight(strings.TrimSpace(c.BaseURL), "/")
	if c.Provider == "" {
		c.Provider = "openai"
	}
	if c.BaseURL == "" {
		c.BaseURL = openAI
	}
	if c.ContextTokens == 0 {
		c.ContextTokens = 32_768 // a server that takes less should say so; Ollama cuts the prompt without a word
		if c.BaseURL == openAI {
			c.ContextTokens = 128_000
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

// validate expects the defaults to be filled in. No message repeats the key.
func (c Config) validate() error {
	base, err := url.Parse(c.BaseURL)
	switch {
	case c.Provider != "openai":
		return fmt.Errorf("model.provider is %q: use \"openai\" or \"offline\"", c.Provider)
	case err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https":
		return fmt.Errorf("model.base_url is not an address such as %s", openAI)
	case base.User != nil || base.RawQuery != "" || base.Fragment != "":
		return fmt.Errorf("model.base_url must be a plain address such as %s; a key belongs in model.key", openAI)
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("model.key holds a character that no key has: copy it again")
	case c.Model == "":
		return fmt.Errorf("model.name is empty: name a model that %s offers", base.Host)
	case c.MaxTokens < 0 || c.ContextTokens <= c.MaxTokens:
		return fmt.Errorf("model.context_tokens (%d) must be more than model.max_tokens (%d)", c.ContextTokens, c.MaxTokens)
	case c.Temperature != nil && (*c.Temperature < 0 || *c.Temperature > 2):
		return fmt.Errorf("model.temperature is %g: use 0 to 2, or leave it out", *c.Temperature)
	case c.FirstTokenTimeout < 0 || c.IdleTimeout < 0:
		return fmt.Errorf("model timeouts cannot be negative")
	}
	return nil
}
