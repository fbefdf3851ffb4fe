package document_test

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"munshi/orchestrator/document"
)

// samples is the folder of sample files next to the repository, if there is one.
func samples(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("no go.mod above this folder")
		}
		folder = filepath.Dir(folder)
	}
	folder = filepath.Join(filepath.Dir(folder), "shared", "samples")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("the samples are not beside the repository; testdata has what the other tests need")
	}
	return folder
}

// TestSampleNotices limits the errors in the text of each labelled notice: the highest percentage
// of its characters that may differ from the truth, in reading order. Scans are D03, D05, D08 and
// the last page of D09.
func TestSampleNotices(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(samples(t), "notices")
	for name, most := range map[string]float64{
		"D01": 0.1, "D02": 0.1, "D03": 1.5, "D04": 0.1, "D05": 1.5, "D06": 0.1, "D07": 0.1, "D08": 2.5, "D09": 2.5, "D10": 0.1,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			for _, page := range mustRead(t, filepath.Join(folder, name+".pdf")) {
				text.WriteString(page.Text + "\n")
			}
			truth := strings.ReplaceAll(string(readFile(t, filepath.Join(folder, name+".txt"))), "\f", "\n")
			rate := 100 * errorRate(truth, text.String())
			t.Logf("%.2f %%", rate)
			if rate > most {
				t.Errorf("%.2f %% of the characters differ, at most %.2f %% did:\n%s", rate, most, text.String())
			}
		})
	}
}

// TestStressCorpus compares the results for broken, odd and hostile files of eight PDF projects
// with those of pdftotext and mutool; the soak test reads all files.
func TestStressCorpus(t *testing.T) { readStressCorpus(t, 6) }

// readStressCorpus reads one of every n files of the corpus.
func readStressCorpus(t *testing.T, every int) {
	t.Parallel()
	folder := samples(t)
	manifest, err := os.Open(filepath.Join(folder, "manifest.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer manifest.Close()
	rows, err := csv.NewReader(manifest).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	reader := newReader(t, document.Options{})
	for i, row := range rows[1:] {
		file := row[column["file"]]
		if i%every != 0 || !strings.HasPrefix(file, "pdf-stress/") {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			pages, info, err := read(t, reader, filepath.Join(folder, file), nil)
			var refusal *document.Refusal
			if err != nil && !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			if row[column["pdftotext"]] != "ok" || row[column["mutool"]] != "ok" {
				return // it ended, whatever the result
			}
			if refusal != nil {
				t.Fatalf("refused, though others read it: %v", err)
			}
			if len(pages) != info.Pages {
				t.Errorf("%d pages of %d", len(pages), info.Pages)
			}
			var ours int
			for _, page := range pages {
				ours += len([]rune(squeeze(page.Text)))
			}
			poppler, _ := strconv.Atoi(row[column["pdftotext_chars"]])
			mupdf, _ := strconv.Atoi(row[column["mutool_chars"]])
			if theirs := min(poppler, mupdf); float64(ours) < 0.95*float64(theirs) {
				t.Errorf("%d characters, pdftotext has %d and mutool %d", ours, poppler, mupdf)
			}
		})
	}
}
