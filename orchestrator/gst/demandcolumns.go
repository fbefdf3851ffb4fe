package gst

import (
	"slices"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// joinKinds moves the kind of a column without amounts to the nameless column before it, which has them. Recognition
// separates a heading from its amounts if it reads a line of the grid as letters.
func joinKinds(t *table.Table, cols []label) {
	const stray = 100_00 // a ruled line that was read as a number
	sum := func(i int) int64 {
		sum := int64(0)
		for _, row := range t.Rows {
			sum += row.Cells[i].Amount.Paise
		}
		return sum
	}
	for i := 1; i < len(cols); i++ {
		before := cols[i-1]
		if !cols[i].strong() || before.kind != noKind || before.head != "" || len(t.Columns[i-1].Heading) > 4 ||
			sum(i) >= stray || sum(i-1) < 10*stray {
			continue
		}
		cols[i-1], cols[i] = cols[i], label{}
		t.Columns[i].Role = table.Apart
	}
}

// workingsBeside drops columns of workings, such as the amount in dispute, if another column for the same head and
// kind has the result.
func workingsBeside(cols []label, use []bool) {
	for i := range cols {
		use[i] = use[i] && (!cols[i].workings || cols[i].head == "" || !slices.ContainsFunc(cols, func(o label) bool {
			return !o.workings && o.head == cols[i].head && (o.kind == cols[i].kind || o.ofTax() && cols[i].ofTax())
		}))
	}
}

// oneOfEach keeps one column for each head if a table has several that must not be added up, such as the amount in
// the notice and the amount in the order: the one whose sum the text names, the last if all have the same sum, or the
// one whose heading shows that it decides. All columns are kept if a total adds them up, if the text names their sum,
// or if they are years or months. If nothing decides, it returns the totals of the columns.
func (d *document) oneOfEach(t *table.Table, cols []label, use []bool) (rivals []int64) {
	type claimed struct {
		head string
		kind kind
	}
	columns := map[claimed][]int{}
	n := 0
	for i := range cols {
		if !use[i] || cols[i].kind == total || cols[i].head == "" && cols[i].kind == noKind {
			continue
		}
		of := claimed{cols[i].head, cols[i].kind}
		if cols[i].ofTax() {
			of.kind = tax
		}
		columns[of] = append(columns[of], i)
		n = max(n, len(columns[of]))
	}
	if n < 2 {
		return nil
	}
	sums, deciding := make([]int64, n), make([]bool, n)
	all := int64(0)
	for _, in := range columns {
		if len(in) != n {
			return nil
		}
		for k, i := range in {
			if summed(t, i) || periodOfColumn.MatchString(lowerASCII(t.Columns[i].Heading)) {
				return nil
			}
			deciding[k] = deciding[k] || decidingWord.MatchString(lowerASCII(t.Columns[i].Heading))
			for _, row := range t.Rows {
				if row.Role != table.Total {
					sums[k] += row.Cells[i].Amount.Scaled(d.unitNear(t))
				}
			}
		}
	}
	same := true
	for _, sum := range sums {
		all += sum
		same = same && within(sum, sums[0])
	}
	if all == 0 || d.namesAmount(0, all) {
		return nil
	}
	won := n - 1
	if !same {
		named := make([]bool, n)
		for k, sum := range sums {
			named[k] = sum > 0 && d.namesAmount(0, sum)
		}
		if won = onlyUsed(named); won < 0 {
			won = onlyUsed(deciding)
		}
	}
	if won < 0 {
		return sums
	}
	for _, in := range columns {
		for k, i := range in {
			use[i] = k == won
		}
	}
	return nil
}

var (
	periodOfColumn = lazyregexp.New(`\b20[0-9]{2}\b|\b[0-9]{2}-[0-9]{2}\b|\bq[1-4]\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)`)
	decidingWord   = lazyregexp.New(`\bdetermin|\bconfirm|\border\b|\bpayable\b|\bdemanded\b|\bdue\b|\bfinal|\bupheld\b|\bsustained\b|\bnet\b|\bbalance\b|\brecover|निर्धारित|पुष्ट|देय|शेष`)
)

// totalsOf drops columns that are called a total and contain in each row the sum of the other used columns.
func totalsOf(t *table.Table, cols []label, use []bool) {
	for i := range cols {
		if !use[i] || cols[i].kind != total || cols[i].head != "" {
			continue
		}
		fits := len(t.Rows) > 1
		for _, row := range t.Rows {
			sum := int64(0)
			for k, cell := range row.Cells {
				if use[k] && cols[k].kind != total {
					sum += cell.Amount.Paise
				}
			}
			fits = fits && row.Cells[i].Amount.Is() && within(sum, row.Cells[i].Amount.Paise)
		}
		if fits {
			t.Columns[i].Role = table.Total
		}
	}
	for i := range cols {
		use[i] = use[i] && !(t.Columns[i].Role == table.Total && cols[i].kind == total &&
			slices.ContainsFunc(cols, func(o label) bool {
				return o.head != ""
			}))
	}
}

// mendTwins corrects misread cells in a row of State tax: if the row of Central tax above has the same total and adds
// up, and this row does not, its cells are copied from that row.
func mendTwins(t *table.Table, rows, cols []label, use []bool) {
	last := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Role == table.Total })
	if last < 0 {
		last = slices.IndexFunc(cols, func(l label) bool { return l.kind == total })
	}
	if last < 0 || last >= len(use) || use[last] {
		return
	}
	adds := func(row table.Row) bool {
		sum := int64(0)
		for i, cell := range row.Cells {
			if use[i] {
				sum += cell.Amount.Paise
			}
		}
		return row.Cells[last].Amount.Paise > 0 && within(sum, row.Cells[last].Amount.Paise)
	}
	for i := 1; i < len(t.Rows); i++ {
		above, row := t.Rows[i-1], t.Rows[i]
		if rows[i-1].head != "CGST" || rows[i].head != "SGST" && rows[i].head != "UTGST" || row.Role != above.Role ||
			adds(row) || !adds(above) ||
			row.Cells[last].Amount.Paise != above.Cells[last].Amount.Paise {
			continue
		}
		same := 0
		for k := range row.Cells {
			if use[k] && row.Cells[k].Amount.Paise == above.Cells[k].Amount.Paise {
				same++
			}
		}
		for k := range row.Cells {
			if use[k] && same > 0 {
				t.Rows[i].Cells[k].Amount = above.Cells[k].Amount
			}
		}
	}
}

// mendTwinCells corrects, in a row that does not add up, a misread amount of Central or State tax: it copies one to
// the other if the row then adds up.
func mendTwinCells(t *table.Table, cols []label, use []bool) {
	last := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Role == table.Total })
	if last < 0 {
		last = slices.IndexFunc(cols, func(l label) bool { return l.kind == total && l.head == "" })
	}
	if last < 0 || use[last] {
		return
	}
	column := func(heads ...string) int { // -1 if there are several or none
		only := make([]bool, len(cols))
		for i, l := range cols {
			only[i] = use[i] && slices.Contains(heads, l.head)
		}
		return onlyUsed(only)
	}
	a, b := column("CGST"), column("SGST", "UTGST")
	if a < 0 || b < 0 {
		return
	}
	for _, row := range t.Rows {
		left := row.Cells[last].Amount.Paise
		if left == 0 || row.Role != table.Detail {
			continue
		}
		for i, cell := range row.Cells {
			if use[i] {
				left -= cell.Amount.Paise
			}
		}
		central, state := row.Cells[a].Amount, row.Cells[b].Amount
		switch {
		case left == 0 || central.Paise == state.Paise || !central.Digits() || !state.Digits():
		case left == state.Paise-central.Paise:
			row.Cells[a].Amount = state
		case left == central.Paise-state.Paise:
			row.Cells[b].Amount = central
		}
	}
}

// onlyHeaded reports whether a claim has only amounts under heads. It drops columns without a head, such as the
// amount disputed, if the text names the sum of the other columns but not the sum of all.
func (d *document) onlyHeaded(c *claim) bool {
	lost, ok := c.cells[""]
	if !ok || len(c.heads) < 3 {
		return true
	}
	all := c.sum()
	delete(c.cells, "")
	if rest := c.sum(); rest != all && rest > 0 && d.namesAmount(0, rest) && !d.namesAmount(0, all) {
		c.heads = slices.DeleteFunc(c.heads, func(head string) bool { return head == "" })
		return false
	}
	c.cells[""] = lost
	return true
}

// headsBeside returns the heads of a row that names one beside each amount, "Tax CGST 500 SGST 500"; nil for other
// rows.
func headsBeside(row table.Row) []string {
	heads := make([]string, len(row.Cells))
	seen := map[string]bool{}
	for i, cell := range row.Cells {
		if !cell.Amount.Is() {
			continue
		}
		if heads[i] = readLabel(lowerASCII(cell.Beside)).head; heads[i] == "" || seen[heads[i]] {
			return nil
		}
		seen[heads[i]] = true
	}
	if len(seen) < 2 {
		return nil
	}
	return heads
}

// closeUnnamed recognises totals that are not called total: a last row without head or kind that contains the sum of
// the rows above, for each column or in one sum; likewise a last column.
func closeUnnamed(t *table.Table, rows, cols []label) {
	blank := func(l label) bool { return l.head == "" && (l.kind == noKind || l.kind == total) }
	if last := len(t.Columns) - 1; last > 0 && t.Columns[last].Role == table.Detail && blank(cols[last]) {
		used, fits, some := false, true, false
		for i := range last {
			used = used || t.Columns[i].Role == table.Detail && !blank(cols[i])
		}
		for _, row := range t.Rows {
			left := row.Cells[last].Amount.Paise
			some = some || left != 0
			for i := range last {
				if t.Columns[i].Role == table.Detail {
					left -= row.Cells[i].Amount.Paise
				}
			}
			fits = fits && within(left, 0)
		}
		if used && fits && some {
			t.Columns[last].Line = table.Line{Role: table.Total, From: 0, To: last}
		}
	}
	last := len(t.Rows) - 1
	if last < 1 || t.Rows[last].Role != table.Detail && !t.Rows[last].Misfit || !blank(rows[last]) ||
		blank(rows[last-1]) && t.Rows[last-1].Role != table.Total {
		return
	}
	for from := range last {
		if from > 0 && !blank(rows[from-1]) {
			return // what it leaves out would be part of the demand
		}
		if closes(t, from, last) {
			for i := range from {
				t.Rows[i].Role = table.Apart
			}
			t.Rows[last].Line = table.Line{Role: table.Total, From: from, To: last}
			return
		}
	}
}

// closes reports whether the last row has the sums of the rows from from on, for each column or in one sum.
func closes(t *table.Table, from, last int) bool {
	single, all, fits := int64(0), int64(0), true
	amounts := 0
	for ci, cell := range t.Rows[last].Cells {
		sum := int64(0)
		for _, row := range t.Rows[from:last] {
			if row.Role == table.Detail {
				sum += row.Cells[ci].Amount.Paise
			}
		}
		if t.Columns[ci].Role == table.Detail {
			all += sum
		}
		if cell.Amount.Digits() {
			amounts++
			single = cell.Amount.Paise
			fits = fits && within(cell.Amount.Paise, sum)
		} else if !cell.Amount.Is() {
			fits = fits && sum == 0
		}
	}
	return amounts > 0 && single > 0 && (fits || amounts == 1 && within(single, all))
}

// claimInOrder reads a table by the order of its columns, for scanned forms whose headings are not above their columns.
// The lines above the table name the columns ("tax, interest, penalty … total"). Each row ends in that many amounts,
// and the last of them is the sum of the others. It returns nil if a row that names a head does not add up.
func (d *document) claimInOrder(t *table.Table, unit int64) *claim {
	order := d.kindsAbove(t)
	if len(order) < 3 || order[0] != tax || order[len(order)-1] != total {
		return nil
	}
	first := firstInOrder(t, len(order))
	c := newClaim()
	seen := 0
	var printed []int64
	recognised, spoilt := d.isRecognised(t.Start), ""
	heads := headsOfRows(t, recognised)
	for ri, row := range t.Rows {
		var in []int64
		for i, cell := range row.Cells {
			if cell.Amount.Is() && (i >= first || table.IsTotal(row.Label)) {
				in = append(in, cell.Amount.Scaled(unit))
			}
		}
		if table.IsTotal(row.Label) {
			printed = in
			continue
		}
		head := heads[ri]
		if head == "" || len(in) < 2 || len(in) > len(order) || !addsUp(in) {
			if head == "" || !recognised || spoilt != "" || twinOf(head) == "" {
				return nil
			}
			spoilt = head // the row with the same amounts may have what recognition lost here
			continue
		}
		cells := c.cell(head)
		for i, paise := range in[:len(in)-1] {
			cells[order[i]] += paise
		}
		seen++
	}
	if spoilt != "" {
		whole := c.cells[twinOf(spoilt)]
		if whole == nil {
			return nil
		}
		*c.cell(spoilt) = *whole
		if !slices.ContainsFunc(printed, func(paise int64) bool { return within(paise, c.sum()) }) {
			return nil
		}
		seen++
	}
	if seen < 2 || c.sum() == 0 {
		return nil
	}
	c.grid, c.proven = true, true
	for k := tax; k < total; k++ {
		if k != tax && c.of(k) > 0 {
			c.kinds++
		}
	}
	if slices.ContainsFunc(printed, func(paise int64) bool { return within(paise, c.sum()) }) {
		c.printed = c.sum() // ignore what recognition saw after it
	} else if n := len(printed); n >= len(order) {
		c.printed = printed[n-1]
	}
	return c
}

// twinOf returns the head that is always charged in the same amount: State tax for Central tax.
func twinOf(head string) string {
	switch head {
	case "CGST":
		return "SGST"
	case "SGST", "UTGST":
		return "CGST"
	}
	return ""
}

// headsOfRows returns the head that each row names. In recognised tables, in which small print is misread, two rows
// before the total whose amounts are the same are Central and State tax.
func headsOfRows(t *table.Table, recognised bool) []string {
	heads := make([]string, len(t.Rows))
	for i, row := range t.Rows {
		heads[i] = readLabel(lowerASCII(row.Label)).head
	}
	if !recognised {
		return heads
	}
	for i := 0; i+1 < len(heads); i++ {
		a, b := &heads[i], &heads[i+1]
		if *a != "" && *b != "" || table.IsTotal(t.Rows[i].Label) || table.IsTotal(t.Rows[i+1].Label) ||
			*a != "" && *a != "CGST" || *b != "" && *b != "SGST" && *b != "UTGST" || !sameAmounts(t.Rows[i], t.Rows[i+1]) {
			continue
		}
		if *a == "" && slices.Contains(heads, "CGST") || *b == "" && slices.Contains(heads, "SGST") {
			continue
		}
		if *a = "CGST"; *b == "" {
			*b = "SGST"
		}
		break
	}
	return heads
}

// sameAmounts reports whether two rows have the same amounts, as far as they can be read, and at least two of them.
func sameAmounts(a, b table.Row) bool {
	same := 0
	for i := range a.Cells {
		x, y := a.Cells[i].Amount, b.Cells[i].Amount
		switch {
		case !x.Digits() || !y.Digits() || x.Paise == 0 && y.Paise == 0:
		case x.Paise != y.Paise:
			return false
		default:
			same++
		}
	}
	return same > 1
}
