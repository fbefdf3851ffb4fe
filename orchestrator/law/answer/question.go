package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/cite"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/lazyregexp"
	statute "munshi/orchestrator/law"
	"munshi/orchestrator/message"
)

// question is what was read from the text of a question.
type question struct {
	text, low string
	speaks    string
	today     law.Day
	times     []when  // in the order of the text; does not include the day of asking
	amounts   []money // in the order of the text
	forms     []string
	cited     []statute.Cited
	foreign   bool     // it cites an Act that is not about GST
	judgments []string // names of the cases that it cites, which are not in its text
	spans     [][2]int // of dates and amounts, which are not used as search words
}

// when is a day, a month or a financial year.
type when struct {
	at, end  int
	kind     string // "day", "month" or "year"
	from, to law.Day
}

type money struct {
	at, end int
	paise   int64
	head    string // "CGST", "SGST", "IGST", "" if none is named
	kind    string // "tax", "interest", "penalty" or "total", "" if not stated
}

var (
	monthYear = lazyregexp.New(`(?i)(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|जनवरी|फ़?रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सित(?:ंबर|म्बर)|अक्(?:टू|तू)बर|नव(?:ंबर|म्बर)|दिस(?:ंबर|म्बर))[,'’.\s]*(20[12]\d)`)
	fyShape   = lazyregexp.New(`\b(20[12]\d)\s*[-–/]\s*(?:20)?(\d\d)\b`)
	todayIs   = lazyregexp.New(`(?i)(?:today\s+is|today,?|aaj|आज)\s*(?:is|hai|है)?\s*$`)
	// The letter of a form follows its digits directly; only "GSTR-3 B" is written with a space too.
	formShape = lazyregexp.New(`(?i)\b(gstr|reg|cmp|drc|rfd|asmt|apl|itc|mov|adt|pct|spl)[\s-]*0*(\d{1,2})([a-d])?\b`)
	apartB    = lazyregexp.New(`^[\s-][bB]\b`)
	// Words for section and rule in Hindi written in Latin letters. Package cite reads those in English and Hindi.
	hinglishSection, hinglishRule = lazyregexp.New(`(?i)\bdhara(?:on|yen)?\b`), lazyregexp.New(`(?i)\bniyam(?:on)?\b`)

	// ofGST matches words that make a question one about GST.
	ofGST = lazyregexp.New(`(?i)\b(?:[ciskut]{0,2}gst\w*|itc|input tax|input credit|gstin|e-?way|e-?invoic\w*|reverse charge|rcm|composition (?:scheme|dealers?|taxpayers?|levy|limit|wal[aei]|vyapari|trader)|place of supply|time of supply|letter of undertaking|lut|pre-?deposit|show cause|scn|hsn|cross.?charge|isd)\b|जीएसटी|जी\.एस\.टी|आईटीसी|इनपुट टैक्स|ई-?वे|कंपोज़?िशन`)
	// mayBeGST matches words that are used in GST and elsewhere, such as "refund".
	mayBeGST = lazyregexp.New(`(?i)\b(?:tax(?:able|es)?|credit|invoices?|refund|returns?|notice|officer|order|appeal|penalty|turnover|supply|supplier)\b|टैक्स|क्रेडिट|नोटिस|अपील|आदेश|बिल|रिफंड`)
	// ofElse matches the subjects of other fields of law, for questions that do not mention GST: in English, in Hindi
	// in Latin letters, and in Hindi.
	ofElse = lazyregexp.New(`(?i)\b(?:income.?tax|stamp duty|companies act|director|shareholder|auditors?|registrar of companies|roc|mca|agm` +
		`|tenant|landlord|evict\w*|lease deed|rent agreement|gratuity|provident fund|employee|terminat\w+|maternity|divorce|alimony` +
		`|che(?:que|ck) bounce|fir|bail|will|inheritance|trade ?mark|copyright|rera|posh|salary` +
		`|aaykar|kiray\w+|makan ?malik|talaq|vasiyat|zamanat|naukri|vetan|karmchari)\b` +
		`|आयकर|स्टा[ंम्]+प|निदेशक|शेयरधारक|किराय|मकान ?मालिक|ग्रेच्युटी|भविष्य निधि|कर्मचारी|नौकरी|मातृत्व|तलाक|गुज़?ारा भत्ता|चेक बाउंस|एफ़?आईआर|ज़?मानत` +
		`|वसीयत|उत्तराधिकार|वेतन`)

	// These match what is asked for: a time or an amount.
	asksTime   = lazyregexp.New(`(?i)\b(?:when|until|till|upto|by when|last (?:date|day)|due date|time.?limit|time.?barred|limitation|how long|how many days|days do|deadline|in time|too late|still|within|(?:kab|kb)|kitne din|kitna (?:time|samay)|tak|samay|antim|aakhri|akhri)\b|कब|कितने दिन|समय|सीमा|अंतिम|आख़?िरी|तारीख़?|तिथि|तक|कितने समय`)
	asksAmount = lazyregexp.New(`(?i)\b(?:how much|amount|what (?:rate|percent\w*)|rate|kitna|kitni|pre-?deposit)\b|कितन[ािी]|राशि|किस दर|दर से|जमा`)
)

// read reads a question asked on a day. The index contains what can be cited.
func read(text string, today law.Day, index *cite.Index) *question {
	q := &question{today: today}
	inEnglish := hinglishRule.ReplaceAllString(hinglishSection.ReplaceAllString(text, "section"), "rule")
	for _, m := range index.Check(inEnglish, cite.Context{Today: today.ISO()}) {
		if m.Kind == cite.Judgment {
			q.judgments = append(q.judgments, inEnglish[m.Start:m.End])
		}
		if c, ok := Cited(m); ok && c.Act != "" {
			q.cited = append(q.cited, c)
		} else if m.Kind == cite.Provision && m.Act != "" && !strings.Contains(m.Act, "GST") {
			q.foreign = true
		}
	}
	for _, name := range q.judgments {
		text = withoutCase(text, name)
	}
	q.text, q.low, q.speaks = text, strings.ToLower(text), languageOf(text)
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
			if letter == "" && apartB.MatchString(text[m[1]:]) {
				letter = "B"
			}
			form = fmt.Sprintf("%s-%d%s", name, n, letter)
		}
		if !seen[form] {
			q.forms = append(q.forms, form)
		}
		seen[form] = true
	}
	return q
}

// withoutCase returns a question without the name of a case and the court and date after it, because they are not
// its subject.
func withoutCase(text, name string) string {
	before, after, _ := strings.Cut(text, name)
	return before + " " + courtOfCase.ReplaceAllString(after, "")
}

// courtOfCase matches what follows the name of a case: "(Cal)", "(Calcutta High Court, 2 August 2023)", "of the
// Supreme Court".
var courtOfCase = lazyregexp.New(`^(?:[ ,;]*\((?:[A-Z][\w.&]*(?: (?:of|and|&|[A-Z][\w.&]*))*|[^()\n]*\b(?:[Cc]ourt|[Tt]ribunal|[Bb]ench|(?:19|20)\d\d)\b[^()\n]*)\))*` +
	`(?:,? (?:(?:of|by|from|in) )?(?:the )?(?:Hon'ble )?(?:[A-Z]\w+ ){0,3}(?:High|Supreme) Court)?`)

// Cited returns the provision of a mark as the law names it. If the mark names no Act, the CGST Act or Rules are
// assumed; an Act that the law does not have gives "". It reports false if the mark is not a section or rule.
func Cited(m cite.Mark) (statute.Cited, bool) {
	unit, number, ok := strings.Cut(m.Provision, " ")
	if m.Kind != cite.Provision || !ok || unit != "section" && unit != "rule" {
		return statute.Cited{}, false
	}
	for _, a := range statute.Acts() {
		if a.Short == m.Act || m.Act == "" && a.Unit == unit {
			return statute.Cited{Act: a.ID, Number: number}, true
		}
	}
	return statute.Cited{Number: number}, true
}

// languageOf returns the language in which a text is written.
func languageOf(text string) string {
	devanagari, latin := statute.Letters(text)
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
		if todayIs.MatchString(q.text[:f.Start]) {
			q.today = d // "today is …" sets the day of the question
			continue
		}
		if d.ISO() == q.today.ISO() {
			continue
		}
		q.times = append(q.times, when{f.Start, f.End, "day", d, d})
	}
	for _, m := range fyShape.FindAllStringSubmatchIndex(q.text, -1) {
		first, _ := strconv.Atoi(q.text[m[2]:m[3]])
		second, _ := strconv.Atoi(q.text[m[4]:m[5]])
		if taken(m[0]) || second != (first+1)%100 {
			continue
		}
		from, _ := law.NewDay(first, 4, 1)
		q.times = append(q.times, when{m[0], m[1], "year", from, from.AddMonths(12).AddDays(-1)})
		q.spans = append(q.spans, [2]int{m[0], m[1]})
	}
	for _, m := range monthYear.FindAllStringSubmatchIndex(q.text, -1) {
		if taken(m[0]) || taken(m[4]) {
			continue
		}
		year, _ := strconv.Atoi(q.text[m[4]:m[5]])
		if month := monthOf(q.text[m[2]:m[3]]); month > 0 {
			from, _ := law.NewDay(year, month, 1)
			q.times = append(q.times, when{m[0], m[1], "month", from, from.AddMonths(1).AddDays(-1)})
			q.spans = append(q.spans, [2]int{m[0], m[1]})
		}
	}
	slices.SortStableFunc(q.times, func(a, b when) int { return cmp.Compare(a.at, b.at) })
}

// monthOf returns the number of a month from its name, 0 if it is not a month. It uses the reader of dates.
func monthOf(name string) int {
	for _, f := range gst.Figures("5 " + name + " 2024") {
		if f.Date != "" {
			return int(law.ParseDay(f.Date).Month())
		}
	}
	return 0
}

var headShape = lazyregexp.New(`(?i)\b(cgst|sgst|utgst|igst|central tax|state tax|integrated tax)\b|केंद्रीय कर`)

func (q *question) readAmounts() {
	var before, behind []string // the text on either side of each amount, up to the next figure
	last, open := 0, false      // open: inside the text after the last amount
	for _, f := range gst.Figures(q.text) {
		between := q.text[last:f.Start]
		if open {
			behind = append(behind, between)
		}
		last, open = f.End, f.Date == ""
		if !open {
			continue
		}
		before = append(before, between)
		q.amounts = append(q.amounts, money{at: f.Start, end: f.End, paise: f.Paise})
		q.spans = append(q.spans, [2]int{f.Start, f.End})
	}
	if open {
		behind = append(behind, q.text[last:])
	}
	// A person consistently names amounts either before or after them; the first amount shows which.
	namedBefore := false
	for i := range q.amounts {
		head, kind := namedBehind(behind[i])
		earlierHead, earlierKind := lastNamed(before[i][max(0, len(before[i])-nearBefore):])
		if i == 0 {
			namedBefore = earlierHead != "" || earlierKind != ""
		}
		if namedBefore && (earlierHead != "" || earlierKind != "") || head == "" && kind == "" {
			head, kind = earlierHead, earlierKind
		}
		q.amounts[i].head, q.amounts[i].kind = head, kind
	}
}

var (
	kindShape = lazyregexp.New(`(?i)\b(?:(tax|duty|gst|cgst|sgst|utgst|igst)|(interest|byaj)|(penalt\w+|fines?|fees?|jurmana)|(total))\b|(टैक्स|जीएसटी|कर(?:\s|$))|(ब्याज)|(जुर्मान[ाे]|शास्ति|पेनल्टी|शुल्क|दंड)|(कुल)`)
	endsLabel = lazyregexp.New(`(?i)[,;.।+&:\n]|\b(?:and|or|with|plus|aur|ya|is|was|for|where|on|under)\b|और|तथा|या|पर`)
)

// lastNamed returns the last head of tax and the last kind of sum named in the text before an amount.
func lastNamed(before string) (head, kind string) {
	if heads := headShape.FindAllString(before, -1); len(heads) > 0 {
		head = headNamed(heads[len(heads)-1])
	}
	if kinds := kindShape.FindAllStringSubmatch(before, -1); len(kinds) > 0 {
		kind = kindOf(kinds[len(kinds)-1])
	}
	return head, kind
}

// namedBehind returns the head and the kind named directly after an amount, as in "Rs 5 lakh CGST".
func namedBehind(behind string) (head, kind string) {
	if m := endsLabel.FindStringIndex(behind); m != nil {
		behind = behind[:m[0]]
	}
	if h := headShape.FindString(behind); h != "" {
		head = headNamed(h)
	}
	if k := kindShape.FindStringSubmatch(behind); k != nil {
		kind = kindOf(k)
	}
	return head, kind
}

func kindOf(m []string) string {
	for i, kind := range []string{"tax", "interest", "penalty", "total"} {
		if m[1+i] != "" || m[5+i] != "" {
			return kind
		}
	}
	return ""
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

// words returns the question without its dates and amounts.
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

// sought returns the search words: those of the question, without the words that ask whether a case helps,
// and with "inter-State supply" if it names two States.
func (q *question) sought() string {
	states := map[string]bool{}
	for _, s := range stateNames.FindAllString(q.text, -1) {
		states[strings.ToLower(s)] = true
	}
	text := q.text
	if len(q.judgments) > 0 {
		text = besideCase.ReplaceAllString(text, " ")
	}
	if len(states) > 1 {
		return text + " inter-State supply"
	}
	return text
}

// asksOfCase reports whether a question asks about the cases that it names, and about nothing else.
func (q *question) asksOfCase() bool {
	return len(q.judgments) > 0 && !strings.ContainsFunc(ofCase.ReplaceAllString(q.sought(), ""), unicode.IsLetter)
}

// besideCase matches words that ask whether a case helps.
var besideCase = lazyregexp.New(`(?i)\b(?:does|will|can|do)\b|\bhelp(?:s|ful)?\b`)

// ofCase matches other words that are about a case and not about its subject.
var ofCase = lazyregexp.New(`(?i)\b(?:what|was|is|are|did|the|this|that|in|of|on|to|for|and|or|me|my|us|our|we|i|you|it|case|here|say|said|says|hold|held|decided?|decision|judge?ments?|ruling|about|tell|explain|discuss|summari[sz]e|appl(?:y|ies)|relevant|still|good|law|use|rely|correct|valid|please|mera|mere|mein|kya|hai|kaam|aayega|court|high|supreme)\b` +
	`|क्या|है|में|मेरे|मुझे|काम|मदद|आएगा|का|की|के|को|से|फ़ैसला|फ़ैसले|निर्णय|लागू|बताएँ|होगा|होता|कहता`)

var stateNames = lazyregexp.New(`(?i)\b(?:andhra pradesh|arunachal pradesh|assam|bihar|chhattisgarh|goa|gujarat|haryana|himachal pradesh|jharkhand|karnataka|kerala|madhya pradesh|maharashtra|manipur|meghalaya|mizoram|nagaland|odisha|punjab|rajasthan|sikkim|tamil nadu|telangana|tripura|uttar pradesh|uttarakhand|west bengal|delhi|jammu|ladakh|puducherry|chandigarh|lakshadweep)\b`)

// past returns the last day of the first period named that is over, in ISO format; "" for none.
func (q *question) past() string {
	for _, w := range q.times {
		if w.to.Before(q.today) {
			return w.to.ISO()
		}
	}
	return ""
}

// after returns the first time that follows a match of p within a number of bytes; nil for none.
func (q *question) after(p *lazyregexp.Regexp, within int) *when {
	for _, m := range p.FindAllStringSubmatchIndex(q.text, -1) {
		for i := range q.times {
			if w := &q.times[i]; w.at >= m[1] && w.at-m[1] <= within {
				return w
			}
		}
	}
	return nil
}

var (
	// Words just before or just after the date of a paper itself.
	paperBefore = lazyregexp.New(`(?i)(?:\b(?:dated?|dt\.?|of|passed|issued|made|signed|is)(?:\s+(?:on|is|as|the))*|दिनांक(?:ित)?|dinank)\s*[:,]?\s*$`)
	paperBehind = lazyregexp.New(`(?i)^\s*(?:का|की|के|ka|ki|ke|wala|wali|वाला|वाली|(?:को|ko)\s+(?:जारी|पारित|jaari|pass|issue|pa[a]?rit))(?:\s|$)`)
	// Words for the day on which a paper reached a person. In English the day usually follows them, in Hindi it
	// precedes them.
	ofService      = lazyregexp.New(`(?i)\b(?:communicated|served|service|received|receipt|got|reached|delivered|came|intimated)\b`)
	ofServiceHindi = lazyregexp.New(`(?i)\b(?:mil[aie]|mil gay[aie]|prapt|tameel|aa?y[aei])\b|मिल[ाीे]|मिल गय|प्राप्त|तामील|पहुँच|पहुंच|आय[ाीे]`)
	behindHindi    = lazyregexp.New(`(?i)^\s*(?:को|ko|ke din|के दिन)(?:\s|$)`)
)

// The largest distance, in bytes, between a word and the day that belongs to it.
const (
	nearBehind = 60
	nearBefore = 90 // a Hindi letter takes three bytes
)

// ofPaper reports whether a day is the date of a paper itself, as in "the order dated 1 September 2026".
func (q *question) ofPaper(w when) bool {
	return w.kind == "day" && (paperBefore.MatchString(q.text[:w.at]) || paperBehind.MatchString(q.text[w.end:]))
}

// paperDay returns the first day that is the date of a paper itself; nil for none.
func (q *question) paperDay() *when {
	return q.dayWhere(q.ofPaper)
}

// served returns the day on which a paper reached the person; nil for none. The date of the paper is not used
// instead, because the law counts from the communication.
func (q *question) served() *when {
	for _, m := range ofServiceHindi.FindAllStringSubmatchIndex(q.text, -1) {
		if w := q.nearest(m[0], m[1], true); w != nil {
			return w
		}
	}
	for _, m := range ofService.FindAllStringSubmatchIndex(q.text, -1) {
		if w := q.nearest(m[0], m[1], false); w != nil {
			return w
		}
	}
	return nil
}

// nearest returns the day that belongs to the word from start to end; nil for none.
func (q *question) nearest(start, end int, hindi bool) *when {
	behind := q.dayWhere(func(w when) bool { return w.at >= end && w.at-end <= nearBehind && !q.ofPaper(w) })
	var before *when
	for i := range q.times {
		if w := &q.times[i]; w.kind == "day" && w.end <= start && start-w.end <= nearBefore && !q.ofPaper(*w) {
			before = w
		}
	}
	if before != nil && (behind == nil || hindi && behindHindi.MatchString(q.text[before.end:])) {
		return before
	}
	return behind
}

// dayWhere returns the first day that satisfies a condition; nil for none.
func (q *question) dayWhere(holds func(when) bool) *when {
	for i := range q.times {
		if w := &q.times[i]; w.kind == "day" && holds(*w) {
			return w
		}
	}
	return nil
}

// day returns the first day named; nil for none.
func (q *question) day() *when {
	for i := range q.times {
		if q.times[i].kind == "day" {
			return &q.times[i]
		}
	}
	return nil
}

// years returns the financial years named, without repetitions.
func (q *question) years() []string {
	var all []string
	for _, w := range q.times {
		if fy := w.from.FinancialYear(); w.kind == "year" && !slices.Contains(all, fy) {
			all = append(all, fy)
		}
	}
	return all
}

var (
	noticeNamed = lazyregexp.New(`(?i)\b(?:scn|show.?cause|notices?|drc-?\s?0?1)\b|नोटिस`)
	orderNamed  = lazyregexp.New(`(?i)\b(?:orders?|drc-?\s?0?7|aadesh|adesh)\b|आदेश|ऑर्डर`)
	filedNamed  = lazyregexp.New(`(?i)\b(?:gstr\S*|returns?|filed|paid|deposited|invoices?|bills?|reply|replied|appeal)\b|रिटर्न|इनवॉइस|बिल|जवाब|भरा|अपील`) // words that the day may belong to instead
	ownedBehind = lazyregexp.New(`(?i)^\s*(?:का|की|के|ka|ki|ke)\s+(?:\S+\s+)?(?:(notice|scn|नोटिस)|(order|आदेश|ऑर्डर))`)
)

// nearPaper is the largest distance, in bytes, between the name of a paper and its date.
const nearPaper = 120

// papersDated returns the dates of a notice and of an order that the question names; nil for none. The day on which a
// paper reached the person is not used.
func (q *question) papersDated() (notice, order *when) {
	last := 0
	for i := range q.times {
		w := &q.times[i]
		if w.kind != "day" {
			continue
		}
		before := q.text[max(last, w.at-nearPaper):w.at]
		last = w.end
		ofNotice, ofOrder := lastOf(noticeNamed, before), lastOf(orderNamed, before)
		if lastOf(filedNamed, before) > max(ofNotice, ofOrder) {
			continue
		}
		if m := ownedBehind.FindStringSubmatch(q.text[w.end:]); m != nil {
			ofNotice, ofOrder = len(m[1]), len(m[2])
		}
		switch named := max(ofNotice, ofOrder); {
		case named < 0, ofService.MatchString(before[min(named, len(before)):]):
		case ofNotice > ofOrder && notice == nil:
			notice = w
		case ofOrder > ofNotice && order == nil:
			order = w
		}
	}
	return notice, order
}

// language returns the language for texts that are data, which are not available in Hinglish.
func (q *question) language() string {
	if q.speaks == Hindi {
		return Hindi
	}
	return English
}

// date returns a day in the language of the question.
func (q *question) date(d law.Day) string {
	if d.IsZero() {
		return ""
	}
	return message.Date(d.ISO()).In(q.language())
}

// time returns a time in the same precision as in the question: a day, a month or a year.
func (q *question) time(w when) string {
	switch {
	case w.kind == "day":
		return q.date(w.from)
	case w.kind == "year":
		return w.from.FinancialYear()
	}
	return strings.TrimPrefix(q.date(w.from), "1 ")
}

// name returns the citation of a provision in the language of the question.
func (q *question) name(act, number string) string {
	name := statute.Name(act, number)
	unit, rest, ok := strings.Cut(name, " ")
	if q.speaks != Hindi || !ok {
		return name
	}
	number, in, _ := strings.Cut(rest, " of the ")
	in = message.Citation(in).In(Hindi)
	switch unit {
	case "Schedule":
		return in + " की अनुसूची " + number
	case "rule":
		return in + " का नियम " + number
	}
	return in + " की धारा " + number
}

var (
	kilometres = lazyregexp.New(`(?i)([\d,]{1,7})\s*(?:km|kms|kilomet\w+|किलोमीटर|किमी|कि\.मी)`)
	oversized  = lazyregexp.New(`(?i)over.?dimensional|\bodc\b|multi.?modal`)
)

// number returns the first number that a pattern finds; 0 for none.
func (q *question) number(p *lazyregexp.Regexp) int {
	m := p.FindStringSubmatch(q.text)
	for _, s := range m[min(1, len(m)):] {
		if n, err := strconv.Atoi(strings.ReplaceAll(s, ",", "")); err == nil {
			return n
		}
	}
	return 0
}
