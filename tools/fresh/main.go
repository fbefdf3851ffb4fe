// Command fresh reports whether committed generated code still matches its sources, without running the generator. It
// is for generators that take minutes to build. It compares a hash of inputs and outputs, so that manual edits of
// either are found too. Run it in the checkout's root.
//
//	fresh               says which code is stale and how to generate it again
//	fresh record NAME   records the hash, right after NAME was generated
package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// sums is the committed file with a line "name hash" for each kind of generated code.
const sums = "tools/fresh/generated.sum"

type generated struct {
	name, command string
	paths         []string // files, or folders with everything in them: inputs, then outputs
}

var all = []generated{
	{"sqlc", "make generate-sqlc", []string{
		"orchestrator/store/sqlc.yaml",
		"orchestrator/store/migrations",
		"orchestrator/store/queries",
		"tools/sqlc/go.mod",
		"orchestrator/store/db",
	}},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fresh:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	tree := os.DirFS(".")
	text, err := os.ReadFile(sums)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	recorded := parse(string(text))
	switch {
	case len(args) == 0:
		return check(tree, all, recorded)
	case len(args) == 2 && args[0] == "record":
		if err := record(tree, all, args[1], recorded); err != nil {
			return err
		}
		return os.WriteFile(sums, []byte(format(recorded)), 0o644)
	default:
		return errors.New("usage: fresh [record NAME]")
	}
}

// check returns an error that names all generated code whose hash differs from the recorded one.
func check(tree fs.FS, all []generated, recorded map[string]string) error {
	var stale []error
	for _, g := range all {
		sum, err := hash(tree, g.paths)
		if err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		if sum != recorded[g.name] {
			stale = append(stale, fmt.Errorf("the code of %s does not belong to its inputs: run `%s` and commit what "+
				"it writes", g.name, g.command))
		}
	}
	return errors.Join(stale...)
}

func record(tree fs.FS, all []generated, name string, recorded map[string]string) error {
	for _, g := range all {
		if g.name == name {
			sum, err := hash(tree, g.paths)
			recorded[name] = sum
			return err
		}
	}
	return fmt.Errorf("nothing is generated under the name %q", name)
}

// hash covers the names and contents of all files at or below the paths.
func hash(tree fs.FS, paths []string) (string, error) {
	sum := sha256.New()
	for _, path := range paths {
		err := fs.WalkDir(tree, path, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := fs.ReadFile(tree, file)
			fmt.Fprintf(sum, "%s %x\n", file, sha256.Sum256(text))
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

func parse(text string) map[string]string {
	recorded := map[string]string{}
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) == 2 {
			recorded[fields[0]] = fields[1]
		}
	}
	return recorded
}

func format(recorded map[string]string) string {
	var lines []string
	for name, sum := range recorded {
		lines = append(lines, name+" "+sum+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
