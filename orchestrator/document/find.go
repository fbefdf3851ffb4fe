package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Find finds a quotation in a page's text and returns the boxes of its words, one for each run of words on a line.
// share says how much of the quotation the text has, 0..1, also if the positions of its words are unknown.
//
// Line breaks and word breaks do not matter. If the quotation is not there literally, only letters and digits are
// compared, ignoring case. If that fails too, letters and digits that recognition confuses count as equal, since the
// quotation may have been corrected. The parts of a quotation with an ellipsis are found one by one. If it is not
// there as a whole, the parts of it that are there are returned, provided they are most of it: recognition may have
// read the rows of a table in another order, or a model may not have quoted exactly.
func Find(text string, words []Word, quote string) (boxes []Box, share float64) {
	for _, alike := range []func(rune) rune{literal, spelling, mistaken} {
		if spans := locate(text, quote, alike); spans != nil {
			return boxesOf(words, spans), 1
		}
	}
	spans, share := pieces(text, quote)
	if share <= mostOf {
		return nil, 0
	}
	return boxesOf(words, spans), share
}

const (
	// mostOf is the share of a quotation that must be exceeded.
	mostOf = 0.5
	// leastPiece, in bytes of letters, is the length from which a match is not a coincidence.
	leastPiece = 10
)

// pieces finds the longest beginning of the quotation that the text has, then the longest beginning of the rest, and
// so on.
func pieces(text, quote string) (spans []span, share float64) {
	whole := newKey(text, spelling)
	words := strings.Fields(quote)
	found, all := 0, len(newKey(quote, spelling).letters)
	for len(words) > 0 {
		n := 0
		var piece string
		at := -1
		for n < len(words) {
			longer := piece + newKey(words[n], spelling).letters
			next := whole.find(longer, 0, text)
			if longer != "" && next < 0 {
				break
			}
			n, piece, at = n+1, longer, next
		}
		if len(piece) >= leastPiece {
			spans = append(spans, whole.span(at, len(piece), text))
			found += len(piece)
		}
		words = words[max(n, 1):]
	}
	return spans, float64(found) / float64(max(all, 1))
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// locate finds the parts of the quotation, each after the one before. It returns nil if one is missing.
func locate(text, quote string, alike func(rune) rune) []span {
	whole := newKey(text, alike)
	var spans []span
	from := 0
	for part := range strings.SplitSeq(strings.ReplaceAll(quote, "...", "…"), "…") {
		wanted := newKey(part, alike).letters
		if wanted == "" {
			continue
		}
		at := whole.find(wanted, from, text)
		if at < 0 {
			return nil
		}
		from = at + len(wanted)
		spans = append(spans, whole.span(at, len(wanted), text))
	}
	return spans
}

// key is a text reduced to the letters that are compared.
type key struct {
	letters string
	places  []int // for each byte of letters, where its rune begins in the text
}

func newKey(text string, alike func(rune) rune) key {
	var letters strings.Builder
	letters.Grow(len(text))
	places := make([]int, 0, len(text))
	for at, r := range text {
		if r = alike(r); r < 0 {
			continue
		}
		n, _ := letters.WriteRune(r)
		for range n {
			places = append(places, at)
		}
	}
	return key{letters.String(), places}
}

// literal drops only spaces and hyphens.
func literal(r rune) rune {
	if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
		return -1
	}
	return r
}

// spelling drops everything but letters and digits, and ignores case.
func spelling(r rune) rune {
	if !isWordPart(r) {
		return -1
	}
	return unicode.ToUpper(r)
}

func isWordPart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// span returns the part of the text from which n bytes of letters come, beginning at an offset of the letters.
func (k key) span(at, n int, text string) span {
	last := at + n - 1
	for !utf8.RuneStart(k.letters[last]) {
		last--
	}
	_, size := utf8.DecodeRuneInString(text[k.places[last]:])
	return span{k.places[at], k.places[last] + size}
}

// find returns where the letters occur from a position on: the first place where they are whole words, else the first
// place, or -1.
func (k key) find(letters string, from int, text string) int {
	first := -1
	for at := from; ; {
		next := strings.Index(k.letters[at:], letters)
		if next < 0 {
			return first
		}
		at += next
		if first < 0 {
			first = at
		}
		if end := at + len(letters); k.begins(at, text) && (end == len(k.letters) || k.begins(end, text)) {
			return at
		}
		at++
	}
}

// begins reports whether a word, or a number with its commas, begins at position at of the letters.
func (k key) begins(at int, text string) bool {
	place := k.places[at]
	before, size := utf8.DecodeLastRuneInString(text[:place])
	if size == 0 || unicode.IsSpace(before) {
		return true
	}
	if isWordPart(before) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(text[place:])
	further, _ := utf8.DecodeLastRuneInString(text[:place-size])
	return !unicode.IsDigit(first) || !unicode.IsDigit(further)
}

// mistaken is spelling with one representative for letters and digits that recognition confuses.
func mistaken(r rune) rune {
	switch r = spelling(r); r {
	case 'O', 'Q', 'D':
		return '0'
	case 'I', 'L':
		return '1'
	case 'Z':
		return '2'
	case 'S':
		return '5'
	case 'G':
		return '6'
	case 'B':
		return '8'
	}
	return r
}

const (
	// markGap, in heights of the lower word, is more than the distance between words of one line.
	markGap = 1.5
	// markShare is the share of the lower word's height by which two words of one line must overlap.
	markShare = 0.5
)

// boxesOf returns the boxes of the words that overlap the spans; boxes side by side are joined.
func boxesOf(words []Word, spans []span) []Box {
	var boxes []Box
	for _, w := range words {
		if !meets(w, spans) {
			continue
		}
		if n := len(boxes); n > 0 && besides(boxes[n-1], w.Box) {
			boxes[n-1] = boxes[n-1].union(w.Box)
			continue
		}
		boxes = append(boxes, w.Box)
	}
	return boxes
}

func meets(w Word, spans []span) bool {
	for _, s := range spans {
		if w.Start < s.end && w.End > s.start {
			return true
		}
	}
	return false
}

func besides(line, next Box) bool {
	low := min(line.Y1-line.Y0, next.Y1-next.Y0)
	overlap := min(line.Y1, next.Y1) - max(line.Y0, next.Y0)
	gap := max(next.X0-line.X1, line.X0-next.X1)
	return overlap > markShare*low && gap < markGap*low
}
