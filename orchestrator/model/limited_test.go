package model

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// owners records whose requests it answers, and in which order.
type owners struct {
	mu  sync.Mutex
	are []string
}

func (o *owners) Generate(_ context.Context, req Request, _ func(string) error) (Reply, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.are = append(o.are, req.Owner)
	return Reply{}, nil
}

// oneASecond allows one call each second.
func oneASecond() Pass {
	free := time.Now()
	return func(context.Context) (time.Duration, error) {
		if wait := time.Until(free); wait > 0 {
			return wait, nil
		}
		free = time.Now().Add(time.Second)
		return 0, nil
	}
}

// An owner with one request does not wait behind another's hundred, which are answered one a
// second.
func TestOwnersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen owners
		engine := Limited(Config{Provider: "openai"}, &seen, oneASecond(), time.Hour)
		ask := func(owner string) {
			if _, err := engine.Generate(t.Context(), Request{Owner: owner}, nil); err != nil {
				t.Error(err)
			}
		}
		began := time.Now()
		var many, few sync.WaitGroup
		for range 100 {
			many.Go(func() { ask("many") })
		}
		synctest.Wait()
		few.Go(func() { ask("few") })
		few.Wait()
		if waited := time.Since(began); waited > 2*time.Second {
			t.Errorf("one request waited %v behind a hundred", waited)
		}
		many.Wait()
		if took := time.Since(began); took != 100*time.Second {
			t.Errorf("101 requests took %v", took)
		}
		if len(seen.are) != 101 || slices.Index(seen.are, "few") > 2 {
			t.Errorf("of %d requests the single one was number %d", len(seen.are), slices.Index(seen.are, "few"))
		}
	})
}

// A request that stops waiting uses up nothing, and one that has waited too long fails as "the
// provider is busy".
func TestLimitedGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen owners
		var passes atomic.Int32
		pass := oneASecond()
		counted := func(ctx context.Context) (time.Duration, error) {
			wait, err := pass(ctx)
			if wait == 0 {
				passes.Add(1)
			}
			return wait, err
		}
		engine := Limited(Config{Provider: "openai", BaseURL: "http://h/v1", Model: "m"}, &seen, counted, 2500*time.Millisecond)
		var failed atomic.Int32
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				_, err := engine.Generate(t.Context(), Request{Owner: "a"}, nil)
				var busy *Error
				if errors.As(err, &busy) && busy.Class == RateLimited && busy.Retryable() {
					failed.Add(1)
				} else if err != nil {
					t.Error(err)
				}
			})
		}
		stopped, stop := context.WithCancel(t.Context())
		all.Go(func() {
			if _, err := engine.Generate(stopped, Request{Owner: "b"}, nil); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		stop()
		all.Wait()
		time.Sleep(time.Minute)
		if n := int(passes.Load()); n != len(seen.are) || n < 3 || int(failed.Load()) < 2 {
			t.Errorf("%d were let through, %d were made, %d gave up", n, len(seen.are), failed.Load())
		}
	})
}

// If a request has waited long enough for one provider, the next one is asked.
func TestChainLeavesAFullProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := func(context.Context) (time.Duration, error) { return time.Second, nil }
		chain := Chain{Providers: map[string]Config{"openai": {Provider: "openai", Key: "k", Model: "m"}, "mistral": {Provider: "mistral", Key: "k", Model: "m"}},
			Order: []string{"openai", "mistral"},
			Wrap: func(cfg Config, _ Engine) Engine {
				if cfg.Provider == "openai" {
					return Limited(cfg, &owners{}, never, time.Minute)
				}
				return &owners{}
			}}
		engine, err := chain.Open()
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := engine.Generate(t.Context(), Request{}, nil); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		time.Sleep(time.Minute)
	})
}
