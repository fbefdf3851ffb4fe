package workflows

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"unicode"

	"munshi/orchestrator/turns"
)

// pageTexts returns each page's text below its page number, so that a model can say where it read something.
func pageTexts(pages []turns.Page) []string {
	texts := make([]string, len(pages))
	for i, p := range pages {
		text := strings.TrimSpace(p.Text)
		if p.Unreadable() {
			text = "(This page could not be read.)"
		}
		texts[i] = fmt.Sprintf("[Page %d]\n%s", p.Number, text)
	}
	return texts
}

func join(texts []string) string { return strings.Join(texts, "\n\n") }

// Chunks joins texts, in order and completely, into chunks of at most budget estimated tokens. A single longer text is
// split at paragraphs, lines or words, or anywhere as a last resort.
func Chunks(texts []string, budget int, tokens func(string) int) []string {
	var chunks []string
	var now []string
	size := 0
	for _, text := range pieces(texts, budget, tokens) {
		n := tokens(text) + 1
		if size > 0 && size+n > budget {
			chunks = append(chunks, join(now))
			now, size = nil, 0
		}
		now = append(now, text)
		size += n
	}
	if len(now) > 0 {
		chunks = append(chunks, join(now))
	}
	return chunks
}

// pieces splits those texts that are longer than the budget.
func pieces(texts []string, budget int, tokens func(string) int) []string {
	var out []string
	for _, text := range texts {
		for tokens(text)+1 > budget {
			head := cut(text, budget, tokens)
			out = append(out, text[:head])
			text = text[head:]
		}
		if strings.TrimSpace(text) != "" {
			out = append(out, text)
		}
	}
	return out
}

// cut returns where to split a text so that the first part fits the budget, at the best place in the last third of
// that part.
func cut(text string, budget int, tokens func(string) int) int {
	starts := make([]int, 0, len(text))
	for i := range text {
		starts = append(starts, i)
	}
	fits := sort.Search(len(starts), func(i int) bool { return i > 0 && tokens(text[:starts[i]])+1 > budget }) - 1
	end := starts[max(fits, 1)%len(starts)]
	if end == 0 {
		return len(text)
	}
	for _, seam := range []string{"\n\n", "\n", ". ", " "} {
		if at := strings.LastIndex(text[:end], seam); at > end*2/3 {
			return at + len(seam)
		}
	}
	return end
}

// leftOut marks where text was omitted, so that nobody takes the rest for the whole.
const leftOut = "[…]"

// Passages selects from the texts the paragraphs that share the most words with the question, with more weight for
// rare words, within budget tokens, and returns them in their original order. It always includes the beginning of the
// first text, which says what the paper is.
func Passages(texts []string, question string, budget int, tokens func(string) int) string {
	type passage struct {
		at    int
		score float64
		text  string
		words map[string]bool
	}
	var all []passage
	holding := map[string]float64{} // in how many paragraphs a word occurs
	for _, text := range texts {
		head, _, _ := strings.Cut(text, "\n")
		for _, para := range paragraphs(text) {
			p := passage{at: len(all), words: words(para)}
			for w := range p.words {
				holding[w]++
			}
			if !strings.HasPrefix(para, head) {
				para = head + "\n" + para
			}
			p.text = para
			all = append(all, p)
		}
	}
	for i := range all {
		for w := range words(question) {
			if all[i].words[w] {
				all[i].score += 1 / holding[w]
			}
		}
	}
	if len(all) > 0 {
		all[0].score = math.Inf(1)
	}
	byScore := append([]passage(nil), all...)
	sort.SliceStable(byScore, func(i, j int) bool { return byScore[i].score > byScore[j].score })
	var chosen []passage
	for _, p := range byScore {
		if n := tokens(p.text) + 2; n <= budget {
			budget -= n
			chosen = append(chosen, p)
		}
	}
	sort.Slice(chosen, func(i, j int) bool { return chosen[i].at < chosen[j].at })
	var b strings.Builder
	next := 0
	for _, p := range chosen {
		if p.at > next {
			b.WriteString(leftOut + "\n\n")
		}
		b.WriteString(p.text + "\n\n")
		next = p.at + 1
	}
	if next < len(all) {
		b.WriteString(leftOut)
	}
	return strings.TrimSpace(b.String())
}

// paragraphs splits a text at blank lines, and long runs of lines without one after every dozen lines.
func paragraphs(text string) []string {
	var out []string
	var now []string
	end := func() {
		if len(now) > 0 {
			out = append(out, strings.Join(now, "\n"))
			now = nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || len(now) == 12 {
			end()
		}
		if strings.TrimSpace(line) != "" {
			now = append(now, line)
		}
	}
	end()
	return out
}

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if len([]rune(w)) > 3 { // shorter words are mostly grammar
			set[w] = true
		}
	}
	return set
}
