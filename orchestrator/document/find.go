package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Find finds the quote in a page's text, and gives the boxes of its words, one
// for each run of words on a line; share says how much of the quote the text has,
// 0..1, wherever its words stand.
//
// How either is broken into lines and words makes no difference. If the words
// are not there to the letter, only letters and digits count, in upper or lower
// case; and if they are still not there, those that recognition takes for each
// other count as the same, since a quote may have been corrected. A quote with an
// ellipsis is found by its parts, and one that is not there as a whole by what
// is there of it, if that is most of it: the rows of a table may have been read
// in another order, or an answer may not quote to the letter.
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
	// mostOf a quote must be there.
	mostOf = 0.5
	// leastPiece, in bytes of letters, is not there by chance.
	leastPiece = 10
)

// pieces finds the longest beginning of the quote, then that of what is left of it, and so on.
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

// locate finds each part of the quote after the one before.
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

// key is what counts of a text when it is looked for.
type key struct {
	letters string
	places  []int // for each byte of letters, where in the text its rune begins
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

// literal leaves out spaces and hyphens alone.
func literal(r rune) rune {
	if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) {
		return -1
	}
	return r
}

// spelling leaves out all but letters and digits.
func spelling(r rune) rune {
	if !isWordPart(r) {
		return -1
	}
	return unicode.ToUpper(r)
}

func isWordPart(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// span returns what n bytes of letters, from a place on, are in the text.
func (k key) span(at, n int, text string) span {
	last := at + n - 1
	for !utf8.RuneStart(k.letters[last]) {
		last--
	}
	_, size := utf8.DecodeRuneInString(text[k.places[last]:])
	return span{k.places[at], k.places[last] + size}
}

// find returns where the letters are from a place on: where they are whole words, else the first place; -1 if they are
// nowhere.
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

// begins reports whether a word, or a number with its commas, begins at a place of the letters.
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

// mistaken is spelling with letters and digits that recognition takes for each other made the same.
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
	// markGap, in heights of the word, is more than words of one line are apart.
	markGap = 1.5
	// markShare is how much of the lower of two words stands beside the other if they are on one line.
	markShare = 0.5
)

// boxesOf returns the boxes of the words that have part in the spans, those side by side as one.
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
