package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"munshi/orchestrator/store"
)

const month = 30 * 24 * time.Hour

var sale = store.Sale{Period: month, Receipt: func(paise int64, _ string) (string, json.RawMessage, error) {
	return "R", json.RawMessage(fmt.Sprintf(`{"total_paise": %d}`, paise)), nil
}}

// order creates an order of one rupee for a person.
func (f fixture) order(t *testing.T, person uuid.UUID, id string) {
	t.Helper()
	must(t, f.StartPayment(t.Context(), store.NewPayment{Order: id, Provider: "test", Workspace: person, Paise: 100, Currency: "INR"}))
}

func charge(order, payment, state string) store.Charge {
	return store.Charge{Order: order, Payment: payment, State: state, Paise: 100, Currency: "INR"}
}

func (f fixture) settle(t *testing.T, c store.Charge) store.Settled {
	t.Helper()
	done, err := f.Settle(t.Context(), c, sale)
	must(t, err)
	return done
}

func (f fixture) sub(t *testing.T, person uuid.UUID) store.Subscription {
	t.Helper()
	sub, err := f.Subscription(t.Context(), person)
	must(t, err)
	return sub
}

// daysLeft returns how many days of the period remain, rounded.
func (f fixture) daysLeft(t *testing.T, person uuid.UUID) int {
	t.Helper()
	sub := f.sub(t, person)
	if !sub.Premium {
		return 0
	}
	return int((time.Until(*sub.CurrentPeriodEnd) + 12*time.Hour) / (24 * time.Hour))
}

// The same event arrives a hundred times while the browser also verifies the payment: there is one
// activation, one row and one receipt.
func TestPaidOnce(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	f.order(t, person, "order_1")
	var activated atomic.Int32
	var all sync.WaitGroup
	for i := range 120 {
		c := charge("order_1", "pay_1", store.Paid)
		if i%6 != 0 {
			c.Event, c.Kind = fmt.Sprint("evt_", i%3), "payment.captured"
		}
		all.Go(func() {
			done, err := f.Settle(t.Context(), c, sale)
			if err != nil {
				t.Error(err)
			}
			if done.Activated {
				activated.Add(1)
			}
		})
	}
	all.Wait()
	list, err := f.Payments(t.Context(), person)
	must(t, err)
	if activated.Load() != 1 || len(list) != 1 || list[0].State != store.Paid || f.daysLeft(t, person) != 30 {
		t.Fatalf("%d activations, payments %+v, %d days", activated.Load(), list, f.daysLeft(t, person))
	}
	if n := *list[0].ReceiptNumber; n[len(n)-7:] != "/000001" {
		t.Errorf("the receipt is %s, want the first of its year", n)
	}
}

// The provider's reports about a payment lead to the same state and the same number of days in any order, even if
// each arrives twice.
func TestEveryOrderOfEvents(t *testing.T) {
	f := newFixture(t)
	tests := []struct {
		told  []string
		state string
		days  int
	}{
		{[]string{store.Attempted, store.Failed, store.Paid}, store.Paid, 30},
		{[]string{store.Attempted, store.Paid, store.Refunded}, store.Refunded, 0},
		{[]string{store.Attempted, store.Paid, store.Disputed}, store.Disputed, 30},
		{[]string{store.Paid, store.Disputed, store.Kept}, store.Kept, 30},
		{[]string{store.Paid, store.Disputed, store.Lost}, store.Lost, 0},
	}
	for i, tt := range tests {
		for j, order := range permutations(tt.told) {
			name := fmt.Sprintf("%d-%d", i, j)
			person := f.signUp(t, name+"@example.com", "")
			f.order(t, person, "order_"+name)
			for k, state := range order {
				payment := "pay_" + name
				if state == store.Failed {
					payment += "_failed"
				}
				c := charge("order_"+name, payment, state)
				c.Event, c.Kind = fmt.Sprintf("evt_%s_%d", name, k), state
				f.settle(t, c)
				f.settle(t, c)
				c.Event = ""
				f.settle(t, c) // as when we ask the provider
			}
			list, err := f.Payments(t.Context(), person)
			must(t, err)
			if list[0].State != tt.state || f.daysLeft(t, person) != tt.days {
				t.Errorf("%v gives %s and %d days, want %s and %d", order, list[0].State, f.daysLeft(t, person), tt.state, tt.days)
			}
		}
	}
}

func permutations(of []string) (all [][]string) {
	if len(of) == 0 {
		return [][]string{{}}
	}
	for i, first := range of {
		rest := append(append([]string{}, of[:i]...), of[i+1:]...)
		for _, p := range permutations(rest) {
			all = append(all, append([]string{first}, p...))
		}
	}
	return all
}

// A charge that does not match leaves the order, the subscription and the events as they were.
func TestForgedCharges(t *testing.T) {
	f := newFixture(t)
	person, other := f.signUp(t, "asha@example.com", ""), f.signUp(t, "ravi@example.com", "")
	f.order(t, person, "order_old")
	f.settle(t, charge("order_old", "pay_old", store.Paid))
	f.order(t, other, "order_new")
	before := f.sub(t, other)
	tests := []struct {
		why    string
		change func(*store.Charge)
	}{
		{"amount", func(c *store.Charge) { c.Paise = 99 }},
		{"currency", func(c *store.Charge) { c.Currency = "USD" }},
		{"unknown_order", func(c *store.Charge) { c.Order = "order_none" }},
		{"no_payment", func(c *store.Charge) { c.Payment = "" }},
		{"other_order", func(c *store.Charge) { c.Payment = "pay_old" }},
		{"other_payment", func(c *store.Charge) { c.Order, c.Payment = "order_old", "pay_second" }},
	}
	for i, tt := range tests {
		c := charge("order_new", "pay_new", store.Paid)
		c.Event = fmt.Sprint("evt_", i)
		tt.change(&c)
		_, err := f.Settle(t.Context(), c, sale)
		var refused *store.Refused
		if !errors.As(err, &refused) || refused.Why != tt.why {
			t.Errorf("%s: got %v", tt.why, err)
		}
	}
	if now := f.sub(t, other); now != before {
		t.Errorf("the subscription was %+v, and is %+v", before, now)
	}
	p, err := f.Payment(t.Context(), other, "order_new")
	must(t, err)
	if p.State != "created" || p.PaymentID != nil {
		t.Errorf("the order is %+v", p)
	}
	var events int
	must(t, f.row(t, "select count(*) from payment_events", &events))
	if events != 0 {
		t.Errorf("%d events were kept", events)
	}
	_, err = f.Payment(t.Context(), other, "order_old")
	wantErr(t, err, store.ErrNotFound)
	wantErr(t, f.DismissPayment(t.Context(), other, "order_old"), store.ErrNotFound)
}

// row reads one value as the database's owner.
func (f fixture) row(t *testing.T, query string, into any, args ...any) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	return conn.QueryRow(t.Context(), query, args...).Scan(into)
}

// Each payment adds days, and a refunded one takes its days away; a renewal that is started or abandoned changes
// nothing.
func TestRenewalAndRefund(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	f.order(t, person, "order_0")
	if s := f.sub(t, person).Status; s != "pending" {
		t.Fatalf("begun, the subscription is %s", s)
	}
	must(t, f.DismissPayment(t.Context(), person, "order_0"))
	if s := f.sub(t, person).Status; s != "inactive" {
		t.Fatalf("dismissed, the subscription is %s", s)
	}
	for i := 1; i <= 3; i++ {
		order := fmt.Sprint("order_", i)
		f.order(t, person, order)
		if s := f.sub(t, person).Status; i > 1 && s != "active" {
			t.Fatalf("a renewal that was begun made it %s", s)
		}
		if i == 2 {
			must(t, f.DismissPayment(t.Context(), person, order))
			if s := f.sub(t, person).Status; s != "active" {
				t.Fatalf("a renewal that was dismissed made it %s", s)
			}
		}
		f.settle(t, charge(order, fmt.Sprint("pay_", i), store.Paid)) // the dismissed order too: the bank was slow
	}
	if n := f.daysLeft(t, person); n != 90 {
		t.Fatalf("%d days, want 90", n)
	}
	f.settle(t, store.Charge{Payment: "pay_2", State: store.Paid, Paise: 100, Currency: "INR", Refunded: 40})
	if n := f.daysLeft(t, person); n != 90 {
		t.Errorf("a part was given back, and %d days are left, want all", n)
	}
	for range 2 { // as an event that names only the payment
		f.settle(t, store.Charge{Payment: "pay_1", State: store.Refunded, Paise: 100, Currency: "INR", Refunded: 100})
	}
	if n := f.daysLeft(t, person); n != 60 {
		t.Errorf("the first was given back, and %d days are left, want 60", n)
	}
	f.settle(t, charge("order_2", "pay_2", store.Refunded))
	f.settle(t, charge("order_3", "pay_3", store.Lost))
	if s := f.sub(t, person); s.Premium || s.Status != "inactive" {
		t.Errorf("all was given back, and it is %+v", s)
	}
	list, err := f.Payments(t.Context(), person)
	must(t, err)
	for i, want := range []string{"/000003", "/000002", "/000001"} {
		if n := *list[i].ReceiptNumber; n[len(n)-7:] != want {
			t.Errorf("receipt %s, want …%s", n, want)
		}
	}
}

// A payment stays stored after the person is erased, without anything that identifies them; a payment that arrives
// afterwards is recorded.
func TestPaymentOutlivesThePerson(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	f.order(t, person, "order_1")
	f.order(t, person, "order_2")
	f.settle(t, charge("order_1", "pay_1", store.Paid))
	conn, err := pgx.Connect(t.Context(), f.url)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), "delete from workspaces where id = $1", person)
	must(t, err)
	if done := f.settle(t, charge("order_2", "pay_2", store.Paid)); done.Activated || done.State != store.Paid {
		t.Errorf("late, it gives %+v", done)
	}
	f.settle(t, charge("order_1", "pay_1", store.Refunded))
	var text string
	must(t, f.row(t, "select string_agg(to_jsonb(p)::text, ' ') from payments p", &text))
	if len(text) == 0 {
		t.Error("the payments are gone")
	}
	var paid int
	must(t, f.row(t, "select count(*) from payments where paid_at is not null and receipt_number is not null", &paid))
	if paid != 2 {
		t.Errorf("%d payments have a receipt, want 2", paid)
	}
}

func TestPeriodEnds(t *testing.T) {
	f := newFixture(t)
	person := f.signUp(t, "asha@example.com", "")
	f.order(t, person, "order_1")
	f.settle(t, charge("order_1", "pay_1", store.Paid))
	end := *f.sub(t, person).CurrentPeriodEnd
	ended, err := f.EndPeriod(t.Context(), person, end.Add(-time.Second))
	must(t, err)
	if ended {
		t.Error("a period ended before its time")
	}
	for _, want := range []bool{true, false} {
		first, err := f.RemindOfEnd(t.Context(), person, end)
		must(t, err)
		if first != want {
			t.Errorf("reminded %v, want %v", first, want)
		}
	}
	overdue, err := f.OverduePeriods(t.Context(), end.Add(time.Second), end)
	must(t, err)
	if len(overdue) != 1 || overdue[0] != person {
		t.Errorf("overdue are %v", overdue)
	}
	ended, err = f.EndPeriod(t.Context(), person, end)
	must(t, err)
	p, err := f.Period(t.Context(), person)
	must(t, err)
	if !ended || p.Status != "inactive" || !p.Reminded {
		t.Errorf("ended %v, %+v", ended, p)
	}
}
