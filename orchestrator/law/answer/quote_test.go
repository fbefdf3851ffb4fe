package answer

import (
	"strings"
	"testing"
)

// A quotation is marked as shortened only if words are missing, and any text can be shortened.
func TestQuote(t *testing.T) {
	for _, c := range []struct {
		name, words string
		whole       bool
	}{
		{"short", "A tax shall be paid.", true},
		{"with more spaces than it needs", " A  tax\n\n shall be paid. \n", true},
		{"long with spaces alone", strings.Repeat("tax ", 100) + strings.Repeat(" \n", 400), true},
		{"long", strings.Repeat("A tax shall be paid;\n", 60), false},
		{"without a space", strings.Repeat("tax", 400), false},
		{"without a space, in Hindi", strings.Repeat("कर", 400), false},
	} {
		quoted, whole := quote(c.words)
		if whole != c.whole || !strings.HasPrefix(strings.Join(strings.Fields(c.words), " "), quoted) || quoted == "" || len(quoted) > longestQuote {
			t.Errorf("%s: whole %t: %q", c.name, whole, quoted)
		}
	}
}
