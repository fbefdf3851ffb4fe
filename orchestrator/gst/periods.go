package gst

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

var (
	periodLabel  = lazyregexp.New(`(?:\b(?:tax|return|relevant|audit|disputed|refund) ?-?periods?|\bperiods? (?:audited|under (?:audit|scrutiny|dispute)|concerned|of (?:refund|return))|\bquarter|\breturn in question|\bf[.-] ?y\.?|\bfy\b|\bfinancial years?(?: ?\(s\))?|\bperiods?(?: involved| covered| of (?:dispute|demand|audit|scrutiny|assessment|review|inspection|investigation))?|\b(?:(?:accounting|assessment) )?years?(?: ?\(s\))?(?: (?:under (?:audit|scrutiny|dispute)|audited|covered|involved))?|कर अवधि(?: ?व(?:र्)?ष)?|वित्तीय व(?:र्)?ष|वर्ष|अवधि)(?: ?\(s\))? ?(?:/ ?(?:tax period|period|f\.?y\.?))? ?[:;,=.-]* ?(?:from )?`)
	periodPhrase = lazyregexp.New(`\b(?:financial years?|f\. ?y\.?s?|fys?|ey\.|for the (?:tax )?(?:periods?|years?|months?(?: of)?|quarters?)|during the (?:period|year|financial year)|periods? of (?:audit|scrutiny|dispute|demand|assessment|review)|records for|returns for|accounts for|in the (?:period|financial year)(?: from| of)?|for the period from|period from|period of six months, that is,?|months, (?:that is|namely|viz\.?|i\.e\.),?|वित्तीय वर्ष|अवधि)(?: ?\(s\))? ?[:.-]* ?(?:from )?(?:of )?`)
	// background matches words before a year that only tell where something comes from, such as "invoices of" or
	// "previous".
	background = lazyregexp.New(`invoices? (?:of|pertaining|relating)|preceding|previous|earlier|बीजक|report no|letter|prior`)
)

// readPeriods reads the periods that the notice covers: those that its heading labels, else the first that its
// subject or text names.
func (r *reading) readPeriods() {
	d := r.doc
	var found []Period
	at := span{}
	head := d.head()
	labelLine := 0
	for i, l := range d.lines {
		if l.start >= head.end || i > 60 ||
			len(found) > 0 && i > labelLine && (i > labelLine+4 || l.end-l.start > 100) {
			break
		}
		if l.end-l.start > 130 && len(found) == 0 && i > 25 {
			continue
		}
		low := d.low[l.start:l.end]
		for _, m := range periodLabel.FindAllStringIndex(low, 6) {
			if m[0] > 0 && !labelPosition(low[:m[0]]) {
				continue
			}
			start := l.start + m[1]
			limit := l.end
			if (start >= l.end-2 || d.text[l.end-1] == '-') && i+1 < len(d.lines) {
				limit = d.lines[i+1].end
			}
			periods, end := d.periodsAt(start, limit)
			if len(periods) > 0 && at.end == 0 {
				at = span{l.start + m[0], end}
				labelLine = i
			}
			found = append(found, periods...)
			if before := strings.TrimRight(low[:m[0]], " "); strings.HasSuffix(before, "(") && len(periods) > 0 {
				// "October to December 2023 (F.Y. 2023-24)"
				part, _ := d.periodInProse(span{d.sentence(start).start, l.start + m[0]})
				found = append(found, partsOf(part, periods)...)
			}
		}
	}
	if len(found) == 0 {
		found, at = d.periodInProse(span{0, r.extent()})
	}
	if len(found) == 0 {
		found, at = d.periodsAsHeads(r.extent())
	}
	if len(found) == 0 {
		found, at = r.periodUnderHead()
	}
	if len(found) == 0 {
		found, at = d.periodsOfRows(r.extent())
	}
	if len(found) == 0 {
		found, at = r.loosePeriod()
	}
	r.facts.Periods = mergePeriods(found)
	r.periodsAt = at
	if len(r.facts.Periods) > 0 {
		r.cite("periods", at)
	}
}

// widenPeriods adds the years that charges and the rows of a demand name, if each names one year and no label above
// the text names those of the whole paper.
func (r *reading) widenPeriods() {
	d := r.doc
	_, corrected := r.corrections["periods"]
	if corrected || r.periodsAt.end > 0 && d.lineAt(r.periodsAt.start) < r.body() {
		return
	}
	var found []Period
	at, titled := span{}, 0
	for _, b := range r.blocks {
		if b.kind != "charge" {
			continue
		}
		if own := d.yearOfTitle(b); own != nil {
			found = append(found, own...)
			if titled++; at.end == 0 {
				at = d.lines[d.lineAt(b.start)].span
			}
		}
	}
	if titled < 2 {
		found = nil
	}
	if rows, in := r.periodUnderHead(); len(rows) > 1 && r.headsOfTaxAt(in.start) {
		found, at = append(found, rows...), in
	}
	years := map[string]bool{}
	for _, p := range found {
		years[p.FY] = true
	}
	if len(years) < 2 || slices.ContainsFunc(r.facts.Periods, func(p Period) bool { return !years[p.FY] }) {
		return
	}
	if len(r.facts.Periods) == 0 && at.end > 0 {
		r.cite("periods", at)
	}
	r.facts.Periods = mergePeriods(append(found, r.facts.Periods...))
}

// yearOfTitle returns the one year that the title of a block names: "4. Excess credit, F.Y. 2019-20."
func (d *document) yearOfTitle(b block) []Period {
	const longest = 110
	title := strings.TrimLeft(d.lowIn(min(b.start+len(b.number), b.end), min(b.end, b.start+longest)), "). :-")
	if end := titleEnds.FindStringIndex(title); end != nil {
		title = title[:end[1]]
	}
	fy := ""
	var own []Period
	for at := range len(title) {
		if !isDigit(title[at]) || at > 0 && isAlnum(title[at-1]) {
			continue
		}
		from, to, _, ok := parseFY(title+" ", at)
		if !ok || fy != "" && fy != fyName(from.Year()) {
			continue
		}
		fy, own = fyName(from.Year()), splitYears(from, to)
	}
	return own
}

// titleEnds matches the sign at which the title of a block ends and its text begins.
var titleEnds = lazyregexp.New(`(?:[a-xz0-9)]|[a-z]y) ?(?:\.|:|-{1,2}|–) `)

// headsOfTaxAt reports whether a table with a row at the offset has columns of heads of tax.
func (r *reading) headsOfTaxAt(at int) bool {
	return slices.ContainsFunc(r.claims, func(c *claim) bool {
		return c.grid && c.headed() && c.start <= at && at < c.end
	})
}

// partsOf returns the periods that are only a part of one of the years.
func partsOf(parts, years []Period) []Period {
	return slices.DeleteFunc(parts, func(p Period) bool {
		return isWholeYear(p) || !slices.ContainsFunc(years, func(y Period) bool { return y.FY == p.FY })
	})
}

// periodsAsHeads reads the years that head the columns of a table.
func (d *document) periodsAsHeads(limit int) (found []Period, at span) {
	for i, l := range d.lines {
		if l.start >= limit || i+1 == len(d.lines) {
			break
		}
		if len(l.cells) < 3 || len(d.lines[i+1].cells) < 3 {
			continue
		}
		found = nil
		for _, cell := range l.cells {
			if from, to, end, ok := parseFY(d.low[:cell.end]+" ", cell.start); ok && end >= cell.end {
				found = append(found, splitYears(from, to)...)
			}
		}
		if len(found) > 1 {
			return found, l.span
		}
	}
	return nil, span{}
}

// periodUnderHead reads a period that is alone below the heading of its column.
func (r *reading) periodUnderHead() ([]Period, span) {
	d := r.doc
	for i, l := range d.lines[:min(len(d.lines), 200)] {
		if l.start >= r.extent() {
			break
		}
		for c, cell := range l.cells {
			if head := d.cellAbove(i, l.at[c]); head == "" || !headOfPeriod.MatchString(head) {
				continue
			}
			if periods, end := d.periodsAt(cell.start, cell.end); len(periods) > 0 {
				return append(periods, d.periodsBelow(i, l.at[c])...), span{cell.start, end}
			}
		}
	}
	return nil, span{}
}

// periodsBelow reads the periods in the rows below a line, in the same column of its table.
func (d *document) periodsBelow(i int, column span) (all []Period) {
	for _, l := range d.lines[i+1 : min(len(d.lines), i+40)] {
		if l.page != d.lines[i].page || len(l.cells) < 2 {
			break
		}
		for c, cell := range l.cells {
			if l.at[c].start < column.end && column.start < l.at[c].end {
				periods, _ := d.periodsAt(cell.start, cell.end)
				all = append(all, periods...)
			}
		}
	}
	return all
}

var headOfPeriod = lazyregexp.New(`^(?:(?:tax|return|relevant) )?period|^f\.? ?y\b|^financial year|^year|अवधि|वर्ष`)

// loosePeriod reads the first period that the text names after a preposition, as in "for 2022-23" or "of December
// 2025". One in the subject line takes precedence.
func (r *reading) loosePeriod() (found []Period, at span) {
	d := r.doc
	low := d.low[:r.extent()]
	for _, m := range loosely.FindAllStringIndex(low, 300) {
		sentence := d.sentence(m[0])
		before := d.lowIn(max(sentence.start, m[0]-28), m[1])
		if background.MatchString(before) || elsewhere.MatchString(before) {
			continue
		}
		periods, end := d.periodsAt(m[1], min(len(low), m[1]+80))
		if len(periods) == 0 {
			continue
		}
		inSubject := subjectLine.MatchString(d.lowIn(d.lines[d.lineAt(m[0])].start, m[1]))
		if len(found) == 0 || inSubject {
			found, at = periods, span{m[0], end}
		}
		if inSubject {
			break
		}
	}
	return found, at
}

var (
	loosely   = lazyregexp.New(`\b(?:for|during|of|in|year|years|quarter|month|months|period)(?: the)?(?: (?:month|quarter|year|period))?(?: of)? |\[gstr-?[0-9][a-z]?\] |वर्ष `)
	elsewhere = lazyregexp.New(`dated|statement of|\bon \w|credit notes|order of|case|judg|circular|since|late for|was late|agreement|contract`)
)

// labelPosition reports whether words that look like a label are one, judging by the words before them. A label begins
// a cell or follows another value; it is not within a sentence.
func labelPosition(before string) bool {
	before = strings.TrimRight(before, " ")
	switch before[len(before)-1] {
	case ':', ')', '(', '.', '/', '-', ',':
		return true
	}
	return isDigit(before[len(before)-1]) || strings.HasSuffix(before, "the") && len(before) < 12 ||
		before[len(before)-1] >= 0x80 || len(before) <= 4
}

// periodsOfRows reads the years in the rows of a demand, before or after the head of tax, as in "CGST 2024-25 86,250
// 12,420".
func (d *document) periodsOfRows(limit int) (found []Period, at span) {
	for _, l := range d.lines {
		if l.start >= limit {
			break
		}
		if len(l.cells) < 4 || l.end-l.start > 160 {
			continue
		}
		first, second := l.cells[0], l.cells[1]
		head := taxHead(d.low[first.start:first.end]) != "" || taxHead(d.low[second.start:second.end]) != ""
		if _, money := parseAmount(d.low, l.cells[len(l.cells)-1].start); !head || !money {
			continue
		}
		for _, cell := range l.cells[:3] {
			from, to, end, ok := parseFY(d.low[:cell.end]+" ", cell.start)
			if !ok || end < cell.end {
				continue
			}
			found = append(found, splitYears(from, to)...)
			if at.end == 0 {
				at = l.span
			}
		}
	}
	return found, at
}

func (d *document) periodInProse(within span) ([]Period, span) {
	low := d.low[within.start:within.end]
	for _, m := range periodPhrase.FindAllStringIndex(low, 200) {
		sentence := d.sentence(within.start + m[0])
		if background.MatchString(d.lowIn(max(sentence.start, within.start+m[0]-28), within.start+m[0])) {
			continue
		}
		periods, end := d.periodsAt(within.start+m[1], min(within.end, within.start+m[1]+160))
		if len(periods) > 0 {
			return periods, span{within.start + m[0], end}
		}
	}
	return nil, span{}
}

// periodsAt parses the periods that begin at the offset, such as "APR 2020 - MAR 2021", "2019-20, 2020-21 and 2021-22",
// "01-04-2021 to 31-03-2022" or "April, 2026".
func (d *document) periodsAt(at, limit int) ([]Period, int) {
	var all []Period
	end := at
	for {
		from, to, stop, ok := d.periodAt(at, limit)
		if !ok {
			return all, end
		}
		end = stop
		next := d.skipJoin(stop, limit, " to ", " - ", "- ", " -", "-", "to ", " till ", " upto ", " से ")
		if _, second, stop2, ok := d.periodAt(next, limit); next > stop && ok && second.After(from) &&
			second.Year()-from.Year() <= 12 {
			to, end = second, stop2
		} else if from.Equal(to.Time) {
			return all, end // a single date is not a period
		}
		all = append(all, splitYears(from, to)...)
		at = d.skipJoin(end, limit, ", and ", " and ", ", ", " & ", " एवं ", " व ", ",", "; ")
		if at == end {
			return all, end
		}
	}
}

func (d *document) skipJoin(at, limit int, joins ...string) int {
	for _, j := range joins {
		if strings.HasPrefix(d.low[at:min(limit, len(d.low))], j) {
			return skipSpaces(d.low, at+len(j))
		}
	}
	return at
}

// periodAt parses one financial year, month or date, and returns its first and last date.
func (d *document) periodAt(at, limit int) (from, to day, end int, ok bool) {
	s := d.low[:min(limit, len(d.low))]
	at = skipSpaces(s, at)
	for _, word := range [...]string{"f.y. ", "f.y ", "fy ", "fy-", "ey. ", "financial year ", "from ", "the year ", "year ",
		"("} {
		if strings.HasPrefix(s[min(at, len(s)):], word) {
			at = skipSpaces(s, at+len(word))
		}
	}
	if at >= len(s) {
		return day{}, day{}, at, false
	}
	if when, end, ok := parseDate(s, at); ok {
		return when, when, end, true
	}
	if month, after := parseMonth(s, at); month > 0 {
		after = skipAny(s, after, " ,'.-")
		year, end, ok := parseNumber(s, after, 4)
		switch {
		case ok && end-after == 2 && year >= 17 && year < 60:
			year += 2000
		case !ok || end-after != 4 || year < 2017 || year > 2099:
			return day{}, day{}, at, false
		}
		if end < len(s) && isAlnum(s[end]) {
			return day{}, day{}, at, false
		}
		from, _ = law.NewDay(year, month, 1)
		return from, from.AddMonths(1).AddDays(-1), end, true
	}
	return parseFY(s, at)
}

// parseFY parses two successive years, such as "2020-21", "2020-2021" or "2020-'21".
func parseFY(s string, at int) (from, to day, end int, ok bool) {
	first, end, ok := parseNumber(s, at, 4)
	if !ok || end-at != 4 || first < 2017 || first > 2098 || end >= len(s) {
		return day{}, day{}, at, false
	}
	end = skipSpaces(s, end)
	if end >= len(s) || s[end] != '-' && s[end] != '/' {
		return day{}, day{}, at, false
	}
	end = skipAny(s, end+1, " '")
	start := end
	second, end, ok := parseNumber(s, start, 4)
	if !ok || end < len(s) && (isAlnum(s[end]) ||
		(s[end] == '/' || s[end] == '-') && end+1 < len(s) && isLetter(s[end+1])) {
		return day{}, day{}, at, false
	}
	if end-start == 4 && second != first+1 || end-start == 2 && second != (first+1)%100 ||
		end-start != 2 && end-start != 4 {
		return day{}, day{}, at, false
	}
	from, _ = law.NewDay(first, 4, 1)
	to, _ = law.NewDay(first+1, 3, 31)
	return from, to, end, true
}

// splitYears splits a period at the ends of financial years.
func splitYears(from, to day) []Period {
	var periods []Period
	for !from.After(to) {
		year := financialYear(from)
		end, _ := law.NewDay(year+1, 3, 31)
		if end.After(to) {
			end = to
		}
		periods = append(periods, Period{FY: fyName(year), From: from.ISO(), To: end.ISO()})
		from = end.AddDays(1)
	}
	return periods
}

// financialYear returns the calendar year in which the financial year of a date began.
func financialYear(d day) int {
	if d.Month() < 4 {
		return d.Year() - 1
	}
	return d.Year()
}

func fyName(year int) string {
	return fmt.Sprintf("%d-%02d", year, (year+1)%100)
}

// mergePeriods merges the periods of each year. If both the year and a part of it are printed, the notice is about
// the part.
func mergePeriods(found []Period) []Period {
	byYear := map[string]Period{}
	for _, p := range found {
		have, ok := byYear[p.FY]
		switch {
		case !ok, isWholeYear(have) && !isWholeYear(p):
			byYear[p.FY] = p
		case isWholeYear(p):
		default:
			byYear[p.FY] = Period{FY: p.FY, From: min(have.From, p.From), To: max(have.To, p.To)}
		}
	}
	merged := make([]Period, 0, len(byYear))
	for _, p := range byYear {
		merged = append(merged, p)
	}
	sort.Slice(merged, func(i, j int) bool { return merged[i].FY < merged[j].FY })
	return merged
}

func isWholeYear(p Period) bool {
	return strings.HasSuffix(p.From, "-04-01") && strings.HasSuffix(p.To, "-03-31")
}
