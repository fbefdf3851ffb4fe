package account

import "testing"

// An address that looks like another's is refused.
func TestAddressesHideNothing(t *testing.T) {
	for _, hidden := range []string{"as\u200Bha@example.com", "asha\u00AD@example.com", "\u202Easha@example.com"} {
		if got, err := AddressOf(hidden); err == nil {
			t.Errorf("%+q is taken as %+q", hidden, got)
		}
	}
	if got, err := AddressOf(" Asha@Example.com "); got != "asha@example.com" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
