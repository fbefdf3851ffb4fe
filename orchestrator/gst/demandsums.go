package gst

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// sums returns the totals of the claims and other sums that may be the demand, for a person to choose from. Printed
// sums come first.
func (r *reading) sums(claims []*claim) []candidate {
	all := append(asCandidates(claims), r.statedSums()...)
	printed := map[string]bool{}
	likely := r.likelySums(printed)
	for i := range all {
		if !printed[all[i].value] && !slices.Contains(all[i].why, inWordsToo) {
			all[i].weigh(-12, "printed nowhere")
		}
	}
	for _, c := range r.claims {
		for _, sum := range c.rivals {
			one := candidate{span: c.span, value: fmt.Sprintf("%.2f", toRupees(sum))}
			one.weigh(-1, "what one of several columns of each head comes to")
			all = append(all, one)
		}
	}
	if r.form == nil && !r.facts.claims() {
		return all
	}
	return append(all, likely...)
}

const inWordsToo = "a sum in words"

// statedSums returns the totals that sentences name, and those of tables without heads, for a person to choose from.
func (r *reading) statedSums() []candidate {
	var all []candidate
	add := func(s span, paise int64, why string) {
		if paise > 0 {
			all = append(all, candidate{span: s, value: fmt.Sprintf("%.2f", toRupees(paise)), score: -5,
				why: []string{why}})
		}
	}
	for _, m := range r.statedTotals() {
		add(m.span, m.paise, "a total that is stated")
	}
	together, from := int64(0), span{}
	for _, c := range r.claims {
		switch {
		case !c.headed():
			add(c.span, c.amount(), "the total of a table that names no heads")
		case !c.flat && c.start < r.annexure():
			together += c.amount()
			from = c.span
		}
	}
	add(from, together, "what the tables come to together")
	if r.form == nil && !r.facts.claims() {
		return all
	}
	for _, m := range inRupees.FindAllStringIndex(r.doc.low[:r.extent()], mostStated) {
		add(span{m[0], m[1]}, r.doc.inWords(m[0]), inWordsToo)
	}
	return all
}

// likelySums returns every amount in the text that may be a total, because of the words on its line, because it is
// printed repeatedly, or because amounts before it on its line or above it add up to it. It records all printed
// amounts in printed.
func (r *reading) likelySums(printed map[string]bool) []candidate {
	const (
		mostLines  = 3000
		mostAbove  = 8
		leastTotal = 1000_00
	)
	d := r.doc
	var all []candidate
	var above []int64 // the last amounts of the previous lines
	times := map[int64]int{}
	for i, l := range d.lines {
		if l.start >= r.extent() || i > mostLines {
			break
		}
		low := d.low[l.start:l.end]
		ofAll, isDue := closeToAll.MatchString(low), demandWords.MatchString(low)
		var onLine []int64
		for at := l.start; at < l.end; at++ {
			if !beginsAmount(d.low, at) || at > l.start && isAlnum(d.low[at-1]) {
				continue
			}
			a, ok := parseAmount(d.low, at)
			if !ok || a.end > l.end {
				continue
			}
			if at = max(at, a.end-1); a.paise >= leastTotal &&
				(a.marked || a.paise >= 10*leastTotal || strings.Contains(d.low[a.start:a.end], ",")) {
				c := candidate{span: span{a.start, a.end}, value: fmt.Sprintf("%.2f", toRupees(a.paise)), score: -10}
				printed[c.value] = true
				if times[a.paise]++; times[a.paise] > 1 {
					c.weigh(2, "printed again")
				}
				if lastAddUpTo(onLine, a.paise) {
					c.weigh(3, "what stands before it on its line comes to it")
				}
				if n := len(onLine); n > 1 && onLine[n-2] > onLine[n-1] && within(onLine[n-2]-onLine[n-1], a.paise) {
					c.weigh(3, "the difference of the two before it")
				}
				if lastAddUpTo(above, a.paise) {
					c.weigh(3, "what stands above it comes to it")
				}
				if r.largestOfTable(a.start) == a.paise {
					c.weigh(2, "the largest amount of a table")
				}
				if ofAll {
					c.weigh(3, "on a line of a total")
				}
				if len(c.why) > 0 && isDue {
					c.weigh(1, "said to be due")
				}
				if len(c.why) > 0 {
					all = append(all, c)
				}
			}
			onLine = append(onLine, a.paise)
		}
		if n := len(onLine); n > 0 && onLine[n-1] > 0 {
			if above = append(above, onLine[n-1]); len(above) > mostAbove {
				above = above[1:]
			}
		}
	}
	// Of two equal scores the larger amount comes first.
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(len(b.value), len(a.value)) })
	return all
}

// largestOfTable returns the largest amount of the table that contains an offset, 0 if there is none.
func (r *reading) largestOfTable(at int) int64 {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > at })
	if i == len(r.claims) || r.claims[i].start > at {
		return 0
	}
	return r.claims[i].largest()
}

// lastAddUpTo reports whether two or more of the last amounts add up to a sum.
func lastAddUpTo(amounts []int64, paise int64) bool {
	sum := int64(0)
	for i := len(amounts) - 1; i >= 0 && sum < paise; i-- {
		sum += amounts[i]
		if i < len(amounts)-1 && within(sum, paise) {
			return true
		}
	}
	return false
}

const mostStated = 60

var inRupees = lazyregexp.New(`\brupees\b|रुपये`)

// asCandidates returns the totals of claims, for a person to choose from.
func asCandidates(claims []*claim) []candidate {
	var all []candidate
	for _, c := range claims {
		if c.amount() > 0 {
			all = append(all, candidate{span: c.span, value: fmt.Sprintf("%.2f", toRupees(c.amount())),
				score: float64(c.score), why: c.why})
		}
	}
	return all
}

// enough is the score that a claim needs.
const enough = 3
