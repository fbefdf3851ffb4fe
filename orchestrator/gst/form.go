package gst

import (
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
)

// A form is recognised by three signs together: its code, its title and the rule under which it is issued. Each can
// be misread, left out, or be part of a sentence that only mentions the form; together they seldom mislead.

var (
	// formCode matches the code of a form, such as "DRC-01A" or "GSTR-3A".
	formCode = lazyregexp.New(`\b(?:(gstr)[ -]*(3[ -]*a)|(drc|asmt|adt|reg|rfd|mov|cmp|spl|pct|rvn|apl|ins|eway|enr)[ -]*([0-9oilsb]{1,2})(?:[ -]*([a-d])\b)?)`)
	// spoiltCode matches a code that text recognition may have misread, after words such as "FORM".
	spoiltCode = lazyregexp.New(`\b(?:form|gst|प्ररूप|प्रपत्र|फॉर्म)(?: ?no\.?,?)?(?:[ -]+gst)?[ -]+([a-z0-9]{2,5}) ?- ?([0-9oilsb]{1,2})([a-d]?)\b`)
	// hindiCode matches a code in Devanagari letters, such as "डीआरसी-01".
	hindiCode = lazyregexp.New(`(डी ?\.?आर ?\.?सी|ए ?\.?एस ?\.?एम ?\.?टी|ए ?\.?डी ?\.?टी|आर ?\.?ई ?\.?जी|आर ?\.?एफ ?\.?डी|एम ?\.?ओ ?\.?वी|मोव|सी ?\.?एम ?\.?पी|ए ?\.?पी ?\.?एल)\.?[ -]*([0-9]{1,2})[ -]*(ए|बी|सी|डी|[a-d]\b)?`)
	// formRule matches the rule that is printed with a form, such as "rule 142(1)".
	formRule = lazyregexp.New(`(?:\b(?:rules?|u/r)|नियम) ?\.?-? ?([0-9]{1,3}[a-z]{0,2}(?: ?\([0-9a-z]{1,3}\))*)`)

	// mentionBefore and mentionAfter match words right before or after a form that the paper only mentions, such as
	// "filed in" before it.
	mentionBefore = lazyregexp.New(`(?:\b(?:in|through|vide|by|filed?|files|filing|furnish(?:ed|ing)?|submit(?:ted|ting)?|upload(?:ed|ing)?|per|under|of|to|issued?|bearing|via|using|earlier|said|this|your|that|reply|and|or|a|an|no|dated|annexure to|attached to|enclosed|form of|against|the|with|on|after|from)|में) ?(?:(?:the|said|prescribed) )?(?:form )?(?:gst )?(?:form )?$`)
	mentionAfter  = lazyregexp.New(`^[ ,)\]]*(?:was|were|has|have|had|is|are|being|will|shall|may|filed|dated|dt|issued|uploaded|bearing|which|by|no\.? ?[:.]? ?z|ref|reference|\(?z[a-d][0-9]|of (?:this|that|the same)|where|on the|on \d|within|upto|in respect|online|along|within|before|में|पर )`)
	// besideNumber matches a number of the portal right after the code that heads a paper, as in "DRC-07 Ref. ZD1902…".
	besideNumber = lazyregexp.New(`^ ?(?:ref|reference)\.? ?(?:no|number)?\.? ?[:-]? ?z[a-d][0-9o]{6}`)
	// headWords matches the words that a heading has beside the code, apart from the title, such as "FORM GST" and "See
	// rule".
	headWords = lazyregexp.New(`\b(?:form|gst|goods and services tax|part ?-? ?[ab]|see|rules?|sub ?-? ?rule|read with|r/w|cgst|sgst|section|no|refers)\b|प्ररूप|प्रपत्र|फॉर्म|नियम|देखें|जी\.?एस\.?टी\.?|[0-9()\[\]{}/:.,;_|'"*&-]+|\b[0-9]+[a-z]{0,2}\b`)
	// titleWord matches a word by which a title says what the paper is, such as "notice" or "order".
	titleWord = lazyregexp.New(`\b(?:notice|intimation|order|summary|memo(?:randum)?|summons|clarification|report|communication|corrigendum|reminder|scn|statement)\b|नोटिस|सूचना|आदेश|ज्ञापन`)
)

var hindiSeries = map[string]string{"डीआरसी": "DRC", "एएसएमटी": "ASMT", "एडीटी": "ADT", "आरईजी": "REG", "आरएफडी": "RFD",
	"एमओवी": "MOV", "मोव": "MOV", "सीएमपी": "CMP", "एपीएल": "APL"}

// leastForm is the score from which a candidate is the heading of a form.
const leastForm = 4

// formMention is a place in the text that names a form.
type formMention struct {
	span
	form   *law.Form
	spoilt bool // one letter of it was corrected
}

// formMentions returns every form of the tables that the text names.
func (r *reading) formMentions() []formMention {
	const most = 2000
	d := r.doc
	var all []formMention
	for _, m := range formCode.FindAllStringSubmatchIndex(d.low, most) {
		if form := r.law.Form(codeOf(d.low, m)); form != nil {
			all = append(all, formMention{span: span{m[0], m[1]}, form: form})
		}
	}
	for _, m := range hindiCode.FindAllStringSubmatchIndex(d.low, most) {
		if form := r.law.Form(hindiCodeOf(d.low, m)); form != nil {
			all = append(all, formMention{span: span{m[0], m[1]}, form: form})
		}
	}
	for _, m := range spoiltCode.FindAllStringSubmatchIndex(d.low, most) {
		at := span{m[2], m[1]}
		if slices.ContainsFunc(all, func(f formMention) bool { return f.start < at.end && at.start < f.end }) {
			continue
		}
		if form := r.nearestForm(d.low[m[2]:m[3]], d.low[m[4]:m[5]]+d.low[m[6]:m[7]]); form != nil {
			all = append(all, formMention{span: at, form: form, spoilt: true})
		}
	}
	slices.SortFunc(all, func(a, b formMention) int { return a.start - b.start })
	return all
}

// endsCell returns the end of the cell that contains an offset, or 0 if there is none.
func (d *document) endsCell(at int) int {
	for _, cell := range d.lines[d.lineAt(at-1)].cells {
		if cell.start < at && at <= cell.end {
			return cell.end
		}
	}
	return 0
}

// hasNumber reports whether a span contains a number of the portal or of an office.
func (d *document) hasNumber(s span) bool { return portalWord.MatchString(d.lowIn(s.start, s.end)) }

// closingQuote returns where a quotation ends, or 0 if it does not end.
func closingQuote(text string) int {
	if at := strings.IndexAny(text, "\"”"); at >= 0 {
		return at
	}
	return 0
}

// openQuote reports whether a text ends in an opening quotation mark, with at most the words "FORM GST" after it.
func openQuote(before string) bool {
	at := strings.LastIndexAny(before, "\"“”‘’'")
	return at >= 0 && strings.Trim(strings.TrimLeft(strings.ToLower(before[at:]), "\"“”‘’'"), " formgst") == "" &&
		(at == 0 || before[at-1] == ' ' || before[at-1] == '\n')
}

// nearestForm returns the form whose series differs in one letter from the given one.
func (r *reading) nearestForm(series, number string) *law.Form {
	number = strings.ToUpper(strings.NewReplacer("o", "0", "i", "1", "l", "1", "s", "5").Replace(number))
	if len(number) == 1 || len(number) == 2 && isLetter(number[1]) {
		number = "0" + number
	}
	var found *law.Form
	for i, f := range r.law.Forms {
		known, n, _ := strings.Cut(f.Form, "-")
		if n != number || !table.WithinOne(strings.ToUpper(series), known) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &r.law.Forms[i]
	}
	return found
}

// hindiCodeOf returns the code of a form in Devanagari letters, from a match of hindiCode.
func hindiCodeOf(low string, m []int) string {
	series := hindiSeries[strings.NewReplacer(" ", "", ".", "").Replace(low[m[2]:m[3]])]
	letter := ""
	if m[6] >= 0 {
		letter = strings.NewReplacer("ए", "A", "बी", "B", "सी", "C", "डी", "D").Replace(strings.ToUpper(low[m[6]:m[7]]))
	}
	return series + "-" + fmt.Sprintf("%02s", low[m[4]:m[5]]) + letter
}

// codeOf returns the code of a form, from a match of formCode.
func codeOf(low string, m []int) string {
	if m[2] >= 0 {
		return "GSTR-3A"
	}
	series := strings.ToUpper(low[m[6]:m[7]])
	number := strings.NewReplacer("o", "0", "i", "1", "l", "1", "s", "5", "b", "8").Replace(low[m[8]:m[9]])
	if len(number) == 1 {
		number = "0" + number
	}
	if m[10] >= 0 {
		number += strings.ToUpper(low[m[10]:m[11]])
	}
	return series + "-" + number
}

// weighForms returns the candidates for headings of forms, in text order.
func (r *reading) weighForms() []candidate {
	var all []candidate
	for _, m := range r.formMentions() {
		all = append(all, r.weighForm(m))
	}
	return append(all, r.formsByRule(all)...)
}

func (r *reading) weighForm(m formMention) candidate {
	d := r.doc
	i := d.lineAt(m.start)
	l := d.lines[i]
	l.span = l.beside(m.start)
	low := d.low[l.start:l.end]
	c := candidate{span: m.span, quote: l.span, value: m.form.Form, repairs: m.spoilt}
	before, after := d.lowIn(l.start, m.start), d.lowIn(m.end, l.end)
	bare := strings.TrimSpace(headWords.ReplaceAllString(r.withoutCode(m.form, before), ""))
	rest := strings.TrimSpace(headWords.ReplaceAllString(r.withoutCode(m.form, after), ""))
	zone := d.zone(i, 3)
	title := titleShare(m.form, zone)
	announced := strings.Contains(before, "form") || strings.Contains(before, "gst") ||
		strings.ContainsAny(before, "प्फ")
	begins := d.sentence(m.start).start
	titled := !enumerated.MatchString(low) && !answersTo.MatchString(before) && (begins == l.start || begins < l.start &&
		(i == 0 || !endsOpen(d.low[d.lines[i-1].start:d.lines[i-1].end]))) && titleWord.MatchString(bare) &&
		len(before) < 110 && !subjectVerb.MatchString(before)
	switch {
	case rest == "" && (bare == "" || len(bare) < 4 && d.isRecognised(m.start)): // "Wa" may be what is left of FORM
		c.weigh(3, "alone on its line")
	case bare == "":
		c.weigh(1.5, "opens its line")
	case titled:
		c.weigh(2, "behind the title of a paper")
	case len(l.cells) > 1 && startsCell(l, m.start, d):
		c.weigh(1, "opens a cell")
	case len(strings.Fields(bare)) > 3:
		c.weigh(-3, "within a sentence")
	}
	if announced || m.form.Form == "GSTR-3A" {
		c.weigh(1, "behind the word FORM or GST")
	}
	if title >= 0.5 {
		c.weigh(3*title, "with its title")
	}
	if r.namesRule(m.form, zone) {
		c.weigh(2, "with its rule")
	}
	if n := i - d.firstLine(l.page); n < 10 {
		c.weigh(1, "at the head of a page")
		if text := d.text[l.start:l.end]; bare == "" && rest != "" && isLatin(text) && strings.ToUpper(text) == text {
			c.weigh(0.5, "a heading in capitals")
		}
	}
	if end := d.endsCell(m.end); bare == "" && end > 0 && end < l.end && d.hasNumber(span{end, l.end}) {
		c.weigh(1.5, "its number stands beside it")
	}
	if m.spoilt {
		c.weigh(-0.5, "one letter set right")
	}
	if n := len(l.cells); n > 1 && bare != "" && d.isAmount(l.cells[n-1]) {
		c.weigh(-5, "in a row with an amount")
	}
	own := isRead.MatchString(d.lowIn(max(begins, m.start-140), m.start))
	if own {
		c.weigh(9, "the paper says that it is to be read as one")
	}
	if mentionBefore.MatchString(strings.TrimLeft(before, " (\"'")) && !titled {
		c.weigh(-5, "spoken of")
	}
	if bare == "" && i > 0 && !l.first && endsOpen(d.lineLow(i-1)) &&
		(before == "" || mentionBefore.MatchString(d.lineLow(i-1)+" "+before)) {
		c.weigh(-4, "goes on from the line above")
	}
	if end := d.endsCell(m.end); bare == "" && len(l.cells) > 1 && end > 0 {
		after = d.lowIn(m.end, end) // text in another column does not belong to its sentence
	}
	if openQuote(d.text[max(0, m.start-14):m.start]) {
		c.weigh(-6, "in quotation marks")
		r.quoted = span{m.start, m.start + closingQuote(d.text[m.start:min(len(d.text), m.start+1500)])}
	}
	if besideNumber.MatchString(after) && before == "" && i-d.firstLine(l.page) < 6 && l.page == d.lines[0].page {
		c.weigh(1.5, "its number stands beside it")
	} else if mentionAfter.MatchString(after) {
		c.weigh(-4, "a sentence goes on behind it")
	}
	if dateOfPaper.MatchString(bare) {
		c.weigh(-6, "the label of a day")
	}
	if strings.Contains(low, "annexure to") || strings.HasPrefix(low, "annex") ||
		strings.Contains(before, "reference") {
		c.weigh(-6, "an annexure or a reference")
	}
	if finite.MatchString(rest) {
		c.weigh(-3, "a verb behind it")
	}
	if len(low) > 150 {
		c.weigh(-2, "in a long line")
	}
	return c
}

// enumerated matches the beginning of a list item or of a numbered row, such as "(a)" or "3.". A form named there is
// one of several, and not the form of the paper itself.
var enumerated = lazyregexp.New(`^\(?(?:[0-9]{1,2}|[a-z]|[ivx]{1,4})(?:[.)]|  ?[a-z])`)

// answersTo matches words for what is done about another paper, as in "Reply to show cause notice in".
var answersTo = lazyregexp.New(`\b(?:repl(?:y|ies)|response|answer|appeals?|objections?|submissions?|rectification|hearings?|appearance) (?:to|against|of|on|in|for|from)\b`)

// isAmount reports whether a cell is an amount and nothing else.
func (d *document) isAmount(cell span) bool {
	a, ok := parseAmount(d.low, cell.start)
	return ok && a.end == cell.end && (a.marked || a.paise >= 1000_00)
}

// withoutCode removes from the words beside a form's code the same code in the other language: "प्ररूप एमओवी-07 (FORM
// GST MOV-07)" names one form.
func (r *reading) withoutCode(form *law.Form, low string) string {
	if m := formCode.FindStringSubmatchIndex(low); m != nil && r.law.Form(codeOf(low, m)) == form {
		low = low[:m[0]] + low[m[1]:]
	}
	if m := hindiCode.FindStringSubmatchIndex(low); m != nil && r.law.Form(hindiCodeOf(low, m)) == form {
		low = low[:m[0]] + low[m[1]:]
	}
	return low
}

// dateOfPaper matches the label of the date or number of a paper that is named by its form, such as "Date of" before
// "DRC-01".
var dateOfPaper = lazyregexp.New(`^(?:date|time|day|no|number|particulars|details) (?:and [a-z]+ )?of\b|दिनांक$|तिथि$`)

// isRead matches the words by which a letter says that it is to be read as a form, such as "this letter is to be
// treated as".
var isRead = lazyregexp.New(`\b(?:this|present|the) (?:letter|communication|notice|order|intimation|memo(?:randum)?)\b[^.;]{0,30}\b(?:(?:is to|are to|may|shall|should|will) be (?:read|treated|taken|construed|regarded|deemed)|is (?:issued|given|being issued)|as one)\b[^.;]{0,50}$`)

// finite matches a verb such as "is" or "has been", with which the words after a code are a sentence.
var finite = lazyregexp.New(`\b(?:is|was|were|are|has been|have been|will be|shall be)\b`)

// subjectVerb matches words that do not occur in a title, such as "is", "you" or "filed".
var subjectVerb = lazyregexp.New(`\b(?:is|are|was|were|has|have|been|please|you|your|filed|received)\b`)

// endsOpen reports whether a line ends in the middle of a sentence.
func endsOpen(low string) bool {
	return len(low) > 60 && strings.IndexByte(".:;)]", low[len(low)-1]) < 0
}

func startsCell(l line, at int, d *document) bool {
	for _, cell := range l.cells {
		if cell.start <= at && at < cell.end {
			return strings.TrimSpace(headWords.ReplaceAllString(d.low[cell.start:at], "")) == ""
		}
	}
	return false
}

// formsByRule returns forms whose code cannot be read, which it finds by their title and the rule printed with it.
func (r *reading) formsByRule(coded []candidate) []candidate {
	d := r.doc
	var all []candidate
	for _, m := range formRule.FindAllStringSubmatchIndex(d.low, 400) {
		i := d.lineAt(m[0])
		l := d.lines[i]
		if i-d.firstLine(l.page) > 14 || l.end-l.start > 110 {
			continue
		}
		zone := d.zone(i, 4)
		var found []candidate
		for j := range r.law.Forms {
			f := &r.law.Forms[j]
			if !r.namesRule(f, d.low[m[0]:m[1]]) {
				continue
			}
			if share := titleShare(f, zone); share >= 0.6 && !slices.ContainsFunc(coded, func(c candidate) bool {
				return c.score >= leastForm && d.page(c.start) == l.page
			}) {
				c := candidate{span: span{m[0], m[1]}, quote: l.span, value: f.Form, repairs: true}
				c.weigh(2, "its rule")
				c.weigh(3*share, "its title")
				found = append(found, c)
			}
		}
		slices.SortStableFunc(found, func(a, b candidate) int {
			if a.score > b.score {
				return -1
			}
			return 1
		})
		if len(found) > 0 {
			all = append(all, found[0])
		}
	}
	return all
}

// namesRule reports whether the text names the rule of the form. If a letter of the rule was lost, its beginning is
// enough.
func (r *reading) namesRule(f *law.Form, low string) bool {
	for _, m := range formRule.FindAllStringSubmatchIndex(low, 20) {
		cited := strings.ReplaceAll(low[m[2]:m[3]], " ", "")
		for _, part := range strings.FieldsFunc(f.Law, func(c rune) bool {
			return c == ' ' || c == ',' || c == ';' || c == '/'
		}) {
			rule, ok := strings.CutPrefix(strings.ToLower(part), "r.")
			if !ok {
				continue
			}
			if cited == rule || strings.HasPrefix(rule, cited+"(") || strings.HasPrefix(cited, rule+"(") {
				return true
			}
		}
	}
	return false
}

// titleShare returns how much of a form's title is in the text, from 0 to 1. Of several titles, it takes the one with
// the greatest share.
func titleShare(f *law.Form, low string) float64 {
	share := 0.0
	for _, title := range f.Titles {
		words, found := 0, 0
		for word := range strings.FieldsSeq(title) {
			if len(word) < 4 && !isDigit(word[0]) {
				continue
			}
			words++
			if strings.Contains(low, word[:min(len(word), 6)]) {
				found++
			}
		}
		if words > 0 {
			share = max(share, float64(found)/float64(words))
		}
	}
	return share
}

// zone returns the line with index i and the lines around it on the same page, leaving out those too long to be
// headings.
func (d *document) zone(i, around int) string {
	var b strings.Builder
	for j := max(0, i-around); j <= min(len(d.lines)-1, i+around); j++ {
		l := d.lines[j]
		if l.page == d.lines[i].page && (l.end-l.start < 130 || j == i) {
			b.WriteString(d.low[l.start:min(l.end, l.start+300)])
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// firstLine returns the index of the first line of a page.
func (d *document) firstLine(page int) int {
	lo, hi := 0, len(d.lines)
	for lo < hi {
		if mid := (lo + hi) / 2; d.lines[mid].page < page {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// readForm finds the papers in the file, and the form of the one that is to be answered.
func (r *reading) readForm() {
	d := r.doc
	weighed := r.weighForms()
	r.divide(weighed)
	d.keep(r.own)
	var own []candidate
	for _, c := range weighed {
		if r.within(c.start) {
			own = append(own, c)
		}
	}
	sorted := r.consider("form", own)
	var filings []candidate
	for _, c := range sorted {
		form := r.law.Form(c.value)
		if c.score < leastForm {
			break
		}
		if form.Kind == "filing" {
			filings = append(filings, c)
			continue
		}
		if len(filings) > 0 && filings[0].start < c.start && filings[0].score > c.score {
			break // the taxpayer's own paper, which names another form
		}
		r.form = form
		r.facts.Form = &form.Form
		r.citeAs("form", d.lines[d.lineAt(c.start)].span, c.repairs)
		return
	}
	r.filed = len(filings) > 0
	r.facts.Kind = r.kindOfLetter()
}

var (
	orderTitle  = lazyregexp.New(`(?:^|[^a-z ] *)(?:order-in-original|order in original|order-in-appeal|order in appeal|adjudication order|assessment order)\b|^(?:final |speaking )?order (?:passed |made |issued )?(?:under|u/s\.?) (?:sections? )?\(?(?:62|63|64|7[346]a?|12[2-9]|130)\b`)
	noticeTitle = lazyregexp.New(`show[ -]cause[ -](?:cum[ -]demand )?notice|demand[ -]cum[ -]show|notice to show cause|^(?:a )?notice (?:issued )?under section 7[346]|कारण बताओ|कारण पृच्छा|धारा 7[346].{0,14}(?:नोटिस|सूचना)`)
	otherTitle  = lazyregexp.New(`summons|reminder|notice of personal hearing|intimation of personal hearing|personal hearing notice|audit report|corrigendum`)
)

// kindOfLetter returns the kind of a letter without a form, from its title.
func (r *reading) kindOfLetter() string {
	for i, l := range r.doc.lines {
		low := r.doc.low[l.start:l.end]
		if l.start >= r.doc.title().end || i > 30 {
			break
		}
		if len(low) > 110 || subjectLine.MatchString(low) {
			continue
		}
		switch {
		case otherTitle.MatchString(low):
			return ""
		case orderTitle.MatchString(low):
			return "order"
		case noticeTitle.MatchString(low):
			return "notice"
		}
	}
	return ""
}

// isOrder reports whether the paper decides, instead of proposing.
func (r *reading) isOrder() bool {
	return r.form != nil && r.form.Kind == "order" || r.facts.Kind == "order"
}
