package store

import (
	"strings"
	"testing"
)

// The person's own parts keep their place, even if the notice is read again and no longer has the paragraph they
// were written for: they follow the part that preceded them, each under its heading once. Parts that others wrote
// for such a paragraph are removed.
func TestOwnWordsStayWhereTheyStood(t *testing.T) {
	had := []DraftPart{
		{ID: "preface", Text: "mine", By: ByPerson},
		{ID: "cause"}, {ID: "para:1", Title: "B. Para-wise reply", Text: "mine", By: ByPerson}, {ID: "para:2", By: ByModel, Inputs: "x"},
		{ID: "para:3", Text: "mine", By: ByPerson}, {ID: "para:4", Text: "mine", By: ByPerson}, {ID: "para:5"}, {ID: "prayer", Title: "C. Prayer"},
	}
	planned := []DraftPart{{ID: "cause", Fixed: true}, {ID: "para:5", Title: "B. Para-wise reply"}, {ID: "para:6"}, {ID: "prayer", Title: "C. Prayer", Fixed: true}}
	parts, write := renewed(had, planned)
	var order []string
	for _, p := range parts {
		order = append(order, strings.TrimSpace(p.Title+" "+p.ID))
	}
	if got, want := strings.Join(order, ", "), "preface, cause, B. Para-wise reply para:1, para:3, para:4, para:5, para:6, C. Prayer prayer"; got != want {
		t.Errorf("they stand as %s\nwant            %s", got, want)
	}
	if got := strings.Join(write, " "); got != "para:5 para:6" {
		t.Errorf("to be written are %s", got)
	}
	if again, _ := renewed(parts, planned); len(again) != len(parts) || again[2].ID != "para:1" || again[4].ID != "para:4" {
		t.Errorf("renewed again, they stand as %+v", again)
	}
}
