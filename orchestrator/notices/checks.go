package notices

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"munshi/orchestrator/activities"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/lazyregexp"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
	"munshi/workflows"
)

// Check returns what Cited returns, the dates and amounts of an answer that are in neither the document, the facts nor
// the person's messages, and last a finding without a place that lists what was not checked.
func (x FactExtractor) Check(answer string, against workflows.CheckContext) []workflows.Finding {
	findings := x.Cited(answer, against)
	pages := activities.GSTPages(against.Pages)
	if len(pages) == 0 || against.Facts != "" { // a summary contains what its document contains
		findings = append(findings, views(answer,
			x.Tables.Index.Check(answer, citeContext(against.Facts, against.Today)))...)
	}
	switch {
	case len(pages) == 0:
	case against.Facts == "":
		findings = append(findings, amountsIn(answer, pages, findings)...)
	default:
		known := x.known(answer, pages, against)
		findings = append(findings, unknownFigures(answer, pages, known, findings)...)
	}
	slices.SortStableFunc(findings, func(a, b workflows.Finding) int { return cmp.Compare(a.Start, b.Start) })
	return append(findings, workflows.Finding{Code: "scope",
		Heading: strings.Join(x.notChecked(answer, against, findings), ",")})
}

// Cited returns what a text cites, whether that can be verified, where it contradicts the facts, and how its
// quotations compare with the text of the law in the index.
func (x FactExtractor) Cited(text string, against workflows.CheckContext) []workflows.Finding {
	context := citeContext(against.Facts, against.Today)
	for _, a := range against.Authorities {
		context.Authorities = append(context.Authorities, a.Citation)
	}
	findings := []workflows.Finding{}
	marks := x.Tables.Index.Check(text, context)
	for _, m := range marks {
		findings = append(findings, saying(m.Said, workflows.Finding{Code: string(m.Kind), Verdict: string(m.Verdict),
			Quote: text[m.Start:m.End], Start: m.Start, End: m.End, Act: m.Act, Provision: m.Provision,
			Heading: m.Heading}))
	}
	if x.Statute != nil {
		stand(x.Statute(), findings, marks, lawDay(context))
		findings = append(findings, x.quotations(text, marks, context, against)...)
		findings = append(findings, numbers(x.Statute(), text, marks, lawDay(context),
			activities.GSTPages(against.Pages), against.Words)...)
	}
	findings = append(findings, claims(text)...)
	findings = append(findings, secrets(text)...)
	findings = withoutOwnWords(text, findings)
	slices.SortStableFunc(findings, func(a, b workflows.Finding) int { return cmp.Compare(a.Start, b.Start) })
	return findings
}

// withoutOwnWords leaves out the findings inside quotations that match the law, since numbers and sub-sections in them
// are the law's own.
func withoutOwnWords(text string, findings []workflows.Finding) []workflows.Finding {
	var own []gst.Quotation
	for _, q := range gst.Quotations(text) {
		if slices.ContainsFunc(findings, func(f workflows.Finding) bool {
			return f.Code == "quotation" && f.Verdict == string(statute.QuoteHolds) && f.End == q.End
		}) {
			own = append(own, q)
		}
	}
	return slices.DeleteFunc(findings, func(f workflows.Finding) bool {
		amiss := f.Code == "number" || f.Code == string(cite.Provision) && f.Verdict != string(cite.Exists)
		return amiss &&
			slices.ContainsFunc(own, func(q gst.Quotation) bool { return f.Start >= q.Start && f.End <= q.End })
	})
}

// quotations checks quotations against the law on the last day of the notice's period and on the day of the text. The
// tax follows the law of the period; the proceeding follows the present law.
func (x FactExtractor) quotations(text string, marks []cite.Mark, context cite.Context,
	against workflows.CheckContext) []workflows.Finding {
	on, pages := lawDay(context), activities.GSTPages(against.Pages)
	// the document's pages are not given, so use what was read from the notice
	if n := context.Notice; n != nil && len(pages) == 0 {
		pages = []gst.Page{{Text: n.Text}}
	}
	q := &quoting{text: text, marks: marks, law: statute.NewQuotes(x.Statute(), on), on: on, today: context.Today,
		pages: gst.Fold(pages), shelf: shelf{authorities: against.Authorities}}
	if on != context.Today {
		q.now = statute.NewQuotes(x.Statute(), context.Today)
	}
	return q.findings()
}

// claimed matches words with which a text claims to have been verified, which only the program's own marks may do:
// next to a tick, in brackets, about everything it cites, or in the program's name. A statement that somebody else
// verified something, such as a chartered accountant a ledger, is no such claim.
var claimed = lazyregexp.New(`(?i)[✓✔✅☑🗸]\x{fe0f}?[\s*_]*` + claimAdverb +
	`(?:verified|checked|confirmed|validated|authenticated|found in the index|in the index|quoted|सत्यापित|जाँचा गया|प्रमाणित)` +
	`(?: (?:by|against|with|from|in) [^\])\n|.;,]{1,60})?[*_]*(?: ?[\])])?` +
	`|\b(?:verified|checked|confirmed|validated)[*_]* ?[✓✔✅☑🗸]\x{fe0f}?(?: by (?:munshi|the program)\b)?|(?:सत्यापित|प्रमाणित) ?[✓✔✅☑🗸]\x{fe0f}?` +
	`|[\[(] ?` + claimAdverb + `(?:verified|सत्यापित|(?:verified|checked|confirmed|validated)` +
	` (?:by (?:munshi|me|the (?:program|system|model))|(?:against|in|with|from) (?:the |an )?(?:acts?|laws?|index|statutes?|rules|official)\b[^\])\n]{0,40})) ?[\])]` +
	`|\b(?:all|every|each)(?: of)?(?: the| these| its)?(?: above| cited)? (?:citations?|authorit(?:y|ies)|provisions?|quotations?|references?)` +
	`(?: (?:above|here|in this (?:answer|reply|draft)))?(?: (?:are|is|were|was|have been|has been))? ` + claimAdverb +
	`(?:verified|checked|confirmed|validated)\b` +
	`|सभी (?:उद्धरण|प्रावधान|हवाले)(?: [^\s।]{1,12})?(?: सत्यापित| जाँचे)` +
	`|\b(?:verified|checked|confirmed) by (?:munshi|the program)\b|मुंशी (?:ने|द्वारा) (?:जाँचा|सत्यापित)`)

const claimAdverb = `(?:independently |duly |fully |all |munshi[- ]|cross-)?`

// byOthers matches words that say who else verified something.
var byOthers = lazyregexp.New(`(?i)^,? (?:by|from|with) (?:the |an? |our |your |his |her |their )?[a-z]`)

// tick matches a tick in the text itself, which next to a citation looks like the program's own mark.
var tick = lazyregexp.New(`[✓✔✅☑🗸]\x{fe0f}?`)

// behindWords reports whether there are words before a position in its line or table cell. A tick after words makes a
// claim about them; one at the beginning is a bullet or the content of a cell.
func behindWords(text string, at int) bool {
	from := strings.LastIndexAny(text[:at], "\n|") + 1
	return strings.ContainsFunc(text[from:at], func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}

// claims returns the places where a text claims to have been verified.
func claims(text string) []workflows.Finding {
	var found []workflows.Finding
	said := claimed.FindAllStringIndex(text, -1)
	for i, m := range said { // include the opening bracket
		if last := text[m[1]-1]; last == ')' && strings.HasSuffix(text[:m[0]], "(") ||
			last == ']' && strings.HasSuffix(text[:m[0]], "[") {
			said[i][0]--
		}
	}
	for _, m := range tick.FindAllStringIndex(text, -1) {
		among := slices.ContainsFunc(said, func(other []int) bool { return m[0] < other[1] && m[1] > other[0] })
		if !among && behindWords(text, m[0]) {
			said = append(said, m)
		}
	}
	slices.SortFunc(said, func(a, b []int) int { return a[0] - b[0] })
	for _, m := range said {
		if !strings.ContainsAny(text[m[0]:m[1]], "✓✔✅☑🗸[(") && byOthers.MatchString(text[m[1]:]) {
			continue
		}
		found = append(found, saying(message.New("checks.figure.claim", nil),
			workflows.Finding{Code: "claim", Verdict: string(cite.NotVerified), Quote: text[m[0]:m[1]], Start: m[0],
				End: m[1]}))
	}
	return found
}

// secrets returns the places where a text asks for a secret, such as a password, that nobody may ask for.
func secrets(text string) []workflows.Finding {
	var found []workflows.Finding
	for _, at := range workflows.SecretsIn(text) {
		found = append(found, saying(message.New("checks.secret", nil), workflows.Finding{Code: "secret",
			Verdict: string(cite.NotVerified), Quote: text[at[0]:at[1]], Start: at[0], End: at[1]}))
	}
	return found
}

// These parts of an answer are checked only if there is something to check them against.
const (
	scopeDates   = "dates"
	scopeAmounts = "amounts"
	scopeHeads   = "heads"      // amounts under a head of tax
	scopeQuotes  = "quotations" // words in quotation marks, neither in the document nor attributed to the law
	scopeArticle = "articles"   // Articles of the Constitution
	scopeStates  = "states"     // provisions of State Acts
)

var (
	articles  = lazyregexp.New(`\bArticles? \d{1,3}|अनुच्छेद \d`)
	statesAct = lazyregexp.New(`\b(?:SGST|[A-Z][a-z]+ (?:State )?(?:GST|Goods and Services Tax)) (?:Act|Rules)\b`)
)

// notChecked names the parts of an answer that were not checked.
func (x FactExtractor) notChecked(answer string, against workflows.CheckContext,
	findings []workflows.Finding) []string {
	var all []string
	if len(against.Pages) == 0 {
		said := gst.Figures(answer)
		if slices.ContainsFunc(said, func(f gst.Figure) bool { return f.Date != "" }) {
			all = append(all, scopeDates)
		}
		if slices.ContainsFunc(said, func(f gst.Figure) bool { return f.Date == "" }) {
			all = append(all, scopeAmounts)
		}
	}
	if c := citeContext(against.Facts, against.Today); cite.NamesHeads(answer) &&
		(c.Notice == nil || len(c.Notice.Heads) == 0) {
		all = append(all, scopeHeads)
	}
	pages := gst.Fold(activities.GSTPages(against.Pages))
	if articles.MatchString(answer) {
		all = append(all, scopeArticle)
	}
	if statesAct.MatchString(answer) {
		all = append(all, scopeStates)
	}
	if slices.ContainsFunc(gst.Quotations(answer), func(q gst.Quotation) bool {
		judged := slices.ContainsFunc(findings, func(f workflows.Finding) bool {
			return f.Code == "quotation" && f.End == q.End
		})
		return !q.Block && !judged && pages.PageOf(q.Words) == 0
	}) {
		all = append(all, scopeQuotes)
	}
	return all
}

// known returns the dates and amounts that an answer may contain besides those of the notice: from the facts and what
// follows from them, the person's messages, the authorities and provisions cited, and today.
func (x FactExtractor) known(answer string, pages []gst.Page, against workflows.CheckContext) *gst.Known {
	k := gst.KnownIn(pages)
	k.JSON(against.Facts)
	for _, words := range against.Words {
		k.Text(words)
	}
	for _, a := range against.Authorities {
		k.Text(a.Decided + " " + a.Citation + " " + a.Proposition)
	}
	k.Text(against.Today.Format(time.DateOnly))
	for _, i := range x.Tables.Index.Issued() {
		if strings.Contains(answer, i.Number) {
			k.Text(i.Date)
		}
	}
	if c := citeContext(against.Facts, against.Today); c.Notice != nil {
		for _, total := range c.Notice.Totals {
			k.Amount(total)
		}
		for _, head := range c.Notice.Heads {
			for _, sum := range head.Sums {
				k.Amount(sum)
			}
		}
	}
	return k
}

// unknownFigures returns the dates and amounts in an answer about a notice that are not known, and those printed on
// another page than the answer says.
func unknownFigures(answer string, pages []gst.Page, known *gst.Known, cited []workflows.Finding) []workflows.Finding {
	var found []workflows.Finding
	for _, l := range gst.Locate(answer, pages) {
		if overlaps(l, cited) {
			continue
		}
		f := workflows.Finding{Code: "figure", Quote: answer[l.Start:l.End], Start: l.Start, End: l.End}
		switch {
		case l.Named > 0:
			f = saying(otherPage(l), f)
			f.Verdict, f.Page, f.Words = "other_page", l.Page, l.Quote
		case l.Page > 0 || known.Has(l.Figure):
			continue
		default:
			f = saying(message.New("checks.figure.not_in_notice", nil), f)
			f.Verdict = "not_in_notice"
		}
		found = append(found, f)
	}
	return found
}

func overlaps(l gst.Located, cited []workflows.Finding) bool {
	return slices.ContainsFunc(cited, func(f workflows.Finding) bool {
		return f.Code != "quotation" && l.Start < f.End && l.End > f.Start
	})
}

// amountsIn looks up the dates and amounts of an answer that are not part of a citation.
func amountsIn(answer string, pages []gst.Page, cited []workflows.Finding) []workflows.Finding {
	var found []workflows.Finding
	for _, l := range gst.Locate(answer, pages) {
		if overlaps(l, cited) {
			continue
		}
		f := workflows.Finding{
			Code:    "figure",
			Verdict: "in_document",
			Quote:   answer[l.Start:l.End],
			Start:   l.Start,
			End:     l.End,
			Page:    l.Page,
			Words:   l.Quote,
		}
		switch {
		case l.Page == 0:
			f = saying(message.New("checks.figure.not_in_document", nil), f)
			f.Verdict = "not_in_document"
		case l.Named > 0:
			f = saying(otherPage(l), f)
			f.Verdict = "other_page"
		}
		found = append(found, f)
	}
	return found
}

// otherPage returns the message that a figure is on another page than the answer says.
func otherPage(l gst.Located) message.Message {
	return message.New("checks.figure.other_page", message.Params{"page": l.Page, "named": l.Named})
}

// saying returns the finding with a sentence.
func saying(said message.Message, f workflows.Finding) workflows.Finding {
	if said.IsZero() {
		return f
	}
	f.Message = said.English
	if raw, err := json.Marshal(said); err == nil {
		f.Said = raw
	}
	return f
}

// citeContext returns what an answer, or the notice itself, is checked against, from the facts as JSON.
func citeContext(facts string, today time.Time) cite.Context {
	c := cite.Context{Today: today.Format(time.DateOnly)}
	var f gst.Facts
	if facts == "" || json.Unmarshal([]byte(facts), &f) != nil {
		return c
	}
	n := &cite.Notice{
		Issued: plainly(f.IssueDate),
		Reply:  plainly(f.ReplyDue.Date),
		Form:   plainly(f.Form),
		Totals: totalsOf(f.Demand),
		Heads:  headsOf(f.Demand),
	}
	if f.Hearing != nil {
		n.Hearing = f.Hearing.Date
	}
	if last := len(f.Periods) - 1; last >= 0 {
		n.From, n.To, n.Years = f.Periods[0].From, f.Periods[last].To, "FY "+f.Periods[0].FY
		if last > 0 {
			n.Years += " to " + f.Periods[last].FY
		}
	}
	for _, p := range f.Paragraphs {
		n.Text += p.Text + "\n"
	}
	c.Notice = n
	return c
}

// totalsOf returns the amounts that may be called the total of a demand: the printed total first, the sum, and the
// sums without interest or penalty. It is empty if the notice prints no total.
func totalsOf(d *gst.Demand) []float64 {
	if d == nil || d.Total == nil {
		return nil
	}
	var tax, interest, penalty, rest float64
	for _, r := range d.Rows {
		tax += r.Tax
		interest += r.Interest
		penalty += r.Penalty
		rest += r.Fee + r.Other
	}
	return []float64{
		*d.Total,
		tax + interest + penalty + rest,
		tax + interest + penalty,
		tax + interest,
		tax + penalty,
		tax,
	}
}

// headsOf returns the amounts of a demand for each head of tax, with and without interest and penalty.
func headsOf(d *gst.Demand) []cite.HeadSums {
	if d == nil {
		return nil
	}
	var all []cite.HeadSums
	for _, r := range d.Rows {
		if r.Head == "" {
			continue
		}
		all = append(all, cite.HeadSums{Head: r.Head, Sums: []float64{
			r.Tax, r.Interest, r.Penalty, r.Fee, r.Other, r.Tax + r.Interest, r.Tax + r.Penalty,
			r.Tax + r.Interest + r.Penalty, r.Tax + r.Interest + r.Penalty + r.Fee + r.Other,
		}})
	}
	return all
}

// plainly returns an optional text, or "" for nil.
func plainly(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
