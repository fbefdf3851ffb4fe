// Package answer answers questions of GST law without a language model: from the digest and the official text of the
// law, and from what code can compute with the dated tables. It returns values, not sentences; the sentences are
// templates in the prompts folder, in each language. It gives no opinion, asks for what is missing, and says when a
// question is outside the law held here.
package answer

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/law/faq"
)

// Answers answers questions from the law. It is safe for concurrent use.
type Answers struct {
	statute func() *statute.Law
	tables  func() *law.Tables
	faq     *faq.Topics
	issued  func() (*issuedIndex, error)
}

// New returns Answers that use the statute with its digest, the dated tables, which are read when they are needed,
// and the common questions (nil for none).
func New(s func() *statute.Law, tables func() *law.Tables, questions *faq.Topics) *Answers {
	return &Answers{
		statute: s,
		tables:  tables,
		faq:     questions,
		issued:  sync.OnceValues(func() (*issuedIndex, error) { return indexIssued(tables().Index) }),
	}
}

// The languages in which a question can be asked.
const (
	English  = "en"
	Hindi    = "hi"
	Hinglish = "hinglish" // Hindi in Latin letters
)

// Limits on how much of the law an answer shows.
const (
	mostProvisions = 4
	mostIssued     = 2
	mostSearched   = 12
	longestQuote   = 700 // bytes
	leastIssued    = 12  // search score below which a circular has little to do with a question
	leastNearest   = 0.3 // share of an outside question's words that a provision must have to be shown as the nearest
	leastSaid      = 6   // lowest product of a circular's search score and its share of the question's words
	leastBeside    = 4   // the same for a circular about a provision that is shown
	leastSure      = 0.4 // share of a question's words that a provision must have to be surely the answer
)

// ResultFields are the fields that an item of "results" can have. Every field of every list is a text, "" if it is
// not set.
func ResultFields() []string {
	return strings.Fields("rule case of year section last left over order extended order_extended by amount base head " +
		"rate cap count from to later later_left form reply missed provision note says")
}

// ProvisionFields are the fields that an item of "provisions" can have.
func ProvisionFields() []string {
	return strings.Fields("name heading says from until status quote cut earlier earlier_from earlier_until doubt")
}

// IssuedFields are the fields that an item of "issued" can have.
func IssuedFields() []string { return strings.Fields("name date about says withdrawn doubt") }

// Values answers a question asked on a day. The values are those that the templates for answers without a model use:
// "speaks" (the language), "outside" ("yes" if the law held here has no answer), "unsure" ("yes" if nothing was
// computed and no provision has enough of the question's words to be surely the right one), "judgment" (the names of
// those in the question, of which nothing is known here), "results" (what was computed), "provisions", "issued"
// (circulars and notifications) and "asks" (what is missing).
func (a *Answers) Values(text, area string, today law.Day, language string) (map[string]any, error) {
	q := read(text, today, a.tables().Index)
	if language == Hindi {
		q.speaks = Hindi
	}
	s := a.statute()
	outside, err := a.outside(q, area)
	if err != nil {
		return nil, err
	}
	common, err := a.common(q, outside)
	if err != nil {
		return nil, err
	}
	values := map[string]any{"speaks": q.speaks, "outside": "", "unsure": "",
		"judgment": strings.Join(q.judgments, "; "), "results": []map[string]string{},
		"issued": []map[string]string{}, "asks": []string{}}
	if q.asksOfCase() {
		values["provisions"] = []map[string]string{}
		return values, nil
	}
	if outside && len(common) == 0 {
		values["outside"] = "yes"
		nearest, err := s.Gather(statute.Need{Words: q.text, Most: 1})
		nearest = slices.DeleteFunc(nearest, func(p statute.Found) bool { return p.Score > 0 && p.Has < leastNearest })
		values["provisions"] = a.provisions(q, nearest)
		return values, err
	}
	hits, err := s.Search(statute.Query{Words: q.sought(), Limit: 12})
	if err != nil {
		return nil, fmt.Errorf("search the law for an answer: %w", err)
	}
	entries, err := s.Entries()
	if err != nil {
		return nil, fmt.Errorf("read the law for an answer: %w", err)
	}
	c := &computing{results: []map[string]string{}, asks: []string{}, question: q, tables: a.tables(), near: hits,
		entries: entries, search: func(words string) []statute.Hit {
			found, _ := s.Search(statute.Query{Words: words, Limit: 1}) // cannot fail: the index was read above
			return found
		}}
	c.all()
	if slices.ContainsFunc(c.results, func(r map[string]string) bool { return r["case"] == "before" }) {
		common = nil // GST did not apply on that day, so its common questions do not help
	}
	common = slices.DeleteFunc(common, func(m faq.Match) bool { return beside(c, m) })
	cited := c.cited
	for _, m := range common {
		cited = append(cited, cites(m, mostProvisions/len(common))...)
	}
	cited = append(cited, q.cited...)
	provisions, err := s.Gather(statute.Need{Words: q.sought(), Cited: cited, Most: len(cited) + 4*mostProvisions})
	if err != nil {
		return nil, fmt.Errorf("gather the law for an answer: %w", err)
	}
	values["results"], values["asks"] = withCommon(c, common), c.asks
	shown := chosen(provisions, c, len(common) > 0)
	values["provisions"] = a.provisions(q, shown)
	if len(c.results)+len(common) > 0 {
		shown = nil // the computed result has their figures
	}
	issued, err := a.circulars(q, shown)
	if len(c.results)+len(common)+len(issued)+len(q.cited) == 0 &&
		!slices.ContainsFunc(shown, func(p statute.Found) bool { return p.Has >= leastSure }) {
		values["unsure"] = "yes"
	}
	values["issued"] = issued
	return values, err
}

// The shares of the best provision's score and of its share of the question's words that another provision must reach
// to be shown.
const nearScore, nearWords = 0.5, 0.4

// insteadOfWhole is the share of the whole section's score at which a part replaces the section.
const insteadOfWhole = 0.7

// If something was computed or a common answer was given, at most mostBeside of the provisions found by search are
// shown beside it: those with besideScore of the best score, and with leastBesideHas of the question's words.
const besideScore, mostBeside, leastBesideHas = 0.7, 2, 0.25

// chosen leaves out the less relevant provisions. Provisions that are cited, or on which a computed result or a
// common answer is based, come first, then the best found. Of a section and its parts only the best is kept.
func chosen(list []statute.Found, c *computing, common bool) []statute.Found {
	score, most, least := nearScore, mostProvisions, 0.0
	if len(c.results) > 0 || common {
		score, most, least = besideScore, mostBeside, leastBesideHas
	}
	// Before GST nothing of it applies.
	if slices.ContainsFunc(c.results, func(r map[string]string) bool { return r["case"] == "before" }) {
		most = 0
	}
	var kept []statute.Found
	found := 0
	best := slices.IndexFunc(list, func(p statute.Found) bool { return p.Score > 0 })
	for _, p := range list {
		if p.Score > 0 && (found == most || p.Score < score*list[best].Score ||
			p.Has < max(least, nearWords*list[best].Has)) {
			continue
		}
		at := slices.IndexFunc(kept, func(k statute.Found) bool {
			return k.Act == p.Act && (within(k.Number, p.Number) || within(p.Number, k.Number))
		})
		switch {
		case at >= 0 && kept[at].Score > 0 && within(p.Number, kept[at].Number) &&
			p.Score >= insteadOfWhole*kept[at].Score && p.Has >= kept[at].Has:
			kept[at] = p
		// It is the part of a named section that is meant.
		case at < 0, p.Score > 0 && p.Score == list[best].Score && kept[at].Score == 0 && len(c.results) == 0:
			if p.Score > 0 {
				found++
			}
			kept = append(kept, p)
		}
	}
	return kept
}

// within reports whether a provision is a part of another.
func within(part, whole string) bool { return strings.HasPrefix(part, whole+"(") }

// provisions returns the provisions as rows for the templates.
func (a *Answers) provisions(q *question, list []statute.Found) []map[string]string {
	s, rows := a.statute(), []map[string]string{}
	for _, p := range list {
		name := q.name(p.Act, p.Number)
		row := map[string]string{"name": strings.ToUpper(name[:1]) + name[1:], "heading": p.Heading, "says": p.Digest,
			"from": q.date(law.ParseDay(p.From)), "status": p.Status}
		if q.speaks == Hindi {
			row["says"] = p.Hindi
		}
		if p.Until != "" {
			row["until"] = q.date(law.ParseDay(p.Until))
		}
		if p.Certain != statute.FromText {
			row["doubt"] = "yes"
		}
		quoted, whole := quote(p.Words)
		if row["quote"] = quoted; !whole {
			row["cut"] = "yes"
		}
		rows = append(rows, row)
		for _, before := range s.Since(p.Entry, q.past()) {
			was := map[string]string{"earlier": before.English, "earlier_from": q.date(law.ParseDay(before.From)),
				"earlier_until": q.date(law.ParseDay(before.Until))}
			if q.speaks == Hindi {
				was["earlier"] = before.Hindi
			}
			rows = append(rows, was)
		}
	}
	return rows
}

// quote returns the words of a provision on one line, or as many of its first paragraphs as are not too long, and
// whether that is all of it.
func quote(words string) (quoted string, whole bool) {
	all := strings.Join(strings.Fields(words), " ")
	if len(all) <= longestQuote {
		return all, true
	}
	cut := strings.TrimSpace(words)[:longestQuote]
	end := strings.LastIndexAny(cut, "\n;")
	if end < longestQuote/3 {
		end = strings.LastIndexByte(cut, ' ')
	}
	if end < 0 {
		end = len(cut)
	}
	return strings.ToValidUTF8(strings.Join(strings.Fields(cut[:end]), " "), ""), false
}

// The share of a question's words that its nearest provision must have for the question to be one of GST law: very
// little if it names GST, since people tell their story first, and most if nothing points to GST.
const (
	coversNamed   = 0.1
	coversMaybe   = 0.2
	coversUnnamed = 0.5
)

// IsOfGST reports whether a question, asked on a day in a practice area ("" for none), is about the law held here.
func (a *Answers) IsOfGST(text, area string, today law.Day) (bool, error) {
	outside, err := a.outside(read(text, today, a.tables().Index), area)
	return !outside, err
}

// outside reports whether a question is not about the law held here.
func (a *Answers) outside(q *question, area string) (bool, error) {
	named := ofGST.MatchString(q.low)
	// Company law has forms ADT-1 to ADT-4 too.
	companys := !slices.ContainsFunc(q.forms, func(form string) bool { return !strings.HasPrefix(form, "ADT-") })
	switch {
	case named && len(q.forms) > 0:
		return false, nil
	case !named && area != "" && area != "tax":
		return true, nil
	case !named && !companys:
		return false, nil
	case !named && (q.foreign || ofElse.MatchString(q.low)):
		return true, nil
	case len(q.cited) > 0:
		return false, nil
	}
	known, err := a.statute().Covers(q.words())
	least := coversUnnamed
	switch {
	case named:
		least = coversNamed
	case mayBeGST.MatchString(q.low) && len(q.forms) == 0:
		least = coversMaybe
	}
	return known < least, err
}

// issuedIndex is a search index of circulars and notifications.
type issuedIndex struct {
	*statute.Index
	by map[string]cite.Issued // by the number of the index entry
}

func indexIssued(x *cite.Index) (*issuedIndex, error) {
	out := &issuedIndex{by: map[string]cite.Issued{}}
	var entries []*statute.Entry
	for _, i := range x.Issued() {
		number := i.Kind + " " + i.Series + " " + i.Number
		out.by[number] = i
		entries = append(entries, &statute.Entry{Act: i.Kind, Number: number, Heading: i.About, English: i.English,
			Hindi: i.Hindi, Asks: i.Asks, From: i.Date, Until: i.Withdrawn})
	}
	index, err := statute.NewIndex(entries)
	if err != nil {
		return nil, fmt.Errorf("prepare the circulars for searching: %w", err)
	}
	out.Index = index
	return out, nil
}

// circulars returns circulars and notifications that match the question well, and notifications close to it that are
// about a provision shown: they often contain the figure now in force.
func (a *Answers) circulars(q *question, shown []statute.Found) ([]map[string]string, error) {
	x, err := a.issued()
	if err != nil {
		return nil, err
	}
	rows := []map[string]string{}
	hits := x.Search(statute.Query{Words: q.words(), Today: q.today.ISO(), Limit: mostSearched})
	has := x.Has(q.words(), hits)
	for n, h := range hits {
		i := x.by[h.Number]
		beside := i.Kind == "notification" &&
			slices.ContainsFunc(shown[:min(len(shown), 2)], func(p statute.Found) bool {
				root, _, _ := strings.Cut(p.Number, "(")
				return slices.Contains(i.Provisions, p.Act+":"+root)
			})
		said := h.Score >= leastIssued && h.Score*has[n] >= leastSaid && h.Score >= 0.7*hits[0].Score
		if len(rows) == mostIssued || i.Date > q.today.ISO() || !said && !(beside && h.Score*has[n] >= leastBeside) {
			continue
		}
		row := map[string]string{"name": issuedName(i), "date": q.date(law.ParseDay(i.Date)), "about": i.About,
			"says": i.English}
		if q.speaks == Hindi && i.Hindi != "" {
			row["says"] = i.Hindi
		}
		if i.Withdrawn != "" && i.Withdrawn <= q.today.ISO() {
			row["withdrawn"] = q.date(law.ParseDay(i.Withdrawn))
		}
		if i.Certainty != "text" {
			row["doubt"] = "yes"
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func issuedName(i cite.Issued) string {
	if i.Kind == "circular" {
		return "Circular " + i.Number
	}
	series := map[string]string{"": "Central Tax", "rate": "Central Tax (Rate)", "integrated": "Integrated Tax",
		"integrated rate": "Integrated Tax (Rate)"}[i.Series]
	return "Notification " + i.Number + "-" + series
}
