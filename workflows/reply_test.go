package workflows

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/turns"
)

// A model's proposals are read object by object: an invalid one, brackets before the list and a missing end do not
// affect the others.
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

// scales renders prompts and counts tokens for a test: a word is a token, and every prompt has a hundred tokens of
// its own.
type scales struct {
	Catalogue
	Model
	room int
}

func (s scales) Render(_ context.Context, _ Prompts, _ string, values map[string]any) (Question, error) {
	text := strings.Repeat("word ", 100) + values["notice"].(string)
	for _, r := range values["reviews"].([]map[string]string) {
		text += " " + r["type"] + " " + r["text"]
	}
	return Question{Messages: []turns.Utterance{{Text: text}}}, nil
}
func (s scales) Room(Question) int      { return s.room }
func (s scales) Tokens(text string) int { return len(strings.Fields(text)) }

// The material for a part is shortened until the model accepts it: the notice first, then the reviews, of which a
// short one stays whole; each cut is marked, and if nothing can be cut any more, an error says so.
func TestFit(t *testing.T) {
	long := strings.Repeat("Of other things it speaks at length here.\n\n", 400) + "The freight ledger agrees."
	reviews := []Review{{"Ledger", long}, {"Challan", "Tax was paid."}}
	m := PromptContext{Message: "freight ledger", Notice: []turns.Page{{Number: 1, Text: strings.Repeat("A notice of many words.\n\n", 300)}}}
	for room, want := range map[int]string{100_000: "whole", 3_900: "notice cut", 1_000: "reviews cut", 350: "too long"} {
		s := scales{room: room}
		a := &Activities{Catalogue: s, Model: s}
		values := map[string]any{"notice": a.fitting(m, passagesOfPart), "reviews": listed(reviews)}
		q, cut, err := a.fit(t.Context(), ReplyInput{}, m, values, reviews)
		if want == "too long" {
			if !tooLong(err) {
				t.Errorf("with room for %d tokens: %v", room, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		given := values["reviews"].([]map[string]string)
		if a.over(q) > 0 || cut != (want == "reviews cut") || strings.Contains(given[0]["text"], leftOut) != cut ||
			!strings.Contains(given[0]["text"], "The freight ledger agrees.") || given[1]["text"] != "Tax was paid." {
			t.Errorf("%s, with room for %d tokens: cut %v, over by %d, given %.300q", want, room, cut, a.over(q), given)
		}
	}
}
