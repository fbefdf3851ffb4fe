// Package modeltest is a stand-in for the API of a language model: it speaks
// OpenAI's chat completions as the real service does, streaming or not, with
// its headers and its error bodies, and misbehaves when a test asks it to. It
// contains no model and never calls one.
package modeltest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is the stand-in, an http.Handler whose API lies under /v1. The zero
// value is ready: it takes any key and any model and answers with Answer. Its
// fields must be set before the first request.
type Server struct {
	Key           string               // refuse every other key
	Models        []string             // refuse every other model
	ContextTokens int                  // refuse longer prompts, a word counting as a token
	Latency       time.Duration        // until the first token
	TokenDelay    time.Duration        // between tokens
	Answer        func(Request) string // what to say; nil: Answer
	// Before is called before each token of a streamed answer, counted from 0; the answer waits until it returns, which
	// it must when ctx ends, since then the client has gone.
	Before func(ctx context.Context, req Request, token int)

	mu       sync.Mutex
	script   []Behaviour
	requests []Request
}

// Behaviour is how the server treats one request instead of answering it plainly.
type Behaviour struct {
	Status int         // answer with this status and Body, and no more
	Body   string      // empty: OpenAI's body for a fault of its own
	Header http.Header // added to the answer's

	Text   *string // say this instead
	Finish string  // the stop reason; empty: "stop", or "length" at the token limit
	End    Ending
	After  int // how many tokens come before End

	NoUsage bool // count no tokens, as older servers do
}

// Ending is how an answer ends.
type Ending int

// The ways to end an answer. All but Complete come after Behaviour.After tokens.
const (
	Complete Ending = iota // stop reason, usage, [DONE]
	Cut                    // the connection breaks
	Trail                  // the stream ends in good order, with no stop reason
	Hang                   // silence, until the client goes away
	Fault                  // an error inside the stream
)

// RateLimited is a 429 with the given Retry-After (empty: none).
func RateLimited(retryAfter string) Behaviour {
	b := Behaviour{
		Status: http.StatusTooManyRequests,
		Body:   errorBody("Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1.", "requests", "", "rate_limit_exceeded"),
		Header: http.Header{},
	}
	if retryAfter != "" {
		b.Header.Set("Retry-After", retryAfter)
	}
	return b
}

// Request is a chat completion that was asked for.
type Request struct {
	Header              http.Header `json:"-"`
	Body                []byte      `json:"-"`
	Model               string      `json:"model"`
	Messages            []Message   `json:"messages"`
	Temperature         *float64    `json:"temperature"`
	MaxTokens           int         `json:"max_tokens"`
	MaxCompletionTokens int         `json:"max_completion_tokens"`
	Stream              bool        `json:"stream"`
	StreamOptions       *struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// Message is one message of a request.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Next sets how the requests to come are treated, one behaviour each, in order.
// Those after the last are answered plainly.
func (s *Server) Next(behaviours ...Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, behaviours...)
}

// Requests gives the chat completions asked for so far, refused ones included.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		refuse(w, http.StatusUnauthorized, "Incorrect API key provided. You can find your API key in your account settings.", "", "invalid_api_key")
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /v1/models":
		s.listModels(w)
	case "POST /v1/chat/completions":
		s.complete(w, r)
	default:
		refuse(w, http.StatusNotFound, fmt.Sprintf("Invalid URL (%s %s)", r.Method, r.URL.Path), "", "")
	}
}

func (s *Server) listModels(w http.ResponseWriter) {
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{Object: "list", Data: []entry{}}
	for _, id := range s.models() {
		list.Data = append(list.Data, entry{ID: id, Object: "model", Created: 1700000000, OwnedBy: "modeltest"})
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(list)
}

func (s *Server) models() []string {
	if len(s.Models) == 0 {
		return []string{"stand-in"}
	}
	return s.Models
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil {
		return
	}
	req := Request{Header: r.Header.Clone(), Body: body}
	decoded := json.Unmarshal(body, &req)

	s.mu.Lock()
	s.requests = append(s.requests, req)
	number := len(s.requests)
	var b Behaviour
	if len(s.script) > 0 {
		b, s.script = s.script[0], s.script[1:]
	}
	s.mu.Unlock()

	w.Header().Set("X-Request-Id", fmt.Sprintf("req_%06d", number))
	w.Header().Set("Openai-Processing-Ms", "12")
	for name, values := range b.Header {
		w.Header()[name] = values
	}
	if b.Status != 0 {
		if b.Body == "" {
			b.Body = errorBody("The server had an error while processing your request.", "server_error", "", "")
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(b.Status)
		io.WriteString(w, b.Body)
		return
	}
	if decoded != nil {
		refuse(w, http.StatusBadRequest, "We could not parse the JSON body of your request.", "", "")
		return
	}
	if !s.accept(w, req) {
		return
	}
	s.answer(w, r, req, b, number)
}

var newModel = regexp.MustCompile(`^(o\d|gpt-[5-9])`)

// accept refuses what the real service refuses.
func (s *Server) accept(w http.ResponseWriter, req Request) bool {
	prompt := 0
	for _, m := range req.Messages {
		prompt += len(strings.Fields(m.Content))
		if !slices.Contains([]string{"system", "developer", "user", "assistant"}, m.Role) {
			refuse(w, http.StatusBadRequest, fmt.Sprintf("Invalid value: '%s'.", m.Role), "messages[0].role", "invalid_value")
			return false
		}
	}
	switch {
	case req.Model == "":
		refuse(w, http.StatusBadRequest, "you must provide a model parameter", "", "")
	case len(s.Models) > 0 && !slices.Contains(s.Models, req.Model):
		refuse(w, http.StatusNotFound, fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", req.Model), "", "model_not_found")
	case len(req.Messages) == 0:
		refuse(w, http.StatusBadRequest, "[] is too short - 'messages'", "messages", "")
	case req.MaxTokens > 0 && req.MaxCompletionTokens > 0:
		refuse(w, http.StatusBadRequest, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", "max_tokens", "")
	case req.MaxTokens > 0 && newModel.MatchString(req.Model):
		refuse(w, http.StatusBadRequest, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter")
	case req.Temperature != nil && *req.Temperature != 1 && newModel.MatchString(req.Model):
		refuse(w, http.StatusBadRequest, "Unsupported value: 'temperature' does not support this value with this model. Only the default (1) value is supported.", "temperature", "unsupported_value")
	case req.StreamOptions != nil && !req.Stream:
		refuse(w, http.StatusBadRequest, "The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options", "")
	case s.ContextTokens > 0 && prompt > s.ContextTokens:
		refuse(w, http.StatusBadRequest, fmt.Sprintf("This model's maximum context length is %d tokens. However, your messages resulted in %d tokens. Please reduce the length of the messages.", s.ContextTokens, prompt), "messages", "context_length_exceeded")
	default:
		return true
	}
	return false
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, req Request, b Behaviour, number int) {
	say := s.Answer
	if say == nil {
		say = Answer
	}
	text := say(req)
	if b.Text != nil {
		text = *b.Text
	}
	tokens := strings.SplitAfter(text, " ")
	if text == "" {
		tokens = nil
	}
	finish := b.Finish
	if finish == "" {
		finish = "stop"
		if limit := max(req.MaxTokens, req.MaxCompletionTokens); limit > 0 && len(tokens) > limit {
			finish, tokens = "length", tokens[:limit]
		}
	}
	if b.End != Complete {
		tokens = tokens[:min(b.After, len(tokens))]
	}
	use := usage{Completion: len(tokens)}
	for _, m := range req.Messages {
		use.Prompt += len(strings.Fields(m.Content))
	}
	use.Total = use.Prompt + use.Completion
	head := object{ID: fmt.Sprintf("chatcmpl-%06d", number), Created: time.Now().Unix(), Model: req.Model, Fingerprint: "fp_standin"}

	if !wait(r, s.Latency) {
		return
	}
	if !req.Stream {
		if b.End == Hang {
			wait(r, time.Hour)
		}
		if b.End != Complete {
			panic(http.ErrAbortHandler)
		}
		if !wait(r, s.TokenDelay*time.Duration(len(tokens))) {
			return
		}
		head.Object = "chat.completion"
		whole := strings.Join(tokens, "")
		head.Choices = []choice{{Message: &delta{Role: "assistant", Content: &whole}, Finish: &finish}}
		if !b.NoUsage {
			head.Usage = &use
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(head)
		return
	}

	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	head.Object = "chat.completion.chunk"
	send := func(choices []choice, u *usage) {
		chunk := head
		chunk.Choices, chunk.Usage = choices, u
		data, err := json.Marshal(chunk)
		if err != nil {
			panic(err) // strings and numbers only
		}
		fmt.Fprintf(w, "data: %s\n\n", data)
		http.NewResponseController(w).Flush()
	}
	empty := ""
	if b.End != Cut || len(tokens) > 0 {
		send([]choice{{Delta: &delta{Role: "assistant", Content: &empty}}}, nil)
	}
	for i := range tokens {
		if i > 0 && !wait(r, s.TokenDelay) {
			return
		}
		if s.Before != nil {
			s.Before(r.Context(), req, i)
		}
		send([]choice{{Delta: &delta{Content: &tokens[i]}}}, nil)
	}
	switch b.End {
	case Cut:
		panic(http.ErrAbortHandler)
	case Hang:
		http.NewResponseController(w).Flush() // the headers at least
		wait(r, time.Hour)
		return
	case Fault:
		var line bytes.Buffer
		json.Compact(&line, []byte(errorBody("The server had an error while processing your request.", "server_error", "", "")))
		fmt.Fprintf(w, "data: %s\n\n", &line)
		return
	case Trail:
		return
	}
	send([]choice{{Delta: &delta{}, Finish: &finish}}, nil)
	if !b.NoUsage && req.StreamOptions != nil && req.StreamOptions.IncludeUsage {
		send([]choice{}, &use)
	}
	io.WriteString(w, "data: [DONE]\n\n")
}

// wait tells whether the client is still there after the time.
func wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return r.Context().Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
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

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

func refuse(w http.ResponseWriter, status int, message, param, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, errorBody(message, "invalid_request_error", param, code))
}

func errorBody(message, kind, param, code string) string {
	orNull := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetIndent("", "  ")
	encoder.Encode(map[string]any{"error": map[string]any{
		"message": message, "type": kind, "param": orNull(param), "code": orNull(code),
	}})
	return b.String()
}
