package store

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"
	"unicode"
)

// clean makes text acceptable to PostgreSQL: valid UTF-8 without NUL.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
}

// OneLine returns a name or a title as it is shown: valid text on one line, without invisible characters that reverse
// the direction of the text beside it, or make two different names look the same. Joiners stay where they change what
// is read.
func OneLine(text string) string {
	letters := []rune(strings.Map(seen, clean(text)))
	kept := letters[:0] // never longer than what has been read of letters
	for i, r := range letters {
		var before, after rune
		if len(kept) > 0 {
			before = kept[len(kept)-1]
		}
		if i+1 < len(letters) {
			after = letters[i+1]
		}
		if !isJoiner(r) || joins(before, r, after) {
			kept = append(kept, r)
		}
	}
	return strings.Join(strings.Fields(string(kept)), " ")
}

// lineOf is OneLine for a text that may be missing.
func lineOf(text *string) *string {
	if text == nil {
		return nil
	}
	line := OneLine(*text)
	return &line
}

// seen drops characters that are not seen, apart from spaces and joiners.
func seen(r rune) rune {
	if isJoiner(r) || unicode.IsSpace(r) {
		return r
	}
	if unicode.IsControl(r) ||
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return -1
	}
	return r
}

const (
	nonJoiner = '\u200C'
	joiner    = '\u200D'
)

func isJoiner(r rune) bool { return r == nonJoiner || r == joiner }

// joins reports whether a joiner changes the letters that it stands between. In the scripts of India it makes a half
// letter of one with a virama, and a non-joiner keeps that apart from the next letter; in Bengali and Sinhala a joiner
// also stands before the virama. In Arabic, a non-joiner keeps two letters apart.
func joins(before, r, after rune) bool {
	switch {
	case isVirama(before):
		return r == joiner || isIndic(after) && unicode.IsLetter(after)
	case isIndic(before):
		return r == joiner && isVirama(after)
	case unicode.Is(unicode.Arabic, before):
		return r == nonJoiner && unicode.Is(unicode.Arabic, after) && unicode.IsLetter(after)
	}
	return false
}

// isIndic reports whether a character is in the blocks from Devanagari to Sinhala.
func isIndic(r rune) bool { return r >= '\u0900' && r <= '\u0DFF' }

// isVirama reports whether a sign takes the vowel off the letter before it. It has the same place in each block, except
// that of Sinhala.
func isVirama(r rune) bool {
	return isIndic(r) && unicode.Is(unicode.Mn, r) && (r&0x7F == 0x4D || r == '\u0DCA')
}

// longestName is how many letters of a file's name are kept.
const longestName = 150

// FileName returns the name of a file as it is shown: without folders, on one line, and not too long, with its
// extension. It is "" if there is nothing to see.
func FileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = OneLine(strings.ReplaceAll(strings.ToValidUTF8(name, ""), "\uFFFD", ""))
	if strings.Trim(name, "./ ") == "" {
		return ""
	}
	letters, extension := []rune(name), []rune(path.Ext(name))
	if len(letters) <= longestName {
		return name
	}
	if len(extension) > 10 {
		extension = nil
	}
	return string(letters[:longestName-len(extension)-1]) + "…" + string(extension)
}

// linesJSON returns JSON in which every text is as OneLine has it.
func linesJSON(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return raw, nil
	}
	var value any
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber()
	if err := read.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(linesIn(value))
}

func linesIn(value any) any {
	switch v := value.(type) {
	case string:
		return OneLine(v)
	case []any:
		for i := range v {
			v[i] = linesIn(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = linesIn(v[key])
		}
	}
	return value
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

// short cuts text to at most n runes, on one line as OneLine makes it.
func short(text string, n int) string {
	r := []rune(OneLine(text))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}
