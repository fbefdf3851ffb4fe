package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func anthropic() format {
	return format{
		answers: "/anthropic/v1/messages", lists: "/anthropic/v1/models", requestID: "Request-Id", keyStatus: 401,
		key:    func(h http.Header) string { return h.Get("X-Api-Key") },
		decode: decodeAnthropic, accept: acceptAnthropic, refuse: refuseAnthropic,
		// with a single model, Anthropic returns the model instead of a list
		list: func(w http.ResponseWriter, models []string) {
			write(w, map[string]any{"type": "model", "id": models[0], "display_name": models[0],
				"created_at": "2025-02-19T00:00:00Z"})
		},
		voice: func(w http.ResponseWriter, req Request, id string) voice {
			return &events{w: w, model: req.Model, id: id}
		},
	}
}

// decodeAnthropic makes the system text the first message, and joins the blocks of each message into one text.
func decodeAnthropic(body []byte) (Request, error) {
	var sent struct {
		Model       string
		System      string
		MaxTokens   int `json:"max_tokens"`
		Temperature *float64
		Stream      bool
		Messages    []struct {
			Role    string
			Content []struct{ Type, Text string }
		}
	}
	err := json.Unmarshal(body, &sent)
	req := Request{Model: sent.Model, MaxTokens: sent.MaxTokens, Temperature: sent.Temperature, Stream: sent.Stream}
	if sent.System != "" {
		req.Messages = append(req.Messages, Message{Role: "system", Content: sent.System})
	}
	for _, m := range sent.Messages {
		text := ""
		for _, block := range m.Content {
			text += block.Text
		}
		req.Messages = append(req.Messages, Message{Role: m.Role, Content: text})
	}
	return req, err
}

func acceptAnthropic(req Request) *fault {
	if req.MaxTokens == 0 {
		return &fault{status: 400, about: "max_tokens: Field required"}
	}
	if t := req.Temperature; t != nil && (*t < 0 || *t > 1) {
		return &fault{status: 400, about: "temperature: range: 0..1"}
	}
	for i, m := range req.Messages {
		if m.Role != "user" && m.Role != "assistant" && (m.Role != "system" || i > 0) {
			return &fault{status: 400, about: fmt.Sprintf("messages: Unexpected role %q.", m.Role)}
		}
		if m.Content == "" {
			return &fault{status: 400, about: "messages: text content blocks must be non-empty"}
		}
	}
	return nil
}

func refuseAnthropic(t fault) string {
	message, kind := t.about, "invalid_request_error"
	switch t.what {
	case badKey:
		message, kind = "invalid x-api-key", "authentication_error"
	case unknownModel:
		message, kind = "model: "+t.about, "not_found_error"
	case tooLong:
		message = "prompt is too long: " + t.about + " maximum"
		if t.status == 413 {
			message, kind = "Request exceeds the maximum size", "request_too_large"
		}
	case limited:
		message, kind = "This request would exceed your organization's rate limit of 50,000 input tokens per minute.", "rate_limit_error"
	case broken:
		message, kind = "Internal server error", "api_error"
		if t.status == 529 {
			message, kind = "Overloaded", "overloaded_error"
		}
	}
	return encode(anthropicError(message, kind))
}

func anthropicError(message, kind string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message},
		"request_id": "req_standin"}
}

// events writes Anthropic's stream.
type events struct {
	w         http.ResponseWriter
	model, id string
	open      bool // a text block has been started
}

func (e *events) send(kind string, fields map[string]any) {
	e.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	fields["type"] = kind
	line(e.w, "event: "+kind+"\ndata: ", fields, "\n\n")
}

func (e *events) begin(use usage) {
	e.send("message_start", map[string]any{"message": map[string]any{
		"id": "msg_" + e.id, "type": "message", "role": "assistant", "model": e.model, "content": []any{},
		"stop_reason": nil, "stop_sequence": nil,
		"usage": map[string]any{"input_tokens": use.Prompt, "cache_creation_input_tokens": 0,
			"cache_read_input_tokens": 0, "output_tokens": 1},
	}})
}

func (e *events) say(token string) {
	if !e.open {
		e.open = true
		e.send("content_block_start", map[string]any{"index": 0,
			"content_block": map[string]any{"type": "text", "text": ""}})
		e.send("ping", map[string]any{})
	}
	e.send("content_block_delta", map[string]any{"index": 0,
		"delta": map[string]any{"type": "text_delta", "text": token}})
}

func (e *events) end(finish string, use usage, _ bool) {
	reasons := map[string]string{"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
	if reason, ok := reasons[finish]; ok {
		finish = reason
	}
	if e.open {
		e.send("content_block_stop", map[string]any{"index": 0})
	}
	e.send("message_delta", map[string]any{"delta": map[string]any{"stop_reason": finish, "stop_sequence": nil},
		"usage": map[string]any{"output_tokens": use.Completion}})
	e.send("message_stop", map[string]any{})
}

func (e *events) fault() { e.send("error", anthropicError("Overloaded", "overloaded_error")) }
