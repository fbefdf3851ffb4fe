package store

import (
	"bytes"
	"strings"
	"unicode"
)

// clean makes text acceptable to PostgreSQL: valid UTF-8 without NUL.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// OneLine returns a name or a title as it is shown: valid text on one line, without invisible characters that reverse
// the direction of the text beside it, or make two different names look the same. Joiners stay behind letters of the
// scripts that need them.
func OneLine(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range clean(text) {
		joiner := (r == '\u200C' || r == '\u200D') && last >= firstIndic && unicode.In(last, unicode.L, unicode.M)
		unseen := unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point) ||
			unicode.IsControl(r) && !unicode.IsSpace(r)
		if unseen && !joiner {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

const firstIndic = '\u0900' // Devanagari, which the other scripts of India follow

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

// short cuts text to at most n runes, on one line as OneLine makes it.
func short(text string, n int) string {
	r := []rune(OneLine(text))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}
