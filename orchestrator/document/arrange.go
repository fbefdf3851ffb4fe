package document

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// sameRow is the share of the lower run's height by which two runs of text must overlap vertically to be on one
	// row.
	sameRow = 0.5
	// Runs closer than touchGap, in font sizes, form one word (a raised letter, a change of font). Runs further apart
	// than cellGap are separate cells.
	touchGap, cellGap = 0.1, 0.5
	// paragraphGap, in line heights, is the white space from which an empty line is kept.
	paragraphGap = 0.6
	// widestLine limits the columns of a line, so that a page of one-point letters does not become mostly spaces.
	widestLine = 250
)

// arrange returns the text of a page, laid out as on the page: rows from top to bottom, and the runs of a row side by
// side with spaces between their columns. Text that runs in another direction (a stamp up the margin, a page scanned
// sideways) follows after it. The words are returned with their positions.
func arrange(lines []line) (string, []Word) {
	byDirection := map[int][]line{}
	var directions []int
	for _, l := range lines {
		text := clean(l.text)
		if text == "" {
			continue
		}
		if text != l.text {
			l.words = cleanWords(l, text)
			l.text = text
		}
		d := int(math.Round(math.Atan2(l.dy, l.dx) * 180 / math.Pi / 10))
		if byDirection[d] == nil {
			directions = append(directions, d)
		}
		byDirection[d] = append(byDirection[d], upright(l))
	}
	slices.SortStableFunc(directions, func(a, b int) int {
		return cmp.Compare(len(byDirection[b]), len(byDirection[a]))
	})
	var out sheet
	for _, d := range directions {
		out.arrangeUpright(byDirection[d])
	}
	return out.text.String(), out.words
}

// sheet collects the text of a page and the positions of its words.
type sheet struct {
	text  strings.Builder
	words []Word
}

// part starts a new part of the page, separated from the one before by an empty line.
func (s *sheet) part() {
	if s.text.Len() > 0 {
		s.text.WriteString("\n\n")
	}
}

// put appends a line's text.
func (s *sheet) put(l line) {
	at := s.text.Len()
	s.text.WriteString(l.text)
	for _, w := range l.words {
		w.Start += at
		w.End += at
		s.words = append(s.words, w)
	}
}

// upright rotates a line's coordinates so that its baseline runs to the right.
func upright(l line) line {
	if l.dx > 0.999 {
		return l
	}
	x0, y0, x1, y1 := l.x0, l.y0, l.x1, l.y1
	l.x0, l.y0, l.x1, l.y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, corner := range [][2]float64{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		x := corner[0]*l.dx + corner[1]*l.dy
		y := corner[1]*l.dx - corner[0]*l.dy
		l.x0, l.x1 = min(l.x0, x), max(l.x1, x)
		l.y0, l.y1 = min(l.y0, y), max(l.y1, y)
	}
	return l
}

// arrangeUpright writes columns of prose one after the other, and everything else row by row.
func (s *sheet) arrangeUpright(lines []line) {
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.y0+a.y1, b.y0+b.y1) })
	next := 0 // of lines
	for _, r := range columnRegions(lines) {
		start := next
		for next < len(lines) && lines[next].middle() < r.y0 {
			next++
		}
		above := lines[start:next]
		start = next
		for next < len(lines) && lines[next].middle() <= r.y1 {
			next++
		}
		s.arrangeRows(above)
		for _, column := range r.divide(lines[start:next]) {
			s.arrangeRows(column)
		}
	}
	s.arrangeRows(lines[next:])
}

func (l line) middle() float64 { return (l.y0 + l.y1) / 2 }

// region is a part of a page with columns of prose side by side.
type region struct {
	y0, y1  float64
	columns [][2]float64 // each from x to x
}

const (
	// A block is prose, not cells of a table, if it has at least proseLines lines of proseChars characters on average
	proseLines, proseChars = 4, 25
	// The lines of prose are below each other, not side by side: their heights add up to at most proseStack times the
	// block's.
	proseStack = 1.5
)

func columnRegions(lines []line) []region {
	type block struct {
		box          line
		lines, chars int
		height       float64 // the heights of its lines added up
	}
	var order []*block
	blocks := map[int]*block{}
	for _, l := range lines {
		b := blocks[l.block]
		if b == nil {
			b = &block{box: l}
			blocks[l.block] = b
			order = append(order, b)
		}
		b.box.x0, b.box.x1 = min(b.box.x0, l.x0), max(b.box.x1, l.x1)
		b.box.y0, b.box.y1 = min(b.box.y0, l.y0), max(b.box.y1, l.y1)
		b.lines++
		b.chars += utf8.RuneCountInString(l.text)
		b.height += l.y1 - l.y0
	}
	var regions []region
	slices.SortStableFunc(order, func(a, b *block) int { return cmp.Compare(a.box.y0, b.box.y0) })
	for _, b := range order {
		if b.lines < proseLines || b.chars < proseChars*b.lines || b.height > proseStack*(b.box.y1-b.box.y0) {
			continue
		}
		if last := len(regions) - 1; last >= 0 && b.box.middle() < regions[last].y1 {
			regions[last].y1 = max(regions[last].y1, b.box.y1)
			regions[last].add(b.box)
		} else {
			regions = append(regions, region{b.box.y0, b.box.y1, [][2]float64{{b.box.x0, b.box.x1}}})
		}
	}
	return slices.DeleteFunc(regions, func(r region) bool { return len(r.columns) < 2 })
}

// add widens the column that the box overlaps, or adds a new column.
func (r *region) add(box line) {
	column := [2]float64{box.x0, box.x1}
	r.columns = slices.DeleteFunc(r.columns, func(c [2]float64) bool {
		meet := c[0] < column[1] && column[0] < c[1]
		if meet {
			column = [2]float64{min(c[0], column[0]), max(c[1], column[1])}
		}
		return meet
	})
	r.columns = append(r.columns, column)
	slices.SortFunc(r.columns, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
}

// divide returns first the lines that are in no column, then the lines of each column.
func (r *region) divide(lines []line) [][]line {
	columns := make([][]line, len(r.columns)+1)
	for _, l := range lines {
		in := 0
		for i, c := range r.columns {
			if l.x0 > c[0]-l.size && l.x1 < c[1]+l.size {
				in = i + 1
			}
		}
		columns[in] = append(columns[in], l)
	}
	return columns
}

// arrangeRows writes lines that are sorted from top to bottom.
func (s *sheet) arrangeRows(lines []line) {
	if len(lines) == 0 {
		return
	}
	s.part()
	width := charWidth(lines)
	left := lines[0].x0
	for _, l := range lines {
		left = min(left, l.x0)
	}
	var above line // the first line of the previous row
	for start := 0; start < len(lines); {
		end := start + 1
		for end < len(lines) && beside(lines[start], lines[end]) {
			end++
		}
		row := lines[start:end]
		if start > 0 {
			s.text.WriteByte('\n')
			if row[0].y0-above.y1 > paragraphGap*(row[0].y1-row[0].y0) {
				s.text.WriteByte('\n')
			}
		}
		above = row[0]
		s.writeRow(row, left, width)
		start = end
	}
}

func beside(a, b line) bool {
	overlap := min(a.y1, b.y1) - max(a.y0, b.y0)
	return overlap > sameRow*min(a.y1-a.y0, b.y1-b.y0)
}

func (s *sheet) writeRow(row []line, left, charWidth float64) {
	slices.SortStableFunc(row, func(a, b line) int { return cmp.Compare(a.x0, b.x0) })
	column := 0
	for i, l := range row {
		if i > 0 && l.text == row[i-1].text && l.x0 < (row[i-1].x0+row[i-1].x1)/2 {
			continue // painted twice, for boldness or a shadow
		}
		place := min(int((l.x0-left)/charWidth), widestLine)
		spaces := max(0, place-column)
		if i > 0 {
			switch gap := l.x0 - row[i-1].x1; {
			case math.Abs(gap) < touchGap*l.size:
				spaces = 0
			case gap < cellGap*l.size:
				spaces = 1
			default:
				spaces = max(2, spaces)
			}
		}
		for range spaces {
			s.text.WriteByte(' ')
		}
		s.put(l)
		column += spaces + utf8.RuneCountInString(l.text)
	}
}

// charWidth returns the width of one character cell: that of the page's narrower letters, so that a table in small
// print keeps its columns apart.
func charWidth(lines []line) float64 {
	widths := make([]float64, 0, len(lines))
	for _, l := range lines {
		if n := utf8.RuneCountInString(l.text); n > 3 && l.x1 > l.x0 {
			widths = append(widths, (l.x1-l.x0)/float64(n))
		}
	}
	if len(widths) == 0 {
		return 5
	}
	slices.Sort(widths)
	return max(1, widths[len(widths)/5])
}

// clean removes characters that are invisible or that PostgreSQL cannot store, and corrects two faults of text
// layers: repeated vowel signs and amounts that run together.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	var last rune
	spaces := 0
	for _, r := range s {
		if unicode.IsSpace(r) {
			spaces++
			continue
		}
		if spaces > 0 {
			out.WriteByte(' ')
			if spaces > 2 { // a justified line may have two
				out.WriteByte(' ')
			}
			spaces, last = 0, ' '
		}
		switch {
		case r == '\u00AD':
			r = '-'
		case unicode.IsControl(r), r != '\u200C' && r != '\u200D' && unicode.Is(unicode.Cf, r):
			continue
		case r == last && unicode.IsMark(r) && r >= '\u0900' && r <= '\u0DFF':
			continue // a sign is never doubled in Indic scripts: MuPDF repeats it if the PDF spells out a cluster
		case unicode.IsDigit(r) && strings.HasSuffix(out.String(), "/-"):
			out.WriteString("  ") // "12,000/-13,000/-": two cells that touch
		}
		out.WriteRune(r)
		last = r
	}
	return strings.TrimSpace(out.String())
}

// isClean reports whether clean would change nothing. It is cheap and true of most lines.
func isClean(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ' || c > '~':
			return false
		case c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' '):
			return false
		case c >= '0' && c <= '9' && i > 1 && s[i-2:i] == "/-":
			return false
		}
	}
	return true
}

// cleanWords returns the words of a line with their positions in text, the cleaned text of that line.
func cleanWords(l line, text string) []Word {
	words := make([]Word, 0, len(l.words))
	at := 0
	for _, w := range l.words {
		parts := strings.Fields(clean(l.text[w.Start:w.End]))
		chars, before := 0, 0 // of the word, and of its parts before this one
		for _, part := range parts {
			chars += utf8.RuneCountInString(part)
		}
		for _, part := range parts {
			for at < len(text) && text[at] == ' ' {
				at++
			}
			if !strings.HasPrefix(text[at:], part) {
				return words // the positions of the rest are unknown
			}
			n := utf8.RuneCountInString(part)
			box := w.Box
			if n < chars { // cells that touched: divide the box in proportion to the characters
				wide := (w.Box.X1 - w.Box.X0) / float64(chars)
				box.X0 += wide * float64(before)
				box.X1 = box.X0 + wide*float64(n)
			}
			words = append(words, Word{at, at + len(part), box, w.Confidence})
			at += len(part)
			before += n
		}
	}
	return words
}
