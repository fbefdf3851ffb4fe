package main

import (
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
func (words) WriteWord(out io.Writer, f api.WordFile) error {
	d := word.Document{Title: f.Title, Text: f.Text}
	cut := 0
	if rest, ok := strings.CutPrefix(f.Text, "# "); ok {
		head, text, _ := strings.Cut(rest, "\n")
		d.Title, d.Text = strings.TrimSpace(head), text
		cut = len(f.Text) - len(text)
	}
	for _, m := range f.Marks {
		if m.Start >= cut {
			d.Marks = append(d.Marks, word.Mark{Start: m.Start - cut, End: m.End - cut, Note: m.Note})
		}
	}
	return word.Write(out, d)
}
