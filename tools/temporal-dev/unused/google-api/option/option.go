// Package option has no effect.
package option

type ClientOption struct{}

func WithTokenSource(any) (o ClientOption) { return o }
