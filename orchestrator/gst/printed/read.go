// Package printed finds what a paper prints that the rules of defence ask about: named facts, each with its type and
// the words that prove it, for the paper, for each year and for each charge of it. It is pure: facts and pages in, a
// Paper out.
package printed

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/reckon"
)

// Paper is what a notice, an order or a letter prints, as the facts that rules ask about.
type Paper struct {
	text
	Facts   gst.Facts
	law     *law.Tables
	Today   law.Day
	issued  law.Day
	Known   Known
	Years   []Scope
	Charges []Scope
	lines   []line
	found   []block // the charges
}

// Scope is what a rule is applied to: the paper, a year or a charge, with its facts and its part of the text.
type Scope struct {
	Known    Known
	Part     For
	Amounts  []Head
	Rows     []DatedRow
	text     *text
	from, to int
}

// Wider returns the scope with the text of the whole paper.
func (s Scope) Wider() Scope {
	s.from, s.to = 0, len(s.text.low)
	return s
}

// Find returns the first sentence of the scope with one of the words, which are separated by "|".
func (s Scope) Find(words string) (Quote, bool) {
	start, end, ok := s.text.again(words, s.from, s.to)
	if !ok {
		return Quote{}, false
	}
	from, to := s.text.sentence(start)
	return s.text.quote(max(from, s.from), min(max(to, end), s.to)), true
}

// Says returns the first sentence that has one of the words, one of the words in with (if there are any), and none of
// the words in but. A sentence that says that the thing it names is not charged does not count.
func (s Scope) Says(words, with, but string) (Quote, bool) {
	for at := s.from; ; {
		start, end, ok := s.text.again(words, at, s.to)
		if !ok {
			return Quote{}, false
		}
		from, to := s.text.sentence(start)
		from, to = max(from, s.from), min(max(to, end), s.to)
		if s.text.has(with, from, to, true) && !s.text.has(but, from, to, false) && !s.text.has(setAside, from, to, false) {
			return s.text.quote(from, to), true
		}
		at = start + 1
	}
}

// setAside lists words by which a paper names a thing only to say that it is not charged.
const setAside = "is left out|are left out|not disputed|not in dispute|no part of|not part of|need not be|" +
	"does not extend|not pressed|is outside this|are outside this|outside the scope|not the issue|not in question|" +
	"no ground here|a separate point|a separate matter|by a separate order|is no longer|not under challenge|" +
	"only for information|विवादित नहीं"

// ScopeOf returns a scope with the given words and facts. The examples of rules are tested with it.
func ScopeOf(words string, k Known) Scope {
	t := text{all: words, low: lower(words), starts: []int{0}}
	return Scope{Known: k, text: &t, to: len(t.low)}
}

// Whole returns the scope of the whole paper.
func (p *Paper) Whole() Scope { return Scope{Known: p.Known, text: &p.text, to: len(p.low)} }

// IsNotice reports whether the paper is a GST paper that requires an answer.
func (p *Paper) IsNotice() bool {
	if p.isBill() {
		return false
	}
	return p.Facts.Form != nil || p.Facts.Kind != "" || p.isOrderOnAppeal() || p.letter() != "" ||
		p.Facts.IsNotice != nil && p.Facts.IsNotice.Answer == "yes" || p.formInHead() != "" ||
		p.letterKind() == "appeal letter" && hasAny(p.low, "cgst", "sgst", "gst act", "goods and services tax", "gstin")
}

// titledNotice matches the title of a show cause notice with the section of its demand. It identifies a notice even if
// the table of its demand could not be read.
var titledNotice = lazyregexp.New(`(?im)^[ .*_:-]*(?:show cause notice(?:[^\n]{0,50}\n){0,3} ?(?:issued )?(?:under|u/s)|कारण बताओ (?:नोटिस|सूचना) ` +
	`(?:अन्तर्गत|अंतर्गत))(?: section| धारा)? ?7[34]a?\b`)

// letter returns what a paper without a form is: "notice" for a show cause notice, "order" for an order under section
// 73, 74 or 74A. A paper that was classified as a notice and demands tax under one of these sections is a notice,
// whatever its title says.
func (p *Paper) letter() string {
	if titledNotice.MatchString(p.all[:min(len(p.all), 2500)]) {
		return "notice"
	}
	if s, _ := reckon.ProceedsUnder(p.Facts); s == "" || p.Facts.Demand == nil {
		return ""
	}
	if _, _, ok := p.find("show cause notice no|scn no|show cause notice|demand-cum-show cause|कारण बताओ|कारण पृच्छा",
		0, min(len(p.low), 2000)); ok {
		return "notice"
	}
	if _, _, ok := p.find("order-in-original|order-in-appeal|o-in-o no|order no", 0, min(len(p.low), 1500)); ok {
		return "order"
	}
	if v := p.Facts.IsNotice; v != nil && v.Answer == "yes" {
		return "notice"
	}
	return ""
}

// Read reads a paper from its facts and pages. today is a date in India; if it is zero, facts that depend on it are
// left out. A paper that is not a notice (see IsNotice) has no facts.
func Read(t *law.Tables, f gst.Facts, pages []gst.Page, today law.Day) *Paper {
	p := &Paper{text: newText(pages), Facts: f, law: t, Today: today, Known: Known{}}
	if !p.IsNotice() {
		return p
	}
	if !today.IsZero() {
		p.Known.Put("today", Value{Kind: Day, Day: today})
	}
	p.readLines()
	p.addYears()
	p.readPaper()
	p.readDemand()
	p.readParticulars()
	p.readYears()
	p.readCharges()
	p.readFiles()
	p.readBarred()
	return p
}

// at returns the quotation from which a field of the facts was read.
func (p *Paper) at(field string) []Quote {
	e := p.Facts.Evidence[field]
	if said := p.text.printed(Quote{Page: e.Page, Quote: e.Quote}); said != "" {
		return []Quote{{Page: e.Page, Quote: said}}
	}
	return nil
}

func (p *Paper) word(name, text string, at []Quote) {
	p.Known.Put(name, Value{Kind: Word, Text: text, At: at})
}

func (p *Paper) readPaper() {
	f := p.Facts
	switch {
	case p.isSummons(): // the forms that it names are papers to bring
		p.word("paper.kind", "summons", nil)
	case f.Form != nil:
		p.word("paper.form", *f.Form, p.at("form"))
		p.word("paper.kind", kindsOfPaper[*f.Form], p.at("form"))
	case p.formInHead() != "":
		p.word("paper.form", p.formInHead(), nil)
		p.word("paper.kind", kindsOfPaper[p.formInHead()], nil)
	case p.isCorrigendum():
		p.word("paper.kind", "corrigendum", nil)
	case f.OnAppeal(), p.isOrderOnAppeal():
		p.word("paper.kind", kindsOfPaper["APL-04"], p.at("form"))
	case f.Kind == "notice", f.Kind == "order":
		p.word("paper.kind", f.Kind, p.at("form"))
	case p.letter() != "":
		p.word("paper.kind", p.letter(), nil)
	default:
		p.word("paper.kind", p.letterKind(), nil)
	}
	if at := gst.BestJudgment(p.low); at != nil && p.isKind("order") {
		p.word("paper.kind", "best judgment order", []Quote{p.quote(at[0], at[1])})
	}
	if f.IssueDate != nil {
		p.issued = law.ParseDay(*f.IssueDate)
		p.Known.Put("paper.date", Value{Kind: Day, Day: p.issued, At: p.at("issue_date")})
	} else if p.isKind("appellate order") {
		p.dateOfOrder()
	} else if f.Form != nil || p.formInHead() != "" {
		p.dateInHead()
	}
	if s, at := p.section(); s != "" && !p.isKind("best judgment order") {
		p.word("paper.section", s, at)
		// Sections 73(8), 74(8), 74A(8) and (9).
		if days := map[string]int{"73": 30, "74": 30, "74A": 60}[s]; !p.issued.IsZero() {
			p.Known.day("pay.last", p.issued.AddDays(days), nil)
		}
	}
	if f.FraudAlleged != nil {
		p.Known.Put("paper.fraud", Value{Kind: Truth, Yes: *f.FraudAlleged, At: p.at("fraud_alleged")})
	}
	for _, s := range f.Sections {
		p.Known.add("paper.cites", Value{Kind: Word, Text: s, At: p.at("sections." + s)})
	}
	for _, r := range f.Rules {
		p.Known.add("paper.rules", Value{Kind: Word, Text: r, At: p.at("rules." + r)})
	}
	if f.DIN != nil {
		p.word("paper.din", *f.DIN, p.at("din"))
	}
	if f.Reference != nil && portalNumber(*f.Reference) {
		p.word("paper.reference", *f.Reference, p.at("reference"))
	}
	if len(p.Known["paper.reference"]) == 0 {
		p.referenceInHead()
	}
	if f.GSTIN != nil && len(*f.GSTIN) == 15 {
		p.word("paper.state", (*f.GSTIN)[:2], p.at("gstin"))
	}
	if n := len(f.Periods); n > 0 {
		p.Known.Put("paper.years", Value{Kind: Count, Count: n, At: p.at("periods")})
	}
	p.readRegime()
	if f.ReplyDue.Date != nil {
		last := law.ParseDay(*f.ReplyDue.Date)
		p.Known.Put("reply.last", Value{Kind: Day, Day: last, At: p.at("reply_due")})
		if !p.issued.IsZero() && f.ReplyDue.Source == "printed" {
			p.Known.Put("reply.days", Value{Kind: Count, Count: p.issued.DaysUntil(last), At: p.at("reply_due")})
		}
	}
	if a := f.ReplyDue.Time; a != nil && a.Unit == "days" && len(p.at("reply_due")) > 0 {
		p.Known.Put("days.offered", Value{Kind: Count, Count: a.Count, At: p.at("reply_due")})
		p.Known.Put("reply.days", Value{Kind: Count, Count: a.Count, At: p.at("reply_due")})
	}
	if len(p.Known["reply.days"]) == 0 && f.ReplyDue.Date == nil {
		p.daysToReply()
	}
	if f.Hearing != nil {
		p.Known.Put("hearing.day", Value{Kind: Day, Day: law.ParseDay(f.Hearing.Date), At: p.at("hearing")})
	}
	p.readOffice()
}

// readRegime sets paper.under_74a for each financial year in the facts: true from 2024-25 on, whatever section the
// paper names. If the facts have no years, it follows the section.
func (p *Paper) readRegime() {
	const first = "2024-25"
	for _, period := range p.Facts.Periods {
		p.Known.add("paper.under_74a", Value{Kind: Truth, Yes: period.FY >= first, At: p.at("periods")})
	}
	if section := p.Known.One("paper.section"); section != nil && len(p.Facts.Periods) == 0 {
		p.Known.Put("paper.under_74a", Value{Kind: Truth, Yes: section.Text == "74A", At: section.At})
	}
}

// labelled matches a number of the portal after its label, such as "R.F.N. ZD331126007723D".
var labelled = lazyregexp.New(`\b(?:r\.? ?f\.? ?n\.?|reference (?:no|number)\.?|ref\.? ?(?:no\.?)?) ?:? ?(z[a-z]\d{12}[0-9a-z])\b`)

// referenceInHead reads the portal's number behind its label near the head of a paper. It is used if the number in the
// facts is not one of the portal's.
func (p *Paper) referenceInHead() {
	const head = 900
	if m := labelled.FindStringSubmatchIndex(p.low[:min(len(p.low), head)]); m != nil {
		p.word("paper.reference", strings.ToUpper(p.low[m[2]:m[3]]), []Quote{p.quote(m[0], m[1])})
	}
}

// orderOnAppeal matches the title "ORDER-IN-APPEAL".
var orderOnAppeal = lazyregexp.New(`(?im)^[ .*_:-]*order[ -]+in[ -]+appeal\b`)

// isOrderOnAppeal reports whether the paper is the order of a first appellate authority, by its
// title and its office.
func (p *Paper) isOrderOnAppeal() bool {
	const head = 1200
	top := p.all[:runeStart(p.all, min(len(p.all), head))]
	return p.Facts.Form == nil && (p.Facts.Kind == "order" || p.Facts.Kind == "") && orderOnAppeal.MatchString(top) && hasAny(lower(top), "appellant", "(appeal", "gst appeal")
}

// toReply matches the time to reply, as in "furnish reply within 7 days", and captures the number of days.
var toReply = lazyregexp.New(`(?:reply|show cause|explanation|respond|objections)[^.;]{0,60}within (?:a period of )?(\d{1,2}|three|five|` +
	`seven|ten|fifteen|twenty|thirty)(?: \(\d+\))? (working )?days`)

// daysToReply reads the time to reply, if the facts have none.
func (p *Paper) daysToReply() {
	m := toReply.FindStringSubmatchIndex(p.low)
	if m == nil {
		return
	}
	words := map[string]int{"three": 3, "five": 5, "seven": 7, "ten": 10, "fifteen": 15, "twenty": 20, "thirty": 30}
	n := words[p.low[m[2]:m[3]]]
	if n == 0 {
		n = number(p.low[m[2]:m[3]])
	}
	at := []Quote{p.quote(m[0], m[1])}
	if m[4] >= 0 {
		p.Known.Put("workdays.offered", Value{Kind: Count, Count: n, At: at})
		return
	}
	p.Known.Put("days.offered", Value{Kind: Count, Count: n, At: at})
	p.Known.Put("reply.days", Value{Kind: Count, Count: n, At: at})
}

// dateInHead reads the date of a paper if the facts have none. It is the first date near the head that follows a word
// such as "date" or "dated".
func (p *Paper) dateInHead() {
	const head, near = 900, 16
	for _, d := range gst.Dates(p.low[:min(len(p.low), head)]) {
		before := p.low[max(0, d.Start-near):d.Start]
		if hasAny(before, "date", "dated", "dt", "दिनांक", "तारीख") && !hasAny(before, "due", "last", "arn", "valid", "effect", "birth") {
			p.issued = d.Day
			p.Known.Put("paper.date", Value{Kind: Day, Day: d.Day, At: []Quote{p.quote(max(0, d.Start-near), d.End)}})
			return
		}
	}
}

// dateOfOrder reads the date of an order on an appeal. Such an order names other dates before its own, those of the
// order below and of the appeal.
func (p *Paper) dateOfOrder() {
	const head, near = 1500, 40
	start, end, ok := p.find("date of order|date of the order|date of passing|order passed on|आदेश की तारीख|आदेश दिनांक", 0, min(len(p.low), head))
	if !ok {
		return
	}
	if days := gst.Dates(p.low[end:min(len(p.low), end+near)]); len(days) > 0 {
		p.issued = days[0].Day
		p.Known.Put("paper.date", Value{Kind: Day, Day: p.issued, At: []Quote{p.quote(start, end+days[0].End)}})
	}
}

// portalNumber reports whether a number was given by the portal, such as ZD290524004411A.
func portalNumber(s string) bool {
	if len(s) < 14 || len(s) > 15 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case i < 2 && (c < 'A' || c > 'Z'):
			return false
		case i >= 2 && i < 14 && (c < '0' || c > '9'):
			return false
		}
	}
	return true
}

// explicit lists, for each section, the words in which a paper says that it proceeds under it.
var explicit = [...]struct{ section, words string }{
	{"74A", "is issued 74a|statement is 74a|under section 74a(1) of|notice under section 74a|notice u/s 74a|u/s 74a of"},
	{"74", "is issued 74|statement is 74|is issued : 74|is issued: 74|under section 74(1) of|under section 74(9) " +
		"of|notice under section 74|under section 74(1)"},
	{"73", "is issued 73|statement is 73|is issued : 73|is issued: 73|under section 73(1) of|under section 73(9) " +
		"of|notice under section 73|under section 73(1)"},
}

// section returns the section under which a paper proceeds. It is "" if the paper names several and does not say which
// applies.
func (p *Paper) section() (string, []Quote) {
	section, doubt := reckon.ProceedsUnder(p.Facts)
	var at []Quote
	for _, s := range p.Facts.Sections {
		if root, _, _ := strings.Cut(s, "("); root == section && len(at) == 0 {
			at = p.at("sections." + s)
		}
	}
	if doubt.IsZero() {
		return section, at
	}
	var said string
	for _, e := range explicit {
		from, to, ok := p.find(e.words, 0, len(p.low))
		if !ok {
			continue
		}
		if said != "" {
			return "", nil
		}
		said, at = e.section, []Quote{p.quote(from, to)}
	}
	return said, at
}

// readOffice reads which Government the officer who wrote the paper belongs to, and the officer's rank.
func (p *Paper) readOffice() {
	head := min(len(p.low), 2500)
	state, _, isState := p.find("state tax|commercial tax|government of karnataka|government of maharashtra|excise "+
		"and taxation|ct & gst|राज्य कर|वाणिज्य", 0, len(p.low))
	central, _, isCentral := p.find("central tax|central excise|of central gst|central gst range|central gst division|"+
		"central gst commissionerate|superintendent of cgst|cgst commissionerate|cgst & |cgst and "+
		"central|government of india|dggi|directorate general of gst|cgst division|cgst audit|commissioner of "+
		"cgst|cgst delhi|cgst range", 0, head)
	if !isCentral && p.Facts.Officer.Designation != nil {
		d := strings.ToLower(*p.Facts.Officer.Designation)
		isCentral = strings.HasPrefix(d, "superintendent") && !isState
	}
	if isCentral && isState {
		isCentral, isState = p.side(central, state)
	}
	switch {
	case isCentral && !isState:
		p.word("paper.side", "central", []Quote{p.quote(central, central+60)})
	case isState && !isCentral:
		p.word("paper.side", "state", []Quote{p.quote(state, state+60)})
	}
	if p.Facts.Officer.Designation == nil {
		return
	}
	d := strings.ToLower(*p.Facts.Officer.Designation)
	for _, rank := range []string{"superintendent", "additional", "joint", "deputy", "assistant", "inspector"} {
		if strings.Contains(d, rank) {
			p.word("paper.officer", rank, p.at("officer"))
			return
		}
	}
}

func (p *Paper) readDemand() {
	d := p.Facts.Demand
	if d == nil {
		return
	}
	at := p.at("demand")
	if i := slices.IndexFunc(p.Facts.Flags, func(f gst.Flag) bool { return f.Code == "annexure_mismatch" }); i >= 0 {
		p.Known.Put("annexure.differs", Value{Kind: Truth, Yes: true, At: at})
	}
	money := func(name string, a Amount) {
		if a > 0 {
			p.Known.Put(name, Value{Kind: Money, Paise: int64(a), At: at})
		}
	}
	if total, ok := p.Total(); ok {
		money("demand.total", total)
	}
	money("demand.tax", amountOr(Sum(p.DemandOf(TakesTax))))
	money("demand.interest", amountOr(Sum(p.DemandOf(TakesInterest))))
	money("demand.penalty", amountOr(Sum(p.DemandOf(TakesPenalty))))
	money("penalty.over_ten", amountOr(Sum(p.DemandOf(TakesOverTen))))
	if tax := amountOr(Sum(p.DemandOf(TakesTax))); p.isKind("intimation") && tax > 0 {
		money("penalty.over_fifteen", amountOr(Sum(p.DemandOf(TakesPenalty)))-tax*15/100)
	}
	var sum, fee float64
	for _, r := range d.Rows {
		sum += r.Tax + r.Interest + r.Penalty + r.Fee + r.Other
		fee += r.Fee
		switch r.Head {
		case "CGST":
			money("central.tax", paiseOf(r.Tax))
		case "IGST":
			money("integrated.tax", paiseOf(r.Tax))
		}
	}
	money("demand.fee", paiseOf(fee))
	switch {
	case (d.Total == nil || *d.Total <= sum+1) && p.printsOtherTotal(sum):
	case d.Total == nil || *d.Total <= sum+1:
		p.Known.Put("demand.excess", Value{Kind: Money, At: at})
	// The table may have been misread. Only if the paper also prints the total of each row are the figures certainly
	// the officer's.
	case (*d.Total-sum < *d.Total/10 || transposed(*d.Total, sum)) && len(d.Rows) > 1 && p.printsEachRow():
		money("demand.excess", paiseOf(*d.Total-sum))
	}
}

// transposed reports whether two sums have the same digits in a different order.
func transposed(a, b float64) bool {
	digits := func(f float64) string {
		d := []byte(strconv.FormatInt(int64(f), 10))
		slices.Sort(d)
		return string(d)
	}
	return digits(a) == digits(b)
}

// printsOtherTotal reports whether the paper prints a grand total larger than the sum of its heads. Then it is not
// certain that the demand adds up.
func (p *Paper) printsOtherTotal(sum float64) bool {
	const near = 50
	other := false
	p.each("grand total|total demand|total amount payable|total payable|महायोग|कुल देय", 0, len(p.low), func(from, to int) {
		start, end, _ := p.find("grand total|total demand|total amount payable|total payable|महायोग|कुल देय", from, to)
		for _, s := range gst.Sums(p.low[start:min(len(p.low), end+near)]) {
			if s.Marked {
				other = other || Amount(s.Paise) > paiseOf(sum)+100
				return
			}
		}
	})
	return other
}

// printsEachRow reports whether the paper prints the sum of each row of the demand.
func (p *Paper) printsEachRow() bool {
	printed := map[Amount]bool{}
	for _, s := range gst.Sums(p.low) {
		printed[Amount(s.Paise)] = true
	}
	for _, r := range p.Facts.Demand.Rows {
		if !printed[paiseOf(r.Tax+r.Interest+r.Penalty+r.Fee+r.Other)] {
			return false
		}
	}
	return true
}

func amountOr(a *Amount) Amount {
	if a == nil {
		return 0
	}
	return *a
}
