// Command munshi is an AI legal assistant for Indian GST: the whole product on one machine (run), its parts alone
// (serve, worker, migrate), the reading of notices from the command line (extract, facts, analyse), and what those need
// who change prompts (prompts).
package main

import (
	"os"

	"munshi/orchestrator/cmd"
)

// version is set when a release is built.
var version = "dev"

func main() { os.Exit(cmd.Main(version)) }
