package gst

import (
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// Part is one paper of a composite file. The facts come from the part that has to be answered and those belonging to
// it.
type Part struct {
	Kind      string  `json:"kind"` // "letter", "notice", "order", "annexure" or "filing"
	Form      *string `json:"form"`
	Reference *string `json:"reference"`
	FirstPage int     `json:"first_page"`
	LastPage  int     `json:"last_page"`
	Read      bool    `json:"read"` // the facts come from it
}

var (
	annexTitle  = lazyregexp.New(`^(?:annex|statement of (?:facts|relied)|grounds\b|enclosure|schedule|appendix|list of (?:relied|documents)|अनुलग्नक|संलग्नक|परिशिष्ट)`)
	letterhead  = lazyregexp.New(`^(?:office of|o/o|government of|govt|department of|कार्यालय)`)
	ofSamePaper = lazyregexp.New(`enclos|herewith|attached|accompan|summary|संलग्न`)
)

// causeNotice matches the words that an order has before the number of the show cause notice, such as "SCN No."
var causeNotice = lazyregexp.New(`\b(?:scn|show cause notice|notice)\b[a-z .]{0,14}(?:no|number|ref)?\W{0,4}$`)

// stretch is one paper of the file while the file is being divided.
type stretch struct {
	span
	first, last int // pages
	kind        string
	form        *law.Form
	rfn         string
	names       string // the addressee's GSTIN
	issued      day
}

// divide splits the file into papers at the headings of forms, letterheads and annexures at the top of pages, and at
// forms that begin within a page. It selects for reading the one that has to be answered, with everything belonging
// to it.
func (r *reading) divide(forms []candidate) {
	d := r.doc
	var all []stretch
	begin := func(at int, kind string, form *law.Form) {
		if n := len(all); n > 0 {
			if d.page(at) == d.page(all[n-1].start) && d.lineAt(at)-d.lineAt(all[n-1].start) < 6 {
				if form != nil && all[n-1].form == nil {
					all[n-1].form, all[n-1].kind = form, kind
				}
				return
			}
		}
		all = append(all, stretch{span: span{start: at}, kind: kind, form: form})
	}
	next := 0
	for i, l := range d.lines {
		for next < len(forms) && forms[next].start < l.start {
			next++
		}
		top := i - d.firstLine(l.page)
		if i == 0 {
			begin(l.start, "letter", nil)
		}
		low := d.low[l.start:l.end]
		switch {
		case next < len(forms) && forms[next].start < l.end && forms[next].score >= leastForm+1 &&
			(top < 12 || r.strongHeading(forms[next])):
			form := r.law.Form(forms[next].value)
			at := l.start
			if top < 12 {
				at = d.lines[d.firstLine(l.page)].start
			}
			if n := len(all); n > 0 && all[n-1].form == form && l.page == d.page(all[n-1].start) {
				break // named twice in its heading
			}
			if n := len(all); n > 0 && all[n-1].start > at {
				at = l.start
			}
			begin(at, form.Kind, form)
		case top == 0 && l.page > 1 && len(low) < 90 && annexTitle.MatchString(low):
			begin(l.start, "annexure", nil)
		case top == 0 && l.page > 1 && len(low) < 110 && letterhead.MatchString(low):
			begin(l.start, "letter", nil)
		}
	}
	for i := range all {
		p := &all[i]
		p.end = len(d.text)
		if i+1 < len(all) {
			p.end = all[i+1].start
		}
		p.first, p.last = d.page(p.start), max(d.page(p.start), d.page(p.end-1))
		r.identify(p)
	}
	r.own = []span{{0, len(d.text)}}
	if len(all) < 2 {
		return
	}
	lead := r.toAnswer(all)
	r.own = nil
	if lead > 0 {
		r.leadTop = span{all[lead].start, min(all[lead].end, all[lead].start+1200)}
	}
	for i, p := range all {
		mine := i == lead || sameMatter(d, all, i, lead)
		if mine {
			if n := len(r.own); n > 0 && r.own[n-1].end == p.start {
				r.own[n-1].end = p.end
			} else {
				r.own = append(r.own, p.span)
			}
		}
		part := Part{Kind: p.kind, FirstPage: p.first, LastPage: p.last, Read: mine}
		if p.form != nil {
			part.Form = &p.form.Form
		}
		if p.rfn != "" {
			part.Reference = ptr(p.rfn)
		}
		r.facts.Parts = append(r.facts.Parts, part)
	}
}

// strongHeading reports whether the heading of a form in the middle of a page begins another paper.
func (r *reading) strongHeading(c candidate) bool {
	d := r.doc
	l := d.lines[d.lineAt(c.start)]
	form := r.law.Form(c.value)
	return c.score >= 7 && l.end-l.start < 60 && r.namesRule(form, d.zone(d.lineAt(c.start), 2))
}

// identify reads the particulars that distinguish one paper from another.
func (r *reading) identify(p *stretch) {
	d := r.doc
	top := span{p.start, min(p.end, p.start+1600)}
	spoken := func(at int) bool { return d.isProse(d.lines[d.lineAt(at)]) } // then it is usually that of another paper
	eachWord(d.text, top, func(s span) {
		word := d.text[s.start:s.end]
		if rfn, _, ok := parseRFN(word); ok && p.rfn == "" && rfn[0] == 'Z' && !spoken(s.start) &&
			!otherPaper.MatchString(d.labelBefore(s.start)) &&
			(p.kind == "notice" || !causeNotice.MatchString(d.labelBefore(s.start))) {
			p.rfn = rfn
		}
		if len(word) == gstinLength && p.names == "" {
			if number, _, _, ok := parseGSTIN(word, d.isRecognised(s.start)); ok {
				p.names = number
			}
		}
	})
	for _, date := range d.datesIn(top) {
		if before := d.lowIn(date.start-24, date.start); dateLabel.MatchString(before) && p.issued.IsZero() &&
			!spoken(date.start) {
			p.issued = date.day
		}
	}
}

// toAnswer returns the index of the paper that has to be answered. A form issued by an officer is preferred to a
// letter, and of several forms the latest, or the first if their dates are the same. If an order of detention precedes
// a notice of detention, the notice is chosen, because the order takes no reply.
func (r *reading) toAnswer(all []stretch) int {
	best := -1
	for i, p := range all {
		if p.form == nil || p.form.Kind == "filing" {
			continue
		}
		if best < 0 || p.rfn != "" && p.rfn != all[best].rfn && p.issued.After(all[best].issued) &&
			!all[best].issued.IsZero() || all[best].form.Form == "MOV-06" && p.form.Form == "MOV-07" {
			best = i
		}
	}
	return max(best, 0)
}

// sameMatter reports whether a paper belongs to the one that is to be answered: its annexures, or the letter or order
// around it.
func sameMatter(d *document, all []stretch, i, lead int) bool {
	p, main := all[i], all[lead]
	switch {
	case p.kind == "annexure":
		for j := i - 1; j >= 0; j-- {
			if all[j].kind != "annexure" {
				return j == lead || sameMatter(d, all, j, lead)
			}
		}
		return true
	case p.rfn != "" && p.rfn == main.rfn && (p.form == nil || main.form == nil || p.form == main.form):
		return true // whichever person it names in its first lines
	case p.rfn != "" && main.rfn != "" && p.rfn != main.rfn,
		p.names != "" && main.names != "" && !sameNumber(d, p, main):
		return false
	case p.form != nil && main.form != nil && p.form != main.form:
		return false
	case p.kind == "filing":
		return false
	case !p.issued.IsZero() && !main.issued.IsZero() && p.issued != main.issued:
		return ofSamePaper.MatchString(d.lowIn(p.start, p.end)) && i < lead
	}
	return true
}

// sameNumber reports whether two papers name the same GSTIN. On recognised pages a few letters may differ.
func sameNumber(d *document, a, b stretch) bool {
	differ := 0
	for i := range a.names {
		if a.names[i] != b.names[i] {
			differ++
		}
	}
	return differ == 0 || differ < 4 && (d.isRecognised(a.start) || d.isRecognised(b.start))
}

// within reports whether the offset is in the papers that are read.
func (r *reading) within(at int) bool {
	for _, s := range r.own {
		if s.start <= at && at < s.end {
			return true
		}
	}
	return false
}

// extentOf returns the first span of the papers that are read.
func (r *reading) extentOf() span {
	if len(r.own) == 0 {
		return span{0, len(r.doc.text)}
	}
	return r.own[0]
}

// eachWord calls do with each run of letters and digits in the span.
func eachWord(text string, within span, do func(span)) {
	for at := within.start; at < within.end; {
		if !isAlnum(text[at]) {
			at++
			continue
		}
		end := at
		for end < within.end && isAlnum(text[end]) {
			end++
		}
		do(span{at, end})
		at = end
	}
}
