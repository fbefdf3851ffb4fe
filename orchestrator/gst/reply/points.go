package reply

import (
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// Points returns the allegations of a notice in order. For a text that is not a notice there are none.
func Points(t *law.Tables, f gst.Facts) []Point {
	points := []Point{}
	if !isNotice(f) {
		return points
	}
	seen := map[string]int{}
	for _, p := range f.Charges() {
		text := gist(p.Number, p.Text)
		key := strings.Join(strings.Fields(p.Number), " ")
		if key == "" {
			key = "para"
		}
		if seen[key]++; seen[key] > 1 {
			key = fmt.Sprintf("%s#%d", key, seen[key])
		}
		point := Point{Key: key, Number: p.Number, Page: p.Page, Alleged: text, Allegation: !onlyAsks(text),
			Issues: issuesOf(t, f, text)}
		point.Documents = documentsFor(t, f, point.Issues, strings.ToLower(p.Text))
		points = append(points, point)
	}
	if len(points) > 0 {
		return points
	}
	if issue := differenceIn(f); issue != "" {
		return append(points, Point{Key: "issue:" + issue, Page: f.Evidence["issues."+issue].Page, Allegation: true,
			Issues: []string{issue}, Documents: documentsFor(t, f, f.Issues, "")})
	}
	for _, issue := range f.Issues {
		at := f.Evidence["issues."+issue]
		points = append(points, Point{Key: "issue:" + issue, Page: at.Page, Alleged: gist("", at.Quote),
			Allegation: true, Issues: []string{issue}, Documents: documentsFor(t, f, []string{issue}, "")})
	}
	if len(points) == 0 {
		points = append(points, Point{Key: "whole", Allegation: true, Issues: []string{},
			Documents: documentsFor(t, f, nil, "")})
	}
	return points
}

// differenceIn returns the only issue of the portal's intimation of a difference, whatever else its tables name: that
// they have a row for credit on reverse charge does not mean that tax on it is charged. It is "" for other papers.
func differenceIn(f gst.Facts) string {
	if f.Form == nil {
		return ""
	}
	issue := map[string]string{"DRC-01B": "gstr1_vs_3b", "DRC-01C": "itc_2a2b_vs_3b"}[*f.Form]
	if !slices.Contains(f.Issues, issue) {
		return ""
	}
	return issue
}

// isNotice reports whether there is anything to answer.
func isNotice(f gst.Facts) bool {
	return f.Form != nil || f.Kind != "" || len(f.Paragraphs) > 0 || f.Demand != nil || f.ReplyDue.Date != nil
}

// gist returns the words of an allegation on one line, without its number and without remains of a table after its
// last sentence.
func gist(number, text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if number != "" {
		if rest, ok := strings.CutPrefix(text, number); ok {
			text = strings.TrimLeft(rest, " .):;-–")
		}
	}
	if i := strings.Index(text, ") / ("); strings.HasPrefix(text, "(") && i > 0 && i < 12 { // "(ख) / (b)"
		if j := strings.Index(text[i+5:], ") "); j >= 0 && j < 6 {
			text = text[i+5+j+2:]
		}
	}
	for _, end := range closings {
		if i := strings.Index(text, end); i > 0 {
			text = strings.TrimSpace(text[:i])
		}
	}
	for _, end := range [...]string{". ", "as follows: ", "as under: ", "tabulated below: "} {
		if i := strings.LastIndex(text, end); i > 0 && leftOfTable(text[i+len(end):]) {
			text = text[:i+len(end)-1]
		}
	}
	return text
}

// closings lists words that begin the text after the last allegation of a notice.
var closings = [...]string{" You are required to show cause", " You are hereby ", " Now, therefore", " NOW, THEREFORE",
	" Tax and other dues", " Signature "}

// leftOfTable reports whether words are cells of a table and not a sentence: there are few of them, they are
// capitalised or figures, and no full stop ends them.
func leftOfTable(s string) bool {
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 30 || strings.ContainsAny(s[len(s)-1:], ".;:?!") {
		return false
	}
	low := 0
	for _, w := range words {
		if w[0] >= 'a' && w[0] <= 'z' || w[0] >= 0x80 {
			low++
		}
	}
	return 4*low <= len(words)
}

// onlyAsks reports whether a paragraph charges nothing, but asks, says or encloses something.
func onlyAsks(text string) bool {
	low := strings.ToLower(text)
	for _, start := range formalities {
		if strings.HasPrefix(low, start) {
			return true
		}
	}
	return false
}

var formalities = [...]string{"you are hereby directed to", "you are directed to", "you are required to show cause",
	"you are hereby called upon", "you are requested to", "now, therefore", "the noticee should state",
	"the noticee may also intimate", "attention is invited", "personal hearing", "a personal hearing", "copy to",
	"the documents relied upon are"}

// issuesOf returns the issues of a paragraph from its own words. The issue of fraud is only added if the paragraph
// alleges it. If the form has a single issue, it returns that one.
func issuesOf(t *law.Tables, f gst.Facts, text string) []string {
	issues := slices.Clip(gst.IssuesIn(t, text))
	low := strings.ToLower(text)
	if slices.Contains(f.Issues, fraudIssue) &&
		containsAny(low, "fraud", "wilful", "willful", "suppress", "intent to evade", "mis-stat", "misstat") {
		issues = append(issues, fraudIssue)
	}
	if len(issues) == 0 && len(f.Issues) == 1 && f.Form != nil {
		switch {
		case strings.HasPrefix(*f.Form, "REG-"), strings.HasPrefix(*f.Form, "RFD-"), strings.HasPrefix(*f.Form, "MOV-"):
			issues = append(issues, f.Issues[0])
		}
	}
	if issues == nil {
		return []string{}
	}
	if i := slices.Index(issues, "fake_invoice_nongenuine"); i >= 0 && isOutward(low) {
		issues[i] = outwardIssue
	}
	return issues
}

// outwardIssue stands for fake_invoice_nongenuine if the noticee issued the invoices: supplies need another answer than
// purchases.
const outwardIssue = "fake_invoice_outward"

// isOutward reports whether a charge is about invoices that the noticee issued, and not about those it received.
func isOutward(low string) bool {
	return ownBills.MatchString(low) && !boughtOn.MatchString(low)
}

var (
	ownBills = lazyregexp.New(`\b(?:issu(?:ed|ing|e|ance)|rais(?:ed|ing)|supplied|passed on|pass on|passing on)\b[^.;]{0,60}\b(?:invoices?|bills?|credit)\b|\b(?:invoices?|bills?)\b[^.;]{0,40}\b(?:issued|raised|passed on)\b|\b122\(1\)\(ii\)`)
	boughtOn = lazyregexp.New(`\bavail|\bclaimed\b|credit[^.;]{0,30} (?:taken|took)|took credit|\btaken on\b|\b(?:issued|raised) by\b|\breceived from\b|\bpurchas|\binward\b|16\(2\)\(b\)|receipt of goods|receiving goods|\bsuppliers?\b`)
)

const fraudIssue = "section_74_fraud"

// documentsFor returns the papers that the issues require and that answer the charge, which is in lower case. Papers in
// the facts take precedence. Without an issue, it returns all papers in the facts.
func documentsFor(t *law.Tables, f gst.Facts, issues []string, charge string) []gst.RequiredDocument {
	all := []gst.RequiredDocument{}
	add := func(d gst.RequiredDocument) {
		if !slices.ContainsFunc(all, func(have gst.RequiredDocument) bool { return have.Type == d.Type }) {
			all = append(all, d)
		}
	}
	for _, d := range f.RequiredDocuments {
		if charge != "" && !answers(t, d, charge) {
			continue
		}
		if len(issues) == 0 && len(f.Charges()) == 0 || slices.Contains(issues, d.Issue) {
			add(d)
		}
	}
	for _, row := range t.Issues {
		if row.Key == "fake_invoice_nongenuine" && slices.Contains(issues, outwardIssue) {
			for _, d := range papersOfSale {
				add(d)
			}
		}
		if !slices.Contains(issues, row.Key) {
			continue
		}
		for _, d := range row.Documents {
			if d.Answers(charge) {
				add(gst.RequiredDocument{Type: d.Type, Reason: d.Reason, Issue: row.Key})
			}
		}
	}
	return all
}

// answers reports whether a paper that the facts ask for answers a charge, which is in lower case.
func answers(t *law.Tables, paper gst.RequiredDocument, charge string) bool {
	for _, row := range t.Issues {
		for _, d := range row.Documents {
			if row.Key == paper.Issue && d.Type == paper.Type {
				return d.Answers(charge)
			}
		}
	}
	return true
}

// papersOfSale lists papers that prove that the invoiced goods or services were supplied.
var papersOfSale = []gst.RequiredDocument{
	{Type: "Tax invoices issued, with e-way bills and lorry receipts",
		Reason: "show what was sold and how it travelled", Issue: "fake_invoice_nongenuine"},
	{Type: "Stock register of the goods sold", Reason: "shows that there were goods to sell",
		Issue: "fake_invoice_nongenuine"},
	{Type: "Bank statements showing the customers' payments", Reason: "show that the customers paid",
		Issue: "fake_invoice_nongenuine"},
}

func containsAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
