package model

import (
	"context"
	"fmt"
	"strings"
)

// Offline is the engine that answers when no model is configured. It has no
// network and no model: it writes from the values of the request alone, which
// are the facts that the program read from the notice, and the notice's own
// words, quoted; where a plugin has a text for it, from what a program finds in
// the law. It invents nothing. The zero value is ready.
type Offline struct {
	Program Program // nil: texts of plugins are not filled in
}

// Program gives what a text for answers without a model says, from the values of a request; nil where it has nothing to say.
type Program func(values map[string]any) (map[string]any, error)

// Generate writes the answer to the request's prompt in Markdown. It fails only
// when the context ends or onText does.
func (o Offline) Generate(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
	if req.Offline != nil && o.Program != nil {
		return o.program(ctx, req, onText)
	}
	n := readNotice(req.Values)
	var text string
	switch req.Prompt {
	case "notice/analyse":
		text = n.analysis()
	case "notice/document":
		text = n.review(value(req.Values, "document"), value(req.Values, "document_type"))
	case "notice/stances":
		text = "[]" // to take a stance is no program's business
	case "notice/reply":
		text = value(req.Values, "skeleton")
	case "notice/chat":
		text = n.answer(value(req.Values, "message"))
	case "summary/summarise":
		text = summary(n.text)
	case "drafting/draft":
		text = draft(req.Values)
	default:
		text = handedIn(req.Values)
	}
	if value(req.Values, "language") == "Hindi" && !isPaper(req.Prompt) {
		text = onlyEnglish + text
	}
	return said(ctx, text, onText)
}

// program fills in the plugin's own text.
func (o Offline) program(ctx context.Context, req Request, onText func(string) error) (Reply, error) {
	values, err := o.Program(req.Values)
	if err != nil {
		return Reply{}, err
	}
	text, err := req.Offline(values)
	if err != nil {
		return Reply{}, err
	}
	return said(ctx, text, onText)
}

func said(ctx context.Context, text string, onText func(string) error) (Reply, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "�"))
	if err := stream(ctx, text, onText); err != nil {
		return Reply{}, err
	}
	return Reply{Text: text, Provider: "offline", Model: "offline", StopReason: "stop"}, nil
}

// onlyEnglish says to who asked for Hindi why there is none: the engine has its sentences in English alone.
const onlyEnglish = "**भाषा मॉडल के बिना उत्तर केवल अंग्रेज़ी में मिलता है।** तारीखें, राशियाँ और ध्यान देने योग्य बिंदु नोटिस के सार में हिन्दी में हैं।\n\n"

// isPaper tells whether what is written is a paper for somebody else, or read by a program, and not an answer.
func isPaper(prompt string) bool {
	return prompt == "notice/stances" || prompt == "notice/reply" || prompt == "drafting/draft"
}

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

// value gives a text among the values, "" where there is none.
func value(values map[string]any, name string) string {
	text, _ := values[name].(string)
	return text
}
