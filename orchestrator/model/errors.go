package model

import (
	"strconv"
	"strings"
	"time"
)

// Class names what went wrong with a request, in the words of the log and of
// the workflow history.
type Class string

// The classes of failure. Those up to Cut can pass if the same request is made
// again; the others need a person.
const (
	Busy           Class = "busy"            // 408, 409, 425
	RateLimited    Class = "rate_limited"    // 429
	Server         Class = "server"          // 5xx
	Network        Class = "network"         // no connection, or it broke before an answer
	Timeout        Class = "timeout"         // no first token, or a silence in mid-stream
	Cut            Class = "cut"             // the stream ended without saying why
	Refused        Class = "refused"         // 400 and the other 4xx
	BadKey         Class = "bad_key"         // 401, 403
	NoCredit       Class = "no_credit"       // 402, or a 429 for a spent quota
	UnknownModel   Class = "unknown_model"   // 404
	TooLong        Class = "too_long"        // more text than the model takes
	ContentRefused Class = "content_refused" // the provider's content filter
)

// Error is a failed request to a model. Its text holds only the class, the
// status and the request id, never a prompt, an answer or a key: it may stand
// in logs and in workflow history.
type Error struct {
	Class      Class
	Status     int           // HTTP status, 0 when there was none
	RetryAfter time.Duration // how long the provider asks to wait, 0 when it did not say
	RequestID  string        // the provider's id of the request, for its support
	cause      error
}

// Error gives the class, the status and the request id.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("model: ")
	b.WriteString(string(e.Class))
	if e.Status != 0 {
		b.WriteString(", status ")
		b.WriteString(strconv.Itoa(e.Status))
	}
	if e.RequestID != "" {
		b.WriteString(", request ")
		b.WriteString(e.RequestID)
	}
	return b.String()
}

// Unwrap gives the cause, whose text may hold anything the provider said.
func (e *Error) Unwrap() error { return e.cause }

// Retryable tells whether the same request may succeed later.
func (e *Error) Retryable() bool {
	switch e.Class {
	case Busy, RateLimited, Server, Network, Timeout, Cut:
		return true
	}
	return false
}

// Sentence says what happened and what an operator can do, in plain English.
func (e *Error) Sentence() string {
	switch e.Class {
	case Busy:
		return "The model provider could not take the request just now."
	case RateLimited:
		return "The model provider is limiting our requests."
	case Server:
		return "The model provider has a fault."
	case Network:
		return "The model provider could not be reached. Check the network and model.base_url."
	case Timeout:
		return "The model provider did not answer in time."
	case Cut:
		return "The model's answer was cut off before its end."
	case BadKey:
		return "The model provider refused the key. Check model.key."
	case NoCredit:
		return "The account at the model provider has no credit left."
	case UnknownModel:
		return "The model provider does not offer this model. Change model.name."
	case TooLong:
		return "The text is longer than the model takes. Check model.context_tokens."
	case ContentRefused:
		return "The model provider's content filter refused the request."
	}
	return "The model provider refused the request."
}
