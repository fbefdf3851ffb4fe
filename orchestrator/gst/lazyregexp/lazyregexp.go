// Package lazyregexp provides regular expressions that are compiled on first use. The gst packages have more than a
// hundred, and compiling them took half of the start-up time of every process of this program, most of which read no
// notice.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression of package regexp; it is safe for concurrent use. An invalid expression panics on
// first use, so every expression needs a test that uses it.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New returns a Regexp without compiling the expression.
func New(expression string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString is like regexp.Regexp.MatchString.
func (p *Regexp) MatchString(s string) bool {
	return p.compiled().MatchString(s)
}

// FindString is like regexp.Regexp.FindString.
func (p *Regexp) FindString(s string) string {
	return p.compiled().FindString(s)
}

// FindStringIndex is like regexp.Regexp.FindStringIndex.
func (p *Regexp) FindStringIndex(s string) []int {
	return p.compiled().FindStringIndex(s)
}

// FindStringSubmatch is like regexp.Regexp.FindStringSubmatch.
func (p *Regexp) FindStringSubmatch(s string) []string {
	return p.compiled().FindStringSubmatch(s)
}

// FindStringSubmatchIndex is like regexp.Regexp.FindStringSubmatchIndex.
func (p *Regexp) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

// FindAllStringIndex is like regexp.Regexp.FindAllStringIndex.
func (p *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is like regexp.Regexp.FindAllStringSubmatchIndex.
func (p *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is like regexp.Regexp.ReplaceAllString.
func (p *Regexp) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is like regexp.Regexp.ReplaceAllStringFunc.
func (p *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}

// FindAllStringSubmatch is like regexp.Regexp.FindAllStringSubmatch.
func (p *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllString is like regexp.Regexp.FindAllString.
func (p *Regexp) FindAllString(s string, n int) []string {
	return p.compiled().FindAllString(s, n)
}

// Split is like regexp.Regexp.Split.
func (p *Regexp) Split(s string, n int) []string {
	return p.compiled().Split(s, n)
}
