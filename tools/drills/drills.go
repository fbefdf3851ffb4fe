// Package drills has what the drills of containers, chart and scale share.
package drills

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Fatal is an error for which retrying is useless.
type Fatal struct{ Err error }

func (f Fatal) Error() string { return f.Err.Error() }

func (f Fatal) Unwrap() error { return f.Err }

// Await calls try, for at most 20 seconds each time, until it succeeds, returns a Fatal, or the time is over. The
// error names what was waited for and wraps the last error of try.
func Await(ctx context.Context, most time.Duration, what string, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var last error
	for {
		one, done := context.WithTimeout(ctx, 20*time.Second)
		err := try(one)
		done()
		if err == nil {
			return nil
		}
		if errors.As(err, new(Fatal)) {
			return err
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited %s for %s: %w", most, what, errors.Join(last, ctx.Err()))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// LastLines returns the last n lines of a program's output.
func LastLines(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
