package payment

import (
	"context"
	"crypto/rand"
)

// Sandbox takes no money: pressing Pay counts as paying. It lets a person without keys try the whole path, and is off
// unless chosen.
type Sandbox struct{}

var _ Provider = Sandbox{}

// SandboxSecret signs the sandbox's successes. It protects nothing: where the sandbox is chosen, everyone may press
// Pay.
const SandboxSecret = "sandbox"

// Order makes an order that exists nowhere else.
func (Sandbox) Order(context.Context, int64, string, string) (string, error) {
	return "order_test_" + rand.Text(), nil
}

// Payments returns none: the browser reports what was paid.
func (Sandbox) Payments(context.Context, string) ([]Payment, error) { return nil, nil }

// Pay returns a payment of an order, with its signature.
func (Sandbox) Pay(order string) (payment, signature string) {
	payment = "pay_test_" + rand.Text()
	return payment, Sign(order+"|"+payment, SandboxSecret)
}
