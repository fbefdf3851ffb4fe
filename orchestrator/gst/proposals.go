package gst

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// A language model may say where a field that the reader left open can be found; it never supplies the value. Its
// quotation is looked up on the page that it names, the value is parsed from those words by the reader's own parsers,
// and it must agree with the other facts. What passes is offered to a person beside the candidates, and has no effect
// until they accept it.

// Proposal is a model's statement that a field is found in these words on a page, which counts from 1.
type Proposal struct {
	Field string `json:"field"`
	Page  int    `json:"page"`
	Quote string `json:"quote"`
}

// Proposed is a proposal that was found on its page: the value parsed from the words, in the format of the field's
// candidates, and the words as they are on the page.
type Proposed struct {
	Value string `json:"value"`
	Page  int    `json:"page"`
	Quote string `json:"quote"`
}

// The reasons for dropping a proposal.
const (
	DropNotOpen  = "not_open" // the field is known, settled by a person, or not one of those asked for
	DropNotThere = "not_there"
	DropInjected = "injected" // the words are addressed to a program
	DropNoValue  = "no_value" // the words contain no value of the field, or several
	DropConflict = "conflict" // it contradicts other facts
	DropAgain    = "again"    // the field was proposed before
)

const (
	longestProposal = 300 // letters in a quotation
	mostProposals   = 32  // in one answer
)

// Proposable lists the fields that a model may be asked for, in the order in which proposals are checked: fields with
// which others are compared come first.
var Proposable = []string{"form", "reference", "issue_date", "gstin", "legal_name", "officer", "demand", "hearing",
	"reply_due"}

// Open returns the fields of these facts that a model may be asked for: those left open and not settled that the
// paper may contain. For a paper that is not a notice there are none.
func (f Facts) Open() []string {
	if f.IsNotice != nil && f.IsNotice.Answer == "no" {
		return nil
	}
	empty := map[string]bool{
		"form":       f.Form == nil,
		"reference":  f.Reference == nil && f.DIN == nil,
		"issue_date": f.IssueDate == nil,
		"gstin":      f.GSTIN == nil,
		"legal_name": f.LegalName == nil,
		"officer":    f.Officer.Designation == nil,
		"demand":     (f.Demand == nil || f.Demand.Total == nil && len(f.Demand.Rows) == 0) && f.claims(),
		"hearing":    f.Hearing == nil && len(f.Candidates["hearing"]) > 0,
		"reply_due":  f.ReplyDue.Date == nil,
	}
	var open []string
	for _, field := range Proposable {
		_, given := f.Corrected[field]
		if empty[field] && !given && !slices.Contains(f.Confirmed, field) {
			open = append(open, field)
		}
	}
	return open
}

// Proposals returns the proposals that were found for these facts, in the form in which a model makes them.
func (f Facts) Proposals() []Proposal {
	var all []Proposal
	for _, field := range Proposable {
		if p, ok := f.Proposed[field]; ok {
			all = append(all, Proposal{Field: field, Page: p.Page, Quote: p.Quote})
		}
	}
	return all
}

// Propose reads a notice like Read, checks the proposals for it, and counts those dropped by reason. The facts are
// those of Read, with Proposed set and with evidence for fields whose proposal a person accepted.
func Propose(t *law.Tables, pages []Page, proposals []Proposal, corrections ...Correction) (Facts, map[string]int) {
	r := read(t, pages, corrections)
	dropped := map[string]int{}
	if more := len(proposals) - mostProposals; more > 0 {
		dropped[DropAgain] += more
		proposals = proposals[:mostProposals]
	}
	open := r.facts.Open()
	for _, field := range Proposable {
		for _, p := range proposals {
			if p.Field != field {
				continue
			}
			found, why := r.prove(p)
			_, twice := r.facts.Proposed[field]
			switch {
			case why == "" && r.sure(field):
				r.tookProposal(field, found)
				why = DropNotOpen
			case why == "" && !slices.Contains(open, field):
				why = DropNotOpen
			case why == "" && twice:
				why = DropAgain
			}
			if why != "" {
				dropped[why]++
				continue
			}
			if r.facts.Proposed == nil {
				r.facts.Proposed = map[string]Proposed{}
			}
			r.facts.Proposed[field] = found
		}
	}
	for _, p := range proposals {
		if !slices.Contains(Proposable, p.Field) {
			dropped[DropNotOpen]++
		}
	}
	return r.facts, dropped
}

// tookProposal records the evidence for a field to which a person gave the proposed value.
func (r *reading) tookProposal(field string, p Proposed) {
	var said string
	switch f := &r.facts; field {
	case "demand":
		if f.Demand != nil && f.Demand.Total != nil {
			said = fmt.Sprintf("%.2f", *f.Demand.Total)
		}
	case "hearing":
		if f.Hearing != nil {
			said = f.Hearing.Date
			if f.Hearing.Time != nil {
				said += " " + *f.Hearing.Time
			}
		}
	default:
		if text, ok := f.field(field).(**string); ok && *text != nil {
			said = **text
		}
	}
	if said == p.Value {
		r.facts.Evidence[field] = Evidence{Page: p.Page, Quote: p.Quote}
	}
}

// prove finds the words of a proposal on its page and parses the field's value from them. why is the reason to drop the
// proposal, or "".
func (r *reading) prove(p Proposal) (found Proposed, why string) {
	s, ok := r.doc.find(p.Quote, p.Page)
	if !ok {
		return found, DropNotThere
	}
	if r.injected.end > r.injected.start && s.start < r.injected.end && r.injected.start < s.end {
		return found, DropInjected
	}
	value, why := r.valueIn(p.Field, s)
	return Proposed{Value: value, Page: p.Page, Quote: r.doc.quote(s)}, why
}

// find returns where a page has the words. Spaces, dashes and quotation marks are normalised; everything else must be
// the same. The match must not begin or end within a word or a number.
func (d *document) find(words string, page int) (span, bool) {
	if page < 1 || page > len(d.pageStarts) || len(words) > 4*longestProposal {
		return span{}, false
	}
	words = strings.Join(strings.Fields(strings.ReplaceAll(normalise(words), "|", " ")), " ")
	if words == "" || utf8.RuneCountInString(words) > longestProposal {
		return span{}, false
	}
	end := len(d.text)
	if page < len(d.pageStarts) {
		end = d.pageStarts[page]
	}
	for at := d.pageStarts[page-1]; at < end; {
		i := strings.Index(d.text[at:end], words)
		if i < 0 {
			break
		}
		s := span{at + i, at + i + len(words)}
		if d.isWhole(s) {
			return s, true
		}
		at = s.start + 1
	}
	return span{}, false
}

// isWhole reports whether a span begins and ends at the bounds of words and numbers.
func (d *document) isWhole(s span) bool {
	before, width := utf8.DecodeLastRuneInString(d.text[:s.start])
	if strings.ContainsRune("./,-:", before) { // as within a number or a date
		before, _ = utf8.DecodeLastRuneInString(d.text[:s.start-width])
	}
	after, width := utf8.DecodeRuneInString(d.text[s.end:])
	if strings.ContainsRune("./,-:", after) {
		after, _ = utf8.DecodeRuneInString(d.text[s.end+width:])
	}
	return !isOfWord(before) && !isOfWord(after)
}

func isOfWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// valueIn parses the only value of a field in a span. why is the reason if there is none.
func (r *reading) valueIn(field string, s span) (value, why string) {
	var found set
	switch field {
	case "form":
		found = r.formsIn(s)
	case "reference":
		found = r.referencesIn(s)
	case "gstin":
		found = r.gstinsIn(s)
	case "legal_name":
		found = r.namesIn(s)
	case "officer":
		found = r.ranksIn(s)
	case "demand":
		found = r.sumsIn(s)
	case "issue_date", "hearing", "reply_due":
		return r.dayIn(field, s)
	}
	if len(found) != 1 {
		return "", DropNoValue
	}
	for one := range found {
		value = one
	}
	return value, ""
}

// dayIn parses the only date in a span. It must agree with the weekday beside it and with the other dates of the paper,
// including those proposed before. why is the reason if there is none.
func (r *reading) dayIn(field string, s span) (value, why string) {
	d := r.doc
	var date dated
	for _, one := range d.datesIn(s) {
		if one.end > s.end || !date.day.IsZero() && one.day != date.day {
			return "", DropNoValue
		}
		date = one
	}
	if date.day.IsZero() {
		return "", DropNoValue
	}
	if !d.weekdayAgrees(date) || date.day.Year() < 2017 || date.day.Year() > 2099 {
		return "", DropConflict
	}
	known := func(field string, is *string) day {
		if p, ok := r.facts.Proposed[field]; ok && is == nil {
			value, _, _ := strings.Cut(p.Value, " ")
			return law.ParseDay(value)
		}
		if is == nil {
			return day{}
		}
		return law.ParseDay(*is)
	}
	const longest = 400 // days between the notice and the day that it asks for
	issued := known("issue_date", r.facts.IssueDate)
	switch field {
	case "issue_date":
		var hearing *string
		if r.facts.Hearing != nil {
			hearing = &r.facts.Hearing.Date
		}
		for _, later := range []day{known("reply_due", r.facts.ReplyDue.Date), known("hearing", hearing)} {
			if !later.IsZero() && (later.Before(date.day) || later.After(date.day.AddDays(longest))) {
				return "", DropConflict
			}
		}
	default:
		if !issued.IsZero() && (date.day.Before(issued) || date.day.After(issued.AddDays(longest))) ||
			!r.upcoming(date.day) {
			return "", DropConflict
		}
	}
	value = date.day.ISO()
	if field == "hearing" {
		if clock, _ := d.clockIn(span{date.end, s.end}); clock != nil {
			value += " " + *clock
		}
	}
	return value, ""
}

var (
	weekdayBefore = lazyregexp.New(`\b(mon|tues|wednes|thurs|fri|satur|sun)day[), ]*(?:the |dated? )?$`)
	weekdayBehind = lazyregexp.New(`^[ ,(]*(mon|tues|wednes|thurs|fri|satur|sun)day\b`)
	weekdays      = []string{"sun", "mon", "tues", "wednes", "thurs", "fri", "satur"}
)

// weekdayAgrees reports whether the weekday printed beside a date is right, or there is none.
func (d *document) weekdayAgrees(date dated) bool {
	const near = 24
	for _, m := range [][]string{
		weekdayBefore.FindStringSubmatch(d.lowIn(date.start-near, date.start)),
		weekdayBehind.FindStringSubmatch(d.lowIn(date.end, date.end+near)),
	} {
		if m != nil && m[1] != weekdays[date.day.Weekday()] {
			return false
		}
	}
	return true
}

// sumsIn returns the amounts in a span, in rupees: those marked as money, or too large to be anything else.
func (r *reading) sumsIn(s span) set {
	const least, unmarked = 1_00, 10_000_00
	d := r.doc
	found := set{}
	for at := s.start; at < s.end; at++ {
		if !beginsAmount(d.low, at) {
			continue
		}
		a, ok := parseAmount(d.low, at)
		if !ok || a.end > s.end {
			continue
		}
		at = max(at, a.end-1)
		if a.paise >= least && toRupees(a.paise) <= mostRupees && (a.marked || a.paise >= unmarked) {
			found[fmt.Sprintf("%.2f", toRupees(a.paise))] = true
		}
	}
	return found
}

// gstinsIn returns the GSTINs in a span whose check digit is right as printed.
func (r *reading) gstinsIn(s span) set {
	found := set{}
	for _, g := range scanGSTINs(r.doc) {
		if s.start <= g.start && g.end <= s.end && g.valid && !g.repaired {
			found[g.number] = true
		}
	}
	return found
}

// referencesIn returns the portal numbers in a span, else an office's number.
func (r *reading) referencesIn(s span) set {
	d := r.doc
	found := set{}
	offices := set{}
	for at := s.start; at < s.end; {
		end := at
		for end < s.end && d.text[end] != ' ' {
			end++
		}
		word := strings.Trim(d.text[at:end], ".,;:()[]")
		if rfn, repaired, ok := parseRFN(word); ok && !repaired {
			found[rfn] = true
		}
		if end > at && (at == s.start || d.text[at-1] == ' ') {
			if n, ok := d.numberAt(at, s.end); ok {
				if number := d.text[n.start:n.end]; strings.Contains(number, "/") &&
					strings.Count(number, "/")+strings.Count(number, "-") > 1 {
					offices[number] = true
				}
				end = max(end, n.end)
			}
		}
		at = end + 1
	}
	if len(found) == 0 {
		return offices
	}
	return found
}

// formsIn returns the forms that a span names without a misread letter.
func (r *reading) formsIn(s span) set {
	found := set{}
	for _, m := range r.formMentions() {
		if s.start <= m.start && m.end <= s.end && !m.spoilt {
			found[m.form.Form] = true
		}
	}
	return found
}

// namesIn parses a span as a name, which may have its label before it.
func (r *reading) namesIn(s span) set {
	found := set{}
	low := r.doc.low[s.start:s.end]
	if label := nameLabel.FindString(low); len(label) < len(low) {
		s.start += len(label)
	}
	if c, ok := r.nameIn(s); ok {
		name := r.nameAt(c.span)
		if c.end <= s.end && len(strings.Fields(name)) < 10 && !notName(lowerASCII(name)) &&
			len(r.doc.datesIn(c.span)) == 0 {
			found[name] = true
		}
	}
	return found
}

// ranksIn parses a span as an officer's designation, from the rank on.
func (r *reading) ranksIn(s span) set {
	const longest = 120
	d := r.doc
	m := rank.FindStringIndex(d.low[s.start:s.end])
	if m == nil || s.end-s.start > longest {
		return nil
	}
	return set{strings.Trim(d.text[s.start+m[0]:s.end], " .,:;|()"): true}
}
