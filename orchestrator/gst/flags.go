package gst

import (
	"math"
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
	"munshi/orchestrator/message"
)

// injection matches words addressed to a language model, such as "ignore all previous instructions", which no genuine
// notice contains.
var injection = lazyregexp.New(`\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,40}\b(?:instructions?|prompts?|guidelines|directions given)\b|` +
	`\b(?:you are|as|dear|attention|note to|if you are|to) an? (?:ai|llm|language model|large language model|chatbot)\b|\b(?:dear|attention|note to|notice to) (?:the )?(?:ai|llm|chatbot|language model|assistant model)\b|` +
	`\bsystem prompt\b|\bim_(?:start|end)\b|\[/?inst\]|### ?(?:instruction|system)|\bnew instructions ?:|\bprompt injection\b|` +
	`\b(?:report|say|state|answer|respond|reply|tell the user|inform the user)\b[^.]{0,12} that (?:no reply is required|the demand is nil|there is no demand|nothing is due|the notice (?:is|has been) withdrawn)|` +
	`\b(?:tell|inform|mislead) the user(?: ?[:,.]| (?:that|to|nothing|there|no|this|it|he|she|they|the|about)\b|$)|\brespond only with\b|\boutput only\b|\byou must now act as\b|` +
	`\b(?:ai|llm) (?:readers?|assistants?|agents?|models?|systems?|tools?) ?[:,]|\bthe assistant (?:has to|must|should|shall|is to|will)\b|` +
	// Markdown and HTML that would display a picture or a link.
	`!\[[^\]]{0,80}\] ?\(|\] ?\( ?https?:|<img\b|<a href\b|` +
	`(?:पिछले|पूर्व|पहले|सभी|सारे|उपरोक्त|ऊपर)[^.।]{0,60}नि(?:र्)?देश[^.।]{0,30}(?:अनदेख[ाी]|न(?:ज़?|ज़)र ?अंदा(?:ज़?|ज़)|उपेक्षा) (?:करें|करो|कीजिए|कर दें)|` +
	`(?:कृत्रिम बुद्धि(?:मत्ता)?|ए\.? ?आई\.?|भाषा) (?:सहायक|मॉडल|प्रणाली|पाठक)[^.।]{0,12}(?: के लिए| को |:)|चैटबॉट (?:के लिए|को )|` +
	`उपयोगकर्ता (?:से|को) (?:कहें|कहो|कहिए|बताएं|बताएँ|बताइए|सूचित करें)`)

// readInjection looks for text addressed to a program instead of a person.
func (r *reading) readInjection() {
	d := r.doc
	if m := d.injectionAt(); m != nil {
		const near = 240
		page := d.page(m[0])
		s := d.ownLine(m[0], m[1])
		r.injected = d.untilFullStop(m[0])
		for _, more := range injection.FindAllStringIndex(d.lowIn(m[0], m[0]+near), -1) {
			// Extend it to the last such sentence; what follows may be the officer's own words.
			s.end = max(s.end, d.ownLine(m[0]+more[0], m[0]+more[1]).end)
		}
		r.flag("injection_text", "", page, message.Params{"page": page, "quote": d.quote(s)})
	}
}

// ownLine returns the sentence that contains the words between two offsets. It does not go beyond their lines, so that
// text without full stops is not quoted together with the headings above and the paragraphs below.
func (d *document) ownLine(from, to int) span {
	s := span{d.sentence(from).start, d.sentence(to - 1).end}
	if i := d.lineAt(from); i < len(d.lines) {
		s.start = max(s.start, d.lines[i].start)
	}
	if i := d.lineAt(to - 1); i < len(d.lines) {
		s.end = min(s.end, d.lines[i].end)
	}
	return s
}

var (
	setsAside = lazyregexp.New(`^(?:ignore|disregard|forget|override|bypass)\b`)
	// An officer writes about persons who ignore directions, and says whose directions; an injection gives an order
	// to a program.
	othersDo   = lazyregexp.New(`(?:\b(?:you|they|he|she|who|which|noticee|taxpayer|dealer|supplier|cannot|did not|does not|has|have|not) )$`)
	directedBy = lazyregexp.New(`^ ?(?:(?:issued|given|made|passed) (?:by|vide|on|under|in|from|through)\b|(?:of|by|in|under|contained in|laid down) (?:the (?:board|government|department|office|officer|circular|rule|act|section|notice|law|commissioner|cbic)|(?:this|rule|section|circular|notification|cbic|para)\b))`)
)

// isOfficers reports whether words about ignored directions are an officer's statement about a person, and not an
// injection.
func (d *document) isOfficers(from, to int) bool {
	const around = 40
	if !setsAside.MatchString(d.lowIn(from, to)) {
		return false
	}
	return othersDo.MatchString(d.lowIn(from-around, from)) || directedBy.MatchString(d.lowIn(to, to+around))
}

// untilFullStop returns the text from the beginning of the line that contains an offset to the next full stop.
func (d *document) untilFullStop(at int) span {
	const longest = 600
	i := d.lineAt(at)
	if i >= len(d.lines) {
		return span{}
	}
	end := at
	for end < min(len(d.text), at+longest) && !(d.text[end] == '.' && d.endsSentence(end)) {
		end++
	}
	return span{d.lines[i].start, end}
}

// injectionAnchors lists words of which every injection has at least one. Most notices have none of them, so the slow
// pattern is rarely needed.
var injectionAnchors = [...]string{"instruction", "prompt", "guidelines", "directions given", " ai", "llm",
	"language model", "chatbot", "assistant model", "im_", "inst]", "###", "no reply is required", "demand is nil",
	"no demand", "nothing is due", "withdrawn", "the user", "respond only", "output only", "must now act", "llm ",
	"the assistant", "![", "](", "] (", "<img", "<a href", "अनदेख", "अंदाज", "अंदाज़", "उपेक्षा", "बुद्धि", "एआई",
	"ए.आई", "ए आई", "भाषा ", "चैटबॉट", "उपयोगकर्ता"}

// injectionAt returns the position of the first words addressed to a program.
func (d *document) injectionAt() []int {
	const around = 140
	var first []int
	for _, anchor := range injectionAnchors {
		for at := 0; ; {
			i := strings.Index(d.low[at:], anchor)
			if i < 0 || first != nil && at+i-around > first[0] {
				break
			}
			at += i
			from := max(0, at-around)
			for from > 0 && d.low[from-1] != ' ' {
				from--
			}
			for _, m := range injection.FindAllStringIndex(d.lowIn(from, at+around), -1) {
				m[0], m[1] = from+m[0], from+m[1]
				if (first == nil || m[0] < first[0]) && !d.isOfficers(m[0], m[1]) {
					first = m
				}
			}
			at += len(anchor)
		}
	}
	return first
}

// flag adds a flag by its code. which, such as ".notice", selects the sentence of a code that has several.
func (r *reading) flag(code, which string, page int, params message.Params) {
	said := message.New("flags."+code+which, params)
	r.facts.Flags = append(r.facts.Flags, Flag{Code: code, Message: said.English, Page: page, Said: said})
}

// raiseFlags adds the points that a professional should look at.
func (r *reading) raiseFlags() {
	f := &r.facts
	if f.GSTINValid != nil && !*f.GSTINValid {
		page := f.Evidence["gstin"].Page
		doubt := "portal"
		if page > 0 && r.doc.recognised[page-1] && !r.sure("gstin") {
			doubt = "letter"
		}
		r.flag("gstin_checksum", "", page,
			message.Params{"gstin": *f.GSTIN, "doubt": message.New("flags.doubt."+doubt, nil)})
	}
	head := r.doc.head()
	lost := len(f.OCRPages) > 0 && lostReference.MatchString(r.doc.low[:head.end])
	if f.DIN == nil && !r.hasPortalReference() && !r.numberedByPortal() && !lost {
		which, printed := "", message.Params(nil)
		if f.Reference != nil {
			which, printed = "_printed", message.Params{"reference": *f.Reference}
		}
		r.flag("din_missing", which, f.Evidence["reference"].Page, printed)
	}
	if len(f.Periods) > 1 {
		years := make([]string, len(f.Periods))
		for i, p := range f.Periods {
			years[i] = p.FY
		}
		which := ".notice"
		if f.Form != nil && strings.HasPrefix(*f.Form, "ADT-") {
			which = ".audit" // rule 101(1): an audit covers a year, part of one or several
		}
		r.flag("multi_year", which, f.Evidence["periods"].Page,
			message.Params{"count": len(years), "years": strings.Join(years, ", ")})
	}
	r.flagTotals()
	r.flagLimitation()
	if f.Hearing != nil && f.ReplyDue.Date != nil && f.Hearing.Date < *f.ReplyDue.Date {
		r.flag("hearing_before_reply", "", f.Evidence["hearing"].Page,
			message.Params{"hearing": message.Date(f.Hearing.Date), "reply": message.Date(*f.ReplyDue.Date)})
	}
	if !*f.FraudAlleged && (r.form != nil || f.Kind != "" || r.amends()) {
		r.flagIngredients()
	}
}

// flagIngredients flags a paper under section 74 that does not allege fraud, wilful misstatement or suppression. It
// includes a paper that inserts section 74 into an earlier notice, and one that uses the penalty of section 74A(5)(ii).
func (r *reading) flagIngredients() {
	under74, amends := r.invokes("74"), r.amends()
	page, found, which := 0, under74, ""
	for _, c := range r.cited {
		of74 := strings.HasPrefix(c.number, "74") && !strings.HasPrefix(c.number, "74A")
		if (of74 && (under74 || amends) || c.number == "74A(5)(ii)") && !c.rule && !c.other {
			page, found = r.doc.page(c.start), true
			if !of74 {
				which = "_74a"
			}
			break
		}
	}
	if found {
		r.flag("section_74_ingredients_missing", which, page, nil)
	}
}

// numberedByPortal reports whether the paper also has a number of the portal. The number must contain the paper's State
// and month of issue, and must not be labelled as another paper's.
func (r *reading) numberedByPortal() bool {
	g := r.facts.GSTIN
	return !r.issued.IsZero() && slices.ContainsFunc(r.numbers(), func(c candidate) bool {
		return c.rfn && c.value[4:8] == r.issued.Format("0106") && (g == nil || c.value[2:4] == (*g)[:2]) &&
			!otherPaper.MatchString(r.doc.labelBefore(c.start)) && !appealedOrder.MatchString(r.doc.labelBefore(c.start))
	})
}

func (r *reading) hasPortalReference() bool {
	return r.facts.Reference != nil && rfnShape(*r.facts.Reference)
}

// flagTotals compares the printed total with the rows, and the body with the annexure.
func (r *reading) flagTotals() {
	f := &r.facts
	if f.Demand == nil || len(f.Demand.Rows) == 0 {
		return
	}
	sum := 0.0
	for _, row := range f.Demand.Rows {
		sum += row.Tax + row.Interest + row.Penalty + row.Fee + row.Other
	}
	page := r.doc.page(r.demandAt.start)
	if f.Demand.Total != nil && math.Abs(sum-*f.Demand.Total) > float64(len(f.Demand.Rows))+1 {
		doubt := message.Message{}
		if r.doc.isRecognised(r.demandAt.start) && !r.sure("demand") {
			doubt = message.New("flags.doubt.figures", nil)
		}
		r.flag("demand_total_mismatch", "", page,
			message.Params{"total": paise(*f.Demand.Total), "sum": paise(sum), "doubt": doubt})
	}
	r.holdAgainstCharges(page)
	if annexed, at, differs := r.annexureTax(); differs {
		body := 0.0
		for _, row := range f.Demand.Rows {
			body += row.Tax
		}
		page, which := r.doc.page(at), ""
		params := message.Params{"page": page, "annexed": paise(annexed), "body": paise(body)}
		if annexed > 2*body { // numbers of invoices or values of supplies were among the added amounts
			which, params = "_unsure", message.Params{"page": page}
		}
		r.flag("annexure_mismatch", which, page, params)
	}
}

// proceedsUnder reports whether the paper cites sub-section (1) or (9) of a section: notices are issued under the one,
// orders made under the other.
func (r *reading) proceedsUnder(section string) bool {
	return slices.ContainsFunc(r.facts.Sections, func(s string) bool {
		return s == section+"(1)" || s == section+"(9)"
	})
}

// flagLimitation compares the date of a notice or order with the last day for each financial year (sections 73 and
// 74). For section 74A and later years, no last day has passed yet.
func (r *reading) flagLimitation() {
	if r.issued.IsZero() || r.facts.Form == nil && r.facts.Kind == "" ||
		r.facts.Form != nil && r.form.Form != "DRC-01" && r.form.Form != "DRC-07" {
		return
	}
	if r.facts.OnAppeal() {
		return // what is late or not is the order under appeal
	}
	if r.isOrder() && BestJudgment(r.doc.low[:r.extent()]) != nil {
		return // section 62 has a time of its own; section 73 is cited for the penalty
	}
	section := "73"
	fraud := r.facts.FraudAlleged != nil && *r.facts.FraudAlleged
	switch {
	case r.invokes("74") && (!r.invokes("73") || fraud || !r.proceedsUnder("73")):
		section = "74" // 73 is only mentioned
	case !r.invokes("73"):
		return
	}
	what := "notice"
	if r.isOrder() {
		what = "order"
	}
	which := "." + what
	var late, extended, relied []message.Message
	for _, p := range r.facts.Periods {
		l, ok := r.law.Limits(p.FY, section, r.state())
		if !ok {
			continue
		}
		last, longer, note := l.Notice, l.NoticeExtended, message.Message{}
		if what == "order" {
			last, longer = l.Order, l.OrderExtended
		} else if l.Note() != "" {
			note = l.Clause()
		}
		year := func(code string) message.Message {
			return message.New("flags.year."+code,
				message.Params{"fy": p.FY, "last": message.Date(last.ISO()), "longer": message.Date(longer.ISO()),
					"by": message.Citation(l.Year.ExtendedBy), "note": note})
		}
		switch {
		case last.IsZero() || !r.issued.After(last):
		case !longer.IsZero() && !r.issued.After(longer):
			extended = append(extended, year("extended"))
		case !longer.IsZero():
			late = append(late, year("late_extended"))
			if r.citesNotification(l.Year.ExtendedBy) {
				relied = append(relied, year("late_extended"))
			}
		case !note.IsZero():
			late = append(late, year("late_noted"))
		default:
			late = append(late, year("late"))
		}
	}
	page := r.facts.Evidence["issue_date"].Page
	if len(late) > 0 {
		r.flag("time_barred", which, page,
			message.Params{"date": message.Date(r.issued.ISO()), "section": section,
				"years": message.ListOf("; ", late)})
	}
	if len(extended) == 0 && len(relied) > 0 { // later even than the extension on which it relies
		late := "notice_late"
		if what == "order" {
			late = "order_late"
		}
		extended, which = relied, "."+late
	}
	if len(extended) > 0 {
		r.flag("extended_period_notification", which, page,
			message.Params{"date": message.Date(r.issued.ISO()), "years": message.ListOf("; ", extended)})
	}
}

// BestJudgment returns the offsets at which an order, in lower case, says that it is made under section 62, or nil if
// it does not.
func BestJudgment(low string) []int { return bestJudgment.FindStringIndex(low) }

// bestJudgment matches the words by which an order says that it is made under section 62, such as "order passed u/s
// 62".
var bestJudgment = lazyregexp.New(`\border (?:is |has been |was )?(?:passed |made |issued )?(?:under|u/s\.?|: ?) ?(?:section|sec\.?)? ?62\b`)

// citesNotification reports whether the paper cites one of the notifications in a citation by its number and year.
func (r *reading) citesNotification(citation string) bool {
	low := r.doc.low
	return slices.ContainsFunc(notificationNumber.FindAllString(citation, -1), func(number string) bool {
		number = strings.TrimLeft(number, "0")
		for at := 0; ; {
			i := strings.Index(low[at:], number)
			if i < 0 {
				return false
			}
			at += i
			if before := strings.TrimRight(low[max(0, at-3):at], "0"); before == "" || !isDigit(before[len(before)-1]) {
				return strings.Contains(r.doc.lowIn(at-60, at), "notif")
			}
			at += len(number)
		}
	})
}

var notificationNumber = lazyregexp.New(`[0-9]{1,3}/20[0-9]{2}`)

// state returns the GST code of the noticee's State, or "" if it is not known.
func (r *reading) state() string {
	if r.facts.GSTIN == nil || r.facts.GSTINValid == nil || !*r.facts.GSTINValid {
		return ""
	}
	return (*r.facts.GSTIN)[:2]
}

// Rupees returns an amount in paise in the Indian format, "₹12,45,000".
func Rupees(paise int64) string { return message.Paise(paise).String() }

// paise converts an amount in rupees to paise for a message.
func paise(rupees float64) message.Paise { return message.Paise(math.Round(rupees * 100)) }
