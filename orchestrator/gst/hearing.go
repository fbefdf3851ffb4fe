package gst

import (
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
)

var (
	hearingLabel = lazyregexp.New(`(?:date|day|time)[a-z, ]{0,20} (?:of|for|fixed for) (?:the |your )?(?:personal |virtual )?hearing|(?:personal|virtual|oral) hearing|hearing (?:date|on|fixed|scheduled)|\bp\.? ?h\.? (?:date|on|fixed)|\bp\.? ?h\b\.? ?[:=-]|date of (?:personal )?appearance|सुनवाई (?:की|हेतु|का) ?(?:तिथि|दिनांक)?|sunwai|sunvai`)
	timeLabel    = lazyregexp.New(`time of (?:the )?(?:personal )?hearing|hearing time|सुनवाई का समय`)
	venueLabel   = lazyregexp.New(`venue (?:where|of|for)(?: the)?(?: personal)?(?: hearing)?(?: (?:will|shall|is to|to) be)?(?: held)?|\bvenue\b`)
	clock        = lazyregexp.New(`\b(\d{1,2})(?: ?[:.] ?(\d{2})| ?(\d{2}) ?(?:hrs|hours))? ?(a\.? ?m\b|p\.? ?m\b|hrs|hours|noon|बजे|)`)

	// The words that say what happens on a date. The nearest before it decides.
	hearingWord = lazyregexp.New(`hearing|appear\b|appearance|be(?:ing)? heard|heard in person|\bp\.? ?h\.?(?: |$)|attend\b|be present\b|come to (?:this|the|my) office|present (?:yourself|your case|himself)|सुनवाई|उपस्थित|sunwai|sunvai|hazir`)
	pastHearing = lazyregexp.New(`was (?:heard|fixed|granted|held|given|attended|scheduled|offered|conducted)|were (?:heard|fixed|granted|held|given)|had (?:appeared|attended|been)|\bappeared|\battended|did not (?:appear|attend)|\bheld on|adjourned from|not availed|concluded on|(?:was|were|and|also|been|case|matter|finally) heard on|has been (?:held|granted)|earlier (?:fixed|scheduled|posted|listed|granted)|\bposted to|which was\b`)
	anyHearing  = lazyregexp.New(`\bhear(?:ing)?\b|सुनवाई`)
	toBeHeld    = lazyregexp.New(`(?:will|shall|would|may|to) be (?:held|conducted|granted|given|fixed)`)
	calledOff   = lazyregexp.New(`^[^.;]{0,60}\b(?:is|was|stands?|has been|are|were|being|hereby)\b[^.;]{0,20}\b(?:adjourned|postponed|rescheduled|re-scheduled|shifted|deferred|cancelled|preponed|re-?fixed|changed)\b`)
	stillFixed  = lazyregexp.New(`\b(?:is|are|stands?|will|shall|may|to) (?:hereby |now |also )?(?:be )?(?:fixed|scheduled|posted|listed|heard|appear|attend|granted|given|held)\b`)
	beforeDate  = lazyregexp.New(`(?:\bon|\bfor|\bat|\bdated?|\bis fixed|\bfixed|scheduled|\bof|\bto|दिनांक|तिथि|दि\.|:|-) ?(?:the )?(?:date )?[:.-]? ?(?:[0-9:. apmhrs,]{0,14} on )?(?:(?:mon|tues|wednes|thurs|fri|satur)day,? ?)?$`)
)

// readHearing weighs the dates that are still to come as that of the personal hearing: a date before the notice tells of
// one that was held.
func (r *reading) readHearing() {
	const most, least, margin = 1000, 4, 1
	d := r.doc
	if r.form != nil && r.form.Form == "ADT-01" {
		return // there the person attends with the books
	}
	var all []candidate
	dates := map[int]dated{}
	hears := anyHearing.MatchString(d.low[d.begin:r.extent()])
	for _, date := range d.dates[:min(len(d.dates), most)] {
		if !r.upcoming(date.day) {
			continue
		}
		c := r.weighHearing(date)
		if len(c.why) == 0 && hears && clockBehind.MatchString(d.lowIn(date.end, date.end+40)) {
			c.weigh(1, "a day to come with a time of day")
		}
		if len(c.why) > 0 {
			all = append(all, c)
			dates[c.start] = date
		}
	}
	for i := range all { // what is said twice is surer than what is said once
		for j := range all {
			if i != j && all[i].value == all[j].value && all[i].score > 0 && all[j].score > 0 {
				all[i].weigh(1.5, "said twice")
				break
			}
		}
	}
	sorted := r.consider("hearing", all)
	if len(sorted) == 0 || sorted[0].score < least {
		r.offer("hearing")
		return
	}
	won := sorted[0]
	for _, c := range sorted[1:] {
		switch {
		case c.value == won.value || won.score-c.score >= margin:
		case d.sentence(c.start) == d.sentence(won.start) || r.hearingList(c.start) >= 0 && r.hearingList(c.start) == r.hearingList(won.start):
			if c.value < won.value {
				won = c // of several days offered together, the first
			}
		default:
			r.offer("hearing")
			return
		}
	}
	r.setHearing(won, dates[won.start])
}

// weighHearing weighs a date as that of the hearing: by its label, or by what the sentence says happens on it.
func (r *reading) weighHearing(date dated) candidate {
	d := r.doc
	s := d.around(date.span)
	c := candidate{span: date.span, quote: span{max(d.sentence(date.start).start, date.start-160), date.end}, value: date.day.ISO()}
	own := strings.Trim(s.own, " :.=(-")
	switch {
	case isHearingLabel(own):
		c.weigh(5, "labelled as the hearing")
	case own == "" && isHearingLabel(s.left):
		c.weigh(5, "the cell to the left names the hearing")
	case own == "" && s.alone && !s.named() && isHearingLabel(s.above) && !r.labelAbove(s):
		c.weigh(5, "the cell above names the hearing")
	}
	if c.score > 0 {
		c.quote.start = max(d.lines[s.line].start, date.start-len(s.left)-len(s.own)-8)
		return c
	}
	if r.hearingList(date.start) >= 0 {
		c.weigh(4.5, "in a list of days for the hearing")
		return c
	}
	before := toBeHeld.ReplaceAllString(s.before[max(0, len(s.before)-220):], "")
	near := s.before[max(0, len(s.before)-70):]
	if line := d.lowIn(d.lines[s.line].start, date.start); len(line) < 120 && hearingLabel.MatchString(line) && !pastHearing.MatchString(line) {
		c.weigh(2, "on a line that names the hearing")
	}
	if !beforeDate.MatchString(near) && !beforeDate.MatchString(leadTo(near)) || untilWords.MatchString(near) && !strings.Contains(before, "hearing") || pastHearing.MatchString(d.sinceDate(date.start, before)) {
		return c
	}
	if paperDate.MatchString(before) || calledOff.MatchString(s.after) {
		return c
	}
	if r.issued.IsZero() && d.isRecognised(date.start) && !stillFixed.MatchString(before) {
		if hearingWord.MatchString(before) {
			c.weigh(2, "the sentence names a hearing, but not surely one to come")
		}
		return c
	}
	verb := lastMatch(hearingWord, before)
	switch answer := lastMatch(answerWord, before); {
	case verb < 0 && hearingAfter.MatchString(s.after) && !ownDate.MatchString(before):
		c.weigh(4.5, "the sentence goes on with the hearing")
	case verb < 0 && nowFixed.MatchString(before) && clockBehind.MatchString(s.after) && answer < 0:
		c.weigh(4.5, "the case is fixed for a time of this day")
	case verb < 0:
	case answer > verb && !strings.Contains(before[verb:], "appear") && strings.Contains(before[answer:], " by "):
	default:
		c.weigh(5, "the sentence is about a hearing on this day")
	}
	if c.score > 0 && r.injected.start <= date.start && date.start < r.injected.end {
		c.weigh(-10, "in words meant for a program")
	}
	return c
}

// hearingList gives the line that announces the list of days and times in which an offset stands, as one of several for the
// hearing: "you are offered hearing on any of the three dates below:"; -1 where it stands in none.
func (r *reading) hearingList(at int) int {
	const widest, longest = 70, 8
	d := r.doc
	for i := d.lineAt(at); i > 0 && d.lineAt(at)-i < longest; i-- {
		l := d.lines[i]
		days := d.datesIn(l.span)
		if l.end-l.start > widest || len(days) != 1 || !clockBehind.MatchString(d.lowIn(days[0].end, l.end)) {
			return -1
		}
		above := d.lines[i-1]
		if low := d.low[above.start:above.end]; strings.HasSuffix(low, ":") || strings.HasSuffix(low, ":-") {
			lead := d.lowIn(d.sentence(above.end-2).start, above.end)
			if hearingWord.MatchString(lead) && !pastHearing.MatchString(lead) {
				return i - 1
			}
			return -1
		}
	}
	return -1
}

// sinceDate gives the part of the words before an offset that follows the date before it, or all of them where the two
// dates are only joined, "on 3 May and on 4 June".
func (d *document) sinceDate(at int, before string) string {
	dates := d.datesIn(span{at - len(before), at})
	if len(dates) == 0 {
		return before
	}
	if since := d.lowIn(dates[len(dates)-1].end, at); len(since) > 12 {
		return since
	}
	return before
}

// isHearingLabel tells whether the words name the day of the hearing.
func isHearingLabel(label string) bool {
	label = strings.TrimSpace(label)
	if len(label) == 0 || len(label) > 90 || pastHearing.MatchString(label) || sentenceWord.MatchString(label) {
		return false
	}
	at := lastMatch(hearingLabel, label+":")
	if at < 0 && len(label) < 40 && strings.Count(label, " ") < 5 {
		at = lastMatch(hearingWord, label) // "Hearing", "Date to appear": few words that stand alone beside a day
	}
	return at >= 0 && lastMatch(answerWord, label) < at && !paperDate.MatchString(label)
}

// setHearing reads the time and the venue that stand with the date.
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
		} else {
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
		i++ // the value stands below
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
	// The cell goes on below where the line under it has nothing else.
	for j := i + 1; j < len(d.lines) && j <= i+2 && venue != "" && len(l.cells) > 1; j++ {
		next := d.lines[j]
		if next.first || next.page != l.page || len(next.cells) != 1 {
			break
		}
		venue += " " + d.text[next.start:next.end]
	}
	if len(venue) < 4 || strings.EqualFold(venue, "not applicable") {
		return nil
	}
	return &venue
}

var (
	paperDate = lazyregexp.New(`\b(?:scn|notice|letter|order|reply|reference|ref|no|number)\b[^;]{0,60}\b(?:dated?|dt)[ .:]*$`)
	ownDate   = lazyregexp.New(`\b(?:dated?|dt)[ .:]*$`)
)

var (
	// nowFixed says of the case or of its hearing, whose name may stand in the sentence before, that it is fixed.
	nowFixed    = lazyregexp.New(`\b(?:it|same|case|matter|proceedings?) (?:is|stands?|has been|will|shall) (?:now |hereby |therefore |again |accordingly )*(?:be )?(?:posted|listed|fixed|scheduled|adjourned|taken up|rescheduled|re-?fixed|on\b|held)`)
	clockBehind = lazyregexp.New(`^[ ,;(]*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day[), ]*)?(?:at )?[0-9]{1,2}(?:[:.][0-9]{2})? ?(?:a\.?m|p\.?m|hrs|hours|noon)`)
)

var hearingAfter = lazyregexp.New(`^[^.;]{0,45}(?:personal hearing|सुनवाई|be heard)`)

// upcoming tells whether the day is not before the notice, nor years after it.
// Where its date is not known, the month in its portal number stands for it.
func (r *reading) upcoming(when day) bool {
	if r.issued.IsZero() && r.hasPortalReference() {
		month, year := (*r.facts.Reference)[4:6], (*r.facts.Reference)[6:8]
		first := law.ParseDay("20" + year + "-" + month + "-01")
		return first.IsZero() || !when.Before(first) && when.Before(first.AddDays(431))
	}
	return r.issued.IsZero() && when.Year() >= 2017 || !r.issued.IsZero() && !when.Before(r.issued) && when.Before(r.issued.AddDays(400))
}

func lastMatch(sought *lazyregexp.Regexp, s string) int {
	all := sought.FindAllStringIndex(s, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

// clockIn reads the first time of day in the span, as "15:04".
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
		minute, _ := strconv.Atoi(group(2) + group(3))
		mark := strings.NewReplacer(".", "", " ", "").Replace(group(4))
		if mark == "" && group(3) == "" && (group(2) == "" || !strings.HasSuffix(strings.TrimSpace(text[:m[0]]), "at") && !strings.Contains(text[:m[0]], "time") && strings.Trim(text[:m[0]], " :.-=") != "") {
			continue
		}
		switch {
		case mark == "pm" && hour < 12:
			hour += 12
		case mark == "am" && hour == 12:
			hour = 0
		case mark == "बजे" && hour < 8 && strings.Contains(text[:m[0]], "अपराह्न"):
			hour += 12
		}
		if hour > 23 || minute > 59 || mark == "noon" && hour != 12 {
			continue
		}
		at := pad(hour) + ":" + pad(minute)
		return &at, s.start + m[1]
	}
	return nil, s.start
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

// venueAfter reads "in Room No. 14, State Tax Office, Kanpur, failing which".
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
