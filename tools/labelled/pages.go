// Package labelled reads the pages of labelled papers, for tools that learn and score.
package labelled

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"munshi/evals/reading"
	"munshi/orchestrator/document"
	"munshi/orchestrator/gst"
)

// Pages reads the pages of labelled papers. It caches the pages of PDFs in a folder.
type Pages struct {
	reader *document.Reader
	cache  string
}

// NewPages returns Pages with a cache folder.
func NewPages(cache string) (*Pages, error) {
	reader, err := document.New(document.Options{})
	if err != nil {
		return nil, fmt.Errorf("make a reader of PDFs: %w", err)
	}
	return &Pages{reader, cache}, nil
}

// Of returns the pages of a paper.
func (p *Pages) Of(ctx context.Context, l reading.Labelled) ([]gst.Page, error) {
	if l.Text != "" {
		raw, err := os.ReadFile(l.Text)
		if err != nil {
			return nil, fmt.Errorf("read the text of a notice: %w", err)
		}
		var pages []gst.Page
		for text := range strings.SplitSeq(string(raw), "\f") {
			pages = append(pages, gst.Page{Text: text})
		}
		return pages, nil
	}
	raw, err := os.ReadFile(l.PDF)
	if err != nil {
		return nil, fmt.Errorf("read a notice: %w", err)
	}
	kept := filepath.Join(p.cache, fmt.Sprintf("%x.json", sha256.Sum256(raw)))
	var read []document.Page
	if was, err := os.ReadFile(kept); err != nil || json.Unmarshal(was, &read) != nil {
		if read, err = p.read(ctx, l.PDF, kept); err != nil {
			return nil, err
		}
	}
	pages := make([]gst.Page, len(read))
	for i, page := range read {
		pages[i] = gst.Page{Text: page.Text, Recognised: page.Method == document.MethodRecognition}
	}
	return pages, nil
}

func (p *Pages) read(ctx context.Context, pdf, kept string) ([]document.Page, error) {
	fmt.Fprintln(os.Stderr, "reading", pdf)
	var pages []document.Page
	if _, err := p.reader.Read(ctx, pdf, nil, func(page document.Page) error {
		pages = append(pages, page)
		return nil
	}); err != nil {
		return nil, fmt.Errorf("read %s: %w", pdf, err)
	}
	slices.SortFunc(pages, func(a, b document.Page) int { return a.Number - b.Number })
	out, err := json.Marshal(pages)
	if err == nil {
		err = os.MkdirAll(p.cache, 0o755)
	}
	if err == nil {
		err = os.WriteFile(kept, out, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("keep the pages of %s: %w", pdf, err)
	}
	return pages, nil
}
