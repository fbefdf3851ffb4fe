package gst

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// document is the text of a notice prepared for reading: one string in which lines are joined and runs of spaces are
// one space, so that a phrase is found although a line ends within it. The line and page of every position are known.
type document struct {
	text       string
	low        string // text with ASCII letters in lower case and misread words corrected; same offsets
	mended     string // text with misread words corrected; same offsets
	lines      []line
	pageStarts []int
	recognised []bool
	sentences  []int // offsets at which sentences begin
	dates      []dated
	placed     []table.Word // words with their positions on the pages
	unread     bool         // a page has no text
	begin      int          // where the paper that is read begins
	state      string       // the State code in the first portal number
	stateRead  bool
}

// span is a part of a document's text.
type span struct{ start, end int }

// line is one printed line. Its cells are the parts separated by wide gaps, tabs or rules, as in a table or a form.
type line struct {
	span
	cells []span
	at    []span // positions of the cells on the page, in character columns
	page  int
	first bool // it follows an empty line or begins its page
	wide  bool // there is a gap of four or more spaces between its cells
}

// newDocument prepares the pages, normalising spaces, dashes, quotation marks and digits.
func newDocument(pages []Page) *document {
	d := &document{}
	var b strings.Builder
	for i, p := range pages {
		d.pageStarts = append(d.pageStarts, b.Len())
		d.recognised = append(d.recognised, p.Recognised)
		d.unread = d.unread || strings.TrimSpace(p.Text) == ""
		first, row := true, 0
		text := withoutPageNumber(normalise(p.Text), i+1)
		spaced := isDoubleSpaced(text)
		for raw := range strings.SplitSeq(text, "\n") {
			l := d.appendLine(&b, joinSpaced(raw), i+1, row)
			row++
			if p.Recognised {
				l.skipSpecks(b.String())
			}
			if l.end == l.start {
				first = true
				continue
			}
			l.page, l.first = i+1, first && !continues(b.String(), d.lines, l) &&
				!(spaced && runsOn(b.String(), d.lines, l, i+1))
			first = false
			d.lines = append(d.lines, l)
		}
	}
	d.text = b.String()
	d.low = lowerASCII(d.text)
	d.mendWords()
	d.splitSentences()
	d.dates = scanDates(d.low)
	d.scanWrapped()
	return d
}

// lineLow returns the text of a line in lower case.
func (d *document) lineLow(i int) string { return d.low[d.lines[i].start:d.lines[i].end] }

// joinSpaced joins a number printed in boxes, "2 1 Z P W C G", into one word.
func joinSpaced(raw string) string {
	if len(raw) < 2*shortestSpaced {
		return raw
	}
	return spacedNumber.ReplaceAllStringFunc(raw, func(run string) string { return strings.ReplaceAll(run, " ", "") })
}

const shortestSpaced = 15 // the length of a GSTIN or a portal number

var spacedNumber = lazyregexp.New(`\b(?:[A-Z0-9] ){14,19}[A-Z0-9]\b`)

// mendWords corrects the errors of text recognition in low and mended: a digit between two letters of a word ("rep1y",
// "n0tice"), a full stop between two words, or one wrong letter in a common word. text keeps what was recognised.
func (d *document) mendWords() {
	var b []byte
	for _, l := range d.lines {
		if !d.recognised[l.page-1] {
			continue
		}
		for _, m := range mixedWord.FindAllStringIndex(d.low[l.start:l.end], -1) {
			if b == nil {
				b = []byte(d.low)
			}
			for i := l.start + m[0]; i < l.start+m[1]; i++ {
				if j := strings.IndexByte("015", b[i]); j >= 0 {
					b[i] = "ols"[j]
				}
			}
		}
		for _, m := range plainWord.FindAllStringIndex(d.low[l.start:l.end], -1) {
			from, to := l.start+m[0], l.start+m[1]
			word := d.low[from:to]
			if b != nil {
				word = string(b[from:to])
			}
			if mended, ok := words().mend(word); ok {
				if b == nil {
					b = []byte(d.low)
				}
				copy(b[from:to], mended)
			}
		}
		if word := d.low[l.start:l.end]; containsAny(word, "@", "www", ".gov", ".com") {
			continue // web addresses
		}
		for _, m := range joinedWords.FindAllStringSubmatchIndex(d.low[l.start:l.end], -1) {
			if m[0] == 0 {
				continue // the number of an item
			}
			if b == nil {
				b = []byte(d.low)
			}
			b[l.start+m[2]] = ' '
		}
	}
	d.mended = d.text
	if b == nil {
		return
	}
	text := []byte(d.text)
	for i, c := range b {
		switch was := text[i]; {
		case c == d.low[i]:
		case isLower(c) && (isUpper(was) || i > 0 && i+1 < len(text) && isUpper(text[i-1]) && isUpper(text[i+1])):
			text[i] = c - 'a' + 'A'
		default:
			text[i] = c
		}
	}
	d.low, d.mended = string(b), string(text)
}

// joinedWords matches two words that text recognition joined by a full stop, such as "of.the".
var joinedWords = lazyregexp.New(`\b[a-z]{2,}([.])[a-z]{2,}\b`)

var plainWord = lazyregexp.New(`[a-z][a-z015]{3,}[a-z]`)

var mixedWord = lazyregexp.New(`\b[a-z]+(?:[015][a-z]+)+\b`)

// continues reports whether a line continues the sentence of the previous line, although an empty line or the end of
// a page is between them.
func continues(text string, lines []line, l line) bool {
	if len(lines) == 0 || !isLower(text[l.start]) || startsItem(text[l.start:l.end]) {
		return false
	}
	return strings.IndexByte(".:;?!", text[lines[len(lines)-1].end-1]) < 0
}

// isDoubleSpaced reports whether there is an empty line before most lines of a page, as in double-spaced typing and
// some scans. Empty lines then have no meaning.
func isDoubleSpaced(text string) bool {
	lines, spaced, empty := 0, 0, false
	for raw := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(raw) == "" {
			empty = true
			continue
		}
		lines++
		if empty {
			spaced++
		}
		empty = false
	}
	return lines > 8 && spaced*10 > lines*7
}

// runsOn reports whether a line of a double-spaced page continues the previous line, which is long and not ended by a
// full stop.
func runsOn(text string, lines []line, l line, page int) bool {
	const long = 58
	if len(lines) == 0 || startsItem(text[l.start:l.end]) || len(l.cells) > 2 {
		return false
	}
	above := lines[len(lines)-1]
	return above.page == page && above.end-above.start > long && strings.IndexByte(".:;?!)]", text[above.end-1]) < 0
}

// appendLine writes the words of a line, with one space between them and one after.
func (d *document) appendLine(b *strings.Builder, raw string, page, row int) line {
	l := line{span: span{start: b.Len()}}
	cell := -1
	column, from, to := 0, 0, 0 // of the next word, and of the cell
	closeCell := func() {
		if cell >= 0 {
			l.cells = append(l.cells, span{cell, b.Len()})
			l.at = append(l.at, span{from, to})
			cell = -1
		}
	}
	gap, rule := 0, false
	place := func(text string, start int) {
		width := utf8.RuneCountInString(text)
		d.placed = append(d.placed, table.Word{Text: text, Start: start, End: start + len(text), Page: page,
			X0: float64(column), X1: float64(column + width), Y0: float64(2 * row), Y1: float64(2*row + 1)})
		column += width
	}
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ':
			gap++
			column++
			i++
			continue
		case '\t':
			gap += 4
			column += 4
			i++
			continue
		case '|': // a rule of a table, drawn or recognised
			rule = true
			place("|", b.Len())
			i++
			continue
		}
		end := i
		for end < len(raw) && raw[end] != ' ' && raw[end] != '\t' && raw[end] != '|' {
			end++
		}
		if b.Len() > l.start {
			if gap >= 3 || rule {
				closeCell()
				l.wide = l.wide || gap >= 4 && !isEnumerator(b.String()[l.start:])
			}
			b.WriteByte(' ')
		}
		if cell < 0 {
			cell, from = b.Len(), column
		}
		place(raw[i:end], b.Len())
		b.WriteString(raw[i:end])
		to = column
		i, gap, rule = end, 0, false
	}
	closeCell()
	l.end = b.Len()
	if l.end > l.start {
		b.WriteByte(' ')
	}
	return l
}

// skipSpecks moves the beginning of each cell after marks that text recognition sees at its edge, for example for a
// ruled line: "_Place", "'Noticee".
func (l *line) skipSpecks(text string) {
	for i, cell := range l.cells {
		at := cell.start
		for at < cell.end && strings.IndexByte("_'\"~`.,<>^ ", text[at]) >= 0 {
			at++
		}
		if at == cell.start || at+2 >= cell.end || !isLetter(text[at]) && text[at] != '(' {
			continue
		}
		l.cells[i].start = at
		if i == 0 {
			l.start = at
		}
	}
}

// isEnumerator reports whether s is only a paragraph number, such as "4." or "(ii)".
func isEnumerator(s string) bool {
	return len(s) <= 6 && strings.IndexByte(s, ' ') < 0 && strings.ContainsAny(s, ".)")
}

// normalise maps characters that look the same to one character and drops invisible ones. It keeps line ends.
func normalise(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := ' '
	for _, r := range s {
		before := last
		last = r
		switch {
		case r == '\u0966' && isDevanagariLetter(before): // the sign of an abbreviation, "डि०कमि०"
			b.WriteRune(r)
		case r == '\n' || r == '\f' || r == '\v' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteByte('\t')
		case r == utf8.RuneError || r < ' ' || r == 0x7f || r == '\u00ad' || unicode.Is(unicode.Cf, r):
			// Control, zero-width and direction characters, soft hyphens.
		case r < 0x7f:
			b.WriteRune(r)
		case unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case r >= '\u0966' && r <= '\u096f': // Devanagari digits
			b.WriteRune('0' + r - '\u0966')
		case r >= '\uff01' && r <= '\uff5e': // full-width forms
			b.WriteRune(r - '\uff01' + '!')
		default:
			if plain, ok := lookalikes[r]; ok {
				b.WriteString(plain)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// isDevanagariLetter reports whether a rune is a Devanagari letter or a sign above or below one.
func isDevanagariLetter(r rune) bool {
	return r >= '\u0900' && r <= '\u0963' || r >= '\u0971' && r <= '\u097f'
}

var lookalikes = map[rune]string{
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-",
	'‘': "'", '’': "'", '‚': "'", '“': `"`, '”': `"`, '„': `"`, '′': "'", '″': `"`,
	'ﬁ': "fi", 'ﬂ': "fl", 'ﬀ': "ff", 'ﬃ': "ffi", 'ﬄ': "ffl", '│': "|", '¦': "|",
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// withoutPageNumber removes the page's own number from its first and last lines.
func withoutPageNumber(text string, page int) string {
	text = strings.TrimSpace(text)
	if head, rest, ok := strings.Cut(text, "\n"); ok && isPageNumber(head, page) {
		text = rest
	}
	if i := strings.LastIndexByte(text, '\n'); i >= 0 && isPageNumber(text[i+1:], page) {
		text = text[:i]
	}
	return text
}

// isPageNumber reports whether a line is the page's own number at its head or foot, such as "Page 2 of 3" or "- 2 -".
// Such a line would separate the halves of a sentence.
func isPageNumber(line string, page int) bool {
	line = strings.TrimSpace(line)
	s := strings.TrimPrefix(strings.Trim(lowerASCII(line), "-[]() "), "page ")
	if len(s) > 12 {
		return false
	}
	digits := 0
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '/' }) {
		switch {
		case w == "of":
		case strings.Trim(w, "0123456789") == "" && len(w) <= 3:
			digits++
		default:
			return false
		}
	}
	return digits == 1 && (len(s) < len(line) || s == strconv.Itoa(page)) || digits == 2 && strings.ContainsAny(s, "/f")
}

// page returns the number of the page that contains the offset, from 1.
func (d *document) page(offset int) int {
	return sort.SearchInts(d.pageStarts, offset+1)
}

func (d *document) isRecognised(offset int) bool {
	p := d.page(offset)
	return p > 0 && d.recognised[p-1]
}

// lineAt returns the index of the line at or before the offset.
func (d *document) lineAt(offset int) int {
	return max(0, sort.Search(len(d.lines), func(i int) bool { return d.lines[i].start > offset })-1)
}

// quote returns the words of a span, shortened so that they can be read at a glance.
func (d *document) quote(s span) string {
	const limit = 240
	q := strings.TrimSpace(strings.ToValidUTF8(d.text[s.start:min(s.end, len(d.text))], ""))
	if len(q) <= limit {
		return q
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(q[cut]) {
		cut--
	}
	if space := strings.LastIndexByte(q[:cut], ' '); space > limit/2 {
		cut = space
	}
	return q[:cut] + "…"
}

// head returns the first page of the paper, or the first two if the first is nearly empty: where a notice says what
// it is, who issued it and to whom.
func (d *document) head() span {
	end := len(d.text)
	for _, start := range d.pageStarts {
		if start > d.begin+400 {
			end = start
			break
		}
	}
	return span{d.begin, min(end, d.begin+20_000)}
}

// title returns the top of the first page, where a paper says what it is.
func (d *document) title() span {
	end := min(d.head().end, d.begin+1200)
	for end < len(d.text) && !utf8.RuneStart(d.text[end]) {
		end++
	}
	return span{d.begin, end}
}

// keep blanks everything outside the spans, which must be in order. All offsets stay the same.
func (d *document) keep(own []span) {
	if len(own) == 0 || len(own) == 1 && own[0] == (span{0, len(d.text)}) {
		return
	}
	text, low := []byte(d.text), []byte(d.low)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			text[i], low[i] = ' ', ' '
		}
	}
	at := 0
	for _, s := range own {
		blank(at, s.start)
		at = s.end
	}
	blank(at, len(text))
	d.text, d.low = string(text), string(low)
	inside := func(offset int) bool {
		i := sort.Search(len(own), func(i int) bool { return own[i].end > offset })
		return i < len(own) && own[i].start <= offset
	}
	d.lines = slices.DeleteFunc(d.lines, func(l line) bool { return !inside(l.start) })
	d.sentences = slices.DeleteFunc(d.sentences, func(at int) bool { return !inside(at) })
	d.dates = slices.DeleteFunc(d.dates, func(when dated) bool { return !inside(when.start) })
	d.placed = slices.DeleteFunc(d.placed, func(w table.Word) bool { return !inside(w.Start) })
	d.begin = own[0].start
}

// splitSentences finds where sentences begin: after a full stop that does not end an abbreviation, at a paragraph, at
// a numbered item, and around rows of a table.
func (d *document) splitSentences() {
	starts := make([]int, 0, len(d.text)/80)
	add := func(at int) {
		if n := len(starts); n == 0 || starts[n-1] < at {
			starts = append(starts, at)
		}
	}
	for i, l := range d.lines {
		if l.first && !(i > 0 && d.lines[i-1].page != l.page) ||
			!isLower(d.text[l.start]) && (l.wide || i > 0 && d.lines[i-1].wide) || startsItem(d.text[l.start:l.end]) {
			add(l.start)
		}
		for at := l.start; at < l.end; at++ {
			if d.endsSentence(at) {
				add(at + 1)
			}
		}
	}
	d.sentences = starts
}

func (d *document) endsSentence(at int) bool {
	switch d.text[at] {
	case ';':
		return !d.inBrackets(at)
	case '?', '!':
		return true
	case 0xa4: // the last byte of the danda
		return at >= 2 && d.text[at-2:at+1] == "।"
	case '.':
	default:
		return false
	}
	if at+1 >= len(d.text) {
		return true
	}
	if d.text[at+1] != ' ' || at+2 < len(d.text) && isLower(d.text[at+2]) {
		return false
	}
	word := at
	for word > 0 && d.text[word-1] != ' ' && d.text[word-1] != '(' {
		word--
	}
	w := d.low[word:at]
	return len(w) > 1 && !abbreviations[w]
}

// inBrackets reports whether a position is between brackets that close not far after it: "(IGST 5; CGST 7; SGST 7)".
func (d *document) inBrackets(at int) bool {
	const far = 160
	open := strings.LastIndexAny(d.text[max(0, at-far):at], "()")
	if open < 0 || d.text[max(0, at-far)+open] != '(' {
		return false
	}
	end := strings.IndexAny(d.text[at:min(len(d.text), at+far)], "()")
	return end >= 0 && d.text[at+end] == ')'
}

var abbreviations = map[string]bool{
	"no": true, "nos": true, "rs": true, "sec": true, "secs": true, "ss": true, "m/s": true, "mr": true,
	"mrs": true, "ms": true, "dr": true, "shri": true, "smt": true, "sh": true, "st": true, "art": true,
	"para": true, "paras": true, "sl": true, "sr": true, "vs": true, "viz": true, "i.e": true, "e.g": true,
	"ltd": true, "pvt": true, "co": true, "dt": true, "ref": true, "tel": true, "ph": true, "cl": true,
	"sub": true, "jt": true, "dy": true, "addl": true, "asst": true, "govt": true, "dept": true,
	"approx": true, "f.y": true, "tvl": true, "u/s": true, "w.e.f": true, "a.m": true, "p.m": true, "f.no": true,
	"c.no": true, "s.no": true, "sl.no": true, "sr.no": true, "messrs": true, "prop": true, "reg": true,
}

// startsItem reports whether a line begins with the number or letter of an item.
func startsItem(s string) bool {
	n := strings.IndexByte(s, ' ')
	if n < 2 || n > 7 {
		return false
	}
	w := s[:n]
	if w[0] == '(' {
		return w[n-1] == ')' && n <= 6
	}
	if w[n-1] != '.' && w[n-1] != ')' {
		return false
	}
	w = w[:n-1]
	return isDigit(w[0]) && strings.Trim(w, "0123456789.") == "" && len(w) <= 5 || len(w) == 1 && isLetter(w[0])
}

// sentence returns the sentence that contains an offset, limited to its neighbourhood if the text has no full stops.
func (d *document) sentence(offset int) span {
	const longest = 1500
	i := sort.SearchInts(d.sentences, offset+1)
	s := span{max(0, offset-longest), min(len(d.text), offset+longest)}
	if i > 0 {
		s.start = max(s.start, d.sentences[i-1])
	}
	if i < len(d.sentences) {
		s.end = min(s.end, d.sentences[i])
	}
	return s
}

// contains reports whether one of the phrases occurs in the span.
func (d *document) contains(s span, phrases ...string) bool {
	return containsAny(d.low[s.start:s.end], phrases...)
}

// lowIn returns the text between two offsets in lower case. Offsets outside the text are allowed.
func (d *document) lowIn(from, to int) string {
	from, to = max(0, from), min(to, len(d.low))
	if from >= to {
		return ""
	}
	return d.low[from:to]
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) }

// isLatin reports whether the text has Latin letters and no Devanagari.
func isLatin(s string) bool {
	latin := false
	for _, r := range s {
		if r >= '\u0900' && r <= '\u097f' {
			return false
		}
		latin = latin || r < 0x80 && isLetter(byte(r))
	}
	return latin
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
