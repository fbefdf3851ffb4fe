package table

import (
	"math"
	"strconv"
	"strings"
)

// longestReach is how many lines back the addends of a total may begin, other than at the beginning of the table or
// after the last total.
const longestReach = 12

// prove finds out by arithmetic which columns and rows are totals and differences.
func (t *Table) prove() {
	if t.Unit == 0 {
		t.Unit = t.unit()
	}
	t.relate()
	if t.solve() {
		t.relateAgain()
	}
}

// Reread corrects amounts of a recognised table in which recognition misread one digit, if the total of the row
// proves which amount it is and what it was. A digit is replaced only by one of similar shape: any other difference
// is the author's mistake. Two rows must add up, so that the last column is certainly the sum of the others. It is
// not for tables of a text layer, whose mistakes are the author's.
func (t *Table) Reread() {
	right := len(t.Columns) - 1
	if right < 2 || !IsTotal(t.Columns[right].Heading) {
		return
	}
	type place struct {
		row, column int
		rupees      int64
	}
	var misread []place
	proven := 0
	for i, row := range t.Rows {
		if row.Role == Total {
			continue
		}
		sum, addends, whole := int64(0), 0, row.Cells[right].Amount.Digits()
		for _, cell := range row.Cells[:right] {
			if cell.Amount.Digits() {
				addends++
			}
			whole = whole && (cell.Amount.Is() || cell.Text == "") && !cell.Amount.decimal
			sum += cell.Amount.Paise
		}
		if !whole || addends < 2 {
			continue
		}
		over := sum - row.Cells[right].Amount.Paise
		if over == 0 {
			proven++
			continue
		}
		var choices []place
		for c, cell := range row.Cells {
			less := over
			if c == right {
				less = -over
			}
			was, is := cell.Amount.Paise/100, (cell.Amount.Paise-less)/100
			if cell.Amount.digits > 3 && is > 999 && lookAlike(strconv.FormatInt(was, 10), strconv.FormatInt(is, 10)) {
				choices = append(choices, place{i, c, is})
			}
		}
		if len(choices) == 1 {
			misread = append(misread, choices[0])
			proven++
		}
	}
	if len(misread) == 0 || proven < 2 {
		return
	}
	for _, at := range misread {
		amount := &t.Rows[at.row].Cells[at.column].Amount
		amount.Paise, amount.fine = at.rupees*100, at.rupees*1e5
	}
	t.relateAgain()
}

func (t *Table) relateAgain() {
	for c := range t.Columns {
		t.Columns[c].Line = Line{}
	}
	for r := range t.Rows {
		t.Rows[r].Line = Line{}
	}
	t.relate()
}

// solve fills unreadable cells whose value is determined by the totals: the total below the cell and the total of its
// row must agree. It reports whether it filled any.
func (t *Table) solve() bool {
	type place struct{ row, column int }
	filled := map[place]Amount{}
	last := len(t.Rows) - 1
	if last < 2 || len(t.Columns) < 3 || t.Rows[last].Role != Total && !IsTotal(t.Rows[last].Label) {
		return false
	}
	for c := range t.Columns {
		left, unread := t.Rows[last].Cells[c].Amount, -1
		if !left.Digits() {
			continue
		}
		for r := range last {
			switch cell := t.Rows[r].Cells[c]; {
			case t.Rows[r].Role == Total:
				unread = last
			case cell.Amount.Is() && !(cell.Amount.Digits() &&
				strings.ContainsAny(strings.TrimRight(cell.Text, ";:"), ";:")):
				left.Paise -= cell.Amount.Paise
			case unread >= 0 || !strings.ContainsAny(cell.Text, "0123456789"):
				unread = last
			default:
				unread = r
			}
		}
		if unread >= 0 && unread < last && left.Paise > 0 {
			filled[place{unread, c}] = left
		}
	}
	for r := range last { // the total of the row has to agree
		right := len(t.Columns) - 1
		sum, some := int64(0), false
		for c := range right {
			amount, ok := filled[place{r, c}]
			if !ok {
				amount = t.Rows[r].Cells[c].Amount
			}
			some = some || ok
			sum += amount.Paise
		}
		if printed := t.Rows[r].Cells[right].Amount; some &&
			(!printed.Digits() || abs(printed.Paise-sum) > t.Unit*int64(right)) {
			for c := range right {
				delete(filled, place{r, c})
			}
		}
		delete(filled, place{r, right})
	}
	for at, amount := range filled {
		t.Rows[at.row].Cells[at.column].Amount = amount
	}
	return len(filled) > 0
}

// relate finds out which columns and rows sum up others.
func (t *Table) relate() {
	cols := relation{
		lines: len(t.Columns), places: len(t.Rows), columns: true, unit: t.Unit,
		at:   func(c, r int) Amount { return t.Rows[r].Cells[c].Amount },
		name: func(c int) string { return t.Columns[c].Heading },
	}
	for c, l := range cols.find() {
		t.Columns[c].Line = l
	}
	rows := relation{
		lines: len(t.Rows), places: len(t.Columns), unit: t.Unit,
		at:   func(r, c int) Amount { return t.Rows[r].Cells[c].Amount },
		name: func(r int) string { return t.Rows[r].Label },
	}
	for r, l := range rows.find() {
		t.Rows[r].Line = l
	}
	t.leaveOut()
}

// leaveOut marks columns for which the total row has no sum although it has sums for others.
func (t *Table) leaveOut() {
	for _, row := range t.Rows {
		if row.Role != Total || row.Misfit || row.From != 0 {
			continue
		}
		filled := 0
		for _, cell := range row.Cells {
			filled += btoi(cell.Amount.Is())
		}
		for c, cell := range row.Cells {
			if filled > 1 && !cell.Amount.Is() && cell.Text == "" && t.Columns[c].Role == Detail &&
				!t.summedApart(c, row.Line) {
				t.Columns[c].Role = Apart
			}
		}
	}
}

// summedApart reports whether all amounts of a column are outside the rows that a total sums up, so that it has no
// sum for the column.
func (t *Table) summedApart(c int, total Line) bool {
	some := false
	for r, row := range t.Rows {
		if row.Cells[c].Amount.Digits() {
			if total.From <= r && r < total.To {
				return false
			}
			some = true
		}
	}
	return some
}

// unit returns the tolerance of a sum for each of its addends, in paise: one rupee, or the last decimal in a table in
// lakhs or crores.
func (t *Table) unit() int64 {
	largest, decimals := int64(0), true
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if c.Amount.Digits() && c.Amount.Paise != 0 {
				largest = max(largest, abs(c.Amount.Paise))
				decimals = decimals && c.Amount.decimal
			}
		}
	}
	if decimals && largest < 10_000_00 {
		return 1
	}
	return 100
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// relation is the rows or the columns of a table as lines that may sum up each other, place by place.
type relation struct {
	lines, places int
	columns       bool
	unit          int64
	at            func(line, place int) Amount
	name          func(line int) string
	before        []running // for each line and place, the sum of the earlier lines that are not totals
}

// running is the sum of the lines before one, in one place.
type running struct {
	sum      int64
	n, large int // how many addends there are, and how many are more than rounding and numbers of rows
}

// upTo returns the sum of the lines before line i at a place.
func (r *relation) upTo(i, place int) running { return r.before[i*r.places+place] }

// pass continues after line i, whose role is known.
func (r *relation) pass(i int, role Role) {
	for p := range r.places {
		sums := r.upTo(i, p)
		if a := r.at(i, p); a.Is() && role != Total {
			sums.sum += a.Paise
			sums.n++
			sums.large += btoi(abs(a.Paise) > 10*r.unit)
		}
		r.before[(i+1)*r.places+p] = sums
	}
}

func (r *relation) find() []Line {
	lines := make([]Line, r.lines)
	r.before = make([]running, (r.lines+1)*r.places)
	block := 0 // the line after the last total
	for i := range r.lines {
		named := IsTotal(r.name(i))
		best, found := Line{}, false
		for _, from := range r.starts(i, block) {
			l, ok := r.total(from, i, named)
			if ok && (!found || best.Misfit && !l.Misfit) {
				best, found = l, true
			}
			if found && !best.Misfit {
				break
			}
		}
		if !found && named && i > 0 {
			if plain := onlyTotal(r.name(i)); plain || !r.columns {
				best, found = Line{Role: Total, From: block, To: i, Misfit: r.comparable(lines, block, i)}, true
			}
		}
		if found && !named && !r.columns && r.again(block-1, i) {
			found = false
		}
		if found {
			lines[i] = best
			block = i + 1
		}
		r.pass(i, lines[i].Role)
	}
	if r.columns && r.lines > 2 && onlyTotal(r.name(0)) {
		r.totalFirst(lines)
	}
	r.differences(lines)
	if !r.columns {
		r.nested(lines)
	}
	if r.columns {
		setApart(lines)
	} else {
		leaveOut(lines)
	}
	return lines
}

// again reports whether line i repeats the total in line j as an addend of its own, such as a penalty equal to the tax:
// a line after them comes to twice the total.
func (r *relation) again(j, i int) bool {
	if j < 0 {
		return false
	}
	twice := make([]int64, r.places)
	for p := range r.places {
		if r.at(i, p).Paise != r.at(j, p).Paise {
			return false
		}
		twice[p] = 2 * r.at(j, p).Paise
	}
	for k := i + 1; k < r.lines; k++ {
		if r.comesTo(k, twice) {
			return true
		}
	}
	return false
}

// leaveOut marks the rows at the head of a table that its last row, a proven total of the others, does not sum up:
// the value of supplies above the tax on it.
func leaveOut(lines []Line) {
	last := len(lines) - 1
	if last < 2 || lines[last].Role != Total || lines[last].Misfit || lines[last].From == 0 {
		return
	}
	for _, l := range lines[:lines[last].From] {
		if l.Role != Detail {
			return
		}
	}
	for i := range lines[:lines[last].From] {
		lines[i].Role = Apart
	}
}

// nested finds totals that are not called total: each line is either an addend or the sum of the addends since the
// last total (which may be only one), and the last line is the sum of these totals.
func (r *relation) nested(lines []Line) {
	last := r.lines - 1
	if last < 4 {
		return
	}
	for _, l := range lines {
		if l.Role != Detail {
			return
		}
	}
	open, closed := make([]int64, r.places), make([]int64, r.places)
	var totals []Line
	from, several := 0, false
	for i := range last {
		if i > from && r.comesTo(i, open) {
			totals = append(totals, Line{Role: Total, From: from, To: i})
			several = several || i-from > 1
			from = i + 1
			for p := range open {
				closed[p] += open[p]
				open[p] = 0
			}
			continue
		}
		for p := range open {
			open[p] += r.at(i, p).Paise
		}
	}
	if from != last || !several || len(totals) < 2 || !r.comesTo(last, closed) {
		return
	}
	for _, l := range totals {
		lines[l.To] = l
	}
	lines[last] = Line{Role: Total, From: 0, To: last}
}

// comesTo reports whether a line has exactly these sums, and at least one is not zero.
func (r *relation) comesTo(i int, sums []int64) bool {
	some := false
	for p, sum := range sums {
		if abs(r.at(i, p).Paise-sum) > r.unit {
			return false
		}
		some = some || sum != 0
	}
	return some
}

// starts returns the lines with which the addends of a total may begin.
func (r *relation) starts(i, block int) []int {
	starts := []int{block}
	if block != 0 {
		starts = append(starts, 0)
	}
	for from := max(0, i-longestReach); from <= i-2; from++ {
		if from != block && from != 0 {
			starts = append(starts, from)
		}
	}
	return starts
}

// total reports whether line i is the sum of the detail lines from from on. It must be proved in several places that
// are not mere repetitions of each other, or by many addends. One place may fail if the line is called a total.
func (r *relation) total(from, i int, named bool) (Line, bool) {
	fits, misfits, addends := 0, 0, 0
	var independent distinct
	witness := false
	for p := range r.places {
		a := r.at(i, p)
		if !a.Is() {
			continue
		}
		first, last := r.upTo(from, p), r.upTo(i, p)
		n := last.n - first.n
		if n == 0 {
			continue
		}
		if abs(last.sum-first.sum-a.Paise) > r.unit*int64(n) {
			misfits++
			continue
		}
		fits++
		large := last.large - first.large
		addends = max(addends, large)
		if a.Paise != 0 {
			independent.add(a.Paise)
			witness = witness || large > 1
		}
	}
	l := Line{Role: Total, From: from, To: i}
	switch {
	case fits == 0:
		return l, false
	case misfits == 0 && named:
		return l, true
	case misfits == 0:
		return l, witness && (independent.n > 1 || addends > 2)
	case named && witness && fits >= misfits:
		l.Misfit = true
		return l, true
	// One mistake of recognition or of the officer in a total that is proved by many other places.
	case misfits == 1 && witness && independent.n > 2:
		l.Misfit = true
		return l, true
	}
	return l, false
}

// totalFirst finds a total that precedes its addends.
func (r *relation) totalFirst(lines []Line) {
	turned := *r
	turned.at = func(i, p int) Amount { return r.at(r.lines-1-i, p) }
	turned.before = make([]running, len(r.before))
	for i := range r.lines {
		turned.pass(i, lines[r.lines-1-i].Role)
	}
	if l, ok := turned.total(0, r.lines-1, true); ok && !l.Misfit {
		lines[0] = Line{Role: Total, From: 1, To: r.lines}
	}
}

// distinct counts different amounts, up to three.
type distinct struct {
	seen [3]int64
	n    int
}

func (d *distinct) add(paise int64) {
	for _, s := range d.seen[:d.n] {
		if s == paise {
			return
		}
	}
	if d.n < len(d.seen) {
		d.seen[d.n] = paise
		d.n++
	}
}

// comparable reports whether there is anything that a line called a total could sum up.
func (r *relation) comparable(lines []Line, from, i int) bool {
	for p := range r.places {
		if !r.at(i, p).Is() {
			continue
		}
		for k := from; k < i; k++ {
			if lines[k].Role == Detail && r.at(k, p).Is() {
				return true
			}
		}
	}
	return false
}

// differences finds lines that are the difference of two others. Columns may be in groups, such as three heads from
// one return and three from another.
func (r *relation) differences(lines []Line) {
	for i := 2; i < r.lines; i++ {
		if lines[i].Role == Total && !lines[i].Misfit && lines[i].To-lines[i].From > 1 {
			continue
		}
		for stride := 1; stride <= 4 && i >= 2*stride; stride++ {
			a, b := i-2*stride, i-stride
			if lines[a].Role == Working && lines[b].Role == Working || !r.isDifference(a, b, i) {
				continue
			}
			lines[i] = Line{Role: Difference, From: a, To: i}
			for _, w := range [...]int{a, b} {
				if lines[w].Role == Total {
					for k := lines[w].From; k < lines[w].To; k++ {
						lines[k].Role = Working
					}
				}
				lines[w].Role = Working
			}
			break
		}
	}
}

func (r *relation) isDifference(a, b, i int) bool {
	var independent distinct
	for p := range r.places {
		c := r.at(i, p)
		if !c.Is() {
			continue
		}
		x, y := r.at(a, p), r.at(b, p)
		if !x.Is() || !y.Is() {
			if c.Paise != 0 {
				return false
			}
			continue
		}
		if abs(abs(x.Paise-y.Paise)-abs(c.Paise)) > 2*r.unit {
			return false
		}
		if c.Paise != 0 && x.Paise != 0 && y.Paise != 0 {
			independent.add(c.Paise)
		}
	}
	return independent.n > 1 || independent.n == 1 && namesDifference(r.name(i))
}

// setApart marks columns that no total sums up, if there is a total that sums up others: a rate, a count, a taxable
// value.
func setApart(lines []Line) {
	any := false
	in := make([]bool, len(lines))
	for _, l := range lines {
		if l.Role == Total && !l.Misfit && l.To-l.From > 1 {
			any = true
			for k := l.From; k < l.To; k++ {
				in[k] = true
			}
		}
	}
	for i := range lines {
		if any && lines[i].Role == Detail && !in[i] {
			lines[i].Role = Apart
		}
	}
}

// IsTotal reports whether the words beside or above amounts call them a total.
func IsTotal(name string) bool {
	name = strings.ToLower(name)
	for _, w := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" .,:;()[]/*-", r) }) {
		switch w {
		case "subtotal", "aggregate", "grand", "योग", "महायोग", "कुल", "एकूण", "sum", "all":
			return true
		}
		if WithinOne(w, "total") {
			return true // possibly misread
		}
	}
	return false
}

// onlyTotal reports whether the words say only that it is a total, and in which currency.
func onlyTotal(name string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return strings.ContainsRune(" .,:;()[]/*-₹", r)
	}) {
		switch w {
		case "total", "totals", "subtotal", "sub", "aggregate", "grand", "योग", "महायोग", "कुल", "एकूण", "in", "all",
			"rs", "inr", "amount", "राशि", "रु", "payable", "demand", "dues", "रुपये", "में", "g":
		default:
			return false
		}
	}
	return true
}

func namesDifference(name string) bool {
	name = strings.ToLower(name)
	for _, w := range [...]string{"differ", "excess", "short", "balance", "net ", "less", "more", "mismatch", "payable",
		"unpaid", "gap", "अंतर", "अन्तर", "अधिक", "कम"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// Scaled returns the amount in paise, for a table whose unit is so many rupees, such as a lakh.
func (a Amount) Scaled(rupees int64) int64 {
	if rupees == 1 {
		return a.Paise
	}
	return int64(math.Round(max(-mostPaise, min(mostPaise, float64(a.fine)*float64(rupees)/1e3))))
}

// mostPaise limits amounts so that their sums fit into an int64.
const mostPaise = 1e15

// IsOpen reports whether the words of a cell say that its amount is not stated.
func IsOpen(text string) bool {
	text = strings.ToLower(text)
	for _, w := range [...]string{"applicable", "as per ", "as due", "नियमानुसार", "लागू", "separately", "to be calculated",
		"to be computed", "to be determined", "at actual", "till date", "till the date", "u/s 50", "section 50"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}
