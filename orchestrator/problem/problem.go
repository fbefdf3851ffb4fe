// Package problem defines the error that can be shown to people: a code, the values of its sentence, and the cause for
// the log. The sentences are in the catalogues of package message. Every package may import this one.
package problem

import (
	"errors"
	"fmt"
	"strings"

	"munshi/orchestrator/message"
)

// Params are the values in a problem's sentence, by placeholder. They may contain what a person typed, so they are
// shown to that person and never logged.
type Params map[string]any

// Error is an error with a sentence that a person can act on.
type Error struct {
	// Code is stable and has an entry in the catalogues. Programs use the part before the dot; the part after it
	// selects one of several sentences.
	Code   string
	Params Params
	Cause  error // for logs; may be nil
}

// New returns a problem. The code must be in the catalogues; cause may be nil.
func New(code string, params Params, cause error) *Error { return &Error{code, params, cause} }

// Error returns the sentence in English.
func (e *Error) Error() string { return e.Sentence() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Kind returns the code without the part that selects a sentence.
func (e *Error) Kind() string {
	kind, _, _ := strings.Cut(e.Code, ".")
	return kind
}

// The groups of the message catalogues that have problems.
const (
	people    = "problems."  // shown in the app
	operators = "operators." // shown only to operators and users of the command line
)

// Message returns the problem as a message, which says what is wrong and what to do about it.
func (e *Error) Message() message.Message {
	group := people
	if !message.Has("en", people+e.Code) {
		group = operators
	}
	params := message.Params{}
	for name, value := range e.Params {
		switch value.(type) {
		case string, int, message.Message, message.Date, message.Month, message.List:
		default:
			value = fmt.Sprint(value)
		}
		params[name] = value
	}
	return message.New(group+e.Code, params)
}

// Sentence returns the problem's sentence in English.
func (e *Error) Sentence() string { return e.Message().English }

// SentenceOf returns the English sentence of an error; the error's own text if it is not a problem.
func SentenceOf(err error) string { return In(err, "en") }

// In returns the sentence of an error in a language; the error's own text if it is not a problem.
func In(err error, language string) string {
	var p *Error
	if errors.As(err, &p) {
		return p.Message().In(language)
	}
	return err.Error()
}

// OfTurn returns the message for the error code of a failed turn, whose values are not stored. It is zero if the
// catalogues have no sentence without values for the code.
func OfTurn(code string) message.Message {
	for _, code := range []string{people + code + ".turn", people + code} {
		if m := message.New(code, nil); message.Has("en", code) && !strings.Contains(m.English, "{{") {
			return m
		}
	}
	return message.Message{}
}
