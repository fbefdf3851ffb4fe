package store

import (
	"maps"
	"slices"

	"github.com/aymanbagabas/go-udiff"
)

// FileChange is the difference in one file between two bundles, as a unified diff.
type FileChange struct{ Name, Diff string }

// Changes returns the files that differ between two bundles, sorted by name.
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

// Difference returns the unified diff of two texts, "" if they are the same.
func Difference(before, after string) string { return udiff.Unified("before", "after", before, after) }
