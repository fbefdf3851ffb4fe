package store

import "testing"

// A name does not reverse the text beside it, and does not look like a different name.
func TestNamesOnOneLine(t *testing.T) {
	for given, want := range map[string]string{
		"\u202Egnp.eciton\u202C.pdf":       "gnp.eciton.pdf",
		"\u2066Asha\u2069 \u200ETraders":   "Asha Traders",
		"As\u200Bha\u00AD \uFEFF\u2060T":   "Asha T",
		"As\u200Dha":                       "Asha",
		"\u3164\U000E0041\u200B":           "",
		" Asha\r\n\tTraders\u2028Pune\x00": "Asha Traders Pune",
		"a\x1b[31m\xff":                    "a[31m\uFFFD",
		"क्\u200Dष\u200C राम":              "क्\u200Dष\u200C राम",
		"कारण बताओ नोटिस":                  "कारण बताओ नोटिस",
	} {
		if got := OneLine(given); got != want {
			t.Errorf("%+q: %+q, want %+q", given, got, want)
		}
	}
}
