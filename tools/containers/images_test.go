package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every image that our files name can be built where it cannot be pulled, and the substitutes are based on the same
// images.
func TestStandIns(t *testing.T) {
	asked, err := (&engine{root: filepath.Join("..", "..")}).askedFor()
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) != 8 {
		t.Errorf("of some of these there is no stand-in: %v", asked)
	}
	files, err := filepath.Glob("images/*.Containerfile")
	if err != nil || len(files) != len(asked)-1 { // Debian's image is not built
		t.Fatalf("%d files for %d images: %v", len(files), len(asked), err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		base := regexp.MustCompile(`(?m)^FROM (\S+)$`).FindStringSubmatch(string(raw))
		if base == nil {
			t.Fatalf("%s has no base", file)
		}
		if name, _, _ := strings.Cut(base[1], ":"); asked[name] != base[1] {
			t.Errorf("%s stands on %s, and our files ask for %s", file, base[1], asked[name])
		}
	}
}
