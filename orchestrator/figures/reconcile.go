package figures

import (
	"cmp"
	"maps"
	"slices"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Dispute is an allegation with the comparison that answers it.
type Dispute struct {
	Variance Variance `json:"variance"`
	Outcome  Outcome  `json:"outcome"`
}

// Reconciliation is what all files together say about a notice.
type Reconciliation struct {
	From      string     `json:"from"`
	To        string     `json:"to"`
	Repeated  int        `json:"repeated,omitempty"` // records that were in two files and count once
	Classes   []Counted  `json:"classes"`
	Answers   []Dispute  `json:"answers"`
	Late      *Late      `json:"late,omitempty"` // interest on late returns, if the notice asks for it
	Matchings []Matching `json:"-"`              // one for each comparison by document
}

// Counted is the number of documents in one class of a comparison, on each side, and their tax.
type Counted struct {
	What      string `json:"what"`
	Class     Class  `json:"class"`
	Books     int    `json:"books"`
	BooksTax  Tax    `json:"books_tax"`
	Portal    int    `json:"portal"`
	PortalTax Tax    `json:"portal_tax"`
}

// Compared is the result of comparing the files with each other, before it is set against a notice. The answers for
// any day follow from it, also after a class is changed.
type Compared struct {
	From      string     `json:"from"`
	To        string     `json:"to"`
	Repeated  int        `json:"repeated,omitempty"` // records that were in two files and count once
	Classes   []Counted  `json:"classes"`
	Variances []Variance `json:"variances"`
	Returns   []Return   `json:"returns"`
	Ledger    *Ledger    `json:"ledger,omitempty"` // the electronic credit ledger
	Cash      *Ledger    `json:"cash,omitempty"`   // the electronic cash ledger
	Matchings []Matching `json:"-"`                // one for each comparison by document
}

// Compare makes each comparison for which there are files, from one month to another or, if these are "", over the
// months of the files.
func Compare(from, to string, files []File, rules Rules) Compared {
	g := gather(files)
	c := Compared{
		From:      from,
		To:        to,
		Repeated:  g.repeated,
		Variances: []Variance{},
		Returns:   g.returns,
		Ledger:    g.ledger,
		Cash:      g.cash,
	}
	if from == "" || to == "" {
		c.From, c.To = g.span()
	}
	outward := g.by[GSTR1]
	if len(g.books)+len(g.portal) > 0 {
		c.add(notAccepted(Match(g.books, g.portal, rules), g.by[IMS], rules))
	}
	if len(outward) > 0 && len(g.returns) > 0 {
		c.Variances = append(c.Variances, Declared(g.returns, outward, c.From, c.To))
	}
	for _, p := range pairings {
		if len(g.by[p.first]) > 0 && len(g.by[p.second]) > 0 {
			c.add(p.match(g.by, rules))
		}
	}
	for _, y := range byYear {
		if v, ok := y.compare(g.returns, c.From, c.To); ok {
			c.Variances = append(c.Variances, v)
		}
	}
	for _, of := range audited {
		if v, ok := compareAudited(of.what, of.first, of.second, g.returns, c.From, c.To); ok {
			c.Variances = append(c.Variances, v)
		}
	}
	for _, of := range []struct {
		what string
		by   Source
	}{{TDSTurnover, GSTR7}, {TCSTurnover, GSTR8}} {
		if reported := g.by[of.by]; len(reported) > 0 && (len(outward) > 0 || len(g.returns) > 0) {
			c.Variances = append(c.Variances, Withholding(of.what, reported, outward, g.returns, c.From, c.To))
		}
	}
	c.Classes = counted(c.Matchings)
	return c
}

// notAccepted returns a matching in which documents that are only in the books have the class NotAccepted if the
// Invoice Management System shows them as rejected or pending: such documents do not get into GSTR-2B.
func notAccepted(m Matching, decided []Record, rules Rules) Matching {
	decided = slices.DeleteFunc(slices.Clone(decided), func(r Record) bool {
		return r.Status != Rejected && r.Status != Pending
	})
	if len(decided) == 0 {
		return m
	}
	for i := range decided {
		decided[i].Status = "" // this would decide the class
	}
	var books []Record
	var entries []int
	for i, e := range m.Entries {
		if e.Class == OnlyBooks {
			books, entries = append(books, m.Books[e.Book]), append(entries, i)
		}
	}
	for _, e := range Match(books, decided, rules).Entries {
		if e.Book >= 0 && e.Portal >= 0 {
			m.Entries[entries[e.Book]].Class = NotAccepted
		}
	}
	return m
}

// add adds a comparison by document.
func (c *Compared) add(m Matching) {
	c.Matchings = append(c.Matchings, m)
	if v, ok := c.varianceOf(m); ok {
		c.Variances = append(c.Variances, v)
	}
}

// varianceOf returns the variance of a matching. It reports false for a purchase register without data from the portal.
func (c *Compared) varianceOf(m Matching) (Variance, bool) {
	if m.What == CreditClaimed {
		if len(m.Portal) == 0 {
			return Variance{}, false
		}
		return Credit(c.Returns, m, c.From, c.To), true
	}
	i := slices.IndexFunc(pairings, func(p pairing) bool { return p.what == m.What })
	if i < 0 {
		return Variance{}, false
	}
	return supplies(pairings[i], m, c.From, c.To), true
}

// Reclassed returns the comparison with the classes of the given matchings, which must be of the same records.
func (c Compared) Reclassed(all []Matching) Compared {
	c.Matchings, c.Classes, c.Variances = all, counted(all), slices.Clone(c.Variances)
	for _, m := range all {
		i := slices.IndexFunc(c.Variances, func(v Variance) bool { return v.What == m.What })
		if i < 0 {
			continue
		}
		m.Beside = c.Variances[i].Beside // the documents left out are not kept
		if v, ok := c.varianceOf(m); ok {
			c.Variances[i] = v
		}
	}
	return c
}

// Of returns the matching of a comparison.
func Of(all []Matching, what string) Matching {
	if i := slices.IndexFunc(all, func(m Matching) bool { return m.What == what }); i >= 0 {
		return all[i]
	}
	return Matching{What: what}
}

// Answers sets each comparison against the notice, with interest up to today.
func (c Compared) Answers(t *law.Tables, f gst.Facts, today law.Day) []Dispute {
	answers := make([]Dispute, len(c.Variances))
	for i, v := range c.Variances {
		ledger := c.Ledger
		if v.What != CreditClaimed {
			ledger = nil
		}
		answers[i] = Dispute{v, Answer(t, f, v, ledger, today)}
	}
	return answers
}

// Against returns the reconciliation of a notice: the comparison with its answers.
func (c Compared) Against(t *law.Tables, f gst.Facts, today law.Day) Reconciliation {
	return Reconciliation{
		From:      c.From,
		To:        c.To,
		Repeated:  c.Repeated,
		Classes:   c.Classes,
		Answers:   c.Answers(t, f, today),
		Late:      lateReturns(c, t, f),
		Matchings: c.Matchings,
	}
}

// Reconcile answers a notice from the files.
func Reconcile(t *law.Tables, f gst.Facts, files []File, today law.Day) Reconciliation {
	from, to := PeriodOf(f)
	return Compare(from, to, files, Rules{}).Against(t, f, today)
}

// counted counts the documents in each class of each comparison.
func counted(matchings []Matching) []Counted {
	all := []Counted{}
	for _, m := range matchings {
		by := map[Class]*Counted{}
		for _, e := range m.Entries {
			c := by[e.Class]
			if c == nil {
				c = &Counted{What: m.What, Class: e.Class}
				by[e.Class] = c
			}
			if e.Book >= 0 {
				c.Books, c.BooksTax = c.Books+1, c.BooksTax.Plus(m.Books[e.Book].Tax)
			}
			if e.Portal >= 0 {
				c.Portal, c.PortalTax = c.Portal+1, c.PortalTax.Plus(m.Portal[e.Portal].Tax)
			}
		}
		for _, class := range Classes() {
			if c := by[class]; c != nil {
				all = append(all, *c)
			}
		}
	}
	return all
}

// gathered is the content of all files, sorted by kind.
type gathered struct {
	books, portal []Record            // of purchases
	by            map[Source][]Record // of supplies made
	returns       []Return
	ledger, cash  *Ledger // of credit, and of cash
	repeated      int
}

// gather combines the files. A record that occurs in two files counts once. For a month with both GSTR-2A and 2B, 2B
// is used, since credit follows it.
func gather(files []File) gathered {
	g := gathered{by: map[Source][]Record{}}
	type document struct {
		Source
		Kind
		gstin, number, date, period string
		tax                         Tax
	}
	of := map[document]int{} // the file in which a record occurred first
	with2B := map[string]bool{}
	for i := range files {
		for _, r := range files[i].Records {
			if r.Source == GSTR2B {
				with2B[r.Period] = true
			}
		}
	}
	for i := range files {
		for _, r := range files[i].Records {
			r.File = i
			k := document{r.Source, r.Kind, r.GSTIN, r.Number, r.Date, r.Period, r.Tax}
			if first, known := of[k]; known && first != i && r.Kind != Consumers {
				g.repeated++
				continue
			}
			of[k] = i
			switch {
			case r.Source == Purchases:
				g.books = append(g.books, r)
			case r.Source == GSTR2B, r.Source == GSTR2A && !with2B[r.Period]:
				g.portal = append(g.portal, r)
			case r.Source != GSTR2A:
				g.by[r.Source] = append(g.by[r.Source], r)
			}
		}
		g.returns = append(g.returns, files[i].Returns...)
		for n := range files[i].Ledgers {
			switch l := &files[i].Ledgers[n]; l.Kind {
			case "credit":
				g.ledger = l.after(g.ledger)
			case "cash":
				g.cash = l.after(g.cash)
			}
		}
	}
	slices.SortStableFunc(g.returns, func(a, b Return) int { return cmp.Compare(a.Period, b.Period) })
	return g
}

// after joins a ledger to one for other months.
func (l *Ledger) after(other *Ledger) *Ledger {
	if other == nil {
		return l
	}
	joined := *other
	joined.TaxAlone = l.TaxAlone && other.TaxAlone
	if len(l.Movements) > 0 && len(other.Movements) > 0 && l.Movements[0].Date < other.Movements[0].Date {
		joined.Opening = l.Opening
	}
	joined.Movements = slices.Concat(other.Movements, l.Movements)
	return &joined
}

// span returns the first and last month of the returns or, if there are none, of the records.
func (g gathered) span() (from, to string) {
	see := func(period string) {
		if period != "" && (from == "" || period < from) {
			from = period
		}
		to = max(to, period)
	}
	for _, r := range g.returns {
		if r.Form == "GSTR-3B" {
			see(r.Period)
		}
	}
	if from != "" {
		return from, to
	}
	for _, all := range append([][]Record{g.books, g.portal}, slices.Collect(maps.Values(g.by))...) {
		for i := range all {
			see(all[i].Period)
		}
	}
	return from, to
}
