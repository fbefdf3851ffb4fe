package gst

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// The demand is read as follows. Each table, each paragraph with amounts under heads, and all charges together make a
// claim. Arithmetic and the words around a claim count for or against it. The best claim is the demand if its score
// is high enough and no claim with another sum comes close.

// claim is the amount due according to a table, a paragraph or all charges together, in paise.
type claim struct {
	span
	cells   map[string]*[mostKinds]int64
	heads   []string
	printed int64 // the printed total, 0 if there is none
	proven  bool  // its rows and columns add up
	unkind  bool  // it has only totals, not tax and interest separately
	kinds   int   // number of kinds that it names, such as interest and penalty
	grid    bool  // it comes from a table
	result  bool  // its table computes a difference
	whole   bool  // its last column has totals, and its last row confirms every column
	unit    int64 // the unit of the table's amounts, in rupees
	cut     bool  // rows of its table were lost in recognition
	flat    bool  // a table of returns, with workings beside the amounts
	// rivals are the totals of several columns for each head, if it is unclear which of them is claimed.
	rivals  []int64
	open    []kind
	score   int
	why     []string
	rows    []table.Row // of the table
	columns []label     // the meaning of its columns; those that claim nothing have no head
	low     string      // its headings and labels
	body    int         // offset of the table's first row
	most    int64       // the largest amount in the table
	added   int64       // penalty that is no printed sum, as it is only said to equal the tax
}

func newClaim() *claim { return &claim{cells: map[string]*[mostKinds]int64{}} }

func (c *claim) cell(head string) *[mostKinds]int64 {
	cells, ok := c.cells[head]
	if !ok {
		cells = &[mostKinds]int64{}
		c.cells[head] = cells
		c.heads = append(c.heads, head)
	}
	return cells
}

// sum adds up everything claimed.
func (c *claim) sum() int64 {
	sum := int64(0)
	for _, cells := range c.cells {
		if c.unkind {
			sum += cells[total]
			continue
		}
		sum += cells[tax] + cells[interest] + cells[penalty] + cells[fee] + cells[other]
	}
	return sum
}

// largest returns the largest amount in the table.
func (c *claim) largest() int64 {
	if c.most == 0 {
		for _, row := range c.rows {
			for _, cell := range row.Cells {
				c.most = max(c.most, cell.Amount.Paise)
			}
		}
	}
	return c.most
}

// of adds up one kind.
func (c *claim) of(k kind) int64 {
	sum := int64(0)
	for _, cells := range c.cells {
		sum += cells[k]
	}
	return sum
}

// amount returns the printed total, else the sum.
func (c *claim) amount() int64 { return cmp.Or(c.printed, c.sum()) }

// headed reports whether the claim names heads.
func (c *claim) headed() bool { return len(c.heads) > 1 || len(c.heads) == 1 && c.heads[0] != "" }

// isHalf reports whether the claim has CGST without SGST or UTGST, or the reverse, although the two are always
// charged together.
func (c *claim) isHalf() bool {
	if c.proven {
		return false
	}
	has := func(head string) bool { return c.cells[head] != nil && *c.cells[head] != [mostKinds]int64{} }
	return has("CGST") != (has("SGST") || has("UTGST"))
}

func (c *claim) weigh(points int, why string) {
	c.score += points
	c.why = append(c.why, fmt.Sprintf("%+d %s", points, why))
}

func rowOf(head string, c *[mostKinds]int64) DemandRow {
	return DemandRow{Head: head, Tax: toRupees(c[tax]), Interest: toRupees(c[interest]), Penalty: toRupees(c[penalty]),
		Fee: toRupees(c[fee]), Other: toRupees(c[other])}
}

func toRupees(paise int64) float64 { return float64(paise) / 100 }

// within reports whether two sums are equal apart from rounding to whole rupees.
func within(a, b int64) bool { return math.Abs(float64(a-b)) <= 300 }

// readTables reads the claims of the tables in the text.
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

// onlyRectified leaves out, in a table that has a row before and a row after a change under each head, those before it: what
// is demanded is what it was changed to.
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

// joinKinds moves the kind of a column without amounts to the nameless column before it, which has them. Recognition
// parts a heading from its amounts if it reads a line of the grid as letters.
func joinKinds(t *table.Table, cols []label) {
	const stray = 100_00 // a line read as a figure
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
			spoilt = head // its twin may have what recognition lost here
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

// addTotals adds the claim of a last row, in place of what was read there and does not add up.
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

// namesInOrder returns the columns that a line names in words: a head of tax each, with its kind before it where it is
// another than tax, and a total at the end. It returns nil if one is named twice or by its kind alone.
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

// besideTotal returns the column of a row's total that stands a little beside those of the other rows, so that the two
// were taken for columns of their own; -1 if there is none. What it says counts, even where the rows come to something
// else: that is for the flag to tell.
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

// readDemand reads the amounts claimed. A refund in question is not a demand, and some forms claim nothing.
func (r *reading) readDemand() {
	form := ""
	if r.form != nil {
		form = r.form.Form
		switch {
		case strings.HasPrefix(form, "RFD-"), strings.HasPrefix(form, "REG-"), form == "GSTR-3A", form == "ADT-01",
			form == "ADT-03", form == "CMP-05", form == "PCT-03":
			return
		}
	}
	if strings.HasPrefix(form, "MOV-") {
		r.readDetention()
		return
	}
	if r.isAppealLetter() {
		return
	}
	r.readCharges()
	r.amountsOf()
	var claims []*claim
	for _, c := range r.claims {
		if (c.headed() || c.kinds > 1) && len(c.rivals) == 0 {
			claims = append(claims, c)
		}
	}
	prose := r.claimsInProse()
	claims = append(claims, parts(prose)...)
	if c := r.chargesTogether(); c != nil && !r.amountsBeside(prose, c) {
		claims = append(claims, c)
	}
	r.weigh(claims, form)
	slices.SortStableFunc(claims, func(a, b *claim) int { return cmp.Compare(b.score, a.score) })
	r.consider("demand", r.sums(claims))
	if len(claims) == 0 || claims[0].score < enough {
		r.settleDemand(r.columnsStated())
		r.offerDemand()
		return
	}
	best := claims[0]
	if best.of(tax) == 0 && !best.unkind {
		if taxed := taxBeside(claims, best); taxed != nil && !r.join(best, taxed) {
			r.offerDemand()
			return // penalty or interest, whose tax is elsewhere
		}
	}
	for _, c := range claims[1:] {
		if c.score == best.score && !within(c.amount(), best.amount()) && !within(c.of(tax), best.of(tax)) {
			r.offerDemand()
			return // two claims are equally good
		}
	}
	if charged := r.chargedSum(); charged != nil && best.kinds == 0 && best != charged && sameSums(best, charged) {
		best.cells, best.heads = charged.cells, charged.heads // the charges separate tax from interest and fee
	}
	best = provenInstead(claims, best)
	if best.countsAgain() {
		r.offerDemand()
		return
	}
	if r.isRemnant(best) {
		r.offerDemand()
		return
	}
	r.penaltyAsTax(best)
	r.settleDemand(best)
	r.offerDemand()
	r.settleByDemand()
}

// columnsStated returns a claim of what a sentence calls the total to be paid, if a table that names no heads has it as
// the sum of its columns of interest, penalty and fee, or of these with the tax. The heads are known where the text
// says that each is a half. It returns nil if there is no such sentence or more than one.
func (r *reading) columnsStated() (found *claim) {
	d := r.doc
	for _, m := range r.statedTotals() {
		if m.head != "" || !toPay.MatchString(d.lowIn(max(0, m.start-60), m.start)) {
			continue
		}
		for _, c := range r.claims {
			cells := c.cells[""]
			if cells == nil || len(c.cells) != 1 || c.cut || c.kinds == 0 {
				continue
			}
			due := [mostKinds]int64{interest: cells[interest], penalty: cells[penalty], fee: cells[fee]}
			sum := due[interest] + due[penalty] + due[fee]
			if within(sum+cells[tax], m.paise) && cells[tax] > 0 {
				due[tax], sum = cells[tax], sum+cells[tax]
			}
			if sum == 0 || !within(sum, m.paise) {
				continue
			}
			if found != nil && found.printed != m.paise {
				return nil
			}
			found = newClaim()
			found.span, found.printed, found.proven = m.span, m.paise, true
			if halves.MatchString(d.low[:r.extent()]) {
				for _, head := range [...]string{"CGST", "SGST"} {
					for k, paise := range due {
						found.cell(head)[k] = paise / 2
					}
				}
			}
		}
	}
	return found
}

var (
	toPay  = lazyregexp.New(`\b(?:to be paid|payable|to pay|due|demand(?:ed)?|recoverable|to be recovered)\b`)
	halves = lazyregexp.New(`\bhalf\b[^.;]{0,60}\bcgst\b[^.;]{0,40}\bhalf\b[^.;]{0,20}\bsgst\b|\b(?:equally|in equal (?:halves|parts|shares))\b[^.;]{0,40}\bcgst\b[^.;]{0,20}\bsgst\b|\b50 ?% (?:is )?cgst\b[^.;]{0,20}\b50 ?% (?:is )?sgst\b`)
)

// isRemnant reports whether a claim on a recognised page is likely what is left of an amount, "31" of "31 OOO": it is
// in a sentence, and every other sum of money on the paper is many times as large.
func (r *reading) isRemnant(c *claim) bool {
	const (
		small = 1000_00
		times = 20
	)
	d := r.doc
	if c.grid || c.proven || c.amount() >= small || !d.isRecognised(c.start) {
		return false
	}
	others := false
	for at := 0; at < len(d.low); at++ {
		if !beginsAmount(d.low, at) {
			continue
		}
		a, ok := parseAmount(d.low, at)
		if !ok || !a.marked || a.start >= c.start && a.start < c.end {
			continue
		}
		if a.paise < times*c.amount() {
			return false
		}
		others = true
		at = a.end - 1
	}
	return others
}

// provenInstead returns, for a claim whose parts do not add up to its printed total, another claim with that total
// whose parts do.
func provenInstead(claims []*claim, best *claim) *claim {
	sum := best.sum()
	if lost := best.cells[""]; lost != nil {
		for _, paise := range lost[:total] {
			sum -= paise
		}
	}
	if best.printed == 0 || within(best.printed, sum) {
		return best
	}
	for _, c := range claims {
		if c.headed() && !c.unkind && c.score > 0 && within(c.amount(), best.printed) && within(c.sum(), best.printed) {
			return c
		}
	}
	return best
}

// countsAgain reports whether the rows add up to a multiple of the printed total; then something was counted twice.
func (c *claim) countsAgain() bool {
	sum := c.sum()
	for n := int64(2); c.printed > 0 && n < 5; n++ {
		if within(sum, n*c.printed) {
			return true
		}
	}
	return false
}

// taxBeside returns the table that claims only tax, under the heads of a claim without tax.
func taxBeside(claims []*claim, rest *claim) *claim {
	for _, c := range claims {
		within := !slices.ContainsFunc(rest.heads, func(head string) bool {
			return c.cells[head] == nil || c.cells[head][tax] == 0
		})
		if c.grid && c.proven && !c.flat && c.of(tax) > rest.sum() && c.sum() == c.of(tax) && within {
			return c
		}
	}
	return nil
}

// join adds the tax of another claim to a claim of penalty or interest, if the sum of both is printed.
func (r *reading) join(rest, taxed *claim) bool {
	both := rest.sum() + taxed.sum()
	for _, s := range r.mentions(span{0, r.extent()}, tax) {
		if s.paid || s.head != "" || !within(s.paise, both) {
			continue
		}
		for _, head := range taxed.heads {
			rest.cell(head)[tax] = taxed.cells[head][tax]
		}
		rest.printed = s.paise
		return true
	}
	return false
}

// offerDemand uses the only sum in words if no table or sentence gave a total; without one it leaves the sums to a
// person.
func (r *reading) offerDemand() {
	if r.facts.Demand != nil && r.facts.Demand.Total != nil {
		return
	}
	if at, paise := r.sumInWords(); paise > 0 && r.facts.Demand == nil {
		c := newClaim()
		c.span, c.printed = at, paise
		r.settleDemand(c)
		return
	}
	r.offer("demand")
}

// sumInWords returns the sum that a paper with a demand writes in words: the only one, or the one that the others add
// up to.
func (r *reading) sumInWords() (at span, paise int64) {
	d := r.doc
	if !r.facts.claims() && (r.form == nil || r.form.Kind != "order") {
		return span{}, 0
	}
	all, sum := map[int64]span{}, int64(0)
	for _, m := range inRupees.FindAllStringIndex(d.low[:r.extent()], mostStated) {
		written := d.inWords(m[0])
		before := d.lowIn(max(d.sentence(m[0]).start, m[0]-200), m[0])
		if written < 1000_00 || notDemanded.MatchString(before) ||
			!closeToAll.MatchString(before) && !asTotal.MatchString(d.lowIn(m[0], m[0]+200)) {
			continue
		}
		if _, known := all[written]; !known {
			all[written] = span{m[0], m[1]}
			sum += written
			if written > paise {
				paise, at = written, all[written]
			}
		}
	}
	if len(all) > 1 && !within(sum, 2*paise) {
		return span{}, 0
	}
	return at, paise
}

// asTotal matches words after a sum in words that make it the total.
var asTotal = lazyregexp.New(`^[a-z -]{10,150}\b(?:in all|in total|altogether)\b`)

// notDemanded matches words near sums that are not demanded.
var notDemanded = lazyregexp.New(`\bpaid\b|\bpayments? (?:of|made)|deposit|turnover|\bvalue|refund|\bbond|security|guarantee|balance|revers|received|जमा`)

// amountsBeside reports whether a paragraph outside the charges claims something that the charges do not include.
func (r *reading) amountsBeside(prose []*claim, charged *claim) bool {
	return slices.ContainsFunc(prose, func(c *claim) bool {
		return r.chargeAt(c.start) < 0 && !sameTax(c, charged) && !within(c.amount(), charged.amount())
	})
}

// parts returns the claims of paragraphs with the sum of all added, if they are parts of one demand: several
// paragraphs, none of which is the sum of the others. Then no single part is the demand.
func parts(prose []*claim) []*claim {
	var own []*claim // paragraphs with a total of their own
	for _, c := range prose {
		if c.printed != 0 && !slices.ContainsFunc(own, func(o *claim) bool { return within(o.amount(), c.amount()) }) {
			own = append(own, c)
		}
	}
	if len(own) < 2 {
		return prose
	}
	all := int64(0)
	for _, c := range own {
		all += c.amount()
	}
	for _, c := range own {
		if within(2*c.amount(), all) || !slices.ContainsFunc(own, func(o *claim) bool {
			return o != c && !c.includes(o)
		}) {
			c.weigh(3, "sums up the others")
			return prose
		}
	}
	for _, c := range own {
		c.weigh(-10, "one part of several")
	}
	return prose
}

// includes reports whether a claim has all that another has under its heads, and more under other heads.
func (c *claim) includes(o *claim) bool {
	for _, head := range o.heads {
		if c.cells[head] == nil || *c.cells[head] != *o.cells[head] {
			return false
		}
	}
	return len(c.heads) > len(o.heads)
}

// penaltyAsTax adds the penalty for "a like sum as penalty", if twice the tax is printed too.
func (r *reading) penaltyAsTax(c *claim) {
	if c.unkind || c.of(tax) == 0 || c.sum() != c.of(tax) || c.isHalf() {
		return
	}
	m := likePenalty.FindStringIndex(r.doc.low[:r.extent()])
	if m == nil {
		return
	}
	for _, s := range r.mentions(span{0, r.extent()}, tax) {
		if !s.paid && s.head == "" && within(s.paise, 2*c.of(tax)) {
			for _, cells := range c.cells {
				cells[penalty] = cells[tax]
			}
			c.printed = s.paise
			return
		}
	}
	if c.printed != 0 && !within(c.printed, c.of(tax)) {
		return
	}
	n := r.equalPenalties()
	for _, cells := range c.cells {
		cells[penalty] = n * cells[tax]
	}
	if c.added = c.of(penalty); c.added > 0 {
		c.printed = 0
	}
}

// equalPenalties counts the penalties, each equal to the tax, for which a notice asks why they should not be imposed:
// none, one, or one under each of two sections.
func (r *reading) equalPenalties() int64 {
	low := r.doc.low[:r.extent()]
	if r.facts.Kind == "order" || r.form != nil && r.form.Kind == "order" {
		return 0 // what it says may be what the notice proposed
	}
	for _, m := range equalPenalty.FindAllStringIndex(low, 20) {
		if ofPart.MatchString(r.doc.lowIn(m[1], m[1]+60)) ||
			!asksWhy.MatchString(r.doc.lowIn(max(0, m[0]-500), m[0])) && !asksWhy.MatchString(r.doc.lowIn(m[1], m[1]+80)) {
			continue
		}
		if furtherPenalty.MatchString(r.doc.lowIn(m[1], m[1]+200)) {
			return 2
		}
		return 1
	}
	return 0
}

var (
	equalPenalty   = lazyregexp.New(`\b(?:an? )?equal penalty\b|\bpenalty[^;.]{0,40}\b(?:equal|equivalent) to (?:the |such |said |that |the said )*(?:amount of )?tax\b`)
	ofPart         = lazyregexp.New(`^ (?:in|of|on|for|under|at|against|relating to|pertaining to|involved in) (?:the )?(?:said )?(?:para|charge|issue|item|point|first|second|third|defect|matter|s\.? ?no|sr|serial|f\.?y|20[0-9]{2})`)
	asksWhy        = lazyregexp.New(`\bshow cause\b|\bwhy\b|क्यों`)
	furtherPenalty = lazyregexp.New(`\b(?:further|another|additional) penalty (?:of|in) (?:the|a|an) (?:like|equal|same) (?:amount|sum)\b`)
)

var likePenalty = lazyregexp.New(`\bpenalty[^;]{0,60}\b(?:equal|equivalent|same|like|100 ?%)|\b(?:equal|equivalent|same|like)\b[^;]{0,60}\bpenalty|(?:बराबर|समान|समतुल्य)[^।]{0,40}(?:शास्ति|अर्थदण्ड)|(?:शास्ति|अर्थदण्ड)[^।]{0,40}(?:बराबर|समान|समतुल्य)`)

// sums returns the totals of the claims and other sums that may be the demand, for a person to choose from. Printed
// sums come first.
func (r *reading) sums(claims []*claim) []candidate {
	all := append(asCandidates(claims), r.statedSums()...)
	printed := map[string]bool{}
	likely := r.likelySums(printed)
	for i := range all {
		if !printed[all[i].value] && !slices.Contains(all[i].why, inWordsToo) {
			all[i].weigh(-12, "printed nowhere")
		}
	}
	for _, c := range r.claims {
		for _, sum := range c.rivals {
			one := candidate{span: c.span, value: fmt.Sprintf("%.2f", toRupees(sum))}
			one.weigh(-1, "what one of several columns of each head comes to")
			all = append(all, one)
		}
	}
	if r.form == nil && !r.facts.claims() {
		return all
	}
	return append(all, likely...)
}

const inWordsToo = "a sum in words"

// statedSums returns the totals that sentences name, and those of tables without heads, for a person to choose from.
func (r *reading) statedSums() []candidate {
	var all []candidate
	add := func(s span, paise int64, why string) {
		if paise > 0 {
			all = append(all, candidate{span: s, value: fmt.Sprintf("%.2f", toRupees(paise)), score: -5,
				why: []string{why}})
		}
	}
	for _, m := range r.statedTotals() {
		add(m.span, m.paise, "a total that is stated")
	}
	together, from := int64(0), span{}
	for _, c := range r.claims {
		switch {
		case !c.headed():
			add(c.span, c.amount(), "the total of a table that names no heads")
		case !c.flat && c.start < r.annexure():
			together += c.amount()
			from = c.span
		}
	}
	add(from, together, "what the tables come to together")
	if r.form == nil && !r.facts.claims() {
		return all
	}
	for _, m := range inRupees.FindAllStringIndex(r.doc.low[:r.extent()], mostStated) {
		add(span{m[0], m[1]}, r.doc.inWords(m[0]), inWordsToo)
	}
	return all
}

// likelySums returns every amount in the text that may be a total, because of the words on its line, because it is
// printed repeatedly, or because amounts before it on its line or above it add up to it. It records all printed
// amounts in printed.
func (r *reading) likelySums(printed map[string]bool) []candidate {
	const (
		mostLines  = 3000
		mostAbove  = 8
		leastTotal = 1000_00
	)
	d := r.doc
	var all []candidate
	var above []int64 // the last amounts of the previous lines
	times := map[int64]int{}
	for i, l := range d.lines {
		if l.start >= r.extent() || i > mostLines {
			break
		}
		low := d.low[l.start:l.end]
		ofAll, isDue := closeToAll.MatchString(low), demandWords.MatchString(low)
		sum, last, before := int64(0), int64(0), int64(0)
		for at := l.start; at < l.end; at++ {
			if !beginsAmount(d.low, at) || at > l.start && isAlnum(d.low[at-1]) {
				continue
			}
			a, ok := parseAmount(d.low, at)
			if !ok || a.end > l.end {
				continue
			}
			if at = max(at, a.end-1); a.paise >= leastTotal &&
				(a.marked || a.paise >= 10*leastTotal || strings.Contains(d.low[a.start:a.end], ",")) {
				c := candidate{span: span{a.start, a.end}, value: fmt.Sprintf("%.2f", toRupees(a.paise)), score: -10}
				printed[c.value] = true
				if times[a.paise]++; times[a.paise] > 1 {
					c.weigh(2, "printed again")
				}
				if sum > last && within(sum, a.paise) {
					c.weigh(3, "what stands before it on its line comes to it")
				}
				if before > last && within(before-last, a.paise) {
					c.weigh(3, "the difference of the two before it")
				}
				if addsUpAbove(above, a.paise) {
					c.weigh(3, "what stands above it comes to it")
				}
				if r.largestOfTable(a.start) == a.paise {
					c.weigh(2, "the largest amount of a table")
				}
				if ofAll {
					c.weigh(3, "on a line of a total")
				}
				if len(c.why) > 0 && isDue {
					c.weigh(1, "said to be due")
				}
				if len(c.why) > 0 {
					all = append(all, c)
				}
			}
			sum += a.paise
			before, last = last, a.paise
		}
		if last > 0 {
			if above = append(above, last); len(above) > mostAbove {
				above = above[1:]
			}
		}
	}
	// Of two equal scores the larger amount comes first.
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(len(b.value), len(a.value)) })
	return all
}

// largestOfTable returns the largest amount of the table that contains an offset, 0 if there is none.
func (r *reading) largestOfTable(at int) int64 {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > at })
	if i == len(r.claims) || r.claims[i].start > at {
		return 0
	}
	return r.claims[i].largest()
}

// addsUpAbove reports whether two or more of the last amounts add up to a sum.
func addsUpAbove(above []int64, paise int64) bool {
	sum := int64(0)
	for i := len(above) - 1; i >= 0 && sum < paise; i-- {
		sum += above[i]
		if i < len(above)-1 && within(sum, paise) {
			return true
		}
	}
	return false
}

const mostStated = 60

var inRupees = lazyregexp.New(`\brupees\b|रुपये`)

// asCandidates returns the totals of claims, for a person to choose from.
func asCandidates(claims []*claim) []candidate {
	var all []candidate
	for _, c := range claims {
		if c.amount() > 0 {
			all = append(all, candidate{span: c.span, value: fmt.Sprintf("%.2f", toRupees(c.amount())),
				score: float64(c.score), why: c.why})
		}
	}
	return all
}

// enough is the score that a claim needs.
const enough = 3

// settleDemand writes a claim into the facts.
func (r *reading) settleDemand(best *claim) {
	if best == nil {
		return
	}
	r.doubtTax(best)
	if best.unkind {
		r.splitKinds(best)
	}
	if best.proven && best.added == 0 && !best.hasCell(best.amount()) {
		best.printed = cmp.Or(r.misprinted(best.amount()), best.printed)
	}
	demand := Demand{Rows: []DemandRow{}, Currency: "INR"}
	for _, head := range headNames {
		c := best.cells[head]
		if c == nil || best.unkind || best.isHalf() || *c == ([mostKinds]int64{}) {
			continue
		}
		demand.Rows = append(demand.Rows, rowOf(head, c))
	}
	if amount := best.amount(); amount != 0 && (best.printed != 0 || !best.isHalf()) {
		demand.Total = ptr(toRupees(amount))
	}
	if demand.Total != nil && r.doubtsTotal(best, demand.Rows) {
		demand.Total = nil
		if lost := best.cells[""]; lost != nil && *lost != ([mostKinds]int64{}) {
			demand.Rows = demand.Rows[:0] // a part has no head, so the rows are not the whole demand
		}
	}
	if demand.Total == nil && len(demand.Rows) == 0 {
		return
	}
	demand.LeftOpen = r.leftOpen(best)
	r.facts.Demand = &demand
	r.demandAt = best.span
	r.demanded = best
	r.cite("demand", best.span)
}

// doubtTax turns a paragraph's sums by heads into totals, if no words near them call them tax and the paper also
// names interest, a fee or a penalty that may be included.
func (r *reading) doubtTax(c *claim) {
	d := r.doc
	if c.grid || c.unkind || c == r.together || c.sum() != c.of(tax) || c.end <= c.start {
		return
	}
	from := min(d.sentence(c.start).start, r.leadIn(c))
	near := d.lowIn(from, max(d.sentence(c.end).end, c.end))
	if calledTax.MatchString(near) || !slices.ContainsFunc(r.mentions(span{0, r.extent()}, tax), func(m mention) bool {
		return !m.paid && (m.kind == interest || m.kind == fee || m.kind == penalty) && m.paise < c.amount()
	}) {
		return
	}
	for _, cells := range c.cells {
		*cells = [mostKinds]int64{total: cells[tax]}
	}
	c.unkind = true
}

var calledTax = lazyregexp.New(`\b(?:tax|taxes|credit|itc|liabilit(?:y|ies)|evad|evasion|short|turnover)\b|कर\b|क्रेडिट`)

// misprinted returns the total that the text states, if it differs from the sum in one or two digits.
// The printed total is kept, and shown as not matching.
func (r *reading) misprinted(sum int64) int64 {
	digits := func(paise int64) string { return strconv.FormatInt(paise/100, 10) }
	stated := int64(0)
	for _, s := range r.statedTotals() {
		if s.head != "" || s.kind != tax && s.kind != total || len(digits(s.paise)) != len(digits(sum)) {
			continue
		}
		differ := 0
		for i, c := range []byte(digits(s.paise)) {
			if c != digits(sum)[i] {
				differ++
			}
		}
		switch {
		case differ == 0:
			return 0
		case differ < 3:
			stated = s.paise
		}
	}
	return stated
}

// doubtsTotal reports whether a total should be left to a person. That is so if the sum is printed nowhere and a
// column may be lost in a scan, nothing confirms it and no head has a part of it, or the text calls another sum the
// total.
func (r *reading) doubtsTotal(c *claim, rows []DemandRow) bool {
	d := r.doc
	amount := c.amount() - c.added
	inCell := func(t *claim) bool { return t.hasCell(amount) }
	if c.whole || slices.ContainsFunc(r.claims, inCell) || d.namesAmount(0, amount) {
		return false
	}
	for _, m := range inRupees.FindAllStringIndex(d.low, mostStated) {
		if within(d.inWords(m[0]), amount) {
			return false
		}
	}
	if c.grid && d.isRecognised(c.start) || d.unread || len(rows) == 0 && !c.proven {
		return true
	}
	return slices.ContainsFunc(r.statedTotals(), func(s mention) bool {
		return s.total && s.head == "" && s.kind != interest && s.kind != penalty && s.paise > c.largest() &&
			!within(s.paise, c.of(tax))
	})
}

// hasCell reports whether a cell of the claim's table has the amount, in paise.
func (c *claim) hasCell(paise int64) bool {
	return slices.ContainsFunc(c.rows, func(row table.Row) bool {
		return slices.ContainsFunc(row.Cells, func(cell table.Cell) bool {
			return within(cell.Amount.Scaled(max(c.unit, 1)), paise)
		})
	})
}

// leftOpen returns what is claimed in addition without a sum: in a cell of the table, or in a sentence such as "with
// interest at the applicable rate".
func (r *reading) leftOpen(c *claim) []string {
	var open []string
	for _, k := range [...]struct {
		kind kind
		name string
	}{{tax, "tax"}, {interest, "interest"}, {penalty, "penalty"}, {fee, "fee"}} {
		if slices.Contains(c.open, k.kind) {
			open = append(open, k.name)
		}
	}
	if c.of(interest) == 0 && !c.unkind && !slices.Contains(open, "interest") &&
		interestOpen.MatchString(r.doc.low[:r.extent()]) {
		open = append(open, "interest")
	}
	return open
}

var interestOpen = lazyregexp.New(`\b(?:with|and|plus|besides)(?: applicable| the| due)? interest\b|\binterest[^.;]{0,60}(?:as applicable|applicable rate|shall be (?:charged|payable|recovered)|should not be|is (?:also )?payable|till (?:the )?date of|per annum)|ब्याज`)

var (
	demandWords = lazyregexp.New(`\bdemand|\bdues\b|\bpayable\b|\bpropos|\brecover|\bquantif|\bascertain|\bdetermin|\bconfirm|\bsummar|\bliabilit|\blevi|\bdue\b|\bunpaid\b|\boutstanding\b|\barrears?\b|देय|मांग|माँग|प्रस्तावित|वसूल|माग`)
	otherWords  = lazyregexp.New(`\bsuppliers?\b|\binvoice|\bas per\b|\bturnover|\bclaimed\b|\brefund|\bledger|\balready paid|\bdeposited|\bworking|\bcomparison|\bmonth-?wise|\bavailed\b`)
	ofNotice    = lazyregexp.New(`\b(?:notice|scn|drc-01)\b[^;]{0,60}\b(?:proposed|alleged|demanded|sought|called for|had raised|was for)\b|\b(?:proposed|alleged) in the (?:show cause )?(?:notice|scn)\b|(?:नोटिस|सूचना) (?:में|द्वारा)[^।]{0,60}(?:प्रस्तावित|मांग|माँग)`)
	closeToAll  = lazyregexp.New(`\b(?:total|all|both|aggregate|consolidated|overall|grand|final|in sum|altogether)\b|कुल`)
)

// weigh scores each claim by its form, its position, and what confirms it.
func (r *reading) weigh(claims []*claim, form string) {
	d := r.doc
	annexed := r.annexure()
	stated := r.statedTotals()
	charged := r.chargedSum()
	alsoPenalty := likePenalty.MatchString(d.low[:r.extent()])
	isStated := func(c *claim) bool {
		return slices.ContainsFunc(stated, func(s mention) bool {
			return (s.start < c.start || s.start >= c.end) && within(s.paise, c.amount()) && c.amount() > 0
		})
	}
	for _, c := range claims {
		lead := d.lowIn(r.leadIn(c), c.start)
		if c.grid && !c.unkind && c.headed() {
			c.weigh(1, "a table by heads")
		}
		switch {
		case c.kinds > 1:
			c.weigh(4, "tax, interest and penalty")
		case c.kinds == 1:
			c.weigh(3, "tax with interest, penalty or fee")
		}
		if len(c.open) > 0 {
			c.weigh(2, "a sum left open")
		}
		if c.proven {
			c.weigh(1, "adds up")
		}
		if c.cut {
			c.weigh(-8, "recognised, and figures go on below it")
		}
		if demandWords.MatchString(lead) || c.grid && demandWords.MatchString(c.low) {
			c.weigh(2, "said to be due")
		}
		if closeToAll.MatchString(lead) {
			c.weigh(1, "said to be of all")
		}
		if c.grid && otherWords.MatchString(lead) && !demandWords.MatchString(lead) {
			c.weigh(-1, "said to be workings")
		}
		if c.grid && c.flat {
			c.weigh(-2, "beside workings")
		}
		if c.start >= annexed {
			c.weigh(-3, "in an annexure")
		}
		if form == "DRC-01B" || form == "DRC-01C" {
			if c.result {
				c.weigh(4, "the difference that the form is about")
			}
		}
		if isStated(c) {
			c.weigh(4, "its total is stated elsewhere")
		}
		if charged != nil && c != charged && c.grid && sameTax(c, charged) &&
			(len(r.charged()) > 1 || r.chargeAt(c.start) < 0) {
			c.weigh(3, "the charges add up to it")
		}
		if !c.grid && c != charged && charged != nil && len(r.charged()) > 1 && !within(c.amount(), charged.amount()) &&
			!sameTax(c, charged) {
			c.weigh(-8, "not what the charges come to")
		}
		if alsoPenalty && slices.ContainsFunc(stated, func(s mention) bool {
			return c.of(tax) > 0 && c.sum() == c.of(tax) && within(s.paise, 2*c.of(tax))
		}) {
			c.weigh(6, "with a like sum as penalty its total is stated")
		}
		if n := r.chargeAt(c.start); c != charged && r.inOneOfSeveral(c.start) && !r.charges[n].summary(c) {
			c.weigh(-3, "inside one charge of several")
		}
		if c.grid && !c.headed() {
			c.weigh(-2, "no heads")
		}
		if n, sums := alike(r.claims, c, annexed); n > 2 && sums {
			c.weigh(3, "sums up the other tables")
		} else if n > 2 {
			c.weigh(-4, "one of several tables alike")
		}
		if c.grid && !c.proven && !c.result && d.isRecognised(c.start) {
			c.weigh(-5, "recognised, and nothing adds up")
		}
		if c.grid && c.kinds > 0 && c.headed() && c.proven && portalTable.MatchString(d.lowIn(c.start, c.end)) {
			c.weigh(6, "the portal's table of the demand")
		}
		if charged != nil && c != charged && len(r.charged()) > 1 && r.chargeAt(c.start) < 0 &&
			within(c.amount(), charged.amount()) {
			c.weigh(5, "the charges come to its total")
		}
		if c.of(tax) == 0 && !c.unkind && c.sum() > 0 && r.chargesTax() {
			c.weigh(-3, "no tax in it")
		}
		if !c.grid && slices.ContainsFunc(claims, func(o *claim) bool {
			return o.grid && o.kinds > 0 && o.amount() > c.amount() && within(o.sum(), o.amount()) && isStated(o)
		}) {
			c.weigh(-6, "a table of more comes to a total that is stated")
		}
		if !c.grid && ofNotice.MatchString(d.lowIn(d.sentence(c.start).start, c.start)) &&
			slices.ContainsFunc(claims, func(o *claim) bool { return o.grid && o.proven && o.kinds > 0 }) {
			c.weigh(-12, "what the notice proposed, beside a table of what is due")
		}
		if !c.grid && r.isOrder() && slices.ContainsFunc(claims, func(o *claim) bool {
			return o.grid && o.proven && o.kinds > 0 && o.headed() && !o.flat && (o.start > c.start || r.form != nil) &&
				o.start < annexed && !within(o.amount(), c.amount())
		}) {
			c.weigh(-8, "in the words of an order, beside its table of what is due")
		}
		if c.kinds == 0 && slices.ContainsFunc(claims, func(o *claim) bool {
			return o != c && o.grid && o.proven && o.kinds > 0 && !o.flat && sameTax(c, o) && o.amount() > c.amount() &&
				within(o.of(tax), c.amount())
		}) {
			c.weigh(-6, "the tax alone of a table with interest or penalty")
		}
	}
}

// portalTable matches the headings of the table of the demand in FORM DRC-01, DRC-07 and DRC-08, which has a column for
// the place of supply (rule 142).
var portalTable = lazyregexp.New(`\bpos\b|\bplace of supply\b`)

// alike counts the tables with the same heads and no kinds, and reports whether one of them is the sum of the others.
// If the claim is in the body, tables of an annexure do not count.
func alike(claims []*claim, c *claim, annexed int) (n int, sums bool) {
	if !c.grid || !c.headed() || c.kinds > 0 {
		return 0, false
	}
	all := int64(0)
	for _, o := range claims {
		if c.start < annexed && o.start >= annexed {
			break
		}
		if o.kinds == 0 && len(o.heads) == len(c.heads) && o.headed() {
			n++
			all += o.amount()
		}
	}
	return n, within(all, 2*c.amount())
}

// sameSums reports whether two claims have the same sum under each head.
func sameSums(a, b *claim) bool {
	sum := func(c *claim, head string) (all int64) {
		if cells := c.cells[head]; cells != nil {
			for _, paise := range cells {
				all += paise
			}
		}
		return all
	}
	for _, head := range headNames {
		if !within(sum(a, head), sum(b, head)) {
			return false
		}
	}
	return true
}

// sameTax reports whether two claims have the same tax under each head.
func sameTax(a, b *claim) bool {
	same := 0
	for _, head := range headNames {
		x, y := a.cells[head], b.cells[head]
		var p, q int64
		if x != nil {
			p = x[tax]
		}
		if y != nil {
			q = y[tax]
		}
		if !within(p, q) {
			return false
		}
		if p != 0 {
			same++
		}
	}
	return same > 0
}

// leadIn returns where the words that introduce a claim begin: its own paragraph, or the lines above a table, but
// after any earlier table.
func (r *reading) leadIn(c *claim) int {
	d := r.doc
	from := max(0, c.start-260)
	if i := sort.Search(len(r.claims), func(i int) bool {
		return r.claims[i].end > c.start-1
	}); i > 0 && r.claims[i-1].end <= c.start {
		from = max(from, r.claims[i-1].end)
	}
	l := d.lineAt(c.start)
	for i := l; i > 0 && d.lines[i].start > from; i-- {
		if i < l && (d.lines[i].first && !isContinued(d, i)) && l-i > 1 {
			from = max(from, d.lines[i].start)
			break
		}
	}
	return from
}

func isContinued(d *document, i int) bool { return i > 0 && isLower(d.text[d.lines[i].start]) }

// statedTotals returns the amounts that sentences call a total, or for which they ask why they should not be
// recovered.
func (r *reading) statedTotals() []mention {
	d := r.doc
	var all []mention
	for _, m := range r.mentions(span{0, r.extent()}, tax) {
		if m.paid {
			continue
		}
		if m.total || m.head == "" && asked.MatchString(d.lowIn(m.end, m.end+160)) || d.inWords(m.end) == m.paise {
			all = append(all, m)
		}
	}
	return all
}

var asked = lazyregexp.New(`^[^.;]{0,140}(?:should not be (?:demanded|recovered|determined|confirmed|paid)|shall not be|with (?:applicable )?interest|in all\b|taken together|क्यों न)`)

// claimsInProse returns the claims of paragraphs with amounts under heads, and of successive paragraphs that name one
// demand together: the items demanded, or one line for each head.
func (r *reading) claimsInProse() []*claim {
	var claims []*claim
	var run []span
	close := func() {
		if len(run) > 1 {
			if c := r.claimOfRun(span{run[0].start, run[len(run)-1].end}, len(run)); c != nil {
				for _, part := range claims {
					if part.start >= c.start && part.end <= c.end && !within(part.amount(), c.amount()) {
						part.weigh(-6, "one part of several items")
					}
				}
				claims = append(claims, c)
			}
		}
		run = nil
	}
	gap := 0
	for _, b := range r.proseBlocks() {
		if b.end-b.start > 3000 || r.inOneOfSeveral(b.start) {
			close()
			continue
		}
		all := r.mentions(b, tax)
		if !slices.ContainsFunc(all, func(m mention) bool {
			return !m.paid && (m.head != "" || m.total || m.kind != tax)
		}) {
			if gap++; gap > 1 {
				close()
			}
			continue
		}
		gap = 0
		run = append(run, b)
		if c := r.claimOfBlock(b, all); c != nil {
			claims = append(claims, c)
		}
	}
	close()
	return claims
}

// inOneOfSeveral reports whether an offset is in the text of one of several charges.
func (r *reading) inOneOfSeveral(at int) bool {
	n := r.chargeAt(at)
	return n >= 0 && len(r.charged()) > 1 && at < r.charges[n].said
}

// claimOfBlock reads the claim of one paragraph.
func (r *reading) claimOfBlock(b span, all []mention) *claim {
	d := r.doc
	c, sure := sumUp(all)
	if !sure || !c.headed() {
		return nil
	}
	c.sumAmong(all)
	if c.proven = c.printed != 0 && within(c.printed, c.sum()) && len(c.heads) > 1; c.isHalf() {
		return nil
	}
	switch {
	case c.printed != 0 && within(c.printed, c.sum()):
		c.weigh(4, "its own total")
	case c.printed > c.sum():
		c.weigh(-4, "part of what it names was not read")
		c.printed = 0
	default:
		c.printed = 0
	}
	if low := d.low[b.start:b.end]; demandWords.MatchString(low) {
		c.weigh(2, "a paragraph of what is due")
		if asked.MatchString(d.lowIn(c.end, c.end+160)) || shouldNot.MatchString(low) {
			c.weigh(2, "what is asked for")
		}
	} else if asked.MatchString(d.lowIn(c.end, c.end+160)) {
		c.weigh(2, "what is asked for")
	}
	c.kinds = 0
	return c
}

// sumAmong sets the printed total: the amount in the sentences that equals the sum of those under heads, or a larger
// one of which they are part.
func (c *claim) sumAmong(all []mention) {
	sum, largest := c.sum(), int64(0)
	for _, m := range all {
		if m.head != "" || m.paid {
			continue
		}
		if within(m.paise, sum) {
			c.printed = m.paise
			return
		}
		if m.total {
			largest = max(largest, m.paise)
		}
	}
	if largest > sum {
		c.printed = largest
	}
}

// claimOfRun reads several paragraphs as one claim: each names other heads or kinds, or a total of all.
func (r *reading) claimOfRun(s span, n int) *claim {
	d := r.doc
	all := r.mentions(s, tax)
	c, sure := sumUp(all)
	if !sure || !c.headed() {
		return nil
	}
	c.sumAmong(all)
	if c.proven = c.printed != 0 && within(c.printed, c.sum()); c.isHalf() {
		return nil
	}
	if c.proven {
		c.weigh(6, "their own total")
	} else if c.printed > c.sum() {
		return nil // part of it was not read
	} else {
		c.printed = 0
	}
	low := d.lowIn(max(0, s.start-200), s.end)
	if demandWords.MatchString(low) {
		c.weigh(2, "paragraphs of what is due")
	}
	if shouldNot.MatchString(low) || asked.MatchString(d.lowIn(s.end, s.end+160)) {
		c.weigh(2, "what is asked for")
	}
	c.kinds = 0
	for k := interest; k < total; k++ {
		if c.of(k) > 0 {
			c.weigh(2, "more than tax")
			break
		}
	}
	return c
}

// proseBlocks splits the text outside tables into paragraphs and items.
func (r *reading) proseBlocks() []span {
	d := r.doc
	var blocks []span
	open := false
	for i, l := range d.lines {
		if l.start >= r.extent() {
			break
		}
		if r.inTable(l.start) {
			open = false
			continue
		}
		if !open || l.first && !isContinued(d, i) || startsItem(d.text[l.start:l.end]) {
			blocks = append(blocks, l.span)
			open = true
			continue
		}
		blocks[len(blocks)-1].end = l.end
	}
	return blocks
}

var shouldNot = lazyregexp.New(`should not be (?:demanded|recovered|determined|confirmed)|shall not be (?:demanded|recovered)`)

// annexure returns the offset at which the annexures begin, or the length of the text.
func (r *reading) annexure() int {
	d := r.doc
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if i > 5 && l.end-l.start < 140 &&
			(strings.HasPrefix(low, "annexure") || strings.HasPrefix(low, "annex ") ||
				strings.HasPrefix(low, "enclosure -") || strings.HasPrefix(low, "अनुलग्नक")) {
			return l.start
		}
	}
	return len(d.text)
}

// splitKinds splits a summary that has only totals into tax, interest and fee, using the single charges if they add
// up to it.
func (r *reading) splitKinds(summary *claim) {
	split := newClaim()
	for _, head := range summary.heads {
		split.cell(head)
	}
	for _, ch := range r.charged() {
		for _, head := range ch.claim.heads {
			cells := split.cell(head)
			for k, paise := range ch.claim.cells[head] {
				cells[k] += paise
			}
		}
	}
	for _, head := range summary.heads {
		c := split.cells[head]
		if !within(c[tax]+c[interest]+c[penalty]+c[fee]+c[other], summary.cells[head][total]) {
			return
		}
	}
	for _, head := range summary.heads {
		*summary.cells[head] = *split.cells[head]
	}
	summary.unkind = false
}

// readDetention reads the penalty of a notice detaining goods; the tax on the goods and their value are not demanded.
// Every total, column or sentence that calls an amount a penalty is a vote for it, and the amount with most votes is
// the demand.
func (r *reading) readDetention() {
	d := r.doc
	votes := map[int64]int{}
	at := map[int64]span{}
	vote := func(paise int64, s span, n int) {
		if paise > 0 {
			if votes[paise] += n; at[paise].end == 0 {
				at[paise] = s
			}
		}
	}
	for _, m := range totalPenalty.FindAllStringIndex(d.low[:r.extent()], 8) {
		if a, ok := parseAmount(d.low, m[1]); ok && a.marked {
			vote(a.paise, span{m[0], a.end}, 4)
		}
	}
	if len(votes) == 0 && taxToo.MatchString(d.low[:r.extent()]) {
		r.consider("demand", r.sums(r.claims))
		if i := slices.IndexFunc(r.claims, func(c *claim) bool { return c.headed() && c.of(penalty) > 0 }); i >= 0 {
			r.settleDemand(r.claims[i])
		}
		r.offerDemand()
		return
	}
	var named []mention
	for _, m := range r.mentions(span{d.begin, r.extent()}, tax) {
		before := d.lowIn(min(max(d.sentence(m.start).start, m.start-160), max(0, m.start-60)), m.start)
		goesOn := len(named) > 0 && m.start-named[len(named)-1].end < 24
		if m.paid || m.kind != penalty && !penaltyWord.MatchString(before) && !goesOn {
			continue
		}
		named = append(named, m)
		if m.kind == penalty && m.head == "" {
			vote(m.paise, m.span, 2)
		}
	}
	split := newClaim() // by heads
	for _, m := range named {
		if m.head != "" && m.kind != interest && m.kind != fee {
			if cells := split.cell(m.head); cells[penalty] == 0 || m.kind == penalty {
				cells[penalty] = m.paise
			}
		}
	}
	grids := r.claims
	for _, c := range grids {
		if !c.headed() {
			continue
		}
		sum := c.of(penalty)
		vote(sum, c.span, 2)
		if c.printed != sum && c.kinds == 1 && c.of(tax) == 0 {
			vote(c.printed, c.span, 1)
		}
	}
	vote(split.of(penalty), at[split.of(penalty)], 2)
	for _, m := range named {
		if m.head == "" && within(m.paise, split.of(penalty)) {
			vote(m.paise, m.span, 2)
		}
	}
	if words, paise := r.sumInWords(); paise > 0 {
		vote(paise, words, 3)
	}
	best, tied := int64(0), false
	for paise, n := range votes {
		switch {
		case n > votes[best]:
			best, tied = paise, false
		case n == votes[best]:
			tied = true
		}
	}
	r.consider("demand", r.sums(r.claims))
	if best == 0 || tied {
		r.offerDemand()
		return
	}
	c := newClaim()
	c.span, c.printed, c.proven = at[best], best, true
	if c.end == 0 && len(named) > 0 {
		c.span = named[0].span
	}
	for _, of := range append([]*claim{split}, grids...) {
		if !within(of.of(penalty), best) || !of.headed() {
			continue
		}
		if rated := r.ratedHead(); rated != "" && rated != of.heads[0] && len(of.heads) == 1 && of.grid && !of.proven &&
			d.isRecognised(of.start) {
			continue // the other amounts on its line are lost
		}
		for _, head := range of.heads {
			if p := of.cells[head][penalty]; head != "" && p != 0 {
				c.cell(head)[penalty] = p
			}
		}
		break
	}
	if head := r.onlyHead(named, best); len(c.heads) == 0 && head != "" {
		c.cell(head)[penalty] = best
	}
	r.settleDemand(c)
	r.offerDemand()
}

// onlyHead returns the single head that is named directly with an amount, "Rs. 3,45,600/- (IGST)", or by all columns
// of tax.
func (r *reading) onlyHead(named []mention, paise int64) string {
	for _, m := range named {
		if m.head != "" && within(m.paise, paise) {
			return m.head
		}
	}
	head := ""
	for _, m := range named {
		if within(m.paise, paise) && m.head == "" {
			if at := linkedHead.FindStringSubmatch(r.doc.lowIn(m.end, m.end+40)); at != nil {
				return taxHead(at[1])
			}
		}
	}
	if head := r.ratedHead(); head != "" {
		return head
	}
	for _, c := range r.claims {
		for word := range strings.FieldsSeq(c.low + " " + r.doc.lowIn(c.start, c.end)) {
			if h := taxHead(strings.Trim(word, ".,:;()")); h != "" && head != "" && h != head {
				return ""
			} else if h != "" {
				head = h
			}
		}
	}
	return head
}

// ratedHead returns the only head of tax for which a rate on the goods is named.
func (r *reading) ratedHead() string {
	head := ""
	for _, m := range headWithRate.FindAllStringSubmatch(r.doc.low[:r.extent()], 20) {
		if h := taxHead(m[1]); h != "" && head != "" && h != head {
			return ""
		} else if h != "" {
			head = h
		}
	}
	return head
}

// headWithRate matches the rate of a head of tax on the goods: "(IGST 18%)", "IGST @ 18 per cent".
var headWithRate = lazyregexp.New(`\b([iscu]t?gst)\b ?(?:@|at|:)? ?(?:the rate of )?[0-9]{1,2}(?:\.[0-9]+)? ?(?:%|per ?cent)`)

var (
	taxToo      = lazyregexp.New(`(?:^| )कर (?:एवं|तथा|व|और) (?:शास्ति|अर्थदण्ड|अर्थदंड)|\b(?:proposed|said|why the|the) tax(?:,| and| &) (?:applicable )?penalty\b`)
	penaltyWord = lazyregexp.New(`\bpenalty\b|शास्ति|अर्थदण्ड`)
	linkedHead  = lazyregexp.New(`^[/ -]*\(?(?:as |under |towards )?([a-z]{4,5})\b`)
)

var totalPenalty = lazyregexp.New(`\btotal (?:amount of )?penalty(?: (?:payable|proposed|leviable|imposable))?(?: (?:is|of|comes to|works out to))? ?[:=-]* ?`)

// annexureTax compares the tax in the annexures' own demand tables with the body. It differs only if neither a single
// table nor all together have the figure of the body. Tables that compare returns or list turnover do not count.
func (r *reading) annexureTax() (sum float64, at int, differs bool) {
	start := r.annexure()
	if r.demandAt.start >= start || r.demanded == nil {
		return 0, 0, false
	}
	body := r.demanded.of(tax)
	all, heads := int64(0), 0
	for _, c := range r.claims {
		if c.start < start || c.unkind || !c.headed() {
			continue
		}
		one := c.of(tax)
		if within(one, body) || r.stateAgain(c) {
			return 0, 0, false
		}
		if slices.ContainsFunc(r.charged(), func(ch charge) bool { return ch.start < start && sameTax(ch.claim, c) }) {
			continue // it lists what one charge is about
		}
		if c.result || !sameHeads(c, r.demanded) || r.doc.isRecognised(c.start) && !c.proven {
			continue
		}
		heads++
		if at == 0 {
			at = c.start
		}
		all += one
	}
	if at == 0 {
		all, at = r.annexedInProse(start)
	}
	return toRupees(all), at, all > 0 && body > 0 && !within(all, body)
}

// stateAgain reports whether a claim has the demand's tax under each head that it names.
func (r *reading) stateAgain(c *claim) bool { return sameTax(c, r.demanded) }

// sameHeads reports whether two claims have tax under the same heads.
func sameHeads(a, b *claim) bool {
	for _, head := range headNames {
		x, y := a.cells[head], b.cells[head]
		if (x != nil && x[tax] != 0) != (y != nil && y[tax] != 0) {
			return false
		}
	}
	return true
}

// annexedInProse adds up the tax that charges in the annexures name in sentences, if it is under the same heads as in
// the body. It returns nothing if the annexures also have the body's figure for each head.
func (r *reading) annexedInProse(start int) (sum int64, at int) {
	d := r.doc
	annexed := newClaim()
	for _, ch := range r.charged() {
		if ch.start < start {
			continue
		}
		if ch.unsure || d.isRecognised(ch.start) {
			return 0, 0
		}
		for _, head := range ch.claim.heads {
			annexed.cell(head)[tax] += ch.claim.cells[head][tax]
		}
		if at == 0 {
			at = ch.start
		}
	}
	if at == 0 || !sameHeads(annexed, r.demanded) {
		return 0, 0
	}
	repeated := true
	for _, head := range r.demanded.heads {
		repeated = repeated && d.namesAmount(start, r.demanded.cells[head][tax])
	}
	if repeated {
		return 0, 0
	}
	return annexed.of(tax), at
}

// namesAmount reports whether the text names the amount anywhere from the offset on.
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
