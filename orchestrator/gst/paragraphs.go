package gst

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// allegation is an item of the notice that alleges something. It has no number if it is a bullet.
type allegation struct {
	span
	number string
	low    string // its text in lower case
}

// item is a numbered, lettered or bulleted part of the text.
type item struct {
	span
	number string
	style  string // the same for the items of one list
	order  int
	line   int
}

var (
	numberedItem = lazyregexp.New(`^(\(?)(\d{1,2}(?:\.\d{1,2}){0,3})([.):]|)\)?(?: |$)`)
	numberComma  = lazyregexp.New(`^\d{1,2}, [a-z]`)
	letteredItem = lazyregexp.New(`^(\(?)([a-z]|[ivx]{2,5})([.)])(?:[., ]|$)`)
	romanRow     = lazyregexp.New(`^([ivx]{1,5}) `)                            // only in a table
	spoiltRoman  = lazyregexp.New(`^(\(?)([il1!|]{2,4})([.)])[., ]{0,2}[a-z]`) // "Il." for "II.", "IL." for "III."
	namedItem    = lazyregexp.New(`^((?:[a-z]{4,14} )?(?:discrepancy|issue|para(?:graph)?|point|ground|allegation|observation|query|objection|charge|matter|finding|anomaly|parameter|defect|deficiency|irregularity|reason|head|item|count|lapse|contravention|violation|topic)(?: ?-? ?(?:no|number|#)\.?)?|s[lr]?\. ?no\.?) ?[-:.#]? ?\(?(\d{1,2}|[ivx]{1,5}|[a-z])(?: ?[.:)-]| |$)`)
	// "विसंगति 1 :", counted with a word like namedItem
	namedInHindi = lazyregexp.New(`^((?:विसंगति|आपत्ति|बिन्दु|बिंदु|आरोप|अनियमितता|त्रुटि|आधार)(?: ?(?:सं\.?|संख्या|क्रमांक|क्र\.))?) ?[-:.]? ?(\d{1,2})(?: ?[.:)-]| |$)`)
	pathItem     = lazyregexp.New(`^([a-z]\.)(\d{1,2})[.)]? `) // "C.1" under "C."
	spoiltOne    = lazyregexp.New(`^[a-z]{4,14} ?-? ?[!|l][.:]`)
	hindiItem    = lazyregexp.New(`^\(?([कखगघङचछजझअबसद])[).] ?(?:/ ?\(?[0-9a-z]\))?`)
	// "(क) / (a)", with the first letter misread in any way
	twinItem   = lazyregexp.New(`^\(?[^ ()a-z0-9]{1,6}[).]? ?/ ?\(([a-z])\)`)
	bulletItem = lazyregexp.New(`^(?:[•●▪■◦*·➢✓¢«»°®©]|-|o) [^\s]`)

	tableHeading = lazyregexp.New(`\b(?:s[lr]?\.? ?(?:no)?\b\.?|no\.).*(?:description|reason|discrepan|ground|particular|issue|observation|allegation|objection|nature|quer(?:y|ies)\b)|^क्र\.?.*(?:विसंगति|आपत्ति|कारण)`)

	opensCharges  = lazyregexp.New(`^(?:[a-z0-9]{1,3}[.)] ?)?(?:the )?(?:allegations?|grounds?|grounds? and quantification|discrepanc(?:y|ies)(?: noticed| observed| found)?|(?:audit )?(?:findings|observations?|objections?)|charges?|charges framed|issues(?: involved)?|points at issue|reasons|discussion and findings|contraventions?(?: alleged| noticed)?|violations?(?: noticed)?|irregularities(?: noticed| found)?|lapses|defaults?)(?: ?[:.-]+)?$`)
	closesCharges = lazyregexp.New(`^(?:[a-z0-9]{1,3}[.)] ?)?(?:quantification|show cause|demand|computation|summary|conclusion|relied upon documents|legal provisions?|statutory provisions?|personal hearing|prayer|order|documents relied upon|calculation)(?: of [a-z ]{3,40})?(?: ?[:.-]+)?$`)
	endsItem      = lazyregexp.New(`^(?:(?:grand )?total\b|you are|you may|tax and other dues|details of demand|now,? therefore|the (?:tax, interest|above|amounts?|total)|interest (?:has been|under|shall)|therefore|in view of|for the above|summary of|signature|name ?:|designation ?:|proper officer|if you|please|yours|in case|kindly|अतः|अत:|आपको |ब्याज|प्रस्तावित|\(?dated|place|penalty is proposed|should you|output tax|input tax credit discrep|other parameters|annex|note ?:)`)
)

// block is a numbered item of the text, with its kind.
type block struct {
	allegation
	item  item
	kind  string
	point bool // a single point, which the blocks below it discuss
	// of a list that is announced as reasons
	listed bool
}

// readParagraphs reads every numbered block and its kind.
func (r *reading) readParagraphs() {
	d := r.doc
	if r.form == nil && d.contains(d.title(), "summons") && !d.contains(d.title(), "show cause") {
		return // it asks for evidence and charges nothing
	}
	open, hasZone := d.chargeZones()
	if r.form != nil && (strings.HasPrefix(r.form.Form, "REG-") || r.form.Form == "ADT-02") {
		hasZone = false // there the reasons are above the "Observations", here each has its own heading
	}
	var blocks []block
	noted := ""               // the style of a list of notes to a form
	listed, listedAt := "", 0 // the style of the list that is announced as reasons
	wanted := ""              // the style of a list of papers to produce
	for _, it := range r.withoutWorkings(r.items()) {
		announced := it.order == 1 && it.style != "bullet" && announces(d.lowIn(it.start-announcedWithin, it.start))
		switch {
		case announced:
			listed, listedAt = it.style, it.start
		case it.order == 1 && it.style == listed:
			listed = ""
		}
		if r.inTable(it.start) && !r.saysMore(it) {
			continue // a row that only names what is charged elsewhere
		}
		low := strings.TrimSpace(d.low[it.start:min(it.end, it.start+4000)])
		if subs := d.inlineItems(it, low); len(subs) > 0 {
			for _, sub := range subs {
				own := it
				own.span = sub.span
				blocks = append(blocks, block{allegation: sub, item: own, kind: "charge"})
			}
			continue
		}
		b := block{allegation: allegation{it.span, it.number, low}, item: it}
		if it.order == 1 && it.line > 0 {
			above := d.lines[it.line-1]
			if noted = ""; noteHeading.MatchString(d.low[above.start:above.end]) {
				noted = it.style
			}
		}
		b.listed = it.style == listed && it.start >= listedAt || r.inReasons(it.start)
		b.kind = r.kindOfBlock(b, b.listed)
		if it.order == 1 && it.style != "bullet" {
			if wanted = ""; !r.answersQueries() && asksFor.MatchString(d.lowIn(it.start-announcedWithin, it.start)) {
				wanted = it.style
			}
		}
		if it.style == wanted && b.kind != "concession" {
			b.kind = "operative" // a paper to produce
		}
		if it.style == noted {
			b.kind = "boilerplate"
		}
		if b.kind == "charge" && it.line < r.body() && r.inReferences(it.line) {
			b.kind = "narrative" // a paper that the letter refers to
		}
		if r.inTable(it.start) && b.kind != "charge" && b.kind != "concession" {
			continue // a row of some table
		}
		blocks = append(blocks, b)
	}
	if hasZone && slices.ContainsFunc(blocks, func(b block) bool { return b.kind == "charge" && open[b.item.line] }) {
		for i, b := range blocks {
			if b.kind == "charge" && !open[b.item.line] {
				blocks[i].kind = "narrative"
			}
		}
	}
	blocks = once(blocks)
	together(blocks)
	// The numbered items of these forms are their standard text.
	if r.form != nil && (r.form.Form == "DRC-01B" || r.form.Form == "DRC-01C") {
		for i := range blocks {
			if blocks[i].kind == "charge" {
				blocks[i].kind = "narrative"
			}
		}
	}
	if r.amends() || r.isAppealLetter() || r.chargesNothing() {
		for i := range blocks {
			if blocks[i].kind == "charge" {
				blocks[i].kind = "operative"
			}
		}
	}
	r.settleByPlace(blocks)
	r.onlyListed(blocks)
	onlyOnce(blocks)
	r.onlyNamed(blocks)
	if charges := func(b block) bool { return b.kind == "charge" }; !slices.ContainsFunc(blocks, charges) && !r.amends() &&
		!r.isAppealLetter() && !r.chargesNothing() {
		blocks = append(blocks, r.rowsOfCharges()...)
		if !slices.ContainsFunc(blocks, charges) {
			blocks = append(blocks, r.runningCharges()...)
		}
	}
	r.blocks = blocks
	r.takeBlocks()
}

// chargesNothing reports whether a paper of this kind only acts on an earlier charge, order or default.
func (r *reading) chargesNothing() bool {
	return r.facts.OnAppeal() || r.form != nil &&
		slices.Contains([]string{"DRC-13", "DRC-16", "DRC-22", "GSTR-3A", "APL-04"}, r.form.Form)
}

// onlyListed keeps, in a notice about goods in transit that announces a list of discrepancies, only the items of that
// list: the paragraphs around it describe how the vehicle was stopped, and what follows from it.
func (r *reading) onlyListed(blocks []block) {
	if r.form == nil || !strings.HasPrefix(r.form.Form, "MOV-") {
		return
	}
	listed := func(b block) bool { return b.kind == "charge" && b.listed }
	if !slices.ContainsFunc(blocks, listed) {
		return
	}
	for i, b := range blocks {
		if b.kind == "charge" && !b.listed {
			blocks[i].kind = "narrative"
		}
	}
}

// amends reports whether the paper is one that only corrects another.
func (r *reading) amends() bool {
	const top = 25 // lines
	d := r.doc
	for _, l := range d.lines[:min(len(d.lines), top)] {
		if corrigendum.MatchString(d.low[l.start:l.end]) {
			return true
		}
	}
	return false
}

var corrigendum = lazyregexp.New(`^(?:form gst )?(?:corrigendum|addendum|erratum|शुद्धि[- ]?पत्र)\b.{0,40}$|^शुद्धिपत्र`)

// isAppealLetter reports whether an appellate authority writes about an appeal before it: such a letter neither
// charges nor claims anything.
func (r *reading) isAppealLetter() bool {
	if r.form != nil || r.isOrder() {
		return false
	}
	d := r.doc
	own := span{d.begin, r.extent()}
	return appellateOffice.MatchString(d.lowIn(own.start, own.start+700)) && ofAppeal.MatchString(d.subject(own))
}

var (
	appellateOffice = lazyregexp.New(`\(appeals?(?:[ -]+[ivx0-9]+)?\)|\bappellate (?:authority|tribunal|commissioner)|अपील`)
	ofAppeal        = lazyregexp.New(`\bappeal|अपील`)
)

// takeBlocks adds the blocks to the facts, and the charges among them to the allegations.
func (r *reading) takeBlocks() {
	d := r.doc
	for _, b := range r.blocks {
		if b.kind == "charge" {
			r.allegations = append(r.allegations, b.allegation)
			if b.number != "" {
				r.cite("paragraphs", b.span)
			}
		}
		if b.number != "" && len(r.facts.Paragraphs) < mostParagraphs {
			r.facts.Paragraphs = append(r.facts.Paragraphs,
				Paragraph{Number: b.number, Text: d.prose(b.item.span), Page: d.page(b.start),
					Kind: cmp.Or(b.kind, "narrative")})
		}
	}
}

// answersQueries reports whether the form asks for papers as its reasons, so that each query is a charge.
func (r *reading) answersQueries() bool {
	return r.form != nil && (strings.HasPrefix(r.form.Form, "REG-") || strings.HasPrefix(r.form.Form, "RFD-"))
}

// asksFor matches the announcement of a list of papers to produce.
var asksFor = lazyregexp.New(`\b(?:produce|furnish|submit|bring|enclose|attach|send|provide)\b[^.;]{0,60}\b(?:following|below|under|listed)\b[^.;]{0,60}$`)

// saysMore reports whether the line on which an item begins, or its continuation, has words besides the number.
func (r *reading) saysMore(it item) bool {
	d := r.doc
	l := d.lines[it.line]
	rest := strings.TrimPrefix(d.low[it.start:l.end], lowerASCII(it.number))
	return strings.ContainsFunc(rest, isNameLetter) && !namesHeadAlone(rest) || len(l.cells) < 3
}

// namesHeadAlone reports whether a row has no words except a head of tax, besides its amounts.
func namesHeadAlone(low string) bool {
	words := 0
	for w := range strings.FieldsSeq(low) {
		if w = strings.Trim(w, ".,:;()|/-"); !strings.ContainsFunc(w, isNameLetter) {
			continue
		}
		if taxHead(w) == "" {
			return false
		}
		words++
	}
	return words == 1
}

const mostParagraphs = 2000

// once removes the blocks that a bundle repeats word for word, so that they are charged once.
func once(blocks []block) []block {
	seen := map[string]bool{}
	return slices.DeleteFunc(blocks, func(b block) bool {
		words := b.number + " " + strings.Join(strings.Fields(b.low), " ")
		repeated := seen[words]
		seen[words] = true
		return repeated
	})
}

var (
	reasonColumn = lazyregexp.New(`\b(?:reason|discrepan|observation|finding|ground|objection|allegation|deficien|irregularit|defect|nature of|audit para|issue|quer(?:y|ies)\b)|विसंगति|आपत्ति|कारण`)
	formColumn   = lazyregexp.New(`\bdescription\b.*\bparticulars\b`)
)

// inReasons reports whether an offset is in a table of reasons or discrepancies.
func (r *reading) inReasons(at int) bool {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > at })
	if i == len(r.claims) || r.claims[i].start > at {
		return false
	}
	heading := r.doc.lowIn(r.claims[i].start, r.claims[i].body)
	return reasonColumn.MatchString(heading) && !formColumn.MatchString(heading)
}

// own returns the first paragraph of a block in lower case.
func (d *document) own(s span) string {
	end := min(s.end, s.start+1500)
	for i := d.lineAt(s.start) + 1; i < len(d.lines) && d.lines[i].start < end; i++ {
		if d.lines[i].first && !isContinued(d, i) {
			end = d.lines[i].start
		}
	}
	return d.lowIn(s.start, end)
}

// ownWords returns the running text of a block in lower case: up to a line that ends early with a full stop, or up to
// a table.
func (r *reading) ownWords(s span) string {
	d := r.doc
	first := d.lineAt(s.start)
	widest := 0
	for i := first; i < len(d.lines) && d.lines[i].start < s.end; i++ {
		if i > first && r.inTable(d.lines[i].start) && !r.inTable(s.start) {
			return d.lowIn(s.start, d.lines[i].start)
		}
		widest = max(widest, d.lines[i].end-d.lines[i].start)
		if i == first || widest < 60 {
			continue
		}
		above := d.lines[i-1]
		if d.lines[i].first && !isContinued(d, i) ||
			d.text[above.end-1] == '.' && (above.end-above.start)*10 < widest*8 && isUpper(d.text[d.lines[i].start]) &&
				i-first > 1 {
			return d.lowIn(s.start, d.lines[i].start)
		}
	}
	return d.lowIn(s.start, s.end)
}

var (
	noteHeading  = lazyregexp.New(`^(?:note|notes|n\.b\.?|instructions?|terms)\b.{0,6}$`)
	groundsPoint = lazyregexp.New(`^\(?[a-z0-9]{1,2}[.)] ?grounds?\b`)
)

// onlyOnce keeps the longer one of two charges for the same thing: rows of a table that sums up the numbered charges
// before it, and the grounds of a form that only name what its annexure charges.
func onlyOnce(blocks []block) {
	told := map[string]bool{}
	last := -1
	for i, b := range blocks {
		if b.kind != "charge" {
			continue
		}
		last = i
		const fewWords = 8
		switch number := strings.Trim(b.number, "()."); {
		case (b.item.style == "row" || len(strings.Fields(b.low)) < fewWords) && told[number]:
			blocks[i].kind = "narrative"
		case b.item.style != "row":
			told[number] = true
		}
	}
	for i, b := range blocks {
		if b.kind == "charge" && i < last && groundsPoint.MatchString(b.low) {
			blocks[i].kind = "narrative"
		}
	}
}

// rowsOfCharges returns the rows of a table that say in words what each amount is for, in a paper without other
// charges.
func (r *reading) rowsOfCharges() []block {
	const leastWords = 4
	for _, c := range r.claims {
		if !c.headed() || c.flat || c.result || c.kinds > 1 || c.start >= r.annexure() {
			continue
		}
		var rows []block
		told := 0
		for i, row := range c.rows {
			if row.Role != table.Detail || table.IsTotal(row.Label) {
				continue
			}
			low := lowerASCII(row.Label)
			number, words := fmt.Sprint(i+1), strings.Fields(low)
			if len(words) > 0 && len(strings.Trim(words[0], ".()")) <= 2 {
				number, words = strings.Trim(strings.Fields(row.Label)[0], ".()"), words[1:]
			}
			if len(words) < leastWords || readLabel(low).strong() || len(withoutPeriod(words)) < 2 {
				continue
			}
			told++
			b := block{allegation{span{row.Start, max(row.End, row.Start+1)}, number, strings.Join(words, " ")},
				item{span: span{row.Start, row.End}, style: "row", order: i + 1}, "charge", false, true}
			switch {
			case concession(low) || !slices.ContainsFunc(row.Cells, func(cell table.Cell) bool {
				return cell.Amount.Paise != 0
			}):
				b.kind = "concession"
			case workings.MatchString(low) && !containsAny(low, faults...) && !provision.MatchString(low):
				continue
			}
			rows = append(rows, b)
		}
		if told > 1 && len(rows) == told {
			return rows
		}
	}
	return nil
}

// runningCharges returns the points that a paragraph counts on its lines after a word for charges, in a paper that
// has no other charges: "Reasons: (i) the certificates are not legible. (ii) the agreement is not on record."
func (r *reading) runningCharges() []block {
	const longest, most = 3000, 20
	d := r.doc
	for i, l := range d.lines {
		if l.start >= r.extent() {
			break
		}
		low := d.lineLow(i)
		m := opensRunning.FindStringSubmatchIndex(low)
		if m == nil {
			continue
		}
		end := min(l.start+longest, len(d.text))
		for k := i + 1; k < len(d.lines) && d.lines[k].start < end; k++ {
			next := d.lines[k]
			if next.first && !isContinued(d, k) || r.inTable(next.start) || endsItem.MatchString(d.lineLow(k)) {
				end = next.start
			}
		}
		from := l.start + m[2]
		text := d.low[from:end]
		var marks [][]int
		for _, mark := range runningItem.FindAllStringSubmatchIndex(text, most) {
			if ordinal(text[mark[2]:mark[3]]) == len(marks)+1 {
				marks = append(marks, mark)
			}
		}
		var blocks []block
		for n, mark := range marks {
			s := span{from + mark[2], end}
			if n+1 < len(marks) {
				s.end = from + marks[n+1][0] + 1
			}
			open, _ := strings.CutSuffix(d.text[s.start-1:s.start], " ")
			number := itemNumber(open, d.text[s.start:from+mark[3]])
			b := block{allegation: allegation{s, number, d.low[s.start:s.end]}, kind: "charge"}
			b.item = item{span: s, number: b.number, style: "running", order: n + 1, line: d.lineAt(s.start)}
			if concession(b.low) {
				b.kind = "concession"
			}
			blocks = append(blocks, b)
		}
		if len(blocks) > 0 {
			return blocks
		}
	}
	return nil
}

var (
	opensRunning = lazyregexp.New(`^(?:(?:the )?(?:reasons?|grounds?|discrepanc(?:y|ies)|allegations?|observations?|findings?|objections?|charges?|deficienc(?:y|ies)|defects?)(?: (?:noticed|observed|found|involved|for (?:the )?(?:rejection|cancellation|notice)))?|आधार|विसंगतियाँ|कारण) ?(?:[.:]|:? ?-)+ ?(\(?(?:i|a|1)[.)] )`)
	runningItem  = lazyregexp.New(`(?:^|[ :.-])\(?([ivx]{1,4}|[a-h]|[1-9])[.)] `)
)

// withoutPeriod removes the words of a row that name a period: "April 2019 to September 2019".
func withoutPeriod(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool {
		w = strings.Trim(w, ".,:;()-–/")
		return w == "" || isDigit(w[0]) || periodWord.MatchString(w)
	})
}

var periodWord = lazyregexp.New(`^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*$|^(?:to|from|and|fy|f\.y|year|quarter|month|q[1-4])$|^(?:जनवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितम्बर|सितंबर|अक्टूबर|अक्तूबर|नवम्बर|नवंबर|दिसम्बर|दिसंबर|से|तक)$`)

// together sets the kinds of uncertain blocks from the others in their list: an item among reasons is a reason,
// however it is worded.
func together(blocks []block) {
	for from := 0; from < len(blocks); {
		to := from + 1
		for to < len(blocks) && blocks[to].item.style == blocks[from].item.style &&
			blocks[to].item.order == blocks[to-1].item.order+1 {
			to++
		}
		charges, unknown, conceded := 0, 0, 0
		for _, b := range blocks[from:to] {
			switch {
			case b.kind == "charge":
				charges++
			case b.kind == "concession":
				conceded++
			case b.kind == "" && !opensConsequence.MatchString(b.low) && !strings.HasPrefix(b.item.style, "para"):
				unknown++
			}
		}
		if charges > 0 && charges+unknown+conceded == to-from &&
			(charges > unknown || charges == unknown && (conceded > 0 || blocks[from].kind == "charge")) {
			for i := from; i < to; i++ {
				if blocks[i].kind == "" {
					blocks[i].kind = "charge"
				}
			}
		}
		from = to
	}
}

// prose returns the text of a charge without the rows of tables in it.
func (d *document) prose(s span) string {
	const longest = 3000
	var b strings.Builder
	for i := d.lineAt(s.start); i < len(d.lines) && d.lines[i].start < s.end && b.Len() < longest; i++ {
		l := d.lines[i]
		if len(l.cells) > 2 && l.start > s.start {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(d.text[max(l.start, s.start):min(l.end, s.end)])
	}
	return strings.TrimSpace(b.String())
}

// chargeZones returns for each line whether it is under a heading such as "Allegations", and whether there is such a
// heading at all.
func (d *document) chargeZones() (open []bool, any bool) {
	open = make([]bool, len(d.lines))
	state := false
	for i, l := range d.lines {
		if l.end-l.start < 60 {
			low := d.low[l.start:l.end]
			switch {
			case opensCharges.MatchString(low):
				state, any = true, true
			case closesCharges.MatchString(low), state && otherHeading.MatchString(low):
				state = false
			}
		}
		open[i] = state
	}
	return open, any
}

// otherHeading matches the numbered heading of another part.
var otherHeading = lazyregexp.New(`^(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)] ?[a-z]+(?: [a-z]+){0,3} ?:?$`)

// items returns the items of the lists in the text. An item counts only in sequence: as the first of a list, or the
// next after one of the same style.
func (r *reading) items() []item {
	d := r.doc
	var all []item
	last, within := map[string]int{}, r.listsFromWithin()
	inTable := 0
	for i, l := range d.lines {
		low := d.low[l.start:l.end]
		if it, ok := within[i]; ok {
			last[it.style] = it.order - 1
		}
		if len(low) < 140 && tableHeading.MatchString(d.headingText(i)) {
			inTable = i + 1
		}
		it, ok := d.itemAt(i, last, inTable > 0 && i-inTable < 60 || r.inTable(l.start))
		if n := len(all); ok && n > 0 && it.style == "row" && it.order == 1 && all[n-1].style == "row" &&
			all[n-1].order > 1 && r.sameTable(all[n-1].start, l.start) {
			ok = false // a number within the words of a row
		}
		if ok {
			it.line = i
			last[it.style] = it.order
			if n := len(all); n > 0 && all[n-1].end > l.start {
				all[n-1].end = l.start
			}
			it.end = len(d.text)
			all = append(all, it)
			continue
		}
		if n := len(all); n > 0 && all[n-1].end > l.start {
			previous := all[n-1]
			heading := len(low) < 60 && (opensCharges.MatchString(low) || closesCharges.MatchString(low)) ||
				i == d.firstLine(l.page) && d.isTitle(l)
			starts := !isLower(d.text[l.start]) &&
				(l.first || strings.IndexByte(".;:)0123456789", d.text[d.lines[i-1].end-1]) >= 0 ||
					strings.HasSuffix(d.text[:d.lines[i-1].end], "।"))
			if heading || starts && i > previous.line && endsItem.MatchString(low) || l.start-previous.start > 12_000 {
				all[n-1].end = l.start
			}
		}
	}
	return all
}

// listsFromWithin returns the items, by line, of lists of which the paper has only some: "14." and "15." of an annexure,
// "(f)" and "(h)" of the grounds of a form, "Reason 3" and "Reason 7". They are lists of their own without a first item.
func (r *reading) listsFromWithin() map[int]item {
	const least, most = 2, 30
	d := r.doc
	lists := map[string][]item{}
	for i, l := range d.lines {
		if l.start >= r.extent() || r.inTable(l.start) {
			continue
		}
		if it, ok := d.itemAt(i, nil, false); ok && it.style != "bullet" && it.style != "row" {
			it.line = i
			lists[it.style] = append(lists[it.style], it)
		}
	}
	within := map[int]item{}
	for _, list := range lists {
		rising := list[0].order > 1 && list[len(list)-1].order <= most && len(list) >= least
		for k := 1; k < len(list); k++ {
			rising = rising && list[k].order > list[k-1].order
		}
		for _, it := range list {
			if rising {
				within[it.line] = it
			}
		}
	}
	return within
}

// withoutWorkings attaches the numbered rows of a table that only shows how the sum of a paragraph was computed to
// that paragraph.
func (r *reading) withoutWorkings(items []item) []item {
	const lead = 160
	var all []item
	for _, it := range items {
		if i := r.claimAt(it.start); i >= 0 && it.style == "row" && len(all) > 0 {
			parent, c := &all[len(all)-1], r.claims[i]
			if parent.style != "row" && parent.number != "" && parent.start < c.start && parent.end >= it.start-1 &&
				worksOut.MatchString(strings.TrimSpace(r.doc.lowIn(max(parent.start, c.start-lead), c.start))) {
				parent.end = it.end
				continue
			}
		}
		all = append(all, it)
	}
	return all
}

// worksOut matches words that introduce a table of how a sum was computed.
var worksOut = lazyregexp.New(`\b(?:works? out|worked out|comes? to|computed|calculated|quantified|tabulated)\b[^.;]{0,40}[:.-]*$`)

// claimAt returns the index of the table at an offset, -1 for none.
func (r *reading) claimAt(at int) int {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > at })
	if i == len(r.claims) || r.claims[i].start > at {
		return -1
	}
	return i
}

// isTitle reports whether a line is short and in capitals, like the title of a paper.
func (d *document) isTitle(l line) bool {
	const longest = 80
	text := d.text[l.start:l.end]
	return len(text) < longest && len(l.cells) == 1 && strings.ContainsFunc(text, unicode.IsUpper) &&
		strings.ToUpper(text) == text && strings.Contains(text, " ")
}

// sameTable reports whether two offsets are in the same table.
func (r *reading) sameTable(a, b int) bool {
	i := sort.Search(len(r.claims), func(i int) bool { return r.claims[i].end > a })
	return i < len(r.claims) && r.claims[i].start <= a && b < r.claims[i].end
}

// headingText returns the line in lower case, preceded by short lines above it, which may be other cells of the same
// heading.
func (d *document) headingText(i int) string {
	from := i
	for from > max(0, i-3) && d.lines[from-1].page == d.lines[i].page &&
		d.lines[from-1].end-d.lines[from-1].start < 12 {
		from--
	}
	return d.low[d.lines[from].start:d.lines[i].end]
}

// ordinalItem is a point that is counted by a word: "Secondly, credit was taken".
var ordinalItem = lazyregexp.New(`^(first|second|third|fourth|fifth|sixth|seventh)(?:ly)?(?: (?:point|issue|ground|charge|objection))?[,:]`)

var countingWords = [...]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh"}

// twinLabel is a label in another script before the same in English.
var twinLabel = lazyregexp.New(`^[^a-z0-9]{4,60}/ ?`)

// spoiltCounted matches the word for a charge with what recognition made of its Roman number: "Defect-ill",
// "Defect-".
var spoiltCounted = lazyregexp.New(`^(discrepancy|defect|issue|point|observation|query|objection|charge|finding|allegation|ground|irregularity|deficiency) ?[-–] ?[il1!|jt]{0,5}[ .:)]`)

const spoiltStyle = "spoilt"

// spoiltCounter returns which charge a line begins if recognition spoilt the Roman numbers of several, 0 for none:
// only their order can tell.
func (d *document) spoiltCounter(low string, l line, last map[string]int) int {
	if !d.isRecognised(l.start) {
		return 0
	}
	m := spoiltCounted.FindStringSubmatch(low)
	if m == nil || len(low) < len(m[0])+12 {
		return 0
	}
	n, read := 0, 0
	for i := range d.lines {
		if own := spoiltCounted.FindStringSubmatch(d.lineLow(i)); own != nil && own[1] == m[1] {
			n++
			if named := namedItem.FindStringSubmatchIndex(d.lineLow(i)); named != nil &&
				ordinal(d.lineLow(i)[named[4]:named[5]]) == n {
				read++
			}
		}
	}
	if n < 2 || read == n {
		return 0
	}
	return last[spoiltStyle] + 1
}

// itemAt reads the item with which a line begins, if it is the first or the next of its list; last has the number of the
// last item of each list, or is nil for items in any order.
func (d *document) itemAt(i int, last map[string]int, inTable bool) (item, bool) {
	l := d.lines[i]
	low := d.low[l.start:l.end]
	signed := false
	if rest := strings.TrimLeft(low, "¶§▶►➤➢•●▪■◆✓❖ "); len(rest) < len(low) &&
		(low[:2] == "¶" || low[:2] == "§" || numberedItem.MatchString(rest)) { // the sign of a paragraph
		l.start += len(low) - len(rest)
		low, signed = rest, true
	}
	at := item{span: span{start: l.start, end: l.end}}
	inOrder := func(style string, order int) bool {
		if last == nil {
			return true
		}
		previous, seen := last[style]
		lost := d.isRecognised(l.start) && (seen && order == previous+2 || !seen && order == 2) && style != "row"
		return order == 1 || seen && order == previous+1 || !seen && order == 2 && style == "1." || lost
	}
	if d.isRecognised(l.start) {
		if m := spoiltOne.FindStringIndex(low); m != nil {
			low = low[:m[1]-2] + "i" + low[m[1]-1:] // "Allegation-!."
		}
	}
	if m := twinLabel.FindStringIndex(low); m != nil && namedItem.MatchString(low[m[1]:]) {
		l.start += m[1] // "अनुच्छेद / Para 1:"
		low, at.start = low[m[1]:], l.start
	}
	if order := d.spoiltCounter(low, l, last); order > 0 {
		word, _, _ := strings.Cut(d.text[l.start:l.end], "-")
		at.number, at.style, at.order = strings.TrimSpace(word)+" "+strconv.Itoa(order), spoiltStyle, order
		return at, true
	}
	if m := namedItem.FindStringSubmatchIndex(low); m != nil {
		order := ordinal(low[m[4]:m[5]])
		style := low[m[2]:m[3]]
		if order > 0 && (inOrder(style, order) || order > 1 && last[named] == order-1) && l.end-l.start > m[5]+3 {
			end := l.start + m[5]
			if end < l.end && d.text[end] == ')' && strings.Contains(d.text[l.start:end], "(") {
				end++
			}
			at.number, at.style, at.order = d.text[l.start:end], style, order
			if last != nil {
				last[named] = order
			}
			return at, true
		}
	}
	if m := ordinalItem.FindStringSubmatch(low); m != nil {
		if order := slices.Index(countingWords[:], m[1]) + 1; inOrder("ordinal", order) {
			at.number, at.style, at.order = d.text[l.start:l.start+len(m[0])-1], "ordinal", order
			return at, true
		}
	}
	if m := namedInHindi.FindStringSubmatchIndex(low); m != nil {
		style, order := low[m[2]:m[3]], ordinal(low[m[4]:m[5]])
		if inOrder(style, order) && l.end-l.start > m[5]+3 {
			at.number, at.style, at.order = d.text[l.start:l.start+m[5]], style, order
			return at, true
		}
	}
	if m := pathItem.FindStringSubmatch(low); m != nil {
		style, order := m[1]+"1", ordinal(m[2])
		if inOrder(style, order) && beginsWithWord(low[len(m[0]):]) {
			at.number, at.style, at.order = d.text[l.start:l.start+len(m[1])+len(m[2])], style, order
			return at, true
		}
	}
	if d.isRecognised(l.start) && numberComma.MatchString(low) {
		low = strings.Replace(low, ",", ".", 1) // "1, The return"
	}
	if m := spoiltRoman.FindStringSubmatch(low); m != nil && d.isRecognised(l.start) {
		style := m[1] + "i" + m[3]
		if order := last[style] + 1; order == len(m[2]) || order == len(m[2])+1 || order == 1 && len(m[2]) == 2 {
			order = max(order, 2) // the first may be lost
			at.number, at.style, at.order = itemNumber(m[1], strings.Repeat("I", min(order, 3))), style, order
			return at, true
		}
	}
	if m := numberedItem.FindStringSubmatch(low); m != nil {
		parent, leaf := "", m[2]
		if dot := strings.LastIndexByte(m[2], '.'); dot >= 0 {
			parent, leaf = m[2][:dot+1], m[2][dot+1:]
		}
		order := ordinal(leaf)
		style := m[1] + parent + "1" + m[3]
		if ones := len(leaf); m[1] == "(" && strings.Trim(leaf, "1") == "" && ones > 1 && last["(i)"] == ones-1 &&
			d.isRecognised(l.start) {
			order, style, m[2] = ones, "(i)", strings.Repeat("i", ones) // "(11)" for "(ii)"
		}
		if last[style] == 0 && order > 1 && parent == "" && m[3] != "" && i > 0 && d.isRecognised(l.start) &&
			strings.HasSuffix(d.text[d.lines[i-1].start:d.lines[i-1].end], ":") {
			order, m[2] = 1, "1" // the first item of an announced list, misread
		}
		plain := m[1] == "" && m[3] == "" && parent == "" && !signed
		if plain {
			style = "row"
		}
		// The portal numbers the reasons in a registration notice without a full stop.
		plain = plain && !reasonByProvision.MatchString(low[len(m[0]):])
		words := low[len(m[0]):]
		if words == "" && i+1 < len(d.lines) && (!plain || inTable) {
			words = d.low[d.lines[i+1].start:d.lines[i+1].end]
		}
		if order > 0 && inOrder(style, order) && (!plain || inTable) && beginsWithWord(words) {
			at.number, at.style, at.order = itemNumber(m[1], m[2]), style, order
			return at, true
		}
		return item{}, false
	}
	if m := letteredItem.FindStringSubmatch(low); m != nil {
		style, order := m[1]+"a"+m[3], int(m[2][0]-'a')+1
		if roman := ordinal(m[2]); roman > 0 &&
			(len(m[2]) > 1 || m[2] == "i" && last[style] != 8 ||
				last[m[1]+"i"+m[3]] == roman-1 && last[style] != order-1) {
			style, order = m[1]+"i"+m[3], roman
		}
		if (len(m[2]) == 1 || style[len(style)-2] == 'i') && inOrder(style, order) {
			at.number, at.style, at.order = itemNumber(m[1],
				d.text[l.start+len(m[1]):l.start+len(m[1])+len(m[2])]), style, order
			return at, true
		}
		return item{}, false
	}
	if m := romanRow.FindStringSubmatch(low); m != nil && inTable && !d.isRecognised(l.start) &&
		inOrder("i row", ordinal(m[1])) && beginsWithWord(low[len(m[0]):]) {
		at.number, at.style, at.order = m[1], "i row", ordinal(m[1])
		return at, true
	}
	order := 0
	if m := hindiItem.FindStringSubmatch(low); m != nil {
		order = max(strings.Index("कखगघङचछजझ", m[1]), strings.Index("अबसद", m[1]))/3 + 1
	} else if m := twinItem.FindStringSubmatch(low); m != nil {
		order = ordinal(m[1])
	}
	if order > 0 && inOrder("(a)", order) {
		at.number, at.style, at.order = "("+string(rune('a'+order-1))+")", "(a)", order
		return at, true
	}
	if bulletItem.MatchString(low) {
		at.style, at.order = "bullet", 1
		return at, true
	}
	return item{}, false
}

// reasonByProvision matches a reason to cancel a registration as the portal prints it, "Rule 21(f)-person furnishes".
var reasonByProvision = lazyregexp.New(`^(?:section 29\(|rule 21\()`)

// named is the style of all items that begin with a word and a number: "Charge I … Charge II … Point III …".
const named = "named"

func itemNumber(open, number string) string {
	if open != "" {
		return "(" + number + ")"
	}
	return number
}

// beginsWithWord reports whether an item's text is prose, not figures.
func beginsWithWord(s string) bool {
	s = strings.TrimLeft(s, "\"'(*- ")
	if counted := strings.TrimLeft(s, "0123456789"); len(counted) < len(s) && strings.HasPrefix(counted, " ") {
		s = counted[1:] // "38 mattresses"
		if len(s) < 12 {
			return false
		}
	}
	letters := 0
	for letters < len(s) && (isLetter(s[letters]) || s[letters] >= 0x80) {
		letters++
	}
	return letters >= 2 || letters == 1 && len(s) > 12
}

// ordinal parses "7" or "iv".
func ordinal(s string) int {
	if isDigit(s[0]) {
		n := 0
		for i := range len(s) {
			n = n*10 + int(s[i]-'0')
		}
		return n
	}
	for i, roman := range [...]string{"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii",
		"xiv", "xv"} {
		if s == roman {
			return i + 1
		}
	}
	if len(s) == 1 && isLower(s[0]) {
		return int(s[0]-'a') + 1
	}
	return 0
}

var (
	issuesIntro = lazyregexp.New(`^(?:[0-9a-z]{1,3}[.)] ?)?reasons?\b ?[.:]|issues? involved|following (?:reasons|grounds|discrepancies|issues)|reasons? (?:are|for)`)
	inlineItem  = lazyregexp.New(`(?:^|[ -])(?:\((i|ii|iii|iv|v|vi|vii|viii|a|b|c|d|e|f|g)\)|(i|ii|iii|iv|v|vi)\.) `)
)

// inlineItems splits "Issues involved - (i) ...; (ii) ..." into its charges.
func (d *document) inlineItems(it item, low string) []allegation {
	if it.number == "" || !issuesIntro.MatchString(low[:min(len(low), 120)]) {
		return nil
	}
	var subs []allegation
	marks := inlineItem.FindAllStringSubmatchIndex(low, 20)
	for i, m := range marks {
		if m[2] < 0 {
			m[2], m[3] = m[4], m[5]
		}
		if ordinal(low[m[2]:m[3]]) != i+1 {
			return nil
		}
		end := len(low)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		if concession(low[m[0]:end]) {
			continue
		}
		if !containsAny(low[m[0]:end], faults...) && !provision.MatchString(low[m[0]:end]) {
			return nil
		}
		subs = append(subs, allegation{
			span{it.start + m[2] - 1, it.start + end}, strings.TrimSuffix(it.number, ".") + "(" + low[m[2]:m[3]] + ")",
			low[m[0]:end],
		})
	}
	if len(subs) < 2 {
		return nil
	}
	return subs
}

var (
	// operative are phrases of what the notice asks, says or encloses, which is not a charge.
	operative = []string{
		"should not be demanded", "should not be recovered", "should not be imposed", "should not be charged",
		"should not be paid", "should not be confirmed", "should not be rejected", "should not be cancelled",
		"should not be levied", "should not be appropriated", "called upon to show cause", "required to show cause",
		"directed to show cause",
		"requested to furnish the said return",
		"brief facts", "details of order", "description of goods", "under which demand is created", "details of demand",
		"tax and other dues", "summarised as", "summarized as", "is summarised", "is summarized", "as per annexure",
		"hereby directed to", "hereby advised", "hereby requested", "is ascertained as", "ascertained as below",
		"intelligence was received", "i confirm", "i order", "i impose", "i hereby confirm", "i hereby order",
		"i hereby impose", "i drop", "may be submitted", "submit the following", "furnish the following",
		"produce the following", "copy of",
		"copies of", "determination of amount payable", "amount payable pursuant",
	}
	// boilerplate are phrases that every such notice has.
	boilerplate = []string{
		"attention is invited", "documents relied upon", "relied upon documents",
		"wish to be heard", "heard in person", "personal hearing is desired", "please note", "section under which",
		"date by which", "last date for", "date of personal hearing", "time of personal hearing", "venue where",
		"system generated", "deemed to have been withdrawn", "no further communication", "it may be noted",
		"no penalty is payable", "no penalty shall be payable", "an appeal against", "an appeal lies",
		"may be appealed", "appeal may be", "refund amount inadmissible", "net amount to be paid",
		"copy to", "will apply",
	}
	// narrative are phrases about the history of the case, which is not a charge either.
	narrative = []string{
		"statement of shri", "was recorded under", "are registered with", "is registered with", "engaged in the",
		"were audited", "was audited", "taken up for", "search was conducted", "summons", "letter dated",
		"in its reply", "replied that", "contended", "submitted that", "is holding gst", "holding gstin",
		"having gstin", "was issued on", "the audit of", "opportunity", "the provisions of section", "section reads",
		"reads as under",
		"relevant provisions",
	}
	// breach are phrases that make an item a charge even if it begins with the history of the case.
	breach = []string{"in contravention of", "in violation of", "contravened", "wrongly availed", "without receipt of",
		"on fake invoices", "suppressed", "misstated", "mis-stated"}
	faults = []string{
		"not paid", "non-payment", "non payment", "short paid", "short-paid", "short payment", "unpaid",
		"not been paid", "did not pay", "paid no tax", "charged no tax", "no tax was paid", "no tax has been paid",
		"no liability was declared", "no tax was charged", "not discharged", "not been discharged", "less paid",
		"underpaid", "not reversed", "did not reverse", "not been reversed", "non-reversal", "reversal required",
		"to be reversed", "excess", "exceeds", "more than", "higher than", "lower than", "less than", "falls short",
		"fell short", "shortfall", "differs", "difference", "mismatch", "does not agree", "do not agree", "not agree",
		"does not tally", "not matching", "not reconcile", "ineligible", "inadmissible", "not eligible",
		"not admissible", "not entitled", "not available", "blocked", " blocks", "wrongly", "irregular", "incorrect",
		"erroneous", "improper", "not filed", "not furnished", "non-filing", "non filing", "not file", "failed to",
		"failure", "late fee", "filed late", "belated", "delayed", "after the due date", "after the last date",
		"after the time limit", "beyond the", "not declared", "undeclared", "not disclosed", "not accounted",
		"not reflected", "not appear", "not reported", "not enclosed", "not produced", "not submitted", "not legible",
		"not clear", "could not produce", "not uploaded", "not satisfied", "not met", "not fulfilled", "contravention",
		"contravened", "contrary to", "violation", "violated", "non-compliance", "noncompliance", "suppress", "wilful",
		"willful", "fraud", "evade", "evasion", "fake", "bogus", "non-existent", "not found at", "without receipt",
		"without actual", "no receipt", "without movement", "does not conduct", "not conducting", "found locked",
		"found closed", "not functioning", "not available at", "liable to penalty", "liable for penalty", "offence",
		"misclassif", "classifiable", "available credit", "without payment", "disallowed", "से अधिक", "समय सीमा",
		"not corresponding", "without corresponding", "no corresponding", "not traceable", "unexplained", "unaccounted",
		"under-reported", "understated", "undervalu", "not valid", "expired", "tampered", "not genuine",
		"not in existence", "left out", "was omitted", "were omitted", "omitted to", "not shown in", "beyond two years",
		"barred by",
		"obtained by means",
	}
	// interestAlone are phrases that make interest a charge of its own if an amount or a rate is named. Otherwise
	// interest only follows from the other charges.
	interestAlone = []string{"interest at", "interest payable", "interest is payable", "interest on", "interest under",
		"works out"}
)

// announcedWithin is the largest distance in bytes between the announcement of a list and its first item.
const announcedWithin = 260

var announcesReasons = lazyregexp.New(`following (?:reasons?|grounds|discrepanc|deficienc|observations?|shortcomings)[^.;]*(?:\b(?:s[lr]?|no|rs)\.[^.;]*){0,4}$|\b(?:grounds?|reasons?|discrepanc(?:y|ies)|observations?)(?: and quantification)? (?:is|are)(?: as (?:under|follows|below))? ?[:-]* *$`)

var (
	announcesList = lazyregexp.New(`(?:following|as follows|as under|below|as|namely|extent shown|on the ground that|निम्न[^ ]*|आधार)[^.;]{0,60}[ :.-]*(?:\b(?:s[lr]?|no|rs)\.[^.;]*){0,4}$`)
	ofFaults      = lazyregexp.New(`\bnot (?:payable|admissible|satisfied|in order|proper)|\bliable|\breject|\bcancel|\bdiscrepan|\bobserved|\bnoticed|\bfound\b|\breasons?\b|\bgrounds?\b|\bdeficien|\birregular|\bdifference|\bobjection|\bdefect|\ballege|\bfindings?\b|आधार|विसंगति`)
	ofDuties      = lazyregexp.New(`\bproduce|\bfurnish (?:the )?following|\bsubmit|\bshow cause|\bwhy\b|\brequired to|\bdirected to|\bdocuments|\bproperty|\benclos|\bcopy\b|\bcontended|\breply\b|\bstated that`)
)

// announces reports whether the words before a list announce reasons or discrepancies.
func announces(lead string) bool {
	if announcesReasons.MatchString(lead) {
		return true
	}
	lead = lead[max(0, len(lead)-110):]
	sentence := lead[strings.LastIndexAny(strings.TrimRight(lead, " :.-"), ".;")+1:]
	return announcesList.MatchString(lead) && ofFaults.MatchString(sentence) && !ofDuties.MatchString(sentence)
}

// quantified reports whether a text names an amount of money or a rate.
func quantified(low string) bool {
	if containsAny(low, "%", "per cent", "percent") {
		return true
	}
	for at := 0; at < len(low); at++ {
		if beginsAmount(low, at) {
			if a, ok := parseAmount(low, at); ok && a.marked {
				return true
			}
		}
	}
	return false
}

// isReason reports whether an item in a list of reasons or discrepancies is one of them, however it is worded.
func isReason(low string) bool {
	opening := low[:min(len(low), 700)]
	return len(low) > 15 && !containsAny(opening, operative...) &&
		!containsAny(low[:min(len(low), 450)], narrative...) && !opensConsequence.MatchString(low)
}

// opensConsequence matches the beginning of an item about the consequences of the charges.
var opensConsequence = lazyregexp.New(`^(?:\(?[a-z0-9]{1,4}[.)] ?)?(?:the )?(?:interest|penalty)\b`)

// anotherPoint matches the beginning of a sentence about another point, after the last item of a list.
var anotherPoint = lazyregexp.New(`(?:^|\. |\.\n)(?:an?|another|the) (?:(?:second|third|fourth|fifth|sixth|other|further|remaining|last) )?(?:issue|point|objection|allegation|charge|discrepancy|observation|matter)s?,`)

// ofItself returns the part of a block before a sentence about another point. It returns the whole block if there is no
// such sentence.
func ofItself(low string) string {
	if m := anotherPoint.FindStringIndex(low); m != nil && m[0] > 0 {
		return low[:m[0]+1]
	}
	return low
}

// concession reports whether the department concedes something, or finds that nothing is due.
func concession(low string) bool { return concedes.MatchString(low) && !refuses.MatchString(low) }

// kindOfBlock returns the kind of a block; "" if it is uncertain.
func (r *reading) kindOfBlock(b block, listed bool) string {
	low := b.low
	body := strings.TrimSpace(low[min(len(low), len(b.number)):])
	opening := low[:min(len(low), 700)]
	if own := r.ownWords(b.span); len(own) >= 120 && len(own) < len(opening) {
		opening = own // the last item of a list includes what follows the list
	}
	first := low[:min(len(low), 450)]
	switch {
	case blanks.MatchString(opening):
		return "boilerplate" // a form to fill in
	case ifYouWish.MatchString(body[:min(len(body), 60)]):
		return "operative"
	case answer.MatchString(body[:min(len(body), 120)]):
		return "narrative"
	case clearOf.MatchString(opening[:min(len(opening), 260)]) && !insists.MatchString(opening) &&
		!quantifiedByHead(r, b):
		return "concession"
	case concession(ofItself(r.doc.own(b.span))) && !insists.MatchString(opening):
		return "concession"
	case r.form != nil && r.form.Form == "ADT-02" && auditPara.MatchString(low):
		return "charge"
	case containsAny(opening, boilerplate...), strings.Contains(opening, "without prejudice") && !alternative.MatchString(opening):
		return "boilerplate"
	case invokesTime.MatchString(body) && !quantifiedByHead(r, b):
		return "narrative"
	case r.answersQueries() && listed && paperWanting.MatchString(opening):
		return "charge"
	case containsAny(opening, operative...) ||
		asksReader.MatchString(body[:min(len(body), 200)]) && !compares.MatchString(first),
		toShow.MatchString(low[:min(len(low), 250)]):
		return "operative"
	case ifNothing.MatchString(body[:min(len(body), 60)]) && !listed && !containsAny(opening, breach...):
		return "operative"
	case r.deniesFraud(b.span) && !containsAny(withoutFraud.ReplaceAllString(first, ""), faults...):
		return "narrative"
	case intelligence.MatchString(body[:min(len(body), 90)]) && !quantified(opening),
		paidAlready.MatchString(body[:min(len(body), 300)]) && !containsAny(opening, faults...),
		decides.MatchString(body[:min(len(body), 160)]),
		noticeIssued.MatchString(body[:min(len(body), 160)]) && !quantifiedByHead(r, b),
		onlyPenalty.MatchString(body[:min(len(body), 260)]) && !quantifiedByHead(r, b) && !containsAny(opening, breach...):
		return "narrative"
	case onlyLeads.MatchString(strings.TrimPrefix(strings.TrimSpace(r.ownWords(b.span)), lowerASCII(b.number))):
		return "narrative"
	case r.form != nil && strings.HasPrefix(r.form.Form, "MOV-") && penaltyOfTransit.MatchString(first) &&
		!containsAny(opening, breach...) && !ofTransit.MatchString(first):
		return "narrative"
	case notIncluded.MatchString(opening):
		return "concession"
	case strings.Contains(opening, "recoverable under") && !containsAny(opening, breach...) &&
		!(r.form != nil && r.form.Form == "DRC-01D" && belated.MatchString(opening)):
		return "operative"
	}
	wrong := containsAny(low[:min(len(low), 1500)], faults...) || faultsInHindi.MatchString(first)
	claims := false
	for _, m := range r.mentions(b.span, tax) {
		claims = claims || m.head != "" && !m.paid
	}
	if testimony.MatchString(low[:min(len(low), 220)]) && !claims && !containsAny(opening, breach...) {
		return "narrative"
	}
	cites := provision.MatchString(first)
	if containsAny(first, narrative...) && !containsAny(low[:min(len(low), 90)], faults...) &&
		!containsAny(opening, breach...) && !claims {
		return "narrative"
	}
	wrong = wrong || (listed || len(body) < 400 && !tellsTale.MatchString(first)) && denies.MatchString(first)
	named := namedInHindi.MatchString(low) || titledCharge.MatchString(low) ||
		namedItem.MatchString(low) && !strings.HasPrefix(low, "para ") && !strings.HasPrefix(low, "item ")
	switch {
	case wrong && (cites || claims || quantified(first) || listed || named || len(body) < 400):
		return "charge"
	case wrong && !tellsTale.MatchString(first):
		return "charge"
	case wayOfReckoning.MatchString(body[:min(len(body), 120)]):
		return "narrative"
	case containsAny(first, interestAlone...) && quantified(first):
		return "charge"
	case claims && (named || listed || b.number != "" && !proposes.MatchString(opening)):
		return "charge"
	case listed && isReason(low), named && (cites || claims || quantified(first)):
		return "charge"
	case tellsTale.MatchString(first):
		return "narrative"
	case b.number != "" && provision.MatchString(opening) && quantified(opening) && !proposes.MatchString(opening):
		return "charge" // a provision and a sum
	}
	return ""
}

var (
	// alternative matches the beginning of another charge, in place of the one above.
	alternative = lazyregexp.New(`\bwithout (?:any )?prejudice to the (?:above|aforesaid|foregoing|preceding)\b`)
	// invokesTime matches the heading of the reasons for the longer time limit, or for section 74.
	invokesTime = lazyregexp.New(`^[-:. ]*(?:invocation|invoking|invocability|applicability) of (?:the )?(?:section|extended|larger|provisions)\b|^[-:. ]*(?:the )?(?:extended|larger) period(?: of limitation)? ?[.:-]`)
	// paperWanting matches statements that a paper is missing, or cannot be used.
	paperWanting = lazyregexp.New(`\b(?:not|never) (?:been )?(?:uploaded|attached|enclosed|furnished|submitted|filed|legible|clear|visible|signed|available|readable|self[- ]attested)\b|\bmissing\b`)
	// paidAlready matches statements that something was paid, and how.
	paidAlready = lazyregexp.New(`^[^;]{0,180}\b(?:discharged|paid|deposited)\b[^;]{0,180}\b(?:drc-? ?03|challan|debit entry)\b`)
	// compares matches statements that one of two sums exceeds the other.
	compares = lazyregexp.New(`\b(?:is|are|was|were) (?:more|less|higher|lower) than\b|\bexceed(?:s|ed)\b`)
	// decides matches the beginning of what an authority decides, or decided before.
	decides = lazyregexp.New(`^[-:. ]*(?:in exercise of (?:the )?powers?\b|(?:therefore,? |accordingly,? |hence,? )?i (?:hereby |therefore |accordingly )?(?:modify|uphold|set aside|allow|dismiss|reject)\b|the (?:adjudicating|lower|original) authority\b[^.;]{0,60}\b(?:confirmed|upheld|dropped|held|passed)\b|order in brief\b|[^.;]{0,60}\bi do not (?:enter|go) into\b)`)
	// noticeIssued matches statements that a notice was issued before.
	noticeIssued = lazyregexp.New(`^[-:. ]*(?:an?|the)? ?(?:show cause notice|scn|notice)\b[^;]{0,80}\bwas (?:issued|served)\b[^;]{0,60}\b(?:asking|calling|proposing|requiring)\b`)
	// onlyPenalty matches statements that what was charged before makes somebody liable to a
	// penalty.
	onlyPenalty = lazyregexp.New(`\bfor the (?:same |above |aforesaid |said )?(?:acts?|reasons?|contraventions?|omissions?|offences?|lapses)(?: aforesaid| above| described above)?\b[^.;]{0,80}\bliable (?:to|for) (?:a )?(?:further )?penalty|\bby (?:the|these|such|their) (?:above |aforesaid |said )?acts?[^.;]{0,80}\brendered (?:itself|themselves|himself|herself) liable\b`)
	// onlyLeads matches a block that only introduces a table.
	onlyLeads = lazyregexp.New(`^[-:. )]*(?:the )?(?:year|head|month|para|issue|charge|invoice|rate|act|state)(?:s|[- ]?wise)(?: and (?:year|head|month)[- ]?wise)? (?:[a-z]+ ){0,3}(?:are|is)?(?: (?:as )?(?:under|follows|below|given below|tabulated))* ?:?[- ]*$`)
	// penaltyOfTransit matches what a notice on goods in transit says about its penalty; ofTransit matches what was
	// wrong with the goods.
	penaltyOfTransit = lazyregexp.New(`\b129 ?\(1\)[^;]{0,200}\bpenalty\b|\bpenalty\b[^;]{0,200}\b129 ?\(1\)`)
	ofTransit        = lazyregexp.New(`\brule 138|\bwithout (?:a |any )?(?:valid )?(?:e-?way|invoice|document)|\bcontraven|\bexpired\b|\bnot (?:generated|updated|accompanied|produced|tally)|\bmismatch|\bexcess\b`)
	// notIncluded matches statements that something was paid and is no part of the claim.
	notIncluded = lazyregexp.New(`\b(?:has|have|had|was|were) (?:already |since )?(?:been )?(?:paid|discharged|reversed)\b[^.;]{0,80}\b(?:not (?:included|demanded|proposed|part)|excluded)\b`)
	// belated matches words by which a liability in a return is charged as late.
	belated = lazyregexp.New(`\b(?:belated|late|delayed?)\b[^.;]{0,60}\b(?:fil|pay|furnish|return)|\bfiled late\b|\bself-?assessed\b[^.;]{0,60}\b(?:not paid|unpaid|less paid)`)
)

// auditPara matches the title of an observation in an audit report: "Para 4: Tax on import of
// services".
var auditPara = lazyregexp.New(`^para(?:graph)? ?-? ?(?:no\.? ?)?[0-9ivx]{1,4} ?[:.-]`)

// titledCharge matches a numbered item whose title is a word for an irregularity: "2. अनियमितता :".
var titledCharge = lazyregexp.New(`^\(?[0-9a-z]{1,3}[.)] ?(?:the )?(?:irregularit(?:y|ies)|discrepanc(?:y|ies)|contraventions?|defects?|अनियमितता|विसंगति|उल्लंघन|आपत्ति) ?[:-]`)

// quantifiedByHead reports whether a block has an amount under a head of tax.
func quantifiedByHead(r *reading, b block) bool {
	return slices.ContainsFunc(r.mentions(b.span, tax), func(m mention) bool { return m.head != "" && !m.paid })
}

var (
	blanks    = lazyregexp.New(`_{4,}|\.{9,}|…{3,}`)
	ifYouWish = lazyregexp.New(`^[-:. ]*(?:in case|if|should) (?:you|the (?:noticee|taxpayer)) (?:wish|want|desire|prefer|agree|do not agree|accept|have any)`)
	// answer matches the beginning of what the noticee said, to which the department then replies.
	answer  = lazyregexp.New(`^[-:. ]*(?:it (?:is|was|has been) (?:said|stated|submitted|contended|argued|pleaded|urged|explained|claimed)|(?:you|they|it|he|she|the (?:noticee|taxpayer|assessee|dealer|party|appellant)) (?:have |has |had |was |also |further )*(?:state|say|said|submit|contend|argue|plead|urge|explain|aver)(?:s|ed)?\b|no (?:reply|explanation|submission|answer) (?:was|is|has been|on|to)\b)`)
	clearOf = lazyregexp.New(`\b(?:no|nil) (?:[a-z]+ )?(?:discrepanc(?:y|ies)|difference|variation|mismatch|shortfall)\b|कोई (?:अन्तर|अंतर|विसंगति|त्रुटि|कमी|आपत्ति) नहीं`)
)

var (
	// ifNothing matches the beginning of what will follow if the reader does nothing.
	ifNothing = lazyregexp.New(`^[-:. ]*(?:where|if|in case|unless|on (?:your )?failure|failing|should) (?:any|no|you|the (?:noticee|amount|reply|tax)|there is no|of)\b`)
	// intelligence matches how the case began.
	intelligence = lazyregexp.New(`\bintelligence (?:was|has been|had been|gathered|developed|collected|received)|\b(?:specific|credible) (?:information|intelligence)\b`)
	withoutFraud = lazyregexp.New(`(?:fraud|wil?lful|suppress|conceal|intent(?:ion)? to|mis-?stat|evade|evasion|contravention)[a-z]*`)
)

// wayOfReckoning matches the beginning of an explanation of how interest was computed.
var wayOfReckoning = lazyregexp.New(`^[-:. ]*(?:the )?interest (?:has been|is|was|thereon has been) (?:reckoned|calculated|computed|worked out|quantified|taken)\b`)

var (
	// concedes matches a concession by the department, or a finding that nothing is due.
	concedes = lazyregexp.New(`\b(?:is|are|was|were|stands?|hereby|has been|have been|being) (?:hereby )?(?:dropped|closed|not pursued|not pressed|waived|settled|accepted by (?:this office|the department|the undersigned))\b|` +
		`\bno (?:further |other |adverse )?(?:action|proceedings?|inference|view|exception|charge|further objection) (?:[a-z]+ ){0,3}(?:is|are|was|were)\b|\bno (?:further |other )?(?:demand|discrepancy|tax) (?:is|are|was|were) (?:being |now |therefore )?(?:proposed|warranted|required|called for|raised|noticed|found|being|taken|made|drawn|pressed|framed|contemplated)|\bnot (?:being )?(?:pursued|pressed|proposed|contemplated|resorted to|invoked)\b|\b(?:i|we) (?:hereby |therefore |accordingly )?(?:drop|vacate)\b|\b(?:charge|allegation|objection|demand|issue|point) (?:therefore |thus |accordingly )?(?:fails|does not survive|falls to the ground)\b|\b(?:i|we) accept (?:the|this|his|her|their|its|your) (?:noticee.s |taxpayer.s )?(?:explanation|reply|contention|submission|plea|argument|demand|charge|allegation|objection|proposal|proceedings?)\b|\b(?:demand|charge|allegation|objection|proposal|proceedings?)[^;]{0,60}\b(?:vacated|given up|set aside|deleted|annulled)\b|\bgives? up (?:the|this) (?:demand|charge|allegation|objection)\b|\bi find (?:for|in favour of) the\b|` +
		`\b(?:allegation|objection|charge|proposal|para(?:graph)?)[^.;]{0,60}\bwithdrawn\b|\b(?:found|considered|held) (?:to be )?(?:satisfactory|acceptable|in order|correct)\b|\b(?:para(?:graph)?|point|issue|objection|observation|matter) (?:stands |is |thus |therefore )*(?:settled|closed|dropped)\b|\bhence (?:dropped|no demand)|\b(?:explanation|reply|contention|submission|plea|argument|version|stand)[^.;]{0,60}(?:is|was|are|has been|have been) (?:found )?(?:accepted|satisfactory|acceptable)\b|(?:कार्यवाही|मांग|माँग)[^।]{0,30}(?:समाप्त|नहीं की जा|नहीं है)|(?:स्पष्टीकरण|उत्तर)(?:[^।;]{0,20} )(?:मान्य|स्वीकार)|(?:आपत्ति|बिन्दु|बिंदु)[^।]{0,20}(?:समाप्त|निरस्त)|\b(?:demand|charge|allegation|objection|proposal|proceedings?)[^;]{0,60}\bnot sustain(?:ed|able)\b|` +
		// A sentence without a verb: "Dropped.", "Withdrawn after verification.", "agreed and closed".
		`(?:^|[.;:] )(?:dropped|closed|withdrawn|settled|vacated|not (?:pursued|pressed))(?: (?:after|on|upon|in view of) [a-z ]{3,40})?(?:[.;]|$)|\b(?:agreed|paid|explained|accepted) and (?:closed|dropped|settled)\b|[.;] no revenue(?: implication| effect)?(?:[.;]|$)|\b(?:explained|proved) to the satisfaction of\b`)
	// refuses matches a rejection in Hindi, where what is rejected comes before the verb.
	refuses = lazyregexp.New(`(?:मान्य|स्वीकार|संतोषजनक)[^।;]{0,12} ?नहीं|अमान्य|अस्वीकार`)
	// insists matches what is still maintained after a concession.
	insists = lazyregexp.New(`\bnot (?:accepted|acceptable|satisfactory|found satisfactory|tenable)\b|\bhowever\b|\bbut\b|\bthe (?:balance|rest|remaining)\b|\bcannot be accepted|(?:^| )(?:किन्तु|किंतु|परन्तु|परंतु|लेकिन|शेष)(?: |$)`)
	// testimony matches quotations of somebody.
	testimony = lazyregexp.New(`\bin (?:his|her|their|its|the) (?:voluntary )?(?:statement|deposition|reply|letter|explanation)\b|\b(?:statement|letter|reply|deposition) dated\b|\b(?:deposed|testified|admitted) that\b`)
	// proposes matches what is demanded, as opposed to why.
	proposes = lazyregexp.New(`\b(?:penalty|tax|demand|amount|interest)\b[^.;]{0,40}\b(?:proposed|leviable|imposable|payable is|works out|comes to)\b|\bi (?:confirm|order|impose|demand)\b|\bconfirmed\b`)
	// asksReader matches instructions to the reader.
	asksReader = lazyregexp.New(`^(?:[-:. ]*)(?:now,? therefore|therefore,? you|you are(?: also| further| therefore| hereby)*,? (?:requested|required|directed|called|advised|informed|given|asked|at liberty|free|entitled|granted)|you may|you should|you shall|please|kindly|the noticee (?:is|are) (?:hereby |further |also )?(?:directed|required|called|requested|advised|informed)|the noticee (?:should|may|shall)|the taxpayer is (?:directed|required|requested)|m/s [^.]{3,80} (?:are|is) (?:hereby )?(?:called|required|directed)|the (?:above )?amount shall be paid|an appeal|appeal (?:lies|against)|the demand (?:stands|is|works out|comes)|the (?:tax|amounts?|dues|total)(?: and [a-z]+)* (?:payable|due|thus|is|are|comes?)\b|any person|accordingly|the appeal (?:is|stands|succeeds|fails)|it is (?:hereby )?(?:ordered|determined|proposed)|afford |furnish |submit |produce |pay )`)
	toShow     = lazyregexp.New(`\b(?:shall|may|should|to|must) show cause\b|क्यों न `)
	// tellsTale matches past events that are not a fault.
	tellsTale     = lazyregexp.New(`\b(?:was|were) (?:issued|served|received|recorded|conducted|visited|intercepted|inspected|detained|granted|heard|held|sent|called|searched|selected|examined)\b|\b(?:filed|submitted|stated|deposed|replied|reported|appeared|produced|explained)\b|\bis (?:registered|engaged)\b|\bdeals? in\b|\bjudgment\b|\bhigh court\b|\bsupreme court\b|\btribunal\b|\bexplanation\b`)
	faultsInHindi = lazyregexp.New(`नहीं|अमान्य|उल्लंघन|से अधिक|विलम्ब|विलंब|गलत|कपट|छिपा|छुपा|मिथ्या|अपात्र|अन्तर|अंतर|कम भुगतान|अस्तित्वहीन|पश्चात`)
	denies        = lazyregexp.New(`\b(?:is|was|are|were|has|have|had|been|did|does|do|could) (?:[a-z]+ )?not\b|\bnot [a-z]+(?:ed|en)\b|\b(?:without|hence no|no [a-z]+ (?:is|was|has))\b`)
	provision     = lazyregexp.New(`\b(?:section|sections|rule|rules|u/s|sec\.)\b ?\d|धारा ?\d|नियम ?\d`)
)
