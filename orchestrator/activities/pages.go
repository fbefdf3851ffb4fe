package activities

import (
	"context"
	"errors"

	"munshi/orchestrator/api"
	"munshi/orchestrator/document"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/turns"
	"munshi/workflows"
)

// PDFInspector checks for the API whether a PDF can be read.
type PDFInspector struct{ Reader *document.Reader }

var _ api.PDFInspector = PDFInspector{}

// Inspect implements api.PDFInspector.
func (p PDFInspector) Inspect(ctx context.Context, path string) (pages int, damaged bool, err error) {
	info, err := p.Reader.Probe(ctx, path)
	return info.Pages, info.Truncated, err
}

// PageReader reads pages for the workflows.
type PageReader struct{ Reader *document.Reader }

var _ workflows.Reader = PageReader{}

// Read implements workflows.Reader.
func (p PageReader) Read(ctx context.Context, path string, pages []int, onPage func(turns.Page) error) error {
	_, err := p.Reader.Read(ctx, path, pages, func(page document.Page) error { return onPage(pageOf(page)) })
	var refused *problem.Error
	if errors.As(err, &refused) {
		return failure(refused)
	}
	return err
}

func pageOf(p document.Page) turns.Page {
	return turns.Page{Number: p.Number, Text: p.Text, Method: string(p.Method), Confidence: p.Confidence,
		Languages: p.Languages, Width: p.Width, Height: p.Height, Words: p.Words}
}

// PlacedWords returns the words of a stored page with their positions.
func PlacedWords(text string, packed []byte) ([]api.PlacedWord, error) {
	words, err := document.Words(packed).Unpack()
	placed := make([]api.PlacedWord, 0, len(words))
	for _, w := range words {
		if w.Start >= 0 && w.Start < w.End && w.End <= len(text) {
			placed = append(placed, api.PlacedWord{Text: text[w.Start:w.End], Box: api.Box(w.Box)})
		}
	}
	return placed, err
}

// FindQuote finds a quote in a stored page.
func FindQuote(text string, packed []byte, quote string) (boxes []api.Box, share float64, err error) {
	words, err := document.Words(packed).Unpack()
	places, share := document.Find(text, words, quote)
	for _, b := range places {
		boxes = append(boxes, api.Box(b))
	}
	return boxes, share, err
}

// Pages converts pages for the workflows.
func Pages(pages []document.Page) []turns.Page {
	out := make([]turns.Page, len(pages))
	for i, p := range pages {
		out[i] = pageOf(p)
	}
	return out
}
