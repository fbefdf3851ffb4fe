//go:build soak

package word_test

import (
	"io"
	"testing"
	"time"

	"munshi/orchestrator/document/word"
)

// TestSoakHostileTakesNoLongerThanItsLength compares the time for a text with the time for a text four times as long,
// which would be sixteen times as long if each piece were compared with every other. A busy machine gets several
// attempts.
func TestSoakHostileTakesNoLongerThanItsLength(t *testing.T) {
	const size, attempts = 32 << 10, 6
	const tooShort = 200 * time.Millisecond // too short to conclude anything
	took := func(text string) time.Duration {
		begun := time.Now()
		if err := word.Write(t.Context(), io.Discard, word.Document{Text: text}); err != nil {
			t.Fatal(err)
		}
		return time.Since(begun)
	}
	for name, shape := range hostile() {
		short, long := shape(size), shape(4*size)
		least, most := time.Hour, time.Hour
		for range attempts {
			least, most = min(least, took(short)), min(most, took(long))
			if most < 9*least || most < tooShort || most > 15*tooShort {
				break
			}
		}
		if ratio := most.Seconds() / least.Seconds(); most >= tooShort && ratio >= 9 {
			t.Errorf("%q: four times the text takes %.1f times as long (%v)", name, ratio, most)
		}
	}
}
