package api

import "testing"

// In a downloaded text, marked words have numbered footnotes.
func TestFootnotes(t *testing.T) {
	var notes footnotes
	marks := marksOf([]Check{
		{Code: "figure", Verdict: "not_in_notice", Start: 17, End: 21},
		{Code: "judgment", Verdict: "not_verified", Start: 0, End: 5},
		{Code: "provision", Verdict: "exists", Start: 6, End: 12},
		{Code: "scope"},
	}, 0)
	if got, want := notes.in("Arise holds that ₹1 is owed.", marks), "Arise[^1] holds that ₹1[^2] is owed."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := notes.in("Nothing here.", nil); got != "Nothing here." {
		t.Errorf("a text without marks becomes %q", got)
	}
	if got, want := notes.in("₹2", []WordMark{{Start: 0, End: 4, Note: "wrong"}, {Start: 2, End: 90, Note: "of another text"}}), "₹2[^3]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := "\n[^1]: Arise: " + paperNotes["not_verified"] + "\n\n[^2]: ₹1: " + paperNotes["not_in_notice"] + "\n\n[^3]: ₹2: wrong\n"
	if got := notes.below(); got != want {
		t.Errorf("below stands %q, want %q", got, want)
	}
}
