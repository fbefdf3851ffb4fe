// Package workbook writes a reconciliation as a spreadsheet with live formulas: an index, each allegation next to
// what the files say, the months by head, and one sheet for each month with the documents. Texts come from strangers'
// files, so no text is ever written in a form that a spreadsheet program would compute.
package workbook

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
)

// Annexure is the content of a workbook.
type Annexure struct {
	Facts          gst.Facts
	Files          []figures.File
	Reconciliation figures.Reconciliation
	Language       string // "en" or "hi"; "" is English
}

// Write writes the workbook. The same annexure always gives the same bytes.
func Write(w io.Writer, a Annexure) error {
	book := excelize.NewFile()
	defer book.Close()
	b := &builder{book: book, annexure: a, listed: map[string]map[string]*listed{}}
	if err := b.styles(); err != nil {
		return fmt.Errorf("make the styles of the workbook: %w", err)
	}
	if err := book.SetSheetName("Sheet1", b.say("index", nil)); err != nil {
		return fmt.Errorf("name the index: %w", err)
	}
	for _, m := range a.Reconciliation.Matchings {
		b.documentsOf(m)
	}
	// Formulas refer to rows of later sheets, so those are laid out first; then all sheets are added in the order
	// shown.
	for i, dispute := range a.Reconciliation.Answers {
		b.monthsOf(dispute)
		b.allegationOf(i, dispute)
	}
	b.lateReturns = b.late()
	order := append([]*page{b.index()}, b.ordered()...)
	for _, p := range order {
		if err := b.write(p); err != nil {
			return fmt.Errorf("write the sheet %s: %w", p.name, err)
		}
	}
	full := true
	if err := book.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &full}); err != nil {
		return fmt.Errorf("have the workbook recalculated: %w", err)
	}
	var packed bytes.Buffer
	if err := book.Write(&packed); err != nil {
		return fmt.Errorf("write the workbook: %w", err)
	}
	return inOrder(w, packed.Bytes())
}

// inOrder copies a workbook with its parts sorted by name, because excelize writes them in a varying order.
func inOrder(w io.Writer, packed []byte) error {
	from, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return fmt.Errorf("open the workbook as written: %w", err)
	}
	slices.SortFunc(from.File, func(a, b *zip.File) int { return cmp.Compare(a.Name, b.Name) })
	to := zip.NewWriter(w)
	for _, part := range from.File {
		if err := to.Copy(part); err != nil {
			return fmt.Errorf("write %s of the workbook: %w", part.Name, err)
		}
	}
	if err := to.Close(); err != nil {
		return fmt.Errorf("end the workbook: %w", err)
	}
	return nil
}

const (
	// lastRow is the last row that a sheet can have.
	lastRow = 1_048_576
	// The columns of a sheet of documents. The third one is the table of GSTR-3B in a sheet of one month, and the
	// month in a sheet of all months.
	classColumn, sideColumn, thirdColumn, firstTax = 1, 2, 3, 10
)

// page is a sheet before it is written.
type page struct {
	name   string
	about  string // its description in the index
	rows   [][]any
	widths []float64
}

type builder struct {
	book     *excelize.File
	annexure Annexure

	title, head, money, wrap int

	listed      map[string]map[string]*listed // sheets of documents, by comparison and month
	allegations []*page
	monthly     []*page
	lateReturns *page // nil if the notice asks for no interest on them
}

// listed are the documents of one comparison and month.
type listed struct {
	page *page
	// third is the value in the third column that a formula sums up: a table, or a month.
	third string
	tax   map[figures.Class]figures.Tax // the amounts of the documents by class
}

// say returns a text of the workbook in its language.
func (b *builder) say(code string, params message.Params) string {
	return b.in(message.New("figures.sheet."+code, params))
}

func (b *builder) in(m message.Message) string { return m.In(cmp.Or(b.annexure.Language, "en")) }

func (b *builder) class(c figures.Class) string { return b.in(Class(c)) }

// heads returns the headings of the amount columns of a comparison.
func (b *builder) heads(what string) []string {
	if figures.OfValue(what) {
		return []string{b.say("value", nil)}
	}
	return b.headNames()
}

// headNames returns the names of the heads as headings.
func (b *builder) headNames() []string {
	names := gst.HeadNames
	names[figures.Cess] = b.say("cess", nil)
	return names[:]
}

func (b *builder) styles() (err error) {
	for _, s := range []struct {
		id    *int
		style excelize.Style
	}{
		{&b.title, excelize.Style{Font: &excelize.Font{Bold: true, Size: 14}}},
		{&b.head, excelize.Style{Font: &excelize.Font{Bold: true},
			Fill:      excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7ECF3"}},
			Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}}},
		{&b.money, excelize.Style{NumFmt: 4}},
		{&b.wrap, excelize.Style{Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}}},
	} {
		if *s.id, err = b.book.NewStyle(&s.style); err != nil {
			return err
		}
	}
	return nil
}

// text makes a string safe for a cell: one that a spreadsheet program might take for a formula, here or in a copy
// saved as text, gets an apostrophe before it.
func text(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' {
			return ' '
		}
		return r
	}, s)
	if s != "" && strings.ContainsRune("=+-@|", rune(strings.TrimLeft(s+"x", " ")[0])) {
		return "'" + s
	}
	if len(s) > 32_000 {
		return s[:32_000]
	}
	return s
}

func (b *builder) heading(names ...string) []any {
	row := make([]any, len(names))
	for i, n := range names {
		row[i] = excelize.Cell{StyleID: b.head, Value: n}
	}
	return row
}

func (b *builder) titled(s string) []any {
	return []any{excelize.Cell{StyleID: b.title, Value: text(s)}}
}

// rupees returns a cell with an amount.
func (b *builder) rupees(paise int64) excelize.Cell {
	return excelize.Cell{StyleID: b.money, Value: float64(paise) / 100}
}

// formula returns a cell that computes an amount. It also stores the amount, for programs that do not compute.
func (b *builder) formula(f string, paise int64) excelize.Cell {
	return excelize.Cell{StyleID: b.money, Formula: f, Value: float64(paise) / 100}
}

// signed returns an amount with its sign, as a term of a formula.
func signed(paise int64) string {
	sign := "+"
	if paise < 0 {
		sign, paise = "-", -paise
	}
	return fmt.Sprintf("%s%d.%02d", sign, paise/100, paise%100)
}

func cellAt(column, row int) string {
	name, _ := excelize.CoordinatesToCellName(column, row) // both are our own and positive
	return name
}

// rangeOf returns the range of a column from its second row on, "'2023-04'!$J$2:$J$90".
func rangeOf(p *page, column int) string {
	name, _ := excelize.ColumnNumberToName(column)
	return fmt.Sprintf("'%s'!$%s$2:$%s$%d", p.name, name, name, max(2, len(p.rows)))
}

// documentsOf lays out the documents of a comparison: for credit one sheet for each month, else one sheet.
func (b *builder) documentsOf(m figures.Matching) {
	by := map[string]*listed{}
	b.listed[m.What] = by
	credit := m.What == figures.CreditClaimed
	var all *page
	for _, l := range m.Postings() {
		period := cmp.Or(l.Record.Period, b.say("undated", nil))
		of := by[period]
		if of == nil {
			of = &listed{
				page:  all,
				third: fmt.Sprint(monthNumber(l.Record.Period)),
				tax:   map[figures.Class]figures.Tax{},
			}
			if credit {
				of.third = `"4A5"`
			}
			if of.page == nil {
				of.page = b.sheetOfDocuments(m.What, period)
			}
			if !credit {
				all = of.page
			}
			by[period] = of
		}
		signed := figures.Tax{}.Minus(l.Credit)
		if l.Booked {
			signed = l.Credit
		}
		third := any(l.Table)
		if !credit {
			third = monthNumber(l.Record.Period)
		}
		other, otherMonth := "", ""
		if l.Other != nil {
			other, otherMonth = l.Other.Number, l.Other.Period
		}
		r := l.Record
		row := []any{b.class(l.Entry.Class), b.in(Paper(r.Source)), third, text(r.GSTIN), text(r.Name), text(r.Number),
			text(r.Date), text(other), text(otherMonth)}
		for _, paise := range signed {
			row = append(row, b.rupees(paise))
		}
		of.page.rows = append(of.page.rows, row)
		if !credit || l.Table == "4A5" {
			of.tax[l.Entry.Class] = of.tax[l.Entry.Class].Plus(signed)
		}
	}
}

// monthNumber returns a month as a number, 202304 for "2023-04", which no spreadsheet program takes for a date; 0 if
// there is none.
func monthNumber(period string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(period, "-", ""))
	return n
}

func (b *builder) sheetOfDocuments(what, period string) *page {
	p := &page{
		name:   period,
		about:  b.say("month_about", nil),
		widths: []float64{24, 12, 9, 18, 28, 20, 12, 20, 12, 14, 14, 14, 12},
	}
	third := b.say("table", nil)
	if what != figures.CreditClaimed {
		p.name, p.about, third = b.name("documents", what), b.say("documents_about", nil), b.say("month", nil)
	}
	p.rows = append(p.rows, b.heading(slices.Concat([]string{b.say("class", nil), b.say("side", nil), third, "GSTIN",
		b.say("party", nil), b.say("number", nil), b.say("date", nil), b.say("other_number", nil),
		b.say("other_month", nil)}, b.headNames())...))
	return p
}

// name returns the name of a sheet of a comparison.
func (b *builder) name(sheet, what string) string {
	return b.say(sheet, message.Params{"of": message.New("figures.short."+what, nil)})
}

// classesOf returns the classes that occur in a comparison, in order.
func classesOf(c figures.Variance) (classes []figures.Class) {
	_, _, shares := c.Sums()
	have := map[figures.Class]bool{}
	for _, s := range shares {
		have[s.Class] = true
	}
	for _, m := range c.Months {
		for _, s := range m.Shares {
			have[s.Class] = true // including those that cancel out over the year
		}
	}
	for _, class := range figures.Classes() {
		if have[class] {
			classes = append(classes, class)
		}
	}
	return classes
}

// firstClass is the first column of classes in a sheet of months.
const firstClass = 6

// monthsOf lays out the months of a comparison by head. The amounts of documents are formulas over their sheets; what
// only the returns show is written as an amount.
func (b *builder) monthsOf(a figures.Dispute) {
	c := a.Variance
	p := &page{name: b.name("months", c.What), about: b.say("months_about", nil), widths: []float64{12, 9, 18, 18, 18}}
	names := []string{b.say("month", nil), b.say("head", nil), b.in(First(c)), b.in(Second(c)),
		b.say("difference", nil)}
	classes := classesOf(c)
	for _, class := range classes {
		names = append(names, b.class(class))
		p.widths = append(p.widths, 16)
	}
	p.rows = append(p.rows, b.heading(append(names, b.say("check", nil))...))
	one, other := figures.Papers(c.What)
	first, second := b.in(Paper(one)), b.in(Paper(other))
	for _, m := range c.Months {
		docs := b.listed[c.What][m.Period]
		shares := map[figures.Class]figures.Tax{}
		for _, s := range m.Shares {
			shares[s.Class] = s.Tax
		}
		for head, headName := range b.heads(c.What) {
			at := len(p.rows) + 1
			total := func(sign, side string) string {
				return fmt.Sprintf(`%sSUMIFS(%s,%s,"%s",%s,%s)`, sign, rangeOf(docs.page, firstTax+head),
					rangeOf(docs.page, sideColumn), side, rangeOf(docs.page, thirdColumn), docs.third)
			}
			row := []any{m.Period, headName, b.rupees(m.First[head])}
			switch {
			case docs == nil:
				row = append(row, b.rupees(m.Second[head]))
			case c.What == figures.CreditClaimed:
				row = append(row, b.formula(total("-", second), m.Second[head]))
			default:
				row[2] = b.formula(total("", first), m.First[head])
				row = append(row, b.formula(total("-", second), m.Second[head]))
			}
			row = append(row, b.formula(cellAt(3, at)+"-"+cellAt(4, at), m.Difference()[head]))
			for _, class := range classes {
				share := shares[class][head]
				if docs == nil || !c.Books {
					row = append(row, b.rupees(share))
					continue
				}
				f := fmt.Sprintf(`SUMIFS(%s,%s,"%s",%s,%s)`, rangeOf(docs.page, firstTax+head),
					rangeOf(docs.page, classColumn), b.class(class), rangeOf(docs.page, thirdColumn), docs.third)
				if rest := share - docs.tax[class][head]; rest != 0 {
					f += signed(rest)
				}
				row = append(row, b.formula(f, share))
			}
			if len(classes) > 0 {
				row = append(row, b.formula(fmt.Sprintf("ROUND(%s-SUM(%s:%s),2)", cellAt(5, at), cellAt(firstClass, at),
					cellAt(firstClass+len(classes)-1, at)), 0))
			}
			p.rows = append(p.rows, row)
		}
	}
	b.monthly = append(b.monthly, p)
}

// allegationOf lays out the notice's figures next to those of the files, with what would be paid.
func (b *builder) allegationOf(i int, dispute figures.Dispute) {
	a, c, months := dispute.Outcome, dispute.Variance, b.monthly[i]
	heads := b.heads(c.What)
	p := &page{
		name:   b.name("allegation", a.What),
		about:  b.say("allegation_about", nil),
		widths: []float64{44, 18, 18, 18, 16, 18},
	}
	p.rows = append(p.rows, b.titled(b.in(Comparison(c))+", "+b.in(Span(a.From, a.To))), []any{})
	p.rows = append(p.rows, b.heading(slices.Concat([]string{b.say("rupees", nil)}, heads,
		[]string{b.say("total", nil)})...))
	line := func(label string, cells func(head int) excelize.Cell, sum int64) int {
		at := len(p.rows) + 1
		row := []any{label}
		for head := range heads {
			row = append(row, cells(head))
		}
		p.rows = append(p.rows, append(row,
			b.formula(fmt.Sprintf("SUM(%s:%s)", cellAt(2, at), cellAt(1+len(heads), at)), sum)))
		return at
	}
	overMonths := func(column, head int) string {
		return fmt.Sprintf(`SUMIFS(%s,%s,"%s")`, rangeOf(months, column), rangeOf(months, 2), heads[head])
	}
	first, second, shares := c.Sums()
	noticeAt := 0
	if a.Notice != nil {
		noticeAt = line(b.say("notice", nil), func(h int) excelize.Cell {
			return b.rupees(a.Notice[h])
		}, a.Notice.Sum())
	}
	firstAt := line(b.in(First(c)), func(h int) excelize.Cell {
		return b.formula(overMonths(3, h), first[h])
	}, first.Sum())
	secondAt := line(b.in(Second(c)), func(h int) excelize.Cell {
		return b.formula(overMonths(4, h), second[h])
	}, second.Sum())
	filesAt := line(b.say("files", nil), func(h int) excelize.Cell {
		return b.formula(cellAt(2+h, firstAt)+"-"+cellAt(2+h, secondAt), a.Files[h])
	}, a.Files.Sum())
	if a.Notice != nil {
		differs := a.Notice.Minus(a.Files)
		line(b.class(figures.NoticeDiffers), func(h int) excelize.Cell {
			return b.formula(cellAt(2+h, noticeAt)+"-"+cellAt(2+h, filesAt), differs[h])
		}, differs.Sum())
	}
	by := map[figures.Class]figures.Tax{}
	for _, s := range shares {
		by[s.Class] = s.Tax
	}
	section := func(title string, explains bool, total figures.Tax) int {
		p.rows = append(p.rows, []any{}, b.heading(title))
		from := len(p.rows) + 1
		for n, class := range classesOf(c) {
			if class.Explains() == explains {
				line("  "+b.class(class), func(h int) excelize.Cell {
					return b.formula(overMonths(firstClass+n, h), by[class][h])
				}, by[class].Sum())
			}
		}
		to := len(p.rows)
		return line(b.say("together", nil), func(h int) excelize.Cell {
			if to < from {
				return b.rupees(0)
			}
			return b.formula(fmt.Sprintf("SUM(%s:%s)", cellAt(2+h, from), cellAt(2+h, to)), total[h])
		}, total.Sum())
	}
	section(b.say("explained", nil), true, a.Explained)
	remainsAt := section(b.say("remains", nil), false, a.Remains)
	if figures.Payable(c.What) {
		b.payment(p, a, remainsAt)
	}
	if len(c.Nets) > 0 {
		p.rows = append(p.rows, []any{},
			b.heading(slices.Concat([]string{b.say("closed", nil)}, b.headNames(), []string{b.say("class", nil)})...))
		for _, n := range c.Nets {
			row := []any{b.say("closed_in", message.Params{"from": n.From, "to": n.To})}
			for _, paise := range n.Tax {
				row = append(row, b.rupees(paise))
			}
			p.rows = append(p.rows, append(row, b.class(n.Class)))
		}
	}
	for _, n := range append(b.notes(a, c), Notes(c)...) {
		p.rows = append(p.rows, []any{}, []any{excelize.Cell{StyleID: b.wrap, Value: b.in(n)}})
	}
	b.allegations = append(b.allegations, p)
}

// notes returns what the table of an allegation does not show.
func (b *builder) notes(a figures.Outcome, c figures.Variance) (all []message.Message) {
	if !c.Reversed.IsZero() {
		all = append(all, message.New("figures.sheet.reversed",
			message.Params{"amount": message.Paise(c.Reversed.Sum())}))
	}
	if len(c.Missing) > 0 {
		code := "figures.sheet.missing"
		if c.Books {
			code = "figures.sheet.missing_books"
		}
		all = append(all, message.New(code, message.Params{"months": strings.Join(c.Missing, ", ")}))
	}
	switch {
	case len(a.Pay) > 0 && a.Ledger:
		all = append(all, message.New("figures.sheet.ledger", nil))
	case len(a.Pay) > 0:
		all = append(all, message.New("figures.sheet.no_ledger", nil))
	}
	return all
}

// payment lays out the DRC-03 for the rest.
func (b *builder) payment(p *page, a figures.Outcome, remainsAt int) {
	p.rows = append(p.rows, []any{}, b.heading(b.say("pay", nil), b.say("tax", nil), b.say("interest", nil),
		b.say("together", nil)))
	from := len(p.rows) + 1
	for _, pay := range a.Pay {
		at := len(p.rows) + 1
		head := gst.HeadIndex(pay.Head)
		p.rows = append(p.rows, []any{pay.Head, b.formula(fmt.Sprintf("MAX(0,%s)", cellAt(2+head, remainsAt)), pay.Tax),
			b.rupees(pay.Interest), b.formula(cellAt(2, at)+"+"+cellAt(3, at), pay.Total())})
	}
	if len(a.Pay) == 0 {
		p.rows = append(p.rows, []any{b.say("nothing", nil)})
		return
	}
	to := len(p.rows)
	row := []any{b.say("together", nil)}
	for column, sum := range []func(figures.Dues) int64{func(p figures.Dues) int64 { return p.Tax },
		func(p figures.Dues) int64 { return p.Interest }, figures.Dues.Total} {
		total := int64(0)
		for _, pay := range a.Pay {
			total += sum(pay)
		}
		row = append(row, b.formula(fmt.Sprintf("SUM(%s:%s)", cellAt(2+column, from), cellAt(2+column, to)), total))
	}
	p.rows = append(p.rows, row)
}

// ordered returns the sheets after the index.
func (b *builder) ordered() []*page {
	var all []*page
	for i := range b.allegations {
		all = append(all, b.allegations[i], b.monthly[i])
	}
	if b.lateReturns != nil {
		all = append(all, b.lateReturns)
	}
	for _, m := range b.annexure.Reconciliation.Matchings {
		by := b.listed[m.What]
		for _, period := range slices.Sorted(maps.Keys(by)) {
			if p := by[period].page; !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// index lays out the first sheet: the taxpayer, the files, the sheets.
func (b *builder) index() *page {
	p := &page{name: b.say("index", nil), widths: []float64{34, 60, 22, 12, 14}}
	add := func(row ...any) { p.rows = append(p.rows, row) }
	p.rows = append(p.rows, b.titled(b.say("title", nil)))
	for _, of := range []struct {
		label string
		value *string
	}{{b.say("taxpayer", nil), b.annexure.Facts.LegalName}, {"GSTIN", b.annexure.Facts.GSTIN},
		{b.say("reference", nil), b.annexure.Facts.Reference}, {b.say("form", nil), b.annexure.Facts.Form},
		{b.say("dated", nil), b.annexure.Facts.IssueDate}} {
		if of.value != nil {
			add(of.label, text(*of.value))
		}
	}
	add()
	p.rows = append(p.rows, b.heading(b.say("sheet", nil), b.say("shows", nil)))
	for _, sheet := range b.ordered() {
		add(excelize.Cell{Formula: fmt.Sprintf(`HYPERLINK("#'%s'!A1","%s")`, sheet.name, sheet.name),
			Value: sheet.name}, sheet.about)
	}
	add()
	p.rows = append(p.rows, b.heading(b.say("file", nil), b.say("read_as", nil), "GSTIN", b.say("rows", nil),
		b.say("left_out", nil)))
	for _, f := range b.annexure.Files {
		add(text(f.Name), text(f.Format), text(f.GSTIN), f.Rows, len(f.LeftOut))
	}
	add()
	add(b.say("amounts", nil))
	return p
}

// write streams one sheet.
func (b *builder) write(p *page) error {
	if len(p.rows) > lastRow {
		return fmt.Errorf("%d rows are more than a sheet can have", len(p.rows))
	}
	if p.name != b.say("index", nil) {
		if _, err := b.book.NewSheet(p.name); err != nil {
			return err
		}
	}
	stream, err := b.book.NewStreamWriter(p.name)
	if err != nil {
		return err
	}
	for i, width := range p.widths {
		if err := stream.SetColWidth(i+1, i+1, width); err != nil {
			return err
		}
	}
	for i, row := range p.rows {
		if err := stream.SetRow(cellAt(1, i+1), row); err != nil {
			return err
		}
	}
	return stream.Flush()
}
