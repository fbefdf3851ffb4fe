package gst

import (
	"math"
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/pattern"
)

// kind is what a column or row of a demand is: tax, interest and so on.
type kind int

const (
	noKind kind = iota
	tax
	interest
	penalty
	fee
	other
	total
	value // of supplies: not a demand
)

var kinds = map[string]kind{
	"tax": tax, "itc": tax, "कर": tax, "interest": interest, "ब्याज": interest, "penalty": penalty, "penal": penalty, "अर्थदण्ड": penalty, "अर्थदंड": penalty, "शास्ति": penalty,
	"अथदण्ड": penalty, "अथदंड": penalty, // a file may lose the mark of the र् above the line
	"fee": fee, "fees": fee, "other": other, "others": other, "total": total, "योग": total, "turnover": value, "value": value,
}

// kindOf reads what a word of a heading names, in lower case. Text recognition
// often misreads its first letter beside a ruled line.
func kindOf(word string) kind {
	word = strings.Trim(word, ".,:;()[]*/'\"-!|।")
	if k, ok := kinds[word]; ok {
		return k
	}
	if n := len(word); n >= 7 && n <= 10 {
		switch {
		case strings.HasSuffix(word, "nterest"):
			return interest
		case strings.HasSuffix(word, "enalty"), strings.HasPrefix(word, "penalt"):
			return penalty
		}
	}
	return noKind
}

// tableRow is a run of amounts behind a word: a head of tax or a label.
type tableRow struct {
	span
	head    string // IGST and so on, "" for a row with another label
	amounts []int64
	inLine  int // how many of them stand in the line of the first
}

// table is a demand read from one table, in paise.
type table struct {
	span
	cells   map[string]*[value + 1]int64
	heads   []string
	printed int64 // the total printed, 0 when none is
	totals  bool  // it names its totals, so that nothing of the demand stands elsewhere
	unkind  bool  // the rows do not say whether they are tax or interest
	score   int
}

// word is one word of the text, for reading tables whose lines and columns
// extraction may have lost.
type word struct {
	span
	line int
}

// words gives the words of the document. A rule of a table is no word.
func (d *document) words() []word {
	words := make([]word, 0, len(d.text)/6)
	for i, l := range d.lines {
		for at := l.start; at < l.end; {
			end := at
			for end < l.end && d.text[end] != ' ' {
				end++
			}
			if w := d.text[at:end]; w != "!" && w != "[" && w != "]" && w != "¦" && w != "=" {
				words = append(words, word{span{at, end}, i})
			}
			at = end + 1
		}
	}
	return words
}

// readDemand reads the amounts claimed. A refund in question is no demand, and
// some forms claim nothing.
func (r *reading) readDemand() {
	if r.form != nil {
		switch f := r.form.Form; {
		case strings.HasPrefix(f, "RFD-"), strings.HasPrefix(f, "REG-"), f == "GSTR-3A", f == "ADT-01", f == "ADT-03", f == "CMP-05", f == "PCT-03":
			return
		}
	}
	d := r.doc
	d.scale = unitScale(d.low)
	r.tables = d.tables()
	best := r.bestTable()
	switch {
	case best != nil:
	case r.form != nil && strings.HasPrefix(r.form.Form, "MOV-"):
		best = r.detentionPenalty() // the tax on the goods is no demand
	default:
		best = r.demandInProse()
	}
	if best == nil {
		return
	}
	if best.unkind {
		r.splitKinds(best)
	}
	best.unkind = best.unkind || best.isHalf()
	demand := Demand{Rows: []DemandRow{}, Currency: "INR"}
	for _, head := range best.heads {
		c := best.cells[head]
		if best.unkind || *c == ([value + 1]int64{}) {
			continue
		}
		demand.Rows = append(demand.Rows, DemandRow{
			Head: head, Tax: toRupees(c[tax]), Interest: toRupees(c[interest]), Penalty: toRupees(c[penalty]), Fee: toRupees(c[fee]), Other: toRupees(c[other]),
		})
	}
	switch sum := best.sum(); {
	case best.printed != 0:
		demand.Total = ptr(toRupees(best.printed))
	case best.totals && sum != 0 && !best.isHalf():
		demand.Total = ptr(toRupees(sum))
	}
	if demand.Total == nil && len(demand.Rows) == 0 {
		return
	}
	r.facts.Demand = &demand
	r.demandAt = best.span
	r.cite("demand", best.span)
}

func toRupees(paise int64) float64 { return float64(paise) / 100 }

// unitScale gives the factor of tables "in lakhs" or "in crores".
func unitScale(low string) int64 {
	switch {
	case containsAny(low, "(rs. in lakh", "(rs in lakh", "(in lakh", "(₹ in lakh", "(rupees in lakh", "(amount in lakh", "(amount in rs. lakh", "(rs. in lac", "(in rs. lakh", "rs. in lakhs)"):
		return 1e5
	case containsAny(low, "(rs. in crore", "(rs in crore", "(in crore", "(₹ in crore", "(rupees in crore"):
		return 1e7
	}
	return 1
}

// tables reads every table whose rows or columns are heads of tax.
func (d *document) tables() []*table {
	words := d.words()
	var all []*table
	for i := 0; i < len(words); {
		if t, next := d.tableOfHeadRows(words, i); t != nil {
			all = append(all, t)
			i = next
			continue
		}
		if t, next := d.tableOfHeadColumns(words, i); t != nil {
			all = append(all, t)
			i = next
			continue
		}
		i++
	}
	return all
}

// run reads the amounts from the i-th word on, up to limit of them; a dash or
// "nil" is zero. inLine counts those in the line of the first.
func (d *document) run(words []word, i, limit int) (amounts []int64, inLine, next int) {
	first := -1
	for ; i < len(words) && len(amounts) < limit; i++ {
		w := words[i]
		text := d.low[w.start:w.end]
		if text == "rs." || text == "rs" || text == "₹" || len(text) == 1 && !isDigit(text[0]) && text != "-" && len(amounts) > 0 && d.isRecognised(w.start) {
			continue
		}
		var paise int64
		if n := d.openCell(words, i); n > 0 {
			i += n - 1
		} else if !isNil(text) {
			text = strings.TrimLeft(text, "'`(")
			if strings.HasSuffix(text, ",") && i+1 < len(words) && d.isRecognised(w.start) {
				text += d.low[words[i+1].start:words[i+1].end] // "48, 300.00"
				i++
			}
			a, ok := parseAmount(text, 0)
			if !ok || strings.Trim(text[a.end:], ".,);'`") != "" || !a.marked && text[a.end:] == "." {
				break
			}
			paise = a.paise * d.scale
		}
		if len(amounts) == 0 {
			first = w.line
		}
		amounts = append(amounts, paise)
		if w.line == first {
			inLine = len(amounts)
		}
	}
	return amounts, inLine, i
}

// leftOpen is a cell that names no sum.
var leftOpen = pattern.New(`\b(?:as applicable|at (?:the )?applicable rate|as per law)\b`)

// openCell counts the words of a cell that is left open.
func (d *document) openCell(words []word, i int) int {
	if c := d.low[words[i].start]; c != 'a' {
		return 0
	}
	cell := leftOpen.FindStringIndex(d.lowIn(words[i].start, words[i].start+40))
	if cell == nil || cell[0] > 0 {
		return 0
	}
	n := 0
	for i+n < len(words) && words[i+n].start < words[i].start+cell[1] {
		n++
	}
	return n
}

const (
	mostRows      = 120
	longestRow    = 9  // columns of amounts in any print of the forms
	longestGap    = 60 // words between two rows of one table
	labelDistance = 7  // words between a head and its amounts: "Tamil Nadu", "Act 2024-25"
	headingWindow = 70 // words above the first row in which the columns are named
)

// headRow reads a row "IGST Tamil Nadu 1,92,400 1,38,528 ..." at the i-th word.
func (d *document) headRow(words []word, i int) (row tableRow, next int, ok bool) {
	head := taxHead(d.low[words[i].start:words[i].end])
	if head == "" {
		return row, i, false
	}
	start := i
	for i++; i < len(words) && i-start <= labelDistance; i++ {
		text := d.low[words[i].start:words[i].end]
		if h := taxHead(text); h != "" && (h != head || i > start+1) && text != "tax" {
			return row, start, false
		}
		if _, _, end, ok := parseFY(d.low, words[i].start); ok && end >= words[i].end {
			continue // the period's column
		}
		if month, end := parseMonth(d.low, words[i-1].start); month > 0 && end >= words[i-1].end && len(text) == 4 && isDigits(text) {
			continue // the year of "April 2023"
		}
		amounts, inLine, after := d.run(words, i, longestRow)
		if len(amounts) == 0 || len(amounts) == 1 && !isLast(words, after) {
			if strings.HasSuffix(text, ".") && len(text) > 3 || text == "and" || text == "act," || strings.HasPrefix(text, "rs") {
				return row, start, false // prose
			}
			continue
		}
		row := tableRow{span: span{words[start].start, words[after-1].end}, head: head, amounts: amounts, inLine: inLine}
		return row, after, true
	}
	return row, start, false
}

// isLast tells whether the word before the i-th ends its line.
func isLast(words []word, i int) bool {
	return i >= len(words) || words[i].line != words[i-1].line
}

// tableOfHeadRows reads a table with one row per head of tax.
func (d *document) tableOfHeadRows(words []word, i int) (*table, int) {
	first, next, ok := d.headRow(words, i)
	if !ok || len(d.columnNames(words, i)) == 0 {
		return nil, i
	}
	rows := []tableRow{first}
	var sums [][]int64
	end := next
	for j := next; j < len(words) && j-end < longestGap && len(rows) < mostRows; {
		if row, after, ok := d.headRow(words, j); ok {
			rows = append(rows, row)
			j, end = after, after
			continue
		}
		if kindOf(d.low[words[j].start:words[j].end]) == total {
			k := j + 1
			for k < len(words) && k < j+4 && strings.ContainsAny(d.low[words[k].start:words[k].end], "/(") {
				k++
			}
			if amounts, _, after := d.run(words, k, longestRow); len(amounts) > 1 || len(amounts) == 1 && isLast(words, after) {
				sums = append(sums, amounts)
				j, end = after, after
				if len(sums) > 0 && len(rows) > 1 {
					break
				}
				continue
			}
		}
		j++
	}
	columns := d.columns(words, i, rows)
	if columns == nil {
		return nil, i
	}
	if rows = withoutParts(rows, sums); rows == nil {
		return nil, i
	}
	t := &table{span: span{first.start, words[end-1].end}, cells: map[string]*[value + 1]int64{}}
	for n, row := range rows {
		at, proven := row.align(columns)
		if n == 0 && !proven && columns[len(columns)-1] == total {
			return nil, i // words before the table
		}
		if len(row.amounts) < at+len(columns) {
			return nil, i
		}
		c := t.cell(row.head)
		for k, kind := range columns {
			c[kind] += row.amounts[at+k]
		}
	}
	for _, amounts := range sums {
		if len(amounts) == len(columns) && columns[len(columns)-1] == total || len(amounts) == 1 && amounts[0] >= t.sum() {
			t.printed = amounts[len(amounts)-1]
		}
	}
	t.totals = t.printed != 0 || slices.Contains(columns, total)
	for _, k := range [...]kind{tax, interest, penalty, total} {
		if slices.Contains(columns, k) {
			t.score += 2
		}
	}
	if len(t.heads) > 1 {
		t.score++
	}
	if t.printed != 0 {
		t.score++
	}
	t.score += d.demandWords(words, i)
	return t, end
}

// withoutParts leaves out the rows of tables that a last one sums up, head by
// head: each issue's own table before the summary of them all. Where there is
// one table before it, and so the same twice, the printed total tells whether
// the two are to be added; without one it gives nothing.
func withoutParts(rows []tableRow, sums [][]int64) []tableRow {
	parts, last := map[string][]int64{}, map[string]int{}
	for i, row := range rows {
		last[row.head] = i
	}
	if len(last) == len(rows) {
		return rows
	}
	for i, row := range rows {
		if last[row.head] == i {
			continue
		}
		sum := parts[row.head]
		if sum == nil {
			sum = make([]int64, len(row.amounts))
		}
		if len(sum) != len(row.amounts) {
			return rows
		}
		for k, a := range row.amounts {
			sum[k] += a
		}
		parts[row.head] = sum
	}
	var summed []tableRow
	for i, row := range rows {
		if last[row.head] != i {
			continue
		}
		if sum, ok := parts[row.head]; ok && !slices.Equal(sum, row.amounts) {
			return rows
		}
		summed = append(summed, row)
	}
	if len(rows) >= 3*len(summed) {
		return summed
	}
	for _, printed := range sums {
		switch total := printed[len(printed)-1]; {
		case within(lastColumn(summed), total):
			return summed
		case within(lastColumn(rows), total):
			return rows
		}
	}
	return nil
}

func lastColumn(rows []tableRow) int64 {
	sum := int64(0)
	for _, row := range rows {
		sum += row.amounts[len(row.amounts)-1]
	}
	return sum
}

// sum adds up all that the rows claim.
func (t *table) sum() int64 {
	sum := int64(0)
	for _, c := range t.cells {
		sum += c[tax] + c[interest] + c[penalty] + c[fee] + c[other]
	}
	return sum
}

// isHalf tells whether one half of a tax that always comes in two was lost:
// CGST without SGST or UTGST, or the other way about.
func (t *table) isHalf() bool {
	_, cgst := t.cells["CGST"]
	_, sgst := t.cells["SGST"]
	_, utgst := t.cells["UTGST"]
	return cgst != (sgst || utgst)
}

func (t *table) cell(head string) *[value + 1]int64 {
	c, ok := t.cells[head]
	if !ok {
		c = &[value + 1]int64{}
		t.cells[head] = c
		t.heads = append(t.heads, head)
	}
	return c
}

// columns finds out what the amounts of the rows are: the last names in the
// heading above them, as many as a row has amounts. A column of totals proves
// it: each row must then add up.
func (d *document) columns(words []word, first int, rows []tableRow) []kind {
	named := d.columnNames(words, first)
	longest, shortest := 0, longestRow
	for _, row := range rows {
		longest = max(longest, len(row.amounts))
		shortest = min(shortest, row.inLine)
	}
	for n := longest; n >= 1; n-- {
		columns := lastColumns(named, n)
		if columns == nil || !d.headingFits(words, first, columns) {
			continue
		}
		if columns[n-1] != total {
			// Nothing proves these columns: they must be plain text in clear lines.
			if n == shortest && !d.isRecognised(rows[0].start) && len(rows) > 1 && slices.Contains(columns, tax) && (n > 1 || len(named) == 1) {
				return columns
			}
			continue
		}
		proven := 0
		for _, row := range rows {
			if _, ok := row.align(columns); ok {
				proven++
			}
		}
		if n > 1 && 2*proven > len(rows) {
			return columns
		}
	}
	return nil
}

// columnNames gives the kinds that the heading above a row names, in order.
func (d *document) columnNames(words []word, first int) []kind {
	var named []kind
	for j := d.headingStart(words, first); j < first; j++ {
		text := d.low[words[j].start:words[j].end]
		if k := kindOf(text); k != noKind {
			if n := len(named); n > 0 && named[n-1] == k && d.low[words[j-1].start:words[j-1].end] == "/" {
				continue // "कर / Tax"
			}
			named = append(named, k)
		}
		if a, ok := parseAmount(text, 0); ok && a.marked && words[j].line != words[first].line {
			named = nil // amounts above belong to another table
		}
	}
	return named
}

// headingFits tells whether the cells of the line that names the columns agree with them: where one name could not be read,
// a word from above must not take its place and shift the others.
func (d *document) headingFits(words []word, first int, columns []kind) bool {
	row := words[first].line
	for i := row - 1; i >= max(0, row-6) && d.lines[i].page == d.lines[row].page; i-- {
		cells := d.lines[i].cells
		if len(cells) < len(columns) {
			continue
		}
		var named []kind // by cell, as far as it is known
		count := 0
		for _, cell := range cells {
			in := noKind
			for word := range strings.FieldsSeq(d.low[cell.start:cell.end]) {
				if k := kindOf(word); k != noKind {
					in = k
					count++
				}
			}
			named = append(named, in)
		}
		named = named[len(named)-len(columns):]
		if count < 2 || count >= len(columns) || named[len(named)-1] != columns[len(columns)-1] {
			continue // not the names of these columns, or all of them
		}
		for k, kind := range named {
			if kind != noKind && kind != columns[k] {
				return false
			}
		}
		return true
	}
	return true
}

// headingStart gives the first word of the heading above a row: below the last
// line of prose.
func (d *document) headingStart(words []word, first int) int {
	start := first
	for j := first - 1; j >= max(0, first-headingWindow); j-- {
		switch strings.TrimSuffix(d.low[words[j].start:words[j].end], "।") {
		case "the", "is", "are", "below", "you", "been", "was", "were", "which", "shall", "has", "have", "given", "following", "है", "हैं":
			for start < first && words[start].line == words[j].line {
				start++ // nor the rest of its line
			}
			return start
		}
		start = j
	}
	return start
}

// align finds the amount with which the columns begin: cells before it that say
// "NA" and figures after the last are not part of the demand. It is proven
// where the columns add up to their total.
func (row tableRow) align(columns []kind) (at int, proven bool) {
	n := len(columns)
	if columns[n-1] != total {
		return 0, false
	}
	for at = 0; at <= 2 && at+n <= len(row.amounts); at++ {
		cells := row.amounts[at : at+n]
		if within(sumOf(cells[:n-1], columns), cells[n-1]) && (cells[n-1] != 0 || sumAll(cells) == 0) {
			return at, true
		}
		if cells[0] != 0 {
			break
		}
	}
	return 0, false
}

// lastColumns gives the last n of the names, if they make sense as columns: no
// kind twice, the total last. A first column whose name is lost is the tax.
func lastColumns(named []kind, n int) []kind {
	var columns []kind
	switch {
	case len(named) >= n:
		columns = named[len(named)-n:]
	case len(named) == n-1 && n > 1 && !slices.Contains(named, tax):
		columns = append([]kind{tax}, named...)
	default:
		return nil
	}
	for i, k := range columns {
		if k == total && i < n-1 || k == value && i > 0 || slices.Contains(columns[:i], k) {
			return nil
		}
	}
	return columns
}

func sumOf(amounts []int64, columns []kind) int64 {
	sum := int64(0)
	for i, a := range amounts {
		if columns[i] != value {
			sum += a
		}
	}
	return sum
}

// within tells whether two sums are equal up to rounding to whole rupees.
func within(a, b int64) bool { return math.Abs(float64(a-b)) <= 300 }

// tableOfHeadColumns reads a table with one column per head of tax and rows
// for tax, interest and so on.
func (d *document) tableOfHeadColumns(words []word, i int) (*table, int) {
	var heads []string
	hasTotal := false
	j, end := i, i
	for gap := 0; j < len(words) && gap <= 2; j++ {
		text := d.low[words[j].start:words[j].end]
		head := taxHead(text)
		switch {
		case head != "" && !hasTotal:
			if slices.Contains(heads, head) {
				if text == "tax" {
					continue
				}
				return nil, i
			}
			heads = append(heads, head)
			gap, end = 0, j+1
		case kindOf(text) == total && len(heads) > 1:
			hasTotal = true
			gap, end = 0, j+1
		case len(heads) == 0:
			return nil, i
		default:
			if _, ok := parseAmount(text, 0); ok || text == "and" {
				gap = 3
				break
			}
			gap++
		}
		if gap > 2 {
			break
		}
	}
	if len(heads) < 2 {
		return nil, i
	}
	n := len(heads)
	if hasTotal {
		n++
	}
	t := &table{cells: map[string]*[value + 1]int64{}}
	known := false
	var bare []int64 // a row whose label does not say what it is
	var totalRow []int64
	for k := end; k < len(words) && k-end < 26; {
		text := d.low[words[k].start:words[k].end]
		if taxHead(text) != "" && text != "tax" {
			break // the next table
		}
		amounts, inLine, after := d.run(words, k, 4*longestRow)
		if len(amounts) > n && inLine == n {
			amounts, _, after = d.run(words, k, n)
		}
		if len(amounts) != n {
			k = max(after, k+1)
			continue
		}
		if hasTotal && !within(sumAll(amounts[:n-1]), amounts[n-1]) {
			k++
			continue
		}
		label := d.low[words[end-1].end:words[k].start]
		switch rowKind := kindOfLabel(label); {
		case rowKind == total:
			totalRow = amounts
		case rowKind == noKind:
			bare = amounts
		default:
			known = true
			for h, head := range heads {
				t.cell(head)[rowKind] += amounts[h]
			}
		}
		if t.start == 0 && t.end == 0 {
			t.start = words[i].start
		}
		t.end = words[after-1].end
		k, end = after, after
	}
	if t.end == 0 {
		return nil, i
	}
	t.totals = totalRow != nil
	if known && totalRow != nil && d.isRecognised(t.start) {
		for h, head := range heads {
			c := t.cell(head)
			known = known && within(c[tax]+c[interest]+c[penalty]+c[fee]+c[other], totalRow[h]) // else a row was lost
		}
	}
	if !known {
		clear(t.cells)
		t.heads = nil
		if totalRow == nil {
			totalRow = bare
		}
		t.unkind = true
		for h, head := range heads {
			t.cell(head)[total] = totalRow[h]
		}
	}
	if totalRow != nil {
		t.printed = totalRow[n-1]
		if !hasTotal {
			t.printed = sumAll(totalRow)
		}
	}
	if known {
		t.score += 5
	}
	t.score += d.demandWords(words, i)
	label := d.low[max(0, t.start-150):t.end]
	if containsAny(label, "summary of tax", "total demand", "total quantified", "grand total") {
		t.score += 4
	}
	return t, end
}

func sumAll(amounts []int64) int64 {
	sum := int64(0)
	for _, a := range amounts {
		sum += a
	}
	return sum
}

// kindOfLabel reads what a row of amounts is from the words before it.
func kindOfLabel(label string) kind {
	label = label[max(0, len(label)-70):]
	if at := strings.LastIndex(label, "total"); at >= 0 && strings.Trim(label[at+len("total"):], "abcdefghijklmnopqrstuvwxyz :.-()") == "" && !containsAny(label[at:], "interest", "penalty", "fee", "tax") {
		return total
	}
	switch {
	case strings.Contains(label, "interest") || strings.Contains(label, "ब्याज"):
		return interest
	case containsAny(label, "penalty", "थदण्ड", "थदंड", "शास्ति"):
		return penalty
	case strings.Contains(label, "late fee"), strings.Contains(label, "fee"):
		return fee
	case strings.Contains(label, "total"), strings.Contains(label, "योग"):
		return total
	case strings.Contains(label, "other"):
		return other
	case strings.Contains(label, "tax payable"), strings.Contains(label, "tax demand"), strings.HasSuffix(strings.TrimSpace(label), "tax"), strings.Contains(label, "tax short"), strings.Contains(label, "tax proposed"):
		return tax
	}
	return noKind
}

// demandWords scores what is said above a table: that it is the demand, or
// that it lists suppliers or compares returns.
func (d *document) demandWords(words []word, i int) int {
	above := d.low[words[max(0, i-60)].start:words[i].start]
	score := 0
	if containsAny(above, "demand", "dues", "payable", "summar", "proposed", "recover", "quantified", "ascertained", "देय") {
		score += 2
	}
	if containsAny(above, "supplier", "as per gstr", "taxable value", "invoice") {
		score -= 3
	}
	if containsAny(above, "annexure") {
		score -= 2
	}
	return score
}

func (r *reading) bestTable() *table {
	var best *table
	annexed := r.annexure()
	for _, t := range r.tables {
		score := t.score
		if t.start >= annexed {
			score -= 4
		}
		if score >= 3 && (best == nil || score > best.score) {
			t.score = score
			best = t
		}
	}
	return best
}

// annexure gives the offset at which the annexures begin, or the text's length.
func (r *reading) annexure() int {
	d := r.doc
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if i > 5 && l.end-l.start < 140 && (strings.HasPrefix(low, "annexure") || strings.HasPrefix(low, "annex ") || strings.HasPrefix(low, "enclosure -") || strings.HasPrefix(low, "अनुलग्नक")) {
			return l.start
		}
	}
	return len(d.text)
}

// splitKinds tells tax from interest and fee in a summary that gives only
// totals, from the tables of the single charges, if they add up to it.
func (r *reading) splitKinds(summary *table) {
	split := &table{cells: map[string]*[value + 1]int64{}}
	for _, head := range summary.heads {
		split.cell(head)
	}
	for _, t := range r.tables {
		if t == summary || !t.unkind {
			continue
		}
		k := r.chargeKind(t.start)
		for _, head := range t.heads {
			split.cell(head)[k] += t.cells[head][total]
		}
	}
	for _, head := range summary.heads {
		c := split.cells[head]
		if !within(c[tax]+c[interest]+c[penalty]+c[fee], summary.cells[head][total]) {
			return
		}
	}
	for _, head := range summary.heads {
		*summary.cells[head] = *split.cells[head]
	}
	summary.unkind = false
}

// chargeKind tells whether the charge around the offset is for tax, interest or a fee.
func (r *reading) chargeKind(offset int) kind {
	i := sort.Search(len(r.allegations), func(i int) bool { return r.allegations[i].end > offset })
	if i == len(r.allegations) || r.allegations[i].start > offset {
		return tax
	}
	low := r.allegations[i].low
	switch opening := low[:min(len(low), 60)]; {
	case strings.Contains(opening, "interest"), strings.Contains(opening, "delayed payment"):
		return interest
	case strings.Contains(opening, "late fee"):
		return fee
	case strings.Contains(opening, "penalty"):
		return penalty
	}
	return tax
}

// demandInProse adds up what the charges say in sentences, "CGST Rs. 36,480 and
// SGST Rs. 36,480", where no table does. Every charge must name each head once
// at most; if one does not, nothing is read. The sum is the total only where
// each charge prints its own total and agrees with it.
func (r *reading) demandInProse() *table {
	d := r.doc
	if r.form != nil && r.form.Kind == "order" {
		return nil
	}
	t := &table{cells: map[string]*[value + 1]int64{}, totals: true}
	for _, a := range r.allegations {
		pairs, printed, ok := d.headAmounts(a.span)
		if !ok {
			return nil
		}
		if len(pairs) > 0 && t.end == 0 {
			t.span = a.span
		}
		k, sum := r.chargeKind(a.start), int64(0)
		for _, p := range pairs {
			t.cell(p.head)[k] += p.paise
			sum += p.paise
		}
		t.totals = t.totals && printed > 0 && within(sum, printed)
	}
	if t.end == 0 {
		t = r.operativeDemand()
	}
	if t == nil || t.isHalf() {
		return nil
	}
	return t
}

// detentionPenalty reads the penalty of a notice that holds goods, "Total penalty payable: Rs. 1,29,600", and under which
// head it stands, if a table's last column adds up to it.
func (r *reading) detentionPenalty() *table {
	d := r.doc
	var printed amount
	at := span{}
	for _, m := range totalPenalty.FindAllStringIndex(d.low[:r.extent()], 8) {
		a, ok := parseAmount(d.low, m[1])
		if !ok || !a.marked || a.paise == 0 || at.end > 0 && a.paise != printed.paise {
			if ok && a.marked {
				return nil // two totals
			}
			continue
		}
		printed, at = a, span{m[0], a.end}
	}
	if at.end == 0 {
		return nil
	}
	t := &table{span: at, cells: map[string]*[value + 1]int64{}, printed: printed.paise, totals: true}
	sum, words := int64(0), d.words()
	for i := 0; i < len(words) && words[i].start < at.start; {
		row, next, ok := d.headRow(words, i)
		if !ok {
			i++
			continue
		}
		if len(row.amounts) > 1 {
			last := row.amounts[len(row.amounts)-1]
			t.cell(row.head)[penalty] += last
			sum += last
		}
		i = next
	}
	if !within(sum, printed.paise) {
		clear(t.cells)
		t.heads = nil
	}
	return t
}

var totalPenalty = pattern.New(`\btotal (?:amount of )?penalty(?: (?:payable|proposed|leviable|imposable))?(?: (?:is|of|comes to|works out to))? ?[:=-]* ?`)

// operativeDemand reads the amounts that the notice asks why they should not be
// demanded: "IGST of Rs. 31,50,000/- should not be demanded". A head that is
// asked for twice may be the same amount twice, so then nothing is read.
func (r *reading) operativeDemand() *table {
	d := r.doc
	t := &table{cells: map[string]*[value + 1]int64{}}
	for _, m := range demanded.FindAllStringIndex(d.low[:r.extent()], 40) {
		s := d.sentence(m[0])
		s.end = min(s.end, m[0])
		if i := strings.LastIndex(d.low[s.start:s.end], "as to why"); i >= 0 {
			s.start += i
		}
		if s.end-s.start > 400 || d.contains(s, "interest", "penalty", "already paid", "voluntar") {
			continue
		}
		pairs, _, ok := d.headAmounts(s)
		if !ok {
			return nil
		}
		for _, p := range pairs {
			if slices.Contains(t.heads, p.head) {
				return nil
			}
			t.cell(p.head)[tax] = p.paise
		}
		if len(pairs) > 0 && t.end == 0 {
			t.span = span{s.start, m[1]}
		}
	}
	if t.end == 0 {
		return nil
	}
	return t
}

var demanded = pattern.New(`should not be (?:demanded|recovered|determined|confirmed)|shall not be (?:demanded|recovered)`)

// headAmount is an amount that a sentence puts under a head.
type headAmount struct {
	head  string
	paise int64
}

// headAmounts reads the pairs of head and amount in a charge, and the total it
// prints behind them. It is not ok where a head is named twice.
func (d *document) headAmounts(s span) (pairs []headAmount, printed int64, ok bool) {
	for i := d.lineAt(s.start); i < len(d.lines) && d.lines[i].start < s.end; i++ {
		l := d.lines[i]
		for at := max(l.start, s.start); at < min(l.end, s.end); {
			end := at
			for end < l.end && d.low[end] != ' ' {
				end++
			}
			head := taxHead(d.low[at:end])
			isTotal := kindOf(d.low[at:end]) == total && len(pairs) > 0
			at = end + 1
			if head == "" && !isTotal {
				continue
			}
			value := skipAny(d.low, end, " :-=")
			for _, link := range [...]string{"of ", "amounting to "} {
				if strings.HasPrefix(d.low[value:], link) {
					value += len(link)
				}
			}
			amount, read := parseAmount(d.low, value)
			if !read || amount.paise >= 100_00 && !amount.marked {
				continue
			}
			at = amount.end
			if _, more := parseAmount(d.low, skipSpaces(d.low, at)); more && at < l.end {
				return nil, 0, false // a row of a table
			}
			if isTotal {
				printed = amount.paise
				continue
			}
			if slices.ContainsFunc(pairs, func(p headAmount) bool { return p.head == head }) {
				return nil, 0, false
			}
			pairs = append(pairs, headAmount{head, amount.paise})
		}
	}
	return pairs, printed, true
}

// annexureTax compares the tax of the annexures' own demand tables with the
// body's. It differs only if neither one table nor all together give the
// body's figure. Tables that compare returns or list invoices do not count.
func (r *reading) annexureTax() (sum float64, at int, differs bool) {
	start := r.annexure()
	if r.demandAt.start >= start {
		return 0, 0, false
	}
	body, all := int64(0), int64(0)
	for _, row := range r.facts.Demand.Rows {
		body += int64(math.Round(row.Tax * 100))
	}
	for _, t := range r.tables {
		if t.start < start || t.unkind || r.doc.isRecognised(t.start) {
			continue
		}
		one := int64(0)
		for _, head := range t.heads {
			one += t.cells[head][tax]
		}
		if within(one, body) {
			return 0, 0, false
		}
		if at == 0 {
			at = t.start
		}
		all += one
	}
	if at == 0 {
		all, at = r.annexedInProse(start)
	}
	return toRupees(all), at, all > 0 && body > 0 && !within(all, body)
}

// annexedInProse adds up the tax that the charges of the annexures name in sentences, where they name it under the same heads
// as the body. It gives nothing where the annexures have the body's own figure of each head too.
func (r *reading) annexedInProse(start int) (sum int64, at int) {
	d := r.doc
	annexed := map[string]int64{}
	for _, a := range r.allegations {
		if a.start < start || r.chargeKind(a.start) != tax {
			continue
		}
		pairs, _, ok := d.headAmounts(a.span)
		if !ok || d.isRecognised(a.start) {
			return 0, 0
		}
		for _, p := range pairs {
			annexed[p.head] += p.paise
			sum += p.paise
		}
		if at == 0 && len(pairs) > 0 {
			at = a.start
		}
	}
	repeated := true
	for _, row := range r.facts.Demand.Rows {
		body := int64(math.Round(row.Tax * 100))
		if (annexed[row.Head] == 0) != (body == 0) {
			return 0, 0
		}
		delete(annexed, row.Head)
		repeated = repeated && d.namesAmount(start, body)
	}
	if len(annexed) > 0 || repeated {
		return 0, 0
	}
	return sum, at
}

// namesAmount tells whether the amount stands anywhere from the offset on.
func (d *document) namesAmount(from int, paise int64) bool {
	for at := from; at < len(d.low); at++ {
		if !beginsAmount(d.low, at) {
			continue
		}
		if a, ok := parseAmount(d.low, at); ok && within(a.paise, paise) {
			return true
		}
	}
	return false
}
