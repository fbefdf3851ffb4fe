package gst

import (
	"strings"

	"munshi/orchestrator/gst/pattern"
)

var (
	formCode = pattern.New(`\b(?:(gstr)[ -]*(3[ -]*a)|(drc|asmt|adt|reg|rfd|mov|cmp|spl|pct|rvn|apl|ins|eway|enr)[ -]*([0-9oil]{1,2})(?:[ -]*([a-d])\b)?)`)
	// What may stand beside the code in the heading of a form.
	headingWords = pattern.New(`\b(?:form|gst|goods and services tax|part ?-? ?[ab]|see|rules?|sub ?-? ?rule|read with|r/w|of|and|the|cgst|sgst|section|notice|annexure|प्रपत्र|फॉर्म)\b|[0-9()\[\]{}/:.,;_|'"*-]+|\b[0-9]+[a-z]{0,2}\b|\([0-9a-z]{1,3}\)`)
)

// readForm finds out whether the text is a GST notice at all, and in which form.
func (r *reading) readForm() bool {
	d := r.doc
	code, at := r.headingForm()
	if code == "" {
		code, at = r.ruleForm()
	}
	if code == "" && !r.looksLikeNotice() {
		return false
	}
	if form := r.law.Form(code); form != nil {
		if form.Kind == "filing" {
			return false // the taxpayer's own paper
		}
		r.form = form
		r.facts.Form = &form.Form
		r.cite("form", d.lines[d.lineAt(at)].span)
		return true
	}
	r.facts.Kind = r.kindOfLetter()
	return true
}

var (
	orderTitle  = pattern.New(`(?:^|[^a-z ] *)(?:order-in-original|order in original|order-in-appeal|order in appeal|adjudication order|assessment order)\b`)
	noticeTitle = pattern.New(`show[ -]cause[ -](?:cum[ -]demand )?notice|demand[ -]cum[ -]show|कारण बताओ`)
	otherTitle  = pattern.New(`summons|reminder|notice of personal hearing|intimation of personal hearing|personal hearing notice|audit report|corrigendum`)
)

// kindOfLetter tells what a letter without a form is by its title.
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

// isOrder tells whether the paper decides rather than proposes.
func (r *reading) isOrder() bool {
	return r.form != nil && r.form.Kind == "order" || r.facts.Kind == "order"
}

// headingForm finds the form that the first page names in a line of its own.
// Forms named in a sentence are others, to be filed or uploaded.
func (r *reading) headingForm() (code string, at int) {
	d := r.doc
	titled := false
	for i, l := range d.lines {
		if i > 60 || l.page > 2 {
			break
		}
		low := d.low[l.start:l.end]
		if l.page == 2 && (titled || !l.first && i > 0 && d.lines[i-1].page == 2) {
			break // a summary behind a letter is another paper
		}
		titled = titled || strings.Contains(low, "show cause") && len(low) < 120
		for _, m := range formCode.FindAllStringSubmatchIndex(low, 2) {
			if r.isHeading(low, m[0], m[1]) {
				return codeOf(low, m), l.start + m[0]
			}
		}
	}
	return "", 0
}

// isHeading tells whether a line is the heading of a form: nothing beside the
// code but the words that headings have, or the title that follows it.
func (r *reading) isHeading(low string, start, end int) bool {
	before := strings.TrimSpace(headingWords.ReplaceAllString(low[:start], ""))
	after := strings.TrimSpace(headingWords.ReplaceAllString(low[end:], ""))
	if strings.Contains(low, "annexure to") || strings.Contains(low, "reference") && !strings.HasPrefix(low, "form") {
		return false
	}
	if before == "" && after == "" {
		return true
	}
	formFirst := strings.Contains(low[:start], "form") || strings.HasPrefix(low, "gst")
	switch {
	case before == "" && formFirst && len(low) < 140:
		// "FORM GST DRC-01A Intimation of tax ascertained as being payable"
		return !strings.HasPrefix(after, "dated") && !containsAny(after, " was ", " were ", " has ", " have ", " is ", " under which ", "issued on", "filed")
	case after == "" && formFirst && len(before) < 60 && isTitle(before):
		return true
	case bracketedForm.MatchString(low) && len(low) < 140:
		return true
	}
	return false
}

// bracketedForm is a title that ends with its form: "Intimation of discrepancies
// in return after scrutiny (FORM GST ASMT-10)".
var bracketedForm = pattern.New(`^(?:intimation|notice|show cause notice|summary|order|summons)\b[^.;]*\((?:in )?form(?: gst)?[ -]+[a-z]+ ?- ?[0-9]+[a-d]?\)$`)

// isTitle tells whether the words before a code are a title or a letterhead,
// "Notice in", "Government of Bihar", rather than the end of a sentence.
func isTitle(before string) bool {
	return containsAny(before, "government", "department", "notice in", "intimation in", "order in", "office")
}

func codeOf(low string, m []int) string {
	if m[2] >= 0 {
		return "GSTR-3A"
	}
	series := strings.ToUpper(low[m[6]:m[7]])
	number := strings.NewReplacer("o", "0", "i", "1", "l", "1").Replace(low[m[8]:m[9]])
	if len(number) == 1 {
		number = "0" + number
	}
	if m[10] >= 0 {
		number += strings.ToUpper(low[m[10]:m[11]])
	}
	return series + "-" + number
}

// formsByTitle tells a form whose heading cannot be read by the rule that it
// prints under it and its title. Both must agree.
var formsByTitle = [...]struct{ rule, title, form string }{
	{"142(1)(a)", "show cause notice", "DRC-01"},
	{"142(1a)", "intimation", "DRC-01A"},
	{"142(5)", "order", "DRC-07"},
	{"99(1)", "discrepancies", "ASMT-10"},
	{"101(2)", "audit", "ADT-01"},
	{"101(5)", "audit", "ADT-02"},
	{"100(2)", "show cause notice", "ASMT-14"},
	{"100(1)", "assessment order", "ASMT-13"},
	{"22(1)", "cancellation", "REG-17"},
	{"22(3)", "cancellation", "REG-19"},
	{"23(3)", "revocation", "REG-23"},
	{"92(3)", "refund", "RFD-08"},
	{"90(3)", "deficiency", "RFD-03"},
	{"88c", "intimation", "DRC-01B"},
	{"88d", "intimation", "DRC-01C"},
	{"6(4)", "composition", "CMP-05"},
	{"rule 68", "return defaulter", "GSTR-3A"},
}

var seeRule = pattern.New(`[\[({]? ?see (rules?) ?([0-9]+[a-z]?(?: ?\([0-9a-z]{1,3}\))*)`)

// ruleForm reads the form from "[See rule 99(1)]" and the title.
func (r *reading) ruleForm() (code string, at int) {
	d := r.doc
	top := d.low[:min(d.head().end, 1500)]
	m := seeRule.FindStringSubmatchIndex(top)
	if m == nil {
		return "", 0
	}
	cited := strings.ReplaceAll(top[m[4]:m[5]], " ", "")
	for _, f := range formsByTitle {
		if (f.rule == cited || f.rule == "rule "+cited) && strings.Contains(top, f.title) {
			return f.form, m[0]
		}
	}
	return "", 0
}

// looksLikeNotice tells a notice or order without a form, as a letter has none,
// from everything else that speaks of GST: notifications, invoices, contracts.
func (r *reading) looksLikeNotice() bool {
	d := r.doc
	head := d.head()
	body := span{0, r.extent()}
	if d.contains(head, "gazette of india", "g.s.r", "hereby notifies", "hereby makes the following", "भारत का राजपत्र") {
		return false
	}
	if !d.contains(body, "gst", "goods and services tax", "जीएसटी", "वस्तु एवं सेवा कर") {
		return false
	}
	title := d.contains(head, "show cause", "show-cause", "कारण बताओ", "scn no", "demand notice", "notice for ", "order-in-original",
		"intimation of ", "extension of time", "final audit report", "summons", "reminder", "notice no", "personal hearing", "discrepanc", "notice under section", "notice u/s")
	office := d.contains(head, "commissioner", "superintendent", "tax officer", "commissionerate", "commercial tax", "state tax", "आयुक्त", "directorate general", "proper officer", "intelligence")
	duty := d.contains(body, "hereby directed", "hereby called upon", "you are required", "you are requested", "you are directed", "you are hereby",
		"show cause", "called upon to", "why ", "kindly furnish", "kindly submit", "kindly reply", "requested to", "advised to", "निर्देशित", "कारण बताओ", "is required to", "failing which")
	return title && office && duty
}
