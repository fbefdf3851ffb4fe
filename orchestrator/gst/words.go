package gst

import (
	_ "embed"
	"strings"
	"sync"
)

// Recognition confuses letters, "commissloner", so that a label or phrase would be missed because of one letter. A
// word that is not common in such papers, and differs by one letter from exactly one common word, is read as that
// word. tools/weighfacts counts the common words in labelled papers. The correction is used only for comparing: the
// recognised text is kept, so that names and quotations stay as they are on the page.

//go:embed words.txt
var wordsFile string

// ShortestWord is the number of letters from which a word is corrected; shorter words have too many similar ones.
const ShortestWord = 5

// sharedWords has the words common to many papers, and the same words with one letter left out, to find those that
// differ in one letter.
type sharedWords struct {
	known map[string]bool
	but   map[string]string // "commiss?oner" → "commissioner"; "" if several fit
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

// mend returns the common word that differs from a word by one letter, and whether there is exactly one.
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
