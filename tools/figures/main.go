// Command figures writes the files of a fictional business, to try `munshi reconcile` with: the facts of a notice,
// returns, GSTR-2B and a purchase register.
//
//	go run ./tools/figures FOLDER [INVOICES]
package main

import (
	"fmt"
	"os"
	"strconv"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("write a folder, and how many invoices the business has")
	}
	invoices := 300
	if len(args) == 2 {
		var err error
		if invoices, err = strconv.Atoi(args[1]); err != nil {
			return fmt.Errorf("%q is no number of invoices", args[1])
		}
	}
	if err := os.MkdirAll(args[0], 0o755); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	business := figurestest.New(figurestest.Design{Seed: 1, Invoices: invoices, Portal: figures.GSTR2B,
		FirstYear: 2023})
	paths, err := figurestest.Folder(args[0], business, figurestest.Tally)
	if err != nil {
		return fmt.Errorf("write the files: %w", err)
	}
	fmt.Printf("%d files in %s, the notice is notice.json\n", len(paths), args[0])
	return nil
}
