package notices

import (
	"strings"
	"testing"

	"munshi/orchestrator/message"
)

// Our own text about a reply date is not marked as a model's view of the law.
func TestOwnWordsAreNoView(t *testing.T) {
	for _, language := range []string{"en", "hi"} {
		for code, text := range message.Catalogue(language) {
			if strings.HasPrefix(code, "reply_due.") && viewed.MatchString(text) {
				t.Errorf("%s, %s is marked as a view: %s", language, code, text)
			}
		}
	}
}
