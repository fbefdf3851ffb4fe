// Package portal reads the tables of notices and orders that the GST portal shows ("View Notices and Orders", "View
// Additional Notices/Orders") from the text that people copy: cells separated by tabs or spaces, one cell per line, with
// or without headings, or recognised from an image. It has no side effects and uses only the standard library.
package portal

import (
	"cmp"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
)

// Row is a notice or order in the table. Dates are in ISO format; what the table does not say is empty.
type Row struct {
	Reference   string `json:"reference"`
	Form        string `json:"form"` // as in "DRC-01A"
	Kind        string `json:"kind"` // such as NOTICE
	Description string `json:"description"`
	By          string `json:"by"` // who issued it
	Issued      string `json:"issued"`
	Due         string `json:"due"`
	Amount      string `json:"amount"` // as printed
}

// Table is the table that was read from a text.
type Table struct {
	Rows   []Row
	GSTINs []string // all GSTINs in the text, up to mostNamed
	Empty  bool     // the portal says that there are no notices
}

// Read reads the table in a text. It never fails: text that is not part of a row is left out.
func Read(text string) Table {
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	t := Table{GSTINs: registrations(text), Empty: emptyShape.MatchString(text)}
	lines := linesOf(text)
	head, from := headings(lines)
	lines = lines[from:]
	if rows, fit := byColumns(lines, head); fit {
		t.Rows = rows
	} else {
		t.Rows = byContent(lines, head)
	}
	t.Rows = once(t.Rows)
	return t
}

// once drops repeated rows, as when two overlapping pages of a table were copied.
func once(rows []Row) []Row {
	seen := map[string]bool{}
	return slices.DeleteFunc(rows, func(r Row) bool {
		was := seen[r.Reference]
		seen[r.Reference] = true
		return was
	})
}

var (
	emptyShape = lazyregexp.New(`(?i)no (?:records?|data|notices?|items?|orders?)[^.\n]{0,30} (?:found|available|to display)|no records? found|कोई रिकॉर्ड नहीं`)
	gstinShape = lazyregexp.New(`\b[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]\b`)
	wide       = lazyregexp.New(`\t+| {2,}|\s*\|\s*`)
)

// The maximum length of a text in bytes (the rest is ignored), and the maximum number of GSTINs returned from it.
const (
	mostText  = 1 << 20
	mostNamed = 20
)

func registrations(text string) (found []string) {
	for _, g := range gstinShape.FindAllString(strings.ToUpper(text), -1) {
		if len(found) < mostNamed && !slices.Contains(found, g) {
			found = append(found, g)
		}
	}
	return found
}

// line is a line of the text, split into cells.
type line struct {
	cells  []string
	tabbed bool // its cells are separated by tabs or bars, so empty cells count
}

var plainSpaces = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\u200b", "", "\ufeff", "", "‐", "-",
	"‑", "-", "–", "-", "—", "-", "०", "0", "१", "1", "२", "2", "३", "3", "४", "4", "५", "5", "६", "6", "७", "7", "८", "8",
	"९", "9")

func linesOf(text string) (lines []line) {
	for _, raw := range strings.Split(plainSpaces.Replace(text), "\n") {
		if strings.TrimSpace(raw) == "" || strings.Trim(raw, "|-: \t") == "" {
			continue
		}
		l := line{}
		switch {
		case strings.Contains(raw, "|"):
			l.tabbed = true
			l.cells = strings.Split(strings.Trim(strings.TrimSpace(raw), "|"), "|")
		case strings.Contains(strings.TrimRight(raw, " \t"), "\t"):
			l.tabbed = true
			l.cells = strings.Split(raw, "\t")
		default:
			l.cells = wide.Split(strings.TrimSpace(raw), -1)
		}
		for i, c := range l.cells {
			l.cells[i] = strings.Join(strings.Fields(c), " ")
		}
		lines = append(lines, l)
	}
	return lines
}

// column says what a column of the table holds.
type column string

const (
	reference   column = "reference"
	caseID      column = "case"
	by          column = "by"
	kind        column = "kind"
	description column = "description"
	issued      column = "issued"
	due         column = "due"
	amount      column = "amount"
	other       column = "other"
)

// idle lists headings of columns that are not needed.
var idle = []string{"download", "view", "action", "actions", "डाउनलोड", "attachments", "section", "status", "s.no",
	"sr. no", "sr.no", "sl. no", "sl.no", "s. no", "s no", "sl no", "#", "क्र.सं"}

// columnOf returns what a column holds according to its heading, or "" if the cell is not a known heading.
func columnOf(cell string) column {
	h := strings.ToLower(strings.Trim(cell, " .:*"))
	h = strings.NewReplacer("ld", "id", "lssu", "issu").Replace(h) // common misreadings in images
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(h, w) })
	}
	letters := len([]rune(h))
	switch {
	case letters == 0 || letters > 45 || refIn(cell) != "" || dayIn(cell) != "":
		return ""
	case has("due date", "due on", "last date", "reply by", "नियत", "अंतिम ति", "अंतिम ता"):
		return due
	case has("date of issu", "issue date", "issued on", "issuance", "notice date", "order date",
		"जारी करने", "जारी होने", "जारी ति") ||
		h == "date" || h == "दिनांक" || h == "तारीख":
		return issued
	case has("case id", "case no") || h == "arn" || h == "case":
		return caseID
	case has("order id", "notice id", "reference n", "reference id", "ref id", "ref no", "ref. no", "order no",
		"notice no", "आईडी", "संदर्भ") ||
		h == "id" || h == "din" || h == "rfn" || h == "reference":
		return reference
	case has("issued by", "issuing", "जारीकर्ता", "officer"):
		return by
	case has("amount", "demand", "राशि"):
		return amount
	case has("description", "subject", "विवरण", "details"):
		return description
	case h == "type" || has("type of", "notice type", "प्रकार") || h == "notice/order" || h == "form":
		return kind
	case slices.Contains(idle, h):
		return other
	}
	return ""
}

// headings finds the headings, in one line or one per line, and the index of the first line below them.
func headings(lines []line) (head []column, from int) {
	for i, l := range lines {
		of := []column{}
		known := 0
		for _, c := range l.cells {
			col := columnOf(c)
			if col == "" && l.tabbed {
				col = other
			} else if col != "" {
				known++
			}
			if col != "" {
				of = append(of, col)
			}
		}
		if known >= 3 {
			return of, i + 1
		}
		if known == 1 && len(l.cells) <= 2 {
			// One heading per line.
			at, run := i, []column{}
			for ; at < len(lines) && len(strings.Join(lines[at].cells, "")) > 0; at++ {
				col := columnOf(strings.Join(lines[at].cells, " "))
				if col == "" {
					break
				}
				run = append(run, col)
			}
			if len(run) >= 3 && (slices.Contains(run, reference) || slices.Contains(run, issued)) {
				return run, at
			}
		}
		if refIn(strings.Join(l.cells, " ")) != "" {
			return ordered(lines[:i]), i
		}
	}
	return nil, 0
}

// ordered returns the columns for dates and references that the last lines above the first row name, in that order. It
// is used if the headings cannot be split into cells.
func ordered(above []line) []column {
	words := []string{}
	for _, l := range above[max(0, len(above)-3):] {
		words = append(words, strings.Join(l.cells, " "))
	}
	text := strings.ToLower(strings.Join(words, " "))
	text = strings.NewReplacer("order ld", "order id", "lssu", "issu").Replace(text)
	type found struct {
		at  int
		col column
	}
	all := []found{}
	for col, names := range map[column][]string{due: {"due date"}, issued: {"date of issu", "issuance", "date of"},
		reference: {"order id", "reference n", "notice/demand"}} {
		for _, n := range names {
			if at := strings.Index(text, n); at >= 0 {
				all = append(all, found{at, col})
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int { return cmp.Compare(a.at, b.at) })
	head := []column{}
	for _, f := range all {
		head = append(head, f.col)
	}
	if len(head) < 2 {
		return nil
	}
	return head
}

// byColumns reads rows whose cells match the headings: one row per line, or one cell per line. fit is false if they do
// not match.
func byColumns(lines []line, head []column) (rows []Row, fit bool) {
	if len(head) < 3 {
		return nil, false
	}
	// One row per line. A line with too few cells may continue the last cell of the line above, which was broken there.
	tabbed := slices.ContainsFunc(lines, func(l line) bool { return l.tabbed && len(l.cells) > 1 })
	if tabbed || slices.ContainsFunc(lines, func(l line) bool { return len(l.cells) >= len(head)-1 }) {
		joined := []line{}
		for _, l := range lines {
			last := len(joined) - 1
			goesOn := last >= 0 && len(l.cells) < len(head)-1 && len(joined[last].cells) < len(head)-1 &&
				len(joined[last].cells)+len(l.cells)-1 <= len(head)
			if goesOn {
				was := &joined[last]
				end := len(was.cells) - 1
				was.cells[end] = strings.TrimSpace(was.cells[end] + " " + l.cells[0])
				was.cells = append(was.cells, l.cells[1:]...)
				continue
			}
			joined = append(joined, line{slices.Clone(l.cells), l.tabbed})
		}
		refs := 0
		for _, l := range lines {
			if refIn(strings.Join(l.cells, " ")) != "" {
				refs++
			}
		}
		for _, l := range joined {
			if len(l.cells) >= len(head)-2 && len(l.cells) <= len(head)+1 && len(l.cells) >= 2 {
				if r, ok := rowOf(l.cells, head); ok {
					rows = append(rows, r)
				}
			}
		}
		if len(rows) > 0 && len(rows) >= refs {
			return rows, true
		}
		if refs == 0 && len(rows) == 0 && tabbed {
			return nil, true // an empty table
		}
	}
	// One cell per line.
	cells := []string{}
	for _, l := range lines {
		if len(l.cells) > 2 || len(l.cells) == 2 && l.cells[1] != "" {
			return nil, false
		}
		cells = append(cells, l.cells[0])
	}
	for _, size := range []int{len(head), len(head) - 1} {
		if rows := chunks(cells, head[:size]); rows != nil {
			return rows, true
		}
	}
	return nil, false
}

// chunks splits a sequence of cells into rows as long as head, or returns nil if they do not fit.
func chunks(cells []string, head []column) (rows []Row) {
	at := slices.Index(head, reference)
	if at < 0 {
		return nil
	}
	for i := 0; i+len(head) <= len(cells); i += len(head) {
		part := cells[i : i+len(head)]
		if refIn(part[at]) == "" {
			break
		}
		if on := slices.Index(head, issued); on >= 0 && dayIn(part[on]) == "" {
			return nil
		}
		r, ok := rowOf(part, head)
		if !ok {
			return nil
		}
		rows = append(rows, r)
	}
	refs := 0
	for _, c := range cells {
		if refIn(c) != "" {
			refs++
		}
	}
	if len(rows) < refs {
		return nil
	}
	return rows
}

// rowOf reads the cells of one row.
func rowOf(cells []string, head []column) (r Row, ok bool) {
	for i, c := range cells {
		if i >= len(head) || nothing(c) {
			continue
		}
		switch head[i] {
		case reference:
			r.Reference = cmp.Or(refIn(c), ownNumber(c))
		case by:
			r.By = c
		case kind:
			r.Kind = c
		case description:
			r.Description = c
		case issued:
			r.Issued = dayIn(c)
		case due:
			r.Due = dayIn(c)
		case amount:
			if amountShape.MatchString(c) {
				r.Amount = c
			}
		}
	}
	r.Form = cmp.Or(formIn(r.Description), formIn(r.Kind), formIn(strings.Join(cells, " ")))
	return r, r.Reference != "" && (r.Issued != "" || r.Due != "" || r.Kind != "" || r.Description != "")
}

// byContent finds rows by their reference numbers and dates, wherever these are in the text.
func byContent(lines []line, head []column) (rows []Row) {
	lines = mended(lines)
	type token struct {
		text string
		line int
		ref  string
		day  string
	}
	all := []token{}
	for i, l := range lines {
		for _, c := range l.cells {
			all = append(all, split(c, func(text, ref, day string) token { return token{text, i, ref, day} })...)
		}
	}
	// If a line has the number of a case and that of a paper, the case is ignored.
	papers := map[int]bool{}
	for _, t := range all {
		if t.ref != "" && !isCase(t.ref) {
			papers[t.line] = true
		}
	}
	for i := range all {
		if all[i].ref != "" && isCase(all[i].ref) && papers[all[i].line] {
			all[i].ref, all[i].text = "", ""
		}
	}
	first := slices.IndexFunc(all, func(t token) bool { return t.ref != "" })
	if first < 0 {
		return nil
	}
	// Count the dates that precede the reference number in a row: according to the headings or, if they do not show it,
	// those before the first number, at most two.
	before := 0
	if place := slices.Index(head, reference); place >= 0 {
		for _, col := range head[:place] {
			if col == issued || col == due {
				before++
			}
		}
	} else {
		for _, t := range all[:first] {
			if t.day != "" {
				before++
			}
		}
		before = min(before, 2)
	}
	dayOf := func(t token) bool { return t.day != "" }
	starts := []int{}
	previous := -1
	for i, t := range all {
		if t.ref == "" {
			continue
		}
		start := i
		for left := before; left > 0 && start-1 > previous; {
			start--
			if dayOf(all[start]) {
				left--
			}
		}
		if before > 0 {
			// Whatever precedes the first of these dates on the same line belongs to the row too.
			for start-1 > previous && all[start-1].line == all[start].line {
				start--
			}
		}
		starts = append(starts, start)
		previous = i
	}
	firstDue := slices.Contains(head, due) && slices.Index(head, due) < slices.Index(head, issued)
	for n, start := range starts {
		end := len(all)
		if n+1 < len(starts) {
			end = starts[n+1]
		}
		r, days, words, afterLines := Row{}, []string{}, []string{}, 0
		for i := start; i < end; i++ {
			t := all[i]
			switch {
			case t.ref != "" && r.Reference == "":
				r.Reference, afterLines = t.ref, t.line
			case n+1 == len(starts) && afterLines > 0 && t.line > afterLines+10:
				continue // below the table
			case footer.MatchString(t.text):
				end = i
			case t.day != "":
				if len(days) < 2 {
					days = append(days, t.day)
				}
			case t.text == "" || nothing(t.text):
			case amountShape.MatchString(t.text) && len(t.text) > 3:
				r.Amount = cmp.Or(r.Amount, t.text)
			default:
				words = append(words, t.text)
			}
		}
		describe(&r, words)
		switch {
		case len(days) == 2 && (days[0] > days[1]) != firstDue:
			r.Issued, r.Due = days[1], days[0]
		case len(days) == 2:
			r.Issued, r.Due = days[0], days[1]
		case len(days) == 1 && slices.Contains(head, due) && !slices.Contains(head, issued):
			r.Due = days[0]
		case len(days) == 1:
			r.Issued = days[0]
		}
		if firstDue && len(days) == 2 {
			r.Issued, r.Due = min(days[0], days[1]), max(days[0], days[1])
		}
		if len(days) == 0 && len(words) == 0 {
			continue // only a number, as in a sentence
		}
		rows = append(rows, r)
	}
	return rows
}

var footer = lazyregexp.New(`(?i)^(?:last updated|site last|©|designed|\d+ - \d+ of \d+|back$|records per page)`)

// describe fills in a row's form, kind and description from its words.
func describe(r *Row, words []string) {
	text := strings.Join(words, " ")
	r.Form = formIn(text)
	if m := kindShape.FindString(text); m != "" {
		r.Kind = strings.ToUpper(m)
	}
	text = strings.Join(strings.Fields(buttons.ReplaceAllString(text, " ")), " ")
	if letters := []rune(text); len(letters) > 300 {
		text = string(letters[:300])
	}
	r.Description = strings.TrimFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == ',' || c == ';' })
}

var (
	kindShape = lazyregexp.New(`(?i)\b(?:notice|order|intimation|reminder|summons)\b`)
	buttons   = lazyregexp.New(`(?i)\b(?:download|view)\b|डाउनलोड`)
)

// mended joins reference numbers that were broken over two lines, with one part at the beginning of each.
func mended(lines []line) []line {
	out := []line{}
	for i := 0; i < len(lines); i++ {
		l := line{slices.Clone(lines[i].cells), lines[i].tabbed}
		if i+1 < len(lines) && len(l.cells) > 0 && len(lines[i+1].cells) > 0 {
			first, rest, _ := strings.Cut(l.cells[0], " ")
			next, after, _ := strings.Cut(lines[i+1].cells[0], " ")
			broken := len(first) >= 5 && len(next) >= 2 && len(first)+len(next) == 15
			if broken && refIn(first) == "" && refIn(next) == "" && refIn(first+next) != "" {
				l.cells[0] = strings.TrimSpace(first + next + " " + rest)
				l.cells = append(l.cells, after)
				l.cells = append(l.cells, lines[i+1].cells[1:]...)
				i++
			}
		}
		out = append(out, l)
	}
	return out
}

// split splits a cell into reference numbers, dates and the text between them.
func split[T any](cell string, as func(text, ref, day string) T) (out []T) {
	words := []string{}
	flush := func() {
		if len(words) > 0 {
			out = append(out, as(strings.Join(words, " "), "", ""))
			words = nil
		}
	}
	fields := strings.Fields(cell)
	for i := 0; i < len(fields); i++ {
		if ref := refIn(fields[i]); ref != "" {
			flush()
			out = append(out, as(fields[i], ref, ""))
			continue
		}
		// A date can have up to three words.
		found := false
		for n := min(3, len(fields)-i); n >= 1; n-- {
			if day := dayIn(strings.Join(fields[i:i+n], " ")); day != "" {
				flush()
				out = append(out, as("", "", day))
				i += n - 1
				found = true
				break
			}
		}
		if found {
			continue
		}
		sum := amountShape.MatchString(strings.Trim(fields[i], "₹")) && len(fields[i]) > 4 && strings.ContainsAny(fields[i], ",.")
		if nothing(fields[i]) || sum {
			flush()
			out = append(out, as(fields[i], "", ""))
			continue
		}
		words = append(words, fields[i])
	}
	flush()
	return out
}

var amountShape = lazyregexp.New(`^(?:₹|Rs\.?)?\s*\d[\d,]*(?:\.\d{1,2})?$`)

func nothing(c string) bool {
	switch strings.ToLower(strings.Trim(c, " .")) {
	case "", "-", "--", "na", "n/a", "nil", "null", "लागू नहीं":
		return true
	}
	return false
}

// lookalikes replaces letters that are read in images where digits are printed.
var lookalikes = strings.NewReplacer("O", "0", "Q", "0", "D", "0", "I", "1", "L", "1", "Z", "2", "S", "5", "B", "8", "G", "6")

var (
	rfnShape = lazyregexp.New(`^[A-Z]{2}\d{12}[0-9A-Z]$`)
	dinShape = lazyregexp.New(`^20\d{2}(?:0[1-9]|1[0-2])[0-9A-Z]{14}$`)
)

// refIn returns a word as an official reference number, or "" if it is not one: 15 characters such as ZD270524001122B
// (digits that were misread as letters are corrected), or a DIN of 20.
func refIn(word string) string {
	w := strings.ToUpper(strings.Trim(word, " .,;:()[]'\""))
	switch len(w) {
	case 15:
		if gstinShape.MatchString(w) {
			return ""
		}
		start := w[:2]
		if start[0] == '2' {
			start = "Z" + start[1:]
		}
		if start[1] == '0' {
			start = start[:1] + "D"
		}
		w = start + lookalikes.Replace(w[2:14]) + w[14:]
		if rfnShape.MatchString(w) && w[2:4] <= "99" && w[4:6] >= "01" && w[4:6] <= "12" {
			return w
		}
	case 20:
		if dinShape.MatchString(w) && strings.ContainsFunc(w, unicode.IsLetter) {
			return w
		}
	}
	return ""
}

// isCase reports whether a number identifies a case or an application rather than a paper.
func isCase(ref string) bool { return strings.HasPrefix(ref, "A") }

// ownNumber returns a cell of the reference column if it looks like a number that the office assigned itself, else "".
func ownNumber(c string) string {
	digits := 0
	for _, r := range c {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits < 3 || len(c) < 5 || len(c) > 60 || dayIn(c) != "" {
		return ""
	}
	return c
}

var formShape = lazyregexp.New(`(?i)(?:^|[^a-z])(GSTR|ASMT|ADT|DRC|REG|CMP|PCT|RFD|MOV|SPL|APL|RVN)[\s\-_.]*0*(\d{1,2})\s*-?([A-D])?(?:[^a-z0-9]|$)`)

func formIn(text string) string {
	m := formShape.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[2]) // the pattern allows only digits
	number := strconv.Itoa(n)
	if n < 10 && !strings.EqualFold(m[1], "GSTR") {
		number = "0" + number
	}
	return strings.ToUpper(m[1]) + "-" + number + strings.ToUpper(m[3])
}

var (
	numericDay = lazyregexp.New(`^(\d{1,2})[./\-](\d{1,2})[./\-](\d{4}|\d{2})$`)
	isoDay     = lazyregexp.New(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	namedDay   = lazyregexp.New(`(?i)^(\d{1,2})[\s\-/.,]+([a-z]{3,9})[\s\-/.,]+(\d{4}|\d{2})$`)
)

// dayIn returns the date in a cell in ISO format, or "" if the cell holds anything but a date and a time.
func dayIn(c string) string {
	c = strings.Trim(c, " .,;()")
	if first, rest, found := strings.Cut(c, " "); found && strings.Contains(rest, ":") && len(rest) <= 11 {
		c = first
	}
	whole := func(y, m, d string) string {
		year, _ := strconv.Atoi(y) // the patterns allow only digits
		month, err := strconv.Atoi(m)
		day, _ := strconv.Atoi(d)
		if err != nil {
			at, err := time.Parse("Jan", strings.ToUpper(m[:1])+strings.ToLower(m[1:3]))
			if err != nil {
				return ""
			}
			month = int(at.Month())
		}
		if year < 100 {
			year += 2000
		}
		at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if at.Day() != day || int(at.Month()) != month || year < 2017 || year > 2100 {
			return ""
		}
		return at.Format(time.DateOnly)
	}
	if m := numericDay.FindStringSubmatch(c); m != nil {
		return whole(m[3], m[2], m[1])
	}
	if m := isoDay.FindStringSubmatch(c); m != nil {
		return whole(m[1], m[2], m[3])
	}
	if m := namedDay.FindStringSubmatch(c); m != nil {
		return whole(m[3], m[2], m[1])
	}
	return ""
}

// Text returns the text of an HTML page, with tabs between the cells of a row. Scripts, styles and the like are left
// out.
func Text(page string) string {
	var b strings.Builder
	inCell, skip := 0, ""
	for page != "" {
		text, rest, found := strings.Cut(page, "<")
		if skip == "" {
			words := strings.Join(strings.Fields(html.UnescapeString(text)), " ")
			if words != "" {
				if startsWithSpace(text) {
					b.WriteByte(' ')
				}
				b.WriteString(words)
				if endsWithSpace(text) {
					b.WriteByte(' ')
				}
			}
		}
		if !found {
			break
		}
		if strings.HasPrefix(rest, "!--") {
			_, rest, _ = strings.Cut(rest, "-->")
			page = rest
			continue
		}
		tag, after, _ := strings.Cut(rest, ">")
		page = after
		closing := strings.HasPrefix(tag, "/")
		name := strings.ToLower(strings.TrimLeft(tag, "/ "))
		if end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); end >= 0 {
			name = name[:end]
		}
		if skip != "" {
			if closing && name == skip {
				skip = ""
			}
			continue
		}
		switch name {
		case "script", "style", "noscript", "template", "svg", "select":
			if !closing && !strings.HasSuffix(tag, "/") {
				skip = name
			}
		case "td", "th":
			if closing {
				inCell = max(0, inCell-1)
				b.WriteByte('\t')
			} else {
				inCell++
			}
		case "tr", "table":
			inCell = 0
			b.WriteByte('\n')
		case "br", "p", "div", "li", "h1", "h2", "h3", "h4", "option", "title", "footer", "header", "section":
			if inCell > 0 {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func startsWithSpace(s string) bool { return s != "" && unicode.IsSpace(rune(s[0])) }

func endsWithSpace(s string) bool { return s != "" && unicode.IsSpace(rune(s[len(s)-1])) }
