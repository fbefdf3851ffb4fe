package answer

import (
	"slices"
	"strconv"
	"strings"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/gst/reckon"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
)

// computing applies the rules that code can compute to one question. A rule applies only if the search finds that the
// question is about its provision, or if the question names what the rule computes with.
type computing struct {
	*question
	tables  *law.Tables
	near    []statute.Hit
	entries []*statute.Entry
	search  func(words string) []statute.Hit
	results []map[string]string
	asks    []string
	cited   []statute.Cited // the provisions on which the results are based
}

func (c *computing) all() {
	if c.rate(); len(c.results) > 0 && c.results[0]["rule"] == "rate" {
		return
	}
	c.credit()
	c.limits()
	c.deposit()
	c.appeal()
	c.interest()
	c.refundInterest()
	c.reply()
	c.penalty()
	c.detention()
	c.eway()
	c.count()
	c.history()
	if len(c.judgments) == 0 && asksJudgments.MatchString(c.text) {
		c.ask("judgments")
	}
}

var asksJudgments = lazyregexp.New(`(?i)\b(?:judg(?:e?ments?)|case laws?|precedents?|rulings?|citations?|which (?:high )?court|courts? (?:has |have )?(?:held|ruled|struck)|struck down|read down|unconstitutional|ultra vires)\b|निर्णय|फ़ैसले|न्यायालय के`)

var (
	// asksRate matches a question about the rate of tax on something. Notifications fix these rates.
	asksRate = lazyregexp.New(`(?i)\b(?:(?:gst|tax)\s+(?:ki\s+|ka\s+)?(?:rate|dar|percent\w*)|rates? of (?:gst|tax)|(?:which|what|kaun ?sa|kya) rate|(?:hsn|sac)\b(?:[^.?]*\bcode)?|how much (?:gst|tax) (?:is )?(?:on|for|charged|payable on)|gst (?:kitna|kitne|kitni)|(?:kitna|kitne|kitni)\s+(?:percent\s+)?gst)` +
		`|जीएसटी (?:की |का )?(?:दर|रेट|प्रतिशत)|(?:कितना|कितने|कितनी)\s+(?:प्रतिशत\s+)?जीएसटी|जीएसटी (?:कितना|कितने|कितनी)|एचएसएन`)
	// otherRate matches rates that the Acts and Rules themselves fix, and other subjects of a question that names a
	// rate.
	otherRate = lazyregexp.New(`(?i)\b(?:interest|byaj|penalt\w+|jurmana|fees?|compos\w+|tds|tcs|pre-?\s?deposit|chang\w+|revis\w+|maximum|ceiling|invert\w*|refund|returns?|late|notices?|order|demand|show cause|invoices?|digits?|liable|provisional\w*|bundle\w*|composite|mixed|compounding|cess|wrong\w*|galat)\b` +
		`|ब्याज|जुर्मान|पेनल्टी|फ़?ीस|कंपोज़?ि|नोटिस|आदेश|रिफंड|रिटर्न|बदल|उपकर|ग़?लत|बिल`)
)

// rate answers a question about the rate of tax on goods or services by saying that the law held here does not have
// it: notifications under CGST Act s. 9(1) do.
func (c *computing) rate() {
	if asksRate.MatchString(c.text) && !otherRate.MatchString(c.text) && len(c.question.cited) == 0 &&
		len(c.forms) == 0 {
		c.say(map[string]string{"rule": "rate"}, "cgst:9(1)")
	}
}

// among is how many of the first search results count.
const among = 5

// about reports whether one of the provisions (such as "cgst:16(4)") or a part of one is among the first search
// results.
func (c *computing) about(provisions ...string) bool {
	for i, h := range c.near {
		if i >= among || h.Score < 0.4*c.near[0].Score {
			break
		}
		for _, p := range provisions {
			act, number, _ := strings.Cut(p, ":")
			if h.Act == act && (h.Number == number || strings.HasPrefix(h.Number, number+"(")) {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.question.cited, func(n statute.Cited) bool {
		return slices.ContainsFunc(provisions, func(p string) bool {
			return p == n.Act+":"+n.Number || strings.HasPrefix(n.Act+":"+n.Number, p+"(")
		})
	})
}

// say adds a result and the provisions on which it is based.
func (c *computing) say(result map[string]string, provisions ...string) {
	for i, p := range provisions {
		act, number, _ := strings.Cut(p, ":")
		if i == 0 && result["provision"] == "" {
			result["provision"] = c.name(act, number)
		}
		if one := (statute.Cited{Act: act, Number: number}); !slices.Contains(c.cited, one) {
			c.cited = append(c.cited, one)
		}
	}
	c.results = append(c.results, result)
}

func (c *computing) ask(what string) {
	if !slices.Contains(c.asks, what) {
		c.asks = append(c.asks, what)
	}
}

// until adds a last day to a result, and the number of days left or passed.
func (c *computing) until(result map[string]string, field string, last law.Day) {
	result[field] = c.date(last)
	left := c.today.DaysUntil(last)
	switch {
	case field == "last" && left < 0:
		result["over"] = strconv.Itoa(-left)
	case field == "last":
		result["left"] = strconv.Itoa(left)
	case left >= 0:
		result[field+"_left"] = strconv.Itoa(left)
	}
}

// fyOf returns the year in which a financial year begins: 2024 for "2024-25".
func fyOf(fy string) int {
	year, _ := strconv.Atoi(fy[:min(4, len(fy))])
	return year
}

var (
	ofCredit   = lazyregexp.New(`(?i)\b(?:credit|itc)\b|क्रेडिट|आईटीसी`)
	ofInvoice  = lazyregexp.New(`(?i)\b(?:invoices?|bills?)\b|इनवॉइस|इनवाइस|चालान|बिल`)
	ofSupplier = lazyregexp.New(`(?i)\b(?:supplier|vendor|seller)|\b37 ?A\b|सप्लायर|आपूर्तिकर्ता|विक्रेता|वेंडर`)
	// ofStatement matches GSTR-2A and GSTR-2B, the statements of what suppliers reported. They have no last day.
	ofStatement = lazyregexp.New(`(?i)\b(?:gstr[\s-]*)?2[ab]\b|2बी|2ए`)
	ofDebitNote = lazyregexp.New(`(?i)\bdebit notes?\b|डेबिट नोट`)
	// otherPaper and otherBehind match papers and events whose date is not that of an invoice.
	otherPaper  = lazyregexp.New(`(?i)\b(?:scn|(?:show cause )?notices?|orders?|returns?|gstr[\s-]*\S*|3b|drc[\s-]*\S*|asmt[\s-]*\S*|letter|summons|intimation|appeal|reply|hearing|cancel\w*|revo\w*|paid|payment|filed|denie[sd]|today)\b|नोटिस|आदेश|रिटर्न|विवरणी|अपील|सुनवाई`)
	otherBehind = lazyregexp.New(`(?i)^\s*(?:का|की|के|ka|ki|ke)\s+(?:\S+\s+)?(?:notice|order|scn|नोटिस|आदेश)`)
)

// givesBack matches a question about reversing credit, which does not ask for the last day for taking it.
var givesBack = lazyregexp.New(`(?i)\b(?:give|giving|pay)\b[^.?]{0,40}\bback\b|\brevers(?:e|ed|al|ing)\b|\b(?:wapas|vapas|lauta\w*|ulta\w*)\b|वापस|लौटा|रिवर्स|उलट`)

// credit adds the last day on which credit can be taken (CGST Act s. 16(4), (5)).
func (c *computing) credit() {
	timed := asksTime.MatchString(c.text) && (ofInvoice.MatchString(c.text) || ofDebitNote.MatchString(c.text)) &&
		len(c.times) > 0
	if !ofCredit.MatchString(c.text) || ofRefund.MatchString(c.text) ||
		!timed && !c.about("cgst:16(4)", "cgst:16(5)", "cgst:16(6)") ||
		!asksTime.MatchString(c.text) && ofStatement.MatchString(c.text) {
		return
	}
	if givesBack.MatchString(c.text) {
		return // it has been taken already
	}
	if ofSupplier.MatchString(c.text) && c.about("cgst_rules:37A") &&
		!slices.ContainsFunc(c.near[:1], func(h statute.Hit) bool {
			return h.Act == "cgst"
		}) {
		return // tax that the supplier did not pay has its own time limits
	}
	of, kind := c.after(ofDebitNote, 60), "debit_note"
	if of == nil || c.ofOtherPaper(*of) {
		of, kind = c.after(ofInvoice, 60), "invoice"
	}
	if of == nil || c.ofOtherPaper(*of) {
		of = nil
		for i := range c.times {
			if !c.ofOtherPaper(c.times[i]) {
				of = &c.times[i]
				break
			}
		}
	}
	if of == nil {
		if (asksTime.MatchString(c.text) || len(c.times) > 0) && (len(c.near) == 0 || c.near[0].Number != "16(6)") {
			c.say(map[string]string{"rule": "credit", "case": "rule"}, "cgst:16(4)")
			c.ask("invoice_date")
		}
		return
	}
	fy := of.from.FinancialYear()
	if fyOf(fy) < 2017 { // before GST
		c.say(map[string]string{"rule": "credit", "case": "before", "form": kind, "of": c.time(*of)}, "cgst:140")
		return
	}
	last, _ := law.NewDay(fyOf(fy)+1, 11, 30)
	result := map[string]string{"rule": "credit", "case": "open", "form": kind, "of": c.time(*of), "year": fy}
	provisions := []string{"cgst:16(4)"}
	if fyOf(fy) <= 2020 { // 2017-18 to 2020-21
		last, _ = law.NewDay(2021, 11, 30)
		result["case"] = "reopened"
		provisions = []string{"cgst:16(5)", "cgst:16(4)"}
	} else if last.Before(c.today) {
		result["case"] = "closed"
	}
	c.until(result, "last", last)
	c.say(result, provisions...)
}

// ofOtherPaper reports whether a day is the date of something other than an invoice or a debit note. A month or a
// year is always the period of the credit.
func (c *computing) ofOtherPaper(w when) bool {
	if w.kind != "day" {
		return false
	}
	if otherBehind.MatchString(c.text[w.end:]) {
		return true
	}
	stretch := c.text[max(0, w.at-60):w.at]
	other, own := lastOf(otherPaper, stretch), max(lastOf(ofInvoice, stretch), lastOf(ofDebitNote, stretch))
	return other > own
}

// lastOf returns the last position where a pattern matches, or -1.
func lastOf(p *lazyregexp.Regexp, text string) int {
	all := p.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return -1
	}
	return all[len(all)-1][0]
}

var (
	ofOrder   = lazyregexp.New(`(?i)\border\b|आदेश`)
	ofLimits  = lazyregexp.New(`(?i)\b(?:limitation|time.?limit|time.?barred|barred|valid|in time|within time|how long|until when|last date|too late|issued? (?:a |the )?(?:section|notice|scn)|kab tak)\b|(?:issue|send|raise) [^.?]*\bnotice\b|समय-?\s?सीमा|कब तक|समय (?:पर|के भीतर|में)|वैध|बाधित`)
	ofPenalty = lazyregexp.New(`(?i)\bpenalt\w*|\bjurmana\b|जुर्मान|पेनल्टी|पेनाल्टी|शास्ति|दंड`)
	ofFraud   = lazyregexp.New(`(?i)\bfraud|suppression|wilful|कपट|धोखा`)
	noFraud   = lazyregexp.New(`(?i)\b(?:no|without|not)\s+(?:any\s+)?(?:allegation of\s+)?fraud|no fraud`)
	ofDemand  = lazyregexp.New(`(?i)\b(?:demand|notice|order|drc-?\s?0?1|drc-?\s?0?7)\b|माँग|मांग|नोटिस|आदेश`)
)

// demandSections returns those of sections 73, 74 and 74A that a question names.
func (c *computing) demandSections() []string {
	var all []string
	for _, s := range c.question.cited {
		root, _, _ := strings.Cut(s.Number, "(")
		if s.Act == "cgst" && (root == "73" || root == "74" || root == "74A") && !slices.Contains(all, root) {
			all = append(all, root)
		}
	}
	return all
}

// limits adds the last days for notice and order for a financial year (CGST Act s. 73(2), (10), 74(2), (10),
// 74A(2), (7)), and whether a notice or an order with a given date was in time.
func (c *computing) limits() {
	years, named := c.years(), c.demandSections()
	notice, order := c.papersDated()
	asked := ofLimits.MatchString(c.text) && !ofPenalty.MatchString(c.text)
	if asked && len(years) == 0 && (notice != nil || order != nil) && len(named) > 0 {
		c.ask("which_year")
		return
	}
	if len(years) == 0 || len(named) == 0 &&
		(!ofDemand.MatchString(c.text) || !c.about("cgst:73", "cgst:74", "cgst:74A")) {
		return
	}
	for _, fy := range years {
		right := []string{"73", "74"}
		if fyOf(fy) >= 2024 {
			right = []string{"74A"}
		}
		for _, s := range named {
			if !slices.Contains(right, s) {
				c.say(map[string]string{"rule": "section", "section": s, "year": fy, "by": strings.Join(right, ", ")},
					"cgst:74A(12)")
			}
		}
		if !asked {
			continue
		}
		if slices.ContainsFunc(named, func(s string) bool { return slices.Contains(right, s) }) {
			right = slices.DeleteFunc(right, func(s string) bool { return !slices.Contains(named, s) })
		}
		if len(named) == 0 && noFraud.MatchString(c.text) {
			right = right[:1]
		}
		for _, section := range right {
			if limits, ok := c.tables.Limits(fy, section, ""); ok {
				c.limit(limits, notice, order)
			}
		}
	}
}

// limit adds the results for a year under a section, starting with the notice and the order named in the question
// (nil for none).
func (c *computing) limit(limits law.Limits, notice, order *when) {
	section, fy := limits.Section.Section, limits.Year.FY
	last := limits.Order
	if months := limits.Section.OrderMonthsAfterNotice; months > 0 && notice != nil {
		last = notice.from.AddMonths(months)
	}
	c.inTime("notice", notice, limits.Notice, limits.NoticeExtended, limits)
	c.inTime("order", order, last, limits.OrderExtended, limits)
	result := map[string]string{"rule": "limit", "year": fy, "section": section, "from": c.date(limits.ReturnDue),
		"last": c.date(limits.Notice), "order": c.date(limits.Order), "says": limits.Remark().In(c.language())}
	provisions := []string{"cgst:" + section + "(2)", "cgst:" + section + "(10)"}
	if section == "74A" {
		provisions[1] = "cgst:74A(7)"
		result["count"] = strconv.Itoa(limits.Section.OrderMonthsAfterNotice)
	}
	if !limits.NoticeExtended.IsZero() {
		result["extended"], result["order_extended"], result["by"] = c.date(limits.NoticeExtended), c.date(limits.OrderExtended), message.Citation(limits.Year.ExtendedBy).In(c.language())
	}
	if limits.Year.Litigated && (!limits.NoticeExtended.IsZero() || limits.Note() != "") {
		result["note"] = "litigated"
	}
	c.say(result, provisions...)
}

// inTime adds a result that says whether a paper was issued by the last day for it, or by the extended one. w is the
// date of the paper, nil if the question does not give it.
func (c *computing) inTime(form string, w *when, last, extended law.Day, limits law.Limits) {
	if w == nil || last.IsZero() {
		return
	}
	result := map[string]string{"rule": "in_time", "form": form, "of": c.date(w.from), "year": limits.Year.FY,
		"section": limits.Section.Section, "last": c.date(last), "case": reckon.Late}
	if !extended.IsZero() {
		result["extended"], result["by"] = c.date(extended), message.Citation(limits.Year.ExtendedBy).In(c.language())
	}
	switch {
	case !w.from.After(last):
		result["case"] = reckon.InTime
	case !extended.IsZero() && !w.from.After(extended):
		result["case"] = reckon.InTimeByExtension
	}
	c.results = append(c.results, result)
}

// appeal adds the last day for an appeal (CGST Act s. 107(1), (4), 112(1), (6)).
func (c *computing) appeal() {
	if !ofAppeal.MatchString(c.text) || !asksTime.MatchString(c.text) && c.day() == nil {
		return
	}
	code, section := c.appealCode()
	day := c.served()
	if !c.about("cgst:107", "cgst:112", "cgst:78") && day == nil || otherAppeal.MatchString(c.text) ||
		len(c.results) > 0 && c.day() == nil && len(c.amounts) > 0 {
		return
	}
	rule := c.tables.Time(code, c.today)
	if rule == nil {
		return
	}
	provisions := []string{"cgst:" + section + "(1)", "cgst:" + section + "(4)"}
	if section == "112" {
		provisions[1] = "cgst:112(6)"
	}
	result := map[string]string{"rule": "appeal", "case": code, "count": strconv.Itoa(rule.Months),
		"to": strconv.Itoa(rule.CondonableMonths)}
	if day == nil {
		for _, w := range c.tables.Windows { // a later last day for orders communicated before a certain day
			if w.Code == code {
				result["by"], result["later"] = c.date(law.ParseDay(w.CommunicatedBefore)), c.date(law.ParseDay(w.LastDay))
				if last := law.ParseDay(w.LastDay); last.Before(c.today) {
					result["over"] = strconv.Itoa(last.DaysUntil(c.today))
				}
			}
		}
		c.say(result, provisions...)
		c.ask("order_served")
		return
	}
	last := day.from.AddMonths(rule.Months)
	for _, w := range c.tables.Windows {
		if w.Code == code && day.from.Before(law.ParseDay(w.CommunicatedBefore)) &&
			last.Before(law.ParseDay(w.LastDay)) {
			last, result["note"] = law.ParseDay(w.LastDay), "window"
		}
	}
	result["of"] = c.date(day.from)
	c.until(result, "last", last)
	c.until(result, "later", last.AddMonths(rule.CondonableMonths))
	c.say(result, provisions...)
}

var (
	ofNotice = lazyregexp.New(`(?i)\bnotices?\b|नोटिस`)
	ofReply  = lazyregexp.New(`(?i)\b(?:reply|respond|response|answer|jawab)\b|जवाब|उत्तर`)
	asksForm = lazyregexp.New(`(?i)\b(?:which|what|kaun ?sa|konsa)\s+form|किस (?:फ़?ॉर्म|प्रपत्र)|appeal, or|get (?:it|rid)`)
	// asksNext matches "what should I do" and the like, which people ask when they have just received a notice.
	asksNext = lazyregexp.New(`(?i)\bwhat (?:should|do|can|must|shall) (?:i|we)(?: have to| need to)? do\b|` +
		`\bwhat (?:is|are) (?:the |my )?next\b|\bwhat (?:now|next)\b|\bhow (?:should|do|can) (?:i|we) (?:proceed|deal with|handle)\b|` +
		`\b(?:kya|kaise) kar(?:u|un|oon|na|ein|en|e)\b|क्या कर(?:ूँ|ूं|ना|ें|े)(?:\s|[?।]|$)`)
	replyForm = lazyregexp.New(`FORM ([A-Z]+-\d+[A-Z]?)`)
)

// common are the notices whose time limits are shown if a person does not say which one came.
var common = []string{"DRC-01", "ASMT-10", "REG-17", "GSTR-3A", "RFD-08", "DRC-01B"}

// papers are names of notices and orders that people use when they do not know the form.
var papers = []struct {
	form  string
	named *lazyregexp.Regexp
}{
	{"REG-19", lazyregexp.New(`(?i)\brevo(?:ke|cation)\b|\bcancel\w*[^.?]*\b(?:restore|restoration|wapas|dobara|phir se)\b|(?:रद्द|निरस्त)[^।?]*(?:बहाल|वापस|दोबारा|फिर से)|प्रतिसंहरण`)},
	{"REG-17", lazyregexp.New(`(?i)\b(?:notice|scn)\b[^.?]*\bcancel\w*[^.?]*\bregistration|\bregistration[^.?]*\bcancel\w*[^.?]*\bnotice|(?:पंजीकरण|रजिस्ट्रेशन)[^।?]*(?:रद्द|निरस्त)[^।?]*नोटिस`)},
	{"ASMT-10", lazyregexp.New(`(?i)\bscrutiny\b[^.?]*\bnotice|\bnotice\b[^.?]*\bscrutiny|(?:जाँच|जांच|संवीक्षा|स्क्रूटनी)[^।?]*नोटिस`)},
	{"GSTR-3A", lazyregexp.New(`(?i)\bnotice\b[^.?]*\b(?:non.?filing|not fil(?:ed|ing)|return nahi)|रिटर्न न भरने[^।?]*नोटिस`)},
	{"RFD-08", lazyregexp.New(`(?i)\bnotice\b[^.?]*\breject\w*[^.?]*\brefund|\brefund\b[^.?]*\breject\w*[^.?]*\bnotice|रिफंड[^।?]*(?:नामंज़?ूर|अस्वीकार)[^।?]*नोटिस`)},
}

var cancelled = lazyregexp.New(`(?i)\bcancell?ed\b|\bcancel (?:ho|kar|hua)|(?:रद्द|निरस्त|कैंसि?ल)`)

// formsMeant returns the forms that a question names, else the form of the paper that it describes in words.
func (c *computing) formsMeant() []string {
	if len(c.forms) > 0 {
		return c.forms
	}
	for _, p := range papers {
		// A question about credit shows that the registration was restored.
		if p.named.MatchString(c.text) && !(p.form == "REG-19" && ofCredit.MatchString(c.text)) {
			return []string{p.form}
		}
	}
	// The question may ask in other words how to restore the registration.
	if cancelled.MatchString(c.text) && !ofNotice.MatchString(c.text) && c.about("cgst:30", "cgst_rules:23") {
		return []string{"REG-19"}
	}
	return nil
}

// reply adds the time and the form for answering a notice, or what an order requires.
func (c *computing) reply() {
	named := 0
	if slices.ContainsFunc(c.results, func(r map[string]string) bool {
		return r["rule"] == "in_time"
	}) && !ofReply.MatchString(c.text) {
		return
	}
	next := asksNext.MatchString(c.text)
	if !next && !ofReply.MatchString(c.text) && !asksTime.MatchString(c.text) && !asksForm.MatchString(c.text) {
		return
	}
	for _, code := range c.formsMeant() {
		if form := c.tables.Form(code); form != nil && form.Kind != "filing" &&
			!strings.HasPrefix(form.Answer, "Appeal") {
			c.replyTo(form, true)
			named++
		}
	}
	if named > 0 || !ofNotice.MatchString(c.text) ||
		!next && !(ofReply.MatchString(c.text) && asksTime.MatchString(c.text)) {
		return
	}
	for _, code := range common {
		if form := c.tables.Form(code); form != nil {
			c.replyTo(form, false)
		}
	}
	c.ask("which_form")
}

func (c *computing) replyTo(form *law.Form, named bool) {
	note := form.Text("answer", form.Answer).In(c.language())
	for _, or := range []string{", or appeal", ", या FORM APL"} { // an appeal has its own time limit
		note, _, _ = strings.Cut(note, or)
	}
	result := map[string]string{"rule": "reply", "form": form.Form, "note": note,
		"missed": form.Text("if_missed", form.IfMissed).In(c.language()), "case": "printed"}
	if m := replyForm.FindStringSubmatch(form.Answer); m != nil {
		result["reply"] = m[1]
	}
	if strings.HasPrefix(form.Answer, "Apply") || strings.HasPrefix(form.Answer, "File") {
		result["by"] = "do"
	}
	if t := form.Time; t != nil {
		result["case"], result["count"] = t.Unit, strconv.Itoa(t.Count)
		day := c.served()
		if t.RunsFrom == "issue" {
			day, result["from"] = c.paperDay(), "issue"
		}
		if named && day != nil {
			last, _ := c.tables.After(*t, day.from, "")
			result["of"] = c.date(day.from)
			c.until(result, "last", last)
		} else if named && asksTime.MatchString(c.text) && t.RunsFrom != "issue" {
			c.ask("notice_served")
		}
	}
	if !named {
		stands := provisionsOf(form.Law)
		act, number, _ := strings.Cut(stands[len(stands)-1], ":")
		result["provision"] = c.name(act, number)
		c.results = append(c.results, result)
		return
	}
	provisions := provisionsOf(form.Law)
	if found := c.search(result["reply"]); len(found) > 0 && result["reply"] != "" { // the provision on the form of the reply
		provisions = append(provisions, found[0].Act+":"+found[0].Number)
	}
	c.say(result, provisions...)
}

var lawOfForm = lazyregexp.New(`(s|r)\.(\d+[A-Z]{0,2}(?:\(\d*[A-Z]{0,2}\)|\([a-z]\))*)`)

// provisionsOf returns the provisions in the law column of a form, such as "s.61, r.99(1)".
func provisionsOf(text string) []string {
	var all []string
	most := 2
	if strings.Contains(text, "/") { // one rule for notices under several sections
		most = 1
	}
	for _, m := range lawOfForm.FindAllStringSubmatch(text, most) {
		act := "cgst"
		if m[1] == "r" {
			act = "cgst_rules"
		}
		all = append(all, act+":"+m[2])
	}
	return all
}

// validity is the number of kilometres for which an e-way bill is valid for one day, from a date on.
type validity struct {
	from                string // ISO
	ordinary, oversized int
}

// validities are the successive versions of that rule, rule 138(10), the latest first.
var validities = []validity{
	{"2021-01-01", 200, 20}, // N.94/2020-CT
	{"2018-04-01", 100, 20}, // N.12/2018-CT
}

// eway adds the number of days for which an e-way bill is valid if it is generated on the first day named in the
// question, else today (CGST Rules r. 138(10)).
func (c *computing) eway() {
	km := c.number(kilometres)
	if km == 0 || !c.about("cgst_rules:138") || asksNeed.MatchString(c.text) && !asksTime.MatchString(c.text) {
		return
	}
	on := c.today
	if len(c.times) > 0 {
		on = c.times[0].from
	}
	i := slices.IndexFunc(validities, func(v validity) bool { return v.from <= on.ISO() })
	if i < 0 {
		return
	}
	a, kind := validities[i].ordinary, "ordinary"
	if oversized.MatchString(c.text) {
		a, kind = validities[i].oversized, "oversized"
	}
	provisions := []string{"cgst_rules:138(10)"}
	if asksNeed.MatchString(c.text) {
		provisions = append(provisions, "cgst_rules:138(1)")
	}
	c.say(map[string]string{"rule": "eway", "case": kind, "of": strconv.Itoa(km), "base": strconv.Itoa(a),
		"count": strconv.Itoa((km + a - 1) / a)}, provisions...)
}

// asksNeed matches a question whether an e-way bill is needed at all.
var asksNeed = lazyregexp.New(`(?i)\b(?:need|require\w*|necessary|compulsory|mandatory|value|limit|zaroori|jaruri|chahiye|lagega)\b|ज़?रूरी|चाहिए|लगेगा|सीमा`)

// count adds a period in days, months or years from the best matching provision to the first day named in the
// question. It states the day from which it counted, since the law may count from another.
func (c *computing) count() {
	day := c.day()
	if day == nil || len(c.results) > 0 || !asksTime.MatchString(c.text) {
		return
	}
	for _, h := range c.near[:min(3, len(c.near))] {
		for _, n := range h.Entry.Numbers {
			value, ok := n.Value.(int)
			if !ok || value <= 0 {
				continue
			}
			var last law.Day
			switch n.Unit {
			case "days":
				last = day.from.AddDays(value)
			case "months":
				last = day.from.AddMonths(value)
			case "years":
				last = day.from.AddMonths(12 * value)
			default:
				continue
			}
			result := map[string]string{"rule": "count", "case": n.Unit, "count": strconv.Itoa(value), "note": n.What,
				"of": c.date(day.from)}
			c.until(result, "last", last)
			c.say(result, h.Act+":"+h.Number)
			return
		}
	}
}

var asksHistory = lazyregexp.New(`(?i)\b(?:history|over time|by period|period.?wise|each period|changed|amend\w+|from (?:its )?(?:start|beginning))\b|इतिहास|बदला|बदलाव`)

// history adds the successive versions of a provision that the question names.
func (c *computing) history() {
	if !asksHistory.MatchString(c.text) || len(c.results) > 0 {
		return
	}
	for _, n := range c.question.cited {
		versions := []*statute.Entry{}
		for _, e := range c.entries {
			if e.Act == n.Act && strings.EqualFold(e.Number, n.Number) {
				versions = append(versions, e)
			}
		}
		if len(versions) < 2 {
			continue
		}
		slices.SortStableFunc(versions, func(a, b *statute.Entry) int { return strings.Compare(a.From, b.From) })
		for _, e := range versions {
			says := e.English
			if c.speaks == Hindi {
				says = e.Hindi
			}
			c.say(map[string]string{"rule": "version", "from": c.date(law.ParseDay(e.From)),
				"to": c.date(law.ParseDay(e.Until)), "note": says}, n.Act+":"+n.Number)
		}
	}
}
