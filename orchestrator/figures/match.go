package figures

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Rules are the settings for matching.
type Rules struct {
	Tolerance int64 // paise by which the tax of a document may differ under each head; default 100
}

// Entry is a document in the books, on the portal, or both, by its index in each; -1 if it is not there.
type Entry struct {
	Class  Class `json:"class"`
	Book   int   `json:"book"`
	Portal int   `json:"portal"`
	Own    bool  `json:"own,omitempty"` // the class was assigned by a person
}

// Matching is the comparison of books and portal. Each record of either belongs to exactly one entry.
type Matching struct {
	// What is the comparison. For outward supplies, Books are the records of the first source and Portal those of the
	// second.
	What    string
	Books   []Record
	Portal  []Record
	Entries []Entry
	Beside  Beside // documents left out
}

// Match compares the books with the portal, document by document. The order of the records does not change which ones
// are matched, except among identical records.
func Match(books, portal []Record, rules Rules) Matching {
	if rules.Tolerance <= 0 {
		rules.Tolerance = 100
	}
	books = bookedTogether(books, portal, rules.Tolerance)
	m := &matcher{rules: rules, books: sides(books), portal: sides(portal)}
	m.identify()
	replaced := m.replaced(portal)
	for i := range replaced {
		m.portal[i].taken = true
	}
	m.count()
	m.pass(byTail, agreeing(m.sameNumber))
	m.pass(byRaw, agreeing(m.sameNumber))
	inParts := m.divided(true)
	m.pass(byDay, m.sameDay)
	m.pass(byAmount(0), m.sameAmount)
	m.pass(byAmount(bucket/2), m.sameAmount)
	for _, of := range []func(*side) (key, bool){byContent, byValue, byNumber} {
		m.pass(of, agreeing(m.otherGSTIN))
	}
	inParts = append(inParts, m.divided(false)...)
	// Amounts may differ only between records that agree with no others.
	m.pass(byTail, m.sameNumber)
	m.pass(byRaw, m.sameNumber)
	for _, of := range []func(*side) (key, bool){byContent, byValue, byNumber} {
		m.pass(of, m.otherGSTIN)
	}
	inParts = append(inParts, m.completed()...)

	again := m.bookedTwice()
	entries := make([]Entry, 0, len(books)+len(portal)/4)
	for _, p := range inParts {
		entries = append(entries, p.entries(m)...)
	}
	for _, p := range m.pairs {
		entries = append(entries, Entry{Class: m.classOf(&m.books[p[0]], &m.portal[p[1]]), Book: p[0], Portal: p[1]})
	}
	for i := range m.books {
		if m.books[i].taken {
			continue
		}
		class := OnlyBooks
		switch {
		case again[i]:
			class = BookedTwice
		case books[i].Ineligible != "":
			class = NotAvailable
		}
		entries = append(entries, Entry{Class: class, Book: i, Portal: -1})
	}
	for i := range m.portal {
		switch {
		case replaced[i]:
			entries = append(entries, Entry{Class: Replaced, Book: -1, Portal: i})
		case !m.portal[i].taken:
			entries = append(entries, Entry{Class: aloneOnPortal(portal[i]), Book: -1, Portal: i})
		}
	}
	result := Matching{What: CreditClaimed, Books: books, Portal: portal, Entries: entries}
	slices.SortFunc(result.Entries, result.order)
	return result
}

func aloneOnPortal(r Record) Class {
	switch {
	case r.Status == NotFiled:
		return SupplierOpen
	case r.Status == Cancelled:
		return SupplierGone
	case r.Ineligible != "":
		return NotAvailable
	}
	return OnlyPortal
}

// Record returns the record that represents an entry: that of the books, else that of the portal.
func (m Matching) Record(e Entry) Record {
	if e.Book >= 0 {
		return m.Books[e.Book]
	}
	return m.Portal[e.Portal]
}

// bookedTogether separates bills in the books that appear several times, one below the other, and were read as one
// document: the portal has the amount of one of them, and not of all together.
func bookedTogether(books, portal []Record, tolerance int64) []Record {
	if !slices.ContainsFunc(books, func(r Record) bool { return r.Alike > 1 }) {
		return books
	}
	type document struct{ gstin, number string }
	taxes := make(map[document][]Tax, len(portal))
	for i := range portal {
		k := document{portal[i].GSTIN, spell(portal[i].Number).whole}
		taxes[k] = append(taxes[k], portal[i].Tax)
	}
	m := matcher{rules: Rules{Tolerance: tolerance}}
	all := make([]Record, 0, len(books))
	for _, r := range books {
		times := 1
		if r.Alike > 1 {
			of := taxes[document{r.GSTIN, spell(r.Number).whole}]
			reported := func(tax Tax) bool {
				return slices.ContainsFunc(of, func(t Tax) bool { return m.same(t, tax) })
			}
			for n := 2; n <= r.Alike && times == 1 && !reported(r.Tax); n++ {
				if r.Alike%n == 0 && reported(r.part(n).Tax) {
					times = n
				}
			}
			if times > 1 {
				r = r.part(times)
			}
		}
		for range times {
			all = append(all, r)
		}
	}
	return all
}

// part returns one of n equal parts of a record.
func (r Record) part(of int) Record {
	for head := range r.Tax {
		r.Tax[head] /= int64(of)
	}
	r.Taxable, r.Alike = r.Taxable/int64(of), 0
	return r
}

// named returns the GSTIN of each supplier that the portal knows by its name, as in the other entries of the books
// and the portal; "" if several suppliers have the name.
func (m *matcher) named(known map[string]bool) map[string]string {
	of := map[string]string{}
	for _, all := range [][]side{m.books, m.portal} {
		for i := range all {
			name, gstin := strings.ToUpper(strings.TrimSpace(all[i].Name)), all[i].GSTIN
			if name == "" || !known[gstin] {
				continue
			}
			if other, ok := of[name]; ok && other != gstin {
				gstin = ""
			}
			of[name] = gstin
		}
	}
	return of
}

// identify finds the portal's supplier for each supplier in the books that the portal does not know. It is the only one
// whose GSTIN differs by a typing mistake or has the same PAN. If the books have no GSTIN, it is the one with the same
// name.
func (m *matcher) identify() {
	known := map[string]bool{}
	for i := range m.portal {
		if len(m.portal[i].GSTIN) == 15 {
			known[m.portal[i].GSTIN] = true
		}
	}
	named := m.named(known)
	all := slices.Sorted(maps.Keys(known))
	meant := map[string]string{}
	for i := range m.books {
		of := m.books[i].GSTIN
		if of == "" {
			m.books[i].party = named[strings.ToUpper(strings.TrimSpace(m.books[i].Name))]
			continue
		}
		if known[of] {
			continue
		}
		found, looked := meant[of]
		if !looked {
			for _, other := range all {
				if !nearGSTIN(of, other) {
					continue
				}
				if found != "" {
					found = "" // ambiguous
					break
				}
				found = other
			}
			meant[of] = found
		}
		m.books[i].party = cmp.Or(found, of)
	}
}

// count counts how often each supplier has each amount, without what was amended.
func (m *matcher) count() {
	m.amounts = make(map[amount]int, len(m.books)+len(m.portal))
	for n, all := range [][]side{m.books, m.portal} {
		for i := range all {
			if all[i].ours = n == 0; !all[i].taken {
				m.amounts[amountOf(&all[i])]++
			}
		}
	}
}

// order compares entries for the tables: by month, supplier and number.
func (m Matching) order(a, b Entry) int {
	x, y := m.shown(a), m.shown(b)
	return cmp.Or(cmp.Compare(x.Period, y.Period), cmp.Compare(x.GSTIN, y.GSTIN), cmp.Compare(x.Number, y.Number),
		cmp.Compare(x.Date, y.Date), cmp.Compare(a.Book, b.Book), cmp.Compare(a.Portal, b.Portal))
}

func (m Matching) shown(e Entry) *Record {
	if e.Book >= 0 {
		return &m.Books[e.Book]
	}
	return &m.Portal[e.Portal]
}

// side is a record with the values by which it is compared.
type side struct {
	*Record
	spelled
	party  string // the supplier: the GSTIN, or the GSTIN that is probably meant
	ours   bool   // from the books
	credit bool   // reduces the tax
	day    int    // days since 1970; 0 if the date is not known
	month  int
	taken  bool
}

func sides(records []Record) []side {
	all := make([]side, len(records))
	for i := range records {
		r := &records[i]
		s := side{Record: r, spelled: spell(r.Number), party: r.GSTIN}
		s.credit = r.Kind == CreditNote || r.Kind == ISDCreditNote || r.Tax.Sum() < 0
		if date, err := time.Parse(time.DateOnly, r.Date); err == nil {
			s.day = int(date.Unix() / 86400)
		}
		if len(r.Period) == 7 {
			s.month = (int(r.Period[2]-'0')*10+int(r.Period[3]-'0'))*12 + int(r.Period[5]-'0')*10 + int(r.Period[6]-'0')
		}
		all[i] = s
	}
	return all
}

type matcher struct {
	rules         Rules
	books, portal []side
	pairs         [][2]int
	amounts       map[amount]int
}

// key is what two records must have in common to be compared.
type key struct {
	gstin, words string
	credit       bool
	sum          int64
}

func byTail(s *side) (key, bool) { return key{s.party, s.tail, s.credit, 0}, s.tail != "" }

func byRaw(s *side) (key, bool) {
	return key{s.party, s.raw, s.credit, 0}, s.party != "" && len(s.raw) > 3
}

// bucket, in paise of tax, is the range of amounts that are looked up together: more than the tolerance of all heads.
const bucket = 100_00

// byAmount looks up amounts in buckets whose limits are shifted by later paise. With two different shifts, all pairs
// of close amounts share a bucket in one of them.
func byAmount(later int64) func(*side) (key, bool) {
	return func(s *side) (key, bool) {
		return key{s.party, "", s.credit, (s.Tax.Sum() + later + 1<<50) / bucket}, s.party != "" && !s.Tax.IsZero()
	}
}

func byNumber(s *side) (key, bool) { return key{"", s.raw, s.credit, 0}, len(s.raw) > 4 }

func byDay(s *side) (key, bool) {
	return key{s.party, s.Date, s.credit, 0}, s.party != "" && s.Date != ""
}

func byContent(s *side) (key, bool) {
	return key{"", s.tail + " " + s.Date, s.credit, 0}, s.tail != "" && s.Date != ""
}

func byValue(s *side) (key, bool) {
	return key{"", s.tail, s.credit, s.Taxable}, s.tail != "" && s.Taxable != 0
}

// far is a weight that no pair reaches, and differing the least of those whose amounts differ.
const (
	far       = 1 << 20
	differing = 1000
)

// agreeing weighs only pairs whose amounts agree.
func agreeing(weigh func(b, p *side) (int, bool)) func(b, p *side) (int, bool) {
	return func(b, p *side) (int, bool) {
		weight, ok := weigh(b, p)
		return weight, ok && weight < differing
	}
}

// sameNumber weighs two records of one supplier whose numbers end alike; the lighter pair is the better match. The
// amounts count most, then the month, then how the number is written, then the day.
func (m *matcher) sameNumber(b, p *side) (weight int, ok bool) {
	days := apart(b, p)
	whole := b.whole == p.whole || b.bare == p.bare || b.raw == p.raw
	similar := whole || strings.HasSuffix(b.bare, p.bare) || strings.HasSuffix(p.bare, b.bare)
	switch {
	case m.same(b.Tax, p.Tax):
	case m.sameSum(b.Tax, p.Tax):
		weight = 40
	case whole && (days <= 92 || len(b.tail) > 2 && abs(b.month-p.month) <= 3), similar && days == 0:
		weight = differing
	default:
		return far, false
	}
	if booked := abs(b.month-p.month) <= 3; weight < differing && !whole && days > 62 && !booked || days > 400 && !booked {
		return far, false
	}
	if !whole {
		weight += 20
	}
	return weight + 30*min(10, abs(b.month-p.month)) + min(19, days/3), true
}

// sameDay weighs two records with the same supplier and day but different numbers.
func (m *matcher) sameDay(b, p *side) (weight int, ok bool) {
	if !m.same(b.Tax, p.Tax) || !m.sameValue(b.Taxable, p.Taxable) || b.Tax.IsZero() {
		return far, false
	}
	return 30 * min(10, abs(b.month-p.month)), true
}

// sameAmount weighs two records with the same supplier and amounts but different numbers: one was mistyped, or the
// books use a number of their own, as for returned goods. Monthly bills of a fixed fee with consecutive numbers must
// not be confused, so unless the supplier has the amount only once, the days must be close.
func (m *matcher) sameAmount(b, p *side) (weight int, ok bool) {
	days := apart(b, p)
	if !m.sameSum(b.Tax, p.Tax) || !m.sameValue(b.Taxable, p.Taxable) || days > 100 {
		return far, false
	}
	once := m.once(b) && m.once(p)
	switch {
	case (once || days <= 5) && (slipped(b.raw, p.raw) || slipped(b.bare, p.bare)):
	case m.same(b.Tax, p.Tax) && (once && (days <= 7 || b.credit && days <= 92) || b.credit && days <= 10):
		weight = 60
	default:
		return far, false
	}
	if !m.same(b.Tax, p.Tax) {
		weight += 40
	}
	return weight + 30*min(10, abs(b.month-p.month)) + min(19, days/3), true
}

// once reports whether a record's amount is unique among those of its supplier on its side.
func (m *matcher) once(s *side) bool { return m.amounts[amountOf(s)] == 1 }

// amount is the key for counting amounts, separately for the two sides.
type amount struct {
	gstin  string
	rupees int64
	books  bool
}

func amountOf(s *side) amount {
	return amount{s.party, (s.Tax.Sum() + 1<<50 + 50) / 100, s.ours}
}

// otherGSTIN weighs two records with the same day or value that agree in all but the supplier, whose GSTIN is
// mistyped, missing or of another State. If the number is the same, tax under another head or another tax on the same
// value does not prevent a match.
func (m *matcher) otherGSTIN(b, p *side) (weight int, ok bool) {
	if b.Tax.IsZero() || !nearGSTIN(b.GSTIN, p.GSTIN) {
		return far, false
	}
	alike := b.whole == p.whole || b.bare == p.bare || b.raw == p.raw
	telling := alike && len(b.tail) >= 3
	switch {
	case m.same(b.Tax, p.Tax) && (alike || len(b.tail) >= 3 || abs(b.Taxable-p.Taxable) <= m.rules.Tolerance) &&
		apart(b, p) <= 62:
	case telling && m.sameSum(b.Tax, p.Tax):
		weight = 40
	case telling && b.Taxable != 0 && abs(b.Taxable-p.Taxable) <= m.rules.Tolerance:
		weight = differing
	default:
		return far, false
	}
	return weight + 30*min(10, abs(b.month-p.month)), true
}

// nearGSTIN reports whether two GSTINs may be meant to be the same: one is missing, the PAN is the same, two
// characters differ, or one character was left out or typed twice.
func nearGSTIN(a, b string) bool {
	switch {
	case a == "" || b == "":
		return true
	case len(a) != len(b):
		return slipped(a, b)
	case len(a) == 15 && a[2:12] == b[2:12]:
		return true
	}
	differ := 0
	for i := range len(a) {
		if a[i] != b[i] {
			differ++
		}
	}
	return differ <= 2
}

func apart(b, p *side) int {
	if b.day == 0 || p.day == 0 {
		return 0
	}
	return abs(b.day - p.day)
}

func abs[T int | int64](n T) T {
	if n < 0 {
		return -n
	}
	return n
}

func (m *matcher) same(a, b Tax) bool {
	for head := range a {
		if abs(a[head]-b[head]) > m.rules.Tolerance {
			return false
		}
	}
	return true
}

func (m *matcher) sameSum(a, b Tax) bool {
	return abs(a.Sum()-b.Sum()) <= 2*m.rules.Tolerance && !a.IsZero()
}

func (m *matcher) sameValue(a, b int64) bool { return abs(a-b) <= 2*m.rules.Tolerance }

// group is the records of both sides with the same key.
type group struct{ books, portal []int }

// many is how many pairs of one group are weighed. If more records share a supplier and a number, the file is not a
// real register, and they are paired in the order in which they are listed.
const many = 250_000

// pass pairs the unmatched records of both sides, the lightest pairs of each group first.
func (m *matcher) pass(of func(*side) (key, bool), weigh func(b, p *side) (int, bool)) {
	index := make(map[key]int, len(m.portal))
	var groups []group
	for i := range m.portal {
		if m.portal[i].taken {
			continue
		}
		k, ok := of(&m.portal[i])
		if !ok {
			continue
		}
		g, known := index[k]
		if !known {
			g = len(groups)
			index[k] = g
			groups = append(groups, group{})
		}
		groups[g].portal = append(groups[g].portal, i)
	}
	for i := range m.books {
		if m.books[i].taken {
			continue
		}
		if k, ok := of(&m.books[i]); ok {
			if g, known := index[k]; known {
				groups[g].books = append(groups[g].books, i)
			}
		}
	}
	for _, g := range groups {
		m.pairGroup(g, weigh)
	}
}

func (m *matcher) pairGroup(g group, weigh func(b, p *side) (int, bool)) {
	type pair struct{ weight, book, portal int }
	var pairs []pair
	if len(g.books)*len(g.portal) > many {
		for i := range min(len(g.books), len(g.portal)) {
			if weight, ok := weigh(&m.books[g.books[i]], &m.portal[g.portal[i]]); ok {
				pairs = append(pairs, pair{weight, g.books[i], g.portal[i]})
			}
		}
	} else {
		for _, b := range g.books {
			for _, p := range g.portal {
				if weight, ok := weigh(&m.books[b], &m.portal[p]); ok {
					pairs = append(pairs, pair{weight, b, p})
				}
			}
		}
	}
	slices.SortFunc(pairs, func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.weight, y.weight), cmp.Compare(m.books[x.book].Period, m.books[y.book].Period),
			cmp.Compare(x.book, y.book), cmp.Compare(x.portal, y.portal))
	})
	for _, p := range pairs {
		if b, q := &m.books[p.book], &m.portal[p.portal]; !b.taken && !q.taken {
			b.taken, q.taken = true, true
			m.pairs = append(m.pairs, [2]int{p.book, p.portal})
		}
	}
}

// classOf returns the class of a matched pair. What the portal says about the supplier or the credit takes
// precedence.
func (m *matcher) classOf(b, p *side) Class {
	switch {
	case p.Status == NotFiled:
		return SupplierOpen
	case p.Status == Cancelled:
		return SupplierGone
	case p.Ineligible != "" || b.Ineligible != "":
		return NotAvailable
	case m.same(b.Tax, p.Tax):
		switch {
		case b.Period == p.Period:
			return Matched
		case YearOf(b.Period) == YearOf(p.Period):
			return OtherMonth
		}
		return AcrossYear
	case m.sameSum(b.Tax, p.Tax):
		return WrongHead
	}
	return AmountDiffers
}

// bookedTwice returns the unmatched records of the books that repeat a matched document of the same supplier or a
// mistyped one: of about the same month, or with the same number and an amount that is unique for the supplier. Which
// of the two is the repetition cannot always be known.
func (m *matcher) bookedTwice() map[int]bool {
	index := make(map[key][]int, 3*len(m.pairs))
	keys := [...]func(*side) (key, bool){byTail, byContent, byValue}
	for _, p := range m.pairs {
		for _, of := range keys {
			if k, ok := of(&m.books[p[0]]); ok {
				index[k] = append(index[k], p[0])
			}
		}
	}
	again := map[int]bool{}
	for i := range m.books {
		b := &m.books[i]
		if b.taken || b.Tax.IsZero() {
			continue
		}
		for _, of := range keys {
			k, _ := of(b)
			again[i] = again[i] || slices.ContainsFunc(index[k], func(j int) bool {
				other := &m.books[j]
				return m.same(b.Tax, other.Tax) && nearGSTIN(b.GSTIN, other.GSTIN) &&
					(apart(b, other) <= 35 || b.party == other.party && b.bare == other.bare && m.amounts[amountOf(b)] == 2)
			})
		}
	}
	return again
}

// replaced returns the records that another one on the same side amends.
func (m *matcher) replaced(records []Record) map[int]bool {
	replaced := map[int]bool{}
	for _, original := range m.amended(records) {
		replaced[original] = true
	}
	return replaced
}

// amended returns, for each record that amends another of the records, the index of that other: its latest earlier
// version.
func (m *matcher) amended(records []Record) map[int]int {
	type original struct{ gstin, number string }
	of, taken := map[int]int{}, map[int]bool{}
	if !slices.ContainsFunc(records, func(r Record) bool { return r.Amends != "" }) {
		return of
	}
	index := map[original][]int{}
	for i := range m.portal {
		k := original{records[i].GSTIN, m.portal[i].whole}
		index[k] = append(index[k], i)
	}
	for i, r := range records {
		if r.Amends == "" {
			continue
		}
		best := -1
		for _, j := range index[original{r.GSTIN, spell(r.Amends).whole}] {
			o := &records[j]
			if j == i || taken[j] || o.Period > r.Period || o.Period == r.Period && o.Amends != "" ||
				r.AmendsDate != "" && o.Date != "" && o.Date != r.AmendsDate {
				continue
			}
			if best < 0 || o.Period > records[best].Period {
				best = j
			}
		}
		if best >= 0 {
			of[i], taken[best] = best, true
		}
	}
	return of
}
