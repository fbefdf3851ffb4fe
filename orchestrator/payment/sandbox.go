package payment

import (
	"context"
	"crypto/rand"
)

// Sandbox takes no money: pressing Pay counts as paying. It lets people without keys try everything, and is used only
// if chosen.
type Sandbox struct{}

var _ Provider = Sandbox{}

// SandboxSecret signs the sandbox's success messages. It protects nothing, since anyone may press Pay in the sandbox.
const SandboxSecret = "sandbox"

// Order returns a new order id; nothing is stored.
func (Sandbox) Order(context.Context, int64, string, string) (string, error) {
	return "order_test_" + rand.Text(), nil
}

// Payments returns none, since only the browser knows what was paid.
func (Sandbox) Payments(context.Context, string) ([]Payment, error) { return nil, nil }

// Pay returns a payment of an order, with its signature.
func (Sandbox) Pay(order string) (payment, signature string) {
	payment = "pay_test_" + rand.Text()
	return payment, Sign(order+"|"+payment, SandboxSecret)
}
