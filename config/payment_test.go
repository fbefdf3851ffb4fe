package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"munshi/config"
)

// A missing or contradictory setting is reported in a sentence that names its key.
func TestPaymentSettings(t *testing.T) {
	tests := []struct{ yaml, says string }{
		{"payment: {provider: sandbox}", ""},
		{"payment: {provider: razorpay, key_id: a, key_secret: b, webhook_secret: c}", ""},
		{"payment: {provider: none}", ""},
		{"payment: {provider: none, key_id: a}", "payment.provider"},
		{"account: {free_uses: -2}", "account.free_uses"},
		{"payment: {provider: paypal}", "payment.provider"},
		{"payment: {key_secret: b}", "payment.provider"},
		{"payment: {provider: sandbox, key_id: a}", "sandbox"},
		{"payment: {provider: razorpay}", "payment.key_id"},
		{"payment: {provider: razorpay, key_id: a, key_secret: b}", "payment.webhook_secret"},
		{"payment: {provider: razorpay, key_id: a, key_secret: b, webhook_secret: b}", "a secret of its own"},
		{"payment: {provider: sandbox, amount_paise: 99}", "payment.amount_paise"},
		{"payment: {provider: sandbox, currency: USD}", "payment.currency"},
		{"payment: {provider: sandbox, seller: {gstin: 29AAAAA}}", "payment.seller.gstin"},
		{"payment: {provider: sandbox, seller: {gstin: 29AAAAA0000A1Z5}}", "rule 46"},
		{"spending: {visitors_day_paise: -1}", "visitors_day_paise"},
		{"abuse: {neighbours: 0}", "abuse.neighbours"},
	}
	for _, tt := range tests {
		file := filepath.Join(t.TempDir(), "munshi.yaml")
		if err := os.WriteFile(file, []byte(tt.yaml), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := config.Load(file, nil)
		if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.yaml, err, tt.says)
		}
	}
}

// Without anything for sale there are no limits, unless the operator sets some; `munshi run` uses the sandbox, unless
// the operator configures something else.
func TestFreeUses(t *testing.T) {
	const any = -1
	tests := []struct {
		yaml                string
		served, onOne       int
		servedSold, runSold bool
	}{
		{"", any, 2, false, true},
		{"payment: {provider: none}", any, any, false, false},
		{"payment: {provider: none}\naccount: {free_uses: 5}", 5, 5, false, false},
		{"account: {free_uses: 0}", 0, 0, false, true},
		{"payment: {provider: sandbox}", 2, 2, true, true},
		{"payment: {provider: razorpay, key_id: a, key_secret: b, webhook_secret: c}", 2, 2, true, true},
	}
	uses := func(c config.Config) int {
		if n := c.FreeUses(); n != nil {
			return *n
		}
		return any
	}
	for _, tt := range tests {
		c, err := load(t, tt.yaml)
		if err != nil {
			t.Fatal(err)
		}
		run := c.OnOneMachine()
		if uses(c) != tt.served || uses(run) != tt.onOne || c.Payment.Sold() != tt.servedSold || run.Payment.Sold() != tt.runSold {
			t.Errorf("%q: served %d (sold %v), run %d (sold %v), want %+v", tt.yaml, uses(c), c.Payment.Sold(), uses(run), run.Payment.Sold(), tt)
		}
	}
}
