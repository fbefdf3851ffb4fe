package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"munshi/orchestrator/api"
	"munshi/orchestrator/document/word"
)

// words is the API's view of the writer of Word files.
type words struct{}

var _ api.Words = words{}

func (words) FileName(title string) string { return word.FileName(title) }

// WriteWord writes a text as a Word file. A heading of the first level that it begins with is its title: that of a reply, as its
// form has it, is better than what the file is called.
func (words) WriteWord(ctx context.Context, out io.Writer, f api.WordFile) error {
	d := word.Document{Title: f.Title, Text: f.Text, CauseTitle: f.CauseTitle}
	if strings.HasPrefix(f.Text, "# ") {
		d.Title = ""
	}
	for _, m := range f.Marks {
		d.Marks = append(d.Marks, word.Mark{Start: m.Start, End: m.End, Note: m.Note})
	}
	err := word.Write(ctx, out, d)
	if errors.Is(err, word.ErrTooLong) {
		return tooLong{err}
	}
	return err
}

// tooLong is said of a text of which no Word file is made.
type tooLong struct{ error }

func (t tooLong) Unwrap() error     { return t.error }
func (tooLong) RefusalCode() string { return "too_large" }
func (tooLong) Sentence() string {
	return "This text is too long for one Word file. Divide it into two."
}
