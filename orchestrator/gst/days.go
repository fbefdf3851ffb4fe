package gst

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

// The purposes of a day.
const (
	ReplyDay   = "reply"
	PayDay     = "pay"
	PapersDay  = "papers" // to produce or send papers
	HearingDay = "hearing"
	IssueDay   = "issue"
	PastDay    = "past" // a past day, a day of another paper, or the end of a period
)

// roleOfDay is a day with the chance of each purpose.
type roleOfDay struct {
	dated
	chances map[string]float64 // by purpose
	noted   []string
	unread  bool // the text looks like a date but cannot be read
}

func (d roleOfDay) chance(roles ...string) float64 {
	sum := 0.0
	for _, role := range roles {
		sum += d.chances[role]
	}
	return sum
}

// weighDays finds out the purpose of each date in the paper, such as the reply, the hearing or the date of issue.
func (r *reading) weighDays() {
	const most = 1000
	d := r.doc
	for _, date := range slices.Concat(d.dates[:min(len(d.dates), most)], r.instantDates(), r.saidDates()) {
		if r.injected.start <= date.start && date.start < r.injected.end {
			continue // in text addressed to a program
		}
		r.days = append(r.days, r.roleOf(date))
	}
	for _, at := range r.unreadDates() {
		day := r.roleOf(dated{span: at})
		day.unread = true
		r.days = append(r.days, day)
	}
}

func (r *reading) roleOf(date dated) roleOfDay {
	noted := r.noteDay(date)
	r.record(DayQuestion, date.day.ISO(), noted)
	return roleOfDay{dated: date, chances: r.judge(DayQuestion, noted).Chances, noted: noted}
}

// noteDay returns the observations on a date: the words around it, its position, and whether it is before or after the
// date of the paper.
func (r *reading) noteDay(date dated) []string {
	d := r.doc
	o := d.observe(date.span)
	line := d.lineAt(date.start)
	switch {
	case r.issued.IsZero(), date.day.IsZero():
	case date.day.Equal(r.issued.Time):
		o.note("the day of the paper")
	case date.day.Before(r.issued):
		o.note("before the paper")
	case r.upcoming(date.day):
		o.note("after the paper")
	default:
		o.note("long after the paper")
	}
	s := d.around(date.span)
	cell := d.lines[s.line].cells[d.lines[s.line].cellOf(date.start)]
	o.noteIf(namesReply(s.own) || s.own == d.lowIn(cell.start, date.start) && namesReplyShortly(s.own) ||
		strings.Trim(s.own, " :.=(-") == "" && namesReply(s.left), "labelled as the day to reply by")
	o.noteIf(r.heads(line), "above the running text")
	o.noteIf(r.inSignature(line), "beside the signature")
	o.noteIf(clockBehind.MatchString(d.lowIn(date.end, date.end+40)), "with a time of day")
	return o.all
}

// candidateOf returns a date as a candidate for a purpose.
func (r *reading) candidateOf(day roleOfDay, role string, chance float64) candidate {
	d := r.doc
	sentence := d.sentence(day.start)
	c := candidate{span: day.span, quote: span{max(sentence.start, day.start-160), day.end}, value: day.day.ISO()}
	if s := d.around(day.span); s.alone && strings.TrimSpace(s.left) != "" { // a label and its value
		c.quote.start = max(d.lines[s.line].start, day.start-len(s.left)-len(s.own)-8)
	}
	if hindiUntil.MatchString(d.lowIn(day.end, sentence.end)) {
		c.quote.end = min(sentence.end, day.end+120) // in Hindi the verb comes last
	}
	r.weighLearned(&c, DayQuestion, role, chance, day.noted)
	return c
}

var hindiUntil = lazyregexp.New(`^ ?(?:tak\b|तक|से पूर्व|से पहले|के पूर्व|को )`)

// unreadDates returns the places with something that looks like a date but cannot be read as one, or with a blank for a
// date.
func (r *reading) unreadDates() []span {
	const most = 60
	d := r.doc
	var all []span
	for _, m := range spoiltDate.FindAllStringIndex(d.low, most) {
		for m[0] < m[1] && d.low[m[0]] == ' ' {
			m[0]++
		}
		if strings.ContainsAny(d.low[m[0]:m[1]], "0123456789_.") && len(d.datesIn(span{m[0], m[1]})) == 0 {
			all = append(all, span{m[0], m[1]})
		}
	}
	return all
}

var spoiltDate = lazyregexp.New(`(?:^| )(?:[0-9olisbz?]{1,2} ?[./-] ?[0-9a-z?]{1,3} ?[./-] ?(?:[0-9olisbz]{4}|[0-9olisbz]{2})\b|_{3,}[ ./_-]*(?:20[0-9]{2})?)`)

// instantDates returns the dates that name only the day, in the month in which the paper was issued ("the 27th
// instant") or the next one ("proximo").
func (r *reading) instantDates() []dated {
	if r.issued.IsZero() {
		return nil
	}
	d := r.doc
	var all []dated
	for _, m := range instant.FindAllStringSubmatchIndex(d.low, 20) {
		dom, _, ok := parseNumber(d.low, m[2], 2)
		if !ok {
			continue
		}
		first, _ := law.NewDay(r.issued.Year(), int(r.issued.Month()), 1)
		if word := d.low[m[4]:m[5]]; strings.HasPrefix(word, "prox") || strings.Contains(word, "next") {
			first = first.AddMonths(1)
		}
		if when, ok := law.NewDay(first.Year(), int(first.Month()), dom); ok {
			all = append(all, dated{span{m[0], m[1]}, when})
		}
	}
	return all
}

var instant = lazyregexp.New(`\b([0-9]{1,2}) ?(?:st|nd|rd|th)?(?: day)? (instant\b|inst\b\.?|proximo|prox\b\.?|of this month|of the current month|of (?:the )?next month)`)

// saidDates returns the dates to which the text refers back, as in "if no reply is received by the aforesaid date": the
// last date before such words that was still in the future.
func (r *reading) saidDates() []dated {
	const near = 900 // bytes before the words
	d := r.doc
	var all []dated
	for _, m := range saidDate.FindAllStringIndex(d.low, 20) {
		before := d.datesIn(span{max(0, m[0]-near), m[0]})
		for i := len(before) - 1; i >= 0; i-- {
			if when := before[i].day; r.upcoming(when) && !when.Equal(r.issued.Time) {
				if r.judge(DayQuestion, r.noteDay(before[i])).Chances[HearingDay] < 0.5 {
					all = append(all, dated{span{m[0], m[1]}, when})
				}
				break
			}
		}
	}
	return all
}

var saidDate = lazyregexp.New(`\b(?:(?:the|this) (?:said|aforesaid|above|above-?mentioned|abovesaid|same) (?:due )?date\b|that (?:date|day)\b)|(?:उक्त|उपरोक्त) (?:तिथि|दिनांक)`)

// upcoming reports whether a day is not before the notice, nor years after it. If the date of the notice is not
// known, the month in its portal number is used.
func (r *reading) upcoming(when day) bool {
	if r.issued.IsZero() && r.hasPortalReference() {
		month, year := (*r.facts.Reference)[4:6], (*r.facts.Reference)[6:8]
		first := law.ParseDay("20" + year + "-" + month + "-01")
		return first.IsZero() || !when.Before(first) && when.Before(first.AddDays(431))
	}
	return r.issued.IsZero() && when.Year() >= 2017 ||
		!r.issued.IsZero() && !when.Before(r.issued) && when.Before(r.issued.AddDays(400))
}

// distinctDays returns the days without repetitions.
func distinctDays(dates []dated) []day {
	var distinct []day
	for _, date := range dates {
		if !slices.ContainsFunc(distinct, func(have day) bool { return have.Equal(date.day.Time) }) {
			distinct = append(distinct, date.day)
		}
	}
	return distinct
}
