// Package answer answers questions of GST law without a language model: from the digest and the official text of the
// law, and from what the dated tables let a program compute. It gives values, and no sentences: those stand in the
// prompts folder, in each language. It gives no opinion, asks for what is missing, and says where a question lies
// outside the law held here.
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

// New makes Answers from the statute with its digest, the dated tables, which are asked for when they are needed, and
// the common questions; nil for none.
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

// How much of the law an answer shows.
const (
	mostProvisions = 4
	mostIssued     = 2
	mostSearched   = 12
	longestQuote   = 700 // bytes
	leastIssued    = 12  // score of the search, below which a circular has little to do with a question
	leastNearest   = 0.3 // of the words of a question outside, for what comes nearest to it
	leastSaid      = 6   // the same, weighed by how many of the question's words it has
	leastBeside    = 4   // and of one that is about a provision which is shown
	leastSure      = 0.4 // of the words of a question, for a provision that surely answers it
)

// ResultFields are what an item of "results" can say. Every field of every list is a text, "" where there is nothing to
// say.
func ResultFields() []string {
	return strings.Fields("rule case of year section last left over order extended order_extended by amount base head " +
		"rate cap count from to later later_left form reply missed provision note says")
}

// ProvisionFields are what an item of "provisions" can say.
func ProvisionFields() []string {
	return strings.Fields("name heading says from until status quote cut earlier earlier_from earlier_until doubt")
}

// IssuedFields are what an item of "issued" can say.
func IssuedFields() []string { return strings.Fields("name date about says withdrawn doubt") }

// Values answers a question that was asked on a day. The values are those that a text for answers without a model
// names: "speaks" (the language), "outside" ("yes" where the law held here has no answer), "unsure" ("yes" where
// nothing was computed and no provision has enough of the question's words to be surely the one that decides it),
// "results" (what was computed), "provisions", "issued" (circulars and notifications) and "asks" (what is missing).
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
	values := map[string]any{"speaks": q.speaks, "outside": "", "unsure": "", "results": []map[string]string{},
		"issued": []map[string]string{}, "asks": []string{}}
	if outside && len(common) == 0 {
		values["outside"] = "yes"
		nearest, err := s.Gather(statute.Need{Words: text, Most: 1})
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
			found, _ := s.Search(statute.Query{Words: words, Limit: 1}) // whose index was read above
			return found
		}}
	c.all()
	if slices.ContainsFunc(c.results, func(r map[string]string) bool { return r["case"] == "before" }) {
		common = nil // of GST, of which nothing applies then
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
		shown = nil // what was computed has its figures
	}
	issued, err := a.circulars(q, shown)
	if len(c.results)+len(common)+len(issued)+len(q.cited) == 0 &&
		!slices.ContainsFunc(shown, func(p statute.Found) bool { return p.Has >= leastSure }) {
		values["unsure"] = "yes"
	}
	values["issued"] = issued
	return values, err
}

// How near a provision that was found has to come to the best of them, by its score and by how many of the question's
// words it has.
const nearScore, nearWords = 0.5, 0.4

// How near a part of a section has to come to the whole, to stand in its place.
const insteadOfWhole = 0.7

// Where something was computed, one provision may stand beside it that comes this near to the best: a question often
// has two parts.
const besideScore, mostBeside, leastBesideHas = 0.7, 2, 0.25

// chosen leaves out what is less likely to matter. What is cited, or what something computed or a common question
// stands on, comes first, then the nearest that were found; of a section and its parts the nearer one.
func chosen(list []statute.Found, c *computing, common bool) []statute.Found {
	score, most, least := nearScore, mostProvisions, 0.0
	if len(c.results) > 0 || common {
		score, most, least = besideScore, mostBeside, leastBesideHas
	}
	// GST, of which nothing applies then
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
		// the part that is meant of what was named
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

// provisions returns passages as the texts name them.
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

// quote returns the words of a provision on one line, or as many of its first paragraphs as are not too long, and tells
// whether these are all.
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

// How much of a question's words its nearest provision has to have: hardly any where the question names GST, since
// people tell their story first, and most where nothing does.
const (
	coversNamed   = 0.1
	coversMaybe   = 0.2
	coversUnnamed = 0.5
)

// IsOfGST reports whether a question that was asked on a day, in a practice area or in none (""), is one of the law
// held here.
func (a *Answers) IsOfGST(text, area string, today law.Day) (bool, error) {
	outside, err := a.outside(read(text, today, a.tables().Index), area)
	return !outside, err
}

// outside reports whether a question is not one of the law held here.
func (a *Answers) outside(q *question, area string) (bool, error) {
	named := ofGST.MatchString(q.low)
	// Companies have forms ADT-1 to ADT-4 too.
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

// issuedIndex finds circulars and notifications.
type issuedIndex struct {
	*statute.Index
	by map[string]cite.Issued // by the number of the entry
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

// circulars returns the circulars and notifications that say much of what is asked, and notifications near to the
// question that are about a provision which is shown: often they have the figure that is in force.
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
