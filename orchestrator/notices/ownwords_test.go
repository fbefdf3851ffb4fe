package notices

import (
	"strings"
	"testing"

	"munshi/orchestrator/message"
)

// What the program itself says about a reply date is no model's view of the law.
func TestOwnWordsAreNoView(t *testing.T) {
	for _, language := range []string{"en", "hi"} {
		for code, text := range message.Catalogue(language) {
			if strings.HasPrefix(code, "reply_due.") && viewed.MatchString(text) {
				t.Errorf("%s, %s is marked as a view: %s", language, code, text)
			}
		}
	}
}
