package gst

import (
	"slices"
	"strings"
	"time"

	"munshi/orchestrator/gst/law"
)

// day is a calendar date; zero means unknown.
type day = law.Day

// dated is a date in the text, with its position.
type dated struct {
	span
	day day
}

// scanDates finds every date in a text in lower case, in one pass. A date such as 05/12/2025 is read
// with the day first. A date that does not exist, such as 31 June, is ignored.
func scanDates(low string) []dated {
	var found []dated
	for at := 0; at < len(low); {
		c := low[at]
		starts := isDigit(c) || isLetter(c) || c >= 0x80
		if !starts || at > 0 && (isAlnum(low[at-1]) || low[at-1] >= 0x80) {
			at++
			continue
		}
		when, end, ok := parseDate(low, at)
		if ok {
			found = append(found, dated{span{at, end}, when})
			at = end
			continue
		}
		at++
	}
	return found
}

// scanWrapped finds the dates that a narrow column breaks in two: "Date: the sixteenth" above "November, 2026".
func (d *document) scanWrapped() {
	const longest = 48
	for i, l := range d.lines {
		for c, cell := range l.cells {
			below, ok := d.wrappedInto(i, c)
			if !ok || len(l.cells) == 1 {
				continue
			}
			rest := d.low[below.start:min(below.end, below.start+longest)]
			for at := max(cell.start, cell.end-longest); at < cell.end; at++ {
				if at > cell.start && d.low[at-1] != ' ' && d.low[at-1] != ':' || len(d.datesIn(span{at, cell.end})) > 0 {
					continue
				}
				joined := d.low[at:cell.end] + " " + rest
				if when, end, ok := parseDate(joined, 0); ok && end > cell.end-at+1 {
					d.dates = append(d.dates, dated{span{at, cell.end}, when})
					break
				}
			}
		}
	}
	slices.SortStableFunc(d.dates, func(a, b dated) int { return a.start - b.start })
}

// datesIn returns the dates that begin within the span.
func (d *document) datesIn(s span) []dated {
	lo, hi := 0, len(d.dates)
	for lo < hi {
		mid := (lo + hi) / 2
		if d.dates[mid].start < s.start {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	end := lo
	for end < len(d.dates) && d.dates[end].start < s.end {
		end++
	}
	return d.dates[lo:end]
}

// parseDate parses a date that begins at s[at:], in lower case, and returns the offset after it.
func parseDate(s string, at int) (day, int, bool) {
	if at > 1 && (s[at-1] == '/' || s[at-1] == '-') && isAlnum(s[at-2]) {
		return day{}, 0, false // inside a file number
	}
	if month, end := parseMonth(s, at); month > 0 {
		return parseMonthFirst(s, month, end)
	}
	first, at, ok := parseDayOfMonth(s, at)
	if !ok {
		return day{}, 0, false
	}
	if first >= 1900 {
		return parseYearFirst(s, first, at)
	}
	if first > 31 {
		return day{}, 0, false
	}
	at = skipOrdinal(s, at)
	at = skipSpaces(s, at)
	sep := byte(' ')
	for at+1 < len(s) && (s[at] == '"' || s[at] == '\'') && s[at+1] == ' ' {
		at = skipSpaces(s, at+1) // a speck on a scan
	}
	for at+1 < len(s) && (s[at] == '"' || s[at] == '\'') && isLetter(s[at+1]) {
		at++
	}
	if at < len(s) && strings.IndexByte("./-,'", s[at]) >= 0 {
		sep = s[at]
		at = skipSpaces(s, at+1)
	}
	for _, join := range [...]string{"day of ", "of ", "day "} {
		at += len(s[at:]) - len(strings.TrimPrefix(s[at:], join))
	}
	named := true
	month, end := parseMonth(s, at)
	if month == 0 {
		if sep == ' ' || sep == ',' || sep == '\'' {
			return day{}, 0, false
		}
		named = false
		start := at
		if month, end, ok = parseNumber(s, at, 2); !ok {
			return day{}, 0, false
		}
		end = skipSpaces(s, end)
		if end >= len(s) || s[end] != sep {
			return day{}, 0, false
		}
		if end-start < 2 && sep == '.' {
			sep = '!' // 4.1.20 is a paragraph, 4.1.2020 a date
		}
		end++
	} else {
		for end < len(s) && strings.IndexByte(" .,-/'", s[end]) >= 0 {
			end++
		}
	}
	end = skipSpaces(s, end)
	if named {
		for _, join := range [...]string{"in the year ", "सन ", "सन् ", "वर्ष "} {
			end += len(s[end:]) - len(strings.TrimPrefix(s[end:], join)) // "tenth day of May in the year 2026"
		}
	}
	yearAt := end
	year, end, ok := parseYear(s, yearAt, named || sep != '!')
	if !ok && named {
		year, end, ok = parseYearInWords(s, yearAt)
	}
	if !ok {
		return day{}, 0, false
	}
	when, ok := law.NewDay(year, month, first)
	return when, end, ok
}

// parseDayOfMonth parses digits, or an ordinal in words, "twenty-first".
func parseDayOfMonth(s string, at int) (n, end int, ok bool) {
	if n, end, ok := parseNumber(s, at, 4); ok {
		return n, end, true
	}
	if at < len(s) && s[at] >= 0x80 {
		n, end = parseHindiNumber(s, at)
		return n, end, n > 0 && n < 32
	}
	n, end = parseWord(s, at, ordinals)
	if n >= 20 && n%10 == 0 { // the "twenty" of "twenty first"
		if end < len(s) && (s[end] == ' ' || s[end] == '-') {
			if ones, after := parseWord(s, end+1, ordinals); ones > 0 && ones < 10 {
				n, end = n+ones, after
			}
		}
	}
	return n, end, n > 0
}

// parseWord looks up the word at an offset in the table. n is 0 if the table does not have it.
func parseWord(s string, at int, table map[string]int) (n, end int) {
	end = at
	for end < len(s) && isLetter(s[end]) {
		end++
	}
	return table[s[at:end]], end
}

var ordinals = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
	"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
	"seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "twenty": 20, "thirty": 30,
}

// parseHindiNumber parses a number below a hundred in Hindi words. n is 0 if there is none.
func parseHindiNumber(s string, at int) (n, end int) {
	end = at
	for end < len(s) && s[end] >= 0x80 {
		end++
	}
	number, _ := numeral(s[at:end])
	return int(number), end
}

// parseYearInWords parses "two thousand and twenty-six" or "दो हजार छब्बीस".
func parseYearInWords(s string, at int) (year, end int, ok bool) {
	const thousands = "two thousand"
	for _, hindi := range [...]string{"दो हजार ", "दो हज़ार "} {
		if strings.HasPrefix(s[at:], hindi) {
			n, end := parseHindiNumber(s, at+len(hindi))
			return 2000 + n, end, n > 10
		}
	}
	if !strings.HasPrefix(s[at:], thousands) {
		return 0, 0, false
	}
	year, end = 2000, at+len(thousands)
	for _, join := range [...]string{" and ", " ", "-"} {
		if strings.HasPrefix(s[end:], join) {
			n, after := parseWord(s, end+len(join), numbers)
			if n < 10 || n > 90 {
				break
			}
			year, end = year+n, after
			if end < len(s) && (s[end] == ' ' || s[end] == '-') {
				if ones, after := parseWord(s, end+1, numbers); n >= 20 && ones > 0 && ones < 10 {
					year, end = year+ones, after
				}
			}
			break
		}
	}
	return year, end, year > 2010
}

// parseMonthFirst parses the rest of a date such as "May 12, 2025", from the offset at, which is just after the month.
func parseMonthFirst(s string, month, at int) (day, int, bool) {
	at = skipSpaces(s, at)
	dom, at, ok := parseNumber(s, at, 2)
	if !ok {
		return day{}, 0, false
	}
	at = skipOrdinal(s, at)
	if at < len(s) && s[at] == ',' {
		at++
	}
	at = skipSpaces(s, at)
	year, at, ok := parseYear(s, at, false)
	if !ok {
		return day{}, 0, false
	}
	when, ok := law.NewDay(year, month, dom)
	return when, at, ok
}

// parseYearFirst parses the rest of a date such as "2025-05-12", from the offset at, which is just after the year.
func parseYearFirst(s string, year, at int) (day, int, bool) {
	if at >= len(s) || strings.IndexByte("./-", s[at]) < 0 {
		return day{}, 0, false
	}
	sep := s[at]
	month, at, ok := parseNumber(s, at+1, 2)
	if !ok || at >= len(s) || s[at] != sep {
		return day{}, 0, false
	}
	dom, at, ok := parseNumber(s, at+1, 2)
	if !ok || continuesNumber(s, at) {
		return day{}, 0, false
	}
	when, ok := law.NewDay(year, month, dom)
	return when, at, ok
}

// parseYear parses a year of four digits, or of two if short is set.
func parseYear(s string, at int, short bool) (int, int, bool) {
	year, end, ok := parseNumber(s, at, 4)
	if !ok || continuesNumber(s, end) {
		return 0, 0, false
	}
	switch end - at {
	case 4:
		return year, end, year >= 1950 && year < 2100
	case 2:
		return 2000 + year, end, short && year >= 17 && year < 60
	}
	return 0, 0, false
}

// continuesNumber reports whether the text before the offset is the beginning of something longer, such as a file
// number.
func continuesNumber(s string, at int) bool {
	if at >= len(s) {
		return false
	}
	if isAlnum(s[at]) {
		return true
	}
	return (s[at] == '-' || s[at] == '/') && at+1 < len(s) && isAlnum(s[at+1])
}

// parseNumber parses up to limit digits. Letters that text recognition confuses with digits count as digits if there
// is at least one real digit.
func parseNumber(s string, at, limit int) (n, end int, ok bool) {
	end = at
	real := false
	for end < len(s) && end-at < limit {
		c := s[end]
		if isDigit(c) {
			real = true
		} else if c == 'o' || c == 'l' || c == 'i' {
			if c = '0'; s[end] != 'o' {
				c = '1'
			}
		} else {
			break
		}
		n = n*10 + int(c-'0')
		end++
	}
	return n, end, real
}

func skipSpaces(s string, at int) int {
	for at < len(s) && s[at] == ' ' {
		at++
	}
	return at
}

func skipOrdinal(s string, at int) int {
	rest := strings.TrimPrefix(s[at:], " ")
	for _, suffix := range [...]string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(rest, suffix) && (len(rest) == 2 || !isLetter(rest[2]) || rest == s[at:]) {
			return len(s) - len(rest) + 2
		}
	}
	return at
}

// parseMonth parses the name of a month, in English (full or abbreviated to three letters) or Hindi. month is 0 if
// there is none.
func parseMonth(s string, at int) (month, end int) {
	end = at
	for end < len(s) && (isLetter(s[end]) || s[end] >= 0x80) {
		end++
	}
	if end-at < 3 || end-at > 36 {
		return 0, at
	}
	return months[s[at:end]], end
}

var months = func() map[string]int {
	byName := map[string]int{"sept": 9}
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		byName[name], byName[name[:3]] = int(m), int(m)
	}
	for m, names := range [...]string{
		1: "जनवरी", 2: "फरवरी फ़रवरी", 3: "मार्च", 4: "अप्रैल", 5: "मई", 6: "जून", 7: "जुलाई", 8: "अगस्त",
		9: "सितम्बर सितंबर", 10: "अक्टूबर अक्तूबर", 11: "नवम्बर नवंबर", 12: "दिसम्बर दिसंबर",
	} {
		for _, name := range strings.Fields(names) {
			byName[name] = m
		}
	}
	return byName
}()
