package model

import (
	"context"
	"fmt"
	"strings"

	"munshi/orchestrator/message"
)

// Offline is the engine that answers when no model is configured. It uses no network and no model: it returns facts
// that the program read from the notice, quotations from the notice, and results of a search in the law. The sentences
// are templates in the prompts folder, in each language. It invents nothing. The zero value is ready.
type Offline struct {
	Program Program // answers questions of law; nil: the question is only repeated
	// returns a Hindi name for one in the law tables, or ""; nil: there are no Hindi names
	Hindi func(english string) string
}

// Program returns the values for a plugin's offline text, from the values of a request; nil if it has nothing to say.
type Program func(values map[string]any) (map[string]any, error)

// The languages of the engine's answers.
const (
	inEnglish = "en"
	inHindi   = "hi"
)

// Generate answers a request in Markdown. It fails only if the context ends, onText fails, or the plugin's template
// cannot be filled in.
func (o Offline) Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
	text, err := o.text(req)
	if err != nil {
		return Reply{}, err
	}
	text = strings.TrimSpace(strings.ToValidUTF8(text, "�"))
	if err := stream(ctx, text, onText); err != nil {
		return Reply{}, err
	}
	return Reply{Text: text, Provider: "offline", Model: "offline", StopReason: "stop"}, nil
}

func (o Offline) text(req Request) (string, error) {
	switch req.Prompt {
	case "notice/open", "notice/stances":
		return "[]", nil // no program can know what the reader left open, or which stance to take
	case "notice/reply":
		return value(req.Values, "skeleton"), nil
	}
	if req.Offline == nil {
		return handedIn(req.Values), nil
	}
	n := o.notice(req.Values)
	required := ""
	switch req.Prompt {
	case "notice/analyse":
		n.analysis()
		required = n.requiredList()
	case "notice/document":
		n.review(value(req.Values, "document"), value(req.Values, "document_type"))
	case "notice/chat":
		n.answer(value(req.Values, "message"))
	case "summary/summarise":
		n.summary()
	case "drafting/draft":
		n.draft(req.Values)
	default:
		if o.Program == nil {
			return handedIn(req.Values), nil
		}
		values, err := o.Program(req.Values)
		if err != nil {
			return "", err
		}
		return req.Offline(values)
	}
	text, err := req.Offline(n.values())
	return text + required, err
}

// saying is one statement of an answer: what it is about, and its values as text. An unknown value is "".
type saying map[string]string

// SayingFields returns the names of all values that a saying can have.
func SayingFields() []string {
	return strings.Fields("about case form part name kind issue text page quote amount remains date when days number " +
		"list total tax interest penalty fee other provision ask reason state pages words gstin")
}

// writing collects the statements of an answer, in order.
type writing struct {
	language  string // inEnglish or inHindi
	sayings   []saying
	inputType string   // for a draft
	asked     []string // for a draft, line by line
}

// say adds a statement; pairs are names and values in turn.
func (w *writing) say(about string, pairs ...string) {
	s := saying{"about": about}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			s[pairs[i]] = pairs[i+1]
		}
	}
	w.sayings = append(w.sayings, s)
}

// values returns the values for the plugin's template.
func (w *writing) values() map[string]any {
	said := make([]map[string]string, len(w.sayings))
	for i, s := range w.sayings {
		said[i] = s
	}
	return map[string]any{"speaks": w.language, "said": said, "input_type": w.inputType, "asked": w.asked}
}

// date formats an ISO date in the answer's language, as in "6 January 2025".
func (w *writing) date(iso string) string { return plain(message.Date(iso).In(w.language)) }

// stream passes the text to onText in pieces of a few words, as a model would.
func stream(ctx context.Context, text string, onText func(string) error) error {
	const piece = 48
	for len(text) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := len(text)
		if end > piece {
			if space := strings.IndexAny(text[piece:], " \n"); space >= 0 {
				end = piece + space + 1
			}
		}
		if onText != nil {
			if err := onText(text[:end]); err != nil {
				return fmt.Errorf("hand over the offline engine's text: %w", err)
			}
		}
		text = text[end:]
	}
	return ctx.Err()
}

// value returns a text value, or "" if there is none.
func value(values map[string]any, name string) string {
	text, _ := values[name].(string)
	return text
}
