package workflows

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// OrderInput identifies an order that may be paid.
type OrderInput struct {
	Order   string
	Created time.Time
	After   time.Duration // when to ask the provider first; 0: firstReconcile
}

// SubscriptionInput identifies the person whose paid period is watched.
type SubscriptionInput struct{ Workspace string }

// PaidPeriod says up to when someone has paid.
type PaidPeriod struct {
	Active   bool
	End      time.Time
	Reminded bool // the person has been reminded of this end
}

// Payments stores orders and the periods that they pay for. Implementations return ErrSuperseded for what no longer
// exists.
type Payments interface {
	// Reconcile asks the provider for the state of an order, settles it, and reports whether it may still be paid.
	Reconcile(ctx context.Context, order string) (open bool, err error)
	// CloseOrder closes an unpaid order.
	CloseOrder(ctx context.Context, order string) error
	Period(ctx context.Context, workspace string) (PaidPeriod, error)
	// EndPeriod ends a period whose end is at or before the given time.
	EndPeriod(ctx context.Context, workspace string, end time.Time) error
	// RemindOfEnd stores a reminder that the period ends at the given time.
	RemindOfEnd(ctx context.Context, workspace string, end time.Time) error
	// MailOfEnd mails the person about it, if mail is configured.
	MailOfEnd(ctx context.Context, workspace string, end time.Time) error
}

// Order asks the provider about an order that has not been reported as paid: first some minutes after its creation,
// then at growing intervals, as long as a bank may take. If the payment is reported earlier, the order is settled
// elsewhere, and this workflow finds it settled. A signal makes it ask at once.
func Order(ctx workflow.Context, in OrderInput) error {
	signals := workflow.GetSignalChannel(ctx, changed)
	after := in.After
	if after <= 0 {
		after = firstReconcile
	}
	for ; ; after *= reconcileGrowth {
		last := after >= lateAuthorisation
		due := in.Created.Add(min(after, lateAuthorisation))
		for asked := false; !asked || workflow.Now(ctx).Before(due); asked = true {
			if wait := due.Sub(workflow.Now(ctx)); wait > 0 {
				workflow.SetCurrentDetails(ctx, "Asks the provider at "+moment(due))
				if err := rouse(ctx, signals, wait); err != nil {
					return err
				}
			}
			var open bool
			if err := workflow.ExecuteActivity(reconciling(ctx), a.Reconcile, in.Order).Get(ctx, &open); err != nil {
				if stays(err) {
					return gone(err)
				}
				open = true // the provider is down: ask again next time
			}
			if !open {
				return nil
			}
		}
		if last {
			return gone(workflow.ExecuteLocalActivity(patient(ctx), a.CloseOrder, in.Order).Get(ctx, nil))
		}
	}
}

// stays reports whether a retry cannot help: the order is gone, or the workflow was cancelled.
func stays(err error) bool {
	var failure *temporal.ApplicationError
	return temporal.IsCanceledError(err) || errors.As(err, &failure) && failure.Type() == superseded
}

// rouse waits until the time has passed or a signal arrives.
func rouse(ctx workflow.Context, signals workflow.ReceiveChannel, d time.Duration) error {
	return wait(ctx, signals, workflow.Now(ctx).Add(d))
}

// Subscription watches a paid period: it reminds the person some days before the end, ends the period, and continues
// if it was extended.
func Subscription(ctx workflow.Context, in SubscriptionInput) error {
	signals := workflow.GetSignalChannel(ctx, changed)
	for {
		var p PaidPeriod
		if err := workflow.ExecuteLocalActivity(patient(ctx), a.Period, in.Workspace).Get(ctx, &p); err != nil {
			return gone(err)
		}
		if !p.Active {
			if woken(signals) {
				continue
			}
			return nil
		}
		now, remind := workflow.Now(ctx), p.End.Add(-RemindBeforeEnd)
		until := p.End
		switch {
		case !now.Before(p.End):
			if err := workflow.ExecuteLocalActivity(patient(ctx), a.EndPeriod, in.Workspace, p.End).Get(ctx,
				nil); err != nil {
				return gone(err)
			}
			continue
		case p.Reminded:
		case now.Before(remind):
			until = remind
		default:
			if err := workflow.ExecuteLocalActivity(patient(ctx), a.RemindOfEnd, in.Workspace, p.End).Get(ctx,
				nil); err != nil {
				return gone(err)
			}
			// Showing the reminder is what counts; if the mail cannot be sent, that is no error.
			if err := workflow.ExecuteActivity(mailing(ctx), a.MailOfEnd, in.Workspace, p.End).Get(ctx,
				nil); temporal.IsCanceledError(err) {
				return err
			}
			continue
		}
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("Paid until %s; looks again at %s", moment(p.End), moment(until)))
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() {
			return workflow.NewContinueAsNewError(ctx, Subscription, in)
		}
		if err := wait(ctx, signals, until); err != nil {
			return err
		}
	}
}

// Reconcile asks the provider for the state of an order.
func (a *Activities) Reconcile(ctx context.Context, order string) (bool, error) {
	open, err := a.Payments.Reconcile(ctx, order)
	return open, a.refuse(ctx, "reconcile", err)
}

// CloseOrder closes an unpaid order.
func (a *Activities) CloseOrder(ctx context.Context, order string) error {
	return a.refuse(ctx, "close", a.Payments.CloseOrder(ctx, order))
}

// Period returns up to when a workspace has paid.
func (a *Activities) Period(ctx context.Context, workspace string) (PaidPeriod, error) {
	p, err := a.Payments.Period(ctx, workspace)
	return p, a.refuse(ctx, "period", err)
}

// EndPeriod ends a period.
func (a *Activities) EndPeriod(ctx context.Context, workspace string, end time.Time) error {
	return a.refuse(ctx, "end", a.Payments.EndPeriod(ctx, workspace, end))
}

// RemindOfEnd stores a reminder that the period is about to end.
func (a *Activities) RemindOfEnd(ctx context.Context, workspace string, end time.Time) error {
	return a.refuse(ctx, "remind", a.Payments.RemindOfEnd(ctx, workspace, end))
}

// MailOfEnd mails the person that the period is about to end.
func (a *Activities) MailOfEnd(ctx context.Context, workspace string, end time.Time) error {
	return a.refuse(ctx, "mail", a.Payments.MailOfEnd(ctx, workspace, end))
}
