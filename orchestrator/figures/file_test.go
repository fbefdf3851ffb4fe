package figures_test

import (
	"testing"

	"munshi/orchestrator/figures"
)

// A file is of the months of its documents, returns and movements; an annual return is of its year.
func TestMonthsOfAFile(t *testing.T) {
	for name, c := range map[string]struct {
		file        figures.File
		first, last string
	}{
		"documents":     {figures.File{Records: []figures.Record{{Period: "2023-06"}, {Period: ""}, {Period: "2023-04"}}}, "2023-04", "2023-06"},
		"a return":      {figures.File{Returns: []figures.Return{{Form: "GSTR-3B", Period: "2023-06"}}}, "2023-06", "2023-06"},
		"annual return": {figures.File{Returns: []figures.Return{{Form: "GSTR-9", Period: "2024-03"}}}, "2023-04", "2024-03"},
		"a ledger":      {figures.File{Ledgers: []figures.Ledger{{Movements: []figures.Movement{{Date: "2023-05-20"}, {Date: "2023-09-20"}}}}}, "2023-05", "2023-09"},
		"nothing dated": {figures.File{Records: []figures.Record{{}}}, "", ""},
	} {
		if first, last := c.file.Months(); first != c.first || last != c.last {
			t.Errorf("%s: it is of %q to %q", name, first, last)
		}
	}
}
