package figures

import (
	"cmp"
	"slices"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

// Dispute is an allegation with the comparison that answers it.
type Dispute struct {
	Variance Variance `json:"variance"`
	Outcome  Outcome  `json:"outcome"`
}

// Reconciliation is what all files together say of a notice.
type Reconciliation struct {
	From     string    `json:"from"`
	To       string    `json:"to"`
	Repeated int       `json:"repeated,omitempty"` // records that stood in two files and count once
	Classes  []Counted `json:"classes"`
	Answers  []Dispute `json:"answers"`
	Matching Matching  `json:"-"`
}

// Counted is how many documents of each side a class has, and their tax.
type Counted struct {
	Class     Class `json:"class"`
	Books     int   `json:"books"`
	BooksTax  Tax   `json:"books_tax"`
	Portal    int   `json:"portal"`
	PortalTax Tax   `json:"portal_tax"`
}

// Compared is what the files come to by themselves, before they are set against what a notice says. From it follow the
// answers of any day, and what they become when a class is changed.
type Compared struct {
	From      string     `json:"from"`
	To        string     `json:"to"`
	Repeated  int        `json:"repeated,omitempty"` // records that stood in two files and count once
	Classes   []Counted  `json:"classes"`
	Variances []Variance `json:"variances"`
	Returns   []Return   `json:"returns"`
	Ledger    *Ledger    `json:"ledger,omitempty"` // the electronic credit ledger
	Matching  Matching   `json:"-"`
}

// Compare holds the files against each other from one month to another, or where those are "" over the months of the
// files: credit claimed against the portal and the books, and tax declared against tax paid, each where there are files
// for it.
func Compare(from, to string, files []File, rules Rules) Compared {
	g := gather(files)
	c := Compared{From: from, To: to, Repeated: g.repeated, Variances: []Variance{}, Returns: g.returns, Ledger: g.ledger}
	if from == "" || to == "" {
		c.From, c.To = g.span()
	}
	m := Match(g.books, g.portal, rules)
	if len(g.portal) > 0 {
		c.Variances = append(c.Variances, Credit(g.returns, m, c.From, c.To))
	}
	if len(g.outward) > 0 && len(g.returns) > 0 {
		c.Variances = append(c.Variances, Declared(g.returns, g.outward, c.From, c.To))
	}
	c.Matching, c.Classes = m, counted(m)
	return c
}

// Reclassed gives the comparison with the classes of a matching of the same records.
func (c Compared) Reclassed(m Matching) Compared {
	c.Matching, c.Classes, c.Variances = m, counted(m), slices.Clone(c.Variances)
	for i, v := range c.Variances {
		if v.What == CreditClaimed {
			c.Variances[i] = Credit(c.Returns, m, c.From, c.To)
		}
	}
	return c
}

// Answers sets a comparison against what a notice says, with interest to a day.
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

// Against gives a comparison with its answers to a notice.
func (c Compared) Against(t *law.Tables, f gst.Facts, today law.Day) Reconciliation {
	return Reconciliation{From: c.From, To: c.To, Repeated: c.Repeated, Classes: c.Classes, Answers: c.Answers(t, f, today), Matching: c.Matching}
}

// Reconcile answers a notice by the files.
func Reconcile(t *law.Tables, f gst.Facts, files []File, today law.Day) Reconciliation {
	from, to := PeriodOf(f)
	return Compare(from, to, files, Rules{}).Against(t, f, today)
}

// counted counts the documents of each class.
func counted(m Matching) []Counted {
	by := map[Class]*Counted{}
	for _, e := range m.Entries {
		c := by[e.Class]
		if c == nil {
			c = &Counted{Class: e.Class}
			by[e.Class] = c
		}
		if e.Book >= 0 {
			c.Books, c.BooksTax = c.Books+1, c.BooksTax.Plus(m.Books[e.Book].Tax)
		}
		if e.Portal >= 0 {
			c.Portal, c.PortalTax = c.Portal+1, c.PortalTax.Plus(m.Portal[e.Portal].Tax)
		}
	}
	all := []Counted{}
	for _, class := range Classes() {
		if c := by[class]; c != nil {
			all = append(all, *c)
		}
	}
	return all
}

// gathered is the content of all files, sorted by what it is.
type gathered struct {
	books, portal, outward []Record
	returns                []Return
	ledger                 *Ledger
	repeated               int
}

// gather puts the files together. A record that a second file has once more counts once; of a month for which there are
// GSTR-2A and 2B, 2B counts, since credit follows it.
func gather(files []File) gathered {
	var g gathered
	type document struct {
		Source
		Kind
		gstin, number, date, period string
		tax                         Tax
	}
	of := map[document]int{} // the file in which a record stood first
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
			case r.Source == GSTR1:
				g.outward = append(g.outward, r)
			}
		}
		g.returns = append(g.returns, files[i].Returns...)
		for n := range files[i].Ledgers {
			if l := &files[i].Ledgers[n]; l.Kind == "credit" {
				g.ledger = l.after(g.ledger)
			}
		}
	}
	slices.SortStableFunc(g.returns, func(a, b Return) int { return cmp.Compare(a.Period, b.Period) })
	return g
}

// after joins a ledger to one of other months.
func (l *Ledger) after(other *Ledger) *Ledger {
	if other == nil {
		return l
	}
	joined := *other
	if len(l.Movements) > 0 && len(other.Movements) > 0 && l.Movements[0].Date < other.Movements[0].Date {
		joined.Opening = l.Opening
	}
	joined.Movements = slices.Concat(other.Movements, l.Movements)
	return &joined
}

// span gives the months of the returns, or where there are none of the records.
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
	for _, all := range [][]Record{g.books, g.portal, g.outward} {
		for i := range all {
			see(all[i].Period)
		}
	}
	return from, to
}
