package reply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/message"
)

// briefFacts returns the history of the matter, as far as the facts contain it.
func (w *writer) briefFacts(mark string) string {
	f, p := w.facts, &numbered{mark: mark}
	who := "The Noticee, " + value(f.LegalName, "legal name")
	if f.TradeName != nil {
		who += " (trade name " + value(f.TradeName, "") + ")"
	}
	switch {
	case w.is("REG-03") && f.GSTIN == nil:
		p.add(who + ", applied for registration by " +
			cmp.Or(w.theApplication(), blank("application reference number and date")) + ".")
	default:
		p.add(who + ", holds GSTIN " + value(f.GSTIN, "GSTIN") + ".")
	}
	p.add(w.proposal())
	p.add(w.service())
	if names := w.subjects(); len(names) > 0 {
		p.add("The notice concerns " + list(names) + ".")
	}
	p.add("The dates that matter are:")
	p.plain(w.chronology())
	return p.String()
}

// proposal returns the sentences on what the notice proposes.
func (w *writer) proposal() string {
	f := w.facts
	text := strings.ToUpper(w.notice()[:1]) + w.notice()[1:] + " bearing reference " + value(f.Reference, "reference")
	if f.IssueDate != nil {
		text += " dated " + officeDate(*f.IssueDate)
	}
	text += " (“the notice”)"
	if under := w.provisions(); under != "" {
		text += ", issued under " + under + ","
	}
	what := "calls for an answer to the points set out in it"
	switch {
	case w.is("REG-17"):
		what = "proposes to cancel the registration of the Noticee"
	case w.is("REG-31"):
		what = "intimates differences and the suspension of the registration, and asks why it should not be cancelled"
	case w.is("REG-23"):
		what = "proposes to reject the application for revocation of the cancellation"
	case w.is("REG-03"):
		what = "asks for clarification on the application"
	case w.is("RFD-08"):
		what = "proposes to reject the application for refund " + w.application()
	case w.is("MOV-07"):
		what = "proposes a penalty on the goods and the conveyance that were detained"
	case w.is("MOV-10"):
		what = "proposes to confiscate the goods and the conveyance"
	case w.is("CMP-05"):
		what = "proposes to deny the composition levy"
	case w.is("ASMT-10"):
		what = "intimates discrepancies in the returns"
	case w.is("DRC-01A"):
		what = "intimates tax ascertained as payable"
	case w.is("DRC-01B"):
		what = "intimates that the liability in FORM GSTR-1 is more than that in FORM GSTR-3B"
	case w.is("DRC-01C"):
		what = "intimates that the credit in FORM GSTR-3B is more than that in FORM GSTR-2B"
	case w.is("ADT-02"):
		what = "communicates the findings of the audit"
	case w.is("DRC-22"):
		what = "attaches property of the Noticee provisionally"
	case w.is("DRC-13"):
		what = "asks the Noticee to pay what is said to be due from it to another person"
	case w.demands():
		what = "proposes to recover tax and consequential dues"
	}
	text += " " + what
	if years := w.years(); years != "" {
		text += " for " + years
	}
	if sum, total := w.demanded(); total > 0 {
		text += ": " + inAll(sum, total)
	} else if w.ofDifference() {
		text += ": " + blank("the difference under each head, as the intimation states it")
	}
	return text + "."
}

// service returns the sentences on when the notice was served and by when it has to be answered.
func (w *writer) service() string {
	f := w.facts
	served := "The notice was served on " + blank("date and mode of service, section 169") + "."
	if f.ServedOn != nil {
		served = "The notice was served on " + officeDate(*f.ServedOn) + "."
	} else if w.given.Reckoning.Served != nil {
		served = "The notice was served on " + officeDate(*w.given.Reckoning.Served) + "."
	}
	d := deadline(w.given.Reckoning, reckon.Reply)
	if d == nil || d.Date == nil {
		return served
	}
	due := law.ParseDay(*d.Date)
	switch {
	case d.Source == "printed" || f.ReplyDue.Time == nil:
		served += " It is to be answered by " + due.Printed() + "."
	case f.ServedOn == nil && w.given.Reckoning.Served == nil && d.FollowsService:
		served += fmt.Sprintf(" It allows %s from service. %s", allowed(*f.ReplyDue.Time),
			confirm("counted from the date of issue, the last day is "+due.Printed()))
	default:
		served += fmt.Sprintf(" It allows %s, that is, until %s.", allowed(*f.ReplyDue.Time), due.Printed())
	}
	if !w.given.Today.IsZero() && due.Before(w.given.Today) {
		served += " " + confirm("that day has passed; state the extension of time that was granted, or ask that this "+
			"reply be taken on record")
	}
	return served
}

func allowed(a law.Allowed) string {
	unit := a.Unit
	if a.Count == 1 {
		unit = strings.TrimSuffix(unit, "s")
	}
	return fmt.Sprintf("%d %s", a.Count, unit)
}

// subjects returns the names of the issues in dispute.
func (w *writer) subjects() []string {
	var keys, names []string
	for _, p := range w.points {
		keys = append(keys, p.Issues...)
	}
	var named []string
	if differenceIn(w.facts) == "" {
		named = w.facts.Issues
	}
	for _, key := range append(keys, named...) {
		if key == "fake_invoice_nongenuine" && slices.Contains(keys, outwardIssue) && !slices.Contains(keys, key) {
			continue // it is the notice's name for the invoices that the noticee issued
		}
		if name := issueName(key); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// application returns the words for the application for refund, as the person gave them or as the notice prints it.
func (w *writer) application() string {
	if w.given.Answers[askRefund].at(0) == "" && w.given.Application.Number != "" {
		text := w.theApplication()
		if paise := w.given.Application.Claimed; paise > 0 {
			text += " for " + gst.Rupees(paise)
		}
		if w.refused > 0 {
			text += ", to the extent of " + gst.Rupees(w.refused) + ","
		}
		return text
	}
	if w.given.Answers[askRefund].at(0) == "" {
		for _, q := range w.given.Earlier {
			if low := strings.ToLower(q.Quote); strings.Contains(low, "arn") ||
				strings.Contains(low, "acknowledgement") || strings.Contains(low, "application reference") {
				return fmt.Sprintf("described as “%s” (page %d)", escape(oneLine(q.Quote)), q.Page)
			}
		}
	}
	return w.filled(askRefund, 0, "ARN and date of the application, amount claimed, amount proposed to be rejected")
}

// chronology returns the table of the known dates, with blanks for those that every such matter has.
func (w *writer) chronology() string {
	f := w.facts
	type event struct{ day, date, what string }
	var events []event
	add := func(iso, what string) {
		if iso != "" {
			events = append(events, event{iso, officeDate(iso), what})
		}
	}
	if len(f.Periods) > 0 && w.from() != "" && w.to() != "" {
		events = append(events, event{w.from(), officeDate(w.from()) + " to " + officeDate(w.to()),
			"Period named in the notice"})
	}
	add(deref(f.IssueDate), "Date of the notice")
	if f.ServedOn != nil {
		add(*f.ServedOn, "Service of the notice")
	} else {
		add(deref(w.given.Reckoning.Served), "Service of the notice")
	}
	if d := deadline(w.given.Reckoning, reckon.Reply); d != nil && d.Date != nil && d.Source == "printed" {
		add(*d.Date, "Last day to answer, as fixed in the notice")
	}
	if f.Hearing != nil {
		what := "Personal hearing fixed"
		if f.Hearing.Time != nil {
			what += " at " + escape(*f.Hearing.Time)
		}
		add(f.Hearing.Date, what)
	}
	if a := w.given.Application; a.Number != "" && !a.On.IsZero() && w.is("RFD-08", "REG-03") {
		events = append(events, event{a.On.ISO(), a.On.Printed(), "Application, ARN " + a.Number})
	}
	for _, q := range w.given.Earlier {
		if w.given.Application.Number != "" && strings.Contains(q.Quote, w.given.Application.Number) {
			continue
		}
		of := event{"", "", fmt.Sprintf("As the notice records: “%s” (page %d)", escape(oneLine(q.Quote)), q.Page)}
		switch days := gst.Dates(strings.ToLower(q.Quote)); len(days) {
		case 0:
			of.day = deref(f.IssueDate)
		case 1:
			of.day, of.date = days[0].Day.ISO(), days[0].Day.Printed()
		default: // it is unclear which is meant: the words are used, in the place of the first
			of.day = days[0].Day.ISO()
		}
		events = append(events, of)
	}
	slices.SortStableFunc(events, func(a, b event) int { return cmp.Compare(a.day, b.day) })
	var rows [][]string
	for _, e := range events {
		rows = append(rows, []string{e.date, e.what})
	}
	earlier := "earlier papers in the matter, such as returns, audit, intimation in FORM GST DRC-01A, replies"
	switch {
	case w.is("RFD-08"):
		earlier = "application for refund, acknowledgement, deficiency memo if any"
	case w.is("REG-17", "REG-31", "REG-23", "REG-03"):
		earlier = "registration, returns filed, visits, earlier letters"
	case w.is("MOV-07", "MOV-10"):
		earlier = "invoice, e-way bill, interception, detention"
	}
	said := w.given.Answers[askEarlier]
	if said.Holds != "no" && (said.known() || len(w.given.Earlier) == 0 && !w.isQuery()) {
		rows = append(rows, []string{"", w.filled(askEarlier, 0, earlier)})
	}
	return table([]string{"Date", "Event"}, rows)
}

// preliminary returns the submissions for which the flags and the reckoning give grounds, each with what is uncertain
// about it; "" if there are none.
func (w *writer) preliminary(mark string) string {
	p := &numbered{mark: mark}
	w.limitation(p)
	w.ingredients(p)
	w.identification(p)
	w.figures(p)
	w.ofTheNotice(p, false)
	w.bunching(p)
	w.naturalJustice(p)
	w.vagueness(p)
	if w.demands() && len(p.texts) > 0 || w.demands() && w.section != "" {
		checks := []string{"that the officer is the proper officer for the Noticee and for this amount, and that no " +
			"other officer has begun proceedings on the same subject matter, section 6(2)(b)"}
		if w.is("DRC-01") {
			checks = append(checks, "that the show cause notice itself was served and not only its summary in FORM "+
				"GST DRC-01; if not, submit that the summary under rule 142(1)(a) does not take the place of the notice")
		}
		p.plain("[To be confirmed, and pleaded where it is so: " + strings.Join(checks, "; ") + ".]")
	}
	return p.String()
}

// limitation adds the pleas on what the reckoning found about the time limit, year by year.
func (w *writer) limitation(p *numbered) {
	for _, l := range w.given.Reckoning.Limitation {
		if l.Section != "" && (l.Section == "74A") != (l.FY >= "2024-25") {
			p.add("**Section invoked, F.Y. "+l.FY+".** Section 74A is for F.Y. 2024-25 and later, sections 73 and 74 "+
				"for the years before. The notice invokes section "+l.Section+" for F.Y. "+l.FY+".",
				"The Noticee submits that the notice is without authority of law for that year.",
				confirm("the section and the year on the paper"))
		}
		if l.What != "notice" || l.LastDay == nil || l.Dated == nil {
			continue
		}
		rule := timeLimit(l)
		last := "The last day for the notice was therefore " + officeDate(*l.LastDay)
		var uncertain []string
		for _, doubt := range l.Uncertain {
			uncertain = append(uncertain, doubt.English)
		}
		doubts := confirm(strings.Join(lowerFirst(uncertain), " "))
		if len(l.Uncertain) == 0 {
			doubts = ""
		}
		switch l.Verdict {
		case reckon.Late:
			if l.Extended != nil {
				last += ", or " + officeDate(*l.Extended) + " as extended by " + notifications(l.By)
			}
			p.add("**Limitation, F.Y. "+l.FY+".** The Noticee submits that the notice, dated "+officeDate(*l.Dated)+
				", is barred by limitation for F.Y. "+l.FY+".", rule, last+".",
				"The notice cannot be proceeded with for that year.", doubts)
		case reckon.InTimeByExtension:
			p.add("**Limitation, F.Y. "+l.FY+".** The notice is dated "+officeDate(*l.Dated)+".", rule, last+".",
				"The notice was issued after that day, and rests on the extension to "+officeDate(*l.Extended)+" under "+
					notifications(l.By)+", issued under section 168A.",
				"The Noticee submits that the conditions of section 168A were not met and that the extension does not "+
					"save the notice. The question is before the courts.", doubts)
		}
	}
}

// notifications returns the full names for "N.13/2022-CT and N.09/2023-CT".
func notifications(short string) string {
	var all []string
	for _, n := range strings.Split(short, " and ") {
		number := strings.TrimSuffix(strings.TrimPrefix(n, "N."), "-CT")
		if number != n {
			n = "Notification No. " + number + "-Central Tax"
		}
		all = append(all, n)
	}
	return list(all)
}

// timeLimit returns how the last date was counted, in the words of the tables.
func timeLimit(l reckon.Limitation) string {
	rule, known := l.Basis.Params["rule"].(message.Message)
	if !known {
		return ""
	}
	text := strings.ToUpper(provision(l.Provision)[:1]) + provision(l.Provision)[1:] + " require " + rule.English + "."
	source := fmt.Sprint(l.Basis.Params["source"])
	if number, ok := strings.CutPrefix(source, "N."); ok {
		source = notifications("N." + number)
	} else {
		source = provision(source)
	}
	return fmt.Sprintf("%s The annual return of %s was due on %s (%s).", text, l.FY,
		officeDate(fmt.Sprint(l.Basis.Params["date"])), source)
}

func lowerFirst(sentences []string) []string {
	all := slices.Clone(sentences)
	if len(all) > 0 && len(all[0]) > 1 && all[0][1] >= 'a' && all[0][1] <= 'z' {
		all[0] = strings.ToLower(all[0][:1]) + all[0][1:]
	}
	return all
}

// ingredients adds the plea that section 74 is invoked without its ingredients.
func (w *writer) ingredients(p *numbered) {
	if w.flagged("section_74_ingredients_missing") == nil {
		return
	}
	late, last := w.lateUnder73()
	consequence := ""
	if len(late) > 0 {
		consequence = "So treated, the notice is out of time under section 73(2) and (10) for F.Y. " + list(late) +
			" (" + strings.Join(last, "; ") + ")."
	}
	p.add("**Section 74 not made out.** The notice invokes section 74, but as far as the Noticee can find it alleges "+
		"no fraud, wilful misstatement or suppression of facts to evade tax, with particulars of who did what and when.",
		"The Noticee submits that these are the foundation of section 74, that they cannot be supplied afterwards, "+
			"and that without them the notice can stand, if at all, only as one under section 73, with its limitation "+
			"and its penalty: section 75(2).",
		consequence, confirm("read the notice and its annexures for other words of the same meaning; section 75(2) "+
			"speaks of what an appellate authority, the Tribunal or a court concludes"))
}

// lateUnder73 returns the years for which a notice under section 74 would be late under section 73, including
// extensions.
func (w *writer) lateUnder73() (years, last []string) {
	if w.section != "74" || w.facts.IssueDate == nil {
		return nil, nil
	}
	issued, state := law.ParseDay(*w.facts.IssueDate), ""
	if w.facts.GSTIN != nil && len(*w.facts.GSTIN) == 15 && w.facts.GSTINValid != nil && *w.facts.GSTINValid {
		state = (*w.facts.GSTIN)[:2]
	}
	for _, period := range w.facts.Periods {
		l, ok := w.law.Limits(period.FY, "73", state)
		if !ok || l.Notice.IsZero() || issued.IsZero() {
			continue
		}
		day, how := l.Notice, ""
		if l.NoticeExtended.After(day) {
			day, how = l.NoticeExtended, " as extended"
		}
		if issued.After(day) {
			years = append(years, period.FY)
			last = append(last, "last day for "+period.FY+": "+day.Printed()+how)
		}
	}
	return years, last
}

// identification adds the plea that a DIN is missing, and the request to check an impossible GSTIN.
func (w *writer) identification(p *numbered) {
	if w.flagged("din_missing") != nil {
		circulars := "Circulars 122/41/2019 and 128/47/2019 of CBIC"
		caveat := "the circulars bind central officers, and States have rules of their own; a portal reference " +
			"(Circular 249/06/2025) or an eOffice number (Circular 252/09/2025) can suffice; look the number up on " +
			"the portal first; absence alone does not make a notice invalid"
		if !w.byCentre() {
			whose := "It is not plain that it is a central officer's: "
			if w.byState() {
				whose = "It is a State officer's: "
			}
			found := "neither a DIN nor a portal reference was found on the notice. "
			if w.facts.Reference != nil {
				found = "the notice bears the number " + value(w.facts.Reference, "") +
					", which is neither a DIN nor a portal reference. "
			}
			p.plain("[To be confirmed before it is pleaded: " + found + whose + circulars +
				" bind central officers, so look for the State's own rule, and verify the notice on the portal; a " +
				"portal reference (Circular 249/06/2025) can suffice, and absence alone does not make a notice " +
				"invalid.]")
		} else {
			found := "Neither a DIN nor a reference generated on the common portal was found on the notice."
			if w.facts.Reference != nil {
				found = "The notice bears the number " + value(w.facts.Reference, "") +
					", which is neither a DIN nor a reference generated on the common portal; neither was found on it."
			}
			p.add("**Document Identification Number.** "+found,
				circulars+" require a DIN on such communications. The Noticee submits that the notice cannot be acted "+
					"upon unless it is shown to be duly issued and verifiable, and reserves its rights.",
				confirm(caveat))
		}
	}
	if w.flagged("gstin_checksum") != nil {
		p.plain(confirm("the check digit of the GSTIN as read does not fit: compare with the notice and the " +
			"registration certificate; where the notice itself is wrong, plead it"))
	}
}

// figures adds the plea that totals contradict each other.
func (w *writer) figures(p *numbered) {
	if w.flagged("demand_total_mismatch") != nil && w.facts.Demand != nil && w.facts.Demand.Total != nil {
		_, total := w.demanded()
		p.add("**Figures that do not agree.** The notice prints a total of "+rupees(*w.facts.Demand.Total)+
			", but its own heads add up to "+rupees(total)+".", "The Noticee submits that the amount proposed is "+
			"therefore not certain, and asks that it be corrected and "+
			"communicated before the matter is decided. This reply is made on the amounts by head, under protest.",
			confirm("compare the figures with the paper"))
	}
	if flag := w.flagged("annexure_mismatch"); flag != nil {
		check := ""
		if strings.HasSuffix(flag.Said.Code, "_unsure") {
			check = confirm("compare the figures with the paper, and state both sums")
		}
		p.add("**Annexure.** "+escape(flag.Message), "The Noticee submits that the demand cannot rest on two "+
			"workings, and asks which of them the notice stands on.", check)
	}
}

// bunching adds the plea that one notice covers several years, although limitation runs by year.
func (w *writer) bunching(p *numbered) {
	if w.flagged("multi_year") == nil || !w.demands() {
		return
	}
	var years []string
	for _, period := range w.facts.Periods {
		years = append(years, period.FY)
	}
	p.add(fmt.Sprintf("**One notice for %d years.** The notice covers F.Y. %s together.", len(years), list(years)),
		"The Noticee submits that assessment, limitation and the right to close the matter by payment run by "+
			"financial year, that each year has its own facts, and that it is prejudiced by having to answer them in "+
			"one proceeding. It asks that each year be dealt with by itself.",
		confirm("High Courts differ on one notice for several years: look up the jurisdictional one"))
}

// naturalJustice adds requests for what the Noticee needs in order to answer.
func (w *writer) naturalJustice(p *numbered) {
	if w.flagged("hearing_before_reply") != nil && w.facts.Hearing != nil && w.facts.ReplyDue.Date != nil {
		p.add("**Hearing before the reply.** The notice fixes the hearing on "+officeDate(w.facts.Hearing.Date)+
			", before the time to answer it ends on "+officeDate(*w.facts.ReplyDue.Date)+".",
			"The Noticee submits that a hearing before its reply is on record is no effective hearing, and requests "+
				"one on a later day.")
	}
	on := w.restsOnOthers()
	if len(on) > 0 && !w.is("REG-03") {
		rest := " rests"
		if len(on) > 1 {
			rest = " rest"
		}
		p.add("**Documents relied upon.** "+strings.ToUpper(names(on)[:1])+names(on)[1:]+" of the notice"+rest+
			" on material that others gave or made.", "The Noticee requests copies of each document and report relied "+
			"upon that has not been supplied, time to "+
			"answer after receiving them, and an opportunity to cross-examine the persons whose statements or reports "+
			"are used against it.",
			w.relied())
	}
}

// relied returns which of the relied-upon documents were received, and who is to be cross-examined, in the person's
// words or as a request to confirm it.
func (w *writer) relied() string {
	if said := w.given.Answers[askRelied].at(0); said != "" {
		return sentences(said)
	}
	return confirm("which documents came with the notice, and who is to be cross-examined: […]")
}

// restsOnOthers returns the points that are based on what other persons said or made.
func (w *writer) restsOnOthers() []Point {
	return slices.DeleteFunc(slices.Clone(w.points), func(point Point) bool {
		return !containsAny(strings.ToLower(point.Alleged), "statement of shri", "statement of smt", "statement of mr",
			"statement of the driver", "statements of", "statement recorded", "statement was recorded", "stated before",
			"verification report", "field visit", "reports received", "inspection report", "intelligence", "database",
			"third part")
	})
}

// vagueness adds the plea that a notice has no particulars, if no allegation could be found in it.
func (w *writer) vagueness(p *numbered) {
	if !w.demands() || len(w.facts.Charges()) > 0 || len(w.facts.Issues) > 0 {
		return
	}
	p.add("**No particulars.** "+confirm("no allegation was found in the text of the notice; look for an annexure, "+
		"and plead what follows only where there is none"),
		"The Noticee submits that the notice does not say on which facts and by which provision the amount is "+
			"proposed, so that it cannot be answered, and asks for the particulars.")
}
