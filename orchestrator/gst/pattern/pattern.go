// Package pattern holds regular expressions that are compiled when they are first asked. The rooms of gst have more than a
// hundred, which took half of the start of every process of this program, most of which read no notice. The package knows
// no expression of its own.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression of package regexp; it is safe for concurrent use. An expression that does not compile
// panics when it is first asked, so each needs a test that asks it.
type Pattern struct {
	compiled func() *regexp.Regexp
}

// New makes a Pattern of the expression, without compiling it.
func New(expression string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString is that of regexp.Regexp.
func (p *Pattern) MatchString(s string) bool {
	return p.compiled().MatchString(s)
}

// FindString is that of regexp.Regexp.
func (p *Pattern) FindString(s string) string {
	return p.compiled().FindString(s)
}

// FindStringIndex is that of regexp.Regexp.
func (p *Pattern) FindStringIndex(s string) []int {
	return p.compiled().FindStringIndex(s)
}

// FindStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatch(s string) []string {
	return p.compiled().FindStringSubmatch(s)
}

// FindStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatchIndex(s string) []int {
	return p.compiled().FindStringSubmatchIndex(s)
}

// FindAllStringIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is that of regexp.Regexp.
func (p *Pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc is that of regexp.Regexp.
func (p *Pattern) ReplaceAllStringFunc(s string, with func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, with)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllString is that of regexp.Regexp.
func (p *Pattern) FindAllString(s string, n int) []string {
	return p.compiled().FindAllString(s, n)
}
