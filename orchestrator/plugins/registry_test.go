package plugins_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"munshi/orchestrator/plugins"
)

// A tab has its address under /app, next to the web app's own pages, whose names are reserved.
func TestReservedNamesAreTheAppsPages(t *testing.T) {
	routes, err := os.ReadFile("../../webapp/src/app/routes.tsx")
	if err != nil {
		t.Fatal(err)
	}
	// The pages under /app have relative paths; other pages begin with a slash.
	pages := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bpath: "([a-z][a-z-]*)(?:/[^"]*)?"`).FindAllSubmatch(routes, -1) {
		pages[string(m[1])] = true
	}
	if !pages["notice"] {
		t.Errorf("no path of the plugin notice among %v", pages)
	}
	delete(pages, "notice") // redirects that plugin's own address to its page
	want := slices.Sorted(maps.Keys(pages))
	if got := slices.Sorted(slices.Values(plugins.Registry().Reserved)); !slices.Equal(got, want) {
		t.Errorf("reserved are %v, the app has pages at %v", got, want)
	}
}
