package model

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// aNotice is what the officer sends, uploaded where a paper was asked for.
const aNotice = "a GST notice or order, not a paper that answers one"

// papers tells what a supporting document is by words that such papers carry at
// their head. The words that come first there count: a title stands before
// what the paper refers to.
var papers = [...]struct {
	name  string
	words []string
}{
	{"a reply to a notice", []string{"reply to", "drc-06", "asmt-11", "reg-18", "rfd-09"}},
	{aNotice, []string{"drc-01", "drc-07", "drc-13", "asmt-10", "asmt-13", "asmt-14", "asmt-16", "adt-01", "adt-02", "reg-03", "reg-17", "reg-19", "rfd-08", "gstr-3a", "show cause notice", "कारण बताओ नोटिस"}},
	{"an e-way bill", []string{"e-way bill no", "eway bill no", "e-way bill details", "part - b", "validity upto"}},
	{"a challan or payment form (DRC-03 or PMT-06)", []string{"drc-03", "pmt-06", "cpin", "challan identification"}},
	{"a GSTR-2B statement", []string{"gstr-2b", "auto-drafted itc statement"}},
	{"a GSTR-2A statement", []string{"gstr-2a"}},
	{"an annual return (GSTR-9 or GSTR-9C)", []string{"gstr-9"}},
	{"a GSTR-3B return", []string{"gstr-3b"}},
	{"a GSTR-1 return", []string{"gstr-1"}},
	{"a registration certificate", []string{"registration certificate", "reg-06"}},
	{"a credit or debit note", []string{"credit note", "debit note"}},
	{"a tax invoice", []string{"tax invoice", "invoice no", "invoice number"}},
	{"a transporter's receipt", []string{"consignment note", "lorry receipt", "bilty", "goods receipt note"}},
	{"a bank statement", []string{"statement of account", "account statement", "opening balance", "neft", "rtgs"}},
	{"a reconciliation", []string{"reconciliation"}},
	{"a register or ledger", []string{"purchase register", "sales register", "ledger"}},
	{"an agreement", []string{"agreement", "lessor", "party of the first part"}},
	{"a certificate of a chartered accountant", []string{"chartered accountant", "udin"}},
	{"a purchase order", []string{"purchase order", "work order"}},
	{"a bill for electricity or other services", []string{"electricity", "consumer no"}},
}

var (
	gstinPattern  = regexp.MustCompile(`\b[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]\b`)
	yearPattern   = regexp.MustCompile(`\b(20[12][0-9])-(?:20)?([0-9]{2})\b`)
	datePattern   = regexp.MustCompile(`\b[0-3]?[0-9][./-](?:[01]?[0-9]|[A-Za-z]{3})[./-](?:20)?[0-9]{2}\b|\b[0-3]?[0-9](?:st|nd|rd|th)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*,? 20[0-9]{2}\b`)
	amountPattern = regexp.MustCompile(`(?:[0-9]{1,3}(?:,[0-9]{2,3})+|[0-9]{4,12})(?:\.[0-9]{1,2})?`)
)

// review says what an uploaded document is and how it fits the notice.
func (n *notice) review(document, kind string) string {
	var b strings.Builder
	b.WriteString("**No language model read this document.** A program compared what it could recognise with the notice; whether the document proves a point is for a professional to say.\n\n")
	text := withoutPageMarks(document)
	if strings.TrimSpace(text) == "" {
		b.WriteString("No text could be read from it. If it is a photograph or a scan, upload a sharper one, or the original PDF.")
		return b.String()
	}
	b.WriteString("## What this document is\n\n")
	seen := paperOf(text)
	switch {
	case kind != "" && seen != "":
		fmt.Fprintf(&b, "You uploaded it as %s. By its words it looks like %s.", quote(kind, 120), seen)
	case kind != "":
		fmt.Fprintf(&b, "You uploaded it as %s. The program does not recognise its kind.", quote(kind, 120))
	case seen != "":
		fmt.Fprintf(&b, "By its words it looks like %s.", seen)
	default:
		b.WriteString("The program does not recognise its kind.")
	}
	if reason := n.reasonFor(kind); reason != "" {
		fmt.Fprintf(&b, " Why it is wanted: %s.", strings.TrimSuffix(reason, "."))
	}
	if opening := passageTexts(document, 1); len(opening) > 0 {
		fmt.Fprintf(&b, " It begins with:\n\n> %s\n\n", quote(opening[0], 240))
	}
	n.writeComparison(&b, text)
	if seen == aNotice || n.foreign(gstinsIn(text)) {
		kind = "" // it does not settle what was asked for
	}
	n.writeOpen(&b, kind)
	return b.String()
}

// paperOf names the kind of a document by its head, "" where no words tell it.
func paperOf(text string) string {
	const most = 2000
	head := strings.ToLower(oneLine(text))
	head = formNumber.ReplaceAllString(head[:min(len(head), most)], "$1-$2")
	kind, earliest := "", len(head)
	for _, p := range papers {
		for _, w := range p.words {
			if at := strings.Index(head, w); at >= 0 && at < earliest {
				kind, earliest = p.name, at
			}
		}
	}
	return kind
}

// formNumber finds the numbers of forms however their dash is printed.
var formNumber = regexp.MustCompile(`\b(drc|asmt|adt|reg|rfd|pmt|gstr)[ ‐-―-]+([0-9])`)

func gstinsIn(text string) []string {
	return distinct(gstinPattern.FindAllString(strings.ToUpper(text), 200))
}

// foreign tells whether a document names GSTINs, but not that of the notice.
func (n *notice) foreign(numbers []string) bool {
	return n.facts.GSTIN != "" && len(numbers) > 0 && !slices.Contains(numbers, n.facts.GSTIN)
}

func (n *notice) writeComparison(b *strings.Builder, text string) {
	b.WriteString("## How it fits the notice\n\n")
	if !n.known {
		b.WriteString("There is no notice in this conversation to compare it with. Upload the notice first.\n\n")
		return
	}
	f := &n.facts
	var points []string
	add := func(format string, args ...any) { points = append(points, fmt.Sprintf(format, args...)) }

	numbers := gstinsIn(text)
	switch i := slices.Index(numbers, f.GSTIN); {
	case f.GSTIN == "" && len(numbers) > 0:
		add("It names GSTIN %s; the notice's own could not be read, so they were not compared.", first(numbers, 4))
	case f.GSTIN == "":
	case i >= 0:
		add("It names your GSTIN %s.", plain(f.GSTIN))
		if others := slices.Delete(slices.Clone(numbers), i, i+1); len(others) > 0 {
			add("It also names GSTIN %s.", first(others, 4))
		}
	case n.foreign(numbers):
		add("**It does not name the GSTIN of the notice, %s,** but %s. Check that it belongs to this matter.", plain(f.GSTIN), first(numbers, 4))
	default:
		add("It names no GSTIN.")
	}
	if f.Reference != "" && strings.Contains(squeeze(text), squeeze(f.Reference)) {
		add("It refers to this notice by its number %s.", plain(f.Reference))
	}
	if name := longer(f.LegalName, f.TradeName, text); name != "" {
		add("It names %s.", plain(name))
	}
	n.compareYears(text, add)
	n.compareAmounts(text, add)
	if dates := distinct(datePattern.FindAllString(text, 300)); len(dates) > 0 {
		add("Dates in it: %s.", first(dates, 6))
	}
	for _, p := range points {
		fmt.Fprintf(b, "- %s\n", p)
	}
	b.WriteString("\nEqual figures are a hint, not a proof; figures that differ may be right on both sides.\n\n")
}

func (n *notice) compareYears(text string, add func(string, ...any)) {
	var years []string
	for _, m := range yearPattern.FindAllStringSubmatch(text, 300) {
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[2])
		if (from+1)%100 == to {
			years = append(years, m[1]+"-"+m[2])
		}
	}
	years = distinct(years)
	if len(years) == 0 || len(n.facts.Periods) == 0 {
		return
	}
	var same []string
	for _, p := range n.facts.Periods {
		if slices.Contains(years, p.FY) {
			same = append(same, p.FY)
		}
	}
	if len(same) > 0 {
		add("It names the financial year %s, which the notice is about.", strings.Join(same, ", "))
		return
	}
	add("**It names the financial year %s, but the notice is about %s.**", first(years, 4), n.periods())
}

// compareAmounts looks for the figures of the demand in the document.
func (n *notice) compareAmounts(text string, add func(string, ...any)) {
	found := map[int64]bool{}
	for _, m := range amountPattern.FindAllString(text, 20_000) {
		if f, err := strconv.ParseFloat(strings.ReplaceAll(m, ",", ""), 64); err == nil {
			found[int64(f+0.5)] = true
		}
	}
	if n.facts.Demand == nil {
		return
	}
	var same []string
	look := func(what string, amount float64) {
		if amount >= 100 && found[int64(amount+0.5)] {
			same = append(same, rupees(amount)+" ("+what+")")
		}
	}
	for _, r := range n.facts.Demand.Rows {
		head := plain(r.Head)
		look(head+" tax", r.Tax)
		look(head+" interest", r.Interest)
		look(head+" penalty", r.Penalty)
	}
	if n.facts.Demand.Total != nil {
		look("total", *n.facts.Demand.Total)
	}
	switch {
	case len(same) > 0:
		add("Figures of the demand that stand in it: %s.", strings.Join(distinct(same), ", "))
	case len(found) > 0:
		add("None of the demand's figures stands in it.")
	}
}

// writeOpen lists what is still to come, without the heading that would
// replace the list of required documents.
func (n *notice) writeOpen(b *strings.Builder, kind string) {
	b.WriteString("## What is still open\n\n")
	var open []string
	list := n.required
	if len(list) == 0 {
		list = n.documents()
	}
	for _, r := range list {
		if r.state != "uploaded" && r.state != "reviewed" && r.state != "received" && !sameKind(r.kind, kind) {
			open = append(open, plain(r.kind))
		}
	}
	if len(open) > 0 {
		fmt.Fprintf(b, "Still asked for: %s.\n\n", strings.Join(open, "; "))
	}
	if due := n.facts.ReplyDue.Date; due != "" {
		fmt.Fprintf(b, "The last date to answer is %s%s.\n\n", longDate(due), bracketed(n.daysLeft(due)))
	}
	b.WriteString("Show the document to whoever writes your reply. Before it is filed, look whether it holds anything that speaks against you.")
}

// reasonFor gives why a document of this name was asked for.
func (n *notice) reasonFor(kind string) string {
	for _, list := range [][]requiredDocument{n.required, n.documents()} {
		for _, r := range list {
			if sameKind(r.kind, kind) {
				return plain(r.reason)
			}
		}
	}
	return ""
}

func sameKind(a, b string) bool {
	return a != "" && strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
}

func bracketed(s string) string {
	if s == "" {
		return ""
	}
	return " (" + s + ")"
}

func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// first writes the first few of a list, and how many more there are.
func first(list []string, most int) string {
	if len(list) <= most {
		return plain(strings.Join(list, ", "))
	}
	return fmt.Sprintf("%s and %d more", plain(strings.Join(list[:most], ", ")), len(list)-most)
}

func squeeze(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }

// longer gives the name that stands in the text, the legal one before the
// trade name.
func longer(legal, trade, text string) string {
	low := strings.ToLower(oneLine(text))
	for _, name := range [...]string{legal, trade} {
		if len(name) > 3 && strings.Contains(low, strings.ToLower(oneLine(name))) {
			return name
		}
	}
	return ""
}
