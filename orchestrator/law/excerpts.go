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

// Excerpt is a stretch of a page that speaks of what somebody asks.
type Excerpt struct {
	Paper, Page int // by their places
	Words       string
}

// How long an excerpt is, in bytes, and how much of what is asked it must have, by the weight of the words.
const (
	excerptSize = 900
	excerptHas  = 0.4
)

// Excerpts finds where papers, page by page, speak of a question: the best stretch of each page, at most so many, best
// first. A stretch counts that has two of the question's words and much of their weight; a word weighs more the rarer
// it is in the papers.
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
	in := make([]int, len(asked.bits)) // of each of the question's words, in how many stretches it stands
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
			total += weights[w] / 4 // which the papers never use
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

// askedBits are the words of a question that say something, each a bit.
type askedBits struct {
	bits map[string]uint64 // by stem
	seen map[string]uint64 // by word as it is printed: its bit, 0 for one that is not asked
}

// mostAsked is how many words of a question count, and longestNumber from how many digits a number is an amount or a
// year.
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

// in returns the bits of the words that stand in a text.
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

// stretches cuts a page between its lines into pieces that can be quoted.
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
