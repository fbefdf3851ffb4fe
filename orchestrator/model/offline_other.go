package model

import (
	"fmt"
	"strings"
)

// handedIn answers for a plugin that this engine knows nothing of: it says that no model was asked, and shows what was
// handed in, nothing more.
func handedIn(values map[string]any) string {
	const most = 6 // inputs and passages shown
	var b strings.Builder
	b.WriteString("**No language model is configured, so nothing here was read, weighed or written by one.** Without a model the program can only show what was handed in. " +
		"The person who runs it can name a model in its configuration (`model.key`, or `model.base_url` for a model of your own).\n\n")
	if value(values, "turn") == "chat" {
		n := readNotice(values)
		question := value(values, "message")
		fmt.Fprintf(&b, "## Your question\n\n> %s\n\n", quote(question, 600))
		found := n.passages(question, 3)
		switch {
		case len(found) > 0:
			b.WriteString("These passages of the document share the most words with it. The program cannot tell whether they answer it.\n")
			for _, p := range found {
				fmt.Fprintf(&b, "\n> Page %d: %s\n", p.page, quote(p.text, 360))
			}
		case strings.TrimSpace(n.text) != "":
			b.WriteString("No passage of the document shares its words.")
		default:
			b.WriteString("It is kept. Ask it again once a model is there.")
		}
		return b.String()
	}
	b.WriteString("## What was handed in\n\n")
	given, _ := values["inputs"].([]map[string]string)
	for _, in := range given[:min(len(given), most)] {
		fmt.Fprintf(&b, "- %s: %s\n", plain(in["title"]), quote(in["text"], 300))
	}
	text := value(values, "document")
	if kind := value(values, "document_type"); kind != "" {
		fmt.Fprintf(&b, "- A document, uploaded as %s.\n", quote(kind, 120))
	}
	if text == "" && value(values, "turn") != "document" {
		text = value(values, "notice")
	}
	if text == "" {
		return b.String()
	}
	pages := len(pageMark.FindAllString(text, -1))
	fmt.Fprintf(&b, "- A text of %d words on %d pages.\n\nIt begins with:\n", len(strings.Fields(withoutPageMarks(text))), max(pages, 1))
	for _, p := range passageTexts(text, most) {
		fmt.Fprintf(&b, "\n> %s\n", quote(p, 300))
	}
	return b.String()
}
