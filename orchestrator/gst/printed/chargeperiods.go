package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// yearsIn counts the financial years of the paper that the words name.
func (p *Paper) yearsIn(words string) int {
	n := 0
	for _, period := range p.Facts.Periods {
		if hasAny(words, spellings(period.FY)...) {
			n++
		}
	}
	return n
}

// periodOf sets the period of a charge from the months that it names. If it names none, it takes the period of the
// paper.
func (p *Paper) periodOf(k Known, words string, offset int) {
	if len(p.Facts.Periods) > 0 {
		at := p.at("periods")
		first, last := p.Facts.Periods[0], p.Facts.Periods[len(p.Facts.Periods)-1]
		k.day("charge.from", law.ParseDay(first.From), at)
		k.day("charge.to", law.ParseDay(last.To), at)
	}
	months := monthsIn(words)
	p.narrower(k, months, words, offset)
	if len(months) == 1 {
		k.day("charge.month", months[0].first, []Quote{p.around(offset+months[0].start, offset+months[0].end)})
	}
	for _, m := range months {
		k.add("charge.two_years", Value{Kind: Day, Day: m.first.AddMonths(24),
			At: []Quote{p.around(offset+m.start, offset+m.end)}})
	}
}

// narrower sets the period of a charge to the months of supply that it names, as in "April 2021 to December 2021" or
// "received in October 2018", if they lie within the period of the paper. If the charge names a single date, it also
// records that date.
func (p *Paper) narrower(k Known, months []month, words string, offset int) {
	if days := gst.Dates(words); len(days) == 1 {
		k.day("charge.day", days[0].Day, []Quote{p.around(offset+days[0].Start, offset+days[0].End)})
	}
	from, to := k.One("charge.from"), k.One("charge.to")
	if len(months) == 0 || from == nil || to == nil || !suppliedIn(months, words) {
		return
	}
	first, last := months[0].first, months[len(months)-1].first.AddMonths(1).AddDays(-1)
	if first.Before(from.Day) || last.After(to.Day) || last.Before(first) {
		return
	}
	at := []Quote{p.around(offset+months[0].start, offset+months[len(months)-1].end)}
	k.day("charge.from", first, at)
	k.day("charge.to", last, at)
}

// suppliedIn reports whether the months form one range or list, and the words say that supplies were made or received
// in them.
func suppliedIn(months []month, words string) bool {
	const before = 36
	near := words[max(0, months[0].start-before):months[0].start]
	if len(months) == 1 {
		directly := strings.TrimRight(near, " ")
		behind := strings.HasSuffix(directly, " in") || strings.HasSuffix(directly, " during") || strings.HasSuffix(directly, " for")
		return (behind && hasAny(near, "bought", "purchas", "received", "supplied", "sold", "cleared", "hired", "rent", "paid for", "availed", "services",
			"persons", "dealers", "suppliers") || hasAny(near, "for the month", "in the month", "month of", "माह")) && !hasAny(near, "return", "3b", "gstr", "filed", "audit", "visit", "inspection")
	}
	for i, m := range months[1:] {
		between := strings.Trim(words[months[i].end:max(months[i].end, m.start)], " ")
		if slices.Contains([]string{"to", "-", "–", "till", "upto", "up to", "से", "through"}, between) && len(months) == 2 ||
			between == "and" && len(months) == 2 && strings.HasSuffix(strings.TrimRight(near, " "), "between") {
			continue
		}
		if len(months) < 3 || !separates(between) {
			return false
		}
	}
	return months[0].first.Before(months[len(months)-1].first)
}

// monthsIn returns the months that a text names with their year, such as "April 2024", "Apr-2024" or "नवम्बर 2021",
// except those that are part of a date.
func monthsIn(low string) []month {
	var all []month
	for i := 0; i+4 <= len(low); i++ {
		if low[i] != '2' || low[i+1] != '0' || i+4 < len(low) && alnum(low[i+4]) || i > 0 && alnum(low[i-1]) {
			continue
		}
		year, err := strconv.Atoi(low[i : i+4])
		if err != nil {
			continue
		}
		before := strings.TrimRight(low[max(0, i-30):i], " -,'")
		for n, names := range monthNames {
			for _, name := range names {
				rest, ok := strings.CutSuffix(before, name)
				if !ok || rest != "" && alnum(rest[len(rest)-1]) {
					continue
				}
				rest = strings.TrimRight(rest, " -,")
				if rest != "" && (rest[len(rest)-1] >= '0' && rest[len(rest)-1] <= '9' || hasOrdinal(rest)) {
					break // "14 December 2022" is a day
				}
				first, _ := law.NewDay(year, n+1, 1)
				all = append(all, month{max(0, i-len(name)-1), i + 4, first})
				break
			}
		}
	}
	return all
}

func hasOrdinal(s string) bool {
	for _, o := range []string{"th", "st", "nd", "rd", "day of"} {
		if rest, ok := strings.CutSuffix(s, o); ok &&
			(o == "day of" || rest != "" && rest[len(rest)-1] >= '0' && rest[len(rest)-1] <= '9') {
			return true
		}
	}
	return false
}

// creditOf reads, in a charge that credit was taken too late, the year of the invoices and the date on which the return
// was filed.
func (p *Paper) creditOf(s Scope) {
	if _, _, ok := p.text.find("16(4)|time limit|last date|time-limit|समय सीमा", s.from, s.to); !ok {
		return
	}
	k := s.Known
	p.invoiceYear(s)
	p.returnDay(s)
	p.annualDay(s)
	p.returnMonth(s)
	if len(k["charge.return_day"]) == 0 && len(p.Facts.Paragraphs) < 8 {
		whole := s
		whole.from, whole.to = 0, len(p.low) // an order states it in its reasons
		p.returnDay(whole)
	}
	for _, v := range k["charge.invoice_year"] {
		if d := creditLast(v.Text); !d.IsZero() {
			k.add("charge.credit_last", Value{Kind: Day, Day: d})
		}
	}
}

// invoiceYear reads the financial year of the invoices on which credit is denied.
func (p *Paper) invoiceYear(s Scope) {
	words := p.low[s.from:s.to]
	for i := 0; i+7 <= len(words); i++ {
		if words[i] != '2' || !strings.HasPrefix(words[i:], "20") || i > 0 && alnum(words[i-1]) || words[i+4] != '-' {
			continue
		}
		fy := words[i : i+7]
		if i+9 <= len(words) && strings.HasPrefix(words[i+5:], "20") && words[i+7] >= '0' && words[i+7] <= '9' {
			fy = words[i:i+5] + words[i+7:i+9]
		}
		year, err := strconv.Atoi(fy[:4])
		if err != nil || fy[5:] != strconv.Itoa((year+1)%100) {
			continue
		}
		near, after := words[max(0, i-70):i], words[i:min(len(words), i+60)]
		if hasAny(near, "invoice", "pertaining to", "relating to", "debit note", "bills of", "credit of",
			"supplies of", "itc for", "credit for", "itc of") || hasAny(after, "invoice", "के बीजक", "के चालान", "से संबंधित") {
			s.Known.add("charge.invoice_year", Value{Kind: Year, Text: fy, At: []Quote{p.around(s.from+i, s.from+i+7)}})
		}
	}
	if len(s.Known["charge.invoice_year"]) > 0 {
		return
	}
	for _, m := range monthsIn(words) {
		if near := words[max(0, m.start-60):m.start]; hasAny(near, "invoices of", "invoices for", "invoices dated",
			"invoices issued in", "pertaining to") &&
			!hasAny(near[max(0, len(near)-12):], "3b") {
			s.Known.add("charge.invoice_year",
				Value{Kind: Year, Text: m.first.FinancialYear(), At: []Quote{p.around(s.from+m.start, s.from+m.end)}})
		}
	}
	if first, last := s.Known.One("charge.invoices_first"), s.Known.One("charge.invoices_last"); len(s.Known["charge.invoice_year"]) == 0 &&
		first != nil && last != nil && first.Day.FinancialYear() == last.Day.FinancialYear() {
		s.Known.Put("charge.invoice_year", Value{Kind: Year, Text: first.Day.FinancialYear(), At: first.At})
	}
	if len(s.Known["charge.invoice_year"]) > 0 || len(p.Facts.Periods) != 1 {
		return
	}
	if start, end, ok := p.text.find("preceding year|previous year|preceding financial year|previous financial "+
		"year|earlier year", s.from, s.to); ok {
		year, err := strconv.Atoi(p.Facts.Periods[0].FY[:4])
		if err == nil {
			d, _ := law.NewDay(year-1, 6, 1)
			s.Known.add("charge.invoice_year",
				Value{Kind: Year, Text: d.FinancialYear(), At: []Quote{p.around(s.from+start-s.from, end)}})
		}
	}
}

// returnDay reads the date on which the return with the credit was filed.
func (p *Paper) returnDay(s Scope) {
	words := p.low[s.from:s.to]
	for _, d := range gst.Dates(words) {
		near := words[max(0, d.Start-110):d.Start]
		at := strings.LastIndex(near, "filed")
		for _, w := range []string{"furnished", "filing", "दाखिल", "uploaded"} {
			at = max(at, strings.LastIndex(near, w))
		}
		// "… filed its GSTR-3B returns of February 2020 and March 2020 on 15.11.2020"
		if at >= 0 && len(near)-at > 34 && strings.HasSuffix(near, " on ") && hasAny(near[at:], "3b return", "return") &&
			!strings.ContainsAny(near[at:], ";।") && len(gst.Dates(near[at:])) == 0 && !hasAny(near[at:], "annual", "gstr-9", "reply", ". ") {
			s.Known.add("charge.return_day",
				Value{Kind: Day, Day: d.Day, At: []Quote{p.around(s.from+d.Start, s.from+d.End)}})
			continue
		}
		if at < 0 || len(near)-at > 34 {
			continue
		}
		near = near[:at]
		if i := max(strings.LastIndex(near, "return"), strings.LastIndex(near, "3b"),
			strings.LastIndex(near, "विवरणी")); i < 0 ||
			hasAny(near[max(0, i-12):], "drc-06", "asmt-11", "reply", "gstr-9", "annual") {
			continue
		}
		s.Known.add("charge.return_day",
			Value{Kind: Day, Day: d.Day, At: []Quote{p.around(s.from+d.Start, s.from+d.End)}})
	}
}

// returnMonth reads the month of the return in which the credit was taken. It computes the due date of that return, the
// twentieth of the next month.
func (p *Paper) returnMonth(s Scope) {
	const before = 44
	words := p.low[s.from:s.to]
	for _, m := range monthsIn(words) {
		near := words[max(0, m.start-before):m.start]
		if after := words[m.end:min(len(words), m.end+34)]; hasAny(after, "की विवरणी", "के gstr-3b", "के gstr 3b", "की gstr-3b") {
			s.Known.add("charge.return_due", Value{Kind: Day, Day: m.first.AddMonths(1).AddDays(19),
				At: []Quote{p.around(s.from+m.start, s.from+m.end)}})
			continue
		}
		at := max(strings.LastIndex(near, "return"), strings.LastIndex(near, "3b"), strings.LastIndex(near, "विवरणी"))
		if at < 0 || hasAny(near[at:], "filed", "upto", "up to", "due date", "invoice", "after", "till", "by the", "last date", "september following",
			"not later", "furnished") || hasAny(near, "due date of", "due date for", "last date", "upto the", "up to the", "not later than", "beyond the due") {
			continue
		}
		s.Known.add("charge.return_due", Value{Kind: Day, Day: m.first.AddMonths(1).AddDays(19),
			At: []Quote{p.around(s.from+m.start, s.from+m.end)}})
	}
}

// turnoverBefore reads, in a charge, the turnover of a year before the period.
func (p *Paper) turnoverBefore(s Scope) {
	const near = 70
	for at := s.from; ; {
		start, end, ok := p.text.find("turnover|टर्नओवर|कुल कारोबार", at, s.to)
		if !ok {
			return
		}
		at = end
		from, to := p.sentence(start)
		words := p.low[max(from, s.from):min(to, s.to)]
		sums := slices.DeleteFunc(gst.Sums(p.low[end:min(s.to, end+near)]), func(s gst.Sum) bool { return !s.Marked })
		if len(sums) == 0 || hasAny(p.low[end:end+sums[0].Start], "limit", "threshold", "exceed") ||
			!hasAny(words, "preceding", "previous year", "prior year", "पूर्ववर्ती", "पिछले वर्ष") && !p.namesEarlierYear(words) {
			continue
		}
		s.Known.add("charge.turnover", Value{Kind: Money, Paise: sums[0].Paise, At: []Quote{p.around(start, end)}})
	}
}

// namesEarlierYear reports whether the words name the financial year before those of the paper, and none of the paper's
// own.
func (p *Paper) namesEarlierYear(words string) bool {
	if len(p.Facts.Periods) == 0 {
		return false
	}
	first := law.ParseDay(p.Facts.Periods[0].From)
	if first.IsZero() {
		return false
	}
	return hasAny(words, spellings(first.AddMonths(-12).FinancialYear())...)
}

// annualFee reads the turnover in a charge of late fee for an annual return of 2022-23 or a later year. It computes the
// highest fee that N.7/2023-Central Tax allows: 0.02 per cent of the turnover under each Act, up to a turnover of
// twenty crore.
func (p *Paper) annualFee(s Scope) {
	const near, most = 60, 20_00_00_000_00
	if v := s.Known.One("charge.from"); v == nil || v.Day.ISO() < "2022-04-01" {
		return
	}
	if _, _, ok := p.text.find("gstr-9|gstr 9|gstr9|annual return|वार्षिक विवरणी", s.from, s.to); !ok {
		return
	}
	start, end, ok := p.text.find("turnover|टर्नओवर", s.from, s.to)
	if !ok {
		return
	}
	sums := gst.Sums(p.low[end:min(s.to, end+near)])
	if len(sums) == 0 || !sums[0].Marked || sums[0].Paise > most || sums[0].Paise < 1_00_000_00 ||
		hasAny(p.low[end:end+sums[0].Start], "up to", "limit", "exceed", "above") {
		return
	}
	at := []Quote{p.around(start, end+sums[0].End)}
	fee := sums[0].Paise / 2500                                             // 0.04 per cent
	if m := feeDays.FindStringSubmatchIndex(p.low[s.from:s.to]); m != nil { // and fifty or a hundred rupees a day until then
		day := int64(100_00)
		if sums[0].Paise <= 5_00_00_000_00 {
			day = 50_00
		}
		if days := int64(number(p.low[s.from+m[2] : s.from+m[3]])); days > 0 {
			fee = min(fee, day*days)
			at = append(at, p.around(s.from+m[0], s.from+m[1]))
		}
	}
	s.Known.Put("charge.fee_turnover", Value{Kind: Money, Paise: sums[0].Paise, At: at})
	s.Known.Put("charge.fee_most", Value{Kind: Money, Paise: fee, At: at})
	v := p.Known.One("demand.fee")
	if a, m := p.Known.One("fee.a_day"), feeDays.FindStringSubmatch(p.low[s.from:s.to]); v == nil && a != nil && m != nil {
		asked := a.Paise * int64(number(m[1]))
		if asked > 0 && slices.ContainsFunc(gst.Sums(p.low[s.from:s.to]), func(s gst.Sum) bool { return s.Marked && s.Paise == asked }) {
			v = &Value{Kind: Money, Paise: asked, At: a.At}
		}
	}
	if v != nil {
		s.Known.Put("charge.fee_over", Value{Kind: Money, Paise: max(0, v.Paise-fee), At: append(at, v.At...)})
	}
}
