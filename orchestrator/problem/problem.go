// Package problem is the one error that people read: a code, the values that its sentence needs, and the cause for the
// log. The sentences stand in one catalogue beside the code. Any room may import it; it imports none.
package problem

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
)

// Params are the values of a problem's sentence, by the names that stand in it in braces. They may hold what a person
// typed, so that they are for that person and not for logs.
type Params map[string]any

// Error is an error with a sentence that a person can act on.
type Error struct {
	// Code is stable and names an entry of the catalogue. What stands before a dot is for programs; what follows
	// chooses among sentences.
	Code   string
	Params Params
	Cause  error // for logs; may be nil
}

// New returns a problem. The code is one of the catalogue; cause may be nil.
func New(code string, params Params, cause error) *Error { return &Error{code, params, cause} }

// Error returns the sentence.
func (e *Error) Error() string { return e.Sentence() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Kind returns the code without what chooses among sentences.
func (e *Error) Kind() string {
	kind, _, _ := strings.Cut(e.Code, ".")
	return kind
}

// Sentence returns the problem in plain English, with what to do about it.
func (e *Error) Sentence() string {
	pairs := make([]string, 0, 2*len(e.Params))
	for name, value := range e.Params {
		pairs = append(pairs, "{"+name+"}", fmt.Sprint(value))
	}
	return strings.TrimSpace(strings.NewReplacer(pairs...).Replace(english()[e.Code]))
}

// SentenceOf returns the plainest words there are for an error.
func SentenceOf(err error) string {
	var p *Error
	if errors.As(err, &p) {
		return p.Sentence()
	}
	return err.Error()
}

//go:embed en.json
var catalogue []byte

// Catalogue returns the English sentences by code: those that people meet, and those that only operators and users of
// the command line do.
func Catalogue() (people, operators map[string]string, err error) {
	var all struct {
		People    map[string]string `json:"people"`
		Operators map[string]string `json:"operators"`
	}
	if err := json.Unmarshal(catalogue, &all); err != nil {
		return nil, nil, fmt.Errorf("read the catalogue of problems: %w", err)
	}
	return all.People, all.Operators, nil
}

// english is the whole catalogue, read once: a test reads it too, so that a mistake in it is met before a release.
var english = sync.OnceValue(func() map[string]string {
	all, operators, err := Catalogue()
	if err != nil {
		return map[string]string{}
	}
	maps.Copy(all, operators)
	return all
})
