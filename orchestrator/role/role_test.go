package role_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/role"
)

// The table in docs/practice.md is the one that is enforced.
func TestTableInDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/practice.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[role.Right]map[role.Role]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 8 {
			continue
		}
		name, _, found := strings.Cut(strings.TrimSpace(cells[1]), ":")
		if !found {
			continue
		}
		row := map[role.Role]bool{}
		for i, r := range role.All() {
			row[r] = strings.TrimSpace(cells[i+2]) == "yes"
		}
		documented[role.Right(name)] = row
	}
	if len(documented) != len(role.Rights()) {
		t.Fatalf("docs/practice.md has %d rights, want %d", len(documented), len(role.Rights()))
	}
	for _, right := range role.Rights() {
		for _, r := range role.All() {
			if documented[right][r] != r.May(right) {
				t.Errorf("docs/practice.md says that %s may %s: %v; the table says %v", r, right, documented[right][r], r.May(right))
			}
		}
	}
}

func TestWhoGivesWhichRole(t *testing.T) {
	for giver, gives := range map[role.Role][]role.Role{
		role.Owner:    {role.Partner, role.Preparer, role.Viewer, role.Client},
		role.Partner:  {role.Preparer, role.Viewer, role.Client},
		role.Preparer: {role.Preparer, role.Viewer, role.Client},
		role.Viewer:   nil,
		role.Client:   nil,
	} {
		for _, r := range role.All() {
			if giver.MayGive(r) != slices.Contains(gives, r) {
				t.Errorf("%s may give %s: %v", giver, r, giver.MayGive(r))
			}
		}
	}
}
