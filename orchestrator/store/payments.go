package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store/db"
)

// Payment is a payment order in its current state.
type Payment = db.Payment

// NewPayment is an order that the payment provider has created.
type NewPayment struct {
	Order, Provider string
	Workspace       uuid.UUID
	Paise           int64
	Currency        string
	State           string // the person's State by its GST code; "" if not needed
	Seats           int    // number of seats of a firm; 1 for a person
}

// StartPayment stores an order; the checkout may open only afterwards. A subscription that is not active becomes
// pending.
func (s *Store) StartPayment(ctx context.Context, n NewPayment) error {
	err := s.system(ctx, func(q *db.Queries) error {
		err := q.AddPayment(ctx, db.AddPaymentParams{OrderID: n.Order, WorkspaceID: n.Workspace, Provider: n.Provider,
			AmountPaise: n.Paise, Currency: n.Currency, RecipientState: n.State, Seats: int32(max(1, n.Seats))})
		if err != nil {
			return err
		}
		if err := q.BeginPending(ctx, n.Workspace); err != nil {
			return err
		}
		return note(ctx, q, &n.Workspace, "payment_started", map[string]any{"order": n.Order})
	})
	if err != nil {
		return fmt.Errorf("keep the order: %w", err)
	}
	return nil
}

// DismissPayment records that the person closed the checkout. A pending subscription becomes inactive, an active one
// is kept. The order stays open, since a payment may still arrive. ErrNotFound: the person has no such order.
func (s *Store) DismissPayment(ctx context.Context, workspace uuid.UUID, order string) error {
	err := s.system(ctx, func(q *db.Queries) error {
		n, err := q.DismissPayment(ctx, db.DismissPaymentParams{OrderID: order, WorkspaceID: workspace})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotFound
		}
		return q.EndPending(ctx, db.EndPendingParams{WorkspaceID: workspace, OrderID: order})
	})
	if err != nil {
		return fmt.Errorf("note that the checkout was closed: %w", err)
	}
	return nil
}

// Payment returns a person's own order. ErrNotFound: the person has no such order.
func (s *Store) Payment(ctx context.Context, workspace uuid.UUID, order string) (p Payment, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		p, err = q.Payment(ctx, order)
		return err
	})
	if err != nil {
		return Payment{}, fmt.Errorf("read the order: %w", err)
	}
	return p, nil
}

// Payments returns a person's orders, latest first.
func (s *Store) Payments(ctx context.Context, workspace uuid.UUID) (list []Payment, err error) {
	err = s.look(ctx, workspace, func(q *db.Queries) error {
		list, err = q.Payments(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the payments: %w", err)
	}
	return list, nil
}

// OpenOrder returns an order for the job that asks the provider about it. It returns ErrNotFound if there is none.
func (s *Store) OpenOrder(ctx context.Context, order string) (p Payment, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		p, err = q.Payment(ctx, order)
		return err
	})
	if err != nil {
		return Payment{}, fmt.Errorf("read the order: %w", err)
	}
	return p, nil
}

// The states of a payment. An order has the same states, and "created" before them.
const (
	Attempted = "attempted" // authorised by the bank, not yet captured by the provider
	Failed    = "failed"
	Paid      = "paid"
	Disputed  = "disputed" // the payer disputes the charge with the bank
	Kept      = "kept"     // the dispute was decided in our favour
	Lost      = "lost"     // the dispute was decided in the payer's favour
	Refunded  = "refunded"
)

// rank orders the states: an order only moves to a state of higher rank. States of equal rank exclude each other.
var rank = map[string]int{"created": 0, Attempted: 1, Failed: 1, Paid: 2, Disputed: 3, Kept: 4, Lost: 5, Refunded: 5}

// Charge is what the provider reports about one payment.
type Charge struct {
	Event    string // id of the event that reported it; "" if we asked the provider
	Kind     string // the event's name, for the record
	Order    string // "" if the provider names only the payment
	Payment  string
	State    string
	Paise    int64
	Currency string
	Refunded int64 // the refunded part of the amount
}

// Sale is what a payment buys, and how its receipt is made.
type Sale struct {
	Period time.Duration
	// Receipt returns the prefix of the receipt's number and the receipt's content. state is the person's State by its
	// GST code.
	Receipt func(paise int64, state string) (letters string, receipt json.RawMessage, err error)
}

// Settled is the result of applying a charge.
type Settled struct {
	Workspace uuid.UUID
	State     string // of the order, after the charge
	Activated bool   // this charge started or extended the period
	Changed   bool   // the end of the period changed
}

// Refused is a charge that does not match our order; nothing was stored.
type Refused struct {
	Why       string // amount, currency, unknown_order or other_payment
	Workspace *uuid.UUID
}

// Error implements error.
func (r *Refused) Error() string { return "the payment was refused: " + r.Why }

var errRepeated = errors.New("the event was taken before")

// Settle applies what the provider reports about a payment. Reports may arrive in any order and repeatedly: only the
// first that says the order is paid starts or extends the period. A charge that does not match the order gives a
// *Refused.
func (s *Store) Settle(ctx context.Context, c Charge, sale Sale) (done Settled, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		done = Settled{}
		order := c.Order
		if order == "" {
			if order, err = q.OrderOfPayment(ctx, &c.Payment); errors.Is(err, pgx.ErrNoRows) {
				return &Refused{Why: "unknown_order"}
			} else if err != nil {
				return err
			}
		}
		p, err := q.LockPayment(ctx, order)
		if errors.Is(err, pgx.ErrNoRows) {
			return &Refused{Why: "unknown_order"}
		}
		if err != nil {
			return err
		}
		done = Settled{Workspace: p.WorkspaceID, State: p.State}
		switch {
		case c.Currency != p.Currency:
			return &Refused{Why: "currency", Workspace: &p.WorkspaceID}
		case c.Paise != p.AmountPaise:
			return &Refused{Why: "amount", Workspace: &p.WorkspaceID}
		case c.Payment == "" || rank[c.State] == 0:
			return &Refused{Why: "no_payment", Workspace: &p.WorkspaceID}
		case rank[c.State] >= rank[Paid] && p.PaymentID != nil && *p.PaymentID != c.Payment:
			return &Refused{Why: "other_payment", Workspace: &p.WorkspaceID} // the provider refunds it
		}
		if c.Event != "" {
			n, err := q.TakeEvent(ctx, db.TakeEventParams{ID: c.Event, OrderID: order, Kind: c.Kind})
			if err != nil {
				return err
			}
			if n == 0 {
				return errRepeated
			}
		}
		return settle(ctx, q, p, c, sale, &done)
	})
	switch {
	case errors.Is(err, errRepeated):
		return done, nil
	case violates(err, "payments_payment_id_key"):
		return done, &Refused{Why: "other_order", Workspace: &done.Workspace}
	case err != nil:
		return done, fmt.Errorf("settle the payment: %w", err)
	}
	return done, nil
}

func settle(ctx context.Context, q *db.Queries, p Payment, c Charge, sale Sale, done *Settled) error {
	state := c.State
	was, is := rank[p.State], rank[state]
	if is < was || is == was && (is >= rank[Paid] || p.State == state) {
		state = p.State
	}
	next := db.SetPaymentStateParams{OrderID: p.OrderID, State: state, RefundedPaise: c.Refunded}
	if is >= rank[Paid] { // another attempt may succeed after a failed one
		next.PaymentID = &c.Payment
	}
	if state == p.State && next.RefundedPaise <= p.RefundedPaise {
		return nil
	}
	if err := q.SetPaymentState(ctx, next); err != nil {
		return err
	}
	done.State = state
	if state == p.State {
		return nil
	}
	is = rank[state]
	if is >= rank[Paid] && is < rank[Lost] && p.PaidAt == nil { // a dispute may be reported before its payment
		if err := activate(ctx, q, p, c, sale, done); err != nil {
			return err
		}
	}
	// A refund takes away the unused days of that payment; used days, and days of other payments, remain. An open
	// dispute changes nothing: it is undecided, and most are mistakes.
	if is >= rank[Lost] {
		if err := takeBack(ctx, q, p, done); err != nil {
			return err
		}
	}
	return note(ctx, q, &p.WorkspaceID, "payment_"+state, map[string]any{"order": p.OrderID, "payment": c.Payment})
}

func activate(ctx context.Context, q *db.Queries, p Payment, c Charge, sale Sale, done *Settled) error {
	grant := db.GrantPeriodParams{OrderID: p.OrderID}
	sub, err := optional(q.LockSubscription(ctx, p.WorkspaceID))
	if err != nil {
		return err
	}
	if sub != nil { // nil if the person was erased while paying; the payment is still recorded
		from := sub.Now
		if sub.CurrentPeriodEnd != nil && sub.CurrentPeriodEnd.After(from) && sub.Status == "active" {
			from = from.Add(worth(sub.CurrentPeriodEnd.Sub(from), sub.Seats, p.Seats))
		}
		to := from.Add(sale.Period)
		grant.PeriodFrom, grant.PeriodTo = &from, &to
		err := q.Activate(ctx, db.ActivateParams{WorkspaceID: p.WorkspaceID, PaymentID: &c.Payment, PeriodEnd: &to,
			Seats: p.Seats})
		if err != nil {
			return err
		}
		done.Activated, done.Changed = true, true
	}
	letters, receipt, err := sale.Receipt(p.AmountPaise, p.RecipientState)
	if err != nil {
		return fmt.Errorf("write the receipt: %w", err)
	}
	now := time.Now()
	if sub != nil {
		now = sub.Now
	}
	series := letters + "/" + financialYear(now)
	n, err := q.NextReceipt(ctx, series)
	if err != nil {
		return err
	}
	grant.ReceiptNumber, grant.Receipt = ptr(fmt.Sprintf("%s/%06d", series, n)), receipt
	return q.GrantPeriod(ctx, grant)
}

// worth converts remaining time between numbers of seats: twelve days for two seats are worth six days for four.
func worth(left time.Duration, seats, others int32) time.Duration {
	if seats == others {
		return left
	}
	return time.Duration(float64(left) * float64(seats) / float64(others))
}

func takeBack(ctx context.Context, q *db.Queries, p Payment, done *Settled) error {
	sub, err := optional(q.LockSubscription(ctx, p.WorkspaceID))
	if err != nil || sub == nil {
		return err
	}
	if p.PeriodTo == nil || p.PeriodFrom == nil || !p.PeriodTo.After(sub.Now) || sub.CurrentPeriodEnd == nil {
		return q.EndPending(ctx, db.EndPendingParams{WorkspaceID: p.WorkspaceID, OrderID: p.OrderID})
	}
	begins := *p.PeriodFrom
	if sub.Now.After(begins) {
		begins = sub.Now
	}
	left := p.PeriodTo.Sub(begins)
	if err := q.TakeBackDays(ctx, db.TakeBackDaysParams{OrderID: p.OrderID, LeftUs: left.Microseconds(),
		WasTo: *p.PeriodTo}); err != nil {
		return err
	}
	end := sub.CurrentPeriodEnd.Add(-left)
	done.Changed = true
	return q.ShortenPeriod(ctx, db.ShortenPeriodParams{WorkspaceID: p.WorkspaceID, PeriodEnd: &end})
}

// financialYear returns the Indian financial year of a time as printed on receipts, such as 26-27.
func financialYear(t time.Time) string {
	india := t.UTC().Add(5*time.Hour + 30*time.Minute)
	year := india.Year()
	if india.Month() < time.April {
		year--
	}
	return fmt.Sprintf("%02d-%02d", year%100, (year+1)%100)
}

// CloseOrder records that we no longer ask the provider about an order; a pending subscription becomes inactive.
func (s *Store) CloseOrder(ctx context.Context, order string) error {
	err := s.system(ctx, func(q *db.Queries) error {
		p, err := q.LockPayment(ctx, order)
		if err != nil {
			return err
		}
		if err := q.ClosePayment(ctx, order); err != nil {
			return err
		}
		return q.EndPending(ctx, db.EndPendingParams{WorkspaceID: p.WorkspaceID, OrderID: p.OrderID})
	})
	if err != nil {
		return fmt.Errorf("close the order: %w", err)
	}
	return nil
}

// EndPending makes a pending subscription inactive, unless it waits for a later order.
func (s *Store) EndPending(ctx context.Context, workspace uuid.UUID, order string) error {
	if err := s.system(ctx, func(q *db.Queries) error {
		return q.EndPending(ctx, db.EndPendingParams{WorkspaceID: workspace, OrderID: order})
	}); err != nil {
		return fmt.Errorf("end what is pending: %w", err)
	}
	return nil
}

// Period says up to when a person has paid.
type Period = db.PeriodRow

// Period returns up to when a person has paid. ErrNotFound: the person was erased.
func (s *Store) Period(ctx context.Context, workspace uuid.UUID) (p Period, err error) {
	err = s.systemLook(ctx, func(q *db.Queries) error {
		p, err = q.Period(ctx, workspace)
		return err
	})
	if err != nil {
		return Period{}, fmt.Errorf("read the period: %w", err)
	}
	return p, nil
}

// EndPeriod ends a period whose end is at or before the given time. It returns false if the period was extended
// meanwhile.
func (s *Store) EndPeriod(ctx context.Context, workspace uuid.UUID, end time.Time) (ended bool, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		n, err := q.EndPeriod(ctx, db.EndPeriodParams{WorkspaceID: workspace, PeriodEnd: &end})
		if err != nil || n == 0 {
			return err
		}
		ended = true
		return note(ctx, q, &workspace, "period_ended", nil)
	})
	if err != nil {
		return false, fmt.Errorf("end the period: %w", err)
	}
	return ended, nil
}

// RemindOfEnd stores a reminder that the period ends at the given time; first is false if there already was one.
func (s *Store) RemindOfEnd(ctx context.Context, workspace uuid.UUID, end time.Time) (first bool, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		n, err := q.RemindOfEnd(ctx, db.RemindOfEndParams{WorkspaceID: workspace, PeriodEnd: &end})
		first = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("remind of the period's end: %w", err)
	}
	return first, nil
}

// OverduePeriods returns the workspaces whose period should have ended by the first time, and those that should have
// been reminded that it ends before the second.
func (s *Store) OverduePeriods(ctx context.Context, ended, reminded time.Time) (list []uuid.UUID, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		list, err = q.OverduePeriods(ctx, db.OverduePeriodsParams{Ended: &ended, Reminded: &reminded})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for periods that are over: %w", err)
	}
	return list, nil
}

// UncheckedOrder is an order to be checked with the provider: an open one whose workflow may be lost, or a paid one
// whose period is running.
type UncheckedOrder = db.UncheckedOrdersRow

// UncheckedOrders returns open orders that were last checked before the time open, and orders with a running period
// that were last checked before the time running; it marks them as checked. It also deletes old events (providers
// repeat events only for a day), and payments from before the time records, which need not be kept any longer.
func (s *Store) UncheckedOrders(ctx context.Context,
	open, running, records time.Time) (list []UncheckedOrder, err error) {
	err = s.system(ctx, func(q *db.Queries) error {
		if list, err = q.UncheckedOrders(ctx,
			db.UncheckedOrdersParams{Before: &open, PaidBefore: &running}); err != nil {
			return err
		}
		return errors.Join(q.PrunePaymentEvents(ctx), q.PrunePayments(ctx, records))
	})
	if err != nil {
		return nil, fmt.Errorf("look for open orders: %w", err)
	}
	return list, nil
}
