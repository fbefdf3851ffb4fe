package gst

import (
	"strings"
	"unicode/utf8"
)

// Quotation is a part of a text that is presented as words of another text. Start and End are byte offsets and include
// the quotation marks.
type Quotation struct {
	Start, End int
	Words      string // without the quotation marks
	Block      bool   // lines set apart with ">", which are not always quotations
}

// fewestQuoted is the number of words from which quoted words are a quotation; fewer are a term.
const fewestQuoted = 4

// Quotations returns the words in quotation marks within a paragraph, and blocks of lines beginning with ">" that
// contain no such marks. A quotation within another is part of the outer one.
func Quotations(text string) []Quotation {
	var all []Quotation
	add := func(start, end int, words string, block bool) {
		if len(strings.Fields(words)) >= fewestQuoted {
			all = append(all, Quotation{start, end, words, block})
		}
	}
	block, first := -1, 0 // where a block begins, and the number of quotations before it
	end := func(at int) {
		if block >= 0 && len(all) == first {
			lines := strings.Split(text[block:at], "\n")
			for i, line := range lines {
				lines[i] = strings.TrimLeft(line, "> \t")
			}
			add(block, block+len(strings.TrimRight(text[block:at], " \t\n")),
				strings.TrimSpace(strings.Join(lines, "\n")), true)
		}
		block = -1
	}
	open, depth := -1, 0 // of curly marks
	at := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, ">") {
			if block < 0 {
				block, first = at, len(all)
			}
		} else {
			end(at)
		}
		if strings.Trim(trimmed, "> ") == "" { // a new paragraph
			open, depth = -1, 0
		}
		straight := -1 // a mark that is not closed
		for i, r := range line {
			switch {
			case r == '“':
				if depth == 0 {
					open = at + i
				}
				depth++
			case r == '”' && depth > 0:
				if depth--; depth == 0 {
					add(open, at+i+utf8.RuneLen(r), text[open+len("“"):at+i], false)
				}
			case r == '"' && depth == 0 && straight >= 0:
				add(straight, at+i+1, text[straight+1:at+i], false)
				straight = -1
			case r == '"' && depth == 0:
				straight = at + i
			}
		}
		at += len(line)
	}
	end(len(text))
	return all
}

// Folded are the pages of a paper without spaces and punctuation, each followed by the next page, since words may
// continue there.
type Folded []string

// Fold prepares pages for repeated searches.
func Fold(pages []Page) Folded {
	folded := make(Folded, len(pages))
	for i, page := range pages {
		text := bare(page.Text)
		if i > 0 {
			folded[i-1] += text
		}
		folded[i] = text
	}
	return folded
}

// PageOf returns the first page that has the words, ignoring spaces and punctuation, or 0 if none has. "…" stands for
// omitted words: the pieces around it must follow each other on the page and each have as many words as a quotation,
// since single words occur anywhere.
func (f Folded) PageOf(words string) int {
	var pieces []string
	for piece := range strings.FieldsFuncSeq(strings.ReplaceAll(words, "...", "…"), func(r rune) bool {
		return r == '…'
	}) {
		if strings.TrimSpace(piece) != "" {
			pieces = append(pieces, piece)
		}
	}
	for _, piece := range pieces {
		if len(pieces) > 1 && len(strings.Fields(piece)) < fewestQuoted {
			return 0
		}
	}
	for i, piece := range pieces {
		pieces[i] = bare(piece)
	}
	for i, text := range f {
		has := true
		for _, piece := range pieces {
			_, behind, found := strings.Cut(text, piece)
			text, has = behind, has && found
		}
		if has {
			return i + 1
		}
	}
	return 0
}
