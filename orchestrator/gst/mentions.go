package gst

import (
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// mention is an amount in a sentence with what the sentence says about it: "CGST Rs. 36,480", "tax of Rs. 0.864 lakh
// each under CGST and SGST", "in all Rs. 5,03,740". head is "" if the sentence names no head of tax.
type mention struct {
	span
	head  string
	kind  kind
	paise int64
	total bool // it is called a total
	paid  bool // it is said to have been paid
}

// said is a word of a sentence that says what an amount is.
type said struct {
	span
	head   string
	kind   kind
	amount *amount
	each   bool
	stop   bool // the end of a clause, after which earlier words no longer apply
	paid   bool
}

const (
	headBefore = 60 // largest distance in bytes between a head and its amount
	headAfter  = 40
)

// mentions returns the amounts in a part of the text, in order, except those in tables. An amount whose kind is not
// named gets the kind by.
func (r *reading) mentions(s span, by kind) []mention {
	words := r.said(s)
	behind := headsBehind(words)
	var all []mention
	current := noKind
	var lastGroup, inClause []string
	from := 0
	for i, w := range words {
		if w.stop {
			// "Late fee: CGST Rs. 500; SGST Rs. 500"
			goesOn := w.start > 0 && r.doc.text[w.start-1] == ';' && i+1 < len(words) && words[i+1].head != "" &&
				words[i+1].start-w.start < 3
			if !goesOn {
				current = noKind
			}
			from, inClause = i+1, nil
			continue
		}
		if w.kind != noKind && w.kind != total && w.kind != value && w.amount == nil && w.head == "" {
			current = w.kind
		}
		if w.amount == nil {
			continue
		}
		m := mention{span: w.amount.span, kind: current, paise: w.amount.paise}
		if m.kind == noKind {
			m.kind = by
		}
		var before []string
		each, names := false, 0
		for k := i - 1; k >= from && words[k].amount == nil; k-- {
			b := words[k]
			if b.head != "" && (w.start-b.end <= headBefore ||
				w.start-b.end <= 4*headBefore && sumInWords.MatchString(r.doc.low[b.end:w.start])) &&
				!slices.Contains(before, b.head) {
				before = append([]string{b.head}, before...)
			}
			each = each || b.each
			if !m.total && (b.head != "" || b.kind != noKind && b.kind != total) {
				names++
			}
			if b.kind == total && w.start-b.end <= headBefore {
				m.total = true
				break // earlier words belong to other amounts: "CGST Rs. 500, SGST Rs. 500, in all Rs. 1,000"
			}
			m.paid = m.paid || b.paid
		}
		if m.total && (len(before) > 1 ||
			len(before) == 1 && names > 1 && r.doc.contains(span{words[max(from, i-8)].start, w.start}, " and ")) &&
			!each {
			before = nil // "Total of tax, cess and penalty"
		}
		m.total = m.total && len(before) == 0
		var after []string
		for k := i + 1; k < len(words) && !words[k].stop; k++ {
			a := words[k]
			if a.amount != nil {
				if len(after) > 0 && !each && a.start-words[k-1].end < 8 {
					after = nil // the head of the next amount
				}
				break
			}
			m.paid = m.paid || a.paid
			if a.start-w.end > headAfter {
				break
			}
			each = each || a.each
			if a.head != "" && !slices.Contains(after, a.head) {
				after = append(after, a.head)
			}
			if a.kind != noKind && a.kind != total && a.kind != value && a.head == "" && a.start-w.end < 14 &&
				!r.doc.contains(span{w.end, a.start}, ",", " and ", " with ") {
				m.kind = a.kind // "Rs. 5,000 as penalty"
			}
		}
		heads := before
		if behind[i] != "" {
			heads, m.total = []string{behind[i]}, false
		}
		if len(heads) == 0 && len(after) > 0 && (each || linked.MatchString(r.doc.lowIn(w.span.end, w.span.end+40))) {
			heads = after
		}
		if len(heads) == 0 && each {
			heads = lastGroup // "under each Act"
		}
		if len(heads) == 0 && len(inClause) == 1 && !m.total && names > 0 &&
			(m.kind == interest || m.kind == penalty || m.kind == fee) {
			heads = inClause // "IGST: tax Rs. 500, interest Rs. 90, penalty Rs. 50"
		}
		inClause = appendNew(inClause, heads...)
		switch {
		case len(heads) == 1 && !m.total, len(heads) > 1 && each:
			for _, h := range heads {
				one := m
				one.head = h
				all = append(all, one)
			}
			lastGroup = appendNew(lastGroup, heads...)
			if like := r.likeAmount(w.end); like != "" && !slices.Contains(heads, like) {
				one := m
				one.head = like
				for _, twin := range all { // State tax equals Central tax, whatever is between them
					if twin.start >= words[from].start && twin.head == "CGST" && twin.kind == m.kind && like != "IGST" {
						one.paise = twin.paise
					}
				}
				all = append(all, one)
			}
		default:
			all = append(all, m)
		}
	}
	return all
}

// headsBehind returns the heads of amounts in clauses that name the amount before its head, as in "Rs. 500 CGST, Rs.
// 500 SGST and Rs. 1,000 IGST". The keys are the indexes of the amounts.
func headsBehind(words []said) map[int]string {
	heads := map[int]string{}
	for from := 0; from < len(words); {
		to := from
		for to < len(words) && !words[to].stop {
			to++
		}
		var pairs []int // an amount, its head, an amount, its head
		paired := true
		for i := from; i < to && paired; i++ {
			w := words[i]
			if w.amount == nil && w.head == "" {
				continue
			}
			paired = (w.amount != nil) == (len(pairs)%2 == 0) &&
				(len(pairs)%2 == 0 || w.start-words[pairs[len(pairs)-1]].end < 24)
			pairs = append(pairs, i)
		}
		if paired && len(pairs) >= 4 && len(pairs)%2 == 0 {
			for i := 0; i < len(pairs); i += 2 {
				heads[pairs[i]] = words[pairs[i+1]].head
			}
		}
		from = to + 1
	}
	return heads
}

// likeAmount returns the head that, according to the words after an amount, has the same amount, as in "and an equal
// amount of State tax".
func (r *reading) likeAmount(at int) string {
	m := likeWords.FindStringSubmatch(r.doc.lowIn(at, at+80))
	if m == nil {
		return ""
	}
	return taxHead(m[1])
}

var (
	likeWords  = lazyregexp.New(`^[^.;]{0,40}?[),/ -]*\b(?:(?:and|&|plus|with) ?)(?:an? |the )?(?:equal|same|like|equivalent|identical)(?: (?:amount|sum))?(?: (?:of|as|under|towards|in))? (?:the )?([a-z]{4,10})\b`)
	sumInWords = lazyregexp.New(`\b(?:rupees?|hundred|thousand|lakhs?|crores?)\b|रुपये|लाख|हजार`)
)

func appendNew(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// linked matches words that put an amount under the head that follows, such as "(IGST)" or "towards IGST".
var linked = lazyregexp.New(`^ ?(?:\(|as |under |towards |on account of |of |for |in )*(?:the )?(?:[iscu]t?gst|[a-z]{1,3}gst|cess|integrated|central|state)\b`)

var (
	paidWords = lazyregexp.New(`^(?:deposited|drc-?03|voluntarily|challan|pre-deposit)`)
	withKind  = lazyregexp.New(`(?:with|plus|without|excluding|besides|apart from|and)(?: applicable| the| due| any)? ?$`)
)

// said returns the words in a part of the text that say what amounts are.
func (r *reading) said(s span) []said {
	d := r.doc
	var words []said
	for i := d.lineAt(s.start); i < len(d.lines) && d.lines[i].start < s.end; i++ {
		l := d.lines[i]
		if r.inTable(l.start) {
			words = append(words, said{span: span{l.start, l.start}, stop: true})
			continue
		}
		if l.start > s.start && (l.first && !isContinued(d, i) ||
			!d.isProse(l) && !d.isProse(d.lines[i-1]) && labelledLine.MatchString(d.low[l.start:l.end])) {
			words = append(words, said{span: span{l.start, l.start}, stop: true})
		}
		for at := max(l.start, s.start); at < min(l.end, s.end); {
			if beginsAmount(d.low, at) {
				if a, ok := parseAmount(d.low, at); ok &&
					(a.marked || a.paise >= 1000_00 && strings.Contains(d.low[a.start:a.end], ".")) &&
					a.end <= s.end+2 {
					words = append(words, said{span: a.span, amount: &a})
					at = a.end
					continue
				}
			}
			end := at
			for end < l.end && d.low[end] != ' ' {
				end++
			}
			w := said{span: span{at, end}}
			text := d.low[at:end]
			bare := strings.Trim(text, ".,:;()[]'\"-")
			w.head = taxHead(text)
			if w.head != "" && (bare == "central" || bare == "state" || bare == "integrated") {
				if next := d.lowIn(end+1, end+20); !strings.HasPrefix(next, "tax") &&
					!strings.HasPrefix(next, "goods") && !strings.HasPrefix(next, "gst") ||
					strings.HasPrefix(next, "tax officer") {
					w.head = ""
				}
			}
			w.kind = kindOf(text)
			if strings.HasPrefix(bare, "totall") || strings.HasPrefix(bare, "aggregat") || bare == "adding" ||
				bare == "all" && strings.HasSuffix(d.lowIn(at-3, at), "in ") {
				w.kind = total
			}
			if w.kind == interest && withKind.MatchString(d.lowIn(at-22, at)) &&
				!startsAmountSoon(d.lowIn(end, end+16)) {
				w.kind = noKind
			}
			w.each = bare == "each"
			w.paid = paidWords.MatchString(bare)
			if w.head != "" || w.kind != noKind || w.each || w.paid {
				words = append(words, w)
			}
			at = end + 1
			if n := len(text); n > 0 && d.endsSentence(end-1) || strings.HasSuffix(text, "।") {
				words = append(words, said{span: span{end, end}, stop: true})
			}
		}
	}
	return words
}

// labelledLine matches a line that begins with the label of its amount, such as "Central tax : Rs. 500", "Penalty u/s
// 73(9) - 50" or "IGST 1,000".
var labelledLine = lazyregexp.New(`^(?:\(?[0-9a-z]{1,3}[.)] ?)?(?:(?:[a-z]{0,3}gst|cess|integrated|central|state|tax|interest|penalty|late fee|total|amount|all)\b[a-z0-9 ()./]{0,40}) ?(?:[:=]|- |-$|(?:rs\.? ?|₹ ?)?[0-9]{1,3}(?:,[0-9]{2,3})+)`)

// startsAmountSoon reports whether an amount follows directly, as in "interest of Rs.".
func startsAmountSoon(low string) bool {
	return containsAny(low, "rs", "₹", "of rs", "रु")
}

// inTable reports whether the offset is in the rows or the heading of a table.
func (r *reading) inTable(at int) bool {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > at })
	return i < len(r.claims) && r.claims[i].start <= at
}

// sumUp adds up mentions under their heads. sure is false if the same head has different amounts that no total
// explains.
func sumUp(all []mention) (c *claim, sure bool) {
	c, sure = newClaim(), true
	type key struct {
		head string
		kind kind
	}
	lists := map[key][]int64{}
	var order []key
	for _, m := range all {
		if m.paid {
			continue
		}
		if m.head == "" {
			if m.total {
				c.printed = m.paise
			}
			continue
		}
		if c.end == 0 {
			c.start = m.start
		}
		c.end = m.end
		k := key{m.head, m.kind}
		if _, ok := lists[k]; !ok {
			order = append(order, k)
		}
		if !slices.Contains(lists[k], m.paise) {
			lists[k] = append(lists[k], m.paise)
		}
	}
	for _, k := range order {
		list := lists[k]
		sum := int64(0)
		for _, p := range list {
			sum += p
		}
		last := list[len(list)-1]
		switch {
		case len(list) == 1:
		case within(sum-last, last): // the parts, then their sum
			sum = last
		default:
			sure = false
		}
		c.cell(k.head)[k.kind] += sum
	}
	return c, sure
}
