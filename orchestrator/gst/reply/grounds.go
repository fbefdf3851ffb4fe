package reply

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
)

// grounds returns the grounds that do not belong to a single paragraph: penalty, interest, the limits of the notice,
// and the authorities that the person supplied.
func (w *writer) grounds(mark string) string {
	p := &numbered{mark: mark}
	p.add("Besides the submissions above, and without prejudice to them, the Noticee submits:")
	if _, total := w.demanded(); w.demands() && total > 0 {
		p.add("An order cannot go beyond the " + rupees(total) + " and the grounds of the notice: section 75(7).")
	}
	w.ofTheNotice(p, true)
	w.penaltyGrounds(p)
	w.interestGrounds(p)
	switch {
	case w.is("REG-17", "REG-31", "REG-23"):
		p.add("Tax due for the past can be recovered whether or not the registration stands, section 29(3); it is no " +
			"reason to cancel it.")
	case w.is("RFD-08"):
		if paise := w.undisputed(); paise > 0 {
			p.add("To " + gst.Rupees(paise) + " of the refund claimed the notice takes no objection; it is to be " +
				"sanctioned in any case under section 54(5).")
		}
	case w.is("ASMT-10"):
		p.add("Scrutiny under section 61 is of the returns and their particulars. The explanation given answers each " +
			"discrepancy, and section 61(2) has no further action taken where it is found acceptable.")
	case w.is("DRC-01A"):
		p.add("An intimation under rule 142(1A) decides nothing. What is not accepted above is open for reply should " +
			"a notice be issued.")
	}
	if len(w.given.Authorities) > 0 {
		p.add("The Noticee relies on these authorities:")
		for i, a := range w.given.Authorities {
			p.plain("(" + roman(i+1) + ") " + a.String())
		}
	}
	if p.n == 1 {
		return "" // there are no further grounds
	}
	return p.String()
}

func roman(n int) string {
	text := ""
	for _, r := range []struct {
		value int
		sign  string
	}{{100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
		for ; n >= r.value; n -= r.value {
			text += r.sign
		}
	}
	return text
}

// penaltyGrounds adds the submissions on why no penalty, or a lower one, is due.
func (w *writer) penaltyGrounds(p *numbered) {
	sum, _ := w.demanded()
	if sum.Penalty == 0 && !w.cites("122", "125") || w.is("MOV-07", "MOV-10") {
		return
	}
	text := "Where no tax is payable, no penalty can follow."
	if w.all(Deny) {
		text = "No tax being payable, no penalty can follow."
	}
	if w.section != "" && w.cites("122", "125") && !w.pleads("penalty-twice") {
		text += " Where a penalty is imposed under section " + w.section +
			", section 75(13) bars another one for the same act under any other provision: the penalty proposed under " +
			"section " + w.otherPenalty() + " cannot stand beside it."
	}
	p.add(text)
	if most, rate, by := w.penaltyByOrder(); most > 0 && sum.Penalty > most+float64(len(w.facts.Demand.Rows)) {
		p.add("The penalty proposed, "+rupees(sum.Penalty)+", is more than "+by+" allows on the tax proposed: "+rate+
			", that is, "+rupees(most)+".", confirm("the section under which the penalty is proposed"))
	}
	if w.cites("125") {
		p.add("A penalty under section 125 is in the officer's discretion and has to be in proportion to the breach, " +
			"section 126.")
	}
}

// pleads reports whether a rule's point is pleaded as a preliminary submission, so that the grounds need not repeat
// it.
func (w *writer) pleads(id string) bool {
	return slices.ContainsFunc(w.pleaded(), func(p defence.Point) bool { return p.ID == id })
}

// otherPenalty returns the provision of section 122 or 125 that the notice cites, in words.
func (w *writer) otherPenalty() string {
	var others []string
	for _, s := range w.facts.Sections {
		if root, _, _ := strings.Cut(s, "("); root == "122" || root == "125" {
			others = append(others, escape(s))
		}
	}
	return list(others)
}

// penaltyByOrder returns the penalty that an order would impose on the tax proposed, under the section of the notice,
// with its rate and provision. It is 0 if it is not known.
func (w *writer) penaltyByOrder() (most float64, rate, by string) {
	paise := int64(0)
	for _, sheet := range w.given.Reckoning.Money {
		if sheet.Code != "penalty" {
			continue
		}
		for _, row := range sheet.Rows {
			if row.Label.English != "By order" {
				continue
			}
			if row.Paise == nil {
				return 0, "", ""
			}
			paise += *row.Paise
			rate, by = row.Rate.English, provision(row.Provision)
		}
	}
	return float64(paise) / 100, rate, by
}

// interestGrounds adds the submissions on interest.
func (w *writer) interestGrounds(p *numbered) {
	sum, _ := w.demanded()
	if sum.Interest == 0 && !w.cites("50") {
		return
	}
	if w.onCredit() && !w.pleads("interest-on-credit-not-utilised") {
		p.add("On credit, interest is due under section 50(3) and rule 88B(3) only as far as the credit was both " +
			"wrongly availed and utilised, from the day of utilisation, credit being utilised when the balance of the " +
			"electronic credit ledger falls below it: " + w.ledger() + ".")
	}
	if w.about("gstr1_vs_3b", "rcm", "classification_rate", "valuation_discount") {
		p.add("On tax, interest is due under section 50(1) only on what is found unpaid, and only until the day on " +
			"which it was paid: " + w.paid() + ".")
	}
}

// ledger returns the balance of the electronic credit ledger in the person's words, or a blank for it.
func (w *writer) ledger() string {
	const what = "running balance of the electronic credit ledger"
	if said := w.given.Answers[AskDefence+"interest-on-credit-not-utilised"]; said.Holds == "yes" && said.at(0) != "" {
		return escape(oneLine(said.at(0)))
	}
	switch said := w.given.Answers[askLedger]; {
	case said.known() && said.Holds == "no":
		return "the running balance of the electronic credit ledger is to be looked at for each day"
	case said.known():
		return strings.TrimRight(w.filled(askLedger, 0, what), ".")
	}
	return blank(what)
}

// paid returns how much of the tax was paid and when, in the person's words, or a blank for it.
func (w *writer) paid() string {
	if said := w.given.Answers[askPaid]; said.known() && said.Holds == "no" {
		return "nothing of what is disputed has been paid"
	}
	return strings.TrimRight(w.filled(askPaid, 0, "days of payment"), ".")
}

// onCredit reports whether credit is in dispute.
func (w *writer) onCredit() bool {
	return w.cites("50(3)") || w.about("itc_2a2b_vs_3b", "itc_17_5", "itc_16_4", "fake_invoice_nongenuine",
		"common_credit_r42_43")
}

// alternative returns the pleas in case the rest fails, and the request for leave to add submissions.
func (w *writer) alternative(mark string) string {
	p := &numbered{mark: mark}
	p.add("Without prejudice to the above, and in the alternative:")
	sum, total := w.demanded()
	reversed := w.given.Answers[AskDefence+"credit-already-reversed"].Holds == "yes"
	if total > 0 && (reversed || w.given.Answers[askPaid].Holds == "yes") {
		p.add("Should any tax be found payable, it is to be confined to what is left after allowing what was paid, " +
			"reversed or is available as credit.")
	}
	if slices.ContainsFunc(w.pleaded(), isAlternative) {
		w.inTheAlternative(p)
	} else if w.section == "74" {
		text := "Should any tax be found payable, it is to be determined as if the notice were issued under section " +
			"73, section 75(2), with no penalty beyond section 73(9)."
		if years, last := w.lateUnder73(); len(years) > 0 && w.flagged("section_74_ingredients_missing") == nil {
			text += " So treated, the notice is out of time under section 73(2) and (10) for F.Y. " + list(years) +
				" (" + strings.Join(last, "; ") + ")."
		}
		p.add(text)
	}
	if w.section == "74A" && !slices.ContainsFunc(w.pleaded(), isAlternative) && w.facts.FraudAlleged != nil &&
		*w.facts.FraudAlleged {
		p.add("Should any tax be found payable, the penalty is to be that of section 74A(5)(i), since none of what " +
			"section 74A(5)(ii) requires is made out: section 75(2A).")
	}
	if sum.Interest > 0 || w.cites("50") {
		p.add("Should any interest be found due, it is to be computed under section 50 and rule 88B on the actual " +
			"days and amounts.")
	}
	switch {
	case w.is("REG-17", "REG-31", "REG-23"):
		p.add("Should anything be found to be still wanting, the Noticee asks for time to furnish it before an order " +
			"is passed; and should the registration be cancelled, that it be with effect from a day no earlier than " +
			"the default.")
	case w.is("RFD-08"):
		p.add("Should any part of the claim be found not admissible, the rest is to be sanctioned, and credit debited " +
			"for the part rejected is to be re-credited under rule 93.")
	case w.is("MOV-07"):
		p.add("Pending the decision, the Noticee asks for release of the goods and the conveyance on security under " +
			"section 129(1)(c); and should any penalty be found due, that it be that of section 129(1)(a), the owner " +
			"having come forward. " + confirm("who the owner is, and that it comes forward"))
	}
	p.add("The Noticee asks leave to add to, amend or withdraw any of these submissions, to answer anything new that " +
		"is put to it, and to produce further documents at or before the hearing.")
	return p.String()
}

// computation returns the head-wise table of the notice, with the admitted and contested parts as far as the stances
// determine them, and interest and penalty separately.
func (w *writer) computation(mark string) string {
	f := w.facts
	if f.Demand == nil || len(f.Demand.Rows) == 0 {
		return ""
	}
	p := &numbered{mark: mark}
	sum, total := w.demanded()
	if total == 0 {
		return ""
	}
	p.add("The amounts in the notice, by head, in rupees:")
	p.plain(w.demandTable(sum, total))
	if f.Demand.Total != nil && *f.Demand.Total != total && w.flagged("demand_total_mismatch") != nil {
		p.add("The notice itself prints " + rupees(*f.Demand.Total) + " as its total; the table adds up the heads.")
	}
	w.byParagraph(p, sum.Tax)
	if !w.all(Deny) && !w.all(Admit) && w.anyStance() {
		p.add("The Noticee's answer, paragraph by paragraph:")
		p.plain(w.stanceTable())
	}
	if sum.Interest > 0 || w.cites("50") && !w.ofDifference() {
		w.interest(p, sum)
	}
	if sum.Penalty > 0 {
		why := "For the reasons given above none is due."
		if len(w.admitted()) > 0 {
			why = "On what is admitted no more is due than the law takes where tax is paid with interest at this " +
				"stage: " + blank("amount, with its provision") +
				"; for the reasons given above none is due on the rest."
		}
		p.add("**Penalty.** The notice proposes a penalty of "+rupees(sum.Penalty)+".", why)
	}
	return p.String()
}

func (w *writer) demandTable(sum gst.DemandRow, total float64) string {
	type column struct {
		name string
		of   func(gst.DemandRow) float64
	}
	columns := []column{{"Tax", func(r gst.DemandRow) float64 {
		return r.Tax
	}}, {"Interest", func(r gst.DemandRow) float64 { return r.Interest }},
		{"Penalty", func(r gst.DemandRow) float64 {
			return r.Penalty
		}}, {"Fee", func(r gst.DemandRow) float64 {
			return r.Fee
		}}, {"Other", func(r gst.DemandRow) float64 { return r.Other }}}
	heads, shown := []string{"Head"}, []column{}
	for _, c := range columns {
		if c.of(sum) != 0 {
			heads, shown = append(heads, c.name), append(shown, c)
		}
	}
	heads = append(heads, "Total")
	stance := ""
	switch {
	case w.all(Deny):
		stance = "Contested"
	case w.all(Admit):
		stance = "Admitted"
	}
	if stance != "" {
		heads = append(heads, stance)
	}
	row := func(name string, r gst.DemandRow, total float64) []string {
		cells := []string{name}
		for _, c := range shown {
			cells = append(cells, figure(c.of(r)))
		}
		cells = append(cells, figure(total))
		switch stance {
		case "Contested":
			cells = append(cells, figure(total))
		case "Admitted":
			cells = append(cells, blank("amount"))
		}
		return cells
	}
	var rows [][]string
	for _, r := range w.facts.Demand.Rows {
		rows = append(rows, row(escape(r.Head), r, r.Tax+r.Interest+r.Penalty+r.Fee+r.Other))
	}
	if len(rows) > 1 {
		rows = append(rows, row("Total", sum, total))
	}
	return table(heads, rows)
}

// figure returns an amount in rupees for a table, without a currency sign.
func figure(amount float64) string { return strings.Replace(rupees(amount), "₹", "", 1) }

func (w *writer) anyStance() bool {
	for _, p := range w.points {
		if w.given.Said[p.Key].Stance != "" {
			return true
		}
	}
	return false
}

// taxOf returns the tax that a point's charge names, or 0 if it names none.
func (w *writer) taxOf(p Point) (sum float64) {
	if charge := w.chargeOf(p); charge != nil {
		for _, a := range charge.Amounts {
			sum += a.Tax
		}
	}
	return sum
}

// stanceTable returns the tax of each charge by how it is answered. Only the person knows how much of a partly
// admitted charge is admitted.
func (w *writer) stanceTable() string {
	words := map[Stance]string{Admit: "admitted, to the extent stated", Deny: "contested", Explain: "explained",
		"": "[… not yet answered]"}
	var rows [][]string
	for _, p := range w.points {
		if p.Allegation {
			said := w.given.Said[p.Key].Stance
			admitted, contested := "[…]", "[…]"
			if paise, _ := w.admittedOf(p); said == Admit && paise > 0 {
				admitted, contested = figure(float64(paise)/100), figure(w.taxOf(p)-float64(paise)/100)
			}
			if total := w.taxOf(p); total > 0 && (said == Deny || said == Explain) {
				admitted, contested = "nil", figure(total)
			}
			rows = append(rows, []string{strings.TrimPrefix(p.name(), "para "), words[said], admitted, contested})
		}
	}
	return table([]string{"Para", "Answer", "Amount admitted", "Amount contested"}, rows)
}

// interest adds the paragraph on the interest that the notice claims, and its computation for the dates that the person
// gave.
func (w *writer) interest(p *numbered, sum gst.DemandRow) {
	text := "**Interest.** The notice does not quantify interest."
	if sum.Interest > 0 {
		text = "**Interest.** The notice proposes interest of " + rupees(sum.Interest) + "."
	}
	var rows [][]string
	for _, sheet := range w.given.Reckoning.Money {
		if sheet.Code != "interest" {
			continue
		}
		for _, row := range sheet.Rows {
			if row.From == nil || row.To == nil || row.Days == nil || row.Paise == nil || row.Base == nil {
				continue
			}
			rows = append(rows, []string{escape(oneLine(row.Label.English)), row.Head,
				strings.Replace(gst.Rupees(*row.Base), "₹", "", 1), officeDate(*row.From) + " to " + officeDate(*row.To),
				figure(float64(*row.Days)), row.Rate.English, strings.Replace(gst.Rupees(*row.Paise), "₹", "", 1)})
		}
	}
	if len(rows) == 0 && w.all(Deny) {
		p.add(text, "For the reasons given above none is due. If any is found due, the alternative pleas apply.")
		return
	}
	if len(rows) == 0 {
		p.add(text, "The Noticee's own working, should any be due: "+
			blank("for each part: amount, from, to, days, interest")+".")
		return
	}
	p.add(text, "On the days known to the Noticee, should the amounts be found due, it comes to the following under "+
		"section 50 and rule 88B:")
	p.plain(table([]string{"For", "Head", "Amount", "Days from and to", "Days", "Rate", "Interest"}, rows))
}
