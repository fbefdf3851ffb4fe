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
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

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
	total := newScore()
	for _, corpus := range corpora {
		papers, err := papersOf(corpus)
		if err != nil {
			return err
		}
		for _, p := range papers {
			pages, err := p.pages(ctx, reader, cache)
			if err != nil {
				return err
			}
			if showText {
				for i, page := range pages {
					fmt.Printf("=== %s page %d %s\n%s\n", p.name, i+1, page.Method, page.Text)
				}
				continue
			}
			if explain {
				fmt.Printf("=== %s\n%s", p.name, gst.Explain(tables, gstPages(pages)))
				continue
			}
			facts, err := factsOf(tables, pages)
			if err != nil {
				return err
			}
			if showFacts {
				out, err := json.MarshalIndent(facts, "", "  ")
				if err != nil {
					return fmt.Errorf("print the facts of %s: %w", p.name, err)
				}
				fmt.Printf("=== %s\n%s\n", p.name, out)
				continue
			}
			total.add(p, facts)
		}
	}
	if !showFacts && !showText && !explain {
		fmt.Print(total.report(field))
	}
	return nil
}

// paper is one labelled notice.
type paper struct {
	name, pdf string
	truth     map[string]any
	note      map[string]any // what may be counted as right besides
}

// papersOf returns the papers of a corpus, "DIR" or "DIR:A01-A16,B02".
func papersOf(corpus string) ([]paper, error) {
	dir, only, _ := strings.Cut(corpus, ":")
	notes := map[string]map[string]any{}
	var list []map[string]any
	err := readJSON(filepath.Join(dir, "NOTES.json"), &list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, n := range list {
		file, _ := n["file"].(string)
		name, _, _ := strings.Cut(file, ".")
		notes[name] = n
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
	if err != nil {
		return nil, fmt.Errorf("list the notices of %s: %w", dir, err)
	}
	var papers []paper
	for _, pdf := range files {
		p := paper{name: strings.TrimSuffix(filepath.Base(pdf), ".pdf"), pdf: pdf}
		if !isNamed(p.name, only) {
			continue
		}
		if err := readJSON(strings.TrimSuffix(pdf, "pdf")+"json", &p.truth); err != nil {
			return nil, err
		}
		p.note = notes[p.name]
		papers = append(papers, p)
	}
	return papers, nil
}

func isNamed(name, only string) bool {
	if only == "" {
		return true
	}
	for _, prefix := range strings.Split(only, ",") {
		first, last, isRange := strings.Cut(prefix, "-")
		if isRange && name >= first && name[:min(len(name), len(last))] <= last || !isRange && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func readJSON(file string, into any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read labels: %w", err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read labels of %s: %w", file, err)
	}
	return nil
}

// pages returns the pages of the paper, from the cache where they were read before.
func (p paper) pages(ctx context.Context, reader *document.Reader, cache string) ([]document.Page, error) {
	raw, err := os.ReadFile(p.pdf)
	if err != nil {
		return nil, fmt.Errorf("read a notice: %w", err)
	}
	kept := filepath.Join(cache, fmt.Sprintf("%x.json", sha256.Sum256(raw)))
	var pages []document.Page
	if readJSON(kept, &pages) == nil {
		return pages, nil
	}
	fmt.Fprintln(os.Stderr, "reading", p.pdf)
	if _, err := reader.Read(ctx, p.pdf, nil, func(page document.Page) error {
		pages = append(pages, page)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read %s: %w", p.pdf, err)
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
		return nil, fmt.Errorf("keep the pages of %s: %w", p.pdf, err)
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
