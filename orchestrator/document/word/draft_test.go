package word_test

import (
	"testing"

	"munshi/orchestrator/document/word"
)

// A draft has DRAFT across each page; other documents do not.
func TestDraftAcross(t *testing.T) {
	for draft, want := range map[bool]int{true: 1, false: 0} {
		f := opened(t, written(t, word.Document{Title: "GST Notice Reply", Text: "We deny it.", Draft: draft}))
		if n := len(f.document.all("headerReference")); n != want {
			t.Errorf("a draft: %v; it has %d headers", draft, n)
		}
	}
	f := opened(t, written(t, word.Document{Text: "x", Draft: true}))
	if across := f.roots["word/header1.xml"].all("textpath"); len(across) != 2 || across[1].attributes["string"] != "DRAFT" {
		t.Errorf("across the page stands %v", across)
	}
}
