package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// issueOfForm returns the issue that follows from the form itself, or "" if none does. alone reports whether this
// settles the matter, whatever the text says.
func issueOfForm(form string) (key string, alone bool) {
	switch {
	case form == "REG-03", form == "GSTR-3A", form == "ADT-01", form == "DRC-13", form == "DRC-22", form == "ASMT-13":
		return "", true
	case form == "REG-31": // what it compares is in dispute too (rule 21A(2A))
		return "reg_cancellation", false
	case strings.HasPrefix(form, "REG-"):
		return "reg_cancellation", true
	case strings.HasPrefix(form, "RFD-"):
		return "refund_rejection", true
	case strings.HasPrefix(form, "MOV-"):
		return "eway_129", false
	}
	return "", false
}

// spaceless replaces the various spellings of returns and terms by a single one, such as "gstr2b".
var spaceless = strings.NewReplacer("gstr - ", "gstr", "gstr- ", "gstr", "gstr -", "gstr", "gstr-", "gstr", "gstr ",
	"gstr", "gst r", "gstr", "जीएसटीआर - ", "gstr", "जीएसटीआर-", "gstr", "जीएसटीआर ", "gstr", "जीएसटीआर", "gstr", "2बी",
	"2b", "3बी", "3b", "2ए", "2a", "9सी", "9c", "इनपुट टैक्स क्रेडिट", "itc", "आईटीसी", "itc", "कर दायित्व",
	"liability", "घोषित", "declared",
	// The terms of the Acts in Hindi.
	"धारा", "section", "नियम", "rule", "आरसीएम", "rcm", "प्रतिलोम प्रभार", "reverse charge", "विपरीत प्रभार",
	"reverse charge", "रिवर्स चार्ज", "reverse charge", "आपूर्तिकर्ता", "supplier", "आपूर्तिकार", "supplier",
	"ई-वे बिल", "e-way bill", "ब्याज", "interest", "से अधिक", "more than", "अन्तर", "difference", "अंतर", "difference",
	"कम कर", "short tax", "प्रस्तुत नहीं", "not furnished", "जमा नहीं", "not paid", "निरुद्ध", "detained",
	"अवरुद्ध", "blocked", "अपात्र", "ineligible", "फर्जी", "fake", "वर्गीकरण", "classification", "छूट प्राप्त",
	"exempt", "जॉब वर्क", "job work", "क्रेडिट", "credit", "विलम्ब से भुगतान", "belated payment", "विलंब से भुगतान",
	"belated payment", "विलम्ब", "delay", "नियत तिथि के पश्चात", "after the due date")

// readIssues finds the issues in the charges or, if no charges were recognised, in the text.
func (r *reading) readIssues() {
	add := r.addIssue
	if r.form != nil {
		key, alone := issueOfForm(r.form.Form)
		add(key, r.titleLine())
		if alone {
			return
		}
	}
	charges := r.allegations
	if len(charges) == 0 && r.isSummons() {
		return // the returns that it names are papers to produce
	}
	if len(charges) == 0 {
		charges = r.doc.blocks(r.extent())
		for i, c := range charges {
			charges[i].low = withoutConcessions(c.low)
		}
	}
	for _, c := range charges {
		for _, key := range issuesIn(r.law, c.low) {
			if key != interestIssue || len(r.allegations) > 0 {
				add(key, c.span)
			}
		}
	}
	if len(r.facts.Issues) == 0 && len(r.allegations) > 0 { // the charges name none, so the text around them may
		for _, c := range r.doc.blocks(r.extent()) {
			for _, key := range issuesIn(r.law, withoutConcessions(c.low)) {
				if key != interestIssue {
					add(key, c.span)
				}
			}
		}
	}
	if len(r.allegations) == 0 && strings.Contains(r.doc.subject(r.extentOf()), "interest") {
		add(interestIssue, r.titleLine())
	}
	if *r.facts.FraudAlleged && (r.invokes("74") || r.invokes("74A")) {
		add("section_74_fraud", r.fraud)
	}
}

func (r *reading) addIssue(key string, s span) {
	if key != "" && !slices.Contains(r.facts.Issues, key) {
		r.facts.Issues = append(r.facts.Issues, key)
		r.cite("issues", s)
		r.cite("issues."+key, s)
	}
}

// issuesOfCharges adds the issues of charges that were found after readIssues.
func (r *reading) issuesOfCharges() {
	for _, c := range r.allegations {
		for _, key := range issuesIn(r.law, c.low) {
			r.addIssue(key, c.span)
		}
	}
}

// withoutConcessions removes the sentences in which the department concedes something.
func withoutConcessions(low string) string {
	sentences := strings.SplitAfter(low, ". ")
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool {
		return concession(s) && !insists.MatchString(s)
	}), "")
}

const (
	interestIssue = "interest_s50"
	rateIssue     = "classification_rate"
)

// ratesIn returns the distinct rates of tax in a charge. Rates of interest and penalty are left out.
func ratesIn(low string) set {
	rates := set{}
	for _, m := range ratePercent.FindAllStringSubmatchIndex(low, 20) {
		if !notTaxRate.MatchString(low[max(0, m[0]-40):m[0]]) &&
			!strings.HasPrefix(strings.TrimSpace(low[m[1]:]), "per annum") {
			rates[low[m[2]:m[3]]] = true
		}
	}
	return rates
}

type set map[string]bool

var (
	ratePercent = lazyregexp.New(`\b(0\.25|3|5|12|18|28|40)(?:\.0+)? ?(?:%|per ?cent\b)`)
	notTaxRate  = lazyregexp.New(`interest|penalty|fine|discount|share|margin|deposit|p\.a`)
)

// IssuesIn returns the issues of one charge, by their codes in the tables. Fraud is not among them.
func IssuesIn(t *law.Tables, charge string) []string {
	return issuesIn(t, newDocument([]Page{{Text: charge}}).low)
}

func issuesIn(t *law.Tables, low string) []string {
	var keys []string
	low = spaceless.Replace(withoutIdentifiers(low)) + " "
	for _, i := range t.Issues {
		if i.About(low) {
			keys = append(keys, i.Key)
		}
	}
	if !slices.Contains(keys, rateIssue) && len(ratesIn(low)) > 1 &&
		containsAny(low, "short paid", "short-paid", "short payment", "differ", "instead of", "as against", "underpaid",
			"rate") {
		keys = append(keys, rateIssue)
	}
	if chargesInterest(low, len(keys) > 0) {
		keys = append(keys, interestIssue)
	}
	return keys
}

var interestCharge = lazyregexp.New(`interest (?:payable|at \d|on (?:belated|delayed|late)|under section 50|is (?:payable|chargeable|proposed|leviable))|delayed payment|belated payment|interest [a-z ]{0,40}(?:not paid|unpaid|works out)`)

// chargesInterest reports whether interest is the subject of the item, and not only a consequence of another charge.
func chargesInterest(low string, matched bool) bool {
	if at := strings.Index(low, "interest"); at >= 0 && at < 45 {
		return true
	}
	return !matched && interestCharge.MatchString(low)
}

// withoutIdentifiers removes GSTINs, DINs and the like, because their letters may happen to spell a word.
func withoutIdentifiers(low string) string {
	return identifierWord.ReplaceAllStringFunc(low, func(w string) string {
		if strings.ContainsAny(w, "0123456789") && strings.ContainsAny(w, "abcdefghijklmnopqrstuvwxyz") {
			return ""
		}
		return w
	})
}

var identifierWord = lazyregexp.New(`\b[a-z0-9]{10,}\b`)

// blocks splits the text at its empty lines.
func (d *document) blocks(limit int) []allegation {
	var all []allegation
	start := 0
	for i, l := range d.lines {
		if l.start >= limit {
			break
		}
		if i > 0 && (l.first || l.wide) || i == len(d.lines)-1 {
			end := l.start
			if i == len(d.lines)-1 {
				end = l.end
			}
			all = append(all, allegation{span: span{start, end}, low: d.low[start:end]})
			start = l.start
		}
	}
	return all
}

// titleLine returns the first line of the text.
func (r *reading) titleLine() span {
	if len(r.doc.lines) == 0 {
		return span{}
	}
	return r.doc.lines[0].span
}
