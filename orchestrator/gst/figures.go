package gst

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// Figure is a date or an amount of money in a text.
type Figure struct {
	Start, End int    // byte offsets in the text
	Date       string // ISO; "" for an amount
	Paise      int64
	within     int64 // by how much the exact amount may differ, since this one may be rounded
	money      bool  // certainly an amount: with a sign, a word or grouping
}

// Place is where a figure occurs in a document: the page, from 1, and the words there.
type Place struct {
	Page  int
	Quote string
}

// Located is a figure of an answer with its place in a document; Page is 0 if the document does not have it. Named is
// the page that the answer gives right beside the figure, if the figure is not on that page but on another.
type Located struct {
	Figure
	Place
	Named int
}

// Figures returns the dates and the amounts of money in a text, in order. Amounts are numbers with a currency sign,
// with a word such as "lakh" or with grouping commas, numbers in words, and plain numbers of five digits or more that
// are words of their own.
func Figures(text string) []Figure {
	const leastPlainly = 10_000_00
	return slices.DeleteFunc(figures(text), func(f Figure) bool {
		return f.Date == "" && !f.money && (f.Paise < leastPlainly || !standsAlone(text, f))
	})
}

// standsAlone reports whether a number is a word of its own, not part of an address, a name or a longer number.
func standsAlone(text string, f Figure) bool {
	before, after := text[:f.Start], text[f.End:]
	return (before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n|*_(")) &&
		(after == "" || strings.ContainsAny(after[:1], " \t\n|*_).,;:"))
}

// Locate returns the dates and amounts of an answer, which may be Markdown, with their places in the pages of a
// document. Formats do not matter: 12 June 2024 is found as 12.06.24, and ₹1.2 lakh as 1,20,000. Of several places,
// it takes one on a page that the answer names after the figure or in its row, else the first.
func Locate(answer string, pages []Page) []Located { return PrintedIn(pages).Locate(answer) }

// Locate returns what the function Locate returns, for a document whose figures are already known. It serves for
// several texts.
func (p Printed) Locate(answer string) []Located {
	var all []Located
	for _, f := range Figures(answer) {
		named, beside := pagesNamed(answer, f)
		at, ok := p.find(f, named)
		l := Located{Figure: f, Place: at}
		if ok && beside && len(named) > 0 && !slices.Contains(named, at.Page) {
			l.Named = named[0]
		}
		all = append(all, l)
	}
	return all
}

// figures returns the dates and everything that may be an amount.
func figures(text string) []Figure {
	low, from := folded(text)
	original := func(s span) (start, end int) {
		if end = len(text); s.end < len(from) {
			end = from[s.end]
		}
		start = from[s.start]
		return start, start + len(strings.TrimRight(text[start:end], " \t\n\r"))
	}
	var all []Figure
	dates := scanDates(low)
	for _, d := range dates {
		f := Figure{Date: d.day.ISO()}
		f.Start, f.End = original(d.span)
		all = append(all, f)
	}
	for at, next := 0, 0; at < len(low); {
		for next < len(dates) && dates[next].end <= at {
			next++
		}
		if next < len(dates) && dates[next].start <= at {
			at = dates[next].end
			continue
		}
		a, within, ok := amountAt(low, at)
		if !ok || next < len(dates) && a.end > dates[next].start {
			at++
			continue
		}
		f := Figure{Paise: a.paise, money: a.marked, within: within}
		f.Start, f.End = original(a.span)
		all = append(all, f)
		at = a.end
	}
	slices.SortFunc(all, func(a, b Figure) int { return cmp.Compare(a.Start, b.Start) })
	return all
}

// amountAt parses an amount at the offset, in any format. within is by how much the exact amount may differ from it.
func amountAt(low string, at int) (a amount, within int64, ok bool) {
	switch c := low[at]; {
	case isDigit(c) || c == 'r' || c == 'i' || c == 'u' || c == '$' || c >= 0x80:
		if !isDigit(c) && beginsSpoken(low, at) {
			if a, ok := spokenAmount(low, at); ok {
				return a, 99, true
			}
		}
		if !beginsAmount(low, at) {
			return a, 0, false
		}
		if a, within, ok := informalAmount(low, at); ok {
			return a, within, true
		}
		if a, ok = parseAmount(low, at); ok {
			return a, tolerance(low[a.start:a.end]), true
		}
	case isLetter(c) && beginsSpoken(low, at):
		if a, ok = spokenAmount(low, at); ok {
			return a, 99, true
		}
	}
	return a, 0, false
}

// folded returns the text in lower case and on one line, as the parsers of dates and amounts expect it. from has, for
// each of its bytes, the offset in the original text.
func folded(text string) (low string, from []int) {
	b := make([]byte, 0, len(text))
	from = make([]int, 0, len(text))
	for at, r := range text {
		switch {
		case 'A' <= r && r <= 'Z':
			b, from = append(b, byte(r)+'a'-'A'), append(from, at)
		case r == '\n' || r == '\t':
			b, from = append(b, ' '), append(from, at)
		case r >= ' ' && r < 0x7f:
			b, from = append(b, byte(r)), append(from, at)
		default:
			for _, c := range []byte(lowerASCII(normalise(string(r)))) {
				b, from = append(b, c), append(from, at)
			}
		}
	}
	return string(b), from
}

// beginsAmount reports whether an amount may begin at the offset, and not in the middle of a word or number.
func beginsAmount(low string, at int) bool {
	c := low[at]
	if !isDigit(c) && c != 'r' && c != 'i' && c != 'u' && c != '$' && c < 0x80 {
		return false
	}
	if at == 0 {
		return true
	}
	before := low[at-1]
	if isAlnum(before) || before >= 0x80 && c >= 0x80 {
		return false
	}
	inside := strings.IndexByte("./-,", before) >= 0 && at > 1 && isAlnum(low[at-2])
	return !inside
}

// tolerance returns by how many paise the exact amount may differ from an amount as written, which may leave out the
// paise or be rounded to a part of a lakh or crore.
func tolerance(written string) int64 {
	first := strings.IndexFunc(written, func(r rune) bool { return r >= '0' && r <= '9' })
	end := first
	for end < len(written) && (isDigit(written[end]) || strings.IndexByte(",.", written[end]) >= 0) {
		end++
	}
	_, decimals, _ := strings.Cut(strings.TrimRight(written[first:end], "."), ".")
	scale, _ := parseScale(written, end)
	switch {
	case scale == 0 && decimals == "":
		return 99
	case scale == 0 || decimals == "":
		return 0
	}
	unit := scale * 100
	for range decimals {
		unit /= 10
	}
	return unit / 2
}

// Printed is the dates and amounts of a document, with their places.
type Printed struct {
	dates   map[string][]Place
	amounts []amountPlace // sorted by amount, then by position
}

type amountPlace struct {
	paise int64
	Place
}

// PrintedIn returns the dates and amounts that are printed in the pages of a document.
func PrintedIn(pages []Page) Printed {
	p := Printed{dates: map[string][]Place{}}
	for i, page := range pages {
		for _, f := range figures(page.Text) {
			at := Place{Page: i + 1, Quote: strings.Join(strings.Fields(page.Text[f.Start:f.End]), " ")}
			switch {
			case f.Date != "":
				p.dates[f.Date] = append(p.dates[f.Date], at)
			case f.money || f.Paise >= leastPlain:
				p.amounts = append(p.amounts, amountPlace{f.Paise, at})
			}
		}
	}
	slices.SortStableFunc(p.amounts, func(a, b amountPlace) int { return cmp.Compare(a.paise, b.paise) })
	return p
}

// find returns the place of a figure on one of the given pages, else its first place.
func (p Printed) find(f Figure, pages []int) (Place, bool) {
	var all []Place
	if f.Date != "" {
		all = p.dates[f.Date]
	} else {
		first := sort.Search(len(p.amounts), func(i int) bool { return p.amounts[i].paise >= f.Paise-f.within })
		for _, a := range p.amounts[first:] {
			if a.paise > f.Paise+f.within {
				break
			}
			all = append(all, a.Place)
		}
		slices.SortStableFunc(all, func(a, b Place) int { return cmp.Compare(a.Page, b.Page) })
	}
	if len(all) == 0 {
		return Place{}, false
	}
	if i := slices.IndexFunc(all, func(at Place) bool { return slices.Contains(pages, at.Page) }); i >= 0 {
		return all[i], true
	}
	return all[0], true
}

var (
	pageNumbers = lazyregexp.New(`(?i)\bp(?:ages?|p?\.) ?(\d{1,4}(?: ?(?:,|-|–|to|and|&) ?\d{1,4})*)`)
	onlyPages   = lazyregexp.New(`(?i)^ *(?:p(?:ages?|p?\.))? ?(\d{1,4}(?: ?(?:,|-|–|to|and|&) ?\d{1,4})*) *$`)
)

// pagesNamed returns the pages that an answer names for a figure: those after it on its line, or in the last cell of
// its row. beside reports whether they certainly refer to this figure.
func pagesNamed(answer string, f Figure) (pages []int, beside bool) {
	start := strings.LastIndexByte(answer[:f.Start], '\n') + 1
	rest := answer[f.End:]
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	if strings.HasPrefix(strings.TrimSpace(answer[start:f.Start]), "|") {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(rest), "|"), "|")
		if all := PageNumbers(cells[len(cells)-1]); len(all) > 0 && len(cells) > 1 {
			return all, headedPages(answer[:start])
		}
	}
	const farthest = 200
	m := pageNumbers.FindStringSubmatchIndex(rest)
	if m == nil || m[0] > farthest {
		return nil, false
	}
	return numbersIn(rest[m[2]:m[3]]), strings.Trim(rest[:m[0]], " *_,([") == ""
}

// headedPages reports whether the text ends in a table row, and the heading of the table's last column is "pages" or
// the like.
func headedPages(text string) bool {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	head := len(lines)
	for head > 0 && strings.HasPrefix(strings.TrimSpace(lines[head-1]), "|") {
		head--
	}
	if head == len(lines) {
		return false
	}
	cells := strings.Split(strings.Trim(strings.TrimSpace(lines[head]), "|"), "|")
	return strings.Contains(strings.ToLower(cells[len(cells)-1]), "page")
}

// PageNumbers returns the pages named by a table cell that contains nothing else, such as "7" or "pages 7 to 9".
func PageNumbers(cell string) []int {
	m := onlyPages.FindStringSubmatch(cell)
	if m == nil {
		return nil
	}
	return numbersIn(m[1])
}

// numbersIn returns the page numbers in "7", "7, 9" or "7 to 9", with those in between.
func numbersIn(list string) []int {
	var all []int
	between := false
	for _, word := range strings.FieldsFunc(strings.NewReplacer("-", " to ", "–",
		" to ").Replace(strings.ToLower(list)), func(r rune) bool {
		return r == ' ' || r == ','
	}) {
		n, err := strconv.Atoi(word)
		if err != nil {
			between = word == "to"
			continue
		}
		for last := len(all) - 1; between && all[last]+1 < n && len(all) < 1000; last++ {
			all = append(all, all[last]+1)
		}
		all, between = append(all, n), false
	}
	return all
}
