package payment

import (
	"context"
	"crypto/rand"
)

// Sandbox takes no money: whoever presses Pay has paid. It lets a person without keys walk the whole way, and is off
// unless chosen.
type Sandbox struct{}

var _ Provider = Sandbox{}

// SandboxSecret signs the sandbox's successes. It keeps nothing safe: where the sandbox is chosen, everyone may press
// Pay.
const SandboxSecret = "sandbox"

// Order makes an order that exists nowhere else.
func (Sandbox) Order(context.Context, int64, string, string) (string, error) {
	return "order_test_" + rand.Text(), nil
}

// Payments knows of none: what was paid, the browser brings.
func (Sandbox) Payments(context.Context, string) ([]Payment, error) { return nil, nil }

// Pay returns a payment of an order, with its signature.
func (Sandbox) Pay(order string) (payment, signature string) {
	payment = "pay_test_" + rand.Text()
	return payment, Sign(order+"|"+payment, SandboxSecret)
}
