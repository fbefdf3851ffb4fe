package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/pattern"
	statute "munshi/orchestrator/law"
)

// question is what is read of a question.
type question struct {
	text, low string
	speaks    string
	today     law.Day
	times     []when  // in the order of the text; the day on which it is asked is none of them
	amounts   []money // likewise
	forms     []string
	cited     []statute.Cited
	spans     [][2]int // of dates and amounts, which are no words to search by
}

// when is a day, a month or a financial year.
type when struct {
	at       int
	kind     string // "day", "month" or "year"
	from, to law.Day
}

type money struct {
	at, end int
	paise   int64
	head    string // "CGST", "SGST", "IGST", "" where none is named
}

var (
	monthYear = pattern.New(`(?i)(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|जनवरी|फ़?रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सित(?:ंबर|म्बर)|अक्(?:टू|तू)बर|नव(?:ंबर|म्बर)|दिस(?:ंबर|म्बर))[,'’.\s]*(20[12]\d)`)
	fyShape   = pattern.New(`\b(20[12]\d)\s*[-–/]\s*(?:20)?(\d\d)\b`)
	todayIs   = pattern.New(`(?i)(?:today\s+is|today,?|aaj|आज)\s*(?:is|hai|है)?\s*$`)
	formShape = pattern.New(`(?i)\b(gstr|reg|cmp|drc|rfd|asmt|apl|itc|mov|adt|pct|spl)[\s-]*0*(\d{1,2})\s?([a-d])?\b`)
	provision = pattern.New(`(?i)(?:\b(sections?|sec\.?|u/s\.?|dhara|rules?|niyam)\s*|(धारा|नियम)\s*)(\d{1,3}[A-Z]{0,3})((?:\s?\([0-9A-Za-z]{1,5}\))*)`)
	ofIGST    = pattern.New(`(?i)\bigst act\b|\bintegrated goods and services tax act\b`)

	// What makes a question one of GST.
	ofGST = pattern.New(`(?i)\b(?:[ciskut]{0,2}gst\w*|itc|input tax|input credit|gstin|e-?way|e-?invoic\w*|reverse charge|rcm|composition (?:scheme|dealer|taxpayer)|place of supply|time of supply|letter of undertaking|lut|pre-?deposit|show cause|scn|hsn|din|cross.?charge|isd)\b|जीएसटी|जी\.एस\.टी|आईटीसी|इनपुट टैक्स|ई-?वे|कंपोज़?िशन`)
	// What may be meant in GST as well as elsewhere.
	mayBeGST = pattern.New(`(?i)\b(?:tax(?:able|es)?|credit|invoices?|refund|returns?|notice|officer|order|appeal|penalty|turnover|supply|supplier)\b|टैक्स|क्रेडिट|नोटिस|अपील|आदेश|बिल|रिफंड`)
	// What other fields of law are about, where nothing of GST is named.
	ofElse = pattern.New(`(?i)\b(?:income.?tax|stamp duty|companies act|director|shareholder|tenant|landlord|evict\w*|lease deed|rent agreement|gratuity|provident fund|employee|terminat\w+|maternity|divorce|alimony|cheque bounce|fir|bail|will|inheritance|trade ?mark|copyright|rera|posh|salary)\b|ग्रेच्युटी|किराय|तलाक|वसीयत|आयकर|वेतन|भविष्य निधि`)

	// Kinds of asking.
	asksTime   = pattern.New(`(?i)\b(?:when|until|till|upto|by when|last (?:date|day)|due date|time.?limit|time.?barred|limitation|how long|how many days|days do|deadline|in time|too late|still|within|(?:kab|kb)|kitne din|kitna (?:time|samay)|tak|samay|antim|aakhri|akhri)\b|कब|कितने दिन|समय|सीमा|अंतिम|आख़?िरी|तारीख़?|तिथि|तक|कितने समय`)
	asksAmount = pattern.New(`(?i)\b(?:how much|amount|what (?:rate|percent\w*)|rate|kitna|kitni|pre-?deposit)\b|कितन[ािी]|राशि|किस दर|दर से|जमा`)
)

func read(text string, today law.Day) *question {
	q := &question{text: text, low: strings.ToLower(text), today: today, speaks: languageOf(text)}
	q.readTimes()
	q.readAmounts()
	seen := map[string]bool{}
	for _, m := range formShape.FindAllStringSubmatchIndex(text, -1) {
		n, _ := strconv.Atoi(text[m[4]:m[5]])
		letter := ""
		if m[6] > 0 {
			letter = strings.ToUpper(text[m[6]:m[7]])
		}
		name := strings.ToUpper(text[m[2]:m[3]])
		form := fmt.Sprintf("%s-%02d%s", name, n, letter)
		if name == "GSTR" {
			form = fmt.Sprintf("%s-%d%s", name, n, letter)
		}
		if !seen[form] {
			q.forms = append(q.forms, form)
		}
		seen[form] = true
	}
	for _, m := range provision.FindAllStringSubmatch(text, -1) {
		act := "cgst"
		if unit := strings.ToLower(m[1] + m[2]); strings.HasPrefix(unit, "r") || unit == "niyam" || unit == "नियम" {
			act = "cgst_rules"
		} else if ofIGST.MatchString(text) {
			act = "igst"
		}
		q.cited = append(q.cited, statute.Cited{Act: act, Number: strings.ToUpper(m[3]) + strings.ReplaceAll(strings.ToLower(m[4]), " ", "")})
	}
	return q
}

// languageOf tells in what a question is written.
func languageOf(text string) string {
	latin, devanagari := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Devanagari, r):
			devanagari++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	if devanagari > 0 && 2*devanagari >= latin {
		return Hindi
	}
	words, own := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }), 0
	for _, w := range words {
		if hinglishWords[w] {
			own++
		}
	}
	if own >= 2 && 5*own >= len(words) {
		return Hinglish
	}
	return English
}

var hinglishWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`kya kab kaise kitna kitni kitne kaun kyon kyun mujhe hai hain hoga hogi karna karni chahiye nahi nahin
		agar jawab kisne dena deni tak mein ka ki ke ko se par mila mili din hota hoti kar sakte sakta sakti liye aur kiya gaya hua lagega lagta lena
		bharna wapas mera meri hum humne maine abhi kitnay milega milegi`) {
		set[w] = true
	}
	return set
}()

func (q *question) readTimes() {
	taken := func(at int) bool {
		return slices.ContainsFunc(q.spans, func(s [2]int) bool { return s[0] <= at && at < s[1] })
	}
	for _, f := range gst.Figures(q.text) {
		if f.Date == "" {
			continue
		}
		q.spans = append(q.spans, [2]int{f.Start, f.End})
		d := law.ParseDay(f.Date)
		if d.ISO() == q.today.ISO() || todayIs.MatchString(q.text[:f.Start]) {
			continue
		}
		q.times = append(q.times, when{f.Start, "day", d, d})
	}
	for _, m := range fyShape.FindAllStringSubmatchIndex(q.text, -1) {
		first, _ := strconv.Atoi(q.text[m[2]:m[3]])
		second, _ := strconv.Atoi(q.text[m[4]:m[5]])
		if taken(m[0]) || second != (first+1)%100 {
			continue
		}
		from, _ := law.NewDay(first, 4, 1)
		q.times = append(q.times, when{m[0], "year", from, from.AddMonths(12).AddDays(-1)})
		q.spans = append(q.spans, [2]int{m[0], m[1]})
	}
	for _, m := range monthYear.FindAllStringSubmatchIndex(q.text, -1) {
		if taken(m[0]) || taken(m[4]) {
			continue
		}
		year, _ := strconv.Atoi(q.text[m[4]:m[5]])
		if month := monthOf(q.text[m[2]:m[3]]); month > 0 {
			from, _ := law.NewDay(year, month, 1)
			q.times = append(q.times, when{m[0], "month", from, from.AddMonths(1).AddDays(-1)})
			q.spans = append(q.spans, [2]int{m[0], m[1]})
		}
	}
	slices.SortStableFunc(q.times, func(a, b when) int { return cmp.Compare(a.at, b.at) })
}

// monthOf reads the name of a month by the reader of dates.
func monthOf(name string) int {
	for _, f := range gst.Figures("5 " + name + " 2024") {
		if f.Date != "" {
			return int(law.ParseDay(f.Date).Month())
		}
	}
	return 0
}

var headShape = pattern.New(`(?i)\b(cgst|sgst|utgst|igst|central tax|state tax|integrated tax)\b|केंद्रीय कर`)

func (q *question) readAmounts() {
	last := 0
	for _, f := range gst.Figures(q.text) {
		if f.Date != "" {
			last = f.End
			continue
		}
		m := money{at: f.Start, end: f.End, paise: f.Paise}
		if heads := headShape.FindAllString(q.text[last:f.Start], -1); len(heads) > 0 {
			m.head = headNamed(heads[len(heads)-1])
		}
		q.amounts = append(q.amounts, m)
		q.spans = append(q.spans, [2]int{f.Start, f.End})
		last = f.End
	}
}

func headNamed(word string) string {
	switch strings.ToLower(word) {
	case "central tax", "केंद्रीय कर":
		return "CGST"
	case "state tax":
		return "SGST"
	case "integrated tax":
		return "IGST"
	}
	return strings.ToUpper(word)
}

// words gives the question without its dates and amounts.
func (q *question) words() string {
	spans := slices.Clone(q.spans)
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s[0] >= at {
			b.WriteString(q.text[at:s[0]] + " ")
			at = s[1]
		}
	}
	b.WriteString(q.text[at:])
	return b.String()
}

// sought gives what to search for: the question, and what it says without the word for it.
func (q *question) sought() string {
	states := map[string]bool{}
	for _, s := range stateNames.FindAllString(q.text, -1) {
		states[strings.ToLower(s)] = true
	}
	if len(states) > 1 {
		return q.text + " inter-State supply"
	}
	return q.text
}

var stateNames = pattern.New(`(?i)\b(?:andhra pradesh|arunachal pradesh|assam|bihar|chhattisgarh|goa|gujarat|haryana|himachal pradesh|jharkhand|karnataka|kerala|madhya pradesh|maharashtra|manipur|meghalaya|mizoram|nagaland|odisha|punjab|rajasthan|sikkim|tamil nadu|telangana|tripura|uttar pradesh|uttarakhand|west bengal|delhi|jammu|ladakh|puducherry|chandigarh|lakshadweep)\b`)

// past gives the last day of the earliest time that is named, ISO; "" where none has passed.
func (q *question) past() string {
	for _, w := range q.times {
		if w.to.Before(q.today) {
			return w.to.ISO()
		}
	}
	return ""
}

// after gives the first time that stands within so many bytes behind what a pattern finds; nil for none.
func (q *question) after(p *pattern.Pattern, within int) *when {
	for _, m := range p.FindAllStringSubmatchIndex(q.text, -1) {
		for i := range q.times {
			if w := &q.times[i]; w.at >= m[1] && w.at-m[1] <= within {
				return w
			}
		}
	}
	return nil
}

// day gives the first day that is named; nil for none.
func (q *question) day() *when {
	for i := range q.times {
		if q.times[i].kind == "day" {
			return &q.times[i]
		}
	}
	return nil
}

// year gives the first financial year that is named, or that of the first time.
func (q *question) year() string {
	for _, w := range q.times {
		if w.kind == "year" {
			return w.from.FinancialYear()
		}
	}
	return ""
}

var hindiMonths = strings.Fields("जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर")

// date writes a day in the language of the question.
func (q *question) date(d law.Day) string {
	switch {
	case d.IsZero():
		return ""
	case q.speaks == Hindi:
		return fmt.Sprintf("%d %s %d", d.Day(), hindiMonths[d.Month()-1], d.Year())
	}
	return d.Format("2 January 2006")
}

// time writes a time as it was named.
func (q *question) time(w when) string {
	switch {
	case w.kind == "day":
		return q.date(w.from)
	case w.kind == "year":
		return w.from.FinancialYear()
	case q.speaks == Hindi:
		return fmt.Sprintf("%s %d", hindiMonths[w.from.Month()-1], w.from.Year())
	}
	return w.from.Format("January 2006")
}

// name cites a provision in the language of the question.
func (q *question) name(act, number string) string {
	name := statute.Name(act, number)
	unit, rest, ok := strings.Cut(name, " ")
	if q.speaks != Hindi || !ok || strings.HasPrefix(name, "Schedule") {
		return name
	}
	number, in, _ := strings.Cut(rest, " of the ")
	if unit == "rule" {
		return in + " का नियम " + number
	}
	return in + " की धारा " + number
}

var (
	daysCount  = pattern.New(`(?i)\b(\d{1,4})\s*(?:days?|din)\b|(\d{1,4})\s*दिन`)
	kilometres = pattern.New(`(?i)([\d,]{1,7})\s*(?:km|kms|kilomet\w+|किलोमीटर|किमी|कि\.मी)`)
	oversized  = pattern.New(`(?i)over.?dimensional|odc|multimodal`)
)

// number reads the first number that a pattern finds; 0 for none.
func (q *question) number(p *pattern.Pattern) int {
	m := p.FindStringSubmatch(q.text)
	for _, s := range m[min(1, len(m)):] {
		if n, err := strconv.Atoi(strings.ReplaceAll(s, ",", "")); err == nil {
			return n
		}
	}
	return 0
}
