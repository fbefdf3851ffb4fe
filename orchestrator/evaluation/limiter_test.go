package evaluation

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"munshi/workflows"
)

func TestLimiterLetsAFewTurnsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s ConcurrencyLimiter
		limit := &workflows.EvaluationLimit{Run: "run", AtOnce: 2}
		type entered struct {
			turn   string
			waited time.Duration
			leave  func()
		}
		in := make(chan entered, 10)
		enter := func(ctx context.Context, turn string) {
			go func() {
				waited, leave, err := s.Enter(ctx, limit, turn)
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					return
				}
				in <- entered{turn, waited, leave}
			}()
			synctest.Wait()
		}
		next := func(turn string, waited time.Duration) func() {
			t.Helper()
			synctest.Wait()
			select {
			case e := <-in:
				if e.turn != turn || e.waited != waited {
					t.Fatalf("%s is let in after %s; want %s after %s", e.turn, e.waited, turn, waited)
				}
				return e.leave
			default:
				t.Fatalf("%s is not let in", turn)
				return nil
			}
		}
		full := func() {
			t.Helper()
			synctest.Wait()
			if len(in) > 0 {
				t.Fatalf("%s is let in too", (<-in).turn)
			}
		}

		enter(t.Context(), "a")
		leaveA := next("a", 0)
		enter(t.Context(), "b")
		leaveB := next("b", 0)
		enter(t.Context(), "a") // another question of a turn that already uses the model
		leaveA2 := next("a", 0)

		gone, cancel := context.WithCancel(t.Context())
		enter(gone, "gone")
		enter(t.Context(), "c")
		enter(t.Context(), "c")
		enter(t.Context(), "d")
		full()
		if _, _, err := s.Enter(t.Context(), &workflows.EvaluationLimit{Run: "another", AtOnce: 1}, "a"); err != nil {
			t.Error(err) // the turns of each run are counted separately
		}

		time.Sleep(3 * time.Second)
		leaveA()
		full() // the turn still uses a model
		cancel()
		full()
		leaveA2()
		synctest.Wait()
		one, other := <-in, <-in // in any order
		if one.turn != "c" || other.turn != "c" || one.waited+other.waited != 3*time.Second {
			t.Errorf("%s and %s are let in after %s and %s", one.turn, other.turn, one.waited, other.waited)
		}
		one.leave()
		full()
		other.leave()
		leaveD := next("d", 3*time.Second)
		leaveD()
		leaveB()
		if len(s.of) != 1 || s.of["another"] == nil {
			t.Errorf("the ConcurrencyLimiter of ended runs are kept: %v", s.of)
		}
	})
}

func TestPeopleMeetNoLimiter(t *testing.T) {
	var none *ConcurrencyLimiter
	if waited, leave, err := none.Enter(t.Context(), nil, "turn"); waited != 0 || err != nil {
		t.Error(waited, err)
	} else {
		leave()
	}
}
