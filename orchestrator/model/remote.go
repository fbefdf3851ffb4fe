package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// remote asks a provider through langchaingo. It always streams, since only a stream shows whether the provider is
// still working.
type remote struct {
	config   Config
	provider provider
	host     string
	http     *http.Client
	llm      llms.Model
}

func newRemote(cfg Config) (*remote, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	p := providers()[cfg.Provider]
	base, err := url.Parse(cfg.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("%s.base_url: %w", cfg.Settings, err)
	}
	wire := http.DefaultTransport.(*http.Transport).Clone()
	wire.MaxIdleConnsPerHost = 64
	wire.DisableCompression = true // some proxies hold back a compressed stream
	client := &http.Client{
		Transport: transport{base: wire, provider: p, key: cfg.Key},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirected POST would lose its body, or send the key elsewhere
		},
	}
	llm, err := p.open(cfg, client)
	if err != nil {
		return nil, fmt.Errorf("open the model client: %w", err)
	}
	return &remote{config: cfg, provider: p, host: base.Host, http: client, llm: llm}, nil
}

var errSilence = errors.New("the model is silent")

// Generate implements Engine.
func (e *remote) Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
	name := req.Model
	if name == "" {
		name = e.config.Model
	}
	temperature := req.Temperature
	if temperature == nil {
		temperature = e.config.Temperature
	}
	exchange := &exchange{noTemperature: temperature == nil}
	call, cancel := context.WithCancelCause(exchange.attach(ctx))
	defer cancel(nil)
	alarm := time.AfterFunc(e.config.FirstTokenTimeout, func() { cancel(errSilence) })
	defer alarm.Stop()

	var text strings.Builder
	var refusal error
	// Ollama sends nothing before the model works, and empty pieces while it thinks
	begun := e.config.Provider == "ollama"
	take := func(reasoning, chunk []byte) error {
		if len(reasoning) > 0 || len(chunk) > 0 {
			begun = true
		}
		if !begun || !alarm.Stop() { // too late: the call is being cancelled
			return nil
		}
		piece := strings.ReplaceAll(string(chunk), "\x00", "") // text columns cannot store it
		text.WriteString(piece)
		if piece != "" && onText != nil {
			if refusal = onText(piece); refusal != nil {
				return refusal
			}
		}
		alarm.Reset(e.config.IdleTimeout)
		return nil
	}
	_, err := e.llm.GenerateContent(call, contents(req.Messages), e.options(req, name, temperature, take)...)

	// After a cancellation or a broken stream, langchaingo returns the text so far without an error, and it hides
	// causes. So the order of these checks matters.
	var spent Reply // the text received so far has to be paid for
	if name == e.config.Model && exchange.answered() {
		spent.Paise = e.config.cost(estimate(req.Messages), EstimateTokens(text.String()))
	}
	if refusal != nil {
		return spent, fmt.Errorf("take the model's text: %w", refusal)
	}
	if ctx.Err() != nil {
		return spent, fmt.Errorf("ask the model: %w", ctx.Err())
	}
	if failed := e.failure(exchange, name, context.Cause(call), err); failed != nil {
		return spent, failed
	}
	reply := exchange.reply()
	reply.Text, reply.Provider = text.String(), e.config.Provider
	if reply.Model == "" {
		reply.Model = name
	}
	if reply.InputTokens == 0 {
		reply.Estimated = true
		reply.InputTokens = estimate(req.Messages)
		reply.OutputTokens = EstimateTokens(reply.Text)
	}
	if name == e.config.Model {
		reply.Paise = e.config.cost(reply.InputTokens, reply.OutputTokens)
	}
	if strings.TrimSpace(reply.Text) == "" {
		return Reply{Paise: reply.Paise}, e.fault(Empty)
	}
	return reply, nil
}

func (e *remote) options(req Request, name string, temperature *float64,
	take func(reasoning, chunk []byte) error) []llms.CallOption {
	limit := req.MaxTokens
	if limit == 0 {
		limit = e.config.MaxTokens
	}
	options := []llms.CallOption{llms.WithModel(name), llms.WithMaxTokens(limit)}
	if temperature != nil {
		options = append(options, llms.WithTemperature(*temperature))
	}
	if _, ok := e.llm.(*openai.LLM); !ok {
		return append(options, llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			return take(nil, chunk)
		}))
	}
	if !newTokenLimit(e.config, name) {
		options = append(options, openai.WithLegacyMaxTokensField())
	}
	return append(options, llms.WithStreamingReasoningFunc(func(_ context.Context, reasoning, chunk []byte) error {
		return take(reasoning, chunk)
	}))
}

// contents joins consecutive system messages: Anthropic accepts only one, and langchaingo would join them without a
// gap.
func contents(messages []Message) []llms.MessageContent {
	roles := map[Role]llms.ChatMessageType{
		System:    llms.ChatMessageTypeSystem,
		User:      llms.ChatMessageTypeHuman,
		Assistant: llms.ChatMessageTypeAI,
	}
	var parts []llms.MessageContent
	for i, m := range messages {
		text := m.Text
		if m.Role == System && i > 0 && messages[i-1].Role == System {
			text = "\n\n" + text
			last := &parts[len(parts)-1]
			last.Parts[0] = llms.TextPart(last.Parts[0].(llms.TextContent).Text + text)
			continue
		}
		parts = append(parts, llms.TextParts(roles[m.Role], text))
	}
	return parts
}

// failure returns the error of a finished exchange, or nil if the answer is complete. cause is why we ended the call,
// nil if we did not.
func (e *remote) failure(x *exchange, model string, cause, err error) *Error {
	x.mu.Lock()
	defer x.mu.Unlock()
	failed := e.fault("")
	failed.Model = model
	failed.Status, failed.RetryAfter, failed.RequestID = x.status, x.retryAfter, x.requestID
	failed.Code, failed.Param = x.failure.code, x.failure.param
	if failed.Code == "" {
		failed.Code = x.failure.kind
	}
	switch {
	case cause != nil:
		failed.Class = Timeout
	case x.status == 0:
		failed.Class, failed.wire = Network, x.wire
	case x.status != http.StatusOK:
		failed.Class = x.classify()
	case x.failure.found:
		if failed.Class = x.failure.class(); failed.Class == "" {
			failed.Class = Server
		}
	case x.ending() != "":
		failed.Class = x.ending()
	case errors.Is(err, bufio.ErrTooLong), !x.streamed && (x.ended || x.foreign):
		failed.Class = Unreadable
	case x.broken, x.finish == "", err != nil && !x.done:
		failed.Class = Cut
	default:
		return nil
	}
	return failed
}

// fault returns an error of this provider.
func (e *remote) fault(class Class) *Error {
	return &Error{Class: class, Model: e.config.Model, Provider: e.config.Provider, settings: e.config.Settings,
		host: e.host, title: e.config.title(), example: e.provider.base}
}

// checkModel asks the provider for the configured model, or for its list of models.
func (e *remote) checkModel(ctx context.Context) error {
	exchange := &exchange{}
	call, cancel := context.WithTimeoutCause(exchange.attach(ctx), 15*time.Second, errSilence)
	defer cancel()
	req, err := http.NewRequestWithContext(call, http.MethodGet, listURL(e.config, e.provider), nil)
	if err != nil {
		return fmt.Errorf("ask for the models: %w", err)
	}
	var body []byte
	resp, err := e.http.Do(req)
	if err == nil {
		defer resp.Body.Close()
		body, err = io.ReadAll(io.LimitReader(resp.Body, 8<<20))
	}
	if ctx.Err() != nil {
		return fmt.Errorf("ask for the models: %w", ctx.Err())
	}
	failed := e.fault(UnknownModel)
	failed.Status = exchange.status
	switch exchange.status {
	case http.StatusOK:
		found, readable := offered(body, e.config.Model)
		if found {
			return nil
		}
		if !readable || err != nil {
			failed.Class = Unreadable
		}
		return failed
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		if strings.Contains(e.provider.list, "{model}") && exchange.classify() == UnknownModel {
			return failed
		}
		return nil // it has no list of models
	}
	return e.failure(exchange, e.config.Model, context.Cause(call), err)
}
