package reply

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/printed"
	"munshi/orchestrator/message"
)

// The kinds of sources of a figure.
const (
	InNotice  = "in_document" // it is printed in the notice
	SaidBy    = "answered"    // a person said it
	InFiles   = "in_files"    // it is in the comparison of uploaded files
	WorkedOut = "worked_out"  // it follows from the others
)

// Origin is where a figure of a draft comes from.
type Origin struct {
	Kind  string
	Place gst.Place       // in the notice
	Key   string          // of the question of the interview that was answered: AskPara and a key for a paragraph
	How   message.Message // which files, or how it was worked out
}

// Sourced is a date or an amount of a draft with its source; Kind is "" if none is known.
type Sourced struct {
	Start, End int // byte offsets in the text
	Origin
}

// Sources has the dates and amounts that may stand in a draft, with where each comes from.
type Sources struct {
	printed gst.Printed
	days    map[string]Origin // by ISO date
	amounts map[int64]Origin  // by paise
}

// In returns the dates and amounts of a text, in order, each with its source. For what the notice prints, the source is
// the notice, even if a person has repeated it.
func (s *Sources) In(text string) []Sourced {
	var all []Sourced
	for _, l := range s.printed.Locate(text) {
		one := Sourced{Start: l.Start, End: l.End}
		switch {
		case l.Page > 0:
			one.Origin = Origin{Kind: InNotice, Place: l.Place}
		case l.Date != "":
			one.Origin = s.days[l.Date]
		default:
			one.Origin = s.amounts[l.Paise]
		}
		all = append(all, one)
	}
	return all
}

// SourcesOf returns the sources of the figures in a draft that is written from g. pages are those of the notice.
func SourcesOf(t *law.Tables, g Given, pages []gst.Page) *Sources {
	w := newWriter(t, g)
	s := &Sources{printed: gst.PrintedIn(pages), days: map[string]Origin{}, amounts: map[int64]Origin{}}
	stated := s.said(g)
	s.files(g.Workings)
	s.late(g.Facts.Reconciled)
	s.demand(w, stated)
	s.submissions(w)
	s.points(w, stated)
	s.reckoned(w)
	return s
}

// put adds an amount with its source, unless it has one already: sources nearer to the person are added first.
func (s *Sources) put(paise int64, from Origin) {
	if _, ok := s.amounts[paise]; !ok {
		s.amounts[paise] = from
	}
}

// day adds a date with its source, unless it has one already.
func (s *Sources) day(iso string, from Origin) {
	if _, ok := s.days[iso]; !ok && iso != "" {
		s.days[iso] = from
	}
}

// worked returns the source of a computed figure, with a message that says how it was computed.
func worked(code string, params message.Params) Origin {
	return Origin{Kind: WorkedOut, How: message.New("sources."+code, params)}
}

// text adds the dates and amounts of a text, and returns the amounts.
func (s *Sources) text(words string, from Origin) []int64 {
	var amounts []int64
	for _, f := range gst.Figures(words) {
		if f.Date != "" {
			s.day(f.Date, from)
			continue
		}
		s.put(f.Paise, from)
		amounts = append(amounts, f.Paise)
	}
	return amounts
}

// said adds what a person said, and returns the amounts that they stated, with their sum for each answer.
func (s *Sources) said(g Given) []int64 {
	var stated []int64
	say := func(words []string, from Origin) {
		sum, first := int64(0), len(stated)
		for _, said := range words {
			if rupees, err := strconv.ParseInt(said, 10, 64); err == nil { // to a question for an amount
				stated = append(stated, rupees*100)
			}
			stated = append(stated, s.text(said, from)...)
		}
		for _, paise := range stated[first:] {
			sum += paise
			s.put(paise, from)
		}
		s.put(sum, from)
		stated = append(stated, sum)
	}
	for _, key := range slices.Sorted(maps.Keys(g.Answers)) {
		if !g.Answers[key].Unknown {
			say(g.Answers[key].Words, Origin{Kind: SaidBy, Key: key})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(g.Said)) {
		if said := g.Said[key]; !said.Unconfirmed {
			say([]string{said.Facts}, Origin{Kind: SaidBy, Key: AskPara + key})
		}
	}
	if g.Facts.ServedOn != nil {
		s.day(*g.Facts.ServedOn, Origin{Kind: SaidBy, Key: askServed})
	}
	s.day(deref(g.Reckoning.Served), Origin{Kind: SaidBy, Key: askServed})
	t := g.Taxpayer
	s.text(strings.Join([]string{t.Signatory, t.Designation, t.Place, t.Representative, t.Enrolment}, " | "),
		worked("taxpayer", nil))
	for _, a := range g.Authorities {
		s.text(a.Decided+" "+a.Citation+" "+a.Proposition, worked("authority", nil))
	}
	return stated
}

// files adds the amounts from the comparisons of uploaded files.
func (s *Sources) files(all []Working) {
	for _, k := range all {
		from := Origin{Kind: InFiles, How: message.New("sources.files", message.Params{"name": k.Name, "span": k.Span})}
		sums := func(heads [4]int64) {
			all := int64(0)
			for _, paise := range heads {
				s.put(paise, from)
				all += paise
			}
			s.put(all, from)
		}
		for _, l := range k.Lines {
			sums(l.Tax)
		}
		sums(k.Remains)
		sums(k.Interest)
		for _, cells := range k.Documents {
			s.text(strings.Join(cells, " | "), from)
		}
		s.text(strings.Join(k.Sentences, " "), from)
		s.day(k.To, from)
		s.day(k.PayBy, from)
	}
}

// late adds the amounts that the electronic cash ledger shows about late returns.
func (s *Sources) late(all []gst.Reconciled) {
	for _, c := range all {
		if c.Late == nil {
			continue
		}
		from := Origin{Kind: InFiles, How: message.New("sources.ledger", nil)}
		sums := func(heads [4]int64) {
			for _, paise := range heads {
				s.put(paise, from)
			}
			s.put(sumOf(heads), from)
		}
		for _, r := range c.Late.Returns {
			s.day(r.Due, from)
			s.day(r.Paid, from)
			for _, of := range [][4]int64{r.Cash, r.Lay, r.Interest} {
				sums(of)
			}
		}
		for _, of := range [][4]int64{c.Interest, c.Late.Cash, c.Late.OnCash, c.Late.Lay, c.Late.OnLay} {
			sums(of)
		}
		for _, paise := range []*int64{c.Late.OnCredit, c.Late.Other} {
			if paise != nil {
				s.put(*paise, from)
			}
		}
	}
}

// demand adds the sums of the notice's amounts, and what is left of them after what was stated.
func (s *Sources) demand(w *writer, stated []int64) {
	sum, total := w.demanded()
	ofDemand := worked("demand", nil)
	if w.facts.Demand != nil {
		for _, r := range w.facts.Demand.Rows {
			for _, of := range []float64{r.Tax, r.Interest, r.Penalty, r.Fee, r.Other,
				r.Tax + r.Interest + r.Penalty + r.Fee + r.Other} {
				s.put(paise(of), ofDemand)
			}
		}
	}
	for _, of := range []float64{sum.Tax, sum.Interest, sum.Penalty, sum.Fee, sum.Other, total} {
		s.put(paise(of), ofDemand)
	}
	tax := 0.0
	for _, p := range w.points {
		charge := w.chargeOf(p)
		if charge == nil {
			continue
		}
		all := 0.0
		from := worked("paragraph", message.Params{"para": strings.Trim(p.Number, "()")})
		for _, a := range charge.Amounts {
			for _, of := range []float64{a.Tax, a.Interest, a.Penalty, a.Fee, a.Other} {
				s.put(paise(of), from)
				all += of
			}
		}
		s.put(paise(all), from)
		s.put(paise(w.taxOf(p)), from)
		tax += w.taxOf(p)
		for _, of := range stated { // what is contested of a paragraph that is admitted in part
			s.put(paise(w.taxOf(p))-of, worked("left", nil))
		}
	}
	s.put(paise(tax), worked("paragraphs", nil))
	reasons := int64(0)
	for i := range w.reasonsFor() {
		said, _, _ := statedIn(Response{Words: []string{w.given.Answers[askReasons].at(i)}})
		reasons += said
	}
	for _, of := range []int64{reasons, paise(sum.Tax) - reasons, reasons - paise(sum.Tax)} {
		s.put(of, worked("left", nil))
	}
	for _, difference := range []float64{sum.Tax - tax, tax - sum.Tax} {
		s.put(paise(difference), worked("difference", nil))
	}
	if nowhere := w.facts.Unexplained; nowhere != nil {
		s.put(paise(*nowhere), worked("difference", nil))
		s.put(paise(sum.Tax-tax-*nowhere), worked("difference", nil))
	}
	for _, of := range stated {
		s.put(paise(total)-of, worked("left", nil))
		s.put(w.given.Application.Claimed-of, worked("left", nil))
	}
	for _, of := range w.given.Application.Totals {
		s.put(w.given.Application.Claimed-of, worked("left", nil))
	}
	for _, of := range w.objected {
		s.put(of.paise, ofDemand)
	}
	s.put(w.refused, ofDemand)
	s.put(w.given.Application.Claimed, ofDemand)
}

// points adds the amounts that rules of law remove from the demand, and the limits that they name.
func (s *Sources) points(w *writer, stated []int64) {
	for _, d := range w.given.Decides {
		title := message.Text(d.Title, d.Hindi.Title)
		from := worked("point", message.Params{"title": title})
		for _, a := range []*printed.Amount{d.Amount, d.Remains} {
			if a != nil {
				s.put(int64(*a), from)
			}
		}
		if d.Amount != nil && d.Remains != nil {
			for _, of := range stated {
				s.put(int64(*d.Amount+*d.Remains)-of, from)
			}
		}
		for _, f := range d.For {
			if f.Amount != nil {
				s.put(int64(*f.Amount), from)
			}
			for _, h := range f.Heads {
				s.put(int64(h.Amount), from)
			}
		}
		s.text(d.Plead+" | "+d.Ask, worked("rule", message.Params{"title": title,
			"provision": message.Citation(d.Provision)}))
	}
}

// submissions adds the dates and limits in our own submissions on the issues of the notice, the circulars they cite,
// and the sums of an annexure that differs.
func (s *Sources) submissions(w *writer) {
	for _, p := range w.points {
		for _, key := range p.Issues {
			for _, of := range issues[key].law {
				s.text(w.dated(of.text), worked("law", nil))
			}
		}
	}
	for _, d := range w.given.Decides {
		s.text(strings.Join(w.withdrawn(d.Plead), " | "), worked("law", nil))
	}
	if flag := w.flagged("annexure_mismatch"); flag != nil {
		s.text(flag.Message, worked("demand", nil))
	}
}

// reckoned adds what was computed for the date of the paper: last dates, limitation, and tables of money.
func (s *Sources) reckoned(w *writer) {
	r := w.given.Reckoning
	for _, d := range r.Deadlines {
		s.day(deref(d.Date), worked("deadline", message.Params{"what": d.What}))
	}
	for _, l := range r.Limitation {
		from := worked("limitation", message.Params{"years": l.FY})
		for _, day := range []*string{l.LastDay, l.Extended, l.OrderBy} {
			s.day(deref(day), from)
		}
		s.text(timeLimit(l), from)
	}
	_, last := w.lateUnder73()
	s.text(strings.Join(last, "; "), worked("limitation", message.Params{"years": strings.TrimPrefix(w.years(), "F.Y. ")}))
	for _, sheet := range r.Money {
		from := worked("sheet", message.Params{"title": sheet.Title})
		if sheet.Paise != nil {
			s.put(*sheet.Paise, from)
		}
		for _, row := range sheet.Rows {
			for _, of := range []*int64{row.Paise, row.Base} {
				if of != nil {
					s.put(*of, from)
				}
			}
			s.text(row.Rate.English, from)
			s.day(deref(row.From), from)
			s.day(deref(row.To), from)
		}
	}
	if of := w.form.filing(); of != nil {
		sum, _ := w.demanded()
		s.put(paise(feeOf(sum.Tax)), worked("fee", nil))
		if d := deadline(r, of.dated); d != nil && d.Date != nil {
			last, _ := w.condonable(of, law.ParseDay(*d.Date))
			s.day(last.ISO(), worked("deadline", message.Params{"what": d.What}))
		}
	}
	most, _, by := w.penaltyByOrder()
	s.put(paise(most), worked("penalty", message.Params{"provision": by}))
	for _, p := range w.facts.Periods {
		s.day(p.From, worked("period", nil))
		s.day(p.To, worked("period", nil))
	}
	s.day(w.given.Today.ISO(), worked("today", nil))
}
