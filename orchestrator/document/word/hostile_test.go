package word_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/document/word"
)

// hostile returns texts of various shapes, of about this many bytes, on which a Markdown parser may spend minutes.
func hostile() map[string]func(size int) string {
	shapes := map[string]func(size int) string{
		"list in list": func(size int) string {
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				b.WriteString(strings.Repeat("  ", i) + "- a\n")
			}
			return b.String()
		},
		"lists, then blank lines": func(size int) string {
			return strings.Repeat("- ", size/8) + "a\n" + strings.Repeat("\n", size/4) + strings.Repeat("b\n", size/4)
		},
		"quotations, then lines":   func(size int) string { return strings.Repeat("> ", size/8) + strings.Repeat("a\n", size/3) },
		"many quotations per line": func(size int) string { return strings.Repeat(strings.Repeat("> - ", 100)+"a\n", size/402) },
		"pictures in pictures": func(size int) string {
			return strings.Repeat("![", size/6) + strings.Repeat("](a)", size/6)
		},
		"brackets around words": func(size int) string {
			return strings.Repeat("[", 900) + strings.Repeat("*a* ", size/4) + strings.Repeat("]", 900)
		},
		"ever longer fences of code": func(size int) string {
			var b strings.Builder
			for i := 1; b.Len() < size; i++ {
				b.WriteString(strings.Repeat("`", i) + " a ")
			}
			return b.String()
		},
		"ten thousand columns": func(size int) string {
			row := strings.Repeat("|a", 10_000) + "|\n"
			return row + strings.Repeat("|-", 10_000) + "|\n" + strings.Repeat(row, size/20_000)
		},
		"wide table of short rows": func(size int) string {
			columns := size / 8
			return strings.Repeat("|a", columns) + "|\n" + strings.Repeat("|-", columns) + "|\n" + strings.Repeat("|a\n", size/6)
		},
		"strokes in code in a table": func(size int) string { return "|a|b|\n|-|-|\n" + strings.Repeat("|`a\\|b`|c|\n", size/11) },
	}
	for _, piece := range []string{"> ", ">", "> - ", "- ", "+ * ", "1. ", "- a\n\n", "[", "]", "[a]: b\n", "![a](", "[a](<b", "[a](b (x", "[a](b 'x\n", "[a][",
		"*", "*a ", "*_", "a*_b ", "*a_ ", "a**b_c*d__", "~a *b~~", "_a __b ", "`", "`a``b", "`a``b\n", "> a\nb\n", "<", "<a b='", "x<a b=\n", "<!-- a ", "&", "&a", "a|b\n-|-\n", "||\n|-|\n", "a\n=\n"} {
		shapes[piece] = func(size int) string { return strings.Repeat(piece, size/len(piece)) + "\na" }
	}
	return shapes
}

// TestHostileLosesNothing checks that each letter of hostile texts is written.
func TestHostileLosesNothing(t *testing.T) {
	for name, shape := range hostile() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := shape(20_000)
			f := opened(t, written(t, word.Document{Text: text}))
			words := strings.ReplaceAll(text, "1", "") // Word adds the numbers of lists
			if lost := missing(letters(words), letters(f.text())); lost != "" {
				t.Errorf("lost %s", lost)
			}
		})
	}
}

// TestDeepIsFlat checks that text nested deeper than the deepest list is written.
func TestDeepIsFlat(t *testing.T) {
	for name, c := range map[string]struct{ unit, want string }{
		"quotations": {"> ", "> > > > > > > > a"}, "bullets": {"- ", "- - - - - - - - a"}, "numbers": {"1. ", "1. 1. 1. 1. 1. 1. 1. 1. a"},
	} {
		f := opened(t, written(t, word.Document{Text: strings.Repeat(c.unit, 40) + "a"}))
		if got := strings.TrimSpace(f.text()); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
