package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// transport keeps what langchaingo drops from an exchange with the provider:
// status, Retry-After, request id, error codes, and what the stream says beside
// its text. It also leaves out what langchaingo cannot: a temperature that
// nobody set, and the key of a server that needs none.
type transport struct {
	base  http.RoundTripper
	noKey bool
}

type exchangeKey struct{}

// exchange is one request and its answer. The body is read on another
// goroutine, hence the lock.
type exchange struct {
	noTemperature bool

	mu         sync.Mutex
	wire       error // why no answer came
	status     int
	retryAfter time.Duration
	requestID  string
	failure    failure // of an error body, or reported inside the stream
	streamed   bool    // at least one event of a stream came
	done       bool    // and its last one, [DONE]
	broken     bool    // an event was not JSON: its text is lost
	model      string
	finish     string
}

func (x *exchange) attach(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return t.base.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	if t.noKey {
		req.Header.Del("Authorization")
	}
	if x.noTemperature && req.Body != nil {
		if err := dropField(req, "temperature"); err != nil {
			return nil, err
		}
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		x.mu.Lock()
		x.wire = err
		x.mu.Unlock()
		return nil, err
	}
	x.capture(resp)
	return resp, nil
}

func dropField(req *http.Request, name string) error {
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return fmt.Errorf("read request body: %w", err)
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return fmt.Errorf("decode request body: %w", err)
	}
	delete(fields, name)
	if body, err = json.Marshal(fields); err != nil {
		return fmt.Errorf("encode request body: %w", err)
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	return nil
}

func (x *exchange) capture(resp *http.Response) {
	var body []byte
	if resp.StatusCode != http.StatusOK {
		body, _ = io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	} else {
		resp.Body = &tap{ReadCloser: resp.Body, exchange: x}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status = resp.StatusCode
	x.requestID = asCode(resp.Header.Get("X-Request-Id"))
	x.retryAfter = retryAfter(resp.Header, time.Now())
	if body != nil {
		x.failure = parseFailure(body)
	}
}

// tap reads the events of a stream as they pass.
type tap struct {
	io.ReadCloser
	exchange *exchange
	line     []byte
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	rest := p[:n]
	for {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if len(t.line)+len(line) <= 1<<20 {
			t.line = append(t.line, line...)
		}
		if !ended {
			return n, err
		}
		t.exchange.event(t.line)
		t.line, rest = t.line[:0], after
	}
}

// Close lets the connection be used again: langchaingo stops reading at [DONE],
// just before the end of the body, and an unread body costs a new handshake.
func (t *tap) Close() error {
	if t.exchange.isDone() {
		limit := time.AfterFunc(time.Second, func() { t.ReadCloser.Close() })
		defer limit.Stop()
		_, _ = io.CopyN(io.Discard, t.ReadCloser, 4<<10) // an error costs the connection, no more
	}
	return t.ReadCloser.Close()
}

func (x *exchange) isDone() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done
}

func (x *exchange) event(line []byte) {
	data, ok := bytes.CutPrefix(line, []byte("data:"))
	data = bytes.TrimSpace(data)
	if string(data) == "[DONE]" {
		x.mu.Lock()
		x.done = true
		x.mu.Unlock()
	}
	if !ok || !bytes.HasPrefix(data, []byte("{")) {
		return
	}
	var chunk struct {
		Model   string          `json:"model"`
		Error   json.RawMessage `json:"error"`
		Choices []struct {
			FinishReason string `json:"finish_reason"`
		} `json:"choices"`
	}
	err := json.Unmarshal(data, &chunk)

	x.mu.Lock()
	defer x.mu.Unlock()
	x.streamed = true
	if err != nil {
		x.broken = true
		return
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
}

// failure is what a provider says of an error. Only its codes leave this package.
type failure struct {
	found                      bool
	message, kind, code, param string
}

// parseFailure reads OpenAI's {"error": {…}} and its common variants: the error
// as a plain string, and the same fields without the envelope.
func parseFailure(body []byte) failure {
	var outer map[string]any
	if json.Unmarshal(body, &outer) != nil {
		return failure{}
	}
	fields := outer
	switch inner := outer["error"].(type) {
	case map[string]any:
		fields = inner
	case string:
		fields = map[string]any{"message": inner}
	}
	f := failure{
		message: strings.ToLower(asText(fields["message"])),
		kind:    asCode(asText(fields["type"])),
		code:    asCode(asText(fields["code"])),
		param:   asCode(asText(fields["param"])),
	}
	f.found = f.message != "" || f.kind != "" || f.code != ""
	return f
}

func asText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// asCode gives back what has the shape of a code and nothing else, so that no
// sentence of a provider reaches a log.
func asCode(s string) string {
	odd := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-.[]", r))
	}
	if len(s) > 80 || strings.ContainsFunc(s, odd) {
		return ""
	}
	return s
}

// class reads the class from the provider's codes, and from its words where
// servers have no codes. Empty: nothing telling.
func (f failure) class() Class {
	is := func(codes ...string) bool {
		for _, c := range codes {
			if f.code == c || f.kind == c {
				return true
			}
		}
		return false
	}
	says := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(f.message, w) {
				return true
			}
		}
		return false
	}
	switch {
	case is("context_length_exceeded", "exceed_context_size_error", "string_above_max_length"),
		says("maximum context length", "context length", "context window", "context size", "prompt is too long"):
		return TooLong
	case is("content_filter", "content_policy_violation"), says("content management policy", "flagged"):
		return ContentRefused
	case is("model_not_found"):
		return UnknownModel
	case is("insufficient_quota", "billing_hard_limit_reached"):
		return NoCredit
	case is("rate_limit_exceeded", "429"):
		return RateLimited
	case is("invalid_api_key", "401"):
		return BadKey
	}
	return ""
}

// classify gives the class of an answer with another status than 200. A 5xx
// counts by its status alone, whatever its body says.
func (x *exchange) classify() Class {
	told := x.failure.class()
	switch s := x.status; {
	case s >= 500:
		return Server
	case s == 408, s == 409, s == 425:
		return Busy
	case s == 429:
		if told == NoCredit {
			return NoCredit
		}
		return RateLimited
	case s == 402:
		return NoCredit
	case s == 401:
		return BadKey
	case s == 403:
		if told == ContentRefused || told == UnknownModel {
			return told
		}
		return BadKey
	case s == 404, s == 405:
		if told == UnknownModel || x.failure.found && strings.Contains(x.failure.message, "model") {
			return UnknownModel
		}
		return Unreadable
	case s == 413:
		return TooLong
	case s >= 400:
		if told == TooLong || told == ContentRefused || told == UnknownModel {
			return told
		}
		return Refused
	}
	return Unreadable // a redirect, or a success that is none
}

// retryAfter reads Retry-After (seconds or a date) and OpenAI's retry-after-ms.
// A date counts from the provider's own clock where it sends one.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = 24 * time.Hour
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return time.Duration(min(ms, most.Seconds()*1000) * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, most.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(0, at.Sub(now)), most)
}
