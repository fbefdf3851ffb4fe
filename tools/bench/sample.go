package main

import (
	"context"
	"slices"
	"sync"
	"time"
)

// sample is how long one request took, to the first and to the last token.
type sample struct{ first, whole time.Duration }

type samples []sample

func (s samples) first(q float64) time.Duration {
	return quantile(s, q, func(x sample) time.Duration { return x.first })
}

func (s samples) whole(q float64) time.Duration {
	return quantile(s, q, func(x sample) time.Duration { return x.whole })
}

// quantile returns the smallest value that a share q of the samples does not exceed.
func quantile(s samples, q float64, of func(sample) time.Duration) time.Duration {
	if len(s) == 0 {
		return 0
	}
	values := make([]time.Duration, len(s))
	for i := range s {
		values[i] = of(s[i])
	}
	slices.Sort(values)
	return values[min(int(q*float64(len(values))), len(values)-1)]
}

// many calls do n times, atOnce of them in parallel, and returns the samples, the total time, and the errors.
func many(ctx context.Context, n, atOnce int,
	do func(context.Context, int) (sample, error)) (samples, time.Duration, []error) {
	var mu sync.Mutex
	var all samples
	var faults []error
	next := make(chan int)
	var wait sync.WaitGroup
	began := time.Now()
	for range min(atOnce, n) {
		wait.Go(func() {
			for i := range next {
				took, err := do(ctx, i)
				mu.Lock()
				if err != nil {
					faults = append(faults, err)
				} else {
					all = append(all, took)
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wait.Wait()
	return all, time.Since(began), faults
}
