package gst

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// The last day to reply is the one fact where an error can cost the case. A printed date is accepted only if it is
// where a reply date would be, after the date of issue, and no second one contradicts it. A printed number of days is
// counted only if it is the time to reply, not to pay, appear or appeal. The form's own time counts only if the
// notice prints neither, and contains nothing unreadable that looks like a reply date.

// readReplyDue finds the last day to reply.
func (r *reading) readReplyDue() {
	due := &r.facts.ReplyDue
	onOrder := r.isOrder()
	var times []timeToReply
	unknown := func(why string, params message.Params) {
		*due = because("unknown", why, params)
		if len(times) == 0 && onOrder && r.form == nil { // the times stated in an order without a form of its own
			times = r.statedTimes()
		}
		r.considerReckoned(times, onOrder)
		r.offer("reply_due")
	}

	if !onOrder {
		printed, seen := r.printedReplyDates()
		switch distinct := distinctDays(printed); {
		case len(distinct) == 1:
			*due = ReplyDue{Date: ptr(distinct[0].ISO()), Source: "printed"}
			r.cite("reply_due", printed[0].span)
			return
		case len(distinct) > 1:
			unknown("several_dates", message.Params{"one": message.Date(distinct[0].ISO()),
				"other": message.Date(distinct[1].ISO())})
			return
		case seen:
			unknown("date_unsure", nil)
			return
		}
	}
	var seen bool
	times, seen = r.printedTimes(onOrder)
	switch {
	case len(times) > 1:
		unknown("several_times", nil)
		return
	case len(times) == 1 && !r.canCount(times[0].Allowed):
		unknown("issue_unsure", message.Params{"time": times[0].Text()})
		due.Time = &times[0].Allowed
		return
	case len(times) == 1:
		t := times[0]
		from, why := r.countedFrom(t.Allowed)
		last, _ := r.law.After(t.Allowed, from, r.state())
		*due = because("computed", "printed_time", message.Params{"time": t.Text(), "from": why})
		due.Date, due.Time = ptr(last.ISO()), &t.Allowed
		r.cite("reply_due", t.span)
		return
	case seen:
		unknown("time_unsure", nil)
		return
	}
	if t, ok := r.formTime(onOrder); ok {
		if !onOrder && r.mayStateOther(t.Allowed) {
			unknown("time_unsure", nil)
			return
		}
		from, why := r.countedFrom(t.Allowed)
		last, _ := r.law.After(t.Allowed, from, r.state())
		*due = because("computed", "by_law", message.Params{"time": t.Text(), "form": r.form.Form, "from": why})
		due.Date, due.Time = ptr(last.ISO()), &t.Allowed
		return
	}
	switch {
	case r.form == nil:
		unknown("no_form", nil)
		return
	case r.form.Form == "DRC-01":
		unknown("none_fixed", nil)
		return
	}
	unknown("none_found", nil)
}

// mayStateOther reports whether the paper prints a number of days that may be its time to reply and differs from the
// time of its form.
func (r *reading) mayStateOther(t law.Allowed) bool {
	const least = 0.15
	return slices.ContainsFunc(r.statedTimes(), func(s timeToReply) bool {
		return s.chance >= least && (s.Count != t.Count || s.Unit != t.Unit)
	})
}

// because returns a reply date with its source and reason but without a date, or the reason why there is none.
func because(source, code string, params message.Params) ReplyDue {
	said := message.New("reply_due."+code, params)
	return ReplyDue{Source: source, Basis: &said.English, Said: said}
}

// considerReckoned adds everything that may be the reply date to the candidates, for a person to choose from. These are
// all dates still to come, scored by how much they look like a deadline, and the dates counted with the printed numbers
// of days from each date that may be that of the notice.
func (r *reading) considerReckoned(times []timeToReply, onOrder bool) {
	const mostDays = 3
	counted := func(t law.Allowed, at span, chance float64) []candidate {
		var all []candidate
		for _, day := range r.mayCountFrom(mostDays) {
			last, _ := r.law.After(t, day, r.state())
			c := candidate{span: at, value: last.ISO(), score: logit(chance)}
			c.why = append(c.why, fmt.Sprintf("%d %s from %s", t.Count, t.Unit, day.ISO()))
			all = append(all, c)
		}
		return all
	}
	var all []candidate
	for _, t := range times {
		all = append(all, counted(t.Allowed, t.span, sureTime)...)
	}
	if r.form != nil && r.form.Time != nil {
		all = append(all, counted(*r.form.Time, span{}, formsTime)...)
	}
	if !onOrder {
		for _, t := range r.statedTimes() {
			all = append(all, counted(t.Allowed, t.span, t.chance)...)
		}
		for _, day := range r.days {
			if !day.unread && !day.day.Equal(r.issued.Time) && r.upcoming(day.day) {
				all = append(all, r.candidateOf(day, ReplyDay, day.chance(ReplyDay, PayDay, PapersDay)))
			}
		}
	}
	r.considered["reply_due"] = nil // these have the same days with a stricter measure
	r.consider("reply_due", all)
}

// The chances that a recognised number of days, and that of the form, is the time to reply.
const sureTime, formsTime = 0.9, 0.4

// mayCountFrom returns the dates from which a time to reply may run, the likeliest first.
func (r *reading) mayCountFrom(most int) []day {
	var from []day
	switch {
	case !r.served.IsZero():
		from = []day{r.served}
	case !r.issued.IsZero():
		from = []day{r.issued}
		// On an order, every other date that may be its date of issue is possible too.
		for _, c := range r.considered["issue_date"] {
			if day := law.ParseDay(c.Value); r.isOrder() && c.Score > 0 && !slices.Contains(from, day) {
				from = append(from, day)
			}
		}
	default:
		for _, c := range r.facts.Candidates["issue_date"] {
			from = append(from, law.ParseDay(c.Value))
		}
	}
	return from[:min(len(from), most)]
}

const (
	leastReply = 0.55 // the chance from which a printed day is accepted as the reply date
	rivalReply = 0.3  // the chance from which another day counts against it
)

// printedReplyDates returns the dates printed as the last date to reply. seen is true if the notice names such a date
// but none could be accepted.
func (r *reading) printedReplyDates() (dates []dated, seen bool) {
	d := r.doc
	var all []candidate
	var beside, rivals []dated // beside: days to pay or to send papers by; rivals: days that may be for a reply
	audit, summoned := r.form != nil && r.form.Form == "ADT-01", r.isSummons()
	for _, day := range r.days {
		chance := day.chance(ReplyDay)
		if audit || summoned {
			chance = day.chance(ReplyDay, PapersDay, HearingDay) // the books are to be produced on this day
		}
		switch {
		case day.unread:
			seen = seen || chance >= 0.5 // what cannot be read may be another day
			continue
		case !r.upcoming(day.day), isDateOf(d.lowIn(max(0, day.start-20), day.start)):
			continue
		case chance >= leastReply && r.readsAsHearing(day) && !summoned:
			rivals = append(rivals, day.dated) // it is offered to a person
		case chance >= leastReply:
			dates = append(dates, day.dated)
		case chance >= rivalReply && chance >= max(day.chance(HearingDay), day.chance(IssueDay)) && !r.isStamp(day) &&
			!d.inRunningHead(day.start) && !r.setsHearing(day):
			rivals = append(rivals, day.dated)
		case !r.issued.IsZero() && day.chance(ReplyDay, PayDay, PapersDay) >= leastReply &&
			day.chance(HearingDay) < rivalReply:
			beside = append(beside, day.dated)
		}
		all = append(all, r.candidateOf(day, ReplyDay, chance))
	}
	r.consider("reply_due", all)
	if seen {
		return nil, true
	}
	unread, empty := r.unreadLabelOfReply()
	if unread || empty && len(dates) == 0 {
		return nil, true
	}
	if len(dates) > 0 {
		return append(dates, rivals...), false
	}
	if !r.issued.IsZero() { // otherwise past days cannot be excluded
		beside = append(beside, rivals...)
	}
	if only := r.onlyDayAhead(); audit && len(dates) == 0 && only != nil && len(r.facts.OCRPages) == 0 &&
		len(r.statedTimes()) == 0 {
		return only, false // the day on which the audit begins
	}
	if dates == nil && len(beside) == 0 && r.wantsNoAnswer() && len(r.facts.OCRPages) == 0 && len(r.statedTimes()) == 0 {
		if only := r.onlyDayAhead(); only != nil && r.isLimit(only[0]) {
			return only, false
		}
	}
	// A date to pay or to bring papers by is the reply date only if the notice asks for nothing else.
	if len(dates) == 0 && len(distinctDays(beside)) == 1 && r.wantsNoAnswer() &&
		(len(r.facts.OCRPages) == 0 || r.onlyUpcoming(beside)) && !d.contains(span{0, r.extent()}, "show cause") {
		return beside, false
	}
	return dates, false
}

// onlyDayAhead returns the only date that is after the paper's own, or nil if there is none or more than one.
func (r *reading) onlyDayAhead() (only []dated) {
	for _, date := range r.doc.dates {
		if !r.issued.IsZero() && date.day.After(r.issued) && r.upcoming(date.day) {
			only = append(only, date)
		}
	}
	if len(distinctDays(only)) != 1 {
		return nil
	}
	return only
}

// isLimit reports whether the words before a date make it the end of a time, as in "if not paid by Monday, the 30th
// November", and nothing says that somebody is to be heard on it.
func (r *reading) isLimit(date dated) bool {
	d := r.doc
	words := strings.Fields(leadTo(d.around(date.span).before))
	return len(words) > 0 && untilWord.MatchString(words[len(words)-1]) &&
		!hearingWord.MatchString(d.lowIn(d.sentence(date.start).start, d.sentence(date.start).end))
}

// isDateOf reports whether the words before a date make it the date of a letter or an order, as in "Dated 3 December
// 2025". In "appear on dated", the date is still to come.
func isDateOf(before string) bool {
	m := dateOf.FindStringSubmatch(before)
	return m != nil && m[1] == ""
}

var dateOf = lazyregexp.New(`(\b(?:on|by|before|upto|to|till|until|than))?(?:^|[^a-z])(?:dated|dtd|dt)[ .:-]*$`)

// isStamp reports whether a date is on a line without small letters and within three days of the paper's own, like a
// postmark or a receipt stamp.
func (r *reading) isStamp(day roleOfDay) bool {
	const soon = 3 // days
	d := r.doc
	l := d.lines[d.lineAt(day.start)]
	return !r.issued.IsZero() && r.issued.DaysUntil(day.day) <= soon &&
		!strings.ContainsFunc(d.text[l.start:l.end], unicode.IsLower)
}

// isSummons reports whether the paper is a summons under section 70. The date on which the person has to appear and
// bring papers is then the reply date.
func (r *reading) isSummons() bool {
	const top, longest = 30, 60
	d := r.doc
	if r.form != nil || !section70.MatchString(d.low[d.begin:r.extent()]) {
		return false
	}
	for _, l := range d.lines[:min(len(d.lines), top)] {
		if l.end-l.start < longest && summonsTitle.MatchString(d.low[l.start:l.end]) {
			return true
		}
	}
	return false
}

var (
	summonsTitle = lazyregexp.New(`^summons\b|^(?:सम्मन|समन)`)
	section70    = lazyregexp.New(`\b(?:section|sec\.?|u/s\.?) ?70\b|धारा 70`)
)

// inRunningHead reports whether an offset is in the first or last line of a page and another page has the same line.
// Such lines say nothing about the paper.
func (d *document) inRunningHead(at int) bool {
	i := d.lineAt(at)
	l := d.lines[i]
	first := i == d.firstLine(l.page)
	if !first && i+1 < len(d.lines) && d.lines[i+1].page == l.page {
		return false
	}
	for page := 1; page <= len(d.pageStarts); page++ {
		j := d.firstLine(page)
		if !first {
			j = d.firstLine(page+1) - 1
		}
		if j >= 0 && j < len(d.lines) && j != i &&
			slices.Equal(strings.Fields(d.lineLow(j)), strings.Fields(d.lineLow(i))) {
			return true
		}
	}
	return false
}

// readsAsHearing reports whether a time of day follows a date whose sentence mentions a hearing.
func (r *reading) readsAsHearing(day roleOfDay) bool {
	d := r.doc
	s := d.sentence(day.start)
	return day.chance(HearingDay) > 0.02 && clockBehind.MatchString(d.lowIn(day.end, day.end+40)) &&
		hearingWord.MatchString(d.lowIn(day.start, s.end))
}

// setsHearing reports whether a sentence sets a hearing on a date at a time of day, without mentioning a reply between.
func (r *reading) setsHearing(day roleOfDay) bool {
	d := r.doc
	before := d.lowIn(d.sentence(day.start).start, day.start)
	m := hearingWord.FindAllStringIndex(before, -1)
	if len(m) == 0 {
		return false
	}
	between := strings.ReplaceAll(before[m[len(m)-1][1]:], "representative", "")
	return !answerWord.MatchString(between) &&
		clockBehind.MatchString(d.lowIn(day.end, day.end+40))
}

// onlyUpcoming reports whether every date in the notice after its date of issue is one of dates.
func (r *reading) onlyUpcoming(dates []dated) bool {
	return !slices.ContainsFunc(r.doc.dates, func(other dated) bool {
		return other.day.After(r.issued) && !slices.ContainsFunc(dates, func(d dated) bool {
			return d.day.Equal(other.day.Time)
		})
	})
}

// replyLabel matches the label of the reply date, such as "Date by which reply". Its value may be empty or unreadable.
var replyLabel = lazyregexp.New(`(?:date by which|(?:last|due|final) date (?:for|of|to)|date (?:for|of)) (?:[a-z]+ ){0,4}?(?:repl(?:y|ies)|response|explanation|submissions?|objections?)(?: (?:in|has|is|are|have|should|shall|to|be|been|submitted|furnished|filed|given|made|received|sent|form|gst|drc ?- ?06|on portal|by)\b)*|repl(?:y|ies) (?:due|to be (?:submitted|furnished|filed)) (?:date|by|on(?: or before)?)|(?:उत्तर|जवाब) (?:देने|प्रस्तुत करने|दाखिल करने) की (?:अंतिम|अन्तिम) (?:तिथि|दिनांक)`)

// namesReply reports whether the words before a date end in the label of the reply date.
func namesReply(before string) bool {
	before = strings.TrimRight(before, " :.=(-")
	at := lastMatch(replyLabel, before)
	return at >= 0 && replyLabel.FindStringIndex(before[at:])[1] == len(before)-at
}

// namesReplyShortly reports whether the words before a date are only a label of the reply date, such as "Reply by" or
// "Explanation due".
func namesReplyShortly(own string) bool {
	const most = 5 // words
	words := strings.Fields(strings.Trim(own, " :.=(-–—"))
	return len(words) > 1 && len(words) <= most && answerWord.MatchString(own) &&
		untilWord.MatchString(words[len(words)-1])
}

// untilWord matches a word that ends the label of a deadline, such as "by" or "before".
var untilWord = lazyregexp.New(`^(?:by|before|due|till|until|upto|latest|date|तक)$`)

// unreadLabelOfReply returns two things: whether something that cannot be read as a date is beside a label of the reply
// date, and whether nothing that could be a date is beside one.
func (r *reading) unreadLabelOfReply() (unread, empty bool) {
	d := r.doc
	for _, m := range replyLabel.FindAllStringIndex(d.low[:r.extent()], 6) {
		if r.injected.start <= m[0] && m[0] < r.injected.end {
			continue
		}
		value := span{m[1], min(m[1]+90, len(d.low))}
		cell := skipAny(d.low, value.start, " :.=-")
		text := d.lowIn(value.start, value.end)
		if unreadCell.MatchString(text) && len(d.datesIn(span{cell, cell + 1})) == 0 {
			unread = true // not the next date that can be read
			continue
		}
		found := false
		for _, date := range d.datesIn(value) {
			if !otherLabel.MatchString(d.lowIn(m[1], date.start)) {
				found = r.upcoming(date.day)
			}
			break
		}
		if !found && !emptyCell.MatchString(text) && !labelledDays.MatchString(text) {
			empty = true
		}
	}
	return unread, empty
}

var (
	otherLabel = lazyregexp.New(`hearing|venue|date of (?:issue|order)|designation`)
	unreadCell = lazyregexp.New(`^[ :.=-]*[0-9a-z]{1,2} ?[./-] ?[0-9a-z]{1,3} ?[./-] ?[0-9a-z]{2,4}\b`)
	emptyCell  = lazyregexp.New(`^[ :.=-]*(?:na\b|n\.a\.|nil\b|not applicable|-+ |$)`)
)
