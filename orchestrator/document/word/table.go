package word

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const mostColumns = 63 // Word treats a file with a wider table as damaged

// The size of letters in tables in half points, as in the styles, and the margins left and right of a cell's text
// together.
const (
	largeLetters, largeMargins = 22, 216
	smallLetters, smallMargins = 16, 100
)

const (
	longWord = 2800 // a longer word may be broken
	longCell = 9000 // a longer text gets more lines, not more width
)

// table writes a table as wide as the text; its header row is repeated on each page.
func (w *writer) table(n *east.Table, at place) {
	var rows []ast.Node
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() == east.KindTableHeader && row.NextSibling() != nil && w.empty(row) {
			continue // a table of names and values, without a header
		}
		rows = append(rows, row)
	}
	columns := len(n.Alignments)
	if columns > mostColumns {
		w.tooWide(rows, at)
		return
	}
	widths, small := w.widths(rows, columns, textWidth-at.left)
	style := "TableText"
	if small {
		style = "TableTextSmall"
	}
	w.page.put(`<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="` + strconv.Itoa(sum(widths)) +
		`" w:type="dxa"/>`)
	if at.left > 0 {
		w.page.put(`<w:tblInd w:w="` + strconv.Itoa(at.left) + `" w:type="dxa"/>`)
	}
	w.page.put(`<w:tblLayout w:type="fixed"/>`)
	if small {
		half := strconv.Itoa(smallMargins / 2)
		w.page.put(`<w:tblCellMar><w:left w:w="` + half + `" w:type="dxa"/><w:right w:w="` + half +
			`" w:type="dxa"/></w:tblCellMar>`)
	}
	w.page.put(`<w:tblLook w:val="0020" w:firstRow="1" w:lastRow="0" w:firstColumn="0" w:lastColumn="0" w:noHBand="1" w:noVBand="1"/></w:tblPr><w:tblGrid>`)
	for _, width := range widths {
		w.page.put(`<w:gridCol w:w="` + strconv.Itoa(width) + `"/>`)
	}
	w.page.put(`</w:tblGrid>`)
	for _, row := range rows {
		header := row.Kind() == east.KindTableHeader
		w.page.put("<w:tr>")
		if header {
			w.page.put("<w:trPr><w:cantSplit/><w:tblHeader/></w:trPr>")
		}
		i := 0
		for cell := row.FirstChild(); cell != nil && i < columns; cell = cell.NextSibling() {
			w.page.put(`<w:tc><w:tcPr><w:tcW w:w="` + strconv.Itoa(widths[i]) + `" w:type="dxa"/>`)
			if header {
				w.page.put(`<w:shd w:val="clear" w:color="auto" w:fill="EDEDED"/>`)
			}
			w.page.put(`</w:tcPr>`)
			w.paragraph(paragraph{style: style, align: alignment(n.Alignments[i])}, func() { w.cell(cell, header) })
			w.page.put(`</w:tc>`)
			i++
		}
		w.page.put("</w:tr>")
	}
	// Two adjacent tables would become one, and a table must not end a document.
	w.page.put(`</w:tbl><w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="120" w:lineRule="exact"/></w:pPr></w:p>`)
}

// cell writes the words of a cell. The last cell of a row also gets the words for which the header has no column.
func (w *writer) cell(cell ast.Node, header bool) {
	w.inCell = true
	w.inlines(cell, format{bold: header}, false)
	w.inCell = false
	w.closeMarks(cell)
	if cell.NextSibling() != nil || cell.Lines().Len() == 0 {
		return
	}
	start := cell.Lines().At(0).Stop
	end := start + max(bytes.IndexByte(w.source[start:], '\n'), 0)
	if end == start && bytes.IndexByte(w.source[start:], '\n') < 0 {
		end = len(w.source)
	}
	if rest := bytes.Trim(w.source[start:end], "| \t\r"); len(rest) > 0 {
		at := start + bytes.Index(w.source[start:end], rest)
		w.runs.write(" | ", format{bold: header})
		w.text(at, at+len(rest), format{bold: header}, false)
		w.notes(w.marks.due(end))
	}
}

func alignment(a east.Alignment) string {
	switch a {
	case east.AlignCenter:
		return "center"
	case east.AlignRight:
		return "right"
	}
	return ""
}

func (w *writer) empty(row ast.Node) bool {
	for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
		if cell.HasChildren() {
			return false
		}
	}
	return true
}

// tooWide writes the rows of a table that has too many columns for Word as lines.
func (w *writer) tooWide(rows []ast.Node, at place) {
	for _, row := range rows {
		header := row.Kind() == east.KindTableHeader
		w.paragraph(at.properties(""), func() {
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				if cell != row.FirstChild() {
					w.runs.write(" | ", format{})
				}
				w.cell(cell, header)
			}
		})
	}
}

// widths divides the page among the columns by their content: no column is narrower than its longest word while there
// is room, and the rest goes to the columns with more text. small is set if the words alone are too wide, so that
// small letters are needed.
func (w *writer) widths(rows []ast.Node, columns, room int) (widths []int, small bool) {
	longest, all := make([]int, columns), make([]int, columns)
	for _, row := range rows {
		i := 0
		for cell := row.FirstChild(); cell != nil && i < columns; cell = cell.NextSibling() {
			length := 0
			for _, word := range strings.Fields(w.words(cell)) {
				n := wide(word)
				longest[i] = max(longest[i], min(n, longWord))
				length += n + wide(" ")
			}
			all[i] = max(all[i], min(length, longCell))
			i++
		}
	}
	least, wanted := make([]int, columns), make([]int, columns)
	measure := func(size, margins int) (int, int) {
		for i := range least {
			least[i] = max(longest[i], wide("m"))*size/largeLetters + margins
			wanted[i] = max(all[i]*size/largeLetters+margins, least[i])
		}
		return sum(least), sum(wanted)
	}
	needed, asked := measure(largeLetters, largeMargins)
	if small = needed > room; small {
		needed, asked = measure(smallLetters, smallMargins)
	}
	widths = make([]int, columns)
	for i := range widths {
		switch {
		case asked <= room:
			widths[i] = wanted[i] * room / asked
		case needed <= room:
			widths[i] = least[i] + (wanted[i]-least[i])*(room-needed)/(asked-needed)
		default:
			widths[i] = least[i] * room / needed
		}
	}
	return widths, small
}

// wide estimates the width of a text, a little too large, since some of it may be bold.
func wide(text string) int {
	width := 0
	for _, r := range text {
		switch {
		case unicode.IsMark(r):
		case strings.ContainsRune(" .,;:'|!ijltfr()[]/-", r):
			width += 75
		case unicode.IsUpper(r) || strings.ContainsRune("mwMW@%&", r), r >= 0x0900 && r < 0x2000:
			width += 165
		case r >= 0x2E80:
			width += 240
		default:
			width += 118
		}
	}
	return width
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}
