package reply

import (
	"math"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// blank returns a place for something that nobody supplied, with a description of it.
func blank(what string) string {
	if what == "" {
		return "[…]"
	}
	return "[… " + what + "]"
}

// confirm returns a note to the professional within the draft.
func confirm(what string) string { return "[To be confirmed: " + what + "]" }

// value returns a value from the notice or a person on one line, escaped for Markdown; if there is none, a blank with
// a description.
func value(value *string, missing string) string {
	if value == nil || strings.TrimSpace(*value) == "" {
		return blank(missing)
	}
	return escape(shorten(oneLine(*value), 300))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	cut := limit
	for cut > limit/2 && runes[cut] != ' ' {
		cut--
	}
	return strings.TrimRight(string(runes[:cut]), " ,;") + " …"
}

var markdown = strings.NewReplacer(
	"](", `\]\(`,
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "#", `\#`, "|", `\|`,
	"!", `\!`, "~", `\~`, "://", ":\u200b//", "www.", "www\u200b.", "@", "@\u200b",
)

// escape removes everything from a text that Markdown would interpret: markup, links, tables.
func escape(text string) string { return markdown.Replace(text) }

// officeDate returns an ISO date in the format of drafts, "12.05.2025".
func officeDate(iso string) string {
	d := law.ParseDay(iso)
	if d.IsZero() {
		return escape(iso)
	}
	return d.Printed()
}

// rupees returns an amount with lakh and crore grouping.
func rupees(amount float64) string { return gst.Rupees(int64(math.Round(amount * 100))) }

// list joins words as in a sentence, "a, b and c".
func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// provision returns a provision such as "CGST Act s.73(2) and (10)" in words: "section 73(2) and (10)".
func provision(short string) string {
	short = strings.TrimPrefix(strings.TrimPrefix(short, "CGST Act "), "CGST Rules ")
	short, _, _ = strings.Cut(short, ";")
	short = strings.ReplaceAll(short, ", (", " and (")
	var words []string
	for _, one := range strings.Split(short, ", ") {
		switch {
		case strings.HasPrefix(one, "s."):
			one = "section " + one[2:]
		case strings.HasPrefix(one, "r."):
			one = "rule " + one[2:]
		}
		words = append(words, one)
	}
	return strings.Join(words, ", ")
}
