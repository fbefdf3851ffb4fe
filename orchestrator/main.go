// Command munshi is an AI legal assistant for Indian GST. It can run the whole product on one machine (run), run its
// parts (serve, worker, migrate), read notices on the command line (extract, facts, analyse), and help those who
// change prompts (prompts).
package main

import (
	"os"

	"munshi/orchestrator/cmd"
)

// version is set when a release is built.
var version = "dev"

func main() { os.Exit(cmd.Main(version)) }
