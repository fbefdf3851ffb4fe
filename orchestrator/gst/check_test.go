package gst_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/gst"
)

func TestCheck(t *testing.T) {
	for answer, want := range map[string]string{
		"Credit is governed by section 16(2)(c) and rule 36(4).":                      "",
		"Under section 999 of the CGST Act, 2017 this is barred.":                     "section 999",
		"See sections 73, 74 and 213(2) of the Act.":                                  "section 213",
		"Rule 402(1) of the CGST Rules settles it; so does rule 402.":                 "rule 402",
		"Section 318 of the Bharatiya Nyaya Sanhita and section 420 IPC are others'.": "",
		"धारा 73(1) के अन्तर्गत, धारा 951 के साथ।":                                    "section 951",
		"Pay by 30.06.2024, ₹12,45,000 in 45 days.":                                   "",
	} {
		var got []string
		for _, f := range gst.Check(answer) {
			if f.Quote == "" || !strings.Contains(answer, f.Quote) {
				t.Errorf("%q: the quote %q is not in the answer", answer, f.Quote)
			}
			_, rest, _ := strings.Cut(f.Message, "has no ")
			provision, _, _ := strings.Cut(rest, ".")
			got = append(got, provision)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: found %v, want %q", answer, got, want)
		}
	}
}
