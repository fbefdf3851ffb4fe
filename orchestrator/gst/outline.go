package gst

import (
	"slices"
	"sort"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// The blocks of a long paper form an outline: below a point are its facts, the reply and the remarks, and a heading
// says that everything below it is alleged, answered, quoted or dropped. The kind of a block follows from its place
// in the outline and from the composition of the demand.

// topic is what a heading says about everything below it.
type topic int

const (
	noTopic topic = iota
	alleged
	answered // what the noticee says
	quotedLaw
	dropped
	noted // remarks on something that is discussed elsewhere
	told  // the history of the case
)

var (
	headingNumber = lazyregexp.New(`^(?:(?:part|section|chapter|group|category|para(?:graph)?|point|issue)\b ?[-–:]? ?)?(?:\(?(?:\d{1,2}(?:\.\d{1,2})*|[a-z]|[ivx]{1,5}|[अ-ह])[.):]* )?[-–—:. ]*`)
	ofDropped     = lazyregexp.New(`\b(?:dropped|closed|settled|reconciled|withdrawn|not pursued|no (?:further )?(?:discrepanc|action|difference|objection)[a-z]*|without (?:discrepancy|action|objection)|(?:paras?|points?|issues?|objections?) (?:agreed|accepted))\b|निरस्त|समाप्त`)
	ofStanding    = lazyregexp.New(`\bnot (?:yet )?(?:agreed|accepted|settled|closed|dropped|reconciled)\b|\bunsettled\b|\bpending\b|\bopen\b|\boutstanding\b`)
	ofAnswers     = lazyregexp.New(`^(?:the )?(?:(?:noticee|taxpayer|assessee|dealer|party|appellant|applicant|person)(?:['’]?s)? )?(?:repl(?:y|ies)|submissions?|contentions?|explanations?|defen[cs]e|arguments?|pleas?|version)\b(?: (?:of|by|from|made|filed|considered|received|and|furnished|given|dated|during)\b.*)?$|^(?:the )?statements(?: recorded)?$|(?:कथन|उत्तर|स्पष्टीकरण)$`)
	ofLaw         = lazyregexp.New(`^(?:the )?(?:relevant |applicable |governing )?(?:legal |statutory )?(?:provisions?|position)(?: (?:of|in|and|under)\b.*)?$|^(?:the )?law\b.{0,20}$|प्रावधान$`)
	ofNotes       = lazyregexp.New(`^(?:foot)?(?:notes?|remarks?)\b(?: (?:on|to|under|about)\b.*)?$|^टिप्पणी`)
	ofFacts       = lazyregexp.New(`^(?:the )?(?:brief |relevant )?(?:facts?|background|introduction|history|preliminary)\b.{0,30}$|^तथ्य`)
	ofView        = lazyregexp.New(`^(?:the )?(?:audit|auditor|officer|department|revenue|office|proper officer|our|my)?(?:['’]?s)? ?(?:view|remarks?|comments?|finding|observation|conclusion|rejoinder|rebuttal|stand|discussion|reasons?|opinion|evidence|working|quantification)\b.{0,24}$`)
	// opensAnnexure matches the title of an annexure, after which the headings before it no longer apply.
	opensAnnexure = lazyregexp.New(`^(?:annexure|appendix|statement of facts|reasons for)\b.{0,50}$|^(?:अनुलग्नक|परिशिष्ट)`)
	ofCharges     = lazyregexp.New(`\b(?:allegations?|discrepanc(?:y|ies)|findings?|observations?|objections?|grounds?|charges|contraventions?|irregularit(?:y|ies)|violations?|lapses|defects?|points? (?:at issue|on which|in issue))\b|त्रुटि|विसंगति|आपत्ति|अनियमितता`)
)

// topicOf returns the topic of a heading in lower case.
func topicOf(low string) topic {
	low = strings.Trim(low[len(headingNumber.FindString(low)):], " .:-–—")
	switch {
	case low == "":
		return noTopic
	case ofStanding.MatchString(low):
		return alleged
	case ofDropped.MatchString(low):
		return dropped
	case ofAnswers.MatchString(low):
		return answered
	case ofLaw.MatchString(low):
		return quotedLaw
	case ofNotes.MatchString(low):
		return noted
	case ofFacts.MatchString(low):
		return told
	case ofCharges.MatchString(low):
		return alleged
	}
	return noTopic
}

// titleOf returns the title of a block in lower case: its words up to a full stop or a colon, if they are few. It is ""
// if the block begins with a sentence.
func (r *reading) titleOf(b block) string {
	const longest = 130
	d := r.doc
	end := min(b.end, d.lines[b.item.line].end+longest)
	low := d.lowIn(b.start, end)
	low = strings.TrimLeft(low[min(len(low), len(b.number)):], " .):-–")
	low = strings.TrimPrefix(low, "0 ") // "Para 4.0 Points looked into"
	stop := strings.IndexAny(low, ":.")
	for stop >= 0 && stop+1 < len(low) && low[stop+1] != ' ' && low[stop+1] != '\n' {
		next := strings.IndexAny(low[stop+1:], ":.")
		if next < 0 {
			stop = -1
			break
		}
		stop += 1 + next
	}
	if stop < 0 {
		if b.end-b.start > longest {
			return ""
		}
		stop = len(low)
	}
	if stop > longest {
		return ""
	}
	return strings.TrimSpace(low[:stop])
}

// outline returns for each block the index of the block above it (-1 for none), and the topic of the headings above
// it.
func (r *reading) outline(blocks []block) (parents []int, topics []topic) {
	d := r.doc
	parents, topics = make([]int, len(blocks)), make([]topic, len(blocks))
	var open []int // the blocks that may contain the next one
	above := noTopic
	line := 0
	byPath := map[string]int{}
	for i, b := range blocks {
		parents[i] = -1
		for ; line < b.item.line; line++ {
			t, is := r.headingAt(line)
			if is || opensAnnexure.MatchString(d.low[d.lines[line].start:d.lines[line].end]) {
				above = t
				open = open[:0]
				clear(byPath)
			}
		}
		path := digitsOf(b.number)
		if dot := strings.LastIndexByte(path, '.'); dot > 0 {
			if p, ok := byPath[path[:dot]]; ok {
				parents[i] = p
			}
			open = append(open, i)
		} else {
			at := len(open) - 1
			for at >= 0 && (blocks[open[at]].item.style != b.item.style ||
				blocks[open[at]].item.order >= b.item.order) {
				at--
			}
			switch {
			case at >= 0:
				parents[i] = parents[open[at]]
				open = append(open[:at], i)
			case len(open) > 0 && i > 0 && blocks[i-1].end >= b.start-2 && b.item.order == 1:
				parents[i] = open[len(open)-1]
				open = append(open, i)
			default:
				open = append(open[:0], i)
			}
		}
		if path != "" && parents[i] < 0 || strings.Contains(path, ".") {
			byPath[path] = i
		}
		topics[i] = above
		for p := parents[i]; p >= 0; p = parents[p] {
			if t := topicOf(r.titleOf(blocks[p])); t != noTopic {
				topics[i] = t
				break
			}
		}
		line = max(line, d.lineAt(b.start)+1)
	}
	return parents, topics
}

// digitsOf returns the number at the end of a block's name: "4.1" for "Para 4.1".
func digitsOf(number string) string {
	number = strings.Trim(number, "().: ")
	from := len(number)
	for from > 0 && (isDigit(number[from-1]) || number[from-1] == '.') {
		from--
	}
	return strings.TrimSuffix(strings.Trim(number[from:], "."), ".0")
}

// headingAt returns the topic of a line, if it is a heading without a number.
func (r *reading) headingAt(i int) (topic, bool) {
	const longest = 80
	d := r.doc
	l := d.lines[i]
	if l.end-l.start > longest || len(l.cells) > 2 || isLower(d.text[l.start]) || r.inTable(l.start) {
		return noTopic, false
	}
	if _, _, isItem := itemLike(d.low[l.start:l.end]); isItem {
		return noTopic, false
	}
	if last := d.text[l.end-1]; last == '.' || last == ',' || last == ';' {
		return noTopic, false
	}
	if i > 0 && !l.first && d.isProse(d.lines[i-1]) && d.text[d.lines[i-1].end-1] != '.' &&
		d.text[d.lines[i-1].end-1] != ':' {
		return noTopic, false // it continues the line above
	}
	t := topicOf(d.low[l.start:l.end])
	return t, t != noTopic
}

// itemLike reports whether a line begins like an item of a list, and returns its number and the rest of the line.
func itemLike(low string) (number, rest string, is bool) {
	for _, e := range []*lazyregexp.Regexp{numberedItem, letteredItem, namedItem} {
		if m := e.FindString(low); m != "" {
			return m, low[len(m):], true
		}
	}
	return "", low, false
}

// settleByPlace sets the kinds of blocks from their places in the outline.
func (r *reading) settleByPlace(blocks []block) {
	parents, topics := r.outline(blocks)
	children := make([][]int, len(blocks))
	for i, p := range parents {
		if p >= 0 {
			children[p] = append(children[p], i)
		}
	}
	for i := range blocks {
		b := &blocks[i]
		if b.kind != "charge" && b.kind != "" {
			continue
		}
		switch topics[i] {
		case dropped:
			b.kind = "concession"
		case answered:
			if r.form == nil || r.form.Form != "ADT-02" || !auditPara.MatchString(b.low) {
				b.kind = "narrative"
			} // what is above is the reply to the one before it
		case quotedLaw, noted:
			b.kind = "narrative"
		case noTopic, alleged, told:
		}
		if p := parents[i]; p >= 0 && (blocks[p].kind == "operative" || blocks[p].kind == "boilerplate") &&
			!containsAny(b.low[:min(len(b.low), 450)], faults...) {
			b.kind = "operative" // what is demanded, head by head
		}
		if r.nothingInRow(*b) {
			b.kind = "concession"
		}
	}
	for p := len(blocks) - 1; p >= 0; p-- {
		r.settlePoint(blocks, p, children[p], topics[p])
	}
	for i, p := range parents {
		for ; p >= 0; p = parents[p] {
			if !blocks[p].point {
				continue
			}
			blocks[p].end = max(blocks[p].end, blocks[i].end)
			blocks[p].low = r.doc.lowIn(blocks[p].start, min(blocks[p].end, blocks[p].start+4000))
			if blocks[i].kind == "charge" {
				blocks[i].kind, blocks[i].point = "narrative", false
			}
		}
	}
}

// settlePoint decides whether a block with others below it is one point, which they discuss, or the heading of
// several points.
func (r *reading) settlePoint(blocks []block, p int, under []int, above topic) {
	point := &blocks[p]
	if point.kind == "concession" || point.kind == "boilerplate" || point.kind == "operative" || above == answered ||
		above == quotedLaw || above == noted || above == dropped {
		return
	}
	charged, sums, aspects := 0, 0, 0
	for _, i := range under {
		if blocks[i].kind == "charge" {
			charged++
			if c, _ := sumUp(r.mentions(blocks[i].span, tax)); c.headed() {
				sums++
			}
		}
		title := r.titleOf(blocks[i])
		if t := topicOf(title); t == answered || t == told || t == quotedLaw ||
			title != "" && ofView.MatchString(title) {
			aspects++
		}
	}
	title := r.titleOf(*point)
	own := strings.TrimRight(r.ownWords(point.span), " ")
	wrong := containsAny(own[:min(len(own), 700)], faults...) || faultsInHindi.MatchString(own[:min(len(own), 450)])
	heading := title != "" && len(own) < len(point.number)+len(title)+8 // and nothing else
	several := strings.HasSuffix(own, ":") || ofCharges.MatchString(title) && (heading || !wrong)
	switch {
	case len(under) == 0 || charged == 0 && point.kind != "charge" || several && aspects == 0:
	case aspects > 0, point.kind == "charge" && wrong && sums < 2:
		point.kind, point.point = "charge", true
	case point.kind == "charge" && sums > 1:
		point.kind = "narrative"
	case charged > 1 && sums == 1 && title != "":
		point.kind, point.point = "charge", true
	}
	if several && charged > 0 && point.kind == "charge" {
		point.kind = "narrative"
	}
	if ofCharges.MatchString(title) && heading && 2*charged >= len(under) {
		for _, i := range under { // everything below "Contraventions"
			if k := blocks[i].kind; k == "" || k == "narrative" {
				blocks[i].kind = "charge"
			}
		}
	}
}

// nothingInRow reports whether a block is a row of a table that says that nothing was found, and has no amount.
func (r *reading) nothingInRow(b block) bool {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > b.start })
	if i == len(r.claims) || r.claims[i].start > b.start || !nothingFound.MatchString(b.low[:min(len(b.low), 300)]) {
		return false
	}
	return !slices.ContainsFunc(r.claims[i].rows, func(row table.Row) bool {
		return row.Start < b.end && b.start < row.End && slices.ContainsFunc(row.Cells, func(c table.Cell) bool {
			return c.Amount.Paise != 0
		})
	})
}

var nothingFound = lazyregexp.New(`\b(?:not applicable|nil|n\.?a\.?|none|tallied|tallies|in order|matched|no (?:discrepanc|difference|comment|adverse)[a-z]*)\b|लागू नहीं|निरंक|शून्य`)

// settleByDemand compares the charges with the demand. If the tax of some charges adds up to that of the demand, head
// by head, these are the charges: others with amounts are narrative, and those without amounts count only beside
// them.
func (r *reading) settleByDemand() {
	if r.demanded == nil || r.demanded.unkind || r.sure("demand") || r.demanded.of(tax) == 0 {
		return
	}
	made := r.makingUp(r.demanded)
	if made == nil {
		r.promoteByDemand()
		return
	}
	parents, _ := r.outline(r.blocks)
	type list struct {
		style  string
		parent int
	}
	beside := map[list]bool{}
	at := map[int]charge{}
	for _, ch := range r.charges {
		at[ch.start] = ch
	}
	for i, b := range r.blocks {
		if made[b.start] {
			beside[list{b.item.style, parents[i]}] = true
		}
	}
	changed := false
	for i, b := range r.blocks {
		ch, is := at[b.start]
		if b.kind != "charge" || !is || made[b.start] {
			continue
		}
		if beside[list{b.item.style, parents[i]}] || !ch.unsure && ch.claim.headed() && ch.claim.of(tax) == 0 {
			continue // another one in the same list; interest or a penalty
		}
		r.blocks[i].kind, changed = "narrative", true
	}
	if changed {
		r.retake()
	}
}

// retake sets the facts from the blocks again. It is called after the kinds of blocks were changed.
func (r *reading) retake() {
	r.allegations, r.charges, r.together = nil, nil, nil
	r.facts.Paragraphs = []Paragraph{}
	r.takeBlocks()
	r.readCharges()
	r.amountsOf()
}

// promoteByDemand turns the items of a list into charges if no charge has an amount yet and their tax adds up to that
// of the demand, head by head: whatever makes up the demand is charged, however it is worded. Other items of that list
// with a sum, for interest or a fee, become charges too. An order describes in this way what was alleged, and repeats
// it in its findings.
func (r *reading) promoteByDemand() {
	if slices.ContainsFunc(r.charges, func(ch charge) bool { return ch.claim.headed() || ch.bare > 0 }) {
		return
	}
	parents, _ := r.outline(r.blocks)
	for from := 0; from < len(r.blocks); {
		to := from + 1
		for to < len(r.blocks) && r.blocks[to].item.style == r.blocks[from].item.style &&
			parents[to] == parents[from] && r.blocks[to].item.order == r.blocks[to-1].item.order+1 {
			to++
		}
		var open []int
		var sums []*claim
		for i := from; i < to; i++ {
			c, sure := sumUp(r.mentions(r.blocks[i].span, tax))
			k := r.blocks[i].kind
			if r.blocks[i].item.style != "row" && sure && (k == "" || k == "narrative") && c.headed() && c.of(tax) > 0 {
				open, sums = append(open, i), append(sums, c)
			}
		}
		if set := only(sums, r.demanded); set != nil {
			for i := range r.blocks {
				b := &r.blocks[i]
				switch at := slices.Index(open, i); {
				case at >= 0 && set[at]:
					b.kind = "charge"
				case i >= from && i < to && (b.kind == "" || b.kind == "narrative") &&
					containsAny(b.low[:min(len(b.low), 1500)], faults...) && quantified(b.low):
					b.kind = "charge"
				case (i < from || i >= to) && b.kind == "charge":
					b.kind = "narrative"
				}
			}
			r.retake()
			r.issuesOfCharges()
			return
		}
		from = to
	}
}

// only returns which of the claims add up to the tax of the claim whole, head by head. It returns nil if fewer than two
// do, or if several sets of them do.
func only(claims []*claim, whole *claim) map[int]bool {
	const most = 12
	if len(claims) > most {
		return nil
	}
	var found map[int]bool
	for set := range uint(1) << len(claims) {
		all, with := newClaim(), map[int]bool{}
		for i, c := range claims {
			if set>>i&1 == 1 {
				with[i] = true
				for _, head := range c.heads {
					all.cell(head)[tax] += c.cells[head][tax]
				}
			}
		}
		if len(with) < 2 || !sameTax(all, whole) {
			continue
		}
		if found != nil {
			return nil
		}
		found = with
	}
	return found
}

// makingUp returns the indexes of the charges whose tax adds up to that of a claim, head by head. It returns nil if
// there are none, or several such sets.
func (r *reading) makingUp(c *claim) map[int]bool {
	const most = 16 // number of charges to choose from
	var with []charge
	for _, ch := range r.charges {
		if ch.claim.start < c.end && c.start < ch.claim.end && len(r.charges) > 1 {
			ch.claim = ch.prose // the table of all charges follows the last one
		}
		if ch.claim.headed() && ch.claim.of(tax) > 0 {
			with = append(with, ch)
		}
	}
	if len(with) == 0 || len(with) > most {
		return nil
	}
	var heads []string
	for _, head := range headNames {
		if c.cells[head] != nil && c.cells[head][tax] > 0 || slices.ContainsFunc(with, func(ch charge) bool {
			return ch.claim.cells[head] != nil
		}) {
			heads = append(heads, head)
		}
	}
	taxOf := func(c *claim, head string) int64 {
		if c.cells[head] == nil {
			return 0
		}
		return c.cells[head][tax]
	}
	found := uint(0)
	for set := uint(1)<<len(with) - 1; set > 0; set-- { // beginning with all of them
		fits := true
		for _, head := range heads {
			sum := int64(0)
			for i, ch := range with {
				if set>>i&1 == 1 {
					sum += taxOf(ch.claim, head)
				}
			}
			if fits = within(sum, taxOf(c, head)); !fits {
				break
			}
		}
		if !fits {
			continue
		}
		if found != 0 {
			return nil
		}
		if found = set; set == uint(1)<<len(with)-1 {
			break
		}
	}
	if found == 0 {
		return nil
	}
	made := map[int]bool{}
	for i, ch := range with {
		if found>>i&1 == 1 {
			made[ch.start] = true
		}
	}
	return made
}
