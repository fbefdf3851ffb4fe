// Package payment talks to the payment provider: it creates orders, asks what was paid, and checks signatures. It
// stores nothing; the store decides what a payment gives a person.
package payment

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Provider takes people's money. Its implementations are Razorpay and Sandbox.
type Provider interface {
	// Order creates an order for an amount in paise, and returns its id. reference is an id of ours, to be shown in
	// the provider's lists.
	Order(ctx context.Context, paise int64, currency, reference string) (id string, err error)
	// Payments returns every attempted payment of an order.
	Payments(ctx context.Context, order string) ([]Payment, error)
}

// State is the state of a payment as the provider reports it.
type State string

// The states of a payment.
const (
	Attempted State = "attempted" // authorised by the bank, but not captured yet
	Failed    State = "failed"
	Paid      State = "paid"
	Disputed  State = "disputed"
	Kept      State = "kept" // a dispute was decided in our favour, or closed
	Lost      State = "lost"
	Refunded  State = "refunded" // completely
)

// Payment is one attempt to pay an order.
type Payment struct {
	ID, Order string
	State     State
	Paise     int64
	Currency  string
	Refunded  int64 // in paise
}

// Event is the content of a webhook.
type Event struct {
	Kind    string // the provider's name for it
	Payment Payment
}

// ErrIgnored means that a genuine event is not relevant to us.
var ErrIgnored = errors.New("the event is of no concern")

// ErrForged means that a signature does not match.
var ErrForged = errors.New("the signature does not fit")

// Error is an error response of the provider, or its failure to respond.
type Error struct {
	Status int    // HTTP status; 0 if there was no response
	What   string // what was requested
	Cause  error
}

// Error says what was requested and what the provider answered.
func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: the payment provider does not answer: %v", e.What, e.Cause)
	}
	return fmt.Sprintf("%s: the payment provider answers %d: %v", e.What, e.Status, e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Sign returns the signature of a message with a secret, in Razorpay's format.
func Sign(message, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}

// VerifyCheckout returns an error unless the success message of a checkout comes from the provider, which signs order
// and payment with the key secret.
func VerifyCheckout(order, payment, signature, keySecret string) error {
	if order == "" || payment == "" {
		return ErrForged
	}
	return verify(order+"|"+payment, signature, keySecret)
}

// VerifyWebhook returns an error unless the body of a webhook comes unchanged from the provider, which signs it with
// the webhook secret.
func VerifyWebhook(body []byte, signature, webhookSecret string) error {
	return verify(string(body), signature, webhookSecret)
}

func verify(message, signature, secret string) error {
	if secret == "" || !hmac.Equal([]byte(Sign(message, secret)), []byte(signature)) {
		return ErrForged
	}
	return nil
}

// entity is a payment in Razorpay's format.
type entity struct {
	ID             string `json:"id"`
	OrderID        string `json:"order_id"`
	Amount         int64  `json:"amount"`
	Currency       string `json:"currency"`
	Status         string `json:"status"` // created, authorized, captured, refunded or failed
	AmountRefunded int64  `json:"amount_refunded"`
}

func (e entity) payment() Payment {
	p := Payment{ID: e.ID, Order: e.OrderID, Paise: e.Amount, Currency: e.Currency, Refunded: e.AmountRefunded}
	switch e.Status {
	case "authorized":
		p.State = Attempted
	case "captured":
		p.State = Paid
	case "refunded":
		p.State = Refunded
	case "failed":
		p.State = Failed
	}
	if p.Paise > 0 && p.Refunded >= p.Paise {
		p.State = Refunded
	}
	return p
}

// ReadEvent parses the body of a webhook. ErrIgnored: the event is of another kind, or its payment has no order.
func ReadEvent(body []byte) (Event, error) {
	var message struct {
		Event   string `json:"event"`
		Payload struct {
			Payment struct {
				Entity entity `json:"entity"`
			} `json:"payment"`
			Dispute struct {
				Entity struct {
					PaymentID string `json:"payment_id"`
				} `json:"entity"`
			} `json:"dispute"`
		} `json:"payload"`
	}
	if err := json.Unmarshal(body, &message); err != nil {
		return Event{}, fmt.Errorf("read the event: %w", err)
	}
	e := Event{Kind: message.Event, Payment: message.Payload.Payment.Entity.payment()}
	switch e.Kind {
	case "payment.authorized", "payment.captured", "payment.failed", "order.paid":
		// The payment's own status counts, since it may have changed after the event.
	case "refund.created", "refund.processed":
		// A partial refund leaves the payment paid.
	case "payment.dispute.created":
		e.Payment.State = Disputed
	case "payment.dispute.won", "payment.dispute.closed":
		e.Payment.State = Kept
	case "payment.dispute.lost":
		e.Payment.State = Lost
	default:
		return e, ErrIgnored
	}
	if e.Payment.ID == "" || e.Payment.State == "" {
		return e, ErrIgnored
	}
	return e, nil
}
