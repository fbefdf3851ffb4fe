//go:build soak

package word_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/document/word"
)

// TestSoakLibreOfficeReadsEachWord opens each file of the corpus in LibreOffice and compares the words found.
func TestSoakLibreOfficeReadsEachWord(t *testing.T) {
	texts, dir := corpus(t), t.TempDir()
	for name, text := range texts {
		d := word.Document{Title: "GST Notice Reply", Text: text, CauseTitle: strings.Contains(name, "cause-title")}
		if err := os.WriteFile(filepath.Join(dir, name+".docx"), written(t, d), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	convert(t, dir, "txt:Text (encoded):UTF8")
	convert(t, dir, "pdf")
	words := 0
	for name, text := range texts {
		got, err := os.ReadFile(filepath.Join(dir, name+".txt"))
		if err != nil {
			t.Errorf("LibreOffice did not open %s: %v", name, err)
			continue
		}
		wanted := tokens(rendered(t, text))
		if lost := missing(wanted, tokens(string(got))); lost != "" {
			t.Errorf("%s: LibreOffice does not find %s", name, lost)
		}
		words += len(wanted)
		if page, err := os.Stat(filepath.Join(dir, name+".pdf")); err != nil || page.Size() == 0 {
			t.Errorf("LibreOffice did not lay out %s: %v", name, err)
		}
	}
	t.Logf("%d Word files opened by LibreOffice, %d words found in their order", len(texts), words)
}

func convert(t *testing.T, dir, to string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.docx"))
	if err != nil {
		t.Fatal(err)
	}
	profile := "-env:UserInstallation=file://" + filepath.Join(dir, "profile")
	out, err := exec.Command("soffice", append([]string{profile, "--headless", "--convert-to", to, "--outdir", dir}, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("LibreOffice: %v\n%s", err, out)
	}
}
