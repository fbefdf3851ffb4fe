package gst

import (
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/table"
)

// readTotals reads the claims of recognised tables from their last rows alone, if such a row has an amount for each name
// in the heading, in the same order, and the last is the sum of the others: "IGST CGST SGST Total" above "3,45,000 62,500
// 62,500 4,70,000". Columns may be shifted, other rows misread, or the table broken by a page.
func (r *reading) readTotals() {
	const most = 14 // lines between the heading and the total
	d := r.doc
	for i, l := range d.lines {
		if l.start >= r.extent() {
			break
		}
		if !d.recognised[l.page-1] || !d.beginsAsTotal(i) {
			continue
		}
		amounts := d.amountsOfLine(i)
		if len(amounts) < 3 {
			continue
		}
		for j := i - 1; j >= max(0, i-most) && !d.beginsAsTotal(j); j-- {
			if names := d.namesInOrder(j); len(names) == len(amounts) {
				unit := d.unitBefore(d.lines[j].start, d.lines[j].end)
				in := make([]int64, len(amounts))
				for k, a := range amounts {
					in[k] = a.Scaled(unit)
				}
				if addsUp(in) && in[1] != in[len(in)-1] {
					r.addTotals(names, in, unit, span{d.lines[j].start, l.end})
				}
				break
			}
		}
	}
}

// beginsAsTotal reports whether the first word of a line calls it a total.
func (d *document) beginsAsTotal(i int) bool {
	first, _, _ := strings.Cut(d.lineLow(i), " ")
	return table.IsTotal(first)
}

// addTotals adds the claim of a last row, and replaces a claim from the same table that does not
// add up.
func (r *reading) addTotals(names []label, in []int64, unit int64, s span) {
	overlaps := func(c *claim) bool { return c.start < s.end && s.start < c.end }
	printed := in[len(in)-1]
	if slices.ContainsFunc(r.claims, func(c *claim) bool {
		return overlaps(c) && c.proven && c.headed() && c.amount() >= printed
	}) {
		return
	}
	r.claims = slices.DeleteFunc(r.claims, overlaps)
	c := newClaim()
	c.span, c.body, c.low = s, s.start, r.doc.lowIn(s.start, s.end)
	c.grid, c.proven, c.whole, c.unit = true, true, true, unit
	for i, name := range names[:len(names)-1] {
		c.cell(name.head)[name.kind] += in[i]
	}
	c.printed = printed
	for k := interest; k < total; k++ {
		c.kinds += btoi(c.of(k) > 0)
	}
	at := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].start >= s.start })
	r.claims = slices.Insert(r.claims, at, c)
}

// amountsOfLine returns the amounts of a line in order; nil if something between them may be an amount that
// cannot be read.
func (d *document) amountsOfLine(i int) (in []table.Amount) {
	const speck = 2
	for word := range strings.FieldsSeq(d.text[d.lines[i].start:d.lines[i].end]) {
		amount := table.AmountOf(word)
		switch {
		case amount.Is():
			in = append(in, amount)
		case len(in) > 0 && len(word) > speck:
			return nil
		}
	}
	return in
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// namesInOrder returns the columns that a line names in words: for each a head of tax, preceded by its kind unless
// that is tax, and a total at the end. It returns nil if a column is named twice, or only by its kind.
func (d *document) namesInOrder(line int) []label {
	var names []label
	pending := tax
	for word := range strings.FieldsSeq(d.lineLow(line)) {
		head, k := taxHead(word), kindOf(word)
		for _, prefix := range [...]string{"tax", "interest", "penalty", "latefee", "fee"} {
			if rest, joined := strings.CutPrefix(word, prefix); joined && taxHead(rest) != "" {
				head, k = taxHead(rest), kindOf(strings.TrimPrefix(prefix, "late"))
			}
		}
		ended := len(names) > 0 && names[len(names)-1].kind == total
		switch {
		case head != "":
			if k == noKind {
				k = pending
			}
			name := label{head: head, kind: k}
			if ended || slices.Contains(names, name) {
				return nil
			}
			names, pending = append(names, name), tax
		case k == total:
			names = append(names, label{kind: total})
		case k == value || ended && k != noKind:
			return nil
		case k != noKind:
			pending = k
		}
	}
	if len(names) < 3 || names[len(names)-1].kind != total {
		return nil
	}
	return names
}

// headsInOrder names columns without a head above each of them by the heads in the line above the table, if there are
// equally many.
func (d *document) headsInOrder(t *table.Table, cols []label) {
	var details []int
	named := 0
	for i, col := range t.Columns {
		if col.Role != table.Detail || cols[i].kind != noKind && cols[i].kind != tax {
			continue
		}
		details = append(details, i)
		if cols[i].head != "" {
			named++
		}
	}
	at := d.lineAt(t.Body)
	if at == 0 || d.lines[at-1].page != t.Page || named == len(details) {
		return
	}
	var heads []string
	above := d.lines[at-1]
	for word := range strings.FieldsSeq(d.low[above.start:min(above.end, t.Body)]) {
		if h := taxHead(strings.Trim(word, ".,:;()")); h != "" {
			if slices.Contains(heads, h) {
				return
			}
			heads = append(heads, h)
		}
	}
	if len(heads) < 2 || len(heads) != len(details) {
		return
	}
	for n, i := range details {
		cols[i].head, cols[i].kind = heads[n], noKind
	}
}

// headsOfGroups copies a head above one column of a group to the others, as in "tax, IGST interest, tax, CGST
// interest". The groups must have the same kinds in the same order, and one head each.
func headsOfGroups(t *table.Table, cols []label) {
	var in []int
	heads := map[string]bool{}
	for i := range cols {
		switch k := cols[i].kind; {
		case t.Columns[i].Role == table.Total, k == total, k == noKind && t.Columns[i].Role == table.Apart:
		case t.Columns[i].Role != table.Detail || k == noKind || k == value:
			return
		default:
			in = append(in, i)
			if h := cols[i].head; h != "" && heads[h] {
				return
			} else if h != "" {
				heads[h] = true
			}
		}
	}
	groups := len(heads)
	if groups < 2 || len(in)%groups != 0 || len(in) == groups {
		return
	}
	size := len(in) / groups
	named := make([]string, groups)
	for n, i := range in {
		if n >= size && cols[i].kind != cols[in[n-size]].kind {
			return
		}
		if n < size && slices.ContainsFunc(in[:n], func(o int) bool { return cols[o].kind == cols[i].kind }) {
			return
		}
		if h := cols[i].head; h != "" {
			if named[n/size] != "" {
				return
			}
			named[n/size] = h
		}
	}
	for n, i := range in {
		cols[i].head = named[n/size]
	}
}

// firstInOrder returns the column with the first of the last n amounts in most rows, counting only rows where it is
// not zero.
func firstInOrder(t *table.Table, n int) int {
	votes := make([]int, len(t.Columns)+1)
	best := len(t.Columns)
	for _, row := range t.Rows {
		if table.IsTotal(row.Label) {
			continue
		}
		left := n
		for i := len(row.Cells) - 1; i >= 0; i-- {
			if !row.Cells[i].Amount.Is() {
				continue
			}
			if left--; left > 0 {
				continue
			}
			if row.Cells[i].Amount.Paise != 0 {
				if votes[i]++; votes[i] > votes[best] {
					best = i
				}
			}
			break
		}
	}
	return best
}

func addsUp(in []int64) bool {
	sum := int64(0)
	for _, paise := range in[:len(in)-1] {
		sum += paise
	}
	return within(sum, in[len(in)-1])
}

// kindsAbove returns the kinds of amounts (tax, interest, penalty …) named in the lines of a table's heading, in order.
// It begins again at every "tax", except the one of "total tax", so the words before the column headings do not count.
func (d *document) kindsAbove(t *table.Table) []kind {
	var order []kind
	body := d.lineAt(t.Body)
	for i := max(0, body-3); i <= body && i < len(d.lines); i++ {
		for word := range strings.FieldsSeq(d.lowIn(d.lines[i].start, min(d.lines[i].end, t.Body))) {
			name, _, _ := strings.Cut(word, "/") // "Tax/Cess"
			switch k := kindOf(name); {
			case k == noKind || k == value:
			case k == tax && (len(order) == 0 || order[len(order)-1] != total):
				order = []kind{tax}
			case len(order) > 0 && !slices.Contains(order, k):
				order = append(order, k)
			}
		}
	}
	return order
}

func isTotal(c table.Column) bool { return c.Role == table.Total && !c.Misfit }

func zeroColumn(t *table.Table, i int) bool {
	return !slices.ContainsFunc(t.Rows, func(r table.Row) bool { return r.Cells[i].Amount.Paise != 0 })
}

// summed reports whether a total that adds up includes a column together with others.
func summed(t *table.Table, i int) bool {
	return slices.ContainsFunc(t.Columns, func(c table.Column) bool {
		return c.Role == table.Total && !c.Misfit && c.To-c.From > 1 && c.From <= i && i < c.To
	})
}

// onlyUsed returns the only used column, -1 if there are several or none.
func onlyUsed(use []bool) int {
	only := -1
	for i, u := range use {
		if u && only >= 0 {
			return -1
		}
		if u {
			only = i
		}
	}
	return only
}

// beginsKind reports whether a long label begins with its kind: "Interest on belated payment of tax".
func beginsKind(low string, k kind) bool {
	for _, w := range strings.Fields(low)[:4] {
		if kindOf(w) == k {
			return true
		}
	}
	return false
}

// nameHalf sets the head of a row that could not be read, if its amounts equal those of the other half of a tax that
// comes in two equal halves, such as CGST and SGST.
func (c *claim) nameHalf() {
	lost, ok := c.cells[""]
	if !ok || len(c.heads) < 2 {
		return
	}
	for _, pair := range [...][2]string{{"CGST", "SGST"}, {"SGST", "CGST"}} {
		have := c.cells[pair[0]]
		if _, both := c.cells[pair[1]]; have != nil && !both && *have == *lost {
			c.cells[pair[1]] = lost
			c.heads[slices.Index(c.heads, "")] = pair[1]
			delete(c.cells, "")
			return
		}
	}
}

// rowsAddUp reports whether most rows of a table add up although its last total does not fit.
func rowsAddUp(t *table.Table, totalCol int) bool {
	fit, misfit := 0, 0
	for _, row := range t.Rows {
		printed := row.Cells[totalCol].Amount
		if !printed.Digits() {
			continue
		}
		left := -printed.Paise
		for _, cell := range row.Cells[t.Columns[totalCol].From:t.Columns[totalCol].To] {
			left += cell.Amount.Paise
		}
		if max(left, -left) <= t.Unit*int64(len(row.Cells)) {
			fit++
		} else {
			misfit++
		}
	}
	return fit > 1 && fit > misfit
}

// columnsAddUp reports whether the last row confirms every used column, whatever the rows add up to.
func columnsAddUp(t *table.Table, use []bool) bool {
	last := t.Rows[len(t.Rows)-1]
	if last.Role != table.Total || last.Misfit || last.From != 0 || last.To-last.From < 2 {
		return false
	}
	for ci, cell := range last.Cells {
		if use[ci] && !cell.Amount.Is() {
			return false
		}
	}
	return true
}

// sumsUp reports whether the used cells of a total add up to sum, even if other cells were misread.
func sumsUp(row table.Row, use []bool, unit, sum int64) bool {
	inUse := int64(0)
	for ci, cell := range row.Cells {
		if use[ci] {
			inUse += cell.Amount.Scaled(unit)
		}
	}
	return sum > 0 && within(inUse, sum)
}

// besideTotal returns the column of a row's total that is a little to the side of those of the other rows, so that
// the two were taken for different columns; -1 if there is none. The printed total counts, even if the rows add up to
// another amount: a flag reports that.
func besideTotal(t *table.Table, row table.Row, use []bool) int {
	only := make([]bool, len(use))
	for ci, cell := range row.Cells {
		only[ci] = !use[ci] && cell.Amount.Digits() && !slices.ContainsFunc(t.Rows, func(o table.Row) bool {
			return o.Role == table.Detail && o.Cells[ci].Text != ""
		})
	}
	return onlyUsed(only)
}

// total sets the printed total of a table, and whether its rows and columns confirm it.
func (c *claim) total(t *table.Table, use []bool, unit int64) {
	totalCol := -1
	for i, col := range t.Columns {
		if col.Role == table.Total {
			totalCol = i
			c.proven = c.proven || !col.Misfit && col.To-col.From > 1
		}
	}
	sum := c.sum()
	c.whole = totalCol >= 0 && columnsAddUp(t, use)
	if totalCol >= 0 && !c.proven {
		c.proven = rowsAddUp(t, totalCol)
	}
	if totalCol >= 0 && t.Columns[totalCol].Misfit && !c.whole {
		c.printed = 0
		for _, row := range t.Rows {
			if row.Role == table.Detail {
				c.printed += row.Cells[totalCol].Amount.Scaled(unit)
			}
		}
	}
	for i := len(t.Rows) - 1; i >= 0; i-- {
		row := t.Rows[i]
		if row.Role != table.Total {
			continue
		}
		c.proven = c.proven || !row.Misfit && row.To-row.From > 1 ||
			row.From == 0 && row.To-row.From > 2 && sumsUp(row, use, unit, sum)
		var in []int64
		printed, inUse := int64(0), int64(0)
		for ci, cell := range row.Cells {
			if cell.Amount.Digits() {
				in = append(in, cell.Amount.Scaled(unit))
				if use[ci] {
					inUse += cell.Amount.Scaled(unit)
				}
			}
		}
		switch {
		case len(in) == 0:
			continue
		case len(in) == 1 && within(in[0], sum):
			printed = in[0]
		case totalCol >= 0 && row.Cells[totalCol].Amount.Digits():
			printed = row.Cells[totalCol].Amount.Scaled(unit)
		case totalCol >= 0 && besideTotal(t, row, use) >= 0:
			printed = row.Cells[besideTotal(t, row, use)].Amount.Scaled(unit)
		case totalCol < 0 && len(in) > 1 || onlyUsed(use) >= 0:
			printed = inUse
		}
		// The sum of only some rows is not the total, and neither is an amount far smaller than a part of it.
		grand := table.IsTotal(row.Label) && i == len(t.Rows)-1 && strings.Contains(lowerASCII(row.Label), "grand")
		if printed > c.largest()/2 && (row.From == 0 || within(printed, sum) || grand) {
			c.printed = printed
			return
		}
	}
}
