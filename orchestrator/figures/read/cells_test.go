package read_test

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures/read"
	"munshi/orchestrator/problem"
)

// Rows are read unchanged, from the sheet with the most rows; a file that is too long or not a table is refused with
// an explanation.
func TestCells(t *testing.T) {
	r := reader(t, read.Options{})
	book := func(w io.Writer) error {
		b := excelize.NewFile()
		defer b.Close()
		if _, err := b.NewSheet("Old"); err != nil {
			return err
		}
		for at, v := range map[string]any{"A1": "Client", "B1": "Due", "A3": "Nandi", "B3": 45413, "C3": "=1+1"} {
			if err := b.SetCellValue("Sheet1", at, v); err != nil {
				return err
			}
		}
		if err := b.SetSheetRow("Old", "A1", &[]string{"x", "y"}); err != nil {
			return err
		}
		return b.Write(w)
	}
	got, err := r.Cells(t.Context(), file(t, "register.xlsx", book), "register.xlsx", 10)
	if err != nil {
		t.Fatal(err)
	}
	if got.Sheet != "Sheet1" || !slices.Equal(got.Others, []string{"Old"}) || len(got.Rows) != 2 || got.Rows[1].Number != 3 || !slices.Equal(got.Rows[1].Cells, []string{"Nandi", "45413", "=1+1"}) {
		t.Errorf("the workbook reads %+v", got)
	}
	got, err = r.Cells(t.Context(), file(t, "register.csv", text("\ufeffClient;Due\n\n\"Nandi; Sons\";01/05/2024\n")), "register.csv", 10)
	if err != nil || len(got.Rows) != 2 || !slices.Equal(got.Rows[1].Cells, []string{"Nandi; Sons", "01/05/2024"}) {
		t.Errorf("the text reads %+v, %v", got, err)
	}
	for name, test := range map[string]struct{ content, code string }{
		"long.csv": {strings.Repeat("a,b\n", 11), "table_too_large"}, "empty.csv": {"", "table_empty"}, "blank.csv": {"\n\n,,\n", "table_empty"}, "x.pdf": {"%PDF-1.4 x", "table_type"},
		"x.zip": {"PK\x03\x04 damaged", "table_damaged"}} {
		var p *problem.Error
		if _, err := r.Cells(t.Context(), file(t, name, text(test.content)), name, 10); !errors.As(err, &p) || p.Code != test.code {
			t.Errorf("%s gives %v, want %s", name, err, test.code)
		}
	}
}
