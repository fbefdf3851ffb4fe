package reply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/printed"
)

// mostDecisive is the number of points that the first page lists; those after them decide little.
const mostDecisive = 6

// pleaded returns the points that are pleaded, the strongest first: those that apply, and those that may apply and
// would reduce the demand. Advice to the client (a payment that closes the matter, an application for waiver) is not
// a plea.
func (w *writer) pleaded() []defence.Point {
	all := slices.DeleteFunc(slices.Clone(w.given.Decides), func(p defence.Point) bool {
		if w.form.Kind == "appeal" && w.besidesTheOrder(p) {
			return true
		}
		return p.Verdict == defence.DoesNotApply || p.Plead == "" || isAdvice(p) || w.outOfPeriod(p) ||
			p.ID == onLedger && w.answerTo(p).Holds == "no" || w.asReason(p) ||
			p.Verdict == defence.MayApply && p.Strength == defence.Procedural && w.answerTo(p).Holds != "yes"
	})
	slices.SortStableFunc(all, func(a, b defence.Point) int {
		return cmp.Or(inOrder(a)-inOrder(b), slices.Compare(w.weight(a), w.weight(b)))
	})
	return all
}

// weight returns a sort key for points of the same kind. What the notice itself shows comes first, then what a person
// has confirmed, by the amount that they stated, then points of procedure. What is open comes after everything that is
// certain.
func (w *writer) weight(p defence.Point) []int64 {
	switch {
	case w.isOpen(p):
		return []int64{3}
	case p.Strength == defence.Procedural:
		return []int64{2}
	case p.Verdict == defence.Applies:
		return []int64{0}
	}
	return []int64{1, -w.fallsBy(p, p.Amount).paise}
}

// isOpen reports whether a point needs a fact that nobody has confirmed.
func (w *writer) isOpen(p defence.Point) bool {
	return p.Verdict == defence.MayApply && w.answerTo(p).Holds != "yes"
}

// asReason reports whether a point is about the same facts as the reasons in Part B, so that they answer it.
func (w *writer) asReason(p defence.Point) bool {
	return w.ofDifference() && (p.ID == "credit-difference-88d" || p.ID == "liability-difference-88c")
}

// decisive returns the summary on the first page: each point with its provision, the amount that it removes, what
// remains, and where the notice prints its basis. Points that need a fact have a table of their own. It is "" if
// nothing is pleaded.
func (w *writer) decisive() string {
	var rows, open [][]string
	counted, shown := false, "The notice"
	points := w.pleaded()
	for i, reason := range w.reasonsFor() {
		said := w.given.Answers[askReasons].at(i)
		if said == "" {
			continue
		}
		takes, remains := "not quantified", ""
		if of, _, clear := statedIn(Response{Words: []string{said}}); clear {
			takes, counted = gst.Rupees(of), true
			if sum, _ := w.demanded(); paise(sum.Tax) >= of {
				remains = gst.Rupees(paise(sum.Tax) - of)
			}
		}
		if i == len(w.reasonsFor())-1 { // "Any other reason"
			reason += ": " + shorten(oneLine(said), 120)
		}
		rows = append(rows, []string{escape(reason), w.form.Provision, takes, remains, ""})
	}
	for _, p := range points {
		if len(rows)+len(open) == mostDecisive {
			break
		}
		title, takes, remains, pages := heading(p), "not quantified", "", []string{}
		if isAlternative(p) {
			title += " (in the alternative)"
		}
		switch by := w.fallsBy(p, p.Amount); {
		case by.unclear && p.Amount != nil:
			takes, counted = "up to "+p.Amount.String(), true
		case by.paise > 0:
			takes, counted = by.words(), true
			if p.Remains != nil && p.Amount != nil {
				remains = (*p.Remains + *p.Amount - printed.Amount(by.paise)).String()
			}
		case p.Amount != nil && p.Remains != nil:
			remains = p.Remains.String()
		}
		for _, q := range p.Because {
			at := fmt.Sprintf("page %d", q.Page)
			if q.File != "" {
				at, shown = "the files", "The notice, the files"
			}
			if !slices.Contains(pages, at) {
				pages = append(pages, at)
			}
		}
		row := []string{title, escape(w.provisionOf(p)), takes, remains, strings.Join(pages, ", ")}
		if w.isOpen(p) {
			open = append(open, row)
		} else {
			rows = append(rows, row)
		}
	}
	pointsTable := func(rows [][]string) string {
		if counted {
			return table([]string{"Point", "Provision", "Reduction", "What remains", shown}, rows)
		}
		short := make([][]string, len(rows)) // a registration or a vehicle is at stake, not an amount
		for i, row := range rows {
			short[i] = []string{row[0], row[1], row[4]}
		}
		return table([]string{"Point", "Provision", shown}, short)
	}
	text := &numbered{}
	if len(rows) > 0 {
		text.plain("The Noticee's case rests on these points, the strongest first, each without prejudice to the " +
			"others. They are pleaded below.")
		text.plain(pointsTable(rows))
	}
	if len(open) > 0 {
		text.plain("These points are pleaded " + map[bool]string{true: "below", false: "as well"}[len(rows) == 0] +
			", and each rests on a fact that is still open:")
		text.plain(pointsTable(open))
		text.plain(confirm("the fact that is asked for where each of these is pleaded; take out those that it does " +
			"not bear out"))
	}
	return text.String()
}

// inBrief returns a table of the answers for the first page of a paper in which no rule is pleaded: each point with its
// amount and the first sentence of what the person says. It is "" if they have said nothing yet.
func (w *writer) inBrief() string {
	var rows [][]string
	money := false
	for _, p := range w.points {
		said := w.given.Said[p.Key]
		if said.Facts == "" || said.Unconfirmed || said.Stance == "" || p.Number == "" {
			continue
		}
		answer := strings.TrimRight(sentences(shorten(sentenceOf(oneLine(said.Facts)), 160)), ".")
		if said.Stance == Admit {
			answer = "Admitted. " + answer
		}
		amount := ""
		if of, ok := w.objected[p.Key]; ok {
			amount, money = gst.Rupees(of.paise), true
		} else if tax := w.taxOf(p); tax > 0 {
			amount, money = rupees(tax), true
		}
		rows = append(rows, []string{strings.TrimPrefix(p.name(), "para "), amount, answer})
	}
	if len(rows) == 0 {
		return ""
	}
	if money {
		return table([]string{"Para", "Amount", "Answer"}, rows)
	}
	for i, row := range rows {
		rows[i] = []string{row[0], row[2]}
	}
	return table([]string{"Para", "Answer"}, rows)
}

// inOrder returns a sort key for pleas: what is about the tax or the notice as a whole, then what only follows from it,
// then what is pleaded in case the others fail.
func inOrder(p defence.Point) int {
	switch {
	case isAlternative(p):
		return 2
	case isConsequential(p):
		return 1
	}
	return 0
}

// isConsequential reports whether a point is about interest, penalty or late fee, which only matter once tax is due.
func isConsequential(p defence.Point) bool {
	return strings.HasPrefix(p.Issue, "interest") || p.Issue == "penalty" || p.Issue == "late_fee"
}

// isAlternative reports whether a point is pleaded in case the others fail.
func isAlternative(p defence.Point) bool { return strings.HasPrefix(p.Plead, "In the alternative") }

// pleadedElsewhere lists rules, by their id or its beginning, that other submissions plead at greater length.
var pleadedElsewhere = [...]string{"time-limit-", "section-74-without-ingredients", "section-73-or-74-after",
	"section-74a-before", "din-missing", "reference-missing", "hearing-before-reply", "total-over-the-heads",
	"notice-without-hearing"}

// ofTheNotice adds the pleas about the notice as a whole, or about one of its years. With consequential it adds those
// on interest, penalty and late fee, which come after the answers to the paragraphs; else the others, which come before
// them.
func (w *writer) ofTheNotice(p *numbered, consequential bool) {
	for _, point := range w.pleaded() {
		if isAlternative(point) || isConsequential(point) != consequential || len(w.parasOf(point)) > 0 ||
			slices.ContainsFunc(pleadedElsewhere[:], func(id string) bool {
				return strings.HasPrefix(point.ID, id)
			}) {
			continue
		}
		p.add("**"+heading(point)+".** "+w.fillPlea(point), w.stated(point))
	}
}

// inTheAlternative adds the pleas on what should apply if the rest fails.
func (w *writer) inTheAlternative(p *numbered) {
	for _, point := range w.pleaded() {
		if isAlternative(point) {
			plea := strings.TrimPrefix(strings.TrimPrefix(w.fillPlea(point), "In the alternative: "),
				"In the alternative, ")
			p.add(strings.ToUpper(plea[:1])+plea[1:], w.amounts(point), w.unlessOnIntent(point))
		}
	}
}

// unlessOnIntent returns the answer to a rule's question, unless a paragraph on fraud has it already.
func (w *writer) unlessOnIntent(p defence.Point) string {
	if p.Issue == "section_74" && slices.ContainsFunc(w.points, func(point Point) bool {
		return point.Allegation && w.onIntent(point) != ""
	}) {
		return ""
	}
	return w.stated(p)
}

// onPara returns the pleas on one paragraph of the notice, each with the amount it removes.
func (w *writer) onPara(point Point) []string {
	var texts []string
	said := ""
	for _, p := range w.pleaded() {
		for _, part := range p.For {
			if part.Para == "" || isAlternative(p) || !samePara(part.Para, point.Number) {
				continue
			}
			text := w.fillPlea(p)
			if part.Amount != nil {
				if takes := w.takesOfPara(p, part); takes != said { // otherwise it is the same amount again
					said = takes
					text += takes
				}
			}
			if a := w.stated(p); a != "" {
				text += " " + a
			}
			texts = append(texts, text)
			break
		}
	}
	return texts
}

// takesOfPara returns a sentence on how much of a paragraph's amount a point removes.
func (w *writer) takesOfPara(p defence.Point, part printed.For) string {
	by := w.fallsBy(p, part.Amount)
	if by.unclear {
		return " To that extent, this paragraph is not sustainable."
	}
	if by.paise == 0 {
		return ""
	}
	text := " This paragraph is accordingly liable to be reduced by " + by.words()
	var heads []string
	for _, h := range part.Heads {
		heads = append(heads, h.Head+" "+h.Amount.String())
	}
	if len(heads) > 1 && by.paise == int64(*part.Amount) {
		text += " (" + strings.Join(heads, ", ") + ")"
	}
	return text + "."
}

// parasOf returns the paragraphs of the notice that a point is about and that are answered one by one.
func (w *writer) parasOf(p defence.Point) []Point {
	return slices.DeleteFunc(slices.Clone(w.points), func(point Point) bool {
		return !slices.ContainsFunc(p.For, func(f printed.For) bool {
			return f.Para != "" && samePara(f.Para, point.Number)
		})
	})
}

func samePara(a, b string) bool { return strings.Trim(a, "()., ") == strings.Trim(b, "()., ") }

// heading returns the heading of a point's plea.
func heading(p defence.Point) string {
	return escape(strings.TrimRight(cmp.Or(p.Heading, p.Title), "."))
}

// plea returns the paragraph that pleads a rule: our own text with facts of the notice filled in.
func plea(p defence.Point) string { return oneLine(p.Plead) }

// asked returns the question to be answered before a point is pleaded, or "" if there is none.
func asked(p defence.Point) string {
	if p.Verdict != defence.MayApply || p.Ask == "" {
		return ""
	}
	return confirm(strings.TrimSuffix(oneLine(p.Ask), "."))
}

// amounts returns a sentence on how much of the demand a point removes.
func (w *writer) amounts(p defence.Point) string {
	by := w.fallsBy(p, p.Amount)
	switch {
	case by.unclear:
		return "To that extent, the demand is not sustainable."
	case by.paise == 0:
		return ""
	case p.Remains == nil || p.Amount == nil:
		return "The demand is accordingly liable to be reduced by " + by.words() + "."
	}
	return "The demand is accordingly liable to be reduced by " + by.words() + ", and " +
		(*p.Remains + *p.Amount - printed.Amount(by.paise)).String() + " remains."
}
