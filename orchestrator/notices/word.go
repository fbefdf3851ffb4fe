package notices

import (
	"context"
	"errors"
	"io"
	"strings"

	"munshi/orchestrator/api"
	"munshi/orchestrator/document/word"
	"munshi/orchestrator/problem"
)

// Words writes Word files for the API.
type Words struct{}

var _ api.Words = Words{}

func (Words) FileName(title string) string { return word.FileName(title) }

// WriteWord writes a text as a Word file. If the text begins with a first-level heading, that is the title of the
// document, since the heading of a reply is better than the file's name.
func (Words) WriteWord(ctx context.Context, out io.Writer, f api.WordFile) error {
	d := word.Document{Title: f.Title, Text: f.Text, CauseTitle: f.CauseTitle, Draft: f.Draft}
	if strings.HasPrefix(f.Text, "# ") {
		d.Title = ""
	}
	for _, m := range f.Marks {
		d.Marks = append(d.Marks, word.Mark{Start: m.Start, End: m.End, Note: m.Note})
	}
	return WriteWordFile(ctx, out, d)
}

// WriteWordFile writes a document as a Word file. If the text is too long, the error can be shown to people.
func WriteWordFile(ctx context.Context, out io.Writer, d word.Document) error {
	err := word.Write(ctx, out, d)
	if errors.Is(err, word.ErrTooLong) {
		return problem.New("too_large.word", nil, err)
	}
	return err
}
