package api

import "testing"

// A quotation mark in a file name is shown as such, and not in the escaped form that browsers send.
func TestNamesOfUploads(t *testing.T) {
	for sent, want := range map[string]string{
		"a%22b%22.pdf":         `a"b".pdf`,
		"two%0D%0Alines.pdf":   "twolines.pdf",
		`C:\papers\notice.pdf`: "notice.pdf",
		"../../etc/passwd":     "passwd",
		"50% of 2024%20.pdf":   "50% of 2024%20.pdf",
		"\u202efdp.exe\x00":    "fdp.exe",
		"कारण बताओ नोटिस.pdf": "कारण बताओ नोटिस.pdf",
	} {
		if got := fileName(sent); got != want {
			t.Errorf("%q: %q, want %q", sent, got, want)
		}
	}
	for title, want := range map[string]string{"Order.PDF": "Order", "order.pdf": "order", ".pdf": ".pdf", "a pdf": "a pdf"} {
		if got := withoutPDF(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

// The names that people give to views, clients, members and firms are cleaned here.
func TestNamesThatPeopleGive(t *testing.T) {
	if got, err := nameOf(" \u202EAsha\u202C  Trad\u200Bers"); got != "Asha Traders" || err != nil {
		t.Errorf("%+q, %v", got, err)
	}
	if got, err := nameOf("\u202E\u200B\u3164"); err == nil {
		t.Errorf("a name of which nothing is seen is taken as %+q", got)
	}
}
