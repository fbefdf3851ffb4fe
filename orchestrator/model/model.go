// Package model asks a language model for text: one small interface, an engine
// for OpenAI and everything compatible with it, and the offline engine that
// answers when no model is configured. It classifies what went wrong, so that
// the caller knows whether asking again can help, and it never asks again by
// itself: retrying is the workflow's work. It never stores or logs a prompt.
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
	Model       string   // empty: the configured model
	Temperature *float64 // nil: left to the provider
	MaxTokens   int      // 0: the configured limit
}

// Reply is a model's whole answer.
type Reply struct {
	Text         string
	Model        string // the model that answered, as the provider names it
	StopReason   string
	InputTokens  int
	OutputTokens int
}

// Engine writes the answer to a request. It hands each piece of text to onText
// (which may be nil) as it arrives; an error from onText ends the call. Errors
// of the model are *Error.
type Engine interface {
	Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error)
}
