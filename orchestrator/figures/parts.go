package figures

import "slices"

// parts is a document that one side has as several: a bill entered in two vouchers, two bills entered as one, or a
// bill entered net of the supplier's credit note.
type parts struct{ books, portal []int }

// mostParts is the number of documents of one supplier up to which all pairs are tried.
const mostParts = 600

// divided finds documents in parts among the unmatched records and the pairs that differ in amount, supplier by
// supplier.
func (m *matcher) divided() []parts {
	type left struct {
		books, portal []int
		differing     []int // of m.pairs
	}
	var order []string
	by := map[string]*left{}
	of := func(party string) *left {
		l := by[party]
		if l == nil {
			l = &left{}
			by[party] = l
			order = append(order, party)
		}
		return l
	}
	for i := range m.books {
		if b := &m.books[i]; !b.taken && b.party != "" && !b.Tax.IsZero() {
			of(b.party).books = append(of(b.party).books, i)
		}
	}
	for i := range m.portal {
		if p := &m.portal[i]; !p.taken && p.party != "" && !p.Tax.IsZero() && p.Status == "" && p.Ineligible == "" {
			of(p.party).portal = append(of(p.party).portal, i)
		}
	}
	for n, pair := range m.pairs {
		if b, p := &m.books[pair[0]], &m.portal[pair[1]]; b.party != "" && p.Status == "" && p.Ineligible == "" &&
			!m.sameSum(b.Tax, p.Tax) {
			of(p.party).differing = append(of(p.party).differing, n)
		}
	}
	var found []parts
	broken := map[int]bool{}
	for _, party := range order {
		l := by[party]
		if len(l.books) > mostParts || len(l.portal) > mostParts {
			continue
		}
		for _, n := range l.differing {
			if p, ok := m.completed(m.pairs[n], l.books, l.portal); ok {
				found, broken[n] = append(found, p), true
			}
		}
		for _, i := range l.portal {
			if two, ok := m.twoOf(l.books, m.books, &m.portal[i]); ok {
				m.portal[i].taken = true
				found = append(found, parts{books: two, portal: []int{i}})
			}
		}
		for _, i := range l.books {
			if m.books[i].taken {
				continue
			}
			if two, ok := m.twoOf(l.portal, m.portal, &m.books[i]); ok {
				m.books[i].taken = true
				found = append(found, parts{books: []int{i}, portal: two})
			} else if all, ok := m.together(l.portal, &m.books[i]); ok {
				m.books[i].taken = true
				found = append(found, parts{books: []int{i}, portal: all})
			}
		}
	}
	if len(broken) > 0 {
		pairs := m.pairs[:0]
		for n, pair := range m.pairs {
			if !broken[n] {
				pairs = append(pairs, pair)
			}
		}
		m.pairs = pairs
	}
	return found
}

// completed finds the second part of a pair whose amounts differ.
func (m *matcher) completed(pair [2]int, books, portal []int) (parts, bool) {
	b, p := &m.books[pair[0]], &m.portal[pair[1]]
	lacking, beyond := p.Tax.Minus(b.Tax), b.Tax.Minus(p.Tax)
	for _, i := range books {
		if x := &m.books[i]; !x.taken && m.same(x.Tax, lacking) && (related(x, p) || apart(x, b) <= 31) {
			x.taken = true
			return parts{books: []int{pair[0], i}, portal: []int{pair[1]}}, true
		}
	}
	for _, i := range portal {
		if q := &m.portal[i]; !q.taken && m.same(q.Tax, beyond) && apart(q, p) <= 120 {
			q.taken = true
			return parts{books: []int{pair[0]}, portal: []int{pair[1], i}}, true
		}
	}
	return parts{}, false
}

// twoOf finds two documents of one side that add up to one of the other and have its number or its day.
func (m *matcher) twoOf(candidates []int, side []side, whole *side) ([]int, bool) {
	for n, i := range candidates {
		x := &side[i]
		if x.taken || !related(x, whole) && apart(x, whole) > 3 {
			continue
		}
		rest := whole.Tax.Minus(x.Tax)
		for _, j := range candidates[n+1:] {
			y := &side[j]
			if y.taken || !m.same(y.Tax, rest) ||
				!related(x, whole) && !related(y, whole) && (apart(x, whole) > 3 || apart(y, whole) > 3) {
				continue
			}
			x.taken, y.taken = true, true
			return []int{i, j}, true
		}
	}
	return nil, false
}

// together reports whether all unmatched documents of a supplier in the month of an entry in the books add up to that
// entry, as when the bills of a month are entered as one voucher.
func (m *matcher) together(candidates []int, b *side) ([]int, bool) {
	var sum Tax
	var all []int
	for _, i := range candidates {
		if p := &m.portal[i]; !p.taken && p.month == b.month {
			sum = sum.Plus(p.Tax)
			all = append(all, i)
		}
	}
	if len(all) < 2 || !m.same(sum, b.Tax) {
		return nil, false
	}
	for _, i := range all {
		m.portal[i].taken = true
	}
	return slices.Clip(all), true
}

// entries returns the entries of a document in parts, pairing its records as far as possible.
func (p parts) entries(m *matcher) []Entry {
	var all []Entry
	for i := range max(len(p.books), len(p.portal)) {
		e := Entry{Class: InParts, Book: -1, Portal: -1}
		if i < len(p.books) {
			e.Book = p.books[i]
		}
		if i < len(p.portal) {
			e.Portal = p.portal[i]
		}
		all = append(all, e)
	}
	return all
}

// related reports whether one number is the beginning of the other, as "12" is of "12-A".
func related(a, b *side) bool {
	if a.bare == "" || b.bare == "" {
		return false
	}
	short, long := a.bare, b.bare
	if len(short) > len(long) {
		short, long = long, short
	}
	return len(long)-len(short) <= 3 && long[:len(short)] == short &&
		(len(long) == len(short) || long[len(short)] == '.' || long[len(short)] >= 'A')
}
