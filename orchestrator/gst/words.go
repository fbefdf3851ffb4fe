package gst

import (
	_ "embed"
	"strings"
	"sync"
)

// Recognition takes letters for one another, "commissloner", and every label and phrase is then missed by one letter. A
// word that is none of those that papers share, and differs by one letter from exactly one of them, is read as that
// one. tools/weighfacts counts in labelled papers which words they share. Only what is compared is mended: what was
// recognised is kept, so that names and quotations stay as they stand on the page.

//go:embed words.txt
var wordsFile string

// ShortestWord is how many letters a word has at least that is mended: shorter ones have too many neighbours.
const ShortestWord = 5

// sharedWords are the words that papers share, and those by their letters but one.
type sharedWords struct {
	known map[string]bool
	but   map[string]string // "commiss?oner" → "commissioner"; "" where several fit
}

var words = sync.OnceValue(func() sharedWords { return newSharedWords(strings.Fields(wordsFile)) })

func newSharedWords(list []string) sharedWords {
	w := sharedWords{known: make(map[string]bool, len(list)), but: make(map[string]string, 10*len(list))}
	for _, word := range list {
		w.known[word] = true
		for i := range word {
			key := word[:i] + "?" + word[i+1:]
			if other, taken := w.but[key]; taken && other != word {
				w.but[key] = "" // several fit
				continue
			}
			w.but[key] = word
		}
	}
	return w
}

// mend returns the shared word that differs from this one by a letter, and whether there is exactly one.
func (w sharedWords) mend(word string) (mended string, ok bool) {
	if len(word) < ShortestWord || w.known[word] {
		return "", false
	}
	for i := range len(word) {
		other, near := w.but[word[:i]+"?"+word[i+1:]]
		switch {
		case !near:
		case other == "" || mended != "" && other != mended:
			return "", false
		default:
			mended = other
		}
	}
	return mended, mended != ""
}
