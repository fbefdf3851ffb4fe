package model

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// intents are what people ask about a notice, by the words they ask with, in
// English, Hindi, and Hindi in Latin letters. The first that fits counts, so the
// narrower ones come first.
var intents = [...]struct {
	about  string
	words  *regexp.Regexp
	answer func(*notice) string
}{
	{"silence", regexp.MustCompile(`(?i)\b(?:ignore|don'?t reply|do not reply|not reply|no reply|not respond|if i do nothing|consequence|what happens if|miss(?:ed)? the)\b|jawab n(?:ahi|a)|reply n(?:ahi|a)|kya hoga agar|agar .*n(?:ahi|a)\b|जवाब न|उत्तर न|क्या होगा`), (*notice).sayConsequence},
	{"hearing", regexp.MustCompile(`(?i)\bhearing\b|\bsunwa?i\b|\bappear\b|सुनवाई|पेशी`), (*notice).sayHearing},
	{"deadline", regexp.MustCompile(`(?i)\b(?:dead ?line|last date|due date|by when|how many days|days left|how long|time left|when (?:do|should|must|is|to))\b|kab ?tak|last din|kitne din|aakhri|akhri|tareekh|tarikh|कब तक|अंतिम तिथि|आखिरी|कितने दिन|तारीख`), (*notice).sayDeadline},
	{"documents", regexp.MustCompile(`(?i)\b(?:documents?|papers?|proofs?|evidence)\b|kagaz|kaagaz|dastavez|कागज|काग़ज|दस्तावेज|दस्तावेज़|प्रमाण`), (*notice).sayDocuments},
	{"amount", regexp.MustCompile(`(?i)\b(?:how much|amount|demand|total|tax payable|(?:[cisu]|ut)gst tax|tax under (?:[cisu]|ut)gst|penalty|interest)\b|kitna|kitni|kitne paise|paisa|रकम|राशि|कितना|कितनी|जुर्माना|ब्याज`), (*notice).sayAmount},
	{"form", regexp.MustCompile(`(?i)\b(?:which form|what form|where (?:do|to|should) (?:i )?(?:reply|file)|how (?:do|to|should|can) (?:i |we )?(?:reply|respond|answer|file))\b|kaun ?sa form|konsa form|kaise (?:reply|jawab)|jawab kaise|कौन ?सा (?:फॉर्म|प्रपत्र)|कैसे (?:जवाब|उत्तर)|जवाब कैसे`), (*notice).sayForm},
	{"who", regexp.MustCompile(`(?i)\bwho\b|\bofficer\b|\bkisne\b|\bkaun\b|किसने|अधिकारी|कौन`), (*notice).sayWho},
	{"provisions", regexp.MustCompile(`(?i)\b(?:sections?|rules?|provisions?|which law)\b|\bdhara\b|धारा|नियम`), (*notice).sayProvisions},
	{"genuine", regexp.MustCompile(`(?i)\b(?:genuine|fake|real|valid|din|verify)\b|asli|nakli|असली|नकली`), (*notice).sayGenuine},
	{"allegations", regexp.MustCompile(`(?i)\b(?:alleg\w*|why|reasons?|accus\w*|charges?|wrong)\b|kyon|kyun|kyu|क्यों|आरोप|कारण`), (*notice).sayAllegations},
	{"what", regexp.MustCompile(`(?i)\b(?:what is this|what'?s this|explain|summar\w*|about)\b|kya hai|yeh kya|ye kya|क्या है`), (*notice).sayWhat},
	{"next", regexp.MustCompile(`(?i)\b(?:what (?:should|do|can) i do|next step|what now)\b|kya kar(?:na|u|oon|e)|क्या कर`), (*notice).sayNext},
}

// limits are what people ask of a language model, and what is said instead.
var limits = [...]struct {
	words *regexp.Regexp
	text  string
}{
	{regexp.MustCompile(`(?i)^\W*(?:hi|hello|hey|hii+|good (?:morning|afternoon|evening)|namaste|namaskar|thanks?|thank you|dhanyavaad|नमस्ते|नमस्कार|धन्यवाद)(?:[\s,]+(?:there|munshi|sir|madam|ji|all|very much|so much))*[\s.,!?]*$`),
		"No language model is configured, so this is no conversation."},
	{regexp.MustCompile(`(?i)\bdraft\b.*\b(?:reply|response|answer|letter|submission|appeal|it)\b|^\W*(?:(?:please|kindly|can you|could you|help me|to|now)\s+)*(?:write|prepare|make|compose)\s+.*\b(?:reply|response|answer|letter|submission|appeal)\b|(?:jawab|reply) (?:likh|bana|taiyar|draft)|(?:जवाब|उत्तर) (?:लिख|बना|तैयार)`),
		"Without a language model the program cannot draft a reply: whoever writes it must weigh the allegations."},
	{regexp.MustCompile(`(?i)\btranslat(?:e|ion)\b|\banuvad\b|अनुवाद|\b(?:in|into|to) (?:hindi|english|marathi|gujarati|tamil|telugu|bengali|kannada|punjabi|malayalam)\b`),
		"Without a language model the program cannot translate."},
}

const canDo = " It can tell what the notice says: the last date to answer, the amounts, the allegations in its own words, the provisions, the hearing, the form to reply in, and the papers to collect. Ask for one of these."

// answer replies to a question from the facts and from the passages of the
// notice that fit it best.
func (n *notice) answer(message string) string {
	const note = "\n\n*No language model wrote this; it comes from what the program read in the notice.*"
	if strings.TrimSpace(message) == "" {
		return "Ask about the notice, for example: by when must I answer, how much is claimed, which papers do I need, what happens if I do nothing?"
	}
	if !n.known && strings.TrimSpace(n.text) == "" {
		return "There is no notice here that has been read. Upload one, or try the reading again. No language model is configured, so the program can answer only from a notice."
	}
	for _, l := range limits {
		if l.words.MatchString(message) {
			return l.text + canDo
		}
	}
	var b strings.Builder
	if n.known {
		for _, i := range intents {
			if i.words.MatchString(message) {
				if i.about == "amount" {
					b.WriteString(n.oneFigure(message))
				}
				if hindi(message) {
					b.WriteString(n.inHindi(i.about))
				}
				b.WriteString(i.answer(n))
				break
			}
		}
	}
	found := n.passages(message, 3)
	switch {
	case b.Len() == 0 && len(found) == 0:
		b.WriteString("Nothing was found in the notice that answers this. Without a language model the program can only tell what the notice says: its dates, amounts, provisions, allegations and the papers to collect. For advice ask a professional.")
	case b.Len() == 0:
		b.WriteString("These passages of the notice are nearest to your question. The program cannot weigh them.")
	}
	if len(found) > 0 {
		if b.Len() > 0 {
			b.WriteString("\n\nFrom the notice:\n")
		}
		for _, p := range found {
			fmt.Fprintf(&b, "\n> Page %d: %s\n", p.page, quote(p.text, 360))
		}
	}
	return strings.TrimSpace(b.String()) + note
}

func (n *notice) sayDeadline() string { return n.deadline() }

func (n *notice) sayHearing() string {
	if h := n.hearing(); h != "" {
		return h
	}
	const none = "No date for a hearing was found in the notice. You can ask for one in your reply"
	switch n.facts.Form {
	case "REG-17", "REG-31":
		return none + ": a registration is not cancelled without one (section 29(2), proviso)."
	case "REG-23":
		return none + ": the application is not rejected without one (section 30(2), proviso)."
	case "RFD-08":
		return none + ": a refund is not rejected without one (rule 92(3), proviso)."
	case "MOV-07":
		return none + ": no penalty is determined without one (section 129(4))."
	case "MOV-10":
		return none + ": nothing is confiscated without one (section 130(4))."
	case "", "DRC-01", "DRC-02":
		return none + ": section 75(4) of the CGST Act gives a hearing to whoever asks in writing, and whenever an order against the person is in view."
	}
	return none + "."
}

func (n *notice) sayConsequence() string {
	text := n.words.Silence
	if due := n.facts.ReplyDue.Date; due != "" {
		text += fmt.Sprintf(" The last date to answer is %s%s.", longDate(due), bracketed(n.daysLeft(due)))
	}
	return text
}

func (n *notice) sayAmount() string { return n.amounts() }

var (
	asksHead = regexp.MustCompile(`(?i)\b(?:cgst|sgst|utgst|igst|cess)\b`)
	asksKind = regexp.MustCompile(`(?i)\b(?:tax|interest|penalty|(?:late )?fee)\b|ब्याज|जुर्माना`)
)

// oneFigure answers a question for one kind of amount under one head with that
// figure, and gives "" for any other question.
func (n *notice) oneFigure(message string) string {
	heads := distinct(asksHead.FindAllString(strings.ToUpper(message), -1))
	kinds := distinct(asksKind.FindAllString(strings.ToLower(message), -1))
	if len(heads) != 1 || len(kinds) != 1 || n.facts.Demand == nil {
		return ""
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
	if sum == 0 {
		return fmt.Sprintf("%s, %s: no figure above zero was read in the notice.\n\n", heads[0], kind)
	}
	return fmt.Sprintf("%s, %s: **%s**%s.\n\n", heads[0], kind, rupees(sum), n.page("demand"))
}

func (n *notice) sayForm() string {
	return fmt.Sprintf("This is %s. %s", n.formName(), n.words.Reply)
}

func (n *notice) sayWho() string {
	f := &n.facts
	officer := join(", ", plain(f.Officer.Name), plain(f.Officer.Designation), plain(f.Officer.Jurisdiction))
	if officer == "" {
		officer = "no officer whose name could be read; some notices are made by the system"
	}
	text := "Signed by: " + officer + n.page("officer") + "."
	if f.LegalName != "" {
		text += fmt.Sprintf(" Addressed to: %s%s.", plain(f.LegalName), bracketed(plain(f.GSTIN)))
	}
	return text
}

func (n *notice) sayProvisions() string {
	f := &n.facts
	if len(f.Sections)+len(f.Rules) == 0 {
		return "No section or rule of the CGST law was found in the notice."
	}
	text := "The notice cites"
	if len(f.Sections) > 0 {
		text += " sections " + plain(strings.Join(f.Sections, ", ")) + " of the CGST Act (or the same of the State Act)"
	}
	if len(f.Rules) > 0 {
		if len(f.Sections) > 0 {
			text += " and"
		}
		text += " rules " + plain(strings.Join(f.Rules, ", ")) + " of the CGST Rules"
	}
	return text + "."
}

func (n *notice) sayGenuine() string {
	f := &n.facts
	text := "The program cannot tell whether a notice is genuine. "
	switch {
	case f.DIN != "":
		text += fmt.Sprintf("It carries the DIN %s%s: check it on the CBIC website.", plain(f.DIN), n.page("din"))
	case f.Reference != "":
		text += fmt.Sprintf("Its number is %s%s: sign in to the GST portal and look for it under Services, User Services, View Notices and Orders.", plain(f.Reference), n.page("reference"))
	default:
		text += "No DIN and no portal number were found in it. Ask the officer's office, and look on the portal. Their absence alone does not make it invalid."
	}
	return text
}

func (n *notice) sayAllegations() string {
	var b strings.Builder
	n.writeAllegations(&b)
	return strings.TrimSpace(strings.TrimPrefix(b.String(), "## What is alleged\n\n"))
}

func (n *notice) sayWhat() string {
	return fmt.Sprintf("%s: %s. %s", capital(n.formName()), lowerFirst(n.words.Title), n.words.What)
}

func (n *notice) sayNext() string {
	var b strings.Builder
	n.writeSteps(&b)
	return strings.TrimSpace(strings.TrimPrefix(b.String(), "## What to do next\n\n"))
}

func (n *notice) sayDocuments() string {
	list := n.required
	if len(list) == 0 {
		list = n.documents()
	}
	var b strings.Builder
	for _, r := range list {
		state := ""
		if r.state != "" && r.state != "needed" {
			state = " (" + plain(r.state) + ")"
		}
		fmt.Fprintf(&b, "- %s%s — %s\n", plain(r.kind), state, plain(r.reason))
	}
	if b.Len() == 0 {
		return "The notice does not tell which papers would answer it."
	}
	return "These papers help to answer the notice.\n\n" + strings.TrimSpace(b.String())
}

// hindi tells whether a question is in Hindi, in either script.
func hindi(message string) bool {
	for _, r := range message {
		if unicode.Is(unicode.Devanagari, r) {
			return true
		}
	}
	return hinglish.MatchString(message)
}

var hinglish = regexp.MustCompile(`(?i)\b(?:kya|kab|kaise|kitna|kitni|kitne|kaun|kyon|kyun|mujhe|hai|hoga|karna|chahiye|nahi|agar|jawab|kisne|dena|tak)\b`)

// inHindi says the heart of the answer in Hindi, where it is short.
func (n *notice) inHindi(about string) string {
	f := &n.facts
	switch {
	case about == "deadline" && f.ReplyDue.Date != "":
		return "उत्तर देने की अंतिम तिथि: **" + longDate(f.ReplyDue.Date) + "**\n\n"
	case about == "deadline":
		return "उत्तर देने की अंतिम तिथि निश्चित रूप से नहीं पढ़ी जा सकी।\n\n"
	case about == "amount" && f.Demand != nil && f.Demand.Total != nil:
		return "माँगी गयी कुल राशि: **" + rupees(*f.Demand.Total) + "**\n\n"
	case about == "hearing" && f.Hearing != nil:
		return "सुनवाई की तिथि: **" + longDate(f.Hearing.Date) + "**\n\n"
	case about == "documents":
		return "ये दस्तावेज़ काम आयेंगे:\n\n"
	case about == "silence":
		return "उत्तर न देने पर आपके विरुद्ध निर्णय हो सकता है।\n\n"
	}
	return ""
}

// passage is a piece of the notice with its page.
type passage struct {
	page int
	text string
}

var pageMark = regexp.MustCompile(`(?m)^\[Page (\d+)\]$`)

// splitPassages cuts a text into its paragraphs, in pieces that can be quoted.
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

// passageEnd gives where to cut a long paragraph: after a sentence, else
// between words, else where it must be.
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

// passages finds the pieces of the notice that share the rarest words with the
// question. A piece that shares too little is not shown.
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

// stems gives the words that carry meaning, each once, without their endings.
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
