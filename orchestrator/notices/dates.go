package notices

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"munshi/orchestrator/api"
	"munshi/orchestrator/gst"
)

// DatesListed returns the table rows of a text that have a date in a column for dates, in order. The column next to
// the date says what it is about; a column for pages gives the page.
func DatesListed(markdown string) []api.ListedDate {
	source := []byte(markdown)
	var list []api.ListedDate
	root := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	for block := root.FirstChild(); block != nil; block = block.NextSibling() {
		table, ok := block.(*east.Table)
		if !ok || table.FirstChild() == nil {
			continue
		}
		date, what, page := -1, -1, -1
		for i, heading := range cells(table.FirstChild(), source) {
			switch heading = strings.ToLower(heading); {
			case date < 0 && strings.HasPrefix(heading, "date"):
				date = i
			case page < 0 && strings.HasPrefix(heading, "page"):
				page = i
			case what < 0:
				what = i
			}
		}
		if date < 0 {
			continue
		}
		for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
			in := cells(row, source)
			at := func(i int) string {
				if i < 0 || i >= len(in) {
					return ""
				}
				return in[i]
			}
			for _, f := range gst.Figures(at(date)) {
				if f.Date == "" {
					continue
				}
				l := api.ListedDate{Number: len(list) + 1, Date: f.Date, What: at(what)}
				if pages := gst.PageNumbers(at(page)); len(pages) > 0 {
					l.Page = pages[0]
				}
				list = append(list, l)
			}
		}
	}
	return list
}

// cells returns the text of a row's cells without markup.
func cells(row ast.Node, source []byte) []string {
	var all []string
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		var b strings.Builder
		_ = ast.Walk(cell, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // our function returns no error
			switch t := n.(type) {
			case *ast.Text:
				if entering {
					b.Write(util.UnescapePunctuations(util.ResolveNumericReferences(util.ResolveEntityNames(t.Value(source)))))
				}
			case *ast.String:
				if entering {
					b.Write(t.Value)
				}
			}
			return ast.WalkContinue, nil
		})
		all = append(all, strings.Join(strings.Fields(b.String()), " "))
	}
	return all
}
