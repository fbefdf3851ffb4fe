package reply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// isAddress reports whether the words found for an allegation without a paragraph are the address at the head of the
// notice.
func (w *writer) isAddress(point Point) bool {
	return point.Number == "" && w.facts.GSTIN != nil && strings.Contains(point.Alleged, *w.facts.GSTIN)
}

// denied returns the sentence that denies an allegation.
func denied(point Point) string {
	switch {
	case point.Number != "":
		return "The allegation in " + point.name() + " is denied."
	case point.Key == "whole":
		return "What the notice alleges is denied."
	}
	return capital(point.name()) + " is denied."
}

// paragraph returns the answer to one allegation, in the stance that the person chose or that was proposed.
func (w *writer) paragraph(mark string, point Point) string {
	p := &numbered{mark: mark}
	head := "**Reply to " + point.name() + "**"
	if point.Number == "" {
		head = "**Reply on " + strings.TrimPrefix(point.name(), "the allegation on ") + "**"
	}
	if point.Page > 0 {
		head += fmt.Sprintf(" (page %d of the notice)", point.Page)
	}
	p.plain(head)
	if point.Alleged != "" && !w.isAddress(point) {
		p.plain("> “" + escape(shorten(w.wordsOf(point), 700)) + "”")
	}
	p.plain(w.amountsOf(point))
	said := w.given.Said[point.Key]
	if !point.Allegation && said.Stance == "" {
		p.add("This paragraph makes no allegation and calls for no answer. Nothing in it is admitted.")
		return p.String()
	}
	stance, own := w.stance(point)
	facts := sentences(said.Facts)
	k, late := w.working(point.Key), w.lateFor(point.Key)
	if facts == "" && (k != nil || late != nil || w.answered(point)) {
		said.Facts = " " // they are in the plea
	}
	if facts == "" {
		if facts = w.onIntent(point); facts != "" {
			said.Facts = " "
		}
	}
	if facts != "" && said.Unconfirmed {
		facts += " " + confirm("these facts are proposed from the papers and the conversation, and were not given by "+
			"the Noticee")
	}
	switch {
	case stance == Admit && own:
		extent := blank("what is admitted, and its amount")
		if _, words := w.admittedOf(point); words != "" {
			extent = "its amount, " + words
		}
		if k != nil && !k.Unpaid && byHead(k.Remains) != "" {
			extent = "tax of " + byHead(k.Remains) + ", which the table below leaves"
		}
		p.add("The Noticee admits this allegation to the following extent and no further: "+extent+".", facts)
		confined := "The admission is confined to this paragraph, is no admission of any intent to evade tax, " +
			"and is made so that the matter is closed to that extent."
		if w.is("RFD-08") || w.isQuery() {
			confined = ""
		}
		p.add(w.madeGood(point), confined)
		if slices.Contains(point.Issues, fraudIssue) {
			p.add(confirm("the paragraph alleges fraud, wilful misstatement or suppression: to admit it opens the " +
				"penalty for that, and perhaps prosecution under section 132; take advice first"))
		}
		w.papers(p, point)
		return p.String()
	case stance == Admit:
		p.add("[An admission needs your confirmation: it is proposed that this allegation be admitted. Nothing is "+
			"admitted until you choose “admit”.]", facts)
	case w.ofDifference() && stance != "" && facts == "" && len(w.reasonsGiven()) > 0:
		p.add("The difference is explained by the reasons stated above, with their amounts.")
	case w.isQuery() && stance != "":
		p.add("In answer to "+point.name()+" the Noticee states:", facts, w.needs(point, said.Facts),
			proposed(own, string(stance)))
	case stance == Deny:
		p.add(denied(point), facts, w.needs(point, said.Facts), proposed(own, "deny"))
	case stance == Explain:
		p.add("The Noticee explains the point raised in "+point.name()+" as follows.", facts,
			w.needs(point, said.Facts), proposed(own, "explain"))
	default:
		p.add("[Not yet answered: choose admit, deny or explain for "+point.name()+".]", facts,
			w.needs(point, said.Facts))
	}
	if k != nil {
		p.add("The Noticee has held its returns, the portal's records and its books against each other, document by " +
			"document; the table that follows this paragraph gives the result.")
		p.plain(w.inWords(k))
	}
	if late != nil {
		p.add("The Noticee has worked out the interest from its electronic ledgers, return by return; the tables that follow " +
			"this paragraph set it against what is asked for.")
	}
	law := w.submissions(point)
	if len(w.reasonsGiven()) > 0 {
		law = nil // the reasons answer the difference
	}
	if len(law) > 0 && (stance == "" || stance == Admit) {
		p.plain("*Where the allegation is contested:*")
	}
	for _, text := range law {
		p.add(text)
	}
	w.papers(p, point)
	w.cited(p, said.Authorities)
	return p.String()
}

// onIntent returns what a person said against fraud, wilful misstatement or suppression, if the paragraph alleges it.
// For any other paragraph it returns "".
func (w *writer) onIntent(point Point) string {
	if !slices.Contains(point.Issues, fraudIssue) {
		return ""
	}
	for _, p := range w.pleaded() {
		if p.Issue == "section_74" && w.answerTo(p).Holds == "yes" && !placeIn.MatchString(p.Plead) {
			if said := sentences(w.answerTo(p).at(0)); said != "" {
				return said
			}
		}
	}
	return ""
}

// madeGood returns a sentence on how an admitted default was remedied.
func (w *writer) madeGood(point Point) string {
	switch {
	case w.isQuery():
		return "What is asked for is furnished: " + blank("the document, or the particular as corrected") + "."
	case w.onRegistration():
		return "What was wanting was made good: " +
			blank("returns furnished with their dates, tax, interest and late fee paid, or the particulars put right") +
			"."
	case w.is("RFD-08"):
		_, words := w.admittedOf(point)
		return "To that extent the claim is not pressed: " + cmp.Or(words, blank("amount")) + "."
	case w.is("MOV-07", "MOV-10"):
		return "What is due for it was paid: " + blank("tax and penalty, with the challan and its date") + "."
	}
	_, words := w.admittedOf(point)
	return "The tax admitted of " + cmp.Or(words, blank("amount by head")) + " with interest of " + blank("amount") +
		" was paid through " + blank("FORM GST DRC-03 or the return, its reference and date") + "."
}

// proposed returns the note that a stance was proposed, or "" if the person chose it.
func proposed(own bool, stance string) string {
	if own {
		return ""
	}
	return "[Proposed: " + stance + ". Confirm or change it.]"
}

// sentences returns what a person or a model said as sentences, escaped for Markdown.
func sentences(facts string) string {
	facts = oneLine(facts)
	if facts == "" {
		return ""
	}
	if !strings.ContainsAny(facts[len(facts)-1:], ".!?") && !strings.HasSuffix(facts, "।") {
		facts += "."
	}
	return escape(facts)
}

// needs returns blanks for the facts that the issues require and nobody gave.
func (w *writer) needs(point Point, facts string) string {
	if facts != "" {
		return ""
	}
	if isPenal(point) {
		return blank("the facts that speak against a penalty")
	}
	if w.isQuery() {
		return blank("the answer to this query, with the document that is uploaded for it")
	}
	if len(w.reasonsGiven()) > 0 {
		return "The reasons for the difference, with their amounts, are stated above."
	}
	if len(w.onPara(point)) > 0 {
		return "" // what is pleaded below asks for the facts that it needs
	}
	var gaps []string
	for _, key := range point.Issues {
		if words, ok := issues[key]; ok && words.needs != "" {
			gaps = append(gaps, blank(words.needs))
		}
	}
	if len(gaps) == 0 {
		return blank("the facts in answer")
	}
	return strings.Join(gaps, " ")
}

// papers adds a reference to the annexures for a point, with blanks for missing papers.
func (w *writer) papers(p *numbered, point Point) {
	var there, wanting []string
	papers := slices.Clone(w.papersOf(point))
	slices.SortStableFunc(papers, func(a, b string) int {
		return cmp.Compare(slices.Index(w.annexed, a), slices.Index(w.annexed, b))
	})
	for _, paper := range papers {
		if i := slices.Index(w.annexed, paper); i >= 0 {
			there = append(there, fmt.Sprintf("Annexure %d (%s)", i+1, escape(oneLine(paper))))
		} else {
			wanting = append(wanting, escape(oneLine(paper)))
		}
	}
	var texts []string
	switch before := w.named[together(w.papersOf(point))]; {
	case len(there) > 2 && len(wanting) == 0 && before.Key != point.Key && before.Number != "":
		texts = append(texts, "The Noticee relies on the documents named in answer to "+before.name()+".")
	case len(there) > 0:
		texts = append(texts, "The Noticee relies on "+list(there)+".")
	}
	if len(wanting) > 0 && !w.given.Answers[askPapers].known() { // the person said which papers exist
		texts = append(texts, blank("to be annexed: "+w.orAsBefore(point, wanting)))
	}
	p.add(texts...)
}

// orAsBefore returns the list of papers; if there are more than two, and another paragraph has already listed the same
// ones, it returns a reference to that paragraph instead.
func (w *writer) orAsBefore(point Point, papers []string) string {
	mine := w.papersOf(point)
	if before := w.named[together(mine)]; len(mine) > 2 && before.Key != point.Key {
		return "the papers named in answer to " + before.name()
	}
	return strings.Join(papers, "; ")
}

func together(papers []string) string { return strings.Join(papers, "\n") }

// cited adds the authorities that the person named for a point, as given.
func (w *writer) cited(p *numbered, citations []string) {
	for _, citation := range citations {
		text := "Reliance is placed on " + escape(oneLine(citation)) + "."
		if i := slices.IndexFunc(w.given.Authorities, func(a Authority) bool {
			return a.Citation == citation
		}); i >= 0 {
			text = "Reliance is placed on " + w.given.Authorities[i].String()
		}
		p.add(text)
	}
}

// String returns an authority as given: citation, court, date, proposition.
func (a Authority) String() string {
	text := escape(oneLine(a.Citation))
	var of []string
	for _, s := range []string{a.Court, a.Decided} {
		if s = oneLine(s); s != "" {
			of = append(of, officeDate(s))
		}
	}
	if len(of) > 0 {
		text += " (" + strings.Join(of, ", ") + ")"
	}
	if what := oneLine(a.Proposition); what != "" {
		text += ": " + sentences(what)
		return text
	}
	return text + "."
}

// submissions returns the submissions of law on the issues of a paragraph that fit its words, the period and the
// notice. Submissions made in an earlier paragraph are referred to, not repeated.
func (w *writer) submissions(point Point) []string {
	var texts []string
	var where []Point
	for _, text := range w.lawOn(point) {
		first := w.said[text]
		if first.Key == point.Key {
			texts = append(texts, text)
		} else if !slices.ContainsFunc(where, func(p Point) bool { return p.Key == first.Key }) {
			where = append(where, first)
		}
	}
	if len(where) > 0 {
		slices.SortFunc(where, func(a, b Point) int { return w.placeOf(a) - w.placeOf(b) })
		texts = append(texts, "The submissions made in answer to "+names(where)+" are adopted here.")
	}
	return texts
}

// placeOf returns the index of a point among those of the notice.
func (w *writer) placeOf(p Point) int {
	return slices.IndexFunc(w.points, func(other Point) bool { return other.Key == p.Key })
}

// answersTitle returns the heading above the answers to the paragraphs.
func (w *writer) answersTitle() string {
	if w.isQuery() {
		return "Answers to the queries"
	}
	return "Para-wise reply"
}

// wordsOf returns the words of a point that the reply quotes.
func (w *writer) wordsOf(point Point) string {
	if of, ok := w.objected[point.Key]; ok {
		return of.words
	}
	return point.Alleged
}

func (w *writer) lawOn(point Point) []string {
	low := strings.ToLower(point.Alleged)
	texts := w.onPara(point)
	if isPenal(point) {
		text := "The Noticee submits that the penalty rests on the other allegations and falls with them."
		if w.section != "" && w.cites("122", "125") {
			text += " Where a penalty is imposed under section " + w.section +
				", section 75(13) bars another one on the same person for the same act under any other provision."
		}
		texts = append(texts, text)
	}
	if len(texts) > 0 {
		return texts // the submission that the facts of this paragraph support makes general ones unnecessary
	}
	for _, key := range point.Issues {
		for _, s := range issues[key].law {
			if !w.fits(s, low) {
				continue
			}
			text := s.text
			if s.central && w.byState() {
				text += " " + confirm("that the State has adopted the circular")
			}
			texts = append(texts, text)
		}
	}
	return texts
}

// isPenal reports whether a paragraph is about the penalty itself, and not only about its cause.
func isPenal(point Point) bool {
	low := strings.ToLower(point.Alleged)
	return strings.Contains(low[:min(len(low), 60)], "penal") || strings.Contains(low, "committed the offence")
}

// fits reports whether a submission suits this notice and these words.
func (w *writer) fits(s submission, low string) bool {
	from, to := w.from(), w.to()
	switch {
	case s.from != "" && (to == "" || to < s.from), s.until != "" && (from == "" || from > s.until):
		return false
	case s.endsBefore != "" && (to == "" || to >= s.endsBefore):
		return false
	case s.unlessRule != "" && w.pleads(s.unlessRule):
		return false
	case len(s.words) > 0 && !containsAny(low, s.words...):
		return false
	case containsAny(low, s.without...):
		return false
	case len(s.cites) > 0 && !w.cites(s.cites...) && !containsAny(low, s.cites...):
		return false
	case len(s.forms) > 0 && !w.is(s.forms...):
		return false
	case s.section != "" && s.section != w.section:
		return false
	case len(s.unless) > 0 && w.is(s.unless...):
		return false
	}
	return true
}
