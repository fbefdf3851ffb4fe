package model

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// transport records what langchaingo drops from an exchange with a provider: status, Retry-After, request id, error
// codes, and everything in the stream besides the text. It also corrects what langchaingo sends, and only it has the
// key.
type transport struct {
	base     http.RoundTripper
	provider provider
	key      string
}

type exchangeKey struct{}

// exchange is one request and its answer. The lock is needed because another goroutine reads the body.
type exchange struct {
	noTemperature bool

	mu            sync.Mutex
	wire          error // why there was no answer
	status        int
	retryAfter    time.Duration
	requestID     string
	failure       failure // from an error body, or from inside the stream
	streamed      bool    // at least one event of a stream was received
	done          bool    // including the last one
	ended         bool    // the body ended normally
	foreign       bool    // the body has a line that is not in the format of the stream
	broken        bool    // an event was not JSON, so its text is lost
	model         string
	finish        string
	input, output int // tokens
}

func (x *exchange) attach(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// count keeps the highest counts, since some providers count while they write.
func (x *exchange) count(input, output int) {
	x.input, x.output = max(x.input, input), max(x.output, output)
}

// reply returns what the exchange recorded about a complete answer.
func (x *exchange) reply() Reply {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := Reply{
		Model:        strings.TrimPrefix(x.model, "models/"),
		StopReason:   "stop",
		InputTokens:  x.input,
		OutputTokens: x.output,
	}
	switch strings.ToLower(x.finish) {
	case "length", "max_tokens", "model_length", "model_context_window_exceeded":
		r.StopReason = "length"
	}
	return r
}

// ending returns the class of a stop reason that stands for a failure.
func (x *exchange) ending() Class {
	finish := strings.ToLower(x.finish)
	switch {
	case finish == "error":
		return Server
	case finish == "refusal", finish == "safety", finish == "prohibited_content",
		strings.HasPrefix(finish, "content_filter"):
		return ContentRefused
	}
	return ""
}

func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return t.base.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	req.Header.Del("Authorization")
	req.Header.Del("X-Api-Key")
	t.provider.send(req.Header, t.key)
	if req.Body != nil {
		if err := t.mend(req, x); err != nil {
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
	x.capture(resp, t.provider.event)
	return resp, nil
}

// mend applies the provider's corrections to the body.
func (t transport) mend(req *http.Request, x *exchange) error {
	body, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return fmt.Errorf("read request body: %w", err)
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return fmt.Errorf("decode request body: %w", err)
	}
	t.provider.shape(fields, x)
	if body, err = json.Marshal(fields); err != nil {
		return fmt.Errorf("encode request body: %w", err)
	}
	req.ContentLength = int64(len(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	req.Body, _ = req.GetBody()
	return nil
}

func (x *exchange) capture(resp *http.Response, event func(*exchange, []byte) bool) {
	var body []byte
	if resp.StatusCode != http.StatusOK {
		body, _ = io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	} else if resp.Request.Method == http.MethodPost {
		resp.Body = &tap{body: resp.Body, lines: bufio.NewReader(resp.Body), exchange: x, event: event}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.status = resp.StatusCode
	for _, name := range []string{"X-Request-Id", "Request-Id", "Mistral-Correlation-Id"} {
		if x.requestID == "" {
			x.requestID = asCode(resp.Header.Get(name))
		}
	}
	x.retryAfter = retryAfter(resp.Header, time.Now())
	if body != nil {
		x.failure = parseFailure(body)
		if x.retryAfter == 0 {
			x.retryAfter = x.failure.wait
		}
	}
}

// tap reads the lines of a stream before langchaingo. It ends the stream at an error, since langchaingo would
// otherwise wait for ever.
type tap struct {
	body     io.ReadCloser
	lines    *bufio.Reader
	exchange *exchange
	event    func(*exchange, []byte) bool

	line []byte
	rest []byte // rest of the current line, not yet read
	err  error
}

var errFault = errors.New("the provider reported a fault")

const longestLine = 1 << 20

func (t *tap) Read(p []byte) (int, error) {
	for len(t.rest) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.next()
	}
	n := copy(p, t.rest)
	t.rest = t.rest[n:]
	return n, nil
}

func (t *tap) next() {
	t.line = t.line[:0]
	for {
		part, err := t.lines.ReadSlice('\n')
		t.line = append(t.line, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			t.err = err
			break
		}
		if len(t.line) > longestLine {
			t.err = bufio.ErrTooLong
			break
		}
	}
	x := t.exchange
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case errors.Is(t.err, io.EOF):
		x.ended = true
	case errors.Is(t.err, bufio.ErrTooLong):
		x.foreign = true
		return
	case t.err != nil:
		return
	}
	if t.event(x, t.line) {
		t.rest = t.line
	}
	if x.failure.found {
		t.rest, t.err = nil, errFault
	}
}

// Close reads the body to its end, so that the connection can be reused. langchaingo stops at the last event, just
// before the end, and a connection with an unread body is closed.
func (t *tap) Close() error {
	if t.exchange.isDone() {
		limit := time.AfterFunc(time.Second, func() { t.body.Close() })
		defer limit.Stop()
		_, _ = io.CopyN(io.Discard, t.body, 4<<10) // if this fails, only the connection is lost
	}
	return t.body.Close()
}

// answered reports whether the provider has accepted the request and started to answer.
func (x *exchange) answered() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.status == http.StatusOK
}

func (x *exchange) isDone() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.done
}

// failure is an error reported by a provider. Only its codes leave this package.
type failure struct {
	found                      bool
	message, kind, code, param string
	wait                       time.Duration // Google sends it here, and not in a header
}

// parseFailure reads OpenAI's {"error": {…}} and its variants: the error as a plain string (Ollama), the same fields
// without the envelope (Mistral), a status and details in a list of one (Google).
func parseFailure(body []byte) failure {
	var outer map[string]any
	if list := []map[string]any{}; json.Unmarshal(body, &list) == nil && len(list) > 0 {
		outer = list[0]
	} else if json.Unmarshal(body, &outer) != nil {
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
	if f.kind == "" {
		f.kind = asCode(asText(fields["status"]))
	}
	switch details := fields["details"].(type) {
	case map[string]any: // Anthropic
		if code := asCode(asText(details["error_code"])); code != "" {
			f.code = code
		}
	case []any: // Google
		for _, d := range details {
			d, _ := d.(map[string]any)
			if reason := asCode(asText(d["reason"])); reason != "" {
				f.code = reason
			}
			if wait, err := time.ParseDuration(asText(d["retryDelay"])); err == nil && wait > 0 {
				f.wait = min(wait, longestWait)
			}
		}
	}
	if f.param == "" {
		f.param = refusedField(fields)
	}
	if f.param == "" && strings.Contains(f.message, "temperature") {
		f.param = "temperature"
	}
	f.found = f.message != "" || f.kind != "" || f.code != ""
	return f
}

// refusedField returns the field that a server based on pydantic rejects (Mistral, vLLM).
func refusedField(fields map[string]any) string {
	if message, ok := fields["message"].(map[string]any); ok {
		fields = message
	}
	list, _ := fields["detail"].([]any)
	if len(list) == 0 {
		return ""
	}
	first, _ := list[0].(map[string]any)
	at, _ := first["loc"].([]any)
	if len(at) < 2 {
		return ""
	}
	return asCode(asText(at[1]))
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

// asCode returns the text if it looks like a code, and "" otherwise, so that no sentence of a provider reaches a log.
func asCode(s string) string {
	odd := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("_-.[]", r))
	}
	if len(s) > 80 || strings.ContainsFunc(s, odd) {
		return ""
	}
	return s
}

// class derives the class from the provider's codes or, for servers without codes, from its words. It is empty if they
// say nothing.
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
	case is("context_length_exceeded", "exceed_context_size_error", "string_above_max_length", "request_too_large"),
		says("maximum context length", "context length", "context window", "context size", "context limit",
			"prompt is too long", "maximum number of tokens allowed"):
		return TooLong
	case is("content_filter", "content_policy_violation"),
		says("content management policy", "content filtering policy", "flagged"):
		return ContentRefused
	case is("model_not_found", "invalid_model"):
		return UnknownModel
	case is("insufficient_quota", "billing_hard_limit_reached", "billing_error", "enforced_spend_limit_reached"),
		says("credit balance is too low", "api usage limits"):
		return NoCredit
	case is("rate_limit_exceeded", "rate_limit_error", "rate_limited", "RESOURCE_EXHAUSTED", "429"):
		return RateLimited
	case is("invalid_api_key", "API_KEY_INVALID", "authentication_error", "permission_error", "UNAUTHENTICATED",
		"PERMISSION_DENIED", "401"):
		return BadKey
	}
	return ""
}

// classify returns the class of an answer whose status is not 200. A 5xx counts as Server, whatever its body says.
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
		switch told {
		// Google answers 400 to a wrong key, Anthropic to an account without credit
		case TooLong, ContentRefused, UnknownModel, NoCredit, BadKey:
			return told
		}
		return Refused
	}
	return Unreadable // a redirect, or a success without an answer
}

const longestWait = 24 * time.Hour

// retryAfter reads Retry-After (seconds or a date) and OpenAI's retry-after-ms. A date is compared with the provider's
// own clock if the answer has its time.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 {
		return time.Duration(min(ms, longestWait.Seconds()*1000) * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 {
		return time.Duration(min(seconds, longestWait.Seconds()) * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return min(max(0, at.Sub(now)), longestWait)
}
