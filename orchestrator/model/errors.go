package model

import (
	"fmt"
	"strings"
	"time"
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

// Error gives the class, the provider's codes and the network's fault.
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

// Retryable tells whether the same request may succeed later.
func (e *Error) Retryable() bool {
	switch e.Class {
	case Busy, RateLimited, Server, Network, Timeout, Cut:
		return true
	}
	return false
}

// Sentence says in plain English what happened and what an operator can do.
func (e *Error) Sentence() string {
	switch e.Class {
	case Busy:
		return fmt.Sprintf("%s could not take the request just now.", e.title)
	case RateLimited:
		return fmt.Sprintf("%s is limiting how often it can be asked.", e.title)
	case Server:
		return fmt.Sprintf("%s has a fault.", e.title)
	case Network:
		return fmt.Sprintf("%s at %s could not be reached. Check the network and %s.base_url.", e.title, e.host, e.settings)
	case Timeout:
		return fmt.Sprintf("%s did not answer in time.", e.title)
	case Cut:
		return "The model's answer broke off before its end."
	case BadKey:
		return fmt.Sprintf("%s refused the key. Check %s.key.", e.title, e.settings)
	case NoCredit:
		return fmt.Sprintf("%s has no credit left for this account, or its spending limit is reached. Raise it there.", e.title)
	case UnknownModel:
		return fmt.Sprintf("The model %s is not offered by %s. Change %s.name.", e.Model, e.host, e.settings)
	case TooLong:
		return fmt.Sprintf("The text is longer than the model %s takes. Set %s.context_tokens to what it takes.", e.Model, e.settings)
	case ContentRefused:
		return fmt.Sprintf("%s refused to write about this: its content filter stopped the request.", e.title)
	case Unreadable:
		said := fmt.Sprintf("%s does not answer as a chat model does. Check %s.base_url", e.host, e.settings)
		if e.example == "" {
			return said + "."
		}
		return said + ": it looks like " + e.example + "."
	case NotConfigured:
		return fmt.Sprintf("%s has no settings. Set %s.key and %s.name.", e.title, e.settings, e.settings)
	}
	switch e.Param {
	case "":
		return fmt.Sprintf("%s refused the request.", e.title)
	case "temperature":
		return fmt.Sprintf("The model %s refuses the temperature. Set %s.temperature to \"unset\", and leave it out of the prompt.", e.Model, e.settings)
	}
	return fmt.Sprintf("%s refused the request because of its %s.", e.title, e.Param)
}
