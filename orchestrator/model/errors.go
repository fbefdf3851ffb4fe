package model

import (
	"fmt"
	"strings"
	"time"

	"munshi/orchestrator/problem"
)

// Class is the kind of a failure, for the log and the workflow history.
type Class string

// The classes of failure. With those up to Cut, the same request may succeed later; the others need a person.
const (
	Busy        Class = "busy"         // 408, 409, 425
	RateLimited Class = "rate_limited" // 429
	Server      Class = "server"       // 5xx, or an error inside the stream
	Network     Class = "network"      // no connection, or it broke before an answer
	Timeout     Class = "timeout"      // no first token, or a pause in the middle of the stream
	Cut         Class = "cut"          // the stream ended without a stop reason

	Refused        Class = "refused"         // 400 and the other 4xx
	BadKey         Class = "bad_key"         // 401, 403
	NoCredit       Class = "no_credit"       // 402, and the 429 of a spent quota
	UnknownModel   Class = "unknown_model"   // 404 for the model
	TooLong        Class = "too_long"        // more text than the model accepts
	ContentRefused Class = "content_refused" // the provider's content filter
	Unreadable     Class = "unreadable"      // what answers at the address is not a chat model
	Empty          Class = "empty"           // a complete answer without any text
	NotConfigured  Class = "not_configured"  // a prompt names a provider without settings
)

// Error is a failed request to a model. Its text contains only codes, so that it can be written to logs and the
// workflow history: never a prompt, an answer, a key, or a sentence from the provider. It wraps no other error, since
// Temporal would store that too.
type Error struct {
	Class      Class
	Status     int           // HTTP status; 0 if there was none
	RetryAfter time.Duration // how long the provider asks us to wait; 0 if it did not say
	RequestID  string        // the provider's id of the request, for its support
	Code       string        // the provider's own code, as in "unsupported_value"
	Param      string        // the parameter that the provider rejects, as in "temperature"
	Provider   string        // the provider, as in "openai"
	Model      string        // the name of the model

	title    string // the provider's name in a sentence
	settings string // where its settings are, as in "model.providers.openai"
	host     string
	example  string // an address that would be right for the provider
	wire     error  // why there was no answer, as the network reported it
	waited   bool   // the request has already waited as long as it may, so another provider is asked
}

// Error returns the class, the provider's codes and the network error.
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

// Problem returns what happened, for users: without address, setting and provider, which concern only those who can
// change them.
func (e *Error) Problem() *problem.Error { return problem.New("model_"+string(e.Class), nil, e) }

// Advice returns what happened and what to do about it, for operators and the command line. prompt is the file of the
// prompt that was sent ("" for none), since a prompt may name a provider or model that does not exist.
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

// As lets errors.As convert the error into the problem for operators; only code that runs for operators meets this
// error directly.
func (e *Error) As(target any) bool {
	p, ok := target.(**problem.Error)
	if ok {
		*p = e.Advice("")
	}
	return ok
}
