package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// readTables reads the amount that each table demands: a claim.
func (r *reading) readTables() {
	d := r.doc
	for _, t := range table.Find(d.placed) {
		if d.isRecognised(t.Start) {
			t.Reread()
		}
		c := d.claimOf(&t)
		c.start, c.body, c.end, c.rows = t.Start, t.Body, t.End, t.Rows
		c.cut = d.isCut(&t)
		r.claims = append(r.claims, c)
	}
	r.readTotals()
}

// isCut reports whether recognition lost the rest of a table: it has no total, and figures go on in the line below it.
func (d *document) isCut(t *table.Table) bool {
	const least, digits = 2, 4
	if !d.isRecognised(t.Start) || slices.ContainsFunc(t.Rows, func(row table.Row) bool { return row.Role == table.Total }) {
		return false
	}
	i := d.lineAt(t.End-1) + 1
	if i >= len(d.lines) || d.lines[i].page != t.Page || d.isProse(d.lines[i]) {
		return false
	}
	figures := 0
	for word := range strings.FieldsSeq(d.lineLow(i)) {
		n := 0
		for _, c := range []byte(word) {
			n += btoi(isDigit(c))
		}
		figures += btoi(n >= digits && strings.ContainsAny(word, ",."))
	}
	return figures >= least
}

var (
	unitWords = lazyregexp.New(`(?:rs\.?|₹|inr|amounts?|figures?|rupees|values?|राशि)[^.;:]{0,24}\bin (?:rs\.? ?|rupees ?|₹ ?|inr ?)?(lakh|lac|crore|thousand|'?000)|\((?:all )?(?:rs\.? ?|₹ ?|rupees ?)?in (?:rs\.? ?|₹ ?)?(lakh|lac|crore|thousand|'?000)|\b(लाख|करोड़|हजार) (?:रुपये |रु\.? )?में|\brs\.? ?(?:in )?('?000)\b|[(₹](?:rs\.?)? ?(lakh|crore)s?\)`)
	unitOf    = map[string]int64{"lakh": 1e5, "lac": 1e5, "crore": 1e7, "thousand": 1e3, "'000": 1e3, "000": 1e3,
		"लाख": 1e5, "करोड़": 1e7, "हजार": 1e3}
)

// unitNear returns the unit of a table's amounts, in rupees, from its caption and headings.
func (d *document) unitNear(t *table.Table) int64 { return d.unitBefore(t.Start, t.Body) }

// unitBefore returns the unit that the words from a little before start up to body name.
func (d *document) unitBefore(start, body int) int64 {
	from := start - 200
	if l := d.lineAt(start); l > 2 {
		from = max(from, d.lines[l-3].start)
	}
	near := d.lowIn(from, body)
	m := unitWords.FindStringSubmatch(near)
	for _, g := range m[min(len(m), 1):] {
		if u := unitOf[g]; u > 0 {
			return u
		}
	}
	return 1
}

// claimOf reads a table's claim by heads: the cells that are neither totals nor workings, each under the head and the
// kind named by its row or column.
func (d *document) claimOf(t *table.Table) *claim {
	c := newClaim()
	c.grid = true
	unit := d.unitNear(t)
	c.unit = unit
	rows, cols := make([]label, len(t.Rows)), make([]label, len(t.Columns))
	var words strings.Builder
	values := make([]bool, len(t.Rows))
	for i, row := range t.Rows {
		low := lowerASCII(row.Label)
		words.WriteString(low + " ")
		rows[i] = readLabel(low)
		values[i] = rows[i].kind == value
		if long := len(strings.Fields(low)) > 5; long && rows[i].kind != noKind && !rows[i].strong() ||
			rows[i].kind == value {
			rows[i].kind = noKind
		} else if long && rows[i].strong() && !beginsKind(low, rows[i].kind) {
			rows[i].kind = noKind
		}
	}
	headCols, kindCols, results, lost := false, false, false, false
	for i, col := range t.Columns {
		low := lowerASCII(col.Heading)
		words.WriteString(low + " ")
		cols[i] = readLabel(low)
		results = results || col.Role == table.Difference
	}
	c.low = words.String()
	if ordered := d.claimInOrder(t, unit); ordered != nil {
		ordered.low = c.low
		return ordered
	}
	d.headsInOrder(t, cols)
	headsOfGroups(t, cols)
	if slices.ContainsFunc(rows, func(l label) bool { return l.kind == tax }) {
		for i := range t.Rows {
			if values[i] && t.Rows[i].Role == table.Detail {
				t.Rows[i].Role = table.Apart // the value that is taxed
			}
		}
	}
	closeUnnamed(t, rows, cols)
	onlyRectified(t, rows)
	for i, head := range headsOfRows(t, d.isRecognised(t.Start)) {
		if rows[i].head == "" {
			rows[i].head = head
		}
	}
	if d.isRecognised(t.Start) {
		joinKinds(t, cols)
	}
	use := make([]bool, len(cols))
	plain := 0
	for i, col := range t.Columns {
		use[i] = col.Role == table.Detail || col.Role == table.Difference
		if cols[i].kind == value || results && col.Role != table.Difference && !cols[i].strong() {
			use[i] = false
		}
		if use[i] && !cols[i].workings {
			plain++
		}
	}
	for i := range cols {
		if plain > 0 && cols[i].workings && t.Columns[i].Role != table.Difference && cols[i].head == "" &&
			!cols[i].strong() && !summed(t, i) {
			use[i] = false
		}
		c.flat = c.flat || t.Columns[i].Role == table.Working ||
			cols[i].workings && !summed(t, i) && t.Columns[i].Role != table.Apart ||
			cols[i].kind == value && !use[i] && t.Columns[i].Role != table.Apart
		if use[i] {
			headCols = headCols || cols[i].head != ""
			kindCols = kindCols || cols[i].kind != noKind && cols[i].kind != total
		}
	}
	workingsBeside(cols, use)
	totalsOf(t, cols, use)
	c.rivals = d.oneOfEach(t, cols, use)
	if !slices.Contains(use, true) && len(cols) > 0 { // only totals
		for i := range cols {
			if t.Columns[i].Role == table.Total || cols[i].kind == total {
				use[i], c.unkind = true, true
			}
		}
	}
	if kindCols && !headCols { // a column without a kind gets one that the others lack
		has := [mostKinds]bool{}
		for i := range cols {
			if use[i] {
				has[cols[i].kind] = true
			}
		}
		for i, col := range t.Columns {
			if !use[i] || cols[i].kind != noKind {
				continue
			}
			switch {
			case !has[tax]: // it is the tax
			case zeroColumn(t, i) || !summed(t, i) && col.Role == table.Detail &&
				slices.ContainsFunc(t.Columns, isTotal):
				use[i] = false
			default:
				lost = true
			}
		}
	}
	if only := onlyUsed(use); only >= 0 && cols[only].kind == total && !headCols {
		c.unkind = true
	}
	rowResults := slices.ContainsFunc(t.Rows, func(row table.Row) bool { return row.Role == table.Difference })
	c.result = results || rowResults
	mendTwins(t, rows, cols, use)
	if d.isRecognised(t.Start) {
		mendTwinCells(t, cols, use)
	}
	kindsNamed := [mostKinds]bool{}
	rowHeads := !headCols
	type line struct {
		head  string
		cells [mostKinds]int64
	}
	var lines []line
	for ri, row := range t.Rows {
		if row.Role == table.Total || row.Role == table.Working || row.Role == table.Apart ||
			rowResults && row.Role != table.Difference && !rows[ri].strong() {
			c.flat = c.flat || row.Role == table.Working
			for ci, cell := range row.Cells {
				if k := cols[ci].kind; row.Role == table.Total && use[ci] && cols[ci].strong() &&
					table.IsOpen(cell.Text) && !slices.Contains(c.open, k) {
					c.open = append(c.open, k)
				}
			}
			continue
		}
		named := headsBeside(row)
		for ci, cell := range row.Cells {
			if !use[ci] {
				continue
			}
			head, k := cols[ci].head, cols[ci].kind
			if rowHeads {
				head = rows[ri].head
			}
			if named != nil {
				head = named[ci]
			}
			if headCols && !cols[ci].strong() && (!kindCols || k == tax || k == noKind) && rows[ri].kind != noKind &&
				rows[ri].kind != total {
				k = rows[ri].kind // the names of the heads contain the word "tax"
			}
			if !headCols && (k == noKind || !kindCols) && rows[ri].kind != noKind && rows[ri].kind != total {
				k = rows[ri].kind
			}
			if k == total && !c.unkind || k == noKind || k == value {
				k = tax
			}
			if c.unkind {
				k = total
			}
			if !cell.Amount.Is() {
				if table.IsOpen(cell.Text) && !slices.Contains(c.open, k) {
					c.open = append(c.open, k)
				}
				continue
			}
			if rows[ri].strong() || cols[ci].strong() {
				kindsNamed[k] = true
			}
			l := line{head: head}
			l.cells[k] = cell.Amount.Scaled(unit)
			lines = append(lines, l)
		}
		if table.IsOpen(lowerASCII(row.Label)) && !slices.Contains(c.open, interest) &&
			strings.Contains(row.Label, "applicable") {
			c.open = append(c.open, interest)
		}
	}
	for _, k := range kindsNamed {
		if k {
			c.kinds++
		}
	}
	for _, l := range lines {
		cells := c.cell(l.head)
		for k, paise := range l.cells {
			cells[k] += paise
		}
	}
	c.columns = slices.Clone(cols)
	for i := range c.columns {
		if !use[i] {
			c.columns[i].head = ""
		}
	}
	c.nameHalf()
	if headCols && !d.onlyHeaded(c) {
		for i := range use {
			use[i] = use[i] && cols[i].head != ""
		}
	}
	c.total(t, use, unit)
	if lost && !c.unkind {
		for _, cells := range c.cells {
			*cells = [mostKinds]int64{total: cells[tax] + cells[interest] + cells[penalty] + cells[fee] + cells[other]}
		}
		c.unkind = true
	}
	return c
}

var (
	asOrdered   = lazyregexp.New(`\b(?:original|originally|earlier|before rectification|as ordered|existing)\b|^मूल`)
	asRectified = lazyregexp.New(`\b(?:rectified|revised|amended|after rectification|modified|corrected)\b|^संशोधित`)
)

// onlyRectified drops, in a table with a row before and a row after a change under each head, the rows before the
// change: the changed amount is demanded.
func onlyRectified(t *table.Table, rows []label) {
	before, after := 0, 0
	for _, row := range t.Rows {
		switch low := lowerASCII(row.Label); {
		case table.IsTotal(row.Label):
		case asOrdered.MatchString(low):
			before++
		case asRectified.MatchString(low):
			after++
		}
	}
	if before == 0 || before != after {
		return
	}
	head := ""
	for i := range t.Rows {
		row := &t.Rows[i]
		switch low := lowerASCII(row.Label); {
		case table.IsTotal(row.Label):
			row.Role = table.Total
		case asOrdered.MatchString(low):
			row.Role, head = table.Apart, rows[i].head
		case asRectified.MatchString(low):
			row.Role = table.Detail
			if rows[i].head == "" {
				rows[i].head = head
			}
		}
	}
}
