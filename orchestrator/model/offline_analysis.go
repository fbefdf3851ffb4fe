package model

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	writtenByProgram = "**No language model wrote this.** A program put it together from what it could read in the notice. Compare it with the notice, and have a professional review any reply before it is filed."
	mostDocuments    = 12
)

// analysis writes what a person needs to know about the notice first.
func (n *notice) analysis() string {
	switch {
	case strings.TrimSpace(n.text) == "" && !n.known:
		return "**No text could be read from this document,** with or without a language model, so nothing can be said about it. If it is a photograph or a scan, a sharper or straighter one may help."
	case !n.known:
		return n.noNotice()
	}
	var b strings.Builder
	b.WriteString(writtenByProgram + "\n\n")
	n.writePoints(&b)
	n.writeWhat(&b)
	n.writeWhen(&b)
	n.writeAllegations(&b)
	n.writeAmounts(&b)
	n.writeFlags(&b)
	n.writeSteps(&b)
	n.writeRequired(&b)
	return b.String()
}

// noNotice says what the text is not, and shows how it begins.
func (n *notice) noNotice() string {
	return "**This does not look like a GST notice.** No language model is configured, and the program found no notice form, no officer who asks for something, and no allegation in it. So it says nothing about deadlines or amounts.\n\n" +
		"The document begins with:\n\n> " + quote(strings.Join(passageTexts(n.text, 1), " "), 400) + "\n\n" +
		"If it is a notice, it may have been read badly: upload a sharper scan, or the PDF from the GST portal. If you wanted to add it to a notice, upload the notice first."
}

// writePoints begins with what ends or reduces the demand, and what it takes away.
func (n *notice) writePoints(b *strings.Builder) {
	const most = 6
	if len(n.facts.Points) == 0 {
		return
	}
	b.WriteString("## What decides this notice\n\n")
	for i, p := range n.facts.Points {
		if i == most {
			break
		}
		fmt.Fprintf(b, "- **%s** (%s)", plain(p.Title), plain(p.Provision))
		if p.Amount != "" {
			of := ""
			if p.Remains != "" {
				of = ", " + plain(p.Remains) + " remains"
			}
			would := "falls"
			if p.Verdict != "applies" {
				would = "would fall"
			}
			fmt.Fprintf(b, ": %s %s%s", plain(p.Amount), would, of)
		}
		b.WriteString(". " + plain(p.Explain))
		if len(p.Because) > 0 {
			q := p.Because[len(p.Because)-1]
			fmt.Fprintf(b, " Page %d: %s.", q.Page, quote(q.Quote, 160))
		}
		if p.Ask != "" {
			b.WriteString(" *To ask first:* " + plain(p.Ask))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
}

func (n *notice) writeWhat(b *strings.Builder) {
	f := &n.facts
	fmt.Fprintf(b, "## What this notice is\n\n**%s** — %s.\n\n%s\n\n", capital(n.formName()), lowerFirst(n.words.Title), n.words.What)
	if len(f.Issues) > 0 {
		var about []string
		for _, key := range f.Issues {
			if words, ok := plainWords().Issues[key]; ok {
				about = append(about, words)
			}
		}
		if len(about) > 0 {
			fmt.Fprintf(b, "It is about: %s.\n\n", strings.Join(about, "; "))
		}
	}
	b.WriteString("| | |\n| --- | --- |\n")
	row := func(name, text, field string) {
		if text != "" {
			fmt.Fprintf(b, "| %s | %s%s |\n", name, text, n.page(field))
		}
	}
	row("From", join(", ", plain(f.Officer.Name), plain(f.Officer.Designation), plain(f.Officer.Jurisdiction)), "officer")
	name := plain(f.LegalName)
	if f.TradeName != "" && !strings.EqualFold(f.TradeName, f.LegalName) {
		name = join(", trading as ", name, plain(f.TradeName))
	}
	row("About", name, "legal_name")
	gstin := plain(f.GSTIN)
	if f.GSTINValid != nil && !*f.GSTINValid {
		gstin += " (the check digit does not fit: compare with your certificate)"
	}
	row("GSTIN", gstin, "gstin")
	row("Number", plain(f.Reference), "reference")
	row("DIN", plain(f.DIN), "din")
	if f.IssueDate != "" {
		row("Date", longDate(f.IssueDate), "issue_date")
	}
	row("Financial year", n.periods(), "periods")
	row("Sections of the CGST Act cited", plain(strings.Join(f.Sections, ", ")), "")
	row("CGST Rules cited", plain(strings.Join(f.Rules, ", ")), "")
	b.WriteString("\n")
	if len(f.OCRPages) > 0 {
		fmt.Fprintf(b, "Read by text recognition: page %s. Letters and figures there can be misread: compare the dates, numbers and amounts with the paper.\n\n", numbers(f.OCRPages))
	}
}

func (n *notice) writeWhen(b *strings.Builder) {
	b.WriteString("## By when, and how to answer\n\n" + n.deadline() + "\n\n")
	fmt.Fprintf(b, "**How:** %s\n\n", n.words.Reply)
	if h := n.hearing(); h != "" {
		b.WriteString(h + "\n\n")
	}
	fmt.Fprintf(b, "**If nobody answers:** %s\n\n", n.words.Silence)
}

// deadline says by when, and where the date comes from.
func (n *notice) deadline() string {
	due := &n.facts.ReplyDue
	if due.Date == "" {
		text := "**The last date to answer could not be read surely.**"
		if due.Basis != "" {
			text += " " + capital(plain(due.Basis)) + "."
		}
		return text + " Look for it in the notice itself, on the portal, or ask the officer who signed. Until you know it, treat the matter as urgent: an answer within seven days of receipt is within nearly every time that the law gives."
	}
	text := fmt.Sprintf("**%s**", longDate(due.Date))
	if left := n.daysLeft(due.Date); left != "" {
		text += " (" + left + ")"
	}
	if due.Source == "printed" {
		text = "The last date to answer is " + text + ". It is printed in the notice" + n.page("reply_due")
		if e := n.facts.Evidence["reply_due"]; e.Quote != "" {
			text += ": " + quote(e.Quote, 220)
		}
		text += "."
	} else {
		text = "Counted by the program, the last date to answer is " + text + ". No date is printed. The time to answer is " + plain(due.Basis) + n.page("reply_due") + ". If the notice reached you later, you may have more time; keep proof of the day on which you received it, and treat this date as the safe one."
	}
	if n.hasPassed(due.Date) {
		text += "\n\n**This date has passed.** See a professional at once. A late answer with a request for more time, or an appeal if an order has been made, may still be possible."
	}
	return text
}

func (n *notice) hearing() string {
	h := n.facts.Hearing
	if h == nil {
		return ""
	}
	text := "**Hearing:** " + longDate(h.Date)
	if h.Time != "" {
		text += " at " + plain(h.Time)
	}
	if h.Venue != "" {
		text += ", " + plain(h.Venue)
	}
	if left := n.daysLeft(h.Date); left != "" {
		text += " (" + left + ")"
	}
	text += n.page("hearing") + "."
	if n.hasPassed(h.Date) {
		return text + " If you were not there, ask in writing for another date at once."
	}
	return text + " You can go yourself or send an authorised representative."
}

func (n *notice) writeAllegations(b *strings.Builder) {
	b.WriteString("## What is alleged\n\n")
	paragraphs := n.facts.Paragraphs
	if len(paragraphs) == 0 {
		b.WriteString("The program could not tell the single allegations apart. Read the notice itself")
		if e, ok := n.facts.Evidence["issues"]; ok && e.Quote != "" {
			fmt.Fprintf(b, "; it says, on page %d:\n\n> %s\n\n", e.Page, quote(e.Quote, 500))
			return
		}
		b.WriteString(".\n\n")
		return
	}
	b.WriteString("In the notice's own words:\n\n")
	for _, p := range paragraphs {
		fmt.Fprintf(b, "- **%s** (page %d): %s\n", plain(p.Number), p.Page, quote(allegation(withoutNumber(p.Text, p.Number)), 600))
	}
	b.WriteString("\n")
	if f := n.facts.FraudAlleged; f != nil && *f {
		b.WriteString("The notice alleges fraud, wilful misstatement or hiding of facts" + n.page("fraud_alleged") + ". That allows a longer period and higher penalties, so answer that point on its own.\n\n")
	}
}

// afterAllegation is where a paragraph runs on into a table, whose rows are no
// sentence, or into what stands at the end of every notice.
var afterAllegation = regexp.MustCompile(`[.:;]\s+(?:(?:S(?:r|l)?\. ?No\b|Particulars\b|Description\s+(?:IGST|CGST|SGST|Amount)\b)|You may (?:also )?(?:appear|make your reply|furnish|file)\b|If you fail to\b|(?:A |The )?[Pp]ersonal hearing\b)|` +
	`\sParticulars\s+(?:IGST|CGST|SGST|Tax|Amount|As per)\b|(?:\s(?:Rs\.? ?|₹ ?)?[0-9][0-9,]*(?:\.[0-9]+)?){3,}`)

// allegation ends a paragraph where its own words end, and shows that more
// follows there.
func allegation(text string) string {
	at := afterAllegation.FindStringIndex(text)
	if at == nil || at[0] < 30 {
		return text // nothing of an allegation would be left
	}
	cut := at[0]
	if strings.IndexByte(".:;", text[cut]) >= 0 {
		cut++
	}
	return text[:cut] + " …"
}

// withoutNumber takes off a paragraph's number where the text repeats it.
func withoutNumber(text, number string) string {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, number); ok {
		if rest = strings.TrimLeft(rest, ".):- "); rest != "" {
			return rest
		}
	}
	return text
}

func (n *notice) writeAmounts(b *strings.Builder) {
	b.WriteString("## How much\n\n" + n.amounts() + "\n\n")
}

// unreadAmount gives the page on which to look for the demand that was not read, 0 where none is missing.
func (n *notice) unreadAmount() int {
	for _, a := range n.facts.Attention {
		if a.Code == "amount_unread" {
			return a.Page
		}
	}
	return 0
}

func (n *notice) amounts() string {
	d := n.facts.Demand
	if d == nil {
		switch {
		case strings.HasPrefix(n.facts.Form, "RFD"):
			return "Nothing is demanded: the notice is about a refund."
		case strings.HasPrefix(n.facts.Form, "REG"), n.facts.Form == "GSTR-3A", n.facts.Form == "ADT-01":
			return "This notice demands no amount."
		}
		if page := n.unreadAmount(); page > 0 {
			return fmt.Sprintf("**Amount not read, see page %d.** This paper makes a demand, and the program could not read its total surely. Look at its tables of tax, interest and penalty and at its annexures before you rely on any figure.", page)
		}
		return "The program found no amount that it could read surely. Look for a table of tax, interest and penalty in the notice and its annexures."
	}
	var b strings.Builder
	if len(d.Rows) > 0 {
		columns := [...]struct {
			name string
			sum  float64
			any  bool
		}{{name: "Tax"}, {name: "Interest"}, {name: "Penalty"}, {name: "Fee"}, {name: "Other"}}
		cells := make([][len(columns)]float64, len(d.Rows))
		for i, r := range d.Rows {
			cells[i] = [...]float64{r.Tax, r.Interest, r.Penalty, r.Fee, r.Other}
			for c, amount := range cells[i] {
				columns[c].sum += amount
				columns[c].any = columns[c].any || amount != 0
			}
		}
		header, rule, totals, all := "| Head |", "| --- |", "| **Total** |", 0.0
		for _, column := range columns {
			if !column.any {
				continue // zero in every row: mostly a column that the notice does not have
			}
			header += " " + column.name + " |"
			rule += " ---: |"
			totals += " **" + rupees(column.sum) + "** |"
			all += column.sum
		}
		fmt.Fprintf(&b, "%s Total |\n%s ---: |\n", header, rule)
		for i, r := range d.Rows {
			fmt.Fprintf(&b, "| %s |", plain(r.Head))
			sum := 0.0
			for c, amount := range cells[i] {
				if columns[c].any {
					fmt.Fprintf(&b, " %s |", rupees(amount))
				}
				sum += amount
			}
			fmt.Fprintf(&b, " %s |\n", rupees(sum))
		}
		fmt.Fprintf(&b, "%s **%s** |\n\n", totals, rupees(all))
		if !columns[1].any {
			b.WriteString("Interest: the notice gives no figure above zero; it may be claimed in addition, up to the day of payment. ")
		}
		if !columns[2].any {
			b.WriteString("Penalty: the notice gives no figure above zero. ")
		}
	}
	if d.Total != nil {
		fmt.Fprintf(&b, "Total in the notice: **%s**%s.", rupees(*d.Total), n.page("demand"))
	} else {
		b.WriteString("These figures come from sentences of the notice; a total was not read, and more may be claimed in its tables.")
	}
	return strings.TrimSpace(b.String())
}

func (n *notice) writeFlags(b *strings.Builder) {
	if len(n.facts.Flags) == 0 {
		return
	}
	b.WriteString("## Points for a professional\n\nThese are points to look at, not conclusions.\n\n")
	for _, f := range n.facts.Flags {
		fmt.Fprintf(b, "- %s\n", escape(oneLine(f.Message)))
	}
	b.WriteString("\n")
}

func (n *notice) writeSteps(b *strings.Builder) {
	steps := []string{"Check on the GST portal (Services, User Services, View Notices and Orders) that this notice is there, and download all of its attachments."}
	if n.facts.DIN != "" {
		steps = []string{"Check the DIN on the CBIC website, and look on the GST portal (Services, User Services, View Notices and Orders) for the attachments."}
	}
	steps = append(steps, "Write down the day and the way in which the notice reached you, and keep the proof.")
	if len(n.documents()) > 0 {
		steps = append(steps, "Collect the papers listed below; upload each here as you get it.")
	}
	if len(n.facts.Paragraphs) > 0 {
		steps = append(steps, "For each allegation, note whether it is right, partly right or wrong, and which paper shows it.")
	}
	switch {
	case n.facts.Form == "GSTR-3A":
		steps = append(steps, "File the missing return; the notice then falls away by itself, if no order was made before.")
	case n.facts.Form == "DRC-07" || n.facts.Form == "ASMT-13" || n.facts.Form == "REG-19" || n.facts.Form == "ASMT-16":
		steps = append(steps, "Take the order to a professional now: the time to appeal cannot be extended beyond what the law allows.")
	default:
		steps = append(steps, "Have a professional draft or review the answer, file it before the last date, and keep the acknowledgement.")
	}
	b.WriteString("## What to do next\n\n")
	for i, s := range steps {
		fmt.Fprintf(b, "%d. %s\n", i+1, s)
	}
	b.WriteString("\n")
}

// documents gives the papers to ask for: those of each issue in turn, so that
// none is left out when there are many.
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

// writeRequired writes the list that the product reads: its heading and form
// are fixed.
func (n *notice) writeRequired(b *strings.Builder) {
	list := n.documents()
	if len(list) == 0 {
		return
	}
	b.WriteString("## Required Document(s):\n")
	for _, r := range list {
		fmt.Fprintf(b, "- %s: %s\n", strings.ReplaceAll(plain(r.kind), ":", " -"), plain(r.reason))
	}
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
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ", ")
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// lowerFirst lowers the first letter of a title, unless a name or a return
// begins it.
func lowerFirst(s string) string {
	if len(s) < 2 || s[1] < 'a' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
