package model

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// aNotice means that the uploaded document is another notice, not a requested paper.
const aNotice = "notice"

// papers lists words that identify a supporting document. The one that comes first in its text counts, since the title
// comes before any mention of other papers.
var papers = [...]struct {
	kind  string
	words []string
}{
	{"reply", []string{"reply to", "drc-06", "asmt-11", "reg-18", "rfd-09"}},
	{aNotice, []string{"drc-01", "drc-07", "drc-13", "asmt-10", "asmt-13", "asmt-14", "asmt-16", "adt-01", "adt-02",
		"reg-03", "reg-17", "reg-19", "rfd-08", "gstr-3a", "show cause notice", "कारण बताओ नोटिस"}},
	{"eway", []string{"e-way bill no", "eway bill no", "e-way bill details", "part - b", "validity upto"}},
	{"challan", []string{"drc-03", "pmt-06", "cpin", "challan identification"}},
	{"gstr2b", []string{"gstr-2b", "auto-drafted itc statement"}},
	{"gstr2a", []string{"gstr-2a"}},
	{"gstr9", []string{"gstr-9"}},
	{"gstr3b", []string{"gstr-3b"}},
	{"gstr1", []string{"gstr-1"}},
	{"registration", []string{"registration certificate", "reg-06"}},
	{"note", []string{"credit note", "debit note"}},
	{"invoice", []string{"tax invoice", "invoice no", "invoice number"}},
	{"transport", []string{"consignment note", "lorry receipt", "bilty", "goods receipt note"}},
	{"bank", []string{"statement of account", "account statement", "opening balance", "neft", "rtgs"}},
	{"reconciliation", []string{"reconciliation"}},
	{"register", []string{"purchase register", "sales register", "ledger"}},
	{"agreement", []string{"agreement", "lessor", "party of the first part"}},
	{"certificate", []string{"chartered accountant", "udin"}},
	{"order", []string{"purchase order", "work order"}},
	{"bill", []string{"electricity", "consumer no"}},
}

var (
	gstinPattern  = lazyregexp.New(`\b[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]\b`)
	yearPattern   = lazyregexp.New(`\b(20[12][0-9])-(?:20)?([0-9]{2})\b`)
	datePattern   = lazyregexp.New(`\b[0-3]?[0-9][./-](?:[01]?[0-9]|[A-Za-z]{3})[./-](?:20)?[0-9]{2}\b|\b[0-3]?[0-9](?:st|nd|rd|th)? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*,? 20[0-9]{2}\b`)
	amountPattern = lazyregexp.New(`(?:[0-9]{1,3}(?:,[0-9]{2,3})+|[0-9]{4,12})(?:\.[0-9]{1,2})?`)
)

// review says what an uploaded document is, and whether it fits the notice.
func (n *notice) review(document, kind string) {
	n.say("by_comparison")
	text := withoutPageMarks(document)
	if strings.TrimSpace(text) == "" {
		n.say("document_unreadable")
		return
	}
	seen, how := paperOf(text), "unknown"
	if kind != "" {
		how = "given"
	}
	name := ""
	if kind != "" {
		name = quote(n.name(kind), 120)
	}
	n.say("document", "case", how, "quote", name)
	if seen != "" {
		n.say("looks_like", "kind", seen)
	} else {
		n.say("looks_unknown")
	}
	if reason := n.reasonFor(kind); reason != "" {
		n.say("wanted", "reason", strings.TrimSuffix(plain(n.name(reason)), "."))
	}
	if opening := passageTexts(document, 1); len(opening) > 0 {
		n.say("begins", "quote", quote(opening[0], 240))
	}
	n.compare(text)
	if seen == aNotice || n.foreign(gstinsIn(text)) {
		kind = "" // it is not the requested paper
	}
	n.sayOpen(kind)
}

// paperOf returns the kind of a document from its first words, or "" if they do not tell.
func paperOf(text string) string {
	const most = 2000
	head := strings.ToLower(oneLine(text))
	head = formNumber.ReplaceAllString(head[:min(len(head), most)], "$1-$2")
	kind, earliest := "", len(head)
	for _, p := range papers {
		for _, w := range p.words {
			if at := strings.Index(head, w); at >= 0 && at < earliest {
				kind, earliest = p.kind, at
			}
		}
	}
	return kind
}

// formNumber matches form numbers with any kind of dash.
var formNumber = lazyregexp.New(`\b(drc|asmt|adt|reg|rfd|pmt|gstr)[ ‐-―-]+([0-9])`)

func gstinsIn(text string) []string {
	return distinct(gstinPattern.FindAllString(strings.ToUpper(text), 200))
}

// foreign reports whether a document has GSTINs, but not the notice's.
func (n *notice) foreign(numbers []string) bool {
	return n.facts.GSTIN != "" && len(numbers) > 0 && !slices.Contains(numbers, n.facts.GSTIN)
}

// compare says which facts of the notice occur in a document.
func (n *notice) compare(text string) {
	n.say("heading_fit")
	if !n.known {
		n.say("fit_no_notice")
		return
	}
	f := &n.facts
	found := gstinsIn(text)
	switch i := slices.Index(found, f.GSTIN); {
	case f.GSTIN == "" && len(found) > 0:
		n.fit("gstin_unread", found, 4)
	case f.GSTIN == "":
	case i >= 0:
		n.say("fit", "case", "gstin", "gstin", plain(f.GSTIN))
		if others := slices.Delete(slices.Clone(found), i, i+1); len(others) > 0 {
			n.fit("gstin_too", others, 4)
		}
	case n.foreign(found):
		n.fit("gstin_other", found, 4, "gstin", plain(f.GSTIN))
	default:
		n.say("fit", "case", "gstin_none")
	}
	if f.Reference != "" && strings.Contains(squeeze(text), squeeze(f.Reference)) {
		n.say("fit", "case", "number", "number", plain(f.Reference))
	}
	if name := longer(f.LegalName, f.TradeName, text); name != "" {
		n.say("fit", "case", "name", "name", plain(name))
	}
	n.compareYears(text)
	n.compareAmounts(text)
	if dates := distinct(datePattern.FindAllString(text, 300)); len(dates) > 0 {
		n.fit("dates", dates, 6)
	}
	n.say("fit_hint")
}

// fit states one result of the comparison, with the first few values of a list and how many more there are.
func (n *notice) fit(what string, list []string, most int, pairs ...string) {
	more := ""
	if len(list) > most {
		more = strconv.Itoa(len(list) - most)
		list = list[:most]
	}
	n.say("fit", append(pairs, "case", what, "list", plain(strings.Join(list, ", ")), "days", more)...)
}

func (n *notice) compareYears(text string) {
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
		n.say("fit", "case", "years", "list", strings.Join(same, ", "))
		return
	}
	n.fit("years_other", years, 4, "text", n.periods())
}

// compareAmounts looks for the amounts of the demand in the document.
func (n *notice) compareAmounts(text string) {
	found := map[int64]bool{}
	for _, m := range amountPattern.FindAllString(text, 20_000) {
		if f, err := strconv.ParseFloat(strings.ReplaceAll(m, ",", ""), 64); err == nil {
			found[int64(f+0.5)] = true
		}
	}
	if n.facts.Demand == nil {
		return
	}
	same := 0
	look := func(head, kind string, amount float64) {
		if amount < 100 || !found[int64(amount+0.5)] {
			return
		}
		if same++; same == 1 {
			n.say("fit_figures")
		}
		n.say("fit_figure", "case", kind, "name", head, "amount", rupees(amount))
	}
	for _, r := range n.facts.Demand.Rows {
		head := plain(r.Head)
		look(head, "tax", r.Tax)
		look(head, "interest", r.Interest)
		look(head, "penalty", r.Penalty)
	}
	if n.facts.Demand.Total != nil {
		look("", "total", *n.facts.Demand.Total)
	}
	if same == 0 && len(found) > 0 {
		n.say("fit", "case", "no_figures")
	}
}

// sayOpen lists the papers still awaited. It avoids the heading that would replace the list of required documents.
func (n *notice) sayOpen(kind string) {
	n.say("heading_open")
	var open []string
	list := n.required
	if len(list) == 0 {
		list = n.documents()
	}
	for _, r := range list {
		if r.state != "uploaded" && r.state != "reviewed" && r.state != "received" && !sameKind(r.kind, kind) {
			open = append(open, plain(n.name(r.kind)))
		}
	}
	if len(open) > 0 {
		n.say("open", "list", strings.Join(open, "; "))
	}
	n.sayLastDay()
	n.say("open_hint")
}

// sayLastDay states the last date to reply in one sentence, if it is known.
func (n *notice) sayLastDay() {
	if due := n.facts.ReplyDue.Date; due != "" {
		when, days := n.daysLeft(due)
		n.say("last_day", "kind", n.order(), "date", n.date(due), "when", when, "days", days)
	}
}

// reasonFor returns why a document with this name was requested.
func (n *notice) reasonFor(kind string) string {
	for _, list := range [][]requiredDocument{n.required, n.documents()} {
		for _, r := range list {
			if sameKind(r.kind, kind) {
				return r.reason
			}
		}
	}
	return ""
}

func sameKind(a, b string) bool {
	return a != "" && strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
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

func squeeze(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }

// longer returns the name that occurs in the text: the legal name, or else the trade name.
func longer(legal, trade, text string) string {
	low := strings.ToLower(oneLine(text))
	for _, name := range [...]string{legal, trade} {
		if len(name) > 3 && strings.Contains(low, strings.ToLower(oneLine(name))) {
			return name
		}
	}
	return ""
}
