package figures

import "slices"

// parts is a document that one side has in several parts: a bill entered in two vouchers, two bills entered as
// one, or a bill entered net of the supplier's credit note.
type parts struct{ books, portal []int }

// mostParts is the number of documents of one supplier up to which all pairs are tried.
const mostParts = 600

// leftovers are the unmatched records of a supplier that may be parts.
type leftovers struct{ books, portal []int }

// leftovers returns the suppliers with unmatched records, in the order of the files, and these records.
func (m *matcher) leftovers() (order []string, by map[string]*leftovers) {
	by = map[string]*leftovers{}
	of := func(party string) *leftovers {
		l := by[party]
		if l == nil {
			l = &leftovers{}
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
	return order, by
}

// divided finds documents in parts among the unmatched records, supplier by supplier. If named, the parts have the
// number of the whole.
func (m *matcher) divided(named bool) []parts {
	var found []parts
	order, by := m.leftovers()
	for _, party := range order {
		l := by[party]
		if len(l.books) > mostParts || len(l.portal) > mostParts {
			continue
		}
		for _, i := range l.portal {
			if two, ok := m.twoOf(l.books, m.books, &m.portal[i], named); ok {
				m.portal[i].taken = true
				found = append(found, parts{books: two, portal: []int{i}})
			}
		}
		for _, i := range l.books {
			if m.books[i].taken {
				continue
			}
			of, ok := m.twoOf(l.portal, m.portal, &m.books[i], named)
			if !ok && !named {
				of, ok = m.together(l.portal, &m.books[i])
			}
			if ok {
				m.books[i].taken = true
				found = append(found, parts{books: []int{i}, portal: of})
			}
		}
	}
	return found
}

// completed finds, for pairs whose amounts differ, the document that makes up the difference.
func (m *matcher) completed() []parts {
	var found []parts
	_, by := m.leftovers()
	pairs := m.pairs[:0]
	for _, pair := range m.pairs {
		l, p := by[m.portal[pair[1]].party], &m.portal[pair[1]]
		if l != nil && len(l.books) <= mostParts && len(l.portal) <= mostParts && p.Status == "" && p.Ineligible == "" {
			if whole, ok := m.complete(pair, l); ok {
				found = append(found, whole)
				continue
			}
		}
		pairs = append(pairs, pair)
	}
	m.pairs = pairs
	return found
}

// complete finds the second part of a pair whose amounts differ. If they differ by no more than the tolerance, it has
// to make up for the value of the supply to the paisa.
func (m *matcher) complete(pair [2]int, l *leftovers) (parts, bool) {
	b, p := &m.books[pair[0]], &m.portal[pair[1]]
	if b.Tax == p.Tax {
		return parts{}, false
	}
	tax, value, exact := p.Tax.Minus(b.Tax), p.Taxable-b.Taxable, m.sameSum(b.Tax, p.Tax)
	makesUp := func(x *side, tax Tax, value int64) bool {
		if x.taken || !m.same(x.Tax, tax) {
			return false
		}
		return exact && value != 0 && abs(x.Taxable-value) <= 2 || !exact && m.sameValue(x.Taxable, value)
	}
	for _, i := range l.books {
		if x := &m.books[i]; makesUp(x, tax, value) && belongs(x, p) {
			x.taken = true
			return parts{books: []int{pair[0], i}, portal: []int{pair[1]}}, true
		}
	}
	for _, i := range l.portal {
		if q := &m.portal[i]; makesUp(q, Tax{}.Minus(tax), -value) && belongs(q, p) {
			q.taken = true
			return parts{books: []int{pair[0]}, portal: []int{pair[1], i}}, true
		}
	}
	return parts{}, false
}

// belongs reports whether a document may be a part of another: it has its number or its day, or is a note on it.
func belongs(x, whole *side) bool {
	days := apart(x, whole)
	return related(x, whole) || days <= 3 || x.credit != whole.credit && days <= 120
}

// twoOf finds two documents of one side that add up to one of the other, and of which one has its number or its day.
// If named, both have its number or are a note on it.
func (m *matcher) twoOf(candidates []int, all []side, whole *side, named bool) ([]int, bool) {
	for n, i := range candidates {
		x := &all[i]
		if x.taken || !belongs(x, whole) {
			continue
		}
		rest, value := whole.Tax.Minus(x.Tax), whole.Taxable-x.Taxable
		for _, j := range candidates[n+1:] {
			y := &all[j]
			if y.taken || !m.same(y.Tax, rest) || !m.sameValue(y.Taxable, value) || !belongs(y, whole) {
				continue
			}
			if named && (!related(x, whole) && x.credit == whole.credit || !related(y, whole) && y.credit == whole.credit) {
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
	var value int64
	var all []int
	for _, i := range candidates {
		if p := &m.portal[i]; !p.taken && p.month == b.month {
			sum, value = sum.Plus(p.Tax), value+p.Taxable
			all = append(all, i)
		}
	}
	if len(all) < 2 || !m.same(sum, b.Tax) || !m.sameValue(value, b.Taxable) {
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
