//go:build soak

package workbook_test

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures/workbook"
)

var stored = regexp.MustCompile(`(</f>)<v>[^<]*</v>`)

// withoutResults returns a workbook whose formulas have no stored results.
func withoutResults(t *testing.T, book []byte) []byte {
	t.Helper()
	from, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for _, part := range from.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := to.Create(part.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(stored.ReplaceAll(content, []byte("$1"))); err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// For each formula LibreOffice computes the amount that we store with it, in both languages.
func TestSoakLibreOffice(t *testing.T) {
	for name, of := range map[string]workbook.Annexure{"credit": annexure(3000, true), "every": every(t, "en"), "every in Hindi": every(t, "hi")} {
		t.Run(name, func(t *testing.T) { holdLibreOffice(t, write(t, of)) })
	}
}

func holdLibreOffice(t *testing.T, content []byte) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, "annexure.xlsx")
	if err := os.WriteFile(path, withoutResults(t, content), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("soffice", "-env:UserInstallation=file://"+folder+"/profile", "--headless", "--convert-to", "xlsx", "--outdir", folder+"/out", path)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("LibreOffice: %v: %s", err, out)
	}
	ours, err := excelize.OpenReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := excelize.OpenFile(folder + "/out/annexure.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, sheet := range ours.GetSheetList()[1:] {
		rows, err := ours.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			for j, want := range row {
				name, _ := excelize.CoordinatesToCellName(j+1, i+1)
				if formula, _ := ours.GetCellFormula(sheet, name); formula == "" {
					continue
				}
				got, err := theirs.GetCellValue(sheet, name, excelize.Options{RawCellValue: true})
				if err != nil {
					t.Fatal(err)
				}
				is, err1 := strconv.ParseFloat(got, 64)
				should, err2 := strconv.ParseFloat(want, 64)
				if err1 != nil || err2 != nil || math.Abs(is-should) > 0.001 {
					t.Errorf("%s %s: LibreOffice has %q, we have %q", sheet, name, got, want)
				}
				compared++
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d formulas were compared", compared)
	}
}
