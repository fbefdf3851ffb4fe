// Package model asks a language model for text: one small interface, an engine for each provider, a chain that asks
// another provider where one fails, and the offline engine that answers when no model is configured. It classifies
// errors, so that the caller knows whether a retry can help, and never retries the same provider by itself: retrying is
// the workflow's task. It never stores or logs a prompt.
package model

import "context"

// Role says who speaks in a message.
type Role string

// The roles that a chat model knows.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one message of the conversation that a model is asked to continue.
type Message struct {
	Role Role
	Text string
}

// Request is one question to a model.
type Request struct {
	Prompt      string         // which prompt asks, as in "notice/analyse"; the offline engine answers by it
	Values      map[string]any // what the prompt was rendered with; only the offline engine reads it
	Messages    []Message
	Provider    string   // empty: the configured one
	Fallback    []string // the providers to ask when that one fails; nil: the configured ones
	Attempt     int      // how often this was asked, this time included; 0 counts as 1
	Model       string   // of the first provider; empty: the configured model
	Temperature *float64 // nil: the configured one, and where that is nil too, the provider's
	MaxTokens   int      // 0: the configured limit

	// Offline writes the answer of the offline engine from the values that Program gives; nil where nobody wrote a text
	// for it.
	Offline func(values map[string]any) (string, error)
}

// Reply is a model's whole answer.
type Reply struct {
	Text         string
	Provider     string // the provider that answered
	Model        string // the model that answered, as the provider names it
	StopReason   string // "stop", or "length" when the answer reached its limit of tokens
	InputTokens  int
	OutputTokens int
	Estimated    bool   // the provider counted no tokens: the counts are EstimateTokens'
	Paise        *int64 // what it cost by the configured prices, rounded up; nil: not known
}

// Engine writes the answer to a request. It hands each piece of text to onText
// (which may be nil) as it arrives: the pieces together are the reply's text.
// An error from onText ends the call and is returned wrapped, as is the
// context's error; every other error is an *Error. With an error the reply
// holds no more than what the call has cost so far. A model that writes nothing
// has failed too, with Empty.
type Engine interface {
	Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error)
}
