package table

import "testing"

func TestOnlyLookAlikeDigitsAreMisread(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"218050", "213050", true},
		{"218050", "21805", true},
		{"218050", "218020", false},
		{"582910", "582190", false},
		{"218050", "218050", true},
	} {
		if got := lookAlike(c.a, c.b); got != c.want {
			t.Errorf("lookAlike(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
