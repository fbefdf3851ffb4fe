package model

import (
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"munshi/orchestrator/gst/lazyregexp"
)

// intents are the kinds of question about a notice, recognised by words in English, Hindi, and Hindi in Latin letters.
// The first match counts, so narrower ones come first.
var intents = [...]struct {
	about  string
	words  *lazyregexp.Regexp
	answer func(*notice)
}{
	{"silence", lazyregexp.New(`(?i)\b(?:ignore|don'?t reply|do not reply|not reply|no reply|not respond|if i do nothing|consequence|what happens if|miss(?:ed)? the)\b|jawab n(?:ahi|a)|reply n(?:ahi|a)|kya hoga agar|agar .*n(?:ahi|a)\b|जवाब न|उत्तर न|क्या होगा`), (*notice).sayConsequence},
	{"hearing", lazyregexp.New(`(?i)\bhearing\b|\bsunwa?i\b|\bappear\b|सुनवाई|पेशी`), (*notice).sayHearing},
	{"deadline", lazyregexp.New(`(?i)\b(?:dead ?line|last date|due date|by when|how many days|days left|how long|time left|when (?:do|should|must|is|to))\b|kab ?tak|last din|kitne din|aakhri|akhri|tareekh|tarikh|कब तक|अंतिम तिथि|आख़?िरी|कितने दिन|तारीख`), (*notice).sayDeadline},
	{"documents", lazyregexp.New(`(?i)\b(?:documents?|papers?|proofs?|evidence)\b|kagaz|kaagaz|dastavez|कागज|काग़ज|दस्तावेज|दस्तावेज़|प्रमाण`), (*notice).sayDocuments},
	{"amount", lazyregexp.New(`(?i)\b(?:how much|amount|demand|total|tax payable|(?:[cisu]|ut)gst tax|tax under (?:[cisu]|ut)gst|penalty|interest)\b|kitna|kitni|kitne paise|paisa|रकम|राशि|कितना|कितनी|जुर्माना|ब्याज`), (*notice).sayAmounts},
	{"form", lazyregexp.New(`(?i)\b(?:which form|what form|where (?:do|to|should) (?:i )?(?:reply|file)|how (?:do|to|should|can) (?:i |we )?(?:reply|respond|answer|file))\b|kaun ?sa form|konsa form|kaise (?:reply|jawab)|jawab kaise|कौन ?सा (?:फॉर्म|प्रपत्र)|कैसे (?:जवाब|उत्तर)|जवाब कैसे`), (*notice).sayHow},
	{"who", lazyregexp.New(`(?i)\bwho\b|\bofficer\b|\bkisne\b|\bkaun\b|किसने|अधिकारी|कौन`), (*notice).sayWho},
	{"provisions", lazyregexp.New(`(?i)\b(?:sections?|rules?|provisions?|which law)\b|\bdhara\b|धारा|नियम`),
		(*notice).sayProvisions},
	{"genuine", lazyregexp.New(`(?i)\b(?:genuine|fake|real|valid|din|verify)\b|asli|nakli|असली|नकली`),
		(*notice).sayGenuine},
	{"allegations", lazyregexp.New(`(?i)\b(?:alleg\w*|why|reasons?|accus\w*|charges?|wrong)\b|kyon|kyun|kyu|क्यों|आरोप|कारण`), (*notice).sayAllegations},
	{"what", lazyregexp.New(`(?i)\b(?:what is this|what'?s this|explain|summar\w*|about)\b|kya hai|yeh kya|ye kya|क्या है`), (*notice).sayWhat},
	{"next", lazyregexp.New(`(?i)\b(?:what (?:should|do|can) i do|next step|what now)\b|kya kar(?:na|u|oon|e)|क्या कर`), (*notice).sayNext},
}

// limits are requests that only a language model could fulfil, and what the answer then says.
var limits = [...]struct {
	words *lazyregexp.Regexp
	what  string
}{
	{lazyregexp.New(`(?i)^\W*(?:hi|hello|hey|hii+|good (?:morning|afternoon|evening)|namaste|namaskar|thanks?|thank you|dhanyavaad|नमस्ते|नमस्कार|धन्यवाद)(?:[\s,]+(?:there|munshi|sir|madam|ji|all|very much|so much))*[\s.,!?]*$`),
		"greeting"},
	{lazyregexp.New(`(?i)\bdraft\b.*\b(?:reply|response|answer|letter|submission|appeal|it)\b|^\W*(?:(?:please|kindly|can you|could you|help me|to|now)\s+)*(?:write|prepare|make|compose)\s+.*\b(?:reply|response|answer|letter|submission|appeal)\b|(?:jawab|reply) (?:likh|bana|taiyar|draft)|(?:जवाब|उत्तर) (?:लिख|बना|तैयार)`),
		"draft"},
	{lazyregexp.New(`(?i)\btranslat(?:e|ion)\b|\banuvad\b|अनुवाद|\b(?:in|into|to) (?:hindi|english|marathi|gujarati|tamil|telugu|bengali|kannada|punjabi|malayalam)\b`),
		"translate"},
}

// answer answers a question with facts and with the best matching passages of the notice.
func (n *notice) answer(question string) {
	switch {
	case strings.TrimSpace(question) == "":
		n.say("ask")
		return
	case !n.known && strings.TrimSpace(n.text) == "":
		n.say("nothing_read")
		return
	}
	for _, l := range limits {
		if l.words.MatchString(question) {
			n.say("limit", "case", l.what)
			return
		}
	}
	if n.known {
		for _, i := range intents {
			if i.words.MatchString(question) {
				if i.about == "amount" {
					n.sayFigure(question)
				}
				i.answer(n)
				break
			}
		}
	}
	found, known := n.passages(question, 3), len(n.sayings) > 0
	switch {
	case !known && len(found) == 0:
		n.say("not_found")
	case !known:
		n.say("nearest")
	}
	n.sayPassages(found)
	n.say("chat_note")
}

func (n *notice) sayPassages(found []passage) {
	if len(found) == 0 {
		return
	}
	n.say("from_notice")
	for _, p := range found {
		n.say("passage", "page", strconv.Itoa(p.page), "quote", quote(p.text, 360))
	}
}

func (n *notice) sayConsequence() {
	n.sayForm("silence")
	n.sayLastDay()
}

var (
	asksHead = lazyregexp.New(`(?i)\b(?:cgst|sgst|utgst|igst|cess)\b`)
	asksKind = lazyregexp.New(`(?i)\b(?:tax|interest|penalty|(?:late )?fee)\b|ब्याज|जुर्माना`)
)

// sayFigure answers a question about one kind of amount under one head of tax with that amount; it does nothing for
// other questions.
func (n *notice) sayFigure(question string) {
	heads := distinct(asksHead.FindAllString(strings.ToUpper(question), -1))
	kinds := distinct(asksKind.FindAllString(strings.ToLower(question), -1))
	if len(heads) != 1 || len(kinds) != 1 || n.facts.Demand == nil {
		return
	}
	kind, sum := kinds[0], 0.0
	for _, r := range n.facts.Demand.Rows {
		if !strings.EqualFold(r.Head, heads[0]) {
			continue
		}
		switch kind {
		case "tax":
			sum += r.Tax
		case "interest", "ब्याज":
			sum, kind = sum+r.Interest, "interest"
		case "penalty", "जुर्माना":
			sum, kind = sum+r.Penalty, "penalty"
		default:
			sum, kind = sum+r.Fee, "fee"
		}
	}
	amount := ""
	if sum != 0 {
		amount = rupees(sum)
	}
	n.say("figure", "name", heads[0], "case", kind, "amount", amount, "page", n.page("demand"))
}

func (n *notice) sayHow() {
	n.say("this_is", "name", n.formName())
	n.sayForm("how")
}

func (n *notice) sayWho() {
	f := &n.facts
	n.say("who", "text", n.officer(), "page", n.page("officer"), "name", plain(f.LegalName), "gstin", plain(f.GSTIN))
}

func (n *notice) sayProvisions() {
	f := &n.facts
	n.say("cites", "list", plain(strings.Join(f.Sections, ", ")), "provision", plain(strings.Join(f.Rules, ", ")))
}

func (n *notice) sayGenuine() {
	f := &n.facts
	switch {
	case f.DIN != "":
		n.say("genuine", "case", "din", "number", plain(f.DIN), "page", n.page("din"))
	case f.Reference != "":
		n.say("genuine", "case", "number", "number", plain(f.Reference), "page", n.page("reference"))
	default:
		n.say("genuine")
	}
}

func (n *notice) sayWhat() { n.sayForm("what") }

func (n *notice) sayDocuments() {
	list := n.required
	if len(list) == 0 {
		list = n.documents()
	}
	if len(list) == 0 {
		n.say("papers_unknown")
		return
	}
	n.say("papers")
	for _, r := range list {
		n.say("paper", "name", plain(n.name(r.kind)), "state", r.state, "reason", plain(n.name(r.reason)))
	}
}

// isHindi reports whether a question is in Hindi, in either script.
func isHindi(message string) bool {
	for _, r := range message {
		if unicode.Is(unicode.Devanagari, r) {
			return true
		}
	}
	return hinglish.MatchString(message)
}

var hinglish = lazyregexp.New(`(?i)\b(?:kya|kab|kaise|kitna|kitni|kitne|kaun|kyon|kyun|mujhe|hai|hoga|karna|chahiye|nahi|agar|jawab|kisne|dena|tak)\b`)

// passage is a part of the notice, with its page.
type passage struct {
	page int
	text string
}

var pageMark = lazyregexp.New(`(?m)^\[Page (\d+)\]$`)

// splitPassages splits a text into paragraphs, and long ones into pieces short enough to quote.
func splitPassages(text string) []passage {
	var all []passage
	page := 1
	var block []string
	end := func() {
		for rest := strings.Join(block, " "); rest != ""; {
			cut := passageEnd(rest)
			all = append(all, passage{page, oneLine(rest[:cut])})
			rest = strings.TrimSpace(rest[cut:])
		}
		block = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = oneLine(line)
		if m := pageMark.FindStringSubmatch(line); m != nil {
			end()
			page, _ = strconv.Atoi(m[1])
		} else if line == "" {
			end()
		} else {
			block = append(block, line)
		}
	}
	end()
	return all
}

// passageEnd returns where to cut a long paragraph: after a sentence, else between words, else at the limit.
func passageEnd(s string) int {
	const longest, shortest = 700, 200
	if len(s) <= longest {
		return len(s)
	}
	if cut := strings.LastIndex(s[:longest], ". "); cut > shortest {
		return cut + 1
	}
	if cut := strings.LastIndexByte(s[:longest], ' '); cut > shortest {
		return cut
	}
	cut := longest
	for cut > 1 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return cut
}

func passageTexts(text string, most int) []string {
	var texts []string
	for _, p := range splitPassages(text) {
		if len(texts) == most {
			break
		}
		texts = append(texts, p.text)
	}
	return texts
}

func withoutPageMarks(text string) string { return pageMark.ReplaceAllString(text, "") }

// passages returns the parts of the notice that share the rarest words with the question; parts that share too little
// are left out.
func (n *notice) passages(question string, most int) []passage {
	asked := stems(question)
	if len(asked) == 0 {
		return nil
	}
	all := splitPassages(n.text)
	holds := make([]map[string]bool, len(all))
	count := map[string]int{}
	for i, p := range all {
		holds[i] = map[string]bool{}
		for _, w := range stems(p.text) {
			holds[i][w] = true
		}
		for _, w := range asked {
			if holds[i][w] {
				count[w]++
			}
		}
	}
	type scored struct {
		passage
		score float64
	}
	var best []scored
	needed := 1
	if len(asked) > 2 {
		needed = 2
	}
	for i, p := range all {
		score, shared := 0.0, 0
		for _, w := range asked {
			if holds[i][w] {
				score += math.Log(1 + float64(len(all))/float64(count[w]))
				shared++
			}
		}
		if shared >= needed {
			best = append(best, scored{p, score})
		}
	}
	sort.SliceStable(best, func(i, j int) bool { return best[i].score > best[j].score })
	var found []passage
	for _, s := range best {
		if len(found) < most && s.score >= best[0].score/2 {
			found = append(found, s.passage)
		}
	}
	return found
}

// stems returns the meaningful words of a text without their endings, and without duplicates.
func stems(text string) []string {
	var list []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
	}) {
		if stopWords[w] || len([]rune(w)) < 3 && !isNumber(w) {
			continue
		}
		for _, ending := range [...]string{"ing", "ed", "es", "s"} {
			if stem := strings.TrimSuffix(w, ending); len(stem) >= 4 && stem != w {
				w = stem
				break
			}
		}
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

func isNumber(w string) bool { return strings.Trim(w, "0123456789") == "" }

var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`the and for with that this what when where which who why how does did can could should would will shall must may
		have has had are was were been being you your our from into about there their they them then than tell please give say says said any all
		not but his her its notice kya hai hain mujhe mera meri karna chahiye ka ki ke ko se me mein tak iska yeh aur agar nahi hoga kaise kab kitna kaun`) {
		words[w] = true
	}
	return words
}()
