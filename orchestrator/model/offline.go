package model

import (
	"context"
	"fmt"
	"strings"

	"munshi/orchestrator/message"
)

// Offline is the engine that answers when no model is configured. It has no
// network and no model: it gives values, which are the facts that the program read from the
// notice, the notice's own words, quoted, and what a program finds in the law. The sentences
// stand in the prompts folder, in each language. It invents nothing. The zero value is ready.
type Offline struct {
	Program Program                     // answers questions of law; nil: they are only repeated
	Hindi   func(english string) string // of a name in the tables of law, "" where it has none; nil: there is none
}

// Program returns what a text for answers without a model says, from the values of a request; nil where it has nothing
// to say.
type Program func(values map[string]any) (map[string]any, error)

// The languages in which the engine answers.
const (
	inEnglish = "en"
	inHindi   = "hi"
)

// Generate writes the answer to the request's prompt in Markdown. It fails only
// when the context ends, onText does, or the plugin's text cannot be filled in.
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
		return "[]", nil // what the reader does not know and what stance to take is no program's business
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

// saying is one thing that the engine has to say: what it is about, and its values, all of them texts. A value that is
// not known is "".
type saying map[string]string

// SayingFields are what a saying can have.
func SayingFields() []string {
	return strings.Fields("about case form part name kind issue text page quote amount remains date when days number " +
		"list total tax interest penalty fee other provision ask reason state pages words gstin")
}

// writing is what an answer will say, in order.
type writing struct {
	language  string // inEnglish or inHindi
	sayings   []saying
	inputType string   // of a draft
	asked     []string // of a draft, line by line
}

// say adds a saying; pairs are the names of its values and the values.
func (w *writing) say(about string, pairs ...string) {
	s := saying{"about": about}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			s[pairs[i]] = pairs[i+1]
		}
	}
	w.sayings = append(w.sayings, s)
}

// values are what a plugin's text is filled in with.
func (w *writing) values() map[string]any {
	said := make([]map[string]string, len(w.sayings))
	for i, s := range w.sayings {
		said[i] = s
	}
	return map[string]any{"speaks": w.language, "said": said, "input_type": w.inputType, "asked": w.asked}
}

// date writes an ISO date as it is said in the answer's language, "6 January 2025".
func (w *writing) date(iso string) string { return plain(message.Date(iso).In(w.language)) }

// stream hands the text over in pieces of a few words, as a model would.
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

// value returns a text among the values, "" where there is none.
func value(values map[string]any, name string) string {
	text, _ := values[name].(string)
	return text
}
