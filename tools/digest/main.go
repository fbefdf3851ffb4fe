// Command digest packs the law digest for the program: it reads orchestrator/law/digest/*/*.yaml and, if there are no
// mistakes, writes orchestrator/law/digest.json.gz.
package main

import (
	"fmt"
	"os"

	"munshi/orchestrator/law"
)

func main() {
	if err := pack(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pack() error {
	entries, err := law.ReadDigest(os.DirFS("orchestrator/law/digest"))
	if err != nil {
		return err
	}
	packed, err := law.Pack(entries)
	if err != nil {
		return err
	}
	if err := os.WriteFile("orchestrator/law/digest.json.gz", packed, 0o644); err != nil {
		return fmt.Errorf("write the packed digest: %w", err)
	}
	fmt.Printf("%d entries packed.\n", len(entries))
	return nil
}
