package model

import (
	"fmt"
	"strings"
	"time"

	"munshi/orchestrator/problem"
)

// Class names what went wrong with a request, for the log and the workflow
// history.
type Class string

// The classes of failure. Those up to Cut can pass if the same request is made
// again; the others need a person.
const (
	Busy        Class = "busy"         // 408, 409, 425
	RateLimited Class = "rate_limited" // 429
	Server      Class = "server"       // 5xx, or an error reported inside the stream
	Network     Class = "network"      // no connection, or it broke before an answer
	Timeout     Class = "timeout"      // no first token, or a silence in mid-stream
	Cut         Class = "cut"          // the stream ended without a stop reason

	Refused        Class = "refused"         // 400 and the other 4xx
	BadKey         Class = "bad_key"         // 401, 403
	NoCredit       Class = "no_credit"       // 402, and the 429 of a spent quota
	UnknownModel   Class = "unknown_model"   // 404 for the model
	TooLong        Class = "too_long"        // more text than the model takes
	ContentRefused Class = "content_refused" // the provider's content filter
	Unreadable     Class = "unreadable"      // the address does not answer as a chat model does
	Empty          Class = "empty"           // an answer that ended as it should, and holds no word
	NotConfigured  Class = "not_configured"  // a prompt names a provider that has no settings
)

// Error is a failed request to a model. Its text holds only codes, so that it
// may stand in logs and in workflow history: never a prompt, an answer, a key,
// or what the provider said in words. For the same reason it wraps nothing:
// Temporal keeps every wrapped error too.
type Error struct {
	Class      Class
	Status     int           // HTTP status, 0 when there was none
	RetryAfter time.Duration // how long the provider asks to wait, 0 when it did not say
	RequestID  string        // the provider's id of the request, for its support
	Code       string        // the provider's own code, as in "unsupported_value"
	Param      string        // the parameter that the provider complains of, as in "temperature"
	Provider   string        // which was asked, as in "openai"
	Model      string        // for which model

	title    string // the provider's name in a sentence
	settings string // where its settings stand, as in "model.providers.openai"
	host     string
	example  string // an address that the provider may have
	wire     error  // why there was no answer, in the network's words
}

// Error returns the class, the provider's codes and the network's fault.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("model: " + string(e.Class))
	if e.Status != 0 {
		fmt.Fprintf(&b, ", status %d", e.Status)
	}
	for _, part := range [...]struct{ name, value string }{
		{"code", e.Code}, {"parameter", e.Param}, {"request", e.RequestID},
	} {
		if part.value != "" {
			b.WriteString(", " + part.name + " " + part.value)
		}
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, ", retry after %s", e.RetryAfter)
	}
	if e.wire != nil {
		b.WriteString(": " + e.wire.Error())
	}
	return b.String()
}

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool {
	switch e.Class {
	case Busy, RateLimited, Server, Network, Timeout, Cut:
		return true
	}
	return false
}

// Problem returns what happened, for people: no address, no setting and no provider, which are for whoever can change
// them.
func (e *Error) Problem() *problem.Error { return problem.New("model_"+string(e.Class), nil, e) }

// Advice returns what happened and what to do about it, for operators and the command line. Prompt is the file of the
// prompt that was asked, "" for none; a prompt may name what is not there.
func (e *Error) Advice(prompt string) *problem.Error {
	code := "model_fault_" + string(e.Class)
	switch {
	case e.Class == Unreadable && e.example != "":
		code += ".example"
	case e.Class == Refused && e.Param == "temperature":
		code += ".temperature"
	case e.Class == Refused && e.Param != "":
		code += ".parameter"
	}
	if prompt != "" && (e.Class == NotConfigured || e.Class == UnknownModel) {
		code += ".prompt"
	}
	return problem.New(code, problem.Params{"prompt": prompt, "provider": e.title, "host": e.host,
		"settings": e.settings, "model": e.Model, "example": e.example, "parameter": e.Param}, nil)
}

// As lets errors.As find the problem that this is to operators: where the error itself arrives, one of them asked.
func (e *Error) As(target any) bool {
	p, ok := target.(**problem.Error)
	if ok {
		*p = e.Advice("")
	}
	return ok
}
