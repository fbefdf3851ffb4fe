package store

import (
	"bytes"
	"strings"
)

// clean makes text acceptable to PostgreSQL: valid UTF-8 without NUL.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// cleanJSON removes escaped NULs from JSON, which jsonb cannot store.
func cleanJSON(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		if bytes.HasPrefix(raw[i:], []byte(`\u0000`)) {
			i += 5
			continue
		}
		out = append(out, raw[i], raw[i+1]) // an escaped backslash does not start another escape
		i++
	}
	return out
}

// short cuts text to at most n runes, on one line.
func short(text string, n int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}
