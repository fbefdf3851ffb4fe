package read

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"munshi/orchestrator/figures"
)

// excel reads each sheet of a workbook row by row. Sheets that are hidden are left out, with a note.
func (d *decoder) excel(archive *zip.Reader) error {
	b, err := d.openBook(archive)
	if err != nil {
		return refused("figures_damaged", err)
	}
	defer b.Close()
	if d.job.Cells > 0 {
		return d.workbookRows(b)
	}
	t := &tables{d: d, from1904: b.from1904}
	for _, sheet := range b.GetSheetList() {
		if visible, err := b.GetSheetVisible(sheet); err == nil && !visible {
			d.note("hidden_sheet")
			continue
		}
		t.begin(sheet)
		if err := b.rows(sheet, func(_ int, cells []string) error { return t.row(cells) }); err != nil {
			return damaged(err)
		}
		if err := t.end(); err != nil {
			return err
		}
	}
	if b.computed > 0 && d.rows == 0 {
		return refused("figures_formulas", fmt.Errorf("%d formulas without a result", b.computed))
	}
	if b.computed > 0 {
		d.note("formulas")
	}
	return t.finish()
}

// damaged returns a refusal as it is, and any other error as damage to the file.
func damaged(err error) error {
	var known *refusal
	if errors.As(err, &known) {
		return err
	}
	return refused("figures_damaged", err)
}

// csv reads a text table separated by commas, semicolons or tabs.
func (d *decoder) csv(f *os.File, start []byte) error {
	text, err := utf8Text(f, start)
	if err != nil {
		return err
	}
	rows, err := textRows(text)
	if err != nil {
		return err
	}
	t := &tables{d: d}
	t.begin("")
	for {
		cells, err := rows.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return refused("figures_damaged", err)
		}
		if err := t.row(cells); err != nil {
			return err
		}
	}
	if err := t.end(); err != nil {
		return err
	}
	return t.finish()
}

const (
	lookAhead  = 60  // rows in which the headings are searched for
	sampleRows = 200 // rows below the headings by which the content is judged
	mostCells  = 300 // cells of a row that are read
)

// tables reads the sheets of one file.
type tables struct {
	d     *decoder
	about about // from titles, for the whole file

	sheet  string
	number int        // of the current row, from 1
	held   [][]string // rows not processed yet because the headings were not found
	layout *layout
	found  bool // a table was recognised in some sheet
	source figures.Source
	kind   figures.Kind
	ledger *figures.Ledger
	names  map[string]string // one copy of strings that many rows share
	plain  map[string]string // cells in the normal form of headings
	last   *figures.Record   // the document above, to which a line without a number belongs
	lines  int               // lines without a number below last
	sum    int64             // of the taxable values so far

	from1904 bool // serial numbers of days count from 1904
}

// about is what title rows and the portal's "Read me" sheet say.
type about struct{ words, year, month, gstin string }

func (t *tables) begin(sheet string) {
	t.sheet, t.number, t.held, t.layout, t.ledger, t.last, t.sum = sheet, 0, nil, nil, nil, nil, 0
}

func (t *tables) row(cells []string) error {
	t.number++
	if len(cells) > mostCells {
		cells = cells[:mostCells]
	}
	if t.layout == nil {
		t.held = append(t.held, slices.Clone(cells))
		if len(t.held) >= lookAhead+sampleRows {
			return t.decide()
		}
		return nil
	}
	return t.take(cells, t.number)
}

func (t *tables) end() error {
	if t.layout == nil {
		if err := t.decide(); err != nil {
			return err
		}
	}
	if t.ledger != nil {
		t.d.whole.Ledgers = append(t.d.whole.Ledgers, *t.ledger)
	}
	return nil
}

// decide finds the headings among the rows held, and reads the rows below. Headings may take up to three rows, the
// upper ones spanning several columns.
func (t *tables) decide() error {
	held := t.held
	best, bestScore, bestFrom, bestAt := (*layout)(nil), 0, 0, 0
	arranged := func(from, to, seen int) (*layout, int) {
		below := held[to:]
		return arrange(stack(held[from:to]), below[:min(len(below), seen)])
	}
	for from := range min(len(held), lookAhead) {
		if filled(held[from]) < 3 {
			continue // a title
		}
		for to := from + 1; to <= min(from+3, len(held)) && isHeading(held[to-1]); to++ {
			if _, score := arranged(from, to, 20); score > bestScore {
				bestScore, bestFrom, bestAt = score, from, to
			}
		}
	}
	if bestScore > 0 {
		best, bestScore = arranged(bestFrom, bestAt, sampleRows)
	}
	t.title(held[:min(len(held), max(bestAt, min(len(held), 15)))])
	t.held = nil
	below := held[bestAt:]
	if best == nil || bestScore < 4 {
		t.layout = &layout{} // read nothing from this sheet
		return nil
	}
	t.layout, t.found = best, true
	t.layout.from1904 = t.from1904
	if best.turned {
		t.d.note("days_turned")
	}
	t.classify()
	if t.ledger == nil {
		t.columns(below[:min(len(below), sampleRows)])
	}
	t.d.whole.File.Format = cmp.Or(t.d.whole.File.Format, formatOf(t.source, t.ledger, t.ofPortal()))
	for i, row := range below {
		if err := t.take(row, bestAt+i+1); err != nil {
			return err
		}
	}
	return nil
}

// columns applies the columns that a person assigned for a register with these headings, and records the columns of
// the file's first table.
func (t *tables) columns(sample [][]string) {
	chosen := t.d.job.Choices[shapeOf(t.layout.headings)]
	if t.ofPortal() {
		chosen = nil
	}
	if len(chosen) > 0 {
		t.layout.choose(chosen, sample)
	}
	file := &t.d.whole.File
	if file.Columns != nil {
		return
	}
	file.Columns = t.layout.columns()
	if !t.ofPortal() {
		file.Table = t.layout.table(sample)
		file.Table.Chosen = len(chosen) > 0
	}
}

// filled counts the cells of a row that are not empty.
func filled(row []string) (n int) {
	for _, c := range row {
		if strings.TrimSpace(c) != "" {
			n++
		}
	}
	return n
}

// isHeading reports whether a row can be a row of headings: words, but no amounts, GSTINs or dates.
func isHeading(row []string) bool {
	for _, c := range row {
		c = strings.TrimSpace(c)
		if isAmount(c) || isGSTIN(c) || isDay(c) {
			return false
		}
	}
	return filled(row) > 0
}

// stack joins rows of headings. A heading in an upper row also applies to the empty cells to its right.
func stack(rows [][]string) []string {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	all := make([]string, width)
	for n, row := range rows {
		last := ""
		for i := range width {
			cell := ""
			if i < len(row) {
				cell = strings.TrimSpace(row[i])
			}
			if n < len(rows)-1 {
				below := slices.ContainsFunc(rows[n+1:], func(row []string) bool {
					return i < len(row) && strings.TrimSpace(row[i]) != ""
				})
				switch {
				case cell != "":
					last = cell
				case below:
					cell = last
				}
			}
			if cell != "" {
				all[i] = strings.TrimSpace(all[i] + " " + cell)
			}
		}
	}
	return all
}

// title reads the rows above a table: their words, and the financial year, the tax period and the GSTIN if given.
func (t *tables) title(rows [][]string) {
	for _, row := range rows {
		line := strings.ToLower(strings.Join(row, " "))
		if len(t.about.words) < 20_000 {
			t.about.words += " " + line
		}
		for i, cell := range row {
			cell = strings.TrimSpace(cell)
			value := ""
			for _, next := range row[i+1:] {
				if value = strings.TrimSpace(next); value != "" {
					break
				}
			}
			switch h := heading(cell); {
			case h == "financial year" && t.about.year == "":
				t.about.year = value
			case (h == "tax period" || h == "return period") && t.about.month == "":
				t.about.month = value
			case h == "gstin" && isGSTIN(value) && t.about.gstin == "":
				t.about.gstin = strings.ToUpper(value)
			}
		}
	}
}

// portalSheets are the kinds of documents in the sheets of the portal's workbooks, by sheet name without punctuation.
var portalSheets = map[string]figures.Kind{
	"b2b": figures.Invoice, "b2ba": figures.Invoice, "b2bsezde": figures.Invoice, "b2bcdnr": figures.CreditNote,
	"b2bcdnra": figures.CreditNote, "cdnr": figures.CreditNote, "cdnra": figures.CreditNote, "cdn": figures.CreditNote,
	"cdna": figures.CreditNote, "isd": figures.ISD, "isda": figures.ISD, "impg": figures.Import,
	"impgsez": figures.Import, "impga": figures.Import,
	"eco": figures.Invoice, "ecoa": figures.Invoice, "ecom": figures.Invoice, "ecoma": figures.Invoice,
	"b2cl":  figures.Invoice,
	"b2cla": figures.Invoice, "cdnur": figures.CreditNote,
	"exp": figures.Invoice, "b2cs": figures.Consumers,
}

func plain(s string) string { return strings.ReplaceAll(heading(s), " ", "") }

// classify finds out what a table is: a table of the portal by its sheet and title, a ledger by its columns, else a
// register, of purchases unless the words speak of sales.
func (t *tables) classify() {
	headings := strings.ToLower(strings.Join(t.layout.headings, " "))
	words := t.about.words + " " + headings + " " + strings.ToLower(t.sheet+" "+t.d.job.Name)
	bare := strings.NewReplacer("-", "", " ", "", "_", "").Replace(words)
	kind, ofPortal := portalSheets[plain(t.sheet)]
	if !ofPortal {
		kind = figures.Invoice
	}
	t.kind = kind
	headed := heading(headings)
	_, describes := t.layout.one[roleDescription]
	_, filing := t.layout.one[roleFiling]
	_, filedDay := t.layout.one[roleFiledDay]
	switch {
	case len(t.layout.all[roleBalance]) > 0 && describes:
		t.ledger = &figures.Ledger{Kind: "credit", GSTIN: t.about.gstin, TaxAlone: t.layout.taxAlone}
		switch {
		case strings.Contains(words, "cash ledger"):
			t.ledger.Kind = "cash"
		case strings.Contains(words, "liability"):
			t.ledger.Kind = "liability"
		}
		return
	case t.has(roleAction):
		t.source = figures.IMS
	case has(headed, "ewb number", "ewb no", "e way bill number", "eway bill number", "e way bill no", "eway bill no"):
		t.source = figures.EWayBills
	case has(headed, "deductor") && !t.has(roleNumber):
		t.source, t.kind = figures.GSTR7, figures.Withheld
	case has(headed, "collector", "operator") && !t.has(roleNumber):
		t.source, t.kind = figures.GSTR8, figures.Withheld
	case has(headed, "irn") && t.has(roleState):
		t.source = figures.EInvoices
	case (ofPortal || filedDay) && (strings.Contains(bare, "gstr2b") || t.has(roleAvailable)):
		t.source = figures.GSTR2B
	case (ofPortal || filing) && (strings.Contains(bare, "gstr2a") || filing):
		t.source = figures.GSTR2A
	case ofPortal && t.sheet != "" && (strings.Contains(bare, "gstr1") || strings.Contains(bare, "recipient")):
		t.source = figures.GSTR1
	case count(heading(words), "sale", "sales", "customer", "buyer", "recipient", "output") > count(heading(words),
		"purchase", "bill", "supplier", "vendor", "input"):
		t.source = figures.Sales
	default:
		t.source = figures.Purchases
	}
}

// ofPortal reports whether the table belongs to a return.
func (t *tables) ofPortal() bool {
	return t.source == figures.GSTR2A || t.source == figures.GSTR2B || t.source == figures.GSTR1
}

// formatOf returns the name of the format that a table was read as.
func formatOf(source figures.Source, ledger *figures.Ledger, ofPortal bool) string {
	switch {
	case ledger != nil:
		return "electronic " + ledger.Kind + " ledger"
	case source == figures.Purchases:
		return "purchase register"
	case source == figures.Sales:
		return "sales register"
	case source == figures.GSTR7:
		return "TDS credit (GSTR-7)"
	case source == figures.GSTR8:
		return "TCS credit (GSTR-8)"
	case ofPortal:
		return string(source) + " table"
	}
	return string(source)
}

func (t *tables) has(r role) bool { _, ok := t.layout.one[r]; return ok }

func count(text string, words ...string) (n int) {
	for _, w := range words {
		n += strings.Count(text, w)
	}
	return n
}

// amount adds up the columns of a head in a row.
func (t *tables) amount(row []string, r role) (sum int64) {
	for _, i := range t.layout.all[r] {
		if i < len(row) {
			if paise, ok := paiseOf(row[i]); ok {
				sum += t.signed(row[i], paise)
			}
		}
	}
	return sum
}

// signed returns an amount with the sign that "Dr" or "Cr" behind it gives, in a register that has both: purchases are
// debits and returned goods credits, of sales it is the other way round.
func (t *tables) signed(cell string, paise int64) int64 {
	if !t.layout.bothSides {
		return paise
	}
	minus := "Cr"
	if t.source == figures.Sales {
		minus = "Dr"
	}
	if sideOf(cell) == minus {
		return -paise
	}
	return paise
}

// take reads one row of the table.
func (t *tables) take(row []string, number int) error {
	if len(t.layout.one) == 0 && len(t.layout.all) == 0 ||
		!slices.ContainsFunc(row, func(s string) bool { return strings.TrimSpace(s) != "" }) {
		return nil
	}
	if t.ledger != nil {
		return t.movement(row)
	}
	if filled(row) == 1 && t.banner(row) {
		return nil
	}
	l, d := t.layout, t.d
	gstin := gstinIn(l.cell(row, roleGSTIN))
	doc := cmp.Or(l.cell(row, roleNumber), l.cell(row, roleVoucher))
	if spoiled(gstin) || spoiled(doc) {
		example := gstin
		if !spoiled(gstin) {
			example = doc
		}
		return &refusal{code: "figures_spoiled", example: example}
	}
	date := l.day(row, roleDate)
	booked := l.day(row, roleBooked)
	tax := figures.Tax{t.amount(row, roleIGST), t.amount(row, roleCGST), t.amount(row, roleSGST),
		t.amount(row, roleCess)}
	taxable, _ := paiseOf(l.cell(row, roleTaxable))
	taxable = t.signed(l.cell(row, roleTaxable), taxable)
	if isTotal(row) && !isGSTIN(gstin) {
		d.leaveOut(t.sheet, number, "total")
		return nil
	}
	if t.kind == figures.Withheld {
		return t.withheld(row, number, gstin, taxable, tax)
	}
	switch {
	case doc == "" && t.kind != figures.Consumers:
		if taxable == 0 && tax.IsZero() {
			return nil
		}
		if t.last != nil && gstin == "" && date == "" && booked == "" && !t.isSum(taxable) &&
			t.last.Row == number-1-t.lines {
			return t.further(taxable, tax)
		}
		why := "no_number"
		if t.isSum(taxable) {
			why = "total"
		}
		d.leaveOut(t.sheet, number, why)
		return nil
	case date == "" && booked == "":
		d.leaveOut(t.sheet, number, "no_date")
		return nil
	case taxable == 0 && tax.IsZero():
		d.leaveOut(t.sheet, number, "no_amount")
		return nil
	case !t.supplied(row):
		d.leaveOut(t.sheet, number, t.whyNot(row))
		return nil
	}
	if gstin != "" && !isGSTIN(gstin) {
		d.doubt(t.sheet, number, "bad_gstin")
	}
	r := figures.Record{Source: t.source, Kind: t.kind, GSTIN: t.shared(gstin), Name: t.shared(l.cell(row, roleName)),
		Number: doc, Date: cmp.Or(date, booked), Taxable: taxable, Tax: tax, Row: number,
		Reverse: t.yes(l.cell(row, roleReverse)) || t.remarked(row), Amends: l.cell(row, roleAmends),
		AmendsDate: l.day(row, roleAmendsDay), Filed: t.shared(l.day(row, roleFiledDay))}
	if r.Source == figures.Purchases && t.has(roleNumber) {
		r.Voucher = l.cell(row, roleVoucher)
	}
	month := cmp.Or(booked, date)
	if t.source == figures.EWayBills {
		month = cmp.Or(date, booked) // the goods may move later than the bill
	}
	r.Period = t.shared(t.periodOf(row, month))
	t.describe(&r, row)
	t.last, t.lines = &r, 0
	t.sum += taxable
	return d.record(r)
}

// further reads a line that belongs to the document above, because its cells were left empty or merged.
func (t *tables) further(taxable int64, tax figures.Tax) error {
	t.lines++
	t.sum += taxable
	r := *t.last
	r.Taxable, r.Tax = taxable, tax
	if t.last.Taxable < 0 && taxable > 0 {
		r.Taxable, r.Tax = -taxable, figures.Tax{}.Minus(tax)
	}
	return t.d.record(r)
}

// isSum reports whether a value is the sum of all rows so far, as at the end of a table.
func (t *tables) isSum(taxable int64) bool {
	return t.sum != 0 && abs(taxable-t.sum) <= 100+abs(t.sum)/1_000_000
}

func abs(n int64) int64 { return max(n, -n) }

// gstinIn returns the GSTIN in a cell, in capitals and without other text. A mistyped one is kept, since it may
// resemble the right one; for a remark that there is none the result is "".
func gstinIn(cell string) string {
	s := strings.ToUpper(strings.Trim(cell, " '"))
	if first := firstWord(s); isGSTIN(first) {
		return first
	}
	s = strings.ReplaceAll(s, " ", "")
	if len(s) < 13 || len(s) > 17 {
		if spoiled(s) {
			return s
		}
		return ""
	}
	return s
}

// banner reads a line between the rows that names the month of the rows below.
func (t *tables) banner(row []string) bool {
	words := strings.Join(row, " ")
	_, period, ok := strings.Cut(words, "Tax Period:")
	if !ok {
		return false
	}
	period, _, _ = strings.Cut(period, "|")
	t.about.month = strings.TrimSpace(period)
	if _, year, ok := strings.Cut(words, "Financial Year:"); ok {
		year, _, _ = strings.Cut(year, "|")
		t.about.year = strings.TrimSpace(year)
	}
	return true
}

// supplied reports whether a row of e-way bills or e-invoices is a supply by the business that was not cancelled.
func (t *tables) supplied(row []string) bool { return t.whyNot(row) == "" }

func (t *tables) whyNot(row []string) string {
	if t.source != figures.EWayBills && t.source != figures.EInvoices {
		return ""
	}
	if state := t.headed(t.layout.cell(row, roleState)); has(state, "cancelled", "cnl", "can", "rejected",
		"discarded") {
		return "cancelled"
	}
	switch supply := t.headed(strings.ReplaceAll(t.layout.cell(row, roleSupply), "-", " ")); {
	case supply == "" || t.source == figures.EInvoices:
		return ""
	case has(supply, "inward", "i"):
		return "inward"
	case has(supply, "job work", "own use", "exhibition", "recipient not known", "line sales", "others", "return",
		"returns"):
		return "not_a_supply"
	}
	return ""
}

// remarked reports whether the remark on a purchase says that the recipient pays the tax.
func (t *tables) remarked(row []string) bool {
	return t.source == figures.Purchases && !t.has(roleReverse) &&
		has(t.headed(t.layout.cell(row, roleDescription)), "rcm", "reverse charge")
}

// withheld reads what a deductor or an operator reported for a month.
func (t *tables) withheld(row []string, number int, gstin string, taxable int64, tax figures.Tax) error {
	period := month(t.layout.cell(row, rolePeriod))
	if period == "" {
		period = monthIn(t.about.year, t.about.month)
	}
	switch {
	case period == "":
		t.d.leaveOut(t.sheet, number, "no_date")
		return nil
	case taxable == 0 && tax.IsZero():
		t.d.leaveOut(t.sheet, number, "no_amount")
		return nil
	}
	return t.d.record(figures.Record{Source: t.source, Kind: figures.Withheld, GSTIN: t.shared(gstin),
		Name: t.shared(t.layout.cell(row, roleName)), Number: period, Period: t.shared(period), Taxable: taxable,
		Tax: tax, Row: number})
}

// describe sets the kind of a document and what the file says about its supplier and credit.
func (t *tables) describe(r *figures.Record, row []string) {
	l := t.layout
	sort := t.headed(cmp.Or(l.cell(row, roleType), l.cell(row, roleDebitCredit)))
	portal := r.Source == figures.GSTR2A || r.Source == figures.GSTR2B || r.Source == figures.GSTR1
	switch {
	case r.Kind == figures.CreditNote && (has(sort, "debit", "d")):
		r.Kind = figures.DebitNote
	case r.Kind == figures.Invoice && !portal &&
		(has(sort, "credit note", "return", "ret", "vendor credit", "credit", "crn") ||
			r.Source == figures.Purchases && has(sort, "debit note")):
		r.Kind = figures.CreditNote // a buyer's debit note is for returned goods
	case r.Kind == figures.Invoice && portal && has(sort, "credit note", "c"):
		r.Kind = figures.CreditNote
	case has(sort, "bill of entry", "import", "boe") && r.Kind == figures.Invoice:
		r.Kind = figures.Import
	case r.Kind == figures.ISD && (has(sort, "credit note") || strings.Contains(sort, "isdc")):
		r.Kind = figures.ISDCreditNote
	}
	if (r.Kind == figures.CreditNote || r.Kind == figures.ISDCreditNote) &&
		(r.Tax.Sum() > 0 || r.Tax.IsZero() && r.Taxable > 0) {
		r.Taxable, r.Tax = -r.Taxable, figures.Tax{}.Minus(r.Tax)
	}
	if r.Kind == figures.Import && r.Source != figures.Purchases {
		r.GSTIN = ""
	}
	if value := t.headed(l.cell(row, roleAvailable)); has(value, "no", "n", "ineligible", "blocked", "not") {
		r.Ineligible = t.shared(cmp.Or(l.cell(row, roleReason), l.cell(row, roleAvailable)))
	}
	if r.Source == figures.IMS {
		r.Status = decision(l.cell(row, roleAction))
	}
	if r.Source == figures.GSTR2A {
		if value := t.headed(l.cell(row, roleFiling)); has(value, "n", "no", "not filed", "not") {
			r.Status = figures.NotFiled
		}
		if cancelled := l.day(row, roleCancelled); cancelled != "" && r.Date >= cancelled {
			r.Status = figures.Cancelled
		}
	}
}

// periodOf returns the month of a record: from its own column, from the portal's return, else from the day it was
// booked.
func (t *tables) periodOf(row []string, booked string) string {
	if own := month(t.layout.cell(row, rolePeriod)); own != "" {
		return own
	}
	if t.ofPortal() || t.source == figures.EInvoices {
		if of := monthIn(t.about.year, t.about.month); of != "" {
			return of
		}
	}
	if len(booked) >= 7 {
		return booked[:7]
	}
	return ""
}

// month reads "Apr-23", "April 2023", "042023", "2023-04" or a date, and returns the month as "2023-04"; "" if it is
// none of these.
func month(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if of := monthOf(s); of != "" {
		return of
	}
	normal := strings.NewReplacer(" ", "-", "/", "-", "'", "-", ".", "-").Replace(s)
	for _, layout := range []string{"Jan-06", "Jan-2006", "January-2006", "January-06", "2006-01", "01-2006"} {
		if at, err := time.Parse(layout, normal); err == nil {
			return at.Format("2006-01")
		}
	}
	if of := day(s); of != "" {
		return of[:7]
	}
	return ""
}

// monthIn returns a month of a financial year: "January" of "2023-24" is "2024-01".
func monthIn(year, name string) string {
	at, err := time.Parse("January", strings.TrimSpace(name))
	if err != nil {
		if at, err = time.Parse("Jan", strings.TrimSpace(name)); err != nil {
			return month(name)
		}
	}
	first, err := time.Parse("2006", strings.TrimSpace(year)[:min(4, len(strings.TrimSpace(year)))])
	if err != nil {
		return ""
	}
	of := first.Year()
	if at.Month() < time.April {
		of++
	}
	return fmt.Sprintf("%d-%02d", of, at.Month())
}

// movement reads one row of a ledger.
func (t *tables) movement(row []string) error {
	l := t.layout
	date := cmp.Or(l.day(row, roleDate), l.day(row, roleBooked))
	tax := figures.Tax{t.amount(row, roleIGST), t.amount(row, roleCGST), t.amount(row, roleSGST),
		t.amount(row, roleCess)}
	var left figures.Tax
	for _, i := range l.all[roleBalance] {
		if i >= len(row) {
			continue
		}
		paise, _ := paiseOf(row[i])
		for head, name := range []string{"igst", "cgst", "sgst", "cess"} {
			if has(heading(l.headings[i]), name) {
				left[head] = paise
			}
		}
	}
	if date == "" || tax.IsZero() {
		if strings.Contains(strings.ToLower(strings.Join(row, " ")), "opening") {
			t.ledger.Opening = left
		}
		return nil
	}
	if has(heading(l.cell(row, roleDebitCredit)), "debit", "dr", "d") && tax.Sum() > 0 {
		tax = figures.Tax{}.Minus(tax)
	}
	if t.d.rows++; t.d.rows > t.d.job.Rows {
		return refused("figures_too_much", nil)
	}
	t.ledger.Movements = append(t.ledger.Movements,
		figures.Movement{Date: date, Reference: l.cell(row, roleReference), Description: l.cell(row, roleDescription),
			Period: month(l.cell(row, rolePeriod)), Tax: tax, Balance: &left})
	return nil
}

// finish completes the file, and returns an error if no table was recognised.
func (t *tables) finish() error {
	file := &t.d.whole.File
	file.GSTIN = t.about.gstin
	if !t.found {
		return refused("figures_unknown", nil)
	}
	return nil
}

// isTotal reports from its words whether a row sums up others.
func isTotal(row []string) bool {
	for _, c := range row {
		if strings.ContainsFunc(c, func(r rune) bool { return r >= 'A' }) {
			lower := strings.ToLower(c)
			for _, word := range []string{"total", "opening", "closing", "कुल", "योग"} {
				if strings.Contains(lower, word) {
					return has(heading(c), "total", "totals", "opening", "closing", "कुल", "योग")
				}
			}
			return false
		}
	}
	return false
}

func (t *tables) yes(s string) bool { return has(t.headed(s), "y", "yes", "true", "rcm", "1") }

// headed returns a cell in the normal form of headings. The columns concerned have few different values, so these are
// cached.
func (t *tables) headed(s string) string {
	if s == "" {
		return ""
	}
	if known, ok := t.plain[s]; ok {
		return known
	}
	h := heading(s)
	if t.plain == nil {
		t.plain = map[string]string{}
	}
	if len(t.plain) < 10_000 {
		t.plain[strings.Clone(s)] = h
	}
	return h
}

// shared returns one copy of a string that occurs in many rows.
func (t *tables) shared(s string) string {
	if t.names == nil {
		t.names = map[string]string{}
	}
	if known, ok := t.names[s]; ok {
		return known
	}
	if len(t.names) < 100_000 {
		s = strings.Clone(s)
		t.names[s] = s
	}
	return s
}
