// Command scorefacts scores what the program reads from labelled notices, field by field, as precision and recall.
//
//	go run ./tools/scorefacts [-field NAME] [-facts] [-text] DIR[:PREFIX,PREFIX…] …
//
// DIR holds NN.pdf with its truth NN.json, and NOTES.json with what may be counted as right besides. Only papers whose
// names begin with one of the prefixes are read; "A01-A16" stands for all from the one to the other. The pages of a PDF
// are read once and kept under .cache, so that scoring again takes a second.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
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
	field := flag.String("field", "", "show the misses of this field alone")
	showFacts := flag.Bool("facts", false, "print the facts of each paper as JSON instead of scores")
	showText := flag.Bool("text", false, "print the text of each paper instead of scores")
	explain := flag.Bool("explain", false, "print what was weighed for each field instead of scores")
	cache := flag.String("cache", filepath.Join(".cache", "scorefacts"), "the folder of pages that were read before")
	flag.Parse()
	if err := run(ctx, flag.Args(), *cache, *field, *showFacts, *showText, *explain); err != nil {
		fmt.Fprintln(os.Stderr, "scorefacts:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, corpora []string, cache, field string, showFacts, showText, explain bool) error {
	if len(corpora) == 0 {
		return errors.New("name at least one folder of labelled notices")
	}
	reader, err := document.New(document.Options{})
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
			pages, err := pagesOf(ctx, p, reader, cache)
			if err != nil {
				return err
			}
			if showText {
				for i, page := range pages {
					fmt.Printf("=== %s page %d %s\n%s\n", p.Name, i+1, page.Method, page.Text)
				}
				continue
			}
			if explain {
				fmt.Printf("=== %s\n%s", p.Name, gst.Explain(tables, gstPages(pages)))
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

// pagesOf returns the pages of the paper, from the cache where they were read before.
func pagesOf(ctx context.Context, p reading.Labelled, reader *document.Reader, cache string) ([]document.Page, error) {
	raw, err := os.ReadFile(p.PDF)
	if err != nil {
		return nil, fmt.Errorf("read a notice: %w", err)
	}
	kept := filepath.Join(cache, fmt.Sprintf("%x.json", sha256.Sum256(raw)))
	var pages []document.Page
	if was, err := os.ReadFile(kept); err == nil && json.Unmarshal(was, &pages) == nil {
		return pages, nil
	}
	fmt.Fprintln(os.Stderr, "reading", p.PDF)
	if _, err := reader.Read(ctx, p.PDF, nil, func(page document.Page) error {
		pages = append(pages, page)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read %s: %w", p.PDF, err)
	}
	slices.SortFunc(pages, func(a, b document.Page) int { return a.Number - b.Number })
	out, err := json.Marshal(pages)
	if err == nil {
		err = os.MkdirAll(cache, 0o755)
	}
	if err == nil {
		err = os.WriteFile(kept, out, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("keep the pages of %s: %w", p.PDF, err)
	}
	return pages, nil
}

// factsOf returns the facts as they are shown to the world.
func factsOf(tables *law.Tables, pages []document.Page) (map[string]any, error) {
	raw, err := json.Marshal(gst.Read(tables, gstPages(pages)))
	if err != nil {
		return nil, fmt.Errorf("encode the facts: %w", err)
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		return nil, fmt.Errorf("decode the facts: %w", err)
	}
	return facts, nil
}

func gstPages(pages []document.Page) []gst.Page {
	read := make([]gst.Page, len(pages))
	for i, p := range pages {
		read[i] = gst.Page{Text: p.Text, Recognised: p.Method == document.MethodRecognition}
	}
	return read
}
