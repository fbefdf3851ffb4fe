package payment_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"munshi/orchestrator/payment"
	"munshi/orchestrator/payment/paymenttest"
)

func provider(t *testing.T) (*paymenttest.Server, payment.Razorpay) {
	fake := &paymenttest.Server{KeyID: "id", KeySecret: "secret"}
	server := httptest.NewServer(fake)
	t.Cleanup(server.Close)
	return fake, payment.Razorpay{KeyID: "id", KeySecret: "secret", BaseURL: server.URL, Timeout: 10 * time.Second}
}

func TestOrderAndPayments(t *testing.T) {
	fake, r := provider(t)
	order, err := r.Order(t.Context(), 100, "INR", "munshi")
	if err != nil {
		t.Fatal(err)
	}
	if list, err := r.Payments(t.Context(), order); err != nil || len(list) != 0 {
		t.Fatalf("unpaid it has %v, %v", list, err)
	}
	fake.Fail(order)
	done, err := fake.Pay(order)
	if err != nil {
		t.Fatal(err)
	}
	list, err := r.Payments(t.Context(), order)
	if err != nil || len(list) != 2 {
		t.Fatalf("paid it has %v, %v", list, err)
	}
	for _, p := range list {
		if want := map[bool]payment.State{true: payment.Paid, false: payment.Failed}[p.ID == done.Payment]; p.State != want || p.Paise != 100 || p.Currency != "INR" {
			t.Errorf("%+v, want %s", p, want)
		}
	}
	fake.Refund(done.Payment, 100)
	if list, err = r.Payments(t.Context(), order); err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.ID == done.Payment && p.State != payment.Refunded {
			t.Errorf("given back it is %+v", p)
		}
	}
}

// Any response other than the expected one is an error, with the HTTP status if there was one.
func TestProviderFaults(t *testing.T) {
	fake, r := provider(t)
	order, err := r.Order(t.Context(), 100, "INR", "munshi")
	if err != nil {
		t.Fatal(err)
	}
	for _, mood := range []paymenttest.Mood{{Status: 400}, {Status: 429}, {Status: 500}, {Status: 302}, {Empty: true}} {
		fake.SetMood(mood)
		var failed *payment.Error
		want := mood.Status
		if mood.Empty {
			want = 200
		}
		if _, err := r.Order(t.Context(), 100, "INR", "munshi"); !errors.As(err, &failed) || failed.Status != want {
			t.Errorf("%+v: an order gives %v", mood, err)
		}
		if _, err := r.Payments(t.Context(), order); !errors.As(err, &failed) || failed.Status != want {
			t.Errorf("%+v: payments give %v", mood, err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := r.Order(stopped, 100, "INR", "munshi"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped it gives %v", err)
	}
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer hangs.Close()
	defer close(release)
	r.BaseURL, r.Timeout = hangs.URL, time.Millisecond
	if _, err := r.Order(t.Context(), 100, "INR", "munshi"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("silent it gives %v", err)
	}
}

func TestSignatures(t *testing.T) {
	body := []byte(`{"event":"payment.captured"}`)
	signed, hook := payment.Sign("order_1|pay_1", "key"), payment.Sign(string(body), "hook")
	tests := []struct {
		name string
		err  error
		good bool
	}{
		{"checkout", payment.VerifyCheckout("order_1", "pay_1", signed, "key"), true},
		{"webhook", payment.VerifyWebhook(body, hook, "hook"), true},
		{"another order", payment.VerifyCheckout("order_2", "pay_1", signed, "key"), false},
		{"another payment", payment.VerifyCheckout("order_1", "pay_2", signed, "key"), false},
		{"one byte", payment.VerifyCheckout("order_1", "pay_1", "0"+signed[1:], "key"), signed[0] == '0'},
		{"nothing", payment.VerifyCheckout("", "", payment.Sign("|", "key"), "key"), false},
		{"no secret", payment.VerifyCheckout("order_1", "pay_1", payment.Sign("order_1|pay_1", ""), ""), false},
		{"swapped secrets", payment.VerifyCheckout("order_1", "pay_1", signed, "hook"), false},
		{"swapped secrets of a webhook", payment.VerifyWebhook(body, payment.Sign(string(body), "key"), "hook"), false},
		{"one byte of a webhook", payment.VerifyWebhook(append([]byte(" "), body...), hook, "hook"), false},
		{"no webhook secret", payment.VerifyWebhook(body, payment.Sign(string(body), ""), ""), false},
	}
	for _, tt := range tests {
		if (tt.err == nil) != tt.good {
			t.Errorf("%s: %v", tt.name, tt.err)
		}
	}
}

func TestReadEvent(t *testing.T) {
	fake, r := provider(t)
	fake.SetMood(paymenttest.Mood{Hold: true})
	order, err := r.Order(t.Context(), 100, "INR", "munshi")
	if err != nil {
		t.Fatal(err)
	}
	done, err := fake.Pay(order)
	if err != nil {
		t.Fatal(err)
	}
	fake.Refund(done.Payment, 40)
	for _, kind := range []string{"payment.dispute.created", "payment.dispute.won", "payment.dispute.lost", "payment.dispute.closed", "payment.downtime.started"} {
		fake.Tell(kind, done.Payment)
	}
	want := []payment.State{payment.Attempted, payment.Paid, payment.Paid, payment.Paid, payment.Paid, payment.Disputed, payment.Kept, payment.Lost, payment.Kept, ""}
	for i, e := range fake.Held() {
		got, err := payment.ReadEvent(e.Body)
		if want[i] == "" {
			if !errors.Is(err, payment.ErrIgnored) {
				t.Errorf("%s gives %v", got.Kind, err)
			}
			continue
		}
		if err != nil || got.Payment.State != want[i] || got.Payment.Order != order || got.Payment.Paise != 100 {
			t.Errorf("%s is %+v, %v; want %s", got.Kind, got.Payment, err, want[i])
		}
	}
	if _, err := payment.ReadEvent([]byte(`{`)); err == nil {
		t.Error("half an object was read")
	}
}

func TestDivide(t *testing.T) {
	if got, want := payment.Divide(100, 1800, true), (payment.Tax{Taxable: 84, CGST: 8, SGST: 8}); got != want {
		t.Errorf("within a State a rupee is %+v, want %+v", got, want)
	}
	if got, want := payment.Divide(11800, 1800, false), (payment.Tax{Taxable: 10000, IGST: 1800}); got != want {
		t.Errorf("between States ₹118 is %+v, want %+v", got, want)
	}
	for paise := int64(100); paise < 5000; paise++ {
		for _, same := range []bool{true, false} {
			if d := payment.Divide(paise, 1800, same); d.Taxable+d.CGST+d.SGST+d.IGST != paise || d.CGST != d.SGST {
				t.Fatalf("%d paise is %+v", paise, d)
			}
		}
	}
}
