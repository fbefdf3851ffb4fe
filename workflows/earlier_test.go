package workflows

import (
	"strings"
	"testing"

	"munshi/orchestrator/turns"
)

// The latest messages are kept in whole turns, and never all of them.
func TestLatestMessages(t *testing.T) {
	var history []turns.Utterance
	for _, turn := range []string{"a", "b", "c"} {
		history = append(history, turns.Utterance{Role: "user", Text: "one two", Turn: turn}, turns.Utterance{Role: "assistant", Text: "three four five", Turn: turn})
	}
	words := func(text string) int { return len(strings.Fields(text)) }
	for room, want := range map[int]int{-3: 0, 0: 0, 4: 0, 5: 2, 9: 2, 10: 4, 1000: 4} {
		if got := latest(history, room, words); got != want {
			t.Errorf("with room for %d words %d messages are kept, want %d", room, got, want)
		}
	}
	if got := latest(nil, 10, words); got != 0 {
		t.Errorf("of nothing %d are kept", got)
	}
}
