package model

import (
	"strconv"
	"strings"

	"munshi/orchestrator/message"
)

// handedIn answers for a plugin without an offline text: it says that no model was asked, and shows what was sent.
func handedIn(values map[string]any) string {
	const most = 6 // inputs and passages shown
	language := languageOf(values)
	var b strings.Builder
	say := func(code string, params message.Params) {
		b.WriteString(message.New("offline."+code, params).In(language))
	}
	say("no_model", nil)
	b.WriteString("\n\n## ")
	if value(values, "turn") == "chat" {
		n := Offline{}.notice(values)
		question := value(values, "message")
		say("question", nil)
		b.WriteString("\n\n> " + quote(question, 600) + "\n\n")
		found := n.passages(question, 3)
		switch {
		case len(found) > 0:
			say("nearest", nil)
		case strings.TrimSpace(n.text) != "":
			say("no_passage", nil)
		default:
			say("kept", nil)
		}
		for _, p := range found {
			b.WriteString("\n\n> ")
			say("passage", message.Params{"page": p.page, "quote": quote(p.text, 360)})
		}
		return b.String()
	}
	say("handed_in", nil)
	b.WriteString("\n\n")
	given, _ := values["inputs"].([]map[string]string)
	for _, in := range given[:min(len(given), most)] {
		b.WriteString("- " + plain(in["title"]) + ": " + quote(in["text"], 300) + "\n")
	}
	text := value(values, "document")
	if kind := value(values, "document_type"); kind != "" {
		b.WriteString("- ")
		say("document_as", message.Params{"kind": quote(kind, 120)})
		b.WriteString("\n")
	}
	if text == "" && value(values, "turn") != "document" {
		text = value(values, "notice")
	}
	if text == "" {
		return b.String()
	}
	pages := len(pageMark.FindAllString(text, -1))
	b.WriteString("- ")
	say("text", message.Params{
		"words": strconv.Itoa(len(strings.Fields(withoutPageMarks(text)))),
		"pages": strconv.Itoa(max(pages, 1)),
	})
	b.WriteString("\n\n")
	say("begins", nil)
	b.WriteString("\n")
	for _, p := range passageTexts(text, most) {
		b.WriteString("\n> " + quote(p, 300) + "\n")
	}
	return b.String()
}
