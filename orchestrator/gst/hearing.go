package gst

import (
	"strconv"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	timeLabel   = lazyregexp.New(`time of (?:the )?(?:personal )?hearing|hearing time|सुनवाई का समय`)
	timeAlone   = lazyregexp.New(`^[0-9a-z().]{0,4} ?(?:reporting )?(?:time|समय|वेळ|સમય)(?: ?\([^)]{1,12}\))?(?: ?/ ?(?:time|समय))?[ :.=-]*$`)
	venueLabel  = lazyregexp.New(`venue (?:where|of|for)(?: the)?(?: personal)?(?: hearing)?(?: (?:will|shall|is to|to) be)?(?: held)?|\bvenue\b`)
	clock       = lazyregexp.New(`\b(\d{1,2})(?: ?[:.] ?(\d{2})|-([0-5][05])\b| ?(\d{2}) ?(?:hrs|hours))? ?(a\.? ?m\b|p\.? ?m\b|hrs|hours|noon|o ?['’]? ?clock|बजे|वाजता|)`)
	hearingWord = lazyregexp.New(`hearing|appear\b|appearance|be(?:ing)? heard|heard in person|\bp\.? ?h\.?(?: |$)|attend\b|be present\b|come to (?:this|the|my) office|present (?:yourself|your case|himself)|सुनवाई|उपस्थित|sunwai|sunvai|hazir`)
	anyHearing  = lazyregexp.New(`\bhear(?:ing)?\b|सुनवाई`)
)

// noneFixed matches a mention of a hearing that has no date yet, such as "hearing: N.A." or "will be intimated", or
// that is held only on request.
var noneFixed = lazyregexp.New(`\b(?:hearing|सुनवाई)[\s:|.-]{0,8}(?:n\.? ?a\b|nil\b|none\b|not applicable|` +
	`(?:will|shall|would|to) be (?:separately )?(?:intimated|communicated|informed|fixed)|` +
	`may be (?:opted|sought|requested|availed)|if (?:desired|opted|required|requested))`)

// fixesNone reports whether every mention of a hearing says that none is fixed.
func fixesNone(low string) bool {
	all := anyHearing.FindAllStringIndex(low, -1)
	for _, m := range all {
		said := noneFixed.FindStringIndex(low[m[0]:])
		if said == nil || said[0] != 0 || strings.HasPrefix(low[m[0]+said[1]:], " on ") {
			return false
		}
	}
	return len(all) > 0
}

// surelyHeard is the chance given to a date as that of the hearing if the words right before it and a time after it fix
// the hearing for that date.
const surelyHeard = 0.8

// setDownAt reports whether a date is between words such as "for personal hearing on" and a time of day.
func (r *reading) setDownAt(day roleOfDay) bool {
	d := r.doc
	s := d.sentence(day.start)
	return heardOn.MatchString(d.lowIn(max(s.start, day.start-110), day.start)) &&
		timeBehind.MatchString(d.lowIn(day.end, day.end+50))
}

var (
	heardOn    = lazyregexp.New(`\b(?:hearing|heard)\b[^.;]{0,60}\b(?:on|for) (?:the )?$`)
	timeBehind = lazyregexp.New(`^[ ,;(]*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day[), ]*)?(?:(?:at|between|from|by|@) ?)?[0-9]{1,2}(?: ?[:.-] ?[0-9]{2})? ?(?:a\. ?m|am\b|p\. ?m|pm\b|hrs|hours|noon|o ?['’]? ?clock)`)
)

// leastHearing is the chance from which a date is accepted as that of the hearing.
const leastHearing = 0.75

// leastHeard is the score from which a date is offered to a person as that of the hearing: a chance of one in a
// hundred. A paper often mentions a hearing without fixing one ("will be intimated", "may be opted for"), and then no
// date is meant.
const leastHeard = -4.6

// readHearing finds the date of the personal hearing among those still to come: a date before the notice is that of a
// hearing already held.
func (r *reading) readHearing() {
	d := r.doc
	if r.form != nil && r.form.Form == "ADT-01" {
		return // with this form, the day is for attending with the books
	}
	if fixesNone(d.low[d.begin:r.extent()]) {
		return
	}
	var all []candidate
	days := map[int]dated{}
	spoilt := false // what cannot be read may be an earlier day
	hears := anyHearing.MatchString(d.low[d.begin:r.extent()])
	for _, day := range r.days {
		chance := day.chance(HearingDay)
		if !day.unread && r.setDownAt(day) {
			chance = max(chance, surelyHeard)
		}
		spoilt = spoilt || day.unread && chance >= 0.3
		if day.unread || !r.upcoming(day.day) || !hears && chance < leastHearing {
			continue
		}
		all = append(all, r.candidateOf(day, HearingDay, chance))
		days[day.start] = day.dated
	}
	sorted := r.consider("hearing", all)
	if len(sorted) == 0 || sorted[0].score < logit(leastHearing) || spoilt {
		r.offer("hearing")
		return
	}
	won := sorted[0]
	for _, c := range sorted[1:] {
		switch {
		case c.value == won.value || c.score < 0:
		case d.sentence(c.start) == d.sentence(won.start) || r.sameList(c.start, won.start):
			if c.value < won.value {
				won = c // the first of several days offered together
			}
		default:
			r.offer("hearing")
			return
		}
	}
	r.setHearing(won, days[won.start])
}

// sameList reports whether two dates are on lines of their own, one below the other, as in a list of dates offered.
func (r *reading) sameList(a, b int) bool {
	const widest, longest = 70, 8
	d := r.doc
	from, to := d.lineAt(min(a, b)), d.lineAt(max(a, b))
	if to-from > longest {
		return false
	}
	for _, l := range d.lines[from : to+1] {
		if l.end-l.start > widest || len(d.datesIn(l.span)) != 1 {
			return false
		}
	}
	return true
}

// setHearing sets the hearing, with the time and the venue given with the date.
func (r *reading) setHearing(c candidate, date dated) {
	d := r.doc
	h := Hearing{Date: date.day.ISO()}
	sentence := d.sentence(date.start)
	limit := max(sentence.end+12, d.lines[d.lineAt(date.start)].end)
	var clockEnd int
	if h.Time, clockEnd = d.clockIn(span{date.end, min(limit, date.end+60)}); h.Time == nil {
		clockEnd = date.end
		if t := timeLabel.FindStringIndex(d.lowIn(date.end, date.end+160)); t != nil {
			h.Time, _ = d.clockIn(span{date.end + t[1], date.end + t[1] + 40})
		} else if h.Time = d.timeBelow(date.end); h.Time == nil {
			h.Time, _ = d.clockIn(span{max(sentence.start, date.start-30), date.start})
		}
	}
	if h.Venue = r.labelledVenue(date.end); h.Venue == nil {
		h.Venue = d.venueAfter(clockEnd, max(sentence.end, d.lines[d.lineAt(date.start)].end))
	}
	r.facts.Hearing = &h
	r.cite("hearing", span{c.quote.start, max(date.end, clockEnd)})
}

func (r *reading) labelledVenue(after int) *string {
	d := r.doc
	limit := min(after+400, len(d.low))
	m := venueLabel.FindStringIndex(d.lowIn(after, limit))
	if m == nil {
		return nil
	}
	at := skipAny(d.low, after+m[1], " :.=-")
	i := d.lineAt(after + m[1] - 1)
	if at > d.lines[i].end && i+1 < len(d.lines) {
		i++ // the value is below
	}
	l := d.lines[i]
	if at >= l.end {
		return nil
	}
	for _, cell := range l.cells {
		if cell.start >= at {
			at = cell.start
			break
		}
	}
	venue := d.text[at:l.end]
	// The cell continues below if the next line has nothing else.
	for j := i + 1; j < len(d.lines) && j <= i+2 && venue != "" && len(l.cells) > 1; j++ {
		next := d.lines[j]
		if next.first || next.page != l.page || len(next.cells) != 1 ||
			strings.Contains(d.text[next.start:min(next.end, next.start+40)], ":") {
			break
		}
		venue += " " + d.text[next.start:next.end]
	}
	if len(venue) < 4 || strings.EqualFold(venue, "not applicable") {
		return nil
	}
	return &venue
}

// clockBehind matches a time of day right after a date, such as "at 11:00 a.m."
var clockBehind = lazyregexp.New(`^[ ,;(]*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day[), ]*)?(?:at )?[0-9]{1,2}(?:[:.][0-9]{2})? ?(?:a\.?m|p\.?m|hrs|hours|noon)`)

func lastMatch(sought *lazyregexp.Regexp, s string) int {
	all := sought.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

// clockIn returns the first time of day in the span, as "15:04".
func (d *document) clockIn(s span) (*string, int) {
	s.end = min(s.end, len(d.low))
	if s.start >= s.end {
		return nil, s.start
	}
	text := d.low[s.start:s.end]
	for _, m := range clock.FindAllStringSubmatchIndex(text, 4) {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		hour, _ := strconv.Atoi(group(1))
		minute, _ := strconv.Atoi(group(2) + group(3) + group(4))
		mark := strings.NewReplacer(".", "", " ", "").Replace(group(5))
		part, end := partOfDay(text, m[0], m[1])
		if mark == "" && part == "" && group(4) == "" &&
			(group(2) == "" || !strings.HasSuffix(strings.TrimSpace(text[:m[0]]), "at") &&
				!strings.Contains(text[:m[0]], "time") && strings.Trim(text[:m[0]], " :.-=") != "") {
			continue
		}
		switch {
		case mark == "pm" && hour < 12, mark != "am" && part == "pm" && hour < 12:
			hour += 12
		case mark == "am" && hour == 12:
			hour = 0
		case mark != "am" && part == "" && hour > 0 && hour < opens && mark != "hrs" && mark != "hours" && group(4) == "":
			hour += 12 // no hearing is held at night
		}
		if hour > 23 || minute > 59 || mark == "noon" && hour != 12 {
			continue
		}
		at := pad(hour) + ":" + pad(minute)
		return &at, s.start + end
	}
	return nil, s.start
}

// opens is the hour from which a time without "a.m." or "p.m." is taken as one in the morning.
const opens = 7

// partOfDay reads the words after or before a time, and returns which half of the day they mean, and where
// they end.
func partOfDay(text string, from, to int) (half string, end int) {
	if m := halfBehind.FindStringSubmatchIndex(text[to:]); m != nil {
		end = to + m[1]
		if m[2] >= 0 {
			return "am", end
		}
		return "pm", end
	}
	if m := halfBefore.FindStringSubmatchIndex(text[:from]); m != nil {
		if m[2] >= 0 {
			return "am", to
		}
		return "pm", to
	}
	return "", to
}

var (
	halfBehind = lazyregexp.New(`^ ?(?:बजे|वाजता|hrs\.?|hours)?[ ,(]*(?:in the |of the |this )?(?:(fore ?-?noon|morning|f\. ?n\b|fn\b|पूर्वाह्न|पूर्वान्ह|पूर्वाहन|प्रातः|प्रात:|सुबह|सकाळी)|(?:after ?-?noon|evening|a\. ?n\b|an\b|अपराह्न|अपरान्ह|अपराहन|दोपहर|सायं|सायंकाल|शाम|दुपारी))`)
	halfBefore = lazyregexp.New(`(?:(\b(?:fore ?-?noon|morning)|पूर्वाह्न|पूर्वान्ह|पूर्वाहन|प्रातः|प्रात:|प्रातःकाल|सुबह|सकाळी)|(?:\b(?:after ?-?noon|evening)|अपराह्न|अपरान्ह|अपराहन|दोपहर|सायं|सायंकाल|शाम|दुपारी)) ?(?:at|के|को|में)?[ ,:(-]*$`)
)

// timeBelow reads the time of day from a cell with a label of its own, in the lines from a date on.
func (d *document) timeBelow(at int) *string {
	const far = 4 // lines
	from := d.lineAt(at)
	for i := from; i < min(len(d.lines), from+far) && d.lines[i].page == d.lines[from].page; i++ {
		l := d.lines[i]
		for c, cell := range l.cells[:len(l.cells)-1] {
			if cell.start >= at && timeAlone.MatchString(d.low[cell.start:cell.end]) {
				found, _ := d.clockIn(l.cells[c+1])
				return found
			}
		}
	}
	return nil
}

func pad(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

var (
	venueStart = lazyregexp.New(`^[ ,.;-]*(?:hrs|hours)?[ ,.]*(?:before the undersigned )?((?:in|at)(?: the)?(?: office of the undersigned)?,? |(?:venue|place) ?[:-]? ?)?`)
	venueRoom  = lazyregexp.New(`^(?:room|office|chamber|hall|court|cabin|conference|[0-9]+(?:st|nd|rd|th) floor)\b`)
	venueEnd   = lazyregexp.New(`,? (?:failing|along with|with|to |for |and |so as|either|through|if )|[;]|\. [A-Z]|$`)
)

// venueAfter reads the venue after a date, as in "in Room No. 14, State Tax Office, Kanpur, failing which".
func (d *document) venueAfter(at, limit int) *string {
	limit = min(max(limit, at), at+200, len(d.text))
	m := venueStart.FindStringSubmatchIndex(d.lowIn(at, limit))
	if m == nil || m[2] < 0 && !venueRoom.MatchString(d.lowIn(at+m[1], limit)) {
		return nil
	}
	start := at + m[1]
	end := start + venueEnd.FindStringIndex(d.text[start:limit])[0]
	venue := strings.Trim(d.text[start:end], " .,;")
	if len(venue) < 6 || !isLatin(venue) || !hasLetters(venue[:1]) && !isDigit(venue[0]) {
		return nil
	}
	return &venue
}
