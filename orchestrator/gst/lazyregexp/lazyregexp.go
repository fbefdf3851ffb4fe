// Package lazyregexp holds regular expressions that are compiled when they are first asked. The rooms of gst have more
// than a hundred, which took half of the start of every process of this program, most of which read no notice. The
// package knows no expression of its own.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression of package regexp; it is safe for concurrent use. An expression that does not compile
// panics when it is first asked, so each needs a test that asks it.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New returns a Regexp of the expression, without compiling it.
func New(expression string) *Regexp {
	return &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString is that of regexp.Regexp.
func (p *Regexp) MatchString(s string) bool {
	return p.compiled().MatchString(s)
}

// FindString is regexp.Regexp.FindString.
func (p *Regexp) FindString(s string) string {
	return p.compiled().FindString(s)
}

// FindStringIndex is that of regexp.Regexp.
func (p *Regexp) FindStringIndex(s string) []int {
	return p.compiled().FindStringIndex(s)
}

// FindStringSubmatch is that of regexp.Regexp.
func (p *Regexp) FindStringSubmatch(s string) []string {
	return p.compiled().FindStringSubmatch(s)
}

// FindStringSubmatchIndex is that of regexp.Regexp.
func (p *Regexp) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

// FindAllStringIndex is that of regexp.Regexp.
func (p *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.Regexp.
func (p *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is that of regexp.Regexp.
func (p *Regexp) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is that of regexp.Regexp.
func (p *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (p *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllString is that of regexp.Regexp.
func (p *Regexp) FindAllString(s string, n int) []string {
	return p.compiled().FindAllString(s, n)
}
