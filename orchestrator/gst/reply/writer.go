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

// writer writes one reply.
type writer struct {
	law      *law.Tables
	given    Given
	facts    gst.Facts
	form     Form
	section  string // under which it demands tax: "73", "74", "74A" or ""
	points   []Point
	annexed  []string             // available papers, by annexure number less one
	promised []string             // those of them that the person says exist and that must still be attached
	said     map[string]Point     // for each submission of law, the first point that makes it
	named    map[string]Point     // for each set of papers, the first point that names it
	objected map[string]objection // what a notice on a refund refuses, by the key of a point
	refused  int64                // the sum of it, in paise; 0 if not known
}

func newWriter(t *law.Tables, g Given) *writer {
	w := &writer{law: t, given: g, facts: g.Facts, form: FormOf(t, g.Facts, g.Reckoning), points: Points(t, g.Facts)}
	if w.facts.Form == nil || w.is("DRC-01", "DRC-01A", "DRC-02") { // other forms only mention what may follow
		w.section, _ = reckon.ProceedsUnder(g.Facts)
	}
	for _, p := range g.Papers {
		if p.State != "needed" && p.State != InWorkings && !slices.Contains(w.annexed, p.Type) {
			w.annexed = append(w.annexed, p.Type)
		}
	}
	for _, paper := range w.given.Answers[askPapers].Words { // these exist but were not provided yet
		if !w.given.Answers[askPapers].Unknown && paper != "" && !slices.Contains(w.annexed, paper) {
			w.annexed, w.promised = append(w.annexed, paper), append(w.promised, paper)
		}
	}
	w.objected, w.refused = w.objections()
	w.said, w.named = map[string]Point{}, map[string]Point{}
	for _, p := range slices.Backward(w.points) {
		for _, text := range w.lawOn(p) {
			if w.given.Said[p.Key].Stance != Admit { // what is admitted is answered without submissions of law
				w.said[text] = p
			}
		}
		w.named[together(w.papersOf(p))] = p
	}
	return w
}

// numbered is a sequence of paragraphs, numbered "A.1", "A.2" and so on.
type numbered struct {
	mark  string
	n     int
	texts []string
}

// add adds the next paragraph, joining the sentences on one line.
func (p *numbered) add(sentences ...string) {
	text := strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
	if text == "" {
		return
	}
	p.n++
	p.texts = append(p.texts, fmt.Sprintf("%s.%d %s", p.mark, p.n, text))
}

// plain adds a block without a number: a table, a quotation, a note.
func (p *numbered) plain(block string) {
	if block != "" {
		p.texts = append(p.texts, block)
	}
}

func (p *numbered) String() string { return strings.Join(p.texts, "\n\n") }

// table returns a Markdown table. The cells must already be escaped.
func table(heads []string, rows [][]string) string {
	line := func(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }
	lines := []string{line(heads)}
	rule := make([]string, len(heads))
	for i := range rule {
		rule[i] = "---"
	}
	lines = append(lines, line(rule))
	for _, r := range rows {
		lines = append(lines, line(r))
	}
	return strings.Join(lines, "\n")
}

// What the notice is about, in the words of a reply.

// is reports whether the notice is in one of the forms.
func (w *writer) is(forms ...string) bool {
	return w.facts.Form != nil && slices.Contains(forms, *w.facts.Form)
}

// onRegistration reports whether the notice is about the registration itself.
func (w *writer) onRegistration() bool { return w.is("REG-03", "REG-17", "REG-23", "REG-31") }

// ofDifference reports whether the paper is the portal's intimation of a difference between returns.
func (w *writer) ofDifference() bool { return w.is("DRC-01B", "DRC-01C") }

// isQuery reports whether the paper only asks, and charges nothing.
func (w *writer) isQuery() bool { return w.is("REG-03", "ASMT-02") }

// demands reports whether the notice, as a form or a letter, proposes to recover tax by an order, and does not only
// ask questions.
func (w *writer) demands() bool {
	return w.is("DRC-01", "DRC-02", "ASMT-14") ||
		w.facts.Form == nil && w.facts.Kind == "notice" && (w.section != "" || w.facts.Demand != nil)
}

// notice returns the name of the paper, such as "the notice in FORM GST DRC-01".
func (w *writer) notice() string {
	if w.facts.Form != nil {
		return "the notice in " + formName(escape(*w.facts.Form))
	}
	if w.facts.Kind == "notice" {
		return "the show cause notice"
	}
	return "the letter"
}

// years returns the financial years, each with its months if it is not whole; "" for a matter that is not about a
// year.
func (w *writer) years() string {
	if w.onRegistration() {
		return ""
	}
	var years []string
	for _, p := range w.facts.Periods {
		year := p.FY
		whole := strings.HasSuffix(p.From, "-04-01") && strings.HasSuffix(p.To, "-03-31")
		if !whole && p.From != "" && p.To != "" {
			year += " (" + officeDate(p.From) + " to " + officeDate(p.To) + ")"
		}
		years = append(years, year)
	}
	if len(years) == 0 {
		return ""
	}
	return "F.Y. " + list(years)
}

// provisions returns the provisions under which the notice was issued.
func (w *writer) provisions() string {
	var under []string
	if w.section != "" {
		under = append(under, "section "+w.demandsUnder())
	}
	if w.facts.Form != nil {
		if row := w.law.Form(*w.facts.Form); row != nil {
			for _, one := range strings.Split(provision(row.Law), ", ") {
				alternatives := strings.Contains(one, "/") || strings.HasPrefix(one, "section") && len(under) > 0
				if !alternatives {
					under = append(under, one)
				}
			}
		}
	}
	if len(under) == 0 {
		return ""
	}
	return list(under)
}

// demandsUnder returns the section under which the notice demands tax, with the sub-section for notices if it cites
// that.
func (w *writer) demandsUnder() string {
	for _, part := range [...]string{"(1)", "(5)", "(8)", "(3)"} {
		s := w.section + part
		if part == "(5)" && w.section == "74A" || part == "(8)" && w.section != "74A" {
			continue // these are about the penalty, and about closing by payment
		}
		if slices.Contains(w.facts.Sections, s) {
			return s
		}
	}
	return w.section
}

// officer returns the words that address the officer.
func (w *writer) officer() string {
	if w.is("DRC-01B", "DRC-01C", "GSTR-3A") && w.facts.Officer.Designation == nil &&
		w.facts.Officer.Jurisdiction == nil && !w.given.Answers[askOfficer].known() {
		return "Proper Officer having jurisdiction over the Noticee" // the portal issues it without naming an officer
	}
	who, where := w.filled(askOfficer, 0, "designation of the officer"), w.filled(askOfficer, 1, "jurisdiction")
	said := w.given.Answers[askOfficer]
	if w.facts.Officer.Designation != nil && said.at(0) == "" {
		who = value(w.facts.Officer.Designation, "designation of the officer")
	}
	if w.facts.Officer.Jurisdiction != nil && said.at(1) == "" {
		where = value(w.facts.Officer.Jurisdiction, "jurisdiction")
	}
	return who + ", " + where
}

// byState and byCentre report which Government's officer issued the notice, as far as its words show it.
func (w *writer) byState() bool {
	return w.officerHas("state tax", "commercial tax", "sales tax", "gsto", "state goods")
}

func (w *writer) byCentre() bool {
	return !w.byState() && w.officerHas("central", "cgst", "commissionerate", "superintendent", "additional director",
		"intelligence")
}

func (w *writer) officerHas(words ...string) bool {
	return containsAny(strings.ToLower(deref(w.facts.Officer.Designation)+" "+deref(w.facts.Officer.Jurisdiction)),
		words...)
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// cites reports whether the notice cites one of these sections, or a part of it.
func (w *writer) cites(sections ...string) bool {
	return slices.ContainsFunc(w.facts.Sections, func(have string) bool {
		return slices.ContainsFunc(sections, func(s string) bool { return have == s || strings.HasPrefix(have, s+"(") })
	})
}

// flagged returns the flag with a code, or nil if there is none.
func (w *writer) flagged(code string) *gst.Flag {
	if i := slices.IndexFunc(w.facts.Flags, func(f gst.Flag) bool { return f.Code == code }); i >= 0 {
		return &w.facts.Flags[i]
	}
	return nil
}

// about reports whether one of these issues is in dispute.
func (w *writer) about(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		return slices.Contains(w.facts.Issues, key) || slices.ContainsFunc(w.points, func(p Point) bool {
			return slices.Contains(p.Issues, key)
		})
	})
}

// from and to return the first and last date in dispute, or "" if it is not known.
func (w *writer) from() string {
	if len(w.facts.Periods) == 0 {
		return ""
	}
	return w.facts.Periods[0].From
}

func (w *writer) to() string {
	if len(w.facts.Periods) == 0 {
		return ""
	}
	return w.facts.Periods[len(w.facts.Periods)-1].To
}

// demanded returns the sums of the demand's columns, and the total.
func (w *writer) demanded() (sum gst.DemandRow, total float64) {
	if w.facts.Demand == nil {
		return sum, 0
	}
	for _, r := range w.facts.Demand.Rows {
		sum.Tax += r.Tax
		sum.Interest += r.Interest
		sum.Penalty += r.Penalty
		sum.Fee += r.Fee
		sum.Other += r.Other
	}
	return sum, sum.Tax + sum.Interest + sum.Penalty + sum.Fee + sum.Other
}

// inWords returns the components of a demand, as in "tax ₹1,000, penalty ₹100".
func inWords(sum gst.DemandRow) string {
	var words []string
	for _, c := range []struct {
		name   string
		amount float64
	}{{"tax", sum.Tax}, {"interest", sum.Interest}, {"penalty", sum.Penalty}, {"fee", sum.Fee},
		{"other dues", sum.Other}} {
		if c.amount != 0 {
			words = append(words, c.name+" "+rupees(c.amount))
		}
	}
	return strings.Join(words, ", ")
}

// inAll returns a total with its components, "₹1,100 (tax ₹1,000, penalty ₹100)", or "₹100 (penalty)" if it has one.
func inAll(sum gst.DemandRow, total float64) string {
	words := inWords(sum)
	if name, _, _ := strings.Cut(words, " ₹"); !strings.Contains(words, ", ") {
		words = name
	}
	return rupees(total) + " (" + words + ")"
}

// stance returns how an allegation is answered: as the person chose (own is true), else as proposed.
func (w *writer) stance(p Point) (s Stance, own bool) {
	said := w.given.Said[p.Key]
	return cmp.Or(said.Stance, said.Proposed), said.Stance != ""
}

// all reports whether the person has answered every allegation with this stance.
func (w *writer) all(s Stance) bool {
	any := false
	for _, p := range w.points {
		if p.Allegation && w.given.Said[p.Key].Stance != s {
			return false
		}
		any = any || p.Allegation
	}
	return any
}

// admitted returns the allegations that the person admits.
func (w *writer) admitted() []Point {
	return slices.DeleteFunc(slices.Clone(w.points), func(p Point) bool { return w.given.Said[p.Key].Stance != Admit })
}

// name returns the name of a point's paragraph, such as "para 4.1" or "Discrepancy 2".
func (p Point) name() string {
	switch {
	case p.Number == "" && strings.HasPrefix(p.Key, "issue:"):
		return "the allegation on " + issueName(strings.TrimPrefix(p.Key, "issue:"))
	case p.Number == "":
		return "the notice as a whole"
	case strings.IndexFunc(p.Number, func(r rune) bool { return r >= 'A' && r <= 'Z' }) == 0:
		return escape(p.Number)
	}
	return "para " + escape(p.Number)
}

// names joins the names of paragraphs as in a sentence, such as "paras 4, 5 and 6".
func names(points []Point) string {
	all := make([]string, len(points))
	numbered := len(points) > 1
	for i, p := range points {
		all[i] = p.name()
		numbered = numbered && strings.HasPrefix(all[i], "para ")
	}
	if numbered {
		return "paras " + strings.ReplaceAll(list(all), "para ", "")
	}
	return list(all)
}
