package payment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	razorpay "github.com/razorpay/razorpay-go"
)

// Razorpay uses Razorpay's HTTP API.
type Razorpay struct {
	KeyID, KeySecret string
	BaseURL          string        // "" for Razorpay's own
	Timeout          time.Duration // of one request
}

var _ Provider = Razorpay{}

// wire is the transport for one request. It is needed because Razorpay's library does not take a context, and hides
// the HTTP status of successes.
type wire struct {
	ctx    context.Context
	status int
}

// RoundTrip sends the request with the caller's context, and records the status.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req.WithContext(w.ctx))
	if resp != nil {
		w.status = resp.StatusCode
	}
	return resp, err
}

// call makes one request with its own client, and decodes the answer into out.
func (r Razorpay) call(ctx context.Context, what string, do func(*razorpay.Client) (map[string]any, error),
	out any) error {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	w := &wire{ctx: ctx}
	c := razorpay.NewClient(r.KeyID, r.KeySecret)
	c.Request.HTTPClient = &http.Client{Transport: w}
	if r.BaseURL != "" {
		c.Request.BaseURL = r.BaseURL
	}
	answer, err := do(c)
	if err == nil && (w.status < 200 || w.status > 299) {
		err = errors.New("no success") // the library returns an empty answer for some errors
	}
	if err != nil {
		return &Error{Status: w.status, What: what, Cause: err}
	}
	raw, err := json.Marshal(answer) // amounts are float64 here, and become integers below
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	if err != nil {
		return &Error{Status: w.status, What: what, Cause: err}
	}
	return nil
}

// Order creates an order whose payment is captured as soon as the bank authorises it.
func (r Razorpay) Order(ctx context.Context, paise int64, currency, reference string) (string, error) {
	var made struct {
		ID       string `json:"id"`
		Amount   int64  `json:"amount"`
		Currency string `json:"currency"`
	}
	err := r.call(ctx, "make the order", func(c *razorpay.Client) (map[string]any, error) {
		return c.Order.Create(map[string]any{"amount": paise, "currency": currency, "receipt": reference,
			"payment_capture": 1}, nil)
	}, &made)
	if err != nil {
		return "", err
	}
	if made.ID == "" || made.Amount != paise || made.Currency != currency {
		return "", &Error{
			Status: http.StatusOK,
			What:   "make the order",
			Cause:  fmt.Errorf("it is another order: %d %s", made.Amount, made.Currency),
		}
	}
	return made.ID, nil
}

// Payments returns every attempted payment of an order.
func (r Razorpay) Payments(ctx context.Context, order string) ([]Payment, error) {
	var list struct {
		Entity string   `json:"entity"`
		Items  []entity `json:"items"`
	}
	err := r.call(ctx, "ask for the payments", func(c *razorpay.Client) (map[string]any, error) {
		return c.Order.Payments(order, nil, nil)
	}, &list)
	if err != nil {
		return nil, err
	}
	if list.Entity != "collection" { // an empty answer is not a list
		return nil, &Error{
			Status: http.StatusOK,
			What:   "ask for the payments",
			Cause:  errors.New("the answer is no list"),
		}
	}
	payments := make([]Payment, 0, len(list.Items))
	for _, e := range list.Items {
		if p := e.payment(); p.ID != "" && p.Order == order && p.State != "" {
			payments = append(payments, p)
		}
	}
	return payments, nil
}
