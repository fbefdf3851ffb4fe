package store

import (
	"maps"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// FileChange is how one file differs between two bundles, as a unified diff.
type FileChange struct{ Name, Diff string }

// Changes returns how files differ from one bundle to another, by their names; those that are the same are left out.
func Changes(from, to Bundle) []FileChange {
	names := map[string]bool{}
	for _, b := range []Bundle{from, to} {
		for name := range b.Files {
			names[name] = true
		}
	}
	var changes []FileChange
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, after := from.SHA[:min(10, len(from.SHA))]+" "+name, to.SHA[:min(10, len(to.SHA))]+" "+name
		if diff := udiff.Unified(before, after, string(from.Files[name]), string(to.Files[name])); diff != "" {
			changes = append(changes, FileChange{name, diff})
		}
	}
	return changes
}

// Difference returns what differs between two texts, as a unified diff; "" for nothing.
func Difference(before, after string) string { return udiff.Unified("before", "after", before, after) }
