package gst

import (
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// namedCharge matches the beginning of a charge that a paper counts with a word, independently of its paragraph
// numbers: "13. Charge I.", "B. Ground 1:", "Allegation A.", "Defect No.2".
var namedCharge = lazyregexp.New(`^(allegation|charge|ground|issue|discrepancy|defect|objection|contravention|irregularity|count|lapse|observation|finding|audit para|violation|query)s?(?: ?-? ?(?:no\b\.?|number|#))? ?[-–:.#]? ?\(?([0-9]{1,2}|[ivx]{1,5}|[a-h])(?:[.:)–-]| -| :)`)

// onlyNamed keeps as charges only those that the paper counts with a word, if it counts at least two, from the first
// one on. Its other paragraphs, and what it says elsewhere about these charges, become narrative.
func (r *reading) onlyNamed(blocks []block) {
	type series struct {
		at   map[int]int // the first block of each ordinal
		last int
	}
	all := map[string]*series{}
	for i, b := range blocks {
		if b.kind == "boilerplate" {
			continue
		}
		low := b.low[:min(len(b.low), 60)]
		m := namedCharge.FindStringSubmatch(low)
		if m == nil {
			m = namedCharge.FindStringSubmatch(strings.TrimLeft(low[min(len(low), len(b.number)):], " .):-–"))
		}
		if m == nil {
			m = namedInHindi.FindStringSubmatch(low)
		}
		if m == nil {
			continue
		}
		s := all[m[1]]
		if s == nil {
			s = &series{at: map[int]int{}}
			all[m[1]] = s
		}
		if n := ordinal(m[2]); n == s.last+1 {
			s.at[n], s.last = i, n
		}
	}
	var named *series
	for _, s := range all {
		if s.last >= 2 && (named == nil || s.last > named.last || s.last == named.last && s.at[1] < named.at[1]) {
			named = s
		}
	}
	if named == nil {
		return
	}
	is := map[int]bool{}
	for _, i := range named.at {
		is[i] = true
	}
	for i := range blocks {
		switch k := blocks[i].kind; {
		case is[i] && k != "concession":
			blocks[i].kind = "charge"
		case !is[i] && k == "charge":
			blocks[i].kind = "narrative"
		}
	}
}
