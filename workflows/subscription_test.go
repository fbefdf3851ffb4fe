package workflows_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"go.temporal.io/sdk/testsuite"

	"munshi/workflows"
)

// books is what the store and the provider know about one order, and one period.
type books struct {
	now    func() time.Time // of the workflow
	paidAt time.Duration    // counted from its creation; 0: never
	away   time.Duration    // how long the provider does not answer
	asked  []time.Duration
	closed time.Duration

	period workflows.PaidPeriod
	did    []string
	mails  int
}

func (b *books) since() time.Duration { return b.now().Sub(begun) }

func (b *books) Reconcile(context.Context, string) (bool, error) {
	b.asked = append(b.asked, b.since().Round(time.Second))
	if b.since() < b.away {
		return true, errors.New("the provider does not answer")
	}
	return b.paidAt == 0 || b.since() < b.paidAt, nil
}

func (b *books) CloseOrder(context.Context, string) error { b.closed = b.since(); return nil }

func (b *books) Period(context.Context, string) (workflows.PaidPeriod, error) { return b.period, nil }

func (b *books) EndPeriod(_ context.Context, _ string, end time.Time) error {
	if b.period.End.After(end) {
		return nil // extended in the meantime
	}
	b.did = append(b.did, fmt.Sprintf("ended on day %d", int(b.since()/day)))
	b.period = workflows.PaidPeriod{}
	return nil
}

func (b *books) RemindOfEnd(context.Context, string, time.Time) error {
	b.did = append(b.did, fmt.Sprintf("reminded on day %d", int(b.since()/day)))
	b.period.Reminded = true
	return nil
}

func (b *books) MailOfEnd(context.Context, string, time.Time) error {
	b.mails++
	return errors.New("the mail server refuses")
}

// keep runs one of the payment workflows, with time passing as fast as possible.
func keep(t *testing.T, b *books, workflow, in any, at map[time.Duration]func(*testsuite.TestWorkflowEnvironment)) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet)
	env := suite.NewTestWorkflowEnvironment()
	env.SetStartTime(begun)
	env.SetTestTimeout(time.Minute) // for a busy machine
	env.SetWorkflowRunTimeout(2 * 365 * day)
	b.now = func() time.Time { return env.Now().UTC() }
	env.RegisterActivity(&workflows.Activities{Payments: b, Log: slog.New(slog.DiscardHandler)})
	for after, what := range at {
		env.RegisterDelayedCallback(func() { what(env) }, after)
	}
	env.ExecuteWorkflow(workflow, in)
	if !env.IsWorkflowCompleted() {
		t.Fatal("it did not end")
	}
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
}

func TestOrderIsReconciled(t *testing.T) {
	quarter := 15 * time.Minute
	all := []time.Duration{quarter, 2 * quarter, 4 * quarter, 8 * quarter, 16 * quarter, 32 * quarter, 64 * quarter, 128 * quarter, 256 * quarter, 3 * day}
	order := workflows.OrderInput{Order: "order_1", Created: begun}
	t.Run("never paid, it is given up after three days", func(t *testing.T) {
		b := &books{}
		keep(t, b, workflows.Order, order, nil)
		if !slices.Equal(b.asked, all) || b.closed != 3*day {
			t.Errorf("asked after %v, closed after %v", b.asked, b.closed)
		}
	})
	t.Run("a late authorisation is found", func(t *testing.T) {
		b := &books{paidAt: 2*day + time.Hour}
		keep(t, b, workflows.Order, order, nil)
		if !slices.Equal(b.asked, all[:len(all)-1]) || b.closed != 0 {
			t.Errorf("asked after %v, closed after %v", b.asked, b.closed)
		}
	})
	t.Run("a browser that was told asks at once", func(t *testing.T) {
		b := &books{paidAt: time.Minute}
		keep(t, b, workflows.Order, order, map[time.Duration]func(*testsuite.TestWorkflowEnvironment){
			2 * time.Minute: func(env *testsuite.TestWorkflowEnvironment) { env.SignalWorkflow("changed", nil) },
		})
		if !slices.Equal(b.asked, []time.Duration{2 * time.Minute}) {
			t.Errorf("asked after %v", b.asked)
		}
	})
	t.Run("a provider that is away for an hour is asked until it is back", func(t *testing.T) {
		b := &books{paidAt: time.Minute, away: time.Hour}
		keep(t, b, workflows.Order, order, nil)
		if last := b.asked[len(b.asked)-1]; last < time.Hour || last > time.Hour+quarter || b.closed != 0 {
			t.Errorf("it was reached after %v, closed after %v", last, b.closed)
		}
	})
	t.Run("one whose watch was lost is asked about at once", func(t *testing.T) {
		b := &books{}
		keep(t, b, workflows.Order, workflows.OrderInput{Order: "order_1", Created: begun.Add(-4 * day)}, nil)
		if b.closed != 0 || len(b.asked) == 0 || b.asked[len(b.asked)-1] != 0 {
			t.Errorf("asked after %v, closed after %v", b.asked, b.closed)
		}
	})
}

func TestPaidPeriod(t *testing.T) {
	watch := func(b *books, at map[time.Duration]func(*testsuite.TestWorkflowEnvironment)) []string {
		b.period = workflows.PaidPeriod{Active: true, End: begun.Add(30 * day)}
		keep(t, b, workflows.Subscription, workflows.SubscriptionInput{Workspace: "w"}, at)
		return b.did
	}
	b := &books{}
	if did := watch(b, nil); !slices.Equal(did, []string{"reminded on day 27", "ended on day 30"}) || b.mails == 0 {
		t.Errorf("it %v, with %d mails", did, b.mails)
	}
	renew := func(b *books) func(*testsuite.TestWorkflowEnvironment) {
		return func(env *testsuite.TestWorkflowEnvironment) {
			b.period.End, b.period.Reminded = b.period.End.Add(30*day), false
			env.SignalWorkflow("changed", nil)
		}
	}
	b = &books{}
	did := watch(b, map[time.Duration]func(*testsuite.TestWorkflowEnvironment){10 * day: renew(b), 58 * day: renew(b)})
	if want := []string{"reminded on day 57", "reminded on day 87", "ended on day 90"}; !slices.Equal(did, want) {
		t.Errorf("paid early, and after the reminder, it %v, want %v", did, want)
	}
	b = &books{}
	did = watch(b, map[time.Duration]func(*testsuite.TestWorkflowEnvironment){5 * day: func(env *testsuite.TestWorkflowEnvironment) {
		b.period = workflows.PaidPeriod{} // the money was refunded
		env.SignalWorkflow("changed", nil)
	}})
	if len(did) != 0 || b.since() != 5*day {
		t.Errorf("given back, it %v, and watched until %v", did, b.since())
	}
}
