package defence

import (
	"strings"

	"munshi/orchestrator/gst/printed"
)

// tell replaces the {names} in a text for the client by facts, and leaves out each sentence with a fact that is not
// known, because the person is asked for such a fact instead. A draft keeps its blanks for the person who signs it.
func tell(k printed.Known, text, language string) string {
	var kept strings.Builder
	for _, sentence := range sentencesOf(text) {
		if knowsAll(k, sentence) {
			kept.WriteString(sentence)
		}
	}
	return fill(k, kept.String(), language)
}

// sentencesOf divides a text after each full stop, question mark and danda that a space follows.
func sentencesOf(text string) []string {
	var all []string
	from := 0
	for _, end := range [...]string{". ", "? ", "। "} {
		text = strings.ReplaceAll(text, end, end+"\x00")
	}
	for i := range len(text) {
		if text[i] == 0 {
			all = append(all, text[from:i])
			from = i + 1
		}
	}
	return append(all, text[from:])
}

// knowsAll reports whether each fact that a sentence names is known.
func knowsAll(k printed.Known, sentence string) bool {
	for {
		_, rest, ok := strings.Cut(sentence, "{")
		if !ok {
			return true
		}
		name, after, _ := strings.Cut(rest, "}")
		if len(k[name]) == 0 {
			return false
		}
		sentence = after
	}
}
