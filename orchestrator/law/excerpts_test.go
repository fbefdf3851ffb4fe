package law

import (
	"fmt"
	"strings"
	"testing"
)

// The passage about the question is found on its page, and is short enough to quote; one that has only one word in
// common is not found.
func TestExcerpts(t *testing.T) {
	long := strings.Repeat("The appellant relied upon many papers that need not be told here. ", 60)
	papers := [][]string{
		{"Of the refund of deposits.", long + "The purchaser who has paid the supplier in good faith cannot be denied the credit. " + long},
		{"Credit was not in question."},
	}
	found := Excerpts(papers, "Can a purchaser be denied credit where the supplier did not pay?", 3)
	if len(found) != 1 || found[0].Paper != 0 || found[0].Page != 1 || !strings.Contains(found[0].Words, "cannot be denied the credit") ||
		len(found[0].Words) > excerptSize {
		t.Fatalf("found %+v", found)
	}
	for _, none := range []string{"", "credit", "अपील कब करनी है", "company director removal shareholders meeting"} {
		if found := Excerpts(papers, none, 3); len(found) > 0 {
			t.Errorf("%q finds %+v", none, found)
		}
	}
}

// BenchmarkExcerpts measures a question against fifty judgments of twenty pages.
func BenchmarkExcerpts(b *testing.B) {
	papers := make([][]string, 50)
	for i := range papers {
		for j := range 20 {
			var page strings.Builder
			for k := range 45 {
				fmt.Fprintf(&page, "%d. The petitioner submits that credit under section %d was availed on invoice %d of the supplier,\n", k, i+j, k*j)
			}
			papers[i] = append(papers[i], page.String())
		}
	}
	for b.Loop() {
		Excerpts(papers, "Can credit be denied because the supplier did not pay the tax?", 3)
	}
}
