// Package payment talks to the payment provider: it creates orders, asks what was paid, and distinguishes genuine
// messages from forged ones. It stores nothing; the store decides what a payment gives a person.
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
	// Order creates an order over an amount in paise, and returns its id. reference is our own, for the provider's
	// lists.
	Order(ctx context.Context, paise int64, currency, reference string) (id string, err error)
	// Payments returns every attempted payment of an order.
	Payments(ctx context.Context, order string) ([]Payment, error)
}

// State is what the provider says of a payment.
type State string

// The states of a payment.
const (
	Attempted State = "attempted" // authorised by the bank, and not captured yet
	Failed    State = "failed"
	Paid      State = "paid"
	Disputed  State = "disputed"
	Kept      State = "kept" // a dispute that was won, or closed
	Lost      State = "lost"
	Refunded  State = "refunded" // all of it
)

// Payment is one attempt to pay an order.
type Payment struct {
	ID, Order string
	State     State
	Paise     int64
	Currency  string
	Refunded  int64 // refunded paise
}

// Event is the content of a webhook.
type Event struct {
	Kind    string // as the provider names it
	Payment Payment
}

// ErrIgnored means that a genuine event does not concern us.
var ErrIgnored = errors.New("the event is of no concern")

// ErrForged means that a signature does not match.
var ErrForged = errors.New("the signature does not fit")

// Error is a response of the provider other than success.
type Error struct {
	Status int    // HTTP, 0 where nothing answered
	What   string // what was asked
	Cause  error
}

// Error says what was asked and what came.
func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: the payment provider does not answer: %v", e.What, e.Cause)
	}
	return fmt.Sprintf("%s: the payment provider answers %d: %v", e.What, e.Status, e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Sign returns the signature of a message under a secret, as Razorpay makes it.
func Sign(message, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(message))
	return hex.EncodeToString(mac.Sum(nil))
}

// VerifyCheckout reports whether the checkout's success comes from the provider: the key secret signs order and
// payment.
func VerifyCheckout(order, payment, signature, keySecret string) error {
	if order == "" || payment == "" {
		return ErrForged
	}
	return verify(order+"|"+payment, signature, keySecret)
}

// VerifyWebhook returns an error unless a webhook's body, to the byte, comes from the provider: the webhook secret
// signs it.
func VerifyWebhook(body []byte, signature, webhookSecret string) error {
	return verify(string(body), signature, webhookSecret)
}

func verify(message, signature, secret string) error {
	if secret == "" || !hmac.Equal([]byte(Sign(message, secret)), []byte(signature)) {
		return ErrForged
	}
	return nil
}

// entity is a payment as Razorpay writes it.
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

// ReadEvent reads a webhook's body. ErrIgnored: an event of another kind, or of a payment without an order.
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
		// The payment's own status counts: the event may be old, and the payment may have gone on.
	case "refund.created", "refund.processed":
		// A part that is given back leaves the payment paid.
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
