package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"
)

func openAI() format {
	return format{
		answers: "/v1/chat/completions", lists: "/v1/models", key: authorization, keyStatus: 401,
		requestID: "X-Request-Id",
		decode:    func(body []byte) (req Request, err error) { return req, json.Unmarshal(body, &req) },
		accept:    acceptOpenAI, refuse: refuseOpenAI,
		list: func(w http.ResponseWriter, models []string) { listOpenAI(w, models, "") },
		voice: func(w http.ResponseWriter, req Request, id string) voice {
			return &chunks{
				w:     w,
				head:  headOf(req, id),
				usage: req.StreamOptions != nil && req.StreamOptions.IncludeUsage,
			}
		},
	}
}

// google is Google's OpenAI-compatible API: an error comes as a list of one with a status and details, model names
// begin with models/, and every chunk counts tokens.
func google() format {
	f := openAI()
	f.answers, f.lists, f.requestID, f.keyStatus = "/v1beta/openai/chat/completions", "/v1beta/openai/models", "", 400
	f.accept = func(req Request) *fault {
		if req.MaxTokens > 0 && req.MaxCompletionTokens > 0 {
			return &fault{status: 400, about: "max_tokens and max_completion_tokens cannot be set at the same time."}
		}
		return acceptRoles(req)
	}
	f.refuse = refuseGoogle
	f.list = func(w http.ResponseWriter, models []string) { listOpenAI(w, models, "models/") }
	f.voice = func(w http.ResponseWriter, req Request, id string) voice {
		return &chunks{w: w, head: headOf(req, id), eachCounts: true}
	}
	return f
}

// mistral refuses all unknown fields, and counts tokens in the last chunk without being asked.
func mistral() format {
	f := openAI()
	f.answers, f.lists, f.requestID = "/mistral/v1/chat/completions", "/mistral/v1/models", "Mistral-Correlation-Id"
	f.accept = func(req Request) *fault {
		known := []string{"model", "messages", "temperature", "top_p", "max_tokens", "stream", "stop", "random_seed",
			"response_format", "tools", "tool_choice", "presence_penalty", "frequency_penalty", "n", "prediction",
			"parallel_tool_calls", "prompt_mode", "safe_prompt"}
		var fields map[string]any
		json.Unmarshal(req.Body, &fields)
		for name := range fields {
			if !slices.Contains(known, name) {
				return &fault{status: 422, param: name}
			}
		}
		if req.Temperature != nil && *req.Temperature > 1.5 {
			return &fault{status: 422, param: "temperature"}
		}
		return acceptRoles(req)
	}
	f.refuse = refuseMistral
	f.voice = func(w http.ResponseWriter, req Request, id string) voice {
		return &chunks{w: w, head: headOf(req, strings.ReplaceAll(id, "req_", "")), lastCounts: true}
	}
	return f
}

var newModel = regexp.MustCompile(`^(o\d|gpt-[5-9])`)

func acceptRoles(req Request) *fault {
	for _, m := range req.Messages {
		if !slices.Contains([]string{"system", "developer", "user", "assistant"}, m.Role) {
			return &fault{
				status: 400,
				about:  fmt.Sprintf("Invalid value: '%s'.", m.Role),
				param:  "messages[0].role",
				code:   "invalid_value",
			}
		}
	}
	if req.Model == "" {
		return &fault{status: 400, about: "you must provide a model parameter"}
	}
	if len(req.Messages) == 0 {
		return &fault{status: 400, about: "[] is too short - 'messages'", param: "messages"}
	}
	return nil
}

func acceptOpenAI(req Request) *fault {
	if t := acceptRoles(req); t != nil {
		return t
	}
	switch {
	case req.MaxTokens > 0 && req.MaxCompletionTokens > 0:
		return &fault{
			status: 400,
			about:  "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
			param:  "max_tokens",
		}
	case req.MaxTokens > 0 && newModel.MatchString(req.Model):
		return &fault{status: 400, about: "Unsupported parameter: 'max_tokens' is not supported with this model. Use " +
			"'max_completion_tokens' instead.", param: "max_tokens", code: "unsupported_parameter"}
	case req.Temperature != nil && *req.Temperature != 1 && newModel.MatchString(req.Model):
		return &fault{status: 400, about: "Unsupported value: 'temperature' does not support this value with this " +
			"model. Only the default (1) value is supported.", param: "temperature", code: "unsupported_value"}
	case req.StreamOptions != nil && !req.Stream:
		return &fault{
			status: 400,
			about:  "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
			param:  "stream_options",
		}
	}
	return nil
}

func refuseOpenAI(t fault) string {
	message, kind := t.about, "invalid_request_error"
	switch t.what {
	case badKey:
		message, t.code = "Incorrect API key provided. You can find your API key in your account settings.", "invalid_api_key"
	case unknownModel:
		message, t.code = fmt.Sprintf("The model `%s` does not exist or you do not have access to it.",
			t.about), "model_not_found"
	case tooLong:
		message = "This model's maximum context length is smaller than your messages: " + t.about +
			". Please reduce the length of the messages."
		t.param, t.code = "messages", "context_length_exceeded"
	case limited:
		message, kind, t.code = "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.", "requests", "rate_limit_exceeded"
	case broken:
		message, kind = "The server had an error while processing your request.", "server_error"
	}
	return encode(map[string]any{"error": map[string]any{"message": message, "type": kind, "param": orNull(t.param),
		"code": orNull(t.code)}})
}

func refuseGoogle(t fault) string {
	message, status, details := t.about, "INVALID_ARGUMENT", []any{}
	switch t.what {
	case badKey:
		message = "API key not valid. Please pass a valid API key."
		details = append(details, map[string]any{"@type": "type.googleapis.com/google.rpc.ErrorInfo",
			"reason": "API_KEY_INVALID", "domain": "googleapis.com"})
	case unknownModel:
		message, status = "models/"+t.about+
			" is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see "+
			"the list of available models and their supported methods.", "NOT_FOUND"
	case tooLong:
		message = "The input token count (" + t.about + ") exceeds the maximum number of tokens allowed."
	case limited:
		message, status = "You exceeded your current quota. Please retry in 17.3s.", "RESOURCE_EXHAUSTED"
		details = append(details, map[string]any{"@type": "type.googleapis.com/google.rpc.RetryInfo",
			"retryDelay": "17s"})
	case broken:
		message, status = "An internal error has occurred. Please retry.", "INTERNAL"
	}
	return encode([]any{map[string]any{"error": map[string]any{"code": t.status, "message": message, "status": status,
		"details": details}}})
}

func refuseMistral(t fault) string {
	fault := func(message any, kind string, code any) string {
		return encode(map[string]any{"object": "error", "message": message, "type": kind, "param": nil, "code": code,
			"raw_status_code": t.status})
	}
	switch t.what {
	case badKey:
		return encode(map[string]any{"detail": "Unauthorized"})
	case unknownModel:
		return fault("Invalid model: "+t.about, "invalid_model", "1500")
	case tooLong:
		return fault("Prompt contains too many tokens for the model's maximum context length: "+t.about,
			"invalid_request_prompt", "3051")
	case limited:
		return fault("Rate limit exceeded", "rate_limited", "1300")
	case broken:
		return fault("Internal server error", "internal_server_error", "1000")
	}
	if t.param == "" {
		return fault(t.about, "invalid_request_error", nil)
	}
	return fault(map[string]any{"detail": []any{map[string]any{"type": "extra_forbidden",
		"loc": []string{"body", t.param}, "msg": "Extra inputs are not permitted", "input": nil}}},
		"invalid_request_error", nil)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func listOpenAI(w http.ResponseWriter, models []string, prefix string) {
	data := []any{}
	for _, id := range models {
		data = append(data, map[string]any{"id": prefix + id, "object": "model", "created": 1700000000,
			"owned_by": "modeltest"})
	}
	write(w, map[string]any{"object": "list", "data": data})
}

type object struct {
	ID          string   `json:"id"`
	Object      string   `json:"object"`
	Created     int64    `json:"created"`
	Model       string   `json:"model"`
	Fingerprint string   `json:"system_fingerprint"`
	Choices     []choice `json:"choices"`
	Usage       *usage   `json:"usage"`
}

type choice struct {
	Index   int     `json:"index"`
	Message *delta  `json:"message,omitempty"`
	Delta   *delta  `json:"delta,omitempty"`
	Finish  *string `json:"finish_reason"`
}

type delta struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

func headOf(req Request, id string) object {
	return object{
		ID:          "chatcmpl-" + id,
		Object:      "chat.completion.chunk",
		Created:     time.Now().Unix(),
		Model:       req.Model,
		Fingerprint: "fp_standin",
	}
}

// whole writes an answer that is not streamed.
func whole(w http.ResponseWriter, req Request, id, text, finish string, use usage, counted bool) {
	o := headOf(req, id)
	o.Object = "chat.completion"
	o.Choices = []choice{{Message: &delta{Role: "assistant", Content: &text}, Finish: &finish}}
	if counted {
		o.Usage = &use
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(o)
}

// chunks writes OpenAI's stream.
type chunks struct {
	w          http.ResponseWriter
	head       object
	use        usage
	usage      bool // an extra chunk counts the tokens
	lastCounts bool // the last chunk counts them
	eachCounts bool // every chunk counts them
}

func (c *chunks) send(choices []choice, use *usage) {
	c.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	chunk := c.head
	chunk.Choices, chunk.Usage = choices, use
	line(c.w, "data: ", chunk, "\n\n")
}

func (c *chunks) begin(use usage) {
	c.use = usage{Prompt: use.Prompt, Total: use.Prompt}
	if !c.eachCounts {
		empty := ""
		c.send([]choice{{Delta: &delta{Role: "assistant", Content: &empty}}}, nil)
	}
}

func (c *chunks) say(token string) {
	c.use.Completion++
	c.use.Total++
	d := delta{Content: &token}
	if !c.eachCounts {
		c.send([]choice{{Delta: &d}}, nil)
		return
	}
	d.Role = "assistant"
	use := c.use
	c.send([]choice{{Delta: &d}}, &use)
}

func (c *chunks) end(finish string, use usage, counted bool) {
	last := &use
	if !counted || !c.lastCounts && !c.eachCounts {
		last = nil
	}
	d := &delta{}
	if c.eachCounts && finish == "content_filter" {
		d, finish = nil, "content_filter: PROHIBITED_CONTENT" // as Google does, without a delta
	}
	c.send([]choice{{Delta: d, Finish: &finish}}, last)
	if counted && c.usage {
		c.send([]choice{}, &use)
	}
	io.WriteString(c.w, "data: [DONE]\n\n")
}

func (c *chunks) fault() {
	line(c.w, "data: ", map[string]any{"error": map[string]any{"message": "The server had an error while processing " +
		"your request.",
		"type": "server_error", "param": nil, "code": nil}}, "\n\n")
}
