package printed

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// readCharges makes a Scope for each charge, which is each paragraph that the facts call a charge. If there are none,
// it takes the numbered or marked grounds as charges, or else the bullets, or else the whole paper.
func (p *Paper) readCharges() {
	p.found = p.blocks()
	for _, c := range p.found {
		k := p.Known.Clone()
		words := p.low[c.from:c.to]
		at := []Quote{p.quote(c.from, c.to)}
		for _, issue := range gst.IssuesIn(p.law, p.all[c.from:c.to]) {
			k.add("charge.issue", Value{Kind: Word, Text: issue, At: at})
		}
		if len(k["charge.issue"]) == 0 && p.comparesStatement(c) {
			k.add("charge.issue", Value{Kind: Word, Text: "itc_2a2b_vs_3b", At: at})
		}
		for _, s := range p.Facts.Sections {
			if start, end, ok := p.text.find(lower(s), c.from, c.to); ok {
				k.add("charge.cites", Value{Kind: Word, Text: s, At: []Quote{p.around(start, end)}})
			}
		}
		s := Scope{Known: k, Part: For{Para: c.number}, text: &p.text, from: c.from, to: c.to}
		p.periodOf(k, words, c.from)
		spanOf(k)
		p.readInvoiceDays(s)
		p.creditOf(s)
		p.readPaidBefore(s)
		p.refundItem(s)
		p.refundExtended(s)
		p.turnoverBefore(s)
		p.annualFee(s)
		p.readEqualMonths(s)
		p.readWorkers(s)
		p.readSeats(s)
		if applied, years := k.One("application.day"), k["charge.two_years"]; applied != nil && len(years) > 0 &&
			!slices.ContainsFunc(years, func(v Value) bool { return !applied.Day.Before(v.Day) }) {
			k.Put("charge.claimed_in_time",
				Value{Kind: Truth, Yes: true, At: append(slices.Clone(applied.At), years[0].At...)})
		}
		s.Amounts = p.amountsOf(c)
		s.Rows = p.datedRows(s)
		if sum := Sum(s.Amounts); sum != nil {
			k.Put("charge.amount", Value{Kind: Money, Paise: int64(*sum), At: at})
		}
		p.readSaved(s)
		p.readTaxAtRate(s)
		p.readOutside(s)
		p.readHeadsTogether(s)
		p.Charges = append(p.Charges, s)
	}
	if len(p.Facts.Periods) < 2 && len(p.Charges) < 2 {
		p.Known.Put("paper.single", Value{Kind: Truth, Yes: true})
	}
	p.readCredit()
	p.readNewGround()
	p.fraudElsewhere()
	p.readTwiceCharged()
	p.readChargesSum()
}

// readSaved adds up the credit that section 16(5) saves, in a charge that denies credit of several returns as late. It
// takes the amounts before the date of each return filed by 30 November 2021; all amounts together must make up the
// charge.
func (p *Paper) readSaved(s Scope) {
	const near = 16
	last, _ := law.NewDay(2021, 11, 30)
	charged := Sum(s.Amounts)
	if charged == nil || len(s.Known["charge.return_day"]) < 2 {
		return
	}
	var saved, all int64
	at, days := s.from, 0
	for _, d := range gst.Dates(p.low[s.from:s.to]) {
		if !hasAny(p.low[s.from+max(0, d.Start-near):s.from+d.Start], "filed", "furnished") {
			continue
		}
		var sum int64
		for _, n := range gst.Sums(p.low[at : s.from+d.Start]) {
			if n.Marked {
				sum += n.Paise
			}
		}
		at, days, all = s.from+d.End, days+1, all+sum
		if !d.Day.After(last) {
			saved += sum
		}
	}
	if days > 1 && all == int64(*charged) && saved > 0 && saved < all {
		s.Known.Put("charge.saved_16_5", Value{Kind: Money, Paise: saved, At: []Quote{p.quote(s.from, at)}})
	}
}

// comparesStatement reports whether a charge is about suppliers' credit and its paper compares GSTR-3B with GSTR-2A or
// 2B. The whole paper is searched, because the table of the comparison may come before the charge.
func (p *Paper) comparesStatement(c block) bool {
	_, _, statement := p.find("gstr-2a|gstr 2a|gstr2a|gstr-2b|gstr 2b|gstr2b|2ए|2बी|-2ए|-2बी", 0, len(p.low))
	_, _, ret := p.find("gstr-3b|gstr 3b|gstr3b|3बी|-3बी", 0, len(p.low))
	_, _, supplier := p.find("supplier|suppliers|vendor|vendors|seller|विक्रेता|आपूर्तिकर्ता", c.from, c.to)
	_, _, credit := p.find("credit|itc|आई.टी.सी|आईटीसी|क्रेडिट", c.from, c.to)
	return statement && ret && supplier && credit
}

// fraudElsewhere marks, in a paper under section 74, the charges that do not allege fraud or suppression while another
// charge does. It marks none if such words are outside the charges that have an amount, or in a charge that is about
// the whole tax: there they apply to every charge.
func (p *Paper) fraudElsewhere() {
	const words = "fraud|wilful|willful|suppress|knowingly|bogus|fake|fictitious|with intent|छिपा|धोखा|फर्जी|फ़र्जी"
	if s := p.Known.One("paper.section"); s == nil || s.Text != "74" {
		return
	}
	var said []Quote
	var silent []Scope
	in := 0
	for _, s := range p.Charges {
		if len(s.Amounts) == 0 {
			continue
		}
		if start, end, ok := p.text.find(words, s.from, s.to); ok {
			if tax := Sum(p.DemandOf(TakesTax)); tax != nil && *tax == *Sum(s.Amounts) {
				return
			}
			said = append(said, p.around(start, end))
			in += p.count(words, s.from, s.to)
		} else {
			silent = append(silent, s)
		}
	}
	if len(said) == 0 || p.count(words, 0, len(p.low)) > in {
		return
	}
	for _, s := range silent {
		s.Known.Put("charge.fraud_elsewhere", Value{Kind: Truth, Yes: true, At: said})
	}
}

// count returns how often one of the words occurs between two offsets.
func (p *Paper) count(words string, from, to int) int {
	n := 0
	for {
		_, end, ok := p.find(words, from, to)
		if !ok {
			return n
		}
		n, from = n+1, end
	}
}

// readCredit records, from the charges, whether credit that was taken is in dispute.
func (p *Paper) readCredit() {
	var at []Quote
	for _, s := range p.Charges {
		for _, v := range s.Known["charge.issue"] {
			if isCredit(v.Text) {
				at = append(at, v.At...)
			}
		}
	}
	start, end, ok := p.find("transitional credit|tran-1|tran-2", 0, len(p.low))
	if ok && at == nil && p.isKind("notice", "order", "appellate order") {
		at = []Quote{p.around(start, end)}
	}
	if at == nil && !slices.ContainsFunc(p.Facts.Issues, isCredit) {
		return
	}
	p.Known.Put("paper.credit", Value{Kind: Truth, Yes: true, At: at})
}

// OnCreditAlone reports whether all charges of the paper are about credit.
func (p *Paper) OnCreditAlone() bool {
	for _, c := range p.Charges {
		if len(c.Known["charge.issue"]) == 0 || slices.ContainsFunc(c.Known["charge.issue"], func(v Value) bool {
			return !isCredit(v.Text)
		}) {
			return false
		}
	}
	return len(p.Charges) > 0
}

// isCredit reports whether an issue is about credit that was taken.
func isCredit(issue string) bool {
	return strings.HasPrefix(issue, "itc_") || issue == "fake_invoice_nongenuine" || issue == "common_credit_r42_43"
}

// Amounted returns the facts of a paper with the tax of its charges by head. The tax may be stated only in the words of
// a charge, or in a table that lists the charges.
func Amounted(t *law.Tables, f gst.Facts, pages []gst.Page) gst.Facts {
	p := Read(t, f, pages, law.Day{})
	if p.IsOneCharge() {
		return f
	}
	f.Paragraphs = slices.Clone(f.Paragraphs)
	for _, s := range p.Charges {
		i := slices.IndexFunc(f.Paragraphs, func(c gst.Paragraph) bool {
			return c.Number == s.Part.Para && c.Page == p.page(s.from) && (c.Kind == "charge" || c.Kind == "")
		})
		if i < 0 || s.Part.Para == "" || len(s.Amounts) == 0 || s.Amounts[0].Head == "" ||
			slices.Equal(taxOf(f.Paragraphs[i]), s.Amounts) {
			continue
		}
		f.Paragraphs[i].Amounts = nil
		for _, h := range s.Amounts {
			f.Paragraphs[i].Amounts = append(f.Paragraphs[i].Amounts,
				gst.ChargeAmount{DemandRow: gst.DemandRow{Head: h.Head, Tax: float64(h.Amount) / 100}})
		}
	}
	return f
}

// around returns the sentence that contains the text between two offsets.
func (p *Paper) around(start, end int) Quote {
	from, to := p.sentence(start)
	return p.quote(from, max(to, end))
}

// block is the position of a charge, or of another numbered ground, in the text.
type block struct {
	number   string
	from, to int
	charge   bool
	amounts  []Head // as in the facts
}

// partOfOrder matches the heading of the part of an order that follows the allegations, such as "PERSONAL HEARING". The
// last charge ends there.
var partOfOrder = lazyregexp.New(`(?m)^(?:DEFENCE|REPLY|SUBMISSIONS?|PERSONAL HEARING|RECORD OF|DISCUSSIONS?|FINDINGS)\b[A-Z ,&]*$`)

// heading matches a line that names the next charge, such as "MATTER THE SECOND: credit in excess of GSTR-2B" or "C.
// Other proceedings".
var heading = lazyregexp.New(`^(?:(?:matter|issue|charge|point|part|discrepancy|allegation|objection|ground)\b[^.]*` +
	`|[A-Z][.)] [^.;:]{3,60})$`)

// isKind reports whether the paper is of one of these kinds.
func (p *Paper) isKind(kinds ...string) bool {
	k := p.Known.One("paper.kind")
	return k != nil && slices.Contains(kinds, k.Text)
}

// closing lists words that begin the text after the last charge, as find takes them.
const closing = "you are hereby |you are directed|you are required to show|you are called upon|now, therefore|now " +
	"therefore|summary of tax|the tax, interest and|signature|for the above discrepancies|अतः आपको|प्रस्तावित " +
	"देय|interest has been worked out|interest has been calculated|the amount found payable|the demand stands " +
	"thus|the demand works out|the demand is summarised|show cause |quantification"

// rowsNumbered adds up, column by column, the rows of a charge such as "2": its own row if it has one, else those of
// its parts, "2(a)" and "2(b)".
func rowsNumbered(rows map[string][]Amount, number string) []Amount {
	if own := rows[number]; own != nil || number == "" {
		return own
	}
	number = strings.Trim(lower(number), ".():")
	var sum []Amount
	for key, sums := range rows {
		if key == number || strings.HasPrefix(key, number+"(") {
			sum = addTo(sum, sums)
		}
	}
	return sum
}

// addTo adds more to sum, column by column, and changes sum. If sum is nil, it returns a copy of more.
func addTo(sum, more []Amount) []Amount {
	if sum == nil {
		return slices.Clone(more)
	}
	for i := range more {
		sum[i] += more[i]
	}
	return sum
}

// comesTo lists words that precede the amount of a charge.
var comesTo = [...]string{"works out", "worked out", "comes to", "short paid", "short-paid", "difference", "excess of",
	"excess credit", "to be reversed", "is payable", "short payment", "अंतर", "अन्तर"}

// differences lists labels of the rows in a charge's table that state its amount.
var differences = [...]string{"difference", "short paid", "amount quantified", "excess availed", "excess claimed",
	"sub-total", "reversal due", "grand total", "total"}

// month is a month that a text names with its year, and its position.
type month struct {
	start, end int
	first      law.Day
}

var monthNames = [12][]string{
	{"january", "jan", "जनवरी"}, {"february", "feb", "फरवरी", "फ़रवरी"}, {"march", "mar", "मार्च"},
	{"april", "apr", "अप्रैल"}, {"may", "मई"}, {"june", "jun", "जून"}, {"july", "jul", "जुलाई"},
	{"august", "aug", "अगस्त"}, {"september", "sept", "sep", "सितम्बर", "सितंबर"},
	{"october", "oct", "अक्टूबर", "अक्तूबर"},
	{"november", "nov", "नवम्बर", "नवंबर"},
	{"december", "dec", "दिसम्बर", "दिसंबर"},
}

func hasAny(s string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// exclusion is the period that N.13/2022-Central Tax excludes from the time for a refund.
var exclusion = struct{ from, to law.Day }{law.ParseDay("2020-03-01"), law.ParseDay("2022-02-28")}
