// Command weighfacts learns how much what is observed of a candidate speaks for it, from labelled papers and from
// phrases.
//
//	go run ./tools/weighfacts [-folds 8] DIR[:PREFIX,…] …
//
// It writes orchestrator/gst/learned.json. With -folds it writes nothing: it learns from all templates but some, reads
// those, and prints how well it reads papers of which it has seen no other of their template.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"munshi/evals/reading"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		os.Exit(document.Child())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folds := flag.Int("folds", 0, "leave out each of so many parts of the templates in turn, and score it")
	field := flag.String("field", "", "show the misses of this field alone")
	phrases := flag.String("phrases", "tools/weighfacts", "the folder of the phrases")
	out := flag.String("out", "orchestrator/gst/learned.json", "the file to write")
	flag.Parse()
	if err := run(ctx, flag.Args(), *folds, *field, *phrases, *out); err != nil {
		fmt.Fprintln(os.Stderr, "weighfacts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, corpora []string, folds int, field, phrases, out string) error {
	if len(corpora) == 0 {
		return errors.New("name at least one folder of labelled notices")
	}
	tables := law.Built()
	papers, err := readPapers(ctx, corpora)
	if err != nil {
		return err
	}
	said, err := readPhrases(phrases, tables)
	if err != nil {
		return err
	}
	own, err := readOwn("orchestrator/gst/testdata/notices")
	if err != nil {
		return err
	}
	papers = append(papers, own...)
	for i := range papers {
		papers[i].noted = observe(tables, papers[i])
	}
	heads, err := readHeads(phrases, tables)
	if err != nil {
		return err
	}
	if folds == 0 {
		return write(learn(said, append(papers, heads...)), out)
	}
	total := reading.NewTally()
	groups := templates(papers)
	for f := range folds {
		rest, held := slices.Clone(heads), []paper{}
		for _, p := range papers {
			if slices.Index(groups, p.template())%folds == f {
				held = append(held, p)
			} else {
				rest = append(rest, p)
			}
		}
		learned := learn(said, rest)
		for _, p := range held {
			if p.corpus == "own" {
				continue // its labels tell only some fields
			}
			facts, err := shown(gst.ReadBy(learned, tables, p.pages))
			if err != nil {
				return err
			}
			total.Add(p.Labelled, facts)
		}
	}
	fmt.Print(total.Report(field))
	return nil
}

// templates returns the templates that the papers were made from, in order; papers of one template are never on both
// sides.
func templates(papers []paper) []string {
	var all []string
	for _, p := range papers {
		if t := p.template(); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// shown returns facts as they are shown to the world.
func shown(facts gst.Facts) (map[string]any, error) {
	raw, err := json.Marshal(facts)
	if err != nil {
		return nil, fmt.Errorf("encode the facts: %w", err)
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("decode the facts: %w", err)
	}
	return m, nil
}

func write(l gst.Learned, file string) error {
	raw, err := encode(l)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		return fmt.Errorf("write the weights: %w", err)
	}
	return nil
}
