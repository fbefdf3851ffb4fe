// Package workbook writes a reconciliation as a spreadsheet whose sums are live formulas: an index, what the notice
// alleges beside what the files say, the months by head, and one sheet a month with the documents. Texts come from
// strangers' files: none is ever written so that a spreadsheet program would compute it.
package workbook

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/message"
)

// Annexure is what goes into one workbook.
type Annexure struct {
	Facts          gst.Facts
	Files          []figures.File
	Reconciliation figures.Reconciliation
}

// Class returns what a class means.
func Class(c figures.Class) message.Message { return message.New("figures.class."+string(c), nil) }

// ClassName returns what a class means, in English.
func ClassName(c figures.Class) string { return Class(c).English }

// Write writes the workbook. The same annexure gives the same bytes.
func Write(w io.Writer, a Annexure) error {
	book := excelize.NewFile()
	defer book.Close()
	b := &builder{book: book, annexure: a}
	if err := b.styles(); err != nil {
		return fmt.Errorf("make the styles of the workbook: %w", err)
	}
	if err := book.SetSheetName("Sheet1", indexSheet); err != nil {
		return fmt.Errorf("name the index: %w", err)
	}
	b.monthSheets()
	// The formulas of a sheet name rows of those after it, which are therefore laid out first and added in the order shown.
	for i, dispute := range a.Reconciliation.Answers {
		b.monthsOf(i, dispute)
		b.allegationOf(i, dispute)
	}
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

// inOrder writes a packed workbook with its parts by name: excelize writes sheets in another order each time.
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
	indexSheet = "Index"
	// lastRow is the last that a sheet can have.
	lastRow = 1_048_576
	// The columns of a month's sheet.
	classColumn, sideColumn, tableColumn, firstTax = 1, 2, 3, 10
)

// page is a sheet before it is written.
type page struct {
	name   string
	about  string // for the index
	rows   [][]any
	widths []float64
}

type builder struct {
	book     *excelize.File
	annexure Annexure

	title, head, money, wrap int

	months      map[string]*page                  // sheets of documents, by month
	documents   map[string]map[string]figures.Tax // by month and class: what documents contribute to table 4(A)(5)
	allegations []*page
	monthly     []*page
}

func (b *builder) styles() (err error) {
	for _, s := range []struct {
		id    *int
		style excelize.Style
	}{
		{&b.title, excelize.Style{Font: &excelize.Font{Bold: true, Size: 14}}},
		{&b.head, excelize.Style{Font: &excelize.Font{Bold: true}, Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7ECF3"}},
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

// text is a string as a cell may hold it: one that a spreadsheet program could take for a formula, here or in a copy
// saved as text, begins with an apostrophe.
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

// rupees is a cell with an amount.
func (b *builder) rupees(paise int64) excelize.Cell {
	return excelize.Cell{StyleID: b.money, Value: float64(paise) / 100}
}

// formula is a cell that computes an amount, with the amount as we know it for programs that only show.
func (b *builder) formula(f string, paise int64) excelize.Cell {
	return excelize.Cell{StyleID: b.money, Formula: f, Value: float64(paise) / 100}
}

// signed writes an amount with its sign, as a term of a formula.
func signed(paise int64) string {
	sign := "+"
	if paise < 0 {
		sign, paise = "-", -paise
	}
	return fmt.Sprintf("%s%d.%02d", sign, paise/100, paise%100)
}

func cellAt(column, row int) string {
	name, _ := excelize.CoordinatesToCellName(column, row) // both are ours, and positive
	return name
}

// rangeOf is a column of a sheet from its second row on, "'2023-04'!$J$2:$J$90".
func rangeOf(p *page, column int) string {
	name, _ := excelize.ColumnNumberToName(column)
	return fmt.Sprintf("'%s'!$%s$2:$%s$%d", p.name, name, name, max(2, len(p.rows)))
}

// monthSheets lays out the documents of each month.
func (b *builder) monthSheets() {
	b.months, b.documents = map[string]*page{}, map[string]map[string]figures.Tax{}
	for _, l := range b.annexure.Reconciliation.Matching.Postings() {
		period := cmp.Or(l.Record.Period, "undated")
		p := b.months[period]
		if p == nil {
			p = &page{name: period, about: "Documents of the month, as booked (+) and as reported on the portal (−)",
				widths: []float64{24, 9, 8, 18, 28, 20, 12, 20, 12, 14, 14, 14, 12}}
			p.rows = append(p.rows, b.heading("Class", "Side", "3B table", "GSTIN", "Name", "Number", "Date", "Number on the other side", "Other side's month",
				"IGST", "CGST", "SGST", "Cess"))
			b.months[period] = p
		}
		side, signed := "Portal", figures.Tax{}.Minus(l.Credit)
		if l.Booked {
			side, signed = "Books", l.Credit
		}
		other, otherMonth := "", ""
		if l.Other != nil {
			other, otherMonth = l.Other.Number, l.Other.Period
		}
		r := l.Record
		row := []any{ClassName(l.Entry.Class), side, l.Table, text(r.GSTIN), text(r.Name), text(r.Number), text(r.Date), text(other), text(otherMonth)}
		for _, paise := range signed {
			row = append(row, b.rupees(paise))
		}
		p.rows = append(p.rows, row)
		if l.Table == "4A5" {
			if b.documents[period] == nil {
				b.documents[period] = map[string]figures.Tax{}
			}
			k := string(l.Entry.Class)
			b.documents[period][k] = b.documents[period][k].Plus(signed)
		}
	}
}

// sheetName tells the sheets of several allegations apart.
func sheetName(name, what string) string {
	if what == figures.TaxDeclared {
		return name + " (tax declared)"
	}
	return name + " (credit)"
}

// classesOf are those that a comparison has, in their order.
func classesOf(c figures.Variance) (classes []figures.Class) {
	_, _, shares := c.Sums()
	have := map[figures.Class]bool{}
	for _, s := range shares {
		have[s.Class] = true
	}
	for _, m := range c.Months {
		for _, s := range m.Shares {
			have[s.Class] = true // those that cancel out over the year too
		}
	}
	for _, class := range figures.Classes() {
		if have[class] {
			classes = append(classes, class)
		}
	}
	return classes
}

// The columns of a sheet of months.
const firstClass = 6

// monthsOf lays out the months of a comparison by head. What documents contribute is summed up from their sheets; what
// only the returns show stands as an amount.
func (b *builder) monthsOf(i int, a figures.Dispute) {
	c := a.Variance
	first, second := "Credit claimed, table 4(A)(5)", "Credit per "+string(c.Against)
	if c.What == figures.TaxDeclared {
		first, second = "Tax declared in GSTR-1", "Tax paid with GSTR-3B"
	}
	p := &page{name: sheetName("Months", c.What), about: "Each month by head: what is compared, the difference, and its classes", widths: []float64{12, 9, 18, 18, 18}}
	names := []string{"Month", "Head", first, second, "Difference"}
	classes := classesOf(c)
	for _, class := range classes {
		names = append(names, ClassName(class))
		p.widths = append(p.widths, 16)
	}
	p.rows = append(p.rows, b.heading(append(names, "Check: 0")...))
	for _, m := range c.Months {
		docs := b.months[m.Period]
		if c.What != figures.CreditClaimed {
			docs = nil
		}
		shares := map[figures.Class]figures.Tax{}
		for _, s := range m.Shares {
			shares[s.Class] = s.Tax
		}
		for head := range m.First {
			at := len(p.rows) + 1
			row := []any{m.Period, figures.HeadName(head), b.rupees(m.First[head])}
			if docs != nil {
				row = append(row, b.formula(fmt.Sprintf(`-SUMIFS(%s,%s,"Portal",%s,"4A5")`, rangeOf(docs, firstTax+head), rangeOf(docs, sideColumn),
					rangeOf(docs, tableColumn)), m.Second[head]))
			} else {
				row = append(row, b.rupees(m.Second[head]))
			}
			row = append(row, b.formula(cellAt(3, at)+"-"+cellAt(4, at), m.Difference()[head]))
			for _, class := range classes {
				share := shares[class][head]
				if docs == nil || !c.Books {
					row = append(row, b.rupees(share))
					continue
				}
				f := fmt.Sprintf(`SUMIFS(%s,%s,"%s",%s,"4A5")`, rangeOf(docs, firstTax+head), rangeOf(docs, classColumn), ClassName(class), rangeOf(docs, tableColumn))
				if rest := share - b.documents[m.Period][string(class)][head]; rest != 0 {
					f += signed(rest)
				}
				row = append(row, b.formula(f, share))
			}
			if len(classes) > 0 {
				row = append(row, b.formula(fmt.Sprintf("ROUND(%s-SUM(%s:%s),2)", cellAt(5, at), cellAt(firstClass, at), cellAt(firstClass+len(classes)-1, at)), 0))
			}
			p.rows = append(p.rows, row)
		}
	}
	b.monthly = append(b.monthly, p)
}

// allegationOf lays out what the notice says beside the files, with what would be paid.
func (b *builder) allegationOf(i int, dispute figures.Dispute) {
	a, c, months := dispute.Outcome, dispute.Variance, b.monthly[i]
	p := &page{name: sheetName("Allegation", a.What), about: "The notice's figure beside the files, the classes of the difference, what remains and what would be paid",
		widths: []float64{44, 18, 18, 18, 16, 18}}
	p.rows = append(p.rows, b.titled("What is alleged, and what the files say, "+a.From+" to "+a.To), []any{})
	p.rows = append(p.rows, b.heading("Amounts in rupees", "IGST", "CGST", "SGST", "Cess", "Total"))
	line := func(label string, cells func(head int) excelize.Cell, sum int64) int {
		at := len(p.rows) + 1
		row := []any{label}
		for head := range 4 {
			row = append(row, cells(head))
		}
		p.rows = append(p.rows, append(row, b.formula(fmt.Sprintf("SUM(%s:%s)", cellAt(2, at), cellAt(5, at)), sum)))
		return at
	}
	overMonths := func(column, head int) string {
		return fmt.Sprintf(`SUMIFS(%s,%s,"%s")`, rangeOf(months, column), rangeOf(months, 2), figures.HeadName(head))
	}
	first, second, shares := c.Sums()
	noticeAt := 0
	if a.Notice != nil {
		noticeAt = line("The notice's figure", func(h int) excelize.Cell { return b.rupees(a.Notice[h]) }, a.Notice.Sum())
	}
	names := []string{"Credit claimed in GSTR-3B", "Credit per " + string(c.Against)}
	if a.What == figures.TaxDeclared {
		names = []string{"Tax declared in GSTR-1", "Tax paid with GSTR-3B"}
	}
	firstAt := line(names[0], func(h int) excelize.Cell { return b.formula(overMonths(3, h), first[h]) }, first.Sum())
	secondAt := line(names[1], func(h int) excelize.Cell { return b.formula(overMonths(4, h), second[h]) }, second.Sum())
	filesAt := line("Difference per files", func(h int) excelize.Cell {
		return b.formula(cellAt(2+h, firstAt)+"-"+cellAt(2+h, secondAt), a.Files[h])
	}, a.Files.Sum())
	if a.Notice != nil {
		differs := a.Notice.Minus(a.Files)
		line("Notice differs from the files", func(h int) excelize.Cell {
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
				line("  "+ClassName(class), func(h int) excelize.Cell { return b.formula(overMonths(firstClass+n, h), by[class][h]) }, by[class].Sum())
			}
		}
		to := len(p.rows)
		return line("Together", func(h int) excelize.Cell {
			if to < from {
				return b.rupees(0)
			}
			return b.formula(fmt.Sprintf("SUM(%s:%s)", cellAt(2+h, from), cellAt(2+h, to)), total[h])
		}, total.Sum())
	}
	section("Explained: reported by the supplier, only elsewhere", true, a.Explained)
	remainsAt := section("Not explained so far", false, a.Remains)
	b.payment(p, a, remainsAt)
	if len(c.Nets) > 0 {
		p.rows = append(p.rows, []any{}, b.heading("Closed by another return", "IGST", "CGST", "SGST", "Cess", "Class"))
		for _, n := range c.Nets {
			row := []any{n.From + ": in the return of " + n.To}
			for _, paise := range n.Tax {
				row = append(row, b.rupees(paise))
			}
			p.rows = append(p.rows, append(row, ClassName(n.Class)))
		}
	}
	notes := []string{}
	if !c.Reversed.IsZero() {
		notes = append(notes, fmt.Sprintf("Credit of %s was reversed in table 4(B) of GSTR-3B; it is not set off here.", gst.Rupees(c.Reversed.Sum())))
	}
	if len(c.Missing) > 0 {
		missing := "these months are not compared."
		if c.Books {
			missing = "the books stand for it."
		}
		notes = append(notes, "No GSTR-3B was handed in for "+strings.Join(c.Missing, ", ")+": "+missing)
	}
	if len(a.Pay) > 0 {
		switch {
		case a.Ledger:
			notes = append(notes, "Interest on credit runs from the days on which the credit ledger shows that it was used (rule 88B).")
		default:
			notes = append(notes, "Interest is counted from the 20th after each month, extensions left aside; for credit this is the most it can be, as if it had been used at once.")
		}
	}
	for _, n := range notes {
		p.rows = append(p.rows, []any{}, []any{excelize.Cell{StyleID: b.wrap, Value: n}})
	}
	b.allegations = append(b.allegations, p)
}

// payment lays out the DRC-03 of what remains.
func (b *builder) payment(p *page, a figures.Outcome, remainsAt int) {
	p.rows = append(p.rows, []any{}, b.heading("If what remains were admitted (DRC-03)", "Tax", "Interest", "Together"))
	from := len(p.rows) + 1
	for _, pay := range a.Pay {
		at := len(p.rows) + 1
		head := slices.Index([]string{"IGST", "CGST", "SGST", "CESS"}, pay.Head)
		p.rows = append(p.rows, []any{pay.Head, b.formula(fmt.Sprintf("MAX(0,%s)", cellAt(2+head, remainsAt)), pay.Tax), b.rupees(pay.Interest),
			b.formula(cellAt(2, at)+"+"+cellAt(3, at), pay.Total())})
	}
	if len(a.Pay) == 0 {
		p.rows = append(p.rows, []any{"Nothing"})
		return
	}
	to := len(p.rows)
	row := []any{"Together"}
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

// ordered gives the sheets behind the index.
func (b *builder) ordered() []*page {
	var all []*page
	for i := range b.allegations {
		all = append(all, b.allegations[i], b.monthly[i])
	}
	var names []string
	for name := range b.months {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		all = append(all, b.months[name])
	}
	return all
}

// index lays out the first sheet: whose figures, which files, which sheets.
func (b *builder) index() *page {
	p := &page{name: indexSheet, widths: []float64{34, 60, 22, 12, 14}}
	add := func(row ...any) { p.rows = append(p.rows, row) }
	p.rows = append(p.rows, b.titled("Annexure of figures"))
	for _, of := range []struct {
		label string
		value *string
	}{{"Taxpayer", b.annexure.Facts.LegalName}, {"GSTIN", b.annexure.Facts.GSTIN}, {"Notice", b.annexure.Facts.Reference}, {"Form", b.annexure.Facts.Form},
		{"Dated", b.annexure.Facts.IssueDate}} {
		if of.value != nil {
			add(of.label, text(*of.value))
		}
	}
	add()
	p.rows = append(p.rows, b.heading("Sheet", "What it shows"))
	for _, sheet := range b.ordered() {
		add(excelize.Cell{Formula: fmt.Sprintf(`HYPERLINK("#'%s'!A1","%s")`, sheet.name, sheet.name), Value: sheet.name}, sheet.about)
	}
	add()
	p.rows = append(p.rows, b.heading("File", "Read as", "GSTIN", "Rows", "Left out"))
	for _, f := range b.annexure.Files {
		add(text(f.Name), text(f.Format), text(f.GSTIN), f.Rows, len(f.LeftOut))
	}
	add()
	add("Amounts in rupees. Sums are formulas over the sheets of the months. Credit notes are negative.")
	return p
}

// write streams one sheet.
func (b *builder) write(p *page) error {
	if len(p.rows) > lastRow {
		return fmt.Errorf("%d rows are more than a sheet can have", len(p.rows))
	}
	if p.name != indexSheet {
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
