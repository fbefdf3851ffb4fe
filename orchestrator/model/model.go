// Package model asks a language model for text. It has one small interface, an engine for each provider, a chain that
// asks another provider when one fails, and the offline engine for when no model is configured. Errors are classified,
// so that the caller knows whether a retry can help; the package itself never retries the same provider, since that is
// the workflow's task. It never stores or logs a prompt.
package model

import "context"

// Role says who wrote a message.
type Role string

// The roles in chats with models.
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
	Prompt      string         // the prompt's name, as in "notice/analyse"; the offline engine needs it
	Values      map[string]any // the values in the prompt; only the offline engine reads them
	Messages    []Message
	Provider    string   // empty: the configured one
	Fallback    []string // providers to ask if that one fails; nil: the configured ones
	Attempt     int      // number of this attempt, counted from 1; 0 counts as 1
	Owner       string   // whose request this is: when requests have to wait, owners take turns
	Model       string   // at the first provider; empty: the configured model
	Temperature *float64 // nil: the configured one, or else the provider's default
	MaxTokens   int      // 0: the configured limit

	// Offline writes the offline engine's answer from the values that Program returns; nil if the plugin has no text
	// for it.
	Offline func(values map[string]any) (string, error)
}

// Reply is a model's complete answer.
type Reply struct {
	Text         string
	Provider     string // the provider that answered
	Model        string // the model that answered, by the provider's name for it
	StopReason   string // "stop", or "length" if the answer reached the token limit
	InputTokens  int
	OutputTokens int
	Estimated    bool   // the provider counted no tokens, so they were estimated
	Paise        *int64 // the cost by the configured prices, rounded up; nil if unknown
}

// Engine answers requests. It calls onText (if not nil) with each piece of text as it arrives; together the pieces are
// the reply's text. An error from onText, or of the context, ends the call and is returned wrapped; every other error
// is an *Error. With an error, the reply says only what the call has cost so far. An answer without text is the error
// Empty.
type Engine interface {
	Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error)
}
