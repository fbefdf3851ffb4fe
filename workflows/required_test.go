package workflows

import "testing"

// An answer of which nothing is seen is none; JSON that is empty is an answer.
func TestBlankAnswers(t *testing.T) {
	for answer, want := range map[string]bool{"": true, " \n\n\u200b\n": true, "**\n---\n": true, "```\n```": true, "{}": false, "[]": false, "- नहीं": false, "0": false} {
		if got := isBlank(answer); got != want {
			t.Errorf("%q: %v, want %v", answer, got, want)
		}
	}
}
