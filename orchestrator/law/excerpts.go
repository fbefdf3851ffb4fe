package law

import (
	"cmp"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// Excerpt is a stretch of a page that is relevant to a question.
type Excerpt struct {
	Paper, Page int // indexes
	Words       string
}

// The size of an excerpt in bytes, and the share of the question, by the weight of its words, that it must have.
const (
	excerptSize = 900
	excerptHas  = 0.4
)

// Excerpts finds the best stretch for a question on each page of the papers, and returns the best of these, at most
// the given number, the best first. A stretch must have two of the question's words and enough of their weight. The rarer a word is in the
// papers, the greater its weight.
func Excerpts(papers [][]string, question string, most int) []Excerpt {
	asked := askedWords(question)
	if len(asked.bits) < 2 {
		return nil
	}
	type stretch struct {
		Excerpt
		has   uint64
		score float64
	}
	var all []stretch
	in := make([]int, len(asked.bits)) // for each word of the question, the number of stretches that have it
	count := 0
	for i, pages := range papers {
		for j, page := range pages {
			for words := range stretches(page) {
				count++
				has := asked.in(words)
				for rest := has; rest != 0; rest &= rest - 1 {
					in[bits.TrailingZeros64(rest)]++
				}
				if bits.OnesCount64(has) >= 2 {
					all = append(all, stretch{Excerpt: Excerpt{i, j, words}, has: has})
				}
			}
		}
	}
	weights, total := make([]float64, len(in)), 0.0
	for w, n := range in {
		weights[w] = math.Log(1 + float64(count+1)/float64(n+1))
		if n == 0 {
			total += weights[w] / 4 // the papers never use the word
		} else {
			total += weights[w]
		}
	}
	for i := range all {
		for rest := all[i].has; rest != 0; rest &= rest - 1 {
			all[i].score += weights[bits.TrailingZeros64(rest)] / total
		}
	}
	slices.SortStableFunc(all, func(a, b stretch) int { return cmp.Compare(b.score, a.score) })
	var found []Excerpt
	taken := map[[2]int]bool{}
	for _, s := range all {
		if s.score < excerptHas || len(found) == most {
			break
		}
		if at := [2]int{s.Paper, s.Page}; !taken[at] {
			taken[at] = true
			s.Words = strings.Join(strings.Fields(s.Words), " ")
			found = append(found, s.Excerpt)
		}
	}
	return found
}

// askedBits maps the meaningful words of a question to bits.
type askedBits struct {
	bits map[string]uint64 // by stem
	seen map[string]uint64 // by word as printed: its bit, 0 if the question does not have it
}

// mostAsked is how many words of a question count. longestNumber is the number of digits from which a number counts
// as a word, because it is an amount or a year.
const (
	mostAsked     = 64
	longestNumber = 4
)

func askedWords(question string) askedBits {
	a := askedBits{bits: map[string]uint64{}, seen: map[string]uint64{}}
	for w := range strings.FieldsFuncSeq(question, betweenWords) {
		w = fold(w)
		if s := stem(w); !idle[w] && (!isDigits(w) || len(w) < longestNumber) && a.bits[s] == 0 &&
			len(a.bits) < mostAsked {
			a.bits[s] = 1 << len(a.bits)
		}
	}
	return a
}

// in returns the bits of those words of the question that occur in a text.
func (a askedBits) in(text string) uint64 {
	has := uint64(0)
	for w := range strings.FieldsFuncSeq(text, betweenWords) {
		bit, known := a.seen[w]
		if !known {
			bit = a.bits[stem(fold(w))]
			a.seen[w] = bit
		}
		has |= bit
	}
	return has
}

// stretches splits a page, between lines if possible, into pieces short enough to quote.
func stretches(page string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for page != "" {
			end := len(page)
			if end > excerptSize {
				end = cmp.Or(strings.LastIndexByte(page[:excerptSize], '\n')+1,
					strings.LastIndexByte(page[:excerptSize], ' ')+1, excerptSize)
				for end < len(page) && !utf8.RuneStart(page[end]) {
					end++
				}
			}
			if !yield(page[:end]) {
				return
			}
			page = page[end:]
		}
	}
}
