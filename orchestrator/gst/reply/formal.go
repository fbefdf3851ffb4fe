package reply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// cause returns the cause title of the reply (the authority and the matter), separated from the title by a horizontal
// line.
func (w *writer) cause() string {
	f := w.facts
	title := "---\n\n# " + strings.ToUpper(w.form.Title.English)
	if w.form.Name != "" {
		title += "\n\n**" + w.form.Name + "**"
		if w.form.Provision != "" {
			title += " (" + w.form.Provision + ")"
		}
	}
	if f.Form == nil && w.form.Provision != "" {
		title += "\n\n" + confirm("where a summary of the notice in FORM GST DRC-01 is on the portal, file this reply "+
			"there in FORM GST DRC-06 as well, rule 142(4)")
	}
	rows := [][]string{}
	row := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	if f.Form != nil {
		row("Notice in", formName(escape(*f.Form)))
	}
	row("Reference No.", value(f.Reference, "reference of the notice"))
	switch {
	case f.DIN != nil:
		row("DIN", value(f.DIN, ""))
	case w.flagged("din_missing") != nil:
		row("DIN", "none printed on the notice")
	}
	date := blank("date of the notice")
	if f.IssueDate != nil {
		date = officeDate(*f.IssueDate)
	}
	row("Date", date)
	name := value(f.LegalName, "legal name")
	if f.TradeName != nil {
		name += " (trade name " + value(f.TradeName, "") + ")"
	}
	row("Noticee", name)
	matter := "In the matter of **" + value(f.LegalName, "legal name") + "**"
	if f.GSTIN != nil || !w.is("REG-03") {
		row("GSTIN", value(f.GSTIN, "GSTIN"))
		matter += "\n\nGSTIN " + value(f.GSTIN, "GSTIN")
	}
	if years := w.years(); years != "" {
		row("Financial year", strings.TrimPrefix(years, "F.Y. "))
	} else if w.demands() {
		row("Financial year", blank("financial year"))
	}
	row("Provision", cmp.Or(w.provisions(), blank("provision under which the notice is issued")))
	if sum, total := w.demanded(); total > 0 {
		row("Amount in the notice", inAll(sum, total))
	}
	if w.is("REG-03", "RFD-08") {
		row("Application", w.theApplication())
	}
	if w.is("RFD-08") {
		for _, of := range []struct {
			name  string
			paise int64
		}{{"Refund claimed", w.given.Application.Claimed}, {"Proposed to be rejected", w.refused},
			{"Not objected to", w.undisputed()}} {
			if of.paise > 0 {
				row(of.name, gst.Rupees(of.paise))
			}
		}
	}
	subject := w.form.Title.English
	if f.Form != nil {
		subject += " in " + formName(escape(*f.Form))
	}
	subject += " bearing reference " + value(f.Reference, "reference") + " dated " + date
	if years := w.years(); years != "" {
		subject += " for " + years
	}
	return strings.Join([]string{"**Before the " + w.officer() + "**", matter, title,
		table([]string{"Particulars", "Details"}, rows),
		"**Subject:** " + subject + ".",
		"Respected Sir/Madam,",
		"The Noticee named above submits this reply to " + w.notice() + ". " + w.nothingAdmitted() + "Sections and rules are those " +
			"of the CGST Act, 2017 and the CGST Rules, 2017, and with them the corresponding provisions of the Act " +
			"and Rules of the State or Union territory. Annexures are numbered as in the index at the end."}, "\n\n")
}

// nothingAdmitted returns the reservation at the beginning of a reply to a paper that charges something.
func (w *writer) nothingAdmitted() string {
	if w.isQuery() {
		return ""
	}
	return "Nothing in the notice is admitted unless it is expressly admitted below. "
}

// hearing returns the request for a hearing, on the date fixed or another one.
func (w *writer) hearing(mark string) string {
	p := &numbered{mark: mark}
	ask := "The Noticee requests a personal hearing"
	switch {
	case w.is("REG-17", "REG-31"):
		p.add(ask + " before any order is passed, as the proviso to section 29(2) requires.")
	case w.is("REG-23"):
		p.add(ask + " before the application is rejected, as the proviso to section 30(2) requires.")
	case w.is("REG-03"):
		p.add(ask + " before the application is rejected.")
	case w.is("RFD-08"):
		p.add(ask + " before the application is rejected in whole or in part, as the proviso to rule 92(3) requires.")
	case w.is("MOV-07"):
		p.add(ask + " before any penalty is determined, as section 129(4) requires.")
	case w.is("MOV-10"):
		p.add(ask + " before any order of confiscation, as section 130(4) requires.")
	case w.is("ASMT-10", "DRC-01A", "DRC-01B", "DRC-01C", "ADT-02", "ASMT-02", "DRC-13", "DRC-22"):
		p.add("Should this reply not be found acceptable, the Noticee requests to be heard before anything further is " +
			"done, and in any case before a decision adverse to it.")
	case w.demands() || w.section != "":
		p.add(ask + " before any decision adverse to it, as section 75(4) requires, whatever view is taken of this reply.")
	default:
		p.add(ask + " before any decision adverse to it.")
	}
	if h := w.facts.Hearing; h != nil {
		fixed := "The notice fixes the hearing on " + officeDate(h.Date)
		if h.Time != nil {
			fixed += " at " + escape(*h.Time)
		}
		fixed += "."
		day := law.ParseDay(h.Date)
		switch {
		case !w.given.Today.IsZero() && day.Before(w.given.Today):
			p.add(fixed, "[To be confirmed: that day has passed; say whether the hearing was attended or adjourned, "+
				"or ask for another day.]")
		case w.flagged("hearing_before_reply") != nil:
			p.add(fixed, "The Noticee requests that it be held after this reply has been considered, on a day to be "+
				"communicated.")
		default:
			p.add(fixed, "The Noticee requests to be heard on that day.")
		}
	}
	p.add(w.represented())
	return p.String()
}

// represented returns a sentence on who appears for the Noticee.
func (w *writer) represented() string {
	t := w.given.Taxpayer
	switch {
	case t.Representative == "" && t.Signatory != "":
		return "The Noticee will appear by " + value(&t.Signatory, "") +
			", or by a representative whom it authorises under section 116."
	case t.Representative == "":
		return "The Noticee will be represented by " +
			blank("name of the authorised representative, whose authorisation under section 116 is to be annexed") + "."
	case t.Enrolment == "":
		return "The Noticee will be represented by " + value(&t.Representative, "") +
			", whose authorisation under section 116 is annexed."
	}
	return "The Noticee will be represented by " + value(&t.Representative, "") + " (" + value(&t.Enrolment, "") +
		"), whose authorisation under section 116 is annexed."
}

// prayer returns the requests to the officer, which depend on the form.
func (w *writer) prayer(mark string) string {
	var asks []string
	ask := func(what string) { asks = append(asks, what) }
	except := ""
	if admitted := w.admitted(); len(admitted) > 0 {
		except = ", except for what is admitted in answer to " + names(admitted)
	}
	switch {
	case w.is("ASMT-10"):
		ask("accept the explanation, take no further action on the discrepancies and inform the Noticee in FORM GST " +
			"ASMT-12 under rule 99(3)" + except)
	case w.is("DRC-01A"):
		ask("accept these submissions and not issue a show cause notice" + except)
	case w.is("DRC-01B"):
		ask("accept the explanation of the difference and not proceed to recovery under section 79" + except)
	case w.is("DRC-01C"):
		ask("accept the explanation of the difference and not proceed to a demand" + except)
	case w.is("ADT-02"):
		ask("drop the observations in the audit findings" + except)
	case w.is("REG-17", "REG-31"):
		ask("drop the proceedings for cancellation by order in FORM GST REG-20 under rule 22(4)")
		ask("revoke the suspension of the registration, if it is suspended, under rule 21A(4)")
	case w.is("REG-23"):
		ask("revoke the cancellation of the registration by order in FORM GST REG-22 under rule 23(2)")
	case w.is("REG-03"):
		ask("accept the clarification and approve the application")
	case w.is("RFD-08"):
		if pressed := w.pressed(); pressed != "" {
			ask("sanction a refund of " + pressed + " by order in FORM GST RFD-06")
		} else {
			ask("sanction the refund claimed, " + w.refundClaimed() + ", by order in FORM GST RFD-06" + except)
		}
		ask("pay interest under section 56 where the refund is not made within the time that it allows")
	case w.is("MOV-07"):
		ask("drop the proposal under section 129(3) and release the goods and the conveyance" + except)
	case w.is("MOV-10"):
		ask("drop the proposal under section 130 and release the goods and the conveyance" + except)
		ask("in the alternative, give the option under section 130(2) to pay a fine in lieu of confiscation")
	case w.is("CMP-05"):
		ask("drop the proceedings and let the Noticee continue under section 10")
	case w.is("DRC-22"):
		ask("lift the provisional attachment under rule 159(5)")
	case w.is("DRC-13"):
		ask("withdraw the notice, or confine it to what is shown above to be due to the person named in it")
	case w.is("SPL-03"):
		ask("accept the application under section 128A")
	case w.is("RVN-01"):
		ask("drop the proposed revision under section 108")
	case w.is("ASMT-02"):
		ask("accept the reply and allow provisional assessment under section 60")
	case w.all(Admit):
		ask("take note of what is admitted and paid, " + blank("amount, FORM GST DRC-03 and its date") +
			", and conclude the proceedings")
	case w.facts.Kind == "" && w.facts.Form == nil:
		ask("take this reply on record and " + w.filled(askFor, 0, "what is asked for"))
	default:
		ask("drop the proceedings begun by the notice" + except)
	}
	if sum, total := w.demanded(); w.demands() && total > 0 {
		if w.hasLate() {
			ask("hold the notice barred by limitation for the years named in the preliminary submissions")
		}
		switch {
		case sum.Interest == 0 && sum.Penalty == 0 && !w.cites("50", "122"):
		case w.all(Admit):
			ask("impose no penalty beyond what the law takes where tax is paid with interest at this stage")
		default:
			ask("charge no interest and impose no penalty" + except)
		}
		ask("in the alternative, confine any demand as the alternative pleas set out")
	}
	ask("grant a personal hearing before any adverse decision")
	ask("grant any other relief that the facts call for")
	for i := range asks {
		asks[i] = fmt.Sprintf("(%c) %s", 'a'+i, asks[i])
	}
	p := &numbered{mark: mark}
	p.add("The Noticee prays that the authority be pleased to:")
	p.plain(strings.Join(asks, ";\n\n") + ".")
	return p.String()
}

// hasLate reports whether the notice appears to be late for one of its years.
func (w *writer) hasLate() bool {
	return slices.ContainsFunc(w.given.Reckoning.Limitation, func(l reckon.Limitation) bool {
		return l.Verdict == reckon.Late && l.What == "notice"
	})
}

// verification returns the verification that the person signs.
func (w *writer) verification() string {
	t := w.given.Taxpayer
	return strings.Join([]string{
		"I, " + value(&t.Signatory, "name of the signatory") + ", " + value(&t.Designation, "designation or status") +
			" of the Noticee, hereby solemnly affirm and declare that the information given hereinabove is true and " +
			"correct to the best of my knowledge and belief and that nothing has been concealed therefrom. The " +
			"submissions of law are made on advice.",
		"Place: " + value(&t.Place, ""),
		"Date:",
		"Signature:",
		"For " + value(w.facts.LegalName, "the Noticee"),
	}, "\n\n")
}

// annexures returns the numbered list of the available papers. Papers still needed are mentioned in the paragraphs
// that depend on them, and in the list of papers to ask for.
func (w *writer) annexures() string {
	rows := [][]string{}
	n := 0
	number := func() string {
		n++
		return fmt.Sprintf("Annexure %d", n)
	}
	for _, paper := range w.annexed {
		name := escape(oneLine(paper))
		if slices.Contains(w.promised, paper) {
			name += " [To be attached]"
		}
		rows = append(rows, []string{number(), name, w.usedIn(paper)})
	}
	for _, k := range w.given.Workings {
		rows = append(rows, []string{number(), escape(k.Name) + ", " + escape(k.Span) + ", with the workbook",
			w.workingFor(k)})
	}
	rows = append(rows, []string{number(), "Copy of the notice with its annexures", "all"})
	if paper := w.authorisation(); paper != "" {
		rows = append(rows, []string{number(), paper, "all"})
	}
	return table([]string{"No.", "Document", "For"}, rows)
}

// authorisation returns the name of the paper by which a representative appears, or "" if the person signs and appears
// in person.
func (w *writer) authorisation() string {
	t := w.given.Taxpayer
	switch {
	case t.Representative != "":
		return "Authorisation of " + value(&t.Representative, "") + " under section 116"
	case t.Signatory != "":
		return ""
	}
	return "Authorisation under section 116, where a representative signs or appears"
}

// pressed returns the amount of the refund that is still asked for after what is admitted. It is "" if nothing is
// admitted, or if the amount is not known.
func (w *writer) pressed() string {
	left := w.given.Application.Claimed
	admitted := w.admitted()
	for _, p := range admitted {
		left -= w.objected[p.Key].paise
	}
	if left <= 0 || w.refused == 0 || len(admitted) == 0 {
		return ""
	}
	return gst.Rupees(left)
}

// refundClaimed returns the amount of the refund that is asked for.
func (w *writer) refundClaimed() string {
	if paise := w.given.Application.Claimed; paise > 0 && w.given.Answers[askRefund].at(1) == "" {
		return gst.Rupees(paise)
	}
	return w.filled(askRefund, 1, "amount")
}

// workingFor returns the name of the paragraph that a comparison answers.
func (w *writer) workingFor(k Working) string {
	if i := slices.IndexFunc(w.points, func(p Point) bool { return p.Key == k.Point }); i >= 0 {
		return names(w.points[i : i+1])
	}
	return "all"
}

// usedIn returns the names of the paragraphs that a paper is for.
func (w *writer) usedIn(paper string) string {
	var in []Point
	for _, p := range w.points {
		if slices.Contains(w.papersOf(p), paper) {
			in = append(in, p)
		}
	}
	if len(in) == 0 {
		return "all"
	}
	return names(in)
}

// papersOf returns the types of the papers for a point: those named for it, or else those that its issues require
// and that were requested.
func (w *writer) papersOf(p Point) []string {
	if named := w.given.Said[p.Key].Documents; len(named) > 0 {
		return named
	}
	var types []string
	for _, d := range p.Documents {
		if slices.ContainsFunc(w.given.Papers, func(have RequiredPaper) bool {
			return have.Type == d.Type && have.State != InWorkings
		}) {
			types = append(types, d.Type)
		}
	}
	return types
}
