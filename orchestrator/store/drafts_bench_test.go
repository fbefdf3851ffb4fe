package store_test

import (
	"fmt"
	"strings"
	"testing"

	"munshi/orchestrator/store"
)

// BenchmarkDrafts lists and searches the drafts of someone who has a thousand of ten pages each.
func BenchmarkDrafts(b *testing.B) {
	f := newFixture(b)
	page := strings.Repeat("The Noticee submits that the credit was rightly availed under section 16 of the Act. ", 40)
	for i := range 1000 {
		_, err := f.AddDraft(b.Context(), f.workspace, store.NewDraft{Kind: "Agreement", Title: fmt.Sprintf("Draft %d", i),
			Parts: []store.DraftPart{{ID: "whole", By: store.ByPerson, Text: strings.Repeat(page, 10) + fmt.Sprintf(" Client%d", i)}}})
		must(b, err)
	}
	for search, want := range map[string]int{"": 50, "client17": 50, "noticee rightly": 50, "zebra": 0} {
		b.Run("search "+search, func(b *testing.B) {
			for b.Loop() {
				list, err := f.Drafts(b.Context(), f.workspace, search, 0, 50)
				must(b, err)
				if want > 0 && len(list) == 0 || want == 0 && len(list) > 0 {
					b.Fatalf("%d found", len(list))
				}
			}
		})
	}
}
