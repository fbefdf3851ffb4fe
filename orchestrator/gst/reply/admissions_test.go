package reply_test

import (
	"testing"

	"munshi/orchestrator/gst/reply"
)

func TestAdmissions(t *testing.T) {
	for text, want := range map[string]string{
		"The Noticee admits the lapse in May. It was small.":                   "The Noticee admits the lapse in May",
		"Hence we hereby concede the credit; the rest is denied.":              "we hereby concede the credit",
		"The Noticee undertakes to pay ₹4,000.":                                "The Noticee undertakes to pay ₹4,000",
		"Nothing in the notice is admitted. It is denied.":                     "",
		"The Noticee does not admit this, and is not to be taken to admit it.": "",
	} {
		got := ""
		if at := reply.Admissions(text); len(at) == 1 {
			got = text[at[0][0]:at[0][1]]
		} else if len(at) > 1 {
			t.Errorf("%q has %d admissions", text, len(at))
		}
		if got != want {
			t.Errorf("in %q it finds %q, want %q", text, got, want)
		}
	}
}
