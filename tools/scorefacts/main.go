// Command scorefacts scores, as precision and recall for each field, what the program reads from labelled notices.
//
//	go run ./tools/scorefacts [-field NAME] [-facts] [-text] [-spoil N] DIR[:PREFIX,PREFIX…] …
//
// DIR has NN.pdf with its labels in NN.json, and NOTES.json with what else may count as correct. Only papers whose
// names begin with one of the prefixes are read; "A01-A16" stands for a range. The pages of a PDF are read once and
// cached under .cache, so that scoring again takes only a second.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"munshi/evals/reading"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/tools/labelled"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == document.ChildCommand {
		os.Exit(document.Child())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	field := flag.String("field", "", "show the misses of this field alone")
	showFacts := flag.Bool("facts", false, "print the facts of each paper as JSON instead of scores")
	showText := flag.Bool("text", false, "print the text of each paper instead of scores")
	spoil := flag.Int("spoil", 0, "score with one letter in so many confused, as if pages had been recognised")
	explain := flag.Bool("explain", false, "print what was weighed for each field instead of scores")
	cache := flag.String("cache", filepath.Join(".cache", "scorefacts"), "the folder of pages that were read before")
	flag.Parse()
	if err := run(ctx, flag.Args(), *cache, *field, *showFacts, *showText, *explain, *spoil); err != nil {
		fmt.Fprintln(os.Stderr, "scorefacts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, corpora []string, cache, field string, showFacts, showText, explain bool,
	spoil int) error {
	if len(corpora) == 0 {
		return errors.New("name at least one folder of labelled notices")
	}
	all, err := labelled.NewPages(cache)
	if err != nil {
		return err
	}
	tables := law.Built()
	total := reading.NewTally()
	for _, corpus := range corpora {
		papers, err := reading.Papers(corpus)
		if err != nil {
			return err
		}
		for _, p := range papers {
			pages, err := all.Of(ctx, p)
			if err != nil {
				return err
			}
			if spoil > 0 {
				spoilPages(pages, spoil)
			}
			if showText {
				for i, page := range pages {
					fmt.Printf("=== %s page %d recognised %v\n%s\n", p.Name, i+1, page.Recognised, page.Text)
				}
				continue
			}
			if explain {
				fmt.Printf("=== %s\n%s", p.Name, gst.Explain(tables, pages))
				continue
			}
			facts, err := factsOf(tables, pages)
			if err != nil {
				return err
			}
			if showFacts {
				out, err := json.MarshalIndent(facts, "", "  ")
				if err != nil {
					return fmt.Errorf("print the facts of %s: %w", p.Name, err)
				}
				fmt.Printf("=== %s\n%s\n", p.Name, out)
				continue
			}
			total.Add(p, facts)
		}
	}
	if !showFacts && !showText && !explain {
		fmt.Print(total.Report(field))
	}
	return nil
}

// lookalike maps a letter to one with which text recognition confuses it. Capitals and digits are left out, since a
// wrong name or amount cannot be corrected.
var lookalike = map[byte]byte{'a': 'o', 'b': 'h', 'c': 'e', 'e': 'c', 'h': 'b', 'i': 'l', 'l': 'i', 'n': 'u', 'o': 'a',
	'r': 't', 't': 'f', 'u': 'n', 'v': 'y', 'y': 'v'}

// spoilPages replaces one in so many small letters by a look-alike, always the same ones in a text.
func spoilPages(pages []gst.Page, one int) {
	seed := uint32(1)
	for p := range pages {
		text := []byte(pages[p].Text)
		for i, c := range text {
			seed = seed*1664525 + 1013904223
			if other := lookalike[c]; other != 0 && int(seed>>8)%one == 0 {
				text[i] = other
			}
		}
		pages[p].Text, pages[p].Recognised = string(text), true
	}
}

// factsOf returns the facts in the format in which they are shown.
func factsOf(tables *law.Tables, pages []gst.Page) (map[string]any, error) {
	raw, err := json.Marshal(gst.Read(tables, pages))
	if err != nil {
		return nil, fmt.Errorf("encode the facts: %w", err)
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		return nil, fmt.Errorf("decode the facts: %w", err)
	}
	return facts, nil
}
