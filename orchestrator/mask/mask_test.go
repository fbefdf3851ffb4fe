package mask_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"munshi/orchestrator/mask"
)

var private = []string{"M/s Sahyadri & Sons Private Limited", "Sahyadri Spices", "27AAPCS4821K1Z6", "Ramesh K. Deshmukh", "श्री गणेश ट्रेडर्स"}

// No part of a name or number remains, whatever its spelling, and all of it is restored.
func TestHideAndShow(t *testing.T) {
	tests := []struct{ name, text, hidden, back string }{
		{"a name", "Issued to M/s Sahyadri & Sons Private Limited.", "Issued to M/s [PARTY-1].", "Issued to M/s Sahyadri & Sons Private Limited."},
		{"in capitals, over lines", "SAHYADRI & SONS\n  PRIVATE LIMITED owes", "[PARTY-1] owes", "Sahyadri & Sons Private Limited owes"},
		{"in JSON", `{"legal_name":"Sahyadri \u0026 Sons Private Limited"}`, `{"legal_name":"[PARTY-1]"}`, `{"legal_name":"Sahyadri & Sons Private Limited"}`},
		{"a line of JSON", `"by\nSahyadri Spices"`, `"by\n[PARTY-2]"`, `"by\nSahyadri Spices"`},
		{"without its form", "sahyadri & sons says", "[PARTY-1A] says", "Sahyadri & Sons says"},
		{"part of a longer word", "Sahyadri Spicesmith", "Sahyadri Spicesmith", "Sahyadri Spicesmith"},
		{"Devanagari", "नोटिस श्री गणेश ट्रेडर्स को", "नोटिस [PARTY-4] को", "नोटिस श्री गणेश ट्रेडर्स को"},
		{"its GSTIN", "GSTIN: 27AAPCS4821K1Z6,", "GSTIN: [GSTIN-1],", "GSTIN: 27AAPCS4821K1Z6,"},
		{"its GSTIN in pieces", "27 AAPCS 4821K 1Z6", "[GSTIN-1]", "27AAPCS4821K1Z6"},
		{"its PAN", "PAN aapcs4821k.", "PAN [PAN-1].", "PAN AAPCS4821K."},
		{"another's GSTIN", "of 29ABCDE1234F1Z5 and 29ABCDE1234F1Z5", "of [GSTIN-2] and [GSTIN-2]", "of 29ABCDE1234F1Z5 and 29ABCDE1234F1Z5"},
		{"a misread GSTIN", "27AAPC54821K1Z6", "[GSTIN-2]", "27AAPC54821K1Z6"},
		{"another's GSTIN in pieces", "29 ABCDE 1234F 1Z5; 2 9 A B C D E 1 2 3 4 F 1 Z 5", "[GSTIN-2]; [GSTIN-2]", "29ABCDE1234F1Z5; 29ABCDE1234F1Z5"},
		{"joined to words", "GSTIN29ABCDE1234F1Z5dated, PANABCPD1234E", "GSTIN[GSTIN-2]dated, PAN[PAN-2]", "GSTIN29ABCDE1234F1Z5dated, PANABCPD1234E"},
		{"another's PAN in pieces", "PAN No.: ABCPD 1234 E.", "PAN No.: [PAN-2].", "PAN No.: ABCPD1234E."},
		{"a table of a year", "TABLE 2024 A, Notice 2024 A", "TABLE 2024 A, Notice 2024 A", "TABLE 2024 A, Notice 2024 A"},
		{"another's PAN", "ABCPD1234E", "[PAN-2]", "ABCPD1234E"},
		{"no number", "ARN AA270324012345X, 12,45,000 and 0123456789", "ARN AA270324012345X, 12,45,000 and 0123456789", "ARN AA270324012345X, 12,45,000 and 0123456789"},
		{"a name that is short for another", "Mr. Ramesh K. Deshmukh, and Deshmukh & Co", "Mr. [PARTY-3], and Deshmukh & Co", "Mr. Ramesh K. Deshmukh, and Deshmukh & Co"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mask.New(private, tt.text)
			hidden := m.Hide(tt.text)
			if hidden != tt.hidden {
				t.Errorf("hidden is\n%q, want\n%q", hidden, tt.hidden)
			}
			if back := m.Show(hidden); back != tt.back {
				t.Errorf("shown is\n%q, want\n%q", back, tt.back)
			}
		})
	}
}

// Models write placeholders in various ways.
func TestShowAsModelsWrite(t *testing.T) {
	m := mask.New(private)
	for written, want := range map[string]string{
		"[PARTY-2]":               "Sahyadri Spices",
		"[party-2], [Party-2]":    "Sahyadri Spices, Sahyadri Spices",
		"**[PARTY-2]** owes":      "**Sahyadri Spices** owes",
		"[**PARTY-2**] owes":      "**Sahyadri Spices** owes",
		`\[PARTY\-2\]`:            "Sahyadri Spices",
		"[PARTY_2] and PARTY‑2's": "Sahyadri Spices and Sahyadri Spices's",
		"[Gstin 1]":               "27AAPCS4821K1Z6",
		"PAN-1.":                  "AAPCS4821K.",
		"[PARTY-77]":              "[PARTY-77]",
		"[link](https://x)":       "[link](https://x)",
		"Party 2 shall pay":       "Party 2 shall pay",
	} {
		if got := m.Show(written); got != want {
			t.Errorf("%q is shown as %q, want %q", written, got, want)
		}
	}
}

// Words of the text that look like a placeholder stay unchanged.
func TestPlaceholdersOfTheText(t *testing.T) {
	text := "As [PARTY-1] is called in the deed with Sahyadri Spices."
	m := mask.New(private, text)
	if back := m.Show(m.Hide(text)); back != text {
		t.Errorf("it comes back as %q", back)
	}
}

// However an answer is cut into pieces, the same text is shown, and no piece shows half a placeholder.
func TestStream(t *testing.T) {
	m := mask.New(private)
	answer := "To [PARTY-1], **[Party-2]** (GSTIN [GSTIN-1], PAN-1): a [link](https://example.com), \\[PARTY\\-3\\]\nand part of p. [open"
	want := m.Show(answer)
	if strings.Contains(strings.ToUpper(want), "PARTY-") {
		t.Fatalf("it is shown as %q", want)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var pieces []string
		s := m.Stream(func(piece string) error {
			pieces = append(pieces, piece)
			return nil
		})
		for rest := []rune(answer); len(rest) > 0; {
			n := min(len(rest), 1+random.IntN(12))
			if err := s.Write(string(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(pieces, ""); got != want || s.Text() != want {
			t.Fatalf("in pieces it is\n%q, want\n%q", pieces, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	got := strings.Join(mask.Numbers("27aapcs4821k1z6, ABCPD1234E; 27AAPCS4821K1Z6 and section 73 of 2017"), " ")
	if got != "27AAPCS4821K1Z6 ABCPD1234E" {
		t.Errorf("the numbers are %s", got)
	}
}
