package law

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"munshi/orchestrator/message"
)

// Few sources are complete: if a footnote is missing or an amendment was not merged, the words held for a day are
// those of another time. The digest has most of these changes with their days and numbers, so it shows where this
// happened.

// doubt is a part of a provision for which a version holds words of another time.
type doubt struct {
	Number string
	Why    message.Message
}

// certain returns the provision without the words that its summaries (the digest's entries, by part and day) show to
// be of another time.
func certain(p *Provision, summaries []*Entry) *Provision {
	var parts [][]*Entry // the summaries of each part that has more than one
	var days []string    // the days on which one of these begins
	for len(summaries) > 0 {
		n := 1
		for n < len(summaries) && summaries[n].Number == summaries[0].Number {
			n++
		}
		if n > 1 {
			parts = append(parts, summaries[:n])
			for _, e := range summaries[:n] {
				days = append(days, e.From, shiftDay(e.Until, 1))
			}
		}
		summaries = summaries[n:]
	}
	slices.Sort(days)
	sure := *p
	sure.Versions = nil
	for _, v := range p.Versions {
		if v.Status == NotInForce {
			sure.Versions = append(sure.Versions, v)
			continue
		}
		var of []Version // v split at the days on which a summary begins
		for _, from := range slices.Compact(append([]string{v.From}, days...)) {
			if from != v.From && (from <= v.From || v.Until != "" && from > v.Until) {
				continue
			}
			next := v
			next.From = from
			if n := len(of); n > 0 {
				of[n-1].Until = dayBefore(from)
				next.Between = [2]string{}
			}
			of = append(of, next)
		}
		for i := range of {
			of[i].leaveOut(doubtsOf(p, &of[i], parts))
			if n := len(sure.Versions); i > 0 && sure.Versions[n-1].Text == of[i].Text {
				sure.Versions[n-1].Until = of[i].Until
				continue
			}
			sure.Versions = append(sure.Versions, of[i])
		}
	}
	return &sure
}

// doubtsOf returns the parts of a version whose words are of another time.
func doubtsOf(p *Provision, v *Version, parts [][]*Entry) []doubt {
	day := cmp.Or(v.From, v.Until, madeOn)
	var found []doubt
	for _, entries := range parts {
		if why := doubtOf(p, v, entries, day); !why.IsZero() {
			found = append(found, doubt{partName(entries[0].Number), why})
		}
	}
	return found
}

// doubtAbout returns why a version does not have the words of a part; the zero message if it has them.
func (v *Version) doubtAbout(part string) message.Message {
	for _, d := range v.Doubts {
		if within(part, d.Number) {
			return d.Why
		}
	}
	return message.Message{}
}

// leftOut returns which parts within a part are left out, and why.
func (v *Version) leftOut(of string) []message.Message {
	var all []message.Message
	for _, d := range v.Doubts {
		if within(d.Number, of) {
			all = append(all, message.New("law_text.left_out", message.Params{"part": d.Number}), d.Why)
		}
	}
	return all
}

// madeOn is the ISO day from which most of the Acts and Rules apply.
const madeOn = "2017-07-01"

func rootKey(act, root string) string { return act + ":" + strings.ToUpper(root) }

// byRoot groups the digest by section or rule, and sorts each group by part and day.
func byRoot(entries []*Entry) map[string][]*Entry {
	all := map[string][]*Entry{}
	for _, e := range entries {
		key := rootKey(e.Act, rootOf(e.Number))
		all[key] = append(all[key], e)
	}
	for _, of := range all {
		slices.SortStableFunc(of, func(a, b *Entry) int {
			return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.From, b.From))
		})
	}
	return all
}

// doubtOf returns why the words of a version for a part on a day are unreliable; the zero message if nothing suggests
// so. The entries are those of the part, in order of time.
func doubtOf(p *Provision, v *Version, entries []*Entry, day string) message.Message {
	name := partName(entries[0].Number)
	words, found := v.Words(name)
	if !found {
		return message.Message{}
	}
	if misread(entries, entries[0].Act, entries[0].Number, day, words) {
		return message.New("law_text.other_day", nil)
	}
	for i, e := range entries[1:] {
		earlier := entries[i]
		if shiftDay(earlier.Until, 1) != e.From || !earlier.holds(day) && !e.holds(day) {
			continue
		}
		before, after := p.At(earlier.Until), p.At(e.From)
		if before == nil || after == nil || !alikeIn(name, before, after) {
			continue
		}
		stale := after.AsOn != "" && after.AsOn < e.From // the source ends before the change
		params := message.Params{"date": message.Date(e.From)}
		switch {
		case stale && e.holds(day) && alikeIn(name, v, before):
			return message.New("law_text.before_change", params)
		case !stale && e.Status != string(OmittedState) && earlier.holds(day) && alikeIn(name, v, after):
			return message.New("law_text.after_change", params)
		}
	}
	return message.Message{}
}

// alikeIn reports whether two versions have the same words for a part.
func alikeIn(part string, a, b *Version) bool {
	wordsA, hasA := a.Words(part)
	wordsB, hasB := b.Words(part)
	return hasA && hasB && bare(unmarked(wordsA)) == bare(unmarked(wordsB))
}

// misread reports whether the words held for a day are those of another day: they contain a number that the digest
// has for another time, and not the number of the day. This happens when a source lacks footnotes and so cannot be
// traced back far enough.
func misread(entries []*Entry, act, number, day, words string) bool {
	var own *Entry
	var others []*Entry
	for _, e := range entries {
		switch {
		case e.Act != act || !strings.EqualFold(e.Number, number):
		case e.holds(day):
			own = e
		default:
			others = append(others, e)
		}
	}
	if own == nil || len(own.Numbers) == 0 || len(others) == 0 || words == "" {
		return false
	}
	var has quantities
	reads := func(q Quantity) bool {
		if has == nil {
			has = readQuantities(unmarked(words), true)
		}
		_, ok := has[fmt.Sprint(q.Value)]
		return ok
	}
	for _, q := range own.Numbers {
		for _, e := range others {
			if slices.ContainsFunc(e.Numbers, func(o Quantity) bool {
				return o.What == q.What && o.Unit == q.Unit && fmt.Sprint(o.Value) != fmt.Sprint(q.Value) && reads(o) &&
					!reads(q)
			}) {
				return true
			}
		}
	}
	return false
}

// leaveOut replaces doubtful parts by "[…]". If the whole version is doubtful, nothing is left of it.
func (v *Version) leaveOut(doubts []doubt) {
	if len(doubts) == 0 {
		return
	}
	const sign = "[…]"
	type stretch struct{ from, until int }
	var out []stretch
	cut := *v
	cut.Parts, cut.Marks, cut.Doubts = nil, nil, doubts
	var text strings.Builder
	at, end := 0, 0 // at: up to where the text is written; end: where the last omitted part ends
	for _, part := range v.Parts {
		if part.Start < end {
			continue // it is within that part
		}
		if !slices.ContainsFunc(doubts, func(d doubt) bool { return d.Number == part.Number }) {
			cut.Parts = append(cut.Parts, part)
			continue
		}
		if part.Kind == "section" || part.Kind == "rule" {
			cut.Text, cut.Parts = "", nil
			*v = cut
			return
		}
		words := v.Text[part.Start:part.End]
		s := stretch{part.Start + len(partLabel.FindString(words)), part.Start + len(strings.TrimRight(words, " \n"))}
		text.WriteString(v.Text[at:s.from] + " " + sign)
		out, at, end = append(out, s), s.until, part.End
	}
	text.WriteString(v.Text[at:])
	cut.Text = text.String()
	moved := func(i int) int {
		by := 0
		for _, s := range out {
			switch {
			case i >= s.until:
				by += len(sign) + 1 - (s.until - s.from)
			case i > s.from:
				return s.from + by
			}
		}
		return i + by
	}
	for i := range cut.Parts {
		cut.Parts[i].Start, cut.Parts[i].End = moved(cut.Parts[i].Start), moved(cut.Parts[i].End)
	}
	for _, m := range v.Marks {
		m.Start, m.End = moved(m.Start), moved(m.End)
		if m.Start < m.End {
			cut.Marks = append(cut.Marks, m)
		}
	}
	*v = cut
}
