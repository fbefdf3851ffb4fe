package recovery

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"munshi/orchestrator/store"
)

// Job is work that is repeated outside the reconciler, because it may have to wait for another server, such as the mail
// server.
type Job struct {
	Name  string
	Every time.Duration
	Do    func(ctx context.Context, now time.Time) error
}

// Jobs runs a list of jobs. Each job runs in only one process at a time.
type Jobs struct {
	Store *store.Store
	List  []Job
	Log   *slog.Logger
}

// Run repeats the jobs until ctx ends.
func (j Jobs) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, job := range j.List {
		all.Go(func() { j.run(ctx, job) })
	}
	all.Wait()
}

func (j Jobs) run(ctx context.Context, job Job) {
	tick := time.NewTicker(job.Every)
	defer tick.Stop()
	for {
		_, err := j.Store.Alone(ctx, job.Name, func(ctx context.Context) error { return job.Do(ctx, time.Now()) })
		if err != nil && ctx.Err() == nil {
			j.Log.Warn("a job could not be finished; it is tried again", "job", job.Name, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
