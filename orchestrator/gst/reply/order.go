package reply

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// filing is a paper that is filed against an order.
type filing struct {
	form    string // its name, as in Form
	title   string
	before  string // the authority; "" for the officer who made the order
	party   string // what the person who files it is called
	rule    string // the rule under which it is filed
	deposit string // the code of the reckoning's table with the deposit, "" for none
	dated   string // the code of its deadline
	asks    string // the first prayer
	late    string // who may condone delay, "" if nobody may
}

// filings lists the filings that this package writes. The rules are those that prescribe the forms: 108, 110, 23 and
// 100(4) of the CGST Rules.
var filings = [...]filing{
	{"FORM GST APL-01", "Memorandum of appeal", "the Appellate Authority under section 107", "Appellant",
		"section 107(1), rule 108(1)", "first_appeal", reckon.Appeal, "set aside the order", "the Appellate Authority"},
	{"FORM GST APL-05", "Memorandum of appeal to the Appellate Tribunal",
		"the Goods and Services Tax Appellate Tribunal", "Appellant", "section 112(1), rule 110(1)", "tribunal",
		reckon.Appeal, "set aside the order", "the Tribunal"},
	{"FORM GST REG-21", "Application for revocation of cancellation of registration", "", "Applicant",
		"section 30(1), rule 23(1)", "", reckon.Comply,
		"revoke the cancellation of the registration by order in FORM " +
			"GST REG-22 under rule 23(2)",
		"the Commissioner, or an officer authorised by him not below the rank of Additional or Joint Commissioner"},
	{"FORM GST ASMT-17", "Application for withdrawal of the assessment order",
		"the Additional Commissioner or Joint Commissioner", "Applicant", "section 64(2), rule 100(4)", "",
		reckon.Comply, "withdraw the order by order in FORM GST ASMT-18 under rule 100(5), and follow the procedure " +
			"of section 73, 74 or 74A that fits the period", ""},
}

// filing returns the filing against an order, or nil if this package writes none.
func (f Form) filing() *filing {
	i := slices.IndexFunc(filings[:], func(one filing) bool { return f.Kind == "appeal" && one.form == f.Name })
	if i < 0 {
		return nil
	}
	return &filings[i]
}

// onOrder returns the parts of a filing against an order. They are written entirely by the program: models do not
// draft answers to orders.
func (w *writer) onOrder(of *filing) []Part {
	parts := []Part{}
	put := func(id, title, text string) {
		if text != "" {
			parts = append(parts, Part{ID: id, Title: title, Fixed: true, Text: text})
		}
	}
	put("cause", "", w.orderCause(of))
	put("decisive", "What decides the matter", w.as(of, w.decisive()))
	letter := 'A'
	add := func(id, title string, write func(*numbered, *filing)) {
		p := &numbered{mark: string(letter)}
		if write(p, of); len(p.texts) > 0 {
			put(id, fmt.Sprintf("%c. %s", letter, title), p.String())
			letter++
		}
	}
	add("facts", "Statement of facts", w.orderFacts)
	add("conditions", "What the application rests on", w.revocation)
	add("grounds", "Grounds", w.orderGrounds)
	add("computation", "Amount disputed and pre-deposit", w.orderDeposit)
	add("condonation", "Time", w.orderTime)
	add("hearing", "Personal hearing", func(p *numbered, of *filing) {
		p.add("The "+of.party+" asks to be heard before this is decided.", w.as(of, w.represented()))
	})
	add("prayer", "Prayer", w.orderPrayer)
	put("verification", "Verification", w.as(of, w.verification()))
	put("annexures", "Index of annexures", w.orderAnnexures(of))
	return parts
}

// as adapts our own text to a filing: it names the party that files it, and the order instead of the notice.
func (w *writer) as(of *filing, text string) string {
	return strings.NewReplacer("Noticee", of.party, "| The notice |", "| The order |").Replace(text)
}

// order returns the name of the paper, such as "the order in FORM GST DRC-07".
func (w *writer) order() string {
	if w.facts.Form != nil {
		return "the order in " + formName(escape(*w.facts.Form))
	}
	return "the order"
}

func (w *writer) orderCause(of *filing) string {
	f := w.facts
	before := of.before
	if before == "" {
		before = "the " + w.officer()
	}
	date := blank("date of the order")
	if f.IssueDate != nil {
		date = officeDate(*f.IssueDate)
	}
	name := value(f.LegalName, "legal name")
	if f.TradeName != nil {
		name += " (trade name " + value(f.TradeName, "") + ")"
	}
	rows := [][]string{
		{"Against", w.order()},
		{"Number of the order", value(f.Reference, "number of the order")},
		{"Date of the order", date},
		{"Made by", w.officer()},
		{"Communicated on", w.communicated()},
		{of.party, name},
		{"GSTIN", value(f.GSTIN, "GSTIN")},
	}
	if years := w.years(); years != "" && !w.is("REG-19") {
		rows = append(rows, []string{"Period of the dispute", strings.TrimPrefix(years, "F.Y. ")})
	}
	if sum, total := w.demanded(); total > 0 {
		rows = append(rows, []string{"Amount of the order", inAll(sum, total)})
	}
	matter := "In the matter of **" + value(f.LegalName, "legal name") + "**, GSTIN " + value(f.GSTIN, "GSTIN") + ", " +
		of.party
	if of.deposit != "" {
		matter += ", versus " + w.officer() + ", Respondent"
	}
	if of.before != "" {
		before += "**\n\n**" + w.filled(askBefore, 0, "designation and place of the authority, as the order or the "+
			"portal names it")
	}
	return strings.Join([]string{"**Before " + before + "**", matter, "---\n\n# " + strings.ToUpper(of.title),
		"**" + of.form + "** (" + of.rule + ")", table([]string{"Particulars", "Details"}, rows),
		"Sections and rules are those of the CGST Act, 2017 and the CGST Rules, 2017, and with them the corresponding " +
			"provisions of the Act and Rules of the State or Union territory. Nothing in the order is admitted unless " +
			"it is expressly admitted below. Annexures are numbered as in the index at the end."}, "\n\n")
}

// communicated returns the date on which the order reached the person, from which the time runs, or a blank for it.
func (w *writer) communicated() string {
	switch {
	case w.facts.ServedOn != nil:
		return officeDate(*w.facts.ServedOn)
	case w.given.Reckoning.Served != nil:
		return officeDate(*w.given.Reckoning.Served)
	}
	return blank("day on which the order was communicated")
}

func (w *writer) orderFacts(p *numbered, of *filing) {
	text := "By " + w.order() + " bearing number " + value(w.facts.Reference, "number of the order")
	if w.facts.IssueDate != nil {
		text += " dated " + officeDate(*w.facts.IssueDate)
	}
	text += " (“the order”), the " + w.officer()
	sum, total := w.demanded()
	switch {
	case w.is("REG-19"):
		text += " cancelled the registration of the " + of.party
	case total > 0:
		text += " demands " + inAll(sum, total)
	default:
		text += " decided against the " + of.party
	}
	if years := w.years(); years != "" {
		text += " for " + years
	}
	p.add(text+".", "The order was communicated on "+w.communicated()+".")
	if len(w.given.Earlier) > 0 {
		p.add("On what went before it the order says:")
		for _, q := range w.given.Earlier {
			p.plain("> “" + escape(q.Quote) + "”" + onPage(q.Page))
		}
	}
	if said := w.given.Answers[askHistory]; said.known() || len(w.given.Earlier) == 0 {
		p.add("Before the order: the notice " +
			strings.TrimRight(w.filled(askHistory, 0, "number and day of the show cause notice"), ".") +
			"; the reply " +
			strings.TrimRight(w.filled(askHistory, 1, "day of the reply"), ".") + "; the hearing " +
			strings.TrimRight(w.filled(askHistory, 2, "day of the hearing"), ".") + ".")
	}
	if names := w.subjects(); len(names) > 0 {
		p.add("The dispute is on " + list(names) + ".")
	}
	for _, point := range w.points {
		if point.Allegation && point.Alleged != "" {
			p.add("In " + w.finding(point) + " the order says:")
			p.plain("> “" + escape(shorten(point.Alleged, 700)) + "”" + onPage(point.Page))
			p.plain(w.amountsOf(point))
		}
	}
}

func onPage(page int) string {
	if page == 0 {
		return ""
	}
	return fmt.Sprintf(" (page %d)", page)
}

// finding returns the words by which a filing refers to what the order says on a point.
func (w *writer) finding(p Point) string {
	if p.Key == "whole" {
		return "the order as a whole"
	}
	return strings.Replace(p.name(), "the allegation on ", "the finding on ", 1)
}

// besidesTheOrder reports whether a point is not a ground against the order: one that belongs in another paper, or
// one about the order as a whole that nobody has confirmed and that removes no amount.
func (w *writer) besidesTheOrder(p defence.Point) bool {
	for _, id := range [...]string{"rectification-", "recovery-", "best-judgment-withdrawn"} {
		if strings.HasPrefix(p.ID, id) {
			return true
		}
	}
	return p.Verdict == defence.MayApply && p.Amount == nil && p.Strength != defence.Ends && len(w.parasOf(p)) == 0 &&
		w.answerTo(p).Holds != "yes"
}

// pleadedOnOrder returns the points that are grounds against the order, the strongest first, and those pleaded in the
// alternative.
func (w *writer) pleadedOnOrder() (grounds, alternatives []defence.Point) {
	for _, p := range w.pleaded() {
		if isAlternative(p) {
			alternatives = append(alternatives, p)
		} else {
			grounds = append(grounds, p)
		}
	}
	return grounds, alternatives
}

// orderGrounds adds the points that decide the order, the strongest first, the answers to each finding, and the pleas
// in the alternative.
func (w *writer) orderGrounds(p *numbered, of *filing) {
	p.add("These grounds are without prejudice to each other.")
	grounds, alternatives := w.pleadedOnOrder()
	plead := func(point defence.Point, text string) {
		p.add("**"+heading(point)+".** "+w.as(of, text), w.amounts(point), w.as(of, w.stated(point)))
	}
	for _, point := range grounds {
		plead(point, w.fillPlea(point))
	}
	for _, point := range w.points {
		if point.Allegation && !isPenal(point) && !w.is("REG-19") {
			w.disputed(p, of, point, grounds)
		}
	}
	w.orderPenalty(p, of)
	for _, point := range alternatives {
		plead(point, w.fillPlea(point))
	}
	if len(w.given.Authorities) > 0 {
		p.add("The " + of.party + " relies on these authorities:")
		for i, a := range w.given.Authorities {
			p.plain("(" + roman(i+1) + ") " + a.String())
		}
	}
	if len(p.texts) == 1 { // there is no ground yet
		p.texts = nil
		return
	}
	p.add("The " + of.party + " asks leave to add to these grounds, to amend and to withdraw them.")
}

// disputed adds the answer to a finding of the order, with the facts given and the law on its issues.
func (w *writer) disputed(p *numbered, of *filing, point Point, grounds []defence.Point) {
	said := w.given.Said[point.Key]
	facts := sentences(said.Facts)
	if facts != "" && said.Unconfirmed {
		facts += " " + confirm("these facts are proposed, and were not given by the "+of.party)
	}
	switch stance, own := w.stance(point); {
	case stance == Admit && own:
		p.add("**"+capital(w.finding(point))+"**: the "+of.party+" admits it to the following extent and no further: "+
			blank("what is admitted, and its amount")+".", facts)
		return
	case stance == Admit:
		p.add("[An admission needs your confirmation: it is proposed that the finding in "+point.name()+
			" be admitted. Nothing is admitted until you choose “admit”.]", facts)
		return
	}
	if facts == "" && w.answered(point) {
		return // the answer is in a ground above
	}
	if facts == "" {
		facts = w.needs(point, "")
	}
	law := slices.DeleteFunc(w.lawOn(point), func(text string) bool {
		return slices.ContainsFunc(grounds, func(g defence.Point) bool { return strings.HasPrefix(text, w.fillPlea(g)) })
	})
	papers := w.papersAgainst(of, point)
	if facts == "" && papers == "" && len(law) == 0 {
		return // the grounds above say everything
	}
	if facts == "" && len(law) == 0 { // a ground above disputes it
		p.add("On **" + w.finding(point) + "** " + strings.ToLower(papers[:1]) + papers[1:])
		return
	}
	p.add("**"+capital(w.finding(point))+"** is disputed.", facts)
	for _, text := range law {
		if strings.HasPrefix(text, "[") {
			p.plain(w.as(of, text)) // a note to the person who signs
			continue
		}
		p.add(w.as(of, text))
	}
	p.add(papers)
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// papersAgainst returns a reference to the annexures on a finding, or "" if there are none. Missing papers are in the
// list of papers.
func (w *writer) papersAgainst(of *filing, point Point) string {
	var there []string
	for _, paper := range w.papersOf(point) {
		if i := slices.Index(w.annexed, paper); i >= 0 {
			there = append(there, fmt.Sprintf("Annexure %d (%s)", i+1, escape(oneLine(paper))))
		}
	}
	if len(there) == 0 {
		return ""
	}
	return "The " + of.party + " relies on " + list(there) + "."
}

// penaltyRules lists the rules that plead that a penalty exceeds the limit of its section.
var penaltyRules = [...]string{"penalty-73-over-ten", "penalty-74-over-the-tax", "penalty-74a-over-ten"}

// orderPenalty adds submissions on penalty and interest, which depend on the tax.
func (w *writer) orderPenalty(p *numbered, of *filing) {
	sum, _ := w.demanded()
	if sum.Tax > 0 && sum.Interest+sum.Penalty > 0 {
		p.add("Interest and penalty follow the tax: as far as no tax is payable neither is due.")
	}
	pleaded := slices.ContainsFunc(penaltyRules[:], w.pleads)
	if most, rate, by := w.penaltyByOrder(); !pleaded && most > 0 && sum.Penalty > most+float64(len(w.facts.Demand.Rows)) {
		p.add("The penalty of "+rupees(sum.Penalty)+" is more than "+by+" allows on the tax: "+rate+", that is, "+
			rupees(most)+".", confirm("the section under which it is imposed"))
	}
}

// revocation adds how the cause of the cancellation was remedied (rule 23(1), second proviso).
func (w *writer) revocation(p *numbered, of *filing) {
	if !w.is("REG-19") {
		return
	}
	p.add("The ground of the cancellation no longer holds: " +
		strings.TrimRight(w.filled(askMadeGood, 0, "how what the order finds was put right, with its day"), ".") + ".")
	p.add("Where the registration was cancelled for returns that were not filed, rule 23(1) wants them filed first, "+
		"with tax, interest, penalty and late fee: "+
		strings.TrimRight(w.filled(askMadeGood, 1, "returns filed, with their days; where the cancellation has "+
			"another ground, that none is pending"), ".")+".",
		"The "+of.party+" files the returns from the day of the order to that of revocation within thirty days of the "+
			"order of revocation.")
}

// orderDeposit adds the table of the order's amounts by head, and the deposit for the appeal computed for the date of
// filing.
func (w *writer) orderDeposit(p *numbered, of *filing) {
	sum, total := w.demanded()
	if total > 0 {
		p.add("The amounts of the order, by head, in rupees:")
		p.plain(w.demandTable(sum, total))
	}
	if of.deposit == "" {
		return
	}
	section := map[string]string{"first_appeal": "section 107(6)", "tribunal": "section 112(8)"}[of.deposit]
	i := slices.IndexFunc(w.given.Reckoning.Money, func(s reckon.Sheet) bool { return s.Code == of.deposit })
	switch {
	case i >= 0 && w.given.Reckoning.Money[i].Paise != nil:
		w.depositTable(p, of, w.given.Reckoning.Money[i])
	case total == 0 && w.section == "" && w.facts.Demand == nil:
		return // an order without a demand needs no deposit
	case sum.Tax == 0 && sum.Penalty > 0:
		p.add("**Pre-deposit.** The order demands no tax. On the day of this paper "+section+
			" asks for no part of the penalty.", confirm("the text of "+section+" on the day of filing"))
		return
	default:
		p.add("**Pre-deposit.** " + capital(section) + " asks for " +
			blank("a tenth of the tax in dispute, worked out by head") + ".")
	}
	p.add("It was paid by " + strings.TrimRight(w.filled(askDeposit, 0, "reference of the payment and its day"), ".") +
		".")
	if of.deposit == "tribunal" {
		w.tribunalFee(p, sum.Tax)
	}
}

func (w *writer) depositTable(p *numbered, of *filing, sheet reckon.Sheet) {
	var rows [][]string
	under, certain := "", true
	for _, row := range sheet.Rows {
		if row.Base == nil || row.Paise == nil {
			continue
		}
		under, certain = provision(row.Provision), certain && row.Certainty == law.Sourced
		rows = append(rows, []string{escape(row.Head), figure(float64(*row.Base) / 100), escape(row.Rate.English),
			figure(float64(*row.Paise) / 100)})
	}
	text := "**Pre-deposit.** Where all of it is disputed, " + under + " as in force on " + w.given.Today.Printed() +
		" asks for " + rupees(float64(*sheet.Paise)/100)
	if of.deposit == "tribunal" {
		text += ", in addition to what was paid for the first appeal"
	}
	note := ""
	if !certain {
		note = confirm("the rate and the cap on the day of filing")
	}
	p.add(text+":", note)
	p.plain(table([]string{"Head", "Disputed", "Rate", "Deposit"},
		append(rows, []string{"Total", "", "", figure(float64(*sheet.Paise) / 100)})))
	p.add("What is admitted is paid in full, with its interest, besides; the recovery of the balance is then stayed (" +
		map[string]string{"first_appeal": "section 107(7)", "tribunal": "section 112(9)"}[of.deposit] + ").")
}

// feeOf returns the fee under rule 110(5) as in force since 10 July 2024 (N.12/2024-CT): ₹1,000 for every lakh of tax
// involved, at least ₹5,000 and at most ₹25,000.
func feeOf(tax float64) float64 {
	const lakh, each, least, most = 100_000, 1_000, 5_000, 25_000
	return max(least, min(most, math.Ceil(tax/lakh)*each))
}

func (w *writer) tribunalFee(p *numbered, tax float64) {
	if tax > 0 {
		p.add("**Fee.** Rule 110(5) asks for "+rupees(feeOf(tax))+" on tax of "+rupees(tax)+".",
			confirm("the fee that the Tribunal's portal works out"))
	}
}

// orderTime adds whether the filing is in time, and asks to condone the delay if it is late and that is possible.
func (w *writer) orderTime(p *numbered, of *filing) {
	d := deadline(w.given.Reckoning, of.dated)
	if d == nil || d.Date == nil {
		p.add("The order was communicated on " + w.communicated() + "; this is filed " +
			blank("within time, or with a prayer to condone the delay") + ".")
		return
	}
	today, due, by := w.given.Today, law.ParseDay(*d.Date), provision(d.Provision)
	if of.dated == reckon.Comply {
		by = of.rule // the provision of the order does not cover the application
	}
	if !due.Before(today) {
		p.add("The last day is "+due.Printed()+" ("+by+"). This is filed within time.", w.countedFromIssue())
		return
	}
	days := due.DaysUntil(today)
	text := fmt.Sprintf("The last day was %s (%s). On %s this is late by %d days.", due.Printed(), by, today.Printed(),
		days)
	if days == 1 {
		text = strings.Replace(text, "1 days", "1 day", 1)
	}
	last, under := w.condonable(of, due)
	switch {
	case of.late == "":
		p.add(text, confirm("the day of receipt: the Act has no provision to condone this delay. The same section "+
			"lets the authority withdraw the order on its own motion"))
	case last.Before(today):
		p.add(text, "Delay can be condoned until "+last.Printed()+" only ("+under+").", w.countedFromIssue(),
			confirm("the day of communication; where that day has passed the delay cannot be condoned under the Act: "+
				"take advice on a writ petition"))
	default:
		p.add(text, "**Condonation of delay.** The "+of.party+
			" was prevented by sufficient cause from filing in time: "+
			strings.TrimRight(w.filled(askDelay, 0, "the cause, day by day, with documents"), ".")+".",
			"It prays that "+of.late+" condone the delay under "+under+", which allows it until "+last.Printed()+".",
			w.countedFromIssue())
	}
}

// condonable returns the last date up to which a delay can be condoned, and the provision: section 107(4) or 112(6),
// and for a revocation rule 23(1), first proviso (180 more days, since 1 October 2023).
func (w *writer) condonable(of *filing, due law.Day) (law.Day, string) {
	if of.form == "FORM GST REG-21" {
		return due.AddDays(180), "rule 23(1)"
	}
	if d := deadline(w.given.Reckoning, reckon.AppealCondonable); d != nil && d.Date != nil {
		return law.ParseDay(*d.Date), provision(d.Provision)
	}
	return due, ""
}

// isLate reports whether the last date has passed but the delay can still be condoned.
func (w *writer) isLate(of *filing) bool {
	d := deadline(w.given.Reckoning, of.dated)
	if d == nil || d.Date == nil || of.late == "" {
		return false
	}
	due := law.ParseDay(*d.Date)
	last, _ := w.condonable(of, due)
	return due.Before(w.given.Today) && !last.Before(w.given.Today)
}

// countedFromIssue returns a note that the date of communication must still be given, or "" if it is known.
func (w *writer) countedFromIssue() string {
	if w.facts.ServedOn != nil || w.given.Reckoning.Served != nil {
		return ""
	}
	return confirm("the day on which the order was communicated; the time is counted from its date here")
}

func (w *writer) orderPrayer(p *numbered, of *filing) {
	first := of.asks
	if sum, total := w.demanded(); of.deposit != "" && total > 0 {
		first += ", with the demand of " + inAll(sum, total)
	}
	asks := []string{first}
	if w.isLate(of) {
		asks = append(asks, "condone the delay in filing")
	}
	if _, alternatives := w.pleadedOnOrder(); len(alternatives) > 0 {
		asks = append(asks, "in the alternative, reduce the demand as the alternative grounds set out")
	}
	asks = append(asks, "hear the "+of.party+" before this is decided",
		"grant any other relief that the facts call for")
	for i := range asks {
		asks[i] = fmt.Sprintf("(%c) %s", 'a'+i, asks[i])
	}
	p.add("The " + of.party + " prays that the authority be pleased to:")
	p.plain(strings.Join(asks, ";\n\n") + ".")
}

// orderAnnexures returns the numbered list of the papers provided, followed by those that such a filing always has.
func (w *writer) orderAnnexures(of *filing) string {
	papers := slices.Clone(w.annexed)
	papers = append(papers, "Copy of the order", "Notice on which it was made, with the reply")
	if of.deposit != "" {
		papers = append(papers, "Proof of the pre-deposit")
	}
	if w.isLate(of) {
		papers = append(papers, "Documents on the cause of the delay")
	}
	if paper := w.authorisation(); paper != "" {
		papers = append(papers, paper)
	}
	var rows [][]string
	for i, paper := range papers {
		name := escape(oneLine(paper))
		if slices.Contains(w.promised, paper) {
			name += " [To be attached]"
		}
		rows = append(rows, []string{fmt.Sprintf("Annexure %d", i+1), name})
	}
	return table([]string{"No.", "Document"}, rows)
}
