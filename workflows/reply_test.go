package workflows

import (
	"maps"
	"slices"
	"testing"
)

// What a model proposes is read object by object: one that is none, brackets before the list and an end that is missing take
// nothing from the others.
func TestProposals(t *testing.T) {
	batch := []Allegation{{Key: "1"}, {Key: "4.1"}, {Key: "4.2"}}
	for text, want := range map[string][]string{
		"":                                 nil,
		"No list.":                         nil,
		`[{"key": "1", "stance": "deny"}]`: {"1"},
		`For [1] and [4.1]: [{"key": "1", "stance": "deny"}, {"key": "4.1", "stance": " Explain"}] as [agreed].`:                    {"1", "4.1"},
		`[{"key": "1", "stance": "deny"}, {"key": "4.1", "stance": "deny", "documents": "one"}, {"key": "4.2", "stance": "admit"}]`: {"1", "4.2"},
		`[{"key": "1", "stance": "deny"}, {"key": "4.1", "stance": "explain", "facts": "It was bro`:                                 {"1"},
		`[{"key": "9", "stance": "deny"}, {"key": "4.1", "stance": "maybe"}, 7, "x", {"key": "4.2", "stance": ""}]`:                 {"4.2"},
	} {
		got := slices.Sorted(maps.Keys(proposals(text, batch)))
		if !slices.Equal(got, want) {
			t.Errorf("%s gives %q, want %q", text, got, want)
		}
	}
}
