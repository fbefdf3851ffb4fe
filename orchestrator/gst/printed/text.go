package printed

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"munshi/orchestrator/gst"
)

// text is the text of all pages. all keeps the line breaks and has single spaces within lines. low is the same in lower
// case with spaces for the line breaks; offsets are the same in both.
type text struct {
	all    string
	low    string
	starts []int // offsets of the pages
	looked map[search]found
}

// search is a search for words between two offsets, and found is its result. Results are cached, because many rules
// search a charge for the same words.
type search struct {
	words    string
	from, to int
}

type found struct {
	start, end int
	ok         bool
}

// again returns what find returns, from the cache if the same search was made before.
func (t *text) again(words string, from, to int) (start, end int, ok bool) {
	key := search{words, from, to}
	f, known := t.looked[key]
	if !known {
		f.start, f.end, f.ok = t.find(words, from, to)
		if t.looked == nil {
			t.looked = map[search]found{}
		}
		t.looked[key] = f
	}
	return f.start, f.end, f.ok
}

// longest is the number of bytes of a paper that are searched. What decides is in its body, and an annexure of invoices
// can have hundreds of pages.
const longest = 200_000

func newText(pages []gst.Page) text {
	var b strings.Builder
	t := text{}
	for _, p := range pages {
		t.starts = append(t.starts, b.Len())
		if b.Len() > longest {
			continue
		}
		for line := range strings.Lines(p.Text) {
			if strings.Contains(line, ", ") {
				line = joinSums(line)
			}
			words := strings.Fields(line)
			for i, w := range words {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(w)
			}
			if len(words) > 0 {
				b.WriteByte('\n')
			}
		}
	}
	t.all = b.String()
	t.low = lower(t.all)
	return t
}

// spacedSum matches an amount into which text recognition put a space, such as "3,10, 000".
var spacedSum = regexp.MustCompile(`((?:\b\d{1,2}(?:,\d\d)+|(?:[Rr]s\.?|रु\.?|₹) ?\d{1,2})), (\d{3})\b`)

// joinSums removes the spaces that text recognition put into amounts. Two short numbers are joined only if the row has
// other amounts, because otherwise they may be a list.
func joinSums(line string) string {
	line = spacedLakh.ReplaceAllString(line, "$1,$2,$3")
	line = spacedSum.ReplaceAllString(line, "$1,$2")
	if len(grouped.FindAllString(line, 2)) > 1 {
		line = spacedThousand.ReplaceAllString(line, "$1,$2")
	}
	return line
}

var (
	spacedLakh     = regexp.MustCompile(`\b(\d{1,2}), ?(\d\d), ?(\d{3})\b`)
	grouped        = regexp.MustCompile(`\b\d{1,2},\d\d,\d{3}\b`)
	spacedThousand = regexp.MustCompile(`\b(\d{1,2}), (\d{3})\b`)
)

// lower returns a text in lower case with spaces for line breaks; all offsets stay the same.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + 'a' - 'A'
		case c == '\n':
			b[i] = ' '
		}
	}
	return string(b)
}

func (t *text) page(at int) int {
	page := 1
	for i, start := range t.starts {
		if start <= at {
			page = i + 1
		}
	}
	return page
}

// quote returns the text between two offsets, extended to whole words, as printed.
func (t *text) quote(from, to int) Quote {
	const most = 240
	from, to = max(0, from), min(len(t.all), to)
	page := t.page(from)
	if page < len(t.starts) {
		to = min(to, t.starts[page]) // only the page on which it begins
	}
	if to-from > most {
		to = from + most
		for to > from && t.low[to-1] != ' ' {
			to--
		}
	}
	for from > 0 && from < len(t.low) && !utf8.RuneStart(t.all[from]) {
		from--
	}
	for to < len(t.all) && to > from && !utf8.RuneStart(t.all[to]) {
		to--
	}
	return Quote{Page: page, Quote: strings.Join(strings.Fields(t.all[from:max(from, to)]), " ")}
}

// printed returns the part of a quotation that is on its page word for word, since the quotation may have joined cells,
// been shortened or been corrected. It is "" if the beginning of the quotation is not on the page.
func (t *text) printed(q Quote) string {
	const least = 8 // letters; less is not a quotation
	if q.Page < 1 || q.Page > len(t.starts) {
		return ""
	}
	to := len(t.all)
	if q.Page < len(t.starts) {
		to = t.starts[q.Page]
	}
	page := strings.ReplaceAll(t.all[t.starts[q.Page-1]:to], "\n", " ")
	words := strings.Fields(strings.TrimSuffix(q.Quote, "…"))
	for n := len(words); n > 0; n-- {
		if said := strings.Join(words[:n], " "); strings.Contains(page, said) {
			if utf8.RuneCountInString(said) < least && n < len(words) {
				return ""
			}
			return said
		}
	}
	return ""
}

// sentence returns the offsets of the sentence that contains an offset, up to reach in each direction.
func (t *text) sentence(at int) (from, to int) {
	const reach = 260
	least, most := max(0, at-reach), min(len(t.low), at+reach)
	from, to = least, most
	for i := at - 1; i > least; i-- {
		if t.ends(i) {
			from = i + 1
			break
		}
	}
	for i := at; i < most; i++ {
		if t.ends(i) {
			to = i + 1
			break
		}
	}
	for from > least && from < at && t.low[from] != ' ' && from == least {
		from++
	}
	return from, to
}

// ends reports whether a sentence ends at an offset: at a danda, or at a full stop that does not belong to an
// abbreviation or a number.
func (t *text) ends(i int) bool {
	if strings.HasPrefix(t.low[i:], "।") || t.low[i] == ';' {
		return true
	}
	if t.low[i] != '.' || i+1 < len(t.low) && t.low[i+1] != ' ' {
		return false
	}
	from := strings.LastIndexAny(t.low[max(0, i-8):i], " (-/")
	word := t.low[max(0, i-8)+from+1 : i]
	switch word {
	case "rs", "no", "nos", "dt", "m/s", "shri", "sh", "smt", "s", "sec", "u/s", "r", "lt", "ltd", "pvt", "co", "para",
		"fy", "f.y", "a", "b", "c", "d", "st", "dr", "mr", "रु", "क्र":
		return false
	}
	return true
}

// find returns the position of the first of the words, separated by "|", that occurs between two offsets. A match must
// begin at the beginning of a word. " * " stands for a few other words of the same sentence.
func (t *text) find(words string, from, to int) (start, end int, ok bool) {
	start = -1
	to = min(to, len(t.low))
	for len(words) > 0 && from < to {
		var w string
		w, words, _ = strings.Cut(words, "|")
		first, rest, _ := strings.Cut(w, " * ")
		for at := from; ; {
			i := strings.Index(t.low[at:to], first)
			if i < 0 || start >= 0 && at+i >= start {
				break
			}
			i += at
			if stop, ok := t.goesOn(i+len(first), to, rest); ok && !joined(t.low, i, first) && !(rest != "" && t.isPart(i, first)) {
				start, end = i, stop
				break
			}
			at = i + 1
		}
	}
	return start, end, start >= 0
}

// has reports whether one of the words occurs between two offsets. If words is empty, it returns none.
func (t *text) has(words string, from, to int, none bool) bool {
	if words == "" {
		return none
	}
	_, _, ok := t.again(words, from, to)
	return ok
}

// isPart reports whether a short word that was found is only the beginning of a longer one, as "not" is of "notice".
func (t *text) isPart(at int, w string) bool {
	const short = 3
	next := at + len(w)
	return len(w) <= short && next < len(t.low) && alnum(t.low[next])
}

// goesOn returns the offset at which the rest of a phrase with " * " ends, if it follows soon after an offset in the
// same sentence.
func (t *text) goesOn(at, to int, rest string) (int, bool) {
	const reach = 60
	if rest == "" {
		return at, true
	}
	for i := at; i < min(to, at+reach); i++ {
		if t.ends(i) {
			return 0, false
		}
		if strings.HasPrefix(t.low[i:to], rest) && !joined(t.low, i, rest) {
			return i + len(rest), true
		}
	}
	return 0, false
}

// joined reports whether a word found at an offset is part of a word or number that begins before it.
func joined(low string, at int, w string) bool {
	if at > 0 && alnum(w[0]) && alnum(low[at-1]) {
		return true
	}
	last, next := w[len(w)-1], at+len(w)
	return last >= '0' && last <= '9' && next < len(low) &&
		(low[next] >= '0' && low[next] <= '9' || low[next] >= 'a' && low[next] <= 'z')
}

func alnum(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
