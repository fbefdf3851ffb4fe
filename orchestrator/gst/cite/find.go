package cite

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// Citation is one provision cited in a text, "16(2)(c)". Act is nil if no Act was named, or one that the index does
// not have, which is then in Other. Start and End are byte offsets in the text given to Find; the first citation in a
// list begins with the word that announces it.
type Citation struct {
	Start, End int
	At         int // where the number itself begins
	Number     string
	Rule       bool
	Article    bool
	Act        *Act
	Other      string
}

// Unit returns what the Act calls its provisions.
func (c Citation) Unit() string {
	switch {
	case c.Rule:
		return "rule"
	case c.Article:
		return "article"
	}
	return "section"
}

// Layout is what is known about a printed page beyond its words; the zero value knows nothing.
type Layout struct {
	Below  func(word, at int) int // where the text continues below the word, if at is in the next column
	Breaks func(at int) bool      // whether something new begins at an offset
}

// Find returns the provisions that a text without markup cites, in order, whether they exist or not. A provision gets
// the Act named beside it; if none is, Find does not guess.
func (x *Index) Find(text string, l Layout) []Citation {
	return x.findIn(&plain{text: text, low: lowerASCII(text)}, l)
}

func (x *Index) find(p *plain, tables bool) []Citation {
	found := x.findIn(p, Layout{})
	if tables {
		found = append(found, columns(p, found)...)
		slices.SortFunc(found, func(a, b Citation) int { return a.Start - b.Start })
	}
	return found
}

func (x *Index) findIn(p *plain, l Layout) []Citation {
	f := finder{Index: x, plain: p, layout: l}
	pending := -1 // first of the citations that may still get an Act
	for at := 0; at < len(f.low); {
		word, ok := f.wordAt(at)
		if !ok {
			at = f.next(at)
			continue
		}
		list, end := f.list(at, word)
		if len(list) == 0 {
			at += len(word.text)
			continue
		}
		if pending >= 0 && !joins(f.low[f.found[len(f.found)-1].End:at]) {
			pending = -1
		}
		act, other, after := f.actAfter(end)
		if act == nil && other == "" {
			act, other = f.actBefore(list[0].Start)
		} else if pending >= 0 && !f.says(end, after, "said", "same") {
			for i := pending; i < len(f.found); i++ {
				if act == nil || actOf(f.Index, act, f.found[i]).Unit == f.found[i].Unit() {
					// "section 7 and section 8 of the IGST Act": the Act applies to both
					f.found[i].Act, f.found[i].Other = actOf(f.Index, act, f.found[i]), other
				}
			}
		}
		if act == nil && other == "" {
			if f.ofPaper(end) || f.isOwnHeading(at, end, list[0].Number) {
				at = end
				continue
			}
			if pending < 0 {
				pending = len(f.found)
			}
		} else {
			pending = -1
		}
		for i := range list {
			list[i].Act, list[i].Other = actOf(x, act, list[i]), other
		}
		f.found = append(f.found, list...)
		at = max(end, at+1)
	}
	return f.found
}

// actOf returns the CGST Rules for a rule "of the CGST Act", else the Act itself.
func actOf(x *Index, act *Act, c Citation) *Act {
	if act != nil && act.ID == cgst && c.Rule {
		return x.byID[cgstRules]
	}
	return act
}

type finder struct {
	*Index
	*plain
	layout Layout
	found  []Citation
}

// word is a word that announces a provision.
type word struct {
	text    string
	rule    bool
	article bool
}

var words = [...]word{
	{text: "sections"}, {text: "section"}, {text: "secs"}, {text: "sec"}, {text: "u/ss"}, {text: "u/s"}, {text: "ss"},
	{text: "s"}, {text: "§§"}, {text: "§"}, {text: "धाराओं"}, {text: "धाराएं"}, {text: "धाराएँ"}, {text: "धाराएॅ"},
	{text: "धारा"}, {text: "rules", rule: true}, {text: "rule", rule: true}, {text: "u/r", rule: true},
	{text: "rr", rule: true},
	{text: "r", rule: true},
	{text: "नियमों", rule: true}, {text: "नियम", rule: true},
	{text: "articles", article: true}, {text: "article", article: true}, {text: "अनुच्छेद", article: true},
}

// joins reports whether only "and" or a comma is between two citations, so that an Act named at the end applies to
// both.
func joins(between string) bool {
	switch strings.TrimSpace(between) {
	case "and", ",", "&", "or", ", and", "और", "एवं", "तथा", "व":
		return true
	}
	return false
}

// next returns the next offset after at where a word may begin.
func (f *finder) next(at int) int {
	at++
	for at < len(f.low) && (isLetter(f.low[at-1]) || f.low[at-1] >= 0x80 || !isLetter(f.low[at]) && f.low[at] < 0x80) {
		at++
	}
	return at
}

func (f *finder) wordAt(at int) (word, bool) {
	switch f.low[at] {
	case 's', 'u', 'r', 'a', 0xe0, 0xc2: // 0xe0 begins Devanagari, 0xc2 the section sign
	default:
		return word{}, false
	}
	if at > 0 && (f.low[at-1] == '/' && !strings.HasPrefix(f.low[max(0, at-3):], "r/w") || f.low[at-1] == '_') {
		return word{}, false // "AC/Sec-7/KNP"
	}
	for _, w := range words {
		end := at + len(w.text)
		if !strings.HasPrefix(f.low[at:], w.text) || end < len(f.low) && (isLetter(f.low[end]) || f.low[end] >= 0x80) {
			continue
		}
		if len(w.text) <= 2 && w.text[0] < 0x80 { // "s." and "r." need their full stop, or a number with parts
			if at > 0 && strings.IndexByte(" ([/\n|\"'-", f.low[at-1]) < 0 {
				continue
			}
			if end >= len(f.low) || f.low[end] != '.' &&
				!bareAbbreviation.MatchString(f.low[end:min(end+12, len(f.low))]) {
				continue
			}
		}
		if end < len(f.low) && f.low[end] == '-' && (end+1 >= len(f.low) || !isDigit(f.low[end+1])) {
			continue
		}
		return w, true
	}
	return word{}, false
}

// bareAbbreviation matches the number after an "s" that stands for "section", as in "s 16(4)" and "s16(4)".
var bareAbbreviation = lazyregexp.New(`^ ?\d{1,3}[a-z]?\(`)

var afterWord = lazyregexp.New(`^(?:\(s\))?[ .:-]*(?:nos?\b[. ]*|number |संख्या )?`)

// list parses the provisions after the word that announces them, such as "16(2)(c), 17(5) and 50", "73(1) or (2)",
// "73/74" or "73 to 75". It also returns the offset after them.
func (f *finder) list(start int, w word) ([]Citation, int) {
	at := start + len(w.text)
	at += len(afterWord.FindString(f.low[at:min(at+24, len(f.low))]))
	if label := cellLabel.FindStringSubmatchIndex(f.low[at:min(at+120, len(f.low))]); label != nil && !w.rule {
		at += label[2]
	} else if f.layout.Below != nil {
		at = f.layout.Below(start, at)
	}
	var list []Citation
	base := "" // the number that a lone "(c)" continues
	end := start
	for at < len(f.text) {
		number, stop, depth := f.numberAt(at)
		c := Citation{Start: at, At: at, End: stop, Rule: w.rule, Article: w.article}
		if len(list) == 0 {
			c.Start = start
		}
		switch {
		case number != "" && number[0] != '(':
			if len(list) > 0 && !f.endsCitation(stop) {
				return list, end
			}
			if depth == 0 && len(list) == 0 {
				if from, subs := f.partsBefore(start); len(subs) > 0 {
					for _, sub := range subs {
						list = append(list, Citation{Start: from, At: at, End: stop, Rule: w.rule,
							Number: number + sub})
					}
					base, end = number+subs[len(subs)-1], stop
					break
				}
			}
			c.Number = number
			list = append(list, c)
			base, end = number, stop
		case number != "" && base != "" && strings.Count(base, "(") >= depth:
			stem := withoutParts(base, depth) // "(i), (ii)" and "(1) and (3)" continue on the level of the last part
			if isDigit(number[1]) && !isDigit(base[len(stem)+1]) && strings.Count(stem, "(") > 0 {
				stem = withoutParts(stem, 1) // "16(2)(b), (3)"
			}
			if isDigit(number[1]) != isDigit(base[len(stem)+1]) {
				return list, end // "section 74(1), (b) interest" begins another list
			}
			base = stem + number
			c.Number = base
			list = append(list, c)
			end = stop
		default:
			return list, end
		}
		next := f.separator(end)
		if next < 0 {
			return list, end
		}
		at = next
	}
	return list, end
}

// withoutParts returns a number without its last n parts in parentheses.
func withoutParts(number string, n int) string {
	for range n {
		number = number[:strings.LastIndexByte(number, '(')]
	}
	return number
}

// cellLabel matches the rest of a label such as "Section under which show cause notice is issued", after which the
// section is in the next cell.
var cellLabel = lazyregexp.New(`^(?:of the act )?under which [a-z /:=-]{4,80}?(\d)`)

// numberAt parses one provision: a number with its parts, or only parts. depth is the number of parts in parentheses.
func (f *finder) numberAt(at int) (number string, end, depth int) {
	s := f.text
	end = at
	for end < len(s) && isDigit(s[end]) {
		end++
	}
	if end-at > 3 {
		return "", at, 0
	}
	letters := ""
	if end > at {
		digits := end
		for end < len(s) && isUpper(s[end]) && end-digits < 2 {
			end++
		}
		letters = s[digits:end]
		if end == digits && end < len(s) && s[end] >= 'a' && s[end] <= 'd' &&
			(end+1 == len(s) || !isAlnum(s[end+1]) && s[end+1] != '\'' && s[end+1] != '-') {
			letters = strings.ToUpper(s[end : end+1])
			end++
		}
		if end < len(s) && isAlnum(s[end]) {
			return "", at, 0
		}
		if !f.numberEnds(at, end) {
			return "", at, 0
		}
		number = s[at:digits] + letters
	}
	for end < len(s) {
		open := end
		if s[open] == ' ' {
			open++
		}
		part, stop := f.part(open)
		if part == "" || open > end && !f.spacedPart(part, stop, number) {
			break
		}
		if depth == 1 && number != "" && isDigits(part[1:len(part)-1]) && strings.HasSuffix(number, ")") &&
			isDigits(strings.Trim(number[strings.IndexByte(number, '('):], "()")) {
			return number, stop, depth // "(8)" for "(a)": clauses have letters
		}
		number += part
		end = stop
		depth++
	}
	return number, end, depth
}

// spacedPart reports whether "(c)" after a space belongs to the number before it: it does in "73 (1)", but not in "73
// (a matter of record)", nor in "section 16 (i)", where another list begins.
func (f *finder) spacedPart(part string, stop int, number string) bool {
	return isDigit(part[1]) || part[1] >= 0x80 || strings.HasSuffix(number, ")") || stop >= len(f.text) ||
		f.text[stop] != ' '
}

// numberEnds reports whether the text after a number allows it to be a section, not a date, amount or clause number.
func (f *finder) numberEnds(at, end int) bool {
	s := f.text
	if end < len(s) && s[end] == '%' || end+1 < len(s) && s[end] == ' ' && s[end+1] == '%' {
		return false
	}
	if end+1 >= len(s) || strings.IndexByte(".,/-:", s[end]) < 0 || !isDigit(s[end+1]) {
		return true
	}
	next := end + 1
	for next < len(s) && isDigit(s[next]) {
		next++
	}
	digits := next - end - 1
	more := next+1 < len(s) && strings.IndexByte("/-.,:", s[next]) >= 0 && isDigit(s[next+1])
	switch s[end] {
	case '/':
		return digits <= 3 && (!more || s[next] == '/' && digits == 3)
	case '-':
		return digits <= 3 && !more && atoi(s[at:end]) < atoi(s[end+1:next])
	case ',':
		return digits < 3 && !more
	}
	return false
}

func atoi(s string) int {
	n := 0
	for i := 0; i < len(s) && isDigit(s[i]); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// part parses one part in parentheses, such as "(2)", "(aa)", "(2A)" or "(iv)".
func (f *finder) part(at int) (part string, end int) {
	s := f.text
	if at >= len(s) || strings.IndexByte("({[", s[at]) < 0 {
		return "", at
	}
	if hindi := hindiPart.FindString(s[at:min(at+12, len(s))]); hindi != "" {
		return hindi, at + len(hindi)
	}
	end = at + 1
	for end < len(s) && isAlnum(s[end]) && end-at < 7 {
		end++
	}
	inner := s[at+1 : end]
	if inner == "" || end >= len(s) || strings.IndexByte(")}]", s[end]) < 0 || len(inner) > 5 {
		return "", at
	}
	letters := strings.TrimLeft(inner, "0123456789")
	switch {
	case len(letters) < len(inner): // 2, 2A
		if len(inner)-len(letters) > 3 || len(letters) > 2 || strings.ToUpper(letters) != letters && len(letters) > 1 ||
			letters != "" && strings.IndexByte("stnr", letters[0]) >= 0 {
			return "", at
		}
		if len(inner)-len(letters) == 3 && f.text[at] != '(' {
			return "", at
		}
		return "(" + strings.ToUpper(inner) + ")", end + 1
	case strings.Trim(strings.ToLower(inner), "ivxl") == "": // roman
	case len(inner) > 2 && inner != strings.Repeat(inner[:1], len(inner)):
		return "", at
	case len(inner) == 2 && notParts[strings.ToLower(inner)]:
		return "", at
	}
	if isUpper(inner[0]) && len(inner) > 1 {
		return "(" + inner + ")", end + 1
	}
	return "(" + strings.ToLower(inner) + ")", end + 1
}

// hindiPart matches a clause with a Devanagari letter, such as "(ग)".
var hindiPart = lazyregexp.New(`^\([\x{0915}-\x{0939}]{1,2}\)`)

// notParts has words of two letters that are not parts of a provision although they are in parentheses.
var notParts = map[string]bool{"no": true, "or": true, "to": true, "of": true, "in": true, "ct": true, "sc": true,
	"hc": true, "or.": true, "as": true, "if": true, "is": true}

var separators = [...]string{", and ", " and ", " & ", " or ", " and/or ", ", or ", ", ", "/", "/ ", " / ", " to ", "-",
	" - ", " through ", ", read with ", " read with ", " r/w ", ", r/w ", " r.w. ", " as well as ", ",",
	" और ", " एवं ", " तथा ", " व ", " या ", " से ", " सपठित "}

// separator returns the offset after the words or signs that join two provisions of one list, or -1 if the list ends.
func (f *finder) separator(at int) int {
	rest := f.low[at:]
	for _, sep := range separators {
		if strings.HasPrefix(rest, sep) {
			next := at + len(sep)
			if next < len(f.low) && (isDigit(f.low[next]) || f.low[next] == '(') {
				return next
			}
		}
	}
	return -1
}

// endsCitation reports whether the text after a number in a list fits a provision. In "section 16 and 45 invoices", the
// number counts things.
func (f *finder) endsCitation(at int) bool {
	rest := f.low[at:]
	if rest == "" || strings.IndexByte(",;.)/:&]\n|?!\"'-", rest[0]) >= 0 || f.low[at-1] == ')' ||
		f.layout.Breaks != nil && f.layout.Breaks(at+1) {
		return true
	}
	rest = strings.TrimPrefix(rest, " ")
	word, _, _ := strings.Cut(rest[:min(60, len(rest))], " ")
	word = strings.TrimRight(word, ".,;:)\n|")
	if !countable(word) {
		return true
	}
	return goesOn[word]
}

// countable reports whether a word can be what a number counts, such as "invoices".
func countable(word string) bool {
	return strings.HasSuffix(word, "s") || strings.HasSuffix(word, "%") || amounts[word]
}

var amounts = map[string]bool{"lakh": true, "lac": true, "crore": true, "per": true, "percent": true, "more": true,
	"other": true, "others": true, "working": true, "calendar": true, "financial": true, "rupee": true, "day": true,
	"month": true, "year": true, "january": true, "february": true, "march": true, "april": true, "may": true,
	"june": true, "july": true, "august": true, "september": true, "october": true, "november": true, "december": true,
	"am": true, "pm": true, "paise": true, "supplier": true, "invoice": true, "page": true, "purchase": true,
	"sale": true, "tax": true, "दिन": true, "दिनों": true, "लाख": true, "करोड़": true, "प्रतिशत": true, "वर्ष": true,
	"रुपये": true, "बिल": true}

// goesOn has the words that may follow a provision although they look like plural nouns, such as "is" or "provides".
var goesOn = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`is was has as does its this thus unless may others provides deals applies prescribes says speaks sets makes lists
		gives follows remains contains defines imposes grants begins needs protects lays states refers stands falls covers governs requires
		allows bars permits acts rules bns`) {
		m[w] = true
	}
	return m
}()

var partsOf = lazyregexp.New(`(?:(?:sub-?clauses? (\([ivx]+\)) ?(?:of|to) )?clauses? ((?:\([a-z]{1,4}\)(?:, | and | or )?)+) ?(?:of|to) (?:the )?)?sub-? ?(?:section|rule)s? ((?:\([0-9a-z]{1,3}\)(?:, | and | or | & )?)+) ?of (?:the )?$|(?:clauses? ((?:\([a-z]{1,4}\)(?:, | and | or )?)+) ?of (?:the )?)$`)

// partsBefore parses "clause (c) of sub-section (2) of" before the word "section" and returns "(2)(c)".
func (f *finder) partsBefore(at int) (start int, parts []string) {
	from := max(0, at-120)
	m := partsOf.FindStringSubmatchIndex(f.low[from:at])
	if m == nil {
		return 0, nil
	}
	group := func(n int) []string {
		if m[2*n] < 0 {
			return []string{""}
		}
		var list []string
		last := -1
		for i := from + m[2*n]; i < from+m[2*n+1]; {
			part, end := f.part(i)
			switch {
			case part == "":
				i++
				continue
			case i == last:
				list[len(list)-1] += part // "clause (c)(i)"
			default:
				list = append(list, part)
			}
			i, last = end, end
		}
		return list
	}
	if m[8] >= 0 {
		return from + m[0], group(4)
	}
	for _, sub := range group(3) {
		for _, clause := range group(2) {
			for _, item := range group(1) {
				parts = append(parts, sub+clause+item)
			}
		}
	}
	return from + m[0], parts
}

// ofPaper reports whether the "section" belongs to something that is not a law, as in "section 2 of this letter".
func (f *finder) ofPaper(at int) bool {
	rest := f.low[at:min(at+90, len(f.low))]
	return !ofTheAct.MatchString(rest) && paper.MatchString(rest) || elsewhere.MatchString(rest)
}

var ofTheAct = lazyregexp.New(`^ ?,? ?of (?:the|this|said|the said) (?:act|rules)\b`)

var elsewhere = lazyregexp.New(`^ (?:below|above|hereof|overleaf)\b`)

var paper = lazyregexp.New(`^ ?,? ?of (?:this|these|our|your|my|his|her|their|its|that|the|said|an?|each|page)?(?: ?[a-z0-9-]+){0,3}? ?\b(?:letter|reply|notice|agreement|contract|deed|lease|report|annexure|form|return|gstr[a-z0-9-]*|guide|manual|document|answer|draft|submissions?|appendix|policy|bye-?laws|memorandum|articles|iso|iec|standards?|tender|offer|plan|order|questionnaire|checklist|note|analysis|brief|page|file|book|website|portal|table|worksheet|schedule|paper|part [ivx]+|template|email|e-mail|circular|judgment|petition|affidavit|invoice|statement)\b(?:[^a-z]|$)`)

// isOwnHeading reports whether the citation is a heading of the text itself, such as "Section 3: Facts of the case".
func (f *finder) isOwnHeading(at, end int, number string) bool {
	line := at
	for line > 0 && strings.IndexByte("# ", f.low[line-1]) >= 0 {
		line--
	}
	if line > 0 && f.low[line-1] != '\n' || strings.IndexByte(f.text[at:end], '(') >= 0 {
		return false
	}
	rest, _, _ := strings.Cut(f.low[end:min(end+120, len(f.low))], "\n")
	rest = strings.TrimSpace(rest)
	title := strings.TrimLeft(rest, " :.-")
	switch {
	case rest == "":
		return f.low[line] == '#'
	case len(rest) > 80 || len(title) == len(rest):
		return false
	}
	for _, id := range []string{cgst, cgstRules} {
		if h := lowerASCII(f.byID[id].Heading(number)); h != "" && sameTitle(h, title) {
			return false
		}
	}
	return true
}

// sameTitle reports whether two headings share most of their words.
func sameTitle(a, b string) bool {
	shared, all := 0, 0
	for w := range strings.FieldsSeq(b) {
		w = strings.Trim(w, ".,;:()")
		if len(w) > 3 {
			all++
			if strings.Contains(a, w) {
				shared++
			}
		}
	}
	return all > 0 && shared*2 >= all
}

func (f *finder) says(from, to int, words ...string) bool {
	for _, w := range words {
		if strings.Contains(f.low[from:to], w) {
			return true
		}
	}
	return false
}
