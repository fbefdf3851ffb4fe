//go:build soak

package read_test

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/problem"
)

// Files saved by LibreOffice are read like the files that it opened: a GSTR-2B and registers, with days as numbers
// and texts that cells refer to. Its files in the old Excel format, with a password or in its own format are refused
// with an explanation.
func TestSoakSavedByLibreOffice(t *testing.T) {
	rows := figurestest.Rows(figurestest.Busy, "Fictional Traders", client(400, figures.GSTR2B).Books)
	r := reader(t, read.Options{})
	plain := file(t, "register.csv", func(w io.Writer) error { return figurestest.CSV(w, rows) })
	written, err := r.Read(context.Background(), plain, nil)
	if err != nil {
		t.Fatal(err)
	}
	var of2B []figures.Record
	statement := file(t, "2b.xlsx", func(w io.Writer) (err error) {
		of2B, err = workbook2B(w)
		return err
	})
	sheet := file(t, "sheet.xlsx", func(w io.Writer) error { return figurestest.Excel(w, "Register", rows) })
	for _, c := range []struct {
		path, to string
		want     []figures.Record
		code     string
	}{
		{path: plain, to: "xlsx", want: written.Records},
		{path: sheet, to: "xlsx", want: written.Records},
		{path: sheet, to: "csv", want: written.Records},
		{path: statement, to: "xlsx", want: of2B},
		{path: sheet, to: "xls", code: "figures_old_excel"},
		{path: sheet, to: "ods", code: "figures_old_excel"},
	} {
		got, err := r.Read(context.Background(), saved(t, c.path, c.to), nil)
		var p *problem.Error
		switch {
		case c.code != "":
			if !errors.As(err, &p) || p.Code != c.code {
				t.Errorf("%s as %s: %v", filepath.Base(c.path), c.to, err)
			}
		case err != nil:
			t.Errorf("%s as %s: %v", filepath.Base(c.path), c.to, err)
		default:
			// In a text table LibreOffice drops leading zeros of numbers, which do not count when numbers are
			// compared.
			same(t, got.Records, c.want, func(r *figures.Record) { r.Row, r.Number = 0, strings.TrimLeft(r.Number, "0") })
		}
	}
}

// saved opens a file in LibreOffice and saves it in another format.
func saved(t *testing.T, path, format string) string {
	t.Helper()
	folder := t.TempDir()
	command := exec.Command("soffice", "-env:UserInstallation=file://"+folder+"/profile", "--headless", "--convert-to", format, "--outdir", folder, path)
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("LibreOffice: %v: %s", err, out)
	}
	name := filepath.Base(path)
	return filepath.Join(folder, name[:len(name)-len(filepath.Ext(name))+1]+format)
}
