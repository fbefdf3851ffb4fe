package gst

import (
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/pattern"
)

var (
	hearingLabel = pattern.New(`date (?:and time )?of (?:the )?(?:personal )?hearing|personal hearing date|hearing date|p\.?h\.? date|सुनवाई की (?:तिथि|दिनांक)`)
	timeLabel    = pattern.New(`time of (?:the )?(?:personal )?hearing|hearing time|सुनवाई का समय`)
	venueLabel   = pattern.New(`venue (?:where|of|for)(?: the)?(?: personal)?(?: hearing)?(?: (?:will|shall|is to|to) be)?(?: held)?|\bvenue\b`)
	clock        = pattern.New(`\b(\d{1,2})(?: ?[:.] ?(\d{2})| ?(\d{2}) ?(?:hrs|hours))? ?(a\.? ?m\b|p\.? ?m\b|hrs|hours|noon|बजे|)`)

	// The words that say what happens on a date. The nearest before it decides.
	hearingWord = pattern.New(`hearing|appear\b|appearance|be heard|heard in person|सुनवाई|उपस्थित`)
	pastHearing = pattern.New(`was (?:heard|fixed|granted|held|given|attended|scheduled|offered)|were (?:heard|fixed|granted|held|given)|had (?:appeared|attended)|appeared|attended|did not (?:appear|attend)|held on|adjourned from|not availed|concluded on`)
	beforeDate  = pattern.New(`(?:\bon|\bfor|\bat|\bdated?|\bis fixed|scheduled|दिनांक|दि\.) ?(?:the )?(?:date )?[:.-]? ?(?:[0-9:. apmhrs,]{0,14} on )?(?:(?:mon|tues|wednes|thurs|fri|satur)day,? ?)?$`)
)

// readHearing reads the personal hearing that is still to come: a date before
// the notice tells of one that was held.
func (r *reading) readHearing() {
	if r.form != nil && r.form.Form == "ADT-01" {
		return // there the person attends with the books
	}
	if !r.labelledHearing() {
		r.hearingInProse()
	}
}

func (r *reading) labelledHearing() bool {
	d := r.doc
	for _, m := range hearingLabel.FindAllStringIndex(d.low[:r.extent()], 5) {
		dates := d.datesIn(span{m[1], m[1] + 60})
		if len(dates) == 0 || !r.upcoming(dates[0].day) {
			continue
		}
		// Another label in between: the values stand apart from their labels.
		if between := d.lowIn(m[1], dates[0].start); containsAny(between, "reply", "issue", "order", "time of", "venue") || timeLabel.MatchString(between) {
			continue
		}
		date := dates[0]
		h := Hearing{Date: date.day.ISO()}
		if t := timeLabel.FindStringIndex(d.lowIn(date.end, date.end+160)); t != nil {
			h.Time, _ = d.clockIn(span{date.end + t[1], date.end + t[1] + 40})
		} else {
			h.Time, _ = d.clockIn(span{date.end, date.end + 30})
		}
		h.Venue = r.labelledVenue(date.end)
		r.facts.Hearing = &h
		r.cite("hearing", span{m[0], date.end})
		return true
	}
	return false
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

func (r *reading) hearingInProse() {
	d := r.doc
	for _, date := range d.dates {
		if !r.upcoming(date.day) {
			continue
		}
		s := d.sentence(date.start)
		before := d.lowIn(max(s.start, date.start-220), date.start)
		after := d.lowIn(date.end, min(s.end, date.end+240))
		if !beforeDate.MatchString(before[max(0, len(before)-70):]) || pastHearing.MatchString(before) {
			continue
		}
		if paperDate.MatchString(before) || r.issued.IsZero() && d.isRecognised(date.start) {
			continue
		}
		verb := lastMatch(hearingWord, before)
		if verb < 0 && (!hearingAfter.MatchString(after) || ownDate.MatchString(before)) {
			continue
		}
		if answer := lastMatch(answerWord, before); answer > verb && verb >= 0 && !strings.Contains(before[verb:], "appear") && strings.Contains(before[answer:], " by ") {
			continue
		}
		h := Hearing{Date: date.day.ISO()}
		var clockEnd int
		h.Time, clockEnd = d.clockIn(span{date.end, min(s.end+12, date.end+60)})
		if h.Time == nil {
			h.Time, _ = d.clockIn(span{max(s.start, date.start-30), date.start})
			clockEnd = date.end
		}
		h.Venue = d.venueAfter(clockEnd, s.end)
		r.facts.Hearing = &h
		r.cite("hearing", span{max(s.start, date.start-160), max(date.end, clockEnd)})
		return
	}
}

var (
	paperDate = pattern.New(`\b(?:scn|notice|letter|order|reply|reference|ref|no|number)\b[^;]{0,60}\b(?:dated?|dt)[ .:]*$`)
	ownDate   = pattern.New(`\b(?:dated?|dt)[ .:]*$`)
)

var hearingAfter = pattern.New(`^[^.;]{0,45}(?:personal hearing|सुनवाई|be heard)`)

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

func lastMatch(sought *pattern.Pattern, s string) int {
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
	venueStart = pattern.New(`^[ ,.;-]*(?:hrs|hours)?[ ,.]*(?:before the undersigned )?(?:in|at)(?: the)?(?: office of the undersigned)?,? `)
	venueEnd   = pattern.New(`,? (?:failing|along with|with|to |for |and |so as|either|through|if )|[;]|\. [A-Z]|$`)
)

// venueAfter reads "in Room No. 14, State Tax Office, Kanpur, failing which".
func (d *document) venueAfter(at, limit int) *string {
	limit = min(max(limit, at), at+200, len(d.text))
	m := venueStart.FindStringIndex(d.lowIn(at, limit))
	if m == nil {
		return nil
	}
	start := at + m[1]
	end := start + venueEnd.FindStringIndex(d.text[start:limit])[0]
	venue := strings.Trim(d.text[start:end], " .,;")
	if len(venue) < 8 || !isLatin(venue) || !hasLetters(venue[:1]) {
		return nil
	}
	return &venue
}
