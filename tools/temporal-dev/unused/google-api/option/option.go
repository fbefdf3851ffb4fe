// Package option replaces the options of Google's API; they have no effect.
package option

type ClientOption struct{}

func WithTokenSource(any) (o ClientOption) { return o }
