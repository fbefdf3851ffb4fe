package model

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"
)

// openAIEngine asks OpenAI, or any server that speaks its chat completions,
// through langchaingo. It always streams, since only a stream shows whether the
// provider is still at work.
type openAIEngine struct {
	config Config
	host   string
	http   *http.Client
	llm    *openai.LLM
}

func newOpenAI(cfg Config) (*openAIEngine, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	base, err := url.Parse(cfg.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("model.base_url: %w", err)
	}
	wire := http.DefaultTransport.(*http.Transport).Clone()
	wire.MaxIdleConnsPerHost = 64
	wire.DisableCompression = true // some proxies hold a compressed stream back
	client := &http.Client{
		Transport: transport{base: wire, noKey: cfg.Key == ""},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a redirected POST would lose its body, or take the key elsewhere
		},
	}
	key := cfg.Key
	if key == "" {
		key = "none" // langchaingo insists on one; the transport does not send it
	}
	llm, err := openai.New(
		openai.WithToken(key),
		openai.WithBaseURL(cfg.BaseURL),
		openai.WithModel(cfg.Model),
		openai.WithOrganization(""), // or it would be read from the environment
		openai.WithHTTPClient(client),
	)
	if err != nil {
		return nil, fmt.Errorf("open the model client: %w", err)
	}
	return &openAIEngine{config: cfg, host: base.Host, http: client, llm: llm}, nil
}

var errSilence = errors.New("the model is silent")

// Generate implements Engine.
func (e *openAIEngine) Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
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
	begun := false
	options := append(e.options(req, name, temperature),
		llms.WithStreamingReasoningFunc(func(_ context.Context, reasoning, chunk []byte) error {
			if len(reasoning) > 0 || len(chunk) > 0 {
				begun = true
			}
			if !begun || !alarm.Stop() { // too late: the call is being cancelled
				return nil
			}
			piece := strings.ReplaceAll(string(chunk), "\x00", "") // no text column can hold it
			text.WriteString(piece)
			if piece != "" && onText != nil {
				if refusal = onText(piece); refusal != nil {
					return refusal
				}
			}
			alarm.Reset(e.config.IdleTimeout)
			return nil
		}))
	response, err := e.llm.GenerateContent(call, contents(req.Messages), options...)

	// langchaingo gives back what came before a cancellation or a cut without
	// an error, and hides causes: the order of these questions matters.
	if refusal != nil {
		return Reply{}, fmt.Errorf("take the model's text: %w", refusal)
	}
	if ctx.Err() != nil {
		return Reply{}, fmt.Errorf("ask the model: %w", ctx.Err())
	}
	if failed := e.failure(exchange, name, context.Cause(call), err); failed != nil {
		return Reply{}, failed
	}
	reply := Reply{Text: text.String(), Model: exchange.model, StopReason: exchange.finish}
	if reply.Model == "" {
		reply.Model = name
	}
	usage := response.Choices[0].GenerationInfo
	reply.InputTokens, _ = usage["PromptTokens"].(int)
	reply.OutputTokens, _ = usage["CompletionTokens"].(int)
	if reply.InputTokens == 0 {
		reply.Estimated = true
		for _, m := range req.Messages {
			reply.InputTokens += EstimateTokens(m.Text)
		}
		reply.OutputTokens = EstimateTokens(reply.Text)
	}
	if strings.TrimSpace(reply.Text) == "" {
		reply.Text += NoAnswer
		if onText != nil {
			if err := onText(NoAnswer); err != nil {
				return Reply{}, fmt.Errorf("take the model's text: %w", err)
			}
		}
	}
	return reply, nil
}

func (e *openAIEngine) options(req Request, name string, temperature *float64) []llms.CallOption {
	limit := req.MaxTokens
	if limit == 0 {
		limit = e.config.MaxTokens
	}
	options := []llms.CallOption{llms.WithModel(name), llms.WithMaxTokens(limit)}
	if temperature != nil {
		options = append(options, llms.WithTemperature(*temperature))
	}
	if !newTokenLimit(e.config.BaseURL, name) {
		options = append(options, openai.WithLegacyMaxTokensField())
	}
	return options
}

// newTokenLimit tells whether to send max_completion_tokens. OpenAI's newer
// models take only that; most compatible servers know only max_tokens, and some
// of them ignore the other without a word.
func newTokenLimit(baseURL, model string) bool {
	return baseURL == openAI || strings.Contains(baseURL, ".openai.azure.com/") || newModels.MatchString(model)
}

var newModels = regexp.MustCompile(`(^|/)(o[1-9]|gpt-[5-9])`)

func contents(messages []Message) []llms.MessageContent {
	roles := map[Role]llms.ChatMessageType{
		System:    llms.ChatMessageTypeSystem,
		User:      llms.ChatMessageTypeHuman,
		Assistant: llms.ChatMessageTypeAI,
	}
	parts := make([]llms.MessageContent, len(messages))
	for i, m := range messages {
		parts[i] = llms.TextParts(roles[m.Role], m.Text)
	}
	return parts
}

// failure gives the error of a finished exchange, or nil when it holds a whole
// answer. cause is why we ended the call, nil when we did not.
func (e *openAIEngine) failure(x *exchange, model string, cause, err error) *Error {
	x.mu.Lock()
	defer x.mu.Unlock()
	failed := &Error{
		Status: x.status, RetryAfter: x.retryAfter, RequestID: x.requestID, Code: x.failure.code, Param: x.failure.param,
		model: model, host: e.host,
	}
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
	case x.failure.found || x.finish == "error":
		if failed.Class = x.failure.class(); failed.Class == "" {
			failed.Class = Server
		}
	case x.finish == "content_filter":
		failed.Class = ContentRefused
	case errors.Is(err, bufio.ErrTooLong), err == nil && !x.streamed:
		failed.Class = Unreadable
	case err != nil, x.broken, x.finish == "":
		failed.Class = Cut
	default:
		return nil
	}
	return failed
}

// checkModel asks for the provider's list of models.
func (e *openAIEngine) checkModel(ctx context.Context) error {
	exchange := &exchange{}
	call, cancel := context.WithTimeoutCause(exchange.attach(ctx), 15*time.Second, errSilence)
	defer cancel()
	req, err := http.NewRequestWithContext(call, http.MethodGet, e.config.BaseURL+"/models", nil)
	if err != nil {
		return fmt.Errorf("ask for the models: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+e.config.Key)
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	resp, err := e.http.Do(req)
	if err == nil {
		defer resp.Body.Close()
		err = json.NewDecoder(io.LimitReader(resp.Body, 8<<20)).Decode(&list)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("ask for the models: %w", ctx.Err())
	}
	unknown := &Error{Class: UnknownModel, Status: exchange.status, model: e.config.Model, host: e.host}
	switch {
	case exchange.status == http.StatusNotFound, exchange.status == http.StatusMethodNotAllowed, exchange.status == http.StatusNotImplemented:
		return nil // keeps no list
	case exchange.status == http.StatusOK && (err != nil || list.Data == nil):
		unknown.Class = Unreadable
		return unknown
	case exchange.status != http.StatusOK:
		return e.failure(exchange, e.config.Model, context.Cause(call), err)
	}
	for _, m := range list.Data {
		if m.ID == e.config.Model || m.ID == e.config.Model+":latest" { // Ollama's way of naming
			return nil
		}
	}
	return unknown
}
