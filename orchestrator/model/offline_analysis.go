package model

import (
	"fmt"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

const mostDocuments = 12

// analysis states the most important points of the notice first.
func (n *notice) analysis() {
	switch {
	case strings.TrimSpace(n.text) == "" && !n.known:
		n.say("unreadable")
		return
	case !n.known:
		n.say("no_notice", "quote", quote(strings.Join(passageTexts(n.text, 1), " "), 400))
		return
	}
	n.say("by_program")
	n.sayPoints()
	n.sayWhatItIs()
	n.sayWhen()
	n.say("heading_allegations")
	n.sayAllegations()
	n.say("heading_amounts")
	n.sayAmounts()
	n.sayFlags()
	n.say("heading_steps")
	n.sayNext()
}

// sayPoints states what ends or reduces the demand, and by how much.
func (n *notice) sayPoints() {
	const most = 6
	if len(n.facts.Points) == 0 {
		return
	}
	n.say("heading_points")
	for _, p := range n.facts.Points[:min(len(n.facts.Points), most)] {
		title, explain, ask, provision := p.Title, p.Explain, p.Ask, p.Provision
		if n.language == inHindi && p.Hindi.Title != "" {
			title, explain, ask, provision = p.Hindi.Title, p.Hindi.Explain, p.Hindi.Ask, message.Citation(provision).
				In(inHindi)
		}
		page, words := "", ""
		if len(p.Because) > 0 {
			because := p.Because[len(p.Because)-1]
			page, words = strconv.Itoa(because.Page), quote(because.Quote, 160)
		}
		n.say("point", "case", p.Verdict, "name", plain(title), "provision", plain(provision), "amount",
			plain(p.Amount), "remains", plain(p.Remains), "text", plain(explain), "page", page, "quote", words, "ask",
			plain(ask))
	}
}

func (n *notice) sayWhatItIs() {
	f := &n.facts
	n.say("heading_what")
	n.sayForm("what")
	for i, key := range f.Issues {
		place := "more"
		if i == 0 {
			place = "first"
		}
		n.say("issue", "case", place, "issue", key)
	}
	if len(f.Issues) > 0 {
		n.say("issues_end")
	}
	n.say("rows")
	row := func(name, text, field string) {
		if text != "" {
			n.say("row", "case", name, "text", text, "page", n.page(field))
		}
	}
	row("from", n.officer(), "officer")
	name := plain(f.LegalName)
	if f.TradeName != "" && !strings.EqualFold(f.TradeName, f.LegalName) {
		name = join(" / ", name, plain(f.TradeName))
	}
	row("to", name, "legal_name")
	if f.GSTINValid != nil && !*f.GSTINValid {
		row("gstin_wrong", plain(f.GSTIN), "gstin")
	} else {
		row("gstin", plain(f.GSTIN), "gstin")
	}
	row("number", plain(f.Reference), "reference")
	row("din", plain(f.DIN), "din")
	if f.IssueDate != "" {
		row("date", n.date(f.IssueDate), "issue_date")
	}
	row("years", n.periods(), "periods")
	row("sections", plain(strings.Join(f.Sections, ", ")), "")
	row("rules", plain(strings.Join(f.Rules, ", ")), "")
	if len(f.OCRPages) > 0 {
		n.say("recognised", "list", numbers(f.OCRPages))
	}
}

func (n *notice) sayWhen() {
	n.say("heading_when", "kind", n.order())
	n.sayDeadline()
	n.say("how")
	n.sayForm("how")
	if n.facts.Hearing != nil {
		n.sayHearing()
	}
	n.say("silence")
	n.sayForm("silence")
}

// sayDeadline states the reply date, and how it was found.
func (n *notice) sayDeadline() {
	due := &n.facts.ReplyDue
	basis := plain(n.in(due.Said, due.Basis))
	if due.Date == "" {
		n.say("deadline", "kind", n.order(), "case", "unknown", "text", basis)
		return
	}
	how, words := "computed", ""
	if due.Source == "printed" {
		how = "printed"
		if e := n.facts.Evidence["reply_due"]; e.Quote != "" {
			words = quote(e.Quote, 220)
		}
	}
	when, days := n.daysLeft(due.Date)
	n.say("deadline", "kind", n.order(), "case", how, "date", n.date(due.Date), "when", when, "days", days, "page",
		n.page("reply_due"), "quote", words, "text", basis)
	if n.hasPassed(due.Date) {
		n.say("deadline_passed")
	}
}

func (n *notice) sayHearing() {
	h := n.facts.Hearing
	if h == nil {
		about := n.facts.Form
		if n.isOrder() {
			about = "order"
		}
		n.say("hearing_none", "case", about)
		return
	}
	when, days := n.daysLeft(h.Date)
	n.say("hearing", "date", n.date(h.Date), "number", plain(h.Time), "text", plain(h.Venue), "when", when, "days",
		days, "page", n.page("hearing"))
	if n.hasPassed(h.Date) {
		n.say("hearing_passed")
	} else {
		n.say("hearing_ahead")
	}
}

func (n *notice) sayAllegations() {
	paragraphs := n.facts.Paragraphs
	if len(paragraphs) == 0 {
		e := n.facts.Evidence["issues"]
		if e.Quote == "" {
			n.say("allegations_none")
			return
		}
		n.say("allegations_none", "page", strconv.Itoa(e.Page), "quote", quote(e.Quote, 500))
		return
	}
	n.say("allegations")
	for _, p := range paragraphs {
		n.say("allegation", "number", plain(p.Number), "page", strconv.Itoa(p.Page),
			"quote", quote(allegation(withoutNumber(p.Text, p.Number)), 600))
	}
	if f := n.facts.FraudAlleged; f != nil && *f {
		n.say("fraud", "page", n.page("fraud_alleged"))
	}
}

// afterAllegation matches where a paragraph continues with a table, whose rows are not sentences, or with the standard
// text at the end of notices.
var afterAllegation = lazyregexp.New(`[.:;]\s+(?:(?:S(?:r|l)?\. ?No\b|Particulars\b|Description\s+(?:IGST|CGST|SGST|Amount)\b)|You may (?:also )?(?:appear|make your reply|furnish|file)\b|If you fail to\b|(?:A |The )?[Pp]ersonal hearing\b)|` +
	`\sParticulars\s+(?:IGST|CGST|SGST|Tax|Amount|As per)\b|(?:\s(?:Rs\.? ?|₹ ?)?[0-9][0-9,]*(?:\.[0-9]+)?){3,}`)

// allegation cuts a paragraph where its own text ends, and marks the cut.
func allegation(text string) string {
	at := afterAllegation.FindStringIndex(text)
	if at == nil || at[0] < 30 {
		return text // too little of the allegation would be left
	}
	cut := at[0]
	if strings.IndexByte(".:;", text[cut]) >= 0 {
		cut++
	}
	return text[:cut] + " …"
}

// withoutNumber removes a paragraph's number from the beginning of its text.
func withoutNumber(text, number string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, number); ok {
		if rest = strings.TrimLeft(rest, ".):- "); rest != "" {
			return rest
		}
	}
	return text
}

// unreadAmount returns the page with a demand that could not be read, or 0.
func (n *notice) unreadAmount() int {
	for _, a := range n.facts.Attention {
		if a.Code == "amount_unread" {
			return a.Page
		}
	}
	return 0
}

func (n *notice) sayAmounts() {
	d := n.facts.Demand
	if d == nil {
		page := n.unreadAmount()
		switch {
		case strings.HasPrefix(n.facts.Form, "RFD"):
			n.say("amounts_none", "case", "refund")
		case strings.HasPrefix(n.facts.Form, "REG"), n.facts.Form == "GSTR-3A", n.facts.Form == "ADT-01":
			n.say("amounts_none", "case", "no_demand")
		case page > 0:
			n.say("amounts_none", "case", "unread", "page", strconv.Itoa(page))
		default:
			n.say("amounts_none", "case", "not_found")
		}
		return
	}
	if len(d.Rows) > 0 {
		n.sayTable()
	}
	if d.Total != nil {
		n.say("amounts_total", "amount", rupees(*d.Total), "page", n.page("demand"))
	} else {
		n.say("amounts_no_total")
	}
}

// sayTable states the demand by head of tax. A kind of amount that is zero in every row is left out, since the notice
// mostly has no such column.
func (n *notice) sayTable() {
	kinds := [...]string{"tax", "interest", "penalty", "fee", "other"}
	var sums [len(kinds)]float64
	var there [len(kinds)]bool
	cells := make([][len(kinds)]float64, len(n.facts.Demand.Rows))
	for i, r := range n.facts.Demand.Rows {
		cells[i] = [...]float64{r.Tax, r.Interest, r.Penalty, r.Fee, r.Other}
		for k, amount := range cells[i] {
			sums[k] += amount
			there[k] = there[k] || amount != 0
		}
	}
	row := func(about, head string, of [len(kinds)]float64) {
		pairs, sum := []string{"name", head}, 0.0
		for k, kind := range kinds {
			if there[k] {
				pairs = append(pairs, kind, rupees(of[k]))
				sum += of[k]
			}
		}
		n.say(about, append(pairs, "total", rupees(sum))...)
	}
	row("amounts_columns", "", sums)
	for i, r := range n.facts.Demand.Rows {
		row("amounts_row", plain(r.Head), cells[i])
	}
	row("amounts_sum", "", sums)
	if !there[1] {
		n.say("amounts_no_interest")
	}
	if !there[2] {
		n.say("amounts_no_penalty")
	}
}

func (n *notice) sayFlags() {
	if len(n.facts.Flags) == 0 {
		return
	}
	n.say("heading_flags")
	for _, f := range n.facts.Flags {
		n.say("flag", "text", escape(oneLine(n.in(f.Said, f.Message))))
	}
}

// sayNext lists the next steps.
func (n *notice) sayNext() {
	steps := []string{"portal"}
	if n.facts.DIN != "" {
		steps = []string{"din"}
	}
	steps = append(steps, "receipt")
	if len(n.documents()) > 0 {
		steps = append(steps, "collect")
	}
	if len(n.facts.Paragraphs) > 0 {
		steps = append(steps, "note")
	}
	switch {
	case n.facts.Form == "GSTR-3A":
		steps = append(steps, "file_return")
	case n.isOrder():
		steps = append(steps, "order")
	default:
		steps = append(steps, "answer")
	}
	for i, step := range steps {
		n.say("step", "number", strconv.Itoa(i+1), "case", step)
	}
}

// documents returns the papers to ask for, taking one issue after the other in turn, so that each issue has some when
// there are many.
func (n *notice) documents() []requiredDocument {
	byIssue := map[string][]requiredDocument{}
	var order []string
	for _, r := range n.facts.RequiredDocuments {
		if _, ok := byIssue[r.Issue]; !ok {
			order = append(order, r.Issue)
		}
		byIssue[r.Issue] = append(byIssue[r.Issue], requiredDocument{kind: r.Type, reason: r.Reason})
	}
	var list []requiredDocument
	for more := true; more && len(list) < mostDocuments; {
		more = false
		for _, issue := range order {
			if left := byIssue[issue]; len(left) > 0 && len(list) < mostDocuments {
				list, byIssue[issue], more = append(list, left[0]), left[1:], true
			}
		}
	}
	return list
}

// requiredList writes the list of required documents for the program that parses it: its heading and format are fixed,
// and its names are the English ones of the law tables, which the screen translates.
func (n *notice) requiredList() string {
	list := n.documents()
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\n## Required Document(s):\n")
	for _, r := range list {
		fmt.Fprintf(&b, "- %s: %s\n", strings.ReplaceAll(plain(r.kind), ":", " -"), plain(r.reason))
	}
	return b.String()
}

func join(seam string, parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, seam)
}

func numbers(list []int) string {
	texts := make([]string, len(list))
	for i, n := range list {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}
