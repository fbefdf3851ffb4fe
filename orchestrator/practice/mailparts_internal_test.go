package practice

import (
	"testing"

	"github.com/emersion/go-msgauth/authres"
)

// A server vouches for a sender if what it checked belongs to the sender's organisation, and not merely to the same
// suffix.
func TestVouched(t *testing.T) {
	dkim := func(domain string) authres.Result {
		return &authres.DKIMResult{Value: authres.ResultPass, Domain: domain}
	}
	spf := func(from string) authres.Result { return &authres.SPFResult{Value: authres.ResultPass, From: from} }
	dmarc := func(from string) authres.Result { return &authres.DMARCResult{Value: authres.ResultPass, From: from} }
	for _, c := range []struct {
		name, from string
		result     authres.Result
		want       bool
	}{
		{"the domain itself", "clerk@firm.co.in", dkim("firm.co.in"), true},
		{"in capitals, with a dot", "clerk@firm.co.in", dkim("Firm.CO.IN."), true},
		{"a domain above", "clerk@mail.firm.co.in", dkim("firm.co.in"), true},
		{"a domain below", "clerk@firm.co.in", spf("bounce@mail.firm.co.in"), true},
		{"by DMARC", "clerk@firm.co.in", dmarc("firm.co.in"), true},
		{"the suffix", "clerk@firm.co.in", dkim("co.in"), false},
		{"the suffix, by SPF", "clerk@firm.co.in", spf("anybody@co.in"), false},
		{"the suffix, by DMARC", "clerk@firm.co.in", dmarc("co.in"), false},
		{"a neighbour under the suffix", "clerk@firm.co.in", dkim("evil.co.in"), false},
		{"a neighbour at a host of many", "clerk@firm.github.io", dkim("evil.github.io"), false},
		{"an ending that looks alike", "clerk@firm.co.in", dkim("evilfirm.co.in"), false},
		{"a sender without a domain", "clerk", dkim("clerk"), false},
		{"no sender", "", dkim(""), false},
		{"a sender at a suffix", "clerk@co.in", dkim("co.in"), false},
		{"what failed", "clerk@firm.co.in", &authres.DKIMResult{Value: authres.ResultFail, Domain: "firm.co.in"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := vouched([]authres.Result{c.result}, c.from); got != c.want {
				t.Errorf("vouched is %v for a mail from %q, want %v", got, c.from, c.want)
			}
		})
	}
}
