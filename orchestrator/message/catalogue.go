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

// catalogues are the texts of each language by their codes, "flags.multi_year", read once: a test reads them too, so that a
// mistake in them is met before a release.
var catalogues = sync.OnceValue(func() map[string]map[string]string {
	return map[string]map[string]string{"en": flat(english), "hi": flat(hindi)}
})

func catalogueOf(language string) map[string]string { return catalogues()[language] }

// Catalogue returns the texts of a language by their codes.
func Catalogue(language string) map[string]string { return maps.Clone(catalogueOf(language)) }

// Has reports whether a language's catalogue has words for a code.
func Has(language, code string) bool {
	texts := catalogueOf(language)
	return texts[code] != "" || texts[code+"_other"] != ""
}

// flat reads a catalogue: groups of texts, whose names are parted by dots.
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

// pluralOf returns the form that a count takes in a language, by the rules of the Unicode CLDR: "one" or "other".
func pluralOf(tag string, count int) string {
	if plural.Cardinal.MatchPlural(language.Make(tag), count, 0, 0, 0, 0) == plural.One {
		return "one"
	}
	return "other"
}

// In returns the name of a provision in a language: the names of Acts and the words "section", "rule" and "proviso".
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

// citations is the group of the words in names of provisions: by the words in the notation of the tables, not by codes.
const citations = "citations."

// citationNames are the words of names of provisions in each language, the longest first.
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
