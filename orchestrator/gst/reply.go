package gst

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// The last day to reply is the one fact whose error costs a case. A printed
// date is taken only if it stands where a date to reply stands, after the date
// of issue, and no second one contradicts it. A printed number of days is
// counted only if it is the time to reply and not to pay, appear or appeal.
// The form's own time counts only if the notice prints neither, and nothing in
// it looks like a date to reply that could not be read.

var (
	// Words that say what is to be done by a date or within days: the nearest decides.
	answerWord = lazyregexp.New(answerWords)
	payWord    = lazyregexp.New(`\bpay\b|payment|\bpaid\b|deposit|discharge|reverse`)
	doWord     = lazyregexp.New(answerWords + `|\bpay\b|payment|\bpaid\b|deposit|discharge|reverse|appear\b|appearance|attend\b|hearing|be heard|उपस्थित|सुनवाई|appeal|conclud|returns?\b|documents?\b|records?\b|books\b|produce|refund|rectif`)
	duty       = lazyregexp.New(`direct|requir|request|call(?:ed)? upon|advis|extended|asked|should|shall|\bmay\b|must|kindly|please|opportunity|\b(?:file|submit|furnish|send|give|lodge) (?:your|the|a|its|it|his) ?(?:reply|response|explanation|submissions?|objections?|version|defence)?|so as to reach|failing which|expected|\byou have\b|presumed|(?:are|is) to\b|\bneed(?:s|ed)? to\b|has to\b|invited|(?:is|are) (?:hereby )?(?:granted|given|allowed)|time to (?:respond|reply)|karein|karen\b|prastut|dijiye|अवसर|दिया जाता|निर्देश|अपेक्षा|अपेक्षित|करें|करे|दें|चाहिए|चाहिये|बता(?:यें|एं|एँ|इए|वें)|जा(?:ए|ये|वे)|कृपया`)

	// limitWord is what a label of a last day has besides the word for what is due.
	limitWord = lazyregexp.New(`\bby\b|before|\blast\b|\bdue\b|\blater\b|latest|\bwithin\b|cut[ -]?off|\bfinal\b|dead ?line|expir|\buntil\b|\btill\b|\bup ?to\b|compl(?:y|iance)|date (?:for|of|to)|to be (?:filed|furnished|submitted|given|made|received)|closing|तक|अंतिम|अन्तिम|antim`)
	// anyDue is the label of a last day that does not say for what.
	anyDue = lazyregexp.New(`^(?:due|last|final|compliance|cut[ -]?off|closing|target) (?:due )?(?:date|day)|^date of compliance|^dead ?line`)

	untilWords  = lazyregexp.New(`(?:\bby|\bon ?(?:or|/|and) ?before|(?:not|no) later than|not beyond|latest (?:by|on)|\bup ?to|\btill|\buntil|\bbefore|\bprior to|expir(?:es|ing) on|(?:closes|ends) on)(?: or on| latest by)? ?(?:(?:the )?(?:close|end) of (?:the )?(?:office|business|working|day)(?: hours?| day)?,? ?(?:on|of)? ?)?(?:[0-9]{1,2}(?:[:.][0-9]{2})? ?(?:a\.?m\.?|p\.?m\.?|hrs|hours|noon) ?(?:of|on|,)? ?)?(?:the )?(?:date )?(?:of |dated )?[:,-]? ?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? ?)?(?:the )?(?:दिनांक )?$`)
	unreadDate  = lazyregexp.New(`(?:\bby|on or before|not later than|latest by) (?:the )?(?:dt\.? ?)?(?:[^ ]{0,4} ?[/.-] ?[^ ]{1,4} ?[/.-] ?[^ ]{2,5}|[_.]{3,}|\d{1,2}(?:st|nd|rd|th)\b|[^,;:]{0,18}\b20\d\d\b)`)
	hindiUntil  = lazyregexp.New(`^ ?(?:tak\b|तक|से पूर्व|से पहले|के पूर्व|को या (?:उससे|उसके|इससे|इसके) (?:पूर्व|पहले)|या (?:उससे|उसके|इससे|इसके) (?:पूर्व|पहले))`)
	periodOfDay = lazyregexp.New(`\b(?:within|in|(?:given|granted|allowed)(?: time of)?|inside(?: of)?|not later than|not exceeding|not more than|(?:before|by|on or before) the (?:lapse|expiry|expiration|end|completion) of) (?:a |the |an )?(?:further |maximum |stipulated |prescribed )?(?:period of |time of |time period of |time limit of )?(?:next )?([a-z0-9-]+)(?: ?\(([a-z0-9 -]+?)(?: only)?\))? ?(clear |working |calendar |business )?(?:\([a-z ]+\) )?(days?|weeks?|months?|(?:a )?fortnight)(?: ?\([a-z0-9 ]+\))?'?s?(?: time)?\b|([0-9]{1,3}|[^ ]+)(?: ?\([^) ]{1,30}\))? ((?:कार्य ?)?(?:दिवसों|दिवस|दिनों|दिन)|माह|सप्ताह) (?:के (?:भीतर|अन्दर|अंदर)|में)`)
	runsFrom    = lazyregexp.New(`^,? ?(?:time )?(?:from|of|after|since|(?:reckoned|counted|counting|reckoning) from)\b(?: the)?(?: date)?(?: of)?(?: the)?(?: its)? ?(?:actual )?(receipt|service|issue|issuance|communication|intimation|uploading|delivery|this|such|the|said|date|notice|letter)?(.{0,40})`)
	// "of issue of this notice", "from the date of this notice": not of its receipt.
	runsFromIssue = lazyregexp.New(`^,? ?(?:time )?(?:from|of|after)\b(?: the)?(?: date)?(?: of)?(?: the)? ?(?:issue|issuance|(?:this|the|such) (?:notice|letter|intimation|order)\b)`)
	unreadDays    = lazyregexp.New(`within .{1,30}\b(?:days|working|month)|(?:दिन|दिवस).{0,20}(?:भीतर|अन्दर)`)
)

// answerWords are the words for a reply and for giving one.
const answerWords = `repl(?:y|ies)\b|respon(?:d|se)\b|explain|explanation|show cause|show-cause|\bcause\b|submissions?\b|objections?\b|written statement|clarif|represent|defence|your say|your version|your stand|contentions?\b|rejoinder|\banswer|comments|उत्तर|जवाब|स्पष्टीकरण|प्रत्युत्तर|कारण बता|कारण पृच्छा|आपत्ति|अभ्यावेदन|पक्ष प्रस्तुत|\bjawab|\buttar\b|spashtikaran`

// readReplyDue finds the last day to reply.
func (r *reading) readReplyDue() {
	due := &r.facts.ReplyDue
	onOrder := r.form != nil && r.form.Kind == "order"
	var times []timeToReply
	unknown := func(why string, params message.Params) {
		*due = because("unknown", why, params)
		if len(times) == 0 && !onOrder && r.isOrder() { // one without a form of its own: the time to appeal that it states
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
			unknown("several_dates", message.Params{"one": message.Date(distinct[0].ISO()), "other": message.Date(distinct[1].ISO())})
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

// because returns a reply date with where it comes from, or why there is none.
func because(source, code string, params message.Params) ReplyDue {
	said := message.New("reply_due."+code, params)
	return ReplyDue{Source: source, Basis: &said.English, Said: said}
}

// considerReckoned puts beside the dates that were weighed the days to which the times to reply come, counted from each day that
// may be that of the notice. Where there is neither, any day still to come may be the one, if the paper wants an answer.
func (r *reading) considerReckoned(times []timeToReply, onOrder bool) {
	const mostDays = 3
	if len(times) == 0 && r.form != nil && r.form.Time != nil {
		times = []timeToReply{{Allowed: *r.form.Time}}
	}
	var from []day
	switch {
	case !r.served.IsZero():
		from = []day{r.served}
	case !r.issued.IsZero():
		from = []day{r.issued}
		for _, c := range r.considered["issue_date"] { // an order may be dated on one day and issued on another
			if day := law.ParseDay(c.Value); r.isOrder() && c.Score > 0 && !slices.Contains(from, day) {
				from = append(from, day)
			}
		}
	default:
		for _, c := range r.facts.Candidates["issue_date"] {
			from = append(from, law.ParseDay(c.Value))
		}
	}
	var all []candidate
	for _, t := range times {
		for _, day := range from[:min(len(from), mostDays)] {
			last, _ := r.law.After(t.Allowed, day, r.state())
			c := candidate{span: t.span, value: last.ISO()}
			c.weigh(2, fmt.Sprintf("%d %s from %s", t.Count, t.Unit, day.ISO()))
			all = append(all, c)
		}
	}
	r.consider("reply_due", all)
	if len(r.considered["reply_due"]) > 0 || onOrder {
		return
	}
	answers := answerWord.MatchString(r.doc.low[:r.extent()])
	for _, date := range r.doc.dates {
		if len(all) == mostCandidates {
			break
		}
		if !answers && !untilWords.MatchString(r.doc.lowIn(date.start-80, date.start)) {
			continue // a paper that wants no answer may want papers until then
		}
		if !r.issued.IsZero() && date.day.After(r.issued) && r.upcoming(date.day) && (r.facts.Hearing == nil || r.facts.Hearing.Date != date.day.ISO()) {
			c := candidate{span: date.span, value: date.day.ISO()}
			c.weigh(1, "a day still to come")
			all = append(all, c)
		}
	}
	r.consider("reply_due", all)
}

// Scores of dates to reply: one from which a date is printed as such, and one that a date has which is printed for
// something that goes with the reply.
const (
	leastReply = 4.5
	besideIt   = 3
)

// printedReplyDates gives the dates printed as the last day to reply. Seen is
// true when the notice names such a day but none could be taken.
func (r *reading) printedReplyDates() (dates []dated, seen bool) {
	const most = 1000
	d := r.doc
	var all []candidate
	days := map[string]day{}
	for _, date := range slices.Concat(d.dates[:min(len(d.dates), most)], r.instantDates()) {
		if !r.upcoming(date.day) {
			continue
		}
		if c := r.weighReply(date); len(c.why) > 0 {
			all = append(all, c)
			days[c.value] = date.day
		}
	}
	payments := []dated{}
	for _, c := range r.consider("reply_due", all) {
		found := dated{c.quote, days[c.value]}
		switch {
		case c.score >= leastReply:
			dates = append(dates, found)
		case c.score >= besideIt:
			payments = append(payments, found)
		}
	}
	unread, empty := r.unreadLabelOfReply()
	seen = empty && len(dates) == 0
	// A day to pay or to bring papers is the day to reply only where the notice
	// asks for nothing else.
	if len(dates) == 0 && !seen && (len(r.facts.OCRPages) == 0 || r.onlyUpcoming(payments)) && len(distinctDays(payments)) == 1 && (r.form == nil && !d.contains(span{0, r.extent()}, "show cause") || r.form != nil && containsAny(r.form.Form, "DRC-01A", "DRC-01D", "DRC-13", "ADT-", "REG-03")) {
		dates = payments
	}
	if unread || !seen && len(dates) == 0 && r.unreadReplyDate() {
		dates, seen = nil, true // what cannot be read may be another day
	}
	return dates, seen
}

// onlyUpcoming reports whether every date of the notice that lies after its date of issue is one of these.
func (r *reading) onlyUpcoming(dates []dated) bool {
	return !slices.ContainsFunc(r.doc.dates, func(other dated) bool {
		return other.day.After(r.issued) && !slices.ContainsFunc(dates, func(d dated) bool { return d.day.Equal(other.day.Time) })
	})
}

// weighReply weighs a date as the last day to reply: by its label, or by what the sentence wants done until then.
func (r *reading) weighReply(date dated) candidate {
	d := r.doc
	s := d.around(date.span)
	sentence := d.sentence(date.start)
	c := candidate{span: date.span, quote: span{max(sentence.start, date.start-160), date.end}, value: date.day.ISO()}
	near := s.before[max(0, len(s.before)-110):]
	until := untilWords.MatchString(near) || untilWords.MatchString(leadTo(near)) || hindiUntil.MatchString(s.after)
	audit := r.form != nil && r.form.Form == "ADT-01" && beforeDate.MatchString(near)
	if interestUpTo.MatchString(near) {
		return c // interest is reckoned up to this day
	}
	if until || audit {
		switch r.action(sentence, s.before, s.after) {
		case "answer":
			c.weigh(5.5, "the sentence asks for a reply by this day")
		case "pay":
			c.weigh(besideIt, "the sentence asks for payment by this day")
		case "attend":
			if audit && d.contains(sentence, "produce", "books", "records") {
				c.weigh(5, "the books are to be produced on this day")
			}
		case "produce":
			if audit || r.form == nil || r.form.Form == "ADT-02" || r.form.Form == "REG-03" {
				c.weigh(besideIt, "the sentence asks for papers by this day")
			}
		case "":
			if r.form == nil && wantsPapers.MatchString(s.before) && duty.MatchString(s.before) && !pastDuty.MatchString(s.before) {
				c.weigh(besideIt, "the sentence asks for something to be sent by this day")
			}
		case "return":
			if r.form != nil && r.form.Form == "GSTR-3A" {
				c.weigh(5.5, "the sentence asks for the return by this day")
			}
		}
		if c.score > 0 && hindiUntil.MatchString(s.after) {
			c.quote.end = min(sentence.end, date.end+120) // there the verb comes last
		}
	}
	if c.score < leastReply {
		r.weighReplyLabel(&c, s)
	}
	if line := d.lowIn(d.lines[s.line].start, date.start); c.score == 0 && len(line) < 120 && answerWord.MatchString(line) && limitWord.MatchString(line) && !repliedWords.MatchString(line) {
		c.weigh(2, "on a line that names the reply and a last day")
	}
	if c.score > 0 && r.injected.end > r.injected.start && date.start >= r.injected.start && date.start < r.injected.end {
		c.weigh(-10, "in words meant for a program")
	}
	return c
}

// interestUpTo is what stands before the day up to which interest was reckoned.
var interestUpTo = lazyregexp.New(`\binterest\b[^.;]{0,80}\b(?:runs?|calculated|computed|worked|reckoned|charged|taken|is)\b[^.;]{0,12}\b(?:up ?to|till|until)(?: the)? ?$`)

// weighReplyLabel weighs what stands to the left of a date and above it.
func (r *reading) weighReplyLabel(c *candidate, s surroundings) {
	own := strings.Trim(s.own, " :.=(-")
	switch {
	case own != "" && isReplyLabel(own):
		c.weigh(6, "labelled as the day to reply by")
	case own != "" && onlyReply.MatchString(strings.TrimSpace(own)) && strings.Contains(s.own, ":"), own == "" && s.alone && onlyReply.MatchString(strings.TrimSpace(s.left)):
		c.weigh(5, "behind the word for the reply, on a day still to come")
	case own != "" && anyDue.MatchString(own) && !hearingWord.MatchString(own):
		c.weigh(besideIt, "labelled as a last day")
	case own != "":
	case isReplyLabel(s.left):
		c.weigh(6, "the cell to the left names the day to reply by")
	case s.alone && !s.named() && isReplyLabel(s.above) && !r.labelAbove(s):
		c.weigh(6, "the cell above names the day to reply by")
	case s.alone && (anyDue.MatchString(s.left) || !s.named() && anyDue.MatchString(s.above)):
		c.weigh(besideIt, "labelled as a last day")
	}
	if c.score > 0 {
		c.quote.start = r.doc.lines[s.line].start
		if s.left != "" && own == "" {
			c.quote.start = max(c.quote.start, c.start-len(s.left)-len(s.own)-8)
		}
	}
}

// onlyReply is a label that has no word but that for the reply.
var onlyReply = lazyregexp.New(`^(?:\(?[0-9a-z]{1,3}[.)] ?)?(?:your |the |written )?(?:reply|response|explanation|submissions?|objections?|answer|representation)(?: in (?:form )?(?:gst )?[a-z]{3,4} ?-? ?[0-9]{2})? ?[:.-]*$`)

// isReplyLabel tells whether the words name the last day to reply: a word for the reply and one for a limit, and no other
// thing named nearer to the value.
func isReplyLabel(label string) bool {
	if at := strings.LastIndex(label, ". "); at > 0 && at < len(label)-6 {
		label = label[at+2:]
	}
	label = strings.TrimSpace(label)
	if len(label) > 110 || sentenceWord.MatchString(label) || pastDuty.MatchString(label) || repliedWords.MatchString(label) {
		return false
	}
	answer := lastMatch(answerWord, label)
	return answer >= 0 && limitWord.MatchString(label) && lastMatch(hearingWord, label) < answer && lastMatch(payWord, label) < answer &&
		!otherLabel.MatchString(label[answer:])
}

// labelAbove tells whether another label stands above the one above the value: which value is whose cannot be told.
func (r *reading) labelAbove(s surroundings) bool {
	d := r.doc
	for i := s.line - 1; i > max(0, s.line-3); i-- {
		above := d.lowIn(d.lines[i-1].start, d.lines[i-1].end)
		if len(d.lines[i].cells) == 1 && len(d.lines[i-1].cells) == 1 && len(above) < 70 && (isReplyLabel(above) || hearingLabel.MatchString(above)) {
			return true
		}
	}
	return false
}

// replyLabel is the label of the day to reply by, where its value may be empty or spoilt.
var replyLabel = lazyregexp.New(`(?:date by which|(?:last|due|final) date (?:for|of|to)|date (?:for|of)) (?:[a-z]+ ){0,4}?(?:repl(?:y|ies)|response|explanation|submissions?|objections?)(?: (?:in|has|is|are|have|should|shall|to|be|been|submitted|furnished|filed|given|made|received|sent|form|gst|drc ?- ?06|on portal|by)\b)*|repl(?:y|ies) (?:due|to be (?:submitted|furnished|filed)) (?:date|by|on(?: or before)?)|(?:उत्तर|जवाब) (?:देने|प्रस्तुत करने|दाखिल करने) की (?:अंतिम|अन्तिम) (?:तिथि|दिनांक)`)

// unreadLabelOfReply tells whether a label of the day to reply by stands beside what cannot be read as a date, and whether
// one stands beside nothing that could be one.
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

// instantDates gives days of the month in which the paper was issued, "the 27th instant", or of the next, "proximo".
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

// sentenceWord is what a label has not.
var sentenceWord = lazyregexp.New(`\b(?:if|you|your|will|would|why|therefore|hereby|upon|undersigned)\b`)

var (
	repliedWords = lazyregexp.New(`\b(?:received|filed on|submitted on|replied|furnished on|already|was|were)\b`)
	otherLabel   = lazyregexp.New(`hearing|venue|date of (?:issue|order)|designation`)
	unreadCell   = lazyregexp.New(`^[ :.=-]*[0-9a-z]{1,2} ?[./-] ?[0-9a-z]{1,3} ?[./-] ?[0-9a-z]{2,4}\b`)
	emptyCell    = lazyregexp.New(`^[ :.=-]*(?:na\b|n\.a\.|nil\b|not applicable|-+ |$)`)
)

// action tells what the sentence wants done by its date or within its days: the
// nearest word before, or where the sentence begins with the date, the first
// word after it. A sentence that asks for nothing wants nothing: a reply that
// was filed is not one to be filed.
func (r *reading) action(sentence span, before, after string) string {
	if !duty.MatchString(r.doc.lowIn(sentence.start, sentence.end)) {
		return ""
	}
	if pastDuty.MatchString(before) {
		return "" // what an earlier paper asked for
	}
	if r.namesAnswer(sentence) {
		return "answer"
	}
	before = withPapers.ReplaceAllString(before, "")
	word := ""
	if at := doWord.FindAllStringIndex(before, -1); len(at) > 0 {
		last := at[len(at)-1]
		word = before[last[0]:last[1]]
		if len(at) > 1 && payWord.MatchString(word) {
			// "to reply or to pay within 15 days" gives one time for both
			earlier := at[len(at)-2]
			if between := before[earlier[1]:last[0]]; answerWord.MatchString(before[earlier[0]:earlier[1]]) && len(between) < 90 && eitherWord.MatchString(between) {
				word = before[earlier[0]:earlier[1]]
			}
		}
	} else {
		word = doWord.FindString(after)
	}
	if word == "" && lastChance.MatchString(before) && answerWord.MatchString(r.doc.lowIn(sentence.start-240, sentence.start)) {
		return "answer" // "... no reply came. A last opportunity is given till 5 May"
	}
	if word == "" && r.form != nil && r.form.Form == "GSTR-3A" {
		return "return" // "File it within fifteen days"
	}
	if shown := r.form != nil && r.form.Form == "ADT-01" && shownBooks.MatchString(before); shown && answerWord.FindString(word) == "" {
		return "attend"
	}
	return actionOf(word)
}

var (
	lastChance = lazyregexp.New(`\b(?:opportunity|time|extension)\b[^.;]{0,40}\b(?:is|are|stands?|hereby) (?:hereby |now |being |therefore )?(?:given|granted|allowed|extended)\b`)
	eitherWord = lazyregexp.New(`\bor\b|अथवा|\bया\b`)
	// sameTime gives the time for what was said before to something else: "or to reply within the same time".
	sameTime = lazyregexp.New(`^[^.;]{0,200}\b(?:or|and|alternatively)\b([^.;]{0,90})\bwithin (?:the |that |this )?(?:same|said|aforesaid|above|like|such) (?:time|period|days)`)
	payVerb  = lazyregexp.New(`\b(?:to pay|pay the|deposit|discharge|reverse)\b`)
	// wantsPapers asks for papers, as a letter does that is no form.
	wantsPapers = lazyregexp.New(`\b(?:furnish(?:ed)?|submit(?:ted)?|produced?|sen[dt]|provided?|forward(?:ed)?|suppl(?:y|ied)|upload(?:ed)?|ma(?:k|d)e available|hand(?:ed)? over|bring|brought|reach|let (?:this office|us|me|the undersigned) have)\b`)
)

// namesAnswer tells whether a sentence names the form in which the paper is to be answered, as DRC-06 is of DRC-01.
func (r *reading) namesAnswer(sentence span) bool {
	if r.form == nil {
		return false
	}
	code := answerForm.FindString(r.form.Answer)
	if code == "" || code == r.form.Form {
		return false
	}
	low := r.doc.lowIn(sentence.start, sentence.end)
	for _, m := range hindiCode.FindAllStringSubmatchIndex(low, 4) {
		if hindiSeries[strings.NewReplacer(" ", "", ".", "").Replace(low[m[2]:m[3]])]+"-"+low[m[4]:m[5]] == code {
			return true
		}
	}
	return false
}

var answerForm = lazyregexp.New(`\b[A-Z]{3,4}-[0-9]{2}[A-Z]?\b`)

// shownBooks are the words that ask for the books of account.
var shownBooks = lazyregexp.New(`\b(?:produc|shown?\b|kept ready|keep ready|make available|made available|present(?:ed)?\b|attend)`)

var (
	pastDuty   = lazyregexp.New(`\b(?:you|noticee|tax ?payer|they|he|she|it|firm|company) (?:was|were|had been|have been) (?:also |earlier |again )?(?:required|directed|requested|asked|called upon|advised|given|granted|allowed)\b|(?:issued|sent) (?:on|dated|vide)\b.{0,60}\b(?:directing|requiring|requesting|asking)\b`)
	withPapers = lazyregexp.New(`\b(?:along ?with|together with|with|and) (?:all |the |any |its |your |relevant |supporting |necessary |requisite |documentary )*(?:documents?|records?|books|evidences?|papers|annexures?|enclosures?)\b`)
)

func actionOf(word string) string {
	switch {
	case word == "":
		return ""
	case answerWord.MatchString(word):
		return "answer"
	case payWord.MatchString(word):
		return "pay"
	case strings.HasPrefix(word, "appear"), strings.HasPrefix(word, "attend"), word == "hearing", word == "उपस्थित", word == "सुनवाई":
		return "attend"
	case strings.HasPrefix(word, "return"):
		return "return"
	case strings.HasPrefix(word, "document"), strings.HasPrefix(word, "record"), word == "books", word == "produce":
		return "produce"
	}
	return "other"
}

// unreadReplyDate tells whether a sentence asks for a reply by a date whose
// figures cannot be read.
func (r *reading) unreadReplyDate() bool {
	d := r.doc
	for _, m := range unreadDate.FindAllStringIndex(d.low, 30) {
		s := d.sentence(m[0])
		before := d.lowIn(max(s.start, m[0]-300), m[0])
		if len(d.datesIn(span{m[0], m[1] + 12})) == 0 && r.action(s, before, d.lowIn(m[1], min(s.end, m[1]+120))) == "answer" {
			return true
		}
	}
	return false
}

// timeToReply is a printed or statutory number of days.
type timeToReply struct {
	span
	law.Allowed
}

// printedTimes gives the numbers of days printed as the time to reply, each
// once. On an order only the time to file the missing return counts: what it
// prints else is the time to pay.
func (r *reading) printedTimes(onOrder bool) (times []timeToReply, seen bool) {
	d := r.doc
	if !onOrder {
		times = r.labelledTimes()
	}
	var papers [][]int // times to send papers
	for _, m := range d.periods() {
		s := d.sentence(m[0])
		before := d.lowIn(max(s.start, m[0]-320), m[0])
		after := d.lowIn(m[1], min(s.end, m[1]+200))
		what := r.action(s, before, after)
		if what == "" && isReplyCell(d.around(span{m[0], m[1]})) {
			what = "answer"
		}
		if m := sameTime.FindStringSubmatch(after); what == "pay" && m != nil && answerWord.MatchString(m[1]) {
			what = "answer"
		}
		if r.form == nil && what != "answer" && lastMatch(payVerb, before) < lastMatch(wantsPapers, before) && duty.MatchString(before) && !pastDuty.MatchString(before) {
			papers = append(papers, m)
		}
		isReturn := what == "return" && r.form != nil && (r.form.Form == "GSTR-3A" || r.form.Form == "ASMT-13")
		either := what == "pay" && r.form != nil && (r.form.Form == "DRC-13" || strings.HasPrefix(r.form.Form, "DRC-01") && len(r.form.Form) == len("DRC-01B") && r.form.Form != "DRC-01A")
		if onOrder && !isReturn || !onOrder && what != "answer" && !isReturn && !either {
			continue
		}
		t, ok := d.timeAt(m)
		if runsFromIssue.MatchString(after) {
			t.RunsFrom = "issue"
		}
		if !ok || !runsFromService(after) {
			seen = true
			continue
		}
		t.span = span{max(s.start, m[0]-120), max(m[1], min(s.end, m[1]+70))}
		if !hasTime(times, t) {
			times = append(times, t)
		}
	}
	if len(times) == 0 && !seen && len(papers) > 0 {
		if t, ok := d.timeAt(papers[0]); ok && runsFromService(d.lowIn(papers[0][1], d.sentence(papers[0][0]).end)) {
			s := d.sentence(papers[0][0])
			t.span = span{max(s.start, papers[0][0]-120), max(papers[0][1], min(s.end, papers[0][1]+70))}
			return []timeToReply{t}, false // a letter that wants papers wants no other answer
		}
	}
	if len(times) == 0 && !seen && !onOrder {
		for _, m := range unreadDays.FindAllStringIndex(d.low, 60) {
			s := d.sentence(m[0])
			if r.action(s, d.lowIn(max(s.start, m[0]-320), m[0]), "") == "answer" {
				seen = true
			}
		}
	}
	return times, seen
}

// statedTimes gives every number of days that the paper prints, and that runs from its receipt or issue, whatever it is for.
func (r *reading) statedTimes() (times []timeToReply) {
	const most = 4
	d := r.doc
	for _, m := range d.periods() {
		s := d.sentence(m[0])
		if t, ok := d.timeAt(m); ok && len(times) < most && !hasTime(times, t) && runsFromService(d.lowIn(m[1], min(s.end, m[1]+200))) {
			t.span = span{max(s.start, m[0]-120), max(m[1], min(s.end, m[1]+70))}
			times = append(times, t)
		}
	}
	return times
}

// periods finds the numbers of days that are printed: with the words that make them a limit, "within 30 days", or with the day on
// which they begin, "thirty days from the receipt of this notice".
func (d *document) periods() [][]int {
	const most = 400
	all := periodOfDay.FindAllStringSubmatchIndex(d.low, most)
	limited := all
	for _, m := range daysFromPaper.FindAllStringSubmatchIndex(d.low, most) {
		m[1] = m[11] // where the days end, before what they run from
		inside := slices.ContainsFunc(limited, func(have []int) bool { return have[0] < m[1] && m[0] < have[1] })
		if !inside && countOf(d.low[m[2]:m[3]]) > 0 && runsFromService(d.lowIn(m[1], m[1]+90)) {
			all = append(all, append(m[:10:10], -1, -1, -1, -1)) // no Hindi
		}
	}
	slices.SortStableFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}

// daysFromPaper is a number of days, with the paper from which they run.
var daysFromPaper = lazyregexp.New(`\b([0-9]{1,3}|[a-z]+(?:-[a-z]+)?)(?: ?\(([a-z0-9 -]+?)(?: only)?\))? ?(clear |working |calendar |business )?(days?|weeks?|months?)('?s?),? ?(?:time )?\b(?:from|of|after|since)\b(?: the)?(?: date)?(?: of)?(?: the)?(?: its| your)? ?(?:actual )?(?:receipt|receiving|service|being served|issue|issuance|communication|delivery|(?:this|the present) (?:notice|letter|intimation|communication|memo))`)

// labelledDays is a number of days in the cell where the date to reply is to stand.
var labelledDays = lazyregexp.New(`^[ :.=-]*(?:within )?([0-9]{1,3}|[a-z]+)(?: ?\(([a-z0-9 -]+?)\))? ?(clear |working |calendar )?days\b`)

// labelledTimes gives the days that stand where the date to reply is to stand.
func (r *reading) labelledTimes() (times []timeToReply) {
	d := r.doc
	for _, m := range replyLabel.FindAllStringIndex(d.low[:r.extent()], 6) {
		value := d.lowIn(m[1], min(m[1]+90, d.lines[d.lineAt(m[1])].end))
		days := labelledDays.FindStringSubmatch(value)
		if days == nil || countOf(days[1]) == 0 || countOf(days[1]) > 180 || days[2] != "" && countOf(days[2]) != countOf(days[1]) {
			continue
		}
		after := value[len(days[0]):]
		t := timeToReply{span: span{m[0], m[1] + len(days[0])}, Allowed: law.Allowed{Count: countOf(days[1]), Unit: "days", RunsFrom: "service"}}
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
	return times
}

// isReplyCell tells whether the cell to the left of a value asks for the reply: "Reply | to be uploaded within 30 days".
func isReplyCell(s surroundings) bool {
	left := strings.TrimSpace(s.left)
	return left != "" && len(left) < 50 && answerWord.MatchString(left) && !hearingWord.MatchString(left) && !payWord.MatchString(left) && !repliedWords.MatchString(left) && !sentenceWord.MatchString(left)
}

func hasTime(times []timeToReply, t timeToReply) bool {
	for _, have := range times {
		if have.Count == t.Count && have.Unit == t.Unit {
			return true
		}
	}
	return false
}

// timeAt reads a match of periodOfDay. A number printed in figures and in words
// must be the same twice.
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

// runsFromService tells whether the days run from this notice, not from some
// other event.
func runsFromService(after string) bool {
	m := runsFrom.FindStringSubmatch(after)
	if m == nil {
		return true // "within 15 days failing which"
	}
	rest := m[1] + m[2]
	return !otherEvent.MatchString(rest) || thisPaper.MatchString(rest)
}

var (
	otherEvent = lazyregexp.New(`hearing|relied|document|order of|payment|complet|inspection|appeal|return|supply|month|invoice|detention|seizure|deposit|the end|quarter|year|registration|cancel|visit|application`)
	thisPaper  = lazyregexp.New(`notice|letter|intimation|communication|report|memo\b|receipt of this|service of this|this order`)
)

// countOf reads a number in figures or words. It gives 0 for anything else.
func countOf(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	// "3O" and "l5": letters that stand for digits beside a true one.
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

var numbers = map[string]int{
	"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "eighteen": 18, "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "ninety": 90,
	"तीन": 3, "पाँच": 5, "पांच": 5, "सात": 7, "दस": 10, "पन्द्रह": 15, "पंद्रह": 15, "बीस": 20, "इक्कीस": 21, "तीस": 30, "पैंतालीस": 45, "साठ": 60, "एक": 1,
}

// formTime gives the time that the law fixes for the form. For a notice it
// counts only where the whole text was surely read and no day is left in it
// that could be the one to reply by.
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

// countedFrom gives the day from which a time to reply runs, and says so.
func (r *reading) countedFrom(t law.Allowed) (from day, why message.Message) {
	switch {
	case t.RunsFrom == "issue":
		return r.issued, message.New("reply_due.from_issue", nil)
	case !r.served.IsZero():
		return r.served, message.New("reply_due.from_service", message.Params{"date": message.Date(r.served.ISO())})
	}
	return r.issued, message.New("reply_due.from_issue_unserved", nil)
}

// canCount tells whether that day is surely known.
func (r *reading) canCount(t law.Allowed) bool {
	return t.RunsFrom != "issue" && !r.served.IsZero() || !r.issued.IsZero() && !r.issueDateDoubtful()
}

// issueDateDoubtful tells whether text recognition may have misread the date of
// issue: the month that the portal's number or the DIN carries is another one.
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

func distinctDays(dates []dated) []day {
	var distinct []day
	for _, date := range dates {
		known := false
		for _, have := range distinct {
			known = known || have.Equal(date.day.Time)
		}
		if !known {
			distinct = append(distinct, date.day)
		}
	}
	return distinct
}
