package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
)

// blocks returns the position of each charge in the text.
func (p *Paper) blocks() []block {
	var all []block
	at := 0
	refund := p.isKind("refund notice", "refund order", "deficiency memo")
	for _, para := range p.Facts.Paragraphs {
		start := lower(strings.Join(strings.Fields(para.Text), " "))
		if len(start) > 40 {
			start = start[:40]
		}
		from := 0
		if n := para.Page - 1; n >= 0 && n < len(p.starts) {
			from = max(p.starts[n], at)
		}
		i := strings.Index(p.low[min(from, len(p.low)):], start)
		// The dash may be printed differently.
		if _, title, ok := strings.Cut(start, " - "); i < 0 && ok && len(title) > 12 {
			i = strings.Index(p.low[min(from, len(p.low)):], title)
		}
		// So may quotation marks.
		if at := strings.IndexAny(start, `'"`); i < 0 && at > 10 {
			i = strings.Index(p.low[min(from, len(p.low)):], start[:at])
		}
		if i < 0 || start == "" {
			continue
		}
		b := block{number: para.Number, from: min(from, len(p.low)) + i, charge: para.Kind == "charge" ||
			para.Kind == "", amounts: taxOf(para)}
		if said := lower(para.Text); p.isKind("scrutiny", "audit report") && para.Kind == "narrative" &&
			hasAny(said, "tax", "itc", "credit", "interest", "late fee", "rate") { // a discrepancy
			b.charge = slices.ContainsFunc(gst.Sums(said), func(s gst.Sum) bool { return s.Marked })
		}
		if refund && para.Kind == "narrative" { // a ground for denying the refund
			said := lower(para.Text)
			b.charge = slices.ContainsFunc(gst.Sums(said), func(s gst.Sum) bool { return s.Marked }) ||
				hasAny(said, "54(1)", "two years", "time barred", "time-barred", "barred by", "limitation", "दो वर्ष")
		}
		at = b.from + 1
		all = append(all, b)
	}
	p.toldInOrder(all)
	if refund { // the form lists its reasons in a table, and explains each of them below
		if remarks := p.marked(); len(remarks) > len(all) {
			all = remarks
		}
	}
	if len(all) == 0 {
		all = p.numberedLines()
	}
	if len(all) == 0 {
		all = p.marked()
	}
	if len(all) == 0 {
		for _, bullet := range []string{"\n• ", "\n● ", "\n▪ "} {
			for i := 0; ; {
				n := strings.Index(p.all[i:], bullet)
				if n < 0 {
					break
				}
				i += n + 1
				all = append(all, block{from: i, charge: true})
			}
		}
		slices.SortFunc(all, func(a, b block) int { return a.from - b.from })
	}
	if len(all) == 0 {
		return []block{{to: len(p.low)}}
	}
	for i := range all {
		end := len(p.low)
		if i+1 < len(all) {
			end = all[i+1].from
		}
		all[i].to = p.beforeHeading(all[i].from, min(end, all[i].from+4000))
		if start, _, ok := p.find(closing, all[i].from+20, all[i].to); ok {
			all[i].to = start
		}
		if m := partOfOrder.FindStringIndex(p.all[all[i].from:all[i].to]); m != nil {
			all[i].to = all[i].from + m[0]
		}
		all[i].to = p.beforeAnnexure(all[i].from, all[i].to)
	}
	if all = slices.DeleteFunc(all, func(b block) bool { return !b.charge }); len(all) == 0 {
		return []block{{to: len(p.low)}}
	}
	return all
}

// beforeHeading returns the offset at which a charge ends, which is before the heading of the next charge if that is
// its last line.
func (p *Paper) beforeHeading(from, to int) int {
	body := strings.TrimRight(p.all[from:to], "\n ")
	line := strings.LastIndexByte(body, '\n')
	if line < 0 || len(body)-line > 120 {
		return to
	}
	last := strings.TrimSpace(body[line:])
	if heading.MatchString(last) || heading.MatchString(lower(last)) {
		return from + line
	}
	return to
}

// beforeAnnexure returns the offset at which a charge ends, which is before the heading of an annexure if one follows.
func (p *Paper) beforeAnnexure(from, to int) int {
	const heading = 90
	for _, l := range p.linesIn(from+1, to) {
		if l.to-l.from <= heading && len(l.cells) == 0 && annexed.MatchString(p.low[l.from:l.to]) {
			return l.from
		}
	}
	return to
}

// toldInOrder takes the paragraphs that state the facts in an order as its charges, if their amounts add up to all of
// its tax. The findings of such an order only repeat the charges, without amounts.
func (p *Paper) toldInOrder(all []block) {
	tax := Sum(p.DemandOf(TakesTax))
	if !p.isKind("order") || tax == nil {
		return
	}
	var sum Amount
	told := map[int]bool{}
	heads := map[int][]Head{}
	for i, b := range all {
		to := min(len(p.low), b.from+4000)
		if i+1 < len(all) {
			to = all[i+1].from
		}
		if b.charge && b.amounts != nil {
			return
		}
		found := p.headsIn(p.low[b.from:to])
		if len(found) == 0 || b.charge || hasAny(p.low[b.from:min(to, b.from+60)], "i confirm", "i impose", "i order") {
			continue
		}
		if s := *Sum(found); s < *tax {
			sum += s
			told[i], heads[i] = true, found
		}
	}
	if sum != *tax || len(told) < 2 {
		return
	}
	for i := range all {
		all[i].charge, all[i].amounts = told[i], heads[i]
	}
}

// numberedLines returns the numbered rows of a table of grounds, such as "1 The claim …" and "2 Credit on …".
func (p *Paper) numberedLines() []block {
	_, from, ok := p.find("following reasons|following reason|following grounds|following discrepan|following "+
		"defect|reasons of inadmissib|reason", 0, len(p.low))
	if !ok {
		return nil
	}
	var all []block
	for n := 1; ; n++ {
		i := -1
		for _, mark := range []string{" ", ". ", ") "} {
			if at := strings.Index(p.all[from:], "\n"+strconv.Itoa(n)+mark); at >= 0 && (i < 0 || at < i) {
				i = at
			}
		}
		if i < 0 {
			break
		}
		from += i + 1
		all = append(all, block{number: strconv.Itoa(n), from: from, charge: true})
	}
	if len(all) < 2 {
		return nil
	}
	return all
}
