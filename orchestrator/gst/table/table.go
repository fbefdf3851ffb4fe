// Package table finds the tables among the words of pages, and proves by arithmetic which rows and columns are totals
// of others, or differences between them. It takes words with their boxes and knows nothing about their meaning: a
// table that adds up is a table, whatever its headings are.
package table

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// Word is a word with its position. Words come line by line, and each line from left to right, as the reader of a
// page returns them.
type Word struct {
	Text           string
	Start, End     int // byte offsets in the caller's text
	Page           int
	X0, Y0, X1, Y1 float64 // in any unit of length, from the upper left corner
}

// Table is a grid of amounts with the words beside and above them.
type Table struct {
	Start, End int // byte offsets in the caller's text, beginning with the heading
	Body       int // byte offset of the first row of amounts
	Page       int
	Columns    []Column
	Rows       []Row
	Unit       int64 // rounding tolerance of each addend of a sum, in paise
}

// Column is a column of amounts.
type Column struct {
	Heading string
	Line            // its relation to other columns
	X0, X1  float64 // its horizontal extent
}

// Row is a row of amounts. Label is the text beside them, including the lines into which it wraps.
type Row struct {
	Label      string
	Line       // its relation to other rows
	Cells      []Cell
	Start, End int
	Page       int
}

// Cell is a cell of a column. A cell without an amount may have text. Beside is the text directly before an amount on
// its line.
type Cell struct {
	Amount     Amount
	Text       string
	Beside     string
	Start, End int
}

// Line is the arithmetical relation of a row or a column to others.
type Line struct {
	Role Role
	// From and To are the lines, excluding To, that a total sums up or from which a difference is computed.
	From, To int
	// Misfit means that the line is called a total, or almost is one, but does not add up.
	Misfit bool
}

// Role is what a row or column is in relation to the others.
type Role int

const (
	Detail     Role = iota // a plain line
	Total                  // the sum of others
	Difference             // the difference of two other lines
	Working                // a line from which a difference is computed
	Apart                  // not an addend of the totals beside it, such as a taxable value
)

const (
	mostColumns = 40
	mostRows    = 400
	longestWrap = 3 // lines without amounts between two rows of one table
	mostHeading = 6 // lines of a heading
	proseWords  = 9 // words without a gap that are a sentence, not a cell
	cellGap     = 1.4
)

// piece is a part of a line: words, or one amount.
type piece struct {
	from, to int // indexes of words
	x0, x1   float64
	amount   Amount
	clean    bool // separated by gaps or rules
}

// line is a line of the page.
type line struct {
	pieces  []piece
	amounts int  // number of pieces that are amounts
	grid    bool // its amounts are arranged as in a table
	paired  bool // grid is set only because of pairs
	pairs   int  // number of cells with a word or two and an amount, "CGST 500"
	prose   bool
	loose   bool // it is the total of a table although it is not aligned with its columns
	page    int
	char    float64 // the mean width of a character
	low     float64 // its lower edge
	high    float64
}

// Find returns the tables among the words in order, in time proportional to the number of words.
func Find(words []Word) []Table {
	f := finder{words: ordered(words)}
	f.split()
	if f.unstack() {
		f.lines = nil
		f.split()
	}
	var tables []Table
	used := 0 // lines before it belong to an earlier table
	for i := 0; i < len(f.lines); {
		if !f.lines[i].grid {
			i++
			continue
		}
		t, next := f.table(i, used)
		if t != nil {
			t.prove()
			tables = append(tables, *t)
			used = next
		}
		i = max(next, i+1)
	}
	return tables
}

type finder struct {
	words []Word
	lines []line
}

// split makes lines from words, and pieces from lines.
func (f *finder) split() {
	for from := 0; from < len(f.words); {
		to := from + 1
		for to < len(f.words) && sameLine(f.words[to-1], f.words[to]) {
			to++
		}
		if l := f.line(from, to); !f.isRule(l) {
			f.lines = append(f.lines, l)
		}
		from = to
	}
}

// isRule reports whether a line is drawn with dashes.
func (f *finder) isRule(l line) bool {
	return len(l.pieces) == 0 || !slices.ContainsFunc(l.pieces, func(p piece) bool {
		return slices.ContainsFunc(f.words[p.from:p.to], func(w Word) bool {
			return len(w.Text) < 3 && w.Text != "|" && w.Text != "+" || strings.Trim(w.Text, "-_=+|.:") != ""
		})
	})
}

func sameLine(a, b Word) bool {
	if a.Page != b.Page || b.X0 < a.X0 {
		return false
	}
	return min(a.Y1, b.Y1)-max(a.Y0, b.Y0) > -0.3*max(a.Y1-a.Y0, b.Y1-b.Y0)
}

func (f *finder) line(from, to int) line {
	l := line{page: f.words[from].Page, high: f.words[from].Y0, low: f.words[from].Y1}
	width, letters := 0.0, 0
	for _, w := range f.words[from:to] {
		width += w.X1 - w.X0
		letters += len([]rune(w.Text))
		l.high, l.low = min(l.high, w.Y0), max(l.low, w.Y1)
	}
	l.char = width / float64(max(letters, 1))
	for at := from; at < to; {
		end := at + 1
		for end < to && f.words[end].X0-f.words[end-1].X1 <= cellGap*l.char && f.words[end].Text != "|" &&
			f.words[end-1].Text != "|" {
			end++
		}
		f.cell(&l, at, end)
		at = end
	}
	last, run := -2, 0
	for i, p := range l.pieces {
		if p.amount.Nil && last != i-1 && i+1 < len(l.pieces) && isNA(f.words[p.from].Text) {
			l.pieces[i].amount = Amount{} // it is in a column without amounts, such as the place of supply
			p = l.pieces[i]
		}
		if !p.amount.Is() {
			run = 0
			continue
		}
		l.amounts++
		if last == i-1 || run == 0 {
			run++
		}
		last = i
		l.grid = l.grid || p.clean && p.amount.Digits() || run > 1 && i == len(l.pieces)-1
	}
	if l.numbersColumns() {
		l.grid, l.amounts = false, 0
		for i := range l.pieces {
			l.pieces[i].amount = Amount{}
		}
	}
	longest := 0
	for _, p := range l.pieces {
		if !p.amount.Is() {
			longest = max(longest, p.to-p.from)
		}
	}
	l.prose = longest >= proseWords && (l.amounts == 0 || !l.pieces[len(l.pieces)-1].amount.Is())
	l.paired = !l.grid && l.pairs > 1
	l.grid = l.grid || l.paired
	l.grid = l.grid && !l.prose && (l.amounts > 1 || len(l.pieces) > 1 || l.pieces[0].amount.Grouped ||
		l.pieces[0].amount.decimal)
	return l
}

// numbersColumns reports whether a line numbers the columns, "1  2  3  4" or "(1)  (2)  (3)".
func (l line) numbersColumns() bool {
	if l.amounts < 3 || l.amounts != len(l.pieces) {
		return false
	}
	first := int(max(l.pieces[0].amount.Paise, -l.pieces[0].amount.Paise) / 100)
	for i, p := range l.pieces {
		if !p.amount.Counts(first + i) {
			return false
		}
	}
	return first > 0
}

func isNA(word string) bool {
	return strings.Trim(strings.ToLower(word), "n./a") == "" && len(word) > 1
}

// cell adds the words from one gap to the next: an amount, or words, or both.
func (f *finder) cell(l *line, from, to int) {
	add := func(from, to int, amount Amount) {
		l.pieces = append(l.pieces, piece{from: from, to: to, x0: f.words[from].X0, x1: f.words[to-1].X1,
			amount: amount})
	}
	start := len(l.pieces)
	text := from
	for at := from; at < to; {
		run, next, sure := f.amounts(at, to)
		if len(run) == 0 {
			at++
			continue
		}
		if whole := at == from && next == to; !whole && !sure && len(run) < 2 {
			at = next // "section 50", "14 invoices"
			continue
		}
		if text < at {
			add(text, at, Amount{})
		}
		for _, p := range run {
			add(p.from, p.to, p.amount)
		}
		at, text = next, next
	}
	if text < to && !(text+1 == to && f.words[text].Text == "|") {
		add(text, to, Amount{})
	}
	if len(l.pieces) == start+1 {
		l.pieces[start].clean = true
	}
	if p := l.pieces[start:]; len(p) == 2 && !p[0].amount.Is() && p[0].to-p[0].from < 3 && p[1].amount.Grouped {
		l.pairs++
	}
}

// amounts returns the successive amounts from a word on, and whether one of them is certainly money.
func (f *finder) amounts(at, to int) (run []piece, next int, sure bool) {
	next = at
	for next < to {
		amount, n := readAmount(f.words[next:to])
		if n == 0 {
			break
		}
		run = append(run, piece{from: next, to: next + n, amount: amount})
		sure = sure || amount.Grouped || amount.decimal && amount.Paise >= 100_00
		next += n
	}
	return run, next, sure
}

// table reads the table whose first row is line i; used is the first line that does not belong to an earlier table.
func (f *finder) table(i, used int) (*Table, int) {
	rows := []int{i}
	cols := f.extents(nil, i)
	next := i + 1
	for wrap := 0; next < len(f.lines) && len(rows) < mostRows; next++ {
		l := f.lines[next]
		broken := l.page != f.lines[rows[len(rows)-1]].page
		if broken && f.closes(rows[len(rows)-1]) && f.sameCells(i, next) {
			break // the same table again, as in an order after its summary
		}
		if l.grid && f.continues(cols, next, rows) {
			rows = append(rows, next)
			cols = f.extents(cols, next)
			wrap = 0
			continue
		}
		if f.isLooseTotal(cols, next, rows) {
			rows = append(rows, next)
			f.lines[next].loose = true
			next++
			break
		}
		if f.open(cols, next) && next+1 < len(f.lines) && f.lines[next+1].grid && f.continues(cols, next+1, rows) {
			rows = append(rows, next)
			wrap = 0
			continue
		}
		wrap++
		if l.grid || l.prose || wrap > longestWrap+btoi(broken)*3 ||
			f.heads(cols, next, f.closes(rows[len(rows)-1])) && !(broken && f.repeats(i, next)) {
			break
		}
	}
	last := rows[len(rows)-1]
	if len(cols) > mostColumns || len(cols) == 0 || len(rows) == 1 && f.lines[i].paired {
		return nil, last + 1
	}
	t := &Table{Page: f.lines[i].page}
	columns := f.columns(slices.DeleteFunc(slices.Clone(rows), func(r int) bool { return f.lines[r].loose }), cols)
	if columns == nil {
		return nil, last + 1
	}
	end := last + 1
	for end < min(next, len(f.lines)) && end <= last+longestWrap && f.lines[end].page == f.lines[last].page &&
		f.wraps(columns, end) {
		end++
	}
	f.fill(t, rows, columns, end)
	top := f.heading(t, rows, used)
	t.Body = f.words[f.lines[i].pieces[0].from].Start
	t.Start = f.words[f.lines[top].pieces[0].from].Start
	t.End = t.Rows[len(t.Rows)-1].End
	t.drop()
	amounts := 0
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			amounts += btoi(c.Amount.Is())
		}
	}
	if amounts < 2 {
		return nil, last + 1
	}
	return t, last + 1
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

type extent struct{ x0, x1 float64 }

func overlap(a, b extent) float64 { return min(a.x1, b.x1) - max(a.x0, b.x0) }

// extents adds the amounts of a line to the known columns.
func (f *finder) extents(cols []extent, i int) []extent {
	taken := make([]bool, len(cols), len(cols)+4)
	for _, p := range f.lines[i].pieces {
		if !p.amount.Is() || len(cols) > mostColumns {
			continue
		}
		at := extent{p.x0, p.x1}
		best, most := -1, 0.0
		for c, col := range cols {
			if o := overlap(at, col); o > most && !taken[c] {
				best, most = c, o
			}
		}
		if best < 0 {
			cols, taken = append(cols, at), append(taken, true)
			continue
		}
		taken[best] = true
		cols[best] = extent{min(cols[best].x0, at.x0), max(cols[best].x1, at.x1)}
	}
	return cols
}

// continues reports whether a line of amounts continues the rows: its amounts are below theirs, or there are as many.
func (f *finder) continues(cols []extent, i int, rows []int) bool {
	fit, all := 0, 0
	for _, p := range f.lines[i].pieces {
		if !p.amount.Is() {
			continue
		}
		all++
		for _, col := range cols {
			if overlap(extent{p.x0, p.x1}, col) > 0 {
				fit++
				break
			}
		}
	}
	if all == 1 && len(cols) > 2 && f.lines[i].plain() {
		return false
	}
	same := all > 1 && all == f.lines[rows[len(rows)-1]].amounts
	return 2*fit > all || same || fit > 0 && 2*fit == all
}

// isLooseTotal reports whether a line next to the rows is called a total and has no more amounts than there are
// columns, wherever they are.
func (f *finder) isLooseTotal(cols []extent, i int, rows []int) bool {
	l := f.lines[i]
	last := rows[len(rows)-1]
	return l.grid && l.page == f.lines[last].page && i-last <= 2 && !l.pieces[0].amount.Is() && l.amounts > 1 &&
		l.amounts <= len(cols) &&
		len(l.pieces) == l.amounts+1 && IsTotal(f.text(l.pieces[0])) && 2*l.amounts > len(cols)
}

// plain reports whether a line's amounts are small plain numbers, which may be counts or line numbers.
func (l line) plain() bool {
	return !slices.ContainsFunc(l.pieces, func(p piece) bool {
		return p.amount.Nil || p.amount.Is() && (p.amount.Grouped || p.amount.decimal || p.amount.Paise >= 1000_00)
	})
}

// heads reports whether a line without amounts is the heading of another table: words above several columns or, after
// a total has closed the rows, any three cells of words.
func (f *finder) heads(cols []extent, i int, closed bool) bool {
	if l := f.lines[i]; closed && l.amounts == 0 && len(l.pieces) > 2 || f.headsOther(i) {
		return true
	}
	n := 0
	for _, p := range f.lines[i].pieces {
		for _, col := range cols {
			if overlap(extent{p.x0, p.x1}, col) > 0 {
				n++
				break
			}
		}
	}
	return n > 1 && n*2 > len(cols)
}

// headsOther reports whether a line without amounts is the heading of a row below it that has an amount under each
// of its cells, words of its own to the left of them, and not as many amounts as the row above.
func (f *finder) headsOther(i int) bool {
	l := f.lines[i]
	if i == 0 || i+1 >= len(f.lines) || l.amounts > 0 || l.prose || len(l.pieces) < 2 || f.lines[i-1].page != l.page {
		return false
	}
	next := f.lines[i+1]
	if next.page != l.page || next.amounts != len(l.pieces) || len(next.pieces) != next.amounts+1 ||
		next.pieces[0].amount.Is() || next.amounts == f.lines[i-1].amounts {
		return false
	}
	for k, p := range l.pieces {
		under := next.pieces[k+1]
		if p.to-p.from > 3 || !under.amount.Is() || overlap(extent{p.x0, p.x1}, extent{under.x0, under.x1}) <= 0 {
			return false
		}
	}
	return true
}

// open reports whether a line is a row in which every amount is left open, "Interest  as applicable  as applicable".
func (f *finder) open(cols []extent, i int) bool {
	n := 0
	for k, p := range f.lines[i].pieces {
		switch {
		case p.amount.Digits():
			return false
		case k > 0 && IsOpen(f.text(p)):
			n++
		case within(cols, extent{p.x0, p.x1}) >= 0 && !p.amount.Is() && k > 0:
			return false
		}
	}
	return n > 0
}

// closes reports whether a line is called a total.
func (f *finder) closes(i int) bool { return IsTotal(f.text(f.lines[i].pieces[0])) }

// sameCells reports whether two lines have the same cells.
func (f *finder) sameCells(a, b int) bool {
	return slices.EqualFunc(f.lines[a].pieces, f.lines[b].pieces, func(p, q piece) bool {
		return strings.EqualFold(f.text(p), f.text(q))
	})
}

// repeats reports whether a line has the words of the heading above a table's first row, as on a page where the table
// continues.
func (f *finder) repeats(first, i int) bool {
	above := map[string]bool{}
	for k := max(0, first-mostHeading); k < first; k++ {
		for _, p := range f.lines[k].pieces {
			for _, w := range f.words[p.from:p.to] {
				above[strings.ToLower(w.Text)] = true
			}
		}
	}
	same, all := 0, 0
	for _, p := range f.lines[i].pieces {
		for _, w := range f.words[p.from:p.to] {
			all++
			same += btoi(above[strings.ToLower(w.Text)])
		}
	}
	return 3*same >= 2*all
}

// wraps reports whether a line continues the label of the row above, with words beside the columns.
func (f *finder) wraps(cols []extent, i int) bool {
	l := f.lines[i]
	if l.prose || l.grid || l.amounts > 0 {
		return false
	}
	if len(cols) > 1 && len(l.pieces) > len(cols) {
		return false // a row of its own, with words in the place of amounts: "Interest | as applicable | as applicable"
	}
	for _, p := range l.pieces {
		if p.to-p.from >= proseWords {
			return false
		}
		for _, col := range cols {
			if overlap(extent{p.x0, p.x1}, col) > 0 {
				return false
			}
		}
	}
	return len(l.pieces) > 0
}

// columns returns the columns from left to right. If nearly all rows have equally many amounts, and the edges of
// columns are unclear, amounts are assigned by their order.
func (f *finder) columns(rows []int, cols []extent) []extent {
	counts := map[int]int{}
	for _, r := range rows {
		counts[f.lines[r].amounts]++
	}
	common, most := 0, 0
	for n, k := range counts {
		if k > most || k == most && n > common {
			common, most = n, k
		}
	}
	if len(cols) != common && common > 1 && 5*most >= 4*len(rows) {
		cols = make([]extent, common)
		for c := range cols {
			cols[c] = extent{math.Inf(1), math.Inf(-1)}
		}
		for _, r := range rows {
			if f.lines[r].amounts != common {
				continue
			}
			c := 0
			for _, p := range f.lines[r].pieces {
				if p.amount.Is() {
					cols[c] = extent{min(cols[c].x0, p.x0), max(cols[c].x1, p.x1)}
					c++
				}
			}
		}
	}
	sort.Slice(cols, func(i, j int) bool { return cols[i].x0+cols[i].x1 < cols[j].x0+cols[j].x1 })
	return cols
}

// fill makes rows from the lines. Lines between two of them continue the label of the first.
func (f *finder) fill(t *Table, rows []int, cols []extent, end int) {
	for _, c := range cols {
		t.Columns = append(t.Columns, Column{X0: c.x0, X1: c.x1})
	}
	for n, r := range rows {
		l := f.lines[r]
		until := end
		if n+1 < len(rows) {
			until = rows[n+1]
		}
		row := Row{Cells: make([]Cell, len(cols)), Page: l.page, Start: f.words[l.pieces[0].from].Start,
			End: f.words[l.pieces[len(l.pieces)-1].to-1].End}
		byOrder := l.amounts == len(cols)
		c := 0
		if l.loose {
			byOrder, c = true, max(0, len(cols)-l.amounts)
		}
		var label []string
		beside := ""
		for _, p := range l.pieces {
			cell := Cell{Amount: p.amount, Text: f.text(p), Start: f.words[p.from].Start, End: f.words[p.to-1].End}
			if p.amount.Is() {
				at := c
				if !byOrder {
					at = nearest(cols, extent{p.x0, p.x1})
				}
				c++
				if cell.Beside, beside = beside, ""; !row.Cells[at].Amount.Is() {
					row.Cells[at] = cell
				}
				continue
			}
			beside = cell.Text
			if at := within(cols, extent{p.x0, p.x1}); at >= 0 && !byOrder && row.Cells[at].Text == "" &&
				len(label) > 0 {
				row.Cells[at] = cell
				continue
			}
			label = append(label, cell.Text)
		}
		for w := r + 1; w < until; w++ {
			wrapped := f.lines[w]
			if wrapped.page != l.page || !f.wraps(cols, w) {
				continue
			}
			for _, p := range wrapped.pieces {
				label = append(label, f.text(p))
			}
			row.End = f.words[wrapped.pieces[len(wrapped.pieces)-1].to-1].End
		}
		row.Label = strings.Join(label, " ")
		t.Rows = append(t.Rows, row)
	}
}

func (f *finder) text(p piece) string {
	var parts []string
	for _, w := range f.words[p.from:p.to] {
		if w.Text != "|" {
			parts = append(parts, w.Text)
		}
	}
	return strings.Join(parts, " ")
}

// within returns the column that overlaps an extent most, -1 for none.
func within(cols []extent, at extent) int {
	best, most := -1, 0.0
	for c, col := range cols {
		if o := overlap(at, col); o > most {
			best, most = c, o
		}
	}
	return best
}

func nearest(cols []extent, at extent) int {
	if c := within(cols, at); c >= 0 {
		return c
	}
	best, least := 0, math.Inf(1)
	for c, col := range cols {
		if d := math.Abs(col.x0 + col.x1 - at.x0 - at.x1); d < least {
			best, least = c, d
		}
	}
	return best
}

// heading reads the lines above the first row into the columns' headings, and returns the first of these lines.
func (f *finder) heading(t *Table, rows []int, used int) int {
	first := rows[0]
	cols := make([]extent, len(t.Columns))
	for c, col := range t.Columns {
		cols[c] = extent{col.X0, col.X1}
	}
	top, aligned, complete := first, false, false
	for i := first - 1; i >= max(used, first-mostHeading); i-- {
		l := f.lines[i]
		if l.page != f.lines[first].page || l.prose || l.grid && l.amounts > 1 || f.endsSentence(l) || f.namesSums(l) {
			break
		}
		if gap := f.lines[i+1].high - l.low; aligned && gap > 3*(l.low-l.high) {
			break // too far above
		}
		if complete && f.tells(l) {
			break // the heading is complete, and running text is above it
		}
		over := map[int]bool{}
		wide := false
		for _, p := range l.pieces {
			if c := within(cols, extent{p.x0, p.x1}); c >= 0 {
				over[c] = true
			}
			spans := 0
			for _, col := range cols {
				if overlap(extent{p.x0, p.x1}, col) > 0 {
					spans++
				}
			}
			wide = wide || p.to-p.from > 5 && len(l.pieces) == 1 || spans > 2 && p.to-p.from > 2*spans
		}
		if wide || len(over) == 0 && (len(l.pieces) < 2 || aligned) {
			if len(l.pieces) == 1 && !wide && l.pieces[0].to-l.pieces[0].from <= 3 && i == first-1 {
				continue // the first line of the first row's label
			}
			break
		}
		if len(l.pieces) == 1 && len(cols) > 1 && aligned && l.pieces[0].to-l.pieces[0].from > 3 {
			break
		}
		aligned = aligned || len(over) > 1 || len(cols) == 1
		complete = complete || (len(over) == len(cols) || len(l.pieces) >= len(cols) && len(cols) > 1) &&
			!l.rates(f.words) && !f.tells(l)
		top = i
	}
	f.name(t, cols, rows, top, first)
	return top
}

// tells reports whether a line is running text: it has phrases too long for the name of a column, an amount, or the
// end of a sentence.
func (f *finder) tells(l line) bool {
	const longest = 4
	for _, p := range l.pieces {
		if p.amount.Is() || p.to-p.from > longest {
			return true
		}
	}
	last := f.words[l.pieces[len(l.pieces)-1].to-1].Text
	return strings.HasSuffix(last, ";") || strings.HasSuffix(last, ".") && len(last) > 4
}

// namesSums reports whether a line has more than one amount in rupees, as sentences have and headings do not.
func (f *finder) namesSums(l line) bool {
	sums := 0
	for i := l.pieces[0].from; i < l.pieces[len(l.pieces)-1].to-1; i++ {
		next := f.words[i+1].Text
		if word := strings.ToLower(f.words[i].Text); (word == "rs." || word == "rs" || word == "₹") &&
			strings.IndexAny(next, "0123456789") == 0 {
			sums++
		}
	}
	return sums > 1
}

// endsSentence reports whether a line ends like a sentence or an announcement.
func (f *finder) endsSentence(l line) bool {
	text := f.words[l.pieces[len(l.pieces)-1].to-1].Text
	return len(l.pieces) == 1 && (strings.HasSuffix(text, ":") || strings.HasSuffix(text, ":-") ||
		strings.HasSuffix(text, "।") ||
		strings.HasSuffix(text, ".") && (l.pieces[0].to-l.pieces[0].from > 3 || len(text) > 5))
}

// name names the columns from the lines above them. Headings may be anywhere over right-aligned amounts: a line with
// as many words or phrases as there are columns, not counting those over labels, names the columns in order, and
// other lines are aligned with it.
func (f *finder) name(t *Table, cols []extent, rows []int, top, first int) {
	var labels []extent
	for _, r := range rows[:min(len(rows), 20)] {
		for _, p := range f.lines[r].pieces {
			if !p.amount.Is() && len(labels) < mostColumns && within(cols, extent{p.x0, p.x1}) < 0 {
				labels = append(labels, extent{p.x0, p.x1})
			}
		}
	}
	over, inOrder := cols, -1
	var named []piece // by column
	for i := first - 1; i >= top && inOrder < 0; i-- {
		if f.lines[i].rates(f.words) {
			continue
		}
		if named = f.inOrder(i, rows, cols, labels); named != nil {
			inOrder = i
			over = make([]extent, len(cols))
			for c, p := range named {
				over[c] = extent{p.x0, p.x1}
			}
		}
	}
	for i := top; i < first; i++ {
		if f.lines[i].rates(f.words) {
			continue
		}
		if i == inOrder {
			for c, p := range named {
				t.Columns[c].Heading = strings.TrimSpace(t.Columns[c].Heading + " " + f.text(p))
			}
			continue
		}
		if l := f.lines[i]; inOrder >= 0 && len(l.pieces) == 1 && l.pieces[0].to-l.pieces[0].from > 2 {
			continue // a caption
		}
		for c, words := range f.over(over, f.lines[i]) {
			t.Columns[c].Heading = strings.TrimSpace(t.Columns[c].Heading + " " + words)
		}
	}
	t.group()
}

// group adds the heading above the middle of a group to every column of the group. If columns have two or more names
// in turn, "claimed, allowed, claimed, allowed", the other words above them belong to the group. Totals may follow
// the last group.
func (t *Table) group() {
	columns := t.Columns
	for len(columns) > 4 && IsTotal(columns[len(columns)-1].Heading) && len(columns)%2 == 1 {
		columns = columns[:len(columns)-1]
	}
	for size := 2; 2*size <= len(columns); size++ {
		if len(columns)%size != 0 {
			continue
		}
		names := make([][]string, size)
		fits := true
		for n := range size {
			names[n] = strings.Fields(columns[n].Heading)
			for k := n + size; k < len(columns); k += size {
				names[n] = sameEnd(names[n], strings.Fields(columns[k].Heading))
			}
			fits = fits && len(names[n]) > 0 && !slices.ContainsFunc(names[:n], func(o []string) bool {
				return slices.Equal(o, names[n])
			})
		}
		if !fits {
			continue
		}
		for first := 0; first < len(columns); first += size {
			var over []string
			for n := range size {
				words := strings.Fields(columns[first+n].Heading)
				over = append(over, words[:len(words)-len(names[n])]...)
			}
			for n := range size {
				columns[first+n].Heading = strings.Join(append(slices.Clone(over), names[n]...), " ")
			}
		}
		return
	}
}

// sameEnd returns the words with which both end.
func sameEnd(a, b []string) []string {
	n := 0
	for n < min(len(a), len(b)) && strings.EqualFold(a[len(a)-1-n], b[len(b)-1-n]) {
		n++
	}
	return a[len(a)-n:]
}

// rates reports whether a line is a row of percentages, which are between the heads and the amounts and do not name
// columns.
func (l line) rates(words []Word) bool {
	rates := 0
	for _, p := range l.pieces {
		if strings.HasSuffix(words[p.to-1].Text, "%") && p.to-p.from == 1 {
			rates++
		}
	}
	return rates > 1
}

// inOrder returns the parts of a heading line, which name the columns from left to right. It returns nil unless there
// is one part for each cell of a row, or one for each column apart from the columns of labels.
func (f *finder) inOrder(i int, rows []int, cols, labels []extent) []piece {
	pieces := f.lines[i].pieces
	if len(pieces) == 1 && pieces[0].to-pieces[0].from > 1 { // names separated by single spaces
		pieces = nil
		for k := f.lines[i].pieces[0].from; k < f.lines[i].pieces[0].to; k++ {
			pieces = append(pieces, piece{from: k, to: k + 1, x0: f.words[k].X0, x1: f.words[k].X1})
		}
	}
	if len(cols) < 2 {
		return nil
	}
	for _, r := range rows[:min(len(rows), 20)] {
		l := f.lines[r]
		if len(l.pieces) != len(pieces) || l.amounts != len(cols) {
			continue
		}
		named := make([]piece, 0, len(cols))
		for k, p := range l.pieces {
			if p.amount.Is() {
				named = append(named, pieces[k])
			}
		}
		return named
	}
	var named []piece
	for _, p := range pieces {
		beside := slices.ContainsFunc(labels, func(l extent) bool { return overlap(l, extent{p.x0, p.x1}) > 0 })
		if !beside && strings.Trim(f.text(p), ".,:;'`-_~\"|!") != "" {
			named = append(named, p)
		}
	}
	if extra := len(named) - len(cols); extra > 0 && extra <= 2 && named[extra-1].x1 <= cols[0].x1 {
		named = named[extra:] // the names before it are those of the labels
	}
	if len(named) != len(cols) && len(named) > 1 { // two names close together
		var words []piece
		for _, p := range named {
			for k := p.from; k < p.to; k++ {
				if len(strings.Trim(f.words[k].Text, ".,:;'`-_~\"|!()")) > 1 {
					words = append(words, piece{from: k, to: k + 1, x0: f.words[k].X0, x1: f.words[k].X1})
				}
			}
		}
		named = words
	}
	if len(named) != len(cols) {
		return nil
	}
	return named
}

// over returns the words of a line above each column. A piece over one column belongs to it, a piece over several is
// divided word by word, and a piece over none goes to the nearest column without a heading, if that is close.
func (f *finder) over(cols []extent, l line) map[int]string {
	above := map[int]string{}
	add := func(c int, text string) {
		above[c] = strings.TrimSpace(above[c] + " " + text)
	}
	var loose []piece
	for _, p := range l.pieces {
		var spans []int
		for c, col := range cols {
			if overlap(extent{p.x0, p.x1}, col) > 0 {
				spans = append(spans, c)
			}
		}
		switch len(spans) {
		case 0:
			loose = append(loose, p)
		case 1:
			add(spans[0], f.text(p))
		default:
			for _, w := range f.words[p.from:p.to] {
				add(nearest(cols, extent{w.X0, w.X1}), w.Text)
			}
		}
	}
	for _, p := range loose {
		c := nearest(cols, extent{p.x0, p.x1})
		apart := max(cols[c].x0-p.x1, p.x0-cols[c].x1)
		if above[c] == "" && (apart <= 3*l.char || p.x0 > cols[c].x1 && c == len(cols)-1 && apart < 8*l.char) {
			add(c, f.text(p))
		}
	}
	return above
}

// drop removes a column of serial numbers.
func (t *Table) drop() {
	if len(t.Columns) > 1 {
		serial, n, counts := true, 0, 0
		for _, r := range t.Rows {
			a := r.Cells[0].Amount
			if !a.Is() {
				continue
			}
			n++
			serial = serial && a.Digits() && !a.decimal && !a.Grouped && a.Paise < 1000_00
			counts += btoi(a.Counts(n))
		}
		if serial && 2*counts >= n && counts > 0 && (n > 1 || len(t.Columns) > 2) {
			t.Columns = t.Columns[1:]
			for i := range t.Rows {
				t.Rows[i].Label = t.Rows[i].Cells[0].Text + " " + t.Rows[i].Label
				t.Rows[i].Cells = t.Rows[i].Cells[1:]
			}
		}
	}
}

// ordered returns the words line by line, with valid boxes. A page with sideways text is turned.
func ordered(words []Word) []Word {
	out := make([]Word, 0, len(words))
	for from := 0; from < len(words); {
		to := from
		tall, wide := 0, 0
		for to < len(words) && words[to].Page == words[from].Page {
			w := tidy(words[to])
			if n := len(w.Text); n >= 4 {
				if w.Y1-w.Y0 > 1.5*(w.X1-w.X0) {
					tall++
				} else {
					wide++
				}
			}
			out = appendParts(out, w)
			to++
		}
		if tall > 2*wide && tall > 4 {
			turn(out[len(out)-(to-from):])
		}
		from = to
	}
	return out
}

// tidy makes a box finite and not inverted.
func tidy(w Word) Word {
	for _, v := range []*float64{&w.X0, &w.Y0, &w.X1, &w.Y1} {
		if math.IsNaN(*v) {
			*v = 0
		}
		*v = max(-1e6, min(1e6, *v))
	}
	w.X1, w.Y1 = max(w.X0, w.X1), max(w.Y0, w.Y1)
	return w
}

// appendParts splits a word at the vertical bars of a drawn table.
func appendParts(out []Word, w Word) []Word {
	if w.Text == "|" || !strings.Contains(w.Text, "|") {
		if w.Text == "" {
			return out
		}
		return append(out, w)
	}
	width := (w.X1 - w.X0) / float64(len(w.Text))
	at := 0
	for part := range strings.SplitAfterSeq(w.Text, "|") {
		text, stroke := strings.CutSuffix(part, "|")
		sub := func(from, to int) Word {
			s := w
			s.Text, s.Start, s.End = w.Text[from:to], w.Start+from, w.Start+to
			s.X0, s.X1 = w.X0+width*float64(from), w.X0+width*float64(to)
			return s
		}
		if text != "" {
			out = append(out, sub(at, at+len(text)))
		}
		at += len(text)
		if stroke {
			out = append(out, sub(at, at+1))
			at++
		}
	}
	return out
}

// turn rotates the words of a sideways page upright and sorts them into lines. Text that runs upwards has the left
// edge as its top.
func turn(words []Word) {
	down := 0
	for i := 1; i < len(words); i++ {
		if a, b := words[i-1], words[i]; overlap(extent{a.X0, a.X1}, extent{b.X0, b.X1}) > 0 {
			if b.Y0 > a.Y0 {
				down++
			} else {
				down--
			}
		}
	}
	for i, w := range words {
		if down >= 0 {
			w.X0, w.Y0, w.X1, w.Y1 = w.Y0, -w.X1, w.Y1, -w.X0
		} else {
			w.X0, w.Y0, w.X1, w.Y1 = -w.Y1, w.X0, -w.Y0, w.X1
		}
		words[i] = w
	}
	slices.SortStableFunc(words, func(a, b Word) int {
		switch d := (a.Y0 + a.Y1) - (b.Y0 + b.Y1); {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	})
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && words[to].Y0+words[to].Y1 < 2*words[from].Y1 {
			to++
		}
		slices.SortStableFunc(words[from:to], func(a, b Word) int {
			if a.X0 < b.X0 {
				return -1
			}
			return btoi(a.X0 > b.X0)
		})
		from = to
	}
}

// unstack rearranges a table whose cells are one below the other, and reports whether there is one: first the names
// of the columns, then for each row its label and as many amounts.
func (f *finder) unstack() bool {
	type group struct{ label, amounts, end int } // lines: words from label on, amounts from amounts to end
	found := false
	for from := 0; from < len(f.lines); {
		to := from
		for to < len(f.lines) && len(f.lines[to].pieces) == 1 {
			to++
		}
		var groups []group
		for i := from; i < to; {
			g := group{label: i}
			for i < to && !f.stacks(i) {
				i++
			}
			g.amounts = i
			for i < to && f.stacks(i) {
				i++
			}
			g.end = i
			groups = append(groups, g)
		}
		for first := 0; first+1 < len(groups); {
			last := first + 1
			n := groups[first].end - groups[first].amounts
			for last < len(groups) && n > 1 && n <= mostColumns && groups[last].end-groups[last].amounts == n {
				last++
			}
			labels := groups[first+1].amounts - groups[first+1].label
			if last-first < 2 || labels > 4 || groups[first].amounts-groups[first].label < labels+n {
				first++
				continue
			}
			found = true
			row := groups[first].amounts - labels // where the label of the first row begins
			heading := row - n
			if heading-groups[first].label >= labels {
				heading -= labels
				f.lay(heading, heading+labels, heading, 0, labels)
			}
			f.lay(row-n, row, heading, labels, labels)
			for k, g := range groups[first:last] {
				if k == 0 {
					g.label = row
				}
				f.lay(g.label, g.amounts, g.label, 0, labels)
				f.lay(g.amounts, g.end, g.label, labels, labels)
			}
			first = last
		}
		from = max(to, from+1)
	}
	return found
}

// stacks reports whether a line of one piece is an amount: it has digits or is a dash. "NA" is not counted, since it
// may be a label.
func (f *finder) stacks(i int) bool {
	l := f.lines[i]
	return l.amounts > 0 && (l.pieces[0].amount.Digits() || strings.Trim(f.words[l.pieces[0].from].Text, "-") == "")
}

// lay places the lines side by side, beginning at a column, at the height of the given line.
func (f *finder) lay(from, to, line, column, labels int) {
	const width = 1000
	y0, y1 := f.lines[line].high, f.lines[line].low
	for i := from; i < to; i++ {
		p := f.lines[i].pieces[0]
		shift := float64(width*(column+i-from)) - p.x0
		if column == 0 && i-from >= max(labels, 1) {
			shift = float64(width*max(labels, 1)-width) + float64(30*(i-from)) - p.x0
		}
		for k := p.from; k < p.to; k++ {
			f.words[k].X0, f.words[k].X1, f.words[k].Y0, f.words[k].Y1 = f.words[k].X0+shift, f.words[k].X1+
				shift, y0, y1
		}
	}
}
