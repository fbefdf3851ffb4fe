package message

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

//go:embed en.json
var english []byte

//go:embed hi.json
var hindi []byte

// catalogues returns the texts of each language by code, such as "flags.multi_year". They are read once; a test reads
// them too, so a mistake in a file is found before a release.
var catalogues = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{"en": flat(english), "hi": flat(hindi)}
})

func catalogueOf(language string) map[string]string { return catalogues()[language] }

// Catalogue returns the texts of a language by code.
func Catalogue(language string) map[string]string { return maps.Clone(catalogueOf(language)) }

// Has reports whether the catalogue of a language has a text for a code.
func Has(language, code string) bool {
	texts := catalogueOf(language)
	return texts[code] != "" || texts[code+"_other"] != ""
}

// flat decodes a catalogue. Groups of texts may be nested; their names are joined with dots to make the codes.
func flat(data []byte) map[string]string {
	texts := map[string]string{}
	var groups map[string]any
	if json.Unmarshal(data, &groups) != nil {
		return texts
	}
	var add func(prefix string, group map[string]any)
	add = func(prefix string, group map[string]any) {
		for name, value := range group {
			switch v := value.(type) {
			case string:
				texts[prefix+name] = v
			case map[string]any:
				add(prefix+name+".", v)
			}
		}
	}
	add("", groups)
	return texts
}

// pluralOf returns the plural form of a count in a language, "one" or "other", by the rules of the Unicode CLDR.
func pluralOf(tag string, count int) string {
	if plural.Cardinal.MatchPlural(language.Make(tag), count, 0, 0, 0, 0) == plural.One {
		return "one"
	}
	return "other"
}

// In returns the name of a provision in a language: it translates the names of Acts and words such as "section" and
// "rule".
func (c Citation) In(tag string) string {
	text := string(c)
	names := citationNames()[tag]
	if len(names) == 0 {
		return text
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		name, rest := "", text[at:]
		if at == 0 || !isLetter(text[at-1]) {
			for _, n := range names {
				after, ok := strings.CutPrefix(rest, n)
				if ok && (!isLetter(n[len(n)-1]) || after == "" || !isLetter(after[0])) {
					name = n
					break
				}
			}
		}
		if name == "" {
			out.WriteByte(text[at])
			at++
			continue
		}
		out.WriteString(catalogueOf(tag)[citations+name])
		at += len(name)
	}
	return out.String()
}

// citations is the group with the words that make up names of provisions. Its keys are those words, not codes.
const citations = "citations."

// citationNames returns the keys of the group for each language, the longest first.
var citationNames = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for tag, texts := range catalogues() {
		for code := range texts {
			if name, ok := strings.CutPrefix(code, citations); ok {
				all[tag] = append(all[tag], name)
			}
		}
		slices.SortFunc(all[tag], func(a, b string) int { return len(b) - len(a) })
	}
	return all
})

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
