package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one mistake in a plugin's folder, in a plain sentence.
type Problem struct {
	File    string   `json:"file"`   // path below the prompts folder
	Line    int      `json:"line"`   // from 1
	Column  int      `json:"column"` // in letters, counted from 1
	Message string   `json:"message"`
	Prompts []string `json:"prompts,omitempty"` // for a shared text: the prompts that it breaks, as in "notice/analyse"
}

// String returns the place and the sentence on one line.
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Sentence())
}

// Sentence returns the message, followed by the broken prompts if the mistake is in a shared text.
func (p Problem) Sentence() string {
	if len(p.Prompts) == 0 {
		return p.Message
	}
	return p.Message + " It stops " + strings.Join(p.Prompts, ", ") + "."
}

// Problems is all mistakes, sorted by file and place. It is the error of Load and Open.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

func (p Problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return p.Tidy()
}

// Tidy sorts the mistakes, and combines those that several prompts have in the same shared text.
func (p Problems) Tidy() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column,
			strings.Compare(a.Message, b.Message))
	})
	tidy := make(Problems, 0, len(p))
	for _, next := range p {
		if len(tidy) == 0 || !tidy[len(tidy)-1].same(next) {
			next.Prompts = slices.Clone(next.Prompts)
			tidy = append(tidy, next)
			continue
		}
		last := &tidy[len(tidy)-1]
		last.Message = next.Message
		last.Prompts = append(last.Prompts, next.Prompts...)
		slices.Sort(last.Prompts)
		last.Prompts = slices.Compact(last.Prompts)
	}
	return tidy
}

// same reports whether next, which is sorted after p, is the same mistake, even if next adds a suggestion.
func (p Problem) same(next Problem) bool {
	return p.File == next.File && p.Line == next.Line && p.Column == next.Column &&
		(p.Message == next.Message || len(p.Prompts) > 0 && strings.HasPrefix(next.Message, p.Message+" "))
}

// didYouMean returns " Did you mean …?" with the option nearest to a misspelt name, or "" if none is near.
func didYouMean(name string, options []string) string {
	best, least := "", max(1, len(name)/3)+1
	for _, o := range slices.Sorted(slices.Values(options)) {
		if d := distance(strings.ToLower(name), strings.ToLower(o)); d < least {
			best, least = o, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" Did you mean %q?", best)
}

// distance counts the letters to insert, delete, change or swap with their neighbour to turn a into b.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			change := 1
			if s[i-1] == t[j-1] {
				change = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}
