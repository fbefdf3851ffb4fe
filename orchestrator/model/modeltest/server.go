// Package modeltest imitates the HTTP APIs of language models: OpenAI's chat completions, with the variations of
// Google and Mistral, Anthropic's messages and Ollama's chat, including their headers and error bodies. It misbehaves
// on request. It contains no model and never calls one.
package modeltest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Server is the imitation, an http.Handler. OpenAI's API is under /v1, Google's under /v1beta/openai, Mistral's under
// /mistral/v1, Anthropic's under /anthropic/v1, and Ollama's under /api. The zero value is ready: it accepts any key
// and model, and answers with the function Answer. Its fields must be set before the first request.
type Server struct {
	Key           string               // if set, other keys are refused
	Models        []string             // if set, other models are refused
	ContextTokens int                  // if set, longer prompts are refused; a word counts as a token
	Latency       time.Duration        // until the first token
	TokenDelay    time.Duration        // between tokens
	Answer        func(Request) string // returns the answer's text; nil: the function Answer
	// Before is called before each token of a streamed answer, counted from 0; the answer waits until it returns. It
	// must return when ctx ends, since the client has disconnected then.
	Before func(ctx context.Context, req Request, token int)

	mu       sync.Mutex
	script   []Behaviour
	requests []Request
}

// Behaviour says how the server misbehaves for one request.
type Behaviour struct {
	Status int         // answer with this status and Body, and nothing else
	Body   string      // empty: the API's usual error for this status
	Header http.Header // headers to add to the answer

	Text   *string // answer this text instead
	Finish string  // the stop reason; empty: "stop", or "length" at the token limit
	End    Ending
	After  int // number of tokens before End

	NoUsage bool // count no tokens, as older servers do
}

// Ending says how an answer ends.
type Ending int

// The ways to end an answer. All but Complete happen after Behaviour.After tokens.
const (
	Complete Ending = iota // stop reason, usage, [DONE]
	Cut                    // the connection breaks
	Trail                  // the stream ends normally, but without a stop reason
	Hang                   // nothing more is sent until the client disconnects
	Fault                  // an error inside the stream
)

// RateLimited is a 429 with this Retry-After header (empty: without).
func RateLimited(retryAfter string) Behaviour {
	b := Behaviour{Status: http.StatusTooManyRequests, Header: http.Header{}}
	if retryAfter != "" {
		b.Header.Set("Retry-After", retryAfter)
	}
	return b
}

// Request is a request for an answer, in any format.
type Request struct {
	Header              http.Header `json:"-"`
	Body                []byte      `json:"-"`
	Path                string      `json:"-"`
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

// Next sets the behaviours for the next requests, one for each, in order. Later requests are answered normally.
func (s *Server) Next(behaviours ...Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, behaviours...)
}

// Requests returns the requests for answers so far, including refused ones.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// format is the API of one provider.
type format struct {
	answers, lists string // paths
	key            func(http.Header) string
	keyStatus      int    // status for a wrong key
	requestID      string // name of the request id's header
	decode         func(body []byte) (Request, error)
	accept         func(Request) *fault // returns what the API refuses; nil if nothing
	refuse         func(fault) string   // returns the error body
	list           func(w http.ResponseWriter, models []string)
	voice          func(w http.ResponseWriter, req Request, id string) voice
}

// voice writes a streamed answer.
type voice interface {
	begin(use usage)
	say(token string)
	end(finish string, use usage, counted bool)
	fault() // an error inside the stream
}

// fault is a reason for which an API refuses a request.
type fault struct {
	status      int
	what        trouble
	about       string // the model or message in question
	param, code string
}

type trouble int

const (
	badRequest trouble = iota
	badKey
	unknownModel
	tooLong
	limited
	broken
)

var troubles = map[int]trouble{401: badKey, 403: badKey, 404: unknownModel, 413: tooLong, 429: limited}

func formats() []format {
	return []format{openAI(), google(), mistral(), anthropic(), ollama()}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, f := range formats() {
		list, one := r.URL.Path == f.lists, strings.HasPrefix(r.URL.Path, f.lists+"/")
		asked := r.Method == http.MethodPost && r.URL.Path == f.answers
		if !asked && (r.Method != http.MethodGet || !list && !one) {
			continue
		}
		switch {
		case s.Key != "" && f.key(r.Header) != s.Key:
			f.send(w, fault{status: f.keyStatus, what: badKey})
		case asked:
			s.complete(w, r, f)
		case one && !slices.Contains(s.models(), strings.TrimPrefix(r.URL.Path, f.lists+"/")):
			f.send(w, fault{status: 404, what: unknownModel, about: strings.TrimPrefix(r.URL.Path, f.lists+"/")})
		case one:
			f.list(w, []string{strings.TrimPrefix(r.URL.Path, f.lists+"/")})
		default:
			f.list(w, s.models())
		}
		return
	}
	openAI().send(w, fault{status: 404, about: fmt.Sprintf("Invalid URL (%s %s)", r.Method, r.URL.Path)})
}

func (f format) send(w http.ResponseWriter, t fault) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(t.status)
	io.WriteString(w, f.refuse(t))
}

func (s *Server) models() []string {
	if len(s.Models) == 0 {
		return []string{"stand-in"}
	}
	return s.Models
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request, f format) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 32<<20))
	if err != nil {
		return
	}
	req, decoded := f.decode(body)
	req.Header, req.Body, req.Path = r.Header.Clone(), body, r.URL.Path

	s.mu.Lock()
	s.requests = append(s.requests, req)
	id := fmt.Sprintf("req_%06d", len(s.requests))
	var b Behaviour
	if len(s.script) > 0 {
		b, s.script = s.script[0], s.script[1:]
	}
	s.mu.Unlock()

	if f.requestID != "" {
		w.Header().Set(f.requestID, id)
	}
	for name, values := range b.Header {
		w.Header()[name] = values
	}
	if b.Status != 0 && b.Body == "" {
		what, ok := troubles[b.Status]
		if !ok && b.Status >= 500 || b.Status < 400 {
			what = broken
		}
		f.send(w, fault{status: b.Status, what: what, about: req.Model})
		return
	}
	if b.Status != 0 {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(b.Status)
		io.WriteString(w, b.Body)
		return
	}
	if decoded != nil {
		f.send(w, fault{status: 400, about: "We could not parse the JSON body of your request."})
		return
	}
	if refused := s.refused(f, req); refused != nil {
		f.send(w, *refused)
		return
	}
	s.answer(w, r, f, req, b, id)
}

// refused returns why the API refuses the request, or nil.
func (s *Server) refused(f format, req Request) *fault {
	if req.Model != "" && len(s.Models) > 0 && !slices.Contains(s.Models, req.Model) {
		return &fault{status: 404, what: unknownModel, about: req.Model}
	}
	if t := f.accept(req); t != nil {
		return t
	}
	if prompt := prompted(req); s.ContextTokens > 0 && prompt > s.ContextTokens {
		return &fault{status: 400, what: tooLong, about: fmt.Sprintf("%d tokens > %d", prompt, s.ContextTokens)}
	}
	return nil
}

func prompted(req Request) int {
	n := 0
	for _, m := range req.Messages {
		n += len(strings.Fields(m.Content))
	}
	return n
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request, f format, req Request, b Behaviour, id string) {
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
	use := usage{Prompt: prompted(req), Completion: len(tokens)}
	use.Total = use.Prompt + use.Completion

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
		if wait(r, s.TokenDelay*time.Duration(len(tokens))) {
			whole(w, req, id, strings.Join(tokens, ""), finish, use, !b.NoUsage)
		}
		return
	}
	v := f.voice(w, req, id)
	if b.End != Cut || len(tokens) > 0 {
		v.begin(use)
	}
	for i := range tokens {
		if i > 0 && !wait(r, s.TokenDelay) {
			return
		}
		if s.Before != nil {
			s.Before(r.Context(), req, i)
		}
		v.say(tokens[i])
	}
	switch b.End {
	case Cut:
		panic(http.ErrAbortHandler)
	case Hang:
		http.NewResponseController(w).Flush() // send at least the headers
		wait(r, time.Hour)
	case Fault:
		v.fault()
	case Trail:
	case Complete:
		v.end(finish, use, !b.NoUsage)
	}
}

// wait waits for a duration, and reports whether the client is still connected.
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

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// line writes JSON between two texts on one line, and flushes it.
func line(w http.ResponseWriter, before string, value any, after string) {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // cannot fail: strings and numbers only
	}
	fmt.Fprintf(w, "%s%s%s", before, data, after)
	http.NewResponseController(w).Flush()
}

func encode(value any) string {
	data, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err) // cannot fail: strings and numbers only
	}
	return string(data) + "\n"
}

func write(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, encode(value))
}

func authorization(h http.Header) string {
	return strings.TrimPrefix(h.Get("Authorization"), "Bearer ")
}
