package gst

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/table"
	"munshi/orchestrator/message"
)

var (
	periodOfDay = lazyregexp.New(`\b(?:within|in|(?:given|granted|allowed)(?: time of)?|inside(?: of)?|not later than|not exceeding|not more than|(?:before|by|on or before) the (?:lapse|expiry|expiration|end|completion) of) (?:a |the |an )?(?:further |maximum |stipulated |prescribed )?(?:period of |time of |time period of |time limit of )?(?:next )?([a-z0-9-]+)(?: ?\(([a-z0-9 -]+?)(?: only)?\))? ?(clear |working |calendar |business )?(?:\([a-z ]+\) )?(days?|weeks?|months?|(?:a )?fortnight)(?: ?\([a-z0-9 ]+\))?'?s?(?: time)?\b|([0-9]{1,3}|[^ ]+)(?: ?\([^) ]{1,30}\))? ((?:कार्य ?)?(?:दिवसों|दिवस|दिनों|दिन)|माह|सप्ताह) (?:के (?:भीतर|अन्दर|अंदर)|में)`)
	runsFrom    = lazyregexp.New(`^,? ?(?:time )?(?:from|of|after|since|(?:reckoned|counted|counting|reckoning) from)\b(?: the)?(?: date)?(?: of)?(?: the)?(?: its)? ?(?:actual )?(receipt|service|issue|issuance|communication|intimation|uploading|delivery|this|such|the|said|date|notice|letter)?(.{0,40})`)
	// runsFromIssue matches words after a time that runs from the issue of a paper, not from its receipt, such as "of
	// issue of this notice" or "from the date of this notice".
	runsFromIssue = lazyregexp.New(`^,? ?(?:time )?(?:from|of|after)\b(?: the)?(?: date)?(?: of)?(?: the)? ?(?:issue|issuance|(?:this|the|such) (?:notice|letter|intimation|order)\b)`)
	unreadDays    = lazyregexp.New(`within .{1,30}\b(?:days|working|month)|(?:दिन|दिवस).{0,20}(?:भीतर|अन्दर)`)
)

// timeToReply is a number of days to reply, printed or fixed by law.
type timeToReply struct {
	span
	law.Allowed
	chance float64 // the chance that it applies to the reader of the paper
	asks   bool    // its sentence expressly asks for an answer
	own    bool    // its days expressly run from this paper
}

// The purposes of a number of days.
const (
	AnswerTime = "answer time"
	PayTime    = "pay time"
	PapersTime = "papers time"
	AppealTime = "appeal time"
	OtherTime  = "other time"
)

// printedTimes returns the numbers of days printed as the time to reply, each once. On an order, the time to appeal
// or to file the missing return counts; any other time is for payment. seen is true if such a time is printed but
// none could be accepted.
func (r *reading) printedTimes(onOrder bool) (times []timeToReply, seen bool) {
	d := r.doc
	if !onOrder {
		times = r.labelledTimes()
	}
	var beside []timeToReply // times to pay or to send papers
	var weighed []candidate
	defer func() { r.consider("time", weighed) }()
	for _, m := range d.periods() {
		noted := r.noteTime(m)
		chances := r.judge(TimeQuestion, noted).Chances
		s := d.sentence(m[0])
		after := d.lowIn(m[1], min(s.end, m[1]+200))
		t, ok := d.timeAt(m)
		r.record(TimeQuestion, fmt.Sprintf("%d %s", t.Count, t.Unit), noted)
		t.span = span{max(s.start, m[0]-120), max(m[1], min(s.end, m[1]+70))}
		role := AnswerTime
		if onOrder {
			role = AppealTime
		}
		t.asks = asksToAnswer.MatchString(d.lowIn(s.start, s.end)) || asToWhy.MatchString(after)
		t.own = ownPaper.MatchString(d.lowIn(m[1], min(s.end, m[1]+60)))
		c := candidate{span: t.span, value: fmt.Sprintf("%d %s", t.Count, t.Unit)}
		r.weighLearned(&c, TimeQuestion, role, chances[role], noted)
		weighed = append(weighed, c)
		if runsFromIssue.MatchString(after) {
			t.RunsFrom = "issue"
		}
		fits := ok && runsFromService(after) && !r.toldOfPast(m)
		switch {
		case onOrder && r.form != nil:
			if r.form.Form != "ASMT-13" || chances[PayTime]+chances[AppealTime] >= 0.5 || !fits {
				continue // its form has its own time
			}
		case onOrder:
			// An appeal that the order itself grants, for the time that the Act gives (sections 107(1) and 112(1)). Other times
			// stated in an order without a form are only offered.
			appeal := appealUnder107
			if r.facts.OnAppeal() {
				appeal = appealUnder112
			}
			if !fits || t.Count != 3 || t.Unit != "months" || chances[AppealTime] < 0.5 ||
				!appeal.MatchString(d.lowIn(s.start, s.end)) {
				continue
			}
		case concludes.MatchString(d.lowIn(s.start, s.end)) && !r.wantsNoAnswer():
			continue // a time to pay
		case chances[AnswerTime] >= 0.5,
			chances[AnswerTime] >= leastAnswer && ok && r.asksAnswer(m, s),
			r.form != nil && r.form.Form == "GSTR-3A" && ok && t.Count == r.form.Time.Count:
			if !fits {
				seen = true
				continue
			}
		default:
			if chances[AnswerTime]+chances[PapersTime]+chances[PayTime] >= 0.5 && fits && !hasTime(beside, t) {
				beside = append(beside, t)
			}
			continue
		}
		if !hasTime(times, t) {
			times = append(times, t)
		}
	}
	if sure := slices.IndexFunc(times, func(t timeToReply) bool { return t.asks && t.own }); sure >= 0 && len(times) > 1 {
		told := func(t timeToReply) bool { return t.asks || t.own }
		if !slices.ContainsFunc(times[:sure], told) && !slices.ContainsFunc(times[sure+1:], told) {
			times = times[sure : sure+1] // the others are only mentioned, such as the days to pay in a contract
		}
	}
	if len(times) == 0 && !seen && len(beside) == 1 && r.wantsNoAnswer() {
		return beside, false
	}
	if len(times) == 0 && !seen && !onOrder {
		for _, m := range unreadDays.FindAllStringIndex(d.low, 60) {
			if chances := r.judge(TimeQuestion, d.observe(span{m[0], m[1]}).all).Chances; chances[AnswerTime] >= 0.5 {
				seen = true
			}
		}
	}
	return times, seen
}

// concludes matches the statement that payment ends the matter, "the proceedings shall be deemed to be concluded"
// (sections 73(8) and 74(8)).
var concludes = lazyregexp.New(`\bproceedings?\b[^.;]{0,80}\bdeemed to (?:be|have been) (?:concluded|closed)\b`)

// appealUnder107 matches a sentence about an appeal to the appellate authority.
var appealUnder107 = lazyregexp.New(`\bappeal\b.*(?:\b107\b|\bapl ?-? ?01\b|\((?:appeals?)[^)]*\)|\bappellate authority\b)|(?:\b107\b|\bapl ?-? ?01\b|\bappellate authority\b).*\bappeal\b`)

// appealUnder112 matches a sentence about an appeal to the Appellate Tribunal.
var appealUnder112 = lazyregexp.New(`\bappeal\b.*(?:\b112\b|\bapl ?-? ?05\b|\btribunal\b)|(?:\b112\b|\bapl ?-? ?05\b|\btribunal\b).*\bappeal\b`)

// wantsNoAnswer reports whether the paper asks only for payment or papers. Then the time for these is the time to
// reply.
func (r *reading) wantsNoAnswer() bool {
	if r.form == nil {
		return r.facts.Kind == ""
	}
	return containsAny(r.form.Form, "DRC-01A", "DRC-01B", "DRC-01C", "DRC-01D", "DRC-13", "ADT-", "REG-03", "RFD-03")
}

// noteTime returns the observations on the words around a number of days.
func (r *reading) noteTime(m []int) []string { return r.doc.observe(span{m[0], m[1]}).all }

// statedTimes returns every number of days that the paper prints and that runs from its receipt or issue, whatever
// its purpose.
func (r *reading) statedTimes() (times []timeToReply) {
	const most = 4
	d := r.doc
	for _, m := range append(d.periods(), d.daysAlone()...) {
		s := d.sentence(m[0])
		if t, ok := d.timeAt(m); ok && len(times) < 4*most && !hasTime(times, t) && !r.toldOfPast(m) &&
			runsFromService(d.lowIn(m[1], min(s.end, m[1]+200))) {
			t.span = span{max(s.start, m[0]-120), max(m[1], min(s.end, m[1]+70))}
			chances := r.judge(TimeQuestion, r.noteTime(m)).Chances
			t.chance = chances[AnswerTime] + chances[PayTime] + chances[PapersTime]
			times = append(times, t)
		}
	}
	slices.SortStableFunc(times, func(a, b timeToReply) int { return cmp.Compare(b.chance, a.chance) })
	return times[:min(len(times), most)]
}

// periods returns the printed numbers of days that come with words that make them a limit, as in "within 30 days", or
// with the event from which they run, as in "thirty days from the receipt of this notice".
func (d *document) periods() [][]int {
	const most = 400
	all := slices.DeleteFunc(periodOfDay.FindAllStringSubmatchIndex(d.low, most), func(m []int) bool {
		return m[2] >= 0 && !countsSomething(d.low[m[2]:m[3]])
	})
	limited := slices.Clone(all)
	for _, m := range daysFromPaper.FindAllStringSubmatchIndex(d.low, most) {
		m[1] = m[11] // where the days end, before the event from which they run
		inside := slices.ContainsFunc(limited, func(have []int) bool { return have[0] < m[1] && m[0] < have[1] })
		if !inside && countOf(d.low[m[2]:m[3]]) > 0 && runsFromService(d.lowIn(m[1], m[1]+90)) {
			all = append(all, append(m[:10:10], -1, -1, -1, -1)) // there are no Hindi groups
		}
	}
	slices.SortStableFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}

// daysFromPaper matches a number of days with the paper from which they run, such as "30 days from the receipt of this
// notice".
var daysFromPaper = lazyregexp.New(`\b([0-9]{1,3}|[a-z]+(?:-[a-z]+)?)(?: ?\(([a-z0-9 -]+?)(?: only)?\))? ?(clear |working |calendar |business )?(days?|weeks?|months?)('?s?),? ?(?:time )?\b(?:from|of|after|since)\b(?: the)?(?: date)?(?: of)?(?: the)?(?: its| your)? ?(?:actual )?(?:receipt|receiving|service|being served|issue|issuance|communication|delivery|(?:this|the present) (?:notice|letter|intimation|communication|memo))`)

// labelledDays matches a number of days in the cell for the reply date, such as "within 30 days".
var labelledDays = lazyregexp.New(`^[ :.=-]*(?:within )?([0-9]{1,3}|[a-z]+)(?: ?\(([a-z0-9 -]+?)\))? ?(clear |working |calendar )?days\b`)

// labelledTimes returns the numbers of days printed in place of the reply date.
func (r *reading) labelledTimes() (times []timeToReply) {
	d := r.doc
	for _, m := range replyLabel.FindAllStringIndex(d.low[:r.extent()], 6) {
		value := d.lowIn(m[1], min(m[1]+90, d.lines[d.lineAt(m[1])].end))
		days := labelledDays.FindStringSubmatch(value)
		if days == nil || countOf(days[1]) == 0 || countOf(days[1]) > 180 ||
			days[2] != "" && countOf(days[2]) != countOf(days[1]) {
			continue
		}
		after := value[len(days[0]):]
		t := timeToReply{span: span{m[0], m[1] + len(days[0])},
			Allowed: law.Allowed{Count: countOf(days[1]), Unit: "days", RunsFrom: "service"}}
		if days[3] == "working " {
			t.Unit = "working days"
		}
		if runsFromIssue.MatchString(after) {
			t.RunsFrom = "issue"
		}
		if runsFromService(after) && !hasTime(times, t) {
			times = append(times, t)
		}
	}
	for _, m := range d.daysAlone() {
		l := d.lines[d.lineAt(m[0])]
		cell := l.cells[l.cellOf(m[0])]
		label := d.lowIn(cell.start, m[0])
		if strings.TrimSpace(label) == "" {
			label = d.cellBeside(d.lineAt(m[0]), l.cellOf(m[0]))
		}
		t, ok := d.timeAt(m)
		if !ok || !labelOfTime(label) || !runsFromService(d.lowIn(m[1], m[1]+90)) || hasTime(times, t) {
			continue
		}
		t.span = span{cell.start, max(m[1], l.end)}
		if runsFromIssue.MatchString(d.lowIn(m[1], m[1]+90)) {
			t.RunsFrom = "issue"
		}
		times = append(times, t)
	}
	return times
}

// labelOfTime reports whether words are only a label of the time to answer, such as "TIME TO ANSWER —" or "Reply
// time:".
func labelOfTime(low string) bool {
	const most = 6 // words
	label := strings.TrimRight(low, " ")
	name := strings.TrimRight(label, " :.=-–—|")
	return answerWord.MatchString(name) && len(strings.Fields(name)) <= most &&
		(name != label || strings.HasSuffix(low, "  ") || strings.HasPrefix(name, "time ")) &&
		!finite.MatchString(name) && !payWord.MatchString(name)
}

var payWord = lazyregexp.New(`\bpay|\bappeal|\bhearing`)

// daysAlone returns the numbers of days without a word that makes them a limit, as in "21 (twenty-one) days from", in
// the form of matches of periodOfDay.
func (d *document) daysAlone() [][]int {
	const most = 100
	var all [][]int
	for _, m := range bareDays.FindAllStringSubmatchIndex(d.low, most) {
		if countOf(d.low[m[2]:m[3]]) > 0 {
			all = append(all, append(m[:10:10], -1, -1, -1, -1)) // there are no Hindi groups
		}
	}
	return all
}

var bareDays = lazyregexp.New(`\b([0-9]{1,3}|[a-z]+(?:-[a-z]+)?)(?: ?\(([a-z0-9 -]+?)(?: only)?\))? ?(clear |working |calendar |business )?(days?|weeks?|months?)\b`)

func hasTime(times []timeToReply, t timeToReply) bool {
	for _, have := range times {
		if have.Count == t.Count && have.Unit == t.Unit {
			return true
		}
	}
	return false
}

// timeAt parses a match of periodOfDay. A number printed in both figures and words must agree.
func (d *document) timeAt(m []int) (timeToReply, bool) {
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return strings.TrimSpace(d.low[m[2*i]:m[2*i+1]])
	}
	if hindi := group(6); hindi != "" {
		t := timeToReply{Allowed: law.Allowed{Count: countOf(group(5)), Unit: "days", RunsFrom: "service"}}
		switch {
		case strings.HasPrefix(hindi, "कार्य"):
			t.Unit = "working days"
		case hindi == "माह":
			t.Unit = "months"
		case hindi == "सप्ताह":
			t.Count *= 7
		}
		return t, t.Count > 0
	}
	t := timeToReply{Allowed: law.Allowed{Count: countOf(group(1)), Unit: "days", RunsFrom: "service"}}
	if second := group(2); second != "" && t.Count != countOf(second) {
		return t, false
	}
	switch unit := group(4); {
	case strings.Contains(unit, "fortnight"):
		t.Count *= 14
	case strings.HasPrefix(unit, "week"):
		t.Count *= 7
	case strings.HasPrefix(unit, "month"):
		t.Unit = "months"
	}
	switch group(3) {
	case "working", "business":
		t.Unit = "working days"
	}
	return t, t.Count > 0 && t.Count <= 180
}

// runsFromService reports whether the days run from this notice, not from some other event.
func runsFromService(after string) bool {
	if countsBack.MatchString(after) || earlierPaper.MatchString(after) && !ownPaper.MatchString(after) {
		return false
	}
	m := runsFrom.FindStringSubmatch(after)
	if m == nil {
		return true // "within 15 days failing which"
	}
	rest := m[1] + m[2]
	return !otherEvent.MatchString(rest) || thisPaper.MatchString(rest)
}

var (
	otherEvent = lazyregexp.New(`hearing|relied|document|order of|payment|complet|inspection|appeal|return|supply|month|invoice|detention|seizure|deposit|the end|quarter|year|registration|cancel|visit|application`)
	// countsBack matches words after days that are counted back from another date, as in "three days before the
	// hearing".
	countsBack = lazyregexp.New(`^,? ?(?:time )?(?:before|prior to|preceding|in advance|ahead of|earlier than|previous to)\b`)
	// notInTime matches words before a time that somebody did not keep, as in "has not been submitted within seven
	// days".
	notInTime = lazyregexp.New(`\b(?:(?:has|have|had) (?:also )?not|(?:was|were|did) not|(?:has|have|had) (?:also )?failed|failed|omitted|neglected)\b[^,;:.]{0,60}$`)
	// earlierPaper matches a paper that is identified by its date, number or form, from which the time runs; ownPaper
	// and thisPaper match the paper that is read.
	earlierPaper = lazyregexp.New(`^,? ?(?:time )?(?:from|of|after)\b[^.;,]{0,50}\b(?:notice|letter|intimation|memo|communication|order|report)s? (?:dated|dt\b|of [0-9]|no\b|bearing|in (?:form )?(?:gst )?(?:drc|asmt|adt|reg|mov))`)
	ownPaper     = lazyregexp.New(`\b(?:this|present) (?:[a-z]+ ){0,3}(?:notice|letter|intimation|communication|memo|order|report|corrigendum|summons)|\bhereof\b|इस (?:नोटिस|सूचना|पत्र|आदेश)`)
	thisPaper    = lazyregexp.New(`notice|letter|intimation|communication|report|memo\b|receipt of this|service of this|this order`)
)

// leastAnswer is the chance from which days that run from this paper, in a sentence that asks only for an answer,
// are the time to reply.
const leastAnswer = 0.2

// asksAnswer reports whether a sentence asks for an answer within days that run from the receipt of this paper, and
// neither for money nor for attendance.
func (r *reading) asksAnswer(m []int, s span) bool {
	d := r.doc
	low := d.lowIn(s.start, s.end)
	return ownPaper.MatchString(d.lowIn(m[1], min(s.end, m[1]+60))) && asksToAnswer.MatchString(low) &&
		!payWord.MatchString(low) && !onlyIf.MatchString(low)
}

// asksToAnswer matches an express request for an answer, such as "show cause" or "submit a reply".
var asksToAnswer = lazyregexp.New(`\bshow cause\b|\b(?:file|furnish|submit|send|give|offer|tender|make|render)s? (?:a |an |the |your |their |his |its |any |written )*(?:repl(?:y|ies)|explanation|submissions?|objections?|representation|comments|remarks|response)\b|\b(?:reply|explanation|submissions|objections|comments|remarks|compliance|response)\b[^.;]{0,60}\b(?:reach|be (?:filed|furnished|submitted|sent|given|made))\b`)

// asToWhy matches the words after the days in a notice to show cause.
var asToWhy = lazyregexp.New(`^[^.;]{0,80}\bas to why\b`)

// toldOfPast reports whether a number of days has already passed without the required action. Days that run from this
// paper have not passed.
func (r *reading) toldOfPast(m []int) bool {
	const near = 110
	d := r.doc
	s := d.sentence(m[0])
	before := d.lowIn(max(s.start, m[0]-near), m[0])
	return notInTime.MatchString(before) && !onlyIf.MatchString(before) && !ownPaper.MatchString(d.lowIn(m[1], m[1]+60))
}

// countOf parses a number in figures or words. It returns 0 if there is none.
func countOf(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	// "3O" and "l5": letters in place of digits, beside at least one real digit.
	if n, end, ok := parseNumber(s, 0, 3); ok && end == len(s) && len(s) > 1 {
		return n
	}
	s = strings.ReplaceAll(s, "-", " ")
	if n, ok := numbers[s]; ok {
		return n
	}
	if tens, ones, ok := strings.Cut(s, " "); ok && numbers[tens] >= 20 && numbers[ones] > 0 && numbers[ones] < 10 {
		return numbers[tens] + numbers[ones]
	}
	return 0
}

// countsSomething reports whether a word is a number, or looks like a misread one because it has a digit or is one
// letter off the name of a number. In "in the months of", the word before "months" is not one.
func countsSomething(word string) bool {
	if countOf(word) > 0 || strings.ContainsAny(word, "0123456789") {
		return true
	}
	for name := range numbers {
		if len(name) > 2 && table.WithinOne(word, name) {
			return true
		}
	}
	return false
}

var numbers = map[string]int{
	"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "fourteen": 14, "fifteen": 15, "sixteen": 16, "eighteen": 18, "twenty": 20,
	"thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "तीन": 3, "पाँच": 5, "पांच": 5,
	"सात": 7, "दस": 10, "पन्द्रह": 15, "पंद्रह": 15, "बीस": 20, "इक्कीस": 21, "तीस": 30, "पैंतालीस": 45, "साठ": 60,
	"एक": 1,
}

// formTime returns the time that the law fixes for the form. For a notice it counts only if the whole text could be
// read with certainty and no day is left that could be the reply date.
func (r *reading) formTime(onOrder bool) (timeToReply, bool) {
	if r.form == nil || r.form.Time == nil || !r.canCount(*r.form.Time) {
		return timeToReply{}, false
	}
	t := timeToReply{Allowed: *r.form.Time}
	if onOrder {
		return t, true
	}
	if len(r.facts.OCRPages) > 0 {
		return t, false
	}
	from, _ := r.countedFrom(t.Allowed)
	for _, date := range r.doc.dates {
		if date.day.After(from) && (r.facts.Hearing == nil || date.day.ISO() != r.facts.Hearing.Date) {
			return t, false
		}
	}
	return t, true
}

// countedFrom returns the day from which a time to reply runs, and a message that says so.
func (r *reading) countedFrom(t law.Allowed) (from day, why message.Message) {
	switch {
	case t.RunsFrom == "issue":
		return r.issued, message.New("reply_due.from_issue", nil)
	case !r.served.IsZero():
		return r.served, message.New("reply_due.from_service", message.Params{"date": message.Date(r.served.ISO())})
	}
	return r.issued, message.New("reply_due.from_issue_unserved", nil)
}

// canCount reports whether the day from which the time runs is known with certainty.
func (r *reading) canCount(t law.Allowed) bool {
	return t.RunsFrom != "issue" && !r.served.IsZero() || !r.issued.IsZero() && !r.issueDateDoubtful()
}

// issueDateDoubtful reports whether text recognition may have misread the date of issue: the portal number or the DIN
// contains another month.
func (r *reading) issueDateDoubtful() bool {
	if r.sure("issue_date") || !r.doc.recognised[r.facts.Evidence["issue_date"].Page-1] {
		return false
	}
	if din := r.facts.DIN; din != nil && len(*din) == 20 && strings.HasPrefix(*din, "20") {
		return (*din)[:6] != r.issued.Format("200601")
	}
	if r.hasPortalReference() {
		return (*r.facts.Reference)[4:8] != r.issued.Format("0106")
	}
	return false
}
