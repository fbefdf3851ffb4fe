package app_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.temporal.io/api/serviceerror"

	"munshi/config"
	"munshi/orchestrator/api"
	"munshi/orchestrator/billing"
	"munshi/orchestrator/clock"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/payment"
	"munshi/orchestrator/payment/paymenttest"
	"munshi/orchestrator/recovery"
	"munshi/workflows"
)

// till is the product with a stand-in for Razorpay.
type till struct {
	*product
	fake *paymenttest.Server
}

// razorpay is one stand-in for Razorpay for all tests, so that their products can have the same configuration.
var razorpay struct {
	once   sync.Once
	server *httptest.Server
	mu     sync.RWMutex
	fake   *paymenttest.Server
}

func startTill(t *testing.T, change func(*config.Config)) till {
	t.Helper()
	fake := &paymenttest.Server{KeyID: "rzp_test", KeySecret: "key-secret", WebhookSecret: "webhook-secret"}
	razorpay.once.Do(func() {
		razorpay.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			razorpay.mu.RLock()
			fake := razorpay.fake
			razorpay.mu.RUnlock()
			fake.ServeHTTP(w, r)
		}))
	})
	razorpay.mu.Lock()
	razorpay.fake = fake
	razorpay.mu.Unlock()
	p := start(t, func(c *config.Config) {
		c.Payment.Provider, c.Payment.KeyID, c.Payment.KeySecret = "razorpay", fake.KeyID, fake.KeySecret
		c.Payment.WebhookSecret, c.Payment.BaseURL = fake.WebhookSecret, razorpay.server.URL
		if change != nil {
			change(c)
		}
	})
	fake.Webhook = p.address + "/api/payments/webhook"
	return till{p, fake}
}

// member signs a new person up.
func (p *product) member(email string) *person {
	p.t.Helper()
	v := p.visitor()
	v.signUp(email)
	return v
}

func (v *person) orderPremium() string {
	v.t.Helper()
	var o api.PaymentOrder
	v.post("/api/payments", map[string]string{}, 201, &o)
	return o.OrderID
}

func (v *person) verify(s paymenttest.Success, want int) api.PaymentState {
	v.t.Helper()
	var state api.PaymentState
	var out any
	if want == 200 {
		out = &state
	}
	v.post("/api/payments/verify", map[string]string{"order_id": s.Order, "payment_id": s.Payment, "signature": s.Signature}, want, out)
	return state
}

func (v *person) bills() api.Billing {
	v.t.Helper()
	var b api.Billing
	v.get("/api/billing", &b)
	return b
}

// eventually polls until the billing state is as wanted.
func (v *person) eventually(what string, is func(api.Billing) bool) api.Billing {
	v.t.Helper()
	var b api.Billing
	await(v.t, what, func() bool { b = v.bills(); return is(b) })
	return b
}

// The same webhook a hundred times, while the browser also verifies the payment: one activation,
// one payment.
func TestPaidOnce(t *testing.T) {
	p := startTill(t, nil)
	asha := p.member("asha@example.com")
	p.fake.SetMood(paymenttest.Mood{Hold: true})
	done, err := p.fake.Pay(asha.orderPremium())
	must(t, err)
	if s := asha.bills(); s.Premium || s.Status != "pending" {
		t.Fatalf("before anything was verified: %+v", s)
	}
	var all sync.WaitGroup
	for _, e := range p.fake.Held() {
		for range 100 {
			all.Go(func() {
				// Sent again if the machine is too busy, as Razorpay does.
				status, err := http.StatusServiceUnavailable, error(nil)
				for try := 0; status == http.StatusServiceUnavailable && try < 100; try++ {
					time.Sleep(time.Duration(try) * 10 * time.Millisecond)
					status, err = p.fake.Send(e)
				}
				if err != nil || status != http.StatusNoContent {
					t.Errorf("a webhook gives %d, %v", status, err)
				}
			})
		}
	}
	for range 5 {
		all.Go(func() { asha.verify(done, 200) })
	}
	all.Wait()
	b := asha.bills()
	if !b.Premium || len(b.Payments) != 1 || b.Payments[0].PaymentID != done.Payment {
		t.Fatalf("%+v", b)
	}
	if left := time.Until(*b.PeriodEnd); left > 30*24*time.Hour || left < 30*24*time.Hour-time.Hour {
		t.Errorf("the period lasts %v, want 30 days once", left)
	}
	if state := p.status("subscription-" + workspaceOf(t, p.product, "asha@example.com")); state.String() != "Running" {
		t.Errorf("the period's watch is %v", state)
	}
	var receipt api.Receipt
	asha.get("/api/payments/"+done.Order+"/receipt", &receipt)
	if receipt.TotalPaise != 100 || receipt.Email != "asha@example.com" || receipt.Invoice {
		t.Errorf("the receipt is %+v", receipt)
	}
	// A payment before the period ends adds its days.
	p.fake.SetMood(paymenttest.Mood{})
	again, err := p.fake.Pay(asha.orderPremium())
	must(t, err)
	asha.verify(again, 200)
	if left := time.Until(*asha.bills().PeriodEnd); left < 60*24*time.Hour-time.Hour {
		t.Errorf("renewed, the period lasts %v", left)
	}
	p.fake.Refund(again.Payment, 100)
	p.fake.Refund(done.Payment, 100)
	if b := asha.bills(); b.Premium || b.Status != "inactive" || b.Payments[0].State != "returned" {
		t.Errorf("given back: %+v", b)
	}
}

// An order that was paid twice is paid, whichever payment the browser reports, and adds its days once.
func TestPaidTwice(t *testing.T) {
	p := startTill(t, nil)
	asha := p.member("asha@example.com")
	p.fake.SetMood(paymenttest.Mood{Hold: true})
	order := asha.orderPremium()
	first, err := p.fake.Pay(order)
	must(t, err)
	second, err := p.fake.Pay(order)
	must(t, err)
	for _, done := range []paymenttest.Success{first, second} {
		if s := asha.verify(done, 200); s.State != "paid" || !s.Premium {
			t.Errorf("handing in %s gives %+v", done.Payment, s)
		}
		if b := asha.bills(); len(b.Payments) != 1 || time.Until(*b.PeriodEnd) > 30*24*time.Hour {
			t.Errorf("paid twice: %+v", b)
		}
	}
}

func workspaceOf(t *testing.T, p *product, email string) string {
	t.Helper()
	id, _, err := p.app.Store.Credentials(t.Context(), email)
	must(t, err)
	return id.String()
}

// A forged or mismatched report changes nothing; only one entry is added to the audit log.
func TestForgedPayments(t *testing.T) {
	p := startTill(t, nil)
	asha, ravi := p.member("asha@example.com"), p.member("ravi@example.com")
	old, err := p.fake.Pay(asha.orderPremium())
	must(t, err)
	asha.verify(old, 200)
	order := ravi.orderPremium()
	p.fake.SetMood(paymenttest.Mood{Hold: true})
	signed := func(order, pay, secret string) paymenttest.Success {
		return paymenttest.Success{Order: order, Payment: pay, Signature: payment.Sign(order+"|"+pay, secret)}
	}
	webhook := func(body, signature string, want int) func() {
		return func() {
			status, err := p.fake.SendSigned(paymenttest.Event{ID: "evt_" + body[:9] + fmt.Sprint(len(signature)), Body: []byte(body)}, signature)
			must(t, err)
			if status != want {
				t.Errorf("the webhook gives %d, want %d", status, want)
			}
		}
	}
	event := func(order, pay, currency string, paise int) string {
		body, err := json.Marshal(map[string]any{"event": "payment.captured", "payload": map[string]any{"payment": map[string]any{"entity": map[string]any{
			"id": pay, "order_id": order, "amount": paise, "currency": currency, "status": "captured"}}}})
		must(t, err)
		return string(body)
	}
	good := event(order, "pay_forged", "INR", 100)
	cheap, foreign, replay := event(order, "pay_new", "INR", 99), event(order, "pay_new", "USD", 100), event(order, old.Payment, "INR", 100)
	const key, hook = "key-secret", "webhook-secret"
	tests := []struct {
		name string
		do   func()
	}{
		{"wrong signature", func() { ravi.verify(paymenttest.Success{Order: order, Payment: "pay_x", Signature: "00"}, 400) }},
		{"the webhook's secret", func() { ravi.verify(signed(order, "pay_x", hook), 400) }},
		{"another person's order", func() { ravi.verify(old, 404) }},
		{"an old payment of another order", func() {
			s := old
			s.Order = order
			ravi.verify(s, 400)
		}},
		{"webhook: wrong signature", webhook(good, payment.Sign("other", hook), 400)},
		{"webhook: one byte", webhook(good+" ", payment.Sign(good, hook), 400)},
		{"webhook: the key's secret", webhook(good, payment.Sign(good, key), 400)},
		{"webhook: no signature", webhook(good, "", 400)},
		{"webhook: 99 paise", webhook(cheap, payment.Sign(cheap, hook), 204)},
		{"webhook: dollars", webhook(foreign, payment.Sign(foreign, hook), 204)},
		{"webhook: an old payment", webhook(replay, payment.Sign(replay, hook), 204)},
		{"the provider says 99 paise", func() {
			p.fake.SetMood(paymenttest.Mood{Hold: true, Amount: 99})
			s, err := p.fake.Pay(order)
			must(t, err)
			ravi.verify(s, 409)
		}},
	}
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	// Everything that a payment could change; audit entries are counted separately.
	look := func() (state string, refused int) {
		must(t, conn.QueryRow(t.Context(), `select (select string_agg(to_jsonb(p)::text, ' ' order by order_id) from payments p)
			|| (select string_agg(to_jsonb(s)::text, ' ' order by workspace_id) from subscriptions s)
			|| (select count(*) from payment_events) || (select string_agg(to_jsonb(r)::text, ' ') from receipt_series r),
			(select count(*) from audit where event = 'payment_refused')`).Scan(&state, &refused))
		return state, refused
	}
	was, refused := look()
	for i, tt := range tests {
		tt.do()
		if now, n := look(); now != was || n != refused+i+1 {
			t.Errorf("%s: %d entries of the log, want %d; what a payment may change has changed: %v", tt.name, n, refused+i+1, now != was)
		}
	}
	if ravi.bills().Premium {
		t.Error("ravi has Premium")
	}
	p.visitor().call("POST", "/api/payments", "application/json", bytes.NewReader([]byte("{}")), 401, nil)
	ravi.call("GET", "/api/payments/"+old.Order, "", nil, 404, nil)
	ravi.call("GET", "/api/payments/"+old.Order+"/receipt", "", nil, 404, nil)
	ravi.post("/api/payments/"+old.Order+"/dismissed", map[string]string{}, 404, nil)
	ravi.post("/api/payments/"+order+"/sandbox", map[string]string{}, 404, nil)
}

// A payment that no webhook reports and no browser returns from is found by asking the provider.
func TestReconciledWithoutWebhook(t *testing.T) {
	p := startTill(t, func(c *config.Config) { c.Payment.ReconcileAfter = 50 * time.Millisecond })
	p.fake.Webhook = "" // each webhook is lost
	asha := p.member("asha@example.com")
	order := asha.orderPremium()
	p.fake.SetMood(paymenttest.Mood{Authorise: true})
	done, err := p.fake.Pay(order)
	must(t, err)
	if s := asha.verify(done, 200); s.State != "waiting" || s.Premium {
		t.Errorf("authorised, and not yet taken, it is %+v", s)
	}
	p.fake.SetMood(paymenttest.Mood{Status: 503}) // and then the provider is down for a moment
	p.fake.Capture(done.Payment)
	if s := asha.verify(done, 200); s.State != "waiting" {
		t.Errorf("while the provider is away it is %+v", s)
	}
	p.fake.SetMood(paymenttest.Mood{})
	b := asha.eventually("the payment was not found", func(b api.Billing) bool { return b.Premium })
	if len(b.Payments) != 1 {
		t.Errorf("%+v", b)
	}
}

// A refund that nobody reported is found while the paid days run, and payment records are deleted when the law no
// longer requires them.
func TestRefundWithoutWebhook(t *testing.T) {
	p := startTill(t, nil)
	asha := p.member("asha@example.com")
	done, err := p.fake.Pay(asha.orderPremium())
	must(t, err)
	asha.verify(done, 200)
	p.fake.Webhook = "" // each webhook is lost
	p.fake.Refund(done.Payment, 100)
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	sweep := func(at time.Time) {
		must(t, recovery.Reconciler{Store: p.app.Store, Work: p.app.Work, Log: p.app.Log}.Payments(t.Context(), at))
	}
	asked := p.fake.Asked()
	sweep(time.Now())
	if b := asha.bills(); !b.Premium || p.fake.Asked() != asked {
		t.Errorf("on the same day the provider was asked, or it is %+v", b)
	}
	must(t, p.app.Temporal.TerminateWorkflow(t.Context(), workflows.OrderWorkflowID(done.Order), "", "ended long ago"))
	_, err = conn.Exec(t.Context(), "update payments set paid_at = paid_at - interval '2 days', checked_at = null")
	must(t, err)
	sweep(time.Now())
	asha.eventually("the refund was not found", func(b api.Billing) bool { return !b.Premium && b.Payments[0].State == "returned" })
	last, err := time.ParseInLocation(time.DateOnly, billing.RecordsKept(time.Now().AddDate(0, 0, -2)), clock.India)
	must(t, err)
	sweep(last)
	if b := asha.bills(); len(b.Payments) != 1 {
		t.Errorf("on the last day %d payments are kept", len(b.Payments))
	}
	sweep(last.AddDate(0, 0, 1))
	if b := asha.bills(); len(b.Payments) != 0 {
		t.Errorf("after the last day %d payments are kept", len(b.Payments))
	}
}

// A period ends automatically, even if its workflow was lost; the person is reminded before that.
func TestPeriodEndsByItself(t *testing.T) {
	p := startTill(t, nil)
	asha := p.member("asha@example.com")
	done, err := p.fake.Pay(asha.orderPremium())
	must(t, err)
	asha.verify(done, 200)
	conn, err := pgx.Connect(t.Context(), p.app.Config.Database.URL)
	must(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	workspace := workspaceOf(t, p.product, "asha@example.com")
	move := func(by string) {
		_, err := conn.Exec(t.Context(), "update subscriptions set current_period_end = now() + $2::text::interval where workspace_id = $1", workspace, by)
		must(t, err)
		// It may have ended by itself meanwhile.
		var ended *serviceerror.NotFound
		if err := p.app.Temporal.TerminateWorkflow(t.Context(), "subscription-"+workspace, "", "lost"); !errors.As(err, &ended) {
			must(t, err)
		}
		must(t, recovery.Reconciler{Store: p.app.Store, Work: p.app.Work, Log: p.app.Log}.Payments(t.Context(), time.Now()))
	}
	move("2 days")
	asha.eventually("nobody was reminded", func(b api.Billing) bool { return b.EndsSoon && b.Premium })
	move("-2 minutes")
	asha.eventually("the period did not end", func(b api.Billing) bool { return !b.Premium && b.Status == "inactive" })
}

// The sandbox works from start to finish, and its invoice names the place of supply.
func TestSandbox(t *testing.T) {
	p := start(t, func(c *config.Config) {
		c.Payment.Provider = "sandbox"
		c.Account.FreeUses, c.Account.FairUsePerHour = 0, 3 // a refused turn counts as one of them
	})
	asha := p.member("asha@example.com")
	c := asha.converse()
	asha.post("/api/conversations/"+c+"/messages", map[string]string{"text": "May I?"}, 402, nil)
	order := asha.orderPremium()
	asha.post("/api/payments/"+order+"/dismissed", map[string]string{}, 204, nil)
	if s := asha.bills().Status; s != "inactive" {
		t.Errorf("dismissed it is %s", s)
	}
	var paid api.SandboxPayment
	asha.post("/api/payments/"+order+"/sandbox", map[string]string{}, 200, &paid)
	if s := asha.verify(paymenttest.Success{Order: order, Payment: paid.PaymentID, Signature: paid.Signature}, 200); s.State != "paid" || !s.Premium {
		t.Fatalf("%+v", s)
	}
	turn := asha.say(c, "May I now?")
	asha.answer(c, turn)
	first := false
	history, err := workflows.HistoryOf(t.Context(), p.app.Temporal, workflows.TurnWorkflowID(turn.ID), "")
	must(t, err)
	for _, e := range history.GetEvents() {
		if a := e.GetActivityTaskScheduledEventAttributes(); a != nil {
			first = a.GetPriority().GetPriorityKey() == 1
		}
	}
	if !first {
		t.Error("the model is not asked before it is for others")
	}
	asha.answer(c, asha.say(c, "And again?"))
	asha.post("/api/conversations/"+c+"/messages", map[string]string{"text": "For ever?"}, 429, nil)
	var receipt api.Receipt
	asha.get("/api/payments/"+order+"/receipt", &receipt)
	if !receipt.Test || receipt.Invoice {
		t.Errorf("%+v", receipt)
	}
}

// With the seller's GSTIN a payment needs the person's State, and gets a tax invoice that names it.
func TestTaxInvoice(t *testing.T) {
	p := startTill(t, func(c *config.Config) {
		c.Payment.Seller.Name, c.Payment.Seller.Address, c.Payment.Seller.GSTIN = "Munshi Private Limited", "1 MG Road, Bengaluru", "29AAAAA0000A1Z5"
	})
	asha := p.member("asha@example.com")
	asha.post("/api/payments", map[string]string{}, 422, nil)
	for place, want := range map[string]api.ReceiptWords{"29": {TaxablePaise: 84, CGSTPaise: 8, SGSTPaise: 8}, "27": {TaxablePaise: 85, IGSTPaise: 15}} {
		var o api.PaymentOrder
		asha.post("/api/payments", map[string]string{"place": place}, 201, &o)
		done, err := p.fake.Pay(o.OrderID)
		must(t, err)
		asha.verify(done, 200)
		var r api.Receipt
		asha.get("/api/payments/"+o.OrderID+"/receipt", &r)
		if !r.Invoice || r.PlaceCode != place || r.TaxablePaise != want.TaxablePaise || r.CGSTPaise != want.CGSTPaise || r.SGSTPaise != want.SGSTPaise || r.IGSTPaise != want.IGSTPaise || len(r.Number) > 16 {
			t.Errorf("in %s the invoice is %+v", place, r)
		}
	}
}

// The daily spending limit stops turns, for one person and for everyone. A turn that asks the model
// several times stops asking once the limit is reached.
func TestSpendCapWithinATurn(t *testing.T) {
	cut := "# AGREEMENT\n\n1. The fee is"
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{Text: &cut, Finish: "length"})
	modelled := withModel(t, fake)
	p := start(t, func(c *config.Config) {
		modelled(c)
		c.Model.PriceInput, c.Model.PriceOutput = 1_000_000_000, 1_000_000_000
		c.Spending.PersonDayPaise = 1
	})
	v := p.visitor()
	c := v.converseWith("drafting")
	var turn api.Turn
	v.fill(c, "", map[string]string{"type": "Agreement", "details": "Book-keeping"}, 202, &turn)
	d := v.settled(c, turn.ID)
	if asked := len(fake.Requests()); asked != 1 || d.Turn.State != "failed" || d.Turn.Error == nil || d.Turn.Error.Sentence == "" {
		t.Errorf("the model was asked %d times, and the turn is %s: %+v", asked, d.Turn.State, d.Turn.Error)
	}
	if me := v.me(); me.Used != 0 {
		t.Errorf("a turn that could not be afforded is a use: %d", me.Used)
	}
}

func TestSpendCaps(t *testing.T) {
	p := start(t, twoUses)
	asha, ravi := p.member("asha@example.com"), p.member("ravi@example.com")
	spend := func(email string, paise int64) {
		id, _, err := p.app.Store.Credentials(t.Context(), email)
		must(t, err)
		must(t, p.app.Store.Spend(t.Context(), id, paise))
	}
	for email, v := range map[string]*person{"asha@example.com": asha, "ravi@example.com": ravi} {
		c := v.converse()
		v.answer(c, v.say(c, "May I?"))
		spend(email, 75)
	}
	for _, v := range []*person{asha, ravi} { // together they have spent the whole budget
		v.post("/api/conversations/"+v.converse()+"/messages", map[string]string{"text": "And now?"}, 503, nil)
	}
	spend("asha@example.com", 25)
	asha.post("/api/conversations/"+asha.converse()+"/messages", map[string]string{"text": "And now?"}, 429, nil)
}
