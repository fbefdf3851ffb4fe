//go:build soak

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"munshi/orchestrator/document"
)

// TestMain lets the test binary act as the child that reads PDFs.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		os.Exit(document.Child())
	}
	os.Exit(m.Run())
}

// The weights in the repository are those learned from the labelled notices and the phrases, byte for byte. Learning
// takes a minute, and the text of the scans depends on the version of Tesseract, so `make test` leaves this out.
func TestSoakLearnsTheSameWeights(t *testing.T) {
	t.Chdir("../..")
	samples := filepath.Join("..", "shared", "samples")
	if _, err := os.Stat(samples); err != nil {
		t.Skip("the samples are not beside the repository")
	}
	var corpora []string
	for _, name := range []string{"notices", "notices-a", "notices-b"} {
		corpora = append(corpora, filepath.Join(samples, name))
	}
	out := filepath.Join(t.TempDir(), "learned.json")
	words := filepath.Join(t.TempDir(), "words.txt")
	if err := run(t.Context(), corpora, 0, false, "", filepath.Join("tools", "weighfacts"), out, words); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join("orchestrator", "gst", "learned.json"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the weights are others than in orchestrator/gst/learned.json: run make weights")
	}
}
