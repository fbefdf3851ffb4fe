// Package bookkeeping makes fictional businesses whose papers have the faults of real ones: suppliers that file late
// or quarterly, bills entered in parts or net of a credit note, mistyped numbers and GSTINs, round-offs, and registers
// in the formats of several programs. It was written after the first version of the matcher and before the second,
// from what bookkeepers do, not from how records are matched. It shares no code with package figures, and knows only
// the names of its classes. Its expected classes are what a careful accountant would say about each document.
package bookkeeping

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Plan describes a business to make.
type Plan struct {
	Seed      uint64
	Purchases int    // roughly
	Sales     int    // roughly
	Year      int    // 2023 for the financial year 2023-24
	Statement string // "GSTR-2A" or "GSTR-2B"
	Register  string // one of Registers
}

// Mark is the true class of one document on one side.
type Mark struct {
	Side   string // "books" or "portal"; for sales "register", "e-way bills", "e-invoices" or "GSTR-1"
	Number string // as written
	Tax    int64  // paise, all heads
	Class  string // the name of a class in package figures
}

// Business is a taxpayer with the papers of one financial year.
type Business struct {
	Plan
	GSTIN string
	Marks []Mark

	postings []posting
	reported []reported
	returns  [12]summary
	sales    []sale
}

// heads are amounts in paise: IGST, CGST, SGST, cess.
type heads [4]int64

func (h heads) sum() int64 { return h[0] + h[1] + h[2] + h[3] }

func (h heads) plus(o heads) heads {
	for i := range h {
		h[i] += o[i]
	}
	return h
}

func (h heads) minus() heads { return heads{-h[0], -h[1], -h[2], -h[3]} }

// line is the part of a bill with one tax rate.
type line struct {
	rate    int64 // per cent
	taxable int64
	tax     heads
}

// posting is an entry in the purchase register.
type posting struct {
	booked, date         time.Time
	name, gstin, number  string
	kind                 string // "bill", "return", "boe", "journal"
	lines                []line
	reverse, ineligible  bool
	blankContinuation    bool // the lines after the first have no number, as in merged cells
	withOwnVoucherNumber int
}

// reported is a document in the portal's statement.
type reported struct {
	period           time.Time
	table            string // b2b, b2ba, cdnr, isd, impg, ecom
	gstin, name      string
	number           string
	date             time.Time
	original         string
	originalDate     time.Time
	noteType         string
	lines            []line
	reverse          bool
	available        string // "Y", "N" or "T"
	why              string
	filed, cancelled bool
	cancelledOn      time.Time
	credit           bool // it reduces credit
}

// summary is what the GSTR-3B of a month states.
type summary struct {
	available map[string]heads // by row: 4A1 … 4A5
	reversed  heads
	taxable   int64
	outward   heads
}

type supplier struct {
	gstin, name string
	style       int
	prefix      string
	next        int
	inter       bool
	quarterly   bool  // files quarterly, without IFF
	retainer    int64 // a fixed fee every month; 0 for none
}

type maker struct {
	*rand.Rand
	b         *Business
	suppliers []*supplier
	home      string
	isd       *supplier
	vouchers  int
}

// New makes a business. The same plan always makes the same business.
func New(plan Plan) *Business {
	b := &Business{Plan: plan}
	m := &maker{Rand: rand.New(rand.NewPCG(plan.Seed, 77)), b: b, home: "29"}
	b.GSTIN = m.newGSTIN(m.home, "C")
	for i := range max(12, plan.Purchases/55) {
		m.suppliers = append(m.suppliers, m.newSupplier(i))
	}
	m.isd = m.newSupplier(900_001)
	m.isd.gstin, m.isd.inter = m.newGSTIN("27", "C"), true
	events := []struct {
		share int // per mille
		plant func()
	}{
		{590, m.plain}, {45, m.late}, {14, m.lateByYear}, {9, m.otherHead}, {24, m.otherAmount}, {30, m.creditNote},
		{10, m.netOfNote}, {12, m.split}, {40, m.omitted}, {40, m.unbooked}, {9, m.twice}, {14, m.unavailable},
		{14, m.amended}, {9, m.otherState}, {16, m.imported}, {8, m.distributed}, {10, m.reverseRegistered},
		{8, m.reverseUnregistered},
		{8, m.marketplace},
	}
	if plan.Statement == "GSTR-2A" {
		events = append(events, struct {
			share int
			plant func()
		}{14, m.unfiled}, struct {
			share int
			plant func()
		}{8, m.cancelledSupplier})
	}
	var deck []int
	for i, e := range events {
		for range max(2, e.share*plan.Purchases/1000) {
			deck = append(deck, i)
		}
	}
	m.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	for _, i := range deck {
		events[i].plant()
	}
	m.Shuffle(len(b.reported), func(i, j int) { b.reported[i], b.reported[j] = b.reported[j], b.reported[i] })
	m.sell()
	m.summarise()
	return b
}

const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

func (m *maker) letters(n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(byte('A' + m.IntN(26)))
	}
	return b.String()
}

// newGSTIN makes a GSTIN with a valid check character.
func (m *maker) newGSTIN(state, holder string) string {
	n := state + m.letters(3) + holder + m.letters(1) + fmt.Sprintf("%04d", m.IntN(10_000)) + m.letters(1) +
		string(signs[1+m.IntN(3)]) + "Z"
	total := 0
	for i := range len(n) {
		v := strings.IndexByte(signs, n[i])
		if i%2 == 1 {
			v *= 2
		}
		total += v/36 + v%36
	}
	return n + string(signs[(36-total%36)%36])
}

var (
	firstNames = []string{"Sri Balaji", "Om Sai", "Krishna", "Annapurna", "Deccan", "Malabar", "Nandi", "Kaveri",
		"New Bharat", "Vishwakarma", "Shree Ganesh", "Lakshmi"}
	secondNames = []string{"Traders", "Enterprises", "Steel & Tubes", "Packaging Pvt. Ltd.", "Logistics LLP",
		"Agencies", "Electricals", "Chemicals (P) Ltd", "& Sons", "Infotech"}
)

func (m *maker) newSupplier(i int) *supplier {
	s := &supplier{style: m.IntN(9), next: m.IntN(900), inter: m.IntN(5) < 2, quarterly: m.IntN(12) == 0}
	state := m.home
	if s.inter {
		state = []string{"27", "33", "36", "07", "24", "32"}[m.IntN(6)]
	}
	s.gstin = m.newGSTIN(state, []string{"P", "C", "F"}[m.IntN(3)])
	s.name = fmt.Sprintf("%s %s %d", firstNames[m.IntN(len(firstNames))], secondNames[m.IntN(len(secondNames))], i+1)
	s.prefix = m.letters(2 + m.IntN(2))
	if m.IntN(14) == 0 {
		s.retainer = int64(5+m.IntN(60)) * 1_000_00
	}
	return s
}

func (m *maker) day(month int) time.Time {
	return time.Date(m.b.Year, time.April, 1, 0, 0, 0, 0, time.UTC).AddDate(0, month, m.IntN(27))
}

func monthOf(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC) }

// number returns the next number in a supplier's own series.
func (m *maker) number(s *supplier) string {
	s.next += 1 + m.IntN(4)
	fy := fmt.Sprintf("%02d-%02d", m.b.Year%100, (m.b.Year+1)%100)
	switch s.style {
	case 0:
		return fmt.Sprint(s.next)
	case 1:
		return fmt.Sprintf("%s/%s/%05d", s.prefix, fy, s.next)
	case 2:
		return fmt.Sprintf("%s-%04d", s.prefix, s.next)
	case 3:
		return fmt.Sprintf("%04d/%s", s.next, fy)
	case 4:
		return fmt.Sprintf("%s%d%06d", s.prefix, m.b.Year%100, s.next)
	case 5:
		return fmt.Sprintf("GST/%d/%d-%02d", s.next, m.b.Year, (m.b.Year+1)%100)
	case 6:
		return fmt.Sprintf("T%d-%s", s.next, s.prefix)
	case 7:
		return fmt.Sprintf("%07d", 1_000_000+s.next)
	}
	return fmt.Sprintf("%s/%03d", s.prefix, s.next)
}

// lines returns the parts of a bill by rate: mostly one, sometimes two or three. The amounts are realistic: many small
// ones, few large ones, and the same round amounts again and again.
func (m *maker) lines(s *supplier) []line {
	if s.retainer != 0 {
		return []line{m.line(s.inter, 18, s.retainer)}
	}
	rates := []int64{5, 12, 18, 28}
	m.Shuffle(len(rates), func(i, j int) { rates[i], rates[j] = rates[j], rates[i] })
	count := 1
	switch roll := m.IntN(20); {
	case roll == 0:
		count = 3
	case roll < 3:
		count = 2
	}
	var all []line
	for _, rate := range rates[:count] {
		taxable := int64(m.IntN(4_000_00)) + 200_00
		switch roll := m.IntN(10); {
		case roll < 2:
			taxable = int64(1+m.IntN(40)) * 500_00
		case roll < 5:
			taxable *= int64(2 + m.IntN(30))
		case roll == 5:
			taxable *= int64(40 + m.IntN(300))
		}
		all = append(all, m.line(s.inter, rate, taxable))
	}
	return all
}

func (m *maker) line(inter bool, rate, taxable int64) line {
	l := line{rate: rate, taxable: taxable}
	if inter {
		l.tax[0] = (taxable*rate + 50) / 100
	} else {
		half := (taxable*rate + 100) / 200
		l.tax[1], l.tax[2] = half, half
	}
	return l
}

func total(lines []line) (taxable int64, tax heads) {
	for _, l := range lines {
		taxable, tax = taxable+l.taxable, tax.plus(l.tax)
	}
	return taxable, tax
}

func scaled(lines []line, of, by int64) []line {
	all := make([]line, len(lines))
	for i, l := range lines {
		all[i] = line{rate: l.rate, taxable: l.taxable * of / by}
		for h := range l.tax {
			all[i].tax[h] = l.tax[h] * of / by
		}
	}
	return all
}

func negative(lines []line) []line { return scaled(lines, -1, 1) }

// less subtracts other from lines, line by line.
func less(lines, other []line) []line {
	all := make([]line, len(lines))
	for i, l := range lines {
		all[i] = line{rate: l.rate, taxable: l.taxable - other[i].taxable, tax: l.tax.plus(other[i].tax.minus())}
	}
	return all
}

// bill makes a supply as its supplier reports it.
func (m *maker) bill(month int) (*supplier, reported) {
	s := m.suppliers[m.IntN(len(m.suppliers))]
	return s, m.billOf(s, month)
}

func (m *maker) billOf(s *supplier, month int) reported {
	date := m.day(month)
	return reported{period: monthOf(date), table: "b2b", gstin: s.gstin, name: s.name, number: m.number(s), date: date,
		lines: m.lines(s), available: "Y", filed: true}
}

// monthly makes a bill of a supplier that files monthly, since one that files quarterly is always late.
func (m *maker) monthly(month int) (*supplier, reported) {
	for {
		s := m.suppliers[m.IntN(len(m.suppliers))]
		if !s.quarterly {
			return s, m.billOf(s, month)
		}
	}
}

func (m *maker) report(r reported, class string) {
	_, tax := total(r.lines)
	m.b.reported = append(m.b.reported, r)
	sum := tax.sum()
	m.b.Marks = append(m.b.Marks, Mark{"portal", r.number, sum, class})
}

func (m *maker) post(p posting, class string) {
	_, tax := total(p.lines)
	m.vouchers++
	p.withOwnVoucherNumber = m.vouchers
	m.b.postings = append(m.b.postings, p)
	m.b.Marks = append(m.b.Marks, Mark{"books", strings.TrimSpace(p.number), tax.sum(), class})
}

// enter returns a bill as entered in the books: on another day, with the changes that typing and accounting programs
// make.
func (m *maker) enter(r reported) posting {
	p := posting{date: r.date, booked: r.date.AddDate(0, 0, m.IntN(6)), name: r.name, gstin: r.gstin, number: r.number,
		kind: "bill", lines: append([]line(nil), r.lines...), reverse: r.reverse}
	if p.booked.Month() != r.date.Month() {
		p.booked = r.date // booked before the end of the month
	}
	if r.table == "cdnr" && r.noteType == "C" {
		p.kind = "return"
	}
	wrong := 0 // most wrong entries have a single mistake
	if m.IntN(100) < 42 {
		before := p.number
		p.number = m.typed(r.number, &wrong)
		if p.number == "" {
			p.number = before
		}
	}
	switch roll := m.IntN(100); {
	case roll < 12:
		p.date = p.booked
	case roll < 20 && wrong < 2:
		p.date = r.date.AddDate(0, 0, 1+m.IntN(4))
		wrong++
	case roll < 22 && r.date.Day() <= 12 && wrong == 0:
		p.date = time.Date(r.date.Year(), time.Month(r.date.Day()), int(r.date.Month()), 0, 0, 0, 0, time.UTC)
		wrong++
	case roll < 23 && wrong == 0:
		p.date = r.date.AddDate(-1, 0, 0)
		wrong++
	}
	if p.gstin != "" && wrong == 0 {
		p.gstin = m.typedGSTIN(p.gstin)
	}
	if m.IntN(10) == 0 { // the program rounds the tax to whole rupees
		for i := range p.lines {
			for h, paise := range p.lines[i].tax {
				p.lines[i].tax[h] = rounded(paise)
			}
			if len(p.lines) > 1 {
				break
			}
		}
	}
	p.blankContinuation = len(p.lines) > 1 && m.IntN(3) == 0
	return p
}

func rounded(paise int64) int64 {
	if paise < 0 {
		return -rounded(-paise)
	}
	return (paise + 50) / 100 * 100
}

// typed returns a number as somebody else would write it. If it is not the same number any more, it counts as a
// mistake.
func (m *maker) typed(number string, wrong *int) string {
	last := number[strings.LastIndexAny(number, "/-")+1:]
	tail := strings.TrimLeft(last, "0ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	switch m.IntN(16) {
	case 0:
		return strings.ToLower(number)
	case 1:
		return strings.NewReplacer("/", "-", "-", "/").Replace(number)
	case 2:
		return strings.NewReplacer("/", "", "-", "").Replace(number)
	case 3:
		if len(tail) > 1 && !strings.Contains(number, fmt.Sprintf("%02d-%02d", m.b.Year%100, (m.b.Year+1)%100)) {
			return tail
		}
		return number + " "
	case 4:
		return "Bill No. " + number
	case 5:
		return "INV-" + number
	case 6:
		return strings.ReplaceAll(number, "0", "O")
	case 7:
		return strings.NewReplacer("/", " / ", "-", " - ").Replace(number)
	case 8:
		fy := fmt.Sprintf("%02d-%02d", m.b.Year%100, (m.b.Year+1)%100)
		return strings.Trim(strings.NewReplacer("/"+fy, "", fy+"/", "").Replace(number), "/-")
	case 9:
		return "'" + number
	case 10: // two digits swapped
		for i := len(number) - 1; i > 0; i-- {
			a, b := number[i-1], number[i]
			if a != b && a >= '0' && a <= '9' && b >= '0' && b <= '9' {
				*wrong++
				return number[:i-1] + string(b) + string(a) + number[i+1:]
			}
		}
		return number
	case 11: // one digit wrong
		i := len(number) - 1
		if number[i] >= '0' && number[i] <= '8' {
			*wrong++
			return number[:i] + string(number[i]+1)
		}
		return number
	case 12:
		return number + fmt.Sprintf("/%d-%02d", m.b.Year, (m.b.Year+1)%100)
	case 13:
		return "\u00a0" + number
	case 14:
		return number + "(R)"
	}
	return "#" + number
}

// typedGSTIN mistypes one GSTIN in thirty.
func (m *maker) typedGSTIN(gstin string) string {
	switch m.IntN(60) {
	case 0:
		return ""
	case 1:
		i := 2 + m.IntN(10)
		if gstin[i] == gstin[i+1] {
			return gstin
		}
		swapped := gstin[:i] + string(gstin[i+1]) + string(gstin[i]) + gstin[i+2:]
		return swapped
	case 2:
		return strings.ToLower(gstin)
	case 3:
		return gstin[:2] + " " + gstin[2:12] + " " + gstin[12:]
	case 4:
		return gstin[:14]
	}
	return gstin
}

// quarterEnd returns the last month of a quarter, in which a quarterly filer reports a bill.
func quarterEnd(t time.Time) time.Time {
	return monthOf(t).AddDate(0, (3-int(t.Month())%3)%3, 0)
}

func across(booked, reported time.Time) string {
	year := func(t time.Time) int { return t.AddDate(0, -3, 0).Year() }
	switch {
	case monthOf(booked).Equal(monthOf(reported)):
		return "matched"
	case year(booked) == year(reported):
		return "other_month"
	}
	return "across_year"
}

func (m *maker) both(p posting, r reported, class string) {
	m.post(p, class)
	m.report(r, class)
}

func (m *maker) plain() {
	s, r := m.bill(m.IntN(12))
	if s.quarterly {
		r.period = quarterEnd(r.date)
	}
	p := m.enter(r)
	m.both(p, r, across(p.booked, r.period))
}

func (m *maker) late() {
	_, r := m.monthly(m.IntN(9))
	p := m.enter(r)
	r.period = r.period.AddDate(0, 1+m.IntN(3), 0)
	m.both(p, r, across(p.booked, r.period))
}

func (m *maker) lateByYear() {
	_, r := m.monthly(10 + m.IntN(2))
	p := m.enter(r)
	r.period = time.Date(m.b.Year+1, time.April, 1, 0, 0, 0, 0, time.UTC).AddDate(0, m.IntN(6), 0)
	m.both(p, r, "across_year")
}

func (m *maker) otherHead() {
	_, r := m.monthly(m.IntN(12))
	p := m.enter(r)
	for i, l := range p.lines {
		all := l.tax.sum() / 2 * 2
		r.lines[i].tax, p.lines[i].tax = heads{all}, heads{0, all / 2, all / 2}
		if l.tax[0] == 0 {
			r.lines[i].tax, p.lines[i].tax = p.lines[i].tax, r.lines[i].tax
		}
	}
	m.both(p, r, "wrong_head")
}

func (m *maker) otherAmount() {
	_, r := m.monthly(m.IntN(12))
	for {
		if taxable, _ := total(r.lines); taxable > 3_000_00 {
			break
		}
		_, r = m.monthly(m.IntN(12))
	}
	p := m.enter(r)
	p.number = r.number
	switch m.IntN(3) {
	case 0: // a digit is missing
		p.lines = scaled(p.lines, 1, 10)
	case 1: // taxed at another rate
		p.lines = scaled(p.lines[:1], 2, 3)
		p.lines[0].taxable = r.lines[0].taxable
	default: // the freight is missing
		p.lines = scaled(p.lines, int64(85+m.IntN(10)), 100)
	}
	m.both(p, r, "amount_differs")
}

// creditNote makes a purchase return with the supplier's credit note. In half of the cases the books have the
// supplier's number, otherwise their own.
func (m *maker) creditNote() {
	s, r := m.monthly(m.IntN(12))
	r.table, r.noteType, r.credit = "cdnr", "C", true
	r.number = "CN" + r.number
	r.lines = scaled(r.lines, 1, int64(4+m.IntN(8)))
	p := m.enter(r)
	p.kind = "return"
	p.lines = negative(p.lines)
	r.lines = negative(r.lines)
	if m.IntN(2) == 0 {
		p.number, p.date, p.gstin = fmt.Sprintf("DN/%d", 1+m.IntN(900)), p.booked, s.gstin
	}
	m.both(p, r, across(p.booked, r.period))
}

// netOfNote makes a bill that the books have net of the supplier's credit note.
func (m *maker) netOfNote() {
	_, r := m.monthly(m.IntN(12))
	note := r
	note.table, note.noteType, note.credit = "cdnr", "C", true
	note.number = "C" + r.number
	note.lines = negative(scaled(r.lines, int64(5+m.IntN(20)), 100))
	p := m.enter(r)
	p.number, p.gstin = r.number, r.gstin
	p.lines = less(r.lines, negative(note.lines))
	m.both(p, r, "in_parts")
	m.report(note, "in_parts")
}

// split makes a bill that is entered in two vouchers, one for each department.
func (m *maker) split() {
	_, r := m.monthly(m.IntN(12))
	first := m.enter(r)
	first.gstin = r.gstin
	second := first
	first.lines = scaled(r.lines, int64(30+m.IntN(40)), 100)
	second.lines = less(r.lines, first.lines)
	first.number, second.number = r.number+"-A", r.number+"-B"
	if m.IntN(2) == 0 {
		first.number, second.number = r.number, r.number
		if second.booked = first.booked.AddDate(0, 0, 2); second.booked.Month() != first.booked.Month() {
			second.booked = first.booked.AddDate(0, 0, -1)
		}
		first.date, second.date = first.booked, second.booked
	}
	m.both(first, r, "in_parts")
	m.post(second, "in_parts")
}

func (m *maker) omitted() {
	_, r := m.monthly(m.IntN(12))
	m.post(m.enter(r), "only_books")
}

func (m *maker) unbooked() {
	_, r := m.monthly(m.IntN(12))
	m.report(r, "only_portal")
}

func (m *maker) twice() {
	_, r := m.monthly(m.IntN(10))
	p := m.enter(r)
	p.gstin, p.number = r.gstin, r.number
	m.both(p, r, "matched")
	again := p
	again.booked = p.booked.AddDate(0, m.IntN(2), m.IntN(3))
	if m.IntN(2) == 0 {
		again.number = strings.ToLower(strings.ReplaceAll(p.number, "/", "-"))
	}
	m.post(again, "booked_twice")
}

func (m *maker) unavailable() {
	_, r := m.monthly(m.IntN(12))
	r.available, r.why = "N", "P"
	if m.IntN(3) == 0 {
		r.why = "C"
	}
	if m.b.Statement == "GSTR-2A" {
		r.available = "Y" // 2A does not have this; the books do
	}
	p := m.enter(r)
	if r.available == "Y" {
		p.ineligible = true
	}
	class := "not_available"
	if p.ineligible && m.b.Register != "zoho" {
		class, p.ineligible = "matched", false // no column says so
	}
	m.both(p, r, class)
}

// amended makes a bill whose number or amount the supplier corrects in a later return.
func (m *maker) amended() {
	_, first := m.monthly(m.IntN(9))
	second := first
	second.table, second.original, second.originalDate = "b2ba", first.number, first.date
	second.period = first.period.AddDate(0, 1+m.IntN(3), 0)
	if m.IntN(2) == 0 {
		second.number = first.number + "X"
	} else {
		first.lines = scaled(second.lines, 3, 2)
	}
	p := m.enter(second)
	p.booked = first.date
	m.report(first, "replaced")
	m.both(p, second, across(p.booked, second.period))
}

// otherState makes a bill of the supplier's registration in another State, entered under the registration in the
// master data.
func (m *maker) otherState() {
	_, r := m.monthly(m.IntN(12))
	p := m.enter(r)
	p.number, p.date = r.number, r.date
	p.gstin = "06" + r.gstin[2:14] + string(signs[m.IntN(10)])
	m.both(p, r, across(p.booked, r.period))
}

func (m *maker) imported() {
	month := m.IntN(12)
	date := m.day(month)
	taxable := int64(50_000_00 + m.IntN(20_00_000_00))
	r := reported{period: monthOf(date), table: "impg", number: fmt.Sprint(2_000_000 + m.IntN(7_000_000)), date: date,
		lines: []line{m.line(true, 18, taxable)}, available: "Y", filed: true}
	p := posting{booked: date, date: date, name: "Shenzhen Bright Parts Co",
		gstin: []string{"", "URP", "NA", "-"}[m.IntN(4)], number: r.number, kind: "boe", lines: r.lines}
	switch m.IntN(4) {
	case 0:
		p.number = "BOE " + r.number
	case 1:
		p.number = "INNSA1/" + r.number
	case 2:
		if month < 11 {
			p.booked = p.booked.AddDate(0, 1, 0)
		}
	}
	m.both(p, r, across(p.booked, r.period))
}

func (m *maker) distributed() {
	r := m.billOf(m.isd, m.IntN(12))
	r.table = "isd"
	r.lines = r.lines[:1]
	p := posting{
		booked: r.date,
		date:   r.date,
		name:   m.isd.name,
		gstin:  m.isd.gstin,
		number: r.number,
		kind:   "bill",
		lines:  r.lines,
	}
	if m.IntN(5) == 0 {
		r.credit = true
		r.lines = negative(r.lines)
		p.lines, p.kind = r.lines, "return"
	}
	m.both(p, r, across(p.booked, r.period))
}

func (m *maker) reverseRegistered() {
	_, r := m.monthly(m.IntN(12))
	r.reverse = true
	r.lines = []line{m.line(r.lines[0].tax[0] != 0, 5, r.lines[0].taxable)}
	m.both(m.enter(r), r, "matched")
}

func (m *maker) reverseUnregistered() {
	date := m.day(m.IntN(12))
	l := m.line(false, 18, int64(1_000_00+m.IntN(40_000_00)))
	m.post(posting{booked: date, date: date, name: "Adv. R. Kulkarni", number: fmt.Sprintf("RCM/%d", 1+m.IntN(9000)),
		kind: "bill", lines: []line{l}, reverse: true}, "only_books")
}

// marketplace makes a supply through an operator that pays the tax under section 9(5).
func (m *maker) marketplace() {
	_, r := m.monthly(m.IntN(12))
	if m.b.Statement == "GSTR-2B" && m.b.Year >= 2024 {
		r.table = "ecom"
	}
	p := m.enter(r)
	m.both(p, r, across(p.booked, r.period))
}

func (m *maker) unfiled() {
	_, r := m.monthly(m.IntN(12))
	r.filed = false
	m.both(m.enter(r), r, "supplier_open")
}

func (m *maker) cancelledSupplier() {
	_, r := m.monthly(m.IntN(12))
	r.cancelled, r.cancelledOn = true, r.date.AddDate(0, 0, -m.IntN(60))
	if m.IntN(4) == 0 {
		r.cancelledOn = r.date.AddDate(0, 8, 0) // long after the bill, so the credit is valid
		m.both(m.enter(r), r, "matched")
		return
	}
	m.both(m.enter(r), r, "supplier_gone")
}

// summarise makes the GSTR-3B returns from the books.
func (m *maker) summarise() {
	start := time.Date(m.b.Year, time.April, 1, 0, 0, 0, 0, time.UTC)
	for i := range m.b.returns {
		m.b.returns[i].available = map[string]heads{}
	}
	month := func(t time.Time) int { return (t.Year()-start.Year())*12 + int(t.Month()) - int(start.Month()) }
	for _, p := range m.b.postings {
		at := month(p.booked)
		if at < 0 || at > 11 || p.ineligible {
			continue
		}
		table := "OTH"
		switch {
		case p.kind == "boe":
			table = "IMPG"
		case p.reverse:
			table = "ISRC"
		case p.gstin == m.isd.gstin:
			table = "ISD"
		}
		_, tax := total(p.lines)
		m.b.returns[at].available[table] = m.b.returns[at].available[table].plus(tax)
	}
	for _, s := range m.b.sales {
		at := month(s.declared)
		if at < 0 || at > 11 || s.inGSTR1 == "" {
			continue
		}
		taxable, tax := total(s.lines)
		m.b.returns[at].taxable += taxable
		m.b.returns[at].outward = m.b.returns[at].outward.plus(tax)
	}
}
