package read

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/figures"
)

// role is what a column contains.
type role string

const (
	none          role = ""
	roleGSTIN     role = "gstin"
	roleName      role = "name"
	roleNumber    role = "number"
	roleVoucher   role = "voucher"
	roleDate      role = "date"
	roleBooked    role = "booked" // the day of the entry in the books
	rolePeriod    role = "period"
	roleType      role = "type"
	roleTaxable   role = "taxable"
	roleTotal     role = "total"
	roleIGST      role = "igst"
	roleCGST      role = "cgst"
	roleSGST      role = "sgst"
	roleCess      role = "cess"
	roleReverse   role = "reverse"
	roleAvailable role = "available"
	roleReason    role = "reason"
	roleFiledDay  role = "filed"
	roleFiling    role = "filing"    // whether the supplier has filed
	roleCancelled role = "cancelled" // the day on which a registration was cancelled
	roleAction    role = "action"    // what was decided in the Invoice Management System
	roleState     role = "state"     // of an e-way bill or e-invoice: whether it was cancelled
	roleSupply    role = "supply"    // of an e-way bill: outward or inward, supply or another movement
	roleAmends    role = "amends"
	roleAmendsDay role = "amends_date"
	// Roles in ledgers:
	roleDescription role = "description"
	roleReference   role = "reference"
	roleDebitCredit role = "debit_credit"
	roleBalance     role = "balance" // a balance with its head: "balance igst"
)

// oneWay replaces the various spellings of words in headings and short cells by one. The longer Hindi words come
// first.
var oneWay = strings.NewReplacer("integrated tax", "igst", "central tax", "cgst", "state/ut tax", "sgst", "state/ut",
	"sgst", "state tax", "sgst", " ut tax", " sgst", "utgst", "sgst", "i.g.s.t", "igst", "c.g.s.t", "cgst", "s.g.s.t",
	"sgst", "no.", " number ", "/", " ", "_", " ", "#", " number ", "जीएसटीआईएन", " gstin ", "जीएसटीएन", " gstin ",
	"आईजीएसटी", " igst ", "सीजीएसटी", " cgst ", "एसजीएसटी", " sgst ", "यूटीजीएसटी", " sgst ", "जीएसटी", " gst ",
	"एकीकृत कर", " igst ", "केंद्रीय कर", " cgst ", "केन्द्रीय कर", " cgst ", "राज्य कर", " sgst ", "उपकर", " cess ",
	"सेस", " cess ", "कर योग्य", " taxable ", "करयोग्य", " taxable ", "रिवर्स चार्ज", " reverse charge ",
	"विपरीत प्रभार", " reverse charge ", "क्रेडिट नोट", " credit note ", "डेबिट नोट", " debit note ", "आपूर्तिकर्ता",
	" supplier ", "विक्रेता", " supplier ", "सप्लायर", " supplier ", "पार्टी", " party ", "प्राप्तकर्ता", " recipient ",
	"खरीदार", " customer ", "क्रेता", " customer ", "ग्राहक", " customer ", "प्रविष्टि", " entry in books ", "वाउचर",
	" voucher ", "बीजक", " invoice ", "इनवॉइस", " invoice ", "बिल", " bill ", "दिनांक", " date ", "तारीख", " date ",
	"तिथि", " date ", "क्रमांक", " number ", "संख्या", " number ", "नंबर", " number ", "नं.", " number ", "क्र.",
	" sl ", "नाम", " name ", "प्रकार", " type ", "मूल्य", " value ", "राशि", " amount ", "रकम", " amount ", "कुल",
	" total ", "योग", " total ", "महीना", " month ", "माह", " month ", "बिक्री", " sales ", "विक्रय", " sales ", "क्रय",
	" purchase ", "खरीद", " purchase ", "वापसी", " return ", "आयात", " import ", "हाँ", " yes ", "हां", " yes ", "नहीं",
	" no ", "पात्र", " eligible ", "अपात्र", " ineligible ")

// heading returns a heading in a normal form: lower case, single spaces, no punctuation but %.
func heading(s string) string {
	s = oneWay.Replace(strings.ToLower(s))
	var b strings.Builder
	space := false
	for _, r := range s {
		if r == '%' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r >= 0x900 && r < 0x980 {
			if space && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = false
			b.WriteRune(r)
			continue
		}
		space = true
	}
	return b.String()
}

// has reports whether a heading has one of these words.
func has(h string, words ...string) bool {
	padded := " " + h + " "
	for _, w := range words {
		if strings.Contains(padded, " "+w+" ") {
			return true
		}
	}
	return false
}

// roleOf returns from its heading what a column contains, and how certain that is. Of two columns with one role the
// more certain one is used, and of columns with amounts of tax all that are equally certain, since registers have a
// column for each rate.
func roleOf(h string) (role, int) {
	if h == "" || has(h, "irn", "hsn", "due", "order", "po", "e way", "eway", "ewb", "ack", "phone", "mobile", "email",
		"pin", "pan", "bank") {
		if has(h, "e way", "eway", "ewb") && has(h, "date") {
			return roleBooked, 1
		}
		return none, 0
	}
	of := func(r role, sure int) (role, int) { return r, sure }
	number, date := has(h, "number", "no", "num", "invoice id", "num of"), has(h, "date", "dt", "dated")
	document := has(h, "invoice", "bill", "note", "document", "doc", "inv", "boe", "entry", "ref", "reference")
	supplier := has(h, "supplier", "vendor", "party", "seller")
	switch {
	case has(h, "sl", "s", "sr", "serial") && (number || h == "sl" || h == "sr"):
		return none, 0
	case has(h, "original") && date:
		return of(roleAmendsDay, 3)
	case has(h, "original") && number:
		return of(roleAmends, 3)
	case has(h, "supply") && has(h, "type") && !has(h, "reverse"):
		return of(roleSupply, 2)
	case has(h, "action") && !has(h, "allowed", "remarks"):
		return of(roleAction, 2)
	case h == "status" || has(h, "status") && has(h, "invoice", "irn"):
		return of(roleState, 2)
	case has(h, "gstin", "gstin uin", "gst identification") || has(h, "gst") && number && !has(h, "invoice", "bill"):
		switch {
		case has(h, "from gstin"):
			return none, 0
		case has(h, "to gstin"):
			return of(roleGSTIN, 1)
		case has(h, "our", "my", "company", "own", "branch", "location") ||
			has(h, "ecommerce", "e commerce") && !has(h, "operator"):
			return none, 0
		case supplier || has(h, "recipient", "customer", "buyer", "deductor", "collector", "operator", "other party"):
			return of(roleGSTIN, 3)
		}
		return of(roleGSTIN, 2)
	case has(h, "balance") && has(h, "igst", "cgst", "sgst", "cess"):
		return of(roleBalance, 2)
	case has(h, "reverse", "rcm"):
		return of(roleReverse, 2)
	case has(h, "cancellation", "cancelled") && (date || has(h, "effective")):
		return of(roleCancelled, 2)
	case has(h, "filing") && has(h, "status") || has(h, "filed") && !date:
		if has(h, "3b") {
			return none, 0
		}
		return of(roleFiling, 2)
	case has(h, "filing") && date:
		return of(roleFiledDay, 2)
	case has(h, "availability", "available", "eligibility", "eligible") && has(h, "itc", "credit", "input"):
		if has(h, "igst", "cgst", "sgst", "cess") {
			return none, 0
		}
		return of(roleAvailable, 2)
	case h == "reason" || has(h, "reason"):
		return of(roleReason, 1)
	case has(h, "rate", "applicable", "percentage") || strings.Trim(h, "% ") == "":
		return none, 0
	case has(h, "igst"):
		return of(roleIGST, 2)
	case has(h, "cgst"):
		return of(roleCGST, 2)
	case has(h, "sgst"):
		return of(roleSGST, 2)
	case has(h, "cess"):
		return of(roleCess, 2)
	case has(h, "period", "month") && !has(h, "gstr", "iff", "1"):
		return of(rolePeriod, 2)
	case has(h, "period"):
		return none, 0 // the date of the supplier's return
	case has(h, "type") && has(h, "debit", "credit") || has(h, "transaction") && has(h, "type"):
		return of(roleDebitCredit, 2)
	case has(h, "type", "nature") && (document || has(h, "voucher", "vch")) || h == "type":
		return of(roleType, 2)
	case has(h, "type", "status", "treatment", "source", "place", "pos", "port", "state"):
		return none, 0
	case date:
		switch {
		case has(h, "books"):
			return of(roleBooked, 3)
		case supplier && document,
			has(h, "invoice", "inv", "bill", "note", "boe", "document", "doc") && !has(h, "received", "receipt"):
			return of(roleDate, 3)
		case has(h, "reference", "received", "icegate", "payment", "created", "modified"):
			return none, 0
		}
		return of(roleBooked, 2)
	case has(h, "taxable", "assessable", "subtotal", "sub total"):
		return of(roleTaxable, 3)
	case has(h, "item", "line") && has(h, "total"):
		return of(roleTaxable, 4)
	case has(h, "description", "narration", "remark", "remarks"):
		return of(roleDescription, 1)
	case has(h, "reference") && number:
		return of(roleReference, 2)
	case has(h, "vch", "voucher") && (number || document):
		if document {
			return of(roleNumber, 1) // Busy's "Vch/Bill No"
		}
		return of(roleVoucher, 2)
	case has(h, "bill id", "voucher id", "transaction id", "entry id"):
		return of(roleVoucher, 2)
	case document && number || h == "invoice" || h == "number" || h == "bill":
		if supplier || has(h, "invoice", "bill", "inv", "note", "boe") {
			return of(roleNumber, 3)
		}
		return of(roleNumber, 2)
	case has(h, "value", "amount", "amt", "total", "gross"):
		if has(h, "gross", "invoice", "bill", "total", "note", "net", "document") {
			return of(roleTotal, 2)
		}
		return of(roleTaxable, 1)
	case has(h, "particulars", "party", "supplier", "vendor", "name", "customer", "buyer", "account"):
		return of(roleName, 1)
	}
	return none, 0
}

// Choices are the columns that a person assigned, by the shape of a table and by content: the index of a column, from
// 0, or -1 if no column has it.
type Choices map[string]map[string]int

// Choosable returns the contents to which a person may assign a column of a register, in the order in which they are
// shown.
func Choosable() []string {
	all := make([]string, len(choosable))
	for i, r := range choosable {
		all[i] = string(r)
	}
	return all
}

var choosable = []role{roleGSTIN, roleName, roleNumber, roleVoucher, roleDate, roleBooked, rolePeriod, roleType,
	roleTaxable, roleIGST, roleCGST, roleSGST, roleCess, roleReverse}

// shapeOf returns a hash that identifies the headings of a table.
func shapeOf(headings []string) string {
	h := sha256.New()
	for _, text := range headings {
		fmt.Fprintf(h, "%s\n", heading(text))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// choose applies the columns that a person assigned.
func (l *layout) choose(chosen map[string]int, sample [][]string) {
	for _, r := range choosable {
		i, ok := chosen[string(r)]
		if !ok || i >= len(l.headings) {
			continue
		}
		switch r {
		case roleIGST, roleCGST, roleSGST, roleCess:
			if delete(l.all, r); i >= 0 {
				l.all[r] = []int{i}
			}
		default:
			if delete(l.one, r); i >= 0 {
				l.one[r] = i
			}
		}
	}
	l.readDays(sample)
	l.readSides(sample)
}

// readDays finds out whether the dates of a table have the month first, or were read as if they
// had.
func (l *layout) readDays(sample [][]string) {
	l.us, l.turned = false, false
	for _, r := range []role{roleDate, roleBooked} {
		if i, ok := l.one[r]; ok {
			l.us, l.turned = monthFirst(i, sample), turned(i, sample)
			return
		}
	}
}

// table describes the columns of a register.
func (l *layout) table(sample [][]string) *figures.RegisterColumns {
	t := &figures.RegisterColumns{Shape: shapeOf(l.headings), Taken: map[string][]int{}}
	for i, name := range l.headings {
		h := figures.Heading{Name: name}
		if cells := column(i, sample); len(cells) > 0 {
			h.Sample = cut(cells[0])
		}
		t.Headings = append(t.Headings, h)
	}
	for _, r := range choosable {
		if i, ok := l.one[r]; ok {
			t.Taken[string(r)] = []int{i}
		} else if len(l.all[r]) > 0 {
			t.Taken[string(r)] = l.all[r]
		}
	}
	return t
}

// cut shortens a value for display in a list.
func cut(s string) string {
	const most = 40
	if letters := []rune(s); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return s
}

// layout says which column of a table contains what.
type layout struct {
	one      map[role]int   // the column of a role
	all      map[role][]int // the columns of an amount of tax
	headings []string
	us       bool // dates have the month first
	from1904 bool // serial numbers of days count from 1904 and not 1900
	turned   bool // day and month are exchanged in serial numbers
	// some amounts end in "Dr" and others in "Cr"
	bothSides bool
	taxAlone  bool // of a ledger: the amounts are of tax, without interest, penalty and fee
}

// sideOf returns "Dr" or "Cr" if an amount ends in it, else "".
func sideOf(cell string) string {
	cell = strings.TrimSuffix(strings.TrimSpace(cell), ".")
	for _, side := range []string{"Dr", "Cr"} {
		if n := len(cell) - len(side); n > 0 && strings.EqualFold(cell[n:], side) {
			return side
		}
	}
	return ""
}

// readSides finds out whether the amounts of a table are debits and credits.
func (l *layout) readSides(sample [][]string) {
	seen := map[string]bool{}
	columns := slices.Concat(l.all[roleIGST], l.all[roleCGST], l.all[roleSGST], l.all[roleCess])
	if i, ok := l.one[roleTaxable]; ok {
		columns = append(columns, i)
	}
	for _, i := range columns {
		for _, cell := range column(i, sample) {
			seen[sideOf(cell)] = true
		}
	}
	l.bothSides = seen["Dr"] && seen["Cr"]
}

// day returns the day in a cell as ISO 8601, "" if there is none.
func (l *layout) day(row []string, r role) string {
	cell := l.cell(row, r)
	if l.from1904 && cell != "" {
		if serial, err := serialOf(cell); err == nil {
			cell = strconv.FormatFloat(serial+1462, 'f', -1, 64)
		}
	}
	iso := dayIn(cell, l.us)
	if l.turned && iso != "" {
		if _, err := serialOf(cell); err == nil {
			return iso[:5] + iso[8:] + "-" + iso[5:7]
		}
	}
	return iso
}

// cell returns a cell by its role, "" if there is none.
func (l *layout) cell(row []string, r role) string {
	if i, ok := l.one[r]; ok && i < len(row) {
		return strings.TrimSpace(row[i])
	}
	return ""
}

// arrange derives a layout from the headings and a sample of the rows below, and returns it with a score of how much
// it recognised.
func arrange(headings []string, sample [][]string) (*layout, int) {
	l := &layout{one: map[role]int{}, all: map[role][]int{}, headings: headings}
	sure := map[role]int{}
	for i, text := range headings {
		r, s := roleOf(heading(text))
		if r == none || !fits(r, i, sample) {
			continue
		}
		switch r {
		case roleIGST, roleCGST, roleSGST, roleCess, roleBalance:
			l.all[r] = append(l.all[r], i)
			continue
		}
		if s > sure[r] {
			l.one[r], sure[r] = i, s
		}
	}
	l.minorHeads()
	l.byContent(headings, sample)
	score := 0
	for _, r := range []role{roleGSTIN, roleNumber, roleVoucher, roleDate, roleBooked, roleTaxable, roleTotal,
		roleDescription} {
		if _, ok := l.one[r]; ok {
			score++
		}
	}
	for _, r := range []role{roleIGST, roleCGST, roleSGST} {
		if len(l.all[r]) > 0 {
			score++
		}
	}
	if l.taxAlone {
		score++ // the lowest row of headings is one of them
	}
	l.readDays(sample)
	l.readSides(sample)
	return l, score
}

// minorHeads keeps only the column of tax if a ledger has columns for the tax, interest, penalty and so on of a head,
// as the cash ledger does, since each of these is paid from its own balance; if there is no such column, it keeps
// that of the total.
func (l *layout) minorHeads() {
	if len(l.all[roleBalance]) == 0 {
		return
	}
	for r, columns := range l.all {
		of := map[string][]int{}
		for _, i := range columns {
			head := majorHead(heading(l.headings[i]))
			of[head] = append(of[head], i)
		}
		var kept []int
		for _, columns := range of {
			var taxes, sums, others []int
			for _, i := range columns {
				switch h := heading(l.headings[i]); {
				case has(h, "total"):
					sums = append(sums, i)
				case has(h, "interest", "penalty", "fee", "other", "others"):
					others = append(others, i)
				default:
					taxes = append(taxes, i)
				}
			}
			switch {
			case len(others) > 0 && len(taxes) > 0:
				l.taxAlone, columns = true, taxes
			case len(others) > 0 && len(sums) > 0:
				columns = sums
			}
			kept = append(kept, columns...)
		}
		slices.Sort(kept)
		l.all[r] = kept
	}
}

// majorHead returns the head of tax that a heading names, "" if none.
func majorHead(h string) string {
	for _, name := range [...]string{"igst", "cgst", "sgst", "cess"} {
		if has(h, name) {
			return name
		}
	}
	return ""
}

// columns returns the headings of the columns by what they contain.
func (l *layout) columns() map[string]string {
	all := map[string]string{}
	for r, i := range l.one {
		all[string(r)] = l.headings[i]
	}
	for r, columns := range l.all {
		names := make([]string, len(columns))
		for n, i := range columns {
			names[n] = l.headings[i]
		}
		all[string(r)] = strings.Join(names, " + ")
	}
	return all
}

// column returns the filled cells of a column in the sample.
func column(i int, sample [][]string) (filled []string) {
	for _, row := range sample {
		if i < len(row) {
			if s := strings.TrimSpace(row[i]); s != "" && s != "-" {
				filled = append(filled, s)
			}
		}
	}
	return filled
}

// share returns the percentage of cells that satisfy is.
func share(cells []string, is func(string) bool) int {
	if len(cells) == 0 {
		return 0
	}
	n := 0
	for _, c := range cells {
		if is(c) {
			n++
		}
	}
	return n * 100 / len(cells)
}

func isAmount(s string) bool { _, ok := paiseOf(s); return ok }

func isDay(s string) bool { return day(s) != "" || dayIn(s, true) != "" }

// fits reports whether the content of a column agrees with its heading. An empty column always fits.
func fits(r role, i int, sample [][]string) bool {
	cells := column(i, sample)
	if len(cells) == 0 {
		return true
	}
	switch r {
	case roleGSTIN:
		return share(cells, func(s string) bool { return isGSTIN(s) || spoiled(s) || isGSTIN(firstWord(s)) }) >= 30
	case roleDate, roleBooked, roleAmendsDay:
		return share(cells, isDay) >= 50
	case roleIGST, roleCGST, roleSGST, roleCess, roleTaxable, roleTotal, roleBalance:
		return share(cells, isAmount) >= 50
	case roleAction:
		return share(cells, func(s string) bool {
			s = strings.ToLower(s)
			return strings.HasPrefix(s, "accept") || strings.HasPrefix(s, "reject") || strings.Contains(s, "pending") ||
				strings.HasPrefix(s, "no action")
		}) >= 80
	case roleNumber:
		return share(cells, func(s string) bool { return strings.ContainsAny(s, "0123456789") }) >= 50
	}
	return true
}

// byContent finds the columns of GSTINs and dates that no heading names.
func (l *layout) byContent(headings []string, sample [][]string) {
	taken := map[int]bool{}
	for _, i := range l.one {
		taken[i] = true
	}
	find := func(r role, is func(string) bool) {
		if _, ok := l.one[r]; ok {
			return
		}
		for i := range headings {
			if cells := column(i, sample); !taken[i] && len(cells) > 0 && share(cells, is) >= 80 {
				l.one[r], taken[i] = i, true
				return
			}
		}
	}
	find(roleGSTIN, isGSTIN)
	if _, ok := l.one[roleBooked]; !ok {
		find(roleDate, func(s string) bool { return isDay(s) && strings.ContainsAny(s, "-/.") })
	}
}

// monthFirst reports whether a column of dates can only be read with the month first.
func monthFirst(i int, sample [][]string) bool {
	later, earlier := false, false
	for _, s := range column(i, sample) {
		a, rest, ok := strings.Cut(strings.NewReplacer("-", "/", ".", "/").Replace(s), "/")
		b, _, more := strings.Cut(rest, "/")
		if !ok || !more || len(a) > 2 || len(b) > 2 {
			continue
		}
		later = later || len(b) == 2 && b > "12"
		earlier = earlier || len(a) == 2 && a > "12"
	}
	return later && !earlier
}

// turned reports whether a spreadsheet program that has the month first opened a table that has the day first: it took
// each day up to the 12th for a month, and left the others as texts.
func turned(i int, sample [][]string) bool {
	taken, left := 0, 0
	for _, s := range column(i, sample) {
		iso := dayIn(s, false)
		if iso == "" {
			continue
		}
		_, err := serialOf(s)
		switch early := iso[8:] <= "12"; {
		case err == nil && early:
			taken++
		case err != nil && !early:
			left++
		default:
			return false
		}
	}
	return taken >= 3 && left >= 2
}

// isGSTIN reports whether a string has the format of a GSTIN.
func isGSTIN(s string) bool {
	s = strings.ToUpper(strings.TrimSpace(s))
	if len(s) != 15 {
		return false
	}
	for i := range len(s) {
		digit, letter := s[i] >= '0' && s[i] <= '9', s[i] >= 'A' && s[i] <= 'Z'
		switch {
		case i < 2 || i >= 7 && i < 11:
			if !digit {
				return false
			}
		case i < 7 || i == 11:
			if !letter {
				return false
			}
		default:
			if !digit && !letter {
				return false
			}
		}
	}
	return true
}

// firstWord returns the part before the first space, as in "27AAAAA0000A1Z5 / Fictional Traders".
func firstWord(s string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return first
}

// spoiled reports whether a value is a number into which a spreadsheet program converted something else, "2.7E+14".
func spoiled(s string) bool {
	mantissa, exponent, ok := strings.Cut(strings.ToUpper(s), "E+")
	return ok && exponent != "" && strings.Trim(exponent, "0123456789") == "" &&
		strings.Trim(mantissa, "0123456789.") == "" &&
		mantissa != ""
}
