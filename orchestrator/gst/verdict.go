package gst

import (
	"fmt"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// Verdict says whether a paper is a GST notice or order, "yes", "no" or "doubtful", and why. A doubtful paper is read
// nevertheless, and a person is asked.
type Verdict struct {
	Answer  string   `json:"answer"`
	Reasons []string `json:"reasons"` // what counted, with its weight
}

var (
	noticeWords = lazyregexp.New(`show[ -]?cause|\bnotice\b|intimation|\border\b|summons|deficiency memo|audit report|discrepanc|demand|personal hearing|reminder|\bscn\b|corrigendum|नोटिस|सूचना|आदेश|कारण बताओ`)
	officeWords = lazyregexp.New(`commissioner|superintendent|tax officer|state tax|commercial tax|excise|proper officer|directorate general|adjudicating|appellate authority|assessing authority|\bgsto\b|\bsto\b|\bcto\b|आयुक्त|राज्य कर|वाणिज्यिक कर`)
	// otherOffice matches offices of other departments with similar names, such as "income tax officer".
	otherOffice = lazyregexp.New(`(?:income[ -]?tax|municipal|labour|police|provident fund|profession(?:al)? tax|transport|customs|drugs?|food safety|charity|fire|industries|returning) (?:commissioner|superintendent|officer|department)|(?:commissioner|superintendent|inspector|director general) of (?:income|customs|police|labour|transport|industries|boilers|factories|posts)[a-z -]*`)
	// jointOffice matches GST offices whose name includes customs.
	jointOffice = lazyregexp.New(`\bcustoms[ ,&]{1,3}(?:and )?(?:central (?:tax|goods|gst|excise)|c?gst\b|goods and)|(?:central tax|\bc?gst|services? tax|central excise)[ ,&]{1,3}(?:and )?customs`)
	// ownAct matches the names of the Acts of GST; "state tax" alone is in the names of others.
	ownAct       = lazyregexp.New(`goods and services? tax|\b[a-z]{0,2}gst\b`)
	gstWords     = lazyregexp.New(`\b[a-z]{0,2}gst\b|\bgst[ -]|gstin|goods and services? tax|\b(?:state|central|commercial) tax|जीएसटी|जी\.एस\.टी|राज्य कर|वाणिज्य(?:िक)?[ -]कर|वस्तु (?:एवं|और|व|तथा) सेवा कर|माल (?:एवं|और) सेवा कर`)
	anyProvision = lazyregexp.New(`\b(?:sections?|rules?|u/s|u/r|sec\.?) ?[0-9]|धारा ?[0-9]|नियम ?[0-9]`)
	dutyWords    = lazyregexp.New(`\b(?:hereby|you (?:are|may|should|must|shall)|kindly|please|requested|directed|called upon|required|advised|failing which|in default|otherwise)\b|निर्देशित|अपेक्षित|प्रस्तुत करें|कृपया`)
	ownLabel     = lazyregexp.New(`\b(?:reference|ref|notice|scn|memo|file|letter|outward|intimation|order|c|f)\b\.? ?(?:no|id|number)\b|पत्रांक|संदर्भ|क्रमांक`)

	// Papers of other kinds, by words at their head.
	lawPaper   = lazyregexp.New(`gazette|g\.s\.r|hereby notifies|hereby makes the following|notification no|circular no|press release|to be published|भारत का राजपत्र|अधिसूचना|\badvisory\b|trade notice|public notice|newsletter|frequently asked`)
	tradePaper = lazyregexp.New(`\btax invoice|\binvoice no|bill of supply|purchase order|delivery challan|credit note no|quotation|agreement|memorandum of understanding|\bdeed\b|statement of account|\bledger\b|balance sheet|e-?way bill no|payslip|terms and conditions|engagement letter|minutes of|\bchallan\b|acknowledgement|registration certificate|certificate of registration|form gst reg-06`)
	courtPaper = lazyregexp.New(`high court|supreme court|in the court|\bversus\b|\bpetitioner|\bappellant\b.{0,40}\brespondent|writ petition|tribunal`)
	otherTax   = lazyregexp.New(`income[ -]tax|assessment year|customs act|\bcustoms\b|provident fund|\bepfo?\b|\besic?\b|profession(?:al)? tax|municipal|property tax|labour|pollution|electricity|banking|registrar of companies|companies act|\btds on salary|stamp duty|service tax audit`)
	otherLaw   = lazyregexp.New(`\b(?:under|of) (?:the )?(?:provisions of (?:the )?)?(?:income[ -]tax|customs|central excise|finance|companies|employees|payment|industrial|motor vehicles|negotiable|consumer|factories|shops|value added|vat|service tax|municipal)[a-z' ,&-]{0,60}\bact\b`)
	// underAct matches the Act under which a paper says, in its title, that it is issued.
	underAct = lazyregexp.New(`\bunder (?:section|rule|regulation)s? ?[0-9][0-9a-z()/,& -]{0,20} of (?:the )?([a-z][a-z&.,()' -]{2,80}?)\bacts?\b`)
	ownLaw   = lazyregexp.New(`goods and services? tax act|\b[a-z]{0,2}gst (?:act|rules)|\b[a-z]{0,2}gst/|\bunder (?:the )?gst\b|form gst|जीएसटी अधिनियम|माल और सेवा कर`)
	// massMail matches words of mass mailings, such as "unsubscribe", which no officer writes.
	massMail    = lazyregexp.New(`\bunsubscribe\b|undisclosed[ -]recipients|\b[0-9]{1,2} ?% (?:off|discount)|\bview (?:this e?-?mail )?in (?:your )?browser|you (?:get|got|receive|are receiving|received) this (?:e-?)?mail because|(?:book|buy|register|enrol) now\b|limited (?:time )?offer`)
	writtenBack = lazyregexp.New(`\b(?:we|our client|i) (?:are|am|have|refer|submit|request|hereby|write|wish|acknowledge|deny)\b|for and on behalf of|authori[sz]ed signatory|chartered accountants?\b|advocates?\b|dear (?:client|team|all|sir|customer|member)|thanking you|our reply`)
	toOffice    = lazyregexp.New(`^(?:the )?(?:(?:deputy|assistant|joint|additional|principal|chief|asst\.?|dy\.?) )*(?:commissioner|superintendent|state tax officer|commercial tax officer|proper officer|jurisdictional officer)`)
)

// isNotice decides whether the paper is a notice or an order under GST, and reports whether it should be read.
// Nothing that is missing counts against it: letters have no form, orders impose no duty, poor scans have hardly a
// word.
func (r *reading) isNotice() bool {
	d := r.doc
	own := r.extentOf()
	head := span{own.start, min(own.end, own.start+1500)}
	score, reasons := 0.0, []string{}
	weigh := func(weight float64, holds bool, why string) {
		if holds {
			score += weight
			reasons = append(reasons, fmt.Sprintf("%+g %s", weight, why))
		}
	}
	top, all := d.lowIn(head.start, head.end), d.lowIn(own.start, min(own.end, own.start+40_000))
	top = jointOffice.ReplaceAllString(top, "central tax")
	weigh(4, r.form != nil, "the heading of a form that officers issue")
	weigh(-6, r.filed, "the heading of a form that taxpayers file")
	weigh(-8, massMail.MatchString(all) && !r.issuedByPortal(own), "a mail to many")
	weigh(2, noticeWords.MatchString(top), "the title of a notice or an order")
	top, foot := otherOffice.ReplaceAllString(top, ""), otherOffice.ReplaceAllString(tail(all), "")
	weigh(2, officeWords.MatchString(top), "an office of the tax department at its head")
	weigh(1, officeWords.MatchString(foot), "an officer at its foot")
	weigh(-3, r.form == nil && !officeWords.MatchString(top+foot) && !r.issuedByPortal(own),
		"no office of the tax department at its head or foot")
	weigh(1, gstWords.MatchString(all), "words of GST")
	weigh(-3, !gstWords.MatchString(all), "no word of GST")
	weigh(1, dutyWords.MatchString(all), "words that ask for something")
	weigh(1, ownLabel.MatchString(top), "a number of its own")
	weigh(2, r.issuedByPortal(own), "a number of the portal or a DIN")
	weigh(1, anyProvision.MatchString(all), "sections or rules")
	if r.form == nil {
		top := jointOffice.ReplaceAllString(d.headings(own), "central tax")
		weigh(-4, r.quoted.end > r.quoted.start, "it quotes a notice")
		weigh(-5, lawPaper.MatchString(top), "the head of a notification, circular or advisory")
		weigh(-4, tradePaper.MatchString(top), "the head of a paper of trade")
		weigh(-4, courtPaper.MatchString(top), "the head of a judgment")
		weigh(-4, otherTax.MatchString(top), "the head of a paper under another law")
		another := otherLaw.MatchString(top) || otherLaw.MatchString(all) && len(scanGSTINs(d)) == 0
		title := underAct.FindStringSubmatch(top)
		subject := d.subject(own)
		of := underAct.FindStringSubmatch(subject)
		weigh(-6, title != nil && !ownAct.MatchString(title[1]) || of != nil && !gstWords.MatchString(subject),
			"issued under another Act, as its title says")
		weigh(-4, another && !ownLaw.MatchString(all), "provisions of another law, and none of GST")
		weigh(-4, writtenBack.MatchString(all) && r.addressedToOffice(own), "written to an office, not by one")
		weigh(-2, writtenBack.MatchString(all), "written as a taxpayer or an adviser writes")
	}
	v := Verdict{Answer: "doubtful", Reasons: reasons}
	switch {
	case score >= 6:
		v.Answer = "yes"
	case score < 4:
		v.Answer = "no"
	}
	if c, ok := r.corrections["form"]; ok && !c.Confirmed && string(c.Value) != "null" {
		v = Verdict{Answer: "yes", Reasons: []string{"you said which form it is"}}
	}
	r.facts.IsNotice = &v
	if r.correct("is_notice"); r.facts.IsNotice == nil {
		r.facts.IsNotice = &v // nobody said whether it is a notice
	}
	if r.facts.IsNotice.Answer == "no" {
		r.facts.Form, r.facts.Kind, r.form = nil, "", nil
		delete(r.facts.Evidence, "form")
	}
	return r.facts.IsNotice.Answer != "no"
}

// headings returns the short lines at the head of the paper, in lower case.
func (d *document) headings(own span) string {
	var b strings.Builder
	for i, l := range d.lines {
		if i >= 14 || l.start >= own.end {
			break
		}
		if l.end-l.start < 100 && !d.isProse(l) && !subjectLine.MatchString(d.low[l.start:l.end]) {
			b.WriteString(d.low[l.start:l.end] + " ")
		}
	}
	return b.String()
}

var namesSubject = lazyregexp.New(`^(?:विषय ?/ ?)?(?:sub|subject|विषय)\b? ?\.? ?[:-]`)

// subject returns the subject line of the paper and the line after it, in lower case; "" if there is none.
func (d *document) subject(own span) string {
	const top = 40 // lines
	for i, l := range d.lines[:min(len(d.lines), top)] {
		if l.start < own.end && namesSubject.MatchString(d.low[l.start:l.end]) {
			return d.low[l.start:d.lines[min(i+1, len(d.lines)-1)].end]
		}
	}
	return ""
}

// tail returns the end of a text, where papers are signed.
func tail(low string) string { return low[max(0, len(low)-600):] }

// issuedByPortal reports whether the head of the paper has a number that the portal gives to notices, or a DIN.
func (r *reading) issuedByPortal(own span) bool {
	d := r.doc
	found := false
	eachWord(d.text, span{own.start, min(own.end, own.start+2500)}, func(s span) {
		word := d.text[s.start:s.end]
		if rfn, _, ok := parseRFN(word); ok && rfn[0] == 'Z' && (s.start < r.quoted.start || s.start >= r.quoted.end) {
			found = true
		}
	})
	return found || bareDIN.MatchString(d.text[own.start:min(own.end, own.start+2500)])
}

// addressedToOffice reports whether the paper is addressed to an officer.
func (r *reading) addressedToOffice(own span) bool {
	d := r.doc
	for i, l := range d.lines {
		if l.start >= own.end || i > 40 {
			break
		}
		low := d.low[l.start:l.end]
		if after, ok := strings.CutPrefix(low, "to "); ok && toOffice.MatchString(after) {
			return true
		}
		if addressee.MatchString(low) && i+1 < len(d.lines) &&
			toOffice.MatchString(d.low[d.lines[i+1].start:d.lines[i+1].end]) {
			return true
		}
	}
	return false
}
