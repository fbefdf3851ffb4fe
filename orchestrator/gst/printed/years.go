package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readYears makes a Scope for each financial year, with the last dates for its notice and order from the tables of
// limitation.
func (p *Paper) readYears() {
	amounts := p.yearAmounts()
	for _, period := range p.Facts.Periods {
		k := p.Known.Clone()
		at := p.at("periods")
		if q, ok := p.printed(period.FY); ok && len(p.Facts.Periods) > 1 {
			at = []Quote{q}
		}
		k.Put("year.fy", Value{Kind: Year, Text: period.FY, At: at})
		k.day("year.from", law.ParseDay(period.From), at)
		k.day("year.to", law.ParseDay(period.To), at)
		k.day("year.credit_last", creditLast(period.FY), nil)
		p.limits(k, period.FY)
		s := Scope{Known: k, Part: For{FY: period.FY}, text: &p.text, to: len(p.low)}
		if len(p.Facts.Periods) == 1 {
			s.Amounts = p.DemandOf(TakesAll)
		} else {
			s.Amounts = amounts[period.FY]
			if s.Amounts == nil {
				s.Amounts = p.yearTable(period.FY)
			}
		}
		p.Years = append(p.Years, s)
	}
}

// yearTable returns what a paper demands for a year by head, if the paper has a table for each year with the total in
// the last row, in rupees or in lakh. The totals of all years must add up to the tax of the demand. If the penalty of
// the demand equals its tax, so does the penalty for the year.
func (p *Paper) yearTable(fy string) []Head {
	tax := Sum(p.DemandOf(TakesTax))
	if tax == nil {
		return nil
	}
	found := map[string]Amount{}
	year, lakh := "", strings.Contains(p.low, "in lakh")
	for line := range strings.Lines(p.all) {
		line = lower(line)
		for _, period := range p.Facts.Periods {
			if hasAny(line, spellings(period.FY)...) && len(line) < 60 {
				year = period.FY
			}
		}
		if year == "" || !isTotal(strings.TrimSpace(line)) {
			continue
		}
		var sums []Amount
		for word := range strings.FieldsSeq(line) {
			if paise, err := strconv.ParseFloat(strings.ReplaceAll(word, ",", ""), 64); err == nil {
				if lakh {
					paise *= 1e5
				}
				sums = append(sums, paiseOf(paise))
			}
		}
		if n := len(sums); n > 1 && sumAll(sums[:n-1]) == sums[n-1] {
			found[year], year = sums[n-1], ""
		}
	}
	var all Amount
	for _, a := range found {
		all += a
	}
	if all != *tax || len(found) != len(p.Facts.Periods) {
		return nil
	}
	of := found[fy]
	if penalty := Sum(p.DemandOf(TakesPenalty)); penalty != nil && *penalty == *tax {
		of *= 2
	}
	return []Head{{"", of}}
}

func (k Known) day(name string, d law.Day, at []Quote) {
	if !d.IsZero() {
		k.Put(name, Value{Kind: Day, Day: d, At: at})
	}
}

// limits sets the last dates for the notice and the order of a year under each section.
func (p *Paper) limits(k Known, fy string) {
	state := ""
	if v := k.One("paper.state"); v != nil && p.Facts.GSTINValid != nil && *p.Facts.GSTINValid {
		state = v.Text
	}
	for _, section := range []string{"73", "74"} {
		l, ok := p.law.Limits(fy, section, state)
		if !ok {
			continue
		}
		k.day("year.notice"+section, l.Notice, nil)
		k.day("year.order"+section, l.Order, nil)
		k.day("year.notice"+section+"_longer", longer(l, l.Notice, l.NoticeExtended), nil)
		k.day("year.order"+section+"_longer", longer(l, l.Order, l.OrderExtended), nil)
		if l.Year.ExtendedBy != "" && section == "73" {
			k.Put("year.extended_by", Value{Kind: Word, Text: l.Year.ExtendedBy})
		}
	}
	if v := k.One("year.order74"); v != nil { // five years from the due date of the annual return; section 36 says 72 months
		k.day("year.records_last", v.Day.AddMonths(12), nil)
	}
	if l, ok := p.law.Limits(fy, "74A", state); ok {
		k.day("year.notice74a", l.Notice, nil)
	}
}

// longer returns the latest date that can be argued for. It counts an extension, and goes to the end of the month if
// the tables say that the exact day is disputed.
func longer(l law.Limits, last, extended law.Day) law.Day {
	if extended.After(last) {
		last = extended
	}
	if l.Note() != "" && !last.IsZero() {
		first, _ := law.NewDay(last.Year(), int(last.Month()), 1)
		last = first.AddMonths(1).AddDays(-1)
	}
	return last
}

// creditLast returns the last day for taking the credit of a financial year's invoices in a return, under section
// 16(4) as it stood for that year: the due date of the return for the following September (20 October; for 2017-18
// the due date of the return for March 2019, 23 April 2019, by Order 02/2018-CT), and from 2021-22 the thirtieth of
// November. If due dates differed by State, the later is taken. It is zero if fy is not a financial year.
func creditLast(fy string) law.Day {
	if len(fy) < 4 {
		return law.Day{}
	}
	year, err := strconv.Atoi(fy[:4])
	if err != nil {
		return law.Day{}
	}
	switch {
	case year == 2017:
		d, _ := law.NewDay(2019, 4, 23)
		return d
	case year >= 2021:
		d, _ := law.NewDay(year+1, 11, 30)
		return d
	}
	d, _ := law.NewDay(year+1, 10, 24)
	return d
}

// printed returns where the paper prints a financial year, in any spelling.
func (p *Paper) printed(fy string) (Quote, bool) {
	start, end, ok := p.find(strings.Join(spellings(fy), "|"), 0, len(p.low))
	if !ok {
		return Quote{}, false
	}
	return p.quote(max(0, start-30), min(len(p.low), end+30)), true
}

// spellings returns the printed forms of a financial year: 2019-20, 2019-2020.
func spellings(fy string) []string {
	if len(fy) != len("2019-20") {
		return []string{fy}
	}
	return []string{fy, fy[:5] + "20" + fy[5:]}
}

// yearAmounts reads the part of the demand for each year. It reads rows that begin with a year, "2021-22 31,20,500
// 8,84,200 8,84,200 48,88,900", or a sentence if there are none, "2021-22: Rs. 38,10,000; 2022-23: Rs. 54,30,000". All
// years together must add up to the demand, or to its tax.
func (p *Paper) yearAmounts() map[string][]Head {
	if len(p.Facts.Periods) < 2 || p.Facts.Demand == nil {
		return nil
	}
	tax := p.DemandOf(TakesTax)
	total, _ := p.Total()
	rows := p.yearRows()
	for _, want := range []Amount{total, amountOr(Sum(tax))} {
		if from, to, ok := columnsOf(rows, want); ok {
			return byYear(rows, from, to, tax)
		}
		if rows := p.countedRows(); rows != nil {
			if from, to, ok := columnsOf(rows, want); ok {
				return byYear(rows, from, to, tax)
			}
		}
	}
	return p.yearsInWords(amountOr(Sum(tax)))
}

// yearRow is a row of a table that begins with a financial year.
type yearRow struct {
	fy    string
	sub   bool // a sub-total
	parts []Amount
}

func (p *Paper) yearRows() []yearRow {
	var rows []yearRow
	for line := range strings.Lines(p.all) {
		trimmed := strings.TrimLeft(lower(line), " ")
		sub := strings.HasPrefix(trimmed, "sub-total ") || strings.HasPrefix(trimmed, "sub total ")
		trimmed = strings.TrimPrefix(strings.TrimPrefix(trimmed, "sub-total "), "sub total ")
		for _, period := range p.Facts.Periods {
			rest, ok := afterYear(trimmed, period.FY)
			if !ok {
				continue
			}
			r := yearRow{fy: period.FY, sub: sub}
			for _, s := range gst.Sums(strings.ReplaceAll(rest, " - ", " 0 ")) {
				if s.Marked || s.Paise == 0 {
					r.parts = append(r.parts, Amount(s.Paise))
				}
			}
			rows = append(rows, r)
		}
	}
	if slices.ContainsFunc(rows, func(r yearRow) bool { return r.sub }) {
		rows = slices.DeleteFunc(rows, func(r yearRow) bool { return !r.sub })
	}
	return rows
}

// columnsOf returns the narrowest range of adjacent columns whose cells in all rows add up to an amount.
func columnsOf(rows []yearRow, want Amount) (from, to int, ok bool) {
	if len(rows) < 2 || want == 0 {
		return 0, 0, false
	}
	n := len(rows[0].parts)
	sums := make([]Amount, n)
	for _, r := range rows {
		if len(r.parts) != n {
			return 0, 0, false
		}
		for i, a := range r.parts {
			sums[i] += a
		}
	}
	for width := 1; width <= n; width++ {
		for from := 0; from+width <= n; from++ {
			if sumAll(sums[from:from+width]) == want {
				return from, from + width, true
			}
		}
	}
	return 0, 0, false
}

// byYear returns the amounts of each year in a range of columns. They are divided by head if the columns before their
// sum are the heads of tax.
func byYear(rows []yearRow, from, to int, tax []Head) map[string][]Head {
	years := map[string][]Head{}
	for _, r := range rows {
		if at := from - len(tax); to-from == 1 && len(tax) > 1 && at >= 0 && sumAll(r.parts[at:from]) == r.parts[from] {
			for i, h := range tax {
				years[r.fy] = addHead(years[r.fy], Head{h.Head, r.parts[at+i]})
			}
			continue
		}
		head := ""
		if len(tax) == 1 {
			head = tax[0].Head
		}
		years[r.fy] = addHead(years[r.fy], Head{head, sumAll(r.parts[from:to])})
	}
	return years
}

// addHead adds an amount to the one under the same head, since a year may have several rows.
func addHead(heads []Head, h Head) []Head {
	if i := slices.IndexFunc(heads, func(o Head) bool { return o.Head == h.Head }); i >= 0 {
		heads[i].Amount += h.Amount
		return heads
	}
	return append(heads, h)
}

// yearsInWords reads from the sentences an amount after each year, if these amounts add up to want.
func (p *Paper) yearsInWords(want Amount) map[string][]Head {
	const near = 30
	years := map[string][]Head{}
	var all Amount
	for _, period := range p.Facts.Periods {
		var found []Amount
		for at := 0; ; {
			_, end, ok := p.find(strings.Join(spellings(period.FY), "|"), at, len(p.low))
			if !ok {
				break
			}
			at = end
			sums := gst.Sums(p.low[end:min(len(p.low), end+near+20)])
			if len(sums) > 0 && sums[0].Marked && sums[0].Start <= near &&
				!slices.Contains(found, Amount(sums[0].Paise)) {
				found = append(found, Amount(sums[0].Paise))
			}
		}
		if len(found) != 1 {
			return nil
		}
		all += found[0]
		years[period.FY] = []Head{{"", found[0]}}
	}
	if all != want {
		return nil
	}
	return years
}

func sumAll(parts []Amount) Amount {
	var sum Amount
	for _, a := range parts {
		sum += a
	}
	return sum
}

// ofPara matches the number of a paragraph at the beginning of a row, such as "4. ".
var ofPara = lazyregexp.New(`^\(?\d{1,2}[.)]? `)

// afterYear returns the rest of a row after the financial year with which it begins.
func afterYear(row, fy string) (string, bool) {
	row = strings.TrimPrefix(strings.TrimPrefix(ofPara.ReplaceAllString(row, ""), "f.y. "), "fy ")
	for _, spelt := range spellings(fy) {
		if rest, ok := strings.CutPrefix(row, spelt); ok && (rest == "" || !alnum(rest[0])) {
			return rest, true
		}
	}
	return "", false
}

// headed matches the financial year that a paragraph names in its heading, as in "4. Credit in excess of GSTR-2A, F.Y.
// 2020-21."
var headed = lazyregexp.New(`(?:f\. ?y\. ?|fy |financial year )(20\d\d)-(?:20)?(\d\d)\b`)

// addYears adds the years that charges name in their headings to the periods of the facts, if they are missing.
// Otherwise the demand of several years would be taken for the demand of one.
func (p *Paper) addYears() {
	const head = 110
	for _, para := range p.Facts.Charges() {
		text := lower(para.Text)
		text = text[:min(len(text), head)]
		m := headed.FindStringSubmatch(text)
		if at := headed.FindStringIndex(text); m == nil || ofInvoices(text[:at[0]]) { // credit of another year's invoices
			continue
		}
		p.addYear(m[1] + "-" + m[2])
	}
	for _, fy := range p.yearsOfTable() {
		p.addYear(fy)
	}
	slices.SortStableFunc(p.Facts.Periods, func(a, b gst.Period) int { return strings.Compare(a.FY, b.FY) })
}

// addYear adds a financial year to the periods of the facts, if it is valid and missing.
func (p *Paper) addYear(fy string) {
	from := law.ParseDay(fy[:4] + "-04-01")
	if from.IsZero() || from.FinancialYear() != fy ||
		slices.ContainsFunc(p.Facts.Periods, func(o gst.Period) bool { return o.FY == fy }) {
		return
	}
	p.Facts.Periods = append(slices.Clone(p.Facts.Periods), gst.Period{FY: fy, From: from.ISO(),
		To: from.AddMonths(12).AddDays(-1).ISO()})
}

// ofYear matches a row that begins with a financial year, or with the number of a paragraph and a year.
var ofYear = lazyregexp.New(`^(?:\(?\d{1,2}(?:\.\d{1,2})?[.)]? )?(?:f\. ?y\. ?|fy )?(20\d\d)-(?:20)?(\d\d) `)

// yearsOfTable returns the years of a table with a row for each year. The rows must add up to the tax or to the total
// of the demand, which then covers each of these years, even if the head of the paper names only some.
func (p *Paper) yearsOfTable() []string {
	var years []string
	for _, r := range p.countedRows() {
		if !slices.Contains(years, r.fy) {
			years = append(years, r.fy)
		}
	}
	return years
}

// countedRows returns the rows of a table with a row for each year, if they add up to the tax or to the total of the
// demand.
func (p *Paper) countedRows() []yearRow {
	total, _ := p.Total()
	tax := amountOr(Sum(p.DemandOf(TakesTax)))
	var rows []yearRow
	var last Amount
	for line := range strings.Lines(p.all) {
		low := lower(line)
		r := yearRow{}
		if m := ofYear.FindStringSubmatch(low); m != nil {
			r.fy = m[1] + "-" + m[2]
			for _, s := range gst.Sums(low[len(m[0]):]) {
				if s.Marked {
					r.parts = append(r.parts, Amount(s.Paise))
				}
			}
		}
		if n := len(r.parts); n > 0 {
			rows, last = append(rows, r), last+r.parts[n-1]
			continue
		}
		if last > 0 && (last == tax || last == total) {
			return rows
		}
		rows, last = nil, 0 // another table
	}
	return nil
}

// ofInvoices reports whether the words before a year make it the year of invoices, of credit or of something done in
// it. Such a year is not the year of the charge.
func ofInvoices(before string) bool {
	const near = 24
	return strings.HasSuffix(before, " in ") || strings.HasSuffix(before, " during ") || hasAny(before[max(0, len(before)-near):], "itc for", "itc of", "credit for", "credit of", "invoices of", "invoices for",
		"pertaining to", "relating to", "relates to", "pertains to", "invoices pertain", "bills of", "supplies of", "debit note")
}
