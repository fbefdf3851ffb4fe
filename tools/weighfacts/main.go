// Command weighfacts learns, from labelled papers and from phrases, how strongly each observation about a candidate
// speaks for it.
//
//	go run ./tools/weighfacts [-folds 8 | -apart] DIR[:PREFIX,…] …
//
// It writes orchestrator/gst/learned.json and words.txt. With -folds it writes nothing: it repeatedly learns from all
// templates except some, reads those, and prints how well it reads papers whose template it has not seen. With -apart
// it leaves out one corpus at a time, and prints how well its papers are read with what was learned from the others.
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
	"strings"

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
	apart := flag.Bool("apart", false, "leave out each corpus in turn, and score it")
	field := flag.String("field", "", "show the misses of this field alone")
	phrases := flag.String("phrases", "tools/weighfacts", "the folder of the phrases")
	out := flag.String("out", "orchestrator/gst/learned.json", "the file to write")
	words := flag.String("words", "orchestrator/gst/words.txt", "the file to write with the words that papers share")
	flag.Parse()
	if err := run(ctx, flag.Args(), *folds, *apart, *field, *phrases, *out, *words); err != nil {
		fmt.Fprintln(os.Stderr, "weighfacts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, corpora []string, folds int, apart bool, field, phrases, out, words string) error {
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
	switch {
	case apart:
		for _, corpus := range corpora {
			total := reading.NewTally()
			if err := leaveOut(tables, said, heads, papers, func(p paper) bool {
				return p.corpus == corpus
			}, total); err != nil {
				return err
			}
			fmt.Printf("== %s, learned from the others\n%s", corpus, total.Report(field))
		}
	case folds > 0:
		total := reading.NewTally()
		groups := templates(papers)
		for f := range folds {
			held := func(p paper) bool { return slices.Index(groups, p.template())%folds == f }
			if err := leaveOut(tables, said, heads, papers, held, total); err != nil {
				return err
			}
		}
		fmt.Print(total.Report(field))
	default:
		if err := os.WriteFile(words, []byte(strings.Join(sharedWords(papers), "\n")+"\n"), 0o644); err != nil {
			return fmt.Errorf("write the words that papers share: %w", err)
		}
		return write(learn(said, append(papers, heads...)), out)
	}
	return nil
}

// leaveOut learns from all papers except those held back, reads these, and counts how well.
func leaveOut(t *law.Tables, said []phrase, heads, papers []paper, held func(paper) bool, total *reading.Tally) error {
	rest := slices.Clone(heads)
	for _, p := range papers {
		if !held(p) {
			rest = append(rest, p)
		}
	}
	learned := learn(said, rest)
	for _, p := range papers {
		if !held(p) || p.corpus == "own" {
			continue // the labels of our own papers give only some fields
		}
		facts, err := shown(gst.ReadBy(learned, t, p.pages))
		if err != nil {
			return err
		}
		total.Add(p.Labelled, facts)
	}
	return nil
}

// templates returns the templates of the papers, sorted. Papers of the same template are never both learned from and
// held back.
func templates(papers []paper) []string {
	var all []string
	for _, p := range papers {
		if t := p.template(); !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// shown returns facts in the format in which they are shown.
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
