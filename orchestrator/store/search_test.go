package store

import "testing"

func TestExcerptOfDraftHasNoMarks(t *testing.T) {
	const draft = "**Before**\n\n---\n\n# REPLY TO NOTICE\n\n| Particulars | Details |\n" +
		"| --- | :-- |\n| Notice in | DRC-01 |\n\n> It *is* so.\n"
	const want = "Before REPLY TO NOTICE Particulars Details Notice in DRC-01 It *is* so."
	if got := excerpt(unmarked(draft), []string{"notice"}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
