package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"munshi/orchestrator/gst/lazyregexp"
)

// provider describes how one provider differs from the others.
type provider struct {
	title   string  // name for sentences
	base    string  // usual address; empty: none
	context int     // usual context size of its models, in tokens
	hottest float64 // highest temperature
	local   bool    // needs no key

	open  func(Config, *http.Client) (llms.Model, error)
	send  func(h http.Header, key string)                    // adds the key to a request
	shape func(body map[string]json.RawMessage, x *exchange) // corrects the body that langchaingo would send
	// reads a line of the answer; langchaingo gets only the lines to keep
	event func(x *exchange, line []byte) (keep bool)
	// path of the list of models, below the base; {model} stands for the model in question
	list string
}

const openAI = "https://api.openai.com/v1"

// providers returns all supported providers. Google and Mistral are used through OpenAI's format, which both support:
// langchaingo's Mistral client takes no context, so calls could not be cancelled; its Google client adds 35 modules of
// a withdrawn SDK, keeps only one system message, and loses the reason why an answer was blocked.
func providers() map[string]provider {
	return map[string]provider{
		"openai": {title: "OpenAI", base: openAI, context: 128_000, hottest: 2,
			open: openOpenAI, send: bearer, shape: asSet, event: openAIEvent, list: "/models"},
		"compatible": {title: "The compatible provider", context: 32_768, hottest: 2, local: true,
			open: openOpenAI, send: bearer, shape: asSet, event: openAIEvent, list: "/models"},
		"google": {title: "Google", base: "https://generativelanguage.googleapis.com/v1beta/openai", context: 1_000_000,
			hottest: 2, open: openOpenAI, send: bearer, shape: asSet, event: openAIEvent, list: "/models"},
		"mistral": {title: "Mistral", base: "https://api.mistral.ai/v1", context: 128_000, hottest: 1.5,
			open: openOpenAI, send: bearer, shape: forMistral, event: openAIEvent, list: "/models"},
		"anthropic": {title: "Anthropic", base: "https://api.anthropic.com/v1", context: 200_000, hottest: 1,
			open: openAnthropic, send: anthropicKey, shape: asSet, event: anthropicEvent, list: "/models/{model}"},
		"ollama": {title: "Ollama", base: "http://127.0.0.1:11434", context: 32_768, hottest: 2, local: true,
			open: openOllama, send: bearer, shape: forOllama, event: ollamaEvent, list: "/api/tags"},
	}
}

// Providers returns the provider names that configurations and prompts may use, including "offline", in the order in
// which their settings are looked up.
func Providers() []string {
	return []string{"openai", "anthropic", "google", "mistral", "ollama", "compatible", "offline"}
}

func openOpenAI(c Config, client *http.Client) (llms.Model, error) {
	return openai.New(
		openai.WithToken("none"), // langchaingo requires one; the transport sends the real one
		openai.WithBaseURL(c.BaseURL),
		openai.WithModel(c.Model),
		openai.WithOrganization(""), // else it is read from the environment
		openai.WithHTTPClient(client),
	)
}

func openAnthropic(c Config, client *http.Client) (llms.Model, error) {
	return anthropic.New(
		anthropic.WithToken("none"),
		anthropic.WithBaseURL(c.BaseURL),
		anthropic.WithModel(c.Model),
		anthropic.WithHTTPClient(client),
	)
}

func openOllama(c Config, client *http.Client) (llms.Model, error) {
	return ollama.New(
		ollama.WithServerURL(c.BaseURL),
		ollama.WithModel(c.Model),
		ollama.WithHTTPClient(client),
		ollama.WithRunnerNumCtx(c.ContextTokens), // else the prompt is silently cut to 4,096 tokens
	)
}

func bearer(h http.Header, key string) {
	if key != "" {
		h.Set("Authorization", "Bearer "+key)
	}
}

func anthropicKey(h http.Header, key string) {
	h.Set("Anthropic-Version", "2023-06-01")
	if key != "" {
		h.Set("X-Api-Key", key)
	}
}

// asSet removes the temperature if none was set, since langchaingo always sends one.
func asSet(body map[string]json.RawMessage, x *exchange) {
	if x.noTemperature {
		delete(body, "temperature")
	}
}

func forMistral(body map[string]json.RawMessage, x *exchange) {
	asSet(body, x)
	delete(body, "stream_options") // Mistral answers it with a 422, and counts tokens anyway
}

func forOllama(body map[string]json.RawMessage, x *exchange) {
	var options map[string]json.RawMessage
	if json.Unmarshal(body["options"], &options) != nil {
		return
	}
	asSet(options, x)
	if changed, err := json.Marshal(options); err == nil {
		body["options"] = changed
	}
}

// newTokenLimit reports whether to send max_completion_tokens. OpenAI's newer models accept only that; most compatible
// servers know only max_tokens, and some of them silently ignore the other.
func newTokenLimit(c Config, model string) bool {
	switch c.Provider {
	case "google", "mistral":
		return false
	}
	return c.BaseURL == openAI || strings.Contains(c.BaseURL, ".openai.azure.com/") || newModels.MatchString(model)
}

var newModels = lazyregexp.New(`(^|/)(o[1-9]|gpt-[5-9])`)

// data returns the JSON in a line of Server-Sent Events, or nil if there is none.
func data(line []byte) []byte {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	data = bytes.TrimSpace(data)
	if !ok || !bytes.HasPrefix(data, []byte("{")) {
		return nil
	}
	return data
}

// openAIEvent reads a line of OpenAI's stream.
func openAIEvent(x *exchange, line []byte) bool {
	if bytes.Equal(bytes.TrimSpace(line), []byte("data: [DONE]")) ||
		bytes.Equal(bytes.TrimSpace(line), []byte("data:[DONE]")) {
		x.done = true
		return true
	}
	data := data(line)
	if data == nil {
		return true
	}
	x.streamed = true
	var chunk struct {
		Model   string          `json:"model"`
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	var usage struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	}
	if json.Unmarshal(data, &chunk) != nil {
		x.broken = true
		return true
	}
	if x.model == "" {
		x.model = chunk.Model
	}
	if len(chunk.Error) > 0 && string(chunk.Error) != "null" {
		x.failure = parseFailure(data)
	}
	for _, choice := range chunk.Choices {
		if choice.FinishReason != "" {
			x.finish = choice.FinishReason
		}
	}
	if len(chunk.Usage) > 0 && json.Unmarshal(chunk.Usage, &usage) == nil { // counts in an unknown format are ignored
		x.count(usage.Input, usage.Output)
	}
	return true
}

// anthropicEvents are those that langchaingo knows; it would write any other, with its text, to the log.
var anthropicEvents = []string{"message_start", "content_block_start", "content_block_delta", "content_block_stop",
	"message_delta", "message_stop", "ping"}

// anthropicEvent reads a line of Anthropic's stream.
func anthropicEvent(x *exchange, line []byte) bool {
	data := data(line)
	if data == nil {
		return true
	}
	x.streamed = true
	var event struct {
		Type    string `json:"type"`
		Message struct {
			Model string         `json:"model"`
			Usage anthropicUsage `json:"usage"`
		} `json:"message"`
		Delta struct {
			StopReason string `json:"stop_reason"`
		} `json:"delta"`
		Usage anthropicUsage `json:"usage"`
	}
	if json.Unmarshal(data, &event) != nil {
		x.broken = true
		return true
	}
	switch event.Type {
	case "message_start":
		x.model = event.Message.Model
		x.count(event.Message.Usage.input(), event.Message.Usage.Output)
	case "message_delta":
		if event.Delta.StopReason != "" {
			x.finish = event.Delta.StopReason
		}
		x.count(event.Usage.input(), event.Usage.Output)
	case "message_stop":
		x.done = true
	case "error":
		x.failure = parseFailure(data)
		x.failure.found = true
	}
	return slices.Contains(anthropicEvents, event.Type)
}

type anthropicUsage struct {
	Input   int `json:"input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
	Read    int `json:"cache_read_input_tokens"`
	Output  int `json:"output_tokens"`
}

func (u anthropicUsage) input() int { return u.Input + u.Written + u.Read }

// ollamaEvent reads a line of Ollama's stream; every line is JSON.
func ollamaEvent(x *exchange, line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return false
	}
	var chunk struct {
		Model      string          `json:"model"`
		Message    json.RawMessage `json:"message"`
		Error      json.RawMessage `json:"error"`
		Done       bool            `json:"done"`
		DoneReason string          `json:"done_reason"`
		Input      int             `json:"prompt_eval_count"`
		Output     int             `json:"eval_count"`
	}
	if json.Unmarshal(line, &chunk) != nil {
		x.broken = x.streamed
		return true
	}
	if len(chunk.Error) > 0 {
		x.failure = parseFailure(line)
		x.streamed = true
		return true
	}
	if chunk.Message != nil {
		x.streamed = true
		x.model = chunk.Model
	}
	if chunk.Done {
		x.done = true
		x.finish = chunk.DoneReason
		if x.finish == "" { // older servers send no reason
			x.finish = "stop"
		}
		x.count(chunk.Input, chunk.Output)
	}
	return true
}

// offered reports whether a provider's list of models has this one, and whether it is a list of models at all
// (readable).
func offered(body []byte, model string) (found, readable bool) {
	var list struct {
		ID     string `json:"id"`   // Anthropic returns the model itself
		Type   string `json:"type"` // with this type
		Data   []struct{ ID string }
		Models []struct{ Name string } // Ollama
	}
	if json.Unmarshal(body, &list) != nil {
		return false, false
	}
	if list.Type == "model" && list.ID != "" {
		return true, true
	}
	for _, m := range list.Data {
		// ":latest" is Ollama's, "models/" is Google's
		if m.ID == model || m.ID == model+":latest" || m.ID == "models/"+model {
			return true, true
		}
	}
	for _, m := range list.Models {
		if m.Name == model || m.Name == model+":latest" {
			return true, true
		}
	}
	return false, list.Data != nil || list.Models != nil
}

func listURL(c Config, p provider) string {
	return c.BaseURL + strings.ReplaceAll(p.list, "{model}", url.PathEscape(c.Model))
}
