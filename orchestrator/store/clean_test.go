package store

import (
	"strings"
	"testing"
)

// A name does not reverse the text beside it, and does not look like a different name.
func TestNamesOnOneLine(t *testing.T) {
	for given, want := range map[string]string{
		"\u202Egnp.eciton\u202C.pdf":       "gnp.eciton.pdf",
		"\u2066Asha\u2069 \u200ETraders":   "Asha Traders",
		"As\u200Bha\u00AD \uFEFF\u2060T":   "Asha T",
		"As\u200Dha":                       "Asha",
		"Asha\uFE0F\U000E0101":             "Asha",
		"\u3164\U000E0041\u200B":           "",
		" Asha\r\n\tTraders\u2028Pune\x00": "Asha Traders Pune",
		"a\x1b[31m\xff":                    "a[31m\uFFFD",
		"कारण बताओ नोटिस":                  "कारण बताओ नोटिस",
		"\u200D":              "",
		"Asha \u200C Traders": "Asha Traders",
	} {
		if got := OneLine(given); got != want {
			t.Errorf("%+q: %+q, want %+q", given, got, want)
		}
	}
}

// Joiners stay where the letters look different with them, and nowhere else.
func TestJoinersOfNames(t *testing.T) {
	for given, want := range map[string]string{
		"क्\u200Dष":             "क्\u200Dष",         // a half letter
		"क्\u200Cष":             "क्\u200Cष",         // with its virama
		"ക്\u200D ന്\u200D":     "ക്\u200D ന്\u200D", // Malayalam at the end of a word
		"র\u200D্যাব":           "র\u200D্যাব",       // Bengali, before the virama
		"ශ්\u200Dරී":            "ශ්\u200Dරී",
		"می\u200Cخواهم":         "می\u200Cخواهم",
		"क्\u200D\u200Dष":       "क्\u200Dष",
		"क्\u200C\u200Dष":       "क्\u200Dष",
		"क्\u200D\u200Cष":       "क्\u200Dष",
		"ष\u200C राम\u200D":     "ष राम",
		"रा\u200Cम":             "राम",
		"क्\u200C":              "क्",
		"क्\u200CA":             "क्A",
		"می\u200Dخواهم":         "میخواهم",
		"می\u200C":              "می",
		"می\u200CA":             "میA",
		"กา\u200Cร":             "การ", // Thai needs none, nor do others beyond Sinhala
		"\u200Cक":               "क",
		"क्\u200B\u200D\u200Bष": "क्\u200Dष",
	} {
		if got := OneLine(given); got != want {
			t.Errorf("%+q: %+q, want %+q", given, got, want)
		}
	}
}

// The name of a file is what is seen of it, without folders, and keeps its extension.
func TestNamesOfFiles(t *testing.T) {
	long := strings.Repeat("लंबा ", 60)
	for given, want := range map[string]string{
		`C:\papers\notice.pdf`:       "notice.pdf",
		"papers/\u202Efdp.exe":       "fdp.exe",
		"papers/\u200B..":            "",
		"\u200B":                     "",
		"..":                         "",
		"":                           "",
		"papers/ \u200B.pdf\n":       ".pdf",
		"a/\xff.pdf":                 ".pdf",
		long + ".xlsx":               string([]rune(long)[:144]) + "….xlsx",
		"a." + long:                  string([]rune("a." + long)[:149]) + "…",
		strings.Repeat("x", 150):     strings.Repeat("x", 150),
		"folder/" + "\u200Ba/\u200B": "",
	} {
		if got := FileName(given); got != want {
			t.Errorf("%+q: %+q, want %+q", given, got, want)
		}
	}
}
